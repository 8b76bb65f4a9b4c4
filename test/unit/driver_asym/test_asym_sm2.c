/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Ciphertexts of SM2 from DER and to DER: numbers of all lengths, lengths in one byte and in more,
 * and everything that is no such ciphertext.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <rte_common.h>

#include "accel_asym_sm2.h"

#define HEAD (ACCEL_SM2_C2 * ACCEL_SM2_NUMBER) /* bytes of x, y and C3 */
#define C2_MAX 70000u
#define ROOM (HEAD + C2_MAX + 64u)

static uint8_t parts[HEAD + C2_MAX];
static uint8_t der[ROOM];

/*
 * A ciphertext that was encoded by hand: x begins with 31 bytes of 0, the first bit of y is 1, and
 * C2 has two bytes.
 */
static const uint8_t by_hand[] = {
	0x30, 0x4c, 0x02, 0x01, 0x05, 0x02, 0x21, 0x00, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1,
	0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1,
	0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0x04, 0x20, 0x33, 0x33, 0x33,
	0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33,
	0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x04,
	0x02, 0xc2, 0xc2,
};
#define AT_X 2u /* places of the four parts */
#define AT_Y 5u
#define AT_C3 40u
#define AT_C2 74u

static size_t
make_parts(uint8_t x, size_t nb_x, uint8_t y, size_t c2)
{
	memset(parts, 0, ACCEL_SM2_NUMBER);
	memset(parts + ACCEL_SM2_NUMBER - nb_x, x, nb_x);
	memset(parts + ACCEL_SM2_NUMBER, y, ACCEL_SM2_NUMBER);
	memset(parts + 2 * (size_t)ACCEL_SM2_NUMBER, 0x33, ACCEL_SM2_NUMBER);
	memset(parts + HEAD, 0xc2, c2);
	return HEAD + c2;
}

/* Reads from a block of exactly this size, so that asan sees an access behind it. */
static bool
reads(const uint8_t *from, size_t len)
{
	struct rte_crypto_param_t param = { .length = len }, part[ACCEL_SM2_PARTS];
	bool ret;

	param.data = malloc(len + (len == 0));
	assert_non_null(param.data);
	memcpy(param.data, from, len);
	ret = accel_sm2_read(&param, part);
	free(param.data);
	return ret;
}

static void
test_by_hand(void **state)
{
	const size_t len = make_parts(5, 1, 0xf1, 2);

	(void)state;
	memset(der, 0xee, sizeof(der));
	assert_int_equal(accel_sm2_write(parts, len, der, 0), sizeof(by_hand));
	assert_memory_equal(der, by_hand, sizeof(by_hand));
	assert_int_equal(der[sizeof(by_hand)], 0xee);
	assert_true(reads(by_hand, sizeof(by_hand)));
}

static void
test_room(void **state)
{
	const size_t len = make_parts(5, 1, 0xf1, 2);
	size_t room;

	(void)state;
	for (room = 1; room < sizeof(by_hand); room++) {
		memset(der, 0xee, sizeof(by_hand));
		assert_int_equal(accel_sm2_write(parts, len, der, room), 0);
		assert_int_equal(der[0], 0xee);
	}
	assert_int_equal(accel_sm2_write(parts, len, der, room), sizeof(by_hand));
}

/* What is written is read: numbers of each length with the first bit 0 and 1, and lengths of C2. */
static void
test_round_trip(void **state)
{
	static const size_t lengths[] = { 1, 27, 28, 29, 127, 128, 255, 256, 65535, 65536, C2_MAX };
	unsigned int nb, i, first;

	(void)state;
	for (first = 0; first < 2; first++) {
		for (nb = 1; nb <= ACCEL_SM2_NUMBER; nb++) {
			for (i = 0; i < RTE_DIM(lengths); i++) {
				const size_t len = make_parts(first != 0 ? 0x80 : 0x7f, nb, 0x7f,
							      lengths[i]);
				const size_t n = accel_sm2_write(parts, len, der, ROOM);
				struct rte_crypto_param_t in = { .data = der, .length = n };
				struct rte_crypto_param_t part[ACCEL_SM2_PARTS];

				assert_true(n > len - ACCEL_SM2_NUMBER);
				assert_true(accel_sm2_read(&in, part));
				assert_int_equal(part[ACCEL_SM2_X].length, nb);
				assert_memory_equal(part[ACCEL_SM2_X].data,
						    parts + ACCEL_SM2_NUMBER - nb, nb);
				assert_int_equal(part[ACCEL_SM2_Y].length, ACCEL_SM2_NUMBER);
				assert_int_equal(part[ACCEL_SM2_C3].length, ACCEL_SM2_NUMBER);
				assert_memory_equal(part[ACCEL_SM2_C3].data,
						    parts + 2 * (size_t)ACCEL_SM2_NUMBER,
						    ACCEL_SM2_NUMBER);
				assert_int_equal(part[ACCEL_SM2_C2].length, lengths[i]);
				assert_memory_equal(part[ACCEL_SM2_C2].data, parts + HEAD,
						    lengths[i]);
			}
		}
	}
}

