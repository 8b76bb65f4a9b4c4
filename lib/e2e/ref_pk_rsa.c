/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Computes RSA for the reference, with OpenSSL's EVP: see ref_pk.h. A signature with a
 * deterministic padding is expected byte for byte. A signature with PSS is verified, and a
 * ciphertext with a random padding is decrypted.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/rsa.h>

#include <rte_common.h>

#include "asym_version.h"
#include "ref_pk.h"

#define PKCS1_BYTES 11u
#define LABEL_MAX 20u

static const struct hash {
	enum rte_crypto_auth_algorithm rte;
	const EVP_MD *(*md)(void);
	uint16_t len;
} hashes[] = { /* with OAEP and PSS, a modulus of 1024 bits has room for the first three only */
	{ RTE_CRYPTO_AUTH_SHA1, EVP_sha1, 20 },
	{ RTE_CRYPTO_AUTH_SHA224, EVP_sha224, 28 },
	{ RTE_CRYPTO_AUTH_SHA256, EVP_sha256, 32 },
	{ RTE_CRYPTO_AUTH_SHA384, EVP_sha384, 48 },
	{ RTE_CRYPTO_AUTH_SHA512, EVP_sha512, 64 },
};

static const struct hash *
hash_of(enum rte_crypto_auth_algorithm rte)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(hashes); i++) {
		if (hashes[i].rte == rte)
			return &hashes[i];
	}
	return NULL;
}

static const enum rte_crypto_rsa_padding_type padding_types[][3] = {
	[RTE_CRYPTO_ASYM_OP_ENCRYPT] = { RTE_CRYPTO_RSA_PADDING_NONE,
		RTE_CRYPTO_RSA_PADDING_PKCS1_5, RTE_CRYPTO_RSA_PADDING_OAEP },
	[RTE_CRYPTO_ASYM_OP_DECRYPT] = { RTE_CRYPTO_RSA_PADDING_NONE,
		RTE_CRYPTO_RSA_PADDING_PKCS1_5, RTE_CRYPTO_RSA_PADDING_OAEP },
	[RTE_CRYPTO_ASYM_OP_SIGN] = { RTE_CRYPTO_RSA_PADDING_NONE,
		RTE_CRYPTO_RSA_PADDING_PKCS1_5, RTE_CRYPTO_RSA_PADDING_PSS },
	[RTE_CRYPTO_ASYM_OP_VERIFY] = { RTE_CRYPTO_RSA_PADDING_PKCS1_5,
		RTE_CRYPTO_RSA_PADDING_PKCS1_5, RTE_CRYPTO_RSA_PADDING_PSS },
};

static void
choose_padding(struct rte_crypto_rsa_padding *pad, unsigned int type, unsigned int size,
	       uint64_t *random)
{
	const unsigned int nb = size < 2048 ? 3 : RTE_DIM(hashes);
	const struct hash *hash = &hashes[ref_pk_random(random) % nb];

	pad->type = padding_types[type][ref_pk_random(random) % 3];
	pad->hash = hash->rte;
	pad->mgf1hash = hashes[ref_pk_random(random) % nb].rte;
	pad->pss_saltlen = (uint16_t)(ref_pk_random(random) % (hash->len + 1u));
	/* A signature without padding has no hash. If the padding is in the key, it is for all
	 * types of operations. So a key without padding has no hash. */
	if (pad->type == RTE_CRYPTO_RSA_PADDING_NONE &&
	    (type == RTE_CRYPTO_ASYM_OP_SIGN || !KEYS_IN_OPERATION))
		pad->hash = 0;
}

/* Returns the padding of a job. It is in the key or in the operation. */
static const struct rte_crypto_rsa_padding *
padding(const struct ref_pk_job *job)
{
	return asym_padding((struct rte_crypto_asym_op *)(uintptr_t)&job->asym,
			    (struct rte_crypto_asym_xform *)(uintptr_t)&job->key->xform);
}

