/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has a cursor over the data of an operation, which is a chain of mbufs or an array of vectors. Hot
 * path, inlined. The fast path passes the type of source as a constant.
 */
#ifndef ACCEL_SEGMENTS_H
#define ACCEL_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto_sym.h>
#include <rte_mbuf.h>


/* Lists the types of an operation's data. */
enum accel_source {
	ACCEL_MBUFS,
	ACCEL_VECTORS,
	ACCEL_VECTOR, /* a single vector, in place */
};

/* Describes a piece and the pieces that follow it. An mbuf or a vector is a piece. */
struct accel_pieces {
	const struct rte_mbuf *m;
	const struct rte_crypto_vec *vec;
	uint32_t left; /* number of pieces, this one included */
};

/** Return the length of a piece in bytes. */
static inline uint32_t
accel_piece_len(const struct accel_pieces *p, const enum accel_source source)
{
	return source == ACCEL_MBUFS ? p->m->data_len : p->vec->len;
}

/** Return the IOVA of a piece's byte at offset off. */
static inline uint64_t
accel_piece_iova(const struct accel_pieces *p, uint32_t off, const enum accel_source source)
{
	return source == ACCEL_MBUFS ? rte_pktmbuf_iova_offset(p->m, off) : p->vec->iova + off;
}

/** Go on to the next piece. False if there is none. */
static inline bool
accel_piece_next(struct accel_pieces *p, const enum accel_source source)
{
	if (source == ACCEL_MBUFS) {
		p->m = p->m->next;
		return likely(--p->left != 0) && likely(p->m != NULL);
	}
	p->vec++;
	return likely(--p->left != 0);
}

/**
 * Return the bytes from the start of an mbuf's data to the end of its buffer, or 0 if the data
 * start after the buffer.
 */
static inline uint32_t
accel_mbuf_capacity(const struct rte_mbuf *m)
{
	return m->data_off <= m->buf_len ? m->buf_len - m->data_off : 0;
}

/**
 * Return the bytes of a segment that the card may write. The last segment may be written up to the
 * end of its buffer.
 */
static inline uint32_t
accel_segment_capacity(const struct rte_mbuf *m)
{
	return m->next != NULL ? m->data_len : accel_mbuf_capacity(m);
}

/** Return the bytes of a chain that the card may write. */
static inline uint64_t
accel_chain_capacity(const struct rte_mbuf *m)
{
	uint64_t room = 0;

	for (; m != NULL; m = m->next)
		room += accel_segment_capacity(m);
	return room;
}

/**
 * Remove the first `off` bytes of a chain, and set the lengths so that `len` bytes remain. The
 * caller has checked that the chain has the capacity.
 */
static inline void
accel_chain_set_length(struct rte_mbuf *first, uint32_t off, uint32_t len)
{
	struct rte_mbuf *m;

	first->pkt_len = len;
	for (m = first; m != NULL; m = m->next) {
		const uint32_t bytes = accel_segment_capacity(m);
		const uint32_t skip = RTE_MIN(off, bytes);
		const uint32_t keep = RTE_MIN(len, bytes - skip);

		m->data_off += (uint16_t)skip;
		m->data_len = (uint16_t)keep;
		off -= skip;
		len -= keep;
	}
}

#endif /* ACCEL_SEGMENTS_H */
