/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of several segments and out of place. One is compared with descriptors written out by
 * hand. Random ones are compared with what the slow path makes of them. What does not fit leaves
 * the queue pair as it was. ACCEL_TEST_SEED repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accel_datapath.h"
#include "accel_enqueue.h"
#include "accel_ring.h"
#include "accel_session.h"
#include "accel_shape.h"
#include "accel_sort.h"
#include "driver_qp/random_qp.h"
#include "driver_qp/words.h"

#define ROUNDS 200000u
#define SEGMENTS 6u
#define BURST 4u

/* A copy of the queue pair for the slow path. */
static struct fake slow;

/* This session is mostly of another kind. */
static union fake_session session_2 __rte_cache_aligned;

/* These operations have longer mbuf chains than fit into a fake_op. */
static struct fake_op ops[BURST];
static struct rte_mbuf segments[BURST][2][SEGMENTS];

/* Draws segments of 0 to 299 bytes. Returns the bytes of all. */
static uint32_t
draw_chain(struct rte_mbuf *m)
{
	const unsigned int nb = 1 + draw(SEGMENTS);
	unsigned int i;

	for (i = 0; i < nb; i++) {
		mbuf_at(&m[i], draw_iova(), draw(10) == 0 ? 0 : (uint16_t)draw(300));
		if (i != 0) {
			m[i - 1].next = &m[i];
			m[0].pkt_len += m[i].data_len;
		}
	}
	m[0].nb_segs = (uint16_t)nb;
	return m[0].pkt_len;
}

/* Draws an operation whose regions mostly lie within the source. */
static struct rte_crypto_op *
draw_op(unsigned int n)
{
	union fake_session *session = draw(6) == 0 ? &session_2 : &session_memory;
	const struct accel_session *sess = accel_session_of(&session->s);
	struct rte_crypto_op *op = op_at(&ops[n], 0, 0);
	struct rte_crypto_sym_op *sym = op->sym;
	const uint32_t bytes = draw_chain(segments[n][0]) + (draw(20) == 0);

	sym->m_src = segments[n][0];
	if (draw(3) == 0) {
		draw_chain(segments[n][1]);
		sym->m_dst = draw(8) == 0 ? sym->m_src : segments[n][1];
	}
	sym->session = draw(40) == 0 ? NULL : &session->s;
	if (sess->kind == ACCEL_HW_KIND_AEAD) {
		sym->aead.data.offset = draw(bytes + 1);
		sym->aead.data.length = draw(bytes + 1 - sym->aead.data.offset);
		sym->aead.digest.phys_addr = draw(20) == 0 ? 0 : draw_iova();
		sym->aead.aad.phys_addr = draw(20) == 0 ? 0 : draw_iova();
		sym->aead.aad.data = draw_aad();
		return op;
	}
	sym->cipher.data.offset = draw(bytes + 1);
	sym->cipher.data.length = draw(bytes + 1 - sym->cipher.data.offset);
	sym->auth.data.offset = draw(bytes + 1);
	sym->auth.data.length = draw(bytes + 1 - sym->auth.data.offset);
	if (sess->kind != ACCEL_HW_KIND_CIPHER)
		sym->auth.digest.phys_addr = draw(20) == 0 ? 0 : draw_iova();
	return op;
}

/* Writes operations up to the first that is not for the fast path of segments. */
static uint32_t
put_mbufs(struct rte_crypto_op **burst, uint32_t n, uint32_t prod)
{
	const struct accel_sorted first = accel_sort(&fake.qp, burst[0]);

	return accel_sorted_way(first) != ACCEL_WAY_SEGMENTS ? 0 :
	       accel_enqueue_mbufs(&fake.qp, burst, n, prod, accel_sorted_session(first));
}

