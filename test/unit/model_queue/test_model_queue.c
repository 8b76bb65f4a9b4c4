/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Rings of the model (manual 6 and 9.1): right and wrong descriptors, pointers, limits, wrap,
 * write-back, errors of queue pairs, and hosts that change things while they are read.
 */
#include <pthread.h>

#include "model/model.h"
#include "queue/queue.h"
#include "worker/watch.h"
#include "model_base/model_card.h"

static int
setup(void **state)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 2,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL,
	};

	(void)state;
	card_open(&config, 16, 16);
	return 0;
}

static struct accel_hw_command *
loopback(uint32_t tag, uint32_t len)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, tag);

	cmd->cipher_len = len;
	return cmd;
}

static struct accel_hw_command *
nop(uint32_t tag)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_NOP, tag);

	cmd->flags = ACCEL_HW_CMD_NO_RX;
	return cmd;
}

static void
restart(uint32_t tx, uint32_t rx, uint32_t rsp)
{
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	assert_int_equal(rd32(&q->dev->status), 0);
	assert_int_equal(rd32(&q->dev->error_slot), 0);
	q_start(q, tx, rx, rsp);
}

/* Checks the error of a TX descriptor. The request before gets its response, then the queue pair
 * stops. */
static void
bad_tx(uint64_t desc, uint32_t code)
{
	struct accel_hw_command *first = nop(1);
	uint32_t slot;

	tx_frag(q, host_iova(&h, first), 64, COMMAND);
	slot = q->tx_sdp;
	tx_word(q, desc);
	tx_frag(q, host_iova(&h, first), 64, COMMAND); /* This must not be read. */
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 0);
	expect_error(q, code, 0, slot);
	assert_int_equal(rd32(&q->wb->rsp_hhp), q->rsp_slot);
	assert_int_equal(rd32(&q->wb->tx_hdp), slot);
	assert_int_equal(rd32(&q->wb->status), rd32(&q->dev->status));
	restart(16, 16, 16);
}

static void
test_tx_errors(void **state)
{
	uint64_t cmd = host_iova(&h, nop(2));

	(void)state;
	bad_tx(UINT64_C(1) << 62, 2); /* TYPE */
	bad_tx(UINT64_C(3) << 62, 2);
	bad_tx(UINT64_MAX, 2);
	for (unsigned int bit = 34; bit < 62; bit++)
		bad_tx(DESC0(HOST_IOVA) | UINT64_C(1) << bit, 4); /* RESERVED, type 0 */
	for (unsigned int bit = 48; bit < 60; bit++)
		bad_tx(DESC2(cmd, 64, COMMAND) | UINT64_C(1) << bit, 4);
	bad_tx(DESC2(cmd, 64, COMMAND) | UINT64_C(1) << 31, 4); /* interrupt */
	bad_tx(DESC2(cmd, 64, COMMAND) | UINT64_C(1) << 30, 4);
	bad_tx(DESC2(UINT64_C(0x3fffffc1), 64, COMMAND), 5); /* BOUNDARY, by one byte */
	bad_tx(DESC2(UINT64_C(0x3fffffff), 65535, COMMAND), 5);
	bad_tx(DESC2(cmd, 64, 0), 6); /* FRAME: does not begin with a command */
	bad_tx(DESC2(cmd, 63, COMMAND), 6);
	bad_tx(DESC2(cmd, 65, COMMAND), 6);
	bad_tx(DESC2(cmd, 0, COMMAND), 6);
	bad_tx(DESC2(cmd, 63, COMMAND | NEXT), 6);
}

static void
test_type2_first(void **state)
{
	uint8_t *out = host_alloc(&h, 64, 64);
	struct accel_hw_command *cmd = loopback(1, 16);

	(void)state;
	tx_word(q, DESC2(host_iova(&h, cmd), 64, COMMAND));
	q_ring(q);
	expect_error(q, 3, 0, 0); /* NO_UPPER */
	restart(16, 16, 16);
	/* Each ring has an upper address of its own. */
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, out), 16, 0);
	rx_word(q, DESC2(host_iova(&h, out), 64, 0));
	q_ring(q);
	expect_error(q, 3, 1, 0);
	restart(16, 16, 16);
	/* START invalidates the upper addresses. */
	rx_frag(q, host_iova(&h, out), 64, 0);
	tx_word(q, DESC2(host_iova(&h, cmd), 64, COMMAND));
	q_ring(q);
	expect_error(q, 3, 0, 0);
}

/* Checks the error of a wrong data fragment within a frame. */
static void
bad_input(uint64_t desc, uint32_t code)
{
	struct accel_hw_command *cmd = loopback(1, 64);

	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_word(q, desc);
	q_ring(q);
	expect_error(q, code, 0, 2);
	restart(16, 16, 16);
}

static void
test_input_errors(void **state)
{
	uint64_t mem = host_iova(&h, host_alloc(&h, 64, 64));

	(void)state;
	bad_input(DESC2(mem, 64, COMMAND), 6); /* a second command */
	bad_input(DESC2(mem, 64, COMMAND | NEXT), 6);
	bad_input(DESC2(mem, 0, 0), 6);
	bad_input(DESC2(UINT64_C(0x3ffffff0), 17, 0), 5);
	bad_input(DESC2(mem, 64, 0) | UINT64_C(1) << 59, 4);
	bad_input(UINT64_C(1) << 62, 2);
}

/* Checks the error of an RX descriptor, after a request that gets its response. */
static void
bad_rx(uint64_t desc, uint32_t code)
{
	struct accel_hw_command *first = loopback(1, 8), *second = loopback(2, 8);
	uint8_t *mem = host_alloc(&h, 64, 64), *out = host_alloc(&h, 64, 64);
	uint32_t slot;

	q_post(q, first, mem, 8, out, 8);
	q_post(q, second, mem, 8, NULL, 0);
	slot = q->rx_sdp;
	rx_word(q, desc);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 8);
	expect_error(q, code, 1, slot);
	assert_int_equal(rd32(&q->wb->rx_hdp), slot);
	restart(16, 16, 16);
}

