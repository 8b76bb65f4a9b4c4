/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads the card's device tree (manual section 10): the blob, its pages and the DMA engine. The
 * blob is untrusted: the parser walks it once, node by node and within its bounds, and checks every
 * number.
 */

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <libfdt.h>

#include <rte_common.h>

#include "accel_devtree.h"
#include "accel_devtree_node.h"
#include "accel_logs.h"

#define DT_VERSION 17u /* manual section 10 */
#define DT_MAX_DEPTH 16
#define DT_MAX_NODES 2048u /* 129 queue pairs, 256 algorithms, and many unknown nodes */

/*
 * A frame of this driver has at most this number of fragments. The response counts descriptors in
 * 16 bits (manual 7.3), and the command and each fragment may need a type 0 of their own.
 */
#define DT_CAP_FRAGMENTS (UINT16_MAX / 2u - 1u)
/* A frame has at most this number of bytes, since the data path adds lengths in 32 bits. */
#define DT_CAP_FRAME_BYTES (1u << 30)

/*
 * A tree has two regions of each queue pair and nine others: function control, invalidation,
 * health, VF resource table, and five of mailboxes.
 */
static_assert(ACCEL_DT_MAX_REGS == 2 * ACCEL_DT_ALL_QPS + 9, "regions of a tree");

/*
 * Takes the region that pair number index of the property reg describes. It must consist of whole
 * pages inside BAR0, and share none with another region or the identity page (manual sections 3 and
 * 10).
 */
static int
dt_page(struct accel_dt_parser *p, const struct accel_dt_node *node, unsigned int index,
	uint32_t *offset)
{
	uint32_t start = accel_dt_cell(node, DT_REG, 2 * index);
	uint32_t size = accel_dt_cell(node, DT_REG, 2 * index + 1);
	unsigned int i;

	if (start % ACCEL_HW_PAGE_SIZE != 0 || size % ACCEL_HW_PAGE_SIZE != 0 || size == 0)
		return DT_REFUSE(node, "reg <0x%x 0x%x> is not made of pages", start, size);
	if ((uint64_t)start + size > p->bar_size)
		return DT_REFUSE(node, "reg <0x%x 0x%x> is not inside BAR0 of 0x%zx bytes", start,
				 size, p->bar_size);
	if (start < ACCEL_HW_IDENTITY_OFFSET + ACCEL_HW_PAGE_SIZE)
		return DT_REFUSE(node, "reg <0x%x 0x%x> covers the identity page", start, size);
	for (i = 0; i < p->nb_regions; i++) {
		const struct accel_dt_region *r = &p->region[i];

		if (start < (uint64_t)r->start + r->size && r->start < (uint64_t)start + size)
			return DT_REFUSE(node, "reg <0x%x 0x%x> shares a page with <0x%x 0x%x>",
					 start, size, r->start, r->size);
	}
	if (p->nb_regions == ACCEL_DT_MAX_REGS)
		return DT_REFUSE(node, "more than %u pages", ACCEL_DT_MAX_REGS);
	p->region[p->nb_regions++] = (struct accel_dt_region){ .start = start, .size = size };
	*offset = start;
	return 0;
}

/*
 * Takes the VF resource table, and how many queue pairs there are for VFs. Cards before 1.2 do not
 * say how many.
 */
static int
dt_take_vf_table(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	struct accel_devtree *dt = p->dt;

	dt->vf_table_size = accel_dt_cell(node, DT_REG, 1);
	if (!accel_dt_has(node, DT_QUEUE_PAIRS))
		return 0;
	if (accel_dt_check_cells(node, DT_QUEUE_PAIRS, 2) != 0)
		return -EINVAL;
	dt->vf_qps_listed = true;
	dt->vf_qps_all = accel_dt_cell(node, DT_QUEUE_PAIRS, 0);
	dt->vf_qps_one = RTE_MIN(accel_dt_cell(node, DT_QUEUE_PAIRS, 1), dt->vf_qps_all);
	return 0;
}

static int
dt_take_invalidate(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	return accel_dt_flag(node, DT_DROP_ALL, &p->dt->drop_all);
}

/* Takes the PF's mailbox regions. They have 64 bytes for each VF, as the resource table has. */
static int
dt_take_vf_mailbox(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	p->vf_mailbox_size = accel_dt_cell(node, DT_REG, 1);
	if (accel_dt_cell(node, DT_REG, 3) == p->vf_mailbox_size &&
	    accel_dt_cell(node, DT_REG, 5) == p->vf_mailbox_size)
		return 0;
	return DT_REFUSE(node, "its regions of 0x%x, 0x%x and 0x%x bytes differ in length",
			 p->vf_mailbox_size, accel_dt_cell(node, DT_REG, 3),
			 accel_dt_cell(node, DT_REG, 5));
}

