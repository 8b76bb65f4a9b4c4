/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Formats of one operation: command and response (manual section 7), context (manual section 8).
 *
 * tools/contract makes this file from doc/hardware/contract.
 */
#ifndef ACCEL_HW_OP_H
#define ACCEL_HW_OP_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* Manual section 7.1: the command, 64 bytes, first fragment of each request frame. */
enum accel_hw_opcode {
	ACCEL_HW_OP_NOP = 1,      /* moves no data, its status is OK */
	ACCEL_HW_OP_LOOPBACK = 2, /* copies the source to the result frame */
	ACCEL_HW_OP_SYM = 3,      /* symmetric operation as the context says */
	ACCEL_HW_OP_PK = 4,       /* public-key operation, see accel_hw_pk.h */
	ACCEL_HW_OP_RANDOM = 5,   /* fills the result frame with random bytes */
};

/* X(number's name, name for people) */
#define ACCEL_HW_OPCODE_NAMES(X)                                                                   \
	X(ACCEL_HW_OP_NOP, "NOP")                                                                  \
	X(ACCEL_HW_OP_LOOPBACK, "LOOPBACK")                                                        \
	X(ACCEL_HW_OP_SYM, "SYM")                                                                  \
	X(ACCEL_HW_OP_PK, "PK")                                                                    \
	X(ACCEL_HW_OP_RANDOM, "RANDOM")

#define ACCEL_HW_CMD_NO_RX            0x01u /* the request has no result frame */
/* auth region at 0, cipher region at skip, else reverse (7.2) */
#define ACCEL_HW_CMD_AUTH_FIRST       0x02u
#define ACCEL_HW_CMD_WHOLE            0x04u /* the destination takes the whole source (7.2) */
#define ACCEL_HW_CMD_DIGEST_IN_STREAM 0x08u /* the digest lies after the auth region (7.2) */
/* cipher_len, auth_len, skip and aad_len count bits (7.2) */
#define ACCEL_HW_CMD_BITS             0x10u
#define ACCEL_HW_CMD_AAD_IN_COMMAND   0x20u /* auth_iv has the AAD, and the input has none (7.2) */
#define ACCEL_HW_CMD_FLAGS                                                                         \
	(ACCEL_HW_CMD_NO_RX | ACCEL_HW_CMD_AUTH_FIRST | ACCEL_HW_CMD_WHOLE |                       \
	 ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_BITS | ACCEL_HW_CMD_AAD_IN_COMMAND)

#define ACCEL_HW_IV_MAX      16u /* bytes */
#define ACCEL_HW_LONG_IV_MAX 32u /* an IV above 16 bytes takes iv and auth_iv (manual 8.1) */

struct accel_hw_command {
	uint32_t tag;        /* any number; echoed in the response */
	uint8_t opcode;      /* enum accel_hw_opcode; others: status BAD_COMMAND */
	uint8_t flags;       /* ACCEL_HW_CMD_*, see above */
	/*
	 * bytes of AAD before the source, or in auth_iv; 0 unless the context is an AEAD. BITS: a
	 * bit number, manual 7.2
	 */
	uint16_t aad_len;
	uint64_t context;    /* IOVA of the context, aligned to 64 bytes (SYM; else 0) */
	uint32_t generation; /* shall equal the generation in the context, and not be 0 */
	/* bytes (BITS: bits) from the start of the source to the later region, manual 7.2 */
	uint32_t skip;
	/* bytes of the cipher or AEAD region (BITS: bits); LOOPBACK: bytes to copy */
	uint32_t cipher_len;
	uint32_t auth_len;   /* bytes of the authentication region (BITS: bits) */
	/* IV, nonce, counter block or tweak of the cipher or AEAD, from its first byte */
	uint8_t iv[ACCEL_HW_IV_MAX];
	/* IV of the authentication algorithm; AAD_IN_COMMAND: the AAD, from its first byte */
	uint8_t auth_iv[ACCEL_HW_IV_MAX];
};

static_assert(offsetof(struct accel_hw_command, tag) == 0x00, "manual 7.1, RSP-1, DMA-7");
static_assert(offsetof(struct accel_hw_command, opcode) == 0x04, "manual 7.1, CMD-5");
static_assert(offsetof(struct accel_hw_command, flags) == 0x05, "manual 7.1, CMD-5");
static_assert(offsetof(struct accel_hw_command, aad_len) == 0x06, "manual 7.1, REG-3");
static_assert(offsetof(struct accel_hw_command, context) == 0x08, "manual 7.1, CMD-9");
static_assert(offsetof(struct accel_hw_command, generation) == 0x10,
	      "manual 7.1, CMD-3, CMD-4, CACHE-3");
