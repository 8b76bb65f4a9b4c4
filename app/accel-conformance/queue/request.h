/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles a request: its command, the fragments of its two frames, and what should come back.
 */
#ifndef CONF_REQUEST_H
#define CONF_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "queue.h"

#define REQUEST_PIECES 40u

struct piece {
	uint64_t iova;
	uint32_t len;
};

struct request {
	union {
		struct accel_hw_command cmd; /* the tag is the queue's */
		struct accel_hw_pk_command pk;
	};
	unsigned int nb_in;
	unsigned int nb_out; /* 0: NO_RX is set when the request is posted */
	struct piece in[REQUEST_PIECES];
	struct piece out[REQUEST_PIECES];
	uint64_t command_at; /* 0: in the queue's array */
	/* These members say what should come back. */
	uint16_t status;
	uint32_t produced; /* bytes */
	const uint8_t *output; /* `produced` bytes; NULL: any bytes are accepted */
	uint32_t left; /* bytes at the start of the result frame that must not change */
	uint16_t info; /* ESP, AH and TLS only */
	bool dirty; /* the result frame may have anything, with every status */
	/* These members are set when the request is posted. */
	uint32_t used[2]; /* slots */
	uint32_t end[2]; /* slots after its last descriptors */
};

/** Make a request with no fragments. */
void request_init(struct request *r, uint8_t opcode);

/** Add fragments. */
void request_in(struct request *r, uint64_t iova, uint32_t len);
void request_out(struct request *r, uint64_t iova, uint32_t len);

/** Make a LOOPBACK of len bytes. Its output is its source. */
void request_loopback(struct request *r, struct card *c, uint64_t from, uint64_t to, uint32_t len);

/** Put the command and all descriptors. The caller rings the doorbell. */
void request_post(struct queue *q, struct request *r);
/** These functions are for tests that make the descriptor of the command themselves.
 * request_write() gives the command its tag and writes it to an IOVA. request_post_data() puts the
 * descriptors of the data. Before request_post_data() the test sets r->used[QUEUE_TX] to the slots
 * of its descriptor. */
void request_write(struct queue *q, struct request *r, uint64_t at);
void request_post_data(struct queue *q, struct request *r);

/** Wait for the response, and check it and the result frame. @return false: the test has failed. */
bool request_finish(struct queue *q, struct request *r);

/** Post a request alone, ring the doorbell and finish it. The pointers are checked, too. */
bool request_run(struct queue *q, struct request *r, uint16_t status);

#define HEAVY_LEN 65528u /* bytes of a fragment of request_put_heavy() */

/** Has source and destination of LOOPBACKs that keep the device busy. */
struct heavy {
	uint64_t from;
	uint64_t to;
};

/** Reserve memory for request_put_heavy(). */
void request_heavy_init(struct card *c, struct heavy *h);

/** Put LOOPBACKs as request_post_heavy() does, without a doorbell. */
void request_put_heavy(struct queue *q, const struct heavy *h, unsigned int nb);

/** Post LOOPBACKs of up to 960 KiB with a doorbell, so that the device is busy for a while. Each
 * needs up to 20 slots of each ring, and writes what is in the destination already. */
void request_post_heavy(struct queue *q, unsigned int nb);

/** Run a LOOPBACK of some bytes through new memory, which shows that a queue pair works. */
bool request_works(struct queue *q);

/** Run a LOOPBACK of 64 bytes whose result cannot be written. It shall end with DMA_FAULT if the
 * device notices that. Else it may end with OK. */
bool request_unwritable(struct queue *q, uint64_t from, uint64_t to);

#endif /* CONF_REQUEST_H */
