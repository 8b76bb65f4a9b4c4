/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Formats of one operation: command and response (manual section 7), context (manual section 8).
 */
#ifndef ACCEL_HW_OP_H
#define ACCEL_HW_OP_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* Manual section 7.1: the command, 64 bytes, first fragment of each request frame. */
enum accel_hw_opcode {
	ACCEL_HW_OP_NOP = 1, /* moves no data, its status is OK */
	ACCEL_HW_OP_LOOPBACK = 2, /* copies the source to the result frame */
	ACCEL_HW_OP_SYM = 3, /* symmetric operation as the context says */
	ACCEL_HW_OP_PK = 4, /* public-key operation, see accel_hw_pk.h */
	ACCEL_HW_OP_RANDOM = 5, /* fills the result frame with random bytes */
};

#define ACCEL_HW_CMD_NO_RX 0x01u /* the request has no result frame */
#define ACCEL_HW_CMD_AUTH_FIRST 0x02u /* auth region at 0, cipher region at skip; else reverse */
#define ACCEL_HW_CMD_WHOLE 0x04u /* the destination takes the whole source */
#define ACCEL_HW_CMD_DIGEST_IN_STREAM 0x08u /* the digest lies behind the auth region */
#define ACCEL_HW_CMD_BITS 0x10u /* cipher_len, auth_len, skip and aad_len count bits */
#define ACCEL_HW_CMD_FLAGS                                                                         \
	(ACCEL_HW_CMD_NO_RX | ACCEL_HW_CMD_AUTH_FIRST | ACCEL_HW_CMD_WHOLE |                       \
	 ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_BITS)

#define ACCEL_HW_IV_MAX 16u
#define ACCEL_HW_LONG_IV_MAX 32u /* an IV above 16 bytes takes iv and auth_iv (manual 8.1) */

struct accel_hw_command {
	uint32_t tag; /* echoed in the response */
	uint8_t opcode; /* enum accel_hw_opcode */
	uint8_t flags; /* ACCEL_HW_CMD_* */
	uint16_t aad_len; /* bytes of AAD before the source (AEAD); BITS: first bit, 0 to 7 */
	uint64_t context; /* IOVA of the context, 64-byte aligned */
	uint32_t generation; /* must equal accel_hw_context.generation */
	uint32_t skip; /* bytes (BITS: bits) from the start of the source to the later region */
	uint32_t cipher_len; /* bytes of the cipher or AEAD region, of the loopback source */
	uint32_t auth_len; /* bytes of the auth region */
	uint8_t iv[ACCEL_HW_IV_MAX]; /* IV or nonce of the cipher or AEAD, from its first byte */
	uint8_t auth_iv[ACCEL_HW_IV_MAX]; /* IV of the authentication algorithm */
};

static_assert(offsetof(struct accel_hw_command, tag) == 0x00, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, opcode) == 0x04, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, flags) == 0x05, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, aad_len) == 0x06, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, context) == 0x08, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, generation) == 0x10, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, skip) == 0x14, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, cipher_len) == 0x18, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, auth_len) == 0x1c, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, iv) == 0x20, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, auth_iv) == 0x30, "manual 7.1");
static_assert(offsetof(struct accel_hw_command, auth_iv) ==
		      offsetof(struct accel_hw_command, iv) + ACCEL_HW_IV_MAX, "manual 8.1");
static_assert(sizeof(struct accel_hw_command) == 64, "manual 7.1");

/*
 * Manual section 7.4: status of one operation.
 * X(number's name, number, name of the manual, name in statistics). OK differs: statistics count
 * an OK whose result is not possible.
 */
