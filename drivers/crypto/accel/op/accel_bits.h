/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles offsets and lengths in bits, which rte_cryptodev has for SNOW 3G, KASUMI and ZUC
 * (rte_crypto_sym.h). Nearly all operations have whole bytes, and their offsets and lengths are
 * only divided. All other operations get the command's flag BITS (manual 7.2).
 */
#ifndef ACCEL_BITS_H
#define ACCEL_BITS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "accel_session.h"

/**
 * Find the bytes that hold the bits of an operation's regions.
 *
 * @param sym the operation. Offsets and lengths are in bits for an algorithm with cipher_bits or
 *   auth_bits.
 * @param in_bytes receives a copy of sym with all offsets and lengths in bytes.
 */
void accel_bits_cover(const struct accel_session *sess, const struct rte_crypto_sym_op *sym,
		      struct rte_crypto_sym_op *in_bytes);

/**
 * Convert the offsets and lengths of an operation to bytes. This is accel_bits_cover() made fast
 * for an operation that has whole bytes, as most do.
 *
 * @return true if the operation has whole bytes, so that the flag BITS is not needed.
 */
static inline bool
accel_bits_to_bytes(const struct accel_session *sess, const struct rte_crypto_sym_op *sym,
		    struct rte_crypto_sym_op *in_bytes)
{
	uint32_t odd = 0;

	*in_bytes = *sym;
	if (sess->cipher_bits) {
		odd |= sym->cipher.data.offset | sym->cipher.data.length;
		in_bytes->cipher.data.offset /= CHAR_BIT;
		in_bytes->cipher.data.length /= CHAR_BIT;
	}
	if (sess->auth_bits) {
		odd |= sym->auth.data.offset | sym->auth.data.length;
		in_bytes->auth.data.offset /= CHAR_BIT;
		in_bytes->auth.data.length /= CHAR_BIT;
	}
	if (likely(odd % CHAR_BIT == 0))
		return true;
	accel_bits_cover(sess, sym, in_bytes);
	return false;
}

/**
 * Set the flag BITS of a command, and the starts and lengths of its regions in bits.
 *
 * @param cmd a command that is complete otherwise. Its AUTH_FIRST says which region begins first.
 * @param sym the operation, with offsets and lengths as accel_bits_cover() takes them.
 * @param src_off the offset of the source in the mbuf's data, in bytes.
 * @return 0; -E2BIG if the numbers have no room in the command.
 */
int accel_bits_command(struct accel_hw_command *cmd, const struct accel_session *sess,
		       const struct rte_crypto_sym_op *sym, uint32_t src_off);

#endif /* ACCEL_BITS_H */
