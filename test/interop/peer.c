/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * The peer: librte_ipsec with lookaside-none sessions on any driver that has the algorithms: the
 * drivers of OpenSSL and of IPsec-MB, which the tests plug, and the plain sessions of the tested
 * device. What librte_ipsec leaves to its application is done here: the header checksum of IPv4.
 */

#include <netinet/in.h>

#include <rte_dev.h>
#include <rte_errno.h>

#include "interop.h"

static const char *const peer_drivers[] = { "crypto_openssl", "crypto_aesni_mb" };

/* ------------------------------------------------------------------ devices */

static void
set_up(struct interop *x, uint8_t dev)
{
	struct rte_cryptodev_config conf = { .nb_queue_pairs = 1,
					     .ff_disable = RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 64 };
	struct interop_peer_dev *p = &x->peer[x->nb_peers];

	qp.mp_session = x->peer_sessions;
	if (rte_cryptodev_configure(dev, &conf) != 0 ||
			rte_cryptodev_queue_pair_setup(dev, 0, &qp, SOCKET_ID_ANY) != 0 ||
			rte_cryptodev_start(dev) != 0)
		return;
	p->dev = dev;
	p->ours = true;
	x->nb_peers++;
}

int
interop_peers_open(struct interop *x)
{
	unsigned int i;
	char name[64];
	int dev;

	snprintf(x->peer[0].name, sizeof(x->peer[0].name), "%s", x->t->name);
	x->peer[0].dev = x->t->dev;
	x->nb_peers = 1;
	for (i = 0; i < RTE_DIM(peer_drivers); i++) {
		snprintf(name, sizeof(name), "%s_interop", peer_drivers[i]);
		dev = rte_cryptodev_get_dev_id(name);
		if (dev < 0 && rte_eal_hotplug_add("vdev", name, "") == 0)
			dev = rte_cryptodev_get_dev_id(name);
		if (dev < 0)
			continue;
		snprintf(x->peer[x->nb_peers].name, sizeof(x->peer[0].name), "%s", name);
		set_up(x, dev);
	}
	return E2E_PASS;
}

void
interop_peers_close(struct interop *x)
{
	unsigned int i;

	for (i = 0; i < x->nb_peers; i++) {
		if (x->peer[i].ours)
			rte_cryptodev_stop(x->peer[i].dev);
	}
	x->nb_peers = 0;
}

static const struct rte_cryptodev_symmetric_capability *
cap_of(uint8_t dev, const struct rte_crypto_sym_xform *xf)
{
	struct rte_cryptodev_sym_capability_idx idx = { .type = xf->type };

	if (xf->type == RTE_CRYPTO_SYM_XFORM_AEAD)
		idx.algo.aead = xf->aead.algo;
	else if (xf->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		idx.algo.cipher = xf->cipher.algo;
	else
		idx.algo.auth = xf->auth.algo;
	return rte_cryptodev_sym_capability_get(dev, &idx);
}

static bool
has(uint8_t dev, const struct rte_crypto_sym_xform *xf)
{
	const struct rte_cryptodev_symmetric_capability *c;

	for (; xf != NULL; xf = xf->next) {
		c = cap_of(dev, xf);
		if (c == NULL || !interop_xform_fits(c, xf))
			return false;
	}
	return true;
}

int
interop_peer_find(struct interop *x, const struct rte_crypto_sym_xform *xf)
{
	unsigned int first = e2e_range(x->rng, 0, x->nb_peers - 1), i, k;

	for (i = 0; i < x->nb_peers; i++) {
		k = (first + i) % x->nb_peers;
		if (has(x->peer[k].dev, xf))
			return k;
	}
	return -1;
}

/* ------------------------------------------------------------------ packets */

static struct rte_mbuf *
to_mbuf(struct interop *x, const struct interop_bytes *p, uint32_t l3_len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(x->mbufs);

	if (m == NULL)
		return NULL;
	memcpy(rte_pktmbuf_append(m, p->len), p->data, p->len);
	m->l2_len = 0;
	m->l3_len = l3_len;
	return m;
}

static int
from_mbuf(struct interop *x, struct rte_mbuf *m, struct interop_bytes *p)
{
	CHECK(x->t, m->nb_segs == 1 && m->pkt_len <= sizeof(p->data), "the peer's packet");
	p->len = m->pkt_len;
	memcpy(p->data, rte_pktmbuf_mtod(m, uint8_t *), p->len);
	interop_ip_checksum(p);
	rte_pktmbuf_free(m);
	return E2E_PASS;
}

/* Lets the peer's device and librte_ipsec work on one packet. */
static int
run(struct interop *x, struct interop_sa *sa, struct rte_mbuf *m)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(x->ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	uint8_t dev = x->peer[sa->peer_dev].dev, status;
	uint16_t qp = x->peer[sa->peer_dev].ours ? 0 : x->peer_qp;

	CHECK(x->t, op != NULL && m != NULL, "out of memory");
	CHECK(x->t, rte_ipsec_pkt_crypto_prepare(&sa->peer, &m, &op, 1) == 1,
	      "librte_ipsec cannot prepare for %s: %s", interop_sa_name(sa),
	      rte_strerror(rte_errno));
	CHECK(x->t, e2e_send(dev, qp, &op, 1) == 1, "the peer's device takes nothing");
	CHECK(x->t, e2e_collect(dev, qp, &op, 1, E2E_TIMEOUT_MS) == 1, "the peer's device is late");
	status = op->status;
	rte_crypto_op_free(op);
	CHECK(x->t, status == RTE_CRYPTO_OP_STATUS_SUCCESS, "the peer's %s says %s to %s",
	      x->peer[sa->peer_dev].name, e2e_status_name(status), interop_sa_name(sa));
	CHECK(x->t, rte_ipsec_pkt_process(&sa->peer, &m, 1) == 1, "librte_ipsec refuses %s: %s",
	      interop_sa_name(sa), rte_strerror(rte_errno));
	return E2E_PASS;
}

int
interop_peer_send(struct interop *x, struct interop_sa *sa, const struct interop_bytes *plain,
		  struct interop_bytes *wire)
{
	struct rte_mbuf *m = to_mbuf(x, plain, sa->tunnel ? 0 : interop_insert_offset(plain));

	TRY(run(x, sa, m));
	TRY(from_mbuf(x, m, wire));
	CHECK(x->t, interop_wire_number(wire, sa->ipsec.options.udp_encap) ==
	      (uint32_t)sa->peer_next, "librte_ipsec's number is not the test's");
	sa->peer_next++;
	return E2E_PASS;
}

int
interop_peer_receive(struct interop *x, struct interop_sa *sa, const struct interop_bytes *wire,
		     struct interop_bytes *plain)
{
	uint32_t esp = interop_esp_offset(wire, sa->ipsec.options.udp_encap);
	struct rte_mbuf *m = to_mbuf(x, wire, esp);

	TRY(run(x, sa, m));
	return from_mbuf(x, m, plain);
}
