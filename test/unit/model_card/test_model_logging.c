/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log lines that a function's host can cause. Few of them pass, the others are counted, and no
 * function hides the lines of another one.
 */
#include <pthread.h>

#include "model_base/model_card.h"

#define ERRORS 1000u
#define AT_ONCE 32u /* lines, then one each second */

static struct {
	unsigned int errors[2]; /* lines about errors, of each function */
	uint64_t left_out[2];
	unsigned int others;
} heard;

static void
hear(void *arg, enum accel_model_log_level level, const char *msg)
{
	unsigned int fn = 0, qp, code;
	unsigned long long nb;
	char name[16], ring[16];

	(void)arg;
	if (sscanf(msg, "function %u: queue pair %u: error %15s (%u) of the %15[A-Z] ring", &fn,
		   &qp, name, &code, ring) == 5 && fn < 2) {
		assert_string_equal(name, "TYPE");
		assert_int_equal(code, ACCEL_HW_QP_ERR_TYPE);
		assert_string_equal(ring, "TX");
		assert_int_equal(level, ACCEL_MODEL_LOG_INFO);
		heard.errors[fn]++;
	} else if (sscanf(msg, "function %u: %llu lines were left out", &fn, &nb) == 2 && fn < 2) {
		if (level == ACCEL_MODEL_LOG_INFO)
			heard.left_out[fn] += nb;
	} else {
		heard.others++;
	}
}

static int
setup(void **state)
{
	const struct accel_model_config config = {
		.nb_functions = 2,
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL,
		.log = hear,
	};

	(void)state;
	memset(&heard, 0, sizeof(heard));
	card_open(&config, 64, 64);
	return 0;
}

/* A descriptor of no known type stops the queue pair, which is then started again. */
static void
one_error(struct hostq *queue)
{
	tx_word(queue, UINT64_C(1) << 62);
	q_ring(queue);
	host_until(queue->host, (rd32(&queue->dev->status) & 0xff) == 3);
	q_command(queue, ACCEL_HW_QP_CMD_STOP_DISCARD);
	q_start(queue, 64, 64, 64);
}

static void
test_errors(void **state)
{
	uint64_t begin = now_ns(), seconds;

	(void)state;
	for (unsigned int i = 0; i < ERRORS; i++)
		one_error(q);
	seconds = (now_ns() - begin) / 1000000000u + 1;
	assert_true(heard.errors[0] >= AT_ONCE);
	assert_true(heard.errors[0] <= AT_ONCE + seconds);
	/* After some time a line passes again and says how many were left out. */
	for (unsigned int nb = heard.errors[0], more = 1; ; more++) {
		const struct timespec pause = { .tv_nsec = 20000000 };

		one_error(q);
		if (heard.errors[0] != nb) {
			assert_int_equal(heard.errors[0] + heard.left_out[0], ERRORS + more);
			break;
		}
		nanosleep(&pause, NULL);
	}
	assert_int_equal(heard.errors[1] + heard.left_out[1], 0);
}

/* Resets are logged on another level, which has a limit of its own. */
static void
test_levels(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < ERRORS; i++)
		host_reset(&h);
	assert_true(heard.others >= AT_ONCE && heard.others < ERRORS);
	q_start(q, 64, 64, 64);
	one_error(q);
	assert_int_equal(heard.errors[0], 1);
}

/* Lines of the embedder about one function count only for this function. */
static void
test_functions(void **state)
{
	struct accel_function *other = accel_model_function(h.model, 1);
	uint64_t left_out;

	(void)state;
	for (unsigned int i = 0; i < ERRORS; i++)
		accel_function_may_log(other, ACCEL_MODEL_LOG_INFO, &left_out);
	assert_true(accel_function_may_log(other, ACCEL_MODEL_LOG_WARNING, &left_out));
	assert_int_equal(left_out, 0);
	for (unsigned int i = 0; i < AT_ONCE; i++)
		one_error(q);
	assert_int_equal(heard.errors[0], AT_ONCE);
	assert_int_equal(heard.left_out[0], 0);
}

/* With many threads, each line is allowed or counted exactly once. */
#define THREADS 4u
#define CALLS 200000u

struct caller {
	pthread_t thread;
	struct accel_function *fn;
	uint64_t told; /* allowed, and left out before these */
};

static void *
ask(void *arg)
{
	struct caller *a = arg;
	uint64_t left_out;

	for (unsigned int i = 0; i < CALLS; i++) {
		if (accel_function_may_log(a->fn, ACCEL_MODEL_LOG_ERR, &left_out))
			a->told += 1 + left_out;
	}
	return NULL;
}

static void
test_threads(void **state)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	struct caller a[THREADS];
	uint64_t told = 0, left_out, asked = THREADS * CALLS;

	(void)state;
	for (unsigned int i = 0; i < THREADS; i++) {
		a[i] = (struct caller){ .fn = h.fn };
		assert_int_equal(pthread_create(&a[i].thread, NULL, ask, &a[i]), 0);
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(a[i].thread, NULL);
		told += a[i].told;
	}
	for (asked++; !accel_function_may_log(h.fn, ACCEL_MODEL_LOG_ERR, &left_out); asked++)
		nanosleep(&pause, NULL);
	assert_int_equal(told + 1 + left_out, asked);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_levels, setup, teardown),
		cmocka_unit_test_setup_teardown(test_functions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
