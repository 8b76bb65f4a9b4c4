/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keeps the sessions of sessionless operations: see accel_sessionless.h.
 */
#include <assert.h>
#include <errno.h>
#include <stdalign.h>

#include <rte_common.h>
#include <rte_crypto_sym.h>
#include <rte_malloc.h>
#include <rte_memory.h>

#include "accel_compat.h"
#include "accel_memory.h"
#include "accel_queue.h"
#include "accel_session.h"
#include "accel_sessionless.h"

/* Sessions are allocated in chunks of this number, when the first of a chunk is needed. */
#define CHUNK_SESSIONS 64u

/*
 * Holds the session of an in-flight slot. The size is a power of two and the alignment is the size.
 * For this reason a session does not cross a page, and one IOVA holds for all of it.
 */
struct own_session {
	alignas(512) struct accel_session sess;
	rte_iova_t iova;
};

static_assert(sizeof(struct own_session) == 512, "does not cross a page");

/* Has the sessions by slot. A chunk that is NULL is not allocated yet. */
struct accel_sessionless {
	uint32_t nb_chunks;
	struct own_session *chunk[];
};

static int
stock_create(struct accel_qp *qp)
{
	const uint32_t nb = RTE_ALIGN_MUL_CEIL(qp->nb_desc, CHUNK_SESSIONS) / CHUNK_SESSIONS;

	qp->sessionless = rte_zmalloc("accel_sessionless", sizeof(*qp->sessionless) +
				      nb * sizeof(qp->sessionless->chunk[0]), 0);
	if (qp->sessionless == NULL)
		return -ENOMEM;
	qp->sessionless->nb_chunks = nb;
	return 0;
}

static int
chunk_create(struct own_session **chunk)
{
	const size_t size = CHUNK_SESSIONS * sizeof(**chunk);
	struct own_session *own = rte_zmalloc("accel_sessionless", size, sizeof(*own));
	uint32_t i;

	if (own == NULL)
		return -ENOMEM;
	accel_dump_exclude(own, size);
	for (i = 0; i < CHUNK_SESSIONS; i++) {
		own[i].iova = rte_mem_virt2iova(&own[i]);
		if (own[i].iova == RTE_BAD_IOVA) {
			rte_free(own);
			return -ENOMEM;
		}
	}
	*chunk = own;
	return 0;
}

static struct own_session *
own_session_at(const struct accel_qp *qp, uint32_t slot)
{
	return &qp->sessionless->chunk[slot / CHUNK_SESSIONS][slot % CHUNK_SESSIONS];
}

int
accel_sessionless_get(struct accel_qp *qp, uint32_t slot, struct rte_crypto_sym_xform *xform,
		      const struct accel_session **sess)
{
	struct own_session **chunk, *own;

	if (qp->sessionless == NULL && stock_create(qp) != 0)
		return -ENOMEM;
	chunk = &qp->sessionless->chunk[slot / CHUNK_SESSIONS];
	if (*chunk == NULL && chunk_create(chunk) != 0)
		return -ENOMEM;
	own = own_session_at(qp, slot);
	/*
	 * A session that is still here belongs to a cached operation of the raw data path that was
	 * given up, or to one whose process was killed before it published the operation.
	 */
	if (own->sess.command.context != 0)
		accel_sessionless_drop(qp, slot);
	*sess = &own->sess;
	return accel_session_make(qp->dev, xform, &own->sess, own->iova);
}

void
accel_sessionless_drop(struct accel_qp *qp, uint32_t slot)
{
	struct accel_session *sess = &own_session_at(qp, slot)->sess;

	/* No context has reached the device, so no invalidation is needed. */
	accel_session_count_context(qp->dev, sess, false);
	accel_memzero_explicit(sess, sizeof(*sess));
}

void
accel_sessionless_put(struct accel_qp *qp, uint32_t slot)
{
	/* A process that was killed here may have wiped the session (test_session_given_back). */
	accel_session_wipe(qp->dev, &own_session_at(qp, slot)->sess);
}

void
accel_sessionless_free(struct accel_qp *qp)
{
	uint32_t i;

	for (i = 0; qp->sessionless != NULL && i < qp->sessionless->nb_chunks; i++)
		rte_free(qp->sessionless->chunk[i]);
	rte_free(qp->sessionless);
	qp->sessionless = NULL;
}
