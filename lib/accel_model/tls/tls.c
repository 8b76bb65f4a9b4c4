/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One operation on a TLS record: see tls.h.
 */
#include <string.h>

#include "op/op_span.h"
#include "tls/tls.h"
#include "tls/tls_state.h"

/* In front of the copy there is room for additional data of an AEAD or MAC, or for header and
 * explicit IV. */
#define ROOM_BEFORE 64u

static_assert(ROOM_BEFORE >= ACCEL_HW_DTLS_HEADER + ACCEL_HW_IV_MAX, "room for both");

/* Holds what an operation knows of its record. It lies in front of the copy in the arena. */
struct tls_work {
	struct tls_header header;
	uint8_t *text; /* the content and what is enciphered with it */
	uint32_t len; /* bytes of text, without MAC or tag of an AEAD */
	bool soft; /* write: a soft limit is reached */
	uint8_t aad[TLS_AAD_MAX];
};

/* Says what an operation asks for, and how much room its result takes. */
struct tls_plan {
	uint32_t source;
	uint32_t padding; /* write */
	uint32_t record; /* write: bytes of the record */
	uint64_t room; /* bytes that the result frame shall have */
};

/* The functions below make the checks of manual 7.4 before the input is read. */

static bool
command_ok(const struct tls *tls, const struct accel_hw_command *cmd)
{
	const uint32_t extra = cmd->skip >> ACCEL_HW_TLS_CMD_PADDING_SHIFT;
	uint32_t known = ACCEL_HW_TLS_CMD_KEEP_PLACE;

	if ((cmd->flags & ~ACCEL_HW_CMD_NO_RX) != 0 || (cmd->auth_len | cmd->aad_len) != 0)
		return false;
	if (tls->encrypt)
		known = ACCEL_HW_TLS_CMD_TYPE |
			(tls_pads(tls) ? UINT32_MAX << ACCEL_HW_TLS_CMD_PADDING_SHIFT : 0);
	return (cmd->skip & ~known) == 0 && (extra == 0 || tls->encrypt);
}

static bool
keeps_place(const struct accel_hw_command *cmd)
{
	return (cmd->skip & ACCEL_HW_TLS_CMD_KEEP_PLACE) != 0;
}

static struct tls_plan
plan(const struct tls *tls, const struct accel_hw_command *cmd)
{
	struct tls_plan p = { .source = cmd->cipher_len };

	if (!tls->encrypt) {
		p.room = tls_content_max(tls, p.source);
		if (keeps_place(cmd) && p.room > 0)
			p.room += (uint64_t)tls->header + tls->iv_len;
		return p;
	}
	if (p.source <= ACCEL_HW_TLS13_CONTENT_MAX || tls->kind != ACCEL_HW_KIND_TLS13)
		p.padding = tls_padding(tls, p.source, cmd->skip >> ACCEL_HW_TLS_CMD_PADDING_SHIFT);
	p.record = tls_record_len(tls, p.source, p.padding);
	p.room = p.record;
	return p;
}

static enum accel_hw_status
check(const struct tls *tls, const struct op *op, struct tls_plan *p)
{
	if (!command_ok(tls, &op->cmd))
		return ACCEL_HW_BAD_COMMAND;
	if (op->tx.bytes != op->cmd.cipher_len)
		return ACCEL_HW_BAD_LENGTH;
	*p = plan(tls, &op->cmd);
	return op->rx.bytes < p->room ? ACCEL_HW_OUTPUT_TOO_SMALL : ACCEL_HW_OK;
}

/* The functions below make jobs. */

/* Compute the MAC of additional data and of the text that follows them. The MAC is there on return.
 */
static void
run_mac(struct engine_ctx *ctx, struct engine_job *job, uint8_t *at, uint32_t len, uint8_t *mac)
{
	*job = (struct engine_job){
		.src = at,
		.aad = at,
		.src_len = len,
		.auth_len = len,
		.digest_in = mac,
		.digest_out = mac,
	};
	engine_run(ctx, job);
}

