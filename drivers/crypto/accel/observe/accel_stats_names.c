/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Names of numbers in statistics, in the letters that telemetry allows. Those of statuses and of
 * descriptor errors are the manual's, but in small letters: programs keep them, so they are a part
 * of the API. accel_names.c has them as the manual writes them, for log lines and dumps. The status
 * OK differs: a dump means an operation that is right, and statistics mean one that is not,
 * although its response says OK.
 */
#include <stddef.h>

#include <rte_common.h>

#include "accel_compat.h"
#include "accel_count.h"
#include "hw/accel_hw.h"
#include "rte_pmd_accel.h"
#include "rte_pmd_accel_stats.h"

static const char *const statuses[RTE_PMD_ACCEL_STATUSES] = {
	[ACCEL_HW_OK] = "bad_result",
	[ACCEL_HW_AUTH_FAILED] = "auth_failed",
	[ACCEL_HW_BAD_COMMAND] = "bad_command",
	[ACCEL_HW_BAD_CONTEXT] = "bad_context",
	[ACCEL_HW_BAD_LENGTH] = "bad_length",
	[ACCEL_HW_OUTPUT_TOO_SMALL] = "output_too_small",
	[ACCEL_HW_DMA_FAULT] = "dma_fault",
	[ACCEL_HW_ENGINE_ERROR] = "engine_error",
	[ACCEL_HW_DENIED] = "denied",
	[ACCEL_HW_REPLAY] = "replay",
	[ACCEL_HW_MALFORMED] = "malformed",
	[ACCEL_HW_MISMATCH] = "mismatch",
	[ACCEL_HW_EXPIRED] = "expired",
	[ACCEL_HW_SEQUENCE_END] = "sequence_end",
	[ACCEL_HW_DUMMY] = "dummy",
	[ACCEL_HW_BAD_OPERAND] = "bad_operand",
	[ACCEL_HW_INVALID_POINT] = "invalid_point",
	[ACCEL_HW_NO_INVERSE] = "no_inverse",
	[ACCEL_HW_DECRYPT_FAILED] = "decrypt_failed",
	[ACCEL_HW_NO_ENTROPY] = "no_entropy",
	[RTE_PMD_ACCEL_STATUSES - 1] = "unknown",
};

static const char *const refusals[RTE_PMD_ACCEL_REFUSAL_NB] = {
	[RTE_PMD_ACCEL_REFUSAL_TYPE] = "type",
	[RTE_PMD_ACCEL_REFUSAL_SESSION] = "session",
	[RTE_PMD_ACCEL_REFUSAL_XFORM] = "xform",
	[RTE_PMD_ACCEL_REFUSAL_XFORM_UNKNOWN] = "xform_unknown",
	[RTE_PMD_ACCEL_REFUSAL_MEMORY] = "memory",
	[RTE_PMD_ACCEL_REFUSAL_SOURCE] = "source",
	[RTE_PMD_ACCEL_REFUSAL_TOO_SHORT] = "too_short",
	[RTE_PMD_ACCEL_REFUSAL_ROOM] = "room",
	[RTE_PMD_ACCEL_REFUSAL_HEADROOM] = "headroom",
	[RTE_PMD_ACCEL_REFUSAL_DIGEST] = "digest",
	[RTE_PMD_ACCEL_REFUSAL_AAD] = "aad",
	[RTE_PMD_ACCEL_REFUSAL_TOO_MANY] = "too_many",
	[RTE_PMD_ACCEL_REFUSAL_BITS] = "bits",
	[RTE_PMD_ACCEL_REFUSAL_BITS_DIGEST] = "bits_digest",
	[RTE_PMD_ACCEL_REFUSAL_IN_CIPHER] = "in_cipher",
	[RTE_PMD_ACCEL_REFUSAL_ASYM] = "asym",
	[RTE_PMD_ACCEL_REFUSAL_ASYM_SESSION] = "asym_session",
	[RTE_PMD_ACCEL_REFUSAL_ASYM_UNKNOWN] = "asym_unknown",
};

static const char *const descriptors[RTE_PMD_ACCEL_DESCRIPTOR_ERRORS] = {
	[ACCEL_HW_QP_ERR_CONFIG] = "config",
	[ACCEL_HW_QP_ERR_TYPE] = "type",
	[ACCEL_HW_QP_ERR_NO_UPPER] = "no_upper",
	[ACCEL_HW_QP_ERR_RESERVED] = "reserved",
	[ACCEL_HW_QP_ERR_BOUNDARY] = "boundary",
	[ACCEL_HW_QP_ERR_FRAME] = "frame",
	[ACCEL_HW_QP_ERR_TOO_LONG] = "too_long",
	[ACCEL_HW_QP_ERR_POINTER] = "pointer",
	[ACCEL_HW_QP_ERR_DMA] = "dma",
	[RTE_PMD_ACCEL_DESCRIPTOR_ERRORS - 1] = "unknown",
};

