/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * EdDSA (RFC 8032). Since 3.2 OpenSSL can do the variants with a context and prehashed.
 *
 * A signature copies a prepared EVP_MD_CTX of its key, because to prepare one takes microseconds.
 * A private key is always used with the point that belongs to it: two signatures of one message
 * with two points would tell the private key.
 */
#include <pthread.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "mem/vault.h"
#include "pk/pk_operand.h"
#include "pk_curve/pk_edwards.h"

#define SIGNATURE_MAX 114u
#define KEY_MAX 57u
#define CONTEXT_MAX 255u /* bytes */
#define PARAM_INSTANCE "instance" /* OSSL_SIGNATURE_PARAM_INSTANCE, since 3.2 */
#define PARAM_CONTEXT "context-string" /* OSSL_SIGNATURE_PARAM_CONTEXT_STRING */
#define VARIANTS 3u

enum {
	SIGN_MESSAGE = 0,
	SIGN_CONTEXT = 1,
	SIGN_PRIVATE = 2,
	VERIFY_MESSAGE = 0,
	VERIFY_SIGNATURE = 1,
	VERIFY_CONTEXT = 2,
	VERIFY_PUBLIC = 3,
	PUBLIC_PRIVATE = 0,
};

static const struct ed_curve {
	uint8_t number;
	uint8_t key_len; /* of private and public keys */
	uint8_t signature_len;
	const char *name;
	const char *instance[VARIANTS];
} curves[] = {
	{ ACCEL_HW_CURVE_ED25519, 32, 64, "ED25519", { "Ed25519", "Ed25519ctx", "Ed25519ph" } },
	{ ACCEL_HW_CURVE_ED448, 57, 114, "ED448", { "Ed448", "Ed448", "Ed448ph" } },
};

struct ed_key {
	struct pk_key base;
	const struct ed_curve *curve;
	EVP_PKEY *private; /* NULL: absent */
	EVP_PKEY *public;
	EVP_MD_CTX *sign; /* prepared for variant 0; each operation uses a copy */
	EVP_MD_CTX *verify;
};

static struct pk_caps caps = {
	.alg = ACCEL_HW_PK_EDDSA,
	.operations = 1u << ACCEL_HW_PK_GENERATE | 1u << ACCEL_HW_PK_PUBLIC |
			1u << ACCEL_HW_PK_SIGN | 1u << ACCEL_HW_PK_VERIFY,
	.variants = 1u << ACCEL_HW_PK_PURE,
};
static pthread_once_t caps_once = PTHREAD_ONCE_INIT;

static void
caps_make(void)
{
	bool all = true;

	for (unsigned int i = 0; i < ARRAY_NB(curves); i++) {
		EVP_SIGNATURE *signature = EVP_SIGNATURE_fetch(libctx(), curves[i].name, NULL);
		const OSSL_PARAM *params;

		if (signature == NULL)
			continue;
		caps.curve[caps.nb_curves++] = curves[i].number;
		params = EVP_SIGNATURE_settable_ctx_params(signature);
		if (params == NULL || OSSL_PARAM_locate_const(params, PARAM_INSTANCE) == NULL)
			all = false;
		EVP_SIGNATURE_free(signature);
	}
	if (all)
		caps.variants |= 1u << ACCEL_HW_PK_CONTEXT | 1u << ACCEL_HW_PK_PREHASHED;
}

static const struct pk_caps *
eddsa_caps(void)
{
	pthread_once(&caps_once, caps_make);
	return caps.nb_curves > 0 ? &caps : NULL;
}

static const struct ed_curve *
find(unsigned int number)
{
	return number == curves[0].number ? &curves[0] : &curves[1];
}

static EVP_PKEY *
private_new(const struct ed_curve *curve, struct pk_bytes key)
{
	return EVP_PKEY_new_raw_private_key_ex(libctx(), curve->name, NULL, key.data, key.len);
}

static EVP_PKEY *
public_new(const struct ed_curve *curve, struct pk_bytes key)
{
	return EVP_PKEY_new_raw_public_key_ex(libctx(), curve->name, NULL, key.data, key.len);
}

