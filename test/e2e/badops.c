/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Sends bad operations between good ones. Each bad one must come back with an error status, or be
 * refused with one. The good ones before and behind it must be right, and nothing outside of the
 * bad one's own packet may change.
 */

#include <rte_dev.h>

#include "e2e.h"

#define BAD_IOVA 0xdead0000000ull	/* an address where nothing is mapped for the device */

enum kind { CIPHER, AUTH, VERIFY, CHAIN, AEAD, OPEN, KINDS };

struct bad {
	const char *name;
	enum kind kind;
	void (*spoil)(struct e2e *t, struct e2e_slot *s);
	bool oop;
	bool may_succeed;	/* legal, so a success must have the right result */
};

static struct rte_crypto_sym_xform spare_xform[2];

static void
no_session(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sym->session = NULL;
}

static void
sessionless(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	s->op->sym->xform = e2e_xforms(&s->ses->spec, spare_xform);
}

static void
security_session(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sess_type = RTE_CRYPTO_OP_SECURITY_SESSION;
	s->op->sym->session = NULL;
}

static void
unknown_session_type(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sess_type = 200;
}

static void
asym_op(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
}

static void
unknown_op_type(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->type = 200;
}

static void
no_source(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sym->m_src = NULL;
}

/* Sets the cipher or AEAD region. */
static void
set_data(struct e2e_slot *s, uint32_t off, uint32_t len)
{
	if (s->ses->spec.aead != NULL) {
		s->op->sym->aead.data.offset = off;
		s->op->sym->aead.data.length = len;
	} else {
		s->op->sym->cipher.data.offset = off;
		s->op->sym->cipher.data.length = len;
	}
}

static void
data_too_long(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	set_data(s, s->lay.c_off, RTE_ALIGN_FLOOR(s->lay.total, 16) - s->lay.c_off % 16 + 16);
}

static void
data_huge(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	set_data(s, s->lay.c_off, 0xfffffff0);
}

static void
data_behind(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	set_data(s, s->lay.total + 16, 16);
}

/* The sum of offset and length overflows 32 bits and is small. */
static void
data_wraps(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	set_data(s, 0xfffffff0, 32);
}

static void
half_block(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	set_data(s, s->lay.c_off, s->ses->spec.cipher->block + 1);
}

static void
auth_too_long(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sym->auth.data.length = s->lay.total - s->lay.a_off + 1;
}

static void
auth_huge(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sym->auth.data.length = UINT32_MAX;
}

static void
auth_wraps(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sym->auth.data.offset = 0xfffffff0;
	s->op->sym->auth.data.length = 32;
}

/* pkt_len is more than the segments hold. */
static void
lying_pkt_len(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->src.m->pkt_len += 4096;
	set_data(s, s->lay.c_off, RTE_ALIGN_FLOOR(s->lay.total, 16) + 1024);
}

static void
lying_nb_segs(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->src.m->nb_segs += 3;
}

static void
short_destination(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	rte_pktmbuf_trim(s->dst.m, s->lay.dst_total - s->lay.end + 1);
}

static void
wild_digest(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	if (s->ses->spec.aead != NULL)
		s->op->sym->aead.digest.phys_addr = BAD_IOVA;
	else
		s->op->sym->auth.digest.phys_addr = BAD_IOVA;
}

static void
no_digest(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	if (s->ses->spec.aead != NULL) {
		s->op->sym->aead.digest.data = NULL;
		s->op->sym->aead.digest.phys_addr = 0;
	} else {
		s->op->sym->auth.digest.data = NULL;
		s->op->sym->auth.digest.phys_addr = 0;
	}
}

static void
wild_aad(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sym->aead.aad.data = NULL; /* so that it does not go into the command */
	s->op->sym->aead.aad.phys_addr = BAD_IOVA;
}

static void
no_aad(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sym->aead.aad.data = NULL;
	s->op->sym->aead.aad.phys_addr = 0;
}

static void
wild_source(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	rte_mbuf_iova_set(s->src.m, BAD_IOVA);
}

static void
wild_destination(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	rte_mbuf_iova_set(s->dst.m, BAD_IOVA);
}

