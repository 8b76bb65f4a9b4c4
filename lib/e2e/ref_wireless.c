/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Computes the wireless algorithms as plainly as their specifications have them: one word, block or
 * bit at a time. This code is slow and leaks keys through time, so only tests may use it, with keys
 * of their own.
 */
#include <string.h>

#include "ref_wireless.h"

static uint32_t
get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void
put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static uint32_t
rotl32(uint32_t v, unsigned int n)
{
	return v << n | v >> (32 - n);
}

/* SNOW 3G follows TS 35.216. */

struct snow3g {
	uint32_t s[16];
	uint32_t r[3];
};

static uint8_t
mulx(uint8_t v, uint8_t c)
{
	return (uint8_t)(v & 0x80 ? v << 1 ^ c : v << 1);
}

static uint8_t
mulx_pow(uint8_t v, unsigned int i, uint8_t c)
{
	while (i-- > 0)
		v = mulx(v, c);
	return v;
}

/* Computes MULalpha or DIValpha (3.4.2 and 3.4.3). */
static uint32_t
alpha(uint8_t c, const unsigned int *pow)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v = v << 8 | mulx_pow(c, pow[i], 0xa9);
	return v;
}

static uint8_t
gf_mul(uint8_t a, uint8_t b, uint8_t c)
{
	uint8_t v = 0;

	for (; b != 0; b >>= 1, a = mulx(a, c))
		v ^= b & 1 ? a : 0;
	return v;
}

static uint8_t
gf_pow(uint8_t a, unsigned int n, uint8_t c)
{
	uint8_t v = 1;

	while (n-- > 0)
		v = gf_mul(v, a, c);
	return v;
}

/* Computes Rijndael's S-box: the inverse, and then an affine map (3.3.1, FIPS 197). */
static uint8_t
sbox_r(uint8_t x)
{
	uint8_t inverse = gf_pow(x, 254, 0x1b), v = 0x63;

	for (int i = 0; i < 5; i++)
		v ^= (uint8_t)(inverse << i | inverse >> (8 - i));
	return v;
}

/* Computes S_Q, which is a Dickson polynomial (3.3.2). */
static uint8_t
sbox_q(uint8_t x)
{
	static const unsigned int exponents[] = { 1, 9, 13, 15, 33, 41, 45, 47, 49 };
	uint8_t v = 0x25;

	for (unsigned int i = 0; i < sizeof(exponents) / sizeof(exponents[0]); i++)
		v ^= gf_pow(x, exponents[i], 0x69);
	return v;
}

static uint8_t snow3g_r[256], snow3g_q[256], snow3g_boxes_made;

static void
snow3g_make_boxes(void)
{
	if (snow3g_boxes_made)
		return;
	for (unsigned int i = 0; i < 256; i++) {
		snow3g_r[i] = sbox_r((uint8_t)i);
		snow3g_q[i] = sbox_q((uint8_t)i);
	}
	snow3g_boxes_made = 1;
}

/* Computes S1 or S2: an S-box for each byte, and then MixColumn. */
static uint32_t
mix(uint32_t w, const uint8_t *box, uint8_t c)
{
	uint8_t x[4], out[4];

	for (int i = 0; i < 4; i++)
		x[i] = box[(uint8_t)(w >> (24 - 8 * i))];
	for (int i = 0; i < 4; i++)
		out[i] = mulx(x[i], c) ^ x[(i + 1) % 4] ^ x[(i + 2) % 4] ^ x[(i + 3) % 4] ^
			mulx(x[(i + 3) % 4], c);
	return get32(out);
}

static uint32_t
snow3g_fsm(struct snow3g *z)
{
	uint32_t f = (z->s[15] + z->r[0]) ^ z->r[1], r = z->r[1] + (z->r[2] ^ z->s[5]);

	z->r[2] = mix(z->r[1], snow3g_q, 0x69);
	z->r[1] = mix(z->r[0], snow3g_r, 0x1b);
	z->r[0] = r;
	return f;
}

static void
snow3g_lfsr(struct snow3g *z, uint32_t f)
{
	static const unsigned int mul[] = { 23, 245, 48, 239 }, div[] = { 16, 39, 6, 64 };
	uint32_t v = z->s[0] << 8 ^ alpha((uint8_t)(z->s[0] >> 24), mul) ^ z->s[2] ^
		z->s[11] >> 8 ^ alpha((uint8_t)z->s[11], div) ^ f;

	memmove(z->s, z->s + 1, 15 * sizeof(z->s[0]));
	z->s[15] = v;
}

