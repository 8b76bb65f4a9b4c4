/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Computes modular exponentiation and inversion, DH and DSA for the reference, with OpenSSL's
 * numbers: see ref_pk.h. DH uses the groups of RFC 3526, and DSA uses those of RFC 5114.
 */
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>

#include <rte_common.h>

#include "ref_pk.h"

#define PRIVATE_BYTES 32u
#define BIG_EXPONENT_MAX 1024u /* with a modulus of at most so many bits, exponents are as long as
			        * the modulus */
#define SMALL_EXPONENT_BYTES 8u

/* Takes a group by its name. A group of DSA has three numbers, and a group of DH has two. */
static bool
take_group(struct ref_pk_key *key, const char *name, bool with_order)
{
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME,
						 (char *)(uintptr_t)name, 0),
		OSSL_PARAM_construct_end(),
	};
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, with_order ? "DHX" : "DH", NULL);
	BIGNUM *p = NULL, *q = NULL, *g = NULL;
	EVP_PKEY *group = NULL;
	bool ok = ctx != NULL && EVP_PKEY_keygen_init(ctx) > 0 &&
		  EVP_PKEY_CTX_set_params(ctx, params) > 0 && EVP_PKEY_generate(ctx, &group) > 0;

	ok = ok && EVP_PKEY_get_bn_param(group, OSSL_PKEY_PARAM_FFC_P, &p) == 1 &&
	     EVP_PKEY_get_bn_param(group, OSSL_PKEY_PARAM_FFC_G, &g) == 1 &&
	     ref_pk_put(&key->part[REF_PK_PRIME], p, 0) &&
	     ref_pk_put(&key->part[REF_PK_BASE], g, 0);
	if (with_order)
		ok = ok && EVP_PKEY_get_bn_param(group, OSSL_PKEY_PARAM_FFC_Q, &q) == 1 &&
		     ref_pk_put(&key->part[REF_PK_ORDER], q, 0);
	BN_free(p);
	BN_free(q);
	BN_free(g);
	EVP_PKEY_free(group);
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

/* Computes result = base^exponent mod modulus, with as many bytes as the modulus has. */
static bool
exponentiate(struct ref_pk_number *result, const struct ref_pk_number *base,
	     const struct ref_pk_number *exponent, const struct ref_pk_number *modulus)
{
	BIGNUM *b = ref_pk_bn(base), *e = ref_pk_bn(exponent), *m = ref_pk_bn(modulus);
	BIGNUM *r = BN_new();
	BN_CTX *ctx = BN_CTX_new();
	const bool ok = BN_mod_exp(r, b, e, m, ctx) == 1 && ref_pk_put(result, r, modulus->len);

	BN_free(b);
	BN_free(e);
	BN_free(m);
	BN_free(r);
	BN_CTX_free(ctx);
	return ok;
}

/* Holds the numbers that a DSA signature needs. */
struct dsa {
	BN_CTX *ctx;
	BIGNUM *p, *q, *g, *x, *y, *z, *r, *s, *t, *u;
};

static bool
dsa_open(struct dsa *d, const struct ref_pk_key *key)
{
	d->ctx = BN_CTX_new();
	d->p = ref_pk_bn(&key->part[REF_PK_PRIME]);
	d->q = ref_pk_bn(&key->part[REF_PK_ORDER]);
	d->g = ref_pk_bn(&key->part[REF_PK_BASE]);
	d->x = ref_pk_bn(&key->part[REF_PK_X]);
	d->y = ref_pk_bn(&key->part[REF_PK_Y]);
	d->z = BN_new();
	d->r = BN_new();
	d->s = BN_new();
	d->t = BN_new();
	d->u = BN_new();
	return d->u != NULL && d->ctx != NULL;
}

static void
dsa_close(struct dsa *d)
{
	BIGNUM **all[] = { &d->p, &d->q, &d->g, &d->x, &d->y, &d->z, &d->r, &d->s, &d->t, &d->u };
	unsigned int i;

	for (i = 0; i < RTE_DIM(all); i++)
		BN_free(*all[i]);
	BN_CTX_free(d->ctx);
}

/* Sets z to the leftmost bits of a digest, as many as the order has. Orders have whole bytes. */
static void
dsa_digest(struct dsa *d, const struct ref_pk_number *digest)
{
	BN_bin2bn(digest->data, RTE_MIN((int)digest->len, BN_num_bytes(d->q)), d->z);
}

