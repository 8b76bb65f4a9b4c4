/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Answers the commands of DPDK's telemetry below /cryptodev/accel. Answers are what
 * accel_stats.h and rte_pmd_accel.h tell, as JSON. Apart from this file only
 * accel_dump_telemetry.c knows of telemetry. doc/guides/accel-telemetry.rst describes each command
 * and field.
 *
 * The library calls these functions in a thread of its own for each client. A device is not removed
 * while one of these functions is at work (accel_stats_enter()).
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_telemetry.h>

#include "accel_compat.h"
#include "accel_count.h"
#include "accel_health_page.h"
#include "accel_stats.h"
#include "accel_telemetry.h"
#include "accel_vf.h"
#include "rte_pmd_accel.h"

#define NAME_SIZE 48u /* bytes of a number, a version or the name of a range */

/* Describes a command: what it takes, and the function that answers it. */
struct command {
	const char *cmd;
	/* returns 0 or a negative errno */
	int (*answer)(const struct accel_tel_request *request, struct rte_tel_data *d);
	unsigned int least; /* numbers that it takes: 1 is a device, 2 a device and a part of it */
	unsigned int most;
	bool word; /* it may take a word as well */
	const char *takes; /* this in words, for clients that are refused */
	const char *example; /* NULL: takes lists all forms */
	const char *help; /* for the telemetry library */
};

static __rte_format_printf(2, 3) int
refuse(struct rte_tel_data *d, const char *format, ...)
{
	char text[RTE_TEL_MAX_STRING_LEN];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	rte_tel_data_start_dict(d);
	rte_tel_data_add_dict_string(d, "error", text);
	return 0;
}

/*
 * Takes a decimal number without a sign, and moves *params to its end. Returns false if there is no
 * number, or if it is above max.
 */
static bool
take_number(const char **params, unsigned long max, unsigned long *number)
{
	char *end;

	if (*params == NULL || !isdigit((unsigned char)**params))
		return false;
	errno = 0;
	*number = strtoul(*params, &end, 10);
	*params = end;
	return errno == 0 && *number <= max;
}

static bool
take_comma(const char **params)
{
	if (**params != ',')
		return false;
	(*params)++;
	return true;
}

static bool
take_params(const char *params, const struct command *c, struct accel_tel_request *request)
{
	static const unsigned long max[] = {
		RTE_CRYPTO_MAX_DEVS - 1, UINT16_MAX, ACCEL_TEL_PAGE_MAX, ACCEL_TEL_DUMP_MAX
	};
	unsigned long numbers[RTE_DIM(max)] = { 0 };
	unsigned int n = 0;

	if (c->most == 0)
		return true;
	do {
		if (!take_number(&params, max[n], &numbers[n]))
			return false;
		n++;
	} while (n < c->most && take_comma(&params));
	request->nb = n;
	request->dev_id = (uint8_t)numbers[0];
	request->number = (uint16_t)numbers[1];
	request->page = (unsigned int)numbers[2];
	request->dump = (unsigned int)numbers[3];
	if (n < c->least || n == 3) /* a page needs the number of its dump */
		return false;
	if (*params == '\0')
		return true;
	request->word = params + 1;
	return c->word && *params == ',' && *request->word != '\0';
}

/* Says why one of the functions of accel_stats.h has not answered. */
static int
explain(struct rte_tel_data *d, const struct accel_tel_request *request, int error)
{
	if (error == -ENODEV)
		return refuse(d, "device %u is not a device of crypto_accel; see "
			      "/cryptodev/accel/list", request->dev_id);
	if (error == -EINVAL)
		return refuse(d, "queue pair %u of device %u is not set up", request->number,
			      request->dev_id);
	if (error == -EAGAIN)
		return refuse(d, "that dump was replaced by another one");
	if (error == -ENOENT)
		return refuse(d, "that dump has no such page");
	return refuse(d, "device %u: %s", request->dev_id, strerror(-error));
}

/* The next functions make pieces of answers. A container without memory is left out. */

/* Begins an answer about a device, or about a queue pair or VF of it, with their numbers. */
static void
begin(struct rte_tel_data *d, const struct accel_tel_request *request, const char *name)
{
	rte_tel_data_start_dict(d);
	accel_tel_dict_uint(d, "dev_id", request->dev_id);
	if (name != NULL)
		accel_tel_dict_uint(d, name, request->number);
}

