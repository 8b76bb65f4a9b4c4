/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles asymmetric operations on a public-key queue pair: see accel_asym.h.
 */
#include <errno.h>
#include <string.h>

#include <rte_common.h>
#include <rte_malloc.h>
#include <rte_memory.h>

#include "accel_asym.h"
#include "accel_asym_op.h"
#include "accel_asym_session.h"
#include "accel_batch.h"
#include "accel_compat.h"
#include "accel_memory.h"
#include "accel_queue.h"

/*
 * A slot has room for 8192-bit keys. It is as large as the smallest page and aligned to this size,
 * so one IOVA holds for all of it. An operation with more data gets memory of its own.
 */
#define SLOT_BYTES 4096u
#define CHUNK_SLOTS 32u /* slots that are allocated at a time, when one is needed */
#define LARGE_MAX (1u << 20)
#define RESULT_ALIGN 64u

int
accel_asym_slots_create(struct accel_qp *pk)
{
	pk->asym = rte_zmalloc("accel_asym",
			       sizeof(*pk->asym) + pk->nb_desc * sizeof(pk->asym->slot[0]),
			       RTE_CACHE_LINE_SIZE);
	if (pk->asym == NULL)
		return -ENOMEM;
	pk->asym->nb = pk->nb_desc;
	return 0;
}

void
accel_asym_tidy(struct accel_qp *qp)
{
	uint32_t i;

	for (i = 0; qp->asym != NULL && i < qp->asym->nb; i++)
		accel_asym_drop(qp, i);
}

void
accel_asym_slots_free(struct accel_qp *pk)
{
	uint32_t i;

	if (pk->asym == NULL)
		return;
	accel_asym_tidy(pk);
	for (i = 0; i < pk->asym->nb; i += CHUNK_SLOTS)
		rte_free(pk->asym->slot[i].memory);
	rte_free(pk->asym);
	pk->asym = NULL;
}

/* Allocates the memory of a chunk of slots, of which `first` is the first. */
static int
slots_grow(struct accel_asym_slots *slots, uint32_t first)
{
	const uint32_t nb = RTE_MIN(CHUNK_SLOTS, slots->nb);
	struct accel_asym_slot *slot = &slots->slot[first];
	uint8_t *chunk = rte_zmalloc("accel_asym", nb * SLOT_BYTES, SLOT_BYTES);
	uint32_t i;

	if (chunk == NULL)
		return -ENOMEM;
	accel_dump_exclude(chunk, nb * SLOT_BYTES);
	for (i = 0; i < nb; i++) {
		slot[i].iova = rte_mem_virt2iova(chunk + i * SLOT_BYTES);
		if (slot[i].iova == RTE_BAD_IOVA) {
			rte_free(chunk);
			return -ENOMEM;
		}
	}
	for (i = 0; i < nb; i++)
		slot[i].memory = chunk + i * SLOT_BYTES;
	return 0;
}

/* Returns the offset of the results in a slot. */
static uint32_t
results_at(uint32_t in_len)
{
	return RTE_ALIGN_CEIL(in_len, RESULT_ALIGN);
}

static uint8_t *
memory_of(const struct accel_asym_slot *slot)
{
	return slot->large != NULL ? slot->large : slot->memory;
}

/* Gets memory for the operands and results of a plan. *iova receives the memory's IOVA. */
static int
slot_take(struct accel_asym_slots *slots, uint32_t number, const struct accel_asym_plan *plan,
	  rte_iova_t *iova)
{
	const uint32_t bytes = results_at(plan->in_len) + plan->out_len;
	struct accel_asym_slot *slot = &slots->slot[number];

	if (bytes > LARGE_MAX)
		return -EINVAL;
	if (bytes > SLOT_BYTES) {
		slot->large = rte_malloc("accel_asym", bytes, SLOT_BYTES);
		if (slot->large == NULL)
			return -ENOMEM;
		*iova = rte_mem_virt2iova(slot->large);
	} else {
		if (slot->memory == NULL &&
		    slots_grow(slots, number - number % CHUNK_SLOTS) != 0)
			return -ENOMEM;
		*iova = slot->iova;
	}
	slot->in_len = plan->in_len;
	slot->out_len = plan->out_len;
	slot->row = (uint8_t)plan->row;
	memcpy(slot->out_size, plan->out_size, sizeof(slot->out_size));
	return *iova != RTE_BAD_IOVA ? 0 : -ENOMEM;
}

void
accel_asym_drop(struct accel_qp *pk, uint32_t number)
{
	struct accel_asym_slot *slot = &pk->asym->slot[number];
	struct accel_asym_session *own = slot->own;
	void *large = slot->large;

	if (slot->in_len + slot->out_len != 0 && memory_of(slot) != NULL)
		accel_memzero_explicit(memory_of(slot), results_at(slot->in_len) + slot->out_len);
	/*
	 * A process that is killed here may leave memory that nobody frees, but no memory that is
	 * freed twice (test_asym_qp: test_killed_in_dequeue).
	 */
	slot->large = NULL;
	slot->in_len = 0;
	slot->out_len = 0;
	rte_free(large);
	if (own != NULL) {
		accel_asym_session_wipe(pk->dev, own);
		slot->own = NULL;
		rte_free(own);
	}
}

/* The next functions enqueue. */

