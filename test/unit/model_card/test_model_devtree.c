/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the model's device tree says of algorithms beyond ranges (manual 10): sizes that go
 * together, sizes of digests, lengths of regions.
 */
#include <openssl/crypto.h>

#include "base/ipsec_mb.h"
#include "model_base/model_card.h"

static void
open_with(bool contract_1_0)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_AUTO,
		.contract = contract_1_0 ? ACCEL_MODEL_CONTRACT_1_0 : ACCEL_MODEL_CONTRACT_NEWEST,
	};

	host_open(&h, &config);
}

static int
setup(void **state)
{
	(void)state;
	open_with(false);
	return 0;
}

static const void *
tree(void)
{
	return h.bar + rd32(&h.id->dt_offset);
}

static uint32_t
cell(int node, const char *property)
{
	const fdt32_t *value = fdt_getprop(tree(), node, property, NULL);

	return value != NULL ? fdt32_to_cpu(*value) : 0;
}

static bool
has(int node, const char *property)
{
	return fdt_getprop(tree(), node, property, NULL) != NULL;
}

static int
node_of(uint32_t alg)
{
	int node = -1;

	while ((node = fdt_next_node(tree(), node, NULL)) >= 0) {
		if (cell(node, ACCEL_HW_DT_ALG_ID) == alg)
			return node;
	}
	fail_msg("algorithm %u is not in the tree", alg);
	return -1;
}

/* Checks the cells of a property; nb 0: it is not there. */
static void
expect_cells(uint32_t alg, const char *property, unsigned int nb, const uint32_t *expected)
{
	int len = 0;
	const fdt32_t *value = fdt_getprop(tree(), node_of(alg), property, &len);

	if (nb == 0) {
		assert_null(value);
		return;
	}
	assert_non_null(value);
	assert_int_equal(len, nb * sizeof(*value));
	for (unsigned int i = 0; i < nb; i++)
		assert_int_equal(fdt32_to_cpu(value[i]), expected[i]);
}

#define CELLS(...) (const uint32_t[]){ __VA_ARGS__ }

static void
test_key_iv_sizes(void **state)
{
	(void)state;
	need_ipsec_mb();
	expect_cells(ACCEL_HW_CIPHER_ZUC_EEA3, ACCEL_HW_DT_KEY_IV_SIZES, 4,
		     CELLS(16, 16, 32, 25));
	expect_cells(ACCEL_HW_AUTH_ZUC_EIA3, ACCEL_HW_DT_KEY_IV_SIZES, 4, CELLS(16, 16, 32, 25));
	expect_cells(ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_DT_KEY_IV_SIZES, 0, NULL);
	expect_cells(ACCEL_HW_AEAD_AES_GCM, ACCEL_HW_DT_KEY_IV_SIZES, 0, NULL);
}

static void
test_digest_list(void **state)
{
	(void)state;
	need_ipsec_mb();
	expect_cells(ACCEL_HW_AUTH_ZUC_EIA3, ACCEL_HW_DT_DIGEST_LIST, 3, CELLS(4, 8, 16));
	expect_cells(ACCEL_HW_AUTH_SNOW3G_UIA2, ACCEL_HW_DT_DIGEST_LIST, 0, NULL);
	expect_cells(ACCEL_HW_AUTH_SHA1_HMAC, ACCEL_HW_DT_DIGEST_LIST, 0, NULL);
}

static void
test_region_sizes(void **state)
{
	const uint32_t most = 1u << 20; /* max-frame-bytes */

	(void)state;
	need_ipsec_mb();
	expect_cells(ACCEL_HW_CIPHER_KASUMI_F8, ACCEL_HW_DT_REGION_SIZES, 2, CELLS(1, 2500));
	expect_cells(ACCEL_HW_AUTH_KASUMI_F9, ACCEL_HW_DT_REGION_SIZES, 2, CELLS(9, 2500));
	expect_cells(ACCEL_HW_CIPHER_ZUC_EEA3, ACCEL_HW_DT_REGION_SIZES, 2, CELLS(1, most));
	expect_cells(ACCEL_HW_AUTH_ZUC_EIA3, ACCEL_HW_DT_REGION_SIZES, 2, CELLS(1, most));
	expect_cells(ACCEL_HW_CIPHER_SNOW3G_UEA2, ACCEL_HW_DT_REGION_SIZES, 2, CELLS(1, most));
	expect_cells(ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_DT_REGION_SIZES, 2, CELLS(16, most));
	expect_cells(ACCEL_HW_CIPHER_AES_XTS, ACCEL_HW_DT_REGION_SIZES, 2, CELLS(16, most));
	expect_cells(ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_DT_REGION_SIZES, 0, NULL);
	expect_cells(ACCEL_HW_AUTH_SHA256, ACCEL_HW_DT_REGION_SIZES, 0, NULL);
}

