/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles a queue pair. Tests have access to each of its fields, so that they can break each rule.
 * The structure also counts what the device should say of the queue pair (pointers, counters).
 */
#ifndef CONF_QUEUE_H
#define CONF_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "card/card.h"

#define QUEUE_SIZE 64u /* slots of each ring, unless a test chooses another number */
#define QUEUE_BURST 30u /* requests for which the rings of queue_open_wide() have room */

enum queue_ring {
	QUEUE_TX = 0,
	QUEUE_RX = 1,
};

struct queue {
	struct card *card;
	unsigned int index;
	uint32_t host; /* offsets of its pages in BAR0 */
	uint32_t device;
	struct accel_hw_qp_host regs; /* for queue_program() */
	uint32_t control; /* the last value of CONTROL */
	uint32_t tail[2]; /* slots after the last descriptors */
	bool has_upper[2]; /* the host knows the latched upper address of the ring */
	uint64_t upper[2];
	uint32_t tag; /* tag of the next request */
	uint64_t commands; /* an array of TX_SIZE commands */
	uint32_t posted; /* requests since START */
	/* These say what the device should have counted since START. */
	uint32_t answered;
	uint32_t hdp[2];
	uint64_t errors;
	uint64_t bytes_in;
	uint64_t bytes_out;
};

/** Take the n-th queue pair, with rings of QUEUE_SIZE in MEMORY_HIGH. */
void queue_init(struct queue *q, struct card *c, unsigned int index);

/** Take the n-th public-key queue pair (manual 8.8), with rings of QUEUE_SIZE in MEMORY_HIGH. */
void queue_init_pk(struct queue *q, struct card *c, unsigned int index);

/** Give the queue pair rings of other sizes, in the given area. */
void queue_rings(struct queue *q, enum memory_area area, uint32_t tx, uint32_t rx, uint32_t rsp);

/** Write all registers but CONTROL, with DOORBELL = 0. */
void queue_program(struct queue *q);

/** Write all registers but CONTROL and DOORBELL, with other values than queue_program() does. */
void queue_registers(struct queue *q, const struct accel_hw_qp_host *r);

/** Set to 0 what the device should count from a START on. queue_start() does so, too. */
void queue_begin(struct queue *q);

/** Write CONTROL with the next sequence number. */
void queue_command(struct queue *q, uint32_t command);

/** Wait for the echo of the last CONTROL. */
bool queue_echoed(struct queue *q);

/** Write a command to CONTROL and wait for its echo. The test fails without the echo. */
bool queue_carry_out(struct queue *q, uint32_t command);

/** Carry out START, which shall lead to running. @return false: the test has failed. */
bool queue_start(struct queue *q);
/** Initialise queue pair 0 and start it, as most tests begin. @return as queue_start(). */
bool queue_open(struct queue *q, struct card *c);
/** Start any queue pair, with rings for a burst of requests of up to eight descriptors each.
 * @return as queue_start(). */
bool queue_open_wide(struct queue *q, struct card *c, unsigned int index);

/** Carry out START with registers that the device shall refuse with the error CONFIG. */
bool queue_refused(struct queue *q, uint32_t ring);

/** Carry out a STOP, which shall lead to stopped, with exact counters and pointers. */
bool queue_stop(struct queue *q, uint32_t command);

/** Put a descriptor into the next slot. @return its slot. */
uint32_t queue_put(struct queue *q, enum queue_ring ring, uint64_t desc);

/** Put a type 0 descriptor if the address needs one, and then a type 2. @return the slots taken. */
uint32_t queue_fragment(struct queue *q, enum queue_ring ring, uint64_t iova, uint32_t len,
			uint64_t flags);

/** Forget the latched addresses, so that a type 0 descriptor comes before the next fragment of each
 * ring. */
void queue_forget_upper(struct queue *q);

/** Put a NOP without a result frame. */
void queue_put_nop(struct queue *q);

/** Write the tails to DOORBELL, or the given values. */
void queue_doorbell(struct queue *q);
void queue_doorbell_raw(struct queue *q, uint32_t tx, uint32_t rx);

/** Read the write-back line as it is now. */
void queue_line(const struct queue *q, struct accel_hw_writeback *line);

/** Read registers of the device page. */
uint32_t queue_status(const struct queue *q);
uint32_t queue_device32(const struct queue *q, uint32_t offset);
uint64_t queue_device64(const struct queue *q, uint32_t offset);

/** Wait until the write-back line shows this many responses since START. */
bool queue_wait_answers(struct queue *q, uint32_t answers);

/** Wait for the next response and take it. @return false: the test has failed. */
bool queue_response(struct queue *q, struct accel_hw_response *rsp);

/** Take the responses that the write-back line shows, without waiting. They shall be those of NOPs
 * and LOOPBACKs in their order, with the tags of the requests since START. */
bool queue_take_answers(struct queue *q);

/** Wait for this many NOPs of queue_put_nop() and check their responses. */
bool queue_nops_done(struct queue *q, unsigned int nb);

/** Wait until the device page and the write-back line show the state error with a code, ring and
 * slot. */
bool queue_fails(struct queue *q, uint32_t code, uint32_t ring, uint32_t slot);

/** Check the pointers of the write-back line and of the device page when nothing is outstanding. */
bool queue_check_pointers(struct queue *q);

/** Check the counters of the device page when the queue pair is stopped. */
bool queue_check_counters(struct queue *q);

/** Check and accept what the device wrote into a write-back line that was used. Reserved bytes must
 * be 0 or unchanged. */
bool queue_take_line(struct card *c, uint64_t line);

#endif /* CONF_QUEUE_H */
