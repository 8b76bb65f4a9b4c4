/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * GCM from a given counter block J0 (SP 800-38D, 7.1 and 7.2), around any block cipher of 16 bytes.
 * OpenSSL and IPsec-MB take an IV but no J0, and OpenSSL has SM4-GCM only since 3.1. The code is
 * simple and constant-time, but slow.
 */
#ifndef ACCEL_MODEL_ENGINE_GCM_J0_H
#define ACCEL_MODEL_ENGINE_GCM_J0_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/evp.h>

/**
 * Encrypt or decrypt, and compute the whole tag.
 *
 * @param ecb the block cipher in ECB mode with the key, for encryption, without padding.
 * @param in the plaintext or ciphertext; may be @p out, and NULL if @p len is 0.
 * @param tag receives 16 bytes.
 * @return false if OpenSSL fails.
 */
bool gcm_j0_crypt(EVP_CIPHER_CTX *ecb, const uint8_t *j0, const uint8_t *aad, uint32_t aad_len,
		  const uint8_t *in, uint8_t *out, uint32_t len, bool encrypt, uint8_t *tag);

#endif /* ACCEL_MODEL_ENGINE_GCM_J0_H */
