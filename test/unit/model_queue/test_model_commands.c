/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The command ring (manual 5.1, 6.1), and a card of contract 1.0, which has none.
 */
#include "model_base/model_nops.h"

#define COMMANDS 16u

static struct accel_hw_command *ring;
static uint32_t posted; /* requests since START */

/* The requests since START, n from 0, have their commands at n modulo the size. */
static struct accel_hw_command *
next_command(uint8_t opcode, uint32_t tag)
{
	struct accel_hw_command *cmd = &ring[posted++ % COMMANDS];

	memset(cmd, 0, sizeof(*cmd));
	cmd->opcode = opcode;
	cmd->tag = tag;
	return cmd;
}

static void
use_ring(uint64_t base, uint32_t size)
{
	wr64(&q->regs->command_base, base | ACCEL_HW_QP_COMMAND_BASE_VALID);
	wr32(&q->regs->command_size, size);
}

static void
restart(void)
{
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_start(q, 64, 64, 64);
	posted = 0;
}

static int
setup_ring(void **state)
{
	setup(state);
	ring = host_alloc(&h, COMMANDS * sizeof(*ring), 64);
	use_ring(host_iova(&h, ring), COMMANDS);
	restart();
	return 0;
}

/* Posts a LOOPBACK whose command's fragment has this address. */
static void
post_loopback(uint32_t tag, uint64_t address, const void *in, const void *out, uint32_t len)
{
	next_command(ACCEL_HW_OP_LOOPBACK, tag)->cipher_len = len;
	tx_word(q, DESC2(address, 64, COMMAND | NEXT));
	tx_frag(q, host_iova(&h, in), len, 0);
	rx_frag(q, host_iova(&h, out), len, 0);
}

/* The ring wraps many times, in bursts of all lengths. Addresses of fragments mean nothing, and
 * commands need no type 0. */
static void
test_wraps(void **state)
{
	static const uint64_t address[] = { 0, 0x3fffffff, 0x3fffffc1, 0x12345 };
	uint8_t *in = pattern(64, 1), *out = filled(64 * COMMANDS, 0);
	uint32_t tag = 0;

	(void)state;
	for (uint32_t burst = 1; burst < COMMANDS; burst++) {
		memset(out, 0, 64 * COMMANDS);
		for (uint32_t i = 0; i < burst; i++)
			post_loopback(tag + i, address[(tag + i) % 4], in, out + 64 * i, 64);
		q_ring(q);
		for (uint32_t i = 0; i < burst; i++) {
			expect_response(q, tag + i, ACCEL_HW_OK, 64);
			assert_memory_equal(out + 64 * i, in, 64);
		}
		tag += burst;
	}
	/* Requests without data have no type 0 at all. */
	restart();
	for (uint32_t i = 0; i < 3 * COMMANDS; i++) {
		next_command(ACCEL_HW_OP_NOP, i)->flags = ACCEL_HW_CMD_NO_RX;
		tx_word(q, DESC2(address[i % 4], 64, COMMAND));
		q_ring(q);
		expect_response(q, i, ACCEL_HW_OK, 0);
	}
	assert_int_equal(rd32(&q->wb->tx_hdp), 3 * COMMANDS % 64);
}

/* The number of a request counts from START, and a failed operation counts. */
static void
test_counts_from_start(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < 5; i++) {
			next_command(i == 2 ? 99 : ACCEL_HW_OP_NOP, i)->flags = ACCEL_HW_CMD_NO_RX;
			tx_word(q, DESC2(0, 64, COMMAND));
		}
		q_ring(q);
		for (uint32_t i = 0; i < 5; i++)
			expect_response(q, i, i == 2 ? ACCEL_HW_BAD_COMMAND : ACCEL_HW_OK, 0);
		restart();
	}
}

static void
expect_tx_error(uint64_t desc, uint32_t code)
{
	next_command(ACCEL_HW_OP_NOP, 1)->flags = ACCEL_HW_CMD_NO_RX;
	tx_word(q, DESC2(0, 64, COMMAND));
	tx_word(q, desc);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 0);
	expect_error(q, code, ACCEL_HW_RING_TX, 1);
	restart();
}

