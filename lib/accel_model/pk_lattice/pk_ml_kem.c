/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ML-KEM (FIPS 203). A ciphertext that was tampered with gives another key, and no status says so.
 */
#include <pthread.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>

#include "pk/pk_hash.h"
#include "pk_lattice/pk_ml.h"

#define SEED_LEN 64u /* d and z */
#define SHARED_LEN 32u
#define M_LEN 32u
#define Q 3329u
#define RHO_LEN 32u
#define HASH_LEN 32u /* H */
#define Z_LEN 32u
#define PARAM_M "ikme" /* OSSL_KEM_PARAM_IKME */

enum {
	ENCAPS_EK = 0,
	ENCAPS_M = 1,
	DECAPS_CIPHERTEXT = 0,
	DECAPS_DK = 1,
	CHECK_EK = 0,
	CHECK_DK = 1,
};

static struct pk_caps caps = {
	.alg = ACCEL_HW_PK_ML_KEM,
	.operations = 1u << ACCEL_HW_PK_GENERATE | 1u << ACCEL_HW_PK_ENCAPS |
			1u << ACCEL_HW_PK_DECAPS | 1u << ACCEL_HW_PK_CHECK,
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

/* FIPS 203, 7.2: numbers of 12 bits, followed by rho. */
static bool
ek_is_good(const struct pk_ml_set *set, struct pk_bytes ek)
{
	unsigned int low, high;

	if (ek.len != set->public_len)
		return false;
	for (uint32_t i = 0; i < ek.len - RHO_LEN; i += 3) {
		low = ek.data[i] | (ek.data[i + 1] & 0xfu) << 8;
		high = ek.data[i + 1] >> 4 | (unsigned int)ek.data[i + 2] << 4;
		if (low >= Q || high >= Q)
			return false;
	}
	return true;
}

/* FIPS 203, 7.3: dk ends with ek, its hash, and z. Nothing secret is read. */
static uint16_t
dk_status(const struct pk_ml_set *set, struct pk_bytes dk)
{
	const uint8_t *hash;
	uint8_t got[HASH_LEN];

	if (dk.len != set->private_len)
		return ACCEL_HW_AUTH_FAILED;
	hash = dk.data + dk.len - HASH_LEN - Z_LEN;
	if (EVP_Digest(hash - set->public_len, set->public_len, got, NULL,
		       pk_hash(ACCEL_HW_AUTH_SHA3_256), NULL) != 1)
		return ACCEL_HW_ENGINE_ERROR;
	return memcmp(got, hash, HASH_LEN) == 0 ? ACCEL_HW_OK : ACCEL_HW_AUTH_FAILED;
}

/* These checks are made here and not by an import, with which OpenSSL also tries a private key. */
static uint16_t
kem_check(struct pk_job *job)
{
	const struct pk_ml_set *set = pk_ml_key(job)->set;

	if (job->cmd->operand[CHECK_DK] != 0)
		return dk_status(set, pk_operand(job, CHECK_DK));
	return ek_is_good(set, pk_operand(job, CHECK_EK)) ? ACCEL_HW_OK : ACCEL_HW_AUTH_FAILED;
}

/* CHECK has one key. */
static bool
kem_fits(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)key;
	return cmd->operation != ACCEL_HW_PK_CHECK ||
	       (cmd->operand[CHECK_EK] != 0) != (cmd->operand[CHECK_DK] != 0);
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
	.check = kem_fits,
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
		[ACCEL_HW_PK_CHECK] = {
			.run = kem_check,
			.operand = {
				[CHECK_EK] = PK_OPERAND_OPEN,
				[CHECK_DK] = PK_OPERAND_OPEN,
			},
		},
	},
};
