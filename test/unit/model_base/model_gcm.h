/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A known answer of AES-GCM with AAD, for tests of the model. Its result depends on each byte and
 * its place.
 */
#ifndef UNIT_MODEL_GCM_H
#define UNIT_MODEL_GCM_H

#include "model_base/model_host.h"

extern const uint8_t gcm_iv[12];
extern const uint8_t gcm_aad[20];
extern const uint8_t gcm_plain[60];
extern const uint8_t gcm_cipher[76];

struct accel_hw_context *gcm_context(struct host *host, uint32_t generation, uint8_t flags);

/* Counts the operations that the model did in a copy. */
uint64_t host_copied(const struct host *host);

#endif /* UNIT_MODEL_GCM_H */
