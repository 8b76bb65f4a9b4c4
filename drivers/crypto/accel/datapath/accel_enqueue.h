/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the paths of enqueue that accel_enqueue.c and the raw data path call.
 *
 * The fast path of IPsec takes operations with a security session of ESP or AH that have one
 * segment and are in place. The fast path of segments takes operations with segments, operations
 * out of place, and vectors. One body writes the descriptors of all of them. An operation for it
 * has a session with a kind of the fast path, no empty region, and no segment across 1 GiB.
 *
 * The slow path takes all other operations of both APIs: any number of segments, empty regions,
 * buffers across 1 GiB, digests within the data, offsets in bits, sessionless operations and
 * operations of rte_security. Operations that cannot be carried out are refused there.
 */
#ifndef ACCEL_ENQUEUE_H
#define ACCEL_ENQUEUE_H

#include <stdbool.h>

#include <rte_prefetch.h>
#include <rte_security_driver.h>

#include "accel_command.h"
#include "accel_queue.h"
#include "accel_raw_ctx.h"
#include "accel_raw_op.h"
#include "accel_ring.h"
#include "accel_session.h"
#include "accel_sort.h"

/*
 * A body of the fast path writes operations of one kind to the rings, and their in-flight entries,
 * up to the first that is for another path. It returns the number of this operation.
 *
 * n operations from number prod on, counted in qp->ahead; the first one is for this path
 * many the burst has more than one session, and the first sessions have been prefetched
 */
#define ACCEL_RUN_ARGS                                                                             \
	struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod, bool many

typedef uint32_t (*accel_enqueue_run_t)(ACCEL_RUN_ARGS);

/* Lists the bodies of IPsec by accel_session.generate and by whether data are near. */
extern const accel_enqueue_run_t accel_enqueue_ipsec[2][2];

/*
 * A burst with more than one session tends to have many, and each may be a cache miss. The sessions
 * are prefetched, so that several misses overlap. An operation without a session has another
 * pointer where the session would be. Prefetching that pointer does no harm.
 */
#define ACCEL_SESSIONS_AHEAD 32u /* all of a common burst, before the first operation is written */

static inline void
accel_fetch_sessions(struct rte_crypto_op **ops, uint32_t from, uint32_t to)
{
	const size_t priv = offsetof(struct rte_cryptodev_sym_session, driver_priv_data);

	for (; from < to; from++)
		rte_prefetch0((const void *)((uintptr_t)ops[from]->sym->session + priv));
}

static_assert(offsetof(struct rte_cryptodev_sym_session, driver_priv_data) ==
		      offsetof(struct rte_security_session, driver_priv_data),
	      "accel_fetch_sessions()");

/* Prefetches sessions after the ACCEL_SESSIONS_AHEAD operations whose sessions were prefetched. */
static inline void
accel_fetch_next_sessions(struct rte_crypto_op **ops, uint32_t n)
{
	if (n > ACCEL_SESSIONS_AHEAD)
		accel_fetch_sessions(ops, ACCEL_SESSIONS_AHEAD,
				     RTE_MIN(n, ACCEL_SESSIONS_AHEAD + ACCEL_CLAIM_AT_ONCE));
}

/**
 * Write operations to the rings, and their in-flight entries, by the fast path of segments, or of
 * DOCSIS and PDCP. Stop at the first operation that is for another path or that might find no room.
 *
 * @param prod the number of the first operation, which is for this path. The path of DOCSIS and
 *   PDCP looks for itself.
 * @param sess the session of the first operation.
 * @return the number of operations written.
 */
uint32_t accel_enqueue_mbufs(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,
			     uint32_t prod, const struct accel_session *sess);
uint32_t accel_enqueue_protocol(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,
				uint32_t prod, const struct accel_session *sess);

/**
 * Cache operations of the raw data path that lie in arrays. Stop at the first operation that is for
 * the slow path or that might find no room.
 *
 * @return the number of operations cached.
 */
uint32_t accel_enqueue_vectors(struct accel_qp *qp, struct accel_raw_ctx *ctx,
			       const struct accel_raw_op *first, uint32_t n, void *user_data[]);

/** Cache one operation of a single vector, in place. Return false if it is for another path. */
bool accel_enqueue_vector(struct accel_qp *qp, struct accel_raw_ctx *ctx,
			  const struct accel_raw_op *op, void *user_data);

/**
 * Write one operation to the rings, and its in-flight entry. An operation that cannot be carried
 * out becomes a command that does nothing, and accel_qp.refusals gets its status.
 *
 * @param sorted the result of accel_sort() for this operation.
 * @param tag the operation's number, qp->prod or later.
 * @return false if the rings are full.
 */
bool accel_enqueue_slow(struct accel_qp *qp, struct rte_crypto_op *op, struct accel_sorted sorted,
			uint32_t tag);

/**
 * Write frames and command of an operation of the raw data path, which is published later.
 *
 * @param tx, rx the rings. They are unchanged after an error.
 * @return 0; -EAGAIN if there is no room now, -EINVAL if the operation is not possible.
 */
int accel_enqueue_slow_raw(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
			   const struct accel_session *sess, const struct accel_raw_op *op,
			   uint32_t tag);

#endif /* ACCEL_ENQUEUE_H */
