/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Says where an operation goes, by its type, its session and its segments. Enqueue sorts an
 * operation once, and the code that takes the operation does not check these again. Hot path,
 * inlined for symmetric sessions.
 */
#ifndef ACCEL_SORT_H
#define ACCEL_SORT_H

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_byteorder.h>
#include <rte_crypto.h>

#include "accel_queue.h"
#include "accel_session.h"
#include "accel_shape.h"

/* Lists the ways that an operation can take. */
enum accel_way {
	ACCEL_WAY_FAST, /* one segment in place, with a session of the fast path: accel_enqueue.c */
	/* several segments or out of place, with a session of the fast path: accel_enqueue_sgl.c */
	ACCEL_WAY_SEGMENTS,
	ACCEL_WAY_IPSEC, /* a session of accel_enqueue_ipsec.c */
	ACCEL_WAY_COMPANION, /* asymmetric, for the companion of the queue pair */
	/* another security session; accel_enqueue_protocol.c or the slow path takes it */
	ACCEL_WAY_PROTOCOL,
	/* The slow path takes these. */
	ACCEL_WAY_SYMMETRIC, /* another symmetric session */
	ACCEL_WAY_SESSIONLESS,
	ACCEL_WAY_ASYMMETRIC, /* on a public-key queue pair */
	/* The slow path refuses these. */
	ACCEL_WAY_BAD_TYPE, /* a type, or a type of session, that the device does not offer */
	ACCEL_WAY_BAD_SESSION, /* no session, or a session of another driver */
	ACCEL_WAY_NO_SOURCE,
};

/* Holds the address of an operation's session, which may be NULL, with the way in the low bits. */
struct accel_sorted {
	uintptr_t word;
};

#define ACCEL_WAY_MASK ((uintptr_t)15)

static_assert(ACCEL_WAY_NO_SOURCE <= ACCEL_WAY_MASK &&
		      alignof(struct accel_session) > ACCEL_WAY_MASK, "room for the way");

static inline struct accel_sorted
accel_sorted_as(enum accel_way way, const struct accel_session *sess)
{
	return (struct accel_sorted){ (uintptr_t)sess | way };
}

static inline enum accel_way
accel_sorted_way(struct accel_sorted sorted)
{
	return (enum accel_way)(sorted.word & ACCEL_WAY_MASK);
}

static inline const struct accel_session *
accel_sorted_session(struct accel_sorted sorted)
{
	return (const struct accel_session *)(sorted.word & ~ACCEL_WAY_MASK);
}

/** Sort an operation without a symmetric session. */
struct accel_sorted accel_sort_other(const struct accel_qp *qp, const struct rte_crypto_op *op);

/** True if the companion of a queue pair takes an operation. */
static inline bool
accel_goes_to_companion(const struct accel_qp *qp, const struct rte_crypto_op *op)
{
	return op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC && qp->companion != NULL &&
	       (qp->dev->active_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) != 0;
}

/** True if a session of this driver is an SA of accel_enqueue_ipsec.c. */
static inline bool
accel_is_fast_sa(const struct accel_session *sess)
{
	/* An operation has an IV of its own only in tests with known answers. */
	return accel_is_ipsec(sess->kind) && (sess->rules & ACCEL_SESSION_HEAD_VARIES) == 0 &&
	       sess->iv_len == 0;
}

/* True if an operation is in place. Few operations have a destination. */
static inline bool
accel_is_in_place(const struct rte_crypto_sym_op *sym, const struct rte_mbuf *m)
{
	if (likely(sym->m_dst == NULL))
		return true;
	rte_compiler_barrier(); /* Without this barrier the compiler compares with m first. */
	return sym->m_dst == m;
}

/** Sort an operation. */
static inline struct accel_sorted
accel_sort(const struct accel_qp *qp, const struct rte_crypto_op *op)
{
	const struct accel_session *sess;

	if (unlikely(!accel_has_session(op)))
		return accel_sort_other(qp, op);
	sess = accel_own_session(op->sym->session);
	if (unlikely(sess == NULL))
		return accel_sorted_as(ACCEL_WAY_BAD_SESSION, NULL);
	if (unlikely(op->sym->m_src == NULL))
		return accel_sorted_as(ACCEL_WAY_NO_SOURCE, NULL);
	if (unlikely(accel_session_fast_kind(sess) == 0))
		return accel_sorted_as(ACCEL_WAY_SYMMETRIC, sess);
	sess = accel_assume_aligned(sess, alignof(struct accel_session));
	if (op->sym->m_src->nb_segs != 1 || !accel_is_in_place(op->sym, op->sym->m_src))
		return accel_sorted_as(ACCEL_WAY_SEGMENTS, sess);
	return accel_sorted_as(ACCEL_WAY_FAST, sess);
}

/*
 * An operation with this type of session that its application has just prepared begins with these
 * four bytes.
 */
#define ACCEL_OP_FRESH(sess_type)                                                                  \
	(RTE_CRYPTO_OP_TYPE_SYMMETRIC | RTE_CRYPTO_OP_STATUS_NOT_PROCESSED << 8 |                  \
	 (uint32_t)(sess_type) << 16)

static_assert(offsetof(struct rte_crypto_op, type) == 0 &&
		      offsetof(struct rte_crypto_op, status) == 1 &&
		      offsetof(struct rte_crypto_op, sess_type) == 2,
	      "ACCEL_OP_FRESH()");

/*
 * Sets the status of a symmetric operation with this type of session. False if the operation is
 * another one. Callers reuse operations, and crypto_scheduler reads the status of those in flight.
 */
static ACCEL_VARIANTS bool
accel_op_begin(struct rte_crypto_op *op, const enum rte_crypto_op_sess_type sess_type)
{
	uint32_t word;

	memcpy(&word, op, sizeof(word));
	if (likely(rte_le_to_cpu_32(word) == ACCEL_OP_FRESH(sess_type)))
		return true;
	/* Without this barrier the compiler keeps the word in a register for all operations. */
	rte_compiler_barrier();
	if (op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC || op->sess_type != sess_type)
		return false;
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	return true;
}

/**
 * True if an operation goes the way of the operation before it, whose session has this kind of the
 * fast path. Then the operation's status is NOT_PROCESSED.
 *
 * @param session the session of the operation before. Another session is checked and takes its
 *   place.
 * @param sgl the way: ACCEL_WAY_SEGMENTS, or else ACCEL_WAY_FAST.
 */
static ACCEL_VARIANTS bool
accel_goes_on(struct rte_crypto_op *op, const struct rte_cryptodev_sym_session **session,
	      const enum accel_hw_kind kind, const bool sgl)
{
	const struct rte_mbuf *m;

	if (unlikely(!accel_op_begin(op, RTE_CRYPTO_OP_WITH_SESSION)))
		return false;
	if (unlikely(op->sym->session != *session)) {
		*session = op->sym->session;
		if (*session == NULL ||
		    accel_session_of(*session)->owner != accel_session_owner(kind))
			return false;
	}
	m = op->sym->m_src;
	if (unlikely(m == NULL))
		return false;
	if (sgl)
		return m->nb_segs != 1 || op->sym->m_dst != NULL;
	return likely(m->nb_segs == 1) && likely(accel_is_in_place(op->sym, m));
}

#endif /* ACCEL_SORT_H */
