/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes statistics from the counters of the data path and the state of a device, for telemetry. A
 * counter is not set to zero here. A copy of its value is kept instead, and subtracted later.
 *
 * Any thread of any process that has the device may call these functions at any time, also while
 * queue pairs work, and while other threads set up or close the device. The functions answer for
 * all processes, since the counters are in shared memory. They do not touch the fast path. Counters
 * have 64 bits and never go back while the device exists, also when a queue pair is set up anew.
 * Only rte_cryptodev_stats_reset() sets them to zero. While other threads use a queue pair, each
 * field is right by itself, but the fields need not be of one moment.
 */
#ifndef ACCEL_STATS_H
#define ACCEL_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include <cryptodev_pmd.h>

#include "accel_count.h"
#include "accel_latency.h"
#include "hw/accel_hw.h"

/* accel_qp_stats.mode has one of these values. */
enum accel_mode {
	ACCEL_MODE_STOPPED = 0,
	ACCEL_MODE_FAILED = 1, /* operations come back with an error until a restart */
	ACCEL_MODE_RUNNING = 2,
	ACCEL_MODE_BACKLOG = 3, /* running; operations from before the start remain */
};

/* Describes the latest failure or reset of a queue pair. */
struct accel_event {
	/* enum accel_failure or enum accel_restart; 0: there was none */
	uint32_t reason;
	uint64_t ago_us; /* microseconds since the event, 0: there was none */
};

/*
 * Describes a queue pair. Its counters include those of its companion for asymmetric operations.
 * Depth, rings and latency are of the queue pair itself.
 */
struct accel_qp_stats {
	uint32_t mode; /* enum accel_mode; failed if it or its companion has failed */
	uint32_t depth; /* operations that the queue pair can hold */
	uint32_t in_flight; /* operations accepted and not given back */
	/* The most operations in flight that the driver has seen. The driver looks when one thread
	 * needs to know what the other thread has done: at least once while as many operations go
	 * through as are in flight, and always when the queue pair is full. */
	uint32_t in_flight_max;
	uint32_t tx_size; /* slots of the TX ring */
	uint32_t tx_used; /* slots with descriptors that the device may still read */
	uint32_t rx_size;
	uint32_t rx_used;
	uint64_t enqueued; /* operations accepted */
	uint64_t dequeued; /* operations given back */
	/* accepted operations that the driver refused, so that the device did not get them */
	uint64_t enqueue_errors;
	/* operations given back that failed in the device or for lack of a response */
	uint64_t dequeue_errors;
	uint64_t doorbells; /* doorbell writes: bursts that the device was told of */
	uint64_t polls; /* calls of dequeue */
	uint64_t empty_polls; /* calls of dequeue that gave nothing back */
	/* Calls of enqueue that could not take all operations, since the queue pair was full. */
	uint64_t waits;
	uint64_t enqueue_bursts[ACCEL_BURSTS]; /* by operations per doorbell */
	uint64_t dequeue_bursts[ACCEL_BURSTS]; /* by operations per call of dequeue */
	uint64_t failures;
	uint64_t resets; /* starts after the first one */
	struct accel_event last_failure; /* enum accel_failure */
	struct accel_event last_reset; /* enum accel_restart */
};

/* Counts what went wrong on a device, in all queue pairs together, and its sessions. */
struct accel_error_stats {
	/* Responses with an error, as accel_dequeue_count.status. Place 0 counts responses
	 * whose result was impossible, although the status was OK. */
	uint64_t status[ACCEL_HW_STATUS_NB + 1];
	/* Operations that came back with an error and without a valid response, since a queue pair
	 * failed or the response was wrong. */
	uint64_t no_response;
	uint64_t refusals[ACCEL_REFUSAL_NB]; /* by enum accel_refusal */
	uint64_t descriptors[ACCEL_DESC_ERRORS]; /* by the manual's error code */
	uint64_t sessions_created; /* of rte_cryptodev, rte_security and sessionless operations */
	uint64_t sessions_alive; /* sessions created and not freed yet */
	uint64_t invalidations; /* requests to the device to drop its copy of a session */
	/* Sessions alive, by the number of their algorithm. A chain counts for both algorithms. */
	uint64_t sessions[ACCEL_HW_ALG_NB];
};

/*
 * Holds the latencies of a queue pair. A latency is the time from the call of enqueue that accepted
 * an operation to the call of dequeue that gave it back. Place n of counts has the operations whose
 * latency in nanoseconds is below accel_latency_bound(n), but not below the bound of place
 * n - 1. Eight places double the time, so a percentile is at most an eighth too high.
 */
