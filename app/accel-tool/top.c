/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * top is a live view of all devices, queue pairs and VFs of a running process. It needs no EAL,
 * because it asks the process over its telemetry socket. On a terminal the view has a screen of its
 * own. Elsewhere top prints one block for each interval, without escape codes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/terminal.h"
#include "commands.h"
#include "process/telemetry_find.h"
#include "process/top.h"

/* Holds the options and the state of the view. */
struct top {
	struct telemetry_target target;
	double interval; /* seconds */
	uint64_t count; /* blocks, 0: no limit */
	bool json;
	bool screen; /* the view is on a terminal */
	bool printed; /* a block was printed */
	bool unread; /* nobody reads the samples any more */
	struct telemetry t;
	struct top_sample before, now;
	uint64_t next_ns;
};

enum {
	OPT_INTERVAL = 1,
	OPT_COUNT,
	OPT_SOCKET,
	OPT_FILE_PREFIX,
};

static const struct tool_option options[] = {
	{ "interval", "SECONDS", "time between two looks, 0.1 to 3600 (default 1)", OPT_INTERVAL },
	{ "count", "N", "end after N blocks (default: never)", OPT_COUNT },
	{ "file-prefix", "PREFIX", "--file-prefix of the process (default rte)", OPT_FILE_PREFIX },
	{ "socket", "PATH", "telemetry socket of the process", OPT_SOCKET },
	{ NULL, NULL, NULL, 0 },
};

/* Reads the options. Returns TOOL_GOOD or TOOL_USAGE. */
static int
read_options(struct top *top, struct tool_args *args)
{
	const char *value;
	bool good = true;
	int key;

	while ((key = tool_next(args, &value)) != TOOL_END) {
		if (key == TOOL_WRONG)
			return TOOL_USAGE;
		if (key == OPT_INTERVAL)
			good = tool_real("interval", value, 0.1, 3600, &top->interval);
		else if (key == OPT_COUNT)
			good = tool_number("count", value, 1, UINT32_MAX, &top->count);
		else if (key == OPT_FILE_PREFIX)
			top->target.file_prefix = value;
		else if (key == OPT_SOCKET)
			top->target.socket = value;
		if (!good)
			return TOOL_USAGE;
	}
	if (top->target.socket != NULL && top->target.file_prefix != NULL)
		return tool_usage("--socket and --file-prefix exclude each other");
	top->json = args->json;
	return TOOL_GOOD;
}

/* Prints a sample. Returns 0, or -EPIPE if the output failed. Then either nobody reads any more, or
 * main() prints the reason. */
static int
print(struct top *top, const struct top_sample *sample)
{
	struct top_size size = { .line_end = "\n" };

	if (top->json) {
		top_json(stdout, &top->t, sample);
	} else if (top->screen) {
		/* Write from the first row on, clear the rest of each line, and then the rest of
		 * the screen. */
		terminal_size(&size.columns, &size.rows);
		size.line_end = "\033[K\r\n";
		/* The last column is not used, because the code would clear it. The last row is not
		 * used, because the screen would scroll. */
		size.columns -= size.columns > 1;
		size.rows -= size.rows > 1;
		fputs("\033[H", stdout);
		top_text(stdout, &top->t, sample, &size);
		fputs("\033[J", stdout);
	} else {
		if (top->printed)
			fputc('\n', stdout);
		top_text(stdout, &top->t, sample, &size);
	}
	top->printed = true;
	if (fflush(stdout) == 0)
		return 0;
	top->unread = errno == EPIPE || top->screen;
	return -EPIPE;
}

/* Waits for the time of the next sample. Returns false if the program ends. */
static bool
wait_next(struct top *top)
{
	uint64_t interval_ns = (uint64_t)(top->interval * 1e9);
	enum terminal_event event;

	top->next_ns += interval_ns;
	/* If a sample was late, such as that of a dead card, the next one does not follow at
	 * once. */
	if (top->next_ns < top->before.ns + interval_ns / 2)
		top->next_ns = top->before.ns + interval_ns;
	while ((event = terminal_wait(top->next_ns)) == TERMINAL_REDRAW) {
		if (print(top, &top->before) != 0)
			return false;
	}
	return event == TERMINAL_TIME;
}

/* Shows one block after the other. Returns 0 at the end, or an error of telemetry. */
static int
show(struct top *top)
{
	uint64_t n = 0;
	int ret;

	ret = top_sample_take(&top->t, &top->before);
	if (ret < 0)
		return ret;
	top->next_ns = top->before.ns;
	if (top->screen && print(top, &top->before) != 0)
		return 0;
	while (wait_next(top)) {
		ret = top_sample_take(&top->t, &top->now);
		if (ret < 0)
			return ret;
		top_rates(&top->now, &top->before);
		top_sample_free(&top->before);
		top->before = top->now;
		if (print(top, &top->before) != 0 || ++n == top->count)
			break;
	}
	return 0;
}

static int
run(struct tool_args *args)
{
	struct top top = { .interval = 1 };
	int ret;

	ret = read_options(&top, args);
	if (ret != TOOL_GOOD)
		return ret;
	terminal_signals();
	top.target.stop = &terminal_stop;
	ret = telemetry_open(&top.t, &top.target);
	if (ret == 0) {
		top.screen = !top.json && terminal_usable();
		if (top.screen)
			terminal_enter();
		ret = show(&top);
		terminal_leave();
	}
	top_sample_free(&top.before);
	telemetry_close(&top.t);
	args->unread = top.unread;
	if (ret < 0 && ret != -EINTR) {
		tool_error("%s", top.t.error);
		return telemetry_exit(ret);
	}
	return TOOL_GOOD;
}

const struct tool_command tool_top = {
	.name = "top",
	.what = "live view of all devices, queue pairs and VFs of a running process",
	.options = options,
	.examples = "  dpdk-accel-tool top\n"
		    "  dpdk-accel-tool top --file-prefix gateway --interval 0.5\n"
		    "  dpdk-accel-tool top --json --count 60 >minute.json\n",
	.run = run,
};
