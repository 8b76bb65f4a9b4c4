/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The fast path of enqueue. The first tests compare with descriptors, commands and in-flight
 * entries that are written out by hand. The others send bursts of all sorts around the rings and
 * compare with what the slow path makes of each operation. ACCEL_TEST_SEED repeats a run. The tests
 * need neither a device nor EAL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "accel_command.h"
#include "accel_datapath.h"
#include "accel_enqueue.h"
#include "accel_queue.h"
#include "accel_queue_setup.h"
#include "accel_ring.h"
#include "accel_session.h"
#include "accel_shape.h"
#include "accel_sort.h"
#include "driver_qp/random_qp.h"
#include "driver_qp/words.h"

/* The test compares descriptors, command, doorbell and in-flight entry of an operation in place on
 * one segment. */
static void
test_enqueue_one_segment(void **state)
{
	struct rte_crypto_op *op;
	struct accel_hw_command *cmd = &fake.commands[0];
	struct fake_op f;

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	op = op_at(&f, 5 * GIB + 0x200, 128);
	f.sym.cipher.data.offset = 16;
	f.sym.cipher.data.length = 64;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, UINT64_C(4), T2_CMD_NEXT | LEN(64), UINT64_C(5),
		     T2 | LEN(64) | 0x210);
	assert_words(&fake.qp.rx, 0, UINT64_C(5), T2 | LEN(64) | 0x210);
	assert_int_equal(fake.doorbell, UINT64_C(2) << 32 | 4);
	assert_int_equal(cmd->tag, 0);
	assert_int_equal(cmd->opcode, ACCEL_HW_OP_SYM);
	assert_int_equal(cmd->flags, 0);
	assert_int_equal(cmd->context, 0x77777740);
	assert_int_equal(cmd->generation, 9);
	assert_int_equal(cmd->cipher_len, 64);
	assert_int_equal(cmd->auth_len, 0);
	assert_int_equal(cmd->skip, 0);
	assert_memory_equal(cmd->iv, f.iv, 16);
	assert_ptr_equal((void *)fake.inflight[0].op, op);
	assert_int_equal(fake.inflight[0].tx_end, 4);
	assert_int_equal(fake.inflight[0].rx_end, 2);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
}

/* A second operation in the same region of 1 GiB needs no type 0. */
static void
test_enqueue_no_repeat_of_type0(void **state)
{
	struct rte_crypto_op *ops[2];
	struct fake_op f[2];

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	ops[0] = op_at(&f[0], CMD_IOVA + 0x10000, 32);
	ops[1] = op_at(&f[1], CMD_IOVA + 0x20000, 48);
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 2), 2);
	assert_words(&fake.qp.tx, 0, UINT64_C(4), T2_CMD_NEXT | LEN(64), T2 | LEN(32) | 0x10000,
		     T2_CMD_NEXT | LEN(64) | 0x40, T2 | LEN(48) | 0x20000);
	assert_words(&fake.qp.rx, 0, UINT64_C(4), T2 | LEN(32) | 0x10000, T2 | LEN(48) | 0x20000);
	assert_int_equal(fake.doorbell, UINT64_C(3) << 32 | 5);
	assert_int_equal(fake.commands[1].tag, 1);
}

/* A burst that does not fit does not overwrite commands that are in-flight. */
static void
test_enqueue_full(void **state)
{
	struct rte_crypto_op *ops[NB_DESC];
	struct fake_op f[NB_DESC];
	unsigned int i;

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	for (i = 0; i < NB_DESC; i++)
		ops[i] = op_at(&f[i], CMD_IOVA + 0x1000 * i, 32);
	fake.qp.prod = fake.qp.cons = fake.qp.cons_seen = 3; /* The ring wraps within the burst. */
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, NB_DESC - 2), NB_DESC - 2);
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, NB_DESC), 2);
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, NB_DESC), 0);
	for (i = 3; i < 3 + NB_DESC; i++)
		assert_int_equal(fake.commands[i % NB_DESC].tag, i);
}

