/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ECDSA: the vectors of RFC 6979 with their k, keys of contexts and of operands, signatures that
 * are wrong, and all that is not a key, a number or a point. ACCEL_TEST_SEED repeats a run.
 */
#include "pk_base/pk_curve.h"

#define ALG ACCEL_HW_PK_ECDSA
#define SIGN pk_command(ACCEL_HW_PK_SIGN)
#define VERIFY pk_command(ACCEL_HW_PK_VERIFY)

struct pair {
	struct text d, x, y;
};

static struct pair
pair_of(unsigned int curve)
{
	for (unsigned int i = 0; i < NB(rfc6979_keys); i++) {
		if (rfc6979_keys[i].curve == curve)
			return (struct pair) { hex(rfc6979_keys[i].d), hex(rfc6979_keys[i].x),
					       hex(rfc6979_keys[i].y) };
	}
	fail_msg("no key of curve %u", curve);
	return (struct pair) { .d.len = 0 };
}

static void
test_caps(void **state)
{
	const struct pk_caps *caps = pk_caps(ALG);

	(void)state;
	assert_non_null(caps);
	assert_int_equal(caps->alg, ALG);
	assert_int_equal(caps->operations, 1u << ACCEL_HW_PK_SIGN | 1u << ACCEL_HW_PK_VERIFY);
	assert_int_equal(caps->nb_curves, 5);
	for (unsigned int i = 0; i < 5; i++)
		assert_int_equal(caps->curve[i], ACCEL_HW_CURVE_P192 + i);
	assert_int_equal(caps->nb_hashes, 0);
	assert_int_equal(caps->variants, 0);
}

/* Keys in the context. */
static void
test_rfc6979(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(rfc6979); i++) {
		const struct pair p = pair_of(rfc6979[i].curve);
		struct text digest = hex(rfc6979[i].digest), k = hex(rfc6979[i].k);
		struct text r = hex(rfc6979[i].r), s = hex(rfc6979[i].s), want = joined(&r, &s);
		struct pk_key *key = PK_KEY(ALG, rfc6979[i].curve, &p.d, &p.x, &p.y);
		struct answer answer = PK_DO(key, SIGN, &digest, NULL, &k);

		assert_result(&answer, &want);
		ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &digest, &r, &s);
		pk_key_free(key);
	}
}

/* Keys in operands; each number with leading zeros. */
static void
test_rfc6979_operands(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(rfc6979); i++) {
		const struct pair p = pair_of(rfc6979[i].curve);
		const uint32_t zeros = draw(40);
		struct text d = zeros_before(zeros, &p.d), x = zeros_before(zeros, &p.x);
		struct text y = zeros_before(zeros, &p.y), digest = hex(rfc6979[i].digest);
		struct text r = hex(rfc6979[i].r), s = hex(rfc6979[i].s), k = hex(rfc6979[i].k);
		struct text want = joined(&r, &s), long_k = zeros_before(zeros, &k);
		struct text long_r = zeros_before(zeros, &r), long_s = zeros_before(zeros, &s);
		struct pk_key *key = PK_KEY(ALG, rfc6979[i].curve, NULL);
		struct answer answer = PK_DO(key, SIGN, &digest, &d, &long_k);

		assert_result(&answer, &want);
		ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &digest, &long_r, &long_s, &x, &y);
		pk_key_free(key);
	}
}

/* An operand is taken rather than the component, and x may be one while y is the other. */
static void
test_operand_first(void **state)
{
	const struct pair p = pair_of(ACCEL_HW_CURVE_P256);
	struct text one = hex("01"), gx, gy, digest = hex("abcdef"), r, s;
	struct pk_key *key = PK_KEY(ALG, ACCEL_HW_CURVE_P256, &p.d, &p.x, &p.y), *half;
	struct answer answer;

	(void)state;
	gx = hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296");
	gy = hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5");
	answer = PK_DO(key, SIGN, &digest, &one);
	r = part_of(&answer, 0, 32);
	s = part_of(&answer, 32, 32);
	ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &r, &s);
	ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &digest, &r, &s, &gx, &gy);
	ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, VERIFY, &digest, &r, &s, &gx);
	ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, VERIFY, &digest, &r, &s, NULL, &gy);
	half = PK_KEY(ALG, ACCEL_HW_CURVE_P256, NULL, &gx);
	ASSERT_STATUS(ACCEL_HW_OK, half, VERIFY, &digest, &r, &s, NULL, &gy);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, half, VERIFY, &digest, &r, &s);
	pk_key_free(half);
	pk_key_free(key);
}

