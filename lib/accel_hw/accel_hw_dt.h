/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Device tree bindings: compatible strings and names of properties (manual section 10). Cells are
 * big-endian u32 as in every flattened device tree.
 */
#ifndef ACCEL_HW_DT_H
#define ACCEL_HW_DT_H

#define ACCEL_HW_DT_SIZE_MAX 65536u /* bytes; a larger blob is refused */

#define ACCEL_HW_DT_ROOT "crypto-accel,function-1"
#define ACCEL_HW_DT_CONTROL "crypto-accel,control-1" /* reg: function control page */
#define ACCEL_HW_DT_INVALIDATE "crypto-accel,invalidate-1" /* reg: invalidation page */
#define ACCEL_HW_DT_VF_TABLE "crypto-accel,vf-table-1" /* reg: resource table of VFs; PF only */
#define ACCEL_HW_DT_QUEUE_PAIRS "queue-pairs" /* <all one>: for all VFs, most for one */
#define ACCEL_HW_DT_VF_MAILBOX "crypto-accel,vf-mailbox-1" /* reg: answers, requests, status; PF */
#define ACCEL_HW_DT_MAILBOX "crypto-accel,mailbox-1" /* reg: host page, device page; VF only */

#define ACCEL_HW_DT_HEALTH "crypto-accel,health-1" /* reg: health page */
#define ACCEL_HW_DT_FIRMWARE "crypto-accel,firmware-1" /* reg: host page, device page */

#define ACCEL_HW_DT_DMA "crypto-accel,dma-medusa-1" /* limits of the DMA engines */
#define ACCEL_HW_DT_RING_SIZE_MAX "ring-size-max" /* u32: descriptors or responses of a ring */
#define ACCEL_HW_DT_MAX_FRAGMENTS "max-fragments" /* u32: data fragments of a frame */
#define ACCEL_HW_DT_MAX_FRAME_BYTES "max-frame-bytes" /* u32: data bytes of a frame */
#define ACCEL_HW_DT_COMMAND_UPPER "command-upper" /* empty: register COMMAND_UPPER exists */
#define ACCEL_HW_DT_REPORTS_WRITES "reports-writes" /* empty: failed writes are reported */
#define ACCEL_HW_DT_COMMAND_RING "command-ring" /* empty: COMMAND_BASE, COMMAND_SIZE exist */
#define ACCEL_HW_DT_WB_AUTO "wb-auto" /* empty: ACCEL_HW_QP_WB_AUTO is possible */

#define ACCEL_HW_DT_QP "crypto-accel,qp-medusa-1" /* reg: host page, device page */

#define ACCEL_HW_DT_SYM "crypto-accel,sym-1"
#define ACCEL_HW_DT_CONTEXT_SIZE "context-size" /* u32: bytes the device reads */
#define ACCEL_HW_DT_CHAIN_CIPHER_AUTH "chain-cipher-auth" /* empty: kind 3 possible */
#define ACCEL_HW_DT_CHAIN_AUTH_CIPHER "chain-auth-cipher" /* empty: kind 4 possible */
#define ACCEL_HW_DT_CHAIN_PAIRS "chain-pairs" /* <cipher auth>...: the only pairs of chains */
#define ACCEL_HW_DT_DIGEST_IN_STREAM "digest-in-stream" /* empty: command flag possible */
#define ACCEL_HW_DT_AUTH_IV_IN_STREAM "auth-iv-in-stream" /* empty: chains with two long IVs */