/* One burst has data at the edges of the commands' region: up to its last byte, across its end,
 * behind it, before it, and inside again. */
static void
test_enqueue_near_and_far(void **state)
{
	static const uint64_t at[] = { CMD_IOVA + 0x100, 5 * GIB - 32, 5 * GIB - 16, 5 * GIB,
				       4 * GIB - 32, 4 * GIB };
	struct rte_crypto_op *ops[RTE_DIM(at)];
	struct fake_op f[RTE_DIM(at)];
	unsigned int i;

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	for (i = 0; i < RTE_DIM(at); i++)
		ops[i] = op_at(&f[i], at[i], 32);
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, RTE_DIM(at)), RTE_DIM(at));
	assert_words(&fake.qp.tx, 0, UINT64_C(4), T2_CMD_NEXT | LEN(64), T2 | LEN(32) | 0x100,
		     T2_CMD_NEXT | LEN(64) | 0x40, T2 | LEN(32) | 0x3fffffe0,
		     T2_CMD_NEXT | LEN(64) | 0x80, T2_NEXT | LEN(16) | 0x3ffffff0, UINT64_C(5),
		     T2 | LEN(16),
		     UINT64_C(4), T2_CMD_NEXT | LEN(64) | 0xc0, UINT64_C(5), T2 | LEN(32),
		     UINT64_C(4), T2_CMD_NEXT | LEN(64) | 0x100, UINT64_C(3),
		     T2 | LEN(32) | 0x3fffffe0,
		     UINT64_C(4), T2_CMD_NEXT | LEN(64) | 0x140, T2 | LEN(32));
	assert_words(&fake.qp.rx, 0, UINT64_C(4), T2 | LEN(32) | 0x100, T2 | LEN(32) | 0x3fffffe0,
		     T2_NEXT | LEN(16) | 0x3ffffff0, UINT64_C(5), T2 | LEN(16), T2 | LEN(32),
		     UINT64_C(3), T2 | LEN(32) | 0x3fffffe0, UINT64_C(4), T2 | LEN(32));
	assert_int_equal(fake.inflight[1].tx_end, 5);
	assert_int_equal(fake.inflight[5].tx_end, 20);
	assert_int_equal(fake.inflight[5].rx_end, 11);
}

/* COMMAND_UPPER holds the commands' region, so only a change of the data's region needs a type 0. A
 * refused operation has a command and no data. */
static void
test_enqueue_located(void **state)
{
	static const uint64_t at[] = { 6 * GIB, 6 * GIB + 0x100, CMD_IOVA + 0x200, 5 * GIB - 16 };
	struct rte_crypto_op *ops[RTE_DIM(at) + 1];
	struct fake_op f[RTE_DIM(at) + 1];
	unsigned int i;

	(void)state;
	fake.qp.commands_located = true;
	session_reset(ACCEL_HW_KIND_CIPHER);
	for (i = 0; i < RTE_DIM(at); i++)
		ops[i] = op_at(&f[i], at[i], 32);
	ops[i] = op_at(&f[i], 0, 8);
	f[i].sym.cipher.data.length = 9;
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, RTE_DIM(ops)), RTE_DIM(ops));
	assert_words(&fake.qp.tx, 0, T2_CMD_NEXT | LEN(64), UINT64_C(6), T2 | LEN(32),
		     T2_CMD_NEXT | LEN(64) | 0x40, T2 | LEN(32) | 0x100,
		     T2_CMD_NEXT | LEN(64) | 0x80, UINT64_C(4), T2 | LEN(32) | 0x200,
		     T2_CMD_NEXT | LEN(64) | 0xc0, T2_NEXT | LEN(16) | 0x3ffffff0, UINT64_C(5),
		     T2 | LEN(16), T2_CMD | LEN(64) | 0x100);
	assert_words(&fake.qp.rx, 0, UINT64_C(6), T2 | LEN(32), T2 | LEN(32) | 0x100, UINT64_C(4),
		     T2 | LEN(32) | 0x200, T2_NEXT | LEN(16) | 0x3ffffff0, UINT64_C(5),
		     T2 | LEN(16));
	assert_int_equal(fake.qp.tx.prod, 13);
	assert_int_equal(fake.qp.rx.prod, 8);
	/* In the next burst both rings are already in the fifth GiB. */
	ops[0] = op_at(&f[0], 5 * GIB + 0x40, 32);
	ops[1] = op_at(&f[1], 5 * GIB + 0x80, 32);
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 2), 2);
	assert_words(&fake.qp.tx, 13, T2_CMD_NEXT | LEN(64) | 0x140, T2 | LEN(32) | 0x40,
		     T2_CMD_NEXT | LEN(64) | 0x180, T2 | LEN(32) | 0x80);
	assert_words(&fake.qp.rx, 8, T2 | LEN(32) | 0x40, T2 | LEN(32) | 0x80);
	ops[0] = op_at(&f[0], 5 * GIB + 0x100, 16);
	chain(&f[0], 1, 5 * GIB + 0x200, 16);
	f[0].sym.cipher.data.length = 32;
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 1), 1);
	assert_words(&fake.qp.tx, 17, T2_CMD_NEXT | LEN(64) | 0x1c0, T2_NEXT | LEN(16) | 0x100,
		     T2 | LEN(16) | 0x200);
	assert_int_equal(fake.qp.tx.prod, 20);
}

