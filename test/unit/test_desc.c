/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The descriptor writer and enqueue above it, against descriptors written out by hand from the
 * tables of manual section 6.1. No device, no EAL: rings, operations and mbufs are plain memory
 * here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_mbuf.h>

#include "test_fake_qp.h"

/* Expected words by hand: type 2 is 0x8..., next 0x2..., command 0x1... in the topmost nibble. */
#define T2 UINT64_C(0x8000000000000000)
#define T2_NEXT UINT64_C(0xa000000000000000)
#define T2_CMD UINT64_C(0x9000000000000000)
#define T2_CMD_NEXT UINT64_C(0xb000000000000000)
#define LEN(n) ((uint64_t)(n) << 32)

#define assert_words(ring, from, ...)                                                              \
	do {                                                                                       \
		const uint64_t want_[] = {__VA_ARGS__};                                            \
		for (size_t i_ = 0; i_ < RTE_DIM(want_); i_++)                                     \
			assert_int_equal((ring)->desc[((from) + i_) & (ring)->mask], want_[i_]);   \
	} while (0)

static void
test_first_type0_and_change(void **state)
{
	uint64_t desc[8] = {0};
	struct accel_ring ring;

	(void)state;
	accel_ring_init(&ring, desc, 8);
	accel_ring_put(&ring, 0x10, 5, 0); /* upper bits 0: a type 0 is needed all the same */
	accel_ring_put(&ring, 0x20, 6, ACCEL_HW_DESC2_NEXT);
	accel_ring_put(&ring, 3 * GIB + 1, 7, ACCEL_HW_DESC2_COMMAND);
	assert_int_equal(ring.prod, 5);
	assert_words(&ring, 0, UINT64_C(0), T2 | LEN(5) | 0x10, T2_NEXT | LEN(6) | 0x20,
		     UINT64_C(3), T2_CMD | LEN(7) | 1);
	/* The highest address there is. */
	accel_ring_put(&ring, UINT64_MAX, 1, 0);
	assert_words(&ring, 5, UINT64_C(0x3ffffffff), T2 | LEN(1) | 0x3fffffff);
}

static void
test_split_1gib(void **state)
{
	uint64_t desc[8] = {0};
	struct accel_frame frame;
	struct accel_ring ring;

	(void)state;
	accel_ring_init(&ring, desc, 8);
	accel_frame_begin(&frame, &ring, 16, 65536);
	accel_frame_add(&frame, 2 * GIB - 3, 10);
	assert_int_equal(accel_frame_end(&frame), 0);
	assert_int_equal(ring.prod, 4);
	assert_words(&ring, 0, UINT64_C(1), T2_NEXT | LEN(3) | 0x3ffffffd, UINT64_C(2),
		     T2 | LEN(7));

	/* Ending exactly at the boundary is no crossing. */
	assert_true(accel_one_region(2 * GIB - 10, 10));
	assert_false(accel_one_region(2 * GIB - 10, 11));
}

static void
test_split_64k(void **state)
{
	uint64_t desc[8] = {0};
	struct accel_frame frame;
	struct accel_ring ring;

	(void)state;
	accel_ring_init(&ring, desc, 8);
	accel_frame_begin(&frame, &ring, 16, 1 << 20);
	accel_frame_add(&frame, 0x1000, 65536 + 10);
	accel_frame_add(&frame, 0x5000, 0);
	assert_int_equal(accel_frame_end(&frame), 0);
	assert_words(&ring, 0, UINT64_C(0), T2_NEXT | LEN(65535) | 0x1000, T2 | LEN(11) | 0x10fff);
	assert_int_equal(ring.prod, 3);
}

static void
test_wrap(void **state)
{
	uint64_t desc[4] = {0};
	struct accel_ring ring;

	(void)state;
	accel_ring_init(&ring, desc, 4);
	ring.prod = UINT32_MAX; /* slot 3, and the counter itself wraps */
	accel_ring_freed(&ring, UINT32_MAX);
	assert_int_equal(accel_ring_room(&ring), 3);
	accel_ring_put(&ring, GIB, 1, ACCEL_HW_DESC2_NEXT);
	accel_ring_put(&ring, GIB + 1, 2, 0);
	assert_int_equal(accel_ring_room(&ring), 0);
	assert_int_equal(desc[3], 1);
	assert_int_equal(desc[0], T2_NEXT | LEN(1));
	assert_int_equal(desc[1], T2 | LEN(2) | 1);
}

