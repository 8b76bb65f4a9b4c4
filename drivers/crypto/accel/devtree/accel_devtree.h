/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The part of the card's device tree that the driver uses (manual section 10). The blob is
 * untrusted: everything in struct accel_devtree was checked and bounded.
 */
#ifndef ACCEL_DEVTREE_H
#define ACCEL_DEVTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hw/accel_hw.h"

#define ACCEL_DT_MAX_QPS 64u /* further queue pairs are not used; a log line says so */
/*
 * These are places in accel_devtree.qp, which are the identifiers of queue pairs in the driver. The
 * queue pairs that carry symmetric operations come first. Then comes the companion of each of them
 * (manual 8.8), and last the public-key queue pair that the driver has for itself.
 */
#define ACCEL_DT_PK_QP ACCEL_DT_MAX_QPS
#define ACCEL_DT_OWN_QP (2u * ACCEL_DT_MAX_QPS)
#define ACCEL_DT_ALL_QPS (ACCEL_DT_OWN_QP + 1u)
#define ACCEL_DT_MAX_KEY_IV 32u /* further pairs of an algorithm are not used; a log line says so */
#define ACCEL_DT_CIPHERS 64u /* numbers of ciphers are below this one (manual 8.2) */
#define ACCEL_DT_AUTH_FIRST 64u /* numbers of authentication begin here */
#define ACCEL_DT_AUTHS 192u /* their ranges end below 256 */
#define ACCEL_DT_AEAD_FIRST 192u /* numbers of AEADs begin here */

enum accel_alg_class {
	ACCEL_ALG_ABSENT = ACCEL_HW_CLASS_NONE,
	ACCEL_ALG_CIPHER = ACCEL_HW_CLASS_CIPHER,
	ACCEL_ALG_AUTH = ACCEL_HW_CLASS_AUTH,
	ACCEL_ALG_AEAD = ACCEL_HW_CLASS_AEAD,
};

/*
 * Describes an algorithm as the card does. The index in accel_devtree.alg is its number (manual
 * 8.2). Sizes are in bytes.
 */
struct accel_dt_alg {
	enum accel_alg_class class;
	uint16_t block;
	struct accel_hw_range key;
	struct accel_hw_range iv;
	struct accel_hw_range digest; /* auth and AEAD */
	struct accel_hw_range aad; /* AEAD */
	uint32_t unit_min; /* bytes of a data unit, a power of two; 0: no data units */
	uint32_t unit_max;
	bool bits; /* regions may begin and end at any bit (command flag BITS) */
	/* The lists say which sizes of the ranges are possible. Without a list all of them are. */
	bool key_iv_listed;
	bool digest_listed;
	uint8_t nb_key_iv;
	struct {
		uint8_t key;
		uint8_t iv;
	} key_iv[ACCEL_DT_MAX_KEY_IV];
	uint64_t digests; /* bit n: digests of n + 1 bytes */
};

/* Describes a protocol as the card does (manual 8.5 to 8.7). Sets are masks of 64 bits. */
struct accel_dt_protocol {
	bool present;
	uint64_t ciphers; /* bit n: cipher number n */
	uint64_t auths; /* bit n: authentication number 64 + n */
	uint64_t sn_sizes; /* bit n: PDCP sequence numbers of n bits */
	/* The following is for IPsec and TLS. */
	uint64_t aeads; /* bit n: AEAD number 192 + n */
	uint32_t options; /* IPsec: ACCEL_HW_IPSEC_* */
	uint32_t replay_window_max; /* sequence numbers, at most ACCEL_HW_IPSEC_WINDOW_MAX */
	bool transport; /* IPsec: transport mode is possible */
	bool overlap; /* source and result may overlap in any way */
};

/* Describes a public-key algorithm as the card does (manual 8.8), without unknown numbers. */
struct accel_dt_pk {
	bool present;
	uint32_t operations; /* bit n: enum accel_hw_pk_operation n */
	uint32_t modulus_min; /* bits, 0: the algorithm has no modulus */
	uint32_t modulus_max;
	uint32_t curves; /* bit n: enum accel_hw_curve n */
	uint32_t paddings; /* bit n: enum accel_hw_pk_padding n */
	uint32_t variants; /* bit n: enum accel_hw_pk_variant n */
	uint64_t hashes; /* bit n: authentication number 64 + n */
};

#define ACCEL_DT_PK_FIRST 128u /* numbers of public-key algorithms begin here (manual 8.2) */
#define ACCEL_DT_PK_ALGS 12u
#define ACCEL_DT_PROTOCOLS 7u

