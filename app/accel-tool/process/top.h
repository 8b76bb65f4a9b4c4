/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes the live view of a running process, dpdk-accel-tool top. It takes a sample of all devices,
 * queue pairs and VFs of the process, adds what changed since the sample before, and prints the
 * sample as text or as JSON. A sample stays JSON as the process has sent it, so a field that a
 * newer driver adds is in the output of --json, too.
 */
#ifndef ACCEL_TOOL_TOP_H
#define ACCEL_TOOL_TOP_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "telemetry.h"

/** Holds what a process says at one moment. */
struct top_sample {
	uint64_t ns; /**< time of the monotonic clock, in the middle of the questions */
	double seconds; /**< time since the sample before, 0: there was none */
	/**
	 * One object for each device: the answers "device", "errors" and "sessions", and
	 * "queue_pairs", an array of the answers for queue pairs with "latency" in each of them. A
	 * physical function also has "vfs", an array of the answers for its VFs. top_rates() adds
	 * "rates" to devices and queue pairs.
	 */
	json_t *devices;
};

/**
 * Ask a process for everything that is shown. A device, queue pair or VF that goes away meanwhile
 * is left out.
 *
 * @return
 *   0, or an error of telemetry_ask() with its sentence in @p t. -EPROTO also means that an answer
 *   has a wrong form, and -ENODEV that the process has no device any more.
 */
int top_sample_take(struct telemetry *t, struct top_sample *sample);

/** Free a sample. */
void top_sample_free(struct top_sample *sample);

/**
 * Add to a sample how fast its counters grew since an earlier one, per second. A counter that is
 * smaller than before was reset, and counts from 0.
 */
void top_rates(struct top_sample *now, const struct top_sample *before);

/** Says how much room a block of text may take. */
struct top_size {
	unsigned int columns; /**< 0: no limit */
	unsigned int rows; /**< 0: no limit */
	const char *line_end; /**< what ends each line, such as "\n" */
};

/** Print a sample as text. */
void top_text(FILE *out, const struct telemetry *t, const struct top_sample *sample,
	      const struct top_size *size);

/** Print a sample as one line of JSON. */
void top_json(FILE *out, const struct telemetry *t, const struct top_sample *sample);

#endif /* ACCEL_TOOL_TOP_H */
