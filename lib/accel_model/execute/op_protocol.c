/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What operations of DOCSIS and PDCP have in common: see op_protocol.h.
 */
#include <assert.h>
#include <string.h>

#include "context/protocol.h"
#include "execute/op_protocol.h"
#include "op/op_span.h"

/* Bytes before and after a copy. */
#define HEADROOM ENGINE_PREFIX
#define TAILROOM 96u

static_assert(ACCEL_HW_DIGEST_MAX <= TAILROOM &&
		      ACCEL_HW_PDCP_MAC_LEN + ENGINE_ROOM <= TAILROOM &&
		      HEADROOM + TAILROOM + CACHE_LINE <= ARENA_MARGIN,
	      "room for what engines need");

uint8_t *
op_copy_source(struct op_tools *tools, struct op_access *access, const struct op *op)
{
	const uint8_t *from = op_one_run(&op->tx, op->input_at);
	struct span in = span_of(&op->tx);
	uint8_t *copy = arena_get(tools, HEADROOM + op->tx.bytes + TAILROOM) + HEADROOM;

	if (likely(from != NULL))
		memcpy(copy, from, op->tx.bytes);
	else if (!span_read(&access->view, &in, copy, op->tx.bytes))
		return NULL;
	return copy;
}

/* Write the output from a copy. Return false if the destination is not accessible. */
static bool
write_copy(struct op_access *access, const struct op *op, const uint8_t *copy)
{
	uint8_t *to = op_one_run(&op->rx, op->output_at);
	struct span out = span_of(&op->rx);

	if (unlikely(to == NULL))
		return span_write(&access->view, &out, copy, op->out);
	memcpy(to, copy, op->out);
	return true;
}

void
op_protocol_end(struct op_tools *tools, struct op_access *access, struct op *op)
{
	const uint8_t copied = op->flags & OP_BOUNCED;
	struct engine_job *job = &op->job;
	uint32_t produced = 0;

	if (op->ctx->rules.kind == ACCEL_HW_KIND_DOCSIS)
		job->status = op_docsis_end(op);
	if (likely(job->status <= ACCEL_HW_AUTH_FAILED)) {
		produced = op->out;
		/* AUTH_FAILED stays the status, because a wrong check value is found before the
		 * result is written. What was done in place has its result there. */
		if (copied != 0 && op->digest_to != NULL &&
		    unlikely(!write_copy(access, op, op->digest_to))) {
			op_report_fault(access, op, ACCEL_HW_FAULT_RESULT);
			if (job->status == ACCEL_HW_OK) {
				job->status = ACCEL_HW_DMA_FAULT;
				produced = 0;
			}
		}
	}
	op_end(tools, op, produced, copied);
}
