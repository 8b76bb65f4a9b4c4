/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Device tree bindings: compatible strings and names of properties (manual section 10). Cells are
 * big-endian u32 as in every flattened device tree.
 *
 * tools/contract makes this file from doc/hardware/contract.
 */
#ifndef ACCEL_HW_DT_H
#define ACCEL_HW_DT_H

#define ACCEL_HW_DT_SIZE_MAX      65536u  /* bytes; a larger blob is refused */
#define ACCEL_HW_OPERATION_MAX_MS 600000u /* operation-ms is no larger */

/* model: string; #address-cells, #size-cells: 1 */
#define ACCEL_HW_DT_ROOT    "crypto-accel,function-1"
#define ACCEL_HW_DT_CONTROL "crypto-accel,control-1" /* reg: function control page */

#define ACCEL_HW_DT_INVALIDATE "crypto-accel,invalidate-1" /* reg: invalidation page */
/* empty: present if DROP_ALL is in place of the words (8.4). Since 1.5 */
#define ACCEL_HW_DT_DROP_ALL   "drop-all"

/* reg: VF resource table, one or more pages */
#define ACCEL_HW_DT_VF_TABLE    "crypto-accel,vf-table-1"
/* <all one>: queue pairs for all VFs, and the most for one (4.5). Since 1.2 */
#define ACCEL_HW_DT_QUEUE_PAIRS "queue-pairs"

/* reg: answers, requests, status; each as long as the VF resource table (4.8) */
#define ACCEL_HW_DT_VF_MAILBOX "crypto-accel,vf-mailbox-1"
/* reg: host page, then device page, of a VF (4.8) */
#define ACCEL_HW_DT_MAILBOX    "crypto-accel,mailbox-1"
#define ACCEL_HW_DT_HEALTH     "crypto-accel,health-1" /* reg: health page (4.6) */
/* reg: host page, then device page (4.7) */
#define ACCEL_HW_DT_FIRMWARE   "crypto-accel,firmware-1"

#define ACCEL_HW_DT_DMA             "crypto-accel,dma-medusa-1"
#define ACCEL_HW_DT_RING_SIZE_MAX   "ring-size-max"   /* u32: descriptors or responses of a ring */
#define ACCEL_HW_DT_MAX_FRAGMENTS   "max-fragments"   /* u32: data fragments of a frame */
#define ACCEL_HW_DT_MAX_FRAME_BYTES "max-frame-bytes" /* u32: data bytes of a frame */
/* u32: most milliseconds of an operation (4.4). Since 1.5 */
#define ACCEL_HW_DT_OPERATION_MS    "operation-ms"
/* empty: present if the register COMMAND_UPPER exists */
#define ACCEL_HW_DT_COMMAND_UPPER   "command-upper"
/* empty: present if COMMAND_BASE and COMMAND_SIZE exist (6.8) */
#define ACCEL_HW_DT_COMMAND_RING    "command-ring"
/* empty: present if failed writes are reported (6.7) */
#define ACCEL_HW_DT_REPORTS_WRITES  "reports-writes"
/* empty: present if AUTO in WB_COUNT is possible (6.5) */
#define ACCEL_HW_DT_WB_AUTO         "wb-auto"

/* reg: host page, then device page. Queue pair n is the n-th such node in tree order */
#define ACCEL_HW_DT_QP "crypto-accel,qp-medusa-1"

