/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * AAD of an AEAD in its command (manual 7.2): by the fast path, with segments, by the slow path and
 * by the raw data path. All AAD lies at the end of a page, and the next page is not accessible, so
 * that a driver that reads too much is killed. The test also shows when AAD stays a fragment.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "accel_datapath.h"
#include "accel_enqueue.h"
#include "accel_queue.h"
#include "accel_raw_ctx.h"
#include "accel_session.h"
#include "accel_sort.h"
#include "driver_qp/random_qp.h"
#include "driver_qp/words.h"

#define AAD_IOVA (CMD_IOVA + 0x5000)
#define LONGEST 17u

/* The ways of an operation through the driver. */
enum way { FAST, SEGMENTS, SLOW, RAW_ONE, RAW_BURST, RAW_SEGMENTS, WAYS };

static uint8_t *page_end; /* the first byte that is not accessible */

static int
setup_page(void **state)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);

	(void)state;
	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	page_end = pages + page;
	for (unsigned int i = 0; i < 64; i++)
		page_end[-1 - (int)i] = (uint8_t)(0xa0 + i);
	return 0;
}

/* Describes an operation and its way. */
struct aad {
	enum way way;
	uint16_t len;
	uint8_t offset; /* of the AAD in its buffer, as CCM has it */
	bool card; /* the card takes AAD in commands */
	bool seen; /* the CPU has an address */
	uint64_t iova;
};

static struct accel_session *
make_session(const struct aad *a)
{
	struct accel_session *sess = session_reset(ACCEL_HW_KIND_AEAD);

	sess->iv_len = 12;
	sess->digest_len = 16;
	sess->generate = true;
	sess->aad_len = sess->command.aad_len = a->len;
	sess->aad_offset = a->offset;
	return sess;
}

/* Returns the address of the AAD's buffer, or NULL. */
static uint8_t *
buffer_of(const struct aad *a)
{
	return a->seen ? page_end - a->len - a->offset : NULL;
}

/* Enqueues with a call of rte_cryptodev's burst API, or of the slow path below it. */
static void
enqueue_op(const struct aad *a)
{
	static struct fake_op f;
	struct rte_crypto_op *op = op_at(&f, CMD_IOVA + 0x1000, 64);

	if (a->way == SEGMENTS)
		chain(&f, 1, CMD_IOVA + 0x2000, 64);
	f.sym.aead.data.offset = 0;
	f.sym.aead.data.length = a->way == SEGMENTS ? 128 : 64;
	f.sym.aead.aad.data = buffer_of(a);
	f.sym.aead.aad.phys_addr = a->iova;
	f.sym.aead.digest.phys_addr = CMD_IOVA + 0x6000;
	if (a->way == SLOW)
		assert_true(accel_enqueue_slow(&fake.qp, op, accel_sort(&fake.qp, op), 0));
	else
		assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_int_equal(fake.qp.enqueue_count.enqueue_errors, 0);
}

/* Enqueues with a call of the raw data path. Returns what it takes: 1 or 0. */
static uint32_t
enqueue_raw(const struct aad *a, const struct accel_session *sess)
{
	static struct accel_raw_slot slots[NB_DESC];
	static uint8_t iv_bytes[16];
	struct rte_crypto_vec vec[2] = {
		{ .iova = CMD_IOVA + 0x1000, .len = 64 }, { .iova = CMD_IOVA + 0x2000, .len = 64 },
	};
	struct rte_crypto_va_iova_ptr iv = { .va = iv_bytes };
	struct rte_crypto_va_iova_ptr digest = { .iova = CMD_IOVA + 0x6000 };
	struct rte_crypto_va_iova_ptr aad = { .va = buffer_of(a), .iova = a->iova };
	struct rte_crypto_sgl sgl = { vec, a->way == RAW_SEGMENTS ? 2 : 1 };
	struct rte_crypto_sym_vec burst = {
		.num = 1, .src_sgl = &sgl, .iv = &iv, .digest = &digest, .aad = &aad,
	};
	const union rte_crypto_sym_ofs ofs = { .raw = 0 };
	struct accel_raw_ctx ctx = { .sess = sess };
	void *user_data[1] = { &burst };
	int status;
	uint32_t n;

	fake.qp.raw = slots;
	if (a->way == RAW_ONE)
		n = accel_raw_enqueue(&fake.qp, (uint8_t *)&ctx, vec, 1, ofs, &iv, &digest, &aad,
				      NULL) == 0;
	else
		n = accel_raw_enqueue_burst(&fake.qp, (uint8_t *)&ctx, &burst, ofs, user_data,
					    &status);
	if (n != 0)
		assert_int_equal(accel_raw_enqueue_done(&fake.qp, (uint8_t *)&ctx, 1), 0);
	return n;
}

/* Enqueues one operation on an empty queue pair, over old contents of its command. */
static uint32_t
enqueue(const struct aad *a)
{
	const struct accel_session *sess = make_session(a);

	setup(NULL);
	fake.qp.aad_in_command = a->card ? ACCEL_HW_IV_MAX : 0;
	fake.qp.tx.region = fake.qp.rx.region = accel_region_of(CMD_IOVA);
	fake.qp.tx_cons = fake.qp.tx.limit - fake.qp.tx.mask;
	fake.qp.rx_cons = fake.qp.rx.limit - fake.qp.rx.mask;
	memset(&fake.commands[0], 0xee, sizeof(fake.commands[0]));
	if (a->way >= RAW_ONE)
		return enqueue_raw(a, sess);
	enqueue_op(a);
	return 1;
}

