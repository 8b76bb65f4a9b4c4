/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the device that lies has read: see liar_state.h. The driver is trusted with nothing here.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>

#include "accel_queue.h"
#include "liar_state.h"

#define FRAGMENTS 300u /* more than a frame may have */

/* The driver gives the device memory that does not belong to the operation. */
static void
out_of_range(const struct call *call, uint64_t iova, uint32_t len, bool write)
{
	unsigned int i;

	for (i = 0; i < call->nb_ranges; i++)
		fprintf(stderr, "the operation has 0x%" PRIx64 " + %u%s\n", call->range[i].iova,
			call->range[i].len, call->range[i].va == NULL ? ", beyond its buffer" : "");
	if (call->op != NULL && call->op->sym->m_src != NULL)
		fprintf(stderr,
			"type %u %u, %u segments, %u bytes, cipher %u + %u, auth %u + %u%s\n",
			call->op->type, call->op->sess_type, call->op->sym->m_src->nb_segs,
			call->op->sym->m_src->pkt_len, call->op->sym->cipher.data.offset,
			call->op->sym->cipher.data.length, call->op->sym->auth.data.offset,
			call->op->sym->auth.data.length,
			call->op->sym->m_dst != NULL ? ", out of place" : "");
	fuzz_check(false, "kind %u qp %u: %s 0x%" PRIx64 " + %u", call->kind, call->qp,
		   write ? "write" : "read", iova, len);
}

/* Finds the memory behind an IOVA. Data of the caller lie in a range of the call. */
static uint8_t *
reach(const struct call *call, uint64_t iova, uint32_t len, bool write)
{
	uint8_t *own = (uint8_t *)(uintptr_t)iova;
	unsigned int i;

	for (i = 0; call != NULL && i < call->nb_ranges; i++) {
		const struct call_range *r = &call->range[i];

		if (iova - r->iova <= r->len && len <= r->len - (iova - r->iova) &&
		    (r->writable || !write))
			return r->va != NULL ? r->va + (iova - r->iova) : NULL;
	}
	/* Operands and results of public keys lie in memory of the driver. */
	if (call != NULL && !call->asym)
		out_of_range(call, iova, len, write);
	CLAIM(world_has(own, len));
	return own;
}

static uint64_t
next_desc(uint64_t base, uint32_t size, uint32_t *at, uint32_t end, uint64_t *region, bool *known)
{
	const uint64_t *ring = (const uint64_t *)(uintptr_t)base;
	uint64_t desc;

	for (;;) {
		CLAIM(*at != end); /* a frame ends before the doorbell */
		desc = rte_le_to_cpu_64(ring[*at]);
		*at = (*at + 1) & (size - 1);
		if (ACCEL_HW_DESC_TYPE(desc) != ACCEL_HW_DESC_TYPE_UPPER)
			break;
		CLAIM((desc & ACCEL_HW_DESC0_RESERVED) == 0);
		*region = desc << ACCEL_HW_DESC_REGION_SHIFT;
		*known = true;
	}
	CLAIM(ACCEL_HW_DESC_TYPE(desc) == ACCEL_HW_DESC_TYPE_FRAGMENT);
	CLAIM((desc & ACCEL_HW_DESC2_RESERVED) == 0);
	CLAIM(ACCEL_HW_DESC2_LEN(desc) != 0);
	return desc;
}

static uint64_t
fragment_at(uint64_t desc, uint64_t region, bool known)
{
	const uint64_t low = desc & ACCEL_HW_DESC_LOW_MASK;

	CLAIM(known);
	CLAIM(low + ACCEL_HW_DESC2_LEN(desc) <= ACCEL_HW_DESC_REGION_SIZE);
	return region | low;
}

/* Where the command is (manual 6.1, 6.8). */
static const struct accel_hw_command *
command_of(const struct queue *q, uint64_t desc)
{
	const uint64_t low = desc & ACCEL_HW_DESC_LOW_MASK;
	uint64_t iova;

	if ((q->at.command_base & ACCEL_HW_QP_COMMAND_BASE_VALID) != 0)
		iova = (q->at.command_base & ~ACCEL_HW_QP_COMMAND_BASE_VALID) +
		       (uint64_t)(q->asked & (q->at.command_size - 1)) *
			       sizeof(struct accel_hw_command);
	else if ((q->at.command_upper & ACCEL_HW_QP_COMMAND_UPPER_VALID) != 0)
		iova = q->at.command_upper << ACCEL_HW_DESC_REGION_SHIFT | low;
	else
		iova = fragment_at(desc, q->tx_region, q->tx_known);
	CLAIM(world_has((const void *)(uintptr_t)iova, sizeof(struct accel_hw_command)));
	return (const struct accel_hw_command *)(uintptr_t)iova;
}

/* The driver's record of an operation says whose the request is. */
static struct call *
call_of(const struct queue *q, uint32_t tag)
{
	const struct accel_qp *qp = NULL;
	const struct accel_inflight *entry;
	unsigned int n = q->id % ACCEL_DT_PK_QP;

	if (q->id == ACCEL_DT_OWN_QP || liar.cryptodev == NULL)
		return NULL;
	qp = liar.cryptodev->data->queue_pairs[n];
	if (q->id >= ACCEL_DT_PK_QP && qp != NULL)
		qp = qp->companion;
	if (qp == NULL)
		return NULL;
	entry = &qp->inflight[tag & qp->desc_mask];
	if (accel_op_is_raw(entry->op))
		return liar.find((uintptr_t)((const struct accel_raw_slot *)
					     (entry->op & ~ACCEL_OP_KIND))->user_data, true);
	return liar.find(entry->op & ~ACCEL_OP_KIND, false);
}

