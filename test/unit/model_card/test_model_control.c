/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Commands of the host in states and at times in which they have little to do (manual 4.3, 5.4,
 * 6.2, 8.4, 9.1): unknown commands, STOP without running, frames that never become complete,
 * failure, invalidation before a reset.
 */
#include "model_base/model_nops.h"

/* Unknown commands and NONE. */

static const uint32_t without_meaning[] = { ACCEL_HW_QP_CMD_NONE, 4, 99, 255 };

static void
expect_no_effect(uint32_t status)
{
	const uint32_t slot = rd32(&q->dev->error_slot);

	for (unsigned int i = 0; i < 4; i++) {
		q_command(q, without_meaning[i]);
		assert_int_equal(rd32(&q->dev->status), status);
		assert_int_equal(rd32(&q->dev->error_slot), slot);
	}
}

static void
test_unknown_commands(void **state)
{
	(void)state;
	expect_no_effect(ACCEL_HW_QP_RUNNING);
	nops(q, 0, 3);
	expect_nops(q, 0, 3);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	expect_no_effect(ACCEL_HW_QP_STOPPED);
	q_start(q, 256, 256, 256);
	nops(q, 0, 1);
	tx_word(q, UINT64_MAX);
	q_ring(q);
	expect_error(q, ACCEL_HW_QP_ERR_TYPE, ACCEL_HW_RING_TX, 2);
	expect_no_effect(rd32(&q->dev->status));
}

/* While a stop is carried out they wait for its echo. If others had the CPU for so long that the
 * drain is over, there is another try. */
static void
test_unknown_while_stopping(void **state)
{
	struct accel_model_config config = base_config();
	uint32_t stop, unknown;
	uint64_t begin;

	(void)state;
	config.peak_ops = 50;
	do {
		teardown(state);
		open_with(&config);
		begin = now_ns();
		nops(q, 0, 200); /* They take 4 s, and the drain half a second. */
		polls(2);
		stop = q_control(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
		polls(2);
		unknown = q_control(q, 99);
		polls(2);
	} while (now_ns() - begin > UINT64_C(400000000));
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_STOPPING);
	assert_true(rd32(&q->dev->control_ack) != unknown);
	assert_true(rd32(&q->dev->control_ack) != stop);
	host_until(&h, rd32(&q->dev->control_ack) == unknown);
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_STOPPED);
}

/* STOP in state error or stopped. */

static void
stop_silently(uint32_t command)
{
	const uint32_t rsp = rd32(&q->dev->rsp_hhp), tx = rd32(&q->dev->tx_hdp);
	uint8_t *copy = malloc(HOST_MEM);

	memcpy(copy, h.mem, HOST_MEM);
	q_command(q, command);
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_STOPPED);
	assert_int_equal(rd32(&q->dev->error_slot), 0);
	assert_int_equal(rd32(&q->dev->rsp_hhp), rsp);
	assert_int_equal(rd32(&q->dev->tx_hdp), tx);
	assert_memory_equal(copy, h.mem, HOST_MEM);
	free(copy);
}

static void
test_stop_without_running(void **state)
{
	static const uint32_t stop[] = { ACCEL_HW_QP_CMD_STOP_DRAIN, ACCEL_HW_QP_CMD_STOP_DISCARD };

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		nops(q, 0, 5);
		tx_word(q, UINT64_MAX);
		q_ring(q);
		expect_nops(q, 0, 5);
		expect_error(q, ACCEL_HW_QP_ERR_TYPE, ACCEL_HW_RING_TX, 6);
		assert_int_equal(rd32(&q->dev->rsp_hhp), 5);
		memset(q->wb, 0x55, sizeof(*q->wb));
		stop_silently(stop[i]);
		stop_silently(stop[1 - i]);
		/* No memory is needed either. */
		accel_function_dma_unmap_all(h.fn);
		stop_silently(stop[i]);
		assert_int_equal(accel_function_dma_map(h.fn, HOST_IOVA, h.mem, HOST_MEM,
							ACCEL_MODEL_DMA_READ |
								ACCEL_MODEL_DMA_WRITE),
				 0);
		q_start(q, 256, 256, 256);
	}
}

/* Frames that are larger than their ring (manual 6.2). */

/* Fills the TX ring with the begin of one frame. */
static void
post_endless_request(void)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);

	q_start(q, 8, 8, 8);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	while (q->tx_sdp != 7)
		tx_frag(q, host_iova(&h, h.mem), 8, NEXT);
	q_ring(q);
}

