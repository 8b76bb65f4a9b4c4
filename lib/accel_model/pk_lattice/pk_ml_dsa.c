/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ML-DSA (FIPS 204), of messages, of messages that are prehashed, or of mu. OpenSSL has no
 * HashML-DSA, but signs an encoded message as it is, so the message is encoded here.
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
#define PARAM_ENCODING "message-encoding" /* OSSL_SIGNATURE_PARAM_MESSAGE_ENCODING */
#define OID_LEN 11u /* bytes of a hash's object identifier in DER */
#define DIGEST_MAX 64u

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

/* Lists the hashes of HashML-DSA: the last byte of the identifier (NIST's register of objects), and
 * the bytes of a digest (FIPS 204, 5.4.1). */
static struct prehash {
	uint8_t alg; /* enum accel_hw_alg */
	uint8_t oid;
	uint8_t size;
	const char *name;
	EVP_MD *md;
} prehashes[] = {
	{ ACCEL_HW_AUTH_SHA224, 4, 28, "SHA2-224", NULL },
	{ ACCEL_HW_AUTH_SHA256, 1, 32, "SHA2-256", NULL },
	{ ACCEL_HW_AUTH_SHA384, 2, 48, "SHA2-384", NULL },
	{ ACCEL_HW_AUTH_SHA512, 3, 64, "SHA2-512", NULL },
	{ ACCEL_HW_AUTH_SHA3_224, 7, 28, "SHA3-224", NULL },
	{ ACCEL_HW_AUTH_SHA3_256, 8, 32, "SHA3-256", NULL },
	{ ACCEL_HW_AUTH_SHA3_384, 9, 48, "SHA3-384", NULL },
	{ ACCEL_HW_AUTH_SHA3_512, 10, 64, "SHA3-512", NULL },
	{ ACCEL_HW_AUTH_SHAKE_128, 11, 32, "SHAKE-128", NULL },
	{ ACCEL_HW_AUTH_SHAKE_256, 12, 64, "SHAKE-256", NULL },
};

static struct pk_caps caps = {
	.alg = ACCEL_HW_PK_ML_DSA,
	.operations = 1u << ACCEL_HW_PK_GENERATE | 1u << ACCEL_HW_PK_SIGN |
			1u << ACCEL_HW_PK_VERIFY,
	.variants = 1u << ACCEL_HW_PK_PURE | 1u << ACCEL_HW_PK_PREHASHED | 1u << ACCEL_HW_PK_MU,
};
static pthread_once_t caps_once = PTHREAD_ONCE_INIT;

static void
caps_make(void)
{
	caps.nb_curves = (uint8_t)pk_ml_list(ACCEL_HW_ML_DSA_44, ACCEL_HW_ML_DSA_87, caps.curve);
	for (unsigned int i = 0; caps.nb_curves > 0 && i < ARRAY_NB(prehashes); i++) {
		prehashes[i].md = EVP_MD_fetch(libctx(), prehashes[i].name, NULL);
		if (prehashes[i].md != NULL)
			caps.hash[caps.nb_hashes++] = prehashes[i].alg;
	}
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

/* What OpenSSL signs: the message, or mu, or what it is to take as the encoded message. */
struct text {
	const uint8_t *data;
	size_t len;
	uint8_t encoded[2 + CONTEXT_MAX + OID_LEN + DIGEST_MAX];
};

static bool
hash_message(const struct prehash *hash, struct pk_bytes message, uint8_t *digest)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool good = ctx != NULL && EVP_DigestInit_ex2(ctx, hash->md, NULL) == 1 &&
			EVP_DigestUpdate(ctx, message.data, message.len) == 1;

	if (good && (EVP_MD_get_flags(hash->md) & EVP_MD_FLAG_XOF) != 0)
		good = EVP_DigestFinalXOF(ctx, digest, hash->size) == 1;
	else if (good)
		good = EVP_DigestFinal_ex(ctx, digest, NULL) == 1;
	EVP_MD_CTX_free(ctx);
	return good;
}

