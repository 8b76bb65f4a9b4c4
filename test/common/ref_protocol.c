/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Computes the reference of the protocols: see ref_protocol.h. It shares no code with the model,
 * and puts bits in the order in which the standards draw them.
 */
#include <string.h>

#include <openssl/evp.h>

#include "ref_protocol.h"
#include "ref_wireless.h"

/* Appends the low bits of a value. The most significant bit is first. */
static void
put_bits(uint8_t *buf, size_t *at, uint32_t value, unsigned int bits)
{
	while (bits-- > 0) {
		if (value >> bits & 1)
			buf[*at / 8] |= (uint8_t)(0x80 >> *at % 8);
		++*at;
	}
}

size_t
ref_pdcp_header(const struct ref_pdcp *p)
{
	return p->sn_len == 0 ? 0 : p->sn_len < 8 ? 1 : p->sn_len < 16 ? 2 : 3;
}

/* COUNT is HFN and SN (TS 38.323 section 6.3.5). */
static uint32_t
count_of(const struct ref_pdcp *p, const uint8_t *pdu)
{
	size_t bits = 8 * ref_pdcp_header(p), i;
	uint32_t count = p->hfn;

	for (i = bits - p->sn_len; p->sn_len > 0 && i < bits; i++)
		count = count << 1 | (pdu[i / 8] >> (7 - i % 8) & 1);
	return count;
}

/* The first words are COUNT, BEARER, DIRECTION and zeros (TS 33.501 D.2.1.1). */
static void
first_words(const struct ref_pdcp *p, uint32_t count, uint8_t *to)
{
	size_t at = 0;

	memset(to, 0, 8);
	put_bits(to, &at, count, 32);
	put_bits(to, &at, p->bearer, 5);
	put_bits(to, &at, p->direction, 1);
}

static bool
aes_ctr(const uint8_t *key, const uint8_t *iv, uint8_t *data, size_t len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n = 0;
	bool ok = ctx != NULL &&
		  EVP_EncryptInit_ex(ctx, EVP_aes_128_ctr(), NULL, key, iv) == 1 &&
		  EVP_EncryptUpdate(ctx, data, &n, data, (int)len) == 1 && n == (int)len;

	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

/* Returns the first 32 bits of the CMAC over the words and the message (TS 33.401 B.2.3). */
static bool
aes_cmac(const struct ref_pdcp *p, const uint8_t *words, const uint8_t *in, size_t len,
	 uint8_t *mac)
{
	EVP_MAC *fetched = EVP_MAC_fetch(NULL, "CMAC", NULL);
	EVP_MAC_CTX *ctx = fetched != NULL ? EVP_MAC_CTX_new(fetched) : NULL;
	char name[] = "AES-128-CBC";
	OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string("cipher", name, 0),
				OSSL_PARAM_construct_end() };
	uint8_t full[16];
	size_t n = 0;
	bool ok = ctx != NULL && EVP_MAC_init(ctx, p->auth_key, 16, params) == 1 &&
		  EVP_MAC_update(ctx, words, 8) == 1 && EVP_MAC_update(ctx, in, len) == 1 &&
		  EVP_MAC_final(ctx, full, &n, sizeof(full)) == 1 && n == 16;

	if (ok)
		memcpy(mac, full, 4);
	EVP_MAC_CTX_free(ctx);
	EVP_MAC_free(fetched);
	return ok;
}

/* The IV has the words twice, the second time with DIRECTION mixed in (TS 35.215 section 4.4, TS
 * 35.221 section 4.3). */
static void
mac_iv(const struct ref_pdcp *p, uint32_t count, uint8_t *iv)
{
	size_t at = 0;

	memset(iv, 0, 16);
	put_bits(iv, &at, count, 32);
	put_bits(iv, &at, p->bearer, 5);
	put_bits(iv, &at, 0, 27);
	put_bits(iv, &at, (count >> 31) ^ p->direction, 1);
	put_bits(iv, &at, count, 31);
	put_bits(iv, &at, p->bearer, 5);
	put_bits(iv, &at, 0, 11);
	put_bits(iv, &at, p->direction, 1);
	put_bits(iv, &at, 0, 15);
}

static bool
integrity(const struct ref_pdcp *p, uint32_t count, const uint8_t *in, size_t len, uint8_t *mac)
{
	uint8_t iv[16];

	mac_iv(p, count, iv);
	memset(mac, 0, 4);
	switch (p->auth) {
	case REF_PDCP_SNOW3G:
		ref_snow3g_uia2(p->auth_key, iv, in, 8 * len, mac);
		return true;
	case REF_PDCP_ZUC:
		ref_zuc_eia3(p->auth_key, 16, iv, in, 8 * len, mac, 4);
		return true;
	case REF_PDCP_AES:
		first_words(p, count, iv);
		return aes_cmac(p, iv, in, len, mac);
	default:
		return true;
	}
}

static bool
encipher(const struct ref_pdcp *p, uint32_t count, uint8_t *data, size_t len)
{
	uint8_t iv[16] = { 0 };

	first_words(p, count, iv);
	if (p->cipher == REF_PDCP_AES)
		return aes_ctr(p->key, iv, data, len);
	first_words(p, count, iv + 8);
	if (p->cipher == REF_PDCP_SNOW3G)
		ref_snow3g_uea2(p->key, iv, data, data, len);
	if (p->cipher == REF_PDCP_ZUC)
		ref_zuc_eea3(p->key, 16, iv, data, data, len);
	return true;
}

size_t
ref_pdcp_send(const struct ref_pdcp *p, const uint8_t *in, size_t len, uint8_t *out)
{
	const size_t clear = ref_pdcp_header(p) + p->sdap;
	const uint32_t count = count_of(p, in);
	size_t end = len;

	memcpy(out, in, len);
	if (p->auth != REF_PDCP_NONE) {
		if (!integrity(p, count, in, len, out + len))
			return 0;
		end += 4;
	}
	if (end > clear && !encipher(p, count, out + clear, end - clear))
		return 0;
	return end;
}

void
ref_crc32(const uint8_t *in, size_t len, uint8_t crc[4])
{
	uint32_t remainder = 0xffffffff;

	/* Works bit by bit as IEEE 802.3 section 3.2.9 says. The polynomial has x^31 on the
	 * left. */
	for (size_t i = 0; i < 8 * len; i++) {
		uint32_t bit = in[i / 8] >> i % 8 & 1;

		remainder = (remainder << 1) ^ ((remainder >> 31 ^ bit) ? 0x04c11db7 : 0);
	}
	remainder = ~remainder;
	memset(crc, 0, 4);
	for (unsigned int i = 0; i < 32; i++) /* x^31 is sent first, and bit 0 of each byte */
		crc[i / 8] |= (uint8_t)((remainder >> (31 - i) & 1) << i % 8);
}