/* Prepare signing, or verifying with a public key. NULL: this failed. */
static EVP_MD_CTX *
prepare(EVP_PKEY *key, bool sign, const OSSL_PARAM *params)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	if (ctx != NULL && (sign ? EVP_DigestSignInit_ex : EVP_DigestVerifyInit_ex)(
				   ctx, NULL, NULL, libctx(), NULL, key, params) == 1)
		return ctx;
	EVP_MD_CTX_free(ctx);
	return NULL;
}

static void
eddsa_key_free(struct pk_key *base)
{
	struct ed_key *key = (struct ed_key *)base;

	EVP_MD_CTX_free(key->sign);
	EVP_MD_CTX_free(key->verify);
	EVP_PKEY_free(key->private); /* clears the key */
	EVP_PKEY_free(key->public);
	vault_free(key, sizeof(*key));
}

static bool
key_fill(struct ed_key *key, struct pk_bytes private, struct pk_bytes public)
{
	if (private.len != 0) {
		key->private = private_new(key->curve, private);
		if (key->private != NULL)
			key->sign = prepare(key->private, true, NULL);
		if (key->sign == NULL)
			return false;
	}
	if (public.len != 0) {
		key->public = public_new(key->curve, public);
		if (key->public != NULL)
			key->verify = prepare(key->public, false, NULL);
		if (key->verify == NULL)
			return false;
	}
	return true;
}

static struct pk_key *
eddsa_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	const struct ed_curve *curve = find(header->curve);
	const struct pk_bytes private = components[ACCEL_HW_PK_PRIVATE_KEY];
	const struct pk_bytes public = components[ACCEL_HW_PK_PUBLIC_KEY];
	struct ed_key *key;

	if ((private.len != 0 && private.len != curve->key_len) ||
			(public.len != 0 && (public.len != curve->key_len ||
					     pk_edwards_decodes(curve->number, public.data) !=
							     ACCEL_HW_OK)))
		return NULL;
	key = vault_alloc(sizeof(*key));
	if (key != NULL) {
		key->curve = curve;
		if (key_fill(key, private, public))
			return &key->base;
		eddsa_key_free((struct pk_key *)key); /* not &key->base, which gcc takes for all of
						       * *key */
	}
	*status = ACCEL_HW_ENGINE_ERROR;
	return NULL;
}

static const struct ed_key *
key_of(const struct pk_job *job)
{
	return (const struct ed_key *)job->key;
}

static EVP_MD_CTX *
copy_of(const EVP_MD_CTX *prepared)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	if (ctx != NULL && EVP_MD_CTX_copy_ex(ctx, prepared) == 1)
		return ctx;
	EVP_MD_CTX_free(ctx);
	return NULL;
}

/* Prepare an operation that has no prepared context: its variant is not pure, or its key is an
 * operand. */
static EVP_MD_CTX *
prepare_variant(const struct pk_job *job, EVP_PKEY *key, bool sign, struct pk_bytes context)
{
	const char *instance = key_of(job)->curve->instance[job->cmd->variant];
	char name[sizeof("Ed25519ctx")];
	uint8_t text[CONTEXT_MAX];
	OSSL_PARAM params[3], *next = params;

	if (job->cmd->variant == ACCEL_HW_PK_PURE)
		return prepare(key, sign, NULL);
	strcpy(name, instance);
	*next++ = OSSL_PARAM_construct_utf8_string(PARAM_INSTANCE, name, 0);
	if (context.len != 0) {
		memcpy(text, context.data, context.len);
		*next++ = OSSL_PARAM_construct_octet_string(PARAM_CONTEXT, text, context.len);
	}
	*next = OSSL_PARAM_construct_end();
	return prepare(key, sign, params);
}

/* Begin an operation. @param prepared the prepared context if the key is a component, or NULL if
 * the key is an operand. */
static EVP_MD_CTX *
begin(const struct pk_job *job, EVP_PKEY *key, const EVP_MD_CTX *prepared, bool sign,
		struct pk_bytes context)
{
	if (prepared != NULL && job->cmd->variant == ACCEL_HW_PK_PURE)
		return copy_of(prepared);
	return prepare_variant(job, key, sign, context);
}

/* Check the length of the context string. Ed25519ctx needs a string that is not empty (RFC 8032,
 * 8.5), and OpenSSL asks for it. */
