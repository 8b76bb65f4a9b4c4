/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the model consists of. A card has functions and workers. A function has a BAR0, an IOMMU and
 * queue pairs. A queue pair belongs to one worker, and so does everything of a function that this
 * worker needs (struct port); apart from the few fields marked as shared, only that worker, under
 * its ownership, touches them.
 */
#ifndef ACCEL_MODEL_MODEL_H
#define ACCEL_MODEL_MODEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"
#include "accel_model.h"
#include "alg.h"
#include "ctxcache.h"
#include "dmamap.h"
#include "engine/engine.h"
#include "fault.h"
#include "logging.h"
#include "pacing.h"
#include "util.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "manual section 2: what is shared with the host is little-endian, and used as it is");

/* Manual section 11. */
#define MODEL_RING_SIZE_MAX 262144u
#define MODEL_MAX_FRAGMENTS 256u
#define MODEL_MAX_FRAME_BYTES (1u << 20)
#define MODEL_CTX_CACHE 4096u

/* How much one visit to a queue pair may do before the next one has its turn (manual 9.2). */
#define VISIT_OPS 64u
#define VISIT_DESCRIPTORS 1024u
#define VISIT_BYTES (512u << 10)

/* Work is counted in bytes of payload, and so much for an operation. */
#define WORK_OF_OP 64u

#define QUEUE_OPS 128u /* requests of a queue pair that are worked on at the same time */
#define QUEUE_RUNS 2048u /* runs of memory that these may name, per ring; a power of two */

#define NB_ENGINES_MAX 3u

/* A run of IOVAs: a fragment, or several that continue each other. */
struct run {
	uint64_t iova;
	uint32_t len;
};

/* Runs of the frames of one ring that have many, first in, first out. A frame's runs lie behind
 * each other without wrap: the array is longer than its capacity by one frame. */
struct run_fifo {
	struct run *run;
	uint32_t head; /* where the frame under construction begins; free-running */
	uint32_t tail;
};

#define FRAME_RUNS 3u /* AAD, payload and digest, or payload and digest: most frames have no more */

/* A frame of an operation. It is built there while its descriptors are read. */
struct frame {
	struct run run[FRAME_RUNS]; /* if it has no more; else all are in run_fifo.run */
	uint64_t command; /* IOVA; TX only */
	uint32_t first; /* index into run_fifo.run */
	uint32_t runs;
	uint32_t bytes;
	uint32_t fragments; /* without the command */
	uint32_t slots; /* descriptors, type 0 included; as a response says it, manual 7.3 */
	uint32_t command_slot;
	bool has_command;
};

/* An error of a ring, manual 9.1; code 0 = none. */
struct queue_error {
	uint32_t code;
	uint32_t ring;
	uint32_t slot;
};

/* The TX or RX ring of a queue pair, manual 6. */
struct ring {
	uint64_t base;
	uint32_t mask;
	uint32_t cursor; /* next slot to read */
	uint32_t sdp; /* as last read from DOORBELL */
	uint32_t hdp; /* slot after the last descriptor of an answered request */
	uint64_t upper; /* latched address[63:30] */
	uint64_t command_upper; /* the same of commands, if they have it from COMMAND_UPPER */
	bool has_upper;
	bool has_command_upper;
	bool building; /* a frame is not complete yet */
	uint8_t id; /* enum accel_hw_qp_ring */
	/* Slots [window_first, window_first + window_nb) are at window. */
	const uint64_t *window;
	uint32_t window_first;
	uint32_t window_nb;
	uint64_t odd; /* window of one slot that does not lie in one aligned piece */
	struct queue_error error; /* of a frame that was read; takes effect in its turn */
	struct run_fifo fifo;
};

enum op_state {
	OP_FETCHED, /* its request frame is complete */
	OP_UNREADABLE, /* the same, but its command is not accessible */
	OP_READ, /* its command was read; waits for its result frame */
	OP_COMPLETE, /* both frames are complete */
	OP_BUSY, /* in an engine */
	OP_DONE, /* payload is written; waits for its turn to be answered */
};

#define OP_BOUNCED 0x01u /* the source is a copy in the worker's arena */
#define OP_RESERVED 0x02u /* has its place in the pace */
#define OP_FAULTS 0x04u /* op.faults is not 0 */
#define OP_IN_STREAM 0x08u /* the digest is a part of source and destination */

