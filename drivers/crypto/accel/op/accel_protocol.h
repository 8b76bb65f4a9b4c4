/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles operations with a security session of DOCSIS or PDCP (manual 8.5). The card makes and
 * checks CRC and MAC-I. The driver posts whole frames and sets the lengths of mbufs. Only the slow
 * path uses these functions. The fast path of IPsec includes this file for accel_protocol_of() and
 * accel_protocol_session().
 */
#ifndef ACCEL_PROTOCOL_H
#define ACCEL_PROTOCOL_H

#include "accel_command.h"
#include "accel_security.h"
#include "accel_session.h"
#include "accel_shape.h"

/**
 * Make the shape of a PDCP PDU of len bytes. Return false if the PDU is shorter than the MAC-I to
 * verify.
 */
bool accel_protocol_shape_pdcp(const struct accel_session *sess, uint32_t len,
			       struct accel_shape *shape);

/** Make the shape of a DOCSIS frame. The offset of a region of no bytes is ignored. */
void accel_protocol_shape_docsis(struct accel_regions regions, struct accel_shape *shape);

/** Copy an operation's HFN of PDCP to a command; @p from has it in the byte order of the CPU. */
void accel_protocol_put_hfn(struct accel_hw_command *cmd, const void *from);

/**
 * Return the kind of in-flight entry. It is ACCEL_OP_PROTOCOL if the length changes (PDCP, IPsec,
 * TLS), else ACCEL_OP_PLAIN.
 */
uintptr_t accel_protocol_kind(const struct accel_session *sess);

/**
 * Set the lengths of an operation's destination to what the card has produced. A segment has room
 * for its data_len bytes. The last segment has room up to the end of its buffer. Enqueue counts the
 * room in this way, too.
 *
 * @param produced the response's field, which is not trusted.
 * @return false, with nothing changed, if the destination has no room for produced bytes.
 */
bool accel_protocol_done(struct rte_crypto_op *op, uint32_t produced);

#endif /* ACCEL_PROTOCOL_H */
