/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How a queue pair takes requests: many in the rings at once, in frames of all forms, and memory
 * that is taken away between the step that fetches it ahead and the one that uses it.
 */
#include "engine/engine.h"
#include "model_base/model_card.h"

#define OPS 200u
#define LEN 96u
#define HOLE (HOST_IOVA + HOST_MEM) /* addresses behind the host's memory */
#define RW (ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE)

static void
open_with(enum accel_model_engine engine)
{
	card_open_small(engine, 4096, 1024);
}

static int
setup(void **state)
{
	(void)state;
	open_with(ACCEL_MODEL_ENGINE_NULL);
	return 0;
}

/* Returns a buffer below or above the border of two regions of 1 GiB, so that the upper address
 * changes often. */
static uint8_t *
somewhere(uint32_t op, uint32_t slot)
{
	uint32_t half = draw(2) * (HOST_MEM / 2);

	return h.mem + half + HOST_MEM / 4 + (op * 4 + slot) * 256;
}

/* Posts up to four fragments, some with a type 0 that is not needed. */
static void
put_split(bool tx, const uint8_t *p, uint32_t len)
{
	uint32_t parts = draw(3) != 0 ? 1 : 1 + draw(4);

	while (len > 0) {
		uint32_t part = parts > 1 ? 1 + draw(len) : len;
		uint64_t at = host_iova(&h, p), bits;

		parts -= parts > 1;
		bits = part < len ? NEXT : 0;
		if (draw(8) == 0) {
			q->tx_upper = tx ? UINT64_MAX : q->tx_upper;
			q->rx_upper = tx ? q->rx_upper : UINT64_MAX;
		}
		if (tx)
			tx_frag(q, at, part, bits);
		else
			rx_frag(q, at, part, bits);
		p += part;
		len -= part;
	}
}

static void
many_requests(void)
{
	uint32_t tx_from[OPS], tx_to[OPS], rx_from[OPS], rx_to[OPS];
	uint8_t *out[OPS];

	rng_start();
	for (uint32_t i = 0; i < OPS; i++) {
		uint8_t *at = somewhere(i, 0), *in = somewhere(i, 1);
		struct accel_hw_command *cmd;

		if (q->located && at >= h.mem + HOST_MEM / 2)
			at -= HOST_MEM / 2;
		cmd = (void *)at;
		out[i] = somewhere(i, 2);
		memset(cmd, 0, sizeof(*cmd));
		memset(in, (int)i + 1, LEN);
		memset(out[i], 0, LEN);
		cmd->opcode = ACCEL_HW_OP_LOOPBACK;
		cmd->tag = i;
		cmd->cipher_len = LEN;
		tx_from[i] = q->tx_sdp;
		rx_from[i] = q->rx_sdp;
		tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
		put_split(true, in, LEN);
		put_split(false, out[i], LEN);
		tx_to[i] = q->tx_sdp;
		rx_to[i] = q->rx_sdp;
	}
	q_ring(q);
	for (uint32_t i = 0; i < OPS; i++) {
		struct accel_hw_response rsp = q_response(q);

		assert_int_equal(rsp.tag, i);
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		assert_int_equal(rsp.produced, LEN);
		assert_int_equal(rsp.tx_used, tx_to[i] - tx_from[i]);
		assert_int_equal(rsp.rx_used, rx_to[i] - rx_from[i]);
		for (uint32_t k = 0; k < LEN; k++)
			assert_int_equal(out[i][k], (uint8_t)(i + 1));
	}
}

static void
test_many_requests(void **state)
{
	(void)state;
	many_requests();
}

/* All commands lie in one region of 1 GiB, which COMMAND_UPPER holds. */
static void
test_many_requests_located(void **state)
{
	(void)state;
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_locate(q, HOST_IOVA);
	q_start(q, q->tx_size, q->rx_size, q->rsp_size);
	many_requests();
}

/* Maps the upper half of the host's memory a second time. */
static void
map_hole(void)
{
	assert_int_equal(accel_function_dma_map(h.fn, HOLE, h.mem + HOST_MEM / 2, HOST_MEM / 2, RW),
			 0);
}

static uint64_t
in_hole(const void *p)
{
	return HOLE + (uint64_t)((const uint8_t *)p - h.mem) - HOST_MEM / 2;
}

/* One poll completes some requests and fetches more of them ahead. */
static uint32_t
poll_once(void)
{
	accel_model_worker_poll(h.model, 0);
	return rd32(&q->wb->rsp_hhp);
}

static void
test_payload_goes_away(void **state)
{
	const struct accel_hw_context *ctx = new_context(&h, 1);
	uint8_t *data = h.mem + HOST_MEM * 3 / 4;
	uint32_t completed;

	(void)state;
	map_hole();
	for (uint32_t i = 0; i < OPS; i++) {
		const struct accel_hw_command *cmd = new_sym(&h, ctx, i, LEN, 0);

		tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
		tx_frag(q, in_hole(data), LEN, 0);
		rx_frag(q, host_iova(&h, data + (i + 1) * 128), LEN, 0);
	}
	memset(data, 0x5a, LEN);
	q_ring(q);
	completed = poll_once();
	assert_in_range(completed, 1, OPS - 1);
	assert_int_equal(accel_function_dma_unmap(h.fn, HOLE, HOST_MEM / 2), 0);
	for (uint32_t i = 0; i < OPS; i++) {
		const uint8_t *out = data + (i + 1) * 128;

		expect_response(q, i, i < completed ? ACCEL_HW_OK : ACCEL_HW_DMA_FAULT,
				i < completed ? LEN : 0);
		assert_int_equal(out[0], i < completed ? 0x5a : 0);
		assert_int_equal(out[LEN - 1], i < completed ? 0x5a : 0);
	}
}

