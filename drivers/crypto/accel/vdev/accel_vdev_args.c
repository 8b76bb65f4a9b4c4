/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Parses the device arguments of the embedded device.
 */

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_string_fns.h>

#include <accel_model.h>

#include "accel_args.h"
#include "accel_hw.h"
#include "accel_logs.h"
#include "accel_vdev_args.h"

#define VDEV_QUEUE_PAIRS_DEFAULT 8u
#define VDEV_IDLE_US_DEFAULT 100u

static const char *const engine_words[] = {
	[ACCEL_MODEL_ENGINE_AUTO] = "auto",
	[ACCEL_MODEL_ENGINE_IPSEC_MB] = "ipsec_mb",
	[ACCEL_MODEL_ENGINE_OPENSSL] = "openssl",
	[ACCEL_MODEL_ENGINE_NULL] = "null",
};

/* Parses a CPU or a range of CPUs of a list, and moves *text past it. */
static int
parse_cpus(char **text, unsigned int *nb, int *cpu)
{
	unsigned long first, last;
	char *p = *text;

	if (*p < '0' || *p > '9')
		return -EINVAL;
	first = strtoul(p, &p, 10);
	last = first;
	if (*p == '-') {
		p++;
		if (*p < '0' || *p > '9')
			return -EINVAL;
		last = strtoul(p, &p, 10);
	}
	if (last < first || last >= CPU_SETSIZE)
		return -EINVAL;
	for (; first <= last; first++) {
		if (*nb == ACCEL_VDEV_MAX_WORKERS)
			return -EINVAL;
		cpu[(*nb)++] = (int)first;
	}
	*text = p;
	return 0;
}

/* Parses a number of threads, or a list of CPUs: "[1]", "[1,3-5]", "1:3". */
static int
parse_threads(const char *value, unsigned int *nb, int *cpu)
{
	char list[256];
	size_t len = strlen(value);
	uint64_t number;
	char *p = list;

	if (accel_args_number(value, 1, ACCEL_VDEV_MAX_WORKERS, &number) == 0) {
		*nb = (unsigned int)number;
		return 0;
	}
	if (len >= sizeof(list) || len == 0)
		return -EINVAL;
	if (value[0] == '[' && value[len - 1] == ']')
		strlcpy(list, value + 1, len - 1);
	else if (strchr(value, ':') != NULL)
		strlcpy(list, value, sizeof(list));
	else
		return -EINVAL;

	*nb = 0;
	for (;;) {
		if (parse_cpus(&p, nb, cpu) != 0)
			return -EINVAL;
		if (*p == '\0')
			return 0;
		if (*p != ',' && *p != ':')
			return -EINVAL;
		p++;
	}
}

static int
parse_cores(const char *value, void *to)
{
	struct accel_vdev_args *args = to;

	args->is_inline = strcmp(value, "inline") == 0;
	return args->is_inline ? 0 : parse_threads(value, &args->nb_workers, args->cpu);
}

static int
parse_pk_cores(const char *value, void *to)
{
	struct accel_vdev_args *args = to;

	return parse_threads(value, &args->nb_engines, args->engine_cpu);
}

#define VDEV_NUMBER(name, field, min_, max_)                                                       \
	{                                                                                          \
		.key = name, .values = RTE_STR(min_) ".." RTE_STR(max_), .min = min_, .max = max_, \
		.offset = offsetof(struct accel_vdev_args, field)                                  \
	}
#define VDEV_TEXT(name, field, what)                                                               \
	{                                                                                          \
		.key = name, .values = what, .offset = offsetof(struct accel_vdev_args, field),    \
		.text_size = RTE_SIZEOF_FIELD(struct accel_vdev_args, field)                       \
	}

