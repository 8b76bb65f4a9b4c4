/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The driver's parser of the device tree: trees as in the manual, wrong values one at a time, and
 * random damage. Blobs lie directly before a page without access, so a read beyond their end fails
 * the test.
 */

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include <libfdt.h>

#include <rte_common.h>
#include <rte_log.h>

#include "accel_capabilities.h"
#include "accel_devtree.h"
#include "accel_logs.h"
#include "base/random.h"

#define PAGE 4096u
#define BAR_SIZE (64u * 1024)
#define MAX_QPS 80u
#define MAX_ALGS 8u
#define MAX_CELLS 80
#define GUARD_SIZE (2u * ACCEL_HW_DT_SIZE_MAX)

/* Cells of a property. n is their number, or -1 if the property is missing. */
struct cells {
	int n;
	uint32_t v[MAX_CELLS];
};

struct alg {
	const char *compatible;
	struct cells id, block, key, iv, digest, aad, unit;
	bool bits; /* with bit-lengths */
	struct cells bits_cells;
	unsigned int lists; /* which of the next three are there, as bits */
	struct cells key_iv, digests, regions;
};

struct proto {
	const char *compatible;
	struct cells id, ciphers, auths, sn;
	bool ipsec; /* with the rest, and without sn-sizes */
	struct cells aeads, options, window, transport, overlap;
};

/* The contents of a tree. Each test changes one thing of the good one. */
struct tree {
	const char *root;
	struct cells address_cells, size_cells;
	unsigned int nb_control, nb_invalidate, nb_vf_table, nb_health;
	unsigned int nb_dma, nb_sym, nb_qps, nb_algs;
	struct cells control, invalidate, vf_table, health;
	bool drops, timed, kinds; /* with drop-all, operation-ms, chains */
	struct cells drop_all, operation_ms, chain_kinds;
	struct cells ring_size_max, max_fragments, max_frame_bytes, command_upper, command_ring;
	bool ring; /* with command-ring */
	bool tunes; /* with wb-auto */
	struct cells wb_auto;
	struct cells qp[MAX_QPS];
	struct cells context_size, chain_cipher_auth, chain_auth_cipher, digest_in_stream;
	struct cells auth_iv_in_stream, aad_in_command;
	bool chains; /* with chain-pairs */
	struct cells chain_pairs;
	struct alg alg[MAX_ALGS];
	unsigned int nb_protos;
	struct proto proto[3];
	bool vf_pool; /* with queue-pairs */
	struct cells vf_qps;
	unsigned int nb_vf_mailbox, nb_mailbox;
	struct cells vf_mailbox, mailbox;
	unsigned int depth; /* of unknown nodes around the queue pairs */
	unsigned int unknown; /* number of unknown nodes */
};

static uint8_t *guard; /* followed by a page without access */
static uint8_t scratch[4 * ACCEL_HW_DT_SIZE_MAX];

#define CELLS(...)                                                                                 \
	{                                                                                          \
		.n = sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, .v = { __VA_ARGS__ }                 \
	}

static const struct tree good = {
	.root = ACCEL_HW_DT_ROOT,
	.address_cells = CELLS(1),
	.size_cells = CELLS(1),
	.nb_control = 1,
	.nb_invalidate = 1,
	.nb_vf_table = 1,
	.nb_dma = 1,
	.nb_sym = 1,
	.nb_qps = 2,
	.nb_algs = 4,
	.control = CELLS(0x1000, 0x1000),
	.invalidate = CELLS(0x2000, 0x1000),
	.vf_table = CELLS(0x3000, 0x1000),
	.ring_size_max = CELLS(262144),
	.max_fragments = CELLS(256),
	.max_frame_bytes = CELLS(1048576),
	.qp = { CELLS(0x8000, 0x1000, 0x9000, 0x1000), CELLS(0xf000, 0x1000, 0xe000, 0x1000) },
	.context_size = CELLS(320),
	.alg = {
		{
			.compatible = ACCEL_HW_DT_CIPHER,
			.id = CELLS(ACCEL_HW_CIPHER_AES_CBC),
			.block = CELLS(16),
			.key = CELLS(16, 32, 8),
			.iv = CELLS(16, 16, 0),
			.digest = { .n = -1 },
			.aad = { .n = -1 },
		},
		{
			.compatible = ACCEL_HW_DT_AUTH,
			.id = CELLS(ACCEL_HW_AUTH_SHA512_HMAC),
			.block = CELLS(128),
			.key = CELLS(1, 128, 1),
			.iv = CELLS(0, 0, 0),
			.digest = CELLS(12, 64, 4),
			.aad = { .n = -1 },
		},
		{
			.compatible = ACCEL_HW_DT_AEAD,
			.id = CELLS(ACCEL_HW_AEAD_AES_CCM),
			.block = CELLS(16),
			.key = CELLS(16, 16, 0),
			.iv = CELLS(7, 13, 1),
			.digest = CELLS(4, 16, 2),
			.aad = CELLS(0, 65535, 1),
		},
		{
			.compatible = ACCEL_HW_DT_CIPHER,
			.id = CELLS(63), /* not known to this driver */
			.block = CELLS(7),
			.key = CELLS(64, 64, 0),
			.iv = CELLS(0, 16, 16),
			.digest = { .n = -1 },
			.aad = { .n = -1 },
		},
	},
};

/*
 * Writing trees.
 */

static void
put(void *fdt, const char *name, const struct cells *c)
{
	fdt32_t be[MAX_CELLS];
	int i;

	for (i = 0; i < c->n; i++)
		be[i] = cpu_to_fdt32(c->v[i]);
	if (c->n >= 0)
		assert_int_equal(fdt_property(fdt, name, be, c->n * 4), 0);
}

static void
put_string(void *fdt, const char *name, const char *value)
{
	assert_int_equal(fdt_property(fdt, name, value, (int)strlen(value) + 1), 0);
}

static void
put_more_pages(void *fdt, unsigned int n, const char *compatible, const struct cells *reg,
	       const char *property, const struct cells *value)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "page-%u-%s", i, strchr(compatible, ',') + 1);
		fdt_begin_node(fdt, name);
		put_string(fdt, "compatible", compatible);
		put(fdt, "reg", reg);
		if (value != NULL)
			put(fdt, property, value);
		fdt_end_node(fdt);
	}
}

static void
put_pages(void *fdt, unsigned int n, const char *compatible, const struct cells *reg)
{
	put_more_pages(fdt, n, compatible, reg, NULL, NULL);
}

static void
put_dma(void *fdt, const struct tree *t)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < t->nb_dma; i++) {
		snprintf(name, sizeof(name), "dma-%u", i);
		fdt_begin_node(fdt, name);
		/* The driver has to search the whole list, because the right binding is its last
		 * entry. */
		assert_int_equal(fdt_property(fdt, "compatible",
					      "maker,dma-9\0" ACCEL_HW_DT_DMA,
					      sizeof("maker,dma-9\0" ACCEL_HW_DT_DMA)), 0);
		put(fdt, ACCEL_HW_DT_RING_SIZE_MAX, &t->ring_size_max);
		put(fdt, ACCEL_HW_DT_MAX_FRAGMENTS, &t->max_fragments);
		put(fdt, ACCEL_HW_DT_MAX_FRAME_BYTES, &t->max_frame_bytes);
		put(fdt, ACCEL_HW_DT_COMMAND_UPPER, &t->command_upper);
		if (t->ring)
			put(fdt, ACCEL_HW_DT_COMMAND_RING, &t->command_ring);
		if (t->tunes)
			put(fdt, ACCEL_HW_DT_WB_AUTO, &t->wb_auto);
		if (t->timed)
			put(fdt, ACCEL_HW_DT_OPERATION_MS, &t->operation_ms);
		fdt_end_node(fdt);
	}
}

static void
put_qps(void *fdt, const struct tree *t)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < t->depth; i++)
		fdt_begin_node(fdt, "around");
	for (i = 0; i < t->nb_qps; i++) {
		snprintf(name, sizeof(name), "queue@%u", i);
		fdt_begin_node(fdt, name);
		put_string(fdt, "compatible", ACCEL_HW_DT_QP);
		put(fdt, "reg", &t->qp[i]);
		fdt_end_node(fdt);
	}
	for (i = 0; i < t->depth; i++)
		fdt_end_node(fdt);
}

