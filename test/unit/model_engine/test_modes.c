/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The modes of engine_xts.h and engine_gcm_j0.h work with any block cipher. With AES they have to
 * give the results of OpenSSL's own XTS and GCM, for all lengths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine_gcm_j0.h"
#include "engine/engine_xts.h"
#include "base/random.h"

#define KEY 16
#define LEN_MAX 1700u /* more than three pieces of the modes */
#define AAD_MAX 100u

static EVP_CIPHER_CTX *
new_ctx(const char *name, const uint8_t *key, const uint8_t *iv, bool encrypt)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	assert_non_null(cipher);
	assert_int_equal(EVP_CipherInit_ex2(ctx, cipher, key, iv, encrypt, NULL), 1);
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	EVP_CIPHER_free(cipher);
	return ctx;
}

static void
check_xts(uint32_t len, bool encrypt, bool in_place)
{
	static uint8_t in[LEN_MAX], want[LEN_MAX + 1], got[LEN_MAX + 1];
	uint8_t key[2 * KEY], iv[XTS_BLOCK];
	EVP_CIPHER_CTX *whole, *data, *tweak;
	int done = 0;

	draw_bytes(key, sizeof(key));
	draw_bytes(iv, sizeof(iv));
	draw_bytes(in, len);
	whole = new_ctx("AES-128-XTS", key, iv, encrypt);
	data = new_ctx("AES-128-ECB", key, NULL, encrypt);
	tweak = new_ctx("AES-128-ECB", key + KEY, NULL, true);
	assert_int_equal(EVP_CipherUpdate(whole, want, &done, in, (int)len), 1);
	assert_int_equal(done, len);
	want[len] = 0xee;
	memset(got, 0xee, sizeof(got));
	if (in_place)
		memcpy(got, in, len);
	assert_true(xts_crypt(data, tweak, iv, in_place ? got : in, got, len));
	if (memcmp(got, want, len + 1) != 0)
		fail_msg("wrong result of XTS with %u bytes, %s%s", len,
			 encrypt ? "encrypt" : "decrypt", in_place ? ", in place" : "");
	EVP_CIPHER_CTX_free(whole);
	EVP_CIPHER_CTX_free(data);
	EVP_CIPHER_CTX_free(tweak);
}

static void
test_xts(void **state)
{
	(void)state;
	for (uint32_t len = XTS_BLOCK; len <= LEN_MAX; len++)
		for (unsigned int how = 0; how < 4; how++)
			check_xts(len, how & 1, how & 2);
}

struct gcm {
	uint8_t key[KEY];
	uint8_t iv[12];
	uint8_t aad[AAD_MAX];
	uint32_t aad_len;
	uint32_t len;
	uint8_t plain[LEN_MAX];
	uint8_t cipher[LEN_MAX];
	uint8_t tag[XTS_BLOCK];
};

/* Computes ciphertext and tag with OpenSSL. */
static void
gcm_reference(struct gcm *g)
{
	EVP_CIPHER_CTX *ctx = new_ctx("AES-128-GCM", g->key, g->iv, true);
	int done;

	assert_int_equal(EVP_CipherUpdate(ctx, NULL, &done, g->aad, (int)g->aad_len), 1);
	if (g->len > 0)
		assert_int_equal(EVP_CipherUpdate(ctx, g->cipher, &done, g->plain, (int)g->len), 1);
	assert_int_equal(EVP_CipherFinal_ex(ctx, g->cipher, &done), 1);
	assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, sizeof(g->tag), g->tag),
			 1);
	EVP_CIPHER_CTX_free(ctx);
}

static void
check_gcm(struct gcm *g)
{
	static uint8_t data[LEN_MAX];
	EVP_CIPHER_CTX *block = new_ctx("AES-128-ECB", g->key, NULL, true);
	uint8_t j0[XTS_BLOCK] = { [XTS_BLOCK - 1] = 1 };
	uint8_t tag[XTS_BLOCK];

	memcpy(j0, g->iv, sizeof(g->iv));
	for (unsigned int encrypt = 0; encrypt < 2; encrypt++) {
		memcpy(data, encrypt ? g->plain : g->cipher, g->len);
		memset(tag, 0, sizeof(tag));
		assert_true(gcm_j0_crypt(block, j0, g->aad, g->aad_len, data, data, g->len, encrypt,
					 tag));
		assert_memory_equal(data, encrypt ? g->cipher : g->plain, g->len);
		assert_memory_equal(tag, g->tag, sizeof(tag));
	}
	EVP_CIPHER_CTX_free(block);
}

static void
test_gcm(void **state)
{
	static struct gcm g;

	(void)state;
	for (uint32_t len = 0; len <= LEN_MAX; len++) {
		draw_bytes(g.key, sizeof(g.key));
		draw_bytes(g.iv, sizeof(g.iv));
		draw_bytes(g.aad, sizeof(g.aad));
		draw_bytes(g.plain, sizeof(g.plain));
		g.len = len;
		g.aad_len = draw(AAD_MAX + 1);
		gcm_reference(&g);
		check_gcm(&g);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_xts),
		cmocka_unit_test(test_gcm),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
