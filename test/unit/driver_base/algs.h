/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The algorithms of the contract as a card lists them that has all of each, for tests of the
 * driver. test_engines.c checks the rows against the manual.
 */
#ifndef UNIT_ALGS_H
#define UNIT_ALGS_H

#include "accel_devtree.h"

static const struct accel_hw_alg_info rows[] = {
#define ROW(...) ACCEL_HW_ALG_INFO(__VA_ARGS__),
	ACCEL_HW_SYM_ALGS(ROW)
#undef ROW
};

/* Describes an algorithm as the device tree does, but without data units and bits. */
static struct accel_dt_alg
alg_of(const struct accel_hw_alg_info *row)
{
	return (struct accel_dt_alg){
		.class = (enum accel_alg_class)row->class,
		.block = row->block,
		.key = row->key,
		.iv = row->iv,
		.digest = row->digest,
		.aad = row->aad,
	};
}

static void
list_all_algs(struct accel_devtree *dt)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(rows); i++)
		dt->alg[rows[i].id] = alg_of(&rows[i]);
}

#endif /* UNIT_ALGS_H */