/* Without k each signature is another one, and is right. */
static void
test_random_k(void **state)
{
	(void)state;
	for (unsigned int curve = ACCEL_HW_CURVE_P192; curve <= ACCEL_HW_CURVE_P521; curve++) {
		const struct pair p = pair_of(curve);
		struct pk_key *key = PK_KEY(ALG, curve, &p.d, &p.x, &p.y);
		struct text digest = { .len = 1 + draw(200) }, r, s, last = { .len = 0 };

		for (unsigned int i = 0; i < 8; i++) {
			struct answer answer;

			draw_bytes(digest.data, digest.len);
			answer = i % 2 != 0 ? PK_DO(key, SIGN, &digest, &p.d) :
					      PK_DO(key, SIGN, &digest);
			assert_int_equal(answer.produced, 2 * p.d.len);
			r = part_of(&answer, 0, p.d.len);
			s = part_of(&answer, p.d.len, p.d.len);
			assert_memory_not_equal(r.data, last.data, r.len);
			last = r;
			ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &digest, &r, &s);
		}
		pk_key_free(key);
	}
}

/* As NIST's SigVer: the message, r, s or the key changed; and numbers that are not in range. */
static void
test_wrong_signatures(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(rfc6979); i++) {
		const struct pair p = pair_of(rfc6979[i].curve);
		struct text n = order_of(rfc6979[i].curve), none = { .len = n.len };
		struct text digest = hex(rfc6979[i].digest), r = hex(rfc6979[i].r);
		struct text s = hex(rfc6979[i].s), bad_digest = flipped(&digest, draw(8));
		struct text bad_r = flipped(&r, draw(8 * r.len - 8) + 8);
		struct text bad_s = flipped(&s, draw(8 * s.len - 8) + 8);
		struct text far_r = sum_of(&r, &n), far_s = sum_of(&s, &n);
		struct text huge = { .len = 300, .data = { 1 } };
		struct pk_key *key = PK_KEY(ALG, rfc6979[i].curve, NULL, &p.x, &p.y);

		ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &digest, &r, &s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &bad_digest, &r, &s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &bad_r, &s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &r, &bad_s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &s, &r);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &none, &s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &r, &none);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &none, &none);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &n, &s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &r, &n);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &far_r, &s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &r, &far_s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &huge, &s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &digest, &r, &huge);
		pk_key_free(key);
	}
}

/* A digest that is longer than the order, cut by hand, has the same signature. */
static void
test_digest_is_cut(void **state)
{
	const struct pair p = pair_of(ACCEL_HW_CURVE_P256);
	struct pk_key *key = PK_KEY(ALG, ACCEL_HW_CURVE_P256, &p.d, &p.x, &p.y);
	struct text full = { .len = 64 }, cut, k = hex("0123456789"), r, s, more;
	struct answer one, two;

	(void)state;
	draw_bytes(full.data, full.len);
	cut = full;
	cut.len = 32;
	one = PK_DO(key, SIGN, &full, NULL, &k);
	two = PK_DO(key, SIGN, &cut, NULL, &k);
	cut = text_of(&two);
	assert_result(&one, &cut);
	r = part_of(&one, 0, 32);
	s = part_of(&one, 32, 32);
	more = flipped(&full, 8 * 40);
	ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &more, &r, &s);
	full.len = 8000;
	ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &full, &r, &s);
	pk_key_free(key);
}

/* Private numbers and k out of their range. */
static void
test_numbers(void **state)
{
	struct text digest = hex("00112233"), none = { .len = 5 }, one = hex("01");

	(void)state;
	for (unsigned int curve = ACCEL_HW_CURVE_P192; curve <= ACCEL_HW_CURVE_P521; curve++) {
		const struct pair p = pair_of(curve);
		struct text n = order_of(curve), more = plus(&n, 1), less = less_1(&n);
		struct text huge = { .len = 1000, .data = { 1 } };
		struct pk_key *key = PK_KEY(ALG, curve, &p.d);
		const struct text *const bad[] = { &none, &n, &more, &huge };

		for (unsigned int i = 0; i < NB(bad); i++) {
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN, &digest, bad[i]);
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN, &digest, bad[i], &one);
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN, &digest, NULL, bad[i]);
			ASSERT_NO_KEY(ALG, curve, bad[i]);
		}
		assert_int_equal(PK_DO(key, SIGN, &digest, &one, &one).status, ACCEL_HW_OK);
		assert_int_equal(PK_DO(key, SIGN, &digest, &less, &less).status, ACCEL_HW_OK);
		pk_key_free(key);
	}
}

