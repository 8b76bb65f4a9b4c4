/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/* This file declares the form of the published vectors. Strings are bytes in hex. A missing string
 * has no bytes. */

#ifndef E2E_KAT_H
#define E2E_KAT_H

#include "e2e.h"

struct e2e_kat {
	const char *origin;	/* document and number */
	const char *group;	/* test that runs it */
	enum rte_crypto_cipher_algorithm cipher;
	enum rte_crypto_auth_algorithm auth;
	enum rte_crypto_aead_algorithm aead;
	const char *key, *auth_key, *iv, *auth_iv, *aad;
	const char *in, *out;	/* plain text and cipher text; out is missing for hashes */
	const char *digest;
	uint32_t c_off, c_len;	/* cipher region of a chain; the auth region is everything */
	uint16_t bits;		/* bits of `in`, 0: all of them */
	uint16_t iv_named;	/* AES-CTR: the IV's length in the session, 0: that of iv */
	bool j0;		/* GCM: iv is the counter block J0 */
	bool fails;		/* the digest is wrong */
};

extern const struct e2e_kat e2e_kat_cipher[], e2e_kat_hash[], e2e_kat_aead[], e2e_kat_bits[];
extern const unsigned int e2e_nb_kat_cipher, e2e_nb_kat_hash, e2e_nb_kat_aead, e2e_nb_kat_bits;

/* Runs one vector. Counts vectors that the device can do, and operations. */
int e2e_kat_run(struct e2e *t, const struct e2e_kat *v, unsigned int *done, unsigned int *ops);

#endif /* E2E_KAT_H */