static_assert(offsetof(struct accel_hw_command, skip) == 0x14, "manual 7.1, REG-1, REG-3");
static_assert(offsetof(struct accel_hw_command, cipher_len) == 0x18, "manual 7.1, REG-6, CMD-7");
static_assert(offsetof(struct accel_hw_command, auth_len) == 0x1c, "manual 7.1, REG-3");
static_assert(offsetof(struct accel_hw_command, iv) == 0x20, "manual 7.1, CMD-4");
static_assert(offsetof(struct accel_hw_command, auth_iv) == 0x30, "manual 7.1, CMD-4, AIC-1");
static_assert(sizeof(struct accel_hw_command) == 0x40, "manual 7.1");

static_assert(offsetof(struct accel_hw_command, auth_iv) ==
		      offsetof(struct accel_hw_command, iv) + ACCEL_HW_IV_MAX, "manual 8.1");

/*
 * Manual section 7.4: status of one operation.
 * X(number's name, number, name of the manual, name in statistics). OK differs: statistics count
 * an OK whose result is not possible.
 */
#define ACCEL_HW_STATUSES(X)                                                                       \
	/*                                                                                         \
	 * the digest to verify differs; the destination was written (not with 8.6 to 8.8), and    \
	 * its bytes are not to be used. PK: the signature is wrong                                \
	 */                                                                                        \
	X(ACCEL_HW_AUTH_FAILED, 1, "AUTH_FAILED", "auth_failed")                                   \
	/* opcode, flags, or fields that contradict the context */                                 \
	X(ACCEL_HW_BAD_COMMAND, 2, "BAD_COMMAND", "bad_command")                                   \
	/*                                                                                         \
	 * address not aligned, generation 0 or different, unknown version, kind, algorithm, flag, \
	 * reserved byte not 0, or key, IV or digest size                                          \
	 */                                                                                        \
	X(ACCEL_HW_BAD_CONTEXT, 3, "BAD_CONTEXT", "bad_context")                                   \
	/*                                                                                         \
	 * input longer or shorter than the command says, or a region that the algorithm cannot    \
	 * take                                                                                    \
	 */                                                                                        \
	X(ACCEL_HW_BAD_LENGTH, 4, "BAD_LENGTH", "bad_length")                                      \
	/* result frame (or NO_RX) with less room than the output */                               \
	X(ACCEL_HW_OUTPUT_TOO_SMALL, 5, "OUTPUT_TOO_SMALL", "output_too_small")                    \
	/* context or input not readable; result not writable, if the device learns of it (6.7) */ \
	X(ACCEL_HW_DMA_FAULT, 6, "DMA_FAULT", "dma_fault")                                         \
	/* the engine failed */                                                                    \
	X(ACCEL_HW_ENGINE_ERROR, 7, "ENGINE_ERROR", "engine_error")                                \
	/* algorithm not given to this function (manual 4.5) */                                    \
	X(ACCEL_HW_DENIED, 8, "DENIED", "denied")                                                  \
	/* the sequence number was received before, or is below the window */                      \
	X(ACCEL_HW_REPLAY, 9, "REPLAY", "replay")                                                  \
	/*                                                                                         \
	 * the packet is not one that the SA can take: version, lengths, fragment, extension       \
	 * headers, padding, next header, ECN. TLS: lengths, content type                          \
	 */                                                                                        \
	X(ACCEL_HW_MALFORMED, 10, "MALFORMED", "malformed")                                        \
	/*                                                                                         \
	 * the packet belongs to another SA: SPI, protocol, tunnel, UDP ports. TLS: version, epoch \
	 */                                                                                        \
	X(ACCEL_HW_MISMATCH, 11, "MISMATCH", "mismatch")                                           \
	/* a hard limit of the SA or connection was reached before */                              \
	X(ACCEL_HW_EXPIRED, 12, "EXPIRED", "expired")                                              \
	/* the SA or connection has no sequence number left */                                     \
	X(ACCEL_HW_SEQUENCE_END, 13, "SEQUENCE_END", "sequence_end")                               \
	/* a dummy packet (RFC 4303, 2.6), which is to be discarded */                             \
	X(ACCEL_HW_DUMMY, 14, "DUMMY", "dummy")                                                    \
	/* an operand is too short or too long, or not in its range */                             \
	X(ACCEL_HW_BAD_OPERAND, 15, "BAD_OPERAND", "bad_operand")                                  \
	/* a point is not on its curve, or the result is infinity */                               \
	X(ACCEL_HW_INVALID_POINT, 16, "INVALID_POINT", "invalid_point")                            \
	/* the number has no inverse */                                                            \
	X(ACCEL_HW_NO_INVERSE, 17, "NO_INVERSE", "no_inverse")                                     \
	/* the ciphertext is not one that this key can have made */                                \
	X(ACCEL_HW_DECRYPT_FAILED, 18, "DECRYPT_FAILED", "decrypt_failed")                         \
	/* the random number source failed */                                                      \
	X(ACCEL_HW_NO_ENTROPY, 19, "NO_ENTROPY", "no_entropy")

