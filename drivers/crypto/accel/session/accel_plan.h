/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The plan of a session: what its transforms describe, in the numbers and sizes that the card gets
 * (manual 8.1). Sessions of all kinds are planned, and refused, before any key is copied.
 * accel_session.c, accel_ipsec.c, accel_tls.c and accel_security.c add what is theirs.
 */
#ifndef ACCEL_PLAN_H
#define ACCEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_crypto_sym.h>
#include <rte_cryptodev.h>
#include <rte_security.h>

#include "accel_capabilities.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_session.h"
#include "hw/accel_hw.h"

struct rte_security_tls_record_xform; /* not in all versions of DPDK */

/* Describes an algorithm in a protocol: what it has beside its row in accel_capabilities.c. */
struct accel_plan_alg {
	enum accel_alg_class class;
	int rte; /* enum rte_crypto_{cipher,auth,aead}_algorithm, by class */
	uint8_t offered; /* in which cases of the protocol; bits of its own */
	uint8_t iv_len; /* bytes of the IV in a packet or record */
	uint8_t salt_len; /* bytes of an SA's salt that begin the nonce */
	/* Sizes in the transform. All sizes 0: the protocol adds no rule. */
	struct accel_hw_range iv;
	struct accel_hw_range key;
	struct accel_hw_range digest;
};

struct accel_plan_table {
	const struct accel_plan_alg *rows;
	unsigned int nb;
	/* A card has the protocol's sizes, whatever it takes in plain operations. */
	bool sizes_fixed;
};

/* Describes a session as its transforms and its configuration do. */
struct accel_plan {
	enum accel_hw_kind kind;
	bool encrypt; /* also: a session of a protocol sends */
	const char *why; /* text for a refusal, which names the field */
	/* The transforms. One that there is not is NULL. */
	const struct rte_crypto_sym_xform *first;
	const struct rte_crypto_cipher_xform *cipher;
	const struct rte_crypto_auth_xform *auth;
	const struct rte_crypto_aead_xform *aead;
	/* Numbers and sizes that the card gets; 0: none. Those of the NULL algorithms are 0. */
	uint16_t cipher_hw; /* cipher or AEAD */
	uint16_t auth_hw;
	uint16_t cipher_key_len;
	uint16_t auth_key_len;
	uint16_t digest_len;
	uint16_t aad_len;
	uint16_t iv_len; /* of a protocol: in the packet or record */
	uint16_t auth_iv_len;
	uint32_t data_unit_len;
	/* A protocol says these before any check, or the check finds them. */
	const struct accel_dt_protocol *card; /* what the card has of it */
	const struct accel_plan_table *table; /* NULL: algorithms are as in plain operations */
	uint8_t offered; /* bits that a row of the table needs */
	uint8_t salt_len;
	uint8_t op_iv_len; /* bytes that are copied from each operation, which the protocol sets */
	uint16_t iv_offset; /* where these bytes are in an operation */
	union {
		struct {
			bool verify; /* the digest is input */
			bool cipher_bits; /* offset and length of an operation are in bits */
			bool auth_bits;
			bool bytes_only; /* the card does not take bits for one of the two */
			bool ccm; /* the nonce begins at byte 1 of the IV, the AAD at byte 18 */
			bool nonce; /* the IV of an operation lacks the counter */
			bool iv_in_stream; /* a command lacks room for both IVs (manual 8.1) */
		} plain;
		struct {
			uint8_t sn_len;
			uint8_t bearer;
			uint8_t direction;
			uint8_t sdap_len;
			uint32_t hfn;
		} pdcp;
		struct {
			const struct rte_security_ipsec_xform *x;
			bool ah;
			bool tunnel;
			uint32_t options; /* ACCEL_HW_IPSEC_* */
		} ipsec;
		struct {
			const struct rte_security_tls_record_xform *x;
			bool tls13;
			bool dtls;
			uint8_t block; /* to which CBC pads, else 0 */
		} tls;
	};
};

/* Says how a protocol's sessions are made. */
struct accel_protocol_sessions {
	enum accel_refused log;
	/* Checks a configuration. Returns 0, -ENOTSUP or -EINVAL. */
	int (*plan)(const struct accel_dev *dev, const struct rte_security_session_conf *conf,
		    struct accel_plan *plan);
	/* Writes all of a session but its name and what an update may change. */
	void (*write)(const struct accel_plan *plan, struct accel_session *sess);
	/* Writes what an update may change, but for the replay window; NULL: nothing. */
	void (*begin)(const struct accel_plan *plan, bool update, struct accel_session *sess);
	/* Writes the fields of a configuration for a log line. */
	void (*describe)(const struct rte_security_session_conf *conf,
			 const struct accel_plan *plan, char *text, size_t size);
	size_t host_end; /* bytes of a session up to what the card writes */
	size_t window; /* offset of its replay window, 0: none */
};

/** Note why a session is refused. Returns @p error. */
static inline int
accel_plan_refuse(struct accel_plan *plan, int error, const char *why)
{
	plan->why = why;
	return error;
}

/** Write the line about a session that is refused, with the fields of its configuration. */
void accel_log_refusal(struct accel_dev *dev, enum accel_refused which, const char *why,
		       const char *fields);

/**
 * Append the transforms to a text for accel_log_refusal(), in the numbers of rte_crypto_sym.h.
 *
 * @param text a string in @p size bytes.
 */
void accel_plan_describe(const struct accel_plan *plan, char *text, size_t size);

/**
 * Read the transforms. Their order counts in plain operations only.
 *
 * @return 0; -EINVAL for one of unknown type, or if there is none; for two of a type -ENOTSUP, and
 *   with a protocol -EINVAL.
 */
int accel_plan_read(struct accel_plan *plan, const struct rte_crypto_sym_xform *xform);

/**
 * Check the transforms that there are against card and protocol, and get what the card needs of
 * them. A plan without a table is one of plain operations.
 *
 * @return 0; -ENOTSUP for what is not offered; -EINVAL for an operation against the direction, or
 *   a size of key, IV, digest or AAD that the algorithm does not have.
 */
int accel_plan_check(const struct accel_dev *dev, struct accel_plan *plan);

/** Take the cipher, or authentication, NULL. Returns -ENOTSUP if the protocol lacks it. */
int accel_plan_take_null(struct accel_plan *plan, enum accel_alg_class class);

/** Write the context as far as all kinds have it, keys included. It holds zeros and its name. */
void accel_plan_write_context(const struct accel_plan *plan, struct accel_hw_context *ctx);

/**
 * Write what the sessions of all protocols have.
 *
 * @param sess zeros, but for what accel_session_name() has written.
 */
void accel_plan_write(const struct accel_plan *plan, struct accel_session *sess);

/**
 * Check that an update changes nothing that the host has written to the context, nor the rules of
 * operations. What the card can do may have changed with a reset, so the session learns that anew.
 *
 * @param wanted a session as the update describes it, with what may change as it was. It is wiped.
 * @param size bytes of both sessions up to what the card writes.
 * @return 0 or -ENOTSUP.
 */
int accel_plan_update(struct accel_plan *plan, struct accel_session *wanted,
		      struct accel_session *sess, size_t size);

/**
 * Get the capability of an algorithm in a protocol, with the sizes that both and the card allow. IV
 * and AAD are those of plain operations. Returns false, and leaves zeros, if the card lacks it.
 */
bool accel_plan_capability(const struct accel_devtree *dt, const struct accel_dt_protocol *card,
			   const struct accel_plan_alg *row,
			   struct rte_cryptodev_capabilities *cap);

#endif /* ACCEL_PLAN_H */
