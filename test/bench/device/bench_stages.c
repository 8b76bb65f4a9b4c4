/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures what one operation costs in each step, in cycles: prepare, post, doorbell (driver),
 * fetch, engine, response (device), poll without and with a completion (driver). The device runs in
 * this thread (devarg cores=inline), so that one clock measures all steps. The data path is
 * compiled once more with a clock in its probes. In the device, the linker wraps the functions
 * where the engine's part begins and ends (bench_wrap.c).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* The probes below use this header, so it comes before those of the driver. */
#include "limit/exchange.h"

enum step {
	STEP_PREPARE, /* checks */
	STEP_POST, /* command, descriptors, in-flight entry */
	STEP_DOORBELL,
	STEP_POLL_EMPTY,
	STEP_FETCH, /* doorbell read, descriptors, command */
	STEP_ENGINE, /* context, buffers, the engine itself */
	STEP_RESPONSE, /* response, pointers, rest of the device's round */
	STEP_POLL,
	STEP_NB
};

static uint64_t step_begin[STEP_NB];

#define ACCEL_PROBE_POST (step_begin[STEP_POST] = cycles_now())
#define ACCEL_PROBE_DOORBELL (step_begin[STEP_DOORBELL] = cycles_now())
#define ACCEL_PROBE(step) step
#define accel_enqueue_burst stages_enqueue_burst
#include "../../../drivers/crypto/accel/datapath/accel_enqueue.c"
#undef accel_enqueue_burst

#include "accel_bench.h"
#include "accel_datapath.h"
#include "bench_wrap.h"
#include "rte_pmd_accel_embedded.h"

#define SAMPLES 20000u
#define SAMPLES_QUICK 2000u
#define BUCKET 26u /* cycles */
#define BUCKETS 40u

bool bench_probing;

void
bench_engine_begins(void)
{
	step_begin[STEP_ENGINE] = cycles_now();
}

void
bench_engine_ended(void)
{
	step_begin[STEP_RESPONSE] = cycles_now();
}

static const char *const step_name[STEP_NB] = {
	[STEP_PREPARE] = "prepare",
	[STEP_POST] = "post",
	[STEP_DOORBELL] = "doorbell",
	[STEP_POLL_EMPTY] = "poll without completion",
	[STEP_FETCH] = "device fetch",
	[STEP_ENGINE] = "engine",
	[STEP_RESPONSE] = "response",
	[STEP_POLL] = "poll with completion",
};

static double *samples[STEP_NB];
static double clock_cost;

static void
add_sample(enum step step, unsigned int n, uint64_t end)
{
	samples[step][n] = (double)(int64_t)(end - step_begin[step]) - clock_cost;
}

/* Returns the mean without the slowest hundredth, which was interrupted. A median would not do: the
 * clock of some machines advances in steps as wide as what is measured. Sorts the values. */
static double
mean_of(double *values, unsigned int nb)
{
	const unsigned int used = nb - nb / 100;
	double sum = 0;
	unsigned int i;

	median_of(values, nb);
	for (i = 0; i < used; i++)
		sum += values[i];
	return sum / used;
}

/* Returns what two looks at the clock cost. */
static double
measure_clock(void)
{
	static double cost[SAMPLES];
	unsigned int i;

	for (i = 0; i < SAMPLES; i++) {
		const uint64_t start = cycles_now();

		cost[i] = (double)(cycles_now() - start);
	}
	return mean_of(cost, SAMPLES);
}