/* Before the first type 0 no region is known. The highest one must not be taken for known. */
static void
test_enqueue_located_no_upper(void **state)
{
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	fake.qp.commands_located = true;
	session_reset(ACCEL_HW_KIND_CIPHER);
	op = op_at(&f, -GIB + 0x100, 32);
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, T2_CMD_NEXT | LEN(64), UINT64_C(0x3ffffffff),
		     T2 | LEN(32) | 0x100);
	assert_words(&fake.qp.rx, 0, UINT64_C(0x3ffffffff), T2 | LEN(32) | 0x100);

	setup(NULL);
	fake.qp.commands_located = true;
	fake.qp.rx.region = 0x3ffffffffull * GIB;
	op = op_at(&f, -GIB + 0x100, 16);
	chain(&f, 1, -GIB + 0x200, 16);
	f.sym.cipher.data.length = 32;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, T2_CMD_NEXT | LEN(64), UINT64_C(0x3ffffffff),
		     T2_NEXT | LEN(16) | 0x100, T2 | LEN(16) | 0x200);
}

/* The auth region begins before the cipher region (AUTH_FIRST), and the digest is elsewhere. */
static void
test_enqueue_chain(void **state)
{
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	sess->digest_len = 20;
	sess->generate = 1;
	op = op_at(&f, CMD_IOVA + 0x1000, 200);
	f.sym.cipher.data.offset = 40;
	f.sym.cipher.data.length = 96;
	f.sym.auth.data.offset = 24;
	f.sym.auth.data.length = 112;
	f.sym.auth.digest.phys_addr = 2 * GIB + 8;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, UINT64_C(4), T2_CMD_NEXT | LEN(64), T2 | LEN(112) | 0x1018);
	assert_words(&fake.qp.rx, 0, UINT64_C(4), T2_NEXT | LEN(96) | 0x1028, UINT64_C(2),
		     T2 | LEN(20) | 8);
	assert_int_equal(fake.commands[0].flags, ACCEL_HW_CMD_AUTH_FIRST);
	assert_int_equal(fake.commands[0].skip, 16);
	assert_int_equal(fake.commands[0].cipher_len, 96);
	assert_int_equal(fake.commands[0].auth_len, 112);
}

