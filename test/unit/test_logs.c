/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log lines that data can cause. Neither many bad operations nor a device that fails again and
 * again fills the log, and each line that is left out is counted in a later one.
 */
#include <setjmp.h>
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
#include <rte_mempool.h>

#include "accel_logs.h"
#include "datapath/accel_queue.h"
#include "datapath/accel_watch.h"
#include "rte_pmd_accel.h"
#include "test_eal.h"

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
