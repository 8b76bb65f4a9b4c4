/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * MODEXP and MODINV (manual 8.8). An exponent of more than 64 bits is treated as secret, and so is
 * each number that is to be inverted. The time of an operation does not depend on a number that is
 * treated as secret. For an even modulus OpenSSL has no code with this property.
 */
#include <openssl/bn.h>
#include <openssl/bnerr.h>
#include <openssl/crypto.h>
#include <openssl/err.h>

#include "pk_modular/pk_modulus.h"

#define PUBLIC_BYTES 8u

struct mod_key {
	struct pk_key key;
	struct pk_modulus mod;
	BIGNUM *exponent; /* of MODEXP; has BN_FLG_CONSTTIME if it is treated as secret */
};

static void
mod_key_free(struct pk_key *key)
{
	struct mod_key *mod = (struct mod_key *)key;

	BN_clear_free(mod->exponent);
	pk_modulus_free(&mod->mod);
	OPENSSL_clear_free(mod, sizeof(*mod));
}

static uint32_t
mod_most(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	return ((const struct mod_key *)key)->mod.len;
}

static const struct pk_caps *
modexp_caps(void)
{
	static const struct pk_caps caps = {
		.alg = ACCEL_HW_PK_MODEXP,
		.operations = 1u << ACCEL_HW_PK_COMPUTE,
		.modulus_min = 1,
		.modulus_max = ACCEL_HW_PK_MODULUS_BITS_MAX,
	};

	return &caps;
}

/* Make an exponent, with BN_FLG_CONSTTIME if it is treated as secret. OpenSSL refuses this flag
 * with an even modulus. */
static BIGNUM *
new_exponent(struct pk_bytes bytes, const struct pk_modulus *modulus)
{
	bytes = pk_trimmed(bytes);
	if (modulus->mont == NULL || bytes.len <= PUBLIC_BYTES)
		return pk_number(bytes);
	return pk_secret(bytes);
}

/* Make a key with a modulus only. */
static struct mod_key *
mod_key_new(struct pk_bytes modulus, const struct pk_caps *caps, uint16_t *status)
{
	struct mod_key *mod = OPENSSL_zalloc(sizeof(*mod));

	if (mod == NULL) {
		*status = ACCEL_HW_ENGINE_ERROR;
		return NULL;
	}
	if (pk_modulus_init(&mod->mod, modulus, caps->modulus_min, caps->modulus_max, status))
		return mod;
	mod_key_free(&mod->key);
	return NULL;
}

static struct pk_key *
modexp_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	struct mod_key *mod;

	(void)header;
	if (components[ACCEL_HW_MOD_EXPONENT].len == 0)
		return NULL;
	mod = mod_key_new(components[ACCEL_HW_MOD_MODULUS], modexp_caps(), status);
	if (mod == NULL)
		return NULL;
	mod->exponent = new_exponent(components[ACCEL_HW_MOD_EXPONENT], &mod->mod);
	if (mod->exponent != NULL)
		return &mod->key;
	*status = ACCEL_HW_ENGINE_ERROR;
	mod_key_free(&mod->key);
	return NULL;
}

/* Compute result = base ^ exponent mod modulus. */
static bool
modexp(BIGNUM *result, const BIGNUM *base, const struct mod_key *mod, BN_CTX *ctx)
{
	const BIGNUM *modulus = mod->mod.number;

	if (BN_is_one(modulus)) {
		BN_zero(result);
		return true;
	}
	if (mod->mod.mont == NULL)
		return BN_mod_exp(result, base, mod->exponent, modulus, ctx) == 1;
	/* This takes constant time if the exponent has BN_FLG_CONSTTIME. */
	return BN_mod_exp_mont(result, base, mod->exponent, modulus, ctx, mod->mod.mont) == 1;
}

static uint16_t
modexp_run(struct pk_job *job)
{
	const struct mod_key *mod = (const struct mod_key *)job->key;
	BN_CTX *ctx = libctx_bn();
	BIGNUM *base = pk_number(pk_operand(job, 0)), *result = BN_new();
	bool ok = ctx != NULL && base != NULL && result != NULL &&
			modexp(result, base, mod, ctx) && pk_put_number(job, result, mod->mod.len);

	BN_clear_free(base);
	BN_clear_free(result);
	BN_CTX_free(ctx);
	return ok ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
}

const struct pk_alg pk_alg_modexp = {
	.caps = modexp_caps,
	.key_new = modexp_key_new,
	.key_free = mod_key_free,
	.nb_components = 2,
	.operation[ACCEL_HW_PK_COMPUTE] = {
		.run = modexp_run,
		.most = mod_most,
		.operand = { PK_OPERAND_NEEDED },
	},
};

static const struct pk_caps *
modinv_caps(void)
{
	static const struct pk_caps caps = {
		.alg = ACCEL_HW_PK_MODINV,
		.operations = 1u << ACCEL_HW_PK_COMPUTE,
		.modulus_min = 1,
		.modulus_max = ACCEL_HW_PK_MODULUS_BITS_MAX,
	};

	return &caps;
}

static struct pk_key *
modinv_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	struct mod_key *mod = mod_key_new(components[ACCEL_HW_MOD_MODULUS], modinv_caps(), status);

	(void)header;
	return mod != NULL ? &mod->key : NULL;
}

static uint16_t
invert(struct pk_job *job, const BIGNUM *base, BIGNUM *result, BN_CTX *ctx)
{
	const struct mod_key *mod = (const struct mod_key *)job->key;

	/* The base has BN_FLG_CONSTTIME, so the time does not depend on it. */
	if (BN_mod_inverse(result, base, mod->mod.number, ctx) == NULL)
		return ERR_GET_REASON(ERR_peek_last_error()) == BN_R_NO_INVERSE ?
				ACCEL_HW_NO_INVERSE : ACCEL_HW_ENGINE_ERROR;
	return pk_put_number(job, result, mod->mod.len) ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
}

static uint16_t
modinv_run(struct pk_job *job)
{
	BN_CTX *ctx = libctx_bn();
	BIGNUM *base = pk_secret(pk_operand(job, 0)), *result = BN_new();
	uint16_t status = ACCEL_HW_ENGINE_ERROR;

	if (ctx != NULL && base != NULL && result != NULL)
		status = invert(job, base, result, ctx);
	BN_clear_free(base);
	BN_clear_free(result);
	BN_CTX_free(ctx);
	return status;
}

const struct pk_alg pk_alg_modinv = {
	.caps = modinv_caps,
	.key_new = modinv_key_new,
	.key_free = mod_key_free,
	.nb_components = 1,
	.operation[ACCEL_HW_PK_COMPUTE] = {
		.run = modinv_run,
		.most = mod_most,
		.operand = { PK_OPERAND_NEEDED },
	},
};