/* Runs one operation, from the application's call until it is back. */
static int
one_op(struct bench *b, unsigned int n)
{
	struct rte_crypto_op *op = b->ops[n % BENCH_DESC], *got;
	uint64_t end;

	step_begin[STEP_PREPARE] = cycles_now();
	if (stages_enqueue_burst(b->qp, &op, 1) != 1)
		return -EIO;
	end = cycles_now();
	add_sample(STEP_PREPARE, n, step_begin[STEP_POST]);
	add_sample(STEP_POST, n, step_begin[STEP_DOORBELL]);
	add_sample(STEP_DOORBELL, n, end);

	step_begin[STEP_POLL_EMPTY] = cycles_now();
	if (accel_dequeue_burst(b->qp, &got, 1) != 0)
		return -EIO;
	add_sample(STEP_POLL_EMPTY, n, cycles_now());

	step_begin[STEP_FETCH] = cycles_now();
	if (rte_pmd_accel_poll(b->dev_id) != 1)
		return -EIO;
	end = cycles_now();
	add_sample(STEP_FETCH, n, step_begin[STEP_ENGINE]);
	add_sample(STEP_ENGINE, n, step_begin[STEP_RESPONSE]);
	add_sample(STEP_RESPONSE, n, end);

	step_begin[STEP_POLL] = cycles_now();
	if (accel_dequeue_burst(b->qp, &got, 1) != 1)
		return -EIO;
	add_sample(STEP_POLL, n, cycles_now());
	return got == op && op->status == RTE_CRYPTO_OP_STATUS_SUCCESS ? 0 : -EIO;
}

static void
print_histogram(enum step step, unsigned int nb)
{
	unsigned int count[BUCKETS] = { 0 }, i;
	char metric[48], parameter[16];

	for (i = 0; i < nb; i++)
		count[RTE_MIN((unsigned int)(RTE_MAX(samples[step][i], 0.0) / BUCKET),
			      BUCKETS - 1)]++;
	snprintf(metric, sizeof(metric), "histogram:%s", step_name[step]);
	for (i = 0; i < BUCKETS; i++) {
		if (count[i] == 0)
			continue;
		snprintf(parameter, sizeof(parameter), "%u", i * BUCKET);
		bench_print(metric, parameter, count[i], "operations", 1);
	}
}

static void
print_steps(unsigned int nb)
{
	unsigned int step;

	bench_print("clock", "subtracted from each step", clock_cost, "cycles", 1);
	for (step = 0; step < STEP_NB; step++) {
		print_histogram(step, nb);
		bench_print(step_name[step], "mean", mean_of(samples[step], nb), "cycles", nb);
		/* mean_of() has sorted the samples. */
		bench_print(step_name[step], "10 %", samples[step][nb / 10], "cycles", nb);
		bench_print(step_name[step], "50 %", samples[step][nb / 2], "cycles", nb);
		bench_print(step_name[step], "90 %", samples[step][nb - nb / 10], "cycles", nb);
		bench_print(step_name[step], "99 %", samples[step][nb - nb / 100 - 1], "cycles",
			    nb);
	}
}

int
bench_stages(struct bench *b)
{
	const unsigned int nb = b->quick ? SAMPLES_QUICK : SAMPLES;
	const struct accel_transport *transport = accel_transport(b->qp->dev);
	struct accel_transport calm = *transport;
	unsigned int i;
	int ret;

	if (transport->relax == NULL) {
		fprintf(stderr, "needs the devarg cores=inline\n");
		return -EINVAL;
	}
	for (i = 0; i < STEP_NB; i++) {
		samples[i] = calloc(nb, sizeof(*samples[i]));
		if (samples[i] == NULL)
			return -ENOMEM;
	}
	ret = bench_ops_make(b, BENCH_CIPHER, 64);
	/* An empty poll must not run the device. */
	calm.relax = NULL;
	accel_process_set(b->dev_id, &calm, accel_transport_data(b->qp->dev));
	clock_cost = measure_clock();
	bench_probing = true;
	for (i = 0; ret == 0 && i < nb; i++)
		ret = one_op(b, i);
	accel_process_set(b->dev_id, transport, accel_transport_data(b->qp->dev));
	if (ret == 0)
		print_steps(nb);
	if (ret == 0)
		bench_ops_free(b);
	for (i = 0; i < STEP_NB; i++)
		free(samples[i]);
	return ret;
}
