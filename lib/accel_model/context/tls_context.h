/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts of TLS records (manual 8.7): their check, and what operations need of them. An AEAD is
 * one context of an engine. A cipher and a MAC are two contexts, because TLS puts padding between
 * them. For received CBC records, tls_mac.h has the MAC instead.
 */
#ifndef ACCEL_MODEL_TLS_CONTEXT_H
#define ACCEL_MODEL_TLS_CONTEXT_H

#include "context/alg.h"
#include "context/protocol.h"
#include "state/tls_session.h"

/** Fill in the lists of the device tree's node of a kind of TLS, for a card and a set of
 * algorithms. Return false if the card lacks it. */
bool tls_list(const struct alg_caps *caps, const uint64_t *set, unsigned int number,
	      struct protocol_lists *lists);

/** Check a context of one of the three kinds for this card. */
bool tls_check_context(const struct alg_caps *caps, const struct tls_raw *raw);

/**
 * Make the engines' contexts: the first for the cipher or AEAD, the second for the MAC. Both hold
 * keys.
 *
 * @return false if the engines have nothing to compute with it.
 */
bool tls_cipher_context(const struct accel_hw_context *raw, struct accel_hw_context *cipher);
bool tls_auth_context(const struct accel_hw_context *raw, struct accel_hw_context *auth);

#endif /* ACCEL_MODEL_TLS_CONTEXT_H */
