/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The reference device with a host that posts layouts: see bus_card.h. It runs in this thread, so
 * each doorbell is seen.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libfdt.h>

#include "accel_hw.h"
#include "bus_card.h"

#define CONTEXTS 2u /* for a cache of one, each is a miss */
#define WARM_UP 2u /* operations before the count: they fill the cache */

struct card {
	const struct bus_layout *layout;
	enum bus_load load;
	bool command_ring;
	bool aad_inside;
	struct accel_model *model;
	struct accel_hw_qp_host *regs;
	uint8_t *mem;
	uint32_t tx_sdp, rx_sdp;
	uint32_t posted, done;
};

static void *
at(const struct card *c, uint64_t iova)
{
	return c->mem + (iova - BUS_IOVA);
}

static void
put(const struct card *c, uint64_t ring, uint32_t *sdp, uint64_t desc)
{
	((uint64_t *)at(c, ring))[*sdp] = desc;
	*sdp = (*sdp + 1) % BUS_DESC;
}

static void
put_piece(const struct card *c, uint64_t ring, uint32_t *sdp, const struct bus_piece *p,
	  uint64_t bits)
{
	if (p->len > 0)
		put(c, ring, sdp,
		    ACCEL_HW_DESC2_TYPE | bits | (uint64_t)p->len << ACCEL_HW_DESC2_LEN_SHIFT |
			    (p->addr & ACCEL_HW_DESC_LOW_MASK));
}

/* Returns the bits of piece i of nb, if @p more says that others follow the last. */
static uint64_t
next(unsigned int i, unsigned int nb, bool more)
{
	return i + 1 < nb || more ? ACCEL_HW_DESC2_NEXT : 0;
}

static void
make_command(struct card *c, struct accel_hw_command *cmd)
{
	const uint32_t context = c->posted % CONTEXTS;

	memset(cmd, 0, sizeof(*cmd));
	cmd->tag = c->posted;
	cmd->opcode = ACCEL_HW_OP_SYM;
	cmd->context = BUS_CONTEXT + (c->load == BUS_MISSED ? context * 512 : 0);
	cmd->generation = 1;
	cmd->flags = c->aad_inside ? ACCEL_HW_CMD_AAD_IN_COMMAND : 0;
	cmd->aad_len = c->layout->kind == BUS_AEAD ? 12 : 0;
	cmd->cipher_len = c->layout->len;
	cmd->auth_len = c->layout->kind == BUS_CHAIN ? c->layout->len : 0;
}

/* Posts one operation as the driver does. */
static void
post(struct card *c)
{
	const struct bus_piece cmd = { BUS_COMMAND + c->posted % BUS_RING * 64u, 64 };
	struct bus_op op;

	bus_op_of(c->layout, c->posted, &op);
	make_command(c, at(c, cmd.addr));
	put_piece(c, BUS_TX, &c->tx_sdp, &cmd, ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT);
	if (!c->aad_inside)
		put_piece(c, BUS_TX, &c->tx_sdp, &op.aad, ACCEL_HW_DESC2_NEXT);
	for (unsigned int i = 0; i < op.segments; i++) {
		put_piece(c, BUS_TX, &c->tx_sdp, &op.source[i], next(i, op.segments, false));
		put_piece(c, BUS_RX, &c->rx_sdp, &op.destination[i],
			  next(i, op.segments, op.digest.len > 0));
	}
	put_piece(c, BUS_RX, &c->rx_sdp, &op.digest, 0);
	c->posted++;
}

/* Runs a burst to its end. */
static int
run_burst(struct card *c, unsigned int nb)
{
	const struct accel_hw_writeback *line = at(c, BUS_LINE);
	const struct accel_hw_response *rsp = at(c, BUS_RSP);

	for (unsigned int i = 0; i < nb; i++)
		post(c);
	__atomic_store_n(&c->regs->doorbell, (uint64_t)c->rx_sdp << 32 | c->tx_sdp,
			 __ATOMIC_RELEASE);
	accel_model_worker_poll(c->model, 0);
	if (__atomic_load_n(&line->rsp_hhp, __ATOMIC_ACQUIRE) != c->posted % BUS_RING) {
		fprintf(stderr, "%s: a burst is not done after one round\n", c->layout->name);
		return -EIO;
	}
	for (; c->done != c->posted; c->done++) {
		const struct accel_hw_response *r = &rsp[c->done % BUS_RING];

		if (r->tag == c->done && r->status == ACCEL_HW_OK)
			continue;
		fprintf(stderr, "%s: response %u has tag %u, status %u\n", c->layout->name, c->done,
			r->tag, r->status);
		return -EIO;
	}
	return 0;
}

