/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The health page of the model (manual 4.6): what the card is, snapshots of counters, and the
 * record of the latest fault.
 */
#include "model_base/model_nops.h"
#include "model_base/model_threads.h"

#define SERIAL UINT64_C(0x1122334455667788)
#define HOLE (HOST_IOVA + HOST_MEM) /* behind the host's memory */

static const struct accel_hw_health *
health_of(const struct host *host)
{
	const void *fdt = host->bar + rd32(&host->id->dt_offset);
	int node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_HEALTH);

	assert_true(node >= 0);
	return (const void *)(host->bar + host_reg(fdt, node, 0));
}

/* Takes a snapshot and returns it. */
static struct accel_hw_health
snapshot(struct host *host)
{
	const struct accel_hw_health *page = health_of(host);
	const uint32_t request = rd32(&page->snapshot_ack) + 1;

	wr32(&host->control->snapshot_req, request);
	host_until(host, rd32(&page->snapshot_ack) == request);
	return *page;
}

static int
setup_health(void **state)
{
	struct accel_model_config config = base_config();

	(void)state;
	config.serial = SERIAL;
	open_with(&config);
	return 0;
}

static void
test_card(void **state)
{
	struct accel_hw_health page;

	(void)state;
	for (int i = 0; i < 2; i++) {
		page = *health_of(&h);
		assert_int_equal(page.snapshot_ack, 0);
		assert_int_equal(page.fault_count, 0);
		assert_int_equal(page.firmware_version, ACCEL_TEST_VERSION);
		assert_true(page.serial == SERIAL);
		assert_int_equal(page.temperature, ACCEL_HW_TEMPERATURE_NONE);
		assert_int_equal(page.power, ACCEL_HW_POWER_NONE);
		assert_true(page.mem_corrected == 0 && page.mem_uncorrected == 0);
		/* An FLR writes the page anew. */
		memset(h.bar + ((const uint8_t *)health_of(&h) - h.bar), 0xff, ACCEL_HW_PAGE_SIZE);
		accel_function_flr(h.fn);
		assert_true(is_all((const uint8_t *)(health_of(&h) + 1), 0,
				   ACCEL_HW_PAGE_SIZE - sizeof(page)));
	}
}

/* Snapshots. */

static void
cipher(struct hostq *to, const struct accel_hw_context *ctx, uint32_t nb)
{
	uint8_t *data = host_alloc(to->host, 64, 64);

	for (uint32_t i = 0; i < nb; i++) {
		q_post(to, new_sym(to->host, ctx, i, 64, 0), data, 64, data, 64);
		q_ring(to);
		expect_response(to, i, ACCEL_HW_OK, 64);
	}
}

static void
test_counters(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1);
	struct accel_hw_health s, again;

	(void)state;
	s = snapshot(&h);
	assert_true(s.ops == 0 && s.context_hits == 0 && s.context_misses == 0);
	assert_true(s.latency_ops == 0 && s.latency_ns_sum == 0 && s.latency_ns_max == 0);
	assert_true(s.writebacks == 1); /* that of START */
	cipher(q, ctx, 400);
	/* Nothing changes without a request. */
	wait_ms(3);
	again = *health_of(&h);
	assert_memory_equal(&s, &again, sizeof(s));
	s = snapshot(&h);
	assert_true(s.ops == 400 && s.context_hits == 399 && s.context_misses == 1);
	assert_true(s.context_drops == 0);
	assert_true(s.writebacks == 401);
	assert_true(s.time_ns > again.time_ns);
	assert_true(s.engine_busy_ns > 0 && s.engine_busy_ns <= s.time_ns);
	assert_true(s.latency_ops > 0 && s.latency_ops <= s.ops);
	assert_true(s.latency_ns_max > 0 && s.latency_ns_max <= s.latency_ns_sum);
	assert_true(s.latency_ns_sum <= s.latency_ops * s.latency_ns_max);
	assert_true(s.latency_ns_sum <= s.time_ns);
	/* An invalidation drops the copy. */
	wr32(&h.invalidate[ACCEL_HW_INVALIDATE_INDEX(host_iova(&h, ctx))], 1);
	wait_ms(15);
	cipher(q, ctx, 1);
	s = snapshot(&h);
	assert_true(s.context_drops == 1 && s.context_misses == 2 && s.ops == 401);
}

