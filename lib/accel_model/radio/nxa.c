/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The mode of 3GPP's 256-bit algorithms: see nxa.h. The first 48 bytes of a key stream are three
 * numbers of GF(2^128), H, Q and P. The tag is
 *
 *   Q (POLYVAL(H, additional data and ciphertext) + lengths) + P
 *
 * with the product of POLYVAL. The key stream of an AEAD goes on behind P. AES has two key streams
 * instead, one for H, Q and P and one for the text. The message of a MAC is additional data.
 */
#include <string.h>

#include <openssl/crypto.h>

#include "base/step.h"
#include "radio/nxa.h"
#include "radio/polyval.h"
#include "radio/snow5g.h"
#include "radio/zuc.h"

#define CHUNK 4096u /* bytes that are encrypted and hashed in turn */
#define COUNTED 12u /* bytes of AES's IV before the number of the block */
#define HASH_BIT 1u

void
nxa_set_key(struct nxa_key *key, enum nxa_stream stream, const uint8_t *bytes, EVP_CIPHER_CTX *aes)
{
	key->stream = stream;
	key->aes = aes;
	if (stream != NXA_AES)
		memcpy(key->bytes, bytes, sizeof(key->bytes));
}

struct stream {
	const struct nxa_key *key;
	union {
		struct snow5g snow5g;
		struct zuc zuc;
	} state;
};

/* The hash, and what is added at its end. */
struct hash {
	struct polyval sum;
	uint8_t hqp[3][POLYVAL_BLOCK];
};

static bool
stream_start_aes(EVP_CIPHER_CTX *aes, const uint8_t *iv, uint8_t first)
{
	uint8_t block[NXA_IV] = { 0 };

	memcpy(block, iv, COUNTED);
	block[0] |= first;
	return EVP_CipherInit_ex2(aes, NULL, NULL, block, -1, NULL) == 1;
}

/* Begin a key stream. @param first the bit of AES's IV, for the hash. */
static bool
stream_start(struct stream *s, const struct nxa_key *key, const uint8_t *iv, uint8_t first)
{
	s->key = key;
	if (key->stream == NXA_AES)
		return stream_start_aes(key->aes, iv, first);
	if (key->stream == NXA_SNOW5G)
		snow5g_start(&s->state.snow5g, key->bytes, iv);
	else
		zuc_start_nea6(&s->state.zuc, key->bytes, iv);
	return true;
}

/* Add the next bytes of a key stream. The length is a multiple of 16, but for the last call. */
static bool
stream_xor(struct stream *s, const uint8_t *in, uint8_t *out, uint32_t len)
{
	int done = 0;

	if (s->key->stream == NXA_AES)
		return EVP_CipherUpdate(s->key->aes, out, &done, in, (int)len) == 1 &&
		       (uint32_t)done == len;
	if (s->key->stream == NXA_SNOW5G)
		snow5g_xor(&s->state.snow5g, in, out, len);
	else
		zuc_xor(&s->state.zuc, in, out, len);
	return true;
}

static void
stream_wipe(struct stream *s)
{
	OPENSSL_cleanse(&s->state, sizeof(s->state));
}

static bool
hash_start(struct hash *h, struct stream *s, const struct nxa_key *key, const uint8_t *iv)
{
	memset(h, 0, sizeof(*h));
	if (!stream_start(s, key, iv, HASH_BIT) ||
	    !stream_xor(s, h->hqp[0], h->hqp[0], sizeof(h->hqp)))
		return false;
	polyval_key(&h->sum, h->hqp[0]);
	return true;
}

/* Hash additional data. */
static void
hash_add(struct hash *h, const uint8_t *in, uint32_t len)
{
	for (; len > ENGINE_STEP; len -= ENGINE_STEP, in += ENGINE_STEP) {
		polyval_add(&h->sum, in, ENGINE_STEP);
		engine_step();
	}
	polyval_add(&h->sum, in, len);
}

/* Make the tag. The lengths are in bits. */
static void
hash_end(struct hash *h, uint32_t text_len, uint32_t aad_len, uint8_t *tag)
{
	const uint64_t lengths[2] = { 8 * (uint64_t)text_len, 8 * (uint64_t)aad_len };

	polyval_key(&h->sum, h->hqp[1]);
	polyval_add(&h->sum, (const uint8_t *)lengths, sizeof(lengths));
	polyval_sum(&h->sum, tag);
	for (unsigned int i = 0; i < NXA_TAG_MAX; i++)
		tag[i] ^= h->hqp[2][i];
}

/* Encrypt or decrypt in chunks. @param h the hash of the ciphertext, or NULL. */
static bool
run(struct stream *s, struct hash *h, const uint8_t *in, uint8_t *out, uint32_t len, bool encrypt)
{
	for (uint32_t at = 0; at < len; at += CHUNK) {
		const uint32_t part = len - at < CHUNK ? len - at : CHUNK;

		if (at > 0 && at % ENGINE_STEP == 0)
			engine_step();
		if (h != NULL && !encrypt)
			polyval_add(&h->sum, in + at, part);
		if (!stream_xor(s, in + at, out + at, part))
			return false;
		if (h != NULL && encrypt)
			polyval_add(&h->sum, out + at, part);
	}
	return true;
}

bool
nxa_crypt(const struct nxa_key *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	  uint32_t len)
{
	struct stream s;
	const bool ok = stream_start(&s, key, iv, 0) && run(&s, NULL, in, out, len, true);

	stream_wipe(&s);
	return ok;
}

bool
nxa_mac(const struct nxa_key *key, const uint8_t *iv, const uint8_t *in, uint32_t len, uint8_t *tag)
{
	struct stream s;
	struct hash h;
	const bool ok = hash_start(&h, &s, key, iv);

	if (ok) {
		hash_add(&h, in, len);
		hash_end(&h, 0, len, tag);
	}
	stream_wipe(&s);
	OPENSSL_cleanse(&h, sizeof(h));
	return ok;
}

bool
nxa_aead(const struct nxa_key *key, const uint8_t *iv, const uint8_t *aad, uint32_t aad_len,
	 const uint8_t *in, uint8_t *out, uint32_t len, bool encrypt, uint8_t *tag)
{
	struct stream s;
	struct hash h;
	bool ok = hash_start(&h, &s, key, iv);

	if (ok && key->stream == NXA_AES)
		ok = stream_start(&s, key, iv, 0);
	if (ok) {
		hash_add(&h, aad, aad_len);
		ok = run(&s, &h, in, out, len, encrypt);
		hash_end(&h, len, aad_len, tag);
	}
	stream_wipe(&s);
	OPENSSL_cleanse(&h, sizeof(h));
	return ok;
}
