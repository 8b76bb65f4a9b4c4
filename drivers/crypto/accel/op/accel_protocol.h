/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles operations with a security session: DOCSIS, PDCP (manual 8.5), IPsec (8.6) and TLS
 * records (8.7). The driver posts whole frames and sets offsets and lengths of mbufs. The slow path
 * uses these functions, and so does accel_enqueue_protocol.c.
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
 * Make the shape of a packet of IPsec or a record of len bytes, from the bytes of its result frame
 * and its options.
 */
static inline void
accel_protocol_shape_frame(uint32_t len, uint32_t result, uint32_t skip, struct accel_shape *shape)
{
	*shape = (struct accel_shape){
		.src_len = len,
		.dst_len = result,
		.cipher_len = len,
		.skip = skip,
		.flags = result == 0 ? ACCEL_HW_CMD_NO_RX : 0,
	};
}

/** True if the response to an operation has the length of the result (PDCP, IPsec, TLS). */
static inline bool
accel_protocol_grows(const struct accel_session *sess)
{
	return sess->kind == ACCEL_HW_KIND_PDCP || accel_is_placed(sess->kind);
}

/* Says where the result of an operation of IPsec or TLS is written. */
struct accel_result {
	struct rte_mbuf first; /* the first segment, with the result's start and headroom */
	uint32_t len; /* bytes of the result frame */
};

/**
 * Find the place of the result of an operation of IPsec or TLS. Enqueue and dequeue compute it from
 * the same mbufs, so nothing has to be kept in between.
 *
 * @return false if the operation is in place and the result finds no room before the source.
 */
bool accel_protocol_place(const struct rte_crypto_op *op, const struct accel_session *sess,
			  struct accel_result *result);

/**
 * Return the options that an operation of IPsec or TLS has in addition to those of its session, for
 * command.skip. For a record they are content type and extra padding if it is written, or whether
 * it keeps its place if it is read.
 */
uint32_t accel_protocol_skip(const struct rte_crypto_op *op, const struct accel_session *sess,
			     bool oop);

/**
 * End an operation with the status OK: set offsets and lengths of its mbufs, its flags, and the
 * content type of a record that was read.
 *
 * @param sess NULL if the operation has no session of this driver any more.
 * @param answer is not trusted.
 * @return false, with nothing changed, if the response says more than there is room for.
 */
bool accel_protocol_done(struct rte_crypto_op *op, const struct accel_session *sess,
			 const struct accel_answer *answer);

/** End an operation of IPsec or TLS with a status other than OK. Its reason goes into aux_flags. */
void accel_protocol_failed(struct rte_crypto_op *op, uint16_t status);

#endif /* ACCEL_PROTOCOL_H */
