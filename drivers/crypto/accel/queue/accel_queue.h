/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair in host memory: rings, commands and in-flight entries. One thread may enqueue while
 * another thread dequeues. So every field has one writer, and each writer has its own cache lines.
 *
 * Counters are free-running 32-bit numbers. A slot is a counter masked by the size of its ring.
 * Operation number n has in-flight entry n and tag n, and keeps them over a start. It has command
 * slot and response slot n - base. The base is the number of the first operation after a start,
 * since the device counts commands and responses from slot 0 with each START (manual 5.3, 6.8).
 */
#ifndef ACCEL_QUEUE_H
#define ACCEL_QUEUE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_memzone.h>
#include <rte_spinlock.h>

#include "accel_compat.h"
#include "accel_count.h"
#include "accel_dev.h"
#include "accel_dump_format.h"
#include "accel_logs.h"
#include "accel_ring.h"
#include "hw/accel_hw.h"

/* No ring is smaller than this, so that one operation of many segments fits. */
#define ACCEL_RING_MIN 1024u

/*
 * Marks a step of an enqueue. A program that measures the steps compiles the data path with a macro
 * that reads a clock.
 */
#ifndef ACCEL_PROBE
#define ACCEL_PROBE(step)
#endif

/* Records an operation in flight. tx_end and rx_end are the counters after its last descriptors. */
struct accel_inflight {
	uintptr_t op; /* struct rte_crypto_op * or accel_raw_slot *, with ACCEL_OP_* */
	uint32_t tx_end;
	uint32_t rx_end;
};

/*
 * The low bits of the pointer accel_inflight.op have the kind of the entry. Memory that a device
 * can write, such as the command, must not decide what an entry is. So the kind is kept here.
 */
#define ACCEL_OP_PLAIN ((uintptr_t)0)
/* The status of the operation is final already, and the response of the device does not count. */
#define ACCEL_OP_SETTLED ((uintptr_t)1)
/*
 * accel_enqueue_ipsec.c wrote the operation. It has one segment, in place, and the buffer has room
 * for the result.
 */
#define ACCEL_OP_IPSEC ((uintptr_t)2)
/* The response has the new length of the destination, see accel_protocol.h. */
#define ACCEL_OP_PROTOCOL ((uintptr_t)3)
/*
 * Three kinds of entries share this number. accel_qp.refusals tells them apart: it has a status, or
 * 0 (ACCEL_TAKEN).
 * With a status the operation was refused, and the device got a command that does nothing instead.
 * Only dequeue writes the status to the operation, since crypto_scheduler takes an operation that
 * is no longer NOT_PROCESSED for one that was given back.
 * With 0 the driver made the operation's session, see accel_sessionless.h. On a public-key queue
 * pair 0 means that a slot of accel_asym.h has the operation's operands and results.
 */
#define ACCEL_OP_REFUSED ((uintptr_t)4)
#define ACCEL_OP_SESSIONLESS ACCEL_OP_REFUSED
#define ACCEL_OP_ASYM ACCEL_OP_REFUSED
#define ACCEL_TAKEN 0u
/*
 * With these kinds the pointer is to an accel_raw_slot: the raw operation is plain, settled or
 * sessionless.
 */
#define ACCEL_OP_RAW ((uintptr_t)5)
#define ACCEL_OP_RAW_SETTLED ((uintptr_t)6)
#define ACCEL_OP_RAW_SESSIONLESS ((uintptr_t)7)
#define ACCEL_OP_KIND ((uintptr_t)7) /* mask */

static_assert(alignof(struct rte_crypto_op) > ACCEL_OP_KIND, "room for the kind");
static_assert(sizeof(struct accel_inflight) <= RTE_CACHE_LINE_SIZE, "design section 4");
static_assert(RTE_CACHE_LINE_SIZE % sizeof(struct accel_inflight) == 0, "no entry on two lines");

/* Records an operation of the raw data path in flight. */
struct accel_raw_slot {
	void *user_data;
	enum rte_crypto_op_status status; /* only if the kind is ACCEL_OP_RAW_SETTLED */
};

static_assert(alignof(struct accel_raw_slot) > ACCEL_OP_KIND, "room for the kind");

static_assert(RTE_CRYPTO_OP_STATUS_SUCCESS == ACCEL_TAKEN, "no refusal has this status");

/*
 * Holds the fields of a response to an operation. They are read once, since the device may write
 * them again.
 */
