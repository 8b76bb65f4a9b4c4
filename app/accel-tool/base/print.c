/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Prints JSON, or tables of what is in it. See print.h.
 */
#include <stdio.h>
#include <string.h>

#include "print.h"
#include "tool.h"

#define CELL 96u
#define COLUMNS 16u
#define LINE 100u /* columns of the terminal; longer lists are broken into lines */

json_t *
tool_json_range(unsigned int min, unsigned int max, unsigned int increment)
{
	if (min == max)
		return json_integer(min);
	return json_pack("{s:i, s:i, s:i}", "min", (int)min, "max", (int)max, "increment",
			 (int)increment);
}

static void
cell(const json_t *v, char *to, size_t size)
{
	const json_t *step;

	to[0] = '\0';
	if (json_is_string(v))
		snprintf(to, size, "%s", json_string_value(v));
	else if (json_is_integer(v))
		snprintf(to, size, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
	else if (json_is_real(v))
		snprintf(to, size, "%.2f", json_real_value(v));
	else if (json_is_boolean(v))
		snprintf(to, size, "%s", json_is_true(v) ? "yes" : "no");
	else if (json_is_object(v) && (step = json_object_get(v, "increment")) != NULL)
		snprintf(to, size,
			 json_integer_value(step) > 1 ?
				 "%" JSON_INTEGER_FORMAT "-%" JSON_INTEGER_FORMAT
				 " by %" JSON_INTEGER_FORMAT :
				 "%" JSON_INTEGER_FORMAT "-%" JSON_INTEGER_FORMAT,
			 json_integer_value(json_object_get(v, "min")),
			 json_integer_value(json_object_get(v, "max")), json_integer_value(step));
	else
		snprintf(to, size, "-");
}

static void
title(const char *key, char *to, size_t size)
{
	char *point;
	size_t i;

	snprintf(to, size, "%s", key);
	for (i = 0; to[i] != '\0'; i++) {
		if (to[i] == '_')
			to[i] = ' ';
	}
	point = strstr(to, "p99 9 ");
	if (point != NULL)
		point[3] = '.';
}

/* Prints the table of an array of objects, with numbers to the right. */
static void
print_rows(const json_t *rows)
{
	const char *keys[COLUMNS];
	size_t width[COLUMNS], nb = 0, r, c, n;
	char text[CELL], name[CELL];
	bool left[COLUMNS];
	const char *key;
	json_t *v;

	json_object_foreach(json_array_get(rows, 0), key, v) {
		if (nb == COLUMNS)
			break;
		title(key, name, sizeof(name));
		width[nb] = strlen(name);
		left[nb] = json_is_string(v);
		keys[nb++] = key;
	}
	for (r = 0; r < json_array_size(rows); r++) {
		for (c = 0; c < nb; c++) {
			cell(json_object_get(json_array_get(rows, r), keys[c]), text, sizeof(text));
			n = strlen(text);
			width[c] = n > width[c] ? n : width[c];
		}
	}
	for (c = 0; c < nb; c++) {
		title(keys[c], name, sizeof(name));
		printf("  %*s", left[c] ? -(int)width[c] : (int)width[c], name);
	}
	printf("\n");
	for (r = 0; r < json_array_size(rows); r++) {
		for (c = 0; c < nb; c++) {
			cell(json_object_get(json_array_get(rows, r), keys[c]), text, sizeof(text));
			printf("  %*s", left[c] ? -(int)width[c] : (int)width[c], text);
		}
		printf("\n");
	}
}

/* Prints a key and a list of words after it, broken into lines. */
static void
print_list(const char *name, size_t width, const json_t *list)
{
	size_t i, at = width + 4, n;
	char text[CELL];

	printf("  %-*s ", (int)width + 1, name);
	for (i = 0; i < json_array_size(list); i++) {
		cell(json_array_get(list, i), text, sizeof(text));
		n = strlen(text) + 2;
		if (i != 0 && at + n > LINE) {
			printf(",\n  %-*s ", (int)width + 1, "");
			at = width + 4;
		} else if (i != 0) {
			printf(", ");
		}
		printf("%s", text);
		at += n;
	}
	printf("%s\n", json_array_size(list) == 0 ? "-" : "");
}

static bool
is_section(const json_t *v)
{
	return (json_is_object(v) && json_object_get(v, "increment") == NULL) ||
	       (json_is_array(v) && json_is_object(json_array_get(v, 0)));
}

static void
print_object(const json_t *o)
{
	char name[CELL], text[CELL * 4];
	size_t width = 0;
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)o, key, v) {
		if (!json_is_null(v) && !is_section(v) && strlen(key) > width)
			width = strlen(key);
	}
	json_object_foreach((json_t *)(uintptr_t)o, key, v) {
		title(key, name, sizeof(name) - 1);
		if (json_is_null(v) || is_section(v))
			continue;
		strcat(name, ":");
		if (json_is_array(v)) {
			print_list(name, width, v);
			continue;
		}
		cell(v, text, sizeof(text));
		printf("  %-*s %s\n", (int)width + 1, name, text);
	}
	json_object_foreach((json_t *)(uintptr_t)o, key, v) {
		if (!is_section(v))
			continue;
		title(key, name, sizeof(name));
		printf("\n%s\n", name);
		if (json_is_array(v))
			print_rows(v);
		else
			print_object(v);
	}
}

bool
tool_print(json_t *answer, bool json)
{
	FILE *out = tool_answer();
	bool good = answer != NULL;

	if (!good) {
		tool_error("no memory for the answer");
		return false;
	}
	if (json) {
		good = json_dumpf(answer, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0;
		good = fputc('\n', out) != EOF && good;
	} else {
		print_object(answer);
	}
	json_decref(answer);
	good = fflush(out) == 0 && good && !ferror(out);
	if (!good)
		tool_error("cannot write the answer to stdout");
	return good;
}