static bool
context_fits(const struct pk_job *job, struct pk_bytes context)
{
	const bool needed = job->key->curve == ACCEL_HW_CURVE_ED25519 &&
			job->cmd->variant == ACCEL_HW_PK_CONTEXT;

	return context.len <= CONTEXT_MAX && (context.len != 0 || !needed);
}

static uint16_t
sign_with(struct pk_job *job, EVP_MD_CTX *ctx)
{
	const struct pk_bytes message = pk_operand(job, SIGN_MESSAGE);
	uint8_t signature[SIGNATURE_MAX];
	size_t len = sizeof(signature);

	if (EVP_DigestSign(ctx, signature, &len, message.data, message.len) != 1 ||
			len != key_of(job)->curve->signature_len)
		return ACCEL_HW_ENGINE_ERROR;
	pk_put_bytes(job, signature, (uint32_t)len);
	return ACCEL_HW_OK;
}

static uint16_t
eddsa_sign(struct pk_job *job)
{
	const struct ed_key *key = key_of(job);
	const struct pk_bytes context = pk_operand(job, SIGN_CONTEXT);
	const struct pk_bytes private = pk_operand(job, SIGN_PRIVATE);
	EVP_PKEY *given = NULL;
	EVP_MD_CTX *ctx;
	uint16_t status;

	if (!context_fits(job, context) ||
			(private.len != 0 && private.len != key->curve->key_len))
		return ACCEL_HW_BAD_OPERAND;
	if (private.len == 0) {
		ctx = begin(job, key->private, key->sign, true, context);
	} else {
		given = private_new(key->curve, private);
		ctx = given != NULL ? begin(job, given, NULL, true, context) : NULL;
	}
	status = ctx != NULL ? sign_with(job, ctx) : ACCEL_HW_ENGINE_ERROR;
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(given);
	return status;
}

static uint16_t
verify_with(const struct pk_job *job, EVP_MD_CTX *ctx)
{
	const struct pk_bytes message = pk_operand(job, VERIFY_MESSAGE);
	const struct pk_bytes signature = pk_operand(job, VERIFY_SIGNATURE);

	/* EVP_DigestVerify() refuses a signature of a wrong length. */
	if (EVP_DigestVerify(ctx, signature.data, signature.len, message.data, message.len) == 1)
		return ACCEL_HW_OK;
	return ACCEL_HW_AUTH_FAILED;
}

/* Verify with the public key of an operand. If the key is no point, no signature is right. So the
 * slow part of the check of the point is done only if the signature is wrong. */
static uint16_t
verify_given(const struct pk_job *job, struct pk_bytes public, struct pk_bytes context)
{
	const struct ed_curve *curve = key_of(job)->curve;
	EVP_PKEY *given;
	EVP_MD_CTX *ctx;
	uint16_t status, point;

	if (!pk_edwards_canonical(curve->number, public.data))
		return ACCEL_HW_INVALID_POINT;
	given = public_new(curve, public);
	ctx = given != NULL ? begin(job, given, NULL, false, context) : NULL;
	status = ctx != NULL ? verify_with(job, ctx) : ACCEL_HW_ENGINE_ERROR;
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(given);
	if (status != ACCEL_HW_AUTH_FAILED)
		return status;
	point = pk_edwards_decodes(curve->number, public.data);
	return point != ACCEL_HW_OK ? point : status;
}

static uint16_t
eddsa_verify(struct pk_job *job)
{
	const struct ed_key *key = key_of(job);
	const struct pk_bytes context = pk_operand(job, VERIFY_CONTEXT);
	const struct pk_bytes public = pk_operand(job, VERIFY_PUBLIC);
	EVP_MD_CTX *ctx;
	uint16_t status;

	if (!context_fits(job, context) || (public.len != 0 && public.len != key->curve->key_len))
		return ACCEL_HW_BAD_OPERAND;
	if (public.len != 0)
		return verify_given(job, public, context);
	ctx = begin(job, key->public, key->verify, false, context);
	status = ctx != NULL ? verify_with(job, ctx) : ACCEL_HW_ENGINE_ERROR;
	EVP_MD_CTX_free(ctx);
	return status;
}

