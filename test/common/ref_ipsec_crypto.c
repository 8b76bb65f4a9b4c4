/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Algorithms of IPsec's reference, on OpenSSL: see ref_ipsec_crypto.h.
 */
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "ref_ipsec_crypto.h"

#define BLOCK 16u

bool
ref_ipsec_is_aead(enum ref_ipsec_cipher cipher)
{
	return cipher == REF_IPSEC_AES_GCM || cipher == REF_IPSEC_AES_CCM ||
	       cipher == REF_IPSEC_CHACHA20_POLY1305;
}

static const EVP_CIPHER *
aes(size_t key_len, const EVP_CIPHER *(*of16)(void), const EVP_CIPHER *(*of24)(void),
    const EVP_CIPHER *(*of32)(void))
{
	return key_len == 16 ? of16() : key_len == 24 ? of24() : key_len == 32 ? of32() : NULL;
}

static const EVP_CIPHER *
openssl_cipher(const struct ref_ipsec_sa *sa)
{
	switch (sa->cipher) {
	case REF_IPSEC_DES_CBC:
	case REF_IPSEC_3DES_CBC:
		return EVP_des_ede3_cbc();
	case REF_IPSEC_AES_CBC:
		return aes(sa->key_len, EVP_aes_128_cbc, EVP_aes_192_cbc, EVP_aes_256_cbc);
	case REF_IPSEC_AES_CTR:
		return aes(sa->key_len, EVP_aes_128_ctr, EVP_aes_192_ctr, EVP_aes_256_ctr);
	case REF_IPSEC_AES_GCM:
		return aes(sa->key_len, EVP_aes_128_gcm, EVP_aes_192_gcm, EVP_aes_256_gcm);
	case REF_IPSEC_AES_CCM:
		return aes(sa->key_len, EVP_aes_128_ccm, EVP_aes_192_ccm, EVP_aes_256_ccm);
	case REF_IPSEC_CHACHA20_POLY1305:
		return EVP_chacha20_poly1305();
	default:
		return NULL;
	}
}

/* DES is 3DES with one key three times; two keys are K1, K2, K1. */
static void
key_of(const struct ref_ipsec_sa *sa, uint8_t key[32])
{
	memcpy(key, sa->key, 32);
	if (sa->cipher != REF_IPSEC_DES_CBC && sa->cipher != REF_IPSEC_3DES_CBC)
		return;
	if (sa->key_len == 8)
		memcpy(key + 8, sa->key, 8);
	if (sa->key_len <= 16)
		memcpy(key + 16, sa->key, 8);
}

bool
ref_ipsec_cipher(const struct ref_ipsec_sa *sa, bool encrypt, const uint8_t *iv, uint8_t *text,
		 size_t len)
{
	uint8_t key[32], first[BLOCK] = { 0 };
	EVP_CIPHER_CTX *ctx;
	int n = 0;
	bool ok;

	if (sa->cipher == REF_IPSEC_NULL)
		return true;
	key_of(sa, key);
	if (sa->cipher == REF_IPSEC_AES_CTR) { /* RFC 3686 section 4 */
		memcpy(first, sa->salt, 4);
		memcpy(first + 4, iv, 8);
		first[15] = 1;
	} else {
		memcpy(first, iv, ref_ipsec_iv_len(sa));
	}
	ctx = EVP_CIPHER_CTX_new();
	ok = ctx != NULL &&
	     EVP_CipherInit_ex(ctx, openssl_cipher(sa), NULL, key, first, encrypt) == 1 &&
	     EVP_CIPHER_CTX_set_padding(ctx, 0) == 1 &&
	     EVP_CipherUpdate(ctx, text, &n, text, (int)len) == 1 && n == (int)len;
	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

bool
ref_ipsec_aead(const struct ref_ipsec_sa *sa, bool encrypt, const uint8_t *iv, const uint8_t *aad,
	       size_t aad_len, uint8_t *text, size_t len, uint8_t *icv)
{
	const bool ccm = sa->cipher == REF_IPSEC_AES_CCM;
	const size_t salt = ccm ? 3 : 4;
	const int tag = (int)sa->icv_len;
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t nonce[12], end[BLOCK];
	int n = 0;
	bool ok;

	memcpy(nonce, sa->salt, salt);
	memcpy(nonce + salt, iv, 8);
	ok = ctx != NULL &&
	     EVP_CipherInit_ex(ctx, openssl_cipher(sa), NULL, NULL, NULL, encrypt) == 1 &&
	     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)salt + 8, NULL) == 1;
	if (ok && (ccm || !encrypt))
		ok = EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, tag,
					 encrypt ? NULL : icv) == 1;
	ok = ok && EVP_CipherInit_ex(ctx, NULL, NULL, sa->key, nonce, encrypt) == 1;
	if (ok && ccm)
		ok = EVP_CipherUpdate(ctx, NULL, &n, NULL, (int)len) == 1;
	ok = ok && EVP_CipherUpdate(ctx, NULL, &n, aad, (int)aad_len) == 1 &&
	     EVP_CipherUpdate(ctx, text, &n, text, (int)len) == 1 && n == (int)len;
	if (ok && !(ccm && !encrypt))
		ok = EVP_CipherFinal_ex(ctx, end, &n) == 1;
	if (ok && encrypt)
		ok = EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, tag, icv) == 1;
	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

