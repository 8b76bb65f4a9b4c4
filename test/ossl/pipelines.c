/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Compares pipelines of the provider with single messages of OpenSSL's default provider: random
 * texts in random parts, AAD, tags, copies, wrong tags and wrong numbers of pipes. Prints TAP.
 *
 * ossl-pipelines-test device|faults|none SEED ROUNDS: `device` expects that a device did operations
 * of every cipher, `faults` that it failed in others, `none` that it did none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "harness.h"
#include "pipeline.h"

#define TEXT_MAX 20000
#define TAG PIPE_TAG

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
				EVP_EncryptUpdate(ctx, m->sealed[i], &done, m->text[i],
						m->len[i]) == 1 &&
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
	ok = expect(m) && pipeline_new(&p, m->name) &&
			pipeline_init(&p, true, m->key, m->nb, iv, m->iv_len) &&
			feed(&p, m, true, split, made, made_len) &&
			equal(m, m->sealed, m->sealed_len, made, made_len) &&
			(!m->aead || (pipeline_tags(&p, tag, false) &&
						     memcmp(tag, m->tag, m->nb * TAG) == 0));
	if (ok)
		pipeline_free(&p);
	ok = ok && pipeline_new(&p, m->name) &&
			pipeline_init(&p, false, m->key, m->nb, iv, m->iv_len) &&
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
	if (!pipeline_new(&p, "AES-128-CTR"))
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
	unsigned long failures;

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
	failures = counter(NULL, " failed=") + counter(NULL, " lost=");
	if (strcmp(argv[1], "device") == 0)
		check(all_on_device(), "the device did each cipher");
	else if (strcmp(argv[1], "faults") == 0)
		check(counter(NULL, " operations=") > 0 && failures > 0,
				"the device did some operations, and failed in others");
	else
		check(counter(NULL, " operations=") == 0, "no operation on a device");
	return end();
}
