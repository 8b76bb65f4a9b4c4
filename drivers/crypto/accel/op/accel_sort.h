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

/** Sort an operation. */
static inline struct accel_sorted
accel_sort(const struct accel_qp *qp, const struct rte_crypto_op *op)
{
	const struct accel_session *sess;

	if (unlikely(!accel_has_session(op)))
		return accel_sort_other(qp, op);
	if (unlikely(op->sym->m_src == NULL))
		return accel_sorted_as(op->sym->session != NULL ? ACCEL_WAY_NO_SOURCE :
								  ACCEL_WAY_BAD_SESSION, NULL);
	sess = accel_own_session(op->sym->session);
	if (unlikely(sess == NULL))
		return accel_sorted_as(ACCEL_WAY_BAD_SESSION, NULL);
	if (unlikely(accel_session_fast_kind(sess) == 0))
		return accel_sorted_as(ACCEL_WAY_SYMMETRIC, sess);
	return accel_sorted_as(accel_is_sgl(op->sym) ? ACCEL_WAY_SEGMENTS : ACCEL_WAY_FAST, sess);
}

/**
 * True if an operation goes the way of the operation before it, whose session has this kind of the
 * fast path.
 *
 * @param session the session of the operation before. Another session is checked and takes its
 *   place.
 * @param sgl the way: ACCEL_WAY_SEGMENTS, or else ACCEL_WAY_FAST.
 */
static ACCEL_VARIANTS bool
accel_goes_on(const struct rte_crypto_op *op, const struct rte_cryptodev_sym_session **session,
	      const enum accel_hw_kind kind, const bool sgl)
{
	if (unlikely(!accel_has_session(op) || op->sym->m_src == NULL))
		return false;
	if (unlikely(op->sym->session != *session)) {
		*session = op->sym->session;
		if (*session == NULL ||
		    accel_session_of(*session)->owner != accel_session_owner(kind))
			return false;
	}
	return likely(accel_is_sgl(op->sym) == sgl);
}

#endif /* ACCEL_SORT_H */