static void
put_alg(void *fdt, const struct alg *a, unsigned int index)
{
	char name[32];

	snprintf(name, sizeof(name), "alg-%u", index);
	fdt_begin_node(fdt, name);
	put_string(fdt, "compatible", a->compatible);
	put(fdt, ACCEL_HW_DT_ALG_ID, &a->id);
	put(fdt, ACCEL_HW_DT_BLOCK_SIZE, &a->block);
	put(fdt, ACCEL_HW_DT_KEY_SIZES, &a->key);
	put(fdt, ACCEL_HW_DT_IV_SIZES, &a->iv);
	put(fdt, ACCEL_HW_DT_DIGEST_SIZES, &a->digest);
	put(fdt, ACCEL_HW_DT_AAD_SIZES, &a->aad);
	if (a->unit.n != 0)
		put(fdt, ACCEL_HW_DT_DATA_UNIT_SIZES, &a->unit);
	if (a->bits)
		put(fdt, ACCEL_HW_DT_BIT_LENGTHS, &a->bits_cells);
	if (a->lists & 1)
		put(fdt, ACCEL_HW_DT_KEY_IV_SIZES, &a->key_iv);
	if (a->lists & 2)
		put(fdt, ACCEL_HW_DT_DIGEST_LIST, &a->digests);
	if (a->lists & 4)
		put(fdt, ACCEL_HW_DT_REGION_SIZES, &a->regions);
	fdt_end_node(fdt);
}

static void
put_ipsec(void *fdt, const struct proto *p)
{
	put(fdt, ACCEL_HW_DT_AEADS, &p->aeads);
	put(fdt, ACCEL_HW_DT_OPTIONS, &p->options);
	put(fdt, ACCEL_HW_DT_REPLAY_WINDOW_MAX, &p->window);
	put(fdt, ACCEL_HW_DT_TRANSPORT, &p->transport);
	put(fdt, ACCEL_HW_DT_OVERLAP, &p->overlap);
}

static void
put_proto(void *fdt, const struct proto *p, unsigned int index)
{
	char name[32];

	snprintf(name, sizeof(name), "protocol-%u", index);
	fdt_begin_node(fdt, name);
	put_string(fdt, "compatible", p->compatible);
	put(fdt, ACCEL_HW_DT_ALG_ID, &p->id);
	put(fdt, ACCEL_HW_DT_CIPHERS, &p->ciphers);
	put(fdt, ACCEL_HW_DT_AUTHS, &p->auths);
	if (!p->ipsec)
		put(fdt, ACCEL_HW_DT_SN_SIZES, &p->sn);
	else
		put_ipsec(fdt, p);
	fdt_end_node(fdt);
}

static void
put_sym(void *fdt, const struct tree *t)
{
	unsigned int i;

	for (i = 0; i < RTE_MAX(t->nb_sym, 1u); i++) {
		fdt_begin_node(fdt, i == 0 ? "sym" : "sym-again");
		if (t->nb_sym != 0) {
			put_string(fdt, "compatible", ACCEL_HW_DT_SYM);
			put(fdt, ACCEL_HW_DT_CONTEXT_SIZE, &t->context_size);
			put(fdt, ACCEL_HW_DT_CHAIN_CIPHER_AUTH, &t->chain_cipher_auth);
			put(fdt, ACCEL_HW_DT_CHAIN_AUTH_CIPHER, &t->chain_auth_cipher);
			put(fdt, ACCEL_HW_DT_DIGEST_IN_STREAM, &t->digest_in_stream);
			put(fdt, ACCEL_HW_DT_AUTH_IV_IN_STREAM, &t->auth_iv_in_stream);
			put(fdt, ACCEL_HW_DT_AAD_IN_COMMAND, &t->aad_in_command);
			if (t->kinds)
				put(fdt, ACCEL_HW_DT_CHAINS, &t->chain_kinds);
			if (t->chains)
				put(fdt, ACCEL_HW_DT_CHAIN_PAIRS, &t->chain_pairs);
		}
		if (i == 0) {
			unsigned int n;

			for (n = 0; n < t->nb_algs; n++)
				put_alg(fdt, &t->alg[n], n);
			for (n = 0; n < t->nb_protos; n++)
				put_proto(fdt, &t->proto[n], n);
		}
		fdt_end_node(fdt);
	}
}

/* Writes a tree into scratch and returns its size. */
static size_t
write_tree(const struct tree *t)
{
	unsigned int i;

	assert_int_equal(fdt_create(scratch, sizeof(scratch)), 0);
	assert_int_equal(fdt_finish_reservemap(scratch), 0);
	fdt_begin_node(scratch, "");
	put_string(scratch, "model", "test");
	if (t->root != NULL)
		put_string(scratch, "compatible", t->root);
	put(scratch, "#address-cells", &t->address_cells);
	put(scratch, "#size-cells", &t->size_cells);
	put_pages(scratch, t->nb_control, ACCEL_HW_DT_CONTROL, &t->control);
	put_more_pages(scratch, t->nb_invalidate, ACCEL_HW_DT_INVALIDATE, &t->invalidate,
		       ACCEL_HW_DT_DROP_ALL, t->drops ? &t->drop_all : NULL);
	put_more_pages(scratch, t->nb_vf_table, ACCEL_HW_DT_VF_TABLE, &t->vf_table,
		       ACCEL_HW_DT_QUEUE_PAIRS, t->vf_pool ? &t->vf_qps : NULL);
	put_pages(scratch, t->nb_vf_mailbox, ACCEL_HW_DT_VF_MAILBOX, &t->vf_mailbox);
	put_pages(scratch, t->nb_mailbox, ACCEL_HW_DT_MAILBOX, &t->mailbox);
	put_pages(scratch, t->nb_health, ACCEL_HW_DT_HEALTH, &t->health);
	for (i = 0; i < t->unknown; i++) {
		fdt_begin_node(scratch, "x");
		fdt_end_node(scratch);
	}
	put_dma(scratch, t);
	put_sym(scratch, t);
	put_qps(scratch, t);
	fdt_end_node(scratch);
	assert_int_equal(fdt_finish(scratch), 0);
	return fdt_totalsize(scratch);
}

/* Parses size bytes of blob, with nothing readable behind them. */
static int
parse(const void *blob, size_t size, struct accel_devtree *dt)
{
	/* It is aligned as the driver's copy is, so at most 7 bytes remain before the page. */
	uint8_t *at = guard + (GUARD_SIZE - size) / 8 * 8;

	memset(guard, 0xa5, GUARD_SIZE);
	memcpy(at, blob, size);
	memset(dt, 0x5a, sizeof(*dt));
	return accel_devtree_parse(at, size, BAR_SIZE, dt);
}

static int
parse_tree(const struct tree *t)
{
	static struct accel_devtree dt;

	return parse(scratch, write_tree(t), &dt);
}

/*
 * Trees that are right.
 */

static void
expect_range(const struct accel_hw_range *r, unsigned int min, unsigned int max, unsigned int step)
{
	assert_int_equal(r->min, min);
	assert_int_equal(r->max, max);
	assert_int_equal(r->step, step);
}

static void
expect_algs(const struct accel_devtree *dt)
{
	const struct accel_dt_alg *a = &dt->alg[ACCEL_HW_CIPHER_AES_CBC];
	unsigned int i, n = 0;

	assert_int_equal(a->class, ACCEL_ALG_CIPHER);
	assert_int_equal(a->block, 16);
	expect_range(&a->key, 16, 32, 8);
	expect_range(&a->iv, 16, 16, 0);
	a = &dt->alg[ACCEL_HW_AUTH_SHA512_HMAC];
	assert_int_equal(a->class, ACCEL_ALG_AUTH);
	assert_int_equal(a->block, 128);
	expect_range(&a->key, 1, 128, 1);
	expect_range(&a->iv, 0, 0, 0);
	expect_range(&a->digest, 12, 64, 4);
	a = &dt->alg[ACCEL_HW_AEAD_AES_CCM];
	assert_int_equal(a->class, ACCEL_ALG_AEAD);
	expect_range(&a->key, 16, 16, 0);
	expect_range(&a->iv, 7, 13, 1);
	expect_range(&a->digest, 4, 16, 2);
	expect_range(&a->aad, 0, 65535, 1);
	for (i = 0; i < ACCEL_HW_ALG_NB; i++)
		n += dt->alg[i].class != ACCEL_ALG_ABSENT;
	assert_int_equal(n, 3);
}

