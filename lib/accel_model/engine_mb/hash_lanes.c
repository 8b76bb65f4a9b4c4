/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Hashes several messages side by side: see hash_lanes.h. A vector holds a word of each message's
 * state. A block of each is loaded as rows and turned over, so that a vector has a word of each.
 * Messages take as many steps in common as the shortest of them has blocks left.
 */
#include <string.h>

#include <openssl/crypto.h>

#include "base/util.h"
#include "engine_mb/hash_lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define VECTORS __attribute__((target("avx512f,avx512bw")))
#define VECTOR 64u /* bytes */
#define BLOCK_MAX 128u
#define WORDS 16u /* of a block */

/* FIPS 180-4, 4.2.3. Those of SHA-256 are the upper halves of the first 64 (4.2.2). */
static const uint64_t k2[80] = {
	0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f,
	0xe9b5dba58189dbbc, 0x3956c25bf348b538, 0x59f111f1b605d019,
	0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242,
	0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
	0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
	0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3,
	0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65, 0x2de92c6f592b0275,
	0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
	0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f,
	0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
	0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc,
	0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
	0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6,
	0x92722c851482353b, 0xa2bfe8a14cf10364, 0xa81a664bbc423001,
	0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
	0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
	0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99,
	0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb,
	0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc,
	0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
	0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915,
	0xc67178f2e372532b, 0xca273eceea26619c, 0xd186b8c721c0c207,
	0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba,
	0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
	0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
	0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a,
	0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};
static const uint32_t k1[4] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };

/* FIPS 180-4, 5.3. SHA-256 begins with the upper halves of the words of SHA-512, and SHA-224 with
 * the lower halves of those of SHA-384. */
static const uint32_t begin1[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
static const uint64_t begin384[8] = { 0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,
	0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7,
	0x47b5481dbefa4fa4 };
static const uint64_t begin512[8] = { 0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
	0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b,
	0x5be0cd19137e2179 };

static const struct {
	uint8_t words; /* of a state */
	uint8_t word; /* bytes of a word */
	uint8_t digest;
} hashes[HASH_LANES_KINDS] = {
	[HASH_LANES_SHA1] = { 5, 4, 20 },
	[HASH_LANES_SHA224] = { 8, 4, 28 },
	[HASH_LANES_SHA256] = { 8, 4, 32 },
	[HASH_LANES_SHA384] = { 8, 8, 48 },
	[HASH_LANES_SHA512] = { 8, 8, 64 },
};

/* A word of the state of each message. */
typedef union {
	uint8_t byte[8][VECTOR];
	__m512i vector[8];
} states;

/* What is left of a message. */
struct progress {
	const uint8_t *at;
	uint64_t blocks;
	uint8_t tail[2 * BLOCK_MAX]; /* the last bytes of the message, with their padding */
	uint8_t tail_blocks; /* 0: the tail is under way, or done */
	bool outer; /* the outer hash of HMAC is under way */
	bool done;
};

/* From which words of two rows the new ones come, for blocks of rows and columns that are s apart.
 * The words of the second row are counted from n on. */
#define LOW(i, s, n) (((i) & (s)) == 0 ? (i) : (n) + (i) - (s))
#define HIGH(i, s, n) (((i) & (s)) == 0 ? (i) + (s) : (n) + (i))
#define EIGHT(f, i, s, n)                                                                          \
	f((i), s, n), f((i) + 1, s, n), f((i) + 2, s, n), f((i) + 3, s, n), f((i) + 4, s, n),      \
			f((i) + 5, s, n), f((i) + 6, s, n), f((i) + 7, s, n)
#define TURN32(s) { { EIGHT(LOW, 0, s, 16), EIGHT(LOW, 8, s, 16) },                                \
		{ EIGHT(HIGH, 0, s, 16), EIGHT(HIGH, 8, s, 16) } }
#define TURN64(s) { { EIGHT(LOW, 0, s, 8) }, { EIGHT(HIGH, 0, s, 8) } }

static const _Alignas(VECTOR) uint32_t turn32[4][2][16] = { TURN32(1), TURN32(2), TURN32(4),
	TURN32(8) };
static const _Alignas(VECTOR) uint64_t turn64[4][2][8] = { TURN64(1), TURN64(2), TURN64(4) };

#define FOUR(f, t) f((t)); f((t) + 1); f((t) + 2); f((t) + 3)
#define SIXTEEN(f, t) FOUR(f, (t)); FOUR(f, (t) + 4); FOUR(f, (t) + 8); FOUR(f, (t) + 12)

