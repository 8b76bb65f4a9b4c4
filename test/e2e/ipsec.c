/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests IPsec through rte_security: packets go through an outbound SA and back through an inbound
 * one. In between, the test looks at the headers that RFC 4303, 4302 and 3948 give them, and at all
 * bytes around the result. Further tests have replays, limits, updates, bad packets, and one SA on
 * several queue pairs. The bytes of ciphertext and ICV are those of DPDK's own vectors
 * (tools/autotest).
 */

#include <netinet/in.h>

#include <rte_errno.h>
#include <rte_ip.h>
#include <rte_security.h>
#include <rte_udp.h>

#include "e2e.h"

#define NB_OPS 16		/* operations of a batch */
#define NB_QPS 4
#define BUF_LEN 2304		/* bytes of an mbuf */
#define MAX_PACKET 1500
#define TAILROOM 128		/* more than any padding and ICV */
#define IV_OFF E2E_PRIV_OFF
#define SPI 0xa5c31234u
#define REASON(op) ((op)->aux_flags >> 4)

/* Reasons in aux_flags, which are the card's statuses (rte_pmd_accel.h). */
enum {
	AUTH_FAILED = 1,
	REPLAY = 9,
	MALFORMED = 10,
	MISMATCH = 11,
	EXPIRED = 12,
	SEQUENCE_END = 13,
};

struct alg {
	int algo;
	uint16_t key, iv, digest;
};

/* Says what a pair of SAs does. */
struct sa {
	const struct alg *aead, *cipher, *auth;	/* aead, or both others, or auth for AH */
	bool ah, tunnel, outer_v6;
	struct rte_security_ipsec_xform x;	/* all but direction and keys */
	uint8_t key[64], auth_key[64];
	void *out, *in;
};

static const struct alg aeads[] = {
	{ RTE_CRYPTO_AEAD_AES_GCM, 16, 12, 16 }, { RTE_CRYPTO_AEAD_AES_GCM, 24, 12, 12 },
	{ RTE_CRYPTO_AEAD_AES_GCM, 32, 12, 8 },	 { RTE_CRYPTO_AEAD_AES_CCM, 16, 11, 8 },
	{ RTE_CRYPTO_AEAD_AES_CCM, 32, 12, 16 }, { RTE_CRYPTO_AEAD_CHACHA20_POLY1305, 32, 12, 16 },
	{ RTE_CRYPTO_AEAD_AES_GCM, 32, 12, 16 },
};
static const struct alg ciphers[] = {
	{ RTE_CRYPTO_CIPHER_NULL, 0, 0, 0 },	  { RTE_CRYPTO_CIPHER_DES_CBC, 8, 8, 0 },
	{ RTE_CRYPTO_CIPHER_3DES_CBC, 24, 8, 0 }, { RTE_CRYPTO_CIPHER_AES_CBC, 16, 16, 0 },
	{ RTE_CRYPTO_CIPHER_AES_CBC, 24, 16, 0 }, { RTE_CRYPTO_CIPHER_AES_CBC, 32, 16, 0 },
	{ RTE_CRYPTO_CIPHER_AES_CTR, 16, 16, 0 }, { RTE_CRYPTO_CIPHER_AES_CTR, 24, 8, 0 },
	{ RTE_CRYPTO_CIPHER_AES_CTR, 32, 16, 0 },
};
static const struct alg auths[] = {
	{ RTE_CRYPTO_AUTH_MD5_HMAC, 16, 0, 12 },    { RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 0, 12 },
	{ RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 0, 20 },   { RTE_CRYPTO_AUTH_SHA224_HMAC, 28, 0, 14 },
	{ RTE_CRYPTO_AUTH_SHA256_HMAC, 32, 0, 16 }, { RTE_CRYPTO_AUTH_SHA384_HMAC, 48, 0, 24 },
	{ RTE_CRYPTO_AUTH_SHA512_HMAC, 64, 0, 32 }, { RTE_CRYPTO_AUTH_AES_XCBC_MAC, 16, 0, 12 },
	{ RTE_CRYPTO_AUTH_AES_CMAC, 16, 0, 12 },    { RTE_CRYPTO_AUTH_AES_GMAC, 16, 12, 16 },
	{ RTE_CRYPTO_AUTH_NULL, 0, 0, 0 },
};
#define NB_MACS (RTE_DIM(auths) - 1) /* all but NULL, which is the last */

/* A packet on its way, and the buffer that it had before. */
struct packet {
	struct rte_crypto_op *op;
	struct rte_mbuf *src, *dst;	/* dst NULL: in place */
	uint8_t plain[MAX_PACKET];
	uint8_t image[BUF_LEN];
	uint32_t len;
};

static struct rte_mempool *sess_mp, *mbuf_mp;
static struct packet packets[NB_OPS];

/* ------------------------------------------------------------------ set-up */

static void *
sec_ctx(struct e2e *t)
{
	return rte_cryptodev_get_sec_ctx(t->dev);
}

static const struct rte_security_capability *
capability(struct e2e *t, bool ah, bool tunnel, bool inbound)
{
	struct rte_security_capability_idx idx = {
		.action = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL,
		.protocol = RTE_SECURITY_PROTOCOL_IPSEC,
		.ipsec = {
			.proto = ah ? RTE_SECURITY_IPSEC_SA_PROTO_AH :
				      RTE_SECURITY_IPSEC_SA_PROTO_ESP,
			.mode = tunnel ? RTE_SECURITY_IPSEC_SA_MODE_TUNNEL :
					 RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT,
			.direction = inbound ? RTE_SECURITY_IPSEC_SA_DIR_INGRESS :
					       RTE_SECURITY_IPSEC_SA_DIR_EGRESS,
		},
	};

	return rte_security_capability_get(sec_ctx(t), &idx);
}

