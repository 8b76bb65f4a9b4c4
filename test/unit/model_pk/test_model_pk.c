/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key queue pairs (manual 8.8): what they carry out, checks in their order, results, and
 * random numbers. What happens while operations are under way is in test_model_pk_life.c.
 */
#include "model_pk/model_pk.h"

static int
setup(void **state)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 2,
		.nb_workers = 1,
		.bus_count = *state != NULL,
	};

	pk_open(&config);
	return 0;
}

/* PK-1: one more than others; none before contract 1.4. */
static void
test_tree(void **state)
{
	struct accel_model_config config = { .nb_queue_pairs = 3, .nb_workers = 2 };

	(void)state;
	host_open(&h, &config);
	assert_int_equal(h.nb_qps, 3);
	assert_int_equal(h.nb_pks, 4);
	host_close(&h);
	config.contract = ACCEL_MODEL_CONTRACT_1_3;
	host_open(&h, &config);
	assert_int_equal(rd32(&h.id->version), 0x00010003);
	assert_int_equal(h.nb_pks, 0);
	host_reset(&h);
	q = &h.q[0];
	q_start(q, 64, 64, 64);
	expect(random_command(1, 8), NULL, 0, filled(8, 0), 8, ACCEL_HW_BAD_COMMAND, 0);
	host_close(&h);
}

/* PK-2. */
static void
test_opcodes(void **state)
{
	uint8_t *in = pattern(100, 1), *out = filled(100, 0);
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 7);

	(void)state;
	cmd->cipher_len = 100;
	q_post(pk, cmd, in, 100, out, 100);
	cmd = new_command(&h, ACCEL_HW_OP_NOP, 8);
	cmd->flags = ACCEL_HW_CMD_NO_RX;
	q_post(pk, cmd, NULL, 0, NULL, 0);
	q_post(pk, new_command(&h, 99, 9), NULL, 0, out, 1);
	q_post(pk, new_sym(&h, new_context(&h, 5), 10, 16, 0), in, 16, out, 16);
	q_ring(pk);
	expect_response(pk, 7, ACCEL_HW_OK, 100);
	expect_response(pk, 8, ACCEL_HW_OK, 0);
	expect_response(pk, 9, ACCEL_HW_BAD_COMMAND, 0);
	expect_response(pk, 10, ACCEL_HW_BAD_COMMAND, 0);
	assert_memory_equal(in, out, 100);
	assert_int_equal(rd64(&pk->dev->ops), 4);
	assert_int_equal(rd64(&pk->dev->op_errors), 2);
	/* The other kind refuses what is for this one. */
	q_post(q, (void *)new_pk(small_modexp(), 11, 3), in, 3, out, 3);
	q_post(q, random_command(12, 8), NULL, 0, out, 8);
	q_ring(q);
	expect_response(q, 11, ACCEL_HW_BAD_COMMAND, 0);
	expect_response(q, 12, ACCEL_HW_BAD_COMMAND, 0);
}

/* Requests in all sizes of bursts, in fragments, with the ring wrapping; the second time from the
 * cache. */
static void
test_results(void **state)
{
	const struct accel_hw_pk_context *ctx = small_modexp();
	struct accel_hw_pk_command *cmd[200];
	uint8_t *in = filled(3 * 200, 0), *out = filled(3 * 200, 0xee);

	(void)state;
	for (uint32_t i = 0; i < 200; i++) {
		cmd[i] = new_pk(ctx, i, 3);
		put_24(&in[3 * i], 4711 * i + 1);
	}
	for (unsigned int round = 0; round < 3; round++) {
		memset(out, 0xee, 600);
		for (uint32_t i = 0; i < 200; i++) {
			tx_frag(pk, host_iova(&h, cmd[i]), 64, COMMAND | NEXT);
			tx_frag(pk, host_iova(&h, &in[3 * i]), 1, NEXT);
			tx_frag(pk, host_iova(&h, &in[3 * i + 1]), 2, 0);
			rx_frag(pk, host_iova(&h, &out[3 * i]), 2, NEXT);
			rx_frag(pk, host_iova(&h, &out[3 * i + 2]), 1, 0);
		}
		q_ring(pk);
		for (uint32_t i = 0; i < 200; i++)
			expect_response(pk, i, ACCEL_HW_OK, 3);
		for (uint32_t i = 0; i < 200; i++) {
			uint8_t want[3];

			put_24(want, cube(4711 * i + 1));
			assert_memory_equal(&out[3 * i], want, 3);
		}
	}
	assert_int_equal(rd64(&pk->dev->bytes_in), 3 * 200 * 3);
	assert_int_equal(rd64(&pk->dev->bytes_out), 3 * 200 * 3);
	host_until(&h, stats().ctx_hits == 599);
	assert_int_equal(stats().ctx_misses, 1);
}

