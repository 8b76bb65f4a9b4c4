/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Commands of operations: their fields and IVs, which are written over old contents of the slot,
 * and the slots that a burst writes. The tests need neither a device nor EAL: rings, operations and
 * mbufs are plain memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_mbuf.h>

#include "accel_datapath.h"
#include "driver_qp/words.h"

/* Writes IVs of all lengths over old contents. Bytes of the session's IV behind them stay. Those
 * behind the nonce of an AEAD do not count. */
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
					    kinds[k] == ACCEL_HW_KIND_AEAD ?
						    offsetof(struct accel_hw_command, iv) +
							    iv_lens[n] :
						    offsetof(struct accel_hw_command, auth_iv));
		}
	}
}

/* Enqueues the operation over old contents of the slot and compares the first bytes of the
 * command. */
static void
expect_command(struct fake_op *f, const struct accel_hw_command *want, size_t bytes)
{
	struct rte_crypto_op *op = &f->op;

	memset(&fake.commands[0], 0xee, sizeof(fake.commands[0]));
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_memory_equal(&fake.commands[0], want, bytes);
	setup(NULL);
}

/* A command of each kind has the fields of the session and of the operation. All others are 0. */
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

	/* The operation's nonce is shorter than the session's IV, whose last bytes stay. */
	sess->iv_len = 12;
	memcpy(sess->command.iv, "............\0\0\0\1", 16);
	memcpy(want.iv, "\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\0\0\0\1", 16);
	expect_command(&f, &want, one_iv);

	/* A long IV continues in the field of the second one. */
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

	/* The operation has two IVs and two different regions. */
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

/* A burst writes only its own slots, wherever in the ring it begins. */
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
			/* The others are in-flight. */
			qp->cons = qp->cons_seen = start + n - SLOTS;
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_iv_lengths, setup),
		cmocka_unit_test_setup(test_commands, setup),
		cmocka_unit_test_setup(test_command_slots, setup),
	};

	return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
