/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * SAs and packets for tests of IPsec on the model (manual 8.6).
 */
#ifndef UNIT_MODEL_IPSEC_H
#define UNIT_MODEL_IPSEC_H

#include "model_base/model_card.h"

#define SPI 0x1234abcdu

extern uint32_t sa_generation;

typedef struct accel_hw_ipsec_context sa_t;

/* Begins an SA of ESP. `tunnel` 0: transport, 4 or 6: version of its outer header. */
sa_t *sa_new(bool outbound, unsigned int tunnel);

void sa_gcm(sa_t *sa);

void sa_cbc_sha1(sa_t *sa);

/* AH instead of ESP. */
void sa_ah_sha1(sa_t *sa);

sa_t *sa_gcm_new(bool outbound, unsigned int tunnel);

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

void put16(uint8_t *p, uint32_t v);

/* The checksum of RFC 1071, word by word. */
uint16_t sum16(const uint8_t *p, uint32_t len, uint32_t sum);

void ip4_sum(uint8_t *p);

void udp_sum(uint8_t *p, unsigned int version);

/* Makes a UDP packet with right checksums; `len` bytes in all. */
uint8_t *packet_at(uint8_t *p, unsigned int version, uint32_t len);

static inline uint8_t *
packet_new(unsigned int version, uint32_t len)
{
	return packet_at(host_alloc(&h, len + 256, 64), version, len);
}

/* Posts an operation with one fragment each, and returns the response. */
struct accel_hw_response run_command(const struct accel_hw_command *cmd, const void *in,
				     uint32_t len, const void *out, uint32_t room);

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
sa_t *sa_peer(const sa_t *sa);

#endif /* UNIT_MODEL_IPSEC_H */
