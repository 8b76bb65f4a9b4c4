/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A symmetric session: the part of a command that does not depend on the operation, and the context
 * that the card reads (manual section 8). The data path only reads a session.
 */
#ifndef ACCEL_SESSION_H
#define ACCEL_SESSION_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_crypto_sym.h>

#include "accel_dev.h"
#include "hw/accel_hw.h"

struct rte_cryptodev;
struct rte_cryptodev_sym_session;

/* With CCM in rte_cryptodev the nonce begins at byte 1 of the IV, and the AAD at byte 18. */
#define ACCEL_CCM_NONCE_OFFSET 1u
#define ACCEL_CCM_AAD_OFFSET 18u

/*
 * Holds what all commands of a session have in common (little-endian). Bytes 4 to 15 are those of
 * the command. The generation is where the command has its tag (manual 7.1).
 */
struct accel_session_command {
	uint32_t generation;
	uint8_t opcode;
	uint8_t flags; /* NO_RX if no operation of the session has output */
	uint16_t aad_len; /* AEAD */
	uint64_t context;
	union {
		/* 0 except for the last byte of a counter, or the HFN of PDCP */
		uint8_t iv[ACCEL_HW_IV_MAX];
		/* IPsec uses this place, since its commands take no IV from the session */
		struct accel_session_ipsec {
			uint64_t first; /* the first word of a command, without its tag */
			/* in place: the result's descriptor is the source's plus this number */
			uint64_t result;
		} ipsec;
	};
};

/* Holds the private part of a session: what the data path reads, and the context. */
struct accel_session {
	/*
	 * The data path reads only this cache line, and nothing of the library's part of the
	 * session, because with many sessions each line costs a cache miss.
	 */
	alignas(RTE_CACHE_LINE_MIN_SIZE) struct accel_session_command command;
	/* accel_session_owner(), or ACCEL_PROTOCOL_OWNER of a security session; 0 before
	 * configuration and after clear */
	uint64_t owner;
	uint8_t kind; /* enum accel_hw_kind */
	bool verify; /* the digest is input (also AEAD decryption); implies digest_len > 0 */
	bool generate; /* the digest is output; implies digest_len > 0 */
	uint8_t iv_len; /* bytes copied to command.iv */
	uint8_t auth_iv_len; /* bytes of the authentication's IV in the command */
	uint8_t auth_iv_at; /* offset in the command where the authentication's IV goes */
	uint16_t iv_offset; /* from the start of the rte_crypto_op; CCM: offset of the nonce */
	uint16_t auth_iv_offset;
	uint16_t digest_len; /* 0: no digest */
	uint16_t aad_len; /* AEAD: bytes of AAD; a chain: bytes of the auth IV in the stream */
	uint8_t aad_offset; /* added to the AAD address: 18 with CCM, else 0 */
	uint8_t digest_may_be_ciphered; /* a digest inside the cipher region is ciphered, too */
	uint8_t cipher_bits; /* the operation's offset and length are in bits */
	uint8_t auth_bits;
	uint8_t odd_bits; /* the card takes lengths that are not whole bytes */
	uint8_t rules; /* enum accel_session_rule */
	uint8_t head; /* bytes of the result before the source (manual 8.6, IPS-8) */
	uint16_t growth; /* head plus the most bytes that the result has after the source */

	/* Cache lines 1 to 5 hold the context, which the card reads by DMA. */
	alignas(ACCEL_HW_CTX_ALIGN) struct accel_hw_context context;
};

static_assert(offsetof(struct accel_session, context) == RTE_CACHE_LINE_MIN_SIZE,
	      "one line for the data path");
static_assert(offsetof(struct accel_session, context) % ACCEL_HW_CTX_ALIGN == 0, "manual 8.1");
static_assert(sizeof(struct accel_session) <= 1024, "budget per session");

/* These are rules of operations of an SA or connection; they are bits of accel_session.rules. */
enum accel_session_rule {
	/* Source and result may overlap in any way, so an operation in place needs no headroom. */
	ACCEL_SESSION_OVERLAP = 1 << 0,
	/* accel_session.head is only the maximum. The source decides how many bytes there are. */
	ACCEL_SESSION_HEAD_VARIES = 1 << 1,
	/* TLS: operations may ask for extra padding. */
	ACCEL_SESSION_PADS = 1 << 2,
};

/**
 * Return the word that identifies a symmetric session of this driver, for all its devices in all
 * processes. The word is no address, and no other driver's session has it in this place.
 *
 * @param fast kind of the session in the fast path: CIPHER_THEN_AUTH for either order of a chain;
 *   0: the fast path does not take the session.
 */
