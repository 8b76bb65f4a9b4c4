/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Arguments of the embedded device: defaults, each key, and what is refused.
 */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <rte_common.h>
#include <rte_log.h>

#include <accel_model.h>

#include "accel_dev.h"
#include "accel_logs.h"
#include "accel_vdev_args.h"

static struct accel_vdev_args args;

static void
take(const char *text)
{
	int ret = accel_vdev_args_parse("crypto_accel7", text, &args);

	if (ret != 0)
		fail_msg("\"%s\" is refused: %d", text != NULL ? text : "", ret);
}

static void
test_defaults(void **state)
{
	(void)state;
	take(NULL);
	take("");
	assert_string_equal(args.name, "crypto_accel7");
	assert_int_equal(args.queue_pairs, 8);
	assert_int_equal(args.peak_ops, 0);
	assert_int_equal(args.peak_bytes, 0);
	assert_int_equal(args.driver.timeout_ms, 0);
	assert_int_equal(args.driver.refuse_when_dead, 0);
	assert_int_equal(args.driver.recover, ACCEL_RECOVER_AUTO);
	assert_true(args.driver.wb_count == ACCEL_ARGS_NOT_GIVEN);
	assert_true(args.driver.wb_timeout_ns == ACCEL_ARGS_NOT_GIVEN);
	assert_int_equal(args.idle_us, 100);
	assert_int_equal(args.ctx_cache, 0);
	assert_int_equal(args.bits, 1);
	assert_int_equal(args.command_upper, 1);
	assert_int_equal(args.contract_minor, 7);
	assert_int_equal(args.posted_writes, 0);
	assert_int_equal(args.engine, ACCEL_MODEL_ENGINE_AUTO);
	assert_false(args.is_inline);
	assert_int_equal(args.nb_workers, 1);
	assert_int_equal(args.cpu[0], -1);
	assert_int_equal(args.faults[0], '\0');
}

static void
test_keys(void **state)
{
	(void)state;
	take("queue_pairs=64,peak_ops=5M,peak_bytes=12k,timeout_ms=10,refuse_when_dead=1,"
	     "wb_count=65535,wb_timeout_ns=0,idle_us=7,"
	     "ctx_cache=1,bits=0,command_upper=0,contract_minor=0,posted_writes=1,"
	     "engine=openssl,name=other,socket_id=1,recover=on");
	assert_int_equal(args.driver.recover, ACCEL_RECOVER_ON);
	assert_int_equal(args.queue_pairs, 64);
	assert_int_equal(args.peak_ops, 5000000);
	assert_int_equal(args.peak_bytes, 12000);
	assert_int_equal(args.driver.timeout_ms, 10);
	assert_int_equal(args.driver.refuse_when_dead, 1);
	assert_int_equal(args.driver.wb_count, 65535);
	assert_int_equal(args.driver.wb_timeout_ns, 0);
	assert_int_equal(args.idle_us, 7);
	assert_int_equal(args.ctx_cache, 1);
	assert_int_equal(args.bits, 0);
	assert_int_equal(args.command_upper, 0);
	assert_int_equal(args.contract_minor, 0);
	assert_int_equal(args.posted_writes, 1);
	assert_int_equal(args.engine, ACCEL_MODEL_ENGINE_OPENSSL);
	assert_string_equal(args.name, "other");
	assert_int_equal(args.socket_id, 1);
	take("max_nb_queue_pairs=3,peak_bytes=1G,engine=null,faults=dead@5+status:5@10/3");
	assert_int_equal(args.queue_pairs, 3);
	assert_int_equal(args.peak_bytes, 1000000000);
	assert_int_equal(args.engine, ACCEL_MODEL_ENGINE_NULL);
	assert_string_equal(args.faults, "dead@5+status:5@10/3");
	take("fault=none,engine=ipsec_mb");
	assert_string_equal(args.faults, "none");
	assert_int_equal(args.engine, ACCEL_MODEL_ENGINE_IPSEC_MB);
}

static void
test_cores(void **state)
{
	(void)state;
	take("cores=inline");
	assert_true(args.is_inline);
	take("cores=3");
	assert_int_equal(args.nb_workers, 3);
	assert_int_equal(args.cpu[2], -1);
	take("cores=[5]");
	assert_int_equal(args.nb_workers, 1);
	assert_int_equal(args.cpu[0], 5);
	take("cores=[5,1-3,0],queue_pairs=8");
	assert_int_equal(args.nb_workers, 5);
	assert_int_equal(args.cpu[0], 5);
	assert_int_equal(args.cpu[1], 1);
	assert_int_equal(args.cpu[3], 3);
	assert_int_equal(args.cpu[4], 0);
	take("cores=1:3");
	assert_int_equal(args.nb_workers, 2);
	assert_int_equal(args.cpu[1], 3);
	assert_int_equal(args.nb_engines, 0);
	take("pk_cores=2,cores=[4]");
	assert_int_equal(args.nb_engines, 2);
	assert_int_equal(args.engine_cpu[1], -1);
	assert_int_equal(args.cpu[0], 4);
	take("pk_cores=[7,2-3]");
	assert_int_equal(args.nb_engines, 3);
	assert_int_equal(args.engine_cpu[0], 7);
	assert_int_equal(args.engine_cpu[2], 3);
	assert_int_equal(args.nb_workers, 1);
	assert_int_equal(args.cpu[0], -1);
	take("");
	assert_int_equal(args.pk_share, 10);
	take("pk_share=0");
	assert_int_equal(args.pk_share, 0);
	take("pk_share=90,cores=[4]");
	assert_int_equal(args.pk_share, 90);
	/* There are never more threads than queue pairs. */
	take("cores=4,queue_pairs=2");
	assert_int_equal(args.nb_workers, 2);
}

