/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Loads of virtual functions, for tests of how functions share a worker.
 */
#include "model_card/model_load.h"

struct load loads[LOADS];

unsigned int nb_loads;

uint64_t polled_ns; /* CPU time of polls */

static uint64_t
cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void
poll_timed(void)
{
	const uint64_t begin = cpu_ns();

	accel_model_worker_poll(h.model, 0);
	polled_ns += cpu_ns() - begin;
}

void
loads_open(struct accel_model_config *config, unsigned int nb)
{
	config->nb_functions = 1 + nb;
	config->nb_queue_pairs = 1;
	config->nb_workers = 1;
	host_open(&h, config);
	nb_loads = nb;
	for (unsigned int i = 0; i < nb; i++) {
		memset(&loads[i], 0, sizeof(loads[i]));
		host_attach(&loads[i].host, h.model, 1 + i);
		loads[i].q = &loads[i].host.q[0];
	}
}

int
loads_close(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < nb_loads; i++)
		host_detach(&loads[i].host);
	nb_loads = 0;
	host_close(&h);
	return 0;
}

void
load_start(struct load *l)
{
	q_setup(l->q, LOAD_RING, LOAD_RING, LOAD_RING);
	wr32(&l->q->regs->wb_count, 64);
	q_control(l->q, ACCEL_HW_QP_CMD_START);
	l->posted = l->done = 0;
}

void
load_make(struct load *l, uint32_t bytes, unsigned int contexts)
{
	l->bytes = bytes;
	l->depth = LOAD_RING / 4;
	l->nb_cmds = contexts;
	l->mem = host_alloc(&l->host, bytes, 64);
	for (unsigned int i = 0; i < contexts; i++)
		l->cmd[i] = new_sym(&l->host, new_context(&l->host, 1 + i), i, bytes, 0);
	load_start(l);
	host_until(&h, rd32(&l->q->dev->status) == ACCEL_HW_QP_RUNNING);
}

void
load_post(struct load *l, uint64_t most)
{
	struct hostq *to = l->q;
	const uint32_t hhp = rd32(&to->wb->rsp_hhp);

	if (hhp < LOAD_RING) {
		l->done += (hhp - to->rsp_slot) & (LOAD_RING - 1);
		to->rsp_slot = hhp;
	}
	while (l->posted < most && l->posted - l->done < l->depth) {
		q_post(to, l->cmd[l->posted % l->nb_cmds], l->mem, l->bytes, l->mem, l->bytes);
		l->posted++;
	}
	q_ring(to);
}

void
loads_run(uint64_t bytes)
{
	uint64_t done = 0, from[LOADS];

	for (unsigned int i = 0; i < nb_loads; i++)
		from[i] = load_bytes(&loads[i]);
	for (uint64_t n = 0; done < bytes; n++) {
		accel_model_worker_poll(h.model, 0);
		done = 0;
		for (unsigned int i = 0; i < nb_loads; i++) {
			if (loads[i].depth > 0)
				load_post(&loads[i], UINT64_MAX);
			done += load_bytes(&loads[i]) - from[i];
		}
		assert_true(n < 100000000);
	}
}