static void
test_good(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;

	(void)state;
	t.chain_cipher_auth.n = 0;
	t.chain_auth_cipher.n = 0;
	t.digest_in_stream.n = 0;
	t.auth_iv_in_stream.n = 0;
	t.aad_in_command.n = 0;
	t.command_upper.n = 0;
	t.alg[1].bits = true;
	t.depth = 3; /* Depth and names do not matter. */
	t.unknown = 5;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_int_equal(dt.control, 0x1000);
	assert_int_equal(dt.invalidate, 0x2000);
	assert_int_equal(dt.vf_table, 0x3000);
	assert_int_equal(dt.ring_size_max, 262144);
	assert_int_equal(dt.max_fragments, 256);
	assert_int_equal(dt.max_frame_bytes, 1048576);
	assert_true(dt.command_upper);
	assert_int_equal(dt.nb_qps, 2);
	assert_int_equal(dt.qp[0].host, 0x8000);
	assert_int_equal(dt.qp[0].device, 0x9000);
	assert_int_equal(dt.qp[1].host, 0xf000);
	assert_int_equal(dt.qp[1].device, 0xe000);
	assert_true(dt.sym);
	assert_true(dt.chain_cipher_auth);
	assert_true(dt.chain_auth_cipher);
	assert_true(dt.digest_in_stream);
	assert_true(dt.auth_iv_in_stream);
	assert_true(dt.aad_in_command);
	assert_true(dt.alg[t.alg[1].id.v[0]].bits);
	assert_false(dt.alg[t.alg[0].id.v[0]].bits);
	expect_algs(&dt);
}

static void
test_less(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;

	(void)state;
	/* This is a virtual function without chains and with the smallest limits. */
	t.nb_vf_table = 0;
	t.chain_cipher_auth.n = -1;
	t.chain_auth_cipher.n = -1;
	t.digest_in_stream.n = -1;
	t.auth_iv_in_stream.n = -1;
	t.aad_in_command.n = -1;
	t.ring_size_max.v[0] = 1024;
	t.max_fragments.v[0] = 16;
	t.max_frame_bytes.v[0] = 65536;
	t.command_upper.n = -1;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_int_equal(dt.vf_table, 0);
	assert_int_equal(dt.ring_size_max, 1024);
	assert_false(dt.command_upper);
	assert_true(dt.sym);
	assert_false(dt.chain_cipher_auth);
	assert_false(dt.chain_auth_cipher);
	assert_false(dt.digest_in_stream);
	assert_false(dt.auth_iv_in_stream);
	assert_false(dt.aad_in_command);
	expect_algs(&dt);

	/* Algorithms are of no use without a sym-1 node. */
	t.nb_sym = 0;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_false(dt.sym);
	assert_int_equal(dt.alg[ACCEL_HW_CIPHER_AES_CBC].class, ACCEL_ALG_ABSENT);
}

static void
test_more(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;
	unsigned int i;

	(void)state;
	/* Values beyond what the driver uses are bounded and no error. */
	t.ring_size_max.v[0] = 1u << 31;
	t.max_fragments.v[0] = UINT32_MAX;
	t.max_frame_bytes.v[0] = UINT32_MAX;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_int_equal(dt.ring_size_max, 1u << 31);
	assert_int_equal(dt.max_fragments, 32766);
	assert_int_equal(dt.max_frame_bytes, 1u << 30);

	/* Of two nodes for one algorithm the first counts. */
	t = good;
	t.alg[3] = t.alg[0];
	t.alg[3].key = (struct cells)CELLS(24, 24, 0);
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	expect_range(&dt.alg[ACCEL_HW_CIPHER_AES_CBC].key, 16, 32, 8);

	/* The driver takes 64 queue pairs, in the order of the tree. */
	t = good;
	t.nb_qps = MAX_QPS;
	for (i = 0; i < MAX_QPS; i++)
		t.qp[i] = (struct cells)CELLS(0x10000 + i * 0x2000, 0x1000, 0x11000 + i * 0x2000,
					      0x1000);
	i = (unsigned int)write_tree(&t);
	assert_int_equal(accel_devtree_parse(scratch, i, 1 << 20, &dt), 0);
	assert_int_equal(dt.nb_qps, 64);
	assert_int_equal(dt.qp[63].host, 0x10000 + 63 * 0x2000);
}

/*
 * Wrong values, one at a time.
 */