static void
test_refused(void **state)
{
	static const char *const bad[] = {
		"bogus=1", "queue_pairs", "queue_pairs=", "queue_pairs=0", "queue_pairs=65",
		"queue_pairs=8x", "queue_pairs= 8", "queue_pairs=+8", "queue_pairs=-8",
		"queue_pairs=0x8", "queue_pairs=8,queue_pairs=8",
		"queue_pairs=18446744073709551624", "peak_ops=18446744073709551615G",
		"peak_ops=1T", "peak_ops=1kk", "timeout_ms=9", "wb_count=0", "engine=",
		"recover=1", "recover=no",
		"engine=aes", "cores=", "cores=0", "cores=65", "cores=outline", "cores=[]",
		"cores=[1", "cores=[1,]", "cores=[,1]", "cores=[3-1]", "cores=[1-]", "cores=[1024]",
		"cores=[0-64]", "pk_cores=inline", "pk_cores=0", "pk_cores=[2-1]", "cores=1:",
		"cores=inline,pk_cores=1", "pk_cores=[1],cores=inline", "cores=1:x", "faults=",
		"pk_share=91", "pk_share=-1", "pk_share=", "pk_share=5,pk_cores=1",
		"pk_cores=[1],pk_share=0", "pk_share=5,cores=inline",
		"name=",
		"name=0123456789012345678901234567890123456789012345678901234567890123", "=1",
	};
	unsigned int i;

	(void)state;
	rte_log_set_level(accel_logtype, RTE_LOG_EMERG);
	for (i = 0; i < RTE_DIM(bad); i++) {
		if (accel_vdev_args_parse("crypto_accel7", bad[i], &args) != -EINVAL)
			fail_msg("\"%s\" is accepted", bad[i]);
	}
	rte_log_set_level(accel_logtype, RTE_LOG_NOTICE);
}

/* Takes the log line about the key "bogus", which names all valid ones. */
static void
log_of_bogus(char *text, size_t size, bool embedded)
{
	FILE *file = fmemopen(text, size, "w");
	struct accel_args driver;
	int ret;

	assert_non_null(file);
	assert_int_equal(rte_openlog_stream(file), 0);
	if (embedded)
		ret = accel_vdev_args_parse("crypto_accel7", "bogus=1", &args);
	else
		ret = accel_args_parse("0000:00:04.0", "bogus=1", &driver, NULL);
	assert_int_equal(rte_openlog_stream(NULL), 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(ret, -EINVAL);
}

/* Reads the next "KEY=..." of a text; returns the length of the key with its '=', 0 at the end. */
static size_t
next_key(const char **text)
{
	*text += strspn(*text, " \n");
	return strcspn(*text, "=") + ((*text)[0] != '\0');
}

/* Every key of one text, whose words are "KEY=...", is a key of the other. */
static void
keys_are_in(const char *text, const char *other)
{
	size_t len;

	for (; (len = next_key(&text)) != 0; text += strcspn(text, " \n")) {
		const char *at = other;
		size_t n;

		while ((n = next_key(&at)) != 0 && (n != len || memcmp(at, text, n) != 0))
			at += strcspn(at, " \n");
		if (n == 0)
			fail_msg("\"%.*s\" is not in \"%s\"", (int)len, text, other);
	}
}

/* What dpdk-pmdinfo.py shows has the keys that the driver takes, no more and no less. */
static void
test_registered(void **state)
{
	static const char *const registered[] = {
		ACCEL_ARGS_PARAM_STRING, ACCEL_VDEV_ARGS_PARAM_STRING
	};
	static const char valid[] = "valid are ";
	static char log[2048];
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(registered); i++) {
		const char *keys;

		log_of_bogus(log, sizeof(log), i == 1);
		keys = strstr(log, valid);
		assert_non_null(keys);
		keys += strlen(valid);
		keys_are_in(registered[i], keys);
		keys_are_in(keys, registered[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_cores),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_registered),
	};

	return cmocka_run_group_tests_name("device arguments", tests, NULL, NULL);
}
