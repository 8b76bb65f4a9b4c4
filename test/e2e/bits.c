/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests offsets and lengths of the wireless algorithms that are not whole bytes, over random
 * layouts and against the tests' own reference. Each algorithm runs alone and in chains, also with
 * algorithms that work on bytes. The bits around a region must not change. Further tests check what
 * must be refused.
 */

#include <rte_dev.h>
#include <rte_errno.h>

#include "e2e.h"

#define FLAG RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA

struct pool {
	struct e2e_session *ses[64];
	unsigned int n;
};

/* Takes bits away from both ends of a region of len bytes. At least one bit, or min bytes, stay. */
static void
cut_region(struct e2e_rng *r, uint32_t len, uint32_t min, uint8_t *bit, uint8_t *cut)
{
	*bit = e2e_chance(r, 3) ? 0 : e2e_range(r, 0, 7);
	*cut = e2e_chance(r, 3) ? 0 : e2e_range(r, 0, 7);
	if (min > 1 ? len < min + 2 : len == 1 && *bit + *cut > 7)
		*bit = *cut = 0;
}

static void
cut_layout(struct e2e_rng *r, const struct e2e_spec *s, struct e2e_layout *l)
{
	if (e2e_cipher_in_bits(s))
		cut_region(r, l->c_len, 1, &l->c_bit, &l->c_cut);
	if (e2e_auth_in_bits(s))
		cut_region(r, l->a_len, s->auth->min, &l->a_bit, &l->a_cut);
}

static int
fill(struct e2e *t, struct e2e_slot *s, void *arg)
{
	const struct pool *p = arg;
	const struct e2e_session *ses = p->ses[e2e_range(&t->rng, 0, p->n - 1)];
	uint32_t len = e2e_random_length(&t->rng, &ses->spec, 3000);
	struct e2e_layout l;

	e2e_layout_random(t, &t->rng, &ses->spec, len, &l);
	cut_layout(&t->rng, &ses->spec, &l);
	return e2e_slot_fill(t, s, ses, &l, &t->rng);
}

static int
open_session(struct e2e *t, struct pool *p, struct e2e_spec *sp)
{
	if (p->n == RTE_DIM(p->ses) || !e2e_spec_random(t, sp))
		return E2E_PASS;
	p->ses[p->n] = e2e_session_open(t, t->dev, sp);
	CHECK(t, p->ses[p->n] != NULL, "no session for %s: %s", e2e_spec_name(sp),
	      rte_strerror(rte_errno));
	p->n++;
	return E2E_PASS;
}

static int
run(struct e2e *t, struct pool *p)
{
	unsigned int i, ops = t->rounds * 4;

	if (p->n == 0)
		return e2e_skip(t, "not in the device's capabilities");
	if (t->partial && (t->info.feature_flags & FLAG) == 0)
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA");
	CHECK(t, t->info.feature_flags & FLAG, "no RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA");
	TRY(e2e_pump(t, t->dev, 0, ops, fill, p));
	for (i = 0; i < p->n; i++)
		e2e_session_close(p->ses[i]);
	e2e_note(t, "%u sessions, %u ops", p->n, ops);
	return E2E_PASS;
}

static int
test_cipher(struct e2e *t, const void *arg)
{
	struct pool p = { .n = 0 };
	unsigned int i;

	for (i = 0; i < 8; i++) {
		struct e2e_spec sp = { .cipher = arg, .encrypt = i & 1 };

		TRY(open_session(t, &p, &sp));
	}
	return run(t, &p);
}

static int
test_auth(struct e2e *t, const void *arg)
{
	struct pool p = { .n = 0 };
	unsigned int i;

	for (i = 0; i < 12; i++) {
		struct e2e_spec sp = { .auth = arg, .generate = i & 1 };

		TRY(open_session(t, &p, &sp));
	}
	return run(t, &p);
}

/* Chains a cipher with bits and every authentication, or an authentication with bits and every
 * cipher. */
static int
test_chain(struct e2e *t, const void *arg)
{
	const unsigned int n = RTE_MAX(e2e_nb_auths, e2e_nb_ciphers);
	struct pool p = { .n = 0 };
	unsigned int i;

	for (i = 0; i < 8 * n; i++) {
		const unsigned int other = e2e_range(&t->rng, 0, n - 1);
		struct e2e_spec sp = {
			.encrypt = i & 1, .generate = i & 2, .auth_first = i & 4,
			.cipher = &e2e_ciphers[other % e2e_nb_ciphers],
			.auth = &e2e_auths[other % e2e_nb_auths],
		};

		if (e2e_chance(&t->rng, 2))
			sp.cipher = arg;
		else
			sp.auth = &e2e_auths[e2e_range(&t->rng, 0, e2e_nb_auths - 1)];
		if (e2e_cipher_in_bits(&sp) || e2e_auth_in_bits(&sp))
			TRY(open_session(t, &p, &sp));
	}
	return run(t, &p);
}

