/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A security association (manual 8.6): what the data path needs to know of it, and the numbers of
 * inbound packets, whose upper half may have to be inferred. The state itself is in state.h.
 */
#ifndef ACCEL_MODEL_IPSEC_SA_H
#define ACCEL_MODEL_IPSEC_SA_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"
#include "base/util.h"
#include "state/state.h"

/* Says how the algorithm's IV or nonce is made of the IV in the packet. */
enum ipsec_nonce {
	IPSEC_NONCE_NONE, /* no IV in the packet */
	IPSEC_NONCE_RANDOM, /* CBC: the IV, which is unpredictable */
	IPSEC_NONCE_SALTED, /* salt, IV */
	IPSEC_NONCE_COUNTER, /* salt, IV, 1 in 32 bits (RFC 3686) */
};

/* Says what protects a packet. */
enum ipsec_form {
	IPSEC_FORM_NONE, /* cipher and authentication are NULL */
	IPSEC_FORM_AEAD,
	IPSEC_FORM_GMAC, /* AES-GMAC: its sequence number has another place (RFC 4543) */
	IPSEC_FORM_AUTH,
	IPSEC_FORM_CIPHER,
	IPSEC_FORM_CHAIN,
};

/* Describes the least room for an output: base, and payload and trailer rounded up to align. */
struct ipsec_room {
	uint8_t base;
	uint8_t trailer;
	uint8_t align;
};

/* Holds an SA in the form that operations need. The SA has no key, but it has the salt, so it is
 * wiped. */
struct ipsec_sa {
	uint32_t spi; /* network order */
	uint32_t options; /* ACCEL_HW_IPSEC_* */
	uint8_t kind; /* enum accel_hw_kind */
	uint8_t form; /* enum ipsec_form */
	uint8_t nonce; /* enum ipsec_nonce */
	uint8_t salt_len;
	uint8_t iv_len; /* of the IV in the packet */
	uint8_t icv_len;
	uint8_t align; /* ESP: payload and trailer are a multiple of it */
	uint8_t block; /* of the cipher */
	uint8_t outer_len; /* bytes of the outer header, 0: transport mode */
	uint8_t udp_len; /* bytes of the UDP header, or 0 */
	uint8_t front; /* ESP: bytes from the outer header to the payload, in tunnel mode */
	uint8_t around; /* ESP: bytes around payload and trailer, without IP headers */
	uint8_t protocol; /* IP's number of what follows the IP header: ESP, AH or UDP */
	uint8_t tos_mask; /* outbound: bits of the outer TOS byte that are the inner ones */
	bool outbound;
	bool may_stay; /* the SA lets packets be worked on in the host's memory */
	struct ipsec_room room;
	uint16_t outer_sum; /* IPv4: sum of the outer header without what each packet fills in */
	uint16_t udp_source; /* network order */
	uint16_t udp_destination;
	uint8_t salt[ACCEL_HW_IPSEC_SALT_MAX];
	struct state_rules rules;
	struct state state;
	uint8_t outer[ACCEL_HW_IPSEC_OUTER_MAX]; /* outer header, with the number of the protocol
						  * set */
};

/**
 * Infer the upper half of a number from its lower half and the highest number received (RFC 4303,
 * A2.1).
 *
 * @return false: the number is below 0, as there is no earlier upper half.
 */
bool ipsec_infer(const struct ipsec_sa *sa, uint32_t low, uint64_t *number);

/**
 * Do the checks 1 and 5 of an inbound packet, without entering its number.
 *
 * @param packet what the checks of the packet found.
 * @param low the number in the packet.
 * @param number receives the whole number, of 64 bits with ESN.
 */
static ALWAYS_INLINE enum accel_hw_status
ipsec_state_expect(struct ipsec_sa *sa, enum accel_hw_status packet, uint32_t low,
		   uint64_t *number)
{
	*number = low;
	if ((sa->options & ACCEL_HW_IPSEC_ESN) != 0 && !ipsec_infer(sa, low, number) &&
	    sa->rules.window != 0 && packet == ACCEL_HW_OK)
		packet = ACCEL_HW_REPLAY;
	return state_expect(&sa->rules, &sa->state, packet, *number);
}

#endif /* ACCEL_MODEL_IPSEC_SA_H */
