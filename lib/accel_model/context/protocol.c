/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the protocols have in common: see protocol.h. Only this file says which algorithms each
 * works with.
 */
#include <string.h>

#include "base/util.h"
#include "context/docsis.h"
#include "context/pdcp.h"
#include "context/protocol.h"

#define PDCP_KEY 16u

static_assert(PDCP_PREFIX <= PROTOCOL_HEADROOM && ACCEL_HW_DIGEST_MAX <= PROTOCOL_TAILROOM &&
		      ACCEL_HW_PDCP_MAC_LEN + ENGINE_ROOM <= PROTOCOL_TAILROOM,
	      "room for both, and for what an engine writes or reads behind them");

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

void
protocol_take(const struct accel_hw_context *raw, struct protocol *p)
{
	*p = (struct protocol){
		.kind = raw->kind,
		.cipher_alg = (uint8_t)raw->cipher_alg,
		.auth_alg = (uint8_t)raw->auth_alg,
		.sn_len = raw->pdcp_sn_len,
		.bearer = raw->pdcp_bearer,
		.direction = raw->pdcp_direction,
		.sdap = raw->pdcp_sdap_len,
		.encrypt = (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0,
	};
	if (raw->kind == ACCEL_HW_KIND_PDCP)
		p->header = (uint8_t)pdcp_header(raw->pdcp_sn_len);
}

enum accel_hw_status
protocol_lengths(const struct protocol *p, const struct alg_rules *rules,
		 const struct accel_hw_command *cmd, uint64_t *source, uint64_t *out)
{
	return p->kind == ACCEL_HW_KIND_DOCSIS ? docsis_lengths(rules, cmd, source, out) :
						 pdcp_lengths(p, rules, cmd, source, out);
}

bool
protocol_in_place(const struct protocol *p)
{
	return p->kind == ACCEL_HW_KIND_DOCSIS || pdcp_in_place(p);
}

void
protocol_begin(const struct protocol *p, struct engine_ctx *ctx,
	       const struct accel_hw_command *cmd, uint8_t *source, struct engine_job *job)
{
	if (p->kind == ACCEL_HW_KIND_DOCSIS)
		docsis_job(p, ctx, cmd, source, job);
	else
		pdcp_job(p, cmd, source, job);
	job->src_len = job->cipher_off + job->cipher_len;
	if (job->src_len < job->auth_len)
		job->src_len = job->auth_len;
	job->auth_off = 0;
	job->aad = source;
	job->aad_len = 0;
	if (ctx != NULL && (job->cipher_len | job->auth_len) != 0) {
		engine_submit(ctx, job);
	} else {
		job->status = ACCEL_HW_OK;
		job->done = true;
	}
}

uint16_t
protocol_end(const struct protocol *p, const struct engine_ctx *ctx,
	     const struct accel_hw_command *cmd, const uint8_t *source, uint16_t status)
{
	return p->kind == ACCEL_HW_KIND_DOCSIS ? docsis_end(p, ctx, cmd, source, status) : status;
}
