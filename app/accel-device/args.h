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
	JAIL_AUTO, /* the jail has the parts that the kernel supports */
	JAIL_REQUIRE, /* the daemon runs only with the whole jail */
	JAIL_OFF,
};

struct args {
	const char *socket[ACCEL_MODEL_MAX_FUNCTIONS];
	unsigned int nb_sockets;
	const char *pf_socket; /* or NULL: the PF has no socket, only virtual functions have */
	const char *control; /* or NULL */
	uint64_t queue_pairs;
	uint64_t vf_queue_pairs; /* of all virtual functions together, 0: as many as they can use */
	uint64_t peak_ops;
	uint64_t peak_bytes;
	uint64_t idle_us;
	uint64_t pk_share; /* percent of the workers' CPUs that engines on them have at least */
	uint64_t ctx_cache;
	uint64_t serial; /* 0: none */
	uint64_t contract_minor; /* of the card */
	enum accel_model_engine engine;
	unsigned int nb_workers;
	int cpu[ACCEL_MODEL_MAX_WORKERS]; /* -1: any CPU */
	unsigned int nb_engines; /* for public keys; 0: as many as workers, on the workers' CPUs */
	int engine_cpu[ACCEL_MODEL_MAX_WORKERS];
	const char *faults; /* or NULL */
	const char *user; /* the user to become, or NULL */
	const char *group; /* the group to become; NULL: the user's */
	const char *socket_group; /* or NULL */
	gid_t gid; /* of group or of user, set by jail_find_users() */
	struct vfio_user_owner owner; /* of sockets; jail_find_users() sets user and group */
	enum jail_mode jail;
	bool keep; /* hold what a restart needs, and restart after a crash */
	bool no_dump;
	bool posted_writes;
	unsigned int profile; /* ACCEL_MODEL_LEAST and so on */
	bool vf; /* virtual functions, even if there is only one */
	bool quiet;
	bool verbose;
	bool help;
	bool version;
};

/**
 * Parse the command line. An option that it does not name has its default.
 *
 * @return 0, or -EINVAL after a line on stderr that says what is wrong and what is valid.
 */
int args_parse(int argc, char **argv, struct args *args);

/** Parse a decimal number that may end in k, M or G (powers of 1000). @return 0 or -EINVAL. */
int args_number(const char *value, uint64_t min, uint64_t max, uint64_t *number);

/** True if the sockets are virtual functions. */
static inline bool
args_have_vfs(const struct args *args)
{
	return args->vf || args->nb_sockets > 1 || args->pf_socket != NULL;
}

void args_usage(FILE *to);

#endif /* ACCEL_DEVICE_ARGS_H */
