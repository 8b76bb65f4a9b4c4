/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the model consists of. A card has functions and workers. A function has a BAR0, an IOMMU
 * and queue pairs. A queue pair belongs to one worker, and so does all that this worker needs of
 * the function (struct port). Only the worker that owns them touches their fields, apart from the
 * few that are marked as shared.
 */
#ifndef ACCEL_MODEL_MODEL_H
#define ACCEL_MODEL_MODEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"
#include "accel_model.h"
#include "base/fault.h"
#include "base/health.h"
#include "base/logging.h"
#include "base/util.h"
#include "context/alg.h"
#include "mem/dmamap.h"
#include "model/life.h"
#include "model/pacing.h"
#include "model/turn.h"
#include "op/op.h"
#include "pk/pk_pool.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "manual section 2: what is shared with the host is little-endian, and used as it is");

#define MODEL_RING_SIZE_MAX 262144u /* manual section 11 */

/* A visit to a queue pair ends at these limits. Then the next queue pair has its turn (manual
 * 9.2). */
#define VISIT_OPS 64u
#define VISIT_DESCRIPTORS 1024u
#define VISIT_BYTES (512u << 10)

#define QUEUE_RUNS 2048u /* runs of memory that requests under way may name, per ring */

static_assert((QUEUE_RUNS & (QUEUE_RUNS - 1)) == 0, "free-running indices");
static_assert(QUEUE_RUNS >= 2 * MODEL_MAX_FRAGMENTS, "a request always fits in the end");

/* Holds the runs of those frames of one ring that have more than FRAME_RUNS, first in, first out.
 * The runs of a frame are contiguous and do not wrap, as the array is longer than its capacity by
 * one frame. */
struct run_fifo {
	struct run *run;
	uint32_t head; /* where the frame under construction begins; free-running */
	uint32_t tail;
};

/* Describes an error of a ring (manual 9.1). Code 0 means that there is none. */
struct queue_error {
	uint32_t code;
	uint32_t ring;
	uint32_t slot;
};

/* Holds what queue_tune() knows of the host. Numbers are those of TX descriptors. */
struct tuning {
	uint32_t count_max; /* the largest N */
	uint64_t age_max; /* the longest T */
	uint64_t waiting; /* the host waited for at most, of late */
	uint64_t early; /* were posted or not reported at the last line before the end */
	uint64_t left; /* not reported by that line; 0: nothing */
	bool closed; /* the host posted nothing while these were worked on */
	uint8_t vain; /* lines before the end, one after the other, that were of no use */
	uint8_t calm; /* bursts without such a line since then */
};

/* Describes the TX or RX ring of a queue pair (manual 6). */
struct ring {
	uint64_t base;
	uint32_t mask;
	uint32_t cursor; /* next slot to read */
	uint32_t sdp; /* as last read from DOORBELL */
	uint32_t hdp; /* slot after the last descriptor of an answered request */
	uint32_t max_fragments; /* the card's limits of a frame */
	uint32_t max_frame_bytes;
	uint64_t upper; /* latched address[63:30] */
	uint64_t command_upper; /* address[63:30] of commands, if COMMAND_UPPER gives it */
	bool has_upper;
	bool has_command_upper;
	bool has_commands; /* commands lie in the command ring, their fragments do not say where */
	bool building; /* a frame is not complete yet */
	uint8_t id; /* enum accel_hw_qp_ring */
	/* Slots [window_first, window_first + window_nb) are at window. */
	const uint64_t *window;
	uint32_t window_first;
	uint32_t window_nb;
	uint64_t copy; /* of a slot that is not contiguous or not aligned */
	struct queue_error error; /* of a frame that was read; takes effect in its turn */
	struct run_fifo fifo;
};

/* Describes the request whose latency is measured. */
struct latency_sample {
	uint64_t due; /* answered operations after which the next request is measured */
	uint64_t begin; /* ticks: when the doorbell was read */
	uint32_t from; /* TX_HDP when the doorbell was read */
	uint32_t slots; /* TX_HDP has moved by this many when the request has its response */
	bool taken; /* a request is being measured */
};

struct queue {
	struct port *port;
	struct accel_hw_qp_host *host; /* its pages of BAR0 */
	struct accel_hw_qp_device *device;
	uint32_t state; /* enum accel_hw_qp_state; never read back from the device page */
	uint32_t ack; /* CONTROL as last carried out */
	bool stalled; /* by fault injection */
	bool discard; /* the stop is a discard, else a drain */
	bool more; /* requests are waiting that the last visit did not take */
	bool uncached; /* more payload was posted than caches hold */
	uint32_t stop; /* CONTROL with the STOP that is being carried out */
	uint64_t stop_deadline;
	uint64_t stop_earliest; /* ACCEL_MODEL_SLOW_STOP */
	uint32_t stale; /* head as of the last round, see lanes_due() */
	struct queue_error error; /* with an error nothing more is taken, and earlier requests are
				   * finished */

