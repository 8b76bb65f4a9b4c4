/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes the page of a subcommand for --html: its answer with drawings and tables (report.h).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "report.h"
#include "report_page.h"

int
tool_report(const struct tool_args *args, const json_t *answer)
{
	json_t *report;
	char title[64];
	int ret;

	if (args->html == NULL)
		return TOOL_GOOD;
	snprintf(title, sizeof(title), TOOL_NAME " %s", args->command->name);
	report = answer != NULL ? report_begin(title, args->argc, args->argv) : NULL;
	ret = report != NULL ? report_answer(report, answer) : -ENOMEM;
	if (ret == 0)
		ret = report_write(args->html, report);
	json_decref(report);
	if (ret == 0)
		return TOOL_GOOD;
	tool_error("cannot write the page '%s': %s", args->html, output_why(ret));
	return TOOL_BROKEN;
}
