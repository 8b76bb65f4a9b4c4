/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Bursts of all sorts on one queue pair, lap after lap of its rings: whichever way each operation
 * takes, what stands in rings, commands and entries is what the general path makes of one after the
 * other, which test_desc.c holds against words written by hand. ACCEL_TEST_SEED repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accel_general.h"
#include "test_random_qp.h"

#define ROUNDS 300000u
#define RESTART_EVERY 2000u /* rounds */

/* The same queue pair as before a burst, for the general path. */
static struct fake general;

/* Of another kind, mostly. */
static union fake_session session_2 __rte_cache_aligned;

static struct fake_op ops[NB_DESC];

/* Mostly what the straight path takes. */
static struct rte_crypto_op *
draw_op(unsigned int n)
{
	union fake_session *session = draw(30) == 0 ? &session_2 : &session_memory;
	const struct accel_session *sess = accel_session_of(&session->s);
	const uint32_t bytes = 1 + draw(300);
	struct rte_crypto_op *op = op_at(&ops[n], draw_iova(), (uint16_t)bytes);
	struct rte_crypto_sym_op *sym = op->sym;

	if (draw(30) == 0)
		chain(&ops[n], 1, draw_iova(), 1 + (uint16_t)draw(300));
	if (draw(30) == 0) {
		mbuf_at(&ops[n].mbuf[2], draw_iova(), (uint16_t)bytes);
		sym->m_dst = draw(3) == 0 ? sym->m_src : &ops[n].mbuf[2];
	}
	sym->session = draw(300) == 0 ? NULL : &session->s;
	if (sess->kind == ACCEL_HW_KIND_AEAD) {
		sym->aead.data.offset = draw(bytes);
		sym->aead.data.length = bytes - sym->aead.data.offset + (draw(50) == 0);
		sym->aead.digest.phys_addr = draw(100) == 0 ? 0 : draw_iova();
		sym->aead.aad.phys_addr = draw(100) == 0 ? 0 : draw_iova();
		return op;
	}
	sym->cipher.data.offset = draw(bytes);
	sym->cipher.data.length = bytes - sym->cipher.data.offset + (draw(50) == 0);
	if (sess->kind == ACCEL_HW_KIND_CIPHER)
		return op;
	sym->auth.data.offset = draw(bytes);
	sym->auth.data.length = bytes - sym->auth.data.offset;
	sym->auth.digest.phys_addr = draw(100) == 0 ? 0 : draw_iova();
	return op;
}

/* What the dequeuing thread does: some operations are done, and their descriptors free. */
static void
retire(struct accel_qp *qp, uint32_t n)
{
	const struct accel_inflight *last;

	if (n == 0)
		return;
	qp->cons += n;
	last = &qp->inflight[(qp->cons - 1) & qp->desc_mask];
	qp->tx_cons = last->tx_end;
	qp->rx_cons = last->rx_end;
}

/* A queue pair that begins anywhere in its rings. */
static void
restart(void **state)
{
	struct accel_qp *qp = &fake.qp;

	setup(state);
	qp->commands_located = draw_bool();
	qp->tx.prod = draw(UINT32_MAX);
	qp->rx.prod = draw(UINT32_MAX);
	qp->tx_cons = qp->tx.prod;
	qp->rx_cons = qp->rx.prod;
	qp->prod = draw(UINT32_MAX);
	qp->cons = qp->cons_seen = qp->prod;
	accel_ring_freed(&qp->tx, qp->tx_cons);
	accel_ring_freed(&qp->rx, qp->rx_cons);
}

/* One burst, and the same with the general path alone. How many were taken. */
static uint32_t
both(struct rte_crypto_op **burst, uint32_t n)
{
	const uint32_t prod = fake.qp.prod, tx = fake.qp.tx.prod, rx = fake.qp.rx.prod;
	uint32_t done, i;

	copy_fake(&general, &fake);
	done = accel_enqueue_burst(&fake.qp, burst, (uint16_t)n);
	for (i = 0; i < done; i++)
		assert_true(accel_enqueue_odd(&general.qp, burst[i], prod + i));
	assert_int_equal(fake.qp.prod, prod + done);
	assert_same_ring(&fake.qp.tx, &general.qp.tx, tx);
	assert_same_ring(&fake.qp.rx, &general.qp.rx, rx);
	for (i = 0; i < done; i++) {
		const uint32_t slot = (prod + i) & fake.qp.desc_mask;

		assert_memory_equal(&fake.inflight[slot], &general.inflight[slot],
				    sizeof(fake.inflight[slot]));
		assert_memory_equal(&fake.commands[slot], &general.commands[slot],
				    sizeof(fake.commands[slot]));
	}
	assert_int_equal(fake.qp.enqueue_err, general.qp.enqueue_err);
	if (done != 0)
		assert_int_equal(fake.doorbell,
				 (uint64_t)(fake.qp.rx.prod & (RING_SIZE - 1)) << 32 |
					 (fake.qp.tx.prod & (RING_SIZE - 1)));
	/* All that find a place, or those behind find no descriptors. */
	if (done < RTE_MIN(n, NB_DESC - (prod - fake.qp.cons)))
		assert_false(accel_enqueue_odd(&general.qp, burst[done], prod + done));
	return done;
}

static void
test_same_as_general(void **state)
{
	uint64_t taken = 0, refused = 0;
	unsigned int round;

	rte_log_set_global_level(RTE_LOG_EMERG); /* of refused operations */
	for (round = 0; round < ROUNDS; round++) {
		struct rte_crypto_op *burst[NB_DESC];
		const uint32_t n = 1 + draw(NB_DESC);
		uint64_t before;
		uint32_t i;

		if (round % RESTART_EVERY == 0)
			restart(state);
		draw_session();
		session_2 = session_memory;
		draw_session();
		for (i = 0; i < n; i++)
			burst[i] = draw_op(i);
		before = fake.qp.enqueue_err;
		taken += both(burst, n);
		refused += fake.qp.enqueue_err - before;
		retire(&fake.qp, draw(fake.qp.prod - fake.qp.cons + 1));
	}
	print_message("%" PRIu64 " operations, %" PRIu64 " refused\n", taken, refused);
	assert_true(refused > 0 && refused < taken / 4);
}

/* Single operations, as a program at low load gives them, from any place of the rings on. */
static void
test_singles(void **state)
{
	unsigned int i, round;

	for (round = 0; round < 200; round++) {
		restart(state);
		session_reset(ACCEL_HW_KIND_CIPHER);
		for (i = 0; i < 4 * RING_SIZE; i++) {
			struct rte_crypto_op *op = op_at(&ops[i % NB_DESC], CMD_IOVA + 64 * i, 64);

			assert_int_equal(both(&op, 1), 1);
			retire(&fake.qp, 1);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_general),
		cmocka_unit_test(test_singles),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