/* A command with one thing wrong has this status, and writes nothing. */
static void
expect_bad(const struct accel_hw_pk_command *cmd, uint32_t in_len, uint32_t out_len,
	   uint16_t status)
{
	uint8_t *in = filled(in_len + 1, 1), *out = filled(out_len + 1, 0xee);

	pk_expect(cmd, in, in_len, out_len > 0 ? out : NULL, out_len, status, 0);
	assert_true(is_all(out, 0xee, out_len + 1));
}

/* PK-8 to PK-10, and lengths of hostile commands. */
static void
test_bad_commands(void **state)
{
	const struct accel_hw_pk_context *ctx = small_modexp();
	struct accel_hw_pk_command *cmd = new_pk(ctx, 1, 3);

	(void)state;
	cmd->flags = 0x80;
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_COMMAND);
	cmd->flags = 0;
	cmd->reserved[5] = 1;
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_COMMAND);
	cmd->context += 1; /* check 1 comes before check 2 */
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_COMMAND);
	cmd = new_pk(ctx, 2, 3);
	cmd->flags = ACCEL_HW_CMD_NO_RX;
	expect_bad(cmd, 3, 0, ACCEL_HW_BAD_COMMAND);
	cmd = new_pk(ctx, 3, 3);
	cmd->operation = 2;
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_COMMAND);
	cmd = new_pk(ctx, 4, 0);
	expect_bad(cmd, 0, 3, ACCEL_HW_BAD_COMMAND);
	cmd = new_pk(ctx, 5, 4);
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_LENGTH);
	expect_bad(cmd, 5, 3, ACCEL_HW_BAD_LENGTH);
	expect_bad(cmd, 4, 2, ACCEL_HW_OUTPUT_TOO_SMALL);
	/* Operands whose sum is 3 only in 32 bits. */
	cmd = new_pk(ctx, 6, 0xffffffff);
	cmd->operand[1] = 4;
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_COMMAND);
	for (unsigned int i = 0; i < ACCEL_HW_PK_OPERANDS; i++)
		cmd->operand[i] = 0xffffffff;
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_COMMAND);
	/* One byte longer than an operand may be. */
	cmd = new_pk(ctx, 7, 65537);
	tx_frag(pk, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(pk, host_iova(&h, filled(65537, 1)), 65535, NEXT);
	tx_frag(pk, host_iova(&h, cmd), 2, 0);
	rx_frag(pk, host_iova(&h, filled(3, 1)), 3, 0);
	q_ring(pk);
	expect_response(pk, 7, ACCEL_HW_BAD_LENGTH, 0);
	pk_expect(new_pk(ctx, 8, 3), filled(3, 1), 3, filled(3, 0), 3, ACCEL_HW_OK, 3);
}

static void
expect_bad_context(const struct accel_hw_pk_context *ctx, uint16_t status)
{
	expect_bad(new_pk(ctx, 1, 3), 3, 3, status);
}

/* PK-6. */
static void
test_bad_contexts(void **state)
{
	struct accel_hw_pk_command *cmd;
	struct accel_hw_pk_context *ctx;
	struct accel_hw_context *sym = new_context(&h, 77);

	(void)state;
	ctx = small_modexp();
	ctx->version = 2;
	expect_bad_context(ctx, ACCEL_HW_BAD_CONTEXT);
	ctx->version = 1;
	expect_bad(new_pk(ctx, 1, 3), 4, 3, ACCEL_HW_BAD_LENGTH);
	ctx = small_modexp();
	ctx->alg = 5;
	expect_bad_context(ctx, ACCEL_HW_BAD_CONTEXT);
	ctx->alg = 0xff81;
	expect_bad_context(ctx, ACCEL_HW_BAD_CONTEXT);
	ctx = small_modexp();
	ctx->key_len++;
	expect_bad_context(ctx, ACCEL_HW_BAD_CONTEXT);
	ctx->key_len = UINT32_MAX;
	expect_bad_context(ctx, ACCEL_HW_BAD_CONTEXT);
	ctx = small_modexp();
	memset(ctx->component, 0xff, sizeof(ctx->component));
	ctx->key_len = 16 * 0xffff;
	expect_bad_context(ctx, ACCEL_HW_BAD_CONTEXT);
	ctx = small_modexp();
	memset(ctx + 1, 0, 3); /* the modulus */
	expect_bad_context(ctx, ACCEL_HW_BAD_CONTEXT);
	expect_bad_context(ctx, ACCEL_HW_BAD_CONTEXT); /* not from a cache */
	put_24((uint8_t *)(ctx + 1), 1000003);
	pk_expect(new_pk(ctx, 8, 3), filled(3, 1), 3, filled(3, 0), 3, ACCEL_HW_OK, 3);
	cmd = new_pk(ctx, 2, 3);
	cmd->generation++;
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_CONTEXT);
	cmd->generation = 0;
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_CONTEXT);
	cmd = new_pk(ctx, 3, 3);
	cmd->context += 32;
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_CONTEXT);
	/* A context of the other kind, cached or not. */
	cmd = new_pk(ctx, 4, 3);
	cmd->context = host_iova(&h, sym);
	cmd->generation = 77;
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_CONTEXT);
	expect(new_sym(&h, sym, 5, 16, 0), filled(16, 1), 16, filled(16, 0), 16, ACCEL_HW_OK, 16);
	expect_bad(cmd, 3, 3, ACCEL_HW_BAD_CONTEXT);
	expect(new_sym(&h, (void *)ctx, 6, 16, 0), filled(16, 1), 16, filled(16, 0), 16,
	       ACCEL_HW_BAD_CONTEXT, 0);
}

