/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Runs the published vectors in both directions, in place and out of place, in one piece and in
 * random layouts, with a right and a wrong digest. Each vector also checks the reference that the
 * random tests use.
 */

#include "kat.h"

struct kat_run {
	const struct e2e_kat *v;
	struct e2e_spec sp;
	uint8_t in[1024], out[1024], digest[64], iv[32], auth_iv[32], aad[256];
	uint32_t len;
	unsigned int ops;
};

static uint32_t
unhex(const char *s, uint8_t *out, uint32_t max)
{
	uint32_t n = 0;
	unsigned int byte;

	for (; s != NULL && s[0] != '\0' && n < max; s += 2) {
		if (sscanf(s, "%2x", &byte) != 1)
			return 0;
		out[n++] = byte;
	}
	return n;
}

static uint32_t
hexlen(const char *s)
{
	return s == NULL ? 0 : strlen(s) / 2;
}

static void
find_algs(const struct e2e_kat *v, struct e2e_spec *sp)
{
	unsigned int i;

	for (i = 0; v->cipher != 0 && i < e2e_nb_ciphers; i++) {
		if (e2e_ciphers[i].algo == v->cipher)
			sp->cipher = &e2e_ciphers[i];
	}
	for (i = 0; v->auth != 0 && i < e2e_nb_auths; i++) {
		if (e2e_auths[i].algo == v->auth)
			sp->auth = &e2e_auths[i];
	}
	for (i = 0; v->aead != 0 && i < e2e_nb_aeads; i++) {
		if (e2e_aeads[i].algo == v->aead)
			sp->aead = &e2e_aeads[i];
	}
}

static void
load(const struct e2e_kat *v, struct kat_run *k)
{
	struct e2e_spec *sp = &k->sp;

	memset(k, 0, sizeof(*k));
	k->v = v;
	find_algs(v, sp);
	sp->key_len = unhex(v->key, sp->key, sizeof(sp->key));
	sp->auth_key_len = unhex(v->auth_key, sp->auth_key, sizeof(sp->auth_key));
	/* An operation cannot carry longer IVs. Their length makes them unsupported. */
	sp->iv_len = v->j0 ? 0 : hexlen(v->iv);
	sp->iv_named = v->iv_named;
	sp->auth_iv_len = hexlen(v->auth_iv);
	unhex(v->iv, k->iv, sizeof(k->iv));
	unhex(v->auth_iv, k->auth_iv, sizeof(k->auth_iv));
	sp->aad_len = unhex(v->aad, k->aad, sizeof(k->aad));
	sp->digest_len = unhex(v->digest, k->digest, sizeof(k->digest));
	k->len = unhex(v->in, k->in, sizeof(k->in));
	unhex(v->out != NULL ? v->out : v->in, k->out, sizeof(k->out));
	sp->iv_off = E2E_PRIV_OFF + 3;
	sp->auth_iv_off = E2E_PRIV_OFF + 96;
}

/* The reference must agree with the document, for algorithms that it has. */
static int
check_reference(struct e2e *t, const struct kat_run *k)
{
	uint32_t off = k->v->c_len > 0 ? k->v->c_off : 0;
	uint32_t len = k->v->c_len > 0 ? k->v->c_len : k->len;
	struct e2e_spec sp = k->sp;
	uint8_t out[1024], digest[64] = { 0 };
	bool ok = true;

	if (k->v->j0 || k->v->fails || (k->v->bits != 0 && sp.auth != NULL))
		return E2E_PASS;
	memcpy(out, k->in, k->len);
	sp.encrypt = true;
	if (sp.aead != NULL)
		ok = e2e_ref_aead_encrypt(&sp, k->iv, k->aad, k->in, out, k->len, digest);
	if (sp.cipher != NULL)
		ok = e2e_ref_cipher(&sp, k->iv, k->in + off, out + off, len);
	if (ok && sp.auth != NULL)
		ok = e2e_ref_auth(&sp, k->auth_iv, out, k->len, digest);
	if (k->v->bits != 0)
		out[k->len - 1] &= 0xff << (8 * k->len - k->v->bits);
	CHECK(t, ok && memcmp(out, k->out, k->len) == 0 &&
	      memcmp(digest, k->digest, sp.digest_len) == 0, "%s: the reference disagrees",
	      k->v->origin);
	return E2E_PASS;
}

/* Puts the vector's bytes where the layout has the data, and random bytes around them. */
static void
place_data(struct e2e *t, const struct kat_run *k, struct e2e_slot *s)
{
	const struct e2e_layout *l = &s->lay;
	uint32_t off = k->sp.cipher != NULL && k->sp.auth != NULL ? l->a_off :
		       k->sp.auth != NULL ? l->a_off : l->c_off;
	bool forward = k->sp.cipher != NULL || k->sp.aead != NULL ? k->sp.encrypt : true;

	e2e_bytes(&t->rng, s->data.in, l->total);
	memcpy(s->data.out, s->data.in, l->total);
	memcpy(s->data.in + off, forward ? k->in : k->out, k->len);
	memcpy(s->data.out + off, forward ? k->out : k->in, k->len);
	memcpy(s->data.iv, k->iv, sizeof(k->iv));
	memcpy(s->data.auth_iv, k->auth_iv, sizeof(k->auth_iv));
	memcpy(s->data.aad, k->aad, k->sp.aad_len);
	memcpy(s->data.digest, k->digest, k->sp.digest_len);
}

