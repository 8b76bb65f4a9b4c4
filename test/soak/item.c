/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * One operation of the soak test. It is built as in the end-to-end test, with OpenSSL's result for
 * every byte, and then sent many times: its memory is put back to what it was before.
 */

#include <rte_errno.h>

#include "soak.h"

#define USES_MIN 20u
#define USES_MAX 400u
#define KEEP_MAX 2000u	/* operations of the lane that come back before an item is used again */
#define SHORT_MAX 600u	/* bytes of most packets */
#define TRIES 1000u

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
	e2e_layout_random(&l->t, r, sp,
			  e2e_random_length(r, sp, e2e_chance(r, 16) ? 9000 : SHORT_MAX), &layout);
	TRY(e2e_slot_fill(&l->t, s, it->session->ses, &layout, r));
	if (e2e_chance(r, 16)) {
		it->sessionless = *it->session->ses;
		s->op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		s->op->sym->xform = e2e_xforms(&it->sessionless.spec, it->xf);
	}
	for (k = 0; k < E2E_MEMS; k++)
		memcpy(it->input[k], s->mem[k].live, s->mem[k].used);
	it->uses = e2e_range(r, USES_MIN, USES_MAX);
	it->place = SOAK_IDLE;
	l->built++;
	return E2E_PASS;
}

static int
use_again(struct soak_lane *l, struct soak_item *it)
{
	struct e2e_slot *s = it->slot;
	unsigned int k;

	if (--it->uses == 0)
		return soak_item_build(l, it);
	for (k = 0; k < E2E_MEMS; k++)
		memcpy(s->mem[k].live, it->input[k], s->mem[k].used);
	s->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	it->place = SOAK_IDLE;
	return E2E_PASS;
}

int
soak_item_judge(struct soak_lane *l, struct soak_item *it, bool may_fail)
{
	struct e2e_slot *s = it->slot;
	unsigned int k;

	if (likely(s->op->status == s->want)) {
		l->right++;
		TRY(e2e_slot_check(&l->t, s));
		return use_again(l, it);
	}
	CHECK(&l->t, may_fail && s->op->status == RTE_CRYPTO_OP_STATUS_ERROR,
	      "%s: status %s, expected %s", e2e_spec_name(&s->ses->spec),
	      e2e_status_name(s->op->status), e2e_status_name(s->want));
	l->errors++;
	TRY(e2e_slot_check_bad(&l->t, s));
	for (k = 0; k < E2E_MEMS; k++)
		memcpy(it->given_back[k], s->mem[k].live, s->mem[k].used);
	it->place = SOAK_KEPT;
	it->keep_until = l->right + l->errors + e2e_range(&l->t.rng, 0, KEEP_MAX);
	return E2E_PASS;
}

int
soak_item_release(struct soak_lane *l, struct soak_item *it)
{
	const struct e2e_slot *s = it->slot;
	unsigned int k;

	for (k = 0; k < E2E_MEMS; k++)
		CHECK(&l->t, memcmp(it->given_back[k], s->mem[k].live, s->mem[k].used) == 0,
		      "%s: memory changed after the operation was given back with an error",
		      e2e_spec_name(&s->ses->spec));
	return soak_item_build(l, it);
}