static void
test_rx_errors(void **state)
{
	uint64_t mem = host_iova(&h, host_alloc(&h, 64, 64));

	(void)state;
	bad_rx(UINT64_C(1) << 62, 2);
	bad_rx(UINT64_C(3) << 62, 2);
	bad_rx(DESC0(mem) | UINT64_C(1) << 34, 4);
	bad_rx(DESC2(mem, 64, 0) | UINT64_C(1) << 31, 4);
	bad_rx(DESC2(mem, 64, 0) | UINT64_C(1) << 48, 4);
	bad_rx(DESC2(UINT64_C(0x3fffffff), 2, 0), 5);
	bad_rx(DESC2(mem, 64, COMMAND), 6);
	bad_rx(DESC2(mem, 0, 0), 6);
}

/* The last byte of a region can be used, and addresses can have any upper bits. */
static void
test_region_edge(void **state)
{
	struct accel_hw_command *cmd = loopback(1, 64);
	uint8_t *out = host_alloc(&h, 128, 64);

	(void)state;
	for (int i = 0; i < 128; i++)
		h.mem[HOST_MEM / 2 - 64 + i] = (uint8_t)i;
	h.used = HOST_MEM / 2 + 64;
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, HOST_BORDER - 64, 64, 0);
	rx_frag(q, host_iova(&h, out), 128, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 64);
	assert_memory_equal(out, h.mem + HOST_MEM / 2 - 64, 64);
	/* A buffer across the border has two fragments with a type 0 between them (manual 6.1). */
	cmd = loopback(2, 128);
	q->tx_upper = UINT64_MAX;
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, HOST_BORDER - 64, 64, NEXT);
	tx_frag(q, HOST_BORDER, 64, 0);
	rx_frag(q, host_iova(&h, out), 128, 0);
	q_ring(q);
	expect_response(q, 2, ACCEL_HW_OK, 128);
	assert_memory_equal(out, h.mem + HOST_MEM / 2 - 64, 128);
}

/* A type 0 may be anywhere, twice and without effect. It belongs to the frame that follows. */
static void
test_type0_counts(void **state)
{
	struct accel_hw_command *cmd = loopback(1, 8);
	uint64_t in = host_iova(&h, host_alloc(&h, 8, 8));
	uint64_t out = host_iova(&h, host_alloc(&h, 8, 8));
	struct accel_hw_response rsp;

	(void)state;
	tx_word(q, 0x3ffffffff); /* These are all bits of address[63:30]. */
	tx_word(q, DESC0(HOST_IOVA));
	tx_word(q, DESC2(host_iova(&h, cmd), 64, COMMAND | NEXT));
	tx_word(q, 0);
	tx_word(q, DESC0(HOST_IOVA));
	tx_word(q, DESC2(in, 4, NEXT));
	tx_word(q, DESC0(HOST_IOVA));
	tx_word(q, DESC2(in + 4, 4, 0));
	tx_word(q, DESC0(HOST_IOVA)); /* This belongs to the next frame. */
	rx_word(q, 5);
	rx_word(q, DESC0(HOST_IOVA));
	rx_word(q, DESC2(out, 3, NEXT));
	rx_word(q, DESC0(HOST_IOVA));
	rx_word(q, DESC2(out + 3, 5, 0));
	rx_word(q, DESC0(HOST_IOVA));
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.status, 0);
	assert_int_equal(rsp.tx_used, 8);
	assert_int_equal(rsp.rx_used, 5);
	assert_int_equal(rd32(&q->wb->tx_hdp), 8);
	assert_int_equal(rd32(&q->wb->rx_hdp), 5);
	cmd = nop(2);
	tx_word(q, DESC2(host_iova(&h, cmd), 64, COMMAND));
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.tag, 2);
	assert_int_equal(rsp.tx_used, 2);
	assert_int_equal(rsp.rx_used, 0);
	assert_int_equal(rd32(&q->wb->tx_hdp), 10);
}

/* Pointers and sizes. */

static void
test_pointer_errors(void **state)
{
	(void)state;
	tx_frag(q, host_iova(&h, nop(1)), 64, COMMAND);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 0);
	wr64(&q->regs->doorbell, 16);
	expect_error(q, 8, 0, 16);
	restart(16, 16, 16);
	wr64(&q->regs->doorbell, UINT64_C(16) << 32);
	expect_error(q, 8, 1, 16);
	restart(16, 16, 16);
	wr64(&q->regs->doorbell, UINT64_MAX);
	expect_error(q, 8, 0, UINT32_MAX);
	restart(16, 16, 16);
	/* Another queue pair is not affected. */
	q_start(&h.q[1], 16, 16, 16);
	wr64(&q->regs->doorbell, UINT64_MAX);
	expect_error(q, 8, 0, UINT32_MAX);
	tx_frag(&h.q[1], host_iova(&h, nop(5)), 64, COMMAND);
	q_ring(&h.q[1]);
	expect_response(&h.q[1], 5, ACCEL_HW_OK, 0);
}

static void
refused(uint32_t code, uint32_t ring)
{
	uint32_t control = q_control(q, ACCEL_HW_QP_CMD_START);

	host_until(&h, rd32(&q->dev->control_ack) == control);
	assert_int_equal(rd32(&q->dev->status), 3 | code << 8 | ring << 16);
	assert_true(q->wb->rsp_hhp == 0xeeeeeeee); /* Nothing was written. */
	/* START in state error is echoed, and the error stays. */
	wr32(&q->regs->tx_size, 16);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->dev->status), 3 | code << 8 | ring << 16);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	assert_int_equal(rd32(&q->dev->status), 0);
	q_setup(q, 16, 16, 16);
}