/* Signs a digest with a given k (FIPS 186-4, 4.6). */
static bool
dsa_sign(const struct ref_pk_key *key, const struct ref_pk_number *digest,
	 const struct ref_pk_number *k, struct ref_pk_number *r, struct ref_pk_number *s)
{
	const unsigned int order = key->part[REF_PK_ORDER].len;
	BIGNUM *secret = ref_pk_bn(k);
	struct dsa d;
	bool ok = dsa_open(&d, key);

	dsa_digest(&d, digest);
	ok = ok && BN_mod_exp(d.t, d.g, secret, d.p, d.ctx) && BN_mod(d.r, d.t, d.q, d.ctx) &&
	     BN_mod_mul(d.u, d.x, d.r, d.q, d.ctx) && BN_mod_add(d.u, d.u, d.z, d.q, d.ctx) &&
	     BN_mod_inverse(d.t, secret, d.q, d.ctx) != NULL &&
	     BN_mod_mul(d.s, d.t, d.u, d.q, d.ctx) && ref_pk_put(r, d.r, order) &&
	     ref_pk_put(s, d.s, order);
	BN_free(secret);
	dsa_close(&d);
	return ok;
}

/* Verifies a signature of a digest (FIPS 186-4, 4.7). */
static bool
dsa_verify(const struct ref_pk_key *key, const struct ref_pk_number *digest, const uint8_t *r,
	   const uint8_t *s)
{
	const int order = key->part[REF_PK_ORDER].len;
	BIGNUM *w = BN_new(), *v = BN_new();
	struct dsa d;
	bool ok = dsa_open(&d, key) && v != NULL;

	dsa_digest(&d, digest);
	BN_bin2bn(r, order, d.r);
	BN_bin2bn(s, order, d.s);
	ok = ok && !BN_is_zero(d.r) && BN_cmp(d.r, d.q) < 0 &&
	     BN_mod_inverse(w, d.s, d.q, d.ctx) != NULL &&
	     BN_mod_mul(d.t, d.z, w, d.q, d.ctx) && BN_mod_mul(d.u, d.r, w, d.q, d.ctx) &&
	     BN_mod_exp(d.t, d.g, d.t, d.p, d.ctx) && BN_mod_exp(d.u, d.y, d.u, d.p, d.ctx) &&
	     BN_mod_mul(v, d.t, d.u, d.p, d.ctx) && BN_mod(v, v, d.q, d.ctx) &&
	     BN_cmp(v, d.r) == 0;
	BN_free(w);
	BN_free(v);
	dsa_close(&d);
	return ok;
}

static bool
make_modulus(struct ref_pk_key *key, uint64_t *random)
{
	struct ref_pk_number *modulus = &key->part[REF_PK_MODULUS];
	struct ref_pk_number *exponent = &key->part[REF_PK_EXPONENT];

	modulus->len = (uint16_t)(key->size / 8);
	ref_pk_bytes(random, modulus->data, modulus->len);
	modulus->data[0] |= 0x80;
	exponent->len = key->size <= BIG_EXPONENT_MAX ? modulus->len : SMALL_EXPONENT_BYTES;
	ref_pk_bytes(random, exponent->data, exponent->len);
	exponent->data[0] |= 1;
	if (key->xform.xform_type == RTE_CRYPTO_ASYM_XFORM_MODEX) {
		key->xform.modex.modulus = ref_pk_in(modulus);
		key->xform.modex.exponent = ref_pk_in(exponent);
	} else {
		key->xform.modinv.modulus = ref_pk_in(modulus);
	}
	return true;
}

static bool
make_dh(struct ref_pk_key *key)
{
	const bool ok = take_group(key, key->size == 2048 ? "modp_2048" : "modp_3072", false);

	key->xform.dh.p = ref_pk_in(&key->part[REF_PK_PRIME]);
	key->xform.dh.g = ref_pk_in(&key->part[REF_PK_BASE]);
	return ok;
}

