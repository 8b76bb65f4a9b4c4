/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * An embedded device of two queue pairs that works when it is polled (cores=inline), for tests:
 * blocks to encrypt, each with an rte_crypto_op and as an operation of the raw API, and what became
 * of each. A copy of the transport plays a device that fails.
 */
#ifndef UNIT_PLUGGED_H
#define UNIT_PLUGGED_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_transport.h"
#include "accel_queue.h"
#include "rte_pmd_accel.h"
#include "rte_pmd_accel_embedded.h"
#include "driver_base/eal.h"

#define PLUGGED "crypto_accel0"
#define PLUGGED_ARGS "cores=inline,queue_pairs=2,timeout_ms=10"
#define PLUGGED_QPS 2u
#define PLUGGED_DESC 16u
#define BLOCKS 64u
#define BLOCK_LEN 16u
#define PATIENCE 100000000u /* calls of dequeue that find nothing */

/* A block, and how many times it came back. */
struct block {
	struct rte_crypto_op *op;
	struct rte_mbuf *m;
	struct rte_crypto_vec vec;
	uint8_t plain[BLOCK_LEN];
	unsigned int back;
	int status;
};

extern struct block blocks[BLOCKS];
extern struct rte_mempool *sessions;
extern void *session;
extern uint8_t dev;
extern unsigned int events;

/* The key is from SP 800-38A F.1.1. With ECB a block's result depends on nothing but the block. */
extern uint8_t block_key[16];
extern struct rte_crypto_sym_xform encipher;

static inline struct rte_cryptodev *
plugged(void)
{
	return rte_cryptodev_pmd_get_dev(dev);
}

static inline struct accel_dev *
plugged_dev(void)
{
	return plugged()->data->dev_private;
}

static inline struct accel_qp *
plugged_qp(uint16_t qp_id)
{
	return plugged()->data->queue_pairs[qp_id];
}

int set_up(uint16_t qp_id, uint32_t nb_desc);

void plug(const char *args);

void unplug(void);

/* Gives a block new data. */
struct block *renew(unsigned int i);

/* Says whether the device has encrypted the block. */
static inline bool
is_done(const struct block *b)
{
	return memcmp(rte_pktmbuf_mtod(b->m, void *), b->plain, sizeof(b->plain)) != 0;
}

void came_back(struct block *b, int status);

struct block *block_of(const struct rte_crypto_op *op);

/* Enqueues blocks from first on. Returns how many were accepted. */
unsigned int offer(uint16_t qp_id, unsigned int first, unsigned int n);

/*
 * Counts a call of dequeue, and returns false when patience is used up. Now and then it sleeps, so
 * that a thread of the device gets a CPU, however busy the machine is.
 */
bool poll_again(unsigned int *patience);

/* Dequeues up to n. */
unsigned int collect(uint16_t qp_id, unsigned int n);

/* Checks that each of the blocks came back once with this status. */
void expect_back(unsigned int first, unsigned int n, int status);

void expect_alive(uint16_t qp_id);

/*
 * The raw API.
 */

struct rte_crypto_raw_dp_ctx *context_new(void);

/* Uses the transforms instead of the session, if there are any. */
int context_set(struct rte_crypto_raw_dp_ctx *ctx, uint16_t qp_id,
		struct rte_crypto_sym_xform *xform, bool update);

int offer_raw(struct rte_crypto_raw_dp_ctx *ctx, unsigned int i);

/* Dequeues one operation, if it comes within this many calls. */
bool collect_raw(struct rte_crypto_raw_dp_ctx *ctx, unsigned int patience);

/*
 * The device.
 */

extern struct accel_transport played;
extern const struct accel_transport *real_transport;

/* Replaces the transport by a copy that the test changes. */
void play_transport(void);

void stop_playing(void);

/* Makes the device die and waits until the driver finds it. */
void kill_device(uint16_t qp_id);

int make_blocks(void **state);

/* Plugs a device, and makes pools for operations of the test's own: 15 of each, 64 bytes of private
 * data, 1024 bytes of data. Returns 0 or -1. */
int begin_plugged(struct rte_mempool **ops, struct rte_mempool **mbufs);

int end_plugged(void **state);

#endif /* UNIT_PLUGGED_H */
