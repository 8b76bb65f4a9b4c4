/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The raw API: the fast path makes what the slow path makes. Random vectors, sessions and rings are
 * used twice: with the session, and with a copy of it whose kind has no fast path.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accel_datapath.h"
#include "accel_enqueue.h"
#include "accel_queue.h"
#include "accel_raw_ctx.h"
#include "accel_raw_op.h"
#include "accel_ring.h"
#include "accel_session.h"
#include "driver_qp/random_qp.h"

#define ROUNDS 200000u
#define VECTORS 5u
#define BURST 6u

/* A queue pair with a raw context. */
struct side {
	struct fake *fake;
	struct accel_raw_slot slots[NB_DESC];
	struct accel_raw_ctx ctx;
	struct rte_crypto_sym_vec vec;
	int32_t op_status[BURST];
	uint32_t taken;
	int status;
	int done;
};

static struct fake slow_fake, count_fake;
static struct side fast = { .fake = &fake }, slow = { .fake = &slow_fake };
static struct side count = { .fake = &count_fake };
static struct accel_session slow_session;

static struct rte_crypto_vec vectors[2][BURST][VECTORS];
static struct rte_crypto_sgl sgl[2][BURST];
static struct rte_crypto_va_iova_ptr iv[BURST], digest[BURST], other[BURST];
static uint8_t iv_bytes[BURST][32], other_bytes[BURST][64]; /* AAD of CCM begins at byte 18 */
static void *user_data[BURST];

static void
draw_vectors(struct rte_crypto_sgl *to, struct rte_crypto_vec *vec)
{
	uint32_t i;

	to->vec = vec;
	to->num = draw(3) != 0 ? 1 : draw(VECTORS + 1);
	for (i = 0; i < to->num; i++) {
		vec[i].iova = draw_iova();
		vec[i].len = draw(10) == 0 ? draw(2) : draw(500);
		if (draw(100) == 0)
			vec[i].len = draw(2) == 0 ? 65500 + draw(200) : UINT32_MAX - draw(2);
		vec[i].tot_len = vec[i].len;
	}
}

static void
draw_pointer(struct rte_crypto_va_iova_ptr *to, uint8_t *bytes)
{
	unsigned int i;

	for (i = 0; i < 32; i++)
		bytes[i] = (uint8_t)draw(256);
	to->va = draw(200) == 0 ? NULL : bytes;
	to->iova = draw(200) == 0 ? 0 : draw_iova();
}

/* Draws a burst, which is then used on all sides. */
static void
draw_burst(struct rte_crypto_sym_vec *vec)
{
	uint32_t i;

	*vec = (struct rte_crypto_sym_vec){
		.num = draw(BURST + 1),
		.src_sgl = sgl[0],
		.dest_sgl = draw(3) != 0 ? NULL : draw(4) == 0 ? sgl[0] : sgl[1],
		.iv = draw(200) == 0 ? NULL : iv,
		.digest = draw(200) == 0 ? NULL : digest,
		.aad = draw(200) == 0 ? NULL : other,
	};
	for (i = 0; i < BURST; i++) {
		draw_vectors(&sgl[0][i], vectors[0][i]);
		draw_vectors(&sgl[1][i], vectors[1][i]);
		draw_pointer(&iv[i], iv_bytes[i]);
		draw_pointer(&digest[i], iv_bytes[i]);
		draw_pointer(&other[i], other_bytes[i]);
		user_data[i] = &user_data[draw(BURST)];
	}
}

static union rte_crypto_sym_ofs
draw_ofs(void)
{
	union rte_crypto_sym_ofs ofs = { .raw = 0 };

	if (draw(3) == 0)
		ofs.ofs.cipher.head = (uint16_t)draw(100);
	if (draw(3) == 0)
		ofs.ofs.cipher.tail = (uint16_t)draw(100);
	if (draw(3) == 0)
		ofs.ofs.auth.head = (uint16_t)draw(100);
	if (draw(3) == 0)
		ofs.ofs.auth.tail = (uint16_t)draw(100);
	if (draw(50) == 0)
		ofs.ofs.cipher.head = ofs.ofs.auth.tail = UINT16_MAX;
	return ofs;
}

