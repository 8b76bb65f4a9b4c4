/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Random sequences of EVP's calls with a context of the provider and one of the default provider.
 * Whatever a program does, also what it should not do, both have to say the same: results, lengths,
 * texts, tags and IVs. A sequence ends with the first call that fails.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>

#include "harness.h"

#define TEXT 4096
#define TAG 16
#define STEPS 12

static const struct {
	const char *name;
	bool aead, gcm, cbc;
} ciphers[] = {
	{ "AES-128-CBC", .cbc = true },
	{ "AES-256-CTR" },
	{ "AES-128-GCM", .aead = true, .gcm = true },
	{ "AES-256-GCM", .aead = true, .gcm = true },
	{ "ChaCha20-Poly1305", .aead = true },
};

/* One of the two contexts, and what the last call has said. */
struct side {
	EVP_CIPHER_CTX *ctx;
	int result;
	int len;
	uint8_t out[TEXT + 64];
};

struct sequence {
	int cipher;
	int enc;
	bool text; /* the message has a text, so no AAD may follow */
	bool over; /* the message has ended */
	bool tag; /* the tag to verify is set */
	bool fixed; /* the IV is counted by the context */
	uint8_t key[32], iv[16], in[TEXT], tag_in[TAG];
	size_t len;
	int number;
};

enum call {
	CALL_TEXT,
	CALL_MORE_TEXT,
	CALL_AAD,
	CALL_FINAL,
	CALL_TAG,
	CALL_IV,
	CALL_KEY_IV,
	CALL_KEY,
	CALL_COPY,
	CALL_SET_TAG,
	CALL_FIXED,
	CALL_GENERATE,
	CALL_IV_LENGTH,
	CALL_PADDING,
	CALL_WHOLE,
	CALL_GET_IVS,
	CALLS,
};

/* True if a program may do the call now. An AEAD without an IV of its own is not for use. */
static bool
allowed(const struct sequence *s, enum call call)
{
	bool aead = ciphers[s->cipher].aead, gcm = ciphers[s->cipher].gcm;

	switch (call) {
	case CALL_TEXT:
	case CALL_MORE_TEXT:
		return !s->over || !aead;
	case CALL_FINAL:
		return !aead || (!s->over && (s->enc || s->tag));
	case CALL_AAD:
		return aead && !s->over && !s->text;
	case CALL_TAG:
		return aead && s->enc && s->over;
	case CALL_SET_TAG:
		return aead && !s->enc;
	case CALL_FIXED:
		return gcm;
	case CALL_GENERATE:
		return gcm && s->fixed;
	case CALL_IV_LENGTH:
		return aead;
	case CALL_PADDING:
		return !aead;
	case CALL_WHOLE:
		return ciphers[s->cipher].cbc;
	case CALL_GET_IVS:
		return !aead || gcm;
	default:
		return true;
	}
}

/* Does a call with one side. */
static void
do_call(const struct sequence *s, enum call call, struct side *x)
{
	EVP_CIPHER_CTX *copy;
	uint8_t *iv = (uint8_t *)(uintptr_t)s->iv, *tag = (uint8_t *)(uintptr_t)s->tag_in;

	x->len = 0;
	memset(x->out, 0, sizeof(x->out));
	switch (call) {
	case CALL_TEXT:
	case CALL_MORE_TEXT:
		x->result = EVP_CipherUpdate(x->ctx, x->out, &x->len, s->in, (int)s->len);
		break;
	case CALL_AAD:
		x->result = EVP_CipherUpdate(x->ctx, NULL, &x->len, s->in, (int)s->len % 96);
		x->len = 0;
		break;
	case CALL_FINAL:
		x->result = EVP_CipherFinal_ex(x->ctx, x->out, &x->len);
		break;
	case CALL_TAG:
		x->len = s->number;
		x->result = EVP_CIPHER_CTX_ctrl(x->ctx, EVP_CTRL_AEAD_GET_TAG, x->len, x->out);
		break;
	case CALL_KEY:
		x->result = EVP_CipherInit_ex(x->ctx, NULL, NULL, s->key, NULL, -1);
		break;
	case CALL_IV:
		x->result = EVP_CipherInit_ex(x->ctx, NULL, NULL, NULL, iv, -1);
		break;
	case CALL_KEY_IV:
		x->result = EVP_CipherInit_ex(x->ctx, NULL, NULL, s->key, iv, -1);
		break;
	case CALL_COPY:
		copy = EVP_CIPHER_CTX_new();
		x->result = EVP_CIPHER_CTX_copy(copy, x->ctx);
		EVP_CIPHER_CTX_free(x->result == 1 ? x->ctx : copy);
		x->ctx = x->result == 1 ? copy : x->ctx;
		break;
	case CALL_SET_TAG:
		x->result = EVP_CIPHER_CTX_ctrl(x->ctx, EVP_CTRL_AEAD_SET_TAG, s->number, tag);
		break;
	case CALL_FIXED:
		x->result = EVP_CIPHER_CTX_ctrl(x->ctx, EVP_CTRL_GCM_SET_IV_FIXED, -1, iv);
		break;
	case CALL_GENERATE:
		x->len = 8;
		if (s->enc)
			x->result = EVP_CIPHER_CTX_ctrl(x->ctx, EVP_CTRL_GCM_IV_GEN, 8, x->out);
		else
			x->result = EVP_CIPHER_CTX_ctrl(x->ctx, EVP_CTRL_GCM_SET_IV_INV, 8, iv);
		break;
	case CALL_IV_LENGTH: /* what comes after that without an IV is the default's affair */
		x->result = EVP_CIPHER_CTX_ctrl(x->ctx, EVP_CTRL_AEAD_SET_IVLEN,
					    s->number % 2 ? 12 : s->number, NULL) == 1 &&
				EVP_CipherInit_ex(x->ctx, NULL, NULL, s->key, iv, -1) == 1;
		break;
	case CALL_PADDING:
		x->result = EVP_CIPHER_CTX_set_padding(x->ctx, s->number % 2);
		break;
	case CALL_WHOLE:
		x->result = EVP_Cipher(x->ctx, x->out, s->in, s->len / 16 * 16);
		x->len = x->result;
		break;
	default:
		x->len = EVP_CIPHER_CTX_get_iv_length(x->ctx);
		x->result = EVP_CIPHER_CTX_get_updated_iv(x->ctx, x->out, 16) == 1 &&
				EVP_CIPHER_CTX_get_original_iv(x->ctx, x->out + 16, 16) == 1;
		x->len += 16;
	}
}