/* Sets up the device. Returns E2E_SKIP if it has no IPsec. */
static int
begin(struct e2e *t, uint16_t nb_qps)
{
	struct rte_cryptodev_config conf = { .nb_queue_pairs = nb_qps };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 256 };
	unsigned int i;

	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_SECURITY))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SECURITY");
	if (t->info.max_nb_queue_pairs < nb_qps)
		return e2e_skip(t, "it takes %u queue pairs", nb_qps);
	e2e_dev_stop(t->dev);
	CHECK(t, rte_cryptodev_configure(t->dev, &conf) == 0, "configure");
	for (i = 0; i < nb_qps; i++)
		CHECK(t, rte_cryptodev_queue_pair_setup(t->dev, i, &qp, SOCKET_ID_ANY) == 0,
		      "queue pair %u", i);
	CHECK(t, rte_cryptodev_start(t->dev) == 0, "start");
	t->nb_qps = nb_qps;
	if (capability(t, false, true, false) == NULL)
		return e2e_skip(t, "no IPsec");
	if (sess_mp == NULL)
		sess_mp = rte_mempool_create("e2e_ipsec", 64,
					     rte_security_session_get_size(sec_ctx(t)), 0, 0, NULL,
					     NULL, NULL, NULL, SOCKET_ID_ANY, 0);
	if (mbuf_mp == NULL)
		mbuf_mp = rte_pktmbuf_pool_create("e2e_ipsec_mbuf", 1023, 0, 0, BUF_LEN,
						  SOCKET_ID_ANY);
	CHECK(t, sess_mp != NULL && mbuf_mp != NULL, "memory");
	for (i = 0; i < NB_OPS; i++) {
		if (packets[i].op == NULL)
			packets[i].op = rte_crypto_op_alloc(t->op_mp,
							    RTE_CRYPTO_OP_TYPE_SYMMETRIC);
		CHECK(t, packets[i].op != NULL, "operations");
	}
	return E2E_PASS;
}

static void
free_packets(void)
{
	unsigned int i;

	for (i = 0; i < NB_OPS; i++) {
		rte_pktmbuf_free(packets[i].src);
		rte_pktmbuf_free(packets[i].dst);
		packets[i].src = packets[i].dst = NULL;
	}
}

static int
end(struct e2e *t)
{
	free_packets();
	CHECK(t, rte_mempool_full(sess_mp), "sessions leaked");
	CHECK(t, rte_mempool_full(mbuf_mp), "mbufs leaked");
	return E2E_PASS;
}

/* ------------------------------------------------------------------ SAs */

/* Makes the transforms of one direction. */
static struct rte_crypto_sym_xform *
xforms(const struct sa *sa, bool out, struct rte_crypto_sym_xform xf[2])
{
	struct rte_crypto_sym_xform *cipher = &xf[0], *auth = &xf[1];

	memset(xf, 0, 2 * sizeof(xf[0]));
	if (sa->aead != NULL) {
		cipher->type = RTE_CRYPTO_SYM_XFORM_AEAD;
		cipher->aead.op = out ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
		cipher->aead.algo = (enum rte_crypto_aead_algorithm)sa->aead->algo;
		cipher->aead.key.data = sa->key;
		cipher->aead.key.length = sa->aead->key;
		cipher->aead.iv.offset = IV_OFF;
		cipher->aead.iv.length = sa->aead->iv;
		cipher->aead.digest_length = sa->aead->digest;
		cipher->aead.aad_length = 8;
		return cipher;
	}
	auth->type = RTE_CRYPTO_SYM_XFORM_AUTH;
	auth->auth.op = out ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
	auth->auth.algo = (enum rte_crypto_auth_algorithm)sa->auth->algo;
	auth->auth.key.data = sa->auth_key;
	auth->auth.key.length = sa->auth->key;
	auth->auth.iv.offset = IV_OFF;
	auth->auth.iv.length = sa->auth->iv;
	auth->auth.digest_length = sa->auth->digest;
	if (sa->cipher == NULL)
		return auth;
	cipher->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	cipher->cipher.op = out ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT;
	cipher->cipher.algo = (enum rte_crypto_cipher_algorithm)sa->cipher->algo;
	cipher->cipher.key.data = sa->key;
	cipher->cipher.key.length = sa->cipher->key;
	cipher->cipher.iv.offset = IV_OFF;
	cipher->cipher.iv.length = sa->cipher->iv;
	if (out)
		cipher->next = auth;
	else
		auth->next = cipher;
	return out ? cipher : auth;
}

static struct rte_security_session_conf
conf_of(const struct sa *sa, bool out, struct rte_crypto_sym_xform *xform)
{
	struct rte_security_session_conf conf;

	memset(&conf, 0, sizeof(conf));
	conf.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
	conf.protocol = RTE_SECURITY_PROTOCOL_IPSEC;
	conf.ipsec = sa->x;
	conf.ipsec.direction = out ? RTE_SECURITY_IPSEC_SA_DIR_EGRESS :
				     RTE_SECURITY_IPSEC_SA_DIR_INGRESS;
	conf.crypto_xform = xform;
	return conf;
}

static void *
open_sa(struct e2e *t, const struct sa *sa, bool out)
{
	struct rte_crypto_sym_xform xf[2];
	struct rte_security_session_conf conf = conf_of(sa, out, xforms(sa, out, xf));

	return rte_security_session_create(sec_ctx(t), &conf, sess_mp);
}

static int
close_sa(struct e2e *t, struct sa *sa)
{
	if (sa->out != NULL)
		CHECK(t, rte_security_session_destroy(sec_ctx(t), sa->out) == 0, "destroy");
	if (sa->in != NULL)
		CHECK(t, rte_security_session_destroy(sec_ctx(t), sa->in) == 0, "destroy");
	sa->out = sa->in = NULL;
	return E2E_PASS;
}

static int
open_pair(struct e2e *t, struct sa *sa)
{
	sa->out = open_sa(t, sa, true);
	sa->in = open_sa(t, sa, false);
	CHECK(t, sa->out != NULL && sa->in != NULL, "no SA: AEAD %d cipher %d auth %d",
	      sa->aead != NULL ? sa->aead->algo : 0, sa->cipher != NULL ? sa->cipher->algo : 0,
	      sa->auth != NULL ? sa->auth->algo : 0);
	return E2E_PASS;
}

