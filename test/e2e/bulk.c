/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Makes many small operations in ordinary mbufs, for tests about queues. Each has its own data, so
 * that a swapped, lost or repeated operation shows.
 */

#include <rte_mempool.h>

#include "e2e.h"

#define BULK_IV (E2E_PRIV_OFF)
#define BULK_NUM (E2E_PRIV_OFF + 16)	/* number of the op, behind the IV */

static int
bulk_pools(struct e2e_bulk *b)
{
	static unsigned int serial;
	char name[RTE_MEMPOOL_NAMESIZE];

	snprintf(name, sizeof(name), "e2e_bulk_op_%u", serial);
	b->op_mp = rte_crypto_op_pool_create(name, RTE_CRYPTO_OP_TYPE_SYMMETRIC, b->n, 0, 32,
					     SOCKET_ID_ANY);
	snprintf(name, sizeof(name), "e2e_bulk_mbuf_%u", serial++);
	b->mbuf_mp = rte_pktmbuf_pool_create(name, b->n, 0, 0, b->len, SOCKET_ID_ANY);
	return b->op_mp != NULL && b->mbuf_mp != NULL ? 0 : -ENOMEM;
}

static void
bulk_op(struct e2e_bulk *b, unsigned int i)
{
	struct rte_crypto_sym_op *sym;

	b->op[i] = rte_crypto_op_alloc(b->op_mp, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	b->mbuf[i] = rte_pktmbuf_alloc(b->mbuf_mp);
	if (b->op[i] == NULL || b->mbuf[i] == NULL)
		return;
	*rte_crypto_op_ctod_offset(b->op[i], uint32_t *, BULK_NUM) = i;
	b->mbuf[i]->data_off = 0;
	rte_pktmbuf_append(b->mbuf[i], b->len);
	rte_crypto_op_attach_sym_session(b->op[i], b->ses->sess);
	sym = b->op[i]->sym;
	sym->m_src = b->mbuf[i];
	sym->cipher.data.offset = 0;
	sym->cipher.data.length = b->len;
}

int
e2e_bulk_open(struct e2e *t, uint8_t dev, unsigned int n, unsigned int len, struct e2e_bulk *b)
{
	struct e2e_spec sp;
	unsigned int i;

	memset(b, 0, sizeof(*b));
	b->n = n;
	b->len = len;
	b->rng.s = e2e_rand(&t->rng);
	CHECK(t, e2e_spec_simple(t, &sp), "no simple cipher");
	sp.iv_off = BULK_IV;
	b->ses = e2e_session_open(t, dev, &sp);
	b->op = calloc(n, sizeof(*b->op));
	b->mbuf = calloc(n, sizeof(*b->mbuf));
	b->expect = malloc((size_t)n * len);
	b->seen = malloc(n);
	CHECK(t, bulk_pools(b) == 0 && b->ses != NULL && b->op != NULL && b->mbuf != NULL &&
	      b->expect != NULL && b->seen != NULL, "out of memory for %u ops", n);
	for (i = 0; i < n; i++)
		bulk_op(b, i);
	CHECK(t, b->op[n - 1] != NULL && b->mbuf[n - 1] != NULL,
	      "the pool has less than %u objects", n);
	e2e_bulk_reset(b);
	return E2E_PASS;
}

void
e2e_bulk_sessionless(struct e2e_bulk *b)
{
	unsigned int i;

	e2e_xforms(&b->ses->spec, b->xf);
	for (i = 0; i < b->n; i++) {
		b->op[i]->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		b->op[i]->sym->xform = b->xf;
	}
}

/* Frees whole mempools, so operations that a failed test left in a queue pair do no harm. */
void
e2e_bulk_close(struct e2e_bulk *b)
{
	e2e_session_close(b->ses);
	rte_mempool_free(b->op_mp);
	rte_mempool_free(b->mbuf_mp);
	free(b->op);
	free(b->mbuf);
	free(b->expect);
	free(b->seen);
	memset(b, 0, sizeof(*b));
}

void
e2e_bulk_reset(struct e2e_bulk *b)
{
	unsigned int i;
	uint8_t *p, *iv;

	for (i = 0; i < b->n; i++) {
		p = rte_pktmbuf_mtod(b->mbuf[i], uint8_t *);
		iv = rte_crypto_op_ctod_offset(b->op[i], uint8_t *, BULK_IV);
		e2e_bytes(&b->rng, p, b->len);
		e2e_bytes(&b->rng, iv, 16);
		e2e_ref_cipher(&b->ses->spec, iv, p, b->expect + (size_t)i * b->len, b->len);
		b->op[i]->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	}
	memset(b->seen, 0, b->n);
}

unsigned int
e2e_bulk_index(const struct e2e_bulk *b, struct rte_crypto_op *op)
{
	uint32_t i;

	if (op == NULL || op->mempool != b->op_mp)
		return UINT32_MAX;
	i = *rte_crypto_op_ctod_offset(op, uint32_t *, BULK_NUM);
	return i < b->n && b->op[i] == op ? i : UINT32_MAX;
}

int
e2e_bulk_check(struct e2e *t, struct e2e_bulk *b, unsigned int i, struct rte_crypto_op *op)
{
	const uint8_t *p;

	CHECK(t, e2e_bulk_index(b, op) == i, "op %u came back in place of op %u",
	      e2e_bulk_index(b, op), i);
	CHECK(t, b->seen[i]++ == 0, "op %u came back twice", i);
	CHECK(t, op->status == RTE_CRYPTO_OP_STATUS_SUCCESS, "op %u: status %s", i,
	      e2e_status_name(op->status));
	p = rte_pktmbuf_mtod(b->mbuf[i], const uint8_t *);
	if (memcmp(p, b->expect + (size_t)i * b->len, b->len) != 0) {
		if (e2e_first_failure(t))
			e2e_hexdiff("data", b->expect + (size_t)i * b->len, p, b->len);
		return e2e_fail(t, __FILE__, __LINE__, "op %u: wrong data", i);
	}
	return E2E_PASS;
}
