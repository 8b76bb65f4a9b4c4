/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The card of a test of the model: its host, its first queue pair, their opening and closing, and
 * short calls that work on them.
 */
#include "model_base/model_card.h"

struct host h;

struct hostq *q;

void
card_open(const struct accel_model_config *config, uint32_t descriptors, uint32_t responses)
{
	host_open(&h, config);
	host_reset(&h);
	q = &h.q[0];
	q_start(q, descriptors, descriptors, responses);
}

void
card_open_small(enum accel_model_engine engine, uint32_t descriptors, uint32_t responses)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = engine,
	};

	card_open(&config, descriptors, responses);
}

void
card_open_cached(enum accel_model_engine engine, unsigned int ctx_cache)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 2,
		.nb_workers = 1,
		.engine = engine,
		.ctx_cache = ctx_cache,
	};

	card_open(&config, 64, 64);
}

int
teardown(void **state)
{
	(void)state;
	host_close(&h);
	return 0;
}

void
polls(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		accel_model_worker_poll(h.model, 0);
}

void
wait_ms(unsigned int ms)
{
	uint64_t end = now_ns() + ms * UINT64_C(1000000);

	while (now_ns() < end)
		host_poll(&h);
	host_poll(&h); /* One poll comes later than the time, whoever had the CPU. */
}

struct accel_model_stats
stats(void)
{
	struct accel_model_stats s;

	assert_int_equal(accel_model_worker_stats(h.model, 0, &s), 0);
	return s;
}

uint8_t *
pattern(uint32_t len, uint8_t first)
{
	uint8_t *p = host_alloc(&h, len, 64);

	for (uint32_t i = 0; i < len; i++)
		p[i] = (uint8_t)(first + i);
	return p;
}

bool
is_all(const uint8_t *p, uint8_t value, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		if (p[i] != value)
			return false;
	}
	return true;
}

void
expect(const struct accel_hw_command *cmd, const void *in, uint32_t in_len, const void *out,
       uint32_t out_len, uint16_t status, uint32_t produced)
{
	q_post(q, cmd, in, in_len, out, out_len);
	q_ring(q);
	expect_response(q, cmd->tag, status, produced);
}
