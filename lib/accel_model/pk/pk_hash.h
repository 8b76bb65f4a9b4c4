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

/** Write the numbers of all hashes that there are. Any thread may call this. @return how many
 * hashes there are. */
uint8_t pk_hashes(uint8_t hash[PK_HASHES_MAX]);

/** Return a hash that pk_hashes() lists, else NULL. The hash lives as long as the process. */
const EVP_MD *pk_hash(uint8_t alg);

#endif /* ACCEL_MODEL_PK_HASH_H */