struct accel_latency_stats {
	uint8_t on; /* 1: latencies are measured */
	uint64_t count; /* operations measured */
	uint64_t p50; /* nanoseconds: half of the operations took at most this */
	uint64_t p99; /* nanoseconds */
	uint64_t p99_9; /* nanoseconds */
	uint64_t max; /* nanoseconds */
	uint64_t counts[ACCEL_LATENCIES];
};

/* Says what accel_latency_control() does. */
enum accel_latency_order {
	ACCEL_LATENCY_OFF = 0, /* stop measuring; what was measured stays */
	ACCEL_LATENCY_ON = 1, /* begin to measure, or go on */
	ACCEL_LATENCY_RESET = 2, /* forget what was measured */
};

/* Names the tables of accel_stats_name(). */
enum accel_stats_names {
	ACCEL_STATS_NAMES_STATUS = 0, /* accel_error_stats.status */
	ACCEL_STATS_NAMES_REFUSAL = 1, /* enum accel_refusal */
	ACCEL_STATS_NAMES_DESCRIPTOR = 2, /* accel_error_stats.descriptors */
	ACCEL_STATS_NAMES_ALGORITHM = 3, /* accel_error_stats.sessions */
	ACCEL_STATS_NAMES_FAILURE = 4, /* enum accel_failure */
	ACCEL_STATS_NAMES_RESTART = 5, /* enum accel_restart */
	ACCEL_STATS_NAMES_MODE = 6, /* enum accel_mode */
	ACCEL_STATS_NAMES_STATE = 7, /* enum rte_pmd_accel_state */
	ACCEL_STATS_NAMES_VF_STATE = 8, /* enum rte_pmd_accel_vf_state */
	ACCEL_STATS_NAMES_FAULT_ACCESS = 9, /* enum rte_pmd_accel_fault_access */
};

/**
 * Keep this process from removing devices, until accel_stats_leave(). A thread may call this
 * several times, and several threads may call this at once. None of them waits for another.
 *
 * @return the device, or NULL if it is no device of this driver. After NULL the process may remove
 *   devices, and accel_stats_leave() must not be called.
 */
struct rte_cryptodev *accel_stats_enter(uint8_t dev_id);

void accel_stats_leave(void);

/**
 * Hide a device from accel_stats_enter(). This waits until all threads that have entered have left.
 */
void accel_stats_hide(struct rte_cryptodev *cryptodev);

/** Implements rte_cryptodev_ops.stats_get. */
void accel_stats_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_stats *stats);

/** Implements rte_cryptodev_ops.stats_reset. */
void accel_stats_reset(struct rte_cryptodev *cryptodev);

/**
 * Get the counters and the state of a queue pair.
 *
 * @return 0; -ENODEV: not a device of this driver; -EINVAL: the queue pair is not set up.
 */
int accel_qp_stats_get(uint8_t dev_id, uint16_t qp_id, struct accel_qp_stats *stats);

/**
 * Get the errors and sessions of a device.
 *
 * @return 0; -ENODEV: not a device of this driver.
 */
int accel_error_stats_get(uint8_t dev_id, struct accel_error_stats *stats);

/** Get the latencies of a queue pair. Return as accel_qp_stats_get() does. */
int accel_latency_stats_get(uint8_t dev_id, uint16_t qp_id, struct accel_latency_stats *latency);

/**
 * Switch the measurement of latencies on or off, or forget what was measured. The measurement is
 * off at first. While it is off, it takes no instruction on the data path. Operations that are in
 * flight when it is switched on are not measured.
 *
 * @param order enum accel_latency_order.
 * @return 0; -ENODEV: not a device of this driver; -EINVAL: the queue pair is not set up, or there
 *   is no such order; -ENOMEM: no memory for the measurement.
 */
int accel_latency_control(uint8_t dev_id, uint16_t qp_id, unsigned int order);

/**
 * Return the upper bound of a place in accel_latency_stats.counts, in nanoseconds. It is UINT64_MAX
 * for the last place and for higher numbers.
 */
uint64_t accel_latency_bound(unsigned int place);

/**
 * Return the name that telemetry uses for a number: lower-case letters, digits and '_'. NULL if the
 * number has none.
 *
 * @param names enum accel_stats_names.
 */
const char *accel_stats_name(unsigned int names, unsigned int number);

#endif /* ACCEL_STATS_H */
