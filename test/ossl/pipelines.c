/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Compares pipelines of the provider with single messages of OpenSSL's default provider: random
 * texts in random parts, AAD, tags, copies, wrong tags and wrong numbers of pipes. Prints TAP.
 *
 * ossl-pipelines-test device|faults|none SEED ROUNDS: `device` expects that a device did operations
 * of every cipher, `faults` that it failed in others, `none` that it did none. OpenSSL has calls for
 * pipelines since 3.5. With an older one, this calls the provider's functions as 3.5 does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "harness.h"

#define PIPES_MAX 32
#define TEXT_MAX 20000
#define TAG 16

/* A pipeline by the functions of the provider or by EVP's. */
struct pipeline {
	const char *name;
	const OSSL_DISPATCH *functions;
	void *ctx;
	size_t nb;
};

/* Messages of one key. */
struct messages {
	const char *name;
	bool aead;
	size_t nb, iv_len;
	uint8_t key[32], iv[PIPES_MAX][16], aad[PIPES_MAX][40], tag[PIPES_MAX][TAG];
	size_t aad_len[PIPES_MAX], len[PIPES_MAX], sealed_len[PIPES_MAX];
	uint8_t *text[PIPES_MAX], *sealed[PIPES_MAX];
};

static const char *const names[] = { "AES-128-CBC", "AES-192-CBC", "AES-256-CBC", "AES-128-CTR",
	"AES-192-CTR", "AES-256-CTR", "AES-128-GCM", "AES-192-GCM", "AES-256-GCM",
	"ChaCha20-Poly1305" };
#define NAMES (sizeof(names) / sizeof(names[0]))
#define KEY_LEN(name) (strchr(name, '1') == (name) + 4 && (name)[5] == '2' ? 16u : \
		(name)[4] == '1' ? 24u : 32u)

static void (*function(const struct pipeline *p, int id))(void)
{
	for (const OSSL_DISPATCH *f = p->functions; f->function_id != 0; f++)
		if (f->function_id == id)
			return f->function;
	return NULL;
}

#if OPENSSL_VERSION_NUMBER >= 0x30500000L
static bool
pipeline_new(struct pipeline *p)
{
	p->ctx = EVP_CIPHER_CTX_new();
	return p->ctx != NULL;
}

static void
pipeline_free(struct pipeline *p)
{
	EVP_CIPHER_CTX_free(p->ctx);
}

static bool
pipeline_copy(struct pipeline *p)
{
	EVP_CIPHER_CTX *other = EVP_CIPHER_CTX_new();
	bool ok = EVP_CIPHER_CTX_copy(other, p->ctx) == 1;

	EVP_CIPHER_CTX_free(p->ctx);
	p->ctx = other;
	return ok;
}

static bool
pipeline_init(struct pipeline *p, bool enc, const uint8_t *key, size_t nb, const uint8_t **iv,
		size_t iv_len)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(hw_ctx, p->name, "provider=cryptodev");
	int ret = 0;

	if (cipher != NULL && EVP_CIPHER_can_pipeline(cipher, enc) == 1)
		ret = (enc ? EVP_CipherPipelineEncryptInit : EVP_CipherPipelineDecryptInit)(
				p->ctx, cipher, key, KEY_LEN(p->name), nb, iv, iv_len);
	EVP_CIPHER_free(cipher);
	p->nb = nb;
	return ret == 1;
}

static bool
pipeline_update(struct pipeline *p, uint8_t **out, size_t *outl, const size_t *size,
		const uint8_t **in, const size_t *inl)
{
	return EVP_CipherPipelineUpdate(p->ctx, out, outl, size, in, inl) == 1;
}

static bool
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
typedef int init_fn(void *ctx, const uint8_t *key, size_t key_len, size_t nb, const uint8_t **iv,
		size_t iv_len, const OSSL_PARAM params[]);
typedef int update_fn(void *ctx, size_t nb, uint8_t **out, size_t *outl, const size_t *size,
		const uint8_t **in, const size_t *inl);
typedef int final_fn(void *ctx, size_t nb, uint8_t **out, size_t *outl, const size_t *size);

static bool
pipeline_new(struct pipeline *p)
{
	OSSL_FUNC_cipher_newctx_fn *new = (OSSL_FUNC_cipher_newctx_fn *)function(
			p, OSSL_FUNC_CIPHER_NEWCTX);

	p->ctx = new(NULL);
	return p->ctx != NULL;
}

static void
pipeline_free(struct pipeline *p)
{
	((OSSL_FUNC_cipher_freectx_fn *)function(p, OSSL_FUNC_CIPHER_FREECTX))(p->ctx);
}

static bool
pipeline_copy(struct pipeline *p)
{
	void *other = ((OSSL_FUNC_cipher_dupctx_fn *)function(p, OSSL_FUNC_CIPHER_DUPCTX))(p->ctx);

	pipeline_free(p);
	p->ctx = other;
	return other != NULL;
}

static bool
pipeline_init(struct pipeline *p, bool enc, const uint8_t *key, size_t nb, const uint8_t **iv,
		size_t iv_len)
{
	p->nb = nb;
	return ((init_fn *)function(p, enc ? 15 : 16))(
			       p->ctx, key, KEY_LEN(p->name), nb, iv, iv_len, NULL) == 1;
}

