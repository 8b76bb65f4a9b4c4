/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * SAs and packets for tests of IPsec on the model (manual 8.6).
 */
#ifndef UNIT_MODEL_IPSEC_H
#define UNIT_MODEL_IPSEC_H

#include "model_base/model_card.h"

#define SPI 0x1234abcdu

static uint32_t sa_generation;

typedef struct accel_hw_ipsec_context sa_t;

/* Begins an SA of ESP. `tunnel` 0: transport, 4 or 6: version of its outer header. */
static inline sa_t *
sa_new(bool outbound, unsigned int tunnel)
{
	sa_t *sa = host_alloc(&h, sizeof(*sa), 64);
	uint8_t *outer = sa->ipsec.outer_header;

	memset(sa, 0, sizeof(*sa));
	sa->common.generation = ++sa_generation;
	sa->common.version = 1;
	sa->common.kind = ACCEL_HW_KIND_ESP;
	sa->common.flags = outbound ? ACCEL_HW_CTX_ENCRYPT : 0;
	sa->ipsec.spi = SPI;
	if (tunnel != 0)
		sa->ipsec.options = ACCEL_HW_IPSEC_TUNNEL;
	if (tunnel == 4) {
		outer[0] = 0x45;
		outer[8] = 64;
		memcpy(outer + 12, (const uint8_t[]){ 10, 0, 0, 1, 10, 0, 0, 2 }, 8);
	} else if (tunnel == 6) {
		sa->ipsec.options |= ACCEL_HW_IPSEC_OUTER_V6;
		outer[0] = 0x60;
		outer[7] = 64;
		memset(outer + 8, 0x11, 16);
		memset(outer + 24, 0x22, 16);
	}
	return sa;
}

static inline void
sa_gcm(sa_t *sa)
{
	sa->common.cipher_alg = ACCEL_HW_AEAD_AES_GCM;
	sa->common.cipher_key_len = 16;
	memset(sa->common.cipher_key, 0x2b, 16);
	sa->common.iv_len = 8;
	sa->common.digest_len = 16;
	memcpy(sa->ipsec.salt, "salt", 4);
}

static inline void
sa_cbc_sha1(sa_t *sa)
{
	sa->common.cipher_alg = ACCEL_HW_CIPHER_AES_CBC;
	sa->common.cipher_key_len = 16;
	memset(sa->common.cipher_key, 0x2b, 16);
	sa->common.iv_len = 16;
	sa->common.auth_alg = ACCEL_HW_AUTH_SHA1_HMAC;
	sa->common.auth_key_len = 20;
	memset(sa->common.auth_key, 0x0b, 20);
	sa->common.digest_len = 12;
}

/* AH instead of ESP. */
static inline void
sa_ah_sha1(sa_t *sa)
{
	sa_cbc_sha1(sa);
	sa->common.kind = ACCEL_HW_KIND_AH;
	sa->common.cipher_alg = 0;
	sa->common.cipher_key_len = 0;
	sa->common.iv_len = 0;
}

static inline sa_t *
sa_gcm_new(bool outbound, unsigned int tunnel)
{
	sa_t *sa = sa_new(outbound, tunnel);

	sa_gcm(sa);
	return sa;
}

static inline struct accel_hw_command *
sa_command(const sa_t *sa, uint32_t len)
{
	return new_sym(&h, &sa->common, ++sa_generation, len, 0);
}

static inline uint16_t
be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline void
put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

/* The checksum of RFC 1071, word by word. */
static inline uint16_t
sum16(const uint8_t *p, uint32_t len, uint32_t sum)
{
	for (uint32_t i = 0; i < len; i++)
		sum += i % 2 ? p[i] : (uint32_t)p[i] << 8;
	while (sum > 0xffff)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

static inline void
ip4_sum(uint8_t *p)
{
	put16(p + 10, 0);
	put16(p + 10, (uint16_t)~sum16(p, (p[0] & 15u) * 4, 0));
}

static inline void
udp_sum(uint8_t *p, unsigned int version)
{
	uint8_t *udp = p + (version == 4 ? 20 : 40);
	uint32_t len = be16(udp + 4), sum = 17 + len;

	sum = version == 4 ? sum16(p + 12, 8, sum) : sum16(p + 8, 32, sum);
	put16(udp + 6, 0);
	put16(udp + 6, (uint16_t)~sum16(udp, len, sum));
}

/* Makes a UDP packet with right checksums; `len` bytes in all. */
static inline uint8_t *
packet_at(uint8_t *p, unsigned int version, uint32_t len)
{
	const uint32_t header = version == 4 ? 20 : 40;

	for (uint32_t i = 0; i < len; i++)
		p[i] = (uint8_t)(i * 7 + 3);
	if (version == 4) {
		memcpy(p, (const uint8_t[]){ 0x45, 0, 0, 0, 0x12, 0x34, 0, 0, 33, 17, 0, 0,
					     192, 168, 1, 1, 192, 168, 2, 2 }, 20);
		put16(p + 2, len);
		ip4_sum(p);
	} else {
		memcpy(p, (const uint8_t[]){ 0x60, 0, 0, 0, 0, 0, 17, 33 }, 8);
		put16(p + 4, len - 40);
	}
	if (len >= header + 8) {
		put16(p + header + 4, len - header);
		udp_sum(p, version);
	}
	return p;
}

static inline uint8_t *
packet_new(unsigned int version, uint32_t len)
{
	return packet_at(host_alloc(&h, len + 256, 64), version, len);
}

/* Posts an operation with one fragment each, and returns the response. */
static inline struct accel_hw_response
run_command(const struct accel_hw_command *cmd, const void *in, uint32_t len, const void *out,
	    uint32_t room)
{
	struct accel_hw_response rsp;

	q_post(q, cmd, in, len, out, room);
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.tag, cmd->tag);
	if (rsp.status != ACCEL_HW_OK)
		assert_int_equal(rsp.produced | rsp.info, 0);
	return rsp;
}

static inline struct accel_hw_response
run_sa(const sa_t *sa, const void *in, uint32_t len, const void *out, uint32_t room)
{
	return run_command(sa_command(sa, len), in, len, out, room);
}

/* An SA and the one that takes its packets. */
struct pair {
	sa_t *out;
	sa_t *in;
};

/* Makes the other direction of an outbound SA. */
static inline sa_t *
sa_peer(const sa_t *sa)
{
	const uint32_t both = ~(ACCEL_HW_IPSEC_COPY_DF | ACCEL_HW_IPSEC_COPY_FLABEL |
				ACCEL_HW_IPSEC_DEC_TTL | ACCEL_HW_IPSEC_IV_GIVEN);
	sa_t *peer = host_alloc(&h, sizeof(*peer), 64);

	*peer = *sa;
	peer->common.generation = ++sa_generation;
	peer->common.flags = 0;
	peer->ipsec.options &= both;
	memset(&peer->state, 0, sizeof(peer->state));
	return peer;
}

#endif /* UNIT_MODEL_IPSEC_H */
