/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a card puts on its link: the packets of single accesses, worked out by hand from the rules
 * in bus/tlp.h, and the accesses of operations.
 */
#include <errno.h>

#include "bus/tlp.h"
#include "model_base/model_card.h"

#define LEN 64u

/* Overhead in bytes: framing 8, header of a request 16, of a completion 12. */
#define REQUEST 24u
#define COMPLETION 20u

/* A read: its requests, its completions, and the bytes that fill completions up to DWs. */
static const struct {
	uint64_t addr;
	uint64_t len;
	unsigned int requests;
	unsigned int completions;
	unsigned int fill;
} reads[] = {
	{ 0, 64, 1, 1, 0 },
	{ 0, 512, 1, 2, 0 }, /* 256, 256 */
	{ 0, 513, 2, 3, 3 }, /* 512 and 1 */
	{ 0x20, 512, 1, 3, 0 }, /* 224 up to 0x100, 256, 32 */
	{ 0x80, 512, 1, 2, 0 }, /* up to 0x180 and 0x280: multiples of 64, not of 256 */
	{ 0xfc0, 64, 1, 1, 0 }, /* ends at the page's end */
	{ 0x1fc0, 128, 2, 2, 0 }, /* crosses it */
	{ 0x3, 1, 1, 1, 3 },
	{ 0x3, 6, 1, 1, 6 }, /* 3 before and 3 behind */
	{ 0x1, 512, 2, 3, 4 }, /* 511 up to 512 as 255 and 256; 1 */
	/* 7 of 512 and one of 384 in the first page, 8 in each of three, 128 bytes in the last. */
	{ 0x80, 16384, 33, 65, 0 },
	{ 0x1000, 1024, 2, 4, 0 },
	{ 0xffffffffff80, 128, 1, 1, 0 },
};

/* A write: its packets and the bytes that fill them. */
static const struct {
	uint64_t addr;
	uint64_t len;
	unsigned int tlps;
	unsigned int fill;
} writes[] = {
	{ 0, 256, 1, 0 },
	{ 0, 257, 2, 3 },
	{ 0x80, 256, 1, 0 }, /* nothing asks for more than the limit of bytes */
	{ 0xfe0, 64, 2, 0 }, /* crosses a page */
	{ 0x1, 256, 2, 4 }, /* 255 and 1: 1 before, 3 behind the last */
	{ 0x40, 16, 1, 0 },
	{ 0x2, 1, 1, 3 },
	{ 0x80, 16384, 65, 0 }, /* 15 of 256 and one of 128, three times 16, 128 bytes */
};

static void
test_splits_of_reads(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		struct accel_model_bus_count c = { 0 };

		tlp_read(&c, reads[i].addr, reads[i].len);
		assert_int_equal(c.reads, 1);
		assert_int_equal(c.writes, 0);
		assert_int_equal(c.tlps_up, reads[i].requests);
		assert_int_equal(c.tlps_down, reads[i].completions);
		assert_int_equal(c.payload_up, 0);
		assert_int_equal(c.payload_down, reads[i].len);
		assert_int_equal(c.overhead_up, reads[i].requests * REQUEST);
		assert_int_equal(c.overhead_down,
				 reads[i].completions * COMPLETION + reads[i].fill);
	}
}

static void
test_splits_of_writes(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		struct accel_model_bus_count c = { 0 };

		tlp_write(&c, writes[i].addr, writes[i].len);
		assert_int_equal(c.reads, 0);
		assert_int_equal(c.writes, 1);
		assert_int_equal(c.tlps_up, writes[i].tlps);
		assert_int_equal(c.tlps_down, 0);
		assert_int_equal(c.payload_up, writes[i].len);
		assert_int_equal(c.overhead_up, writes[i].tlps * REQUEST + writes[i].fill);
		assert_int_equal(c.payload_down + c.overhead_down, 0);
	}
}

