/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * DSA and DH of the public-key engines: round trips, OpenSSL as a peer, and numbers that are out of
 * their range. Known answers are in test_pk_vectors.c. ACCEL_TEST_SEED repeats a run.
 */
#define OPENSSL_SUPPRESS_DEPRECATED /* random_method(): a source that fails */
#include <openssl/dsa.h>

#include "pk_base/pk_rsa.h"
#include "base/rand_method.h"

#define SIGN ACCEL_HW_PK_SIGN
#define VERIFY ACCEL_HW_PK_VERIFY
#define GENERATE ACCEL_HW_PK_GENERATE
#define PUBLIC ACCEL_HW_PK_PUBLIC
#define SHARED ACCEL_HW_PK_SHARED

/* A group of a 512-bit p and a q of 160 bits, and a pair of keys. */
static struct text p, q, g, x, y, p_less_1, q_less_1, one, zero;

static struct text
plus(const struct text *number, int more)
{
	BIGNUM *sum = BN_bin2bn(number->data, (int)number->len, NULL);
	struct text text;

	if (more < 0)
		BN_sub_word(sum, (BN_ULONG)-more);
	else
		BN_add_word(sum, (BN_ULONG)more);
	text = text_of_bn(sum);
	BN_free(sum);
	return text;
}

/* Draws q, then p = 1 + q * n, then g of the order q. */
static int
setup(void **state)
{
	BN_CTX *ctx = BN_CTX_new();
	BIGNUM *two = BN_new(), *bn_q, *bn_p = BN_new(), *n = BN_new(), *bn = BN_new();

	(void)state;
	BN_set_word(two, 2);
	BN_add_word(two, 1);
	bn_q = draw_prime(160, two, ctx);
	do {
		uint8_t bytes[44];

		draw_bytes(bytes, sizeof(bytes));
		bytes[0] |= 0xc0;
		bytes[43] &= 0xfe;
		BN_bin2bn(bytes, sizeof(bytes), n);
		BN_mul(bn_p, bn_q, n, ctx);
		BN_add_word(bn_p, 1);
	} while (BN_num_bits(bn_p) != 512 || BN_check_prime(bn_p, ctx, NULL) != 1);
	BN_mod_exp(bn, two, n, bn_p, ctx);
	p = text_of_bn(bn_p);
	q = text_of_bn(bn_q);
	g = text_of_bn(bn);
	p_less_1 = plus(&p, -1);
	q_less_1 = plus(&q, -1);
	one = hex("01");
	zero = hex("00");
	x.len = 19;
	draw_bytes(x.data, x.len);
	x.data[0] |= 1;
	BN_bin2bn(x.data, 19, n);
	BN_mod_exp(bn, bn, n, bn_p, ctx);
	y = text_of_bn(bn);
	BN_free(two);
	BN_free(bn_q);
	BN_free(bn_p);
	BN_free(n);
	BN_free(bn);
	BN_CTX_free(ctx);
	return 0;
}

static struct pk_key *
dsa_key(const struct text *with_x, const struct text *with_y)
{
	uint16_t status;
	struct pk_key *key = PK_KEY_TRY(ACCEL_HW_PK_DSA, 0, &status, &p, &q, &g, with_x, with_y);

	assert_non_null(key);
	return key;
}

static struct text
part(const struct answer *answer, unsigned int n, uint32_t len)
{
	assert_int_equal(answer->status, ACCEL_HW_OK);
	assert_true(answer->produced >= (n + 1) * len);
	return bytes_of(answer->data + n * len, len);
}

/* Verifies with OpenSSL's DSA, which knows a q of 160 bits. */
static bool
peer_verifies(const struct text *digest, const struct text *r, const struct text *s)
{
	DSA *dsa = DSA_new();
	DSA_SIG *sig = DSA_SIG_new();
	bool ok;

	DSA_set0_pqg(dsa, BN_bin2bn(p.data, (int)p.len, NULL),
			BN_bin2bn(q.data, (int)q.len, NULL),
			BN_bin2bn(g.data, (int)g.len, NULL));
	DSA_set0_key(dsa, BN_bin2bn(y.data, (int)y.len, NULL), NULL);
	DSA_SIG_set0(sig, BN_bin2bn(r->data, (int)r->len, NULL),
			BN_bin2bn(s->data, (int)s->len, NULL));
	ok = DSA_do_verify(digest->data, (int)digest->len, sig, dsa) == 1;
	DSA_SIG_free(sig);
	DSA_free(dsa);
	return ok;
}

