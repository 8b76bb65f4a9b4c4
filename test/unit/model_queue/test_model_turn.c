/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How functions of one card share a worker: a greedy one and its neighbour, with engines that are
 * busy for long. No result depends on a clock, see model_greedy.h.
 */
#include "model/turn.h"
#include "model_queue/model_greedy.h"

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

/* Two functions on a worker, with a clock of 1 GHz: a byte takes a tick until more is known. */
static struct turn turn[2];
static struct turn *listed[2];
static struct turns turns;
static uint32_t weight[2];

#define SLICE 1000000u
#define CLOCK(bytes) ((uint64_t)(bytes) << TURN_FRACTION)

static void
two_turns(uint32_t first, uint32_t second)
{
	memset(&turns, 0, sizeof(turns));
	memset(turn, 0, sizeof(turn));
	turns.turn = listed;
	turns_init(&turns, 1000000000);
	weight[0] = first;
	weight[1] = second;
	for (unsigned int i = 0; i < 2; i++) {
		turn[i].weight = &weight[i];
		turn[i].waiting = true;
		turns_add(&turns, &turn[i], i);
	}
	turns_rank(&turns);
}

/* An operation counts as 64 bytes at least, and bytes count by the weight. */
static void
test_bytes(void **state)
{
	(void)state;
	two_turns(1, 3);
	turns_work(&turns, &turn[0], 10, 100);
	turns_work(&turns, &turn[1], 1, 30000);
	turns_rank(&turns);
	assert_int_equal(turn[0].clock, CLOCK(640));
	assert_int_equal(turn[1].clock, CLOCK(10000));
	assert_false(turn_ahead(&turns, &turn[0]));
	assert_true(turn_ahead(&turns, &turn[1]));
	/* It is served if the other one has no work waiting. */
	turn[0].waiting = false;
	turns_rank(&turns);
	assert_false(turn_ahead(&turns, &turn[1]));
	/* That one has saved nothing up when it comes back. */
	turn[0].waiting = true;
	turns_rank(&turns);
	assert_int_equal(turn[0].clock, turn[1].clock);
}

/* A clock may wrap. */
static void
test_clock_wraps(void **state)
{
	(void)state;
	two_turns(1, 1);
	turn[0].clock = turn[1].clock = turns.vtime = UINT64_MAX - CLOCK(100);
	turns_work(&turns, &turn[0], 1, 50000);
	turns_rank(&turns);
	assert_true(turn_ahead(&turns, &turn[0]));
	assert_false(turn_ahead(&turns, &turn[1]));
}

/* Time of anything but well-behaved work is charged as bytes, if that is more, up to a slice. */
static void
test_time(void **state)
{
	(void)state;
	two_turns(1, 1);
	turns_begin(&turns, 1000);
	turns_work(&turns, &turn[0], 1, 100);
	assert_false(turns_share(&turns, &turn[0], 6000, 0, SLICE));
	assert_int_equal(turn[0].clock, CLOCK(100));
	turns_work(&turns, &turn[0], 1, 100);
	assert_false(turns_share(&turns, &turn[0], 10999, 1, SLICE));
	assert_int_equal(turn[0].clock, CLOCK(100 + 5000));
	/* A visit that begins nothing is no gift. */
	assert_false(turns_share(&turns, &turn[1], 11998, 0, SLICE));
	assert_int_equal(turn[1].clock, CLOCK(1000));
	turns_charge(&turns, &turn[1], 500, SLICE, true);
	assert_int_equal(turn[1].clock, CLOCK(1500));
	/* The time of a drain belongs to the jobs that it ended. */
	turns_drained(&turns, 300, 5000);
	turns_charge(&turns, &turn[1], 5000, SLICE, true);
	assert_int_equal(turn[1].clock, CLOCK(1500 + 5000 - 600));
	turns_charge(&turns, &turn[1], 5 * SLICE, SLICE, true);
	assert_int_equal(turn[1].clock, CLOCK(1500 + 5000 - 600 + SLICE));
}

/* The rate is that of well-behaved work, and falls slowly. */
static void
test_rate(void **state)
{
	uint64_t now = 0, before;

	(void)state;
	two_turns(1, 1);
	turns_begin(&turns, now);
	for (unsigned int i = 0; i < 1100; i++) {
		turns_work(&turns, &turn[0], 1, 4000);
		turns_share(&turns, &turn[0], now += 1000, 0, SLICE);
		turns_learn(&turns);
	}
	before = turn[1].clock;
	turns_charge(&turns, &turn[1], 1000, SLICE, true);
	assert_int_equal(turn[1].clock - before, CLOCK(4000));
	for (unsigned int i = 0; i < 4000; i++) {
		turns_work(&turns, &turn[0], 1, 1000);
		turns_share(&turns, &turn[0], now += 1000, 0, SLICE);
		turns_learn(&turns);
	}
	before = turn[1].clock;
	turns_charge(&turns, &turn[1], 1000, SLICE, true);
	assert_in_range(turn[1].clock - before, CLOCK(3900), CLOCK(3999));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, close_card)
		TEST(test_long_operations),
		TEST(test_own_reset),
		TEST(test_shares),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_clock_wraps),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
