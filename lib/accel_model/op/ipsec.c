/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of ESP and AH: see ipsec.h. The checks are in the order of manual 7.4.
 */
#include "bus/bus.h"
#include "op/ipsec.h"
#include "op/ipsec_work.h"
#include "op/op_span.h"

/* Check 6. */
static bool
fields_ok(const struct ipsec_sa *sa, const struct accel_hw_command *cmd)
{
	const uint32_t skip = sa->outbound ? ACCEL_HW_IPSEC_CMD_IP_CHECKSUM |
						     ACCEL_HW_IPSEC_CMD_L4_CHECKSUM :
					     ACCEL_HW_IPSEC_CMD_KEEP_PLACE;

	return (cmd->flags & ~ACCEL_HW_CMD_NO_RX) == 0 && (cmd->auth_len | cmd->aad_len) == 0 &&
	       (cmd->skip & ~skip) == 0;
}

/* Checks 6 to 8. */
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

/*
 * True if ESP may work in the host's memory: the whole packet lies in one piece, the payload keeps
 * its place, and nothing has to be read of it but its ends. Checksums, AH, and numbers that do not
 * fit into the ICV's place for the time of the job want a copy.
 */
static bool
in_place(const struct op *op, const struct ipsec_sa *sa)
{
	const uint32_t checksums = ACCEL_HW_IPSEC_CMD_IP_CHECKSUM | ACCEL_HW_IPSEC_CMD_L4_CHECKSUM;
	const uint8_t *from = op->input_at[0], *to = op->output_at[0];

	if (op->tx.runs != 1 || op->rx.runs != 1 || from == NULL || to == NULL ||
	    sa->kind != ACCEL_HW_KIND_ESP || ipsec_has(sa, ACCEL_HW_IPSEC_L4_CHECKSUM))
		return false;
	if (ipsec_has(sa, ACCEL_HW_IPSEC_ESN) &&
	    (sa->form == IPSEC_FORM_GMAC || sa->icv_len < ESN_LEN))
		return false;
	if (sa->outbound)
		return to + ipsec_esp_front(sa) == from && (op->cmd.skip & checksums) == 0 &&
		       !ipsec_has(sa, ACCEL_HW_IPSEC_IP_CHECKSUM);
	return to == from && (op->cmd.skip & ACCEL_HW_IPSEC_CMD_KEEP_PLACE) != 0;
}

/* Read the first bytes of the packet into @p head, and work in place. false: the headers do not end
 * there. */
static bool
take_in_place(const struct op *op, struct ipsec_source *source, uint8_t *head)
{
	memcpy(head, op->input_at[0], source->len < IPSEC_HEAD ? source->len : IPSEC_HEAD);
	source->head = head;
	source->data = op->input_at[0];
	return source->len < IP6_HEADER || head[0] >> 4 != 6 ||
	       (!ip_is_extension(head[IP6_NEXT]) && head[IP6_NEXT] != IP_FRAGMENT);
}

/* Copy the packet, with room around it. */
static bool
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
	const struct ipsec_sa *sa = &ctx->parts->sa;
	enum accel_hw_status status = check(op, sa);
	struct ipsec_source source = { .len = op->cmd.cipher_len };
	uint8_t head[IPSEC_HEAD], flags = OP_IPSEC;
	struct state state;

	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		return;
	}
	if (!in_place(op, sa) || !take_in_place(op, &source, head)) {
		flags |= OP_BOUNCED;
		if (!take_copy(tools, access, op, &source)) {
			op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
			return;
		}
	}
	if (!state_find(&sa->rules, &access->view, op->cmd.context, &state)) {
		op_fail_access(access, op, ACCEL_HW_FAULT_CONTEXT);
		return;
	}
	if (unlikely(tools->bus != NULL))
		bus_state(tools->bus,
			  op->cmd.context + offsetof(struct accel_hw_ipsec_context, state));
	status = sa->outbound ? ipsec_out_begin(tools, op, sa, &state, &source) :
				ipsec_in_begin(op, sa, &state, &source);
	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		if (status == ACCEL_HW_OUTPUT_TOO_SMALL)
			return;
		op->bytes_in = source.len; /* it has passed the checks 1 to 9 (manual 5.2) */
		op->source = source.len;
		return;
	}
	op_begin(tools, op, ctx, op->tx.bytes, 0, flags);
	ipsec_job_submit(op, ctx, sa);
}

/* The end. */

static bool
put_result(struct op_access *access, const struct op *op, const uint8_t *from, uint32_t len)
{
	struct span out = span_of(&op->rx);

	if ((op->flags & OP_BOUNCED) == 0)
		return true; /* it is there */
	return span_skip(&out, op->ipsec.info & ACCEL_HW_IPSEC_INFO_OFFSET) &&
	       span_write(&access->view, &out, from, len);
}

/* A number that was taken is not given back. */
static enum accel_hw_status
end_outbound(struct op_access *access, struct op *op, struct state *state, uint32_t *len)
{
	const struct ipsec_sa *sa = &op->ctx->parts->sa;
	enum accel_hw_fault_access what = ACCEL_HW_FAULT_INPUT;

	*len = ipsec_out_len(op, sa);
	if (ipsec_out_end(access, op, sa)) {
		if (put_result(access, op, op->ipsec.packet, *len))
			return ACCEL_HW_OK;
		what = ACCEL_HW_FAULT_RESULT;
	}
	op_report_fault(access, op, what);
	state_count(state, ACCEL_HW_DMA_FAULT);
	return ACCEL_HW_DMA_FAULT;
}

/* The number is entered when the result is there, as a packet that is not there may come again. */
static enum accel_hw_status
end_inbound(struct op_access *access, struct op *op, struct state *state, uint32_t *len)
{
	const struct ipsec_sa *sa = &op->ctx->parts->sa;
	enum accel_hw_status status;
	bool written, soft = false;
	uint8_t *at = NULL;

	status = ipsec_in_end(access, op, sa, &at, len);
	if (status == ACCEL_HW_OK) {
		written = put_result(access, op, at, *len);
		status = state_enter(&sa->rules, state, op->ipsec.number, *len, written, &soft);
		if (soft)
			op->ipsec.info |= ACCEL_HW_IPSEC_INFO_SOFT;
		if (status == ACCEL_HW_DMA_FAULT)
			op_report_fault(access, op, ACCEL_HW_FAULT_RESULT);
		return status;
	}
	if (status == ACCEL_HW_DMA_FAULT)
		op_report_fault(access, op, ACCEL_HW_FAULT_INPUT);
	state_count(state, status);
	return status;
}

void
ipsec_end(struct op_tools *tools, struct op_access *access, struct op *op)
{
	const struct ipsec_sa *sa = &op->ctx->parts->sa;
	enum accel_hw_status status = op->job.status;
	struct state state;
	uint32_t len = 0;

	if (!state_find(&sa->rules, &access->view, op->cmd.context, &state)) {
		op_report_fault(access, op, ACCEL_HW_FAULT_CONTEXT);
		status = ACCEL_HW_DMA_FAULT;
	} else if (status != ACCEL_HW_OK) {
		state_count(&state, status);
	} else if (sa->outbound) {
		status = end_outbound(access, op, &state, &len);
	} else {
		status = end_inbound(access, op, &state, &len);
	}
	if (status != ACCEL_HW_OK) {
		op->ipsec.info = 0;
		len = 0;
	}
	op->job.status = (uint16_t)status;
	op_end(tools, op, len, op->flags & OP_BOUNCED);
}
