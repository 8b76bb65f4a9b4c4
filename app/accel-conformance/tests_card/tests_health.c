/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the health page: fault record and snapshots (manual 4.6).
 */
#include <inttypes.h>
#include <string.h>

#include "card/health.h"
#include "reference/sym.h"
#include "tests_card.h"

#define UNMAPPED ACCEL_HW_FAULT_UNMAPPED

static bool
has_health(struct card *c)
{
	if (c->tree.health != 0)
		return true;
	result_skip(&c->result, "no health page");
	return false;
}

/* Check the record of the fault that came last. */
static bool
record(struct card *c, uint32_t before, uint32_t access, uint32_t qp, uint32_t tag,
       uint64_t address)
{
	uint32_t info = ACCEL_HW_FAULT_INFO(access, UNMAPPED, qp);

	ENSURE(c, card_wait32(c, c->tree.health + HEALTH(fault_count), UINT32_MAX, before + 1),
	       "FAULT_COUNT is %u after a fault, it was %u", health32(c, HEALTH(fault_count)),
	       before);
	ENSURE(c, health32(c, HEALTH(fault_info)) == info, "FAULT_INFO is %#x, wanted %#x: access "
	       "%u, not mapped, queue pair %u", health32(c, HEALTH(fault_info)), info, access, qp);
	ENSURE(c, health32(c, HEALTH(fault_tag)) == tag, "FAULT_TAG is %#x, wanted %#x",
	       health32(c, HEALTH(fault_tag)), tag);
	ENSURE(c, health64(c, HEALTH(fault_address)) == address, "FAULT_ADDRESS is %#" PRIx64
	       ", wanted %#" PRIx64, health64(c, HEALTH(fault_address)), address);
	return true;
}

/* Test faults of operations: input at the start and in the middle, context, result. */
static void
operation_faults(struct card *c)
{
	uint64_t end = c->memory.part[MEMORY_HIGH].iova + c->memory.part[MEMORY_HIGH].size;
	uint32_t qp = c->tree.nb_qps - 1, before;
	struct accel_hw_context x;
	struct request r;
	struct queue q;

	if (!has_health(c))
		return;
	queue_init(&q, c, qp);
	if (!queue_start(&q))
		return;
	for (int i = 0; i < 4; i++) {
		before = health32(c, HEALTH(fault_count));
		request_init(&r, ACCEL_HW_OP_LOOPBACK);
		request_in(&r, i == 0 ? MEMORY_HOLE + 77 : end - 16u * (unsigned int)i, 64);
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		r.cmd.cipher_len = 64;
		if (!request_run(&q, &r, ACCEL_HW_DMA_FAULT) ||
		    !record(c, before, ACCEL_HW_FAULT_INPUT, qp, r.cmd.tag,
			    i == 0 ? MEMORY_HOLE + 77 : end))
			return;
	}
	if (tree_alg(&c->tree, ACCEL_HW_CIPHER_AES_CBC) != NULL) {
		before = health32(c, HEALTH(fault_count));
		sym_cbc(&c->tree, &x, true);
		x.generation = ++c->generation;
		sym_request(&r, &x, MEMORY_HOLE + 64);
		r.cmd.cipher_len = 64;
		request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		if (!request_run(&q, &r, ACCEL_HW_DMA_FAULT) ||
		    !record(c, before, ACCEL_HW_FAULT_CONTEXT, qp, r.cmd.tag, MEMORY_HOLE + 64))
			return;
	}
	if (c->tree.reports_writes) {
		before = health32(c, HEALTH(fault_count));
		request_loopback(&r, c, memory_get(&c->memory, MEMORY_LOW, 64, 1),
				 MEMORY_HOLE + 4096, 64);
		if (!request_run(&q, &r, ACCEL_HW_DMA_FAULT) ||
		    !record(c, before, ACCEL_HW_FAULT_RESULT, qp, r.cmd.tag, MEMORY_HOLE + 4096))
			return;
	}
	before = health32(c, HEALTH(fault_count));
	if (request_works(&q))
		CHECK(c, health32(c, HEALTH(fault_count)) == before,
		      "FAULT_COUNT counts a request without a fault");
}

