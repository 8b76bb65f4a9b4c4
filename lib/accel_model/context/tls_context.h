/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts of TLS records (manual 8.7): their check, and what operations need of them. An AEAD is
 * one context of an engine. A cipher and a MAC are two, since TLS puts padding between them. The
 * MAC of received CBC records is tls_mac.h's instead.
 */
#ifndef ACCEL_MODEL_TLS_CONTEXT_H
#define ACCEL_MODEL_TLS_CONTEXT_H

#include "context/alg.h"
#include "context/protocol.h"
#include "state/tls_session.h"

/** Fill in the lists of a node, for a card and a set of algorithms. false if the card lacks it. */
bool tls_list(const struct alg_caps *caps, const uint64_t *set, unsigned int number,
	      struct protocol_lists *lists);

/** Check a context of one of the three kinds for this card. */
bool tls_check_context(const struct alg_caps *caps, const struct tls_raw *raw);

/**
 * Make the contexts of cipher or AEAD, and of the MAC, for the engines. Both hold keys.
 *
 * @return false if there is none.
 */
bool tls_cipher_context(const struct accel_hw_context *raw, struct accel_hw_context *cipher);
bool tls_auth_context(const struct accel_hw_context *raw, struct accel_hw_context *auth);

#endif /* ACCEL_MODEL_TLS_CONTEXT_H */