static struct rte_tel_data *
begin_part(void)
{
	struct rte_tel_data *part = rte_tel_data_alloc();

	if (part != NULL)
		rte_tel_data_start_dict(part);
	return part;
}

static void
end_part(struct rte_tel_data *d, const char *name, struct rte_tel_data *part)
{
	if (part != NULL && rte_tel_data_add_dict_container(d, name, part, 0) != 0)
		rte_tel_data_free(part);
}

/* Adds the numbers that are not 0, with their names. */
static void
add_named(struct rte_tel_data *d, const char *name, enum accel_stats_names names,
	  const uint64_t *numbers, unsigned int nb)
{
	struct rte_tel_data *part = begin_part();
	char number[NAME_SIZE];
	const char *key;
	unsigned int i;

	for (i = 0; part != NULL && i < nb; i++) {
		if (numbers[i] == 0)
			continue;
		key = accel_stats_name(names, i);
		snprintf(number, sizeof(number), "number_%u", i);
		accel_tel_dict_uint(part, key != NULL ? key : number, numbers[i]);
	}
	end_part(d, name, part);
}

static void
add_bursts(struct rte_tel_data *d, const char *name, const uint64_t *bursts)
{
	struct rte_tel_data *part = begin_part();
	char range[NAME_SIZE];
	unsigned int i;

	for (i = 0; part != NULL && i < ACCEL_BURSTS; i++) {
		if (bursts[i] == 0)
			continue;
		if (i == 0)
			snprintf(range, sizeof(range), "1");
		else
			snprintf(range, sizeof(range), "%u_%u", 1u << i, (2u << i) - 1);
		accel_tel_dict_uint(part, range, bursts[i]);
	}
	end_part(d, name, part);
}

static void
add_event(struct rte_tel_data *d, const char *name, enum accel_stats_names names,
	  const struct accel_event *event)
{
	const char *reason = accel_stats_name(names, event->reason);
	struct rte_tel_data *part;

	if (event->reason == 0)
		return;
	part = begin_part();
	if (part == NULL)
		return;
	rte_tel_data_add_dict_string(part, "reason", reason != NULL ? reason : "unknown");
	accel_tel_dict_uint(part, "ago_us", event->ago_us);
	end_part(d, name, part);
}

#define ADD_UINT(d, s, field) accel_tel_dict_uint(d, #field, (s)->field)

/* The next function answers /cryptodev/accel/list. */

static int
answer_list(const struct accel_tel_request *request __rte_unused, struct rte_tel_data *d)
{
	unsigned int i;

	rte_tel_data_start_array(d, RTE_TEL_INT_VAL);
	for (i = 0; i < RTE_CRYPTO_MAX_DEVS; i++) {
		if (accel_stats_enter((uint8_t)i) == NULL)
			continue;
		accel_stats_leave();
		rte_tel_data_add_array_int(d, (int)i);
	}
	return 0;
}

/* The next functions answer /cryptodev/accel/device. */

static void
add_limits(struct rte_tel_data *d, const struct rte_pmd_accel_vf_share *share)
{
	ADD_UINT(d, share, weight);
	ADD_UINT(d, share, ops_per_second);
	ADD_UINT(d, share, bytes_per_second);
}

static void
add_share(struct rte_tel_data *d, uint8_t dev_id)
{
	struct rte_pmd_accel_share_info info;
	struct rte_tel_data *part;

	if (rte_pmd_accel_share_info_get(dev_id, &info) != 0)
		return;
	part = begin_part();
	if (part == NULL)
		return;
	ADD_UINT(part, &info, queue_pairs);
	add_limits(part, &info.share);
	ADD_UINT(part, &info, is_set);
	ADD_UINT(part, &info, answer);
	ADD_UINT(part, &info, pf_state);
	end_part(d, "share", part);
}

