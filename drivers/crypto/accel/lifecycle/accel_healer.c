/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The thread that resets or revives a function: see accel_healer.h.
 */
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_healer.h"
#include "accel_reset.h"
#include "accel_thread.h"

/* After an attempt in vain the next one waits, at first for so long, then for twice that. */
#define REVIVE_WAIT_MIN_MS 1u
#define REVIVE_WAIT_MAX_MS 1000u

#define END_POLL_US 100u

enum healer_state {
	HEALER_IDLE = 0,
	HEALER_BUSY, /* one thread asks for work, or the healer works */
	HEALER_DONE, /* the thread has ended and was not joined */
};

/* The healer of one device in this process. Only who has made it busy uses the other fields. */
struct healer {
	ACCEL_ATOMIC(uint32_t) state; /* enum healer_state */
	accel_thread_t thread;
	struct accel_dev *dev;
	bool revive; /* else reset */
	uint32_t resets_seen; /* of a reset */
	uint64_t wait; /* TSC cycles after the last revival, 0 if it was not in vain */
	uint64_t ended; /* TSC at its end */
};

static struct healer healers[RTE_CRYPTO_MAX_DEVS];

static void
revive(struct healer *healer)
{
	const uint64_t ms = rte_get_tsc_hz() / MS_PER_S;

	if (accel_recover_function(healer->dev) == 0)
		healer->wait = 0;
	else if (healer->wait == 0)
		healer->wait = REVIVE_WAIT_MIN_MS * ms;
	else
		healer->wait = RTE_MIN(2 * healer->wait, REVIVE_WAIT_MAX_MS * ms);
	healer->ended = rte_get_tsc_cycles();
}

static void
work(struct healer *healer)
{
	if (healer->revive)
		revive(healer);
	else
		accel_reset_unless_done(healer->dev, healer->resets_seen);
}

static accel_thread_ret_t
healer_main(void *arg)
{
	struct healer *healer = arg;

	work(healer);
	accel_store_release(&healer->state, HEALER_DONE);
	return ACCEL_THREAD_RET;
}

/*
 * Makes the healer busy, and returns false if it is already. Its former thread is joined, which has
 * nothing more to do.
 */
static bool
claim(struct healer *healer)
{
	const uint32_t before = accel_exchange(&healer->state, HEALER_BUSY);

	if (before == HEALER_DONE)
		accel_thread_join(healer->thread);
	return before != HEALER_BUSY;
}

/* Without another thread, this one has to do the work, as it does without healing. */
static void
start(struct healer *healer)
{
	if (accel_thread_create(&healer->thread, "accel-heal", healer_main, healer) == 0)
		return;
	work(healer);
	accel_store_release(&healer->state, HEALER_IDLE);
}

void
accel_healer_reset(struct accel_dev *dev, uint32_t resets_seen)
{
	struct healer *healer = &healers[dev->dev_id];

	if (accel_healer_is_busy(dev) || !claim(healer))
		return;
	healer->dev = dev;
	healer->revive = false;
	healer->resets_seen = resets_seen;
	start(healer);
}

void
accel_healer_revive(struct accel_dev *dev)
{
	struct healer *healer = &healers[dev->dev_id];

	if (accel_healer_is_busy(dev) || !claim(healer))
		return;
	if (healer->dev == dev && rte_get_tsc_cycles() - healer->ended < healer->wait) {
		accel_store_release(&healer->state, HEALER_IDLE);
		return;
	}
	healer->dev = dev;
	healer->revive = true;
	start(healer);
}

bool
accel_healer_is_busy(const struct accel_dev *dev)
{
	return accel_load_acquire(&healers[dev->dev_id].state) == HEALER_BUSY;
}

void
accel_healer_end(const struct accel_dev *dev)
{
	struct healer *healer = &healers[dev->dev_id];

	while (!claim(healer))
		rte_delay_us_sleep(END_POLL_US);
	healer->dev = NULL;
	healer->wait = 0;
	accel_store_release(&healer->state, HEALER_IDLE);
}
