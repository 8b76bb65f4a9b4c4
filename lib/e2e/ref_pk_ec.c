/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Computes ECDSA, ECDH and multiplication of points for the reference, with OpenSSL's points: see
 * ref_pk.h.
 */
#include <string.h>

#include <openssl/bn.h>
#include <openssl/obj_mac.h>

#include <rte_common.h>

#include "asym_version.h"
#include "ref_pk.h"

static const struct {
	enum rte_crypto_curve_id rte;
	int nid;
} curves[] = {
	{ RTE_CRYPTO_EC_GROUP_SECP192R1, NID_X9_62_prime192v1 },
	{ RTE_CRYPTO_EC_GROUP_SECP224R1, NID_secp224r1 },
	{ RTE_CRYPTO_EC_GROUP_SECP256R1, NID_X9_62_prime256v1 },
	{ RTE_CRYPTO_EC_GROUP_SECP384R1, NID_secp384r1 },
	{ RTE_CRYPTO_EC_GROUP_SECP521R1, NID_secp521r1 },
};

static unsigned int
order_bytes(const struct ref_pk_key *key)
{
	return (unsigned int)(EC_GROUP_order_bits(key->group) + 7) / 8;
}

static unsigned int
field_bytes(const struct ref_pk_key *key)
{
	return (unsigned int)(EC_GROUP_get_degree(key->group) + 7) / 8;
}

/* Compute (x, y) = by_base * G + by_point * (px, py). Either product may be missing. */
static bool
multiply(const struct ref_pk_key *key, const BIGNUM *by_base, const struct ref_pk_number *px,
	 const struct ref_pk_number *py, const BIGNUM *by_point, struct ref_pk_number *x,
	 struct ref_pk_number *y)
{
	EC_POINT *p = EC_POINT_new(key->group), *r = EC_POINT_new(key->group);
	BIGNUM *bx = px != NULL ? ref_pk_bn(px) : BN_new();
	BIGNUM *by = py != NULL ? ref_pk_bn(py) : BN_new();
	BN_CTX *ctx = BN_CTX_new();
	bool ok = p != NULL && r != NULL && ctx != NULL;

	ok = ok && (px == NULL || EC_POINT_set_affine_coordinates(key->group, p, bx, by, ctx) == 1);
	ok = ok &&
	     EC_POINT_mul(key->group, r, by_base, px != NULL ? p : NULL, by_point, ctx) == 1 &&
	     EC_POINT_get_affine_coordinates(key->group, r, bx, by, ctx) == 1 &&
	     ref_pk_put(x, bx, field_bytes(key)) && ref_pk_put(y, by, field_bytes(key));
	BN_free(bx);
	BN_free(by);
	EC_POINT_free(p);
	EC_POINT_free(r);
	BN_CTX_free(ctx);
	return ok;
}

/* Make a random number from 1 to the order less 1, with as many bytes as the order has. */
static bool
scalar(const struct ref_pk_key *key, struct ref_pk_number *number, uint64_t *random)
{
	BIGNUM *value = ref_pk_below(EC_GROUP_get0_order(key->group), random);
	const bool ok = ref_pk_put(number, value, order_bytes(key));

	BN_free(value);
	return ok;
}

/* Make a random private key and its public point. */
static bool
pair(const struct ref_pk_key *key, struct ref_pk_number *d, struct ref_pk_number *x,
     struct ref_pk_number *y, uint64_t *random)
{
	BIGNUM *value = NULL;
	bool ok = scalar(key, d, random);

	value = ref_pk_bn(d);
	ok = ok && multiply(key, value, NULL, NULL, NULL, x, y);
	BN_free(value);
	return ok;
}

static void
set_key(const struct ref_pk_key *key, struct rte_crypto_asym_op *op,
	struct rte_crypto_asym_xform *xform)
{
	asym_set_ecdsa_key(op, xform, ref_pk_in(&key->part[REF_PK_EC_D]),
			   ref_pk_in(&key->part[REF_PK_EC_X]), ref_pk_in(&key->part[REF_PK_EC_Y]));
}

bool
ref_pk_ec_make(struct ref_pk_key *key, uint64_t *random)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(curves); i++) {
		if ((unsigned int)curves[i].rte == key->size)
			key->group = EC_GROUP_new_by_curve_name(curves[i].nid);
	}
	key->xform.ec.curve_id = (enum rte_crypto_curve_id)key->size;
	if (key->group == NULL || !pair(key, &key->part[REF_PK_EC_D], &key->part[REF_PK_EC_X],
					&key->part[REF_PK_EC_Y], random))
		return false;
	if (key->xform.xform_type == RTE_CRYPTO_ASYM_XFORM_ECDSA)
		set_key(key, NULL, &key->xform);
	return true;
}

/* Return the leftmost bits of a digest, as many as the order has. */
static BIGNUM *
digest_bn(const struct ref_pk_key *key, const struct ref_pk_number *digest)
{
	const int bits = EC_GROUP_order_bits(key->group), have = digest->len * 8;
	BIGNUM *z = ref_pk_bn(digest);

	if (z != NULL && have > bits)
		BN_rshift(z, z, have - bits);
	return z;
}

