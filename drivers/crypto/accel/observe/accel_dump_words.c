/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes sentences of the state of a queue pair: see accel_dump.h. Each function whose name
 * ends in _cause looks for one cause, and returns true when it has found this cause. The order of
 * the calls is such that a cause comes before its consequences.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "accel_dev.h"
#include "accel_dump.h"
#include "accel_names.h"
#include "accel_queue.h"

struct words {
	char *text;
	size_t size, used;
};

static __rte_format_printf(2, 3) void
say(struct words *w, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(w->text + w->used, w->size - w->used, format, args);
	va_end(args);
	if (n < 0 || (size_t)n + 1 >= w->size - w->used) {
		w->text[w->used] = '\0';
		return;
	}
	w->used += (size_t)n;
	w->text[w->used++] = '\n';
	w->text[w->used] = '\0';
}

/* The next functions make sentences about the function. */

static bool
silent_cause(struct words *w, const struct accel_dump_function *f)
{
	if (!f->silent)
		return false;
	if (f->magic == ACCEL_ALL_ONES)
		say(w, "The card does not answer: its registers read as all ones. It was removed, "
		    "its link is down, it is switched off (D3hot), or memory space is off.");
	else
		say(w, "The card does not answer: MAGIC reads as 0x%08x in place of 0x%08x. It was "
		    "reset, or its physical function was, and the bus does not reach it.", f->magic,
		    ACCEL_HW_MAGIC);
	return true;
}

static bool
state_cause(struct words *w, const struct accel_dump_function *f)
{
	switch (f->state) {
	case ACCEL_HW_STATE_READY:
		return false;
	case ACCEL_HW_STATE_FATAL:
		say(w, "The function has failed as a whole: STATE is fatal, FATAL_CODE %u (%s). "
		    "Only a reset or a function level reset ends this.", f->fatal_code,
		    accel_name_fatal(f->fatal_code));
		return true;
	case ACCEL_HW_STATE_BOOTING:
		say(w, "The function boots: STATE is booting, which takes 10 s at most.");
		return true;
	case ACCEL_HW_STATE_RESETTING:
		say(w, "The function carries out a reset: STATE is resetting, RESET_REQ 0x%x, "
		    "RESET_ACK 0x%x.", f->reset_req, f->reset_ack);
		return true;
	default:
		say(w, "The function is broken: STATE is %u, which the hardware manual does not "
		    "have.", f->state);
		return true;
	}
}

static bool
dead_cause(struct words *w, const struct accel_dump_function *f)
{
	if (!f->watched || f->beats || f->still_ms < ACCEL_DUMP_DEAD_MS)
		return false;
	say(w, "The device is dead: its heartbeat has stood still at %" PRIu64 " for %u ms, and a "
	    "device that works changes it every 100 ms. (An embedded device, or one in software, "
	    "may also get no CPU.)", f->heartbeat, f->still_ms);
	return true;
}

static bool
function_cause(struct words *w, const struct accel_dump_function *f)
{
	bool found = silent_cause(w, f) || state_cause(w, f) || dead_cause(w, f);

	if (f->lost)
		say(w, "The function is about to leave the bus, or has left it.");
	if (f->isolated)
		say(w, "The driver has taken the function off the bus, because it did not carry "
		    "out a reset. The next start gives it a function level reset.");
	return found || f->lost || f->isolated;
}

static void
fault_words(struct words *w, const struct rte_pmd_accel_health *fault)
{
	if (fault->fault_count == 0 || fault->fault_count == ACCEL_ALL_ONES)
		return;
	say(w, "The latest of %u DMA faults: %s at IOVA 0x%" PRIx64 ", queue pair %u of the card, "
	    "tag %u: %s.", fault->fault_count, accel_name_fault_access(fault->fault_access),
	    fault->fault_address, fault->fault_queue_pair, fault->fault_tag,
	    accel_name_fault_cause(fault->fault_cause));
}

static struct words
words_of(char *text, size_t size)
{
	text[0] = '\0';
	return (struct words){ .text = text, .size = size };
}

