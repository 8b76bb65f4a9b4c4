/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads the device tree: see tree.h.
 */
#include <libfdt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <accel_hw.h>

#include "tree.h"

__attribute__((format(printf, 2, 3))) static bool
refuse(struct tree *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (t->error[0] == '\0')
		vsnprintf(t->error, sizeof(t->error), format, ap);
	va_end(ap);
	return false;
}

/* Read a property of cells. Returns the number of cells, at most room, or -1 without the
 * property. */
static int
cells(const struct tree *t, int node, const char *name, uint32_t *to, unsigned int room)
{
	int len;
	const fdt32_t *p = fdt_getprop(t->blob, node, name, &len);
	unsigned int nb;

	if (p == NULL || len < 0 || len % 4 != 0)
		return -1;
	nb = (unsigned int)len / 4 < room ? (unsigned int)len / 4 : room;
	for (unsigned int i = 0; i < nb; i++) {
		fdt32_t cell;

		memcpy(&cell, &p[i], sizeof(cell));
		to[i] = fdt32_to_cpu(cell);
	}
	return (int)nb;
}

static bool
has(const struct tree *t, int node, const char *name)
{
	return fdt_getprop(t->blob, node, name, NULL) != NULL;
}

static void
number(const struct tree *t, int node, const char *name, uint32_t *to)
{
	uint32_t value;

	if (cells(t, node, name, &value, 1) == 1)
		*to = value;
}

static bool
range(struct tree *t, int node, const char *name, struct tree_range *r)
{
	uint32_t cell[4];
	int nb = cells(t, node, name, cell, 4);

	if (nb < 0)
		return true;
	if (nb != 3 || cell[0] > cell[1] || (cell[0] < cell[1] && cell[2] == 0))
		return refuse(t, "%s is not <min max step>", name);
	*r = (struct tree_range){ cell[0], cell[1], cell[2] };
	return true;
}

static unsigned int
list(const struct tree *t, int node, const char *name, uint32_t *to)
{
	int nb = cells(t, node, name, to, TREE_LIST);

	return nb > 0 ? (unsigned int)nb : 0;
}

static unsigned int
pairs(const struct tree *t, int node, const char *name, struct tree_pair *to, unsigned int room)
{
	uint32_t cell[2 * TREE_CHAINS];
	int nb = cells(t, node, name, cell, 2 * room);

	for (int i = 0; i + 1 < nb; i += 2)
		to[i / 2] = (struct tree_pair){ cell[i], cell[i + 1] };
	return nb > 0 ? (unsigned int)nb / 2 : 0;
}

/* Take the regions of a node, of @p each pages each. Each region must lie in BAR0, on a page
 * boundary. */
static bool
regions(struct tree *t, const struct transport *tr, int node, uint32_t *at, int nb, uint32_t each)
{
	const uint64_t bytes = (uint64_t)each * ACCEL_HW_PAGE_SIZE;
	uint32_t cell[8];

	if (cells(t, node, "reg", cell, 8) != 2 * nb)
		return refuse(t, "a reg has not %d regions", nb);
	for (int i = 0; i < nb; i++) {
		at[i] = cell[2 * i];
		if (at[i] == 0 || at[i] % ACCEL_HW_PAGE_SIZE != 0 || bytes > tr->bar_size ||
		    at[i] > tr->bar_size - bytes || cell[2 * i + 1] != bytes)
			return refuse(t, "a region at %#x with %#x bytes", at[i], cell[2 * i + 1]);
	}
	return true;
}

static bool
pages(struct tree *t, const struct transport *tr, int node, uint32_t *page, int nb)
{
	return regions(t, tr, node, page, nb, 1);
}

/* Find the resource table and the mailbox. The table says how many pages it has, and the regions of
 * the mailbox are as long. */
static bool
find_vf_table(struct tree *t, const struct transport *tr)
{
	int node = fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_VF_TABLE);
	uint32_t cell[3];

	if (node < 0)
		return true;
	if (cells(t, node, "reg", cell, 3) != 2 || cell[1] == 0 ||
	    cell[1] % ACCEL_HW_PAGE_SIZE != 0 || cell[1] / ACCEL_HW_PAGE_SIZE > TREE_VF_PAGES)
		return refuse(t, "the resource table is not from 1 to %u pages", TREE_VF_PAGES);
	t->vf_pages = cell[1] / ACCEL_HW_PAGE_SIZE;
	t->vf_limits = has(t, node, ACCEL_HW_DT_QUEUE_PAIRS);
	if (t->vf_limits) {
		if (cells(t, node, ACCEL_HW_DT_QUEUE_PAIRS, cell, 3) != 2)
			return refuse(t, ACCEL_HW_DT_QUEUE_PAIRS " has not two numbers");
		t->vf_all = cell[0];
		t->vf_most = cell[1];
	}
	return regions(t, tr, node, &t->vf_table, 1, t->vf_pages);
}

