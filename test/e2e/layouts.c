/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Compares random layouts with OpenSSL: every algorithm alone, every cipher with every auth as a
 * chain in both orders, sessions of many kinds on several queue pairs, long packets, and memory
 * around a multiple of 1 GiB, which no fragment may cross.
 */

#include <rte_errno.h>
#include <rte_memzone.h>

#include "e2e.h"

struct mix {
	struct e2e_session *ses[64];
	unsigned int n;
	uint32_t max_len;
	bool fixed;	/* exactly max_len bytes */
};

static int
fill(struct e2e *t, struct e2e_slot *s, void *arg)
{
	const struct mix *m = arg;
	const struct e2e_session *ses = m->ses[e2e_range(&t->rng, 0, m->n - 1)];
	uint32_t len = e2e_random_length(&t->rng, &ses->spec, m->max_len);
	struct e2e_layout l;

	if (m->fixed)
		len = e2e_limit_length(&ses->spec, m->max_len) / 16 * 16 -
		      16 * e2e_range(&t->rng, 0, 64);
	e2e_layout_random(t, &t->rng, &ses->spec, len, &l);
	return e2e_slot_fill(t, s, ses, &l, &t->rng);
}

/*
 * Adds a session of the kind in sp with random sizes. Returns E2E_SKIP if it is not among the
 * capabilities. With `may_refuse` the device may refuse an unusual chain with ENOTSUP.
 */
static int
mix_add(struct e2e *t, struct mix *m, struct e2e_spec *sp, bool may_refuse)
{
	struct e2e_session *ses;

	if (m->n == RTE_DIM(m->ses) || !e2e_spec_random(t, sp))
		return E2E_SKIP;
	ses = e2e_session_open(t, t->dev, sp);
	if (ses == NULL && may_refuse && rte_errno == ENOTSUP)
		return E2E_SKIP;
	CHECK(t, ses != NULL, "no session for %s: %s", e2e_spec_name(sp), rte_strerror(rte_errno));
	m->ses[m->n++] = ses;
	return E2E_PASS;
}

static int
mix_run(struct e2e *t, struct mix *m, unsigned int ops)
{
	unsigned int i;

	if (m->n == 0)
		return e2e_skip(t, "not in the device's capabilities");
	if (m->max_len == 0)
		m->max_len = 9000;
	TRY(e2e_pump(t, t->dev, 0, ops, fill, m));
	for (i = 0; i < m->n; i++)
		e2e_session_close(m->ses[i]);
	e2e_note(t, "%u sessions, %u ops", m->n, ops);
	m->n = 0;
	return E2E_PASS;
}

/* Adds sessions of one algorithm alone, in both directions. */
static int
alone(struct e2e *t, struct mix *m, const struct e2e_spec *kind)
{
	unsigned int i;

	for (i = 0; i < 24; i++) {
		struct e2e_spec sp = *kind;
		int ret;

		sp.encrypt = sp.generate = i & 1;
		ret = mix_add(t, m, &sp, false);
		if (ret == E2E_FAIL)
			return ret;
	}
	return E2E_PASS;
}

static int
test_cipher(struct e2e *t, const void *arg)
{
	struct e2e_spec sp = { .cipher = arg };
	struct mix m = { .n = 0 };

	TRY(alone(t, &m, &sp));
	return mix_run(t, &m, t->rounds * 2);
}

static int
test_auth(struct e2e *t, const void *arg)
{
	struct e2e_spec sp = { .auth = arg };
	struct mix m = { .n = 0 };

	TRY(alone(t, &m, &sp));
	return mix_run(t, &m, t->rounds * 2);
}

static int
test_aead(struct e2e *t, const void *arg)
{
	struct e2e_spec sp = { .aead = arg };
	struct mix m = { .n = 0 };

	TRY(alone(t, &m, &sp));
	return mix_run(t, &m, t->rounds * 4);
}

/* Adds all eight combinations of order and directions. Protocols use four of them. */
static int
chain_sessions(struct e2e *t, struct mix *m, const struct e2e_cipher_alg *c,
	       const struct e2e_auth_alg *a)
{
	unsigned int i;
	int ret;

	for (i = 0; i < 8; i++) {
		struct e2e_spec sp = { .cipher = c, .auth = a };
		bool usual;

		sp.auth_first = i & 1;
		sp.encrypt = i & 2;
		sp.generate = i & 4;
		/*
		 * The usual chains are encrypt-then-MAC with its reverse (the MAC is verified
		 * first) and MAC-then-encrypt with its reverse (the MAC is verified last).
		 */
		usual = sp.encrypt == sp.generate;
		ret = mix_add(t, m, &sp, !usual || !t->is_accel);
		if (ret == E2E_FAIL)
			return ret;
	}
	return E2E_PASS;
}