/* Takes note of what a call has begun or ended. */
static void
follow(struct sequence *s, enum call call)
{
	bool begins = call == CALL_IV || call == CALL_KEY_IV || call == CALL_IV_LENGTH ||
			call == CALL_FIXED || call == CALL_GENERATE;

	s->over = (s->over || call == CALL_FINAL) && !begins;
	s->text = (s->text || call == CALL_TEXT || call == CALL_MORE_TEXT) && !begins;
	s->tag |= call == CALL_SET_TAG;
	s->fixed = (s->fixed || call == CALL_FIXED) && call != CALL_IV_LENGTH;
}

/* Does a sequence. Returns false, and says which calls it had, if the sides differ. */
static bool
sequence(unsigned int *seed, struct side sides[2])
{
	struct sequence s = { .cipher = draw(seed, sizeof(ciphers) / sizeof(ciphers[0])),
		.enc = draw(seed, 2) };
	const char *name = ciphers[s.cipher].name;
	int calls[STEPS + 1], nb = 0;
	bool same = true;

	draw_bytes(seed, s.key, sizeof(s.key));
	for (int i = 0; i < 2; i++) {
		EVP_CIPHER *cipher = EVP_CIPHER_fetch(i == 0 ? hw_ctx : sw_ctx, name,
				i == 0 ? "provider=cryptodev" : NULL);

		sides[i].ctx = EVP_CIPHER_CTX_new();
		same &= EVP_CipherInit_ex(sides[i].ctx, cipher, NULL, NULL, NULL, s.enc) == 1;
		EVP_CIPHER_free(cipher);
	}
	while (nb <= STEPS && same && (nb == 0 || sides[0].result > 0)) {
		enum call call = nb == 0 ? CALL_KEY_IV : draw(seed, CALLS);

		if (!allowed(&s, call) || (call == CALL_KEY && ciphers[s.cipher].aead))
			continue;
		if (call == CALL_IV || call == CALL_KEY_IV)
			draw_bytes(seed, s.iv, sizeof(s.iv));
		draw_bytes(seed, s.in, 64);
		s.len = draw(seed, 3) == 0 ? draw(seed, 64) : draw(seed, TEXT);
		s.number = 1 + (int)draw(seed, TAG);
		for (int i = 0; i < 2; i++)
			do_call(&s, call, &sides[i]);
		same = (sides[0].result > 0) == (sides[1].result > 0);
		if (sides[1].result > 0)
			same = same && sides[0].len == sides[1].len &&
					memcmp(sides[0].out, sides[1].out, sides[0].len) == 0;
		follow(&s, call);
		calls[nb++] = call;
	}
	for (int i = 0; i < 2; i++)
		EVP_CIPHER_CTX_free(sides[i].ctx);
	if (!same) {
		printf("# %s, enc %d, results %d and %d, lengths %d and %d, calls", name, s.enc,
				sides[0].result, sides[1].result, sides[0].len, sides[1].len);
		for (int i = 0; i < nb; i++)
			printf(" %d", calls[i]);
		printf("\n");
	}
	return same;
}

/* Does a number of random sequences. Returns true if both providers said the same. */
bool
sequences(unsigned int seed, int nb)
{
	static struct side sides[2];
	bool ok = true;

	for (int i = 0; i < nb && ok; i++)
		ok = sequence(&seed, sides);
	ERR_clear_error();
	return ok;
}
