/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The public-key engines: contexts and commands that are wrong for any algorithm, MODEXP and MODINV
 * with numbers of any size, and random numbers. The peer of MODEXP and MODINV is arithmetic of
 * another kind: Fermat's theorem, and small numbers counted out. ACCEL_TEST_SEED repeats a run.
 */
#include <sys/wait.h>
#include <unistd.h>

#define OPENSSL_SUPPRESS_DEPRECATED /* random_method(): a source that fails */
#include "pk_base/pk_request.h"
#include "base/rand_method.h"

#define EXP ACCEL_HW_PK_MODEXP

/* 2^521 - 1, a prime */
static struct text
mersenne(void)
{
	struct text text = { .len = 66 };

	memset(text.data, 0xff, text.len);
	text.data[0] = 1;
	return text;
}

static struct text
number(uint64_t value, uint32_t len)
{
	struct text text = { .len = len };

	for (uint32_t i = 0; i < len && i < 8; i++)
		text.data[len - 1 - i] = (uint8_t)(value >> 8 * i);
	return text;
}

static uint64_t
value_of(const struct answer *answer)
{
	uint64_t value = 0;

	assert_int_equal(answer->status, ACCEL_HW_OK);
	for (uint32_t i = 0; i < answer->produced; i++)
		value = value << 8 | answer->data[i];
	return value;
}

/* One MODEXP with a key of its own. */
static struct answer
modexp(const struct text *base, const struct text *exponent, const struct text *modulus)
{
	uint16_t status;
	struct pk_key *key = PK_KEY_TRY(EXP, 0, &status, modulus, exponent);
	struct answer answer;

	assert_non_null(key);
	answer = PK_DO(key, pk_command(ACCEL_HW_PK_COMPUTE), base);
	pk_key_free(key);
	return answer;
}

/* Small numbers, odd and even moduli, against repeated multiplication. */
static void
test_modexp_small(void **state)
{
	(void)state;
	for (unsigned int round = 0; round < 2000; round++) {
		uint32_t modulus = 1 + draw(round < 1000 ? 20 : 65535);
		uint32_t base = draw(70000), exponent = draw(200), want = 1 % modulus;
		struct text m = number(modulus, 1 + draw(12)), e = number(exponent, 1 + draw(12)),
				b = number(base, 3 + draw(12));
		struct answer answer;

		if (m.len < 2)
			m = number(modulus, 2);
		for (uint32_t i = 0; i < exponent; i++)
			want = (uint32_t)((uint64_t)want * base % modulus);
		answer = modexp(&b, &e, &m);
		assert_int_equal(answer.produced, modulus < 256 ? 1 : 2);
		assert_int_equal(value_of(&answer), want);
	}
}

/* base^(p - 1) = 1 for a prime p, and base^p = base. The exponent is a long one. */
static void
test_modexp_fermat(void **state)
{
	struct text p = mersenne(), less = p, base = { .len = 66 }, one = number(1, 66);
	struct answer answer;

	(void)state;
	less.data[65] = 0xfe;
	for (unsigned int round = 0; round < 20; round++) {
		draw_bytes(base.data, base.len);
		base.data[0] = 0;
		base.data[1] |= 1;
		answer = modexp(&base, &less, &p);
		assert_result(&answer, &one);
		answer = modexp(&base, &p, &p);
		assert_result(&answer, &base);
	}
}

/* A long exponent with an even modulus: 3^(2^k) mod 2^n, by squaring. */
static void
test_modexp_even(void **state)
{
	struct text e = { .len = 17, .data = { 1 } }, m = number(1u << 31, 4), b = number(3, 1);
	uint32_t want = 3;
	struct answer answer;

	(void)state;
	for (unsigned int i = 0; i < 128; i++)
		want = (uint32_t)((uint64_t)want * want % (1u << 31));
	answer = modexp(&b, &e, &m);
	assert_int_equal(value_of(&answer), want);
	assert_int_equal(answer.produced, 4);
}