static void
snow3g_start(struct snow3g *z, const uint8_t *key, const uint8_t *iv)
{
	uint32_t k[4], v[4];

	snow3g_make_boxes();
	for (int i = 0; i < 4; i++) {
		k[i] = get32(key + 4 * (3 - i));
		v[i] = get32(iv + 4 * (3 - i));
	}
	for (int i = 0; i < 4; i++) {
		z->s[i] = z->s[i + 8] = ~k[i];
		z->s[i + 4] = z->s[i + 12] = k[i];
	}
	z->s[15] ^= v[0];
	z->s[12] ^= v[1];
	z->s[10] ^= v[2];
	z->s[9] ^= v[3];
	memset(z->r, 0, sizeof(z->r));
	for (int i = 0; i < 32; i++)
		snow3g_lfsr(z, snow3g_fsm(z));
	snow3g_fsm(z);
	snow3g_lfsr(z, 0);
}

static uint32_t
snow3g_word(struct snow3g *z)
{
	uint32_t v = snow3g_fsm(z) ^ z->s[0];

	snow3g_lfsr(z, 0);
	return v;
}

void
ref_snow3g_uea2(const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out, size_t len)
{
	struct snow3g z;
	uint8_t word[4] = { 0 };

	snow3g_start(&z, key, iv);
	for (size_t i = 0; i < len; i++) {
		if (i % 4 == 0)
			put32(word, snow3g_word(&z));
		out[i] = in[i] ^ word[i % 4];
	}
}

/* Multiplies in GF(2^64) (TS 35.215, 4.3). */
static uint64_t
mul64(uint64_t v, uint64_t p)
{
	uint64_t result = 0;

	for (; p != 0; p >>= 1, v = v >> 63 ? v << 1 ^ 0x1b : v << 1)
		result ^= p & 1 ? v : 0;
	return result;
}

void
ref_snow3g_uia2(const uint8_t *key, const uint8_t *iv, const uint8_t *in, size_t bits, uint8_t *mac)
{
	size_t len = (bits + 7) / 8;
	struct snow3g z;
	uint64_t p, q, eval = 0;

	snow3g_start(&z, key, iv);
	p = (uint64_t)snow3g_word(&z) << 32;
	p |= snow3g_word(&z);
	q = (uint64_t)snow3g_word(&z) << 32;
	q |= snow3g_word(&z);
	for (size_t at = 0; at < len; at += 8) {
		uint8_t m[8] = { 0 };

		memcpy(m, in + at, len - at < 8 ? len - at : 8);
		if (len - at <= 8 && bits % 8 != 0)
			m[len - at - 1] &= (uint8_t)(0xff00 >> bits % 8);
		eval = mul64(eval ^ ((uint64_t)get32(m) << 32 | get32(m + 4)), p);
	}
	eval = mul64(eval ^ bits, q);
	put32(mac, (uint32_t)(eval >> 32) ^ snow3g_word(&z));
}

/* KASUMI follows TS 35.202. */

static const uint8_t kasumi_s7[128] = {
	54, 50, 62, 56, 22, 34, 94, 96, 38, 6, 63, 93, 2, 18, 123, 33,
	55, 113, 39, 114, 21, 67, 65, 12, 47, 73, 46, 27, 25, 111, 124, 81,
	53, 9, 121, 79, 52, 60, 58, 48, 101, 127, 40, 120, 104, 70, 71, 43,
	20, 122, 72, 61, 23, 109, 13, 100, 77, 1, 16, 7, 82, 10, 105, 98,
	117, 116, 76, 11, 89, 106, 0, 125, 118, 99, 86, 69, 30, 57, 126, 87,
	112, 51, 17, 5, 95, 14, 90, 84, 91, 8, 35, 103, 32, 97, 28, 66,
	102, 31, 26, 45, 75, 4, 85, 92, 37, 74, 80, 49, 68, 29, 115, 44,
	64, 107, 108, 24, 110, 83, 36, 78, 42, 19, 15, 41, 88, 119, 59, 3,
};

