/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * SAs and packets for tests of IPsec on the model (manual 8.6).
 */
#include "model_op/model_ipsec.h"

uint32_t sa_generation;

sa_t *
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

void
sa_gcm(sa_t *sa)
{
	sa->common.cipher_alg = ACCEL_HW_AEAD_AES_GCM;
	sa->common.cipher_key_len = 16;
	memset(sa->common.cipher_key, 0x2b, 16);
	sa->common.iv_len = 8;
	sa->common.digest_len = 16;
	memcpy(sa->ipsec.salt, "salt", 4);
}

void
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

void
sa_ah_sha1(sa_t *sa)
{
	sa_cbc_sha1(sa);
	sa->common.kind = ACCEL_HW_KIND_AH;
	sa->common.cipher_alg = 0;
	sa->common.cipher_key_len = 0;
	sa->common.iv_len = 0;
}

sa_t *
sa_gcm_new(bool outbound, unsigned int tunnel)
{
	sa_t *sa = sa_new(outbound, tunnel);

	sa_gcm(sa);
	return sa;
}

void
put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

uint16_t
sum16(const uint8_t *p, uint32_t len, uint32_t sum)
{
	for (uint32_t i = 0; i < len; i++)
		sum += i % 2 ? p[i] : (uint32_t)p[i] << 8;
	while (sum > 0xffff)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

void
ip4_sum(uint8_t *p)
{
	put16(p + 10, 0);
	put16(p + 10, (uint16_t)~sum16(p, (p[0] & 15u) * 4, 0));
}

void
udp_sum(uint8_t *p, unsigned int version)
{
	uint8_t *udp = p + (version == 4 ? 20 : 40);
	uint32_t len = be16(udp + 4), sum = 17 + len;

	sum = version == 4 ? sum16(p + 12, 8, sum) : sum16(p + 8, 32, sum);
	put16(udp + 6, 0);
	put16(udp + 6, (uint16_t)~sum16(udp, len, sum));
}

uint8_t *
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

struct accel_hw_response
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

sa_t *
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
