/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Describes the traffic of a device while it runs: sessions, operations with their memory, queue
 * pairs. The files of this room share this state, and subcommands read its counters.
 */
#ifndef TOOL_LOAD_STATE_H
#define TOOL_LOAD_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <e2e_op.h>

#include "base/hist.h"
#include "device/device.h"
#include "load_conf.h"

/** Holds a session, and how many operations use it. */
struct load_session {
	struct e2e_session *ses;
	unsigned int users;
};

/** Holds an operation with its memory. */
struct load_item {
	struct e2e_slot slot;
	struct load_session *session;
	struct rte_crypto_op *op; /**< the slot's operation, or asym */
	struct load_pk_key *pk; /**< NULL: the operation is a symmetric one */
	struct rte_crypto_op *asym; /**< NULL if the load has no public keys */
	struct ref_pk_job *job;
	uint8_t *input[E2E_MEMS]; /**< contents before the operation */
	uint64_t sent; /**< when the operation was sent, in timer cycles */
	uint32_t bytes;
	unsigned int uses; /**< how often it is still sent before it is built anew */
	bool is_built;
};

/** Counts the operations of one algorithm. A chain counts for both of its algorithms. */
struct load_count {
	uint64_t operations, bytes, errors;
};

#define LOAD_COUNTS 64u

/** Holds the operations in-flight, in the order of enqueue. */
struct load_fifo {
	struct load_item **item;
	unsigned int head, tail;
};

/** Describes the traffic of one queue pair. */
struct load_lane {
	struct load_item *item; /**< array of `depth` operations */
	struct load_item **idle;
	struct load_fifo sym, asym; /**< either kind comes back in an order of its own */
	unsigned int depth, nb_idle;
	uint64_t last; /**< when the last operation came back, as e2e_waited_ms() */
};

/** Describes the traffic of a device. */
struct load {
	struct e2e t; /**< for the functions of lib/e2e */
	struct tool_device *device;
	struct load_conf conf;
	struct load_lane lane[LOAD_QPS];
	struct load_session *session;
	struct load_pk_key *pk;
	unsigned int nb_pk;
	struct rte_mempool *pk_sessions, *pk_ops;
	/** These count what was made. The seed of each operation and session is from its number. */
	uint64_t built, opened;
	uint64_t start, sent; /**< when the load began, and operations sent since, for the rate */

	uint64_t operations, bytes; /**< operations that came back, and their bytes */
	uint64_t wrong_status, wrong_data; /**< wrong operations; wrong_data: with SUCCESS */
	bool may_fail; /**< an error status is not wrong, because a fault was injected */
	uint64_t failed; /**< operations with an error status that is not wrong */
	char first[256]; /**< what was wrong first */
	struct load_count cipher[LOAD_COUNTS], auth[LOAD_COUNTS], aead[LOAD_COUNTS];
	struct hist latency; /**< since the last load_interval() */
	struct hist total; /**< latencies before the last load_interval() */
};

#endif /* TOOL_LOAD_STATE_H */
