/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How functions of one card share it: a greedy one and its neighbour, with engines that are busy
 * for long, and with a pace. No result depends on a clock. A wait is measured in operations of
 * others that completed meanwhile. They are counted before each check of the end, so a test that
 * gets no CPU counts less, never more.
 */
#include "test_model_threads.h"

#define GREEDY 3u /* functions */
#define QUEUES 8u
#define LONG_BYTES (1u << 20)
#define RING 256u

static struct host greedy[GREEDY];
static unsigned int nb_greedy;
static uint8_t *long_mem[GREEDY];
static struct accel_hw_command *long_cmd[GREEDY];

/* Function 0 is the neighbour, on the card of test_model_card.h. */
static void
open_card(struct accel_model_config *config, unsigned int functions)
{
	config->nb_functions = 1 + functions;
	config->nb_queue_pairs = QUEUES;
	config->nb_workers = 1;
	config->idle_us = 100;
	card_open(config, RING, RING);
	nb_greedy = functions;
	for (unsigned int i = 0; i < functions; i++)
		host_attach(&greedy[i], h.model, 1 + i);
}

static int
close_card(void **state)
{
	(void)state;
	accel_model_stop(h.model); /* stops the threads of a test that failed */
	h.threads = false;
	for (unsigned int i = 0; i < nb_greedy; i++)
		host_detach(&greedy[i]);
	nb_greedy = 0;
	host_close(&h);
	return 0;
}

/* 3DES is the slowest algorithm. */
static void
make_long(unsigned int i, bool loopback)
{
	struct host *host = &greedy[i];
	struct accel_hw_context *ctx = new_context(host, 7);

	ctx->cipher_alg = ACCEL_HW_CIPHER_3DES_CBC;
	ctx->cipher_key_len = 24;
	ctx->iv_len = 8;
	for (unsigned int b = 0; b < 24; b++)
		ctx->cipher_key[b] = (uint8_t)(b * 7 + 1);
	long_mem[i] = host_alloc(host, LONG_BYTES, 64);
	long_cmd[i] = loopback ? new_command(host, ACCEL_HW_OP_LOOPBACK, 0) :
				 new_sym(host, ctx, 0, LONG_BYTES, 0);
	long_cmd[i]->cipher_len = LONG_BYTES;
}

/* The operation needs many fragments, because one has less than 64 KiB. */
static void
post_long(struct hostq *to, unsigned int i)
{
	const uint32_t part = LONG_BYTES / 32;
	struct host *host = &greedy[i];

	tx_frag(to, host_iova(host, long_cmd[i]), 64, COMMAND | NEXT);
	for (uint32_t at = 0; at < LONG_BYTES; at += part) {
		const uint64_t more = at + part < LONG_BYTES ? NEXT : 0;

		tx_frag(to, host_iova(host, long_mem[i] + at), part, more);
		rx_frag(to, host_iova(host, long_mem[i] + at), part, more);
	}
}

/* Posts operations on the first queue pairs of a function. */
static void
flood(unsigned int i, unsigned int queues, uint32_t ops)
{
	for (unsigned int n = 0; n < queues; n++) {
		struct hostq *to = &greedy[i].q[n];

		q_start(to, 4096, 4096, RING);
		for (uint32_t op = 0; op < ops; op++)
			post_long(to, i);
		q_ring(to);
	}
}

static uint64_t
completed_of(unsigned int i)
{
	uint64_t ops = 0;

	for (unsigned int n = 0; n < QUEUES; n++)
		ops += rd64(&greedy[i].q[n].dev->ops);
	return ops;
}

static uint64_t
completed(void)
{
	uint64_t ops = 0;

	for (unsigned int i = 0; i < nb_greedy; i++)
		ops += completed_of(i);
	return ops;
}

/* Waits for a condition. Returns how many operations of greedy functions completed before it, at
 * least. */
#define others_until(condition)                                               \
	({                                                                    \
		uint64_t from_ = completed(), to_ = from_, seen_ = from_;      \
		host_until(&h, (seen_ = completed(), (condition)) ||           \
				       (to_ = seen_, false));                 \
		to_ - from_;                                                  \
	})

/* Makes an operation of 32 bytes for the neighbour's first queue pair. */
static struct accel_hw_command *
short_command(void)
{
	struct accel_hw_context *ctx = new_context(&h, 9);

	return new_sym(&h, ctx, 77, 32, 0);
}