static const struct bad bads[] = {
	{ "badop/no-session", CIPHER, no_session, false, false },
	{ "badop/no-session-aead", AEAD, no_session, false, false },
	{ "badop/sessionless", CIPHER, sessionless, false, false },
	{ "badop/security-session", CIPHER, security_session, false, false },
	{ "badop/unknown-session-type", CIPHER, unknown_session_type, false, false },
	{ "badop/asym-op", CIPHER, asym_op, false, false },
	{ "badop/unknown-op-type", CIPHER, unknown_op_type, false, false },
	{ "badop/no-source", CIPHER, no_source, false, false },
	{ "badop/no-source-aead", AEAD, no_source, true, false },
	{ "badop/cipher-too-long", CIPHER, data_too_long, false, false },
	{ "badop/cipher-huge", CIPHER, data_huge, false, false },
	{ "badop/cipher-behind", CIPHER, data_behind, false, false },
	{ "badop/cipher-wraps", CIPHER, data_wraps, false, false },
	{ "badop/cipher-half-block", CIPHER, half_block, false, false },
	{ "badop/chain-cipher-too-long", CHAIN, data_too_long, false, false },
	{ "badop/chain-cipher-huge", CHAIN, data_huge, false, false },
	{ "badop/chain-auth-too-long", CHAIN, auth_too_long, false, false },
	{ "badop/chain-auth-wraps", CHAIN, auth_wraps, false, false },
	{ "badop/auth-too-long", AUTH, auth_too_long, false, false },
	{ "badop/auth-huge", AUTH, auth_huge, false, false },
	{ "badop/auth-wraps", VERIFY, auth_wraps, false, false },
	{ "badop/aead-too-long", AEAD, data_too_long, false, false },
	{ "badop/aead-huge", OPEN, data_huge, false, false },
	{ "badop/aead-behind", OPEN, data_behind, false, false },
	{ "badop/aead-wraps", AEAD, data_wraps, true, false },
	{ "badop/lying-pkt-len", CIPHER, lying_pkt_len, false, false },
	{ "badop/lying-nb-segs", CIPHER, lying_nb_segs, false, true },
	{ "badop/short-destination", CIPHER, short_destination, true, false },
	{ "badop/short-destination-aead", AEAD, short_destination, true, false },
	{ "badop/no-digest", AUTH, no_digest, false, false },
	{ "badop/no-digest-verify", VERIFY, no_digest, false, false },
	{ "badop/no-digest-aead", AEAD, no_digest, false, false },
	{ "badop/wild-digest", AUTH, wild_digest, false, false },
	{ "badop/wild-digest-verify", VERIFY, wild_digest, false, false },
	{ "badop/wild-digest-chain", CHAIN, wild_digest, false, false },
	{ "badop/wild-digest-aead", AEAD, wild_digest, true, false },
	{ "badop/wild-digest-aead-open", OPEN, wild_digest, false, false },
	{ "badop/wild-aad", AEAD, wild_aad, false, false },
	{ "badop/no-aad", OPEN, no_aad, false, false },
	{ "badop/wild-source", CIPHER, wild_source, true, false },
	{ "badop/wild-source-in-place", CHAIN, wild_source, false, false },
	{ "badop/wild-destination", CIPHER, wild_destination, true, false },
	{ "badop/wild-destination-aead", AEAD, wild_destination, true, false },
};

/* ------------------------------------------------------------------ running one */

static bool
spec_of(struct e2e *t, enum kind kind, struct e2e_spec *sp)
{
	struct e2e_spec a;

	switch (kind) {
	case CIPHER:
		return e2e_spec_simple(t, sp);
	case AUTH:
	case VERIFY:
		return e2e_spec_simple_auth(t, sp, kind == AUTH);
	case CHAIN:
		if (!e2e_spec_simple(t, sp) || !e2e_spec_simple_auth(t, &a, true))
			return false;
		sp->auth = a.auth;
		sp->generate = true;
		return e2e_spec_random(t, sp);
	default:
		do {
			if (!e2e_spec_simple_aead(t, sp, kind == AEAD))
				return false;
		} while (sp->aad_len == 0);
		return true;
	}
}

/* Prepares an operation with digest and AAD apart, so that only their addresses are spoilt. */
static int
prepare(struct e2e *t, struct e2e_slot *s, const struct e2e_session *ses, bool oop, bool must_fail)
{
	struct e2e_layout l;

	e2e_layout_plain(&ses->spec, 160, oop, &l);
	l.digest_at = E2E_APART;
	l.total = l.dst_total = l.end;
	l.must_fail = must_fail;
	return e2e_slot_fill(t, s, ses, &l, &t->rng);
}

/*
 * Sends three operations. The middle one is bad. A refusal must set the op's status, because
 * otherwise it would look like a full queue pair.
 */
static int
offer(struct e2e *t, struct rte_crypto_op **ops, bool *refused)
{
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	unsigned int sent = 0;

	*refused = false;
	while (sent < 3) {
		sent += rte_cryptodev_enqueue_burst(t->dev, 0, ops + sent, 3 - sent);
		if (sent == 1 && ops[1]->status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED) {
			*refused = true;
			sent++;
		}
		CHECK(t, e2e_waited_ms() < end, "the bad op was refused without a status");
	}
	return E2E_PASS;
}

