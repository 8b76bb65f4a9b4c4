/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The driver's parser of what the device tree says of public keys and random numbers: trees as in
 * the manual, wrong values one at a time, and random damage.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <rte_common.h>
#include <rte_log.h>

#include "accel_capability_list.h"
#include "accel_logs.h"
#include "driver_base/fake_card.h"
#include "base/random.h"

#define BAR_SIZE FAKE_PAGE(300)
#define NONE UINT32_MAX /* in place of a cell: the property ends; first: there is none */

/* Properties that a test changes. */
enum {
	KEY_SIZE_MAX,
	OPERAND_SIZE_MAX,
	RSA_ID,
	RSA_OPERATIONS,
	RSA_MODULUS,
	RSA_PADDINGS,
	RSA_HASHES,
	EC_ID,
	EC_OPERATIONS,
	EC_CURVES,
	EC_VARIANTS,
	RANDOM_ID,
	RANDOM_MAX,
	PROPERTIES
};

struct property {
	const char *name;
	uint32_t cell[4];
	unsigned int odd; /* bytes more than the cells */
};

struct tree {
	unsigned int nb_qps, nb_pk_qps, nb_engines, nb_random;
	uint32_t pk_page0; /* 0: as it should be */
	struct property property[PROPERTIES];
};

static const struct tree good = {
	.nb_qps = 2,
	.nb_pk_qps = 3,
	.nb_engines = 1,
	.nb_random = 1,
	.property = {
		[KEY_SIZE_MAX] = { ACCEL_HW_DT_KEY_SIZE_MAX, { 8192, NONE } },
		[OPERAND_SIZE_MAX] = { ACCEL_HW_DT_OPERAND_SIZE_MAX, { 65536, NONE } },
		[RSA_ID] = { ACCEL_HW_DT_ALG_ID, { ACCEL_HW_PK_RSA, NONE } },
		[RSA_OPERATIONS] = { ACCEL_HW_DT_OPERATIONS, { 0x1e, NONE } },
		[RSA_MODULUS] = { ACCEL_HW_DT_MODULUS_BITS, { 1024, 8192, NONE } },
		[RSA_PADDINGS] = { ACCEL_HW_DT_PADDINGS, { 0xf, NONE } },
		[RSA_HASHES] = { ACCEL_HW_DT_HASHES, { ACCEL_HW_AUTH_SHA256, 9, 200, NONE } },
		[EC_ID] = { ACCEL_HW_DT_ALG_ID, { ACCEL_HW_PK_ECDSA, NONE } },
		[EC_OPERATIONS] = { ACCEL_HW_DT_OPERATIONS, { 0x18, NONE } },
		[EC_CURVES] = { ACCEL_HW_DT_CURVES, { ACCEL_HW_CURVE_P256, 77, 31, NONE } },
		[EC_VARIANTS] = { ACCEL_HW_DT_VARIANTS, { NONE } },
		[RANDOM_ID] = { ACCEL_HW_DT_ALG_ID, { ACCEL_HW_RANDOM, NONE } },
		[RANDOM_MAX] = { ACCEL_HW_DT_MAX_BYTES, { 4096, NONE } },
	},
};

static uint8_t blob[ACCEL_HW_DT_SIZE_MAX] __rte_aligned(8);
static struct accel_devtree dt;

static void
put(void *fdt, const struct property *p)
{
	fdt32_t be[5] = { 0 };
	unsigned int n;

	for (n = 0; n < RTE_DIM(p->cell) && p->cell[n] != NONE; n++)
		be[n] = cpu_to_fdt32(p->cell[n]);
	if (n != 0)
		assert_int_equal(fdt_property(fdt, p->name, be, (int)(n * 4 + p->odd)), 0);
}

static void
put_engines(void *fdt, const struct tree *t)
{
	const struct property *p = t->property;
	unsigned int i;

	for (i = 0; i < RTE_MAX(t->nb_engines, 1u); i++) {
		fake_node(fdt, t->nb_engines != 0 ? ACCEL_HW_DT_PK_ENGINES : "maker,other", i);
		put(fdt, &p[KEY_SIZE_MAX]);
		put(fdt, &p[OPERAND_SIZE_MAX]);
		fdt_end_node(fdt);
	}
	fake_node(fdt, ACCEL_HW_DT_PK, 0);
	for (i = RSA_ID; i <= RSA_HASHES; i++)
		put(fdt, &p[i]);
	fdt_end_node(fdt);
	fake_node(fdt, ACCEL_HW_DT_PK, 1);
	for (i = EC_ID; i <= EC_VARIANTS; i++)
		put(fdt, &p[i]);
	fdt_end_node(fdt);
	for (i = 0; i < t->nb_random; i++) {
		fake_node(fdt, ACCEL_HW_DT_RANDOM, i);
		put(fdt, &p[RANDOM_ID]);
		put(fdt, &p[RANDOM_MAX]);
		fdt_end_node(fdt);
	}
}