static const char *const algorithms[RTE_PMD_ACCEL_ALGORITHMS] = {
	[ACCEL_HW_CIPHER_NULL] = "null_cipher",
	[ACCEL_HW_CIPHER_AES_CBC] = "aes_cbc",
	[ACCEL_HW_CIPHER_AES_CTR] = "aes_ctr",
	[ACCEL_HW_CIPHER_AES_ECB] = "aes_ecb",
	[ACCEL_HW_CIPHER_AES_XTS] = "aes_xts",
	[ACCEL_HW_CIPHER_DES_CBC] = "des_cbc",
	[ACCEL_HW_CIPHER_3DES_CBC] = "3des_cbc",
	[ACCEL_HW_CIPHER_3DES_ECB] = "3des_ecb",
	[ACCEL_HW_CIPHER_3DES_CTR] = "3des_ctr",
	[ACCEL_HW_CIPHER_AES_DOCSIS_BPI] = "aes_docsis_bpi",
	[ACCEL_HW_CIPHER_DES_DOCSIS_BPI] = "des_docsis_bpi",
	[ACCEL_HW_CIPHER_SNOW3G_UEA2] = "snow3g_uea2",
	[ACCEL_HW_CIPHER_KASUMI_F8] = "kasumi_f8",
	[ACCEL_HW_CIPHER_ZUC_EEA3] = "zuc_eea3",
	[ACCEL_HW_CIPHER_SM4_ECB] = "sm4_ecb",
	[ACCEL_HW_CIPHER_SM4_CBC] = "sm4_cbc",
	[ACCEL_HW_CIPHER_SM4_CTR] = "sm4_ctr",
	[ACCEL_HW_CIPHER_SM4_CFB] = "sm4_cfb",
	[ACCEL_HW_CIPHER_SM4_OFB] = "sm4_ofb",
	[ACCEL_HW_CIPHER_SM4_XTS] = "sm4_xts",
	[ACCEL_HW_AUTH_NULL] = "null_auth",
	[ACCEL_HW_AUTH_MD5] = "md5",
	[ACCEL_HW_AUTH_SHA1] = "sha1",
	[ACCEL_HW_AUTH_SHA224] = "sha224",
	[ACCEL_HW_AUTH_SHA256] = "sha256",
	[ACCEL_HW_AUTH_SHA384] = "sha384",
	[ACCEL_HW_AUTH_SHA512] = "sha512",
	[ACCEL_HW_AUTH_MD5_HMAC] = "md5_hmac",
	[ACCEL_HW_AUTH_SHA1_HMAC] = "sha1_hmac",
	[ACCEL_HW_AUTH_SHA224_HMAC] = "sha224_hmac",
	[ACCEL_HW_AUTH_SHA256_HMAC] = "sha256_hmac",
	[ACCEL_HW_AUTH_SHA384_HMAC] = "sha384_hmac",
	[ACCEL_HW_AUTH_SHA512_HMAC] = "sha512_hmac",
	[ACCEL_HW_AUTH_AES_GMAC] = "aes_gmac",
	[ACCEL_HW_AUTH_AES_XCBC_MAC] = "aes_xcbc_mac",
	[ACCEL_HW_AUTH_AES_CMAC] = "aes_cmac",
	[ACCEL_HW_AUTH_SNOW3G_UIA2] = "snow3g_uia2",
	[ACCEL_HW_AUTH_KASUMI_F9] = "kasumi_f9",
	[ACCEL_HW_AUTH_ZUC_EIA3] = "zuc_eia3",
	[ACCEL_HW_AUTH_SHA3_224] = "sha3_224",
	[ACCEL_HW_AUTH_SHA3_256] = "sha3_256",
	[ACCEL_HW_AUTH_SHA3_384] = "sha3_384",
	[ACCEL_HW_AUTH_SHA3_512] = "sha3_512",
	[ACCEL_HW_AUTH_SHA3_224_HMAC] = "sha3_224_hmac",
	[ACCEL_HW_AUTH_SHA3_256_HMAC] = "sha3_256_hmac",
	[ACCEL_HW_AUTH_SHA3_384_HMAC] = "sha3_384_hmac",
	[ACCEL_HW_AUTH_SHA3_512_HMAC] = "sha3_512_hmac",
	[ACCEL_HW_AUTH_SM3] = "sm3",
	[ACCEL_HW_AUTH_SM3_HMAC] = "sm3_hmac",
	[ACCEL_HW_AUTH_SHAKE_128] = "shake_128",
	[ACCEL_HW_AUTH_SHAKE_256] = "shake_256",
	[ACCEL_HW_PROTO_DOCSIS] = "docsis",
	[ACCEL_HW_PROTO_PDCP] = "pdcp",
	[ACCEL_HW_PROTO_ESP] = "esp",
	[ACCEL_HW_PROTO_AH] = "ah",
	[ACCEL_HW_PROTO_TLS12] = "tls12",
	[ACCEL_HW_PROTO_TLS13] = "tls13",
	[ACCEL_HW_PROTO_DTLS12] = "dtls12",
	[ACCEL_HW_PK_RSA] = "rsa",
	[ACCEL_HW_PK_MODEXP] = "modexp",
	[ACCEL_HW_PK_MODINV] = "modinv",
	[ACCEL_HW_PK_DH] = "dh",
	[ACCEL_HW_PK_DSA] = "dsa",
	[ACCEL_HW_PK_ECDSA] = "ecdsa",
	[ACCEL_HW_PK_ECDH] = "ecdh",
	[ACCEL_HW_PK_EC_MUL] = "ec_mul",
	[ACCEL_HW_PK_SM2] = "sm2",
	[ACCEL_HW_PK_EDDSA] = "eddsa",
	[ACCEL_HW_PK_ML_KEM] = "ml_kem",
	[ACCEL_HW_PK_ML_DSA] = "ml_dsa",
	[ACCEL_HW_RANDOM] = "random",
	[ACCEL_HW_AEAD_AES_GCM] = "aes_gcm",
	[ACCEL_HW_AEAD_AES_CCM] = "aes_ccm",
	[ACCEL_HW_AEAD_CHACHA20_POLY1305] = "chacha20_poly1305",
	[ACCEL_HW_AEAD_SM4_GCM] = "sm4_gcm",
};

