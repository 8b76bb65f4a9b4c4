/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts of TLS records: see tls_context.h.
 */
#include <string.h>

#include "base/util.h"
#include "context/tls_context.h"

#define TAG 16u
#define TAG_SHORT 8u /* AES-CCM-8, RFC 6655 */

static const uint8_t ciphers[] = { ACCEL_HW_CIPHER_NULL, ACCEL_HW_CIPHER_AES_CBC,
				   ACCEL_HW_CIPHER_3DES_CBC };
static const uint8_t auths[] = { ACCEL_HW_AUTH_SHA1_HMAC, ACCEL_HW_AUTH_SHA256_HMAC,
				 ACCEL_HW_AUTH_SHA384_HMAC };
static const uint8_t aeads[] = { ACCEL_HW_AEAD_AES_GCM, ACCEL_HW_AEAD_AES_CCM,
				 ACCEL_HW_AEAD_CHACHA20_POLY1305 };

/* Return the bytes of the digest of an HMAC, 0 if TLS does not have it. */
static unsigned int
whole_digest(unsigned int id)
{
	static const uint8_t hash[] = { 20, 32, 48 }; /* in the order of auths[] */

	for (unsigned int i = 0; i < ARRAY_NB(auths); i++) {
		if (auths[i] == id)
			return hash[i];
	}
	return 0;
}

/* True if the card has the sizes of a record: keys, whole digests or tags, nonces. */
static bool
fits_tls(const struct alg_caps *caps, uint8_t kind, unsigned int id)
{
	const struct accel_hw_alg_info *info = &caps->info[id];
	const bool usual_key = alg_in_range(&info->key, 16) || alg_in_range(&info->key, 32);
	unsigned int whole;

	(void)kind;
	switch (id) {
	case ACCEL_HW_CIPHER_NULL:
		return true;
	case ACCEL_HW_CIPHER_AES_CBC:
		return usual_key;
	case ACCEL_HW_CIPHER_3DES_CBC:
		return alg_in_range(&info->key, 24);
	case ACCEL_HW_AEAD_AES_CCM:
		return usual_key && alg_in_range(&info->iv, ACCEL_HW_TLS_NONCE) &&
		       (alg_in_range(&info->digest, TAG) || alg_in_range(&info->digest, TAG_SHORT));
	case ACCEL_HW_AEAD_AES_GCM:
	case ACCEL_HW_AEAD_CHACHA20_POLY1305:
		return usual_key && alg_in_range(&info->iv, ACCEL_HW_TLS_NONCE) &&
		       alg_in_range(&info->digest, TAG);
	default:
		whole = whole_digest(id);
		return alg_in_range(&info->key, whole) && alg_in_range(&info->digest, whole);
	}
}

bool
tls_list(const struct alg_caps *caps, const uint64_t *set, unsigned int number,
	 struct protocol_lists *lists)
{
	memset(lists, 0, sizeof(*lists));
	if (!caps->tls)
		return false;
	lists->nb_aeads = protocol_pick(caps, set, aeads, ARRAY_NB(aeads), 0, fits_tls,
					lists->aead);
	if (number == ACCEL_HW_PROTO_TLS13)
		return lists->nb_aeads > 0;
	lists->nb_ciphers = protocol_pick(caps, set, ciphers, ARRAY_NB(ciphers), 0, fits_tls,
					  lists->cipher);
	lists->nb_auths = protocol_pick(caps, set, auths, ARRAY_NB(auths), 0, fits_tls,
					lists->auth);
	return lists->nb_aeads > 0 || (lists->nb_ciphers > 0 && lists->nb_auths > 0);
}