#define ACCEL_HW_STATUSES(X)                                                                       \
	/* digest to verify differs */                                                             \
	X(ACCEL_HW_AUTH_FAILED, 1, "AUTH_FAILED", "auth_failed")                                   \
	/* opcode, flags, or fields that contradict the context */                                 \
	X(ACCEL_HW_BAD_COMMAND, 2, "BAD_COMMAND", "bad_command")                                   \
	/* address, generation, algorithm or sizes of the context */                               \
	X(ACCEL_HW_BAD_CONTEXT, 3, "BAD_CONTEXT", "bad_context")                                   \
	/* frame does not match the command, or block size */                                      \
	X(ACCEL_HW_BAD_LENGTH, 4, "BAD_LENGTH", "bad_length")                                      \
	/* result frame smaller than the output */                                                 \
	X(ACCEL_HW_OUTPUT_TOO_SMALL, 5, "OUTPUT_TOO_SMALL", "output_too_small")                    \
	/* context, source or result not accessible */                                             \
	X(ACCEL_HW_DMA_FAULT, 6, "DMA_FAULT", "dma_fault")                                         \
	/* the engine failed */                                                                    \
	X(ACCEL_HW_ENGINE_ERROR, 7, "ENGINE_ERROR", "engine_error")                                \
	/* algorithm not given to this function */                                                 \
	X(ACCEL_HW_DENIED, 8, "DENIED", "denied")                                                  \
	/* -- ESP, AH, TLS and DTLS only (manual 8.6, 8.7) -- */                                   \
	/* number received before, or below the window */                                          \
	X(ACCEL_HW_REPLAY, 9, "REPLAY", "replay")                                                  \
	/* a packet or record that nobody can take */                                              \
	X(ACCEL_HW_MALFORMED, 10, "MALFORMED", "malformed")                                        \
	/* a packet of another SA, a record of another connection */                               \
	X(ACCEL_HW_MISMATCH, 11, "MISMATCH", "mismatch")                                           \
	/* a hard limit was reached */                                                             \
	X(ACCEL_HW_EXPIRED, 12, "EXPIRED", "expired")                                              \
	/* no sequence number is left */                                                           \
	X(ACCEL_HW_SEQUENCE_END, 13, "SEQUENCE_END", "sequence_end")                               \
	/* a dummy packet, to be discarded */                                                      \
	X(ACCEL_HW_DUMMY, 14, "DUMMY", "dummy")                                                    \
	/* -- PK and RANDOM only (manual 8.8) -- */                                                \
	/* length or value of an operand */                                                        \
	X(ACCEL_HW_BAD_OPERAND, 15, "BAD_OPERAND", "bad_operand")                                  \
	/* not on its curve, or infinity */                                                        \
	X(ACCEL_HW_INVALID_POINT, 16, "INVALID_POINT", "invalid_point")                            \
	X(ACCEL_HW_NO_INVERSE, 17, "NO_INVERSE", "no_inverse")                                     \
	/* whatever is wrong with the ciphertext */                                                \
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
	uint32_t tag;
	uint16_t status; /* enum accel_hw_status */
	uint16_t info; /* ACCEL_HW_IPSEC_INFO_*, ACCEL_HW_TLS_INFO_*; else 0 */
	uint32_t produced; /* bytes written to the result frame */
	uint16_t tx_used; /* TX descriptors consumed, type 0 included */
	uint16_t rx_used; /* RX descriptors consumed, type 0 included */
};

static_assert(offsetof(struct accel_hw_response, tag) == 0x00, "manual 7.3");
static_assert(offsetof(struct accel_hw_response, status) == 0x04, "manual 7.3");
static_assert(offsetof(struct accel_hw_response, info) == 0x06, "manual 7.3");
static_assert(offsetof(struct accel_hw_response, produced) == 0x08, "manual 7.3");
static_assert(offsetof(struct accel_hw_response, tx_used) == 0x0c, "manual 7.3");
static_assert(offsetof(struct accel_hw_response, rx_used) == 0x0e, "manual 7.3");
static_assert(sizeof(struct accel_hw_response) == 16, "manual 7.3");