/* Draws the session for the first side's context, and its copy for the slow path. */
static void
draw_raw_session(void)
{
	struct accel_session *sess = (struct accel_session *)session_memory.s.driver_priv_data;
	unsigned int i;

	draw_session();
	for (i = 0; i < sizeof(sess->command.iv); i++)
		sess->command.iv[i] = sess->iv_len != 12 ? 0 : (uint8_t)draw(256);
	if (sess->kind != ACCEL_HW_KIND_CIPHER && sess->kind != ACCEL_HW_KIND_AEAD &&
	    draw(4) == 0) {
		sess->auth_iv_len = draw_bool() ? 16 : 12;
		sess->auth_iv_at = offsetof(struct accel_hw_command, auth_iv);
	}
	slow_session = *sess;
	slow_session.owner = accel_session_owner(0);
	fast.ctx.sess = count.ctx.sess = sess;
	slow.ctx.sess = &slow_session;
}

static void
draw_sides(void **state)
{
	static const enum accel_qp_mode modes[] = { ACCEL_QP_STOPPED, ACCEL_QP_FAILED,
						    ACCEL_QP_BACKLOG };
	struct accel_qp *qp = &fake.qp;

	setup(state);
	fast.ctx = slow.ctx = count.ctx = (struct accel_raw_ctx){ .sess = NULL };
	qp->commands_located = draw_bool();
	qp->aad_in_command = draw_bool() ? ACCEL_HW_IV_MAX : 0;
	draw_ring(&qp->tx);
	draw_ring(&qp->rx);
	qp->tx_cons = qp->tx.limit - qp->tx.mask;
	qp->rx_cons = qp->rx.limit - qp->rx.mask;
	/* The limit that the queue pair knows may be old. */
	qp->tx.limit -= draw(accel_ring_room(&qp->tx) + 1);
	qp->rx.limit -= draw(accel_ring_room(&qp->rx) + 1);
	qp->max_fragments = draw(4) == 0 ? 1 + draw(2 * VECTORS) : 256;
	qp->max_frame_bytes = draw(8) == 0 ? draw(1500) : 1 << 20;
	qp->prod = draw(UINT32_MAX);
	qp->cons = qp->prod - (draw(4) == 0 ? draw(NB_DESC + 1) : 0);
	qp->cons_seen = qp->cons - draw(NB_DESC + 1 - (qp->prod - qp->cons));
	if (draw(40) == 0)
		qp->mode = modes[draw(RTE_DIM(modes))];
	fake.dev.active_flags = draw_bool() ? RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED : 0;
	draw_raw_session();
	copy_fake(slow.fake, &fake);
	copy_fake(count.fake, &fake);
	fake.qp.raw = fast.slots;
	slow.fake->qp.raw = slow.slots;
	count.fake->qp.raw = count.slots;
}

static void
enqueue(struct side *side, union rte_crypto_sym_ofs ofs, bool each)
{
	struct accel_qp *qp = &side->fake->qp;
	uint8_t *ctx = (uint8_t *)&side->ctx;

	side->status = 0;
	memset(side->op_status, 0x55, sizeof(side->op_status));
	if (!each) {
		side->vec.status = side->op_status;
		side->taken = accel_raw_enqueue_burst(qp, ctx, &side->vec, ofs, user_data,
						      &side->status);
		return;
	}
	for (side->taken = 0; side->taken < side->vec.num && side->status == 0;
	     side->taken += side->status == 0)
		side->status = accel_raw_enqueue(qp, ctx, sgl[0][side->taken].vec,
						 (uint16_t)sgl[0][side->taken].num, ofs,
						 &iv[side->taken], &digest[side->taken],
						 &other[side->taken], user_data[side->taken]);
}

/* Compares in-flight entries, which point to slots of their own side. */
static void
assert_same_inflight(uint32_t slot)
{
	const struct accel_inflight *a = &fake.inflight[slot];
	const struct accel_inflight *b = &slow.fake->inflight[slot];

	assert_true(a->op - (uintptr_t)fast.slots == b->op - (uintptr_t)slow.slots);
	assert_int_equal(a->tx_end, b->tx_end);
	assert_int_equal(a->rx_end, b->rx_end);
	assert_ptr_equal(fast.slots[slot].user_data, slow.slots[slot].user_data);
	assert_int_equal(fast.slots[slot].status, slow.slots[slot].status);
	assert_memory_equal(&fake.commands[slot], &slow.fake->commands[slot],
			    sizeof(fake.commands[slot]));
}