static int
collect(struct e2e *t, struct rte_crypto_op **ops, bool refused)
{
	struct rte_crypto_op *back[4];
	unsigned int want = refused ? 2 : 3, n;

	n = e2e_collect(t->dev, 0, back, want, 5000);
	CHECK(t, n == want, "%u of %u ops came back", n, want);
	CHECK(t, back[0] == ops[0] && back[want - 1] == ops[2] && (refused || back[1] == ops[1]),
	      "ops came back out of order");
	CHECK(t, rte_cryptodev_dequeue_burst(t->dev, 0, back, 4) == 0, "more ops than were sent");
	return E2E_PASS;
}

/* True if the device can only find out by a write, of which it need not learn (DMA-5). */
static bool
is_wild_write(const struct bad *b)
{
	return b->spoil == wild_destination ||
	       (b->spoil == wild_digest && b->kind != VERIFY && b->kind != OPEN);
}

static int
sandwich(struct e2e *t, const struct bad *b, struct e2e_session *ses, unsigned int *accepted)
{
	struct rte_crypto_op *ops[3];
	bool refused;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		TRY(prepare(t, &t->slot[i], ses, i == 1 && b->oop, i == 1 && !b->may_succeed));
		ops[i] = t->slot[i].op;
	}
	b->spoil(t, &t->slot[1]);
	TRY(offer(t, ops, &refused));
	TRY(collect(t, ops, refused));
	*accepted += refused ? 2 : 3;
	/* The op goes back to its pool, whatever type it had in the test. */
	ops[1]->type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	TRY(e2e_slot_check(t, &t->slot[0]));
	TRY(e2e_slot_check(t, &t->slot[2]));
	if (b->may_succeed && ops[1]->status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		TRY(e2e_slot_check(t, &t->slot[1]));
	else if (!t->silent_writes || !is_wild_write(b) ||
			ops[1]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
		TRY(e2e_slot_check_bad(t, &t->slot[1]));
	e2e_note(t, "%s: %s", refused ? "refused" : "came back", e2e_status_name(ops[1]->status));
	/* A wrong nb_segs must not reach the mempool. */
	t->slot[1].src.m->nb_segs = t->slot[1].src.n;
	return E2E_PASS;
}

/* Checks that both counters have the accepted ops, and that each bad op counts as one error on one
 * side. */
static int
counted(struct e2e *t, unsigned int accepted, unsigned int bad)
{
	struct rte_cryptodev_stats st;

	CHECK(t, rte_cryptodev_stats_get(t->dev, &st) == 0, "no stats");
	CHECK(t, st.enqueued_count == accepted && st.dequeued_count == accepted, "%" PRIu64
	      " enqueued and %" PRIu64 " dequeued are counted, %u accepted", st.enqueued_count,
	      st.dequeued_count, accepted);
	CHECK(t, st.enqueue_err_count + st.dequeue_err_count == bad, "%" PRIu64 " + %" PRIu64
	      " errors are counted, expected %u", st.enqueue_err_count, st.dequeue_err_count, bad);
	return E2E_PASS;
}

static int
test_bad(struct e2e *t, const void *arg)
{
	const struct bad *b = arg;
	const unsigned int rounds = 20;
	struct e2e_session *ses;
	struct e2e_spec sp;
	unsigned int i, accepted = 0;
	char note[sizeof(t->note)];

	if (b->spoil == sessionless && (t->info.feature_flags & RTE_CRYPTODEV_FF_SYM_SESSIONLESS))
		return e2e_skip(t, "the device works without sessions");
	if (b->oop && !(t->info.feature_flags & RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT))
		return e2e_skip(t, "the device only works in place");
	if (!spec_of(t, b->kind, &sp) ||
			(b->spoil == half_block && sp.cipher->block == 1))
		return e2e_skip(t, "not in the device's capabilities");
	ses = e2e_session_open(t, t->dev, &sp);
	CHECK(t, ses != NULL, "no session for %s", e2e_spec_name(&sp));
	rte_cryptodev_stats_reset(t->dev);
	for (i = 0; i < rounds; i++)
		TRY(sandwich(t, b, ses, &accepted));
	if (!b->may_succeed && !(t->silent_writes && is_wild_write(b)))
		TRY(counted(t, accepted, rounds));
	snprintf(note, sizeof(note), "%s", t->note);
	TRY(e2e_alive(t, t->dev, t->nb_qps));
	e2e_note(t, "%s", note);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ others */

/* An operation without data either works (an empty hash, a tag over AAD only) or is an error. It
 * must not hang. */
static int
zero_length(struct e2e *t, const struct e2e_spec *sp, unsigned int *ok)
{
	struct e2e_slot *s = &t->slot[0];
	struct rte_crypto_op *op;
	struct e2e_session *ses = e2e_session_open(t, t->dev, sp);
	struct e2e_layout l;

	CHECK(t, ses != NULL, "no session for %s", e2e_spec_name(sp));
	e2e_layout_plain(sp, 0, false, &l);
	l.digest_at = E2E_APART;
	l.total = 32;
	TRY(e2e_slot_fill(t, s, ses, &l, &t->rng));
	CHECK(t, e2e_send(t->dev, 0, &s->op, 1) == 1, "%s: not accepted", e2e_spec_name(sp));
	CHECK(t, e2e_collect(t->dev, 0, &op, 1, 5000) == 1, "%s: op lost", e2e_spec_name(sp));
	if (s->op->status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
		(*ok)++;
		return e2e_slot_check(t, s);
	}
	return e2e_slot_check_bad(t, s);
}

static int
test_zero_length(struct e2e *t, const void *arg)
{
	unsigned int i, n = 0, ok = 0;
	struct e2e_spec sp;

	RTE_SET_USED(arg);
	for (i = 0; i < 2 * (e2e_nb_ciphers + e2e_nb_auths + e2e_nb_aeads); i++) {
		unsigned int k = i / 2;

		memset(&sp, 0, sizeof(sp));
		sp.encrypt = sp.generate = i & 1;
		if (k < e2e_nb_ciphers)
			sp.cipher = &e2e_ciphers[k];
		else if (k < e2e_nb_ciphers + e2e_nb_auths)
			sp.auth = &e2e_auths[k - e2e_nb_ciphers];
		else
			sp.aead = &e2e_aeads[k - e2e_nb_ciphers - e2e_nb_auths];
		if (!e2e_spec_random(t, &sp))
			continue;
		TRY(zero_length(t, &sp, &ok));
		n++;
	}
	TRY(e2e_alive(t, t->dev, 1));
	e2e_note(t, "%u of %u sessions work without data", ok, n);
	return E2E_PASS;
}

static struct rte_mbuf *
long_chain(struct e2e *t, unsigned int n, const uint8_t *data)
{
	struct rte_mbuf *head = NULL, *last = NULL, *m;
	unsigned int i;

	for (i = 0; i < n; i++) {
		m = rte_pktmbuf_alloc(t->mbuf_mp);
		if (m == NULL)
			break;
		m->data_off = 0;
		m->data_len = 1;
		*rte_pktmbuf_mtod(m, uint8_t *) = data[i];
		if (head == NULL)
			head = m;
		else
			last->next = m;
		last = m;
	}
	if (head != NULL) {
		head->nb_segs = i;
		head->pkt_len = i;
	}
	return i == n ? head : NULL;
}

/* A packet in thousands of segments must come out right, or be an error of this op alone. */
static int
test_many_segments(struct e2e *t, const void *arg)
{
	static const unsigned int counts[] = { 32, 256, 992, 2000, 4000, 8000 };
	static uint8_t in[8000], out[8000];
	unsigned int i, k, right = 0, good = 0;
	struct e2e_session *ses;
	struct e2e_spec sp;

	RTE_SET_USED(arg);
	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_IN_PLACE_SGL))
		return e2e_skip(t, "the device does not take segments");
	CHECK(t, e2e_spec_simple(t, &sp), "no simple cipher");
	ses = e2e_session_open(t, t->dev, &sp);
	CHECK(t, ses != NULL, "no session");
	for (i = 0; i < RTE_DIM(counts); i++) {
		struct rte_crypto_op *op = t->slot[0].op, *back;
		struct rte_mbuf *m;
		uint8_t *iv = rte_crypto_op_ctod_offset(op, uint8_t *, sp.iv_off);

		e2e_bytes(&t->rng, in, counts[i]);
		e2e_bytes(&t->rng, iv, 16);
		CHECK(t, e2e_ref_cipher(&sp, iv, in, out, counts[i]), "reference");
		m = long_chain(t, counts[i], in);
		CHECK(t, m != NULL, "out of mbufs");
		memset(op->sym, 0, sizeof(*op->sym));
		op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
		op->sym->session = ses->sess;
		op->sym->m_src = m;
		op->sym->cipher.data.length = counts[i];
		if (rte_cryptodev_enqueue_burst(t->dev, 0, &op, 1) == 1)
			CHECK(t, e2e_collect(t->dev, 0, &back, 1, 5000) == 1, "op lost");
		CHECK(t, op->status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED, "%u segments: no status",
		      counts[i]);
		if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
			struct rte_mbuf *g = m;

			for (k = 0, right = 0; g != NULL; g = g->next, k++)
				right += *rte_pktmbuf_mtod(g, uint8_t *) == out[k];
			CHECK(t, right == counts[i], "%u segments: wrong data", counts[i]);
			good = counts[i];
		}
		rte_pktmbuf_free(m);
		TRY(e2e_alive(t, t->dev, 1));
	}
	CHECK(t, good >= 32 || (t->max_segs != 0 && t->max_segs < 32),
	      "less than 32 segments work");
	e2e_note(t, "%u segments work, %u tried", good, counts[RTE_DIM(counts) - 1]);
	return E2E_PASS;
}

