/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests what public-key algorithms compute, and their statuses (manual 8.8). OpenSSL computes the
 * expected results.
 */
#include <string.h>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>

#include "reference/pk.h"
#include "tests_pk.h"

/* This is an RSA key of 1024 bits, with the public exponent 65537. */
static const uint8_t rsa_n[128] = {
	0xd3, 0xce, 0x85, 0x7b, 0x6b, 0x62, 0x27, 0x97, 0xb6, 0x57, 0x9c, 0x69, 0x2b, 0x33, 0xfb,
	0xa5, 0xfb, 0xea, 0xba, 0xdf, 0x96, 0xb6, 0x1d, 0x11, 0x7a, 0x64, 0x78, 0x90, 0x2b, 0xbd,
	0x7d, 0x87, 0x60, 0x43, 0x02, 0xe2, 0xcc, 0x7a, 0xca, 0xb7, 0x96, 0x14, 0x8e, 0x5a, 0x88,
	0xe9, 0x2f, 0x33, 0xe9, 0xde, 0x74, 0xcb, 0x8d, 0x8a, 0x39, 0x17, 0x20, 0x3f, 0x9e, 0x82,
	0x13, 0x46, 0x47, 0x02, 0x61, 0xbb, 0x81, 0x63, 0x51, 0x60, 0xc3, 0xf3, 0xcc, 0x64, 0x66,
	0x49, 0x5a, 0x20, 0x66, 0xc2, 0x8a, 0x76, 0x21, 0xf7, 0x37, 0xcb, 0xee, 0x80, 0x3a, 0x40,
	0xa3, 0x94, 0x81, 0x32, 0xbe, 0x63, 0x9e, 0x31, 0xc0, 0x9f, 0xcf, 0xd4, 0x16, 0xd3, 0x77,
	0x0a, 0xfa, 0x1d, 0x69, 0xfa, 0xc9, 0xfd, 0xea, 0x24, 0x23, 0xce, 0x44, 0x22, 0xc3, 0x6f,
	0x64, 0x9e, 0xd4, 0xc0, 0x38, 0x69, 0x0b, 0x43,
};

static const uint8_t rsa_d[128] = {
	0x82, 0xdf, 0xd6, 0x6c, 0xd7, 0x82, 0x73, 0xf2, 0x73, 0x72, 0x19, 0x2c, 0x86, 0xcc, 0x7d,
	0x0f, 0x27, 0xe4, 0xf7, 0x89, 0x56, 0x87, 0xba, 0xd8, 0x64, 0xe7, 0x15, 0xf4, 0x07, 0x82,
	0xf3, 0xc0, 0xa5, 0x83, 0x62, 0x92, 0x1f, 0x45, 0x34, 0x63, 0x51, 0xf1, 0xeb, 0xb0, 0x17,
	0x6e, 0xf6, 0x82, 0xbe, 0x5c, 0x7d, 0x90, 0x95, 0x29, 0xb6, 0x73, 0x0a, 0xb3, 0x24, 0xcf,
	0x3c, 0xf7, 0xac, 0xc1, 0xb5, 0x11, 0x17, 0xa3, 0xc1, 0x9a, 0x73, 0xfe, 0x68, 0xcf, 0x31,
	0xa3, 0x12, 0x84, 0xaf, 0xb4, 0x71, 0xb5, 0x57, 0xa9, 0x18, 0x03, 0x31, 0x8e, 0x6e, 0x1e,
	0xbf, 0x53, 0x16, 0xf3, 0xe9, 0xbc, 0xe9, 0x83, 0xa9, 0xf3, 0x62, 0x9d, 0xce, 0x13, 0xf8,
	0x64, 0x37, 0xde, 0x6e, 0xb1, 0xe8, 0x99, 0xb9, 0x33, 0xdf, 0x0e, 0xf0, 0xa2, 0x12, 0x46,
	0x70, 0x90, 0x34, 0xb1, 0x6c, 0xdb, 0x84, 0xd9,
};

static const uint8_t rsa_p[64] = {
	0xf0, 0xe6, 0x10, 0x1b, 0x4a, 0x66, 0x07, 0x63, 0xa2, 0x01, 0x5a, 0x52, 0x94, 0xc2, 0xcc,
	0x80, 0x5c, 0x4e, 0x96, 0xe2, 0xe9, 0xe9, 0xd9, 0xea, 0xee, 0xb4, 0xe5, 0x76, 0xc8, 0x57,
	0x6e, 0x88, 0x60, 0x9b, 0x6d, 0x0d, 0xbc, 0x4a, 0x6f, 0xc7, 0xaf, 0xce, 0x6f, 0x53, 0x35,
	0x1b, 0x79, 0x43, 0x6d, 0x69, 0x96, 0xc2, 0x43, 0xcf, 0x2c, 0x47, 0xd7, 0x60, 0xde, 0x96,
	0xdb, 0x9d, 0xd2, 0x0d,
};

