/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ML-DSA (FIPS 204), of messages that are not prehashed, or of mu.
 */
#include <pthread.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>

#include "pk_lattice/pk_ml.h"

#define SEED_LEN 32u /* xi */
#define RND_LEN 32u
#define CONTEXT_MAX 255u /* bytes */
#define PARAM_RND "test-entropy" /* OSSL_SIGNATURE_PARAM_TEST_ENTROPY */
#define MU_LEN 64u
#define PARAM_MU "mu" /* OSSL_SIGNATURE_PARAM_MU */
#define PARAM_CONTEXT "context-string" /* OSSL_SIGNATURE_PARAM_CONTEXT_STRING */

enum {
	SIGN_MESSAGE = 0,
	SIGN_CONTEXT = 1,
	SIGN_SK = 2,
	SIGN_RND = 3,
	VERIFY_MESSAGE = 0,
	VERIFY_SIGNATURE = 1,
	VERIFY_CONTEXT = 2,
	VERIFY_PK = 3,
};

static struct pk_caps caps = {
	.alg = ACCEL_HW_PK_ML_DSA,
	.operations = 1u << ACCEL_HW_PK_GENERATE | 1u << ACCEL_HW_PK_SIGN |
			1u << ACCEL_HW_PK_VERIFY,
	.variants = 1u << ACCEL_HW_PK_PURE | 1u << ACCEL_HW_PK_MU,
};
static pthread_once_t caps_once = PTHREAD_ONCE_INIT;

static void
caps_make(void)
{
	caps.nb_curves = (uint8_t)pk_ml_list(ACCEL_HW_ML_DSA_44, ACCEL_HW_ML_DSA_87, caps.curve);
}

static const struct pk_caps *
dsa_caps(void)
{
	pthread_once(&caps_once, caps_make);
	return caps.nb_curves > 0 ? &caps : NULL;
}

static uint16_t
dsa_generate(struct pk_job *job)
{
	return pk_ml_generate(job, SEED_LEN);
}

/* Begin to sign, or to verify a signature. NULL: this failed. */
static EVP_MD_CTX *
begin(const struct pk_job *job, EVP_PKEY *key, bool sign, struct pk_bytes context,
		struct pk_bytes rnd)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	uint8_t text[CONTEXT_MAX], random[RND_LEN];
	int is_mu = job->cmd->variant == ACCEL_HW_PK_MU;
	OSSL_PARAM params[4], *next = params;
	bool good = true;

	*next++ = OSSL_PARAM_construct_int(PARAM_MU, &is_mu);
	if (context.len != 0) {
		memcpy(text, context.data, context.len);
		*next++ = OSSL_PARAM_construct_octet_string(PARAM_CONTEXT, text, context.len);
	}
	if (sign) {
		if (rnd.len != 0)
			memcpy(random, rnd.data, RND_LEN);
		else
			good = libctx_random_secret(random, RND_LEN);
		*next++ = OSSL_PARAM_construct_octet_string(PARAM_RND, random, RND_LEN);
	}
	*next = OSSL_PARAM_construct_end();
	good = good && ctx != NULL && (sign ? EVP_DigestSignInit_ex : EVP_DigestVerifyInit_ex)(
				      ctx, NULL, NULL, libctx(), NULL, key, params) == 1;
	OPENSSL_cleanse(random, sizeof(random));
	if (good)
		return ctx;
	EVP_MD_CTX_free(ctx);
	return NULL;
}

static bool
message_fits(const struct pk_job *job, struct pk_bytes message)
{
	return job->cmd->variant != ACCEL_HW_PK_MU || message.len == MU_LEN;
}