static const struct accel_args_key vdev_keys[] = {
	VDEV_NUMBER("queue_pairs", queue_pairs, 1, 64),
	VDEV_NUMBER("max_nb_queue_pairs", queue_pairs, 1, 64), /* the name that other drivers use */
	VDEV_NUMBER("socket_id", socket_id, 0, 63),
	VDEV_NUMBER("peak_ops", peak_ops, 0, 1000000000000),
	VDEV_NUMBER("peak_bytes", peak_bytes, 0, 1000000000000000),
	VDEV_NUMBER("pk_share", pk_share, 0, ACCEL_MODEL_MAX_PK_SHARE),
	VDEV_NUMBER("idle_us", idle_us, 0, 1000000000),
	VDEV_NUMBER("ctx_cache", ctx_cache, 1, 1048576),
	VDEV_NUMBER("bits", bits, 0, 1),
	VDEV_NUMBER("command_upper", command_upper, 0, 1),
	VDEV_NUMBER("contract_minor", contract_minor, 0, ACCEL_HW_VERSION_MINOR),
	VDEV_NUMBER("posted_writes", posted_writes, 0, 1),
	{ .key = "cores", .values = "inline|1..64|[CPU,CPU-CPU,...]", .parse = parse_cores },
	{ .key = "pk_cores", .values = "1..64|[CPU,CPU-CPU,...]", .parse = parse_pk_cores },
	{ .key = "engine", .values = "auto|ipsec_mb|openssl|null", .words = engine_words,
	  .nb_words = RTE_DIM(engine_words), .offset = offsetof(struct accel_vdev_args, engine) },
	VDEV_TEXT("faults", faults, "ITEM[+ITEM...]"), /* the model checks them */
	VDEV_TEXT("fault", faults, "ITEM[+ITEM...]"),
	VDEV_TEXT("name", name, "NAME"),
};

static void
args_default(struct accel_vdev_args *args)
{
	unsigned int i;
	int socket = (int)rte_socket_id();

	memset(args, 0, sizeof(*args));
	args->queue_pairs = VDEV_QUEUE_PAIRS_DEFAULT;
	args->socket_id = socket < 0 ? 0 : (uint64_t)socket;
	accel_args_default(&args->driver);
	args->idle_us = VDEV_IDLE_US_DEFAULT;
	args->pk_share = UINT64_MAX; /* not given */
	args->bits = 1;
	args->command_upper = 1;
	args->contract_minor = ACCEL_HW_VERSION_MINOR;
	args->nb_workers = 1;
	for (i = 0; i < RTE_DIM(args->cpu); i++)
		args->cpu[i] = args->engine_cpu[i] = -1;
}

int
accel_vdev_args_parse(const char *device, const char *text, struct accel_vdev_args *args)
{
	const struct accel_args_table own = {
		.keys = vdev_keys, .nb = RTE_DIM(vdev_keys), .to = args
	};

	args_default(args);
	strlcpy(args->name, device, sizeof(args->name));
	if (accel_args_parse(device, text, &args->driver, &own) != 0)
		return -EINVAL;
	if (args->is_inline && args->nb_engines != 0)
		return ACCEL_REFUSE(-EINVAL, "%s: pk_cores has no effect with cores=inline, where "
				    "the polls of the application carry out all operations: give "
				    "one of the two", device);
	if (args->pk_share != UINT64_MAX && (args->is_inline || args->nb_engines != 0))
		return ACCEL_REFUSE(-EINVAL, "%s: pk_share has no effect with %s: give one of the "
				    "two", device, args->is_inline ? "cores=inline" : "pk_cores");
	if (args->pk_share == UINT64_MAX)
		args->pk_share = ACCEL_MODEL_PK_SHARE;
	if (args->nb_workers > args->queue_pairs) {
		ACCEL_LOG(NOTICE, "%s: %u of its %u cores have no queue pair and are not used",
			  device, args->nb_workers - (unsigned int)args->queue_pairs,
			  args->nb_workers);
		args->nb_workers = (unsigned int)args->queue_pairs;
	}
	return 0;
}