struct accel_answer {
	uint16_t status;
	uint16_t info; /* ACCEL_HW_IPSEC_INFO_* */
	uint32_t produced;
};

struct accel_asym_slots;
struct accel_latency;
struct accel_sessionless;

/*
 * In the first modes the device does not work, in the next ones it works, and in the last ones its
 * responses are dequeued, too. So one comparison tells these groups apart (ACCEL_QP_WORKS,
 * ACCEL_QP_SERVES). The fast path knows only ACCEL_QP_RUNNING.
 */
enum accel_qp_mode {
	ACCEL_QP_STOPPED = 0,
	/*
	 * The device failed and can no longer reach memory, or it did not start. Operations come
	 * back with an error until the queue pair is started again.
	 */
	ACCEL_QP_FAILED,
	/* The queue pair runs, while operations from before the start still wait for dequeue. */
	ACCEL_QP_BACKLOG,
	ACCEL_QP_MEASURED, /* the queue pair runs, and latencies are measured (accel_latency.h) */
	ACCEL_QP_RUNNING,
};

#define ACCEL_QP_WORKS ACCEL_QP_BACKLOG /* the first mode in which the device works */
#define ACCEL_QP_SERVES ACCEL_QP_MEASURED /* the first mode in which responses are dequeued */

enum accel_heal_phase {
	ACCEL_HEAL_NONE = 0, /* the queue pair did not fail, or the application heals it */
	ACCEL_HEAL_WAIT, /* the driver waits for the next attempt */
	ACCEL_HEAL_START, /* the driver waits for the echo of START */
	ACCEL_HEAL_STOP, /* the driver waits for the echo of STOP, or for a reset */
};

/*
 * Holds the state of a queue pair that the driver starts again by itself, see accel_heal.h. The
 * thread that has the lock writes it; the dequeuing thread also does so before it sets
 * ACCEL_QP_FAILED.
 */
struct accel_heal {
	rte_spinlock_t lock; /* for calls on a queue pair that does not run; no call waits for the
			      * lock */
	/* constant: the driver may heal the queue pair, so calls take the lock unless it runs */
	bool on;
	bool wanted; /* the driver shall heal the present failure */
	bool looked; /* the echo of the queue pair's STOP did not come at once */
	bool reported; /* a log line says that the echo of STOP did not come in time */
	uint64_t heartbeat; /* HEARTBEAT when the stop was written */
	uint32_t phase; /* enum accel_heal_phase */
	bool enqueuer_seen; /* the enqueuing thread has left what it did before the failure */
	bool dequeuer_seen;
	uint32_t polls; /* polls without an operation, until the clock is read again */
	uint64_t failed_at; /* TSC */
	uint64_t since; /* TSC when the phase began, or when the stop of a failure was written */
	uint64_t healed_at; /* TSC; 0: never */
	uint64_t wait; /* time until the next attempt */
	uint32_t attempts; /* since the failure */
	struct accel_qp_cmd command; /* START or STOP that was written last */
	struct accel_log_limit log;
};

struct accel_qp {
	/*
	 * Both threads read these. Set-up writes them. mode has more writers: the dequeuing thread,
	 * the thread that heals the queue pair and the one that switches ACCEL_QP_MEASURED.
	 */
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
	uint16_t id; /* place in accel_devtree.qp */
	/*
	 * 1: the companion may have operations to be dequeued. The enqueuing thread writes 1 when
	 * it has published operations, and the dequeuing thread writes 0, see accel_asym.h.
	 */
	ACCEL_ATOMIC(uint32_t) companion_busy;

	/* The enqueuing thread writes these. */
	alignas(RTE_CACHE_LINE_SIZE) struct accel_ring tx;
	struct accel_ring rx;
	ACCEL_ATOMIC(uint32_t) prod; /* operations accepted */
	/*
	 * cons when it was last read. While the queue pair does not run, a start in the dequeuing
	 * thread writes it, too.
	 */
	ACCEL_ATOMIC(uint32_t) cons_seen;
	uint64_t commands_iova; /* aligned to the size of all commands: one region of 1 GiB */
	uint64_t command_region; /* the start of the 1 GiB region of all commands */
	uint64_t command_desc; /* type 2 of command slot 0, with "next" */
	uint64_t *tx_lap; /* desc of accel_ring_lap() for both rings, while ahead is not 0 */
	uint64_t *rx_lap;
	uint32_t ahead; /* operations that the fast path may post before a ring wraps */
	uint32_t command_base; /* the operation that has command slot 0: a copy of base */
	/*
	 * The raw context with this number may publish what it cached in the slots after prod, see
	 * accel_raw_begin(). No number is used twice, not even by another queue pair.
	 */
	uint64_t turn;
	bool commands_located; /* COMMAND_UPPER or a command ring is set: commands need no type 0 */
	uint8_t aad_in_command; /* the most bytes of AAD that a command has room for; 0: no room */
	uint32_t max_fragments;
	uint32_t max_frame_bytes;
	struct accel_enqueue_count enqueue_count;
	struct accel_log_limit refusal_log; /* limits log lines about refused operations */

