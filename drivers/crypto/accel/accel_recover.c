/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * When the device does not answer, or answers nonsense. Operations go back to the application only
 * after it is certain that the device cannot touch their buffers any more: the queue pair has
 * stopped, or else the function was reset, or else it was taken off the bus (manual 5.4).
 */
#include <errno.h>

#include <rte_cycles.h>
#include <rte_io.h>

#include "accel_logs.h"
#include "accel_transport.h"
#include "accel_queue.h"

/* A device that is alive stops a queue pair within milliseconds; a dead one is not given the whole
 * second of the manual on a polling core, the reset after it is. */
#define ACCEL_FAIL_STOP_MS 100u

/* Longer than anybody holds the lock who lives: reset, isolation, revival by another process. */
#define RESET_LOCK_MAX_MS 20000u
#define RESET_LOCK_SLEEP_US 100u

/* The lock is shared with other processes. One that is killed while it holds the lock shall not
 * stop the others for ever; two that reset at the same time at worst isolate the function. */
static void
report_dead_owner(const struct accel_dev *dev)
{
	ACCEL_LOG(WARNING, "%s: another process died in the middle of a reset; going on without it",
		  dev->name);
}

static void
reset_lock(struct accel_dev *dev)
{
	uint64_t us = 0;

	while (rte_spinlock_trylock(&dev->reset_lock) == 0) {
		if (us > RESET_LOCK_MAX_MS * (uint64_t)US_PER_S / MS_PER_S) {
			report_dead_owner(dev);
			return;
		}
		rte_delay_us_sleep(RESET_LOCK_SLEEP_US);
		us += RESET_LOCK_SLEEP_US;
	}
}

static void
take_off_bus(struct accel_dev *dev)
{
	accel_transport(dev)->isolate(dev);
	accel_store_release(&dev->isolated, 1);
}

void
accel_dev_lost(struct accel_dev *dev)
{
	reset_lock(dev);
	take_off_bus(dev);
	accel_fetch_add(&dev->resets, 1); /* so queue pairs learn of it */
	rte_spinlock_unlock(&dev->reset_lock);
}

/* With the lock. Somebody may have reset it while this thread waited: then it is quiet already. */
static void
reset_once(struct accel_qp *qp, unsigned int reset_ms)
{
	struct accel_dev *dev = qp->dev;

	if (accel_load_relaxed(&dev->resets) != qp->resets_seen)
		return;
	if (accel_function_reset_within(dev, reset_ms) != 0) {
		take_off_bus(dev);
		ACCEL_LOG_LIMITED(&qp->fail_log, ERR,
				  "%s: no answer to reset%s: taken off the bus; stop and start the "
				  "device to revive it", dev->name,
				  accel_is_gone(dev) ? " (BAR0 reads all ones: it is gone)" : "");
	}
	accel_fetch_add(&dev->resets, 1);
}

void
accel_quiesce_within(struct accel_qp *qp, unsigned int reset_ms)
{
	reset_lock(qp->dev);
	reset_once(qp, reset_ms);
	rte_spinlock_unlock(&qp->dev->reset_lock);
}

void
accel_quiesce(struct accel_qp *qp)
{
	accel_quiesce_within(qp, ACCEL_HW_COMMAND_MAX_MS);
}

/*
 * Is it certain by now that the device does not touch the memory of a queue pair that did not stop
 * in time? For the data path, which does not wait for others that are about to reset the function.
 * False if it must ask again.
 */
static bool
quiesce_try(struct accel_qp *qp)
{
	const uint64_t lock_max = RESET_LOCK_MAX_MS * rte_get_tsc_hz() / MS_PER_S;
	struct accel_dev *dev = qp->dev;

	if (accel_load_relaxed(&dev->resets) != qp->resets_seen || accel_qp_echoed(dev, &qp->stop))
		return true;
	if (rte_spinlock_trylock(&dev->reset_lock) == 0) {
		if (rte_get_tsc_cycles() - qp->failing_since < lock_max)
			return false;
		report_dead_owner(dev);
	}
	reset_once(qp, ACCEL_HW_COMMAND_MAX_MS);
	rte_spinlock_unlock(&dev->reset_lock);
	return true;
}

/* Say what has happened, and stop the queue pair if it can be stopped. */
static void
fail_begin(struct accel_qp *qp, const char *why)
{
	struct accel_dev *dev = qp->dev;
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	volatile struct accel_hw_qp_device *regs = accel_qp_device(dev, qp->id);
	const uint64_t heartbeat = identity->heartbeat;

	ACCEL_LOG_LIMITED(&qp->fail_log, ERR,
			  "%s qp %u: %s (function state %u fatal %u, queue status 0x%x slot %u, "
			  "%u operations in flight); they come back with an error",
			  dev->name, qp->id, why, identity->state, identity->fatal_code,
			  regs->status, regs->error_slot,
			  accel_load_acquire(&qp->prod) - accel_load_relaxed(&qp->cons));
	if (accel_load_relaxed(&dev->resets) != qp->resets_seen)
		return;
	qp->stop = accel_qp_post(dev, qp->id, ACCEL_HW_QP_CMD_STOP_DISCARD);
	if (accel_qps_wait(dev, &qp->stop, 1, ACCEL_FAIL_STOP_MS) == 0)
		return;
	ACCEL_LOG_LIMITED(&qp->fail_log, ERR,
			  "%s qp %u: does not stop, heartbeat %s; resetting the function",
			  dev->name, qp->id,
			  identity->heartbeat == heartbeat ? "stands still" : "goes on");
	qp->failing = true;
	qp->failing_since = rte_get_tsc_cycles();
}

