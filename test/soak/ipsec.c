/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * ESP in tunnel mode through rte_security, on a queue pair of its own, beside the soak test's other
 * traffic. Packets go out, and packets that the reference (../common/ref_ipsec.h) has built come
 * in: good ones, spoilt ones, and replays. The device counts the packets of an SA, so their numbers
 * show one that is carried out twice or never. An error of the device leaves open whether a number
 * was used, so the next one may be any later one.
 */

#include <netinet/in.h>

#include <rte_ip.h>
#include <rte_security.h>
#include <rte_udp.h>

#include "soak.h"

#define ROUNDS 24u		/* of the lanes between two looks */
#define BUF_LEN 1280u		/* bytes of an mbuf */
#define HEADROOM 128u
#define PLAIN_MIN 48u
#define PLAIN_MAX 700u
#define ESP_AT 20u		/* behind the outer IPv4 header */
#define IV_AT 28u
#define WINDOW 64u
#define REASON(op) ((op)->aux_flags >> 4)
#define REASON_AUTH_FAILED 1u	/* manual 7.4 */
#define REASON_REPLAY 9u

enum what { OUTBOUND, INBOUND, SPOILT, REPLAYED, WHATS };

struct suite {
	int aead, cipher, auth;		/* of DPDK; 0: none */
	enum ref_ipsec_cipher ref_cipher;
	enum ref_ipsec_auth ref_auth;
	uint16_t key, auth_key, iv, icv;
};

static const struct suite suites[] = {
	{ RTE_CRYPTO_AEAD_AES_GCM, 0, 0, REF_IPSEC_AES_GCM, REF_IPSEC_NONE, 16, 0, 12, 16 },
	{ RTE_CRYPTO_AEAD_AES_GCM, 0, 0, REF_IPSEC_AES_GCM, REF_IPSEC_NONE, 32, 0, 12, 16 },
	{ RTE_CRYPTO_AEAD_CHACHA20_POLY1305, 0, 0, REF_IPSEC_CHACHA20_POLY1305, REF_IPSEC_NONE, 32,
	  0, 12, 16 },
	{ 0, RTE_CRYPTO_CIPHER_AES_CBC, RTE_CRYPTO_AUTH_SHA1_HMAC, REF_IPSEC_AES_CBC,
	  REF_IPSEC_SHA1, 16, 20, 16, 12 },
	{ 0, RTE_CRYPTO_CIPHER_AES_CBC, RTE_CRYPTO_AUTH_SHA256_HMAC, REF_IPSEC_AES_CBC,
	  REF_IPSEC_SHA256, 32, 32, 16, 16 },
};

/* ------------------------------------------------------------------ SAs */

static struct rte_crypto_sym_xform *
xforms(const struct soak_sa *sa, bool out, struct rte_crypto_sym_xform xf[2])
{
	const struct suite *u = &suites[sa->suite];
	struct rte_crypto_sym_xform *cipher = &xf[out ? 0 : 1], *auth = &xf[out ? 1 : 0];

	memset(xf, 0, 2 * sizeof(xf[0]));
	if (u->aead != 0) {
		xf[0].type = RTE_CRYPTO_SYM_XFORM_AEAD;
		xf[0].aead.op = out ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
		xf[0].aead.algo = (enum rte_crypto_aead_algorithm)u->aead;
		xf[0].aead.key.data = sa->ref.key;
		xf[0].aead.key.length = u->key;
		xf[0].aead.iv.offset = E2E_PRIV_OFF;
		xf[0].aead.iv.length = u->iv;
		xf[0].aead.digest_length = u->icv;
		xf[0].aead.aad_length = 8;
		return xf;
	}
	cipher->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	cipher->cipher.op = out ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT;
	cipher->cipher.algo = (enum rte_crypto_cipher_algorithm)u->cipher;
	cipher->cipher.key.data = sa->ref.key;
	cipher->cipher.key.length = u->key;
	cipher->cipher.iv.offset = E2E_PRIV_OFF;
	cipher->cipher.iv.length = u->iv;
	auth->type = RTE_CRYPTO_SYM_XFORM_AUTH;
	auth->auth.op = out ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
	auth->auth.algo = (enum rte_crypto_auth_algorithm)u->auth;
	auth->auth.key.data = sa->ref.auth_key;
	auth->auth.key.length = u->auth_key;
	auth->auth.digest_length = u->icv;
	xf[0].next = &xf[1];
	return xf;
}