static void
test_config_errors(void **state)
{
	static const uint32_t sizes[] = { 0,  1,  4,	 7,	 9,	     12,
					  24, 65535, 524288, 0x80000000, UINT32_MAX };

	(void)state;
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 16, 16, 16);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		wr32(&q->regs->tx_size, sizes[i]);
		refused(1, 0);
		wr32(&q->regs->rx_size, sizes[i]);
		refused(1, 1);
		wr32(&q->regs->rsp_size, sizes[i]);
		refused(1, 2);
	}
	for (uint64_t low = 1; low < 64; low *= 2) {
		wr64(&q->regs->tx_base, q->regs->tx_base | low);
		refused(1, 0);
		wr64(&q->regs->rx_base, q->regs->rx_base | low);
		refused(1, 1);
		wr64(&q->regs->rsp_base, q->regs->rsp_base | low);
		refused(1, 2);
		wr64(&q->regs->wb_base, q->regs->wb_base | low);
		refused(1, 3);
	}
	/* The smallest and the largest sizes are accepted. */
	q_start(q, 8, 8, 8);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_start(q, 262144, 262144, 8);
}

/* The register COMMAND_UPPER (manual 5.1, 6.1). */

/* Commands lie below the border, data lie above it. */
static uint8_t *
above_border(uint32_t at)
{
	return h.mem + HOST_MEM / 2 + at;
}

static void
test_command_upper(void **state)
{
	uint8_t *in = above_border(0), *out = above_border(64);
	struct accel_hw_command *cmd = loopback(2, 16);
	struct accel_hw_response rsp;

	(void)state;
	memset(in, 0x5a, 16);
	q_locate(q, HOST_IOVA);
	restart(16, 16, 16);
	/* Commands need no type 0 at all. */
	tx_word(q, DESC2(host_iova(&h, nop(1)), 64, COMMAND));
	/* A type 0 before the command is for the data behind it, and for the next frame. */
	tx_word(q, DESC0(HOST_BORDER));
	tx_word(q, DESC2(host_iova(&h, cmd), 64, COMMAND | NEXT));
	tx_word(q, DESC2(host_iova(&h, in), 16, 0));
	rx_frag(q, host_iova(&h, out), 16, 0);
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.tx_used, 1);
	rsp = q_response(q);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.tx_used, 3);
	assert_memory_equal(out, in, 16);

	/* Data do not take the upper address of commands. */
	restart(16, 16, 16);
	tx_word(q, DESC2(host_iova(&h, cmd), 64, COMMAND | NEXT));
	tx_word(q, DESC2(host_iova(&h, in), 16, 0));
	q_ring(q);
	expect_error(q, 3, 0, 1); /* NO_UPPER */
	restart(16, 16, 16);
	tx_word(q, DESC2(host_iova(&h, cmd), 64, COMMAND | NEXT));
	tx_frag(q, host_iova(&h, in), 16, 0);
	rx_word(q, DESC2(host_iova(&h, out), 16, 0));
	q_ring(q);
	expect_error(q, 3, 1, 0);
	/* All other rules hold for commands. */
	restart(16, 16, 16);
	tx_word(q, DESC2(host_iova(&h, cmd), 64, COMMAND) | UINT64_C(1) << 30);
	q_ring(q);
	expect_error(q, 4, 0, 0); /* RESERVED */
	restart(16, 16, 16);
	tx_word(q, DESC2(HOST_BORDER - 63, 64, COMMAND));
	q_ring(q);
	expect_error(q, 5, 0, 0); /* BOUNDARY */
}

/* START reads the register, and checks its bits only if it is valid. */
static void
test_command_upper_at_start(void **state)
{
	(void)state;
	/* A running queue pair does not read it. */
	wr64(&q->regs->command_upper, UINT64_MAX);
	tx_frag(q, host_iova(&h, nop(1)), 64, COMMAND);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 0);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 16, 16, 16);
	for (int bit = 34; bit < 63; bit++) {
		wr64(&q->regs->command_upper, UINT64_C(1) << bit | UINT64_C(1) << 63);
		refused(1, 0);
	}
	/* A register that is not valid has no effect. */
	wr64(&q->regs->command_upper, UINT64_MAX >> 1);
	q_start(q, 16, 16, 16);
	tx_word(q, DESC2(host_iova(&h, nop(2)), 64, COMMAND));
	q_ring(q);
	expect_error(q, 3, 0, 0); /* NO_UPPER */
	restart(16, 16, 16);
	tx_frag(q, host_iova(&h, nop(3)), 64, COMMAND);
	q_ring(q);
	expect_response(q, 3, ACCEL_HW_OK, 0);
	/* All upper bits are allowed. A command at an address that is not mapped is a DMA error of
	 * the queue pair. */
	q_locate(q, UINT64_MAX);
	restart(16, 16, 16);
	tx_word(q, DESC2(host_iova(&h, nop(4)), 64, COMMAND));
	q_ring(q);
	expect_error(q, 9, 0, 0); /* DMA */
}

/* Says whether the register is in the device tree. */
static bool
tree_has_command_upper(void)
{
	const void *fdt = h.bar + rd32(&h.id->dt_offset);
	int node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_DMA);
	int len = -1;

	assert_true(node >= 0);
	return fdt_getprop(fdt, node, ACCEL_HW_DT_COMMAND_UPPER, &len) != NULL && len == 0;
}

static void
test_command_upper_in_tree(void **state)
{
	(void)state;
	assert_true(tree_has_command_upper());
}

static int
setup_old(void **state)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL,
		.no_command_upper = true,
	};

	(void)state;
	card_open(&config, 16, 16);
	return 0;
}

/* Older firmware neither has the register in the tree nor reads it. */
static void
test_no_command_upper(void **state)
{
	(void)state;
	assert_false(tree_has_command_upper());
	wr64(&q->regs->command_upper, UINT64_MAX);
	restart(16, 16, 16);
	tx_word(q, DESC2(host_iova(&h, nop(1)), 64, COMMAND));
	q_ring(q);
	expect_error(q, 3, 0, 0); /* NO_UPPER */
	restart(16, 16, 16);
	tx_frag(q, host_iova(&h, nop(2)), 64, COMMAND);
	q_ring(q);
	expect_response(q, 2, ACCEL_HW_OK, 0);
}