static uint16_t
dsa_sign(struct pk_job *job)
{
	const struct pk_bytes message = pk_operand(job, SIGN_MESSAGE);
	const struct pk_bytes context = pk_operand(job, SIGN_CONTEXT);
	const struct pk_bytes rnd = pk_operand(job, SIGN_RND);
	const uint32_t want = pk_ml_key(job)->set->output_len;
	size_t len = want;
	EVP_MD_CTX *ctx;
	EVP_PKEY *sk;
	uint16_t status;

	if (!message_fits(job, message) || context.len > CONTEXT_MAX ||
			(rnd.len != 0 && rnd.len != RND_LEN))
		return ACCEL_HW_BAD_OPERAND;
	status = pk_ml_private(job, SIGN_SK, &sk);
	if (status != ACCEL_HW_OK)
		return status;
	ctx = begin(job, sk, true, context, rnd);
	if (ctx != NULL && EVP_DigestSign(ctx, job->out, &len, message.data, message.len) == 1 &&
			len == want)
		job->produced = want;
	else
		status = pk_why_failed();
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(sk);
	return status;
}

static uint16_t
dsa_verify(struct pk_job *job)
{
	const struct pk_bytes none = { .len = 0 };
	const struct pk_bytes message = pk_operand(job, VERIFY_MESSAGE);
	const struct pk_bytes signature = pk_operand(job, VERIFY_SIGNATURE);
	const struct pk_bytes context = pk_operand(job, VERIFY_CONTEXT);
	EVP_MD_CTX *ctx;
	EVP_PKEY *pk;
	uint16_t status;

	if (!message_fits(job, message) || context.len > CONTEXT_MAX)
		return ACCEL_HW_BAD_OPERAND;
	status = pk_ml_public(job, VERIFY_PK, &pk);
	if (status != ACCEL_HW_OK)
		return status;
	ctx = begin(job, pk, false, context, none);
	if (ctx == NULL)
		status = ACCEL_HW_ENGINE_ERROR;
	else if (EVP_DigestVerify(ctx, signature.data, signature.len, message.data, message.len) !=
			1)
		status = ACCEL_HW_AUTH_FAILED; /* also if the signature's length is wrong */
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pk);
	return status;
}

/* Check the combination of fields. mu has no context, and operations on keys have no variant. */
static bool
dsa_fits(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	const unsigned int context = cmd->operation == ACCEL_HW_PK_SIGN ? SIGN_CONTEXT :
									  VERIFY_CONTEXT;

	(void)key;
	if (cmd->variant == ACCEL_HW_PK_PURE)
		return true;
	return cmd->operation != ACCEL_HW_PK_GENERATE && cmd->operand[context] == 0;
}

static uint32_t
signature_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	return ((const struct pk_ml_key *)key)->set->output_len;
}

const struct pk_alg pk_alg_ml_dsa = {
	.caps = dsa_caps,
	.key_new = pk_ml_key_new,
	.key_free = pk_ml_key_free,
	.check = dsa_fits,
	.nb_components = 2,
	.operation = {
		[ACCEL_HW_PK_GENERATE] = {
			.run = dsa_generate,
			.most = pk_ml_pair_len,
			.operand = { PK_OPERAND_OPEN },
		},
		[ACCEL_HW_PK_SIGN] = {
			.run = dsa_sign,
			.most = signature_len,
			.operand = {
				[SIGN_MESSAGE] = PK_OPERAND_OPEN,
				[SIGN_CONTEXT] = PK_OPERAND_OPEN,
				[SIGN_SK] = PK_OPERAND_COMPONENT + ACCEL_HW_PK_PRIVATE_KEY,
				[SIGN_RND] = PK_OPERAND_OPEN,
			},
		},
		[ACCEL_HW_PK_VERIFY] = {
			.run = dsa_verify,
			.operand = {
				[VERIFY_MESSAGE] = PK_OPERAND_OPEN,
				[VERIFY_SIGNATURE] = PK_OPERAND_NEEDED,
				[VERIFY_CONTEXT] = PK_OPERAND_OPEN,
				[VERIFY_PK] = PK_OPERAND_COMPONENT + ACCEL_HW_PK_PUBLIC_KEY,
			},
		},
	},
};