bool
ref_pk_rsa_make(struct ref_pk_key *key, uint64_t *random)
{
	static const char *const names[REF_PK_PARTS] = {
		[REF_PK_N] = OSSL_PKEY_PARAM_RSA_N, [REF_PK_E] = OSSL_PKEY_PARAM_RSA_E,
		[REF_PK_D] = OSSL_PKEY_PARAM_RSA_D, [REF_PK_P] = OSSL_PKEY_PARAM_RSA_FACTOR1,
		[REF_PK_Q] = OSSL_PKEY_PARAM_RSA_FACTOR2,
		[REF_PK_DP] = OSSL_PKEY_PARAM_RSA_EXPONENT1,
		[REF_PK_DQ] = OSSL_PKEY_PARAM_RSA_EXPONENT2,
		[REF_PK_QINV] = OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
	};
	struct rte_crypto_rsa_xform *rsa = &key->xform.rsa;
	unsigned int i;
	bool ok = true;

	key->rsa = EVP_RSA_gen(key->size);
	for (i = 0; i < REF_PK_PARTS && ok; i++) {
		BIGNUM *value = NULL;

		ok = key->rsa != NULL && EVP_PKEY_get_bn_param(key->rsa, names[i], &value) == 1 &&
		     ref_pk_put(&key->part[i], value, 0);
		BN_clear_free(value);
	}
	rsa->n = ref_pk_in(&key->part[REF_PK_N]);
	rsa->e = ref_pk_in(&key->part[REF_PK_E]);
	if (!KEYS_IN_OPERATION)
		choose_padding(asym_padding(NULL, &key->xform), ref_pk_random(random) % 4,
			       key->size, random);
	rsa->key_type = ref_pk_random(random) % 2 == 0 ? RTE_RSA_KEY_TYPE_EXP :
							 RTE_RSA_KEY_TYPE_QT;
	if (rsa->key_type == RTE_RSA_KEY_TYPE_EXP) {
		rsa->d = ref_pk_in(&key->part[REF_PK_D]);
		return ok;
	}
	rsa->qt.p = ref_pk_in(&key->part[REF_PK_P]);
	rsa->qt.q = ref_pk_in(&key->part[REF_PK_Q]);
	rsa->qt.dP = ref_pk_in(&key->part[REF_PK_DP]);
	rsa->qt.dQ = ref_pk_in(&key->part[REF_PK_DQ]);
	rsa->qt.qInv = ref_pk_in(&key->part[REF_PK_QINV]);
	return ok;
}

/* Sets up OpenSSL for the padding of an operation, after an _init function. */
static bool
set_padding(EVP_PKEY_CTX *ctx, const struct ref_pk_job *job)
{
	static const int paddings[] = {
		[RTE_CRYPTO_RSA_PADDING_NONE] = RSA_NO_PADDING,
		[RTE_CRYPTO_RSA_PADDING_PKCS1_5] = RSA_PKCS1_PADDING,
		[RTE_CRYPTO_RSA_PADDING_OAEP] = RSA_PKCS1_OAEP_PADDING,
		[RTE_CRYPTO_RSA_PADDING_PSS] = RSA_PKCS1_PSS_PADDING,
	};
	const struct rte_crypto_rsa_padding *pad = padding(job);
	const struct hash *hash = hash_of(pad->hash), *mgf = hash_of(pad->mgf1hash);
	const bool signs = job->type >= RTE_CRYPTO_ASYM_OP_SIGN;
	uint8_t *label;

	if (EVP_PKEY_CTX_set_rsa_padding(ctx, paddings[pad->type]) <= 0)
		return false;
	if (signs && hash != NULL && EVP_PKEY_CTX_set_signature_md(ctx, hash->md()) <= 0)
		return false;
	if (pad->type == RTE_CRYPTO_RSA_PADDING_PSS)
		return EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, pad->pss_saltlen) > 0 &&
		       EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, mgf->md()) > 0;
	if (pad->type != RTE_CRYPTO_RSA_PADDING_OAEP)
		return true;
	if (EVP_PKEY_CTX_set_rsa_oaep_md(ctx, hash->md()) <= 0 ||
	    EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, mgf->md()) <= 0)
		return false;
	if (pad->oaep_label.length == 0)
		return true;
	label = OPENSSL_memdup(pad->oaep_label.data, pad->oaep_label.length);
	return label != NULL &&
	       EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, label, (int)pad->oaep_label.length) > 0;
}

