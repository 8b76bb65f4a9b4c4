/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Describes kinds of asymmetric transforms: the algorithm of the card (manual 8.8), the fields that
 * are components of a context, and the operations. It also describes curves, and the parameter
 * sets of ML-KEM and ML-DSA (FIPS 203, FIPS 204), whose keys the operations have.
 */
#ifndef ACCEL_ASYM_ALG_H
#define ACCEL_ASYM_ALG_H

#include <stdint.h>

#include <rte_crypto_asym.h>

/* Lists the lengths that a session decides. The lengths of results are among them. */
enum accel_asym_size {
	ACCEL_ASYM_MODULUS = 0,
	ACCEL_ASYM_ORDER, /* of a curve, or of DSA's subgroup */
	ACCEL_ASYM_FIELD, /* of a curve */
	ACCEL_ASYM_SIGNATURE, /* EdDSA, ML-DSA */
	ACCEL_ASYM_PRIVATE_KEY, /* ML-KEM, ML-DSA */
	ACCEL_ASYM_PUBLIC_KEY,
	ACCEL_ASYM_KEM_CIPHERTEXT,
	ACCEL_ASYM_KEM_SHARED,
	ACCEL_ASYM_SIZES
};

/* Lists the coordinates of the peer's public key, which a transform may have. */
enum accel_asym_peer {
	ACCEL_ASYM_PEER_X = 0,
	ACCEL_ASYM_PEER_Y,
	ACCEL_ASYM_PEER_COORDINATES
};

/* Says when a field of the transform is a component. */
enum accel_asym_when {
	ACCEL_ASYM_IF_THERE = 0,
	ACCEL_ASYM_REQUIRED,
	ACCEL_ASYM_IF_EXPONENT, /* RSA: the private key has this form, and is there */
	ACCEL_ASYM_IF_QUINTUPLE,
	ACCEL_ASYM_AS_PEER, /* no component: a coordinate of the peer's key, for operations */
};

struct accel_asym_component {
	uint16_t at; /* offset of a rte_crypto_param in struct rte_crypto_asym_xform */
	uint8_t number; /* enum accel_hw_pk_component; of a peer's key: enum accel_asym_peer */
	uint8_t when; /* enum accel_asym_when */
};

/* Lists the operations of all kinds. They are the rows of the table in accel_asym_table.c. */
enum accel_asym_row {
	ACCEL_ASYM_NO_ROW = 0,
	ACCEL_ASYM_RANDOM,
	ACCEL_ASYM_RSA_ENCRYPT,
	ACCEL_ASYM_RSA_DECRYPT,
	ACCEL_ASYM_RSA_SIGN,
	ACCEL_ASYM_RSA_VERIFY,
	ACCEL_ASYM_RSA_RECOVER, /* VERIFY without padding: the result is the signature, decrypted */
	ACCEL_ASYM_MODEX,
	ACCEL_ASYM_MODINV,
	ACCEL_ASYM_DH_PRIVATE,
	ACCEL_ASYM_DH_PUBLIC,
	ACCEL_ASYM_DH_PAIR, /* PUB_KEY_GENERATE without a private key */
	ACCEL_ASYM_DH_SHARED,
	ACCEL_ASYM_DSA_SIGN,
	ACCEL_ASYM_DSA_VERIFY,
	ACCEL_ASYM_ECDSA_SIGN,
	ACCEL_ASYM_ECDSA_VERIFY,
	ACCEL_ASYM_ECDH_PRIVATE,
	ACCEL_ASYM_ECDH_PUBLIC,
	ACCEL_ASYM_ECDH_PAIR,
	ACCEL_ASYM_ECDH_SHARED,
	ACCEL_ASYM_ECDH_CHECK,
	ACCEL_ASYM_EC_MUL,
	ACCEL_ASYM_EC_FIXED, /* the base point, multiplied as for a public key of ECDH */
	ACCEL_ASYM_SM2_ENCRYPT,
	ACCEL_ASYM_SM2_DECRYPT,
	ACCEL_ASYM_SM2_SIGN,
	ACCEL_ASYM_SM2_VERIFY,
	ACCEL_ASYM_EDDSA_SIGN,
	ACCEL_ASYM_EDDSA_VERIFY,
	ACCEL_ASYM_EDDSA_PRIVATE,
	ACCEL_ASYM_EDDSA_PUBLIC,
	ACCEL_ASYM_EDDSA_PAIR,
	ACCEL_ASYM_ML_KEM_PAIR,
	ACCEL_ASYM_ML_KEM_ENCAPS,
	ACCEL_ASYM_ML_KEM_DECAPS,
	ACCEL_ASYM_ML_KEM_CHECK,
	ACCEL_ASYM_ML_DSA_PAIR,
	ACCEL_ASYM_ML_DSA_SIGN,
	ACCEL_ASYM_ML_DSA_VERIFY,
	ACCEL_ASYM_ROWS
};

