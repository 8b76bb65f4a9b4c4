/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One operation, how it begins and ends, and what a worker needs for operations. op_begin() and
 * op_end() count the operations in engines. An operation that never gets into an engine ends with
 * op_done() alone.
 */
#ifndef ACCEL_MODEL_OP_H
#define ACCEL_MODEL_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"
#include "accel_model.h"
#include "base/fault.h"
#include "base/health.h"
#include "base/logging.h"
#include "base/util.h"
#include "context/ctxcache.h"
#include "engine/engine.h"
#include "mem/dmamap.h"
#include "op/iv_random.h"

/* These are limits of manual section 11. */
#define MODEL_MAX_FRAGMENTS 256u
#define MODEL_MAX_FRAME_BYTES (1u << 20)

#define QUEUE_OPS 128u /* requests of a queue pair that are worked on at the same time */
#define OPS_MASK (QUEUE_OPS - 1u)

static_assert((QUEUE_OPS & OPS_MASK) == 0, "free-running indices");

#define NB_ENGINES_MAX 3u

/* Describes a run of IOVAs: a fragment, or several fragments without gaps. */
struct run {
	uint64_t iova;
	uint32_t len;
};

#define FRAME_RUNS 3u /* most frames have no more: AAD, payload, digest */

/* Describes a frame of an operation. The frame is built here while its descriptors are read. */
struct frame {
	struct run run[FRAME_RUNS]; /* its runs, unless there are more; then all are at `many` */
	uint64_t command; /* IOVA; TX only */
	uint32_t command_slot;
	uint32_t runs;
	uint32_t bytes;
	uint32_t fragments; /* without the command */
	uint32_t slots; /* descriptors, type 0 included; as in the response, manual 7.3 */
	bool has_command;
	struct run *many;
};

/** Return the runs of a frame. */
static inline const struct run *
frame_runs(const struct frame *f)
{
	return f->runs > FRAME_RUNS ? f->many : f->run;
}

enum op_state {
	OP_FETCHED, /* its request frame is complete */
	OP_UNREADABLE, /* its request frame is complete, but its command is not accessible */
	OP_READ, /* its command was read; waits for its result frame */
	OP_COMPLETE, /* both frames are complete */
	OP_BUSY, /* in an engine */
	OP_DONE, /* payload is written; waits for its turn to be answered */
};

#define OP_BOUNCED 0x01u /* the source is a copy in the worker's arena */
#define OP_RESERVED 0x02u /* the operation has its place in the pace */
#define OP_FAULTS 0x04u /* op.faults is not 0 */
#define OP_IN_STREAM 0x08u /* the digest is a part of source and destination */
#define OP_AGAIN 0x10u /* the operation could not begin at first; its faults are counted already */
#define OP_IPSEC 0x20u /* an operation of ESP or AH that has begun: op.ipsec is valid */
#define OP_TLS 0x40u /* an operation of TLS that has begun: of op.ipsec only info is valid */
#define OP_PROTOCOL 0x80u /* of DOCSIS or PDCP, with something to do after its job */

/* Holds what an operation of ESP or AH knows of its packet between begin and end. In both
 * directions the packet is the protected one, with its outer header. */
struct op_ipsec {
	uint64_t number; /* sequence number, of 64 bits with ESN */
	uint8_t *packet;
	uint32_t header; /* bytes of IP and extension headers before UDP, ESP or AH */
	uint32_t payload; /* offset of what is protected: after the IV, or after AH */
	uint32_t len; /* bytes of the payload, with ESP's trailer, without the ICV */
	uint32_t next_at; /* where the number of ESP or AH is */
	uint16_t info; /* of the response */
	uint8_t version; /* of IP */
	uint8_t tos; /* inbound: of the outer header */
};

/* Describes one operation under way. */
struct op {
	struct engine_job job;
	uint8_t state; /* enum op_state */
	uint8_t flags;
	uint16_t faults; /* FAULT_* */
	uint32_t outcome; /* of the response: status, and info in the upper half */
	uint32_t produced;
	uint32_t bytes_in; /* payload bytes read, if carried out */
	uint32_t source; /* source bytes, for the pace */
	uint32_t out; /* bytes of the destination */
	uint32_t tx_end; /* slot after the last descriptor; may be the ring's size for 0 */
	uint32_t rx_end;
	uint16_t qp; /* number of its queue pair, as long as that runs */
	/* These are the addresses of the command and of the runs of input and output. They are set
	 * when command and runs are prefetched. A frame with more than FRAME_RUNS runs has none. If
	 * the first address is NULL, the addresses are to be looked up. */
	const uint8_t *command_at;
	uint8_t *input_at[FRAME_RUNS];
	uint8_t *output_at[FRAME_RUNS];
	struct ctx_entry *ctx; /* with a reference, while OP_BUSY */
	uint8_t *digest_to; /* where the produced digest goes; OP_PROTOCOL: see op_protocol.c */
	uint64_t due; /* with OP_RESERVED: the time before which there is no response */
	struct frame tx;
	struct frame rx;
	struct op_ipsec ipsec; /* fills the line before the command */
	struct accel_hw_command cmd CACHE_ALIGNED;
	uint8_t digest[ACCEL_HW_DIGEST_MAX]; /* to verify, or produced */
} CACHE_ALIGNED;

/* Describes what the operations of one function may access. */
struct op_access {
	struct dma_view view;
	const uint64_t *algorithms; /* an alg_set, manual 4.5 */
	unsigned int function; /* index */
	struct health *health;
	struct health_counts count; /* of this worker */
	uint64_t odd; /* how often work was not well-behaved, without errors (turn.h) */
};