/* What is not mapped; ST-1: the result is the last thing that is looked at. */
static void
test_dma_faults(void **state)
{
	const struct accel_hw_pk_context *ctx = small_modexp();
	struct accel_hw_pk_command *cmd = new_pk(ctx, 1, 3);
	const uint64_t nowhere = HOST_IOVA - 4096;

	(void)state;
	cmd->context = nowhere;
	pk_expect(cmd, filled(3, 1), 3, filled(3, 0), 3, ACCEL_HW_DMA_FAULT, 0);
	for (unsigned int i = 0; i < 3; i++) {
		cmd = new_pk(ctx, 2 + i, i < 2 ? 3 : 4);
		tx_frag(pk, host_iova(&h, cmd), 64, COMMAND | NEXT);
		tx_frag(pk, i == 1 ? host_iova(&h, filled(3, 1)) : nowhere, 3, 0);
		rx_frag(pk, i == 1 ? nowhere : host_iova(&h, filled(3, 1)), 3, 0);
		q_ring(pk);
		expect_response(pk, cmd->tag, i < 2 ? ACCEL_HW_DMA_FAULT : ACCEL_HW_BAD_LENGTH, 0);
	}
	/* A command that cannot be read is an error of the queue pair, as with others. */
	tx_frag(pk, nowhere, 64, COMMAND | NEXT);
	tx_frag(pk, nowhere, 3, 0);
	q_ring(pk);
	host_until(&h, (rd32(&pk->dev->status) & 0xff) == ACCEL_HW_QP_ERROR);
}

