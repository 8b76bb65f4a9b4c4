/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A card of the model: configurations that are refused, and the device tree of its functions.
 */
#include "base/ipsec_mb.h"
#include "model_base/model_card.h"

static bool
mentions(const void *fdt, unsigned int id)
{
	const char *const compatible[] = { ACCEL_HW_DT_CIPHER, ACCEL_HW_DT_AUTH, ACCEL_HW_DT_AEAD };

	for (int i = 0; i < 3; i++) {
		int node = -1;

		while ((node = fdt_node_offset_by_compatible(fdt, node, compatible[i])) >= 0) {
			const fdt32_t *prop = fdt_getprop(fdt, node, "alg-id", NULL);

			if (fdt32_to_cpu(*prop) == id)
				return true;
		}
	}
	return false;
}

static void
test_device_tree(void **state)
{
	static const unsigned int all[] = {
		/* These are the ciphers without the wireless ones. */
		1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 17, 21, 22, 23,
		64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, /* authentication */
		78, 79, 83, 84, 85, 86, 87, 88, 89, 90, 91,
		224, 225, 226, /* authentication, second range */
		192, 193, 194, 196, 197, 198, /* AEADs */
	};
	const struct {
		enum accel_model_engine engine;
		bool all;
	} engines[] = { { ACCEL_MODEL_ENGINE_AUTO, true },
			{ ACCEL_MODEL_ENGINE_OPENSSL, true },
			{ ACCEL_MODEL_ENGINE_NULL, true },
			{ ACCEL_MODEL_ENGINE_IPSEC_MB, false } };

	(void)state;
	for (unsigned int e = 0; e < sizeof(engines) / sizeof(engines[0]); e++) {
		const void *fdt;
		const fdt32_t *prop;
		int node, len;

		if (engines[e].engine == ACCEL_MODEL_ENGINE_IPSEC_MB && !has_ipsec_mb())
			continue;
		card_open_small(engines[e].engine, 64, 64);
		fdt = h.bar + rd32(&h.id->dt_offset);
		assert_int_equal(h.bar_size & (h.bar_size - 1), 0);
		assert_int_equal(rd32(&h.id->version), 0x00010007);
		assert_int_equal(rd32(&h.id->dt_size) % 8, 0);
		assert_int_equal(rd32(&h.id->dt_offset) % 8, 0);
		assert_int_equal(fdt_version(fdt), 17);
		assert_int_equal(fdt_node_check_compatible(fdt, 0, ACCEL_HW_DT_ROOT), 0);
		for (unsigned int i = 0; engines[e].all && i < sizeof(all) / sizeof(all[0]); i++)
			assert_true(mentions(fdt, all[i]));
		assert_true(mentions(fdt, ACCEL_HW_CIPHER_AES_CBC));
		assert_false(mentions(fdt, 63));
		node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_DMA);
		prop = fdt_getprop(fdt, node, "ring-size-max", &len);
		assert_int_equal(fdt32_to_cpu(*prop), 262144);
		prop = fdt_getprop(fdt, node, "max-fragments", &len);
		assert_int_equal(fdt32_to_cpu(*prop), 256);
		prop = fdt_getprop(fdt, node, "max-frame-bytes", &len);
		assert_int_equal(fdt32_to_cpu(*prop), 1048576);
		node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_SYM);
		prop = fdt_getprop(fdt, node, "context-size", &len);
		assert_int_equal(fdt32_to_cpu(*prop), 320);
		assert_non_null(fdt_getprop(fdt, node, "chain-cipher-auth", &len));
		assert_non_null(fdt_getprop(fdt, node, "chain-auth-cipher", &len));
		assert_true(fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_VF_TABLE) < 0);
		host_close(&h);
	}
}

static void
test_config(void **state)
{
	struct accel_model_config config = { .nb_queue_pairs = 1, .nb_workers = 1 };
	struct accel_model *model = NULL;

	(void)state;
	config.nb_workers = 0;
	assert_int_equal(accel_model_create(&config, &model), -22);
	config.nb_workers = 65;
	assert_int_equal(accel_model_create(&config, &model), -22);
	config.nb_workers = 1;
	config.nb_queue_pairs = 0;
	assert_int_equal(accel_model_create(&config, &model), -22);
	config.nb_queue_pairs = 65;
	assert_int_equal(accel_model_create(&config, &model), -22);
	config.nb_queue_pairs = 1;
	config.nb_functions = ACCEL_MODEL_MAX_FUNCTIONS + 1;
	assert_int_equal(accel_model_create(&config, &model), -22);
	config.nb_functions = 1;
	config.faults = "dead";
	assert_int_equal(accel_model_create(&config, &model), -22);
	config.faults = NULL;
	config.engine = (enum accel_model_engine)9;
	assert_int_equal(accel_model_create(&config, &model), -22);
	assert_null(model);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device_tree),
		cmocka_unit_test(test_config),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