static bool
find_mailbox(struct tree *t, const struct transport *tr)
{
	int pf = fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_VF_MAILBOX);
	int vf = fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_MAILBOX);

	if (pf >= 0 && t->vf_table == 0)
		return refuse(t, "a mailbox for virtual functions without their resource table");
	if (pf >= 0 && !regions(t, tr, pf, t->vf_mailbox, 3, t->vf_pages))
		return false;
	return vf < 0 || pages(t, tr, vf, t->mailbox, 2);
}

static bool
find_firmware(struct tree *t, const struct transport *tr)
{
	int node = fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_FIRMWARE);

	return node < 0 || pages(t, tr, node, t->firmware, 2);
}

static bool
find_page(struct tree *t, const struct transport *tr, const char *compatible, uint32_t *page,
	  bool needed)
{
	int node = fdt_node_offset_by_compatible(t->blob, -1, compatible);

	*page = 0;
	if (node < 0)
		return needed ? refuse(t, "no node %s", compatible) : true;
	return pages(t, tr, node, page, 1);
}

/* True if this is a virtual function, which may have no queue pairs (manual 4.5). */
static bool
is_vf(const struct transport *tr)
{
	const volatile struct accel_hw_identity *id =
		(const volatile struct accel_hw_identity *)(const volatile void *)tr->bar;

	return (id->function & ACCEL_HW_FUNCTION_IS_VF) != 0;
}

static bool
find_queues(struct tree *t, const struct transport *tr, const char *compatible, struct tree_qp *qp,
	    unsigned int *nb, unsigned int room)
{
	int node = -1;

	for (*nb = 0; *nb < room; (*nb)++) {
		uint32_t page[2] = { 0, 0 };

		node = fdt_node_offset_by_compatible(t->blob, node, compatible);
		if (node < 0)
			break;
		if (!pages(t, tr, node, page, 2))
			return false;
		qp[*nb] = (struct tree_qp){ page[0], page[1] };
	}
	return true;
}

static bool
find_dma(struct tree *t, const struct transport *tr)
{
	int node = fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_DMA);

	if (node < 0)
		return refuse(t, "no node %s", ACCEL_HW_DT_DMA);
	number(t, node, ACCEL_HW_DT_RING_SIZE_MAX, &t->ring_size_max);
	number(t, node, ACCEL_HW_DT_MAX_FRAGMENTS, &t->max_fragments);
	number(t, node, ACCEL_HW_DT_MAX_FRAME_BYTES, &t->max_frame_bytes);
	number(t, node, ACCEL_HW_DT_OPERATION_MS, &t->operation_ms);
	t->command_upper = has(t, node, ACCEL_HW_DT_COMMAND_UPPER);
	t->command_ring = has(t, node, ACCEL_HW_DT_COMMAND_RING);
	t->reports_writes = has(t, node, ACCEL_HW_DT_REPORTS_WRITES);
	t->wb_auto = has(t, node, ACCEL_HW_DT_WB_AUTO);
	if (!find_queues(t, tr, ACCEL_HW_DT_QP, t->qp, &t->nb_qps, TREE_QPS) ||
	    !find_queues(t, tr, ACCEL_HW_DT_QP_PK, t->pk_qp, &t->nb_pk_qps, TREE_QPS + 1))
		return false;
	return t->nb_qps > 0 || is_vf(tr) ? true : refuse(t, "no queue pair");
}

