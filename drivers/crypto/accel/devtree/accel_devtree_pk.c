/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public keys and random numbers in the card's device tree (manual sections 8.8 and 10). The blob
 * is untrusted.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include <rte_common.h>

#include "accel_devtree.h"
#include "accel_devtree_node.h"
#include "accel_logs.h"

/*
 * Larger sizes of a card count as these. The driver allocates memory of these sizes, for the header
 * and components of a context and for all that one operation takes.
 */
#define DT_CAP_KEY_SIZE 65536u
#define DT_CAP_OPERAND_SIZE (1u << 20)
#define DT_CAP_RANDOM (1u << 20)

int
accel_dt_take_pk_engines(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	struct accel_devtree *dt = p->dt;

	if (accel_dt_u32(node, DT_KEY_SIZE_MAX, ACCEL_HW_MIN_MAX_KEY_SIZE, UINT32_MAX,
			 &dt->pk_key_size_max) != 0 ||
	    accel_dt_u32(node, DT_OPERAND_SIZE_MAX, ACCEL_HW_MIN_MAX_OPERAND_SIZE, UINT32_MAX,
			 &dt->pk_operand_size_max) != 0)
		return -EINVAL;
	dt->pk_key_size_max = RTE_MIN(dt->pk_key_size_max, DT_CAP_KEY_SIZE);
	dt->pk_operand_size_max = RTE_MIN(dt->pk_operand_size_max, DT_CAP_OPERAND_SIZE);
	dt->pk = true;
	return 0;
}

/* Reads the sizes of a modulus in bits. A modulus has to fit in a component. */
static int
dt_modulus(const struct accel_dt_node *node, struct accel_dt_pk *pk)
{
	if (!accel_dt_has(node, DT_MODULUS_BITS))
		return 0;
	if (accel_dt_check_cells(node, DT_MODULUS_BITS, 2) != 0)
		return -EINVAL;
	pk->modulus_min = accel_dt_cell(node, DT_MODULUS_BITS, 0);
	pk->modulus_max = accel_dt_cell(node, DT_MODULUS_BITS, 1);
	if (pk->modulus_min == 0 || pk->modulus_min > pk->modulus_max)
		return DT_REFUSE(node, "a modulus of %u to %u bits is no range", pk->modulus_min,
				 pk->modulus_max);
	if (pk->modulus_min > ACCEL_HW_PK_MODULUS_BITS_MAX)
		return DT_REFUSE(node, "a modulus of %u bits or more is above %u", pk->modulus_min,
				 ACCEL_HW_PK_MODULUS_BITS_MAX);
	pk->modulus_max = RTE_MIN(pk->modulus_max, ACCEL_HW_PK_MODULUS_BITS_MAX);
	return 0;
}

static int
dt_optional_u32(const struct accel_dt_node *node, enum accel_dt_prop id, uint32_t *value)
{
	if (!accel_dt_has(node, id))
		return 0;
	return accel_dt_u32(node, id, 0, UINT32_MAX, value);
}

/* Reads the lists that an algorithm may lack. */
static int
dt_pk_lists(const struct accel_dt_node *node, struct accel_dt_pk *pk)
{
	uint64_t curves = 0;

	if (accel_dt_has(node, DT_CURVES) && accel_dt_set(node, DT_CURVES, 0, &curves) != 0)
		return -EINVAL;
	pk->curves = (uint32_t)curves & ((1u << ACCEL_HW_CURVE_NB) - 2);
	if (accel_dt_has(node, DT_HASHES) &&
	    accel_dt_set(node, DT_HASHES, ACCEL_DT_AUTH_FIRST, &pk->hashes) != 0)
		return -EINVAL;
	return 0;
}

int
accel_dt_take_pk(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	/* A card without a list of paddings, or of variants, has only number 0. */
	struct accel_dt_pk pk = { .present = true, .paddings = 1, .variants = 1 };
	uint32_t id;

	if (accel_dt_u32(node, DT_ALG_ID, ACCEL_HW_PK_RSA, UINT32_MAX, &id) != 0)
		return -EINVAL;
	/* Later versions of the contract may add algorithms, with other properties (FN-3). */
	if (id > ACCEL_HW_RANDOM)
		return 0;
	if (id == ACCEL_HW_RANDOM)
		return DT_REFUSE(node, "%s %u is that of random numbers",
				 accel_dt_prop_name[DT_ALG_ID], id);
	if (accel_dt_u32(node, DT_OPERATIONS, 0, UINT32_MAX, &pk.operations) != 0 ||
	    dt_modulus(node, &pk) != 0 ||
	    dt_optional_u32(node, DT_PADDINGS, &pk.paddings) != 0 ||
	    dt_optional_u32(node, DT_VARIANTS, &pk.variants) != 0 || dt_pk_lists(node, &pk) != 0)
		return -EINVAL;
	if (p->dt->pk_alg[id - ACCEL_DT_PK_FIRST].present) {
		ACCEL_LOG(WARNING, "device tree: algorithm %u is listed twice, using the first",
			  id);
		return 0;
	}
	p->dt->pk_alg[id - ACCEL_DT_PK_FIRST] = pk;
	return 0;
}

int
accel_dt_take_random(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	uint32_t id;

	if (accel_dt_u32(node, DT_ALG_ID, ACCEL_HW_RANDOM, ACCEL_HW_RANDOM, &id) != 0 ||
	    accel_dt_u32(node, DT_MAX_BYTES, ACCEL_HW_MIN_MAX_RANDOM, UINT32_MAX,
			 &p->dt->random_max) != 0)
		return -EINVAL;
	p->dt->random_max = RTE_MIN(p->dt->random_max, DT_CAP_RANDOM);
	return 0;
}

int
accel_dt_check_pk(struct accel_dt_parser *p)
{
	struct accel_devtree *dt = p->dt;

	if (!dt->pk) { /* The algorithms need the limits that pk-1 describes. */
		memset(dt->pk_alg, 0, sizeof(dt->pk_alg));
		dt->random_max = 0;
		dt->nb_pk_qps = 0;
		return 0;
	}
	if (dt->nb_qps != 0 && dt->nb_pk_qps <= dt->nb_qps)
		return ACCEL_REFUSE(-EINVAL, "device tree refused: %u public-key queue pairs with "
				    "%u other ones; there must be one more (manual 8.8)",
				    dt->nb_pk_qps, dt->nb_qps);
	if (dt->nb_pk_qps == 0)
		return 0;
	/* The public-key queue pair after the companions is the driver's own. */
	dt->first_pk_qp = dt->nb_qps + p->skipped_qps;
	dt->own_pk_qp = dt->first_pk_qp + dt->nb_qps;
	dt->qp[ACCEL_DT_OWN_QP] = dt->qp[ACCEL_DT_PK_QP + dt->nb_qps];
	return 0;
}

static_assert(ACCEL_HW_RANDOM - ACCEL_HW_PK_RSA == ACCEL_DT_PK_ALGS, "manual 8.2");
static_assert(ACCEL_HW_PK_RSA == ACCEL_DT_PK_FIRST, "manual 8.2");
static_assert(ACCEL_HW_CURVE_NB < 32, "curves are a mask");
