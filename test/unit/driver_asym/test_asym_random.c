/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Random numbers of the embedded device, from rte_pmd_accel_random() and from operations: their
 * statistics (SP 800-22), that no two devices, processes, or parent and child give the same, all
 * lengths, and errors.
 *
 * Each statistic has a limit that a good source exceeds less often than once in 10^11 runs, and a
 * source with a flaw that it has to find.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver_asym/asym_plugged.h"

#define STREAM (1u << 17) /* bytes */
#define BITS (8 * STREAM)
#define OP_MAX 65536u /* bytes of an operation: max-bytes of the node random-1 */
#define OTHER "crypto_accel1"
#define BLOCK_BITS 1024u /* block frequency */
#define RUN_BITS 128u /* longest run */
#define REPEAT 16u /* bytes that do not come twice */
#define LAGS 64u
/* Squares of standard deviations: 7 of a normal distribution, and 10 where its tail is heavier. */
#define NORMAL 49.0
#define HEAVY 100.0

static uint8_t stream[STREAM];

static unsigned int
bit(const uint8_t *s, size_t i)
{
	return s[i / 8] >> (7 - i % 8) & 1;
}

static unsigned int
count_ones(const uint8_t *s, size_t len)
{
	unsigned int ones = 0;
	size_t i;

	for (i = 0; i < len; i++)
		ones += (unsigned int)__builtin_popcount(s[i]);
	return ones;
}

/* Is a number that is distributed as chi-square too large, or too small to be true? */
static bool
is_far(double chi, double degrees)
{
	const double square = (chi - degrees) * (chi - degrees) / (2 * degrees);

	return square > (chi > degrees ? HEAVY : NORMAL);
}

/* SP 800-22, 2.1 */
static bool
monobit_fails(const uint8_t *s)
{
	const double sum = 2.0 * count_ones(s, STREAM) - BITS;

	return sum * sum > NORMAL * BITS;
}

/* 2.2 */
static bool
block_frequency_fails(const uint8_t *s)
{
	double chi = 0, part;
	size_t i;

	for (i = 0; i < STREAM; i += BLOCK_BITS / 8) {
		part = (double)count_ones(s + i, BLOCK_BITS / 8) / BLOCK_BITS - 0.5;
		chi += 4.0 * BLOCK_BITS * part * part;
	}
	return is_far(chi, BITS / BLOCK_BITS);
}

/* 2.3 */
static bool
runs_fail(const uint8_t *s)
{
	const double ones = (double)count_ones(s, STREAM) / BITS, even = ones * (1 - ones);
	double runs = 1;
	size_t i;

	for (i = 1; i < BITS; i++)
		runs += bit(s, i) != bit(s, i - 1);
	runs -= 2.0 * BITS * even;
	return runs * runs > NORMAL * 4.0 * BITS * even * even;
}

/* 2.4, with blocks of 128 bits. Chi-square of 5 degrees of freedom is above 70 once in 10^13. */
static bool
longest_run_fails(const uint8_t *s)
{
	static const double parts[] = { 0.1174, 0.2430, 0.2493, 0.1752, 0.1027, 0.1124 };
	unsigned int seen[RTE_DIM(parts)] = { 0 }, run, longest;
	double chi = 0, wanted;
	size_t i, k;

	for (i = 0; i < BITS; i += RUN_BITS) {
		for (k = run = longest = 0; k < RUN_BITS; k++) {
			run = bit(s, i + k) != 0 ? run + 1 : 0;
			longest = RTE_MAX(longest, run);
		}
		seen[longest < 4 ? 0 : RTE_MIN(longest, 9u) - 4]++;
	}
	for (i = 0; i < RTE_DIM(parts); i++) {
		wanted = parts[i] * (BITS / RUN_BITS);
		chi += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
	}
	return chi > 70;
}

