/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The data of an operation, piece by piece: a chain of mbufs, or vectors of the raw data path. Hot
 * path, all of it inlined; the source is a constant where that matters.
 */
#ifndef ACCEL_DATA_H
#define ACCEL_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto_sym.h>
#include <rte_mbuf.h>

#include "accel_compat.h"

/* What data are made of. */
enum accel_source {
	ACCEL_MBUFS,
	ACCEL_VECTORS,
	ACCEL_VECTOR, /* a single one, in place */
};

/* The pieces from one of them on. */
struct accel_pieces {
	const struct rte_mbuf *m;
	const struct rte_crypto_vec *vec;
	uint32_t left; /* pieces, this one included */
};

/** The bytes of a piece. */
static ACCEL_VARIANTS uint32_t
accel_piece_len(const struct accel_pieces *p, const enum accel_source source)
{
	return source == ACCEL_MBUFS ? p->m->data_len : p->vec->len;
}

/** The IOVA of the byte off of a piece. */
static ACCEL_VARIANTS uint64_t
accel_piece_iova(const struct accel_pieces *p, uint32_t off, const enum accel_source source)
{
	return source == ACCEL_MBUFS ? rte_pktmbuf_iova_offset(p->m, off) : p->vec->iova + off;
}

/** Goes on to the next piece; false if there is none. */
static ACCEL_VARIANTS bool
accel_piece_next(struct accel_pieces *p, const enum accel_source source)
{
	if (source == ACCEL_MBUFS) {
		p->m = p->m->next;
		return likely(--p->left != 0) && likely(p->m != NULL);
	}
	p->vec++;
	return likely(--p->left != 0);
}

/** Bytes that an mbuf's buffer holds from the begin of its data on; 0 if data begin behind it. */
static inline uint32_t
accel_mbuf_capacity(const struct rte_mbuf *m)
{
	return m->data_off <= m->buf_len ? m->buf_len - m->data_off : 0;
}

#endif /* ACCEL_DATA_H */
