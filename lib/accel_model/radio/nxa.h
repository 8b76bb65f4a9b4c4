/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * 3GPP's 256-bit algorithms: the ciphers 256-NEA4 to 6, the MACs 256-NIA4 to 6 and the AEADs
 * 256-NCA4 to 6, with SNOW 5G, AES-256 and ZUC-256 in this order (TS 35.240 to 35.248). They are
 * one mode with three key streams. No library has them. A message may have any length.
 *
 * The IV of 16 bytes is that of the standard. 3GPP puts the kind of the algorithm and the length of
 * the tag into its first byte, and zeros into its last four. With AES the last four bytes have no
 * meaning, because blocks are counted there, and the lowest bit of the first byte is set for the
 * hash.
 */
#ifndef ACCEL_MODEL_NXA_H
#define ACCEL_MODEL_NXA_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/evp.h>

#define NXA_KEY 32u
#define NXA_IV 16u
#define NXA_TAG_MAX 16u /* A shorter tag is the beginning of a longer one. */

enum nxa_stream {
	NXA_SNOW5G = 4,
	NXA_AES = 5,
	NXA_ZUC = 6,
};

struct nxa_key {
	EVP_CIPHER_CTX *aes; /* AES-256-CTR with the key, or NULL if the stream is not AES */
	enum nxa_stream stream;
	uint8_t bytes[NXA_KEY]; /* for the other streams */
};

/** Set a key. @param aes see struct nxa_key. */
void nxa_set_key(struct nxa_key *key, enum nxa_stream stream, const uint8_t *bytes,
		 EVP_CIPHER_CTX *aes);

/* The functions below return false if OpenSSL refuses. */

/** Encrypt or decrypt (256-NEA). @param out may be @p in. */
bool nxa_crypt(const struct nxa_key *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	       uint32_t len);

/** Make a MAC (256-NIA). @param tag has room for NXA_TAG_MAX bytes. */
bool nxa_mac(const struct nxa_key *key, const uint8_t *iv, const uint8_t *in, uint32_t len,
	     uint8_t *tag);

/**
 * Encrypt or decrypt, and make the tag (256-NCA).
 *
 * @param out may be @p in.
 * @param tag has room for NXA_TAG_MAX bytes.
 */
bool nxa_aead(const struct nxa_key *key, const uint8_t *iv, const uint8_t *aad, uint32_t aad_len,
	      const uint8_t *in, uint8_t *out, uint32_t len, bool encrypt, uint8_t *tag);

#endif /* ACCEL_MODEL_NXA_H */
