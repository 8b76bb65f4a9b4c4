/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Picks random places of data, digest and AAD, as the device's feature flags allow. The pump keeps
 * several operations in-flight and checks them in the order in which they come back.
 */

#include "e2e_op.h"

uint32_t
e2e_limit_length(const struct e2e_spec *s, uint32_t len)
{
	if (s->cipher != NULL && s->cipher->max != 0)
		len = RTE_MIN(len, (uint32_t)s->cipher->max);
	/* The auth region of a chain may have up to 80 more bytes. */
	if (s->auth != NULL && s->auth->max != 0)
		len = RTE_MIN(len, s->auth->max - 100u);
	return len;
}

uint32_t
e2e_fit_length(const struct e2e_spec *s, uint32_t len)
{
	uint32_t block = s->cipher != NULL ? s->cipher->block : 1;

	if (s->auth != NULL)
		len = RTE_MAX(len, s->auth->min);
	return RTE_MAX(block, e2e_limit_length(s, len) / block * block);
}

uint32_t
e2e_random_length(struct e2e_rng *r, const struct e2e_spec *s, uint32_t max)
{
	uint32_t len;

	switch (e2e_range(r, 0, 5)) {
	case 0:
		len = e2e_range(r, 1, 32);
		break;
	case 1:
	case 2:
		len = e2e_range(r, 1, 300);
		break;
	case 3:
		/* These lengths are near the block sizes of hashes and near powers of two. */
		len = (64u << e2e_range(r, 0, 7)) - 10 + e2e_range(r, 0, 20);
		break;
	default:
		len = e2e_range(r, 1, 2200);
	}
	if (e2e_chance(r, 12))
		len = e2e_range(r, 1, 9000);
	return e2e_fit_length(s, RTE_MIN(len, max));
}

/* Picks the auth and cipher region of a chain: equal, one around the other, overlapping, or
 * apart. */
static void
chain_regions(struct e2e_rng *r, const struct e2e_spec *s, uint32_t len, bool oop,
	      struct e2e_layout *l)
{
	uint32_t block = s->cipher->block;
	uint32_t before = e2e_range(r, 0, 40), behind = e2e_range(r, 0, 40);

	l->c_len = len;
	switch (e2e_range(r, 0, 9)) {
	case 0:
	case 1:
	case 2:
		l->a_off = l->c_off;
		l->a_len = len;
		break;
	case 3:
	case 4:
	case 5:
		/* As in ESP, header and IV are authenticated but not enciphered. */
		l->a_off = l->c_off;
		l->c_off += before;
		l->a_len = before + len + behind;
		break;
	case 6:
		/* Only a part of the cipher region is authenticated. */
		l->a_off = l->c_off + e2e_range(r, 0, len - 1);
		l->a_len = e2e_range(r, 1, l->c_off + len - l->a_off);
		break;
	case 7:
		l->a_off = l->c_off + e2e_range(r, 0, len - 1);
		l->a_len = l->c_off + len - l->a_off + behind;
		break;
	case 8:
		l->a_off = l->c_off;
		l->a_len = before + e2e_range(r, 1, len);
		l->c_off += before;
		break;
	default:
		/* The regions lie apart. Out of place there is no gap, because the API does not say
		 * whether a gap is copied. */
		l->a_off = l->c_off;
		l->a_len = before + 1;
		l->c_off += l->a_len + (oop ? 0 : behind);
		if (e2e_chance(r, 2)) {
			l->c_off = l->a_off;
			l->c_len = RTE_ALIGN_MUL_CEIL(len, block);
			l->a_off = l->c_off + l->c_len + (oop ? 0 : before);
			l->a_len = behind + 1;
		}
	}
	l->a_len = RTE_MAX(l->a_len, (uint32_t)s->auth->min);
}

