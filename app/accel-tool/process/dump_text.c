/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Gets and writes dumps of the devices of a running process. See dump_text.h. The driver in that
 * process writes the text (rte_pmd_accel_dump(), and the command /cryptodev/accel/dump of
 * telemetry). The other end may be any program, so its answers are checked, and no control
 * character is printed.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "dump_text.h"

#define COMMAND "/cryptodev/accel/dump"
#define PAGES_MAX 1000
#define TRIES 5u /* another client's dump may replace the dump before it was read */

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

/* Gets the other pages of a dump, and adds their lines to its first page. */
static int
ask_rest(struct telemetry *t, const char *what, json_t *first)
{
	const int pages = number_of(first, "pages", PAGES_MAX);
	const int number = number_of(first, "number", INT32_MAX);
	json_t *lines = json_array(), *next;
	int page, ret;

	ret = lines != NULL && pages > 0 && number >= 0 ? take_lines(lines, first) : -EPROTO;
	if (pages > 1 && strchr(what, ',') == NULL)
		ret = -EPROTO; /* only the dump of a queue pair has several pages */
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
		if (ret != 0 && ret != -ENODEV) /* the queue pair may have gone meanwhile */
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

/* The functions below write dumps. */

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

/* Writes the title of a part and its sentences. They are the lines before the first heading, and a
 * heading has an indent of two. */
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