struct total {
	unsigned int sessions, ops;
};

static int
chain_pair(struct e2e *t, const struct e2e_cipher_alg *c, const struct e2e_auth_alg *a,
	   struct total *all)
{
	struct mix m = { .n = 0 };

	TRY(chain_sessions(t, &m, c, a));
	if (m.n == 0)
		return E2E_PASS;
	all->sessions += m.n;
	all->ops += t->rounds;
	return mix_run(t, &m, t->rounds);
}

static int
chain_done(struct e2e *t, const struct total *all)
{
	if (all->sessions == 0)
		return e2e_skip(t, "not in the device's capabilities");
	e2e_note(t, "%u sessions, %u ops", all->sessions, all->ops);
	return E2E_PASS;
}

/* Chains one cipher with every auth but GMAC. */
static int
test_chain(struct e2e *t, const void *arg)
{
	struct total all = { 0, 0 };
	unsigned int i;

	for (i = 0; i < e2e_nb_auths; i++) {
		if (e2e_auths[i].algo != RTE_CRYPTO_AUTH_AES_GMAC)
			TRY(chain_pair(t, arg, &e2e_auths[i], &all));
	}
	return chain_done(t, &all);
}

/* Chains GMAC with every cipher. Only this chain has two IVs, which many drivers cannot tell
 * apart. */
static int
test_chain_gmac(struct e2e *t, const void *arg)
{
	struct total all = { 0, 0 };
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers; i++)
		TRY(chain_pair(t, &e2e_ciphers[i], arg, &all));
	return chain_done(t, &all);
}

static void
random_kind(struct e2e *t, struct e2e_spec *sp)
{
	struct e2e_rng *r = &t->rng;
	unsigned int kind = e2e_range(r, 0, 3);

	memset(sp, 0, sizeof(*sp));
	sp->encrypt = sp->generate = e2e_chance(r, 2);
	sp->auth_first = e2e_chance(r, 2);
	if (kind == 3)
		sp->aead = &e2e_aeads[e2e_range(r, 0, e2e_nb_aeads - 1)];
	if (kind == 0 || kind == 2)
		sp->cipher = &e2e_ciphers[e2e_range(r, 0, e2e_nb_ciphers - 1)];
	if (kind == 1 || kind == 2)
		sp->auth = &e2e_auths[e2e_range(r, 0, e2e_nb_auths - 1)];
	/* Chains with GMAC have a test of their own. */
	if (kind == 2 && sp->auth->algo == RTE_CRYPTO_AUTH_AES_GMAC)
		sp->cipher = NULL;
}

static int
random_sessions(struct e2e *t, struct mix *m, unsigned int n)
{
	struct e2e_spec sp;
	unsigned int i;

	for (i = 0; i < 20 * n && m->n < n; i++) {
		random_kind(t, &sp);
		if (mix_add(t, m, &sp, !t->is_accel) == E2E_FAIL)
			return E2E_FAIL;
	}
	return E2E_PASS;
}

/* Runs all algorithms on one queue pair, and then the same sessions on the other queue pairs. */
static int
test_mixed(struct e2e *t, const void *arg)
{
	struct mix m = { .max_len = 9000 };
	uint16_t qp;

	RTE_SET_USED(arg);
	TRY(random_sessions(t, &m, RTE_DIM(m.ses)));
	for (qp = 0; qp < t->nb_qps; qp++)
		TRY(e2e_pump(t, t->dev, qp, t->rounds * 20, fill, &m));
	e2e_note(t, "%u sessions, %u ops on %u queue pairs", m.n, t->rounds * 20 * t->nb_qps,
		 t->nb_qps);
	return E2E_PASS;
}

static int
test_long(struct e2e *t, const void *arg)
{
	struct mix m = { .max_len = 65400, .fixed = true };

	RTE_SET_USED(arg);
	if (t->max_bytes != 0) /* AAD and digest count, too */
		m.max_len = RTE_MIN(m.max_len, t->max_bytes - 2 * E2E_MAX_AAD);
	TRY(random_sessions(t, &m, RTE_DIM(m.ses)));
	return mix_run(t, &m, t->rounds);
}

/* ------------------------------------------------------------------ copies out of place */

