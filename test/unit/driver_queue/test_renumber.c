/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * New numbers for operations that wait at a start, also in a process that is killed after any of
 * its instructions, and in a successor that is killed as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_common.h>

#include "accel_renumber.h"
#include "base/death.h"

#define NB 8u

static struct accel_qp qp;
static struct accel_inflight inflight[NB];
static struct accel_raw_slot raw[NB];
static _Alignas(8) uint64_t op[NB];

/* Every third operation is one of the raw data path. */
static bool
is_raw(uint32_t n)
{
	return qp.raw != NULL && n % 3 == 0;
}

static void
prepare(uint32_t cons, uint32_t nb, bool with_raw)
{
	uint32_t n;

	memset(&qp, 0, sizeof(qp));
	memset(inflight, 0, sizeof(inflight));
	memset(raw, 0, sizeof(raw));
	qp.nb_desc = NB;
	qp.desc_mask = NB - 1;
	qp.inflight = inflight;
	qp.raw = with_raw ? raw : NULL;
	for (n = cons; n != cons + nb; n++) {
		const uint32_t slot = n % NB;

		if (is_raw(n - cons)) {
			raw[slot].user_data = &op[n - cons];
			raw[slot].status = RTE_CRYPTO_OP_STATUS_AUTH_FAILED;
			inflight[slot].op = (uintptr_t)&raw[slot] | ACCEL_OP_RAW_SETTLED;
		} else {
			inflight[slot].op = (uintptr_t)&op[n - cons] | ACCEL_OP_SETTLED;
		}
	}
	accel_store_relaxed(&qp.cons, cons);
	accel_store_relaxed(&qp.prod, cons + nb);
}

/* All operations are there once, in their order, and the next number is a multiple of NB. */
static void
check(uint32_t nb)
{
	const uint32_t cons = accel_load_relaxed(&qp.cons);
	uint32_t n;

	assert_int_equal(accel_load_relaxed(&qp.renumber.step), 0);
	assert_int_equal(accel_load_relaxed(&qp.prod) - cons, nb);
	assert_int_equal(accel_load_relaxed(&qp.prod) % NB, 0);
	for (n = 0; n < nb; n++) {
		const uint32_t slot = (cons + n) % NB;

		if (is_raw(n)) {
			assert_true(inflight[slot].op ==
				    ((uintptr_t)&raw[slot] | ACCEL_OP_RAW_SETTLED));
			assert_ptr_equal(raw[slot].user_data, &op[n]);
			assert_int_equal(raw[slot].status, RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
		} else {
			assert_true(inflight[slot].op ==
				    ((uintptr_t)&op[n] | ACCEL_OP_SETTLED));
		}
	}
}

/* Counters on both sides of their wrap, rings that are empty, partly filled and full. */
static void
for_each_state(void (*test)(uint32_t cons, uint32_t nb, bool with_raw))
{
	uint32_t cons, nb;

	for (cons = UINT32_MAX - 3 * NB; cons != 3 * NB; cons++) {
		for (nb = 0; nb <= NB; nb++) {
			test(cons, nb, false);
			test(cons, nb, true);
		}
	}
}

static void
once(uint32_t cons, uint32_t nb, bool with_raw)
{
	prepare(cons, nb, with_raw);
	accel_renumber(&qp);
	check(nb);
	assert_true(accel_load_relaxed(&qp.prod) - cons - nb < NB);
	accel_renumber(&qp);
	check(nb);
}

static void
test_numbers(void **state)
{
	(void)state;
	for_each_state(once);
}

static void
renumber(void *arg)
{
	accel_renumber(arg);
}

static void
killed(uint32_t cons, uint32_t nb, bool with_raw)
{
	const struct death_part parts[] = { { &qp, sizeof(qp) },
					    { inflight, sizeof(inflight) },
					    { raw, sizeof(raw) } };
	unsigned int i, states;

	memcpy(death.part, parts, sizeof(parts));
	prepare(cons, nb, with_raw);
	states = death_watch(renumber, &qp);
	check(nb);
	assert_in_range(states, nb > 1 ? 30 : 4, DEATH_STATES - 1);
	for (i = 0; i < states; i++) {
		death_restore(i);
		accel_renumber(&qp);
		check(nb);
	}
}

static void
finish(void *arg)
{
	accel_renumber_finish(arg);
}

/* Two processes are killed, one after the other, after any two instructions. */
static void
killed_twice(uint32_t cons, uint32_t nb, bool with_raw)
{
	const struct death_part parts[] = { { &qp, sizeof(qp) },
					    { inflight, sizeof(inflight) },
					    { raw, sizeof(raw) } };
	unsigned int i, k, states, again;
	uint8_t *first;
	size_t size;

	memcpy(death.part, parts, sizeof(parts));
	prepare(cons, nb, with_raw);
	states = death_watch(renumber, &qp);
	first = death.state;
	size = death.size;
	death.state = NULL;
	for (i = 0; i < states; i += 3) {
		memcpy(&qp, first + i * size, sizeof(qp));
		memcpy(inflight, first + i * size + sizeof(qp), sizeof(inflight));
		memcpy(raw, first + i * size + sizeof(qp) + sizeof(inflight), sizeof(raw));
		again = death_watch(finish, &qp);
		for (k = 0; k < again; k++) {
			death_restore(k);
			accel_renumber(&qp);
			check(nb);
		}
	}
	free(first);
}

static void
test_killed_twice(void **state)
{
	(void)state;
	if (!DEATH_POSSIBLE)
		skip();
	killed_twice(2, 3, false);
	killed_twice(UINT32_MAX - 4, 5, true);
}

static void
test_killed(void **state)
{
	static const uint32_t counts[] = { 0, 1, 3, 5, NB };
	unsigned int i;

	(void)state;
	if (!DEATH_POSSIBLE)
		skip();
	for (i = 0; i < RTE_DIM(counts); i++) {
		killed(2, counts[i], false);
		killed(UINT32_MAX - 4, counts[i], true);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_killed_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
