/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The reference of 3GPP's 256-bit algorithms (ref_wireless.h), written from TS 35.240 to 35.248. A
 * key stream is made as a whole before it is used. SNOW 5G has an array of words for each LFSR and
 * moves it word by word, AES has its S-box as a table, and GF(2^128) is computed bit by bit.
 */
#include <stdlib.h>
#include <string.h>

#include "ref_wireless.h"

#define BLOCK 16u
#define AES_ROUNDS 14u

/* AES (FIPS 197). */

static uint8_t aes_box[256];

static uint8_t
times_2(uint8_t v)
{
	return (uint8_t)(v << 1 ^ (v & 0x80 ? 0x1b : 0));
}

/* Makes the S-box. 3 generates the field, so its powers give the inverses. */
static void
aes_make_box(void)
{
	uint8_t power[255], v = 1;

	if (aes_box[0] != 0)
		return;
	for (unsigned int i = 0; i < 255; i++) {
		power[i] = v;
		v ^= times_2(v);
	}
	for (unsigned int i = 0; i < 255; i++) {
		const unsigned int w = power[(255 - i) % 255] * 0x101u;

		aes_box[power[i]] = (uint8_t)(w ^ w >> 4 ^ w >> 5 ^ w >> 6 ^ w >> 7 ^ 0x63);
	}
	aes_box[0] = 0x63;
}

/* Does SubBytes and ShiftRows, and MixColumns if it is not the last round. */
static void
aes_round(uint8_t *s, int is_last)
{
	uint8_t t[BLOCK];

	aes_make_box();
	for (unsigned int i = 0; i < BLOCK; i++)
		t[i] = aes_box[s[(i + 4 * (i % 4)) % BLOCK]];
	for (unsigned int i = 0; i < BLOCK; i++) {
		const uint8_t *c = t + i / 4 * 4;
		const uint8_t next = c[(i + 1) % 4];

		s[i] = is_last ? t[i]
			       : times_2(t[i]) ^ times_2(next) ^ next ^ c[(i + 2) % 4] ^
					 c[(i + 3) % 4];
	}
}

static void
aes_256_block(const uint8_t *key, uint8_t *block)
{
	uint8_t w[4 * 4 * (AES_ROUNDS + 1)], rcon = 1;

	aes_make_box();
	memcpy(w, key, 32);
	for (unsigned int i = 32; i < sizeof(w); i++) {
		uint8_t t = w[i - 4];

		if (i % 32 < 4)
			t = aes_box[i % 4 == 3 ? w[i - 7] : w[i - 3]];
		else if (i % 32 / 4 == 4)
			t = aes_box[t];
		if (i % 32 == 0) {
			t ^= rcon;
			rcon = times_2(rcon);
		}
		w[i] = w[i - 32] ^ t;
	}
	for (unsigned int r = 0; r <= AES_ROUNDS; r++) {
		if (r > 0)
			aes_round(block, r == AES_ROUNDS);
		for (unsigned int i = 0; i < BLOCK; i++)
			block[i] ^= w[BLOCK * r + i];
	}
}

static void
aes_stream(const uint8_t *key, const uint8_t *iv, uint8_t first, uint8_t *out, size_t len)
{
	for (size_t at = 0; at < len; at += BLOCK) {
		const uint32_t nb = (uint32_t)(at / BLOCK);
		uint8_t block[BLOCK] = { 0 };

		memcpy(block, iv, 12);
		block[0] |= first;
		for (unsigned int i = 0; i < 4; i++)
			block[12 + i] = (uint8_t)(nb >> (24 - 8 * i));
		aes_256_block(key, block);
		memcpy(out + at, block, len - at < BLOCK ? len - at : BLOCK);
	}
}

/* SNOW 5G. */

struct snow5g {
	uint16_t a[16], b[16];
	uint8_t r1[BLOCK], r2[BLOCK], r3[BLOCK];
};

