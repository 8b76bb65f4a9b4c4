/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A card of four queue pairs and NOPs on them, for tests of the model.
 */
#include "model_base/model_nops.h"

struct accel_model_config
base_config(void)
{
	return (struct accel_model_config){
		.nb_queue_pairs = 4,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL,
		.idle_us = 100,
	};
}

int
setup(void **state)
{
	struct accel_model_config config = base_config();

	(void)state;
	open_with(&config);
	return 0;
}

void
post_nop(struct hostq *to, uint32_t tag)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_NOP, tag);

	cmd->flags = ACCEL_HW_CMD_NO_RX;
	tx_frag(to, host_iova(&h, cmd), 64, COMMAND);
}

void
nops(struct hostq *to, uint32_t first, uint32_t nb)
{
	for (uint32_t i = 0; i < nb; i++)
		post_nop(to, first + i);
	q_ring(to);
}

void
expect_nops(struct hostq *from, uint32_t first, uint32_t nb)
{
	for (uint32_t i = 0; i < nb; i++)
		expect_response(from, first + i, ACCEL_HW_OK, 0);
}

void
expect_silence(void)
{
	uint8_t *copy = malloc(HOST_MEM);

	memcpy(copy, h.mem, HOST_MEM);
	wait_ms(20);
	assert_memory_equal(copy, h.mem, HOST_MEM);
	free(copy);
}
