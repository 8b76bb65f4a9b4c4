/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * DOCSIS (manual 8.5): the CRC-32 of an Ethernet frame and the DOCSIS BPI cipher in one operation,
 * in place or on a copy. An engine does both in one pass if it can.
 */
#include <pthread.h>
#include <string.h>

#include "execute/op_protocol.h"

#define CRC_POLYNOMIAL 0xedb88320u /* IEEE 802.3 section 3.2.9, reflected */

#define CRC_STEP 16u /* bytes at a time; their table look-ups do not wait for each other */

/* table[k][b] is what a byte of value b does to the remainder when k bytes follow it. */
static uint32_t table[CRC_STEP][256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void
make_table(void)
{
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t crc = b;

		for (unsigned int bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ ((crc & 1) != 0 ? CRC_POLYNOMIAL : 0);
		table[0][b] = crc;
	}
	for (unsigned int k = 1; k < CRC_STEP; k++) {
		for (uint32_t b = 0; b < 256; b++)
			table[k][b] = (table[k - 1][b] >> 8) ^ table[0][table[k - 1][b] & 0xff];
	}
}

/* Compute the CRC-32 of IEEE 802.3 by the table, as a number whose least significant byte is sent
 * first. */
static uint32_t
table_crc32(const uint8_t *data, uint32_t len)
{
	uint32_t crc = UINT32_MAX;

	pthread_once(&table_once, make_table);
	for (; len >= CRC_STEP; len -= CRC_STEP, data += CRC_STEP) {
		uint8_t in[CRC_STEP];
		uint32_t word;

		memcpy(in, data, sizeof(in));
		memcpy(&word, in, sizeof(word)); /* little-endian, see model.h */
		word ^= crc;
		memcpy(in, &word, sizeof(word));
		crc = 0;
		for (unsigned int i = 0; i < CRC_STEP; i++)
			crc ^= table[CRC_STEP - 1 - i][in[i]];
	}
	for (; len > 0; len--, data++)
		crc = (crc >> 8) ^ table[0][(crc ^ *data) & 0xff];
	return ~crc;
}

/* Compute the CRC-32 by the engine of the context if it has that. */
static uint32_t
crc32(const struct engine_ctx *ctx, const uint8_t *data, uint32_t len)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx;

	return header->ops->crc32 != NULL ? header->ops->crc32(header->engine, data, len) :
					    table_crc32(data, len);
}

/* Return where the cipher region of a source begins (manual 7.2). */
static uint32_t
cipher_offset(const struct accel_hw_command *cmd)
{
	return (cmd->flags & ACCEL_HW_CMD_AUTH_FIRST) != 0 ? cmd->skip : 0;
}

static uint32_t
crc_offset(const struct accel_hw_command *cmd)
{
	return (cmd->flags & ACCEL_HW_CMD_AUTH_FIRST) != 0 ? 0 : cmd->skip;
}

/* Check a command. @param len receives the bytes of source and destination, which are valid with
 * BAD_LENGTH, too. */
static ALWAYS_INLINE enum accel_hw_status
check(const struct alg_rules *rules, const struct accel_hw_command *cmd, uint64_t *len)
{
	const uint8_t flags = ACCEL_HW_CMD_NO_RX | ACCEL_HW_CMD_AUTH_FIRST | ACCEL_HW_CMD_WHOLE;
	uint64_t cipher_end = (uint64_t)cipher_offset(cmd) + cmd->cipher_len;
	uint64_t crc_end = (uint64_t)crc_offset(cmd) + cmd->auth_len;

	if (cmd->auth_len > 0)
		crc_end += ACCEL_HW_CRC_LEN;
	*len = cipher_end > crc_end ? cipher_end : crc_end;
	if (unlikely((cmd->flags & ~flags) != 0 || (cmd->flags & ACCEL_HW_CMD_WHOLE) == 0 ||
		     cmd->aad_len != 0))
		return ACCEL_HW_BAD_COMMAND;
	return likely(cmd->cipher_len <= rules->region_max) ? ACCEL_HW_OK : ACCEL_HW_BAD_LENGTH;
}

