/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes contexts, and computes the reference: see sym.h.
 */
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sym.h"

/* The tests have this room, in bytes. */
#define AES_KEY_MAX 32u
#define SHA256_LEN  32u
#define GCM_TAG_MAX 16u
#define AAD_MAX     1024u

const uint8_t sym_key[ACCEL_HW_AUTH_KEY_MAX] = {
	0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f,
	0x3c, 0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d,
	0x77, 0x81, 0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09,
	0x14, 0xdf, 0xf4, 0x60, 0x31, 0xe0, 0x3d, 0xb8, 0x59, 0x4a, 0x92, 0x0f, 0xc6, 0x3e, 0x17,
	0x85, 0x6d, 0xa4, 0xf2,
};

const uint8_t sym_iv[16] = {
	0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe,
	0xff,
};

bool
sym_has(struct card *c, uint32_t alg)
{
	const struct tree_alg *a = tree_alg(&c->tree, alg);

	if (a == NULL) {
		result_skip(&c->result, "the tree has no algorithm %u", alg);
	} else if (alg == ACCEL_HW_AEAD_AES_GCM && tree_nearest(&a->iv, 12) != 12) {
		result_skip(&c->result, "the tree has no AES-GCM with a nonce of 12 bytes");
		a = NULL;
	}
	return a != NULL;
}

bool
sym_has_chain(struct card *c, unsigned int kind)
{
	if (tree_chain(&c->tree, kind, ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_SHA256_HMAC))
		return true;
	result_skip(&c->result, "the tree has no kind %u with AES-CBC and SHA256-HMAC", kind);
	return false;
}

static void
init(struct accel_hw_context *x, uint8_t kind, uint8_t flags)
{
	memset(x, 0, sizeof(*x));
	x->version = ACCEL_HW_CTX_VERSION;
	x->kind = kind;
	x->flags = flags;
}

/* Return a size of the tree, or the wanted one if the tests have no room for it: no algorithm has
 * such a size, so the card is wrong. */
static uint16_t
with_room(uint32_t size, uint32_t room, uint16_t wanted)
{
	return size <= room ? (uint16_t)size : wanted;
}

static uint16_t
key_of(const struct tree *t, uint32_t alg, uint32_t room, uint16_t wanted)
{
	const struct tree_alg *a = tree_alg(t, alg);

	return a != NULL ? with_room(tree_nearest(&a->key, wanted), room, wanted) : wanted;
}

static uint16_t
digest_of(const struct tree *t, uint32_t alg, uint32_t room, uint16_t wanted)
{
	const struct tree_alg *a = tree_alg(t, alg);

	/* A chain without a digest is made on purpose. */
	return a != NULL && wanted != 0 ? with_room(tree_digest(a, wanted), room, wanted) : wanted;
}

void
sym_cbc(const struct tree *t, struct accel_hw_context *x, bool encrypt)
{
	init(x, ACCEL_HW_KIND_CIPHER, encrypt ? ACCEL_HW_CTX_ENCRYPT : 0);
	x->cipher_alg = ACCEL_HW_CIPHER_AES_CBC;
	x->cipher_key_len = key_of(t, ACCEL_HW_CIPHER_AES_CBC, AES_KEY_MAX, 16);
	x->iv_len = 16;
	memcpy(x->cipher_key, sym_key, x->cipher_key_len);
}

void
sym_hmac(const struct tree *t, struct accel_hw_context *x, bool verify, uint16_t digest)
{
	init(x, ACCEL_HW_KIND_AUTH, verify ? ACCEL_HW_CTX_VERIFY : 0);
	x->auth_alg = ACCEL_HW_AUTH_SHA256_HMAC;
	x->auth_key_len = key_of(t, ACCEL_HW_AUTH_SHA256_HMAC, ACCEL_HW_AUTH_KEY_MAX, 32);
	x->digest_len = digest_of(t, ACCEL_HW_AUTH_SHA256_HMAC, SHA256_LEN, digest);
	memcpy(x->auth_key, sym_key, x->auth_key_len);
}

void
sym_chain(const struct tree *t, struct accel_hw_context *x, uint8_t kind, uint8_t flags,
	  uint16_t digest)
{
	struct accel_hw_context cipher;

	sym_cbc(t, &cipher, true);
	sym_hmac(t, x, false, digest);
	x->kind = kind;
	x->flags = flags;
	x->cipher_alg = cipher.cipher_alg;
	x->cipher_key_len = cipher.cipher_key_len;
	x->iv_len = cipher.iv_len;
	memcpy(x->cipher_key, cipher.cipher_key, sizeof(x->cipher_key));
}

void
sym_gcm(const struct tree *t, struct accel_hw_context *x, bool encrypt, uint16_t tag)
{
	init(x, ACCEL_HW_KIND_AEAD, encrypt ? ACCEL_HW_CTX_ENCRYPT : 0);
	x->cipher_alg = ACCEL_HW_AEAD_AES_GCM;
	x->cipher_key_len = key_of(t, ACCEL_HW_AEAD_AES_GCM, AES_KEY_MAX, 16);
	x->iv_len = 12;
	x->digest_len = digest_of(t, ACCEL_HW_AEAD_AES_GCM, GCM_TAG_MAX, tag);
	memcpy(x->cipher_key, sym_key, x->cipher_key_len);
}

uint16_t
sym_hmac_digest(const struct tree *t, uint32_t wanted)
{
	return digest_of(t, ACCEL_HW_AUTH_SHA256_HMAC, SHA256_LEN, (uint16_t)wanted);
}

uint16_t
sym_gcm_aad(const struct tree *t, uint32_t wanted)
{
	const struct tree_alg *a = tree_alg(t, ACCEL_HW_AEAD_AES_GCM);

	return a != NULL ? with_room(tree_nearest(&a->aad, wanted), AAD_MAX, (uint16_t)wanted) :
			   (uint16_t)wanted;
}

