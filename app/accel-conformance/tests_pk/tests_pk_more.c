/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests more public-key algorithms (manual 8.8): DSA, an edge of ECDSA, SM2, X25519, keys of EdDSA,
 * ML-KEM, ML-DSA. There is only one right signature with a given k, and it is computed here, too.
 */
#include <string.h>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>

#include "reference/pk.h"
#include "tests_pk.h"

/* These are DSA's domain parameters of 1024 and 160 bits. */
static const uint8_t dsa_p[128] = {
	0xfc, 0x54, 0xea, 0x78, 0xda, 0xcf, 0x88, 0x1d, 0x34, 0xfe, 0x20, 0x00, 0xe5, 0x74, 0xe2,
	0xfc, 0x6a, 0xaa, 0x85, 0xad, 0x42, 0x0b, 0x35, 0xa2, 0xa0, 0xbe, 0x2b, 0x60, 0xe4, 0x08,
	0x2d, 0xdd, 0xcf, 0x6e, 0x64, 0xab, 0x49, 0x48, 0x67, 0x2f, 0xff, 0x23, 0x48, 0x81, 0xd1,
	0xfa, 0x29, 0xe1, 0xc5, 0xf5, 0x43, 0xfb, 0x91, 0x27, 0x4a, 0x08, 0x59, 0x69, 0x3a, 0xeb,
	0x22, 0x32, 0xbb, 0x52, 0xe9, 0xfd, 0xa3, 0x1c, 0x5f, 0x89, 0xe6, 0x22, 0xd8, 0x9b, 0x7e,
	0x4c, 0x00, 0x9b, 0x6b, 0x87, 0x28, 0xab, 0xd2, 0x04, 0x95, 0x3c, 0x0e, 0xdb, 0xf0, 0x0e,
	0x18, 0x79, 0x98, 0x24, 0xbd, 0x68, 0x0e, 0xd3, 0xf4, 0x57, 0x94, 0xeb, 0xe2, 0x14, 0x25,
	0xcf, 0x39, 0x86, 0x5d, 0xab, 0x70, 0xf4, 0x5a, 0x22, 0x7c, 0x3e, 0x34, 0xcd, 0x50, 0x82,
	0xb0, 0x25, 0xca, 0x24, 0xca, 0x20, 0x8d, 0xb9,
};
static const uint8_t dsa_q[20] = {
	0x96, 0xa4, 0xa0, 0x78, 0x79, 0x21, 0xcd, 0x14, 0x06, 0x3f, 0x99, 0x62, 0xb2, 0x78, 0xcc,
	0xf4, 0x6d, 0x29, 0xd7, 0x8b,
};
static const uint8_t dsa_g[128] = {
	0x68, 0xb3, 0x3a, 0x85, 0x94, 0xc4, 0x01, 0x30, 0x0a, 0x1b, 0x94, 0xea, 0xf5, 0x93, 0x33,
	0xbe, 0x68, 0x96, 0x1a, 0xc0, 0xa7, 0x0f, 0xce, 0x4f, 0xe8, 0x20, 0x22, 0x79, 0x8e, 0x9d,
	0x9c, 0x40, 0xb7, 0xd4, 0x84, 0x8c, 0x2e, 0x5a, 0x33, 0x6d, 0x23, 0xe9, 0xd9, 0xa3, 0xcb,
	0x76, 0x5d, 0x01, 0x5f, 0x2f, 0x68, 0x77, 0xb6, 0x64, 0x0b, 0x5c, 0x34, 0x11, 0x75, 0x8c,
	0xae, 0xc5, 0xda, 0x08, 0x73, 0xb6, 0xd5, 0xa1, 0x3f, 0xf7, 0xf1, 0x2d, 0x65, 0x72, 0xde,
	0x70, 0xfa, 0xd5, 0x4b, 0x65, 0x75, 0xce, 0x31, 0xb4, 0x23, 0x4e, 0x70, 0x80, 0x2b, 0x80,
	0xb1, 0x73, 0xfb, 0x36, 0x3d, 0xcd, 0xbd, 0x6b, 0x2b, 0xd3, 0xa5, 0xd7, 0x64, 0x8a, 0x2b,
	0x66, 0x98, 0x42, 0xa2, 0x58, 0xe7, 0x91, 0x74, 0x8e, 0x7e, 0x64, 0x69, 0x2b, 0x8c, 0x21,
	0x4c, 0x1a, 0xf7, 0x8a, 0x61, 0x25, 0xdc, 0x39,
};

#define OPERAND(r, n, data) pk_operand(c, r, n, data, sizeof(data))
#define COMPONENT(x, n, data) pk_component(x, n, data, sizeof(data))
#define NUMBER(data) BN_bin2bn(data, sizeof(data), NULL)

#define L 20u

