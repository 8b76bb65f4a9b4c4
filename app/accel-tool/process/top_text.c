/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Prints a sample of top as text: a line for the process, a line for each device, a table of queue
 * pairs, and a table of VFs if a device is a physical function. If there is too little room, the
 * least important columns are left out first, then the least busy queue pairs and the VFs without
 * trouble. A string of the other process reaches the terminal as printable ASCII only.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/tool.h"
#include "top.h"

#define LINE_MAX_BYTES 1024
/* A line has no room for more error counters of a device. */
#define MAX_ERRORS_SHOWN 6

/* Holds a line that grows. What does not fit is left out. */
struct line {
	char text[LINE_MAX_BYTES];
	size_t used;
};

__attribute__((format(printf, 2, 3)))
static void
add(struct line *line, const char *format, ...)
{
	size_t room = sizeof(line->text) - line->used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line->text + line->used, room, format, args);
	va_end(args);
	if (n > 0)
		line->used += (size_t)n < room ? (size_t)n : room - 1;
}

/* Prints a line within the width, and keeps count of the rows. */
static void
put_line(FILE *out, const struct line *line, const struct top_size *size, unsigned int *rows)
{
	size_t n = line->used;

	if (size->rows != 0 && *rows >= size->rows)
		return;
	if (size->columns != 0 && n > size->columns)
		n = size->columns;
	for (size_t i = 0; i < n; i++)
		fputc(line->text[i] >= ' ' && line->text[i] < 0x7f ? line->text[i] : '?', out);
	fputs(size->line_end, out);
	(*rows)++;
}

/* ---------------------------------------------------------------- values */

