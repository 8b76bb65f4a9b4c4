/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Resets of a function that several queue pairs, threads and processes share: see accel_reset.h.
 */
#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_devtree_read.h"
#include "accel_function.h"
#include "accel_lock.h"
#include "accel_logs.h"
#include "accel_reset.h"
#include "accel_transport.h"

static const char during[] = "a reset";

void
accel_reset_lock(struct accel_dev *dev)
{
	accel_lock_take(&dev->reset_lock, dev->name, during);
}

bool
accel_reset_trylock(struct accel_dev *dev)
{
	return accel_lock_try(&dev->reset_lock, dev->name, during);
}

void
accel_reset_unlock(struct accel_dev *dev)
{
	accel_lock_give(&dev->reset_lock);
}

static void
take_off_bus(struct accel_dev *dev)
{
	accel_transport(dev)->isolate(dev);
	accel_store_release(&dev->isolated, 1);
}

/*
 * Tells the queue pairs of a function that the function does not access memory any more. They may
 * give operations back then. So this comes after the reset or the isolation, and not before.
 */
static void
publish_reset(struct accel_dev *dev)
{
	accel_fetch_add_release(&dev->resets, 1);
}

void
accel_dev_lost(struct accel_dev *dev)
{
	accel_store_relaxed(&dev->lost, 1);
	accel_reset_lock(dev);
	take_off_bus(dev);
	/* The queue pairs fail when they see the new number. */
	publish_reset(dev);
	accel_reset_unlock(dev);
}

/* Resets the function, with the lock held, unless another thread has done so meanwhile. */
static void
reset_once(struct accel_dev *dev, uint32_t resets_seen, unsigned int reset_ms)
{
	if (accel_load_acquire(&dev->resets) != resets_seen)
		return;
	if (accel_function_reset_within(dev, reset_ms) != 0) {
		take_off_bus(dev);
		ACCEL_LOG_LIMITED(&dev->reset_log, ERR,
				  "%s: no answer to reset%s: taken off the bus, until a stop and "
				  "start of the device or the driver itself (recover) revives it",
				  dev->name,
				  accel_is_gone(dev) ? " (BAR0 reads all ones: it is gone)" : "");
	} else if (accel_devtree_renew(dev) != 0) {
		take_off_bus(dev);
	}
	publish_reset(dev);
}

void
accel_reset_within(struct accel_dev *dev, uint32_t resets_seen, unsigned int reset_ms)
{
	accel_reset_lock(dev);
	reset_once(dev, resets_seen, reset_ms);
	accel_reset_unlock(dev);
}

void
accel_reset_unless_done(struct accel_dev *dev, uint32_t resets_seen)
{
	accel_reset_within(dev, resets_seen, ACCEL_HW_COMMAND_MAX_MS);
}

int
accel_recover_function(struct accel_dev *dev)
{
	int ret = 0;

	accel_reset_lock(dev);
	if (accel_needs_revival(dev)) {
		/*
		 * The function reaches no memory now. The reset stops all queue pairs but the one
		 * that is about to start. They fail when they see the new number.
		 */
		publish_reset(dev);
		ret = accel_revive(dev, ACCEL_HW_BOOTING_MAX_MS);
	}
	accel_reset_unlock(dev);
	return ret;
}

int
accel_reset_idle(struct accel_dev *dev)
{
	int ret;

	accel_reset_lock(dev);
	ret = accel_function_reset(dev);
	if (ret != 0)
		ACCEL_LOG(ERR, "%s: no answer to reset: taken off the bus; stop and start the "
			  "device to use it again", dev->name);
	else
		ret = accel_devtree_renew(dev);
	if (ret != 0)
		take_off_bus(dev);
	publish_reset(dev);
	accel_reset_unlock(dev);
	return ret;
}