/* Sign a digest with a given k (FIPS 186-5, 6.4.1). */
static bool
ecdsa_sign(const struct ref_pk_key *key, const struct ref_pk_number *digest,
	   const struct ref_pk_number *k, struct ref_pk_number *r, struct ref_pk_number *s)
{
	const BIGNUM *n = EC_GROUP_get0_order(key->group);
	BIGNUM *z = digest_bn(key, digest), *d = ref_pk_bn(&key->part[REF_PK_EC_D]);
	BIGNUM *kb = ref_pk_bn(k), *rb = NULL, *t = BN_new();
	BN_CTX *ctx = BN_CTX_new();
	struct ref_pk_number x, y;
	bool ok = multiply(key, kb, NULL, NULL, NULL, &x, &y);

	rb = ref_pk_bn(&x);
	ok = ok && BN_mod(rb, rb, n, ctx) && BN_mod_mul(t, rb, d, n, ctx) &&
	     BN_mod_add(t, t, z, n, ctx) && BN_mod_inverse(kb, kb, n, ctx) != NULL &&
	     BN_mod_mul(t, t, kb, n, ctx) && ref_pk_put(r, rb, order_bytes(key)) &&
	     ref_pk_put(s, t, order_bytes(key));
	BN_free(z);
	BN_free(d);
	BN_free(kb);
	BN_free(rb);
	BN_free(t);
	BN_CTX_free(ctx);
	return ok;
}

/* Verify a signature of a digest (FIPS 186-5, 6.4.2). */
static bool
ecdsa_verify(const struct ref_pk_key *key, const struct ref_pk_number *digest, const uint8_t *r,
	     const uint8_t *s)
{
	const BIGNUM *n = EC_GROUP_get0_order(key->group);
	const int len = (int)order_bytes(key);
	BIGNUM *z = digest_bn(key, digest), *rb = BN_bin2bn(r, len, NULL);
	BIGNUM *w = BN_bin2bn(s, len, NULL), *u = BN_new(), *v = NULL;
	BN_CTX *ctx = BN_CTX_new();
	struct ref_pk_number x = { 0 }, y;
	bool ok = !BN_is_zero(rb) && BN_cmp(rb, n) < 0 && BN_cmp(w, n) < 0;

	ok = ok && BN_mod_inverse(w, w, n, ctx) != NULL && BN_mod_mul(z, z, w, n, ctx) &&
	     BN_mod_mul(u, rb, w, n, ctx) &&
	     multiply(key, z, &key->part[REF_PK_EC_X], &key->part[REF_PK_EC_Y], u, &x, &y);
	v = ref_pk_bn(&x);
	ok = ok && BN_mod(v, v, n, ctx) && BN_cmp(v, rb) == 0;
	BN_free(z);
	BN_free(rb);
	BN_free(w);
	BN_free(u);
	BN_free(v);
	BN_CTX_free(ctx);
	return ok;
}

static bool
fill_ecdsa(struct ref_pk_job *job, uint64_t *random)
{
	static const uint16_t digests[] = { 20, 28, 32, 48, 64 };
	const struct ref_pk_key *key = job->key;
	struct rte_crypto_ecdsa_op_param *ecdsa = &job->asym.ecdsa;
	bool ok = scalar(key, &job->in[1], random);

	job->in[0].len = digests[ref_pk_random(random) % RTE_DIM(digests)];
	ref_pk_bytes(random, job->in[0].data, job->in[0].len);
	ecdsa->message = ref_pk_in(&job->in[0]);
	set_key(key, &job->asym, NULL);
	ecdsa->op_type = job->type == 0 ? RTE_CRYPTO_ASYM_OP_SIGN : RTE_CRYPTO_ASYM_OP_VERIFY;
	if (ecdsa->op_type == RTE_CRYPTO_ASYM_OP_SIGN) {
		ecdsa->r = ref_pk_out(job, 0);
		ecdsa->s = ref_pk_out(job, 1);
		job->judged = ref_pk_random(random) % 2 == 0; /* the device chooses k */
		if (!job->judged)
			ecdsa->k = ref_pk_in(&job->in[1]);
		return ok && ecdsa_sign(key, &job->in[0], &job->in[1], &job->expect[0],
					&job->expect[1]);
	}
	ok = ok && ecdsa_sign(key, &job->in[0], &job->in[1], &job->in[2], &job->in[3]);
	ecdsa->r = ref_pk_in(&job->in[2]);
	ecdsa->s = ref_pk_in(&job->in[3]);
	if (ref_pk_random(random) % 4 == 0) {
		job->in[0].data[0] ^= 0x20;
		job->want = RTE_CRYPTO_OP_STATUS_ERROR;
	}
	return ok;
}

