/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Sends packets through the tested device: random bursts, segments, headroom, in place and out of
 * place. Each packet has to come back exactly once.
 */

#include "interop.h"

#define BURST 32u
#define IN_FLIGHT 96u
#define HEADROOM 96u	/* IPv6 and UDP headers, ESP, IV */
#define TAILROOM 96u	/* padding, ICV */
#define PRIV(op) rte_crypto_op_ctod_offset(op, struct interop_work **, E2E_PRIV_OFF + 32)

/* Appends a segment with n bytes of room at `room`, behind some headroom. */
static struct rte_mbuf *
segment(struct interop *x, uint32_t headroom, const uint8_t *data, uint32_t n)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(x->mbufs);

	if (m == NULL)
		return NULL;
	m->data_off = headroom;
	m->data_len = n;
	m->pkt_len = n;
	if (data != NULL)
		memcpy(rte_pktmbuf_mtod(m, uint8_t *), data, n);
	return m;
}

/* Makes a packet of random segments. */
static struct rte_mbuf *
chain(struct interop *x, const struct interop_bytes *p)
{
	uint32_t parts = e2e_chance(x->rng, 2) ? 1 : e2e_range(x->rng, 1, 5), at = 0, n;
	struct rte_mbuf *first = NULL, *m;

	if (!(x->t->info.feature_flags & RTE_CRYPTODEV_FF_IN_PLACE_SGL))
		parts = 1;
	while (at < p->len) {
		n = parts == 1 ? p->len - at : e2e_range(x->rng, 1, p->len - at);
		parts -= parts > 1;
		m = segment(x, (first == NULL ? HEADROOM : 0) + e2e_range(x->rng, 0, 100),
			    p->data + at, n);
		at += n;
		if (m == NULL || (first != NULL && rte_pktmbuf_chain(first, m) != 0)) {
			rte_pktmbuf_free(m);
			rte_pktmbuf_free(first);
			return NULL;
		}
		first = first != NULL ? first : m;
	}
	return first;
}

static int
build(struct interop *x, struct interop_work *w)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(x->ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);

	CHECK(x->t, op != NULL, "no operation");
	w->op = op;
	w->seen = 0;
	*PRIV(op) = w;
	op->sym->m_src = chain(x, &w->in);
	op->sym->m_dst = NULL;
	CHECK(x->t, op->sym->m_src != NULL, "no mbuf");
	if (e2e_chance(x->rng, 4)) {
		op->sym->m_dst = segment(x, e2e_range(x->rng, 0, 200), NULL, 0);
		CHECK(x->t, op->sym->m_dst != NULL, "no mbuf");
	}
	rte_security_attach_session(op, w->sa->card);
	return E2E_PASS;
}

/* Copies the result of a finished operation, and frees all that it used. */
static int
finish(struct interop *x, uint16_t qp, struct rte_crypto_op *op)
{
	struct interop_work *w = *PRIV(op);
	struct rte_mbuf *m = op->sym->m_dst != NULL ? op->sym->m_dst : op->sym->m_src;
	const struct rte_mbuf *s;
	uint32_t sum = 0;
	const uint8_t *data;

	CHECK(x->t, w->op == op && w->qp == qp && w->seen++ == 0, "an operation came back twice");
	w->op = NULL;
	w->status = op->status;
	w->aux = op->aux_flags;
	w->flags = m->ol_flags;
	w->out.len = 0;
	if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
		for (s = m; s != NULL; s = s->next)
			sum += s->data_len;
		CHECK(x->t, sum == m->pkt_len && sum <= sizeof(w->out.data),
		      "%s: a packet of %u bytes has segments of %u", interop_sa_name(w->sa),
		      m->pkt_len, sum);
		data = rte_pktmbuf_read(m, 0, sum, w->out.data);
		if (data != w->out.data)
			memcpy(w->out.data, data, sum);
		w->out.len = sum;
	}
	rte_pktmbuf_free(op->sym->m_src);
	rte_pktmbuf_free(op->sym->m_dst);
	rte_crypto_op_free(op);
	return E2E_PASS;
}

/* Takes finished operations. Returns an e2e_result. */
static int
take(struct interop *x, uint16_t qp, unsigned int *taken)
{
	struct rte_crypto_op *ops[BURST];
	uint16_t k, i;

	k = rte_cryptodev_dequeue_burst(x->t->dev, qp, ops, e2e_range(x->rng, 1, BURST));
	for (i = 0; i < k; i++)
		TRY(finish(x, qp, ops[i]));
	CHECK(x->t, k <= x->in_flight[qp], "more operations came back than were given");
	x->in_flight[qp] -= k;
	*taken = k;
	return E2E_PASS;
}

static int
put_burst(struct interop *x, uint16_t qp, struct interop_work **w, unsigned int n)
{
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	struct rte_crypto_op *ops[BURST];
	unsigned int i, sent = 0, k;

	for (i = 0; i < n; i++) {
		TRY(build(x, w[i]));
		w[i]->qp = qp;
		ops[i] = w[i]->op;
	}
	while (sent < n) {
		k = rte_cryptodev_enqueue_burst(x->t->dev, qp, ops + sent, n - sent);
		sent += k;
		x->in_flight[qp] += k;
		if (sent < n) {
			TRY(take(x, qp, &k));
			CHECK(x->t, e2e_waited_ms() < end, "the queue pair takes nothing");
		}
	}
	return E2E_PASS;
}

