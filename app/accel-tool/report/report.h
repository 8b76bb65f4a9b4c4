/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes the report of a run: one HTML file with drawings and tables, which opens offline. A report
 * is a tree of JSON (doc/guides/accel-report.rst has its fields), which report_write() puts into
 * the template report/report.html. Scripts make reports with tools/py/base/report.py.
 *
 * Functions that return an int return 0, or -ENOMEM if the tree could not grow.
 */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/** This is the version of the tree's schema. A page refuses a tree with another version. */
#define REPORT_SCHEMA 1

/** Holds latencies of operations. Bucket i counts the latencies below bounds[i] that are not below
 * bounds[i - 1]. */
struct report_histogram {
	const char *name; /**< what was measured: algorithm, size, burst */
	uint64_t count, p50, p99, p99_9, max; /**< operations, and nanoseconds */
	const uint64_t *bounds; /**< nanoseconds, rising */
	const uint64_t *counts;
	unsigned int nb_bounds;
	unsigned int nb_counts; /**< nb_bounds, or one more for what lies above the last bound */
};

/**
 * Begin a report: schema, title, date, the machine and the versions.
 *
 * @param title
 *   The heading of the page.
 * @param argc, argv
 *   The command line of the program, which the page shows.
 * @return
 *   An object, which the caller frees with json_decref(). NULL: no memory.
 */
json_t *report_begin(const char *title, int argc, char *const *argv);

/** Say how the run ended. */
int report_verdict(json_t *report, bool good, const char *text);
/** Add a sentence that a reader has to know, such as a busy machine. */
int report_note(json_t *report, const char *text);
/** Add a line to the facts at the top. The function takes over the reference to value. unit may be
 * NULL. */
int report_summary(json_t *report, const char *name, json_t *value, const char *unit);
/** Add a line to the facts about the machine (list "machine") or the software ("versions"). */
int report_fact(json_t *report, const char *list, const char *name, const char *text);

/**
 * Add a point to the throughput against size. The points of a device and algorithm come in rising
 * order of size.
 *
 * @param mops
 *   Millions of operations per second.
 * @param gbps
 *   Gbit/s of data.
 */
int report_throughput(json_t *report, const char *device, const char *algorithm, unsigned int size,
		      double mops, double gbps);

/** Add a histogram of latencies. */
int report_latency(json_t *report, const struct report_histogram *histogram);
/** Add a latency to compare with, in ns. The drawings show it if it is near their values. */
int report_latency_mark(json_t *report, const char *name, double ns);

/**
 * Add a step of one operation, in the order in which an operation passes them.
 *
 * @param who
 *   Who does the step: "driver" or "device".
 * @param ns
 *   Its mean in nanoseconds.
 * @param aside
 *   The step is not on the way of an operation.
 */
int report_stage(json_t *report, const char *name, const char *who, double ns, bool aside);

/**
 * Add to a report what a subcommand answers with --json. The report must not have such parts yet.
 *
 * @param answer
 *   An object whose member "kind" is "loopback", "latency" or "stages".
 * @return
 *   0, -ENOMEM, or -EINVAL if the answer is of another kind.
 */
int report_answer(json_t *report, const json_t *answer);

/**
 * Write the HTML file. It appears at once or not at all.
 *
 * @return
 *   0, or a negative errno for output_why(): of the file system, or -ENOMEM, or -ERANGE if the tree
 *   has numbers that JSON cannot express.
 */
int report_write(const char *path, const json_t *report);

/** This is the template, with a line @DATA@. The build makes it from report/report.html. */
extern const char report_template[];
extern const size_t report_template_len;

#endif /* TOOL_REPORT_H */
