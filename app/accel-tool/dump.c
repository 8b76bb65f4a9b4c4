/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * dump writes the state of the devices of a running process as text to one file, and prints what it
 * means in the driver's words.
 */
#include <jansson.h>

#include "base/output.h"
#include "commands.h"
#include "process/dump_text.h"
#include "process/telemetry_find.h"

enum {
	OPT_DEVICE = 1,
	OPT_OUTPUT,
	OPT_SOCKET,
	OPT_FILE_PREFIX,
};

static const struct tool_option options[] = {
	{ "device", "ID", "number of the device in the process (default: all)", OPT_DEVICE },
	{ "output", "FILE", "where the dump goes (default: standard output)", OPT_OUTPUT },
	{ "file-prefix", "PREFIX", "--file-prefix of the process (default rte)", OPT_FILE_PREFIX },
	{ "socket", "PATH", "telemetry socket of the process", OPT_SOCKET },
	{ NULL, NULL, NULL, 0 },
};

struct dump_options {
	struct telemetry_target target;
	const char *output;
	int dev_id; /* -1: all */
};

static int
read_options(struct dump_options *o, struct tool_args *args)
{
	const char *value;
	uint64_t number;
	int key;

	while ((key = tool_next(args, &value)) != TOOL_END) {
		if (key == TOOL_WRONG)
			return TOOL_USAGE;
		if (key == OPT_DEVICE && !tool_number("device", value, 0, 255, &number))
			return TOOL_USAGE;
		if (key == OPT_DEVICE)
			o->dev_id = (int)number;
		else if (key == OPT_OUTPUT)
			o->output = value;
		else if (key == OPT_FILE_PREFIX)
			o->target.file_prefix = value;
		else if (key == OPT_SOCKET)
			o->target.socket = value;
	}
	if (o->target.socket != NULL && o->target.file_prefix != NULL)
		return tool_usage("--socket and --file-prefix exclude each other");
	return TOOL_GOOD;
}

static void
put(FILE *f, const json_t *all, bool json)
{
	if (json)
		json_dumpf(all, f, JSON_INDENT(1));
	else
		dump_write(f, all);
}

/* Writes all dumps. The file is for its owner alone, since a dump has addresses. */
static int
write_all(const struct dump_options *o, const json_t *all, bool json)
{
	struct output output;
	int ret;

	if (o->output == NULL) {
		put(stdout, all, json);
		return dump_trouble(all) ? TOOL_BAD : TOOL_GOOD;
	}
	ret = output_check(o->output);
	if (ret == 0)
		ret = output_begin(&output, o->output, true);
	if (ret != 0) {
		tool_error("cannot write %s: %s", o->output, output_why(ret));
		return TOOL_ABSENT;
	}
	put(output.file, all, json);
	ret = output_end(&output);
	if (ret != 0) {
		tool_error("cannot write %s: %s", o->output, output_why(ret));
		return TOOL_BROKEN;
	}
	dump_words(stdout, all);
	printf("%s has the whole dump\n", o->output);
	return dump_trouble(all) ? TOOL_BAD : TOOL_GOOD;
}

static int
run(struct tool_args *args)
{
	struct dump_options o = { .dev_id = -1 };
	struct telemetry t;
	json_t *all;
	int ret;

	ret = read_options(&o, args);
	if (ret != TOOL_GOOD)
		return ret;
	ret = telemetry_open(&t, &o.target);
	if (ret != 0) {
		tool_error("%s", t.error);
		return telemetry_exit(ret);
	}
	all = json_array();
	ret = dump_ask_all(&t, o.dev_id, all);
	if (ret != 0) {
		tool_error("%s", t.error);
		ret = telemetry_exit(ret);
	} else {
		ret = write_all(&o, all, args->json);
	}
	json_decref(all);
	telemetry_close(&t);
	return ret;
}

const struct tool_command tool_dump = {
	.name = "dump",
	.what = "the state of the devices of a running process, and why one hangs, in words",
	.options = options,
	.examples = "  dpdk-accel-tool dump\n"
		    "  dpdk-accel-tool dump --file-prefix gateway --output gateway.dump\n"
		    "  dpdk-accel-tool dump --device 1 | less\n",
	.run = run,
};