/* Begins a description with random keys and addresses. */
static void
begin_sa(struct e2e *t, struct sa *sa, bool ah, bool tunnel, bool outer_v6)
{
	struct rte_security_ipsec_xform *x = &sa->x;

	memset(sa, 0, sizeof(*sa));
	sa->ah = ah;
	sa->tunnel = tunnel;
	sa->outer_v6 = outer_v6;
	e2e_bytes(&t->rng, sa->key, sizeof(sa->key));
	e2e_bytes(&t->rng, sa->auth_key, sizeof(sa->auth_key));
	x->spi = SPI;
	x->salt = (uint32_t)e2e_rand(&t->rng);
	x->proto = ah ? RTE_SECURITY_IPSEC_SA_PROTO_AH : RTE_SECURITY_IPSEC_SA_PROTO_ESP;
	x->mode = tunnel ? RTE_SECURITY_IPSEC_SA_MODE_TUNNEL : RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT;
	if (!tunnel)
		return;
	if (outer_v6) {
		x->tunnel.type = RTE_SECURITY_IPSEC_TUNNEL_IPV6;
		e2e_bytes(&t->rng, &x->tunnel.ipv6.src_addr, 16);
		e2e_bytes(&t->rng, &x->tunnel.ipv6.dst_addr, 16);
		return;
	}
	x->tunnel.type = RTE_SECURITY_IPSEC_TUNNEL_IPV4;
	x->tunnel.ipv4.src_ip.s_addr = (uint32_t)e2e_rand(&t->rng);
	x->tunnel.ipv4.dst_ip.s_addr = (uint32_t)e2e_rand(&t->rng);
}

static bool
has_size(const struct rte_crypto_param_range *r, unsigned int size)
{
	return size >= r->min && size <= r->max &&
	       (r->increment == 0 || (size - r->min) % r->increment == 0);
}

/* True if a capability has an algorithm with the sizes of a row. */
static bool
covers(const struct rte_cryptodev_capabilities *c, const struct alg *a)
{
	const struct rte_cryptodev_symmetric_capability *s = &c->sym;

	if (s->xform_type == RTE_CRYPTO_SYM_XFORM_AEAD)
		return (int)s->aead.algo == a->algo && has_size(&s->aead.key_size, a->key) &&
		       has_size(&s->aead.digest_size, a->digest);
	if (s->xform_type == RTE_CRYPTO_SYM_XFORM_AUTH)
		return (int)s->auth.algo == a->algo && has_size(&s->auth.key_size, a->key) &&
		       has_size(&s->auth.digest_size, a->digest);
	return (int)s->cipher.algo == a->algo && has_size(&s->cipher.key_size, a->key);
}

/* True if an SA may have the row. A card of another maker may lack it. */
static bool
offered(struct e2e *t, bool ah, enum rte_crypto_sym_xform_type type, const struct alg *a)
{
	const struct rte_security_capability *c = capability(t, ah, true, false);
	const struct rte_cryptodev_capabilities *alg;

	if (a == NULL || !t->partial)
		return true;
	if (c == NULL)
		return false;
	for (alg = c->crypto_capabilities; alg->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; alg++) {
		if (alg->sym.xform_type == type && covers(alg, a))
			return true;
	}
	return false;
}

/* The SA of the tests about something else: an AEAD, mostly AES-GCM, in an IPv4 tunnel. */
static int
simple_sa(struct e2e *t, struct sa *sa)
{
	unsigned int i = 0;

	begin_sa(t, sa, false, true, false);
	while (i < RTE_DIM(aeads) && !offered(t, false, RTE_CRYPTO_SYM_XFORM_AEAD, &aeads[i]))
		i++;
	if (i == RTE_DIM(aeads))
		return e2e_skip(t, "no AEAD of ESP");
	sa->aead = &aeads[i];
	return E2E_PASS;
}

/* ------------------------------------------------------------------ packets */

/* Writes a UDP packet of len bytes with right checksums. */
static void
write_plain(struct e2e *t, uint8_t *p, uint32_t len, bool v6)
{
	const uint32_t head = v6 ? sizeof(struct rte_ipv6_hdr) : sizeof(struct rte_ipv4_hdr);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(p + head);
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)p;
	struct rte_ipv6_hdr *ip6 = (struct rte_ipv6_hdr *)p;

	e2e_bytes(&t->rng, p, len);
	udp->dgram_len = rte_cpu_to_be_16(len - head);
	udp->dgram_cksum = 0;
	if (v6) {
		ip6->vtc_flow = rte_cpu_to_be_32(UINT32_C(6) << 28 |
						 (e2e_rand(&t->rng) & 0xfffffff));
		ip6->payload_len = rte_cpu_to_be_16(len - head);
		ip6->proto = IPPROTO_UDP;
		ip6->hop_limits = e2e_range(&t->rng, 2, 255);
		udp->dgram_cksum = rte_ipv6_udptcp_cksum(ip6, udp);
		return;
	}
	ip->version_ihl = 0x45;
	ip->total_length = rte_cpu_to_be_16(len);
	ip->fragment_offset = e2e_chance(&t->rng, 2) ? rte_cpu_to_be_16(RTE_IPV4_HDR_DF_FLAG) : 0;
	ip->time_to_live = e2e_range(&t->rng, 2, 255);
	ip->next_proto_id = IPPROTO_UDP;
	ip->hdr_checksum = 0;
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	udp->dgram_cksum = rte_ipv4_udptcp_cksum(ip, udp);
}

/* Makes a chain of n segments for len bytes, with room behind the last one. */
static struct rte_mbuf *
chain(struct e2e *t, uint32_t len, unsigned int n, uint32_t headroom)
{
	struct rte_mbuf *first = NULL, *last = NULL;
	uint32_t left = len;
	unsigned int i;

	for (i = 0; i < n; i++) {
		struct rte_mbuf *m = rte_pktmbuf_alloc(mbuf_mp);

		if (m == NULL) {
			rte_pktmbuf_free(first);
			return NULL;
		}
		e2e_bytes(&t->rng, m->buf_addr, m->buf_len);
		m->data_off = headroom;
		m->data_len = i + 1 == n ? left : e2e_range(&t->rng, 0, left);
		left -= m->data_len;
		if (first == NULL)
			first = m;
		else
			last->next = m;
		last = m;
	}
	first->pkt_len = len;
	first->nb_segs = n;
	return first;
}

/* Copies between a chain and flat memory. */
static void
copy(struct rte_mbuf *m, uint8_t *flat, bool to)
{
	for (; m != NULL; flat += m->data_len, m = m->next) {
		uint8_t *data = rte_pktmbuf_mtod(m, uint8_t *);

		memcpy(to ? data : flat, to ? flat : data, m->data_len);
	}
}

