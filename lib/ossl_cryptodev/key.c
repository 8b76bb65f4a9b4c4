/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keys as EVP wants them. A key wraps one of the default provider, which imports, exports,
 * generates, checks and compares it. So decoders, encoders and libssl work as with any key.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

#include "pk.h"

/* The generation of a key or of parameters, with whom to tell about its progress. */
struct generation {
	enum oc_key_type type;
	EVP_PKEY_CTX *ctx;
	OSSL_CALLBACK *callback;
	void *callback_arg;
};

static const struct {
	const char *name;
	const char *public_number;
	const char *private_number;
} types[OC_KEY_TYPES] = {
	[OC_KEY_RSA] = { "RSA", OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_D },
	[OC_KEY_EC] = { "EC", OSSL_PKEY_PARAM_EC_PUB_X, OSSL_PKEY_PARAM_PRIV_KEY },
};

static EVP_KEYMGMT *managers[OC_KEY_TYPES];
static EVP_PKEY_CTX *importers[OC_KEY_TYPES]; /* say what can be imported */

/* Finds the default provider's keys. */
bool
oc_keys_prepare(void)
{
	for (int i = 0; i < OC_KEY_TYPES; i++) {
		managers[i] = EVP_KEYMGMT_fetch(oc_inner, types[i].name, NULL);
		importers[i] = EVP_PKEY_CTX_new_from_name(oc_inner, types[i].name, NULL);
		if (managers[i] == NULL || importers[i] == NULL ||
				EVP_PKEY_fromdata_init(importers[i]) != 1)
			return false;
	}
	return true;
}