/* Limits of a frame (manual 6.3). */

static void
test_fragment_limit(void **state)
{
	struct accel_hw_command *cmd = loopback(1, 256);
	uint64_t in = host_iova(&h, host_alloc(&h, 1024, 64));
	uint8_t *out = host_alloc(&h, 1024, 64);
	uint32_t slot;

	(void)state;
	restart(1024, 1024, 16);
	for (int i = 0; i < 1024; i++)
		h.mem[in - HOST_IOVA + (unsigned int)i] = (uint8_t)(i * 7);
	/* Both sides have 256 fragments that are not adjacent. */
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	for (unsigned int i = 0; i < 256; i++) {
		tx_frag(q, in + 2 * i, 1, i < 255 ? NEXT : 0);
		rx_frag(q, host_iova(&h, out) + 1023 - 2 * i, 1, i < 255 ? NEXT : 0);
	}
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 256);
	for (unsigned int i = 0; i < 256; i++)
		assert_int_equal(out[1023 - 2 * i], (uint8_t)(2 * i * 7));
	/* One more fragment is too many. */
	cmd = loopback(2, 257);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	for (unsigned int i = 0; i < 256; i++)
		tx_frag(q, in + i, 1, NEXT);
	slot = q->tx_sdp;
	tx_frag(q, in + 256, 1, 0);
	q_ring(q);
	expect_error(q, 7, 0, slot);
	restart(1024, 1024, 16);
	cmd = loopback(3, 8);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, in, 8, 0);
	for (unsigned int i = 0; i < 256; i++)
		rx_frag(q, host_iova(&h, out) + i, 1, NEXT);
	slot = q->rx_sdp;
	/* The error comes before the frame is complete. */
	rx_frag(q, host_iova(&h, out) + 256, 1, NEXT);
	q_ring(q);
	expect_error(q, 7, 1, slot);
}

static void
test_byte_limit(void **state)
{
	struct accel_hw_command *cmd = loopback(1, 1u << 20);
	uint8_t *in = host_alloc(&h, (1u << 20) + 64, 64), *out;
	uint32_t slot, left;

	(void)state;
	restart(1024, 1024, 16);
	out = host_alloc(&h, (1u << 20) + 64, 64);
	for (unsigned int i = 0; i < 1u << 20; i++)
		in[i] = (uint8_t)(i * 31 >> 3);
	for (int extra = 0; extra < 2; extra++) {
		tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
		for (left = 1u << 20; left > 65535; left -= 65535)
			tx_frag(q, host_iova(&h, in) + (1u << 20) - left, 65535, NEXT);
		slot = q->tx_sdp;
		tx_frag(q, host_iova(&h, in) + (1u << 20) - left, left + (unsigned int)extra, 0);
		for (left = 1u << 20; left > 32768; left -= 32768)
			rx_frag(q, host_iova(&h, out) + (1u << 20) - left, 32768, NEXT);
		rx_frag(q, host_iova(&h, out) + (1u << 20) - left, left, 0);
		q_ring(q);
		if (extra == 0) {
			expect_response(q, 1, ACCEL_HW_OK, 1u << 20);
			assert_memory_equal(in, out, 1u << 20);
		} else {
			expect_error(q, 7, 0, slot);
		}
	}
}

/* An RX fragment has a capacity. The frame may be larger than the output, up to the limit. */
static void
test_large_capacity(void **state)
{
	struct accel_hw_command *cmd = loopback(1, 4);
	uint8_t *mem = host_alloc(&h, 70000, 64);

	(void)state;
	memcpy(mem, "abcd", 4);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, mem), 4, 0);
	rx_frag(q, host_iova(&h, mem) + 100, 65535, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 4);
	assert_memory_equal(mem + 100, "abcd", 5); /* A 0 follows. */
}

/* A frame is posted descriptor by descriptor, and the device waits for each (manual 6.2). */
static void
test_partial_frames(void **state)
{
	struct accel_hw_command *cmd = loopback(1, 6);
	uint8_t *in = host_alloc(&h, 8, 8), *out = host_alloc(&h, 8, 8);

	(void)state;
	memcpy(in, "abcdef", 6);
	for (int step = 0; step < 8; step++) {
		switch (step) {
		case 0:
			tx_word(q, DESC0(HOST_IOVA));
			break;
		case 1:
			tx_word(q, DESC2(host_iova(&h, cmd), 64, COMMAND | NEXT));
			break;
		case 2:
			tx_word(q, DESC2(host_iova(&h, in), 2, NEXT));
			break;
		case 3:
			tx_word(q, DESC2(host_iova(&h, in) + 2, 4, 0));
			break;
		case 4:
			rx_word(q, DESC0(HOST_IOVA));
			break;
		case 5:
			/* The device read the command when its frame was complete, so this change
			 * is too late. */
			cmd->cipher_len = 99;
			break;
		case 6:
			rx_word(q, DESC2(host_iova(&h, out), 5, NEXT));
			break;
		default:
			rx_word(q, DESC2(host_iova(&h, out) + 5, 1, 0));
			break;
		}
		q_ring(q);
		polls(3);
		assert_int_equal(rd32(&q->wb->rsp_hhp), step == 7 ? 1 : 0);
	}
	expect_response(q, 1, ACCEL_HW_OK, 6);
	assert_memory_equal(in, out, 6);
}

/* An error in a request frame waits until all requests before it have their result frames. */
static void
test_error_waits_for_earlier(void **state)
{
	struct accel_hw_command *cmd = loopback(1, 6);
	uint8_t *in = host_alloc(&h, 8, 8), *out = host_alloc(&h, 8, 8);

	(void)state;
	q_post(q, cmd, in, 6, NULL, 0);
	tx_word(q, UINT64_MAX);
	q_ring(q);
	polls(10);
	assert_int_equal(rd32(&q->dev->status), 1);
	rx_frag(q, host_iova(&h, out), 6, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 6);
	expect_error(q, 2, 0, 3);
}

