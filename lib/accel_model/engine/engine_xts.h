/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * XTS around a block cipher of 16 bytes. It is for SM4, for which OpenSSL has this mode only since
 * release 3.2.
 */
#ifndef ACCEL_MODEL_ENGINE_XTS_H
#define ACCEL_MODEL_ENGINE_XTS_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/evp.h>

#define XTS_BLOCK 16u

/**
 * Encrypt or decrypt one data unit of XTS (IEEE 1619, section 5).
 *
 * @param data the block cipher under the data key, without padding, in the direction of the
 *   operation.
 * @param tweak the block cipher under the tweak key, for encryption.
 * @param iv the tweak, 16 bytes.
 * @param out may be @p in.
 * @param len 16 or more; an incomplete last block takes bytes from the block before it (ciphertext
 *   stealing).
 * @return false if OpenSSL refuses.
 */
bool xts_crypt(EVP_CIPHER_CTX *data, EVP_CIPHER_CTX *tweak, const uint8_t *iv, const uint8_t *in,
	       uint8_t *out, uint32_t len);

#endif /* ACCEL_MODEL_ENGINE_XTS_H */