static void
pick_digest_place(struct e2e_rng *r, struct e2e_layout *l)
{
	static const enum e2e_place p[] = {
		E2E_AFTER, E2E_AFTER, E2E_AFTER, E2E_BEFORE, E2E_TAILROOM, E2E_APART, E2E_HEAPMEM,
		E2E_PRIVATE,
	};
	static const enum e2e_place a[] = { E2E_TAILROOM, E2E_PRIVATE, E2E_PRIVATE, E2E_APART,
					    E2E_HEAPMEM, E2E_BEFORE };

	l->digest_at = p[e2e_range(r, 0, RTE_DIM(p) - 1)];
	l->aad_at = a[e2e_range(r, 0, RTE_DIM(a) - 1)];
	/* A segment of full size has no room for a tail. */
	if (l->end > 60000) {
		l->digest_at = E2E_APART;
		l->aad_at = E2E_PRIVATE;
	}
}

static uint16_t
random_segs(struct e2e_rng *r)
{
	switch (e2e_range(r, 0, 3)) {
	case 0:
		return 2;
	case 1:
		return e2e_range(r, 2, 4);
	case 2:
		return e2e_range(r, 2, 16);
	default:
		return e2e_range(r, 2, 40);
	}
}

/* Picks one or several segments for source and destination, as the feature flags allow. dst_segs
 * stays 0 for an operation in place. */
static void
pick_segments(const struct e2e *t, struct e2e_rng *r, bool oop, struct e2e_layout *l)
{
	uint64_t ff = t->info.feature_flags;
	uint16_t src = e2e_chance(r, 2) ? random_segs(r) : 1;
	uint16_t dst = e2e_chance(r, 2) ? random_segs(r) : 1;

	if (t->linear)
		src = dst = 1;
	if (t->max_segs != 0) {
		src = RTE_MIN(src, t->max_segs);
		dst = RTE_MIN(dst, t->max_segs);
	}
	l->src_segs = src;
	l->dst_segs = 0;
	if (!oop) {
		if (!(ff & RTE_CRYPTODEV_FF_IN_PLACE_SGL))
			l->src_segs = 1;
		return;
	}
	if (src > 1 && dst > 1 && !(ff & RTE_CRYPTODEV_FF_OOP_SGL_IN_SGL_OUT))
		dst = 1;
	if (src > 1 && dst == 1 && !(ff & RTE_CRYPTODEV_FF_OOP_SGL_IN_LB_OUT))
		src = 1;
	if (src == 1 && dst > 1 && !(ff & RTE_CRYPTODEV_FF_OOP_LB_IN_SGL_OUT))
		dst = 1;
	l->src_segs = src;
	if (src > 1 || dst > 1 || (ff & RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT))
		l->dst_segs = dst;
}

/* Makes room at the start of the packet. */
static void
shift(const struct e2e_spec *s, struct e2e_layout *l, uint32_t by)
{
	l->c_off += s->cipher != NULL || s->aead != NULL ? by : 0;
	l->a_off += s->auth != NULL ? by : 0;
	l->end += by;
}

static void
set_totals(const struct e2e_spec *s, struct e2e_rng *r, struct e2e_layout *l)
{
	uint32_t after = l->digest_at == E2E_AFTER ? s->digest_len : 0;
	bool in_dst = s->generate && l->dst_segs > 0;
	uint32_t room = l->end > 60000 ? 0 : 50;

	l->total = l->end + (in_dst ? 0 : after) + e2e_range(r, 0, room);
	l->dst_total = l->end + (in_dst ? after : 0) + e2e_range(r, 0, room);
	/* Packets usually have no tail. */
	if (e2e_chance(r, 2))
		l->total = l->end + (in_dst ? 0 : after);
}

void
e2e_layout_random(struct e2e *t, struct e2e_rng *r, const struct e2e_spec *s, uint32_t len,
		  struct e2e_layout *l)
{
	bool oop = e2e_chance(r, 2) && !t->in_place;
	uint32_t start = len > 60000 ? 0 : e2e_range(r, 0, 70);