static bool
find_algs(struct tree *t, const char *compatible, enum accel_hw_alg_class class)
{
	int node = -1;

	while (t->nb_algs < TREE_ALGS) {
		struct tree_alg *a = &t->alg[t->nb_algs];
		uint32_t two[2];

		node = fdt_node_offset_by_compatible(t->blob, node, compatible);
		if (node < 0)
			return true;
		memset(a, 0, sizeof(*a));
		a->class = class;
		number(t, node, ACCEL_HW_DT_ALG_ID, &a->id);
		number(t, node, ACCEL_HW_DT_BLOCK_SIZE, &a->block);
		if (!range(t, node, ACCEL_HW_DT_KEY_SIZES, &a->key) ||
		    !range(t, node, ACCEL_HW_DT_IV_SIZES, &a->iv) ||
		    !range(t, node, ACCEL_HW_DT_DIGEST_SIZES, &a->digest) ||
		    !range(t, node, ACCEL_HW_DT_AAD_SIZES, &a->aad))
			return false;
		if (cells(t, node, ACCEL_HW_DT_DATA_UNIT_SIZES, two, 2) == 2) {
			a->unit_min = two[0];
			a->unit_max = two[1];
		}
		if (cells(t, node, ACCEL_HW_DT_REGION_SIZES, two, 2) == 2) {
			a->region_min = two[0];
			a->region_max = two[1];
		}
		a->bits = has(t, node, ACCEL_HW_DT_BIT_LENGTHS);
		a->nb_key_iv = pairs(t, node, ACCEL_HW_DT_KEY_IV_SIZES, a->key_iv, TREE_PAIRS);
		a->nb_digests = list(t, node, ACCEL_HW_DT_DIGEST_LIST, a->digests);
		t->nb_algs++;
	}
	return true;
}

static void
find_protocol(struct tree *t, const char *compatible, struct tree_protocol *p)
{
	int node = fdt_node_offset_by_compatible(t->blob, -1, compatible);

	p->there = node >= 0;
	if (!p->there)
		return;
	p->nb_ciphers = list(t, node, ACCEL_HW_DT_CIPHERS, p->cipher);
	p->nb_auths = list(t, node, ACCEL_HW_DT_AUTHS, p->auth);
	p->nb_sn = list(t, node, ACCEL_HW_DT_SN_SIZES, p->sn);
}

static void
find_ipsec(struct tree *t, const char *compatible, struct tree_ipsec *p)
{
	int node = fdt_node_offset_by_compatible(t->blob, -1, compatible);

	find_protocol(t, compatible, &p->lists);
	if (node < 0)
		return;
	p->nb_aeads = list(t, node, ACCEL_HW_DT_AEADS, p->aead);
	number(t, node, ACCEL_HW_DT_OPTIONS, &p->options);
	number(t, node, ACCEL_HW_DT_REPLAY_WINDOW_MAX, &p->window);
	p->transport = has(t, node, ACCEL_HW_DT_TRANSPORT);
	p->overlap = has(t, node, ACCEL_HW_DT_OVERLAP);
}

static void
find_chains(struct tree *t, int node)
{
	t->chains_there = has(t, node, ACCEL_HW_DT_CHAINS);
	if (t->chains_there)
		number(t, node, ACCEL_HW_DT_CHAINS, &t->chains);
	t->cipher_auth = (t->chains >> ACCEL_HW_KIND_CIPHER_THEN_AUTH & 1) != 0;
	t->auth_cipher = (t->chains >> ACCEL_HW_KIND_AUTH_THEN_CIPHER & 1) != 0;
}

static bool
find_sym(struct tree *t)
{
	int node = fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_SYM);

	t->sym = node >= 0;
	if (!t->sym)
		return true;
	number(t, node, ACCEL_HW_DT_CONTEXT_SIZE, &t->context_size);
	find_chains(t, node);
	t->in_stream = has(t, node, ACCEL_HW_DT_DIGEST_IN_STREAM);
	t->iv_in_stream = has(t, node, ACCEL_HW_DT_AUTH_IV_IN_STREAM);
	t->aad_in_command = has(t, node, ACCEL_HW_DT_AAD_IN_COMMAND);
	t->pairs_listed = has(t, node, ACCEL_HW_DT_CHAIN_PAIRS);
	t->nb_pairs = pairs(t, node, ACCEL_HW_DT_CHAIN_PAIRS, t->pair, TREE_CHAINS);
	find_protocol(t, ACCEL_HW_DT_DOCSIS, &t->docsis);
	find_protocol(t, ACCEL_HW_DT_PDCP, &t->pdcp);
	find_ipsec(t, ACCEL_HW_DT_ESP, &t->esp);
	find_ipsec(t, ACCEL_HW_DT_AH, &t->ah);
	find_ipsec(t, ACCEL_HW_DT_TLS12, &t->tls12);
	find_ipsec(t, ACCEL_HW_DT_TLS13, &t->tls13);
	find_ipsec(t, ACCEL_HW_DT_DTLS12, &t->dtls12);
	return find_algs(t, ACCEL_HW_DT_CIPHER, ACCEL_HW_CLASS_CIPHER) &&
		find_algs(t, ACCEL_HW_DT_AUTH, ACCEL_HW_CLASS_AUTH) &&
		find_algs(t, ACCEL_HW_DT_AEAD, ACCEL_HW_CLASS_AEAD);
}

