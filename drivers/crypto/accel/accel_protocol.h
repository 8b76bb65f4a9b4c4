/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Data path of operations with a security session: DOCSIS and PDCP (manual 8.5). The card makes and
 * checks everything; the driver posts whole frames and sets lengths of mbufs. Beside the straight
 * path, which knows nothing of it.
 */
#ifndef ACCEL_PROTOCOL_H
#define ACCEL_PROTOCOL_H

#include "accel_queue.h"
#include "accel_session.h"
#include "accel_shape.h"

/**
 * What is in fast_mdata of this driver's security sessions, which name no driver. Like symmetric
 * ones they serve all its devices: crypto_scheduler makes one for all workers of a driver. None of
 * them passes as a symmetric session, if an operation is said to have one: accel_session.owner is
 * 0. The upper bytes are ones, as the library keeps the driver of a symmetric session there.
 */
static inline uint64_t
accel_protocol_mark(void)
{
	return ~(uint64_t)accel_driver_id;
}

/** PDCP: a whole PDU of len bytes. False if it is shorter than the MAC-I to verify. */
bool accel_protocol_shape_pdcp(const struct accel_session *sess, uint32_t len,
			       struct accel_shape *shape);

/** DOCSIS: what is ciphered and what the CRC covers. A region of no bytes has no place. */
void accel_protocol_shape_docsis(struct accel_regions regions, struct accel_shape *shape);

/** Put an operation's IV into a command: the IV as it is, or the HFN as a number of this CPU. */
void accel_protocol_put_iv(struct accel_hw_command *cmd, const struct accel_session *sess,
			   const void *iv);

/** The session behind a handle of rte_security; NULL if it is none of this driver. */
const struct accel_session *accel_protocol_of(const void *session);

/** The kind of the in-flight entry: ACCEL_OP_PROTOCOL if lengths change, else ACCEL_OP_PLAIN. */
uintptr_t accel_protocol_kind(const struct accel_session *sess);

/**
 * Set the lengths of an operation's destination to what the card has produced. Room as at enqueue:
 * each segment's data_len, and all of the last one.
 *
 * @param produced untrusted.
 * @return false if the destination has no room for so much; then nothing was changed.
 */
bool accel_protocol_done(struct rte_crypto_op *op, uint32_t produced);

#endif /* ACCEL_PROTOCOL_H */