static struct rte_mbuf *
result_of(const struct packet *p)
{
	return p->dst != NULL ? p->dst : p->src;
}

/* Gives a packet the mbufs of a layout. Bit 0: segments, bit 1: out of place, bit 2: no
 * headroom. */
static int
lay_out(struct e2e *t, struct packet *p, const uint8_t *bytes, uint32_t len, unsigned int layout)
{
	const uint32_t headroom = layout & 4 ? 0 : TAILROOM;
	const unsigned int n = layout & 1 ? e2e_range(&t->rng, 2, 5) : 1;

	p->src = chain(t, len, n, headroom);
	CHECK(t, p->src != NULL, "mbufs");
	copy(p->src, (uint8_t *)(uintptr_t)bytes, true);
	memcpy(p->image, p->src->buf_addr, RTE_MIN(p->src->buf_len, BUF_LEN));
	p->len = len;
	if (layout & 2) {
		p->dst = chain(t, 0, 1, headroom);
		CHECK(t, p->dst != NULL, "mbufs");
	}
	return E2E_PASS;
}

static void
set_op(struct packet *p, void *session)
{
	memset(p->op->sym, 0, sizeof(*p->op->sym));
	p->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	p->op->aux_flags = 0xff;
	rte_security_attach_session(p->op, session);
	p->op->sym->m_src = p->src;
	p->op->sym->m_dst = p->dst;
}

/* Sends n packets through an SA on queue pair qp. */
static int
carry(struct e2e *t, uint16_t qp, unsigned int n, void *session)
{
	struct rte_crypto_op *ops[NB_OPS];
	unsigned int i;

	for (i = 0; i < n; i++) {
		set_op(&packets[i], session);
		ops[i] = packets[i].op;
	}
	CHECK(t, e2e_send(t->dev, qp, ops, n) == n, "ops not accepted");
	CHECK(t, e2e_collect(t->dev, qp, ops, n, E2E_TIMEOUT_MS) == n, "ops lost");
	for (i = 0; i < n; i++)
		CHECK(t, ops[i] == packets[i].op, "ops came back out of order");
	return E2E_PASS;
}

/* Makes the result of a packet the source of the next operation, in its bytes and their layout. */
static int
take_result(struct e2e *t, struct packet *p, unsigned int layout)
{
	struct rte_mbuf *result = result_of(p);
	uint8_t bytes[BUF_LEN + 4 * TAILROOM];
	const uint32_t len = result->pkt_len;

	CHECK(t, len <= sizeof(bytes), "a result of %u bytes", len);
	copy(result, bytes, false);
	rte_pktmbuf_free(p->src);
	rte_pktmbuf_free(p->dst);
	p->src = p->dst = NULL;
	return lay_out(t, p, bytes, len, layout);
}

/* ------------------------------------------------------------------ checks of results */

static int
check_status(struct e2e *t, const struct packet *p, enum rte_crypto_op_status want,
	     unsigned int why)
{
	CHECK(t, p->op->status == want, "%s, expected %s, reason %u",
	      e2e_status_name(p->op->status), e2e_status_name(want), REASON(p->op));
	CHECK(t, REASON(p->op) == why, "reason %u, expected %u", REASON(p->op), why);
	return E2E_PASS;
}

/* Compares what lies around a result of one segment with what was there before. */
static int
check_around(struct e2e *t, const struct packet *p)
{
	const struct rte_mbuf *m = p->src;
	const uint8_t *now = m->buf_addr;
	const uint32_t after = (uint32_t)m->data_off + m->data_len;

	if (m->nb_segs != 1 || p->dst != NULL)
		return E2E_PASS;
	CHECK(t, after <= m->buf_len, "the result ends behind the buffer");
	CHECK(t, memcmp(now, p->image, m->data_off) == 0, "bytes before the result changed");
	/* An inbound result is shorter than its source, whose end may be anything. */
	if (m->data_len >= p->len)
		CHECK(t, memcmp(now + after, p->image + after, m->buf_len - after) == 0,
		      "bytes behind the result changed");
	return E2E_PASS;
}

static int
check_lengths(struct e2e *t, const struct rte_mbuf *m)
{
	const uint32_t len = m->pkt_len;
	uint32_t sum = 0;

	for (; m != NULL; m = m->next)
		sum += m->data_len;
	CHECK(t, sum == len, "segments of %u bytes in a packet of %u", sum, len);
	return E2E_PASS;
}

/* Checks the headers of an outbound packet: lengths, checksum, protocol, SPI, number. */
static int
check_headers(struct e2e *t, const struct sa *sa, struct packet *p, uint32_t number)
{
	struct rte_mbuf *m = result_of(p);
	uint8_t bytes[BUF_LEN + 4 * TAILROOM];
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)bytes;
	const struct rte_ipv6_hdr *ip6 = (const struct rte_ipv6_hdr *)bytes;
	const bool udp = sa->x.options.udp_encap != 0;
	const uint8_t want = udp ? IPPROTO_UDP : sa->ah ? IPPROTO_AH : IPPROTO_ESP;
	uint32_t at, word[2];

	TRY(check_status(t, p, RTE_CRYPTO_OP_STATUS_SUCCESS, 0));
	TRY(check_lengths(t, m));
	TRY(check_around(t, p));
	copy(m, bytes, false);
	if (bytes[0] >> 4 == 4) {
		at = sizeof(*ip);
		CHECK(t, rte_be_to_cpu_16(ip->total_length) == m->pkt_len, "total length");
		CHECK(t, rte_raw_cksum(ip, at) == 0xffff, "header checksum");
		CHECK(t, ip->next_proto_id == want, "protocol %u", ip->next_proto_id);
	} else {
		at = sizeof(*ip6);
		CHECK(t, bytes[0] >> 4 == 6, "version %u", bytes[0] >> 4);
		CHECK(t, rte_be_to_cpu_16(ip6->payload_len) == m->pkt_len - at, "payload length");
		CHECK(t, ip6->proto == want, "next header %u", ip6->proto);
	}
	CHECK(t, !sa->tunnel || bytes[0] >> 4 == (sa->outer_v6 ? 6 : 4), "outer version");
	at += udp ? sizeof(struct rte_udp_hdr) : 0;
	at += sa->ah ? 4 : 0;
	memcpy(word, bytes + at, sizeof(word));
	CHECK(t, rte_be_to_cpu_32(word[0]) == SPI, "SPI 0x%x", rte_be_to_cpu_32(word[0]));
	CHECK(t, rte_be_to_cpu_32(word[1]) == number, "number %u, expected %u",
	      rte_be_to_cpu_32(word[1]), number);
	return E2E_PASS;
}

