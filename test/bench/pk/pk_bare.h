/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What `openssl speed` does in its loops, with a key and a context that are prepared: what
 * pk-engine-bench and the part pk of accel-bench compare with.
 */
#ifndef PK_BARE_H
#define PK_BARE_H

#include <openssl/evp.h>

#define BARE_MESSAGE 32u /* bytes that are signed */

enum bare_what { BARE_SIGN, BARE_VERIFY, BARE_DERIVE };

struct bare;

/**
 * Prepares a loop. Aborts the program if the library fails.
 *
 * @param key RSA, P-256, X25519 or Ed25519. It must outlive the loop.
 * @param peer whose public key BARE_DERIVE takes, else NULL
 */
struct bare *bare_new(EVP_PKEY *key, EVP_PKEY *peer, enum bare_what what);
/** Does one operation. Aborts the program if it fails. */
void bare_run(struct bare *b);
void bare_free(struct bare *b);

#endif /* PK_BARE_H */