static uint16_t
word(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static void
put_word(uint8_t *bytes, unsigned int w)
{
	bytes[0] = (uint8_t)w;
	bytes[1] = (uint8_t)(w >> 8);
}

static void
snow5g_lfsr(struct snow5g *s)
{
	const uint16_t a = s->a[0], b = s->b[0];
	const unsigned int new_a = a << 1 ^ (a & 0x8000 ? 0x4a6d : 0) ^ b ^ s->a[7];
	const unsigned int new_b = b << 1 ^ (b & 0x8000 ? 0xcc87 : 0) ^ a ^ s->b[8];

	memmove(s->a, s->a + 1, 15 * sizeof(s->a[0]));
	memmove(s->b, s->b + 1, 15 * sizeof(s->b[0]));
	s->a[15] = (uint16_t)new_a;
	s->b[15] = (uint16_t)new_b;
}

static void
snow5g_step(struct snow5g *s, uint8_t *out)
{
	uint8_t sum[BLOCK];

	for (unsigned int i = 0; i < 8; i++) {
		put_word(out + 2 * i, s->b[8 + i] + word(s->r1 + 2 * i));
		put_word(sum + 2 * i,
			 (s->a[8 + i] ^ word(s->r3 + 2 * i)) + word(s->r2 + 2 * i));
	}
	for (unsigned int i = 0; i < BLOCK; i++)
		out[i] ^= s->r2[i];
	memcpy(s->r3, s->r2, BLOCK);
	aes_round(s->r3, 0);
	memcpy(s->r2, s->r1, BLOCK);
	aes_round(s->r2, 0);
	for (unsigned int i = 0; i < BLOCK; i++)
		s->r1[i] = sum[i / 4 + 4 * (i % 4)];
	for (unsigned int i = 0; i < 8; i++)
		snow5g_lfsr(s);
}

static void
snow5g_stream(const uint8_t *key, const uint8_t *iv, uint8_t *out, size_t len)
{
	struct snow5g s = { 0 };
	uint8_t z[BLOCK];

	for (unsigned int i = 0; i < 8; i++) {
		s.a[i] = word(iv + 2 * i);
		s.a[8 + i] = word(key + 2 * i);
		s.b[8 + i] = word(key + 16 + 2 * i);
	}
	for (unsigned int t = 0; t < 16; t++) {
		snow5g_step(&s, z);
		for (unsigned int i = 0; i < 8; i++)
			s.a[8 + i] ^= word(z + 2 * i);
		for (unsigned int i = 0; i < BLOCK && t >= 14; i++)
			s.r1[i] ^= key[BLOCK * (t - 14) + i];
	}
	for (size_t at = 0; at < len; at += BLOCK) {
		snow5g_step(&s, z);
		memcpy(out + at, z, len - at < BLOCK ? len - at : BLOCK);
	}
}

/* The mode. */

static uint8_t *
stream(unsigned int nr, const uint8_t *key, const uint8_t *iv, uint8_t first, size_t len)
{
	uint8_t *out = malloc(len + 1);

	if (out == NULL)
		abort();
	if (nr == 4)
		snow5g_stream(key, iv, out, len);
	else if (nr == 5)
		aes_stream(key, iv, first, out, len);
	else
		ref_zuc_nea6(key, iv, out, len);
	return out;
}

/* Multiplies sum by b and x^-128: for each bit of b, from the lowest one on, sum is added to a
 * product that is divided by x. The field is x^128 + x^127 + x^126 + x^121 + 1. */
static void
multiply(uint8_t *sum, const uint8_t *b)
{
	uint8_t product[BLOCK + 1] = { 0 };

	for (unsigned int bit = 0; bit < 128; bit++) {
		for (unsigned int i = 0; i < BLOCK && b[bit / 8] >> bit % 8 & 1; i++)
			product[i] ^= sum[i];
		if (product[0] & 1) {
			product[0] ^= 1;
			product[15] ^= 0xc2;
			product[16] ^= 1;
		}
		for (unsigned int i = 0; i < BLOCK; i++)
			product[i] = (uint8_t)(product[i] >> 1 | product[i + 1] << 7);
		product[16] >>= 1;
	}
	memcpy(sum, product, BLOCK);
}

static void
hash(uint8_t *sum, const uint8_t *h, const uint8_t *in, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		sum[i % BLOCK] ^= in[i];
		if (i % BLOCK == BLOCK - 1 || i == len - 1)
			multiply(sum, h);
	}
}

static void
tag(const uint8_t *hqp, const uint8_t *aad, size_t aad_len, const uint8_t *text, size_t len,
    uint8_t *out)
{
	uint8_t lengths[BLOCK];

	for (unsigned int i = 0; i < 8; i++) {
		lengths[i] = (uint8_t)((uint64_t)len * 8 >> 8 * i);
		lengths[8 + i] = (uint8_t)((uint64_t)aad_len * 8 >> 8 * i);
	}
	memset(out, 0, BLOCK);
	hash(out, hqp, aad, aad_len);
	hash(out, hqp, text, len);
	hash(out, hqp + BLOCK, lengths, BLOCK);
	for (unsigned int i = 0; i < BLOCK; i++)
		out[i] ^= hqp[2 * BLOCK + i];
}

void
ref_nea(unsigned int nr, const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	size_t len)
{
	uint8_t *z = stream(nr, key, iv, 0, len);

	for (size_t i = 0; i < len; i++)
		out[i] = in[i] ^ z[i];
	free(z);
}

void
ref_nia(unsigned int nr, const uint8_t *key, const uint8_t *iv, const uint8_t *in, size_t len,
	uint8_t *mac)
{
	uint8_t *z = stream(nr, key, iv, 1, 3 * BLOCK);

	tag(z, in, len, NULL, 0, mac);
	free(z);
}

void
ref_nca(unsigned int nr, const uint8_t *key, const uint8_t *iv, const uint8_t *aad, size_t aad_len,
	const uint8_t *in, uint8_t *out, size_t len, bool encrypt, uint8_t *mac)
{
	uint8_t *z = stream(nr, key, iv, 1, 3 * BLOCK + len);

	if (nr == 5) {
		uint8_t *text = stream(nr, key, iv, 0, len);

		memcpy(z + 3 * BLOCK, text, len);
		free(text);
	}
	if (!encrypt)
		tag(z, aad, aad_len, in, len, mac);
	for (size_t i = 0; i < len; i++)
		out[i] = in[i] ^ z[3 * BLOCK + i];
	if (encrypt)
		tag(z, aad, aad_len, out, len, mac);
	free(z);
}
