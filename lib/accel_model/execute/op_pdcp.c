/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * PDCP (manual 8.5; TS 36.323 and 38.323, sections 5.6 to 5.8 and 6.2; TS 33.401, annex B). COUNT
 * and the IVs are made of a PDU's header and the HFN. MAC-I covers the clear PDU, and the cipher
 * covers data and MAC-I. The work is done in place without a MAC, and with one whose prefix the
 * engine takes apart. Else it is done on a copy, which has room for the prefix; a PDU to send is
 * enciphered from there to where it belongs.
 */
#include <string.h>

#include "context/protocol.h"
#include "execute/op_protocol.h"

static ALWAYS_INLINE enum accel_hw_status
check(const struct protocol *p, const struct accel_hw_command *cmd)
{
	if (unlikely((cmd->flags & ~ACCEL_HW_CMD_NO_RX) != 0 ||
		     (cmd->auth_len | cmd->skip | cmd->aad_len) != 0))
		return ACCEL_HW_BAD_COMMAND;
	if (unlikely(cmd->cipher_len < p->least || cmd->cipher_len > p->most))
		return ACCEL_HW_BAD_LENGTH;
	return ACCEL_HW_OK;
}

/* Return COUNT, made of the HFN and the PDU's sequence number (TS 36.323, section 6.3.5). */
static ALWAYS_INLINE uint32_t
count_of(const struct protocol *p, const struct accel_hw_command *cmd, const uint8_t *pdu)
{
	uint32_t hfn, header = 0;

	memcpy(&hfn, cmd->iv, sizeof(hfn)); /* little-endian, see model.h */
	if (p->header == 2) /* the most frequent one */
		header = get_be16(pdu);
	else
		for (unsigned int i = 0; i < p->header; i++)
			header = header << 8 | pdu[i];
	return hfn << p->sn_len | (header & ((1u << p->sn_len) - 1));
}

/* Return the 8 bytes with COUNT and the word of the bearer. */
static ALWAYS_INLINE uint64_t
first_word(const struct protocol *p, uint32_t count)
{
	return __builtin_bswap64((uint64_t)count << 32 | p->bearer);
}

/* Make the IV of authentication (TS 33.401 B.2.2 and B.2.4, TS 35.215 section 4.4, TS 35.221). It
 * has COUNT and FRESH (BEARER), and then both again, each with DIRECTION in one bit. */
static void
auth_iv(const struct protocol *p, uint32_t count, uint8_t *iv)
{
	const uint32_t direction = p->bearer >> 26 & 1, fresh = p->bearer & ~(UINT32_C(1) << 26);

	put_be32(iv, count);
	put_be32(iv + 4, fresh);
	put_be32(iv + 8, count ^ direction << 31);
	put_be32(iv + 12, fresh ^ direction << 15);
}

/* Let authentication cover @p len bytes of a PDU in the clear. MAC-I is behind them: the engine
 * writes it there, where the cipher covers it, or compares it with what was deciphered there. */
static ALWAYS_INLINE void
cover(const struct protocol *p, struct engine_job *job, uint8_t *pdu, uint32_t len, uint32_t count,
      uint64_t prefix)
{
	job->digest_in = pdu + len;
	job->digest_out = pdu + len;
	job->auth_len = len;
	if (likely(p->has_prefix)) { /* (TS 33.401, B.2.3) */
		memcpy(pdu - ENGINE_PREFIX, &prefix, sizeof(prefix));
		job->src -= ENGINE_PREFIX;
		job->cipher_off += ENGINE_PREFIX;
		job->auth_len += ENGINE_PREFIX;
	} else {
		auth_iv(p, count, job->auth_iv);
	}
}

/*
 * Fill in the job, and submit it if there is something to compute. The IV of the cipher is made of
 * COUNT and the word of the bearer (TS 33.401, B.1.2 to B.1.4). EEA1 and EEA3 take both twice, EEA2
 * takes them once.
 *
 * @param pdu the source.
 * @param to where the output begins: @p pdu, or memory beside it.
 * @param has_mac p->has_mac; @p pdu is a copy then.
 */
static ALWAYS_INLINE void
submit(struct op *op, const struct ctx_entry *ctx, uint8_t *pdu, uint8_t *to, const bool has_mac)
{
	const struct protocol *p = &ctx->parts->protocol;
	const uint32_t clear = p->clear, len = op->cmd.cipher_len - p->mac_in;
	const uint32_t count = count_of(p, &op->cmd, pdu);
	const uint64_t word = first_word(p, count);
	const uint64_t iv[2] = { word, word & p->repeated };
	struct engine_job *job = &op->job;

	job->src = pdu;
	job->dst = to + clear;
	job->cipher_off = clear;
	job->cipher_len = p->has_cipher ? len - clear + p->mac_ciphered : 0;
	job->auth_off = 0;
	job->auth_len = 0;
	job->aad_len = 0;
	memcpy(job->iv, &iv[0], sizeof(iv[0]));
	memcpy(job->iv + sizeof(iv[0]), &iv[1], sizeof(iv[1]));
	if (has_mac)
		cover(p, job, pdu, len, count, word);
	else if (p->mac_out != 0)
		memset(pdu + len, 0, ACCEL_HW_PDCP_MAC_LEN); /* EIA0 */
	job->src_len = job->cipher_off + job->cipher_len;
	if (has_mac && job->src_len < job->auth_len)
		job->src_len = job->auth_len;
	if (likely((job->cipher_len | job->auth_len) != 0)) {
		engine_submit(ctx->ctx, job);
	} else {
		job->status = ACCEL_HW_OK;
		job->done = true;
	}
}