/* Compares an inbound result with the packet that was sent. */
static int
check_plain(struct e2e *t, const struct sa *sa, struct packet *p, uint32_t len)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)p->plain;
	struct rte_ipv6_hdr *ip6 = (struct rte_ipv6_hdr *)p->plain;
	struct rte_mbuf *m = result_of(p);
	uint8_t bytes[BUF_LEN + 4 * TAILROOM];

	TRY(check_status(t, p, RTE_CRYPTO_OP_STATUS_SUCCESS, 0));
	TRY(check_lengths(t, m));
	TRY(check_around(t, p));
	CHECK(t, m->pkt_len == len, "%u bytes, expected %u", m->pkt_len, len);
	if (sa->tunnel && sa->x.options.dec_ttl && p->plain[0] >> 4 == 4) {
		ip->time_to_live--;
		ip->hdr_checksum = 0;
		ip->hdr_checksum = rte_ipv4_cksum(ip);
	} else if (sa->tunnel && sa->x.options.dec_ttl) {
		ip6->hop_limits--;
	}
	copy(m, bytes, false);
	if (memcmp(bytes, p->plain, len) != 0) {
		e2e_hexdiff("packet", p->plain, bytes, len);
		CHECK(t, false, "the packet differs");
	}
	if (sa->x.options.l4_csum_enable)
		CHECK(t, (m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_GOOD,
		      "no good checksum of layer 4");
	if (sa->x.options.ip_csum_enable && p->plain[0] >> 4 == 4)
		CHECK(t, (m->ol_flags & RTE_MBUF_F_RX_IP_CKSUM_MASK) == RTE_MBUF_F_RX_IP_CKSUM_GOOD,
		      "no good header checksum");
	return E2E_PASS;
}

/* ------------------------------------------------------------------ round trips */

/* Sends a batch of packets of random versions, lengths and layouts out and in again. */
static int
round_trip(struct e2e *t, struct sa *sa, unsigned int n, uint32_t first)
{
	uint32_t len[NB_OPS];
	unsigned int i;

	for (i = 0; i < n; i++) {
		const unsigned int layout = t->linear ? 0 : e2e_range(&t->rng, 0, 7);

		len[i] = e2e_range(&t->rng, 48, e2e_chance(&t->rng, 2) ? 100 : 1300);
		write_plain(t, packets[i].plain, len[i], e2e_chance(&t->rng, 2));
		TRY(lay_out(t, &packets[i], packets[i].plain, len[i], layout));
		e2e_bytes(&t->rng, rte_crypto_op_ctod_offset(packets[i].op, uint8_t *, IV_OFF), 16);
	}
	TRY(carry(t, 0, n, sa->out));
	for (i = 0; i < n; i++) {
		TRY(check_headers(t, sa, &packets[i], first + i));
		TRY(take_result(t, &packets[i], t->linear ? 0 : e2e_range(&t->rng, 0, 7)));
	}
	TRY(carry(t, 0, n, sa->in));
	for (i = 0; i < n; i++)
		TRY(check_plain(t, sa, &packets[i], len[i]));
	free_packets();
	return E2E_PASS;
}

/* Picks options that the device has in both directions. */
static void
random_options(struct e2e *t, struct sa *sa)
{
	const struct rte_security_ipsec_sa_options *has =
		&capability(t, sa->ah, sa->tunnel, true)->ipsec.options;
	struct rte_security_ipsec_sa_options *o = &sa->x.options;
	const uint32_t random = (uint32_t)e2e_rand(&t->rng);

#define PICK(bit, field) o->field = has->field != 0 && (random >> (bit) & 1) != 0
	PICK(0, esn);
	PICK(1, udp_encap);
	PICK(2, copy_dscp);
	PICK(3, copy_flabel);
	PICK(4, copy_df);
	PICK(5, dec_ttl);
	PICK(6, ecn);
	PICK(7, ip_csum_enable);
	PICK(8, l4_csum_enable);
#undef PICK
	o->udp_ports_verify = has->udp_ports_verify && o->udp_encap && (random >> 9 & 1);
	if (sa->tunnel)
		o->tunnel_hdr_verify = (random >> 10 & 3) % (has->tunnel_hdr_verify + 1u);
	o->iv_gen_disable = random >> 12 & 1 &&
			    capability(t, sa->ah, sa->tunnel, false)->ipsec.options.iv_gen_disable;
	sa->x.udp.sport = (uint16_t)(random >> 13);
	sa->x.udp.dport = random >> 31 ? 4500 : 0;
	sa->x.replay_win_sz = random >> 14 & 1 ? 64u << (random >> 15 & 3) : 0;
}

/* Runs one pair of SAs, with random mode and options, if the device offers it. */
static int
one_pair(struct e2e *t, const struct alg *aead, const struct alg *cipher, const struct alg *auth,
	 bool ah, unsigned int mode, unsigned int *nb)
{
	struct sa sa;

	if (capability(t, ah, mode != 0, false) == NULL ||
			!offered(t, ah, RTE_CRYPTO_SYM_XFORM_AEAD, aead) ||
			!offered(t, ah, RTE_CRYPTO_SYM_XFORM_CIPHER, cipher) ||
			!offered(t, ah, RTE_CRYPTO_SYM_XFORM_AUTH, auth))
		return E2E_PASS;
	++*nb;
	begin_sa(t, &sa, ah, mode != 0, mode == 2);
	sa.aead = aead;
	sa.cipher = cipher;
	sa.auth = auth;
	random_options(t, &sa);
	sa.x.esn.value = sa.x.options.esn ? e2e_rand(&t->rng) >> 1 : 0;
	TRY(open_pair(t, &sa));
	TRY(round_trip(t, &sa, t->quick ? 4 : NB_OPS,
		       RTE_MAX((uint32_t)sa.x.esn.value, sa.x.esn.value == 0 ? 1u : 0u)));
	return close_sa(t, &sa);
}