/* Makes a key, which takes `inner`. */
struct oc_key *
oc_key_new(enum oc_key_type type, EVP_PKEY *inner)
{
	struct oc_key *key = OPENSSL_zalloc(sizeof(*key));

	if (key == NULL) {
		EVP_PKEY_free(inner);
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
	atomic_store(&key->asked, 0);
	atomic_store(&key->supported, 0);
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
	EVP_PKEY_free(key->inner);
	pthread_mutex_destroy(&key->lock);
	OPENSSL_clear_free(key, sizeof(*key));
}

/* Writes a number of a key, with zeros before it to have `least` bytes. Returns its length, or 0 if
 * the key lacks it or it needs more than `room` bytes.
 */
size_t
oc_key_number(const struct oc_key *key, const char *name, uint8_t *to, size_t least, size_t room)
{
	BIGNUM *number = NULL;
	size_t len = 0;

	if (EVP_PKEY_get_bn_param(key->inner, name, &number) == 1) {
		len = BN_num_bytes(number);
		len = len > least ? len : least;
		if (len > room || BN_bn2binpad(number, to, (int)len) < 0)
			len = 0;
	}
	BN_clear_free(number);
	return len;
}

static bool
has_number(const struct oc_key *key, const char *name)
{
	BIGNUM *number = NULL;
	bool ok = EVP_PKEY_get_bn_param(key->inner, name, &number) == 1;

	BN_clear_free(number);
	return ok;
}

static int
key_has(const void *vkey, int selection)
{
	const struct oc_key *key = vkey;
	bool ok = key != NULL && key->inner != NULL;

	if (ok && (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY))
		ok = has_number(key, types[key->type].public_number);
	if (ok && (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY))
		ok = has_number(key, types[key->type].private_number);
	return ok;
}

static int
key_match(const void *vone, const void *vother, int selection)
{
	const struct oc_key *one = vone, *other = vother;

	if (one->inner == NULL || other->inner == NULL)
		return 0;
	if (selection & OSSL_KEYMGMT_SELECT_KEYPAIR)
		return EVP_PKEY_eq(one->inner, other->inner) == 1;
	return EVP_PKEY_parameters_eq(one->inner, other->inner) == 1;
}

static int
key_import(void *vkey, int selection, const OSSL_PARAM params[])
{
	struct oc_key *key = vkey;
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(oc_inner, types[key->type].name, NULL);
	EVP_PKEY *inner = NULL;
	bool ok = ctx != NULL && EVP_PKEY_fromdata_init(ctx) == 1 &&
			EVP_PKEY_fromdata(ctx, &inner, selection,
					(OSSL_PARAM *)(uintptr_t)params) == 1;

	EVP_PKEY_CTX_free(ctx);
	if (!ok)
		return 0;
	forget(key);
	EVP_PKEY_free(key->inner);
	key->inner = inner;
	return 1;
}

static int
key_export(void *vkey, int selection, OSSL_CALLBACK *callback, void *arg)
{
	const struct oc_key *key = vkey;

	return key->inner != NULL && EVP_PKEY_export(key->inner, selection, callback, arg) == 1;
}

/* Copies a key, or the part that the selection names. libssl takes the parameters of its own key
 * for that of the peer.
 */
static void *
key_dup(const void *vkey, int selection)
{
	const struct oc_key *from = vkey;
	struct oc_key *key = oc_key_new(from->type, NULL);
	OSSL_PARAM *params = NULL;
	bool ok = key != NULL;

	if (ok && from->inner != NULL && (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)) {
		key->inner = EVP_PKEY_dup(from->inner);
		ok = key->inner != NULL;
	} else if (ok && from->inner != NULL) {
		ok = EVP_PKEY_todata(from->inner, selection, &params) == 1 &&
				key_import(key, selection, params);
		OSSL_PARAM_free(params);
	}
	if (ok)
		return key;
	oc_key_free(key);
	return NULL;
}

/* Checks a key. With a cofactor of 1 each point of the curve is in the right group. So the quick
 * check of a public key is the full one.
 */
static int
key_validate(const void *vkey, int selection, int type)
{
	const struct oc_key *key = vkey;
	EVP_PKEY_CTX *ctx;
	size_t len;
	bool quick, ok;

	if (key->inner == NULL)
		return 0;
	ctx = EVP_PKEY_CTX_new_from_pkey(oc_inner, key->inner, NULL);
	quick = type == OSSL_KEYMGMT_VALIDATE_QUICK_CHECK ||
			(key->type == OC_KEY_EC && oc_ec_curve(key, &len) != 0);
	ok = ctx != NULL;
	if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_KEYPAIR)
		ok = ok && EVP_PKEY_pairwise_check(ctx) == 1;
	else if (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
		ok = ok && EVP_PKEY_private_check(ctx) == 1;
	else if (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY)
		ok = ok &&
				(quick ? EVP_PKEY_public_check_quick(ctx)
				       : EVP_PKEY_public_check(ctx)) == 1;
	if (selection & OSSL_KEYMGMT_SELECT_ALL_PARAMETERS)
		ok = ok && EVP_PKEY_param_check(ctx) == 1;
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

static int
key_get_params(void *vkey, OSSL_PARAM params[])
{
	const struct oc_key *key = vkey;

	return key->inner != NULL && EVP_PKEY_get_params(key->inner, params) == 1;
}

static int
key_set_params(void *vkey, const OSSL_PARAM params[])
{
	struct oc_key *key = vkey;

	if (key->inner == NULL)
		return 0;
	forget(key);
	return EVP_PKEY_set_params(key->inner, (OSSL_PARAM *)(uintptr_t)params) == 1;
}

static void
gen_cleanup(void *vgen)
{
	struct generation *g = vgen;

	if (g == NULL)
		return;
	EVP_PKEY_CTX_free(g->ctx);
	OPENSSL_free(g);
}

static int
gen_set_params(void *vgen, const OSSL_PARAM params[])
{
	struct generation *g = vgen;

	return params == NULL || EVP_PKEY_CTX_set_params(g->ctx, params) == 1;
}

static void *
gen_new(enum oc_key_type type, int selection, const OSSL_PARAM params[])
{
	bool pair = (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
	struct generation *g = OPENSSL_zalloc(sizeof(*g));

	if (g == NULL)
		return NULL;
	g->type = type;
	g->ctx = EVP_PKEY_CTX_new_from_name(oc_inner, types[type].name, NULL);
	if (g->ctx != NULL &&
			(pair ? EVP_PKEY_keygen_init(g->ctx) : EVP_PKEY_paramgen_init(g->ctx)) ==
					1 &&
			gen_set_params(g, params))
		return g;
	gen_cleanup(g);
	return NULL;
}

/* Takes the parameters of another key, without one that OpenSSL 3.0 keeps for ever. */
static int
gen_set_template(void *vgen, void *vkey)
{
	const struct oc_key *from = vkey;
	OSSL_PARAM *params = NULL, *kept = NULL;
	bool ok = from->inner != NULL &&
			EVP_PKEY_todata(from->inner, OSSL_KEYMGMT_SELECT_ALL_PARAMETERS, &params) ==
					1;

	if (ok)
		kept = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE);
	if (kept != NULL)
		kept->key = "";
	ok = ok && gen_set_params(vgen, params);
	OSSL_PARAM_free(params);
	return ok;
}

static int
progress(EVP_PKEY_CTX *ctx)
{
	const struct generation *g = EVP_PKEY_CTX_get_app_data(ctx);
	int stage = EVP_PKEY_CTX_get_keygen_info(ctx, 0);
	int round = EVP_PKEY_CTX_get_keygen_info(ctx, 1);
	const OSSL_PARAM params[] = {
		OSSL_PARAM_construct_int(OSSL_GEN_PARAM_POTENTIAL, &stage),
		OSSL_PARAM_construct_int(OSSL_GEN_PARAM_ITERATION, &round),
		OSSL_PARAM_construct_end(),
	};

	return g->callback(params, g->callback_arg);
}

static void *
gen_run(void *vgen, OSSL_CALLBACK *callback, void *arg)
{
	struct generation *g = vgen;
	EVP_PKEY *inner = NULL;

	g->callback = callback;
	g->callback_arg = arg;
	EVP_PKEY_CTX_set_app_data(g->ctx, g);
	EVP_PKEY_CTX_set_cb(g->ctx, callback != NULL ? progress : NULL);
	return EVP_PKEY_generate(g->ctx, &inner) == 1 ? oc_key_new(g->type, inner) : NULL;
}

/* Signatures, ciphers and key exchanges that go with a type of key. */
static const char *
rsa_operation(int operation)
{
	(void)operation;
	return "RSA";
}

static const char *
ec_operation(int operation)
{
	return operation == OSSL_OP_KEYEXCH ? "ECDH" : "ECDSA";
}

/* The functions that have to know the type without a key, and the table of all. */
#define FUNCTION(id, name) \
	{ \
		OSSL_FUNC_KEYMGMT_##id, (void (*)(void))name \
	}
#define FUNCTIONS(name, type) \
	static void *name##_new(void *provctx) \
	{ \
		(void)provctx; \
		return oc_key_new(type, NULL); \
	} \
	static void *name##_gen_init(void *provctx, int selection, const OSSL_PARAM params[]) \
	{ \
		(void)provctx; \
		return gen_new(type, selection, params); \
	} \
	static const OSSL_PARAM *name##_gen_settable(void *vgen, void *provctx) \
	{ \
		(void)vgen; \
		(void)provctx; \
		return EVP_KEYMGMT_gen_settable_params(managers[type]); \
	} \
	static const OSSL_PARAM *name##_types(int selection) \
	{ \
		return EVP_PKEY_fromdata_settable(importers[type], selection); \
	} \
	static const OSSL_PARAM *name##_gettable(void *provctx) \
	{ \
		(void)provctx; \
		return EVP_KEYMGMT_gettable_params(managers[type]); \
	} \
	static const OSSL_PARAM *name##_settable(void *provctx) \
	{ \
		(void)provctx; \
		return EVP_KEYMGMT_settable_params(managers[type]); \
	} \
	const OSSL_DISPATCH oc_##name##_keymgmt[] = { \
		FUNCTION(NEW, name##_new), \
		FUNCTION(FREE, oc_key_free), \
		FUNCTION(HAS, key_has), \
		FUNCTION(MATCH, key_match), \
		FUNCTION(VALIDATE, key_validate), \
		FUNCTION(DUP, key_dup), \
		FUNCTION(IMPORT, key_import), \
		FUNCTION(IMPORT_TYPES, name##_types), \
		FUNCTION(EXPORT, key_export), \
		FUNCTION(EXPORT_TYPES, name##_types), \
		FUNCTION(GET_PARAMS, key_get_params), \
		FUNCTION(GETTABLE_PARAMS, name##_gettable), \
		FUNCTION(SET_PARAMS, key_set_params), \
		FUNCTION(SETTABLE_PARAMS, name##_settable), \
		FUNCTION(GEN_INIT, name##_gen_init), \
		FUNCTION(GEN_SET_TEMPLATE, gen_set_template), \
		FUNCTION(GEN_SET_PARAMS, gen_set_params), \
		FUNCTION(GEN_SETTABLE_PARAMS, name##_gen_settable), \
		FUNCTION(GEN, gen_run), \
		FUNCTION(GEN_CLEANUP, gen_cleanup), \
		FUNCTION(QUERY_OPERATION_NAME, name##_operation), \
		{ 0, NULL }, \
	}

FUNCTIONS(rsa, OC_KEY_RSA);
FUNCTIONS(ec, OC_KEY_EC);
