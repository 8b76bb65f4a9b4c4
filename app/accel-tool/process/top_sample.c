/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Asks a process for the sample that top shows, and computes what changed between two samples.
 * doc/guides/accel-telemetry.rst has the commands and fields.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "top.h"

/* rte_cryptodev counts queue pairs in 16 bits. */
#define MAX_QUEUE_PAIRS 65535
/* rte_cryptodev counts devices in 8 bits. */
#define MAX_DEVICES 256
/* The most VFs that a card can have. */
#define MAX_VFS 256

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Asks for an object of a device, or of its queue pair or VF with the number part, if part is not
 * negative. *answer is NULL if there is no such object. The driver then answers {"error": ...}. */
static int
ask_object(struct telemetry *t, const char *what, int dev, int part, json_t **answer)
{
	char command[64], params[32];
	int ret;

	*answer = NULL;
	snprintf(command, sizeof(command), "/cryptodev/accel/%s", what);
	if (part >= 0)
		snprintf(params, sizeof(params), "%d,%d", dev, part);
	else
		snprintf(params, sizeof(params), "%d", dev);
	ret = telemetry_ask(t, command, params, answer);
	if (ret < 0 || (json_is_object(*answer) && json_object_get(*answer, "error") == NULL))
		return ret;
	ret = json_is_null(*answer) || json_is_object(*answer) ? 0 :
		telemetry_fail(t, -EPROTO, "process %d answers %s,%s with something that is no "
			       "object", t->pid, command, params);
	json_decref(*answer);
	*answer = NULL;
	return ret;
}

/* Asks for an object, and puts the answer into another object if there is an answer. */
static int
ask_into(struct telemetry *t, const char *what, int dev, int qp, json_t *into)
{
	json_t *answer;
	int ret;

	ret = ask_object(t, what, dev, qp, &answer);
	if (ret == 0 && answer != NULL && json_object_set_new(into, what, answer) != 0)
		return telemetry_fail(t, -ENOMEM, "no memory");
	return ret;
}

static int
append(struct telemetry *t, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) != 0)
		return telemetry_fail(t, -ENOMEM, "no memory");
	return 0;
}

