/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the protocols have in common: see protocol.h. Only this file says which algorithms each
 * works with.
 */
#include <string.h>

#include "base/util.h"
#include "context/protocol.h"

#define PDCP_KEY 16u

static const uint8_t docsis_ciphers[] = { ACCEL_HW_CIPHER_AES_DOCSIS_BPI,
					  ACCEL_HW_CIPHER_DES_DOCSIS_BPI };
static const uint8_t pdcp_ciphers[] = { ACCEL_HW_CIPHER_NULL, ACCEL_HW_CIPHER_AES_CTR,
					ACCEL_HW_CIPHER_SNOW3G_UEA2, ACCEL_HW_CIPHER_ZUC_EEA3 };
static const uint8_t pdcp_auths[] = { ACCEL_HW_AUTH_NULL, ACCEL_HW_AUTH_AES_CMAC,
				      ACCEL_HW_AUTH_SNOW3G_UIA2, ACCEL_HW_AUTH_ZUC_EIA3 };
static const uint8_t pdcp_sn_sizes[] = { 0, 5, 7, 12, 15, 18 };

bool
protocol_has(const uint8_t *list, size_t nb, unsigned int value)
{
	for (size_t i = 0; i < nb; i++) {
		if (list[i] == value)
			return true;
	}
	return false;
}

bool
protocol_card_has(const struct alg_caps *caps, unsigned int id)
{
	return id < ACCEL_HW_ALG_NB && caps->info[id].id == id;
}

unsigned int
protocol_pick(const struct alg_caps *caps, const uint64_t *set, const uint8_t *list, size_t nb,
	      uint8_t kind, protocol_fits fits, uint8_t *to)
{
	unsigned int n = 0;

	for (size_t i = 0; i < nb; i++) {
		if (protocol_card_has(caps, list[i]) && alg_set_has(set, list[i]) &&
		    fits(caps, kind, list[i]))
			to[n++] = list[i];
	}
	return n;
}

void
protocol_begin_part(const struct accel_hw_context *raw, uint8_t kind,
		    struct accel_hw_context *part)
{
	memset(part, 0, sizeof(*part));
	part->generation = raw->generation;
	part->version = raw->version;
	part->kind = kind;
}

/* Add the cipher of a protocol to an engine's context. Return false if there is nothing to be
 * computed for it. */
static bool
add_cipher(const struct accel_hw_context *raw, struct accel_hw_context *cipher)
{
	cipher->flags |= raw->flags & ACCEL_HW_CTX_ENCRYPT;
	cipher->cipher_alg = raw->cipher_alg;
	cipher->cipher_key_len = raw->cipher_key_len;
	memcpy(cipher->cipher_key, raw->cipher_key, sizeof(cipher->cipher_key));
	if (raw->kind == ACCEL_HW_KIND_DOCSIS)
		cipher->iv_len = raw->iv_len;
	else if (raw->cipher_alg != ACCEL_HW_CIPHER_NULL)
		cipher->iv_len = ACCEL_HW_IV_MAX;
	return raw->cipher_alg != ACCEL_HW_CIPHER_NULL;
}

/* Add the authentication of PDCP to an engine's context. Return false if there is nothing to be
 * computed for it. */
static bool
add_auth(const struct accel_hw_context *raw, struct accel_hw_context *auth)
{
	auth->auth_alg = raw->auth_alg;
	if (raw->auth_alg == 0 || raw->auth_alg == ACCEL_HW_AUTH_NULL)
		return false;
	if ((raw->flags & ACCEL_HW_CTX_ENCRYPT) == 0)
		auth->flags |= ACCEL_HW_CTX_VERIFY;
	auth->auth_key_len = raw->auth_key_len;
	memcpy(auth->auth_key, raw->auth_key, sizeof(auth->auth_key));
	auth->auth_iv_len = raw->auth_alg == ACCEL_HW_AUTH_AES_CMAC ? 0 : ACCEL_HW_IV_MAX;
	auth->digest_len = ACCEL_HW_PDCP_MAC_LEN;
	return true;
}