static void
test_registers_and_nothing(void **state)
{
	struct accel_model_bus_count c = { 0 }, none = { 0 };

	(void)state;
	tlp_host_write(&c, 8);
	tlp_host_write(&c, 2);
	assert_int_equal(c.writes, 2);
	assert_int_equal(c.tlps_down, 2);
	assert_int_equal(c.payload_down, 10);
	assert_int_equal(c.overhead_down, 2 * REQUEST + 2);
	assert_int_equal(c.tlps_up + c.payload_up + c.overhead_up, 0);
	c = none;
	tlp_read(&c, 1, 0);
	tlp_write(&c, 1, 0);
	assert_memory_equal(&c, &none, sizeof(c));
}

/* The pieces of an access at any place cover it and nothing else. */
static void
test_random_splits(void **state)
{
	(void)state;
	rng_start();
	for (unsigned int i = 0; i < 20000; i++) {
		struct accel_model_bus_count r = { 0 }, w = { 0 };
		const uint64_t addr = draw(1u << 16), len = 1 + draw(1u << draw(17));
		const uint64_t pages = ((addr + len - 1) >> 12) - (addr >> 12) + 1;

		tlp_read(&r, addr, len);
		tlp_write(&w, addr, len);
		assert_int_equal(r.payload_down, len);
		assert_int_equal(w.payload_up, len);
		/* Each page has at most one piece that is shorter than the limit, and one more DW
		 * begins in the middle. */
		assert_in_range(r.tlps_up, (len + TLP_MRRS - 1) / TLP_MRRS,
				len / TLP_MRRS + pages + 1);
		assert_in_range(w.tlps_up, (len + TLP_MPS - 1) / TLP_MPS,
				len / TLP_MPS + pages + 1);
		assert_in_range(r.tlps_down, w.tlps_up, w.tlps_up + r.tlps_up);
	}
}

static void
open_counted(uint32_t descriptors)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 2,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL,
		.bus_count = true,
	};

	card_open(&config, descriptors, 64);
}

static struct accel_model_bus
counts(void)
{
	struct accel_model_bus b;

	assert_int_equal(accel_model_bus_read(h.model, 0, &b), 0);
	return b;
}

/* Posts an operation of one fragment, in place. */
static void
post_cipher(const struct accel_hw_context *ctx, uint32_t tag, uint8_t *data)
{
	q_post(q, new_sym(&h, ctx, tag, LEN, 0), data, LEN, data, LEN);
}

static void
check(const struct accel_model_bus_count *c, unsigned int number, unsigned int payload, bool up)
{
	assert_int_equal(up ? c->writes : c->reads, number);
	assert_int_equal(up ? c->reads : c->writes, 0);
	assert_int_equal(up ? c->payload_up : c->payload_down, payload);
}

/* Two operations with one doorbell and one context. */
static void
test_operations(void **state)
{
	struct accel_hw_context *ctx;
	struct accel_model_bus b;
	uint8_t *data;

	(void)state;
	open_counted(64);
	ctx = new_context(&h, 7);
	data = filled(LEN, 1);
	b = counts();
	assert_int_equal(b.kind[ACCEL_MODEL_BUS_LINE].writes, 1); /* START */
	assert_int_equal(b.ops, 0);
	post_cipher(ctx, 1, data);
	post_cipher(ctx, 2, data);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, LEN);
	expect_response(q, 2, ACCEL_HW_OK, LEN);
	polls(3);
	b = counts();
	assert_int_equal(b.ops, 2);
	assert_int_equal(b.kind[ACCEL_MODEL_BUS_DOORBELL].writes, 1);
	assert_int_equal(b.kind[ACCEL_MODEL_BUS_DOORBELL].payload_down, 8);
	/* A type 0 in either ring, then command and data, data. */
	check(&b.kind[ACCEL_MODEL_BUS_TX], 1, 5 * 8, false);
	check(&b.kind[ACCEL_MODEL_BUS_RX], 1, 3 * 8, false);
	check(&b.kind[ACCEL_MODEL_BUS_COMMAND], 2, 2 * 64, false);
	check(&b.kind[ACCEL_MODEL_BUS_CONTEXT], 1, 320, false);
	check(&b.kind[ACCEL_MODEL_BUS_INPUT], 2, 2 * LEN, false);
	check(&b.kind[ACCEL_MODEL_BUS_RESULT], 2, 2 * LEN, true);
	check(&b.kind[ACCEL_MODEL_BUS_RESPONSE], 2, 2 * 16, true);
	check(&b.kind[ACCEL_MODEL_BUS_LINE], 3, 3 * 16, true); /* the test's N is 1 */
	/* Descriptors, command, input, and the context once; with prefetch one less each. */
	assert_int_equal(b.chain, 3 + 3 + 1);
	assert_int_equal(b.chain_prefetch, 2 + 2 + 1);
}