/* Do the work in two passes, the first or the second of which makes the CRC. */
static __attribute__((noinline)) void
submit_apart(struct op *op, const struct protocol *p)
{
	const struct accel_hw_command *cmd = &op->cmd;
	uint8_t *const covered = op->digest_to + crc_offset(cmd);
	struct engine_job *job = &op->job;
	uint32_t crc;

	if (p->encrypt && cmd->auth_len > 0) {
		crc = crc32(job->ctx, covered, cmd->auth_len);
		memcpy(covered + cmd->auth_len, &crc, sizeof(crc));
	}
	job->auth_off = 0;
	job->auth_len = 0; /* so op_docsis_end() makes the CRC */
	job->status = ACCEL_HW_OK;
	job->done = true;
	if (cmd->cipher_len > 0)
		engine_submit(job->ctx, job);
}

/* Submit the job of a frame at op->digest_to. */
static ALWAYS_INLINE void
submit(struct op *op, const struct ctx_entry *ctx, const struct protocol *p)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx->ctx;
	const struct accel_hw_command *cmd = &op->cmd;
	struct engine_job *job = &op->job;

	job->ctx = ctx->ctx;
	job->src = op->digest_to;
	job->dst = op->digest_to + cipher_offset(cmd);
	job->cipher_off = cipher_offset(cmd);
	job->cipher_len = cmd->cipher_len;
	job->src_len = job->cipher_off + job->cipher_len;
	job->auth_off = crc_offset(cmd);
	job->auth_len = cmd->auth_len;
	job->aad_len = 0;
	memcpy(job->iv, cmd->iv, sizeof(job->iv));
	job->done = false;
	if (cmd->auth_len == 0 || header->submit_crc == NULL ||
	    unlikely(!header->submit_crc(header->engine, job)))
		submit_apart(op, p);
}

void
op_docsis_begin(struct op_tools *tools, struct op_access *access, struct op *op,
		struct ctx_entry *ctx)
{
	const struct protocol *p = &ctx->parts->protocol;
	uint8_t *source = op_one_run(&op->tx, op->input_at);
	uint8_t flags = !p->encrypt && op->cmd.auth_len != 0 ? OP_PROTOCOL : 0;
	uint64_t len;
	uint16_t status = (uint16_t)check(&ctx->rules, &op->cmd, &len);

	status = op_check_frames(op, status, len, len);
	if (unlikely(status != ACCEL_HW_OK)) {
		op_fail(op, status);
		return;
	}
	if (unlikely(source == NULL || source != op_one_run(&op->rx, op->output_at))) {
		source = op_copy_source(tools, access, op);
		if (source == NULL) {
			op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
			return;
		}
		flags = OP_PROTOCOL | OP_BOUNCED;
	}
	op->digest_to = source;
	op_begin(tools, op, ctx, op->tx.bytes, (uint32_t)len, flags);
	submit(op, ctx, p);
}

uint16_t
op_docsis_end(const struct op *op)
{
	const struct accel_hw_command *cmd = &op->cmd;
	const uint8_t *const covered = op->digest_to + crc_offset(cmd);
	const struct engine_job *job = &op->job;
	uint32_t crc;

	if (op->ctx->parts->protocol.encrypt || cmd->auth_len == 0 || job->status != ACCEL_HW_OK)
		return job->status;
	if (job->auth_len > 0)
		memcpy(&crc, job->scratch, sizeof(crc));
	else
		crc = crc32(job->ctx, covered, cmd->auth_len);
	/* A CRC is no secret, so memcmp() may be used. */
	return memcmp(covered + cmd->auth_len, &crc, sizeof(crc)) == 0 ? ACCEL_HW_OK :
									 ACCEL_HW_AUTH_FAILED;
}
