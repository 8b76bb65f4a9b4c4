/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operands and results of asymmetric operations for the driver's fuzz targets: see operation.h.
 * Each lies in an object of its own. A result has the room that its length says, or with length 0
 * exactly what it needs (rte_crypto_asym.h).
 */
#include <string.h>

#include <rte_common.h>

#include "accel_compat.h"
#include "operation.h"
#include "world.h"

#define MODEX_LEN 8u /* these are the sizes of the keys of session_asym.c */
#define MODULUS_LEN 128u
#define ORDER_LEN 20u
#define CURVE_LEN 32u

/* An operand, mostly of its usual length. */
static void
give(struct call *call, rte_crypto_param *p, uint32_t usual)
{
	const uint8_t how = take_u8();
	const uint32_t len = how % 8 == 0 ? operation_some_length() : usual;

	if (how % 8 == 1)
		return; /* it is absent */
	p->data = operation_block(call, len);
	memset(p->data, 3, len);
	p->length = len;
}

/* The place of a result of so many bytes. */
static void
want(struct call *call, rte_crypto_param *p, uint32_t size)
{
	uint32_t len = size;

	switch (take_below(8)) {
	case 0:
		return;
	case 1:
		len = operation_some_length();
		break;
	case 2:
	case 3:
		p->data = operation_block(call, size);
		return;
	default:
		break;
	}
	p->data = operation_block(call, len);
	p->length = len;
}

static void
rsa(struct call *call, struct rte_crypto_rsa_op_param *rsa)
{
	rsa->op_type = take_below(2) == 0 ? RTE_CRYPTO_ASYM_OP_SIGN : RTE_CRYPTO_ASYM_OP_ENCRYPT;
	give(call, &rsa->message, 20);
	want(call, &rsa->cipher, MODULUS_LEN);
	want(call, &rsa->sign, MODULUS_LEN);
}

static void
dh(struct call *call, struct rte_crypto_dh_op_param *dh)
{
	dh->ke_type = take_below(4);
	if (dh->ke_type == RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE) {
		give(call, &dh->priv_key, MODULUS_LEN);
		give(call, &dh->pub_key, MODULUS_LEN);
	} else if (take_below(2) == 0) {
		give(call, &dh->priv_key, MODULUS_LEN);
		want(call, &dh->pub_key, MODULUS_LEN);
	} else {
		want(call, &dh->priv_key, MODULUS_LEN);
		want(call, &dh->pub_key, MODULUS_LEN);
	}
	want(call, &dh->shared_secret, MODULUS_LEN);
}

static void
dsa(struct call *call, struct rte_crypto_dsa_op_param *dsa)
{
	dsa->op_type = take_below(2) == 0 ? RTE_CRYPTO_ASYM_OP_SIGN : RTE_CRYPTO_ASYM_OP_VERIFY;
	give(call, &dsa->message, ORDER_LEN);
	give(call, &dsa->k, ORDER_LEN);
	give(call, &dsa->y, MODULUS_LEN);
	if (dsa->op_type == RTE_CRYPTO_ASYM_OP_SIGN) {
		want(call, &dsa->r, ORDER_LEN);
		want(call, &dsa->s, ORDER_LEN);
	} else {
		give(call, &dsa->r, ORDER_LEN);
		give(call, &dsa->s, ORDER_LEN);
	}
}

static void
ecdsa(struct call *call, struct rte_crypto_ecdsa_op_param *ecdsa)
{
	ecdsa->op_type = take_below(2) == 0 ? RTE_CRYPTO_ASYM_OP_SIGN : RTE_CRYPTO_ASYM_OP_VERIFY;
#if !ACCEL_HAS_EDDSA
	give(call, &ecdsa->pkey, CURVE_LEN);
	give(call, &ecdsa->q.x, CURVE_LEN);
	give(call, &ecdsa->q.y, CURVE_LEN);
#endif
	give(call, &ecdsa->message, CURVE_LEN);
	give(call, &ecdsa->k, CURVE_LEN);
	if (ecdsa->op_type == RTE_CRYPTO_ASYM_OP_SIGN) {
		want(call, &ecdsa->r, CURVE_LEN);
		want(call, &ecdsa->s, CURVE_LEN);
	} else {
		give(call, &ecdsa->r, CURVE_LEN);
		give(call, &ecdsa->s, CURVE_LEN);
	}
}

