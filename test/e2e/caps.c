/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Checks what the device says of itself: the algorithms and features that crypto_accel guarantees,
 * no entry twice (gateways build tables of all pairs), sane ranges, and the budget of memory.
 */

#include "e2e.h"

static bool
key_listed(const struct rte_crypto_param_range *p, uint16_t len)
{
	if (len < p->min || len > p->max)
		return false;
	return len == p->min || (p->increment > 0 && (len - p->min) % p->increment == 0);
}

/* SNOW 3G and KASUMI are in IPsec-MB alone, which is a library for x86. */
#ifdef RTE_ARCH_X86
#define NEEDS_WIRELESS true
#else
#define NEEDS_WIRELESS false
#endif

static int
need_ciphers(struct e2e *t)
{
	unsigned int i, k;

	for (i = 0; i < e2e_nb_ciphers; i++) {
		const struct e2e_cipher_alg *a = &e2e_ciphers[i];
		const struct rte_cryptodev_symmetric_capability *c =
			e2e_cap(t, RTE_CRYPTO_SYM_XFORM_CIPHER, a->algo);

		if (c == NULL && a->ref == E2E_REF_WIRELESS && !NEEDS_WIRELESS)
			continue;
		CHECK(t, c != NULL, "cipher %s is missing", a->name);
		for (k = 0; k < 3 && (k == 0 || a->keys[k] != 0); k++) {
			/* The two-key form of 3DES is not required. */
			if (a->des && a->keys[k] == 16)
				continue;
			CHECK(t, key_listed(&c->cipher.key_size, a->keys[k]),
			      "%s lacks keys of %u bytes", a->name, a->keys[k]);
		}
		CHECK(t, key_listed(&c->cipher.iv_size, a->iv_len), "%s lacks IVs of %u bytes",
		      a->name, a->iv_len);
	}
	return E2E_PASS;
}

static int
need_auths(struct e2e *t)
{
	unsigned int i, k;

	for (i = 0; i < e2e_nb_auths; i++) {
		const struct e2e_auth_alg *a = &e2e_auths[i];
		const struct rte_cryptodev_symmetric_capability *c =
			e2e_cap(t, RTE_CRYPTO_SYM_XFORM_AUTH, a->algo);

		if (c == NULL && a->ref == E2E_REF_WIRELESS && !NEEDS_WIRELESS)
			continue;
		CHECK(t, c != NULL, "auth %s is missing", a->name);
		CHECK(t, key_listed(&c->auth.digest_size, a->digest), "%s lacks its full digest",
		      a->name);
		if (a->ref == E2E_REF_HMAC)
			CHECK(t, key_listed(&c->auth.key_size, 1), "%s lacks keys of 1 byte",
			      a->name);
		for (k = 0; k < 3 && (k == 0 || a->keys[k] != 0); k++)
			CHECK(t, key_listed(&c->auth.key_size, a->keys[k]),
			      "%s lacks keys of %u bytes", a->name, a->keys[k]);
	}
	return E2E_PASS;
}

static int
need_aeads(struct e2e *t)
{
	unsigned int i, k;

	for (i = 0; i < e2e_nb_aeads; i++) {
		const struct e2e_aead_alg *a = &e2e_aeads[i];
		const struct rte_cryptodev_symmetric_capability *c =
			e2e_cap(t, RTE_CRYPTO_SYM_XFORM_AEAD, a->algo);

		CHECK(t, c != NULL, "AEAD %s is missing", a->name);
		for (k = 0; k < 3 && a->keys[k] != 0; k++)
			CHECK(t, key_listed(&c->aead.key_size, a->keys[k]),
			      "%s lacks keys of %u bytes", a->name, a->keys[k]);
		CHECK(t, key_listed(&c->aead.iv_size, 12), "%s lacks IVs of 12 bytes", a->name);
		CHECK(t, key_listed(&c->aead.digest_size, 16), "%s lacks tags of 16", a->name);
		CHECK(t, key_listed(&c->aead.aad_size, 8) && key_listed(&c->aead.aad_size, 12),
		      "%s lacks the AAD sizes of ESP", a->name);
	}
	return E2E_PASS;
}