static void
test_frame_limits(void **state)
{
	uint64_t desc[8] = {0};
	struct accel_frame frame;
	struct accel_ring ring, mark;

	(void)state;
	accel_ring_init(&ring, desc, 8);
	mark = ring;
	accel_frame_begin(&frame, &ring, 2, 100);
	accel_frame_add(&frame, 0, 50);
	accel_frame_add(&frame, 100, 50);
	assert_int_equal(accel_frame_end(&frame), 0);
	ring = mark;
	accel_frame_begin(&frame, &ring, 2, 100);
	accel_frame_add(&frame, 0, 50);
	accel_frame_add(&frame, 100, 51);
	assert_int_equal(accel_frame_end(&frame), -E2BIG);
	ring = mark;
	accel_frame_begin(&frame, &ring, 2, 100);
	accel_frame_add(&frame, 0, 1);
	accel_frame_add(&frame, 100, 1);
	accel_frame_add(&frame, 200, 1);
	assert_int_equal(accel_frame_end(&frame), -E2BIG);
	ring = mark;
	/* Seven slots: a type 0 and six fragments; room for two is asked for each. */
	accel_frame_begin(&frame, &ring, 16, 100);
	for (unsigned int i = 0; i < 7; i++)
		accel_frame_add(&frame, i, 1);
	assert_int_equal(accel_frame_end(&frame), -ENOSPC);
}

/* Cipher, in place, one segment: the words, the command, the doorbell, the entry. */
static void
test_enqueue_straight(void **state)
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

/* The same again: command and data in one region cost no type 0 any more. */
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

/* A burst that does not fit writes nothing into the commands that are still in flight. */
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
	fake.qp.prod = fake.qp.cons = fake.qp.cons_seen = 3; /* so that it wraps */
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, NB_DESC - 2), NB_DESC - 2);
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, NB_DESC), 2);
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, NB_DESC), 0);
	for (i = 3; i < 3 + NB_DESC; i++)
		assert_int_equal(fake.commands[i % NB_DESC].tag, i);
}

/* In one burst, at the edges of the commands' region: up to its last byte, across its end, behind
 * it, before it, and back. */
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

/* The same where the card knows the commands' region: type 0 only where data change theirs, and
 * runs go on in the data's. A refused operation has a command and no data. */
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
	/* A burst of its own: both rings are at the fifth GiB now. */
	ops[0] = op_at(&f[0], 5 * GIB + 0x40, 32);
	ops[1] = op_at(&f[1], 5 * GIB + 0x80, 32);
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 2), 2);
	assert_words(&fake.qp.tx, 13, T2_CMD_NEXT | LEN(64) | 0x140, T2 | LEN(32) | 0x40,
		     T2_CMD_NEXT | LEN(64) | 0x180, T2 | LEN(32) | 0x80);
	assert_words(&fake.qp.rx, 8, T2 | LEN(32) | 0x40, T2 | LEN(32) | 0x80);
	/* Segments. */
	ops[0] = op_at(&f[0], 5 * GIB + 0x100, 16);
	chain(&f[0], 1, 5 * GIB + 0x200, 16);
	f[0].sym.cipher.data.length = 32;
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 1), 1);
	assert_words(&fake.qp.tx, 17, T2_CMD_NEXT | LEN(64) | 0x1c0, T2_NEXT | LEN(16) | 0x100,
		     T2 | LEN(16) | 0x200);
	assert_int_equal(fake.qp.tx.prod, 20);
}

/* Nothing is taken for near the highest region, at which a ring seems to be before its first
 * type 0. */
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

/* Encrypt then authenticate: the auth region begins earlier (AUTH_FIRST), the digest is apart. */
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

/* AEAD decryption: AAD, source, tag on TX, plaintext on RX. */
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

/* Segments, out of place, an empty segment, a segment across 1 GiB on both rings. */
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

/* It has a reason to come back with. Not before dequeue: crypto_scheduler gives back what has a
 * status. */
