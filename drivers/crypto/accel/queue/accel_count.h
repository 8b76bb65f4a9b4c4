/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The counters of the data path, for accel_stats.h. Each counter has one writer, which writes it
 * once per burst or when something goes wrong. Other threads read counters at any time. Hot path,
 * inlined.
 */
#ifndef ACCEL_COUNT_H
#define ACCEL_COUNT_H

#include <stdint.h>

#include <rte_branch_prediction.h>

#include "accel_compat.h"
#include "hw/accel_hw.h"

/* Place n counts bursts of 2^n to 2^(n+1) - 1 operations; a burst has at most 65535. */
#define ACCEL_BURSTS 16
/*
 * Statuses that the manual does not have count here. Place 0 counts an OK with an impossible
 * result.
 */
#define ACCEL_STATUS_UNKNOWN ACCEL_HW_STATUS_NB
#define ACCEL_DESC_ERRORS 16 /* errors of the manual, 9.1; the last place counts unknown ones */

/* Says why the driver refused an operation, so that the device did not get it. */
enum accel_refusal {
	ACCEL_REFUSAL_NONE = 0,
	ACCEL_REFUSAL_TYPE = 1, /* type of operation or session that is not offered */
	ACCEL_REFUSAL_SESSION = 2, /* no session of this driver */
	ACCEL_REFUSAL_XFORM = 3, /* sessionless: none or invalid transforms */
	ACCEL_REFUSAL_XFORM_UNKNOWN = 4, /* sessionless: not supported */
	ACCEL_REFUSAL_MEMORY = 5, /* no memory */
	ACCEL_REFUSAL_SOURCE = 6, /* no source mbuf */
	ACCEL_REFUSAL_TOO_SHORT = 7, /* a region reaches beyond the data */
	ACCEL_REFUSAL_ROOM = 8, /* no room after the last segment */
	ACCEL_REFUSAL_HEADROOM = 9, /* no headroom for headers */
	ACCEL_REFUSAL_DIGEST = 10, /* no digest address */
	ACCEL_REFUSAL_AAD = 11, /* no AAD address */
	ACCEL_REFUSAL_TOO_MANY = 12, /* more segments or bytes than the device takes */
	ACCEL_REFUSAL_BITS = 13, /* offsets or lengths that are not whole bytes */
	/* not whole bytes, with a digest to be ciphered */
	ACCEL_REFUSAL_BITS_DIGEST = 14,
	ACCEL_REFUSAL_IN_CIPHER = 15, /* digest at a wrong place in the cipher region */
	ACCEL_REFUSAL_ASYM = 16, /* asymmetric: operand, type or place for results */
	ACCEL_REFUSAL_ASYM_SESSION = 17, /* asymmetric: no session of this driver */
	ACCEL_REFUSAL_ASYM_UNKNOWN = 18, /* asymmetric: not supported */
	ACCEL_REFUSAL_NB
};

/*
 * Says why a queue pair failed. accel_event::reason of a failure has one of these values.
 */
enum accel_failure {
	ACCEL_FAILURE_NONE = 0,
	ACCEL_FAILURE_DESCRIPTOR = 1, /* the device found a descriptor error */
	ACCEL_FAILURE_RESET = 2, /* the driver has reset or isolated the function */
	ACCEL_FAILURE_TIMEOUT = 3, /* no response within timeout_ms */
	ACCEL_FAILURE_FATAL = 4, /* the function has failed as a whole */
	ACCEL_FAILURE_GONE = 5, /* the function's registers do not answer */
	ACCEL_FAILURE_FOREIGN_RESET = 6, /* others reset the function */
	ACCEL_FAILURE_LOST_WRITES = 7, /* pointers of the device do not arrive */
	ACCEL_FAILURE_POINTER = 8, /* RSP_HHP is beyond the response ring */
	ACCEL_FAILURE_MISMATCH = 9, /* responses do not match the operations */
	ACCEL_FAILURE_NB
};

