/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair: START and STOP (manual 5), frames of descriptors (6.1 to 6.4), responses and the
 * write-back line (6.5), and errors (9.1).
 */
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "card.h"

#define REQUESTS_A_STEP 32u
#define DRAIN_MS 500 /* QP-20 */

static uint32_t
load(const uint32_t *at)
{
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

static void
store(uint32_t *at, uint32_t value)
{
	__atomic_store_n(at, value, __ATOMIC_RELEASE);
}

static void
store64(uint64_t *at, uint64_t value)
{
	__atomic_store_n(at, value, __ATOMIC_RELAXED);
}

/* Writes the line, and pointers and counters of the device page. This card does so after each
 * response, and does not learn whether a write has arrived (6.7). */
static void
write_back(struct queue *q, uint32_t status)
{
	const uint32_t line[4] = { q->rsp_at, q->tx.hdp, q->rx.hdp, status };

	dma_write(q->card, q->line, line, sizeof(line));
	store(&q->device->tx_hdp, q->tx.hdp);
	store(&q->device->rx_hdp, q->rx.hdp);
	store(&q->device->rsp_hhp, q->rsp_at);
	store64(&q->device->ops, q->ops);
	store64(&q->device->op_errors, q->op_errors);
	store64(&q->device->bytes_in, q->bytes_in);
	store64(&q->device->bytes_out, q->bytes_out);
}

static void
set_state(struct queue *q, uint32_t state, uint32_t error, uint32_t ring, uint32_t slot)
{
	q->state = state;
	store(&q->device->error_slot, slot);
	store(&q->device->status, ACCEL_HW_QP_STATUS(state, error, ring));
}

static void
acknowledge(struct queue *q, uint32_t control)
{
	q->control_ack = control;
	store(&q->device->control_ack, control);
}

/* ERR-1 to ERR-4. */
static void
fail(struct queue *q, uint32_t error, uint32_t ring, uint32_t slot)
{
	write_back(q, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, error, ring));
	set_state(q, ACCEL_HW_QP_ERROR, error, ring, slot);
}

/* Frames. */

/* Check a descriptor; 0 or the lowest code of 9.1 that applies (RING-9). */
static uint32_t
check(const struct queue *q, const struct ring *r, uint64_t d, bool tx)
{
	const bool command = tx && r->nb == 0;
	const uint32_t len = ACCEL_HW_DESC2_LEN(d);
	const struct card *card = q->card;

	if (ACCEL_HW_DESC_TYPE(d) == ACCEL_HW_DESC_TYPE_UPPER)
		return (d & ACCEL_HW_DESC0_RESERVED) != 0 ? ACCEL_HW_QP_ERR_RESERVED : 0;
	if (ACCEL_HW_DESC_TYPE(d) != ACCEL_HW_DESC_TYPE_FRAGMENT)
		return ACCEL_HW_QP_ERR_TYPE;
	if (!r->has_upper)
		return ACCEL_HW_QP_ERR_NO_UPPER;
	if ((d & ACCEL_HW_DESC2_RESERVED) != 0)
		return ACCEL_HW_QP_ERR_RESERVED;
	if ((d & ACCEL_HW_DESC_LOW_MASK) + len > ACCEL_HW_DESC_REGION_SIZE)
		return ACCEL_HW_QP_ERR_BOUNDARY;
	if (len == 0 || ((d & ACCEL_HW_DESC2_COMMAND) != 0) != command ||
	    (command && len != sizeof(struct accel_hw_command)))
		return ACCEL_HW_QP_ERR_FRAME;
	if (!command && (r->nb - tx == card->max_fragments ||
			 r->bytes + len > card->max_frame_bytes))
		return ACCEL_HW_QP_ERR_TOO_LONG;
	return 0;
}

/* Take a checked descriptor. */
static void
take(struct ring *r, uint64_t d, bool tx)
{
	r->next = (r->next + 1) & (r->size - 1);
	r->used++;
	if (ACCEL_HW_DESC_TYPE(d) == ACCEL_HW_DESC_TYPE_UPPER) {
		r->upper = d << ACCEL_HW_DESC_REGION_SHIFT;
		r->has_upper = true;
		return;
	}
	r->fragment[r->nb].iova = r->upper | (d & ACCEL_HW_DESC_LOW_MASK);
	r->fragment[r->nb].len = ACCEL_HW_DESC2_LEN(d);
	r->bytes += tx && r->nb == 0 ? 0 : ACCEL_HW_DESC2_LEN(d);
	r->nb++;
	r->complete = (d & ACCEL_HW_DESC2_NEXT) == 0;
}