static bool
pipeline_update(struct pipeline *p, uint8_t **out, size_t *outl, const size_t *size,
		const uint8_t **in, const size_t *inl)
{
	return ((update_fn *)function(p, 17))(p->ctx, p->nb, out, outl, size, in, inl) == 1;
}

static bool
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
static bool
pipeline_tags(struct pipeline *p, uint8_t tags[][TAG], bool set)
{
	uint8_t *list[PIPES_MAX];
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_octet_ptr("pipeline-tag", (void **)list, TAG),
		OSSL_PARAM_construct_end(),
	};
	void *pointer = list;

	for (size_t i = 0; i < p->nb; i++)
		list[i] = tags[i];
	params[0].data = &pointer;
	return pipeline_params(p, params, set);
}

static bool
find(struct pipeline *p, const char *name)
{
	int no_cache;
	const OSSL_ALGORITHM *a =
			OSSL_PROVIDER_query_operation(provider, OSSL_OP_CIPHER, &no_cache);

	for (; a != NULL && a->algorithm_names != NULL; a++) {
		size_t len = strcspn(a->algorithm_names, ":");

		if (len == strlen(name) && strncmp(a->algorithm_names, name, len) == 0) {
			*p = (struct pipeline){ .name = name, .functions = a->implementation };
			return pipeline_new(p);
		}
	}
	return false;
}

static void
draw_messages(struct messages *m, unsigned int *seed, size_t name)
{
	m->name = names[name];
	m->aead = name >= 6;
	m->iv_len = m->aead ? 12 : 16;
	m->nb = draw(seed, 3) == 0 ? PIPES_MAX : 1 + draw(seed, PIPES_MAX);
	draw_bytes(seed, m->key, sizeof(m->key));
	for (size_t i = 0; i < m->nb; i++) {
		draw_bytes(seed, m->iv[i], sizeof(m->iv[i]));
		draw_bytes(seed, m->aad[i], sizeof(m->aad[i]));
		m->aad_len[i] = 1 + draw(seed, sizeof(m->aad[i]));
		m->len[i] = draw(seed, 3) == 0 ? 16384 : 1 + draw(seed, TEXT_MAX);
		draw_bytes(seed, m->text[i], m->len[i]);
	}
}

/* Encrypts each message with the default provider. */
static bool
expect(struct messages *m)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(sw_ctx, m->name, NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	bool ok = true;
	int done, last;

	for (size_t i = 0; i < m->nb; i++) {
		ok = ok && EVP_EncryptInit_ex2(ctx, cipher, m->key, m->iv[i], NULL) == 1 &&
				(!m->aead || EVP_EncryptUpdate(ctx, NULL, &done, m->aad[i],
							     m->aad_len[i]) == 1) &&
				EVP_EncryptUpdate(ctx, m->sealed[i], &done, m->text[i], m->len[i]) == 1 &&
				EVP_EncryptFinal_ex(ctx, m->sealed[i] + done, &last) == 1 &&
				(!m->aead || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TAG,
							     m->tag[i]) == 1);
		m->sealed_len[i] = done + last;
	}
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_free(cipher);
	return ok;
}

/* Feeds all texts, in two parts if `split` says so, to a pipeline that has begun. Returns what
 * OpenSSL returned of the end.
 */
static bool
feed(struct pipeline *p, const struct messages *m, bool enc, bool split, uint8_t *made[],
		size_t made_len[])
{
	uint8_t *out[PIPES_MAX];
	const uint8_t *in[PIPES_MAX];
	size_t inl[PIPES_MAX], outl[PIPES_MAX] = { 0 }, size[PIPES_MAX];
	const size_t *len = enc ? m->len : m->sealed_len;

	for (size_t i = 0; i < m->nb; i++) {
		in[i] = m->aad[i];
		made_len[i] = 0;
	}
	if (m->aead && !pipeline_update(p, NULL, outl, NULL, in, m->aad_len))
		return false;
	for (int part = 0; part <= split; part++) {
		for (size_t i = 0; i < m->nb; i++) {
			size_t first = split ? len[i] / 2 : len[i];

			in[i] = (enc ? m->text[i] : m->sealed[i]) + (part ? first : 0);
			inl[i] = part ? len[i] - first : first;
			out[i] = made[i] + made_len[i];
			size[i] = TEXT_MAX + 64 - made_len[i];
		}
		if (!pipeline_update(p, out, outl, size, in, inl))
			return false;
		for (size_t i = 0; i < m->nb; i++)
			made_len[i] += outl[i];
		if (split && !part && !pipeline_copy(p))
			return false;
	}
	for (size_t i = 0; i < m->nb; i++) {
		out[i] = made[i] + made_len[i];
		size[i] = TEXT_MAX + 64 - made_len[i];
	}
	if (!pipeline_final(p, out, outl, size))
		return false;
	for (size_t i = 0; i < m->nb; i++)
		made_len[i] += outl[i];
	return true;
}