#define ACCEL_HW_DT_SYM               "crypto-accel,sym-1"
#define ACCEL_HW_DT_CONTEXT_SIZE      "context-size" /* u32: bytes the device reads, 320 */
/* u32: bit n: kind n is possible, 3 and 4; none if it is absent. Since 1.5 */
#define ACCEL_HW_DT_CHAINS            "chains"
/* empty: present if kind 3 is possible; before 1.5 */
#define ACCEL_HW_DT_CHAIN_CIPHER_AUTH "chain-cipher-auth"
/* empty: present if kind 4 is possible; before 1.5 */
#define ACCEL_HW_DT_CHAIN_AUTH_CIPHER "chain-auth-cipher"
/* <cipher auth> each: numbers; if it is present only these pairs are possible in kinds 3 and 4 */
#define ACCEL_HW_DT_CHAIN_PAIRS       "chain-pairs"
/* empty: present if the command's flag DIGEST_IN_STREAM is possible */
#define ACCEL_HW_DT_DIGEST_IN_STREAM  "digest-in-stream"
/* empty: present if a chain may have two IVs and one of more than 16 bytes (8.1). Since 1.4 */
#define ACCEL_HW_DT_AUTH_IV_IN_STREAM "auth-iv-in-stream"
/* empty: present if the command's flag AAD_IN_COMMAND is possible. Since 1.7 */
#define ACCEL_HW_DT_AAD_IN_COMMAND    "aad-in-command"

#define ACCEL_HW_DT_CIPHER          "crypto-accel,cipher"
/* <min max>: of an XTS cipher: powers of two from 16 on, all powers of two between are possible */
#define ACCEL_HW_DT_DATA_UNIT_SIZES "data-unit-sizes"

#define ACCEL_HW_DT_AUTH "crypto-accel,auth"

#define ACCEL_HW_DT_AEAD      "crypto-accel,aead"
#define ACCEL_HW_DT_AAD_SIZES "aad-sizes" /* <min max step>: bytes */

#define ACCEL_HW_DT_DOCSIS "crypto-accel,docsis"

#define ACCEL_HW_DT_PDCP     "crypto-accel,pdcp"
/* u32 each: bits of PDCP sequence numbers, 0 for no header */
#define ACCEL_HW_DT_SN_SIZES "sn-sizes"

#define ACCEL_HW_DT_ESP    "crypto-accel,esp"
#define ACCEL_HW_DT_AH     "crypto-accel,ah"
#define ACCEL_HW_DT_TLS12  "crypto-accel,tls12"
#define ACCEL_HW_DT_TLS13  "crypto-accel,tls13"
#define ACCEL_HW_DT_DTLS12 "crypto-accel,dtls12"
/* reg: host page, then device page of a public-key queue pair (8.8) */
#define ACCEL_HW_DT_QP_PK  "crypto-accel,qp-medusa-pk-1"

#define ACCEL_HW_DT_PK_ENGINES       "crypto-accel,pk-1"
/* u32: most bytes of the components of a context */
#define ACCEL_HW_DT_KEY_SIZE_MAX     "key-size-max"
#define ACCEL_HW_DT_OPERAND_SIZE_MAX "operand-size-max" /* u32: most bytes of one operand */

#define ACCEL_HW_DT_PK           "crypto-accel,pk" /* child of pk-1 */
#define ACCEL_HW_DT_OPERATIONS   "operations"   /* u32: bit n: operation n */
#define ACCEL_HW_DT_MODULUS_BITS "modulus-bits" /* <min max>: if the algorithm has a modulus */
#define ACCEL_HW_DT_CURVES       "curves"       /* u32 each: if it has curves or parameter sets */
/* u32: bit n: padding n is possible, only 0 if it is absent */
#define ACCEL_HW_DT_PADDINGS     "paddings"
/* u32: bit n: variant n is possible, only 0 if it is absent */
#define ACCEL_HW_DT_VARIANTS     "variants"
/* u32 each: numbers of hash and mgf_hash other than 0, none if it is absent */
#define ACCEL_HW_DT_HASHES       "hashes"

#define ACCEL_HW_DT_RANDOM    "crypto-accel,random-1" /* child of pk-1 */
#define ACCEL_HW_DT_MAX_BYTES "max-bytes"             /* u32: bytes of one RANDOM */