/* e = -r d makes an s of 0. */
static void
test_s_of_zero(void **state)
{
	const struct pair p = pair_of(ACCEL_HW_CURVE_P256);
	struct text digest = { .len = 32 }, one = hex("01"), n = order_of(ACCEL_HW_CURVE_P256);
	struct pk_key *key = PK_KEY(ALG, ACCEL_HW_CURVE_P256, &p.d);
	struct answer answer = PK_DO(key, SIGN, &digest, NULL, &one);
	BIGNUM *r = BN_bin2bn(answer.data, 32, NULL), *d = BN_bin2bn(p.d.data, 32, NULL);
	BIGNUM *order = BN_bin2bn(n.data, 32, NULL);
	BN_CTX *ctx = BN_CTX_new();

	(void)state;
	assert_int_equal(answer.status, ACCEL_HW_OK);
	BN_mod_mul(r, r, d, order, ctx);
	BN_sub(r, order, r);
	BN_bn2binpad(r, digest.data, 32);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN, &digest, NULL, &one);
	assert_int_equal(PK_DO(key, SIGN, &digest).status, ACCEL_HW_OK);
	BN_free(r);
	BN_free(d);
	BN_free(order);
	BN_CTX_free(ctx);
	pk_key_free(key);
}

/* Off the curve, infinity as (0, 0), coordinates of p and more. */
static void
test_points(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(rfc6979); i += 10) {
		const unsigned int curve = rfc6979[i].curve;
		const struct pair p = pair_of(curve);
		struct text digest = hex(rfc6979[i].digest), r = hex(rfc6979[i].r);
		struct text s = hex(rfc6979[i].s), none = { .len = p.x.len };
		struct text off = flipped(&p.y, 8 * p.y.len - 8), field = field_of(curve);
		struct text far_x = sum_of(&p.x, &field), far_y = sum_of(&p.y, &field);
		struct text huge = { .len = 1000, .data = { 1 } };
		const struct text *const bad[][2] = {
			{ &p.x, &off }, { &off, &p.y }, { &none, &none }, { &none, &p.y },
			{ &p.x, &none }, { &far_x, &p.y }, { &p.x, &far_y }, { &field, &p.y },
			{ &p.x, &field }, { &huge, &p.y }, { &p.x, &huge },
		};
		struct pk_key *key = PK_KEY(ALG, curve, NULL);

		for (unsigned int j = 0; j < NB(bad); j++) {
			ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, VERIFY, &digest, &r, &s,
				      bad[j][0], bad[j][1]);
			ASSERT_NO_KEY(ALG, curve, NULL, bad[j][0], bad[j][1]);
		}
		/* The point comes before the signature (PK-12). */
		ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, VERIFY, &digest, &none, &s, &p.x, &off);
		ASSERT_NO_KEY(ALG, curve, NULL, &field);
		ASSERT_NO_KEY(ALG, curve, NULL, NULL, &huge);
		pk_key_free(key);
	}
}

static void
test_commands(void **state)
{
	const struct pair p = pair_of(ACCEL_HW_CURVE_P384);
	struct text digest = hex("aa"), one = hex("01");
	struct pk_key *key = PK_KEY(ALG, ACCEL_HW_CURVE_P384, &p.d, &p.x, &p.y);
	struct pk_key *empty = PK_KEY(ALG, ACCEL_HW_CURVE_P384, NULL);
	struct accel_hw_pk_command cmd = SIGN;
	uint32_t most;

	(void)state;
	assert_strict(key, ACCEL_HW_PK_SIGN, PK_TEXTS(&digest, NULL, NULL), 3);
	assert_strict(key, ACCEL_HW_PK_VERIFY, PK_TEXTS(&digest, &one, &one, NULL, NULL), 5);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, SIGN, NULL);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, SIGN, &digest);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, VERIFY, &digest, &one, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, VERIFY, &digest, &one, &one, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, VERIFY, NULL, &one, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, VERIFY, &digest, NULL, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, VERIFY, &digest, &one, NULL);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, pk_command(1), &digest);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, pk_command(0), &digest);
	cmd.operand[0] = 1;
	assert_int_equal(pk_check(key, &cmd, &most), ACCEL_HW_OK);
	assert_int_equal(most, 96);
	cmd.flags = ACCEL_HW_CMD_NO_RX;
	assert_int_equal(pk_check(key, &cmd, &most), ACCEL_HW_BAD_COMMAND);
	ASSERT_NO_KEY(ALG, ACCEL_HW_CURVE_P384, &p.d, &p.x, &p.y, &one);
	ASSERT_NO_KEY(ALG, ACCEL_HW_CURVE_NONE, &one);
	ASSERT_NO_KEY(ALG, ACCEL_HW_CURVE_SM2, &one);
	ASSERT_NO_KEY(ALG, ACCEL_HW_CURVE_X25519, &one);
	ASSERT_NO_KEY(ALG, 200, &one);
	pk_key_free(empty);
	pk_key_free(key);
}