/* 8192 bits, bases far above the modulus, exponents 0 and 1, modulus 1. */
static void
test_modexp_edges(void **state)
{
	struct text m = { .len = 1024 }, base = { .len = 8000 }, want = { .len = 1024 };
	struct text none = number(0, 5), e = number(1, 1), one = number(1, 1);
	struct answer answer;
	uint16_t status;

	(void)state;
	draw_bytes(m.data, m.len);
	m.data[0] |= 0x80;
	m.data[1023] |= 1;
	draw_bytes(base.data, base.len);
	want.data[1023] = 1;
	answer = modexp(&base, &none, &m);
	assert_result(&answer, &want);
	memset(base.data, 0, base.len);
	memcpy(base.data + base.len - m.len, m.data, m.len);
	answer = modexp(&base, &e, &m);
	want.data[1023] = 0;
	assert_result(&answer, &want);
	answer = modexp(&base, &base, &one);
	assert_int_equal(answer.produced, 1);
	assert_int_equal(value_of(&answer), 0);
	answer = modexp(&base, &none, &one);
	assert_int_equal(value_of(&answer), 0);
	ASSERT_NO_KEY(EXP, 0, &none, &e);
	ASSERT_NO_KEY(EXP, 0, &m, NULL);
	ASSERT_NO_KEY(EXP, 0, NULL, &e);
	m.len = 1025;
	ASSERT_NO_KEY(EXP, 0, &m, &e);
	assert_null(PK_KEY_TRY(200, 0, &status, &e, &e));
	assert_int_equal(status, ACCEL_HW_BAD_CONTEXT);
}

static struct answer
modinv(const struct text *base, const struct text *modulus)
{
	uint16_t status;
	struct pk_key *key = PK_KEY_TRY(ACCEL_HW_PK_MODINV, 0, &status, modulus);
	struct answer answer;

	assert_non_null(key);
	answer = PK_DO(key, pk_command(ACCEL_HW_PK_COMPUTE), base);
	pk_key_free(key);
	return answer;
}

static uint32_t
gcd(uint32_t a, uint32_t b)
{
	return b == 0 ? a : gcd(b, a % b);
}

/* All pairs of small numbers, also bases above the modulus */
static void
test_modinv_small(void **state)
{
	(void)state;
	for (uint32_t modulus = 1; modulus < 60; modulus++) {
		for (uint32_t base = 0; base < 130; base++) {
			struct text m = number(modulus, 1 + base % 3);
			struct text b = number(base, 1 + base % 9);
			struct answer answer = modinv(&b, &m);

			if (modulus == 1 || gcd(base, modulus) != 1) {
				assert_int_equal(answer.status, ACCEL_HW_NO_INVERSE);
				assert_int_equal(answer.produced, 0);
				continue;
			}
			assert_int_equal(answer.produced, 1);
			assert_true(value_of(&answer) < modulus);
			assert_int_equal(value_of(&answer) * base % modulus, 1);
		}
	}
}

/* 8192 bits, odd and even; the inverse of the inverse is the number itself. */
static void
test_modinv_large(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 6; i++) {
		struct text m = { .len = 1024 }, base = { .len = 1024 }, inverse;
		struct answer answer;

		draw_bytes(m.data, m.len);
		draw_bytes(base.data, base.len);
		m.data[0] |= 0x80;
		base.data[0] &= 0x7f;
		/* an odd base for an even modulus, and the other way round */
		m.data[1023] = (uint8_t)(m.data[1023] << 1 | (i & 1));
		base.data[1023] = (uint8_t)(base.data[1023] << 1 | !(i & 1));
		answer = modinv(&base, &m);
		if (answer.status == ACCEL_HW_NO_INVERSE)
			continue;
		inverse = text_of(&answer);
		assert_memory_not_equal(inverse.data, base.data, 1024);
		answer = modinv(&inverse, &m);
		assert_result(&answer, &base);
	}
}