static const EVP_MD *
hash_of(enum ref_ipsec_auth auth)
{
	switch (auth) {
	case REF_IPSEC_MD5:
		return EVP_md5();
	case REF_IPSEC_SHA1:
		return EVP_sha1();
	case REF_IPSEC_SHA224:
		return EVP_sha224();
	case REF_IPSEC_SHA256:
		return EVP_sha256();
	case REF_IPSEC_SHA384:
		return EVP_sha384();
	case REF_IPSEC_SHA512:
		return EVP_sha512();
	default:
		return NULL;
	}
}

static bool
aes_block(const uint8_t key[BLOCK], const uint8_t in[BLOCK], uint8_t out[BLOCK])
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n = 0;
	bool ok = ctx != NULL && EVP_EncryptInit_ex(ctx, EVP_aes_128_ecb(), NULL, key, NULL) == 1 &&
		  EVP_CIPHER_CTX_set_padding(ctx, 0) == 1 &&
		  EVP_EncryptUpdate(ctx, out, &n, in, BLOCK) == 1 && n == BLOCK;

	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

/* AES-XCBC-MAC as RFC 3566 section 4 numbers its steps. */
static bool
xcbc(const uint8_t *key, const uint8_t *message, size_t len, uint8_t mac[BLOCK])
{
	uint8_t k[4][BLOCK], block[BLOCK];
	size_t left = len;

	for (unsigned int i = 1; i <= 3; i++) { /* (1) K1, K2, K3 */
		memset(block, (int)i, BLOCK);
		if (!aes_block(key, block, k[i]))
			return false;
	}
	memset(mac, 0, BLOCK); /* (2) E[0] */
	for (; left > BLOCK; left -= BLOCK, message += BLOCK) { /* (3) */
		for (unsigned int i = 0; i < BLOCK; i++)
			block[i] = message[i] ^ mac[i];
		if (!aes_block(k[1], block, mac))
			return false;
	}
	memset(block, 0, BLOCK); /* (4) the last block, padded with 1 and zeros if need be */
	memcpy(block, message, left);
	if (left < BLOCK)
		block[left] = 0x80;
	for (unsigned int i = 0; i < BLOCK; i++)
		block[i] ^= mac[i] ^ k[left == BLOCK ? 2 : 3][i];
	return aes_block(k[1], block, mac);
}

static bool
cmac(const struct ref_ipsec_sa *sa, const uint8_t *message, size_t len, uint8_t mac[BLOCK])
{
	EVP_MAC *fetched = EVP_MAC_fetch(NULL, "CMAC", NULL);
	EVP_MAC_CTX *ctx = fetched != NULL ? EVP_MAC_CTX_new(fetched) : NULL;
	char name[] = "AES-128-CBC";
	OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("cipher", name, 0),
				OSSL_PARAM_construct_end() };
	size_t n = 0;
	bool ok;

	memcpy(name, sa->auth_key_len == 32 ? "AES-256" : sa->auth_key_len == 24 ? "AES-192" :
	       "AES-128", 7);
	ok = ctx != NULL && EVP_MAC_init(ctx, sa->auth_key, sa->auth_key_len, params) == 1 &&
	     EVP_MAC_update(ctx, message, len) == 1 && EVP_MAC_final(ctx, mac, &n, BLOCK) == 1 &&
	     n == BLOCK;
	EVP_MAC_CTX_free(ctx);
	EVP_MAC_free(fetched);
	return ok;
}

/* GMAC is GCM without a text (RFC 4543 section 2). */
static bool
gmac(const struct ref_ipsec_sa *sa, const uint8_t *iv, const uint8_t *message, size_t len,
     uint8_t *icv)
{
	struct ref_ipsec_sa gcm = *sa;
	uint8_t nothing[1];

	gcm.cipher = REF_IPSEC_AES_GCM;
	gcm.key_len = sa->auth_key_len;
	memcpy(gcm.key, sa->auth_key, sizeof(gcm.key));
	return ref_ipsec_aead(&gcm, true, iv, message, len, nothing, 0, icv);
}

bool
ref_ipsec_mac(const struct ref_ipsec_sa *sa, const uint8_t *iv, const uint8_t *message, size_t len,
	      uint8_t *icv)
{
	uint8_t whole[EVP_MAX_MD_SIZE];
	unsigned int n = sizeof(whole);
	bool ok;

	if (sa->auth == REF_IPSEC_NONE)
		return true;
	if (sa->auth == REF_IPSEC_AES_GMAC)
		return gmac(sa, iv, message, len, icv);
	if (sa->auth == REF_IPSEC_AES_XCBC)
		ok = xcbc(sa->auth_key, message, len, whole);
	else if (sa->auth == REF_IPSEC_AES_CMAC)
		ok = cmac(sa, message, len, whole);
	else
		ok = HMAC(hash_of(sa->auth), sa->auth_key, (int)sa->auth_key_len, message, len,
			  whole, &n) != NULL;
	if (ok)
		memcpy(icv, whole, sa->icv_len);
	return ok;
}
