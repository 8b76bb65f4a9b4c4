/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the tables of asymmetric transforms, curves and parameter sets: see accel_asym_alg.h.
 */
#include <assert.h>
#include <stddef.h>

#include <rte_common.h>

#include "accel_asym_alg.h"
#include "accel_compat.h"
#include "hw/accel_hw.h"

#define COMPONENT(field, n, w)                                                                     \
	{ .at = offsetof(struct rte_crypto_asym_xform, field), .number = (n), .when = (w) }
/* Lists the operations by rte_cryptodev's types, for algorithms that call them alike. */
#define SIGNS(alg)                                                                                 \
	[RTE_CRYPTO_ASYM_OP_SIGN] = ACCEL_ASYM_##alg##_SIGN,                                       \
	[RTE_CRYPTO_ASYM_OP_VERIFY] = ACCEL_ASYM_##alg##_VERIFY
#define ENCRYPTS(alg)                                                                              \
	[RTE_CRYPTO_ASYM_OP_ENCRYPT] = ACCEL_ASYM_##alg##_ENCRYPT,                                 \
	[RTE_CRYPTO_ASYM_OP_DECRYPT] = ACCEL_ASYM_##alg##_DECRYPT
#define MAKES_KEYS(alg)                                                                            \
	[RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE] = ACCEL_ASYM_##alg##_PRIVATE,                       \
	[RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE] = ACCEL_ASYM_##alg##_PUBLIC
#define EXCHANGES(alg)                                                                             \
	MAKES_KEYS(alg), [RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE] = ACCEL_ASYM_##alg##_SHARED

/*
 * Lists the keys of an elliptic curve as components, for versions of DPDK whose transform has them.
 */
#define EC_KEYS                                                                                    \
	{                                                                                          \
		ACCEL_SINCE_24_11(COMPONENT(ec.pkey, ACCEL_HW_EC_D, ACCEL_ASYM_IF_THERE))          \
		ACCEL_SINCE_24_11(COMPONENT(ec.q.x, ACCEL_HW_EC_X, ACCEL_ASYM_IF_THERE))           \
		ACCEL_SINCE_24_11(COMPONENT(ec.q.y, ACCEL_HW_EC_Y, ACCEL_ASYM_IF_THERE))           \
		{ .at = 0 }                                                                        \
	}