	memset(l, 0, sizeof(*l));
	pick_segments(t, r, oop, l);
	l->c_off = start;
	if (s->cipher != NULL && s->auth != NULL) {
		chain_regions(r, s, len, l->dst_segs > 0, l);
	} else if (s->auth != NULL) {
		l->c_off = 0;
		l->a_off = start;
		l->a_len = len;
	} else {
		l->c_len = len;
	}
	l->end = RTE_MAX(l->c_off + l->c_len, l->a_off + l->a_len);
	pick_digest_place(r, l);
	if (l->digest_at == E2E_BEFORE)
		shift(s, l, s->digest_len);
	if (s->aead != NULL && l->aad_at == E2E_BEFORE)
		shift(s, l, e2e_aad_size(s));
	set_totals(s, r, l);
	l->wrong_digest = e2e_chance(r, 8);
	l->same_dst = e2e_chance(r, 8);
}

void
e2e_layout_plain(const struct e2e_spec *s, uint32_t len, bool oop, struct e2e_layout *l)
{
	memset(l, 0, sizeof(*l));
	l->c_len = s->cipher != NULL || s->aead != NULL ? len : 0;
	l->a_len = s->auth != NULL ? len : 0;
	l->end = len;
	l->src_segs = 1;
	l->dst_segs = oop ? 1 : 0;
	l->digest_at = E2E_AFTER;
	l->aad_at = E2E_PRIVATE;
	l->total = len + (oop && s->generate ? 0 : s->digest_len);
	l->dst_total = len + (oop && s->generate ? s->digest_len : 0);
}

static void
print_chain(const char *what, const struct e2e_chain *c)
{
	unsigned int i;

	printf("  %s: %u bytes in %u segment(s):", what, c->total, c->n);
	for (i = 0; i < c->n; i++)
		printf(" %u(+%u@%u)", c->seg[i].len, c->seg[i].data_off, c->seg[i].start);
	printf("\n");
}

void
e2e_layout_print(const struct e2e_slot *s)
{
	static const char *const place[E2E_PLACES] = {
		[E2E_AFTER] = "behind the data", [E2E_BEFORE] = "before the data",
		[E2E_TAILROOM] = "in the tailroom", [E2E_APART] = "apart",
		[E2E_HEAPMEM] = "in rte_malloc memory", [E2E_PRIVATE] = "in the op's private area",
		[E2E_IN_STREAM] = "behind the auth region, encrypted",
	};
	const struct e2e_layout *l = &s->lay;
	const struct e2e_spec *sp = &s->ses->spec;

	printf("  %s, %s\n", e2e_spec_name(sp), l->dst_segs > 0 ? "out of place" :
	       l->same_dst ? "in place, m_dst == m_src" : "in place");
	if (sp->cipher != NULL || sp->aead != NULL)
		printf("  cipher at %u, %u bytes less %u and %u bits; iv at op + %u\n", l->c_off,
		       l->c_len, l->c_bit, l->c_cut, sp->iv_off);
	if (sp->auth != NULL)
		printf("  auth at %u, %u bytes less %u and %u bits; iv at op + %u\n", l->a_off,
		       l->a_len, l->a_bit, l->a_cut, sp->auth_iv_off);
	if (sp->auth != NULL || sp->aead != NULL)
		printf("  digest %s%s\n", place[l->digest_at],
		       s->want != RTE_CRYPTO_OP_STATUS_SUCCESS ? ", one bit wrong" : "");
	if (sp->aead != NULL)
		printf("  aad %s\n", place[l->aad_at]);
	print_chain("source", &s->src);
	if (l->dst_segs > 0)
		print_chain("destination", &s->dst);
	printf("  (segments: length(+data_off@place in the packet memory))\n");
}

/* ------------------------------------------------------------------ pump */

struct pump {
	uint8_t dev;
	uint16_t qp;
	unsigned int head, sent, tail;	/* slots filled, sent and checked, modulo E2E_SLOTS */
};

