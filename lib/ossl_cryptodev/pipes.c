/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Pipelines of EVP, which OpenSSL has since 3.5 (EVP_CipherPipelineEncryptInit(3)): one call has
 * several texts of one key, each with an IV of its own. Each pipe has a context of the cipher. The
 * texts of a call are asynchronous jobs, whose operations are one burst for the device. So a
 * program that waits for each call has as many operations in flight as there are pipes.
 */
#include <sched.h>
#include <string.h>

#include <openssl/async.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/proverr.h>

#include "lane.h"

#define PIPES_MAX 32 /* EVP_MAX_PIPES */
#define PARAM_TAG "pipeline-tag" /* OSSL_CIPHER_PARAM_PIPELINE_AEAD_TAG */

struct oc_pipes {
	const OSSL_DISPATCH *functions;
	size_t nb;
	void *ctx[PIPES_MAX];
	ASYNC_WAIT_CTX *wait[PIPES_MAX];
};

/* The cipher's function of a name. */
#define FUNCTION(p, name, id) \
	OSSL_FUNC_cipher_##name(oc_inner_row((p)->functions, OSSL_FUNC_CIPHER_##id))

/* The text of a pipe. */
struct text {
	OSSL_FUNC_cipher_update_fn *update;
	void *ctx;
	unsigned char *out;
	size_t *outl;
	size_t outsize;
	const unsigned char *in;
	size_t inl;
};

void
oc_pipes_free(struct oc_pipes *p)
{
	for (size_t i = 0; p != NULL && i < PIPES_MAX; i++) {
		if (p->ctx[i] != NULL)
			FUNCTION(p, freectx, FREECTX)(p->ctx[i]);
		ASYNC_WAIT_CTX_free(p->wait[i]);
	}
	OPENSSL_free(p);
}

/* Makes the contexts of more pipes: copies of those of another pipeline, or new ones. */
static bool
grow(struct oc_pipes *p, size_t nb, const struct oc_pipes *from)
{
	for (; p->nb < nb; p->nb++) {
		void **ctx = &p->ctx[p->nb];

		if (*ctx == NULL)
			*ctx = from != NULL ? FUNCTION(p, dupctx, DUPCTX)(from->ctx[p->nb])
					    : FUNCTION(p, newctx, NEWCTX)(NULL);
		if (p->wait[p->nb] == NULL)
			p->wait[p->nb] = ASYNC_WAIT_CTX_new();
		if (*ctx == NULL || p->wait[p->nb] == NULL)
			return false;
	}
	return true;
}

struct oc_pipes *
oc_pipes_dup(const struct oc_pipes *from)
{
	struct oc_pipes *p = OPENSSL_zalloc(sizeof(*p));

	if (p == NULL)
		return NULL;
	p->functions = from->functions;
	if (grow(p, from->nb, from))
		return p;
	oc_pipes_free(p);
	return NULL;
}

/* Begins messages with a key, or with the key of before. */
int
oc_pipes_init(struct oc_pipes **pipes, const OSSL_DISPATCH *functions, bool enc,
		const unsigned char *key, size_t key_len, size_t nb, const unsigned char **iv,
		size_t iv_len, const OSSL_PARAM params[])
{
	struct oc_pipes *p = *pipes;
	OSSL_FUNC_cipher_encrypt_init_fn *init;

	if (nb == 0 || nb > PIPES_MAX)
		return oc_fail(PROV_R_INVALID_DATA);
	if (p == NULL)
		p = *pipes = OPENSSL_zalloc(sizeof(*p));
	if (p == NULL)
		return 0;
	p->functions = functions;
	p->nb = 0;
	init = enc ? FUNCTION(p, encrypt_init, ENCRYPT_INIT)
		   : FUNCTION(p, decrypt_init, DECRYPT_INIT);
	if (!grow(p, nb, NULL))
		return 0;
	for (size_t i = 0; i < nb; i++)
		if (init(p->ctx[i], key, key_len, iv != NULL ? iv[i] : NULL, iv_len, params) != 1)
			return 0;
	return 1;
}

static int
text_do(void *arg)
{
	struct text *t = arg;

	return t->update(t->ctx, t->out, t->outl, t->outsize, t->in, t->inl);
}

/* Begins or resumes the job of a text. Returns true if it has ended, with its result in *ok. A text
 * that cannot be a job is done at once.
 */