/* Queue pair n has the pages 2 n + 3 and 2 n + 4, and the public-key ones follow. */
static size_t
write_tree(const struct tree *t)
{
	const struct fake_tree usual = { .nb_qps = 1 };
	unsigned int i;

	memset(blob, 0, sizeof(blob));
	assert_int_equal(fdt_create(blob, sizeof(blob)), 0);
	fdt_finish_reservemap(blob);
	fdt_begin_node(blob, "");
	fdt_property(blob, "compatible", ACCEL_HW_DT_ROOT, sizeof(ACCEL_HW_DT_ROOT));
	FAKE_CELLS(blob, "#address-cells", 1);
	FAKE_CELLS(blob, "#size-cells", 1);
	fake_page(blob, ACCEL_HW_DT_CONTROL, FAKE_PAGE(1));
	fake_page(blob, ACCEL_HW_DT_INVALIDATE, FAKE_PAGE(2));
	fake_dma(blob, &usual);
	for (i = 0; i < t->nb_qps + t->nb_pk_qps; i++) {
		fake_node(blob, i < t->nb_qps ? ACCEL_HW_DT_QP : ACCEL_HW_DT_QP_PK, i);
		FAKE_CELLS(blob, "reg",
			   i == t->nb_qps && t->pk_page0 != 0 ? t->pk_page0 : FAKE_PAGE(2 * i + 3),
			   ACCEL_HW_PAGE_SIZE, FAKE_PAGE(2 * i + 4), ACCEL_HW_PAGE_SIZE);
		fdt_end_node(blob);
	}
	put_engines(blob, t);
	fdt_end_node(blob);
	assert_int_equal(fdt_finish(blob), 0);
	return (fdt_totalsize(blob) + 7) & ~(size_t)7;
}

static int
parse(const struct tree *t)
{
	const size_t size = write_tree(t);

	return accel_devtree_parse(blob, size, BAR_SIZE, &dt);
}

static void
expect_page(unsigned int qp_id, unsigned int place)
{
	assert_true(accel_dt_has_qp(&dt, qp_id));
	assert_int_equal(dt.qp[qp_id].host, FAKE_PAGE(2 * place + 3));
	assert_int_equal(dt.qp[qp_id].device, FAKE_PAGE(2 * place + 4));
	assert_int_equal(accel_dt_qp_number(&dt, qp_id), place);
}

static void
test_good(void **state)
{
	const struct accel_dt_pk *pk;

	(void)state;
	assert_int_equal(parse(&good), 0);
	assert_true(dt.pk);
	assert_int_equal(dt.pk_key_size_max, 8192);
	assert_int_equal(dt.pk_operand_size_max, 65536);
	assert_int_equal(dt.random_max, 4096);
	expect_page(0, 0);
	expect_page(1, 1);
	expect_page(ACCEL_DT_PK_QP, 2);
	expect_page(ACCEL_DT_PK_QP + 1, 3);
	expect_page(ACCEL_DT_OWN_QP, 4);
	assert_false(accel_dt_has_qp(&dt, 2));
	assert_false(accel_dt_has_qp(&dt, ACCEL_DT_PK_QP + 2));
	pk = accel_dt_pk_alg(&dt, ACCEL_HW_PK_RSA);
	assert_int_equal(pk->operations, 0x1e);
	assert_int_equal(pk->modulus_min, 1024);
	assert_int_equal(pk->modulus_max, 8192);
	assert_int_equal(pk->paddings, 0xf);
	assert_int_equal(pk->variants, 1); /* it has no list of them */
	assert_int_equal(pk->hashes, UINT64_C(1) << (ACCEL_HW_AUTH_SHA256 - 64));
	pk = accel_dt_pk_alg(&dt, ACCEL_HW_PK_ECDSA);
	assert_int_equal(pk->curves, 1u << ACCEL_HW_CURVE_P256);
	assert_int_equal(pk->modulus_max, 0);
	assert_int_equal(pk->paddings, 1);
	assert_null(accel_dt_pk_alg(&dt, ACCEL_HW_PK_DH));
	assert_null(accel_dt_pk_alg(&dt, ACCEL_HW_RANDOM));
	assert_null(accel_dt_pk_alg(&dt, ACCEL_HW_PK_RSA - 1));
	assert_int_equal(accel_caps_asym(&dt, NULL), 3);
}

