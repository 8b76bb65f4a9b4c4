/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests protocols through rte_security: DOCSIS and PDCP. Random sessions and buffer layouts are
 * compared with the references of test/common, and all memory of all buffers has an expected value
 * afterwards. Further tests check wrong calls, the HFN, stops and starts, and a device that breaks.
 */

#include <rte_errno.h>
#include <rte_security.h>

#include "e2e.h"
#include "ref_protocol.h"

#define NB_OPS 32		/* operations of a batch */
#define NB_SESSIONS 24		/* sessions of a random test */
#define BUF_LEN 2304		/* bytes of an mbuf */
#define MAX_PDU 1500
#define LONG_BUF_LEN 9472	/* bytes of an mbuf for long PDUs */
#define MIN_LONG 8170		/* data of long PDUs: beyond the 65504 bits of TS 35.221 */
#define MAX_LONG 9000		/* TS 38.323, 4.3.1 */
#define MAX_FRAME 2000
#define IV_OFF E2E_PRIV_OFF

struct session {
	void *sess;
	bool send;		/* generates and enciphers (DOCSIS: downlink) */
	bool hfn_per_op;
	struct ref_pdcp pdcp;
	struct e2e_spec docsis;
};

/* One operation, its buffers, and their expected contents. */
struct work {
	struct rte_crypto_op *op;
	struct rte_mbuf *src, *dst;	/* dst NULL: in place */
	uint8_t *image[2 * 8];		/* expected bytes of each buffer, src first */
	unsigned int nb_images;
	uint32_t out_off, out_len;	/* written bytes of the destination */
	bool grows;			/* PDCP: the op sets the lengths, unless raw */
	bool raw;
	enum rte_crypto_op_status want;
};

static struct rte_mempool *sess_mp, *mbuf_mp, *short_mp, *long_mp;
static bool long_pdus;
static struct work work[NB_OPS];
static struct session sessions[NB_SESSIONS];
static unsigned int nb_sessions;

/* ------------------------------------------------------------------ set-up */

static void *
sec_ctx(struct e2e *t)
{
	return rte_cryptodev_get_sec_ctx(t->dev);
}

/* Sets up the device with security enabled. Returns E2E_SKIP if it has none. */
static int
begin(struct e2e *t)
{
	struct rte_cryptodev_config conf = { .nb_queue_pairs = 1 };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 256 };
	unsigned int i;

	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_SECURITY))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SECURITY");
	e2e_dev_stop(t->dev);
	CHECK(t, rte_cryptodev_configure(t->dev, &conf) == 0, "configure");
	CHECK(t, rte_cryptodev_queue_pair_setup(t->dev, 0, &qp, SOCKET_ID_ANY) == 0, "queue pair");
	CHECK(t, rte_cryptodev_start(t->dev) == 0, "start");
	t->nb_qps = 1;
	CHECK(t, sec_ctx(t) != NULL, "no security context");
	if (sess_mp == NULL)
		sess_mp = rte_mempool_create("e2e_sec", 2 * NB_SESSIONS,
					     rte_security_session_get_size(sec_ctx(t)), 0, 0, NULL,
					     NULL, NULL, NULL, SOCKET_ID_ANY, 0);
	if (short_mp == NULL)
		short_mp = rte_pktmbuf_pool_create("e2e_sec_mbuf", 1023, 0, 0, BUF_LEN,
						   SOCKET_ID_ANY);
	mbuf_mp = short_mp;
	long_pdus = false;
	CHECK(t, sess_mp != NULL && mbuf_mp != NULL, "memory");
	for (i = 0; i < NB_OPS; i++) {
		if (work[i].op == NULL)
			work[i].op = rte_crypto_op_alloc(t->op_mp, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
		CHECK(t, work[i].op != NULL, "operations");
	}
	return E2E_PASS;
}

static void
free_work(struct work *w)
{
	rte_pktmbuf_free(w->src);
	rte_pktmbuf_free(w->dst);
	w->src = w->dst = NULL;
	while (w->nb_images > 0)
		free(w->image[--w->nb_images]);
}

static int
end(struct e2e *t)
{
	unsigned int i;

	for (i = 0; i < NB_OPS; i++)
		free_work(&work[i]);
	for (i = 0; i < nb_sessions; i++)
		CHECK(t, rte_security_session_destroy(sec_ctx(t), sessions[i].sess) == 0,
		      "cannot destroy session %u", i);
	nb_sessions = 0;
	CHECK(t, rte_mempool_full(sess_mp), "sessions leaked");
	CHECK(t, rte_mempool_full(mbuf_mp), "mbufs leaked");
	return E2E_PASS;
}

static bool
has(struct e2e *t, enum rte_security_session_protocol protocol)
{
	const struct rte_security_capability *c = rte_security_capabilities_get(sec_ctx(t));

	for (; c != NULL && c->action != RTE_SECURITY_ACTION_TYPE_NONE; c++) {
		if (c->protocol == protocol)
			return true;
	}
	return false;
}

static bool
has_size(const struct rte_crypto_param_range *r, unsigned int size)
{
	return size >= r->min && size <= r->max &&
	       (r->increment == 0 || (size - r->min) % r->increment == 0);
}

/* True if a protocol of the device works with an algorithm and a key of so many bytes. */
static bool
offers(struct e2e *t, enum rte_security_session_protocol protocol,
		enum rte_crypto_sym_xform_type type, int algo, unsigned int key_len)
{
	const struct rte_security_capability *c = rte_security_capabilities_get(sec_ctx(t));
	const struct rte_cryptodev_capabilities *a;

