/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The requests that accel-bus compares, and where their memory lies. All formats get the same
 * pieces at the same addresses, which are those of mbufs: the data of each begin 128 bytes behind
 * the begin of a page.
 */
#ifndef BUS_LAYOUT_H
#define BUS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define BUS_BURST 32u /* under load, and N of manual 6.5 */
#define BUS_OPS 8192u /* per count: whole laps of every ring */
#define BUS_SEGMENTS 8u /* at most */

/* Entries of rings. */
#define BUS_DESC 4096u
#define BUS_RING 2048u /* requests and responses of any format */

/* IOVAs. Nothing depends on them but page borders. */
#define BUS_IOVA UINT64_C(0x100000000)
#define BUS_TX BUS_IOVA
#define BUS_RX (BUS_TX + BUS_DESC * 8u)
#define BUS_RSP (BUS_RX + BUS_DESC * 8u)
#define BUS_LINE (BUS_RSP + BUS_RING * 16u)
#define BUS_CONTEXT (BUS_LINE + 4096u) /* two of them, 512 bytes apart */
#define BUS_COMMAND (BUS_CONTEXT + 4096u)
#define BUS_OP (BUS_COMMAND + BUS_RING * 64u) /* an application's operations */
#define BUS_OP_SIZE 512u
#define BUS_OP_AAD 140u /* behind an IV of 12 bytes in the private part of an rte_crypto_op */
#define BUS_OP_LIST 256u /* of other formats: lists of pieces, request headers */
#define BUS_DATA (BUS_OP + BUS_BURST * BUS_OP_SIZE)
#define BUS_HEADROOM 128u /* RTE_PKTMBUF_HEADROOM */
#define BUS_SEGMENT (5u * 4096u) /* room of an mbuf */
#define BUS_SIDE (BUS_SEGMENTS * BUS_SEGMENT)
#define BUS_MEMORY (BUS_DATA - BUS_IOVA + BUS_BURST * 2u * BUS_SIDE)
/* Rings of the other formats lie behind, where no memory is needed. */
#define BUS_OTHER ((BUS_IOVA + BUS_MEMORY + 0xffff) & ~UINT64_C(0xffff))

enum bus_kind {
	BUS_CIPHER, /* AES-128-CBC */
	BUS_AEAD, /* AES-128-GCM, AAD of 12 bytes, tag of 16 */
	BUS_CHAIN, /* AES-128-CBC, then HMAC-SHA1, digest of 20 bytes */
};

struct bus_layout {
	const char *name;
	enum bus_kind kind;
	uint32_t len;
	unsigned int segments;
	bool apart; /* source and destination */
};

extern const struct bus_layout bus_layouts[];
extern const unsigned int bus_nb_layouts;

enum bus_load {
	BUS_LOADED, /* bursts, the queue pair is full */
	BUS_SINGLE, /* one operation at a time */
	BUS_MISSED, /* the same, and no context is cached */
	BUS_LOADS
};

/** Returns the operations of one doorbell. */
static inline unsigned int
bus_burst(enum bus_load load)
{
	return load == BUS_LOADED ? BUS_BURST : 1;
}

struct bus_piece {
	uint64_t addr;
	uint32_t len;
};

/* The memory of an operation. The digest lies behind the last piece of the destination. */
struct bus_op {
	struct bus_piece aad; /* len 0: none */
	struct bus_piece source[BUS_SEGMENTS];
	struct bus_piece destination[BUS_SEGMENTS]; /* without the digest */
	unsigned int segments;
	struct bus_piece digest; /* len 0: none */
	uint64_t memory; /* of the rte_crypto_op */
};

/** Fills in the memory of operation number @p index. */
void bus_op_of(const struct bus_layout *l, uint32_t index, struct bus_op *op);

#endif /* BUS_LAYOUT_H */
