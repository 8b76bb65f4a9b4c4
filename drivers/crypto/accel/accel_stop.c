/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Stop of queue pairs (manual 5.4): of one, or of all that a device has. Set-up path.
 */
#include "accel_logs.h"
#include "accel_queue.h"

/* After a stop that has taken all of its time: what a reset gets before the function is taken off
 * the bus. A card that lives carries it out within milliseconds. One that needs more is revived by
 * the next start as a dead one is. */
#define RESET_AFTER_STOP_MS 200u

static bool
is_running(const struct accel_qp *qp)
{
	const uint32_t mode = accel_load_relaxed(&qp->mode);

	return mode == ACCEL_QP_RUNNING || mode == ACCEL_QP_BACKLOG;
}

/* Does the device still have to be told? Not if the function was reset since the start. */
static bool
is_at_work(const struct accel_qp *qp)
{
	return qp != NULL && is_running(qp) && accel_load_relaxed(qp->resets) == qp->resets_seen;
}

static void
finish(struct accel_qp *qp)
{
	/* Of a failed one, too: more may have been published while it failed. */
	if (accel_load_relaxed(&qp->mode) != ACCEL_QP_STOPPED)
		accel_qp_settle(qp);
	qp->failing = false;
	accel_store_release(&qp->mode, ACCEL_QP_STOPPED);
}

/* Of those that were told to stop one at least has not done so. */
static void
reset_for_first(struct accel_dev *dev, struct accel_qp *const *told,
		const struct accel_command *posted, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (accel_qp_echoed(dev, &posted[i]))
			continue;
		ACCEL_LOG(ERR, "%s qp %u: does not stop; resetting the function", dev->name,
			  told[i]->id);
		accel_quiesce_within(told[i], RESET_AFTER_STOP_MS);
		return;
	}
}

/* All commands are on their way before the first echo is waited for, so the device carries them out
 * side by side, and one that is dead is waited for once. The first that is not echoed has the
 * function reset; that counts for all. */
void
accel_qps_stop(struct accel_dev *dev, void **queue_pairs, uint16_t nb)
{
	struct accel_command posted[ACCEL_DT_MAX_QPS] = { 0 };
	struct accel_qp *told[ACCEL_DT_MAX_QPS];
	unsigned int n = 0, i;

	for (i = 0; i < nb; i++) {
		if (!is_at_work(queue_pairs[i]))
			continue;
		told[n] = queue_pairs[i];
		posted[n] = accel_qp_post(dev, told[n]->id, ACCEL_HW_QP_CMD_STOP_DRAIN);
		n++;
	}
	/* Bounded: what cannot be drained in time is discarded by the device itself. */
	if (accel_qps_wait(dev, posted, n, ACCEL_HW_COMMAND_MAX_MS) != 0)
		reset_for_first(dev, told, posted, n);
	for (i = 0; i < nb; i++) {
		if (queue_pairs[i] != NULL)
			finish(queue_pairs[i]);
	}
}

void
accel_qp_stop(struct accel_qp *qp)
{
	void *one = qp;

	accel_qps_stop(qp->dev, &one, 1);
}