/* Append the public key that belongs to a private key. */
static bool
put_public(struct pk_job *job, const EVP_PKEY *private)
{
	uint8_t public[KEY_MAX];
	size_t len = sizeof(public);

	if (EVP_PKEY_get_raw_public_key(private, public, &len) != 1 ||
			len != key_of(job)->curve->key_len)
		return false;
	pk_put_bytes(job, public, (uint32_t)len);
	return true;
}

static uint16_t
eddsa_generate(struct pk_job *job)
{
	const struct ed_curve *curve = key_of(job)->curve;
	uint8_t private[KEY_MAX];
	EVP_PKEY *pair;
	bool good;

	if (!libctx_random_secret(private, curve->key_len))
		return ACCEL_HW_NO_ENTROPY;
	pair = private_new(curve, (struct pk_bytes) { private, curve->key_len });
	pk_put_bytes(job, private, curve->key_len);
	good = pair != NULL && put_public(job, pair);
	OPENSSL_cleanse(private, sizeof(private));
	EVP_PKEY_free(pair);
	return good ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
}

static uint16_t
eddsa_public(struct pk_job *job)
{
	const struct ed_key *key = key_of(job);
	const struct pk_bytes private = pk_operand(job, PUBLIC_PRIVATE);
	EVP_PKEY *given;
	bool good;

	if (private.len == 0)
		return put_public(job, key->private) ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
	if (private.len != key->curve->key_len)
		return ACCEL_HW_BAD_OPERAND;
	given = private_new(key->curve, private);
	good = given != NULL && put_public(job, given);
	EVP_PKEY_free(given);
	return good ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
}

/* Check the combination of fields. Signatures of variant 0 have no context, and operations on keys
 * have no variant. */
static bool
eddsa_fits(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	const unsigned int context = cmd->operation == ACCEL_HW_PK_SIGN ? SIGN_CONTEXT :
									  VERIFY_CONTEXT;

	(void)key;
	if (cmd->operation == ACCEL_HW_PK_GENERATE || cmd->operation == ACCEL_HW_PK_PUBLIC)
		return cmd->variant == ACCEL_HW_PK_PURE;
	return cmd->variant != ACCEL_HW_PK_PURE || cmd->operand[context] == 0;
}

static uint32_t
pair_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	return 2u * ((const struct ed_key *)key)->curve->key_len;
}

static uint32_t
public_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	return ((const struct ed_key *)key)->curve->key_len;
}

static uint32_t
signature_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	return ((const struct ed_key *)key)->curve->signature_len;
}

const struct pk_alg pk_alg_eddsa = {
	.caps = eddsa_caps,
	.key_new = eddsa_key_new,
	.key_free = eddsa_key_free,
	.check = eddsa_fits,
	.nb_components = 2,
	.operation = {
		[ACCEL_HW_PK_GENERATE] = {
			.run = eddsa_generate,
			.most = pair_len,
		},
		[ACCEL_HW_PK_PUBLIC] = {
			.run = eddsa_public,
			.most = public_len,
			.operand = {
				[PUBLIC_PRIVATE] = PK_OPERAND_COMPONENT + ACCEL_HW_PK_PRIVATE_KEY,
			},
		},
		[ACCEL_HW_PK_SIGN] = {
			.run = eddsa_sign,
			.most = signature_len,
			.operand = {
				[SIGN_MESSAGE] = PK_OPERAND_OPEN,
				[SIGN_CONTEXT] = PK_OPERAND_OPEN,
				[SIGN_PRIVATE] = PK_OPERAND_COMPONENT + ACCEL_HW_PK_PRIVATE_KEY,
			},
		},
		[ACCEL_HW_PK_VERIFY] = {
			.run = eddsa_verify,
			.operand = {
				[VERIFY_MESSAGE] = PK_OPERAND_OPEN,
				[VERIFY_SIGNATURE] = PK_OPERAND_NEEDED,
				[VERIFY_CONTEXT] = PK_OPERAND_OPEN,
				[VERIFY_PUBLIC] = PK_OPERAND_COMPONENT + ACCEL_HW_PK_PUBLIC_KEY,
			},
		},
	},
};
