/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The default provider below this one: its library context, and the tables of functions by which
 * the others call it, as libcrypto does (provider-base(7), OSSL_PROVIDER_query_operation(3)). A
 * call of a function costs no check and no context of EVP a second time.
 */
#include <string.h>
#include <strings.h>

#include <openssl/provider.h>

#include "ossl_cryptodev.h"

OSSL_LIB_CTX *oc_inner;
OSSL_PROVIDER *oc_inner_provider;
void *oc_inner_provctx;

/* Loads the default provider into a library context of its own. */
bool
oc_inner_load(void)
{
	oc_inner = OSSL_LIB_CTX_new();
	oc_inner_provider = oc_inner != NULL ? OSSL_PROVIDER_load(oc_inner, "default") : NULL;
	if (oc_inner_provider == NULL)
		return false;
	oc_inner_provctx = OSSL_PROVIDER_get0_provider_ctx(oc_inner_provider);
	return true;
}

/* True if a list of names with colons between them has a name. */
static bool
has_name(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (; list != NULL; list = strchr(list, ':')) {
		list += *list == ':';
		if (strncasecmp(list, name, len) == 0 && (list[len] == ':' || list[len] == '\0'))
			return true;
	}
	return false;
}

const OSSL_DISPATCH *
oc_inner_find(int operation, const char *name)
{
	int no_cache;
	const OSSL_ALGORITHM *a =
			OSSL_PROVIDER_query_operation(oc_inner_provider, operation, &no_cache);

	for (; a != NULL && a->algorithm_names != NULL; a++)
		if (has_name(a->algorithm_names, name))
			return a->implementation;
	return NULL;
}

const OSSL_DISPATCH *
oc_inner_row(const OSSL_DISPATCH *functions, int id)
{
	while (functions->function_id != 0 && functions->function_id != id)
		functions++;
	return functions;
}

OSSL_DISPATCH *
oc_inner_wrap(OSSL_DISPATCH *to, const OSSL_DISPATCH *inner, const OSSL_DISPATCH *ours)
{
	for (; ours->function_id != 0; ours++) {
		*to = *oc_inner_row(inner, ours->function_id);
		if (to->function == NULL)
			continue;
		if (ours->function != NULL)
			to->function = ours->function;
		to++;
	}
	*to = (OSSL_DISPATCH){ 0, NULL };
	return to;
}