static void
make_contexts(struct card *c)
{
	const bool aead = c->layout->kind == BUS_AEAD, chain = c->layout->kind == BUS_CHAIN;

	for (unsigned int i = 0; i < CONTEXTS; i++) {
		struct accel_hw_context *ctx = at(c, BUS_CONTEXT + i * 512u);

		ctx->generation = 1;
		ctx->version = ACCEL_HW_CTX_VERSION;
		ctx->kind = aead ? ACCEL_HW_KIND_AEAD :
			chain ? ACCEL_HW_KIND_CIPHER_THEN_AUTH : ACCEL_HW_KIND_CIPHER;
		ctx->flags = ACCEL_HW_CTX_ENCRYPT;
		ctx->cipher_alg = aead ? ACCEL_HW_AEAD_AES_GCM : ACCEL_HW_CIPHER_AES_CBC;
		ctx->cipher_key_len = 16;
		ctx->iv_len = aead ? 12 : 16;
		ctx->auth_alg = chain ? ACCEL_HW_AUTH_SHA1_HMAC : 0;
		ctx->auth_key_len = chain ? 20 : 0;
		ctx->digest_len = aead ? 16 : chain ? 20 : 0;
	}
}

static struct accel_hw_qp_host *
first_queue_pair(uint8_t *bar)
{
	const struct accel_hw_identity *id = (const void *)bar;
	const void *fdt = bar + id->dt_offset;
	const int node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_QP);
	const fdt32_t *reg = fdt_getprop(fdt, node, "reg", NULL);

	return (void *)(bar + fdt32_to_cpu(reg[0]));
}

/* Starts the queue pair with the driver's moderation, and posts the type 0 of either ring. */
static void
start(struct card *c)
{
	struct accel_hw_qp_host *r = c->regs;

	r->tx_size = r->rx_size = BUS_DESC;
	r->rsp_size = BUS_RING;
	r->tx_base = BUS_TX;
	r->rx_base = BUS_RX;
	r->rsp_base = BUS_RSP;
	r->wb_base = BUS_LINE;
	r->wb_count = BUS_BURST;
	r->wb_timeout_ns = 0; /* the clock shall not decide */
	r->command_upper = ACCEL_HW_QP_COMMAND_UPPER_VALID |
		BUS_COMMAND >> ACCEL_HW_DESC_REGION_SHIFT;
	if (c->command_ring) {
		r->command_base = BUS_COMMAND | ACCEL_HW_QP_COMMAND_BASE_VALID;
		r->command_size = BUS_RING;
	}
	__atomic_store_n(&r->control, 1u << ACCEL_HW_QP_CMD_SEQ_SHIFT | ACCEL_HW_QP_CMD_START,
			 __ATOMIC_RELEASE);
	accel_model_worker_poll(c->model, 0);
	put(c, BUS_TX, &c->tx_sdp, BUS_IOVA >> ACCEL_HW_DESC_REGION_SHIFT);
	put(c, BUS_RX, &c->rx_sdp, BUS_IOVA >> ACCEL_HW_DESC_REGION_SHIFT);
}

static int
open_card(struct card *c)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL, /* the payload does not matter */
		.ctx_cache = c->load == BUS_MISSED ? 1 : 0,
		.bus_count = true,
	};
	struct accel_function *fn;
	int ret;

	c->mem = aligned_alloc(4096, BUS_MEMORY);
	if (c->mem == NULL)
		return -ENOMEM;
	memset(c->mem, 0, BUS_MEMORY);
	ret = accel_model_create(&config, &c->model);
	if (ret != 0)
		return ret;
	fn = accel_model_function(c->model, 0);
	c->regs = first_queue_pair(accel_function_bar0(fn, NULL, NULL));
	return accel_function_dma_map(fn, BUS_IOVA, c->mem, BUS_MEMORY,
				      ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE);
}

/* Subtracts what was counted before. */
static void
subtract(struct accel_model_bus *sum, const struct accel_model_bus *before)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)before;

	for (unsigned int i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] -= from[i];
}

static int
measure(struct card *c, struct accel_model_bus *sum)
{
	const unsigned int nb = bus_burst(c->load);
	struct accel_model_bus before;
	int ret = 0;

	for (unsigned int i = 0; ret == 0 && i < WARM_UP; i++)
		ret = run_burst(c, nb);
	accel_model_bus_read(c->model, 0, &before);
	for (unsigned int i = 0; ret == 0 && i < BUS_OPS; i += nb)
		ret = run_burst(c, nb);
	accel_model_bus_read(c->model, 0, sum);
	subtract(sum, &before);
	return ret;
}

int
bus_card_count(const struct bus_layout *l, enum bus_load load, bool command_ring,
	       bool aad_inside, struct accel_model_bus *sum)
{
	struct card c = { .layout = l, .load = load, .command_ring = command_ring,
			  .aad_inside = aad_inside };
	int ret = open_card(&c);

	if (ret == 0) {
		make_contexts(&c);
		start(&c);
		ret = measure(&c, sum);
	} else {
		fprintf(stderr, "cannot open a card: %s\n", strerror(-ret));
	}
	accel_model_destroy(c.model);
	free(c.mem);
	return ret;
}
