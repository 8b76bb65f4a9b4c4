/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessions of each kind for the driver's fuzz targets, each in an object of its own of the exact
 * size.
 */
#ifndef FUZZ_SESSION_H
#define FUZZ_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <cryptodev_pmd.h>

enum session_kind {
	SESSION_CBC,
	SESSION_CTR,
	SESSION_GCM_SEAL,
	SESSION_GCM_OPEN,
	SESSION_CHAIN,
	SESSION_CHAIN_VERIFY,
	SESSION_AUTH,
	SESSION_AUTH_VERIFY,
	SESSION_DIGEST_FIRST, /* the digest may be encrypted */
	SESSION_BITS,
	SESSION_ESP_OUT,
	SESSION_ESP_IN,
	SESSION_AH_OUT,
	SESSION_AH_IN,
	SESSION_PDCP,
	SESSION_DOCSIS,
	SESSION_TLS_WRITE, /* DPDK has TLS records since 24.11 */
	SESSION_TLS_READ,
	SESSION_MODEX,
	SESSION_RSA,
	SESSION_DH,
	SESSION_DSA,
	SESSION_ECDSA,
	SESSION_ECDH,
	SESSION_ECPM,
	SESSION_ML_KEM, /* and these two since 25.11 */
	SESSION_ML_DSA,
	SESSION_RANDOM,
	SESSION_KINDS
};

#define SESSION_IV 16u /* bytes of an IV in the operation; the auth's follows */
#define SESSION_IV_OFFSET                                                                          \
	(sizeof(struct rte_crypto_op) + RTE_MAX(sizeof(struct rte_crypto_sym_op),                  \
						sizeof(struct rte_crypto_asym_op)))
#define SESSION_OP_SIZE (SESSION_IV_OFFSET + 4 * SESSION_IV)

bool session_is_asym(enum session_kind kind);
bool session_is_security(enum session_kind kind);
uint32_t session_digest(enum session_kind kind);
uint32_t session_aad(enum session_kind kind);

/** The transforms of a kind that is neither asymmetric nor of security. */
struct rte_crypto_sym_xform *session_xform(enum session_kind kind);

/** Make a session; NULL if the driver refuses it, or DPDK's version has no such kind. */
void *session_new(struct rte_cryptodev *cryptodev, enum session_kind kind);

/** The same for an asymmetric kind (session_asym.c). */
void *session_new_asym(struct rte_cryptodev *cryptodev, enum session_kind kind);

/** Clear a session and free it. */
void session_free(struct rte_cryptodev *cryptodev, enum session_kind kind, void *session);

#endif /* FUZZ_SESSION_H */