/* Holds what the driver needs of a device tree. */
struct accel_devtree {
	uint32_t control; /* offset in BAR0 */
	uint32_t invalidate; /* offset in BAR0 */
	bool drop_all; /* the register DROP_ALL is in place of the words of that page */
	uint32_t vf_table; /* offset in BAR0, 0: none */
	uint32_t health; /* offset in BAR0, 0: none, as on cards of contract 1.0 */
	uint32_t vf_table_size; /* bytes of vf_table, vf_answers, vf_requests and vf_status each */
	/* These are offsets in BAR0 of a PF's mailboxes, 0: none. */
	uint32_t vf_answers;
	uint32_t vf_requests;
	uint32_t vf_status;
	bool vf_qps_listed; /* vf_qps_all and vf_qps_one are known; not on cards before 1.2 */
	uint32_t vf_qps_all; /* queue pairs for all VFs */
	uint32_t vf_qps_one; /* the most queue pairs for one VF */
	/* These are offsets in BAR0 of a VF's mailbox, 0: none. */
	uint32_t mailbox_host;
	uint32_t mailbox_device;
	uint32_t ring_size_max; /* power of two */
	uint32_t max_fragments; /* bounded to 32766 */
	uint32_t max_frame_bytes; /* bounded to 1 GiB */
	uint32_t operation_ms; /* the most that an operation takes; 0: a card before 1.5 */
	bool command_upper; /* the card has the register COMMAND_UPPER */
	bool command_ring; /* the card has the registers COMMAND_BASE and COMMAND_SIZE */
	bool reports_writes; /* the card learns of all writes that fail */
	bool wb_auto; /* the card can choose when it writes pointers back */
	uint32_t nb_qps; /* 0: a VF without queue pairs (manual 4.5) */
	struct {
		uint32_t host;
		uint32_t device;
	} qp[ACCEL_DT_ALL_QPS];
	uint32_t nb_pk_qps; /* public-key queue pairs that the tree lists; 0, or more than nb_qps */
	uint32_t first_pk_qp; /* number of the first of these in the card (manual 8.8) */
	uint32_t own_pk_qp; /* number of the driver's own public-key queue pair in the card */
	bool sym; /* there is a node sym-1 */
	bool chain_cipher_auth;
	bool chain_auth_cipher;
	bool digest_in_stream; /* the card takes the command flag DIGEST_IN_STREAM */
	bool auth_iv_in_stream; /* the card takes an IV before a chain's source (manual 8.1) */
	bool aad_in_command; /* the card takes the command flag AAD_IN_COMMAND */
	/* only the pairs in chains are possible: bit n of a cipher is authentication 64 + n */
	bool chains_listed;
	uint64_t chains[ACCEL_DT_CIPHERS][ACCEL_DT_AUTHS / 64];
	struct accel_dt_alg alg[ACCEL_HW_ALG_NB];
	union { /* index: number - ACCEL_HW_PROTO_DOCSIS */
		struct accel_dt_protocol protocol[ACCEL_DT_PROTOCOLS];
		struct {
			struct accel_dt_protocol docsis, pdcp, esp, ah, tls12, tls13, dtls12;
		};
	};
	bool pk; /* there is a node pk-1 */
	uint32_t pk_key_size_max; /* bytes of all components of a context */
	uint32_t pk_operand_size_max; /* bytes of one operand */
	uint32_t random_max; /* most bytes of an operation RANDOM; 0: no random numbers */
	struct accel_dt_pk pk_alg[ACCEL_DT_PK_ALGS]; /* index: number - ACCEL_DT_PK_FIRST */
};

/** True if the card has given the driver a queue pair with this place in accel_devtree.qp. */
static inline bool
accel_dt_has_qp(const struct accel_devtree *dt, unsigned int qp_id)
{
	if (qp_id >= ACCEL_DT_PK_QP && dt->nb_pk_qps == 0)
		return false;
	return qp_id == ACCEL_DT_OWN_QP || qp_id % ACCEL_DT_PK_QP < dt->nb_qps;
}

/** Return the number of a queue pair in the card (manual 4.6, 8.8). */
static inline unsigned int
accel_dt_qp_number(const struct accel_devtree *dt, unsigned int qp_id)
{
	if (qp_id < ACCEL_DT_PK_QP)
		return qp_id;
	if (qp_id == ACCEL_DT_OWN_QP)
		return dt->own_pk_qp;
	return dt->first_pk_qp + qp_id - ACCEL_DT_PK_QP;
}

/** Return the card's description of a public-key algorithm, or NULL if the card lacks it. */
static inline const struct accel_dt_pk *
accel_dt_pk_alg(const struct accel_devtree *dt, unsigned int alg)
{
	const struct accel_dt_pk *pk = &dt->pk_alg[(alg - ACCEL_DT_PK_FIRST) % ACCEL_DT_PK_ALGS];

	return alg - ACCEL_DT_PK_FIRST < ACCEL_DT_PK_ALGS && pk->present ? pk : NULL;
}

/** True if the card hashes messages of ML-DSA itself (HashML-DSA). */
static inline bool
accel_dt_prehashes(const struct accel_devtree *dt)
{
	const struct accel_dt_pk *pk = accel_dt_pk_alg(dt, ACCEL_HW_PK_ML_DSA);

	return pk != NULL && (pk->variants >> ACCEL_HW_PK_PREHASHED & 1) != 0 && pk->hashes != 0;
}

/** True if a protocol of the card works with the algorithm of number @p hw (manual 8.2). */
bool accel_dt_protocol_has(const struct accel_dt_protocol *protocol, enum accel_alg_class class,
			   unsigned int hw);

/**
 * Check a device tree and take what the driver needs.
 *
 * @param blob the driver's own copy, aligned to 8 bytes.
 * @param size number of bytes that may be read at blob.
 * @param bar_size size of BAR0 in bytes; all pages must lie inside.
 * @param dt filled in; undefined on error.
 * @return 0, also if there is no queue pair; -EINVAL if the tree breaks a rule of manual section 10
 *   or a limit of section 11, and one log line says which; -ENOTSUP if the tree describes no DMA
 *   engine that this driver supports.
 */
int accel_devtree_parse(const void *blob, size_t size, size_t bar_size, struct accel_devtree *dt);

#endif /* ACCEL_DEVTREE_H */