/* Compute r = (g^k mod p) mod q, s = (digest + x * r) / k mod q (FIPS 186-4, 4.6). */
static void
dsa_reference(const uint8_t digest[L], const uint8_t x[L], const uint8_t k[L], uint8_t out[2 * L])
{
	BIGNUM *p = NUMBER(dsa_p), *q = NUMBER(dsa_q), *g = NUMBER(dsa_g), *r = BN_new();
	BIGNUM *z = BN_bin2bn(digest, L, NULL), *bx = BN_bin2bn(x, L, NULL);
	BIGNUM *bk = BN_bin2bn(k, L, NULL), *s = BN_new();
	BN_CTX *ctx = BN_CTX_new();

	BN_mod_exp(r, g, bk, p, ctx);
	BN_nnmod(r, r, q, ctx);
	BN_mod_mul(s, bx, r, q, ctx);
	BN_mod_add(s, s, z, q, ctx);
	BN_mod_inverse(bk, bk, q, ctx);
	BN_mod_mul(s, s, bk, q, ctx);
	pk_put(r, out, L);
	pk_put(s, out + L, L);
	BN_free(p);
	BN_free(q);
	BN_free(g);
	BN_free(z);
	BN_free(bx);
	BN_free(bk);
	BN_CTX_free(ctx);
}

static void
dsa(struct card *c)
{
	uint8_t digest[32], x[L], y[128], k[L], want[2 * L];
	BIGNUM *by, *p, *g, *bx;
	const struct tree_pk *a;
	BN_CTX *ctx;
	struct request r;
	struct queue q;
	struct pk key;

	a = pk_open_for(&q, c, ACCEL_HW_PK_DSA);
	if (a == NULL)
		return;
	SKIP_UNLESS(c, a->bits_min <= 1024, "no DSA of 1024 bits");
	pk_odd(c, x, L);
	pk_odd(c, k, L);
	x[0] = k[0] = 0;
	by = BN_new();
	p = NUMBER(dsa_p);
	g = NUMBER(dsa_g);
	bx = NUMBER(x);
	ctx = BN_CTX_new();
	BN_mod_exp(by, g, bx, p, ctx);
	pk_put(by, y, sizeof(y));
	BN_free(p);
	BN_free(g);
	BN_free(bx);
	BN_CTX_free(ctx);
	pk_init(&key, ACCEL_HW_PK_DSA, 0);
	COMPONENT(&key, ACCEL_HW_DSA_P, dsa_p);
	COMPONENT(&key, ACCEL_HW_DSA_Q, dsa_q);
	COMPONENT(&key, ACCEL_HW_DSA_G, dsa_g);
	COMPONENT(&key, ACCEL_HW_DSA_X, x);
	pk_store(c, &key);
	/* A digest that is longer than q counts by its leftmost bits. */
	pk_odd(c, digest, sizeof(digest));
	dsa_reference(digest, x, k, want);
	for (uint32_t len = L; len <= 32; len += 12) {
		pk_request(&r, &key, ACCEL_HW_PK_SIGN);
		pk_operand(c, &r, 0, digest, len);
		OPERAND(&r, 1, k);
		pk_result(c, &r, 2 * L);
		if (!pk_gives(&q, &r, want, 2 * L))
			return;
	}
	for (int i = 0; i < 6; i++) {
		static const uint16_t status[] = { ACCEL_HW_OK, ACCEL_HW_AUTH_FAILED };
		uint8_t bad[2 * L];

		memcpy(bad, want, sizeof(bad));
		if (i == 1)
			bad[L - 1] ^= 1;
		else if (i == 2)
			bad[2 * L - 1] ^= 1;
		else if (i == 3)
			memset(bad, 0, L);
		else if (i == 4)
			memset(bad + L, 0, L);
		else if (i == 5)
			memcpy(bad, dsa_q, L);
		pk_request(&r, &key, ACCEL_HW_PK_VERIFY);
		pk_operand(c, &r, 0, digest, L);
		pk_operand(c, &r, 1, bad, L);
		pk_operand(c, &r, 2, bad + L, L);
		OPERAND(&r, 3, y);
		result_note(&c->result, "case %d", i);
		if (!request_run(&q, &r, status[i > 0]))
			return;
	}
	/* k is not below q. */
	pk_request(&r, &key, ACCEL_HW_PK_SIGN);
	pk_operand(c, &r, 0, digest, L);
	OPERAND(&r, 1, dsa_q);
	pk_result(c, &r, 2 * L);
	if (request_run(&q, &r, ACCEL_HW_BAD_OPERAND))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Compute the public key of d, and r = (e + x1) mod n, s = (k - r * d) / (1 + d) mod n. (x1, y1) is
 * k times the base point (GB/T 32918.2). */
static void
sm2_reference(const uint8_t e[32], const uint8_t d[32], const uint8_t k[32], uint8_t point[64],
	      uint8_t out[64])
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_sm2);
	const BIGNUM *n = EC_GROUP_get0_order(group);
	BIGNUM *bd = BN_bin2bn(d, 32, NULL), *bk = BN_bin2bn(k, 32, NULL);
	BIGNUM *x = BN_new(), *y = BN_new(), *be = BN_bin2bn(e, 32, NULL), *s = BN_new();
	EC_POINT *p = EC_POINT_new(group);
	BN_CTX *ctx = BN_CTX_new();

	EC_POINT_mul(group, p, bd, NULL, NULL, ctx);
	EC_POINT_get_affine_coordinates(group, p, x, y, ctx);
	BN_bn2binpad(x, point, 32);
	BN_bn2binpad(y, point + 32, 32);
	EC_POINT_mul(group, p, bk, NULL, NULL, ctx);
	EC_POINT_get_affine_coordinates(group, p, x, y, ctx);
	BN_mod_add(be, be, x, n, ctx);
	BN_mod_mul(s, be, bd, n, ctx);
	BN_mod_sub(s, bk, s, n, ctx);
	BN_add_word(bd, 1);
	BN_mod_inverse(bd, bd, n, ctx);
	BN_mod_mul(s, s, bd, n, ctx);
	pk_put(be, out, 32);
	pk_put(s, out + 32, 32);
	BN_free(bd);
	BN_free(bk);
	BN_free(x);
	BN_free(y);
	EC_POINT_free(p);
	EC_GROUP_free(group);
	BN_CTX_free(ctx);
}

