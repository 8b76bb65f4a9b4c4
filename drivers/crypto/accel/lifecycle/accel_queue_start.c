/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Starts and stops queue pairs: see accel_queue_start.h.
 */
#include <errno.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_byteorder.h>
#include <rte_cycles.h>

#include "accel_asym.h"
#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_function.h"
#include "accel_latency.h"
#include "accel_logs.h"
#include "accel_names.h"
#include "accel_queue.h"
#include "accel_queue_start.h"
#include "accel_reset.h"
#include "accel_response.h"
#include "accel_ring.h"

/*
 * Fills the response ring with tags that no operation of its first lap has. The write of a response
 * may be lost on the bus (manual 6.7), and zeroed memory would then pass for the response to
 * operation 0. The rest of each entry is cleared. A real response uses at least one descriptor, so
 * a dump can tell an entry that was never written from an entry that is wrong.
 */
static void
spoil_responses(struct accel_qp *qp)
{
	struct accel_hw_response *responses = (void *)(uintptr_t)qp->responses;
	uint32_t i;

	for (i = 0; i < qp->rsp_size; i++)
		responses[i] = (struct accel_hw_response){
			.tag = rte_cpu_to_le_32(~(qp->base + i)),
		};
}

/*
 * Copies limits from the device tree to the queue pair, since a reset may have changed the tree
 * (manual 4.5).
 */
static void
qp_set_limits(struct accel_qp *qp)
{
	const struct accel_devtree *dt = &qp->dev->dt;

	qp->command_ring = dt->command_ring && qp->nb_desc >= ACCEL_HW_RING_SIZE_MIN;
	qp->commands_located = dt->command_upper || qp->command_ring;
	qp->aad_in_command = dt->aad_in_command ? ACCEL_HW_IV_MAX : 0;
	qp->max_fragments = dt->max_fragments;
	qp->max_frame_bytes = dt->max_frame_bytes;
}

void
accel_qp_rewind(struct accel_qp *qp)
{
	const uint32_t prod = accel_load_relaxed(&qp->prod);

	accel_ring_init(&qp->tx, qp->tx.desc, qp->tx.mask + 1);
	accel_ring_init(&qp->rx, qp->rx.desc, qp->rx.mask + 1);
	qp->ahead = 0;
	accel_store_relaxed(&qp->tx_cons, 0);
	accel_store_relaxed(&qp->rx_cons, 0);
	qp->base = prod;
	qp->command_base = prod;
	qp->prod_seen = prod;
	accel_store_relaxed(&qp->cons_seen, accel_load_relaxed(&qp->cons));
	qp->deadline = 0;
	qp->turn++; /* cached operations of the raw data path become invalid */
	qp->event = false;
	accel_store_relaxed(&qp->error, 0);
	accel_latency_forget(qp);
	spoil_responses(qp);
}

/*
 * Tells the device where the commands are. A register is written only if the tree says that it
 * exists.
 */
static void
write_commands(const struct accel_qp *qp, volatile struct accel_hw_qp_host *host)
{
	const struct accel_devtree *dt = &qp->dev->dt;

	if (dt->command_upper)
		host->command_upper = rte_cpu_to_le_64(
			ACCEL_HW_QP_COMMAND_UPPER_VALID |
			qp->command_region >> ACCEL_HW_DESC_REGION_SHIFT);
	if (!dt->command_ring)
		return;
	host->command_base = !qp->command_ring ? 0 :
		rte_cpu_to_le_64(qp->commands_iova | ACCEL_HW_QP_COMMAND_BASE_VALID);
	host->command_size = rte_cpu_to_le_32(qp->nb_desc);
}

/* Tells the device how often to write its pointers back (manual 6.5). */
static void
write_moderation(const struct accel_dev *dev, volatile struct accel_hw_qp_host *host)
{
	const bool tuned = dev->wb_auto && dev->dt.wb_auto;
	const uint32_t count = tuned ? ACCEL_HW_QP_WB_AUTO | ACCEL_WB_AUTO_COUNT : dev->wb_count;
	const uint32_t timeout_ns = tuned ? ACCEL_WB_AUTO_TIMEOUT_NS : dev->wb_timeout_ns;

	host->wb_count = rte_cpu_to_le_32(count);
	host->wb_timeout_ns = rte_cpu_to_le_32(timeout_ns);
}

/*
 * Writes the registers before the command START, in the order of manual 5.3: doorbell, sizes and
 * bases.
 */
