/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures driver and device on two cores, in turn with the bare exchange of the same cache lines
 * on the same two cores. The cycles are those of the application's core. With the null engine the
 * device does nothing but DMA.
 */
#include <errno.h>
#include <stdio.h>

#include <rte_cycles.h>
#include <rte_pause.h>

#include "accel_bench.h"
#include "rte_pmd_accel_embedded.h"

#define PASSES 40u /* passes over the ring in a round */
#define TRIPS 5000u
#define POLLS_PER_LOOK 4096u /* polls for each look at the clock; the bare loop has no clock */

struct cross {
	double enqueue;
	double dequeue;
};

/* Waits until the device has completed everything. It polls the device's pointer, because a fill
 * dequeues nothing. */
static int
wait_for_all(const struct bench *b)
{
	const uint32_t want = (b->qp->prod - b->qp->base) & (b->qp->rsp_size - 1);
	const uint64_t deadline = rte_get_timer_cycles() + rte_get_timer_hz();

	while (b->qp->wb->rsp_hhp != want) {
		if (accel_transport(b->qp->dev)->relax != NULL) /* the device runs in this thread */
			rte_pmd_accel_poll(b->dev_id);
		if (rte_get_timer_cycles() > deadline)
			return -ETIMEDOUT;
		rte_pause();
	}
	return 0;
}