static void *
open_one(struct soak_ipsec *p, const struct soak_sa *sa, bool out)
{
	struct rte_crypto_sym_xform xf[2];
	struct rte_security_session_conf conf;

	memset(&conf, 0, sizeof(conf));
	conf.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
	conf.protocol = RTE_SECURITY_PROTOCOL_IPSEC;
	conf.ipsec.spi = sa->ref.spi;
	memcpy(&conf.ipsec.salt, sa->ref.salt, sizeof(sa->ref.salt));
	conf.ipsec.proto = RTE_SECURITY_IPSEC_SA_PROTO_ESP;
	conf.ipsec.mode = RTE_SECURITY_IPSEC_SA_MODE_TUNNEL;
	conf.ipsec.direction = out ? RTE_SECURITY_IPSEC_SA_DIR_EGRESS :
				     RTE_SECURITY_IPSEC_SA_DIR_INGRESS;
	conf.ipsec.tunnel.type = RTE_SECURITY_IPSEC_TUNNEL_IPV4;
	conf.ipsec.tunnel.ipv4.ttl = sa->ref.outer[8];
	memcpy(&conf.ipsec.tunnel.ipv4.src_ip, sa->ref.outer + 12, 4);
	memcpy(&conf.ipsec.tunnel.ipv4.dst_ip, sa->ref.outer + 16, 4);
	conf.ipsec.replay_win_sz = out ? 0 : WINDOW;
	conf.crypto_xform = xforms(sa, out, xf);
	return rte_security_session_create(rte_cryptodev_get_sec_ctx(p->t.dev), &conf, p->sessions);
}

/* Makes an SA with random keys. */
static int
open_sa(struct soak_ipsec *p, struct soak_sa *sa)
{
	const struct suite *u;

	memset(sa, 0, sizeof(*sa));
	sa->suite = e2e_range(&p->t.rng, 0, RTE_DIM(suites) - 1);
	u = &suites[sa->suite];
	sa->ref.tunnel = true;
	sa->ref.cipher = u->ref_cipher;
	sa->ref.auth = u->ref_auth;
	sa->ref.key_len = u->key;
	sa->ref.auth_key_len = u->auth_key;
	sa->ref.icv_len = u->icv;
	sa->ref.spi = (uint32_t)e2e_rand(&p->t.rng) | 0x100;
	e2e_bytes(&p->t.rng, sa->ref.key, sizeof(sa->ref.key));
	e2e_bytes(&p->t.rng, sa->ref.auth_key, sizeof(sa->ref.auth_key));
	e2e_bytes(&p->t.rng, sa->ref.salt, sizeof(sa->ref.salt));
	sa->ref.outer[0] = 0x45;
	sa->ref.outer[8] = 64;
	e2e_bytes(&p->t.rng, sa->ref.outer + 12, 8);
	sa->out = open_one(p, sa, true);
	sa->in = open_one(p, sa, false);
	CHECK(&p->t, sa->out != NULL && sa->in != NULL, "no SA for suite %u", sa->suite);
	return E2E_PASS;
}

static bool
offered(const struct e2e *t)
{
	struct rte_security_capability_idx idx = {
		.action = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL,
		.protocol = RTE_SECURITY_PROTOCOL_IPSEC,
		.ipsec = { .proto = RTE_SECURITY_IPSEC_SA_PROTO_ESP,
			   .mode = RTE_SECURITY_IPSEC_SA_MODE_TUNNEL,
			   .direction = RTE_SECURITY_IPSEC_SA_DIR_EGRESS },
	};

	return (t->info.feature_flags & RTE_CRYPTODEV_FF_SECURITY) != 0 &&
	       rte_security_capability_get(rte_cryptodev_get_sec_ctx(t->dev), &idx) != NULL;
}

