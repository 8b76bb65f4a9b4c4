/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * loopback sends operations of any algorithm in any layout of memory, and compares every byte that
 * comes back with OpenSSL's result. It ends with a verdict.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_cycles.h>

#include "base/print.h"
#include "commands.h"
#include "load/load.h"
#include "report/report_page.h"

enum {
	KEY_ALGORITHMS = 1,
	KEY_SIZES,
	KEY_TIME,
	KEY_OPERATIONS,
	KEY_RATE,
	KEY_DEPTH,
	KEY_BURST,
	KEY_QUEUE_PAIRS,
	KEY_SESSIONS,
	KEY_LAYOUT,
	KEY_REUSE,
	KEY_SEED,
	KEY_INTERVAL,
	KEY_PATIENCE,
};

static const struct tool_option options[] = {
	{ "algorithms", "LIST", "aes-cbc,aes-cbc+sha1-hmac,... (all of the device)",
	  KEY_ALGORITHMS },
	{ "sizes", "MIX", "imix, random, or 64:7,1500,100-900:2 in bytes (random)", KEY_SIZES },
	{ "time", "SECONDS", "how long (10)", KEY_TIME },
	{ "operations", "N", "end after so many operations", KEY_OPERATIONS },
	{ "rate", "N", "operations per second (as many as it takes)", KEY_RATE },
	{ "depth", "N", "operations in flight at most (64)", KEY_DEPTH },
	{ "burst", "N", "operations of one call (32)", KEY_BURST },
	{ "queue-pairs", "N", "queue pairs, in turn (1)", KEY_QUEUE_PAIRS },
	{ "sessions", "N", "sessions at once (32)", KEY_SESSIONS },
	{ "layout", "KIND", "random, in-place, one-segment or plain (random)", KEY_LAYOUT },
	{ "reuse", "N", "send an operation so often before the next (50)", KEY_REUSE },
	{ "seed", "N", "of all random numbers (the time)", KEY_SEED },
	{ "interval", "SECONDS", "between lines of progress, 0: none (1)", KEY_INTERVAL },
	{ "patience", "SECONDS", "it hangs if nothing comes back so long (20)", KEY_PATIENCE },
	{ NULL, NULL, NULL, 0 },
};

/* Holds what the command line asks for, and how far the run is. */
struct loopback {
	struct load_conf conf;
	uint64_t operations;
	double seconds, interval, patience;
	const char *layout;

	struct load load;
	uint64_t begin, line; /* in timer cycles */
	uint64_t line_operations, line_bytes;
	double ran;
	bool line_open; /* the cursor is at the end of a line of progress */
};

static volatile sig_atomic_t stopped;

static void
stop(int sig)
{
	(void)sig;
	stopped = 1;
}

/* ------------------------------------------------------------------ options */

static bool
parse_layout(struct loopback *b, const char *value)
{
	b->layout = value;
	b->conf.plain = strcmp(value, "plain") == 0;
	b->conf.one_segment = strcmp(value, "one-segment") == 0;
	b->conf.in_place = strcmp(value, "in-place") == 0;
	if (b->conf.plain || b->conf.one_segment || b->conf.in_place ||
			strcmp(value, "random") == 0)
		return true;
	tool_usage("--layout takes random, in-place, one-segment or plain, not '%s'", value);
	return false;
}

static bool
count(const char *what, const char *value, uint64_t max, unsigned int *to)
{
	uint64_t n;

	if (!tool_number(what, value, 1, max, &n))
		return false;
	*to = (unsigned int)n;
	return true;
}

static bool
take(struct loopback *b, int key, const char *value)
{
	switch (key) {
	case KEY_ALGORITHMS:
		return load_parse_algorithms(&b->conf, value);
	case KEY_SIZES:
		return load_parse_sizes(&b->conf, value);
	case KEY_TIME:
		return tool_real("time", value, 0.01, 1e7, &b->seconds);
	case KEY_OPERATIONS:
		return tool_number("operations", value, 1, UINT64_MAX / 2, &b->operations);
	case KEY_RATE:
		return tool_number("rate", value, 1, 1000000000000, &b->conf.rate);
	case KEY_DEPTH:
		return count("depth", value, LOAD_DEPTH, &b->conf.depth);
	case KEY_BURST:
		return count("burst", value, LOAD_BURST, &b->conf.burst);
	case KEY_QUEUE_PAIRS:
		return count("queue-pairs", value, LOAD_QPS, &b->conf.queue_pairs);
	case KEY_SESSIONS:
		return count("sessions", value, LOAD_SESSIONS, &b->conf.sessions);
	case KEY_LAYOUT:
		return parse_layout(b, value);
	case KEY_REUSE:
		return count("reuse", value, UINT32_MAX, &b->conf.reuse);
	case KEY_SEED:
		return tool_number("seed", value, 0, UINT64_MAX, &b->conf.seed);
	case KEY_INTERVAL:
		return tool_real("interval", value, 0, 1e6, &b->interval);
	case KEY_PATIENCE:
		return tool_real("patience", value, 0.1, 1e6, &b->patience);
	default:
		return false;
	}
}