	for (; c != NULL && c->action != RTE_SECURITY_ACTION_TYPE_NONE; c++) {
		if (c->protocol != protocol)
			continue;
		for (a = c->crypto_capabilities; a->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; a++) {
			if (a->sym.xform_type != type)
				continue;
			if (type == RTE_CRYPTO_SYM_XFORM_CIPHER ?
					(int)a->sym.cipher.algo == algo &&
						has_size(&a->sym.cipher.key_size, key_len) :
					(int)a->sym.auth.algo == algo &&
						has_size(&a->sym.auth.key_size, key_len))
				return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------------ sessions */

#define PDCP_KEY(alg) ((alg) == REF_PDCP_NULL ? 0u : 16u)

static const int pdcp_cipher[] = {
	[REF_PDCP_NULL] = RTE_CRYPTO_CIPHER_NULL,
	[REF_PDCP_SNOW3G] = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
	[REF_PDCP_AES] = RTE_CRYPTO_CIPHER_AES_CTR,
	[REF_PDCP_ZUC] = RTE_CRYPTO_CIPHER_ZUC_EEA3,
};
static const int pdcp_auth[] = {
	[REF_PDCP_NULL] = RTE_CRYPTO_AUTH_NULL,
	[REF_PDCP_SNOW3G] = RTE_CRYPTO_AUTH_SNOW3G_UIA2,
	[REF_PDCP_AES] = RTE_CRYPTO_AUTH_AES_CMAC,
	[REF_PDCP_ZUC] = RTE_CRYPTO_AUTH_ZUC_EIA3,
};

/* Makes both transforms of a session in the order of `auth_first`. */
static struct rte_crypto_sym_xform *
pdcp_xforms(const struct session *s, bool auth_first, struct rte_crypto_sym_xform xf[2])
{
	const struct ref_pdcp *p = &s->pdcp;

	memset(xf, 0, 2 * sizeof(xf[0]));
	xf[0].type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	xf[0].cipher.op = s->send ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT;
	xf[0].cipher.algo = pdcp_cipher[p->cipher];
	xf[0].cipher.key.data = p->key;
	xf[0].cipher.key.length = 16;
	xf[0].cipher.iv.offset = IV_OFF;
	xf[0].cipher.iv.length = s->hfn_per_op ? 4 : 0;
	if (p->auth == REF_PDCP_NONE)
		return xf;
	xf[1].type = RTE_CRYPTO_SYM_XFORM_AUTH;
	xf[1].auth.op = s->send ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
	xf[1].auth.algo = pdcp_auth[p->auth];
	xf[1].auth.key.data = p->auth_key;
	xf[1].auth.key.length = 16;
	xf[auth_first ? 1 : 0].next = &xf[auth_first ? 0 : 1];
	return &xf[auth_first];
}

static struct rte_security_session_conf
pdcp_conf(const struct session *s, enum rte_security_pdcp_domain domain,
	  struct rte_crypto_sym_xform *xf)
{
	struct rte_security_session_conf conf;

	memset(&conf, 0, sizeof(conf));
	conf.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
	conf.protocol = RTE_SECURITY_PROTOCOL_PDCP;
	conf.pdcp.domain = domain;
	conf.crypto_xform = xf;
	if (domain == RTE_SECURITY_PDCP_MODE_SHORT_MAC)
		return conf;
	conf.pdcp.bearer = s->pdcp.bearer;
	conf.pdcp.pkt_dir = s->pdcp.direction ? RTE_SECURITY_PDCP_DOWNLINK :
						RTE_SECURITY_PDCP_UPLINK;
	conf.pdcp.sn_size = s->pdcp.sn_len;
	conf.pdcp.hfn = s->hfn_per_op ? 0 : s->pdcp.hfn;
	conf.pdcp.hfn_ovrd = s->hfn_per_op;
	conf.pdcp.sdap_enabled = s->pdcp.sdap;
	return conf;
}

/* Draws algorithms that the device has. Those of long PDUs are ZUC, which is the one that has had
 * a limit. */
static void
random_pdcp_algs(struct e2e *t, struct ref_pdcp *p)
{
	if (long_pdus) {
		p->cipher = REF_PDCP_ZUC;
		p->auth = REF_PDCP_ZUC;
		return;
	}
	do
		p->cipher = e2e_range(&t->rng, REF_PDCP_NULL, REF_PDCP_ZUC);
	while (!offers(t, RTE_SECURITY_PROTOCOL_PDCP, RTE_CRYPTO_SYM_XFORM_CIPHER,
			pdcp_cipher[p->cipher], PDCP_KEY(p->cipher)));
	do
		p->auth = e2e_range(&t->rng, REF_PDCP_NULL, REF_PDCP_ZUC);
	while (!offers(t, RTE_SECURITY_PROTOCOL_PDCP, RTE_CRYPTO_SYM_XFORM_AUTH,
			pdcp_auth[p->auth], PDCP_KEY(p->auth)));
}

static enum rte_security_pdcp_domain
random_pdcp(struct e2e *t, struct session *s)
{
	static const uint8_t data_sn[] = { 7, 12, 15, 18 };
	struct ref_pdcp *p = &s->pdcp;
	unsigned int domain = e2e_range(&t->rng, 0, 8);

	memset(s, 0, sizeof(*s));
	s->send = e2e_chance(&t->rng, 2);
	random_pdcp_algs(t, p);
	e2e_bytes(&t->rng, p->key, 16);
	e2e_bytes(&t->rng, p->auth_key, 16);
	if (domain == 0) { /* TS 36.331, 5.3.7.4: ones */
		p->cipher = REF_PDCP_NULL;
		p->bearer = 31;
		p->direction = 1;
		p->hfn = UINT32_MAX;
		return RTE_SECURITY_PDCP_MODE_SHORT_MAC;
	}
	p->bearer = e2e_range(&t->rng, 0, 31);
	p->direction = e2e_chance(&t->rng, 2);
	s->hfn_per_op = e2e_chance(&t->rng, 2);
	if (domain <= 3) {
		p->sn_len = e2e_chance(&t->rng, 2) ? 5 : 12;
		p->hfn = e2e_rand(&t->rng) >> (32 + p->sn_len);
		return RTE_SECURITY_PDCP_MODE_CONTROL;
	}
	p->sn_len = data_sn[e2e_range(&t->rng, 0, 3)];
	p->hfn = e2e_rand(&t->rng) >> (32 + p->sn_len);
	p->sdap = e2e_chance(&t->rng, 2);
	if (e2e_chance(&t->rng, 2))
		p->auth = REF_PDCP_NONE;
	return RTE_SECURITY_PDCP_MODE_DATA;
}

static int
open_pdcp(struct e2e *t)
{
	struct rte_crypto_sym_xform xf[2];

	for (nb_sessions = 0; nb_sessions < NB_SESSIONS; nb_sessions++) {
		struct session *s = &sessions[nb_sessions];
		enum rte_security_pdcp_domain domain = random_pdcp(t, s);
		struct rte_security_session_conf conf =
			pdcp_conf(s, domain, pdcp_xforms(s, s->pdcp.auth != REF_PDCP_NONE &&
							 e2e_chance(&t->rng, 2), xf));

		s->sess = rte_security_session_create(sec_ctx(t), &conf, sess_mp);
		CHECK(t, s->sess != NULL, "no PDCP session: cipher %u auth %u SN %u",
		      s->pdcp.cipher, s->pdcp.auth, s->pdcp.sn_len);
	}
	return E2E_PASS;
}

static const struct e2e_cipher_alg *
find_cipher(enum rte_crypto_cipher_algorithm algo)
{
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers && e2e_ciphers[i].algo != algo; i++)
		;
	return i < e2e_nb_ciphers ? &e2e_ciphers[i] : NULL;
}

static int
open_docsis(struct e2e *t)
{
	static const int algos[] = { RTE_CRYPTO_CIPHER_AES_DOCSISBPI,
				     RTE_CRYPTO_CIPHER_AES_DOCSISBPI,
				     RTE_CRYPTO_CIPHER_DES_DOCSISBPI };
	struct rte_security_session_conf conf;
	struct rte_crypto_sym_xform xf[2];

	for (nb_sessions = 0; nb_sessions < 12; nb_sessions++) {
		struct session *s = &sessions[nb_sessions];
		struct e2e_spec *sp = &s->docsis;

		memset(s, 0, sizeof(*s));
		s->send = nb_sessions & 1;
		sp->cipher = find_cipher(algos[nb_sessions / 2 % 3]);
		CHECK(t, sp->cipher != NULL, "the list of ciphers lacks it");
		sp->encrypt = s->send;
		sp->key_len = sp->cipher->keys[nb_sessions / 2 % 3 == 1];
		if (t->partial && !offers(t, RTE_SECURITY_PROTOCOL_DOCSIS,
					  RTE_CRYPTO_SYM_XFORM_CIPHER, sp->cipher->algo,
					  sp->key_len)) /* it has the other key */
			sp->key_len = sp->cipher->keys[nb_sessions / 2 % 3 != 1];
		sp->iv_len = sp->cipher->iv_len;
		sp->iv_off = IV_OFF;
		e2e_bytes(&t->rng, sp->key, sp->key_len);
		memset(&conf, 0, sizeof(conf));
		conf.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
		conf.protocol = RTE_SECURITY_PROTOCOL_DOCSIS;
		conf.docsis.direction = s->send ? RTE_SECURITY_DOCSIS_DOWNLINK :
						  RTE_SECURITY_DOCSIS_UPLINK;
		conf.crypto_xform = e2e_xforms(sp, xf);
		s->sess = rte_security_session_create(sec_ctx(t), &conf, sess_mp);
		CHECK(t, s->sess != NULL, "no DOCSIS session for %s", e2e_spec_name(sp));
	}
	return E2E_PASS;
}

/* ------------------------------------------------------------------ buffers */

/* Returns the bytes that a destination's segment takes: its data, or in the last one also the
 * tailroom. */
static uint32_t
room_of(const struct rte_mbuf *m, bool grows)
{
	return m->next == NULL && grows ? (uint32_t)m->buf_len - m->data_off : m->data_len;
}

/* Makes a chain of len bytes with a tailroom of at least `tail`, at random places in random
 * bytes. */
static struct rte_mbuf *
chain(struct e2e *t, uint32_t len, uint32_t tail)
{
	unsigned int n = t->linear || e2e_chance(&t->rng, 2) ? 1 : e2e_range(&t->rng, 2, 8), i;
	struct rte_mbuf *first = NULL, *last = NULL;
	uint32_t left = len;

	for (i = 0; i < n; i++) {
		struct rte_mbuf *m = rte_pktmbuf_alloc(mbuf_mp);
		uint32_t piece = i + 1 == n ? left : e2e_range(&t->rng, 0, left);
		uint32_t spare;

		if (m == NULL) {
			rte_pktmbuf_free(first);
			return NULL;
		}
		spare = m->buf_len - piece - (i + 1 == n ? tail : 0);
		e2e_bytes(&t->rng, m->buf_addr, m->buf_len);
		m->data_off = e2e_range(&t->rng, 0, RTE_MIN(spare, 130u));
		m->data_len = piece;
		left -= piece;
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

/* Copies bytes to or from a chain, or its image, starting at off. */
static void
spread(const struct rte_mbuf *m, uint8_t *const *image, uint32_t off, uint8_t *flat, uint32_t len,
       bool grows, bool to)
{
	unsigned int i;

	for (i = 0; m != NULL && len > 0; m = m->next, i++) {
		uint32_t here = room_of(m, grows), n;
		uint8_t *p;

		if (off >= here) {
			off -= here;
			continue;
		}
		n = RTE_MIN(len, here - off);
		p = (image != NULL ? image[i] : (uint8_t *)m->buf_addr) + m->data_off + off;
		memcpy(to ? p : flat, to ? flat : p, n);
		flat += n;
		len -= n;
		off = 0;
	}
}

static int
take_images(struct e2e *t, struct work *w)
{
	const struct rte_mbuf *of[2] = { w->src, w->dst }, *m;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		for (m = of[i]; m != NULL; m = m->next) {
			w->image[w->nb_images] = malloc(m->buf_len);
			CHECK(t, w->image[w->nb_images] != NULL, "memory");
			memcpy(w->image[w->nb_images++], m->buf_addr, m->buf_len);
		}
	}
	return E2E_PASS;
}

/* Returns the images of the destination. */
static uint8_t **
dst_image(struct work *w)
{
	return w->dst != NULL ? w->image + w->src->nb_segs : w->image;
}

/* Puts the input into the source and the expected output into the destination's image. */
static int
fill_buffers(struct e2e *t, struct work *w, uint8_t *in, uint32_t in_len, uint8_t *out)
{
	spread(w->src, NULL, 0, in, in_len, false, true);
	TRY(take_images(t, w));
	if (w->want == RTE_CRYPTO_OP_STATUS_SUCCESS)
		spread(w->dst != NULL ? w->dst : w->src, dst_image(w), w->out_off, out, w->out_len,
		       w->grows, true);
	return E2E_PASS;
}

static void
set_op(struct work *w, const struct session *s)
{
	memset(w->op->sym, 0, sizeof(*w->op->sym));
	w->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	rte_security_attach_session(w->op, s->sess);
	w->op->sym->m_src = w->src;
	w->op->sym->m_dst = w->dst;
}

static int
check_lengths(struct e2e *t, const struct work *w, const struct rte_mbuf *dst, const uint16_t *lens)
{
	uint32_t left = w->out_len;
	unsigned int i;

	for (i = 0; dst != NULL; dst = dst->next, i++) {
		uint32_t room = dst->next == NULL ? (uint32_t)dst->buf_len - dst->data_off :
						    lens[i];
		uint32_t expect = RTE_MIN(left, room);

		CHECK(t, dst->data_len == expect, "segment %u has %u bytes, not %u", i,
		      dst->data_len, expect);
		left -= expect;
	}
	CHECK(t, left == 0, "%u bytes are in no segment", left);
	return E2E_PASS;
}

static int
check_work(struct e2e *t, struct work *w, const uint16_t *lens, uint32_t len)
{
	struct rte_mbuf *dst = w->dst != NULL ? w->dst : w->src;
	const struct rte_mbuf *of[2] = { w->src, w->dst }, *m;
	static uint8_t flat[MAX_LONG + 16];
	unsigned int i, n = 0;

	CHECK(t, w->op->status == w->want, "%s, expected %s", e2e_status_name(w->op->status),
	      e2e_status_name(w->want));
	if (w->grows && !w->raw && w->want == RTE_CRYPTO_OP_STATUS_SUCCESS) {
		CHECK(t, dst->pkt_len == w->out_len, "packet of %u bytes, not %u", dst->pkt_len,
		      w->out_len);
		TRY(check_lengths(t, w, dst, lens));
	} else {
		CHECK(t, dst->pkt_len == len, "length changed from %u to %u", len,
		      dst->pkt_len);
	}
	/* The device may or may not decipher data that fails verification. */
	if (w->want == RTE_CRYPTO_OP_STATUS_AUTH_FAILED) {
		spread(dst, NULL, w->out_off, flat, w->out_len, w->grows, false);
		spread(dst, dst_image(w), w->out_off, flat, w->out_len, w->grows, true);
	}
	for (i = 0; i < 2; i++) {
		for (m = of[i]; m != NULL; m = m->next, n++) {
			if (memcmp(m->buf_addr, w->image[n], m->buf_len) == 0)
				continue;
			e2e_hexdiff(i == 0 ? "source" : "destination", w->image[n], m->buf_addr,
				    m->buf_len);
			CHECK(t, false, "buffer %u differs, %u bytes out", n, w->out_len);
		}
	}
	return E2E_PASS;
}

/* The lengths of the destinations before the batch. */
static uint16_t was[NB_OPS][8];
static uint32_t pkt_len[NB_OPS];

static void
note_lengths(unsigned int n)
{
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		const struct rte_mbuf *m = work[i].dst != NULL ? work[i].dst : work[i].src;

		pkt_len[i] = m->pkt_len;
		for (k = 0; m != NULL; m = m->next)
			was[i][k++] = m->data_len;
	}
}

/* Sends a batch through the device. */
static int
run(struct e2e *t, unsigned int n)
{
	struct rte_crypto_op *ops[NB_OPS];
	unsigned int i;

	note_lengths(n);
	for (i = 0; i < n; i++) {
		work[i].raw = false;
		ops[i] = work[i].op;
	}
	CHECK(t, e2e_send(t->dev, 0, ops, n) == n, "ops not accepted");
	memset(ops, 0, sizeof(ops));
	CHECK(t, e2e_collect(t->dev, 0, ops, n, E2E_TIMEOUT_MS) == n, "ops lost");
	for (i = 0; i < n; i++) {
		CHECK(t, ops[i] == work[i].op, "ops came back out of order");
		TRY(check_work(t, &work[i], was[i], pkt_len[i]));
		free_work(&work[i]);
	}
	return E2E_PASS;
}

/* ------------------------------------------------------------------ the raw data path */

static uint32_t
vectors_of(const struct rte_mbuf *m, struct rte_crypto_vec *vec)
{
	uint32_t n = 0;

	for (; m != NULL; m = m->next, n++) {
		vec[n].base = rte_pktmbuf_mtod(m, void *);
		vec[n].iova = rte_pktmbuf_iova(m);
		vec[n].len = m->data_len;
		vec[n].tot_len = (uint32_t)m->buf_len - m->data_off;
	}
	return n;
}

/* Returns head and tail of a region. A region without bytes is all tail. */
static void
head_tail(uint32_t off, uint32_t len, uint32_t total, uint16_t *head, uint16_t *tail)
{
	*head = len != 0 ? off : 0;
	*tail = total - *head - len;
}

static int
raw_enqueue(struct e2e *t, struct rte_crypto_raw_dp_ctx *ctx, struct work *w)
{
	const struct rte_crypto_sym_op *sym = w->op->sym;
	union rte_cryptodev_session_ctx session = { .sec_sess = sym->session };
	struct rte_crypto_vec src[8], dst[8];
	struct rte_crypto_sgl in = { .vec = src, .num = vectors_of(w->src, src) };
	struct rte_crypto_sgl out = { .vec = dst, .num = vectors_of(w->dst, dst) };
	struct rte_crypto_va_iova_ptr iv = {
		.va = rte_crypto_op_ctod_offset(w->op, void *, IV_OFF)
	};
	struct rte_crypto_sym_vec vec = {
		.num = 1, .src_sgl = &in, .dest_sgl = w->dst != NULL ? &out : NULL, .iv = &iv,
	};
	union rte_crypto_sym_ofs ofs = { .raw = 0 };
	void *user[1] = { w };
	int ret = 0;

	CHECK(t, rte_cryptodev_configure_raw_dp_ctx(t->dev, 0, ctx, RTE_CRYPTO_OP_SECURITY_SESSION,
						    session, 1) == 0, "the session was refused");
	if (!w->grows) {
		head_tail(sym->cipher.data.offset, sym->cipher.data.length, w->src->pkt_len,
			  &ofs.ofs.cipher.head, &ofs.ofs.cipher.tail);
		head_tail(sym->auth.data.offset, sym->auth.data.length, w->src->pkt_len,
			  &ofs.ofs.auth.head, &ofs.ofs.auth.tail);
	}
	w->raw = true;
	CHECK(t, rte_cryptodev_raw_enqueue_burst(ctx, &vec, ofs, user, &ret) == 1,
	      "not accepted: %d", ret);
	return E2E_PASS;
}

/* Sends a batch through the raw data path. */
static int
run_raw(struct e2e *t, struct rte_crypto_raw_dp_ctx *ctx, unsigned int n)
{
	uint64_t end_ms = e2e_waited_ms() + E2E_TIMEOUT_MS;
	enum rte_crypto_op_status status;
	unsigned int i;
	int ret;

	note_lengths(n);
	for (i = 0; i < n; i++)
		TRY(raw_enqueue(t, ctx, &work[i]));
	CHECK(t, rte_cryptodev_raw_enqueue_done(ctx, n) == 0, "enqueue_done(%u)", n);
	for (i = 0; i < n;) {
		struct work *w = rte_cryptodev_raw_dequeue(ctx, &ret, &status);

		CHECK(t, e2e_waited_ms() < end_ms, "%u ops lost", n - i);
		if (w == NULL) {
			e2e_relax();
			continue;
		}
		CHECK(t, w == &work[i], "ops came back out of order");
		w->op->status = status;
		TRY(check_work(t, w, was[i], pkt_len[i]));
		i++;
	}
	CHECK(t, rte_cryptodev_raw_dequeue_done(ctx, n) == 0, "dequeue_done(%u)", n);
	for (i = 0; i < n; i++)
		free_work(&work[i]);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ PDCP */

/* Draws the bytes of data of a PDU. */
static uint32_t
random_pdu(struct e2e *t, uint32_t least)
{
	if (long_pdus)
		return e2e_range(&t->rng, MIN_LONG, MAX_LONG);
	return e2e_range(&t->rng, least, e2e_chance(&t->rng, 3) ? MAX_PDU - 8 : 60);
}

static int
make_pdcp(struct e2e *t, struct work *w, const struct session *s)
{
	static uint8_t clear[MAX_LONG + 16], sent[MAX_LONG + 16];
	struct ref_pdcp p = s->pdcp;
	uint32_t head = ref_pdcp_header(&p) + p.sdap, len, sent_len;
	uint8_t *in = s->send ? clear : sent, *out = s->send ? sent : clear;
	uint32_t in_len, data;

	len = head + random_pdu(t, head == 0);
	e2e_bytes(&t->rng, clear, len);
	if (s->hfn_per_op)
		p.hfn = e2e_rand(&t->rng) >> (32 + p.sn_len);
	sent_len = ref_pdcp_send(&p, clear, len, sent);
	CHECK(t, sent_len != 0, "reference");
	in_len = s->send ? len : sent_len;
	w->grows = true;
	w->want = RTE_CRYPTO_OP_STATUS_SUCCESS;
	w->out_off = 0;
	w->out_len = s->send ? sent_len : len;
	if (!s->send && p.auth != REF_PDCP_NONE && p.auth != REF_PDCP_NULL &&
	    e2e_chance(&t->rng, 8)) {
		sent[e2e_range(&t->rng, 0, sent_len - 1)] ^= 1 << e2e_range(&t->rng, 0, 7);
		w->want = RTE_CRYPTO_OP_STATUS_AUTH_FAILED;
	}
	w->src = chain(t, in_len, 4);
	w->dst = NULL;
	if (!t->in_place && e2e_chance(&t->rng, 2)) {
		/* The destination may have data already. The last segment takes what is missing. */
		data = e2e_chance(&t->rng, 3) ? 0 : e2e_range(&t->rng, 0, w->out_len + 20);
		w->dst = chain(t, data, data < w->out_len ? w->out_len - data : 0);
		CHECK(t, w->dst != NULL, "out of mbufs");
	}
	CHECK(t, w->src != NULL, "out of mbufs");
	TRY(fill_buffers(t, w, in, in_len, out));
	set_op(w, s);
	memcpy(rte_crypto_op_ctod_offset(w->op, void *, IV_OFF), &p.hfn, sizeof(p.hfn));
	if (!s->hfn_per_op) /* the device must ignore these bytes */
		e2e_bytes(&t->rng, rte_crypto_op_ctod_offset(w->op, void *, IV_OFF), 4);
	return E2E_PASS;
}

static int
run_pdcp(struct e2e *t, unsigned int rounds)
{
	unsigned int n, i, done, total;

	for (total = 0; total < rounds * 20; total += done) {
		TRY(open_pdcp(t));
		for (done = 0; done < rounds * 4; done += n) {
			n = e2e_range(&t->rng, 1, NB_OPS);
			for (i = 0; i < n; i++)
				TRY(make_pdcp(t, &work[i],
					      &sessions[e2e_range(&t->rng, 0, nb_sessions - 1)]));
			TRY(run(t, n));
		}
		TRY(end(t));
	}
	e2e_note(t, "%u ops", total);
	return E2E_PASS;
}

static int
test_pdcp(struct e2e *t, const void *arg)
{
	RTE_SET_USED(arg);
	TRY(begin(t));
	if (!has(t, RTE_SECURITY_PROTOCOL_PDCP))
		return e2e_skip(t, "no PDCP");
	return run_pdcp(t, t->rounds);
}

/* PDUs up to the largest SDU. DPDK's own test, "combined mode data walkthrough", has all lengths up
 * to there. */
static int
test_long_pdcp(struct e2e *t, const void *arg)
{
	RTE_SET_USED(arg);
	TRY(begin(t));
	if (!has(t, RTE_SECURITY_PROTOCOL_PDCP) ||
			!offers(t, RTE_SECURITY_PROTOCOL_PDCP, RTE_CRYPTO_SYM_XFORM_CIPHER,
				RTE_CRYPTO_CIPHER_ZUC_EEA3, 16))
		return e2e_skip(t, "no PDCP with ZUC");
	if (long_mp == NULL)
		long_mp = rte_pktmbuf_pool_create("e2e_sec_long", 1023, 0, 0, LONG_BUF_LEN,
						  SOCKET_ID_ANY);
	CHECK(t, long_mp != NULL, "memory");
	mbuf_mp = long_mp;
	long_pdus = true;
	return run_pdcp(t, 1 + t->rounds / 10);
}

/* The HFN of a session can change. Nothing else can. */
static int
test_pdcp_hfn(struct e2e *t, const void *arg)
{
	struct session *s = &sessions[0];
	struct rte_security_session_conf conf;
	struct rte_crypto_sym_xform xf[2], *first;
	unsigned int i;

	RTE_SET_USED(arg);
	TRY(begin(t));
	if (!has(t, RTE_SECURITY_PROTOCOL_PDCP))
		return e2e_skip(t, "no PDCP");
	do {
		random_pdcp(t, s);
	} while (s->pdcp.sn_len == 0 || s->hfn_per_op || s->pdcp.cipher == REF_PDCP_NULL ||
		 s->pdcp.sdap != 0 || s->pdcp.auth == REF_PDCP_NONE || s->pdcp.sn_len == 5);
	first = pdcp_xforms(s, false, xf);
	conf = pdcp_conf(s, RTE_SECURITY_PDCP_MODE_DATA, first);
	conf.pdcp.sn_size = s->pdcp.sn_len;
	s->sess = rte_security_session_create(sec_ctx(t), &conf, sess_mp);
	CHECK(t, s->sess != NULL, "no session");
	nb_sessions = 1;
	for (i = 0; i < 20; i++) {
		TRY(make_pdcp(t, &work[0], s));
		TRY(run(t, 1));
		conf.pdcp.hfn = s->pdcp.hfn = (s->pdcp.hfn + 1) & (UINT32_MAX >> s->pdcp.sn_len);
		CHECK(t, rte_security_session_update(sec_ctx(t), s->sess, &conf) == 0, "update");
	}
	conf.pdcp.bearer ^= 1;
	CHECK(t, rte_security_session_update(sec_ctx(t), s->sess, &conf) == -ENOTSUP,
	      "another bearer");
	TRY(make_pdcp(t, &work[0], s));
	TRY(run(t, 1));
	return end(t);
}

/* ------------------------------------------------------------------ DOCSIS */

struct frame {
	uint32_t c_off, c_len, a_off, a_len, start, end;
};

static void
random_frame(struct e2e *t, struct frame *f)
{
	uint32_t max = e2e_chance(&t->rng, 3) ? MAX_FRAME - 100 : 120, a_end;

	f->a_off = e2e_range(&t->rng, 0, 40);
	f->a_len = e2e_chance(&t->rng, 8) ? 0 : e2e_range(&t->rng, 1, max);
	a_end = f->a_off + f->a_len + 4;
	f->c_off = f->a_off + 12; /* the region usually ends with the CRC */
	f->c_len = a_end > f->c_off ? a_end - f->c_off : 0;
	if (f->a_len == 0 || e2e_chance(&t->rng, 3)) {
		f->c_off = e2e_range(&t->rng, 0, 60);
		f->c_len = e2e_chance(&t->rng, 8) ? 0 : e2e_range(&t->rng, 1, max);
	}
	f->start = f->a_len == 0 ? f->c_off : f->c_len == 0 ? f->a_off :
		   RTE_MIN(f->a_off, f->c_off);
	f->end = RTE_MAX(f->a_len == 0 ? 0 : a_end, f->c_len == 0 ? 0 : f->c_off + f->c_len);
	if (f->end < f->start)
		f->end = f->start;
}

static int
make_docsis(struct e2e *t, struct work *w, const struct session *s)
{
	static uint8_t clear[MAX_FRAME], sent[MAX_FRAME];
	uint8_t *in = s->send ? clear : sent, *out = s->send ? sent : clear, iv[16];
	struct e2e_spec enc = s->docsis;
	struct frame f;
	uint32_t total;

	random_frame(t, &f);
	total = f.end + e2e_range(&t->rng, 0, 30);
	e2e_bytes(&t->rng, iv, sizeof(iv));
	e2e_bytes(&t->rng, clear, total);
	if (f.a_len > 0)
		ref_crc32(clear + f.a_off, f.a_len, clear + f.a_off + f.a_len);
	memcpy(sent, clear, total);
	enc.encrypt = true;
	CHECK(t, e2e_ref_cipher(&enc, iv, clear + f.c_off, sent + f.c_off, f.c_len), "reference");
	if (s->send && f.a_len > 0) /* the CRC's old bytes are no input */
		e2e_bytes(&t->rng, clear + f.a_off + f.a_len, 4);
	w->grows = false;
	w->want = RTE_CRYPTO_OP_STATUS_SUCCESS;
	w->out_off = f.start;
	w->out_len = f.end - f.start;
	if (!s->send && f.a_len > 0 && e2e_chance(&t->rng, 8)) {
		sent[f.a_off + e2e_range(&t->rng, 0, f.a_len + 3)] ^= 1 << e2e_range(&t->rng, 0, 7);
		w->want = RTE_CRYPTO_OP_STATUS_AUTH_FAILED;
	}
	w->src = chain(t, total, 0);
	w->dst = !t->in_place && e2e_chance(&t->rng, 2) ?
			 chain(t, f.end + e2e_range(&t->rng, 0, 30), 0) : NULL;
	CHECK(t, w->src != NULL, "out of mbufs");
	TRY(fill_buffers(t, w, in, total, out + f.start));
	set_op(w, s);
	w->op->sym->cipher.data.offset = f.c_off;
	w->op->sym->cipher.data.length = f.c_len;
	w->op->sym->auth.data.offset = f.a_off;
	w->op->sym->auth.data.length = f.a_len;
	memcpy(rte_crypto_op_ctod_offset(w->op, void *, IV_OFF), iv, s->docsis.iv_len);
	return E2E_PASS;
}

static int
test_docsis(struct e2e *t, const void *arg)
{
	unsigned int n, i, total;

	RTE_SET_USED(arg);
	TRY(begin(t));
	if (!has(t, RTE_SECURITY_PROTOCOL_DOCSIS))
		return e2e_skip(t, "no DOCSIS");
	TRY(open_docsis(t));
	for (total = 0; total < t->rounds * 20; total += n) {
		n = e2e_range(&t->rng, 1, NB_OPS);
		for (i = 0; i < n; i++)
			TRY(make_docsis(t, &work[i],
					&sessions[e2e_range(&t->rng, 0, nb_sessions - 1)]));
		TRY(run(t, n));
	}
	e2e_note(t, "%u ops", total);
	return end(t);
}

static int
test_raw(struct e2e *t, const void *arg)
{
	union rte_cryptodev_session_ctx none = { .crypto_sess = NULL };
	bool pdcp = arg != NULL;
	struct rte_crypto_raw_dp_ctx *ctx;
	unsigned int i, n, total;
	int size;

	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_SYM_RAW_DP))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SYM_RAW_DP");
	TRY(begin(t));
	if (!has(t, pdcp ? RTE_SECURITY_PROTOCOL_PDCP : RTE_SECURITY_PROTOCOL_DOCSIS))
		return e2e_skip(t, "no such protocol");
	TRY(pdcp ? open_pdcp(t) : open_docsis(t));
	size = rte_cryptodev_get_raw_dp_ctx_size(t->dev);
	CHECK(t, size > 0, "no context size");
	ctx = calloc(1, size);
	CHECK(t, ctx != NULL, "memory");
	CHECK(t, rte_cryptodev_configure_raw_dp_ctx(t->dev, 0, ctx, RTE_CRYPTO_OP_SECURITY_SESSION,
						    none, 0) == 0, "context");
	for (total = 0; total < t->rounds * 10; total += n) {
		n = e2e_range(&t->rng, 1, NB_OPS);
		for (i = 0; i < n; i++) {
			const struct session *s = &sessions[e2e_range(&t->rng, 0, nb_sessions - 1)];

			TRY(pdcp ? make_pdcp(t, &work[i], s) : make_docsis(t, &work[i], s));
		}
		TRY(run_raw(t, ctx, n));
	}
	free(ctx);
	e2e_note(t, "%u ops", total);
	return end(t);
}

/* ------------------------------------------------------------------ wrong operations */

static void
no_source(struct work *w)
{
	w->op->sym->m_src = NULL;
}

static void
no_session(struct work *w)
{
	w->op->sym->session = NULL;
}

static void
as_symmetric(struct work *w)
{
	w->op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
}

static void
longer_than_data(struct work *w)
{
	w->op->sym->m_src->pkt_len += 1;
	w->op->sym->cipher.data.length = w->op->sym->m_src->pkt_len;
	w->op->sym->cipher.data.offset = 0;
}

static void
no_room(struct work *w)
{
	struct rte_mbuf *m;

	if (w->dst == NULL)
		w->dst = rte_pktmbuf_alloc(mbuf_mp);
	w->op->sym->m_dst = w->dst;
	for (m = w->dst; m != NULL; m = m->next) {
		m->data_len = 0;
		m->data_off = m->buf_len;
	}
}

static int
test_bad(struct e2e *t, const void *arg)
{
	static void (*const spoil[])(struct work *) = { no_source, no_session, as_symmetric,
							longer_than_data, no_room };
	bool pdcp = arg != NULL;
	struct rte_crypto_op *op;
	unsigned int i;

	TRY(begin(t));
	TRY(pdcp ? open_pdcp(t) : open_docsis(t));
	for (i = 0; i < 10 * RTE_DIM(spoil); i++) {
		const struct session *s = &sessions[e2e_range(&t->rng, 0, nb_sessions - 1)];

		do {
			free_work(&work[0]);
			TRY(pdcp ? make_pdcp(t, &work[0], s) : make_docsis(t, &work[0], s));
		} while (work[0].out_len == 0);
		spoil[i % RTE_DIM(spoil)](&work[0]);
		op = work[0].op;
		CHECK(t, e2e_send(t->dev, 0, &op, 1) == 1, "op %u not accepted", i);
		CHECK(t, e2e_collect(t->dev, 0, &op, 1, E2E_TIMEOUT_MS) == 1, "op %u lost", i);
		CHECK(t, op == work[0].op, "a different op came back");
		CHECK(t, op->status == RTE_CRYPTO_OP_STATUS_INVALID_ARGS ||
		      op->status == RTE_CRYPTO_OP_STATUS_INVALID_SESSION, "op %u: %s", i,
		      e2e_status_name(op->status));
		free_work(&work[0]);
		/* A good operation after the bad one must work. */
		TRY(pdcp ? make_pdcp(t, &work[0], s) : make_docsis(t, &work[0], s));
		TRY(run(t, 1));
	}
	e2e_note(t, "%u ops", i);
	return end(t);
}

/* Stops the device with operations in-flight. It must give all of them back, and its sessions must
 * work afterwards. */
static int
test_stop(struct e2e *t, const void *arg)
{
	struct rte_crypto_op *ops[NB_OPS];
	unsigned int i, round, ok = 0;

	RTE_SET_USED(arg);
	TRY(begin(t));
	TRY(open_pdcp(t));
	for (round = 0; round < 10; round++) {
		for (i = 0; i < NB_OPS; i++) {
			TRY(make_pdcp(t, &work[i], &sessions[i % nb_sessions]));
			ops[i] = work[i].op;
		}
		CHECK(t, e2e_send(t->dev, 0, ops, NB_OPS) == NB_OPS, "ops not accepted");
		e2e_dev_stop(t->dev);
		CHECK(t, rte_cryptodev_start(t->dev) == 0, "start");
		CHECK(t, e2e_collect(t->dev, 0, ops, NB_OPS, E2E_TIMEOUT_MS) == NB_OPS, "ops lost");
		for (i = 0; i < NB_OPS; i++) {
			CHECK(t, ops[i] == work[i].op, "order");
			CHECK(t, ops[i]->status == work[i].want ||
			      ops[i]->status == RTE_CRYPTO_OP_STATUS_ERROR, "op %u: %s", i,
			      e2e_status_name(ops[i]->status));
			ok += ops[i]->status == work[i].want;
			free_work(&work[i]);
		}
		TRY(make_pdcp(t, &work[0], &sessions[0]));
		TRY(run(t, 1));
	}
	e2e_note(t, "%u of %u ops succeeded", ok, round * NB_OPS);
	return end(t);
}

/* ------------------------------------------------------------------ a device that breaks */

/* Makes an operation mostly of the session of the one before it, and half of them as the fast path
 * has them. */
static int
make_any(struct e2e *t, bool pdcp, struct work *w, const struct session **s)
{
	const bool linear = t->linear, in_place = t->in_place;
	int ret;

	if (*s == NULL || e2e_chance(&t->rng, 4))
		*s = &sessions[e2e_range(&t->rng, 0, nb_sessions - 1)];
	if (e2e_chance(&t->rng, 2))
		t->linear = t->in_place = true;
	ret = pdcp ? make_pdcp(t, w, *s) : make_docsis(t, w, *s);
	t->linear = linear;
	t->in_place = in_place;
	return ret;
}

/* Takes the contents of the buffers of a failed operation as those that they have to keep. */
static int
keep(struct e2e *t, struct work *w, uint32_t len)
{
	const struct rte_mbuf *dst = w->dst != NULL ? w->dst : w->src;

	CHECK(t, w->op->status == RTE_CRYPTO_OP_STATUS_ERROR, "%s after a fault",
	      e2e_status_name(w->op->status));
	CHECK(t, dst->pkt_len == len, "the length of a failed packet changed from %u to %u", len,
	      dst->pkt_len);
	while (w->nb_images > 0)
		free(w->image[--w->nb_images]);
	return take_images(t, w);
}

/* Checks that nobody has written to the buffers of an operation since it was given back. */
static int
check_kept(struct e2e *t, struct work *w)
{
	const struct rte_mbuf *of[2] = { w->src, w->dst }, *m;
	unsigned int i, n = 0;

	for (i = 0; i < 2; i++)
		for (m = of[i]; m != NULL; m = m->next, n++)
			CHECK(t, memcmp(m->buf_addr, w->image[n], m->buf_len) == 0,
			      "a buffer was written after its operation came back");
	free_work(w);
	return E2E_PASS;
}

/* Sends n operations. Adds up those that ended as they should, and those that failed. */
static int
run_breaking(struct e2e *t, bool pdcp, unsigned int n, unsigned int *good, unsigned int *bad)
{
	const struct session *s = NULL;
	struct rte_crypto_op *ops[NB_OPS];
	bool failed[NB_OPS];
	unsigned int i;

	for (i = 0; i < n; i++) {
		TRY(make_any(t, pdcp, &work[i], &s));
		work[i].raw = false;
		ops[i] = work[i].op;
	}
	note_lengths(n);
	CHECK(t, e2e_send(t->dev, 0, ops, n) == n, "ops not accepted");
	CHECK(t, e2e_collect(t->dev, 0, ops, n, E2E_TIMEOUT_MS) == n, "ops lost");
	for (i = 0; i < n; i++) {
		CHECK(t, ops[i] == work[i].op, "ops came back out of order");
		failed[i] = ops[i]->status != work[i].want;
		TRY(failed[i] ? keep(t, &work[i], pkt_len[i]) :
				check_work(t, &work[i], was[i], pkt_len[i]));
		*bad += failed[i];
		*good += !failed[i];
	}
	for (i = 0; i < n; i++) {
		if (failed[i])
			TRY(check_kept(t, &work[i]));
		else
			free_work(&work[i]);
	}
	return E2E_PASS;
}

static int
run_heal(struct e2e *t, const void *arg, uint8_t dev)
{
	const unsigned int want = t->quick ? 3 : 8;
	unsigned int good = 0, bad = 0, healed = 0, before;
	const bool pdcp = arg != NULL;
	bool outage = false;

	t->dev = dev; /* test_heal() puts it back */
	TRY(begin(t));
	TRY(pdcp ? open_pdcp(t) : open_docsis(t));
	while (healed < want) {
		before = bad;
		/* While the driver heals the queue pair, one operation after the other looks. */
		TRY(run_breaking(t, pdcp, outage ? 1 : NB_OPS, &good, &bad));
		healed += outage && bad == before;
		outage = bad != before;
	}
	e2e_note(t, "%u ops succeeded, %u failed, healed %u times", good, bad, healed);
	return end(t);
}

/* The device breaks under operations of a program that does not know of errors. Each comes back
 * once, and what came back with an error is not written any more. */
static int
test_heal(struct e2e *t, const void *arg)
{
	const uint8_t own = t->dev;
	int ret;

	ret = e2e_with_vdev(t, "crypto_accel_protocols",
			    "timeout_ms=50,faults=dead@300/1900+lost@100/700+corrupt@200/900"
			    "+fatal@500/2300+stall@700/1700", run_heal, arg);
	t->dev = own;
	return ret;
}

/* Without the feature there is no security context, and operations of older sessions are refused
 * one by one. */
static int
test_disabled(struct e2e *t, const void *arg)
{
	struct rte_cryptodev_config conf = { .nb_queue_pairs = 1,
					     .ff_disable = RTE_CRYPTODEV_FF_SECURITY };
	struct rte_crypto_op *op;

	RTE_SET_USED(arg);
	TRY(begin(t));
	TRY(open_pdcp(t));
	TRY(make_pdcp(t, &work[0], &sessions[0]));
	e2e_dev_stop(t->dev);
	CHECK(t, rte_cryptodev_configure(t->dev, &conf) == 0, "configure");
	CHECK(t, rte_cryptodev_start(t->dev) == 0, "start");
	CHECK(t, sec_ctx(t) == NULL, "ff_disable left a security context");
	op = work[0].op;
	CHECK(t, e2e_send(t->dev, 0, &op, 1) == 1, "op not accepted");
	CHECK(t, e2e_collect(t->dev, 0, &op, 1, E2E_TIMEOUT_MS) == 1, "op lost");
	CHECK(t, op->status == RTE_CRYPTO_OP_STATUS_INVALID_ARGS, "%s",
	      e2e_status_name(op->status));
	e2e_dev_stop(t->dev);
	conf.ff_disable = 0;
	CHECK(t, rte_cryptodev_configure(t->dev, &conf) == 0, "configure");
	CHECK(t, rte_cryptodev_start(t->dev) == 0, "start");
	free_work(&work[0]);
	TRY(make_pdcp(t, &work[0], &sessions[0]));
	TRY(run(t, 1));
	return end(t);
}

void
e2e_add_protocols(void)
{
	static const bool pdcp = true;

	e2e_add("protocols/pdcp", test_pdcp, NULL, false);
	e2e_add("protocols/long-pdcp", test_long_pdcp, NULL, true);
	e2e_add("protocols/pdcp-hfn", test_pdcp_hfn, NULL, true);
	e2e_add("protocols/docsis", test_docsis, NULL, false);
	e2e_add("protocols/raw-pdcp", test_raw, &pdcp, true);
	e2e_add("protocols/raw-docsis", test_raw, NULL, true);
	e2e_add("protocols/bad-pdcp", test_bad, &pdcp, true);
	e2e_add("protocols/bad-docsis", test_bad, NULL, true);
	e2e_add("protocols/stop", test_stop, NULL, true);
	e2e_add("protocols/heal-pdcp", test_heal, &pdcp, true);
	e2e_add("protocols/heal-docsis", test_heal, NULL, true);
	e2e_add("protocols/disabled", test_disabled, NULL, true);
}