static void
submit_cipher(struct engine_ctx *ctx, struct engine_job *job, const uint8_t *iv, uint32_t iv_len,
	      uint8_t *text, uint32_t len)
{
	*job = (struct engine_job){
		.src = text,
		.dst = text,
		.aad = text,
		.src_len = len,
		.cipher_len = len,
	};
	memcpy(job->iv, iv, iv_len);
	engine_submit(ctx, job);
}

static void
submit_aead(const struct tls *tls, struct engine_ctx *ctx, struct engine_job *job,
	    struct tls_work *w, const uint8_t *record, uint32_t content)
{
	const bool tls13 = tls->kind == ACCEL_HW_KIND_TLS13;

	*job = (struct engine_job){
		.src = w->text,
		.dst = w->text,
		.src_len = w->len,
		.cipher_len = w->len,
		.digest_in = w->text + w->len,
		.digest_out = w->text + w->len,
		.aad = tls13 ? record : w->aad,
		.aad_len = tls13 ? tls->header :
				   tls_put_aad(tls, w->header.type, w->header.number, content,
					       w->aad),
	};
	tls_put_nonce(tls, w->header.number, record + tls->header, job->iv);
	engine_submit(ctx, job);
}

/* The functions below write records. */

static bool
put_iv(struct op_tools *tools, const struct tls *tls, const struct op *op, uint64_t number,
       uint8_t *to)
{
	if (tls->iv_given)
		memcpy(to, op->cmd.iv, tls->iv_len);
	else if (!tls->aead)
		return iv_random_take(&tools->random, to, tls->iv_len);
	else if (tls->iv_len > 0)
		tls_put_counted_iv(tls, number, to);
	return true;
}

/* Compute the MAC, add the padding, and submit the cipher. The MAC's additional data lie where the
 * header and the IV are written later. */
static void
write_mac_and_cipher(struct op_tools *tools, const struct tls_session *s, struct op *op,
		     const struct ctx_parts *parts, const struct tls_plan *p)
{
	const struct tls *tls = &s->tls;
	struct tls_work *w = (struct tls_work *)(void *)op->digest_to;
	uint8_t *const record = w->text - tls->iv_len - tls->header;
	uint8_t *const aad = w->text - TLS_AAD_MAX;
	uint8_t *const mac = w->text + p->source;

	tls_put_aad(tls, w->header.type, w->header.number, p->source, aad);
	run_mac(parts->auth, &op->job, aad, TLS_AAD_MAX + p->source, mac);
	if (p->padding > 0)
		tls_put_padding(mac + tls->digest, p->padding);
	tls_put_header(tls, w->header.type, w->header.number, p->record - tls->header, record);
	if (op->job.status == ACCEL_HW_OK &&
	    !put_iv(tools, tls, op, w->header.number, record + tls->header))
		op->job.status = ACCEL_HW_ENGINE_ERROR;
	if (op->job.status == ACCEL_HW_OK && parts->cipher != NULL)
		submit_cipher(parts->cipher, &op->job, record + tls->header, tls->iv_len, w->text,
			      w->len);
}

static void
write_aead(struct op_tools *tools, const struct tls_session *s, struct op *op,
	   const struct ctx_parts *parts, const struct tls_plan *p)
{
	const struct tls *tls = &s->tls;
	struct tls_work *w = (struct tls_work *)(void *)op->digest_to;
	uint8_t *const record = w->text - tls->iv_len - tls->header;

	if (tls->kind == ACCEL_HW_KIND_TLS13) {
		w->text[p->source] = w->header.type;
		memset(w->text + p->source + 1, 0, p->padding);
	}
	tls_put_header(tls, w->header.type, w->header.number, p->record - tls->header, record);
	put_iv(tools, tls, op, w->header.number, record + tls->header);
	submit_aead(tls, parts->cipher, &op->job, w, record, p->source);
}

/* The functions below read records. */

