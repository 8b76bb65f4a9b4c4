/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes a report of known data with report.c, for test_report.py: report-known FILE WORD...
 * The words are shown as the command line. With the file "-nan" it tries a number that JSON cannot
 * express. With "-answer FILE" it makes the report from the answer of a subcommand on its standard
 * input. The exit code is 0, or 1 after a line with the error.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "report/report.h"

static const uint64_t bounds[] = { 1000, 2000, 4000 };
static const uint64_t counts[] = { 11, 500, 37, 2 };

static int
fill(json_t *report)
{
	const struct report_histogram h = {
		.name = "AES </script><script>alert(1)</script>", .count = 550, .p50 = 1501,
		.p99 = 3502, .p99_9 = 5003, .max = 7004, .bounds = bounds, .counts = counts,
		.nb_bounds = 3, .nb_counts = 4,
	};
	int ret = report_verdict(report, false, "3 operations & their \"data\" were wrong <b>");

	ret |= report_note(report, "bytes that are no text: \xff\xfe");
	ret |= report_summary(report, "operations", json_integer(123456), NULL);
	ret |= report_summary(report, "rate", json_real(17.25), "Gbit/s");
	ret |= report_fact(report, "machine", "name", "a</script><img src=x onerror=alert(1)>");
	ret |= report_latency(report, &h);
	ret |= report_latency_mark(report, "thesis", 58000);
	ret |= report_throughput(report, "crypto_accel", "aes-cbc", 64, 1.5, 0.768);
	ret |= report_throughput(report, "crypto_accel", "aes-gcm", 64, 2.5, 1.28);
	ret |= report_throughput(report, "crypto_accel", "aes-cbc", 1024, 1.25, 10.24);
	ret |= report_stage(report, "post", "driver", 21.5, false);
	ret |= report_stage(report, "engine", "device", 321.75, false);
	ret |= report_stage(report, "empty poll", "driver", 4.125, true);
	return ret;
}

static int
write_answer(const char *path, int argc, char **argv)
{
	json_t *report = report_begin("An answer", argc, argv);
	json_t *answer = json_loadf(stdin, 0, NULL);
	int ret = report == NULL || answer == NULL ? -ENOMEM : report_answer(report, answer);

	if (ret == 0)
		ret = report_write(path, report);
	json_decref(answer);
	json_decref(report);
	if (ret != 0)
		printf("%s\n", output_why(ret));
	return ret == 0 ? 0 : 1;
}

int
main(int argc, char **argv)
{
	json_t *report;
	int ret;

	if (argc < 2)
		return 2;
	if (argc > 2 && strcmp(argv[1], "-answer") == 0)
		return write_answer(argv[2], argc, argv);
	report = report_begin("A loopback <of> all", argc, argv);
	if (report == NULL || fill(report) != 0)
		return 1;
	if (strcmp(argv[1], "-nan") == 0) {
		ret = report_stage(report, "nothing", "driver", NAN, false);
		printf("%d\n", ret);
		json_decref(report);
		return ret == 0 ? 0 : 1;
	}
	ret = report_write(argv[1], report);
	json_decref(report);
	if (ret != 0)
		printf("%s\n", output_why(ret));
	return ret == 0 ? 0 : 1;
}