	/* Operations: answered up to head, begun up to next, fetched up to tail; free-running. */
	struct op *op;
	uint32_t head;
	uint32_t next;
	uint32_t tail;
	uint32_t placed; /* operations up to here have places in the pace */
	uint32_t pace; /* pacer.changes of the function when they got their places */
	uint32_t descriptors; /* descriptors that this visit may still read */
	struct ring tx;
	struct ring rx;

	uint64_t rsp_base;
	uint32_t rsp_mask;
	uint32_t rsp_slot; /* next to write */
	uint8_t *rsp_at; /* the ring, if it is in one piece; NULL: it is to be looked up */
	bool streamed; /* responses were streamed since the last write-back */
	bool wb_auto; /* N and T are chosen after each write-back */
	uint64_t wb_base;
	uint32_t wb_count; /* N */
	uint64_t wb_age; /* T in ticks, 0 = no limit */
	uint32_t unreported; /* responses that no write-back covers */
	uint64_t oldest; /* time of the first unreported response */

	uint64_t ops; /* counters of the device page */
	uint64_t op_errors;
	uint64_t bytes_in;
	uint64_t bytes_out;

	/* The command ring, if tx.has_commands. */
	const uint8_t *commands_at; /* the ring, if in one piece; NULL: it is to be looked up */
	uint64_t command_base;
	uint32_t command_mask;
	struct tuning tuning; /* of N and T, if wb_auto is set */
	struct latency_sample sample;
	struct pk_queue *pk; /* NULL: not a public-key queue pair */
} CACHE_ALIGNED; /* the alignment also puts the fields of all queue pairs at the same places in
		  * cache lines */

/** True if the queue pair takes part in the rounds of its worker. */
static inline bool
queue_active(const struct queue *q)
{
	return q->state == ACCEL_HW_QP_RUNNING || q->state == ACCEL_HW_QP_STOPPING;
}

/** Return the record of a request by its free-running number. */
static inline struct op *
op_at(const struct queue *q, uint32_t index)
{
	return &q->op[index & OPS_MASK];
}

/** Return op_at(), with less work. @param before the record of the request before. */
static ALWAYS_INLINE struct op *
op_after(const struct queue *q, struct op *before, uint32_t index)
{
	return likely((index & OPS_MASK) != 0) ? before + 1 : q->op;
}

/* Holds what a worker has of one function. */
struct port {
	struct op_access access;
	struct accel_function *fn;
	unsigned int running; /* queue pairs that may access host memory: the view is online */
	struct pacer_rest rest;
	struct pacer_taken taken;
	struct turn turn;
	CACHE_ALIGNED uint32_t quiesced; /* shared: fn->epoch up to which this worker stopped */
	uint32_t frozen; /* shared: fn->snapshot for which the counters are in `counts` */
	struct health_counts counts; /* shared */
	uint32_t dropped; /* DROP_ALL as last seen */
	/* The invalidation page as last seen. */
	uint32_t words[ACCEL_HW_INVALIDATE_WORDS] CACHE_ALIGNED;
} CACHE_ALIGNED;

/* The bits of accel_function.hold say why a function is held. */
#define HOLD_RESET 0x1u /* a reset request is being carried out */
#define HOLD_FLR 0x2u
#define HOLD_DEAD 0x4u
#define HOLD_FATAL 0x8u
#define HOLD_ABSENT 0x10u /* a virtual function that is not enabled */
#define HOLD_BOOT 0x20u /* the function boots (ACCEL_MODEL_LATE) */

/* Holds the share and the mailbox of a virtual function (vf.c). vf_lock guards all of it. */
struct vf {
	struct accel_hw_vf_resources entry; /* as read last */
	uint32_t ack; /* its SEQUENCE when rates and weight took effect */
	bool due; /* rates and weight have not taken effect yet */
	uint32_t asked; /* REQUEST as last seen */
	uint32_t reply_to; /* REQUEST of the request that the PF sees */
	uint32_t request; /* the number that the PF sees of this request, 0: none */
	uint32_t last_request; /* the latest number that a request got */
	uint32_t answered;
	/* These fields have what PF and VF were shown last. */
	uint64_t status; /* the first words of struct accel_hw_vf_status */
	uint32_t share_count;
	uint32_t pf_state;
	unsigned int queue_pairs;
};

