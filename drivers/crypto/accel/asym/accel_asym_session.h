/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes asymmetric sessions: a transform becomes a context of kind 13 (manual 8.8). The private
 * area of a session is not aligned and has no IOVA, so the context lies in memory of its own.
 */
#ifndef ACCEL_ASYM_SESSION_H
#define ACCEL_ASYM_SESSION_H

#include <stdint.h>

#include <cryptodev_pmd.h>
#include <rte_crypto_asym.h>

#include "accel_asym_alg.h"
#include "accel_dev.h"
#include "hw/accel_hw.h"

/* Holds an asymmetric session. All of it lies in memory that processes share. */
struct accel_asym_session {
	uint64_t owner; /* ACCEL_ASYM_OWNER; 0 before configuration and after clear */
	/* the context, followed by its components; NULL: random numbers need none */
	struct accel_hw_pk_context *context;
	uint64_t iova; /* of the context */
	uint32_t context_len; /* bytes that are wiped */
	uint32_t generation;
	uint8_t kind; /* the number of accel_asym_kind_of() */
	bool has_private; /* EC: the private key is in the context */
	bool deterministic; /* ML-DSA: signatures take no random number */
	bool prehash; /* ML-DSA: each operation has a hash, or mu */
	uint16_t size[ACCEL_ASYM_SIZES]; /* bytes */
	uint32_t variants; /* bit n: the card has enum accel_hw_pk_variant n of the algorithm */
	uint64_t hashes; /* bit n: the card has the hash ACCEL_DT_AUTH_FIRST + n of the algorithm */
	struct rte_crypto_rsa_padding padding; /* if DPDK has it in the transform */
	/* ECDH: the peer's key, if DPDK has it in the transform */
	struct rte_crypto_param_t peer[ACCEL_ASYM_PEER_COORDINATES];
};

/*
 * Identifies an asymmetric session of this driver. No other driver's session has this number in the
 * place of owner.
 */
#define ACCEL_ASYM_OWNER UINT64_C(0xa5c3f15e9d7bacff)

/**
 * Make a session of a transform.
 *
 * @param sess the session, which must be zeroed.
 * @return 0; -ENOTSUP if the device does not offer what the transform asks for; -EINVAL for a key
 *   that the algorithm cannot have; -ENOMEM. After an error a log line has said why.
 */
int accel_asym_session_make(struct accel_dev *dev, const struct rte_crypto_asym_xform *xform,
			    struct accel_asym_session *sess);

/** Wipe a session, have the device drop its copy, and free the context (manual 8.4). */
void accel_asym_session_wipe(struct accel_dev *dev, struct accel_asym_session *sess);

/** Return the driver's part of a session, or NULL if it has none or was cleared. */
const struct accel_asym_session *
accel_asym_session_of(const struct rte_cryptodev_asym_session *session);

/** Implements rte_cryptodev_ops.asym_session_get_size: returns the bytes of the private area. */
unsigned int accel_asym_session_get_size(struct rte_cryptodev *cryptodev);

/**
 * Implements rte_cryptodev_ops.asym_session_configure: calls accel_asym_session_make() for the
 * private area.
 */
int accel_asym_session_configure(struct rte_cryptodev *cryptodev,
				 struct rte_crypto_asym_xform *xform,
				 struct rte_cryptodev_asym_session *session);

/** Implements rte_cryptodev_ops.asym_session_clear: calls accel_asym_session_wipe(). */
void accel_asym_session_clear(struct rte_cryptodev *cryptodev,
			      struct rte_cryptodev_asym_session *session);

#endif /* ACCEL_ASYM_SESSION_H */