/* Collect descriptors up to the end of a frame, each of which is read once. @return true if the
 * frame is complete; false if the rest is to come, or the queue pair has failed. */
static bool
collect(struct queue *q, struct ring *r, uint32_t sdp)
{
	const uint32_t number = r == &q->tx ? ACCEL_HW_RING_TX : ACCEL_HW_RING_RX;

	while (!r->complete && r->next != sdp) {
		uint64_t d;
		uint32_t error;

		if (!dma_read(q->card, r->base + r->next * sizeof(d), &d, sizeof(d))) {
			fail(q, ACCEL_HW_QP_ERR_DMA, number, r->next);
			return false;
		}
		error = check(q, r, d, r == &q->tx);
		if (error != 0) {
			fail(q, error, number, r->next);
			return false;
		}
		take(r, d, r == &q->tx);
	}
	return r->complete;
}

static void
next_frame(struct ring *r)
{
	r->hdp = r->next;
	r->nb = 0;
	r->bytes = 0;
	r->used = 0;
	r->complete = false;
}

/* Requests. */

static void
scatter(struct queue *q, const uint8_t *from, uint32_t len)
{
	for (unsigned int i = 0; i < q->rx.nb && len > 0; i++) {
		const struct fragment *f = &q->rx.fragment[i];
		const uint32_t part = len < f->len ? len : f->len;

		dma_write(q->card, f->iova, from, part);
		from += part;
		len -= part;
	}
}

static uint16_t
count(uint32_t used)
{
	return used < UINT16_MAX ? (uint16_t)used : UINT16_MAX; /* RSP-3 */
}

/* Payload, response, line: in this order (ORD-3). */
static void
answer(struct queue *q, const struct result *result, bool rx)
{
	const struct accel_hw_response rsp = {
		.tag = q->cmd.tag,
		.status = result->status,
		.produced = result->len,
		.tx_used = count(q->tx.used),
		.rx_used = rx ? count(q->rx.used) : 0,
	};

	if (rx)
		scatter(q, q->card->output, result->len);
	dma_write(q->card, q->rsp_base + q->rsp_at * sizeof(rsp), &rsp, sizeof(rsp));
	q->rsp_at = (q->rsp_at + 1) & (q->rsp_size - 1);
	q->ops++;
	q->op_errors += rsp.status != ACCEL_HW_OK;
	q->bytes_out += rsp.produced;
	next_frame(&q->tx);
	if (rx)
		next_frame(&q->rx);
	q->has_cmd = false;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	write_back(q, ACCEL_HW_QP_STATUS(q->state, 0, 0));
}

/* Carry out the next request. @return false if none is complete. */
static bool
serve(struct queue *q, uint32_t tx_sdp, uint32_t rx_sdp)
{
	const struct ring *tx = &q->tx;
	struct result result;
	bool rx;

	if (!collect(q, &q->tx, tx_sdp))
		return false;
	if (!q->has_cmd) { /* CMD-1: it is read once */
		if (!dma_read(q->card, tx->fragment[0].iova, &q->cmd, sizeof(q->cmd))) {
			fail(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX,
			     (tx->next - 1) & (tx->size - 1));
			return false;
		}
		q->has_cmd = true;
	}
	rx = (q->cmd.flags & ACCEL_HW_CMD_NO_RX) == 0;
	if (rx && !collect(q, &q->rx, rx_sdp))
		return false;
	result = request_run(q, tx->fragment + 1, tx->nb - 1, tx->bytes, rx ? q->rx.bytes : 0);
	answer(q, &result, rx);
	return true;
}

/* Read both pointers at once. @return false: one is outside its ring (RING-11). */
static bool
doorbell(struct queue *q, uint32_t *tx, uint32_t *rx)
{
	const uint64_t both = __atomic_load_n(&q->host->doorbell, __ATOMIC_ACQUIRE);

	*tx = (uint32_t)both;
	*rx = (uint32_t)(both >> 32);
	if (*tx >= q->tx.size)
		fail(q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX, *tx);
	else if (*rx >= q->rx.size)
		fail(q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_RX, *rx);
	return q->state == ACCEL_HW_QP_RUNNING;
}

/* Commands. */

static bool
size_ok(const struct queue *q, uint32_t size)
{
	return size >= ACCEL_HW_RING_SIZE_MIN && size <= q->card->ring_size_max &&
	       (size & (size - 1)) == 0;
}

