/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ECDH and EC-MUL: shared points with and without leading zeros, RFC 7748 with its thousand rounds,
 * points of low order, and all that is not a number or a point.
 */
#include "pk_base/pk_curve.h"

#define ALG ACCEL_HW_PK_ECDH
#define GENERATE pk_command(ACCEL_HW_PK_GENERATE)
#define PUBLIC pk_command(ACCEL_HW_PK_PUBLIC)
#define SHARED pk_command(ACCEL_HW_PK_SHARED)
#define CHECK pk_command(ACCEL_HW_PK_CHECK)
#define COMPUTE pk_command(ACCEL_HW_PK_COMPUTE)

static void
test_caps(void **state)
{
	const struct pk_caps *caps = pk_caps(ALG), *mul = pk_caps(ACCEL_HW_PK_EC_MUL);

	(void)state;
	assert_non_null(caps);
	assert_int_equal(caps->operations, 0x1e);
	assert_int_equal(caps->nb_curves, 7);
	assert_int_equal(caps->curve[5], ACCEL_HW_CURVE_X25519);
	assert_int_equal(caps->curve[6], ACCEL_HW_CURVE_X448);
	assert_non_null(mul);
	assert_int_equal(mul->operations, 1u << ACCEL_HW_PK_COMPUTE);
	assert_int_equal(mul->nb_curves, 5);
}

/* With d in the context and in an operand. One shared x of each curve begins with a zero. */
static void
test_vectors(void **state)
{
	unsigned int zeros = 0;

	(void)state;
	for (unsigned int i = 0; i < NB(ecdh_vectors); i++) {
		const struct pk_ecdh_vector *v = &ecdh_vectors[i];
		struct text d = hex(v->d), x = hex(v->x), y = hex(v->y), own = joined(&x, &y);
		struct text peer_x = hex(v->peer_x), peer_y = hex(v->peer_y);
		struct text shared_x = hex(v->shared_x), shared_y = hex(v->shared_y);
		struct text want = joined(&shared_x, &shared_y), long_d = zeros_before(9, &d);
		struct text long_x = zeros_before(20, &peer_x), long_y = zeros_before(1, &peer_y);
		struct pk_key *key = PK_KEY(ALG, v->curve, &d);
		struct pk_key *empty = PK_KEY(ALG, v->curve, NULL);
		struct pk_key *mul = PK_KEY(ACCEL_HW_PK_EC_MUL, v->curve, NULL);
		struct answer answer = PK_DO(key, PUBLIC, NULL);

		zeros += shared_x.data[v->curve == ACCEL_HW_CURVE_P521] == 0;
		assert_result(&answer, &own);
		answer = PK_DO(empty, PUBLIC, &long_d);
		assert_result(&answer, &own);
		answer = PK_DO(key, SHARED, NULL, &peer_x, &peer_y);
		assert_result(&answer, &want);
		answer = PK_DO(empty, SHARED, &long_d, &long_x, &long_y);
		assert_result(&answer, &want);
		answer = PK_DO(mul, COMPUTE, &long_d, &peer_x, &long_y);
		assert_result(&answer, &want);
		ASSERT_STATUS(ACCEL_HW_OK, empty, CHECK, &peer_x, &peer_y);
		ASSERT_STATUS(ACCEL_HW_OK, key, CHECK, &long_x, &long_y);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, PUBLIC, NULL);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, SHARED, NULL, &peer_x, &peer_y);
		pk_key_free(mul);
		pk_key_free(empty);
		pk_key_free(key);
	}
	assert_true(zeros >= 5);
}