/* Returns the number at "key" or "object/key", or NAN if there is none. */
static double
number(json_t *from, const char *object, const char *key)
{
	json_t *value = json_object_get(object != NULL ? json_object_get(from, object) : from, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Returns the string at a key, or "-". */
static const char *
string(json_t *from, const char *key)
{
	const char *text = json_string_value(json_object_get(from, key));

	return text != NULL ? text : "-";
}

/* Writes a count with at most 6 characters: 12345, 123.4k, 12.34M. */
static void
print_count(char *to, size_t size, double value)
{
	static const char units[] = " kMGTPE";
	size_t unit = 0;

	if (!isfinite(value)) {
		snprintf(to, size, "-");
		return;
	}
	if (value < 99999.5) {
		snprintf(to, size, "%.0f", value);
		return;
	}
	while (value >= 999.95 && unit < sizeof(units) - 2) {
		value /= 1000;
		unit++;
	}
	snprintf(to, size, "%.*f%c", value < 99.995 ? 2 : 1, value, units[unit]);
}

static void
print_fixed(char *to, size_t size, double value, int digits)
{
	if (isfinite(value))
		snprintf(to, size, "%.*f", value >= 1000 ? 0 : digits, value);
	else
		snprintf(to, size, "-");
}

/* ---------------------------------------------------------------- columns */

/* Says what a column shows of a queue pair or a VF. */
enum kind {
	TEXT, /* a string */
	COUNT, /* a number */
	RATE, /* a number of the row's "rates", as a count */
	MEAN, /* a number of the row's "rates", with one digit after the point */
	PERCENT, /* a fraction of the row's "rates", in percent */
	FILL, /* a number of the queue pair in percent of another number */
	MICROSECONDS, /* nanoseconds of the row's "latency", if it is measured */
	SHARE, /* a number of the share of a VF */
	LIMIT, /* a number of the share; 0 means no limit */
	EFFECT, /* whether the share is in effect */
};

/* Describes a column of a table. */
struct column {
	const char *title;
	int width;
	int drop; /* columns with the largest number are left out first; 0: never */
	enum kind kind;
	const char *key;
	const char *whole; /* with FILL, the key of the number that is 100 percent */
};

static const struct column columns[] = {
	{ "DEV", 3, 0, COUNT, "dev_id", NULL },
	{ "QP", 4, 0, COUNT, "qp", NULL },
	{ "MODE", 7, 2, TEXT, "mode", NULL },
	{ "OPS/S", 7, 0, RATE, "dequeued", NULL },
	{ "ENQ/S", 7, 7, RATE, "enqueued", NULL },
	{ "ERR/S", 6, 1, RATE, "dequeue_errors", NULL },
	{ "REF/S", 6, 4, RATE, "enqueue_errors", NULL },
	{ "INFLT", 5, 1, COUNT, "in_flight", NULL },
	{ "MAX", 5, 5, COUNT, "in_flight_max", NULL },
	{ "DEPTH", 5, 5, COUNT, "depth", NULL },
	{ "TX%", 4, 3, FILL, "tx_used", "tx_size" },
	{ "RX%", 4, 3, FILL, "rx_used", "rx_size" },
	{ "B/ENQ", 5, 6, MEAN, "enqueue_burst", NULL },
	{ "B/DEQ", 5, 6, MEAN, "dequeue_burst", NULL },
	{ "EMPTY%", 6, 6, PERCENT, "empty_poll_share", NULL },
	{ "FULL/S", 6, 3, RATE, "waits", NULL },
	{ "P50us", 7, 3, MICROSECONDS, "p50", NULL },
	{ "P99us", 7, 4, MICROSECONDS, "p99", NULL },
	{ "P99.9us", 7, 9, MICROSECONDS, "p99_9", NULL },
	{ "FAIL", 4, 1, COUNT, "failures", NULL },
	{ "RST", 4, 4, COUNT, "resets", NULL },
};

static const struct column vf_columns[] = {
	{ "DEV", 3, 0, COUNT, "dev_id", NULL },
	{ "VF", 4, 0, COUNT, "vf", NULL },
	{ "STATE", 9, 0, TEXT, "state", NULL },
	{ "FATAL", 5, 2, COUNT, "fatal_code", NULL },
	{ "QPS", 5, 1, COUNT, "queue_pairs", NULL },
	{ "GIVEN", 5, 3, SHARE, "queue_pairs", NULL },
	{ "WEIGHT", 6, 1, SHARE, "weight", NULL },
	{ "MAX OPS/S", 9, 2, LIMIT, "ops_per_second", NULL },
	{ "MAX B/S", 7, 2, LIMIT, "bytes_per_second", NULL },
	{ "IN EFFECT", 9, 4, EFFECT, "in_effect", NULL },
};

#define NB_COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define NB_VF_COLUMNS (sizeof(vf_columns) / sizeof(vf_columns[0]))
#define NEVER_DROPPED 0

/* Describes a table of queue pairs or VFs. */
struct table {
	const char *key; /* key of the rows in a device */
	const char *what; /* what a row is, and which rows are shown if not all fit */
	const struct column *columns;
	size_t nb_columns; /* at most NB_COLUMNS */
	const char *remark; /* title of the last column, which is as wide as its text */
	bool (*has_remark)(json_t *row);
	void (*add_remark)(struct line *line, json_t *row);
	int (*compare)(const void *a, const void *b);

	bool shown[NB_COLUMNS];
	bool remarks; /* a row has a remark */
	unsigned int width;
	json_t **rows;
	size_t nb_rows;
};

static void
print_cell(const struct column *column, json_t *qp, char *to, size_t size)
{
	double value;

	switch (column->kind) {
	case TEXT:
		snprintf(to, size, "%.*s", column->width, string(qp, column->key));
		break;
	case COUNT:
		print_count(to, size, number(qp, NULL, column->key));
		break;
	case RATE:
		print_count(to, size, number(qp, "rates", column->key));
		break;
	case MEAN:
		print_fixed(to, size, number(qp, "rates", column->key), 1);
		break;
	case PERCENT:
		print_fixed(to, size, 100 * number(qp, "rates", column->key), 0);
		break;
	case FILL:
		print_fixed(to, size, 100 * number(qp, NULL, column->key) /
			    number(qp, NULL, column->whole), 0);
		break;
	case MICROSECONDS:
		print_fixed(to, size, number(qp, "latency", column->key) / 1000, 1);
		break;
	case SHARE:
		print_count(to, size, number(qp, "share", column->key));
		break;
	case LIMIT:
		value = number(qp, "share", column->key);
		print_count(to, size, value > 0 ? value : NAN);
		break;
	case EFFECT:
		value = number(qp, "share", column->key);
		snprintf(to, size, "%s", !isfinite(value) ? "-" : value > 0 ? "yes" : "no");
		break;
	}
}

static bool
has_failed(json_t *qp)
{
	return number(qp, NULL, "failures") > 0;
}

/* Adds why and when the queue pair failed last, if it ever failed. */
static void
add_failure(struct line *line, json_t *qp)
{
	json_t *failure = json_object_get(qp, "last_failure");
	double ago = number(failure, NULL, "ago_us") / 1e6;

	if (json_string_value(json_object_get(failure, "reason")) == NULL || !has_failed(qp))
		return;
	add(line, "  %s", string(failure, "reason"));
	if (isfinite(ago))
		add(line, ", %.*f s ago", ago < 100 ? 1 : 0, ago);
}

static bool
is_asking(json_t *vf)
{
	return json_is_object(json_object_get(vf, "asks_for"));
}

/* Adds the share that the VF asks for, if it asks for one. Only what the request names is added. */
static void
add_wish(struct line *line, json_t *vf)
{
	static const char *const keys[] = {
		"queue_pairs", "weight", "ops_per_second", "bytes_per_second",
	};
	static const char *const names[] = { "queue pairs", "weight", "ops/s", "B/s" };
	const char *separator = "  ";
	char text[32];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		double wish = number(vf, "asks_for", keys[i]);

		if (!(wish > 0))
			continue;
		print_count(text, sizeof(text), wish);
		add(line, "%s%s %s", separator, names[i], text);
		separator = ", ";
	}
	if (is_asking(vf) && separator[0] == ' ')
		add(line, "  other algorithms");
}

/* True if a queue pair measures its latency. */
static bool
latency_is_on(json_t *qp)
{
	json_t *on = json_object_get(json_object_get(qp, "latency"), "on");

	return json_is_true(on) || json_integer_value(on) != 0;
}

static void
choose_columns(struct table *table, unsigned int width)
{
	const struct column *of = table->columns;
	bool latency = false;
	int drop = 0;

	for (size_t i = 0; i < table->nb_rows; i++) {
		latency |= latency_is_on(table->rows[i]);
		table->remarks |= table->has_remark(table->rows[i]);
	}
	table->width = 0;
	for (size_t i = 0; i < table->nb_columns; i++) {
		table->shown[i] = of[i].kind != MICROSECONDS || latency;
		if (table->shown[i]) {
			table->width += (unsigned int)of[i].width + 1;
			drop = of[i].drop > drop ? of[i].drop : drop;
		}
	}
	for (; width != 0 && table->width > width + 1 && drop > NEVER_DROPPED; drop--) {
		for (size_t i = 0; i < table->nb_columns; i++) {
			if (table->shown[i] && of[i].drop == drop) {
				table->shown[i] = false;
				table->width -= (unsigned int)of[i].width + 1;
			}
		}
	}
}

static void
add_cell(struct line *line, const struct column *column, const char *text)
{
	if (column->kind == TEXT)
		add(line, "%s%-*s", line->used > 0 ? " " : "", column->width, text);
	else
		add(line, "%s%*s", line->used > 0 ? " " : "", column->width, text);
}

static void
add_title(struct line *line, const struct table *table)
{
	for (size_t i = 0; i < table->nb_columns; i++) {
		if (table->shown[i])
			add_cell(line, &table->columns[i], table->columns[i].title);
	}
	if (table->remarks)
		add(line, "  %s", table->remark);
}

static void
add_row(struct line *line, const struct table *table, json_t *row)
{
	char cell[64];

	for (size_t i = 0; i < table->nb_columns; i++) {
		if (table->shown[i]) {
			print_cell(&table->columns[i], row, cell, sizeof(cell));
			add_cell(line, &table->columns[i], cell);
		}
	}
	if (table->remarks)
		table->add_remark(line, row);
}

/* ---------------------------------------------------------------- rows */

/* Collects the rows of all devices. If there is no memory, the table has no rows. */
static void
collect_rows(struct table *table, const struct top_sample *sample)
{
	json_t *device, *row;
	size_t i, k, n = 0;

	json_array_foreach(sample->devices, i, device)
		n += json_array_size(json_object_get(device, table->key));
	table->rows = calloc(n + 1, sizeof(*table->rows));
	table->nb_rows = 0;
	if (table->rows == NULL)
		return;
	json_array_foreach(sample->devices, i, device) {
		json_array_foreach(json_object_get(device, table->key), k, row)
			table->rows[table->nb_rows++] = row;
	}
}

static int
compare_busy(const void *a, const void *b)
{
	double x = number(*(json_t *const *)a, "rates", "dequeued");
	double y = number(*(json_t *const *)b, "rates", "dequeued");

	x = isfinite(x) ? x : 0;
	y = isfinite(y) ? y : 0;
	return x < y ? 1 : x > y ? -1 : 0;
}

/* Returns the rank of a VF. VFs in trouble are shown first. */
static int
rank_of(json_t *vf)
{
	static const char *const states[] = { "fatal", "resetting", "booting", "unknown", "ready" };
	const char *state = string(vf, "state");
	int rank = 0;

	while (rank < 5 && strcmp(state, states[rank]) != 0)
		rank++;
	return rank > 0 && is_asking(vf) ? 1 : rank;
}

static int
compare_trouble(const void *a, const void *b)
{
	json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
	double less = number(x, NULL, "vf") - number(y, NULL, "vf");

	if (rank_of(x) != rank_of(y))
		return rank_of(x) - rank_of(y);
	return less < 0 ? -1 : less > 0 ? 1 : 0;
}

/* Prints a table up to a row of the screen. If end is 0, all of the table is printed. */
static void
put_table(FILE *out, struct table *table, const struct top_size *size, unsigned int *rows,
	  unsigned int end)
{
	struct line line = { .used = 0 };
	size_t shown = table->nb_rows;

	choose_columns(table, size->columns);
	add_title(&line, table);
	put_line(out, &line, size, rows);
	if (end != 0 && *rows + shown > end) {
		/* One row says how many are not shown. */
		shown = end > *rows + 1 ? end - *rows - 1 : 0;
		qsort(table->rows, table->nb_rows, sizeof(*table->rows), table->compare);
	}
	for (size_t i = 0; i < shown; i++) {
		line.used = 0;
		add_row(&line, table, table->rows[i]);
		put_line(out, &line, size, rows);
	}
	if (shown < table->nb_rows) {
		line.used = 0;
		add(&line, "... %zu of %zu %s", shown, table->nb_rows, table->what);
		put_line(out, &line, size, rows);
	}
}

/* Prints the queue pairs and the VFs. If the room is limited, VFs have at most a third of the
 * rows. */
static void
put_tables(FILE *out, const struct top_sample *sample, const struct top_size *size,
	   unsigned int *rows)
{
	struct table qps = {
		.key = "queue_pairs", .what = "queue pairs, the busiest first",
		.columns = columns, .nb_columns = NB_COLUMNS, .remark = "LAST FAILURE",
		.has_remark = has_failed, .add_remark = add_failure, .compare = compare_busy,
	};
	struct table vfs = {
		.key = "vfs", .what = "VFs, those in trouble first",
		.columns = vf_columns, .nb_columns = NB_VF_COLUMNS, .remark = "ASKS FOR",
		.has_remark = is_asking, .add_remark = add_wish, .compare = compare_trouble,
	};
	struct line line = { .used = 0 };
	size_t left = 0;

	collect_rows(&qps, sample);
	collect_rows(&vfs, sample);
	if (vfs.nb_rows > 0 && size->rows != 0)
		left = vfs.nb_rows + 1 < size->rows / 3 ? vfs.nb_rows + 1 : size->rows / 3;
	if (qps.nb_rows > 0) {
		put_table(out, &qps, size, rows, size->rows - (unsigned int)left);
	} else {
		add(&line, "no queue pair is set up");
		put_line(out, &line, size, rows);
	}
	if (vfs.nb_rows > 0)
		put_table(out, &vfs, size, rows, size->rows);
	free(qps.rows);
	free(vfs.rows);
}

/* ---------------------------------------------------------------- devices */

/* Describes an error counter that is not 0. */
struct error {
	const char *name;
	double count;
	double rate;
};

static int
compare_errors(const void *a, const void *b)
{
	const struct error *x = a, *y = b;

	if (x->rate != y->rate)
		return x->rate < y->rate ? 1 : -1;
	return x->count < y->count ? 1 : x->count > y->count ? -1 : 0;
}

/* Lists the errors of a device. */
struct errors {
	struct error list[64];
	size_t n;
};

/* Adds the counters of an object and of the objects in it, if they are not 0. */
static void
collect_errors(struct errors *errors, json_t *counts, json_t *rates)
{
	const char *name;
	json_t *value;

	json_object_foreach(counts, name, value) {
		double rate = number(rates, NULL, name);

		if (json_is_object(value)) {
			collect_errors(errors, value, json_object_get(rates, name));
		} else if (json_integer_value(value) > 0 &&
			   errors->n < sizeof(errors->list) / sizeof(errors->list[0])) {
			errors->list[errors->n].name = name;
			errors->list[errors->n].count = json_number_value(value);
			errors->list[errors->n++].rate = isfinite(rate) ? rate : 0;
		}
	}
}

/* Prints the errors of a device, the fastest first. */
static void
put_errors(FILE *out, json_t *entry, const struct top_size *size, unsigned int *rows)
{
	struct line line = { .used = 0 };
	struct errors errors = { .n = 0 };
	char count[32], rate[32];

	collect_errors(&errors, json_object_get(entry, "errors"),
		       json_object_get(json_object_get(entry, "rates"), "errors"));
	if (errors.n == 0)
		return;
	qsort(errors.list, errors.n, sizeof(errors.list[0]), compare_errors);
	add(&line, "  errors: ");
	for (size_t i = 0; i < errors.n && i < MAX_ERRORS_SHOWN; i++) {
		print_count(count, sizeof(count), errors.list[i].count);
		print_count(rate, sizeof(rate), errors.list[i].rate);
		add(&line, "%s%s %s (%s/s)", i > 0 ? ", " : "", errors.list[i].name, count, rate);
	}
	if (errors.n > MAX_ERRORS_SHOWN)
		add(&line, ", %zu more", errors.n - MAX_ERRORS_SHOWN);
	put_line(out, &line, size, rows);
}

/* Adds what a VF was given, if the PF has set it. */
static void
add_share(struct line *line, json_t *device)
{
	json_t *share = json_object_get(device, "share");
	double ops = number(share, NULL, "ops_per_second");
	double bytes = number(share, NULL, "bytes_per_second");
	char text[32];

	if (!(number(share, NULL, "is_set") > 0))
		return;
	add(line, ", share: %.0f queue pairs, weight %.0f", number(share, NULL, "queue_pairs"),
	    number(share, NULL, "weight"));
	if (ops > 0) {
		print_count(text, sizeof(text), ops);
		add(line, ", %s ops/s", text);
	}
	if (bytes > 0) {
		print_count(text, sizeof(text), bytes);
		add(line, ", %sB/s", text);
	}
}

/* Prints what the card's own counters say, if they have changed. */
static void
put_card(FILE *out, json_t *entry, const struct top_size *size, unsigned int *rows)
{
	static const struct {
		const char *key, *what;
		double factor;
		int digits;
	} parts[] = {
		{ "engines_busy", "engines busy", 1, 2 },
		{ "card_latency_ns", "us from doorbell to response", 1e-3, 1 },
		{ "ops_per_writeback", "ops per write-back", 1, 1 },
		{ "context_hit_share", "% of sessions in its cache", 100, 1 },
	};
	struct line line = { .used = 0 };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		double value = parts[i].factor * number(entry, "rates", parts[i].key);

		if (!isfinite(value))
			continue;
		add(&line, "%s%.*f %s", line.used == 0 ? "  card: " : ", ", parts[i].digits, value,
		    parts[i].what);
	}
	if (line.used > 0)
		put_line(out, &line, size, rows);
}

