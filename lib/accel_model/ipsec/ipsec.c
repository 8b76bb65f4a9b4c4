/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of ESP and AH: see ipsec.h. The checks are in the order of manual 7.4.
 */
#include "bus/bus.h"
#include "ipsec/ipsec.h"
#include "ipsec/ipsec_work.h"
#include "op/op_span.h"

/* Do check 6 of manual 7.4. */
static bool
fields_ok(const struct ipsec_sa *sa, const struct accel_hw_command *cmd)
{
	const uint32_t skip = sa->outbound ? ACCEL_HW_IPSEC_CMD_IP_CHECKSUM |
						     ACCEL_HW_IPSEC_CMD_L4_CHECKSUM :
					     ACCEL_HW_IPSEC_CMD_KEEP_PLACE;

	return (cmd->flags & ~ACCEL_HW_CMD_NO_RX) == 0 && (cmd->auth_len | cmd->aad_len) == 0 &&
	       (cmd->skip & ~skip) == 0;
}

/* Do the checks 6 to 8 of manual 7.4. */
static enum accel_hw_status
check(const struct op *op, const struct ipsec_sa *sa)
{
	const uint32_t len = op->cmd.cipher_len;

	if (!fields_ok(sa, &op->cmd))
		return ACCEL_HW_BAD_COMMAND;
	if (op->tx.bytes != len)
		return ACCEL_HW_BAD_LENGTH;
	if (op->rx.bytes < (sa->outbound ? ipsec_out_room(sa, len) : len))
		return ACCEL_HW_OUTPUT_TOO_SMALL;
	return ACCEL_HW_OK;
}

/* True if ESP may work in the host's memory: the SA lets it, the whole packet lies in one piece,
 * and the payload keeps its place. */
static bool
in_place(const struct op *op, const struct ipsec_sa *sa)
{
	const uint32_t checksums = ACCEL_HW_IPSEC_CMD_IP_CHECKSUM | ACCEL_HW_IPSEC_CMD_L4_CHECKSUM;
	const uint8_t *from = op->input_at[0], *to = op->output_at[0];

	if (!sa->may_stay || op->tx.runs != 1 || op->rx.runs != 1 || from == NULL || to == NULL)
		return false;
	if (sa->outbound)
		return to + sa->front == from && (op->cmd.skip & checksums) == 0;
	return to == from && (op->cmd.skip & ACCEL_HW_IPSEC_CMD_KEEP_PLACE) != 0;
}

/* Read the first bytes of the packet into @p head, and prepare to work in place. Return false if
 * the headers may not end within these bytes. */
static bool
take_in_place(const struct op *op, const struct ipsec_sa *sa, struct ipsec_source *source,
	      uint8_t *head)
{
	if (sa->outbound)
		ipsec_copy_head(head, op->input_at[0], source->len, IPSEC_HEAD_OUTBOUND);
	else
		ipsec_copy_head(head, op->input_at[0], source->len, IPSEC_HEAD);
	source->head = head;
	source->data = op->input_at[0];
	return source->len < IP6_HEADER || head[0] >> 4 != 6 ||
	       (!ip_is_extension(head[IP6_NEXT]) && head[IP6_NEXT] != IP_FRAGMENT);
}

/* Copy the packet, with room around it. */
static __attribute__((noinline)) bool
take_copy(struct op_tools *tools, struct op_access *access, const struct op *op,
	  struct ipsec_source *source)
{
	struct span in = span_of(&op->tx);

	source->data = arena_get(tools, IPSEC_HEADROOM + source->len + IPSEC_TAILROOM);
	source->data += IPSEC_HEADROOM;
	source->head = source->data;
	return span_read(&access->view, &in, source->data, source->len);
}