/* All other rules hold for the fragment of a command, and all rules for data. */
static void
test_errors(void **state)
{
	(void)state;
	expect_tx_error(UINT64_C(1) << 62, ACCEL_HW_QP_ERR_TYPE);
	expect_tx_error(DESC2(0, 64, COMMAND) | UINT64_C(1) << 30, ACCEL_HW_QP_ERR_RESERVED);
	expect_tx_error(DESC2(0, 64, COMMAND) | UINT64_C(1) << 31, ACCEL_HW_QP_ERR_RESERVED);
	expect_tx_error(DESC2(0, 64, COMMAND) | UINT64_C(1) << 50, ACCEL_HW_QP_ERR_RESERVED);
	expect_tx_error(DESC2(0, 63, COMMAND), ACCEL_HW_QP_ERR_FRAME);
	expect_tx_error(DESC2(0, 0, COMMAND), ACCEL_HW_QP_ERR_FRAME);
	expect_tx_error(DESC2(0, 64, 0), ACCEL_HW_QP_ERR_FRAME);
	next_command(ACCEL_HW_OP_LOOPBACK, 1)->cipher_len = 8;
	tx_word(q, DESC2(0, 64, COMMAND | NEXT));
	tx_word(q, DESC2(0, 8, 0));
	q_ring(q);
	expect_error(q, ACCEL_HW_QP_ERR_NO_UPPER, ACCEL_HW_RING_TX, 1);
	restart();
	tx_word(q, DESC0(HOST_IOVA));
	tx_word(q, DESC2(0, 64, COMMAND | NEXT));
	tx_word(q, DESC2(0x3fffffff, 8, 0));
	q_ring(q);
	expect_error(q, ACCEL_HW_QP_ERR_BOUNDARY, ACCEL_HW_RING_TX, 2);
}

static void
refused(uint64_t base, uint32_t size)
{
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 64, 64, 64);
	wr64(&q->regs->command_base, base);
	wr32(&q->regs->command_size, size);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->dev->status),
			 ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, ACCEL_HW_QP_ERR_CONFIG,
					    ACCEL_HW_RING_TX));
}

/* START reads both registers, and checks them if the base is valid. */
static void
test_registers(void **state)
{
	static const uint32_t sizes[] = { 0, 1, 4, 7, 9, 24, 524288, UINT32_MAX };
	const uint64_t base = host_iova(&h, ring) | ACCEL_HW_QP_COMMAND_BASE_VALID;

	(void)state;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		refused(base, sizes[i]);
	for (uint64_t low = 2; low < 64; low *= 2)
		refused(base | low, COMMANDS);
	/* A base that is not valid has no effect, whatever else it says. */
	wr64(&q->regs->command_base, 0xfffffffffffffffe);
	wr32(&q->regs->command_size, 7);
	restart();
	nops(q, 0, 3);
	expect_nops(q, 0, 3);
	/* A queue pair that runs does not read them. */
	use_ring(0, 3);
	nops(q, 3, 3);
	expect_nops(q, 3, 3);
	/* The ring comes before COMMAND_UPPER, which is checked all the same. */
	use_ring(host_iova(&h, ring), COMMANDS);
	q_locate(q, UINT64_MAX);
	restart();
	next_command(ACCEL_HW_OP_NOP, 9)->flags = ACCEL_HW_CMD_NO_RX;
	tx_word(q, DESC2(0, 64, COMMAND));
	q_ring(q);
	expect_response(q, 9, ACCEL_HW_OK, 0);
	wr64(&q->regs->command_upper, UINT64_MAX);
	refused(base, COMMANDS);
}

