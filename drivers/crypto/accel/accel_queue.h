/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair in host memory: rings, commands, the operations in flight. One thread may enqueue
 * while another dequeues, so every field has one writer and each writer its own cache lines.
 *
 * Counters are free-running 32-bit numbers; a slot is a counter masked by its ring. Operation
 * number n has command slot n, in-flight entry n and n as its tag, and response slot n - base.
 */
#ifndef ACCEL_QUEUE_H
#define ACCEL_QUEUE_H

#include <stdint.h>

#include <rte_memzone.h>

#include "accel_compat.h"
#include "accel_ring.h"
#include "accel_dev.h"
#include "accel_logs.h"
#include "hw/accel_hw.h"

/* Descriptors that one operation in one segment takes at most: command, AAD, source, digest and
 * destination, digest, each behind a type 0. What crosses a 1 GiB boundary takes more. */
#define ACCEL_TX_PER_OP 8u
#define ACCEL_RX_PER_OP 4u

/* Rings never get smaller than this, so that one operation of many segments fits. */
#define ACCEL_RING_MIN 1024u
#define ACCEL_NB_DESC_MAX 32768u /* operations of a queue pair */

/* Where the steps of an enqueue begin, for test/bench/bench_stages.c, which compiles the data path
 * once more with a clock here. Nothing else defines it. */
#ifndef ACCEL_PROBE
#define ACCEL_PROBE(step)
#endif

/* An operation in flight. tx_end and rx_end: counters behind its last descriptors. */
struct accel_inflight {
	uintptr_t op; /* struct rte_crypto_op * or accel_raw_slot *, with ACCEL_OP_* */
	uint32_t tx_end;
	uint32_t rx_end;
};

/*
 * The kind of an in-flight entry, in the bits that an aligned pointer leaves. One number each, as
 * nothing that a device can write, such as the command, may decide what an entry is.
 */
#define ACCEL_OP_PLAIN ((uintptr_t)0)
/* op->status is final already; what the device says of it does not count. */
#define ACCEL_OP_SETTLED ((uintptr_t)1)
/* It has a session of the driver's own, accel_sessionless.h. */
#define ACCEL_OP_SESSIONLESS ((uintptr_t)2)
/* The response says how long the destination is now, accel_protocol.h. */
#define ACCEL_OP_PROTOCOL ((uintptr_t)3)
/* The device got a command that does nothing in its place. The status that the operation comes back
 * with is in accel_qp.refusals. It is not in the operation before dequeue, since crypto_scheduler
 * takes what is no longer NOT_PROCESSED as given back. */
#define ACCEL_OP_REFUSED ((uintptr_t)4)
/* From here on not an rte_crypto_op but an accel_raw_slot, accel_raw.h: plain, settled,
 * sessionless. */
#define ACCEL_OP_RAW ((uintptr_t)5)
#define ACCEL_OP_RAW_SETTLED ((uintptr_t)6)
#define ACCEL_OP_RAW_SESSIONLESS ((uintptr_t)7)
#define ACCEL_OP_KIND ((uintptr_t)7) /* mask */

static_assert(alignof(struct rte_crypto_op) > ACCEL_OP_KIND, "room for the kind");
static_assert(sizeof(struct accel_inflight) <= RTE_CACHE_LINE_SIZE, "design section 4");
static_assert(RTE_CACHE_LINE_SIZE % sizeof(struct accel_inflight) == 0, "no entry on two lines");

/* What an in-flight entry from ACCEL_OP_RAW on points to. */
struct accel_raw_slot {
	void *user_data;
	enum rte_crypto_op_status status; /* with ACCEL_OP_RAW_SETTLED */
};

static_assert(alignof(struct accel_raw_slot) > ACCEL_OP_KIND, "room for the kind");

struct accel_sessionless;

/* Those in which the device works come last. */
enum accel_qp_mode {
	ACCEL_QP_STOPPED = 0,
	/* The device was found dead or broken and has been kept from touching memory, or it did not
	 * start: operations come back with an error until the queue pair is started anew. */
	ACCEL_QP_FAILED,
	ACCEL_QP_RUNNING,
	/* Running, and operations from before the start are settled but not dequeued yet. */
	ACCEL_QP_BACKLOG,
};

struct accel_qp {
	/* Read by both threads, written at set-up; mode also by the dequeuing thread. */
	struct accel_hw_command *commands;
	struct accel_inflight *inflight;
	const struct accel_hw_response *responses;
	const volatile struct accel_hw_writeback *wb;
	volatile uint64_t *doorbell;
	uint32_t nb_desc; /* power of two */
	uint32_t desc_mask; /* nb_desc - 1 */
	uint32_t rsp_size; /* power of two, > nb_desc */
	ACCEL_ATOMIC(uint32_t) mode; /* enum accel_qp_mode */
	uint8_t dev_id;
	uint16_t id;

