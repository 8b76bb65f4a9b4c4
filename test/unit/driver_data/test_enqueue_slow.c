/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The slow path of enqueue: digests that are ciphered, operations that are refused, and frames that
 * are abandoned, against descriptors written out by hand. The tests need neither a device nor EAL.
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

/* The operation goes beyond the data. Both rings go back, and a NOP takes its place. */
static void
test_abandoned_frame(void **state)
{
	struct rte_crypto_op *ops[2];
	struct fake_op f[2];

	(void)state;
	session_reset(ACCEL_HW_KIND_CIPHER);
	/* This would change the upper address on both rings to 9. */
	ops[0] = op_at(&f[0], 9 * GIB, 16);
	chain(&f[0], 1, 10 * GIB, 16);
	f[0].sym.cipher.data.length = 33;
	ops[1] = op_at(&f[1], CMD_IOVA + 0x100, 16);
	ops[1]->status = RTE_CRYPTO_OP_STATUS_SUCCESS; /* The operation was used before. */
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 2), 2);
	assert_int_equal(ops[1]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_refused(0, ops[0], RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(fake.commands[0].opcode, ACCEL_HW_OP_NOP);
	assert_int_equal(fake.commands[0].flags, ACCEL_HW_CMD_NO_RX);
	/* The second operation gets a type 0, although the abandoned frame wrote others. */
	assert_words(&fake.qp.tx, 0, UINT64_C(4), T2_CMD | LEN(64), T2_CMD_NEXT | LEN(64) | 0x40,
		     T2 | LEN(16) | 0x100);
	assert_words(&fake.qp.rx, 0, UINT64_C(4), T2 | LEN(16) | 0x100);
	assert_int_equal(fake.doorbell, UINT64_C(2) << 32 | 4);
	assert_int_equal(fake.qp.enqueue_count.enqueue_errors, 1);
}

/* A sum of offset and length beyond 32 bits is refused. */
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

/* The cipher region ends in the digest, which then is part of source and destination. */
static void
test_digest_encrypted(void **state)
{
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_AUTH_THEN_CIPHER);
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	sess->generate = 1;
	sess->digest_len = 12;
	session_cipher_digest(sess);
	op = op_at(&f, CMD_IOVA + 0x1000, 100);
	f.sym.cipher.data.length = 64;
	f.sym.auth.data.offset = 4;
	f.sym.auth.data.length = 52;
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000 + 56;
	/* The card does not have it, then the application disabled it. */
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

	/* For verification the digest is read as well. Behind the cipher region it is a usual
	 * one. */
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

	/* A digest elsewhere within the cipher region is refused, because no document says what it
	 * means. */
	f.sym.cipher.data.length = 64;
	f.sym.auth.digest.phys_addr -= 1;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(2, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}

/* The IV of authentication is in the stream. It comes from the operation, before the source, and
 * the command has the cipher's IV only. */
static void
test_iv_in_stream(void **state)
{
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	sess->owner = accel_session_owner(0); /* The fast path does not take it. */
	sess->generate = 1;
	sess->digest_len = 4;
	sess->iv_len = 16;
	sess->aad_len = 25;
	sess->auth_iv_offset = 0x50;
	assert_true(accel_session_iv_in_stream(sess));
	op = op_at(&f, CMD_IOVA + 0x1000, 64);
	op->phys_addr = CMD_IOVA + 0x2000;
	f.sym.auth.data.length = 64;
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x3000;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, 4, T2_CMD_NEXT | LEN(64), T2_NEXT | LEN(25) | 0x2050,
		     T2 | LEN(64) | 0x1000);
	assert_words(&fake.qp.rx, 0, 4, T2_NEXT | LEN(64) | 0x1000, T2 | LEN(4) | 0x3000);
	assert_int_equal(fake.commands[0].aad_len, 0);
	assert_int_equal(fake.commands[0].iv[15], 0x11);
	assert_int_equal(fake.commands[0].auth_iv[0], 0);
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
		cmocka_unit_test_setup(test_abandoned_frame, setup),
		cmocka_unit_test_setup(test_length_overflow, setup),
		cmocka_unit_test_setup(test_digest_encrypted, setup),
		cmocka_unit_test_setup(test_iv_in_stream, setup),
		cmocka_unit_test_setup(test_bad_ops, setup),
	};

	return cmocka_run_group_tests_name("slow path", tests, NULL, NULL);
}
