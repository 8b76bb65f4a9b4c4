/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares what IPsec's reference asks of the algorithms: ciphers, AEADs and integrity over plain
 * memory, with nonces as the RFC of each algorithm makes them.
 */
#ifndef REF_IPSEC_CRYPTO_H
#define REF_IPSEC_CRYPTO_H

#include "ref_ipsec.h"

/** True if the cipher has an ICV of its own. */
bool ref_ipsec_is_aead(enum ref_ipsec_cipher cipher);

/** Enciphers or deciphers in place with a cipher that is no AEAD. False if OpenSSL fails. */
bool ref_ipsec_cipher(const struct ref_ipsec_sa *sa, bool encrypt, const uint8_t *iv,
		      uint8_t *text, size_t len);

/** Seals in place and writes the ICV, or opens in place and compares it. False if that fails. */
bool ref_ipsec_aead(const struct ref_ipsec_sa *sa, bool encrypt, const uint8_t *iv,
		    const uint8_t *aad, size_t aad_len, uint8_t *text, size_t len, uint8_t *icv);

/** The integrity check value of a message, icv_len bytes. iv is that of GMAC. */
bool ref_ipsec_mac(const struct ref_ipsec_sa *sa, const uint8_t *iv, const uint8_t *message,
		   size_t len, uint8_t *icv);

#endif /* REF_IPSEC_CRYPTO_H */
