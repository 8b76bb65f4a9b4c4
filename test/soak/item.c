/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * One operation of the soak test. It is built as in the end-to-end test, with OpenSSL's result for
 * every byte, and then sent many times. The first time all its memory is compared, which shows
 * the ranges that the operation changes. From then on these ranges, with guards around them, are
 * compared and put back to what they were. A wrong byte elsewhere stays: all memory is compared
 * again when the item is used for the last time, and when its device goes.
 */

#include <rte_errno.h>

#include "soak.h"

#define USES_MIN 20u		/* times that an item is sent */
#define USES_MAX 5000u
#define BYTES_MAX (512u * 1024)	/* that an item carries in all its uses */
#define KEEP_MAX 2000u	/* operations of the lane that come back before an item is used again */
#define SHORT_MAX 64u	/* bytes of many packets; of others two, four or eight times as many */
#define LONGER_MAX 9000u	/* bytes of some packets */
#define HUGE_MAX 65000u	/* bytes of a few packets */
#define TRIES 1000u
#define LINE 64u	/* memory is compared in steps of so many bytes to find the ranges */
#define GUARD 64u	/* bytes around a range */

int
soak_item_init(struct soak_item *it, struct e2e_slot *slot)
{
	unsigned int k;

	memset(it, 0, sizeof(*it));
	it->slot = slot;
	for (k = 0; k < E2E_MEMS; k++) {
		it->input[k] = malloc(slot->mem[k].size);
		it->given_back[k] = malloc(slot->mem[k].size);
		if (it->input[k] == NULL || it->given_back[k] == NULL)
			return -ENOMEM;
	}
	return 0;
}

/* Most programs use these, and a card is fast with them. */
static bool
common_cipher(unsigned int i)
{
	return e2e_ciphers[i].algo == RTE_CRYPTO_CIPHER_AES_CBC ||
	       e2e_ciphers[i].algo == RTE_CRYPTO_CIPHER_AES_CTR;
}

static bool
common_auth(unsigned int i)
{
	return e2e_auths[i].algo == RTE_CRYPTO_AUTH_SHA1_HMAC ||
	       e2e_auths[i].algo == RTE_CRYPTO_AUTH_SHA256_HMAC;
}

/* Returns an index of a table of algorithms, mostly that of a common one. */
static unsigned int
pick(struct e2e_rng *r, unsigned int nb, bool (*is_common)(unsigned int i))
{
	const bool any = e2e_chance(r, 12);
	unsigned int i;

	do {
		i = e2e_range(r, 0, nb - 1);
	} while (!any && !is_common(i));
	return i;
}

/* Picks what a session does: an AEAD, a cipher, a hash, or a chain in one of its usual orders. */
static int
random_spec(struct e2e *t, struct e2e_spec *sp)
{
	unsigned int i, kind;

	for (i = 0; i < TRIES; i++) {
		memset(sp, 0, sizeof(*sp));
		kind = e2e_range(&t->rng, 0, 3);
		sp->encrypt = sp->generate = e2e_chance(&t->rng, 2);
		sp->auth_first = e2e_chance(&t->rng, 2);
		if (kind == 0)
			sp->aead = &e2e_aeads[e2e_range(&t->rng, 0, e2e_nb_aeads - 1)];
		if (kind == 1 || kind == 3)
			sp->cipher = &e2e_ciphers[pick(&t->rng, e2e_nb_ciphers, common_cipher)];
		if (kind >= 2)
			sp->auth = &e2e_auths[pick(&t->rng, e2e_nb_auths, common_auth)];
		if (e2e_spec_random(t, sp))
			return E2E_PASS;
	}
	return e2e_fail(t, __FILE__, __LINE__, "the device offers next to nothing");
}

