/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Registers and device tree of the reference device: see liar_tree.h.
 */
#include "liar_tree.h"

#include <stdlib.h>
#include <string.h>

uint8_t *
liar_tree_make(enum accel_model_contract contract, unsigned int pairs, size_t *size)
{
	const struct accel_model_config config = {
		.nb_functions = 3,
		.nb_queue_pairs = pairs,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_OPENSSL,
		.contract = contract,
	};
	struct accel_model *model;
	uint8_t *copy;
	void *bar;
	int fd;

	if (accel_model_create(&config, &model) != 0)
		abort();
	bar = accel_function_bar0(accel_model_function(model, 0), size, &fd);
	copy = malloc(*size);
	if (copy == NULL)
		abort();
	memcpy(copy, bar, *size);
	accel_model_destroy(model);
	return copy;
}