/* Test faults that end the queue pair: rings, command, response, write-back line. */
static void
queue_faults(struct card *c)
{
	static const uint8_t access[] = { ACCEL_HW_FAULT_COMMAND, ACCEL_HW_FAULT_TX_RING,
					  ACCEL_HW_FAULT_RX_RING, ACCEL_HW_FAULT_RESPONSE,
					  ACCEL_HW_FAULT_LINE };
	struct accel_hw_command cmd = { .opcode = ACCEL_HW_OP_NOP, .tag = 0x600df00d };

	if (!has_health(c))
		return;
	for (unsigned int i = 0; i < sizeof(access); i++) {
		uint32_t before = health32(c, HEALTH(fault_count));
		uint64_t address = MEMORY_HOLE;
		struct queue q;

		if (i >= 3 && !c->tree.reports_writes)
			continue;
		queue_init(&q, c, 0);
		*(i == 1 ? &q.regs.tx_base : i == 2 ? &q.regs.rx_base : i == 3 ? &q.regs.rsp_base :
		  i == 4 ? &q.regs.wb_base : &address) = MEMORY_HOLE;
		queue_program(&q);
		if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_START))
			return;
		cmd.flags = i == 3 ? ACCEL_HW_CMD_NO_RX : 0;
		memory_write(&c->memory, q.commands, &cmd, sizeof(cmd));
		if (i != 1)
			queue_fragment(&q, QUEUE_TX, i == 0 ? MEMORY_HOLE : q.commands, 64,
				       ACCEL_HW_DESC2_COMMAND);
		if (i != 4)
			queue_doorbell_raw(&q, i == 1 ? 1 : 2, i == 2 ? 1 : 0);
		if (i != 4)
			c->line[c->nb_lines++] = q.regs.wb_base;
		result_note(&c->result, "access %u", access[i]);
		CHECK(c, card_wait32(c, q.device + 4, 0xff, ACCEL_HW_QP_ERROR), "STATUS is %#x",
		      queue_status(&q));
		if (!record(c, before, access[i], 0, i == 3 ? cmd.tag : i == 2 ?
			    health32(c, HEALTH(fault_tag)) : 0, MEMORY_HOLE) ||
		    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Holds some of the counters of a snapshot. */
struct counters {
	uint64_t ops, lines, hits, misses, time, sum;
};

static void
read_counters(const struct card *c, struct counters *n)
{
	n->ops = health64(c, HEALTH(ops));
	n->lines = health64(c, HEALTH(writebacks));
	n->hits = health64(c, HEALTH(context_hits));
	n->misses = health64(c, HEALTH(context_misses));
	n->time = health64(c, HEALTH(time_ns));
	n->sum = health64(c, HEALTH(latency_ns_sum));
}

#define ALONE 30u /* requests, one after the other */
#define WITH_CONTEXT 10u

/* Do work whose counts are known. *sym receives how many requests had a context, which is the same
 * context for all. */
static bool
known_work(struct card *c, unsigned int *sym)
{
	struct accel_hw_context x;
	struct queue q;
	uint64_t at;

	*sym = tree_alg(&c->tree, ACCEL_HW_CIPHER_AES_CBC) != NULL ? WITH_CONTEXT : 0;
	sym_cbc(&c->tree, &x, true);
	at = sym_store(c, &x);
	if (!queue_open(&q, c))
		return false;
	for (unsigned int i = 0; i < ALONE; i++) {
		if (!request_works(&q))
			return false;
	}
	for (unsigned int i = 0; i < *sym; i++) {
		uint8_t out[64];
		struct request r;

		sym_cbc_request(c, &r, &x, at, out);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return false;
	}
	return queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check the counters after known work. */
static void
snapshot(struct card *c)
{
	struct counters was, is;
	unsigned int sym;

	if (!has_health(c) || !health_snapshot(c))
		return;
	read_counters(c, &was);
	if (!known_work(c, &sym) || !health_snapshot(c))
		return;
	read_counters(c, &is);
	CHECK(c, is.ops - was.ops == ALONE + sym, "OPS counts %" PRIu64 ", wanted %u",
	      is.ops - was.ops, ALONE + sym);
	CHECK(c, is.lines - was.lines >= ALONE + sym + 2, "WRITEBACKS counts %" PRIu64
	      " with START, %u requests alone and STOP", is.lines - was.lines, ALONE + sym);
	CHECK(c, is.hits + is.misses - was.hits - was.misses == sym &&
	      is.misses - was.misses >= (sym > 0), "CONTEXT_HITS counts %" PRIu64
	      ", CONTEXT_MISSES %" PRIu64 " with %u requests of a new context",
	      is.hits - was.hits, is.misses - was.misses, sym);
	CHECK(c, is.time > was.time, "TIME_NS stands still");
	CHECK(c, health64(c, HEALTH(latency_ops)) <= is.ops &&
	      health64(c, HEALTH(latency_ns_max)) <= is.sum && is.sum >= was.sum,
	      "LATENCY_NS_SUM %" PRIu64 ", LATENCY_NS_MAX %" PRIu64 ", LATENCY_OPS %" PRIu64,
	      is.sum, health64(c, HEALTH(latency_ns_max)), health64(c, HEALTH(latency_ops)));
}

/* Check that the counters do not change between two snapshots, while work goes on. */
static void
frozen(struct card *c)
{
	uint64_t before[10];
	struct queue q;

	if (!has_health(c) || !health_snapshot(c))
		return;
	for (uint32_t i = 0; i < 10; i++)
		before[i] = health64(c, HEALTH(time_ns) + 8 * i);
	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 30; i++) {
		if (!request_works(&q))
			return;
	}
	card_settle(c);
	for (uint32_t i = 0; i < 10; i++)
		CHECK(c, health64(c, HEALTH(time_ns) + 8 * i) == before[i],
		      "offset %#x of the health page changes without a snapshot",
		      HEALTH(time_ns) + 8 * i);
	for (int i = 0; i < 20; i++) {
		uint64_t time = health64(c, HEALTH(time_ns));

		if (!health_snapshot(c))
			return;
		CHECK(c, health64(c, HEALTH(time_ns)) > time,
		      "TIME_NS is old when SNAPSHOT_ACK shows the echo");
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that the contexts that an invalidation drops are counted, and that an FLR clears counters
 * and record. */
static void
cleared(struct card *c)
{
	struct request r;
	struct queue q;

	if (!has_health(c) || !queue_open(&q, c) || !request_works(&q))
		return;
	request_init(&r, ACCEL_HW_OP_LOOPBACK);
	request_in(&r, MEMORY_HOLE, 8);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 8, 1), 8);
	r.cmd.cipher_len = 8;
	if (!request_run(&q, &r, ACCEL_HW_DMA_FAULT) || !health_snapshot(c))
		return;
	CHECK(c, health64(c, HEALTH(ops)) > 0 && health32(c, HEALTH(fault_count)) > 0,
	      "OPS or FAULT_COUNT is 0 after a request and a fault");
	CHECK(c, card_flr(c), "the function is not ready after FLR");
	for (uint32_t at = HEALTH(fault_count); at < HEALTH(firmware_version); at += 4)
		CHECK(c, health32(c, at) == 0, "offset %#x of the health page is %#x after FLR", at,
		      health32(c, at));
	CHECK(c, health32(c, HEALTH(snapshot_ack)) == 0, "SNAPSHOT_ACK is not 0 after FLR");
	if (!health_snapshot(c))
		return;
	CHECK(c, health64(c, HEALTH(ops)) == 0 && health64(c, HEALTH(writebacks)) == 0 &&
	      health64(c, HEALTH(context_misses)) == 0, "counters are not 0 after FLR");
	if (!queue_open(&q, c) || !request_run(&q, &r, ACCEL_HW_DMA_FAULT))
		return;
	CHECK(c, card_wait32(c, c->tree.health + HEALTH(fault_count), UINT32_MAX, 1),
	      "FAULT_COUNT is %u with the first fault after FLR", health32(c, HEALTH(fault_count)));
}

static const struct test_case tests[] = {
	{ "HLT-1 HLT-2 HLT-3", "faults of operations: count, access, queue pair, tag, address",
	  operation_faults },
	{ "HLT-1 HLT-2 HLT-3", "faults of queue pairs", queue_faults },
	{ "HLT-4", "a snapshot has the counters of known work", snapshot },
	{ "HLT-5", "counters stay between two snapshots, and are new at the echo", frozen },
	{ "RST-7 HLT-1", "FLR clears counters and record", cleared },
};

const struct test_group tests_health = TEST_GROUP("health", tests);
