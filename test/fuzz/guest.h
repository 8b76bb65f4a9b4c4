/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A guest of the model's card: for each function memory, queue pairs, and an oracle. The oracle
 * reads descriptors and commands by the manual's rules, and knows from them and from the responses
 * which bytes the device may have written: result frames as far as RES-5 and ST-2 allow, entries
 * of the response ring, the write-back line, and the states of contexts of protocols. All else is
 * as the guest left it, or the input is a finding. So is a request without its response, a
 * response without its request, and an error of a queue pair without a reason.
 */
#ifndef FUZZ_GUEST_H
#define FUZZ_GUEST_H

#include "fuzz.h"
#include "loads.h"

#include "model_base/model_host.h"

#define FUNCTIONS 3u /* a PF and two VFs */
#define PAIRS 2u /* queue pairs of a function, and as many public-key ones and one more */
#define QUEUES (2 * PAIRS + 1)
#define SLOTS_MAX 64u /* of a ring */

/* Memory of a function, at the same IOVAs for all: rings and commands of each queue pair, contexts,
 * data with a border of 1 GiB in the middle. */
#define RINGS_AT(q) ((q) * 0x1000u)
#define RX_AT 0x400u
#define RSP_AT 0x800u
#define LINE_AT 0xc00u
#define COMMANDS_AT(q) (0x5000u + (q) * 0x1000u)
#define CONTEXTS_AT 0xa000u
#define CONTEXTS 16u
#define CONTEXT_SIZE 0x400u
#define DATA_AT 0x10000u
#define DATA_SIZE 0x10000u
#define MEMORY (DATA_AT + DATA_SIZE)
#define BASE (HOST_BORDER - DATA_AT - DATA_SIZE / 2)

struct fqueue {
	struct hostq h;
	unsigned int index;
	bool is_pk;
	bool starting; /* the device may write the line */
	bool running; /* as the guest has started it, and not stopped it */
	bool loose; /* the oracle does not know what the device reads: no check of responses */
	bool ring_of_commands;
	uint64_t command_upper; /* UINT64_MAX: none */
	uint32_t posted; /* commands */
	uint32_t answered;
	uint32_t tx_rung, rx_rung; /* posted, as the device knows from the doorbell */
	uint32_t tx_at, rx_at; /* slots that are answered */
	uint64_t tx_up, rx_up; /* in force there; UINT64_MAX: none */
};

struct guest {
	struct accel_function *fn;
	unsigned int index;
	struct host h; /* pages of BAR0 */
	uint8_t *mem; /* that of all functions is in one piece */
	uint8_t shadow[MEMORY]; /* what memory shall be */
	uint8_t may[MEMORY]; /* 1: the device may have written the byte since the last check */
	bool holes; /* some memory is, or was, not mapped: the device may fail to read or write */
	bool loose; /* results may lie anywhere: its own memory is not checked */
	bool racing; /* memory changes under the device: only areas are checked */
	bool held; /* absent, or with a request that the device does not answer at once */
	bool has_state[CONTEXTS]; /* the device may know it as a context of a protocol */
	bool mapped[MEMORY / 4096];
	uint32_t generation; /* of contexts; it goes on from input to input (manual 8.1) */
	uint32_t last_at, last_len; /* the latest result */
	unsigned int nb_queues;
	struct fqueue q[QUEUES];
};

extern struct accel_model *guest_card;
extern struct guest guests[FUNCTIONS];
extern loads_fn guest_on_read; /* called before each read of guest memory by the device, if set */
extern bool guest_faulty; /* faults were injected: a status needs no reason */
extern bool guest_paced; /* rates are set: responses may come later */

/** Make the card, once. */
void guest_open(void);
/** Begin an input: all functions are as new, with memory of a pattern. */
void guest_begin(void);
/** End it: nothing of the device reaches the memory any more, and no function wrote to another. */
void guest_end(void);

/** Map a page, or take it away. */
void guest_map_page(struct guest *g, uint32_t page, bool map);
uint64_t guest_iova(const struct guest *g, const void *p);
/** The guest writes memory. */
void guest_write(struct guest *g, uint32_t at, const void *from, uint32_t len);
/** Find queue pairs, as after a reset. */
void guest_find(struct guest *g);

/** All queue pairs are about to end, with work under way or without. @return for the call below. */
bool guest_interrupt(struct guest *g, bool work);
/** They have ended: from now on the device writes nothing. */
void guest_interrupted(struct guest *g, bool loose);

/** Start a queue pair with rings of these sizes, and a command ring, or not. */
void guest_start(struct guest *g, struct fqueue *q, uint32_t tx, uint32_t rx, uint32_t rsp);
/** Give a command to a queue pair, and let the device see it. */
void guest_command(struct guest *g, struct fqueue *q, uint32_t command);
/** Post one descriptor, if there is room. */
bool guest_post_tx(struct guest *g, struct fqueue *q, uint64_t desc);
bool guest_post_rx(struct guest *g, struct fqueue *q, uint64_t desc);
/** Ring the doorbell. */
void guest_ring(struct fqueue *q);
/** Let the device work to the end, and check all that it did. */
void guest_settle(void);
/** Let it work for one round, and check. */
void guest_poll(void);

#endif /* FUZZ_GUEST_H */