/* DMA errors (manual 9.1). */

static void
test_ring_not_accessible(void **state)
{
	uint64_t hole = HOST_IOVA + HOST_MEM, base;
	uint8_t *mem = host_alloc(&h, 64, 64);

	(void)state;
	/* The TX ring is not accessible. */
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 16, 16, 16);
	wr64(&q->regs->tx_base, hole);
	q_command(q, ACCEL_HW_QP_CMD_START);
	wr64(&q->regs->doorbell, 1);
	expect_error(q, 9, 0, 0);
	/* The RX ring is not accessible. */
	restart(16, 16, 16);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 16, 16, 16);
	wr64(&q->regs->rx_base, hole);
	q_command(q, ACCEL_HW_QP_CMD_START);
	q_post(q, loopback(1, 8), mem, 8, mem, 8);
	q_ring(q);
	expect_error(q, 9, 1, 0);
	/* The error has the slot of the command's descriptor, behind a request of two and another
	 * type 0. */
	restart(16, 16, 16);
	tx_frag(q, host_iova(&h, nop(1)), 64, COMMAND);
	tx_frag(q, hole - 63, 64, COMMAND);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 0);
	expect_error(q, 9, 0, 3);
	/* The response ring ends after two entries. */
	restart(16, 16, 16);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 16, 16, 16);
	base = hole - 64;
	wr64(&q->regs->rsp_base, base);
	wr32(&q->regs->wb_count, 100);
	assert_int_equal(accel_function_dma_unmap(h.fn, hole - 32, 32), 0);
	q_command(q, ACCEL_HW_QP_CMD_START);
	for (uint32_t i = 0; i < 5; i++)
		tx_frag(q, host_iova(&h, nop(i)), 64, COMMAND);
	q_ring(q);
	expect_error(q, 9, 2, 2);
	assert_int_equal(rd32(&q->wb->rsp_hhp), 2); /* Two responses were written before. */
	assert_int_equal(rd32(&q->wb->tx_hdp), 3);
	assert_int_equal(((struct accel_hw_response *)(h.mem + HOST_MEM - 64))[1].tag, 1);
	/* The write-back line is not accessible, at START and later. */
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 16, 16, 16);
	wr64(&q->regs->wb_base, hole);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->dev->status), 3 | 9 << 8 | 3 << 16);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_start(q, 16, 16, 16);
	base = host_iova(&h, q->wb);
	assert_int_equal(accel_function_dma_unmap(h.fn, base, 64), 0);
	tx_frag(q, host_iova(&h, nop(1)), 64, COMMAND);
	q_ring(q);
	expect_error(q, 9, 3, 0);
}

/* Memory that may only be read can hold requests, but no responses. */
static void
test_rights(void **state)
{
	uint64_t at = HOST_IOVA + HOST_MEM + 4096;

	(void)state;
	assert_int_equal(accel_function_dma_map(h.fn, at, h.mem, 65536, ACCEL_MODEL_DMA_READ), 0);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 16, 16, 16);
	wr64(&q->regs->rsp_base, at);
	q_command(q, ACCEL_HW_QP_CMD_START);
	tx_frag(q, host_iova(&h, nop(1)), 64, COMMAND);
	q_ring(q);
	expect_error(q, 9, 2, 0);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 16, 16, 16);
	wr64(&q->regs->wb_base, at);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->dev->status), 3 | 9 << 8 | 3 << 16);
}

/* Nothing is written to memory after an error of the queue pair. */
static void
test_silence_after_error(void **state)
{
	uint8_t *copy = malloc(HOST_MEM);

	(void)state;
	for (uint32_t i = 0; i < 5; i++)
		tx_frag(q, host_iova(&h, nop(i)), 64, COMMAND);
	tx_word(q, UINT64_MAX);
	q_ring(q);
	expect_error(q, 2, 0, 6);
	memcpy(copy, h.mem, HOST_MEM);
	for (uint32_t i = 0; i < 5; i++)
		tx_frag(q, host_iova(&h, nop(i)), 64, COMMAND);
	memcpy(copy, h.mem, HOST_MEM);
	q_ring(q);
	polls(100);
	assert_memory_equal(copy, h.mem, HOST_MEM);
	/* The STOP that clears the error writes nothing, too. */
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	assert_memory_equal(copy, h.mem, HOST_MEM);
	assert_int_equal(rd32(&q->dev->status), 0);
	free(copy);
}

/* Write-back (manual 6.5). */

static void
test_moderation(void **state)
{
	struct accel_model_stats s;
	uint64_t before;

	(void)state;
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 64, 16, 64);
	wr32(&q->regs->wb_count, 4);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->wb->rsp_hhp), 0); /* START wrote the line. */
	assert_int_equal(rd32(&q->wb->tx_hdp), 0);
	assert_int_equal(rd32(&q->wb->rx_hdp), 0);
	assert_int_equal(rd32(&q->wb->status), 1);
	accel_model_worker_stats(h.model, 0, &s);
	before = s.writebacks;
	/* There are 10 responses: write-back follows after 4, after 8, and when the queue pair is
	 * empty. */
	for (uint32_t i = 0; i < 10; i++)
		tx_frag(q, host_iova(&h, nop(i)), 64, COMMAND);
	q_ring(q);
	for (uint32_t i = 0; i < 10; i++)
		expect_response(q, i, ACCEL_HW_OK, 0);
	polls(10);
	accel_model_worker_stats(h.model, 0, &s);
	assert_int_equal(s.writebacks - before, 3);
	/* A single response does not wait for others. */
	tx_frag(q, host_iova(&h, nop(77)), 64, COMMAND);
	q_ring(q);
	expect_response(q, 77, ACCEL_HW_OK, 0);
	/* A count of 0 is taken as 1. */
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 64, 16, 64);
	wr32(&q->regs->wb_count, 0);
	q_command(q, ACCEL_HW_QP_CMD_START);
	accel_model_worker_stats(h.model, 0, &s);
	before = s.writebacks;
	for (uint32_t i = 0; i < 5; i++)
		tx_frag(q, host_iova(&h, nop(i)), 64, COMMAND);
	q_ring(q);
	for (uint32_t i = 0; i < 5; i++)
		expect_response(q, i, ACCEL_HW_OK, 0);
	accel_model_worker_stats(h.model, 0, &s);
	assert_int_equal(s.writebacks - before, 5);
}

