/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log lines that data can cause. Neither many bad operations nor a device that fails again and
 * again fills the log, and each line that is left out is counted in a later one.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_security_driver.h>

#include "accel_dev.h"
#include "accel_logs.h"
#include "accel_queue.h"
#include "accel_session.h"
#include "accel_watch.h"
#include "rte_pmd_accel.h"
#include "driver_base/eal.h"

#define NB_OPS 1000u

static uint8_t dev_id;
static struct accel_qp *qp;
static struct rte_mempool *ops;
static char *log_text;
static size_t log_size;
static FILE *log_file;
static uint64_t started; /* TSC */

static int
plug(void **state)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1 };
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 64 };

	(void)state;
	assert_int_equal(rte_eal_hotplug_add("vdev", "crypto_accel0",
					     "cores=inline,queue_pairs=1,timeout_ms=10"), 0);
	dev_id = (uint8_t)rte_cryptodev_get_dev_id("crypto_accel0");
	assert_int_equal(rte_cryptodev_configure(dev_id, &config), 0);
	assert_int_equal(rte_cryptodev_queue_pair_setup(dev_id, 0, &conf, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_cryptodev_start(dev_id), 0);
	qp = rte_cryptodev_pmd_get_dev(dev_id)->data->queue_pairs[0];
	log_file = open_memstream(&log_text, &log_size);
	assert_non_null(log_file);
	rte_openlog_stream(log_file);
	started = rte_get_tsc_cycles();
	return 0;
}

static int
unplug(void **state)
{
	(void)state;
	rte_openlog_stream(NULL);
	fclose(log_file);
	free(log_text);
	return rte_eal_hotplug_remove("vdev", "crypto_accel0");
}

/* Counts the lines with this text. *left_out is the sum of the lines that they say were left
 * out. */
static unsigned int
count_lines(const char *text, uint64_t *left_out)
{
	unsigned int n = 0;
	char *line, *next;

	fflush(log_file);
	*left_out = 0;
	for (line = log_text; line != NULL && *line != '\0'; line = next) {
		char *told;

		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		told = strrchr(line, '(');
		if (strstr(line, text) != NULL) {
			n++;
			if (told != NULL && strstr(told, "lines like this were left out") != NULL)
				*left_out += strtoull(told + 1, NULL, 10);
		}
		if (next != NULL)
			next[-1] = '\n';
	}
	return n;
}

/* There is one limit for each window that passed, and for the window that the test opens. */
static unsigned int
most_lines(void)
{
	const uint64_t windows = (rte_get_tsc_cycles() - started) /
				 (ACCEL_LOG_LIMIT_S * rte_get_tsc_hz());

	return (unsigned int)(windows + 2) * ACCEL_LOG_LIMIT_LINES;
}

static void
bad_op(unsigned int i)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	struct rte_crypto_op *back = NULL;

	assert_non_null(op);
	if (i % 2 == 0) /* One has no session, the other one no known type. */
		op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	else
		op->type = RTE_CRYPTO_OP_TYPE_UNDEFINED;
	op->sym->session = NULL;
	assert_int_equal(rte_cryptodev_enqueue_burst(dev_id, 0, &op, 1), 1);
	while (rte_cryptodev_dequeue_burst(dev_id, 0, &back, 1) == 0)
		;
	assert_ptr_equal(back, op);
	assert_int_not_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	rte_crypto_op_free(op);
}

/* Two reasons of refusal alternate. */
static void
test_bad_ops(void **state)
{
	unsigned int i, lines;
	uint64_t left_out;

	(void)state;
	for (i = 0; i < NB_OPS; i++)
		bad_op(i);
	lines = count_lines("it comes back with status", &left_out);
	assert_in_range(lines, 2, most_lines());
	qp->refusal_log.since = 1; /* This opens a new window. */
	bad_op(0);
	lines = count_lines("it comes back with status", &left_out);
	assert_int_equal(lines + left_out, NB_OPS + 1);
	assert_in_range(lines, 2, most_lines());
}

/* Opens a new window of a limit of the device. */
static struct accel_dev *
new_window(enum accel_refused which)
{
	struct accel_dev *dev = qp->dev;

	dev->refused_log[which].since = 1;
	return dev;
}