/* Values of a unit of 4 (poker, FIPS 140-2) or 8 bits */
static bool
values_fail(const uint8_t *s, unsigned int bits)
{
	const double wanted = (double)BITS / bits / (1u << bits);
	unsigned int seen[256] = { 0 }, i;
	double chi = 0;

	for (i = 0; i < STREAM; i++) {
		seen[bits == 8 ? s[i] : s[i] >> 4]++;
		if (bits == 4)
			seen[s[i] & 15]++;
	}
	for (i = 0; i < 1u << bits; i++)
		chi += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
	return bits == 4 ? chi > 90 : is_far(chi, 255); /* 15 degrees: once in 10^12 */
}

static bool
poker_fails(const uint8_t *s)
{
	return values_fail(s, 4);
}

static bool
bytes_fail(const uint8_t *s)
{
	return values_fail(s, 8);
}

/* A bit against those before it; 1, 8 and others */
static bool
lags_fail(const uint8_t *s)
{
	double sum;
	size_t i, lag;

	for (lag = 1; lag <= LAGS; lag++) {
		sum = 0;
		for (i = lag; i < BITS; i++)
			sum += bit(s, i) != bit(s, i - lag) ? 1 : -1;
		if (sum * sum > 1.2 * NORMAL * (double)(BITS - lag))
			return true;
	}
	return false;
}

static int
compare(const void *a, const void *b)
{
	return memcmp(a, b, REPEAT);
}

static bool
repeats(const uint8_t *s)
{
	static uint8_t sorted[STREAM];
	size_t i;

	memcpy(sorted, s, STREAM);
	qsort(sorted, STREAM / REPEAT, REPEAT, compare);
	for (i = REPEAT; i < STREAM; i += REPEAT) {
		if (memcmp(sorted + i - REPEAT, sorted + i, REPEAT) == 0)
			return true;
	}
	return false;
}

/*
 * Flaws, put into a good stream.
 */

/* Two of a hundred ones get lost. */
static void
lose_ones(uint8_t *s)
{
	size_t i;

	for (i = 0; i < STREAM; i += 6)
		s[i] &= 0x7f;
}

/* A block of many ones is followed by one of many zeros. */
static void
drift(uint8_t *s)
{
	size_t i;

	for (i = 0; i < STREAM; i++) {
		if (i % 16 == 0)
			s[i] = i / (BLOCK_BITS / 8) % 2 != 0 ? 0xff : 0;
	}
}

/* A bit is the same as the one before it too often. */
static void
stick(uint8_t *s)
{
	size_t i;

	for (i = 0; i < STREAM; i += 8)
		s[i] = (uint8_t)((s[i] & 0xfc) | (s[i] >> 2 & 1) * 3);
}

/* No run of ones is long. */
static void
cut_runs(uint8_t *s)
{
	size_t i;

	for (i = 0; i < STREAM; i++) {
		if ((s[i] & 0x3f) == 0x3f)
			s[i] ^= 8;
	}
}

/* One value does not occur. */
static void
omit(uint8_t *s)
{
	size_t i;

	for (i = 0; i < STREAM; i++) {
		if (s[i] == 0xa5)
			s[i] = 0x5a;
	}
}

/* A sixteenth of the bytes is the one 8 bytes before it. */
static void
echo(uint8_t *s)
{
	size_t i;

	for (i = 8; i < STREAM; i += 16)
		s[i] = s[i - 8];
}

/* A piece comes again. */
static void
repeat(uint8_t *s)
{
	memcpy(s + STREAM / 2, s + 7 * (size_t)REPEAT, REPEAT);
}

static const struct {
	const char *name;
	bool (*fails)(const uint8_t *s);
	void (*flaw)(uint8_t *s);
} statistics[] = {
	{ "monobit", monobit_fails, lose_ones },
	{ "block frequency", block_frequency_fails, drift },
	{ "runs", runs_fail, stick },
	{ "longest run", longest_run_fails, cut_runs },
	{ "poker", poker_fails, lose_ones },
	{ "bytes", bytes_fail, omit },
	{ "lags", lags_fail, echo },
	{ "repeats", repeats, repeat },
};