static void *foreign_sess;

static void
use_foreign(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sym->session = foreign_sess;
}

/* Uses a session that another driver made. */
static int
test_foreign_session(struct e2e *t, const void *arg)
{
	static const char *const others[] = { "crypto_null_e2e", "crypto_openssl_e2e" };
	static const struct bad b = { "foreign", CIPHER, use_foreign, false, false };
	struct rte_crypto_sym_xform x = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER, .cipher = { .algo = RTE_CRYPTO_CIPHER_NULL },
	};
	struct e2e_session *ses;
	struct rte_mempool *mp;
	struct e2e_spec sp;
	unsigned int i, accepted = 0;
	int dev = -1, ret;

	RTE_SET_USED(arg);
	for (i = 0; i < RTE_DIM(others) && dev < 0; i++) {
		if (strncmp(others[i], t->driver, strlen(t->driver)) != 0 &&
				rte_eal_hotplug_add("vdev", others[i], "") == 0)
			dev = rte_cryptodev_get_dev_id(others[i]);
	}
	if (dev < 0)
		return e2e_skip(t, "no other driver loaded");
	mp = rte_cryptodev_sym_session_pool_create("e2e_foreign", 4,
			rte_cryptodev_sym_get_private_session_size(dev), 0, 0, SOCKET_ID_ANY);
	CHECK(t, mp != NULL, "no pool");
	foreign_sess = rte_cryptodev_sym_session_create(dev, &x, mp);
	if (foreign_sess == NULL)
		return e2e_skip(t, "the other driver has no NULL cipher");
	CHECK(t, e2e_spec_simple(t, &sp), "no simple cipher");
	ses = e2e_session_open(t, t->dev, &sp);
	CHECK(t, ses != NULL, "no session");
	ret = sandwich(t, &b, ses, &accepted);
	if (ret == E2E_PASS && t->slot[1].op->status != RTE_CRYPTO_OP_STATUS_INVALID_SESSION)
		ret = e2e_fail(t, __FILE__, __LINE__, "%s",
			       e2e_status_name(t->slot[1].op->status));
	rte_cryptodev_sym_session_free(dev, foreign_sess);
	rte_eal_hotplug_remove("vdev", others[i - 1]);
	return ret;
}

