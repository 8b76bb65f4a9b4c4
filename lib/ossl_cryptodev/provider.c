/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The module's entry: what OpenSSL asks a provider. The provider does its fallbacks with the
 * default provider in a library context of its own, so nothing that it calls comes back to it.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include "pk.h"

#define PARAM_COUNTERS "cryptodev-counters"

static OSSL_ALGORITHM ciphers[OC_CIPHERS + 1];
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static bool ready, has_keys;

/* Prepares the fallbacks, once in a process. What the default provider lacks is not
 * offered.
 */
static void
prepare(void)
{
	int nb = 0;

	if (!oc_inner_load())
		return;
	has_keys = oc_keys_prepare() && oc_pk_prepare();
	for (int alg = 0; alg < OC_CIPHERS; alg++) {
		ciphers[nb].implementation = oc_cipher_prepare(alg);
		if (ciphers[nb].implementation == NULL)
			continue;
		ciphers[nb].algorithm_names = oc_algs[alg].names;
		ciphers[nb++].property_definition = "provider=" OC_NAME;
	}
	atexit(oc_report_write);
	ready = true;
}

#define RSA_NAMES "RSA:rsaEncryption:1.2.840.113549.1.1.1"
#define ALGORITHM(names, functions) \
	{ \
		names, "provider=" OC_NAME, functions, NULL \
	}
#define END \
	{ \
		NULL, NULL, NULL, NULL \
	}

/* What is offered for keys: by operation, in the names of the default provider. */
static const OSSL_ALGORITHM key_managers[] = {
	ALGORITHM(RSA_NAMES, oc_rsa_keymgmt),
	ALGORITHM("EC:id-ecPublicKey:1.2.840.10045.2.1", oc_ec_keymgmt),
	END,
};
static const OSSL_ALGORITHM signatures[] = {
	ALGORITHM(RSA_NAMES, oc_rsa_signature),
	ALGORITHM("ECDSA", oc_ec_signature),
	END,
};
static const OSSL_ALGORITHM key_ciphers[] = { ALGORITHM(RSA_NAMES, oc_rsa_cipher), END };
static const OSSL_ALGORITHM key_exchanges[] = { ALGORITHM("ECDH", oc_ecdh), END };
static const OSSL_ALGORITHM sources[] = { ALGORITHM("CRYPTODEV-SEED", oc_random), END };

static bool
offers_keys(void)
{
	return has_keys && oc_settings.public_keys != 0;
}

static const OSSL_ALGORITHM *
query(void *provctx, int operation, int *no_cache)
{
	(void)provctx;
	*no_cache = 0;
	if (operation == OSSL_OP_CIPHER)
		return ciphers;
	if (operation == OSSL_OP_RAND && has_keys)
		return sources;
	if (!offers_keys())
		return NULL;
	switch (operation) {
	case OSSL_OP_KEYMGMT:
		return key_managers;
	case OSSL_OP_SIGNATURE:
		return signatures;
	case OSSL_OP_ASYM_CIPHER:
		return key_ciphers;
	case OSSL_OP_KEYEXCH:
		return key_exchanges;
	default:
		return NULL;
	}
}

/* Who is told about groups of TLS. */
struct listener {
	OSSL_CALLBACK *callback;
	void *arg;
};

/* Passes on a group whose keys are ours. */
static int
tell_group(const OSSL_PARAM params[], void *arg)
{
	const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_CAPABILITY_TLS_GROUP_ALG);
	const struct listener *to = arg;
	const char *alg;

	if (p == NULL || !OSSL_PARAM_get_utf8_string_ptr(p, &alg) || strcmp(alg, "EC") != 0)
		return 1;
	return to->callback(params, to->arg);
}

/* Says which groups of TLS there are. libssl takes a group from the provider that has its keys, so
 * those that the default provider lists for its EC keys are ours.
 */
static int
get_capabilities(void *provctx, const char *capability, OSSL_CALLBACK *callback, void *arg)
{
	struct listener to = { callback, arg };

	(void)provctx;
	if (!offers_keys() || strcmp(capability, "TLS-GROUP") != 0)
		return 1;
	return OSSL_PROVIDER_get_capabilities(oc_inner_provider, capability, tell_group, &to);
}

static const OSSL_PARAM *
gettable_params(void *provctx)
{
	static const OSSL_PARAM params[] = {
		OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
		OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
		OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
		OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
		OSSL_PARAM_utf8_string(PARAM_COUNTERS, NULL, 0),
		OSSL_PARAM_END,
	};

	(void)provctx;
	return params;
}

static int
get_params(void *provctx, OSSL_PARAM params[])
{
	int ok = 1;

	(void)provctx;
	for (OSSL_PARAM *p = params; p->key != NULL && ok; p++) {
		if (strcmp(p->key, OSSL_PROV_PARAM_NAME) == 0) {
			ok = OSSL_PARAM_set_utf8_ptr(p, "rte_cryptodev below OpenSSL");
		} else if (strcmp(p->key, OSSL_PROV_PARAM_VERSION) == 0 ||
				strcmp(p->key, OSSL_PROV_PARAM_BUILDINFO) == 0) {
			ok = OSSL_PARAM_set_utf8_ptr(p, OC_VERSION);
		} else if (strcmp(p->key, OSSL_PROV_PARAM_STATUS) == 0) {
			ok = OSSL_PARAM_set_int(p, 1);
		} else if (strcmp(p->key, PARAM_COUNTERS) == 0) {
			char *text = oc_report_text();

			ok = text != NULL && OSSL_PARAM_set_utf8_string(p, text);
			free(text);
		}
	}
	return ok;
}

static const OSSL_DISPATCH provider_functions[] = {
	{ OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params },
	{ OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params },
	{ OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query },
	{ OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (void (*)(void))get_capabilities },
	{ 0, NULL },
};

/** The entry that OpenSSL looks for in a module. With a wrong setting the default provider
 * does all work. */
int
OSSL_provider_init(const OSSL_CORE_HANDLE *core, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
		void **provctx)
{
	OSSL_FUNC_core_get_params_fn *core_get_params = NULL;

	for (; in->function_id != 0; in++)
		if (in->function_id == OSSL_FUNC_CORE_GET_PARAMS)
			core_get_params = OSSL_FUNC_core_get_params(in);
	oc_settings_read(core, core_get_params);
	if (CRYPTO_THREAD_run_once(&once, prepare) != 1 || !ready)
		return 0;
	*provctx = oc_inner_provctx; /* for functions of the default provider in our tables */
	*out = provider_functions;
	return 1;
}