#define REFUSE(result, change)                                                                     \
	do {                                                                                       \
		static struct tree t; /* on the stack gcc with ASan would need minutes */        \
		int r;                                                                             \
		t = good;                                                                          \
		change;                                                                            \
		r = parse_tree(&t);                                                                \
		if (r != (result))                                                                 \
			fail_msg("%s: result %d, expected %d", #change, r, (result));              \
	} while (0)

static void
test_wrong_root(void **state)
{
	(void)state;
	REFUSE(-EINVAL, t.root = NULL);
	REFUSE(-EINVAL, t.root = "");
	REFUSE(-EINVAL, t.root = "crypto-accel,function-2");
	REFUSE(-EINVAL, t.root = "crypto-accel,function-11");
	REFUSE(-EINVAL, t.address_cells.n = -1);
	REFUSE(-EINVAL, t.address_cells.v[0] = 2);
	REFUSE(-EINVAL, t.size_cells.n = -1);
	REFUSE(-EINVAL, t.size_cells.n = 2);
	REFUSE(-EINVAL, t.size_cells.v[0] = 0);
}

static void
test_wrong_pages(void **state)
{
	(void)state;
	REFUSE(-EINVAL, t.nb_control = 0);
	REFUSE(-EINVAL, t.nb_control = 2);
	REFUSE(-EINVAL, t.nb_invalidate = 0);
	REFUSE(-EINVAL, t.nb_invalidate = 2);
	REFUSE(-EINVAL, t.nb_vf_table = 2);
	REFUSE(-EINVAL, t.control.n = -1);
	REFUSE(-EINVAL, t.control.n = 0);
	REFUSE(-EINVAL, t.control.n = 1);
	REFUSE(-EINVAL, t.control.n = 3);
	REFUSE(-EINVAL, t.control.v[0] = 0x1004); /* not a page */
	REFUSE(-EINVAL, t.control.v[1] = 0x800);
	REFUSE(-EINVAL, t.control.v[1] = 0);
	REFUSE(-EINVAL, t.control.v[0] = 0); /* the identity page */
	REFUSE(-EINVAL, t.control.v[0] = BAR_SIZE); /* behind the BAR */
	REFUSE(-EINVAL, t.control.v[0] = 0xfffff000);
	REFUSE(-EINVAL, (t.vf_table.v[0] = BAR_SIZE - PAGE, t.vf_table.v[1] = 2 * PAGE));
	REFUSE(-EINVAL, (t.vf_table.v[0] = 0x3000, t.vf_table.v[1] = 0xfffff000));
	REFUSE(-EINVAL, t.invalidate.v[0] = 0x1000); /* the control page */
	REFUSE(-EINVAL, (t.vf_table.v[0] = 0x7000, t.vf_table.v[1] = 0x2000)); /* queue pair 0 */
}

static void
test_wrong_queues(void **state)
{
	(void)state;
	REFUSE(-ENOTSUP, t.nb_dma = 0);
	REFUSE(-EINVAL, t.nb_dma = 2);
	REFUSE(-EINVAL, t.ring_size_max.n = -1);
	REFUSE(-EINVAL, t.ring_size_max.n = 2);
	REFUSE(-EINVAL, t.ring_size_max.v[0] = 0);
	REFUSE(-EINVAL, t.ring_size_max.v[0] = 512);
	REFUSE(-EINVAL, t.ring_size_max.v[0] = 1025);
	REFUSE(-EINVAL, t.ring_size_max.v[0] = UINT32_MAX);
	REFUSE(-EINVAL, t.max_fragments.v[0] = 15);
	REFUSE(-EINVAL, t.max_fragments.n = 0);
	REFUSE(-EINVAL, t.max_frame_bytes.v[0] = 65535);
	REFUSE(-EINVAL, t.max_frame_bytes.n = -1);
	REFUSE(-EINVAL, t.command_upper.n = 1);
	REFUSE(-EINVAL, t.qp[1].n = 2);
	REFUSE(-EINVAL, t.qp[1].n = -1);
	REFUSE(-EINVAL, t.qp[1].v[0] = 0x8000); /* the host page of queue pair 0 */
	REFUSE(-EINVAL, t.qp[1].v[2] = 0xf000); /* its own host page */
	REFUSE(-EINVAL, t.qp[1].v[2] = 0x1000);
	REFUSE(-EINVAL, t.qp[0].v[1] = 0x2000); /* over its device page */
	REFUSE(-EINVAL, t.qp[0].v[0] = 0);
	REFUSE(-EINVAL, t.qp[0].v[2] = 0x10000);
	REFUSE(-EINVAL, t.depth = 17);
	REFUSE(-EINVAL, t.unknown = 2048);
}

static void
test_wrong_sym(void **state)
{
	(void)state;
	REFUSE(-EINVAL, t.nb_sym = 2);
	REFUSE(-EINVAL, t.context_size.n = -1);
	REFUSE(-EINVAL, t.context_size.v[0] = 319);
	REFUSE(-EINVAL, t.context_size.v[0] = 384);
	REFUSE(-EINVAL, t.chain_cipher_auth.n = 1);
	REFUSE(-EINVAL, t.chain_auth_cipher.n = 1);
	REFUSE(-EINVAL, t.digest_in_stream.n = 1);
	REFUSE(-EINVAL, t.auth_iv_in_stream.n = 1);
	REFUSE(-EINVAL, t.aad_in_command.n = 1);
	REFUSE(-EINVAL, (t.alg[0].bits = true, t.alg[0].bits_cells.n = 1));
	REFUSE(-EINVAL, t.alg[0].id.n = -1);
	REFUSE(-EINVAL, t.alg[0].id.v[0] = ACCEL_HW_AUTH_SHA1);
	REFUSE(-EINVAL, t.alg[0].id.v[0] = ACCEL_HW_AEAD_AES_GCM);
	REFUSE(-EINVAL, t.alg[1].id.v[0] = ACCEL_HW_CIPHER_AES_CTR);
	REFUSE(-EINVAL, t.alg[1].id.v[0] = ACCEL_HW_AEAD_AES_GCM);
	REFUSE(-EINVAL, t.alg[2].id.v[0] = ACCEL_HW_AUTH_SHA1);
	REFUSE(-EINVAL, t.alg[0].block.v[0] = 0);
	REFUSE(-EINVAL, t.alg[0].block.v[0] = 65536);
	REFUSE(-EINVAL, t.alg[0].block.n = -1);
#define UNIT(...) t.alg[0].unit = (struct cells)CELLS(__VA_ARGS__)
	REFUSE(-EINVAL, UNIT(512));
	REFUSE(-EINVAL, UNIT(512, 4096, 1));
	REFUSE(-EINVAL, UNIT(8, 4096));
	REFUSE(-EINVAL, UNIT(4096, 512));
	REFUSE(-EINVAL, UNIT(512, 4095));
	REFUSE(-EINVAL, UNIT(513, 4096));
	REFUSE(-EINVAL, UNIT(0, 0));
#undef UNIT
	REFUSE(-EINVAL, t.alg[1].digest.n = -1);
	REFUSE(-EINVAL, t.alg[2].digest.n = -1);
	REFUSE(-EINVAL, t.alg[2].aad.n = -1);
}

/* A later minor version adds algorithms, with sizes that this driver has no room for (FN-3). */
static void
test_later_algorithms(void **state)
{
	static const uint32_t later[] = { 0, 63, 95, 191, 255, 256, 1000, UINT32_MAX };
	static struct accel_devtree dt;
	static struct tree t;
	unsigned int i, j;

	(void)state;
	for (i = 0; i < RTE_DIM(later); i++) {
		for (j = 0; j < 3; j++) {
			t = good;
			t.nb_algs = 5;
			t.alg[4] = t.alg[j];
			t.alg[4].id.v[0] = later[i];
			t.alg[4].key = (struct cells)CELLS(16, 2000, 1);
			t.alg[4].iv = (struct cells)CELLS(1, 96, 5);
			t.alg[4].block.v[0] = 65536;
			t.alg[4].unit = (struct cells)CELLS(1, 2, 3);
			assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
			expect_algs(&dt); /* the three of the good tree, and no other */
		}
	}
}

/* Authentication has a second range of numbers since contract 1.6 (manual 8.2). */
static void
test_second_range(void **state)
{
	const struct accel_hw_range mac = { 4, 16, 1 };
	static struct accel_devtree dt;
	static struct tree t;
	unsigned int id;

	(void)state;
	for (id = ACCEL_HW_AUTH_SNOW5G_NIA4; id <= ACCEL_HW_AUTH_ZUC_NIA6; id++) {
		t = good;
		t.nb_algs = 5;
		t.alg[4] = t.alg[1];
		t.alg[4].id.v[0] = id;
		t.alg[4].key = (struct cells)CELLS(32, 32, 0);
		t.alg[4].iv = (struct cells)CELLS(16, 16, 0);
		t.alg[4].digest = (struct cells)CELLS(4, 16, 1);
		t.chains = true;
		t.chain_pairs = (struct cells)CELLS(ACCEL_HW_CIPHER_AES_NEA5, id, 2, 224, 2, 72);
		assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
		assert_int_equal(dt.alg[id].class, ACCEL_ALG_AUTH);
		assert_memory_equal(&dt.alg[id].digest, &mac, sizeof(mac));
		assert_true(accel_hw_has_chain(&dt, ACCEL_HW_CIPHER_AES_NEA5, id));
		assert_true(accel_hw_has_chain(&dt, 2, 224));
		assert_true(accel_hw_has_chain(&dt, 2, 72));
		assert_false(accel_hw_has_chain(&dt, 2, 226));
		assert_false(accel_hw_has_chain(&dt, ACCEL_HW_CIPHER_AES_NEA5, 72));

		/* A number of another class is refused, as in the first range. */
		t.alg[4].compatible = ACCEL_HW_DT_CIPHER;
		assert_int_equal(parse(scratch, write_tree(&t), &dt), -EINVAL);
		t.alg[4].compatible = ACCEL_HW_DT_AEAD;
		t.alg[4].aad = (struct cells)CELLS(0, 65535, 1);
		assert_int_equal(parse(scratch, write_tree(&t), &dt), -EINVAL);
	}
	t = good;
	t.alg[1].id.v[0] = ACCEL_HW_AEAD_SNOW5G_NCA4;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), -EINVAL);
}

/* Unknown numbers in lists are left out, and empty lists are right. */
static void
test_protocols(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;

	(void)state;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_false(dt.docsis.present);
	assert_false(dt.pdcp.present);
	t.nb_protos = 2;
	t.proto[0] = (struct proto){ ACCEL_HW_DT_DOCSIS, CELLS(96), CELLS(10, 64, 63, UINT32_MAX),
				     { .n = -1 }, { .n = -1 } };
	t.proto[1] = (struct proto){ ACCEL_HW_DT_PDCP, CELLS(97), CELLS(1, 3),
				     CELLS(63, 64, 127, 128), { .n = 0 } };
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_true(dt.docsis.present);
	assert_int_equal(dt.docsis.ciphers, UINT64_C(1) << 63 | 1 << 10);
	assert_true(dt.pdcp.present);
	assert_int_equal(dt.pdcp.ciphers, 1 << 1 | 1 << 3);
	assert_int_equal(dt.pdcp.auths, UINT64_C(1) << 63 | 1);
	assert_int_equal(dt.pdcp.sn_sizes, 0);
	expect_algs(&dt);
	/* Protocols are of no use without contexts. */
	t.nb_sym = 0;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_false(dt.docsis.present);
	assert_false(dt.pdcp.present);
}

