/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The oracle: see guest.h. It follows the manual and shares no code with the model.
 */
#include "oracle.h"

#define RUNS_MAX SLOTS_MAX
#define FRAGMENTS_MAX 256u
#define FRAME_MAX (1u << 20)

void (*oracle_on_new)(const void *at, uint32_t len);

struct run {
	uint64_t iova;
	uint32_t len;
};

/* A frame as it lies in its ring. */
struct frame {
	bool complete;
	bool bad; /* one of its descriptors is an error */
	uint32_t bad_slot;
	uint32_t slots;
	uint32_t end; /* slot behind it */
	uint64_t upper; /* in force there */
	uint64_t command; /* IOVA */
	uint32_t bytes;
	unsigned int nb;
	struct run run[RUNS_MAX];
};

void
oracle_new(const void *at, uint32_t len)
{
	if (oracle_on_new != NULL)
		oracle_on_new(at, len);
}

static bool
within(uint64_t iova, uint64_t len)
{
	return iova >= BASE && iova - BASE <= MEMORY && len <= MEMORY - (iova - BASE);
}

/* Reads the device's side of memory as the guest believes it to be. */
static const uint8_t *
at_iova(const struct guest *g, uint64_t iova, uint64_t len)
{
	return within(iova, len) ? g->shadow + (iova - BASE) : NULL;
}

static void
allow(struct guest *g, uint64_t iova, uint64_t len)
{
	for (uint64_t i = 0; i < len; i++) {
		if (iova + i - BASE < MEMORY)
			g->may[iova + i - BASE] = 1;
	}
}

/* Allows bytes [from, to) of a frame. */
static void
allow_frame(struct guest *g, const struct frame *f, uint64_t from, uint64_t to)
{
	uint64_t at = 0;

	for (unsigned int i = 0; i < f->nb; i++) {
		const uint64_t begin = at > from ? at : from;
		const uint64_t end = at + f->run[i].len < to ? at + f->run[i].len : to;

		if (begin < end)
			allow(g, f->run[i].iova + (begin - at), end - begin);
		at += f->run[i].len;
	}
}

/* Manual 6.1: a descriptor of type 2 in its place. */
static bool
fragment_ok(const struct fqueue *q, const struct frame *f, uint64_t desc, bool command)
{
	const bool located = command && (q->ring_of_commands || q->command_upper != UINT64_MAX);
	const uint32_t len = ACCEL_HW_DESC2_LEN(desc);

	if (f->upper == UINT64_MAX && !located)
		return false;
	if ((desc & ACCEL_HW_DESC2_RESERVED) != 0 ||
	    ((desc & ACCEL_HW_DESC2_COMMAND) != 0) != command || len == 0)
		return false;
	if ((desc & ACCEL_HW_DESC_LOW_MASK) + len > ACCEL_HW_DESC_REGION_SIZE)
		return false;
	return !command || len == sizeof(struct accel_hw_command);
}

static void
add_fragment(const struct fqueue *q, struct frame *f, uint64_t desc, bool command)
{
	const uint64_t low = desc & ACCEL_HW_DESC_LOW_MASK;

	if (command) {
		f->command = low | (q->command_upper != UINT64_MAX ? q->command_upper : f->upper);
		return;
	}
	f->run[f->nb++] = (struct run){ f->upper | low, ACCEL_HW_DESC2_LEN(desc) };
	f->bytes += ACCEL_HW_DESC2_LEN(desc);
	f->bad |= f->nb > FRAGMENTS_MAX || f->bytes > FRAME_MAX;
}

