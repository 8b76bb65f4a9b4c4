/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * POLYVAL: see polyval.h. A number of GF(2^128) is two words, the lower one first. The product of
 * two numbers has four words. It is multiplied by x^-128 and reduced (RFC 8452) in one step: the
 * field's polynomial, times the lower words, is added so that these become 0.
 *
 * The CPU's instruction multiplies words if it has one. Then four blocks are multiplied by powers
 * of the key, and their products are reduced together. If not, words are multiplied in C. Integer
 * multiplication has carries, so each word is taken in four parts with three zeros between bits,
 * into which carries go.
 */
#include <assert.h>
#include <string.h>

#include "base/util.h"
#include "radio/cpu.h"
#include "radio/polyval.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words of numbers are little-endian");

/* x^57 + x^62 + x^63: what a bit of a word adds 64 bits above it (x^121, x^126, x^127). */
#define FOLD UINT64_C(0xc200000000000000)

#define PARTS 4u
#define PART UINT64_C(0x1111111111111111)

/* The functions below multiply in C. */

/* Make the lower word of a product. */
static ALWAYS_INLINE uint64_t
multiply_low(uint64_t a, uint64_t b)
{
	uint64_t product = 0;

#pragma GCC unroll 4
	for (unsigned int k = 0; k < PARTS; k++) {
		uint64_t sum = 0;

#pragma GCC unroll 4
		for (unsigned int i = 0; i < PARTS; i++)
			sum ^= (a & PART << i) * (b & PART << (k - i) % PARTS);
		product |= sum & PART << k;
	}
	return product;
}

/* Reverse the bits of a word. */
static ALWAYS_INLINE uint64_t
reverse(uint64_t w)
{
	w = (w >> 1 & UINT64_C(0x5555555555555555)) | (w & UINT64_C(0x5555555555555555)) << 1;
	w = (w >> 2 & UINT64_C(0x3333333333333333)) | (w & UINT64_C(0x3333333333333333)) << 2;
	w = (w >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (w & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
	return __builtin_bswap64(w);
}

/* Add a product of words at word[0] and word[1]. Seen from the other end, its upper word is a lower
 * one. */
static ALWAYS_INLINE void
add_product(uint64_t *word, uint64_t a, uint64_t b)
{
	word[0] ^= multiply_low(a, b);
	word[1] ^= reverse(multiply_low(reverse(a), reverse(b))) >> 1;
}

/* Make word[0] zero. */
static ALWAYS_INLINE void
fold(uint64_t *word)
{
	const uint64_t w = word[0];

	word[1] ^= w << 57 ^ w << 62 ^ w << 63;
	word[2] ^= w >> 7 ^ w >> 2 ^ w >> 1 ^ w;
}

/* Multiply numbers: a becomes a b x^-128. */
static void
multiply_plain(uint64_t *a, const uint64_t *b)
{
	uint64_t word[4] = { 0 };

	add_product(word, a[0], b[0]);
	add_product(word + 1, a[0], b[1]);
	add_product(word + 1, a[1], b[0]);
	add_product(word + 2, a[1], b[1]);
	fold(word);
	fold(word + 1);
	a[0] = word[2];
	a[1] = word[3];
}

static void
add_plain(struct polyval *p, const uint8_t *in, size_t blocks)
{
	uint64_t block[2];

	for (; blocks > 0; blocks--, in += sizeof(block)) {
		memcpy(block, in, sizeof(block));
		p->sum[0] ^= block[0];
		p->sum[1] ^= block[1];
		multiply_plain(p->sum, p->power[0]);
	}
}

/* The functions below multiply with the CPU's instruction. */

#if defined(__x86_64__)
#define WITH_CLMUL __attribute__((target("pclmul")))

/* The sum of several products, before its reduction: words 0 and 1, 1 and 2, 2 and 3. */
struct products {
	__m128i low, middle, high;
};

static ALWAYS_INLINE WITH_CLMUL void
add_products(struct products *sum, __m128i a, __m128i b)
{
	sum->low ^= _mm_clmulepi64_si128(a, b, 0x00);
	sum->middle ^= _mm_clmulepi64_si128(a, b, 0x01) ^ _mm_clmulepi64_si128(a, b, 0x10);
	sum->high ^= _mm_clmulepi64_si128(a, b, 0x11);
}

/* Make the lower word zero, and swap it with the upper one, which is the next to become zero. */
static ALWAYS_INLINE WITH_CLMUL __m128i
fold_cpu(__m128i low)
{
	const __m128i by = _mm_set_epi64x(0, (long long)FOLD);

	return _mm_shuffle_epi32(low, 0x4e) ^ _mm_clmulepi64_si128(low, by, 0x00);
}

static ALWAYS_INLINE WITH_CLMUL __m128i
reduce(const struct products *sum)
{
	const __m128i low = sum->low ^ _mm_slli_si128(sum->middle, 8);
	const __m128i high = sum->high ^ _mm_srli_si128(sum->middle, 8);

	return high ^ fold_cpu(fold_cpu(low));
}

static ALWAYS_INLINE __m128i
load(const void *at)
{
	return _mm_loadu_si128((const __m128i_u *)at);
}

static WITH_CLMUL void
multiply_cpu(uint64_t *a, const uint64_t *b)
{
	struct products sum = { 0 };

	add_products(&sum, load(a), load(b));
	_mm_storeu_si128((__m128i_u *)a, reduce(&sum));
}

static WITH_CLMUL void
make_powers(struct polyval *p)
{
	for (; p->powers < POLYVAL_POWERS; p->powers++) {
		memcpy(p->power[p->powers], p->power[p->powers - 1], sizeof(p->power[0]));
		multiply_cpu(p->power[p->powers], p->power[0]);
	}
}

static WITH_CLMUL void
add_cpu(struct polyval *p, const uint8_t *in, size_t blocks)
{
	__m128i sum = load(p->sum);

	if (blocks >= POLYVAL_POWERS)
		make_powers(p);
	while (blocks > 0) {
		const size_t nb = blocks >= POLYVAL_POWERS ? POLYVAL_POWERS : 1;
		struct products products = { 0 };

		for (size_t i = nb; i-- > 0; in += POLYVAL_BLOCK) {
			add_products(&products, load(in) ^ sum, load(p->power[i]));
			sum = _mm_setzero_si128();
		}
		sum = reduce(&products);
		blocks -= nb;
	}
	_mm_storeu_si128((__m128i_u *)p->sum, sum);
}
#else
static void
add_cpu(struct polyval *p, const uint8_t *in, size_t blocks)
{
	add_plain(p, in, blocks);
}
#endif

void
polyval_key(struct polyval *p, const uint8_t *key)
{
	memcpy(p->power[0], key, sizeof(p->power[0]));
	p->powers = 1;
}

void
polyval_add(struct polyval *p, const uint8_t *in, size_t len)
{
	void (*add)(struct polyval *, const uint8_t *, size_t) = cpu_has_aes() ? add_cpu :
										 add_plain;
	const size_t rest = len % POLYVAL_BLOCK;
	uint8_t last[POLYVAL_BLOCK] = { 0 };

	add(p, in, len / POLYVAL_BLOCK);
	if (rest == 0)
		return;
	memcpy(last, in + len - rest, rest);
	add(p, last, 1);
}

void
polyval_sum(const struct polyval *p, uint8_t *sum)
{
	memcpy(sum, p->sum, sizeof(p->sum));
}
