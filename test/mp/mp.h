/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The multi-process test: one embedded device, a primary process and secondary ones. This header
 * is what its files share. Who runs what: main.c starts a primary for each scenario and counts
 * what it says, primary.c has the scenarios and starts secondaries, secondary.c has what those
 * do, traffic.c the operations that both send.
 */
#ifndef MP_H
#define MP_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>

#define MP_QPS 4u
#define MP_SLOTS 256u /* operations of a queue pair */
#define MP_DESC 256u
#define MP_BURST 32u
#define MP_ZONE "accel_mp"

/* Where an operation is, as far as the process that sends it knows. */
enum mp_place {
	MP_FREE = 0,
	MP_OFFERED, /* in a call of enqueue: accepted or not */
	MP_FLIGHT, /* accepted */
};

struct mp_slot {
	struct rte_crypto_op *op;
	uint32_t place; /* enum mp_place */
	uint32_t blocks;
	uint64_t serial; /* counts accepted ones of the queue pair */
};

/* A queue pair's traffic. Whoever drives the queue pair writes it; it outlives that process. */
struct mp_traffic {
	struct mp_slot slot[MP_SLOTS];
	uint64_t serial;
	uint64_t accepted;
	uint64_t good; /* came back, right */
	uint64_t errors; /* came back with RTE_CRYPTO_OP_STATUS_ERROR */
	uint64_t wrong; /* anything else: bad data, other status, came back twice */
	uint32_t in_dequeue; /* in a call of dequeue: what it returns is not recorded yet */
	uint64_t random;
};

/* In a memzone. */
struct mp_shared {
	struct mp_traffic traffic[MP_QPS];
	void *session[2]; /* made by the primary, by a secondary */
	volatile uint32_t phase; /* what a secondary waits for, or has reached */
	volatile uint32_t events; /* error events that the secondary saw */
	uint64_t feature_flags; /* as the primary sees them */
	uint32_t nb_capabilities;
};

/* main.c: one line per check, "ok" or "FAILED", to whoever counts. Returns ok. */
bool mp_check(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* primary.c, secondary.c: bodies of the processes, after EAL is up; exit codes. */
int mp_primary(const char *scenario, uint64_t seed);
int mp_secondary(const char *task);
/* Wait until the phase is reached. False after some seconds. */
bool mp_wait_phase(struct mp_shared *shared, uint32_t phase);
/* Start a process of this program, role "primary" or "secondary". Returns its number. */
int mp_spawn(const char *role, const char *task);
/* Name of the device, and whether it is a PCI function instead of the embedded device. */
const char *mp_device(void);
bool mp_is_pci(void);

/* traffic.c */
struct rte_mempool *mp_session_pool(void);
void *mp_session_open(uint8_t dev, struct rte_mempool *pool);
/* Make the operations of all queue pairs, in shared memory. */
bool mp_traffic_create(struct mp_shared *shared, uint64_t seed);
/* One enqueue and one dequeue, of random size. With max_flight 0 it only dequeues. */
void mp_traffic_round(struct mp_traffic *t, uint8_t dev, uint16_t qp, void *session,
		      uint32_t max_flight);
uint32_t mp_traffic_in_flight(const struct mp_traffic *t);
/* Dequeue until nothing is in flight, or no more comes. */
bool mp_traffic_drain(struct mp_traffic *t, uint8_t dev, uint16_t qp);
/* Rounds until so many more have come back right. False if they do not, or with anything wrong. */
bool mp_traffic_run(struct mp_traffic *t, uint8_t dev, uint16_t qp, void *session, uint64_t nb);

#endif /* MP_H */