static void
test_modinv_edges(void **state)
{
	struct text m = mersenne(), two = number(2, 1), zero = number(0, 1), half = { .len = 66 };
	struct text exponent = number(3, 1);
	struct answer answer;

	(void)state;
	/* 2 * 2^520 = 2^521 = 1 */
	half.data[0] = 1;
	answer = modinv(&two, &m);
	assert_result(&answer, &half);
	answer = modinv(&half, &m);
	assert_int_equal(answer.produced, 66);
	assert_int_equal(answer.data[65], 2);
	answer = modinv(&m, &m);
	assert_int_equal(answer.status, ACCEL_HW_NO_INVERSE);
	answer = modinv(&zero, &m);
	assert_int_equal(answer.status, ACCEL_HW_NO_INVERSE);
	answer = modinv(NULL, &m);
	assert_int_equal(answer.status, ACCEL_HW_BAD_COMMAND);
	ASSERT_NO_KEY(ACCEL_HW_PK_MODINV, 0, &zero);
	ASSERT_NO_KEY(ACCEL_HW_PK_MODINV, 0, NULL);
	ASSERT_NO_KEY(ACCEL_HW_PK_MODINV, 0, &m, &exponent);
}

/* Headers that are wrong for any algorithm (PK-6). */
static void
test_context(void **state)
{
	const uint8_t components[PK_KEY_SIZE_MAX + 4] = { 5, 1 };
	const struct accel_hw_pk_context good = {
		.generation = 1,
		.version = ACCEL_HW_CTX_VERSION,
		.kind = ACCEL_HW_KIND_PK,
		.alg = EXP,
		.key_len = 2,
		.component = { 1, 1 },
	};
	struct accel_hw_pk_context bad[12];
	struct pk_key *key;
	uint16_t status;

	(void)state;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		bad[i] = good;
	bad[0].flags = 1;
	bad[1].curve = ACCEL_HW_CURVE_P256;
	bad[2].reserved = 1;
	bad[3].reserved2[15] = 1;
	bad[4].key_len = 1;
	bad[5].key_len = 3;
	bad[6].component[2] = 1;
	bad[6].key_len = 3;
	bad[7].component[15] = 1;
	bad[7].key_len = 3;
	bad[8].component[1] = PK_KEY_SIZE_MAX;
	bad[8].key_len = PK_KEY_SIZE_MAX + 1;
	bad[9].alg = 127;
	bad[10].alg = ACCEL_HW_RANDOM;
	bad[11].alg = 0xffff;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		status = 0xffff;
		assert_null(pk_key_new(&bad[i], components, &status));
		assert_int_equal(status, ACCEL_HW_BAD_CONTEXT);
	}
	key = pk_key_new(&good, components, &status);
	assert_non_null(key);
	assert_int_equal(status, ACCEL_HW_OK);
	pk_key_free(key);
	pk_key_free(NULL);
}

/* Commands that are wrong for MODEXP (PK-8). */
static void
test_command(void **state)
{
	struct text m = number(77, 1), e = number(3, 1);
	struct accel_hw_pk_command good = pk_command(ACCEL_HW_PK_COMPUTE), bad[16];
	uint16_t status;
	uint32_t most;
	struct pk_key *key = PK_KEY_TRY(EXP, 0, &status, &m, &e);

	(void)state;
	assert_non_null(key);
	good.operand[0] = 1;
	assert_int_equal(pk_check(key, &good, &most), ACCEL_HW_OK);
	assert_int_equal(most, 1);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		bad[i] = good;
	bad[0].operation = 0;
	bad[1].operation = 2;
	bad[2].operation = 0xffff;
	bad[3].operand[0] = 0;
	bad[4].operand[1] = 1;
	bad[5].operand[7] = 1;
	bad[6].padding = 1;
	bad[7].hash = ACCEL_HW_AUTH_SHA256;
	bad[8].mgf_hash = ACCEL_HW_AUTH_SHA256;
	bad[9].variant = 1;
	bad[10].salt_len = 1;
	bad[11].reserved[5] = 1;
	bad[12].flags = ACCEL_HW_CMD_NO_RX;
	bad[13].flags = 2;
	bad[14].operand[0] = 0;
	bad[14].operand[1] = 4;
	bad[15].padding = 255;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(pk_check(key, &bad[i], &most), ACCEL_HW_BAD_COMMAND);
	pk_key_free(key);
}