static void
read_record(const struct tls_session *s, struct op *op, const struct ctx_parts *parts,
	    const uint8_t *record)
{
	const struct tls *tls = &s->tls;
	struct tls_work *w = (struct tls_work *)(void *)op->digest_to;
	uint8_t *const aad = w->text - TLS_AAD_MAX;

	if (tls->aead) {
		submit_aead(tls, parts->cipher, &op->job, w, record, w->len);
	} else if (s->mac != NULL) {
		submit_cipher(parts->cipher, &op->job, record + tls->header, tls->iv_len, w->text,
			      w->len);
	} else { /* NULL cipher: the additional data take the place of the header */
		tls_put_aad(tls, w->header.type, w->header.number, w->len, aad);
		run_mac(parts->auth, &op->job, aad, TLS_AAD_MAX + w->len, w->text + w->len);
	}
}

/* The functions below begin operations. */

/* Return the bytes of the text, with padding and type, without a tag. The MAC counts if it is
 * enciphered. */
static uint32_t
text_len(const struct tls *tls, const struct tls_plan *p)
{
	const uint32_t record = tls->encrypt ? p->record : p->source;
	const bool ciphered_mac = tls->block > 1;

	return record - tls->header - tls->iv_len - (ciphered_mac ? 0 : tls->digest);
}

/* Do the checks 1 to 5 of manual 8.7, and take a number. */
static enum accel_hw_status
enter(const struct tls_session *s, struct op *op, struct state *state, const uint8_t *source)
{
	struct tls_work *w = (struct tls_work *)(void *)op->digest_to;
	const uint32_t len = op->cmd.cipher_len;
	enum accel_hw_status status;

	if (!s->tls.encrypt) {
		status = tls_parse(&s->tls, source, len, &w->header);
		return tls_state_receive(s, state, status, &w->header.number);
	}
	w->header.type = (uint8_t)(op->cmd.skip & ACCEL_HW_TLS_CMD_TYPE);
	status = tls_check_content(&s->tls, w->header.type, len);
	return tls_state_send(s, state, status, len, &w->header.number, &w->soft);
}

static void
begin(struct op_tools *tools, const struct tls_session *s, struct op *op,
      const struct ctx_parts *parts, const struct tls_plan *p, const uint8_t *source)
{
	struct tls_work *w = (struct tls_work *)(void *)op->digest_to;

	w->len = text_len(&s->tls, p);
	if (!s->tls.encrypt)
		read_record(s, op, parts, source);
	else if (s->tls.aead)
		write_aead(tools, s, op, parts, p);
	else
		write_mac_and_cipher(tools, s, op, parts, p);
}

bool
tls_begin(struct op_tools *tools, struct op_access *access, struct op *op, struct ctx_entry *ctx)
{
	const struct tls_session *s = ctx->parts->tls;
	struct tls_plan p = { 0 };
	enum accel_hw_status status = check(&s->tls, op, &p);
	struct span in = span_of(&op->tx);
	struct tls_work *w;
	struct state *state = &ctx->parts->tls->state;
	uint8_t *source;

	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		return true;
	}
	if (!arena_can_grow(tools, p.record))
		return false;
	w = (struct tls_work *)(void *)arena_get(tools, sizeof(*w) + ROOM_BEFORE + p.source +
							       p.record + ACCEL_HW_DIGEST_MAX);
	source = (uint8_t *)(w + 1) + ROOM_BEFORE;
	op->digest_to = (uint8_t *)w;
	*w = (struct tls_work){ .text = source };
	if (!s->tls.encrypt)
		w->text += s->tls.header + s->tls.iv_len;
	if (!span_read(&access->view, &in, source, p.source)) {
		op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
		return true;
	}
	if (!state_find(&s->rules, &access->view, op->cmd.context, state)) {
		op_fail_access(access, op, ACCEL_HW_FAULT_CONTEXT);
		return true;
	}
	status = enter(s, op, state, source);
	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		op->bytes_in = p.source; /* the operation has passed checks 1 to 9 (manual 5.2) */
		op->source = p.source;
		return true;
	}
	op->ipsec.info = 0;
	op_begin(tools, op, ctx, p.source, 0, OP_BOUNCED | OP_TLS);
	begin(tools, s, op, ctx->parts, &p, source);
	return true;
}

