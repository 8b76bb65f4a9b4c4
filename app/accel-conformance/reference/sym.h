/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes contexts for the tests, and computes the results of their operations with OpenSSL from the
 * same keys.
 */
#ifndef CONF_SYM_H
#define CONF_SYM_H

#include <stdbool.h>
#include <stdint.h>

#include "queue/request.h"

/** These are the keys and the IV of all contexts that are made here. */
extern const uint8_t sym_key[ACCEL_HW_AUTH_KEY_MAX];
extern const uint8_t sym_iv[16];

/** True if the tree has the algorithm as the contexts below need it. AES-GCM needs a nonce of 12
 * bytes. Otherwise the test is skipped. */
bool sym_has(struct card *c, uint32_t alg);
bool sym_has_chain(struct card *c, unsigned int kind);

/*
 * Make a context of AES-CBC, of HMAC-SHA256, of both, or of AES-GCM. Keys have the tree's size that
 * is nearest to 16 bytes, or to 32 bytes for HMAC. A digest or tag has the tree's length that is
 * nearest to what the caller wants. If the tree lacks the algorithm, the context has just these
 * sizes, and the card has to refuse it.
 */
void sym_cbc(const struct tree *t, struct accel_hw_context *x, bool encrypt);
void sym_hmac(const struct tree *t, struct accel_hw_context *x, bool verify, uint16_t digest);
void sym_chain(const struct tree *t, struct accel_hw_context *x, uint8_t kind, uint8_t flags,
	       uint16_t digest);
void sym_gcm(const struct tree *t, struct accel_hw_context *x, bool encrypt, uint16_t tag);

/** Return the tree's length of a digest of HMAC-SHA256 that is nearest to the wanted length. */
uint16_t sym_hmac_digest(const struct tree *t, uint32_t wanted);

/** Return the tree's length of AAD of AES-GCM that is nearest to the wanted length. */
uint16_t sym_gcm_aad(const struct tree *t, uint32_t wanted);

/** Give a context a new generation and write it to new memory. @return its address. */
uint64_t sym_store(struct card *c, struct accel_hw_context *x);

/** Write a context to given memory, with a new generation. */
void sym_store_at(struct card *c, struct accel_hw_context *x, uint64_t iova);

/** Begin a SYM request with sym_iv. */
void sym_request(struct request *r, const struct accel_hw_context *x, uint64_t iova);

/** Make a request of AES-CBC over 64 bytes in new memory. @p out receives its expected output. */
void sym_cbc_request(struct card *c, struct request *r, const struct accel_hw_context *x,
		     uint64_t at, uint8_t out[64]);

/** Run a request of sym_cbc_request(). @return true if it ends with this status, as request_run()
 * checks. */
bool sym_cbc_run(struct queue *q, const struct accel_hw_context *x, uint64_t at, uint16_t status);

/* Compute with OpenSSL. Lengths are in bytes. */
void ref_cbc(const uint8_t *key, uint32_t key_len, const uint8_t *iv, bool encrypt,
	     const uint8_t *in, uint8_t *out, uint32_t len);
void ref_hmac(const uint8_t *key, uint32_t key_len, const uint8_t *in, uint32_t len,
	      uint8_t digest[32]);
void ref_gcm(const struct accel_hw_context *x, const uint8_t *aad, uint32_t aad_len,
	     const uint8_t *in, uint8_t *out, uint32_t len, uint8_t tag[16]);

/** Compute AES-128-CCM with a nonce of 12 bytes and without AAD. */
void ref_ccm(const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out, uint32_t len,
	     uint8_t tag[16]);

/** Compute AES-128-CTR from a counter block, and AES-128-CMAC. */
void ref_ctr(const uint8_t *key, const uint8_t *block, const uint8_t *in, uint8_t *out,
	     uint32_t len);
void ref_cmac(const uint8_t *key, const uint8_t *in, uint32_t len, uint8_t mac[16]);

#endif /* CONF_SYM_H */