void
ipsec_begin(struct op_tools *tools, struct op_access *access, struct op *op,
	    struct ctx_entry *ctx)
{
	struct ipsec_sa *sa = &ctx->parts->sa;
	enum accel_hw_status status = check(op, sa);
	struct ipsec_source source = { .len = op->cmd.cipher_len };
	uint8_t head[IPSEC_HEAD], flags = OP_IPSEC;

	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		return;
	}
	if (!in_place(op, sa) || !take_in_place(op, sa, &source, head)) {
		flags |= OP_BOUNCED;
		if (!take_copy(tools, access, op, &source)) {
			op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
			return;
		}
	}
	if (!state_find(&sa->rules, &access->view, op->cmd.context, &sa->state)) {
		op_fail_access(access, op, ACCEL_HW_FAULT_CONTEXT);
		return;
	}
	if (unlikely(tools->bus != NULL))
		bus_state(tools->bus,
			  op->cmd.context + offsetof(struct accel_hw_ipsec_context, state));
	status = sa->outbound ? ipsec_out_begin(tools, op, sa, &source) :
				ipsec_in_begin(op, sa, &source);
	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		if (status == ACCEL_HW_OUTPUT_TOO_SMALL)
			return;
		op->bytes_in = source.len; /* the operation has passed checks 1 to 9 (manual 5.2) */
		op->source = source.len;
		return;
	}
	op_begin(tools, op, ctx, op->tx.bytes, 0, flags);
	ipsec_job_submit(op, ctx, sa);
}

/* The functions below end operations. */

/* Write the output that was made on a copy. An operation in place has its output there already. */
static __attribute__((noinline)) bool
scatter_result(struct op_access *access, const struct op *op, const uint8_t *from, uint32_t len)
{
	struct span out = span_of(&op->rx);

	return span_skip(&out, op->ipsec.info & ACCEL_HW_IPSEC_INFO_OFFSET) &&
	       span_write(&access->view, &out, from, len);
}

static ALWAYS_INLINE bool
put_result(struct op_access *access, const struct op *op, const uint8_t *from, uint32_t len)
{
	return (op->flags & OP_BOUNCED) == 0 || scatter_result(access, op, from, len);
}

/* End an outbound operation. A number that was taken is not given back if this fails. */
static enum accel_hw_status
end_outbound(struct op_access *access, struct op *op, struct ipsec_sa *sa, uint32_t *len)
{
	enum accel_hw_fault_access what = ACCEL_HW_FAULT_INPUT;

	*len = ipsec_out_len(op, sa);
	if (likely(ipsec_out_end(access, op, sa))) {
		if (likely(put_result(access, op, op->ipsec.packet, *len)))
			return ACCEL_HW_OK;
		what = ACCEL_HW_FAULT_RESULT;
	}
	op_report_fault(access, op, what);
	state_count(&sa->state, ACCEL_HW_DMA_FAULT);
	return ACCEL_HW_DMA_FAULT;
}

/* End an inbound operation. Its number is entered after the result was written. If the result
 * cannot be written, the number is not entered, because the packet may come again. */
static enum accel_hw_status
end_inbound(struct op_access *access, struct op *op, struct ipsec_sa *sa, uint32_t *len)
{
	enum accel_hw_status status;
	bool written, soft = false;
	uint8_t *at = NULL;

	status = ipsec_in_end(access, op, sa, &at, len);
	if (likely(status == ACCEL_HW_OK)) {
		written = put_result(access, op, at, *len);
		status = state_enter(&sa->rules, &sa->state, op->ipsec.number, *len, written,
				     &soft);
		if (soft)
			op->ipsec.info |= ACCEL_HW_IPSEC_INFO_SOFT;
		if (status == ACCEL_HW_DMA_FAULT)
			op_report_fault(access, op, ACCEL_HW_FAULT_RESULT);
		return status;
	}
	if (status == ACCEL_HW_DMA_FAULT)
		op_report_fault(access, op, ACCEL_HW_FAULT_INPUT);
	state_count(&sa->state, status);
	return status;
}

void
ipsec_end(struct op_tools *tools, struct op_access *access, struct op *op)
{
	struct ipsec_sa *sa = &op->ctx->parts->sa;
	enum accel_hw_status status = op->job.status;
	uint32_t len = 0;

	if (unlikely(!state_find(&sa->rules, &access->view, op->cmd.context, &sa->state))) {
		op_report_fault(access, op, ACCEL_HW_FAULT_CONTEXT);
		status = ACCEL_HW_DMA_FAULT;
	} else if (unlikely(status != ACCEL_HW_OK)) {
		state_count(&sa->state, status);
	} else if (sa->outbound) {
		status = end_outbound(access, op, sa, &len);
	} else {
		status = end_inbound(access, op, sa, &len);
	}
	if (unlikely(status != ACCEL_HW_OK)) {
		op->ipsec.info = 0;
		len = 0;
	}
	op->job.status = (uint16_t)status;
	op_end(tools, op, len, op->flags & OP_BOUNCED);
	op->outcome |= (uint32_t)op->ipsec.info << 16;
}
