/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests encrypted digests (rte_crypto_sym.h, auth.digest.data): the digest is generated and then
 * enciphered with the data before it, or deciphered and then verified. Random layouts are compared
 * with OpenSSL. The cipher region ends behind the digest or within it. It begins before the auth
 * region, within it, or within the digest.
 */

#include <rte_errno.h>

#include "e2e.h"

struct pair {
	struct e2e_session *ses[64];
	unsigned int n;
};

/* Returns true if the authentication takes its region. */
static bool
auth_fits(const struct e2e_spec *sp, const struct e2e_layout *l)
{
	return l->a_len >= sp->auth->min && (sp->auth->max == 0 || l->a_len <= sp->auth->max);
}

/* Picks regions with the digest behind the auth region, and the cipher's end behind the digest's
 * first byte. */
static void
regions(struct e2e_rng *r, const struct e2e_spec *sp, bool whole, struct e2e_layout *l)
{
	uint32_t start = e2e_range(r, 0, 40), a_end, low;

	l->c_off = start + (e2e_chance(r, 2) ? 0 : e2e_range(r, 0, 40));
	low = l->c_off + 1 > sp->digest_len ? l->c_off + 1 - sp->digest_len : 1;
	low = RTE_MAX(low, start + 1);
	/* The digest ends anywhere, or with the cipher region, which the API calls typical. */
	if (whole)
		a_end = l->c_off + e2e_range(r, 1, l->c_len - sp->digest_len);
	else if (l->c_len > sp->digest_len + 1u && e2e_chance(r, 3))
		a_end = l->c_off + l->c_len - sp->digest_len;
	else
		a_end = e2e_range(r, RTE_MIN(low, l->c_off + l->c_len - 1),
				  l->c_off + l->c_len - 1);
	l->a_off = RTE_MIN(e2e_chance(r, 2) ? start : e2e_range(r, start, a_end), a_end);
	l->a_len = a_end - l->a_off;
}

static void
random_layout(struct e2e *t, const struct e2e_spec *sp, bool whole, struct e2e_layout *l)
{
	uint32_t len = e2e_random_length(&t->rng, sp, 9000);

	/* A cipher region of one byte at the packet's start has no room before its end. */
	len = RTE_MAX(len, whole ? sp->digest_len + 1u : 2u);
	len = RTE_ALIGN_MUL_CEIL(len, sp->cipher->block);
	e2e_layout_random(t, &t->rng, sp, len, l);
	l->c_len = len;
	l->digest_at = E2E_IN_STREAM;
	regions(&t->rng, sp, whole, l);
	l->end = RTE_MAX(l->c_off + l->c_len, l->a_off + l->a_len + sp->digest_len);
	l->total = l->end + (e2e_chance(&t->rng, 2) ? 0 : e2e_range(&t->rng, 0, 50));
	l->dst_total = l->end + (e2e_chance(&t->rng, 2) ? 0 : e2e_range(&t->rng, 0, 50));
	/* Bytes that are no input may be missing from the source. */
	if (t->is_accel && l->dst_segs > 0 && sp->generate && e2e_chance(&t->rng, 3))
		l->total = l->c_off + l->c_len;
}

void
e2e_layout_digest_encrypted(struct e2e *t, const struct e2e_spec *sp, bool whole,
			    struct e2e_layout *l)
{
	/* Regions are random, so some are too short. */
	do {
		random_layout(t, sp, whole, l);
	} while (!auth_fits(sp, l));
}

static int
fill(struct e2e *t, struct e2e_slot *s, void *arg)
{
	const struct pair *p = arg;
	const struct e2e_session *ses = p->ses[e2e_range(&t->rng, 0, p->n - 1)];
	struct e2e_layout l;

	e2e_layout_digest_encrypted(t, &ses->spec, false, &l);
	return e2e_slot_fill(t, s, ses, &l, &t->rng);
}

static int
open_sessions(struct e2e *t, struct pair *p, const struct e2e_cipher_alg *c)
{
	const unsigned int first = e2e_range(&t->rng, 0, e2e_nb_auths - 1);
	unsigned int i;

	/* There are more algorithms than sessions, so the first one is random. */
	for (i = 0; p->n < RTE_DIM(p->ses) && i < 4 * e2e_nb_auths; i++) {
		struct e2e_spec sp = {
			.cipher = c, .auth = &e2e_auths[(first + i / 4) % e2e_nb_auths],
		};

		if (sp.auth->digest == 0)
			continue;
		sp.generate = sp.auth_first = i & 1;
		/* crypto_accel also allows the unusual direction. */
		sp.encrypt = (i & 2) != 0 && t->is_accel ? !sp.generate : sp.generate;
		if (!e2e_spec_random(t, &sp))
			continue;
		p->ses[p->n] = e2e_session_open(t, t->dev, &sp);
		if (p->ses[p->n] == NULL && rte_errno == ENOTSUP)
			continue;
		CHECK(t, p->ses[p->n] != NULL, "no session for %s", e2e_spec_name(&sp));
		p->n++;
	}
	return E2E_PASS;
}

static int
test_digest_encrypted(struct e2e *t, const void *arg)
{
	struct pair p = { .n = 0 };
	unsigned int i;

	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED");
	TRY(open_sessions(t, &p, arg));
	if (p.n == 0)
		return e2e_skip(t, "not in the device's capabilities");
	TRY(e2e_pump(t, t->dev, 0, t->rounds * 4, fill, &p));
	for (i = 0; i < p.n; i++)
		e2e_session_close(p.ses[i]);
	e2e_note(t, "%u sessions, %u ops", p.n, t->rounds * 4);
	return E2E_PASS;
}

void
e2e_add_digest_encrypted(void)
{
	static char names[64][40];
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers; i++) {
		snprintf(names[i], sizeof(names[i]), "digest-encrypted/%s", e2e_ciphers[i].name);
		e2e_add(names[i], test_digest_encrypted, &e2e_ciphers[i], false);
	}
}