static int
run_layout(struct e2e *t, struct kat_run *k, const struct e2e_session *ses,
	   const struct e2e_layout *l)
{
	struct e2e_slot *s = &t->slot[0];

	s->lay = *l;
	if (k->v->fails) {
		s->lay.wrong_digest = false;
		s->lay.bad_digest = true;
	}
	if (k->v->bits != 0 && k->sp.cipher != NULL)
		s->lay.c_cut = 8 * k->len - k->v->bits;
	else if (k->v->bits != 0)
		s->lay.a_cut = 8 * k->len - k->v->bits;
	place_data(t, k, s);
	TRY(e2e_slot_build(t, s, ses, &t->rng));
	TRY(e2e_one(t, t->dev, 0, s));
	k->ops++;
	return E2E_PASS;
}

static int
run_layouts(struct e2e *t, struct kat_run *k, const struct e2e_session *ses)
{
	bool oop_ok = (t->info.feature_flags & RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT) && !t->in_place;
	bool chain = k->sp.cipher != NULL && k->sp.auth != NULL;
	struct e2e_layout l;
	unsigned int i;
	int oop, wrong;

	for (oop = 0; oop <= oop_ok; oop++) {
		for (wrong = 0; wrong <= (k->sp.digest_len > 0 && !k->sp.generate); wrong++) {
			e2e_layout_plain(&k->sp, k->len, oop, &l);
			if (chain) {
				l.c_off = k->v->c_off;
				l.c_len = k->v->c_len;
			}
			l.wrong_digest = wrong;
			TRY(run_layout(t, k, ses, &l));
		}
	}
	for (i = 0; i < 4 && !chain; i++) {
		e2e_layout_random(t, &t->rng, &k->sp, k->len, &l);
		TRY(run_layout(t, k, ses, &l));
	}
	return E2E_PASS;
}

int
e2e_kat_run(struct e2e *t, const struct e2e_kat *v, unsigned int *done, unsigned int *ops)
{
	static struct kat_run k;
	struct e2e_session *ses;
	int reverse, ret;

	load(v, &k);
	if (k.sp.iv_len > sizeof(k.iv) || !e2e_spec_supported(t, &k.sp))
		return E2E_PASS;
	if (v->bits != 0 && !(t->info.feature_flags & RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA))
		return E2E_PASS;
	TRY(check_reference(t, &k));
	for (reverse = v->fails; reverse < 2; reverse++) {
		k.sp.encrypt = k.sp.generate = !reverse;
		/* The vectors encrypt and then authenticate. The reverse direction begins with the
		 * MAC. */
		k.sp.auth_first = reverse;
		ses = e2e_session_open(t, t->dev, &k.sp);
		if (ses == NULL && t->partial && rte_errno == ENOTSUP)
			continue;
		CHECK(t, ses != NULL, "%s: no session for %s", v->origin, e2e_spec_name(&k.sp));
		ret = run_layouts(t, &k, ses);
		if (ret != E2E_PASS && e2e_first_failure(t))
			printf("  vector: %s\n", v->origin);
		if (ret != E2E_PASS)
			return ret;
		e2e_session_close(ses);
	}
	(*done)++;
	*ops += k.ops;
	return E2E_PASS;
}

static int
run_group(struct e2e *t, const void *arg)
{
	const struct e2e_kat *const tables[] = { e2e_kat_cipher, e2e_kat_hash, e2e_kat_aead,
						 e2e_kat_bits };
	const unsigned int n[] = { e2e_nb_kat_cipher, e2e_nb_kat_hash, e2e_nb_kat_aead,
				   e2e_nb_kat_bits };
	unsigned int i, k, all = 0, done = 0, ops = 0;

	for (i = 0; i < RTE_DIM(tables); i++) {
		for (k = 0; k < n[i]; k++) {
			if (strcmp(tables[i][k].group, arg) != 0)
				continue;
			all++;
			TRY(e2e_kat_run(t, &tables[i][k], &done, &ops));
		}
	}
	if (all == 0)
		return e2e_skip(t, "no known answers");
	if (done == 0)
		return e2e_skip(t, "not in the device's capabilities");
	e2e_note(t, "%u of %u vectors, %u ops", done, all, ops);
	return E2E_PASS;
}

static void
add_group(const char *group)
{
	static char names[128][32];
	static unsigned int n;

	RTE_VERIFY(n < RTE_DIM(names));
	snprintf(names[n], sizeof(names[n]), "kat/%s", group);
	e2e_add(names[n++], run_group, group, false);
}

/* Adds a group for each algorithm, by its name in algs.c, and one for chains. */
void
e2e_add_kat(void)
{
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers; i++)
		add_group(e2e_ciphers[i].name);
	for (i = 0; i < e2e_nb_auths; i++) {
		if (e2e_auths[i].algo != RTE_CRYPTO_AUTH_NULL) /* it has no digest */
			add_group(e2e_auths[i].name);
	}
	for (i = 0; i < e2e_nb_aeads; i++)
		add_group(e2e_aeads[i].name);
	add_group("chain");
	add_group("bits");
}