/* Compares all results from tx and rx on. */
static void
assert_same(uint32_t tx, uint32_t rx)
{
	const struct accel_raw_ctx *a = &fast.ctx, *b = &slow.ctx;
	uint32_t i;

	assert_int_equal(fast.taken, slow.taken);
	assert_int_equal(fast.status, slow.status);
	assert_memory_equal(fast.op_status, slow.op_status, sizeof(fast.op_status));
	assert_int_equal(a->first, b->first);
	assert_int_equal(a->prod, b->prod);
	assert_true(a->turn == b->turn);
	for (i = a->first; i != a->prod; i++)
		assert_same_inflight(i & fake.qp.desc_mask);
	if (a->prod == a->first)
		return;
	assert_same_ring(&a->tx, &b->tx, tx);
	assert_same_ring(&a->rx, &b->rx, rx);
}

/* Publishes and compares. Nothing may be published before. */
static void
assert_same_published(uint32_t prod, uint32_t tx, uint32_t rx)
{
	assert_int_equal(fake.qp.prod, prod);
	assert_int_equal(slow.fake->qp.prod, prod);
	assert_int_equal(fake.qp.tx.prod, tx);
	assert_int_equal(fake.qp.rx.prod, rx);
	fast.done = accel_raw_enqueue_done(&fake.qp, (uint8_t *)&fast.ctx,
					    fast.ctx.prod - fast.ctx.first);
	slow.done = accel_raw_enqueue_done(&slow.fake->qp, (uint8_t *)&slow.ctx,
					   slow.ctx.prod - slow.ctx.first);
	assert_int_equal(fast.done, slow.done);
	assert_int_equal(fake.qp.prod, slow.fake->qp.prod);
	assert_int_equal(fake.qp.enqueue_count.enqueued, slow.fake->qp.enqueue_count.enqueued);
	assert_int_equal(fake.qp.enqueue_count.enqueue_errors,
			 slow.fake->qp.enqueue_count.enqueue_errors);
	assert_same_ring(&fake.qp.tx, &slow.fake->qp.tx, tx);
	assert_same_ring(&fake.qp.rx, &slow.fake->qp.rx, rx);
	assert_true(fake.doorbell == slow.fake->doorbell);
	if (fake.qp.tx.prod == tx)
		return;
	/* Slots in use must not become free. */
	assert_int_equal(fake.qp.tx.limit, fake.qp.tx_cons + fake.qp.tx.mask);
	assert_int_equal(fake.qp.rx.limit, fake.qp.rx_cons + fake.qp.rx.mask);
}

/* Returns how many operations at the beginning of a burst take the fast path. */
static uint32_t
fast_ops(struct side *side, union rte_crypto_sym_ofs ofs)
{
	struct accel_raw_op first;

	accel_raw_op_of(&first, &side->vec, 0, ofs);
	return accel_enqueue_vectors(&side->fake->qp, &side->ctx, &first, side->vec.num, user_data);
}

/* Several bursts are published with one doorbell. */
static void
test_same_as_slow_path(void **state)
{
	unsigned int round, offered = 0, fast_path = 0;

	for (round = 0; round < ROUNDS; round++) {
		const uint32_t bursts = 1 + draw(3);
		uint32_t prod, tx, rx, i;

		draw_sides(state);
		prod = fake.qp.prod;
		tx = fake.qp.tx.prod;
		rx = fake.qp.rx.prod;
		for (i = 0; i < bursts; i++) {
			const union rte_crypto_sym_ofs ofs = draw_ofs();
			const bool each = draw(4) == 0;

			draw_burst(&fast.vec);
			slow.vec = count.vec = fast.vec;
			if (i == 0) {
				fast_path += fast_ops(&count, ofs);
				offered += fast.vec.num;
			}
			enqueue(&fast, ofs, each);
			enqueue(&slow, ofs, each);
			assert_same(tx, rx);
		}
		assert_same_published(prod, tx, rx);
	}
	print_message("%u of %u operations took the fast path\n", fast_path, offered);
	assert_true(fast_path > offered / 10); /* It is about 20 %. */
}