/* Finds the session of an operation, or makes one that lasts as long as the operation. */
static int
session_get(struct accel_qp *pk, uint32_t slot, const struct rte_crypto_op *op,
	    const struct accel_asym_session **sess)
{
	struct accel_asym_session *own;
	int ret;

	if (op->sess_type == RTE_CRYPTO_OP_WITH_SESSION) {
		*sess = accel_asym_session_of(op->asym->session);
		return *sess != NULL ? 0 : -EPERM;
	}
	if (op->sess_type != RTE_CRYPTO_OP_SESSIONLESS || op->asym->xform == NULL ||
	    (pk->dev->active_flags & RTE_CRYPTODEV_FF_ASYM_SESSIONLESS) == 0)
		return -EINVAL;
	own = rte_zmalloc("accel_asym", sizeof(*own), 0);
	if (own == NULL)
		return -ENOMEM;
	ret = accel_asym_session_make(pk->dev, op->asym->xform, own);
	if (ret != 0) {
		rte_free(own);
		return ret;
	}
	pk->asym->slot[slot].own = own;
	*sess = own;
	return 0;
}

/*
 * Adds a part of a slot to a frame, from the offset `at` on. Memory outside the slots may have
 * several pages, which are adjacent in IOVA or not.
 */
static void
add_part(struct accel_frame *frame, const struct accel_asym_slot *slot, rte_iova_t iova,
	 uint32_t at, uint32_t len)
{
	const uint8_t *large = slot->large;

	if (large == NULL) {
		accel_frame_add(frame, iova + at, len);
		return;
	}
	while (len != 0) {
		uint32_t piece = RTE_MIN(len, SLOT_BYTES - at % SLOT_BYTES);

		iova = rte_mem_virt2iova(large + at);
		while (piece < len && rte_mem_virt2iova(large + at + piece) == iova + piece)
			piece += RTE_MIN(len - piece, SLOT_BYTES);
		accel_frame_add(frame, iova, piece);
		at += piece;
		len -= piece;
	}
}

/*
 * Writes both frames. Returns 0, -EAGAIN if a ring is full, or -EINVAL if a frame is above the
 * card's limits.
 */
static int
put_frames(struct accel_qp *pk, struct accel_ring *tx, struct accel_ring *rx,
	   const struct accel_asym_plan *plan, rte_iova_t iova, uint32_t tag)
{
	const struct accel_asym_slot *from = &pk->asym->slot[tag & pk->desc_mask];
	struct accel_batch at = accel_batch_at(pk, tx, rx, tag);
	struct accel_frame frame;

	accel_batch_request(pk, &at, &frame);
	add_part(&frame, from, iova, 0, plan->in_len);
	if (plan->out_len != 0) {
		accel_batch_result(pk, &at, &frame);
		add_part(&frame, from, iova, results_at(plan->in_len), plan->out_len);
	}
	switch (accel_batch_end(&at, &frame, tx, rx)) {
	case 0:
		return 0;
	case -ENOSPC:
		return -EAGAIN;
	default:
		return -EINVAL;
	}
}

int
accel_asym_put(struct accel_qp *pk, struct accel_ring *tx, struct accel_ring *rx,
	       const struct rte_crypto_op *op, uint32_t tag)
{
	const struct accel_devtree *dt = &pk->dev->dt;
	const uint32_t slot = tag & pk->desc_mask;
	const struct accel_asym_session *sess;
	struct accel_asym_plan plan;
	rte_iova_t iova = 0;
	int ret;

	ret = session_get(pk, slot, op, &sess);
	if (ret != 0)
		return ret;
	ret = accel_asym_plan(op, sess, dt->pk_operand_size_max, dt->random_max, &plan);
	if (ret == 0)
		ret = slot_take(pk->asym, slot, &plan, &iova);
	if (ret == 0)
		ret = put_frames(pk, tx, rx, &plan, iova, tag);
	if (ret != 0) {
		accel_asym_drop(pk, slot);
		return ret;
	}
	accel_asym_gather(&plan, memory_of(&pk->asym->slot[slot]));
	accel_qp_copy_command(pk, &plan.command, tag);
	return 0;
}

/*
 * Sets the flag companion_busy. Here the store of the companion's counter prod comes before the
 * load of the flag. In accel_asym_rest() the store of the flag comes before the load of the
 * counter. For this reason at least one of both threads sees that the flag has to be set.
 */
void
accel_asym_announce(struct accel_qp *qp)
{
	accel_full_fence();
	if (accel_load_relaxed(&qp->companion_busy) == 0)
		accel_store_release(&qp->companion_busy, 1);
}

/* The next functions dequeue. */

enum rte_crypto_op_status
accel_asym_end(struct accel_qp *pk, uint32_t number, struct rte_crypto_op *op,
	       const struct accel_answer *answer)
{
	const struct accel_asym_slot *slot = &pk->asym->slot[number];
	enum rte_crypto_op_status status =
		accel_asym_status((enum accel_asym_row)slot->row, answer->status);

	if (answer->status == ACCEL_HW_OK && answer->produced > slot->out_len)
		status = RTE_CRYPTO_OP_STATUS_ERROR; /* more than there was room for */
	else if (answer->status == ACCEL_HW_OK)
		status = accel_asym_deliver(op, slot->row,
					    memory_of(slot) + results_at(slot->in_len),
					    slot->out_size, answer->produced);
	accel_asym_drop(pk, number);
	return status;
}

/*
 * Clears the flag companion_busy if the companion has no operations. The flag stays while the
 * companion does not work, since dequeue also heals it.
 */
void
accel_asym_rest(struct accel_qp *qp)
{
	struct accel_qp *pk = qp->companion;

	if (pk == NULL) /* a callback has set up the queue pair anew */
		return;
	if (accel_load_acquire(&pk->mode) < ACCEL_QP_SERVES || accel_qp_pending(pk) != 0)
		return;
	accel_store_relaxed(&qp->companion_busy, 0);
	accel_full_fence();
	if (accel_qp_pending(pk) != 0)
		accel_store_release(&qp->companion_busy, 1);
}