static int
oop_copy(struct e2e *t, struct e2e_spec *sp)
{
	struct e2e_slot *s = &t->slot[0];
	struct e2e_session *ses = e2e_session_open(t, t->dev, sp);
	const uint8_t *p;
	struct e2e_layout l;

	CHECK(t, ses != NULL, "no session for %s", e2e_spec_name(sp));
	e2e_layout_plain(sp, 320, true, &l);
	if (sp->cipher != NULL) {
		l.c_off = 48;
		l.c_len = 160;
	}
	TRY(e2e_slot_fill(t, s, ses, &l, &t->rng));
	TRY(e2e_one(t, t->dev, 0, s));
	p = rte_pktmbuf_mtod(s->dst.m, const uint8_t *);
	CHECK(t, memcmp(p, s->data.out, 320) == 0, "%s: authenticated data not copied to m_dst",
	      e2e_spec_name(sp));
	e2e_slot_clear(s);
	e2e_session_close(ses);
	return E2E_PASS;
}

/*
 * Tests a rule of rte_crypto_sym.h for operations out of place: "Data will be copied from m_src to
 * m_dst. The part copied includes all the parts of the source mbuf that will be operated on [...]
 * any extra data around this indicated by the auth parameters will be copied unchanged".
 */
static int
test_oop_copy(struct e2e *t, const void *arg)
{
	struct e2e_spec sp, a;
	unsigned int i;

	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT))
		return e2e_skip(t, "the device only works in place");
	for (i = 0; i < 2; i++) {
		if (!e2e_spec_simple_auth(t, &a, i) || !e2e_spec_simple(t, &sp))
			return e2e_skip(t, "not in the device's capabilities");
		if (arg == NULL)
			sp.cipher = NULL;
		sp.auth = a.auth;
		sp.encrypt = sp.generate = i;
		sp.auth_first = !i;
		if (!e2e_spec_random(t, &sp))
			return e2e_skip(t, "not in the device's capabilities");
		TRY(oop_copy(t, &sp));
	}
	return E2E_PASS;
}

/* ------------------------------------------------------------------ data units */

static int
fill_units(struct e2e *t, struct e2e_slot *s, void *arg)
{
	const struct mix *m = arg;
	const struct e2e_session *ses = m->ses[e2e_range(&t->rng, 0, m->n - 1)];
	const uint32_t unit = ses->spec.data_unit;
	struct e2e_layout l;

	e2e_layout_random(t, &t->rng, &ses->spec, e2e_range(&t->rng, 1, 16384 / unit) * unit, &l);
	return e2e_slot_fill(t, s, ses, &l, &t->rng);
}

/* Runs sessions of AES-XTS with data units, alone and in chains. A length that is no multiple of
 * the unit must fail. */
