/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Asymmetric sessions for the driver's fuzz targets: see session.h. The device computes nothing, so
 * a key has the right sizes and no more.
 */
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "accel_asym_session.h"
#include "accel_compat.h"
#include "session.h"

static uint8_t small[] = { 0xc1, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09 };
static uint8_t exponent[] = { 1, 0, 1 };
static uint8_t large[128], order[20];

static void
number(rte_crypto_uint *to, uint8_t *data, size_t len)
{
	to->data = data;
	to->length = len;
}

static void
rsa(struct rte_crypto_asym_xform *x)
{
	x->xform_type = RTE_CRYPTO_ASYM_XFORM_RSA;
	number(&x->rsa.n, large, sizeof(large));
	number(&x->rsa.e, exponent, sizeof(exponent));
	number(&x->rsa.d, large, sizeof(large));
	x->rsa.key_type = RTE_RSA_KEY_TYPE_EXP;
}

static void
dsa(struct rte_crypto_asym_xform *x)
{
	x->xform_type = RTE_CRYPTO_ASYM_XFORM_DSA;
	number(&x->dsa.p, large, sizeof(large));
	number(&x->dsa.q, order, sizeof(order));
	number(&x->dsa.g, exponent, sizeof(exponent));
	number(&x->dsa.x, order, sizeof(order));
}

/* A curve. Since 24.11 the transform has the keys, before that the operations have them. */
static void
curve(struct rte_crypto_asym_xform *x, enum rte_crypto_asym_xform_type type)
{
	x->xform_type = type;
	x->ec.curve_id = RTE_CRYPTO_EC_GROUP_SECP256R1;
#if ACCEL_HAS_EDDSA
	if (type == RTE_CRYPTO_ASYM_XFORM_ECDSA) {
		number(&x->ec.pkey, large, 32);
		number(&x->ec.q.x, large + 32, 32);
		number(&x->ec.q.y, large + 64, 32);
	}
#endif
}

/* A parameter set of ML-KEM or ML-DSA; false if DPDK's version has neither. */
static bool
lattice(struct rte_crypto_asym_xform *x, enum session_kind kind)
{
#if ACCEL_HAS_ML
	if (kind == SESSION_ML_KEM) {
		x->xform_type = RTE_CRYPTO_ASYM_XFORM_ML_KEM;
		x->mlkem.type = RTE_CRYPTO_ML_KEM_512;
	} else {
		x->xform_type = RTE_CRYPTO_ASYM_XFORM_ML_DSA;
		x->mldsa.type = RTE_CRYPTO_ML_DSA_44;
		x->mldsa.sign_prehash = true; /* an operation has a hash, mu, or is refused */
	}
	return true;
#else
	(void)x;
	(void)kind;
	return false;
#endif
}

static bool
describe(struct rte_crypto_asym_xform *x, enum session_kind kind)
{
	memset(large, 0xa7, sizeof(large));
	memset(order, 0xa7, sizeof(order));
	switch (kind) {
	case SESSION_MODEX:
		x->xform_type = RTE_CRYPTO_ASYM_XFORM_MODEX;
		number(&x->modex.modulus, small, sizeof(small));
		number(&x->modex.exponent, exponent, sizeof(exponent));
		break;
	case SESSION_RSA:
		rsa(x);
		break;
	case SESSION_DH:
		x->xform_type = RTE_CRYPTO_ASYM_XFORM_DH;
		number(&x->dh.p, large, sizeof(large));
		number(&x->dh.g, exponent, sizeof(exponent));
		break;
	case SESSION_DSA:
		dsa(x);
		break;
	case SESSION_ECDSA:
		curve(x, RTE_CRYPTO_ASYM_XFORM_ECDSA);
		break;
	case SESSION_ECDH:
		curve(x, RTE_CRYPTO_ASYM_XFORM_ECDH);
		break;
	case SESSION_ECPM:
		curve(x, RTE_CRYPTO_ASYM_XFORM_ECPM);
		break;
	case SESSION_ML_KEM:
	case SESSION_ML_DSA:
		return lattice(x, kind);
	default: /* random numbers */
		break;
	}
	return true;
}

void *
session_new_asym(struct rte_cryptodev *cryptodev, enum session_kind kind)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };
	struct rte_cryptodev_asym_session *s;
	size_t size;

	if (!describe(&x, kind))
		return NULL;
	size = RTE_ALIGN_CEIL(sizeof(*s) + accel_asym_session_get_size(cryptodev), 64u);
	s = aligned_alloc(64, size);
	memset(s, 0, size);
	s->driver_id = cryptodev->driver_id;
	if (accel_asym_session_configure(cryptodev, &x, s) == 0)
		return s;
	free(s);
	return NULL;
}
