/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests sessionless operations, which have transforms instead of a session. Random ones are
 * compared with OpenSSL, each with its own keys, among operations with sessions. Further tests
 * check wrong transforms, a device that stops with such operations in-flight, and that keys are
 * wiped.
 */

#include <sys/mman.h>
#include <unistd.h>

#include <rte_memory.h>

#include "e2e.h"

/* A slot's operation points to these while it is in-flight. */
static struct {
	struct e2e_session ses; /* only its spec is used */
	struct rte_crypto_sym_xform xf[2];
} own[E2E_SLOTS];

static void
without_session(struct e2e_slot *s, unsigned int i)
{
	s->op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	s->op->sym->xform = e2e_xforms(&own[i].ses.spec, own[i].xf);
}

static bool
random_spec(struct e2e *t, struct e2e_spec *sp)
{
	unsigned int kind = e2e_range(&t->rng, 0, 3);

	memset(sp, 0, sizeof(*sp));
	if (kind == 0)
		sp->aead = &e2e_aeads[e2e_range(&t->rng, 0, e2e_nb_aeads - 1)];
	if (kind == 1 || kind == 3)
		sp->cipher = &e2e_ciphers[e2e_range(&t->rng, 0, e2e_nb_ciphers - 1)];
	if (kind >= 2)
		sp->auth = &e2e_auths[e2e_range(&t->rng, 0, e2e_nb_auths - 1)];
	sp->encrypt = sp->generate = e2e_chance(&t->rng, 2);
	sp->auth_first = kind == 3 && e2e_chance(&t->rng, 2);
	return e2e_spec_random(t, sp);
}

static int
fill(struct e2e *t, struct e2e_slot *s, void *arg)
{
	struct e2e_session *with = arg;
	unsigned int i = s - t->slot;
	struct e2e_session *ses = e2e_chance(&t->rng, 4) ? with : &own[i].ses;
	struct e2e_layout l;

	if (ses != with) {
		while (!random_spec(t, &ses->spec))
			;
	}
	e2e_layout_random(t, &t->rng, &ses->spec, e2e_random_length(&t->rng, &ses->spec, 4000), &l);
	TRY(e2e_slot_fill(t, s, ses, &l, &t->rng));
	if (ses != with)
		without_session(s, i);
	return E2E_PASS;
}

static bool
offered(struct e2e *t, struct e2e_spec *sp)
{
	return (t->info.feature_flags & RTE_CRYPTODEV_FF_SYM_SESSIONLESS) != 0 &&
	       e2e_spec_simple(t, sp);
}