static void
test_wrong_protocols(void **state)
{
	struct tree t;

	(void)state;
#define LIE(change)                                                                                \
	do {                                                                                       \
		t = good;                                                                          \
		t.nb_protos = 2;                                                                   \
		t.proto[0] = (struct proto){ ACCEL_HW_DT_DOCSIS, CELLS(96), CELLS(10),             \
					     { .n = -1 }, { .n = -1 } };                           \
		t.proto[1] = (struct proto){ ACCEL_HW_DT_PDCP, CELLS(97), CELLS(1), CELLS(64),     \
					     CELLS(12) };                                          \
		assert_int_equal(parse_tree(&t), 0);                                               \
		change;                                                                            \
		assert_int_equal(parse_tree(&t), -EINVAL);                                         \
	} while (0)
	LIE(t.proto[0].id.n = -1);
	LIE(t.proto[0].id.v[0] = 97);
	LIE(t.proto[0].ciphers.n = -1);
	LIE({ t.nb_protos = 3; t.proto[2] = t.proto[0]; });
	LIE(t.proto[1].id.v[0] = 96);
	LIE(t.proto[1].id.n = 2);
	LIE(t.proto[1].ciphers.n = -1);
	LIE(t.proto[1].auths.n = -1);
	LIE(t.proto[1].sn.n = -1);
	LIE({ t.nb_protos = 3; t.proto[2] = t.proto[1]; });
#undef LIE
}

/* Adds what contract 1.3 has more to a tree: ESP with all and AH with little. */
static void
add_ipsec(struct tree *t)
{
	t->nb_protos = 2;
	t->proto[0] = (struct proto){
		.compatible = ACCEL_HW_DT_ESP, .id = CELLS(98), .ciphers = CELLS(1, 2, 64),
		.auths = CELLS(64, 72, 128), .ipsec = true, .aeads = CELLS(192, 255, 191, 256),
		.options = CELLS(UINT32_MAX), .window = CELLS(4096), .transport = { .n = 0 },
		.overlap = { .n = 0 },
	};
	t->proto[1] = (struct proto){
		.compatible = ACCEL_HW_DT_AH, .id = CELLS(99), .ciphers = { .n = -1 },
		.auths = CELLS(72), .ipsec = true, .aeads = { .n = -1 }, .options = CELLS(0x5),
		.window = CELLS(0), .transport = { .n = -1 }, .overlap = { .n = -1 },
	};
}

/* Unknown algorithms and options of IPsec are left out. */
static void
test_ipsec(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;

	(void)state;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_false(dt.esp.present);
	assert_false(dt.ah.present);
	add_ipsec(&t);
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_true(dt.esp.present);
	assert_int_equal(dt.esp.ciphers, 1 << 1 | 1 << 2);
	assert_int_equal(dt.esp.auths, 1 << 0 | 1 << 8);
	assert_int_equal(dt.esp.aeads, UINT64_C(1) << 63 | 1);
	assert_int_equal(dt.esp.options, 0x7fff);
	assert_int_equal(dt.esp.replay_window_max, 4096);
	assert_true(dt.esp.transport);
	assert_true(dt.esp.overlap);
	assert_true(dt.ah.present);
	assert_int_equal(dt.ah.ciphers, 1 << 1); /* NULL stands for none */
	assert_int_equal(dt.ah.auths, 1 << 8);
	assert_int_equal(dt.ah.aeads, 0);
	assert_int_equal(dt.ah.options, 5);
	assert_int_equal(dt.ah.replay_window_max, 0);
	assert_false(dt.ah.transport);
	assert_false(dt.ah.overlap);
	t.nb_sym = 0; /* IPsec needs contexts, too */
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_false(dt.esp.present);
	assert_false(dt.ah.present);
}

/* Adds the nodes of TLS: TLS 1.2 with little, TLS 1.3, and DTLS 1.2 with a window. */
static void
add_tls(struct tree *t)
{
	const struct proto tls = {
		.compatible = ACCEL_HW_DT_TLS12, .id = CELLS(100), .ciphers = CELLS(1, 2),
		.auths = CELLS(72), .ipsec = true, .aeads = CELLS(192), .options = { .n = -1 },
		.window = { .n = -1 }, .transport = { .n = -1 }, .overlap = { .n = -1 },
	};

	t->nb_protos = 3;
	t->proto[0] = t->proto[1] = t->proto[2] = tls;
	t->proto[1].compatible = ACCEL_HW_DT_TLS13;
	t->proto[1].id.v[0] = 101;
	t->proto[1].ciphers.n = t->proto[1].auths.n = -1;
	t->proto[1].overlap.n = 0;
	t->proto[2].compatible = ACCEL_HW_DT_DTLS12;
	t->proto[2].id.v[0] = 102;
	t->proto[2].window = (struct cells)CELLS(64);
}

static void
test_tls(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;

	(void)state;
	add_tls(&t);
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_true(dt.tls12.present && dt.tls13.present && dt.dtls12.present);
	assert_int_equal(dt.tls12.ciphers, 1 << 1 | 1 << 2);
	assert_int_equal(dt.tls12.auths, 1 << 8);
	assert_int_equal(dt.tls12.aeads, 1);
	assert_false(dt.tls12.overlap);
	assert_int_equal(dt.tls13.ciphers, 0);
	assert_int_equal(dt.tls13.aeads, 1);
	assert_true(dt.tls13.overlap);
	assert_int_equal(dt.dtls12.replay_window_max, 64);
	t.nb_sym = 0; /* TLS needs contexts, too */
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_false(dt.tls12.present || dt.tls13.present || dt.dtls12.present);
}

static void
test_wrong_tls(void **state)
{
	struct tree t;

	(void)state;
#define LIE(change)                                                                                \
	do {                                                                                       \
		t = good;                                                                          \
		add_tls(&t);                                                                       \
		assert_int_equal(parse_tree(&t), 0);                                               \
		change;                                                                            \
		assert_int_equal(parse_tree(&t), -EINVAL);                                         \
	} while (0)
	LIE(t.proto[0].id.v[0] = 101);
	LIE(t.proto[0].ciphers.n = -1);
	LIE(t.proto[0].auths.n = -1);
	LIE(t.proto[0].aeads.n = -1);
	LIE(t.proto[1].id.v[0] = 100);
	LIE(t.proto[1].aeads.n = -1);
	LIE(t.proto[2].window.n = -1);
	LIE(t.proto[2].window.v[0] = 4097);
	LIE(t.proto[1] = t.proto[0]);
#undef LIE
}

static void
test_wrong_ipsec(void **state)
{
	struct tree t;
	unsigned int i;

	(void)state;
#define LIE(change)                                                                                \
	do {                                                                                       \
		t = good;                                                                          \
		add_ipsec(&t);                                                                     \
		assert_int_equal(parse_tree(&t), 0);                                               \
		change;                                                                            \
		assert_int_equal(parse_tree(&t), -EINVAL);                                         \
	} while (0)
	for (i = 0; i < 2; i++) {
		LIE(t.proto[i].id.n = -1);
		LIE(t.proto[i].id.v[0] = 97);
		LIE(t.proto[i].id.v[0] = i == 0 ? 99 : 98);
		LIE(t.proto[i].auths.n = -1);
		LIE(t.proto[i].options.n = -1);
		LIE(t.proto[i].options.n = 2);
		LIE(t.proto[i].window.n = -1);
		LIE(t.proto[i].window.v[0] = 4097); /* a state has no room for it */
		LIE(t.proto[i].window.v[0] = UINT32_MAX);
		LIE(t.proto[i].transport = (struct cells)CELLS(1));
		LIE(t.proto[i].overlap = (struct cells)CELLS(1));
		LIE({ t.nb_protos = 3; t.proto[2] = t.proto[i]; });
	}
	LIE(t.proto[0].ciphers.n = -1);
	LIE(t.proto[0].aeads.n = -1);
#undef LIE
}