/* Manual section 8.1: the context, in host memory, written by the host only. */
enum accel_hw_kind {
	ACCEL_HW_KIND_CIPHER = 1,
	ACCEL_HW_KIND_AUTH = 2,
	ACCEL_HW_KIND_CIPHER_THEN_AUTH = 3, /* the digest covers the cipher's output */
	ACCEL_HW_KIND_AUTH_THEN_CIPHER = 4, /* the digest covers the cipher's input */
	ACCEL_HW_KIND_AEAD = 5,
	ACCEL_HW_KIND_DOCSIS = 6, /* Ethernet CRC and DOCSIS BPI cipher */
	ACCEL_HW_KIND_PDCP = 7, /* a whole PDCP PDU */
	ACCEL_HW_KIND_ESP = 8, /* an IPsec SA, see accel_hw_ipsec.h */
	ACCEL_HW_KIND_AH = 9,
	ACCEL_HW_KIND_TLS12 = 10, /* records of a connection, see accel_hw_tls.h */
	ACCEL_HW_KIND_TLS13 = 11,
	ACCEL_HW_KIND_DTLS12 = 12,
	ACCEL_HW_KIND_PK = 13, /* a public key, with a format of its own: accel_hw_pk.h */
};

#define ACCEL_HW_CTX_VERSION 1u
#define ACCEL_HW_CTX_ENCRYPT 0x01u /* else decrypt */
#define ACCEL_HW_CTX_VERIFY 0x02u /* else generate; 0 for AEAD, whose direction decides */
#define ACCEL_HW_CTX_FLAGS (ACCEL_HW_CTX_ENCRYPT | ACCEL_HW_CTX_VERIFY)
#define ACCEL_HW_CTX_ALIGN 64u

#define ACCEL_HW_CIPHER_KEY_MAX 64u
#define ACCEL_HW_AUTH_KEY_MAX 192u
#define ACCEL_HW_DIGEST_MAX 64u
#define ACCEL_HW_DATA_UNIT_MIN 16u

/* Manual section 8.5. */
#define ACCEL_HW_CRC_LEN 4u
#define ACCEL_HW_PDCP_MAC_LEN 4u
#define ACCEL_HW_PDCP_BEARER_MAX 31u
#define ACCEL_HW_PDCP_HFN_LEN 4u /* bytes of command.iv: the HFN, little-endian */

struct accel_hw_context {
	uint32_t generation;
	uint8_t version; /* ACCEL_HW_CTX_VERSION */
	uint8_t kind; /* enum accel_hw_kind */
	uint8_t flags; /* ACCEL_HW_CTX_* */
	uint8_t reserved;
	uint16_t cipher_alg; /* cipher or AEAD algorithm id, 0 = none */
	uint16_t auth_alg; /* authentication algorithm id, 0 = none */
	uint16_t cipher_key_len; /* bytes */
	uint16_t auth_key_len; /* bytes */
	uint8_t iv_len; /* bytes of command.iv used */
	uint8_t auth_iv_len; /* bytes of command.auth_iv used */
	uint16_t digest_len; /* bytes, leftmost bytes of the algorithm's digest */
	uint32_t data_unit_len; /* AES-XTS: bytes of a data unit; 0: the cipher region is one */
	uint8_t pdcp_sn_len; /* PDCP: bits of the sequence number; 0: PDUs have no header */
	uint8_t pdcp_bearer;
	uint8_t pdcp_direction; /* 0 uplink, 1 downlink */
	uint8_t pdcp_sdap_len; /* bytes behind the header that are only authenticated */
	uint8_t reserved2[36];
	uint8_t cipher_key[ACCEL_HW_CIPHER_KEY_MAX];
	uint8_t auth_key[ACCEL_HW_AUTH_KEY_MAX];
};

static_assert(offsetof(struct accel_hw_context, generation) == 0x00, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, version) == 0x04, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, kind) == 0x05, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, flags) == 0x06, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, cipher_alg) == 0x08, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, auth_alg) == 0x0a, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, cipher_key_len) == 0x0c, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, auth_key_len) == 0x0e, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, iv_len) == 0x10, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, auth_iv_len) == 0x11, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, digest_len) == 0x12, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, data_unit_len) == 0x14, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, pdcp_sn_len) == 0x18, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, pdcp_bearer) == 0x19, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, pdcp_direction) == 0x1a, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, pdcp_sdap_len) == 0x1b, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, cipher_key) == 0x40, "manual 8.1");
static_assert(offsetof(struct accel_hw_context, auth_key) == 0x80, "manual 8.1");
static_assert(sizeof(struct accel_hw_context) == 0x140, "manual 8.1");

#endif /* ACCEL_HW_OP_H */