static const uint16_t kasumi_s9[512] = {
	167, 239, 161, 379, 391, 334, 9, 338, 38, 226, 48, 358, 452, 385, 90, 397,
	183, 253, 147, 331, 415, 340, 51, 362, 306, 500, 262, 82, 216, 159, 356, 177,
	175, 241, 489, 37, 206, 17, 0, 333, 44, 254, 378, 58, 143, 220, 81, 400,
	95, 3, 315, 245, 54, 235, 218, 405, 472, 264, 172, 494, 371, 290, 399, 76,
	165, 197, 395, 121, 257, 480, 423, 212, 240, 28, 462, 176, 406, 507, 288, 223,
	501, 407, 249, 265, 89, 186, 221, 428, 164, 74, 440, 196, 458, 421, 350, 163,
	232, 158, 134, 354, 13, 250, 491, 142, 191, 69, 193, 425, 152, 227, 366, 135,
	344, 300, 276, 242, 437, 320, 113, 278, 11, 243, 87, 317, 36, 93, 496, 27,
	487, 446, 482, 41, 68, 156, 457, 131, 326, 403, 339, 20, 39, 115, 442, 124,
	475, 384, 508, 53, 112, 170, 479, 151, 126, 169, 73, 268, 279, 321, 168, 364,
	363, 292, 46, 499, 393, 327, 324, 24, 456, 267, 157, 460, 488, 426, 309, 229,
	439, 506, 208, 271, 349, 401, 434, 236, 16, 209, 359, 52, 56, 120, 199, 277,
	465, 416, 252, 287, 246, 6, 83, 305, 420, 345, 153, 502, 65, 61, 244, 282,
	173, 222, 418, 67, 386, 368, 261, 101, 476, 291, 195, 430, 49, 79, 166, 330,
	280, 383, 373, 128, 382, 408, 155, 495, 367, 388, 274, 107, 459, 417, 62, 454,
	132, 225, 203, 316, 234, 14, 301, 91, 503, 286, 424, 211, 347, 307, 140, 374,
	35, 103, 125, 427, 19, 214, 453, 146, 498, 314, 444, 230, 256, 329, 198, 285,
	50, 116, 78, 410, 10, 205, 510, 171, 231, 45, 139, 467, 29, 86, 505, 32,
	72, 26, 342, 150, 313, 490, 431, 238, 411, 325, 149, 473, 40, 119, 174, 355,
	185, 233, 389, 71, 448, 273, 372, 55, 110, 178, 322, 12, 469, 392, 369, 190,
	1, 109, 375, 137, 181, 88, 75, 308, 260, 484, 98, 272, 370, 275, 412, 111,
	336, 318, 4, 504, 492, 259, 304, 77, 337, 435, 21, 357, 303, 332, 483, 18,
	47, 85, 25, 497, 474, 289, 100, 269, 296, 478, 270, 106, 31, 104, 433, 84,
	414, 486, 394, 96, 99, 154, 511, 148, 413, 361, 409, 255, 162, 215, 302, 201,
	266, 351, 343, 144, 441, 365, 108, 298, 251, 34, 182, 509, 138, 210, 335, 133,
	311, 352, 328, 141, 396, 346, 123, 319, 450, 281, 429, 228, 443, 481, 92, 404,
	485, 422, 248, 297, 23, 213, 130, 466, 22, 217, 283, 70, 294, 360, 419, 127,
	312, 377, 7, 468, 194, 2, 117, 295, 463, 258, 224, 447, 247, 187, 80, 398,
	284, 353, 105, 390, 299, 471, 470, 184, 57, 200, 348, 63, 204, 188, 33, 451,
	97, 30, 310, 219, 94, 160, 129, 493, 64, 179, 263, 102, 189, 207, 114, 402,
	438, 477, 387, 122, 192, 42, 381, 5, 145, 118, 180, 449, 293, 323, 136, 380,
	43, 66, 60, 455, 341, 445, 202, 432, 8, 237, 15, 376, 436, 464, 59, 461,
};

static uint16_t
rotl16(uint16_t v, unsigned int n)
{
	return (uint16_t)(v << n | v >> (16 - n));
}