bool
accel_dump_function_words(const struct accel_dump_function *f, char *text, size_t size)
{
	struct words w = words_of(text, size);
	const bool trouble = function_cause(&w, f);

	if (!trouble)
		say(&w, "The function works: STATE is ready%s.",
		    f->watched && f->beats ? ", and its heartbeat moves" : "");
	if (f->by_poll)
		say(&w, "It has no thread of its own (cores=inline), and works only while the "
		    "application polls it.");
	fault_words(&w, &f->health);
	return trouble;
}

/* The next functions make sentences about the queue pair. */

static uint32_t
in_flight(const struct accel_dump_queue *q)
{
	return q->prod - q->cons;
}

static bool
has_registers(const struct accel_dump_function *f, const struct accel_dump_queue *q)
{
	return q->there && !f->silent;
}

/* Returns the dump's copy of an operation, or NULL if there is none. */
static const struct accel_dump_op *
op_of(const struct accel_dump_queue *q, uint32_t number)
{
	const uint32_t i = number - q->first_op;

	return i < q->nb_ops ? &q->op[i] : NULL;
}

/* Returns how many responses were not dequeued, as the write-back line says. */
static uint32_t
ready(const struct accel_dump_queue *q)
{
	return (q->line_hhp - (q->cons - q->base)) & (q->rsp_size - 1);
}

static void
next_words(struct words *w, const struct accel_dump_queue *q, uint32_t number)
{
	const struct accel_dump_op *op = op_of(q, number);
	struct accel_hw_command command;

	if (op == NULL)
		return;
	memset(&command, 0, sizeof(command));
	memcpy(&command, op->command, sizeof(op->command));
	say(w, "Operation %u is %s, context at IOVA 0x%" PRIx64 " generation %u, cipher region %u, "
	    "auth region %u, descriptors up to slot %u of the TX ring and %u of the RX ring.",
	    number, accel_name_opcode(command.opcode), rte_le_to_cpu_64(command.context),
	    rte_le_to_cpu_32(command.generation), rte_le_to_cpu_32(command.cipher_len),
	    rte_le_to_cpu_32(command.auth_len), (op->tx_end - 1) & (q->tx_size - 1),
	    (op->rx_end - 1) & (q->rx_size - 1));
}

static const char *
error_meaning(uint32_t status)
{
	static const char *const meanings[] = {
		"a code that the manual does not have",
		[ACCEL_HW_QP_ERR_CONFIG] = "a size, a base or the command ring was refused",
		[ACCEL_HW_QP_ERR_TYPE] = "a descriptor of type 1 or 3",
		[ACCEL_HW_QP_ERR_NO_UPPER] = "a type 2 before the first type 0",
		[ACCEL_HW_QP_ERR_RESERVED] = "a reserved or interrupt bit is set",
		[ACCEL_HW_QP_ERR_BOUNDARY] = "a fragment crosses 1 GiB",
		[ACCEL_HW_QP_ERR_FRAME] = "the command bit is misplaced, or a length is impossible",
		[ACCEL_HW_QP_ERR_TOO_LONG] = "the frame has too many fragments or bytes",
		[ACCEL_HW_QP_ERR_POINTER] = "the doorbell is beyond the ring",
		/*
		 * The text has parentheses, because clang takes two adjacent strings for a missing
		 * comma.
		 */
		[ACCEL_HW_QP_ERR_DMA] = ("the device cannot reach a ring, a command, a response or "
					 "the write-back line: look for faults of the IOMMU"),
	};
	const uint32_t code = ACCEL_HW_QP_STATUS_ERROR(status);

	return meanings[code < RTE_DIM(meanings) ? code : 0];
}

