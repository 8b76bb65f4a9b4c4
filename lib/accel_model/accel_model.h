/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public interface of the reference device: a card with one or more functions. An embedder (the
 * driver's vdev transport, the vfio-user daemon, a test) hands over its BAR0 and host memory. The
 * hardware programming manual says what the device does. This header adds only what hardware has no
 * counterpart of: how a card is created, the threads that drive it, and faults.
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
#define ACCEL_MODEL_MAX_FUNCTIONS 257u /* a PF and 256 VFs; 65 before contract 1.2 */
#define ACCEL_MODEL_MAX_QUEUE_PAIRS 64u
#define ACCEL_MODEL_MAX_PK_SHARE 90 /* percent */
#define ACCEL_MODEL_PK_SHARE 10 /* percent, where nobody says otherwise */
#define ACCEL_MODEL_MAX_DMA_MAPS 65536u /* runs of memory of one function */

struct accel_model; /* a card */
struct accel_function; /* one of its PCI functions */

/* Says which engine computes an algorithm. Manual 8.2 holds for all of them. */
enum accel_model_engine {
	ACCEL_MODEL_ENGINE_AUTO = 0, /* IPsec-MB where it has the algorithm, else OpenSSL */
	ACCEL_MODEL_ENGINE_IPSEC_MB, /* only what IPsec-MB has; the device tree lists no more */
	ACCEL_MODEL_ENGINE_OPENSSL, /* everything by OpenSSL, and ZUC by the model */
	ACCEL_MODEL_ENGINE_NULL, /* no cryptography: copies source to destination, digests are
				  * zeros and verify; in place it touches no payload at all */
};

/* Says which minor version of the contract the card obeys. It has nothing that later ones added. */
enum accel_model_contract {
	ACCEL_MODEL_CONTRACT_NEWEST = 0,
	ACCEL_MODEL_CONTRACT_1_0,
	ACCEL_MODEL_CONTRACT_1_1,
	ACCEL_MODEL_CONTRACT_1_2,
	ACCEL_MODEL_CONTRACT_1_3,
	ACCEL_MODEL_CONTRACT_1_4,
	ACCEL_MODEL_CONTRACT_1_5,
	ACCEL_MODEL_CONTRACT_1_6,
};

/*
 * These bits say what cards of other makers may be like. Everything that a bit stands for is legal
 * (manual sections 4.1, 8.2, 10 and 11). A driver that follows the device tree works with each bit,
 * and with all of them together.
 */
#define ACCEL_MODEL_LEAST 0x1u /* the least limits of section 11, and none of the options */
#define ACCEL_MODEL_FEW 0x2u /* AES-CBC, HMAC-SHA256, AES-GCM; chains in one order; nothing else */
#define ACCEL_MODEL_ONE_SIZE 0x4u /* one size of each kind per algorithm, no public keys, no AAD
				     * in commands */
#define ACCEL_MODEL_NO_ALGS 0x8u /* NOP and LOOPBACK only */
#define ACCEL_MODEL_NO_CACHE 0x10u /* each operation reads its context */
#define ACCEL_MODEL_LATE 0x20u /* boots for 0.3 s, with nothing but MAGIC and STATE meanwhile */
#define ACCEL_MODEL_TREE_FIRST 0x40u /* a small device tree is on the identity page */
#define ACCEL_MODEL_TREE_LAST 0x80u /* the device tree ends where BAR0 ends */
#define ACCEL_MODEL_SLOW_STOP 0x100u /* a stop takes 0.7 s */
#define ACCEL_MODEL_DROP_ALL 0x200u /* DROP_ALL in place of the invalidation page */
#define ACCEL_MODEL_SLOW_OP 0x400u /* an operation takes 2.5 s; several at a time are possible */
#define ACCEL_MODEL_PAIRS 0x800u /* chains of some ciphers with some authentications */
#define ACCEL_MODEL_PROFILES 0xfffu

enum accel_model_log_level {
	ACCEL_MODEL_LOG_ERR,
	ACCEL_MODEL_LOG_WARNING,
	ACCEL_MODEL_LOG_INFO,
	ACCEL_MODEL_LOG_DEBUG,
};

/*
 * Holds the time in which the thread of a worker ran, or rested because the worker had nothing to
 * do. This time stands still while the thread is stopped or waits for a CPU, so an embedder can
 * tell a device that is late from a device that hangs. The time goes on in a device that is silent
 * because of a fault.
 */
struct accel_model_life {
	uint64_t lived; /* nanoseconds; a rest is added when it begins */
	uint64_t cpu; /* CPU time of the thread when it last counted. An embedder adds what the
		       * thread has used since then, because a long job in an engine uses much. */
	/* As `lived`, but for the worker's public-key queue pairs: while engines have operations,
	 * only their CPU time counts. */
	uint64_t pk_lived;
	uint32_t tid; /* of the thread; 0: the thread has not begun */
	uint32_t pk_held_up; /* 1: public-key engines have operations, and wait for a CPU */
} __attribute__((aligned(64)));

/** Copy what a thread has published in @p life to @p now. The thread may be writing meanwhile. */
void accel_model_life_read(const struct accel_model_life *life, struct accel_model_life *now);

/**
 * True if something outside holds up a thread, or if it still works. The thread then runs, waits
 * for a CPU, is stopped, or waits for the disk, which may have pages of the thread. A thread that
 * waits for anything else hangs. False also if there is no such thread.
 */
bool accel_model_thread_held_up(int32_t pid, uint32_t tid);

/** Return the CPU time of a thread in nanoseconds, or 0 if the kernel does not tell it. */
uint64_t accel_model_thread_cpu(int32_t pid, uint32_t tid);

/* A rest of a worker takes at most this time. For at most as long, `lived` and `cpu` do not change
 * although the worker is well. */
#define ACCEL_MODEL_LIFE_MAX_NS 6000000u

/** Return the contract of minor version @p minor, or the newest contract if this minor version is
 * unknown. */
static inline enum accel_model_contract
accel_model_contract_of(uint64_t minor)
{
	const enum accel_model_contract older[] = { ACCEL_MODEL_CONTRACT_1_0,
						    ACCEL_MODEL_CONTRACT_1_1,
						    ACCEL_MODEL_CONTRACT_1_2,
						    ACCEL_MODEL_CONTRACT_1_3,
						    ACCEL_MODEL_CONTRACT_1_4,
						    ACCEL_MODEL_CONTRACT_1_5,
						    ACCEL_MODEL_CONTRACT_1_6 };

	if (minor >= sizeof(older) / sizeof(older[0]))
		return ACCEL_MODEL_CONTRACT_NEWEST;
	return older[minor];
}

struct accel_model_config {
	unsigned int nb_functions; /* 0 is taken as 1; function 0 is the PF */
	unsigned int nb_queue_pairs; /* per function, 1..ACCEL_MODEL_MAX_QUEUE_PAIRS */
	unsigned int nb_workers; /* 1..ACCEL_MODEL_MAX_WORKERS; queue pair q of function f
				  * belongs to worker (q + f) % nb_workers */
	enum accel_model_engine engine;
	/* These are the rates of the card, 0 = no limit. After a time without work the card may
	 * exceed a rate by at most what the rate allows in 5 ms. */
	uint64_t peak_ops; /* operations per second */
	uint64_t peak_bytes; /* source bytes per second */
	unsigned int ctx_cache; /* cached contexts per worker, 0 = default of manual section 11 */
	unsigned int idle_us; /* a worker without work spins this long, then backs off in steps */
	bool no_bits; /* as older firmware: no algorithm has bit lengths (manual 7.2, BITS) */
	bool no_command_upper; /* as older firmware: no register COMMAND_UPPER (manual 5.1) */
	uint64_t serial; /* serial number of the card, 0 = none (manual 4.6) */
	bool posted_writes; /* as a card without ATS: it does not learn of writes that failed */
	enum accel_model_contract contract;
	unsigned int profile; /* ACCEL_MODEL_LEAST and so on */
	unsigned int vf_queue_pairs; /* for all virtual functions together, 0 = as many as they can
				      * use; ignored before contract 1.2 */
	unsigned int pk_share; /* 0..ACCEL_MODEL_MAX_PK_SHARE: percent of the workers' CPUs that
				* engines of accel_model_pk_run() with behind=true get at least,
				* also when workers could use all of the CPUs; 0 = only what workers
				* leave */
	bool share_cpu; /* workers share CPUs with the host's threads: yield as soon as idle */
	bool bus_count; /* count accesses, accel_model_bus_read(); the model is slower then */
	const char *faults; /* initial faults as for accel_model_fault(), NULL = none */
	/* Receives log lines; may be NULL. Workers call this function, and the whole card stands
	 * still until it returns. */
	void (*log)(void *arg, enum accel_model_log_level level, const char *msg);
	void *log_arg;
	struct accel_model_life *life; /* array of nb_workers, zeroed, for the workers to write; or
					* NULL */
};

/**
 * Build a card. It does nothing until a worker runs or is polled.
 *
 * @return 0; -EINVAL for a number out of range or a malformed fault string, -ENOMEM,
 *   -ENOTSUP when the forced engine is not usable on this CPU; -ENOSPC if the tree is too large
 *   for the place that ACCEL_MODEL_TREE_FIRST gives it.
 */
int accel_model_create(const struct accel_model_config *config, struct accel_model **model);

/**
 * Destroy a card and wipe the keys in its caches. No thread may be in accel_model_worker_run() or
 * accel_model_worker_poll() any more, see accel_model_stop().
 */
void accel_model_destroy(struct accel_model *model);

/**
 * Keep OpenSSL's memory, which holds keys, out of core dumps, and lock it as far as RLIMIT_MEMLOCK
 * allows. The model's own memory for keys is always kept out of core dumps. It is locked up to half
 * of that limit, and after this call up to all of it. Call this function once per process, before
 * anything uses OpenSSL. It is for programs that use OpenSSL for nothing else, in threads that live
 * as long as the process.
 *
 * @return 0; -EALREADY: OpenSSL has memory already.
 */
int accel_model_guard_keys(void);

/** Return the function with this index, or NULL if there is none. */
struct accel_function *accel_model_function(struct accel_model *model, unsigned int index);

/**
 * Return the table in which the host of function 0 gives resources to virtual functions (manual
 * 4.5): an array of struct accel_hw_vf_resources in BAR0. NULL if the card has no virtual
 * functions.
 */
void *accel_model_vf_table(struct accel_model *model);

/**
 * Return the number of an algorithm or protocol (manual 8.2) by its name in the device tree:
 * "cipher-null", "pdcp", or "aes-cbc" without the prefix if only one has that name. 0: the card has
 * none of this name.
 */
unsigned int accel_model_algorithm(const struct accel_model *model, const char *name);

/*
 * Holds the places in BAR0 that the host of function 0 uses for its virtual functions, besides the
 * table of resources (manual 4.2 and 4.8).
 */
struct accel_model_vf_mailbox {
	void *answers; /* an array of struct accel_hw_vf_answer, to be written */
	const void *requests; /* an array of struct accel_hw_vf_resources */
	const void *status; /* an array of struct accel_hw_vf_status */
	uint32_t *pf_state; /* the register PF_STATE, to be written */
	unsigned int queue_pairs; /* of all virtual functions together */
};

/**
 * Find the places in BAR0 that the host of function 0 uses for its virtual functions.
 *
 * @return false: the card has no virtual functions, or is older than contract 1.2.
 */
bool accel_model_vf_mailbox(struct accel_model *model, struct accel_model_vf_mailbox *mailbox);

/**
 * Ask whether a line about something that the function's host did may be logged. The model asks for
 * its own lines, and an embedder for its lines about messages of a guest. Each function has a limit
 * for each level, 32 lines at once and then one a second, so that one function cannot hide the
 * lines of another. Any thread may call this function. It does not block.
 *
 * @param left_out receives how many lines were refused since the last time, if the line is allowed.
 * @return true if the line may be logged.
 */
bool accel_function_may_log(struct accel_function *fn, enum accel_model_log_level level,
			    uint64_t *left_out);

/**
 * Run worker @p worker until accel_model_stop(). This function is the body of a thread. One thread
 * at a time runs each worker. At its end the function gives back what OpenSSL holds for the thread,
 * the queue of errors included.
 *
 * @param cpu CPU to bind the calling thread to, or -1 to leave its affinity alone.
 * @return 0 after accel_model_stop(), at once if accel_model_stop() was called before; -EINVAL;
 *   -EBUSY if another thread is this worker.
 */
int accel_model_worker_run(struct accel_model *model, unsigned int worker, int cpu);

/**
 * Carry out public-key operations until accel_model_stop(). This function is the body of a thread,
 * which is a public-key engine (manual 8.8). Each thread that calls it is another engine, for all
 * workers. As long as no thread has called it, workers carry out these operations themselves, and
 * other operations wait meanwhile. At its end the function gives back what OpenSSL holds for the
 * thread, the queue of errors included.
 *
 * @param cpu as for accel_model_worker_run().
 * @param behind true: the thread only gets what others leave of its CPU (SCHED_IDLE). This is for
 *   engines on the CPUs of workers. A busy worker takes its CPU without a pause, and lends it to
 *   engines for pk_share of the configuration only.
 * @return 0 after accel_model_stop(); -EINVAL; or why the thread's scheduling could not be set.
 */
int accel_model_pk_run(struct accel_model *model, int cpu, bool behind);

/**
 * Run one round over everything that belongs to a worker: take new commands and requests, complete
 * and answer what is done, and advance the heartbeat. This function is for embedders without
 * threads and for tests. It does not block. If two threads poll the same worker at once, the second
 * one returns 0. A worker that has a thread may be polled too, and then works while its thread
 * sleeps.
 *
 * @return number of responses written.
 */
unsigned int accel_model_worker_poll(struct accel_model *model, unsigned int worker);

/**
 * Make accel_model_worker_run() and accel_model_pk_run() return in all threads, and wait until they
 * have returned. Threads that call them later return at once.
 */
void accel_model_stop(struct accel_model *model);

/**
 * Return BAR0 of a function: plain memory, page-aligned, valid until accel_model_destroy(). The
 * memory is a file (memfd) that other processes can map.
 *
 * @param size receives the size in bytes, a power of two; may be NULL.
 * @param fd receives the file descriptor, owned by the model; may be NULL.
 */
void *accel_function_bar0(struct accel_function *fn, size_t *size, int *fd);

/** These bits are rights of the device in an entry of the DMA map. */
#define ACCEL_MODEL_DMA_READ 0x1u
#define ACCEL_MODEL_DMA_WRITE 0x2u

/**
 * Let the function's DMA reach [iova, iova + len) at [va, va + len). Ranges may have any byte size
 * and alignment but shall not overlap. A range that continues another range, in iova and va,
 * becomes one entry with it. The device writes the write-back line in one piece if va is aligned as
 * iova is. The call may wait for accesses under way if the map has ranges at higher IOVAs, so
 * callers obey the rules of accel_function_dma_unmap().
 *
 * @return 0; -EINVAL if empty or wrapping, -EEXIST on overlap, -ENOSPC if there are
 *   ACCEL_MODEL_MAX_DMA_MAPS entries already.
 */
int accel_function_dma_map(struct accel_function *fn, uint64_t iova, void *va, uint64_t len,
			   unsigned int rights);

/**
 * Remove [iova, iova + len) from the map, whole entries and parts of entries alike. Ranges that are
 * not mapped are skipped. The call waits for accesses under way: when it returns, no worker
 * accesses that memory any more. It may be called at any time from any thread, also between two
 * accel_model_worker_poll(), but not from the log function.
 *
 * @return 0; -EINVAL if empty or wrapping; -ENOSPC if the call would split an entry and there are
 *   ACCEL_MODEL_MAX_DMA_MAPS entries already. Then nothing was removed.
 */
int accel_function_dma_unmap(struct accel_function *fn, uint64_t iova, uint64_t len);

/** Remove everything from the map, as a bus master disable does. */
void accel_function_dma_unmap_all(struct accel_function *fn);

/**
 * Give the function a function level reset (manual 4.3). An FLR does what a reset request does. It
 * also clears the pages that the host writes, and cures the faults "dead" and "fatal". The call
 * returns when no worker touches host memory for this function any more, whether or not a thread
 * runs the workers. It may come from any thread, but not from the log function.
 */
void accel_function_flr(struct accel_function *fn);

/**
 * Let a virtual function vanish or appear, as VF Enable and NumVFs of the PF do. A function that is
 * absent touches no host memory, has no heartbeat and no queue pairs, and carries out nothing. The
 * change includes an FLR. All functions are present at first, and the PF always is.
 *
 * @return true if the function was changed; false if it was absent or present already, as @p
 *   present says.
 */
bool accel_function_set_present(struct accel_function *fn, bool present);

/**
 * Do accel_function_flr(), and give BAR0 new memory at the same address with a new file descriptor.
 * A process that mapped the old memory does not reach the function any more. This call is for the
 * time between two owners.
 *
 * @return 0; or a negative errno if there was no new memory. Then the call did the FLR only.
 */
int accel_function_renew(struct accel_function *fn);

/**
 * Do accel_function_flr(), and let BAR0 be the file @p fd from now on, at the same address. The
 * file was the BAR0 of a card of the same configuration in a process that has ended. The host,
 * which has the file mapped, finds the function as after an FLR, with no queue pair running. STATE
 * is booting meanwhile.
 *
 * @param fd as from accel_function_bar0(); it belongs to the model if the call returns 0.
 * @return 0; -EBADF; -EINVAL if the file has another size, or can be shortened; or an error of
 *   mmap() or mremap(): then it was an FLR only.
 */
int accel_function_adopt(struct accel_function *fn, int fd);

/**
 * Inject faults, also at run time. The string is a list of items separated by '+':
 *   dead@N       after the N-th operation nothing moves any more, heartbeat included
 *   fatal@N      as dead@N, but all access to host memory ends in order and STATE becomes fatal
 *   stall@N      the queue pair that takes the N-th operation stops answering and does not echo its
 *                stop commands; other queue pairs go on, and a reset of the function works
 *   status:S@N   the N-th operation is not carried out and gets status S (a number of manual 7.4,
 *                or any other number of 16 bits)
 *   dma@N        the N-th operation meets a DMA fault on its data
 *   lost@N       the response of the N-th operation is never written; the next response takes its
 *                place
 *   corrupt@N    the tag of the N-th response is wrong
 *   hhp@N        from the N-th operation on RSP_HHP is out of range
 *   entropy@N    the random number source of the function that takes the N-th operation fails, from
 *                this operation to the next reset of the function (manual 8.8, RND-2)
 * N counts the card's operations from the moment of the call, and begins with 1. "/K" after an
 * item repeats it every K operations (status:5@10/3). Items add to those of earlier calls, up to
 * 32. "none" clears all items; their effect on a queue pair or function stays until its reset.
 *
 * @return 0, -EINVAL for a malformed string. Then nothing is changed.
 */
int accel_model_fault(struct accel_model *model, const char *faults);

/** Return one line that names the valid items of accel_model_fault(), for error messages. */
const char *accel_model_fault_help(void);

/** Counts what a worker did, for tools and tests. The values may lag while the worker runs. */
struct accel_model_stats {
	uint64_t ops; /* responses written */
	uint64_t bounced; /* operations whose data went through the worker's own memory */
	uint64_t ctx_hits;
	uint64_t ctx_misses;
	uint64_t ctx_drops; /* cached contexts dropped by invalidation */
	uint64_t writebacks;
	uint64_t polls; /* rounds */
	uint64_t sleeps; /* rounds that ended in a sleep */
};

/** Copy what a worker did so far. @return 0; -EINVAL if there is no such worker. */
int accel_model_worker_stats(const struct accel_model *model, unsigned int worker,
			     struct accel_model_stats *stats);

/* Names what a card reads and writes on its PCI Express link. */
enum accel_model_bus_kind {
	ACCEL_MODEL_BUS_DOORBELL, /* written by the host */
	ACCEL_MODEL_BUS_TX, /* descriptors */
	ACCEL_MODEL_BUS_RX,
	ACCEL_MODEL_BUS_COMMAND,
	ACCEL_MODEL_BUS_CONTEXT,
	ACCEL_MODEL_BUS_INPUT,
	ACCEL_MODEL_BUS_RESULT,
	ACCEL_MODEL_BUS_RESPONSE,
	ACCEL_MODEL_BUS_LINE, /* write-back */
	ACCEL_MODEL_BUS_KINDS
};

/* Counts accesses of one kind and the packets (TLPs) that carry them. "Up" is from the card to the
 * host. The overhead is the bytes of headers, framing and checksums, and those that fill the
 * payload up to a multiple of 4 bytes. */
struct accel_model_bus_count {
	uint64_t reads; /* before they are split */
	uint64_t writes;
	uint64_t tlps_up;
	uint64_t tlps_down;
	uint64_t payload_up;
	uint64_t payload_down;
	uint64_t overhead_up;
	uint64_t overhead_down;
};

struct accel_model_bus {
	struct accel_model_bus_count kind[ACCEL_MODEL_BUS_KINDS];
	uint64_t ops; /* answered */
	/* Counts the reads that wait for one another, from the doorbell to the result, for all
	 * requests: descriptors, command, context if it is not cached, input. */
	uint64_t chain;
	/* Counts as chain does, for a card that reads input and command at the same time. */
	uint64_t chain_prefetch;
};

/**
 * Read what a worker would have put on a link (MPS 256, MRRS 512, RCB 64, addresses of 64 bits).
 * The values may lag while the worker runs.
 *
 * @return 0; -EINVAL; -ENOTSUP without bus_count.
 */
int accel_model_bus_read(const struct accel_model *model, unsigned int worker,
			 struct accel_model_bus *bus);

#ifdef __cplusplus
}
#endif

#endif /* ACCEL_MODEL_H */
