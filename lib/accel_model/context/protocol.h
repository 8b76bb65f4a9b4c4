/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Protocols (manual 8.5): the check of their contexts, the lengths that an operation may have, and
 * the work itself, in place or on a copy of the frame in plain memory. op_copy.c gathers the source
 * of a copy, and op_execute.c scatters its output. docsis.c and pdcp.c hold what belongs to one
 * protocol. The work of IPsec and TLS is in ipsec/ and tls/.
 */
#ifndef ACCEL_MODEL_PROTOCOL_H
#define ACCEL_MODEL_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "context/ctxcache.h"

#define PROTOCOL_LIST_MAX 16u
/* These are the bytes that the work needs before and after a copy of the source. */
#define PROTOCOL_HEADROOM 16u
#define PROTOCOL_TAILROOM 96u

/** Lists what a protocol works with, for the device tree. */
struct protocol_lists {
	uint8_t cipher[PROTOCOL_LIST_MAX];
	uint8_t auth[PROTOCOL_LIST_MAX];
	uint8_t aead[PROTOCOL_LIST_MAX];
	uint8_t sn_size[PROTOCOL_LIST_MAX];
	unsigned int nb_ciphers;
	unsigned int nb_auths;
	unsigned int nb_aeads;
	unsigned int nb_sn_sizes;
};

/** Fill in the lists of DOCSIS or PDCP for a card and a set of algorithms. Return false if the card
 * lacks the protocol. */
bool protocol_list(const struct alg_caps *caps, const uint64_t *set, unsigned int number,
		   struct protocol_lists *lists);

/** True if a list has a number. */
bool protocol_has(const uint8_t *list, size_t nb, unsigned int value);
/** True if the card has an algorithm. */
bool protocol_card_has(const struct alg_caps *caps, unsigned int id);
/** True if a protocol of a kind can work with the sizes that the card has of an algorithm. */
typedef bool (*protocol_fits)(const struct alg_caps *caps, uint8_t kind, unsigned int id);

/** Pick from a list the algorithms that the card has, the set allows and a protocol can work with
 * (DT-6). @return how many. */
unsigned int protocol_pick(const struct alg_caps *caps, const uint64_t *set, const uint8_t *list,
			   size_t nb, uint8_t kind, protocol_fits fits, uint8_t *to);

/** Check a context of DOCSIS or PDCP for this card. Other protocols have checks of their own. */
bool protocol_check_context(const struct alg_caps *caps, const struct accel_hw_context *raw);

/**
 * Begin an engine's context for one part of a protocol. Set the fields that all kinds of contexts
 * have.
 *
 * @param kind of the part (enum accel_hw_kind).
 * @param part receives these fields; all else is 0.
 */
void protocol_begin_part(const struct accel_hw_context *raw, uint8_t kind,
			 struct accel_hw_context *part);

/** Fill in @p p from a checked context. */
void protocol_take(const struct accel_hw_context *raw, struct protocol *p);

/**
 * Make the context of an engine for a protocol: a cipher, authentication or a chain. It holds keys.
 *
 * @return false if nothing is to be computed.
 */
bool protocol_engine_context(const struct accel_hw_context *raw, struct accel_hw_context *plain);

/**
 * Check a command's fields and compute the lengths of source and destination in bytes. The lengths
 * have 64 bits because the sum of a hostile command's fields may exceed 32 bits.
 *
 * @param rules limits of the context's algorithms.
 * @return OK, BAD_COMMAND or BAD_LENGTH; the lengths are valid with BAD_LENGTH, too.
 */
enum accel_hw_status protocol_lengths(const struct protocol *p, const struct alg_rules *rules,
				      const struct accel_hw_command *cmd, uint64_t *source,
				      uint64_t *out);

/** True if the work touches no byte beside the frame, so that it may be done in the host's
 * memory. */
bool protocol_in_place(const struct protocol *p);

/**
 * Begin the work in place, and submit the engine's job. The job may be under way on return.
 *
 * @param ctx the engine's context, or NULL.
 * @param source the frame, or a copy with PROTOCOL_HEADROOM and PROTOCOL_TAILROOM around it.
 * @param job the job for the engines; its status is valid if the job is done.
 */
void protocol_begin(const struct protocol *p, struct engine_ctx *ctx,
		    const struct accel_hw_command *cmd, uint8_t *source, struct engine_job *job);

/** Do what comes after the job, which ended with @p status. @return the status of the operation. */
uint16_t protocol_end(const struct protocol *p, const struct engine_ctx *ctx,
		      const struct accel_hw_command *cmd, const uint8_t *source, uint16_t status);

#endif /* ACCEL_MODEL_PROTOCOL_H */