/* RND-1, RND-3. */
static void
test_random(void **state)
{
	static const uint32_t sizes[] = { 1, 31, 4096, 4097, 65536 };
	uint8_t *a = filled(65536, 0), *b = filled(65536, 0);
	struct accel_hw_command *cmd;

	(void)state;
	for (unsigned int i = 0; i < 5; i++) {
		memset(a, 0, 65536);
		memset(b, 0, 65536);
		tx_frag(pk, host_iova(&h, random_command(1, sizes[i])), 64, COMMAND);
		tx_frag(pk, host_iova(&h, random_command(2, sizes[i])), 64, COMMAND);
		for (unsigned int k = 0; k < 2; k++) {
			const uint64_t to = host_iova(&h, k == 0 ? a : b);

			rx_frag(pk, to, 32768, NEXT);
			rx_frag(pk, to + 32768, 32768, 0);
		}
		q_ring(pk);
		expect_response(pk, 1, ACCEL_HW_OK, sizes[i]);
		expect_response(pk, 2, ACCEL_HW_OK, sizes[i]);
		assert_true(is_all(a + sizes[i], 0, 65536 - sizes[i]));
		if (sizes[i] < 16)
			continue;
		assert_memory_not_equal(a, b, sizes[i]);
		assert_false(is_all(a + sizes[i] - 16, 0, 16));
	}
	for (unsigned int at = 0; at < sizeof(*cmd); at++) {
		cmd = random_command(3, 8);
		if (at == 4 || (at >= 24 && at < 28))
			continue; /* opcode, cipher_len */
		((uint8_t *)cmd)[at] |= 2; /* NO_RX would change the frames */
		q_post(pk, cmd, NULL, 0, a, 8);
		q_ring(pk);
		expect_response(pk, cmd->tag, at < 4 ? ACCEL_HW_OK : ACCEL_HW_BAD_COMMAND,
				at < 4 ? 8 : 0);
	}
	cmd = random_command(4, 8);
	cmd->flags = ACCEL_HW_CMD_NO_RX;
	q_post(pk, cmd, NULL, 0, NULL, 0);
	q_post(pk, random_command(5, 0), NULL, 0, a, 8);
	q_post(pk, random_command(6, 65537), NULL, 0, a, 8);
	q_post(pk, random_command(7, 9), NULL, 0, a, 8);
	q_post(pk, random_command(8, 8), b, 1, a, 8);
	q_ring(pk);
	for (uint32_t tag = 4; tag < 7; tag++)
		expect_response(pk, tag, ACCEL_HW_BAD_COMMAND, 0);
	expect_response(pk, 7, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	expect_response(pk, 8, ACCEL_HW_BAD_LENGTH, 0);
}

/* RND-2: a source that has failed stays so until a reset. */
static void
test_entropy(void **state)
{
	uint8_t *out = filled(8, 0xee);

	(void)state;
	assert_int_equal(accel_model_fault(h.model, "entropy@2"), 0);
	for (uint32_t i = 0; i < 5; i++) {
		q_post(pk, random_command(i, 8), NULL, 0, out, 8);
		q_ring(pk);
		expect_response(pk, i, i == 0 ? ACCEL_HW_OK : ACCEL_HW_NO_ENTROPY, i == 0 ? 8 : 0);
		if (i == 0)
			memset(out, 0xee, 8);
	}
	assert_true(is_all(out, 0xee, 8));
	pk_expect(new_pk(small_modexp(), 8, 3), filled(3, 1), 3, out, 3, ACCEL_HW_OK, 3);
	host_reset(&h);
	q_start(pk, 1024, 1024, 1024);
	q_post(pk, random_command(9, 8), NULL, 0, out, 8);
	q_ring(pk);
	expect_response(pk, 9, ACCEL_HW_OK, 8);
}

/* Statuses by fault injection; a lost response; a queue pair that stalls. */
static void
test_faults(void **state)
{
	const struct accel_hw_pk_context *ctx = small_modexp();
	uint8_t *in = filled(3, 1), *out = filled(3, 0);

	(void)state;
	assert_int_equal(accel_model_fault(h.model, "status:16@1+dma@2+stall@4"), 0);
	pk_expect(new_pk(ctx, 1, 3), in, 3, out, 3, ACCEL_HW_INVALID_POINT, 0);
	pk_expect(new_pk(ctx, 2, 3), in, 3, out, 3, ACCEL_HW_DMA_FAULT, 0);
	pk_expect(new_pk(ctx, 3, 3), in, 3, out, 3, ACCEL_HW_OK, 3);
	pk_post(pk, new_pk(ctx, 4, 3), in, 3, out, 3);
	q_ring(pk);
	polls(200);
	assert_int_equal(rd32(&pk->wb->rsp_hhp), 3);
	host_reset(&h);
	q_start(pk, 1024, 1024, 1024);
	pk_expect(new_pk(ctx, 5, 3), in, 3, out, 3, ACCEL_HW_OK, 3);
}

/* Opens the VF of a card with this share, as of its reset. */
static void
open_vf(unsigned int queue_pairs, unsigned int alg, bool given)
{
	const struct accel_model_config config = {
		.nb_functions = 2, .nb_queue_pairs = 3, .nb_workers = 2,
	};
	struct accel_hw_vf_resources *share;
	struct accel_model *model;

	assert_int_equal(accel_model_create(&config, &model), 0);
	share = accel_model_vf_table(model);
	share->nb_queue_pairs = (uint16_t)queue_pairs;
	memset(share->algorithms, given ? 0 : 0xff, sizeof(share->algorithms));
	share->algorithms[alg / 64] ^= UINT64_C(1) << alg % 64;
	wr32(&share->sequence, 1);
	accel_function_flr(accel_model_function(model, 1));
	host_attach(&h, model, 1);
	pk = &h.pk[0];
}

static void
poll_all(unsigned int n)
{
	for (; n > 0; n--) {
		accel_model_worker_poll(h.model, 0);
		accel_model_worker_poll(h.model, 1);
	}
}

/* Starts all public-key queue pairs of a card with two workers. */
static void
start_all(void)
{
	for (unsigned int i = 0; i < h.nb_pks; i++) {
		q_setup(&h.pk[i], 64, 64, 64);
		q_control(&h.pk[i], ACCEL_HW_QP_CMD_START);
	}
	poll_all(20);
	for (unsigned int i = 0; i < h.nb_pks; i++)
		assert_int_equal(rd32(&h.pk[i].dev->status), 1);
}

static void
expect_status(const void *cmd, uint32_t in_len, uint16_t status)
{
	q_post(pk, cmd, filled(3, 1), in_len, filled(3, 0), 3);
	q_ring(pk);
	poll_all(20);
	assert_int_equal(pk->rsp[pk->rsp_slot].status, status);
	pk->rsp_slot++;
}

/* What a VF was not given is DENIED, and not in its tree. PK-1: its queue pairs, and their numbers
 * in the health page. */
static void
test_vf(void **state)
{
	const struct accel_hw_health *health;
	const void *fdt;

	(void)state;
	open_vf(2, ACCEL_HW_PK_MODEXP, false);
	assert_int_equal(h.nb_qps, 2);
	assert_int_equal(h.nb_pks, 3);
	start_all();
	expect_status(new_pk(small_modexp(), 1, 3), 3, ACCEL_HW_DENIED);
	expect_status(new_pk(small_modexp(), 2, 0), 0, ACCEL_HW_DENIED);
	expect_status(random_command(3, 3), 0, ACCEL_HW_OK);
	pk = &h.pk[2];
	tx_frag(pk, 0, 64, COMMAND);
	q_ring(pk);
	poll_all(20);
	fdt = h.bar + rd32(&h.id->dt_offset);
	health = (void *)(h.bar + host_reg(fdt, fdt_node_offset_by_compatible(
							fdt, -1, ACCEL_HW_DT_HEALTH), 0));
	assert_int_equal(rd32(&health->fault_info) >> 16, 4);
	host_close(&h);

	open_vf(1, ACCEL_HW_RANDOM, false);
	assert_int_equal(h.nb_pks, 2);
	start_all();
	expect_status(random_command(1, 3), 0, ACCEL_HW_DENIED);
	expect_status(random_command(1, 4), 0, ACCEL_HW_DENIED);
	expect_status(new_pk(small_modexp(), 2, 3), 3, ACCEL_HW_OK);
	host_close(&h);

	open_vf(1, ACCEL_HW_RANDOM, true);
	assert_int_equal(h.nb_pks, 2);
	host_close(&h);
	open_vf(1, ACCEL_HW_CIPHER_AES_CBC, true);
	assert_int_equal(h.nb_qps, 1);
	assert_int_equal(h.nb_pks, 0);
	host_close(&h);
	open_vf(0, ACCEL_HW_CIPHER_AES_CBC, false);
	assert_int_equal(h.nb_qps, 0);
	assert_int_equal(h.nb_pks, 0);
	host_close(&h);
}

/* What a card reads: descriptors, command, context with its components, operands. */
static void
test_bus(void **state)
{
	const struct accel_hw_pk_context *ctx = small_modexp();
	struct accel_model_bus before, after;

	(void)state;
	assert_int_equal(accel_model_bus_read(h.model, 0, &before), 0);
	for (unsigned int i = 0; i < 2; i++)
		pk_expect(new_pk(ctx, i, 3), filled(3, 1), 3, filled(3, 0), 3, ACCEL_HW_OK, 3);
	assert_int_equal(accel_model_bus_read(h.model, 0, &after), 0);
#define DIFF(k, f) (after.kind[ACCEL_MODEL_BUS_##k].f - before.kind[ACCEL_MODEL_BUS_##k].f)
	assert_int_equal(after.ops - before.ops, 2);
	assert_int_equal(DIFF(COMMAND, reads), 2);
	assert_int_equal(DIFF(CONTEXT, reads), 1);
	assert_int_equal(DIFF(CONTEXT, payload_down), 64 + 4);
	assert_int_equal(DIFF(INPUT, payload_down), 6);
	assert_int_equal(DIFF(RESULT, payload_up), 6);
	assert_int_equal(DIFF(RESPONSE, writes), 2);
}

int
main(void)
{
	static int count = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),
		cmocka_unit_test_setup_teardown(test_opcodes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_results, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_commands, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_contexts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dma_faults, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random, setup, teardown),
		cmocka_unit_test_setup_teardown(test_entropy, setup, teardown),
		cmocka_unit_test_setup_teardown(test_faults, setup, teardown),
		cmocka_unit_test(test_vf),
		cmocka_unit_test_prestate_setup_teardown(test_bus, setup, teardown, &count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
