/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Protocols (manual 8.5): what a checked context says, which lengths an operation may have, and the
 * work itself on a copy of the frame in plain memory. The DMA side (op_copy.c, op_finish()) gathers
 * and scatters. What DOCSIS and PDCP do is in files of these names; both use engines for their
 * ciphers and MACs.
 */
#ifndef ACCEL_MODEL_PROTOCOL_H
#define ACCEL_MODEL_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "alg.h"
#include "engine/engine.h"

struct ctx_parts;

#define PROTOCOL_LIST_MAX 8u
/* Bytes before and behind a copy of the source that the work needs. */
#define PROTOCOL_HEADROOM 16u
#define PROTOCOL_TAILROOM 16u

/* What an operation needs to know of its context. No keys. */
struct protocol {
	uint8_t kind; /* enum accel_hw_kind */
	uint8_t cipher_alg;
	uint8_t auth_alg; /* 0: no MAC-I */
	uint8_t header; /* PDCP: bytes of the header */
	uint8_t sn_len; /* bits */
	uint8_t bearer;
	uint8_t direction;
	uint8_t sdap; /* bytes */
	bool encrypt;
};

/* Lengths of one operation in bytes. 64 bits: fields of a hostile command exceed 32 together. */
struct protocol_lengths {
	uint64_t source;
	uint64_t out;
};

/** The number of a context kind's protocol (manual 8.2), 0 if it is none. */
static inline unsigned int
protocol_number(unsigned int kind)
{
	return kind == ACCEL_HW_KIND_DOCSIS ? ACCEL_HW_PROTO_DOCSIS :
	       kind == ACCEL_HW_KIND_PDCP   ? ACCEL_HW_PROTO_PDCP :
					      0;
}

/* protocol.c */

/** What a protocol works with, for the device tree. */
struct protocol_lists {
	uint8_t cipher[PROTOCOL_LIST_MAX];
	uint8_t auth[PROTOCOL_LIST_MAX];
	uint8_t sn_size[PROTOCOL_LIST_MAX];
	unsigned int nb_ciphers;
	unsigned int nb_auths;
	unsigned int nb_sn_sizes;
};

/** Fill in the lists for a card and a set of algorithms; false if nothing is left of a protocol. */
bool protocol_list(const struct alg_caps *caps, const uint64_t *set, unsigned int number,
		   struct protocol_lists *lists);

/** Is a context with a protocol's kind right for this card? Its header was checked. */
bool protocol_check_context(const struct alg_caps *caps, const struct accel_hw_context *raw);

/** What a checked context says. */
void protocol_take(const struct accel_hw_context *raw, struct protocol *p);

/**
 * The contexts of its cipher and its authentication, for the engines. Both hold keys.
 *
 * @return false where there is none, or nothing to compute.
 */
bool protocol_cipher_context(const struct accel_hw_context *raw, struct accel_hw_context *cipher);
bool protocol_auth_context(const struct accel_hw_context *raw, struct accel_hw_context *auth);

/**
 * Check a command's fields and compute the lengths.
 *
 * @param rules of the context: limits of its algorithms.
 * @return OK, BAD_COMMAND or BAD_LENGTH; lengths are valid with the last too.
 */
enum accel_hw_status protocol_lengths(const struct protocol *p, const struct alg_rules *rules,
				      const struct accel_hw_command *cmd,
				      struct protocol_lengths *lengths);

/**
 * Begin the work, in place: what comes before the cipher, and the cipher, which may be under way on
 * return as any job is.
 *
 * @param source lengths.source bytes, with PROTOCOL_HEADROOM and PROTOCOL_TAILROOM around it.
 * @param job for the engines' use; its status counts if it is done.
 */
void protocol_begin(const struct ctx_parts *parts, const struct accel_hw_command *cmd,
		    uint8_t *source, struct engine_job *job);

/** The rest, when the job is done. @return status of the operation. */
uint16_t protocol_end(const struct ctx_parts *parts, const struct accel_hw_command *cmd,
		      uint8_t *source, struct engine_job *job);

/** Submit the cipher's job, its IV is in it. With no cipher or 0 bytes it is done at once. */
void protocol_cipher(const struct ctx_parts *parts, struct engine_job *job, uint8_t *at,
		     uint32_t len);

/** Authenticate, and wait for it. @return its status. */
uint16_t protocol_auth(const struct ctx_parts *parts, struct engine_job *job, const uint8_t *at,
		       uint32_t len);

/* docsis.c */

enum accel_hw_status docsis_lengths(const struct alg_rules *rules,
				    const struct accel_hw_command *cmd,
				    struct protocol_lengths *lengths);
void docsis_begin(const struct ctx_parts *parts, const struct accel_hw_command *cmd,
		  uint8_t *source, struct engine_job *job);
uint16_t docsis_end(const struct ctx_parts *parts, const struct accel_hw_command *cmd,
		    const uint8_t *source, uint16_t status);

/** The CRC-32 of IEEE 802.3, as a number whose least significant byte is sent first. */
uint32_t docsis_crc32(const uint8_t *data, uint32_t len);

/* pdcp.c */

/** Bytes of a header with a sequence number of so many bits; -1 if there is no such header. */
int pdcp_header(unsigned int sn_len);
enum accel_hw_status pdcp_lengths(const struct protocol *p, const struct alg_rules *rules,
				  const struct accel_hw_command *cmd,
				  struct protocol_lengths *lengths);
void pdcp_begin(const struct ctx_parts *parts, const struct accel_hw_command *cmd, uint8_t *source,
		struct engine_job *job);
uint16_t pdcp_end(const struct ctx_parts *parts, const struct accel_hw_command *cmd,
		  uint8_t *source, struct engine_job *job);

#endif /* ACCEL_MODEL_PROTOCOL_H */
