/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations with a security session of DOCSIS or PDCP (manual 8.5). The card makes and checks CRC
 * and MAC-I. The driver posts whole frames and sets the lengths of mbufs. Only the slow path uses
 * this, but for the sessions, which IPsec (accel_ipsec_op.h) has, too.
 */
#ifndef ACCEL_PROTOCOL_H
#define ACCEL_PROTOCOL_H

#include "accel_command.h"
#include "accel_security.h"
#include "accel_session.h"
#include "accel_shape.h"

/** The shape of a PDCP PDU of len bytes. False if it is shorter than the MAC-I to verify. */
bool accel_protocol_shape_pdcp(const struct accel_session *sess, uint32_t len,
			       struct accel_shape *shape);

/** The shape of a DOCSIS frame. The offset of a region of no bytes is ignored. */
void accel_protocol_shape_docsis(struct accel_regions regions, struct accel_shape *shape);

/** Copy an operation's HFN of PDCP to a command; @p from has it in the byte order of the CPU. */
void accel_protocol_put_hfn(struct accel_hw_command *cmd, const void *from);

/**
 * The kind of in-flight entry: ACCEL_OP_PROTOCOL if the length changes (PDCP, IPsec), else
 * ACCEL_OP_PLAIN.
 */
uintptr_t accel_protocol_kind(const struct accel_session *sess);

/**
 * Set the lengths of an operation's destination to what the card has produced. Each segment has
 * room for its data_len, and the last one for all of its buffer, as at enqueue.
 *
 * @param produced the response's field, which is not trusted.
 * @return false, with nothing changed, if the destination has no room for so much.
 */
bool accel_protocol_done(struct rte_crypto_op *op, uint32_t produced);

#endif /* ACCEL_PROTOCOL_H */
