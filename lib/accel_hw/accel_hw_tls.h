/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * TLS records (manual section 8.7): the parts of a context after struct accel_hw_context for the
 * kinds TLS 1.2, TLS 1.3 and DTLS 1.2, and the fields of command and response that they use.
 *
 * tools/contract makes this file from doc/hardware/contract.
 */
#ifndef ACCEL_HW_TLS_H
#define ACCEL_HW_TLS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_hw_ipsec.h"
#include "accel_hw_op.h"

/* accel_hw_tls.options. */

/* write: the explicit IV is iv of the command, else the card makes it */
#define ACCEL_HW_TLS_IV_GIVEN 0x1u
#define ACCEL_HW_TLS_OPTIONS  0x1u

/* Bits of accel_hw_command.skip. */
#define ACCEL_HW_TLS_CMD_TYPE          0xffu  /* write: content type */
#define ACCEL_HW_TLS_CMD_KEEP_PLACE    0x100u /* read, see Places */
#define ACCEL_HW_TLS_CMD_PADDING_SHIFT 16     /* write: bytes of extra padding */

/* Bits of accel_hw_response.info. */
#define ACCEL_HW_TLS_INFO_TYPE         0x00ffu /* read: content type; else 0 */
/* read: bytes of the result frame before the content, which were left alone, see Places */
#define ACCEL_HW_TLS_INFO_OFFSET       0x3f00u
#define ACCEL_HW_TLS_INFO_OFFSET_SHIFT 8
#define ACCEL_HW_TLS_INFO_SOFT         0x4000u /* a soft limit was reached */

/* Content types that the card knows (RFC 5246, 6.2.1). */
#define ACCEL_HW_TLS_CHANGE_CIPHER_SPEC 20u
#define ACCEL_HW_TLS_ALERT              21u
#define ACCEL_HW_TLS_HANDSHAKE          22u
#define ACCEL_HW_TLS_APPLICATION_DATA   23u

#define ACCEL_HW_TLS_VERSION  0x0303u /* in the header of TLS 1.2 and TLS 1.3 */
#define ACCEL_HW_DTLS_VERSION 0xfefdu

#define ACCEL_HW_TLS_HEADER         5u     /* bytes: type, version, length */
#define ACCEL_HW_DTLS_HEADER        13u    /* bytes: type, version, epoch, number, length */
#define ACCEL_HW_TLS_CONTENT_MAX    17408u /* bytes; TLS 1.2, DTLS 1.2 */
#define ACCEL_HW_TLS13_CONTENT_MAX  16384u /* bytes */
#define ACCEL_HW_TLS_FRAGMENT_MAX   18432u /* bytes after the header; TLS 1.2, DTLS 1.2 */
#define ACCEL_HW_TLS13_FRAGMENT_MAX 16640u /* bytes after the header */
#define ACCEL_HW_TLS_PADDING_MAX    256u   /* CBC, with the byte of its length */

#define ACCEL_HW_TLS_NONCE          12u /* bytes */
#define ACCEL_HW_TLS_FIXED_IV       4u  /* bytes of the nonce before an explicit IV */
#define ACCEL_HW_TLS_EXPLICIT_NONCE 8u  /* bytes */
#define ACCEL_HW_TLS_NUMBER_MAX     (UINT64_MAX - 1)
#define ACCEL_HW_DTLS_NUMBER_MAX    ((UINT64_C(1) << 48) - 1)

/* The part that the host writes. */
struct accel_hw_tls {
	uint32_t options;      /* ACCEL_HW_TLS_*, see above */
	/*
	 * DTLS, read: numbers that the window covers, 0 for no check, at most replay-window-max.
	 * Else 0
	 */
	uint32_t replay_window;
	uint16_t epoch;        /* DTLS; else 0 */
	uint16_t reserved;
	/* AEAD: the part of the nonce that no record has (below), the rest 0. Other ciphers: 0 */
	uint8_t fixed_iv[ACCEL_HW_TLS_NONCE];
	uint64_t records_soft; /* limit (see Limits), 0 for none */
	uint64_t records_hard; /* limit, 0 for none */
	/* TLS 1.3, write: content and padding have at least so many bytes, at most 16384. Else 0 */
	uint32_t payload_min;
	uint8_t reserved2[84];
};

