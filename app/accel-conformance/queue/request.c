/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Posts and checks requests: see request.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

void
request_init(struct request *r, uint8_t opcode)
{
	memset(r, 0, sizeof(*r));
	r->cmd.opcode = opcode;
}

static void
add(struct piece *piece, unsigned int *nb, uint64_t iova, uint32_t len)
{
	if (*nb == REQUEST_PIECES) {
		fprintf(stderr, "accel-conformance: a test has too many fragments\n");
		abort();
	}
	piece[(*nb)++] = (struct piece){ iova, len };
}

void
request_in(struct request *r, uint64_t iova, uint32_t len)
{
	add(r->in, &r->nb_in, iova, len);
}

void
request_out(struct request *r, uint64_t iova, uint32_t len)
{
	add(r->out, &r->nb_out, iova, len);
}

void
request_loopback(struct request *r, struct card *c, uint64_t from, uint64_t to, uint32_t len)
{
	request_init(r, ACCEL_HW_OP_LOOPBACK);
	r->cmd.cipher_len = len;
	request_in(r, from, len);
	request_out(r, to, len);
	r->produced = len;
	r->output = memory_at(&c->memory, from, len);
}

void
request_write(struct queue *q, struct request *r, uint64_t at)
{
	r->cmd.tag = q->tag++;
	if (r->nb_out == 0)
		r->cmd.flags |= ACCEL_HW_CMD_NO_RX;
	q->posted++;
	memory_write(&q->card->memory, at, &r->cmd, sizeof(r->cmd));
}

void
request_post_data(struct queue *q, struct request *r)
{
	for (unsigned int i = 0; i < r->nb_in; i++)
		r->used[QUEUE_TX] += queue_fragment(q, QUEUE_TX, r->in[i].iova, r->in[i].len,
						    i + 1 < r->nb_in ? ACCEL_HW_DESC2_NEXT : 0);
	r->used[QUEUE_RX] = 0;
	for (unsigned int i = 0; i < r->nb_out; i++)
		r->used[QUEUE_RX] += queue_fragment(q, QUEUE_RX, r->out[i].iova, r->out[i].len,
						    i + 1 < r->nb_out ? ACCEL_HW_DESC2_NEXT : 0);
	r->end[QUEUE_TX] = q->tail[QUEUE_TX];
	r->end[QUEUE_RX] = q->tail[QUEUE_RX];
}

void
request_post(struct queue *q, struct request *r)
{
	uint64_t at = r->command_at;

	if (at == 0)
		at = q->commands + (q->posted & (q->regs.tx_size - 1)) * 64ull;
	request_write(q, r, at);
	r->used[QUEUE_TX] = queue_fragment(q, QUEUE_TX, at, sizeof(r->cmd), ACCEL_HW_DESC2_COMMAND |
					   (r->nb_in > 0 ? ACCEL_HW_DESC2_NEXT : 0));
	request_post_data(q, r);
}

/* Add a note that says what was sent. */
static void
describe(struct card *c, const struct request *r)
{
	const struct accel_hw_command *cmd = &r->cmd;

	result_note(&c->result,
		    "command: tag %#x opcode %u flags %#x aad_len %u context %#" PRIx64
		    " generation %u skip %u cipher_len %u auth_len %u", cmd->tag, cmd->opcode,
		    cmd->flags, cmd->aad_len, cmd->context, cmd->generation, cmd->skip,
		    cmd->cipher_len, cmd->auth_len);
	for (unsigned int i = 0; i < r->nb_in && i < 6; i++)
		result_note(&c->result, "input: %#" PRIx64 "+%u", r->in[i].iova, r->in[i].len);
	for (unsigned int i = 0; i < r->nb_out && i < 6; i++)
		result_note(&c->result, "result frame: %#" PRIx64 "+%u", r->out[i].iova,
			    r->out[i].len);
}

static bool
check_response(struct card *c, const struct request *r, const struct accel_hw_response *rsp)
{
	ENSURE(c, rsp->tag == r->cmd.tag, "response with tag %#x, wanted %#x", rsp->tag,
	       r->cmd.tag);
	ENSURE(c, rsp->status == r->status, "status %u, wanted %u", rsp->status, r->status);
	ENSURE(c, rsp->info == r->info, "info of the response is %#x, wanted %#x", rsp->info,
	       r->info);
	ENSURE(c, rsp->produced == r->produced, "produced %u, wanted %u", rsp->produced,
	       r->produced);
	ENSURE(c, rsp->tx_used == r->used[QUEUE_TX] && rsp->rx_used == r->used[QUEUE_RX],
	       "tx_used %u, rx_used %u, wanted %u, %u", rsp->tx_used, rsp->rx_used,
	       r->used[QUEUE_TX], r->used[QUEUE_RX]);
	return true;
}

