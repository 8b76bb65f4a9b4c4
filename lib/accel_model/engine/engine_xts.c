/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * XTS of a bare block cipher: see engine_xts.h.
 */
#include <string.h>

#include <openssl/crypto.h>

#include "engine/engine_common.h"
#include "engine/engine_xts.h"

#define CHUNK 512u /* bytes that go through the block cipher at a time */

static bool
run_blocks(EVP_CIPHER_CTX *block, const uint8_t *in, uint8_t *out, uint32_t len)
{
	int done = 0;

	return EVP_CipherUpdate(block, out, &done, in, (int)len) == 1 && (uint32_t)done == len;
}

/* Multiply a tweak by alpha in GF(2^128) (IEEE 1619, 5.2). Byte 0 holds the lowest bits. */
static void
double_tweak(uint8_t *to, const uint8_t *from)
{
	uint8_t carry = 0;

	for (unsigned int i = 0; i < XTS_BLOCK; i++) {
		uint8_t top = from[i] >> 7;

		to[i] = (uint8_t)(from[i] << 1 | carry);
		carry = top;
	}
	to[0] ^= carry ? 0x87 : 0;
}

/* Do whole blocks. Afterwards @p tweak is the tweak of the block that follows them. */
static bool
xts_blocks(EVP_CIPHER_CTX *data, uint8_t *tweak, const uint8_t *in, uint8_t *out, uint32_t len)
{
	uint8_t tweaks[CHUNK], text[CHUNK];
	bool ok = true;

	for (uint32_t done = 0; done < len && ok; done += CHUNK) {
		uint32_t part = len - done < CHUNK ? len - done : CHUNK;

		for (uint32_t at = 0; at < part; at += XTS_BLOCK) {
			memcpy(tweaks + at, tweak, XTS_BLOCK);
			double_tweak(tweak, tweaks + at);
		}
		engine_xor(text, in + done, tweaks, part);
		ok = run_blocks(data, text, text, part);
		engine_xor(out + done, text, tweaks, part);
	}
	OPENSSL_cleanse(tweaks, sizeof(tweaks));
	OPENSSL_cleanse(text, sizeof(text));
	return ok;
}

/* Do the last whole block and the incomplete block after it (IEEE 1619, 5.3.2 and 5.4.2). The whole
 * block comes first. It takes the present tweak to encrypt, and the next tweak to decrypt. */
static bool
xts_steal(EVP_CIPHER_CTX *data, uint8_t *tweak, const uint8_t *in, uint8_t *out, uint32_t rest)
{
	bool encrypt = EVP_CIPHER_CTX_is_encrypting(data) != 0;
	uint8_t tweaks[2][XTS_BLOCK], whole[XTS_BLOCK], mixed[XTS_BLOCK];
	bool ok;

	memcpy(tweaks[encrypt ? 0 : 1], tweak, XTS_BLOCK);
	double_tweak(tweaks[encrypt ? 1 : 0], tweak);
	ok = xts_blocks(data, tweaks[0], in, whole, XTS_BLOCK);
	memcpy(mixed, whole, XTS_BLOCK);
	memcpy(mixed, in + XTS_BLOCK, rest);
	memcpy(out + XTS_BLOCK, whole, rest);
	ok = ok && xts_blocks(data, tweaks[1], mixed, out, XTS_BLOCK);
	OPENSSL_cleanse(tweaks, sizeof(tweaks));
	OPENSSL_cleanse(whole, sizeof(whole));
	OPENSSL_cleanse(mixed, sizeof(mixed));
	return ok;
}

bool
xts_crypt(EVP_CIPHER_CTX *data, EVP_CIPHER_CTX *tweak, const uint8_t *iv, const uint8_t *in,
	  uint8_t *out, uint32_t len)
{
	uint32_t rest = len % XTS_BLOCK;
	uint32_t whole = len - rest - (rest != 0 ? XTS_BLOCK : 0);
	uint8_t value[XTS_BLOCK];
	bool ok;

	ok = run_blocks(tweak, iv, value, XTS_BLOCK) && xts_blocks(data, value, in, out, whole);
	if (ok && rest != 0)
		ok = xts_steal(data, value, in + whole, out + whole, rest);
	OPENSSL_cleanse(value, sizeof(value));
	return ok;
}