static bool
make_dsa(struct ref_pk_key *key, uint64_t *random)
{
	struct rte_crypto_dsa_xform *dsa = &key->xform.dsa;
	bool ok = take_group(key, key->size == 1024 ? "dh_1024_160" : "dh_2048_256", true);
	BIGNUM *order = ref_pk_bn(&key->part[REF_PK_ORDER]);
	BIGNUM *x = ok ? ref_pk_below(order, random) : NULL;

	ok = ok && ref_pk_put(&key->part[REF_PK_X], x, 0) &&
	     exponentiate(&key->part[REF_PK_Y], &key->part[REF_PK_BASE], &key->part[REF_PK_X],
			  &key->part[REF_PK_PRIME]);
	dsa->p = ref_pk_in(&key->part[REF_PK_PRIME]);
	dsa->q = ref_pk_in(&key->part[REF_PK_ORDER]);
	dsa->g = ref_pk_in(&key->part[REF_PK_BASE]);
	dsa->x = ref_pk_in(&key->part[REF_PK_X]);
	BN_free(order);
	BN_free(x);
	return ok;
}

bool
ref_pk_mod_make(struct ref_pk_key *key, uint64_t *random)
{
	switch (key->xform.xform_type) {
	case RTE_CRYPTO_ASYM_XFORM_DH:
		return make_dh(key);
	case RTE_CRYPTO_ASYM_XFORM_DSA:
		return make_dsa(key, random);
	default:
		return make_modulus(key, random);
	}
}

static bool
fill_modex(struct ref_pk_job *job, uint64_t *random)
{
	const struct ref_pk_number *modulus = &job->key->part[REF_PK_MODULUS];

	job->in[0].len = 1 + ref_pk_random(random) % modulus->len;
	ref_pk_bytes(random, job->in[0].data, job->in[0].len);
	job->asym.modex.base = ref_pk_in(&job->in[0]);
	job->asym.modex.result = ref_pk_out(job, 0);
	return exponentiate(&job->expect[0], &job->in[0], &job->key->part[REF_PK_EXPONENT],
			    modulus);
}

/* Fills in an inversion. The device has to refuse a number that has no inverse. */
static bool
fill_modinv(struct ref_pk_job *job, uint64_t *random)
{
	const struct ref_pk_number *modulus = &job->key->part[REF_PK_MODULUS];
	BIGNUM *base, *m = ref_pk_bn(modulus), *inverse;
	BN_CTX *ctx = BN_CTX_new();
	bool ok = true;

	job->in[0].len = modulus->len;
	ref_pk_bytes(random, job->in[0].data, job->in[0].len);
	base = ref_pk_bn(&job->in[0]);
	inverse = BN_mod_inverse(NULL, base, m, ctx);
	if (inverse != NULL)
		ok = ref_pk_put(&job->expect[0], inverse, modulus->len);
	else
		job->want = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	job->asym.modinv.base = ref_pk_in(&job->in[0]);
	job->asym.modinv.result = ref_pk_out(job, 0);
	BN_free(base);
	BN_free(m);
	BN_free(inverse);
	BN_CTX_free(ctx);
	return ok;
}

static bool
fill_dh(struct ref_pk_job *job, uint64_t *random)
{
	const struct ref_pk_number *p = &job->key->part[REF_PK_PRIME];
	const struct ref_pk_number *g = &job->key->part[REF_PK_BASE];
	struct rte_crypto_dh_op_param *dh = &job->asym.dh;

	dh->ke_type = (enum rte_crypto_asym_ke_type)job->type;
	if (job->type == RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE) {
		dh->priv_key = ref_pk_out(job, 0);
		job->expect[0].len = p->len;
		job->judged = true;
		return true;
	}
	if (job->type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE && ref_pk_random(random) % 2 == 0) {
		dh->priv_key = ref_pk_out(job, 0); /* the device makes both keys */
		dh->pub_key = ref_pk_out(job, 1);
		job->expect[0].len = job->expect[1].len = p->len;
		job->judged = true;
		return true;
	}
	job->in[0].len = PRIVATE_BYTES;
	ref_pk_bytes(random, job->in[0].data, PRIVATE_BYTES);
	job->in[0].data[0] |= 1;
	dh->priv_key = ref_pk_in(&job->in[0]);
	if (job->type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE) {
		dh->pub_key = ref_pk_out(job, 0);
		return exponentiate(&job->expect[0], g, &job->in[0], p);
	}
	job->in[2].len = PRIVATE_BYTES; /* the peer's private key */
	ref_pk_bytes(random, job->in[2].data, PRIVATE_BYTES);
	job->in[2].data[0] |= 1;
	dh->shared_secret = ref_pk_out(job, 0);
	if (!exponentiate(&job->in[1], g, &job->in[2], p))
		return false;
	dh->pub_key = ref_pk_in(&job->in[1]);
	return exponentiate(&job->expect[0], &job->in[1], &job->in[0], p);
}

