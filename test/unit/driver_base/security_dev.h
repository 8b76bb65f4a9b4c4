/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A device with rte_security in plain memory, and the memory of a session, for tests without a
 * device.
 */
#ifndef UNIT_SECURITY_DEV_H
#define UNIT_SECURITY_DEV_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_malloc.h>
#include <rte_security_driver.h>

#include "accel_dev.h"
#include "accel_security.h"
#include "accel_transport.h"
#include "driver_base/eal.h"

#define INVALIDATE_PAGE 0x2000u
#define SESSION_IOVA UINT64_C(0x123456000)

static alignas(4096) uint8_t bar[0x4000];
static struct accel_dev dev;
static ACCEL_ATOMIC(uint32_t) last_generation;
static struct rte_cryptodev_data data = { .dev_private = &dev };
static struct rte_cryptodev cryptodev = { .data = &data };
static const struct rte_security_ops *ops;
static uint8_t key[64];
static alignas(64) uint8_t session_mem[2048];

static inline struct rte_security_session *
session(void)
{
	return (struct rte_security_session *)session_mem;
}

/* Makes a device without algorithms, and a key. */
static inline void
reset_device(void)
{
	static const struct accel_transport transport = { .name = "test" };
	unsigned int i;

	memset(&dev, 0, sizeof(dev));
	memset(bar, 0, sizeof(bar));
	memset(session_mem, 0, sizeof(session_mem));
	dev.bar = bar;
	dev.bar_size = sizeof(bar);
	dev.name = "test";
	last_generation = 0;
	dev.generation = &last_generation;
	accel_process_set(0, &transport, NULL);
	dev.active_flags = RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_SECURITY;
	dev.dt.invalidate = INVALIDATE_PAGE;
	dev.dt.sym = true;
	for (i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)(i + 1);
}

/* Makes the capabilities of the device's tree. */
static inline void
make_caps(void)
{
	rte_free(dev.security_caps);
	accel_security_detach(&cryptodev);
	assert_int_equal(accel_security_caps_create(&dev.dt, &dev.security_caps), 0);
	assert_int_equal(accel_security_attach(&cryptodev), 0);
	if (dev.security_caps != NULL)
		ops = ((struct rte_security_ctx *)cryptodev.security_ctx)->ops;
}

static inline int
teardown_device(void **state)
{
	(void)state;
	accel_security_detach(&cryptodev);
	assert_null(cryptodev.security_ctx);
	rte_free(dev.security_caps);
	dev.security_caps = NULL;
	return 0;
}

/* Creates a session as the library does. */
static inline int
create_session(struct rte_security_session_conf *conf)
{
	memset(session_mem, 0, sizeof(session_mem));
	session()->driver_priv_data_iova = SESSION_IOVA;
	return ops->session_create(&cryptodev, conf, session());
}

#endif /* UNIT_SECURITY_DEV_H */
