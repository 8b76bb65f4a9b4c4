/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IPsec (manual section 8.6): the parts of a context behind struct accel_hw_context for the kinds
 * ESP and AH, and the fields of command and response that they use.
 */
#ifndef ACCEL_HW_IPSEC_H
#define ACCEL_HW_IPSEC_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_hw_op.h"

/* accel_hw_ipsec.options, and the mask of the device tree's property. */
#define ACCEL_HW_IPSEC_TUNNEL 0x0001u
#define ACCEL_HW_IPSEC_OUTER_V6 0x0002u /* with TUNNEL */
#define ACCEL_HW_IPSEC_ESN 0x0004u
#define ACCEL_HW_IPSEC_UDP 0x0008u /* ESP only */
#define ACCEL_HW_IPSEC_UDP_VERIFY 0x0010u /* inbound, with UDP */
#define ACCEL_HW_IPSEC_COPY_DF 0x0020u /* outbound, with TUNNEL */
#define ACCEL_HW_IPSEC_COPY_DSCP 0x0040u /* with TUNNEL */
#define ACCEL_HW_IPSEC_COPY_FLABEL 0x0080u /* outbound, with TUNNEL */
#define ACCEL_HW_IPSEC_ECN 0x0100u /* with TUNNEL */
#define ACCEL_HW_IPSEC_DEC_TTL 0x0200u /* outbound, with TUNNEL */
#define ACCEL_HW_IPSEC_IP_CHECKSUM 0x0400u
#define ACCEL_HW_IPSEC_L4_CHECKSUM 0x0800u
#define ACCEL_HW_IPSEC_IV_GIVEN 0x1000u /* outbound */
#define ACCEL_HW_IPSEC_VERIFY_DST 0x2000u /* inbound, with TUNNEL */
#define ACCEL_HW_IPSEC_VERIFY_SRC 0x4000u /* inbound, with TUNNEL */
#define ACCEL_HW_IPSEC_OPTIONS 0x7fffu

/* Bits of accel_hw_command.skip. */
#define ACCEL_HW_IPSEC_CMD_IP_CHECKSUM 0x1u /* outbound */
#define ACCEL_HW_IPSEC_CMD_L4_CHECKSUM 0x2u /* outbound */
#define ACCEL_HW_IPSEC_CMD_KEEP_PLACE 0x4u /* inbound */

/* Bits of accel_hw_response.info. */
#define ACCEL_HW_IPSEC_INFO_OFFSET 0x03ffu /* bytes of the result frame before the output */
#define ACCEL_HW_IPSEC_INFO_SOFT 0x0400u /* a soft limit was reached */
#define ACCEL_HW_IPSEC_INFO_IP_CHECKED 0x0800u
#define ACCEL_HW_IPSEC_INFO_IP_BAD 0x1000u
#define ACCEL_HW_IPSEC_INFO_L4_CHECKED 0x2000u
#define ACCEL_HW_IPSEC_INFO_L4_BAD 0x4000u

#define ACCEL_HW_IPSEC_SALT_MAX 4u
#define ACCEL_HW_IPSEC_IV_COUNTED 8u /* bytes of an IV that is made by counting */
#define ACCEL_HW_IPSEC_OUTER_MAX 40u
#define ACCEL_HW_IPSEC_WINDOW_MAX 4096u /* numbers */
#define ACCEL_HW_IPSEC_WINDOW_WORD 64u /* bits of a word of the window, and the least window */

/* The part that the host writes. */
struct accel_hw_ipsec {
	uint32_t spi;
	uint32_t options; /* ACCEL_HW_IPSEC_* */
	uint32_t replay_window; /* numbers; 0: no check */
	uint8_t salt[ACCEL_HW_IPSEC_SALT_MAX];
	uint16_t udp_source;
	uint16_t udp_destination;
	uint32_t reserved;
	uint64_t packets_soft; /* limits; 0: none */
	uint64_t packets_hard;
	uint64_t bytes_soft;
	uint64_t bytes_hard;
	uint64_t reserved2;
	uint8_t outer_header[ACCEL_HW_IPSEC_OUTER_MAX]; /* network order */
	uint8_t reserved3[24];
};

/* The part that the device writes. */
struct accel_hw_ipsec_state {
	uint64_t sequence; /* outbound: last number taken; inbound: highest received */
	uint64_t packets;
	uint64_t bytes; /* without IPsec */
	uint64_t errors;
	uint64_t auth_errors;
	uint64_t replay_errors;
	uint64_t iv_count; /* last IV that was made by counting */
	uint64_t reserved;
	uint64_t window[ACCEL_HW_IPSEC_WINDOW_MAX / ACCEL_HW_IPSEC_WINDOW_WORD];
};

/* A whole context of ESP or AH. The device reads it up to the state. */
struct accel_hw_ipsec_context {
	struct accel_hw_context common;
	struct accel_hw_ipsec ipsec;
	struct accel_hw_ipsec_state state;
};

static_assert(offsetof(struct accel_hw_ipsec_context, ipsec) == 0x140, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.spi) == 0x140, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.options) == 0x144, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.replay_window) == 0x148, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.salt) == 0x14c, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.udp_source) == 0x150, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.udp_destination) == 0x152,
	      "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.packets_soft) == 0x158, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.packets_hard) == 0x160, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.bytes_soft) == 0x168, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.bytes_hard) == 0x170, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, ipsec.outer_header) == 0x180, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state) == 0x1c0, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state.sequence) == 0x1c0, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state.packets) == 0x1c8, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state.bytes) == 0x1d0, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state.errors) == 0x1d8, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state.auth_errors) == 0x1e0, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state.replay_errors) == 0x1e8, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state.iv_count) == 0x1f0, "manual 8.6");
static_assert(offsetof(struct accel_hw_ipsec_context, state.window) == 0x200, "manual 8.6");
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
