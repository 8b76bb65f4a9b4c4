/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How functions of one card share a worker: a greedy one and its neighbour, with engines that are
 * busy for long. No result depends on a clock, see test_model_greedy.h.
 */
#include "test_model_greedy.h"

/* Three functions with eight queue pairs each keep the engines busy with the longest operations, of
 * some 50 ms each. The limits of manual 4.3, 4.4 and 5.4 hold. */
static void
test_long_operations(void **state)
{
	struct accel_model_config config = { .engine = ACCEL_MODEL_ENGINE_AUTO };
	uint64_t beat = 0, op = 0, stop = 0, drain = 0, reset = 0, beats;
	const struct accel_hw_command *cmd;
	struct device_threads d;
	uint8_t *mem;

	(void)state;
	open_card(&config, GREEDY);
	mem = filled(32, 1);
	cmd = short_command();
	start_threads(&d, 1);
	for (unsigned int i = 0; i < GREEDY; i++) {
		make_long(i, false);
		greedy[i].threads = true;
		flood(i, QUEUES, 60);
	}
	for (unsigned int i = 0; i < 8; i++) {
		beat = greater(beat, wait_for_beat());
		op = greater(op, wait_for_short(cmd, mem));
		stop = greater(stop, wait_for_stop(ACCEL_HW_QP_CMD_STOP_DISCARD));
		drain = greater(drain, wait_for_stop(ACCEL_HW_QP_CMD_STOP_DRAIN));
		reset = greater(reset, wait_for_reset());
	}
	beats = beats_during(8);
	print_message("%u heartbeats in 8 long operations\n", (unsigned int)beats);
	print_message("long operations during each wait: heartbeat %u, operation %u, discard %u, "
		      "drain %u, reset %u\n",
		      (unsigned int)beat, (unsigned int)op, (unsigned int)stop,
		      (unsigned int)drain, (unsigned int)reset);
	/* An engine does a long operation in 16 steps, with heartbeats between them. */
	assert_true(beats >= 8 * 4);
	assert_in_range(beat, 0, 2);
	assert_in_range(op, 0, 3);
	assert_in_range(stop, 0, 3);
	assert_in_range(drain, 0, 4);
	assert_in_range(reset, 0, 6);
	stop_threads(&d);
}

/* A greedy function is stopped and another one reset while all of them have work. */
static void
test_own_reset(void **state)
{
	struct accel_model_config config = { .engine = ACCEL_MODEL_ENGINE_AUTO };
	struct hostq *own = &greedy[0].q[QUEUES - 1];
	uint32_t control, request;
	struct device_threads d;
	uint64_t others;

	(void)state;
	open_card(&config, GREEDY);
	start_threads(&d, 1);
	for (unsigned int i = 0; i < GREEDY; i++) {
		make_long(i, false);
		greedy[i].threads = true;
		flood(i, QUEUES, 60);
	}
	control = q_control(own, ACCEL_HW_QP_CMD_STOP_DISCARD);
	others = others_until(rd32(&own->dev->control_ack) == control);
	assert_in_range(others, 0, 3);
	own = &greedy[1].q[QUEUES - 1];
	request = rd32(&greedy[1].id->reset_ack) + 1;
	wr32(&greedy[1].control->reset_req, request);
	/* A reset clears the counters of its function, so only the first one counts. */
	nb_greedy = 1;
	others = others_until(rd32(&greedy[1].id->reset_ack) == request);
	nb_greedy = GREEDY;
	assert_in_range(others, 0, 6);
	stop_threads(&d);
}

/* A function with eight queue pairs gets no more than one with a single one. */
static void
test_shares(void **state)
{
	struct accel_model_config config = { .engine = ACCEL_MODEL_ENGINE_AUTO };
	struct device_threads d;
	uint64_t many, one, from;

	(void)state;
	open_card(&config, 2);
	start_threads(&d, 1);
	for (unsigned int i = 0; i < 2; i++) {
		make_long(i, false);
		greedy[i].threads = true;
		flood(i, i == 0 ? QUEUES : 1, 60);
	}
	many = completed_of(0);
	one = completed_of(1);
	from = many + one;
	host_until(&h, completed() >= from + 40);
	many = completed_of(0) - many;
	one = completed_of(1) - one;
	stop_threads(&d);
	print_message("8 queue pairs: %u operations, 1 queue pair: %u\n", (unsigned int)many,
		      (unsigned int)one);
	assert_true(one * 5 >= many * 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, close_card)
		TEST(test_long_operations),
		TEST(test_own_reset),
		TEST(test_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
