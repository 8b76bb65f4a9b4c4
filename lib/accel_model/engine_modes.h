/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Modes of operation around a block cipher of 16 bytes, for ciphers that OpenSSL 3.0 has the blocks
 * of but not the mode (SM4: those came with 3.1 and 3.2). What a mode needs beside the blocks is a
 * few lines (XTS) or a public function of the library (GHASH for GCM).
 */
#ifndef ACCEL_MODEL_ENGINE_MODES_H
#define ACCEL_MODEL_ENGINE_MODES_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/evp.h>
#include <openssl/modes.h>

#define MODES_BLOCK 16u

/**
 * One data unit of XTS (IEEE 1619, section 5).
 *
 * @param data the blocks under the data key, without padding, in the direction of the operation.
 * @param tweak the blocks under the tweak key, enciphering.
 * @param iv the tweak, 16 bytes.
 * @param out may be in.
 * @param len 16 or more; what is no whole block takes from the one before (ciphertext stealing).
 * @return false if OpenSSL refuses.
 */
bool modes_xts(EVP_CIPHER_CTX *data, EVP_CIPHER_CTX *tweak, const uint8_t *iv, const uint8_t *in,
	       uint8_t *out, uint32_t len);

/**
 * A keyed GCM (SP 800-38D) on the blocks of @p block, which has to outlive it. NULL: no memory. To
 * be freed with CRYPTO_gcm128_release(), which wipes.
 */
GCM128_CONTEXT *modes_gcm_new(EVP_CIPHER_CTX *block);

/**
 * Encipher or decipher between CRYPTO_gcm128_aad() and the tag. out may be in.
 *
 * @return false if OpenSSL refuses.
 */
bool modes_gcm_crypt(GCM128_CONTEXT *gcm, bool encrypt, const uint8_t *in, uint8_t *out,
		     uint32_t len);

#endif /* ACCEL_MODEL_ENGINE_MODES_H */
