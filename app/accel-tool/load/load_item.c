/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Builds and judges one operation of a load. See load_item.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_errno.h>

#include "load_item.h"
#include "load_pk.h"

#define TRIES 2000u /* most random choices until the device supports one */
#define SHORT_MAX 2200u /* bytes of most operations of random size */
#define RARE_MAX 9000u

bool
load_item_init(struct load *l, struct load_item *it)
{
	uint32_t size = RARE_MAX, arena;
	unsigned int k;

	for (k = 0; k < l->conf.nb_sizes; k++)
		size = RTE_MAX(k == 0 ? 0 : size, l->conf.size[k].hi);
	/* The arena has room for two packets, each with up to 40 gaps between its segments, and for
	 * AAD and digest. */
	arena = 2 * (size + 200) + 32 * 1024;
	if (e2e_slot_init(&l->t, &it->slot, arena) != 0)
		return false;
	for (k = 0; k < E2E_MEMS; k++) {
		it->input[k] = malloc(it->slot.mem[k].size);
		if (it->input[k] == NULL)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ sessions */

/* Picks a choice from all algorithms: an AEAD, a cipher, a hash, or a chain. */
static void
any_choice(struct e2e_rng *r, struct load_choice *c)
{
	unsigned int kind = e2e_range(r, 0, 3);

	memset(c, 0, sizeof(*c));
	c->auth_first = e2e_chance(r, 2);
	if (kind == 0)
		c->aead = &e2e_aeads[e2e_range(r, 0, e2e_nb_aeads - 1)];
	if (kind == 1 || kind == 3)
		c->cipher = &e2e_ciphers[e2e_range(r, 0, e2e_nb_ciphers - 1)];
	if (kind >= 2)
		c->auth = &e2e_auths[e2e_range(r, 0, e2e_nb_auths - 1)];
}

static void
spec_of(const struct load *l, struct e2e_rng *r, const struct load_choice *c, struct e2e_spec *sp)
{
	memset(sp, 0, sizeof(*sp));
	sp->cipher = c->cipher;
	sp->auth = c->auth;
	sp->aead = c->aead;
	sp->auth_first = c->auth_first;
	sp->encrypt = sp->generate = l->conf.forward || e2e_chance(r, 2);
}

bool
load_item_choice_works(struct load *l, const struct load_choice *c)
{
	struct e2e_spec sp;
	unsigned int i;

	for (i = 0; i < 100; i++) {
		spec_of(l, &l->t.rng, c, &sp);
		if (e2e_spec_random(&l->t, &sp))
			return true;
	}
	return false;
}

static bool
open_session(struct load *l, struct load_session *s)
{
	struct e2e_rng *r = &l->t.rng;
	struct load_choice c;
	struct e2e_spec sp;
	unsigned int i;

	r->s = l->conf.seed + 2 * ++l->opened + 1;
	for (i = 0; i < TRIES; i++) {
		if (l->conf.nb_choices == 0)
			any_choice(r, &c);
		else
			c = l->conf.choice[e2e_range(r, 0, l->conf.nb_choices - 1)];
		spec_of(l, r, &c, &sp);
		if (!e2e_spec_random(&l->t, &sp))
			continue;
		s->ses = e2e_session_open(&l->t, l->t.dev, &sp);
		if (s->ses != NULL)
			return true;
		snprintf(l->first, sizeof(l->first), "no session for %s: %s", e2e_spec_name(&sp),
			 rte_strerror(rte_errno));
		return false;
	}
	snprintf(l->first, sizeof(l->first), "the device offers nothing that this program knows");
	return false;
}

/* Picks a session. Now and then it closes a session that no operation uses, and opens another. */
static struct load_session *
pick_session(struct load *l)
{
	struct load_session *s = &l->session[e2e_range(&l->t.rng, 0, l->conf.sessions - 1)];
	const struct e2e_rng rng = l->t.rng;
	bool good = true;

	if (s->ses == NULL || (s->users == 0 && e2e_chance(&l->t.rng, 3))) {
		e2e_session_close(s->ses);
		s->ses = NULL;
		good = open_session(l, s);
		l->t.rng = rng;
	}
	return good ? s : NULL;
}

/* ------------------------------------------------------------------ building */

static uint32_t
pick_size(struct load *l, const struct e2e_spec *sp)
{
	const struct load_conf *conf = &l->conf;
	struct e2e_rng *r = &l->t.rng;
	uint32_t sum = 0, at;
	unsigned int i;

	if (conf->nb_sizes == 0)
		return e2e_random_length(r, sp, e2e_chance(r, 16) ? RARE_MAX : SHORT_MAX);
	for (i = 0; i < conf->nb_sizes; i++)
		sum += conf->size[i].weight;
	at = e2e_range(r, 0, sum - 1);
	for (i = 0; at >= conf->size[i].weight; i++)
		at -= conf->size[i].weight;
	return e2e_fit_length(sp, e2e_range(r, conf->size[i].lo, conf->size[i].hi));
}

bool
load_item_build(struct load *l, struct load_item *it)
{
	const struct e2e_spec *sp;
	struct e2e_layout layout;
	unsigned int k;

	if (it->session != NULL)
		it->session->users--;
	it->session = NULL;
	it->is_built = false;
	l->t.rng.s = l->conf.seed + 2 * ++l->built;
	it->uses = l->conf.reuse;
	if (l->nb_pk != 0 &&
			e2e_range(&l->t.rng, 1, l->nb_pk + l->conf.nb_choices) <= l->nb_pk)
		return it->is_built = load_pk_build(l, it);
	it->pk = NULL;
	it->op = it->slot.op;
	it->session = pick_session(l);
	if (it->session == NULL)
		return false;
	it->session->users++;
	sp = &it->session->ses->spec;
	if (l->conf.plain)
		e2e_layout_plain(sp, pick_size(l, sp), false, &layout);
	else
		e2e_layout_random(&l->t, &l->t.rng, sp, pick_size(l, sp), &layout);
	it->bytes = RTE_MAX(layout.c_len, layout.a_len);
	if (e2e_slot_fill(&l->t, &it->slot, it->session->ses, &layout, &l->t.rng) != E2E_PASS) {
		snprintf(l->first, sizeof(l->first), "operation %" PRIu64 " cannot be built: "
			 "%.180s",
			 l->built, l->t.note);
		return false;
	}
	for (k = 0; k < E2E_MEMS; k++)
		memcpy(it->input[k], it->slot.mem[k].live, it->slot.mem[k].used);
	it->is_built = true;
	return true;
}

static bool
use_again(struct load *l, struct load_item *it)
{
	struct e2e_slot *s = &it->slot;
	unsigned int k;

	if (--it->uses == 0)
		return load_item_build(l, it);
	if (it->pk != NULL) {
		load_pk_again(it);
		return true;
	}
	for (k = 0; k < E2E_MEMS; k++)
		memcpy(s->mem[k].live, it->input[k], s->mem[k].used);
	s->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	return true;
}

/* ------------------------------------------------------------------ judging */

static void
count_one(struct load_count *c, uint32_t bytes, bool error)
{
	c->operations++;
	c->bytes += bytes;
	c->errors += error;
}

static void
count(struct load *l, const struct load_item *it, bool error)
{
	const struct e2e_spec *sp;

	l->operations++;
	if (it->pk != NULL)
		return; /* load_pk_right() has counted it */
	sp = &it->session->ses->spec;
	l->bytes += it->bytes;
	if (sp->aead != NULL)
		count_one(&l->aead[sp->aead - e2e_aeads], it->bytes, error);
	if (sp->cipher != NULL)
		count_one(&l->cipher[sp->cipher - e2e_ciphers], it->bytes, error);
	if (sp->auth != NULL)
		count_one(&l->auth[sp->auth - e2e_auths], it->bytes, error);
}

bool
load_item_take(struct load *l, struct load_item *it)
{
	struct e2e_slot *s = &it->slot;
	const uint8_t status = it->op->status;
	const bool right = status == (it->pk != NULL ? it->job->want : s->want);

	if (it->pk != NULL) {
		if (load_pk_right(l, it)) {
			count(l, it, false);
			return use_again(l, it);
		}
	} else if (!right && l->may_fail && status != RTE_CRYPTO_OP_STATUS_SUCCESS &&
			status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED) {
		/* The contents of the packet are not specified, but nothing else may change. */
		l->failed++;
		if (e2e_slot_check_bad(&l->t, s) == E2E_PASS) {
			count(l, it, false);
			return load_item_build(l, it);
		}
	} else if (e2e_slot_check(&l->t, s) == E2E_PASS) {
		count(l, it, false);
		return use_again(l, it);
	}
	count(l, it, true);
	if (right || status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		l->wrong_data++;
	else
		l->wrong_status++;
	if (l->t.failures++ == 0)
		snprintf(l->first, sizeof(l->first), "%.240s",
			 strchr(l->t.note, ' ') != NULL ? strchr(l->t.note, ' ') + 1 : l->t.note);
	return load_item_build(l, it);
}