static bool
text_go_on(struct text *t, ASYNC_JOB **job, ASYNC_WAIT_CTX *wait, int *ok)
{
	bool begun = *job != NULL;
	int ret = 0;

	switch (ASYNC_start_job(job, wait, &ret, text_do, t, sizeof(*t))) {
	case ASYNC_PAUSE:
		return false;
	case ASYNC_FINISH:
		*ok &= ret == 1;
		return true;
	default:
		*ok &= !begun && text_do(t) == 1;
		return true;
	}
}

/* Does texts as jobs of this thread, and resumes these until all have ended. */
static int
texts_do(struct oc_pipes *p, struct text *texts)
{
	ASYNC_JOB *jobs[PIPES_MAX] = { NULL };
	bool ended[PIPES_MAX] = { false };
	size_t left = p->nb, before;
	int ok = 1;

	oc_resumes++;
	while (left > 0) {
		before = left;
		for (size_t i = 0; i < p->nb; i++) {
			if (ended[i])
				continue;
			ended[i] = text_go_on(&texts[i], &jobs[i], p->wait[i], &ok);
			left -= ended[i];
		}
		if (left == before)
			sched_yield();
	}
	oc_resumes--;
	return ok;
}

/* Does a text of each pipe, or takes its AAD if there is no output. */
int
oc_pipes_update(struct oc_pipes *p, size_t nb, unsigned char **out, size_t *outl,
		const size_t *outsize, const unsigned char **in, const size_t *inl)
{
	bool jobs = out != NULL && ASYNC_is_capable() && ASYNC_get_current_job() == NULL;
	OSSL_FUNC_cipher_update_fn *update;
	struct text texts[PIPES_MAX];
	int ok = 1;

	if (p == NULL || nb != p->nb)
		return oc_fail(PROV_R_NO_KEY_SET);
	update = FUNCTION(p, update, UPDATE);
	for (size_t i = 0; i < nb; i++) {
		texts[i] = (struct text){ update, p->ctx[i], out != NULL ? out[i] : NULL, &outl[i],
			out != NULL ? outsize[i] : 0, in[i], inl[i] };
		jobs = jobs && inl[i] >= oc_async_least;
	}
	if (jobs)
		return texts_do(p, texts);
	for (size_t i = 0; i < nb; i++)
		ok &= text_do(&texts[i]) == 1;
	return ok;
}

int
oc_pipes_final(struct oc_pipes *p, size_t nb, unsigned char **out, size_t *outl,
		const size_t *outsize)
{
	int ok = 1;

	if (p == NULL || nb != p->nb)
		return oc_fail(PROV_R_NO_KEY_SET);
	for (size_t i = 0; i < nb; i++)
		ok &= FUNCTION(p, final, FINAL)(p->ctx[i], out[i], &outl[i], outsize[i]) == 1;
	return ok;
}

/* Has a function set or get a parameter of a pipe. Of a list of tags it takes the pipe's own. */
static int
param_do(struct oc_pipes *p, size_t i, const OSSL_PARAM *param, bool set)
{
	OSSL_PARAM one[] = { *param, OSSL_PARAM_END };
	const void *tags;
	size_t len;

	if (strcmp(param->key, PARAM_TAG) == 0) {
		if (!OSSL_PARAM_get_octet_ptr(param, &tags, &len) || tags == NULL)
			return oc_fail(PROV_R_INVALID_TAG);
		one[0] = OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG,
				((unsigned char *const *)tags)[i], len);
	}
	if (set)
		return FUNCTION(p, set_ctx_params, SET_CTX_PARAMS)(p->ctx[i], one);
	if (FUNCTION(p, get_ctx_params, GET_CTX_PARAMS)(p->ctx[i], one) != 1)
		return 0;
	if (strcmp(param->key, PARAM_TAG) != 0)
		((OSSL_PARAM *)(uintptr_t)param)->return_size = one[0].return_size;
	return 1;
}

/* Sets or gets parameters of all pipes. */
int
oc_pipes_params(struct oc_pipes *p, const OSSL_PARAM params[], bool set)
{
	for (; params != NULL && params->key != NULL; params++)
		for (size_t i = 0; i < p->nb; i++)
			if (param_do(p, i, params, set) != 1)
				return 0;
	return 1;
}
