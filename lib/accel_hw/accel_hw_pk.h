/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public keys and random numbers (manual section 8.8): the command of the opcodes PK and RANDOM,
 * and the context of kind 13.
 *
 * tools/contract makes this file from doc/hardware/contract.
 */
#ifndef ACCEL_HW_PK_H
#define ACCEL_HW_PK_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_hw_op.h"

/* Not each algorithm has all of them. */
enum accel_hw_pk_operation {
	/* RSA, SM2, DSA, ECDSA, EdDSA, ML-DSA */
	ACCEL_HW_PK_ENCRYPT = 1,
	ACCEL_HW_PK_DECRYPT = 2,
	ACCEL_HW_PK_SIGN = 3,
	ACCEL_HW_PK_VERIFY = 4,

	/* MODEXP, MODINV, EC-MUL */
	ACCEL_HW_PK_COMPUTE = 1,

	/* DH, ECDH, EdDSA, ML-KEM, ML-DSA */
	ACCEL_HW_PK_GENERATE = 1,

	/* DH, ECDH, EdDSA */
	ACCEL_HW_PK_PUBLIC = 2,

	/* DH, ECDH */
	ACCEL_HW_PK_SHARED = 3,

	/* ECDH, ML-KEM */
	ACCEL_HW_PK_CHECK = 4,

	/* ML-KEM */
	ACCEL_HW_PK_ENCAPS = 2,
	ACCEL_HW_PK_DECAPS = 3,
};

enum accel_hw_pk_padding {
	ACCEL_HW_PK_PADDING_NONE = 0,
	ACCEL_HW_PK_PADDING_PKCS1 = 1, /* v1.5 */
	ACCEL_HW_PK_PADDING_OAEP = 2,
	ACCEL_HW_PK_PADDING_PSS = 3,
};

enum accel_hw_pk_variant {
	ACCEL_HW_PK_PURE = 0,      /* EdDSA, ML-DSA */
	ACCEL_HW_PK_CONTEXT = 1,   /* EdDSA */
	ACCEL_HW_PK_PREHASHED = 2, /* EdDSA, ML-DSA */
	ACCEL_HW_PK_MU = 3,        /* ML-DSA */
};

enum accel_hw_curve {
	ACCEL_HW_CURVE_NONE = 0,
	ACCEL_HW_CURVE_P192 = 1,
	ACCEL_HW_CURVE_P224 = 2,
	ACCEL_HW_CURVE_P256 = 3,
	ACCEL_HW_CURVE_P384 = 4,
	ACCEL_HW_CURVE_P521 = 5,
	ACCEL_HW_CURVE_SM2 = 6,
	ACCEL_HW_CURVE_X25519 = 7,
	ACCEL_HW_CURVE_X448 = 8,
	ACCEL_HW_CURVE_ED25519 = 9,
	ACCEL_HW_CURVE_ED448 = 10,
	ACCEL_HW_ML_KEM_512 = 16,
	ACCEL_HW_ML_KEM_768 = 17,
	ACCEL_HW_ML_KEM_1024 = 18,
	ACCEL_HW_ML_DSA_44 = 19,
	ACCEL_HW_ML_DSA_65 = 20,
	ACCEL_HW_ML_DSA_87 = 21,
	ACCEL_HW_CURVE_NB
};

/* Numbers of components in accel_hw_pk_context.component. */
enum accel_hw_pk_component {
	/* RSA */
	ACCEL_HW_RSA_N = 0,
	ACCEL_HW_RSA_E = 1,
	ACCEL_HW_RSA_D = 2,
	ACCEL_HW_RSA_P = 3,
	ACCEL_HW_RSA_Q = 4,
	ACCEL_HW_RSA_DP = 5,
	ACCEL_HW_RSA_DQ = 6,
	ACCEL_HW_RSA_QINV = 7,

	/* MODEXP, MODINV (modulus only) */
	ACCEL_HW_MOD_MODULUS = 0,
	ACCEL_HW_MOD_EXPONENT = 1,

	/* DH */
	ACCEL_HW_DH_P = 0,
	ACCEL_HW_DH_G = 1,
	ACCEL_HW_DH_Q = 2,

	/* DSA */
	ACCEL_HW_DSA_P = 0,
	ACCEL_HW_DSA_Q = 1,
	ACCEL_HW_DSA_G = 2,
	ACCEL_HW_DSA_X = 3,
	ACCEL_HW_DSA_Y = 4,

	/* ECDSA, ECDH (D only), SM2 */
	ACCEL_HW_EC_D = 0,
	ACCEL_HW_EC_X = 1,
	ACCEL_HW_EC_Y = 2,

	/* EdDSA, ML-KEM (dk, ek), ML-DSA (sk, pk) */
	ACCEL_HW_PK_PRIVATE_KEY = 0,
	ACCEL_HW_PK_PUBLIC_KEY = 1,
};