static uint16_t
kasumi_fi(uint16_t in, uint16_t key)
{
	uint16_t nine = in >> 7, seven = in & 0x7f;

	nine = kasumi_s9[nine] ^ seven;
	seven = kasumi_s7[seven] ^ (nine & 0x7f);
	seven ^= key >> 9;
	nine ^= key & 0x1ff;
	nine = kasumi_s9[nine] ^ seven;
	seven = kasumi_s7[seven] ^ (nine & 0x7f);
	return (uint16_t)(seven << 9 | nine);
}

static uint32_t
kasumi_fo(uint32_t in, const uint16_t *k, const uint16_t *kp, unsigned int i)
{
	uint16_t left = (uint16_t)(in >> 16), right = (uint16_t)in;

	left = kasumi_fi(left ^ rotl16(k[(i + 1) % 8], 5), kp[(i + 4) % 8]) ^ right;
	right = kasumi_fi(right ^ rotl16(k[(i + 5) % 8], 8), kp[(i + 3) % 8]) ^ left;
	left = kasumi_fi(left ^ rotl16(k[(i + 6) % 8], 13), kp[(i + 7) % 8]) ^ right;
	return (uint32_t)right << 16 | left;
}

static uint32_t
kasumi_fl(uint32_t in, const uint16_t *k, const uint16_t *kp, unsigned int i)
{
	uint16_t left = (uint16_t)(in >> 16), right = (uint16_t)in;

	right ^= rotl16(left & rotl16(k[i], 1), 1);
	left ^= rotl16(right | kp[(i + 2) % 8], 1);
	return (uint32_t)left << 16 | right;
}

/* Enciphers one block in place, with the mask xored into each byte of the key. */
static void
kasumi(const uint8_t *key, uint8_t mask, uint8_t *block)
{
	static const uint16_t c[] = { 0x0123, 0x4567, 0x89ab, 0xcdef,
				      0xfedc, 0xba98, 0x7654, 0x3210 };
	uint16_t k[8], kp[8];
	uint32_t left = get32(block), right = get32(block + 4);

	for (unsigned int i = 0; i < 8; i++) {
		k[i] = (uint16_t)((key[2 * i] ^ mask) << 8 | (key[2 * i + 1] ^ mask));
		kp[i] = k[i] ^ c[i];
	}
	for (unsigned int i = 0; i < 8; i += 2) {
		right ^= kasumi_fo(kasumi_fl(left, k, kp, i), k, kp, i);
		left ^= kasumi_fl(kasumi_fo(right, k, kp, i + 1), k, kp, i + 1);
	}
	put32(block, left);
	put32(block + 4, right);
}

/* Computes f8 (TS 35.201, 3). */
void
ref_kasumi_f8(const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out, size_t len)
{
	uint8_t a[8], stream[8] = { 0 };

	memcpy(a, iv, sizeof(a));
	kasumi(key, 0x55, a);
	for (size_t i = 0; i < len; i++) {
		if (i % 8 == 0) {
			for (unsigned int b = 0; b < 8; b++)
				stream[b] ^= a[b] ^ (uint8_t)((uint64_t)(i / 8) >> (56 - 8 * b));
			kasumi(key, 0, stream);
		}
		out[i] = in[i] ^ stream[i % 8];
	}
}

/* Computes f9 (TS 35.201, 4). */
void
ref_kasumi_f9(const uint8_t *key, const uint8_t *in, size_t len, uint8_t *mac)
{
	uint8_t a[8] = { 0 }, b[8] = { 0 };

	for (size_t i = 0; i < len; i++) {
		a[i % 8] ^= in[i];
		if (i % 8 != 7 && i != len - 1)
			continue;
		kasumi(key, 0, a);
		for (unsigned int n = 0; n < 8; n++)
			b[n] ^= a[n];
	}
	kasumi(key, 0xaa, b);
	memcpy(mac, b, 4);
}

/* ZUC follows TS 35.222, and ZUC-256 its specification of 2018. */