/* Nodes of public keys, whose number is that of the library's algorithms. */
static bool
of_pk(int node)
{
	static const char *const all[] = { ACCEL_HW_DT_QP_PK, ACCEL_HW_DT_PK_ENGINES,
					   ACCEL_HW_DT_PK, ACCEL_HW_DT_RANDOM };

	for (unsigned int i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (fdt_node_check_compatible(tree(), node, all[i]) == 0)
			return true;
	}
	return false;
}

/* What contract 1.1 has added is not in the tree of a card of 1.0, and all else is. */
static void
test_contract_1_0(void **state)
{
	static const char *const added[] = { ACCEL_HW_DT_COMMAND_RING, ACCEL_HW_DT_CHAIN_PAIRS,
					     ACCEL_HW_DT_KEY_IV_SIZES, ACCEL_HW_DT_DIGEST_LIST,
					     ACCEL_HW_DT_REGION_SIZES };
	unsigned int nb[2] = { 0 };

	(void)state;
	for (unsigned int old = 0; old < 2; old++) {
		int node = -1;

		host_close(&h);
		open_with(old != 0);
		while ((node = fdt_next_node(tree(), node, NULL)) >= 0) {
			if (of_pk(node)) {
				assert_false(old);
				continue;
			}
			nb[old]++;
			for (unsigned int i = 0; old && i < sizeof(added) / sizeof(added[0]); i++)
				assert_null(fdt_getprop(tree(), node, added[i], NULL));
		}
	}
	/* the health page, ESP, AH, three of TLS; nine algorithms of 5G */
	assert_int_equal(nb[0], nb[1] + 6 + 9);
}

/* The 256-bit algorithms of 5G are there since 1.6, with the sizes of their standard. */
static void
test_contract_1_6(void **state)
{
	static const uint32_t added[] = {
		ACCEL_HW_CIPHER_SNOW5G_NEA4, ACCEL_HW_CIPHER_AES_NEA5, ACCEL_HW_CIPHER_ZUC_NEA6,
		ACCEL_HW_AUTH_SNOW5G_NIA4, ACCEL_HW_AUTH_AES_NIA5, ACCEL_HW_AUTH_ZUC_NIA6,
		ACCEL_HW_AEAD_SNOW5G_NCA4, ACCEL_HW_AEAD_AES_NCA5, ACCEL_HW_AEAD_ZUC_NCA6,
	};
	struct accel_model_config config = { .nb_queue_pairs = 1, .nb_workers = 1 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
		expect_cells(added[i], ACCEL_HW_DT_KEY_SIZES, 3, CELLS(32, 32, 0));
		expect_cells(added[i], ACCEL_HW_DT_IV_SIZES, 3, CELLS(16, 16, 0));
		expect_cells(added[i], ACCEL_HW_DT_DIGEST_SIZES, i < 3 ? 0 : 3, CELLS(4, 16, 1));
		expect_cells(added[i], ACCEL_HW_DT_BIT_LENGTHS, 0, NULL);
		assert_int_equal(fdt_node_check_compatible(tree(), node_of(added[i]),
							   i < 3 ? ACCEL_HW_DT_CIPHER :
							   i < 6 ? ACCEL_HW_DT_AUTH :
								   ACCEL_HW_DT_AEAD), 0);
	}
	host_close(&h);
	config.contract = ACCEL_MODEL_CONTRACT_1_5;
	host_open(&h, &config);
	assert_int_equal(rd32(&h.id->version), 0x10005);
	for (int node = -1; (node = fdt_next_node(tree(), node, NULL)) >= 0;) {
		for (unsigned int i = 0; i < sizeof(added) / sizeof(added[0]); i++)
			assert_int_not_equal(cell(node, ACCEL_HW_DT_ALG_ID), added[i]);
	}
}

/* What 1.6 has added to public-key algorithms, if the library has them at all. */
static void
test_pk_1_6(void **state)
{
	struct accel_model_config config = { .nb_queue_pairs = 1, .nb_workers = 1 };

	(void)state;
	for (unsigned int old = 0; old < 2; old++) {
		unsigned int nb = 0;

		host_close(&h);
		config.contract = old ? ACCEL_MODEL_CONTRACT_1_5 : ACCEL_MODEL_CONTRACT_NEWEST;
		host_open(&h, &config);
		for (int node = -1; (node = fdt_next_node(tree(), node, NULL)) >= 0;) {
			const uint32_t alg = cell(node, ACCEL_HW_DT_ALG_ID);

			if (alg != ACCEL_HW_PK_ML_KEM && alg != ACCEL_HW_PK_ML_DSA)
				continue;
			nb++;
			if (alg == ACCEL_HW_PK_ML_KEM) {
				assert_int_equal(cell(node, ACCEL_HW_DT_OPERATIONS),
						 old ? 0xe : 0x1e);
				continue;
			}
			assert_int_equal(cell(node, ACCEL_HW_DT_OPERATIONS), 0x1a);
			assert_int_equal(cell(node, ACCEL_HW_DT_VARIANTS), old ? 9 : 13);
			assert_int_equal(has(node, ACCEL_HW_DT_HASHES), !old);
		}
		assert_int_equal(nb, OpenSSL_version_num() >= 0x30500000 ? 2 : 0);
	}
}

