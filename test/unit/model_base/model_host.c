/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A host for tests of the model: memory that the function's DMA map has, rings, and calls that
 * post single descriptors, right or wrong.
 */
#include "model_base/model_host.h"

uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void
host_poll(struct host *h)
{
	if (h->threads)
		sched_yield();
	else
		accel_model_worker_poll(h->model, 0);
}

void *
host_alloc(struct host *h, uint32_t bytes, uint32_t align)
{
	uint32_t at = (h->used + align - 1) & ~(align - 1);

	/* A fragment shall not cross the border by accident. */
	if (at < HOST_MEM / 2 && at + bytes > HOST_MEM / 2)
		at = HOST_MEM / 2;
	assert_true(at + bytes <= HOST_MEM);
	h->used = at + bytes;
	return h->mem + at;
}

uint32_t
host_reg(const void *fdt, int node, unsigned int cell)
{
	const fdt32_t *reg = fdt_getprop(fdt, node, "reg", NULL);

	assert_non_null(reg);
	return fdt32_to_cpu(reg[cell]);
}

/* Finds the pages of all queue pairs of a kind. @return their number. */
static unsigned int
host_find_qps(struct host *h, const void *fdt, const char *compatible, struct hostq *q)
{
	unsigned int nb = 0;
	int node = -1;

	while ((node = fdt_node_offset_by_compatible(fdt, node, compatible)) >= 0) {
		q[nb].host = h;
		q[nb].regs = (void *)(h->bar + host_reg(fdt, node, 0));
		q[nb++].dev = (void *)(h->bar + host_reg(fdt, node, 2));
	}
	return nb;
}

void
host_find_pages(struct host *h)
{
	const void *fdt = h->bar + rd32(&h->id->dt_offset);
	int node;

	assert_int_equal(fdt_check_full(fdt, rd32(&h->id->dt_size)), 0);
	node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_CONTROL);
	h->control = (void *)(h->bar + host_reg(fdt, node, 0));
	node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_INVALIDATE);
	h->invalidate = (void *)(h->bar + host_reg(fdt, node, 0));
	h->nb_qps = host_find_qps(h, fdt, ACCEL_HW_DT_QP, h->q);
	h->nb_pks = host_find_qps(h, fdt, ACCEL_HW_DT_QP_PK, h->pk);
}

void
host_attach(struct host *h, struct accel_model *model, unsigned int function)
{
	memset(h, 0, sizeof(*h));
	h->model = model;
	h->fn = accel_model_function(model, function);
	assert_non_null(h->fn);
	h->bar = accel_function_bar0(h->fn, &h->bar_size, NULL);
	h->id = (void *)h->bar;
	assert_int_equal(rd32(&h->id->magic), 0x30434341);
	host_find_pages(h);
	h->mem = mmap(NULL, HOST_MEM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(h->mem != MAP_FAILED);
	assert_int_equal(accel_function_dma_map(h->fn, HOST_IOVA, h->mem, HOST_MEM,
						ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE),
			 0);
}

void
host_open(struct host *h, const struct accel_model_config *config)
{
	struct accel_model *model = NULL;

	assert_int_equal(accel_model_create(config, &model), 0);
	host_attach(h, model, 0);
}

void
host_detach(struct host *h)
{
	accel_function_dma_unmap_all(h->fn);
	munmap(h->mem, HOST_MEM);
	h->mem = NULL;
}

void
host_close(struct host *h)
{
	host_detach(h);
	accel_model_destroy(h->model);
}

uint32_t
q_control(struct hostq *q, uint32_t command)
{
	uint32_t control = (++q->sequence << ACCEL_HW_QP_CMD_SEQ_SHIFT) | command;

	wr32(&q->regs->control, control);
	return control;
}

void
q_command(struct hostq *q, uint32_t command)
{
	uint32_t control = q_control(q, command);

	host_until(q->host, rd32(&q->dev->control_ack) == control);
}

void
q_locate(struct hostq *q, uint64_t iova)
{
	q->located = true;
	wr64(&q->regs->command_upper, ACCEL_HW_QP_COMMAND_UPPER_VALID | DESC0(iova));
}

void
q_setup(struct hostq *q, uint32_t tx_size, uint32_t rx_size, uint32_t rsp_size)
{
	struct host *h = q->host;

	if (q->tx_size != tx_size || q->rx_size != rx_size || q->rsp_size != rsp_size) {
		q->tx = host_alloc(h, tx_size * 8, 64);
		q->rx = host_alloc(h, rx_size * 8, 64);
		q->rsp = host_alloc(h, rsp_size * 16, 64);
		q->wb = host_alloc(h, 64, 64);
	}
	q->tx_size = tx_size;
	q->rx_size = rx_size;
	q->rsp_size = rsp_size;
	q->tx_sdp = q->rx_sdp = q->rsp_slot = 0;
	q->tx_upper = q->rx_upper = UINT64_MAX;
	memset(q->wb, 0xee, sizeof(*q->wb));
	wr64(&q->regs->doorbell, 0);
	wr32(&q->regs->tx_size, tx_size);
	wr32(&q->regs->rx_size, rx_size);
	wr32(&q->regs->rsp_size, rsp_size);
	wr64(&q->regs->tx_base, host_iova(h, q->tx));
	wr64(&q->regs->rx_base, host_iova(h, q->rx));
	wr64(&q->regs->rsp_base, host_iova(h, q->rsp));
	wr64(&q->regs->wb_base, host_iova(h, q->wb));
	wr32(&q->regs->wb_count, 1);
	wr32(&q->regs->wb_timeout_ns, 0);
}

void
q_start(struct hostq *q, uint32_t tx_size, uint32_t rx_size, uint32_t rsp_size)
{
	q_setup(q, tx_size, rx_size, rsp_size);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->dev->status), 1); /* running */
}

