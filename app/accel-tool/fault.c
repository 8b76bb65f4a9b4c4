/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * fault breaks an embedded device while operations flow, watches what comes back, and checks that
 * the traffic is right afterwards. Three phases send the same kind of operations: before, broken
 * and after. In the broken phase an operation may fail, but must not have a wrong result.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>

#include <rte_pmd_accel.h>
#include <rte_pmd_accel_embedded.h>

#include "base/print.h"
#include "commands.h"
#include "load/load.h"

#define SILENT_MS 20000u /* longer than the driver waits for a card */
#define TAIL 20u /* operations in a row without an error: the fault is over */

enum { KEY_INJECT = 1, KEY_OPERATIONS, KEY_TIME, KEY_ALGORITHMS, KEY_SEED };

static const struct tool_option options[] = {
	{ "inject", "FAULTS", "such as dead@100 or status:5@10/3+corrupt@50", KEY_INJECT },
	{ "operations", "N", "of each phase (20000)", KEY_OPERATIONS },
	{ "time", "SECONDS", "wait so long for the recovery (10)", KEY_TIME },
	{ "algorithms", "LIST", "aes-cbc,aes-cbc+sha1-hmac,... (all of the device)",
	  KEY_ALGORITHMS },
	{ "seed", "N", "of all random numbers (1)", KEY_SEED },
	{ NULL, NULL, NULL, 0 },
};

struct fault {
	struct load_conf conf;
	const char *inject;
	uint64_t operations;
	double seconds;
	struct load load;
	json_t *phases;
	bool driver_resets; /* this program had to reset the queue pair */
};

/* Holds the load's sums before a phase. They are subtracted from the sums after it. */
struct phase {
	uint64_t operations, failed, errors, begin;
};

static int
parse(struct tool_args *args, struct fault *f)
{
	const char *value;
	bool good = true;
	int key;

	f->conf = (struct load_conf){
		.seed = 1, .depth = 64, .burst = 16, .queue_pairs = 1, .sessions = 16, .reuse = 50,
	};
	f->operations = 20000;
	f->seconds = 10;
	while ((key = tool_next(args, &value)) != TOOL_END && good) {
		switch (key) {
		case KEY_INJECT:
			f->inject = value;
			break;
		case KEY_OPERATIONS:
			good = tool_number("operations", value, 100, 1000000000, &f->operations);
			break;
		case KEY_TIME:
			good = tool_real("time", value, 0.1, 3600, &f->seconds);
			break;
		case KEY_ALGORITHMS:
			good = load_parse_algorithms(&f->conf, value);
			break;
		case KEY_SEED:
			good = tool_number("seed", value, 0, UINT64_MAX, &f->conf.seed);
			break;
		default:
			good = false;
		}
	}
	if (!good)
		return TOOL_USAGE;
	if (f->inject == NULL || strcmp(f->inject, "none") == 0)
		return tool_usage("--inject says what to break, such as --inject dead@100");
	return TOOL_GOOD;
}

static struct phase
phase_begin(const struct load *l)
{
	return (struct phase){ l->operations, l->failed, load_errors(l), rte_get_timer_cycles() };
}

static void
phase_end(struct fault *f, const char *name, const struct phase *p)
{
	const struct load *l = &f->load;

	json_array_append_new(f->phases, json_pack("{s:s, s:I, s:I, s:I, s:f}", "phase", name,
		"operations", (json_int_t)(l->operations - p->operations), "failed",
		(json_int_t)(l->failed - p->failed), "wrong",
		(json_int_t)(load_errors(l) - p->errors), "milliseconds",
		(double)(rte_get_timer_cycles() - p->begin) * 1e3 / (double)rte_get_timer_hz()));
}

/* Sends `operations` more operations and takes all. Returns false if the device hangs or mixes up
 * operations. */
static bool
flow(struct fault *f, uint64_t operations)
{
	struct load *l = &f->load;
	const uint64_t end = l->sent + operations;
	enum load_turn turn;

	while (l->sent < end || load_in_flight(l) != 0) {
		turn = load_turn(l, l->sent < end);
		if (turn == LOAD_LOST || turn == LOAD_NO_MEMORY)
			return false;
		if (turn != LOAD_IDLE || load_silent_ms(l) < SILENT_MS)
			continue;
		snprintf(l->first, sizeof(l->first), "operations were lost: %u have not come back "
			 "for %u s", load_in_flight(l), SILENT_MS / 1000);
		return false;
	}
	return true;
}

/*
 * Sends until operations succeed again. The driver starts a failed queue pair by itself, unless the
 * devarg recover=off forbids it. Then this program resets the queue pair, as an application would.
 */
