/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * BAR0 of a card in plain memory, with a device tree, for tests that play the card themselves.
 */
#ifndef UNIT_FAKE_CARD_H
#define UNIT_FAKE_CARD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <libfdt.h>

#include "accel_dev.h"
#include "accel_devtree_read.h"

#define FAKE_PAGE(n) ((uint32_t)(n) * ACCEL_HW_PAGE_SIZE)
#define FAKE_QPS_MAX 8u
#define FAKE_INVALIDATE FAKE_PAGE(20)
#define FAKE_HEALTH FAKE_PAGE(21)
#define FAKE_TREE FAKE_PAGE(24)
#define FAKE_TREE_ROOM FAKE_PAGE(2)
#define FAKE_VF_TABLE FAKE_PAGE(26) /* and its three regions of the mailbox, a page each */
#define FAKE_VF_ANSWERS FAKE_PAGE(27)
#define FAKE_VF_REQUESTS FAKE_PAGE(28)
#define FAKE_VF_STATUS FAKE_PAGE(29)
#define FAKE_MAILBOX_HOST FAKE_PAGE(30)
#define FAKE_MAILBOX_DEVICE FAKE_PAGE(31)
#define FAKE_BAR_SIZE FAKE_PAGE(32)

/* What the tree says. Queue pair n has the pages 2 n + 2 and 2 n + 3 of BAR0. */
struct fake_tree {
	uint32_t nb_qps; /* 0: one */
	bool no_qps; /* none at all */
	bool vf_table, vf_mailbox; /* of a PF */
	uint32_t vf_qps[2]; /* for all VFs, for one; 0: not in the tree */
	bool mailbox; /* of a VF */
	uint32_t vf_table_at, vf_pages, vf_status_at, mailbox_at; /* 0: the usual ones */
	bool health;
	bool command_upper;
	bool command_ring;
	bool aad_in_command;
	bool no_ctr; /* AES-CBC only */
	uint32_t control, invalidate, health_at, qp0; /* other places of pages; 0: the usual ones */
	uint32_t ring_size_max, max_fragments; /* 0: the usual ones */
};

void fake_cells(void *fdt, const char *name, const uint32_t *cells, unsigned int n);

#define FAKE_CELLS(fdt, name, ...)                                                                 \
	fake_cells(fdt, name, (const uint32_t[]){ __VA_ARGS__ },                                   \
		   sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

/* Begins a node. No two nodes of a tree have the same name. */
void fake_node(void *fdt, const char *compatible, unsigned int number);

void fake_page(void *fdt, const char *compatible, uint32_t page);

void fake_dma(void *fdt, const struct fake_tree *t);

/* Writes a tree into BAR0. */
void fake_card_tree(uint8_t *bar, const struct fake_tree *t);

/* Makes BAR0 and a device of it. */
void fake_card_plug(struct accel_dev *dev, uint8_t *bar, const struct fake_tree *t);

#endif /* UNIT_FAKE_CARD_H */