/* Digests of each length; y of the context and of the operand; numbers with leading zeros. */
static void
test_dsa(void **state)
{
	struct pk_key *key = dsa_key(&x, &y), *domain = dsa_key(NULL, NULL);

	(void)state;
	for (uint32_t len = 1; len <= 66; len++) {
		struct text digest = { .len = len }, r, s;
		struct answer answer;

		draw_bytes(digest.data, len);
		answer = PK_DO(key, pk_command(SIGN), &digest);
		assert_int_equal(answer.produced, 40);
		r = part(&answer, 0, 20);
		s = part(&answer, 1, 20);
		assert_true(peer_verifies(&digest, &r, &s));
		answer = PK_DO(key, pk_command(VERIFY), &digest, &r, &s);
		assert_int_equal(answer.status, ACCEL_HW_OK);
		assert_int_equal(answer.produced, 0);
		r = zeros_before(len, &r);
		s = zeros_before(1, &s);
		answer = PK_DO(domain, pk_command(VERIFY), &digest, &r, &s, &y);
		assert_int_equal(answer.status, ACCEL_HW_OK);
		/* Only 20 bytes count. */
		digest.data[len - 1] ^= 1;
		answer = PK_DO(key, pk_command(VERIFY), &digest, &r, &s);
		assert_int_equal(answer.status, len <= 20 ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK);
	}
	pk_key_free(key);
	pk_key_free(domain);
}

/* The same k gives the same r, and no k another one each time; k of 1 and q - 1, 0 and q. */
static void
test_dsa_k(void **state)
{
	struct pk_key *key = dsa_key(&x, &y);
	struct text digest = { .len = 20 }, r, s, long_k = zeros_before(50, &q_less_1);
	struct answer first, answer;

	(void)state;
	draw_bytes(digest.data, 20);
	for (unsigned int i = 0; i < 3; i++) {
		const struct text *const k[] = { &one, &q_less_1, &long_k };

		answer = PK_DO(key, pk_command(SIGN), &digest, k[i]);
		r = part(&answer, 0, 20);
		s = part(&answer, 1, 20);
		assert_true(peer_verifies(&digest, &r, &s));
		first = PK_DO(key, pk_command(SIGN), &digest, k[i]);
		assert_memory_equal(first.data, answer.data, 40);
	}
	first = PK_DO(key, pk_command(SIGN), &digest);
	answer = PK_DO(key, pk_command(SIGN), &digest);
	assert_memory_not_equal(first.data, answer.data, 20);
	answer = PK_DO(key, pk_command(SIGN), &digest, &zero);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	answer = PK_DO(key, pk_command(SIGN), &digest, &q);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	answer = PK_DO(key, pk_command(SIGN), &digest, &p);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	pk_key_free(key);
}

/* r and s of 0, q and above; y of 0, 1, p; operands that are absent */
static void
test_dsa_bad(void **state)
{
	struct pk_key *key = dsa_key(&x, &y), *domain = dsa_key(NULL, NULL);
	struct pk_key *open = dsa_key(NULL, &y);
	const struct text *const bad[] = { &zero, &q, &p };
	const struct text *const bad_y[] = { &zero, &one, &p };
	struct text digest = { .len = 20 }, r, s;
	struct answer answer = PK_DO(key, pk_command(SIGN), &digest);

	(void)state;
	r = part(&answer, 0, 20);
	s = part(&answer, 1, 20);
	for (unsigned int i = 0; i < 3; i++) {
		answer = PK_DO(key, pk_command(VERIFY), &digest, bad[i], &s);
		assert_int_equal(answer.status, ACCEL_HW_AUTH_FAILED);
		answer = PK_DO(key, pk_command(VERIFY), &digest, &r, bad[i]);
		assert_int_equal(answer.status, ACCEL_HW_AUTH_FAILED);
		answer = PK_DO(key, pk_command(VERIFY), &digest, &r, &s, bad_y[i]);
		assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	}
	answer = PK_DO(domain, pk_command(VERIFY), &digest, &r, &s);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(key, pk_command(VERIFY), &digest, &r, NULL);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(key, pk_command(VERIFY), &digest, NULL, &s);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(key, pk_command(VERIFY), NULL, &r, &s);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(key, pk_command(VERIFY), &digest, &r, &s, &y, &one);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(open, pk_command(SIGN), &digest);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(key, pk_command(SIGN), NULL);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(key, pk_command(1), &digest);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	pk_key_free(key);
	pk_key_free(domain);
	pk_key_free(open);
}

