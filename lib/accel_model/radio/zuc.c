/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ZUC (TS 35.222; ZUC-256: its specification of 2018 with the IV of 25 bytes, and TS 35.246 with
 * the IV of 16 bytes) and its MACs: see zuc.h. test/unit/model_engine/test_zuc.c compares the
 * results with those of code that has the S-boxes as tables.
 */
#include <string.h>

#include <openssl/crypto.h>

#include "base/step.h"
#include "base/util.h"
#include "radio/sbox.h"
#include "radio/zuc.h"

#define CELLS ZUC_CELLS
#define LOADING_ROUNDS 32u
#define LOADING_ROUNDS_NEA6 48u
#define MAC_WORDS_MAX 4u
#define LOW31 0x7fffffffu

/* The functions below compute the S-boxes. */

/* S0 is a Feistel network of these functions of 4 bits (sbox.h). */
#define P1 UINT64_C(0x0ace59d93b667960)
#define P2 UINT64_C(0xc470658d92f3eab1)
#define P3 UINT64_C(0x4509c4aa6349f3fb)

/* S1 is an inverse in GF(2^8) between linear functions. */
static const uint8_t s1_to_pair[] = { 0x01, 0x84, 0xc9, 0xbd, 0xfc, 0x2d, 0x9a, 0x98 };
static const uint8_t s1_from_pair[] = { 0x97, 0xcc, 0x17, 0x61, 0x3f, 0x3c, 0xb2, 0x29 };

#define S1_ADD 0x55u

static ALWAYS_INLINE uint32_t
s0_lanes(uint32_t lanes)
{
	uint32_t left = lanes >> 4 & LANES(0xf), right = lanes & LANES(0xf);
	uint32_t out;

	left ^= sbox_nibbles(P1, right);
	right ^= sbox_nibbles(P2, left);
	left ^= sbox_nibbles(P3, right);
	out = left << 4 | right;
	return (out << 5 & LANES(0xe0)) | (out >> 3 & LANES(0x1f));
}

static ALWAYS_INLINE uint32_t
s1_lanes(uint32_t lanes)
{
	return sbox_inverse(s1_to_pair, s1_from_pair, lanes) ^ LANES(S1_ADD);
}

/* The functions below make the key stream. */

static ALWAYS_INLINE uint32_t
rotate(uint32_t word, unsigned int bits)
{
	return word << bits | word >> (32 - bits);
}

/* Do bit reorganisation and F (TS 35.222, 3.3 and 3.4). Bytes 3 and 1 of a word go through S0, and
 * bytes 2 and 0 through S1. */
static ALWAYS_INLINE uint32_t
zuc_f(struct zuc *z)
{
	const uint32_t *s = z->cell + z->at;
	const uint32_t x0 = (s[15] & 0x7fff8000) << 1 | (s[14] & 0xffff);
	const uint32_t x1 = s[11] << 16 | s[9] >> 15;
	const uint32_t x2 = s[7] << 16 | s[5] >> 15;
	const uint32_t w = (x0 ^ z->r1) + z->r2, w1 = z->r1 + x1, w2 = z->r2 ^ x2;
	uint32_t u = w1 << 16 | w2 >> 16, v = w2 << 16 | w1 >> 16, s0, s1;

	z->x3 = s[2] << 16 | s[0] >> 15;
	u ^= rotate(u, 2) ^ rotate(u, 10) ^ rotate(u, 18) ^ rotate(u, 24);
	v ^= rotate(v, 8) ^ rotate(v, 14) ^ rotate(v, 22) ^ rotate(v, 30);
	s0 = s0_lanes((u & 0xff00ff00) | (v >> 8 & 0x00ff00ff));
	s1 = s1_lanes((u & 0x00ff00ff) | (v << 8 & 0xff00ff00));
	z->r1 = (s0 & 0xff00ff00) | (s1 & 0x00ff00ff);
	z->r2 = (s0 << 8 & 0xff00ff00) | (s1 >> 8 & 0x00ff00ff);
	return w;
}

/* Step the LFSR (TS 35.222, 3.2), modulo 2^31 - 1. The sum is not 0. It therefore does not become 0
 * when its upper bits are added to its lower bits. */
static ALWAYS_INLINE void
zuc_shift(struct zuc *z, uint32_t add)
{
	const uint32_t *s = z->cell + z->at;
	uint64_t sum = ((uint64_t)s[15] << 15) + ((uint64_t)s[13] << 17) +
		       ((uint64_t)s[10] << 21) + ((uint64_t)s[4] << 20) + ((uint64_t)s[0] << 8) +
		       s[0] + add;

	sum = (sum & LOW31) + (sum >> 31);
	sum = (sum & LOW31) + (sum >> 31);
	z->cell[z->at + CELLS] = (uint32_t)sum;
	if (++z->at == CELLS) {
		memcpy(z->cell, z->cell + CELLS, CELLS * sizeof(z->cell[0]));
		z->at = 0;
	}
}