/* TX holds AAD, source and tag of an AEAD decryption, RX holds the plaintext. */
static void
test_enqueue_aead_verify(void **state)
{
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_AEAD);
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	sess->digest_len = 16;
	sess->verify = 1;
	sess->aad_len = 12;
	sess->aad_offset = 18;
	sess->iv_len = 12;
	op = op_at(&f, CMD_IOVA + 0x1000, 64);
	f.sym.aead.data.offset = 0;
	f.sym.aead.data.length = 64;
	f.sym.aead.aad.phys_addr = CMD_IOVA + 0x5000;
	f.sym.aead.digest.phys_addr = CMD_IOVA + 0x6000;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, UINT64_C(4), T2_CMD_NEXT | LEN(64), T2_NEXT | LEN(12) | 0x5012,
		     T2_NEXT | LEN(64) | 0x1000, T2 | LEN(16) | 0x6000);
	assert_words(&fake.qp.rx, 0, UINT64_C(4), T2 | LEN(64) | 0x1000);
	assert_memory_equal(fake.commands[0].iv, f.iv, 12);
	assert_int_equal(fake.commands[0].iv[12], 0);
}

/*
 * The first operation of a run claims the commands of the next ones. The burst ends after it, at an
 * operation for a companion that is full, so the tags of the other commands are those of the claim.
 */
static void
test_enqueue_claims(void **state)
{
	static struct accel_qp full;
	struct rte_crypto_op *ops[NB_DESC];
	struct fake_op f[NB_DESC];
	unsigned int i;

	(void)state;
	full.mode = ACCEL_QP_RUNNING;
	full.dev = fake.qp.dev;
	fake.qp.companion = &full;
	fake.qp.dev->active_flags |= RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO;
	session_reset(ACCEL_HW_KIND_CIPHER);
	for (i = 0; i < NB_DESC; i++) {
		ops[i] = op_at(&f[i], CMD_IOVA + 0x1000 * (i + 1), 32);
		fake.commands[i].tag = UINT32_MAX;
	}
	ops[1]->type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, NB_DESC), 1);
	/* A burst needs room for ACCEL_TX_PER_OP descriptors of each operation. */
	for (i = 0; i < (RING_SIZE - 1) / ACCEL_TX_PER_OP; i++)
		assert_int_equal(fake.commands[i].tag, 0);
}