typedef int (*evp_init)(EVP_PKEY_CTX *ctx);
typedef int (*evp_run)(EVP_PKEY_CTX *ctx, unsigned char *out, size_t *out_len,
		       const unsigned char *in, size_t in_len);

/* Lets OpenSSL sign, encrypt or decrypt. */
static bool
compute(const struct ref_pk_job *job, evp_init init, evp_run run, const uint8_t *in, size_t in_len,
	struct ref_pk_number *out)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(job->key->rsa, NULL);
	size_t len = sizeof(out->data);
	const bool ok = ctx != NULL && init(ctx) > 0 && set_padding(ctx, job) &&
			run(ctx, out->data, &len, in, in_len) > 0;

	out->len = ok ? (uint16_t)len : 0;
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

/* Returns how many bytes a message may have at most with the job's padding. */
static unsigned int
message_max(const struct ref_pk_job *job, const struct hash *hash)
{
	const unsigned int modulus = job->key->part[REF_PK_N].len;

	if (padding(job)->type == RTE_CRYPTO_RSA_PADDING_OAEP)
		return modulus - 2 * hash->len - 2;
	return modulus - PKCS1_BYTES;
}

/* Chooses the message, in[0], and the label, if there is one, in[2]. */
static void
choose(struct ref_pk_job *job, uint64_t *random)
{
	const struct rte_crypto_rsa_padding *pad = padding(job);
	const struct hash *hash = hash_of(pad->hash);
	const bool signs = job->type >= RTE_CRYPTO_ASYM_OP_SIGN;
	struct ref_pk_number *message = &job->in[0];

	if (pad->type == RTE_CRYPTO_RSA_PADDING_NONE) {
		message->len = job->key->part[REF_PK_N].len;
	} else if (signs) {
		message->len = hash->len;
	} else {
		message->len = 1 + ref_pk_random(random) % message_max(job, hash);
	}
	ref_pk_bytes(random, message->data, message->len);
	if (pad->type == RTE_CRYPTO_RSA_PADDING_NONE)
		message->data[0] = 0; /* makes the message less than the modulus */
	if (KEYS_IN_OPERATION && pad->type == RTE_CRYPTO_RSA_PADDING_OAEP &&
	    ref_pk_random(random) % 2 == 0) {
		job->in[2].len = 1 + ref_pk_random(random) % LABEL_MAX;
		ref_pk_bytes(random, job->in[2].data, job->in[2].len);
		asym_padding(&job->asym, NULL)->oaep_label = ref_pk_in(&job->in[2]);
	}
}

/* Returns an operation type that the padding allows: the given type, or another in its place. */
static unsigned int
type_for(const struct rte_crypto_rsa_padding *pad, unsigned int type)
{
	if (pad->type == RTE_CRYPTO_RSA_PADDING_OAEP)
		return type % 2;
	if (pad->type == RTE_CRYPTO_RSA_PADDING_PSS)
		return RTE_CRYPTO_ASYM_OP_SIGN + type % 2;
	if (pad->type == RTE_CRYPTO_RSA_PADDING_NONE && type == RTE_CRYPTO_ASYM_OP_VERIFY)
		return RTE_CRYPTO_ASYM_OP_SIGN;
	return type;
}

/* Fills in an encryption. OpenSSL's result is in expect[0]. The device has to give the same result
 * only if there is no padding, because paddings are random. */
