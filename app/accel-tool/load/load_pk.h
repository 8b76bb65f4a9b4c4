/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes public-key operations of a load with random operands, and judges their results with OpenSSL
 * (lib/e2e/ref_pk.h). They go to the same queue pairs as symmetric operations, and come back in an
 * order of their own.
 */
#ifndef TOOL_LOAD_PK_H
#define TOOL_LOAD_PK_H

#include <ref_pk.h>

#include "load_state.h"

/** Holds a key, its session, and the count of its operations. */
struct load_pk_key {
	const struct load_pk_alg *alg;
	struct ref_pk_key key;
	void *session;
	struct load_count count;
};

/**
 * Make a key and a session for each kind that l->conf.pk names. The device must run.
 *
 * @return
 *   TOOL_GOOD, TOOL_ABSENT or TOOL_BROKEN, after a message.
 */
int load_pk_start(struct load *l);
/** Free the keys and sessions. The device must have stopped. */
void load_pk_end(struct load *l);

/** Make the memory of an operation. Returns false if there is not enough. */
bool load_pk_init(struct load *l, struct load_item *it);
/** Fill an operation with a key and operands that follow from its number. If OpenSSL fails, return
 * false; l->first says so. */
bool load_pk_build(struct load *l, struct load_item *it);
/** Make an operation ready to be sent once more. */
void load_pk_again(struct load_item *it);
/** Count an operation that came back. If it is wrong, return false; l->t.note says why. */
bool load_pk_right(struct load *l, struct load_item *it);

#endif /* TOOL_LOAD_PK_H */