static int
dt_take_dma(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	struct accel_devtree *dt = p->dt;

	if (accel_dt_u32(node, DT_RING_SIZE_MAX, ACCEL_HW_MIN_MAX_RING_SIZE, 1u << 31,
		   &dt->ring_size_max) != 0 ||
	    accel_dt_u32(node, DT_MAX_FRAGMENTS, ACCEL_HW_MIN_MAX_FRAGMENTS, UINT32_MAX,
		   &dt->max_fragments) != 0 ||
	    accel_dt_u32(node, DT_MAX_FRAME_BYTES, ACCEL_HW_MIN_MAX_FRAME_BYTES, UINT32_MAX,
		   &dt->max_frame_bytes) != 0)
		return -EINVAL;
	if (accel_dt_has(node, DT_OPERATION_MS) &&
	    accel_dt_u32(node, DT_OPERATION_MS, 1, ACCEL_HW_OPERATION_MAX_MS,
		   &dt->operation_ms) != 0)
		return -EINVAL;
	if (accel_dt_flag(node, DT_COMMAND_UPPER, &dt->command_upper) != 0 ||
	    accel_dt_flag(node, DT_COMMAND_RING, &dt->command_ring) != 0 ||
	    accel_dt_flag(node, DT_WB_AUTO, &dt->wb_auto) != 0 ||
	    accel_dt_flag(node, DT_REPORTS_WRITES, &dt->reports_writes) != 0)
		return -EINVAL;
	if (!rte_is_power_of_2(dt->ring_size_max))
		return DT_REFUSE(node, "%s is %u, not a power of two",
				 accel_dt_prop_name[DT_RING_SIZE_MAX], dt->ring_size_max);
	dt->max_fragments = RTE_MIN(dt->max_fragments, DT_CAP_FRAGMENTS);
	dt->max_frame_bytes = RTE_MIN(dt->max_frame_bytes, DT_CAP_FRAME_BYTES);
	return 0;
}

/*
 * Takes a queue pair into the next place after node->kind, which is 0, or ACCEL_DT_PK_QP for
 * public-key queue pairs. The driver can use a companion for each queue pair that it uses, and one
 * public-key queue pair more.
 */
static int
dt_take_qp(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	const bool pk = node->kind == ACCEL_DT_PK_QP;
	struct accel_devtree *dt = p->dt;
	uint32_t *nb = pk ? &dt->nb_pk_qps : &dt->nb_qps;

	if (accel_dt_check_cells(node, DT_REG, 4) != 0)
		return -EINVAL;
	if (*nb == ACCEL_DT_MAX_QPS + pk) {
		p->skipped_qps += !pk;
		return 0;
	}
	if (dt_page(p, node, 0, &dt->qp[node->kind + *nb].host) != 0 ||
	    dt_page(p, node, 1, &dt->qp[node->kind + *nb].device) != 0)
		return -EINVAL;
	(*nb)++;
	return 0;
}

#define PAGE(field) offsetof(struct accel_devtree, field)

