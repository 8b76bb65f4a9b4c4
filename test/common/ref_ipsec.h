/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the reference of IPsec for the tests: one packet of ESP (RFC 4303) or AH (RFC 4302) is
 * built or opened in plain memory. It has no state: number and IV are arguments. It shares no code
 * with the model, and works on copies so that each step stands as the RFC says it.
 */
#ifndef REF_IPSEC_H
#define REF_IPSEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REF_IPSEC_ROOM 70000u /* bytes of any packet */

enum ref_ipsec_cipher {
	REF_IPSEC_NULL, /* RFC 2410 */
	REF_IPSEC_DES_CBC, /* RFC 2405 */
	REF_IPSEC_3DES_CBC, /* RFC 2451; a key of 8, 16 or 24 bytes */
	REF_IPSEC_AES_CBC, /* RFC 3602 */
	REF_IPSEC_AES_CTR, /* RFC 3686 */
	REF_IPSEC_AES_GCM, /* RFC 4106 */
	REF_IPSEC_AES_CCM, /* RFC 4309 */
	REF_IPSEC_CHACHA20_POLY1305, /* RFC 7634 */
};

enum ref_ipsec_auth {
	REF_IPSEC_NONE,
	REF_IPSEC_MD5, /* HMACs: RFC 2403, RFC 2404, RFC 4868 */
	REF_IPSEC_SHA1,
	REF_IPSEC_SHA224,
	REF_IPSEC_SHA256,
	REF_IPSEC_SHA384,
	REF_IPSEC_SHA512,
	REF_IPSEC_AES_XCBC, /* RFC 3566 */
	REF_IPSEC_AES_CMAC, /* RFC 4494 */
	REF_IPSEC_AES_GMAC, /* RFC 4543; has an IV of 8 bytes, and the cipher NULL */
};

/** A security association, without its state. */
struct ref_ipsec_sa {
	bool ah; /* else ESP */
	bool tunnel; /* else transport mode */
	bool esn;
	bool udp; /* RFC 3948 */
	bool copy_df, copy_dscp, copy_flabel, copy_ecn; /* outbound from the inner header */
	bool dec_ttl; /* outbound: of the inner header */
	bool take_dscp, take_ecn; /* inbound: into the inner header */
	bool inner_ip_checksum, inner_l4_checksum; /* outbound: are made */
	enum ref_ipsec_cipher cipher;
	enum ref_ipsec_auth auth; /* NONE with an AEAD */
	uint8_t key[32], auth_key[128];
	size_t key_len, auth_key_len;
	uint8_t salt[4]; /* 3 bytes with CCM */
	size_t icv_len;
	uint32_t spi;
	uint16_t udp_source, udp_destination;
	uint8_t outer[40]; /* lengths, protocol, identification and checksum are filled in */
};

enum ref_ipsec_result {
	REF_IPSEC_OK,
	REF_IPSEC_MALFORMED,
	REF_IPSEC_MISMATCH, /* another SPI or protocol, or no UDP header */
	REF_IPSEC_AUTH_FAILED,
	REF_IPSEC_DUMMY,
};

/** Bytes of the IV in a packet. */
size_t ref_ipsec_iv_len(const struct ref_ipsec_sa *sa);

/** Bytes to which the cipher's text is padded in ESP: the block, and at least 4. */
size_t ref_ipsec_align(const struct ref_ipsec_sa *sa);

/**
 * Builds a packet to send.
 *
 * @param number with ESN of 64 bits, else its low 32 bits count. The low 16 bits are the
 *   identification of an outer IPv4 header (manual 8.6).
 * @param iv ref_ipsec_iv_len() bytes.
 * @param in an IP packet of len bytes; what lies behind its end is left out.
 * @param out room for REF_IPSEC_ROOM bytes.
 * @param out_len receives its length.
 * @return OK or MALFORMED.
 */
enum ref_ipsec_result ref_ipsec_send(const struct ref_ipsec_sa *sa, uint64_t number,
				     const uint8_t *iv, const uint8_t *in, size_t len, uint8_t *out,
				     size_t *out_len);

/**
 * Opens a packet that was received.
 *
 * @param high the upper half of its number, with ESN.
 * @param number receives the low half.
 * @param out room for REF_IPSEC_ROOM bytes.
 */
enum ref_ipsec_result ref_ipsec_open(const struct ref_ipsec_sa *sa, uint32_t high,
				     const uint8_t *in, size_t len, uint32_t *number, uint8_t *out,
				     size_t *out_len);

/** Internet checksum (RFC 1071) of a run of bytes, ready to be stored. */
uint16_t ref_ipsec_checksum(const uint8_t *data, size_t len);

/** Makes the checksum of TCP or UDP anew in an IP packet without extension headers before them.
 * Packets without one stay as they are: other protocols, fragments. */
void ref_ipsec_l4_checksum(uint8_t *packet, size_t len);

#endif /* REF_IPSEC_H */