/* Every AEAD, and every cipher with every authentication, in every mode. */
static int
test_algorithms(struct e2e *t, const void *arg)
{
	const unsigned int mode = *(const unsigned int *)arg;
	unsigned int i, k, n = 0;

	TRY(begin(t, 1));
	for (i = 0; i < RTE_DIM(aeads); i++)
		TRY(one_pair(t, &aeads[i], NULL, NULL, false, mode, &n));
	for (i = 0; i < RTE_DIM(ciphers); i++) {
		for (k = 0; k < RTE_DIM(auths); k++) {
			if (auths[k].algo == RTE_CRYPTO_AUTH_AES_GMAC &&
			    ciphers[i].algo != RTE_CRYPTO_CIPHER_NULL)
				continue;
			TRY(one_pair(t, NULL, &ciphers[i], &auths[k], false, mode, &n));
		}
	}
	for (i = 0; i < NB_MACS; i++)
		TRY(one_pair(t, NULL, NULL, &auths[i], true, mode, &n));
	e2e_note(t, "%u pairs of SAs", n);
	return end(t);
}

/* ------------------------------------------------------------------ numbers */

/* Sends one packet, whose number the outbound SA gets by an update. */
static int
send_number(struct e2e *t, struct sa *sa, uint64_t number)
{
	struct rte_crypto_sym_xform xf[2];
	struct rte_security_session_conf conf = conf_of(sa, true, xforms(sa, true, xf));

	conf.ipsec.esn.value = number;
	CHECK(t, rte_security_session_update(sec_ctx(t), sa->out, &conf) == 0, "update");
	write_plain(t, packets[0].plain, 100, false);
	TRY(lay_out(t, &packets[0], packets[0].plain, 100, 0));
	TRY(carry(t, 0, 1, sa->out));
	TRY(check_headers(t, sa, &packets[0], (uint32_t)number));
	TRY(take_result(t, &packets[0], 0));
	TRY(carry(t, 0, 1, sa->in));
	return E2E_PASS;
}

static int
expect_number(struct e2e *t, struct sa *sa, uint64_t number, bool replayed)
{
	TRY(send_number(t, sa, number));
	if (replayed)
		TRY(check_status(t, &packets[0], RTE_CRYPTO_OP_STATUS_ERROR, REPLAY));
	else
		TRY(check_plain(t, sa, &packets[0], 100));
	free_packets();
	return E2E_PASS;
}

/* Windows of several sizes, at random places, with and without ESN, also across 2^32. */
static int
test_replay(struct e2e *t, const void *arg)
{
	static const uint32_t sizes[] = { 64, 65, 1000, 1024, 4096 };
	unsigned int i;
	struct sa sa;

	(void)arg;
	TRY(begin(t, 1));
	for (i = 0; i < 2 * RTE_DIM(sizes); i++) {
		const uint32_t size = sizes[i / 2];
		uint64_t top = i & 1 ? (UINT64_C(1) << 32) + size / 2 : 2 * size + 5;

		TRY(simple_sa(t, &sa));
		sa.x.options.esn = i & 1;
		sa.x.replay_win_sz = size;
		sa.x.esn.value = i & 1 ? UINT32_MAX - size : 0;
		TRY(open_pair(t, &sa));
		TRY(expect_number(t, &sa, top, false));
		TRY(expect_number(t, &sa, top, true));
		TRY(expect_number(t, &sa, top - size + 1, false));
		TRY(expect_number(t, &sa, top - size + 1, true));
		/* With ESN a number below the window means one of the next 2^32. */
		if (!(i & 1))
			TRY(expect_number(t, &sa, top - size, true));
		TRY(expect_number(t, &sa, top - size / 2, false));
		TRY(expect_number(t, &sa, top + size, false));
		TRY(expect_number(t, &sa, top + 1, false));
		TRY(expect_number(t, &sa, top + 1, true));
		TRY(close_sa(t, &sa));
	}
	return end(t);
}

/* The last number of an SA without ESN, and an update of the inbound window. */
static int
test_update(struct e2e *t, const void *arg)
{
	struct rte_crypto_sym_xform xf[2];
	struct rte_security_session_conf conf;
	struct sa sa;

	(void)arg;
	TRY(begin(t, 1));
	TRY(simple_sa(t, &sa));
	sa.x.replay_win_sz = 64;
	TRY(open_pair(t, &sa));
	TRY(expect_number(t, &sa, 7, false));
	TRY(expect_number(t, &sa, 7, true));
	conf = conf_of(&sa, false, xforms(&sa, false, xf));
	conf.ipsec.replay_win_sz = 0;
	CHECK(t, rte_security_session_update(sec_ctx(t), sa.in, &conf) == 0, "update");
	TRY(expect_number(t, &sa, 7, false));
	TRY(expect_number(t, &sa, UINT32_MAX, false));
	TRY(lay_out(t, &packets[0], packets[0].plain, 100, 0));
	TRY(carry(t, 0, 1, sa.out));
	TRY(check_status(t, &packets[0], RTE_CRYPTO_OP_STATUS_ERROR, SEQUENCE_END));
	free_packets();
	conf.ipsec.spi++;
	CHECK(t, rte_security_session_update(sec_ctx(t), sa.in, &conf) == -ENOTSUP,
	      "an update changed the SPI");
	TRY(close_sa(t, &sa));
	return end(t);
}

/* ------------------------------------------------------------------ limits and counters */

static int
send_plain(struct e2e *t, struct sa *sa, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		write_plain(t, packets[i].plain, 100, false);
		TRY(lay_out(t, &packets[i], packets[i].plain, 100, 0));
	}
	return carry(t, 0, n, sa->out);
}