/* Two that generate pairs agree on a secret, also on X25519 and X448. */
static void
test_generate(void **state)
{
	(void)state;
	for (unsigned int curve = ACCEL_HW_CURVE_P192; curve <= ACCEL_HW_CURVE_X448; curve++) {
		const bool has_y = curve < ACCEL_HW_CURVE_SM2;
		struct text d[2], x[2], y[2], before = { .len = 0 }, want;
		struct answer answer;
		struct pk_key *key;
		uint32_t len;

		if (curve == ACCEL_HW_CURVE_SM2)
			continue;
		key = PK_KEY(ALG, curve, NULL);
		for (unsigned int i = 0; i < 2; i++) {
			answer = PK_DO(key, GENERATE, NULL);
			len = answer.produced / (has_y ? 3 : 2);
			d[i] = part_of(&answer, 0, len);
			x[i] = part_of(&answer, len, len);
			y[i] = has_y ? part_of(&answer, 2 * len, len) : (struct text) { .len = 0 };
			want = joined(&x[i], &y[i]);
			answer = PK_DO(key, PUBLIC, &d[i]);
			assert_result(&answer, &want);
			assert_memory_not_equal(d[i].data, before.data, len);
			before = d[i];
		}
		answer = PK_DO(key, SHARED, &d[0], &x[1], &y[1]);
		want = text_of(&answer);
		assert_int_equal(want.len, has_y ? 2 * len : len);
		answer = PK_DO(key, SHARED, &d[1], &x[0], &y[0]);
		assert_result(&answer, &want);
		pk_key_free(key);
	}
}

static void
test_numbers(void **state)
{
	(void)state;
	for (unsigned int curve = ACCEL_HW_CURVE_P192; curve <= ACCEL_HW_CURVE_P521; curve++) {
		const struct pk_ecdh_vector *v = &ecdh_vectors[5 * (curve - ACCEL_HW_CURVE_P192)];
		struct text x = hex(v->x), y = hex(v->y), n = order_of(curve), more = plus(&n, 1);
		struct text none = { .len = 3 }, huge = { .len = 500, .data = { 1 } };
		const struct text *const bad[] = { &none, &n, &more, &huge };
		struct pk_key *key = PK_KEY(ALG, curve, NULL);

		assert_int_equal(v->curve, curve);
		for (unsigned int i = 0; i < NB(bad); i++) {
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, PUBLIC, bad[i]);
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SHARED, bad[i], &x, &y);
			/* The number comes before the point (PK-12). */
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SHARED, bad[i], &x, &x);
			ASSERT_NO_KEY(ALG, curve, bad[i]);
		}
		pk_key_free(key);
	}
}

/* A key keeps points that it was given and has checked. Each operation gets the product of its own
 * point, also after others, after the same again, and after one that is not on the curve but has
 * the same x. */
static void
test_kept_points(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(ecdh_vectors); i++) {
		const struct pk_ecdh_vector *v = &ecdh_vectors[i];
		struct text d = hex(v->d), x = hex(v->peer_x), y = hex(v->peer_y);
		struct text other_x = hex(v->x), other_y = hex(v->y);
		struct text off = flipped(&y, 8 * y.len - 8);
		struct text shared_x = hex(v->shared_x), shared_y = hex(v->shared_y);
		struct text want = joined(&shared_x, &shared_y), other;
		struct text long_x = zeros_before(70, &x), long_y = zeros_before(70, &y);
		struct pk_key *key = PK_KEY(ALG, v->curve, &d);
		struct pk_key *fresh = PK_KEY(ALG, v->curve, &d);
		struct answer answer = PK_DO(fresh, SHARED, NULL, &other_x, &other_y);

		other = text_of(&answer);
		for (unsigned int turn = 0; turn < 3; turn++) {
			answer = PK_DO(key, SHARED, NULL, &x, &y);
			assert_result(&answer, &want);
			answer = PK_DO(key, SHARED, NULL, &x, &y);
			assert_result(&answer, &want);
			ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, SHARED, NULL, &x, &off);
			ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, SHARED, NULL, &x, &off);
			answer = PK_DO(key, SHARED, NULL, &long_x, &y);
			assert_result(&answer, &want);
			answer = PK_DO(key, SHARED, NULL, &other_x, &other_y);
			assert_result(&answer, &other);
			answer = PK_DO(key, SHARED, NULL, &x, &long_y);
			assert_result(&answer, &want);
			ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, SHARED, NULL, &other_x, &y);
		}
		pk_key_free(fresh);
		pk_key_free(key);
	}
}