void
tx_word(struct hostq *q, uint64_t desc)
{
	__atomic_store_n(&q->tx[q->tx_sdp], desc, __ATOMIC_RELAXED);
	q->tx_sdp = (q->tx_sdp + 1) & (q->tx_size - 1);
}

void
rx_word(struct hostq *q, uint64_t desc)
{
	__atomic_store_n(&q->rx[q->rx_sdp], desc, __ATOMIC_RELAXED);
	q->rx_sdp = (q->rx_sdp + 1) & (q->rx_size - 1);
}

void
tx_frag(struct hostq *q, uint64_t iova, uint32_t len, uint64_t bits)
{
	const bool located = q->located && (bits & COMMAND) != 0;

	if (!located && q->tx_upper != DESC0(iova)) {
		q->tx_upper = DESC0(iova);
		tx_word(q, q->tx_upper);
	}
	tx_word(q, DESC2(iova, len, bits));
}

void
rx_frag(struct hostq *q, uint64_t iova, uint32_t len, uint64_t bits)
{
	if (q->rx_upper != DESC0(iova)) {
		q->rx_upper = DESC0(iova);
		rx_word(q, q->rx_upper);
	}
	rx_word(q, DESC2(iova, len, bits));
}

struct accel_hw_command *
new_command(struct host *h, uint8_t opcode, uint32_t tag)
{
	struct accel_hw_command *cmd = host_alloc(h, sizeof(*cmd), 64);

	memset(cmd, 0, sizeof(*cmd));
	cmd->opcode = opcode;
	cmd->tag = tag;
	return cmd;
}

void
q_post(struct hostq *q, const struct accel_hw_command *cmd, const void *in, uint32_t in_len,
       const void *out, uint32_t out_len)
{
	struct host *h = q->host;

	tx_frag(q, host_iova(h, cmd), 64, COMMAND | (in_len > 0 ? NEXT : 0));
	if (in_len > 0)
		tx_frag(q, host_iova(h, in), in_len, 0);
	if (out_len > 0)
		rx_frag(q, host_iova(h, out), out_len, 0);
}

struct accel_hw_response
q_response(struct hostq *q)
{
	struct accel_hw_response rsp;

	host_until(q->host, rd32(&q->wb->rsp_hhp) != q->rsp_slot);
	rsp = q->rsp[q->rsp_slot];
	q->rsp_slot = (q->rsp_slot + 1) & (q->rsp_size - 1);
	return rsp;
}

void
expect_response(struct hostq *q, uint32_t tag, uint16_t status, uint32_t produced)
{
	struct accel_hw_response rsp = q_response(q);

	assert_int_equal(rsp.tag, tag);
	assert_int_equal(rsp.status, status);
	assert_int_equal(rsp.produced, produced);
	assert_int_equal(rsp.info, 0);
}

void
expect_error(struct hostq *q, uint32_t code, uint32_t ring, uint32_t slot)
{
	host_until(q->host, (rd32(&q->dev->status) & 0xff) == 3);
	assert_int_equal(rd32(&q->dev->status), 3 | code << 8 | ring << 16);
	assert_int_equal(rd32(&q->dev->error_slot), slot);
}

void
host_reset(struct host *h)
{
	uint32_t request = rd32(&h->id->reset_ack) + 1;

	wr32(&h->control->reset_req, request);
	host_until(h, rd32(&h->id->reset_ack) == request);
	assert_int_equal(rd32(&h->id->state), 1);
}

struct accel_hw_context *
new_context(struct host *h, uint32_t generation)
{
	struct accel_hw_context *ctx = host_alloc(h, sizeof(*ctx), 64);

	memset(ctx, 0, sizeof(*ctx));
	ctx->generation = generation;
	ctx->version = 1;
	ctx->kind = ACCEL_HW_KIND_CIPHER;
	ctx->flags = ACCEL_HW_CTX_ENCRYPT;
	ctx->cipher_alg = ACCEL_HW_CIPHER_AES_CBC;
	ctx->cipher_key_len = 16;
	ctx->iv_len = 16;
	memset(ctx->cipher_key, 0x2b, 16);
	return ctx;
}

struct accel_hw_command *
new_sym(struct host *h, const struct accel_hw_context *ctx, uint32_t tag, uint32_t cipher_len,
	uint32_t auth_len)
{
	struct accel_hw_command *cmd = new_command(h, ACCEL_HW_OP_SYM, tag);

	cmd->context = host_iova(h, ctx);
	cmd->generation = ctx->generation;
	cmd->cipher_len = cipher_len;
	cmd->auth_len = auth_len;
	return cmd;
}