/* One operation under way. */
struct op {
	struct engine_job job;
	uint8_t state; /* enum op_state */
	uint8_t flags;
	uint16_t status;
	uint32_t produced;
	uint32_t bytes_in; /* payload bytes read, if carried out */
	uint32_t source; /* source bytes, for the pace */
	uint32_t out; /* bytes of the destination */
	uint32_t tx_end; /* slot after the last descriptor */
	uint32_t rx_end;
	uint32_t faults; /* FAULT_* */
	/* Where the command and the runs of input and output are, if these are no more than
	 * FRAME_RUNS: from the time when they are sent for. NULL, of runs [0]: to be looked up. */
	const uint8_t *command_at;
	uint8_t *input_at[FRAME_RUNS];
	uint8_t *output_at[FRAME_RUNS];
	struct ctx_entry *ctx; /* with a reference, while OP_BUSY */
	uint8_t *digest_to; /* where the produced digest goes; protocols: the copy they work on */
	uint64_t due; /* not to be answered before, if OP_RESERVED */
	struct frame tx;
	struct frame rx;
	struct accel_hw_command cmd CACHE_ALIGNED;
	uint8_t digest[ACCEL_HW_DIGEST_MAX]; /* to verify, or produced */
} CACHE_ALIGNED;

struct queue {
	struct port *port;
	struct accel_hw_qp_host *host; /* BAR0 pages */
	struct accel_hw_qp_device *device;
	uint32_t state; /* enum accel_hw_qp_state; never read back from the device page */
	uint32_t ack; /* CONTROL as last carried out */
	bool stalled; /* by fault injection */
	bool discard; /* state STOPPING: how */
	bool more; /* requests are waiting that the last visit did not take */
	uint32_t stop; /* the STOP being carried out */
	uint64_t stop_deadline;
	uint32_t stale; /* head as of the last round, see worker_flush_due() */
	struct queue_error error; /* nothing more is taken; earlier requests are being finished */

	/* Operations: answered up to head, begun up to next, fetched up to tail; free-running. */
	struct op *op;
	uint32_t head;
	uint32_t next;
	uint32_t tail;
	uint32_t placed; /* up to here they have their places in the pace */
	uint32_t descriptors; /* that this visit may still read */
	struct ring tx;
	struct ring rx;

	uint64_t rsp_base;
	uint32_t rsp_mask;
	uint32_t rsp_slot; /* next to write */
	uint8_t *rsp_at; /* the ring, if in one piece; NULL: to be looked up */
	bool streamed; /* responses were, since the last write-back */
	uint64_t wb_base;
	uint32_t wb_count;
	uint64_t wb_age; /* ticks, 0 = no limit */
	uint32_t unreported; /* responses that no write-back covers */
	uint64_t oldest; /* time of the first of them */

	uint64_t ops; /* counters of the device page */
	uint64_t op_errors;
	uint64_t bytes_in;
	uint64_t bytes_out;
} CACHE_ALIGNED; /* also so that what it costs does not depend on where it happens to lie */

/* A function's share of a worker, turn.h. */
struct turn {
	uint64_t used; /* ticks that it had: its place in the order */
	uint64_t drained; /* its work as of the last time when the engines were empty */
	unsigned int first; /* its queue pairs in worker.active */
	unsigned int nb;
	unsigned int next; /* whose visit is next, of these */
	bool slow; /* its last visit took long */
};

/* What a worker has of one function. */
struct port {
	struct dma_view view;
	struct accel_function *fn;
	struct worker *worker;
	unsigned int running; /* queue pairs that may access host memory: the view is online */
	struct pacer_rest rest;
	struct pacer_taken taken;
	struct turn turn;
	uint64_t work; /* begun, counted */
	CACHE_ALIGNED uint32_t quiesced; /* shared: fn->epoch up to which this worker stopped */
	/* The invalidation page as last seen. */
	uint32_t words[ACCEL_HW_INVALIDATE_WORDS] CACHE_ALIGNED;
} CACHE_ALIGNED;

/* Why a function does nothing; bits of accel_function.hold. */
#define HOLD_RESET 0x1u /* a reset request is being carried out */
#define HOLD_FLR 0x2u
#define HOLD_DEAD 0x4u
#define HOLD_FATAL 0x8u

