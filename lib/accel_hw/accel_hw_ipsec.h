/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IPsec (manual section 8.6): the parts of a context after struct accel_hw_context for the kinds
 * ESP and AH, and the fields of command and response that they use.
 *
 * tools/contract makes this file from doc/hardware/contract.
 */
#ifndef ACCEL_HW_IPSEC_H
#define ACCEL_HW_IPSEC_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_hw_op.h"

/* accel_hw_ipsec.options, and the mask of the device tree's property. */
#define ACCEL_HW_IPSEC_TUNNEL      0x0001u /* tunnel mode, else transport mode */
/* the outer header is IPv6, else IPv4; only with TUNNEL */
#define ACCEL_HW_IPSEC_OUTER_V6    0x0002u
#define ACCEL_HW_IPSEC_ESN         0x0004u /* sequence numbers of 64 bits */
#define ACCEL_HW_IPSEC_UDP         0x0008u /* UDP header before ESP (RFC 3948); not with AH */
/* both UDP ports are checked against the context; only with UDP */
#define ACCEL_HW_IPSEC_UDP_VERIFY  0x0010u
/* outer DF is the inner one (IPv4 in IPv4); only with TUNNEL */
#define ACCEL_HW_IPSEC_COPY_DF     0x0020u
/* outer DSCP is the inner one; inbound the other way round; only with TUNNEL */
#define ACCEL_HW_IPSEC_COPY_DSCP   0x0040u
/* outer flow label is the inner one (IPv6 in IPv6); only with TUNNEL */
#define ACCEL_HW_IPSEC_COPY_FLABEL 0x0080u
/*
 * outbound the outer ECN is the inner one; inbound the inner ECN is made of both (RFC 6040, figure
 * 4); only with TUNNEL
 */
#define ACCEL_HW_IPSEC_ECN         0x0100u
/* the inner TTL or hop limit is lowered by 1; only with TUNNEL */
#define ACCEL_HW_IPSEC_DEC_TTL     0x0200u
/* outbound the header checksum of the inner IPv4 packet is made, inbound it is checked */
#define ACCEL_HW_IPSEC_IP_CHECKSUM 0x0400u
/* outbound the checksum of TCP or UDP in the inner packet is made, inbound it is checked */
#define ACCEL_HW_IPSEC_L4_CHECKSUM 0x0800u
#define ACCEL_HW_IPSEC_IV_GIVEN    0x1000u /* the IV is iv of the command, else the card makes it */
/* the outer destination is checked against outer_header; only with TUNNEL */
#define ACCEL_HW_IPSEC_VERIFY_DST  0x2000u
/* the outer source is checked against outer_header; only with TUNNEL */
#define ACCEL_HW_IPSEC_VERIFY_SRC  0x4000u
#define ACCEL_HW_IPSEC_OPTIONS     0x7fffu

/* Bits of accel_hw_command.skip. */

/* outbound: make it, although the context does not ask */
#define ACCEL_HW_IPSEC_CMD_IP_CHECKSUM 0x1u
/* outbound: make it, although the context does not ask */
#define ACCEL_HW_IPSEC_CMD_L4_CHECKSUM 0x2u
#define ACCEL_HW_IPSEC_CMD_KEEP_PLACE  0x4u /* inbound, see Places */

/* Bits of accel_hw_response.info. */

/* bytes of the result frame before the output, which were left alone, see Places */
#define ACCEL_HW_IPSEC_INFO_OFFSET     0x03ffu
#define ACCEL_HW_IPSEC_INFO_SOFT       0x0400u /* a soft limit was reached */
/* inbound with IP_CHECKSUM: the header checksum was checked */
#define ACCEL_HW_IPSEC_INFO_IP_CHECKED 0x0800u
#define ACCEL_HW_IPSEC_INFO_IP_BAD     0x1000u /* inbound: the header checksum is wrong */
/* inbound with L4_CHECKSUM: the checksum of TCP or UDP was checked */
#define ACCEL_HW_IPSEC_INFO_L4_CHECKED 0x2000u
#define ACCEL_HW_IPSEC_INFO_L4_BAD     0x4000u /* inbound: the checksum of TCP or UDP is wrong */

#define ACCEL_HW_IPSEC_SALT_MAX    4u    /* bytes */
#define ACCEL_HW_IPSEC_IV_COUNTED  8u    /* bytes of an IV that is made by counting */
#define ACCEL_HW_IPSEC_OUTER_MAX   40u   /* bytes */
#define ACCEL_HW_IPSEC_WINDOW_MAX  4096u /* numbers */
#define ACCEL_HW_IPSEC_WINDOW_WORD 64u   /* bits of a word of the window, and the least window */

