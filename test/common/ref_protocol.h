/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the reference of the protocols for the tests, written from their standards: PDCP (TS
 * 38.323, TS 33.501 annex D) on OpenSSL and ref_wireless.h, and the CRC of DOCSIS frames (IEEE
 * 802.3).
 */
#ifndef REF_PROTOCOL_H
#define REF_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NEA and NIA have these numbers in TS 33.501. */
enum ref_pdcp_alg { REF_PDCP_NULL, REF_PDCP_SNOW3G, REF_PDCP_AES, REF_PDCP_ZUC, REF_PDCP_NONE };

struct ref_pdcp {
	enum ref_pdcp_alg cipher; /* not NONE */
	enum ref_pdcp_alg auth; /* NONE: no MAC-I */
	uint8_t key[16];
	uint8_t auth_key[16];
	unsigned int sn_len; /* bits; 0: there is no header, and COUNT is the HFN */
	unsigned int bearer;
	unsigned int direction;
	unsigned int sdap; /* bytes */
	uint32_t hfn;
};

/** Returns the bytes of the header. */
size_t ref_pdcp_header(const struct ref_pdcp *p);

/**
 * Makes the PDU to send from a PDU in the clear.
 *
 * @param in header, SDAP header, data: len bytes.
 * @param out room for len + 4.
 * @return its length, 0 if OpenSSL fails.
 */
size_t ref_pdcp_send(const struct ref_pdcp *p, const uint8_t *in, size_t len, uint8_t *out);

/** Computes the CRC-32 as Ethernet sends it. */
void ref_crc32(const uint8_t *in, size_t len, uint8_t crc[4]);

#endif /* REF_PROTOCOL_H */
