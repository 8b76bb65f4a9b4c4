/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads the card's device tree (manual section 10). The blob is untrusted: the parser walks it
 * once, node by node and within its bounds, and checks every number.
 */

#include <errno.h>
#include <string.h>

#include <libfdt.h>

#include <rte_common.h>

#include "accel_devtree.h"
#include "accel_logs.h"

#define DT_VERSION 17u /* manual section 10 */
#define DT_MAX_DEPTH 16
#define DT_MAX_NODES 2048u /* 64 queue pairs, 256 algorithms and room for unknown nodes */

/* Every card has at least these limits (manual section 11). */
#define DT_MIN_RING_SIZE_MAX 1024u
/*
 * The response counts descriptors in 16 bits (manual 7.3). The command and each fragment may need a
 * type 0 of their own, so a frame of this driver has no more fragments than this.
 */
#define DT_CAP_FRAGMENTS (UINT16_MAX / 2u - 1u)
/* The data path adds lengths in 32 bits. */
#define DT_CAP_FRAME_BYTES (1u << 30)

/* Number spaces of manual section 8.2. */
#define DT_CIPHER_FIRST 1u
#define DT_AEAD_FIRST 192u

#define DT_SET_BITS 64u /* a mask holds the numbers first to first + 63 */

#define DT_MAX_REGS (2u * ACCEL_DT_MAX_QPS + 4u)

/* Properties that this driver reads. */
enum dt_prop_id {
	DT_COMPATIBLE,
	DT_REG,
	DT_ADDRESS_CELLS,
	DT_SIZE_CELLS,
	DT_RING_SIZE_MAX,
	DT_MAX_FRAGMENTS,
	DT_MAX_FRAME_BYTES,
	DT_COMMAND_UPPER,
	DT_COMMAND_RING,
	DT_WB_AUTO,
	DT_CONTEXT_SIZE,
	DT_CHAIN_CIPHER_AUTH,
	DT_CHAIN_AUTH_CIPHER,
	DT_CHAIN_PAIRS,
	DT_DIGEST_IN_STREAM,
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
	DT_NB_PROPS
};

static const char *const dt_prop_name[DT_NB_PROPS] = {
	[DT_COMPATIBLE] = "compatible",
	[DT_REG] = "reg",
	[DT_ADDRESS_CELLS] = "#address-cells",
	[DT_SIZE_CELLS] = "#size-cells",
	[DT_RING_SIZE_MAX] = ACCEL_HW_DT_RING_SIZE_MAX,
	[DT_MAX_FRAGMENTS] = ACCEL_HW_DT_MAX_FRAGMENTS,
	[DT_MAX_FRAME_BYTES] = ACCEL_HW_DT_MAX_FRAME_BYTES,
	[DT_COMMAND_UPPER] = ACCEL_HW_DT_COMMAND_UPPER,
	[DT_COMMAND_RING] = ACCEL_HW_DT_COMMAND_RING,
	[DT_WB_AUTO] = ACCEL_HW_DT_WB_AUTO,
	[DT_CONTEXT_SIZE] = ACCEL_HW_DT_CONTEXT_SIZE,
	[DT_CHAIN_CIPHER_AUTH] = ACCEL_HW_DT_CHAIN_CIPHER_AUTH,
	[DT_CHAIN_AUTH_CIPHER] = ACCEL_HW_DT_CHAIN_AUTH_CIPHER,
	[DT_CHAIN_PAIRS] = ACCEL_HW_DT_CHAIN_PAIRS,
	[DT_DIGEST_IN_STREAM] = ACCEL_HW_DT_DIGEST_IN_STREAM,
	[DT_BIT_LENGTHS] = ACCEL_HW_DT_BIT_LENGTHS,
	[DT_ALG_ID] = ACCEL_HW_DT_ALG_ID,
	[DT_BLOCK_SIZE] = ACCEL_HW_DT_BLOCK_SIZE,
	[DT_KEY_SIZES] = ACCEL_HW_DT_KEY_SIZES,
	[DT_IV_SIZES] = ACCEL_HW_DT_IV_SIZES,
	[DT_DIGEST_SIZES] = ACCEL_HW_DT_DIGEST_SIZES,
	[DT_DATA_UNIT_SIZES] = ACCEL_HW_DT_DATA_UNIT_SIZES,
	[DT_AAD_SIZES] = ACCEL_HW_DT_AAD_SIZES,
	[DT_KEY_IV_SIZES] = ACCEL_HW_DT_KEY_IV_SIZES,
	[DT_DIGEST_LIST] = ACCEL_HW_DT_DIGEST_LIST,
	[DT_REGION_SIZES] = ACCEL_HW_DT_REGION_SIZES,
	[DT_CIPHERS] = ACCEL_HW_DT_CIPHERS,
	[DT_AUTHS] = ACCEL_HW_DT_AUTHS,
	[DT_SN_SIZES] = ACCEL_HW_DT_SN_SIZES,
};