static void
find_pk(struct tree *t)
{
	int node = fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_PK_ENGINES);

	t->pk = node >= 0;
	if (!t->pk)
		return;
	number(t, node, ACCEL_HW_DT_KEY_SIZE_MAX, &t->key_size_max);
	number(t, node, ACCEL_HW_DT_OPERAND_SIZE_MAX, &t->operand_size_max);
	node = fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_RANDOM);
	if (node >= 0)
		number(t, node, ACCEL_HW_DT_MAX_BYTES, &t->random_max);
	for (node = -1; t->nb_pk_algs < TREE_PK_ALGS; t->nb_pk_algs++) {
		struct tree_pk *a = &t->pk_alg[t->nb_pk_algs];
		uint32_t two[2];

		node = fdt_node_offset_by_compatible(t->blob, node, ACCEL_HW_DT_PK);
		if (node < 0)
			return;
		number(t, node, ACCEL_HW_DT_ALG_ID, &a->id);
		number(t, node, ACCEL_HW_DT_OPERATIONS, &a->operations);
		number(t, node, ACCEL_HW_DT_PADDINGS, &a->paddings);
		number(t, node, ACCEL_HW_DT_VARIANTS, &a->variants);
		a->nb_curves = list(t, node, ACCEL_HW_DT_CURVES, a->curve);
		a->nb_hashes = list(t, node, ACCEL_HW_DT_HASHES, a->hash);
		if (cells(t, node, ACCEL_HW_DT_MODULUS_BITS, two, 2) == 2) {
			a->bits_min = two[0];
			a->bits_max = two[1];
		}
	}
}

/* Add the pages of a region that the function has. */
static uint32_t
add_pages(uint32_t *page, uint32_t nb, uint32_t region, uint32_t pages_)
{
	for (uint32_t i = 0; region != 0 && i < pages_; i++)
		page[nb++] = region + i * ACCEL_HW_PAGE_SIZE;
	return nb;
}

/* True if no page is used twice, and no page has a part of the tree. */
static bool
pages_differ(struct tree *t)
{
	uint32_t page[4 * TREE_QPS + 4 * TREE_VF_PAGES + 12], nb = 0;
	uint32_t dt_last = (t->offset + t->size - 1) / ACCEL_HW_PAGE_SIZE;

	page[nb++] = 0;
	page[nb++] = t->control;
	page[nb++] = t->invalidate;
	nb = add_pages(page, nb, t->health, 1);
	nb = add_pages(page, nb, t->vf_table, t->vf_pages);
	for (unsigned int i = 0; i < 3; i++)
		nb = add_pages(page, nb, t->vf_mailbox[i], t->vf_pages);
	for (unsigned int i = 0; i < 2; i++) {
		nb = add_pages(page, nb, t->mailbox[i], 1);
		nb = add_pages(page, nb, t->firmware[i], 1);
	}
	for (unsigned int i = 0; i < t->nb_qps; i++) {
		page[nb++] = t->qp[i].host;
		page[nb++] = t->qp[i].device;
	}
	for (unsigned int i = 0; i < t->nb_pk_qps; i++) {
		page[nb++] = t->pk_qp[i].host;
		page[nb++] = t->pk_qp[i].device;
	}
	for (uint32_t i = 0; i < nb; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (page[i] == page[j])
				return refuse(t, "two pages at %#x", page[i]);
		}
		if (i > 0 && page[i] / ACCEL_HW_PAGE_SIZE >= t->offset / ACCEL_HW_PAGE_SIZE &&
		    page[i] / ACCEL_HW_PAGE_SIZE <= dt_last)
			return refuse(t, "the page at %#x lies in the tree", page[i]);
	}
	return true;
}

/* Copy the tree out of BAR0. */
static bool
copy_tree(struct tree *t, const struct transport *tr)
{
	const volatile struct accel_hw_identity *id =
		(const volatile struct accel_hw_identity *)(const volatile void *)tr->bar;

	t->offset = id->dt_offset;
	t->size = id->dt_size;
	if (t->offset % 8 != 0 || t->offset < sizeof(*id) || t->size % 8 != 0 ||
	    t->size < sizeof(struct fdt_header) ||
	    t->size > ACCEL_HW_DT_SIZE_MAX || t->offset > tr->bar_size ||
	    t->size > tr->bar_size - t->offset)
		return refuse(t, "DT_OFFSET %#x, DT_SIZE %#x", t->offset, t->size);
	t->blob = malloc(t->size);
	if (t->blob == NULL)
		return refuse(t, "no memory");
	for (uint32_t i = 0; i < t->size; i += 8) {
		uint64_t word = *(const volatile uint64_t *)(const volatile void *)
				(tr->bar + t->offset + i);

		memcpy(t->blob + i, &word, sizeof(word));
	}
	if (fdt_check_full(t->blob, t->size) != 0)
		return refuse(t, "it is no flattened device tree");
	return true;
}