/* One burst has sessions of two kinds, no session, one of another driver and a cleared one. */
static void
test_enqueue_mixed_sessions(void **state)
{
	static typeof(session_memory) auth_memory __rte_cache_aligned;
	static typeof(session_memory) foreign __rte_cache_aligned;
	static typeof(session_memory) cleared __rte_cache_aligned;
	struct accel_session *auth = session_reset(ACCEL_HW_KIND_AUTH);
	struct rte_crypto_op *ops[7];
	struct fake_op f[7];
	unsigned int i;

	(void)state;
	auth->digest_len = 20;
	auth->generate = 1;
	auth->command.generation = 33;
	auth_memory = session_memory;
	session_reset(ACCEL_HW_KIND_CIPHER);
	cleared.s = session_memory.s; /* Clear leaves the library's part. */
	memset(&foreign, 0xa5, sizeof(foreign));
	for (i = 0; i < RTE_DIM(f); i++)
		ops[i] = op_at(&f[i], CMD_IOVA + 0x1000 * (i + 1), 32);
	f[1].sym.session = f[5].sym.session = &auth_memory.s;
	f[1].sym.auth.data.length = f[5].sym.auth.data.length = 16;
	f[1].sym.auth.digest.phys_addr = f[5].sym.auth.digest.phys_addr = CMD_IOVA + 0x10000;
	f[3].sym.session = NULL;
	f[4].sym.session = &foreign.s;
	f[6].sym.session = &cleared.s;
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, RTE_DIM(ops)), RTE_DIM(ops));
	assert_int_equal(fake.commands[0].generation, 9);
	assert_int_equal(fake.commands[0].cipher_len, 32);
	assert_int_equal(fake.commands[1].generation, 33);
	assert_int_equal(fake.commands[1].auth_len, 16);
	assert_int_equal(fake.commands[1].cipher_len, 0);
	assert_int_equal(fake.commands[2].generation, 9);
	assert_refused(3, ops[3], RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	assert_refused(4, ops[4], RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	assert_int_equal(fake.commands[5].generation, 33);
	assert_refused(6, ops[6], RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	assert_int_equal(fake.qp.tx.prod, 1 + 2 * 4 + 3);
}

/* The burst is longer than what is prefetched. Some of its operations have no session or a wrong
 * one, have segments, or lie in another GiB. */
static void
test_enqueue_many_sessions(void **state)
{
	enum { NB = 43, SESSIONS = 5 };
	static typeof(session_memory) sessions[SESSIONS] __rte_cache_aligned;
	static typeof(session_memory) foreign __rte_cache_aligned;
	static struct accel_hw_command commands[64];
	static struct accel_inflight inflight[64];
	static uint8_t refusals[64];
	static uint64_t tx[512], rx[256];
	struct rte_crypto_sym_xform xform = { 0 };
	struct accel_qp *qp = &fake.qp;
	struct rte_crypto_op *ops[NB];
	struct fake_op f[NB];
	unsigned int i;

	(void)state;
	qp->nb_desc = RTE_DIM(commands);
	qp->desc_mask = RTE_DIM(commands) - 1;
	qp->inflight = inflight;
	qp->refusals = refusals;
	accel_qp_set_commands(qp, commands, CMD_IOVA);
	accel_ring_init(&qp->tx, tx, RTE_DIM(tx));
	accel_ring_init(&qp->rx, rx, RTE_DIM(rx));
	for (i = 0; i < SESSIONS; i++) {
		session_reset(ACCEL_HW_KIND_CIPHER)->command.generation = 100 + i;
		sessions[i] = session_memory;
	}
	session_reset(ACCEL_HW_KIND_CIPHER)->owner ^= UINT64_C(1) << 63;
	foreign = session_memory;
	for (i = 0; i < NB; i++) {
		ops[i] = op_at(&f[i], CMD_IOVA + 0x10000 + 0x100 * i, 16 + i);
		f[i].sym.session = &sessions[i * 3 % SESSIONS].s;
	}
	chain(&f[5], 1, CMD_IOVA + 0x20000, 1);
	f[5].mbuf[0].data_len--;
	f[10].sym.session = &foreign.s;
	f[15].mbuf[0].buf_iova += GIB;
	f[20].sym.session = NULL;
	f[33].sym.xform = &xform;
	f[33].op.sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	f[NB - 1].op.type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
	assert_int_equal(accel_enqueue_burst(qp, ops, NB), NB);
	for (i = 0; i < NB; i++) {
		if (i == 10 || i == 20 || i == 33 || i == NB - 1) {
			assert_int_equal(commands[i].opcode, ACCEL_HW_OP_NOP);
			assert_int_equal(inflight[i].op, (uintptr_t)ops[i] + ACCEL_OP_REFUSED);
			continue;
		}
		assert_int_equal(commands[i].tag, i);
		assert_int_equal(commands[i].opcode, ACCEL_HW_OP_SYM);
		assert_int_equal(commands[i].generation, 100 + i * 3 % SESSIONS);
		assert_int_equal(commands[i].context, 0x77777740);
		assert_int_equal(commands[i].cipher_len, 16 + i);
		assert_int_equal(inflight[i].op, (uintptr_t)ops[i]);
	}
	/* Counted are the first type 0, commands, data of all but four, one more segment, and two
	 * changes of the GiB. */
	assert_int_equal(qp->tx.prod, 1 + NB + (NB - 4) + 1 + 2);
	assert_int_equal(qp->rx.prod, 1 + (NB - 4) + 1 + 2);
	assert_int_equal(inflight[NB - 1].tx_end, qp->tx.prod);
	assert_int_equal(inflight[NB - 1].rx_end, qp->rx.prod);
}

/* Bursts begin at each place of the rings. The descriptors are always the same, and nothing is
 * written behind the rings. */
static void
test_ring_ends(void **state)
{
	enum { OPS = 32, TX = 512, RX = 256, GUARD = 64 };
	static uint64_t tx[TX + GUARD], rx[RX + GUARD], tx_seen[4 * OPS], rx_seen[4 * OPS];
	static struct accel_hw_command commands[OPS];
	static struct accel_inflight inflight[OPS];
	static struct fake_op f[OPS];
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_AEAD);
	struct accel_qp *qp = &fake.qp;
	struct rte_crypto_op *ops[OPS];
	uint32_t start, i, nb_tx = 0, nb_rx = 0;

	(void)state;
	sess->digest_len = 16;
	sess->generate = 1;
	sess->aad_len = 8;
	for (i = 0; i < OPS; i++) {
		ops[i] = op_at(&f[i], CMD_IOVA + 0x10000 + 0x1000 * i, 64);
		f[i].sym.aead.data.offset = 0;
		f[i].sym.aead.data.length = 64;
		f[i].sym.aead.aad.phys_addr = CMD_IOVA + 0x80000 + 0x100 * i;
		f[i].sym.aead.digest.phys_addr = CMD_IOVA + 0x90000 + 0x100 * i;
	}
	qp->nb_desc = OPS;
	qp->desc_mask = OPS - 1;
	qp->inflight = inflight;
	accel_qp_set_commands(qp, commands, CMD_IOVA);
	for (start = 0; start != 2 * TX; start++) {
		memset(tx, 0xee, sizeof(tx));
		memset(rx, 0xee, sizeof(rx));
		accel_ring_init(&qp->tx, tx, TX);
		accel_ring_init(&qp->rx, rx, RX);
		qp->tx.prod = start - TX; /* The counters wrap, too. */
		qp->rx.prod = start / 2 - TX;
		qp->tx_cons = qp->tx.prod;
		qp->rx_cons = qp->rx.prod;
		accel_ring_freed(&qp->tx, qp->tx_cons);
		accel_ring_freed(&qp->rx, qp->rx_cons);
		qp->tx.region = qp->rx.region = qp->command_region;
		qp->prod = qp->cons = qp->cons_seen = 0;
		assert_int_equal(accel_enqueue_burst(qp, ops, OPS), OPS);
		if (start == 0) {
			nb_tx = qp->tx.prod + TX;
			nb_rx = qp->rx.prod + TX;
			assert_int_equal(nb_tx, 3 * OPS);
			assert_int_equal(nb_rx, 2 * OPS);
			memcpy(tx_seen, tx, nb_tx * sizeof(*tx));
			memcpy(rx_seen, rx, nb_rx * sizeof(*rx));
		}
		for (i = 0; i < nb_tx; i++)
			assert_int_equal(tx[(start + i) % TX], tx_seen[i]);
		for (i = 0; i < nb_rx; i++)
			assert_int_equal(rx[(start / 2 + i) % RX], rx_seen[i]);
		for (i = 0; i < GUARD; i++) {
			assert_int_equal(tx[TX + i], UINT64_C(0xeeeeeeeeeeeeeeee));
			assert_int_equal(rx[RX + i], UINT64_C(0xeeeeeeeeeeeeeeee));
		}
		for (i = 0; i < OPS; i++) {
			assert_int_equal(inflight[i].tx_end, start - TX + 3 * (i + 1));
			assert_int_equal(inflight[i].rx_end, start / 2 - TX + 2 * (i + 1));
		}
	}
}

/* A full queue pair, then a full ring, take operations again as soon as there is room. */
static void
test_full(void **state)
{
	struct rte_crypto_op *ops[NB_DESC + 1];
	struct fake_op f[NB_DESC + 1];
	uint64_t doorbell;

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	for (unsigned int i = 0; i <= NB_DESC; i++)
		ops[i] = op_at(&f[i], CMD_IOVA + 0x1000 * i, 16);
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, NB_DESC + 1), NB_DESC);
	doorbell = fake.doorbell;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &ops[NB_DESC], 1), 0);
	assert_int_equal(fake.doorbell, doorbell);
	fake.qp.cons = 1;
	fake.qp.tx_cons = fake.inflight[0].tx_end;
	fake.qp.rx_cons = fake.inflight[0].rx_end;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &ops[NB_DESC], 1), 1);

	/* An operation that does not fit into the ring is not accepted and leaves nothing
	 * behind. */
	setup(NULL);
	fake.qp.tx.prod = RING_SIZE - 3;
	fake.qp.tx.region = 4 * GIB;
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 1), 0);
	assert_int_equal(fake.qp.tx.prod, RING_SIZE - 3);
	assert_true(fake.qp.tx.region == 4 * GIB);
	assert_int_equal(fake.qp.rx.prod, 0);
	assert_true(fake.qp.rx.region == ACCEL_REGION_NONE);
	assert_int_equal(fake.doorbell, 0);
	fake.qp.tx_cons = RING_SIZE - 3;
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 1), 1);
}

