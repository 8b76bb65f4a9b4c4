/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the parameter sets of ML-KEM and ML-DSA: see accel_asym_ml.h.
 */
#include <assert.h>
#include <stddef.h>

#include <rte_common.h>

#include "accel_asym_ml.h"
#include "accel_compat.h"
#include "hw/accel_hw.h"

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