static const struct accel_asym_kind kinds[] = {
	[RTE_CRYPTO_ASYM_XFORM_NONE] = {
		.alg = ACCEL_HW_RANDOM,
		.row = { ACCEL_ASYM_RANDOM },
	},
	[RTE_CRYPTO_ASYM_XFORM_RSA] = {
		.alg = ACCEL_HW_PK_RSA,
		.has = ACCEL_ASYM_HAS_MODULUS | ACCEL_ASYM_HAS_ODD_MODULUS | ACCEL_ASYM_CHOOSES,
		.row = { ENCRYPTS(RSA), SIGNS(RSA) },
		.component = {
			COMPONENT(rsa.n, ACCEL_HW_RSA_N, ACCEL_ASYM_REQUIRED),
			COMPONENT(rsa.e, ACCEL_HW_RSA_E, ACCEL_ASYM_REQUIRED),
			COMPONENT(rsa.d, ACCEL_HW_RSA_D, ACCEL_ASYM_IF_EXPONENT),
			COMPONENT(rsa.qt.p, ACCEL_HW_RSA_P, ACCEL_ASYM_IF_QUINTUPLE),
			COMPONENT(rsa.qt.q, ACCEL_HW_RSA_Q, ACCEL_ASYM_IF_QUINTUPLE),
			COMPONENT(rsa.qt.dP, ACCEL_HW_RSA_DP, ACCEL_ASYM_IF_QUINTUPLE),
			COMPONENT(rsa.qt.dQ, ACCEL_HW_RSA_DQ, ACCEL_ASYM_IF_QUINTUPLE),
			COMPONENT(rsa.qt.qInv, ACCEL_HW_RSA_QINV, ACCEL_ASYM_IF_QUINTUPLE),
		},
	},
	[RTE_CRYPTO_ASYM_XFORM_DH] = {
		.alg = ACCEL_HW_PK_DH,
		.has = ACCEL_ASYM_HAS_MODULUS | ACCEL_ASYM_HAS_ODD_MODULUS |
		       ACCEL_ASYM_HAS_CHAIN | ACCEL_ASYM_CHOOSES,
		.row = { EXCHANGES(DH) },
		.component = {
			COMPONENT(dh.p, ACCEL_HW_DH_P, ACCEL_ASYM_REQUIRED),
			COMPONENT(dh.g, ACCEL_HW_DH_G, ACCEL_ASYM_REQUIRED),
		},
	},
	[RTE_CRYPTO_ASYM_XFORM_DSA] = {
		.alg = ACCEL_HW_PK_DSA,
		.has = ACCEL_ASYM_HAS_MODULUS | ACCEL_ASYM_HAS_ODD_MODULUS |
		       ACCEL_ASYM_HAS_SUBGROUP | ACCEL_ASYM_CHOOSES,
		.row = { SIGNS(DSA) },
		.component = {
			COMPONENT(dsa.p, ACCEL_HW_DSA_P, ACCEL_ASYM_REQUIRED),
			COMPONENT(dsa.q, ACCEL_HW_DSA_Q, ACCEL_ASYM_REQUIRED),
			COMPONENT(dsa.g, ACCEL_HW_DSA_G, ACCEL_ASYM_REQUIRED),
			COMPONENT(dsa.x, ACCEL_HW_DSA_X, ACCEL_ASYM_IF_THERE),
		},
	},
	[RTE_CRYPTO_ASYM_XFORM_MODINV] = {
		.alg = ACCEL_HW_PK_MODINV,
		.has = ACCEL_ASYM_HAS_MODULUS,
		.row = { ACCEL_ASYM_MODINV },
		.component = {
			COMPONENT(modinv.modulus, ACCEL_HW_MOD_MODULUS, ACCEL_ASYM_REQUIRED),
		},
	},
	[RTE_CRYPTO_ASYM_XFORM_MODEX] = {
		.alg = ACCEL_HW_PK_MODEXP,
		.has = ACCEL_ASYM_HAS_MODULUS,
		.row = { ACCEL_ASYM_MODEX },
		.component = {
			COMPONENT(modex.modulus, ACCEL_HW_MOD_MODULUS, ACCEL_ASYM_REQUIRED),
			COMPONENT(modex.exponent, ACCEL_HW_MOD_EXPONENT, ACCEL_ASYM_REQUIRED),
		},
	},
	[RTE_CRYPTO_ASYM_XFORM_ECDSA] = {
		.alg = ACCEL_HW_PK_ECDSA,
		.has = ACCEL_ASYM_HAS_CURVE | ACCEL_ASYM_CHOOSES,
		.row = { SIGNS(ECDSA) },
		.component = EC_KEYS,
	},
	[RTE_CRYPTO_ASYM_XFORM_ECDH] = {
		.alg = ACCEL_HW_PK_ECDH,
		.has = ACCEL_ASYM_HAS_CURVE | ACCEL_ASYM_CHOOSES,
		.row = { EXCHANGES(ECDH),
			 [RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY] = ACCEL_ASYM_ECDH_CHECK },
		/* An operation may have all of these keys, too. */
		.component = {
			ACCEL_SINCE_24_11(COMPONENT(ec.pkey, ACCEL_HW_EC_D, ACCEL_ASYM_IF_THERE))
			ACCEL_SINCE_24_11(COMPONENT(ec.q.x, ACCEL_ASYM_PEER_X, ACCEL_ASYM_AS_PEER))
			ACCEL_SINCE_24_11(COMPONENT(ec.q.y, ACCEL_ASYM_PEER_Y, ACCEL_ASYM_AS_PEER))
			{ .at = 0 },
		},
	},
	[RTE_CRYPTO_ASYM_XFORM_ECPM] = {
		.alg = ACCEL_HW_PK_EC_MUL,
		.has = ACCEL_ASYM_HAS_CURVE,
		.row = { ACCEL_ASYM_EC_MUL },
	},
	[RTE_CRYPTO_ASYM_XFORM_ECFPM] = {
		.alg = ACCEL_HW_PK_ECDH,
		.has = ACCEL_ASYM_HAS_CURVE,
		.row = { ACCEL_ASYM_EC_FIXED },
	},
	ACCEL_SINCE_24_11([RTE_CRYPTO_ASYM_XFORM_SM2] = {
		.alg = ACCEL_HW_PK_SM2,
		.has = ACCEL_ASYM_HAS_CURVE | ACCEL_ASYM_CHOOSES,
		.row = { ENCRYPTS(SM2), SIGNS(SM2) },
		.component = EC_KEYS,
	})
	ACCEL_SINCE_24_11([RTE_CRYPTO_ASYM_XFORM_EDDSA] = {
		.alg = ACCEL_HW_PK_EDDSA,
		.has = ACCEL_ASYM_HAS_CURVE | ACCEL_ASYM_HAS_STRINGS | ACCEL_ASYM_CHOOSES,
		.row = { SIGNS(EDDSA) },
		.component = {
			COMPONENT(ec.pkey, ACCEL_HW_PK_PRIVATE_KEY, ACCEL_ASYM_IF_THERE),
			COMPONENT(ec.q.x, ACCEL_HW_PK_PUBLIC_KEY, ACCEL_ASYM_IF_THERE),
		},
	})
	ACCEL_SINCE_25_11([RTE_CRYPTO_ASYM_XFORM_ML_KEM] = {
		.alg = ACCEL_HW_PK_ML_KEM,
		.has = ACCEL_ASYM_HAS_SET | ACCEL_ASYM_CHOOSES,
		.row = {
			[RTE_CRYPTO_ML_KEM_OP_KEYGEN] = ACCEL_ASYM_ML_KEM_PAIR,
			[RTE_CRYPTO_ML_KEM_OP_ENCAP] = ACCEL_ASYM_ML_KEM_ENCAPS,
			[RTE_CRYPTO_ML_KEM_OP_DECAP] = ACCEL_ASYM_ML_KEM_DECAPS,
			[RTE_CRYPTO_ML_KEM_OP_KEYVER] = ACCEL_ASYM_ML_KEM_CHECK,
		},
	})
	ACCEL_SINCE_25_11([RTE_CRYPTO_ASYM_XFORM_ML_DSA] = {
		.alg = ACCEL_HW_PK_ML_DSA,
		.has = ACCEL_ASYM_HAS_SET | ACCEL_ASYM_CHOOSES,
		.row = {
			[RTE_CRYPTO_ML_DSA_OP_KEYGEN] = ACCEL_ASYM_ML_DSA_PAIR,
			[RTE_CRYPTO_ML_DSA_OP_SIGN] = ACCEL_ASYM_ML_DSA_SIGN,
			[RTE_CRYPTO_ML_DSA_OP_VERIFY] = ACCEL_ASYM_ML_DSA_VERIFY,
		},
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_EDDSA_KEYS] = {
		.alg = ACCEL_HW_PK_EDDSA,
		.has = ACCEL_ASYM_HAS_CURVE | ACCEL_ASYM_HAS_STRINGS | ACCEL_ASYM_CHOOSES,
		.row = { MAKES_KEYS(EDDSA) },
		.component = {
			COMPONENT(ec.pkey, ACCEL_HW_PK_PRIVATE_KEY, ACCEL_ASYM_IF_THERE),
		},
	})
};

