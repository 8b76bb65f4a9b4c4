/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Protocols (manual 8.5): the check of their contexts, and what operations need to know of them.
 * The operations are in op_docsis.c and op_pdcp.c. IPsec and TLS are in ipsec/ and tls/.
 */
#ifndef ACCEL_MODEL_PROTOCOL_H
#define ACCEL_MODEL_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "context/ctxcache.h"

#define PROTOCOL_LIST_MAX 16u

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

/** Fill in @p p from a checked context and the limits of its algorithms. */
void protocol_take(const struct accel_hw_context *raw, const struct alg_rules *rules,
		   struct protocol *p);

/**
 * Make the context of an engine for a protocol: a cipher, authentication or a chain. It holds keys.
 *
 * @return false if nothing is to be computed.
 */
bool protocol_engine_context(const struct accel_hw_context *raw, struct accel_hw_context *plain);

#endif /* ACCEL_MODEL_PROTOCOL_H */
