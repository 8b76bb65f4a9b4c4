/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * TLS records: see tls_record.h.
 */
#include <string.h>

#include "state/tls_record.h"

#define NUMBER_LEN 8u
#define AT_VERSION 1u /* in a header */
#define AT_EPOCH 3u /* DTLS */

static void
put_be(uint8_t *to, unsigned int bytes, uint64_t value)
{
	for (unsigned int i = bytes; i-- > 0; value >>= 8)
		to[i] = (uint8_t)value;
}

static uint64_t
get_be(const uint8_t *from, unsigned int bytes)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < bytes; i++)
		value = value << 8 | from[i];
	return value;
}

static bool
is_dtls(const struct tls *tls)
{
	return tls->kind == ACCEL_HW_KIND_DTLS12;
}

static bool
is_tls13(const struct tls *tls)
{
	return tls->kind == ACCEL_HW_KIND_TLS13;
}

static uint16_t
version_of(const struct tls *tls)
{
	return is_dtls(tls) ? ACCEL_HW_DTLS_VERSION : ACCEL_HW_TLS_VERSION;
}

/* Return the number with the epoch, as it stands in MAC, additional data and nonce. */
static uint64_t
whole_number(const struct tls *tls, uint64_t number)
{
	return is_dtls(tls) ? (uint64_t)tls->epoch << 48 | number : number;
}

static uint32_t
round_up(uint32_t value, uint32_t block)
{
	return (value + block - 1) / block * block;
}

void
tls_take(const struct accel_hw_context *common, const struct accel_hw_tls *part, struct tls *tls)
{
	const bool cbc = common->cipher_alg == ACCEL_HW_CIPHER_AES_CBC ||
			 common->cipher_alg == ACCEL_HW_CIPHER_3DES_CBC;

	*tls = (struct tls){
		.kind = common->kind,
		.encrypt = (common->flags & ACCEL_HW_CTX_ENCRYPT) != 0,
		.aead = common->auth_alg == 0,
		.iv_given = (part->options & ACCEL_HW_TLS_IV_GIVEN) != 0,
		.header = common->kind == ACCEL_HW_KIND_DTLS12 ? ACCEL_HW_DTLS_HEADER :
								 ACCEL_HW_TLS_HEADER,
		.iv_len = common->iv_len,
		.digest = (uint8_t)common->digest_len,
		.block = cbc ? common->iv_len : 1,
		.epoch = part->epoch,
		.payload_min = (uint16_t)part->payload_min,
		.window = part->replay_window,
		.soft = part->records_soft,
		.hard = part->records_hard,
	};
	memcpy(tls->fixed_iv, part->fixed_iv, sizeof(tls->fixed_iv));
}

static uint32_t
largest_content(const struct tls *tls)
{
	return is_tls13(tls) ? ACCEL_HW_TLS13_CONTENT_MAX : ACCEL_HW_TLS_CONTENT_MAX;
}

enum accel_hw_status
tls_check_content(const struct tls *tls, uint8_t type, uint32_t content)
{
	const bool never_empty = type >= ACCEL_HW_TLS_CHANGE_CIPHER_SPEC &&
				 type <= ACCEL_HW_TLS_HANDSHAKE;

	if (content > largest_content(tls) || (content == 0 && never_empty) ||
	    (type == 0 && is_tls13(tls)))
		return ACCEL_HW_MALFORMED;
	return ACCEL_HW_OK;
}

uint32_t
tls_padding(const struct tls *tls, uint32_t content, uint32_t extra)
{
	const uint32_t unpadded = content + tls->digest;
	uint32_t padding;

	if (is_tls13(tls)) {
		padding = content < tls->payload_min ? tls->payload_min - content : 0;
		padding = padding > extra ? padding : extra;
		return content + padding <= ACCEL_HW_TLS13_CONTENT_MAX ?
			       padding : ACCEL_HW_TLS13_CONTENT_MAX - content;
	}
	if (tls->block == 1)
		return 0;
	padding = round_up(unpadded + 1, tls->block) - unpadded + round_up(extra, tls->block);
	if (padding > ACCEL_HW_TLS_PADDING_MAX)
		padding -= round_up(padding - ACCEL_HW_TLS_PADDING_MAX, tls->block);
	return padding;
}

/* Return the bytes of all but content and padding: header, explicit IV, type of TLS 1.3, MAC or
 * tag. */