/* A card of 1.5 says how long an operation takes, and which chains it has, with both properties. */
static void
test_contract_1_5(void **state)
{
	static const struct {
		enum accel_model_contract contract;
		unsigned int profile;
		uint32_t operation_ms, chains;
		bool drop_all, cipher_auth, auth_cipher;
	} row[] = {
		{ ACCEL_MODEL_CONTRACT_NEWEST, 0, 1000, 0x18, false, true, true },
		{ ACCEL_MODEL_CONTRACT_NEWEST, ACCEL_MODEL_FEW | ACCEL_MODEL_SLOW_OP, 6000, 0x8,
		  false, true, false },
		{ ACCEL_MODEL_CONTRACT_NEWEST, ACCEL_MODEL_DROP_ALL, 1000, 0x18, true, true, true },
		{ ACCEL_MODEL_CONTRACT_1_4, ACCEL_MODEL_DROP_ALL, 0, 0, false, true, true },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		const struct accel_model_config config = {
			.nb_queue_pairs = 1,
			.nb_workers = 1,
			.engine = ACCEL_MODEL_ENGINE_AUTO,
			.contract = row[i].contract,
			.profile = row[i].profile,
		};
		int dma, sym, drop;

		host_close(&h);
		host_open(&h, &config);
		dma = fdt_node_offset_by_compatible(tree(), -1, ACCEL_HW_DT_DMA);
		sym = fdt_node_offset_by_compatible(tree(), -1, ACCEL_HW_DT_SYM);
		drop = fdt_node_offset_by_compatible(tree(), -1, ACCEL_HW_DT_INVALIDATE);
		assert_int_equal(cell(dma, ACCEL_HW_DT_OPERATION_MS), row[i].operation_ms);
		assert_int_equal(cell(sym, ACCEL_HW_DT_CHAINS), row[i].chains);
		assert_int_equal(has(drop, ACCEL_HW_DT_DROP_ALL), row[i].drop_all);
		assert_int_equal(has(sym, ACCEL_HW_DT_CHAIN_CIPHER_AUTH), row[i].cipher_auth);
		assert_int_equal(has(sym, ACCEL_HW_DT_CHAIN_AUTH_CIPHER), row[i].auth_cipher);
	}
}

/* A card that chains some pairs lists them, and drivers of 1.0 do not look for a list. */
static void
test_chain_pairs(void **state)
{
	static const enum accel_model_contract contract[] = { ACCEL_MODEL_CONTRACT_NEWEST,
							      ACCEL_MODEL_CONTRACT_1_0 };

	(void)state;
	for (unsigned int old = 0; old < 2; old++) {
		const struct accel_model_config config = {
			.nb_queue_pairs = 1,
			.nb_workers = 1,
			.engine = ACCEL_MODEL_ENGINE_AUTO,
			.contract = contract[old],
			.profile = ACCEL_MODEL_PAIRS,
		};
		const fdt32_t *cells;
		int sym, len = 0;

		host_close(&h);
		host_open(&h, &config);
		sym = fdt_node_offset_by_compatible(tree(), -1, ACCEL_HW_DT_SYM);
		cells = fdt_getprop(tree(), sym, ACCEL_HW_DT_CHAIN_PAIRS, &len);
		assert_int_equal(cells != NULL, !old);
		if (old)
			continue;
		assert_in_range(len, 8 * 8, 8 * 14); /* some engines lack SM4 and KASUMI */
		for (int i = 0; i < len / 4; i++) {
			const uint32_t id = fdt32_to_cpu(cells[i]);

			if (i % 2 == 0)
				assert_in_range(id, ACCEL_HW_CIPHER_FIRST, ACCEL_HW_AUTH_FIRST - 1);
			else
				assert_in_range(id, ACCEL_HW_AUTH_FIRST, ACCEL_HW_PROTO_FIRST - 1);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_key_iv_sizes),
		TEST(test_digest_list),
		TEST(test_region_sizes),
		TEST(test_contract_1_0),
		TEST(test_contract_1_5),
		TEST(test_contract_1_6),
		TEST(test_pk_1_6),
		TEST(test_chain_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
