/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The state of a queue pair at a start: operations that wait keep their numbers and entries, and
 * the next ones take the commands from slot 0 on. This also holds in a process that is killed after
 * any of its instructions, and in a successor that is killed as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_queue.h"
#include "accel_queue_start.h"
#include "base/death.h"

#define NB 8u
#define RSP 16u

static struct accel_qp qp;
static struct accel_inflight inflight[NB];
static struct accel_hw_command commands[NB];
static struct accel_hw_response responses[RSP];
static uint64_t tx_ring[RSP], rx_ring[RSP];
static _Alignas(8) uint64_t op[NB];

static const struct death_part parts[] = { { &qp, sizeof(qp) },
					   { inflight, sizeof(inflight) },
					   { responses, sizeof(responses) } };

static void
prepare(uint32_t cons, uint32_t nb)
{
	uint32_t n;

	memset(&qp, 0, sizeof(qp));
	memset(inflight, 0, sizeof(inflight));
	memset(responses, 0, sizeof(responses));
	qp.nb_desc = NB;
	qp.desc_mask = NB - 1;
	qp.rsp_size = RSP;
	qp.inflight = inflight;
	qp.commands = commands;
	qp.responses = responses;
	accel_ring_init(&qp.tx, tx_ring, RSP);
	accel_ring_init(&qp.rx, rx_ring, RSP);
	for (n = 0; n < nb; n++)
		inflight[(cons + n) % NB].op = (uintptr_t)&op[n] | ACCEL_OP_SETTLED;
	accel_store_relaxed(&qp.cons, cons);
	accel_store_relaxed(&qp.prod, cons + nb);
	/* The last start was some operations before. */
	qp.base = cons - 3;
	qp.command_base = qp.base;
	qp.tx.prod = qp.rx.prod = 5;
	qp.ahead = 3;
	accel_store_relaxed(&qp.error, 1);
}

/* Walks through the next operations as enqueue does, from one wrap to the next. */
static void
check_slots(uint32_t prod)
{
	uint32_t n, i;

	for (n = 0; n < 3 * NB; n += i) {
		const uint32_t ahead = accel_slots_ahead(&qp, prod + n);

		assert_in_range(ahead, 1, NB);
		for (i = 0; i < ahead; i++) {
			assert_ptr_equal(accel_command(&qp, prod + n) + i,
					 &commands[(n + i) % NB]);
			assert_int_equal(((prod + n) & qp.desc_mask) + i,
					 (prod + n + i) & qp.desc_mask);
		}
	}
}

/* All operations are there once, with their numbers, and the device begins at slot 0. */
static void
check(uint32_t cons, uint32_t nb)
{
	const uint32_t prod = cons + nb;
	uint32_t n;

	assert_int_equal(accel_load_relaxed(&qp.cons), cons);
	assert_int_equal(accel_load_relaxed(&qp.prod), prod);
	for (n = 0; n < nb; n++)
		assert_true(inflight[(cons + n) % NB].op ==
			    ((uintptr_t)&op[n] | ACCEL_OP_SETTLED));
	assert_int_equal(qp.base, prod);
	assert_int_equal(qp.command_base, prod);
	assert_int_equal(qp.tx.prod | qp.rx.prod | qp.ahead, 0);
	assert_int_equal(accel_load_relaxed(&qp.error), 0);
	for (n = 0; n < RSP; n++)
		assert_int_not_equal(rte_le_to_cpu_32(responses[n].tag), prod + n);
	check_slots(prod);
}

/* Counters on both sides of their wrap, rings that are empty, partly filled and full. */
static void
test_numbers(void **state)
{
	uint32_t cons, nb;

	(void)state;
	for (cons = UINT32_MAX - 3 * NB; cons != 3 * NB; cons++) {
		for (nb = 0; nb <= NB; nb++) {
			prepare(cons, nb);
			accel_qp_rewind(&qp);
			check(cons, nb);
			accel_qp_rewind(&qp);
			check(cons, nb);
		}
	}
}

static void
rewind_one(void *arg)
{
	accel_qp_rewind(arg);
}

static void
killed(uint32_t cons, uint32_t nb)
{
	unsigned int i, states;

	memcpy(death.part, parts, sizeof(parts));
	prepare(cons, nb);
	states = death_watch(rewind_one, &qp);
	check(cons, nb);
	assert_in_range(states, 10, DEATH_STATES - 1);
	for (i = 0; i < states; i++) {
		death_restore(i);
		accel_qp_rewind(&qp);
		check(cons, nb);
	}
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
		killed(2, counts[i]);
		killed(UINT32_MAX - 4, counts[i]);
	}
}

static void
restore(const uint8_t *state)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(parts); state += parts[i].size, i++)
		memcpy(parts[i].at, state, parts[i].size);
}

/* Two processes are killed, one after the other, after any two instructions. */
static void
killed_twice(uint32_t cons, uint32_t nb)
{
	unsigned int i, k, states, again;
	uint8_t *first;
	size_t size;

	memcpy(death.part, parts, sizeof(parts));
	prepare(cons, nb);
	states = death_watch(rewind_one, &qp);
	first = death.state;
	size = death.size;
	death.state = NULL;
	for (i = 0; i < states; i++) {
		restore(first + i * size);
		again = death_watch(rewind_one, &qp);
		for (k = 0; k < again; k++) {
			death_restore(k);
			accel_qp_rewind(&qp);
			check(cons, nb);
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
	killed_twice(2, 3);
	killed_twice(UINT32_MAX - 4, 5);
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
