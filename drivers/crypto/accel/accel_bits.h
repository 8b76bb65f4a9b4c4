/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Offsets and lengths in bits, as rte_cryptodev has them for SNOW 3G, KASUMI and ZUC
 * (rte_crypto_sym.h). Whole bytes, which is what nearly all operations have, are only divided here;
 * others get the command's flag BITS (manual 7.2).
 */
#ifndef ACCEL_BITS_H
#define ACCEL_BITS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "accel_session.h"

/**
 * The bytes that hold a bit of an operation's regions.
 *
 * @param sym the operation, offsets and lengths in bits where the algorithm has them so.
 * @param in_bytes gets a copy with all of them in bytes.
 */
void accel_bits_cover(const struct accel_session *sess, const struct rte_crypto_sym_op *sym,
		      struct rte_crypto_sym_op *in_bytes);

/**
 * The same, for an operation that in most cases has whole bytes.
 *
 * @return true if it has, and no flag BITS is needed.
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
 * Write what a command with the flag BITS has in other terms than one without: the begins and
 * lengths of the regions, and the flag.
 *
 * @param cmd complete but for that; its AUTH_FIRST says which region begins first.
 * @param sym as for accel_bits_cover().
 * @param src_off where the source begins, in bytes of the mbuf's data.
 * @return 0; -E2BIG if the numbers have no room in the command.
 */
int accel_bits_command(struct accel_hw_command *cmd, const struct accel_session *sess,
		       const struct rte_crypto_sym_op *sym, uint32_t src_off);

#endif /* ACCEL_BITS_H */
