/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * stages measures what the steps of an operation cost. It prints them next to tables 4.1 and 4.2 of
 * the thesis, which have the mean time of the steps of the kernel's drivers for SZE and for Medusa:
 * prepare and send on TX, a look at RX with and without packets. The raw data path of rte_cryptodev
 * has these steps as separate calls: to write commands and descriptors, to ring the doorbell, to
 * take results, to find none. For rte_cryptodev's operations one call does the first two.
 *
 * The thesis also measures the way from the application to the driver and back, which is a system
 * call there. A function call is in its place here: a burst without an operation goes this way.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_devargs.h>

#include <rte_pmd_accel_embedded.h>

#include "base/print.h"
#include "commands.h"
#include "load/load.h"
#include "load/raw.h"
#include "report/report_page.h"

#define WAIT_US_MAX 1000000u

enum { KEY_ALGORITHM = 1, KEY_SIZE, KEY_BURST, KEY_SAMPLES, KEY_SEED };

static const struct tool_option options[] = {
	{ "algorithm", "NAME", "what to do, also a chain (aes-cbc)", KEY_ALGORITHM },
	{ "size", "N", "bytes of an operation (64)", KEY_SIZE },
	{ "burst", "N", "operations of one call (1)", KEY_BURST },
	{ "samples", "N", "measurements of each step (5000)", KEY_SAMPLES },
	{ "seed", "N", "of keys and data (1)", KEY_SEED },
	{ NULL, NULL, NULL, 0 },
};

enum step {
	STEP_WAY, /* to the queue pair and back to the application */
	STEP_ENQUEUE, /* rte_cryptodev: prepare and send */
	STEP_DEVICE, /* from the doorbell until the last result is there */
	STEP_EMPTY, /* a look that finds nothing */
	STEP_FULL, /* a look that takes all results */
	STEP_RAW_PREPARE,
	STEP_RAW_SEND,
	STEP_RAW_EMPTY,
	STEP_RAW_FULL,
	STEP_NB
};

/* Has the thesis's mean of each step in microseconds per packet. A number below 0 means that the
 * thesis has none. */
static const struct {
	const char *step, *call;
	double medusa, sze;
} steps[STEP_NB] = {
	[STEP_WAY] = { "way there and back", "rte_cryptodev_enqueue_burst", -1, -1 },
	[STEP_ENQUEUE] = { "prepare and send", "rte_cryptodev_enqueue_burst", 4.9 + 4.0,
			  6.7 + 7.1 },
	[STEP_DEVICE] = { "card, to the last result", "-", -1, -1 },
	[STEP_EMPTY] = { "look, nothing there", "rte_cryptodev_dequeue_burst", 1.4, 3.1 },
	[STEP_FULL] = { "look, all taken", "rte_cryptodev_dequeue_burst", 1.2, 3.4 },
	[STEP_RAW_PREPARE] = { "prepare", "rte_cryptodev_raw_enqueue", 4.9, 6.7 },
	[STEP_RAW_SEND] = { "send", "rte_cryptodev_raw_enqueue_done", 4.0, 7.1 },
	[STEP_RAW_EMPTY] = { "look, nothing there", "rte_cryptodev_raw_dequeue_burst", 1.4, 3.1 },
	[STEP_RAW_FULL] = { "look, all taken", "rte_cryptodev_raw_dequeue_burst", 1.2, 3.4 },
};

struct stages {
	struct load_conf conf;
	uint64_t samples;
	struct load load;
	bool is_inline; /* the embedded device has no thread of its own and works in this thread */
	double *sample[STEP_NB]; /* nanoseconds of a call */
	unsigned int nb[STEP_NB];
	double clock_ns; /* time between two reads of the clock */
	double wait_us; /* time after which results are there */
	struct rte_crypto_op *ops[LOAD_BURST];
	struct rte_crypto_raw_dp_ctx *raw;
	const char *why; /* why the measurement could not go on, or NULL */
};