/* Cards without public keys, and trees that lack a part of what belongs together. */
static void
test_parts(void **state)
{
	struct tree t = good;

	(void)state;
	t.nb_engines = 0;
	assert_int_equal(parse(&t), 0);
	assert_false(dt.pk);
	assert_int_equal(dt.nb_pk_qps, 0);
	assert_int_equal(dt.random_max, 0);
	assert_null(accel_dt_pk_alg(&dt, ACCEL_HW_PK_RSA));
	assert_false(accel_dt_has_qp(&dt, ACCEL_DT_PK_QP));
	assert_false(accel_dt_has_qp(&dt, ACCEL_DT_OWN_QP));
	assert_false(accel_caps_has_asym(&dt));

	t = good;
	t.nb_pk_qps = 2;
	assert_int_equal(parse(&t), -EINVAL);
	t.nb_pk_qps = 0;
	assert_int_equal(parse(&t), -EINVAL);
	t.nb_qps = 0; /* a VF that has none */
	assert_int_equal(parse(&t), 0);
	assert_false(accel_caps_has_asym(&dt));
	t = good;
	t.nb_pk_qps = 5; /* the one behind those beside is the driver's */
	assert_int_equal(parse(&t), 0);
	expect_page(ACCEL_DT_OWN_QP, 4);
	t = good;
	t.nb_random = 0;
	assert_int_equal(parse(&t), 0);
	assert_int_equal(dt.random_max, 0);
	assert_int_equal(accel_caps_asym(&dt, NULL), 2);
	t.nb_random = 2;
	assert_int_equal(parse(&t), -EINVAL);
	t = good;
	t.nb_engines = 2;
	assert_int_equal(parse(&t), -EINVAL);
	t = good;
	t.pk_page0 = FAKE_PAGE(1);
	assert_int_equal(parse(&t), -EINVAL);
	t.pk_page0 = BAR_SIZE;
	assert_int_equal(parse(&t), -EINVAL);
	t = good; /* the first of two nodes of an algorithm counts */
	t.property[EC_ID].cell[0] = ACCEL_HW_PK_RSA;
	assert_int_equal(parse(&t), 0);
	assert_int_equal(accel_dt_pk_alg(&dt, ACCEL_HW_PK_RSA)->operations, 0x1e);
}

static void
test_many(void **state)
{
	struct tree t = good;

	(void)state;
	t.nb_qps = 64;
	t.nb_pk_qps = 65;
	assert_int_equal(parse(&t), 0);
	expect_page(63, 63);
	expect_page(ACCEL_DT_PK_QP + 63, 127);
	expect_page(ACCEL_DT_OWN_QP, 128);
	t.nb_qps = 66;
	t.nb_pk_qps = 67;
	assert_int_equal(parse(&t), 0);
	assert_int_equal(dt.nb_qps, 64);
	expect_page(ACCEL_DT_PK_QP, 66);
	expect_page(ACCEL_DT_PK_QP + 63, 129);
	expect_page(ACCEL_DT_OWN_QP, 130);
}

