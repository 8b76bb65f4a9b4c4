/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keys of ML-KEM and ML-DSA: see pk_ml.h.
 */
#include <pthread.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>

#include "mem/vault.h"
#include "pk_lattice/pk_ml.h"

#define PARAM_SEED "seed" /* OSSL_PKEY_PARAM_ML_KEM_SEED, OSSL_PKEY_PARAM_ML_DSA_SEED */
#define KEY_MAX 4896u /* the longest key, sk of ML-DSA-87 */
#define SEED_MAX 64u

static const struct pk_ml_set sets[] = {
	{ ACCEL_HW_ML_KEM_512, "ML-KEM-512", 1632, 800, 768 },
	{ ACCEL_HW_ML_KEM_768, "ML-KEM-768", 2400, 1184, 1088 },
	{ ACCEL_HW_ML_KEM_1024, "ML-KEM-1024", 3168, 1568, 1568 },
	{ ACCEL_HW_ML_DSA_44, "ML-DSA-44", 2560, 1312, 2420 },
	{ ACCEL_HW_ML_DSA_65, "ML-DSA-65", 4032, 1952, 3309 },
	{ ACCEL_HW_ML_DSA_87, "ML-DSA-87", 4896, 2592, 4627 },
};
static bool set_here[ARRAY_NB(sets)];
static pthread_once_t set_once = PTHREAD_ONCE_INIT;

static void
set_probe(void)
{
	ERR_set_mark();
	for (unsigned int i = 0; i < ARRAY_NB(sets); i++) {
		EVP_KEYMGMT *keymgmt = EVP_KEYMGMT_fetch(libctx(), sets[i].name, NULL);

		set_here[i] = keymgmt != NULL;
		EVP_KEYMGMT_free(keymgmt);
	}
	ERR_pop_to_mark();
}

static const struct pk_ml_set *
find(unsigned int number)
{
	pthread_once(&set_once, set_probe);
	for (unsigned int i = 0; i < ARRAY_NB(sets); i++) {
		if (sets[i].number == number && set_here[i])
			return &sets[i];
	}
	return NULL;
}

unsigned int
pk_ml_list(unsigned int first, unsigned int last, uint8_t *list)
{
	unsigned int nb = 0;

	for (unsigned int i = first; i <= last; i++) {
		if (find(i) != NULL)
			list[nb++] = (uint8_t)i;
	}
	return nb;
}

/* Import a key. NULL: the bytes are no key. A private key contains what OpenSSL needs of the public
 * key. OpenSSL checks the hashes and ranges that FIPS 203 (7.2, 7.3) asks for. */
static EVP_PKEY *
import(const struct pk_ml_set *set, const char *param, struct pk_bytes bytes)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(libctx(), set->name, NULL);
	const int selection = strcmp(param, OSSL_PKEY_PARAM_PRIV_KEY) == 0 ? EVP_PKEY_KEYPAIR :
									     EVP_PKEY_PUBLIC_KEY;
	EVP_PKEY *key = NULL;
	uint8_t copy[KEY_MAX];
	OSSL_PARAM params[] = { OSSL_PARAM_construct_octet_string(param, copy, bytes.len),
				OSSL_PARAM_construct_end() };

	memcpy(copy, bytes.data, bytes.len);
	if (ctx != NULL && EVP_PKEY_fromdata_init(ctx) == 1 &&
			EVP_PKEY_fromdata(ctx, &key, selection, params) != 1)
		key = NULL;
	EVP_PKEY_CTX_free(ctx);
	OPENSSL_cleanse(copy, bytes.len);
	return key;
}

struct pk_key *
pk_ml_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	const struct pk_ml_set *set = find(header->curve);
	const struct pk_bytes private = components[ACCEL_HW_PK_PRIVATE_KEY];
	const struct pk_bytes public = components[ACCEL_HW_PK_PUBLIC_KEY];
	struct pk_ml_key *key;

	if ((private.len != 0 && private.len != set->private_len) ||
			(public.len != 0 && public.len != set->public_len))
		return NULL;
	key = vault_alloc(sizeof(*key));
	if (key == NULL) {
		*status = ACCEL_HW_ENGINE_ERROR;
		return NULL;
	}
	key->set = set;
	if (private.len != 0)
		key->private = import(set, OSSL_PKEY_PARAM_PRIV_KEY, private);
	if (public.len != 0)
		key->public = import(set, OSSL_PKEY_PARAM_PUB_KEY, public);
	if ((private.len == 0 || key->private != NULL) && (public.len == 0 || key->public != NULL))
		return &key->base;
	pk_ml_key_free((struct pk_key *)key); /* not &key->base, which gcc takes for all of *key */
	return NULL;
}