static const struct accel_asym_curve curves[] = {
	{ RTE_CRYPTO_EC_GROUP_SECP192R1, ACCEL_HW_CURVE_P192, 24, 24, 0 },
	{ RTE_CRYPTO_EC_GROUP_SECP224R1, ACCEL_HW_CURVE_P224, 28, 28, 0 },
	{ RTE_CRYPTO_EC_GROUP_SECP256R1, ACCEL_HW_CURVE_P256, 32, 32, 0 },
	{ RTE_CRYPTO_EC_GROUP_SECP384R1, ACCEL_HW_CURVE_P384, 48, 48, 0 },
	{ RTE_CRYPTO_EC_GROUP_SECP521R1, ACCEL_HW_CURVE_P521, 66, 66, 0 },
	ACCEL_SINCE_24_11({ RTE_CRYPTO_EC_GROUP_SM2, ACCEL_HW_CURVE_SM2, 32, 32, 0 })
	ACCEL_SINCE_24_11({ RTE_CRYPTO_EC_GROUP_ED25519, ACCEL_HW_CURVE_ED25519, 32, 32, 64 })
	ACCEL_SINCE_24_11({ RTE_CRYPTO_EC_GROUP_ED448, ACCEL_HW_CURVE_ED448, 57, 57, 114 })
};