/* STOP, START and a reset do not change the counters. An FLR clears them. */
static void
test_counters_last(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1);
	struct accel_hw_health s;

	(void)state;
	cipher(q, ctx, 10);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_start(q, 256, 256, 256);
	q->tx_upper = q->rx_upper = UINT64_MAX;
	cipher(q, ctx, 5);
	assert_true(snapshot(&h).ops == 15);
	host_reset(&h);
	assert_true(snapshot(&h).ops == 15);
	q_start(q, 256, 256, 256);
	cipher(q, ctx, 2);
	s = snapshot(&h);
	assert_true(s.ops == 17);
	/* Any other number is a request. */
	wr32(&h.control->snapshot_req, 0);
	host_until(&h, rd32(&health_of(&h)->snapshot_ack) == 0);
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&h.control->snapshot_req), 0);
	s = snapshot(&h);
	assert_int_equal(s.snapshot_ack, 1);
	assert_true(s.ops == 0 && s.context_hits == 0 && s.context_misses == 0);
	assert_true(s.writebacks == 0 && s.engine_busy_ns == 0 && s.latency_ops == 0);
	assert_true(s.latency_ns_sum == 0 && s.latency_ns_max == 0);
	q_start(q, 256, 256, 256);
	cipher(q, ctx, 3);
	s = snapshot(&h);
	assert_true(s.ops == 3 && s.context_misses == 1 && s.writebacks == 4);
}

/* A function's counters are its own, and those of all workers together. */
static void
test_functions_and_workers(void **state)
{
	struct accel_model_config config = base_config();
	struct device_threads d;
	struct accel_hw_health s;
	struct host vf;

	teardown(state);
	config.nb_functions = 2;
	config.nb_workers = 2;
	host_open(&h, &config);
	host_attach(&vf, h.model, 1);
	start_threads(&d, 2);
	vf.threads = true;
	host_reset(&h);
	host_reset(&vf);
	for (unsigned int i = 0; i < 4; i++) {
		q_start(&h.q[i], 64, 64, 64);
		cipher(&h.q[i], new_context(&h, i + 1), 10 + i);
	}
	q_start(&vf.q[1], 64, 64, 64);
	cipher(&vf.q[1], new_context(&vf, 1), 7);
	s = snapshot(&h);
	assert_true(s.ops == 46 && s.context_misses == 4 && s.context_hits == 42);
	s = snapshot(&vf);
	assert_true(s.ops == 7 && s.context_misses == 1 && s.context_hits == 6);
	stop_threads(&d);
	/* Workers without threads do not hold a snapshot up: worker 0 is polled alone. */
	h.threads = vf.threads = false;
	assert_true(snapshot(&vf).ops == 7);
	accel_function_flr(vf.fn);
	assert_true(snapshot(&vf).ops == 0);
	assert_true(snapshot(&h).ops == 46);
	host_detach(&vf);
}

/* A request that waits for the host is no sample of the latency. */
static void
test_waiting_is_no_latency(void **state)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);
	uint8_t *data = filled(64, 0);
	struct accel_hw_health s;

	(void)state;
	cmd->cipher_len = 8;
	/* The request has no result frame when its doorbell is read. */
	q_post(q, cmd, data, 8, NULL, 0);
	q_ring(q);
	polls(3);
	rx_frag(q, host_iova(&h, data), 8, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 8);
	s = snapshot(&h);
	assert_true(s.ops == 1 && s.latency_ops == 0);
	/* Here the request is not complete. The doorbell that completes it begins a sample. */
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	q_ring(q);
	polls(3);
	tx_frag(q, host_iova(&h, data), 8, 0);
	rx_frag(q, host_iova(&h, data), 8, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 8);
	s = snapshot(&h);
	assert_true(s.ops == 2 && s.latency_ops == 1);
}

/* Faults. */

static uint32_t faults;

static void
expect_fault(enum accel_hw_fault_access access, uint32_t tag, uint64_t address)
{
	const struct accel_hw_health *page = health_of(&h);

	assert_int_equal(rd32(&page->fault_count), ++faults);
	assert_int_equal(rd32(&page->fault_info),
			 ACCEL_HW_FAULT_INFO(access, ACCEL_HW_FAULT_UNMAPPED, 2));
	assert_int_equal(rd32(&page->fault_tag), tag);
	assert_true(rd64(&page->fault_address) == address);
}

/* Starts queue pair 2 with one of its structures elsewhere, or in its place with NULL. */
static void
start_at(uint64_t *base, uint64_t address)
{
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, 64, 64, 64);
	if (base != NULL)
		wr64(base, address);
	q_command(q, ACCEL_HW_QP_CMD_START);
}