/* Manual section 11: limits that every card keeps. */
#define ACCEL_HW_MIN_MAX_KEY_SIZE     64u /* bytes */
#define ACCEL_HW_MIN_MAX_OPERAND_SIZE 1u  /* bytes */
#define ACCEL_HW_MIN_MAX_RANDOM       1u  /* bytes of one RANDOM */

#define ACCEL_HW_PK_OPERANDS         8u
#define ACCEL_HW_PK_COMPONENTS       16u
#define ACCEL_HW_PK_MODULUS_BITS_MAX 8192u

/* The command of the opcode PK, in place of struct accel_hw_command. */
struct accel_hw_pk_command {
	uint32_t tag;        /* as in 7.1 */
	uint8_t opcode;      /* 4 */
	uint8_t flags;       /* [0] NO_RX, for operations without a result. [7:1] 0 */
	uint16_t operation;  /* see the table below */
	uint64_t context;    /* IOVA of a context of kind 13 */
	uint32_t generation; /* as in 7.1 */
	uint8_t padding;     /* enum accel_hw_pk_padding; with RSA; else 0 */
	uint8_t hash;        /* number of an authentication algorithm without key (8.2), 0: none */
	uint8_t mgf_hash;    /* OAEP, PSS: that of MGF1; 0: as hash. Else 0 */
	/* EdDSA: 0 pure, 1 with context, 2 prehashed. ML-DSA: 0 pure, 2 prehashed, 3 mu. Else 0 */
	uint8_t variant;
	uint16_t salt_len;   /* PSS: bytes of the salt, exact also when verifying. Else 0 */
	uint8_t reserved[6];
	/* 8 lengths of 4 bytes each: bytes of each operand, 0: it is absent */
	uint32_t operand[ACCEL_HW_PK_OPERANDS];
};

static_assert(offsetof(struct accel_hw_pk_command, tag) == 0x00, "manual 8.8, RSP-1");
static_assert(offsetof(struct accel_hw_pk_command, opcode) == 0x04, "manual 8.8, PK-2");
static_assert(offsetof(struct accel_hw_pk_command, flags) == 0x05, "manual 8.8, PK-8");
static_assert(offsetof(struct accel_hw_pk_command, operation) == 0x06, "manual 8.8, PK-8");
static_assert(offsetof(struct accel_hw_pk_command, context) == 0x08, "manual 8.8");
static_assert(offsetof(struct accel_hw_pk_command, generation) == 0x10, "manual 8.8, CACHE-3");
static_assert(offsetof(struct accel_hw_pk_command, padding) == 0x14, "manual 8.8, PK-8");
static_assert(offsetof(struct accel_hw_pk_command, hash) == 0x15, "manual 8.8, PK-8");
static_assert(offsetof(struct accel_hw_pk_command, mgf_hash) == 0x16, "manual 8.8, PK-8");
static_assert(offsetof(struct accel_hw_pk_command, variant) == 0x17, "manual 8.8, PK-8");
static_assert(offsetof(struct accel_hw_pk_command, salt_len) == 0x18, "manual 8.8, PK-8");
static_assert(offsetof(struct accel_hw_pk_command, operand) == 0x20, "manual 8.8, PK-8, PK-9");
static_assert(sizeof(struct accel_hw_pk_command) == 0x40, "manual 8.8");

/* The header of a context of kind 13. The components follow. */
struct accel_hw_pk_context {
	uint32_t generation; /* manual 8.3, not 0 */
	uint8_t version;     /* 1 */
	uint8_t kind;        /* 13 */
	uint8_t flags;       /* 0 */
	/* a curve or parameter set, see below; 0 with algorithms that have none */
	uint8_t curve;
	uint16_t alg;        /* number of manual 8.2, 128 to 139 */
	uint16_t reserved;
	uint32_t key_len;    /* bytes of all components */
	/* 16 lengths of 2 bytes each: bytes of each component, 0: it is absent */
	uint16_t component[ACCEL_HW_PK_COMPONENTS];
	uint8_t reserved2[16];
};

static_assert(offsetof(struct accel_hw_pk_context, generation) == 0x00, "manual 8.8, CACHE-3");
static_assert(offsetof(struct accel_hw_pk_context, version) == 0x04, "manual 8.8, CTX-2");
static_assert(offsetof(struct accel_hw_pk_context, kind) == 0x05, "manual 8.8, CTX-2");
static_assert(offsetof(struct accel_hw_pk_context, flags) == 0x06, "manual 8.8, CTX-3");
static_assert(offsetof(struct accel_hw_pk_context, curve) == 0x07, "manual 8.8, PK-6");
static_assert(offsetof(struct accel_hw_pk_context, alg) == 0x08, "manual 8.8, PK-6");
static_assert(offsetof(struct accel_hw_pk_context, key_len) == 0x0c, "manual 8.8, PK-5, PK-6");
static_assert(offsetof(struct accel_hw_pk_context, component) == 0x10, "manual 8.8, PK-6");
static_assert(sizeof(struct accel_hw_pk_context) == 0x40, "manual 8.8");

#endif /* ACCEL_HW_PK_H */