static void
test_wrong(void **state)
{
	static const struct {
		int property;
		uint32_t cell[4];
		unsigned int odd;
	} wrong[] = {
		{ KEY_SIZE_MAX, { NONE }, 0 }, { KEY_SIZE_MAX, { 0, NONE }, 0 },
		{ KEY_SIZE_MAX, { 8192, 1, NONE }, 0 }, { OPERAND_SIZE_MAX, { NONE }, 0 },
		{ OPERAND_SIZE_MAX, { 0, NONE }, 0 }, { OPERAND_SIZE_MAX, { 9, NONE }, 1 },
		{ RSA_ID, { NONE }, 0 }, { RSA_ID, { 127, NONE }, 0 }, { RSA_ID, { 0, NONE }, 0 },
		{ RSA_ID, { ACCEL_HW_RANDOM, NONE }, 0 },
		{ RSA_OPERATIONS, { NONE }, 0 }, { RSA_OPERATIONS, { 1, 1, NONE }, 0 },
		{ RSA_MODULUS, { 1024, NONE }, 0 }, { RSA_MODULUS, { 0, 1024, NONE }, 0 },
		{ RSA_MODULUS, { 1025, 1024, NONE }, 0 }, { RSA_MODULUS, { 1, 2, 3, NONE }, 0 },
		{ RSA_MODULUS, { 8193, 9000, NONE }, 0 }, { RSA_PADDINGS, { 1, 2, NONE }, 0 },
		{ RSA_HASHES, { 64, NONE }, 2 }, { EC_CURVES, { 1, NONE }, 3 },
		{ EC_VARIANTS, { 1, NONE }, 2 }, { RANDOM_ID, { NONE }, 0 },
		{ RANDOM_ID, { ACCEL_HW_PK_RSA, NONE }, 0 }, { RANDOM_MAX, { NONE }, 0 },
		{ RANDOM_MAX, { 0, NONE }, 0 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(wrong); i++) {
		struct tree t = good;

		memcpy(t.property[wrong[i].property].cell, wrong[i].cell, sizeof(wrong[i].cell));
		t.property[wrong[i].property].odd = wrong[i].odd;
		if (parse(&t) != -EINVAL)
			fail_msg("wrong tree number %u is taken", i);
	}
}

/* A later minor version adds algorithms, with properties that this driver cannot read (FN-3). */
static void
test_later(void **state)
{
	static const uint32_t later[] = { ACCEL_HW_RANDOM + 1, 191, 1000, 0xfffffffe };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(later); i++) {
		struct tree t = good;

		t.property[RSA_ID].cell[0] = later[i];
		t.property[RSA_MODULUS].cell[0] = 9000;
		t.property[RSA_OPERATIONS].cell[0] = NONE;
		assert_int_equal(parse(&t), 0);
		assert_null(accel_dt_pk_alg(&dt, ACCEL_HW_PK_RSA));
	}
}

/* Large numbers are bounded by what the driver allocates. */
static void
test_bounds(void **state)
{
	struct tree t = good;

	(void)state;
	t.property[KEY_SIZE_MAX].cell[0] = 0xfffffff0;
	t.property[OPERAND_SIZE_MAX].cell[0] = 0xfffffff0;
	t.property[RANDOM_MAX].cell[0] = 0xfffffff0;
	t.property[RSA_MODULUS].cell[1] = 0xfffffff0;
	assert_int_equal(parse(&t), 0);
	assert_int_equal(dt.pk_key_size_max, 65536);
	assert_int_equal(dt.pk_operand_size_max, 1u << 20);
	assert_int_equal(dt.random_max, 1u << 20);
	assert_int_equal(accel_dt_pk_alg(&dt, ACCEL_HW_PK_RSA)->modulus_max, 8192);
}

/* Damage of any kind: the tree is refused, or what is taken keeps to its bounds. */
static void
test_damage(void **state)
{
	const size_t size = write_tree(&good);
	uint8_t *copy = malloc(size);
	unsigned int round, i, taken = 0;

	(void)state;
	rng_start();
	memcpy(copy, blob, size);
	for (round = 0; round < 20000; round++) {
		memcpy(blob, copy, size);
		for (i = draw(3); i < 3; i++)
			blob[draw((uint32_t)size)] = (uint8_t)draw64();
		if (accel_devtree_parse(blob, size, BAR_SIZE, &dt) != 0)
			continue;
		taken++;
		assert_true(dt.nb_pk_qps == 0 || dt.nb_pk_qps > dt.nb_qps);
		assert_true(dt.pk_key_size_max <= 65536 && dt.random_max <= 1u << 20);
		for (i = 0; i < ACCEL_DT_ALL_QPS; i++) {
			if (!accel_dt_has_qp(&dt, i))
				continue;
			assert_true(dt.qp[i].host < BAR_SIZE && dt.qp[i].device < BAR_SIZE);
		}
		for (i = 0; i < ACCEL_DT_PK_ALGS; i++)
			assert_true(dt.pk_alg[i].modulus_max <= 8192);
		assert_true(accel_caps_asym(&dt, NULL) <= 32);
	}
	assert_true(taken > 100);
	free(copy);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_later),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_damage),
	};

	rte_log_set_level(accel_logtype, RTE_LOG_CRIT);
	return cmocka_run_group_tests_name("public keys in the device tree", tests, NULL, NULL);
}
