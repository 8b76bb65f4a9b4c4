/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * PDCP (manual 8.5; TS 36.323 and 38.323, sections 5.6 to 5.8 and 6.2; TS 33.401, annex B). COUNT
 * and the IVs are made of a PDU's header and the HFN. MAC-I covers the clear PDU, and the cipher
 * covers data and MAC-I.
 */
#include <string.h>

#include "base/util.h"
#include "context/pdcp.h"

int
pdcp_header(unsigned int sn_len)
{
	switch (sn_len) {
	case 0:
		return 0;
	case 5:
	case 7:
		return 1;
	case 12:
	case 15:
		return 2;
	case 18:
		return 3;
	default:
		return -1;
	}
}

/* Return the bytes of MAC-I. */
static uint32_t
mac_len(const struct protocol *p)
{
	return p->auth_alg != 0 ? ACCEL_HW_PDCP_MAC_LEN : 0;
}

enum accel_hw_status
pdcp_lengths(const struct protocol *p, const struct alg_rules *rules,
	     const struct accel_hw_command *cmd, uint64_t *source, uint64_t *out)
{
	const uint32_t clear = (uint32_t)p->header + p->sdap;
	const uint32_t mac_in = p->encrypt ? 0 : mac_len(p);
	const uint32_t mac_out = p->encrypt ? mac_len(p) : 0;
	const uint32_t prefix = p->auth_alg == ACCEL_HW_AUTH_AES_CMAC ? PDCP_PREFIX : 0;
	uint64_t clear_pdu, ciphered;

	*source = cmd->cipher_len;
	*out = cmd->cipher_len;
	if ((cmd->flags & ~ACCEL_HW_CMD_NO_RX) != 0 ||
	    (cmd->auth_len | cmd->skip | cmd->aad_len) != 0)
		return ACCEL_HW_BAD_COMMAND;
	if (cmd->cipher_len < clear + mac_in)
		return ACCEL_HW_BAD_LENGTH;
	clear_pdu = cmd->cipher_len - mac_in; /* without MAC-I in both directions */
	*out = clear_pdu + mac_out;
	ciphered = clear_pdu - clear + mac_len(p);
	if (ciphered > rules->region_max ||
	    (p->auth_alg != 0 &&
	     (clear_pdu + prefix > rules->auth_max || clear_pdu + prefix < rules->auth_min)))
		return ACCEL_HW_BAD_LENGTH;
	return ACCEL_HW_OK;
}

/* Return COUNT, made of the HFN and the PDU's sequence number (TS 36.323, section 6.3.5). */
static uint32_t
count_of(const struct protocol *p, const struct accel_hw_command *cmd, const uint8_t *pdu)
{
	uint32_t hfn, header = 0;

	memcpy(&hfn, cmd->iv, sizeof(hfn)); /* little-endian, see model.h */
	if (p->sn_len == 0)
		return hfn;
	for (unsigned int i = 0; i < p->header; i++)
		header = header << 8 | pdu[i];
	return hfn << p->sn_len | (header & ((1u << p->sn_len) - 1));
}

/* Return a word of BEARER, DIRECTION and 26 zero bits. */
static uint32_t
bearer_word(const struct protocol *p)
{
	return (uint32_t)p->bearer << 27 | (uint32_t)p->direction << 26;
}

/* Make the IV of the cipher (TS 33.401, B.1.2 to B.1.4). EEA1 and EEA3 take COUNT and the word of
 * the bearer twice, EEA2 takes them once. */
static void
cipher_iv(const struct protocol *p, uint32_t count, uint8_t *iv)
{
	memset(iv, 0, ACCEL_HW_IV_MAX);
	put_be32(iv, count);
	put_be32(iv + 4, bearer_word(p));
	if (p->cipher_alg != ACCEL_HW_CIPHER_AES_CTR)
		memcpy(iv + 8, iv, 8);
}

/* Make the IV of authentication (TS 33.401 B.2.2 and B.2.4, TS 35.215 section 4.4, TS 35.221). It
 * has COUNT and FRESH (BEARER), and then both again, each with DIRECTION in one bit. */
static void
auth_iv(const struct protocol *p, uint32_t count, uint8_t *iv)
{
	const uint32_t fresh = (uint32_t)p->bearer << 27;

	put_be32(iv, count);
	put_be32(iv + 4, fresh);
	put_be32(iv + 8, count ^ (uint32_t)p->direction << 31);
	put_be32(iv + 12, fresh ^ (uint32_t)p->direction << 15);
}

/* Return the bytes of the PDU without MAC-I. */
static uint32_t
clear_len(const struct protocol *p, const struct accel_hw_command *cmd)
{
	return cmd->cipher_len - (p->encrypt ? 0 : mac_len(p));
}

/* Let authentication cover @p len bytes of the PDU in the clear. MAC-I is behind them: the engine
 * writes it there, where the cipher covers it, or compares it with what was deciphered there. */
static void
cover(const struct protocol *p, struct engine_job *job, uint8_t *pdu, uint32_t len, uint32_t count)
{
	job->digest_in = pdu + len;
	job->digest_out = pdu + len;
	job->auth_len = len;
	auth_iv(p, count, job->auth_iv);
	if (p->auth_alg == ACCEL_HW_AUTH_AES_CMAC) {
		/* The message begins with COUNT and the word of the bearer (B.2.3). The copy has
		 * room for them. */
		put_be32(pdu - PDCP_PREFIX, count);
		put_be32(pdu - PDCP_PREFIX + 4, bearer_word(p));
		job->src -= PDCP_PREFIX;
		job->cipher_off += PDCP_PREFIX;
		job->auth_len += PDCP_PREFIX;
	}
}

void
pdcp_job(const struct protocol *p, const struct accel_hw_command *cmd, uint8_t *pdu,
	 struct engine_job *job)
{
	const uint32_t clear = (uint32_t)p->header + p->sdap, len = clear_len(p, cmd);
	const uint32_t count = count_of(p, cmd, pdu);

	job->src = pdu;
	job->dst = pdu + clear;
	job->cipher_off = clear;
	job->cipher_len = len - clear;
	job->auth_len = 0;
	cipher_iv(p, count, job->iv);
	if (p->auth_alg == ACCEL_HW_AUTH_NULL && p->encrypt)
		memset(pdu + len, 0, ACCEL_HW_PDCP_MAC_LEN); /* EIA0 */
	else if (p->auth_alg != 0 && p->auth_alg != ACCEL_HW_AUTH_NULL)
		cover(p, job, pdu, len, count);
	/* A received MAC-I of EIA0 is not deciphered, since nobody looks at it. */
	if (p->auth_alg != 0 && (p->encrypt || job->auth_len != 0))
		job->cipher_len += ACCEL_HW_PDCP_MAC_LEN;
	if (p->cipher_alg == ACCEL_HW_CIPHER_NULL) /* EEA0 */
		job->cipher_len = 0;
}

bool
pdcp_in_place(const struct protocol *p)
{
	return p->auth_alg == 0 || p->auth_alg == ACCEL_HW_AUTH_NULL;
}
