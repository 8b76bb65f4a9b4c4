/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A card of four queue pairs and NOPs on them, for tests of the model.
 */
#ifndef UNIT_MODEL_NOPS_H
#define UNIT_MODEL_NOPS_H

#include "model_base/model_card.h"

struct accel_model_config base_config(void);

static inline void
open_with(const struct accel_model_config *config)
{
	card_open(config, 256, 256);
}

int setup(void **state);

void post_nop(struct hostq *to, uint32_t tag);

void nops(struct hostq *to, uint32_t first, uint32_t nb);

void expect_nops(struct hostq *from, uint32_t first, uint32_t nb);

/* Checks that host memory does not change while the host posts and polls. */
void expect_silence(void);

#endif /* UNIT_MODEL_NOPS_H */