/* Reads the frame that begins at a slot. */
static void
read_frame(const struct guest *g, const struct fqueue *q, bool tx, struct frame *f)
{
	const uint32_t size = tx ? q->h.tx_size : q->h.rx_size;
	const uint32_t sdp = tx ? q->tx_rung : q->rx_rung;
	const uint8_t *ring = g->shadow + RINGS_AT(q->index) + (tx ? 0 : RX_AT);
	uint32_t at = tx ? q->tx_at : q->rx_at;
	bool command = tx;

	memset(f, 0, offsetof(struct frame, run));
	f->upper = tx ? q->tx_up : q->rx_up;
	while (!f->complete && !f->bad && at != sdp) {
		uint64_t desc;

		memcpy(&desc, ring + at * sizeof(desc), sizeof(desc));
		f->slots++;
		f->bad_slot = at;
		at = (at + 1) & (size - 1);
		if (ACCEL_HW_DESC_TYPE(desc) == ACCEL_HW_DESC_TYPE_UPPER) {
			f->upper = desc << ACCEL_HW_DESC_REGION_SHIFT;
			f->bad = (desc & ACCEL_HW_DESC0_RESERVED) != 0;
			continue;
		}
		f->bad = ACCEL_HW_DESC_TYPE(desc) != ACCEL_HW_DESC_TYPE_FRAGMENT ||
			!fragment_ok(q, f, desc, command);
		if (f->bad)
			break;
		add_fragment(q, f, desc, command);
		command = false;
		f->complete = !f->bad && (desc & ACCEL_HW_DESC2_NEXT) == 0;
	}
	f->end = at;
	if (q->ring_of_commands)
		f->command = BASE + COMMANDS_AT(q->index) +
			(q->answered % SLOTS_MAX) * sizeof(struct accel_hw_command);
}

/* Finds the command of the next request. Returns false if there is none, or it cannot be read. */
static bool
next_command(const struct guest *g, const struct fqueue *q, struct frame *tx,
	     struct accel_hw_command *cmd)
{
	const uint8_t *at;

	read_frame(g, q, true, tx);
	if (!tx->complete)
		return false;
	at = at_iova(g, tx->command, sizeof(*cmd));
	if (at == NULL)
		return false;
	memcpy(cmd, at, sizeof(*cmd));
	return true;
}

/* The state of a context that a command names. */
static void
allow_state(struct guest *g, const struct accel_hw_command *cmd)
{
	const uint64_t at = cmd->context - BASE;

	if (cmd->opcode != ACCEL_HW_OP_SYM)
		return;
	if (at - CONTEXTS_AT >= CONTEXTS * CONTEXT_SIZE || at % CONTEXT_SIZE != 0 ||
	    g->has_state[(at - CONTEXTS_AT) / CONTEXT_SIZE])
		allow(g, cmd->context + offsetof(struct accel_hw_ipsec_context, state),
		      sizeof(struct accel_hw_ipsec_state));
}

/* Where the device may have written, given its response (RES-5, ST-2, IPS-6, TLS-5). */
static void
allow_result(struct guest *g, const struct accel_hw_command *cmd, const struct frame *rx,
	     const struct accel_hw_response *rsp)
{
	uint32_t from = 0;

	switch (rsp->status) {
	case ACCEL_HW_BAD_COMMAND:
	case ACCEL_HW_BAD_CONTEXT:
	case ACCEL_HW_BAD_LENGTH:
	case ACCEL_HW_OUTPUT_TOO_SMALL:
	case ACCEL_HW_DENIED:
		return;
	case ACCEL_HW_OK:
		/* A TLS record says its offset in other bits. */
		if (rsp->info != 0 && (cmd->skip & ~7u) == 0 && (cmd->skip & 4u) != 0)
			from = rsp->info & ACCEL_HW_IPSEC_INFO_OFFSET;
		if (rsp->info != 0 && cmd->skip == ACCEL_HW_TLS_CMD_KEEP_PLACE)
			from = (rsp->info & ACCEL_HW_TLS_INFO_OFFSET) >>
				ACCEL_HW_TLS_INFO_OFFSET_SHIFT;
		fuzz_check(from + rsp->produced <= rx->bytes, "%u bytes in a frame of %u",
			   rsp->produced, rx->bytes);
		allow_frame(g, rx, from, from + rsp->produced);
		return;
	default:
		allow_frame(g, rx, 0, rx->bytes);
	}
}

static bool
reachable(const struct frame *f)
{
	for (unsigned int i = 0; i < f->nb; i++) {
		if (!within(f->run[i].iova, f->run[i].len))
			return false;
	}
	return true;
}

/* A DMA fault is one of memory that is not there. */
static void
check_fault(const struct accel_hw_command *cmd, const struct frame *tx, const struct frame *rx)
{
	const uint64_t context = cmd->context - BASE - CONTEXTS_AT;

	if (guest_faulty || !reachable(tx) || !reachable(rx))
		return;
	fuzz_check(cmd->opcode != ACCEL_HW_OP_LOOPBACK && cmd->opcode != ACCEL_HW_OP_RANDOM &&
			   context >= CONTEXTS * CONTEXT_SIZE, "a DMA fault without a reason");
}