/* Adds what contract 1.1 has more to a tree. */
static void
add_1_1(struct tree *t)
{
	t->nb_health = 1;
	t->health = (struct cells)CELLS(0x4000, 0x1000);
	t->ring = true;
	t->chains = true;
	/* Numbers that no cipher and no authentication has are ignored. */
	t->chain_pairs = (struct cells)CELLS(2, 72, 3, 191, 64, 72, 2, 63, 2, 256, UINT32_MAX, 72);
	t->alg[0].lists = 5;
	t->alg[0].key_iv = (struct cells)CELLS(16, 16, 32, 25);
	t->alg[0].regions = (struct cells)CELLS(1, 2500);
	t->alg[1].lists = 2;
	t->alg[1].digests = (struct cells)CELLS(64, 1, 12);
}

/* A card of contract 1.1 says more. One of 1.0 lacks all of it. */
static void
test_contract_1_1(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;
	unsigned int i;

	(void)state;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_int_equal(dt.health, 0);
	assert_false(dt.command_ring);
	assert_false(dt.chains_listed);
	assert_false(dt.alg[ACCEL_HW_CIPHER_AES_CBC].key_iv_listed);
	assert_false(dt.alg[ACCEL_HW_AUTH_SHA512_HMAC].digest_listed);

	add_1_1(&t);
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_int_equal(dt.health, 0x4000);
	assert_true(dt.command_ring);
	assert_true(dt.chains_listed);
	assert_int_equal(dt.chains[2][0], 1 << 8);
	assert_int_equal(dt.chains[3][1], UINT64_C(1) << 63);
	for (i = 0; i < ACCEL_DT_CIPHERS; i++)
		if (i != 2 && i != 3)
			assert_int_equal(dt.chains[i][0] | dt.chains[i][1] | dt.chains[i][2], 0);
	assert_true(dt.alg[2].key_iv_listed);
	assert_int_equal(dt.alg[2].nb_key_iv, 2);
	assert_int_equal(dt.alg[2].key_iv[1].key, 32);
	assert_int_equal(dt.alg[2].key_iv[1].iv, 25);
	assert_true(dt.alg[ACCEL_HW_AUTH_SHA512_HMAC].digest_listed);
	assert_int_equal(dt.alg[ACCEL_HW_AUTH_SHA512_HMAC].digests,
			 UINT64_C(1) << 63 | 1 << 11 | 1);

	/* Empty lists are right; of a long one the driver keeps what it has room for. */
	t.chain_pairs.n = 0;
	t.alg[1].digests.n = 0;
	t.alg[0].key_iv.n = MAX_CELLS;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_true(dt.chains_listed);
	assert_int_equal(dt.chains[2][0], 0);
	assert_true(dt.alg[ACCEL_HW_AUTH_SHA512_HMAC].digest_listed);
	assert_int_equal(dt.alg[ACCEL_HW_AUTH_SHA512_HMAC].digests, 0);
	assert_int_equal(dt.alg[2].nb_key_iv, ACCEL_DT_MAX_KEY_IV);
}

/* What contract 1.5 adds. `chains` counts more than the properties of before. */
static void
test_contract_1_5(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;
	uint32_t kinds;

	(void)state;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_false(dt.drop_all);
	assert_int_equal(dt.operation_ms, 0);
	t.drops = t.timed = t.kinds = true;
	t.operation_ms = (struct cells)CELLS(ACCEL_HW_OPERATION_MAX_MS);
	for (kinds = 0; kinds < 64; kinds++) {
		t.chain_kinds = (struct cells)CELLS(kinds | 1u << 31);
		assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
		assert_int_equal(dt.chain_cipher_auth, kinds >> 3 & 1);
		assert_int_equal(dt.chain_auth_cipher, kinds >> 4 & 1);
	}
	assert_true(dt.drop_all);
	assert_int_equal(dt.operation_ms, ACCEL_HW_OPERATION_MAX_MS);
}

static void
test_wrong_1_5(void **state)
{
	(void)state;
#define OPERATION(...) (t.timed = true, t.operation_ms = (struct cells)CELLS(__VA_ARGS__))
	REFUSE(-EINVAL, OPERATION(0));
	REFUSE(-EINVAL, OPERATION(ACCEL_HW_OPERATION_MAX_MS + 1));
	REFUSE(-EINVAL, OPERATION(1, 1));
#undef OPERATION
	REFUSE(-EINVAL, (t.drops = true, t.drop_all.n = 1));
	REFUSE(-EINVAL, (t.kinds = true, t.chain_kinds.n = 0));
	REFUSE(-EINVAL, (t.kinds = true, t.chain_kinds.n = 2));
}

static void
test_wb_auto(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;

	(void)state;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_false(dt.wb_auto);
	t.tunes = true;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_true(dt.wb_auto);
}

static void
test_wrong_1_1(void **state)
{
	(void)state;
#define HEALTH(n, ...) (t.nb_health = (n), t.health = (struct cells)CELLS(__VA_ARGS__))
	REFUSE(-EINVAL, HEALTH(2, 0x4000, 0x1000));
	REFUSE(-EINVAL, HEALTH(1, 0x4000));
	REFUSE(-EINVAL, HEALTH(1, 0, 0x1000)); /* identity */
	REFUSE(-EINVAL, HEALTH(1, 0x1000, 0x1000)); /* the control page */
	REFUSE(-EINVAL, HEALTH(1, 0x4800, 0x1000));
	REFUSE(-EINVAL, HEALTH(1, BAR_SIZE, 0x1000));
#undef HEALTH
	REFUSE(-EINVAL, (t.ring = true, t.command_ring.n = 1));
	REFUSE(-EINVAL, (t.tunes = true, t.wb_auto.n = 1));
#define PAIRS(...) (t.chains = true, t.chain_pairs = (struct cells)CELLS(__VA_ARGS__))
	REFUSE(-EINVAL, PAIRS(2));
	REFUSE(-EINVAL, PAIRS(2, 72, 3));
#undef PAIRS
#define LIST(a, bit, field, ...)                                                                   \
	(t.alg[a].lists = (bit), t.alg[a].field = (struct cells)CELLS(__VA_ARGS__))
	REFUSE(-EINVAL, LIST(0, 1, key_iv, 16));
	REFUSE(-EINVAL, LIST(0, 1, key_iv, 16, 16, 32));
	REFUSE(-EINVAL, LIST(0, 1, key_iv, 65, 16));
	REFUSE(-EINVAL, LIST(0, 1, key_iv, 16, 33));
	REFUSE(-EINVAL, LIST(1, 1, key_iv, 193, 0));
	REFUSE(-EINVAL, LIST(1, 1, key_iv, UINT32_MAX, 0));
	REFUSE(-EINVAL, LIST(1, 2, digests, 0));
	REFUSE(-EINVAL, LIST(1, 2, digests, 12, 65));
	REFUSE(-EINVAL, LIST(1, 2, digests, UINT32_MAX));
	REFUSE(-EINVAL, LIST(0, 4, regions, 1));
	REFUSE(-EINVAL, LIST(0, 4, regions, 2, 1));
	REFUSE(-EINVAL, LIST(0, 4, regions, 0, 1, 2));
#undef LIST
}

/* Adds what contract 1.2 has more to the tree of a PF. There is room for 128 VFs. */
static void
add_1_2(struct tree *t)
{
	t->vf_table = (struct cells)CELLS(0x4000, 0x2000);
	t->vf_pool = true;
	t->vf_qps = (struct cells)CELLS(64, 8);
	t->nb_vf_mailbox = 1;
	t->vf_mailbox = (struct cells)CELLS(0x6000, 0x2000, 0xa000, 0x2000, 0xc000, 0x2000);
}

