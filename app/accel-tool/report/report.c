/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes the report of a run (report.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <rte_version.h>

#include "base/output.h"
#include "report.h"

#define DPDK "DPDK "
#define PLACE "\n@DATA@\n"

/* Returns the list `name` of an object, and makes it if the object has none. Returns NULL if there
 * is no memory. */
static json_t *
list_of(json_t *object, const char *name)
{
	json_t *list = json_object_get(object, name);

	if (list != NULL)
		return list;
	if (json_object_set_new(object, name, json_array()) != 0)
		return NULL;
	return json_object_get(object, name);
}

/* Returns the object `name` in an object, and makes it if there is none. Returns NULL if there is
 * no memory. */
static json_t *
object_of(json_t *object, const char *name)
{
	json_t *found = json_object_get(object, name);

	if (found != NULL)
		return found;
	if (json_object_set_new(object, name, json_object()) != 0)
		return NULL;
	return json_object_get(object, name);
}

/* Returns a JSON string. Bytes that are not UTF-8 become question marks, because jansson would
 * refuse the text. */
static json_t *
text_of(const char *text)
{
	json_t *found = json_string(text);
	char *copy, *at;

	if (found != NULL)
		return found;
	copy = strdup(text);
	if (copy == NULL)
		return NULL;
	for (at = copy; *at != '\0'; at++) {
		if ((unsigned char)*at >= 0x80)
			*at = '?';
	}
	found = json_string(copy);
	free(copy);
	return found;
}

/* Appends a value to a list and takes over the reference to the value. Either may be NULL. */
static int
append(json_t *list, json_t *value)
{
	if (list == NULL) {
		json_decref(value);
		return -ENOMEM;
	}
	return json_array_append_new(list, value) == 0 ? 0 : -ENOMEM;
}

static int
append_pair(json_t *list, const char *name, json_t *value, const char *unit)
{
	json_t *pair = json_array();
	int ret = append(pair, text_of(name));

	if (ret != 0)
		json_decref(value);
	else
		ret = append(pair, value);
	if (ret == 0 && unit != NULL)
		ret = append(pair, text_of(unit));
	if (ret != 0) {
		json_decref(pair);
		return ret;
	}
	return append(list, pair);
}

int
report_fact(json_t *report, const char *list, const char *name, const char *text)
{
	return append_pair(list_of(report, list), name, text_of(text), NULL);
}

int
report_summary(json_t *report, const char *name, json_t *value, const char *unit)
{
	return append_pair(list_of(report, "summary"), name, value, unit);
}

int
report_note(json_t *report, const char *text)
{
	return append(list_of(report, "notes"), text_of(text));
}

int
report_verdict(json_t *report, bool good, const char *text)
{
	json_t *verdict = object_of(report, "verdict");

	if (verdict == NULL || json_object_set_new(verdict, "good", json_boolean(good)) != 0 ||
	    json_object_set_new(verdict, "text", text_of(text)) != 0)
		return -ENOMEM;
	return 0;
}

/* Adds a fact from a file: what follows `key` in the first line that has it, without the characters
 * `trim` at its ends. */
static int
fact_of_file(json_t *report, const char *list, const char *name, const char *path, const char *key,
	     const char *trim)
{
	char line[512], *value = NULL;
	FILE *file = fopen(path, "r");

	while (file != NULL && value == NULL && fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, key, strlen(key)) == 0)
			value = line + strlen(key);
	}
	if (file != NULL)
		fclose(file);
	if (value == NULL)
		return report_fact(report, list, name, "unknown");
	value += strspn(value, trim);
	while (*value != '\0' && strchr(trim, value[strlen(value) - 1]) != NULL)
		value[strlen(value) - 1] = '\0';
	return report_fact(report, list, name, value);
}

static int
describe(json_t *report)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const char *dpdk = rte_version();
	struct utsname kernel;
	int ret = fact_of_file(report, "machine", "CPU", "/proc/cpuinfo", "model name", " \t:\n");

	if (ret == 0)
		ret = append_pair(list_of(report, "machine"), "CPUs", json_integer(cpus), NULL);
	if (ret == 0)
		ret = fact_of_file(report, "versions", "system", "/etc/os-release", "PRETTY_NAME=",
				   "\"\n");
	if (ret == 0)
		ret = report_fact(report, "versions", "kernel",
				  uname(&kernel) == 0 ? kernel.release : "unknown");
	if (strncmp(dpdk, DPDK, strlen(DPDK)) == 0)
		dpdk += strlen(DPDK);
	if (ret == 0)
		ret = report_fact(report, "versions", "DPDK", dpdk);
#ifdef TOOL_VERSION
	if (ret == 0)
		ret = report_fact(report, "versions", "crypto_accel", TOOL_VERSION);
#endif
	return ret;
}

/* Writes a word of a command line as a shell takes it. Returns the length; `to` may be NULL. */
static size_t
quote(char *to, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789@%+=:,./-_";
	const size_t len = strlen(word);
	size_t n = 0, i;

	if (len > 0 && strspn(word, plain) == len) {
		if (to != NULL)
			memcpy(to, word, len);
		return len;
	}
	if (to != NULL)
		to[n] = '\'';
	n++;
	for (i = 0; i < len; i++) {
		const char *piece = word[i] == '\'' ? "'\\''" : NULL;

		if (to != NULL && piece != NULL)
			memcpy(to + n, piece, 4);
		else if (to != NULL)
			to[n] = word[i];
		n += piece != NULL ? 4 : 1;
	}
	if (to != NULL)
		to[n] = '\'';
	return n + 1;
}

