/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * TLS records (manual 8.7): header, lengths, padding, nonce and additional data, as pure functions
 * on plain memory. They know neither keys nor the state of a connection. What they read of a record
 * is a copy that nobody else can change.
 */
#ifndef ACCEL_MODEL_TLS_RECORD_H
#define ACCEL_MODEL_TLS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"

#define TLS_AAD_MAX 13u /* RFC 5246, 6.2.3.3; TLS 1.3: 5 */

/* Holds what a context of TLS says, without keys. */
struct tls {
	uint8_t kind; /* enum accel_hw_kind */
	bool encrypt; /* write, else read */
	bool aead;
	bool iv_given;
	uint8_t header; /* bytes */
	uint8_t iv_len; /* bytes of the explicit IV */
	uint8_t digest; /* bytes of MAC or tag */
	uint8_t block; /* bytes of a block of CBC, else 1 */
	uint16_t epoch;
	uint16_t payload_min;
	uint32_t window; /* numbers of the replay window, 0: no check */
	uint64_t soft; /* records, 0: no limit */
	uint64_t hard;
	uint8_t fixed_iv[ACCEL_HW_TLS_NONCE];
};

/* Holds what the header of a received record says. */
struct tls_header {
	uint8_t type;
	uint64_t number; /* DTLS: without the epoch */
};

/** Fill in @p tls from a checked context. */
void tls_take(const struct accel_hw_context *common, const struct accel_hw_tls *part,
	      struct tls *tls);

/** True if records of this kind may have padding beyond the least. */
static inline bool
tls_pads(const struct tls *tls)
{
	return tls->kind == ACCEL_HW_KIND_TLS13 || tls->block > 1;
}

/** Return the largest number of a record, without the epoch. */
static inline uint64_t
tls_number_max(const struct tls *tls)
{
	return tls->kind == ACCEL_HW_KIND_DTLS12 ? ACCEL_HW_DTLS_NUMBER_MAX :
						   ACCEL_HW_TLS_NUMBER_MAX;
}

/** Check type and length of the content to write (check 2 of the manual). @return OK or MALFORMED.
 */
enum accel_hw_status tls_check_content(const struct tls *tls, uint8_t type, uint32_t content);

/**
 * Return the bytes of padding of a record.
 *
 * @param content bytes, at most the largest content.
 * @param extra bytes that the command asks for.
 * @return CBC: with the byte of its length; TLS 1.3: zeros after the type; else 0.
 */
uint32_t tls_padding(const struct tls *tls, uint32_t content, uint32_t extra);

/** Return the bytes of a whole record with this content and padding. */
uint32_t tls_record_len(const struct tls *tls, uint32_t content, uint32_t padding);

/** Return the bytes of the largest content that a record of @p len bytes may have, 0 if the record
 * is too short. */
uint32_t tls_content_max(const struct tls *tls, uint32_t len);

/**
 * Check a received record's header and lengths (checks 2 and 3 of the manual).
 *
 * @param header is valid with OK.
 * @return OK, MALFORMED or MISMATCH.
 */
enum accel_hw_status tls_parse(const struct tls *tls, const uint8_t *record, uint32_t len,
			       struct tls_header *header);

/** Write a header. @param number without the epoch. @param fragment bytes after the header. */
void tls_put_header(const struct tls *tls, uint8_t type, uint64_t number, uint32_t fragment,
		    uint8_t *to);

/** Write the explicit IV that the card makes by counting, which is the record's number (TLS-14). */
void tls_put_counted_iv(const struct tls *tls, uint64_t number, uint8_t *to);

/** Write the nonce of an AEAD, ACCEL_HW_TLS_NONCE bytes. @param explicit_iv as in the record. */
void tls_put_nonce(const struct tls *tls, uint64_t number, const uint8_t *explicit_iv, uint8_t *to);

/**
 * Write what MAC and AEADs of TLS 1.2 cover before the content: number, type, version, length of
 * the content. AEADs of TLS 1.3 cover the header itself.
 *
 * @return bytes, at most TLS_AAD_MAX.
 */
uint32_t tls_put_aad(const struct tls *tls, uint8_t type, uint64_t number, uint32_t content,
		     uint8_t *to);

/** Write the padding of CBC: bytes that are all their number less one. */
void tls_put_padding(uint8_t *to, uint32_t padding);

/**
 * Find content and type in the inner plaintext of TLS 1.3: content, type, zeros. The plaintext is
 * authentic.
 *
 * @param len bytes of the plaintext; receives the bytes of the content.
 * @return false: there is no type.
 */
bool tls_open_inner(const uint8_t *text, uint32_t *len, uint8_t *type);

#endif /* ACCEL_MODEL_TLS_RECORD_H */