static void
expect_random(const uint8_t *s)
{
	static uint8_t flawed[STREAM];
	unsigned int i;

	for (i = 0; i < RTE_DIM(statistics); i++) {
		if (statistics[i].fails(s))
			fail_msg("%s", statistics[i].name);
		memcpy(flawed, s, STREAM);
		statistics[i].flaw(flawed);
		if (!statistics[i].fails(flawed))
			fail_msg("%s does not find the flaw", statistics[i].name);
	}
}

static struct rte_crypto_op *
random_op(void *sess, uint8_t *to, size_t len)
{
	struct rte_crypto_op *op = fresh(0, sess);

	op->asym->modex.result.data = to;
	op->asym->modex.result.length = len;
	return op;
}

static void *
random_session(void)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };

	return asym_session(&x);
}

static void
test_statistics(void **state)
{
	void *sess;
	size_t i;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(rte_pmd_accel_random(dev, stream, STREAM), 0);
	expect_random(stream);
	sess = random_session();
	/* Pieces of an odd length, so that each place of a piece is looked at. */
	for (i = 0; i < STREAM; i += 999)
		assert_int_equal(run(random_op(sess, stream + i, RTE_MIN(999u, STREAM - i))),
				 RTE_CRYPTO_OP_STATUS_SUCCESS);
	expect_random(stream);
	asym_session_done(sess);
	unplug();
}

/* Fills len bytes in one of the two ways. */
static void
fill(void *sess, uint8_t *to, size_t len)
{
	if (sess == NULL)
		assert_int_equal(rte_pmd_accel_random(dev, to, len), 0);
	else
		assert_int_equal(run(random_op(sess, to, len)), RTE_CRYPTO_OP_STATUS_SUCCESS);
}

/* Each length: nothing is written behind it, and the last byte is a random one, too. */
static void
test_lengths(void **state)
{
	static const size_t more[] = { 4095, 4096, 4097, 8191, 8192, 8193, 65535, 65536 };
	static uint8_t to[OP_MAX + 1];
	unsigned int way, distinct, i;
	bool seen[256];
	void *sess;
	size_t len;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = random_session();
	for (way = 0; way < 2; way++) {
		memset(seen, 0, sizeof(seen));
		for (i = 0; i < 1100 + RTE_DIM(more); i++) {
			len = i < 1100 ? i + 1 : more[i - 1100];
			memset(to, 0xee, len + 1);
			fill(way == 0 ? sess : NULL, to, len);
			assert_int_equal(to[len], 0xee);
			seen[to[len - 1]] = true;
			if (len >= 64) /* 32 bytes that are all the same are none of a source */
				assert_memory_not_equal(to + len - 32, to + len - 64, 32);
		}
		for (distinct = i = 0; i < 256; i++)
			distinct += seen[i];
		assert_in_range(distinct, 200, 256); /* 1100 draws leave out 3.5 */
	}
	asym_session_done(sess);
	expect_wiped(0);
	unplug();
}

