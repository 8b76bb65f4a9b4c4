/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Faults that the model injects (accel_model.h).
 */
#include "model_base/model_nops.h"

static void
test_fault_text(void **state)
{
	static const char *const good[] = {
		"dead@1",	"fatal@18446744073", "stall@3/4",
		"status:5@1/1", "dma@2+lost@3",	     "corrupt@1+hhp@2/9",
	};
	static const char *const bad[] = {
		"",	  "dead",      "dead@",	     "dead@0",	    "dead@-1",	"dead@x",
		"dead@1x", "dead@1/",   "dead@1/0",   "dead@1+",     "+dead@1",	"dead@1++lost@2",
		" dead@1", "dead @1",   "status@1",   "status:@1",   "status:65536@1", "status:1",
		"none+dead@1", "dead@99999999999999999999", "None", "deadly@1", "lost:3@1",
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(accel_model_fault(h.model, good[i]), 0);
	assert_int_equal(accel_model_fault(h.model, "none"), 0);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(accel_model_fault(h.model, bad[i]), -22);
	nops(q, 0, 20);
	expect_nops(q, 0, 20);
	assert_non_null(accel_model_fault_help());
}

static void
test_fault_status(void **state)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 0);
	uint8_t *in = host_alloc(&h, 16, 16), *out = host_alloc(&h, 16, 16);

	(void)state;
	cmd->cipher_len = 16;
	memset(in, 0x33, 16);
	nops(q, 0, 2); /* Operations before the call are not counted. */
	expect_nops(q, 0, 2);
	assert_int_equal(accel_model_fault(h.model, "status:7@2/3+dma@3"), 0);
	for (unsigned int i = 1; i <= 9; i++) {
		memset(out, 0, 16);
		cmd->tag = i;
		q_post(q, cmd, in, 16, out, 16);
		q_ring(q);
		if (i == 2 || i == 5 || i == 8) {
			expect_response(q, i, ACCEL_HW_ENGINE_ERROR, 0);
			assert_int_equal(out[0], 0);
		} else if (i == 3) {
			expect_response(q, i, ACCEL_HW_DMA_FAULT, 0);
		} else {
			expect_response(q, i, ACCEL_HW_OK, 16);
			assert_int_equal(out[0], 0x33);
		}
	}
	assert_int_equal(q->dev->op_errors, 4);
	assert_int_equal(accel_model_fault(h.model, "none"), 0);
	nops(q, 0, 20);
	expect_nops(q, 0, 20);
}

static void
test_fault_lost_and_corrupt(void **state)
{
	(void)state;
	assert_int_equal(accel_model_fault(h.model, "lost@3+corrupt@5"), 0);
	nops(q, 1, 6);
	expect_nops(q, 1, 2);
	expect_nops(q, 4, 1); /* It takes the slot of the lost one. */
	assert_true(q_response(q).tag != 5);
	expect_nops(q, 6, 1);
	assert_int_equal(rd32(&q->wb->tx_hdp), q->tx_sdp);
	assert_int_equal(rd32(&q->wb->rsp_hhp), 5);
}

static void
test_fault_hhp(void **state)
{
	(void)state;
	assert_int_equal(accel_model_fault(h.model, "hhp@3"), 0);
	nops(q, 0, 2);
	expect_nops(q, 0, 2);
	nops(q, 2, 1);
	host_until(&h, rd32(&q->wb->rsp_hhp) != 2);
	assert_true(rd32(&q->wb->rsp_hhp) >= 256);
	assert_int_equal(accel_model_fault(h.model, "none"), 0);
	nops(q, 3, 1);
	host_until(&h, rd32(&q->wb->rsp_hhp) == 4);
	expect_nops(q, 2, 2);
}

static void
test_fault_stall(void **state)
{
	uint32_t control;

	(void)state;
	q_start(&h.q[1], 64, 64, 64);
	assert_int_equal(accel_model_fault(h.model, "stall@3"), 0);
	nops(q, 0, 6);
	expect_nops(q, 0, 2);
	wait_ms(10);
	assert_int_equal(rd32(&q->wb->rsp_hhp), 2);
	nops(&h.q[1], 0, 6); /* Other queue pairs go on. */
	expect_nops(&h.q[1], 0, 6);
	control = q_control(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	wait_ms(10);
	assert_true(rd32(&q->dev->control_ack) != control);
	assert_int_equal(rd32(&q->dev->status), 1);
	host_reset(&h);
	q_start(q, 256, 256, 256);
	nops(q, 0, 6);
	expect_nops(q, 0, 6);
}

static void
test_fault_dead(void **state)
{
	uint64_t beat;
	uint32_t ack, control;

	(void)state;
	assert_int_equal(accel_model_fault(h.model, "dead@3"), 0);
	nops(q, 0, 6);
	expect_nops(q, 0, 3);
	beat = rd64(&h.id->heartbeat);
	expect_silence();
	assert_int_equal(rd32(&q->wb->rsp_hhp), 3);
	assert_true(beat == rd64(&h.id->heartbeat));
	control = q_control(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	ack = rd32(&h.id->reset_ack);
	wr32(&h.control->reset_req, ack + 1);
	wait_ms(10);
	assert_int_equal(rd32(&h.id->reset_ack), ack);
	assert_true(rd32(&q->dev->control_ack) != control);
	assert_int_equal(rd32(&h.id->state), 1); /* The state does not tell. */
	accel_function_flr(h.fn);
	host_reset(&h);
	q_start(q, 256, 256, 256);
	nops(q, 0, 6);
	expect_nops(q, 0, 6);
}

static void
test_fault_fatal(void **state)
{
	(void)state;
	assert_int_equal(accel_model_fault(h.model, "fatal@3"), 0);
	nops(q, 0, 6);
	expect_nops(q, 0, 3);
	host_until(&h, rd32(&h.id->state) == 3);
	assert_int_equal(rd32(&h.id->fatal_code), 1);
	expect_silence();
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&h.id->state), 1);
	assert_int_equal(rd32(&h.id->fatal_code), 0);
	q_start(q, 256, 256, 256);
	nops(q, 0, 6);
	expect_nops(q, 0, 6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_fault_text),
		TEST(test_fault_status),
		TEST(test_fault_lost_and_corrupt),
		TEST(test_fault_hhp),
		TEST(test_fault_stall),
		TEST(test_fault_dead),
		TEST(test_fault_fatal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
