/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reference of the wireless algorithms for the tests, which OpenSSL does not have. IVs as in manual
 * section 8.2, lengths in bytes or as it says in bits, MACs of 4 bytes.
 */
#ifndef REF_WIRELESS_H
#define REF_WIRELESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void ref_snow3g_uea2(const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
		     size_t len);
void ref_snow3g_uia2(const uint8_t *key, const uint8_t *iv, const uint8_t *in, size_t bits,
		     uint8_t *mac);
void ref_kasumi_f8(const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
		   size_t len);
void ref_kasumi_f9(const uint8_t *key, const uint8_t *in, size_t len, uint8_t *mac);
void ref_zuc_eea3(const uint8_t *key, size_t key_len, const uint8_t *iv, const uint8_t *in,
		  uint8_t *out, size_t len);
void ref_zuc_eia3(const uint8_t *key, size_t key_len, const uint8_t *iv, const uint8_t *in,
		  size_t bits, uint8_t *mac);

#endif /* REF_WIRELESS_H */