/* Exchange the blocks of rows and columns that are `step` apart. */
static VECTORS ALWAYS_INLINE void
turn_step(__m512i *row, const __m512i low, const __m512i high, const unsigned int step,
		const bool wide)
{
	__m512i a, b;

#define PAIR(i)                                                                                    \
	if (((i) & step) == 0 && (i) < (wide ? 8 : 16)) {                                          \
		a = row[i];                                                                        \
		b = row[((i) + step) % WORDS];                                                     \
		row[i] = wide ? _mm512_permutex2var_epi64(a, low, b) :                             \
				_mm512_permutex2var_epi32(a, low, b);                              \
		row[((i) + step) % WORDS] = wide ? _mm512_permutex2var_epi64(a, high, b) :         \
						   _mm512_permutex2var_epi32(a, high, b);          \
	}
	SIXTEEN(PAIR, 0)
#undef PAIR
}

/* Make the rows of a matrix its columns. */
static VECTORS ALWAYS_INLINE void
turn(__m512i *row, const bool wide)
{
#define STEP(t)                                                                                    \
	turn_step(row, _mm512_load_si512(wide ? (const void *)turn64[t][0] : turn32[t][0]),        \
			_mm512_load_si512(wide ? (const void *)turn64[t][1] : turn32[t][1]),       \
			1u << (t), wide)
	STEP(0);
	STEP(1);
	STEP(2);
	if (!wide)
		STEP(3);
#undef STEP
}

/* Load a block of each message: word by word, in the order of the CPU. */
static VECTORS ALWAYS_INLINE void
load(__m512i w[WORDS], const uint8_t *const at[HASH_LANES], uint64_t offset, const bool wide)
{
	const __m512i swap = wide ? _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203,
						    0x04050607) :
				    _mm512_set4_epi32(0x0c0d0e0f, 0x08090a0b, 0x04050607,
						    0x00010203);

	__m512i row[WORDS];

#define ROW(t)                                                                                     \
	row[t] = wide ? _mm512_loadu_si512(at[(t) % 8] + offset + (t) / 8 * VECTOR) :              \
			_mm512_loadu_si512(at[t] + offset)
	SIXTEEN(ROW, 0);
#undef ROW
	turn(row, wide);
	if (wide)
		turn(row + 8, wide);
#define WORD(t) w[t] = _mm512_shuffle_epi8(row[t], swap)
	SIXTEEN(WORD, 0);
#undef WORD
}

#define ADD(a, b) (wide ? _mm512_add_epi64(a, b) : _mm512_add_epi32(a, b))
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define CHOOSE(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xca)
#define MAJORITY(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xe8)
#define ROR(a, n32, n64) (wide ? _mm512_ror_epi64(a, n64) : _mm512_ror_epi32(a, n32))
#define SHR(a, n32, n64) (wide ? _mm512_srli_epi64(a, n64) : _mm512_srli_epi32(a, n32))

/* FIPS 180-4, 6.1.2 */
static VECTORS ALWAYS_INLINE void
round1(__m512i v[5], __m512i w[WORDS], const unsigned int t)
{
	const __m512i f = t < 20 ? CHOOSE(v[1], v[2], v[3]) :
			  t < 40 || t >= 60 ? XOR3(v[1], v[2], v[3]) : MAJORITY(v[1], v[2], v[3]);
	const __m512i k = _mm512_set1_epi32((int)k1[t / 20]);
	__m512i sum;

	if (t >= WORDS)
		w[t % WORDS] = _mm512_rol_epi32(
				_mm512_xor_si512(w[(t + 13) % WORDS],
						XOR3(w[(t + 8) % WORDS], w[(t + 2) % WORDS],
								w[t % WORDS])), 1);
	sum = _mm512_add_epi32(_mm512_add_epi32(_mm512_rol_epi32(v[0], 5), f),
			_mm512_add_epi32(_mm512_add_epi32(v[4], k), w[t % WORDS]));
	v[4] = v[3];
	v[3] = v[2];
	v[2] = _mm512_rol_epi32(v[1], 30);
	v[1] = v[0];
	v[0] = sum;
}

