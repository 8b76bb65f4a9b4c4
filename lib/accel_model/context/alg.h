/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The capabilities of a card: the algorithms of the contract (accel_hw_alg.h), narrowed to what the
 * card's engines can do. The check of contexts and the device tree use them.
 */
#ifndef ACCEL_MODEL_ALG_H
#define ACCEL_MODEL_ALG_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"

struct alg_caps {
	unsigned int minor; /* version of the contract */
	struct accel_hw_alg_info info[ACCEL_HW_ALG_NB]; /* by id */
	bool chain_cipher_auth; /* kind 3 */
	bool chain_auth_cipher; /* kind 4 */
	bool bits; /* some algorithm takes lengths in bits: command flag BITS */
	bool iv_in_stream; /* chains whose IVs do not fit into a command, contract 1.4 */
	bool aad_in_command; /* command flag AAD_IN_COMMAND, contract 1.7 */
	bool ipsec; /* kinds 8 and 9, contract 1.3 */
	bool tls; /* kinds 10 to 12, contract 1.3 */
	bool no_protocols; /* kinds 6 and 7 are missing, too */
	bool pairs; /* kinds 3 and 4 are possible with alg_pair only, contract 1.1 */
};

/* Holds what an operation needs to know of its context (manual 6.3, 6.4, 7.2). */
struct alg_rules {
	uint8_t kind; /* enum accel_hw_kind, or CTX_DENIED */
	uint8_t digest_in; /* bytes of the digest to verify, which follows the source; protocols:
			    * 0 */
	uint8_t digest_out; /* bytes of the digest to generate, which follows the destination */
	uint8_t auth_min; /* of the authentication region */
	uint32_t block_mask; /* bits of cipher_len that shall be 0 */
	uint32_t region_min; /* of the cipher or AEAD region */
	uint32_t region_max;
	uint32_t auth_max;
};

/** True if the cipher or AEAD region may have this length in bytes (manual 8.2). */
static inline bool
alg_cipher_len_ok(const struct alg_rules *rules, uint32_t len)
{
	return (len & rules->block_mask) == 0 && len >= rules->region_min &&
		len <= rules->region_max;
}

/** True if the authentication region may have this length in bytes (manual 8.2). */
static inline bool
alg_auth_len_ok(const struct alg_rules *rules, uint32_t len)
{
	return len >= rules->auth_min && len <= rules->auth_max;
}

static inline bool
alg_lengths_ok(const struct alg_rules *rules, uint32_t cipher_len, uint32_t auth_len)
{
	return alg_cipher_len_ok(rules, cipher_len) && alg_auth_len_ok(rules, auth_len);
}

/** Holds a set of algorithm numbers, in the form of accel_hw_vf_resources.algorithms. */
typedef uint64_t alg_set[4];

/** Return the number of a context kind's protocol (manual 8.2), 0 if the kind is no protocol. */
static inline unsigned int
alg_protocol(unsigned int kind)
{
	return kind >= ACCEL_HW_KIND_DOCSIS && kind <= ACCEL_HW_KIND_DTLS12 ?
		       ACCEL_HW_PROTO_DOCSIS + kind - ACCEL_HW_KIND_DOCSIS : 0;
}

static_assert(ACCEL_HW_PROTO_DTLS12 - ACCEL_HW_PROTO_DOCSIS ==
		      ACCEL_HW_KIND_DTLS12 - ACCEL_HW_KIND_DOCSIS,
	      "numbers of protocols follow kinds");

/** True if a context of this kind is an SA (manual 8.6). */
static inline bool
alg_is_ipsec(unsigned int kind)
{
	return kind == ACCEL_HW_KIND_ESP || kind == ACCEL_HW_KIND_AH;
}

/** True if a context of this kind is a connection's direction (manual 8.7). */
static inline bool
alg_is_tls(unsigned int kind)
{
	return kind >= ACCEL_HW_KIND_TLS12 && kind <= ACCEL_HW_KIND_DTLS12;
}

