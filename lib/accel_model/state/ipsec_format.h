/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sizes of ESP (RFC 4303) and AH (RFC 4302): the contexts of SAs are checked with them, and the
 * packets are made with them.
 */
#ifndef ACCEL_MODEL_IPSEC_FORMAT_H
#define ACCEL_MODEL_IPSEC_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "state/ipsec_sa.h"

#define ESP_HEADER 8u
#define ESP_TRAILER 2u /* pad length and next header */
#define AH_HEADER 12u /* without IV and ICV */
#define SPI_LEN 4u
#define ESN_LEN 4u /* the upper half of a number, which is not sent */

/** Round up to a multiple of a power of two. */
static inline uint32_t
round_up(uint32_t value, uint32_t to)
{
	return (value + to - 1) & ~(to - 1);
}

/** True if the SA has an option, ACCEL_HW_IPSEC_*. */
static inline bool
ipsec_has(const struct ipsec_sa *sa, uint32_t option)
{
	return (sa->options & option) != 0;
}

/** Return the bytes of AH, a multiple of 4 in IPv4 and of 8 in IPv6 (RFC 4302, 2.2). */
static inline uint32_t
ipsec_ah_len(const struct ipsec_sa *sa, unsigned int version)
{
	return round_up(AH_HEADER + sa->iv_len + sa->icv_len, version == 4 ? 4 : 8);
}

#endif /* ACCEL_MODEL_IPSEC_FORMAT_H */