static void
test_contract_1_2(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;

	(void)state;
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_int_equal(dt.vf_table_size, 0x1000);
	assert_false(dt.vf_qps_listed);
	assert_int_equal(dt.vf_answers | dt.vf_requests | dt.vf_status, 0);
	assert_int_equal(dt.mailbox_host | dt.mailbox_device, 0);

	add_1_2(&t);
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_int_equal(dt.vf_table, 0x4000);
	assert_int_equal(dt.vf_table_size, 0x2000);
	assert_true(dt.vf_qps_listed);
	assert_int_equal(dt.vf_qps_all, 64);
	assert_int_equal(dt.vf_qps_one, 8);
	assert_int_equal(dt.vf_answers, 0x6000);
	assert_int_equal(dt.vf_requests, 0xa000);
	assert_int_equal(dt.vf_status, 0xc000);
	t.vf_qps = (struct cells)CELLS(4, 8); /* One VF cannot have more than all. */
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_int_equal(dt.vf_qps_one, 4);

	t = good; /* a VF without queue pairs */
	t.nb_vf_table = 0;
	t.nb_qps = 0;
	t.nb_mailbox = 1;
	t.mailbox = (struct cells)CELLS(0x3000, 0x1000, 0x5000, 0x1000);
	assert_int_equal(parse(scratch, write_tree(&t), &dt), 0);
	assert_int_equal(dt.nb_qps, 0);
	assert_int_equal(dt.mailbox_host, 0x3000);
	assert_int_equal(dt.mailbox_device, 0x5000);
}

static void
test_wrong_1_2(void **state)
{
	(void)state;
#define PF(change) REFUSE(-EINVAL, (add_1_2(&t), change))
	PF(t.vf_qps.n = 1);
	PF(t.vf_qps.n = 3);
	PF(t.vf_table.n = 4);
	PF(t.nb_vf_mailbox = 2);
	PF(t.nb_vf_table = 0); /* a mailbox of a function without VFs */
	PF(t.vf_mailbox.n = 4);
	PF(t.vf_mailbox.n = 8);
	PF(t.vf_mailbox.v[1] = 0x1000);
	PF(t.vf_mailbox.v[3] = 0x1000);
	PF(t.vf_mailbox.v[5] = 0x1000);
	PF(t.vf_mailbox.v[1] = t.vf_mailbox.v[3] = t.vf_mailbox.v[5] = 0x1000);
	PF(t.vf_mailbox.v[0] = 0x5000); /* the second page of the table */
	PF(t.vf_mailbox.v[2] = 0x7000); /* the second page of the answers */
	PF(t.vf_mailbox.v[4] = 0xd000); /* a queue pair */
	PF(t.vf_mailbox.v[4] = BAR_SIZE - PAGE);
	PF(t.vf_mailbox.v[2] = 0);
	PF(t.vf_mailbox.v[2] = 0xa800);
#undef PF
#define BOX(n, ...) (t.nb_mailbox = (n), t.mailbox = (struct cells)CELLS(__VA_ARGS__))
	REFUSE(-EINVAL, BOX(2, 0x4000, 0x1000, 0x5000, 0x1000));
	REFUSE(-EINVAL, BOX(1, 0x4000, 0x1000));
	REFUSE(-EINVAL, BOX(1, 0x4000, 0x1000, 0x4000, 0x1000));
	REFUSE(-EINVAL, BOX(1, 0x4000, 0x1000, 0x3000, 0x1000)); /* the VF table */
	REFUSE(-EINVAL, BOX(1, 0x4000, 0x1000, BAR_SIZE, 0x1000));
#undef BOX
}

static void
test_wrong_ranges(void **state)
{
	(void)state;
	REFUSE(-EINVAL, t.alg[0].key.n = -1);
	REFUSE(-EINVAL, t.alg[0].key.n = 2);
	REFUSE(-EINVAL, t.alg[0].key.n = 4);
	REFUSE(-EINVAL, t.alg[0].iv.n = -1);
	REFUSE(-EINVAL, t.alg[0].key.v[0] = 40); /* min above max */
	REFUSE(-EINVAL, t.alg[0].key.v[2] = 0); /* no step in a range */
	REFUSE(-EINVAL, t.alg[0].key.v[2] = 7); /* max is never reached */
	REFUSE(-EINVAL, t.alg[0].key.v[2] = 32); /* nor here */
	REFUSE(-EINVAL, t.alg[0].iv.v[2] = 1); /* a step where there is no range */
	/* These do not fit into the fields of the context (manual 8.1). */
	REFUSE(-EINVAL, t.alg[0].key.v[1] = 72);
	REFUSE(-EINVAL, t.alg[0].key.v[1] = 0x10020);
	REFUSE(-EINVAL, (t.alg[0].iv.v[1] = 33, t.alg[0].iv.v[2] = 1));
	REFUSE(-EINVAL, t.alg[1].key.v[1] = 193);
	REFUSE(-EINVAL, t.alg[1].digest.v[1] = 68);
	REFUSE(-EINVAL, t.alg[2].key.v[1] = 72);
	REFUSE(-EINVAL, t.alg[2].aad.v[1] = 65536);
}

/*
 * Damaged blobs.
 */

static void
set_header(unsigned int field, uint32_t value)
{
	fdt32_t be = cpu_to_fdt32(value);

	memcpy(scratch + field, &be, sizeof(be));
}