bool
protocol_engine_context(const struct accel_hw_context *raw, struct accel_hw_context *plain)
{
	const bool cipher = raw->cipher_alg != ACCEL_HW_CIPHER_NULL;
	const bool auth = raw->auth_alg != 0 && raw->auth_alg != ACCEL_HW_AUTH_NULL;
	uint8_t kind = cipher ? ACCEL_HW_KIND_CIPHER : ACCEL_HW_KIND_AUTH;

	/* The cipher covers MAC-I. */
	if (cipher && auth)
		kind = (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0 ? ACCEL_HW_KIND_AUTH_THEN_CIPHER :
								  ACCEL_HW_KIND_CIPHER_THEN_AUTH;
	protocol_begin_part(raw, kind, plain);
	if (cipher)
		add_cipher(raw, plain);
	if (auth) {
		add_auth(raw, plain);
		plain->flags |= ENGINE_CTX_ROOM; /* it works on a copy */
	}
	return cipher || auth;
}

static bool
check_docsis(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	return protocol_has(docsis_ciphers, ARRAY_NB(docsis_ciphers), raw->cipher_alg) &&
	       alg_check_cipher(caps, raw) && raw->auth_alg == 0 && raw->auth_key_len == 0 &&
	       raw->auth_iv_len == 0 && raw->digest_len == 0;
}

static bool
check_pdcp_parts(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	struct accel_hw_context part;
	bool ok;

	/* The checks of these algorithms do not read keys, as the check of XTS does. */
	protocol_begin_part(raw, ACCEL_HW_KIND_CIPHER, &part);
	if (add_cipher(raw, &part))
		ok = raw->cipher_key_len == PDCP_KEY && alg_check_cipher(caps, &part);
	else
		ok = raw->cipher_key_len == 0 && alg_check_cipher(caps, &part);
	protocol_begin_part(raw, ACCEL_HW_KIND_AUTH, &part);
	if (add_auth(raw, &part))
		ok = ok && raw->auth_key_len == PDCP_KEY && alg_check_auth(caps, &part);
	else
		ok = ok && raw->auth_key_len == 0 &&
		     (raw->auth_alg == 0 || alg_check_auth(caps, &part));
	explicit_bzero(&part, sizeof(part));
	return ok;
}

static bool
check_pdcp(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	return protocol_has(pdcp_ciphers, ARRAY_NB(pdcp_ciphers), raw->cipher_alg) &&
	       (raw->auth_alg == 0 ||
		protocol_has(pdcp_auths, ARRAY_NB(pdcp_auths), raw->auth_alg)) &&
	       protocol_has(pdcp_sn_sizes, ARRAY_NB(pdcp_sn_sizes), raw->pdcp_sn_len) &&
	       raw->pdcp_bearer <= ACCEL_HW_PDCP_BEARER_MAX && raw->pdcp_direction <= 1 &&
	       raw->pdcp_sdap_len <= 1 && raw->iv_len == 0 && raw->auth_iv_len == 0 &&
	       raw->data_unit_len == 0 &&
	       raw->digest_len == (raw->auth_alg != 0 ? ACCEL_HW_PDCP_MAC_LEN : 0) &&
	       check_pdcp_parts(caps, raw);
}

/* DOCSIS takes each size that the card has. PDCP takes keys of 16 bytes and a MAC-I of 4. */
static bool
fits_protocol(const struct alg_caps *caps, uint8_t kind, unsigned int id)
{
	const bool is_auth = id >= ACCEL_HW_AUTH_FIRST;
	const bool is_null = id == ACCEL_HW_CIPHER_NULL || id == ACCEL_HW_AUTH_NULL;
	const struct accel_hw_context raw = {
		.kind = kind,
		.cipher_alg = is_auth ? ACCEL_HW_CIPHER_NULL : (uint16_t)id,
		.cipher_key_len = is_auth || is_null ? 0 : PDCP_KEY,
		.auth_alg = is_auth ? (uint16_t)id : 0,
		.auth_key_len = is_auth && !is_null ? PDCP_KEY : 0,
	};

	return kind == ACCEL_HW_KIND_DOCSIS || check_pdcp_parts(caps, &raw);
}

bool
protocol_list(const struct alg_caps *caps, const uint64_t *set, unsigned int number,
	      struct protocol_lists *lists)
{
	memset(lists, 0, sizeof(*lists));
	if (caps->no_protocols)
		return false;
	if (number == ACCEL_HW_PROTO_DOCSIS) {
		lists->nb_ciphers = protocol_pick(caps, set, docsis_ciphers,
						  ARRAY_NB(docsis_ciphers), ACCEL_HW_KIND_DOCSIS,
						  fits_protocol, lists->cipher);
		return lists->nb_ciphers > 0;
	}
	lists->nb_ciphers = protocol_pick(caps, set, pdcp_ciphers, ARRAY_NB(pdcp_ciphers),
					  ACCEL_HW_KIND_PDCP, fits_protocol, lists->cipher);
	lists->nb_auths = protocol_pick(caps, set, pdcp_auths, ARRAY_NB(pdcp_auths),
					ACCEL_HW_KIND_PDCP, fits_protocol, lists->auth);
	lists->nb_sn_sizes = ARRAY_NB(pdcp_sn_sizes);
	memcpy(lists->sn_size, pdcp_sn_sizes, sizeof(pdcp_sn_sizes));
	return lists->nb_ciphers > 0;
}

bool
protocol_check_context(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	if (caps->no_protocols || !alg_check_header(raw) ||
	    (raw->flags & ACCEL_HW_CTX_VERIFY) != 0)
		return false;
	return raw->kind == ACCEL_HW_KIND_DOCSIS ? check_docsis(caps, raw) : check_pdcp(caps, raw);
}

/* Return the bytes of a header whose sequence number has these bits. */
static uint8_t
header_len(unsigned int sn_len)
{
	return (uint8_t)((sn_len + 7) / 8);
}

/* Set the least and the most bytes that a PDU has in the source. The cipher covers data and MAC-I,
 * authentication the PDU and its prefix. */
static void
set_limits(const struct alg_rules *rules, struct protocol *p)
{
	const uint32_t prefix = p->has_prefix ? ENGINE_PREFIX : 0;
	const uint32_t mac = p->mac_in + p->mac_out;
	uint64_t most = (uint64_t)rules->region_max - mac + p->clear;
	uint32_t least = p->clear;

	if (mac != 0 && most > rules->auth_max - prefix)
		most = rules->auth_max - prefix;
	if (mac != 0 && least + prefix < rules->auth_min)
		least = rules->auth_min - prefix;
	most += p->mac_in;
	p->most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
	p->least = least + p->mac_in;
}

static void
take_pdcp(const struct accel_hw_context *raw, const struct alg_rules *rules, struct protocol *p)
{
	const uint8_t mac = raw->auth_alg != 0 ? ACCEL_HW_PDCP_MAC_LEN : 0;

	p->has_cipher = raw->cipher_alg != ACCEL_HW_CIPHER_NULL;
	if (raw->cipher_alg != ACCEL_HW_CIPHER_AES_CTR)
		p->repeated = UINT64_MAX;
	p->has_mac = mac != 0 && raw->auth_alg != ACCEL_HW_AUTH_NULL;
	p->has_prefix = raw->auth_alg == ACCEL_HW_AUTH_AES_CMAC;
	p->header = header_len(raw->pdcp_sn_len);
	p->clear = p->header + raw->pdcp_sdap_len;
	p->sn_len = raw->pdcp_sn_len;
	p->bearer = (uint32_t)raw->pdcp_bearer << 27 | (uint32_t)raw->pdcp_direction << 26;
	p->mac_in = p->encrypt ? 0 : mac;
	p->mac_out = p->encrypt ? mac : 0;
	/* A received MAC-I of EIA0 is not deciphered, since nobody looks at it. */
	p->mac_ciphered = p->encrypt || p->has_mac ? mac : 0;
	set_limits(rules, p);
}

void
protocol_take(const struct accel_hw_context *raw, const struct alg_rules *rules, struct protocol *p)
{
	*p = (struct protocol){
		.kind = raw->kind,
		.encrypt = (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0,
	};
	if (raw->kind == ACCEL_HW_KIND_PDCP)
		take_pdcp(raw, rules, p);
}