struct accel_function {
	struct accel_model *model;
	unsigned int index;
	int fd;
	size_t bar_size;
	uint8_t *bar;
	struct accel_hw_identity *identity; /* pages of BAR0 */
	struct accel_hw_control *control;
	uint32_t *invalidate;
	/* A PF with virtual functions has these pages, others have NULL. The last three exist since
	 * contract 1.2. */
	struct accel_hw_vf_resources *vf_table;
	struct accel_hw_vf_answer *vf_answers;
	struct accel_hw_vf_resources *vf_requests;
	struct accel_hw_vf_status *vf_status;
	/* A VF has these pages since contract 1.2, others have NULL. */
	struct accel_hw_vf_resources *mailbox_host;
	struct accel_hw_mailbox *mailbox;
	uint8_t *dt;
	uint8_t *behind; /* what lies after all pages of BAR0 */
	uint64_t booted; /* ticks: the end of booting, ACCEL_MODEL_LATE */
	uint64_t *dt_copy; /* the tree as built, as a guest may overwrite BAR0 */
	uint32_t dt_size;

	/* Worker 0 writes these now and then. Others read the line after them in each round, so
	 * these have a line of their own (tools/py/counts/shared_lines.py). */
	uint64_t heartbeat CACHE_ALIGNED;
	bool fatal_shown; /* of worker 0 */
	uint32_t reset_ack; /* written by worker 0, or by the FLR while workers are held */
	uint32_t reset_req; /* the reset request that is being carried out */
	pthread_mutex_t flr_lock;

	uint32_t hold CACHE_ALIGNED; /* shared: HOLD_*; changed together with epoch */
	uint32_t epoch; /* shared: raised when workers shall stop what they do for the function */
	uint32_t absent; /* shared: 1 for a virtual function that is not enabled */
	uint32_t state; /* shared: STATE as shown */
	unsigned int nb_queues; /* queue pairs it was given (manual 4.5), guarded by vf_lock */
	unsigned int nb_pk_queues; /* its public-key queue pairs (manual 8.8), guarded by vf_lock */
	alg_set algorithms;
	struct health health;
	uint32_t snapshot; /* shared: SNAPSHOT_REQ for which workers shall freeze their counters */
	struct pacer pacer;
	uint32_t weight; /* shared: its part of a busy worker; 0 is taken as 1 (turn.h) */
	struct vf vf;
	struct log_limited log;

	struct pk_client engines; /* public-key engines */
	uint32_t no_entropy; /* shared: its random number source has failed (RND-2) */
	struct dma_map map;
	struct queue *queue; /* model_queues() queue pairs, the public-key ones last */
	struct port *port; /* one per worker */
};

/** True if workers shall leave the function alone. */
static inline bool
function_held(const struct accel_function *fn)
{
	return load32_acquire(&fn->hold) != 0;
}

/* Measures the time in which a worker had work. Now and then the worker shares this time out to
 * functions by their work (snapshot.c). */
struct busy {
	uint64_t ticks; /* not shared out yet */
	uint64_t work; /* turns.work when time was last shared out */
	uint64_t sampled; /* of a polled worker: when the clock was last read after a round */
	unsigned int rounds_work; /* of a polled worker: what the rounds since sampled did */
};

/* Describes the public-key queue pairs of a worker (worker_pk.c). */
struct worker_pk {
	struct pk_desk desk;
	struct queue **active; /* public-key queue pairs that run or stop */
	unsigned int nb_active;
	unsigned int next; /* the queue pair that is visited next */
	bool more; /* the last visits have left something */
	uint64_t looked; /* when CONTROL of all queue pairs was last looked at while there was
			  * work */
	uint64_t symmetric; /* when there was last work of other queue pairs */
	uint64_t lend_at; /* when worker_pk_lend() is called next */
	uint64_t lend_from; /* when it was last called, or when the worker woke up from the sleep
			     * after that call */
	uint64_t lend_cpu; /* CPU time of engines at lend_from, nanoseconds */
};

struct worker {
	struct accel_model *model;
	unsigned int index;
	uint32_t owner; /* shared: 1 while a thread is this worker */
	uint32_t has_thread; /* shared: 1 while a thread runs the worker, which the thread owns
			      * except during naps */

	struct port **port; /* one per function */
	struct port **online; /* of functions with active queue pairs */
	unsigned int nb_online;
	struct queue **active; /* queue pairs that run or stop */
	unsigned int nb_active;
	bool active_changed;
	bool polled; /* this round was started by accel_model_worker_poll() */
	bool held; /* a queue pair waits for its place in the pace */
	uint64_t now; /* time as last read, before the round or before the rest */
	uint64_t last_control;
	uint64_t last_tick;
	uint64_t last_beat; /* time of the last heartbeat, also by an engine in a long operation */
	bool rested; /* the last round found no work */
	unsigned int look_next; /* function whose commands are looked at next */
	unsigned int beat_next; /* function whose heartbeat is next */
	unsigned int scan_next; /* function whose invalidation page is read next */

