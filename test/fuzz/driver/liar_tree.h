/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Registers and device tree of the reference device, as plain memory.
 */
#ifndef FUZZ_LIAR_TREE_H
#define FUZZ_LIAR_TREE_H

#include <stddef.h>
#include <stdint.h>

#include <accel_model.h>

/** Copy BAR0 of a reference device that is ready. The caller owns the copy. */
uint8_t *liar_tree_make(enum accel_model_contract contract, unsigned int pairs, size_t *size);

#endif /* FUZZ_LIAR_TREE_H */