	/* The dequeuing thread writes these. */
	alignas(RTE_CACHE_LINE_SIZE) ACCEL_ATOMIC(uint32_t) cons; /* operations given back */
	ACCEL_ATOMIC(uint32_t) tx_cons; /* descriptors free again */
	ACCEL_ATOMIC(uint32_t) rx_cons;
	uint32_t prod_seen; /* prod when it was last read */
	uint32_t base; /* the operation that has response slot 0: prod at the last start */
	/*
	 * The process may be killed before it publishes cons. Then the operations from cons up to
	 * this number may have been finished in part: operations of a protocol may have all or half
	 * of their new lengths, and asymmetric operations half of their result. If this number is
	 * not beyond cons, no operation is in this state. The test is test_killed_in_dequeue of
	 * test_ipsec_op and of test_asym_qp.
	 */
	uint32_t ending;
	uint32_t polls; /* polls without a completion, until the clock is read again */
	uint64_t deadline; /* TSC cycles that are left to the device; 0: not armed */
	uint64_t looked; /* TSC when the clock was last read */
	ACCEL_ATOMIC(uint32_t) const *resets; /* accel_dev.resets */
	uint32_t resets_seen;
	bool event; /* raise an error event when the burst has been given back */
	ACCEL_ATOMIC(uint32_t) error; /* an error event was raised after the last start */
	/* rare, gap and beat_read belong to the deadline, see accel_watch.c. */
	bool rare; /* the application polls rarely or paused, so every poll reads the clock */
	bool gap; /* the application paused before the clock was last read */
	bool beat_read; /* this wait has read HEARTBEAT into beat */
	/* the queue pair did not stop, and another thread is resetting the function */
	bool failing;
	struct accel_log_limit fail_log; /* limits log lines about failures of this queue pair */
	uint64_t timeout; /* TSC cycles */
	uint64_t lived; /* the device's clock when last read; 0: not read yet */
	uint64_t still; /* TSC cycles since the device's clock moved last */
	uint64_t still_limit; /* TSC cycles */
	uint64_t state_due; /* STATE is read when the deadline has come down to this value */
	struct accel_dequeue_count dequeue_count;
	uint64_t beat; /* HEARTBEAT when it was last read, see accel_watch.c */
	/* These are known if beat_read is true. */
	uint64_t beat_at; /* TSC when this wait first read HEARTBEAT with the value of beat */
	bool beats; /* this wait has seen HEARTBEAT change */

	/* Set-up and the slow path use these. */
	alignas(RTE_CACHE_LINE_SIZE) struct accel_dev *dev;
	const struct rte_memzone *mz; /* holds all memory of the queue pair, see accel_memory.c */
	void *heap; /* memory of the queue pair, if it has no memzone */
	uint64_t tx_iova;
	uint64_t rx_iova;
	uint64_t responses_iova;
	uint64_t wb_iova;
	struct accel_raw_slot *raw; /* by in-flight slot; NULL before the first raw context */
	uint8_t *refusals; /* by in-flight slot: enum rte_crypto_op_status, or ACCEL_TAKEN */
	struct accel_log_limit fault_log; /* limits log lines about DMA faults of operations */
	struct accel_sessionless *sessionless; /* NULL before the first sessionless operation */
	bool command_ring; /* the device counts commands itself, and needs no addresses of them */
	uint32_t incarnation; /* part of the memzone's name, so that a successor has another one */
	struct accel_qp *retired; /* a predecessor that a dequeue still uses */
	/*
	 * START was written, or is about to be, and nothing has stopped the device since. The mode
	 * does not say this if a process is killed after it wrote START and before it wrote the new
	 * mode (test_queue_start: test_stop_half_started).
	 */
	bool started;
	/*
	 * The companion, a public-key queue pair (manual 8.8), which carries the asymmetric
	 * operations of this queue pair. The companion is set up, started, stopped and freed with
	 * this queue pair. NULL: the device or the application has no companion.
	 */
	struct accel_qp *companion;
	struct accel_qp *primary; /* of a companion: the queue pair that it belongs to */
	struct accel_asym_slots *asym; /* of a public-key queue pair, else NULL */
	struct accel_heal heal;
	struct accel_event_count events;
	ACCEL_ATOMIC(struct accel_latency *) latency; /* NULL: never measured */
	struct accel_dump_failure failure; /* the latest failure, for dumps */
};

