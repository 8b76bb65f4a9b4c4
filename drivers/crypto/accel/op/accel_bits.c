/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles operations whose offsets and lengths are not whole bytes. See accel_bits.h.
 */

#include <errno.h>

#include "accel_bits.h"
#include "accel_session.h"

/* Gets the bytes that hold a region of bits. A region of no bits has no bytes. */
static void
cover(uint32_t bit_off, uint32_t bit_len, uint32_t *off, uint32_t *len)
{
	const uint64_t end = (uint64_t)bit_off + bit_len;

	*off = bit_off / CHAR_BIT;
	*len = bit_len == 0 ? 0 : (uint32_t)(end / CHAR_BIT + (end % CHAR_BIT != 0)) - *off;
}

void
accel_bits_cover(const struct accel_session *sess, const struct rte_crypto_sym_op *sym,
		 struct rte_crypto_sym_op *in_bytes)
{
	*in_bytes = *sym;
	if (sess->cipher_bits)
		cover(sym->cipher.data.offset, sym->cipher.data.length,
		      &in_bytes->cipher.data.offset, &in_bytes->cipher.data.length);
	if (sess->auth_bits)
		cover(sym->auth.data.offset, sym->auth.data.length,
		      &in_bytes->auth.data.offset, &in_bytes->auth.data.length);
}

int
accel_bits_command(struct accel_hw_command *cmd, const struct accel_session *sess,
		   const struct rte_crypto_sym_op *sym, uint32_t src_off)
{
	const uint64_t start = (uint64_t)src_off * CHAR_BIT;
	const unsigned int c_unit = sess->cipher_bits ? 1 : CHAR_BIT;
	const unsigned int a_unit = sess->auth_bits ? 1 : CHAR_BIT;
	const bool auth_first = (cmd->flags & ACCEL_HW_CMD_AUTH_FIRST) != 0;
	uint64_t c_at = 0, c_len = 0, a_at = 0, a_len = 0;

	if (sess->kind != ACCEL_HW_KIND_AUTH) {
		c_at = (uint64_t)sym->cipher.data.offset * c_unit - start;
		c_len = (uint64_t)sym->cipher.data.length * c_unit;
	}
	if (sess->kind != ACCEL_HW_KIND_CIPHER) {
		a_at = (uint64_t)sym->auth.data.offset * a_unit - start;
		a_len = (uint64_t)sym->auth.data.length * a_unit;
	}
	if ((c_at | c_len | a_at | a_len) > UINT32_MAX)
		return -E2BIG;
	cmd->flags |= ACCEL_HW_CMD_BITS;
	cmd->aad_len = rte_cpu_to_le_16((uint16_t)(auth_first ? a_at : c_at));
	cmd->skip = rte_cpu_to_le_32((uint32_t)(auth_first ? c_at : a_at));
	cmd->cipher_len = rte_cpu_to_le_32((uint32_t)c_len);
	cmd->auth_len = rte_cpu_to_le_32((uint32_t)a_len);
	return 0;
}