static void
prepare(struct accel_qp *qp)
{
	struct accel_dev *dev = qp->dev;
	volatile struct accel_hw_qp_host *host = accel_qp_host(dev, qp->id);

	qp_set_limits(qp);
	qp->resets_seen = accel_load_relaxed(qp->resets);
	qp->started = true;
	memset((void *)(uintptr_t)qp->wb, 0, sizeof(*qp->wb));
	host->doorbell = 0;
	host->tx_size = rte_cpu_to_le_32(qp->tx.mask + 1);
	host->rx_size = rte_cpu_to_le_32(qp->rx.mask + 1);
	host->rsp_size = rte_cpu_to_le_32(qp->rsp_size);
	host->tx_base = rte_cpu_to_le_64(qp->tx_iova);
	host->rx_base = rte_cpu_to_le_64(qp->rx_iova);
	host->rsp_base = rte_cpu_to_le_64(qp->responses_iova);
	host->wb_base = rte_cpu_to_le_64(qp->wb_iova);
	write_moderation(dev, host);
	write_commands(qp, host);
}

struct accel_qp_cmd
accel_qp_post_start(struct accel_qp *qp)
{
	prepare(qp);
	return accel_qp_post(qp->dev, qp->id, ACCEL_HW_QP_CMD_START);
}

/*
 * Writes the command START, after all other registers. If the device refuses START, the queue pair
 * is in the error state until it is stopped. If the device does not answer, it might carry START
 * out later, so the function is reset.
 */
static int
command_start(struct accel_qp *qp)
{
	struct accel_dev *dev = qp->dev;
	volatile struct accel_hw_qp_device *regs = accel_qp_device(dev, qp->id);
	struct accel_qp_cmd posted;
	uint32_t status;

	accel_reset_lock(dev);
	posted = accel_qp_post_start(qp);
	accel_reset_unlock(dev);
	if (accel_qps_wait(dev, &posted, 1, ACCEL_HW_COMMAND_MAX_MS) != 0) {
		ACCEL_LOG(ERR, "%s qp %u: does not start within %u ms; resetting the function",
			  dev->name, qp->id, ACCEL_HW_COMMAND_MAX_MS);
		accel_reset_unless_done(qp->dev, qp->resets_seen);
		return -ETIMEDOUT;
	}
	status = accel_read32(&regs->status);
	if (ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_RUNNING)
		return 0;
	ACCEL_LOG(ERR, "%s qp %u: the device refuses to start it, status 0x%x (error %u %s of the "
		  "hardware manual, section 9.1)", dev->name, qp->id, status,
		  ACCEL_HW_QP_STATUS_ERROR(status), accel_name_qp_error(status));
	if (accel_qp_command(dev, qp->id, ACCEL_HW_QP_CMD_STOP_DISCARD,
			     ACCEL_HW_COMMAND_MAX_MS) != 0)
		accel_reset_unless_done(qp->dev, qp->resets_seen);
	return -EIO;
}

static int
start_one(struct accel_qp *qp)
{
	struct accel_dev *dev = qp->dev;
	int ret;

	if (!accel_dt_has_qp(&dev->dt, qp->id))
		return ACCEL_REFUSE(-ENODEV, "%s qp %u: not started, since a reset has left the "
				    "function only %u queue pairs; its operations come back with "
				    "an error", dev->name, qp->id, dev->dt.nb_qps);
	accel_asym_tidy(qp);
	accel_qp_rewind(qp);
	ret = command_start(qp);
	if (ret == 0)
		accel_qp_run(qp, ACCEL_RESTART_START);
	else
		qp->started = false;
	return ret;
}

/*
 * Starts a queue pair and its companion. If a reset has taken only the companion away, the queue
 * pair works, and asymmetric operations come back with an error.
 */
int
accel_qp_start(struct accel_qp *qp)
{
	struct accel_qp *companion = qp->companion;
	int ret;

	if (accel_load_relaxed(&qp->mode) != ACCEL_QP_STOPPED ||
	    (companion != NULL && accel_load_relaxed(&companion->mode) != ACCEL_QP_STOPPED))
		accel_qp_stop(qp);
	ret = start_one(qp);
	if (ret != 0 || companion == NULL)
		return ret;
	/*
	 * A process that was killed in enqueue may not have told dequeue that there are operations
	 * (test_asym_qp: test_killed_in_enqueue).
	 */
	if (accel_qp_pending(companion) != 0)
		accel_store_release(&qp->companion_busy, 1);
	ret = start_one(companion);
	if (ret != -ENODEV)
		return ret;
	accel_qp_disable(companion);
	return 0;
}

void
accel_qp_run(struct accel_qp *qp, enum accel_restart restart)
{
	struct accel_event_count *events = &qp->events;

	accel_count_add(&events->starts, 1);
	if (restart == ACCEL_RESTART_DRIVER)
		accel_count_add(&events->healed, 1);
	if (accel_load_relaxed(&events->starts) != 1) {
		accel_store_relaxed(&events->restart, restart);
		accel_store_relaxed(&events->started_at, rte_get_tsc_cycles());
	}
	accel_store_release(&qp->mode,
			    accel_qp_pending(qp) != 0 ? ACCEL_QP_BACKLOG : accel_latency_mode(qp));
}

void
accel_qp_disable(struct accel_qp *qp)
{
	if (accel_load_relaxed(&qp->mode) == ACCEL_QP_STOPPED)
		accel_store_release(&qp->mode, ACCEL_QP_FAILED);
	if (qp->companion != NULL)
		accel_qp_disable(qp->companion);
}