/* Packets and bytes are the same limits here: packets of 100 bytes. */
static int
test_limits(struct e2e *t, const void *arg)
{
	struct rte_security_stats stats;
	unsigned int i, bytes;
	struct sa sa;

	(void)arg;
	TRY(begin(t, 1));
	for (bytes = 0; bytes < 2; bytes++) {
		TRY(simple_sa(t, &sa));
		sa.x.life.packets_soft_limit = bytes ? 0 : 5;
		sa.x.life.packets_hard_limit = bytes ? 0 : 10;
		sa.x.life.bytes_soft_limit = bytes ? 500 : 0;
		sa.x.life.bytes_hard_limit = bytes ? 1000 : 0;
		TRY(open_pair(t, &sa));
		TRY(send_plain(t, &sa, 12));
		for (i = 0; i < 12; i++) {
			const uint8_t aux = packets[i].op->aux_flags;

			TRY(check_status(t, &packets[i],
					 i < 10 ? RTE_CRYPTO_OP_STATUS_SUCCESS :
						  RTE_CRYPTO_OP_STATUS_ERROR,
					 i < 10 ? 0 : EXPIRED));
			CHECK(t, (aux & RTE_CRYPTO_OP_AUX_FLAGS_IPSEC_SOFT_EXPIRY) ==
					 (i >= 4 && i < 10), "soft limit after packet %u", i + 1);
		}
		CHECK(t, rte_security_session_stats_get(sec_ctx(t), sa.out, &stats) == 0, "stats");
		CHECK(t, stats.protocol == RTE_SECURITY_PROTOCOL_IPSEC &&
				 stats.ipsec.opackets == 10 && stats.ipsec.obytes == 1000 &&
				 stats.ipsec.oerrors == 2 && stats.ipsec.ipackets == 0,
		      "%" PRIu64 " packets, %" PRIu64 " bytes, %" PRIu64 " errors",
		      stats.ipsec.opackets, stats.ipsec.obytes, stats.ipsec.oerrors);
		free_packets();
		TRY(close_sa(t, &sa));
	}
	return end(t);
}

/* ------------------------------------------------------------------ bad packets */

/* Changes a good inbound packet. Returns the reason that the operation shall have. */
static unsigned int
spoil(struct e2e *t, unsigned int how, uint8_t *p, uint32_t *len)
{
	switch (how) {
	case 0: /* ICV */
		p[*len - 1 - e2e_range(&t->rng, 0, 15)] ^= 1u << e2e_range(&t->rng, 0, 7);
		return AUTH_FAILED;
	case 1: /* ciphertext */
		p[36 + e2e_range(&t->rng, 0, *len - 36 - 17)] ^= 0x80;
		return AUTH_FAILED;
	case 2: /* version */
		p[0] = 0x55;
		return MALFORMED;
	case 3: /* header length */
		p[0] = 0x44;
		return MALFORMED;
	case 4: /* shorter than its headers */
		*len = e2e_range(&t->rng, 1, 27);
		return MALFORMED;
	case 5: /* a total length beyond the packet */
		p[2] = 0xff;
		return MALFORMED;
	case 6: /* a fragment */
		p[6] |= 0x20;
		return MALFORMED;
	case 7: /* another protocol */
		p[9] = IPPROTO_TCP;
		return MISMATCH;
	default: /* another SPI */
		p[20 + e2e_range(&t->rng, 0, 3)] ^= 1;
		return MISMATCH;
	}
}

#define NB_SPOILS 9u

/* Bad packets between good ones. The SA goes on, and nothing of it changes. */
static int
test_bad(struct e2e *t, const void *arg)
{
	struct rte_security_stats stats;
	unsigned int i, round, want[NB_OPS];
	uint8_t bytes[BUF_LEN];
	struct sa sa;

	(void)arg;
	TRY(begin(t, 1));
	TRY(simple_sa(t, &sa));
	sa.x.replay_win_sz = 64;
	TRY(open_pair(t, &sa));
	for (round = 0; round < (t->quick ? 4 : 40); round++) {
		TRY(send_plain(t, &sa, NB_OPS));
		for (i = 0; i < NB_OPS; i++) {
			uint32_t len = packets[i].src->pkt_len;

			TRY(check_status(t, &packets[i], RTE_CRYPTO_OP_STATUS_SUCCESS, 0));
			copy(packets[i].src, bytes, false);
			rte_pktmbuf_free(packets[i].src);
			packets[i].src = NULL;
			want[i] = 0;
			if (i & 1)
				want[i] = spoil(t, (round * 8 + i / 2) % NB_SPOILS, bytes, &len);
			TRY(lay_out(t, &packets[i], bytes, len,
				    t->linear ? 0 : e2e_range(&t->rng, 0, 7)));
		}
		TRY(carry(t, 0, NB_OPS, sa.in));
		for (i = 0; i < NB_OPS; i++) {
			if (want[i] == 0)
				TRY(check_plain(t, &sa, &packets[i], 100));
			else
				TRY(check_status(t, &packets[i], RTE_CRYPTO_OP_STATUS_ERROR,
						 want[i]));
		}
		free_packets();
	}
	CHECK(t, rte_security_session_stats_get(sec_ctx(t), sa.in, &stats) == 0, "stats");
	CHECK(t, stats.ipsec.ipackets == round * NB_OPS / 2 &&
			 stats.ipsec.ierrors == round * NB_OPS / 2,
	      "%" PRIu64 " packets, %" PRIu64 " errors", stats.ipsec.ipackets, stats.ipsec.ierrors);
	TRY(close_sa(t, &sa));
	return end(t);
}

/* A packet of another tunnel, whose addresses an SA verifies, and one of other ports. */
static int
test_verify(struct e2e *t, const void *arg)
{
	struct sa sa, other;
	unsigned int i;

	(void)arg;
	TRY(begin(t, 1));
	for (i = 0; i < 3; i++) {
		TRY(simple_sa(t, &sa));
		sa.x.options.udp_encap = sa.x.options.udp_ports_verify = i == 2;
		sa.x.options.tunnel_hdr_verify = i;
		other = sa;
		if (i == 0) /* nothing is verified */
			other.x.tunnel.ipv4.src_ip.s_addr ^= 1;
		else if (i == 1)
			other.x.tunnel.ipv4.dst_ip.s_addr ^= 1;
		else
			other.x.udp.sport = 4501;
		TRY(open_pair(t, &sa));
		TRY(open_pair(t, &other));
		TRY(send_plain(t, &other, 1));
		TRY(take_result(t, &packets[0], 0));
		TRY(carry(t, 0, 1, sa.in));
		if (i == 0)
			TRY(check_plain(t, &sa, &packets[0], 100));
		else
			TRY(check_status(t, &packets[0], RTE_CRYPTO_OP_STATUS_ERROR, MISMATCH));
		free_packets();
		TRY(close_sa(t, &sa));
		TRY(close_sa(t, &other));
	}
	return end(t);
}