static inline uint64_t
accel_session_owner(uint8_t fast)
{
	return UINT64_C(0xa5c3f15e9d7b2e00) | fast;
}

/** True if the IV of authentication travels in the stream (manual 8.1), which no AEAD has. */
static inline bool
accel_session_iv_in_stream(const struct accel_session *sess)
{
	return sess->aad_len != 0 && sess->kind != ACCEL_HW_KIND_AEAD;
}

/** Return the kind of a session in the fast path. The session must be of this driver. */
static inline uint8_t
accel_session_fast_kind(const struct accel_session *sess)
{
	return (uint8_t)sess->owner;
}

/** True for the kind of a security session, whose digest is a part of the data. */
static inline bool
accel_is_protocol(enum accel_hw_kind kind)
{
	return kind > ACCEL_HW_KIND_AEAD;
}

/** True for the kind of an SA (ESP or AH). */
static inline bool
accel_is_ipsec(enum accel_hw_kind kind)
{
	return kind >= ACCEL_HW_KIND_ESP && kind <= ACCEL_HW_KIND_AH;
}

/**
 * True for the kind of an SA, or of TLS or DTLS records. The response to their operation has the
 * place and length of the result (manual 8.6, 8.7).
 */
static inline bool
accel_is_placed(enum accel_hw_kind kind)
{
	return kind >= ACCEL_HW_KIND_ESP && kind <= ACCEL_HW_KIND_DTLS12;
}

/**
 * Find or make the counter of generations. All devices of the driver in all processes share it,
 * since a session may be used on any of these devices. The counter lasts longer than the devices.
 *
 * @return 0, or a negative errno with a log line.
 */
int accel_session_share_generations(struct accel_dev *dev);

/**
 * Count a session that was made, or if @p made is false, a session that is freed (accel_stats.h).
 *
 * @param algs nb numbers of the session's algorithms (manual 8.2); 0 is none.
 */
void accel_session_count(struct accel_dev *dev, const uint8_t *algs, unsigned int nb, bool made);

/** Count a session by its written context, as accel_session_count() does. */
void accel_session_count_context(struct accel_dev *dev, const struct accel_session *sess,
				 bool made);

/** Get a generation that no context has had (manual 8.3). It is never 0. */
uint32_t accel_session_next_generation(struct accel_dev *dev);

/** Have the device drop its copy of a context (manual 8.4). */
void accel_session_invalidate(struct accel_dev *dev, uint64_t context, uint32_t generation);

/**
 * Give a session the generation and address of its context (manual 8.3), after all checks and
 * before keys are written.
 *
 * @param sess zeroed memory, whose IOVA is @p iova.
 * @return 0, or -EINVAL if the IOVA is not aligned.
 */
int accel_session_name(struct accel_dev *dev, struct accel_session *sess, rte_iova_t iova);

/**
 * Give a session another generation and post the invalidation of the device's copy, because what
 * the device reads has changed (manual 8.3, 8.6). No operation of the session may be in flight.
 */
void accel_session_rename(struct accel_dev *dev, struct accel_session *sess);

/** Wipe a session and post the invalidation of its context (manual 8.4). */
void accel_session_wipe(struct accel_dev *dev, struct accel_session *sess);

/* The next functions are for symmetric sessions, see accel_sym.c. */

/**
 * Make a session of a chain of transforms, without allocation, lock or wait.
 *
 * @param sess zeroed memory, whose IOVA is @p iova.
 * @return 0; -ENOTSUP for what the device does not offer; -EINVAL for a wrong transform, or for a
 *   size of key, IV, digest or AAD that the algorithm does not have.
 */
int accel_session_make(struct accel_dev *dev, const struct rte_crypto_sym_xform *xform,
		       struct accel_session *sess, rte_iova_t iova);

/** Implements rte_cryptodev_ops.sym_session_get_size: returns the bytes of the private area. */
unsigned int accel_sym_session_get_size(struct rte_cryptodev *cryptodev);

/** Implements rte_cryptodev_ops.sym_session_configure by accel_session_make(). */
int accel_sym_session_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_sym_xform *xform,
				struct rte_cryptodev_sym_session *session);

/** Implements rte_cryptodev_ops.sym_session_clear by accel_session_wipe(). */
void accel_sym_session_clear(struct rte_cryptodev *cryptodev,
			     struct rte_cryptodev_sym_session *session);

#endif /* ACCEL_SESSION_H */