/* Fill in an operation in which the device makes a private key, or both keys. */
static bool
fill_generate(struct ref_pk_job *job, bool both)
{
	struct rte_crypto_ecdh_op_param *ecdh = &job->asym.ecdh;

	job->judged = true;
	ecdh->priv_key = ref_pk_out(job, 0);
	job->expect[0].len = (uint16_t)order_bytes(job->key);
	if (!both)
		return true;
	ecdh->pub_key.x = ref_pk_out(job, 1);
	/* Both coordinates lie in out[1], first x, then y. Each has a length of its own. */
	ecdh->pub_key.x.length = field_bytes(job->key);
	ecdh->pub_key.y.data = job->out[1] + field_bytes(job->key);
	ecdh->pub_key.y.length = field_bytes(job->key);
	job->expect[1].len = (uint16_t)(2 * field_bytes(job->key));
	return true;
}

static bool
fill_ecdh(struct ref_pk_job *job, uint64_t *random)
{
	const struct ref_pk_key *key = job->key;
	struct rte_crypto_ecdh_op_param *ecdh = &job->asym.ecdh;
	BIGNUM *d = NULL;
	bool ok;

	ecdh->ke_type = (enum rte_crypto_asym_ke_type)job->type;
	if (job->type == RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE)
		return fill_generate(job, false);
	if (job->type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE && ref_pk_random(random) % 2 == 0)
		return fill_generate(job, true);
	if (job->type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE) {
		ok = pair(key, &job->in[0], &job->expect[0], &job->expect[1], random);
		ecdh->priv_key = ref_pk_in(&job->in[0]);
		ecdh->pub_key.x = ref_pk_out(job, 0);
		ecdh->pub_key.y = ref_pk_out(job, 1);
		return ok;
	}
	ok = pair(key, &job->in[0], &job->in[1], &job->in[2], random); /* the peer's keys */
	ecdh->pub_key.x = ref_pk_in(&job->in[1]);
	ecdh->pub_key.y = ref_pk_in(&job->in[2]);
	if (job->type == RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY) {
		if (ref_pk_random(random) % 2 == 0) {
			job->in[2].data[job->in[2].len - 1] ^= 1; /* no point of the curve */
			job->want = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
		}
		return ok;
	}
	ecdh->priv_key = ref_pk_in(&key->part[REF_PK_EC_D]);
	ecdh->shared_secret.x = ref_pk_out(job, 0);
	ecdh->shared_secret.y = ref_pk_out(job, 1);
	d = ref_pk_bn(&key->part[REF_PK_EC_D]);
	ok = ok && multiply(key, NULL, &job->in[1], &job->in[2], d, &job->expect[0],
			    &job->expect[1]);
	BN_free(d);
	return ok;
}

static bool
fill_ecpm(struct ref_pk_job *job, uint64_t *random)
{
	const struct ref_pk_key *key = job->key;
	bool ok = pair(key, &job->in[0], &job->in[1], &job->in[2], random);
	BIGNUM *d;

	ok = ok && scalar(key, &job->in[0], random);
	d = ref_pk_bn(&job->in[0]);
	ok = ok && multiply(key, NULL, &job->in[1], &job->in[2], d, &job->expect[0],
			    &job->expect[1]);
	BN_free(d);
	job->asym.ecpm.scalar = ref_pk_in(&job->in[0]);
	job->asym.ecpm.p.x = ref_pk_in(&job->in[1]);
	job->asym.ecpm.p.y = ref_pk_in(&job->in[2]);
	job->asym.ecpm.r.x = ref_pk_out(job, 0);
	job->asym.ecpm.r.y = ref_pk_out(job, 1);
	return ok;
}

bool
ref_pk_ec_fill(struct ref_pk_job *job, uint64_t *random)
{
	switch (job->key->xform.xform_type) {
	case RTE_CRYPTO_ASYM_XFORM_ECDSA:
		return fill_ecdsa(job, random);
	case RTE_CRYPTO_ASYM_XFORM_ECDH:
		return fill_ecdh(job, random);
	default:
		return fill_ecpm(job, random);
	}
}

/* True if the private key is in its range, and the public key, if there is one, belongs to it. */
static bool
judge_pair(const struct ref_pk_job *job)
{
	const struct ref_pk_key *key = job->key;
	const unsigned int field = field_bytes(key);
	BIGNUM *d = BN_bin2bn(job->out[0], (int)order_bytes(key), NULL);
	struct ref_pk_number x, y;
	bool ok = !BN_is_zero(d) && BN_cmp(d, EC_GROUP_get0_order(key->group)) < 0;

	if (ok && job->expect[1].len != 0)
		ok = multiply(key, d, NULL, NULL, NULL, &x, &y) &&
		     memcmp(x.data, job->out[1], field) == 0 &&
		     memcmp(y.data, job->out[1] + field, field) == 0;
	BN_free(d);
	return ok;
}

bool
ref_pk_ec_judge(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done)
{
	const unsigned int order = order_bytes(job->key);

	if (job->key->xform.xform_type == RTE_CRYPTO_ASYM_XFORM_ECDH)
		return done->ecdh.priv_key.length == order && judge_pair(job);
	return done->ecdsa.r.length == order && done->ecdsa.s.length == order &&
	       ecdsa_verify(job->key, &job->in[0], job->out[0], job->out[1]);
}
