/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * latency measures how long an operation is away, by size and burst: from before the enqueue call
 * to after the dequeue call that gave it back. The next burst is sent when the last one is back.
 * For comparison, the answer also has round trips of single packets of 64 bytes on the cards of the
 * thesis.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>

#include "base/print.h"
#include "commands.h"
#include "load/load.h"
#include "load/raw.h"
#include "report/report_page.h"

#define POINTS 16u
#define WARM_UP 200u
#define SILENT_S 20u
#define BAR 50u

enum { KEY_ALGORITHM = 1, KEY_SIZES, KEY_BURSTS, KEY_OPERATIONS, KEY_RAW, KEY_SEED };

static const struct tool_option options[] = {
	{ "algorithm", "NAME", "what to do, also a chain (aes-cbc)", KEY_ALGORITHM },
	{ "sizes", "LIST", "bytes of an operation (64,256,1024,4096)", KEY_SIZES },
	{ "bursts", "LIST", "operations of one call (1,8,32)", KEY_BURSTS },
	{ "operations", "N", "for each size and burst (20000)", KEY_OPERATIONS },
	{ "raw", NULL, "over the raw data path of rte_cryptodev", KEY_RAW },
	{ "seed", "N", "of keys and data (1)", KEY_SEED },
	{ NULL, NULL, NULL, 0 },
};

struct latency {
	struct load_conf conf;
	const char *algorithm; /* its name on the command line */
	unsigned int burst[POINTS], nb_bursts;
	uint64_t operations;
	bool is_raw;
	struct rte_crypto_raw_dp_ctx *raw; /* with is_raw */
	struct load load;
	struct hist now;
};

/* ------------------------------------------------------------------ options */

static bool
parse_bursts(struct latency *m, const char *text)
{
	char *copy = strdup(text), *rest = NULL, *word;
	bool good = copy != NULL;
	uint64_t n;

	m->nb_bursts = 0;
	for (word = good ? strtok_r(copy, ",", &rest) : NULL; word != NULL && good;
			word = strtok_r(NULL, ",", &rest)) {
		good = tool_number("bursts", word, 1, LOAD_BURST, &n);
		if (good && m->nb_bursts == POINTS) {
			tool_usage("--bursts takes at most %u numbers", POINTS);
			good = false;
		}
		if (good)
			m->burst[m->nb_bursts++] = (unsigned int)n;
	}
	free(copy);
	if (good && m->nb_bursts == 0)
		tool_usage("--bursts takes numbers such as 1,8,32");
	return good && m->nb_bursts != 0;
}

static bool
take(struct latency *m, int key, const char *value)
{
	switch (key) {
	case KEY_ALGORITHM:
		if (!load_parse_algorithms(&m->conf, value))
			return false;
		if (m->conf.nb_choices != 1)
			tool_usage("--algorithm takes one, not '%s'", value);
		m->algorithm = value;
		return m->conf.nb_choices == 1;
	case KEY_SIZES:
		return load_parse_sizes(&m->conf, value);
	case KEY_BURSTS:
		return parse_bursts(m, value);
	case KEY_OPERATIONS:
		return tool_number("operations", value, 1, 1000000000, &m->operations);
	case KEY_RAW:
		m->is_raw = true;
		return true;
	case KEY_SEED:
		return tool_number("seed", value, 0, UINT64_MAX, &m->conf.seed);
	default:
		return false;
	}
}

static int
parse(struct tool_args *args, struct latency *m)
{
	const char *value;
	unsigned int i;
	int key;

	m->conf = (struct load_conf){
		.seed = 1, .burst = LOAD_BURST, .queue_pairs = 1, .sessions = 1, .reuse = 1,
		.plain = true, .forward = true,
	};
	m->operations = 20000;
	m->algorithm = "aes-cbc";
	load_parse_algorithms(&m->conf, m->algorithm);
	load_parse_sizes(&m->conf, "64,256,1024,4096");
	parse_bursts(m, "1,8,32");
	while ((key = tool_next(args, &value)) != TOOL_END) {
		if (key == TOOL_WRONG || !take(m, key, value))
			return TOOL_USAGE;
	}
	if (m->conf.nb_sizes == 0)
		return tool_usage("--sizes takes numbers such as 64,256 here");
	for (i = 0; i < m->nb_bursts; i++)
		m->conf.depth = RTE_MAX(m->conf.depth, m->burst[i]);
	return TOOL_GOOD;
}

/* ------------------------------------------------------------------ measurement */

/* Sends the operations of a burst from number `sent` on. Returns how many were accepted. */
static unsigned int
send_ops(struct latency *m, struct rte_crypto_op **ops, unsigned int sent, unsigned int n)
{
	if (!m->is_raw)
		return rte_cryptodev_enqueue_burst(m->load.t.dev, 0, ops + sent,
						   (uint16_t)(n - sent));
	n = raw_prepare(m->raw, m->load.lane[0].item + sent, n - sent);
	rte_cryptodev_raw_enqueue_done(m->raw, n);
	return n;
}

