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

#include "ossl_cryptodev.h"

#define PARAM_COUNTERS "cryptodev-counters"

EVP_CIPHER *oc_inner_ciphers[OC_ALGS];

static OSSL_ALGORITHM ciphers[OC_ALGS + 1];
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static OSSL_LIB_CTX *inner;
static bool ready;

/* Makes the inner library context, once in a process. What the default provider lacks is not
 * offered.
 */
static void
prepare(void)
{
	int nb = 0;

	inner = OSSL_LIB_CTX_new();
	if (inner == NULL || OSSL_PROVIDER_load(inner, "default") == NULL)
		return;
	for (int alg = 0; alg < OC_ALGS; alg++) {
		oc_inner_ciphers[alg] = EVP_CIPHER_fetch(inner, oc_algs[alg].inner_name, NULL);
		if (oc_inner_ciphers[alg] == NULL)
			continue;
		ciphers[nb].algorithm_names = oc_algs[alg].names;
		ciphers[nb].property_definition = "provider=" OC_NAME;
		ciphers[nb++].implementation = oc_algs[alg].functions;
	}
	atexit(oc_report_write);
	ready = true;
}

static const OSSL_ALGORITHM *
query(void *provctx, int operation, int *no_cache)
{
	(void)provctx;
	*no_cache = 0;
	return operation == OSSL_OP_CIPHER ? ciphers : NULL;
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
	*provctx = (void *)(uintptr_t)core;
	*out = provider_functions;
	return 1;
}