/* A response has come: it is that of the next request. */
static void
take_response(struct guest *g, struct fqueue *q, const struct accel_hw_response *rsp)
{
	struct accel_hw_command cmd;
	struct frame tx, rx = { 0 };

	fuzz_check(next_command(g, q, &tx, &cmd), "a response to no request, TX slot %u", q->tx_at);
	fuzz_check(rsp->tag == cmd.tag, "tag %x, not %x", rsp->tag, cmd.tag);
	fuzz_check(rsp->tx_used == tx.slots, "%u TX slots, not %u", rsp->tx_used, tx.slots);
	fuzz_check(rsp->status < ACCEL_HW_STATUS_NB, "status %u", rsp->status);
	if ((cmd.flags & ACCEL_HW_CMD_NO_RX) == 0) {
		read_frame(g, q, false, &rx);
		fuzz_check(rx.complete, "a response without a result frame");
		q->rx_at = rx.end;
		q->rx_up = rx.upper;
	}
	fuzz_check(rsp->rx_used == rx.slots, "%u RX slots, not %u", rsp->rx_used, rx.slots);
	fuzz_check(rsp->produced <= rx.bytes, "%u bytes produced, of %u", rsp->produced, rx.bytes);
	if (rsp->status != ACCEL_HW_OK && rsp->status != ACCEL_HW_AUTH_FAILED)
		fuzz_check(rsp->produced == 0 && rsp->info == 0, "status %u with %u bytes",
			   rsp->status, rsp->produced);
	if (rsp->status == ACCEL_HW_DMA_FAULT)
		check_fault(&cmd, &tx, &rx);
	allow_result(g, &cmd, &rx, rsp);
	allow_state(g, &cmd);
	if (rx.nb > 0 && rx.run[0].iova - BASE < MEMORY && rx.run[0].iova - BASE >= DATA_AT &&
	    rsp->produced > 0) {
		g->last_at = (uint32_t)(rx.run[0].iova - BASE);
		g->last_len = rsp->produced;
	}
	q->tx_at = tx.end;
	q->tx_up = tx.upper;
	q->answered++;
}

/* Requests that the device has, and whose responses no line has covered yet. */
static void
allow_under_way(struct guest *g, const struct fqueue *q)
{
	const uint64_t rsp_at = BASE + RINGS_AT(q->index) + RSP_AT;
	struct fqueue copy = *q;
	struct accel_hw_command cmd;
	struct frame tx, rx;

	while (next_command(g, &copy, &tx, &cmd)) {
		const uint32_t slot = (q->h.rsp_slot + copy.answered - q->answered) &
			(q->h.rsp_size - 1);

		if ((cmd.flags & ACCEL_HW_CMD_NO_RX) == 0) {
			read_frame(g, &copy, false, &rx);
			if (!rx.complete)
				return;
			allow_frame(g, &rx, 0, rx.bytes);
			copy.rx_at = rx.end;
			copy.rx_up = rx.upper;
		}
		allow(g, rsp_at + slot * sizeof(struct accel_hw_response),
		      sizeof(struct accel_hw_response));
		allow_state(g, &cmd);
		copy.tx_at = tx.end;
		copy.tx_up = tx.upper;
		copy.answered++;
	}
}

static void
check_line(const struct fqueue *q, uint32_t hhp)
{
	fuzz_check(hhp < q->h.rsp_size, "RSP_HHP %u", hhp);
	fuzz_check(rd32(&q->h.wb->rsp_hhp) == hhp, "the line and the page differ: %u, %u",
		   rd32(&q->h.wb->rsp_hhp), hhp);
	fuzz_check(rd32(&q->h.wb->tx_hdp) == rd32(&q->h.dev->tx_hdp) &&
			   rd32(&q->h.wb->rx_hdp) == rd32(&q->h.dev->rx_hdp), "TX_HDP, RX_HDP");
}