/* Encrypt and decrypt a message, also with changed bytes of the ciphertext. */
static void
sm2_encryption(struct card *c, struct queue *q, const struct pk *x, const uint8_t point[64])
{
	static const uint8_t message[30] = "encryption standard";
	uint8_t ciphertext[96 + sizeof(message)];
	struct request r;

	pk_request(&r, x, ACCEL_HW_PK_ENCRYPT);
	OPERAND(&r, 0, message);
	pk_operand(c, &r, 1, point, 32);
	pk_operand(c, &r, 2, point + 32, 32);
	pk_result(c, &r, sizeof(ciphertext));
	if (!pk_gives(q, &r, NULL, sizeof(ciphertext)))
		return;
	pk_output(c, &r, ciphertext, sizeof(ciphertext));
	for (uint32_t i = 64; i <= sizeof(ciphertext); i += 31) {
		const bool bad = i < sizeof(ciphertext);

		ciphertext[bad ? i : 0] ^= bad ? 1 : 0;
		pk_request(&r, x, ACCEL_HW_PK_DECRYPT);
		pk_operand(c, &r, 0, ciphertext, 32);
		pk_operand(c, &r, 1, ciphertext + 32, 32);
		pk_operand(c, &r, 2, ciphertext + 64, sizeof(ciphertext) - 64);
		pk_result(c, &r, sizeof(message));
		if (bad ? !request_run(q, &r, ACCEL_HW_DECRYPT_FAILED) :
			  !pk_gives(q, &r, message, sizeof(message)))
			return;
		ciphertext[bad ? i : 0] ^= bad ? 1 : 0;
	}
}

static void
sm2(struct card *c)
{
	uint8_t e[32], d[32], k[32], point[64], want[64];
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_SM2);
	if (a == NULL)
		return;
	pk_odd(c, e, sizeof(e));
	pk_odd(c, d, sizeof(d));
	pk_odd(c, k, sizeof(k));
	d[0] = k[0] = 0;
	sm2_reference(e, d, k, point, want);
	pk_init(&x, ACCEL_HW_PK_SM2, ACCEL_HW_CURVE_SM2);
	COMPONENT(&x, ACCEL_HW_EC_D, d);
	pk_store(c, &x);
	if (pk_has(a, ACCEL_HW_PK_SIGN, 0)) {
		pk_request(&r, &x, ACCEL_HW_PK_SIGN);
		OPERAND(&r, 0, e);
		OPERAND(&r, 3, k);
		pk_result(c, &r, 64);
		if (!pk_gives(&q, &r, want, 64))
			return;
	}
	for (int i = 0; pk_has(a, ACCEL_HW_PK_VERIFY, 0) && i < 4; i++) {
		if (i > 0)
			want[i < 3 ? 32 * i - 1 : 0] ^= 1;
		pk_request(&r, &x, ACCEL_HW_PK_VERIFY);
		OPERAND(&r, 0, e);
		pk_operand(c, &r, 1, want, 32);
		pk_operand(c, &r, 2, want + 32, 32);
		pk_operand(c, &r, 4, point, 32);
		pk_operand(c, &r, 5, point + 32, 32);
		if (!request_run(&q, &r, i == 0 ? ACCEL_HW_OK : ACCEL_HW_AUTH_FAILED))
			return;
	}
	if (pk_has(a, ACCEL_HW_PK_ENCRYPT, 0) && pk_has(a, ACCEL_HW_PK_DECRYPT, 0))
		sm2_encryption(c, &q, &x, point);
	if (!c->result.test_failed)
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Verify a signature for which the sum of both points is infinity: r = s = 1, with the base point
 * as public key and the order - 1 as digest. It is as wrong as any other, and no failure of the
 * card. */