/* Fill in the job for a PDU with a MAC in place, and submit it. The engine takes the MAC's prefix
 * from elsewhere. Return false if it does not take that. */
static ALWAYS_INLINE bool
submit_prefixed(struct op *op, const struct ctx_entry *ctx, uint8_t *pdu)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx->ctx;
	const struct protocol *p = &ctx->parts->protocol;
	const uint32_t clear = p->clear, len = op->cmd.cipher_len - p->mac_in;
	const uint64_t word = first_word(p, count_of(p, &op->cmd, pdu));
	const uint64_t iv[2] = { word, 0 };
	struct engine_job *job = &op->job;

	job->ctx = ctx->ctx;
	job->src = pdu;
	job->dst = pdu + clear;
	job->src_len = len + ACCEL_HW_PDCP_MAC_LEN;
	job->cipher_off = clear;
	job->cipher_len = p->has_cipher ? job->src_len - clear : 0;
	job->auth_off = 0;
	job->auth_len = len;
	job->aad_len = 0;
	job->digest_in = pdu + len;
	job->digest_out = pdu + len;
	memcpy(job->iv, iv, sizeof(iv));
	memcpy(job->auth_iv, &word, sizeof(word));
	return header->submit_prefixed(header->engine, job);
}

/* True if the work can be done in place although there is a MAC, as far as the context decides. */
static ALWAYS_INLINE bool
may_stay(const struct ctx_entry *ctx)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx->ctx;

	return ctx->parts->protocol.has_prefix && header->submit_prefixed != NULL;
}

/* Find out where the cipher of a PDU can write its output: where it belongs, or NULL if that is in
 * several runs. What the cipher does not write, which is the header, is copied here. */
static ALWAYS_INLINE uint8_t *
place_output(const struct op *op, const struct protocol *p, const uint8_t *copy)
{
	uint8_t *to = op_one_run(&op->rx, op->output_at);

	if (unlikely(to == NULL || !p->has_cipher))
		return NULL;
	if (unlikely(to != op_one_run(&op->tx, op->input_at))) {
		for (uint32_t i = 0; i < p->clear; i++)
			to[i] = copy[i];
	}
	return to;
}

/* Carry out an operation on a copy, or in place if the MAC can be made so. */
static ALWAYS_INLINE void
begin_other(struct op_tools *tools, struct op_access *access, struct op *op, struct ctx_entry *ctx,
	   uint32_t out)
{
	const struct protocol *p = &ctx->parts->protocol;
	uint8_t *source = op_one_run(&op->tx, op->input_at), *to;

	if (likely(source != NULL) && source == op_one_run(&op->rx, op->output_at) &&
	    may_stay(ctx) && likely(submit_prefixed(op, ctx, source))) {
		op_begin(tools, op, ctx, op->tx.bytes, out, 0);
		return;
	}
	source = op_copy_source(tools, access, op);
	if (unlikely(source == NULL)) {
		op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
		return;
	}
	to = p->encrypt ? place_output(op, p, source) : NULL;
	op_begin(tools, op, ctx, op->tx.bytes, out, OP_PROTOCOL | OP_BOUNCED);
	op->digest_to = to != NULL ? NULL : source;
	submit(op, ctx, source, to != NULL ? to : source, p->has_mac);
}

void
op_pdcp_begin(struct op_tools *tools, struct op_access *access, struct op *op,
	      struct ctx_entry *ctx)
{
	const struct protocol *p = &ctx->parts->protocol;
	const uint32_t out = op->cmd.cipher_len + p->mac_out - p->mac_in;
	uint8_t *source = op_one_run(&op->tx, op->input_at);
	uint16_t status = (uint16_t)check(p, &op->cmd);

	status = op_check_frames(op, status, op->cmd.cipher_len, out);
	if (unlikely(status != ACCEL_HW_OK)) {
		op_fail(op, status);
	} else if (!p->has_mac && likely(source != NULL) &&
		   likely(source == op_one_run(&op->rx, op->output_at))) {
		op_begin(tools, op, ctx, op->tx.bytes, out, 0);
		submit(op, ctx, source, source, false);
	} else {
		begin_other(tools, access, op, ctx, out);
	}
}