static void
test_points(void **state)
{
	struct text one = hex("01");

	(void)state;
	for (unsigned int i = 0; i < NB(ecdh_vectors); i++) {
		const struct pk_ecdh_vector *v = &ecdh_vectors[i];
		struct text x = hex(v->peer_x), y = hex(v->peer_y), none = { .len = x.len };
		struct text off = flipped(&y, 8 * y.len - 8), field = field_of(v->curve);
		struct text far_x = sum_of(&x, &field), far_y = sum_of(&y, &field);
		const struct text *const bad[][2] = {
			{ &x, &off }, { &off, &y }, { &none, &none }, { &far_x, &y },
			{ &x, &far_y }, { &field, &y },
		};
		struct pk_key *key = PK_KEY(ALG, v->curve, NULL);
		struct pk_key *mul = PK_KEY(ACCEL_HW_PK_EC_MUL, v->curve, NULL);

		for (unsigned int j = 0; j < NB(bad); j++) {
			ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, CHECK, bad[j][0], bad[j][1]);
			ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, SHARED, &one, bad[j][0],
				      bad[j][1]);
			ASSERT_STATUS(ACCEL_HW_INVALID_POINT, mul, COMPUTE, &one, bad[j][0],
				      bad[j][1]);
		}
		pk_key_free(mul);
		pk_key_free(key);
	}
}

/* k of 0 and of the order make infinity; above the order k counts modulo it. */
static void
test_mul_edges(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(ecdh_vectors); i++) {
		const struct pk_ecdh_vector *v = &ecdh_vectors[i];
		struct text x = hex(v->peer_x), y = hex(v->peer_y), want = joined(&x, &y);
		struct text n = order_of(v->curve), none = { .len = 4 }, more = plus(&n, 1);
		struct text huge = { .len = n.len + 1, .data = { 1 } };
		struct pk_key *mul = PK_KEY(ACCEL_HW_PK_EC_MUL, v->curve, NULL);
		struct answer answer = PK_DO(mul, COMPUTE, &more, &x, &y);

		assert_result(&answer, &want);
		ASSERT_STATUS(ACCEL_HW_INVALID_POINT, mul, COMPUTE, &none, &x, &y);
		ASSERT_STATUS(ACCEL_HW_INVALID_POINT, mul, COMPUTE, &n, &x, &y);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, mul, COMPUTE, &huge, &x, &y);
		pk_key_free(mul);
	}
}

static void
test_xdh_vectors(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(xdh_vectors); i++) {
		const struct pk_xdh_vector *v = &xdh_vectors[i];
		struct text d = hex(v->d), x = hex(v->x), peer = hex(v->peer);
		struct text want = hex(v->shared);
		struct pk_key *key = PK_KEY(ALG, v->curve, &d);
		struct pk_key *empty = PK_KEY(ALG, v->curve, NULL);
		struct answer answer = PK_DO(key, PUBLIC, NULL);

		assert_result(&answer, &x);
		answer = PK_DO(empty, PUBLIC, &d);
		assert_result(&answer, &x);
		for (unsigned int j = 0; j < 3; j++) {
			answer = PK_DO(key, SHARED, NULL, &peer);
			assert_result(&answer, &want);
		}
		answer = PK_DO(empty, SHARED, &d, &peer);
		assert_result(&answer, &want);
		ASSERT_STATUS(ACCEL_HW_OK, key, CHECK, &peer);
		pk_key_free(empty);
		pk_key_free(key);
	}
}

