/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * What every interoperability test begins and ends with: devices, pools, and the check for leaks.
 */

#include "interop.h"

#define OPS 511
#define MBUFS 1535
#define MBUF_ROOM (INTEROP_MAX_WIRE + 640)

static void
free_pools(struct interop *x)
{
	rte_mempool_free(x->card_sessions);
	rte_mempool_free(x->peer_sessions);
	rte_mempool_free(x->ops);
	rte_mempool_free(x->mbufs);
	x->card_sessions = x->peer_sessions = x->ops = x->mbufs = NULL;
	free(x->work);
	free(x->list);
	x->work = NULL;
	x->list = NULL;
}

static int
make_pools(struct interop *x, unsigned int nb_sas)
{
	unsigned int size = 0, i, n = nb_sas + 1;

	for (i = 0; i < RTE_CRYPTO_MAX_DEVS; i++) {
		if (rte_cryptodev_is_valid_dev(i))
			size = RTE_MAX(size, rte_cryptodev_sym_get_private_session_size(i));
	}
	x->card_sessions = rte_mempool_create("interop_card", n,
					      rte_security_session_get_size(x->ctx), 0, 0, NULL,
					      NULL, NULL, NULL, SOCKET_ID_ANY, 0);
	x->peer_sessions = rte_cryptodev_sym_session_pool_create("interop_peer", n, size, 0, 0,
								 SOCKET_ID_ANY);
	x->ops = rte_crypto_op_pool_create("interop_op", RTE_CRYPTO_OP_TYPE_SYMMETRIC, OPS, 0, 64,
					   SOCKET_ID_ANY);
	x->mbufs = rte_pktmbuf_pool_create("interop_mbuf", MBUFS, 0, 0, MBUF_ROOM, SOCKET_ID_ANY);
	x->work = calloc(INTEROP_WORKS, sizeof(*x->work));
	x->list = calloc(INTEROP_WORKS, sizeof(*x->list));
	CHECK(x->t, x->card_sessions != NULL && x->peer_sessions != NULL && x->ops != NULL &&
	      x->mbufs != NULL && x->work != NULL && x->list != NULL, "out of memory");
	for (i = 0; i < INTEROP_WORKS; i++)
		x->list[i] = &x->work[i];
	return E2E_PASS;
}

static bool
has_ipsec(struct interop *x)
{
	const struct rte_security_capability *c = rte_security_capabilities_get(x->ctx);

	for (; c != NULL && c->action != RTE_SECURITY_ACTION_TYPE_NONE; c++) {
		if (c->protocol == RTE_SECURITY_PROTOCOL_IPSEC)
			return true;
	}
	return false;
}

static int
set_up_card(struct interop *x, uint16_t nb_qps)
{
	struct rte_cryptodev_config conf = { .nb_queue_pairs = nb_qps + 1,
					     .ff_disable = RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 256 };
	uint16_t i;

	e2e_dev_stop(x->t->dev);
	CHECK(x->t, rte_cryptodev_configure(x->t->dev, &conf) == 0, "configure");
	for (i = 0; i < conf.nb_queue_pairs; i++)
		CHECK(x->t, rte_cryptodev_queue_pair_setup(x->t->dev, i, &qp, SOCKET_ID_ANY) == 0,
		      "queue pair %u", i);
	CHECK(x->t, rte_cryptodev_start(x->t->dev) == 0, "start");
	x->t->nb_qps = conf.nb_queue_pairs;
	x->peer_qp = nb_qps;
	return E2E_PASS;
}

/* A test that failed leaves its context, which the next one has to free. */
static void
forget(struct interop *x)
{
	if (x->t == NULL)
		return;
	e2e_dev_stop(x->t->dev);
	interop_peers_close(x);
	free_pools(x);
}

int
interop_open(struct e2e *t, struct interop *x, uint16_t nb_qps, unsigned int nb_sas)
{
	static struct interop *last;

	if (last != NULL)
		forget(last);
	last = x;
	memset(x, 0, sizeof(*x));
	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_SECURITY))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SECURITY");
	if (nb_qps + 1u > t->info.max_nb_queue_pairs)
		return e2e_skip(t, "the device has %u queue pairs", t->info.max_nb_queue_pairs);
	x->t = t;
	x->rng = &t->rng;
	TRY(set_up_card(x, nb_qps));
	x->ctx = rte_cryptodev_get_sec_ctx(t->dev);
	CHECK(t, x->ctx != NULL, "no security context");
	if (!has_ipsec(x))
		return e2e_skip(t, "no IPsec");
	TRY(make_pools(x, nb_sas));
	return interop_peers_open(x);
}

int
interop_close(struct interop *x)
{
	CHECK(x->t, rte_mempool_full(x->card_sessions) && rte_mempool_full(x->peer_sessions),
	      "sessions leaked");
	CHECK(x->t, rte_mempool_full(x->ops) && rte_mempool_full(x->mbufs),
	      "operations or mbufs leaked");
	e2e_note(x->t, "%" PRIu64 " packets, %" PRIu64 " accepted, %" PRIu64 " refused", x->sent,
		 x->accepted, x->refused);
	forget(x);
	return E2E_PASS;
}

void
e2e_add_interop(void)
{
	interop_add_traffic();
	interop_add_numbers();
	interop_add_life();
	interop_add_threads();
}