static void
assert_refused(unsigned int slot, const struct rte_crypto_op *op, enum rte_crypto_op_status status)
{
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_int_equal(fake.inflight[slot].op, (uintptr_t)op + ACCEL_OP_REFUSED);
	assert_int_equal(fake.commands[slot].opcode, ACCEL_HW_OP_NOP);
	assert_int_equal(fake.refusals[slot], status);
}

/* Sessions of two kinds, one without a session, one of another driver and one that was cleared in
 * one burst: each gets what is its own. */
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
	cleared.s = session_memory.s; /* the library's part stays */
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

/* The upper bytes say whose session it is, all of them; the lowest one is its kind. */
static void
test_owner(void **state)
{
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_CIPHER);
	unsigned int bit;

	(void)state;
	assert_null(accel_own_session(NULL));
	for (bit = 0; bit < 64; bit++) {
		sess->owner ^= UINT64_C(1) << bit;
		if (bit < 8)
			assert_ptr_equal(accel_own_session(&session_memory.s), sess);
		else
			assert_null(accel_own_session(&session_memory.s));
		sess->owner ^= UINT64_C(1) << bit;
	}
}

/* Many sessions in a burst that is longer than what is fetched ahead, with operations in between
 * that have none or something else in its place, have segments or lie in another GiB. */
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
	/* The first type 0; commands; data, of four none; one segment more; a GiB on and back. */
	assert_int_equal(qp->tx.prod, 1 + NB + (NB - 4) + 1 + 2);
	assert_int_equal(qp->rx.prod, 1 + (NB - 4) + 1 + 2);
	assert_int_equal(inflight[NB - 1].tx_end, qp->tx.prod);
	assert_int_equal(inflight[NB - 1].rx_end, qp->rx.prod);
}

/* Over old contents, with IVs of all lengths: what of the session's IV they do not cover stays. */
static void
test_iv_lengths(void **state)
{
	static const enum accel_hw_kind kinds[] = {
		ACCEL_HW_KIND_CIPHER, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_KIND_AEAD,
	};
	static const uint8_t iv_lens[] = { 0, 8, 12, 16 };
	static const uint8_t counter[16] = { [15] = 1 };
	struct fake_op f;
	unsigned int k, n;

	(void)state;
	for (k = 0; k < RTE_DIM(kinds); k++) {
		for (n = 0; n < RTE_DIM(iv_lens); n++) {
			const bool chain = kinds[k] == ACCEL_HW_KIND_CIPHER_THEN_AUTH;
			const struct accel_shape shape = {
				.skip = chain ? 5 : 0,
				.cipher_len = 6,
				.auth_len = chain ? 7 : 0,
			};
			struct accel_session *sess = session_reset(kinds[k]);
			struct accel_hw_command cmd, want = {
				.tag = 77,
				.opcode = ACCEL_HW_OP_SYM,
				.aad_len = 3,
				.context = 0x77777740,
				.generation = 9,
				.skip = shape.skip,
				.cipher_len = 6,
				.auth_len = shape.auth_len,
			};

			sess->command.aad_len = 3;
			sess->iv_len = iv_lens[n];
			if (iv_lens[n] == 12)
				memcpy(sess->command.iv, counter, sizeof(counter));
			memcpy(want.iv, sess->command.iv, sizeof(want.iv));
			memset(want.iv, 0x11, iv_lens[n]);
			memset(&cmd, 0xee, sizeof(cmd));
			op_at(&f, CMD_IOVA, 16);
			accel_write_command(&cmd, sess, accel_op_iv(&f.op, sess),
					    accel_op_auth_iv(&f.op, sess), &shape, 77, kinds[k]);
			assert_memory_equal(&cmd, &want,
					    offsetof(struct accel_hw_command, auth_iv));
		}
	}
}

