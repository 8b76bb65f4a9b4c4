/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes the list of capabilities: see accel_capability_list.h.
 */
#include <string.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "accel_asym_alg.h"
#include "accel_asym_table.h"
#include "accel_capabilities.h"
#include "accel_capability_list.h"
#include "accel_compat.h"
#include "hw/accel_hw.h"

/* Returns the hashes that the card has for an algorithm, as a mask of rte_cryptodev's numbers. */
static uint64_t
hashes(const struct accel_dt_pk *pk)
{
	uint64_t mask = 0;
	int i;

	for (i = 0; i < 64; i++) {
		const struct accel_alg *alg = accel_alg_find(ACCEL_ALG_AUTH, i);

		if (alg != NULL && alg->hw >= ACCEL_DT_AUTH_FIRST &&
		    alg->hw < ACCEL_DT_AUTH_FIRST + 64 &&
		    (pk->hashes >> (alg->hw - ACCEL_DT_AUTH_FIRST) & 1) != 0)
			mask |= UINT64_C(1) << i;
	}
	return mask;
}

static bool
has_curve(const struct accel_dt_pk *pk)
{
	const struct accel_asym_curve *curve;
	unsigned int i;

	for (i = 0; (curve = accel_asym_curve_at(i)) != NULL; i++) {
		if ((pk->curves >> curve->hw & 1) != 0)
			return true;
	}
	return false;
}

/* Fills in the parameter sets. Returns false if tree and table have none in common. */
static bool
set_capability(const struct accel_asym_kind *kind, const struct accel_dt_pk *pk, uint32_t types,
	       struct rte_cryptodev_asymmetric_xform_capability *cap)
{
	const uint32_t sets = accel_ml_types(kind->alg, pk->curves);
	unsigned int i;

	for (i = 0; i < ACCEL_ASYM_OPS; i++) {
		if ((types >> i & 1) != 0)
			accel_ml_set_capability(cap, i, sets);
	}
	return types != 0 && sets != 0;
}

/* Fills in a capability. Returns false if tree and table have nothing in common. */
static bool
capability(unsigned int xform_type, const struct accel_asym_kind *kind,
	   const struct accel_devtree *dt, struct rte_cryptodev_asymmetric_xform_capability *cap)
{
	const struct accel_dt_pk *pk = accel_dt_pk_alg(dt, kind->alg);
	uint32_t types;

	cap->xform_type = (enum rte_crypto_asym_xform_type)xform_type;
	if (kind->alg == ACCEL_HW_RANDOM)
		return dt->random_max != 0;
	if (pk == NULL || ((kind->has & ACCEL_ASYM_HAS_CURVE) != 0 && !has_curve(pk)))
		return false;
	types = accel_asym_op_types(kind, pk->operations);
	cap->op_types = (kind->has & ACCEL_ASYM_CHOOSES) != 0 ? types : 0;
	accel_asym_set_hashes(cap, hashes(pk));
	if ((kind->has & ACCEL_ASYM_HAS_SET) != 0)
		return set_capability(kind, pk, types, cap);
	if (kind->alg == ACCEL_HW_PK_SM2)
		accel_asym_set_sm2(cap);
	if ((kind->has & ACCEL_ASYM_HAS_MODULUS) == 0)
		return types != 0;
	/*
	 * The lengths are rounded up to bytes, since leading zeros are allowed. The session is
	 * checked in bits.
	 */
	cap->modlen.min = (uint16_t)((pk->modulus_min + 7) / 8);
	cap->modlen.max = (uint16_t)((pk->modulus_max + 7) / 8);
	cap->modlen.increment = 1;
	return types != 0 && pk->modulus_max != 0;
}

unsigned int
accel_caps_asym(const struct accel_devtree *dt, struct rte_cryptodev_capabilities *caps)
{
	const struct accel_asym_kind *kind;
	unsigned int i, n = 0;

	for (i = 0; i < ACCEL_ASYM_XFORM_TYPES; i++) {
		struct rte_cryptodev_capabilities cap = { .op = RTE_CRYPTO_OP_TYPE_ASYMMETRIC };

		kind = accel_asym_kind_of(i);
		if (kind == NULL || !capability(i, kind, dt, &cap.asym.xform_capa))
			continue;
		if (caps != NULL)
			caps[n] = cap;
		n++;
	}
	return n;
}

bool
accel_caps_has_asym(const struct accel_devtree *dt)
{
	return dt->nb_pk_qps != 0 && accel_caps_asym(dt, NULL) != 0;
}

struct rte_cryptodev_capabilities *
accel_caps_create(const struct accel_devtree *dt, unsigned int *nb_sym)
{
	const unsigned int nb_asym = accel_caps_has_asym(dt) ? accel_caps_asym(dt, NULL) : 0;
	const size_t nb_max = 2 * accel_capabilities_max() + nb_asym + 2;
	struct rte_cryptodev_capabilities *caps;

	/* The array is zeroed. An entry with the op UNDEFINED ends each list. */
	RTE_BUILD_BUG_ON(RTE_CRYPTO_OP_TYPE_UNDEFINED != 0);
	caps = rte_zmalloc("accel_capabilities", nb_max * sizeof(*caps), 0);
	if (caps == NULL)
		return NULL;
	*nb_sym = accel_capabilities_fill(dt, caps);
	if (nb_asym != 0)
		accel_caps_asym(dt, caps + *nb_sym);
	memcpy(caps + *nb_sym + nb_asym + 1, caps, *nb_sym * sizeof(*caps));
	return caps;
}

const struct rte_cryptodev_capabilities *
accel_caps_enabled(const struct rte_cryptodev_capabilities *caps, unsigned int nb_sym, bool sym,
		   bool asym)
{
	const struct rte_cryptodev_capabilities *end = caps + nb_sym;

	while (end->op != RTE_CRYPTO_OP_TYPE_UNDEFINED)
		end++;
	if (sym)
		return asym ? caps : end + 1;
	return asym ? caps + nb_sym : end;
}