unsigned int
accel_asym_kind_number(const struct rte_crypto_asym_xform *xform)
{
	const unsigned int type = (unsigned int)xform->xform_type;
	const struct accel_asym_curve *curve;

	if (type >= ACCEL_ASYM_XFORM_TYPES)
		return 0; /* the driver does not know the type */
	if (type != RTE_CRYPTO_ASYM_XFORM_ECDH)
		return type;
	curve = accel_asym_curve_of((unsigned int)xform->ec.curve_id);
	return curve != NULL && curve->signature != 0 ? ACCEL_ASYM_EDDSA_KEYS : type;
}

const struct accel_asym_kind *
accel_asym_kind_of(unsigned int number)
{
	if (number >= RTE_DIM(kinds) || kinds[number].alg == 0)
		return NULL;
	return &kinds[number];
}

const struct accel_asym_curve *
accel_asym_curve_of(unsigned int rte)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(curves); i++) {
		if (curves[i].rte == rte)
			return &curves[i];
	}
	return NULL;
}

const struct accel_asym_curve *
accel_asym_curve_at(unsigned int place)
{
	return place < RTE_DIM(curves) ? &curves[place] : NULL;
}

/* Lengths are those of FIPS 203, table 3, and FIPS 204, table 2. */
static const struct accel_ml_set sets[] = {
	{ ACCEL_HW_PK_ML_KEM, 1, ACCEL_HW_ML_KEM_512, 1632, 800, 768 },
	{ ACCEL_HW_PK_ML_KEM, 2, ACCEL_HW_ML_KEM_768, 2400, 1184, 1088 },
	{ ACCEL_HW_PK_ML_KEM, 3, ACCEL_HW_ML_KEM_1024, 3168, 1568, 1568 },
	{ ACCEL_HW_PK_ML_DSA, 1, ACCEL_HW_ML_DSA_44, 2560, 1312, 2420 },
	{ ACCEL_HW_PK_ML_DSA, 2, ACCEL_HW_ML_DSA_65, 4032, 1952, 3309 },
	{ ACCEL_HW_PK_ML_DSA, 3, ACCEL_HW_ML_DSA_87, 4896, 2592, 4627 },
};

#if ACCEL_HAS_ML
static_assert(RTE_CRYPTO_ML_KEM_512 == 1 && RTE_CRYPTO_ML_KEM_768 == 2 &&
		      RTE_CRYPTO_ML_KEM_1024 == 3 && RTE_CRYPTO_ML_DSA_44 == 1 &&
		      RTE_CRYPTO_ML_DSA_65 == 2 && RTE_CRYPTO_ML_DSA_87 == 3, "the table above");
#endif

const struct accel_ml_set *
accel_ml_set_of(unsigned int alg, unsigned int type)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(sets); i++) {
		if (sets[i].alg == alg && sets[i].type == type)
			return &sets[i];
	}
	return NULL;
}

uint32_t
accel_ml_types(unsigned int alg, uint32_t here)
{
	uint32_t types = 0;
	unsigned int i;

	for (i = 0; i < RTE_DIM(sets); i++) {
		if (sets[i].alg == alg && (here >> sets[i].hw & 1) != 0)
			types |= 1u << sets[i].type;
	}
	return types;
}
