/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A run of operations of one kind, which the fast paths of one segment write. Hot path, inlined.
 */
#ifndef ACCEL_RUN_H
#define ACCEL_RUN_H

#include "accel_compat.h"
#include "accel_queue.h"
#include "accel_ring.h"

/* Where a run writes its next operation. A run ends where a ring ends, so nothing wraps. */
struct accel_run {
	struct accel_hw_command *command;
	struct accel_inflight *entry;
	uint64_t command_desc; /* a command's descriptor is this plus the command's address */
	struct accel_ring tx;
	struct accel_ring rx;
};

static ACCEL_VARIANTS struct accel_run
accel_run_begin(const struct accel_qp *qp, uint32_t prod)
{
	const uint32_t slot = prod & qp->desc_mask;

	return (struct accel_run){
		.command = &qp->commands[slot],
		.entry = &qp->inflight[slot],
		.command_desc = qp->command_desc - (uintptr_t)qp->commands,
		.tx = accel_ring_lap(&qp->tx),
		.rx = accel_ring_lap(&qp->rx),
	};
}

/* Are both rings and the commands at one region of 1 GiB? Then data in it need no type 0. */
static inline bool
accel_rings_near(const struct accel_qp *qp)
{
	const uint64_t region = qp->tx.region;

	return region == qp->rx.region && (region == qp->command_region ||
					   (qp->commands_located && region != ACCEL_REGION_NONE));
}

#endif /* ACCEL_RUN_H */