/* The fast path takes a whole burst of usual operations, of any kind. */
static void
test_fast_path(void **state)
{
	const union rte_crypto_sym_ofs ofs = { .raw = 0 };
	unsigned int k, i, nb;

	for (k = 0; k < RTE_DIM(kinds); k++) {
		for (nb = 1; nb <= 2; nb++) {
			struct accel_session *sess;

			setup(state);
			sess = session_reset(kinds[k]);
			fast.ctx = (struct accel_raw_ctx){ .sess = sess };
			fake.qp.raw = fast.slots;
			fake.qp.tx.region = accel_region_of(CMD_IOVA);
			fake.qp.rx.region = accel_region_of(CMD_IOVA);
			fake.qp.tx_cons = fake.qp.tx.limit - fake.qp.tx.mask;
			fake.qp.rx_cons = fake.qp.rx.limit - fake.qp.rx.mask;
			if (kinds[k] != ACCEL_HW_KIND_CIPHER) {
				sess->digest_len = 16;
				sess->generate = true;
			}
			for (i = 0; i < BURST; i++) {
				vectors[0][i][0] = vectors[0][i][1] = (struct rte_crypto_vec){
					.iova = CMD_IOVA + 4096, .len = 64,
				};
				sgl[0][i] = (struct rte_crypto_sgl){ vectors[0][i], nb };
				iv[i].va = iv_bytes[i];
				digest[i].iova = CMD_IOVA + 8192;
			}
			fast.vec = (struct rte_crypto_sym_vec){
				.num = BURST, .src_sgl = sgl[0], .iv = iv, .digest = digest,
			};
			assert_int_equal(fast_ops(&fast, ofs), BURST);
		}
	}
}

/* Operations of both APIs alternate. Each uses the next descriptors and slot, around all ends of
 * the rings. */
static void
test_mixed(void **state)
{
	const union rte_crypto_sym_ofs ofs = { .raw = 0 };
	const struct accel_session *sess;
	struct accel_qp *qp = &fake.qp;
	unsigned int i;

	setup(state);
	sess = session_reset(ACCEL_HW_KIND_CIPHER);
	fast.ctx = (struct accel_raw_ctx){ .sess = sess };
	qp->raw = fast.slots;
	for (i = 0; i < 10 * RING_SIZE; i++) {
		struct rte_crypto_vec vec = { .iova = CMD_IOVA + 0x2000, .len = 64 };
		struct fake_op f;
		struct rte_crypto_op *op = op_at(&f, CMD_IOVA + 0x1000, 32);
		uint32_t slot;

		if (draw_bool()) {
			iv[0].va = iv_bytes[0];
			assert_int_equal(accel_raw_enqueue(qp, (uint8_t *)&fast.ctx, &vec, 1, ofs,
							   &iv[0], &digest[0], &other[0], NULL),
					 0);
			assert_int_equal(accel_raw_enqueue_done(qp, (uint8_t *)&fast.ctx, 1), 0);
		}
		assert_int_equal(accel_enqueue_burst(qp, &op, 1), 1);
		slot = (qp->prod - 1) & qp->desc_mask;
		assert_true(*accel_ring_slot(&qp->tx, qp->tx.prod - 2) ==
			    qp->command_desc + slot * sizeof(struct accel_hw_command));
		assert_true(*accel_ring_slot(&qp->tx, qp->tx.prod - 1) ==
			    accel_desc2(CMD_IOVA + 0x1000, 32, 0));
		assert_true(*accel_ring_slot(&qp->rx, qp->rx.prod - 1) ==
			    accel_desc2(CMD_IOVA + 0x1000, 32, 0));
		assert_int_equal(fake.commands[slot].tag, qp->prod - 1);
		assert_ptr_equal((void *)qp->inflight[slot].op, op);
		qp->cons = qp->prod;
		qp->tx_cons = qp->tx.prod;
		qp->rx_cons = qp->rx.prod;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_slow_path),
		cmocka_unit_test(test_fast_path),
		cmocka_unit_test(test_mixed),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