/* Beyond the data: the rings go back whole, a NOP takes the place. */
static void
test_abandoned_frame(void **state)
{
	struct rte_crypto_op *ops[2];
	struct fake_op f[2];

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	ops[0] = op_at(&f[0], 9 * GIB, 16); /* would latch 9 on both rings */
	chain(&f[0], 1, 10 * GIB, 16);
	f[0].sym.cipher.data.length = 33;
	ops[1] = op_at(&f[1], CMD_IOVA + 0x100, 16);
	ops[1]->status = RTE_CRYPTO_OP_STATUS_SUCCESS; /* used before */
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 2), 2);
	assert_int_equal(ops[1]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_refused(0, ops[0], RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(fake.commands[0].opcode, ACCEL_HW_OP_NOP);
	assert_int_equal(fake.commands[0].flags, ACCEL_HW_CMD_NO_RX);
	/* The type 0 of the second operation is there although the abandoned one wrote others. */
	assert_words(&fake.qp.tx, 0, UINT64_C(4), T2_CMD | LEN(64), T2_CMD_NEXT | LEN(64) | 0x40,
		     T2 | LEN(16) | 0x100);
	assert_words(&fake.qp.rx, 0, UINT64_C(4), T2 | LEN(16) | 0x100);
	assert_int_equal(fake.doorbell, UINT64_C(2) << 32 | 4);
	assert_int_equal(fake.qp.enqueue_err, 1);
}

/* Offset plus length beyond 32 bits does not get around the check. */
static void
test_length_overflow(void **state)
{
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	sess->digest_len = 4;
	sess->generate = 1;
	op = op_at(&f, CMD_IOVA, 64);
	f.sym.cipher.data.offset = UINT32_MAX - 15;
	f.sym.cipher.data.length = 32;
	f.sym.auth.data.length = 16;
	f.sym.auth.digest.phys_addr = CMD_IOVA;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(0, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(fake.qp.rx.prod, 0);
}

/* What a command has of fields that mean something, over one that was there before. */
static void
expect_command(struct fake_op *f, const struct accel_hw_command *want, size_t bytes)
{
	struct rte_crypto_op *op = &f->op;

	memset(&fake.commands[0], 0xee, sizeof(fake.commands[0]));
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_memory_equal(&fake.commands[0], want, bytes);
	setup(NULL);
}

/* The command of each kind: the session's fields, the operation's, 0, and the IV in its length. */
static void
test_commands(void **state)
{
	struct accel_hw_command want = {
		.opcode = ACCEL_HW_OP_SYM, .context = 0x77777740, .generation = 9,
	};
	const size_t no_iv = offsetof(struct accel_hw_command, iv);
	const size_t one_iv = offsetof(struct accel_hw_command, auth_iv);
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_CIPHER);
	struct fake_op f;

	(void)state;
	op_at(&f, CMD_IOVA + 0x1000, 128);
	want.cipher_len = 128;
	memset(want.iv, 0x11, 16);
	expect_command(&f, &want, one_iv);

	/* A nonce, behind which the session has more. */
	sess->iv_len = 12;
	memcpy(sess->command.iv, "............\0\0\0\1", 16);
	memcpy(want.iv, "\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\0\0\0\1", 16);
	expect_command(&f, &want, one_iv);

	/* Longer than an IV's place: it goes on in the next. */
	sess->iv_len = 24;
	memset(want.iv, 0x22, 16);
	memset(want.auth_iv, 0x22, 8);
	sess->iv_offset = offsetof(struct fake_op, mbuf[2]);
	memset(&f.mbuf[2], 0x22, 24);
	expect_command(&f, &want, one_iv + 8);
	memset(want.iv, 0x11, 16);

	sess = session_reset(ACCEL_HW_KIND_AEAD);
	sess->command.aad_len = want.aad_len = 12;
	sess->aad_len = 12;
	f.sym.aead.data.offset = 0;
	f.sym.aead.data.length = 64;
	f.sym.aead.aad.phys_addr = CMD_IOVA + 0x5000;
	want.cipher_len = 64;
	expect_command(&f, &want, one_iv);

	sess = session_reset(ACCEL_HW_KIND_AUTH);
	sess->iv_len = 0;
	sess->command.flags = want.flags = ACCEL_HW_CMD_NO_RX;
	sess->digest_len = 16;
	sess->verify = 1;
	op_at(&f, CMD_IOVA + 0x1000, 128);
	f.sym.auth.data.length = 96;
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x6000;
	want.aad_len = 0;
	want.cipher_len = 0;
	want.auth_len = 96;
	expect_command(&f, &want, no_iv);

	/* Both IVs, and regions that differ. */
	sess = session_reset(ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	sess->auth_iv_len = 12;
	sess->auth_iv_at = offsetof(struct accel_hw_command, auth_iv);
	sess->auth_iv_offset = offsetof(struct fake_op, iv) + 4;
	sess->digest_len = 16;
	sess->generate = 1;
	f.sym.cipher.data.offset = 16;
	f.sym.cipher.data.length = 96;
	f.sym.auth.data.length = 112;
	want.flags = ACCEL_HW_CMD_AUTH_FIRST;
	want.skip = 16;
	want.cipher_len = 96;
	want.auth_len = 112;
	memset(want.auth_iv, 0x11, 12);
	expect_command(&f, &want, one_iv + 12);
}

/* A run writes its own slots, wherever in the ring it begins, and no others. */
static void
test_command_slots(void **state)
{
	enum { SLOTS = 32, RING = 512, GUARD = 8 };
	static struct accel_hw_command commands[SLOTS + GUARD], untouched;
	static struct accel_inflight inflight[SLOTS];
	static struct fake_op f[SLOTS];
	static uint64_t tx[RING], rx[RING];
	static const uint32_t lengths[] = { 1, 7, 8, 9, 16, 31, 32 };
	struct accel_qp *qp = &fake.qp;
	struct rte_crypto_op *ops[SLOTS];
	uint32_t start, i, k;

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	for (i = 0; i < SLOTS; i++)
		ops[i] = op_at(&f[i], CMD_IOVA + 0x1000 * i, 16);
	memset(&untouched, 0xee, sizeof(untouched));
	qp->nb_desc = SLOTS;
	qp->desc_mask = SLOTS - 1;
	qp->inflight = inflight;
	accel_qp_set_commands(qp, commands, CMD_IOVA);
	for (start = UINT32_MAX - SLOTS; start != SLOTS; start++) {
		for (k = 0; k < RTE_DIM(lengths); k++) {
			const uint32_t n = lengths[k];

			memset(commands, 0xee, sizeof(commands));
			accel_ring_init(&qp->tx, tx, RING);
			accel_ring_init(&qp->rx, rx, RING);
			qp->ahead = 0;
			qp->prod = start;
			qp->cons = qp->cons_seen = start + n - SLOTS; /* the others are in flight */
			assert_int_equal(accel_enqueue_burst(qp, ops, n), n);
			for (i = 0; i < SLOTS; i++) {
				const struct accel_hw_command *at =
					&commands[(start + i) & (SLOTS - 1)];

				if (i < n)
					assert_int_equal(at->tag, start + i);
				else
					assert_memory_equal(at, &untouched, sizeof(untouched));
			}
			for (i = SLOTS; i < SLOTS + GUARD; i++)
				assert_memory_equal(&commands[i], &untouched, sizeof(untouched));
		}
	}
}

/* Bursts across the rings' ends, wherever they begin: what stands in the rings is the same, and
 * nothing is written behind them. */
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
		qp->tx.prod = start - TX; /* the counters wrap, too */
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

/* No room in flight, then room again; no room on a ring, then room again. */
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

	/* Rings nearly full: what does not fit is not accepted, and nothing of it remains. */
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

/* A digest that the cipher region ends in: it is a part of source and destination. */
static void
test_digest_encrypted(void **state)
{
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_AUTH_THEN_CIPHER);
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	sess->generate = 1;
	sess->digest_len = 12;
	sess->digest_may_be_ciphered = 1;
	op = op_at(&f, CMD_IOVA + 0x1000, 100);
	f.sym.cipher.data.length = 64;
	f.sym.auth.data.offset = 4;
	f.sym.auth.data.length = 52;
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000 + 56;
	/* A device without it, or an application that disabled it. */
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(0, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);

	setup(NULL);
	fake.dev.active_flags = RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, 4, T2_CMD_NEXT | LEN(64), T2 | LEN(64) | 0x1000);
	assert_words(&fake.qp.rx, 0, 4, T2 | LEN(68) | 0x1000);
	assert_int_equal(fake.commands[0].flags,
			 ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM);
	assert_int_equal(fake.commands[0].skip, 4);

	/* To verify, the digest is read as well; behind the cipher region it is an ordinary one. */
	setup(NULL);
	fake.dev.active_flags = RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED;
	sess->kind = ACCEL_HW_KIND_CIPHER_THEN_AUTH;
	sess->generate = 0;
	sess->verify = 1;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, 4, T2_CMD_NEXT | LEN(64), T2 | LEN(68) | 0x1000);
	assert_words(&fake.qp.rx, 0, 4, T2 | LEN(68) | 0x1000);
	f.sym.cipher.data.length = 56;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 3, T2_CMD_NEXT | LEN(64) | 0x40, T2_NEXT | LEN(56) | 0x1000,
		     T2 | LEN(12) | 0x1038);
	assert_words(&fake.qp.rx, 2, T2 | LEN(56) | 0x1000);

	/* In the cipher region, but elsewhere: nobody defines what that would mean. */
	f.sym.cipher.data.length = 64;
	f.sym.auth.digest.phys_addr -= 1;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(2, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}