static int
parse(struct tool_args *args, struct loopback *b)
{
	struct timespec ts;
	const char *value;
	int key;

	clock_gettime(CLOCK_REALTIME, &ts);
	b->conf = (struct load_conf){
		.seed = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000,
		.depth = 64, .burst = 32, .queue_pairs = 1, .sessions = 32, .reuse = 50,
		.pk_known = true,
	};
	b->seconds = 10;
	b->interval = 1;
	b->patience = 20;
	b->layout = "random";
	while ((key = tool_next(args, &value)) != TOOL_END) {
		if (key == TOOL_WRONG || !take(b, key, value))
			return TOOL_USAGE;
	}
	if (b->conf.depth < b->conf.queue_pairs)
		return tool_usage("--depth %u is less than --queue-pairs %u", b->conf.depth,
				  b->conf.queue_pairs);
	return TOOL_GOOD;
}

/* ------------------------------------------------------------------ the run */

static double
seconds_since(uint64_t cycles)
{
	return (double)(rte_get_timer_cycles() - cycles) / (double)rte_get_timer_hz();
}

/* Prints a line about the last interval. On a terminal the next such line replaces this one. */
static void
progress(struct loopback *b)
{
	const struct hist *h = &b->load.latency;
	const double s = seconds_since(b->line);
	const bool terminal = isatty(STDOUT_FILENO);

	printf("%s%6.1f s  %" PRIu64 " operations  %" PRIu64 " errors  %.3f Gbit/s  p50 %.1f us  "
	       "p99 %.1f us  p99.9 %.1f us%s", terminal ? "\r\033[K" : "", seconds_since(b->begin),
	       b->load.operations, load_errors(&b->load),
	       (double)(b->load.bytes - b->line_bytes) * 8 / s / 1e9,
	       (double)hist_percentile(h, 0.5) / 1000, (double)hist_percentile(h, 0.99) / 1000,
	       (double)hist_percentile(h, 0.999) / 1000, terminal ? "" : "\n");
	b->line_open = terminal;
	fflush(stdout);
	load_interval(&b->load);
	b->line = rte_get_timer_cycles();
	b->line_bytes = b->load.bytes;
}

static bool
is_over(const struct loopback *b, uint64_t now)
{
	return stopped != 0 || (b->operations != 0 && b->load.sent >= b->operations) ||
	       (double)(now - b->begin) > b->seconds * (double)rte_get_timer_hz();
}

/* Sends for the time that was asked for, and then takes what is in-flight. Returns false if the
 * device hangs or mixes up operations. The load's `first` says which. */
static bool
send_all(struct loopback *b)
{
	const uint64_t interval = (uint64_t)(b->interval * (double)rte_get_timer_hz());
	struct load *l = &b->load;
	enum load_turn turn;
	bool sending = true;
	uint64_t now;

	b->begin = b->line = rte_get_timer_cycles();
	while (sending || load_in_flight(l) != 0) {
		turn = load_turn(l, sending);
		if (turn == LOAD_LOST || turn == LOAD_NO_MEMORY)
			return false;
		now = rte_get_timer_cycles();
		sending = sending && !is_over(b, now);
		if (sending && interval != 0 && now - b->line >= interval)
			progress(b);
		if (turn == LOAD_IDLE && (double)load_silent_ms(l) > b->patience * 1000) {
			snprintf(l->first, sizeof(l->first),
				 "the device hangs: nothing has come back for %.1f s, and %u "
				 "operations are in flight", b->patience, load_in_flight(l));
			return false;
		}
	}
	b->ran = seconds_since(b->begin);
	return true;
}