#define ACCEL_HW_STATUS_NUMBER(id, number, name, stat) id = number,

enum accel_hw_status {
	ACCEL_HW_OK = 0,
	ACCEL_HW_STATUSES(ACCEL_HW_STATUS_NUMBER)
	ACCEL_HW_STATUS_NB
};

#undef ACCEL_HW_STATUS_NUMBER

/* Manual section 7.3: the response, 16 bytes. */
struct accel_hw_response {
	uint32_t tag;      /* of the command */
	uint16_t status;   /* manual 7.4 */
	uint16_t info;     /* manual 8.6 with ESP and AH, 8.7 with TLS and DTLS, else 0 */
	uint32_t produced; /* bytes written to the result frame: destination plus digest */
	uint16_t tx_used;  /* TX descriptors consumed by the request, type 0 included */
	uint16_t rx_used;  /* RX descriptors consumed by the request, type 0 included */
};

static_assert(offsetof(struct accel_hw_response, tag) == 0x00, "manual 7.3, RSP-1");
static_assert(offsetof(struct accel_hw_response, status) == 0x04, "manual 7.3, ST-1");
static_assert(offsetof(struct accel_hw_response, info) == 0x06, "manual 7.3, RSP-1, IPS-4, TLS-3");
static_assert(offsetof(struct accel_hw_response, produced) == 0x08, "manual 7.3, RSP-2");
static_assert(offsetof(struct accel_hw_response, tx_used) == 0x0c, "manual 7.3, RSP-3");
static_assert(offsetof(struct accel_hw_response, rx_used) == 0x0e, "manual 7.3, RSP-3");
static_assert(sizeof(struct accel_hw_response) == 0x10, "manual 7.3");

/* Manual section 8.1: the context, in host memory, written by the host only. */
enum accel_hw_kind {
	ACCEL_HW_KIND_CIPHER = 1,
	ACCEL_HW_KIND_AUTH = 2,
	ACCEL_HW_KIND_CIPHER_THEN_AUTH = 3, /* the digest covers the cipher's output */
	ACCEL_HW_KIND_AUTH_THEN_CIPHER = 4, /* the digest covers the cipher's input */
	ACCEL_HW_KIND_AEAD = 5,
	ACCEL_HW_KIND_DOCSIS = 6,           /* Ethernet CRC and DOCSIS BPI cipher */
	ACCEL_HW_KIND_PDCP = 7,             /* a whole PDCP PDU */
	ACCEL_HW_KIND_ESP = 8,              /* an IPsec SA, see accel_hw_ipsec.h */
	ACCEL_HW_KIND_AH = 9,
	ACCEL_HW_KIND_TLS12 = 10,           /* records of a connection, see accel_hw_tls.h */
	ACCEL_HW_KIND_TLS13 = 11,
	ACCEL_HW_KIND_DTLS12 = 12,
	/* a public key, with a format of its own: accel_hw_pk.h */
	ACCEL_HW_KIND_PK = 13,
};

#define ACCEL_HW_CTX_VERSION 1u

#define ACCEL_HW_CTX_ENCRYPT 0x01u /* else decrypt */
/* else generate; 0 for an AEAD or a protocol, whose direction decides */
#define ACCEL_HW_CTX_VERIFY  0x02u
#define ACCEL_HW_CTX_FLAGS   (ACCEL_HW_CTX_ENCRYPT | ACCEL_HW_CTX_VERIFY)

#define ACCEL_HW_CTX_ALIGN 64u /* bytes */

#define ACCEL_HW_CIPHER_KEY_MAX 64u  /* bytes */
#define ACCEL_HW_AUTH_KEY_MAX   192u /* bytes */
#define ACCEL_HW_DIGEST_MAX     64u  /* bytes */
#define ACCEL_HW_DATA_UNIT_MIN  16u  /* bytes */

/* Manual section 8.5. */
#define ACCEL_HW_CRC_LEN         4u /* bytes */
#define ACCEL_HW_PDCP_MAC_LEN    4u /* bytes */
#define ACCEL_HW_PDCP_BEARER_MAX 31u
#define ACCEL_HW_PDCP_HFN_LEN    4u /* bytes of command.iv: the HFN, little-endian */