#define DAMAGE(field, value)                                                                       \
	do {                                                                                       \
		size_t n = write_tree(&good);                                                      \
		static struct accel_devtree dt;                                                    \
		set_header(offsetof(struct fdt_header, field), (value));                           \
		if (parse(scratch, n, &dt) != -EINVAL)                                             \
			fail_msg("%s = 0x%x is accepted", #field, (unsigned int)(value));          \
	} while (0)

static void
test_header(void **state)
{
	(void)state;
	DAMAGE(magic, 0);
	DAMAGE(version, 16);
	DAMAGE(version, 18);
	DAMAGE(last_comp_version, 18);
	DAMAGE(totalsize, (uint32_t)n + 1);
	DAMAGE(totalsize, UINT32_MAX);
	DAMAGE(totalsize, 40);
	DAMAGE(totalsize, 0);
	DAMAGE(off_dt_struct, (uint32_t)n);
	DAMAGE(off_dt_struct, UINT32_MAX - 3);
	DAMAGE(off_dt_struct, fdt_off_dt_struct(scratch) + 1);
	DAMAGE(off_dt_struct, fdt_off_dt_struct(scratch) + 4);
	DAMAGE(off_dt_struct, 0);
	DAMAGE(size_dt_struct, UINT32_MAX);
	DAMAGE(size_dt_struct, 8);
	DAMAGE(size_dt_struct, 0);
	DAMAGE(off_dt_strings, (uint32_t)n - 1);
	DAMAGE(off_dt_strings, UINT32_MAX);
	DAMAGE(size_dt_strings, 0);
	DAMAGE(size_dt_strings, UINT32_MAX);
	DAMAGE(off_mem_rsvmap, UINT32_MAX);
	DAMAGE(off_mem_rsvmap, 44);
}

static void
test_truncated(void **state)
{
	static struct accel_devtree dt;
	size_t size, n = write_tree(&good);

	(void)state;
	rte_log_set_level(accel_logtype, RTE_LOG_EMERG);
	for (size = 0; size < n; size++)
		assert_int_equal(parse(scratch, size, &dt), -EINVAL);
	rte_log_set_level(accel_logtype, RTE_LOG_NOTICE);
	/* Padding behind the tree is allowed (manual section 10), but not beyond 64 KiB. */
	memset(scratch + n, 0, ACCEL_HW_DT_SIZE_MAX);
	assert_int_equal(parse(scratch, n + 5, &dt), 0);
	assert_int_equal(parse(scratch, ACCEL_HW_DT_SIZE_MAX, &dt), 0);
	assert_int_equal(parse(scratch, ACCEL_HW_DT_SIZE_MAX + 8, &dt), -EINVAL);
}

/* The string block has no NUL, then a compatible has none. */
static void
test_unterminated(void **state)
{
	static struct accel_devtree dt;
	struct tree t = good;
	size_t n = write_tree(&t);
	int len, node;
	char *compatible;

	(void)state;
	memset(scratch + fdt_off_dt_strings(scratch), 'x', fdt_size_dt_strings(scratch));
	assert_int_equal(parse(scratch, n, &dt), -EINVAL);

	n = write_tree(&t);
	node = fdt_node_offset_by_compatible(scratch, -1, ACCEL_HW_DT_SYM);
	assert_true(node >= 0);
	compatible = fdt_getprop_w(scratch, node, "compatible", &len);
	memset(compatible, 'c', (size_t)len);
	assert_int_equal(parse(scratch, n, &dt), -EINVAL);
}

/* Trees are refused that have begin tags without an end, one end too many, or too many nested
 * nodes. */
static void
test_loops(void **state)
{
	static struct accel_devtree dt;
	fdt32_t *tag;
	size_t n = write_tree(&good);
	size_t i, tags = fdt_size_dt_struct(scratch) / sizeof(*tag);

	(void)state;
	tag = (fdt32_t *)(void *)(scratch + fdt_off_dt_struct(scratch));
	for (i = 0; i < tags; i += 2) {
		tag[i] = cpu_to_fdt32(FDT_BEGIN_NODE);
		tag[i + 1] = 0;
	}
	assert_int_equal(parse(scratch, n, &dt), -EINVAL);
	for (i = 2; i < tags; i++)
		tag[i] = cpu_to_fdt32(FDT_NOP);
	assert_int_equal(parse(scratch, n, &dt), -EINVAL);
	for (i = 2; i < tags; i++)
		tag[i] = cpu_to_fdt32(FDT_END_NODE);
	assert_int_equal(parse(scratch, n, &dt), -EINVAL);
	for (i = 0; i < tags; i++)
		tag[i] = cpu_to_fdt32(FDT_END);
	assert_int_equal(parse(scratch, n, &dt), -EINVAL);
}

/*
 * Random damage. Values that the parser accepts are within bounds.
 */

static bool
range_sane(const struct accel_hw_range *r, unsigned int limit)
{
	return r->min <= r->max && r->max <= limit && (r->min == r->max) == (r->step == 0) &&
	       (r->step == 0 || (r->max - r->min) % r->step == 0);
}

static bool
page_sane(uint32_t page)
{
	return page % PAGE == 0 && page >= PAGE && page <= BAR_SIZE - PAGE;
}

static bool
alg_sane(const struct accel_dt_alg *a, unsigned int id)
{
	switch (a->class) {
	case ACCEL_ALG_ABSENT:
		return true;
	case ACCEL_ALG_CIPHER:
		if (a->nb_key_iv > ACCEL_DT_MAX_KEY_IV)
			return false;
		return id >= 1 && id < 64 && a->block != 0 && range_sane(&a->key, 64) &&
		       range_sane(&a->iv, 32);
	case ACCEL_ALG_AUTH:
		return id >= 64 && id < 192 && a->block != 0 && range_sane(&a->key, 192) &&
		       range_sane(&a->iv, 32) && range_sane(&a->digest, 64);
	case ACCEL_ALG_AEAD:
		return id >= 192 && a->block != 0 && range_sane(&a->key, 64) &&
		       range_sane(&a->iv, 32) && range_sane(&a->digest, 64);
	default:
		return false;
	}
}

static void
expect_sane(const struct accel_devtree *dt)
{
	uint8_t used[BAR_SIZE / PAGE] = { 0 };
	unsigned int i;

	assert_true(page_sane(dt->control) && used[dt->control / PAGE]++ == 0);
	assert_true(page_sane(dt->invalidate) && used[dt->invalidate / PAGE]++ == 0);
	if (dt->health != 0)
		assert_true(page_sane(dt->health) && used[dt->health / PAGE]++ == 0);
	assert_in_range(dt->vf_table_size, 0, BAR_SIZE);
	for (i = 0; i < dt->vf_table_size; i += PAGE) {
		const uint32_t page[] = { dt->vf_table, dt->vf_answers, dt->vf_requests,
					  dt->vf_status };
		unsigned int n;

		for (n = 0; n < RTE_DIM(page); n++)
			if (page[n] != 0)
				assert_true(page_sane(page[n] + i) &&
					    used[(page[n] + i) / PAGE]++ == 0);
	}
	if (dt->mailbox_host != 0) {
		assert_true(page_sane(dt->mailbox_host) && used[dt->mailbox_host / PAGE]++ == 0);
		assert_true(page_sane(dt->mailbox_device) &&
			    used[dt->mailbox_device / PAGE]++ == 0);
	}
	assert_in_range(dt->nb_qps, 0, ACCEL_DT_MAX_QPS);
	for (i = 0; i < dt->nb_qps; i++) {
		assert_true(page_sane(dt->qp[i].host) && used[dt->qp[i].host / PAGE]++ == 0);
		assert_true(page_sane(dt->qp[i].device) && used[dt->qp[i].device / PAGE]++ == 0);
	}
	assert_in_range(dt->ring_size_max, 1024, 1u << 31);
	assert_int_equal(dt->ring_size_max & (dt->ring_size_max - 1), 0);
	assert_in_range(dt->max_fragments, 16, 32766);
	assert_in_range(dt->max_frame_bytes, 65536, 1u << 30);
	for (i = 0; i < ACCEL_HW_ALG_NB; i++)
		assert_true(alg_sane(&dt->alg[i], i));
}

/* Half of the damage is small numbers in cells and tags, because the parser may accept these. */
static void
damage(uint8_t *blob, size_t size)
{
	unsigned int n = 1 + draw(4);
	size_t at;

	while (n-- != 0) {
		at = draw((uint32_t)size);
		switch (draw(4)) {
		case 0:
			blob[at] ^= (uint8_t)(1u << draw(8));
			break;
		case 1:
			blob[at] = (uint8_t)draw(256);
			break;
		default:
			at &= ~(size_t)3;
			memset(blob + at, 0, 3);
			blob[at + 3] = (uint8_t)draw(20);
			break;
		}
	}
}

static void
test_mutations(void **state)
{
	static struct accel_devtree dt;
	static uint8_t blob[ACCEL_HW_DT_SIZE_MAX];
	const char *rounds_text = getenv("ACCEL_TEST_ROUNDS");
	unsigned long rounds = rounds_text != NULL ? strtoul(rounds_text, NULL, 0) : 50000;
	unsigned long i, taken = 0;
	struct tree t = good;
	size_t n, size;
	int ret;

	(void)state;
	rng_start();
	add_1_1(&t);
	add_1_2(&t);
	t.health.v[0] = 0x3000;
	n = write_tree(&t);
	rte_log_set_level(accel_logtype, RTE_LOG_EMERG);
	for (i = 0; i < rounds; i++) {
		memcpy(blob, scratch, n);
		damage(blob, n);
		size = draw(8) == 0 ? draw((uint32_t)n) : n;
		ret = parse(blob, size, &dt);
		assert_true(ret == 0 || ret == -EINVAL || ret == -ENOTSUP);
		if (ret != 0)
			continue;
		expect_sane(&dt);
		taken++;
	}
	rte_log_set_level(accel_logtype, RTE_LOG_NOTICE);
	print_message("%lu of %lu damaged trees were accepted, within bounds\n", taken, rounds);
	assert_in_range(taken, 1, rounds); /* Otherwise the damage would reach only the header. */
}

static int
setup(void **state)
{
	(void)state;
	guard = mmap(NULL, GUARD_SIZE + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (guard == MAP_FAILED)
		return -1;
	return mprotect(guard + GUARD_SIZE, PAGE, PROT_NONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_less),
		cmocka_unit_test(test_more),
		cmocka_unit_test(test_wrong_root),
		cmocka_unit_test(test_wrong_pages),
		cmocka_unit_test(test_wrong_queues),
		cmocka_unit_test(test_wrong_sym),
		cmocka_unit_test(test_wrong_ranges),
		cmocka_unit_test(test_contract_1_1),
		cmocka_unit_test(test_wb_auto),
		cmocka_unit_test(test_wrong_1_1),
		cmocka_unit_test(test_contract_1_5),
		cmocka_unit_test(test_wrong_1_5),
		cmocka_unit_test(test_contract_1_2),
		cmocka_unit_test(test_wrong_1_2),
		cmocka_unit_test(test_later_algorithms),
		cmocka_unit_test(test_second_range),
		cmocka_unit_test(test_protocols),
		cmocka_unit_test(test_wrong_protocols),
		cmocka_unit_test(test_ipsec),
		cmocka_unit_test(test_tls),
		cmocka_unit_test(test_wrong_tls),
		cmocka_unit_test(test_wrong_ipsec),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_unterminated),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests_name("device tree", tests, setup, NULL);
}
