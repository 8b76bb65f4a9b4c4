/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Bounded waits for the card: see accel_wait.h.
 */
#include <errno.h>

#include <rte_cycles.h>
#include <rte_pause.h>

#include "accel_dev.h"
#include "accel_transport.h"
#include "accel_wait.h"

/* A card usually answers within microseconds. The wait sleeps only after this number of rounds. */
#define WAIT_SPIN_ROUNDS 1000u
#define WAIT_SLEEP_US 20u

/*
 * An embedded device whose thread gets no CPU may take this many times the time limit to start a
 * queue pair.
 */
#define WAIT_CLOCK_FACTOR 5u

void
accel_wait_begin(struct accel_wait *w, struct accel_dev *dev, unsigned int timeout_ms)
{
	w->dev = dev;
	w->start = rte_get_timer_cycles();
	w->limit = (uint64_t)timeout_ms * rte_get_timer_hz() / MS_PER_S;
	w->rounds = 0;
	w->over = false;
	w->clock = NULL;
}

void
accel_wait_by_device(struct accel_wait *w, uint16_t qp_id)
{
	const struct accel_transport *transport = accel_transport(w->dev);

	if (transport->lived == NULL)
		return;
	w->clock = transport;
	w->qp_id = qp_id;
	w->lived = transport->lived(w->dev, qp_id, false);
}

/* True if the device has had its time, too. The caller's time is over. */
static bool
is_time_over(const struct accel_wait *w, uint64_t passed)
{
	uint64_t lived;

	if (w->clock == NULL)
		return true;
	lived = w->clock->lived(w->dev, w->qp_id, true);
	return lived == ACCEL_LIVED_UNKNOWN || passed > WAIT_CLOCK_FACTOR * w->limit ||
	       lived - w->lived >= w->limit - w->limit / 8; /* the clock lags a little */
}

bool
accel_wait_more(struct accel_wait *w)
{
	uint64_t passed;

	if (w->over)
		return false;
	accel_relax(w->dev);
	if (w->rounds++ < WAIT_SPIN_ROUNDS)
		rte_pause();
	else
		rte_delay_us_sleep(WAIT_SLEEP_US);
	passed = rte_get_timer_cycles() - w->start;
	w->over = passed > w->limit && is_time_over(w, passed);
	return true;
}

int
accel_wait_for(struct accel_wait *w, const volatile uint32_t *reg, uint32_t value)
{
	uint32_t now;

	for (;;) {
		now = accel_read32(reg);
		if (now == value)
			return 0;
		if (now == ACCEL_ALL_ONES && accel_is_gone(w->dev))
			return -ENODEV;
		if (!accel_wait_more(w))
			return -ETIMEDOUT;
	}
}
