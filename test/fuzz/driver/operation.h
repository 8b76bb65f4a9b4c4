/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations that the input shapes, and their memory: each segment, digest and AAD is an object of
 * its own of the exact size.
 */
#ifndef FUZZ_OPERATION_H
#define FUZZ_OPERATION_H

#include <stdbool.h>

#include <rte_crypto.h>
#include <rte_crypto_sym.h>

#include "liar.h"
#include "session.h"

/**
 * Make an operation with a session, which may be NULL for one without.
 *
 * @param hostile some of its fields contradict others, or the interface.
 */
void operation_make(struct call *call, enum session_kind kind, void *session, bool hostile);

/** What is special to an asymmetric one (operation_asym.c). */
void operation_make_asym(struct call *call, enum session_kind kind);

/** Zeroed memory that operation_free() frees. */
void *operation_block(struct call *call, size_t size);

/** A length, more often a short one. */
uint32_t operation_some_length(void);

/* An operation of the raw data path. */
struct raw_operation {
	struct rte_crypto_vec vec[4], dst[4];
	struct rte_crypto_sgl src_sgl, dst_sgl;
	struct rte_crypto_va_iova_ptr iv, digest, aad;
	union rte_crypto_sym_ofs ofs;
};

/** Make one for the raw data path. */
void operation_make_raw(struct call *call, enum session_kind kind, bool hostile,
			struct raw_operation *raw);

/** Check what the driver has left of an operation that came back with success. */
void operation_check(const struct call *call);

/** Free its memory. */
void operation_free(struct call *call);

#endif /* FUZZ_OPERATION_H */