void
sym_store_at(struct card *c, struct accel_hw_context *x, uint64_t iova)
{
	x->generation = ++c->generation;
	memory_write(&c->memory, iova, x, sizeof(*x));
}

uint64_t
sym_store(struct card *c, struct accel_hw_context *x)
{
	uint64_t iova = memory_get(&c->memory, MEMORY_LOW, sizeof(*x), ACCEL_HW_CTX_ALIGN);

	sym_store_at(c, x, iova);
	return iova;
}

void
sym_request(struct request *r, const struct accel_hw_context *x, uint64_t iova)
{
	request_init(r, ACCEL_HW_OP_SYM);
	r->cmd.context = iova;
	r->cmd.generation = x->generation;
	memcpy(r->cmd.iv, sym_iv, sizeof(sym_iv));
}

void
sym_cbc_request(struct card *c, struct request *r, const struct accel_hw_context *x, uint64_t at,
		uint8_t out[64])
{
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, 64, 1);

	sym_request(r, x, at);
	r->cmd.cipher_len = 64;
	request_in(r, from, 64);
	request_out(r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
	r->produced = 64;
	r->output = out;
	ref_cbc(x->cipher_key, x->cipher_key_len, sym_iv, (x->flags & ACCEL_HW_CTX_ENCRYPT) != 0,
		memory_at(&c->memory, from, 64), out, 64);
}

bool
sym_cbc_run(struct queue *q, const struct accel_hw_context *x, uint64_t at, uint16_t status)
{
	uint8_t out[64];
	struct request r;

	sym_cbc_request(q->card, &r, x, at, out);
	return request_run(q, &r, status);
}

static void
need(bool good)
{
	if (!good) {
		fprintf(stderr, "accel-conformance: OpenSSL does not compute the reference\n");
		abort();
	}
}

/* Compute AES-CBC. A context with an impossible length of the key gets any output, which no test
 * looks at. */
void
ref_cbc(const uint8_t *key, uint32_t key_len, const uint8_t *iv, bool encrypt, const uint8_t *in,
	uint8_t *out, uint32_t len)
{
	const EVP_CIPHER *cipher = key_len == 32 ? EVP_aes_256_cbc() :
				   key_len == 24 ? EVP_aes_192_cbc() : EVP_aes_128_cbc();
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	need(ctx != NULL && EVP_CipherInit_ex(ctx, cipher, NULL, key, iv, encrypt) == 1);
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	need(EVP_CipherUpdate(ctx, out, &n, in, (int)len) == 1 && n == (int)len);
	EVP_CIPHER_CTX_free(ctx);
}

void
ref_hmac(const uint8_t *key, uint32_t key_len, const uint8_t *in, uint32_t len, uint8_t digest[32])
{
	unsigned int n = 32;

	need(HMAC(EVP_sha256(), key, (int)key_len, in, len, digest, &n) != NULL && n == 32);
}

void
ref_gcm(const struct accel_hw_context *x, const uint8_t *aad, uint32_t aad_len, const uint8_t *in,
	uint8_t *out, uint32_t len, uint8_t tag[16])
{
	const EVP_CIPHER *cipher = x->cipher_key_len == 32 ? EVP_aes_256_gcm() :
				   x->cipher_key_len == 24 ? EVP_aes_192_gcm() : EVP_aes_128_gcm();
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	need(ctx != NULL && EVP_EncryptInit_ex(ctx, cipher, NULL, x->cipher_key, sym_iv) == 1 &&
	     EVP_EncryptUpdate(ctx, NULL, &n, aad, (int)aad_len) == 1 &&
	     EVP_EncryptUpdate(ctx, out, &n, in, (int)len) == 1 &&
	     EVP_EncryptFinal_ex(ctx, out + len, &n) == 1 &&
	     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1);
	EVP_CIPHER_CTX_free(ctx);
}

void
ref_ccm(const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out, uint32_t len,
	uint8_t tag[16])
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	need(ctx != NULL && EVP_EncryptInit_ex(ctx, EVP_aes_128_ccm(), NULL, NULL, NULL) == 1 &&
	     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) == 1 &&
	     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, 16, NULL) == 1 &&
	     EVP_EncryptInit_ex(ctx, NULL, NULL, key, iv) == 1 &&
	     EVP_EncryptUpdate(ctx, NULL, &n, NULL, (int)len) == 1 &&
	     EVP_EncryptUpdate(ctx, out, &n, in, (int)len) == 1 &&
	     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1);
	EVP_CIPHER_CTX_free(ctx);
}

void
ref_ctr(const uint8_t *key, const uint8_t *block, const uint8_t *in, uint8_t *out, uint32_t len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	need(ctx != NULL && EVP_EncryptInit_ex(ctx, EVP_aes_128_ctr(), NULL, key, block) == 1 &&
	     EVP_EncryptUpdate(ctx, out, &n, in, (int)len) == 1);
	EVP_CIPHER_CTX_free(ctx);
}

void
ref_cmac(const uint8_t *key, const uint8_t *in, uint32_t len, uint8_t mac[16])
{
	EVP_MAC *alg = EVP_MAC_fetch(NULL, "CMAC", NULL);
	EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(alg);
	char name[] = "AES-128-CBC";
	const OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("cipher", name, 0),
				      OSSL_PARAM_construct_end() };
	size_t n;

	need(ctx != NULL && EVP_MAC_init(ctx, key, 16, params) == 1 &&
	     EVP_MAC_update(ctx, in, len) == 1 && EVP_MAC_final(ctx, mac, &n, 16) == 1);
	EVP_MAC_CTX_free(ctx);
	EVP_MAC_free(alg);
}