/* Checks that lines with this text were limited, and that they say how many there were. */
static void
expect_limited(const char *text, uint64_t nb)
{
	uint64_t left_out;
	const unsigned int lines = count_lines(text, &left_out);

	assert_int_equal(lines + left_out, nb);
	assert_in_range(lines, 2, most_lines());
}

/* Enqueues an operation that brings its transform, and gets it back. */
static void
sessionless_op(struct rte_mempool *pool, enum rte_crypto_op_type type, void *xform)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(pool, type), *back = NULL;
	struct rte_mbuf m = { .nb_segs = 1 };

	assert_non_null(op);
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	if (type == RTE_CRYPTO_OP_TYPE_SYMMETRIC) {
		op->sym->m_src = &m;
		op->sym->xform = xform;
	} else {
		op->asym->xform = xform;
	}
	assert_int_equal(rte_cryptodev_enqueue_burst(dev_id, 0, &op, 1), 1);
	while (rte_cryptodev_dequeue_burst(dev_id, 0, &back, 1) == 0)
		;
	assert_int_not_equal(back->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	rte_crypto_op_free(back);
}

static void
test_sessionless(void **state)
{
	struct rte_crypto_sym_xform sym = { .type = RTE_CRYPTO_SYM_XFORM_CIPHER };
	struct rte_crypto_asym_xform asym = { .xform_type = RTE_CRYPTO_ASYM_XFORM_MODEX };
	struct rte_mempool *pool = rte_crypto_op_pool_create("asym", RTE_CRYPTO_OP_TYPE_ASYMMETRIC,
							     63, 0, 0, SOCKET_ID_ANY);
	unsigned int i;

	(void)state;
	assert_non_null(pool);
	for (i = 0; i < NB_OPS; i++) {
		if (i == NB_OPS - 1) {
			new_window(ACCEL_REFUSED_SYM);
			new_window(ACCEL_REFUSED_ASYM);
		}
		sessionless_op(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC, &sym);
		sessionless_op(pool, RTE_CRYPTO_OP_TYPE_ASYMMETRIC, &asym);
	}
	expect_limited(": session refused", NB_OPS);
	expect_limited(": asymmetric session refused", NB_OPS);
	rte_mempool_free(pool);
}

/* Sessions of protocols, whose parameters a peer may choose, and memory of a wrong mempool. */
static void
test_sessions(void **state)
{
	static const struct {
		enum rte_security_session_protocol protocol;
		enum accel_refused limit;
		const char *text;
	} rows[] = {
		{ RTE_SECURITY_PROTOCOL_IPSEC, ACCEL_REFUSED_IPSEC, ": IPsec session refused" },
		{ RTE_SECURITY_PROTOCOL_PDCP, ACCEL_REFUSED_PDCP, ": PDCP domain" },
		{ RTE_SECURITY_PROTOCOL_DOCSIS, ACCEL_REFUSED_SECURITY, ": action" },
	};
	static alignas(64) uint8_t memory[4096];
	struct rte_cryptodev *cryptodev = rte_cryptodev_pmd_get_dev(dev_id);
	const struct rte_security_ctx *ctx = rte_cryptodev_get_sec_ctx(dev_id);
	struct accel_session sess = { 0 };
	unsigned int i, row;

	(void)state;
	for (row = 0; row < RTE_DIM(rows); row++) {
		struct rte_security_session_conf conf = {
			.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL,
			.protocol = rows[row].protocol,
		};

		for (i = 0; i < NB_OPS; i++) {
			if (i == NB_OPS - 1)
				new_window(rows[row].limit);
			assert_true(ctx->ops->session_create(cryptodev, &conf,
							     (void *)memory) < 0);
		}
		expect_limited(rows[row].text, NB_OPS);
	}
	for (i = 0; i < NB_OPS; i++) {
		struct accel_dev *dev = qp->dev;

		if (i == NB_OPS - 1)
			dev = new_window(ACCEL_REFUSED_IOVA);
		assert_int_equal(accel_session_name(dev, &sess, 1), -EINVAL);
	}
	expect_limited("is not aligned", NB_OPS);
}

