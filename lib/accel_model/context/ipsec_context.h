/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts of ESP and AH (manual 8.6): their check, what operations need of them, and the plain
 * context with which an engine does the cryptography.
 */
#ifndef ACCEL_MODEL_IPSEC_CONTEXT_H
#define ACCEL_MODEL_IPSEC_CONTEXT_H

#include "context/alg.h"
#include "context/protocol.h"
#include "state/ipsec_sa.h"

/** Holds what the card reads of a context: all but the state. */
struct ipsec_raw {
	struct accel_hw_context common;
	struct accel_hw_ipsec ipsec;
};

static_assert(sizeof(struct ipsec_raw) == offsetof(struct accel_hw_ipsec_context, state),
	      "manual 8.3");

/** Fill in the lists of the device tree's node of ESP or AH, for a card and a set of algorithms.
 * Return false if the card lacks the protocol. */
bool ipsec_list(const struct alg_caps *caps, const uint64_t *set, unsigned int number,
		struct protocol_lists *lists);

/** Return the options that this card has for ESP or AH. */
uint32_t ipsec_options(unsigned int number);

/** Check a context of kind ESP or AH for this card. */
bool ipsec_check_context(const struct alg_caps *caps, const struct ipsec_raw *raw);

/** Fill in @p sa from a checked context. */
void ipsec_take(const struct alg_caps *caps, const struct ipsec_raw *raw, struct ipsec_sa *sa);

/**
 * Make the plain context for the engines from the context of an SA. It holds keys.
 *
 * @return false if there is nothing to compute.
 */
bool ipsec_engine_context(const struct accel_hw_context *raw, struct accel_hw_context *plain);

#endif /* ACCEL_MODEL_IPSEC_CONTEXT_H */
