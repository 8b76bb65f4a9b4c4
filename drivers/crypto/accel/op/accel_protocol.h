/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles operations with a security session of DOCSIS or PDCP (manual 8.5). The card makes and
 * checks CRC and MAC-I. The driver posts whole frames and sets the lengths of mbufs. Only the slow
 * path uses these functions.
 */
#ifndef ACCEL_PROTOCOL_H
#define ACCEL_PROTOCOL_H

#include "accel_command.h"
#include "accel_ipsec_op.h"
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

/*
 * The functions below are for operations on TLS records (manual 8.7): what an operation asks for in
 * addition to its session, and what a response makes of the operation. Results have their places as
 * those of IPsec do.
 */

/**
 * Find the place of an operation's result.
 *
 * @param result filled in.
 * @return false if the operation is in place and the result finds no room before the source.
 */
bool accel_tls_place(const struct rte_crypto_op *op, const struct accel_session *sess,
		     struct accel_ipsec_result *result);

/**
 * Return the options of an operation, for command.skip. They are content type and extra padding of
 * a record that is written, or for a record that is read, whether it keeps its place.
 */
uint32_t accel_tls_skip(const struct rte_crypto_op *op, const struct accel_session *sess,
			bool oop);

/**
 * End an operation with the status OK: set offsets and lengths of its mbufs, its flags, and the
 * content type of a record that was read.
 *
 * @return false, with nothing changed, if the response says more than the frame holds.
 */
bool accel_tls_done(struct rte_crypto_op *op, const struct accel_session *sess,
		    const struct accel_answer *answer);

#endif /* ACCEL_PROTOCOL_H */