void
accel_qp_fail(struct accel_qp *qp, const char *why)
{
	if (!qp->failing)
		fail_begin(qp, why);
	if (qp->failing && !quiesce_try(qp))
		return;
	qp->failing = false;
	accel_qp_settle(qp);
	accel_store_release(&qp->mode, ACCEL_QP_FAILED);
	accel_qp_raise(qp);
}

/* The callbacks of the event that are under way in this process. Each is known by what its dequeue
 * has on its stack. */
struct raise {
	const struct accel_qp *qp;
	struct raise *next;
};

static struct raise *raises;
static rte_spinlock_t raises_lock = RTE_SPINLOCK_INITIALIZER;

static void
raise_begin(struct raise *self)
{
	rte_spinlock_lock(&raises_lock);
	self->next = raises;
	raises = self;
	rte_spinlock_unlock(&raises_lock);
}

static void
raise_end(const struct raise *self)
{
	struct raise **link = &raises;

	rte_spinlock_lock(&raises_lock);
	while (*link != self)
		link = &(*link)->next;
	*link = self->next;
	rte_spinlock_unlock(&raises_lock);
}

bool
accel_qp_is_raising(const struct accel_qp *qp)
{
	const struct raise *raise;

	rte_spinlock_lock(&raises_lock);
	for (raise = raises; raise != NULL && raise->qp != qp; raise = raise->next)
		;
	rte_spinlock_unlock(&raises_lock);
	return raise != NULL;
}

bool
accel_qp_in_callback(const struct accel_qp *qp)
{
	while (qp != NULL && !accel_qp_is_raising(qp))
		qp = qp->retired;
	return qp != NULL;
}

void
accel_qp_raise(struct accel_qp *qp)
{
	struct raise self = { .qp = qp };

	qp->event = false;
	accel_store_release(&qp->error, 1);
	raise_begin(&self);
	rte_cryptodev_pmd_callback_process(rte_cryptodev_pmd_get_dev(qp->dev_id),
					   RTE_CRYPTODEV_EVENT_ERROR);
	raise_end(&self);
}

/* The function as such, before one of its queue pairs can start again. */
static int
recover_function(struct accel_dev *dev)
{
	int ret = 0;

	reset_lock(dev);
	if (accel_load_acquire(&dev->isolated) != 0 ||
	    rte_le_to_cpu_32(rte_read32(&accel_identity(dev)->state)) == ACCEL_HW_STATE_FATAL) {
		/* By this all others lose what they have, and learn of it so. */
		accel_fetch_add(&dev->resets, 1);
		ret = accel_revive(dev, ACCEL_BOOT_MAX_MS);
	}
	rte_spinlock_unlock(&dev->reset_lock);
	return ret;
}

int
accel_qp_reset(struct rte_cryptodev *cryptodev, uint16_t qp_id,
	       const struct rte_cryptodev_qp_conf *conf, int socket_id)
{
	struct accel_qp *qp = cryptodev->data->queue_pairs[qp_id];
	int ret = 0;

	if (qp == NULL)
		return -EINVAL;
	if (conf != NULL) /* stops it, if the configuration is a possible one */
		ret = accel_qp_setup(cryptodev, qp_id, conf, socket_id);
	else
		accel_qp_stop(qp);
	qp = cryptodev->data->queue_pairs[qp_id];
	if (ret == 0 && cryptodev->data->dev_started == 0)
		return 0;
	if (ret == 0)
		ret = recover_function(qp->dev);
	if (ret == 0)
		ret = accel_qp_start(qp);
	if (ret != 0)
		accel_qp_disable(qp);
	return ret;
}

int
accel_qp_error_query(struct rte_cryptodev *cryptodev, uint16_t qp_id)
{
	const struct accel_qp *qp = cryptodev->data->queue_pairs[qp_id];

	return qp != NULL ? (int)accel_load_acquire(&qp->error) : -EINVAL;
}

/* Of a queue pair that failed the device has nothing any more: what was in flight only waits to be
 * dequeued. So a callback may wait for 0 before it resets. */
uint32_t
accel_qp_depth_used(void *queue_pair)
{
	const struct accel_qp *qp = queue_pair;

	switch (accel_load_acquire(&qp->mode)) {
	case ACCEL_QP_RUNNING:
		return accel_load_acquire(&qp->prod) - accel_load_acquire(&qp->cons);
	case ACCEL_QP_BACKLOG:
		return accel_load_acquire(&qp->prod) - qp->base;
	default:
		return 0;
	}
}