static void
ecdh(struct call *call, struct rte_crypto_asym_op *asym)
{
	struct rte_crypto_ecdh_op_param *ecdh = &asym->ecdh;

	asym->flags = take_u8() % 8;
	ecdh->ke_type = take_below(5);
	if (ecdh->ke_type == RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE ||
	    (ecdh->ke_type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE && take_below(2) == 0))
		give(call, &ecdh->priv_key, CURVE_LEN);
	else
		want(call, &ecdh->priv_key, CURVE_LEN);
	if (ecdh->ke_type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE) {
		want(call, &ecdh->pub_key.x, CURVE_LEN);
		want(call, &ecdh->pub_key.y, CURVE_LEN);
	} else {
		give(call, &ecdh->pub_key.x, CURVE_LEN);
		give(call, &ecdh->pub_key.y, CURVE_LEN);
	}
	want(call, &ecdh->shared_secret.x, CURVE_LEN);
	want(call, &ecdh->shared_secret.y, CURVE_LEN);
}

static void
ecpm(struct call *call, struct rte_crypto_ecpm_op_param *ecpm)
{
	give(call, &ecpm->scalar, CURVE_LEN);
	give(call, &ecpm->p.x, CURVE_LEN);
	give(call, &ecpm->p.y, CURVE_LEN);
	want(call, &ecpm->r.x, CURVE_LEN);
	want(call, &ecpm->r.y, CURVE_LEN);
}

#if ACCEL_HAS_ML
static void
ml_kem(struct call *call, struct rte_crypto_ml_kem_op *kem)
{
	kem->op = take_below(4);
	if (kem->op == RTE_CRYPTO_ML_KEM_OP_KEYGEN) {
		give(call, &kem->keygen.d, 32);
		give(call, &kem->keygen.z, 32);
		want(call, &kem->keygen.ek, 800);
		want(call, &kem->keygen.dk, 1632);
	} else if (kem->op == RTE_CRYPTO_ML_KEM_OP_ENCAP) {
		give(call, &kem->encap.ek, 800);
		give(call, &kem->encap.message, 32);
		want(call, &kem->encap.cipher, 768);
		want(call, &kem->encap.sk, 32);
	} else if (kem->op == RTE_CRYPTO_ML_KEM_OP_KEYVER) {
		kem->keyver.op = take_below(5);
		give(call, &kem->keyver.key, take_below(2) != 0 ? 800 : 1632);
	} else {
		give(call, &kem->decap.cipher, 768);
		give(call, &kem->decap.dk, 1632);
		want(call, &kem->decap.sk, 32);
	}
}

static void
ml_dsa(struct call *call, struct rte_crypto_ml_dsa_op *dsa)
{
	dsa->op = take_below(4);
	if (dsa->op == RTE_CRYPTO_ML_DSA_OP_KEYGEN) {
		give(call, &dsa->keygen.seed, 32);
		want(call, &dsa->keygen.privkey, 2560);
		want(call, &dsa->keygen.pubkey, 1312);
	} else if (dsa->op == RTE_CRYPTO_ML_DSA_OP_SIGN) {
		give(call, &dsa->siggen.message, 64);
		give(call, &dsa->siggen.ctx, 16);
		give(call, &dsa->siggen.privkey, 2560);
		give(call, &dsa->siggen.seed, 32);
		give(call, &dsa->siggen.mu, 64);
		dsa->siggen.hash = take_below(64);
		want(call, &dsa->siggen.sign, 2420);
	} else {
		give(call, &dsa->sigver.message, 64);
		give(call, &dsa->sigver.sign, 2420);
		give(call, &dsa->sigver.ctx, 16);
		give(call, &dsa->sigver.pubkey, 1312);
		give(call, &dsa->sigver.mu, 64);
		dsa->sigver.hash = take_below(64);
	}
}
#endif

void
operation_make_asym(struct call *call, enum session_kind kind)
{
	struct rte_crypto_asym_op *asym = call->op->asym;

	switch (kind) {
	case SESSION_MODEX:
		give(call, &asym->modex.base, MODEX_LEN - 1);
		want(call, &asym->modex.result, MODEX_LEN);
		break;
	case SESSION_RSA:
		rsa(call, &asym->rsa);
		break;
	case SESSION_DH:
		dh(call, &asym->dh);
		break;
	case SESSION_DSA:
		dsa(call, &asym->dsa);
		break;
	case SESSION_ECDSA:
		ecdsa(call, &asym->ecdsa);
		break;
	case SESSION_ECDH:
		ecdh(call, asym);
		break;
	case SESSION_ECPM:
		ecpm(call, &asym->ecpm);
		break;
#if ACCEL_HAS_ML
	case SESSION_ML_KEM:
		ml_kem(call, &asym->mlkem);
		break;
	case SESSION_ML_DSA:
		ml_dsa(call, &asym->mldsa);
		break;
#endif
	default:
		want(call, &asym->modex.result, operation_some_length());
		break;
	}
}
