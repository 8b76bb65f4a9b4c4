/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public interface of the reference device: a card with one or more functions, whose BAR0 and host
 * memory are handed over by whoever embeds it (the driver's vdev transport, the vfio-user daemon, a
 * test). What the device does is the hardware programming manual's; what is here has no counterpart
 * in hardware: creating it, its clock (threads), its faults.
 *
 * All functions return 0 or a negative errno value unless they say otherwise.
 */
#ifndef ACCEL_MODEL_H
#define ACCEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACCEL_MODEL_MAX_WORKERS 64u
#define ACCEL_MODEL_MAX_FUNCTIONS 64u
#define ACCEL_MODEL_MAX_QUEUE_PAIRS 64u
#define ACCEL_MODEL_MAX_DMA_MAPS 65536u /* runs of memory of one function */

struct accel_model; /* a card */
struct accel_function; /* one of its PCI functions */

/* Which engine computes an algorithm (manual 8.2 is the same for all). */
enum accel_model_engine {
	ACCEL_MODEL_ENGINE_AUTO = 0, /* IPsec-MB where it has the algorithm, else OpenSSL */
	ACCEL_MODEL_ENGINE_IPSEC_MB, /* only what IPsec-MB has; the device tree lists no more */
	ACCEL_MODEL_ENGINE_OPENSSL, /* everything by OpenSSL */
	ACCEL_MODEL_ENGINE_NULL, /* no cryptography: copies source to destination, digests are
				  * zeros and verify; in place it touches no payload at all */
};

enum accel_model_log_level {
	ACCEL_MODEL_LOG_ERR,
	ACCEL_MODEL_LOG_WARNING,
	ACCEL_MODEL_LOG_INFO,
	ACCEL_MODEL_LOG_DEBUG,
};

/*
 * The time that the thread of a worker has had: in which it ran, or rested because it had nothing
 * to do. It stands still while the thread is stopped or waits for a CPU, so an embedder can tell a
 * device that is late from one that hangs. A device whose faults make it silent goes on living.
 */
struct accel_model_life {
	uint64_t lived; /* nanoseconds; a rest counts when it begins */
	uint64_t cpu; /* CPU time of the thread when it last counted; what it has used since, which
		       * a long job in an engine does, is to be added to lived */
	uint32_t tid; /* of the thread; 0: it has not begun */
} __attribute__((aligned(64)));

/** What a thread has published, while it may be writing it. */
void accel_model_life_read(const struct accel_model_life *life, struct accel_model_life *now);

/* A rest takes no longer; lived and cpu stand still for no longer while all is well. */
#define ACCEL_MODEL_LIFE_MAX_NS 6000000u

struct accel_model_config {
	unsigned int nb_functions; /* 0 is taken as 1; function 0 is the PF */
	unsigned int nb_queue_pairs; /* per function, 1..ACCEL_MODEL_MAX_QUEUE_PAIRS */
	unsigned int nb_workers; /* 1..ACCEL_MODEL_MAX_WORKERS; queue pair q belongs to worker
				  * q % nb_workers */
	enum accel_model_engine engine;
	/* Rates of the card, 0 = as fast as it goes. They are not exceeded, but for what was saved
	 * up while there was nothing to do: at most 5 ms worth. */
	uint64_t peak_ops; /* operations per second */
	uint64_t peak_bytes; /* source bytes per second */
	unsigned int ctx_cache; /* cached contexts per worker, 0 = default of manual section 11 */
	unsigned int idle_us; /* a worker without work spins this long, then backs off in steps */
	bool no_bits; /* as older firmware: no algorithm has bit lengths (manual 7.2, BITS) */
	bool no_command_upper; /* as older firmware: no register COMMAND_UPPER (manual 5.1) */
	bool share_cpu; /* workers share CPUs with the host's threads: yield as soon as idle */
	const char *faults; /* initial faults as for accel_model_fault(), NULL = none */
	/* Or NULL. Workers call it, and the whole card stands still as long as it takes. */
	void (*log)(void *arg, enum accel_model_log_level level, const char *msg);
	void *log_arg;
	struct accel_model_life *life; /* nb_workers of them, zeroed, to be written to; or NULL */
};

/**
 * Build a card. Nothing runs until a worker is polled.
 *
 * @return 0; -EINVAL for a number out of range or a malformed fault string, -ENOMEM,
 *   -ENOTSUP when the forced engine is not usable on this CPU.
 */
int accel_model_create(const struct accel_model_config *config, struct accel_model **model);

/**
 * Destroy a card. No thread may be in accel_model_worker_run() or _poll() any more, see
 * accel_model_stop(). Keys in caches are wiped.
 */
void accel_model_destroy(struct accel_model *model);

/**
 * Once per process, before anything uses OpenSSL: its memory, which holds keys, is left out of core
 * dumps and locked where RLIMIT_MEMLOCK allows, as the model's own memory for keys is. For programs
 * that use OpenSSL for nothing else, in threads that live as long as they do.
 *
 * @return 0; -EALREADY: OpenSSL has memory already.
 */
int accel_model_guard_keys(void);

/** The function with this index, NULL if there is none. */
struct accel_function *accel_model_function(struct accel_model *model, unsigned int index);

/**
 * Where the host of function 0 says what each virtual function is given (manual 4.5): an array of
 * struct accel_hw_vf_resources in its BAR0. NULL if the card has no virtual functions.
 */
void *accel_model_vf_table(struct accel_model *model);

/**
 * May a line about something that the function's host did be logged? The model asks for its own
 * lines, and who embeds it asks for those about messages of a guest and the like: so one function
 * has one limit, 32 lines at once and then one a second, for each level by itself, and cannot hide
 * the lines of another. Callable from any thread; nobody waits.
 *
 * @param left_out if true, receives how many lines were refused since the last time.
 */