static void
add_health(struct rte_tel_data *d, const struct rte_pmd_accel_health *health)
{
	struct rte_tel_data *part = begin_part();

	if (part == NULL)
		return;
	ADD_UINT(part, health, fault_count);
	ADD_UINT(part, health, fault_access);
	ADD_UINT(part, health, fault_cause);
	ADD_UINT(part, health, fault_queue_pair);
	ADD_UINT(part, health, fault_tag);
	ADD_UINT(part, health, fault_address);
	if (health->temperature != RTE_PMD_ACCEL_TEMPERATURE_NONE)
		rte_tel_data_add_dict_int(part, "temperature", health->temperature);
	if (health->power != RTE_PMD_ACCEL_POWER_NONE)
		ADD_UINT(part, health, power);
	ADD_UINT(part, health, mem_corrected);
	ADD_UINT(part, health, mem_uncorrected);
#define ADD(name) ADD_UINT(part, health, name);
	ACCEL_HEALTH_COUNTERS(ADD)
#undef ADD
	end_part(d, "health", part);
}

/*
 * Adds the version of the firmware and the serial number. Only a card with a health page has them.
 */
static void
add_firmware(struct rte_tel_data *d, const struct rte_pmd_accel_info *info)
{
	const uint32_t version = info->firmware_version;
	char text[NAME_SIZE];

	if (version == 0)
		return;
	snprintf(text, sizeof(text), "%u.%u.%u", version >> 16, (version >> 8) & 0xffu,
		 version & 0xffu);
	rte_tel_data_add_dict_string(d, "firmware", text);
	snprintf(text, sizeof(text), "%016" PRIx64, info->serial);
	rte_tel_data_add_dict_string(d, "serial", text);
}

static void
add_device(struct rte_tel_data *d, const struct rte_pmd_accel_info *info)
{
	char text[NAME_SIZE];

	rte_tel_data_add_dict_string(d, "name", info->name);
	rte_tel_data_add_dict_string(d, "transport", info->transport);
	if (info->pci[0] != '\0')
		rte_tel_data_add_dict_string(d, "pci", info->pci);
	rte_tel_data_add_dict_string(d, "state", info->state_name);
	ADD_UINT(d, info, fatal_code);
	snprintf(text, sizeof(text), "%u.%u", info->contract_major, info->contract_minor);
	rte_tel_data_add_dict_string(d, "contract", text);
	add_firmware(d, info);
	ADD_UINT(d, info, heartbeat);
	ADD_UINT(d, info, heartbeat_age_us);
	rte_tel_data_add_dict_int(d, "numa", info->numa);
	ADD_UINT(d, info, started);
	ADD_UINT(d, info, queue_pairs);
	ADD_UINT(d, info, queue_pairs_set_up);
	ADD_UINT(d, info, sym_algorithms);
	ADD_UINT(d, info, asym_algorithms);
	ADD_UINT(d, info, vfs);
	ADD_UINT(d, &info->recovery, failures);
	ADD_UINT(d, &info->recovery, function_resets);
}

/*
 * Answers /cryptodev/accel/device. The device is not removed while the parts of the answer are
 * made.
 */
static int
answer_device(const struct accel_tel_request *request, struct rte_tel_data *d)
{
	const struct rte_cryptodev *cryptodev;
	struct rte_pmd_accel_info info;
	int ret;

	cryptodev = accel_stats_enter(request->dev_id);
	if (cryptodev == NULL)
		return -ENODEV;
	ret = rte_pmd_accel_info_get(request->dev_id, &info);
	if (ret == 0) {
		begin(d, request, NULL);
		add_device(d, &info);
		if (accel_vf_has_share(cryptodev->data->dev_private))
			add_share(d, request->dev_id);
		if (info.health_error == 0)
			add_health(d, &info.health);
	}
	accel_stats_leave();
	return ret;
}

/* The next functions answer /cryptodev/accel/vfs and /cryptodev/accel/vf. */

/* True if there is, or may be, something to tell of a VF. */
static bool
is_known(const struct rte_pmd_accel_vf_info *info)
{
	return info->state != RTE_PMD_ACCEL_VF_ABSENT || info->share_is_set != 0 ||
	       info->request_pending != 0;
}