void
pk_ml_key_free(struct pk_key *base)
{
	struct pk_ml_key *key = (struct pk_ml_key *)base;

	EVP_PKEY_free(key->private); /* clears the key */
	EVP_PKEY_free(key->public);
	vault_free(key, sizeof(*key));
}

/* Get the key of an operand, or another reference to the component's key. */
static uint16_t
key_of(const struct pk_job *job, unsigned int operand, uint32_t len, const char *param,
		EVP_PKEY *component, EVP_PKEY **key)
{
	const struct pk_bytes given = pk_operand(job, operand);

	*key = component;
	if (given.len == 0)
		return EVP_PKEY_up_ref(component) == 1 ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
	*key = given.len == len ? import(pk_ml_key(job)->set, param, given) : NULL;
	return *key != NULL ? ACCEL_HW_OK : ACCEL_HW_BAD_OPERAND;
}

uint16_t
pk_ml_private(const struct pk_job *job, unsigned int operand, EVP_PKEY **key)
{
	return key_of(job, operand, pk_ml_key(job)->set->private_len, OSSL_PKEY_PARAM_PRIV_KEY,
		      pk_ml_key(job)->private, key);
}

uint16_t
pk_ml_public(const struct pk_job *job, unsigned int operand, EVP_PKEY **key)
{
	return key_of(job, operand, pk_ml_key(job)->set->public_len, OSSL_PKEY_PARAM_PUB_KEY,
		      pk_ml_key(job)->public, key);
}

static bool
put_part(struct pk_job *job, const EVP_PKEY *key, const char *param, uint32_t len)
{
	size_t got;

	if (EVP_PKEY_get_octet_string_param(key, param, job->out + job->produced, len, &got) != 1 ||
			got != len)
		return false;
	job->produced += len;
	return true;
}

/* Make a pair of keys from a seed, or from a random seed. NULL: this failed. */
static EVP_PKEY *
pair_new(const struct pk_ml_set *set, struct pk_bytes seed, uint32_t seed_len)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(libctx(), set->name, NULL);
	EVP_PKEY *pair = NULL;
	uint8_t copy[SEED_MAX];
	OSSL_PARAM params[] = { OSSL_PARAM_construct_octet_string(PARAM_SEED, copy, seed_len),
				OSSL_PARAM_construct_end() };
	bool good = ctx != NULL && EVP_PKEY_keygen_init(ctx) == 1;

	if (good && seed.len != 0)
		memcpy(copy, seed.data, seed_len);
	else if (good)
		good = libctx_random_secret(copy, seed_len);
	if (good && EVP_PKEY_CTX_set_params(ctx, params) == 1 && EVP_PKEY_generate(ctx, &pair) != 1)
		pair = NULL;
	OPENSSL_cleanse(copy, sizeof(copy));
	EVP_PKEY_CTX_free(ctx);
	return pair;
}

uint16_t
pk_ml_generate(struct pk_job *job, uint32_t seed_len)
{
	const struct pk_ml_set *set = pk_ml_key(job)->set;
	const struct pk_bytes seed = pk_operand(job, 0);
	EVP_PKEY *pair;
	bool good;

	if (seed.len != 0 && seed.len != seed_len)
		return ACCEL_HW_BAD_OPERAND;
	pair = pair_new(set, seed, seed_len);
	if (pair == NULL)
		return pk_why_failed();
	good = put_part(job, pair, OSSL_PKEY_PARAM_PRIV_KEY, set->private_len) &&
			put_part(job, pair, OSSL_PKEY_PARAM_PUB_KEY, set->public_len);
	EVP_PKEY_free(pair);
	return good ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
}

uint32_t
pk_ml_pair_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	const struct pk_ml_set *set = ((const struct pk_ml_key *)key)->set;

	(void)cmd;
	return (uint32_t)set->private_len + set->public_len;
}