static int
random_session(struct soak_lane *l, struct soak_session **found)
{
	struct soak_session *s = &l->session[e2e_range(&l->t.rng, 0, SOAK_SESSIONS - 1)];
	struct e2e_spec sp;

	*found = s;
	if (s->ses != NULL && (s->users != 0 || !e2e_chance(&l->t.rng, 3)))
		return E2E_PASS;
	e2e_session_close(s->ses);
	s->ses = NULL;
	TRY(random_spec(&l->t, &sp));
	s->ses = e2e_session_open(&l->t, l->t.dev, &sp);
	CHECK(&l->t, s->ses != NULL, "no session for %s: %s", e2e_spec_name(&sp),
	      rte_strerror(rte_errno));
	l->sessions++;
	return E2E_PASS;
}

static uint32_t
random_length(struct e2e_rng *r, const struct e2e_spec *sp)
{
	const uint32_t block = sp->cipher != NULL ? sp->cipher->block : 1;

	if (e2e_chance(r, 500))
		return e2e_limit_length(sp, e2e_range(r, LONGER_MAX, HUGE_MAX)) / block * block;
	return e2e_random_length(r, sp, e2e_chance(r, 16) ? LONGER_MAX :
						SHORT_MAX << e2e_range(r, 0, 3));
}

/* Returns how often an item is sent. Each power of two is as likely as the others. */
static unsigned int
random_uses(struct e2e_rng *r, uint32_t bytes)
{
	const uint32_t from = USES_MIN << e2e_range(r, 0, 7);

	return RTE_MIN(RTE_MIN(e2e_range(r, from, 2 * from), USES_MAX),
		       RTE_MAX(BYTES_MAX / (bytes + 1), 1u));
}

int
soak_item_build(struct soak_lane *l, struct soak_item *it)
{
	struct e2e_slot *s = it->slot;
	struct e2e_rng *r = &l->t.rng;
	struct e2e_layout layout;
	const struct e2e_spec *sp;
	unsigned int k;

	if (it->session != NULL)
		it->session->users--;
	it->session = NULL;
	TRY(random_session(l, &it->session));
	it->session->users++;
	sp = &it->session->ses->spec;
	e2e_layout_random(&l->t, r, sp, random_length(r, sp), &layout);
	TRY(e2e_slot_fill(&l->t, s, it->session->ses, &layout, r));
	if (e2e_chance(r, 16)) {
		it->sessionless = *it->session->ses;
		s->op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		s->op->sym->xform = e2e_xforms(&it->sessionless.spec, it->xf);
	}
	for (k = 0; k < E2E_MEMS; k++)
		memcpy(it->input[k], s->mem[k].live, s->mem[k].used);
	it->uses = random_uses(r, layout.total);
	it->nb_spans = 0;
	it->place = SOAK_IDLE;
	l->idle[l->nb_idle++] = it;
	l->built++;
	return E2E_PASS;
}

/* Adds a range, or makes the last one longer. Returns false if there are too many. */
static bool
add_span(struct soak_item *it, enum e2e_memory mem, uint32_t from, uint32_t to)
{
	struct soak_span *last = it->nb_spans > 0 ? &it->span[it->nb_spans - 1] : NULL;

	if (last != NULL && last->mem == mem && from <= last->off + last->len) {
		last->len = to - last->off;
		return true;
	}
	if (it->nb_spans == SOAK_SPANS)
		return false;
	it->span[it->nb_spans++] = (struct soak_span){ from, to - from, mem };
	return true;
}

/* Finds the ranges of one memory that the operation has changed. */
static bool
find_spans(struct soak_item *it, enum e2e_memory mem)
{
	const struct e2e_mem *m = &it->slot->mem[mem];
	uint32_t off, n;

	for (off = 0; off < m->used; off += n) {
		n = RTE_MIN(LINE, m->used - off);
		if (memcmp(it->input[mem] + off, m->expect + off, n) == 0)
			continue;
		if (!add_span(it, mem, off - RTE_MIN(off, GUARD),
			      RTE_MIN(off + n + GUARD, m->used)))
			return false;
	}
	return true;
}

