/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Encoded messages of RSA encryption for tests, as RFC 8017 writes them, right or with faults.
 */
#include "pk_base/pk_encode.h"

void
encode_pkcs1(uint8_t *em, uint32_t em_len, const uint8_t *message, uint32_t len)
{
	uint32_t zero = em_len - len - 1;

	draw_bytes(em, zero);
	for (uint32_t i = 2; i < zero; i++)
		em[i] |= 1;
	em[0] = 0;
	em[1] = 2;
	em[zero] = 0;
	if (len > 0)
		memcpy(em + zero + 1, message, len);
}

/* RFC 8017, B.2.1: exclusive or of a mask */
static void
encode_mgf1(const uint8_t *seed, uint32_t seed_len, uint8_t *to, uint32_t len)
{
	uint8_t in[ENCODE_MAX + 4], mask[ENCODE_HASH];

	memcpy(in, seed, seed_len);
	for (uint32_t i = 0; i < len; i++) {
		memcpy(in + seed_len, (uint8_t[]) { 0, 0, 0, (uint8_t)(i / ENCODE_HASH) }, 4);
		if (i % ENCODE_HASH == 0)
			EVP_Digest(in, seed_len + 4, mask, NULL, EVP_sha256(), NULL);
		to[i] ^= mask[i % ENCODE_HASH];
	}
}

void
encode_oaep_db(uint8_t *db, uint32_t em_len, uint32_t message_len)
{
	uint32_t len = em_len - 1 - ENCODE_HASH;

	memset(db, 0, len);
	EVP_Digest("", 0, db, NULL, EVP_sha256(), NULL);
	db[len - message_len - 1] = 1;
	draw_bytes(db + len - message_len, message_len);
}

void
encode_oaep(uint8_t *em, uint32_t em_len, uint8_t first, const uint8_t *db)
{
	uint32_t len = em_len - 1 - ENCODE_HASH;
	uint8_t *seed = em + 1, *masked = em + 1 + ENCODE_HASH;

	em[0] = first;
	draw_bytes(seed, ENCODE_HASH);
	memcpy(masked, db, len);
	encode_mgf1(seed, ENCODE_HASH, masked, len);
	encode_mgf1(masked, len, seed, ENCODE_HASH);
}
