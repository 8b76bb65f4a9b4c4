/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Opens deciphered CBC records (tls_mac.h), for tools/py/answers/constant_time.py, which counts the
 * instructions of each measured(). The records of a call have one length and differ in their
 * secrets only: how much of it is padding, and what is wrong.
 *
 * tls-time HASH LENGTH PADDING WRONG [PADDING WRONG]...
 *   HASH     20, 32 or 48: bytes of the digest
 *   LENGTH   bytes of the deciphered record
 *   PADDING  1 to 256: bytes of padding
 *   WRONG    none, mac, content, first (byte of the padding), last (of it before its length), long
 *   prints the status of each record. The first one is opened once more before, in the clear, so
 *   that OpenSSL makes what it keeps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "accel_hw.h"
#include "state/tls_mac.h"

#define LENGTH_MAX 20000u

uint16_t measured(const struct tls_mac *mac, const struct tls *tls, const uint8_t *text,
		  uint32_t len);

/* The begin and the end of the count. */
__attribute__((noinline)) uint16_t
measured(const struct tls_mac *mac, const struct tls *tls, const uint8_t *text, uint32_t len)
{
	const struct tls_header header = { .type = 23, .number = 5 };
	uint32_t content;

	return tls_mac_open(mac, tls, &header, text, len, &content);
}

/* Makes the record in the clear. */
static void
fill(const struct accel_hw_context *ctx, uint32_t len, uint32_t padding, uint8_t *text)
{
	static uint8_t covered[13 + LENGTH_MAX];
	const uint32_t content = len - ctx->digest_len - padding;
	const EVP_MD *md = ctx->digest_len == 20 ? EVP_sha1() :
			   ctx->digest_len == 32 ? EVP_sha256() : EVP_sha384();

	memset(text, 'x', content);
	memset(text + content + ctx->digest_len, (int)(padding - 1), padding);
	memcpy(covered, "\0\0\0\0\0\0\0\5\27\3\3", 11);
	covered[11] = (uint8_t)(content >> 8);
	covered[12] = (uint8_t)content;
	memcpy(covered + 13, text, content);
	HMAC(md, ctx->auth_key, ctx->auth_key_len, covered, 13 + content, text + content, NULL);
}

static void
spoil(const char *wrong, uint32_t mac_len, uint32_t len, uint32_t padding, uint8_t *text)
{
	if (strcmp(wrong, "mac") == 0)
		text[len - padding - mac_len] ^= 1;
	else if (strcmp(wrong, "content") == 0)
		text[0] ^= 1;
	else if (strcmp(wrong, "first") == 0)
		text[len - padding] ^= 1;
	else if (strcmp(wrong, "last") == 0)
		text[len - 2] ^= 1;
	else if (strcmp(wrong, "long") == 0)
		text[len - 1] = 255;
}

int
main(int argc, char **argv)
{
	static uint8_t text[LENGTH_MAX];
	struct accel_hw_context ctx = {
		.kind = ACCEL_HW_KIND_TLS12,
		.cipher_alg = ACCEL_HW_CIPHER_AES_CBC,
		.iv_len = 16,
	};
	const struct accel_hw_tls part = { 0 };
	uint32_t len, padding;
	struct tls_mac *mac;
	uint16_t status;
	struct tls tls;

	if (argc < 5 || argc % 2 == 0)
		return 2;
	ctx.digest_len = (uint16_t)atoi(argv[1]);
	len = (uint32_t)atoi(argv[2]);
	ctx.auth_key_len = ctx.digest_len;
	ctx.auth_alg = ctx.digest_len == 20 ? ACCEL_HW_AUTH_SHA1_HMAC :
		       ctx.digest_len == 32 ? ACCEL_HW_AUTH_SHA256_HMAC : ACCEL_HW_AUTH_SHA384_HMAC;
	memset(ctx.auth_key, 7, sizeof(ctx.auth_key));
	tls_take(&ctx, &part, &tls);
	mac = tls_mac_new(&ctx);
	if (mac == NULL)
		return 1;
	for (int i = 3; i < argc; i += 2) {
		padding = (uint32_t)atoi(argv[i]);
		if (len > LENGTH_MAX || padding < 1 || padding > 256 ||
				len < ctx.digest_len + padding)
			return 2;
		fill(&ctx, len, padding, text);
		if (i == 3)
			measured(mac, &tls, text, len);
		spoil(argv[i + 1], ctx.digest_len, len, padding, text);
		status = measured(mac, &tls, text, len);
		printf("%u\n", status);
	}
	tls_mac_free(mac);
	return 0;
}
