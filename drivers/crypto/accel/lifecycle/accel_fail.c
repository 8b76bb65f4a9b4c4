/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Fails a queue pair whose device does not answer, or whose answers are impossible. Operations go
 * back to the application only when the device certainly cannot access their buffers any more. This
 * is so when the queue pair has stopped, or when the function was reset or taken off the bus
 * (manual 5.4).
 */
#include <errno.h>
#include <stdio.h>
#include <sys/queue.h>

#include <cryptodev_pmd.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_spinlock.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_dump_state.h"
#include "accel_fail.h"
#include "accel_heal.h"
#include "accel_health_page.h"
#include "accel_logs.h"
#include "accel_names.h"
#include "accel_queue.h"
#include "accel_response.h"
#include "accel_transport.h"
#include "accel_vf.h"

/* Has the text for the log line of each failure. */
static const char *const failures[ACCEL_FAILURE_NB] = {
	[ACCEL_FAILURE_NONE] = "it has failed",
	[ACCEL_FAILURE_DESCRIPTOR] = "the device has stopped it because of a descriptor "
				     "error",
	[ACCEL_FAILURE_RESET] = "the function was reset or taken off the bus",
	[ACCEL_FAILURE_TIMEOUT] = "no response within timeout_ms",
	[ACCEL_FAILURE_FATAL] = "the function has failed as a whole",
	[ACCEL_FAILURE_GONE] = "its registers do not answer: it was reset or switched off, "
			       "or its physical function was, or it is gone",
	[ACCEL_FAILURE_FOREIGN_RESET] = "the function was reset, and not by this driver: "
					"by the kernel, another program, or its physical "
					"function",
	[ACCEL_FAILURE_LOST_WRITES] = "its pointers do not arrive, although the device "
				      "has written them: the bus loses writes (look for "
				      "faults of the IOMMU)",
	[ACCEL_FAILURE_POINTER] = "RSP_HHP is beyond the response ring",
	[ACCEL_FAILURE_MISMATCH] = "responses do not match the operations in flight: the "
				   "bus has lost the write of one (look for faults of the "
				   "IOMMU), or the device is broken",
};

/* Counts a failure, for accel_stats.h. status is the register STATUS of the queue pair. */
static void
count_failure(struct accel_qp *qp, enum accel_failure why, uint32_t status)
{
	struct accel_event_count *events = &qp->events;
	const uint32_t error = ACCEL_HW_QP_STATUS_ERROR(status);

	accel_fetch_add(&qp->dev->count.failures, 1);
	accel_store_relaxed(&events->failure, why);
	accel_store_relaxed(&events->failed_at, rte_get_tsc_cycles());
	accel_count_add(&events->failures, 1);
	if (ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_ERROR)
		accel_count_add(&events->descriptors[RTE_MIN(error, ACCEL_DESC_ERRORS - 1u)], 1);
}

/*
 * True if the driver is to heal a queue pair that has just failed. The device argument recover
 * decides. With "auto", the driver heals the queue pair unless the application has registered a
 * callback in this process.
 */
static bool
is_heal_wanted(const struct accel_qp *qp)
{
	switch (qp->dev->recover) {
	case ACCEL_RECOVER_ON:
		return true;
	case ACCEL_RECOVER_AUTO:
		/*
		 * The library does not tell which event a callback is for. Apart from the error
		 * event there is only RTE_CRYPTODEV_EVENT_UNKNOWN, which no driver raises.
		 */
		return TAILQ_EMPTY(&rte_cryptodev_pmd_get_dev(qp->dev_id)->link_intr_cbs);
	default:
		return false;
	}
}

/* What STATUS of a queue pair says. */
static const char *
status_words(uint32_t status, char words[static 64])
{
	if (ACCEL_HW_QP_STATUS_STATE(status) != ACCEL_HW_QP_ERROR)
		return accel_name_qp_state(status);
	snprintf(words, 64, "error %s of the %s", accel_name_qp_error(status),
		 accel_name_qp_ring(status));
	return words;
}

/* Logs the failure, and writes STOP unless the function was reset meanwhile. */
static void
fail_begin(struct accel_qp *qp, enum accel_failure why)
{
	struct accel_dev *dev = qp->dev;
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	/* A queue pair that a reset has taken away has no page any more. */
	const bool there = accel_dt_has_qp(&dev->dt, qp->id);
	volatile struct accel_hw_qp_device *regs = accel_qp_device(dev, qp->id);
	const uint64_t heartbeat = accel_read64(&identity->heartbeat);
	const uint32_t status = there ? accel_read32(&regs->status) : 0;
	const uint32_t state = accel_read32(&identity->state);
	const uint32_t fatal = accel_read32(&identity->fatal_code);
	const bool dma = ACCEL_HW_QP_STATUS_ERROR(status) == ACCEL_HW_QP_ERR_DMA;
	char fault[ACCEL_FAULT_TEXT] = "", words[64];

	ACCEL_LOG_LIMITED(&qp->fail_log, ERR,
			  "%s qp %u: %s (function state %u %s, fatal %u %s, queue status 0x%x %s, "
			  "slot %u, %u operations in flight); they come back with an error%s%s",
			  dev->name, qp->id, failures[why], state, accel_name_state(state), fatal,
			  accel_name_fatal(fatal), status, status_words(status, words),
			  there ? accel_read32(&regs->error_slot) : 0,
			  accel_load_acquire(&qp->prod) - accel_load_relaxed(&qp->cons),
			  dma ? accel_health_page_fault_text(dev, fault, sizeof(fault)) : fault,
			  accel_vf_pf_text(dev));
	count_failure(qp, why, status);
	accel_dump_failure_keep(qp, failures[why]);
	qp->heal.wanted = is_heal_wanted(qp);
	qp->heal.failed_at = rte_get_tsc_cycles();
	qp->heal.heartbeat = heartbeat;
	if (accel_load_acquire(&dev->resets) != qp->resets_seen)
		return;
	accel_heal_stop(qp, false);
	qp->failing = true;
}

void
accel_qp_fail(struct accel_qp *qp, enum accel_failure why)
{
	if (!qp->failing)
		fail_begin(qp, why);
	if (qp->failing && !accel_heal_is_quiet(qp))
		return;
	qp->failing = false;
	qp->started = false;
	accel_qp_settle(qp);
	if (qp->heal.wanted)
		accel_heal_begin(qp);
	accel_store_release(&qp->mode, ACCEL_QP_FAILED);
	accel_qp_raise(qp);
}

/*
 * Records a callback of the error event that is under way in this process. The record is on the
 * stack of the dequeue that has raised the event. For a companion, qp is the application's queue
 * pair.
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
		return ACCEL_REFUSE(-EAGAIN, "%s: neither closed nor removed, because a callback "
				    "of the error event of qp %u is running: try again when it has "
				    "returned", cryptodev->data->name, i);
	}
	return 0;
}

void
accel_qp_raise(struct accel_qp *qp)
{
	struct raise self = { .qp = qp->primary != NULL ? qp->primary : qp };

	qp->event = false;
	accel_store_release(&qp->error, 1);
	if (qp->id == ACCEL_DT_OWN_QP)
		return; /* the application does not know of this queue pair */
	raise_begin(&self);
	rte_cryptodev_pmd_callback_process(rte_cryptodev_pmd_get_dev(qp->dev_id),
					   RTE_CRYPTODEV_EVENT_ERROR);
	raise_end(&self);
}