static const uint8_t zuc_s0[256] = {
	0x3e, 0x72, 0x5b, 0x47, 0xca, 0xe0, 0x00, 0x33, 0x04, 0xd1, 0x54, 0x98,
	0x09, 0xb9, 0x6d, 0xcb, 0x7b, 0x1b, 0xf9, 0x32, 0xaf, 0x9d, 0x6a, 0xa5,
	0xb8, 0x2d, 0xfc, 0x1d, 0x08, 0x53, 0x03, 0x90, 0x4d, 0x4e, 0x84, 0x99,
	0xe4, 0xce, 0xd9, 0x91, 0xdd, 0xb6, 0x85, 0x48, 0x8b, 0x29, 0x6e, 0xac,
	0xcd, 0xc1, 0xf8, 0x1e, 0x73, 0x43, 0x69, 0xc6, 0xb5, 0xbd, 0xfd, 0x39,
	0x63, 0x20, 0xd4, 0x38, 0x76, 0x7d, 0xb2, 0xa7, 0xcf, 0xed, 0x57, 0xc5,
	0xf3, 0x2c, 0xbb, 0x14, 0x21, 0x06, 0x55, 0x9b, 0xe3, 0xef, 0x5e, 0x31,
	0x4f, 0x7f, 0x5a, 0xa4, 0x0d, 0x82, 0x51, 0x49, 0x5f, 0xba, 0x58, 0x1c,
	0x4a, 0x16, 0xd5, 0x17, 0xa8, 0x92, 0x24, 0x1f, 0x8c, 0xff, 0xd8, 0xae,
	0x2e, 0x01, 0xd3, 0xad, 0x3b, 0x4b, 0xda, 0x46, 0xeb, 0xc9, 0xde, 0x9a,
	0x8f, 0x87, 0xd7, 0x3a, 0x80, 0x6f, 0x2f, 0xc8, 0xb1, 0xb4, 0x37, 0xf7,
	0x0a, 0x22, 0x13, 0x28, 0x7c, 0xcc, 0x3c, 0x89, 0xc7, 0xc3, 0x96, 0x56,
	0x07, 0xbf, 0x7e, 0xf0, 0x0b, 0x2b, 0x97, 0x52, 0x35, 0x41, 0x79, 0x61,
	0xa6, 0x4c, 0x10, 0xfe, 0xbc, 0x26, 0x95, 0x88, 0x8a, 0xb0, 0xa3, 0xfb,
	0xc0, 0x18, 0x94, 0xf2, 0xe1, 0xe5, 0xe9, 0x5d, 0xd0, 0xdc, 0x11, 0x66,
	0x64, 0x5c, 0xec, 0x59, 0x42, 0x75, 0x12, 0xf5, 0x74, 0x9c, 0xaa, 0x23,
	0x0e, 0x86, 0xab, 0xbe, 0x2a, 0x02, 0xe7, 0x67, 0xe6, 0x44, 0xa2, 0x6c,
	0xc2, 0x93, 0x9f, 0xf1, 0xf6, 0xfa, 0x36, 0xd2, 0x50, 0x68, 0x9e, 0x62,
	0x71, 0x15, 0x3d, 0xd6, 0x40, 0xc4, 0xe2, 0x0f, 0x8e, 0x83, 0x77, 0x6b,
	0x25, 0x05, 0x3f, 0x0c, 0x30, 0xea, 0x70, 0xb7, 0xa1, 0xe8, 0xa9, 0x65,
	0x8d, 0x27, 0x1a, 0xdb, 0x81, 0xb3, 0xa0, 0xf4, 0x45, 0x7a, 0x19, 0xdf,
	0xee, 0x78, 0x34, 0x60,
};