struct accel_hw_context {
	uint32_t generation;     /* manual 8.3, not 0 */
	uint8_t version;         /* 1 */
	uint8_t kind;            /* enum accel_hw_kind */
	uint8_t flags;           /* ACCEL_HW_CTX_*, see above */
	uint8_t reserved;
	uint16_t cipher_alg;     /* cipher or AEAD number of manual 8.2, 0 with kind 2 */
	/*
	 * authentication number, 0 with kinds 1, 5 and 6; with kind 7, and with an AEAD of kinds 8
	 * and 10 to 12, it may be 0
	 */
	uint16_t auth_alg;
	uint16_t cipher_key_len; /* bytes */
	uint16_t auth_key_len;   /* bytes */
	/* bytes of iv in use; kinds 8 to 12: of the IV in the packet or record */
	uint8_t iv_len;
	uint8_t auth_iv_len;     /* bytes of auth_iv in use */
	uint16_t digest_len;     /* bytes of the digest or tag; the leftmost ones of the whole */
	/*
	 * AES-XTS, SM4-XTS: bytes of a data unit, manual 8.2; 0: the cipher region is one. Other
	 * ciphers: 0
	 */
	uint32_t data_unit_len;
	/* bits of the sequence number (8.5), 0: PDUs have no header. Else 0 */
	uint8_t pdcp_sn_len;
	uint8_t pdcp_bearer;     /* BEARER (8.5). Else 0 */
	uint8_t pdcp_direction;  /* DIRECTION (8.5): 0 uplink, 1 downlink. Else 0 */
	/* bytes after the header that are only authenticated (8.5). Else 0 */
	uint8_t pdcp_sdap_len;
	uint8_t reserved2[36];
	uint8_t cipher_key[ACCEL_HW_CIPHER_KEY_MAX]; /* raw key, from its first byte */
	uint8_t auth_key[ACCEL_HW_AUTH_KEY_MAX]; /* raw key, from its first byte */
};

static_assert(offsetof(struct accel_hw_context, generation) == 0x00,
	      "manual 8.1, CACHE-3, CACHE-4");
static_assert(offsetof(struct accel_hw_context, version) == 0x04, "manual 8.1, CTX-2");
static_assert(offsetof(struct accel_hw_context, kind) == 0x05, "manual 8.1, CTX-2");
static_assert(offsetof(struct accel_hw_context, flags) == 0x06,
	      "manual 8.1, CTX-6, CTX-7, PROTO-1");
static_assert(offsetof(struct accel_hw_context, cipher_alg) == 0x08, "manual 8.1, CTX-2");
static_assert(offsetof(struct accel_hw_context, auth_alg) == 0x0a, "manual 8.1, CTX-2");
static_assert(offsetof(struct accel_hw_context, cipher_key_len) == 0x0c, "manual 8.1, CTX-2");
static_assert(offsetof(struct accel_hw_context, auth_key_len) == 0x0e, "manual 8.1, CTX-2");
static_assert(offsetof(struct accel_hw_context, iv_len) == 0x10, "manual 8.1, CTX-2, CTX-5");
static_assert(offsetof(struct accel_hw_context, auth_iv_len) == 0x11, "manual 8.1, CTX-5, CTX-8");
static_assert(offsetof(struct accel_hw_context, digest_len) == 0x12, "manual 8.1, CTX-2, ALG-6");
static_assert(offsetof(struct accel_hw_context, data_unit_len) == 0x14,
	      "manual 8.1, CTX-3, ALG-2, ALG-3");
static_assert(offsetof(struct accel_hw_context, pdcp_sn_len) == 0x18, "manual 8.1, PDCP-1");
static_assert(offsetof(struct accel_hw_context, pdcp_bearer) == 0x19, "manual 8.1, PDCP-1");
static_assert(offsetof(struct accel_hw_context, pdcp_direction) == 0x1a, "manual 8.1, PDCP-1");
static_assert(offsetof(struct accel_hw_context, pdcp_sdap_len) == 0x1b, "manual 8.1, PDCP-1");
static_assert(offsetof(struct accel_hw_context, cipher_key) == 0x40, "manual 8.1, CTX-4");
static_assert(offsetof(struct accel_hw_context, auth_key) == 0x80, "manual 8.1, CTX-4");
static_assert(sizeof(struct accel_hw_context) == 0x140, "manual 8.1");

#endif /* ACCEL_HW_OP_H */