static int
test_data_units(struct e2e *t, const void *arg)
{
	static const uint32_t units[] = { 512, 4096 };
	const struct rte_cryptodev_symmetric_capability *c =
		e2e_cap(t, RTE_CRYPTO_SYM_XFORM_CIPHER, RTE_CRYPTO_CIPHER_AES_XTS);
	struct mix m = { .n = 0 };
	struct e2e_layout l;
	unsigned int i;

	if (c == NULL || !(t->info.feature_flags & RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS");
	for (i = 0; i < 32; i++) {
		struct e2e_spec sp = { .cipher = arg };

		sp.data_unit = units[i & 1];
		sp.encrypt = sp.generate = i & 2;
		sp.auth = i & 4 ? &e2e_auths[i % e2e_nb_auths] : NULL;
		sp.auth_first = i & 8;
		if ((c->cipher.dataunit_set & 1u << (i & 1)) != 0 &&
				mix_add(t, &m, &sp, true) == E2E_FAIL)
			return E2E_FAIL;
	}
	if (m.n == 0 && t->partial)
		return e2e_skip(t, "not in the device's capabilities");
	CHECK(t, m.n > 0, "no session");
	e2e_layout_plain(&m.ses[0]->spec, 768, false, &l);
	l.must_fail = true;
	m.ses[0]->spec.data_unit = 0; /* the reference then takes any length */
	TRY(e2e_slot_fill(t, &t->slot[0], m.ses[0], &l, &t->rng));
	CHECK(t, e2e_send(t->dev, 0, &t->slot[0].op, 1) == 1, "not accepted");
	CHECK(t, e2e_collect(t->dev, 0, &t->slot[0].op, 1, E2E_TIMEOUT_MS) == 1, "lost");
	TRY(e2e_slot_check_bad(t, &t->slot[0]));
	e2e_slot_clear(&t->slot[0]);
	m.ses[0]->spec.data_unit = units[0];

	TRY(e2e_pump(t, t->dev, 0, t->rounds * 4, fill_units, &m));
	e2e_note(t, "%u sessions, %u ops", m.n, t->rounds * 4);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ around 1 GiB */

#define GIB (1ull << 30)

/*
 * Reserves the largest free piece of memory, which may have a multiple of 1 GiB inside. The test
 * only touches the memory around that multiple.
 */
static const struct rte_memzone *
gib_zone(uint64_t *off)
{
	const struct rte_memzone *mz = rte_memzone_reserve("e2e_gib", 0, SOCKET_ID_ANY,
							   RTE_MEMZONE_IOVA_CONTIG);

	if (mz == NULL)
		return NULL;
	*off = RTE_ALIGN_CEIL(mz->iova, GIB) - mz->iova;
	if (*off >= E2E_ARENA && *off + E2E_ARENA <= mz->len)
		return mz;
	rte_memzone_free(mz);
	return NULL;
}

static int
gib_run(struct e2e *t, struct mix *m)
{
	struct e2e_mem *arena = &t->slot[0].mem[E2E_MEM_ARENA];
	unsigned int i;

	/* All operations use one slot, whose memory lies around the boundary. */
	for (i = 0; i < t->rounds * 4; i++) {
		uint8_t *base = arena->live;
		rte_iova_t iova = arena->iova;
		uint32_t back = e2e_range(&t->rng, 1, 4000);

		arena->live -= back;
		arena->iova -= back;
		if (fill(t, &t->slot[0], m) != E2E_PASS ||
				e2e_one(t, t->dev, 0, &t->slot[0]) != E2E_PASS)
			return E2E_FAIL;
		e2e_slot_clear(&t->slot[0]);
		arena->live = base;
		arena->iova = iova;
	}
	e2e_note(t, "%u ops around IOVA 0x%" PRIx64, t->rounds * 4, arena->iova);
	return E2E_PASS;
}

static int
test_gib(struct e2e *t, const void *arg)
{
	struct e2e_mem *arena = &t->slot[0].mem[E2E_MEM_ARENA];
	struct e2e_mem saved = *arena;
	struct mix m = { .max_len = 4000 };
	const struct rte_memzone *mz;
	uint64_t off;
	int ret;

	RTE_SET_USED(arg);
	if (t->quick)
		return e2e_skip(t, "the test takes all memory");
	TRY(random_sessions(t, &m, 16));
	mz = gib_zone(&off);
	if (mz == NULL)
		return e2e_skip(t, "no free memory around a multiple of 1 GiB");
	arena->live = RTE_PTR_ADD(mz->addr, off);
	arena->iova = mz->iova + off;
	ret = gib_run(t, &m);
	if (ret != E2E_PASS)
		e2e_dev_stop(t->dev);
	saved.used = arena->used;
	*arena = saved;
	rte_memzone_free(mz);
	return ret;
}

void
e2e_add_layouts(void)
{
	static char names[128][40];
	unsigned int i, n = 0;

	for (i = 0; i < e2e_nb_ciphers; i++) {
		snprintf(names[n], sizeof(names[n]), "layout/cipher/%s", e2e_ciphers[i].name);
		e2e_add(names[n++], test_cipher, &e2e_ciphers[i], false);
	}
	for (i = 0; i < e2e_nb_auths; i++) {
		snprintf(names[n], sizeof(names[n]), "layout/auth/%s", e2e_auths[i].name);
		e2e_add(names[n++], test_auth, &e2e_auths[i], false);
	}
	for (i = 0; i < e2e_nb_aeads; i++) {
		snprintf(names[n], sizeof(names[n]), "layout/aead/%s", e2e_aeads[i].name);
		e2e_add(names[n++], test_aead, &e2e_aeads[i], false);
	}
	for (i = 0; i < e2e_nb_ciphers; i++) {
		snprintf(names[n], sizeof(names[n]), "layout/chain/%s", e2e_ciphers[i].name);
		e2e_add(names[n++], test_chain, &e2e_ciphers[i], false);
	}
	for (i = 0; i < e2e_nb_auths; i++) {
		if (e2e_auths[i].algo == RTE_CRYPTO_AUTH_AES_GMAC)
			e2e_add("layout/chain-gmac", test_chain_gmac, &e2e_auths[i], false);
	}
	for (i = 0; i < e2e_nb_ciphers; i++) {
		if (e2e_ciphers[i].algo == RTE_CRYPTO_CIPHER_AES_XTS)
			e2e_add("layout/data-units", test_data_units, &e2e_ciphers[i], false);
	}
	e2e_add("layout/mixed", test_mixed, NULL, false);
	e2e_add("layout/long", test_long, NULL, false);
	e2e_add("layout/1gib", test_gib, NULL, false);
	e2e_add("layout/oop-copy-hash", test_oop_copy, NULL, true);
	e2e_add("layout/oop-copy-chain", test_oop_copy, "", true);
}