#define ACCEL_ASYM_OPS 4u /* operation types of one transform */
#define ACCEL_ASYM_COMPONENTS 9u

/* These flags say what a kind has. */
#define ACCEL_ASYM_HAS_MODULUS 1u /* component 0 */
#define ACCEL_ASYM_HAS_ODD_MODULUS 2u /* the modulus must be odd */
#define ACCEL_ASYM_HAS_CURVE 4u /* xform.ec.curve_id */
#define ACCEL_ASYM_HAS_SUBGROUP 8u /* component 1 is the order of the subgroup */
#define ACCEL_ASYM_HAS_CHAIN 16u /* a second transform of the same type may follow */
#define ACCEL_ASYM_CHOOSES 32u /* the first word of an operation is its type */
#define ACCEL_ASYM_HAS_STRINGS 64u /* keys are strings of bytes, not numbers */
#define ACCEL_ASYM_HAS_SET 128u /* a parameter set, struct accel_ml_set */

struct accel_asym_kind {
	uint8_t alg; /* number of manual 8.2; 0: there is no such kind */
	uint8_t has; /* ACCEL_ASYM_HAS_*, ACCEL_ASYM_CHOOSES */
	uint8_t row[ACCEL_ASYM_OPS]; /* enum accel_asym_row by operation type; 0: there is none */
	/* A component at 0 ends the list, since no field of a transform is there. */
	struct accel_asym_component component[ACCEL_ASYM_COMPONENTS];
};

/*
 * This is the number of a kind that is no type of transform: the making of keys for EdDSA.
 * rte_cryptodev has it in the transform for ECDH, with a curve of EdDSA.
 */
#define ACCEL_ASYM_EDDSA_KEYS 31u
#define ACCEL_ASYM_XFORM_TYPES 31u /* all numbers of types of transforms are below this */

/**
 * Return the number of the kind of a transform. It is rte_cryptodev's type, or
 * ACCEL_ASYM_EDDSA_KEYS, or 0 if the driver does not know the type.
 */
unsigned int accel_asym_kind_number(const struct rte_crypto_asym_xform *xform);

/** Find a kind by its number. Return NULL if the driver does not know the kind. */
const struct accel_asym_kind *accel_asym_kind_of(unsigned int number);

/* Describes a curve of rte_cryptodev. */
struct accel_asym_curve {
	uint8_t rte; /* enum rte_crypto_curve_id */
	uint8_t hw; /* enum accel_hw_curve */
	uint8_t order; /* bytes */
	uint8_t field; /* bytes */
	uint8_t signature; /* bytes, EdDSA */
};

/** Find a curve by rte_cryptodev's number. Return NULL if the driver does not know the curve. */
const struct accel_asym_curve *accel_asym_curve_of(unsigned int rte);

/** Return the curve at a place of the driver's table, or NULL after the last curve. */
const struct accel_asym_curve *accel_asym_curve_at(unsigned int place);

/* Describes a parameter set. Lengths are bytes. */
struct accel_ml_set {
	uint8_t alg; /* enum accel_hw_alg */
	uint8_t type; /* enum rte_crypto_ml_kem_type, enum rte_crypto_ml_dsa_type */
	uint8_t hw; /* enum accel_hw_curve */
	uint16_t private_key; /* dk, sk */
	uint16_t public_key; /* ek, pk */
	uint16_t output; /* ciphertext, signature */
};

#define ACCEL_ML_SHARED 32u /* the key that ML-KEM gives to both sides */

/**
 * Find a parameter set by rte_cryptodev's number. Return NULL if the driver does not know the set.
 */
const struct accel_ml_set *accel_ml_set_of(unsigned int alg, unsigned int type);

/**
 * Return the parameter sets of an algorithm that the card has.
 *
 * @param sets the card's sets. Bit n stands for enum accel_hw_curve n.
 * @return the sets. Bit n stands for rte_cryptodev's number n.
 */
uint32_t accel_ml_types(unsigned int alg, uint32_t sets);

#endif /* ACCEL_ASYM_ALG_H */
