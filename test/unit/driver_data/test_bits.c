/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations whose offsets and lengths are bits (manual 7.2, BITS): the fields of the command, the
 * descriptors and the refusals. The tests need neither a device nor EAL.
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

/* Wireless sessions do not take the fast path. */
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

/* Compares the fields of flag BITS (manual 7.2). */
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
	f.sym.cipher.data.offset = 19; /* These are bits 19 to 36, in bytes 2 to 4. */
	f.sym.cipher.data.length = 18;
	/* The application disabled bits, then the card does not have them. */
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
	/* An operation on whole bytes does not get the flag. */
	f.sym.cipher.data.offset = 16;
	f.sym.cipher.data.length = 24;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_bits(1, 0, 0, 0, 3, 0);
	/* The region ends one bit behind the data, then its end does not fit into 32 bits. */
	f.sym.cipher.data.offset = 1;
	f.sym.cipher.data.length = 800;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(2, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	f.sym.cipher.data.offset = UINT32_MAX;
	f.sym.cipher.data.length = UINT32_MAX;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(3, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}

/* A cipher with nothing to do becomes a command without data, whatever the offset is. */
static void
test_no_bits(void **state)
{
	struct accel_session *sess = session_bits(ACCEL_HW_KIND_CIPHER);
	const uint32_t offsets[] = { 0, 24, 800, 19 };
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	fake.dev.active_flags = RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA;
	op = op_at(&f, CMD_IOVA + 0x1000, 100);
	f.sym.cipher.data.length = 0;
	for (unsigned int i = 0; i < RTE_DIM(offsets); i++) {
		f.sym.cipher.data.offset = offsets[i];
		assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
		assert_int_equal(fake.inflight[i].op, (uintptr_t)op);
		assert_int_equal(fake.commands[i].opcode, ACCEL_HW_OP_NOP);
		assert_int_equal(fake.commands[i].context, 0);
		assert_bits(i, ACCEL_HW_CMD_NO_RX, 0, 0, 0, 0);
	}
	assert_int_equal(fake.qp.enqueue_count.enqueue_errors, 0);
	/* Other ciphers and chains take regions of 0 bytes or refuse them, as the card says. */
	sess->cipher_bits = 0;
	f.sym.cipher.data.offset = 0;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_int_equal(fake.commands[4].opcode, ACCEL_HW_OP_SYM);
	sess = session_bits(ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	sess->generate = 1;
	sess->digest_len = 4;
	f.sym.auth.data.offset = 0;
	f.sym.auth.data.length = 80;
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x2000;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_int_equal(fake.commands[5].opcode, ACCEL_HW_OP_SYM);
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

	/* Authentication begins at bit 6 of byte 1, the cipher at byte 3. */
	setup(NULL);
	fake.dev.active_flags = RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA;
	sess = session_bits(ACCEL_HW_KIND_AUTH_THEN_CIPHER);
	sess->generate = 1;
	sess->digest_len = 4;
	session_cipher_digest(sess);
	f.sym.cipher.data.offset = 24;
	f.sym.cipher.data.length = 33; /* The region ends in byte 7. */
	f.sym.auth.data.offset = 14;
	f.sym.auth.data.length = 10;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_words(&fake.qp.tx, 0, 4, T2_CMD_NEXT | LEN(64), T2 | LEN(7) | 0x1001);
	assert_words(&fake.qp.rx, 0, 4, T2_NEXT | LEN(5) | 0x1003, T2 | LEN(4) | 0x2000);
	assert_bits(0, ACCEL_HW_CMD_BITS | ACCEL_HW_CMD_AUTH_FIRST, 6, 16, 33, 10);
	/* Both regions begin in one byte, authentication two bits earlier and in bytes. */
	f.sym.cipher.data.offset = 26;
	f.sym.auth.data.offset = 24;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_bits(1, ACCEL_HW_CMD_BITS, 2, 0, 33, 10);
	sess->auth_bits = 0;
	f.sym.auth.data.offset = 3;
	f.sym.auth.data.length = 2;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_bits(2, ACCEL_HW_CMD_BITS, 2, 0, 33, 16);

	/* The digest would have to be ciphered: it lies behind the auth region, or only one byte of
	 * it does. */
	setup(NULL);
	fake.dev.active_flags = RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA |
				RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED;
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000 + 5;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(0, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000;
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(1, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000 - 1; /* These are bytes -1 to 2. */
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_int_equal(fake.inflight[2].op, (uintptr_t)op);
	f.sym.auth.digest.phys_addr = CMD_IOVA + 0x1000 + 8; /* The cipher region ends in byte 7. */
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_int_equal(fake.inflight[3].op, (uintptr_t)op);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_bits, setup),
		cmocka_unit_test_setup(test_no_bits, setup),
		cmocka_unit_test_setup(test_bits_auth_and_chain, setup),
	};

	return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