/* One node, with the places of its known properties in the blob. */
struct dt_node {
	int offset; /* in the structure block, for messages */
	const char *compatible; /* the binding that matches */
	struct {
		const uint8_t *data;
		int len; /* -1: absent */
	} prop[DT_NB_PROPS];
};

struct dt_region {
	uint32_t start;
	uint32_t size;
};

/* State of one parse. */
struct dt_parser {
	const void *blob;
	size_t bar_size;
	struct accel_devtree *dt;
	unsigned int nb_control;
	unsigned int nb_invalidate;
	unsigned int nb_vf_table;
	unsigned int nb_health;
	unsigned int nb_dma;
	unsigned int nb_sym;
	unsigned int skipped_qps;
	unsigned int nb_regions;
	struct dt_region region[DT_MAX_REGS];
};

#define DT_ERR(node, fmt, ...)                                                                     \
	ACCEL_LOG(ERR, "device tree refused: %s at 0x%x: " fmt, (node)->compatible,                \
		  (unsigned int)(node)->offset, ##__VA_ARGS__)

/* Reads a cell of a property, whose address need not be aligned to it. */
static uint32_t
dt_cell(const struct dt_node *node, enum dt_prop_id id, unsigned int index)
{
	const uint8_t *p = node->prop[id].data + index * sizeof(fdt32_t);

	return ((uint32_t)p[0] << 24) | ((uint32_t)p[1] << 16) | ((uint32_t)p[2] << 8) | p[3];
}

static bool
dt_has(const struct dt_node *node, enum dt_prop_id id)
{
	return node->prop[id].len >= 0;
}

/* Checks that a property exists and has exactly this number of cells. */
static int
dt_check_cells(const struct dt_node *node, enum dt_prop_id id, unsigned int cells)
{
	if (!dt_has(node, id)) {
		DT_ERR(node, "property %s is missing", dt_prop_name[id]);
		return -EINVAL;
	}
	if ((unsigned int)node->prop[id].len != cells * sizeof(fdt32_t)) {
		DT_ERR(node, "property %s has %d bytes instead of %u", dt_prop_name[id],
		       node->prop[id].len, (unsigned int)(cells * sizeof(fdt32_t)));
		return -EINVAL;
	}
	return 0;
}

static int
dt_u32(const struct dt_node *node, enum dt_prop_id id, uint32_t min, uint32_t max, uint32_t *value)
{
	uint32_t v;

	if (dt_check_cells(node, id, 1) != 0)
		return -EINVAL;
	v = dt_cell(node, id, 0);
	if (v < min || v > max) {
		DT_ERR(node, "%s is %u, not in %u to %u", dt_prop_name[id], v, min, max);
		return -EINVAL;
	}
	*value = v;
	return 0;
}

/* Reads a range, <min max step>. The step is 0 if min equals max (manual section 10). */
static int
dt_range(const struct dt_node *node, enum dt_prop_id id, uint32_t limit, struct accel_range *range)
{
	uint32_t min, max, step;

	if (dt_check_cells(node, id, 3) != 0)
		return -EINVAL;
	min = dt_cell(node, id, 0);
	max = dt_cell(node, id, 1);
	step = dt_cell(node, id, 2);
	if (min > max || max > limit || (min == max) != (step == 0) ||
	    (step != 0 && (max - min) % step != 0)) {
		DT_ERR(node, "%s <%u %u %u> is no range up to %u", dt_prop_name[id], min, max, step,
		       limit);
		return -EINVAL;
	}
	range->min = (uint16_t)min;
	range->max = (uint16_t)max;
	range->step = (uint16_t)step;
	return 0;
}

/*
 * Takes pair number index of reg. It must consist of whole pages inside BAR0 that nothing else
 * uses, the identity page included (manual sections 3 and 10).
 */
static int
dt_page(struct dt_parser *p, const struct dt_node *node, unsigned int index, uint32_t *offset)
{
	uint32_t start = dt_cell(node, DT_REG, 2 * index);
	uint32_t size = dt_cell(node, DT_REG, 2 * index + 1);
	unsigned int i;

	if (start % ACCEL_HW_PAGE_SIZE != 0 || size % ACCEL_HW_PAGE_SIZE != 0 || size == 0) {
		DT_ERR(node, "reg <0x%x 0x%x> is not made of pages", start, size);
		return -EINVAL;
	}
	if ((uint64_t)start + size > p->bar_size) {
		DT_ERR(node, "reg <0x%x 0x%x> is not inside BAR0 of 0x%zx bytes", start, size,
		       p->bar_size);
		return -EINVAL;
	}
	if (start < ACCEL_HW_IDENTITY_OFFSET + ACCEL_HW_PAGE_SIZE) {
		DT_ERR(node, "reg <0x%x 0x%x> covers the identity page", start, size);
		return -EINVAL;
	}
	for (i = 0; i < p->nb_regions; i++) {
		const struct dt_region *r = &p->region[i];

		if (start < (uint64_t)r->start + r->size && r->start < (uint64_t)start + size) {
			DT_ERR(node, "reg <0x%x 0x%x> shares a page with <0x%x 0x%x>", start, size,
			       r->start, r->size);
			return -EINVAL;
		}
	}
	if (p->nb_regions == DT_MAX_REGS) {
		DT_ERR(node, "more than %u pages", DT_MAX_REGS);
		return -EINVAL;
	}
	p->region[p->nb_regions++] = (struct dt_region){ .start = start, .size = size };
	*offset = start;
	return 0;
}

/* Takes the page of a node that may exist only once. */
static int
dt_single_page(struct dt_parser *p, const struct dt_node *node, unsigned int *count,
	       uint32_t *offset)
{
	if ((*count)++ != 0) {
		DT_ERR(node, "there is more than one such node");
		return -EINVAL;
	}
	if (dt_check_cells(node, DT_REG, 2) != 0)
		return -EINVAL;
	return dt_page(p, node, 0, offset);
}

static int
dt_take_control(struct dt_parser *p, const struct dt_node *node)
{
	return dt_single_page(p, node, &p->nb_control, &p->dt->control);
}

static int
dt_take_invalidate(struct dt_parser *p, const struct dt_node *node)
{
	return dt_single_page(p, node, &p->nb_invalidate, &p->dt->invalidate);
}

static int
dt_take_vf_table(struct dt_parser *p, const struct dt_node *node)
{
	return dt_single_page(p, node, &p->nb_vf_table, &p->dt->vf_table);
}

static int
dt_take_health(struct dt_parser *p, const struct dt_node *node)
{
	return dt_single_page(p, node, &p->nb_health, &p->dt->health);
}

/* Reads an empty property, which says that something is there. */
static int
dt_flag(const struct dt_node *node, enum dt_prop_id id, bool *flag)
{
	*flag = dt_has(node, id);
	return *flag ? dt_check_cells(node, id, 0) : 0;
}

static int
dt_take_dma(struct dt_parser *p, const struct dt_node *node)
{
	struct accel_devtree *dt = p->dt;

	if (p->nb_dma++ != 0) {
		DT_ERR(node, "there is more than one such node");
		return -EINVAL;
	}
	if (dt_u32(node, DT_RING_SIZE_MAX, DT_MIN_RING_SIZE_MAX, 1u << 31,
		   &dt->ring_size_max) != 0 ||
	    dt_u32(node, DT_MAX_FRAGMENTS, ACCEL_HW_MIN_MAX_FRAGMENTS, UINT32_MAX,
		   &dt->max_fragments) != 0 ||
	    dt_u32(node, DT_MAX_FRAME_BYTES, ACCEL_HW_MIN_MAX_FRAME_BYTES, UINT32_MAX,
		   &dt->max_frame_bytes) != 0)
		return -EINVAL;
	if (dt_flag(node, DT_COMMAND_UPPER, &dt->command_upper) != 0 ||
	    dt_flag(node, DT_COMMAND_RING, &dt->command_ring) != 0 ||
	    dt_flag(node, DT_WB_AUTO, &dt->wb_auto) != 0)
		return -EINVAL;
	if (!rte_is_power_of_2(dt->ring_size_max)) {
		DT_ERR(node, "%s is %u, not a power of two", dt_prop_name[DT_RING_SIZE_MAX],
		       dt->ring_size_max);
		return -EINVAL;
	}
	dt->max_fragments = RTE_MIN(dt->max_fragments, DT_CAP_FRAGMENTS);
	dt->max_frame_bytes = RTE_MIN(dt->max_frame_bytes, DT_CAP_FRAME_BYTES);
	return 0;
}

static int
dt_take_qp(struct dt_parser *p, const struct dt_node *node)
{
	struct accel_devtree *dt = p->dt;

	if (dt_check_cells(node, DT_REG, 4) != 0)
		return -EINVAL;
	if (dt->nb_qps == ACCEL_DT_MAX_QPS) {
		p->skipped_qps++;
		return 0;
	}
	if (dt_page(p, node, 0, &dt->qp[dt->nb_qps].host) != 0 ||
	    dt_page(p, node, 1, &dt->qp[dt->nb_qps].device) != 0)
		return -EINVAL;
	dt->nb_qps++;
	return 0;
}

/*
 * Checks that a list is made of groups of cells, and gets the number of groups. An empty list is
 * right: then nothing is possible.
 */
static int
dt_list(const struct dt_node *node, enum dt_prop_id id, unsigned int cells, unsigned int *nb)
{
	const unsigned int group = cells * sizeof(fdt32_t);

	if ((unsigned int)node->prop[id].len % group != 0) {
		DT_ERR(node, "property %s has %d bytes, which are no groups of %u",
		       dt_prop_name[id], node->prop[id].len, group);
		return -EINVAL;
	}
	*nb = (unsigned int)node->prop[id].len / group;
	return 0;
}

/* Reads the pairs of a chain. Numbers that this driver does not know are ignored. */
static int
dt_chains(const struct dt_node *node, struct accel_devtree *dt)
{
	unsigned int nb, i;

	dt->chains_listed = dt_has(node, DT_CHAIN_PAIRS);
	if (!dt->chains_listed)
		return 0;
	if (dt_list(node, DT_CHAIN_PAIRS, 2, &nb) != 0)
		return -EINVAL;
	for (i = 0; i < nb; i++) {
		const uint32_t cipher = dt_cell(node, DT_CHAIN_PAIRS, 2 * i);
		const uint32_t auth = dt_cell(node, DT_CHAIN_PAIRS, 2 * i + 1) -
				      ACCEL_DT_AUTH_FIRST;

		if (cipher < ACCEL_DT_CIPHERS && auth < ACCEL_DT_AUTHS)
			dt->chains[cipher][auth / 64] |= UINT64_C(1) << auth % 64;
	}
	return 0;
}

static int
dt_take_sym(struct dt_parser *p, const struct dt_node *node)
{
	uint32_t size;

	if (p->nb_sym++ != 0) {
		DT_ERR(node, "there is more than one such node");
		return -EINVAL;
	}
	if (dt_u32(node, DT_CONTEXT_SIZE, sizeof(struct accel_hw_context),
		   sizeof(struct accel_hw_context), &size) != 0)
		return -EINVAL;
	if (dt_flag(node, DT_CHAIN_CIPHER_AUTH, &p->dt->chain_cipher_auth) != 0 ||
	    dt_flag(node, DT_CHAIN_AUTH_CIPHER, &p->dt->chain_auth_cipher) != 0 ||
	    dt_flag(node, DT_DIGEST_IN_STREAM, &p->dt->digest_in_stream) != 0)
		return -EINVAL;
	p->dt->sym = true;
	return dt_chains(node, p->dt);
}

static int
dt_units(const struct dt_node *node, struct accel_dt_alg *alg)
{
	uint32_t min, max;

	if (dt_check_cells(node, DT_DATA_UNIT_SIZES, 2) != 0)
		return -EINVAL;
	min = dt_cell(node, DT_DATA_UNIT_SIZES, 0);
	max = dt_cell(node, DT_DATA_UNIT_SIZES, 1);
	if (min < ACCEL_HW_DATA_UNIT_MIN || min > max || !rte_is_power_of_2(min) ||
	    !rte_is_power_of_2(max)) {
		DT_ERR(node, "data units of %u to %u bytes must be powers of two, %u or more", min,
		       max, ACCEL_HW_DATA_UNIT_MIN);
		return -EINVAL;
	}
	alg->unit_min = min;
	alg->unit_max = max;
	return 0;
}

static int
dt_key_iv(const struct dt_node *node, uint32_t key_max, struct accel_dt_alg *alg)
{
	unsigned int nb, i;

	if (dt_list(node, DT_KEY_IV_SIZES, 2, &nb) != 0)
		return -EINVAL;
	alg->key_iv_listed = true;
	for (i = 0; i < nb; i++) {
		const uint32_t key = dt_cell(node, DT_KEY_IV_SIZES, 2 * i);
		const uint32_t iv = dt_cell(node, DT_KEY_IV_SIZES, 2 * i + 1);

		if (key > key_max || iv > ACCEL_HW_LONG_IV_MAX) {
			DT_ERR(node, "a key of %u bytes with an IV of %u has no room in a context",
			       key, iv);
			return -EINVAL;
		}
		if (alg->nb_key_iv == ACCEL_DT_MAX_KEY_IV)
			continue;
		alg->key_iv[alg->nb_key_iv].key = (uint8_t)key;
		alg->key_iv[alg->nb_key_iv++].iv = (uint8_t)iv;
	}
	if (nb > ACCEL_DT_MAX_KEY_IV)
		ACCEL_LOG(NOTICE, "device tree: of %u pairs of key and IV the first %u are used",
			  nb, ACCEL_DT_MAX_KEY_IV);
	return 0;
}

static int
dt_digests(const struct dt_node *node, struct accel_dt_alg *alg)
{
	unsigned int nb, i;

	if (dt_list(node, DT_DIGEST_LIST, 1, &nb) != 0)
		return -EINVAL;
	alg->digest_listed = true;
	for (i = 0; i < nb; i++) {
		const uint32_t size = dt_cell(node, DT_DIGEST_LIST, i);

		if (size == 0 || size > ACCEL_HW_DIGEST_MAX) {
			DT_ERR(node, "a digest of %u bytes is not in 1 to %u", size,
			       ACCEL_HW_DIGEST_MAX);
			return -EINVAL;
		}
		alg->digests |= UINT64_C(1) << (size - 1);
	}
	return 0;
}

/*
 * Checks the sizes of regions. Nothing keeps them: rte_cryptodev has no name for them, and the card
 * answers an operation beyond them with a status.
 */
static int
dt_regions(const struct dt_node *node)
{
	if (dt_check_cells(node, DT_REGION_SIZES, 2) != 0)
		return -EINVAL;
	if (dt_cell(node, DT_REGION_SIZES, 0) > dt_cell(node, DT_REGION_SIZES, 1)) {
		DT_ERR(node, "the least region of %u bytes is above the largest of %u",
		       dt_cell(node, DT_REGION_SIZES, 0), dt_cell(node, DT_REGION_SIZES, 1));
		return -EINVAL;
	}
	return 0;
}

/* Reads the properties that an algorithm may lack. */
static int
dt_alg_options(const struct dt_node *node, uint32_t key_max, struct accel_dt_alg *alg)
{
	if (dt_has(node, DT_DATA_UNIT_SIZES) && dt_units(node, alg) != 0)
		return -EINVAL;
	if (dt_has(node, DT_KEY_IV_SIZES) && dt_key_iv(node, key_max, alg) != 0)
		return -EINVAL;
	if (dt_has(node, DT_DIGEST_LIST) && dt_digests(node, alg) != 0)
		return -EINVAL;
	if (dt_has(node, DT_REGION_SIZES) && dt_regions(node) != 0)
		return -EINVAL;
	return dt_flag(node, DT_BIT_LENGTHS, &alg->bits);
}

static int
dt_take_alg(struct dt_parser *p, const struct dt_node *node, enum accel_alg_class class,
	    uint32_t first, uint32_t last)
{
	uint32_t key_max = class == ACCEL_ALG_AUTH ? ACCEL_HW_AUTH_KEY_MAX :
						     ACCEL_HW_CIPHER_KEY_MAX;
	struct accel_dt_alg alg = { .class = class };
	uint32_t id, block;

	if (dt_u32(node, DT_ALG_ID, first, last, &id) != 0 ||
	    dt_u32(node, DT_BLOCK_SIZE, 1, UINT16_MAX, &block) != 0 ||
	    dt_range(node, DT_KEY_SIZES, key_max, &alg.key) != 0 ||
	    dt_range(node, DT_IV_SIZES, ACCEL_HW_LONG_IV_MAX, &alg.iv) != 0)
		return -EINVAL;
	if (class != ACCEL_ALG_CIPHER &&
	    dt_range(node, DT_DIGEST_SIZES, ACCEL_HW_DIGEST_MAX, &alg.digest) != 0)
		return -EINVAL;
	if (dt_alg_options(node, key_max, &alg) != 0)
		return -EINVAL;
	if (class == ACCEL_ALG_AEAD && dt_range(node, DT_AAD_SIZES, UINT16_MAX, &alg.aad) != 0)
		return -EINVAL;
	alg.block = (uint16_t)block;
	if (p->dt->alg[id].class != ACCEL_ALG_ABSENT) {
		ACCEL_LOG(WARNING, "device tree: algorithm %u is listed twice, using the first",
			  id);
		return 0;
	}
	p->dt->alg[id] = alg;
	return 0;
}

static int
dt_take_cipher(struct dt_parser *p, const struct dt_node *node)
{
	return dt_take_alg(p, node, ACCEL_ALG_CIPHER, DT_CIPHER_FIRST, ACCEL_DT_AUTH_FIRST - 1);
}

static int
dt_take_auth(struct dt_parser *p, const struct dt_node *node)
{
	return dt_take_alg(p, node, ACCEL_ALG_AUTH, ACCEL_DT_AUTH_FIRST, DT_AEAD_FIRST - 1);
}

static int
dt_take_aead(struct dt_parser *p, const struct dt_node *node)
{
	return dt_take_alg(p, node, ACCEL_ALG_AEAD, DT_AEAD_FIRST, ACCEL_HW_ALG_NB - 1);
}

/*
 * Reads a list of numbers as a mask that starts at number first. Numbers that do not fit are
 * unknown to this driver, and ignored.
 */
static int
dt_set(const struct dt_node *node, enum dt_prop_id id, uint32_t first, uint64_t *set)
{
	uint32_t n;
	int i;

	if (!dt_has(node, id) || node->prop[id].len % (int)sizeof(fdt32_t) != 0) {
		DT_ERR(node, "property %s is missing or not made of cells", dt_prop_name[id]);
		return -EINVAL;
	}
	*set = 0;
	for (i = 0; i < node->prop[id].len / (int)sizeof(fdt32_t); i++) {
		n = dt_cell(node, id, (unsigned int)i);
		if (n >= first && n - first < DT_SET_BITS)
			*set |= UINT64_C(1) << (n - first);
	}
	return 0;
}

static int
dt_take_docsis(struct dt_parser *p, const struct dt_node *node)
{
	struct accel_dt_protocol *docsis = &p->dt->docsis;
	uint32_t id;

	if (docsis->present) {
		DT_ERR(node, "there is more than one such node");
		return -EINVAL;
	}
	docsis->present = true;
	if (dt_u32(node, DT_ALG_ID, ACCEL_HW_PROTO_DOCSIS, ACCEL_HW_PROTO_DOCSIS, &id) != 0)
		return -EINVAL;
	return dt_set(node, DT_CIPHERS, 0, &docsis->ciphers);
}

static int
dt_take_pdcp(struct dt_parser *p, const struct dt_node *node)
{
	struct accel_dt_protocol *pdcp = &p->dt->pdcp;
	uint32_t id;

	if (pdcp->present) {
		DT_ERR(node, "there is more than one such node");
		return -EINVAL;
	}
	pdcp->present = true;
	if (dt_u32(node, DT_ALG_ID, ACCEL_HW_PROTO_PDCP, ACCEL_HW_PROTO_PDCP, &id) != 0 ||
	    dt_set(node, DT_CIPHERS, 0, &pdcp->ciphers) != 0 ||
	    dt_set(node, DT_AUTHS, ACCEL_DT_AUTH_FIRST, &pdcp->auths) != 0)
		return -EINVAL;
	return dt_set(node, DT_SN_SIZES, 0, &pdcp->sn_sizes);
}

/* The bindings of manual section 10, except for the root. */
static const struct {
	const char *compatible;
	int (*take)(struct dt_parser *p, const struct dt_node *node);
} dt_binding[] = {
	{ ACCEL_HW_DT_CONTROL, dt_take_control },
	{ ACCEL_HW_DT_INVALIDATE, dt_take_invalidate },
	{ ACCEL_HW_DT_VF_TABLE, dt_take_vf_table },
	{ ACCEL_HW_DT_HEALTH, dt_take_health },
	{ ACCEL_HW_DT_DMA, dt_take_dma },
	{ ACCEL_HW_DT_QP, dt_take_qp },
	{ ACCEL_HW_DT_SYM, dt_take_sym },
	{ ACCEL_HW_DT_CIPHER, dt_take_cipher },
	{ ACCEL_HW_DT_AUTH, dt_take_auth },
	{ ACCEL_HW_DT_AEAD, dt_take_aead },
	{ ACCEL_HW_DT_DOCSIS, dt_take_docsis },
	{ ACCEL_HW_DT_PDCP, dt_take_pdcp },
};

/*
 * Finds the known properties of the node at offset, in one pass, so that a node with many unknown
 * properties costs no more than its size.
 */
static int
dt_read_node(const void *blob, int offset, struct dt_node *node)
{
	const char *name;
	unsigned int id;
	int prop, len;
	const void *data;

	node->offset = offset;
	node->compatible = "node";
	for (id = 0; id < DT_NB_PROPS; id++) {
		node->prop[id].data = NULL;
		node->prop[id].len = -1;
	}
	for (prop = fdt_first_property_offset(blob, offset); prop >= 0;
	     prop = fdt_next_property_offset(blob, prop)) {
		data = fdt_getprop_by_offset(blob, prop, &name, &len);
		if (data == NULL || len < 0 || name == NULL) {
			DT_ERR(node, "malformed property");
			return -EINVAL;
		}
		for (id = 0; id < DT_NB_PROPS; id++) {
			if (strcmp(name, dt_prop_name[id]) == 0)
				break;
		}
		if (id == DT_NB_PROPS)
			continue;
		if (dt_has(node, id)) {
			DT_ERR(node, "property %s is there twice", dt_prop_name[id]);
			return -EINVAL;
		}
		node->prop[id].data = data;
		node->prop[id].len = len;
	}
	if (prop != -FDT_ERR_NOTFOUND) {
		DT_ERR(node, "%s", fdt_strerror(prop));
		return -EINVAL;
	}
	return 0;
}

/*
 * Tells whether a string is in a list. dt_check_node() has checked that the list ends with a NUL.
 */
static bool
dt_list_has(const char *list, int len, const char *string)
{
	const char *s;

	for (s = list; s < list + len; s += strlen(s) + 1) {
		if (strcmp(s, string) == 0)
			return true;
	}
	return false;
}

/* Checks the rules that hold for every node. */
static int
dt_check_node(const struct dt_node *node)
{
	static const enum dt_prop_id cells[] = { DT_ADDRESS_CELLS, DT_SIZE_CELLS };
	int len = node->prop[DT_COMPATIBLE].len;
	uint32_t one;
	unsigned int i;

	if (dt_has(node, DT_COMPATIBLE) &&
	    (len == 0 || node->prop[DT_COMPATIBLE].data[len - 1] != '\0')) {
		DT_ERR(node, "compatible is not a list of strings");
		return -EINVAL;
	}
	for (i = 0; i < RTE_DIM(cells); i++) {
		if (dt_has(node, cells[i]) && dt_u32(node, cells[i], 1, 1, &one) != 0)
			return -EINVAL;
	}
	return 0;
}

static int
dt_take_root(struct dt_node *node)
{
	const char *list = (const char *)node->prop[DT_COMPATIBLE].data;

	node->compatible = "root";
	if (!dt_has(node, DT_COMPATIBLE) ||
	    !dt_list_has(list, node->prop[DT_COMPATIBLE].len, ACCEL_HW_DT_ROOT)) {
		DT_ERR(node, "not compatible with \"" ACCEL_HW_DT_ROOT "\"");
		return -EINVAL;
	}
	if (dt_check_cells(node, DT_ADDRESS_CELLS, 1) != 0 ||
	    dt_check_cells(node, DT_SIZE_CELLS, 1) != 0)
		return -EINVAL;
	return 0;
}

/*
 * Nodes are found by their compatible property, and unknown ones are ignored (manual section 10).
 */
static int
dt_take_node(struct dt_parser *p, struct dt_node *node)
{
	const char *list = (const char *)node->prop[DT_COMPATIBLE].data;
	unsigned int i;

	if (!dt_has(node, DT_COMPATIBLE))
		return 0;
	for (i = 0; i < RTE_DIM(dt_binding); i++) {
		if (!dt_list_has(list, node->prop[DT_COMPATIBLE].len, dt_binding[i].compatible))
			continue;
		node->compatible = dt_binding[i].compatible;
		return dt_binding[i].take(p, node);
	}
	return 0;
}

static int
dt_walk(struct dt_parser *p)
{
	unsigned int nb_nodes = 0;
	struct dt_node node;
	int offset, depth = 0;
	int ret;

	for (offset = fdt_next_node(p->blob, -1, &depth); offset >= 0 && depth >= 0;
	     offset = fdt_next_node(p->blob, offset, &depth)) {
		if (++nb_nodes > DT_MAX_NODES || depth > DT_MAX_DEPTH) {
			ACCEL_LOG(ERR, "device tree refused: more than %u nodes or %d levels",
				  DT_MAX_NODES, DT_MAX_DEPTH);
			return -EINVAL;
		}
		ret = dt_read_node(p->blob, offset, &node);
		if (ret == 0)
			ret = dt_check_node(&node);
		if (ret == 0)
			ret = nb_nodes == 1 ? dt_take_root(&node) : dt_take_node(p, &node);
		if (ret != 0)
			return ret;
	}
	if (offset < 0 && offset != -FDT_ERR_NOTFOUND) {
		ACCEL_LOG(ERR, "device tree refused: %s", fdt_strerror(offset));
		return -EINVAL;
	}
	return 0;
}

/* Checks that this is a flattened device tree that lies within size bytes. */
static int
dt_check_blob(const void *blob, size_t size)
{
	int ret;

	if (size < sizeof(struct fdt_header) || size > ACCEL_HW_DT_SIZE_MAX) {
		ACCEL_LOG(ERR, "device tree refused: %zu bytes, not %zu to %u", size,
			  sizeof(struct fdt_header), ACCEL_HW_DT_SIZE_MAX);
		return -EINVAL;
	}
	ret = fdt_check_header(blob);
	if (ret != 0) {
		ACCEL_LOG(ERR, "device tree refused: header: %s", fdt_strerror(ret));
		return -EINVAL;
	}
	if (fdt_totalsize(blob) > size) {
		ACCEL_LOG(ERR, "device tree refused: its header says %u bytes, but there are %zu",
			  fdt_totalsize(blob), size);
		return -EINVAL;
	}
	/* libfdt reads tags in place, and the standard has them aligned. */
	if (fdt_version(blob) != DT_VERSION || fdt_off_dt_struct(blob) % sizeof(fdt32_t) != 0 ||
	    fdt_off_mem_rsvmap(blob) % sizeof(uint64_t) != 0) {
		ACCEL_LOG(ERR, "device tree refused: version %u or blocks not aligned",
			  fdt_version(blob));
		return -EINVAL;
	}
	ret = fdt_check_full(blob, size);
	if (ret != 0) {
		ACCEL_LOG(ERR, "device tree refused: %s", fdt_strerror(ret));
		return -EINVAL;
	}
	return 0;
}

/* Checks, after the walk, that all required nodes exist. */
static int
dt_check_complete(const struct dt_parser *p)
{
	struct accel_devtree *dt = p->dt;

	if (p->nb_control == 0 || p->nb_invalidate == 0) {
		ACCEL_LOG(ERR, "device tree refused: no node \"%s\"",
			  p->nb_control == 0 ? ACCEL_HW_DT_CONTROL : ACCEL_HW_DT_INVALIDATE);
		return -EINVAL;
	}
	if (p->nb_dma == 0 || dt->nb_qps == 0) {
		ACCEL_LOG(ERR, "device tree has no node \"%s\": the function needs a newer "
			  "driver, or has no queue pairs",
			  p->nb_dma == 0 ? ACCEL_HW_DT_DMA : ACCEL_HW_DT_QP);
		return -ENOTSUP;
	}
	if (p->skipped_qps != 0)
		ACCEL_LOG(NOTICE, "%u queue pairs beyond %u are not used", p->skipped_qps,
			  ACCEL_DT_MAX_QPS);
	if (!dt->sym) { /* The algorithms need contexts, which sym-1 describes. */
		memset(dt->alg, 0, sizeof(dt->alg));
		memset(&dt->docsis, 0, sizeof(dt->docsis));
		memset(&dt->pdcp, 0, sizeof(dt->pdcp));
	}
	return 0;
}

int
accel_devtree_parse(const void *blob, size_t size, size_t bar_size, struct accel_devtree *dt)
{
	struct dt_parser parser = { .blob = blob, .bar_size = bar_size, .dt = dt };
	int ret;

	memset(dt, 0, sizeof(*dt));
	ret = dt_check_blob(blob, size);
	if (ret == 0)
		ret = dt_walk(&parser);
	if (ret == 0)
		ret = dt_check_complete(&parser);
	return ret;
}
