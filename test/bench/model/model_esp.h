/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * SAs and packets for model-bench: ESP in an IPv4 tunnel (manual 8.6), with packets that keep their
 * place in memory, as ipsec-secgw has them.
 */
#ifndef MODEL_ESP_H
#define MODEL_ESP_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"

/** Bytes before the inner packet in the protected one: outer header, ESP, IV. */
uint32_t esp_front(const struct accel_hw_ipsec_context *sa);
/** Bytes of the protected packet with an inner one of @p len bytes. */
uint32_t esp_total(const struct accel_hw_ipsec_context *sa, uint32_t len);
/** Fill in an SA. @param cipher AES-GCM, or a cipher that goes with HMAC-SHA1-96. */
void esp_fill_sa(struct accel_hw_ipsec_context *sa, uint16_t cipher, bool outbound);
/** Write the IPv4 header of an inner packet of @p len bytes. */
void esp_fill_packet(uint8_t *packet, uint32_t len);

#endif /* MODEL_ESP_H */