/* Adds sensors and sessions, if the device has them. */
static void
add_health(struct line *line, json_t *entry)
{
	json_t *health = json_object_get(json_object_get(entry, "device"), "health");
	double temperature = number(health, NULL, "temperature");
	double power = number(health, NULL, "power");
	double sessions = number(entry, "sessions", "alive");

	if (isfinite(temperature))
		add(line, ", %.1f C", temperature / 10);
	if (isfinite(power))
		add(line, ", %.1f W", power / 1000);
	if (isfinite(sessions))
		add(line, ", %.0f sessions", sessions);
}

static void
put_device(FILE *out, json_t *entry, const struct top_size *size, unsigned int *rows)
{
	json_t *device = json_object_get(entry, "device");
	double heartbeat = number(device, NULL, "heartbeat_age_us") / 1000;
	struct line line = { .used = 0 };
	char ops[32], errors[32];

	print_count(ops, sizeof(ops), number(entry, "rates", "dequeued"));
	print_count(errors, sizeof(errors), number(entry, "rates", "dequeue_errors"));
	add(&line, "%s: %s, %s, %s ops/s, %s errors/s", string(device, "name"),
	    string(device, "transport"), string(device, "state"), ops, errors);
	if (isfinite(heartbeat))
		add(&line, ", heartbeat %.0f ms ago", heartbeat);
	add_health(&line, entry);
	add_share(&line, device);
	put_line(out, &line, size, rows);
	put_card(out, entry, size, rows);
	put_errors(out, entry, size, rows);
}

/* Prints the devices. If rows are limited, devices have at most half of them. */
static void
put_devices(FILE *out, const struct top_sample *sample, const struct top_size *size,
	    unsigned int *rows)
{
	struct line line = { .used = 0 };
	json_t *device;
	size_t i;

	json_array_foreach(sample->devices, i, device) {
		if (size->rows != 0 && *rows >= size->rows / 2) {
			add(&line, "... %zu of %zu devices", i, json_array_size(sample->devices));
			put_line(out, &line, size, rows);
			return;
		}
		put_device(out, device, size, rows);
	}
}

void
top_text(FILE *out, const struct telemetry *t, const struct top_sample *sample,
	 const struct top_size *size)
{
	struct line line = { .used = 0 };
	unsigned int rows = 0;
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm) != NULL)
		line.used = strftime(line.text, sizeof(line.text), "%Y-%m-%d %H:%M:%S", &tm);
	add(&line, "  process %d, %s", t->pid, t->version);
	if (sample->seconds > 0)
		add(&line, ", rates of %.2f s", sample->seconds);
	put_line(out, &line, size, &rows);
	put_devices(out, sample, size, &rows);
	put_tables(out, sample, size, &rows);
}