int
interop_card_put(struct interop *x, uint16_t qp, struct interop_work **w, unsigned int n)
{
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	unsigned int done = 0, k;

	while (done < n) {
		k = RTE_MIN(e2e_range(x->rng, 1, BURST), n - done);
		TRY(put_burst(x, qp, w + done, k));
		done += k;
		do {
			TRY(take(x, qp, &k));
			if (k > 0)
				end = e2e_waited_ms() + E2E_TIMEOUT_MS;
			else if (x->in_flight[qp] > IN_FLIGHT)
				e2e_relax();
			CHECK(x->t, e2e_waited_ms() < end, "operations are lost");
		} while (x->in_flight[qp] > IN_FLIGHT);
	}
	return E2E_PASS;
}

int
interop_card_drain(struct interop *x, uint16_t qp)
{
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	unsigned int k;

	while (x->in_flight[qp] > 0) {
		TRY(take(x, qp, &k));
		if (k > 0)
			end = e2e_waited_ms() + E2E_TIMEOUT_MS;
		else
			e2e_relax();
		CHECK(x->t, e2e_waited_ms() < end, "%u operations are lost", x->in_flight[qp]);
	}
	TRY(take(x, qp, &k));
	return E2E_PASS;
}

/* ------------------------------------------------------------------ answers */

static int
check_refused(struct interop *x, const struct interop_work *w)
{
	uint32_t reason = w->aux >> 4;

	CHECK(x->t, w->status == RTE_CRYPTO_OP_STATUS_ERROR,
	      "%s: number %#" PRIx64 " is %s, but reasons %#x to refuse it are right",
	      interop_sa_name(w->sa), w->number, e2e_status_name(w->status), w->verdict.reasons);
	CHECK(x->t, w->verdict.reasons & (1u << reason),
	      "%s: number %#" PRIx64 " is refused for %u, right are %#x", interop_sa_name(w->sa),
	      w->number, reason, w->verdict.reasons);
	x->refused++;
	return E2E_PASS;
}

static int
check_sent(struct interop *x, const struct interop_work *w)
{
	bool udp = w->sa->ipsec.options.udp_encap;
	const char *wrong = interop_outer_wrong(w->sa, &w->want, &w->out);

	CHECK(x->t, wrong == NULL, "%s: wrong %s", interop_sa_name(w->sa), wrong);
	CHECK(x->t, interop_wire_spi(&w->out, udp) == w->sa->spi, "%s: SPI",
	      interop_sa_name(w->sa));
	CHECK(x->t, interop_wire_number(&w->out, udp) == (uint32_t)w->verdict.number,
	      "%s: number %#x, right is %#" PRIx64, interop_sa_name(w->sa),
	      interop_wire_number(&w->out, udp), w->verdict.number);
	return E2E_PASS;
}

static int
check_received(struct interop *x, const struct interop_work *w)
{
	const struct rte_security_ipsec_sa_options *o = &w->sa->ipsec.options;

	if (w->out.len != w->want.len || memcmp(w->out.data, w->want.data, w->out.len) != 0) {
		e2e_hexdiff("packet", w->want.data, w->out.data,
			    RTE_MIN(w->out.len, w->want.len));
		return e2e_fail(x->t, __FILE__, __LINE__, "%s: number %#" PRIx64 ", %u bytes of %u",
				interop_sa_name(w->sa), w->number, w->out.len, w->want.len);
	}
	CHECK(x->t, !o->ip_csum_enable || w->sa->inner6 ||
	      (w->flags & RTE_MBUF_F_RX_IP_CKSUM_MASK) == RTE_MBUF_F_RX_IP_CKSUM_GOOD,
	      "%s: header checksum flags", interop_sa_name(w->sa));
	CHECK(x->t, !o->l4_csum_enable ||
	      (w->flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_GOOD,
	      "%s: TCP or UDP checksum flags", interop_sa_name(w->sa));
	return E2E_PASS;
}

int
interop_work_check(struct interop *x, struct interop_work *w)
{
	CHECK(x->t, w->seen == 1, "%s: an operation came back %u times", interop_sa_name(w->sa),
	      w->seen);
	x->sent++;
	if (w->verdict.reasons != 0)
		return check_refused(x, w);
	CHECK(x->t, w->status == RTE_CRYPTO_OP_STATUS_SUCCESS,
	      "%s: number %#" PRIx64 ", %u bytes, is %s for %u", interop_sa_name(w->sa),
	      w->number, w->in.len, e2e_status_name(w->status), w->aux >> 4);
	CHECK(x->t, w->verdict.soft == ((w->aux & RTE_CRYPTO_OP_AUX_FLAGS_IPSEC_SOFT_EXPIRY) != 0),
	      "%s: soft limit after %" PRIu64 " packets", interop_sa_name(w->sa),
	      w->sa->oracle.packets);
	x->accepted++;
	return w->sa->outbound ? check_sent(x, w) : check_received(x, w);
}