/* Adds the numbers of the VFs for which is_known() is true. Returns how many VFs are enabled. */
static unsigned int
add_vfs(struct rte_tel_data *list, const struct accel_dev *dev)
{
	struct rte_pmd_accel_vf_info info;
	unsigned int enabled = 0;
	uint16_t vf;

	for (vf = 0; accel_vf_look_at(dev, vf, &info) == 0; vf++) {
		if (!is_known(&info))
			continue;
		rte_tel_data_add_array_int(list, vf);
		enabled += info.state != RTE_PMD_ACCEL_VF_ABSENT &&
			   info.state != RTE_PMD_ACCEL_VF_UNKNOWN;
	}
	return enabled;
}

static int
answer_vfs(const struct accel_tel_request *request, struct rte_tel_data *d)
{
	struct rte_tel_data *list = rte_tel_data_alloc();
	const struct rte_cryptodev *cryptodev;
	int count;

	if (list == NULL)
		return -ENOMEM;
	cryptodev = accel_stats_enter(request->dev_id);
	if (cryptodev == NULL) {
		rte_tel_data_free(list);
		return -ENODEV;
	}
	begin(d, request, NULL);
	count = accel_vf_count(cryptodev->data->dev_private);
	accel_tel_dict_uint(d, "vfs_max", (uint64_t)RTE_MAX(count, 0));
	rte_tel_data_start_array(list, RTE_TEL_INT_VAL);
	accel_tel_dict_uint(d, "vfs_enabled", add_vfs(list, cryptodev->data->dev_private));
	accel_stats_leave();
	end_part(d, "vfs", list);
	return 0;
}

static void
add_vf_share(struct rte_tel_data *d, const char *name, const struct rte_pmd_accel_vf_share *share,
	     const struct rte_pmd_accel_vf_info *info)
{
	struct rte_tel_data *part = begin_part();

	if (part == NULL)
		return;
	ADD_UINT(part, share, queue_pairs);
	add_limits(part, share);
	if (share == &info->share && info->state != RTE_PMD_ACCEL_VF_UNKNOWN) {
		accel_tel_dict_uint(part, "is_set", info->share_is_set);
		accel_tel_dict_uint(part, "in_effect", info->share_in_effect);
	}
	end_part(d, name, part);
}

static void
add_vf(struct rte_tel_data *d, const struct rte_pmd_accel_vf_info *info)
{
	const char *state = accel_stats_name(ACCEL_STATS_NAMES_VF_STATE, info->state);

	rte_tel_data_add_dict_string(d, "state", state != NULL ? state : "unknown");
	if (info->state != RTE_PMD_ACCEL_VF_UNKNOWN) {
		ADD_UINT(d, info, fatal_code);
		ADD_UINT(d, info, queue_pairs);
	}
	add_vf_share(d, "share", &info->share, info);
	if (info->request_pending != 0)
		add_vf_share(d, "asks_for", &info->asked, info);
}

static int
explain_vf(struct rte_tel_data *d, const struct accel_tel_request *request, int error)
{
	if (error == -ENOTSUP)
		return refuse(d, "device %u is no physical function with VFs", request->dev_id);
	if (error == -EINVAL)
		return refuse(d, "device %u has no VF %u; see /cryptodev/accel/vfs,%u",
			      request->dev_id, request->number, request->dev_id);
	return refuse(d, "device %u is gone, and nothing is known of its VFs", request->dev_id);
}

static int
answer_vf(const struct accel_tel_request *request, struct rte_tel_data *d)
{
	const struct rte_cryptodev *cryptodev;
	struct rte_pmd_accel_vf_info info;
	int ret;

	cryptodev = accel_stats_enter(request->dev_id);
	if (cryptodev == NULL)
		return -ENODEV;
	ret = accel_vf_look_at(cryptodev->data->dev_private, request->number, &info);
	accel_stats_leave();
	if (ret != 0)
		return explain_vf(d, request, ret);
	begin(d, request, "vf");
	add_vf(d, &info);
	return 0;
}

/* The next functions answer /cryptodev/accel/qp. */

