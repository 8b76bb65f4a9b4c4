/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A modulus of a key: see pk_modulus.h.
 */
#include "pk_modular/pk_modulus.h"

static bool
set_mont(struct pk_modulus *modulus)
{
	BN_CTX *ctx;
	bool ok;

	if (!BN_is_odd(modulus->number) || BN_is_one(modulus->number))
		return true;
	ctx = libctx_bn();
	modulus->mont = BN_MONT_CTX_new();
	ok = ctx != NULL && modulus->mont != NULL &&
			BN_MONT_CTX_set(modulus->mont, modulus->number, ctx) == 1;
	BN_CTX_free(ctx);
	return ok;
}

bool
pk_modulus_init(struct pk_modulus *modulus, struct pk_bytes bytes, uint32_t least, uint32_t most,
		uint16_t *status)
{
	uint32_t bits;

	*modulus = (struct pk_modulus) { pk_number(bytes), NULL, 0 };
	if (modulus->number == NULL) {
		*status = ACCEL_HW_ENGINE_ERROR;
		return false;
	}
	bits = (uint32_t)BN_num_bits(modulus->number);
	modulus->len = (bits + 7) / 8;
	*status = ACCEL_HW_BAD_CONTEXT;
	if (bits > 0 && bits >= least && bits <= most) {
		if (set_mont(modulus))
			return true;
		*status = ACCEL_HW_ENGINE_ERROR;
	}
	pk_modulus_free(modulus);
	return false;
}

void
pk_modulus_free(struct pk_modulus *modulus)
{
	BN_MONT_CTX_free(modulus->mont);
	BN_clear_free(modulus->number);
	*modulus = (struct pk_modulus) { 0 };
}
