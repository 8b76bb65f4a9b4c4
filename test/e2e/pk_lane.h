/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Declares a lane: one queue pair with random asymmetric operations and symmetric ones in the same
 * bursts. Each operation that was accepted has to come back once, in the order of its kind, with
 * the result that lib/e2e/ref_pk.h expects.
 */

#ifndef PK_LANE_H
#define PK_LANE_H

#include "e2e.h"
#include "ref_pk.h"

#define PK_KEYS 32u
#define PK_ITEMS 64u	/* asymmetric operations of a lane */
#define PK_BLOCKS 256u	/* and symmetric ones */
#define PK_BLOCK 64u	/* bytes */
#define PK_BURST 48u	/* operations that are sent at once */

/* Keys of all transforms that the device offers, and a session with each of them. */
struct pk_keys {
	struct ref_pk_key *key[PK_KEYS];
	void *session[PK_KEYS];
	unsigned int nb;
	uint8_t dev;
	struct rte_mempool *pool;
};

/* The order in which operations of one kind have to come back. */
struct pk_order {
	uint16_t number[PK_BLOCKS];
	unsigned int head, tail;
};

struct pk_item {
	struct ref_pk_job job;
	struct rte_crypto_op *op;
	void *named;		/* the session or transform of the operation */
};

struct pk_lane {
	struct e2e *t;
	const struct pk_keys *keys;
	uint8_t dev;
	uint16_t qp;
	uint64_t random;
	bool may_fail;		/* the device breaks, or the test stops it */
	struct rte_mempool *pool;
	struct pk_item *item;	/* PK_ITEMS */
	bool taken[PK_ITEMS], sent_block[PK_BLOCKS];
	struct e2e_bulk b;
	uint8_t *plain;		/* of the blocks */
	struct pk_order asym, sym;
	uint64_t good, bad, good_blocks, bad_blocks;
	unsigned int healed;	/* times that an operation was right after one of its kind failed */
	bool outage, outage_blocks;
	uint64_t last_ms;	/* when an operation last came back */
};

/* Makes a session with each key. E2E_SKIP if the device has no asymmetric operations. */
int pk_keys_open(struct e2e *t, uint8_t dev, struct pk_keys *keys);
void pk_keys_close(struct pk_keys *keys);

int pk_lane_open(struct e2e *t, const struct pk_keys *keys, uint16_t qp, struct pk_lane *l);
void pk_lane_close(struct pk_lane *l);

/* Makes the operation of an idle item, for one key and type. */
int pk_lane_fill(struct pk_lane *l, unsigned int item, unsigned int key, unsigned int type,
		 bool sessionless);
/* Sends one burst of random size, with either kind of operations or both. */
int pk_lane_send(struct pk_lane *l);
/* The same with at most so many operations. */
int pk_lane_send_some(struct pk_lane *l, unsigned int most);
/* Dequeues and checks. */
int pk_lane_take(struct pk_lane *l);
/* Sends one item, and waits for all that is in-flight. */
int pk_lane_one(struct pk_lane *l, unsigned int item);
/* Waits until nothing is in-flight. */
int pk_lane_settle(struct pk_lane *l);
/* Returns how many operations are in-flight. */
unsigned int pk_lane_in_flight(const struct pk_lane *l);

#endif /* PK_LANE_H */
