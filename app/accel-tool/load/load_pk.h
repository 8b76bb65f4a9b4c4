/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key operations of a load: random operands and what OpenSSL says of the results
 * (lib/e2e/ref_pk.h). They go to the same queue pairs as the symmetric ones, and come back in an
 * order of their own.
 */
#ifndef TOOL_LOAD_PK_H
#define TOOL_LOAD_PK_H

#include <ref_pk.h>

#include "load_state.h"

/** A key, its session, and its operations. */
struct load_pk_key {
	const struct load_pk_alg *alg;
	struct ref_pk_key key;
	void *session;
	struct load_count count;
};

/**
 * Make a key and a session for each kind that l->conf.pk names. The device has been started.
 *
 * @return
 *   TOOL_GOOD, TOOL_ABSENT or TOOL_BROKEN, after a message.
 */
int load_pk_start(struct load *l);
/** Free them. The device has stopped. */
void load_pk_end(struct load *l);

/** Make the memory of an operation. Returns false if there is not enough. */
bool load_pk_init(struct load *l, struct load_item *it);
/** Fill an operation with a key and operands that follow from its number. Returns false with
 * l->first if OpenSSL fails. */
bool load_pk_build(struct load *l, struct load_item *it);
/** Make it ready to be sent once more. */
void load_pk_again(struct load_item *it);
/** Count an operation that came back. Returns false with l->t.note if it is wrong. */
bool load_pk_right(struct load *l, struct load_item *it);

#endif /* TOOL_LOAD_PK_H */
