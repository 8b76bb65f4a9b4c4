/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Nodes of the card's device tree while the tree is parsed: their properties, and checks that all
 * nodes have in common. Only the files of the parser, accel_devtree*.c, use this header.
 */
#ifndef ACCEL_DEVTREE_NODE_H
#define ACCEL_DEVTREE_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libfdt.h>

#include "accel_logs.h"

struct accel_devtree;

/* A tree has two regions of each queue pair and nine others. accel_devtree.c checks the number. */
#define ACCEL_DT_MAX_REGS 267u

/* Lists the properties of the contract that this driver reads, P(X) for ACCEL_HW_DT_X. */
#define DT_PROPS(P)                                                                                \
	P(QUEUE_PAIRS) P(DROP_ALL)                                                                 \
	P(RING_SIZE_MAX) P(MAX_FRAGMENTS) P(MAX_FRAME_BYTES) P(OPERATION_MS)                       \
	P(COMMAND_UPPER) P(COMMAND_RING) P(WB_AUTO) P(REPORTS_WRITES)                              \
	P(CONTEXT_SIZE) P(CHAINS) P(CHAIN_CIPHER_AUTH) P(CHAIN_AUTH_CIPHER) P(CHAIN_PAIRS)         \
	P(DIGEST_IN_STREAM) P(AUTH_IV_IN_STREAM) P(AAD_IN_COMMAND) P(BIT_LENGTHS)                  \
	P(ALG_ID) P(BLOCK_SIZE) P(KEY_SIZES) P(IV_SIZES) P(DIGEST_SIZES) P(DATA_UNIT_SIZES)        \
	P(AAD_SIZES) P(KEY_IV_SIZES) P(DIGEST_LIST) P(REGION_SIZES)                                \
	P(CIPHERS) P(AUTHS) P(SN_SIZES) P(AEADS)                                                   \
	P(OPTIONS) P(TRANSPORT) P(REPLAY_WINDOW_MAX) P(OVERLAP)                                    \
	P(KEY_SIZE_MAX) P(OPERAND_SIZE_MAX) P(OPERATIONS) P(MODULUS_BITS) P(CURVES) P(PADDINGS)    \
	P(VARIANTS) P(HASHES) P(MAX_BYTES)

enum accel_dt_prop {
	DT_COMPATIBLE, DT_REG, DT_ADDRESS_CELLS, DT_SIZE_CELLS, /* of the standard */
#define DT_PROP(name) DT_##name,
	DT_PROPS(DT_PROP)
#undef DT_PROP
	DT_NB_PROPS
};

extern const char *const accel_dt_prop_name[DT_NB_PROPS];

/* Describes a node, with the places of its known properties in the blob. */
struct accel_dt_node {
	int offset; /* of the node in the structure block, for log lines */
	const char *compatible; /* the binding that matches */
	unsigned int kind; /* class, protocol or first queue pair, as the binding says */
	struct {
		const uint8_t *data;
		int len; /* -1: absent */
	} prop[DT_NB_PROPS];
};

struct accel_dt_region {
	uint32_t start;
	uint32_t size;
};

/* Holds the state of a parse. */
struct accel_dt_parser {
	const void *blob;
	size_t bar_size;
	struct accel_devtree *dt;
	uint32_t seen; /* bit n: there was a node of binding n */
	uint32_t vf_mailbox_size; /* bytes of each region of a PF's mailboxes */
	unsigned int skipped_qps;
	unsigned int nb_regions;
	struct accel_dt_region region[ACCEL_DT_MAX_REGS];
};

/* Logs what is wrong with a node. The value is -EINVAL, for the caller to return. */
#define DT_REFUSE(node, fmt, ...)                                                                  \
	ACCEL_REFUSE(-EINVAL, "device tree refused: %s at 0x%x: " fmt, (node)->compatible,         \
		     (unsigned int)(node)->offset, ##__VA_ARGS__)

static inline bool
accel_dt_has(const struct accel_dt_node *node, enum accel_dt_prop id)
{
	return node->prop[id].len >= 0;
}

/** Read a cell of a property. The cell need not be aligned. */
static inline uint32_t
accel_dt_cell(const struct accel_dt_node *node, enum accel_dt_prop id, unsigned int index)
{
	return fdt32_ld((const fdt32_t *)node->prop[id].data + index);
}

/*
 * The functions below that return an int return 0, or -EINVAL with a log line. The line names the
 * node and what is wrong with it.
 */

/** Find the known properties of the node at @p offset. */
int accel_dt_read_node(const void *blob, int offset, struct accel_dt_node *node);

/** Check the rules that hold for every node. */
int accel_dt_check_node(const struct accel_dt_node *node);

/** Check that a property exists and has exactly @p cells cells. */
int accel_dt_check_cells(const struct accel_dt_node *node, enum accel_dt_prop id,
			 unsigned int cells);

/** Read a property of one cell, and check that its number is in @p min to @p max. */
int accel_dt_u32(const struct accel_dt_node *node, enum accel_dt_prop id, uint32_t min,
		 uint32_t max, uint32_t *value);

/** Set a flag if a property exists. The property must be empty. */
int accel_dt_flag(const struct accel_dt_node *node, enum accel_dt_prop id, bool *flag);

/* These functions take the nodes of algorithms and protocols, see accel_devtree_alg.c. */
int accel_dt_take_sym(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_alg(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_protocol(struct accel_dt_parser *p, const struct accel_dt_node *node);

/* These take the nodes of public-key algorithms and random numbers, see accel_devtree_pk.c. */
int accel_dt_take_pk_engines(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_pk(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_random(struct accel_dt_parser *p, const struct accel_dt_node *node);

/** Check what the tree says of public keys as a whole, after the walk. */
int accel_dt_check_pk(struct accel_dt_parser *p);

/**
 * Read a list of numbers as a mask, in which number @p first is bit 0. Numbers that do not fit in
 * the mask are unknown to this driver, and ignored.
 */
int accel_dt_set(const struct accel_dt_node *node, enum accel_dt_prop id, uint32_t first,
		 uint64_t *set);

#endif /* ACCEL_DEVTREE_NODE_H */