/* The same for a complete request and the RX ring. */
static void
post_endless_result(void)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);

	q_start(q, 8, 8, 8);
	cmd->cipher_len = 8;
	q_post(q, cmd, h.mem, 8, NULL, 0);
	while (q->rx_sdp != 7)
		rx_frag(q, host_iova(&h, h.mem), 8, NEXT);
	q_ring(q);
}

static void
check_endless(void (*post)(void))
{
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	for (unsigned int how = 0; how < 3; how++) {
		post();
		wait_ms(5);
		assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_RUNNING);
		assert_int_equal(rd32(&q->wb->rsp_hhp), 0);
		if (how == 2)
			host_reset(&h);
		else
			q_command(q, how == 0 ? ACCEL_HW_QP_CMD_STOP_DRAIN :
						ACCEL_HW_QP_CMD_STOP_DISCARD);
		assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_STOPPED);
		assert_int_equal(rd32(&q->wb->rsp_hhp), 0);
	}
	q_start(q, 256, 256, 256);
	nops(q, 0, 2);
	expect_nops(q, 0, 2);
}

static void
test_request_larger_than_ring(void **state)
{
	(void)state;
	check_endless(post_endless_request);
}

static void
test_result_larger_than_ring(void **state)
{
	(void)state;
	check_endless(post_endless_result);
}

/* State fatal. */

static void
test_fatal(void **state)
{
	struct accel_hw_writeback line;

	(void)state;
	q_start(&h.q[1], 64, 64, 64);
	tx_word(&h.q[1], UINT64_MAX);
	q_ring(&h.q[1]);
	expect_error(&h.q[1], ACCEL_HW_QP_ERR_TYPE, ACCEL_HW_RING_TX, 0);
	q_start(&h.q[2], 64, 64, 64);
	memcpy(&line, h.q[2].wb, sizeof(line));
	assert_int_equal(accel_model_fault(h.model, "fatal@1"), 0);
	nops(q, 0, 2);
	host_until(&h, rd32(&h.id->state) == ACCEL_HW_STATE_FATAL);
	/* STATUS says what it said, in registers and lines. */
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_RUNNING);
	assert_int_equal(rd32(&q->wb->status), ACCEL_HW_QP_RUNNING);
	assert_int_equal(ACCEL_HW_QP_STATUS_STATE(rd32(&h.q[1].dev->status)), ACCEL_HW_QP_ERROR);
	assert_int_equal(rd32(&h.q[2].dev->status), ACCEL_HW_QP_RUNNING);
	assert_int_equal(rd32(&h.q[3].dev->status), ACCEL_HW_QP_STOPPED);
	assert_memory_equal(&line, h.q[2].wb, sizeof(line));
	expect_silence();
	accel_function_flr(h.fn);
}

/* The invalidation page at a reset (manual 8.4). */

static void
expect_copies(uint64_t hits, uint64_t misses)
{
	struct accel_model_stats s;

	assert_int_equal(accel_model_worker_stats(h.model, 0, &s), 0);
	assert_int_equal(s.ctx_hits, hits);
	assert_int_equal(s.ctx_misses, misses);
	assert_int_equal(s.ctx_drops, 0);
}

/* A reset drops all copies and takes the words as they are then, which are no change later. */
static void
test_words_at_reset(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 64, 0);
	uint32_t *word = &h.invalidate[ACCEL_HW_INVALIDATE_INDEX(cmd->context)];
	uint8_t *in = filled(64, 1);

	(void)state;
	expect(cmd, in, 64, in, 64, ACCEL_HW_OK, 64);
	expect_copies(0, 1);
	for (unsigned int i = 0; i < 2; i++) {
		wr32(word, 7 * (i + 1));
		host_reset(&h);
		q_start(q, 256, 256, 256);
		expect(cmd, in, 64, in, 64, ACCEL_HW_OK, 64);
		wait_ms(15);
		expect(cmd, in, 64, in, 64, ACCEL_HW_OK, 64);
		expect_copies(i + 1, i + 2);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_unknown_commands),
		TEST(test_unknown_while_stopping),
		TEST(test_stop_without_running),
		TEST(test_request_larger_than_ring),
		TEST(test_result_larger_than_ring),
		TEST(test_fatal),
		TEST(test_words_at_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
