/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Padding and MAC of received CBC records: see tls_mac.h. A mask is all ones for true and 0 for
 * false. test_model_tls_time.c runs this code with the deciphered bytes undefined for Valgrind,
 * which reports each branch and address that depends on them.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "base/libctx.h"
#include "state/tls_mac.h"

#define MAC_MAX 48u /* SHA384 */

struct tls_mac {
	EVP_MAC_CTX *keyed; /* each record gets a copy: OpenSSL takes one TLS record per context */
};

static const char *
hash_name(uint16_t auth_alg)
{
	switch (auth_alg) {
	case ACCEL_HW_AUTH_SHA1_HMAC:
		return "SHA1";
	case ACCEL_HW_AUTH_SHA256_HMAC:
		return "SHA2-256";
	default:
		return "SHA2-384";
	}
}

struct tls_mac *
tls_mac_new(const struct accel_hw_context *common)
{
	EVP_MAC *hmac;
	struct tls_mac *mac = calloc(1, sizeof(*mac));
	char name[16] = { 0 };
	OSSL_PARAM params[2];
	bool good;

	ERR_set_mark();
	hmac = EVP_MAC_fetch(libctx(), "HMAC", NULL);
	strncpy(name, hash_name(common->auth_alg), sizeof(name) - 1);
	params[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0);
	params[1] = OSSL_PARAM_construct_end();
	if (mac != NULL && hmac != NULL)
		mac->keyed = EVP_MAC_CTX_new(hmac);
	EVP_MAC_free(hmac);
	good = mac != NULL && mac->keyed != NULL &&
	       EVP_MAC_init(mac->keyed, common->auth_key, common->auth_key_len, params) == 1;
	ERR_pop_to_mark();
	if (good)
		return mac;
	tls_mac_free(mac);
	return NULL;
}

void
tls_mac_free(struct tls_mac *mac)
{
	if (mac == NULL)
		return;
	EVP_MAC_CTX_free(mac->keyed);
	free(mac);
}

/* Hide a mask from the compiler, which might branch on it if it knew the values of a mask. */
static inline uint32_t
hide(uint32_t value)
{
	__asm__("" : "+r"(value));
	return value;
}

/* Return the mask of a < b, for numbers below 2^31. */
static inline uint32_t
mask_less(uint32_t a, uint32_t b)
{
	return hide(0 - ((a - b) >> 31));
}

static inline uint32_t
mask_zero(uint32_t value)
{
	return mask_less(value, 1);
}

/*
 * Return the bytes of padding, with the byte of its length, and set the mask @p good if the padding
 * is right. Up to 256 bytes may be padding, and all of them are read. If the padding is wrong,
 * return 0, so that the MAC is computed over the most bytes that there can be.
 */
static uint32_t
padding_of(const uint8_t *text, uint32_t len, uint32_t mac_len, uint32_t *good)
{
	const uint32_t last = text[len - 1];
	const uint32_t look = len < ACCEL_HW_TLS_PADDING_MAX ? len : ACCEL_HW_TLS_PADDING_MAX;
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < look; i++)
		wrong |= ~mask_less(last, i) & (text[len - 1 - i] ^ last);
	*good = mask_zero(wrong) & ~mask_less(len, mac_len + last + 1);
	return *good & (last + 1);
}

/*
 * Copy the MAC that begins at byte `at`, which is secret. All places where the MAC may be are read
 * into a ring of the MAC's length. Then the ring is turned by each amount that is possible.
 */
static void
take_mac(const uint8_t *text, uint32_t len, uint32_t at, uint32_t mac_len, uint8_t *mac)
{
	const uint32_t places = mac_len + ACCEL_HW_TLS_PADDING_MAX;
	const uint32_t first = len > places ? len - places : 0;
	uint8_t ring[MAC_MAX] = { 0 };
	uint32_t begin = 0, slot = 0;

	for (uint32_t i = first; i < len; i++) {
		const uint32_t inside = ~mask_less(i, at) & mask_less(i, at + mac_len);

		begin |= slot & mask_zero(i ^ at);
		ring[slot] |= (uint8_t)(text[i] & inside);
		slot = slot + 1 < mac_len ? slot + 1 : 0;
	}
	memset(mac, 0, mac_len);
	for (uint32_t turn = 0; turn < mac_len; turn++) {
		const uint32_t chosen = mask_zero(turn ^ begin);

		for (uint32_t i = 0, from = turn; i < mac_len; i++) {
			mac[i] |= (uint8_t)(ring[from] & chosen);
			from = from + 1 < mac_len ? from + 1 : 0;
		}
	}
	OPENSSL_cleanse(ring, sizeof(ring));
}

/* Compute the MAC of @p content bytes in the time that it takes for all @p len bytes. */
static bool
compute_mac(const struct tls_mac *mac, const uint8_t *aad, const uint8_t *text, uint32_t content,
	    uint32_t len, uint8_t *digest)
{
	EVP_MAC_CTX *ctx = EVP_MAC_CTX_dup(mac->keyed);
	size_t whole = len, made;
	OSSL_PARAM params[2];
	bool ok;

	params[0] = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, &whole);
	params[1] = OSSL_PARAM_construct_end();
	ok = ctx != NULL && EVP_MAC_CTX_set_params(ctx, params) == 1 &&
	     EVP_MAC_update(ctx, aad, TLS_AAD_MAX) == 1 &&
	     EVP_MAC_update(ctx, text, content) == 1 &&
	     EVP_MAC_final(ctx, digest, &made, EVP_MAX_MD_SIZE) == 1;
	EVP_MAC_CTX_free(ctx);
	return ok;
}

uint16_t
tls_mac_open(const struct tls_mac *mac, const struct tls *tls, const struct tls_header *header,
	     const uint8_t *text, uint32_t len, uint32_t *content)
{
	uint8_t aad[TLS_AAD_MAX], computed[EVP_MAX_MD_SIZE], received[MAC_MAX];
	uint32_t good, differs = 0;
	uint16_t status;
	bool ok;

	*content = len - tls->digest - padding_of(text, len, tls->digest, &good);
	tls_put_aad(tls, header->type, header->number, *content, aad);
	ok = compute_mac(mac, aad, text, *content, len, computed);
	take_mac(text, len, *content, tls->digest, received);
	for (uint32_t i = 0; i < tls->digest && ok; i++)
		differs |= computed[i] ^ received[i];
	good &= mask_zero(differs);
	status = (uint16_t)(~good & ACCEL_HW_AUTH_FAILED);
	OPENSSL_cleanse(computed, sizeof(computed));
	OPENSSL_cleanse(received, sizeof(received));
	return ok ? status : ACCEL_HW_ENGINE_ERROR;
}
