/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The engine on IPsec-MB where that library does not exist. The library is for x86. This engine has
 * no algorithm and no instance. The build takes this file instead of engine_ipsec_mb.c and its
 * parts. The device then lists what OpenSSL has.
 */
#include <stddef.h>

#include "engine/engine.h"

static struct engine *
none_create(void)
{
	return NULL;
}

static bool
none_supports(const struct accel_hw_context *raw)
{
	(void)raw;
	return false;
}

/* There is no instance, so nobody calls the functions that take an instance, and they are missing
 * here. */
const struct engine_ops engine_ipsec_mb = {
	.name = "ipsec_mb",
	.create = none_create,
	.supports = none_supports,
};
