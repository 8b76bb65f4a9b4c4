/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The commands of DPDK's telemetry below /cryptodev/accel. accel_telemetry.c reads the parameters
 * of all of them, and says what is wrong.
 */
#ifndef ACCEL_TELEMETRY_H
#define ACCEL_TELEMETRY_H

#include <stdint.h>

#include <rte_telemetry.h>

#define ACCEL_TEL_PAGE_MAX 9999u
#define ACCEL_TEL_DUMP_MAX 999999999u

/* Holds the parameters of a command: "ID[,QP or VF[,WORD]]", or "ID[,QP[,PAGE,DUMP]]". */
struct accel_tel_request {
	unsigned int nb; /* of numbers that were given */
	uint8_t dev_id;
	uint16_t number; /* of a queue pair or a VF */
	unsigned int page;
	unsigned int dump; /* number of a dump that was made before */
	const char *word; /* NULL: none */
};

/**
 * Answer /cryptodev/accel/dump.
 *
 * @return 0; -ENODEV: not a device of this driver; -EINVAL: the queue pair is not set up; -EAGAIN:
 *   the dump was replaced by another one; -ENOENT: the dump has no such page; -ENOMEM.
 */
int accel_telemetry_dump(const struct accel_tel_request *request, struct rte_tel_data *d);

#endif /* ACCEL_TELEMETRY_H */
