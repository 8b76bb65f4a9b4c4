/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Kinds of asymmetric transforms: which algorithm of the card (manual 8.8) each one is, which of
 * its fields are components of a context, which operations there are, and the capabilities that
 * follow from the device tree.
 */
#ifndef ACCEL_ASYM_ALG_H
#define ACCEL_ASYM_ALG_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto_asym.h>
#include <rte_cryptodev.h>

#include "accel_devtree.h"

/* Lengths that a session decides. The results of operations are given in them. */
enum accel_asym_size {
	ACCEL_ASYM_MODULUS = 0,
	ACCEL_ASYM_ORDER, /* of a curve, or of DSA's subgroup */
	ACCEL_ASYM_FIELD, /* of a curve */
	ACCEL_ASYM_SIGNATURE, /* EdDSA */
	ACCEL_ASYM_SIZES
};

/* When a field of the transform is a component. */
enum accel_asym_when {
	ACCEL_ASYM_IF_THERE = 0,
	ACCEL_ASYM_REQUIRED,
	ACCEL_ASYM_IF_EXPONENT, /* RSA: the private key has this form, and is there */
	ACCEL_ASYM_IF_QUINTUPLE,
};

struct accel_asym_component {
	uint16_t at; /* of a rte_crypto_param, in struct rte_crypto_asym_xform */
	uint8_t number; /* enum accel_hw_pk_component */
	uint8_t when; /* enum accel_asym_when */
};

#define ACCEL_ASYM_OPS 4u /* operation types of one transform */
#define ACCEL_ASYM_COMPONENTS 9u

/* What a kind has. */
#define ACCEL_ASYM_HAS_MODULUS 1u /* component 0 */
#define ACCEL_ASYM_HAS_ODD_MODULUS 2u /* which must be odd */
#define ACCEL_ASYM_HAS_CURVE 4u /* xform.ec.curve_id */
#define ACCEL_ASYM_HAS_SUBGROUP 8u /* component 1 is its order */
#define ACCEL_ASYM_HAS_CHAIN 16u /* a second transform of the same type may follow */
#define ACCEL_ASYM_HAS_STRINGS 64u /* its keys are strings of bytes, and no numbers */
#define ACCEL_ASYM_CHOOSES 32u /* the first word of an operation is its type */

struct accel_asym_kind {
	uint8_t alg; /* number of manual 8.2; 0: there is no such kind */
	uint8_t has; /* ACCEL_ASYM_HAS_*, ACCEL_ASYM_CHOOSES */
	uint8_t row[ACCEL_ASYM_OPS]; /* enum accel_asym_row by operation type; 0: there is none */
	struct accel_asym_component component[ACCEL_ASYM_COMPONENTS]; /* number 0xff ends it */
};

#define ACCEL_ASYM_NO_COMPONENT 0xffu

/** Find a kind by rte_cryptodev's type of transform; NULL if the driver does not know it. */
const struct accel_asym_kind *accel_asym_kind_of(unsigned int xform_type);

/* A curve of rte_cryptodev. */
struct accel_asym_curve {
	uint8_t rte; /* enum rte_crypto_curve_id */
	uint8_t hw; /* enum accel_hw_curve */
	uint8_t order; /* bytes */
	uint8_t field; /* bytes */
	uint8_t signature; /* bytes, EdDSA */
};

/** Find a curve by rte_cryptodev's number; NULL if the driver does not know it. */
const struct accel_asym_curve *accel_asym_curve_of(unsigned int rte);

/** Does the card have any asymmetric operation, random numbers included? */
bool accel_asym_any(const struct accel_devtree *dt);

/**
 * Append the capabilities of kinds that table and tree have in common.
 *
 * @param caps zeroed; NULL: count only.
 * @return their number.
 */
unsigned int accel_asym_capabilities(const struct accel_devtree *dt,
				     struct rte_cryptodev_capabilities *caps);

#endif /* ACCEL_ASYM_ALG_H */