struct accel_function {
	struct accel_model *model;
	unsigned int index;
	int fd;
	size_t bar_size;
	uint8_t *bar;
	struct accel_hw_identity *identity; /* pages of BAR0 */
	struct accel_hw_control *control;
	uint32_t *invalidate;
	struct accel_hw_vf_resources *vf_table; /* of the PF, else NULL */
	uint8_t *dt;
	uint64_t *dt_copy; /* the tree as built: a guest may scribble over BAR0 */
	uint32_t dt_size;

	uint32_t hold; /* shared: HOLD_*; changed together with epoch */
	uint32_t epoch; /* shared: raised when workers shall stop what they do for the function */
	bool fatal_shown; /* of worker 0 */
	uint32_t reset_ack; /* of worker 0, or of the FLR while workers are held */
	uint32_t reset_req; /* the one being carried out */
	uint64_t heartbeat;
	pthread_mutex_t flr_lock;

	unsigned int nb_queues; /* that the function was given (manual 4.5) */
	alg_set algorithms;
	struct pacer pacer;
	uint32_t vf_sequence; /* SEQUENCE of the entry taken over */
	struct log_limit log_limit[LOG_LEVELS]; /* shared */

	struct dma_map map;
	struct queue *queue;
	struct port **port; /* one per worker */
};

/* What the worker's thread has lived, see life.c. */
struct life {
	struct accel_model_life *out; /* NULL: nobody wants to know */
	uint64_t lived; /* in nanoseconds, as the rest */
	uint64_t at; /* as of then */
	uint64_t cpu; /* CPU time of the thread, when it last counted */
	uint64_t rested; /* since then, with what rests may take longer */
	uint64_t ticks; /* worker.now of then */
};

struct worker {
	struct accel_model *model;
	unsigned int index;
	uint32_t owner; /* shared: 1 while a thread is this worker */
	uint32_t has_thread; /* shared: 1 while a thread runs it; it owns it unless it sleeps */
	struct engine *engine[NB_ENGINES_MAX];
	struct ctx_cache cache;
	struct port *port; /* one per function */

	struct queue **active; /* queue pairs that run or stop */
	unsigned int nb_active;
	bool active_changed;
	bool polled; /* this round is of somebody who polls the worker, not of its thread */
	struct port **turns; /* those that have active queue pairs, in the order of their turns */
	unsigned int nb_turns;
	uint64_t work; /* begun, counted */
	uint64_t measured; /* worker.work when the clock was last looked at ... */
	uint64_t mark; /* ... and what it said: time up to here was charged */
	uint64_t drained; /* worker.work when the engines were last empty */
	uint64_t begin; /* of the round, or of the part of it after commands were looked at */
	uint64_t vtime; /* where the one whose turn it is was in the order of turns */
	bool held; /* a queue pair waits for its place in the pace */
	uint32_t busy; /* operations in engines */
	uint64_t now; /* as last read: before the round, or before the rest ahead of it */
	uint64_t last_control;
	uint64_t last_tick;
	uint64_t last_beat; /* the heartbeat also beats while an engine is at one long operation */

	/* Copies of what does not lie in one run; freed as a whole when none is left. */
	uint8_t *arena;
	uint32_t arena_used;
	uint32_t arena_mark; /* bytes from its beginning that may hold payload */
	uint32_t arena_ops;
	uint64_t wiped_ops; /* count.ops when the stack was wiped */
	/* An operation in pieces, while it is carried out. Each run of either frame ends one. */
	struct engine_piece piece[2 * MODEL_MAX_FRAGMENTS];

	struct pacer_rest rest;
	struct life life;
	struct accel_model_stats count; /* worker's own */
	struct accel_model_stats stats CACHE_ALIGNED; /* shared: a copy, now and then */
} CACHE_ALIGNED;

struct accel_model {
	struct accel_model_config config;
	const struct engine_ops *engine[NB_ENGINES_MAX]; /* in order of preference */
	unsigned int nb_engines;
	struct alg_caps caps;
	struct pacer pacer;
	struct fault_list faults;
	struct accel_function *fn;
	struct worker *worker;
	uint64_t ticks_control; /* clock_from_ns() of the periods in worker.c, devices stop times */
	uint64_t ticks_tick;
	uint64_t ticks_idle;
	uint64_t ticks_slice;
	uint64_t ticks_stop;
	uint32_t stop; /* shared */
	uint32_t running; /* shared: threads in accel_model_worker_run() */
};

#endif /* ACCEL_MODEL_MODEL_H */