static int
add_command(json_t *report, int argc, char *const *argv)
{
	size_t len = 0, at = 0;
	char *text;
	int i, ret;

	for (i = 0; i < argc; i++)
		len += quote(NULL, argv[i]) + 1;
	text = malloc(len + 1);
	if (text == NULL)
		return -ENOMEM;
	for (i = 0; i < argc; i++) {
		at += quote(text + at, argv[i]);
		text[at++] = ' ';
	}
	text[at > 0 ? at - 1 : 0] = '\0';
	ret = append(list_of(report, "commands"), text_of(text));
	free(text);
	return ret;
}

json_t *
report_begin(const char *title, int argc, char *const *argv)
{
	json_t *report = json_object();
	const time_t now = time(NULL);
	char date[32] = "unknown";
	struct tm utc;

	if (gmtime_r(&now, &utc) != NULL)
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &utc);
	if (report == NULL ||
	    json_object_set_new(report, "schema", json_integer(REPORT_SCHEMA)) != 0 ||
	    json_object_set_new(report, "title", text_of(title)) != 0 ||
	    json_object_set_new(report, "program", json_string("dpdk-accel-tool")) != 0 ||
	    json_object_set_new(report, "date", json_string(date)) != 0 || describe(report) != 0 ||
	    add_command(report, argc, argv) != 0) {
		json_decref(report);
		return NULL;
	}
	return report;
}

static bool
is_text(const json_t *object, const char *name, const char *text)
{
	const char *value = json_string_value(json_object_get(object, name));

	return value != NULL && strcmp(value, text) == 0;
}

int
report_throughput(json_t *report, const char *device, const char *algorithm, unsigned int size,
		  double mops, double gbps)
{
	json_t *figure = object_of(report, "throughput"), *all, *series = NULL, *one;
	size_t i;

	if (figure == NULL)
		return -ENOMEM;
	all = list_of(figure, "series");
	json_array_foreach(all, i, one) {
		if (is_text(one, "device", device) && is_text(one, "algorithm", algorithm))
			series = one;
	}
	if (series == NULL) {
		series = json_pack("{s:o, s:o}", "device", text_of(device), "algorithm",
				   text_of(algorithm));
		if (append(all, series) != 0)
			return -ENOMEM;
	}
	return append(list_of(series, "points"),
		      json_pack("{s:I, s:f, s:f}", "size", (json_int_t)size, "mops", mops, "gbps",
				gbps));
}

/* Returns the figure of latencies with its unit, or NULL. */
static json_t *
latency_of(json_t *report)
{
	json_t *figure = object_of(report, "latency");

	if (figure == NULL || list_of(figure, "series") == NULL ||
	    json_object_set_new(figure, "unit", json_string("ns")) != 0)
		return NULL;
	return figure;
}

static int
add_numbers(json_t *object, const char *name, const uint64_t *values, unsigned int nb)
{
	json_t *list = list_of(object, name);
	unsigned int i;
	int ret = list != NULL ? 0 : -ENOMEM;

	for (i = 0; ret == 0 && i < nb; i++)
		ret = append(list, json_integer((json_int_t)values[i]));
	return ret;
}

int
report_latency(json_t *report, const struct report_histogram *h)
{
	json_t *figure = latency_of(report), *series;

	if (figure == NULL)
		return -ENOMEM;
	series = json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}", "name", text_of(h->name), "count",
			   (json_int_t)h->count, "p50", (json_int_t)h->p50, "p99",
			   (json_int_t)h->p99, "p99_9", (json_int_t)h->p99_9, "max",
			   (json_int_t)h->max);
	if (series == NULL || add_numbers(series, "bounds", h->bounds, h->nb_bounds) != 0 ||
	    add_numbers(series, "counts", h->counts, h->nb_counts) != 0) {
		json_decref(series);
		return -ENOMEM;
	}
	return append(list_of(figure, "series"), series);
}

int
report_latency_mark(json_t *report, const char *name, double ns)
{
	json_t *figure = latency_of(report);

	return figure == NULL ? -ENOMEM : append(list_of(figure, "marks"),
		json_pack("{s:o, s:f}", "name", text_of(name), "value", ns));
}

int
report_stage(json_t *report, const char *name, const char *who, double ns, bool aside)
{
	json_t *figure = object_of(report, "stages");

	if (figure == NULL || json_object_set_new(figure, "unit", json_string("ns")) != 0)
		return -ENOMEM;
	return append(list_of(figure, "stages"),
		      json_pack("{s:o, s:o, s:f, s:b}", "name", text_of(name), "who", text_of(who),
				"mean", ns, "aside", aside ? 1 : 0));
}

/* Writes the data of the page, with "<" escaped, so that no text can end the HTML element that
 * holds the data. In JSON "<" stands in texts only. */
static void
put_data(FILE *file, const char *data)
{
	for (; *data != '\0'; data++) {
		if (*data == '<')
			fputs("\\u003c", file);
		else
			putc(*data, file);
	}
}

int
report_write(const char *path, const json_t *report)
{
	const char *place = strstr(report_template, PLACE);
	const size_t before = place != NULL ? (size_t)(place - report_template) : 0;
	const size_t after = before + strlen(PLACE);
	struct output output;
	char *data;
	int ret;

	data = json_dumps(report, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6));
	if (data == NULL || place == NULL) {
		free(data);
		return -ERANGE;
	}
	ret = output_begin(&output, path, false);
	if (ret == 0) {
		fwrite(report_template, 1, before, output.file);
		putc('\n', output.file);
		put_data(output.file, data);
		putc('\n', output.file);
		fwrite(report_template + after, 1, report_template_len - after, output.file);
		ret = output_end(&output);
	}
	free(data);
	return ret;
}
