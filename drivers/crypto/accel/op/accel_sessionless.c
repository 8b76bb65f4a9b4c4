/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keeps the sessions of sessionless operations: see accel_sessionless.h. The enqueuing thread takes
 * sessions from a stack. The dequeuing thread returns them through a ring, which has one writer and
 * one reader.
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
#include "accel_sym.h"

/* Sessions are allocated in chunks of this number. */
#define CHUNK_SESSIONS 64u

/*
 * Holds a session of the stock. The size is a power of two and the alignment is the size. For this
 * reason a session does not cross a page, and one IOVA holds for all of it.
 */
struct own_session {
	alignas(512) struct accel_session sess;
	rte_iova_t iova;
};

static_assert(sizeof(struct own_session) == 512, "does not cross a page");

struct accel_sessionless {
	uint32_t mask; /* for the ring and for in-flight slots */
	struct own_session **in_flight; /* indexed by slot */
	struct own_session **ring; /* wiped sessions that return to the stack */
	/* The enqueuing thread writes these. */
	alignas(RTE_CACHE_LINE_SIZE) struct own_session **stack; /* free sessions */
	uint32_t nb_free;
	uint32_t nb_chunks;
	uint32_t taken; /* sessions taken from the ring, as `given` counts */
	void **chunk;
	/* The dequeuing thread writes this. */
	alignas(RTE_CACHE_LINE_SIZE) ACCEL_ATOMIC(uint32_t) given; /* sessions given to the ring */
};

static struct accel_sessionless *
stock_create(const struct accel_qp *qp)
{
	const uint32_t nb = RTE_MAX(qp->nb_desc, CHUNK_SESSIONS);
	const size_t pointers = 3 * (size_t)nb + nb / CHUNK_SESSIONS;
	struct accel_sessionless *stock;

	stock = rte_zmalloc("accel_sessionless", sizeof(*stock) + pointers * sizeof(void *),
			    RTE_CACHE_LINE_SIZE);
	if (stock == NULL)
		return NULL;
	stock->mask = nb - 1;
	stock->in_flight = (struct own_session **)(stock + 1);
	stock->ring = stock->in_flight + nb;
	stock->stack = stock->ring + nb;
	stock->chunk = (void **)(stock->stack + nb);
	return stock;
}

/*
 * Adds CHUNK_SESSIONS sessions to the stock. The stock never has more sessions than operations can
 * be in flight, rounded up to whole chunks.
 */
static int
stock_grow(struct accel_sessionless *stock)
{
	struct own_session *chunk = rte_zmalloc("accel_sessionless",
						CHUNK_SESSIONS * sizeof(*chunk), sizeof(*chunk));
	uint32_t i;

	if (chunk == NULL)
		return -ENOMEM;
	accel_dump_exclude(chunk, CHUNK_SESSIONS * sizeof(*chunk));
	for (i = 0; i < CHUNK_SESSIONS; i++) {
		chunk[i].iova = rte_mem_virt2iova(&chunk[i]);
		if (chunk[i].iova == RTE_BAD_IOVA) {
			rte_free(chunk);
			return -ENOMEM;
		}
	}
	stock->chunk[stock->nb_chunks++] = chunk;
	for (i = 0; i < CHUNK_SESSIONS; i++)
		stock->stack[stock->nb_free++] = &chunk[i];
	return 0;
}

static int
stock_fill(struct accel_sessionless *stock)
{
	const uint32_t given = accel_load_acquire(&stock->given);

	for (; stock->taken != given; stock->taken++)
		stock->stack[stock->nb_free++] = stock->ring[stock->taken & stock->mask];
	return stock->nb_free != 0 ? 0 : stock_grow(stock);
}

int
accel_sessionless_get(struct accel_qp *qp, struct rte_crypto_sym_xform *xform,
		      struct accel_session **sess)
{
	struct accel_sessionless *stock = qp->sessionless;
	struct own_session *own;
	int ret;

	if (stock == NULL) {
		stock = stock_create(qp);
		if (stock == NULL)
			return -ENOMEM;
		qp->sessionless = stock;
	}
	if (stock->nb_free == 0 && stock_fill(stock) != 0)
		return -ENOMEM;
	own = stock->stack[stock->nb_free - 1];
	ret = accel_session_make(qp->dev, xform, &own->sess, own->iova);
	if (ret != 0)
		return ret;
	stock->nb_free--;
	*sess = &own->sess;
	return 0;
}

void
accel_sessionless_drop(struct accel_qp *qp, struct accel_session *sess)
{
	struct accel_sessionless *stock = qp->sessionless;

	/* No context has reached the device, so no invalidation is needed. */
	accel_memzero_explicit(sess, sizeof(*sess));
	stock->stack[stock->nb_free++] = container_of(sess, struct own_session, sess);
}

void
accel_sessionless_keep(struct accel_qp *qp, uint32_t slot, struct accel_session *sess)
{
	struct own_session **place = &qp->sessionless->in_flight[slot];

	/*
	 * A session that is still here belongs to a cached operation of the raw data path that was
	 * given up.
	 */
	if (*place != NULL)
		accel_sessionless_drop(qp, &(*place)->sess);
	*place = container_of(sess, struct own_session, sess);
}

void
accel_sessionless_put(struct accel_qp *qp, uint32_t slot)
{
	struct accel_sessionless *stock = qp->sessionless;
	struct own_session *own = stock->in_flight[slot];
	const uint32_t given = accel_load_relaxed(&stock->given);

	if (own == NULL)
		return; /* a process was killed after this line (test_session_given_back) */
	accel_session_wipe(qp->dev, &own->sess);
	stock->in_flight[slot] = NULL;
	stock->ring[given & stock->mask] = own;
	accel_store_release(&stock->given, given + 1);
}

void
accel_sessionless_free(struct accel_qp *qp)
{
	struct accel_sessionless *stock = qp->sessionless;

	if (stock == NULL)
		return;
	while (stock->nb_chunks > 0)
		rte_free(stock->chunk[--stock->nb_chunks]);
	rte_free(stock);
	qp->sessionless = NULL;
}