static const uint8_t zuc_s1[256] = {
	0x55, 0xc2, 0x63, 0x71, 0x3b, 0xc8, 0x47, 0x86, 0x9f, 0x3c, 0xda, 0x5b,
	0x29, 0xaa, 0xfd, 0x77, 0x8c, 0xc5, 0x94, 0x0c, 0xa6, 0x1a, 0x13, 0x00,
	0xe3, 0xa8, 0x16, 0x72, 0x40, 0xf9, 0xf8, 0x42, 0x44, 0x26, 0x68, 0x96,
	0x81, 0xd9, 0x45, 0x3e, 0x10, 0x76, 0xc6, 0xa7, 0x8b, 0x39, 0x43, 0xe1,
	0x3a, 0xb5, 0x56, 0x2a, 0xc0, 0x6d, 0xb3, 0x05, 0x22, 0x66, 0xbf, 0xdc,
	0x0b, 0xfa, 0x62, 0x48, 0xdd, 0x20, 0x11, 0x06, 0x36, 0xc9, 0xc1, 0xcf,
	0xf6, 0x27, 0x52, 0xbb, 0x69, 0xf5, 0xd4, 0x87, 0x7f, 0x84, 0x4c, 0xd2,
	0x9c, 0x57, 0xa4, 0xbc, 0x4f, 0x9a, 0xdf, 0xfe, 0xd6, 0x8d, 0x7a, 0xeb,
	0x2b, 0x53, 0xd8, 0x5c, 0xa1, 0x14, 0x17, 0xfb, 0x23, 0xd5, 0x7d, 0x30,
	0x67, 0x73, 0x08, 0x09, 0xee, 0xb7, 0x70, 0x3f, 0x61, 0xb2, 0x19, 0x8e,
	0x4e, 0xe5, 0x4b, 0x93, 0x8f, 0x5d, 0xdb, 0xa9, 0xad, 0xf1, 0xae, 0x2e,
	0xcb, 0x0d, 0xfc, 0xf4, 0x2d, 0x46, 0x6e, 0x1d, 0x97, 0xe8, 0xd1, 0xe9,
	0x4d, 0x37, 0xa5, 0x75, 0x5e, 0x83, 0x9e, 0xab, 0x82, 0x9d, 0xb9, 0x1c,
	0xe0, 0xcd, 0x49, 0x89, 0x01, 0xb6, 0xbd, 0x58, 0x24, 0xa2, 0x5f, 0x38,
	0x78, 0x99, 0x15, 0x90, 0x50, 0xb8, 0x95, 0xe4, 0xd0, 0x91, 0xc7, 0xce,
	0xed, 0x0f, 0xb4, 0x6f, 0xa0, 0xcc, 0xf0, 0x02, 0x4a, 0x79, 0xc3, 0xde,
	0xa3, 0xef, 0xea, 0x51, 0xe6, 0x6b, 0x18, 0xec, 0x1b, 0x2c, 0x80, 0xf7,
	0x74, 0xe7, 0xff, 0x21, 0x5a, 0x6a, 0x54, 0x1e, 0x41, 0x31, 0x92, 0x35,
	0xc4, 0x33, 0x07, 0x0a, 0xba, 0x7e, 0x0e, 0x34, 0x88, 0xb1, 0x98, 0x7c,
	0xf3, 0x3d, 0x60, 0x6c, 0x7b, 0xca, 0xd3, 0x1f, 0x32, 0x65, 0x04, 0x28,
	0x64, 0xbe, 0x85, 0x9b, 0x2f, 0x59, 0x8a, 0xd7, 0xb0, 0x25, 0xac, 0xaf,
	0x12, 0x03, 0xe2, 0xf2,
};

struct zuc {
	uint32_t s[16]; /* 31 bits in each word */
	uint32_t r1, r2;
	uint32_t x[4];
};

static uint32_t
add31(uint32_t a, uint32_t b)
{
	a += b;
	return (a & 0x7fffffff) + (a >> 31);
}

static uint32_t
rotl31(uint32_t v, unsigned int n)
{
	return (v << n | v >> (31 - n)) & 0x7fffffff;
}

static void
zuc_lfsr(struct zuc *z, uint32_t u)
{
	uint32_t v = z->s[0];

	v = add31(v, rotl31(z->s[0], 8));
	v = add31(v, rotl31(z->s[4], 20));
	v = add31(v, rotl31(z->s[10], 21));
	v = add31(v, rotl31(z->s[13], 17));
	v = add31(v, rotl31(z->s[15], 15));
	v = add31(v, u);
	memmove(z->s, z->s + 1, 15 * sizeof(z->s[0]));
	z->s[15] = v != 0 ? v : 0x7fffffff;
}

static uint32_t
zuc_boxes(uint32_t v)
{
	return (uint32_t)zuc_s0[v >> 24] << 24 | (uint32_t)zuc_s1[v >> 16 & 0xff] << 16 |
		(uint32_t)zuc_s0[v >> 8 & 0xff] << 8 | zuc_s1[v & 0xff];
}

