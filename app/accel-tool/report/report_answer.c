/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Puts the answer of a subcommand, which is a tree of JSON, into a report: loopback, latency and
 * stages. What the answer does not have is left out.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static const char *
word(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

static bool
is(const json_t *object, const char *name, const char *text)
{
	return strcmp(word(object, name), text) == 0;
}

static uint64_t
ns_of(const json_t *object, const char *name)
{
	const double us = json_number_value(json_object_get(object, name));

	return us > 0 ? (uint64_t)(us * 1000 + 0.5) : 0;
}

/* Describes a member of an answer that goes to the facts at the top. */
struct fact {
	const char *key; /* NULL ends a list */
	const char *name;
	const char *unit; /* or NULL */
};

/* This unit marks a number that people type again, such as a seed. It is written as a text, without
 * commas. */
#define TEXT "text"

static int
add_facts(json_t *report, const json_t *object, const struct fact *fact)
{
	char text[32];
	json_t *value;
	int ret = 0;

	for (; ret == 0 && fact->key != NULL; fact++) {
		value = json_object_get(object, fact->key);
		if (!json_is_number(value) && !json_is_string(value))
			continue;
		if (fact->unit != NULL && strcmp(fact->unit, TEXT) == 0 && json_is_integer(value)) {
			snprintf(text, sizeof(text), "%" JSON_INTEGER_FORMAT,
				 json_integer_value(value));
			ret = report_summary(report, fact->name, json_string(text), NULL);
		} else {
			ret = report_summary(report, fact->name, json_incref(value), fact->unit);
		}
	}
	return ret;
}

/* Adds a series of latencies. The buckets are [{from_us, to_us, count}] in rising order. Empty
 * buckets are missing there, and are added, because a report has them. */
static int
add_latency(json_t *report, const char *name, const json_t *numbers, const json_t *buckets)
{
	const size_t nb = json_array_size(buckets);
	uint64_t *bounds = calloc(4 * nb + 1, sizeof(*bounds)), *counts, from, to;
	struct report_histogram h = {
		.name = name,
		.count = (uint64_t)json_integer_value(json_object_get(numbers, "count")),
		.p50 = ns_of(numbers, "p50_us"), .p99 = ns_of(numbers, "p99_us"),
		.p99_9 = ns_of(numbers, "p99_9_us"), .max = ns_of(numbers, "max_us"),
	};
	unsigned int n = 0;
	json_t *one;
	size_t i;
	int ret;

	if (bounds == NULL)
		return -ENOMEM;
	counts = bounds + 2 * nb;
	json_array_foreach((json_t *)(uintptr_t)buckets, i, one) {
		from = ns_of(one, "from_us");
		to = ns_of(one, "to_us");
		if (from > (n > 0 ? bounds[n - 1] : 0))
			bounds[n++] = from;
		if (to <= (n > 0 ? bounds[n - 1] : 0))
			continue;
		bounds[n] = to;
		counts[n++] = (uint64_t)json_integer_value(json_object_get(one, "count"));
	}
	h.bounds = bounds;
	h.counts = counts;
	h.nb_bounds = h.nb_counts = n;
	ret = report_latency(report, &h);
	free(bounds);
	return ret;
}

static int
loopback(json_t *report, const json_t *answer)
{
	static const struct fact how[] = {
		{ "device", "device", NULL }, { "driver", "driver", NULL },
		{ "layout", "layout", NULL }, { "depth", "operations in flight, at most", NULL },
		{ "burst", "burst", NULL }, { "queue_pairs", "queue pairs", NULL },
		{ "seed", "seed", TEXT }, { NULL, NULL, NULL },
	};
	static const struct fact result[] = {
		{ "operations", "operations", NULL }, { "errors", "errors", NULL },
		{ "wrong_status", "of them with a wrong status", NULL },
		{ "wrong_data", "of them with wrong data", NULL },
		{ "seconds", "time", "s" }, { "operations_per_second", "rate", "operations/s" },
		{ "gbit_per_second", "throughput", "Gbit/s" },
		{ "algorithms_used", "algorithms used", NULL }, { NULL, NULL, NULL },
	};
	int ret = report_verdict(report, is(answer, "verdict", "good"), word(answer, "reason"));

	if (ret == 0)
		ret = add_facts(report, json_object_get(answer, "result"), result);
	if (ret == 0)
		ret = add_facts(report, answer, how);
	if (ret == 0)
		ret = add_latency(report, "all operations", json_object_get(answer, "latency"),
				  json_object_get(answer, "histogram"));
	return ret;
}

static int
latency(json_t *report, const json_t *answer)
{
	static const struct fact how[] = {
		{ "device", "device", NULL }, { "api", "API", NULL },
		{ "algorithm", "algorithm", NULL },
		{ "operations", "operations of each size and burst", NULL },
		{ "seed", "seed", TEXT }, { NULL, NULL, NULL },
	};
	int ret = add_facts(report, answer, how);
	char name[96];
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(answer, "latency"), i, row) {
		snprintf(name, sizeof(name), "%" JSON_INTEGER_FORMAT " bytes, bursts of %"
			 JSON_INTEGER_FORMAT, json_integer_value(json_object_get(row, "size")),
			 json_integer_value(json_object_get(row, "burst")));
		if (ret == 0)
			ret = add_latency(report, name, row, json_object_get(row, "histogram"));
	}
	json_array_foreach(json_object_get(answer, "thesis"), i, row) {
		if (ret == 0)
			ret = report_latency_mark(report, word(row, "card"),
						  (double)ns_of(row, "p50_us"));
	}
	return ret;
}

static int
stages(json_t *report, const json_t *answer)
{
	static const struct fact how[] = {
		{ "device", "device", NULL }, { "algorithm", "algorithm", NULL },
		{ "size", "size", "bytes" }, { "burst", "burst", NULL }, { NULL, NULL, NULL },
	};
	int ret = add_facts(report, answer, how);
	const char *step, *call, *who;
	json_t *row;
	size_t i;
	bool aside;

	json_array_foreach(json_object_get(answer, "stages"), i, row) {
		step = word(row, "step");
		call = word(row, "call");
		aside = strstr(call, "_raw_") != NULL || strstr(step, "nothing") != NULL ||
			strstr(step, "way") != NULL;
		who = strcmp(call, "-") == 0 ? "device" : aside ? call : "driver";
		row = json_object_get(row, "ns_per_operation");
		if (ret == 0)
			ret = report_stage(report, step, who, json_number_value(row), aside);
	}
	return ret;
}

int
report_answer(json_t *report, const json_t *answer)
{
	if (is(answer, "kind", "loopback"))
		return loopback(report, answer);
	if (is(answer, "kind", "latency"))
		return latency(report, answer);
	if (is(answer, "kind", "stages"))
		return stages(report, answer);
	return -EINVAL;
}