#define NO_DSA(...) ASSERT_NO_KEY(ACCEL_HW_PK_DSA, 0, __VA_ARGS__)
#define NO_DH(...) ASSERT_NO_KEY(ACCEL_HW_PK_DH, 0, __VA_ARGS__)

static void
test_bad_keys(void **state)
{
	struct text even_q = plus(&q, 1), small_p = hex("0b"), huge = { .len = 1025 };

	(void)state;
	memset(huge.data, 0xff, huge.len);
	NO_DSA(&p, &q, NULL, &x, &y);
	NO_DSA(&p, NULL, &g, &x, &y);
	NO_DSA(NULL, &q, &g, &x, &y);
	NO_DSA(&p_less_1, &q, &g, &x, &y);
	NO_DSA(&small_p, &q, &g, &x, &y);
	NO_DSA(&huge, &q, &g, &x, &y);
	NO_DSA(&p, &even_q, &g, &x, &y);
	NO_DSA(&p, &one, &g, &x, &y);
	NO_DSA(&p, &zero, &g, &x, &y);
	NO_DSA(&p, &p, &g, &x, &y);
	NO_DSA(&p, &q, &zero, &x, &y);
	NO_DSA(&p, &q, &one, &x, &y);
	NO_DSA(&p, &q, &p, &x, &y);
	NO_DSA(&p, &q, &g, &zero, &y);
	NO_DSA(&p, &q, &g, &q, &y);
	NO_DSA(&p, &q, &g, &x, &zero);
	NO_DSA(&p, &q, &g, &x, &one);
	NO_DSA(&p, &q, &g, &x, &p);
	NO_DSA(&p, &q, &g, &x, &y, &one);
	NO_DH(&p, NULL);
	NO_DH(NULL, &g);
	NO_DH(&p_less_1, &g);
	NO_DH(&small_p, &g);
	NO_DH(&huge, &g);
	NO_DH(&p, &zero);
	NO_DH(&p, &one);
	NO_DH(&p, &p_less_1);
	NO_DH(&p, &p);
	NO_DH(&p, &g, &zero);
	NO_DH(&p, &g, &one);
	NO_DH(&p, &g, &p);
	NO_DH(&p, &g, &q, &one);
}

/* A group in which each power of g is 0 modulo p: no r will do, and the search for a k ends. */
static void
test_dsa_nilpotent(void **state)
{
	BIGNUM *bn = BN_bin2bn(q.data, (int)q.len, NULL), *square = BN_new();
	BN_CTX *ctx = BN_CTX_new();
	struct text bad_p, bad_g, digest = { .len = 20 };
	struct answer answer;
	struct pk_key *key;
	uint16_t status;

	(void)state;
	/* p = q^4, g = q^3 */
	BN_sqr(square, bn, ctx);
	BN_mul(bn, square, bn, ctx);
	bad_g = text_of_bn(bn);
	BN_sqr(square, square, ctx);
	bad_p = text_of_bn(square);
	key = PK_KEY_TRY(ACCEL_HW_PK_DSA, 0, &status, &bad_p, &q, &bad_g, &x);
	assert_non_null(key);
	answer = PK_DO(key, pk_command(SIGN), &digest);
	assert_int_equal(answer.status, ACCEL_HW_ENGINE_ERROR);
	answer = PK_DO(key, pk_command(SIGN), &digest, &q_less_1);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	pk_key_free(key);
	BN_free(bn);
	BN_free(square);
	BN_CTX_free(ctx);
}

static struct pk_key *
dh_key(const struct text *with_q)
{
	uint16_t status;
	struct pk_key *key = PK_KEY_TRY(ACCEL_HW_PK_DH, 0, &status, &p, &g, with_q);

	assert_non_null(key);
	return key;
}