/* True if the device has stopped the queue pair with an error (manual 9.1). */
static bool
error_cause(struct words *w, const struct accel_dump_function *f, const struct accel_dump_queue *q)
{
	const uint32_t status = q->device.status;
	const bool tx = ACCEL_HW_QP_STATUS_RING(status) == ACCEL_HW_RING_TX;
	const bool rx = ACCEL_HW_QP_STATUS_RING(status) == ACCEL_HW_RING_RX;
	const struct accel_dump_ring *ring = tx ? &q->tx : &q->rx;
	uint32_t i;

	if (!has_registers(f, q) || ACCEL_HW_QP_STATUS_STATE(status) != ACCEL_HW_QP_ERROR)
		return false;
	say(w, "The device has stopped at slot %u of the %s with error %u (%s): %s.",
	    q->device.error_slot, accel_name_qp_ring(status), ACCEL_HW_QP_STATUS_ERROR(status),
	    accel_name_qp_error(status), error_meaning(status));
	i = (ring->point - ring->first) & ((tx ? q->tx_size : q->rx_size) - 1);
	if ((tx || rx) && i < ring->nb)
		say(w, "The descriptor there is 0x%016" PRIx64 ".", ring->desc[i]);
	return true;
}

/* True if the device does not run the queue pair, although the driver believes that it runs. */
static bool
stopped_cause(struct words *w, const struct accel_dump_function *f,
	      const struct accel_dump_queue *q)
{
	if (!has_registers(f, q) || q->failing ||
	    ACCEL_HW_QP_STATUS_STATE(q->device.status) == ACCEL_HW_QP_RUNNING)
		return false;
	say(w, "The device does not run this queue pair (STATUS is %s), although the driver has "
	    "started it: the function was reset %s.", accel_name_qp_state(q->device.status),
	    q->resets_seen != f->resets ? "by this driver because of another queue pair" :
	    "by the kernel, another program, or its physical function");
	return true;
}

static bool
pointer_cause(struct words *w, const struct accel_dump_queue *q)
{
	if (q->line_hhp >= q->rsp_size) {
		say(w, "The write-back line is impossible: RSP_HHP is %u, and the response ring "
		    "has %u entries. The device is broken, or something else writes to the line.",
		    q->line_hhp, q->rsp_size);
		return true;
	}
	if (ready(q) > in_flight(q) && (int32_t)(q->cons - q->base) >= 0) {
		say(w, "The write-back line is impossible: RSP_HHP is %u, which is %u responses "
		    "ahead of operation %u, and %u operations are in flight.", q->line_hhp,
		    ready(q), q->cons, in_flight(q));
		return true;
	}
	return false;
}

/*
 * True if RSP_HHP of the device page differs from that of the write-back line, and the line has not
 * moved meanwhile (manual 6.7).
 */
static bool
line_cause(struct words *w, const struct accel_dump_function *f, const struct accel_dump_queue *q)
{
	if (!has_registers(f, q) || q->device.rsp_hhp == q->line_hhp ||
	    q->device.rsp_hhp >= q->rsp_size ||
	    ACCEL_HW_QP_STATUS_STATE(q->device.status) != ACCEL_HW_QP_RUNNING ||
	    (q->watched && q->hhp_before != q->line_hhp))
		return false;
	say(w, "A write of the pointers was lost: the device has written RSP_HHP %u, and the "
	    "write-back line in memory (IOVA 0x%" PRIx64 ") has %u. The bus loses writes: look for "
	    "faults of the IOMMU.", q->device.rsp_hhp, q->host.wb_base, q->line_hhp);
	return true;
}

/*
 * True if there is a response, according to the pointers, whose tag is not that of the next
 * operation.
 */
static bool
tag_cause(struct words *w, const struct accel_dump_queue *q)
{
	const struct accel_dump_op *op = op_of(q, q->cons);
	const uint32_t slot = (q->cons - q->base) & (q->rsp_size - 1);
	uint32_t tag;

	if (ready(q) == 0 || in_flight(q) == 0 || op == NULL || !op->has_response)
		return false;
	tag = op->response.tag;
	if (tag == q->cons)
		return false;
	say(w, "The response at slot %u has a wrong tag: %u (0x%08x) in place of %u, which is the "
	    "number of the operation.", slot, tag, tag, q->cons);
	if (tag == q->cons + 1)
		say(w, "It is the tag of the next operation: the response of operation %u was "
		    "never written.", q->cons);
	else if (tag == q->cons - q->rsp_size || (tag == ~q->cons && op->response.tx_used == 0))
		say(w, "That is what lay there before: the device has passed the slot, and its "
		    "write was lost on the bus (look for faults of the IOMMU).");
	else
		say(w, "No operation in flight explains it: the device is broken.");
	return true;
}

