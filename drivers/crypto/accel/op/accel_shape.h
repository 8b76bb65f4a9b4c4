/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes the shape of an operation, which is the operation in the terms of the manual. The shape is
 * made from the session, the regions of the data and the place of the digest. accel_command.h makes
 * a command of the shape. Hot path, inlined.
 */
#ifndef ACCEL_SHAPE_H
#define ACCEL_SHAPE_H

#include <rte_crypto.h>
#include <rte_mbuf.h>

#include "accel_command.h"
#include "accel_queue.h"
#include "accel_session.h"

/* Holds the regions of an operation's data, in bytes, and its other buffers. */
struct accel_regions {
	uint32_t cipher_off; /* AEAD ciphers and authenticates this region */
	uint32_t cipher_len;
	uint32_t auth_off;
	uint32_t auth_len;
	uint64_t digest; /* IOVA */
	uint64_t aad; /* IOVA */
	const uint8_t *aad_at; /* the same for the CPU; NULL: unknown */
};

static inline bool
accel_has_session(const struct rte_crypto_op *op)
{
	return op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
	       op->sess_type == RTE_CRYPTO_OP_WITH_SESSION;
}

/* Returns the driver's part of a session, which lies after the library's part. */
static inline const struct accel_session *
accel_session_of(const struct rte_cryptodev_sym_session *session)
{
	return (const struct accel_session *)session->driver_priv_data;
}

/*
 * Returns the driver's part of a session. Returns NULL if there is no session, if another driver
 * made it, or if it was cleared. The owner can be read in any driver's session, since no driver's
 * part is empty and elements of a mempool are whole cache lines.
 */
static inline const struct accel_session *
accel_own_session(const struct rte_cryptodev_sym_session *session)
{
	if (unlikely(session == NULL || (accel_session_of(session)->owner & ~UINT64_C(0xff)) !=
						accel_session_owner(0)))
		return NULL;
	return accel_session_of(session);
}

/* True if an operation is out of place: its result goes to another mbuf. */
static inline bool
accel_is_oop(const struct rte_crypto_sym_op *sym)
{
	return unlikely(sym->m_dst != NULL) && sym->m_dst != sym->m_src;
}

/* True if an operation has several segments, or is out of place. */
static inline bool
accel_is_sgl(const struct rte_crypto_sym_op *sym)
{
	return sym->m_src->nb_segs != 1 || accel_is_oop(sym);
}

/* Gets the regions of an operation whose offsets and lengths are in bytes. */
static inline void
accel_regions_of(enum accel_hw_kind kind, const struct rte_crypto_sym_op *sym,
		 struct accel_regions *regions)
{
	switch (kind) {
	case ACCEL_HW_KIND_AEAD:
		*regions = (struct accel_regions){
			.cipher_off = sym->aead.data.offset,
			.cipher_len = sym->aead.data.length,
			.digest = sym->aead.digest.phys_addr,
			.aad = sym->aead.aad.phys_addr,
			.aad_at = sym->aead.aad.data,
		};
		break;
	case ACCEL_HW_KIND_CIPHER:
		*regions = (struct accel_regions){
			.cipher_off = sym->cipher.data.offset,
			.cipher_len = sym->cipher.data.length,
		};
		break;
	default:
		*regions = (struct accel_regions){
			.cipher_off = sym->cipher.data.offset,
			.cipher_len = sym->cipher.data.length,
			.auth_off = sym->auth.data.offset,
			.auth_len = sym->auth.data.length,
			.digest = sym->auth.digest.phys_addr,
		};
		break;
	}
}

/*
 * Makes the shape of a chain, which has two regions in one source. The source reaches from the
 * earlier start to the later end (manual 7.2). RTE_MIN() and RTE_MAX() of the offsets are avoided,
 * since gcc would use vector registers, see accel_write_words().
 */
static inline void
accel_shape_chain(const struct accel_regions *regions, struct accel_shape *shape)
{
	const uint32_t c_off = regions->cipher_off, c_len = regions->cipher_len;
	const uint32_t a_off = regions->auth_off, a_len = regions->auth_len;
	const bool auth_first = a_off < c_off;
	const uint32_t before = auth_first ? c_off - a_off : 0; /* bytes before the cipher's */
	const uint32_t start = c_off - before;
	const uint64_t end = RTE_MAX((uint64_t)c_off + c_len, (uint64_t)a_off + a_len);

	*shape = (struct accel_shape){
		.src_off = start,
		.src_len = end - start,
		.dst_off = c_off,
		.dst_len = c_len,
		.skip = auth_first ? before : a_off - c_off,
		.flags = auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0,
		.cipher_len = c_len,
		.auth_len = a_len,
		.digest = regions->digest,
	};
}