static int
parse(struct tool_args *args, struct stages *s)
{
	const char *value;
	bool good = true;
	uint64_t n;
	int key;

	s->conf = (struct load_conf){
		.seed = 1, .depth = 1, .burst = 1, .queue_pairs = 1, .sessions = 1, .reuse = 1,
		.plain = true, .forward = true,
	};
	s->samples = 5000;
	load_parse_algorithms(&s->conf, "aes-cbc");
	load_parse_sizes(&s->conf, "64");
	while ((key = tool_next(args, &value)) != TOOL_END && good) {
		switch (key) {
		case KEY_ALGORITHM:
			good = load_parse_algorithms(&s->conf, value);
			break;
		case KEY_SIZE:
			good = tool_number("size", value, 1, LOAD_SIZE, &n);
			if (good)
				s->conf.size[0] = (struct load_size){ (uint32_t)n, (uint32_t)n, 1 };
			break;
		case KEY_BURST:
			good = tool_number("burst", value, 1, LOAD_BURST, &n);
			if (good)
				s->conf.depth = s->conf.burst = (unsigned int)n;
			break;
		case KEY_SAMPLES:
			good = tool_number("samples", value, 100, 10000000, &s->samples);
			break;
		case KEY_SEED:
			good = tool_number("seed", value, 0, UINT64_MAX, &s->conf.seed);
			break;
		default:
			good = false;
		}
	}
	if (!good)
		return TOOL_USAGE;
	if (s->conf.nb_choices != 1)
		return tool_usage("--algorithm takes one");
	return TOOL_GOOD;
}

/* ------------------------------------------------------------------ the clock */

static double
ns_between(uint64_t from, uint64_t to)
{
	return (double)(to - from) * 1e9 / (double)rte_get_tsc_hz();
}

static void
add(struct stages *s, enum step step, uint64_t from, uint64_t to)
{
	if (s->nb[step] < s->samples)
		s->sample[step][s->nb[step]++] = ns_between(from, to) - s->clock_ns;
}

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

struct spread {
	double mean, deviation; /* nanoseconds */
};

/* Returns the mean and the standard deviation without the slowest hundredth of the values, because
 * interrupts may have made those slow. */
static struct spread
spread_of(double *values, unsigned int nb)
{
	const unsigned int used = nb - nb / 100;
	struct spread s = { 0, 0 };
	unsigned int i;

	if (used == 0)
		return s;
	qsort(values, nb, sizeof(*values), compare);
	for (i = 0; i < used; i++)
		s.mean += values[i] / used;
	for (i = 0; i < used; i++)
		s.deviation += (values[i] - s.mean) * (values[i] - s.mean) / used;
	s.deviation = sqrt(s.deviation);
	return s;
}

static void
measure_clock(struct stages *s)
{
	double cost[1000];
	unsigned int i;

	for (i = 0; i < RTE_DIM(cost); i++) {
		const uint64_t from = rte_rdtsc_precise();

		cost[i] = ns_between(from, rte_rdtsc_precise());
	}
	s->clock_ns = spread_of(cost, RTE_DIM(cost)).mean;
}

/* Lets the device work for a while. */
static void
wait_for_device(struct stages *s)
{
	const uint64_t begin = rte_rdtsc();

	do {
		if (s->is_inline)
			rte_pmd_accel_poll(s->load.t.dev);
		e2e_relax();
	} while (ns_between(begin, rte_rdtsc()) < s->wait_us * 1000);
}

/* ------------------------------------------------------------------ rte_cryptodev's operations */

/* Takes n operations that are late. Returns false if they do not come. */
static bool
drain(struct stages *s, unsigned int n)
{
	struct rte_crypto_op *back[LOAD_BURST];

	return e2e_collect(s->load.t.dev, 0, back, n, E2E_TIMEOUT_MS) == n;
}