	/* Written by the enqueuing thread. */
	alignas(RTE_CACHE_LINE_SIZE) struct accel_ring tx;
	struct accel_ring rx;
	ACCEL_ATOMIC(uint32_t) prod; /* operations accepted */
	uint32_t cons_seen; /* the dequeuing thread's counters, as last looked at */
	uint64_t commands_iova; /* aligned to the size of all, so within one region of 1 GiB */
	uint64_t command_region; /* where the region of all commands begins */
	uint64_t command_desc; /* type 2 of command slot 0, with "next" */
	uint32_t ahead; /* operations that the fast path may post before a ring wraps */
	/* Who may publish what it has cached in the slots behind prod: the raw context with this
	 * number, accel_raw_begin(). No number is used twice, by no other queue pair either. */
	uint64_t turn;
	bool commands_located; /* the card knows it (COMMAND_UPPER): they need no type 0 */
	uint32_t max_fragments;
	uint32_t max_frame_bytes;
	uint64_t enqueued; /* statistics */
	uint64_t enqueue_err;
	struct accel_log_limit refusal_log; /* of operations that come back refused */

	/* Written by the dequeuing thread. */
	alignas(RTE_CACHE_LINE_SIZE) ACCEL_ATOMIC(uint32_t) cons; /* operations given back */
	ACCEL_ATOMIC(uint32_t) tx_cons; /* descriptors free again */
	ACCEL_ATOMIC(uint32_t) rx_cons;
	uint32_t prod_seen;
	uint32_t base; /* the operation that has response slot 0: prod at the last start */
	uint32_t polls; /* without a completion, until the next look at the clock */
	uint64_t deadline; /* what the device still has, in TSC cycles; 0: not armed */
	uint64_t looked; /* TSC of the last look */
	ACCEL_ATOMIC(uint32_t) const *resets; /* of the device */
	uint32_t resets_seen;
	bool event; /* an error event is to be raised when the burst has been given back */
	ACCEL_ATOMIC(uint32_t) error; /* an error event was raised, and no start since */
	/* The rest of the deadline's, accel_deadline.c. */
	bool rare; /* the application polls rarely, or paused: look at every poll */
	bool gap; /* it paused before the last look */
	bool failing; /* did not stop, and somebody else is resetting the function: to be failed */
	uint64_t failing_since; /* TSC */
	struct accel_command stop; /* which was not carried out in time */
	struct accel_log_limit fail_log; /* of its failures */
	uint64_t dequeued; /* statistics */
	uint64_t dequeue_err;
	uint64_t timeout; /* TSC cycles, as the rest */
	uint64_t lived; /* the device's clock at the last look; 0: not looked at yet */
	uint64_t still; /* for so long it has not moved */
	uint64_t still_limit;
	uint64_t status_count[ACCEL_HW_STATUS_NB];

	/* Set-up, and operations that are not plain. */
	alignas(RTE_CACHE_LINE_SIZE) struct accel_dev *dev;
	const struct rte_memzone *mz; /* with all of its memory, accel_memory.c */
	uint64_t tx_iova;
	uint64_t rx_iova;
	uint64_t responses_iova;
	uint64_t wb_iova;
	struct accel_raw_slot *raw; /* by in-flight slot; NULL before the first raw context */
	uint8_t *refusals; /* by in-flight slot: enum rte_crypto_op_status of ACCEL_OP_REFUSED */
	struct accel_sessionless *sessionless; /* NULL before the first such operation */
	uint32_t incarnation; /* tells the memory of a successor from that of its predecessor */
	struct accel_qp *retired; /* a predecessor that a dequeue still uses, accel_queue.c */
};

static inline uintptr_t
accel_op_kind(const struct accel_inflight *entry)
{
	return entry->op & ACCEL_OP_KIND;
}

static inline bool
accel_op_is_raw(uintptr_t op)
{
	return (op & ACCEL_OP_KIND) >= ACCEL_OP_RAW;
}

static inline void
accel_op_set_kind(struct accel_inflight *entry, uintptr_t kind)
{
	entry->op = (entry->op & ~ACCEL_OP_KIND) | kind;
}

/** Operations that were accepted and not given back. */
static inline uint32_t
accel_qp_pending(const struct accel_qp *qp)
{
	return accel_load_acquire(&qp->prod) - accel_load_acquire(&qp->cons);
}

/** Begin a request frame: the command of a slot. */
static inline void
accel_qp_begin_request(const struct accel_qp *qp, struct accel_frame *frame,
		       struct accel_ring *tx, uint32_t slot)
{
	accel_frame_begin(frame, tx, qp->max_fragments, qp->max_frame_bytes);
	accel_frame_command(frame, qp->commands_iova + (uint64_t)slot * sizeof(*qp->commands),
			    qp->commands_located);
}

#endif /* ACCEL_QUEUE_H */