/* Makes the shape of an operation in place, whose digest is not in the data. */
static inline void
accel_shape_of(enum accel_hw_kind kind, const struct accel_regions *regions,
	       struct accel_shape *shape)
{
	switch (kind) {
	case ACCEL_HW_KIND_CIPHER:
	case ACCEL_HW_KIND_AEAD:
		*shape = (struct accel_shape){
			.src_off = regions->cipher_off,
			.src_len = regions->cipher_len,
			.dst_off = regions->cipher_off,
			.dst_len = regions->cipher_len,
			.cipher_len = regions->cipher_len,
			.digest = regions->digest,
			.aad = regions->aad,
		};
		break;
	case ACCEL_HW_KIND_AUTH:
		*shape = (struct accel_shape){
			.src_off = regions->auth_off,
			.src_len = regions->auth_len,
			.auth_len = regions->auth_len,
			.digest = regions->digest,
		};
		break;
	default:
		accel_shape_chain(regions, shape);
		break;
	}
}

/*
 * True if the AAD of an AEAD may go into its command: the card takes it there, it is short enough,
 * and the CPU can read it (manual 7.2). Then it needs no descriptor. Without AAD this is false,
 * since 0 - 1 is above each limit.
 *
 * @param aad its address for the CPU, or NULL.
 */
static inline bool
accel_aad_fits(const struct accel_qp *qp, const struct accel_session *sess, const uint8_t *aad)
{
	return (uint32_t)sess->aad_len - 1 < qp->aad_in_command && aad != NULL;
}

/* The place of AAD in the command, in tables of bodies by kind. No kind of the fast path has it. */
#define ACCEL_FAST_INSIDE (ACCEL_HW_KIND_AEAD + 1)

/* Makes the AAD of an AEAD a part of its command. */
static inline void
accel_shape_aad_inside(const struct accel_session *sess, const struct accel_regions *regions,
		       struct accel_shape *shape)
{
	shape->inside = regions->aad_at + sess->aad_offset;
	shape->flags |= ACCEL_HW_CMD_AAD_IN_COMMAND;
}

/* Makes the destination get all of the source (manual 7.2). */
static inline void
accel_shape_whole(struct accel_shape *shape)
{
	shape->flags |= ACCEL_HW_CMD_WHOLE;
	shape->dst_off = shape->src_off;
	shape->dst_len = shape->src_len;
}

/* True if the digest is a part of the data, so that it needs no descriptor of its own. */
static inline bool
accel_shape_in_stream(const struct accel_shape *shape)
{
	return (shape->flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) != 0;
}

/*
 * Completes a shape. Out of place, the destination also gets the bytes that are only authenticated
 * (rte_crypto_sym.h, struct rte_crypto_sym_op).
 */
static inline void
accel_shape_finish(const struct accel_session *sess, bool out_of_place, struct accel_shape *shape)
{
	if (out_of_place && sess->kind != ACCEL_HW_KIND_CIPHER &&
	    sess->kind != ACCEL_HW_KIND_AEAD && !accel_shape_in_stream(shape))
		accel_shape_whole(shape);
	if (shape->dst_len == 0 && !sess->generate)
		shape->flags |= ACCEL_HW_CMD_NO_RX;
}

/*
 * The next functions handle a digest that is to be encrypted (rte_crypto_sym.h, auth.digest.data).
 * The digest lies in the cipher region, right after the auth region of source or destination. The
 * cipher region may end within the digest. The digest is generated before it is encrypted, or
 * verified after it was decrypted. The card does this if the command has a flag (manual 7.2), and
 * the digest is a part of the destination then. The caller compares the digest's address with that
 * of the data, since it has the mbufs or vectors.
 */

/* Returns the offset in the data of a digest that is to be encrypted. */
static inline uint64_t
accel_digest_place(const struct accel_regions *regions)
{
	return (uint64_t)regions->auth_off + regions->auth_len;
}

/*
 * True if a digest at accel_digest_place() is to be encrypted. The session must have
 * digest_may_be_ciphered. The digest has to begin before the end of the cipher region and end
 * after its start.
 */
static inline bool
accel_digest_in_place(const struct accel_qp *qp, const struct accel_session *sess,
		      const struct accel_regions *regions)
{
	const uint64_t at = accel_digest_place(regions);

	return regions->digest != 0 &&
	       (qp->dev->active_flags & RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED) != 0 &&
	       at < (uint64_t)regions->cipher_off + regions->cipher_len &&
	       at + sess->digest_len > regions->cipher_off;
}

/* Makes a digest that is to be encrypted a part of source and destination. */
static inline void
accel_shape_digest_in_stream(const struct accel_session *sess, const struct accel_regions *regions,
			     struct accel_shape *shape)
{
	const uint64_t c_end = (uint64_t)regions->cipher_off + regions->cipher_len;
	const uint64_t digest_end = accel_digest_place(regions) + sess->digest_len;
	const uint64_t len = RTE_MAX(c_end, digest_end) - shape->src_off;

	if (sess->verify)
		shape->src_len = len;
	shape->dst_off = shape->src_off;
	shape->dst_len = len;
	shape->flags |= ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM;
}

#endif /* ACCEL_SHAPE_H */