/* A request that waits for its result frame does not hold back responses. */
static void
test_report_before_waiting(void **state)
{
	struct accel_hw_command *cmd = loopback(2, 6);
	uint8_t *in = host_alloc(&h, 8, 8);

	(void)state;
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 64, 16, 64);
	wr32(&q->regs->wb_count, 32);
	q_command(q, ACCEL_HW_QP_CMD_START);
	tx_frag(q, host_iova(&h, nop(1)), 64, COMMAND);
	q_post(q, cmd, in, 6, NULL, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 0);
}

/* Posts 8 operations, which come every 10 ms, and says whether all but the first are reported at
 * once. @return the longest time between two polls. */
static uint64_t
age_round(bool *at_once)
{
	uint64_t last = now_ns(), now, longest = 0;

	for (uint32_t i = 0; i < 8; i++)
		tx_frag(q, host_iova(&h, nop(i)), 64, COMMAND);
	q_ring(q);
	for (uint32_t i = 0; i < 8; i++) {
		while (rd32(&q->wb->rsp_hhp) == q->rsp_slot) {
			polls(1);
			now = now_ns();
			longest = now - last > longest ? now - last : longest;
			last = now;
			assert_true(longest < UINT64_C(30000000000));
		}
		if (i == 1)
			*at_once = rd32(&q->wb->rsp_hhp) == (q->rsp_slot + 7) % 64;
		expect_response(q, i, ACCEL_HW_OK, 0);
	}
	return longest;
}

/* A pace separates responses. Each is reported when the time-out of write-back has passed, and not
 * with the last one. */
static void
test_age(void **state)
{
	struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL,
		.peak_ops = 100,
	};

	unsigned int tries = 0;
	uint64_t longest;
	bool at_once;

	(void)state;
	teardown(state);
	host_open(&h, &config);
	host_reset(&h);
	q = &h.q[0];
	q_setup(q, 64, 16, 64);
	wr32(&q->regs->wb_count, 32);
	wr32(&q->regs->wb_timeout_ns, 1000000);
	q_command(q, ACCEL_HW_QP_CMD_START);
	/* If others had the CPU for longer than a few operations take, all may come at once. */
	do {
		longest = age_round(&at_once);
	} while (at_once && longest > 20000000 && tries++ < 200);
	assert_false(at_once);
}

/* All three rings wrap many times, with different sizes. */
static void
test_wrap(void **state)
{
	struct accel_hw_command *cmd = loopback(0, 5);
	uint8_t *in = host_alloc(&h, 8, 8), *out = host_alloc(&h, 64, 8);

	(void)state;
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_start(q, 16, 8, 32);
	for (uint32_t i = 0; i < 1000; i++) {
		memset(out, 0, 64);
		memset(in, (int)i, 8);
		cmd->tag = i;
		q_post(q, cmd, in, 5, out + i % 7, 5);
		q_ring(q);
		expect_response(q, i, ACCEL_HW_OK, 5);
		assert_memory_equal(out + i % 7, in, 5);
		assert_int_equal(rd32(&q->wb->tx_hdp), q->tx_sdp);
		assert_int_equal(rd32(&q->wb->rx_hdp), q->rx_sdp);
		assert_int_equal(rd32(&q->wb->rsp_hhp), (i + 1) % 32);
	}
	assert_int_equal(q->dev->ops, 1000);
	assert_int_equal(q->dev->bytes_in, 5000);
	assert_int_equal(q->dev->bytes_out, 5000);
	assert_int_equal(q->dev->op_errors, 0);
}

/* The memory of a ring is in pieces, at any alignment and in any order in this process. */
static void
test_ring_in_pieces(void **state)
{
	uint64_t base = HOST_IOVA + HOST_MEM + 65536, sizes[] = { 61, 3, 40, 24 };
	const unsigned int rw = ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE;
	uint8_t *mem = host_alloc(&h, 1024, 64), *piece[4];
	uint64_t at = 0;
	struct accel_hw_command *cmd = nop(0);

	(void)state;
	for (int i = 0; i < 4; i++) {
		piece[i] = mem + 700 - 200 * i + i;
		assert_int_equal(
			accel_function_dma_map(h.fn, base + at, piece[i], sizes[i], rw), 0);
		at += sizes[i];
	}
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 16, 16, 16);
	wr64(&q->regs->tx_base, base);
	q_command(q, ACCEL_HW_QP_CMD_START);
	for (uint32_t i = 0; i < 100; i++) {
		uint64_t word = i == 0 ? DESC0(HOST_IOVA) : DESC2(host_iova(&h, cmd), 64, COMMAND);

		for (uint64_t b = q->tx_sdp * 8u; b < q->tx_sdp * 8u + 8; b++, word >>= 8) {
			uint64_t in = b;
			int p = 0;

			while (in >= sizes[p])
				in -= sizes[p++];
			piece[p][in] = (uint8_t)word;
		}
		q->tx_sdp = (q->tx_sdp + 1) % 16;
		cmd->tag = i;
		q_ring(q);
		if (i > 0)
			expect_response(q, i, ACCEL_HW_OK, 0);
	}
}

/* LOOPBACK copies random data in random fragments on both sides, with extra type 0. */

