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

/* Lists the properties that this driver reads. */
enum accel_dt_prop {
	DT_COMPATIBLE,
	DT_REG,
	DT_ADDRESS_CELLS,
	DT_SIZE_CELLS,
	DT_QUEUE_PAIRS,
	DT_RING_SIZE_MAX,
	DT_MAX_FRAGMENTS,
	DT_MAX_FRAME_BYTES,
	DT_COMMAND_UPPER,
	DT_COMMAND_RING,
	DT_WB_AUTO,
	DT_REPORTS_WRITES,
	DT_CONTEXT_SIZE,
	DT_CHAIN_CIPHER_AUTH,
	DT_CHAIN_AUTH_CIPHER,
	DT_CHAIN_PAIRS,
	DT_DIGEST_IN_STREAM,
	DT_AUTH_IV_IN_STREAM,
	DT_BIT_LENGTHS,
	DT_ALG_ID,
	DT_BLOCK_SIZE,
	DT_KEY_SIZES,
	DT_IV_SIZES,
	DT_DIGEST_SIZES,
	DT_DATA_UNIT_SIZES,
	DT_AAD_SIZES,
	DT_KEY_IV_SIZES,
	DT_DIGEST_LIST,
	DT_REGION_SIZES,
	DT_CIPHERS,
	DT_AUTHS,
	DT_SN_SIZES,
	DT_AEADS,
	DT_OPTIONS,
	DT_TRANSPORT,
	DT_REPLAY_WINDOW_MAX,
	DT_OVERLAP,
	DT_KEY_SIZE_MAX,
	DT_OPERAND_SIZE_MAX,
	DT_OPERATIONS,
	DT_MODULUS_BITS,
	DT_CURVES,
	DT_PADDINGS,
	DT_VARIANTS,
	DT_HASHES,
	DT_MAX_BYTES,
	DT_NB_PROPS
};

extern const char *const accel_dt_prop_name[DT_NB_PROPS];

/* Describes a node, with the places of its known properties in the blob. */
struct accel_dt_node {
	int offset; /* of the node in the structure block, for log lines */
	const char *compatible; /* the binding that matches */
	struct {
		const uint8_t *data;
		int len; /* -1: absent */
	} prop[DT_NB_PROPS];
};

struct accel_dt_region {
	uint32_t start;
	uint32_t size;
};

/* Holds the state of a parse. All members nb_* except for nb_regions count nodes. */
struct accel_dt_parser {
	const void *blob;
	size_t bar_size;
	struct accel_devtree *dt;
	unsigned int nb_control;
	unsigned int nb_invalidate;
	unsigned int nb_vf_table;
	unsigned int nb_vf_mailbox;
	unsigned int nb_mailbox;
	uint32_t vf_mailbox_size; /* bytes of each region of a PF's mailboxes */
	unsigned int nb_health;
	unsigned int nb_dma;
	unsigned int nb_sym;
	unsigned int nb_pk;
	unsigned int nb_random;
	unsigned int skipped_qps;
	unsigned int nb_regions;
	struct accel_dt_region region[ACCEL_DT_MAX_REGS];
};

#define DT_ERR(node, fmt, ...)                                                                     \
	ACCEL_LOG(ERR, "device tree refused: %s at 0x%x: " fmt, (node)->compatible,                \
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
	const uint8_t *p = node->prop[id].data + index * sizeof(fdt32_t);

	return ((uint32_t)p[0] << 24) | ((uint32_t)p[1] << 16) | ((uint32_t)p[2] << 8) | p[3];
}

/*
 * The functions below that return an int return 0, or -EINVAL with a log line. The line names the
 * node and what is wrong with it.
 */

/** Find the known properties of the node at @p offset. */
int accel_dt_read_node(const void *blob, int offset, struct accel_dt_node *node);

/** Check the rules that hold for every node. */
int accel_dt_check_node(const struct accel_dt_node *node);

/** True if a string is in a list of @p len bytes that accel_dt_check_node() has checked. */
bool accel_dt_list_has(const char *list, int len, const char *string);

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
int accel_dt_take_cipher(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_auth(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_aead(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_docsis(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_pdcp(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_esp(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_ah(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_tls12(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_tls13(struct accel_dt_parser *p, const struct accel_dt_node *node);
int accel_dt_take_dtls12(struct accel_dt_parser *p, const struct accel_dt_node *node);

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