/* A ring's end is the end of a read. 8 slots: the third operation begins in slot 6. */
static void
test_end_of_a_ring(void **state)
{
	struct accel_model_bus b;
	uint8_t *data;

	(void)state;
	open_counted(8);
	data = filled(LEN, 1);
	for (uint32_t i = 0; i < 4; i++) {
		struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, i);

		cmd->cipher_len = LEN;
		expect(cmd, data, LEN, data, LEN, ACCEL_HW_OK, LEN);
	}
	b = counts();
	assert_int_equal(b.kind[ACCEL_MODEL_BUS_DOORBELL].writes, 4);
	/* TX: slots 0 to 2, 3 and 4, 5 and 6, then 7 and 0. RX: 0 and 1, 2, 3, 4. */
	check(&b.kind[ACCEL_MODEL_BUS_TX], 5, 9 * 8, false);
	check(&b.kind[ACCEL_MODEL_BUS_RX], 4, 5 * 8, false);
	assert_int_equal(b.kind[ACCEL_MODEL_BUS_CONTEXT].reads, 0);
	assert_int_equal(b.chain, 4 * 3);
}

/* Fragments that follow each other are one access, others are not. Less output than room. */
static void
test_fragments(void **state)
{
	struct accel_hw_command *cmd;
	struct accel_model_bus b;
	uint8_t *data;

	(void)state;
	open_counted(64);
	data = filled(4 * LEN, 1);
	cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);
	cmd->cipher_len = 3 * LEN;
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, data), LEN, NEXT);
	tx_frag(q, host_iova(&h, data + LEN), LEN, NEXT);
	tx_frag(q, host_iova(&h, data + 3 * LEN), LEN, 0);
	rx_frag(q, host_iova(&h, data + 2 * LEN), LEN, NEXT);
	rx_frag(q, host_iova(&h, data), LEN, NEXT);
	rx_frag(q, host_iova(&h, data + LEN), 2 * LEN, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 3 * LEN);
	b = counts();
	check(&b.kind[ACCEL_MODEL_BUS_INPUT], 2, 3 * LEN, false);
	check(&b.kind[ACCEL_MODEL_BUS_RESULT], 2, 3 * LEN, true);
}

/* Counting goes on when faults come and go, and a response that is never written is not counted. */
static void
test_beside_faults(void **state)
{
	struct accel_model_bus b;

	(void)state;
	open_counted(64);
	assert_int_equal(accel_model_fault(h.model, "lost@2"), 0);
	for (uint32_t i = 1; i <= 3; i++) {
		struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_NOP, i);

		cmd->flags = ACCEL_HW_CMD_NO_RX;
		q_post(q, cmd, NULL, 0, NULL, 0);
	}
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 0);
	expect_response(q, 3, ACCEL_HW_OK, 0);
	assert_int_equal(accel_model_fault(h.model, "none"), 0);
	expect(new_command(&h, ACCEL_HW_OP_NOP, 4), NULL, 0, filled(LEN, 0), LEN, ACCEL_HW_OK, 0);
	b = counts();
	assert_int_equal(b.ops, 4);
	check(&b.kind[ACCEL_MODEL_BUS_RESPONSE], 3, 3 * 16, true);
	check(&b.kind[ACCEL_MODEL_BUS_RESULT], 0, 0, true);
	check(&b.kind[ACCEL_MODEL_BUS_INPUT], 0, 0, false);
	assert_int_equal(b.chain, 4 * 2);
}