static void
split(bool tx, uint64_t iova, uint32_t len)
{
	while (len > 0) {
		uint32_t part = 1 + draw(draw(4) == 0 ? len : len / 4 + 1);
		uint64_t to_border = ACCEL_HW_DESC_REGION_SIZE - LO(iova);

		part = part > len ? len : part;
		part = part > to_border ? (uint32_t)to_border : part;
		part = part > 65535 ? 65535 : part;
		/* This posts a type 0 again. */
		if (draw(8) == 0)
			*(tx ? &q->tx_upper : &q->rx_upper) = UINT64_MAX;
		if (tx)
			tx_frag(q, iova, part, len > part ? NEXT : 0);
		else
			rx_frag(q, iova, part, len > part ? NEXT : 0);
		iova += part;
		len -= part;
	}
}

static void
test_random_loopback(void **state)
{
	const uint32_t room = 20000;
	uint32_t border = HOST_MEM / 2;
	struct accel_hw_command *cmd[4];

	(void)state;
	rng_start();
	restart(2048, 2048, 64);
	for (int i = 0; i < 4; i++)
		cmd[i] = new_command(&h, ACCEL_HW_OP_LOOPBACK, 0);
	/* Some sources and destinations lie across the border of 1 GiB. */
	for (uint32_t round = 0; round < 300; round++) {
		uint32_t len[4], in[4], out[4];

		for (uint32_t i = 0; i < 4; i++) {
			len[i] = 1 + draw(i == 0 ? 9000 : 300);
			in[i] = border - 1000 + i * 2 * room + draw(2000);
			out[i] = in[i] + room + draw(64);
			for (uint32_t b = 0; b < len[i]; b++)
				h.mem[in[i] + b] = (uint8_t)draw(256);
			memset(h.mem + out[i] - 8, 0x77, len[i] + 16);
			cmd[i]->tag = round * 4 + i;
			cmd[i]->cipher_len = len[i];
			tx_frag(q, host_iova(&h, cmd[i]), 64, COMMAND | NEXT);
			split(true, HOST_IOVA + in[i], len[i]);
			split(false, HOST_IOVA + out[i], len[i] + draw(2) * 8);
			if (draw(2))
				q_ring(q);
		}
		q_ring(q);
		for (uint32_t i = 0; i < 4; i++) {
			expect_response(q, round * 4 + i, ACCEL_HW_OK, len[i]);
			assert_memory_equal(h.mem + in[i], h.mem + out[i], len[i]);
			for (int b = -8; b < 0; b++)
				assert_int_equal(h.mem[(int)out[i] + b], 0x77);
			for (uint32_t b = 0; b < 8; b++)
				assert_int_equal(h.mem[out[i] + len[i] + b], 0x77);
		}
	}
}

/* Starts the queue pair with more descriptors of type 0 than many visits take. */
static void
start_endless(void)
{
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_start(q, 262144, 16, 16);
	for (uint32_t i = 0; i < 262144; i++)
		q->tx[i] = 0;
	q->tx_sdp = 262143;
	q_ring(q);
}

/* The work of a round is bounded. A queue pair full of type 0, or with a frame that never ends,
 * does not keep others from being served. */
static void
test_fairness(void **state)
{
	struct hostq *other = &h.q[1];

	(void)state;
	start_endless();
	q_start(other, 16, 16, 16);
	tx_frag(other, host_iova(&h, nop(3)), 64, COMMAND);
	q_ring(other);
	polls(2);
	assert_int_equal(rd32(&other->wb->rsp_hhp), 1);
	/* The descriptors have no end, until a stop. */
	q_command(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	assert_int_equal(rd32(&q->dev->status), 0);
	assert_int_equal(rd32(&q->wb->tx_hdp), 0); /* No request completed. */
}

/* More descriptors of type 0 follow each other than the 16 bits of tx_used can count. */
static void
test_endless_type0(void **state)
{
	struct accel_hw_response rsp;

	(void)state;
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_start(q, 262144, 16, 16);
	for (uint32_t i = 0; i < 70000; i++)
		tx_word(q, DESC0(HOST_IOVA));
	q->tx_upper = DESC0(HOST_IOVA);
	tx_frag(q, host_iova(&h, nop(9)), 64, COMMAND);
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.tag, 9);
	assert_int_equal(rsp.tx_used, 65535);
	assert_int_equal(rd32(&q->wb->tx_hdp), 70001);
}

/* A host moves its pointers at random and always rewrites its rings. The model may report any
 * error, but echoes stop and start and does not crash. */

struct hostile {
	uint32_t stop;
	uint32_t seed;
};

static uint64_t
random64(struct hostile *t)
{
	uint64_t v = 0;

	for (int i = 0; i < 4; i++) {
		t->seed = t->seed * 1664525u + 1013904223u;
		v = v << 16 | t->seed >> 16;
	}
	return v;
}

static uint64_t
random_descriptor(struct hostile *t, uint64_t r, bool tx)
{
	uint64_t at = HOST_IOVA + (r >> 8) % HOST_MEM;
	uint32_t len = (uint32_t)(random64(t) % 3000) + 1;

	switch (r % 16) {
	case 0:
		return random64(t);
	case 1:
	case 2:
		return DESC0(HOST_IOVA + (r & 32 ? HOST_MEM / 2 : 0));
	case 3:
		return DESC2(at, 65535, r & 64 ? NEXT : 0);
	case 4:
	case 5:
	case 6:
	case 7:
		if (tx)
			return DESC2(HOST_IOVA + (r >> 8) % 64 * 64, 64,
				     COMMAND | (r & 64 ? NEXT : 0));
		/* fall through */
	default:
		return DESC2(at, len, r & 64 ? NEXT : 0);
	}
}

