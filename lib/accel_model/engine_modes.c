/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Modes of operation on a bare block cipher: see engine_modes.h.
 */
#include <string.h>

#include <openssl/crypto.h>

#include "engine_modes.h"

#define CHUNK 512u /* bytes that go through the block cipher at a time */

static bool
run_blocks(EVP_CIPHER_CTX *block, const uint8_t *in, uint8_t *out, uint32_t len)
{
	int done = 0;

	return EVP_CipherUpdate(block, out, &done, in, (int)len) == 1 && (uint32_t)done == len;
}

static void
xor_bytes(uint8_t *out, const uint8_t *a, const uint8_t *b, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		out[i] = a[i] ^ b[i];
}

/* Times alpha in GF(2^128): IEEE 1619, 5.2. Byte 0 holds the lowest bits. */
static void
double_tweak(uint8_t *to, const uint8_t *from)
{
	uint8_t carry = 0;

	for (unsigned int i = 0; i < MODES_BLOCK; i++) {
		uint8_t top = from[i] >> 7;

		to[i] = (uint8_t)(from[i] << 1 | carry);
		carry = top;
	}
	to[0] ^= carry ? 0x87 : 0;
}

/* Whole blocks; tweak goes on to that of the next one. */
static bool
xts_blocks(EVP_CIPHER_CTX *data, uint8_t *tweak, const uint8_t *in, uint8_t *out, uint32_t len)
{
	uint8_t tweaks[CHUNK], text[CHUNK];
	bool ok = true;

	for (uint32_t done = 0; done < len && ok; done += CHUNK) {
		uint32_t part = len - done < CHUNK ? len - done : CHUNK;

		for (uint32_t at = 0; at < part; at += MODES_BLOCK) {
			memcpy(tweaks + at, tweak, MODES_BLOCK);
			double_tweak(tweak, tweaks + at);
		}
		xor_bytes(text, in + done, tweaks, part);
		ok = run_blocks(data, text, text, part);
		xor_bytes(out + done, text, tweaks, part);
	}
	OPENSSL_cleanse(tweaks, sizeof(tweaks));
	OPENSSL_cleanse(text, sizeof(text));
	return ok;
}

/* The last whole block and the rest behind it: IEEE 1619, 5.3.2 and 5.4.2. The whole block goes
 * first under the tweak whose turn it is to encipher, under the next one to decipher. */
static bool
xts_steal(EVP_CIPHER_CTX *data, uint8_t *tweak, const uint8_t *in, uint8_t *out, uint32_t rest)
{
	bool encrypt = EVP_CIPHER_CTX_is_encrypting(data) != 0;
	uint8_t tweaks[2][MODES_BLOCK], whole[MODES_BLOCK], mixed[MODES_BLOCK];
	bool ok;

	memcpy(tweaks[encrypt ? 0 : 1], tweak, MODES_BLOCK);
	double_tweak(tweaks[encrypt ? 1 : 0], tweak);
	ok = xts_blocks(data, tweaks[0], in, whole, MODES_BLOCK);
	memcpy(mixed, whole, MODES_BLOCK);
	memcpy(mixed, in + MODES_BLOCK, rest);
	memcpy(out + MODES_BLOCK, whole, rest);
	ok = ok && xts_blocks(data, tweaks[1], mixed, out, MODES_BLOCK);
	OPENSSL_cleanse(tweaks, sizeof(tweaks));
	OPENSSL_cleanse(whole, sizeof(whole));
	OPENSSL_cleanse(mixed, sizeof(mixed));
	return ok;
}

bool
modes_xts(EVP_CIPHER_CTX *data, EVP_CIPHER_CTX *tweak, const uint8_t *iv, const uint8_t *in,
	  uint8_t *out, uint32_t len)
{
	uint32_t rest = len % MODES_BLOCK;
	uint32_t whole = len - rest - (rest != 0 ? MODES_BLOCK : 0);
	uint8_t value[MODES_BLOCK];
	bool ok;

	ok = run_blocks(tweak, iv, value, MODES_BLOCK) && xts_blocks(data, value, in, out, whole);
	if (ok && rest != 0)
		ok = xts_steal(data, value, in + whole, out + whole, rest);
	OPENSSL_cleanse(value, sizeof(value));
	return ok;
}

/* One block for the library's GCM, which cannot be told of a failure; a keyed cipher without
 * padding has none. */
static void
gcm_block(const uint8_t in[MODES_BLOCK], uint8_t out[MODES_BLOCK], const void *key)
{
	(void)run_blocks((EVP_CIPHER_CTX *)(uintptr_t)key, in, out, MODES_BLOCK);
}

static void
count_up(uint8_t *counter)
{
	for (unsigned int i = MODES_BLOCK; i > MODES_BLOCK - 4 && ++counter[i - 1] == 0; i--)
		;
}

/* CTR with a 32-bit counter (SP 800-38D, 6.5); the library counts in its own copy. */
static void
gcm_counter(const uint8_t *in, uint8_t *out, size_t blocks, const void *key,
	    const uint8_t iv[MODES_BLOCK])
{
	uint8_t counter[MODES_BLOCK], stream[CHUNK];
	size_t left = blocks * MODES_BLOCK;

	memcpy(counter, iv, sizeof(counter));
	while (left > 0) {
		uint32_t part = left < CHUNK ? (uint32_t)left : CHUNK;

		for (uint32_t at = 0; at < part; at += MODES_BLOCK) {
			memcpy(stream + at, counter, MODES_BLOCK);
			count_up(counter);
		}
		(void)run_blocks((EVP_CIPHER_CTX *)(uintptr_t)key, stream, stream, part);
		xor_bytes(out, in, stream, part);
		in += part;
		out += part;
		left -= part;
	}
	OPENSSL_cleanse(stream, sizeof(stream));
}

GCM128_CONTEXT *
modes_gcm_new(EVP_CIPHER_CTX *block)
{
	return CRYPTO_gcm128_new(block, gcm_block);
}

bool
modes_gcm_crypt(GCM128_CONTEXT *gcm, bool encrypt, const uint8_t *in, uint8_t *out, uint32_t len)
{
	return (encrypt ? CRYPTO_gcm128_encrypt_ctr32(gcm, in, out, len, gcm_counter)
			: CRYPTO_gcm128_decrypt_ctr32(gcm, in, out, len, gcm_counter)) == 0;
}
