/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * See pipeline.h.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <openssl/core_dispatch.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "harness.h"
#include "pipeline.h"

/* Returns the bytes of the key of a cipher: AES has them in its name. */
static size_t
key_len(const char *name)
{
	return strncasecmp(name, "AES-", 4) == 0 ? strtoul(name + 4, NULL, 10) / 8 : 32;
}

#if OPENSSL_VERSION_NUMBER >= 0x30500000L
static bool
context_new(struct pipeline *p)
{
	p->ctx = EVP_CIPHER_CTX_new();
	return p->ctx != NULL;
}

void
pipeline_free(struct pipeline *p)
{
	EVP_CIPHER_CTX_free(p->ctx);
}

bool
pipeline_copy(struct pipeline *p)
{
	EVP_CIPHER_CTX *other = EVP_CIPHER_CTX_new();
	bool ok = EVP_CIPHER_CTX_copy(other, p->ctx) == 1;

	EVP_CIPHER_CTX_free(p->ctx);
	p->ctx = other;
	return ok;
}

bool
pipeline_init(struct pipeline *p, bool enc, const uint8_t *key, size_t nb, const uint8_t **iv,
		size_t iv_len)
{
	EVP_CIPHER *cipher = key != NULL ? EVP_CIPHER_fetch(hw_ctx, p->name, "provider=cryptodev")
					 : NULL; /* the context goes on with its key */
	int ret = 0;

	if (key == NULL || (cipher != NULL && EVP_CIPHER_can_pipeline(cipher, enc) == 1))
		ret = (enc ? EVP_CipherPipelineEncryptInit : EVP_CipherPipelineDecryptInit)(
				p->ctx, cipher, key, p->key_len, nb, iv, iv_len);
	EVP_CIPHER_free(cipher);
	p->nb = nb;
	return ret == 1;
}

bool
pipeline_update(struct pipeline *p, uint8_t **out, size_t *outl, const size_t *size,
		const uint8_t **in, const size_t *inl)
{
	return EVP_CipherPipelineUpdate(p->ctx, out, outl, size, in, inl) == 1;
}

bool
pipeline_final(struct pipeline *p, uint8_t **out, size_t *outl, const size_t *size)
{
	return EVP_CipherPipelineFinal(p->ctx, out, outl, size) == 1;
}

static bool
pipeline_params(struct pipeline *p, OSSL_PARAM *params, bool set)
{
	return (set ? EVP_CIPHER_CTX_set_params(p->ctx, params)
		    : EVP_CIPHER_CTX_get_params(p->ctx, params)) == 1;
}
#else
static void (*function(const struct pipeline *p, int id))(void)
{
	for (const OSSL_DISPATCH *f = p->functions; f->function_id != 0; f++)
		if (f->function_id == id)
			return f->function;
	return NULL;
}

typedef int init_fn(void *ctx, const uint8_t *key, size_t key_len, size_t nb, const uint8_t **iv,
		size_t iv_len, const OSSL_PARAM params[]);
typedef int update_fn(void *ctx, size_t nb, uint8_t **out, size_t *outl, const size_t *size,
		const uint8_t **in, const size_t *inl);
typedef int final_fn(void *ctx, size_t nb, uint8_t **out, size_t *outl, const size_t *size);

static bool
context_new(struct pipeline *p)
{
	OSSL_FUNC_cipher_newctx_fn *new = (OSSL_FUNC_cipher_newctx_fn *)function(
			p, OSSL_FUNC_CIPHER_NEWCTX);

	p->ctx = new(NULL);
	return p->ctx != NULL;
}

void
pipeline_free(struct pipeline *p)
{
	((OSSL_FUNC_cipher_freectx_fn *)function(p, OSSL_FUNC_CIPHER_FREECTX))(p->ctx);
}

bool
pipeline_copy(struct pipeline *p)
{
	void *other = ((OSSL_FUNC_cipher_dupctx_fn *)function(p, OSSL_FUNC_CIPHER_DUPCTX))(p->ctx);

	pipeline_free(p);
	p->ctx = other;
	return other != NULL;
}

bool
pipeline_init(struct pipeline *p, bool enc, const uint8_t *key, size_t nb, const uint8_t **iv,
		size_t iv_len)
{
	p->nb = nb;
	return ((init_fn *)function(p, enc ? 15 : 16))(
			       p->ctx, key, p->key_len, nb, iv, iv_len, NULL) == 1;
}

bool
pipeline_update(struct pipeline *p, uint8_t **out, size_t *outl, const size_t *size,
		const uint8_t **in, const size_t *inl)
{
	return ((update_fn *)function(p, 17))(p->ctx, p->nb, out, outl, size, in, inl) == 1;
}

bool
pipeline_final(struct pipeline *p, uint8_t **out, size_t *outl, const size_t *size)
{
	return ((final_fn *)function(p, 18))(p->ctx, p->nb, out, outl, size) == 1;
}

static bool
pipeline_params(struct pipeline *p, OSSL_PARAM *params, bool set)
{
	return set ? ((OSSL_FUNC_cipher_set_ctx_params_fn *)function(
				     p, OSSL_FUNC_CIPHER_SET_CTX_PARAMS))(p->ctx, params) == 1
		   : ((OSSL_FUNC_cipher_get_ctx_params_fn *)function(
				     p, OSSL_FUNC_CIPHER_GET_CTX_PARAMS))(p->ctx, params) == 1;
}
#endif

/* Sets or gets the tags of all pipes. */
bool
pipeline_tags(struct pipeline *p, uint8_t tags[][PIPE_TAG], bool set)
{
	uint8_t *list[PIPES_MAX];
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_octet_ptr("pipeline-tag", (void **)list, PIPE_TAG),
		OSSL_PARAM_construct_end(),
	};
	void *pointer = list;

	for (size_t i = 0; i < p->nb; i++)
		list[i] = tags[i];
	params[0].data = &pointer;
	return pipeline_params(p, params, set);
}

/* Makes a pipeline of a cipher. */
bool
pipeline_new(struct pipeline *p, const char *name)
{
	int no_cache;
	const OSSL_ALGORITHM *a =
			OSSL_PROVIDER_query_operation(provider, OSSL_OP_CIPHER, &no_cache);

	for (; a != NULL && a->algorithm_names != NULL; a++) {
		size_t len = strcspn(a->algorithm_names, ":");

		if (len == strlen(name) && strncasecmp(a->algorithm_names, name, len) == 0) {
			*p = (struct pipeline){ .name = name, .functions = a->implementation,
				.key_len = key_len(name) };
			return context_new(p);
		}
	}
	return false;
}