static void
test_no_entropy(void **state)
{
	const struct pair p = pair_of(ACCEL_HW_CURVE_P256);
	struct text digest = hex("aa"), one = hex("01");
	struct pk_key *key = PK_KEY(ALG, ACCEL_HW_CURVE_P256, &p.d);

	(void)state;
	entropy_fails();
	ASSERT_STATUS(ACCEL_HW_NO_ENTROPY, key, SIGN, &digest);
	/* Wrong operands come first, and a given k needs none. */
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN, &digest, &(struct text) { .len = 1 });
	entropy_back();
	assert_int_equal(PK_DO(key, SIGN, &digest, NULL, &one).status, ACCEL_HW_OK);
	pk_key_free(key);
}

static void *
sign_and_verify(void *arg)
{
	struct pk_key *key = arg;
	struct text digest = hex("00112233445566778899"), r, s;

	for (unsigned int i = 0; i < 50; i++) {
		struct answer answer = PK_DO(key, SIGN, &digest);

		if (answer.status != ACCEL_HW_OK || answer.produced != 64)
			return NULL;
		r = bytes_of(answer.data, 32);
		s = bytes_of(answer.data + 32, 32);
		if (PK_DO(key, VERIFY, &digest, &r, &s).status != ACCEL_HW_OK)
			return NULL;
	}
	return key;
}

static void
test_threads(void **state)
{
	const struct pair p = pair_of(ACCEL_HW_CURVE_P256);
	struct pk_key *key = PK_KEY(ALG, ACCEL_HW_CURVE_P256, &p.d, &p.x, &p.y);

	(void)state;
	in_threads(sign_and_verify, key);
	pk_key_free(key);
}

/* Keys of operands in turn, from several threads: an operation never uses the key of another. */
static void *
two_keys(void *arg)
{
	const struct pair p = pair_of(ACCEL_HW_CURVE_P256);
	const struct pk_key *key = arg;
	struct text d[2], x[2], y[2], digest = hex("abcdef");

	d[0] = p.d;
	x[0] = p.x;
	y[0] = p.y;
	d[1] = hex("01");
	x[1] = hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296");
	y[1] = hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5");
	for (unsigned int i = 0; i < 100; i++) {
		const unsigned int a = i % 2, b = 1 - a;
		struct answer answer = PK_DO(key, SIGN, &digest, &d[a]);
		struct text r, s;

		if (answer.status != ACCEL_HW_OK || answer.produced != 64)
			return NULL;
		r = bytes_of(answer.data, 32);
		s = bytes_of(answer.data + 32, 32);
		if (PK_DO(key, VERIFY, &digest, &r, &s, &x[b], &y[b]).status !=
				    ACCEL_HW_AUTH_FAILED ||
		    PK_DO(key, VERIFY, &digest, &r, &s, &x[a], &y[a]).status != ACCEL_HW_OK)
			return NULL;
	}
	return arg;
}

static void
test_threads_operands(void **state)
{
	struct pk_key *key = PK_KEY(ALG, ACCEL_HW_CURVE_P256, NULL);

	(void)state;
	in_threads(two_keys, key);
	pk_key_free(key);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_rfc6979),
		cmocka_unit_test(test_rfc6979_operands),
		cmocka_unit_test(test_operand_first),
		cmocka_unit_test(test_random_k),
		cmocka_unit_test(test_wrong_signatures),
		cmocka_unit_test(test_digest_is_cut),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_s_of_zero),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_no_entropy),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_threads_operands),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