static __attribute__((noinline)) uint32_t
zuc_word(struct zuc *z)
{
	const uint32_t word = zuc_f(z) ^ z->x3;

	zuc_shift(z, 0);
	return word;
}

static uint32_t
cell_of(unsigned int a, unsigned int b, unsigned int c, unsigned int d)
{
	return a << 23 | b << 16 | c << 8 | d;
}

/* Load the LFSR of ZUC (TS 35.222, 3.5). */
static void
load_128(struct zuc *z, const uint8_t *key, const uint8_t *iv)
{
	static const uint16_t d[CELLS] = { 0x44d7, 0x26bc, 0x626b, 0x135e, 0x5789, 0x35e2, 0x7135,
					   0x09af, 0x4d78, 0x2f13, 0x6bc4, 0x1af1, 0x5e26, 0x3c4d,
					   0x789a, 0x47ac };

	for (unsigned int i = 0; i < CELLS; i++)
		z->cell[i] = (uint32_t)key[i] << 23 | (uint32_t)d[i] << 8 | iv[i];
}

/* Load the LFSR of ZUC-256. Its constants differ between the key stream and the MACs. Each of the
 * last 8 bytes of the IV has 6 bits. */
static void
load_256(struct zuc *z, const uint8_t *k, const uint8_t *v, unsigned int mac_len)
{
	const unsigned int d0 = mac_len > 4 ? 0x23 : 0x22;
	const unsigned int d2 = mac_len == 4 || mac_len == 16 ? 0x25 : 0x24;

	z->cell[0] = cell_of(k[0], d0, k[21], k[16]);
	z->cell[1] = cell_of(k[1], 0x2f, k[22], k[17]);
	z->cell[2] = cell_of(k[2], d2, k[23], k[18]);
	z->cell[3] = cell_of(k[3], 0x2a, k[24], k[19]);
	z->cell[4] = cell_of(k[4], 0x6d, k[25], k[20]);
	z->cell[5] = cell_of(v[0], 0x40 | (v[17] & 0x3f), k[5], k[26]);
	z->cell[6] = cell_of(v[1], 0x40 | (v[18] & 0x3f), k[6], k[27]);
	z->cell[7] = cell_of(v[10], 0x40 | (v[19] & 0x3f), k[7], v[2]);
	z->cell[8] = cell_of(k[8], 0x40 | (v[20] & 0x3f), v[3], v[11]);
	z->cell[9] = cell_of(k[9], 0x40 | (v[21] & 0x3f), v[12], v[4]);
	z->cell[10] = cell_of(v[5], 0x40 | (v[22] & 0x3f), k[10], k[28]);
	z->cell[11] = cell_of(k[11], 0x40 | (v[23] & 0x3f), v[6], v[13]);
	z->cell[12] = cell_of(k[12], 0x40 | (v[24] & 0x3f), v[7], v[14]);
	z->cell[13] = cell_of(k[13], 0x52, v[15], v[8]);
	z->cell[14] = cell_of(k[14], 0x10 | k[31] >> 4, v[16], v[9]);
	z->cell[15] = cell_of(k[15], 0x30 | (k[31] & 0xf), k[30], k[29]);
}

/* Load the LFSR of ZUC-256 with an IV of 16 bytes. Each cell has a byte of the key at its upper end
 * and 7 constant bits. The other 16 bits are two bytes of the rest of the key, or of the IV. */
static void
load_nea6(struct zuc *z, const uint8_t *k, const uint8_t *v)
{
	static const uint8_t d[CELLS] = { 0x64, 0x43, 0x7b, 0x2a, 0x11, 0x05, 0x51, 0x42,
					  0x1a, 0x31, 0x18, 0x66, 0x14, 0x2e, 0x01, 0x5c };

	for (unsigned int i = 0; i < CELLS; i++)
		z->cell[i] = cell_of(k[i], d[i], 0, 0);
	for (unsigned int i = 0; i < 7; i++)
		z->cell[i] |= cell_of(0, 0, k[16 + i], k[24 + i]);
	for (unsigned int i = 0; i < 8; i++)
		z->cell[7 + i] |= cell_of(0, 0, v[i], v[8 + i]);
	z->cell[15] |= cell_of(0, 0, k[23], k[31]);
}

/* Do TS 35.222, 3.6.1, and the first step of 3.6.2, whose word is not used. */
static void
mix(struct zuc *z, unsigned int rounds)
{
	for (unsigned int i = 0; i < rounds; i++)
		zuc_shift(z, zuc_f(z) >> 1);
	zuc_word(z);
}

/* @param mac_len 0 for the key stream of the cipher. */
static void
zuc_start(struct zuc *z, const struct zuc_key *key, const uint8_t *iv, unsigned int mac_len)
{
	memset(z, 0, sizeof(*z));
	if (key->len == ZUC_KEY_MAX)
		load_256(z, key->bytes, iv, mac_len);
	else
		load_128(z, key->bytes, iv);
	mix(z, LOADING_ROUNDS);
}