static uint64_t
wait_for_short(const struct accel_hw_command *cmd, uint8_t *mem)
{
	uint64_t others;

	q_post(q, cmd, mem, 32, mem, 32);
	q_ring(q);
	others = others_until(rd32(&q->wb->rsp_hhp) != q->rsp_slot);
	expect_response(q, cmd->tag, ACCEL_HW_OK, 32);
	return others;
}

static uint64_t
wait_for_stop(uint32_t how)
{
	const uint32_t control = q_control(q, how);
	const uint64_t others = others_until(rd32(&q->dev->control_ack) == control);

	assert_int_equal(rd32(&q->dev->status), 0);
	q_start(q, RING, RING, RING);
	return others;
}

static uint64_t
wait_for_reset(void)
{
	const uint32_t request = rd32(&h.id->reset_ack) + 1;
	uint64_t others;

	wr32(&h.control->reset_req, request);
	others = others_until(rd32(&h.id->reset_ack) == request);
	q_start(q, RING, RING, RING);
	return others;
}

/* Counts heartbeats while greedy functions complete this many operations or more. */
static uint64_t
beats_during(uint64_t ops)
{
	const uint64_t beat = rd64(&h.id->heartbeat), from = completed();

	host_until(&h, completed() >= from + ops);
	return rd64(&h.id->heartbeat) - beat;
}

static uint64_t
wait_for_beat(void)
{
	const uint64_t beat = rd64(&h.id->heartbeat);

	return others_until(rd64(&h.id->heartbeat) != beat);
}

static uint64_t
greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

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
	print_message("long operations meanwhile: heartbeat %u, operation %u, discard %u, drain "
		      "%u, reset %u\n",
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

/* Pacing. */

/* Opens a card with a pace. At 10 MB/s, 1 MiB takes a tenth of a second. */
static void
open_paced(uint64_t peak_bytes)
{
	struct accel_model_config config = {
		.engine = ACCEL_MODEL_ENGINE_NULL,
		.peak_bytes = peak_bytes,
	};

	open_card(&config, 1);
	make_long(0, true);
}

/* A place in the pace is given back when its operation is thrown away, so others do not wait for
 * it. */
static void
test_pace_given_back(void **state)
{
	const struct accel_hw_command *cmd;
	uint8_t *mem;

	(void)state;
	open_paced(10000000);
	mem = filled(32, 1);
	cmd = short_command();
	for (unsigned int i = 0; i < 10; i++) {
		flood(0, QUEUES, 100);
		polls(20);
		if (i % 3 == 0)
			accel_function_flr(greedy[0].fn);
		else if (i % 3 == 1)
			host_reset(&greedy[0]);
		for (unsigned int n = 0; n < QUEUES && i % 3 == 2; n++)
			q_command(&greedy[0].q[n], ACCEL_HW_QP_CMD_STOP_DISCARD);
	}
	wait_for_short(cmd, mem);
}

/* A neighbour waits for operations under way, but not for all that were posted before. */
static void
test_pace_of_neighbour(void **state)
{
	const struct accel_hw_command *cmd;
	uint64_t others = 0;
	uint8_t *mem;

	(void)state;
	open_paced(10000000);
	mem = filled(32, 1);
	cmd = short_command();
	flood(0, QUEUES, 100);
	polls(20);
	for (unsigned int i = 0; i < 5; i++)
		others = greater(others, wait_for_short(cmd, mem));
	assert_in_range(others, 0, 3);
}

/* Giving places back does not exceed the pace. */
static void
test_pace_with_resets(void **state)
{
	const double rate = 200e6;
	uint64_t begin, ops = 0, took;

	(void)state;
	open_paced((uint64_t)rate);
	begin = now_ns();
	for (unsigned int i = 0; i < 20; i++) {
		flood(0, QUEUES, 100);
		for (uint64_t from = completed(); completed() < from + 3;)
			polls(1);
		/* A reset would clear the counters, so the operations before the stop are counted
		 * here. */
		for (unsigned int n = 0; n < QUEUES; n++)
			q_command(&greedy[0].q[n], ACCEL_HW_QP_CMD_STOP_DISCARD);
		ops += completed();
	}
	took = now_ns() - begin;
	/* Bytes are paid after the operation, so the first one is free, and so are 5 ms. */
	assert_true((double)(ops - 1) * LONG_BYTES <= rate * ((double)took + 5e6) / 1e9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, close_card)
		TEST(test_long_operations),
		TEST(test_own_reset),
		TEST(test_shares),
		TEST(test_pace_given_back),
		TEST(test_pace_of_neighbour),
		TEST(test_pace_with_resets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