bool accel_function_may_log(struct accel_function *fn, enum accel_model_log_level level,
			    uint64_t *left_out);

/**
 * Be worker @p worker until accel_model_stop(): the body of a thread. Each worker is run by one
 * thread at a time.
 *
 * @param cpu CPU to bind the calling thread to, or -1 to leave its affinity alone.
 * @return 0 after accel_model_stop(), at once if that was called before; -EINVAL, -EBUSY if another
 *   thread is this worker.
 */
int accel_model_worker_run(struct accel_model *model, unsigned int worker, int cpu);

/**
 * One round over everything that belongs to a worker, for embedders without threads and for tests:
 * takes new commands and requests, completes and answers what can be completed, advances the
 * heartbeat. Does not block. Two threads that poll the same worker at once do no harm: the second
 * returns 0. It may be polled beside its thread, too, and then works while that sleeps.
 *
 * @return number of responses written.
 */
unsigned int accel_model_worker_poll(struct accel_model *model, unsigned int worker);

/** Make all accel_model_worker_run() return, those to come as well, and wait until they have. */
void accel_model_stop(struct accel_model *model);

/**
 * BAR0 of a function: plain memory, page-aligned, valid until accel_model_destroy(). Backed by a
 * file descriptor that others can map (memfd).
 *
 * @param size receives the size in bytes, a power of two; may be NULL.
 * @param fd receives the file descriptor, owned by the model; may be NULL.
 */
void *accel_function_bar0(struct accel_function *fn, size_t *size, int *fd);

/** Rights of a DMA map entry, as the device uses it. */
#define ACCEL_MODEL_DMA_READ 0x1u
#define ACCEL_MODEL_DMA_WRITE 0x2u

/**
 * Let the function's DMA reach [iova, iova + len) at [va, va + len). Ranges may have any byte size
 * and alignment but shall not overlap; what continues its neighbour becomes one entry with it. The
 * device writes the write-back line in one piece if va is aligned as iova is. Callable as
 * accel_function_dma_unmap() is: a range below others may wait for accesses under way, too.
 *
 * @return 0; -EINVAL if empty or wrapping, -EEXIST on overlap, -ENOSPC if there are
 *   ACCEL_MODEL_MAX_DMA_MAPS entries already.
 */
int accel_function_dma_map(struct accel_function *fn, uint64_t iova, void *va, uint64_t len,
			   unsigned int rights);

/**
 * Take [iova, iova + len) away, whole entries and parts of entries alike; ranges that are not
 * mapped are skipped. When it returns no worker accesses that memory any more (it waits for the
 * accesses under way; it may be called at any time from any thread, also between two
 * accel_model_worker_poll(), but not from the log function).
 *
 * @return 0; -EINVAL if empty or wrapping; -ENOSPC if it would leave two entries of one, and there
 *   are ACCEL_MODEL_MAX_DMA_MAPS: then nothing was taken away.
 */
int accel_function_dma_unmap(struct accel_function *fn, uint64_t iova, uint64_t len);

/** Take everything away, as a bus master disable does. */
void accel_function_dma_unmap_all(struct accel_function *fn);

/**
 * Function level reset (manual 4.3): as the reset request, and host-written pages return to 0, and
 * faults "dead" and "fatal" are cured (which a reset request does not). Returns when no worker
 * touches host memory for this function any more; works whether or not a thread runs the workers.
 * Callable from any thread, but not from the log function.
 */
void accel_function_flr(struct accel_function *fn);

/**
 * As accel_function_flr(), and BAR0 gets new memory at the same address with a new file descriptor:
 * who mapped the old one does not reach the function any more. For the time between two owners.
 *
 * @return 0; or the error of what could not be had, then it was an FLR only.
 */
int accel_function_renew(struct accel_function *fn);

/**
 * Inject faults, at run time too. The string is a list of items separated by '+':
 *   dead@N       after the N-th operation nothing moves any more, heartbeat included
 *   fatal@N      the same, but all access to host memory ends in order and STATE becomes fatal
 *   stall@N      the queue pair that takes the N-th operation stops answering, others go on; its
 *                stop commands are not echoed either, the function's reset is
 *   status:S@N   the N-th operation gets status S (number, manual 7.4; any other of 16 bits, to see
 *                what the host makes of it) and is not carried out
 *   dma@N        the N-th operation meets a DMA fault on its data
 *   lost@N       the response of the N-th operation is never written (the next takes its slot)
 *   corrupt@N    the tag of the N-th response is wrong
 *   hhp@N        from the N-th operation on RSP_HHP is out of range
 * N counts the card's operations from 1, from the moment of the call. "/K" behind an item repeats
 * it every K operations (status:5@10/3). Items add to those of earlier calls, up to 32. "none"
 * clears all; what an item did to a queue pair or function stays until its reset.
 *
 * @return 0, -EINVAL for a malformed string (nothing is changed then).
 */
int accel_model_fault(struct accel_model *model, const char *faults);

/** One line that names the valid items, for error messages. */
const char *accel_model_fault_help(void);

/** What a worker did, for tools and tests. Values may lag while it runs. */
struct accel_model_stats {
	uint64_t ops; /* responses written */
	uint64_t bounced; /* of these, gathered through the worker's own memory */
	uint64_t ctx_hits;
	uint64_t ctx_misses;
	uint64_t ctx_drops; /* cached contexts dropped by invalidation */
	uint64_t writebacks;
	uint64_t polls; /* rounds */
	uint64_t sleeps; /* rounds that ended in a sleep */
};

int accel_model_worker_stats(const struct accel_model *model, unsigned int worker,
			     struct accel_model_stats *stats);

#ifdef __cplusplus
}
#endif

#endif /* ACCEL_MODEL_H */