/* Finds the ranges that the operation has changed. The memory is as expected. */
static void
settle(struct soak_item *it)
{
	unsigned int k;

	it->nb_spans = 0;
	if (find_spans(it, E2E_MEM_ARENA) && find_spans(it, E2E_MEM_PRIV) &&
	    find_spans(it, E2E_MEM_HEAP) && it->nb_spans > 0)
		return;
	it->nb_spans = E2E_MEMS; /* all of it */
	for (k = 0; k < E2E_MEMS; k++)
		it->span[k] = (struct soak_span){ 0, it->slot->mem[k].used, (enum e2e_memory)k };
}

/* Compares the ranges with what is expected. False if they are not known. */
static bool
spans_are_right(const struct soak_item *it)
{
	const struct e2e_slot *s = it->slot;
	const struct soak_span *sp = it->span, *end = sp + it->nb_spans;

	if (it->nb_spans == 0)
		return false;
	for (; sp < end; sp++) {
		if (memcmp(s->mem[sp->mem].live + sp->off, s->mem[sp->mem].expect + sp->off,
			   sp->len) != 0)
			return false;
	}
	return true;
}

static int
check(struct soak_lane *l, struct soak_item *it)
{
	if (likely(spans_are_right(it) && it->uses > 1))
		return E2E_PASS;
	TRY(e2e_slot_check(&l->t, it->slot));
	settle(it);
	return E2E_PASS;
}

static int
use_again(struct soak_lane *l, struct soak_item *it)
{
	const struct soak_span *sp = it->span, *end = sp + it->nb_spans;
	struct e2e_slot *s = it->slot;

	if (--it->uses == 0)
		return soak_item_build(l, it);
	for (; sp < end; sp++)
		memcpy(s->mem[sp->mem].live + sp->off, it->input[sp->mem] + sp->off, sp->len);
	s->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	it->place = SOAK_IDLE;
	l->idle[l->nb_idle++] = it;
	return E2E_PASS;
}

/*
 * Lets a lane rest after an error, mostly: until the driver has healed the queue pair, it gives
 * back all operations with an error, and each of them has to be built anew.
 */
static void
rest(struct soak_lane *l)
{
	if (l->rest_ms == 0 && !e2e_chance(&l->t.rng, 8))
		l->rest_ms = e2e_now_ms() + e2e_range(&l->t.rng, 1, SOAK_REST_MS);
}

int
soak_item_judge(struct soak_lane *l, struct soak_item *it, bool may_fail)
{
	struct e2e_slot *s = it->slot;
	unsigned int k;

	if (likely(s->op->status == s->want)) {
		l->right++;
		l->bytes += s->lay.total;
		TRY(check(l, it));
		return use_again(l, it);
	}
	CHECK(&l->t, may_fail && s->op->status == RTE_CRYPTO_OP_STATUS_ERROR,
	      "%s: status %s, expected %s", e2e_spec_name(&s->ses->spec),
	      e2e_status_name(s->op->status), e2e_status_name(s->want));
	l->errors++;
	rest(l);
	TRY(e2e_slot_check_bad(&l->t, s));
	for (k = 0; k < E2E_MEMS; k++)
		memcpy(it->given_back[k], s->mem[k].live, s->mem[k].used);
	it->place = SOAK_KEPT;
	l->nb_kept++;
	it->keep_until = l->right + l->errors + e2e_range(&l->t.rng, 0, KEEP_MAX);
	return E2E_PASS;
}

int
soak_item_untouched(struct soak_lane *l, struct soak_item *it)
{
	uint8_t *const *before = it->place == SOAK_KEPT ? it->given_back : it->input;
	const struct e2e_slot *s = it->slot;
	unsigned int k;

	for (k = 0; k < E2E_MEMS; k++)
		CHECK(&l->t, memcmp(before[k], s->mem[k].live, s->mem[k].used) == 0,
		      "%s: memory changed after the operation was given back%s",
		      e2e_spec_name(&s->ses->spec),
		      it->place == SOAK_KEPT ? " with an error" : "");
	return E2E_PASS;
}

int
soak_item_release(struct soak_lane *l, struct soak_item *it)
{
	TRY(soak_item_untouched(l, it));
	l->nb_kept--;
	return soak_item_build(l, it);
}