struct bus;

/* Holds the tools of a worker for all its operations. */
struct op_tools {
	struct ctx_cache cache;
	bool no_cache; /* an entry serves one operation, ACCEL_MODEL_NO_CACHE */
	struct engine *engine[NB_ENGINES_MAX];
	const struct engine_ops *const *engine_ops; /* in order of preference */
	unsigned int nb_engines;
	uint32_t busy; /* operations in engines */
	const struct alg_caps *caps;
	struct fault_list *faults;
	const struct log_sink *log;
	struct bus *bus; /* NULL unless accesses are counted */

	/* The arena is memory for copies of what is not in one run. The arena is freed as a whole
	 * when no operation uses it. */
	uint8_t *arena;
	uint32_t arena_used;
	uint32_t arena_mark; /* bytes from its beginning that may hold payload */
	uint32_t arena_ops;

	uint64_t wiped_ops; /* count.ops when the stack was wiped */
	struct accel_model_stats count; /* the worker's */
	struct iv_random random; /* for IVs */
	/* The pieces of an operation are here while it is carried out. The end of each run of
	 * either frame ends a piece. */
	struct engine_piece piece[2 * MODEL_MAX_FRAGMENTS];
};

/** Make the engines, the cache and the arena. The caller has set the other fields. @return 0 or a
 * negative errno. */
int op_tools_init(struct op_tools *tools, unsigned int cached_contexts);
void op_tools_fini(struct op_tools *tools);
/** Let the engines finish their jobs. */
void op_tools_flush(struct op_tools *tools);
/** Wipe what is left of finished operations: copies of payload, lanes of engines, and the stack.
 * The engines are empty. */
void op_tools_wipe(struct op_tools *tools);
/** Wipe the stack below the caller, if there were operations since the last time. */
void op_tools_wipe_stack(struct op_tools *tools);

#define ARENA_SIZE (4u << 20)
/* A copy takes at most ARENA_MARGIN bytes beyond its operation's payload: alignment, a digest,
 * margins of protocols. */
#define ARENA_MARGIN 384u

static_assert(MODEL_MAX_FRAME_BYTES + QUEUE_OPS * ARENA_MARGIN <= ARENA_SIZE,
	      "an empty arena has room for any batch");

/**
 * True if the arena has room for @p nb operations with @p bytes of payload together. An arena
 * without room has room when the engines are empty.
 */
static inline bool
arena_has_room(const struct op_tools *tools, uint32_t nb, uint32_t bytes)
{
	return tools->arena_ops == 0 ||
		bytes + nb * ARENA_MARGIN <= ARENA_SIZE - tools->arena_used;
}

/**
 * True if a copy may take @p bytes beyond its operation's payload and ARENA_MARGIN, and the rest of
 * the batch still has room. If not, the copy may do so when the engines are empty.
 */
static inline bool
arena_can_grow(const struct op_tools *tools, uint32_t bytes)
{
	return tools->arena_ops == 0 ||
	       bytes + MODEL_MAX_FRAME_BYTES + QUEUE_OPS * ARENA_MARGIN <=
		       ARENA_SIZE - tools->arena_used;
}

/** Get room for a copy. The caller made sure with arena_has_room() that there is room. */
uint8_t *arena_get(struct op_tools *tools, uint64_t bytes);

/** End an operation with this status and output. */
static ALWAYS_INLINE void
op_done(struct op *op, uint32_t status, uint32_t produced)
{
	op->outcome = status;
	op->produced = produced;
	op->state = OP_DONE;
}

/** End an operation that did not begin, without output. */
static ALWAYS_INLINE void
op_fail(struct op *op, enum accel_hw_status status)
{
	op->bytes_in = 0;
	op->source = 0;
	op_done(op, status, 0);
}

/** Report that the last access to memory for an operation failed. */
static inline void
op_report_fault(struct op_access *access, const struct op *op, enum accel_hw_fault_access what)
{
	health_fault(access->health, what, op->qp, op->cmd.tag, access->view.fault);
}

/** End an operation that did not begin because the last access to memory for it failed. */
static inline void
op_fail_access(struct op_access *access, struct op *op, enum accel_hw_fault_access what)
{
	op_report_fault(access, op, what);
	op_fail(op, ACCEL_HW_DMA_FAULT);
}

/**
 * Count an operation as in-flight in an engine, until op_end().
 *
 * @param source bytes, for the pace.
 * @param out bytes of the destination, without a digest after it.
 * @param flags OP_BOUNCED, OP_IN_STREAM and OP_PROTOCOL.
 */
static ALWAYS_INLINE void
op_begin(struct op_tools *tools, struct op *op, struct ctx_entry *ctx, uint32_t source,
	 uint32_t out, const uint8_t flags)
{
	op->ctx = ctx;
	op->bytes_in = op->tx.bytes;
	op->source = source;
	op->out = out;
	op->state = OP_BUSY;
	ctx->refs++;
	tools->busy++;
	if (flags != 0)
		op->flags |= flags;
	if ((flags & OP_BOUNCED) != 0) {
		tools->arena_ops++;
		tools->count.bounced++;
	}
}

/** End an operation that an engine has finished. Its output is written. */
static ALWAYS_INLINE void
op_end(struct op_tools *tools, struct op *op, uint32_t produced, const uint8_t flags)
{
	const uint32_t status = op->job.status; /* extended to 32 bits once, in a register */

	op->ctx->refs--;
	tools->busy--;
	if ((flags & OP_BOUNCED) != 0)
		tools->arena_ops--;
	op_done(op, status, produced);
}

#endif /* ACCEL_MODEL_OP_H */