static bool
fill_dsa(struct ref_pk_job *job, uint64_t *random)
{
	static const uint16_t digests[] = { 20, 28, 32, 48, 64 };
	const struct ref_pk_key *key = job->key;
	struct rte_crypto_dsa_op_param *dsa = &job->asym.dsa;
	BIGNUM *order = ref_pk_bn(&key->part[REF_PK_ORDER]), *k = ref_pk_below(order, random);
	bool ok;

	dsa->op_type = job->type == 0 ? RTE_CRYPTO_ASYM_OP_SIGN : RTE_CRYPTO_ASYM_OP_VERIFY;
	job->in[0].len = digests[ref_pk_random(random) % RTE_DIM(digests)];
	ref_pk_bytes(random, job->in[0].data, job->in[0].len);
	dsa->message = ref_pk_in(&job->in[0]);
	dsa->y = ref_pk_in(&key->part[REF_PK_Y]);
	ok = ref_pk_put(&job->in[1], k, 0);
	if (dsa->op_type == RTE_CRYPTO_ASYM_OP_SIGN) {
		dsa->r = ref_pk_out(job, 0);
		dsa->s = ref_pk_out(job, 1);
		job->judged = ref_pk_random(random) % 2 == 0; /* the device chooses k */
		if (!job->judged)
			dsa->k = ref_pk_in(&job->in[1]);
		ok = ok && dsa_sign(key, &job->in[0], &job->in[1], &job->expect[0],
				    &job->expect[1]);
	} else {
		ok = ok && dsa_sign(key, &job->in[0], &job->in[1], &job->in[2], &job->in[3]);
		dsa->r = ref_pk_in(&job->in[2]);
		dsa->s = ref_pk_in(&job->in[3]);
		if (ref_pk_random(random) % 4 == 0) {
			job->in[0].data[0] ^= 1;
			job->want = RTE_CRYPTO_OP_STATUS_ERROR;
		}
	}
	BN_free(order);
	BN_free(k);
	return ok;
}

bool
ref_pk_mod_fill(struct ref_pk_job *job, uint64_t *random)
{
	switch (job->key->xform.xform_type) {
	case RTE_CRYPTO_ASYM_XFORM_MODEX:
		return fill_modex(job, random);
	case RTE_CRYPTO_ASYM_XFORM_MODINV:
		return fill_modinv(job, random);
	case RTE_CRYPTO_ASYM_XFORM_DH:
		return fill_dh(job, random);
	default:
		return fill_dsa(job, random);
	}
}

/* True if the private key is in the range of the group and looks random, and the public key, if
 * there is one, belongs to it. */
static bool
judge_dh(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done)
{
	const struct ref_pk_number *p = &job->key->part[REF_PK_PRIME];
	struct ref_pk_number d = { .len = p->len }, y;
	unsigned int i, set = 0;

	if (done->dh.priv_key.length != p->len || memcmp(job->out[0], p->data, p->len) >= 0)
		return false;
	memcpy(d.data, job->out[0], p->len);
	for (i = 0; i < p->len; i++)
		set += d.data[i] != 0;
	if (set < PRIVATE_BYTES / 2 || job->expect[1].len == 0)
		return set >= PRIVATE_BYTES / 2;
	return exponentiate(&y, &job->key->part[REF_PK_BASE], &d, p) &&
	       done->dh.pub_key.length == y.len && memcmp(y.data, job->out[1], y.len) == 0;
}

bool
ref_pk_mod_judge(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done)
{
	const unsigned int order = job->key->part[REF_PK_ORDER].len;

	if (job->key->xform.xform_type == RTE_CRYPTO_ASYM_XFORM_DH)
		return judge_dh(job, done);
	return done->dsa.r.length == order && done->dsa.s.length == order &&
	       dsa_verify(job->key, &job->in[0], job->out[0], job->out[1]);
}
