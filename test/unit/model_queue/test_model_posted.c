/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A card that does not learn of writes that failed (manual 7.4, 9.1): they vanish, and the
 * operation and the queue pair go on. Failed reads are reported as always.
 */
#include "base/ipsec_mb.h"
#include "model_base/model_nops.h"

#define HOLE (HOST_IOVA + HOST_MEM) /* behind the host's memory */
#define READ_ONLY (HOLE + 0x100000)

static uint8_t *read_only, *in, *out;

static int
setup_posted(void **state)
{
	struct accel_model_config config = base_config();

	(void)state;
	config.posted_writes = true;
	config.engine = ACCEL_MODEL_ENGINE_AUTO;
	open_with(&config);
	read_only = filled(4096, 0x11);
	assert_int_equal(accel_function_dma_map(h.fn, READ_ONLY, read_only, 4096,
						ACCEL_MODEL_DMA_READ),
			 0);
	in = pattern(256, 1);
	out = filled(256, 0xcc);
	return 0;
}

static void
run(const struct accel_hw_command *cmd, uint64_t from, uint32_t in_len, uint64_t to,
    uint32_t out_len, uint16_t status, uint32_t produced)
{
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, from, in_len, 0);
	rx_frag(q, to, out_len, 0);
	q_ring(q);
	expect_response(q, cmd->tag, status, produced);
}

static void
test_result(void **state)
{
	struct accel_hw_command *copy = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);
	struct accel_hw_command *sym = new_sym(&h, new_context(&h, 1), 2, 64, 0);
	const uint64_t data = host_iova(&h, in);
	uint8_t *end = h.mem + HOST_MEM - 10;

	(void)state;
	copy->cipher_len = 64;
	memset(end, 0xcc, 10);
	for (unsigned int i = 0; i < 2; i++) {
		const struct accel_hw_command *cmd = i == 0 ? copy : sym;

		run(cmd, data, 64, HOLE + 7, 64, ACCEL_HW_OK, 64);
		run(cmd, data, 64, READ_ONLY, 64, ACCEL_HW_OK, 64);
		/* The bytes that can be written are. */
		run(cmd, data, 64, HOLE - 10, 64, ACCEL_HW_OK, 64);
		run(cmd, data, 64, host_iova(&h, out), 64, ACCEL_HW_OK, 64);
		assert_memory_equal(end, out, 10);
		run(cmd, data, 64, READ_ONLY + 4096 - 20, 64, ACCEL_HW_OK, 64);
	}
	assert_true(is_all(read_only, 0x11, 4096));
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_RUNNING);
}

/* A hole in the middle of a fragment. */
static void
test_hole_in_fragment(void **state)
{
	struct accel_hw_command *copy = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);
	const uint64_t at = HOLE + 0x200000;
	const unsigned int rw = ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE;

	(void)state;
	copy->cipher_len = 60;
	assert_int_equal(accel_function_dma_map(h.fn, at, out, 16, rw), 0);
	assert_int_equal(accel_function_dma_map(h.fn, at + 16, read_only, 8,
						ACCEL_MODEL_DMA_READ),
			 0);
	assert_int_equal(accel_function_dma_map(h.fn, at + 40, out + 40, 16, rw), 0);
	run(copy, host_iova(&h, in), 60, at, 60, ACCEL_HW_OK, 60);
	assert_memory_equal(out, in, 16);
	assert_true(is_all(out + 16, 0xcc, 24));
	assert_memory_equal(out + 40, in + 40, 16);
	assert_true(is_all(out + 56, 0xcc, 200));
	assert_true(is_all(read_only, 0x11, 8));
}

/* Reads: input, context, and the bytes at the destination of an operation on bits. */
static void
test_reads_fail(void **state)
{
	struct accel_hw_command *copy = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);
	struct accel_hw_context *ctx = new_context(&h, 1);
	struct accel_hw_command *sym = new_sym(&h, ctx, 2, 64, 0);
	const uint64_t data = host_iova(&h, in), to = host_iova(&h, out);

	(void)state;
	copy->cipher_len = 64;
	run(copy, HOLE - 1, 64, to, 64, ACCEL_HW_DMA_FAULT, 0);
	sym->context = HOLE;
	run(sym, data, 64, to, 64, ACCEL_HW_DMA_FAULT, 0);
	if (has_ipsec_mb()) {
		ctx->cipher_alg = ACCEL_HW_CIPHER_SNOW3G_UEA2;
		sym->context = host_iova(&h, ctx);
		sym->flags = ACCEL_HW_CMD_BITS;
		sym->cipher_len = 8 * 64;
		run(sym, data, 64, HOLE, 64, ACCEL_HW_DMA_FAULT, 0);
		run(sym, data, 64, READ_ONLY, 64, ACCEL_HW_OK, 64);
	}
	tx_frag(q, HOLE, 64, COMMAND);
	q_ring(q);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, (q->tx_sdp + 255) & 255);
}

/* Responses and the line vanish, and the queue pair goes on. */
static void
test_rings(void **state)
{
	(void)state;
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 64, 64, 64);
	wr64(&q->regs->rsp_base, HOLE);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_RUNNING);
	memset(q->rsp, 0x55, 64 * sizeof(q->rsp[0]));
	nops(q, 0, 5);
	host_until(&h, rd32(&q->wb->rsp_hhp) == 5);
	assert_true(is_all((const uint8_t *)q->rsp, 0x55, 64 * sizeof(q->rsp[0])));
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 64, 64, 64);
	wr64(&q->regs->wb_base, HOLE);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_RUNNING);
	nops(q, 0, 5);
	/* The device page has the pointers, and the responses are there. */
	host_until(&h, rd32(&q->dev->rsp_hhp) == 5);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(q->rsp[i].tag, i);
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_RUNNING);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_STOPPED);
	assert_true(is_all((const uint8_t *)q->wb, 0xee, sizeof(*q->wb)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_posted, teardown)
		TEST(test_result),
		TEST(test_hole_in_fragment),
		TEST(test_reads_fail),
		TEST(test_rings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