static const char *const failures[RTE_PMD_ACCEL_FAILURE_NB] = {
	[RTE_PMD_ACCEL_FAILURE_DESCRIPTOR] = "descriptor_error",
	[RTE_PMD_ACCEL_FAILURE_RESET] = "function_reset",
	[RTE_PMD_ACCEL_FAILURE_TIMEOUT] = "timeout",
	[RTE_PMD_ACCEL_FAILURE_FATAL] = "fatal",
	[RTE_PMD_ACCEL_FAILURE_GONE] = "gone",
	[RTE_PMD_ACCEL_FAILURE_FOREIGN_RESET] = "foreign_reset",
	[RTE_PMD_ACCEL_FAILURE_LOST_WRITES] = "lost_writes",
	[RTE_PMD_ACCEL_FAILURE_POINTER] = "bad_pointer",
	[RTE_PMD_ACCEL_FAILURE_MISMATCH] = "response_mismatch",
};

static const char *const restarts[RTE_PMD_ACCEL_RESTART_NB] = {
	[RTE_PMD_ACCEL_RESTART_START] = "start",
	[RTE_PMD_ACCEL_RESTART_APPLICATION] = "application",
	[RTE_PMD_ACCEL_RESTART_DRIVER] = "driver",
};

static const char *const modes[] = {
	[RTE_PMD_ACCEL_QP_STOPPED] = "stopped",
	[RTE_PMD_ACCEL_QP_FAILED] = "failed",
	[RTE_PMD_ACCEL_QP_RUNNING] = "running",
	[RTE_PMD_ACCEL_QP_BACKLOG] = "backlog",
};

static const char *const states[] = {
	[RTE_PMD_ACCEL_STATE_GONE] = "gone",
	[RTE_PMD_ACCEL_STATE_BOOTING] = "booting",
	[RTE_PMD_ACCEL_STATE_READY] = "ready",
	[RTE_PMD_ACCEL_STATE_RESETTING] = "resetting",
	[RTE_PMD_ACCEL_STATE_FATAL] = "fatal",
	[RTE_PMD_ACCEL_STATE_ISOLATED] = "isolated",
	[RTE_PMD_ACCEL_STATE_UNKNOWN] = "unknown",
};

static const char *const vf_states[] = {
	[RTE_PMD_ACCEL_VF_ABSENT] = "absent",
	[RTE_PMD_ACCEL_VF_BOOTING] = "booting",
	[RTE_PMD_ACCEL_VF_READY] = "ready",
	[RTE_PMD_ACCEL_VF_RESETTING] = "resetting",
	[RTE_PMD_ACCEL_VF_FATAL] = "fatal",
};

#define TABLE(names) { names, RTE_DIM(names) }

static const struct {
	const char *const *names;
	unsigned int nb;
} tables[] = {
	[RTE_PMD_ACCEL_NAMES_STATUS] = TABLE(statuses),
	[RTE_PMD_ACCEL_NAMES_REFUSAL] = TABLE(refusals),
	[RTE_PMD_ACCEL_NAMES_DESCRIPTOR] = TABLE(descriptors),
	[RTE_PMD_ACCEL_NAMES_ALGORITHM] = TABLE(algorithms),
	[RTE_PMD_ACCEL_NAMES_FAILURE] = TABLE(failures),
	[RTE_PMD_ACCEL_NAMES_RESTART] = TABLE(restarts),
	[RTE_PMD_ACCEL_NAMES_MODE] = TABLE(modes),
	[RTE_PMD_ACCEL_NAMES_STATE] = TABLE(states),
	[RTE_PMD_ACCEL_NAMES_VF_STATE] = TABLE(vf_states),
};

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_name, 26.11)
const char *
rte_pmd_accel_name(unsigned int names, unsigned int number)
{
	if (names >= RTE_DIM(tables) || number >= tables[names].nb)
		return NULL;
	return tables[names].names[number];
}
