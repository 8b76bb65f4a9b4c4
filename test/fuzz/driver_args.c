/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Device arguments: of the driver, of the embedded device, and the shares of virtual functions.
 * What is taken lies within its limits, and a text that is taken twice gives the same twice.
 */
#include <stdlib.h>
#include <string.h>

#include <accel_model.h>

#include "accel_args.h"
#include "accel_dev.h"
#include "accel_vdev_args.h"
#include "accel_vf.h"
#include "driver/world.h"
#include "fuzz.h"

static void
check_driver(const struct accel_args *args)
{
	CLAIM(args->timeout_ms == 0 || (args->timeout_ms >= 10 && args->timeout_ms <= UINT32_MAX));
	CLAIM(args->refuse_when_dead <= 1);
	CLAIM(args->recover <= ACCEL_RECOVER_ON);
	CLAIM(args->wb_count == ACCEL_ARGS_NOT_GIVEN || args->wb_count <= UINT32_MAX);
	CLAIM(args->wb_timeout_ns == ACCEL_ARGS_NOT_GIVEN || args->wb_timeout_ns <= UINT32_MAX);
	CLAIM(memchr(args->vf_shares, '\0', sizeof(args->vf_shares)) != NULL);
}

static void
try_driver(const char *text)
{
	struct accel_args args, again;

	memset(&args, 0, sizeof(args));
	memset(&again, 0, sizeof(again));
	accel_args_default(&args);
	accel_args_default(&again);
	if (accel_args_parse("fuzz", text, &args, NULL) != 0)
		return;
	check_driver(&args);
	CLAIM(accel_args_parse("fuzz", text, &again, NULL) == 0);
	CLAIM(memcmp(&args, &again, sizeof(args)) == 0);
}

static void
try_vdev(const char *text)
{
	struct accel_vdev_args args;
	unsigned int i;

	memset(&args, 0xee, sizeof(args));
	if (accel_vdev_args_parse("fuzz", text, &args) != 0)
		return;
	check_driver(&args.driver);
	CLAIM(args.queue_pairs >= 1 && args.queue_pairs <= ACCEL_VDEV_MAX_QUEUE_PAIRS);
	CLAIM(args.bits <= 1 && args.command_upper <= 1 && args.posted_writes <= 1);
	CLAIM(args.engine <= ACCEL_MODEL_ENGINE_NULL);
	CLAIM(args.nb_workers <= ACCEL_VDEV_MAX_WORKERS);
	CLAIM(args.nb_engines <= ACCEL_VDEV_MAX_WORKERS);
	CLAIM(args.is_inline || args.nb_workers >= 1);
	for (i = 0; i < args.nb_workers; i++)
		CLAIM(args.cpu[i] >= -1 && args.cpu[i] < 65536);
	CLAIM(memchr(args.name, '\0', sizeof(args.name)) != NULL);
	CLAIM(memchr(args.faults, '\0', sizeof(args.faults)) != NULL);
}

static void
try_shares(const char *text)
{
	struct accel_vf_plan plan;
	unsigned int i, k;

	if (accel_vf_args_parse("fuzz", text, &plan) != 0)
		return;
	CLAIM(plan.nb <= ACCEL_VF_ITEMS_MAX);
	for (i = 0; i < plan.nb; i++) {
		CLAIM(plan.item[i].first <= plan.item[i].last);
		CLAIM(plan.item[i].last < ACCEL_HW_VFS_MAX);
		for (k = 0; k < i; k++)
			CLAIM(plan.item[i].first > plan.item[k].last ||
			      plan.item[k].first > plan.item[i].last);
	}
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	world_start((*argv)[0]);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size == 0)
		return 0;
	world_begin(data, size);
	text = malloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	switch (data[0] % 3) {
	case 0:
		try_driver(text);
		break;
	case 1:
		try_vdev(text);
		break;
	default:
		try_shares(text);
		break;
	}
	free(text);
	world_end();
	return 0;
}