int
soak_ipsec_init(struct soak_ipsec *p, const struct e2e *base)
{
	unsigned int i;

	memset(p, 0, sizeof(*p));
	p->t = *base;
	p->mbufs = rte_pktmbuf_pool_create("soak_ipsec", 2 * SOAK_PACKETS, 0, 0, BUF_LEN,
					   SOCKET_ID_ANY);
	if (p->mbufs == NULL)
		return -ENOMEM;
	for (i = 0; i < SOAK_PACKETS; i++) {
		p->packet[i].op = rte_crypto_op_alloc(base->op_mp, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
		p->packet[i].src = rte_pktmbuf_alloc(p->mbufs);
		p->packet[i].dst = rte_pktmbuf_alloc(p->mbufs);
		if (p->packet[i].op == NULL || p->packet[i].dst == NULL)
			return -ENOMEM;
	}
	return 0;
}

int
soak_ipsec_begin(struct soak_ipsec *p, const struct e2e *base)
{
	unsigned int i;

	p->t.dev = base->dev;
	p->t.info = base->info;
	p->head = p->tail = 0;
	p->empty_ms = 0;
	p->is_open = offered(&p->t);
	if (!p->is_open)
		return E2E_PASS;
	p->sessions = rte_mempool_create("soak_ipsec_sess", 2 * SOAK_SAS,
		rte_security_session_get_size(rte_cryptodev_get_sec_ctx(p->t.dev)), 0, 0, NULL,
		NULL, NULL, NULL, SOCKET_ID_ANY, 0);
	CHECK(&p->t, p->sessions != NULL, "no memory for SAs");
	for (i = 0; i < SOAK_SAS; i++)
		TRY(open_sa(p, &p->sa[i]));
	return E2E_PASS;
}

int
soak_ipsec_end(struct soak_ipsec *p)
{
	void *ctx = rte_cryptodev_get_sec_ctx(p->t.dev);
	unsigned int i;

	if (!p->is_open)
		return E2E_PASS;
	for (i = 0; i < SOAK_SAS; i++)
		CHECK(&p->t, rte_security_session_destroy(ctx, p->sa[i].out) == 0 &&
		      rte_security_session_destroy(ctx, p->sa[i].in) == 0, "an SA stays");
	rte_mempool_free(p->sessions);
	p->is_open = false;
	return E2E_PASS;
}

/* ------------------------------------------------------------------ packets */

/* Writes a UDP packet in IPv4 with random contents, at any address. */
static void
write_plain(struct soak_ipsec *p, struct soak_packet *k)
{
	struct rte_ipv4_hdr ip = {
		.version_ihl = 0x45,
		.next_proto_id = IPPROTO_UDP,
	};
	struct rte_udp_hdr udp;

	k->plain_len = e2e_range(&p->t.rng, PLAIN_MIN, e2e_chance(&p->t.rng, 2) ? 100 : PLAIN_MAX);
	e2e_bytes(&p->t.rng, k->plain, k->plain_len);
	ip.total_length = rte_cpu_to_be_16((uint16_t)k->plain_len);
	ip.time_to_live = (uint8_t)e2e_range(&p->t.rng, 2, 255);
	ip.src_addr = (uint32_t)e2e_rand(&p->t.rng);
	ip.dst_addr = (uint32_t)e2e_rand(&p->t.rng);
	ip.hdr_checksum = rte_ipv4_cksum(&ip);
	memcpy(k->plain, &ip, sizeof(ip));
	memcpy(&udp, k->plain + sizeof(ip), sizeof(udp));
	udp.dgram_len = rte_cpu_to_be_16((uint16_t)(k->plain_len - sizeof(ip)));
	udp.dgram_cksum = 0;
	memcpy(k->plain + sizeof(ip), &udp, sizeof(udp));
}

/* Puts bytes into the source, between random ones, and makes the destination empty. */
static void
lay_out(struct soak_ipsec *p, struct soak_packet *k, const uint8_t *bytes, uint32_t len)
{
	struct rte_mbuf *m[2] = { k->src, k->dst };
	unsigned int i;

	for (i = 0; i < RTE_DIM(m); i++) {
		rte_pktmbuf_reset(m[i]);
		m[i]->data_off = HEADROOM;
		e2e_bytes(&p->t.rng, m[i]->buf_addr, BUF_LEN);
		if (i == 0) {
			m[i]->data_len = (uint16_t)len;
			m[i]->pkt_len = len;
			memcpy(rte_pktmbuf_mtod(m[i], void *), bytes, len);
		}
		memcpy(k->image[i], m[i]->buf_addr, BUF_LEN);
	}
	k->in_place = e2e_chance(&p->t.rng, 2);
	k->len = len;
}

/* Picks what a packet is, and the number of one that comes in. */
static void
pick(struct soak_ipsec *p, struct soak_packet *k)
{
	struct soak_sa *sa = k->sa;

	k->what = (enum what)e2e_range(&p->t.rng, 0, WHATS - 1);
	if (k->what == OUTBOUND)
		return;
	if (k->what == REPLAYED && sa->received != 0) {
		k->number = sa->received; /* the latest one that was good */
		return;
	}
	if (k->what == REPLAYED)
		k->what = INBOUND;
	k->number = ++sa->next_in;
}

static int
build(struct soak_ipsec *p, struct soak_packet *k)
{
	static uint8_t bytes[REF_IPSEC_ROOM];
	struct rte_crypto_op *op = k->op;
	uint8_t iv[16];
	size_t len;

	k->sa = &p->sa[e2e_range(&p->t.rng, 0, SOAK_SAS - 1)];
	pick(p, k);
	write_plain(p, k);
	if (k->what == OUTBOUND) {
		lay_out(p, k, k->plain, k->plain_len);
	} else {
		e2e_bytes(&p->t.rng, iv, sizeof(iv));
		CHECK(&p->t, ref_ipsec_send(&k->sa->ref, k->number, iv, k->plain, k->plain_len,
					    bytes, &len) == REF_IPSEC_OK, "no packet");
		if (k->what == SPOILT)
			bytes[len - 1 - e2e_range(&p->t.rng, 0, k->sa->ref.icv_len - 1)] ^= 0x10;
		lay_out(p, k, bytes, (uint32_t)len);
	}
	memset(op->sym, 0, sizeof(*op->sym));
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	op->aux_flags = 0;
	rte_security_attach_session(op, k->what == OUTBOUND ? k->sa->out : k->sa->in);
	op->sym->m_src = k->src;
	op->sym->m_dst = k->in_place ? NULL : k->dst;
	return E2E_PASS;
}

static int
send_some(struct soak_ipsec *p)
{
	struct rte_crypto_op *ops[SOAK_PACKETS];
	const unsigned int n = e2e_range(&p->t.rng, 1, SOAK_PACKETS);
	unsigned int i;

	for (i = 0; i < n; i++) {
		TRY(build(p, &p->packet[i]));
		ops[i] = p->packet[i].op;
	}
	p->head = 0;
	p->tail = rte_cryptodev_enqueue_burst(p->t.dev, SOAK_IPSEC_QP, ops, (uint16_t)n);
	CHECK(&p->t, p->tail <= n, "%u of %u packets accepted", p->tail, n);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ judgement */

static int
same(struct soak_ipsec *p, const struct soak_packet *k, const struct rte_mbuf *m,
     const uint8_t *want, size_t len)
{
	const uint8_t *image = k->image[m == k->dst], *now = m->buf_addr;
	const uint32_t end = (uint32_t)m->data_off + m->data_len;
	/* The rest of a packet that came in may be anything in place. */
	const uint32_t from = m == k->src && k->what != OUTBOUND ? RTE_MAX(end, HEADROOM + k->len) :
								   end;

	CHECK(&p->t, m->pkt_len == len && m->data_len == len && end <= BUF_LEN,
	      "IPsec: a packet of %u bytes, expected %zu", m->pkt_len, len);
	CHECK(&p->t, memcmp(now + m->data_off, want, len) == 0,
	      "IPsec: suite %u, a wrong packet", k->sa->suite);
	CHECK(&p->t, memcmp(now, image, m->data_off) == 0 &&
	      memcmp(now + from, image + from, BUF_LEN - from) == 0,
	      "IPsec: suite %u, bytes around the packet changed", k->sa->suite);
	CHECK(&p->t, m == k->src || memcmp(k->src->buf_addr, k->image[0], BUF_LEN) == 0,
	      "IPsec: suite %u, the source changed", k->sa->suite);
	return E2E_PASS;
}

static int
judge_outbound(struct soak_ipsec *p, const struct soak_packet *k, const struct rte_mbuf *m)
{
	static uint8_t want[REF_IPSEC_ROOM];
	struct soak_sa *sa = k->sa;
	const uint8_t *got = rte_pktmbuf_mtod(m, const uint8_t *);
	uint32_t number;
	size_t len;

	CHECK(&p->t, m->data_len > IV_AT + 16, "IPsec: a packet of %u bytes", m->data_len);
	memcpy(&number, got + ESP_AT + 4, sizeof(number));
	number = rte_be_to_cpu_32(number);
	CHECK(&p->t, number == sa->sent + 1 || (sa->out_gap && number > sa->sent),
	      "IPsec: number %u after %u", number, sa->sent);
	sa->sent = number;
	sa->out_gap = false;
	CHECK(&p->t, ref_ipsec_send(&sa->ref, number, got + IV_AT, k->plain, k->plain_len, want,
				    &len) == REF_IPSEC_OK, "no packet");
	return same(p, k, m, want, len);
}

static int
judge(struct soak_ipsec *p, struct soak_packet *k, bool may_fail)
{
	static const uint8_t reasons[WHATS] = { [SPOILT] = REASON_AUTH_FAILED,
						[REPLAYED] = REASON_REPLAY };
	const struct rte_mbuf *m = k->in_place ? k->src : k->dst;
	const uint8_t status = k->op->status, reason = REASON(k->op), want = reasons[k->what];

	CHECK(&p->t, k->what == REPLAYED || reason != REASON_REPLAY,
	      "IPsec: suite %u, a new packet was received twice", k->sa->suite);
	if (status == RTE_CRYPTO_OP_STATUS_ERROR && may_fail && (want == 0 || reason != want)) {
		p->errors++;
		p->rest_ms = e2e_now_ms() + SOAK_REST_MS;
		k->sa->out_gap |= k->what == OUTBOUND;
		return E2E_PASS;
	}
	CHECK(&p->t, (status == RTE_CRYPTO_OP_STATUS_SUCCESS) == (want == 0) && reason == want,
	      "IPsec: suite %u, kind %u: status %s, reason %u, expected %u", k->sa->suite, k->what,
	      e2e_status_name(status), reason, want);
	p->right++;
	if (k->what == OUTBOUND)
		return judge_outbound(p, k, m);
	if (k->what != INBOUND)
		return E2E_PASS;
	k->sa->received = k->number;
	return same(p, k, m, k->plain, k->plain_len);
}

static int
take_some(struct soak_ipsec *p, bool may_fail)
{
	struct rte_crypto_op *ops[SOAK_PACKETS];
	const unsigned int left = p->tail - p->head;
	const uint16_t n = rte_cryptodev_dequeue_burst(p->t.dev, SOAK_IPSEC_QP, ops, SOAK_PACKETS);
	unsigned int i;

	CHECK(&p->t, n <= left, "%u packets came back, %u in flight", n, left);
	for (i = 0; i < n; i++, p->head++) {
		CHECK(&p->t, ops[i] == p->packet[p->head].op,
		      "a packet came back out of order, or twice");
		TRY(judge(p, &p->packet[p->head], may_fail));
	}
	if (n != 0)
		p->empty_ms = e2e_waited_ms();
	CHECK(&p->t, e2e_waited_ms() - p->empty_ms < SOAK_STUCK_MS, "%u packets never came back",
	      left);
	return E2E_PASS;
}

int
soak_ipsec_step(struct soak_ipsec *p, bool may_fail)
{
	if (!p->is_open || ++p->rounds % ROUNDS != 0)
		return E2E_PASS;
	if (p->head != p->tail)
		return take_some(p, may_fail);
	p->empty_ms = e2e_waited_ms();
	return e2e_now_ms() < p->rest_ms ? E2E_PASS : send_some(p);
}

int
soak_ipsec_drain(struct soak_ipsec *p, bool may_fail)
{
	while (p->head != p->tail) {
		TRY(take_some(p, may_fail));
		e2e_relax();
	}
	return E2E_PASS;
}