static bool
is_write(const struct accel_hw_context *raw)
{
	return (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0;
}

static bool
is_aead(const struct accel_hw_context *raw)
{
	return protocol_has(aeads, ARRAY_NB(aeads), raw->cipher_alg);
}

/* True if the cipher is CBC, whose received records have secret padding. */
static bool
is_cbc(const struct accel_hw_context *raw)
{
	return raw->cipher_alg == ACCEL_HW_CIPHER_AES_CBC ||
	       raw->cipher_alg == ACCEL_HW_CIPHER_3DES_CBC;
}

bool
tls_cipher_context(const struct accel_hw_context *raw, struct accel_hw_context *cipher)
{
	protocol_begin_part(raw, is_aead(raw) ? ACCEL_HW_KIND_AEAD : ACCEL_HW_KIND_CIPHER, cipher);
	cipher->flags = raw->flags & ACCEL_HW_CTX_ENCRYPT;
	cipher->cipher_alg = raw->cipher_alg;
	cipher->cipher_key_len = raw->cipher_key_len;
	cipher->iv_len = is_aead(raw) ? ACCEL_HW_TLS_NONCE : raw->iv_len;
	cipher->digest_len = is_aead(raw) ? raw->digest_len : 0;
	memcpy(cipher->cipher_key, raw->cipher_key, sizeof(cipher->cipher_key));
	return raw->cipher_alg != ACCEL_HW_CIPHER_NULL;
}

bool
tls_auth_context(const struct accel_hw_context *raw, struct accel_hw_context *auth)
{
	protocol_begin_part(raw, ACCEL_HW_KIND_AUTH, auth);
	auth->flags = is_write(raw) ? 0 : ACCEL_HW_CTX_VERIFY;
	auth->auth_alg = raw->auth_alg;
	auth->auth_key_len = raw->auth_key_len;
	auth->digest_len = raw->digest_len;
	memcpy(auth->auth_key, raw->auth_key, sizeof(auth->auth_key));
	return !is_aead(raw) && (is_write(raw) || !is_cbc(raw));
}

/* The functions below check contexts. */

/* Check the lengths of keys and digest. The key and the digest of HMAC are as long as the whole
 * digest (RFC 5246, 6.3). */
static bool
check_lengths(const struct accel_hw_context *raw)
{
	const uint16_t key = raw->cipher_key_len;
	const unsigned int whole = whole_digest(raw->auth_alg);

	if (is_aead(raw))
		return raw->auth_alg == 0 && raw->auth_key_len == 0 && (key == 16 || key == 32) &&
		       (raw->digest_len == TAG || (raw->digest_len == TAG_SHORT &&
						   raw->cipher_alg == ACCEL_HW_AEAD_AES_CCM));
	if (whole == 0 || raw->digest_len != whole || raw->auth_key_len != whole)
		return false;
	switch (raw->cipher_alg) {
	case ACCEL_HW_CIPHER_NULL:
		return key == 0;
	case ACCEL_HW_CIPHER_AES_CBC:
		return key == 16 || key == 32;
	default:
		return raw->cipher_alg == ACCEL_HW_CIPHER_3DES_CBC && key == 24;
	}
}

/* Return the bytes of the explicit IV. */
static uint8_t
explicit_iv(const struct accel_hw_context *raw)
{
	switch (raw->cipher_alg) {
	case ACCEL_HW_CIPHER_AES_CBC:
		return 16;
	case ACCEL_HW_CIPHER_3DES_CBC:
		return 8;
	case ACCEL_HW_AEAD_AES_GCM:
	case ACCEL_HW_AEAD_AES_CCM:
		return raw->kind != ACCEL_HW_KIND_TLS13 ? ACCEL_HW_TLS_EXPLICIT_NONCE : 0;
	default:
		return 0;
	}
}

static bool
check_algorithms(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	struct accel_hw_context part;
	bool ok;

	if (!check_lengths(raw) || raw->iv_len != explicit_iv(raw) || raw->auth_iv_len != 0 ||
	    raw->data_unit_len != 0 || (raw->kind == ACCEL_HW_KIND_TLS13 && !is_aead(raw)))
		return false;
	tls_cipher_context(raw, &part);
	ok = is_aead(raw) ? alg_check_context(caps, &part) : alg_check_cipher(caps, &part);
	tls_auth_context(raw, &part);
	ok = ok && (is_aead(raw) || alg_check_auth(caps, &part));
	explicit_bzero(&part, sizeof(part));
	return ok;
}

static bool
check_fixed_iv(const struct tls_raw *raw)
{
	const size_t used = !is_aead(&raw->common)	? 0 :
			    raw->common.iv_len > 0 ? ACCEL_HW_TLS_FIXED_IV : ACCEL_HW_TLS_NONCE;

	return all_zero(raw->tls.fixed_iv + used, sizeof(raw->tls.fixed_iv) - used);
}

bool
tls_check_context(const struct alg_caps *caps, const struct tls_raw *raw)
{
	const bool write = is_write(&raw->common), dtls = raw->common.kind == ACCEL_HW_KIND_DTLS12;
	const uint32_t options = write && raw->common.iv_len > 0 ? ACCEL_HW_TLS_IV_GIVEN : 0;
	const uint32_t window = dtls && !write ? ACCEL_HW_IPSEC_WINDOW_MAX : 0;
	const uint32_t payload = write && raw->common.kind == ACCEL_HW_KIND_TLS13 ?
					 ACCEL_HW_TLS13_CONTENT_MAX : 0;

	return caps->tls && alg_check_header(&raw->common) &&
	       (raw->common.flags & ACCEL_HW_CTX_VERIFY) == 0 &&
	       check_algorithms(caps, &raw->common) && (raw->tls.options & ~options) == 0 &&
	       raw->tls.replay_window <= window && (dtls || raw->tls.epoch == 0) &&
	       raw->tls.payload_min <= payload && check_fixed_iv(raw) && raw->tls.reserved == 0 &&
	       all_zero(raw->tls.reserved2, sizeof(raw->tls.reserved2));
}