static void
test_ring_faults(void **state)
{
	uint8_t *data = filled(64, 0);
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 77);

	(void)state;
	faults = 0;
	q = &h.q[2];
	cmd->cipher_len = 8;
	start_at(NULL, 0);
	start_at(&q->regs->tx_base, HOLE - 64);
	for (unsigned int i = 0; i < 8; i++)
		((uint64_t *)(void *)(h.mem + HOST_MEM - 64))[i] = DESC0(HOST_IOVA);
	wr64(&q->regs->doorbell, 10);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, 8);
	expect_fault(ACCEL_HW_FAULT_TX_RING, 0, HOLE);
	start_at(&q->regs->rx_base, HOLE);
	q_post(q, cmd, data, 8, data, 8);
	q_ring(q);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_RX, 0);
	expect_fault(ACCEL_HW_FAULT_RX_RING, 0, HOLE);
	start_at(NULL, 0);
	tx_frag(q, HOLE - 40, 64, COMMAND);
	q_ring(q);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, 1);
	expect_fault(ACCEL_HW_FAULT_COMMAND, 0, HOLE);
	start_at(&q->regs->rsp_base, HOLE + 64);
	q_post(q, cmd, data, 8, data, 8);
	q_ring(q);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_RSP, 0);
	expect_fault(ACCEL_HW_FAULT_RESPONSE, 77, HOLE + 64);
	start_at(&q->regs->wb_base, HOLE + 128);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_WB, 0);
	expect_fault(ACCEL_HW_FAULT_LINE, 0, HOLE + 128);
	/* The line goes away while the queue pair runs. */
	assert_int_equal(accel_function_dma_map(h.fn, HOLE, filled(4096, 0), 4096,
						ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE),
			 0);
	start_at(&q->regs->wb_base, HOLE);
	assert_int_equal(accel_function_dma_unmap(h.fn, HOLE, 4096), 0);
	q_post(q, cmd, data, 8, data, 8);
	q_ring(q);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_WB, 0);
	expect_fault(ACCEL_HW_FAULT_LINE, 0, HOLE);
}

static void
post_at(const struct accel_hw_command *cmd, uint64_t in, uint32_t in_len, uint64_t out,
	uint32_t out_len)
{
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, in, in_len, 0);
	rx_frag(q, out, out_len, 0);
	q_ring(q);
	expect_response(q, cmd->tag, ACCEL_HW_DMA_FAULT, 0);
}

static void
test_operation_faults(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 5, 64, 0);
	struct accel_hw_command *copy = new_command(&h, ACCEL_HW_OP_LOOPBACK, 6);
	uint64_t data = host_iova(&h, filled(64, 0));

	(void)state;
	faults = 0;
	q = &h.q[2];
	start_at(NULL, 0);
	copy->cipher_len = 64;
	post_at(copy, HOLE - 1, 64, data, 64);
	expect_fault(ACCEL_HW_FAULT_INPUT, 6, HOLE);
	post_at(copy, data, 64, HOLE - 63, 64);
	expect_fault(ACCEL_HW_FAULT_RESULT, 6, HOLE);
	post_at(cmd, HOLE + 5, 64, data, 64);
	expect_fault(ACCEL_HW_FAULT_INPUT, 5, HOLE + 5);
	post_at(cmd, data, 64, HOLE - 30, 64);
	expect_fault(ACCEL_HW_FAULT_RESULT, 5, HOLE);
	cmd->context = HOLE - 256; /* the last 64 bytes are outside */
	post_at(cmd, data, 64, data, 64);
	expect_fault(ACCEL_HW_FAULT_CONTEXT, 5, HOLE);
	assert_int_equal(accel_model_fault(h.model, "dma@1"), 0);
	post_at(copy, data, 64, data, 64);
	expect_fault(ACCEL_HW_FAULT_INPUT, 6, data);
	/* A reset keeps the record, an FLR does not. */
	host_reset(&h);
	assert_int_equal(rd32(&health_of(&h)->fault_count), faults);
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&health_of(&h)->fault_count), 0);
	assert_int_equal(rd32(&health_of(&h)->fault_info), 0);
}

/* A card of contract 1.0 has no such page. */
static void
test_contract_1_0(void **state)
{
	struct accel_model_config config = base_config();
	const void *fdt;

	teardown(state);
	config.contract = ACCEL_MODEL_CONTRACT_1_0;
	open_with(&config);
	fdt = h.bar + rd32(&h.id->dt_offset);
	assert_true(fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_HEALTH) < 0);
	wr32(&h.control->snapshot_req, 1);
	post_nop(q, 1);
	tx_frag(q, HOLE, 64, COMMAND);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 0);
	expect_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, 3);
	accel_function_flr(h.fn);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_health, teardown)
		TEST(test_card),
		TEST(test_counters),
		TEST(test_counters_last),
		TEST(test_functions_and_workers),
		TEST(test_waiting_is_no_latency),
		TEST(test_ring_faults),
		TEST(test_operation_faults),
		TEST(test_contract_1_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