/* Lists the bindings of manual section 10, except for the root. */
static const struct {
	const char *compatible;
	int (*take)(struct accel_dt_parser *p, const struct accel_dt_node *node); /* NULL: pages */
	unsigned int kind; /* for take() */
	bool many; /* there may be several such nodes */
	unsigned int nb_pages; /* regions of the node */
	size_t page[3]; /* where their offsets go */
} dt_binding[] = {
	{ ACCEL_HW_DT_CONTROL, .nb_pages = 1, .page = { PAGE(control) } },
	{ ACCEL_HW_DT_INVALIDATE, dt_take_invalidate, .nb_pages = 1,
	  .page = { PAGE(invalidate) } },
	{ ACCEL_HW_DT_VF_TABLE, dt_take_vf_table, .nb_pages = 1, .page = { PAGE(vf_table) } },
	{ ACCEL_HW_DT_VF_MAILBOX, dt_take_vf_mailbox, .nb_pages = 3,
	  .page = { PAGE(vf_answers), PAGE(vf_requests), PAGE(vf_status) } },
	{ ACCEL_HW_DT_MAILBOX, .nb_pages = 2,
	  .page = { PAGE(mailbox_host), PAGE(mailbox_device) } },
	{ ACCEL_HW_DT_HEALTH, .nb_pages = 1, .page = { PAGE(health) } },
	{ ACCEL_HW_DT_DMA, dt_take_dma },
	{ ACCEL_HW_DT_QP, dt_take_qp, .many = true },
	{ ACCEL_HW_DT_SYM, accel_dt_take_sym },
	{ ACCEL_HW_DT_CIPHER, accel_dt_take_alg, ACCEL_ALG_CIPHER, .many = true },
	{ ACCEL_HW_DT_AUTH, accel_dt_take_alg, ACCEL_ALG_AUTH, .many = true },
	{ ACCEL_HW_DT_AEAD, accel_dt_take_alg, ACCEL_ALG_AEAD, .many = true },
	{ ACCEL_HW_DT_DOCSIS, accel_dt_take_protocol, ACCEL_HW_PROTO_DOCSIS },
	{ ACCEL_HW_DT_PDCP, accel_dt_take_protocol, ACCEL_HW_PROTO_PDCP },
	{ ACCEL_HW_DT_ESP, accel_dt_take_protocol, ACCEL_HW_PROTO_ESP },
	{ ACCEL_HW_DT_AH, accel_dt_take_protocol, ACCEL_HW_PROTO_AH },
	{ ACCEL_HW_DT_TLS12, accel_dt_take_protocol, ACCEL_HW_PROTO_TLS12 },
	{ ACCEL_HW_DT_TLS13, accel_dt_take_protocol, ACCEL_HW_PROTO_TLS13 },
	{ ACCEL_HW_DT_DTLS12, accel_dt_take_protocol, ACCEL_HW_PROTO_DTLS12 },
	{ ACCEL_HW_DT_QP_PK, dt_take_qp, ACCEL_DT_PK_QP, .many = true },
	{ ACCEL_HW_DT_PK_ENGINES, accel_dt_take_pk_engines },
	{ ACCEL_HW_DT_PK, accel_dt_take_pk, .many = true },
	{ ACCEL_HW_DT_RANDOM, accel_dt_take_random },
};

static_assert(RTE_DIM(dt_binding) <= 32, "bits of accel_dt_parser.seen");

/* Takes a node of binding number i, the regions first. */
static int
dt_take(struct accel_dt_parser *p, const struct accel_dt_node *node, unsigned int i)
{
	const unsigned int nb = dt_binding[i].nb_pages;
	unsigned int page;

	if (!dt_binding[i].many && (p->seen >> i & 1) != 0)
		return DT_REFUSE(node, "there is more than one such node");
	p->seen |= 1u << i;
	if (nb != 0 && accel_dt_check_cells(node, DT_REG, 2 * nb) != 0)
		return -EINVAL;
	for (page = 0; page < nb; page++) {
		if (dt_page(p, node, page, RTE_PTR_ADD(p->dt, dt_binding[i].page[page])) != 0)
			return -EINVAL;
	}
	return dt_binding[i].take != NULL ? dt_binding[i].take(p, node) : 0;
}

static int
dt_take_root(struct accel_dt_node *node)
{
	const char *list = (const char *)node->prop[DT_COMPATIBLE].data;

	node->compatible = "root";
	if (!accel_dt_has(node, DT_COMPATIBLE) ||
	    !fdt_stringlist_contains(list, node->prop[DT_COMPATIBLE].len, ACCEL_HW_DT_ROOT))
		return DT_REFUSE(node, "not compatible with \"" ACCEL_HW_DT_ROOT "\"");
	if (accel_dt_check_cells(node, DT_ADDRESS_CELLS, 1) != 0 ||
	    accel_dt_check_cells(node, DT_SIZE_CELLS, 1) != 0)
		return -EINVAL;
	return 0;
}

/* Takes a node by its compatible property. Unknown nodes are ignored (manual section 10). */
static int
dt_take_node(struct accel_dt_parser *p, struct accel_dt_node *node)
{
	const char *list = (const char *)node->prop[DT_COMPATIBLE].data;
	unsigned int i;

	if (!accel_dt_has(node, DT_COMPATIBLE))
		return 0;
	for (i = 0; i < RTE_DIM(dt_binding); i++) {
		if (!fdt_stringlist_contains(list, node->prop[DT_COMPATIBLE].len,
					     dt_binding[i].compatible))
			continue;
		node->compatible = dt_binding[i].compatible;
		node->kind = dt_binding[i].kind;
		return dt_take(p, node, i);
	}
	return 0;
}

