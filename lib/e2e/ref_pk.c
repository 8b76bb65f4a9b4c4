/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Holds what all public-key operations of the reference share: see ref_pk.h. The operation that
 * fetches random numbers of the device is here, too, since it has neither key nor operands.
 */
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "ref_pk.h"

#define FILLING 0xa5u /* fills memory for results */
#define RANDOM_MIN 16u /* fewer bytes may well be equal */

/* Lists the functions for each kind of transform. */
static const struct family {
	const char *name;
	unsigned int types;
	bool (*make)(struct ref_pk_key *key, uint64_t *random);
	bool (*fill)(struct ref_pk_job *job, uint64_t *random);
	bool (*judge)(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done);
} families[] = {
	[RTE_CRYPTO_ASYM_XFORM_NONE] = { "random", 1, NULL, NULL, NULL },
	[RTE_CRYPTO_ASYM_XFORM_RSA] = { "RSA", 4, ref_pk_rsa_make, ref_pk_rsa_fill,
					ref_pk_rsa_judge },
	[RTE_CRYPTO_ASYM_XFORM_MODEX] = { "MODEX", 1, ref_pk_mod_make, ref_pk_mod_fill, NULL },
	[RTE_CRYPTO_ASYM_XFORM_MODINV] = { "MODINV", 1, ref_pk_mod_make, ref_pk_mod_fill, NULL },
	[RTE_CRYPTO_ASYM_XFORM_DH] = { "DH", 3, ref_pk_mod_make, ref_pk_mod_fill,
				       ref_pk_mod_judge },
	[RTE_CRYPTO_ASYM_XFORM_DSA] = { "DSA", 2, ref_pk_mod_make, ref_pk_mod_fill,
					ref_pk_mod_judge },
	[RTE_CRYPTO_ASYM_XFORM_ECDSA] = { "ECDSA", 2, ref_pk_ec_make, ref_pk_ec_fill,
					  ref_pk_ec_judge },
	[RTE_CRYPTO_ASYM_XFORM_ECDH] = { "ECDH", 4, ref_pk_ec_make, ref_pk_ec_fill,
					 ref_pk_ec_judge },
	[RTE_CRYPTO_ASYM_XFORM_ECPM] = { "ECPM", 1, ref_pk_ec_make, ref_pk_ec_fill, NULL },
};

uint64_t
ref_pk_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

void
ref_pk_bytes(uint64_t *random, uint8_t *to, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		to[i] = (uint8_t)(ref_pk_random(random) >> 32);
}

rte_crypto_param
ref_pk_in(const struct ref_pk_number *number)
{
	return (rte_crypto_param){
		.data = number->len != 0 ? (uint8_t *)(uintptr_t)number->data : NULL,
		.length = number->len,
	};
}

rte_crypto_param
ref_pk_out(struct ref_pk_job *job, unsigned int i)
{
	return (rte_crypto_param){ .data = job->out[i] };
}

BIGNUM *
ref_pk_bn(const struct ref_pk_number *number)
{
	return BN_bin2bn(number->data, number->len, NULL);
}

bool
ref_pk_put(struct ref_pk_number *number, const BIGNUM *value, unsigned int len)
{
	if (value == NULL)
		return false;
	if (len == 0)
		len = RTE_MAX((unsigned int)BN_num_bytes(value), 1u);
	if (len > sizeof(number->data))
		return false;
	number->len = (uint16_t)len;
	return BN_bn2binpad(value, number->data, (int)len) == (int)len;
}

BIGNUM *
ref_pk_below(const BIGNUM *limit, uint64_t *random)
{
	uint8_t bytes[REF_PK_BYTES];
	const unsigned int len = (unsigned int)BN_num_bytes(limit);
	BIGNUM *value = NULL, *most = BN_dup(limit);
	BN_CTX *ctx = BN_CTX_new();

	if (ctx != NULL && most != NULL && len <= sizeof(bytes)) {
		ref_pk_bytes(random, bytes, len);
		value = BN_bin2bn(bytes, (int)len, NULL);
		BN_sub_word(most, 1);
		if (value != NULL && (BN_mod(value, value, most, ctx) != 1 ||
				      BN_add_word(value, 1) != 1)) {
			BN_free(value);
			value = NULL;
		}
	}
	BN_free(most);
	BN_CTX_free(ctx);
	return value;
}