/* RFC 7748, 5.2: the result becomes the number, and the number the point. */
static void
test_xdh_rounds(void **state)
{
	static const struct {
		unsigned int curve;
		uint32_t len;
		const char *first, *last;
	} cases[] = {
		{ ACCEL_HW_CURVE_X25519, 32,
		  "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
		  "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51" },
		{ ACCEL_HW_CURVE_X448, 56,
		  "3f482c8a9f19b01e6c46ee9711d9dc14fd4bf67af30765c2ae2b846a4d23a8cd"
		  "0db897086239492caf350b51f833868b9bc2b3bca9cf4113",
		  "aa3b4749d55b9daf1e5b00288826c467274ce3ebbdd5c17b975e09d4af6c67cf"
		  "10d087202db88286e2b79fceea3ec353ef54faa26e219f38" },
	};

	(void)state;
	for (unsigned int i = 0; i < NB(cases); i++) {
		struct pk_key *key = PK_KEY(ALG, cases[i].curve, NULL);
		struct text k = { .len = cases[i].len }, u, want, next;

		k.data[0] = cases[i].curve == ACCEL_HW_CURVE_X25519 ? 9 : 5;
		u = k;
		for (unsigned int round = 1; round <= 1000; round++) {
			struct answer answer = PK_DO(key, SHARED, &k, &u);

			next = text_of(&answer);
			u = k;
			k = next;
			want = hex(round == 1 ? cases[i].first : cases[i].last);
			if (round == 1 || round == 1000)
				assert_result(&answer, &want);
		}
		pk_key_free(key);
	}
}

/* Points of low order: 0, 1, p - 1, those of order 8, and the same above p. */
static void
test_xdh_low_order(void **state)
{
	static const char *const low[] = {
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
		"5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"0000000000000000000000000000000000000000000000000000000000000080",
		"0000000000000000000000000000000000000000000000000000000000000000"
		"000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000"
		"000000000000000000000000000000000000000000000000",
		"fefffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffff"
		"ffffffffffffffffffffffffffffffffffffffffffffffff",
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffff"
		"ffffffffffffffffffffffffffffffffffffffffffffffff",
	};

	(void)state;
	for (unsigned int i = 0; i < NB(low); i++) {
		struct text point = hex(low[i]), d = { .len = point.len };
		struct text good = { .len = point.len };
		const unsigned int curve = point.len == 32 ? ACCEL_HW_CURVE_X25519 :
							     ACCEL_HW_CURVE_X448;
		struct pk_key *key;

		draw_bytes(d.data, d.len);
		good.data[0] = point.len == 32 ? 9 : 5;
		key = PK_KEY(ALG, curve, &d);
		ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, SHARED, NULL, &point);
		ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, SHARED, &d, &point);
		ASSERT_STATUS(ACCEL_HW_INVALID_POINT, key, CHECK, &point);
		/* The key is as good as before. */
		assert_int_equal(PK_DO(key, SHARED, NULL, &good).status, ACCEL_HW_OK);
		pk_key_free(key);
	}
}

static void
test_xdh_lengths(void **state)
{
	(void)state;
	for (unsigned int curve = ACCEL_HW_CURVE_X25519; curve <= ACCEL_HW_CURVE_X448; curve++) {
		const uint32_t len = curve == ACCEL_HW_CURVE_X25519 ? 32 : 56;
		struct text good = { .len = len, .data = { 9 } }, shorter = good, longer = good;
		struct text one = hex("01");
		struct pk_key *key = PK_KEY(ALG, curve, &good);

		shorter.len = len - 1;
		longer.len = len + 1;
		ASSERT_NO_KEY(ALG, curve, &shorter);
		ASSERT_NO_KEY(ALG, curve, &longer);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, PUBLIC, &shorter);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, PUBLIC, &longer);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SHARED, &longer, &good);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SHARED, NULL, &shorter);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SHARED, NULL, &longer);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, CHECK, &longer);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, SHARED, NULL, &good, &one);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, CHECK, &good, &one);
		pk_key_free(key);
	}
}

