/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Recovery from a device that does not answer, or whose answers are impossible. Operations go back
 * to the application only when the device certainly cannot access their buffers any more: the queue
 * pair has stopped, the function was reset, or it was taken off the bus (manual 5.4).
 */
#include <errno.h>

#include <cryptodev_pmd.h>
#include <rte_byteorder.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_io.h>
#include <rte_pause.h>
#include <rte_spinlock.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_function.h"
#include "accel_heal.h"
#include "accel_healer.h"
#include "accel_health.h"
#include "accel_logs.h"
#include "accel_recover.h"
#include "accel_transport.h"
#include "accel_tree.h"
#include "accel_vf.h"
#include "datapath/accel_queue.h"
#include "datapath/accel_response.h"

/*
 * A process that holds the lock for longer than this has died: reset, isolation and revival take
 * less.
 */
#define RESET_LOCK_MAX_MS 20000u
#define RESET_LOCK_SLEEP_US 100u

/*
 * The lock is shared between processes. When one of them is killed while it holds the lock, the
 * others go on after a time limit. At worst two of them reset the function at the same time, which
 * isolates it.
 */
static void
report_lock_owner(const struct accel_dev *dev)
{
	ACCEL_LOG(WARNING, "%s: another process died during a reset; continuing without it",
		  dev->name);
}

