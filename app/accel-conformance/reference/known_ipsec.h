/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known packets of IPsec: the security association, a packet in the clear and the same under ESP
 * or AH. Strings are bytes in hex; NULL stands for none. This is data only, so that unit tests may
 * use it, too.
 */
#ifndef CONF_KNOWN_IPSEC_H
#define CONF_KNOWN_IPSEC_H

#include <stdbool.h>
#include <stdint.h>

#include <accel_hw.h>

struct known_packet {
	const char *origin;
	uint8_t kind; /* enum accel_hw_kind */
	uint32_t options; /* ACCEL_HW_IPSEC_* */
	uint16_t cipher, auth; /* numbers of the manual's section 8.2 */
	uint16_t icv; /* bytes */
	uint32_t spi;
	uint64_t number;
	uint16_t udp_source, udp_destination;
	bool other_id; /* the outer identification is not made of the number, as the manual wants */
	const char *key, *auth_key, *salt, *iv;
	const char *outer; /* as outer_header of a context */
	const char *plain, *packet;
};

extern const struct known_packet known_packets[];
extern const unsigned int known_packets_nb;

#endif /* CONF_KNOWN_IPSEC_H */