/* True if responses wait and the application does not dequeue them. */
static bool
undequeued_cause(struct words *w, const struct accel_dump_queue *q)
{
	const uint32_t waiting = q->cons - q->base < 0x80000000u ? ready(q) : q->base - q->cons;

	if (waiting == 0)
		return false;
	if (q->watched && q->cons != q->cons_before)
		return false;
	say(w, "The device has done its part: %u operations wait to be dequeued, from operation %u "
	    "on.%s", waiting, q->cons,
	    q->watched ? " The application did not dequeue while the dump watched it." : "");
	return true;
}

/* True if descriptors were written and no doorbell has told the device about them. */
static bool
doorbell_cause(struct words *w, const struct accel_dump_function *f,
	       const struct accel_dump_queue *q)
{
	const uint32_t told = (uint32_t)q->host.doorbell, posted = q->tx_prod & (q->tx_size - 1);

	if (!has_registers(f, q) || told == posted ||
	    (q->watched && q->prod_before != q->prod))
		return false;
	say(w, "The doorbell lags behind: TX_SDP is %u, and the driver has written descriptors up "
	    "to slot %u. The thread that enqueues was stopped or killed there, or operations of "
	    "the raw data path wait for rte_cryptodev_raw_enqueue_done().", told, posted);
	return true;
}

/*
 * Counts the descriptors from the device's place to the end of the frame there. Returns 0 if no
 * posted descriptor ends the frame. *known becomes false if the dump does not have all posted
 * descriptors.
 */
static uint32_t
frame_at(const struct accel_dump_ring *ring, uint32_t size, uint32_t posted, bool *known)
{
	const uint32_t begin = (ring->point - ring->first) & (size - 1);
	const uint32_t nb = (posted - ring->point) & (size - 1);
	uint32_t i;

	*known = true;
	for (i = 0; i < nb; i++) {
		if (begin + i >= ring->nb) {
			*known = false;
			return 0;
		}
		if (ACCEL_HW_DESC_TYPE(ring->desc[begin + i]) == ACCEL_HW_DESC_TYPE_FRAGMENT &&
		    (ring->desc[begin + i] & ACCEL_HW_DESC2_NEXT) == 0)
			return i + 1;
	}
	return 0;
}

static void
frame_words(struct words *w, const struct accel_dump_queue *q)
{
	bool known;
	uint32_t n;

	n = frame_at(&q->tx, q->tx_size, q->tx_prod & (q->tx_size - 1), &known);
	if (n != 0)
		say(w, "Its request frame is complete, %u descriptors.", n);
	else if (known)
		say(w, "Its request frame has no end: the device waits for the rest.");
	n = frame_at(&q->rx, q->rx_size, q->rx_prod & (q->rx_size - 1), &known);
	if (n != 0)
		say(w, "Its result frame is complete, %u descriptors.", n);
	else if (known)
		say(w, "There is no complete result frame: unless its command has NO_RX, the "
		    "device waits for one.");
}

/* True if operations are in flight and the device gives no responses. */
static bool
stuck_cause(struct words *w, const struct accel_dump_function *f, const struct accel_dump_queue *q)
{
	if (in_flight(q) == 0 || ready(q) != 0 ||
	    (q->watched && (q->hhp_before != q->line_hhp || q->cons_before != q->cons)))
		return false;
	say(w, "The device stopped reading at slot %u of the TX ring: the request that begins "
	    "there, operation %u, has no response, and %u more are posted behind it up to slot "
	    "%u.", q->tx.point, q->cons, in_flight(q) - 1, q->tx_prod & (q->tx_size - 1));
	next_words(w, q, q->cons);
	frame_words(w, q);
	if (f->watched && f->beats)
		say(w, "Its heartbeat moves, so the function lives and this queue pair is stuck, "
		    "or the operation takes long.");
	return true;
}

