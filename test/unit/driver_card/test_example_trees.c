/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The example trees of examples/card as the driver reads them: the small card has what it says, the
 * large one all of the contract, and a tree that lacks a property of the bindings is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <libfdt.h>

#include <rte_malloc.h>

#include "accel_capabilities.h"
#include "accel_capability_list.h"
#include "accel_devtree.h"
#include "driver_base/algs.h"
#include "driver_base/eal.h"

#define BAR_SIZE (1u << 20) /* of the sample card */

/* A blob of dtc, in memory that is aligned as the driver's own copy. */
static union {
	uint64_t word;
	uint8_t byte[ACCEL_HW_DT_SIZE_MAX];
} blob, broken;

static struct accel_devtree dt;

/* Reads the tree of a name, NAME.dtb of the build. @return its bytes. */
static size_t
read_tree(const char *name)
{
	char path[512];
	size_t size;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.dtb", getenv("ACCEL_TEST_TREES"), name);
	f = fopen(path, "rb");
	assert_non_null(f);
	size = fread(blob.byte, 1, sizeof(blob.byte), f);
	fclose(f);
	assert_in_range(size, 1000, sizeof(blob.byte) - 1);
	return size;
}

static void
parse_tree(const char *name)
{
	const size_t size = read_tree(name);

	assert_int_equal(accel_devtree_parse(blob.byte, size, BAR_SIZE, &dt), 0);
}

static void
test_small(void **state)
{
	unsigned int i, nb = 0;

	(void)state;
	parse_tree("small");
	assert_int_equal(dt.nb_qps, 2);
	assert_int_equal(dt.ring_size_max, 16384);
	assert_true(dt.drop_all);
	assert_false(dt.pk || dt.command_upper || dt.command_ring || dt.reports_writes ||
		     dt.wb_auto || dt.aad_in_command || accel_hw_has_chains(&dt));
	assert_int_equal(dt.vf_table | dt.health, 0);
	for (i = 0; i < ACCEL_HW_ALG_NB; i++)
		nb += dt.alg[i].class != ACCEL_ALG_ABSENT;
	assert_int_equal(nb, 3);
	for (i = 0; i < ACCEL_DT_PROTOCOLS; i++)
		assert_false(dt.protocol[i].present);
}

static void
test_large(void **state)
{
	(void)state;
	parse_tree("large");
	assert_int_equal(dt.nb_qps, 16);
	assert_int_equal(dt.nb_pk_qps, 17);
	assert_int_equal(dt.ring_size_max, 1u << 20);
	assert_int_equal(dt.max_fragments, 1024);
	assert_int_equal(dt.max_frame_bytes, 1u << 24);
	assert_int_equal(dt.operation_ms, 5000);
	assert_true(dt.command_upper && dt.command_ring && dt.reports_writes && dt.wb_auto);
	assert_true(dt.chain_cipher_auth && dt.chain_auth_cipher && dt.digest_in_stream &&
		    dt.auth_iv_in_stream && dt.aad_in_command);
	assert_false(dt.drop_all || dt.chains_listed);
	assert_int_equal(dt.vf_table_size / sizeof(struct accel_hw_vf_resources), 256);
	assert_int_equal(dt.vf_qps_all, 2048);
	assert_int_equal(dt.vf_qps_one, 16);
	assert_true(dt.health != 0 && dt.vf_answers != 0 && dt.vf_requests != 0 &&
		    dt.vf_status != 0);
}

/* The large card has each algorithm of the contract with all of its sizes. */
static void
test_large_algorithms(void **state)
{
	unsigned int i, nb = 0;

	(void)state;
	parse_tree("large");
	for (i = 0; i < ACCEL_HW_ALG_NB; i++)
		nb += dt.alg[i].class != ACCEL_ALG_ABSENT;
	assert_int_equal(nb, RTE_DIM(rows));
	for (i = 0; i < RTE_DIM(rows); i++) {
		const struct accel_dt_alg *a = &dt.alg[rows[i].id], want = alg_of(&rows[i]);

		assert_int_equal(a->class, want.class);
		assert_int_equal(a->block, want.block);
		assert_memory_equal(&a->key, &want.key, sizeof(want.key));
		assert_memory_equal(&a->iv, &want.iv, sizeof(want.iv));
		assert_memory_equal(&a->digest, &want.digest, sizeof(want.digest));
		assert_memory_equal(&a->aad, &want.aad, sizeof(want.aad));
		assert_int_equal(a->bits, rows[i].bits);
		assert_int_equal(a->unit_max != 0, rows[i].two_keys);
		assert_int_equal(a->key_iv_listed, rows[i].key_iv[0].key != 0);
		assert_int_equal(a->digest_listed, rows[i].digest_not != 0);
	}
	for (i = 0; i < ACCEL_DT_PROTOCOLS; i++)
		assert_true(dt.protocol[i].present);
	assert_int_equal(dt.esp.options, ACCEL_HW_IPSEC_OPTIONS);
	assert_int_equal(dt.dtls12.replay_window_max, ACCEL_HW_IPSEC_WINDOW_MAX);
}