/* The ring lies in several entries of the map, one of which goes away. */
static void
test_pieces(void **state)
{
	const uint64_t at = HOST_IOVA + HOST_MEM + 0x10000, rw = ACCEL_MODEL_DMA_READ;
	uint8_t *in = pattern(8, 1), *out = filled(8, 0);

	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(accel_function_dma_map(h.fn, at + 256 * i, ring + 4 * (3 - i), 256,
							(unsigned int)rw),
				 0);
	use_ring(at, COMMANDS);
	restart();
	for (uint32_t i = 0; i < 3 * COMMANDS; i++) {
		struct accel_hw_command *cmd = &ring[(i % COMMANDS) ^ 12];

		memset(cmd, 0, sizeof(*cmd));
		cmd->opcode = ACCEL_HW_OP_LOOPBACK;
		cmd->tag = i;
		cmd->cipher_len = 8;
		tx_word(q, DESC2(0, 64, COMMAND | NEXT));
		tx_frag(q, host_iova(&h, in), 8, 0);
		rx_frag(q, host_iova(&h, out), 8, 0);
		q_ring(q);
		expect_response(q, i, ACCEL_HW_OK, 8);
	}
	/* The commands 8 to 11 are not accessible any more. */
	assert_int_equal(accel_function_dma_unmap(h.fn, at + 512, 256), 0);
	restart();
	for (uint32_t i = 0; i < 12; i++) {
		ring[i ^ 12].opcode = ACCEL_HW_OP_NOP;
		ring[i ^ 12].flags = ACCEL_HW_CMD_NO_RX;
		ring[i ^ 12].cipher_len = 0;
		tx_word(q, DESC2(0, 64, COMMAND));
	}
	q_ring(q);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(q_response(q).status, ACCEL_HW_OK);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, 8);
}

/* The ring is unmapped while requests wait for their result frames. */
static void
test_goes_away(void **state)
{
	uint8_t *in = pattern(8, 1), *out = filled(8, 0);
	const uint64_t at = HOST_IOVA + HOST_MEM + 0x10000;

	(void)state;
	assert_int_equal(accel_function_dma_map(h.fn, at, ring, 4096, ACCEL_MODEL_DMA_READ), 0);
	use_ring(at, COMMANDS);
	restart();
	for (uint32_t i = 0; i < 4; i++) {
		next_command(ACCEL_HW_OP_LOOPBACK, i)->cipher_len = 8;
		tx_word(q, DESC2(0, 64, COMMAND | NEXT));
		tx_frag(q, host_iova(&h, in), 8, 0);
	}
	q_ring(q);
	polls(2);
	assert_int_equal(accel_function_dma_unmap(h.fn, at, 4096), 0);
	rx_frag(q, host_iova(&h, out), 8, 0);
	rx_frag(q, host_iova(&h, out), 8, 0);
	q_ring(q);
	/* The first command was read before, the second one was not. */
	expect_response(q, 0, ACCEL_HW_OK, 8);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, 3);
}

/* The device tree. */

static bool
dma_has(const char *property)
{
	const void *fdt = h.bar + rd32(&h.id->dt_offset);
	int node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_DMA);
	int len = -1;

	assert_true(node >= 0);
	return fdt_getprop(fdt, node, property, &len) != NULL && len == 0;
}

static void
test_in_tree(void **state)
{
	(void)state;
	assert_int_equal(rd32(&h.id->version), ACCEL_HW_VERSION);
	assert_true(dma_has(ACCEL_HW_DT_COMMAND_RING));
	assert_true(dma_has(ACCEL_HW_DT_COMMAND_UPPER));
}

/* A card of contract 1.0 has the other register only, and does not read those of the ring. */
static void
test_contract_1_0(void **state)
{
	struct accel_model_config config = base_config();

	teardown(state);
	config.contract = ACCEL_MODEL_CONTRACT_1_0;
	open_with(&config);
	assert_int_equal(rd32(&h.id->version), 0x10000);
	assert_false(dma_has(ACCEL_HW_DT_COMMAND_RING));
	assert_true(dma_has(ACCEL_HW_DT_COMMAND_UPPER));
	use_ring(62, 3);
	restart();
	nops(q, 0, 3);
	expect_nops(q, 0, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_ring, teardown)
		TEST(test_wraps),
		TEST(test_counts_from_start),
		TEST(test_errors),
		TEST(test_registers),
		TEST(test_pieces),
		TEST(test_goes_away),
		TEST(test_in_tree),
		TEST(test_contract_1_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