#define ACCEL_HW_DT_ALG_ID            "alg-id"            /* u32: number of manual 8.2, 8.8 */
#define ACCEL_HW_DT_BLOCK_SIZE        "block-size"        /* u32: bytes */
#define ACCEL_HW_DT_KEY_SIZES         "key-sizes"         /* <min max step>: bytes */
#define ACCEL_HW_DT_IV_SIZES          "iv-sizes"          /* <min max step>: bytes */
#define ACCEL_HW_DT_DIGEST_SIZES      "digest-sizes"      /* <min max step>: bytes */
/* u32 each: if it is present only these of the sizes are possible */
#define ACCEL_HW_DT_DIGEST_LIST       "digest-list"
/* empty: present if the algorithm's regions may begin and end at any bit (7.2, BITS) */
#define ACCEL_HW_DT_BIT_LENGTHS       "bit-lengths"
/* <key iv> each: if it is present only these pairs of sizes are possible */
#define ACCEL_HW_DT_KEY_IV_SIZES      "key-iv-sizes"
/* <min max>: bytes of a region, if the algorithm has such limits */
#define ACCEL_HW_DT_REGION_SIZES      "region-sizes"
/* u32 each: numbers of ciphers that the kind takes */
#define ACCEL_HW_DT_CIPHERS           "ciphers"
/* u32 each: numbers of authentication that the kind takes */
#define ACCEL_HW_DT_AUTHS             "auths"
/* u32 each: numbers of AEADs that the kind takes */
#define ACCEL_HW_DT_AEADS             "aeads"
/* u32: the options of 8.6 that are possible, TUNNEL and OUTER_V6 with it */
#define ACCEL_HW_DT_OPTIONS           "options"
/* empty: present if transport mode is possible */
#define ACCEL_HW_DT_TRANSPORT         "transport"
#define ACCEL_HW_DT_REPLAY_WINDOW_MAX "replay-window-max" /* u32: numbers, 0 to 4096 */
/* empty: present if source and result may overlap in any way */
#define ACCEL_HW_DT_OVERLAP           "overlap"

/* X(node, least, most), 0: any number */
#define ACCEL_HW_DT_NODES(X)                                                                       \
	X(ACCEL_HW_DT_ROOT, 1, 1)                                                                  \
	X(ACCEL_HW_DT_CONTROL, 1, 1)                                                               \
	X(ACCEL_HW_DT_INVALIDATE, 1, 1)                                                            \
	X(ACCEL_HW_DT_VF_TABLE, 0, 1)                                                              \
	X(ACCEL_HW_DT_VF_MAILBOX, 0, 1)                                                            \
	X(ACCEL_HW_DT_MAILBOX, 0, 1)                                                               \
	X(ACCEL_HW_DT_HEALTH, 0, 1)                                                                \
	X(ACCEL_HW_DT_FIRMWARE, 0, 1)                                                              \
	X(ACCEL_HW_DT_DMA, 1, 1)                                                                   \
	X(ACCEL_HW_DT_QP, 0, 0)                                                                    \
	X(ACCEL_HW_DT_SYM, 0, 1)                                                                   \
	X(ACCEL_HW_DT_CIPHER, 0, 0)                                                                \
	X(ACCEL_HW_DT_AUTH, 0, 0)                                                                  \
	X(ACCEL_HW_DT_AEAD, 0, 0)                                                                  \
	X(ACCEL_HW_DT_DOCSIS, 0, 1)                                                                \
	X(ACCEL_HW_DT_PDCP, 0, 1)                                                                  \
	X(ACCEL_HW_DT_ESP, 0, 1)                                                                   \
	X(ACCEL_HW_DT_AH, 0, 1)                                                                    \
	X(ACCEL_HW_DT_TLS12, 0, 1)                                                                 \
	X(ACCEL_HW_DT_TLS13, 0, 1)                                                                 \
	X(ACCEL_HW_DT_DTLS12, 0, 1)                                                                \
	X(ACCEL_HW_DT_QP_PK, 0, 0)                                                                 \
	X(ACCEL_HW_DT_PK_ENGINES, 0, 1)                                                            \
	X(ACCEL_HW_DT_PK, 0, 0)                                                                    \
	X(ACCEL_HW_DT_RANDOM, 0, 1)