/* ------------------------------------------------------------------ several queue pairs */

/* Gives each packet to a queue pair by turns, without waiting, and collects all of them. */
static int
spread(struct e2e *t, void *session)
{
	unsigned int i, got[NB_QPS] = { 0 };
	struct rte_crypto_op *op;

	for (i = 0; i < NB_OPS; i++) {
		set_op(&packets[i], session);
		op = packets[i].op;
		CHECK(t, e2e_send(t->dev, i % NB_QPS, &op, 1) == 1, "op not accepted");
		got[i % NB_QPS]++;
	}
	for (i = 0; i < NB_QPS; i++) {
		struct rte_crypto_op *ops[NB_OPS];

		CHECK(t, e2e_collect(t->dev, i, ops, got[i], E2E_TIMEOUT_MS) == got[i], "ops lost");
	}
	return E2E_PASS;
}

/* One SA on all queue pairs: each number once, and each packet accepted once. */
static int
test_queues(struct e2e *t, const void *arg)
{
	const unsigned int rounds = t->quick ? 10 : 100;
	unsigned int i, round, good;
	static uint8_t seen[100 * NB_OPS + 1];
	uint8_t bytes[BUF_LEN];
	struct sa sa;
	uint32_t len;

	(void)arg;
	TRY(begin(t, NB_QPS));
	TRY(simple_sa(t, &sa));
	sa.x.replay_win_sz = 1024;
	TRY(open_pair(t, &sa));
	memset(seen, 0, sizeof(seen));
	for (round = 0; round < rounds; round++) {
		for (i = 0; i < NB_OPS; i++) {
			write_plain(t, packets[i].plain, 100, false);
			TRY(lay_out(t, &packets[i], packets[i].plain, 100, 0));
		}
		TRY(spread(t, sa.out));
		for (i = 0; i < NB_OPS; i++) {
			uint32_t number;

			TRY(check_status(t, &packets[i], RTE_CRYPTO_OP_STATUS_SUCCESS, 0));
			copy(packets[i].src, bytes, false);
			memcpy(&number, bytes + 24, sizeof(number));
			number = rte_be_to_cpu_32(number);
			CHECK(t, number >= 1 && number <= rounds * NB_OPS && seen[number]++ == 0,
			      "number %u out of range or twice", number);
		}
		/* All queue pairs get the last packet. */
		len = packets[NB_OPS - 1].src->pkt_len;
		free_packets();
		for (i = 0; i < NB_OPS; i++)
			TRY(lay_out(t, &packets[i], bytes, len, 0));
		TRY(spread(t, sa.in));
		for (i = good = 0; i < NB_OPS; i++) {
			good += packets[i].op->status == RTE_CRYPTO_OP_STATUS_SUCCESS;
			CHECK(t, packets[i].op->status == RTE_CRYPTO_OP_STATUS_SUCCESS ||
					 REASON(packets[i].op) == REPLAY,
			      "reason %u", REASON(packets[i].op));
		}
		CHECK(t, good == 1, "a packet was accepted %u times", good);
		free_packets();
	}
	TRY(close_sa(t, &sa));
	return end(t);
}

/* ------------------------------------------------------------------ wrong calls */

static int
test_refused(struct e2e *t, const void *arg)
{
	struct sa good, sa;

	(void)arg;
	TRY(begin(t, 1));
	TRY(simple_sa(t, &good));
#define REFUSED(out, change)                                                                       \
	do {                                                                                       \
		sa = good;                                                                         \
		change;                                                                            \
		CHECK(t, open_sa(t, &sa, out) == NULL, "accepted: " #change);                      \
	} while (0)
	REFUSED(true, sa.x.mode = (enum rte_security_ipsec_sa_mode)3);
	REFUSED(true, sa.x.tunnel.type = (enum rte_security_ipsec_tunnel_type)3);
	REFUSED(true, sa.x.proto = (enum rte_security_ipsec_sa_protocol)3);
	REFUSED(true, sa.x.proto = RTE_SECURITY_IPSEC_SA_PROTO_AH); /* with an AEAD */
	REFUSED(true, sa.x.esn.value = UINT64_C(1) << 32);
	REFUSED(true, sa.x.options.ip_reassembly_en = 1);
	REFUSED(false, sa.x.replay_win_sz = 4097);
	REFUSED(false, sa.x.options.udp_ports_verify = 1); /* without UDP */
	REFUSED(false, {
		sa.x.mode = RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT;
		sa.x.options.tunnel_hdr_verify = 1;
	});
#undef REFUSED
	/* An operation without a packet comes back, and the next one is carried out. */
	TRY(open_pair(t, &good));
	set_op(&packets[0], good.out);
	{
		struct rte_crypto_op *op = packets[0].op;

		CHECK(t, e2e_send(t->dev, 0, &op, 1) == 1 &&
				 e2e_collect(t->dev, 0, &op, 1, E2E_TIMEOUT_MS) == 1, "op lost");
		CHECK(t, op->status == RTE_CRYPTO_OP_STATUS_INVALID_ARGS, "%s",
		      e2e_status_name(op->status));
	}
	TRY(round_trip(t, &good, NB_OPS, 1));
	TRY(close_sa(t, &good));
	return end(t);
}

void
e2e_add_ipsec(void)
{
	static const unsigned int modes[] = { 0, 1, 2 };

	e2e_add("ipsec/transport", test_algorithms, &modes[0], false);
	e2e_add("ipsec/tunnel-v4", test_algorithms, &modes[1], false);
	e2e_add("ipsec/tunnel-v6", test_algorithms, &modes[2], false);
	e2e_add("ipsec/replay", test_replay, NULL, false);
	e2e_add("ipsec/update", test_update, NULL, true);
	e2e_add("ipsec/limits", test_limits, NULL, true);
	e2e_add("ipsec/bad-packets", test_bad, NULL, true);
	e2e_add("ipsec/verify", test_verify, NULL, true);
	e2e_add("ipsec/queue-pairs", test_queues, NULL, true);
	e2e_add("ipsec/refused", test_refused, NULL, true);
}