	struct turns turns;
	struct pacer_rest rest;
	struct life life;
	struct busy busy;
	struct accel_model_stats unlisted; /* counts of functions without active queue pairs */
	struct accel_model_stats stats CACHE_ALIGNED; /* shared: a copy of tools.count */
	struct op_tools tools CACHE_ALIGNED;
	struct worker_pk pk CACHE_ALIGNED;
} CACHE_ALIGNED;

/* Describes the card. */
struct accel_model {
	struct accel_model_config config;
	unsigned int minor; /* version of the contract */
	bool drop_all; /* DROP_ALL is in place of the invalidation page */
	uint32_t operation_ms; /* as the device tree says */
	uint32_t ring_size_max; /* limits of manual section 11 */
	uint32_t max_fragments;
	uint32_t max_frame_bytes;
	const struct engine_ops *engine[NB_ENGINES_MAX]; /* in order of preference */
	unsigned int nb_engines;
	struct alg_caps caps;
	struct log_sink log;
	struct pacer pacer;
	struct pk_pool pk_pool;
	struct fault_list faults;
	pthread_mutex_t vf_lock;
	unsigned int vf_left; /* queue pairs that no virtual function has */
	unsigned int vf_next; /* the function that vf_look() looked at last */
	struct accel_function *fn;
	struct worker *worker;
	uint64_t ticks_control; /* the periods and times of card.c in ticks */
	uint64_t ticks_tick;
	uint64_t ticks_idle;
	uint64_t ticks_slice;
	uint64_t ticks_stop;
	uint64_t ticks_put_off;
	uint64_t ticks_slow_stop;
	uint64_t ticks_boot;
	uint32_t stop; /* shared */
	uint32_t running; /* shared: threads in accel_model_worker_run() */
};

/** True if the card has a profile, ACCEL_MODEL_LEAST or another one. */
static inline bool
model_is(const struct accel_model *m, unsigned int profile)
{
	return (m->config.profile & profile) != 0;
}

/** True if the card has the options of DMA and health of a minor version of the contract. */
static inline bool
model_has_options(const struct accel_model *m, unsigned int minor)
{
	return m->minor >= minor && !model_is(m, ACCEL_MODEL_LEAST);
}

/** True if the card has public-key queue pairs (manual 8.8). */
static inline bool
model_has_pk(const struct accel_model *m)
{
	return m->minor >= 4 && !model_is(m, ACCEL_MODEL_FEW | ACCEL_MODEL_ONE_SIZE |
						     ACCEL_MODEL_NO_ALGS);
}

/** Return how many queue pairs a function has memory for, public-key ones included. */
static inline unsigned int
model_queues(const struct accel_model *m)
{
	return m->config.nb_queue_pairs * (model_has_pk(m) ? 2 : 1) + model_has_pk(m);
}

/** True for a public-key queue pair. */
static inline bool
queue_is_pk(const struct queue *q)
{
	const struct accel_function *fn = q->port->fn;

	return (unsigned int)(q - fn->queue) >= fn->model->config.nb_queue_pairs;
}

/** Return the number of a queue pair in its function (PK-1). */
static inline unsigned int
queue_number(const struct queue *q)
{
	const struct accel_function *fn = q->port->fn;
	const unsigned int index = (unsigned int)(q - fn->queue);

	return !queue_is_pk(q) ? index : fn->nb_queues + index - fn->model->config.nb_queue_pairs;
}

/**
 * Return the worker of a queue pair. The functions begin at different workers, so VFs with few
 * queue pairs do not all come to the first worker.
 */
static inline unsigned int
worker_of(const struct accel_function *fn, unsigned int queue)
{
	return (queue + fn->index) % fn->model->config.nb_workers;
}

/** Return the first queue pair of a function that belongs to a worker. From there on, each
 * nb_workers-th queue pair belongs to the worker. */
static inline unsigned int
first_queue(const struct worker *w, const struct accel_function *fn)
{
	const unsigned int nb = w->model->config.nb_workers;

	return (w->index + nb - fn->index % nb) % nb;
}

/** Return the first public-key queue pair of a function that belongs to a worker. From there on,
 * each nb_workers-th queue pair belongs to the worker. */
static inline unsigned int
first_pk_queue(const struct worker *w, const struct accel_function *fn)
{
	const unsigned int nb = w->model->config.nb_workers, base = w->model->config.nb_queue_pairs;

	return base + (w->index + nb - (base + fn->index) % nb) % nb;
}

#endif /* ACCEL_MODEL_MODEL_H */