/* Bytes differ from call to call, and in each bit. */
static void
test_random(void **state)
{
	static uint8_t bytes[2][PK_RANDOM_MAX];
	uint32_t ones = 0, most = 8 * PK_RANDOM_MAX;

	(void)state;
	assert_int_equal(pk_random(bytes[0], PK_RANDOM_MAX), ACCEL_HW_OK);
	assert_int_equal(pk_random(bytes[1], PK_RANDOM_MAX), ACCEL_HW_OK);
	for (uint32_t i = 0; i < PK_RANDOM_MAX; i += 32)
		assert_memory_not_equal(bytes[0] + i, bytes[1] + i, 32);
	for (uint32_t i = 0; i < PK_RANDOM_MAX; i++)
		ones += (uint32_t)__builtin_popcount(bytes[0][i]);
	/* Ten standard deviations of 362 */
	assert_in_range(ones, most / 2 - 3620, most / 2 + 3620);
	assert_int_equal(pk_random(bytes[0], PK_RANDOM_MAX + 1), ACCEL_HW_NO_ENTROPY);
}

/* A child that was forked does not repeat its parent's bytes. */
static void
test_random_fork(void **state)
{
	uint8_t mine[32], child[32];
	int pipes[2], how;
	pid_t pid;

	(void)state;
	assert_int_equal(pk_random(mine, sizeof(mine)), ACCEL_HW_OK);
	assert_int_equal(pipe(pipes), 0);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (pk_random(child, sizeof(child)) != ACCEL_HW_OK)
			_exit(1);
		_exit(write(pipes[1], child, sizeof(child)) != sizeof(child));
	}
	assert_int_equal(pk_random(mine, sizeof(mine)), ACCEL_HW_OK);
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_int_equal(how, 0);
	assert_int_equal(read(pipes[0], child, sizeof(child)), sizeof(child));
	assert_memory_not_equal(mine, child, sizeof(mine));
	close(pipes[0]);
	close(pipes[1]);
}

static int
fill_and_fail(unsigned char *bytes, int len)
{
	memset(bytes, 0xa5, (size_t)len);
	return 0;
}

/* A source that fails gives NO_ENTROPY, and none of its bytes. */
static void
test_random_fails(void **state)
{
	static const RAND_METHOD failing = { .bytes = fill_and_fail, .pseudorand = fill_and_fail };
	uint8_t bytes[64];

	(void)state;
	assert_int_equal(random_method(&failing), 1);
	memset(bytes, 1, sizeof(bytes));
	assert_int_equal(pk_random(bytes, sizeof(bytes)), ACCEL_HW_NO_ENTROPY);
	for (unsigned int i = 0; i < sizeof(bytes); i++)
		assert_int_not_equal(bytes[i], 0xa5);
	assert_int_equal(random_method(NULL), 1);
	assert_int_equal(pk_random(bytes, sizeof(bytes)), ACCEL_HW_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modexp_small),
		cmocka_unit_test(test_modexp_fermat),
		cmocka_unit_test(test_modexp_even),
		cmocka_unit_test(test_modexp_edges),
		cmocka_unit_test(test_modinv_small),
		cmocka_unit_test(test_modinv_large),
		cmocka_unit_test(test_modinv_edges),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_random_fork),
		cmocka_unit_test(test_random_fails),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