static bool
equal(const struct messages *m, uint8_t *const *want, const size_t *want_len, uint8_t *const *made,
		const size_t *made_len)
{
	for (size_t i = 0; i < m->nb; i++)
		if (made_len[i] != want_len[i] || memcmp(made[i], want[i], want_len[i]) != 0) {
			printf("# %s: pipe %zu of %zu differs\n", m->name, i, m->nb);
			return false;
		}
	return true;
}

/* Seals and opens messages in a pipeline, and opens them with one wrong tag. */
static bool
compare(struct messages *m, unsigned int *seed, uint8_t *made[])
{
	const uint8_t *iv[PIPES_MAX];
	uint8_t tag[PIPES_MAX][TAG];
	size_t made_len[PIPES_MAX], wrong = draw(seed, m->nb);
	bool split = draw(seed, 3) == 0, ok;
	struct pipeline p;

	for (size_t i = 0; i < m->nb; i++)
		iv[i] = m->iv[i];
	ok = expect(m) && find(&p, m->name) &&
			pipeline_init(&p, true, m->key, m->nb, iv, m->iv_len) &&
			feed(&p, m, true, split, made, made_len) &&
			equal(m, m->sealed, m->sealed_len, made, made_len) &&
			(!m->aead || (pipeline_tags(&p, tag, false) &&
						     memcmp(tag, m->tag, m->nb * TAG) == 0));
	if (ok)
		pipeline_free(&p);
	ok = ok && find(&p, m->name) && pipeline_init(&p, false, m->key, m->nb, iv, m->iv_len) &&
			(!m->aead || pipeline_tags(&p, m->tag, true)) &&
			feed(&p, m, false, split, made, made_len) &&
			equal(m, m->text, m->len, made, made_len);
	if (ok && m->aead) {
		m->tag[wrong][draw(seed, TAG)] ^= 1;
		ok = pipeline_init(&p, false, m->key, m->nb, iv, m->iv_len) &&
				pipeline_tags(&p, m->tag, true) &&
				!feed(&p, m, false, split, made, made_len);
	}
	if (ok)
		pipeline_free(&p);
	return ok;
}

static bool
many(unsigned int seed, int rounds)
{
	static struct messages m;
	uint8_t *made[PIPES_MAX];
	bool ok = true;

	for (size_t i = 0; i < PIPES_MAX; i++) {
		m.text[i] = malloc(TEXT_MAX + 64);
		m.sealed[i] = malloc(TEXT_MAX + 64);
		made[i] = malloc(TEXT_MAX + 64);
	}
	for (int round = 0; round < rounds && ok; round++)
		for (size_t name = 0; name < NAMES && ok; name++) {
			draw_messages(&m, &seed, name);
			ok = compare(&m, &seed, made);
			if (!ok)
				printf("# round %d, %s, %zu pipes\n", round, m.name, m.nb);
		}
	for (size_t i = 0; i < PIPES_MAX; i++) {
		free(m.text[i]);
		free(m.sealed[i]);
		free(made[i]);
	}
	return ok;
}

/* Wrong numbers of pipes are refused, and so is a text before a key. */
static bool
refusals(void)
{
	uint8_t key[16] = { 1 }, byte[PIPES_MAX + 1] = { 0 };
	const uint8_t *in[PIPES_MAX + 1];
	uint8_t *out[PIPES_MAX + 1];
	size_t len[PIPES_MAX + 1];
	struct pipeline p;
	bool ok;

	for (size_t i = 0; i <= PIPES_MAX; i++) {
		in[i] = key;
		out[i] = &byte[i];
		len[i] = 1;
	}
	if (!find(&p, "AES-128-CTR"))
		return false;
	p.nb = 1;
	ok = !pipeline_update(&p, out, len, len, in, len) &&
			!pipeline_init(&p, true, key, PIPES_MAX + 1, in, 16) &&
			!pipeline_init(&p, true, key, 0, in, 16) &&
			!pipeline_init(&p, true, key, 2, in, 15) &&
			pipeline_init(&p, true, key, 2, in, 16);
	pipeline_free(&p);
	return ok;
}

static bool
all_on_device(void)
{
	bool ok = true;

	for (size_t i = 0; i < NAMES; i++)
		ok = ok && counter(names[i], " operations=") != 0;
	return ok;
}

int
main(int argc, char **argv)
{
	unsigned int seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;

	if (argc < 4) {
		fprintf(stderr, "ossl-pipelines-test device|faults|none SEED ROUNDS\n");
		return 2;
	}
	printf("# seed %u\n", seed);
	if (!start()) {
		check(false, "the provider loads");
		return end();
	}
	check(many(seed, atoi(argv[3])), "random messages in pipelines");
	check(refusals(), "wrong numbers of pipes");
	if (strcmp(argv[1], "device") == 0)
		check(all_on_device(), "the device did each cipher");
	else if (strcmp(argv[1], "faults") == 0)
		check(counter(NULL, " operations=") > 0 && counter(NULL, " failed=") +
				counter(NULL, " lost=") > 0, "the device did some operations, and failed in others");
	else
		check(counter(NULL, " operations=") == 0, "no operation on a device");
	return end();
}