static void
test_commands(void **state)
{
	struct text one = hex("01");
	struct pk_key *key = PK_KEY(ALG, ACCEL_HW_CURVE_P521, &one);
	struct pk_key *mul = PK_KEY(ACCEL_HW_PK_EC_MUL, ACCEL_HW_CURVE_P521, NULL);
	struct accel_hw_pk_command cmd = GENERATE;
	uint32_t most;

	(void)state;
	assert_strict(key, ACCEL_HW_PK_GENERATE, PK_TEXTS(NULL), 0);
	assert_strict(key, ACCEL_HW_PK_PUBLIC, PK_TEXTS(&one), 1);
	assert_strict(key, ACCEL_HW_PK_SHARED, PK_TEXTS(&one, &one, &one), 3);
	assert_strict(key, ACCEL_HW_PK_CHECK, PK_TEXTS(&one, &one), 2);
	assert_strict(mul, ACCEL_HW_PK_COMPUTE, PK_TEXTS(&one, &one, &one), 3);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, SHARED, NULL, &one, NULL);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, SHARED, NULL, NULL, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, CHECK, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, mul, COMPUTE, &one, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, mul, COMPUTE, NULL, &one, &one);
	ASSERT_NO_KEY(ALG, ACCEL_HW_CURVE_P521, &one, &one);
	ASSERT_NO_KEY(ALG, ACCEL_HW_CURVE_SM2, &one);
	ASSERT_NO_KEY(ACCEL_HW_PK_EC_MUL, ACCEL_HW_CURVE_P521, &one);
	ASSERT_NO_KEY(ACCEL_HW_PK_EC_MUL, ACCEL_HW_CURVE_X25519, NULL);
	assert_int_equal(pk_check(key, &cmd, &most), ACCEL_HW_OK);
	assert_int_equal(most, 198);
	cmd.operation = ACCEL_HW_PK_CHECK;
	cmd.operand[0] = 1;
	cmd.operand[1] = 1;
	cmd.flags = ACCEL_HW_CMD_NO_RX;
	assert_int_equal(pk_check(key, &cmd, &most), ACCEL_HW_OK);
	assert_int_equal(most, 0);
	pk_key_free(mul);
	pk_key_free(key);
}

static void
test_no_entropy(void **state)
{
	(void)state;
	for (unsigned int curve = ACCEL_HW_CURVE_P192; curve <= ACCEL_HW_CURVE_X448; curve++) {
		struct pk_key *key;

		if (curve == ACCEL_HW_CURVE_SM2)
			continue;
		key = PK_KEY(ALG, curve, NULL);
		entropy_fails();
		ASSERT_STATUS(ACCEL_HW_NO_ENTROPY, key, GENERATE, NULL);
		entropy_back();
		assert_int_equal(PK_DO(key, GENERATE, NULL).status, ACCEL_HW_OK);
		pk_key_free(key);
	}
}

static struct text
xdh_part(unsigned int i, bool shared)
{
	return hex(shared ? xdh_vectors[i].shared : xdh_vectors[i].peer);
}

/* More threads than the key has prepared objects; each has a peer of its own. */
static void *
exchange(void *arg)
{
	static unsigned int threads;
	const unsigned int mine = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % 2;
	struct pk_key *key = arg;
	struct text peer = xdh_part(mine, false), other = { .len = 32, .data = { 9 } }, want;
	struct answer first, answer;

	if (mine == 1)
		peer = other;
	first = PK_DO(key, SHARED, NULL, &peer);
	if (first.status != ACCEL_HW_OK)
		return NULL;
	want = bytes_of(first.data, first.produced);
	if (mine == 0 && memcmp(want.data, xdh_part(0, true).data, 32) != 0)
		return NULL;
	for (unsigned int i = 0; i < 200; i++) {
		answer = PK_DO(key, SHARED, NULL, &peer);
		if (answer.status != ACCEL_HW_OK || memcmp(answer.data, want.data, 32) != 0)
			return NULL;
	}
	return key;
}

static void
test_threads(void **state)
{
	struct text d = hex(xdh_vectors[0].d);
	struct pk_key *key = PK_KEY(ALG, ACCEL_HW_CURVE_X25519, &d);

	(void)state;
	in_threads(exchange, key);
	pk_key_free(key);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_generate),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_kept_points),
		cmocka_unit_test(test_mul_edges),
		cmocka_unit_test(test_xdh_vectors),
		cmocka_unit_test(test_xdh_rounds),
		cmocka_unit_test(test_xdh_low_order),
		cmocka_unit_test(test_xdh_lengths),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_no_entropy),
		cmocka_unit_test(test_threads),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