/* FIPS 180-4, 6.2.2 and 6.4.2. The schedule's words are made from the second WORDS rounds on. */
static VECTORS ALWAYS_INLINE void
round2(__m512i v[8], __m512i w[WORDS], const unsigned int t, const __m512i k, const bool first,
		const bool wide)
{
	const __m512i x = w[(t + 1) % WORDS], y = w[(t + 14) % WORDS];
	__m512i sum, other;

	if (!first)
		w[t] = ADD(ADD(w[t], w[(t + 9) % WORDS]),
				ADD(XOR3(ROR(x, 7, 1), ROR(x, 18, 8), SHR(x, 3, 7)),
						XOR3(ROR(y, 17, 19), ROR(y, 19, 61),
								SHR(y, 10, 6))));
	sum = ADD(ADD(v[7], ADD(k, w[t])),
			ADD(XOR3(ROR(v[4], 6, 14), ROR(v[4], 11, 18), ROR(v[4], 25, 41)),
					CHOOSE(v[4], v[5], v[6])));
	other = ADD(XOR3(ROR(v[0], 2, 28), ROR(v[0], 13, 34), ROR(v[0], 22, 39)),
			MAJORITY(v[0], v[1], v[2]));
	v[7] = v[6];
	v[6] = v[5];
	v[5] = v[4];
	v[4] = ADD(v[3], sum);
	v[3] = v[2];
	v[2] = v[1];
	v[1] = v[0];
	v[0] = ADD(sum, other);
}

static VECTORS void
blocks1(states *state, const uint8_t *const at[HASH_LANES], uint64_t nb)
{
	for (uint64_t i = 0; i < nb; i++) {
		__m512i w[WORDS], v[5];

		load(w, at, i * 64, false);
		for (unsigned int j = 0; j < 5; j++)
			v[j] = state->vector[j];
#define ROUND(t) round1(v, w, (t))
		SIXTEEN(ROUND, 0);
		SIXTEEN(ROUND, 16);
		SIXTEEN(ROUND, 32);
		SIXTEEN(ROUND, 48);
		SIXTEEN(ROUND, 64);
#undef ROUND
		for (unsigned int j = 0; j < 5; j++)
			state->vector[j] = _mm512_add_epi32(state->vector[j], v[j]);
	}
}

static VECTORS ALWAYS_INLINE void
blocks2(states *state, const uint8_t *const at[HASH_LANES], uint64_t nb, const bool wide)
{
	for (uint64_t i = 0; i < nb; i++) {
		__m512i w[WORDS], v[8];

		load(w, at, i * (wide ? 128 : 64), wide);
		for (unsigned int j = 0; j < 8; j++)
			v[j] = state->vector[j];
#define K(t) (wide ? _mm512_set1_epi64((long long)k2[t]) : _mm512_set1_epi32((int)(k2[t] >> 32)))
#define ROUND(t) round2(v, w, (t), K(t), true, wide)
		SIXTEEN(ROUND, 0);
#undef ROUND
		for (unsigned int from = WORDS; from < (wide ? 80 : 64); from += WORDS) {
#define ROUND(t) round2(v, w, (t), K(from + (t)), false, wide)
			SIXTEEN(ROUND, 0);
#undef ROUND
#undef K
		}
		for (unsigned int j = 0; j < 8; j++)
			state->vector[j] = ADD(state->vector[j], v[j]);
	}
}

static VECTORS void
blocks256(states *state, const uint8_t *const at[HASH_LANES], uint64_t nb)
{
	blocks2(state, at, nb, false);
}

static VECTORS void
blocks512(states *state, const uint8_t *const at[HASH_LANES], uint64_t nb)
{
	blocks2(state, at, nb, true);
}