static void
reset_lock(struct accel_dev *dev)
{
	uint64_t us = 0;

	while (rte_spinlock_trylock(&dev->reset_lock) == 0) {
		if (us > RESET_LOCK_MAX_MS * (uint64_t)US_PER_S / MS_PER_S) {
			report_lock_owner(dev);
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
	accel_store_relaxed(&dev->lost, 1);
	reset_lock(dev);
	take_off_bus(dev);
	/* the other queue pairs fail when they see the new number */
	accel_fetch_add(&dev->resets, 1);
	rte_spinlock_unlock(&dev->reset_lock);
}

/* Resets the function, with the lock held, unless another thread has done so meanwhile. */
static void
reset_once(struct accel_dev *dev, uint32_t resets_seen, unsigned int reset_ms)
{
	if (accel_load_relaxed(&dev->resets) != resets_seen)
		return;
	if (accel_function_reset_within(dev, reset_ms) != 0) {
		take_off_bus(dev);
		ACCEL_LOG_LIMITED(&dev->reset_log, ERR,
				  "%s: no answer to reset%s: taken off the bus, until a stop and "
				  "start of the device or the driver itself (recover) revives it",
				  dev->name,
				  accel_is_gone(dev) ? " (BAR0 reads all ones: it is gone)" : "");
	} else if (accel_tree_renew(dev) != 0) {
		take_off_bus(dev);
	}
	accel_fetch_add(&dev->resets, 1);
}

void
accel_quiesce_within(struct accel_qp *qp, unsigned int reset_ms)
{
	reset_lock(qp->dev);
	reset_once(qp->dev, qp->resets_seen, reset_ms);
	rte_spinlock_unlock(&qp->dev->reset_lock);
}

void
accel_reset_unless_done(struct accel_dev *dev, uint32_t resets_seen)
{
	reset_lock(dev);
	reset_once(dev, resets_seen, ACCEL_HW_COMMAND_MAX_MS);
	rte_spinlock_unlock(&dev->reset_lock);
}

void
accel_quiesce(struct accel_qp *qp)
{
	accel_quiesce_within(qp, ACCEL_HW_COMMAND_MAX_MS);
}

/*
 * Tells whether the device certainly does not access the memory of a queue pair that did not stop
 * in time. It resets the function if need be. This runs on the data path, so it does not wait for
 * another thread that is about to reset the function; it then returns false, and must be called
 * again.
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
		report_lock_owner(dev);
	}
	reset_once(dev, qp->resets_seen, ACCEL_HW_COMMAND_MAX_MS);
	rte_spinlock_unlock(&dev->reset_lock);
	return true;
}

static void
report_no_stop(struct accel_qp *qp, uint64_t heartbeat)
{
	ACCEL_LOG_LIMITED(&qp->fail_log, ERR,
			  "%s qp %u: does not stop, heartbeat %s; resetting the function",
			  qp->dev->name, qp->id,
			  accel_identity(qp->dev)->heartbeat == heartbeat ? "stands still" :
									   "continues");
}

/*
 * The same for a queue pair that the driver heals, which waits neither for the echo of the stop nor
 * for a reset. Returns false if it must be called again.
 */
static bool
quiesce_step(struct accel_qp *qp)
{
	struct accel_dev *dev = qp->dev;
	const uint64_t stop_max = ACCEL_FAIL_STOP_MS * rte_get_tsc_hz() / MS_PER_S;
	unsigned int looks = qp->heal.looked ? 1 : ACCEL_FAIL_LOOKS;

	for (; looks > 0; looks--) {
		if (accel_load_relaxed(&dev->resets) != qp->resets_seen ||
		    accel_qp_echoed(dev, &qp->stop))
			return true;
		accel_relax(dev);
		rte_pause();
	}
	qp->heal.looked = true;
	if (rte_get_tsc_cycles() - qp->failing_since < stop_max)
		return false;
	if (!qp->heal.reported)
		report_no_stop(qp, qp->heal.heartbeat);
	qp->heal.reported = true;
	accel_healer_reset(dev, qp->resets_seen);
	return false;
}

/* Logs the failure, and stops the queue pair if the device still answers. */
static void
fail_begin(struct accel_qp *qp, const char *why)
{
	struct accel_dev *dev = qp->dev;
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	/* A queue pair that a reset has taken away has no page any more. */
	const bool there = qp->id < dev->dt.nb_qps;
	volatile struct accel_hw_qp_device *regs = accel_qp_device(dev, qp->id);
	const uint64_t heartbeat = identity->heartbeat;
	const uint32_t status = there ? rte_le_to_cpu_32(regs->status) : 0;
	const bool dma = ACCEL_HW_QP_STATUS_ERROR(status) == ACCEL_HW_QP_ERR_DMA;
	char fault[ACCEL_FAULT_TEXT] = "";

	ACCEL_LOG_LIMITED(&qp->fail_log, ERR,
			  "%s qp %u: %s (function state %u fatal %u, queue status 0x%x slot %u, "
			  "%u operations in flight); they come back with an error%s%s",
			  dev->name, qp->id, why, identity->state, identity->fatal_code,
			  status, there ? regs->error_slot : 0,
			  accel_load_acquire(&qp->prod) - accel_load_relaxed(&qp->cons),
			  dma ? accel_health_fault_text(dev, fault, sizeof(fault)) : fault,
			  accel_vf_pf_text(dev));
	accel_fetch_add(&dev->count.failures, 1);
	qp->heal.stepwise = accel_heal_is_wanted(qp);
	qp->heal.looked = qp->heal.reported = false;
	qp->heal.heartbeat = heartbeat;
	if (accel_load_relaxed(&dev->resets) != qp->resets_seen)
		return;
	qp->stop = accel_qp_post(dev, qp->id, ACCEL_HW_QP_CMD_STOP_DISCARD);
	if (!qp->heal.stepwise) {
		if (accel_qps_wait(dev, &qp->stop, 1, ACCEL_FAIL_STOP_MS) == 0)
			return;
		report_no_stop(qp, heartbeat);
	}
	qp->failing = true;
	qp->failing_since = rte_get_tsc_cycles();
}

/* Does the device certainly not access the memory of a queue pair any more? */
static bool
is_quiet(struct accel_qp *qp)
{
	return !qp->failing || (qp->heal.stepwise ? quiesce_step(qp) : quiesce_try(qp));
}

void
accel_qp_fail(struct accel_qp *qp, const char *why)
{
	if (!qp->failing)
		fail_begin(qp, why);
	if (!is_quiet(qp))
		return;
	qp->failing = false;
	accel_qp_settle(qp);
	if (qp->heal.stepwise)
		accel_heal_begin(qp);
	accel_store_release(&qp->mode, ACCEL_QP_FAILED);
	accel_qp_raise(qp);
}

/*
 * A callback of the error event that is under way in this process. The entry is on the stack of the
 * dequeue that has raised the event.
 */
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

int
accel_check_callbacks(const struct rte_cryptodev *cryptodev)
{
	uint16_t i;

	for (i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		if (!accel_qp_in_callback(cryptodev->data->queue_pairs[i]))
			continue;
		ACCEL_LOG(ERR, "%s: neither closed nor removed, because a callback of the error "
			  "event of qp %u is running: try again when it has returned",
			  cryptodev->data->name, i);
		return -EAGAIN;
	}
	return 0;
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

int
accel_recover_function(struct accel_dev *dev)
{
	int ret = 0;

	reset_lock(dev);
	if (accel_needs_revival(dev)) {
		/* The reset stops all other queue pairs; they fail when they see the new number. */
		accel_fetch_add(&dev->resets, 1);
		ret = accel_revive(dev, ACCEL_HW_BOOTING_MAX_MS);
	}
	rte_spinlock_unlock(&dev->reset_lock);
	return ret;
}

int
accel_reset_idle(struct accel_dev *dev)
{
	int ret;

	reset_lock(dev);
	accel_fetch_add(&dev->resets, 1);
	ret = accel_function_reset(dev);
	if (ret != 0)
		ACCEL_LOG(ERR, "%s: no answer to reset: taken off the bus; stop and start the "
			  "device to use it again", dev->name);
	else
		ret = accel_tree_renew(dev);
	if (ret != 0)
		take_off_bus(dev);
	rte_spinlock_unlock(&dev->reset_lock);
	return ret;
}
