/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * GCM from a given counter block: see engine_gcm_j0.h.
 */
#include <string.h>

#include <openssl/crypto.h>

#include "engine/engine.h"
#include "engine/engine_gcm_j0.h"

#define BLOCK 16u
#define COUNTER 12u /* where the 32-bit counter of a counter block begins */
#define CHUNK 512u /* bytes at a time */

/* Holds a block as SP 800-38D, 6.3 numbers it: bit 0 is the most significant bit of high. */
struct gf {
	uint64_t high;
	uint64_t low;
};

struct gcm {
	EVP_CIPHER_CTX *ecb;
	struct gf h; /* hash subkey */
	struct gf y; /* GHASH so far */
	uint8_t counter[BLOCK];
};

static uint64_t
get64(const uint8_t *p)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

static void
put64(uint8_t *p, uint64_t v)
{
	for (unsigned int i = 8; i-- > 0; v >>= 8)
		p[i] = (uint8_t)v;
}

/* Multiply two blocks (SP 800-38D, 6.3, algorithm 1), with masks instead of branches. */
static struct gf
gf_multiply(struct gf x, struct gf v)
{
	struct gf z = { 0, 0 };

	for (unsigned int i = 0; i < 128; i++) {
		const uint64_t bit = i < 64 ? x.high >> (63 - i) : x.low >> (127 - i);
		const uint64_t add = 0 - (bit & 1), reduce = 0 - (v.low & 1);

		z.high ^= v.high & add;
		z.low ^= v.low & add;
		v.low = v.low >> 1 | v.high << 63;
		v.high = v.high >> 1 ^ (reduce & UINT64_C(0xe1) << 56);
	}
	return z;
}

/* Add data to GHASH (SP 800-38D, 6.4). The data is filled up with zeros to whole blocks. */
static void
ghash(struct gcm *g, const uint8_t *data, uint32_t len)
{
	for (uint32_t at = 0; at < len; at += BLOCK) {
		uint8_t block[BLOCK] = { 0 };

		memcpy(block, data + at, len - at < BLOCK ? len - at : BLOCK);
		g->y.high ^= get64(block);
		g->y.low ^= get64(block + 8);
		g->y = gf_multiply(g->y, g->h);
	}
}

static bool
encipher(const struct gcm *g, uint8_t *blocks, uint32_t len)
{
	int done = 0;

	return EVP_EncryptUpdate(g->ecb, blocks, &done, blocks, (int)len) == 1 &&
			(uint32_t)done == len;
}

/* Increment the counter (SP 800-38D, 6.2). It is the last 32 bits of the block, which wrap. */
static void
next_counter(uint8_t *block)
{
	for (unsigned int i = BLOCK; i-- > COUNTER && ++block[i] == 0;)
		;
}

/* Encrypt or decrypt up to CHUNK bytes (GCTR, SP 800-38D, 6.5), and add their ciphertext to GHASH.
 * The input is read once. */
static bool
crypt_chunk(struct gcm *g, const uint8_t *in, uint8_t *out, uint32_t len, bool encrypt)
{
	uint8_t stream[CHUNK], text[CHUNK];
	const uint32_t whole = (len + BLOCK - 1) / BLOCK * BLOCK;

	for (uint32_t at = 0; at < whole; at += BLOCK) {
		next_counter(g->counter);
		memcpy(stream + at, g->counter, BLOCK);
	}
	if (!encipher(g, stream, whole))
		return false;
	memcpy(text, in, len);
	if (!encrypt)
		ghash(g, text, len);
	for (uint32_t i = 0; i < len; i++)
		text[i] ^= stream[i];
	if (encrypt)
		ghash(g, text, len);
	memcpy(out, text, len);
	OPENSSL_cleanse(stream, sizeof(stream));
	OPENSSL_cleanse(text, sizeof(text));
	return true;
}

bool
gcm_j0_crypt(EVP_CIPHER_CTX *ecb, const uint8_t *j0, const uint8_t *aad, uint32_t aad_len,
	     const uint8_t *in, uint8_t *out, uint32_t len, bool encrypt, uint8_t *tag)
{
	struct gcm g = { .ecb = ecb };
	uint8_t block[BLOCK] = { 0 }, lengths[BLOCK];
	bool ok = encipher(&g, block, BLOCK);

	g.h = (struct gf){ get64(block), get64(block + 8) };
	memcpy(g.counter, j0, BLOCK);
	ghash(&g, aad, aad_len);
	for (uint32_t at = 0; at < len && ok; at += CHUNK) {
		ok = crypt_chunk(&g, in + at, out + at, len - at < CHUNK ? len - at : CHUNK,
				encrypt);
		if (at % ENGINE_STEP == ENGINE_STEP - CHUNK)
			engine_step();
	}
	put64(lengths, 8 * (uint64_t)aad_len);
	put64(lengths + 8, 8 * (uint64_t)len);
	ghash(&g, lengths, BLOCK);
	memcpy(block, j0, BLOCK);
	ok = ok && encipher(&g, block, BLOCK);
	put64(tag, g.y.high ^ get64(block));
	put64(tag + 8, g.y.low ^ get64(block + 8));
	OPENSSL_cleanse(&g, sizeof(g));
	OPENSSL_cleanse(block, sizeof(block));
	return ok;
}