static void
check_queue(struct guest *g, struct fqueue *q)
{
	const uint32_t hhp = rd32(&q->h.dev->rsp_hhp);
	const bool strict = !q->loose && !g->holes && !g->racing;
	const uint64_t rsp_at = BASE + RINGS_AT(q->index) + RSP_AT;

	allow(g, BASE + RINGS_AT(q->index) + LINE_AT, sizeof(struct accel_hw_writeback));
	if (q->loose || g->racing || g->holes)
		allow(g, rsp_at, q->h.rsp_size * sizeof(struct accel_hw_response));
	if (!strict)
		return;
	if (ACCEL_HW_QP_STATUS_STATE(rd32(&q->h.dev->status)) != ACCEL_HW_QP_STOPPED)
		check_line(q, hhp);
	while (q->h.rsp_slot != hhp) {
		allow(g, rsp_at + q->h.rsp_slot * sizeof(struct accel_hw_response),
		      sizeof(struct accel_hw_response));
		take_response(g, q, &q->h.rsp[q->h.rsp_slot]);
		q->h.rsp_slot = (q->h.rsp_slot + 1) & (q->h.rsp_size - 1);
	}
	allow_under_way(g, q);
}

/* While memory changes under the device, or a queue pair may take any command, results stay in the
 * data, and rings and commands are the guest's. */
static void
allow_areas(struct guest *g)
{
	memset(g->may + DATA_AT, 1, DATA_SIZE);
	memset(g->may + CONTEXTS_AT, 1, CONTEXTS * CONTEXT_SIZE);
}

static void
compare(struct guest *g)
{
	for (uint32_t at = 0; at < MEMORY; at += 1024) {
		if (memcmp(g->mem + at, g->shadow + at, 1024) == 0)
			continue;
		for (uint32_t i = at; i < at + 1024; i++)
			fuzz_check(g->mem[i] == g->shadow[i] || g->may[i] != 0,
				   "function %u: the device has written byte %#x", g->index, i);
		memcpy(g->shadow + at, g->mem + at, 1024);
	}
}

void
oracle_check(struct guest *g)
{
	bool areas = g->racing || g->holes;

	memset(g->may, 0, sizeof(g->may));
	for (unsigned int i = 0; i < g->nb_queues; i++) {
		areas |= g->q[i].running && g->q[i].loose;
		if (g->q[i].running)
			check_queue(g, &g->q[i]);
		else if (g->q[i].starting)
			allow(g, BASE + RINGS_AT(i) + LINE_AT, sizeof(struct accel_hw_writeback));
	}
	if (areas)
		allow_areas(g);
	if (g->loose)
		memset(g->may, 1, sizeof(g->may));
	for (uint32_t page = 0; page < MEMORY / 4096; page++) {
		if (!g->mapped[page])
			memset(g->may + page * 4096, 0, 4096);
	}
	compare(g);
}

static void
finished(struct guest *g, struct fqueue *q)
{
	const uint32_t status = rd32(&q->h.dev->status), state = ACCEL_HW_QP_STATUS_STATE(status);
	struct accel_hw_command cmd = { 0 };
	struct frame tx, rx = { 0 };
	const bool has = next_command(g, q, &tx, &cmd);

	if (state == ACCEL_HW_QP_STOPPED)
		return;
	if (has && (cmd.flags & ACCEL_HW_CMD_NO_RX) == 0)
		read_frame(g, q, false, &rx);
	if (tx.bad || rx.bad) {
		fuzz_check(state == ACCEL_HW_QP_ERROR, "no error of a bad slot, state %u", state);
		fuzz_check(rd32(&q->h.dev->error_slot) == (tx.bad ? tx.bad_slot : rx.bad_slot),
			   "error in slot %u, not %u", rd32(&q->h.dev->error_slot),
			   tx.bad ? tx.bad_slot : rx.bad_slot);
		return;
	}
	if (tx.complete && !has) /* its command lies where nothing is */
		return;
	fuzz_check(state != ACCEL_HW_QP_ERROR, "error %u of ring %u, slot %u, without a reason",
		   ACCEL_HW_QP_STATUS_ERROR(status), ACCEL_HW_QP_STATUS_RING(status),
		   rd32(&q->h.dev->error_slot));
	if (has && state == ACCEL_HW_QP_RUNNING)
		fuzz_check((cmd.flags & ACCEL_HW_CMD_NO_RX) == 0 && !rx.complete,
			   "a complete request has no response");
}

void
oracle_finished(struct guest *g)
{
	for (unsigned int i = 0; i < g->nb_queues; i++) {
		struct fqueue *q = &g->q[i];

		if (q->running && !q->loose && !g->loose && !g->holes && !g->racing && !g->held)
			finished(g, q);
	}
}