static void
read_result(struct queue *q, struct request *r, uint32_t end)
{
	unsigned int n = 0;
	uint64_t desc;

	do {
		desc = next_desc(q->at.rx_base, q->at.rx_size, &q->rx, end, &q->rx_region,
				 &q->rx_known);
		CLAIM((desc & ACCEL_HW_DESC2_COMMAND) == 0);
		CLAIM(n++ < FRAGMENTS);
		uint8_t *va = reach(r->call, fragment_at(desc, q->rx_region, q->rx_known),
				    ACCEL_HW_DESC2_LEN(desc), true);

		r->produced += ACCEL_HW_DESC2_LEN(desc);
		if (va != NULL && r->nb_rx < RTE_DIM(r->rx)) {
			r->rx[r->nb_rx].va = va;
			r->rx[r->nb_rx++].len = ACCEL_HW_DESC2_LEN(desc);
		}
	} while ((desc & ACCEL_HW_DESC2_NEXT) != 0);
}

static void
read_request(struct queue *q, uint32_t tx_end, uint32_t rx_end)
{
	struct request *r = &q->request[q->asked % REQUESTS];
	const struct accel_hw_command *command;
	unsigned int n = 1;
	uint64_t desc;

	memset(r, 0, sizeof(*r));
	desc = next_desc(q->at.tx_base, q->at.tx_size, &q->tx, tx_end, &q->tx_region, &q->tx_known);
	CLAIM((desc & ACCEL_HW_DESC2_COMMAND) != 0);
	CLAIM(ACCEL_HW_DESC2_LEN(desc) == sizeof(*command));
	command = command_of(q, desc);
	r->tag = rte_le_to_cpu_32(command->tag);
	r->call = call_of(q, r->tag);
	CLAIM(q->id == ACCEL_DT_OWN_QP || r->call != NULL);
	CLAIM(r->call == NULL || (r->call->held && !r->call->asked));
	if (r->call != NULL)
		r->call->asked = true;
	CLAIM((command->flags & ~ACCEL_HW_CMD_FLAGS) == 0);
	CLAIM((command->flags & ACCEL_HW_CMD_AAD_IN_COMMAND) == 0 ||
	      (liar.dev->dt.aad_in_command &&
	       rte_le_to_cpu_16(command->aad_len) - 1u < sizeof(command->auth_iv)));
	if (command->opcode == ACCEL_HW_OP_SYM || command->opcode == ACCEL_HW_OP_PK) {
		CLAIM(world_has((const void *)(uintptr_t)rte_le_to_cpu_64(command->context), 64));
		CLAIM(rte_le_to_cpu_32(command->generation) != 0);
		CLAIM(*(const uint32_t *)(uintptr_t)rte_le_to_cpu_64(command->context) ==
		      command->generation);
	}
	while ((desc & ACCEL_HW_DESC2_NEXT) != 0) {
		desc = next_desc(q->at.tx_base, q->at.tx_size, &q->tx, tx_end, &q->tx_region,
				 &q->tx_known);
		CLAIM((desc & ACCEL_HW_DESC2_COMMAND) == 0);
		CLAIM(n++ < FRAGMENTS);
		reach(r->call, fragment_at(desc, q->tx_region, q->tx_known),
		      ACCEL_HW_DESC2_LEN(desc), false);
	}
	if ((command->flags & ACCEL_HW_CMD_NO_RX) == 0)
		read_result(q, r, rx_end);
	r->loaded = true;
	q->asked++;
	CLAIM(q->asked - q->back <= REQUESTS / 2);
}

void
liar_read_requests(struct queue *q)
{
	const uint64_t doorbell = rte_le_to_cpu_64(host_page(q)->doorbell);
	const uint32_t tx = (uint32_t)doorbell, rx = (uint32_t)(doorbell >> 32);

	CLAIM(tx < q->at.tx_size && rx < q->at.rx_size);
	while (q->tx != tx)
		read_request(q, tx, rx);
	CLAIM(q->rx == rx); /* each result frame belongs to a request */
}

/*
 * What the driver may believe.
 */

/* Looks which requests have an answer now. */
void
liar_note_answers(struct queue *q)
{
	uint32_t covered, n;

	if (!q->latched || !has_access())
		return;
	covered = (line(q)->rsp_hhp - q->back) & (q->at.rsp_size - 1);
	if (line(q)->rsp_hhp >= q->at.rsp_size)
		covered = 0;
	/* The driver may have enqueued more than the device has read: it believes the pointer. */
	covered = RTE_MIN(covered, q->asked - q->back);
	for (n = q->back; n != q->back + covered; n++) {
		struct call *call = q->request[n % REQUESTS].call;

		if (call == NULL || !q->wrote[n & (q->at.rsp_size - 1)] ||
		    response(q, n)->tag != q->request[n % REQUESTS].tag)
			continue;
		call->answered = true;
		if (response(q, n)->status == ACCEL_HW_OK)
			call->succeeded = true;
		else
			call->failed_too = true;
	}
}

void
liar_note_all(void)
{
	unsigned int i;

	for (i = 0; i < LIAR_QUEUES; i++)
		liar_note_answers(&liar.queue[i]);
}
