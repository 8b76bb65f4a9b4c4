/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Parses the device arguments of the embedded device, --vdev crypto_accel0,key=value,...
 */
#ifndef ACCEL_VDEV_ARGS_H
#define ACCEL_VDEV_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_cryptodev.h>

#include "accel_args.h"

#define ACCEL_VDEV_MAX_QUEUE_PAIRS 64
#define ACCEL_VDEV_MAX_WORKERS 64

/*
 * This is the text for RTE_PMD_REGISTER_PARAM_STRING. It has the keys of accel_vdev_args.c and
 * those of the driver.
 */
#define ACCEL_VDEV_ARGS_PARAM_STRING                                                               \
	"queue_pairs=<int> "                                                                       \
	"max_nb_queue_pairs=<int> "                                                                \
	"socket_id=<int> "                                                                         \
	"cores=inline|<int>|[<cpu>,...] "                                                          \
	"pk_cores=<int>|[<cpu>,...] "                                                              \
	"pk_share=<int> "                                                                          \
	"engine=auto|ipsec_mb|openssl|null "                                                       \
	"peak_ops=<int> "                                                                          \
	"peak_bytes=<int> "                                                                        \
	"faults=<string> "                                                                         \
	"fault=<string> "                                                                          \
	"idle_us=<int> "                                                                           \
	"ctx_cache=<int> "                                                                         \
	"bits=<0|1> "                                                                              \
	"command_upper=<0|1> "                                                                     \
	"contract_minor=<0|1|2|3|4|5|6|7> "                                                        \
	"posted_writes=<0|1> "                                                                     \
	"name=<string> "                                                                           \
	ACCEL_ARGS_PARAM_STRING

/* Holds the values of the device arguments. */
struct accel_vdev_args {
	struct accel_args driver;
	uint64_t queue_pairs;
	uint64_t socket_id;
	uint64_t peak_ops;
	uint64_t peak_bytes;
	uint64_t idle_us;
	uint64_t pk_share; /* percent of the workers' CPUs that engines on them get at least */
	uint64_t ctx_cache;
	uint64_t bits; /* 0: like firmware without bit lengths */
	uint64_t command_upper; /* 0: like firmware without the register COMMAND_UPPER */
	uint64_t contract_minor; /* of the card */
	uint64_t posted_writes; /* 1: like a card that does not learn of failed writes */
	uint32_t engine; /* enum accel_model_engine */
	bool is_inline;
	unsigned int nb_workers;
	int cpu[ACCEL_VDEV_MAX_WORKERS]; /* -1: any CPU that no lcore uses */
	unsigned int nb_engines; /* public-key engines; 0: as many as workers, on their CPUs */
	int engine_cpu[ACCEL_VDEV_MAX_WORKERS];
	char name[RTE_CRYPTODEV_NAME_MAX_LEN];
	char faults[256];
};

/**
 * Set the defaults, then parse device arguments.
 *
 * @param device name of the device, for messages.
 * @param text "key=value,..."; all values are defaults if it is NULL or empty.
 * @return 0, or -EINVAL with one log line that says what is wrong and what is valid.
 */
int accel_vdev_args_parse(const char *device, const char *text, struct accel_vdev_args *args);

#endif /* ACCEL_VDEV_ARGS_H */
