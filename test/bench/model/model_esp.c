/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * SAs and packets for model-bench: see model_esp.h.
 */
#include <string.h>

#include "model_esp.h"

#define IP_HEADER 20u
#define ESP_HEADER 8u
#define ESP_TRAILER 2u
#define REPLAY_WINDOW 128u

/* 10.1.0.1 to 10.1.0.2, TTL 64. Length, identification, protocol and checksum are the device's. */
static const uint8_t outer[IP_HEADER] = { 0x45, 0, 0, 0, 0, 0,	0, 0, 64, 0,
					  0,	0, 10, 1, 0, 1, 10, 1, 0,  2 };

static bool
is_aead(const struct accel_hw_ipsec_context *sa)
{
	return sa->common.cipher_alg == ACCEL_HW_AEAD_AES_GCM;
}

uint32_t
esp_front(const struct accel_hw_ipsec_context *sa)
{
	return IP_HEADER + ESP_HEADER + sa->common.iv_len;
}

uint32_t
esp_total(const struct accel_hw_ipsec_context *sa, uint32_t len)
{
	const uint32_t block = is_aead(sa) ? 4 : 16;

	return esp_front(sa) + (len + ESP_TRAILER + block - 1) / block * block +
	       sa->common.digest_len;
}

void
esp_fill_sa(struct accel_hw_ipsec_context *sa, uint16_t cipher, bool outbound)
{
	struct accel_hw_context *common = &sa->common;

	memset(sa, 0, sizeof(*sa));
	common->generation = 1;
	common->version = ACCEL_HW_CTX_VERSION;
	common->kind = ACCEL_HW_KIND_ESP;
	common->flags = outbound ? ACCEL_HW_CTX_ENCRYPT : 0;
	common->cipher_alg = cipher;
	common->cipher_key_len = 16;
	common->iv_len = is_aead(sa) ? ACCEL_HW_IPSEC_IV_COUNTED : 16;
	common->digest_len = is_aead(sa) ? 16 : 12;
	if (!is_aead(sa)) {
		common->auth_alg = ACCEL_HW_AUTH_SHA1_HMAC;
		common->auth_key_len = 20;
	}
	sa->ipsec.spi = 0x1000;
	sa->ipsec.options = ACCEL_HW_IPSEC_TUNNEL;
	sa->ipsec.replay_window = outbound ? 0 : REPLAY_WINDOW;
	memcpy(sa->ipsec.outer_header, outer, sizeof(outer));
}

/* The checksum is 0: the SA does not ask the device for a look at it. */
void
esp_fill_packet(uint8_t *packet, uint32_t len)
{
	memcpy(packet, outer, sizeof(outer));
	packet[2] = (uint8_t)(len >> 8);
	packet[3] = (uint8_t)len;
	packet[9] = 17;
}
