/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Makes random SAs with both ends: a lookaside protocol session of the card, and an SA of
 * librte_ipsec with a plain symmetric session.
 */

#include <rte_errno.h>
#include <rte_malloc.h>

#include "interop.h"

/* ------------------------------------------------------------------ what the card can do */

static const struct rte_security_capability *
capability(struct interop *x, const struct interop_sa *sa)
{
	const struct rte_security_capability *c = rte_security_capabilities_get(x->ctx);

	for (; c != NULL && c->action != RTE_SECURITY_ACTION_TYPE_NONE; c++) {
		if (c->action == RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL &&
				c->protocol == RTE_SECURITY_PROTOCOL_IPSEC &&
				c->ipsec.proto == RTE_SECURITY_IPSEC_SA_PROTO_ESP &&
				c->ipsec.mode == sa->ipsec.mode &&
				c->ipsec.direction == sa->ipsec.direction)
			return c;
	}
	return NULL;
}

bool
interop_xform_fits(const struct rte_cryptodev_symmetric_capability *c,
		   const struct rte_crypto_sym_xform *xf)
{
	if (c->xform_type != xf->type)
		return false;
	if (xf->type == RTE_CRYPTO_SYM_XFORM_AEAD)
		return c->aead.algo == xf->aead.algo &&
		       rte_cryptodev_sym_capability_check_aead(c, xf->aead.key.length,
							       xf->aead.digest_length,
							       xf->aead.aad_length,
							       xf->aead.iv.length) == 0;
	if (xf->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		return c->cipher.algo == xf->cipher.algo &&
		       rte_cryptodev_sym_capability_check_cipher(c, xf->cipher.key.length,
								 xf->cipher.iv.length) == 0;
	return c->auth.algo == xf->auth.algo &&
	       rte_cryptodev_sym_capability_check_auth(c, xf->auth.key.length,
						       xf->auth.digest_length,
						       xf->auth.iv.length) == 0;
}

static bool
card_has(const struct rte_security_capability *cap, const struct rte_crypto_sym_xform *xf)
{
	const struct rte_cryptodev_capabilities *c;

	for (; xf != NULL; xf = xf->next) {
		for (c = cap->crypto_capabilities; c->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; c++) {
			if (interop_xform_fits(&c->sym, xf))
				break;
		}
		if (c->op == RTE_CRYPTO_OP_TYPE_UNDEFINED)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ algorithms */

static uint16_t
pick(struct interop *x, const uint16_t *list, unsigned int n)
{
	while (n > 1 && list[n - 1] == 0)
		n--;
	return list[e2e_range(x->rng, 0, n - 1)];
}

static void
cipher_xform(const struct interop_sa *sa, bool encrypt, struct rte_crypto_sym_xform *xf)
{
	xf->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	xf->cipher.op = encrypt ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT;
	xf->cipher.algo = sa->suite->cipher;
	xf->cipher.key.data = sa->key;
	xf->cipher.key.length = sa->key_len;
	xf->cipher.iv.offset = E2E_PRIV_OFF;
	xf->cipher.iv.length = sa->suite->iv;
	if (sa->suite->cipher == RTE_CRYPTO_CIPHER_AES_CTR)
		xf->cipher.iv.length = 16; /* the whole counter block */
	else if (sa->suite->cipher == 0)
		xf->cipher.algo = RTE_CRYPTO_CIPHER_NULL;
}

static void
auth_xform(const struct interop_sa *sa, bool generate, struct rte_crypto_sym_xform *xf)
{
	bool gmac = sa->suite->auth == RTE_CRYPTO_AUTH_AES_GMAC;

	xf->type = RTE_CRYPTO_SYM_XFORM_AUTH;
	xf->auth.op = generate ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
	xf->auth.algo = sa->suite->auth;
	xf->auth.key.data = gmac ? sa->key : sa->auth_key;
	xf->auth.key.length = gmac ? sa->key_len : sa->suite->auth_key;
	xf->auth.digest_length = sa->icv;
	xf->auth.iv.offset = gmac ? E2E_PRIV_OFF : 0;
	xf->auth.iv.length = gmac ? 12 : 0;
}

static void
aead_xform(const struct interop_sa *sa, bool encrypt, struct rte_crypto_sym_xform *xf)
{
	xf->type = RTE_CRYPTO_SYM_XFORM_AEAD;
	xf->aead.op = encrypt ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
	xf->aead.algo = sa->suite->aead;
	xf->aead.key.data = sa->key;
	xf->aead.key.length = sa->key_len;
	xf->aead.iv.offset = E2E_PRIV_OFF;
	xf->aead.iv.length = sa->suite->aead == RTE_CRYPTO_AEAD_AES_CCM ? 11 : 12;
	xf->aead.digest_length = sa->icv;
	xf->aead.aad_length = sa->ipsec.options.esn ? 12 : 8;
}

/* Makes the transforms of one end. librte_ipsec takes AES-GMAC alone, rte_security with the cipher
 * NULL. */
static void
make_xforms(const struct interop_sa *sa, bool sends, bool peer, struct rte_crypto_sym_xform xf[2])
{
	struct rte_crypto_sym_xform new[2];

	memset(new, 0, sizeof(new));
	if (sa->suite->type == RTE_CRYPTO_SYM_XFORM_AEAD) {
		aead_xform(sa, sends, &new[0]);
	} else if (sa->suite->type == RTE_CRYPTO_SYM_XFORM_AUTH && peer) {
		auth_xform(sa, sends, &new[0]);
	} else {
		cipher_xform(sa, sends, &new[sends ? 0 : 1]);
		if (sa->suite->type == RTE_CRYPTO_SYM_XFORM_AUTH) { /* NULL has neither */
			new[sends ? 0 : 1].cipher.key.length = 0;
			new[sends ? 0 : 1].cipher.iv.length = 0;
		}
		auth_xform(sa, sends, &new[sends ? 1 : 0]);
		new[0].next = &xf[1];
	}
	memcpy(xf, new, sizeof(new));
}

/* ------------------------------------------------------------------ parameters */

static void
random_tunnel(struct interop *x, struct interop_sa *sa)
{
	struct rte_security_ipsec_tunnel_param *p = &sa->ipsec.tunnel;

	if (sa->outer6) {
		p->type = RTE_SECURITY_IPSEC_TUNNEL_IPV6;
		e2e_bytes(x->rng, &p->ipv6.src_addr, 16);
		e2e_bytes(x->rng, &p->ipv6.dst_addr, 16);
		p->ipv6.dscp = e2e_range(x->rng, 0, 63);
		p->ipv6.flabel = e2e_range(x->rng, 0, 0xfffff);
		p->ipv6.hlimit = e2e_range(x->rng, 1, 255);
	} else {
		p->type = RTE_SECURITY_IPSEC_TUNNEL_IPV4;
		e2e_bytes(x->rng, &p->ipv4.src_ip, 4);
		e2e_bytes(x->rng, &p->ipv4.dst_ip, 4);
		p->ipv4.dscp = e2e_range(x->rng, 0, 63);
		p->ipv4.df = e2e_chance(x->rng, 2);
		p->ipv4.ttl = e2e_range(x->rng, 1, 255);
	}
}

/* Options of a tunnel, as far as the card has them. */
static void
random_options(struct interop *x, struct interop_sa *sa, const struct rte_security_capability *cap)
{
	struct rte_security_ipsec_sa_options *o = &sa->ipsec.options;
	const struct rte_security_ipsec_sa_options *c = &cap->ipsec.options;

	o->stats = c->stats;
	if (!sa->tunnel)
		return;
	/* librte_ipsec adds no UDP header in transport mode. */
	o->udp_encap = c->udp_encap && e2e_chance(x->rng, 3);
	if (o->udp_encap) {
		sa->ipsec.udp.sport = e2e_range(x->rng, 1, 65535);
		sa->ipsec.udp.dport = e2e_chance(x->rng, 2) ? 4500 : e2e_range(x->rng, 1, 65535);
		o->udp_ports_verify = !sa->outbound && c->udp_ports_verify &&
				      e2e_chance(x->rng, 2);
	}
	o->copy_dscp = c->copy_dscp && e2e_chance(x->rng, 2);
	o->ecn = c->ecn && e2e_chance(x->rng, 2);
	o->ip_csum_enable = c->ip_csum_enable && e2e_chance(x->rng, 2);
	o->l4_csum_enable = c->l4_csum_enable && e2e_chance(x->rng, 2);
	if (!sa->outbound) {
		o->tunnel_hdr_verify = e2e_range(x->rng, 0, c->tunnel_hdr_verify);
		return;
	}
	o->copy_df = c->copy_df && !sa->outer6 && !sa->inner6 && e2e_chance(x->rng, 2);
	o->copy_flabel = c->copy_flabel && sa->outer6 && sa->inner6 && e2e_chance(x->rng, 2);
	o->dec_ttl = c->dec_ttl && e2e_chance(x->rng, 2);
}

/*
 * With ESN and no window, an old number is accepted or not, as the earlier packets are still on
 * their way when its upper half is inferred. So there is always a window but in test_no_window().
 */
static uint32_t
random_window(struct interop *x, const struct interop_sa *sa, uint32_t max)
{
	static const uint32_t usual[] = { 0, 1, 32, 63, 64, 65, 128, 1000, 1024, 2048, 4096 };
	uint32_t w = e2e_chance(x->rng, 4) ? e2e_range(x->rng, 1, max) :
					     usual[e2e_range(x->rng, 0, RTE_DIM(usual) - 1)];

	if (w == 0 && sa->ipsec.options.esn)
		w = 64;
	return RTE_MIN(w, max);
}

/* The first number: a new SA's, or one near the places where an upper half changes. */
static uint64_t
random_value(struct interop *x, const struct interop_sa *sa)
{
	uint64_t high = e2e_range(x->rng, 1, 3);

	if (e2e_chance(x->rng, 2))
		return 0;
	if (!sa->ipsec.options.esn)
		return e2e_range(x->rng, 1, UINT32_C(0xffff0000));
	return (high << 32) - e2e_range(x->rng, 0, 512);
}

static void
random_limits(struct interop *x, struct rte_security_ipsec_lifetime *life, unsigned int packets)
{
	if (packets == 0)
		return;
	if (e2e_chance(x->rng, 2)) {
		life->packets_hard_limit = e2e_range(x->rng, 2, packets);
		life->packets_soft_limit = e2e_range(x->rng, 1, life->packets_hard_limit);
	}
	if (e2e_chance(x->rng, 2)) {
		life->bytes_hard_limit = e2e_range(x->rng, 1000, packets * 600);
		life->bytes_soft_limit = e2e_range(x->rng, 1, life->bytes_hard_limit);
	}
}

/* Returns false if the card or all peers lack what was drawn. */
static bool
draw(struct interop *x, struct interop_sa *sa, const struct interop_wish *wish)
{
	const struct rte_security_capability *cap;
	struct rte_crypto_sym_xform xf[2];
	struct rte_security_ipsec_xform *p = &sa->ipsec;

	memset(p, 0, sizeof(*p));
	sa->suite = &interop_suites[wish->suite >= 0 ? (unsigned int)wish->suite :
				    e2e_range(x->rng, 0, interop_nb_suites - 1)];
	sa->outbound = wish->outbound >= 0 ? wish->outbound : e2e_chance(x->rng, 2);
	sa->tunnel = !e2e_chance(x->rng, 3);
	sa->inner6 = e2e_chance(x->rng, 2);
	sa->outer6 = sa->tunnel ? e2e_chance(x->rng, 2) : sa->inner6;
	p->proto = RTE_SECURITY_IPSEC_SA_PROTO_ESP;
	p->mode = sa->tunnel ? RTE_SECURITY_IPSEC_SA_MODE_TUNNEL :
			       RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT;
	p->direction = sa->outbound ? RTE_SECURITY_IPSEC_SA_DIR_EGRESS :
				      RTE_SECURITY_IPSEC_SA_DIR_INGRESS;
	cap = capability(x, sa);
	if (cap == NULL)
		return false;
	do {
		sa->spi = e2e_rand(x->rng);
	} while (sa->spi < 256);
	p->spi = sa->spi;
	p->salt = e2e_rand(x->rng);
	if (sa->suite->aead == RTE_CRYPTO_AEAD_AES_CCM) {
		/* Three bytes are the salt. librte_ipsec takes the fourth one for CCM's flags. */
		((uint8_t *)&p->salt)[3] = 0;
	}
	p->options.esn = cap->ipsec.options.esn && !sa->suite->no_esn &&
			 (wish->esn >= 0 ? wish->esn : e2e_chance(x->rng, 2));
	if (wish->esn > 0 && !p->options.esn)
		return false;
	if (sa->tunnel)
		random_tunnel(x, sa);
	random_options(x, sa, cap);
	if (!sa->outbound)
		p->replay_win_sz = wish->window >= 0 ? wish->window :
				   random_window(x, sa, cap->ipsec.replay_win_sz_max);
	p->esn.value = wish->value > 0 ? wish->value : random_value(x, sa);
	random_limits(x, &p->life, wish->limits);
	if (wish->packets > 0)
		p->life.packets_hard_limit = wish->packets;
	e2e_bytes(x->rng, sa->key, sizeof(sa->key));
	e2e_bytes(x->rng, sa->auth_key, sizeof(sa->auth_key));
	sa->key_len = pick(x, sa->suite->keys, RTE_DIM(sa->suite->keys));
	sa->icv = pick(x, sa->suite->icvs, RTE_DIM(sa->suite->icvs));
	memset(xf, 0, sizeof(xf));
	make_xforms(sa, !sa->outbound, true, xf);
	sa->peer_dev = interop_peer_find(x, xf);
	make_xforms(sa, sa->outbound, false, xf);
	return card_has(cap, xf) && sa->peer_dev >= 0;
}

/* ------------------------------------------------------------------ the peer's end */

static void
outer_header(const struct interop_sa *sa, uint8_t *hdr)
{
	const struct rte_security_ipsec_tunnel_param *p = &sa->ipsec.tunnel;
	uint8_t proto = sa->ipsec.options.udp_encap ? IPPROTO_UDP : IPPROTO_ESP;
	struct rte_ipv4_hdr *v4 = (void *)hdr;
	struct rte_ipv6_hdr *v6 = (void *)hdr;

	memset(hdr, 0, sizeof(*v6));
	if (sa->outer6) {
		v6->vtc_flow = rte_cpu_to_be_32(6u << 28);
		v6->proto = proto;
		v6->hop_limits = 64;
		memcpy(&v6->src_addr, &p->ipv6.src_addr, 16);
		memcpy(&v6->dst_addr, &p->ipv6.dst_addr, 16);
	} else {
		v4->version_ihl = RTE_IPV4_VHL_DEF;
		v4->next_proto_id = proto;
		v4->time_to_live = 64;
		v4->src_addr = p->ipv4.src_ip.s_addr;
		v4->dst_addr = p->ipv4.dst_ip.s_addr;
	}
}

/* Fills in librte_ipsec's SA anew. `value` is the next number, or the highest one that came. */
static int
peer_init(struct interop *x, struct interop_sa *sa, uint64_t value)
{
	struct rte_crypto_sym_xform xf[2];
	struct rte_ipsec_sa_prm prm;
	uint8_t hdr[40];
	int size;

	memset(xf, 0, sizeof(xf));
	make_xforms(sa, !sa->outbound, true, xf);
	memset(&prm, 0, sizeof(prm));
	prm.ipsec_xform = sa->ipsec;
	memset(&prm.ipsec_xform.options, 0, sizeof(prm.ipsec_xform.options));
	prm.ipsec_xform.options.esn = sa->ipsec.options.esn;
	/* With this option librte_ipsec does not initialise an inbound SA. Without it, it takes
	 * what l3_len says for the header. */
	prm.ipsec_xform.options.udp_encap = sa->ipsec.options.udp_encap && !sa->outbound;
	prm.ipsec_xform.direction = sa->outbound ? RTE_SECURITY_IPSEC_SA_DIR_INGRESS :
						   RTE_SECURITY_IPSEC_SA_DIR_EGRESS;
	/* The card's numbers are checked by the oracle. With ESN librte_ipsec needs a window. */
	prm.ipsec_xform.replay_win_sz = sa->outbound && sa->ipsec.options.esn ? 2048 : 0;
	prm.ipsec_xform.esn.value = value;
	prm.crypto_xform = xf;
	outer_header(sa, hdr);
	if (sa->tunnel) {
		prm.tun.hdr_len = sa->outer6 ? 40 : 20;
		prm.tun.next_proto = sa->inner6 ? IPPROTO_IPV6 : IPPROTO_IPIP;
		prm.tun.hdr = hdr;
	} else {
		prm.trs.proto = sa->inner6 ? IPPROTO_IPV6 : IPPROTO_IPIP;
	}
	size = rte_ipsec_sa_size(&prm);
	CHECK(x->t, size > 0, "librte_ipsec: size %d", size);
	if (sa->peer_sa == NULL) {
		sa->peer_size = size;
		sa->peer_sa = rte_zmalloc(NULL, size, RTE_CACHE_LINE_SIZE);
	}
	CHECK(x->t, sa->peer_sa != NULL, "out of memory");
	size = rte_ipsec_sa_init(sa->peer_sa, &prm, sa->peer_size);
	CHECK(x->t, size > 0, "librte_ipsec refuses %s: %d", interop_sa_name(sa), size);
	if (sa->peer_session == NULL)
		sa->peer_session = rte_cryptodev_sym_session_create(x->peer[sa->peer_dev].dev, xf,
								    x->peer_sessions);
	CHECK(x->t, sa->peer_session != NULL, "%s has no session for %s",
	      x->peer[sa->peer_dev].name, interop_sa_name(sa));
	memset(&sa->peer, 0, sizeof(sa->peer));
	sa->peer.sa = sa->peer_sa;
	sa->peer.type = RTE_SECURITY_ACTION_TYPE_NONE;
	sa->peer.crypto.ses = sa->peer_session;
	sa->peer.crypto.dev_id = x->peer[sa->peer_dev].dev;
	CHECK(x->t, rte_ipsec_session_prepare(&sa->peer) == 0, "librte_ipsec: session");
	return E2E_PASS;
}

int
interop_peer_renumber(struct interop *x, struct interop_sa *sa, uint64_t value)
{
	value = RTE_MAX(value, UINT64_C(1));
	sa->peer_next = value;
	return peer_init(x, sa, sa->outbound ? value - 1 : value);
}

/* ------------------------------------------------------------------ both ends */

static struct rte_security_session_conf
card_conf(struct interop_sa *sa)
{
	struct rte_security_session_conf conf;

	memset(&conf, 0, sizeof(conf));
	conf.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
	conf.protocol = RTE_SECURITY_PROTOCOL_IPSEC;
	conf.ipsec = sa->ipsec;
	conf.crypto_xform = sa->xform;
	return conf;
}

bool
interop_suite_possible(struct interop *x, const struct interop_suite *suite)
{
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sa;
	unsigned int i;

	wish.suite = suite - interop_suites;
	memset(&sa, 0, sizeof(sa));
	for (i = 0; i < 100; i++) {
		if (draw(x, &sa, &wish))
			return true;
	}
	return false;
}

int
interop_sa_open(struct interop *x, struct interop_sa *sa, const struct interop_wish *wish)
{
	struct rte_security_session_conf conf;
	unsigned int i;

	memset(sa, 0, sizeof(*sa));
	for (i = 0; i < 1000 && !draw(x, sa, wish); i++)
		;
	CHECK(x->t, i < 1000, "no SA that card and peer can both have");
	make_xforms(sa, sa->outbound, false, sa->xform);
	sa->oracle.life = sa->ipsec.life;
	CHECK(x->t, interop_oracle_begin(&sa->oracle, sa->outbound, sa->ipsec.options.esn,
					 sa->ipsec.replay_win_sz, sa->ipsec.esn.value) == 0,
	      "out of memory");
	/* A new SA without ESN takes what its window covers. */
	if (!sa->ipsec.options.esn)
		sa->oracle.below = 0;
	conf = card_conf(sa);
	sa->card = rte_security_session_create(x->ctx, &conf, x->card_sessions);
	CHECK(x->t, sa->card != NULL, "no session for %s: %s", interop_sa_name(sa),
	      rte_strerror(rte_errno));
	return interop_peer_renumber(x, sa, sa->ipsec.esn.value);
}

int
interop_sa_close(struct interop *x, struct interop_sa *sa)
{
	int ret;

	if (sa->card != NULL) {
		ret = rte_security_session_destroy(x->ctx, sa->card);
		CHECK(x->t, ret == 0, "destroy: %d", ret);
	}
	sa->card = NULL;
	if (sa->peer_session != NULL)
		rte_cryptodev_sym_session_free(x->peer[sa->peer_dev].dev, sa->peer_session);
	sa->peer_session = NULL;
	rte_free(sa->peer_sa);
	sa->peer_sa = NULL;
	interop_oracle_free(&sa->oracle);
	return E2E_PASS;
}

int
interop_sa_update(struct interop *x, struct interop_sa *sa, uint64_t value, uint32_t window)
{
	struct rte_security_session_conf conf;
	int ret;

	sa->ipsec.esn.value = value;
	sa->ipsec.replay_win_sz = sa->outbound ? 0 : window;
	conf = card_conf(sa);
	ret = rte_security_session_update(x->ctx, sa->card, &conf);
	CHECK(x->t, ret == 0, "session_update of %s: %d", interop_sa_name(sa), ret);
	/* Numbers and window are new. What was counted stays. */
	CHECK(x->t, interop_oracle_begin(&sa->oracle, sa->outbound, sa->ipsec.options.esn,
					 sa->ipsec.replay_win_sz, value) == 0, "out of memory");
	return interop_peer_renumber(x, sa, value);
}

int
interop_sa_check_stats(struct interop *x, const struct interop_sa *sa)
{
	const struct interop_oracle *o = &sa->oracle;
	struct rte_security_stats s;
	uint64_t packets, bytes, errors;
	int ret;

	memset(&s, 0, sizeof(s));
	ret = rte_security_session_stats_get(x->ctx, sa->card, &s);
	CHECK(x->t, ret == 0, "session_stats_get: %d", ret);
	packets = sa->outbound ? s.ipsec.opackets : s.ipsec.ipackets;
	bytes = sa->outbound ? s.ipsec.obytes : s.ipsec.ibytes;
	errors = sa->outbound ? s.ipsec.oerrors : s.ipsec.ierrors;
	CHECK(x->t, packets == o->packets && bytes == o->bytes && errors == o->errors,
	      "%s counts %" PRIu64 " packets, %" PRIu64 " bytes, %" PRIu64 " errors; right are "
	      "%" PRIu64 ", %" PRIu64 ", %" PRIu64, interop_sa_name(sa), packets, bytes, errors,
	      o->packets, o->bytes, o->errors);
	return E2E_PASS;
}

const char *
interop_sa_name(const struct interop_sa *sa)
{
	static __thread char name[160];

	snprintf(name, sizeof(name), "%s %s%s%s %s%s%s window %u icv %u spi %#x",
		 sa->outbound ? "outbound" : "inbound", sa->tunnel ? "tunnel " : "transport ",
		 sa->tunnel ? (sa->outer6 ? "IPv6/" : "IPv4/") : "", sa->inner6 ? "IPv6" : "IPv4",
		 sa->suite->name, sa->ipsec.options.esn ? " ESN" : "",
		 sa->ipsec.options.udp_encap ? " UDP" : "", sa->ipsec.replay_win_sz, sa->icv,
		 sa->spi);
	return name;
}
