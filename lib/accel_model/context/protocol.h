/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Protocols (manual 8.5): the check of their contexts, the lengths that an operation may have, and
 * the work itself on a copy of the frame in plain memory. op_copy.c gathers the source and
 * op_execute.c scatters the output. docsis.c and pdcp.c hold what belongs to one protocol. The work
 * of IPsec and TLS is in ipsec/ and tls/.
 */
#ifndef ACCEL_MODEL_PROTOCOL_H
#define ACCEL_MODEL_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "context/ctxcache.h"

#define PROTOCOL_LIST_MAX 16u
/* These are the bytes that the work needs before and after a copy of the source. */
#define PROTOCOL_HEADROOM 16u
#define PROTOCOL_TAILROOM 16u

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
 * Make the contexts of a protocol's cipher and authentication, for the engines. Both hold keys.
 *
 * @return false if the protocol has no such part, or nothing is to be computed for it.
 */
bool protocol_cipher_context(const struct accel_hw_context *raw, struct accel_hw_context *cipher);
bool protocol_auth_context(const struct accel_hw_context *raw, struct accel_hw_context *auth);

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

/**
 * Begin the work in place: do what comes before the cipher, and submit the cipher's job. The job
 * may be under way on return.
 *
 * @param source the copy, with PROTOCOL_HEADROOM and PROTOCOL_TAILROOM around it.
 * @param job the job for the engines; its status is valid if the job is done.
 */
void protocol_begin(const struct ctx_parts *parts, const struct accel_hw_command *cmd,
		    uint8_t *source, struct engine_job *job);

/** Do what comes after the cipher, when its job is done. @return the status of the operation. */
uint16_t protocol_end(const struct ctx_parts *parts, const struct accel_hw_command *cmd,
		      uint8_t *source, struct engine_job *job);

#endif /* ACCEL_MODEL_PROTOCOL_H */