static_assert(offsetof(struct accel_hw_tls, options) == 0x00, "manual 8.7, TLS-1");
static_assert(offsetof(struct accel_hw_tls, replay_window) == 0x04, "manual 8.7, TLS-1, TLS-18");
static_assert(offsetof(struct accel_hw_tls, epoch) == 0x08, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls, fixed_iv) == 0x0c, "manual 8.7, TLS-1");
static_assert(offsetof(struct accel_hw_tls, records_soft) == 0x18, "manual 8.7, TLS-20");
static_assert(offsetof(struct accel_hw_tls, records_hard) == 0x20, "manual 8.7, TLS-20");
static_assert(offsetof(struct accel_hw_tls, payload_min) == 0x28, "manual 8.7, TLS-13");
static_assert(sizeof(struct accel_hw_tls) == 0x80, "manual 8.7");

/* The part that the device writes, in the order of struct accel_hw_ipsec_state. */
struct accel_hw_tls_state {
	/*
	 * DTLS, read: highest number received plus 1, 0 if none was. Else the number of the next
	 * record
	 */
	uint64_t sequence;
	uint64_t records;       /* write: numbers taken. Read: records with OK */
	uint64_t bytes;         /* content of the counted records */
	uint64_t errors;        /* operations that reached the state and did not end with OK */
	uint64_t auth_errors;   /* errors with the status AUTH_FAILED */
	uint64_t replay_errors; /* errors with the status REPLAY */
	uint64_t reserved[2];   /* not written */
	/* DTLS, read: as in 8.6, where the bit of number n is n + 1 modulo M */
	uint64_t window[ACCEL_HW_IPSEC_WINDOW_MAX / ACCEL_HW_IPSEC_WINDOW_WORD];
};

static_assert(offsetof(struct accel_hw_tls_state, sequence) == 0x00,
	      "manual 8.7, SA-1, TLS-17, TLS-18");
static_assert(offsetof(struct accel_hw_tls_state, records) == 0x08, "manual 8.7, SA-3, TLS-20");
static_assert(offsetof(struct accel_hw_tls_state, bytes) == 0x10, "manual 8.7, SA-3");
static_assert(offsetof(struct accel_hw_tls_state, errors) == 0x18, "manual 8.7, SA-3");
static_assert(offsetof(struct accel_hw_tls_state, auth_errors) == 0x20, "manual 8.7, SA-3");
static_assert(offsetof(struct accel_hw_tls_state, replay_errors) == 0x28, "manual 8.7, SA-3");
static_assert(offsetof(struct accel_hw_tls_state, window) == 0x40, "manual 8.7, SA-2, TLS-18");
static_assert(sizeof(struct accel_hw_tls_state) == 0x240, "manual 8.7");

/* A whole context. The device reads it up to the state. */
struct accel_hw_tls_context {
	struct accel_hw_context common;
	struct accel_hw_tls tls;
	struct accel_hw_tls_state state;
};

static_assert(offsetof(struct accel_hw_tls_context, common) == 0x00, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, tls) == 0x140, "manual 8.7");
static_assert(offsetof(struct accel_hw_tls_context, state) == 0x1c0, "manual 8.7");
static_assert(sizeof(struct accel_hw_tls_context) == 0x400, "manual 8.7");

static_assert(sizeof(struct accel_hw_tls) == sizeof(struct accel_hw_ipsec) &&
		      sizeof(struct accel_hw_tls_state) == sizeof(struct accel_hw_ipsec_state),
	      "one reading of contexts, one room for states");

#endif /* ACCEL_HW_TLS_H */