static const uint8_t rsa_q[64] = {
	0xe1, 0x15, 0x97, 0x62, 0x34, 0x44, 0x6b, 0x59, 0x27, 0xa0, 0x75, 0xbb, 0x55, 0x2c, 0xbb,
	0xe0, 0x79, 0x89, 0x5d, 0x2e, 0x36, 0x80, 0xdf, 0x90, 0x9c, 0xda, 0xf6, 0xd7, 0xa4, 0xbf,
	0x43, 0xa3, 0x35, 0x8a, 0xd2, 0xff, 0x88, 0xbd, 0xf9, 0x31, 0x46, 0xa9, 0xc6, 0x3a, 0xb6,
	0x23, 0x3f, 0x48, 0x5f, 0xcd, 0x88, 0x98, 0xf8, 0xea, 0xd6, 0xde, 0x4d, 0x6b, 0x71, 0xf0,
	0x13, 0xd4, 0x0e, 0x8f,
};

static const uint8_t rsa_dp[64] = {
	0xa1, 0xd2, 0x69, 0xcf, 0x6b, 0x52, 0xce, 0x73, 0xe7, 0x47, 0xf1, 0x5c, 0xb8, 0x01, 0x83,
	0x4e, 0x56, 0xb3, 0x94, 0x38, 0x29, 0xd9, 0xa5, 0x41, 0x63, 0xc8, 0xb0, 0xbb, 0xf2, 0x28,
	0x89, 0x5f, 0xa3, 0x45, 0xc5, 0x24, 0x0c, 0xf0, 0x13, 0xd6, 0x98, 0x0a, 0x9c, 0x4d, 0xd0,
	0xc6, 0xfb, 0xd6, 0x87, 0x90, 0xfe, 0x6c, 0xd1, 0x10, 0x42, 0x36, 0xa0, 0x3f, 0xba, 0x46,
	0xac, 0x90, 0x7f, 0xa1,
};

static const uint8_t rsa_dq[64] = {
	0x07, 0xed, 0x3e, 0xbb, 0x92, 0xa3, 0xa6, 0x34, 0x29, 0x95, 0x19, 0x10, 0x53, 0xdb, 0x93,
	0x72, 0x40, 0x55, 0x7a, 0x16, 0x9a, 0x8c, 0xc7, 0x52, 0xcc, 0x73, 0x59, 0xa6, 0x16, 0x83,
	0x35, 0xda, 0x95, 0x94, 0x22, 0x02, 0x25, 0xca, 0xaa, 0xef, 0xf5, 0x51, 0x1d, 0x4e, 0x0c,
	0x04, 0x09, 0xc2, 0x7e, 0xbd, 0x3a, 0x46, 0x48, 0xdd, 0xdc, 0x5b, 0x4f, 0xd6, 0xac, 0xd8,
	0x8b, 0x9a, 0x38, 0x39,
};

static const uint8_t rsa_qinv[64] = {
	0xc4, 0x55, 0x26, 0xb1, 0xcc, 0xd7, 0x44, 0x8b, 0x27, 0xa7, 0x35, 0x35, 0xbe, 0x4d, 0xa3,
	0xd1, 0xb6, 0x11, 0x7f, 0x15, 0xc7, 0x06, 0x35, 0x0f, 0xe9, 0xd9, 0xf1, 0xee, 0x6f, 0xe8,
	0x8b, 0x90, 0xd4, 0xba, 0xd9, 0xaf, 0xf1, 0x4f, 0xaf, 0x4e, 0xc3, 0x7c, 0xbd, 0x26, 0x19,
	0x91, 0x92, 0x55, 0xf8, 0xdd, 0x0f, 0x59, 0x56, 0xc7, 0xd9, 0x5d, 0x7d, 0x9c, 0xec, 0xf5,
	0xfb, 0x4c, 0xc1, 0x57,
};

static const uint8_t rsa_e[3] = { 1, 0, 1 };

#define RSA_LEN 128u
#define OPERAND(r, n, data) pk_operand(c, r, n, data, sizeof(data))
#define COMPONENT(x, n, data) pk_component(x, n, data, sizeof(data))

/* Says how much of an RSA key a context has. */
enum rsa_key { RSA_PUBLIC, RSA_EXPONENT, RSA_QUINTUPLE, RSA_BOTH };

static void
rsa(struct card *c, struct pk *x, enum rsa_key key)
{
	pk_init(x, ACCEL_HW_PK_RSA, 0);
	COMPONENT(x, ACCEL_HW_RSA_N, rsa_n);
	COMPONENT(x, ACCEL_HW_RSA_E, rsa_e);
	if (key == RSA_EXPONENT || key == RSA_BOTH)
		COMPONENT(x, ACCEL_HW_RSA_D, rsa_d);
	if (key == RSA_QUINTUPLE || key == RSA_BOTH) {
		COMPONENT(x, ACCEL_HW_RSA_P, rsa_p);
		COMPONENT(x, ACCEL_HW_RSA_Q, rsa_q);
		COMPONENT(x, ACCEL_HW_RSA_DP, rsa_dp);
		COMPONENT(x, ACCEL_HW_RSA_DQ, rsa_dq);
		COMPONENT(x, ACCEL_HW_RSA_QINV, rsa_qinv);
	}
	pk_store(c, x);
}