static void
ecdsa_infinity(struct card *c)
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
	uint8_t digest[32], one[32] = { [31] = 1 }, point[64];
	BIGNUM *x = BN_new(), *y = BN_new();
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk key;

	BN_bn2binpad(EC_GROUP_get0_order(group), digest, sizeof(digest));
	digest[31]--;
	EC_POINT_get_affine_coordinates(group, EC_GROUP_get0_generator(group), x, y, NULL);
	pk_put(x, point, 32);
	pk_put(y, point + 32, 32);
	EC_GROUP_free(group);
	a = pk_open_for(&q, c, ACCEL_HW_PK_ECDSA);
	if (a == NULL)
		return;
	SKIP_UNLESS(c, pk_has(a, ACCEL_HW_PK_VERIFY, ACCEL_HW_CURVE_P256), "no P-256");
	pk_init(&key, ACCEL_HW_PK_ECDSA, ACCEL_HW_CURVE_P256);
	pk_store(c, &key);
	pk_request(&r, &key, ACCEL_HW_PK_VERIFY);
	OPERAND(&r, 0, digest);
	OPERAND(&r, 1, one);
	OPERAND(&r, 2, one);
	pk_operand(c, &r, 3, point, 32);
	pk_operand(c, &r, 4, point + 32, 32);
	if (request_run(&q, &r, ACCEL_HW_AUTH_FAILED))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run the test of RFC 7748, 5.2, and use a point of low order. */