/* A wireless session: nothing goes the straight path. */
static struct accel_session *
session_bits(enum accel_hw_kind kind)
{
	struct accel_session *sess = session_reset(kind);

	sess->owner = accel_session_owner(0);
	sess->cipher_bits = kind != ACCEL_HW_KIND_AUTH;
	sess->auth_bits = kind != ACCEL_HW_KIND_CIPHER;
	sess->odd_bits = 1;
	return sess;
}

/* The fields of manual 7.2, BITS. */
static void
assert_bits(unsigned int slot, uint8_t flags, unsigned int first, uint32_t skip,
	    uint32_t cipher_len, uint32_t auth_len)
{
	assert_int_equal(fake.commands[slot].flags, flags);
	assert_int_equal(fake.commands[slot].aad_len, first);
	assert_int_equal(fake.commands[slot].skip, skip);
	assert_int_equal(fake.commands[slot].cipher_len, cipher_len);
	assert_int_equal(fake.commands[slot].auth_len, auth_len);
}

static void
test_bits(void **state)
{
	struct accel_session *sess = session_bits(ACCEL_HW_KIND_CIPHER);
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	op = op_at(&f, CMD_IOVA + 0x1000, 100);
	f.sym.cipher.data.offset = 19; /* bits 19 to 36: bytes 2 to 4 */
	f.sym.cipher.data.length = 18;
	/* An application that disabled it, a card that does not have it. */
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(0, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	fake.dev.active_flags = RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA;
	sess->odd_bits = 0;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(1, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);

	setup(NULL);
	fake.dev.active_flags = RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA;
	sess->odd_bits = 1;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, 4, T2_CMD_NEXT | LEN(64), T2 | LEN(3) | 0x1002);
	assert_words(&fake.qp.rx, 0, 4, T2 | LEN(3) | 0x1002);
	assert_bits(0, ACCEL_HW_CMD_BITS, 3, 0, 18, 0);
	/* Whole bytes are bytes. */
	f.sym.cipher.data.offset = 16;
	f.sym.cipher.data.length = 24;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_bits(1, 0, 0, 0, 3, 0);
	/* Beyond the data by one bit, and by more than 32 bits can say. */
	f.sym.cipher.data.offset = 1;
	f.sym.cipher.data.length = 800;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(2, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	f.sym.cipher.data.offset = UINT32_MAX;
	f.sym.cipher.data.length = UINT32_MAX;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(3, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}

static void
test_bits_auth_and_chain(void **state)
{
	struct accel_session *sess = session_bits(ACCEL_HW_KIND_AUTH);
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	fake.dev.active_flags = RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA;
	sess->generate = 1;
	sess->digest_len = 4;
	op = op_at(&f, CMD_IOVA + 0x1000, 100);
	f.sym.auth.data.offset = 8;
	f.sym.auth.data.length = 9;
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x2000;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, 4, T2_CMD_NEXT | LEN(64), T2 | LEN(2) | 0x1001);
	assert_words(&fake.qp.rx, 0, 4, T2 | LEN(4) | 0x2000);
	assert_bits(0, ACCEL_HW_CMD_BITS, 0, 0, 0, 9);
	f.sym.auth.data.offset = 15;
	f.sym.auth.data.length = 8;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_bits(1, ACCEL_HW_CMD_BITS, 0, 7, 0, 8);

	/* Authentication begins in byte 1 at bit 6 of it, the cipher in byte 3. */
	setup(NULL);
	fake.dev.active_flags = RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA;
	sess = session_bits(ACCEL_HW_KIND_AUTH_THEN_CIPHER);
	sess->generate = 1;
	sess->digest_len = 4;
	sess->digest_may_be_ciphered = 1;
	f.sym.cipher.data.offset = 24;
	f.sym.cipher.data.length = 33; /* up to byte 7 */
	f.sym.auth.data.offset = 14;
	f.sym.auth.data.length = 10;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, 4, T2_CMD_NEXT | LEN(64), T2 | LEN(7) | 0x1001);
	assert_words(&fake.qp.rx, 0, 4, T2_NEXT | LEN(5) | 0x1003, T2 | LEN(4) | 0x2000);
	assert_bits(0, ACCEL_HW_CMD_BITS | ACCEL_HW_CMD_AUTH_FIRST, 6, 16, 33, 10);
	/* Both in one byte, authentication first by two bits; bytes for authentication. */
	f.sym.cipher.data.offset = 26;
	f.sym.auth.data.offset = 24;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_bits(1, ACCEL_HW_CMD_BITS, 2, 0, 33, 10);
	sess->auth_bits = 0;
	f.sym.auth.data.offset = 3;
	f.sym.auth.data.length = 2;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_bits(2, ACCEL_HW_CMD_BITS, 2, 0, 33, 16);

	/* A digest that would have to be ciphered: behind the auth region, or with one byte
	 * only. */
	setup(NULL);
	fake.dev.active_flags = RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA |
				RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED;
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000 + 5;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(0, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(1, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000 - 1; /* bytes -1 to 2 */
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_int_equal(fake.inflight[2].op, (uintptr_t)op);
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000 + 8; /* the cipher ends in byte 7 */
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_int_equal(fake.inflight[3].op, (uintptr_t)op);
}

static void
test_bad_ops(void **state)
{
	struct rte_crypto_op *ops[4];
	struct fake_op f[4];

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	for (unsigned int i = 0; i < 4; i++)
		ops[i] = op_at(&f[i], CMD_IOVA, 16);
	f[0].sym.session = NULL;
	ops[1]->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	f[2].sym.m_src = NULL;
	ops[3]->type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 4), 4);
	assert_refused(0, ops[0], RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	for (unsigned int i = 1; i < 4; i++)
		assert_refused(i, ops[i], RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(fake.qp.tx.prod, 1 + 4);
	assert_int_equal(accel_enqueue_burst(&fake.qp, NULL, 0), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_first_type0_and_change, setup),
		cmocka_unit_test_setup(test_split_1gib, setup),
		cmocka_unit_test_setup(test_split_64k, setup),
		cmocka_unit_test_setup(test_wrap, setup),
		cmocka_unit_test_setup(test_frame_limits, setup),
		cmocka_unit_test_setup(test_enqueue_straight, setup),
		cmocka_unit_test_setup(test_enqueue_full, setup),
		cmocka_unit_test_setup(test_enqueue_near_and_far, setup),
		cmocka_unit_test_setup(test_enqueue_located, setup),
		cmocka_unit_test_setup(test_enqueue_located_no_upper, setup),
		cmocka_unit_test_setup(test_enqueue_mixed_sessions, setup),
		cmocka_unit_test_setup(test_owner, setup),
		cmocka_unit_test_setup(test_enqueue_many_sessions, setup),
		cmocka_unit_test_setup(test_iv_lengths, setup),
		cmocka_unit_test_setup(test_enqueue_no_repeat_of_type0, setup),
		cmocka_unit_test_setup(test_enqueue_chain, setup),
		cmocka_unit_test_setup(test_enqueue_aead_verify, setup),
		cmocka_unit_test_setup(test_enqueue_sgl_oop, setup),
		cmocka_unit_test_setup(test_abandoned_frame, setup),
		cmocka_unit_test_setup(test_length_overflow, setup),
		cmocka_unit_test_setup(test_commands, setup),
		cmocka_unit_test_setup(test_command_slots, setup),
		cmocka_unit_test_setup(test_ring_ends, setup),
		cmocka_unit_test_setup(test_full, setup),
		cmocka_unit_test_setup(test_digest_encrypted, setup),
		cmocka_unit_test_setup(test_bits, setup),
		cmocka_unit_test_setup(test_bits_auth_and_chain, setup),
		cmocka_unit_test_setup(test_bad_ops, setup),
	};

	return cmocka_run_group_tests_name("desc", tests, NULL, NULL);
}