/* Does the bit reorganisation and the nonlinear function F. */
static uint32_t
zuc_f(struct zuc *z)
{
	uint32_t w, w1, w2, u, v;

	z->x[0] = (z->s[15] & 0x7fff8000) << 1 | (z->s[14] & 0xffff);
	z->x[1] = (z->s[11] & 0xffff) << 16 | z->s[9] >> 15;
	z->x[2] = (z->s[7] & 0xffff) << 16 | z->s[5] >> 15;
	z->x[3] = (z->s[2] & 0xffff) << 16 | z->s[0] >> 15;
	w = (z->x[0] ^ z->r1) + z->r2;
	w1 = z->r1 + z->x[1];
	w2 = z->r2 ^ z->x[2];
	u = w1 << 16 | w2 >> 16;
	v = w2 << 16 | w1 >> 16;
	z->r1 = zuc_boxes(u ^ rotl32(u, 2) ^ rotl32(u, 10) ^ rotl32(u, 18) ^ rotl32(u, 24));
	z->r2 = zuc_boxes(v ^ rotl32(v, 8) ^ rotl32(v, 14) ^ rotl32(v, 22) ^ rotl32(v, 30));
	return w;
}

static uint32_t
zuc_word(struct zuc *z)
{
	uint32_t v = zuc_f(z) ^ z->x[3];

	zuc_lfsr(z, 0);
	return v;
}

static void
zuc_load_128(struct zuc *z, const uint8_t *key, const uint8_t *iv)
{
	static const uint16_t d[] = { 0x44d7, 0x26bc, 0x626b, 0x135e, 0x5789, 0x35e2, 0x7135,
				      0x09af, 0x4d78, 0x2f13, 0x6bc4, 0x1af1, 0x5e26, 0x3c4d,
				      0x789a, 0x47ac };

	for (int i = 0; i < 16; i++)
		z->s[i] = (uint32_t)key[i] << 23 | (uint32_t)d[i] << 8 | iv[i];
}

static uint32_t
cell(uint8_t a, unsigned int b, uint8_t c, uint8_t d)
{
	return (uint32_t)a << 23 | (uint32_t)b << 16 | (uint32_t)c << 8 | d;
}

/* Loads the state. d0 and d2 are constants that differ between the key stream and the MACs. Each of
 * the last 8 bytes of the IV has 6 bits. */
static void
zuc_load_256(struct zuc *z, const uint8_t *k, const uint8_t *iv, uint8_t d0, uint8_t d2)
{
	uint8_t v[25];

	for (int i = 0; i < 25; i++)
		v[i] = i < 17 ? iv[i] : iv[i] & 0x3f;
	z->s[0] = cell(k[0], d0, k[21], k[16]);
	z->s[1] = cell(k[1], 0x2f, k[22], k[17]);
	z->s[2] = cell(k[2], d2, k[23], k[18]);
	z->s[3] = cell(k[3], 0x2a, k[24], k[19]);
	z->s[4] = cell(k[4], 0x6d, k[25], k[20]);
	z->s[5] = cell(v[0], 0x40 | v[17], k[5], k[26]);
	z->s[6] = cell(v[1], 0x40 | v[18], k[6], k[27]);
	z->s[7] = cell(v[10], 0x40 | v[19], k[7], v[2]);
	z->s[8] = cell(k[8], 0x40 | v[20], v[3], v[11]);
	z->s[9] = cell(k[9], 0x40 | v[21], v[12], v[4]);
	z->s[10] = cell(v[5], 0x40 | v[22], k[10], k[28]);
	z->s[11] = cell(k[11], 0x40 | v[23], v[6], v[13]);
	z->s[12] = cell(k[12], 0x40 | v[24], v[7], v[14]);
	z->s[13] = cell(k[13], 0x52, v[15], v[8]);
	z->s[14] = cell(k[14], 0x10 | k[31] >> 4, v[16], v[9]);
	z->s[15] = cell(k[15], 0x30 | (k[31] & 0x0f), k[30], k[29]);
}

/* Loads the state of 256-NEA6 (TS 35.246). */
static void
zuc_load_nea6(struct zuc *z, const uint8_t *k, const uint8_t *v)
{
	z->s[0] = cell(k[0], 0x64, k[16], k[24]);
	z->s[1] = cell(k[1], 0x43, k[17], k[25]);
	z->s[2] = cell(k[2], 0x7b, k[18], k[26]);
	z->s[3] = cell(k[3], 0x2a, k[19], k[27]);
	z->s[4] = cell(k[4], 0x11, k[20], k[28]);
	z->s[5] = cell(k[5], 0x05, k[21], k[29]);
	z->s[6] = cell(k[6], 0x51, k[22], k[30]);
	z->s[7] = cell(k[7], 0x42, v[0], v[8]);
	z->s[8] = cell(k[8], 0x1a, v[1], v[9]);
	z->s[9] = cell(k[9], 0x31, v[2], v[10]);
	z->s[10] = cell(k[10], 0x18, v[3], v[11]);
	z->s[11] = cell(k[11], 0x66, v[4], v[12]);
	z->s[12] = cell(k[12], 0x14, v[5], v[13]);
	z->s[13] = cell(k[13], 0x2e, v[6], v[14]);
	z->s[14] = cell(k[14], 0x01, v[7], v[15]);
	z->s[15] = cell(k[15], 0x5c, k[23], k[31]);
}

