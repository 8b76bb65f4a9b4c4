/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the reference of the wireless algorithms, which OpenSSL does not have. The IVs have the
 * form of manual section 8.2. Lengths are in bytes unless the name says bits. MACs have 4 bytes
 * unless mac_len says more. ref_bits_move() moves a run that does not begin with a whole byte. The
 * bits after a run's end are zeros.
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
/* mac_len is 4, or with a key of 32 bytes also 8 or 16. */
void ref_zuc_eia3(const uint8_t *key, size_t key_len, const uint8_t *iv, const uint8_t *in,
		  size_t bits, uint8_t *mac, size_t mac_len);

/* Makes key stream of 256-NEA6, ZUC-256 with an IV of 16 bytes. */
void ref_zuc_nea6(const uint8_t *key, const uint8_t *iv, uint8_t *out, size_t len);

/* 3GPP's 256-bit algorithms: 256-NEA, 256-NIA and 256-NCA with SNOW 5G (nr 4), AES (5) and ZUC (6).
 * MACs have 16 bytes; a shorter one is the beginning. */
void ref_nea(unsigned int nr, const uint8_t *key, const uint8_t *iv, const uint8_t *in,
	     uint8_t *out, size_t len);
void ref_nia(unsigned int nr, const uint8_t *key, const uint8_t *iv, const uint8_t *in, size_t len,
	     uint8_t *mac);
void ref_nca(unsigned int nr, const uint8_t *key, const uint8_t *iv, const uint8_t *aad,
	     size_t aad_len, const uint8_t *in, uint8_t *out, size_t len, bool encrypt,
	     uint8_t *mac);

/* Copies bits one by one. Bit 0 is the most significant bit of byte 0. The runs must not
 * overlap. */
void ref_bits_move(uint8_t *to, size_t to_at, const uint8_t *from, size_t from_at, size_t bits);

#endif /* REF_WIRELESS_H */