/* Takes a sample of how long the device works, by polling for the last result. */
static bool
sample_device(struct stages *s)
{
	const uint8_t dev = s->load.t.dev;
	const unsigned int n = s->conf.burst;
	struct rte_crypto_op *back[LOAD_BURST];
	unsigned int sent, got = 0, k;
	uint64_t from, now, begin;

	sent = rte_cryptodev_enqueue_burst(dev, 0, s->ops, (uint16_t)n);
	from = now = begin = rte_rdtsc_precise();
	while (got < sent && ns_between(begin, now) < 1e9 * E2E_TIMEOUT_MS / 1000) {
		k = rte_cryptodev_dequeue_burst(dev, 0, back, (uint16_t)(sent - got));
		now = rte_rdtsc_precise();
		if (k == 0)
			e2e_relax();
		got += k;
	}
	s->why = "rte_cryptodev_enqueue_burst() takes too few, or not all come back";
	if (sent != n || got != n)
		return false;
	add(s, STEP_DEVICE, from, now);
	return true;
}

/* Takes a sample of what the calls cost. It does not count if results are late. */
static bool
sample_calls(struct stages *s)
{
	const uint8_t dev = s->load.t.dev;
	const unsigned int n = s->conf.burst;
	struct rte_crypto_op *back[LOAD_BURST];
	uint64_t t[6], way;
	uint16_t sent, got;

	way = rte_rdtsc_precise();
	rte_cryptodev_enqueue_burst(dev, 0, s->ops, 0);
	t[0] = rte_rdtsc_precise();
	add(s, STEP_WAY, way, t[0]);
	sent = rte_cryptodev_enqueue_burst(dev, 0, s->ops, (uint16_t)n);
	t[1] = rte_rdtsc_precise();
	s->why = "rte_cryptodev_enqueue_burst() takes too few, or more come back than were sent";
	if (sent != n)
		return false;
	wait_for_device(s);
	t[2] = rte_rdtsc_precise();
	got = rte_cryptodev_dequeue_burst(dev, 0, back, (uint16_t)n);
	t[3] = rte_rdtsc_precise();
	add(s, STEP_ENQUEUE, t[0], t[1]);
	if (got == n)
		add(s, STEP_FULL, t[2], t[3]);
	else
		return drain(s, n - got);
	t[4] = rte_rdtsc_precise();
	got = rte_cryptodev_dequeue_burst(dev, 0, back, (uint16_t)n);
	t[5] = rte_rdtsc_precise();
	add(s, STEP_EMPTY, t[4], t[5]);
	return got == 0;
}

/* ------------------------------------------------------------------ the raw data path */

static bool
raw_drain(struct stages *s, unsigned int n)
{
	const uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;

	while (n != 0 && e2e_waited_ms() < end) {
		n -= raw_take(s->raw, n, false);
		e2e_relax();
	}
	return n == 0;
}

static bool
sample_raw(struct stages *s)
{
	const unsigned int n = s->conf.burst;
	unsigned int got;
	uint64_t t[7];

	s->why = "rte_cryptodev_raw_enqueue() takes too few, or not all come back";
	t[0] = rte_rdtsc_precise();
	if (raw_prepare(s->raw, s->load.lane[0].item, n) != n)
		return false;
	t[1] = rte_rdtsc_precise();
	rte_cryptodev_raw_enqueue_done(s->raw, n);
	t[2] = rte_rdtsc_precise();
	wait_for_device(s);
	t[3] = rte_rdtsc_precise();
	got = raw_take(s->raw, n, false);
	t[4] = rte_rdtsc_precise();
	add(s, STEP_RAW_PREPARE, t[0], t[1]);
	add(s, STEP_RAW_SEND, t[1], t[2]);
	if (got != n)
		return raw_drain(s, n - got);
	add(s, STEP_RAW_FULL, t[3], t[4]);
	t[5] = rte_rdtsc_precise();
	got = raw_take(s->raw, n, false);
	t[6] = rte_rdtsc_precise();
	add(s, STEP_RAW_EMPTY, t[5], t[6]);
	return got == 0;
}

/* ------------------------------------------------------------------ the run */

static bool
measure(struct stages *s)
{
	unsigned int i;

	for (i = 0; s->nb[STEP_DEVICE] < s->samples; i++) {
		if (!sample_device(s))
			return false;
	}
	/* Nearly all results are there after four times the mean. */
	s->wait_us = RTE_MIN(spread_of(s->sample[STEP_DEVICE], s->nb[STEP_DEVICE]).mean * 4 / 1000 +
			     2, (double)WAIT_US_MAX);
	for (i = 0; i < s->samples; i++) {
		if (!sample_calls(s))
			return false;
	}
	if (!raw_start(&s->load, &s->load.session[0], &s->raw))
		return true;
	for (i = 0; i < s->samples; i++) {
		if (!sample_raw(s))
			return false;
	}
	return true;
}