static json_t *
answer(const struct loopback *b, bool good)
{
	const struct load *l = &b->load;
	json_t *rows = load_json_algorithms(l);
	json_t *result = json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:I}",
		"operations", (json_int_t)l->operations, "errors", (json_int_t)load_errors(l),
		"wrong_status", (json_int_t)l->wrong_status, "wrong_data",
		(json_int_t)l->wrong_data,
		"seconds", b->ran, "operations_per_second",
		b->ran > 0 ? (double)l->operations / b->ran : 0, "gbit_per_second",
		b->ran > 0 ? (double)l->bytes * 8 / b->ran / 1e9 : 0, "algorithms_used",
		(json_int_t)json_array_size(rows));

	return json_pack("{s:s, s:s, s:s, s:I, s:s, s:i, s:i, s:i, s:s, s:s, s:o, s:o, s:o, s:o}",
		"kind", "loopback", "device", l->device->name, "driver",
		l->device->info.driver_name,
		"seed", (json_int_t)b->conf.seed, "layout", b->layout,
		"depth", (int)b->conf.depth, "burst", (int)b->conf.burst,
		"queue_pairs", (int)b->conf.queue_pairs,
		"verdict", good ? "good" : "bad", "reason",
		good ? "each result is right" : l->first,
		"result", result, "latency", hist_json(&l->total),
		"algorithms", rows, "histogram", hist_json_buckets(&l->total, 4));
}

static int
verdict(struct loopback *b, bool ended, const struct tool_args *args)
{
	struct load *l = &b->load;
	int written = TOOL_GOOD;
	json_t *page;
	bool good;

	load_interval(l);
	if (b->line_open)
		printf("\n");
	if (b->ran == 0)
		b->ran = seconds_since(b->begin);
	good = ended && load_errors(l) == 0 && l->operations != 0;
	if (l->operations == 0 && l->first[0] == '\0')
		snprintf(l->first, sizeof(l->first), "no operation came back");
	if (args->html != NULL) {
		page = answer(b, good);
		written = tool_report(args, page);
		json_decref(page);
	}
	if (args->json) {
		if (!tool_print(answer(b, good), true))
			return TOOL_BROKEN;
	} else {
		printf("%" PRIu64 " operations in %.1f s, %" PRIu64 " with a wrong status, %" PRIu64
		       " with wrong data; %.0f operations/s, %.3f Gbit/s\n"
		       "latency p50 %.1f us, p99 %.1f us, p99.9 %.1f us, max %.1f us\n",
		       l->operations, b->ran, l->wrong_status, l->wrong_data,
		       (double)l->operations / b->ran, (double)l->bytes * 8 / b->ran / 1e9,
		       (double)hist_percentile(&l->total, 0.5) / 1000,
		       (double)hist_percentile(&l->total, 0.99) / 1000,
		       (double)hist_percentile(&l->total, 0.999) / 1000,
		       (double)l->total.max / 1000);
		if (good)
			printf("verdict: good, each result is right\n");
		else
			printf("verdict: BAD, %s; repeat it with --seed %" PRIu64 "\n", l->first,
			       b->conf.seed);
		fflush(stdout);
	}
	return !good ? TOOL_BAD : written;
}

static int
run(struct tool_args *args)
{
	static struct loopback b;
	struct tool_device device;
	int ret;

	ret = parse(args, &b);
	if (ret == TOOL_GOOD)
		ret = tool_device_open(args, false, &device);
	if (ret != TOOL_GOOD)
		return ret;
	ret = load_start(&b.load, &device, &b.conf);
	if (ret == TOOL_GOOD) {
		printf("device %s, driver %s, seed %" PRIu64 ", %s layouts, depth %u\n",
		       device.name, device.info.driver_name, b.conf.seed, b.layout, b.conf.depth);
		fflush(stdout);
		signal(SIGINT, stop);
		signal(SIGTERM, stop);
		ret = verdict(&b, send_all(&b), args);
	}
	load_end(&b.load);
	tool_device_close(&device);
	return ret;
}

const struct tool_command tool_loopback = {
	.name = "loopback",
	.what = "Send operations in any layout of memory and check every byte",
	.eal = true,
	.html = true,
	.options = options,
	.examples = "  " TOOL_NAME " loopback --no-pci --vdev crypto_accel0 --time 60\n"
		    "  " TOOL_NAME " loopback -a 0000:03:00.0 --sizes imix --algorithms aes-gcm\n"
		    "  " TOOL_NAME " loopback -a 0000:03:00.0 --algorithms public-keys,aes-gcm\n"
		    "  " TOOL_NAME " loopback --no-pci --vdev crypto_accel0 --html loopback.html\n"
		    "  " TOOL_NAME " loopback -a 0000:03:00.0 --rate 100k --depth 256 --json\n",
	.run = run,
};
