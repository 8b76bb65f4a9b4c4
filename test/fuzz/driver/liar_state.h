/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The state of the device that lies, for the files that make it up: what it has read of the
 * driver's requests (liar_request.c), what it does (liar.c), and how it is plugged in
 * (liar_plug.c).
 */
#ifndef FUZZ_LIAR_STATE_H
#define FUZZ_LIAR_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <dev_driver.h>

#include "accel_dev.h"
#include "accel_devtree.h"
#include "liar.h"
#include "world.h"

#define LIAR_VERSIONS 5u /* minor versions of the contract: 0 to 3, and the newest */
#define LIAR_PAIRS 2u
#define LIAR_QUEUES (2u * LIAR_PAIRS + 1u)
#define REQUESTS 64u /* that the device keeps of a queue pair, power of two */

/* A request that the device has read. */
struct request {
	struct call *call; /* NULL: it came back, or the caller does not know it */
	uint32_t tag;
	bool loaded;
	uint32_t produced; /* bytes of its result frame */
	unsigned int nb_rx;
	struct {
		uint8_t *va;
		uint32_t len;
	} rx[16];
};

struct queue {
	unsigned int id; /* place in accel_devtree.qp */
	bool latched; /* it runs, with the registers as they were at START */
	uint32_t control; /* the last command that the device has seen */
	struct accel_hw_qp_host at; /* those registers */
	uint32_t tx, rx; /* slots up to which requests were read */
	uint64_t tx_region, rx_region;
	bool tx_known, rx_known;
	uint32_t asked, answered; /* since START */
	uint32_t back; /* requests whose calls were given back */
	bool wrote[2 * REQUESTS]; /* by slot: the device has written a tag there */
	struct request request[REQUESTS];
};

/* What the device does not do now. */
#define MOOD_NO_START 0x01u
#define MOOD_NO_STOP 0x02u
#define MOOD_NO_RESET 0x04u
#define MOOD_REFUSE 0x08u
#define MOOD_NO_REVIVAL 0x10u
#define MOOD_DISCARD 0x20u
#define MOOD_NO_RANDOM 0x40u

struct liar {
	struct rte_device device;
	struct rte_cryptodev *cryptodev;
	struct accel_dev *dev;
	liar_find_t find;
	struct queue queue[LIAR_QUEUES];
	uint32_t mood;
	bool lied;
	bool behaves; /* it lies no more, whatever input is left */
	bool off_bus;
	bool no_access;
	unsigned int version;
	unsigned int depth; /* of calls within calls */
	bool used; /* queue pairs of an earlier process may run, until a reset */
	bool probed; /* it may lie */
	bool lies_in_probe;
};

extern struct liar liar;
extern uint8_t *liar_bar;
extern size_t liar_bar_size;
extern uint8_t *liar_pristine[LIAR_VERSIONS]; /* BAR0 of the reference device */

/** Read all requests up to the doorbell. */
void liar_read_requests(struct queue *q);

/** Look which requests have an answer now. */
void liar_note_answers(struct queue *q);
void liar_note_all(void);

/** The registers of a device that was just switched on. */
void liar_fresh_registers(void);

/** A number of the input at which errors are found. */
uint32_t liar_some_number(void);

/*
 * Registers and memory.
 */

static inline struct accel_hw_identity *
identity(void)
{
	return (struct accel_hw_identity *)liar_bar;
}

static inline struct accel_hw_control *
control_page(void)
{
	return (struct accel_hw_control *)(liar_bar + liar.dev->dt.control);
}

static inline struct accel_hw_qp_host *
host_page(const struct queue *q)
{
	return (struct accel_hw_qp_host *)(liar_bar + liar.dev->dt.qp[q->id].host);
}

static inline struct accel_hw_qp_device *
device_page(const struct queue *q)
{
	return (struct accel_hw_qp_device *)(liar_bar + liar.dev->dt.qp[q->id].device);
}

static inline struct accel_hw_writeback *
line(const struct queue *q)
{
	return (struct accel_hw_writeback *)(uintptr_t)q->at.wb_base;
}

static inline struct accel_hw_response *
response(const struct queue *q, uint32_t number)
{
	struct accel_hw_response *ring = (void *)(uintptr_t)q->at.rsp_base;

	return &ring[number & (q->at.rsp_size - 1)];
}

static inline bool
has_access(void)
{
	return !liar.off_bus && !liar.no_access;
}

static inline void
unlatch_all(void)
{
	unsigned int i;

	for (i = 0; i < LIAR_QUEUES; i++)
		liar.queue[i].latched = false;
}

#endif /* FUZZ_LIAR_STATE_H */
