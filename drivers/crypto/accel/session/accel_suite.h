/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The cipher suite of a protocol's session: from transforms to the fields that the contexts of all
 * protocols have (manual 8.1). IPsec, TLS records, PDCP and DOCSIS add what is theirs.
 */
#ifndef ACCEL_SUITE_H
#define ACCEL_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_crypto_sym.h>
#include <rte_cryptodev.h>

#include "accel_capabilities.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_session.h"
#include "hw/accel_hw.h"

/* An algorithm in a protocol: what it has beside its row in accel_capabilities.c. */
struct accel_suite_alg {
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

struct accel_suite_table {
	const struct accel_suite_alg *rows;
	unsigned int nb;
};

/* A session that a configuration describes. */
struct accel_suite {
	/* What the protocol says before any check. */
	enum accel_hw_kind kind;
	bool encrypt; /* the session sends */
	const struct accel_dt_protocol *card; /* what the card has of it */
	const struct accel_suite_table *table;
	uint8_t offered; /* bits that a row of the table needs */
	/* The transforms. One that there is not is NULL. */
	const struct rte_crypto_cipher_xform *cipher;
	const struct rte_crypto_auth_xform *auth;
	const struct rte_crypto_aead_xform *aead;
	int rte[ACCEL_ALG_AEAD + 1]; /* their algorithms by class, for log lines */
	/* Numbers and sizes that the card gets; 0: none. */
	uint16_t cipher_hw; /* cipher or AEAD */
	uint16_t auth_hw;
	uint16_t cipher_key_len;
	uint16_t auth_key_len;
	uint16_t digest_len;
	uint8_t iv_len; /* in the packet or record */
	/* For the protocol and the driver. */
	uint8_t salt_len;
	uint8_t op_iv_len; /* bytes that are copied from each operation, which the protocol sets */
	uint16_t iv_offset; /* their place there */
	const char *why; /* text for a refusal */
};

/** Note why a session is refused. Returns @p error. */
static inline int
accel_suite_refuse(struct accel_suite *suite, int error, const char *why)
{
	suite->why = why;
	return error;
}

/**
 * Read the transforms. Their order has no meaning, since the protocol defines it.
 *
 * @return 0, or -EINVAL if there are two of a kind, or one of no kind.
 */
int accel_suite_read(struct accel_suite *suite, const struct rte_crypto_sym_xform *xform);

/**
 * Check the transforms that there are against protocol and card, and get what the card needs of
 * them.
 *
 * @return 0; -ENOTSUP for what is not offered; -EINVAL for an operation against the direction, or
 *   a size of key, IV or digest that the algorithm does not have.
 */
int accel_suite_check(const struct accel_dev *dev, struct accel_suite *suite);

/**
 * Write the context as far as all protocols have it, keys included, and what the data path needs of
 * the suite.
 *
 * @param sess zeros, but for what accel_session_name() has written.
 */
void accel_suite_write(const struct accel_suite *suite, struct accel_session *sess);

/**
 * Check that an update changes nothing that the host has written to the context, nor the rules of
 * operations. What the card can do may have changed with a reset, so the session learns that anew.
 *
 * @param wanted a session as the update describes it, with what may change as it was. It is wiped.
 * @param size bytes of both sessions up to what the card writes.
 * @return 0 or -ENOTSUP.
 */
int accel_suite_update(struct accel_suite *suite, struct accel_session *wanted,
		       struct accel_session *sess, size_t size);

/**
 * Get the capability of an algorithm in a protocol, with the sizes that both and the card allow. IV
 * and AAD are those of plain operations. Returns false, and leaves zeros, if the card lacks it.
 */
bool accel_suite_capability(const struct accel_devtree *dt, const struct accel_dt_protocol *card,
			    const struct accel_suite_alg *row,
			    struct rte_cryptodev_capabilities *cap);

#endif /* ACCEL_SUITE_H */