static_assert(offsetof(struct accel_qp, companion_busy) < RTE_CACHE_LINE_SIZE,
	      "both threads read the first line anyway");

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

/** Return how many operations were accepted and not yet given back. */
static inline uint32_t
accel_qp_pending(const struct accel_qp *qp)
{
	return accel_load_acquire(&qp->prod) - accel_load_acquire(&qp->cons);
}

/* Return how many of n operations, from number prod on, have a free in-flight entry. */
static inline uint32_t
accel_inflight_room(struct accel_qp *qp, uint32_t prod, uint32_t n)
{
	uint32_t room = qp->nb_desc - (prod - accel_load_relaxed(&qp->cons_seen));
	uint32_t cons;

	if (unlikely(room < n)) {
		cons = accel_load_acquire(&qp->cons);
		accel_store_relaxed(&qp->cons_seen, cons);
		room = qp->nb_desc - (prod - cons);
		accel_count_in_flight(&qp->enqueue_count.in_flight_max, prod - cons);
	}
	return RTE_MIN(room, n);
}

/**
 * Publish that the operations before number cons were given back. The caller has dequeued them. So
 * they are not in doubt (accel_qp.ending), unless the process is killed in this function.
 */
static inline void
accel_qp_publish_cons(struct accel_qp *qp, uint32_t cons)
{
	qp->ending = cons;
	accel_store_release(&qp->cons, cons);
}

/**
 * True if a process that was killed had begun to finish an operation. Nobody can tell how far the
 * process came (accel_qp.ending, and its tests there).
 *
 * @param number of the operation, from cons on.
 */
static inline bool
accel_qp_in_doubt(const struct accel_qp *qp, uint32_t number)
{
	return (int32_t)(qp->ending - number) > 0;
}

/** Return the command slot of an operation that was enqueued after the last start. */
static ACCEL_VARIANTS uint32_t
accel_command_slot(const struct accel_qp *qp, uint32_t number)
{
	return (number - qp->command_base) & qp->desc_mask;
}

/** Return the command of an operation that was enqueued after the last start. */
static ACCEL_VARIANTS struct accel_hw_command *
accel_command(const struct accel_qp *qp, uint32_t number)
{
	return &qp->commands[accel_command_slot(qp, number)];
}

/** Return the slot of the response of an operation that was enqueued after the last start. */
static inline uint32_t
accel_response_slot(const struct accel_qp *qp, uint32_t number)
{
	return (number - qp->base) & (qp->rsp_size - 1);
}

static inline const struct accel_hw_response *
accel_response_of(const struct accel_qp *qp, uint32_t number)
{
	return &qp->responses[accel_response_slot(qp, number)];
}

/* Returns tag, status and info of a response, or the tag if it says OK and nothing else. A caller
 * that uses it more than once calls accel_opaque() with it, and it is not read again. */
static inline uint64_t
accel_response_word(const struct accel_hw_response *rsp)
{
	uint64_t word;

	memcpy(&word, rsp, sizeof(word));
	return rte_le_to_cpu_64(word);
}

/**
 * Return how many operations from a number on have commands and in-flight entries that lie one
 * after the other.
 */
static ACCEL_VARIANTS uint32_t
accel_slots_ahead(const struct accel_qp *qp, uint32_t number)
{
	const uint32_t command = accel_command_slot(qp, number);
	uint32_t last = number & qp->desc_mask;

	if (command > last) {
		last = command;
		accel_opaque(last); /* no vector registers, see accel_write_words() */
	}
	return qp->nb_desc - last;
}

/**
 * Copy a prepared command and set its tag. All kinds of commands have the same size, and the tag at
 * the same place.
 */
static inline void
accel_qp_copy_command(const struct accel_qp *qp, const void *prepared, uint32_t tag)
{
	struct accel_hw_command *command = accel_command(qp, tag);

	memcpy(command, prepared, sizeof(*command));
	command->tag = rte_cpu_to_le_32(tag);
}

#endif /* ACCEL_QUEUE_H */