/* X(node, property, cells, list, needed). A list has any number of groups of cells. */
#define ACCEL_HW_DT_PROPERTIES(X)                                                                  \
	X(ACCEL_HW_DT_INVALIDATE, ACCEL_HW_DT_DROP_ALL, 0, false, false)                           \
	X(ACCEL_HW_DT_VF_TABLE, ACCEL_HW_DT_QUEUE_PAIRS, 2, false, false)                          \
	X(ACCEL_HW_DT_DMA, ACCEL_HW_DT_RING_SIZE_MAX, 1, false, true)                              \
	X(ACCEL_HW_DT_DMA, ACCEL_HW_DT_MAX_FRAGMENTS, 1, false, true)                              \
	X(ACCEL_HW_DT_DMA, ACCEL_HW_DT_MAX_FRAME_BYTES, 1, false, true)                            \
	X(ACCEL_HW_DT_DMA, ACCEL_HW_DT_OPERATION_MS, 1, false, true)                               \
	X(ACCEL_HW_DT_DMA, ACCEL_HW_DT_COMMAND_UPPER, 0, false, false)                             \
	X(ACCEL_HW_DT_DMA, ACCEL_HW_DT_COMMAND_RING, 0, false, false)                              \
	X(ACCEL_HW_DT_DMA, ACCEL_HW_DT_REPORTS_WRITES, 0, false, false)                            \
	X(ACCEL_HW_DT_DMA, ACCEL_HW_DT_WB_AUTO, 0, false, false)                                   \
	X(ACCEL_HW_DT_SYM, ACCEL_HW_DT_CONTEXT_SIZE, 1, false, true)                               \
	X(ACCEL_HW_DT_SYM, ACCEL_HW_DT_CHAINS, 1, false, false)                                    \
	X(ACCEL_HW_DT_SYM, ACCEL_HW_DT_CHAIN_CIPHER_AUTH, 0, false, false)                         \
	X(ACCEL_HW_DT_SYM, ACCEL_HW_DT_CHAIN_AUTH_CIPHER, 0, false, false)                         \
	X(ACCEL_HW_DT_SYM, ACCEL_HW_DT_CHAIN_PAIRS, 2, true, false)                                \
	X(ACCEL_HW_DT_SYM, ACCEL_HW_DT_DIGEST_IN_STREAM, 0, false, false)                          \
	X(ACCEL_HW_DT_SYM, ACCEL_HW_DT_AUTH_IV_IN_STREAM, 0, false, false)                         \
	X(ACCEL_HW_DT_SYM, ACCEL_HW_DT_AAD_IN_COMMAND, 0, false, false)                            \
	X(ACCEL_HW_DT_CIPHER, ACCEL_HW_DT_ALG_ID, 1, false, true)                                  \
	X(ACCEL_HW_DT_CIPHER, ACCEL_HW_DT_BLOCK_SIZE, 1, false, true)                              \
	X(ACCEL_HW_DT_CIPHER, ACCEL_HW_DT_KEY_SIZES, 3, false, true)                               \
	X(ACCEL_HW_DT_CIPHER, ACCEL_HW_DT_IV_SIZES, 3, false, true)                                \
	X(ACCEL_HW_DT_CIPHER, ACCEL_HW_DT_DATA_UNIT_SIZES, 2, false, false)                        \
	X(ACCEL_HW_DT_CIPHER, ACCEL_HW_DT_BIT_LENGTHS, 0, false, false)                            \
	X(ACCEL_HW_DT_CIPHER, ACCEL_HW_DT_KEY_IV_SIZES, 2, true, false)                            \
	X(ACCEL_HW_DT_CIPHER, ACCEL_HW_DT_REGION_SIZES, 2, false, false)                           \
	X(ACCEL_HW_DT_AUTH, ACCEL_HW_DT_ALG_ID, 1, false, true)                                    \
	X(ACCEL_HW_DT_AUTH, ACCEL_HW_DT_BLOCK_SIZE, 1, false, true)                                \
	X(ACCEL_HW_DT_AUTH, ACCEL_HW_DT_KEY_SIZES, 3, false, true)                                 \
	X(ACCEL_HW_DT_AUTH, ACCEL_HW_DT_IV_SIZES, 3, false, true)                                  \
	X(ACCEL_HW_DT_AUTH, ACCEL_HW_DT_BIT_LENGTHS, 0, false, false)                              \
	X(ACCEL_HW_DT_AUTH, ACCEL_HW_DT_KEY_IV_SIZES, 2, true, false)                              \
	X(ACCEL_HW_DT_AUTH, ACCEL_HW_DT_REGION_SIZES, 2, false, false)                             \
	X(ACCEL_HW_DT_AUTH, ACCEL_HW_DT_DIGEST_SIZES, 3, false, true)                              \
	X(ACCEL_HW_DT_AUTH, ACCEL_HW_DT_DIGEST_LIST, 1, true, false)                               \
	X(ACCEL_HW_DT_AEAD, ACCEL_HW_DT_ALG_ID, 1, false, true)                                    \
	X(ACCEL_HW_DT_AEAD, ACCEL_HW_DT_BLOCK_SIZE, 1, false, true)                                \
	X(ACCEL_HW_DT_AEAD, ACCEL_HW_DT_KEY_SIZES, 3, false, true)                                 \
	X(ACCEL_HW_DT_AEAD, ACCEL_HW_DT_IV_SIZES, 3, false, true)                                  \
	X(ACCEL_HW_DT_AEAD, ACCEL_HW_DT_KEY_IV_SIZES, 2, true, false)                              \
	X(ACCEL_HW_DT_AEAD, ACCEL_HW_DT_REGION_SIZES, 2, false, false)                             \
	X(ACCEL_HW_DT_AEAD, ACCEL_HW_DT_DIGEST_SIZES, 3, false, true)                              \
	X(ACCEL_HW_DT_AEAD, ACCEL_HW_DT_DIGEST_LIST, 1, true, false)                               \
	X(ACCEL_HW_DT_AEAD, ACCEL_HW_DT_AAD_SIZES, 3, false, true)                                 \
	X(ACCEL_HW_DT_DOCSIS, ACCEL_HW_DT_ALG_ID, 1, false, true)                                  \
	X(ACCEL_HW_DT_DOCSIS, ACCEL_HW_DT_CIPHERS, 1, true, true)                                  \
	X(ACCEL_HW_DT_PDCP, ACCEL_HW_DT_ALG_ID, 1, false, true)                                    \
	X(ACCEL_HW_DT_PDCP, ACCEL_HW_DT_CIPHERS, 1, true, true)                                    \
	X(ACCEL_HW_DT_PDCP, ACCEL_HW_DT_AUTHS, 1, true, true)                                      \
	X(ACCEL_HW_DT_PDCP, ACCEL_HW_DT_SN_SIZES, 1, true, true)                                   \
	X(ACCEL_HW_DT_ESP, ACCEL_HW_DT_ALG_ID, 1, false, true)                                     \
	X(ACCEL_HW_DT_ESP, ACCEL_HW_DT_CIPHERS, 1, true, true)                                     \
	X(ACCEL_HW_DT_ESP, ACCEL_HW_DT_AUTHS, 1, true, true)                                       \
	X(ACCEL_HW_DT_ESP, ACCEL_HW_DT_AEADS, 1, true, true)                                       \
	X(ACCEL_HW_DT_ESP, ACCEL_HW_DT_OPTIONS, 1, false, true)                                    \
	X(ACCEL_HW_DT_ESP, ACCEL_HW_DT_TRANSPORT, 0, false, false)                                 \
	X(ACCEL_HW_DT_ESP, ACCEL_HW_DT_REPLAY_WINDOW_MAX, 1, false, true)                          \
	X(ACCEL_HW_DT_ESP, ACCEL_HW_DT_OVERLAP, 0, false, false)                                   \
	X(ACCEL_HW_DT_AH, ACCEL_HW_DT_ALG_ID, 1, false, true)                                      \
	X(ACCEL_HW_DT_AH, ACCEL_HW_DT_AUTHS, 1, true, true)                                        \
	X(ACCEL_HW_DT_AH, ACCEL_HW_DT_OPTIONS, 1, false, true)                                     \
	X(ACCEL_HW_DT_AH, ACCEL_HW_DT_TRANSPORT, 0, false, false)                                  \
	X(ACCEL_HW_DT_AH, ACCEL_HW_DT_REPLAY_WINDOW_MAX, 1, false, true)                           \
	X(ACCEL_HW_DT_AH, ACCEL_HW_DT_OVERLAP, 0, false, false)                                    \
	X(ACCEL_HW_DT_TLS12, ACCEL_HW_DT_ALG_ID, 1, false, true)                                   \
	X(ACCEL_HW_DT_TLS12, ACCEL_HW_DT_CIPHERS, 1, true, true)                                   \
	X(ACCEL_HW_DT_TLS12, ACCEL_HW_DT_AUTHS, 1, true, true)                                     \
	X(ACCEL_HW_DT_TLS12, ACCEL_HW_DT_AEADS, 1, true, true)                                     \
	X(ACCEL_HW_DT_TLS12, ACCEL_HW_DT_OVERLAP, 0, false, false)                                 \
	X(ACCEL_HW_DT_TLS13, ACCEL_HW_DT_ALG_ID, 1, false, true)                                   \
	X(ACCEL_HW_DT_TLS13, ACCEL_HW_DT_AEADS, 1, true, true)                                     \
	X(ACCEL_HW_DT_TLS13, ACCEL_HW_DT_OVERLAP, 0, false, false)                                 \
	X(ACCEL_HW_DT_DTLS12, ACCEL_HW_DT_ALG_ID, 1, false, true)                                  \
	X(ACCEL_HW_DT_DTLS12, ACCEL_HW_DT_CIPHERS, 1, true, true)                                  \
	X(ACCEL_HW_DT_DTLS12, ACCEL_HW_DT_AUTHS, 1, true, true)                                    \
	X(ACCEL_HW_DT_DTLS12, ACCEL_HW_DT_AEADS, 1, true, true)                                    \
	X(ACCEL_HW_DT_DTLS12, ACCEL_HW_DT_OVERLAP, 0, false, false)                                \
	X(ACCEL_HW_DT_DTLS12, ACCEL_HW_DT_REPLAY_WINDOW_MAX, 1, false, true)                       \
	X(ACCEL_HW_DT_PK_ENGINES, ACCEL_HW_DT_KEY_SIZE_MAX, 1, false, true)                        \
	X(ACCEL_HW_DT_PK_ENGINES, ACCEL_HW_DT_OPERAND_SIZE_MAX, 1, false, true)                    \
	X(ACCEL_HW_DT_PK, ACCEL_HW_DT_ALG_ID, 1, false, true)                                      \
	X(ACCEL_HW_DT_PK, ACCEL_HW_DT_OPERATIONS, 1, false, true)                                  \
	X(ACCEL_HW_DT_PK, ACCEL_HW_DT_MODULUS_BITS, 2, false, false)                               \
	X(ACCEL_HW_DT_PK, ACCEL_HW_DT_CURVES, 1, true, false)                                      \
	X(ACCEL_HW_DT_PK, ACCEL_HW_DT_PADDINGS, 1, false, false)                                   \
	X(ACCEL_HW_DT_PK, ACCEL_HW_DT_VARIANTS, 1, false, false)                                   \
	X(ACCEL_HW_DT_PK, ACCEL_HW_DT_HASHES, 1, true, false)                                      \
	X(ACCEL_HW_DT_RANDOM, ACCEL_HW_DT_ALG_ID, 1, false, true)                                  \
	X(ACCEL_HW_DT_RANDOM, ACCEL_HW_DT_MAX_BYTES, 1, false, true)

#endif /* ACCEL_HW_DT_H */
