/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a dump has of a function and of a queue pair at one moment: registers, pointers, and the
 * descriptors, commands and responses around the place where the device is. accel_dump_state.h
 * reads all of this.
 *
 * Keys, IVs and payload are never read. The first 32 bytes of a command are lengths and addresses.
 * The IVs after them are left out because they hold keying material: the nonce of RFC 3686, the
 * salt of RFC 4106. A context is named by its address only.
 */
#ifndef ACCEL_DUMP_FORMAT_H
#define ACCEL_DUMP_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_compat.h"
#include "hw/accel_hw.h"
#include "rte_pmd_accel.h"

#define ACCEL_DUMP_DESCS 32u /* descriptors of a ring */
#define ACCEL_DUMP_DESCS_BEFORE 8u /* descriptors before the place where the device is */
#define ACCEL_DUMP_OPS 16u
#define ACCEL_DUMP_OPS_BEFORE 4u /* operations before the next one to be given back */
#define ACCEL_DUMP_COMMAND offsetof(struct accel_hw_command, iv)
#define ACCEL_DUMP_WHY 192u
/* A device that has not changed its heartbeat for longer than this is dead (manual 4.4). */
#define ACCEL_DUMP_DEAD_MS (2u * ACCEL_HW_HEARTBEAT_MAX_MS)

/* Holds the state of a function. Registers are in the byte order of the CPU. */
struct accel_dump_function {
	bool silent; /* MAGIC was wrong, so nothing else was read from the BAR */
	bool by_poll; /* the device works only while the driver polls it (cores=inline) */
	uint32_t magic, version, state, fatal_code, reset_req, reset_ack, function;
	uint64_t heartbeat;
	bool watched; /* beats and still_ms are known */
	bool beats; /* HEARTBEAT has changed, and not longer ago than ACCEL_DUMP_DEAD_MS */
	uint32_t still_ms; /* time in which HEARTBEAT has not changed, if it does not beat */
	/* Only the fields fault_* are set. Without a fault or a health page all of them are 0. */
	struct rte_pmd_accel_health health;
	/* The driver's state. */
	bool isolated, lost;
	uint32_t resets;
};

/* Holds a part of a ring of descriptors. */
struct accel_dump_ring {
	uint32_t point; /* slot where the device is: the slot of its error, or else HDP */
	uint32_t first; /* slot of desc[0] */
	uint32_t nb;
	uint64_t desc[ACCEL_DUMP_DESCS];
};

/* Holds an operation that is in flight, or was given back last. */
struct accel_dump_op {
	uint32_t tx_end, rx_end; /* counters after its descriptors */
	uint8_t kind; /* ACCEL_OP_*; out of date if the operation was given back */
	bool has_response; /* false: the operation is from before the last start */
	uint8_t command[ACCEL_DUMP_COMMAND]; /* as the device sees it */
	struct accel_hw_response response; /* the content of its entry, whoever wrote that */
};

/* Holds the state of a queue pair. */
struct accel_dump_queue {
	/* The driver's state. */
	uint16_t id; /* place in accel_devtree.qp */
	uint32_t number; /* in the card */
	bool there; /* false: a reset has taken the queue pair away; registers were not read */
	bool started, failing, error;
	bool command_ring, commands_located, aad_in_command;
	uint32_t mode; /* enum accel_qp_mode */
	uint32_t nb_desc, rsp_size, tx_size, rx_size;
	uint32_t prod, cons, base; /* operations */
	uint32_t tx_prod, rx_prod, tx_cons, rx_cons; /* descriptors */
	uint32_t resets_seen;
	bool heals, heal_wanted; /* the driver may heal the queue pair; it does so now */
	uint32_t heal_phase, heal_attempts;
	uint64_t enqueued, dequeued, enqueue_err, dequeue_err;
	uint32_t timeout_ms, left_ms; /* left_ms: left for the next response; 0: no limit */
	/* Registers (manual 5.1, 5.2) and write-back line (6.5), in the byte order of the CPU. */
	struct accel_hw_qp_host host;
	struct accel_hw_qp_device device;
	uint32_t line_hhp, line_tx, line_rx, line_status;
	/* Parts of the rings, and operations, as they are in memory. */
	struct accel_dump_ring tx, rx;
	uint32_t first_op; /* number of op[0] */
	uint32_t nb_ops;
	struct accel_dump_op op[ACCEL_DUMP_OPS];
	/* Counters shortly before the dump. They are known only if watched is true. */
	bool watched;
	uint32_t prod_before, cons_before, hhp_before;
};

/* Records the latest failure of a queue pair, in its memory. The dequeuing thread writes it. */
struct accel_dump_failure {
	ACCEL_ATOMIC(uint32_t) turn; /* odd: the record is being written; 0: no failure so far */
	uint64_t at; /* TSC */
	char why[ACCEL_DUMP_WHY];
	struct accel_dump_function function;
	struct accel_dump_queue queue;
};

#endif /* ACCEL_DUMP_FORMAT_H */
