/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A direction of a TLS connection in the form that operations use (manual 8.7), made of a checked
 * context. The engines' contexts are not in it.
 */
#ifndef ACCEL_MODEL_TLS_SESSION_H
#define ACCEL_MODEL_TLS_SESSION_H

#include "state/state.h"
#include "state/tls_mac.h"
#include "state/tls_record.h"

/** Holds what the card reads of a context, which is all but the state. */
struct tls_raw {
	struct accel_hw_context common;
	struct accel_hw_tls tls;
};

static_assert(sizeof(struct tls_raw) == offsetof(struct accel_hw_tls_context, state), "manual 8.3");

/* Holds a context in the form that operations use. The fixed IV is in it, so it is wiped. */
struct tls_session {
	struct tls tls;
	struct state_rules rules;
	struct state state;
	struct tls_mac *mac; /* for received CBC records, else NULL */
};

/** Make a session of a checked context. NULL: no memory, or OpenSSL refuses. */
struct tls_session *tls_session_new(const struct tls_raw *raw);
/** Wipe and free. NULL is allowed. */
void tls_session_free(struct tls_session *session);

#endif /* ACCEL_MODEL_TLS_SESSION_H */