void
zuc_start_nea6(struct zuc *z, const uint8_t *key, const uint8_t *iv)
{
	memset(z, 0, sizeof(*z));
	load_nea6(z, key, iv);
	mix(z, LOADING_ROUNDS_NEA6);
}

void
zuc_xor(struct zuc *z, const uint8_t *in, uint8_t *out, uint32_t len)
{
	uint8_t stream[4];
	uint32_t at;

	for (at = 0; len - at >= sizeof(stream); at += sizeof(stream))
		put_be32(out + at, get_be32(in + at) ^ zuc_word(z));
	if (at == len)
		return;
	put_be32(stream, zuc_word(z));
	for (unsigned int i = 0; at + i < len; i++)
		out[at + i] = in[at + i] ^ stream[i];
	OPENSSL_cleanse(stream, sizeof(stream));
}

void
zuc_crypt(const struct zuc_key *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	  uint32_t len)
{
	struct zuc z;

	zuc_start(&z, key, iv, 0);
	for (; len > ENGINE_STEP; len -= ENGINE_STEP, in += ENGINE_STEP, out += ENGINE_STEP) {
		zuc_xor(&z, in, out, ENGINE_STEP);
		engine_step();
	}
	zuc_xor(&z, in, out, len);
	OPENSSL_cleanse(&z, sizeof(z));
}

/* The functions below make MACs. */

/* Holds the state of a MAC. Each bit of the message that is 1 adds a run of the key stream to the
 * MAC. The run is as long as the MAC and begins at the bit's number. The window is the key stream
 * from the present word on. */
struct zuc_mac {
	struct zuc z;
	uint32_t window[MAC_WORDS_MAX + 1];
	uint32_t mac[MAC_WORDS_MAX];
};

static ALWAYS_INLINE void
mac_add(struct zuc_mac *m, uint32_t message, unsigned int words)
{
	for (unsigned int w = 0; w < words; w++) {
		uint64_t stream = (uint64_t)m->window[w] << 32 | m->window[w + 1], sum = 0;

		for (unsigned int bit = 32; bit-- > 0; stream <<= 1)
			sum ^= stream & -(uint64_t)(message >> bit & 1);
		m->mac[w] ^= (uint32_t)(sum >> 32);
	}
}

static ALWAYS_INLINE void
mac_advance(struct zuc_mac *m, unsigned int words)
{
	for (unsigned int w = 0; w < words; w++)
		m->window[w] = m->window[w + 1];
	m->window[words] = zuc_word(&m->z);
}

/* Add the last bits of the message, which are less than a word, and what is added at its end. With
 * a key of 16 bytes this includes the first word of the key stream that no run has used. */
static ALWAYS_INLINE void
mac_end(struct zuc_mac *m, const uint8_t *in, unsigned int bits, unsigned int words, bool adds_word)
{
	uint8_t last[4] = { 0 };
	uint32_t message;

	memcpy(last, in, (bits + 7) / 8);
	message = bits == 0 ? 0 : get_be32(last) & ~0u << (32 - bits);
	message |= 0x80000000u >> bits; /* adds the run that begins at the message's end */
	mac_add(m, message, words);
	if (!adds_word)
		return;
	if (bits != 0)
		mac_advance(m, words);
	m->mac[0] ^= m->window[1];
}

static ALWAYS_INLINE void
mac_run(struct zuc_mac *m, const uint8_t *in, uint64_t bits, unsigned int words, bool is_256)
{
	uint64_t left = bits;

	for (unsigned int w = 0; w < words && is_256; w++)
		m->mac[w] = zuc_word(&m->z);
	for (unsigned int w = 0; w <= words; w++)
		m->window[w] = zuc_word(&m->z);
	for (uint32_t at = 0; left >= 32; left -= 32, at += 4) {
		mac_add(m, get_be32(in + at), words);
		mac_advance(m, words);
		if (at % ENGINE_STEP == ENGINE_STEP - 4)
			engine_step();
	}
	mac_end(m, in + (bits - left) / 8, (unsigned int)left, words, !is_256);
}

void
zuc_mac(const struct zuc_key *key, const uint8_t *iv, const uint8_t *in, uint64_t bits,
	uint8_t *mac, unsigned int mac_len)
{
	struct zuc_mac m = { 0 };

	zuc_start(&m.z, key, iv, mac_len);
	if (key->len != ZUC_KEY_MAX)
		mac_run(&m, in, bits, 1, false);
	else if (mac_len == 4)
		mac_run(&m, in, bits, 1, true);
	else if (mac_len == 8)
		mac_run(&m, in, bits, 2, true);
	else
		mac_run(&m, in, bits, MAC_WORDS_MAX, true);
	for (unsigned int w = 0; w < mac_len / 4; w++)
		put_be32(mac + 4 * w, m.mac[w]);
	OPENSSL_cleanse(&m, sizeof(m));
}
