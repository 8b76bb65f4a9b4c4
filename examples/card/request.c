/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One request: the checks of manual 7.4 in their order, and the input.
 */
#include <string.h>

#include "card.h"

/* Lengths that an operation has. */
struct lengths {
	uint32_t aad;
	uint32_t src;
	uint32_t digest_in;
	uint32_t out;
};

static struct result
failed(uint16_t status)
{
	return (struct result){ .status = status };
}

/* Check 1: what needs no context. */
static bool
command_ok(const struct accel_hw_command *cmd)
{
	if ((cmd->flags & ~ACCEL_HW_CMD_FLAGS) != 0 ||
	    (cmd->flags & (ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_BITS |
			   ACCEL_HW_CMD_AAD_IN_COMMAND)) != 0)
		return false;
	if (cmd->opcode == ACCEL_HW_OP_SYM)
		return true;
	if (cmd->opcode != ACCEL_HW_OP_NOP && cmd->opcode != ACCEL_HW_OP_LOOPBACK)
		return false;
	return (cmd->flags & ~ACCEL_HW_CMD_NO_RX) == 0 && cmd->context == 0 && cmd->skip == 0 &&
	       cmd->auth_len == 0 && cmd->aad_len == 0 &&
	       (cmd->opcode != ACCEL_HW_OP_NOP || cmd->cipher_len == 0);
}

/* Checks 2 to 4. */
static uint16_t
read_context(const struct card *card, const struct accel_hw_command *cmd,
	     struct accel_hw_context *ctx)
{
	if (cmd->context % ACCEL_HW_CTX_ALIGN != 0 || cmd->generation == 0)
		return ACCEL_HW_BAD_CONTEXT;
	if (!dma_read(card, cmd->context, ctx, sizeof(*ctx)))
		return ACCEL_HW_DMA_FAULT;
	return ctx->generation == cmd->generation && crypto_context_ok(ctx) ? ACCEL_HW_OK :
									      ACCEL_HW_BAD_CONTEXT;
}

/* Check 6, and the lengths of the operation (7.2). */
static bool
lengths_of(const struct accel_hw_command *cmd, const struct accel_hw_context *ctx,
	   struct lengths *l)
{
	const bool auth = ctx->kind == ACCEL_HW_KIND_AUTH, aead = ctx->kind == ACCEL_HW_KIND_AEAD;
	const bool verify = aead ? (ctx->flags & ACCEL_HW_CTX_ENCRYPT) == 0 :
				   (ctx->flags & ACCEL_HW_CTX_VERIFY) != 0;
	const bool whole = (cmd->flags & ACCEL_HW_CMD_WHOLE) != 0;

	if (cmd->skip != 0 || (cmd->flags & ACCEL_HW_CMD_AUTH_FIRST) != 0 ||
	    (auth ? cmd->cipher_len : cmd->auth_len) != 0 || (!aead && cmd->aad_len != 0))
		return false;
	l->aad = cmd->aad_len;
	l->src = auth ? cmd->auth_len : cmd->cipher_len;
	l->digest_in = verify ? ctx->digest_len : 0;
	l->out = (auth && !whole ? 0 : l->src) + (verify ? 0 : ctx->digest_len);
	return true;
}

/* Check 9. */
static bool
gather(const struct card *card, const struct fragment *in, unsigned int nb)
{
	uint8_t *to = card->input;

	for (unsigned int i = 0; i < nb; to += in[i++].len) {
		if (!dma_read(card, in[i].iova, to, in[i].len))
			return false;
	}
	return true;
}

static struct result
run_sym(struct queue *q, const struct fragment *in, unsigned int nb, uint64_t bytes, uint64_t room)
{
	const struct accel_hw_command *cmd = &q->cmd;
	const struct card *card = q->card;
	struct accel_hw_context ctx;
	struct result result = { 0 };
	struct lengths l = { 0 };

	result.status = read_context(card, cmd, &ctx);
	if (result.status != ACCEL_HW_OK)
		goto end;
	if (!lengths_of(cmd, &ctx, &l))
		result.status = ACCEL_HW_BAD_COMMAND;
	else if (bytes != (uint64_t)l.aad + l.src + l.digest_in ||
		 (ctx.kind == ACCEL_HW_KIND_CIPHER && (l.src == 0 || l.src % 16 != 0)))
		result.status = ACCEL_HW_BAD_LENGTH;
	else if (room < l.out)
		result.status = ACCEL_HW_OUTPUT_TOO_SMALL;
	else if (!gather(card, in, nb))
		result.status = ACCEL_HW_DMA_FAULT;
	if (result.status != ACCEL_HW_OK)
		goto end;
	q->bytes_in += bytes;
	result.status = crypto_run(&ctx, cmd, card->input, card->input + l.aad, l.src,
				   card->input + l.aad + l.src, card->output);
	if (result.status == ACCEL_HW_OK || result.status == ACCEL_HW_AUTH_FAILED)
		result.len = l.out;
end:
	explicit_bzero(&ctx, sizeof(ctx));
	return result;
}

struct result
request_run(struct queue *q, const struct fragment *in, unsigned int nb, uint64_t bytes,
	    uint64_t room)
{
	const struct accel_hw_command *cmd = &q->cmd;

	if (!command_ok(cmd))
		return failed(ACCEL_HW_BAD_COMMAND);
	if (cmd->opcode == ACCEL_HW_OP_SYM)
		return run_sym(q, in, nb, bytes, room);
	if (bytes != cmd->cipher_len)
		return failed(ACCEL_HW_BAD_LENGTH);
	if (room < bytes)
		return failed(ACCEL_HW_OUTPUT_TOO_SMALL);
	if (!gather(q->card, in, nb))
		return failed(ACCEL_HW_DMA_FAULT);
	q->bytes_in += bytes;
	memcpy(q->card->output, q->card->input, bytes);
	return (struct result){ .status = ACCEL_HW_OK, .len = (uint32_t)bytes };
}