#define ACCEL_HW_DT_CIPHER "crypto-accel,cipher"
#define ACCEL_HW_DT_AUTH "crypto-accel,auth"
#define ACCEL_HW_DT_AEAD "crypto-accel,aead"
#define ACCEL_HW_DT_DOCSIS "crypto-accel,docsis"
#define ACCEL_HW_DT_PDCP "crypto-accel,pdcp"
#define ACCEL_HW_DT_ESP "crypto-accel,esp"
#define ACCEL_HW_DT_AH "crypto-accel,ah"
#define ACCEL_HW_DT_TLS12 "crypto-accel,tls12"
#define ACCEL_HW_DT_TLS13 "crypto-accel,tls13"
#define ACCEL_HW_DT_DTLS12 "crypto-accel,dtls12"
#define ACCEL_HW_DT_CIPHERS "ciphers" /* u32 each: ciphers that a protocol works with */
#define ACCEL_HW_DT_AUTHS "auths" /* u32 each: authentication of a protocol */
#define ACCEL_HW_DT_SN_SIZES "sn-sizes" /* u32 each: bits of PDCP sequence numbers */
#define ACCEL_HW_DT_AEADS "aeads" /* u32 each: AEADs of a protocol */
#define ACCEL_HW_DT_OPTIONS "options" /* u32: ACCEL_HW_IPSEC_* that are possible */
#define ACCEL_HW_DT_TRANSPORT "transport" /* empty: transport mode is possible */
#define ACCEL_HW_DT_REPLAY_WINDOW_MAX "replay-window-max" /* u32: sequence numbers */
#define ACCEL_HW_DT_OVERLAP "overlap" /* empty: source and result may overlap in any way */

#define ACCEL_HW_DT_QP_PK "crypto-accel,qp-medusa-pk-1" /* reg: host page, device page */
#define ACCEL_HW_DT_PK_ENGINES "crypto-accel,pk-1"
#define ACCEL_HW_DT_KEY_SIZE_MAX "key-size-max" /* u32: bytes of all components of a context */
#define ACCEL_HW_DT_OPERAND_SIZE_MAX "operand-size-max" /* u32: bytes of one operand */
#define ACCEL_HW_DT_PK "crypto-accel,pk" /* a public-key algorithm */
#define ACCEL_HW_DT_OPERATIONS "operations" /* u32: bit n: enum accel_hw_pk_operation n */
#define ACCEL_HW_DT_MODULUS_BITS "modulus-bits" /* <min max> */
#define ACCEL_HW_DT_CURVES "curves" /* u32 each: enum accel_hw_curve */
#define ACCEL_HW_DT_PADDINGS "paddings" /* u32: bit n: enum accel_hw_pk_padding n */
#define ACCEL_HW_DT_VARIANTS "variants" /* u32: bit n: enum accel_hw_pk_variant n */
#define ACCEL_HW_DT_HASHES "hashes" /* u32 each: authentication numbers of hash */
#define ACCEL_HW_DT_RANDOM "crypto-accel,random-1"
#define ACCEL_HW_DT_MAX_BYTES "max-bytes" /* u32: of one RANDOM */

#define ACCEL_HW_DT_ALG_ID "alg-id" /* u32: enum accel_hw_alg */
#define ACCEL_HW_DT_BLOCK_SIZE "block-size" /* u32: bytes */
#define ACCEL_HW_DT_KEY_SIZES "key-sizes" /* <min max increment>, bytes */
#define ACCEL_HW_DT_IV_SIZES "iv-sizes" /* <min max increment>, bytes */
#define ACCEL_HW_DT_DATA_UNIT_SIZES "data-unit-sizes" /* <min max>, bytes, powers of two */
#define ACCEL_HW_DT_BIT_LENGTHS "bit-lengths" /* empty: command flag BITS possible */
#define ACCEL_HW_DT_DIGEST_SIZES "digest-sizes" /* <min max increment>, bytes */
#define ACCEL_HW_DT_KEY_IV_SIZES "key-iv-sizes" /* <key iv>...: the only pairs of sizes */
#define ACCEL_HW_DT_DIGEST_LIST "digest-list" /* u32 each: the only digest sizes */
#define ACCEL_HW_DT_REGION_SIZES "region-sizes" /* <min max>: bytes of a region */
#define ACCEL_HW_DT_AAD_SIZES "aad-sizes" /* <min max increment>, bytes */

#endif /* ACCEL_HW_DT_H */