static int
take_queue_pairs(struct telemetry *t, int dev, json_int_t count, json_t *array)
{
	json_t *qp;
	int ret;

	if (count < 0 || count > MAX_QUEUE_PAIRS)
		return telemetry_fail(t, -EPROTO, "process %d says that device %d has %lld queue "
				      "pairs", t->pid, dev, (long long)count);
	for (int i = 0; i < (int)count; i++) {
		ret = ask_object(t, "qp", dev, i, &qp);
		if (ret < 0)
			return ret;
		if (qp == NULL)
			continue; /* the queue pair is not set up */
		ret = append(t, array, qp);
		if (ret == 0)
			ret = ask_into(t, "latency", dev, i, qp);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* Takes the VFs of a PF. There are none if the driver does not know the command. A VF that has gone
 * meanwhile is left out. */
static int
take_vfs(struct telemetry *t, int dev, json_t *entry)
{
	json_t *answer, *number, *list, *array = json_array(), *vf;
	size_t i;
	int ret;

	if (json_object_set_new(entry, "vfs", array) != 0)
		return telemetry_fail(t, -ENOMEM, "no memory");
	ret = ask_object(t, "vfs", dev, -1, &answer);
	if (ret < 0 || answer == NULL)
		return ret;
	list = json_object_get(answer, "vfs");
	json_array_foreach(list, i, number) {
		json_int_t n = json_integer_value(number);

		vf = NULL;
		if (!json_is_integer(number) || n < 0 || n >= MAX_VFS || i >= MAX_VFS)
			ret = telemetry_fail(t, -EPROTO, "process %d lists a VF of device %d that "
					     "has no number", t->pid, dev);
		if (ret == 0)
			ret = ask_object(t, "vf", dev, (int)n, &vf);
		if (ret == 0 && vf != NULL)
			ret = append(t, array, vf);
		if (ret < 0)
			break;
	}
	json_decref(answer);
	return ret;
}

static int
take_device(struct telemetry *t, int dev, json_t *devices)
{
	json_t *device, *entry, *array;
	int ret;

	ret = ask_object(t, "device", dev, -1, &device);
	if (ret < 0 || device == NULL)
		return ret;
	array = json_array();
	entry = json_pack("{s:i, s:o, s:o}", "dev_id", dev, "device", device, "queue_pairs", array);
	ret = append(t, devices, entry);
	if (ret == 0)
		ret = ask_into(t, "errors", dev, -1, entry);
	if (ret == 0)
		ret = ask_into(t, "sessions", dev, -1, entry);
	if (ret == 0 && json_integer_value(json_object_get(device, "vfs")) > 0)
		ret = take_vfs(t, dev, entry);
	if (ret == 0)
		ret = take_queue_pairs(t, dev,
				       json_integer_value(json_object_get(device, "queue_pairs")),
				       array);
	return ret;
}

static int
take_devices(struct telemetry *t, json_t *list, json_t *devices)
{
	json_t *id;
	size_t i;
	int ret;

	if (json_array_size(list) == 0)
		return telemetry_fail(t, -ENODEV, "process %d (%s) has no device of crypto_accel",
				      t->pid, t->path);
	json_array_foreach(list, i, id) {
		json_int_t dev = json_integer_value(id);

		if (!json_is_integer(id) || dev < 0 || dev >= MAX_DEVICES)
			return telemetry_fail(t, -EPROTO, "process %d lists a device that has no "
					      "number", t->pid);
		ret = take_device(t, (int)dev, devices);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int
top_sample_take(struct telemetry *t, struct top_sample *sample)
{
	json_t *list = NULL;
	uint64_t begin = now_ns();
	int ret;

	sample->seconds = 0;
	sample->devices = json_array();
	ret = telemetry_ask(t, "/cryptodev/accel/list", NULL, &list);
	if (ret == 0)
		ret = take_devices(t, list, sample->devices);
	json_decref(list);
	sample->ns = begin + (now_ns() - begin) / 2;
	if (ret < 0)
		top_sample_free(sample);
	return ret;
}

void
top_sample_free(struct top_sample *sample)
{
	json_decref(sample->devices);
	sample->devices = NULL;
}

/* ---------------------------------------------------------------- rates */

/* Returns the growth of one counter, or NAN if there is no counter or nothing to compare it with.
 * The driver leaves out counters of errors and bursts that are still 0. So a counter that was not
 * there before has grown from 0. */
static double
growth(json_t *now, json_t *before, const char *key)
{
	json_t *a = json_object_get(now, key);
	json_int_t old = json_integer_value(json_object_get(before, key));

	if (!json_is_integer(a) || before == NULL)
		return NAN;
	if (json_integer_value(a) < old)
		return (double)json_integer_value(a);
	return (double)(json_integer_value(a) - old);
}

/* Adds a number if it is one. */
static void
set_number(json_t *rates, const char *key, double value)
{
	if (isfinite(value))
		json_object_set_new(rates, key, json_real(value));
}

/* Returns how much the number of bursts has grown. It is the sum of all numbers in the histogram
 * `key`. */
static double
growth_of_bursts(json_t *now, json_t *before, const char *key)
{
	json_t *a = json_object_get(now, key), *b = json_object_get(before, key);
	const char *size;
	json_t *value;
	double sum = 0;

	json_object_foreach(a, size, value) {
		(void)value;
		sum += growth(a, b, size);
	}
	return sum;
}

/* Lists the counters of a queue pair that are shown per second. */
static const char *const qp_counters[] = {
	"enqueued", "dequeued", "enqueue_errors", "dequeue_errors", "doorbells", "polls",
	"empty_polls", "waits",
};

static void
qp_rates(json_t *now, json_t *before, double seconds)
{
	json_t *rates = json_object();
	double enqueued = growth(now, before, "enqueued");
	double dequeued = growth(now, before, "dequeued");

	if (rates == NULL)
		return;
	for (size_t i = 0; i < sizeof(qp_counters) / sizeof(qp_counters[0]); i++)
		set_number(rates, qp_counters[i], growth(now, before, qp_counters[i]) / seconds);
	set_number(rates, "ops_per_doorbell", enqueued / growth(now, before, "doorbells"));
	set_number(rates, "empty_poll_share",
		   growth(now, before, "empty_polls") / growth(now, before, "polls"));
	set_number(rates, "enqueue_burst",
		   enqueued / growth_of_bursts(now, before, "enqueue_bursts"));
	set_number(rates, "dequeue_burst",
		   dequeued / growth_of_bursts(now, before, "dequeue_bursts"));
	json_object_set_new(now, "rates", rates);
}

/* Returns the element of an array whose number `key` is `number`, or NULL. */
static json_t *
find(json_t *array, const char *key, json_int_t number)
{
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element) {
		if (json_integer_value(json_object_get(element, key)) == number)
			return element;
	}
	return NULL;
}

/* Returns the rates of the errors, both in the groups "status", "refusals" and "descriptors" and
 * outside of these groups. */
static json_t *
error_rates(json_t *now, json_t *before, double seconds)
{
	json_t *rates = json_object(), *value;
	const char *name;

	json_object_foreach(now, name, value) {
		json_t *old = json_object_get(before, name);

		if (json_is_object(value))
			json_object_set_new(rates, name, error_rates(value, old, seconds));
		else
			set_number(rates, name, growth(now, before, name) / seconds);
	}
	return rates;
}

/* Adds the rates of the card's own counters, which count for the whole function. */
static void
card_rates(json_t *rates, json_t *now, json_t *before)
{
	double ops = growth(now, before, "ops");
	double hits = growth(now, before, "context_hits");

	set_number(rates, "ops_per_writeback", ops / growth(now, before, "writebacks"));
	set_number(rates, "engines_busy",
		   growth(now, before, "engine_busy_ns") / growth(now, before, "time_ns"));
	set_number(rates, "card_latency_ns", growth(now, before, "latency_ns_sum") /
		   growth(now, before, "latency_ops"));
	set_number(rates, "context_hit_share",
		   hits / (hits + growth(now, before, "context_misses")));
}

/* Returns the health of a device's entry, or NULL. */
static json_t *
health(json_t *entry)
{
	return json_object_get(json_object_get(entry, "device"), "health");
}

/* Adds the rates of all queue pairs of a device, and their sums to the device's own. */
static void
device_rates(json_t *now, json_t *before, double seconds)
{
	static const char *const sums[] = {
		"enqueued", "dequeued", "enqueue_errors", "dequeue_errors",
	};
	json_t *rates = json_object(), *qp;
	double sum[4] = { 0 };
	size_t i;

	json_array_foreach(json_object_get(now, "queue_pairs"), i, qp) {
		json_t *old = find(json_object_get(before, "queue_pairs"), "qp",
					 json_integer_value(json_object_get(qp, "qp")));

		qp_rates(qp, old, seconds);
		for (size_t k = 0; k < 4; k++)
			sum[k] += json_number_value(json_object_get(json_object_get(qp, "rates"),
								    sums[k]));
	}
	for (size_t k = 0; k < 4; k++)
		set_number(rates, sums[k], sum[k]);
	card_rates(rates, health(now), health(before));
	json_object_set_new(rates, "errors",
			    error_rates(json_object_get(now, "errors"),
					json_object_get(before, "errors"), seconds));
	json_object_set_new(now, "rates", rates);
}

void
top_rates(struct top_sample *now, const struct top_sample *before)
{
	json_t *device;
	size_t i;

	now->seconds = (double)(now->ns - before->ns) / 1e9;
	json_array_foreach(now->devices, i, device) {
		json_t *old = find(before->devices, "dev_id",
					 json_integer_value(json_object_get(device, "dev_id")));

		device_rates(device, old, now->seconds);
	}
}