/* Sends one operation with odd bits. It must come back with this status. */
static int
send_odd(struct e2e *t, uint8_t dev, const struct e2e_session *ses, uint8_t status)
{
	struct e2e_slot *s = &t->slot[0];
	struct e2e_layout l;

	e2e_layout_plain(&ses->spec, 40, false, &l);
	l.c_bit = 3;
	l.must_fail = status != RTE_CRYPTO_OP_STATUS_SUCCESS;
	TRY(e2e_slot_fill(t, s, ses, &l, &t->rng));
	s->want = status;
	TRY(e2e_one(t, dev, 0, s));
	e2e_slot_clear(s);
	return E2E_PASS;
}

static int
send_even(struct e2e *t, uint8_t dev, const struct e2e_session *ses)
{
	struct e2e_slot *s = &t->slot[0];
	struct e2e_layout l;

	e2e_layout_plain(&ses->spec, 40, false, &l);
	TRY(e2e_slot_fill(t, s, ses, &l, &t->rng));
	TRY(e2e_one(t, dev, 0, s));
	e2e_slot_clear(s);
	return E2E_PASS;
}

static bool
wireless_spec(struct e2e *t, struct e2e_spec *sp)
{
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers; i++) {
		*sp = (struct e2e_spec){ .cipher = &e2e_ciphers[i], .encrypt = true };
		if (e2e_cipher_in_bits(sp) && e2e_spec_random(t, sp))
			return true;
	}
	return false;
}

static int
without_bits(struct e2e *t, uint8_t dev, const struct e2e_spec *sp)
{
	struct rte_cryptodev_info info;
	struct e2e_session *ses;

	rte_cryptodev_info_get(dev, &info);
	CHECK(t, (info.feature_flags & FLAG) == 0, "the device has the flag without the feature");
	TRY(e2e_dev_setup(t, dev, 1, 64));
	ses = e2e_session_open(t, dev, sp);
	CHECK(t, ses != NULL, "no session");
	TRY(send_odd(t, dev, ses, RTE_CRYPTO_OP_STATUS_INVALID_ARGS));
	TRY(send_even(t, dev, ses));
	e2e_session_close(ses);
	return E2E_PASS;
}

/* Some firmware has the algorithms without their bits. */
static int
test_old_firmware(struct e2e *t, const void *arg)
{
	static const char name[] = "crypto_accel_no_bits";
	struct e2e_spec sp;
	int ret, dev;

	if (!e2e_is_vdev(t) || !wireless_spec(t, &sp))
		return e2e_skip(t, "not in the device's capabilities");
	ret = rte_eal_hotplug_add("vdev", name, arg);
	CHECK(t, ret == 0, "devargs '%s' refused: %d", (const char *)arg, ret);
	dev = rte_cryptodev_get_dev_id(name);
	CHECK(t, dev >= 0, "no device");
	ret = without_bits(t, dev, &sp);
	e2e_dev_stop(dev);
	if (rte_eal_hotplug_remove("vdev", name) != 0 && ret == E2E_PASS)
		return e2e_fail(t, __FILE__, __LINE__, "the device cannot be removed");
	return ret;
}

void
e2e_add_bits(void)
{
	static char names[64][40];
	unsigned int i, n = 0;

	for (i = 0; i < e2e_nb_ciphers; i++) {
		const struct e2e_spec sp = { .cipher = &e2e_ciphers[i] };

		if (!e2e_cipher_in_bits(&sp))
			continue;
		snprintf(names[n], sizeof(names[n]), "bits/cipher/%s", e2e_ciphers[i].name);
		e2e_add(names[n++], test_cipher, &e2e_ciphers[i], true);
		snprintf(names[n], sizeof(names[n]), "bits/chain/%s", e2e_ciphers[i].name);
		e2e_add(names[n++], test_chain, &e2e_ciphers[i], true);
	}
	for (i = 0; i < e2e_nb_auths; i++) {
		const struct e2e_spec sp = { .auth = &e2e_auths[i] };

		if (!e2e_auth_in_bits(&sp))
			continue;
		snprintf(names[n], sizeof(names[n]), "bits/auth/%s", e2e_auths[i].name);
		e2e_add(names[n++], test_auth, &e2e_auths[i], true);
	}
	e2e_add("bits/old-firmware", test_old_firmware, "bits=0", true);
}