/* Operations that do not fit are left to the slow path, and nothing of them is counted. */
static void
test_same_as_slow_path(void **state)
{
	unsigned int round, taken = 0, offered = 0;

	for (round = 0; round < ROUNDS; round++) {
		struct rte_crypto_op *burst[BURST];
		const uint32_t nb = 1 + draw(BURST), prod = draw(UINT32_MAX);
		uint32_t tx, rx, i, done;

		setup(state);
		draw_ring(&fake.qp.tx);
		draw_ring(&fake.qp.rx);
		tx = fake.qp.tx.prod;
		rx = fake.qp.rx.prod;
		/* This is what the dequeuing thread publishes. */
		fake.qp.tx_cons = fake.qp.tx.limit - fake.qp.tx.mask;
		fake.qp.rx_cons = fake.qp.rx.limit - fake.qp.rx.mask;
		fake.qp.commands_located = draw_bool();
		fake.qp.aad_in_command = draw_bool() ? ACCEL_HW_IV_MAX : 0;
		fake.qp.max_fragments = 1 + draw(2 * SEGMENTS);
		fake.qp.max_frame_bytes = draw(4) == 0 ? draw(1500) : 65536;
		draw_session();
		session_2 = session_memory;
		draw_session();
		for (i = 0; i < nb; i++)
			burst[i] = draw_op(i);
		copy_fake(&slow, &fake);

		done = put_mbufs(burst, nb, prod);
		assert_true(done <= nb);
		for (i = 0; i < done; i++)
			assert_true(accel_enqueue_slow(&slow.qp, burst[i],
						       accel_sort(&slow.qp, burst[i]), prod + i));
		assert_same_ring(&fake.qp.tx, &slow.qp.tx, tx);
		assert_same_ring(&fake.qp.rx, &slow.qp.rx, rx);
		for (i = 0; i < done; i++) {
			const uint32_t slot = (prod + i) & fake.qp.desc_mask;

			assert_int_equal(fake.inflight[slot].op, (uintptr_t)burst[i]);
			assert_memory_equal(&fake.inflight[slot], &slow.inflight[slot],
					    sizeof(fake.inflight[slot]));
			assert_memory_equal(&fake.commands[slot], &slow.commands[slot],
					    sizeof(fake.commands[slot]));
		}
		assert_int_equal(slow.qp.enqueue_count.enqueue_errors, 0);
		taken += done;
		offered += nb;
	}
	print_message("%u of %u operations took the fast path\n", taken, offered);
	assert_true(taken > offered / 20); /* It is about 9 %, because the rings are short. */
}

/* With any number of free slots, an operation is either written within them or left out. */
static void
test_room(void **state)
{
	const uint32_t first = 5;
	uint32_t room, i;

	for (room = 0; room < 2 * SEGMENTS + 4; room++) {
		struct rte_crypto_op *op;
		struct fake_op f;

		setup(state);
		session_reset(ACCEL_HW_KIND_CIPHER);
		fake.qp.tx.prod = first;
		fake.qp.tx_cons = first + room - fake.qp.tx.mask;
		fake.qp.tx.region = CMD_IOVA + 2 * GIB;
		fake.qp.rx.region = CMD_IOVA;
		op = op_at(&f, CMD_IOVA + 0x1000, 10);
		chain(&f, 1, CMD_IOVA + GIB, 10);
		chain(&f, 2, CMD_IOVA + 0x2000, 10);
		f.sym.cipher.data.length = 30;
		/* They hold a command, three pieces, and a type 0 before each but the second. */
		if (put_mbufs(&op, 1, 0) == 1) {
			assert_int_equal(fake.qp.tx.prod, first + 7);
			assert_true(room >= 7);
		} else {
			assert_int_equal(fake.qp.tx.prod, first);
			/* Two slots are reserved for each descriptor, and for AAD and digest. */
			assert_true(room < 12);
		}
		for (i = first + room; i != first + RING_SIZE; i++)
			assert_true(*accel_ring_slot(&fake.qp.tx, i) == 0);
	}
}

/* The operation is out of place, with an empty segment on both sides and a segment across a border
 * of 1 GiB. */
static void
test_enqueue_sgl_oop(void **state)
{
	struct rte_crypto_op *op;
	struct fake_op f, d;

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	op = op_at(&f, CMD_IOVA + 0x1000, 10);
	chain(&f, 1, CMD_IOVA + 0x2000, 0);
	chain(&f, 2, 5 * GIB - 4, 16);
	op_at(&d, 7 * GIB - 16, 40);
	f.sym.m_dst = &d.mbuf[0];
	f.sym.cipher.data.offset = 3;
	f.sym.cipher.data.length = 20;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, UINT64_C(4), T2_CMD_NEXT | LEN(64), T2_NEXT | LEN(7) | 0x1003,
		     T2_NEXT | LEN(4) | 0x3ffffffc, UINT64_C(5), T2 | LEN(9));
	assert_words(&fake.qp.rx, 0, UINT64_C(6), T2_NEXT | LEN(13) | 0x3ffffff3, UINT64_C(7),
		     T2 | LEN(7));
	assert_int_equal(fake.doorbell, UINT64_C(4) << 32 | 6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_slow_path),
		cmocka_unit_test(test_room),
		cmocka_unit_test_setup(test_enqueue_sgl_oop, setup),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