/* Pointers and START: a queue pair that starts again counts from slot 0. */
static void
test_second_queue_pair(void **state)
{
	struct accel_model_bus b;

	(void)state;
	open_counted(64);
	q = &h.q[1];
	for (unsigned int i = 0; i < 2; i++) {
		q_start(q, 64, 64, 64);
		expect(new_command(&h, ACCEL_HW_OP_NOP, i), NULL, 0, filled(LEN, 0), LEN,
		       ACCEL_HW_OK, 0);
		q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	}
	b = counts();
	assert_int_equal(b.kind[ACCEL_MODEL_BUS_DOORBELL].writes, 2);
	check(&b.kind[ACCEL_MODEL_BUS_TX], 2, 2 * 2 * 8, false);
	check(&b.kind[ACCEL_MODEL_BUS_RX], 2, 2 * 2 * 8, false);
}

/* Commands of a ring of 8 come with one read for a doorbell, and two at the ring's end. */
static void
test_command_ring(void **state)
{
	struct accel_hw_command *ring;
	struct accel_model_bus b;
	uint32_t n = 0;

	(void)state;
	open_counted(64);
	ring = host_alloc(&h, 8 * sizeof(*ring), 64);
	q = &h.q[1];
	wr64(&q->regs->command_base, host_iova(&h, ring) | ACCEL_HW_QP_COMMAND_BASE_VALID);
	wr32(&q->regs->command_size, 8);
	q_start(q, 64, 64, 64);
	for (unsigned int burst = 0; burst < 2; burst++) {
		for (unsigned int i = 0; i < 6; i++, n++) {
			memset(&ring[n % 8], 0, sizeof(*ring));
			ring[n % 8].opcode = ACCEL_HW_OP_NOP;
			ring[n % 8].flags = ACCEL_HW_CMD_NO_RX;
			ring[n % 8].tag = n;
			tx_word(q, DESC2(0, 64, COMMAND));
		}
		q_ring(q);
		for (unsigned int i = n - 6; i < n; i++)
			expect_response(q, i, ACCEL_HW_OK, 0);
	}
	b = counts();
	/* Commands 0 to 5; 6 and 7, then 8 to 11 in slots 0 to 3. */
	check(&b.kind[ACCEL_MODEL_BUS_COMMAND], 3, 12 * 64, false);
	check(&b.kind[ACCEL_MODEL_BUS_TX], 2, 12 * 8, false);
	assert_int_equal(b.chain, 12);
	assert_int_equal(b.chain_prefetch, 12);
}

static void
test_refused(void **state)
{
	struct accel_model_bus b;

	(void)state;
	card_open_small(ACCEL_MODEL_ENGINE_NULL, 64, 64);
	assert_int_equal(accel_model_bus_read(h.model, 0, &b), -ENOTSUP);
	assert_int_equal(accel_model_bus_read(h.model, 1, &b), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_splits_of_reads),
		cmocka_unit_test(test_splits_of_writes),
		cmocka_unit_test(test_registers_and_nothing),
		cmocka_unit_test(test_random_splits),
		cmocka_unit_test_teardown(test_operations, teardown),
		cmocka_unit_test_teardown(test_end_of_a_ring, teardown),
		cmocka_unit_test_teardown(test_fragments, teardown),
		cmocka_unit_test_teardown(test_beside_faults, teardown),
		cmocka_unit_test_teardown(test_second_queue_pair, teardown),
		cmocka_unit_test_teardown(test_command_ring, teardown),
		cmocka_unit_test_teardown(test_refused, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
