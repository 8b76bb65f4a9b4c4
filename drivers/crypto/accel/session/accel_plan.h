/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The plan of a session: what its transforms describe, in the numbers and sizes that the card gets
 * (manual 8.1). Sessions of all kinds are planned, or refused, before any key is copied.
 * accel_sym.c, accel_ipsec.c, accel_tls.c and accel_security.c add what only their sessions have.
 */
#ifndef ACCEL_PLAN_H
#define ACCEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_crypto_sym.h>
#include <rte_cryptodev.h>
#include <rte_security.h>

#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_session.h"
#include "hw/accel_hw.h"

struct rte_security_tls_record_xform; /* not in all versions of DPDK */

/* Describes an algorithm in a protocol: what it has in addition to its row in
 * accel_capabilities.c. */
struct accel_plan_alg {
	enum accel_alg_class class;
	int rte; /* enum rte_crypto_{cipher,auth,aead}_algorithm, by class */
	uint8_t offered; /* cases in which it is offered, as bits that the protocol defines */
	uint8_t iv_len; /* bytes of the IV in a packet or record */
	uint8_t salt_len; /* bytes of an SA's salt that begin the nonce */
	/* Sizes in the transform. A range of zeros: the protocol adds no rule. */
	struct accel_hw_range iv;
	struct accel_hw_range key;
	struct accel_hw_range digest;
};

/*
 * Has the algorithms of a protocol. A range of `shown` takes the place of a range in the
 * capabilities of a class, if its maximum is not 0.
 */
struct accel_plan_table {
	const struct accel_plan_alg *rows;
	unsigned int nb;
	/* true: a card with the protocol takes these sizes, whatever sizes plain operations have */
	bool sizes_fixed;
	struct accel_plan_shown {
		struct accel_hw_range iv;
		struct accel_hw_range digest;
		struct accel_hw_range aad;
	} shown[ACCEL_ALG_AEAD + 1]; /* by class */
};

/* Describes a session as its transforms and its configuration say. */
struct accel_plan {
	enum accel_hw_kind kind;
	bool encrypt; /* for a protocol: the session sends */
	const char *why; /* reason of a refusal, which names the field */
	/* These are the transforms. A transform that the session does not have is NULL. */
	const struct rte_crypto_sym_xform *first;
	const struct rte_crypto_cipher_xform *cipher;
	const struct rte_crypto_auth_xform *auth;
	const struct rte_crypto_aead_xform *aead;
	/* The card gets these numbers and sizes. 0: none. The NULL algorithms have the number 0. */
	uint16_t cipher_hw; /* cipher or AEAD */
	uint16_t auth_hw;
	uint16_t cipher_key_len;
	uint16_t auth_key_len;
	uint16_t digest_len;
	uint16_t aad_len;
	uint16_t iv_len; /* for a protocol: bytes of the IV in the packet or record */
	uint16_t auth_iv_len;
	uint32_t data_unit_len;
	/* These are for protocols. They are set before accel_plan_check(), or by it. */
	const struct accel_dt_protocol *card; /* what the card has of the protocol */
	const struct accel_plan_table *table; /* NULL: algorithms are as in plain operations */
	uint8_t offered; /* bits that a row of the table needs */
	uint8_t salt_len;
	uint8_t op_iv_len; /* bytes copied from the IV of each operation; the protocol sets it */
	uint16_t iv_offset; /* where these bytes are in an operation */
	union {
		struct {
			bool verify; /* the digest is input */
			bool cipher_bits; /* offset and length of an operation are in bits */
			bool auth_bits;
			bool bytes_only; /* the card takes no bits for cipher or authentication */
			bool ccm; /* the nonce begins at byte 1 of the IV, the AAD at byte 18 */
			bool nonce; /* the IV of an operation lacks the counter */
			bool iv_in_stream; /* a command has no room for both IVs (manual 8.1) */
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
			uint8_t block; /* bytes of the block to which CBC pads, else 0 */
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
	size_t host_end; /* bytes of a session up to the part that the card writes */
	size_t window; /* offset of the replay window in a session, 0: none */
};

/* Says what a session may not ask for. All conditions are computed before one is looked at. */
struct accel_plan_rule {
	bool broken;
	int error; /* -ENOTSUP or -EINVAL */
	const char *why; /* names the field */
};

/** Refuse a session for the first rule that it breaks. Returns 0 if it breaks none. */
int accel_plan_obey(struct accel_plan *plan, const struct accel_plan_rule *rules, unsigned int nb);

/** Note why a session is refused. Returns @p error. */
static inline int
accel_plan_refuse(struct accel_plan *plan, int error, const char *why)
{
	plan->why = why;
	return error;
}

/** Write a log line about a session that is refused, with the fields of its configuration. */
void accel_log_refusal(struct accel_dev *dev, enum accel_refused which, const char *why,
		       const char *fields);

/**
 * Write a log line about a plan that is refused, with the fields of its configuration, and with its
 * transforms in the numbers of rte_crypto_sym.h.
 */
void accel_plan_log(struct accel_dev *dev, enum accel_refused which, const struct accel_plan *plan,
		    const char *fields);

/**
 * Read the transforms. Their order counts in plain operations only.
 *
 * @return 0; -EINVAL if the type of a transform is unknown, or if there is no transform. If two
 *   transforms are of one type: -EINVAL with a protocol, -ENOTSUP without.
 */
int accel_plan_read(struct accel_plan *plan, const struct rte_crypto_sym_xform *xform);

/**
 * Check the transforms of a plan against card and protocol, and write what the card needs of them
 * to the plan. A plan without a table is for plain operations.
 *
 * @return 0; -ENOTSUP for what is not offered; -EINVAL if the op of a transform contradicts the
 *   direction, or the algorithm does not have a size of key, IV, digest or AAD.
 */
int accel_plan_check(const struct accel_dev *dev, struct accel_plan *plan);

/**
 * Let a plan have the NULL algorithm of a class, which is cipher or authentication.
 *
 * @return 0, or -ENOTSUP if the card does not offer it in the protocol.
 */
int accel_plan_take_null(struct accel_plan *plan, enum accel_alg_class class);

/**
 * Write the part of a context that all kinds have, keys included.
 *
 * @param ctx zeros, but for what accel_session_name() has written.
 */
void accel_plan_write_context(const struct accel_plan *plan, struct accel_hw_context *ctx);

/**
 * Write the part of a session that all protocols have.
 *
 * @param sess zeros, but for what accel_session_name() has written.
 */
void accel_plan_write(const struct accel_plan *plan, struct accel_session *sess);

/**
 * Check that an update changes nothing that the host has written to the context, nor the rules of
 * operations. What the card can do may have changed with a reset. So ACCEL_SESSION_OVERLAP may
 * change, and the session takes its new value.
 *
 * @param wanted a session as the update describes it, but with the old value of what an update may
 *   change. The function wipes it.
 * @param size bytes of both sessions up to the part that the card writes.
 * @return 0 or -ENOTSUP.
 */
int accel_plan_update(struct accel_plan *plan, struct accel_session *wanted,
		      struct accel_session *sess, size_t size);

/**
 * Write the capabilities of a protocol's algorithms, with the sizes that algorithm, protocol and
 * card allow.
 *
 * @param offered bits that a row of the table needs.
 * @param caps zeros, with room for all rows.
 * @return the number of capabilities.
 */
unsigned int accel_plan_capabilities(const struct accel_devtree *dt,
				     const struct accel_dt_protocol *card,
				     const struct accel_plan_table *table, uint8_t offered,
				     struct rte_cryptodev_capabilities *caps);

#endif /* ACCEL_PLAN_H */