/* A line names the field that is wrong. */
static void
test_fields(void **state)
{
	static uint8_t key[64];
	struct rte_crypto_sym_xform good = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT, .algo = RTE_CRYPTO_CIPHER_AES_XTS,
			.key = { .data = key, .length = 32 }, .iv = { .length = 16 },
		},
	}, x[7];
	static const char *const text[RTE_DIM(x)] = {
		"refused, the halves of key.data are equal", "refused, key.data is NULL",
		"refused, the algorithm has no such key.length",
		"refused, the algorithm has no such iv.length",
		"refused, the device does not offer this dataunit_len", "refused, op neither",
		"refused, the driver does not know the algorithm",
	};
	struct accel_session sess;
	uint64_t left_out;
	unsigned int i;

	(void)state;
	memset(key, 1, sizeof(key));
	for (i = 0; i < RTE_DIM(x); i++)
		x[i] = good;
	x[1].cipher.key.data = NULL;
	x[2].cipher.key.length = 31;
	x[3].cipher.iv.length = 8;
	x[4].cipher.dataunit_len = 77;
	x[5].cipher.op = (enum rte_crypto_cipher_operation)7;
	x[6].cipher.algo = (enum rte_crypto_cipher_algorithm)777;
	for (i = 0; i < RTE_DIM(x); i++) {
		memset(&sess, 0, sizeof(sess));
		assert_true(accel_session_make(qp->dev, &x[i], &sess, 64) < 0);
		if (count_lines(text[i], &left_out) != 1)
			fail_msg("\"%s\" is not in: %s", text[i], log_text);
	}
}

/* The device fails with a wrong pointer after each start. */
static void
test_failures(void **state)
{
	unsigned int i, lines;
	uint64_t left_out;

	(void)state;
	for (i = 0; i < NB_OPS; i++) {
		if (i == NB_OPS - 1)
			qp->fail_log.since = 1; /* This opens a new window. */
		accel_qp_nonsense(qp, UINT32_MAX);
		assert_int_equal(qp->mode, ACCEL_QP_FAILED);
		assert_int_equal(rte_pmd_accel_qp_reset(dev_id, 0), 0);
	}
	lines = count_lines("beyond the response ring", &left_out);
	assert_int_equal(lines + left_out, NB_OPS);
	assert_in_range(lines, 2, most_lines());
}

/* Lines below the log level do not count. A new queue pair keeps the limit of the old one. */
static void
test_limit(void **state)
{
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 128 };
	struct accel_log_limit limit = { 0 };
	const uint64_t hz = rte_get_tsc_hz();
	unsigned int i, n = 0;
	uint32_t left_out, sum = 0;

	(void)state;
	rte_log_set_level(accel_logtype, RTE_LOG_ERR);
	for (i = 0; i < 100; i++)
		ACCEL_LOG_LIMITED(&limit, WARNING, "not seen");
	rte_log_set_level(accel_logtype, RTE_LOG_NOTICE);
	assert_int_equal(limit.since, 0);
	for (i = 0; i < 100; i++) {
		if (accel_log_pass(&limit, &left_out)) {
			sum += left_out;
			n++;
		}
		if (i == 49)
			limit.since -= ACCEL_LOG_LIMIT_S * hz;
	}
	assert_int_equal(n, 2 * ACCEL_LOG_LIMIT_LINES);
	assert_int_equal(sum, 50 - ACCEL_LOG_LIMIT_LINES);
	assert_int_equal(limit.left_out, 50 - ACCEL_LOG_LIMIT_LINES);

	bad_op(0);
	bad_op(1);
	rte_cryptodev_stop(dev_id);
	assert_int_equal(rte_cryptodev_queue_pair_setup(dev_id, 0, &conf, SOCKET_ID_ANY), 0);
	qp = rte_cryptodev_pmd_get_dev(dev_id)->data->queue_pairs[0];
	assert_int_equal(qp->refusal_log.lines, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_bad_ops, plug, unplug),
		cmocka_unit_test_setup_teardown(test_sessionless, plug, unplug),
		cmocka_unit_test_setup_teardown(test_sessions, plug, unplug),
		cmocka_unit_test_setup_teardown(test_fields, plug, unplug),
		cmocka_unit_test_setup_teardown(test_failures, plug, unplug),
		cmocka_unit_test_setup_teardown(test_limit, plug, unplug),
	};

	if (start_eal("test_logs") < 0)
		return 1;
	ops = rte_crypto_op_pool_create("ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 63, 0, 16,
					SOCKET_ID_ANY);
	if (ops == NULL)
		return 1;
	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