static void
zuc_mix(struct zuc *z, unsigned int rounds)
{
	for (unsigned int i = 0; i < rounds; i++)
		zuc_lfsr(z, zuc_f(z) >> 1);
	zuc_f(z);
	zuc_lfsr(z, 0);
}

static void
zuc_start(struct zuc *z, const uint8_t *key, size_t key_len, const uint8_t *iv, size_t mac_len)
{
	memset(z, 0, sizeof(*z));
	if (key_len == 16)
		zuc_load_128(z, key, iv);
	else
		zuc_load_256(z, key, iv, mac_len > 4 ? 0x23 : 0x22,
			     mac_len == 4 || mac_len == 16 ? 0x25 : 0x24);
	zuc_mix(z, 32);
}

void
ref_zuc_nea6(const uint8_t *key, const uint8_t *iv, uint8_t *out, size_t len)
{
	struct zuc z = { 0 };
	uint8_t bytes[4] = { 0 };

	zuc_load_nea6(&z, key, iv);
	zuc_mix(&z, 48);
	for (size_t i = 0; i < len; i++) {
		if (i % 4 == 0)
			put32(bytes, zuc_word(&z));
		out[i] = bytes[i % 4];
	}
}

void
ref_zuc_eea3(const uint8_t *key, size_t key_len, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	     size_t len)
{
	struct zuc z;
	uint8_t word[4] = { 0 };

	zuc_start(&z, key, key_len, iv, 0);
	for (size_t i = 0; i < len; i++) {
		if (i % 4 == 0)
			put32(word, zuc_word(&z));
		out[i] = in[i] ^ word[i % 4];
	}
}

/*
 * The MAC is the xor of runs of key stream bits, each as long as the MAC. A run begins at the place
 * of each 1 bit of the message, and at the message's end. ZUC-128 also adds the word after these
 * runs, and ZUC-256 begins with the first bits of the key stream.
 */
void
ref_zuc_eia3(const uint8_t *key, size_t key_len, const uint8_t *iv, const uint8_t *in, size_t bits,
	     uint8_t *mac, size_t mac_len)
{
	const size_t words = mac_len / 4;
	struct zuc z;
	uint32_t window[5], t[4] = { 0 };

	zuc_start(&z, key, key_len, iv, mac_len);
	for (size_t w = 0; w < words && key_len != 16; w++)
		t[w] = zuc_word(&z);
	for (size_t w = 0; w <= words; w++)
		window[w] = zuc_word(&z);
	for (size_t i = 0; i <= bits; i++) {
		if (i != 0 && i % 32 == 0) {
			memmove(window, window + 1, words * sizeof(window[0]));
			window[words] = zuc_word(&z);
		}
		if (i != bits && (in[i / 8] << (i % 8) & 0x80) == 0)
			continue;
		for (size_t w = 0; w < words; w++)
			t[w] ^= i % 32 == 0 ? window[w] : window[w] << (i % 32) |
				window[w + 1] >> (32 - i % 32);
	}
	/* The key stream continues after the last word that was used or begun. */
	if (key_len == 16)
		t[0] ^= bits % 32 == 0 ? window[1] : zuc_word(&z);
	for (size_t w = 0; w < words; w++)
		put32(mac + 4 * w, t[w]);
}

void
ref_bits_move(uint8_t *to, size_t to_at, const uint8_t *from, size_t from_at, size_t bits)
{
	for (size_t i = 0; i < bits; i++, to_at++, from_at++) {
		const uint8_t mask = (uint8_t)(0x80 >> to_at % 8);

		if (from[from_at / 8] << (from_at % 8) & 0x80)
			to[to_at / 8] |= mask;
		else
			to[to_at / 8] &= (uint8_t)~mask;
	}
}