/* The functions below end operations. */

/* Open the content of a record that was received, and do checks 6 and 7. */
static uint16_t
open_content(const struct tls_session *s, const struct op *op, struct tls_work *w)
{
	const struct tls *tls = &s->tls;
	uint16_t status = op->job.status;

	if (status == ACCEL_HW_OK && s->mac != NULL)
		status = tls_mac_open(s->mac, tls, &w->header, w->text, w->len, &w->len);
	if (status != ACCEL_HW_OK)
		return status;
	if (tls->kind == ACCEL_HW_KIND_TLS13 &&
	    !tls_open_inner(w->text, &w->len, &w->header.type))
		return ACCEL_HW_MALFORMED;
	return (uint16_t)tls_check_content(tls, w->header.type, w->len);
}

static uint16_t
finish_read(struct op_access *access, struct op *op, const struct tls_session *s,
	    struct state *state)
{
	struct tls_work *w = (struct tls_work *)(void *)op->digest_to;
	const uint32_t place = keeps_place(&op->cmd) ? (uint32_t)s->tls.header + s->tls.iv_len : 0;
	struct span out = span_of(&op->rx);
	uint16_t status = open_content(s, op, w);
	bool written = true, soft = false;

	if (status != ACCEL_HW_OK) {
		state_count(state, (enum accel_hw_status)status);
		return status;
	}
	if (w->len > 0) {
		written = span_skip(&out, place) &&
			  span_write(&access->view, &out, w->text, w->len);
	}
	status = (uint16_t)tls_state_received(s, state, w->header.number, w->len, written, &soft);
	if (!written && status == ACCEL_HW_DMA_FAULT)
		op_report_fault(access, op, ACCEL_HW_FAULT_RESULT);
	if (status == ACCEL_HW_OK)
		op->ipsec.info = (uint16_t)(w->header.type |
					    place << ACCEL_HW_TLS_INFO_OFFSET_SHIFT |
					    (soft ? ACCEL_HW_TLS_INFO_SOFT : 0));
	op->out = w->len;
	return status;
}

static uint16_t
finish_write(struct op_access *access, struct op *op, const struct tls_session *s,
	     struct state *state)
{
	struct tls_work *w = (struct tls_work *)(void *)op->digest_to;
	const uint32_t before = (uint32_t)s->tls.header + s->tls.iv_len;
	const uint32_t tag = s->tls.block > 1 ? 0 : s->tls.digest;
	struct span out = span_of(&op->rx);
	uint16_t status = op->job.status;

	op->out = before + w->len + tag;
	if (status == ACCEL_HW_OK && !span_write(&access->view, &out, w->text - before, op->out)) {
		op_report_fault(access, op, ACCEL_HW_FAULT_RESULT);
		status = ACCEL_HW_DMA_FAULT;
	}
	if (status != ACCEL_HW_OK)
		state_count(state, (enum accel_hw_status)status);
	else if (w->soft)
		op->ipsec.info = ACCEL_HW_TLS_INFO_SOFT;
	return status;
}

void
tls_end(struct op_tools *tools, struct op_access *access, struct op *op)
{
	const struct tls_session *s = op->ctx->parts->tls;
	struct state *state = &op->ctx->parts->tls->state;

	if (!state_find(&s->rules, &access->view, op->cmd.context, state)) {
		op_report_fault(access, op, ACCEL_HW_FAULT_CONTEXT);
		op->job.status = ACCEL_HW_DMA_FAULT;
	} else if (s->tls.encrypt) {
		op->job.status = finish_write(access, op, s, state);
	} else {
		op->job.status = finish_read(access, op, s, state);
	}
	op_end(tools, op, op->job.status == ACCEL_HW_OK ? op->out : 0, OP_BOUNCED);
	op->outcome |= (uint32_t)op->ipsec.info << 16;
}