static inline bool
alg_set_has(const uint64_t *set, unsigned int id)
{
	return id < ACCEL_HW_ALG_NB && (set[id / 64] >> (id % 64) & 1) != 0;
}

/** True if a range has a size. */
bool alg_in_range(const struct accel_hw_range *r, unsigned int value);

/** True if a key size and an IV size, each within the ranges of an algorithm, go together. */
bool alg_sizes_fit(const struct accel_hw_alg_info *info, unsigned int key, unsigned int iv);

/** True if some engine of the card can compute this context. */
typedef bool (*alg_supports_fn)(const void *arg, const struct accel_hw_context *raw);

/** Fill in what a card has: the manual's table, as it was in minor version @p minor of the
 * contract, narrowed to what @p supports accepts. */
void alg_probe(struct alg_caps *caps, unsigned int minor, alg_supports_fn supports,
	       const void *arg);

/** Check the fields that contexts of all kinds have: version, flags, reserved fields. */
bool alg_check_header(const struct accel_hw_context *raw);

/** Describes a cipher and an authentication of chains. */
struct alg_pair {
	uint8_t cipher, auth; /* enum accel_hw_alg */
};

#define ALG_PAIRS 14u

/** The pairs of a card that does not chain each cipher with each authentication (manual 10). */
extern const struct alg_pair alg_pair[ALG_PAIRS];

/**
 * Check header, kind, algorithms and sizes of a context for this card. Contexts of protocols are
 * checked by protocol_check_context(), ipsec_check_context() and tls_check_context() instead.
 */
bool alg_check_context(const struct alg_caps *caps, const struct accel_hw_context *raw);

/** As alg_check_context(), for a chain of any pair. Protocols have lists of their own. */
bool alg_check_any_pair(const struct alg_caps *caps, const struct accel_hw_context *raw);

/** Check number, key and IV size of the cipher in a context. */
bool alg_check_cipher(const struct alg_caps *caps, const struct accel_hw_context *raw);

/** Check number, key, IV and digest size of the authentication in a context. */
bool alg_check_auth(const struct alg_caps *caps, const struct accel_hw_context *raw);

/** True if all algorithms of the context, and its protocol, are in the set. */
bool alg_allowed(const uint64_t *set, const struct accel_hw_context *raw);

/* These bits name the regions of a context that may begin and end at any bit. */
#define ALG_BITS_CIPHER 0x1u
#define ALG_BITS_AUTH 0x2u

/** Return the bytes of the IV of authentication if it lies before the source, because the IVs of
 * the chain do not fit into a command (manual 8.1). 0: it is in the command. */
uint8_t alg_context_iv_in_stream(const struct accel_hw_context *raw);

/** Return ALG_BITS_* of a checked context. */
uint8_t alg_context_bits(const struct alg_caps *caps, const struct accel_hw_context *raw);

/** Return the name of a protocol's node in the device tree. @p id is ACCEL_HW_PROTO_*. */
const char *alg_protocol_name(unsigned int id);

/**
 * Find an algorithm or protocol of the card by its name in the device tree: "cipher-null", or
 * "aes-cbc" without the prefix if only one algorithm has that name. @return its number, 0 if there
 * is none.
 */
unsigned int alg_find(const struct alg_caps *caps, const char *name);

/** Remove lengths in bits from the capabilities. */
void alg_without_bits(struct alg_caps *caps);

/** Leave one size of each kind to each algorithm: short sizes to some, long sizes to others. */
void alg_one_size(struct alg_caps *caps);

/** Leave only some algorithms, and chains in one order. */
void alg_only(struct alg_caps *caps, const uint8_t *id, unsigned int nb);

/** Fill in the rules for the operations of a checked context. */
void alg_context_rules(const struct alg_caps *caps, const struct accel_hw_context *raw,
		       struct alg_rules *rules);

#endif /* ACCEL_MODEL_ALG_H */