/*
 * Random bursts.
 */

#define ROUNDS 300000u
#define RESTART_EVERY 2000u /* rounds */

/* A copy of the queue pair from before the burst, for the slow path. */
static struct fake slow;

/* This session is mostly of another kind. */
static union fake_session session_2 __rte_cache_aligned;

static struct fake_op drawn[NB_DESC];

/* Draws an operation that mostly suits the fast path. */
static struct rte_crypto_op *
draw_op(unsigned int n)
{
	union fake_session *session = draw(30) == 0 ? &session_2 : &session_memory;
	const struct accel_session *sess = accel_session_of(&session->s);
	const uint32_t bytes = 1 + draw(300);
	struct rte_crypto_op *op = op_at(&drawn[n], draw_iova(), (uint16_t)bytes);
	struct rte_crypto_sym_op *sym = op->sym;

	if (draw(30) == 0)
		chain(&drawn[n], 1, draw_iova(), 1 + (uint16_t)draw(300));
	if (draw(30) == 0) {
		mbuf_at(&drawn[n].mbuf[2], draw_iova(), (uint16_t)bytes);
		sym->m_dst = draw(3) == 0 ? sym->m_src : &drawn[n].mbuf[2];
	}
	sym->session = draw(300) == 0 ? NULL : &session->s;
	if (sess->kind == ACCEL_HW_KIND_AEAD) {
		sym->aead.data.offset = draw(bytes);
		sym->aead.data.length = bytes - sym->aead.data.offset + (draw(50) == 0);
		sym->aead.digest.phys_addr = draw(100) == 0 ? 0 : draw_iova();
		sym->aead.aad.phys_addr = draw(100) == 0 ? 0 : draw_iova();
		sym->aead.aad.data = draw_aad();
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

/* Does what the dequeuing thread does: some operations are done and free their descriptors. */
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

/* Starts a queue pair anywhere in its rings. */
static void
restart(void **state)
{
	struct accel_qp *qp = &fake.qp;

	setup(state);
	qp->commands_located = draw_bool();
	qp->aad_in_command = draw_bool() ? ACCEL_HW_IV_MAX : 0;
	qp->tx.prod = draw(UINT32_MAX);
	qp->rx.prod = draw(UINT32_MAX);
	qp->tx_cons = qp->tx.prod;
	qp->rx_cons = qp->rx.prod;
	qp->prod = draw(UINT32_MAX);
	qp->cons = qp->cons_seen = qp->prod;
	accel_ring_freed(&qp->tx, qp->tx_cons);
	accel_ring_freed(&qp->rx, qp->rx_cons);
}

/* Enqueues a burst, and the same on the slow path alone. Returns how many were accepted. */
static uint32_t
enqueue_both(struct rte_crypto_op **burst, uint32_t n)
{
	const uint32_t prod = fake.qp.prod, tx = fake.qp.tx.prod, rx = fake.qp.rx.prod;
	uint32_t done, i;

	copy_fake(&slow, &fake);
	done = accel_enqueue_burst(&fake.qp, burst, (uint16_t)n);
	for (i = 0; i < done; i++)
		assert_true(accel_enqueue_slow(&slow.qp, burst[i], accel_sort(&slow.qp, burst[i]),
					       prod + i));
	assert_int_equal(fake.qp.prod, prod + done);
	assert_same_ring(&fake.qp.tx, &slow.qp.tx, tx);
	assert_same_ring(&fake.qp.rx, &slow.qp.rx, rx);
	for (i = 0; i < done; i++) {
		const uint32_t slot = (prod + i) & fake.qp.desc_mask;

		assert_memory_equal(&fake.inflight[slot], &slow.inflight[slot],
				    sizeof(fake.inflight[slot]));
		assert_memory_equal(&fake.commands[slot], &slow.commands[slot],
				    sizeof(fake.commands[slot]));
	}
	assert_int_equal(fake.qp.enqueue_count.enqueue_errors,
			 slow.qp.enqueue_count.enqueue_errors);
	if (done != 0)
		assert_int_equal(fake.doorbell,
				 (uint64_t)(fake.qp.rx.prod & (RING_SIZE - 1)) << 32 |
					 (fake.qp.tx.prod & (RING_SIZE - 1)));
	/* All were accepted, or the slow path has no room for the next one either. */
	if (done < RTE_MIN(n, NB_DESC - (prod - fake.qp.cons)))
		assert_false(accel_enqueue_slow(&slow.qp, burst[done],
						accel_sort(&slow.qp, burst[done]), prod + done));
	return done;
}

static void
test_same_as_slow_path(void **state)
{
	uint64_t taken = 0, refused = 0;
	unsigned int round;

	rte_log_set_global_level(RTE_LOG_EMERG); /* Refused operations would fill the log. */
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
		before = fake.qp.enqueue_count.enqueue_errors;
		taken += enqueue_both(burst, n);
		refused += fake.qp.enqueue_count.enqueue_errors - before;
		retire(&fake.qp, draw(fake.qp.prod - fake.qp.cons + 1));
	}
	print_message("%" PRIu64 " operations are right, %" PRIu64 " of them refused\n", taken,
		      refused);
	assert_true(refused > 0 && refused < taken / 4);
}

/* Single operations, as at low load, begin at every place of the rings. */
static void
test_singles(void **state)
{
	unsigned int i, round;

	for (round = 0; round < 200; round++) {
		restart(state);
		session_reset(ACCEL_HW_KIND_CIPHER);
		for (i = 0; i < 4 * RING_SIZE; i++) {
			struct rte_crypto_op *op;

			op = op_at(&drawn[i % NB_DESC], CMD_IOVA + 64 * i, 64);
			assert_int_equal(enqueue_both(&op, 1), 1);
			retire(&fake.qp, 1);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_enqueue_one_segment, setup),
		cmocka_unit_test_setup(test_enqueue_no_repeat_of_type0, setup),
		cmocka_unit_test_setup(test_enqueue_full, setup),
		cmocka_unit_test_setup(test_enqueue_near_and_far, setup),
		cmocka_unit_test_setup(test_enqueue_located, setup),
		cmocka_unit_test_setup(test_enqueue_located_no_upper, setup),
		cmocka_unit_test_setup(test_enqueue_chain, setup),
		cmocka_unit_test_setup(test_enqueue_aead_verify, setup),
		cmocka_unit_test_setup(test_enqueue_claims, setup),
		cmocka_unit_test_setup(test_enqueue_mixed_sessions, setup),
		cmocka_unit_test_setup(test_enqueue_many_sessions, setup),
		cmocka_unit_test_setup(test_ring_ends, setup),
		cmocka_unit_test_setup(test_full, setup),
		cmocka_unit_test(test_same_as_slow_path),
		cmocka_unit_test(test_singles),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
