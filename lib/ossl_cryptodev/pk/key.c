/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keys as EVP wants them. A key wraps one of the default provider, whose own functions import,
 * export, generate, check and compare it. So decoders, encoders and libssl work as with any key.
 */
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

#include "pk.h"

#define NUMBER_MAX 2048 /* bytes of the longest key that OpenSSL uses */

/* The generation of a key or of parameters. */
struct generation {
	enum oc_key_type type;
	void *inner;
};

static const OSSL_DISPATCH *functions[OC_KEY_TYPES]; /* the default provider's */

/* The default provider's function for a type of keys. */
#define INNER(type, function, id) \
	OSSL_FUNC_keymgmt_##function(oc_inner_row(functions[type], OSSL_FUNC_KEYMGMT_##id))

/* Makes a key, which takes `inner`. */
static struct oc_key *
key_make(enum oc_key_type type, void *inner)
{
	struct oc_key *key = inner != NULL ? OPENSSL_zalloc(sizeof(*key)) : NULL;

	if (key == NULL) {
		INNER(type, free, FREE)(inner);
		return NULL;
	}
	key->type = type;
	key->references = 1;
	key->inner = inner;
	pthread_mutex_init(&key->lock, NULL);
	return key;
}

struct oc_key *
oc_key_share(struct oc_key *key)
{
	atomic_fetch_add(&key->references, 1);
	return key;
}

/* Drops what was made of the key's numbers, and what the device has for their size. */
static void
forget(struct oc_key *key)
{
	key->asked = key->supported = key->size = 0;
	oc_pk_sessions_free(key);
	oc_rsa_forget(key);
}

void
oc_key_free(void *vkey)
{
	struct oc_key *key = vkey;

	if (key == NULL || atomic_fetch_sub(&key->references, 1) != 1)
		return;
	forget(key);
	INNER(key->type, free, FREE)(key->inner);
	pthread_mutex_destroy(&key->lock);
	OPENSSL_clear_free(key, sizeof(*key));
}

int
oc_key_get_params(void *vkey, OSSL_PARAM params[])
{
	struct oc_key *key = vkey;

	return INNER(key->type, get_params, GET_PARAMS)(key->inner, params);
}

unsigned int
oc_key_fact(struct oc_key *key, const char *name)
{
	unsigned int fact = 0;
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_uint(name, &fact),
		OSSL_PARAM_construct_end(),
	};

	return oc_key_get_params(key, params) == 1 ? fact : 0;
}

size_t
oc_key_size(struct oc_key *key)
{
	if (key->size == 0)
		key->size = oc_key_fact(key, OSSL_PKEY_PARAM_MAX_SIZE);
	return key->size;
}

/* Returns a number of a key, or NULL if the key lacks it. None is longer than the key's size.
 * OpenSSL fills with zeros what it is offered, which takes long.
 */
BIGNUM *
oc_key_bn(struct oc_key *key, const char *name)
{
	uint8_t native[NUMBER_MAX];
	size_t size = oc_key_size(key) < NUMBER_MAX ? oc_key_size(key) : NUMBER_MAX;
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_BN(name, native, size),
		OSSL_PARAM_construct_end(),
	};
	BIGNUM *number = NULL;

	if (oc_key_get_params(key, params) == 1 && OSSL_PARAM_modified(&params[0]))
		OSSL_PARAM_get_BN(&params[0], &number);
	OPENSSL_cleanse(native, size);
	return number;
}

/* Writes a number of a key, with zeros before it to have `least` bytes. Returns its length, or 0 if
 * the key lacks it or it needs more than `room` bytes.
 */
size_t
oc_key_number(struct oc_key *key, const char *name, uint8_t *to, size_t least, size_t room)
{
	BIGNUM *number = oc_key_bn(key, name);
	size_t len = 0;

	if (number != NULL) {
		len = BN_num_bytes(number);
		len = len > least ? len : least;
		if (len > room || BN_bn2binpad(number, to, (int)len) < 0)
			len = 0;
	}
	BN_clear_free(number);
	return len;
}

static int
key_has(const void *vkey, int selection)
{
	const struct oc_key *key = vkey;

	return key != NULL && INNER(key->type, has, HAS)(key->inner, selection);
}

static int
key_match(const void *vone, const void *vother, int selection)
{
	const struct oc_key *one = vone, *other = vother;

	return INNER(one->type, match, MATCH)(one->inner, other->inner, selection);
}

static int
key_import(void *vkey, int selection, const OSSL_PARAM params[])
{
	struct oc_key *key = vkey;

	forget(key);
	return INNER(key->type, import, IMPORT)(key->inner, selection, params);
}

static int
key_export(void *vkey, int selection, OSSL_CALLBACK *callback, void *arg)
{
	const struct oc_key *key = vkey;

	return INNER(key->type, export, EXPORT)(key->inner, selection, callback, arg);
}

static void *
key_dup(const void *vkey, int selection)
{
	const struct oc_key *key = vkey;

	return key_make(key->type, INNER(key->type, dup, DUP)(key->inner, selection));
}

/* Checks a key. With a cofactor of 1 each point of the curve is in the right group. So the quick
 * check of a public key is the full one.
 */