/*
 * This is the time for a reset after a stop that has timed out. A working card needs milliseconds.
 * If the reset takes longer, the function is taken off the bus, and the next start revives it.
 */
#define RESET_AFTER_STOP_MS 200u

/*
 * True if the queue pair works on the device or may be about to, so that it needs a stop command.
 * False if the function was reset since the queue pair was started.
 */
static bool
is_at_work(const struct accel_qp *qp)
{
	return qp != NULL && qp->started && accel_load_acquire(qp->resets) == qp->resets_seen;
}

/* Ends the work and the healing of a queue pair, which no other thread uses. */
static void
finish(struct accel_qp *qp)
{
	/* A failed queue pair is settled, too: operations may have been enqueued meanwhile. */
	if (accel_load_relaxed(&qp->mode) != ACCEL_QP_STOPPED)
		accel_qp_settle(qp);
	qp->failing = false;
	qp->started = false;
	qp->heal.phase = ACCEL_HEAL_NONE;
	qp->heal.wanted = false;
	qp->heal.healed_at = 0;
	rte_spinlock_init(&qp->heal.lock); /* its owner may have been killed (test/mp/heal.c) */
	accel_store_release(&qp->mode, ACCEL_QP_STOPPED);
}

/* Resets the function because of the first queue pair that has not answered the stop command. */
static void
reset_for_first(struct accel_dev *dev, struct accel_qp *const *told,
		const struct accel_qp_cmd *posted, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (accel_qp_echoed(dev, &posted[i]))
			continue;
		ACCEL_LOG(ERR, "%s qp %u: does not stop; resetting the function", dev->name,
			  told[i]->id);
		accel_reset_within(told[i]->dev, told[i]->resets_seen, RESET_AFTER_STOP_MS);
		return;
	}
}

/*
 * Returns queue pair number i / 2 if i is even, else its companion. Returns NULL if there is none.
 */
static struct accel_qp *
one_of_pairs(void **queue_pairs, unsigned int i)
{
	struct accel_qp *qp = queue_pairs[i / 2];

	return qp == NULL || i % 2 == 0 ? qp : qp->companion;
}

/*
 * Stops queue pairs. All commands are written before the wait for the first echo. The device
 * carries them out in parallel, and a device that does not answer costs only one timeout. One reset
 * of the function covers all queue pairs.
 */
void
accel_qps_stop(struct accel_dev *dev, void **queue_pairs, uint16_t nb)
{
	struct accel_qp_cmd posted[ACCEL_DT_ALL_QPS] = { 0 };
	struct accel_qp *told[ACCEL_DT_ALL_QPS], *qp;
	unsigned int n = 0, i;

	for (i = 0; i < 2u * nb; i++) {
		qp = one_of_pairs(queue_pairs, i);
		if (!is_at_work(qp))
			continue;
		told[n] = qp;
		posted[n] = accel_qp_post(dev, qp->id, ACCEL_HW_QP_CMD_STOP_DRAIN);
		n++;
	}
	/* The wait is bounded: the device discards what it cannot drain in time. */
	if (accel_qps_wait(dev, posted, n, ACCEL_HW_COMMAND_MAX_MS) != 0)
		reset_for_first(dev, told, posted, n);
	for (i = 0; i < 2u * nb; i++) {
		qp = one_of_pairs(queue_pairs, i);
		if (qp != NULL)
			finish(qp);
	}
}

void
accel_qp_stop(struct accel_qp *qp)
{
	void *one = qp;

	accel_qps_stop(qp->dev, &one, 1);
}

int
accel_qp_error_query(struct rte_cryptodev *cryptodev, uint16_t qp_id)
{
	const struct accel_qp *qp = cryptodev->data->queue_pairs[qp_id];

	if (qp == NULL)
		return -EINVAL;
	if (qp->companion != NULL && accel_load_acquire(&qp->companion->error) != 0)
		return 1;
	return (int)accel_load_acquire(&qp->error);
}

static uint32_t
depth_of_one(const struct accel_qp *qp)
{
	switch (accel_load_acquire(&qp->mode)) {
	case ACCEL_QP_RUNNING:
	case ACCEL_QP_MEASURED:
		return accel_load_acquire(&qp->prod) - accel_load_acquire(&qp->cons);
	case ACCEL_QP_BACKLOG:
		return accel_load_acquire(&qp->prod) - qp->base;
	default:
		return 0;
	}
}

/*
 * Returns the number of operations that the device holds. It is 0 for a failed queue pair, although
 * operations may wait to be dequeued. A callback of the error event may therefore wait for 0 before
 * it resets the queue pair.
 */
uint32_t
accel_qp_depth_used(void *queue_pair)
{
	const struct accel_qp *qp = queue_pair;

	return depth_of_one(qp) + (qp->companion != NULL ? depth_of_one(qp->companion) : 0);
}