static unsigned int
take_back(struct latency *m, unsigned int n)
{
	struct rte_crypto_op *back[LOAD_BURST];

	return m->is_raw ? raw_take(m->raw, n, true) :
			   rte_cryptodev_dequeue_burst(m->load.t.dev, 0, back, (uint16_t)n);
}

/* Sends a burst and waits for all of it. Returns false if not all of it comes back. */
static bool
one_burst(struct latency *m, struct rte_crypto_op **ops, unsigned int n, struct hist *h)
{
	const double ns = 1e9 / (double)rte_get_timer_hz();
	const uint64_t begin = rte_get_timer_cycles();
	unsigned int sent = 0, got = 0, i, k;
	uint64_t now, silent_ms = 0, end_ms = 0;

	while (got < n && silent_ms <= end_ms) {
		if (sent < n)
			sent += send_ops(m, ops, sent, n);
		k = take_back(m, n - got);
		now = rte_get_timer_cycles();
		for (i = 0; i < k; i++) {
			if (h != NULL)
				hist_add(h, (uint64_t)((double)(now - begin) * ns));
		}
		got += k;
		if (k != 0)
			continue;
		silent_ms = e2e_waited_ms();
		end_ms = end_ms != 0 ? end_ms : silent_ms + SILENT_S * MS_PER_S;
		e2e_relax();
	}
	if (got < n)
		tool_error("the device hangs: %u of %u operations have not come back for %u s; "
			   "add --log-level=pmd.crypto.accel:debug to see what it does",
			   n - got, n, SILENT_S);
	return got == n;
}

/* Checks each operation once, and then measures the latency of one size and burst. */
static int
one_point(struct latency *m, unsigned int burst, struct hist *h)
{
	struct rte_crypto_op *ops[LOAD_BURST];
	struct load *l = &m->load;
	unsigned int i;
	uint64_t n;

	for (i = 0; i < burst; i++)
		ops[i] = l->lane[0].item[i].slot.op;
	if (!one_burst(m, ops, burst, NULL))
		return TOOL_BROKEN;
	for (i = 0; i < burst; i++) {
		if (e2e_slot_check(&l->t, &l->lane[0].item[i].slot) == E2E_PASS)
			continue;
		tool_error("a result is wrong: %s", l->t.note);
		return TOOL_BAD;
	}
	for (n = 0; n < WARM_UP; n += burst) {
		if (!one_burst(m, ops, burst, NULL))
			return TOOL_BROKEN;
	}
	hist_clear(h);
	for (n = 0; n < m->operations; n += burst) {
		if (!one_burst(m, ops, burst, h))
			return TOOL_BROKEN;
	}
	return TOOL_GOOD;
}

/* Shows on a terminal which size and burst is being measured. NULL: all of them are. */
static void
show_progress(const struct latency *m, unsigned int done, const unsigned int *burst)
{
	if (!isatty(STDERR_FILENO))
		return;
	if (burst == NULL)
		fprintf(stderr, "\r\033[K");
	else
		fprintf(stderr, "\r\033[K%u of %u: %s, %u bytes, burst %u", done + 1,
			m->conf.nb_sizes * m->nb_bursts, m->algorithm, m->load.conf.size[0].hi,
			*burst);
	fflush(stderr);
}

static int
all_points(struct latency *m, json_t *rows)
{
	struct load_conf *conf = &m->load.conf;
	unsigned int s, b;
	json_t *row;
	int ret;

	for (s = 0; s < m->conf.nb_sizes; s++) {
		conf->nb_sizes = 1;
		conf->size[0] = m->conf.size[s];
		for (b = 0; b < m->nb_bursts; b++) {
			if (!load_rebuild(&m->load))
				return TOOL_BROKEN;
			/* The session may have changed. */
			if (m->is_raw && !raw_start(&m->load, &m->load.session[0], &m->raw)) {
				tool_error("%s has no raw data path for %s", m->load.device->name,
					   e2e_spec_name(&m->load.session[0].ses->spec));
				return TOOL_ABSENT;
			}
			show_progress(m, s * m->nb_bursts + b, &m->burst[b]);
			ret = one_point(m, m->burst[b], &m->now);
			show_progress(m, 0, NULL);
			if (ret != TOOL_GOOD)
				return ret;
			row = json_pack("{s:i, s:i}", "size", (int)m->conf.size[s].hi, "burst",
					(int)m->burst[b]);
			json_object_update_new(row, hist_json(&m->now));
			json_object_set_new(row, "histogram", hist_json_buckets(&m->now, 4));
			json_array_append_new(rows, row);
		}
	}
	return TOOL_GOOD;
}