/*
 * Says who started a queue pair again. accel_event::reason of a reset has one of these
 * values.
 */
enum accel_restart {
	ACCEL_RESTART_NONE = 0,
	ACCEL_RESTART_START = 1, /* rte_cryptodev_start(), which was not the first one */
	ACCEL_RESTART_APPLICATION = 2, /* the application, which reset the queue pair */
	ACCEL_RESTART_DRIVER = 3, /* the driver, after a failure (devarg recover) */
	ACCEL_RESTART_NB
};

/* There are only 64-bit counters here, so that accel_stats.c can copy them as an array. */

/*
 * These two tables have the plain counters of a queue pair, one for each thread that writes them.
 * From a row X(name) the counter is made. Its sum with the companion's counter is the field of this
 * name in struct accel_qp_stats and in telemetry.
 */
#define ACCEL_ENQUEUE_COUNTERS(X)                                                                  \
	X(enqueued) /* operations accepted */                                                      \
	X(enqueue_errors) /* operations refused */                                                 \
	X(waits) /* calls that found the queue pair full */
#define ACCEL_DEQUEUE_COUNTERS(X)                                                                  \
	X(dequeued) /* operations given back */                                                    \
	X(dequeue_errors) /* of these, those with an error */                                      \
	X(empty_polls) /* calls that gave back nothing */

#define ACCEL_COUNTER(name) ACCEL_ATOMIC(uint64_t) name;

/* The enqueuing thread writes these. */
struct accel_enqueue_count {
	ACCEL_ENQUEUE_COUNTERS(ACCEL_COUNTER)
	ACCEL_ATOMIC(uint64_t) bursts[ACCEL_BURSTS]; /* doorbells, by number of operations */
	ACCEL_ATOMIC(uint64_t) in_flight_max; /* the most that this thread has seen */
	ACCEL_ATOMIC(uint64_t) refusals[ACCEL_REFUSAL_NB];
};

/* The dequeuing thread writes these. */
struct accel_dequeue_count {
	ACCEL_DEQUEUE_COUNTERS(ACCEL_COUNTER)
	ACCEL_ATOMIC(uint64_t) bursts[ACCEL_BURSTS]; /* calls, by operations given back */
	ACCEL_ATOMIC(uint64_t) in_flight_max; /* the most that this thread has seen */
	ACCEL_ATOMIC(uint64_t) status[ACCEL_HW_STATUS_NB + 1]; /* by enum accel_hw_status */
};

/* The thread that fails or starts a queue pair writes these. */
struct accel_event_count {
	ACCEL_ATOMIC(uint64_t) failures;
	ACCEL_ATOMIC(uint64_t) failure; /* enum accel_failure of the latest one */
	ACCEL_ATOMIC(uint64_t) failed_at; /* TSC */
	ACCEL_ATOMIC(uint64_t) descriptors[ACCEL_DESC_ERRORS]; /* by enum accel_hw_qp_error */
	ACCEL_ATOMIC(uint64_t) starts;
	ACCEL_ATOMIC(uint64_t) healed; /* starts by the driver itself */
	ACCEL_ATOMIC(uint64_t) restart; /* enum accel_restart of the latest one */
	ACCEL_ATOMIC(uint64_t) started_at; /* TSC */
};

/** Count a burst of n operations. n is not 0. */
static inline void
accel_count_burst(ACCEL_ATOMIC(uint64_t) *bursts, uint32_t n)
{
	accel_count_add(&bursts[accel_top_bit(n)], 1);
}

/**
 * Raise *max if more operations are in flight. The caller has just read the counter that the other
 * thread writes.
 */
static inline void
accel_count_in_flight(ACCEL_ATOMIC(uint64_t) *max, uint32_t in_flight)
{
	if (unlikely(in_flight > accel_load_relaxed(max)))
		accel_store_relaxed(max, in_flight);
}

#endif /* ACCEL_COUNT_H */
