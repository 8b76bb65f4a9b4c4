/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * TLS records (manual section 8.7): the parts of a context behind struct accel_hw_context for the
 * kinds TLS 1.2, TLS 1.3 and DTLS 1.2, and the fields of command and response that they use.
 */
#ifndef ACCEL_HW_TLS_H
#define ACCEL_HW_TLS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_hw_ipsec.h"
#include "accel_hw_op.h"

/* accel_hw_tls.options. */
#define ACCEL_HW_TLS_IV_GIVEN 0x1u /* write, with an explicit IV */
#define ACCEL_HW_TLS_OPTIONS 0x1u

/* Bits of accel_hw_command.skip. */
#define ACCEL_HW_TLS_CMD_TYPE 0xffu /* content type; write */
#define ACCEL_HW_TLS_CMD_KEEP_PLACE 0x100u /* read */
#define ACCEL_HW_TLS_CMD_PADDING_SHIFT 16 /* bytes of extra padding; write */

/* Bits of accel_hw_response.info. */
#define ACCEL_HW_TLS_INFO_TYPE 0x00ffu /* content type; read */
#define ACCEL_HW_TLS_INFO_OFFSET 0x3f00u /* bytes of the result frame before the content; read */
#define ACCEL_HW_TLS_INFO_OFFSET_SHIFT 8
#define ACCEL_HW_TLS_INFO_SOFT 0x4000u /* a soft limit was reached */

/* Content types that the card knows (RFC 5246, 6.2.1). */
#define ACCEL_HW_TLS_CHANGE_CIPHER_SPEC 20u
#define ACCEL_HW_TLS_ALERT 21u
#define ACCEL_HW_TLS_HANDSHAKE 22u
#define ACCEL_HW_TLS_APPLICATION_DATA 23u

#define ACCEL_HW_TLS_VERSION 0x0303u /* in the header of TLS 1.2 and TLS 1.3 */
#define ACCEL_HW_DTLS_VERSION 0xfefdu

#define ACCEL_HW_TLS_HEADER 5u /* bytes: type, version, length */
#define ACCEL_HW_DTLS_HEADER 13u /* the same with epoch and number */
#define ACCEL_HW_TLS_CONTENT_MAX 17408u /* TLS 1.2, DTLS 1.2 */
#define ACCEL_HW_TLS13_CONTENT_MAX 16384u
#define ACCEL_HW_TLS_FRAGMENT_MAX 18432u /* behind the header; TLS 1.2, DTLS 1.2 */
#define ACCEL_HW_TLS13_FRAGMENT_MAX 16640u
#define ACCEL_HW_TLS_PADDING_MAX 256u /* CBC, with the byte of its length */

#define ACCEL_HW_TLS_NONCE 12u
#define ACCEL_HW_TLS_FIXED_IV 4u /* part of the nonce before an explicit IV */
#define ACCEL_HW_TLS_EXPLICIT_NONCE 8u
#define ACCEL_HW_TLS_NUMBER_MAX (UINT64_MAX - 1)
#define ACCEL_HW_DTLS_NUMBER_MAX ((UINT64_C(1) << 48) - 1)

/* The part that the host writes. */
struct accel_hw_tls {
	uint32_t options; /* ACCEL_HW_TLS_* */
	uint32_t replay_window; /* DTLS, read: numbers; 0: no check */
	uint16_t epoch; /* DTLS */
	uint16_t reserved;
	uint8_t fixed_iv[ACCEL_HW_TLS_NONCE];
	uint64_t records_soft; /* limits; 0: none */
	uint64_t records_hard;
	uint32_t payload_min; /* TLS 1.3, write: least bytes of content and padding */
	uint8_t reserved2[84];
};

/* The part that the device writes, in the order of struct accel_hw_ipsec_state. */
struct accel_hw_tls_state {
	uint64_t sequence; /* next number; DTLS, read: highest received plus 1 */
	uint64_t records;
	uint64_t bytes; /* of content */
	uint64_t errors;
	uint64_t auth_errors;
	uint64_t replay_errors;
	uint64_t reserved[2];
	uint64_t window[ACCEL_HW_IPSEC_WINDOW_MAX / ACCEL_HW_IPSEC_WINDOW_WORD];
};

/* A whole context. The device reads it up to the state. */
struct accel_hw_tls_context {
	struct accel_hw_context common;
	struct accel_hw_tls tls;
	struct accel_hw_tls_state state;
};

static_assert(offsetof(struct accel_hw_tls_context, tls.options) == 0x140, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, tls.replay_window) == 0x144, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, tls.epoch) == 0x148, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, tls.fixed_iv) == 0x14c, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, tls.records_soft) == 0x158, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, tls.records_hard) == 0x160, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, tls.payload_min) == 0x168, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, tls.reserved2) == 0x16c, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, state.sequence) == 0x1c0, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, state.records) == 0x1c8, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, state.bytes) == 0x1d0, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, state.errors) == 0x1d8, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, state.auth_errors) == 0x1e0, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, state.replay_errors) == 0x1e8, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, state.window) == 0x200, "manual 8.7");
static_assert(sizeof(struct accel_hw_tls_context) == 0x400, "manual 8.7");
static_assert(sizeof(struct accel_hw_tls) == sizeof(struct accel_hw_ipsec) &&
		      sizeof(struct accel_hw_tls_state) == sizeof(struct accel_hw_ipsec_state),
	      "one reading of contexts, one room for states");

#endif /* ACCEL_HW_TLS_H */