/* Compute base^exponent modulo n, in RSA_LEN bytes. */
static void
rsa_power(const uint8_t *base, uint32_t len, const uint8_t *exponent, uint32_t exponent_len,
	  uint8_t out[RSA_LEN])
{
	BIGNUM *b = BN_bin2bn(base, (int)len, NULL), *y = BN_new();
	BIGNUM *e = BN_bin2bn(exponent, (int)exponent_len, NULL);
	BIGNUM *n = BN_bin2bn(rsa_n, sizeof(rsa_n), NULL);
	BN_CTX *ctx = BN_CTX_new();

	BN_mod_exp(y, b, e, n, ctx);
	pk_put(y, out, RSA_LEN);
	BN_free(b);
	BN_free(e);
	BN_free(n);
	BN_CTX_free(ctx);
}

/* Test operations without padding, with each form of the key. */
static void
rsa_plain(struct card *c)
{
	uint8_t message[RSA_LEN], want[RSA_LEN];
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_RSA);
	if (a == NULL)
		return;
	SKIP_UNLESS(c, (a->paddings & 1u << ACCEL_HW_PK_PADDING_NONE) != 0, "only with padding");
	for (enum rsa_key key = RSA_PUBLIC; key <= RSA_BOTH; key++) {
		rsa(c, &x, key);
		for (uint32_t len = 1; len <= RSA_LEN; len += 127) {
			pk_odd(c, message, len);
			if (len == RSA_LEN)
				message[0] = 0; /* below n */
			rsa_power(message, len, rsa_e, sizeof(rsa_e), want);
			pk_request(&r, &x, ACCEL_HW_PK_ENCRYPT);
			pk_operand(c, &r, 0, message, len);
			pk_result(c, &r, RSA_LEN);
			if (!pk_gives(&q, &r, want, RSA_LEN))
				return;
			rsa_power(message, len, rsa_d, sizeof(rsa_d), want);
			pk_request(&r, &x, ACCEL_HW_PK_SIGN);
			pk_operand(c, &r, 0, message, len);
			pk_result(c, &r, RSA_LEN);
			if (key == RSA_PUBLIC ? !request_run(&q, &r, ACCEL_HW_BAD_COMMAND) :
						!pk_gives(&q, &r, want, RSA_LEN))
				return;
			/* The signature is verified. */
			pk_request(&r, &x, ACCEL_HW_PK_VERIFY);
			pk_operand(c, &r, 0, message, len);
			pk_operand(c, &r, 1, want, RSA_LEN);
			pk_result(c, &r, RSA_LEN);
			rsa_power(want, RSA_LEN, rsa_e, sizeof(rsa_e), want);
			if (!pk_gives(&q, &r, want, RSA_LEN))
				return;
		}
		/* A message has to be below n. */
		pk_request(&r, &x, ACCEL_HW_PK_ENCRYPT);
		OPERAND(&r, 0, rsa_n);
		pk_result(c, &r, RSA_LEN);
		if (!request_run(&q, &r, ACCEL_HW_BAD_OPERAND))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Make the EMSA-PKCS1-v1_5 encoding of a SHA-256 digest (RFC 8017, 9.2). */
static void
emsa(const uint8_t digest[32], uint8_t block[RSA_LEN])
{
	static const uint8_t info[19] = { 0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48,
					  0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
					  0x20 };

	memset(block, 0xff, RSA_LEN);
	block[0] = 0;
	block[1] = 1;
	block[RSA_LEN - 52] = 0;
	memcpy(block + RSA_LEN - 51, info, sizeof(info));
	memcpy(block + RSA_LEN - 32, digest, 32);
}

static bool
rsa_has(const struct tree_pk *a, unsigned int padding)
{
	return (a->paddings & 1u << padding) != 0 &&
	       tree_lists(a->hash, a->nb_hashes, ACCEL_HW_AUTH_SHA256);
}

static void
rsa_verify(struct card *c, struct request *r, const struct pk *x, uint8_t padding,
	   const uint8_t digest[32], const uint8_t *signature, uint32_t len)
{
	pk_request(r, x, ACCEL_HW_PK_VERIFY);
	r->pk.padding = padding;
	r->pk.hash = ACCEL_HW_AUTH_SHA256;
	r->pk.salt_len = padding == ACCEL_HW_PK_PADDING_PSS ? 20 : 0;
	pk_operand(c, r, 0, digest, 32);
	pk_operand(c, r, 1, signature, len);
}

/* Test signatures. With PKCS#1 v1.5 the right signature is known. With PSS it is only verified.
 * Every bit counts. */
static void
rsa_signatures(struct card *c)
{
	uint8_t digest[32], block[RSA_LEN], signature[RSA_LEN];
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_RSA);
	if (a == NULL)
		return;
	for (uint8_t padding = ACCEL_HW_PK_PADDING_PKCS1; padding <= ACCEL_HW_PK_PADDING_PSS;
	     padding++) {
		if (padding == ACCEL_HW_PK_PADDING_OAEP || !rsa_has(a, padding))
			continue;
		c->memory.part[MEMORY_LOW].used = 0;
		rsa(c, &x, RSA_QUINTUPLE);
		pk_odd(c, digest, sizeof(digest));
		pk_request(&r, &x, ACCEL_HW_PK_SIGN);
		r.pk.padding = padding;
		r.pk.hash = ACCEL_HW_AUTH_SHA256;
		r.pk.salt_len = padding == ACCEL_HW_PK_PADDING_PSS ? 20 : 0;
		OPERAND(&r, 0, digest);
		pk_result(c, &r, RSA_LEN);
		emsa(digest, block);
		rsa_power(block, RSA_LEN, rsa_d, sizeof(rsa_d), signature);
		if (!pk_gives(&q, &r, padding == ACCEL_HW_PK_PADDING_PSS ? NULL : signature,
			      RSA_LEN))
			return;
		pk_output(c, &r, signature, RSA_LEN);
		for (uint32_t bit = 0; bit <= 8 * RSA_LEN; bit += 64) {
			/* The last round has no bit changed. */
			if (bit < 8 * RSA_LEN)
				signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
			rsa_verify(c, &r, &x, padding, digest, signature, RSA_LEN);
			if (!request_run(&q, &r, bit < 8 * RSA_LEN ? ACCEL_HW_AUTH_FAILED :
								     ACCEL_HW_OK))
				return;
			if (bit < 8 * RSA_LEN)
				signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
		for (uint32_t len = RSA_LEN - 1; len > 0; len /= 2) {
			rsa_verify(c, &r, &x, padding, digest, signature, len);
			if (!request_run(&q, &r, ACCEL_HW_AUTH_FAILED))
				return;
		}
		rsa_verify(c, &r, &x, padding, digest, rsa_n, RSA_LEN);
		if (!request_run(&q, &r, ACCEL_HW_AUTH_FAILED))
			return;
		digest[31] ^= 1;
		rsa_verify(c, &r, &x, padding, digest, signature, RSA_LEN);
		if (!request_run(&q, &r, ACCEL_HW_AUTH_FAILED))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
rsa_decrypt(struct card *c, struct request *r, const struct pk *x, uint8_t padding,
	    const uint8_t *ciphertext, uint32_t len)
{
	pk_request(r, x, ACCEL_HW_PK_DECRYPT);
	r->pk.padding = padding;
	r->pk.hash = padding == ACCEL_HW_PK_PADDING_OAEP ? ACCEL_HW_AUTH_SHA256 : 0;
	pk_operand(c, r, 0, ciphertext, len);
	pk_result(c, r, RSA_LEN);
}

/* Encrypt and decrypt a message. Then test each way in which a padding can be wrong. */
static void
rsa_encryption(struct card *c)
{
	static const uint8_t message[20] = "a message of a host";
	uint8_t block[RSA_LEN], ciphertext[RSA_LEN];
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_RSA);
	if (a == NULL)
		return;
	for (uint8_t padding = ACCEL_HW_PK_PADDING_PKCS1; padding <= ACCEL_HW_PK_PADDING_OAEP;
	     padding++) {
		if (!rsa_has(a, padding))
			continue;
		c->memory.part[MEMORY_LOW].used = 0;
		rsa(c, &x, padding == ACCEL_HW_PK_PADDING_PKCS1 ? RSA_EXPONENT : RSA_BOTH);
		pk_request(&r, &x, ACCEL_HW_PK_ENCRYPT);
		r.pk.padding = padding;
		r.pk.hash = padding == ACCEL_HW_PK_PADDING_OAEP ? ACCEL_HW_AUTH_SHA256 : 0;
		OPERAND(&r, 0, message);
		pk_result(c, &r, RSA_LEN);
		if (!pk_gives(&q, &r, NULL, RSA_LEN))
			return;
		pk_output(c, &r, ciphertext, RSA_LEN);
		rsa_decrypt(c, &r, &x, padding, ciphertext, RSA_LEN);
		if (!pk_gives(&q, &r, message, sizeof(message)))
			return;
		ciphertext[5] ^= 4;
		rsa_decrypt(c, &r, &x, padding, ciphertext, RSA_LEN);
		if (padding == ACCEL_HW_PK_PADDING_OAEP &&
		    !request_run(&q, &r, ACCEL_HW_DECRYPT_FAILED))
			return;
		rsa_decrypt(c, &r, &x, padding, rsa_n, RSA_LEN);
		if (!request_run(&q, &r, ACCEL_HW_DECRYPT_FAILED))
			return;
	}
	for (int i = 0; i < 6 && rsa_has(a, ACCEL_HW_PK_PADDING_PKCS1); i++) {
		memset(block, 0x5a, sizeof(block));
		block[0] = 0;
		block[1] = 2;
		block[100] = 0;
		switch (i) {
		case 0: block[0] = 1; break;
		case 1: block[1] = 1; break;
		case 2: block[1] = 0; break;
		case 3: block[100] = 1; break; /* no end */
		case 4: block[5] = 0; break; /* less than 8 bytes of padding */
		case 5: block[2] = 0; break;
		}
		rsa_power(block, RSA_LEN, rsa_e, sizeof(rsa_e), ciphertext);
		rsa_decrypt(c, &r, &x, ACCEL_HW_PK_PADDING_PKCS1, ciphertext, RSA_LEN);
		result_note(&c->result, "case %d", i);
		if (!request_run(&q, &r, ACCEL_HW_DECRYPT_FAILED))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
put16(uint8_t to[2], uint16_t value)
{
	to[0] = (uint8_t)(value >> 8);
	to[1] = (uint8_t)value;
}

/* Test results and operands with leading zeros, and values at the edges. */
static void
modexp(struct card *c)
{
	static const struct {
		uint16_t modulus, exponent, base, want;
	} table[] = {
		{ 7, 3, 2, 1 }, { 7, 1, 9, 2 }, { 7, 0, 5, 1 }, { 1, 3, 5, 0 }, { 1, 0, 5, 0 },
		{ 8, 3, 3, 3 }, { 200, 2, 13, 169 }, { 7, 5, 0, 0 }, { 257, 3, 4, 64 },
		{ 257, 1, 0xffff, 0 }, { 0x8000, 2, 0x101, 0x201 },
	};
	uint8_t value[4] = { 0 }, want[2];
	struct request r;
	struct queue q;
	struct pk x;

	if (pk_open_for(&q, c, ACCEL_HW_PK_MODEXP) == NULL)
		return;
	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		/* Bytes of the modulus without its leading zeros. */
		const uint32_t len = table[i].modulus > UINT8_MAX ? 2 : 1;

		pk_init(&x, ACCEL_HW_PK_MODEXP, 0);
		put16(value + 2, table[i].modulus);
		COMPONENT(&x, ACCEL_HW_MOD_MODULUS, value);
		put16(value + 2, table[i].exponent);
		COMPONENT(&x, ACCEL_HW_MOD_EXPONENT, value);
		pk_store(c, &x);
		pk_request(&r, &x, ACCEL_HW_PK_COMPUTE);
		put16(value + 2, table[i].base);
		OPERAND(&r, 0, value);
		pk_result(c, &r, 4);
		put16(want, table[i].want);
		result_note(&c->result, "case %u", i);
		if (!pk_gives(&q, &r, want + 2 - len, len))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
modinv(struct card *c)
{
	static const struct {
		uint8_t modulus, base, want;
		uint16_t status;
	} table[] = {
		{ 7, 3, 5, ACCEL_HW_OK }, { 9, 4, 7, ACCEL_HW_OK }, { 10, 3, 7, ACCEL_HW_OK },
		{ 9, 3, 0, ACCEL_HW_NO_INVERSE }, { 10, 4, 0, ACCEL_HW_NO_INVERSE },
		{ 7, 0, 0, ACCEL_HW_NO_INVERSE }, { 7, 10, 5, ACCEL_HW_OK },
	};
	struct request r;
	struct queue q;
	struct pk x;

	if (pk_open_for(&q, c, ACCEL_HW_PK_MODINV) == NULL)
		return;
	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		pk_init(&x, ACCEL_HW_PK_MODINV, 0);
		pk_component(&x, ACCEL_HW_MOD_MODULUS, &table[i].modulus, 1);
		pk_store(c, &x);
		pk_request(&r, &x, ACCEL_HW_PK_COMPUTE);
		pk_operand(c, &r, 0, &table[i].base, 1);
		pk_result(c, &r, 1);
		result_note(&c->result, "case %u", i);
		if (table[i].status == ACCEL_HW_OK ? !pk_gives(&q, &r, &table[i].want, 1) :
						     !request_run(&q, &r, table[i].status))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test that two sides agree. p is the prime of the RSA key, and g is 3. */
static void
dh(struct card *c)
{
	static const uint8_t g[1] = { 3 };
	uint8_t keys[2 * 64], other[2 * 64], shared[64], edge[64];
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_DH);
	if (a == NULL)
		return;
	SKIP_UNLESS(c, a->bits_min <= 512 && pk_has(a, ACCEL_HW_PK_GENERATE, 0),
		    "no DH of 512 bits");
	pk_init(&x, ACCEL_HW_PK_DH, 0);
	COMPONENT(&x, ACCEL_HW_DH_P, rsa_p);
	COMPONENT(&x, ACCEL_HW_DH_G, g);
	pk_store(c, &x);
	for (int i = 0; i < 2; i++) {
		pk_request(&r, &x, ACCEL_HW_PK_GENERATE);
		pk_result(c, &r, 128);
		if (!pk_gives(&q, &r, NULL, 128))
			return;
		pk_output(c, &r, i == 0 ? keys : other, 128);
	}
	CHECK(c, memcmp(keys, other, 64) != 0, "two private keys are the same");
	pk_request(&r, &x, ACCEL_HW_PK_PUBLIC);
	pk_operand(c, &r, 0, keys, 64);
	pk_result(c, &r, 64);
	if (!pk_gives(&q, &r, keys + 64, 64))
		return;
	for (int i = 0; i < 2; i++) {
		pk_request(&r, &x, ACCEL_HW_PK_SHARED);
		pk_operand(c, &r, 0, i == 0 ? keys : other, 64);
		pk_operand(c, &r, 1, (i == 0 ? other : keys) + 64, 64);
		pk_result(c, &r, 64);
		if (!pk_gives(&q, &r, i == 0 ? NULL : shared, 64))
			return;
		pk_output(c, &r, shared, 64);
	}
	/* The peer's number must not be out of range: 0, 1, p - 1 and p are refused. */
	for (int i = 0; i < 4; i++) {
		memset(edge, 0, sizeof(edge));
		edge[63] = i == 1;
		if (i >= 2)
			memcpy(edge, rsa_p, sizeof(edge));
		if (i == 2)
			edge[63]--;
		pk_request(&r, &x, ACCEL_HW_PK_SHARED);
		pk_operand(c, &r, 0, keys, 64);
		pk_operand(c, &r, 1, edge, 64);
		pk_result(c, &r, 64);
		result_note(&c->result, "case %d", i);
		if (!request_run(&q, &r, ACCEL_HW_BAD_OPERAND))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct {
	uint8_t curve;
	uint32_t len;
	int nid;
} curves[] = {
	{ ACCEL_HW_CURVE_P192, 24, NID_X9_62_prime192v1 },
	{ ACCEL_HW_CURVE_P224, 28, NID_secp224r1 },
	{ ACCEL_HW_CURVE_P256, 32, NID_X9_62_prime256v1 },
	{ ACCEL_HW_CURVE_P384, 48, NID_secp384r1 },
	{ ACCEL_HW_CURVE_P521, 66, NID_secp521r1 },
};

#define NB_CURVES (sizeof(curves) / sizeof(curves[0]))
#define EC_ROOM 66u

/* Compute k * point, or k * base point. x and y have len bytes each. */
static void
ec_mul(unsigned int i, const uint8_t *k, const uint8_t *point, uint8_t *out)
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name(curves[i].nid);
	EC_POINT *p = EC_POINT_new(group), *from = EC_POINT_new(group);
	const int len = (int)curves[i].len;
	BIGNUM *n = BN_bin2bn(k, len, NULL), *x = BN_new(), *y = BN_new();
	BN_CTX *ctx = BN_CTX_new();

	if (point != NULL) {
		BN_bin2bn(point, len, x);
		BN_bin2bn(point + len, len, y);
		EC_POINT_set_affine_coordinates(group, from, x, y, ctx);
	}
	EC_POINT_mul(group, p, point != NULL ? NULL : n, point != NULL ? from : NULL,
		     point != NULL ? n : NULL, ctx);
	EC_POINT_get_affine_coordinates(group, p, x, y, ctx);
	pk_put(x, out, curves[i].len);
	pk_put(y, out + len, curves[i].len);
	BN_free(n);
	EC_POINT_free(p);
	EC_POINT_free(from);
	EC_GROUP_free(group);
	BN_CTX_free(ctx);
}

/* Make a random number that is below all orders of this length. */
static void
scalar(struct card *c, unsigned int i, uint8_t *to)
{
	pk_odd(c, to, curves[i].len);
	to[0] = to[1] = 0;
}

/* Does a test with each curve that the card has for an algorithm, until one of them fails. */
static void
on_curves(struct card *c, uint32_t alg,
	  bool (*test)(struct queue *q, struct card *c, unsigned int i))
{
	const struct tree_pk *a;
	struct queue q;

	a = pk_open_for(&q, c, alg);
	if (a == NULL)
		return;
	for (unsigned int i = 0; i < NB_CURVES; i++) {
		if (!tree_lists(a->curve, a->nb_curves, curves[i].curve))
			continue;
		result_note(&c->result, "curve %u", curves[i].curve);
		if (!test(&q, c, i))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test PUBLIC, GENERATE, SHARED and CHECK, with d in the context and as an operand. */
static bool
ecdh_on(struct queue *q, struct card *c, unsigned int i)
{
	const uint32_t len = curves[i].len;
	uint8_t d[EC_ROOM], point[2 * EC_ROOM], want[2 * EC_ROOM], made[3 * EC_ROOM];
	struct request r;
	struct pk x;

	scalar(c, i, d);
	for (int given = 0; given < 2; given++) {
		pk_init(&x, ACCEL_HW_PK_ECDH, curves[i].curve);
		if (given == 0)
			pk_component(&x, ACCEL_HW_EC_D, d, (uint16_t)len);
		pk_store(c, &x);
		ec_mul(i, d, NULL, point);
		pk_request(&r, &x, ACCEL_HW_PK_PUBLIC);
		pk_operand(c, &r, 0, d, given * len);
		pk_result(c, &r, 2 * len);
		if (!pk_gives(q, &r, point, 2 * len))
			return false;
		ec_mul(i, d, point, want);
		pk_request(&r, &x, ACCEL_HW_PK_SHARED);
		pk_operand(c, &r, 0, d, given * len);
		pk_operand(c, &r, 1, point, len);
		pk_operand(c, &r, 2, point + len, len);
		pk_result(c, &r, 2 * len);
		if (!pk_gives(q, &r, want, 2 * len))
			return false;
	}
	pk_request(&r, &x, ACCEL_HW_PK_GENERATE);
	pk_result(c, &r, 3 * len);
	if (!pk_gives(q, &r, NULL, 3 * len))
		return false;
	pk_output(c, &r, made, 3 * len);
	ec_mul(i, made, NULL, want);
	ENSURE(c, memcmp(made + len, want, 2 * len) == 0,
	       "a public key that is not that of the private one");
	for (int bad = 0; bad < 3; bad++) {
		if (bad == 1)
			point[2 * len - 1] ^= 1;
		if (bad == 2)
			memset(point, 0, sizeof(point));
		pk_request(&r, &x, ACCEL_HW_PK_CHECK);
		pk_operand(c, &r, 0, point, len);
		pk_operand(c, &r, 1, point + len, len);
		if (!request_run(q, &r, bad == 0 ? ACCEL_HW_OK : ACCEL_HW_INVALID_POINT))
			return false;
	}
	return true;
}

static void
ecdh(struct card *c)
{
	on_curves(c, ACCEL_HW_PK_ECDH, ecdh_on);
}

static bool
ec_multiply_on(struct queue *q, struct card *c, unsigned int i)
{
	const uint32_t len = curves[i].len;
	uint8_t k[EC_ROOM], point[2 * EC_ROOM], want[2 * EC_ROOM];
	struct request r;
	struct pk x;

	pk_init(&x, ACCEL_HW_PK_EC_MUL, curves[i].curve);
	pk_store(c, &x);
	scalar(c, i, k);
	ec_mul(i, k, NULL, point);
	for (int bad = 0; bad < 2; bad++) {
		if (bad == 1)
			point[0] ^= 1;
		else
			ec_mul(i, k, point, want);
		pk_request(&r, &x, ACCEL_HW_PK_COMPUTE);
		pk_operand(c, &r, 0, k, len);
		pk_operand(c, &r, 1, point, len);
		pk_operand(c, &r, 2, point + len, len);
		pk_result(c, &r, 2 * len);
		if (bad == 0 ? !pk_gives(q, &r, want, 2 * len) :
			       !request_run(q, &r, ACCEL_HW_INVALID_POINT))
			return false;
	}
	return true;
}

static void
ec_multiply(struct card *c)
{
	on_curves(c, ACCEL_HW_PK_EC_MUL, ec_multiply_on);
}

static void
ec_verify(struct card *c, struct request *r, const struct pk *x, const uint8_t *digest,
	  const uint8_t *signature, const uint8_t *point, uint32_t len)
{
	pk_request(r, x, ACCEL_HW_PK_VERIFY);
	pk_operand(c, r, 0, digest, 32);
	pk_operand(c, r, 1, signature, len);
	pk_operand(c, r, 2, signature + len, len);
	pk_operand(c, r, 3, point, len);
	pk_operand(c, r, 4, point + len, len);
}

/* Test ECDSA on a curve. With a given k, r is the x of k times the base point, if x is below the
 * order. */
static bool
ecdsa_on(struct queue *q, struct card *c, unsigned int i)
{
	const uint32_t len = curves[i].len;
	uint8_t d[EC_ROOM], k[EC_ROOM], point[2 * EC_ROOM], random[2 * EC_ROOM];
	uint8_t signature[2 * EC_ROOM], digest[32];
	struct request r;
	struct pk x;

	scalar(c, i, d);
	scalar(c, i, k);
	pk_odd(c, digest, sizeof(digest));
	ec_mul(i, d, NULL, point);
	ec_mul(i, k, NULL, random);
	pk_init(&x, ACCEL_HW_PK_ECDSA, curves[i].curve);
	pk_store(c, &x);
	for (int given = 1; given >= 0; given--) {
		pk_request(&r, &x, ACCEL_HW_PK_SIGN);
		OPERAND(&r, 0, digest);
		pk_operand(c, &r, 1, d, len);
		pk_operand(c, &r, 2, k, (uint32_t)given * len);
		pk_result(c, &r, 2 * len);
		if (!pk_gives(q, &r, NULL, 2 * len))
			return false;
		pk_output(c, &r, signature, 2 * len);
		/* The chance that x is not below the order is below 2^-90. */
		ENSURE(c, (memcmp(signature, random, len) == 0) == (given != 0),
		       "r is not that of k");
		ec_verify(c, &r, &x, digest, signature, point, len);
		if (!request_run(q, &r, ACCEL_HW_OK))
			return false;
	}
	for (int bad = 0; bad < 5; bad++) {
		uint8_t wrong[2 * EC_ROOM];

		memcpy(wrong, signature, sizeof(wrong));
		if (bad == 0)
			wrong[len - 1] ^= 1;
		else if (bad == 1)
			wrong[2 * len - 1] ^= 1;
		else if (bad == 2)
			memset(wrong, 0, len);
		else if (bad == 3)
			memset(wrong + len, 0, len);
		else
			memset(wrong, 0xff, len);
		ec_verify(c, &r, &x, digest, wrong, point, len);
		result_note(&c->result, "case %d", bad);
		if (!request_run(q, &r, ACCEL_HW_AUTH_FAILED))
			return false;
	}
	digest[0] ^= 1;
	ec_verify(c, &r, &x, digest, signature, point, len);
	if (!request_run(q, &r, ACCEL_HW_AUTH_FAILED))
		return false;
	point[0] ^= 1;
	ec_verify(c, &r, &x, digest, signature, point, len);
	if (!request_run(q, &r, ACCEL_HW_INVALID_POINT))
		return false;
	/* This k is out of its range. */
	memset(k, 0xff, sizeof(k));
	pk_request(&r, &x, ACCEL_HW_PK_SIGN);
	OPERAND(&r, 0, digest);
	pk_operand(c, &r, 1, d, len);
	pk_operand(c, &r, 2, k, len);
	pk_result(c, &r, 2 * len);
	if (!request_run(q, &r, ACCEL_HW_BAD_OPERAND))
		return false;
	return true;
}

static void
ecdsa(struct card *c)
{
	on_curves(c, ACCEL_HW_PK_ECDSA, ecdsa_on);
}

/* Run TEST 3 of RFC 8032, 7.1. */
static void
eddsa(struct card *c)
{
	static const uint8_t private[32] = {
		0xc5, 0xaa, 0x8d, 0xf4, 0x3f, 0x9f, 0x83, 0x7b, 0xed, 0xb7, 0x44,
		0x2f, 0x31, 0xdc, 0xb7, 0xb1, 0x66, 0xd3, 0x85, 0x35, 0x07, 0x6f,
		0x09, 0x4b, 0x85, 0xce, 0x3a, 0x2e, 0x0b, 0x44, 0x58, 0xf7,
	};
	static const uint8_t public[32] = {
		0xfc, 0x51, 0xcd, 0x8e, 0x62, 0x18, 0xa1, 0xa3, 0x8d, 0xa4, 0x7e,
		0xd0, 0x02, 0x30, 0xf0, 0x58, 0x08, 0x16, 0xed, 0x13, 0xba, 0x33,
		0x03, 0xac, 0x5d, 0xeb, 0x91, 0x15, 0x48, 0x90, 0x80, 0x25,
	};
	static const uint8_t message[2] = { 0xaf, 0x82 };
	uint8_t want[64] = {
		0x62, 0x91, 0xd6, 0x57, 0xde, 0xec, 0x24, 0x02, 0x48, 0x27, 0xe6, 0x9c, 0x3a,
		0xbe, 0x01, 0xa3, 0x0c, 0xe5, 0x48, 0xa2, 0x84, 0x74, 0x3a, 0x44, 0x5e, 0x36,
		0x80, 0xd7, 0xdb, 0x5a, 0xc3, 0xac, 0x18, 0xff, 0x9b, 0x53, 0x8d, 0x16, 0xf2,
		0x90, 0xae, 0x67, 0xf7, 0x60, 0x98, 0x4d, 0xc6, 0x59, 0x4a, 0x7c, 0x15, 0xe9,
		0x71, 0x6e, 0xd2, 0x8d, 0xc0, 0x27, 0xbe, 0xce, 0xea, 0x1e, 0xc4, 0x0a,
	};
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_EDDSA);
	if (a == NULL)
		return;
	SKIP_UNLESS(c, pk_has(a, ACCEL_HW_PK_SIGN, ACCEL_HW_CURVE_ED25519), "no Ed25519");
	for (int given = 0; given < 2; given++) {
		pk_init(&x, ACCEL_HW_PK_EDDSA, ACCEL_HW_CURVE_ED25519);
		if (given == 0) {
			COMPONENT(&x, ACCEL_HW_PK_PRIVATE_KEY, private);
			COMPONENT(&x, ACCEL_HW_PK_PUBLIC_KEY, public);
		}
		pk_store(c, &x);
		pk_request(&r, &x, ACCEL_HW_PK_SIGN);
		OPERAND(&r, 0, message);
		if (given != 0)
			OPERAND(&r, 2, private);
		pk_result(c, &r, 64);
		if (!pk_gives(&q, &r, want, 64))
			return;
		for (uint32_t bad = 0; bad < 65; bad += 16) {
			want[bad % 64] ^= bad < 64 ? 1 : 0;
			pk_request(&r, &x, ACCEL_HW_PK_VERIFY);
			OPERAND(&r, 0, message);
			OPERAND(&r, 1, want);
			if (given != 0)
				OPERAND(&r, 3, public);
			if (!request_run(&q, &r, bad < 64 ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK))
				return;
			want[bad % 64] ^= bad < 64 ? 1 : 0;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "PK-7 PK-8 PK-12 ALG-1", "RSA without padding, with each form of a key", rsa_plain },
	{ "PK-12 PK-13 ALG-1", "RSA signatures: PKCS#1 v1.5 and PSS", rsa_signatures },
	{ "PK-12 PK-14 ALG-1", "RSA encryption: PKCS#1 v1.5 and OAEP", rsa_encryption },
	{ "PK-7 ALG-1", "MODEXP at the edges", modexp },
	{ "PK-12 ALG-1", "MODINV", modinv },
	{ "PK-7 PK-12 ALG-1", "DH", dh },
	{ "PK-7 PK-12 ALG-1", "ECDH", ecdh },
	{ "PK-12 ALG-1", "EC-MUL", ec_multiply },
	{ "PK-12 PK-13 ALG-1", "ECDSA", ecdsa },
	{ "PK-13 ALG-1", "Ed25519", eddsa },
};

const struct test_group tests_pk_alg = TEST_GROUP("public-key algorithms", tests);
