/* SPDX-License-Identifier: BSD-3-Clause
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

const struct oc_alg oc_algs[OC_ALGS] = {
	[OC_AES_128_CBC] = { "AES-128-CBC:AES128:2.16.840.1.101.3.4.1.2", "AES-128-CBC", OC_CBC, 16,
			16 },
	[OC_AES_192_CBC] = { "AES-192-CBC:AES192:2.16.840.1.101.3.4.1.22", "AES-192-CBC", OC_CBC,
			24, 16 },
	[OC_AES_256_CBC] = { "AES-256-CBC:AES256:2.16.840.1.101.3.4.1.42", "AES-256-CBC", OC_CBC,
			32, 16 },
	[OC_AES_128_CTR] = { "AES-128-CTR", "AES-128-CTR", OC_CTR, 16, 16 },
	[OC_AES_192_CTR] = { "AES-192-CTR", "AES-192-CTR", OC_CTR, 24, 16 },
	[OC_AES_256_CTR] = { "AES-256-CTR", "AES-256-CTR", OC_CTR, 32, 16 },
	[OC_AES_128_GCM] = { "AES-128-GCM:id-aes128-GCM:2.16.840.1.101.3.4.1.6", "AES-128-GCM",
			OC_GCM, 16, 12 },
	[OC_AES_192_GCM] = { "AES-192-GCM:id-aes192-GCM:2.16.840.1.101.3.4.1.26", "AES-192-GCM",
			OC_GCM, 24, 12 },
	[OC_AES_256_GCM] = { "AES-256-GCM:id-aes256-GCM:2.16.840.1.101.3.4.1.46", "AES-256-GCM",
			OC_GCM, 32, 12 },
	[OC_CHACHA20_POLY1305] = { "ChaCha20-Poly1305", "ChaCha20-Poly1305", OC_CHACHA, 32, 12 },
};

EVP_CIPHER *oc_inner_ciphers[OC_ALGS];

static OSSL_ALGORITHM ciphers[OC_ALGS + 1];
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static OSSL_LIB_CTX *inner;
static bool ready;

static const OSSL_DISPATCH *const functions[OC_ALGS] = {
	[OC_AES_128_CBC] = OC_AES_128_CBC_functions,
	[OC_AES_192_CBC] = OC_AES_192_CBC_functions,
	[OC_AES_256_CBC] = OC_AES_256_CBC_functions,
	[OC_AES_128_CTR] = OC_AES_128_CTR_functions,
	[OC_AES_192_CTR] = OC_AES_192_CTR_functions,
	[OC_AES_256_CTR] = OC_AES_256_CTR_functions,
	[OC_AES_128_GCM] = OC_AES_128_GCM_functions,
	[OC_AES_192_GCM] = OC_AES_192_GCM_functions,
	[OC_AES_256_GCM] = OC_AES_256_GCM_functions,
	[OC_CHACHA20_POLY1305] = OC_CHACHA20_POLY1305_functions,
};

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
		ciphers[nb++].implementation = functions[alg];
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
get_counters(OSSL_PARAM *p)
{
	char *text = oc_report_text();
	int ok = text != NULL && OSSL_PARAM_set_utf8_string(p, text);

	free(text);
	return ok;
}

static int
get_params(void *provctx, OSSL_PARAM params[])
{
	OSSL_PARAM *p;

	(void)provctx;
	if (((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_NAME)) != NULL &&
			    !OSSL_PARAM_set_utf8_ptr(p, "rte_cryptodev below OpenSSL")) ||
			((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_VERSION)) != NULL &&
					!OSSL_PARAM_set_utf8_ptr(p, OC_VERSION)) ||
			((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_BUILDINFO)) != NULL &&
					!OSSL_PARAM_set_utf8_ptr(p, OC_VERSION)) ||
			((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS)) != NULL &&
					!OSSL_PARAM_set_int(p, 1)))
		return 0;
	p = OSSL_PARAM_locate(params, PARAM_COUNTERS);
	return p == NULL || get_counters(p);
}

static void
teardown(void *provctx)
{
	OPENSSL_free(provctx);
}

static const OSSL_DISPATCH provider_functions[] = {
	{ OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown },
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
	struct oc_provider *p;

	for (; in->function_id != 0; in++)
		if (in->function_id == OSSL_FUNC_CORE_GET_PARAMS)
			core_get_params = OSSL_FUNC_core_get_params(in);
	oc_settings_read(core, core_get_params);
	if (CRYPTO_THREAD_run_once(&once, prepare) != 1 || !ready)
		return 0;
	p = OPENSSL_zalloc(sizeof(*p));
	if (p == NULL)
		return 0;
	p->core = core;
	p->inner = inner;
	*provctx = p;
	*out = provider_functions;
	return 1;
}