static bool
base_ok(uint64_t base)
{
	return base % ACCEL_HW_RING_BASE_ALIGN == 0;
}

/* The registers are read once, here (QP-1). @return the ring that is refused, or -1. */
static int
read_registers(struct queue *q)
{
	const struct accel_hw_qp_host *host = q->host;

	q->tx.size = load(&host->tx_size);
	q->rx.size = load(&host->rx_size);
	q->rsp_size = load(&host->rsp_size);
	q->tx.base = __atomic_load_n(&host->tx_base, __ATOMIC_RELAXED);
	q->rx.base = __atomic_load_n(&host->rx_base, __ATOMIC_RELAXED);
	q->rsp_base = __atomic_load_n(&host->rsp_base, __ATOMIC_RELAXED);
	q->line = __atomic_load_n(&host->wb_base, __ATOMIC_RELAXED);
	return !size_ok(q, q->tx.size) || !base_ok(q->tx.base) ? ACCEL_HW_RING_TX :
	       !size_ok(q, q->rx.size) || !base_ok(q->rx.base) ? ACCEL_HW_RING_RX :
	       !size_ok(q, q->rsp_size) || !base_ok(q->rsp_base) ? ACCEL_HW_RING_RSP :
	       !base_ok(q->line)			       ? ACCEL_HW_RING_WB : -1;
}

static void
start(struct queue *q)
{
	int refused;

	memset(&q->tx, 0, sizeof(q->tx));
	memset(&q->rx, 0, sizeof(q->rx));
	refused = read_registers(q);
	q->rsp_at = 0;
	q->ops = q->op_errors = q->bytes_in = q->bytes_out = 0;
	q->has_cmd = false;
	memset(&q->device->tx_hdp, 0,
	       sizeof(*q->device) - offsetof(struct accel_hw_qp_device, tx_hdp));
	if (refused >= 0) { /* without an access to host memory */
		set_state(q, ACCEL_HW_QP_ERROR, ACCEL_HW_QP_ERR_CONFIG, (uint32_t)refused, 0);
		return;
	}
	write_back(q, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_RUNNING, 0, 0));
	set_state(q, ACCEL_HW_QP_RUNNING, 0, 0, 0);
}

static int64_t
milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* QP-14: what is complete now is carried out, as far as the time allows. */
static void
drain(struct queue *q)
{
	const int64_t end = milliseconds() + DRAIN_MS;
	uint32_t tx, rx;

	if (!doorbell(q, &tx, &rx))
		return;
	while (milliseconds() < end && serve(q, tx, rx))
		continue;
}

static void
stop(struct queue *q, bool drained)
{
	if (q->state == ACCEL_HW_QP_RUNNING) {
		write_back(q, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPING, 0, 0));
		store(&q->device->status, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPING, 0, 0));
		if (drained)
			drain(q);
		/* The last line has this state, also if the drain has met an error (ERR-8). */
		write_back(q, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPED, 0, 0));
	}
	set_state(q, ACCEL_HW_QP_STOPPED, 0, 0, 0);
	explicit_bzero(&q->cmd, sizeof(q->cmd));
	card_wipe(q->card);
}

void
queue_reset(struct queue *q)
{
	memset(q->device, 0, sizeof(*q->device));
	set_state(q, ACCEL_HW_QP_STOPPED, 0, 0, 0);
	explicit_bzero(&q->cmd, sizeof(q->cmd));
	q->has_cmd = false;
	acknowledge(q, load(&q->host->control));
}

bool
queue_step(struct queue *q)
{
	const uint32_t control = load(&q->host->control);
	const uint32_t command = control & ACCEL_HW_QP_CMD_MASK;
	uint32_t tx, rx, done = 0;

	if (control != q->control_ack) {
		if (command == ACCEL_HW_QP_CMD_START && q->state == ACCEL_HW_QP_STOPPED)
			start(q);
		else if (command == ACCEL_HW_QP_CMD_STOP_DRAIN ||
			 command == ACCEL_HW_QP_CMD_STOP_DISCARD)
			stop(q, command == ACCEL_HW_QP_CMD_STOP_DRAIN);
		acknowledge(q, control);
	}
	if (q->state != ACCEL_HW_QP_RUNNING || !doorbell(q, &tx, &rx))
		return false;
	while (done < REQUESTS_A_STEP && serve(q, tx, rx))
		done++;
	return done > 0;
}