static bool
fill_encrypt(struct ref_pk_job *job)
{
	job->asym.rsa.message = ref_pk_in(&job->in[0]);
	job->asym.rsa.cipher = ref_pk_out(job, 0);
	job->judged = padding(job)->type != RTE_CRYPTO_RSA_PADDING_NONE;
	return compute(job, EVP_PKEY_encrypt_init, EVP_PKEY_encrypt, job->in[0].data,
		       job->in[0].len, &job->expect[0]);
}

static bool
fill_decrypt(struct ref_pk_job *job, uint64_t *random)
{
	if (!compute(job, EVP_PKEY_encrypt_init, EVP_PKEY_encrypt, job->in[0].data, job->in[0].len,
		     &job->in[1]))
		return false;
	if (padding(job)->type == RTE_CRYPTO_RSA_PADDING_OAEP &&
	    ref_pk_random(random) % 4 == 0) {
		job->in[1].data[job->in[1].len - 1] ^= 1;
		job->want = RTE_CRYPTO_OP_STATUS_ERROR;
	}
	job->asym.rsa.cipher = ref_pk_in(&job->in[1]);
	job->asym.rsa.message = ref_pk_out(job, 0);
	job->expect[0] = job->in[0];
	return true;
}

static bool
fill_sign(struct ref_pk_job *job)
{
	job->asym.rsa.message = ref_pk_in(&job->in[0]);
	job->asym.rsa.sign = ref_pk_out(job, 0);
	job->judged = padding(job)->type == RTE_CRYPTO_RSA_PADDING_PSS;
	return compute(job, EVP_PKEY_sign_init, EVP_PKEY_sign, job->in[0].data, job->in[0].len,
		       &job->expect[0]);
}

static bool
fill_verify(struct ref_pk_job *job, uint64_t *random)
{
	if (!compute(job, EVP_PKEY_sign_init, EVP_PKEY_sign, job->in[0].data, job->in[0].len,
		     &job->in[1]))
		return false;
	if (ref_pk_random(random) % 4 == 0) {
		job->in[0].data[ref_pk_random(random) % job->in[0].len] ^= 0x10;
		job->want = RTE_CRYPTO_OP_STATUS_ERROR;
	}
	job->asym.rsa.message = ref_pk_in(&job->in[0]);
	job->asym.rsa.sign = ref_pk_in(&job->in[1]);
	return true;
}

bool
ref_pk_rsa_fill(struct ref_pk_job *job, uint64_t *random)
{
	if (KEYS_IN_OPERATION)
		choose_padding(asym_padding(&job->asym, NULL), job->type, job->key->size, random);
	else
		job->type = type_for(padding(job), job->type);
	job->asym.rsa.op_type = (enum rte_crypto_asym_op_type)job->type;
	choose(job, random);
	switch (job->type) {
	case RTE_CRYPTO_ASYM_OP_ENCRYPT:
		return fill_encrypt(job);
	case RTE_CRYPTO_ASYM_OP_DECRYPT:
		return fill_decrypt(job, random);
	case RTE_CRYPTO_ASYM_OP_SIGN:
		return fill_sign(job);
	default:
		return fill_verify(job, random);
	}
}

static bool
verify(const struct ref_pk_job *job)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(job->key->rsa, NULL);
	const bool ok = ctx != NULL && EVP_PKEY_verify_init(ctx) > 0 && set_padding(ctx, job) &&
			EVP_PKEY_verify(ctx, job->out[0], job->expect[0].len, job->in[0].data,
					job->in[0].len) > 0;

	EVP_PKEY_CTX_free(ctx);
	return ok;
}

bool
ref_pk_rsa_judge(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done)
{
	struct ref_pk_number plain;

	if (job->type == RTE_CRYPTO_ASYM_OP_SIGN)
		return done->rsa.sign.length == job->expect[0].len && verify(job);
	return done->rsa.cipher.length == job->expect[0].len &&
	       compute(job, EVP_PKEY_decrypt_init, EVP_PKEY_decrypt, job->out[0],
		       job->expect[0].len, &plain) &&
	       plain.len == job->in[0].len &&
	       memcmp(plain.data, job->in[0].data, plain.len) == 0;
}