static json_t *
us_or_null(double us)
{
	return us < 0 ? json_null() : json_real(us);
}

static json_t *
table(struct stages *s)
{
	json_t *rows = json_array();
	struct spread spread;
	unsigned int i;

	for (i = 0; i < STEP_NB; i++) {
		if (s->nb[i] == 0)
			continue;
		spread = spread_of(s->sample[i], s->nb[i]);
		json_array_append_new(rows, json_pack("{s:s, s:s, s:I, s:f, s:f, s:f, s:o, s:o}",
			"step", steps[i].step, "call", steps[i].call, "samples",
			(json_int_t)s->nb[i],
			"ns_per_call", RTE_MAX(spread.mean, 0.0), "deviation_ns", spread.deviation,
			"ns_per_operation", RTE_MAX(spread.mean, 0.0) / s->conf.burst,
			"thesis_medusa_us", us_or_null(steps[i].medusa), "thesis_sze_us",
			us_or_null(steps[i].sze)));
	}
	return rows;
}

static int
report(struct stages *s, const struct tool_args *args)
{
	json_t *answer = json_pack("{s:s, s:s, s:s, s:i, s:i, s:I, s:f, s:o}", "kind", "stages",
		"device", s->load.device->name, "algorithm",
		e2e_spec_name(&s->load.session[0].ses->spec), "size", (int)s->conf.size[0].hi,
		"burst",
		(int)s->conf.burst, "tsc_hz", (json_int_t)rte_get_tsc_hz(), "clock_ns", s->clock_ns,
		"stages", table(s));
	const int ret = tool_report(args, answer);

	return tool_print(answer, args->json) ? ret : TOOL_BROKEN;
}

static int
work(struct stages *s, struct tool_device *d)
{
	const struct rte_devargs *devargs = rte_dev_devargs(d->info.device);
	unsigned int i;

	s->is_inline = d->embedded && devargs != NULL && devargs->args != NULL &&
		       strstr(devargs->args, "cores=inline") != NULL;
	for (i = 0; i < STEP_NB; i++) {
		s->sample[i] = malloc(s->samples * sizeof(double));
		if (s->sample[i] == NULL) {
			tool_error("no memory for %llu samples", (unsigned long long)s->samples);
			return TOOL_BROKEN;
		}
	}
	for (i = 0; i < s->conf.burst; i++)
		s->ops[i] = s->load.lane[0].item[i].slot.op;
	measure_clock(s);
	if (measure(s))
		return TOOL_GOOD;
	tool_error("%s: %s; '" TOOL_NAME " loopback' says more", d->name, s->why);
	return TOOL_BROKEN;
}

static int
run(struct tool_args *args)
{
	static struct stages s;
	struct tool_device device;
	unsigned int i;
	int ret;

	ret = parse(args, &s);
	if (ret == TOOL_GOOD)
		ret = tool_device_open(args, false, &device);
	if (ret != TOOL_GOOD)
		return ret;
	ret = load_start(&s.load, &device, &s.conf);
	if (ret == TOOL_GOOD)
		ret = work(&s, &device);
	if (ret == TOOL_GOOD)
		ret = report(&s, args);
	load_end(&s.load);
	tool_device_close(&device);
	free(s.raw);
	for (i = 0; i < STEP_NB; i++)
		free(s.sample[i]);
	return ret;
}

const struct tool_command tool_stages = {
	.name = "stages",
	.what = "What the steps of an operation cost, beside the thesis",
	.eal = true,
	.html = true,
	.options = options,
	.examples = "  " TOOL_NAME " stages --no-pci --vdev crypto_accel0\n"
		    "  " TOOL_NAME " stages --no-pci --vdev crypto_accel0,engine=null "
		    "--burst 32 --json\n",
	.run = run,
};
