/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For tests of operations on curves: numbers near those of a curve, keys, results that are cut
 * into parts, a random number source that fails, and one key in several threads.
 */
#include "pk_base/pk_curve.h"

struct text
plus(const struct text *number, uint32_t more)
{
	struct text sum = zeros_before(1, number);

	for (uint32_t i = sum.len; i-- > 0; more >>= 8) {
		more += sum.data[i];
		sum.data[i] = (uint8_t)more;
	}
	return sum;
}

struct text
less_1(const struct text *number)
{
	struct text less = *number;
	uint32_t i = less.len;

	while (less.data[--i]-- == 0)
		;
	return less;
}

struct text
sum_of(const struct text *a, const struct text *b)
{
	struct text sum = zeros_before(1, a);
	unsigned int carry = 0;

	assert_int_equal(a->len, b->len);
	for (uint32_t i = a->len; i-- > 0; carry >>= 8) {
		carry += (unsigned int)a->data[i] + b->data[i];
		sum.data[i + 1] = (uint8_t)carry;
	}
	sum.data[0] = (uint8_t)carry;
	return sum;
}

struct text
flipped(const struct text *from, uint32_t bit)
{
	struct text to = *from;

	assert_true(bit / 8 < to.len);
	to.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
	return to;
}

struct text
joined(const struct text *a, const struct text *b)
{
	struct text both = *a;

	assert_true(a->len + b->len <= PK_TEXT_MAX);
	memcpy(both.data + both.len, b->data, b->len);
	both.len += b->len;
	return both;
}

struct text
part_of(const struct answer *answer, uint32_t from, uint32_t len)
{
	assert_int_equal(answer->status, ACCEL_HW_OK);
	assert_true(from + len <= answer->produced);
	return bytes_of(answer->data + from, len);
}

static const struct pk_curve_vector *
numbers_of(unsigned int curve)
{
	for (unsigned int i = 0; i < NB(curves); i++) {
		if (curves[i].curve == curve)
			return &curves[i];
	}
	fail_msg("no curve %u", curve);
	return NULL;
}

struct text
order_of(unsigned int curve)
{
	return hex(numbers_of(curve)->order);
}

struct text
field_of(unsigned int curve)
{
	return hex(numbers_of(curve)->p);
}

struct pk_key *
pk_key_good(unsigned int alg, unsigned int curve, const struct text *const *component,
		unsigned int nb)
{
	uint16_t status;
	struct pk_key *key = pk_key_try(alg, curve, component, nb, &status);

	assert_non_null(key);
	return key;
}

void
assert_strict(const struct pk_key *key, unsigned int operation, const struct text *const *operand,
		unsigned int nb)
{
	const struct text *longer[ACCEL_HW_PK_OPERANDS] = { NULL };
	struct text one = { .len = 1, .data = { 1 } };

	for (unsigned int i = 0; i < 6; i++) {
		struct accel_hw_pk_command cmd = pk_command(operation);

		cmd.padding = i == 0;
		cmd.mgf_hash = i == 1 ? ACCEL_HW_AUTH_SM3 : 0;
		cmd.salt_len = i == 2;
		cmd.reserved[5] = i == 3;
		cmd.variant = i == 4 ? 3 : 0;
		cmd.hash = i == 5 ? ACCEL_HW_AUTH_SHA1_HMAC : 0;
		assert_int_equal(pk_do(key, cmd, operand, nb).status, ACCEL_HW_BAD_COMMAND);
	}
	for (unsigned int i = nb; i < ACCEL_HW_PK_OPERANDS; i++) {
		memcpy(longer, operand, nb * sizeof(*operand));
		longer[i] = &one;
		assert_int_equal(pk_do(key, pk_command(operation), longer, i + 1).status,
				 ACCEL_HW_BAD_COMMAND);
		longer[i] = NULL;
	}
}

/* The source of random numbers fails until the other function is called. */
static int
bytes_fail(unsigned char *buf, int num)
{
	(void)buf;
	(void)num;
	return 0;
}

static int
status_fails(void)
{
	return 0;
}

void
entropy_fails(void)
{
	static const RAND_METHOD method = {
		.bytes = bytes_fail,
		.pseudorand = bytes_fail,
		.status = status_fails,
	};

	assert_int_equal(random_method(&method), 1);
}

void
in_threads(void *(*run)(void *), void *arg)
{
	pthread_t thread[THREADS];
	void *good;

	for (unsigned int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run, arg), 0);
	for (unsigned int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(thread[i], &good), 0);
		assert_non_null(good);
	}
}