static void *
hostile_thread(void *arg)
{
	struct hostile *t = arg;

	while (rd32(&t->stop) == 0) {
		for (unsigned int i = 0; i < 2; i++) {
			struct hostq *hq = &h.q[i];
			uint64_t r = random64(t);

			__atomic_store_n(&hq->tx[r % hq->tx_size], random_descriptor(t, r, true),
					 __ATOMIC_RELAXED);
			r = random64(t);
			__atomic_store_n(&hq->rx[r % hq->rx_size], random_descriptor(t, r, false),
					 __ATOMIC_RELAXED);
			if (random64(t) % 64 == 0)
				wr64(&hq->regs->doorbell, random64(t) & 0x3ff000003ff);
			if (random64(t) % 4096 == 0)
				wr64(&hq->regs->doorbell, random64(t));
			if (random64(t) % 16 == 0)
				wr32(&h.invalidate[random64(t) % 1024], (uint32_t)random64(t));
		}
	}
	return NULL;
}

static void
test_hostile(void **state)
{
	struct hostile t = { .stop = 0 };
	unsigned int errors = 0;
	pthread_t thread;
	uint64_t begin;

	(void)state;
	rng_start();
	t.seed = (uint32_t)draw64();
	/* Commands lie at the beginning of the memory. Half of them are reasonable. */
	for (uint32_t i = 0; i < 64 * 64; i++)
		h.mem[i] = (uint8_t)random64(&t);
	for (uint32_t i = 0; i < 64; i += 2) {
		struct accel_hw_command *cmd = (void *)(h.mem + 64 * i);

		memset(cmd, 0, 64);
		cmd->opcode = (uint8_t)(1 + i / 2 % 3);
		cmd->flags = (uint8_t)(random64(&t) & 3);
		cmd->cipher_len = (uint32_t)(random64(&t) % 4000);
		cmd->context = HOST_IOVA + 8192;
	}
	h.used = 65536;
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			q_command(&h.q[i], ACCEL_HW_QP_CMD_STOP_DISCARD);
		q_start(&h.q[i], 1024, 1024, 1024);
		h.q[i].rsp = NULL;
	}
	/* The hostile thread and the model share the payload without any order. */
	pthread_create(&thread, NULL, hostile_thread, &t);
	begin = now_ns();
	/* On a busy machine there may be no error for a while. */
	while (now_ns() - begin < UINT64_C(1500000000) ||
	       (errors == 0 && now_ns() - begin < UINT64_C(60000000000))) {
		polls(100);
		for (int i = 0; i < 2; i++) {
			uint32_t state_now = rd32(&h.q[i].dev->status) & 0xff;

			if (state_now == 1 && random64(&t) % 256 != 0)
				continue;
			errors += state_now == 3;
			q_command(&h.q[i], random64(&t) & 1 ? ACCEL_HW_QP_CMD_STOP_DRAIN :
							      ACCEL_HW_QP_CMD_STOP_DISCARD);
			assert_int_equal(rd32(&h.q[i].dev->status), 0);
			/* Rings may be anywhere, and overlap each other and the commands. */
			if (random64(&t) % 4 == 0)
				wr64(&h.q[i].regs->rsp_base,
				     HOST_IOVA + (random64(&t) % (HOST_MEM + 65536) & ~63ull));
			wr64(&h.q[i].regs->doorbell, 0);
			q_command(&h.q[i], ACCEL_HW_QP_CMD_START);
		}
	}
	wr32(&t.stop, 1);
	pthread_join(thread, NULL);
	print_message("%u errors of queue pairs\n", errors);
	assert_true(errors > 0);
	host_reset(&h);
}

/* A drain does not end with a visit that takes no requests: one that looks for finished operations
 * after a command was found in the middle of a round. */
static void
test_drain_before_taking(void **state)
{
	struct worker *w = &h.model->worker[0];
	unsigned int work = 0;
	uint32_t control;

	(void)state;
	restart(16, 16, 16);
	for (uint32_t i = 0; i < 3; i++)
		q_post(q, nop(i), NULL, 0, NULL, 0);
	q_ring(q);
	control = q_control(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	watch_commands(w, true);
	assert_int_equal(queue_visit(w, w->active[0], false, &work), QUEUE_NONE);
	assert_int_equal(rd32(&q->dev->status) & 0xff, ACCEL_HW_QP_STOPPING);
	host_until(&h, rd32(&q->dev->control_ack) == control);
	for (uint32_t i = 0; i < 3; i++)
		expect_response(q, i, ACCEL_HW_OK, 0);
}

/* A drain ends with an error of its queue pair, also if there was more to do before the error. */
static void
test_drain_ends_with_error(void **state)
{
	uint32_t control;

	(void)state;
	start_endless();
	polls(2);
	wr64(&q->regs->doorbell, UINT64_MAX);
	control = q_control(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	polls(8); /* far less than the descriptors take, or the time that a drain has */
	assert_int_equal(rd32(&q->dev->control_ack), control);
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_STOPPED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_tx_errors),
		TEST(test_type2_first),
		TEST(test_input_errors),
		TEST(test_rx_errors),
		TEST(test_region_edge),
		TEST(test_type0_counts),
		TEST(test_pointer_errors),
		TEST(test_config_errors),
		TEST(test_command_upper),
		TEST(test_command_upper_at_start),
		TEST(test_command_upper_in_tree),
		cmocka_unit_test_setup_teardown(test_no_command_upper, setup_old, teardown),
		TEST(test_fragment_limit),
		TEST(test_byte_limit),
		TEST(test_large_capacity),
		TEST(test_partial_frames),
		TEST(test_error_waits_for_earlier),
		TEST(test_ring_not_accessible),
		TEST(test_rights),
		TEST(test_silence_after_error),
		TEST(test_moderation),
		TEST(test_report_before_waiting),
		TEST(test_age),
		TEST(test_wrap),
		TEST(test_ring_in_pieces),
		TEST(test_random_loopback),
		TEST(test_fairness),
		TEST(test_drain_before_taking),
		TEST(test_drain_ends_with_error),
		TEST(test_endless_type0),
		TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
