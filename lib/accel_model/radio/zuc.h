/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ZUC for messages of any length, and the key stream of 3GPP's 256-bit algorithms with ZUC.
 * IPsec-MB takes 65504 bits at most, and OpenSSL does not have ZUC (doc/notes/model.md). No
 * instruction, branch or address depends on a key or on data.
 */
#ifndef ACCEL_MODEL_ZUC_H
#define ACCEL_MODEL_ZUC_H

#include <stdint.h>

#define ZUC_KEY_MAX 32u
#define ZUC_CELLS 16u /* of the LFSR */

/** Holds a key. A key of 16 bytes with an IV of 16 bytes is for ZUC (TS 35.222), a key of 32 bytes
 * with an IV of 25 bytes for ZUC-256. */
struct zuc_key {
	uint8_t bytes[ZUC_KEY_MAX];
	uint16_t len;
};

/* The state of a key stream. */
struct zuc {
	/* The LFSR is the ZUC_CELLS words from cell[at] on. Each has 31 bits and is not 0. */
	uint32_t cell[2 * ZUC_CELLS];
	uint32_t at;
	uint32_t r1;
	uint32_t r2;
	uint32_t x3; /* X3 of the last step of F (TS 35.222, 3.3) */
};

/** Begin the key stream of ZUC-256 from an IV of 16 bytes (TS 35.246). */
void zuc_start_nea6(struct zuc *z, const uint8_t *key, const uint8_t *iv);

/** Add the next bytes of a key stream. @param out may be @p in. @param len a multiple of 4, but for
 * the last call. */
void zuc_xor(struct zuc *z, const uint8_t *in, uint8_t *out, uint32_t len);

/** Encrypt or decrypt (EEA3, TS 35.221). @param out may be @p in. */
void zuc_crypt(const struct zuc_key *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	       uint32_t len);

/**
 * Make a MAC (EIA3, TS 35.221).
 *
 * @param bits the length of the message; the bits after it in its last byte may have any value.
 * @param mac_len 4, or with a key of 32 bytes also 8 or 16. A shorter MAC is not a part of a longer
 *   one.
 */
void zuc_mac(const struct zuc_key *key, const uint8_t *iv, const uint8_t *in, uint64_t bits,
	     uint8_t *mac, unsigned int mac_len);

#endif /* ACCEL_MODEL_ZUC_H */