bool
ref_pk_key_make(struct ref_pk_key *key, enum rte_crypto_asym_xform_type type, unsigned int size,
		uint64_t *random)
{
	const struct family *family = &families[type];

	memset(key, 0, sizeof(*key));
	key->xform.xform_type = type;
	key->size = size;
	return family->make == NULL || family->make(key, random);
}

void
ref_pk_key_free(struct ref_pk_key *key)
{
	EVP_PKEY_free(key->rsa);
	EC_GROUP_free(key->group);
	memset(key, 0, sizeof(*key));
}

unsigned int
ref_pk_types(enum rte_crypto_asym_xform_type type)
{
	return families[type].types;
}

const char *
ref_pk_name(const struct ref_pk_key *key)
{
	static char text[32];

	snprintf(text, sizeof(text), "%s %u", families[key->xform.xform_type].name, key->size);
	return text;
}

static void
fill_random(struct ref_pk_job *job, uint64_t *random)
{
	job->expect[0].len = 1 + ref_pk_random(random) % REF_PK_BYTES;
	job->asym.modex.result = ref_pk_out(job, 0);
	job->asym.modex.result.length = job->expect[0].len;
	job->judged = true;
}

static bool
judge_random(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done)
{
	const unsigned int len = job->expect[0].len;
	unsigned int i, same = 0;

	for (i = 0; i < len; i++)
		same += job->out[0][i] == FILLING || job->out[0][i] == 0;
	return done->modex.result.length == len && (len < RANDOM_MIN || same < len / 2);
}

bool
ref_pk_fill(struct ref_pk_job *job, const struct ref_pk_key *key, unsigned int type,
	    uint64_t *random)
{
	const struct family *family = &families[key->xform.xform_type];
	unsigned int i;

	job->key = key;
	job->type = type;
	job->want = RTE_CRYPTO_OP_STATUS_SUCCESS;
	job->judged = false;
	memset(&job->asym, 0, sizeof(job->asym));
	memset(job->out, FILLING, sizeof(job->out));
	for (i = 0; i < REF_PK_IN; i++)
		job->in[i].len = 0;
	for (i = 0; i < REF_PK_OUT; i++)
		job->expect[i].len = 0;
	if (family->fill != NULL)
		return family->fill(job, random);
	fill_random(job, random);
	return true;
}

void
ref_pk_again(struct ref_pk_job *job)
{
	memset(job->out, FILLING, sizeof(job->out));
}

/* True if no byte after a result has changed. */
static bool
guarded(const struct ref_pk_job *job)
{
	unsigned int i, k;

	for (i = 0; i < REF_PK_OUT; i++) {
		/* A refused operation may leave anything in the room for results. */
		k = job->want != RTE_CRYPTO_OP_STATUS_SUCCESS ? REF_PK_BYTES : job->expect[i].len;
		for (; k < sizeof(job->out[i]); k++) {
			if (job->out[i][k] != FILLING)
				return false;
		}
	}
	return true;
}

bool
ref_pk_right(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done)
{
	const struct family *family = &families[job->key->xform.xform_type];
	unsigned int i;

	if (!guarded(job))
		return false;
	if (job->want != RTE_CRYPTO_OP_STATUS_SUCCESS)
		return true;
	if (job->judged)
		return family->judge != NULL ? family->judge(job, done) : judge_random(job, done);
	for (i = 0; i < REF_PK_OUT; i++) {
		if (memcmp(job->out[i], job->expect[i].data, job->expect[i].len) != 0)
			return false;
	}
	return true;
}