/* Encode a message that is prehashed (FIPS 204, algorithm 4). False: this failed. */
static bool
encode(const struct prehash *hash, struct pk_bytes message, struct pk_bytes context,
		struct text *text)
{
	static const uint8_t oid[OID_LEN - 1] = { 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03,
						  0x04, 0x02 };
	uint8_t *to = text->encoded;

	*to++ = 1;
	*to++ = (uint8_t)context.len;
	if (context.len != 0)
		memcpy(to, context.data, context.len);
	to += context.len;
	memcpy(to, oid, sizeof(oid));
	to += sizeof(oid);
	*to++ = hash->oid;
	text->data = text->encoded;
	text->len = (size_t)(to - text->encoded) + hash->size;
	return hash_message(hash, message, to);
}

static bool
text_make(const struct pk_job *job, struct pk_bytes message, struct pk_bytes context,
		struct text *text)
{
	text->data = message.data;
	text->len = message.len;
	if (job->cmd->variant != ACCEL_HW_PK_PREHASHED)
		return true;
	for (unsigned int i = 0; i < ARRAY_NB(prehashes); i++) {
		if (prehashes[i].alg == job->cmd->hash)
			return encode(&prehashes[i], message, context, text);
	}
	return false;
}

/* Begin to sign, or to verify a signature. NULL: this failed. */
static EVP_MD_CTX *
begin(const struct pk_job *job, EVP_PKEY *key, bool sign, struct pk_bytes context,
		struct pk_bytes rnd)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	uint8_t text[CONTEXT_MAX], random[RND_LEN];
	int is_mu = job->cmd->variant == ACCEL_HW_PK_MU, encodes = 0;
	OSSL_PARAM params[4], *next = params;
	bool good = true;

	*next++ = OSSL_PARAM_construct_int(PARAM_MU, &is_mu);
	if (job->cmd->variant == ACCEL_HW_PK_PREHASHED) {
		*next++ = OSSL_PARAM_construct_int(PARAM_ENCODING, &encodes);
	} else if (context.len != 0) {
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
	struct text text;
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
	if (ctx != NULL && text_make(job, message, context, &text) &&
			EVP_DigestSign(ctx, job->out, &len, text.data, text.len) == 1 &&
			len == want)
		job->produced = want;
	else
		status = pk_why_failed();
	OPENSSL_cleanse(text.encoded, sizeof(text.encoded));
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
	struct text text;
	EVP_MD_CTX *ctx;
	EVP_PKEY *pk;
	uint16_t status;

	if (!message_fits(job, message) || context.len > CONTEXT_MAX)
		return ACCEL_HW_BAD_OPERAND;
	status = pk_ml_public(job, VERIFY_PK, &pk);
	if (status != ACCEL_HW_OK)
		return status;
	ctx = begin(job, pk, false, context, none);
	if (ctx == NULL || !text_make(job, message, context, &text))
		status = ACCEL_HW_ENGINE_ERROR;
	else if (EVP_DigestVerify(ctx, signature.data, signature.len, text.data, text.len) != 1)
		status = ACCEL_HW_AUTH_FAILED; /* also if the signature's length is wrong */
	OPENSSL_cleanse(text.encoded, sizeof(text.encoded));
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pk);
	return status;
}

/* Check the combination of fields. Only a message that is prehashed has a hash, mu has no context,
 * and operations on keys have no variant. */
static bool
dsa_fits(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	const unsigned int context = cmd->operation == ACCEL_HW_PK_SIGN ? SIGN_CONTEXT :
									  VERIFY_CONTEXT;

	(void)key;
	if (cmd->mgf_hash != 0 || (cmd->hash != 0) != (cmd->variant == ACCEL_HW_PK_PREHASHED))
		return false;
	if (cmd->variant == ACCEL_HW_PK_PURE)
		return true;
	return cmd->operation != ACCEL_HW_PK_GENERATE &&
	       (cmd->variant != ACCEL_HW_PK_MU || cmd->operand[context] == 0);
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
