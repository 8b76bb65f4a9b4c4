/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair that heals itself: after a failure the driver starts it again, so that a program
 * that does not know of RTE_CRYPTODEV_EVENT_ERROR goes on working.
 *
 * This file has the state; the steps are in accel_heal_step.h.
 */
#ifndef ACCEL_HEAL_H
#define ACCEL_HEAL_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_cycles.h>

#include "accel_dev.h"
#include "accel_queue.h"

enum accel_heal_phase {
	ACCEL_HEAL_NONE = 0, /* it did not fail, or the application heals it */
	ACCEL_HEAL_WAIT, /* for the next attempt */
	ACCEL_HEAL_START, /* for the echo of START */
	ACCEL_HEAL_STOP, /* for the echo of STOP, or for a reset */
};

/* Each attempt in vain doubles the time before the next one, up to this time. */
#define ACCEL_HEAL_WAIT_MAX_MS 1000u

static inline uint64_t
accel_heal_cycles(uint64_t ms)
{
	return ms * rte_get_tsc_hz() / MS_PER_S;
}

/**
 * Is it for the driver to heal a queue pair that has just failed? The devarg recover says so; with
 * "auto", the driver does unless the application has registered a callback in this process.
 */
bool accel_heal_is_wanted(const struct accel_qp *qp);

/**
 * The device is quiet after a failure that the driver heals: called before the mode becomes
 * ACCEL_QP_FAILED. The failure itself was at accel_heal.failed_at, up to seconds before.
 */
void accel_heal_begin(struct accel_qp *qp);

/** The application stops the queue pair, and no other thread uses it: forget the failure. */
void accel_heal_forget(struct accel_qp *qp);

#endif /* ACCEL_HEAL_H */