/* Two that generate get one secret; numbers have the length of p. */
static void
test_dh(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 20; i++) {
		struct pk_key *key = dh_key(i % 2 == 0 ? &q : NULL);
		struct text private[2], public[2];
		struct answer answer, other;

		for (unsigned int n = 0; n < 2; n++) {
			answer = PK_DO(key, pk_command(GENERATE), NULL);
			assert_int_equal(answer.produced, 128);
			private[n] = part(&answer, 0, 64);
			public[n] = part(&answer, 1, 64);
			answer = PK_DO(key, pk_command(PUBLIC), &private[n]);
			assert_result(&answer, &public[n]);
			assert_true(i % 2 != 0 || memcmp(private[n].data + 44, q.data, 20) < 0);
		}
		assert_memory_not_equal(private[0].data, private[1].data, 64);
		private[0] = zeros_before(9, &private[0]);
		answer = PK_DO(key, pk_command(SHARED), &private[0], &public[1]);
		other = PK_DO(key, pk_command(SHARED), &private[1], &public[0]);
		assert_int_equal(answer.status, ACCEL_HW_OK);
		assert_int_equal(answer.produced, 64);
		assert_memory_equal(answer.data, other.data, 64);
		pk_key_free(key);
	}
}

/* Private numbers from 1 to p - 2, or below q; peers from 2 to p - 2; secrets of small groups. */
static void
test_dh_bad(void **state)
{
	struct pk_key *key = dh_key(NULL), *short_key = dh_key(&q);
	struct text p_less_2 = plus(&p, -2), two = hex("02");
	const struct text *const bad[] = { &zero, &one, &p_less_1, &p };
	struct answer answer;

	(void)state;
	answer = PK_DO(key, pk_command(PUBLIC), &one);
	assert_memory_equal(answer.data + 64 - g.len, g.data, g.len);
	answer = PK_DO(key, pk_command(PUBLIC), &p_less_2);
	assert_int_equal(answer.status, ACCEL_HW_OK);
	answer = PK_DO(short_key, pk_command(PUBLIC), &q_less_1);
	assert_int_equal(answer.status, ACCEL_HW_OK);
	answer = PK_DO(key, pk_command(PUBLIC), &zero);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	answer = PK_DO(key, pk_command(PUBLIC), &p_less_1);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	answer = PK_DO(short_key, pk_command(PUBLIC), &q);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	answer = PK_DO(short_key, pk_command(SHARED), &q, &two);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	answer = PK_DO(key, pk_command(SHARED), &one, &p_less_2);
	assert_result(&answer, &p_less_2);
	for (unsigned int i = 0; i < 4; i++) {
		answer = PK_DO(key, pk_command(SHARED), &x, bad[i]);
		assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	}
	/* g is of the order q: g^q = 1. */
	answer = PK_DO(key, pk_command(SHARED), &q, &g);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	answer = PK_DO(key, pk_command(SHARED), &x, NULL);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(key, pk_command(SHARED), NULL, &g);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(key, pk_command(GENERATE), &x);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	answer = PK_DO(key, pk_command(4), &x);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	pk_key_free(key);
	pk_key_free(short_key);
}

static int
refuse(unsigned char *bytes, int len)
{
	(void)bytes;
	(void)len;
	return 0;
}

static void
test_no_entropy(void **state)
{
	static const RAND_METHOD failing = { .bytes = refuse, .pseudorand = refuse };
	struct pk_key *dsa = dsa_key(&x, NULL), *dh = dh_key(NULL);
	struct answer answer;

	(void)state;
	assert_int_equal(random_method(&failing), 1);
	answer = PK_DO(dsa, pk_command(SIGN), &one);
	assert_int_equal(answer.status, ACCEL_HW_NO_ENTROPY);
	answer = PK_DO(dh, pk_command(GENERATE), NULL);
	assert_int_equal(answer.status, ACCEL_HW_NO_ENTROPY);
	answer = PK_DO(dh, pk_command(PUBLIC), &x);
	assert_int_equal(answer.status, ACCEL_HW_OK);
	assert_int_equal(random_method(NULL), 1);
	answer = PK_DO(dsa, pk_command(SIGN), &one);
	assert_int_equal(answer.status, ACCEL_HW_OK);
	pk_key_free(dsa);
	pk_key_free(dh);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dsa),
		cmocka_unit_test(test_dsa_k),
		cmocka_unit_test(test_dsa_bad),
		cmocka_unit_test(test_bad_keys),
		cmocka_unit_test(test_dsa_nilpotent),
		cmocka_unit_test(test_dh),
		cmocka_unit_test(test_dh_bad),
		cmocka_unit_test(test_no_entropy),
	};

	rng_start();
	return cmocka_run_group_tests(tests, setup, NULL);
}