static int
test_required(struct e2e *t, const void *arg)
{
	static const uint64_t ffs[] = {
		RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO, RTE_CRYPTODEV_FF_SYM_OPERATION_CHAINING,
		RTE_CRYPTODEV_FF_HW_ACCELERATED, RTE_CRYPTODEV_FF_IN_PLACE_SGL,
		RTE_CRYPTODEV_FF_OOP_SGL_IN_SGL_OUT, RTE_CRYPTODEV_FF_OOP_SGL_IN_LB_OUT,
		RTE_CRYPTODEV_FF_OOP_LB_IN_SGL_OUT, RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT,
		RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED, RTE_CRYPTODEV_FF_SYM_SESSIONLESS,
		RTE_CRYPTODEV_FF_SYM_RAW_DP, RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS,
		RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA,
	};
	unsigned int i;

	RTE_SET_USED(arg);
	if (t->partial)
		return e2e_skip(t, "the card may lack any of them (--partial)");
	TRY(need_ciphers(t));
	TRY(need_auths(t));
	TRY(need_aeads(t));
	for (i = 0; i < RTE_DIM(ffs); i++)
		CHECK(t, (t->info.feature_flags & ffs[i]) == ffs[i], "feature flag %s is missing",
		      rte_cryptodev_get_feature_name(ffs[i]));
	e2e_note(t, "%u ciphers, %u auths, %u AEADs, %u features", e2e_nb_ciphers, e2e_nb_auths,
		 e2e_nb_aeads, (unsigned int)RTE_DIM(ffs));
	return E2E_PASS;
}

static int
sym_algo(const struct rte_cryptodev_symmetric_capability *c)
{
	if (c->xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		return c->cipher.algo;
	return c->xform_type == RTE_CRYPTO_SYM_XFORM_AUTH ? (int)c->auth.algo : (int)c->aead.algo;
}

static bool
range_ok(const struct rte_crypto_param_range *p)
{
	return p->min <= p->max && (p->increment > 0 || p->min == p->max) &&
	       (p->increment == 0 || (p->max - p->min) % p->increment == 0);
}

static bool
ranges_ok(const struct rte_cryptodev_symmetric_capability *c)
{
	if (c->xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		return range_ok(&c->cipher.key_size) && range_ok(&c->cipher.iv_size);
	if (c->xform_type == RTE_CRYPTO_SYM_XFORM_AUTH)
		return range_ok(&c->auth.key_size) && range_ok(&c->auth.digest_size) &&
		       range_ok(&c->auth.iv_size);
	return range_ok(&c->aead.key_size) && range_ok(&c->aead.digest_size) &&
	       range_ok(&c->aead.aad_size) && range_ok(&c->aead.iv_size);
}

static int
test_list(struct e2e *t, const void *arg)
{
	const struct rte_cryptodev_capabilities *a, *b;
	unsigned int n = 0;

	RTE_SET_USED(arg);
	CHECK(t, t->info.capabilities != NULL, "no capability array");
	for (a = t->info.capabilities; a->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; a++) {
		if (a->op != RTE_CRYPTO_OP_TYPE_SYMMETRIC)
			continue;
		n++;
		CHECK(t, ranges_ok(&a->sym), "entry %u: invalid range", n);
		for (b = t->info.capabilities; b < a; b++)
			CHECK(t, b->op != a->op || b->sym.xform_type != a->sym.xform_type ||
			      sym_algo(&b->sym) != sym_algo(&a->sym), "entry %u is a duplicate", n);
	}
	CHECK(t, n > 0 || t->partial, "no symmetric algorithm");
	CHECK(t, t->info.max_nb_queue_pairs > 0, "no queue pairs");
	CHECK(t, t->info.sym.max_nb_sessions == 0 || t->info.sym.max_nb_sessions >= 4,
	      "%u sessions", t->info.sym.max_nb_sessions);
	e2e_note(t, "%u symmetric algorithms", n);
	return E2E_PASS;
}

static int
test_memory(struct e2e *t, const void *arg)
{
	uint64_t qp, ses;

	RTE_SET_USED(arg);
	TRY(e2e_memory_measure(t, &qp, &ses));
	CHECK(t, qp > 0, "a queue pair takes no memory");
	CHECK(t, qp <= 1024 * 1024, "a queue pair of 2048 descriptors takes %" PRIu64 " bytes", qp);
	CHECK(t, ses <= 1024, "a session takes %" PRIu64 " bytes", ses);
	e2e_note(t, "%" PRIu64 " bytes per queue pair of 2048, %" PRIu64 " per session", qp, ses);
	return E2E_PASS;
}

void
e2e_add_caps(void)
{
	e2e_add("caps/list", test_list, NULL, false);
	e2e_add("caps/required", test_required, NULL, true);
	e2e_add("caps/memory", test_memory, NULL, true);
}