static int
dt_walk(struct accel_dt_parser *p)
{
	unsigned int nb_nodes = 0;
	struct accel_dt_node node;
	int offset, depth = 0;
	int ret;

	for (offset = fdt_next_node(p->blob, -1, &depth); offset >= 0 && depth >= 0;
	     offset = fdt_next_node(p->blob, offset, &depth)) {
		if (++nb_nodes > DT_MAX_NODES || depth > DT_MAX_DEPTH)
			return ACCEL_REFUSE(-EINVAL, "device tree refused: more than %u nodes or "
					    "%d levels", DT_MAX_NODES, DT_MAX_DEPTH);
		ret = accel_dt_read_node(p->blob, offset, &node);
		if (ret == 0)
			ret = accel_dt_check_node(&node);
		if (ret == 0)
			ret = nb_nodes == 1 ? dt_take_root(&node) : dt_take_node(p, &node);
		if (ret != 0)
			return ret;
	}
	if (offset < 0 && offset != -FDT_ERR_NOTFOUND)
		return ACCEL_REFUSE(-EINVAL, "device tree refused: %s", fdt_strerror(offset));
	return 0;
}

/* Checks that the blob is a flattened device tree that lies within size bytes. */
static int
dt_check_blob(const void *blob, size_t size)
{
	int ret;

	if (size < sizeof(struct fdt_header) || size > ACCEL_HW_DT_SIZE_MAX)
		return ACCEL_REFUSE(-EINVAL, "device tree refused: %zu bytes, not %zu to %u", size,
				    sizeof(struct fdt_header), ACCEL_HW_DT_SIZE_MAX);
	ret = fdt_check_header(blob);
	if (ret != 0)
		return ACCEL_REFUSE(-EINVAL, "device tree refused: header: %s", fdt_strerror(ret));
	if (fdt_totalsize(blob) > size)
		return ACCEL_REFUSE(-EINVAL, "device tree refused: its header says %u bytes, but "
				    "there are %zu", fdt_totalsize(blob), size);
	/* libfdt reads tags in place, so they must be aligned, as the standard says. */
	if (fdt_version(blob) != DT_VERSION || fdt_off_dt_struct(blob) % sizeof(fdt32_t) != 0 ||
	    fdt_off_mem_rsvmap(blob) % sizeof(uint64_t) != 0)
		return ACCEL_REFUSE(-EINVAL, "device tree refused: version %u or blocks not "
				    "aligned", fdt_version(blob));
	ret = fdt_check_full(blob, size);
	if (ret != 0)
		return ACCEL_REFUSE(-EINVAL, "device tree refused: %s", fdt_strerror(ret));
	return 0;
}

/* Checks, after the walk, that all required nodes exist. */
static int
dt_check_complete(struct accel_dt_parser *p)
{
	struct accel_devtree *dt = p->dt;

	if (dt->control == 0 || dt->invalidate == 0)
		return ACCEL_REFUSE(-EINVAL, "device tree refused: no node \"%s\"",
				    dt->control == 0 ? ACCEL_HW_DT_CONTROL :
						       ACCEL_HW_DT_INVALIDATE);
	if (dt->ring_size_max == 0)
		return ACCEL_REFUSE(-ENOTSUP, "device tree has no node \"%s\": the function needs "
				    "a newer driver", ACCEL_HW_DT_DMA);
	if (dt->vf_answers != 0 && p->vf_mailbox_size != dt->vf_table_size)
		return ACCEL_REFUSE(-EINVAL, "device tree refused: regions of \"%s\" have 0x%x "
				    "bytes, the VF resource table has 0x%x", ACCEL_HW_DT_VF_MAILBOX,
				    p->vf_mailbox_size, dt->vf_table_size);
	if (p->skipped_qps != 0)
		ACCEL_LOG(NOTICE, "%u queue pairs beyond %u are not used", p->skipped_qps,
			  ACCEL_DT_MAX_QPS);
	if (!dt->sym) { /* The algorithms need contexts, which sym-1 describes. */
		memset(dt->alg, 0, sizeof(dt->alg));
		memset(dt->protocol, 0, sizeof(dt->protocol));
	}
	return accel_dt_check_pk(p);
}

int
accel_devtree_parse(const void *blob, size_t size, size_t bar_size, struct accel_devtree *dt)
{
	struct accel_dt_parser parser = { .blob = blob, .bar_size = bar_size, .dt = dt };
	int ret;

	memset(dt, 0, sizeof(*dt));
	ret = dt_check_blob(blob, size);
	if (ret == 0)
		ret = dt_walk(&parser);
	if (ret == 0)
		ret = dt_check_complete(&parser);
	return ret;
}