static uint32_t
added(const struct tls *tls)
{
	return (uint32_t)tls->header + tls->iv_len + is_tls13(tls) + tls->digest;
}

uint32_t
tls_record_len(const struct tls *tls, uint32_t content, uint32_t padding)
{
	return added(tls) + content + padding;
}

uint32_t
tls_content_max(const struct tls *tls, uint32_t len)
{
	const uint32_t least = added(tls) + (tls->block > 1);

	return len > least ? len - least : 0;
}

/* Check the number of bytes after the header (check 2 of the manual). */
static bool
fragment_ok(const struct tls *tls, uint32_t len)
{
	const uint32_t covered = round_up(tls->digest + (uint32_t)(tls->block > 1), tls->block);
	const uint32_t most = is_tls13(tls) ? ACCEL_HW_TLS13_FRAGMENT_MAX :
					      ACCEL_HW_TLS_FRAGMENT_MAX;

	return len >= tls->iv_len + is_tls13(tls) + covered && len <= most &&
	       (len - tls->iv_len) % tls->block == 0;
}

enum accel_hw_status
tls_parse(const struct tls *tls, const uint8_t *record, uint32_t len, struct tls_header *header)
{
	const uint32_t fragment = len - tls->header;

	if (len < tls->header || get_be(record + tls->header - 2, 2) != fragment ||
	    !fragment_ok(tls, fragment))
		return ACCEL_HW_MALFORMED;
	*header = (struct tls_header){ .type = record[0] };
	if (is_tls13(tls))
		return header->type == ACCEL_HW_TLS_APPLICATION_DATA ? ACCEL_HW_OK :
								       ACCEL_HW_MISMATCH;
	if (get_be(record + AT_VERSION, 2) != version_of(tls))
		return ACCEL_HW_MISMATCH;
	if (is_dtls(tls)) {
		if (get_be(record + AT_EPOCH, 2) != tls->epoch)
			return ACCEL_HW_MISMATCH;
		header->number = get_be(record + AT_EPOCH + 2, 6);
	}
	return ACCEL_HW_OK;
}

void
tls_put_header(const struct tls *tls, uint8_t type, uint64_t number, uint32_t fragment, uint8_t *to)
{
	to[0] = is_tls13(tls) ? ACCEL_HW_TLS_APPLICATION_DATA : type;
	put_be(to + AT_VERSION, 2, version_of(tls));
	if (is_dtls(tls))
		put_be(to + AT_EPOCH, NUMBER_LEN, whole_number(tls, number));
	put_be(to + tls->header - 2, 2, fragment);
}

void
tls_put_counted_iv(const struct tls *tls, uint64_t number, uint8_t *to)
{
	put_be(to, NUMBER_LEN, whole_number(tls, number));
}

void
tls_put_nonce(const struct tls *tls, uint64_t number, const uint8_t *explicit_iv, uint8_t *to)
{
	memcpy(to, tls->fixed_iv, ACCEL_HW_TLS_NONCE);
	if (tls->iv_len > 0) {
		memcpy(to + ACCEL_HW_TLS_FIXED_IV, explicit_iv, ACCEL_HW_TLS_EXPLICIT_NONCE);
		return;
	}
	number = whole_number(tls, number);
	for (unsigned int i = ACCEL_HW_TLS_NONCE; i-- > ACCEL_HW_TLS_FIXED_IV; number >>= 8)
		to[i] ^= (uint8_t)number;
}

uint32_t
tls_put_aad(const struct tls *tls, uint8_t type, uint64_t number, uint32_t content, uint8_t *to)
{
	put_be(to, NUMBER_LEN, whole_number(tls, number));
	to[NUMBER_LEN] = type;
	put_be(to + NUMBER_LEN + 1, 2, version_of(tls));
	put_be(to + NUMBER_LEN + 3, 2, content);
	return TLS_AAD_MAX;
}

void
tls_put_padding(uint8_t *to, uint32_t padding)
{
	memset(to, (int)(padding - 1), padding);
}

bool
tls_open_inner(const uint8_t *text, uint32_t *len, uint8_t *type)
{
	uint32_t n = *len;

	while (n > 0 && text[n - 1] == 0)
		n--;
	if (n == 0)
		return false;
	*type = text[n - 1];
	*len = n - 1;
	return true;
}