/* The number 0 has one byte, and it is the card that refuses it. */
static void
test_zero(void **state)
{
	const size_t len = make_parts(0, 1, 0, 1);
	const size_t n = accel_sm2_write(parts, len, der, ROOM);
	struct rte_crypto_param_t in = { .data = der, .length = n }, part[ACCEL_SM2_PARTS];

	(void)state;
	assert_true(accel_sm2_read(&in, part));
	assert_int_equal(part[ACCEL_SM2_Y].length, 1);
	assert_int_equal(part[ACCEL_SM2_Y].data[0], 0);
}

static void
test_cut(void **state)
{
	uint8_t longer[sizeof(by_hand) + 1] = { 0 };
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(by_hand); len++)
		assert_false(reads(by_hand, len));
	memcpy(longer, by_hand, sizeof(by_hand));
	assert_false(reads(longer, sizeof(longer))); /* behind the sequence */
	longer[1]++;
	assert_false(reads(longer, sizeof(longer))); /* behind the parts */
}

/* Each of these differs from by_hand in one byte. */
static void
test_changed(void **state)
{
	static const struct {
		uint8_t at;
		uint8_t value;
	} changes[] = {
		{ 0, 0x31 },
		{ 1, 0x80 }, /* no length */
		{ 1, 0xff },
		{ 1, 0x4d },
		{ 1, 0x4b },
		{ AT_X, 0x03 },
		{ AT_X + 1, 0x00 }, /* no number */
		{ AT_X + 1, 0x81 },
		{ AT_X + 2, 0x85 }, /* negative */
		{ AT_Y, 0x04 },
		{ AT_Y + 1, 0x22 }, /* into the next part */
		{ AT_Y + 2, 0x01 }, /* 33 bytes */
		{ AT_Y + 3, 0x71 }, /* a 0 too many */
		{ AT_C3, 0x24 },
		{ AT_C3 + 1, 0x1f }, /* 31 bytes, and no part behind them */
		{ AT_C3 + 1, 0x24 },
		{ AT_C2, 0x0c },
		{ AT_C2 + 1, 0x00 },
		{ AT_C2 + 1, 0x01 },
		{ AT_C2 + 1, 0x03 },
	};
	uint8_t bad[sizeof(by_hand)];
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(changes); i++) {
		memcpy(bad, by_hand, sizeof(bad));
		assert_int_not_equal(bad[changes[i].at], changes[i].value);
		bad[changes[i].at] = changes[i].value;
		if (reads(bad, sizeof(bad)))
			fail_msg("change %u is taken", i);
	}
}

/* Replaces nb bytes of by_hand with others. */
static bool
reads_with(size_t at, size_t nb, const uint8_t *other, size_t nb_other)
{
	uint8_t bad[sizeof(by_hand) + 64];

	memcpy(bad, by_hand, at);
	memcpy(bad + at, other, nb_other);
	memcpy(bad + at + nb_other, by_hand + at + nb, sizeof(by_hand) - at - nb);
	if (at > 1)
		bad[1] = (uint8_t)(by_hand[1] + nb_other - nb);
	return reads(bad, sizeof(by_hand) + nb_other - nb);
}

/* Other forms of the same, and parts of other lengths. */
static void
test_other_forms(void **state)
{
	static const uint8_t long_form[] = { 0x81, 0x4c }, longer_form[] = { 0x82, 0x00, 0x4c };
	static const uint8_t longest[] = { 0x84, 0x00, 0x00, 0x00, 0x4c };
	static const uint8_t open_form[] = { 0x80 }, number_with_0[] = { 0x02, 0x02, 0x00, 0x05 };
	static const uint8_t short_c3[] = { 0x04, 0x1f }, two[] = { 0x02, 0x02, 0x05, 0x05 };
	uint8_t number[35] = { 0x02, 0x21, 0x01 };

	(void)state;
	assert_true(reads_with(1, 1, &by_hand[1], 1));
	assert_false(reads_with(1, 1, long_form, sizeof(long_form)));
	assert_false(reads_with(1, 1, longer_form, sizeof(longer_form)));
	assert_false(reads_with(1, 1, longest, sizeof(longest)));
	assert_false(reads_with(1, 1, open_form, sizeof(open_form)));
	assert_true(reads_with(AT_X, 3, two, sizeof(two)));
	assert_false(reads_with(AT_X, 3, number_with_0, sizeof(number_with_0)));
	assert_false(reads_with(AT_X, 3, number, sizeof(number))); /* 33 bytes */
	assert_false(reads_with(AT_C3, 3, short_c3, sizeof(short_c3)));
	assert_false(reads_with(AT_X, 3, number, 0)); /* three parts */
	assert_false(reads_with(AT_C2, 4, number, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),	    cmocka_unit_test(test_room),
		cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_zero),
		cmocka_unit_test(test_cut),	    cmocka_unit_test(test_changed),
		cmocka_unit_test(test_other_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
