/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A device with rte_security in plain memory, and the memory of a session, for tests without a
 * device.
 */
#include "driver_base/security_dev.h"

alignas(4096) uint8_t bar[0x4000];

struct accel_dev dev;

static ACCEL_ATOMIC(uint32_t) last_generation;

struct rte_cryptodev_data data = { .dev_private = &dev };

struct rte_cryptodev cryptodev = { .data = &data };

const struct rte_security_ops *ops;

uint8_t key[64];

alignas(64) uint8_t session_mem[2048];

void
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

void
make_caps(void)
{
	rte_free(dev.security_caps);
	accel_security_detach(&cryptodev);
	assert_int_equal(accel_security_caps_create(&dev.dt, &dev.security_caps), 0);
	assert_int_equal(accel_security_attach(&cryptodev), 0);
	if (dev.security_caps != NULL)
		ops = ((struct rte_security_ctx *)cryptodev.security_ctx)->ops;
}

int
teardown_device(void **state)
{
	(void)state;
	accel_security_detach(&cryptodev);
	assert_null(cryptodev.security_ctx);
	rte_free(dev.security_caps);
	dev.security_caps = NULL;
	return 0;
}

int
create_session(struct rte_security_session_conf *conf)
{
	memset(session_mem, 0, sizeof(session_mem));
	session()->driver_priv_data_iova = SESSION_IOVA;
	return ops->session_create(&cryptodev, conf, session());
}