/* The thesis's medians of round trips of 10^6 single packets of 64 bytes, through the kernel's
 * driver: with its improvement of the driver, and before it. */
static const struct {
	const char *card;
	double p50_us;
} thesis_medians[] = {
	{ "Medusa (thesis)", 58 },
	{ "SZE (thesis)", 19 },
	{ "Medusa (thesis, before)", 69 },
	{ "SZE (thesis, before)", 22 },
};

static json_t *
thesis(void)
{
	json_t *rows = json_array();
	unsigned int i;

	for (i = 0; i < RTE_DIM(thesis_medians); i++)
		json_array_append_new(rows, json_pack("{s:s, s:i, s:i, s:f}", "card",
						      thesis_medians[i].card, "size", 64, "burst",
						      1, "p50_us", thesis_medians[i].p50_us));
	return rows;
}

static void
print_histogram(const json_t *row)
{
	const double all = (double)json_integer_value(json_object_get(row, "count"));
	const json_t *o;
	size_t i, k;

	printf("\nhistogram of %" JSON_INTEGER_FORMAT " bytes, burst %" JSON_INTEGER_FORMAT "\n",
	       json_integer_value(json_object_get(row, "size")),
	       json_integer_value(json_object_get(row, "burst")));
	json_array_foreach(json_object_get(row, "histogram"), i, o) {
		const double from = json_real_value(json_object_get(o, "from_us"));
		const double to = json_real_value(json_object_get(o, "to_us"));
		const double part = (double)json_integer_value(json_object_get(o, "count")) / all;

		printf("  %9.2f - %9.2f us  %6.2f %%  %.*s", from, to, part * 100,
		       (int)(part * BAR + 0.5),
		       "##################################################");
		for (k = 0; k < RTE_DIM(thesis_medians); k++) {
			const double median = thesis_medians[k].p50_us;

			if (median >= from && median < to)
				printf("  <- %g us, %s", median, thesis_medians[k].card);
		}
		printf("\n");
	}
}

static const char *
api(const struct latency *m)
{
	return m->is_raw ? "raw" : "operations";
}

/* Returns the rows without their histograms, as a table has them. */
static json_t *
table_of(const json_t *rows)
{
	json_t *table = json_array(), *row;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
		row = json_copy(row);
		json_object_del(row, "histogram");
		json_array_append_new(table, row);
	}
	return table;
}

/* Returns what was measured, and how. */
static json_t *
head_of(const struct latency *m)
{
	return json_pack("{s:s, s:s, s:s, s:I, s:I}", "device", m->load.device->name, "api", api(m),
			 "algorithm", m->algorithm, "operations", (json_int_t)m->operations, "seed",
			 (json_int_t)m->conf.seed);
}

/* Prints the answer and writes its page. The histogram beside the rows is that of the first one. */
static int
report(struct latency *m, json_t *rows, const struct tool_args *args)
{
	json_t *answer = head_of(m), *text, *row;
	size_t i;
	int ret;

	json_object_set_new(answer, "kind", json_string("latency"));
	json_object_set(answer, "latency", rows);
	json_object_set(answer, "histogram", json_object_get(json_array_get(rows, 0), "histogram"));
	json_object_set_new(answer, "thesis", thesis());
	ret = tool_report(args, answer);
	if (args->json)
		return tool_print(answer, true) ? ret : TOOL_BROKEN;
	json_decref(answer);
	text = head_of(m);
	json_object_set_new(text, "latency", table_of(rows));
	json_object_set_new(text, "thesis", thesis());
	if (!tool_print(text, false))
		return TOOL_BROKEN;
	json_array_foreach(rows, i, row)
		print_histogram(row);
	return ret;
}

static int
run(struct tool_args *args)
{
	static struct latency m;
	struct tool_device device;
	json_t *rows;
	int ret;

	ret = parse(args, &m);
	if (ret == TOOL_GOOD)
		ret = tool_device_open(args, false, &device);
	if (ret != TOOL_GOOD)
		return ret;
	rows = json_array();
	ret = load_start(&m.load, &device, &m.conf);
	if (ret == TOOL_GOOD)
		ret = all_points(&m, rows);
	if (ret == TOOL_GOOD)
		ret = report(&m, rows, args);
	json_decref(rows);
	load_end(&m.load);
	free(m.raw);
	tool_device_close(&device);
	return ret;
}

const struct tool_command tool_latency = {
	.name = "latency",
	.what = "How long an operation is away, by size and burst",
	.eal = true,
	.html = true,
	.options = options,
	.examples = "  " TOOL_NAME " latency --no-pci --vdev crypto_accel0\n"
		    "  " TOOL_NAME " latency --no-pci --vdev crypto_accel0 --raw "
		    "--algorithm aes-gcm\n"
		    "  " TOOL_NAME " latency -a 0000:03:00.0 --sizes 64 --bursts 1 --operations "
		    "1M\n",
	.run = run,
};