/* What is no length, cards without random numbers, and cards that do not answer. */
static void
test_errors(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };
	static uint8_t to[100], zero[sizeof(to)];
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = random_session();
	assert_int_equal(run(random_op(sess, to, 0)), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(run(random_op(sess, to, OP_MAX + 1)), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(run(random_op(sess, NULL, 16)), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	asym_session_done(sess);
	/* A card that is dead gives nothing that looks random. */
	kill_device(0);
	memset(to, 0xee, sizeof(to));
	assert_true(rte_pmd_accel_random(dev, to, sizeof(to)) < 0);
	assert_memory_equal(to, zero, sizeof(to));
	unplug();

	plug(PLUGGED_ARGS ",contract_minor=3");
	assert_int_equal(rte_pmd_accel_random(dev, to, sizeof(to)), -ENOTSUP);
	sess = NULL;
	assert_int_equal(rte_cryptodev_asym_session_create(dev, &x, asym_sessions, &sess),
			 -ENOTSUP);
	if (sess != NULL)
		asym_session_done(sess);
	unplug();
}

static void
test_two_devices(void **state)
{
	static uint8_t one[4096], other[4096];
	size_t i;
	int id;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(rte_eal_hotplug_add("vdev", OTHER, PLUGGED_ARGS), 0);
	id = rte_cryptodev_get_dev_id(OTHER);
	assert_in_range(id, 0, RTE_CRYPTO_MAX_DEVS - 1);
	assert_int_equal(rte_pmd_accel_random(dev, one, sizeof(one)), 0);
	assert_int_equal(rte_pmd_accel_random((uint8_t)id, other, sizeof(other)), 0);
	for (i = 0; i < sizeof(one); i += 16)
		assert_memory_not_equal(one + i, other + i, 16);
	assert_int_equal(rte_eal_hotplug_remove("vdev", OTHER), 0);
	unplug();
}

#define PRINTED 32u

/* Reads what a child has written, and waits for it. */
static void
take_from(int from, pid_t pid, uint8_t *to)
{
	int how;

	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_int_equal(how, 0);
	assert_int_equal(read(from, to, PRINTED), PRINTED);
	close(from);
}

/* Writes the first random bytes of a device of its own to stdout. */
static int
print_random(void)
{
	uint8_t bytes[PRINTED];
	int id;

	if (start_eal_silent("test_asym_random") < 0 ||
	    rte_eal_hotplug_add("vdev", PLUGGED, PLUGGED_ARGS) != 0)
		return 1;
	id = rte_cryptodev_get_dev_id(PLUGGED);
	if (id < 0 || rte_pmd_accel_random((uint8_t)id, bytes, PRINTED) != 0)
		return 1;
	if (rte_eal_hotplug_remove("vdev", PLUGGED) != 0)
		return 1;
	return write(STDOUT_FILENO, bytes, PRINTED) == PRINTED && rte_eal_cleanup() == 0 ? 0 : 1;
}

/* The same program, started twice, does not begin with the same bytes. */
static void
test_two_processes(void **state)
{
	uint8_t bytes[2][PRINTED];
	unsigned int i;
	int pipes[2];
	pid_t pid;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_int_equal(pipe(pipes), 0);
		fflush(NULL);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			dup2(pipes[1], STDOUT_FILENO);
			execl("/proc/self/exe", "test_asym_random", "print", (char *)NULL);
			_exit(1);
		}
		close(pipes[1]);
		take_from(pipes[0], pid, bytes[i]);
	}
	assert_memory_not_equal(bytes[0], bytes[1], PRINTED);
}

/*
 * A child of a process that has an embedded device does not get the bytes that the parent gets
 * next. DPDK's memory is shared by both, so they may not use a device at the same time.
 */
static void
test_fork(void **state)
{
	uint8_t parent[2][PRINTED], child[2][PRINTED];
	unsigned int i;
	int pipes[2];
	pid_t pid;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(rte_pmd_accel_random(dev, parent[0], PRINTED), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(pipe(pipes), 0);
		fflush(NULL);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			if (rte_pmd_accel_random(dev, child[i], PRINTED) != 0)
				_exit(1);
			_exit(write(pipes[1], child[i], PRINTED) != PRINTED);
		}
		close(pipes[1]);
		take_from(pipes[0], pid, child[i]);
	}
	assert_int_equal(rte_pmd_accel_random(dev, parent[1], PRINTED), 0);
	for (i = 0; i < 2; i++) {
		assert_memory_not_equal(child[i], parent[0], PRINTED);
		assert_memory_not_equal(child[i], parent[1], PRINTED);
	}
	assert_memory_not_equal(child[0], child[1], PRINTED);
	assert_memory_not_equal(parent[0], parent[1], PRINTED);
	unplug();
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statistics),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_two_devices),
		cmocka_unit_test(test_two_processes),
		cmocka_unit_test(test_fork),
	};

	if (argc > 1 && strcmp(argv[1], "print") == 0)
		return print_random();
	if (start_eal_silent("test_asym_random") < 0)
		return 1;
	return cmocka_run_group_tests_name("random numbers", tests, make_all, NULL);
}
