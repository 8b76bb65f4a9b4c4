/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * dpdk-accel-tool dump: the state of the devices of a running process, as text in one file, and
 * what the driver makes of it in words. The driver writes the text (rte_pmd_accel_dump(), and the
 * command /cryptodev/accel/dump of telemetry); here it is asked for in pages and put together. The
 * other end may be any program, so its answers are checked, and no control character is printed.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/output.h"
#include "base/tool.h"
#include "dump.h"
#include "process/telemetry.h"
#include "process/telemetry_private.h"

#define COMMAND "/cryptodev/accel/dump"
#define PAGES_MAX 1000
#define TRIES 5u /* a dump of another client may replace this one's before it is read */

/*
 * Gets one page. Returns 0; -ENODEV if the process refuses it; -ESTALE if the dump was replaced; or
 * an error of telemetry.
 */
static int
ask_page(struct telemetry *t, const char *what, int page, int number, json_t **answer)
{
	const json_t *why;
	char params[64];
	int ret;

	if (page == 0)
		snprintf(params, sizeof(params), "%s", what);
	else
		snprintf(params, sizeof(params), "%s,%d,%d", what, page, number);
	ret = telemetry_ask(t, COMMAND, params, answer);
	if (ret != 0)
		return ret;
	why = json_object_get(*answer, "error");
	if (json_is_object(*answer) && why == NULL)
		return 0;
	if (json_is_string(why))
		telemetry_fail(t, ret, "no dump of %s: %s", what, json_string_value(why));
	else
		telemetry_fail(t, ret, "no dump of %s: the driver of the process has none", what);
	json_decref(*answer);
	return page == 0 ? -ENODEV : -ESTALE;
}

/* Moves the lines of a page to the end of a list. Returns 0 or -EPROTO. */
static int
take_lines(json_t *list, const json_t *page)
{
	const json_t *lines = json_object_get(page, "lines");
	json_t *line;
	size_t i;

	if (!json_is_array(lines))
		return -EPROTO;
	json_array_foreach(lines, i, line) {
		if (!json_is_string(line) || json_array_append(list, line) != 0)
			return -EPROTO;
	}
	return 0;
}

static int
number_of(const json_t *answer, const char *name, int max)
{
	const json_t *value = json_object_get(answer, name);
	const json_int_t n = json_integer_value(value);

	return json_is_integer(value) && n >= 0 && n <= max ? (int)n : -1;
}

/* Gets all pages of the first answer, which gets the lines of all. */
static int
ask_rest(struct telemetry *t, const char *what, json_t *first)
{
	const int pages = number_of(first, "pages", PAGES_MAX);
	const int number = number_of(first, "number", INT32_MAX);
	json_t *lines = json_array(), *next;
	int page, ret;

	ret = lines != NULL && pages > 0 && number >= 0 ? take_lines(lines, first) : -EPROTO;
	if (pages > 1 && strchr(what, ',') == NULL)
		ret = -EPROTO; /* the dump of a function alone has one page */
	for (page = 1; ret == 0 && page < pages; page++) {
		ret = ask_page(t, what, page, number, &next);
		if (ret != 0)
			break;
		ret = take_lines(lines, next);
		json_decref(next);
	}
	if (ret != 0) {
		json_decref(lines);
		return ret;
	}
	return json_object_set_new(first, "lines", lines) == 0 ? 0 : -ENOMEM;
}

int
dump_ask(struct telemetry *t, const char *what, json_t **answer)
{
	unsigned int i;
	int ret = -ESTALE;

	for (i = 0; ret == -ESTALE && i < TRIES; i++) {
		ret = ask_page(t, what, 0, 0, answer);
		if (ret != 0)
			break;
		ret = ask_rest(t, what, *answer);
		if (ret != 0)
			json_decref(*answer);
	}
	if (ret == -EPROTO)
		telemetry_fail(t, ret, "the answer of the process is no dump");
	else if (ret == -ESTALE)
		telemetry_fail(t, ret, "other programs ask the process for dumps all the time");
	return ret;
}

/* Gets the dumps of a function and its queue pairs. */
static int
ask_device(struct telemetry *t, int dev_id, json_t *all)
{
	const json_t *queues, *queue;
	json_t *answer;
	char what[32];
	size_t i;
	int ret;

	snprintf(what, sizeof(what), "%d", dev_id);
	ret = dump_ask(t, what, &answer);
	if (ret != 0)
		return ret;
	json_array_append_new(all, answer);
	queues = json_object_get(answer, "queue_pairs");
	json_array_foreach(queues, i, queue) {
		if (!json_is_integer(queue))
			continue;
		snprintf(what, sizeof(what), "%d,%d", dev_id, (int)json_integer_value(queue));
		ret = dump_ask(t, what, &answer);
		if (ret != 0 && ret != -ENODEV) /* it may have been released meanwhile */
			return ret;
		if (ret == 0)
			json_array_append_new(all, answer);
	}
	return 0;
}

int
dump_ask_all(struct telemetry *t, int dev_id, json_t *all)
{
	json_t *devices = NULL, *id;
	size_t i;
	int ret;

	if (dev_id >= 0)
		return ask_device(t, dev_id, all);
	ret = telemetry_ask(t, "/cryptodev/accel/list", NULL, &devices);
	json_array_foreach(ret == 0 ? devices : NULL, i, id) {
		if (ret == 0 && json_is_integer(id))
			ret = ask_device(t, (int)json_integer_value(id), all);
	}
	if (devices != NULL)
		json_decref(devices);
	return ret;
}

/*
 * Output.
 */

static void
put_line(FILE *f, const char *line)
{
	for (; *line != '\0'; line++)
		fputc(isprint((unsigned char)*line) ? *line : '?', f);
	fputc('\n', f);
}

void
dump_write(FILE *f, const json_t *all)
{
	const json_t *part, *line;
	size_t i, j;

	fprintf(f, "crypto_accel dump; keys, IVs and payload are left out\n\n");
	json_array_foreach(all, i, part) {
		json_array_foreach(json_object_get(part, "lines"), j, line)
			put_line(f, json_string_value(line));
	}
}

/*
 * The title of a part and its sentences: what stands before the first heading, which has an indent
 * of two.
 */
static void
write_words(FILE *f, const json_t *part)
{
	const json_t *line;
	const char *text;
	size_t i;

	json_array_foreach(json_object_get(part, "lines"), i, line) {
		text = json_string_value(line);
		if (strncmp(text, "  ", 2) == 0 && text[2] != ' ')
			break;
		if (*text != '\0')
			put_line(f, text);
	}
}

bool
dump_trouble(const json_t *all)
{
	const json_t *part;
	bool trouble = false;
	size_t i;

	json_array_foreach(all, i, part)
		trouble |= number_of(part, "trouble", 1) != 0;
	return trouble;
}

void
dump_words(FILE *f, const json_t *all)
{
	const json_t *part;
	size_t i;

	json_array_foreach(all, i, part)
		write_words(f, part);
}

/*
 * The command line.
 */

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

/* The file is for its owner alone, since a dump has addresses. */
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