bool
tree_load(struct tree *t, const struct transport *transport)
{
	tree_free(t);
	if (!copy_tree(t, transport))
		return false;
	if (fdt_node_check_compatible(t->blob, 0, ACCEL_HW_DT_ROOT) != 0)
		return refuse(t, "the root is not %s", ACCEL_HW_DT_ROOT);
	find_pk(t);
	t->drop_all = has(t, fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_INVALIDATE),
			  ACCEL_HW_DT_DROP_ALL);
	return find_page(t, transport, ACCEL_HW_DT_CONTROL, &t->control, true) &&
		find_page(t, transport, ACCEL_HW_DT_INVALIDATE, &t->invalidate, true) &&
		find_vf_table(t, transport) && find_mailbox(t, transport) &&
		find_firmware(t, transport) &&
		find_page(t, transport, ACCEL_HW_DT_HEALTH, &t->health, false) &&
		find_dma(t, transport) && find_sym(t) && pages_differ(t);
}

void
tree_free(struct tree *t)
{
	free(t->blob);
	memset(t, 0, sizeof(*t));
}

const struct tree_alg *
tree_alg(const struct tree *t, uint32_t id)
{
	for (unsigned int i = 0; i < t->nb_algs; i++) {
		if (t->alg[i].id == id)
			return &t->alg[i];
	}
	return NULL;
}

const struct tree_pk *
tree_pk(const struct tree *t, uint32_t id)
{
	for (unsigned int i = 0; i < t->nb_pk_algs; i++) {
		if (t->pk_alg[i].id == id)
			return &t->pk_alg[i];
	}
	return NULL;
}

static bool
in_range(const struct tree_range *r, uint32_t value)
{
	return value >= r->min && value <= r->max &&
		(r->step == 0 ? value == r->min : (value - r->min) % r->step == 0);
}

bool
tree_lists(const uint32_t *list_, unsigned int nb, uint32_t number_)
{
	for (unsigned int i = 0; i < nb; i++) {
		if (list_[i] == number_)
			return true;
	}
	return false;
}

bool
tree_sizes(const struct tree_alg *alg, uint32_t key, uint32_t iv, uint32_t digest)
{
	bool pair = alg->nb_key_iv == 0;

	for (unsigned int i = 0; i < alg->nb_key_iv; i++)
		pair |= alg->key_iv[i].a == key && alg->key_iv[i].b == iv;
	return pair && in_range(&alg->key, key) && in_range(&alg->iv, iv) &&
		(alg->class == ACCEL_HW_CLASS_CIPHER || in_range(&alg->digest, digest)) &&
		(alg->nb_digests == 0 || tree_lists(alg->digests, alg->nb_digests, digest));
}

static uint32_t
distance(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

uint32_t
tree_nearest(const struct tree_range *r, uint32_t wanted)
{
	uint32_t past, below;

	if (r->step == 0 || wanted <= r->min)
		return r->min;
	if (wanted > r->max)
		wanted = r->max;
	past = (wanted - r->min) % r->step;
	below = wanted - past;
	return r->step - past < past && r->step <= r->max - below ? below + r->step : below;
}

uint32_t
tree_digest(const struct tree_alg *alg, uint32_t wanted)
{
	uint32_t best = alg->nb_digests > 0 ? alg->digests[0] : tree_nearest(&alg->digest, wanted);

	for (unsigned int i = 1; i < alg->nb_digests; i++) {
		if (distance(alg->digests[i], wanted) < distance(best, wanted))
			best = alg->digests[i];
	}
	return best;
}

bool
tree_chain(const struct tree *t, unsigned int kind, uint32_t cipher, uint32_t auth)
{
	if (tree_alg(t, cipher) == NULL || tree_alg(t, auth) == NULL)
		return false;
	if (kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ? !t->cipher_auth : !t->auth_cipher)
		return false;
	for (unsigned int i = 0; i < t->nb_pairs; i++) {
		if (t->pair[i].a == cipher && t->pair[i].b == auth)
			return true;
	}
	return !t->pairs_listed;
}