static void
works_words(struct words *w, const struct accel_dump_queue *q)
{
	if (in_flight(q) == 0)
		say(w, "Nothing hangs: the queue pair is idle, and all %u operations since it was "
		    "set up have been given back.", q->cons);
	else if (q->watched)
		say(w, "Nothing hangs: the queue pair works, with %u operations in flight.",
		    in_flight(q));
	else
		say(w, "%u operations are in flight.", in_flight(q));
}

static bool
absent_cause(struct words *w, const struct accel_dump_queue *q)
{
	if (!q->there)
		say(w, "A reset has taken the queue pair away (manual 4.5).");
	return !q->there;
}

/*
 * Looks for the cause of a queue pair that the driver believes to run. Returns true if there is
 * trouble.
 */
static bool
running_words(struct words *w, const struct accel_dump_function *f,
	      const struct accel_dump_queue *q)
{
	bool trouble = function_cause(w, f);

	if (absent_cause(w, q) || error_cause(w, f, q) || stopped_cause(w, f, q) ||
	    pointer_cause(w, q) || line_cause(w, f, q) || tag_cause(w, q))
		trouble = true;
	else if (undequeued_cause(w, q))
		;
	else if (doorbell_cause(w, f, q) || stuck_cause(w, f, q))
		trouble = true;
	else if (!trouble)
		works_words(w, q);
	if (q->left_ms != 0 && in_flight(q) != 0)
		say(w, "The driver gives the device %u ms more of the %u ms of timeout_ms.",
		    q->left_ms, q->timeout_ms);
	if (q->failing)
		say(w, "The driver has found the failure, and waits until the device certainly "
		    "does not access memory any more.");
	return trouble || q->failing;
}

static void
failed_words(struct words *w, const struct accel_dump_function *f, const struct accel_dump_queue *q)
{
	static const char *const phases[] = {
		[ACCEL_HEAL_NONE] = "has not begun",
		[ACCEL_HEAL_WAIT] = "waits for the next attempt",
		[ACCEL_HEAL_START] = "waits for the echo of START",
		[ACCEL_HEAL_STOP] = "waits for the echo of STOP, or for a reset",
	};

	say(w, "The queue pair has failed. %u operations wait to be dequeued with an error.",
	    in_flight(q));
	function_cause(w, f);
	if (q->heals && q->heal_wanted && q->heal_phase < RTE_DIM(phases))
		say(w, "The driver starts it again: it %s, attempt %u. It does so in calls of "
		    "dequeue, after enqueue was called once.", phases[q->heal_phase],
		    q->heal_attempts);
	else
		say(w, "The application has to start it again: %s.", q->heals ?
		    "it has a callback of the error event (recover=auto), or a start has failed" :
		    "recover=off");
}

/* Says how many of the last responses have a status other than OK. */
static void
status_words(struct words *w, const struct accel_dump_queue *q)
{
	uint32_t i, n = 0, last = 0, number;

	for (i = 0; i < q->nb_ops; i++) {
		number = q->first_op + i;
		if (!q->op[i].has_response || q->op[i].response.tag != number ||
		    q->op[i].response.status == ACCEL_HW_OK)
			continue;
		n++;
		last = i;
	}
	if (n != 0)
		say(w, "%u of the last responses have a status that is not OK. That of operation "
		    "%u has %u (%s).", n, q->first_op + last, q->op[last].response.status,
		    accel_name_status(q->op[last].response.status));
}

bool
accel_dump_queue_words(const struct accel_dump_function *f, const struct accel_dump_queue *q,
		       char *text, size_t size)
{
	struct words w = words_of(text, size);
	bool trouble = false;

	switch (q->mode) {
	case ACCEL_QP_STOPPED:
		say(&w, "The queue pair is stopped. %u operations wait to be dequeued after the "
		    "next start.", in_flight(q));
		function_cause(&w, f);
		break;
	case ACCEL_QP_FAILED:
		failed_words(&w, f, q);
		trouble = true;
		break;
	default:
		trouble = running_words(&w, f, q);
		break;
	}
	status_words(&w, q);
	if (f->health.fault_queue_pair == q->number)
		fault_words(&w, &f->health);
	return trouble;
}