bool
hash_lanes_available(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

unsigned int
hash_lanes_width(enum hash_lanes_kind kind)
{
	return VECTOR / hashes[kind].word;
}

static unsigned int
block_of(enum hash_lanes_kind kind)
{
	return WORDS * hashes[kind].word;
}

/* Set the state of a message to that of HMAC's pad, or to the first one of the hash. */
static void
set_state(enum hash_lanes_kind kind, states *state, unsigned int lane, const uint8_t *pad)
{
	const unsigned int word = hashes[kind].word;

	for (unsigned int i = 0; i < hashes[kind].words; i++) {
		const uint64_t first = kind == HASH_LANES_SHA1 ? begin1[i % 5] :
				kind == HASH_LANES_SHA256      ? begin512[i] >> 32 :
				kind == HASH_LANES_SHA512      ? begin512[i] :
								 begin384[i];

		memcpy(state->byte[i] + lane * word,
				pad != NULL ? pad + i * word : (const uint8_t *)&first, word);
	}
}

/* Write a number with its first byte first. */
static void
put_number(uint8_t *to, uint64_t number, unsigned int bytes)
{
	for (; bytes > 0; number >>= 8)
		to[--bytes] = (uint8_t)number;
}

/* Prepare the end of a message: what is left of it after its whole blocks, and the padding (FIPS
 * 180-4, 5.1). @p len of the message, and of what was hashed before it. */
static void
set_tail(enum hash_lanes_kind kind, struct progress *p, const uint8_t *rest, uint64_t len,
		uint64_t before)
{
	const unsigned int block = block_of(kind);
	const unsigned int left = (unsigned int)(len % block);

	p->tail_blocks = left + 1 + block / 8 <= block ? 1 : 2;
	memset(p->tail, 0, sizeof(p->tail));
	if (left > 0)
		memcpy(p->tail, rest, left);
	p->tail[left] = 0x80;
	put_number(p->tail + p->tail_blocks * block - 8, 8 * (before + len), 8);
}

static void
get_digest(enum hash_lanes_kind kind, const states *state, unsigned int lane, uint8_t *digest)
{
	const unsigned int word = hashes[kind].word;

	for (unsigned int i = 0; i < hashes[kind].digest / word; i++) {
		uint64_t value = 0;

		memcpy(&value, state->byte[i] + lane * word, word);
		put_number(digest + i * word, value, word);
	}
}

/* Go on with a message whose blocks are done: its tail comes next, then the outer hash of HMAC. */
static void
go_on(enum hash_lanes_kind kind, struct progress *p, states *state, struct hash_lane *lane,
		unsigned int at)
{
	const uint8_t digest = hashes[kind].digest;

	if (p->tail_blocks == 0) {
		get_digest(kind, state, at, lane->digest);
		p->done = lane->opad == NULL || p->outer;
		if (p->done)
			return;
		p->outer = true;
		set_state(kind, state, at, lane->opad);
		set_tail(kind, p, lane->digest, digest, block_of(kind));
	}
	p->at = p->tail;
	p->blocks = p->tail_blocks;
	p->tail_blocks = 0;
}

/* Do as many blocks of all messages as the shortest one has. Return false if all are done. */
static bool
step(enum hash_lanes_kind kind, struct progress *p, states *state, unsigned int nb)
{
	const uint8_t *at[HASH_LANES], *any = NULL;
	uint64_t blocks = UINT64_MAX;

	for (unsigned int i = 0; i < nb; i++) {
		if (!p[i].done && p[i].blocks < blocks) {
			blocks = p[i].blocks;
			any = p[i].at;
		}
	}
	if (any == NULL)
		return false;
	for (unsigned int i = 0; i < HASH_LANES; i++)
		at[i] = i < nb && !p[i].done ? p[i].at : any;
	if (kind == HASH_LANES_SHA1)
		blocks1(state, at, blocks);
	else if (hashes[kind].word == 4)
		blocks256(state, at, blocks);
	else
		blocks512(state, at, blocks);
	for (unsigned int i = 0; i < nb; i++) {
		if (p[i].done)
			continue;
		p[i].at += blocks * block_of(kind);
		p[i].blocks -= blocks;
	}
	return true;
}

void
hash_lanes_run(enum hash_lanes_kind kind, struct hash_lane *lane, unsigned int nb)
{
	const unsigned int block = block_of(kind);
	struct progress p[HASH_LANES];
	states state;

	memset(&state, 0, sizeof(state));
	for (unsigned int i = 0; i < nb; i++) {
		const uint64_t whole = lane[i].len / block;

		p[i] = (struct progress){ .at = lane[i].msg, .blocks = whole };
		set_state(kind, &state, i, lane[i].ipad);
		set_tail(kind, &p[i], lane[i].msg + whole * block, lane[i].len,
				lane[i].ipad != NULL ? block : 0);
	}
	do {
		for (unsigned int i = 0; i < nb; i++) {
			while (!p[i].done && p[i].blocks == 0)
				go_on(kind, &p[i], &state, &lane[i], i);
		}
	} while (step(kind, p, &state, nb));
	OPENSSL_cleanse(p, sizeof(p));
	OPENSSL_cleanse(&state, sizeof(state));
}
#else
bool
hash_lanes_available(void)
{
	return false;
}

unsigned int
hash_lanes_width(enum hash_lanes_kind kind)
{
	(void)kind;
	return 0;
}

void
hash_lanes_run(enum hash_lanes_kind kind, struct hash_lane *lane, unsigned int nb)
{
	(void)kind;
	(void)lane;
	(void)nb;
}
#endif
