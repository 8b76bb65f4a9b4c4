/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A security association (manual 8.6): what the data path needs to know of it, and the state in
 * host memory that the device writes. All workers of this process share the state of an SA, so
 * each change is made under a lock that is found by the state's address. The host may be hostile
 * and write there too: each field is read once, and what is read decides nothing but the status of
 * operations of the same function.
 */
#ifndef ACCEL_MODEL_IPSEC_SA_H
#define ACCEL_MODEL_IPSEC_SA_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"
#include "dmamap.h"

/* How the algorithm's IV or nonce is made of the IV in the packet. */
enum ipsec_nonce {
	IPSEC_NONCE_NONE, /* no IV in the packet */
	IPSEC_NONCE_RANDOM, /* CBC: the IV, which is unpredictable */
	IPSEC_NONCE_SALTED, /* salt, IV */
	IPSEC_NONCE_COUNTER, /* salt, IV, 1 in 32 bits (RFC 3686) */
};

/* What protects a packet. */
enum ipsec_form {
	IPSEC_FORM_NONE, /* NULL and NULL */
	IPSEC_FORM_AEAD,
	IPSEC_FORM_GMAC, /* AES-GMAC: its sequence number has another place (RFC 4543) */
	IPSEC_FORM_AUTH,
	IPSEC_FORM_CIPHER,
	IPSEC_FORM_CHAIN,
};

/* An SA in the form that operations need. It holds no key, but the salt, so it is wiped. */
struct ipsec_sa {
	uint32_t spi; /* network order */
	uint32_t options; /* ACCEL_HW_IPSEC_* */
	uint32_t window; /* numbers, 0: no check */
	uint32_t window_words;
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
	uint8_t protocol; /* IP's number of ESP or AH */
	bool outbound;
	uint16_t udp_source; /* network order */
	uint16_t udp_destination;
	uint8_t salt[ACCEL_HW_IPSEC_SALT_MAX];
	uint64_t packets_soft; /* limits; UINT64_MAX: none */
	uint64_t packets_hard;
	uint64_t bytes_soft;
	uint64_t bytes_hard;
	uint8_t outer[ACCEL_HW_IPSEC_OUTER_MAX];
};

/* The state of an SA in this process. */
struct ipsec_state {
	struct accel_hw_ipsec_state *at; /* without its window */
	uint64_t *window; /* NULL: it is not in one piece */
	uint64_t window_iova;
	struct dma_view *view;
};

/** What an outbound operation took. */
struct ipsec_taken {
	uint64_t number;
	uint64_t iv; /* made by counting */
	bool soft; /* a soft limit is reached */
};

/** Find the state of the context at @p context. false: not readable and writable (view.fault). */
bool ipsec_state_find(const struct ipsec_sa *sa, struct dma_view *view, uint64_t context,
		      struct ipsec_state *state);

/**
 * Take the next number of an outbound SA, and count the packet.
 *
 * @param packet what the checks 2 to 4 of manual 8.6 found, OK or the status that follows.
 * @param bytes of the source.
 * @return OK, or the status of the first check that failed, which is counted then.
 */
enum accel_hw_status ipsec_state_take(const struct ipsec_sa *sa, struct ipsec_state *state,
				      enum accel_hw_status packet, uint32_t bytes,
				      struct ipsec_taken *taken);

/**
 * Do the checks 1 and 5 of an inbound packet, without entering its number.
 *
 * @param packet as above.
 * @param low the number in the packet.
 * @param number receives the whole number, of 64 bits with ESN.
 */
enum accel_hw_status ipsec_state_expect(const struct ipsec_sa *sa, struct ipsec_state *state,
					enum accel_hw_status packet, uint32_t low,
					uint64_t *number);

/**
 * Do the checks 1 and 5 again, enter the number, and count the packet.
 *
 * @param bytes of the output.
 * @param written false: the result was not writable, so that the number is not entered.
 * @param soft receives whether a soft limit is reached.
 */
enum accel_hw_status ipsec_state_enter(const struct ipsec_sa *sa, struct ipsec_state *state,
				       uint64_t number, uint32_t bytes, bool written, bool *soft);

/** Count an operation that reached the SA and failed. */
void ipsec_state_count(struct ipsec_state *state, enum accel_hw_status status);

#endif /* ACCEL_MODEL_IPSEC_SA_H */