static void
add_qp(struct rte_tel_data *d, const struct accel_qp_stats *stats)
{
	const char *mode = accel_stats_name(ACCEL_STATS_NAMES_MODE, stats->mode);

	rte_tel_data_add_dict_string(d, "mode", mode != NULL ? mode : "unknown");
	ADD_UINT(d, stats, depth);
	ADD_UINT(d, stats, in_flight);
	ADD_UINT(d, stats, in_flight_max);
	ADD_UINT(d, stats, tx_size);
	ADD_UINT(d, stats, tx_used);
	ADD_UINT(d, stats, rx_size);
	ADD_UINT(d, stats, rx_used);
	ADD_UINT(d, stats, doorbells);
	ADD_UINT(d, stats, polls);
#define ADD(name) ADD_UINT(d, stats, name);
	ACCEL_DEQUEUE_COUNTERS(ADD)
	ACCEL_ENQUEUE_COUNTERS(ADD)
#undef ADD
	add_bursts(d, "enqueue_bursts", stats->enqueue_bursts);
	add_bursts(d, "dequeue_bursts", stats->dequeue_bursts);
	ADD_UINT(d, stats, failures);
	ADD_UINT(d, stats, resets);
	add_event(d, "last_failure", ACCEL_STATS_NAMES_FAILURE, &stats->last_failure);
	add_event(d, "last_reset", ACCEL_STATS_NAMES_RESTART, &stats->last_reset);
}

static int
answer_qp(const struct accel_tel_request *request, struct rte_tel_data *d)
{
	struct accel_qp_stats stats;
	const int ret = accel_qp_stats_get(request->dev_id, request->number, &stats);

	if (ret != 0)
		return ret;
	begin(d, request, "qp");
	add_qp(d, &stats);
	return 0;
}

/* The next functions answer /cryptodev/accel/errors and /cryptodev/accel/sessions. */

static int
answer_errors(const struct accel_tel_request *request, struct rte_tel_data *d)
{
	struct accel_error_stats stats;
	const int ret = accel_error_stats_get(request->dev_id, &stats);

	if (ret != 0)
		return ret;
	begin(d, request, NULL);
	add_named(d, "status", ACCEL_STATS_NAMES_STATUS, stats.status, RTE_DIM(stats.status));
	ADD_UINT(d, &stats, no_response);
	add_named(d, "refusals", ACCEL_STATS_NAMES_REFUSAL, stats.refusals,
		  RTE_DIM(stats.refusals));
	add_named(d, "descriptors", ACCEL_STATS_NAMES_DESCRIPTOR, stats.descriptors,
		  RTE_DIM(stats.descriptors));
	return 0;
}

static int
answer_sessions(const struct accel_tel_request *request, struct rte_tel_data *d)
{
	struct accel_error_stats stats;
	const int ret = accel_error_stats_get(request->dev_id, &stats);

	if (ret != 0)
		return ret;
	begin(d, request, NULL);
	accel_tel_dict_uint(d, "alive", stats.sessions_alive);
	accel_tel_dict_uint(d, "created", stats.sessions_created);
	ADD_UINT(d, &stats, invalidations);
	add_named(d, "algorithms", ACCEL_STATS_NAMES_ALGORITHM, stats.sessions,
		  RTE_DIM(stats.sessions));
	return 0;
}

/* The next functions answer /cryptodev/accel/latency. */

static void
find_used(const uint64_t *counts, unsigned int *first, unsigned int *end)
{
	*first = 0;
	*end = ACCEL_LATENCIES;
	while (*end > 0 && counts[*end - 1] == 0)
		(*end)--;
	while (*first < *end && counts[*first] == 0)
		(*first)++;
}

/*
 * Adds the counts or the upper bounds of the places from the first one with operations to the last.
 */
static void
add_places(struct rte_tel_data *d, const char *name, const uint64_t *counts, bool bounds)
{
	struct rte_tel_data *array = rte_tel_data_alloc();
	unsigned int i, first, end;

	if (array == NULL)
		return;
	find_used(counts, &first, &end);
	rte_tel_data_start_array(array, ACCEL_TEL_UINT);
	for (i = first; i < end; i++)
		accel_tel_array_uint(array, bounds ? accel_latency_bound(i) : counts[i]);
	end_part(d, name, array);
}

