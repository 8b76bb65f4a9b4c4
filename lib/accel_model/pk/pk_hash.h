/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The hashes that a public-key command can name (manual 8.2, without key), as far as the library
 * that is linked has them.
 */
#ifndef ACCEL_MODEL_PK_HASH_H
#define ACCEL_MODEL_PK_HASH_H

#include <openssl/evp.h>

#include "pk/pk_alg.h"

#define PK_HASH_SIZE_MAX 64u /* bytes of a digest */

/** Write the numbers of all hashes there are. Any thread may call it. @return how many. */
uint8_t pk_hashes(uint8_t hash[PK_HASHES_MAX]);

/** A hash that pk_hashes() has. It lives as long as the process. NULL: there is none. */
const EVP_MD *pk_hash(uint8_t alg);

#endif /* ACCEL_MODEL_PK_HASH_H */