/* Does as exchange_fill_and_drain() with the driver. */
static int
fill_and_drain(struct bench *b, uint16_t burst, unsigned int passes, struct cross *c)
{
	struct rte_crypto_op *got[BENCH_DESC];
	double filling[PASSES], draining[PASSES];
	unsigned int pass, n;
	uint64_t start;

	for (pass = 0; pass < passes; pass++) {
		start = cycles_now();
		for (n = 0; n < BENCH_DESC; n += burst) {
			if (rte_cryptodev_enqueue_burst(b->dev_id, 0, &b->ops[n], burst) != burst)
				return -EIO;
		}
		filling[pass] = (double)(cycles_now() - start);
		if (wait_for_all(b) != 0)
			return -ETIMEDOUT;
		start = cycles_now();
		for (n = 0; n < BENCH_DESC; n += burst) {
			if (rte_cryptodev_dequeue_burst(b->dev_id, 0, &got[n], burst) != burst)
				return -EIO;
		}
		draining[pass] = (double)(cycles_now() - start);
		for (n = 0; n < BENCH_DESC; n++) {
			if (got[n]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
				return -EIO;
		}
	}
	c->enqueue = median_of(filling, passes) / BENCH_DESC;
	c->dequeue = median_of(draining, passes) / BENCH_DESC;
	return 0;
}

/* Does as exchange_ping_pong() with the driver. */
static int
round_trips(struct bench *b, double *cycles, unsigned int count)
{
	struct rte_crypto_op *got;
	unsigned int i, polls;

	for (i = 0; i < count; i++) {
		const uint64_t start = cycles_now();

		if (rte_cryptodev_enqueue_burst(b->dev_id, 0, &b->ops[i % BENCH_DESC], 1) != 1)
			return -EIO;
		for (polls = 1; rte_cryptodev_dequeue_burst(b->dev_id, 0, &got, 1) == 0; polls++) {
			rte_pause();
			if (unlikely(polls % POLLS_PER_LOOK == 0 &&
				     cycles_now() - start > 10 * rte_get_tsc_hz()))
				return -ETIMEDOUT;
		}
		cycles[i] = (double)(cycles_now() - start);
	}
	return 0;
}

static void
print_pair(const char *name, double *ours, double *bare, unsigned int burst, unsigned int rounds)
{
	char metric[64], parameter[16];
	double ratio[BENCH_MAX_ROUNDS];
	unsigned int i;

	for (i = 0; i < rounds; i++)
		ratio[i] = ours[i] / bare[i];
	snprintf(parameter, sizeof(parameter), "%u", burst);
	snprintf(metric, sizeof(metric), "%s", name);
	bench_print(metric, parameter, median_of(ours, rounds), "cycles/op", rounds);
	snprintf(metric, sizeof(metric), "bare-%s", name);
	bench_print(metric, parameter, median_of(bare, rounds), "cycles/op", rounds);
	snprintf(metric, sizeof(metric), "ratio-%s", name);
	bench_print(metric, parameter, median_of(ratio, rounds), "", rounds);
}

/* Measures one burst size: the bare loop and the driver in turn. The first round warms up. */
static int
cross_burst(struct bench *b, struct exchange *x, uint16_t burst)
{
	double enq[BENCH_MAX_ROUNDS], deq[BENCH_MAX_ROUNDS];
	double both[BENCH_MAX_ROUNDS], bare_both[BENCH_MAX_ROUNDS];
	double bare_enq[BENCH_MAX_ROUNDS], bare_deq[BENCH_MAX_ROUNDS];
	const unsigned int passes = b->quick ? 4 : PASSES;
	struct cross c = { 0 };
	unsigned int i;
	int ret;

	for (i = 0; i <= b->rounds; i++) {
		const unsigned int at = i == 0 ? 0 : i - 1;

		if (exchange_start(x, b->device_cpu, burst) != 0)
			return -EAGAIN;
		exchange_fill_and_drain(x, 1, &bare_enq[at], &bare_deq[at]);
		exchange_fill_and_drain(x, passes, &bare_enq[at], &bare_deq[at]);
		exchange_stop(x);

		ret = fill_and_drain(b, burst, 1, &c); /* wakes the device */
		if (ret == 0)
			ret = fill_and_drain(b, burst, passes, &c);
		if (ret != 0)
			return ret;
		enq[at] = c.enqueue;
		deq[at] = c.dequeue;
		both[at] = c.enqueue + c.dequeue;
		bare_both[at] = bare_enq[at] + bare_deq[at];
	}
	print_pair("enqueue", enq, bare_enq, burst, b->rounds);
	print_pair("dequeue", deq, bare_deq, burst, b->rounds);
	print_pair("enqueue+dequeue", both, bare_both, burst, b->rounds);
	return 0;
}

static int
cross_round_trip(struct bench *b, struct exchange *x)
{
	static double trip[TRIPS];
	double ours[BENCH_MAX_ROUNDS], bare[BENCH_MAX_ROUNDS];
	unsigned int i;
	int ret;

	for (i = 0; i <= b->rounds; i++) {
		const unsigned int at = i == 0 ? 0 : i - 1;

		if (exchange_start(x, b->device_cpu, 1) != 0)
			return -EAGAIN;
		exchange_ping_pong(x, trip, TRIPS);
		exchange_ping_pong(x, trip, TRIPS);
		exchange_stop(x);
		bare[at] = median_of(trip, TRIPS);
		ret = round_trips(b, trip, TRIPS / 10); /* wakes the device */
		if (ret == 0)
			ret = round_trips(b, trip, TRIPS);
		if (ret != 0)
			return ret;
		ours[at] = median_of(trip, TRIPS);
	}
	print_pair("round-trip", ours, bare, 1, b->rounds);
	return 0;
}

/* Prints the share of operations, in %, whose data lie in another GiB than the driver's commands.
 * Each takes two more descriptors where the card has no register COMMAND_UPPER (manual 6.1). */
static void
print_layout(const struct bench *b)
{
	unsigned int i, apart = 0;

	for (i = 0; i < BENCH_DESC; i++) {
		const uint64_t iova = rte_pktmbuf_iova(b->ops[i]->sym->m_src);

		apart += accel_region_of(iova) != b->qp->command_region;
	}
	bench_print("data-in-another-gib", "", 100.0 * apart / BENCH_DESC, "%", 1);
}

static int
cross(struct bench *b, const uint16_t *bursts, unsigned int nb_bursts)
{
	struct exchange *x = b->device_cpu < 0 ? NULL : exchange_create(false);
	unsigned int i;
	int ret;

	if (x == NULL) {
		fprintf(stderr, "needs --device-cpu with the CPU of the devarg cores=\n");
		return -EINVAL;
	}
	ret = bench_ops_make(b, BENCH_CIPHER, 64);
	if (ret == 0)
		print_layout(b);
	for (i = 0; ret == 0 && i < nb_bursts; i++)
		ret = cross_burst(b, x, bursts[i]);
	if (ret == 0)
		ret = cross_round_trip(b, x);
	if (ret == 0)
		bench_ops_free(b);
	if (ret == 0 && exchange_wrong(x) != 0)
		ret = -EIO;
	exchange_destroy(x);
	return ret;
}

int
bench_cross(struct bench *b)
{
	static const uint16_t bursts[] = { 8, 32, 64 };

	return cross(b, bursts, RTE_DIM(bursts));
}

int
bench_trip(struct bench *b)
{
	return cross(b, NULL, 0);
}