static void
add_latency(struct rte_tel_data *d, const struct accel_latency_stats *latency)
{
	ADD_UINT(d, latency, on);
	rte_tel_data_add_dict_string(d, "unit", "ns");
	ADD_UINT(d, latency, count);
	ADD_UINT(d, latency, p50);
	ADD_UINT(d, latency, p99);
	ADD_UINT(d, latency, p99_9);
	ADD_UINT(d, latency, max);
	add_places(d, "bounds", latency->counts, true);
	add_places(d, "counts", latency->counts, false);
}

/* Returns the order that a word stands for (enum accel_latency_order), or -1. */
static int
order_of(const char *word)
{
	static const char *const words[] = {
		[ACCEL_LATENCY_OFF] = "off",
		[ACCEL_LATENCY_ON] = "on",
		[ACCEL_LATENCY_RESET] = "reset",
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(words); i++)
		if (strcmp(word, words[i]) == 0)
			return (int)i;
	return -1;
}

static int
answer_latency(const struct accel_tel_request *request, struct rte_tel_data *d)
{
	struct accel_latency_stats latency;
	int order = 0, ret = 0;

	if (request->word != NULL)
		order = order_of(request->word);
	if (order < 0)
		return refuse(d, "/cryptodev/accel/latency: neither on, off nor reset");
	if (request->word != NULL)
		ret = accel_latency_control(request->dev_id, request->number,
						    (unsigned int)order);
	if (ret == 0)
		ret = accel_latency_stats_get(request->dev_id, request->number, &latency);
	if (ret != 0)
		return ret;
	begin(d, request, "qp");
	add_latency(d, &latency);
	return 0;
}

/* The next functions take all commands. */

#define A_DEVICE 1, 1, false, "the number of a device", ",0"
#define A_QP 2, 2, false, "the numbers of a device and a queue pair", ",0,0"
#define A_VF 2, 2, false, "the numbers of a device and a VF", ",0,0"
#define A_QP_AND_WORD 2, 2, true, "a device, a queue pair and perhaps on, off or reset", ",0,0,on"

static const struct command commands[] = {
	{ "/cryptodev/accel/list", answer_list, 0, 0, false, NULL, NULL,
	  "Numbers of the devices of crypto_accel. No parameters." },
	{ "/cryptodev/accel/device", answer_device, A_DEVICE,
	  "What a device is, and its health. Parameters: int dev_id" },
	{ "/cryptodev/accel/vfs", answer_vfs, A_DEVICE,
	  "VFs that a PF knows. Parameters: int dev_id" },
	{ "/cryptodev/accel/vf", answer_vf, A_VF,
	  "A VF as its PF knows it. Parameters: int dev_id, int vf" },
	{ "/cryptodev/accel/qp", answer_qp, A_QP,
	  "Counters of a queue pair. Parameters: int dev_id, int qp_id" },
	{ "/cryptodev/accel/errors", answer_errors, A_DEVICE,
	  "Errors by their reason. Parameters: int dev_id" },
	{ "/cryptodev/accel/sessions", answer_sessions, A_DEVICE,
	  "Sessions by algorithm. Parameters: int dev_id" },
	{ "/cryptodev/accel/latency", answer_latency, A_QP_AND_WORD,
	  "Latencies of a queue pair. Parameters: int dev_id, int qp_id, [on|off|reset]" },
	{ "/cryptodev/accel/dump", accel_telemetry_dump, 1, 4, false,
	  "ID, or ID,QP, or ID,QP,PAGE,NUMBER", NULL,
	  "Dump of a device or queue pair, in pages. Parameters: int dev_id, int qp, int page, "
	  "int number" },
};

static int
answer(const char *cmd, const char *params, struct rte_tel_data *d)
{
	const struct command *c = commands;
	struct accel_tel_request request = { 0 };
	int ret;

	while (strcmp(cmd, c->cmd) != 0)
		c++;
	if (!take_params(params, c, &request))
		return c->example == NULL ?
			refuse(d, "the parameters are %s", c->takes) :
			refuse(d, "%s takes %s, such as %s%s", cmd, c->takes, cmd, c->example);
	ret = c->answer(&request, d);
	return ret == 0 ? 0 : explain(d, &request, ret);
}

RTE_INIT(accel_telemetry_register)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(commands); i++)
		rte_telemetry_register_cmd(commands[i].cmd, answer, commands[i].help);
}