static int
test_mixed(struct e2e *t, const void *arg)
{
	struct e2e_session *with;
	struct e2e_spec sp;

	RTE_SET_USED(arg);
	if (!offered(t, &sp))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SYM_SESSIONLESS");
	with = e2e_session_open(t, t->dev, &sp);
	CHECK(t, with != NULL, "no session");
	TRY(e2e_pump(t, t->dev, 0, t->rounds * 20, fill, with));
	e2e_session_close(with);
	e2e_note(t, "%u ops", t->rounds * 20);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ wrong transforms */

static struct rte_crypto_sym_xform *
no_xform(struct rte_crypto_sym_xform *xf)
{
	RTE_SET_USED(xf);
	return NULL;
}

static struct rte_crypto_sym_xform *
unknown_type(struct rte_crypto_sym_xform *xf)
{
	xf->type = 77;
	return xf;
}

static struct rte_crypto_sym_xform *
no_type(struct rte_crypto_sym_xform *xf)
{
	xf->type = RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED;
	return xf;
}

static struct rte_crypto_sym_xform *
unknown_algorithm(struct rte_crypto_sym_xform *xf)
{
	xf->cipher.algo = 12345;
	return xf;
}

static struct rte_crypto_sym_xform *
wrong_key(struct rte_crypto_sym_xform *xf)
{
	xf->cipher.key.length = 5;
	return xf;
}

static struct rte_crypto_sym_xform *
no_key(struct rte_crypto_sym_xform *xf)
{
	xf->cipher.key.data = NULL;
	return xf;
}

static struct rte_crypto_sym_xform *
wrong_iv(struct rte_crypto_sym_xform *xf)
{
	xf->cipher.iv.length = 3;
	return xf;
}

static struct rte_crypto_sym_xform *
unknown_op(struct rte_crypto_sym_xform *xf)
{
	xf->cipher.op = 9;
	return xf;
}

static struct rte_crypto_sym_xform *
twice(struct rte_crypto_sym_xform *xf)
{
	xf[1] = xf[0];
	xf[0].next = &xf[1];
	return xf;
}

static struct rte_crypto_sym_xform *
endless(struct rte_crypto_sym_xform *xf)
{
	xf->next = xf;
	return xf;
}

static int
test_malformed(struct e2e *t, const void *arg)
{
	static struct rte_crypto_sym_xform *(*const spoil[])(struct rte_crypto_sym_xform *) = {
		no_xform, unknown_type, no_type, unknown_algorithm, wrong_key, no_key, wrong_iv,
		unknown_op, twice, endless,
	};
	struct e2e_slot *s = &t->slot[1];
	struct e2e_spec *sp = &own[1].ses.spec;
	struct e2e_layout l;
	unsigned int i;

	RTE_SET_USED(arg);
	if (!offered(t, sp) || sp->key_len == 0)
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SYM_SESSIONLESS");
	for (i = 0; i < 4 * RTE_DIM(spoil); i++) {
		e2e_layout_random(t, &t->rng, sp, e2e_random_length(&t->rng, sp, 4000), &l);
		l.must_fail = true;
		TRY(e2e_slot_fill(t, s, &own[1].ses, &l, &t->rng));
		without_session(s, 1);
		s->op->sym->xform = spoil[i % RTE_DIM(spoil)](own[1].xf);
		CHECK(t, e2e_send(t->dev, 0, &s->op, 1) == 1, "op %u not accepted", i);
		CHECK(t, e2e_collect(t->dev, 0, &s->op, 1, E2E_TIMEOUT_MS) == 1, "op %u lost", i);
		CHECK(t, s->op->status == RTE_CRYPTO_OP_STATUS_INVALID_ARGS ||
		      s->op->status == RTE_CRYPTO_OP_STATUS_INVALID_SESSION, "op %u: %s", i,
		      e2e_status_name(s->op->status));
		s->want = s->op->status;
		TRY(e2e_slot_check(t, s));
		e2e_slot_clear(s);
	}
	e2e_note(t, "%u ops", i);
	return e2e_alive(t, t->dev, t->nb_qps);
}

/* ------------------------------------------------------------------ life */

/* Uses all descriptors, more than once around the ring, with a stop in between. */
static int
test_stop(struct e2e *t, const void *arg)
{
	const unsigned int n = t->max_ops != 0 && t->max_ops < 2048 ? t->max_ops / 2 : 2048;
	struct rte_crypto_op *ops[64];
	unsigned int round, back, got, i, ok = 0;
	struct e2e_spec sp;
	struct e2e_bulk b;

	RTE_SET_USED(arg);
	if (!offered(t, &sp))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SYM_SESSIONLESS");
	TRY(e2e_bulk_open(t, t->dev, n, 64, &b));
	e2e_bulk_sessionless(&b);
	for (round = 0; round < 4; round++) {
		e2e_bulk_reset(&b);
		CHECK(t, e2e_send(t->dev, 0, b.op, n) == n, "not all accepted");
		if (round & 1) {
			e2e_dev_stop(t->dev);
			CHECK(t, rte_cryptodev_start(t->dev) == 0, "start");
		}
		for (back = 0; back < n; back += got) {
			got = e2e_collect(t->dev, 0, ops, RTE_MIN(n - back, RTE_DIM(ops)),
					  E2E_TIMEOUT_MS);
			CHECK(t, got > 0, "%u ops lost", n - back);
			for (i = 0; i < got; i++) {
				if ((round & 1) && ops[i]->status == RTE_CRYPTO_OP_STATUS_ERROR)
					continue;
				TRY(e2e_bulk_check(t, &b, back + i, ops[i]));
				ok++;
			}
		}
	}
	e2e_bulk_close(&b);
	e2e_note(t, "%u of %u ops succeeded", ok, 4 * n);
	return e2e_alive(t, t->dev, t->nb_qps);
}

struct search {
	const uint8_t *key;
	uint16_t len;
	unsigned int found;
};

/* Reads only resident pages, because reading others would create them. */
static int
search_segment(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	struct search *s = arg;
	uint8_t *p = ms->addr, *end = p + ms->len, there;

	RTE_SET_USED(msl);
	for (; p < end; p += page) {
		if (mincore(p, page, &there) == 0 && (there & 1) != 0 &&
				memmem(p, page, s->key, s->len) != NULL)
			s->found++;
	}
	return 0;
}

/* When the operations are back, the memory that the device reads must not contain their keys. */
static int
test_wiped(struct e2e *t, const void *arg)
{
	struct search s = { .found = 0 };
	struct e2e_layout l;
	struct e2e_spec *sp;
	unsigned int i;

	RTE_SET_USED(arg);
	for (i = 0; i < 8; i++) {
		sp = &own[i].ses.spec;
		if (!offered(t, sp) || sp->key_len == 0)
			return e2e_skip(t, "no RTE_CRYPTODEV_FF_SYM_SESSIONLESS");
		e2e_layout_plain(sp, 64, false, &l);
		TRY(e2e_slot_fill(t, &t->slot[i], &own[i].ses, &l, &t->rng));
		without_session(&t->slot[i], i);
		TRY(e2e_one(t, t->dev, 0, &t->slot[i]));
	}
	for (i = 0; i < 8; i++) {
		s.key = own[i].ses.spec.key;
		s.len = own[i].ses.spec.key_len;
		rte_memseg_walk(search_segment, &s);
	}
	CHECK(t, s.found == 0, "%u pages hold a key of an op that is back", s.found);
	return E2E_PASS;
}

void
e2e_add_sessionless(void)
{
	e2e_add("sessionless/mixed", test_mixed, NULL, false);
	e2e_add("sessionless/malformed", test_malformed, NULL, true);
	e2e_add("sessionless/stop", test_stop, NULL, true);
	e2e_add("sessionless/wiped", test_wiped, NULL, true);
}