/* Compares descriptors and command of the operation. */
static void
expect_aad(const struct aad *a, bool inside)
{
	const bool segments = a->way == SEGMENTS || a->way == RAW_SEGMENTS;
	const struct accel_hw_command *cmd = &fake.commands[0];
	uint32_t slot = 1;

	assert_words(&fake.qp.tx, 0, T2_CMD_NEXT | LEN(64));
	if (!inside && a->len != 0) {
		assert_words(&fake.qp.tx, slot,
			     T2_NEXT | LEN(a->len) | ((a->iova + a->offset) & (GIB - 1)));
		slot++;
	}
	if (segments) {
		assert_words(&fake.qp.tx, slot, T2_NEXT | LEN(64) | 0x1000,
			     T2 | LEN(64) | 0x2000);
		slot++;
	} else {
		assert_words(&fake.qp.tx, slot, T2 | LEN(64) | 0x1000);
	}
	assert_int_equal(fake.qp.tx.prod, slot + 1);
	assert_int_equal(cmd->flags, inside ? ACCEL_HW_CMD_AAD_IN_COMMAND : 0);
	assert_int_equal(cmd->aad_len, a->len);
	if (inside)
		assert_memory_equal(cmd->auth_iv, page_end - a->len, a->len);
	for (unsigned int i = inside ? a->len : 0; i < sizeof(cmd->auth_iv); i++)
		assert_int_equal(cmd->auth_iv[i], 0xee);
}

/* AAD of 1 to 16 bytes is in the command, whatever its offset. Longer AAD is a fragment. */
static void
test_lengths(void **state)
{
	(void)state;
	for (int way = FAST; way < WAYS; way++) {
		for (uint16_t len = 0; len <= LONGEST; len++) {
			for (int ccm = 0; ccm < 2; ccm++) {
				const struct aad a = {
					.way = (enum way)way, .len = len, .card = true,
					.offset = ccm ? ACCEL_CCM_AAD_OFFSET : 0, .seen = true,
					.iova = AAD_IOVA,
				};

				assert_int_equal(enqueue(&a), 1);
				expect_aad(&a, len >= 1 && len <= 16);
			}
		}
	}
}

/* A card that does not take it gets a fragment, and so does AAD that the CPU cannot read. */
static void
test_fragment(void **state)
{
	(void)state;
	for (int way = FAST; way < WAYS; way++) {
		for (uint16_t len = 1; len <= LONGEST; len++) {
			const struct aad without = {
				.way = (enum way)way, .len = len, .seen = true, .iova = AAD_IOVA,
			};
			const struct aad unseen = {
				.way = (enum way)way, .len = len, .card = true, .iova = AAD_IOVA,
			};

			assert_int_equal(enqueue(&without), 1);
			expect_aad(&without, false);
			assert_int_equal(enqueue(&unseen), 1);
			expect_aad(&unseen, false);
		}
	}
}

/* AAD in a command needs no IOVA. Without either address the operation is refused. */
static void
test_no_iova(void **state)
{
	struct rte_crypto_op *op;
	struct fake_op f;

	(void)state;
	for (int way = FAST; way < WAYS; way++) {
		struct aad a = { .way = (enum way)way, .len = 12, .card = true, .seen = true };

		assert_int_equal(enqueue(&a), 1);
		expect_aad(&a, true);
		a.seen = false;
		if (way >= RAW_ONE)
			assert_int_equal(enqueue(&a), 0);
	}
	setup(NULL);
	fake.qp.aad_in_command = ACCEL_HW_IV_MAX;
	make_session(&(struct aad){ .len = 12 });
	op = op_at(&f, CMD_IOVA + 0x1000, 64);
	f.sym.aead.data.offset = 0;
	f.sym.aead.data.length = 64;
	f.sym.aead.digest.phys_addr = CMD_IOVA + 0x6000;
	rte_log_set_global_level(RTE_LOG_EMERG);
	assert_int_equal(accel_enqueue_burst(&fake.qp, &op, 1), 1);
	assert_refused(0, op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}

/* In one burst AAD is in the command, a fragment, and in the command again. */
static void
test_mixed_burst(void **state)
{
	static const struct aad a = { .way = FAST, .len = 12, .card = true, .seen = true,
				      .iova = AAD_IOVA };
	struct rte_crypto_op *ops[6];
	struct fake_op f[6];
	uint32_t at = 0;

	(void)state;
	setup(NULL);
	fake.qp.aad_in_command = ACCEL_HW_IV_MAX;
	fake.qp.tx.region = fake.qp.rx.region = accel_region_of(CMD_IOVA);
	make_session(&a);
	for (unsigned int i = 0; i < 6; i++) {
		ops[i] = op_at(&f[i], CMD_IOVA + 0x1000, 64);
		f[i].sym.aead.data.offset = 0;
		f[i].sym.aead.data.length = 64;
		f[i].sym.aead.aad.data = i / 2 % 2 == 0 ? page_end - 12 : NULL;
		f[i].sym.aead.aad.phys_addr = AAD_IOVA;
		f[i].sym.aead.digest.phys_addr = CMD_IOVA + 0x6000;
	}
	assert_int_equal(accel_enqueue_burst(&fake.qp, ops, 6), 6);
	for (unsigned int i = 0; i < 6; i++) {
		const bool inside = i / 2 % 2 == 0;

		assert_int_equal(fake.commands[i].flags, inside ? ACCEL_HW_CMD_AAD_IN_COMMAND : 0);
		at += inside ? 2 : 3;
		assert_int_equal(fake.inflight[i].tx_end, at);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_fragment),
		cmocka_unit_test(test_no_iova),
		cmocka_unit_test(test_mixed_burst),
	};

	return cmocka_run_group_tests(tests, setup_page, NULL);
}
