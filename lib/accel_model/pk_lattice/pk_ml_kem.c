/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ML-KEM (FIPS 203). A ciphertext that was tampered with gives another key, and no status says so.
 */
#include <pthread.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>

#include "pk_lattice/pk_ml.h"

#define SEED_LEN 64u /* d and z */
#define SHARED_LEN 32u
#define M_LEN 32u
#define PARAM_M "ikme" /* OSSL_KEM_PARAM_IKME */

enum {
	ENCAPS_EK = 0,
	ENCAPS_M = 1,
	DECAPS_CIPHERTEXT = 0,
	DECAPS_DK = 1,
};

static struct pk_caps caps = {
	.alg = ACCEL_HW_PK_ML_KEM,
	.operations = 1u << ACCEL_HW_PK_GENERATE | 1u << ACCEL_HW_PK_ENCAPS |
			1u << ACCEL_HW_PK_DECAPS,
};
static pthread_once_t caps_once = PTHREAD_ONCE_INIT;

static void
caps_make(void)
{
	caps.nb_curves =
			(uint8_t)pk_ml_list(ACCEL_HW_ML_KEM_512, ACCEL_HW_ML_KEM_1024, caps.curve);
}

static const struct pk_caps *
kem_caps(void)
{
	pthread_once(&caps_once, caps_make);
	return caps.nb_curves > 0 ? &caps : NULL;
}

static uint16_t
kem_generate(struct pk_job *job)
{
	return pk_ml_generate(job, SEED_LEN);
}

/* Append a ciphertext and the shared key in it to the results. */
static uint16_t
encaps_with(struct pk_job *job, EVP_PKEY *ek, struct pk_bytes m)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(libctx(), ek, NULL);
	const uint32_t len = pk_ml_key(job)->set->output_len;
	size_t ciphertext_len = len, shared_len = SHARED_LEN;
	uint8_t copy[M_LEN];
	OSSL_PARAM params[] = { OSSL_PARAM_construct_octet_string(PARAM_M, copy, M_LEN),
				OSSL_PARAM_construct_end() };
	bool good = true;

	if (m.len != 0)
		memcpy(copy, m.data, M_LEN);
	else
		good = libctx_random_secret(copy, M_LEN);
	good = good && ctx != NULL && EVP_PKEY_encapsulate_init(ctx, params) == 1 &&
			EVP_PKEY_encapsulate(ctx, job->out, &ciphertext_len, job->out + len,
					     &shared_len) == 1;
	OPENSSL_cleanse(copy, sizeof(copy));
	EVP_PKEY_CTX_free(ctx);
	if (!good || ciphertext_len != len || shared_len != SHARED_LEN)
		return pk_why_failed();
	job->produced = len + SHARED_LEN;
	return ACCEL_HW_OK;
}

static uint16_t
kem_encaps(struct pk_job *job)
{
	const struct pk_bytes m = pk_operand(job, ENCAPS_M);
	EVP_PKEY *ek;
	uint16_t status;

	if (m.len != 0 && m.len != M_LEN)
		return ACCEL_HW_BAD_OPERAND;
	status = pk_ml_public(job, ENCAPS_EK, &ek);
	if (status != ACCEL_HW_OK)
		return status;
	status = encaps_with(job, ek, m);
	EVP_PKEY_free(ek);
	return status;
}

static uint16_t
decaps_with(struct pk_job *job, EVP_PKEY *dk, struct pk_bytes ciphertext)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(libctx(), dk, NULL);
	size_t len = SHARED_LEN;
	bool good = ctx != NULL && EVP_PKEY_decapsulate_init(ctx, NULL) == 1 &&
			EVP_PKEY_decapsulate(ctx, job->out, &len, ciphertext.data,
					     ciphertext.len) == 1;

	EVP_PKEY_CTX_free(ctx);
	if (!good || len != SHARED_LEN)
		return ACCEL_HW_ENGINE_ERROR;
	job->produced = SHARED_LEN;
	return ACCEL_HW_OK;
}

static uint16_t
kem_decaps(struct pk_job *job)
{
	const struct pk_bytes ciphertext = pk_operand(job, DECAPS_CIPHERTEXT);
	EVP_PKEY *dk;
	uint16_t status;

	if (ciphertext.len != pk_ml_key(job)->set->output_len)
		return ACCEL_HW_BAD_OPERAND;
	status = pk_ml_private(job, DECAPS_DK, &dk);
	if (status != ACCEL_HW_OK)
		return status;
	status = decaps_with(job, dk, ciphertext);
	EVP_PKEY_free(dk);
	return status;
}

static uint32_t
encaps_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	return ((const struct pk_ml_key *)key)->set->output_len + SHARED_LEN;
}

static uint32_t
shared_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)key;
	(void)cmd;
	return SHARED_LEN;
}

const struct pk_alg pk_alg_ml_kem = {
	.caps = kem_caps,
	.key_new = pk_ml_key_new,
	.key_free = pk_ml_key_free,
	.nb_components = 2,
	.operation = {
		[ACCEL_HW_PK_GENERATE] = {
			.run = kem_generate,
			.most = pk_ml_pair_len,
			.operand = { PK_OPERAND_OPEN },
		},
		[ACCEL_HW_PK_ENCAPS] = {
			.run = kem_encaps,
			.most = encaps_len,
			.operand = {
				[ENCAPS_EK] = PK_OPERAND_COMPONENT + ACCEL_HW_PK_PUBLIC_KEY,
				[ENCAPS_M] = PK_OPERAND_OPEN,
			},
		},
		[ACCEL_HW_PK_DECAPS] = {
			.run = kem_decaps,
			.most = shared_len,
			.operand = {
				[DECAPS_CIPHERTEXT] = PK_OPERAND_NEEDED,
				[DECAPS_DK] = PK_OPERAND_COMPONENT + ACCEL_HW_PK_PRIVATE_KEY,
			},
		},
	},
};