static struct e2e_session *freed;

/* The freed session's memory belongs to the pool again, with the library's part unchanged. */
static void
use_freed(struct e2e *t, struct e2e_slot *s)
{
	RTE_SET_USED(t);
	s->op->sym->session = freed->sess;
	e2e_session_close(freed);
}

static int
test_freed_session(struct e2e *t, const void *arg)
{
	static const struct bad b = { "freed", CIPHER, use_freed, false, false };
	struct e2e_session *ses;
	struct e2e_spec sp;
	unsigned int accepted = 0;

	RTE_SET_USED(arg);
	CHECK(t, e2e_spec_simple(t, &sp), "no simple cipher");
	ses = e2e_session_open(t, t->dev, &sp);
	freed = e2e_session_open(t, t->dev, &sp);
	CHECK(t, ses != NULL && freed != NULL, "no session");
	rte_cryptodev_stats_reset(t->dev);
	TRY(sandwich(t, &b, ses, &accepted));
	CHECK(t, t->slot[1].op->status == RTE_CRYPTO_OP_STATUS_INVALID_SESSION, "%s",
	      e2e_status_name(t->slot[1].op->status));
	return counted(t, accepted, 1);
}

void
e2e_add_badops(void)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(bads); i++)
		e2e_add(bads[i].name, test_bad, &bads[i], true);
	e2e_add("badop/zero-length", test_zero_length, NULL, true);
	e2e_add("badop/many-segments", test_many_segments, NULL, true);
	e2e_add("badop/foreign-session", test_foreign_session, NULL, true);
	e2e_add("badop/freed-session", test_freed_session, NULL, true);
}
