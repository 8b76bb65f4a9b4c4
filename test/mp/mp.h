/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares what the files of the multi-process test share. The test has one embedded device, a
 * primary process and secondary ones. main.c starts a primary for each scenario and counts its
 * results, primary.c has the scenarios and starts secondaries, secondary.c has their tasks, and
 * traffic.c sends operations for both. heal.c and pk.c have both sides of their scenarios.
 */
#ifndef MP_H
#define MP_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>

#include "rte_pmd_accel.h"
#include "rte_pmd_accel_embedded.h"

#define MP_QPS 4u
#define MP_SLOTS 256u /* operations of a queue pair */
#define MP_DESC 256u
#define MP_BURST 32u
#define MP_ZONE "accel_mp"
#define MP_NOT_ATTACHED 3 /* exit code of a secondary without the device */

/* Where an operation is, as its sender has recorded it. */
enum mp_place {
	MP_FREE = 0,
	MP_OFFERED, /* in an enqueue call that has not returned */
	MP_FLIGHT, /* accepted */
};

struct mp_slot {
	struct rte_crypto_op *op;
	uint32_t place; /* enum mp_place */
	uint32_t blocks;
	uint64_t serial; /* counts accepted operations of the queue pair */
};

/* A queue pair's traffic. The process that drives the queue pair writes it. The memory remains when
 * that process ends. */
struct mp_traffic {
	struct mp_slot slot[MP_SLOTS];
	uint64_t serial;
	uint64_t accepted;
	uint64_t good; /* came back with right data */
	uint64_t errors; /* came back with RTE_CRYPTO_OP_STATUS_ERROR */
	uint64_t wrong; /* all else: wrong data, other status, came back twice */
	uint64_t outages; /* times that an operation came back right after errors */
	bool in_outage; /* the last operation had an error */
	uint32_t in_dequeue; /* in a dequeue call whose result is not recorded yet */
	uint64_t random;
};

/* A memzone has this structure. */
struct mp_shared {
	struct mp_traffic traffic[MP_QPS];
	void *session[2]; /* made by the primary and by a secondary */
	struct mp_pk *pk; /* of pk.c, or NULL */
	volatile uint32_t phase; /* a secondary waits for it, or has reached it */
	volatile uint32_t events; /* error events that the secondary saw */
	uint64_t feature_flags; /* flags that the primary sees */
	uint32_t nb_capabilities;
	/* The following is for heal.c. */
	char fault[32]; /* that the secondary injects */
	volatile uint32_t ask; /* the primary counts its requests to inject it */
	volatile uint32_t done; /* the secondary counts those that it has carried out */
	volatile uint32_t own_resets; /* queue pairs that the secondary has reset */
	struct rte_pmd_accel_recovery recovery; /* what the secondary has read */
};

/* Prints a line "ok" or "not ok" for a check. Returns ok. */
bool mp_check(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* These run the process after the EAL has started, and return its exit code. */
int mp_primary(const char *scenario, uint64_t seed);
int mp_secondary(const char *task);
/* Both sides of a scenario in which the device breaks again and again, and the driver heals it. The
 * secondary drives queue pair 1, and pid is its process. */
bool mp_heal_primary(struct mp_shared *shared, uint8_t dev, int pid);
int mp_heal_secondary(struct mp_shared *shared, uint8_t dev, bool resets_itself);
/* The same, with a secondary that is killed in an outage or ends. */
bool mp_heal_left(struct mp_shared *shared, uint8_t dev, int pid, bool killed);
/* Both sides of a scenario with public keys and random numbers. pk.c says what they do. */
bool mp_pk_create(struct mp_shared *shared, uint8_t dev);
bool mp_pk_share(struct mp_shared *shared, uint8_t dev, int pid);
bool mp_pk_left(struct mp_shared *shared, uint8_t dev, int pid, bool killed);
bool mp_pk_end(struct mp_shared *shared, uint8_t dev);
int mp_pk_secondary(struct mp_shared *shared, uint8_t dev, bool ends);
/* Waits until the phase is reached. Returns false after some seconds. */
bool mp_wait_phase(struct mp_shared *shared, uint32_t phase);
/* Starts a process of this program with the role "primary" or "secondary". Returns its id. */
int mp_spawn(const char *role, const char *task);
/* Returns the device's name. mp_is_pci() is true if it is a PCI function. */
const char *mp_device(void);
bool mp_is_pci(void);

struct rte_mempool *mp_session_pool(void);
void *mp_session_open(uint8_t dev, struct rte_mempool *pool);
/* Makes the operations of all queue pairs in shared memory. */
bool mp_traffic_create(struct mp_shared *shared, uint64_t seed);
/* Enqueues and dequeues one burst of random size. With max_flight 0 it only dequeues. */
void mp_traffic_round(struct mp_traffic *t, uint8_t dev, uint16_t qp, void *session,
		      uint32_t max_flight);
/* The parts of a round. A burst that was dequeued may also have other operations. */
void mp_traffic_offer(struct mp_traffic *t, uint8_t dev, uint16_t qp, void *session, uint32_t nb);
void mp_traffic_take_back(struct mp_traffic *t, struct rte_crypto_op *op);
uint64_t mp_traffic_random(struct mp_traffic *t);
uint32_t mp_traffic_in_flight(const struct mp_traffic *t);
/* Dequeues until nothing is in-flight, or nothing more comes back. */
bool mp_traffic_drain(struct mp_traffic *t, uint8_t dev, uint16_t qp);
/* Runs rounds until nb more operations came back right. Returns false if they do not, or if
 * anything is wrong. */
bool mp_traffic_run(struct mp_traffic *t, uint8_t dev, uint16_t qp, void *session, uint64_t nb);

#endif /* MP_H */