static int
key_validate(const void *vkey, int selection, int type)
{
	struct oc_key *key = (struct oc_key *)(uintptr_t)vkey;
	size_t len;

	if (key->type == OC_KEY_EC && oc_ec_curve(key, &len) != 0)
		type = OSSL_KEYMGMT_VALIDATE_QUICK_CHECK;
	return INNER(key->type, validate, VALIDATE)(key->inner, selection, type);
}

static int
key_set_params(void *vkey, const OSSL_PARAM params[])
{
	struct oc_key *key = vkey;

	forget(key);
	return INNER(key->type, set_params, SET_PARAMS)(key->inner, params);
}

static void
gen_cleanup(void *vgen)
{
	struct generation *g = vgen;

	if (g == NULL)
		return;
	INNER(g->type, gen_cleanup, GEN_CLEANUP)(g->inner);
	OPENSSL_free(g);
}

static int
gen_set_params(void *vgen, const OSSL_PARAM params[])
{
	struct generation *g = vgen;

	return INNER(g->type, gen_set_params, GEN_SET_PARAMS)(g->inner, params);
}

static int
gen_set_template(void *vgen, void *vkey)
{
	struct generation *g = vgen;
	struct oc_key *from = vkey;

	return INNER(g->type, gen_set_template, GEN_SET_TEMPLATE)(g->inner, from->inner);
}

static void *
gen_run(void *vgen, OSSL_CALLBACK *callback, void *arg)
{
	struct generation *g = vgen;

	return key_make(g->type, INNER(g->type, gen, GEN)(g->inner, callback, arg));
}

static void *
gen_new(enum oc_key_type type, int selection, const OSSL_PARAM params[])
{
	struct generation *g = OPENSSL_zalloc(sizeof(*g));

	if (g == NULL)
		return NULL;
	g->type = type;
	g->inner = INNER(type, gen_init, GEN_INIT)(oc_inner_provctx, selection, params);
	if (g->inner != NULL)
		return g;
	OPENSSL_free(g);
	return NULL;
}

struct oc_key *
oc_key_generate(enum oc_key_type type, const OSSL_PARAM params[])
{
	struct generation *g = gen_new(type, OSSL_KEYMGMT_SELECT_KEYPAIR, params);
	struct oc_key *key = g != NULL ? gen_run(g, NULL, NULL) : NULL;

	gen_cleanup(g);
	return key;
}

/* The functions that have to know the type without a key. */
#define FUNCTION(id, name) \
	{ \
		OSSL_FUNC_KEYMGMT_##id, (void (*)(void))name \
	}
#define TYPE(name, type) \
	static void *name##_new(void *provctx) \
	{ \
		return key_make(type, INNER(type, new, NEW)(provctx)); \
	} \
	static void *name##_gen_init(void *provctx, int selection, const OSSL_PARAM params[]) \
	{ \
		(void)provctx; \
		return gen_new(type, selection, params); \
	} \
	static const OSSL_DISPATCH name##_functions[] = { FUNCTION(NEW, name##_new), \
		FUNCTION(GEN_INIT, name##_gen_init), { 0, NULL } }

TYPE(rsa, OC_KEY_RSA);
TYPE(ec, OC_KEY_EC);

/* The others. NULL: the default provider's function, which takes neither key nor generation. */
static const OSSL_DISPATCH common[] = {
	FUNCTION(FREE, oc_key_free),
	FUNCTION(HAS, key_has),
	FUNCTION(MATCH, key_match),
	FUNCTION(VALIDATE, key_validate),
	FUNCTION(DUP, key_dup),
	FUNCTION(IMPORT, key_import),
	FUNCTION(IMPORT_TYPES, NULL),
	FUNCTION(EXPORT, key_export),
	FUNCTION(EXPORT_TYPES, NULL),
	FUNCTION(GET_PARAMS, oc_key_get_params),
	FUNCTION(GETTABLE_PARAMS, NULL),
	FUNCTION(SET_PARAMS, key_set_params),
	FUNCTION(SETTABLE_PARAMS, NULL),
	FUNCTION(GEN_SET_TEMPLATE, gen_set_template),
	FUNCTION(GEN_SET_PARAMS, gen_set_params),
	FUNCTION(GEN_SETTABLE_PARAMS, NULL),
	FUNCTION(GEN, gen_run),
	FUNCTION(GEN_CLEANUP, gen_cleanup),
	FUNCTION(QUERY_OPERATION_NAME, NULL),
	{ 0, NULL },
};

OSSL_DISPATCH oc_rsa_keymgmt[OC_FUNCTIONS], oc_ec_keymgmt[OC_FUNCTIONS];

/* Finds the default provider's keys. */
bool
oc_keys_prepare(void)
{
	OSSL_DISPATCH *to;

	functions[OC_KEY_RSA] = oc_inner_find(OSSL_OP_KEYMGMT, "RSA");
	functions[OC_KEY_EC] = oc_inner_find(OSSL_OP_KEYMGMT, "EC");
	if (functions[OC_KEY_RSA] == NULL || functions[OC_KEY_EC] == NULL)
		return false;
	to = oc_inner_wrap(oc_rsa_keymgmt, functions[OC_KEY_RSA], rsa_functions);
	oc_inner_wrap(to, functions[OC_KEY_RSA], common);
	to = oc_inner_wrap(oc_ec_keymgmt, functions[OC_KEY_EC], ec_functions);
	oc_inner_wrap(to, functions[OC_KEY_EC], common);
	return true;
}