/* Makes a tree of the driver that has all algorithms, and public keys without a limit. */
static void
list_everything(struct accel_devtree *all)
{
	unsigned int i;

	memset(all, 0, sizeof(*all));
	list_all_algs(all);
	all->sym = all->pk = true;
	all->nb_qps = 16;
	all->nb_pk_qps = 17;
	all->random_max = dt.random_max;
	all->pk_key_size_max = all->pk_operand_size_max = 65536;
	for (i = 0; i < ACCEL_DT_PK_ALGS; i++)
		all->pk_alg[i] = (struct accel_dt_pk){
			.present = true, .operations = UINT32_MAX, .modulus_min = 1,
			.modulus_max = ACCEL_HW_PK_MODULUS_BITS_MAX, .curves = UINT32_MAX,
			.paddings = UINT32_MAX, .variants = UINT32_MAX, .hashes = UINT64_MAX };
}

/* On the large card the driver offers all that it can. */
static void
test_large_capabilities(void **state)
{
	static struct accel_devtree all;
	struct rte_cryptodev_capabilities *have, *want;
	unsigned int nb_have, nb_want, i;

	(void)state;
	parse_tree("large");
	list_everything(&all);
	have = accel_caps_create(&dt, &nb_have);
	want = accel_caps_create(&all, &nb_want);
	assert_non_null(have);
	assert_non_null(want);
	assert_int_equal(nb_have, accel_capabilities_max());
	assert_int_equal(nb_want, nb_have);
	for (i = 0; i < nb_have; i++) {
		/* list_all_algs() has no data units. */
		if (have[i].sym.xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER)
			have[i].sym.cipher.dataunit_set = 0;
		assert_memory_equal(&have[i], &want[i], sizeof(have[i]));
	}
	assert_true(accel_caps_has_asym(&dt));
	assert_int_equal(accel_caps_asym(&dt, NULL), accel_caps_asym(&all, NULL));
	rte_free(have);
	rte_free(want);
}

/* Describes a property that each node with a compatible string has (manual 10). */
struct needed {
	const char *compatible, *name;
	bool needed;
};

/* Parses the tree without a property of a node. @return what the parser says. */
static int
parse_without(size_t size, int node, const char *name)
{
	memcpy(broken.byte, blob.byte, size);
	assert_int_equal(fdt_delprop(broken.byte, node, name), 0);
	return accel_devtree_parse(broken.byte, size, BAR_SIZE, &dt);
}

/* Takes each needed property out of each node of a tree. Cards before 1.5 have no operation-ms. */
static void
break_tree(const char *name, unsigned int least)
{
	static const struct needed table[] = {
#define ROW(node, name, cells, list, needed) { node, name, needed },
		ACCEL_HW_DT_PROPERTIES(ROW)
#undef ROW
	};
	const size_t size = read_tree(name);
	unsigned int i, nb = 0;
	int node;

	for (i = 0; i < RTE_DIM(table); i++) {
		const char *what = table[i].compatible;

		if (!table[i].needed || strcmp(table[i].name, ACCEL_HW_DT_OPERATION_MS) == 0)
			continue;
		for (node = fdt_node_offset_by_compatible(blob.byte, -1, what); node >= 0;
		     node = fdt_node_offset_by_compatible(blob.byte, node, what), nb++) {
			if (parse_without(size, node, table[i].name) == 0)
				fail_msg("%s without %s of %s is taken", name, table[i].name, what);
		}
	}
	assert_in_range(nb, least, UINT32_MAX);
}

static void
test_without_property(void **state)
{
	(void)state;
	break_tree("small", 15);
	break_tree("large", 250);
}

/* Nodes that a card cannot do without, and pages that a node needs. */
static void
test_without_node(void **state)
{
	static const char *const needed[] = { ACCEL_HW_DT_CONTROL, ACCEL_HW_DT_INVALIDATE,
					      ACCEL_HW_DT_DMA };
	static const char *const paged[] = { ACCEL_HW_DT_VF_TABLE, ACCEL_HW_DT_VF_MAILBOX,
					     ACCEL_HW_DT_HEALTH, ACCEL_HW_DT_QP,
					     ACCEL_HW_DT_QP_PK };
	const size_t size = read_tree("large");
	unsigned int i;
	int node;

	(void)state;
	for (i = 0; i < RTE_DIM(needed); i++) {
		node = fdt_node_offset_by_compatible(blob.byte, -1, needed[i]);
		assert_true(node > 0);
		memcpy(broken.byte, blob.byte, size);
		assert_int_equal(fdt_del_node(broken.byte, node), 0);
		assert_true(accel_devtree_parse(broken.byte, size, BAR_SIZE, &dt) < 0);
	}
	for (i = 0; i < RTE_DIM(paged); i++) {
		node = fdt_node_offset_by_compatible(blob.byte, -1, paged[i]);
		assert_true(node > 0);
		assert_int_not_equal(parse_without(size, node, "reg"), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_large_algorithms),
		cmocka_unit_test(test_large_capabilities),
		cmocka_unit_test(test_without_property),
		cmocka_unit_test(test_without_node),
	};

	/* rte_malloc() holds the capabilities. */
	if (start_eal_silent("test_example_trees") < 0)
		return 1;
	return cmocka_run_group_tests_name("example_trees", tests, NULL, NULL);
}
