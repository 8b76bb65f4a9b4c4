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
#include "vfio_user.h"

enum jail_mode {
	JAIL_AUTO, /* what the kernel has */
	JAIL_REQUIRE, /* all of it, or do not run */
	JAIL_OFF,
};

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
	const char *user; /* to become, or NULL */
	const char *group; /* or NULL: the user's */
	const char *socket_group; /* or NULL */
	gid_t gid; /* of group, or of user: jail_find_users() */
	struct vfio_user_owner owner; /* of sockets; users and groups by jail_find_users() */
	enum jail_mode jail;
	bool no_dump;
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

/** Decimal digits and, behind them, k, M or G for thousands; nothing else. 0 or -EINVAL. */
int args_number(const char *value, uint64_t min, uint64_t max, uint64_t *number);

void args_usage(FILE *to);

#endif /* ACCEL_DEVICE_ARGS_H */