static int
pump_fill(struct e2e *t, struct pump *p, unsigned int n, e2e_fill_fn fill, void *arg)
{
	for (; n > 0 && p->head - p->tail < E2E_SLOTS; n--, p->head++)
		TRY(fill(t, &t->slot[p->head % E2E_SLOTS], arg));
	return E2E_PASS;
}

static void
pump_send(struct e2e *t, struct pump *p, unsigned int n)
{
	struct rte_crypto_op *ops[E2E_SLOTS];
	unsigned int i;

	n = RTE_MIN(n, p->head - p->sent);
	for (i = 0; i < n; i++)
		ops[i] = t->slot[(p->sent + i) % E2E_SLOTS].op;
	if (n > 0)
		p->sent += rte_cryptodev_enqueue_burst(p->dev, p->qp, ops, n);
}

static int
pump_take(struct e2e *t, struct pump *p, unsigned int n, unsigned int *got)
{
	struct rte_crypto_op *ops[E2E_SLOTS];
	struct e2e_slot *s;
	unsigned int i;

	*got = rte_cryptodev_dequeue_burst(p->dev, p->qp, ops, n);
	for (i = 0; i < *got; i++) {
		s = &t->slot[p->tail % E2E_SLOTS];
		CHECK(t, p->tail != p->sent, "more ops came back than were sent");
		CHECK(t, ops[i] == s->op, "ops came back out of order");
		p->tail++;
		TRY(e2e_slot_check(t, s));
		e2e_slot_clear(s);
	}
	return E2E_PASS;
}

int
e2e_pump(struct e2e *t, uint8_t dev, uint16_t qp, unsigned int total, e2e_fill_fn fill,
	 void *arg)
{
	struct pump p = { .dev = dev, .qp = qp };
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	unsigned int got;

	while (p.tail < total) {
		if (p.head < total && e2e_chance(&t->rng, 2))
			TRY(pump_fill(t, &p, RTE_MIN(e2e_range(&t->rng, 1, 32), total - p.head),
				      fill, arg));
		pump_send(t, &p, e2e_range(&t->rng, 1, 40));
		TRY(pump_take(t, &p, e2e_range(&t->rng, 1, E2E_SLOTS), &got));
		if (got > 0)
			end = e2e_waited_ms() + E2E_TIMEOUT_MS;
		else
			e2e_relax();
		CHECK(t, e2e_waited_ms() < end, "%u op(s) lost, %u not accepted", p.sent - p.tail,
		      p.head - p.sent);
	}
	return E2E_PASS;
}

int
e2e_one(struct e2e *t, uint8_t dev, uint16_t qp, struct e2e_slot *s)
{
	struct rte_crypto_op *op = NULL;

	CHECK(t, e2e_send(dev, qp, &s->op, 1) == 1, "op not accepted");
	CHECK(t, e2e_collect(dev, qp, &op, 1, E2E_TIMEOUT_MS) == 1, "op lost");
	CHECK(t, op == s->op, "a different op came back");
	return e2e_slot_check(t, s);
}

int
e2e_alive(struct e2e *t, uint8_t dev, uint16_t nb_qps)
{
	struct e2e_session *ses;
	struct e2e_layout l;
	struct e2e_spec sp;
	uint16_t qp;

	CHECK(t, e2e_spec_simple(t, &sp), "no simple cipher");
	ses = e2e_session_open(t, dev, &sp);
	CHECK(t, ses != NULL, "no session");
	for (qp = 0; qp < nb_qps; qp++) {
		e2e_layout_plain(&sp, 1 + e2e_range(&t->rng, 0, 20), false, &l);
		l.c_len = l.end = l.total = RTE_ALIGN_MUL_CEIL(l.c_len, sp.cipher->block);
		TRY(e2e_slot_fill(t, &t->slot[0], ses, &l, &t->rng));
		TRY(e2e_one(t, dev, qp, &t->slot[0]));
		e2e_slot_clear(&t->slot[0]);
	}
	e2e_session_close(ses);
	return E2E_PASS;
}
