/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * SNOW 5G: see snow5g.h. A step of the cipher makes 16 bytes and moves both LFSRs by 8 words, which
 * vectors of the compiler compute side by side. The FSM has two rounds of AES without a key. The
 * CPU's instruction does a round if it has one. If not, a round is computed in C, where the S-box
 * is no table (sbox.h).
 */
#include <assert.h>
#include <string.h>

#include <openssl/crypto.h>

#include "radio/cpu.h"
#include "radio/sbox.h"
#include "radio/snow5g.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words of the LFSRs are little-endian");

typedef snow5g_words words;
typedef snow5g_bytes bytes;
typedef int16_t signs __attribute__((vector_size(16)));
typedef bytes (*aes_round_t)(bytes in);

#define ALPHA 0x4a6d
#define BETA 0xcc87
#define LOADING_STEPS 16u

/* The functions below do a round of AES with a key of zeros. */

static const uint8_t aes_to_pair[] = { 0x01, 0x20, 0x46, 0x4c, 0x3c, 0xd5, 0x34, 0xe5 };
static const uint8_t aes_from_pair[] = { 0x1f, 0xb2, 0xab, 0x36, 0x52, 0x3e, 0x65, 0x60 };

#define AES_ADD 0x63u

static ALWAYS_INLINE uint32_t
rotate_right(uint32_t word, unsigned int bits)
{
	return word >> bits | word << (32 - bits);
}

/* Do SubBytes and MixColumns of one column. */
static ALWAYS_INLINE uint32_t
aes_column(uint32_t column)
{
	const uint32_t s = sbox_inverse(aes_to_pair, aes_from_pair, column) ^ LANES(AES_ADD);
	const uint32_t twice = (s & LANES(0x7f)) << 1 ^ (s >> 7 & LANES(1)) * 0x1b;

	return twice ^ rotate_right(twice ^ s, 8) ^ rotate_right(s, 16) ^ rotate_right(s, 24);
}

static bytes
aes_round_plain(bytes in)
{
	const bytes shifted = __builtin_shufflevector(in, in, 0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2,
						      7, 12, 1, 6, 11);
	uint32_t column[4];
	bytes out;

	memcpy(column, &shifted, sizeof(column));
	for (unsigned int i = 0; i < 4; i++)
		column[i] = aes_column(column[i]);
	memcpy(&out, column, sizeof(out));
	return out;
}

#if defined(__x86_64__)
#define WITH_AES __attribute__((target("ssse3,aes")))

static inline WITH_AES bytes
aes_round_cpu(bytes in)
{
	return (bytes)_mm_aesenc_si128((__m128i)in, _mm_setzero_si128());
}
#else
#define WITH_AES
#define aes_round_cpu aes_round_plain
#endif

/* The functions below make the key stream. */

/* Multiply each word by x. @param reduction what is added if the highest bit was set. */
static ALWAYS_INLINE words
times_x(words w, uint16_t reduction)
{
	return w << 1 ^ ((words)((signs)w >> 15) & reduction);
}

/* Make the next 16 bytes of the key stream, and do a step. */
static ALWAYS_INLINE bytes
step(struct snow5g *s, aes_round_t aes_round)
{
	const words a = s->a[0], b = s->b[0];
	const words a_7 = __builtin_shufflevector(a, s->a[1], 7, 8, 9, 10, 11, 12, 13, 14);
	const bytes stream = (bytes)(s->b[1] + (words)s->r[0]) ^ s->r[1];
	const bytes sum = (bytes)(((words)s->r[2] ^ s->a[1]) + (words)s->r[1]);

	s->r[2] = aes_round(s->r[1]);
	s->r[1] = aes_round(s->r[0]);
	s->r[0] = __builtin_shufflevector(sum, sum, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7,
					  11, 15);
	s->a[0] = s->a[1];
	s->b[0] = s->b[1];
	s->a[1] = times_x(a, ALPHA) ^ b ^ a_7;
	s->b[1] = times_x(b, BETA) ^ a ^ s->b[1];
	return stream;
}

/* Load key and IV. The key stream goes back into LFSR A, and the key is added to R1 after the last
 * two steps. */
static ALWAYS_INLINE void
start(struct snow5g *state, const uint8_t *key, const uint8_t *iv, aes_round_t aes_round)
{
	struct snow5g s;
	bytes half[2];

	memcpy(half, key, sizeof(half));
	memset(&s, 0, sizeof(s));
	memcpy(&s.a[0], iv, sizeof(s.a[0]));
	s.a[1] = (words)half[0];
	s.b[1] = (words)half[1];
	for (unsigned int i = 0; i < LOADING_STEPS; i++) {
		const bytes stream = step(&s, aes_round);

		s.a[1] ^= (words)stream;
		if (i >= LOADING_STEPS - 2)
			s.r[0] ^= half[i - (LOADING_STEPS - 2)];
	}
	*state = s;
	OPENSSL_cleanse(&s, sizeof(s));
	OPENSSL_cleanse(half, sizeof(half));
}

static ALWAYS_INLINE void
run(struct snow5g *state, const uint8_t *in, uint8_t *out, uint32_t len, aes_round_t aes_round)
{
	struct snow5g s = *state;
	bytes block = { 0 };

	for (; len >= sizeof(block); len -= sizeof(block), in += sizeof(block)) {
		memcpy(&block, in, sizeof(block));
		block ^= step(&s, aes_round);
		memcpy(out, &block, sizeof(block));
		out += sizeof(block);
	}
	if (len > 0) {
		memcpy(&block, in, len);
		block ^= step(&s, aes_round);
		memcpy(out, &block, len);
	}
	*state = s;
	OPENSSL_cleanse(&s, sizeof(s));
	OPENSSL_cleanse(&block, sizeof(block));
}

static WITH_AES void
start_cpu(struct snow5g *s, const uint8_t *key, const uint8_t *iv)
{
	start(s, key, iv, aes_round_cpu);
}

static WITH_AES void
run_cpu(struct snow5g *s, const uint8_t *in, uint8_t *out, uint32_t len)
{
	run(s, in, out, len, aes_round_cpu);
}

void
snow5g_start(struct snow5g *s, const uint8_t *key, const uint8_t *iv)
{
	if (cpu_has_aes())
		start_cpu(s, key, iv);
	else
		start(s, key, iv, aes_round_plain);
}

void
snow5g_xor(struct snow5g *s, const uint8_t *in, uint8_t *out, uint32_t len)
{
	if (cpu_has_aes())
		run_cpu(s, in, out, len);
	else
		run(s, in, out, len, aes_round_plain);
}