/* Compare the first produced bytes of the result frame and accept them. */
static bool
check_output(struct card *c, const struct request *r)
{
	const bool any = r->dirty || r->status == ACCEL_HW_DMA_FAULT ||
			 r->status == ACCEL_HW_ENGINE_ERROR;
	uint32_t done = 0, left = r->left;

	for (unsigned int i = 0; i < r->nb_out; i++) {
		for (uint32_t j = 0; j < r->out[i].len && (any || done < r->produced); j++) {
			uint64_t at = r->out[i].iova + j;
			uint8_t *is = memory_at(&c->memory, at, 1);

			if (is == NULL || (left > 0 && left-- > 0))
				continue;
			ENSURE(c, any || r->output == NULL || *is == r->output[done],
			       "byte %u of the result is %#x, wanted %#x", done, *is,
			       r->output[done]);
			memory_take(&c->memory, at, 1);
			done++;
		}
	}
	return true;
}

bool
request_finish(struct queue *q, struct request *r)
{
	struct card *c = q->card;
	struct accel_hw_response rsp;
	bool read = r->status == ACCEL_HW_OK || r->status == ACCEL_HW_AUTH_FAILED ||
		    r->status >= ACCEL_HW_REPLAY;
	bool good;

	if (!queue_response(q, &rsp)) {
		describe(c, r);
		return false;
	}
	q->hdp[QUEUE_TX] = r->end[QUEUE_TX];
	q->hdp[QUEUE_RX] = r->end[QUEUE_RX];
	for (unsigned int i = 0; read && i < r->nb_in; i++)
		q->bytes_in += r->in[i].len;
	q->bytes_out += r->produced;
	good = check_response(c, r, &rsp) && check_output(c, r);
	if (!good)
		describe(c, r);
	return good;
}

bool
request_run(struct queue *q, struct request *r, uint16_t status)
{
	r->status = status;
	if (status != ACCEL_HW_OK && status != ACCEL_HW_AUTH_FAILED)
		r->produced = 0;
	request_post(q, r);
	queue_doorbell(q);
	return request_finish(q, r) && queue_check_pointers(q);
}

void
request_heavy_init(struct card *c, struct heavy *h)
{
	h->from = memory_get(&c->memory, MEMORY_LOW, HEAVY_LEN, 64);
	h->to = memory_get(&c->memory, MEMORY_LOW, HEAVY_LEN, 64);
	memory_write(&c->memory, h->to, memory_at(&c->memory, h->from, HEAVY_LEN), HEAVY_LEN);
}

void
request_put_heavy(struct queue *q, const struct heavy *h, unsigned int nb)
{
	uint32_t pieces = q->card->tree.max_frame_bytes / HEAVY_LEN;
	struct request r;

	pieces = pieces < 15 ? pieces : 15;
	for (unsigned int i = 0; i < nb; i++) {
		request_init(&r, ACCEL_HW_OP_LOOPBACK);
		for (uint32_t j = 0; j < pieces; j++) {
			request_in(&r, h->from, HEAVY_LEN);
			request_out(&r, h->to, HEAVY_LEN);
		}
		r.cmd.cipher_len = pieces * HEAVY_LEN;
		request_post(q, &r);
	}
}

void
request_post_heavy(struct queue *q, unsigned int nb)
{
	struct heavy h;

	request_heavy_init(q->card, &h);
	request_put_heavy(q, &h, nb);
	queue_doorbell(q);
}

bool
request_works(struct queue *q)
{
	struct memory *m = &q->card->memory;
	struct request r;

	request_loopback(&r, q->card, memory_get(m, MEMORY_LOW, 100, 1),
			 memory_get(m, MEMORY_LOW, 100, 1), 100);
	return request_run(q, &r, ACCEL_HW_OK);
}

bool
request_unwritable(struct queue *q, uint64_t from, uint64_t to)
{
	struct accel_hw_response rsp;
	struct card *c = q->card;
	struct request r;

	request_loopback(&r, c, from, to, 64);
	request_post(q, &r);
	queue_doorbell(q);
	if (!queue_response(q, &rsp))
		return false;
	if (c->tree.reports_writes)
		ENSURE(c, rsp.status == ACCEL_HW_DMA_FAULT && rsp.produced == 0,
		       "status %u, produced %u for a result that cannot be written, wanted "
		       "DMA_FAULT, 0", rsp.status, rsp.produced);
	else
		ENSURE(c, (rsp.status == ACCEL_HW_DMA_FAULT && rsp.produced == 0) ||
		       (rsp.status == ACCEL_HW_OK && rsp.produced == 64),
		       "status %u, produced %u for a result that cannot be written, wanted "
		       "DMA_FAULT, 0 or OK, 64", rsp.status, rsp.produced);
	q->hdp[QUEUE_TX] = r.end[QUEUE_TX];
	q->hdp[QUEUE_RX] = r.end[QUEUE_RX];
	q->bytes_in += 64; /* the device finds out after it has read the input */
	q->bytes_out += rsp.produced;
	return queue_check_pointers(q);
}
