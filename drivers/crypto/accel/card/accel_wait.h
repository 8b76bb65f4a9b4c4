/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Bounded waits for the card, in set-up and recovery. A wait is for the echo of a command, or for
 * whatever the caller looks at.
 */
#ifndef ACCEL_WAIT_H
#define ACCEL_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_dev.h"
#include "accel_transport.h"

/* Holds the state of one wait. */
struct accel_wait {
	struct accel_dev *dev;
	/* transport whose clock bounds the wait; NULL: the caller's clock does */
	const struct accel_transport *clock;
	uint16_t qp_id; /* queue pair whose thread has this clock */
	uint64_t lived; /* the device's clock at the beginning */
	uint64_t start;
	uint64_t limit;
	unsigned int rounds;
	bool over;
};

/** Begin a wait of at most timeout_ms. */
void accel_wait_begin(struct accel_wait *w, struct accel_dev *dev, unsigned int timeout_ms);

/**
 * Let the clock of the thread that serves a queue pair bound the wait, if the device has such a
 * clock. Then the wait takes up to five times as long for an embedded device whose thread gets no
 * CPU meanwhile.
 */
void accel_wait_by_device(struct accel_wait *w, uint16_t qp_id);

/**
 * Let some time pass between two looks at the card.
 *
 * @return false if the time was over before the last look. So a thread that got no CPU for long
 *   looks once more.
 */
bool accel_wait_more(struct accel_wait *w);

/** Wait for a register to have a value. Returns 0, -ETIMEDOUT, or -ENODEV if the card is gone. */
int accel_wait_for(struct accel_wait *w, const volatile uint32_t *reg, uint32_t value);

#endif /* ACCEL_WAIT_H */
