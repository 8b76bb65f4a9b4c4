/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Greedy functions beside the card of model_card.h, for tests of the model.
 */
#include "model_queue/model_greedy.h"

struct host greedy[GREEDY];

unsigned int nb_greedy;

static uint8_t *long_mem[GREEDY];

static struct accel_hw_command *long_cmd[GREEDY];

void
open_card(struct accel_model_config *config, unsigned int functions)
{
	config->nb_functions = 1 + functions;
	config->nb_queue_pairs = QUEUES;
	config->nb_workers = 1;
	config->idle_us = 100;
	card_open(config, RING, RING);
	nb_greedy = functions;
	for (unsigned int i = 0; i < functions; i++)
		host_attach(&greedy[i], h.model, 1 + i);
}

int
close_card(void **state)
{
	(void)state;
	accel_model_stop(h.model); /* A test that failed leaves threads. */
	h.threads = false;
	for (unsigned int i = 0; i < nb_greedy; i++)
		host_detach(&greedy[i]);
	nb_greedy = 0;
	host_close(&h);
	return 0;
}

void
make_long(unsigned int i, bool loopback)
{
	struct host *host = &greedy[i];
	struct accel_hw_context *ctx = new_context(host, 7);

	ctx->cipher_alg = ACCEL_HW_CIPHER_3DES_CBC;
	ctx->cipher_key_len = 24;
	ctx->iv_len = 8;
	for (unsigned int b = 0; b < 24; b++)
		ctx->cipher_key[b] = (uint8_t)(b * 7 + 1);
	long_mem[i] = host_alloc(host, LONG_BYTES, 64);
	long_cmd[i] = loopback ? new_command(host, ACCEL_HW_OP_LOOPBACK, 0) :
				 new_sym(host, ctx, 0, LONG_BYTES, 0);
	long_cmd[i]->cipher_len = LONG_BYTES;
}

/* The operation needs many fragments, because one has less than 64 KiB. */
static void
post_long(struct hostq *to, unsigned int i)
{
	const uint32_t part = LONG_BYTES / 32;
	struct host *host = &greedy[i];

	tx_frag(to, host_iova(host, long_cmd[i]), 64, COMMAND | NEXT);
	for (uint32_t at = 0; at < LONG_BYTES; at += part) {
		const uint64_t more = at + part < LONG_BYTES ? NEXT : 0;

		tx_frag(to, host_iova(host, long_mem[i] + at), part, more);
		rx_frag(to, host_iova(host, long_mem[i] + at), part, more);
	}
}

void
flood(unsigned int i, unsigned int queues, uint32_t ops)
{
	for (unsigned int n = 0; n < queues; n++) {
		struct hostq *to = &greedy[i].q[n];

		q_start(to, 4096, 4096, RING);
		for (uint32_t op = 0; op < ops; op++)
			post_long(to, i);
		q_ring(to);
	}
}

uint64_t
completed_of(unsigned int i)
{
	uint64_t ops = 0;

	for (unsigned int n = 0; n < QUEUES; n++)
		ops += rd64(&greedy[i].q[n].dev->ops);
	return ops;
}

uint64_t
completed(void)
{
	uint64_t ops = 0;

	for (unsigned int i = 0; i < nb_greedy; i++)
		ops += completed_of(i);
	return ops;
}

struct accel_hw_command *
short_command(void)
{
	struct accel_hw_context *ctx = new_context(&h, 9);

	return new_sym(&h, ctx, 77, 32, 0);
}

uint64_t
wait_for_short(const struct accel_hw_command *cmd, uint8_t *mem)
{
	uint64_t others;

	q_post(q, cmd, mem, 32, mem, 32);
	q_ring(q);
	others = others_until(rd32(&q->wb->rsp_hhp) != q->rsp_slot);
	expect_response(q, cmd->tag, ACCEL_HW_OK, 32);
	return others;
}

uint64_t
wait_for_stop(uint32_t how)
{
	const uint32_t control = q_control(q, how);
	const uint64_t others = others_until(rd32(&q->dev->control_ack) == control);

	assert_int_equal(rd32(&q->dev->status), 0);
	q_start(q, RING, RING, RING);
	return others;
}

uint64_t
wait_for_reset(void)
{
	const uint32_t request = rd32(&h.id->reset_ack) + 1;
	uint64_t others;

	wr32(&h.control->reset_req, request);
	others = others_until(rd32(&h.id->reset_ack) == request);
	q_start(q, RING, RING, RING);
	return others;
}

uint64_t
beats_during(uint64_t ops)
{
	const uint64_t beat = rd64(&h.id->heartbeat), from = completed();

	host_until(&h, completed() >= from + ops);
	return rd64(&h.id->heartbeat) - beat;
}

uint64_t
wait_for_beat(void)
{
	const uint64_t beat = rd64(&h.id->heartbeat);

	return others_until(rd64(&h.id->heartbeat) != beat);
}