static bool
recover(struct fault *f)
{
	const uint64_t begin = e2e_waited_ms(),
		       end = begin + (uint64_t)(f->seconds * MS_PER_S);
	struct load *l = &f->load;
	struct rte_pmd_accel_info info;
	uint64_t failed;
	bool reset = false;

	do {
		failed = l->failed;
		if (!flow(f, TAIL))
			return false;
		if (l->failed == failed)
			return true;
		/* The driver has half of the time to recover by itself. */
		if (!reset && e2e_waited_ms() - begin > (end - begin) / 2 &&
				rte_pmd_accel_info_get(l->t.dev, &info) == 0 &&
				info.recovery.failed_queue_pairs != 0) {
			reset = f->driver_resets = true;
			rte_pmd_accel_qp_reset(l->t.dev, 0);
		}
		rte_delay_us_sleep(1000);
	} while (e2e_waited_ms() < end);
	snprintf(l->first, sizeof(l->first), "operations still fail %.1f s after the fault is gone",
		 f->seconds);
	return false;
}

static bool
phases(struct fault *f)
{
	struct load *l = &f->load;
	struct phase p = phase_begin(l);
	bool good;

	good = flow(f, f->operations);
	phase_end(f, "before", &p);
	if (!good || load_errors(l) != 0)
		return false;

	p = phase_begin(l);
	l->may_fail = true;
	rte_pmd_accel_fault(l->t.dev, f->inject);
	good = flow(f, f->operations);
	phase_end(f, "broken", &p);
	/* The device should not stay broken, even if the phase was bad. */
	rte_pmd_accel_fault(l->t.dev, "none");
	if (!good)
		return false;

	p = phase_begin(l);
	good = recover(f);
	phase_end(f, "recovery", &p);
	if (!good)
		return false;

	p = phase_begin(l);
	l->may_fail = false;
	good = flow(f, f->operations);
	phase_end(f, "after", &p);
	return good && load_errors(l) == 0;
}

static int
report(struct fault *f, bool good, bool json)
{
	struct load *l = &f->load;
	struct rte_pmd_accel_recovery r = { 0 };
	struct rte_pmd_accel_info info;
	const char *reason = l->first, *verdict = good ? "good" : "bad";
	bool untested;
	json_t *answer;

	if (rte_pmd_accel_info_get(l->t.dev, &info) == 0)
		r = info.recovery;
	/* Each fault makes an operation or the queue pair fail. */
	untested = good && l->failed == 0 && r.failures == 0;
	if (untested) {
		verdict = "not tested";
		reason = "no operation failed, so the fault has not come up: it is beyond the last "
			 "operation, or no operation can have it";
	} else if (good) {
		reason = "operations failed, none was wrong, and the traffic is right again";
	}
	answer = json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:o, s:o}",
		"kind", "fault", "device", l->device->name, "injected", f->inject, "seed",
		(json_int_t)f->conf.seed, "verdict", verdict, "reason", reason,
		"recovery", json_pack("{s:I, s:I, s:I, s:I, s:i, s:b}", "failures",
			(json_int_t)r.failures, "attempts", (json_int_t)r.attempts, "healed",
			(json_int_t)r.healed, "outage_us", (json_int_t)r.outage_us,
			"function_resets",
			(int)r.function_resets, "reset_by_this_program", f->driver_resets),
		"phases", json_incref(f->phases));
	if (!tool_print(answer, json))
		return TOOL_BROKEN;
	return untested ? TOOL_UNTESTED : good ? TOOL_GOOD : TOOL_BAD;
}

/* Checks that the driver accepts the faults, before anything is started. */
static int
check(const struct fault *f, const struct tool_device *d)
{
	int ret = rte_pmd_accel_fault(d->id, f->inject);

	if (ret == -ENOTSUP) {
		tool_error("%s is no embedded device, and a card cannot be broken on purpose; use "
			   "--vdev crypto_accel0", d->name);
		return TOOL_ABSENT;
	}
	if (ret != 0)
		return tool_usage("'%s' is no list of faults; the driver's line above has the "
				  "valid ones", f->inject);
	rte_pmd_accel_fault(d->id, "none");
	return TOOL_GOOD;
}

static int
run(struct tool_args *args)
{
	static struct fault f;
	struct tool_device device;
	int ret;

	ret = parse(args, &f);
	if (ret == TOOL_GOOD)
		ret = tool_device_open(args, true, &device);
	if (ret != TOOL_GOOD)
		return ret;
	ret = check(&f, &device);
	if (ret != TOOL_GOOD) {
		tool_device_close(&device);
		return ret;
	}
	f.phases = json_array();
	ret = load_start(&f.load, &device, &f.conf);
	if (ret == TOOL_GOOD)
		ret = report(&f, phases(&f), args->json);
	json_decref(f.phases);
	load_end(&f.load);
	tool_device_close(&device);
	return ret;
}

const struct tool_command tool_fault = {
	.name = "fault",
	.what = "Break the embedded device, and see that it recovers",
	.eal = true,
	.options = options,
	.examples = "  " TOOL_NAME " fault --no-pci --vdev crypto_accel0 --inject dead@1000\n"
		    "  " TOOL_NAME " fault --no-pci --vdev crypto_accel0 --inject "
		    "status:5@10/100+corrupt@500\n",
	.run = run,
};