/* The output of complete requests goes away. A visit leaves them to the next one, because it has
 * moved enough bytes. */
static void
test_output_goes_away(void **state)
{
	const struct accel_hw_context *ctx = new_context(&h, 1);
	uint8_t *data = h.mem + HOST_MEM * 3 / 4;
	const uint32_t len = 65520;
	uint32_t completed;

	(void)state;
	map_hole();
	for (uint32_t i = 0; i < 32; i++) {
		const struct accel_hw_command *cmd = new_sym(&h, ctx, i, len, 0);

		tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
		tx_frag(q, host_iova(&h, data), len, 0);
		rx_frag(q, in_hole(data), len, 0);
	}
	q_ring(q);
	completed = poll_once();
	assert_in_range(completed, 1, 31);
	assert_int_equal(accel_function_dma_unmap(h.fn, HOLE, HOST_MEM / 2), 0);
	for (uint32_t i = 0; i < 32; i++)
		expect_response(q, i, i < completed ? ACCEL_HW_OK : ACCEL_HW_DMA_FAULT,
				i < completed ? len : 0);
}

static void
test_commands_go_away(void **state)
{
	struct accel_hw_command *cmd = (void *)(h.mem + HOST_MEM * 3 / 4);
	uint32_t slot[OPS], completed;

	(void)state;
	map_hole();
	for (uint32_t i = 0; i < OPS; i++) {
		cmd[i].opcode = ACCEL_HW_OP_NOP;
		cmd[i].flags = ACCEL_HW_CMD_NO_RX;
		cmd[i].tag = i;
		tx_frag(q, in_hole(&cmd[i]), 64, COMMAND);
		slot[i] = q->tx_sdp - 1;
	}
	q_ring(q);
	completed = poll_once();
	assert_in_range(completed, 1, OPS - 1);
	assert_int_equal(accel_function_dma_unmap(h.fn, HOLE, HOST_MEM / 2), 0);
	for (uint32_t i = 0; i < completed; i++)
		expect_response(q, i, ACCEL_HW_OK, 0);
	expect_error(q, 9, 0, slot[completed]);
	assert_int_equal(rd32(&q->wb->rsp_hhp), completed);
}

/* The ring of responses goes away while more are to come, which is an error of that ring. */
static void
test_responses_go_away(void **state)
{
	uint32_t completed;

	(void)state;
	map_hole();
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 4096, 4096, 1024);
	q->rsp = (void *)(h.mem + HOST_MEM * 3 / 4);
	wr64(&q->regs->rsp_base, in_hole(q->rsp));
	q_command(q, ACCEL_HW_QP_CMD_START);
	for (uint32_t i = 0; i < OPS; i++) {
		struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_NOP, i);

		cmd->flags = ACCEL_HW_CMD_NO_RX;
		tx_frag(q, host_iova(&h, cmd), 64, COMMAND);
	}
	q_ring(q);
	completed = poll_once();
	assert_in_range(completed, 1, OPS - 1);
	assert_int_equal(accel_function_dma_unmap(h.fn, HOLE, HOST_MEM / 2), 0);
	expect_error(q, 9, 2, completed);
	assert_int_equal(q->rsp[completed - 1].tag, completed - 1);
	assert_true(q->rsp[completed].tx_used == 0);
}

/* Posts requests of one length, all of the same data, and carries them out. Returns what the first
 * visit told the engines. It knows the length of requests from the ones before. */
static bool
uncached_after(uint32_t nb, uint32_t len)
{
	const struct accel_hw_context *ctx = new_context(&h, 1);
	const uint64_t data = host_iova(&h, h.mem + HOST_MEM / 2);
	bool uncached;

	for (uint32_t i = 0; i < nb; i++) {
		const struct accel_hw_command *cmd = new_sym(&h, ctx, i, len, 0);

		tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
		tx_frag(q, data, len, 0);
		rx_frag(q, data, len, 0);
	}
	q_ring(q);
	poll_once();
	uncached = engine_uncached;
	for (uint32_t i = 0; i < nb; i++)
		expect_response(q, i, ACCEL_HW_OK, len);
	return uncached;
}

/* Payload comes from memory if more was posted than caches hold. What counts is all that was
 * posted, of which a visit takes a part. */
static void
test_more_than_caches(void **state)
{
	(void)state;
	assert_false(uncached_after(1000, LEN));
	assert_false(uncached_after(1, 16384));
	assert_false(uncached_after(OPS, 16384));
	assert_true(uncached_after(1000, 16384));
	assert_false(uncached_after(1, 65520));
	assert_false(uncached_after(OPS / 2, 65520));
	assert_true(uncached_after(OPS, 65520));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_many_requests),
		TEST(test_many_requests_located),
		TEST(test_payload_goes_away),
		TEST(test_output_goes_away),
		TEST(test_commands_go_away),
		TEST(test_responses_go_away),
		TEST(test_more_than_caches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
