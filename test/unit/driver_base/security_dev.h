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

extern alignas(4096) uint8_t bar[0x4000];
extern struct accel_dev dev;
extern struct rte_cryptodev_data data;
extern struct rte_cryptodev cryptodev;
extern const struct rte_security_ops *ops;
extern uint8_t key[64];
extern alignas(64) uint8_t session_mem[2048];

static inline struct rte_security_session *
session(void)
{
	return (struct rte_security_session *)session_mem;
}

/* Makes a device without algorithms, and a key. */
void reset_device(void);

/* Makes the capabilities of the device's tree. */
void make_caps(void);

int teardown_device(void **state);

/* Creates a session as the library does. */
int create_session(struct rte_security_session_conf *conf);

#endif /* UNIT_SECURITY_DEV_H */
