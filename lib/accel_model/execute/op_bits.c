/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations on bits: see op_bits.h.
 */
#include "execute/op_bits.h"
#include "execute/op_halves.h"

/* Find the regions. One begins at aad_len and the other at skip; AUTH_FIRST says which (manual
 * 7.2). */
struct bit_regions
op_bits_regions(const struct accel_hw_command *cmd)
{
	const bool auth_first = (cmd->flags & ACCEL_HW_CMD_AUTH_FIRST) != 0;
	struct bit_regions b;
	uint64_t cipher_end, auth_end;

	b.cipher_at = auth_first ? cmd->skip : cmd->aad_len;
	b.auth_at = auth_first ? cmd->aad_len : cmd->skip;
	cipher_end = b.cipher_at + cmd->cipher_len;
	auth_end = b.auth_at + cmd->auth_len;
	b.end = cipher_end > auth_end ? cipher_end : auth_end;
	b.source = bits_bytes(b.end);
	if ((cmd->flags & ACCEL_HW_CMD_WHOLE) != 0)
		b.out = b.source;
	else
		b.out = cmd->cipher_len != 0 ? bits_bytes(cipher_end) - b.cipher_at / 8 : 0;
	return b;
}

bool
op_bits_need_parts(const struct ctx_entry *ctx)
{
	return ctx->rules.kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
		ctx->rules.kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER;
}

/* True if the fields that the kind does not use are 0. op_execute() has checked that aad_len is 0
 * to 7. */
static bool
fields_ok(uint8_t kind, const struct accel_hw_command *cmd)
{
	const uint32_t order = cmd->flags & ACCEL_HW_CMD_AUTH_FIRST;

	switch (kind) {
	case ACCEL_HW_KIND_CIPHER:
		return (cmd->auth_len | cmd->skip | order) == 0;
	case ACCEL_HW_KIND_AUTH:
		return (cmd->cipher_len | cmd->aad_len | order) == 0 && cmd->skip <= 7;
	case ACCEL_HW_KIND_CIPHER_THEN_AUTH:
	case ACCEL_HW_KIND_AUTH_THEN_CIPHER:
		return true;
	default:
		return false;
	}
}

/* True if the algorithms take these lengths. Lengths that are not whole bytes need an algorithm for
 * bits. The limits in bytes hold in any case. */
static bool
lengths_ok(const struct ctx_entry *ctx, const struct accel_hw_command *cmd,
	   const struct bit_regions *b)
{
	if (((ctx->bits & ALG_BITS_CIPHER) == 0 && (b->cipher_at | cmd->cipher_len) % 8 != 0) ||
	    ((ctx->bits & ALG_BITS_AUTH) == 0 && (b->auth_at | cmd->auth_len) % 8 != 0))
		return false;
	return alg_lengths_ok(&ctx->rules, (uint32_t)bits_bytes(cmd->cipher_len),
			      (uint32_t)bits_bytes(cmd->auth_len));
}

uint16_t
op_bits_check(const struct op *op, const struct ctx_entry *ctx, const struct bit_regions *b)
{
	const struct alg_rules *rules = &ctx->rules;

	if (!fields_ok(rules->kind, &op->cmd))
		return ACCEL_HW_BAD_COMMAND;
	if (op->tx.bytes != ctx->iv_in_stream + b->source + rules->digest_in ||
	    !lengths_ok(ctx, &op->cmd, b))
		return ACCEL_HW_BAD_LENGTH;
	if (op->rx.bytes < b->out + rules->digest_out)
		return ACCEL_HW_OUTPUT_TOO_SMALL;
	return ACCEL_HW_OK;
}

/* Return the first bit of the region that begins first. It is 0 to 7 because of fields_ok(). */
static unsigned int
first_bit(uint8_t kind, const struct bit_regions *b)
{
	if (kind == ACCEL_HW_KIND_CIPHER ||
	    (kind != ACCEL_HW_KIND_AUTH && b->cipher_at < b->auth_at))
		return b->cipher_at % 8;
	return b->auth_at % 8;
}

void
op_bits_run(struct op *op, const struct ctx_entry *ctx, const struct bit_regions *b,
	    uint8_t *source, struct bits_edges around)
{
	const bool whole = (op->cmd.flags & ACCEL_HW_CMD_WHOLE) != 0;
	const unsigned int begin = first_bit(ctx->rules.kind, b);
	const struct op_halves halves = {
		.cipher = { b->cipher_at, op->cmd.cipher_len },
		.auth = { b->auth_at, op->cmd.auth_len },
	};

	op_halves_run(op, ctx, &halves, source);
	op->job.dst = source + b->cipher_at / 8;
	if (b->out > 0 && whole)
		bits_set_around(source, begin, b->end - begin, around);
	else if (b->out > 0)
		bits_set_around(op->job.dst, b->cipher_at % 8, op->cmd.cipher_len, around);
}
