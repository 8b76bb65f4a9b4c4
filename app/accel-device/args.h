/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The command line of accel-device.
 */
#ifndef ACCEL_DEVICE_ARGS_H
#define ACCEL_DEVICE_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "accel_model.h"

struct args {
	const char *socket[ACCEL_MODEL_MAX_FUNCTIONS];
	unsigned int nb_sockets;
	const char *control; /* or NULL */
	uint64_t queue_pairs;
	uint64_t peak_ops;
	uint64_t peak_bytes;
	uint64_t idle_us;
	uint64_t ctx_cache;
	enum accel_model_engine engine;
	unsigned int nb_workers;
	int cpu[ACCEL_MODEL_MAX_WORKERS]; /* -1: any */
	const char *faults; /* or NULL */
	bool vf; /* virtual functions, even if there is only one */
	bool quiet;
	bool verbose;
	bool help;
};

/**
 * Parse the command line over defaults.
 *
 * @return 0, or -EINVAL after one line on stderr that says what is wrong and what is valid.
 */
int args_parse(int argc, char **argv, struct args *args);

void args_usage(FILE *to);

#endif /* ACCEL_DEVICE_ARGS_H */
