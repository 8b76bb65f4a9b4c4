/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Prints a sample of top as one line of JSON. doc/guides/accel-tool.rst has the fields.
 */
#include <time.h>

#include "top.h"

void
top_json(FILE *out, const struct telemetry *t, const struct top_sample *sample)
{
	char stamp[32] = "";
	time_t now = time(NULL);
	struct tm tm;
	json_t *all;

	if (gmtime_r(&now, &tm) != NULL)
		strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &tm);
	all = json_pack("{s:s, s:i, s:s, s:f, s:O}", "time", stamp, "pid", t->pid, "version",
			t->version, "interval_s", sample->seconds, "devices", sample->devices);
	if (all == NULL) {
		/* The version is not UTF-8, or there is no memory. */
		fputs("{}\n", out);
		return;
	}
	json_dumpf(all, out, JSON_COMPACT | JSON_ENSURE_ASCII);
	fputc('\n', out);
	json_decref(all);
}