static void
x25519(struct card *c)
{
	static const uint8_t d[32] = {
		0xa5, 0x46, 0xe3, 0x6b, 0xf0, 0x52, 0x7c, 0x9d, 0x3b, 0x16, 0x15,
		0x4b, 0x82, 0x46, 0x5e, 0xdd, 0x62, 0x14, 0x4c, 0x0a, 0xc1, 0xfc,
		0x5a, 0x18, 0x50, 0x6a, 0x22, 0x44, 0xba, 0x44, 0x9a, 0xc4,
	};
	static const uint8_t u[32] = {
		0xe6, 0xdb, 0x68, 0x67, 0x58, 0x30, 0x30, 0xdb, 0x35, 0x94, 0xc1,
		0xa4, 0x24, 0xb1, 0x5f, 0x7c, 0x72, 0x66, 0x24, 0xec, 0x26, 0xb3,
		0x35, 0x3b, 0x10, 0xa9, 0x03, 0xa6, 0xd0, 0xab, 0x1c, 0x4c,
	};
	static const uint8_t want[32] = {
		0xc3, 0xda, 0x55, 0x37, 0x9d, 0xe9, 0xc6, 0x90, 0x8e, 0x94, 0xea,
		0x4d, 0xf2, 0x8d, 0x08, 0x4f, 0x32, 0xec, 0xcf, 0x03, 0x49, 0x1c,
		0x71, 0xf7, 0x54, 0xb4, 0x07, 0x55, 0x77, 0xa2, 0x85, 0x52,
	};
	static const uint8_t low[32] = { 1 };
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_ECDH);
	if (a == NULL)
		return;
	SKIP_UNLESS(c, pk_has(a, ACCEL_HW_PK_SHARED, ACCEL_HW_CURVE_X25519), "no X25519");
	for (int i = 0; i < 4; i++) {
		pk_init(&x, ACCEL_HW_PK_ECDH, ACCEL_HW_CURVE_X25519);
		if (i % 2 == 0)
			COMPONENT(&x, ACCEL_HW_EC_D, d);
		pk_store(c, &x);
		pk_request(&r, &x, ACCEL_HW_PK_SHARED);
		pk_operand(c, &r, 0, d, i % 2 == 0 ? 0 : 32);
		pk_operand(c, &r, 1, i < 2 ? u : low, 32);
		pk_result(c, &r, 32);
		if (i < 2 ? !pk_gives(&q, &r, want, 32) :
			    !request_run(&q, &r, ACCEL_HW_INVALID_POINT))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Has the keys of RFC 8032: TEST 3 of 7.1, and "1 octet" of 7.4. */
static const struct {
	uint8_t curve;
	uint8_t len;
	uint8_t private[57], public[57];
} edwards[] = {
	{ ACCEL_HW_CURVE_ED25519, 32, {
		0xc5, 0xaa, 0x8d, 0xf4, 0x3f, 0x9f, 0x83, 0x7b, 0xed, 0xb7, 0x44, 0x2f, 0x31,
		0xdc, 0xb7, 0xb1, 0x66, 0xd3, 0x85, 0x35, 0x07, 0x6f, 0x09, 0x4b, 0x85, 0xce,
		0x3a, 0x2e, 0x0b, 0x44, 0x58, 0xf7,
	}, {
		0xfc, 0x51, 0xcd, 0x8e, 0x62, 0x18, 0xa1, 0xa3, 0x8d, 0xa4, 0x7e, 0xd0, 0x02,
		0x30, 0xf0, 0x58, 0x08, 0x16, 0xed, 0x13, 0xba, 0x33, 0x03, 0xac, 0x5d, 0xeb,
		0x91, 0x15, 0x48, 0x90, 0x80, 0x25,
	} },
	{ ACCEL_HW_CURVE_ED448, 57, {
		0xc4, 0xea, 0xb0, 0x5d, 0x35, 0x70, 0x07, 0xc6, 0x32, 0xf3, 0xdb, 0xb4, 0x84,
		0x89, 0x92, 0x4d, 0x55, 0x2b, 0x08, 0xfe, 0x0c, 0x35, 0x3a, 0x0d, 0x4a, 0x1f,
		0x00, 0xac, 0xda, 0x2c, 0x46, 0x3a, 0xfb, 0xea, 0x67, 0xc5, 0xe8, 0xd2, 0x87,
		0x7c, 0x5e, 0x3b, 0xc3, 0x97, 0xa6, 0x59, 0x94, 0x9e, 0xf8, 0x02, 0x1e, 0x95,
		0x4e, 0x0a, 0x12, 0x27, 0x4e,
	}, {
		0x43, 0xba, 0x28, 0xf4, 0x30, 0xcd, 0xff, 0x45, 0x6a, 0xe5, 0x31, 0x54, 0x5f,
		0x7e, 0xcd, 0x0a, 0xc8, 0x34, 0xa5, 0x5d, 0x93, 0x58, 0xc0, 0x37, 0x2b, 0xfa,
		0x0c, 0x6c, 0x67, 0x98, 0xc0, 0x86, 0x6a, 0xea, 0x01, 0xeb, 0x00, 0x74, 0x28,
		0x02, 0xb8, 0x43, 0x8e, 0xa4, 0xcb, 0x82, 0x16, 0x9c, 0x23, 0x51, 0x60, 0x62,
		0x7b, 0x4c, 0x3a, 0x94, 0x80,
	} },
};

/* Test the public key of a private key, and of a pair that the device makes. */
static void
eddsa_keys(struct card *c)
{
	const struct tree_pk *a;
	uint8_t pair[2 * 57];
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_EDDSA);
	if (a == NULL)
		return;
	SKIP_UNLESS(c, pk_has(a, ACCEL_HW_PK_GENERATE, 0) && pk_has(a, ACCEL_HW_PK_PUBLIC, 0),
		    "no key pairs of EdDSA");
	for (unsigned int i = 0; i < 2; i++) {
		const uint32_t len = edwards[i].len;

		if (!pk_has(a, ACCEL_HW_PK_PUBLIC, edwards[i].curve))
			continue;
		result_note(&c->result, "curve %u", edwards[i].curve);
		for (int given = 0; given < 2; given++) {
			pk_init(&x, ACCEL_HW_PK_EDDSA, edwards[i].curve);
			if (given == 0)
				pk_component(&x, ACCEL_HW_PK_PRIVATE_KEY, edwards[i].private,
					     edwards[i].len);
			pk_store(c, &x);
			pk_request(&r, &x, ACCEL_HW_PK_PUBLIC);
			pk_operand(c, &r, 0, edwards[i].private, given != 0 ? len : 0);
			pk_result(c, &r, len);
			if (!pk_gives(&q, &r, edwards[i].public, len))
				return;
		}
		pk_request(&r, &x, ACCEL_HW_PK_PUBLIC);
		pk_operand(c, &r, 0, edwards[i].private, len - 1);
		pk_result(c, &r, len);
		if (!request_run(&q, &r, ACCEL_HW_BAD_OPERAND))
			return;
		pk_request(&r, &x, ACCEL_HW_PK_GENERATE);
		pk_result(c, &r, 2 * len);
		if (!pk_gives(&q, &r, NULL, 2 * len))
			return;
		pk_output(c, &r, pair, 2 * len);
		pk_request(&r, &x, ACCEL_HW_PK_PUBLIC);
		pk_operand(c, &r, 0, pair, len);
		pk_result(c, &r, len);
		if (!pk_gives(&q, &r, pair + len, len))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Has the sizes of FIPS 203, table 3, and FIPS 204, table 2. */
static const struct {
	uint8_t set;
	uint16_t public, private, out;
} kems[] = {
	{ ACCEL_HW_ML_KEM_512, 800, 1632, 768 },
	{ ACCEL_HW_ML_KEM_768, 1184, 2400, 1088 },
	{ ACCEL_HW_ML_KEM_1024, 1568, 3168, 1568 },
}, dsas[] = {
	{ ACCEL_HW_ML_DSA_44, 1312, 2560, 2420 },
	{ ACCEL_HW_ML_DSA_65, 1952, 4032, 3309 },
	{ ACCEL_HW_ML_DSA_87, 2592, 4896, 4627 },
};

#define ML_ROOM 8192u

/* Make a key pair. The private key comes first, then the public key. */
static bool
ml_generate(struct card *c, struct queue *q, const struct pk *x, uint32_t len, uint8_t *keys)
{
	struct request r;

	pk_request(&r, x, ACCEL_HW_PK_GENERATE);
	pk_result(c, &r, len);
	if (!pk_gives(q, &r, NULL, len))
		return false;
	pk_output(c, &r, keys, len);
	return true;
}

/* Run CHECK of an ek, of a dk, or of both. A length of 0 says that the key is absent. */
static bool
kem_check(struct card *c, struct queue *q, struct pk *x, const uint8_t *ek, uint32_t ek_len,
	  const uint8_t *dk, uint32_t dk_len, uint16_t status)
{
	struct request r;

	c->memory.part[MEMORY_LOW].used = 0;
	pk_store(c, x);
	pk_request(&r, x, ACCEL_HW_PK_CHECK);
	if (ek_len > 0)
		pk_operand(c, &r, 0, ek, ek_len);
	if (dk_len > 0)
		pk_operand(c, &r, 1, dk, dk_len);
	return request_run(q, &r, status);
}

/* Check that keys pass, and that changed ones do not (FIPS 203, 7.2 and 7.3). */
static bool
kem_checks(struct card *c, struct queue *q, struct pk *x, unsigned int set, uint8_t *keys)
{
	const uint32_t dk_len = kems[set].private, ek_len = kems[set].public;
	uint8_t *const dk = keys, *const ek = keys + dk_len, *const hash = ek - 64;

	if (!kem_check(c, q, x, ek, ek_len, dk, 0, ACCEL_HW_OK) ||
	    !kem_check(c, q, x, ek, 0, dk, dk_len, ACCEL_HW_OK) ||
	    !kem_check(c, q, x, ek, ek_len, dk, dk_len, ACCEL_HW_BAD_COMMAND) ||
	    !kem_check(c, q, x, ek, 0, dk, 0, ACCEL_HW_BAD_COMMAND) ||
	    !kem_check(c, q, x, ek, ek_len - 1, dk, 0, ACCEL_HW_AUTH_FAILED) ||
	    !kem_check(c, q, x, ek, 0, dk, dk_len - 1, ACCEL_HW_AUTH_FAILED))
		return false;
	for (unsigned int i = 0; i < 2; i++) { /* the hash, and the ek in dk */
		uint8_t *at = i == 0 ? hash + 31 : hash - 1;

		*at ^= 1;
		result_note(&c->result, "a dk that was changed, %u", i);
		if (!kem_check(c, q, x, ek, 0, dk, dk_len, ACCEL_HW_AUTH_FAILED))
			return false;
		*at ^= 1;
	}
	/* 3328 is below q, and 3329 is not. The first number has 12 bits, the lower ones first. */
	for (unsigned int i = 0; i < 2; i++) {
		ek[0] = (uint8_t)i;
		ek[1] = (ek[1] & 0xf0) | 0xd;
		result_note(&c->result, "an ek that begins with %u", 3328 + i);
		if (!kem_check(c, q, x, ek, ek_len, dk, 0, i ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK))
			return false;
	}
	return true;
}

/* Check that both sides get the same key, but not if the ciphertext was changed. */
static void
ml_kem(struct card *c)
{
	uint8_t keys[ML_ROOM], sent[2048], got[32];
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_ML_KEM);
	for (unsigned int i = 0; a != NULL && i < 3; i++) {
		if (!tree_lists(a->curve, a->nb_curves, kems[i].set))
			continue;
		result_note(&c->result, "parameter set %u", kems[i].set);
		c->memory.part[MEMORY_LOW].used = 0;
		pk_init(&x, ACCEL_HW_PK_ML_KEM, kems[i].set);
		pk_store(c, &x);
		if (!ml_generate(c, &q, &x, kems[i].private + kems[i].public, keys))
			return;
		pk_request(&r, &x, ACCEL_HW_PK_ENCAPS);
		pk_operand(c, &r, 0, keys + kems[i].private, kems[i].public);
		pk_result(c, &r, kems[i].out + 32u);
		if (!pk_gives(&q, &r, NULL, kems[i].out + 32u))
			return;
		pk_output(c, &r, sent, kems[i].out + 32u);
		for (int bad = 0; bad < 2; bad++) {
			sent[100] ^= (uint8_t)bad;
			pk_request(&r, &x, ACCEL_HW_PK_DECAPS);
			pk_operand(c, &r, 0, sent, kems[i].out);
			pk_operand(c, &r, 1, keys, kems[i].private);
			pk_result(c, &r, 32);
			if (!pk_gives(&q, &r, NULL, 32))
				return;
			pk_output(c, &r, got, 32);
			CHECK(c, (memcmp(got, sent + kems[i].out, 32) != 0) == (bad != 0),
			      "the keys of both sides, changed %d", bad);
		}
		/* A card that does not list CHECK refuses it. */
		if ((a->operations >> ACCEL_HW_PK_CHECK & 1) == 0 ?
			    !kem_check(c, &q, &x, keys + kems[i].private, kems[i].public, keys, 0,
				       ACCEL_HW_BAD_COMMAND) :
			    !kem_checks(c, &q, &x, i, keys))
			return;
	}
	if (a != NULL)
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Lists the hashes of HashML-DSA: the last byte of the identifier, and the bytes of a digest. */
static const struct {
	uint8_t alg, oid, size;
	const char *name;
} prehashes[] = {
	{ ACCEL_HW_AUTH_SHA224, 4, 28, "SHA2-224" },
	{ ACCEL_HW_AUTH_SHA256, 1, 32, "SHA2-256" },
	{ ACCEL_HW_AUTH_SHA384, 2, 48, "SHA2-384" },
	{ ACCEL_HW_AUTH_SHA512, 3, 64, "SHA2-512" },
	{ ACCEL_HW_AUTH_SHA3_224, 7, 28, "SHA3-224" },
	{ ACCEL_HW_AUTH_SHA3_256, 8, 32, "SHA3-256" },
	{ ACCEL_HW_AUTH_SHA3_384, 9, 48, "SHA3-384" },
	{ ACCEL_HW_AUTH_SHA3_512, 10, 64, "SHA3-512" },
	{ ACCEL_HW_AUTH_SHAKE_128, 11, 32, "SHAKE-128" },
	{ ACCEL_HW_AUTH_SHAKE_256, 12, 64, "SHAKE-256" },
};

#define PREHASHES (sizeof(prehashes) / sizeof(prehashes[0]))

/* Hash two strings, the second of which may be empty. An XOF gives the bytes that are asked for. */
static bool
hash_of(const char *name, const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len,
	uint8_t *digest, size_t size)
{
	EVP_MD *md = EVP_MD_fetch(NULL, name, NULL);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool good = md != NULL && EVP_DigestInit_ex2(ctx, md, NULL) == 1 &&
		    EVP_DigestUpdate(ctx, a, a_len) == 1 && EVP_DigestUpdate(ctx, b, b_len) == 1;

	if (good && (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0)
		good = EVP_DigestFinalXOF(ctx, digest, size) == 1;
	else if (good)
		good = EVP_DigestFinal_ex(ctx, digest, NULL) == 1;
	EVP_MD_CTX_free(ctx);
	EVP_MD_free(md);
	return good;
}

/* Make mu of a prehashed message (FIPS 204, algorithms 4 and 7). */
static bool
prehashed_mu(unsigned int hash, const uint8_t *pk, uint32_t pk_len, const uint8_t *message,
	     uint32_t len, const uint8_t context[2], uint8_t mu[64])
{
	uint8_t text[2 + 2 + 11 + 64] = { 1, 2, context[0], context[1], 0x06, 0x09, 0x60, 0x86,
					  0x48, 0x01, 0x65, 0x03, 0x04, 0x02, prehashes[hash].oid };
	uint8_t tr[64];

	return hash_of(prehashes[hash].name, message, len, NULL, 0, text + 15,
		       prehashes[hash].size) &&
	       hash_of("SHAKE-256", pk, pk_len, NULL, 0, tr, sizeof(tr)) &&
	       hash_of("SHAKE-256", tr, sizeof(tr), text, 15u + prehashes[hash].size, mu, 64);
}

/* Sign a prehashed message. The signature is that of mu, which is computed here. */
static bool
ml_dsa_prehashed(struct card *c, struct queue *q, struct pk *x, unsigned int set,
		 unsigned int hash, const uint8_t *keys)
{
	static const uint8_t message[50] = "another message", context[2] = { 7, 9 };
	const uint8_t *const pk = keys + dsas[set].private;
	uint8_t signature[ML_ROOM], mu[64];
	struct request r;

	c->memory.part[MEMORY_LOW].used = 0;
	pk_store(c, x);
	pk_request(&r, x, ACCEL_HW_PK_SIGN);
	r.pk.variant = ACCEL_HW_PK_PREHASHED;
	r.pk.hash = prehashes[hash].alg;
	OPERAND(&r, 0, message);
	OPERAND(&r, 1, context);
	pk_operand(c, &r, 2, keys, dsas[set].private);
	pk_result(c, &r, dsas[set].out);
	if (!pk_gives(q, &r, NULL, dsas[set].out))
		return false;
	pk_output(c, &r, signature, dsas[set].out);
	if (!prehashed_mu(hash, pk, dsas[set].public, message, sizeof(message), context, mu))
		return false;
	for (unsigned int i = 0; i < 4; i++) { /* as it is, mu, pure, and pure with a hash */
		static const uint8_t variant[] = { ACCEL_HW_PK_PREHASHED, ACCEL_HW_PK_MU,
						   ACCEL_HW_PK_PURE, ACCEL_HW_PK_PURE };
		static const uint16_t status[] = { ACCEL_HW_OK, ACCEL_HW_OK, ACCEL_HW_AUTH_FAILED,
						   ACCEL_HW_BAD_COMMAND };

		pk_request(&r, x, ACCEL_HW_PK_VERIFY);
		r.pk.variant = variant[i];
		r.pk.hash = i == 0 || i == 3 ? prehashes[hash].alg : 0;
		if (i == 1)
			OPERAND(&r, 0, mu);
		else
			OPERAND(&r, 0, message);
		pk_operand(c, &r, 1, signature, dsas[set].out);
		if (i != 1)
			OPERAND(&r, 2, context);
		pk_operand(c, &r, 3, pk, dsas[set].public);
		result_note(&c->result, "hash %u, case %u", prehashes[hash].alg, i);
		if (!request_run(q, &r, status[i]))
			return false;
	}
	return true;
}

static void
ml_dsa(struct card *c)
{
	static const uint8_t message[50] = "a message";
	uint8_t keys[ML_ROOM], signature[ML_ROOM];
	const struct tree_pk *a;
	struct request r;
	struct queue q;
	struct pk x;

	a = pk_open_for(&q, c, ACCEL_HW_PK_ML_DSA);
	for (unsigned int i = 0; a != NULL && i < 3; i++) {
		if (!tree_lists(a->curve, a->nb_curves, dsas[i].set))
			continue;
		result_note(&c->result, "parameter set %u", dsas[i].set);
		c->memory.part[MEMORY_LOW].used = 0;
		pk_init(&x, ACCEL_HW_PK_ML_DSA, dsas[i].set);
		pk_store(c, &x);
		if (!ml_generate(c, &q, &x, dsas[i].private + dsas[i].public, keys))
			return;
		pk_request(&r, &x, ACCEL_HW_PK_SIGN);
		OPERAND(&r, 0, message);
		pk_operand(c, &r, 2, keys, dsas[i].private);
		pk_result(c, &r, dsas[i].out);
		if (!pk_gives(&q, &r, NULL, dsas[i].out))
			return;
		pk_output(c, &r, signature, dsas[i].out);
		for (int bad = 0; bad < 2; bad++) {
			signature[100] ^= (uint8_t)bad;
			pk_request(&r, &x, ACCEL_HW_PK_VERIFY);
			OPERAND(&r, 0, message);
			pk_operand(c, &r, 1, signature, dsas[i].out);
			pk_operand(c, &r, 3, keys + dsas[i].private, dsas[i].public);
			if (!request_run(&q, &r, bad ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK))
				return;
		}
		/* A card refuses a variant that it does not list. */
		pk_request(&r, &x, ACCEL_HW_PK_VERIFY);
		r.pk.variant = ACCEL_HW_PK_PREHASHED;
		r.pk.hash = ACCEL_HW_AUTH_SHA256;
		OPERAND(&r, 0, message);
		pk_operand(c, &r, 1, signature, dsas[i].out);
		pk_operand(c, &r, 3, keys + dsas[i].private, dsas[i].public);
		if ((a->variants >> ACCEL_HW_PK_PREHASHED & 1) == 0 &&
		    !request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
			return;
		for (unsigned int hash = 0; hash < PREHASHES; hash++) {
			if ((a->variants >> ACCEL_HW_PK_PREHASHED & 1) != 0 &&
			    tree_lists(a->hash, a->nb_hashes, prehashes[hash].alg) &&
			    !ml_dsa_prehashed(c, &q, &x, i, hash, keys))
				return;
		}
	}
	if (a != NULL)
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "PK-12 PK-13 ALG-1", "DSA", dsa },
	{ "PK-13", "ECDSA whose sum is infinity", ecdsa_infinity },
	{ "PK-12 PK-13 ALG-1", "SM2", sm2 },
	{ "PK-12 ALG-1", "X25519", x25519 },
	{ "PK-7 PK-12 ALG-1", "key pairs of Ed25519 and Ed448", eddsa_keys },
	{ "PK-7 PK-8 PK-12 ALG-1", "ML-KEM", ml_kem },
	{ "PK-8 PK-13 ALG-1", "ML-DSA", ml_dsa },
};

const struct test_group tests_pk_more = TEST_GROUP("more public-key algorithms", tests);