/* The part that the host writes. */
struct accel_hw_ipsec {
	uint32_t spi;             /* a number; the packet has it in network order */
	uint32_t options;         /* the next table */
	/*
	 * inbound: numbers that the window covers, 0 for no check, at most replay-window-max.
	 * Outbound: 0
	 */
	uint32_t replay_window;
	/*
	 * first bytes of the nonce (AEAD, AES-CTR, AES-GMAC), as they stand in the nonce. CCM: 3
	 * bytes, the fourth is 0
	 */
	uint8_t salt[ACCEL_HW_IPSEC_SALT_MAX];
	uint16_t udp_source;      /* a port, with UDP; else 0 */
	uint16_t udp_destination; /* a port, with UDP; else 0 */
	uint32_t reserved;
	uint64_t packets_soft;    /* limit (see Limits), 0 for none */
	uint64_t packets_hard;    /* limit, 0 for none */
	uint64_t bytes_soft;      /* limit, 0 for none */
	uint64_t bytes_hard;      /* limit, 0 for none */
	uint64_t reserved2;
	/*
	 * tunnel: outer header of 20 (IPv4) or 40 bytes (IPv6), in network order; total or payload
	 * length, identification, protocol or next header, and checksum are 0, and no flag but DF
	 * is set. The rest, and all of it in transport mode, is 0
	 */
	uint8_t outer_header[ACCEL_HW_IPSEC_OUTER_MAX];
	uint8_t reserved3[24];
};

static_assert(offsetof(struct accel_hw_ipsec, spi) == 0x00, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec, options) == 0x04, "manual 8.6, IPS-1");
static_assert(offsetof(struct accel_hw_ipsec, replay_window) == 0x08, "manual 8.6, IPS-1, IPS-17");
static_assert(offsetof(struct accel_hw_ipsec, salt) == 0x0c, "manual 8.6, IPS-1");
static_assert(offsetof(struct accel_hw_ipsec, udp_source) == 0x10, "manual 8.6, IPS-1");
static_assert(offsetof(struct accel_hw_ipsec, udp_destination) == 0x12, "manual 8.6, IPS-1");
static_assert(offsetof(struct accel_hw_ipsec, packets_soft) == 0x18, "manual 8.6, SA-7");
static_assert(offsetof(struct accel_hw_ipsec, packets_hard) == 0x20, "manual 8.6, SA-7");
static_assert(offsetof(struct accel_hw_ipsec, bytes_soft) == 0x28, "manual 8.6, SA-7");
static_assert(offsetof(struct accel_hw_ipsec, bytes_hard) == 0x30, "manual 8.6, SA-7");
static_assert(offsetof(struct accel_hw_ipsec, outer_header) == 0x40, "manual 8.6, IPS-1, IPS-13");
static_assert(sizeof(struct accel_hw_ipsec) == 0x80, "manual 8.6");

/* The part that the device writes. */
struct accel_hw_ipsec_state {
	uint64_t sequence;      /* outbound: last number taken. Inbound: highest number received */
	uint64_t packets;       /* outbound: numbers taken. Inbound: packets with OK */
	/*
	 * of the same packets, without IPsec and without bytes that follow the packet (IPS-11):
	 * outbound source, inbound output
	 */
	uint64_t bytes;
	/* operations that passed the checks 1 to 9 of 7.4 and did not end with OK */
	uint64_t errors;
	uint64_t auth_errors;   /* of these: AUTH_FAILED */
	uint64_t replay_errors; /* of these: REPLAY */
	uint64_t iv_count;      /* last IV that was made by counting */
	uint64_t reserved;      /* not written */
	/*
	 * inbound: bit n modulo M (bit 0 is the least significant one of the first byte) is set if
	 * number n was received. M is the least power of two from 64 on that is not below
	 * replay_window; without a window there are no such bytes
	 */
	uint64_t window[ACCEL_HW_IPSEC_WINDOW_MAX / ACCEL_HW_IPSEC_WINDOW_WORD];
};

static_assert(offsetof(struct accel_hw_ipsec_state, sequence) == 0x00,
	      "manual 8.6, SA-1, SA-2, IPS-16");
static_assert(offsetof(struct accel_hw_ipsec_state, packets) == 0x08, "manual 8.6, SA-3, SA-7");
static_assert(offsetof(struct accel_hw_ipsec_state, bytes) == 0x10, "manual 8.6, SA-3, SA-7");
static_assert(offsetof(struct accel_hw_ipsec_state, errors) == 0x18, "manual 8.6, SA-3");
static_assert(offsetof(struct accel_hw_ipsec_state, auth_errors) == 0x20, "manual 8.6, SA-3");
static_assert(offsetof(struct accel_hw_ipsec_state, replay_errors) == 0x28, "manual 8.6, SA-3");
static_assert(offsetof(struct accel_hw_ipsec_state, iv_count) == 0x30, "manual 8.6, IPS-14");
static_assert(offsetof(struct accel_hw_ipsec_state, window) == 0x40, "manual 8.6, SA-2, IPS-17");
static_assert(sizeof(struct accel_hw_ipsec_state) == 0x240, "manual 8.6");

/* A whole context of ESP or AH. The device reads it up to the state. */
struct accel_hw_ipsec_context {
	struct accel_hw_context common;
	struct accel_hw_ipsec ipsec;
	struct accel_hw_ipsec_state state;
};

static_assert(offsetof(struct accel_hw_ipsec_context, common) == 0x00, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec) == 0x140, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state) == 0x1c0, "manual 8.6");
static_assert(sizeof(struct accel_hw_ipsec_context) == 0x400, "manual 8.6");

/** The words of a state's window, 0 without one: M / 64 (manual 8.6). */
static inline uint32_t
accel_hw_ipsec_window_words(uint32_t replay_window)
{
	uint32_t words = replay_window != 0 ? 1 : 0;

	while (words * ACCEL_HW_IPSEC_WINDOW_WORD < replay_window)
		words *= 2;
	return words;
}

#endif /* ACCEL_HW_IPSEC_H */
