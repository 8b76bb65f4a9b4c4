/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/**
 * @file rte_pmd_accel_stats.h
 *
 * Structures with what the crypto_accel driver counts and knows about its devices. The telemetry
 * commands below /cryptodev/accel give the same as JSON (doc/guides/accel-telemetry.rst).
 *
 * Any thread of any process that has the device may call these functions at any time, also while
 * queue pairs work, and while other threads set up or close the device. The functions answer for
 * all processes, since the counters are in shared memory. They do not touch the fast path. Counters
 * have 64 bits and never go back while the device exists, also when a queue pair is set up anew.
 * Only rte_cryptodev_stats_reset() sets them to zero.
 */

#ifndef RTE_PMD_ACCEL_STATS_H
#define RTE_PMD_ACCEL_STATS_H

#include <stdint.h>

#include <rte_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * These are the lengths of the arrays below. A number from the card that is beyond an array counts
 * in the last place.
 */
#define RTE_PMD_ACCEL_STATUSES 32 /**< statuses of the hardware manual, section 7.4 */
#define RTE_PMD_ACCEL_REFUSALS 32 /**< enum rte_pmd_accel_refusal */
#define RTE_PMD_ACCEL_DESCRIPTOR_ERRORS 16 /**< errors of the hardware manual, section 9.1 */
#define RTE_PMD_ACCEL_ALGORITHMS 256 /**< numbers of the hardware manual, section 8.2 */
#define RTE_PMD_ACCEL_BURSTS 16 /**< place n: bursts of 2^n to 2^(n+1) - 1 operations */
#define RTE_PMD_ACCEL_LATENCIES 288 /**< see struct rte_pmd_accel_latency */
#define RTE_PMD_ACCEL_NAME_SIZE 64 /**< bytes of a name, with the 0 at its end */

/** rte_pmd_accel_device::state has one of these values. */
enum rte_pmd_accel_state {
	RTE_PMD_ACCEL_STATE_GONE = 0, /**< the registers do not answer */
	RTE_PMD_ACCEL_STATE_BOOTING = 1,
	RTE_PMD_ACCEL_STATE_READY = 2,
	RTE_PMD_ACCEL_STATE_RESETTING = 3,
	RTE_PMD_ACCEL_STATE_FATAL = 4, /**< the function has failed as a whole, see fatal_code */
	RTE_PMD_ACCEL_STATE_ISOLATED = 5, /**< the driver has taken the function off the bus */
	RTE_PMD_ACCEL_STATE_UNKNOWN = 6, /**< another number */
};

/** Says what a device is. rte_pmd_accel_health_get() and the shares of VFs say more. */
struct rte_pmd_accel_device {
	char name[RTE_PMD_ACCEL_NAME_SIZE]; /**< name of the cryptodev */
	char transport[16]; /**< "embedded", "pci" (a physical function) or "vf" */
	char pci[RTE_PMD_ACCEL_NAME_SIZE]; /**< address of the PCI function, "" if embedded */
	uint32_t state; /**< enum rte_pmd_accel_state */
	uint32_t fatal_code; /**< if state is fatal: 1 internal, 2 thermal, 3 firmware, others */
	uint16_t contract_major; /**< version of the card's contract: 1 if it is 1.2 */
	uint16_t contract_minor;
	uint32_t firmware_version; /**< [31:16] major, [15:8] minor, [7:0] patch; 0: unknown */
	uint64_t serial; /**< serial number, 0 if there is none */
	uint64_t heartbeat; /**< the card's counter that shows that it works */
	/** Time since the driver has seen the heartbeat change. A working card changes it every 100
	 * ms. The call waits up to 100 ms for a change. */
	uint64_t heartbeat_age_us;
	int32_t numa; /**< NUMA node, -1 if it is not known */
	uint16_t queue_pairs; /**< queue pairs that the card gives to the application */
	uint16_t queue_pairs_set_up;
	uint16_t sym_algorithms; /**< symmetric algorithms in the card's device tree */
	uint16_t asym_algorithms; /**< public-key algorithms, random numbers included */
	uint16_t vfs; /**< VFs that a PF can have, 0: none */
	uint8_t started; /**< 1: rte_cryptodev_start() was called */
	uint64_t failures; /**< failures of queue pairs, as in struct rte_pmd_accel_recovery */
	uint64_t function_resets; /**< resets of the whole function because of failures */
	/** Operations that a queue pair can hold, whatever nb_descriptors it is set up with. */
	uint32_t max_descriptors;
	/** The most fragments of an operation's input, and also of its output: segments, AAD and
	 * digest. A segment that crosses a boundary of 1 GiB is two. */
	uint32_t max_fragments;
	/** The most bytes of an operation's input, and also of the room for its output. */
	uint32_t max_bytes;
	uint8_t reports_writes; /**< 1: an operation whose result cannot be written fails */
};

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get what a device is, and its state. The call sleeps up to 100 ms if the card's heartbeat stands
 * still.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param device
 *   Filled in on success.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -EINVAL: @p device is NULL.
 */
__rte_experimental
int
rte_pmd_accel_device_get(uint8_t dev_id, struct rte_pmd_accel_device *device);

/** rte_pmd_accel_qp_stats::mode has one of these values. */
enum rte_pmd_accel_qp_mode {
	RTE_PMD_ACCEL_QP_STOPPED = 0,
	RTE_PMD_ACCEL_QP_FAILED = 1, /**< operations come back with an error until a restart */
	RTE_PMD_ACCEL_QP_RUNNING = 2,
	RTE_PMD_ACCEL_QP_BACKLOG = 3, /**< running; operations from before the start remain */
};

/**
 * Says why a queue pair failed. rte_pmd_accel_event::reason of a failure has one of these values.
 */
enum rte_pmd_accel_failure {
	RTE_PMD_ACCEL_FAILURE_NONE = 0,
	RTE_PMD_ACCEL_FAILURE_DESCRIPTOR = 1, /**< the device found a descriptor error */
	RTE_PMD_ACCEL_FAILURE_RESET = 2, /**< the driver has reset or isolated the function */
	RTE_PMD_ACCEL_FAILURE_TIMEOUT = 3, /**< no response within timeout_ms */
	RTE_PMD_ACCEL_FAILURE_FATAL = 4, /**< the function has failed as a whole */
	RTE_PMD_ACCEL_FAILURE_GONE = 5, /**< the function's registers do not answer */
	RTE_PMD_ACCEL_FAILURE_FOREIGN_RESET = 6, /**< others reset the function */
	RTE_PMD_ACCEL_FAILURE_LOST_WRITES = 7, /**< pointers of the device do not arrive */
	RTE_PMD_ACCEL_FAILURE_POINTER = 8, /**< RSP_HHP is beyond the response ring */
	RTE_PMD_ACCEL_FAILURE_MISMATCH = 9, /**< responses do not match the operations */
	RTE_PMD_ACCEL_FAILURE_NB
};

/**
 * Says who started a queue pair again. rte_pmd_accel_event::reason of a reset has one of these
 * values.
 */
enum rte_pmd_accel_restart {
	RTE_PMD_ACCEL_RESTART_NONE = 0,
	RTE_PMD_ACCEL_RESTART_START = 1, /**< rte_cryptodev_start(), which was not the first one */
	RTE_PMD_ACCEL_RESTART_APPLICATION = 2, /**< the application, which reset the queue pair */
	RTE_PMD_ACCEL_RESTART_DRIVER = 3, /**< the driver, after a failure (devarg recover) */
	RTE_PMD_ACCEL_RESTART_NB
};

/** Describes the latest failure or reset of a queue pair. */
struct rte_pmd_accel_event {
	/** enum rte_pmd_accel_failure or enum rte_pmd_accel_restart; 0: there was none */
	uint32_t reason;
	uint64_t ago_us; /**< microseconds since the event, 0: there was none */
};

/**
 * Describes a queue pair. Its counters include those of its companion for asymmetric operations.
 * Depth, rings and latency are of the queue pair itself.
 */
struct rte_pmd_accel_qp_stats {
	uint32_t mode; /**< enum rte_pmd_accel_qp_mode; failed if it or its companion has failed */
	uint32_t depth; /**< operations that the queue pair can hold */
	uint32_t in_flight; /**< operations accepted and not given back */
	/** The most operations in flight that the driver has seen. The driver looks when one thread
	 * needs to know what the other thread has done: at least once while as many operations go
	 * through as are in flight, and always when the queue pair is full. */
	uint32_t in_flight_max;
	uint32_t tx_size; /**< slots of the TX ring */
	uint32_t tx_used; /**< slots with descriptors that the device may still read */
	uint32_t rx_size;
	uint32_t rx_used;
	uint64_t enqueued; /**< operations accepted */
	uint64_t dequeued; /**< operations given back */
	/** accepted operations that the driver refused, so that the device did not get them */
	uint64_t enqueue_errors;
	/** operations given back that failed in the device or for lack of a response */
	uint64_t dequeue_errors;
	uint64_t doorbells; /**< doorbell writes: bursts that the device was told of */
	uint64_t polls; /**< calls of dequeue */
	uint64_t empty_polls; /**< calls of dequeue that gave nothing back */
	/** Calls of enqueue that could not take all operations, since the queue pair was full. */
	uint64_t waits;
	uint64_t enqueue_bursts[RTE_PMD_ACCEL_BURSTS]; /**< by operations per doorbell */
	uint64_t dequeue_bursts[RTE_PMD_ACCEL_BURSTS]; /**< by operations per call of dequeue */
	uint64_t failures;
	uint64_t resets; /**< starts after the first one */
	struct rte_pmd_accel_event last_failure; /**< enum rte_pmd_accel_failure */
	struct rte_pmd_accel_event last_reset; /**< enum rte_pmd_accel_restart */
};

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get the counters and the state of a queue pair. While other threads use the queue pair, each
 * field is right by itself, but the fields need not be of one moment.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param qp_id
 *   The queue pair.
 * @param stats
 *   Filled in on success.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -EINVAL: the queue pair is not set up, or @p stats is NULL.
 */
__rte_experimental
int
rte_pmd_accel_qp_stats_get(uint8_t dev_id, uint16_t qp_id, struct rte_pmd_accel_qp_stats *stats);

/** Says why the driver refused an operation, so that the device did not get it. */
enum rte_pmd_accel_refusal {
	RTE_PMD_ACCEL_REFUSAL_NONE = 0,
	RTE_PMD_ACCEL_REFUSAL_TYPE = 1, /**< type of operation or session that is not offered */
	RTE_PMD_ACCEL_REFUSAL_SESSION = 2, /**< no session of this driver */
	RTE_PMD_ACCEL_REFUSAL_XFORM = 3, /**< sessionless: none or invalid transforms */
	RTE_PMD_ACCEL_REFUSAL_XFORM_UNKNOWN = 4, /**< sessionless: not supported */
	RTE_PMD_ACCEL_REFUSAL_MEMORY = 5, /**< no memory */
	RTE_PMD_ACCEL_REFUSAL_SOURCE = 6, /**< no source mbuf */
	RTE_PMD_ACCEL_REFUSAL_TOO_SHORT = 7, /**< a region reaches beyond the data */
	RTE_PMD_ACCEL_REFUSAL_ROOM = 8, /**< no room after the last segment */
	RTE_PMD_ACCEL_REFUSAL_HEADROOM = 9, /**< no headroom for headers */
	RTE_PMD_ACCEL_REFUSAL_DIGEST = 10, /**< no digest address */
	RTE_PMD_ACCEL_REFUSAL_AAD = 11, /**< no AAD address */
	RTE_PMD_ACCEL_REFUSAL_TOO_MANY = 12, /**< more segments or bytes than the device takes */
	RTE_PMD_ACCEL_REFUSAL_BITS = 13, /**< offsets or lengths that are not whole bytes */
	/** not whole bytes, with a digest to be ciphered */
	RTE_PMD_ACCEL_REFUSAL_BITS_DIGEST = 14,
	RTE_PMD_ACCEL_REFUSAL_IN_CIPHER = 15, /**< digest at a wrong place in the cipher region */
	RTE_PMD_ACCEL_REFUSAL_ASYM = 16, /**< asymmetric: operand, type or place for results */
	RTE_PMD_ACCEL_REFUSAL_ASYM_SESSION = 17, /**< asymmetric: no session of this driver */
	RTE_PMD_ACCEL_REFUSAL_ASYM_UNKNOWN = 18, /**< asymmetric: not supported */
	RTE_PMD_ACCEL_REFUSAL_NB
};

/** Counts what went wrong on a device, in all queue pairs together, and its sessions. */
struct rte_pmd_accel_stats {
	/** Responses with an error, by the number of their status in the manual. Place 0 counts
	 * responses whose result was impossible, although the status was OK. */
	uint64_t status[RTE_PMD_ACCEL_STATUSES];
	/** Operations that came back with an error and without a valid response, since a queue pair
	 * failed or the response was wrong. */
	uint64_t no_response;
	uint64_t refusals[RTE_PMD_ACCEL_REFUSALS]; /**< by enum rte_pmd_accel_refusal */
	uint64_t descriptors[RTE_PMD_ACCEL_DESCRIPTOR_ERRORS]; /**< by the manual's error code */
	uint64_t sessions_created; /**< of rte_cryptodev, rte_security and sessionless operations */
	uint64_t sessions_alive; /**< sessions created and not freed yet */
	uint64_t invalidations; /**< requests to the device to drop its copy of a session */
	/** Sessions alive, by the number of their algorithm. A chain counts for both algorithms. */
	uint64_t sessions[RTE_PMD_ACCEL_ALGORITHMS];
};

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get the errors and sessions of a device.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param stats
 *   Filled in on success.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -EINVAL: @p stats is NULL.
 */
__rte_experimental
int
rte_pmd_accel_stats_get(uint8_t dev_id, struct rte_pmd_accel_stats *stats);

/**
 * Holds the latencies of a queue pair. A latency is the time from the call of enqueue that accepted
 * an operation to the call of dequeue that gave it back. Place n of counts has the operations whose
 * latency in nanoseconds is below rte_pmd_accel_latency_bound(n), but not below the bound of place
 * n - 1. Eight places double the time, so a percentile is at most an eighth too high.
 */
struct rte_pmd_accel_latency {
	uint8_t on; /**< 1: latencies are measured */
	uint64_t count; /**< operations measured */
	uint64_t p50; /**< nanoseconds: half of the operations took at most this */
	uint64_t p99; /**< nanoseconds */
	uint64_t p99_9; /**< nanoseconds */
	uint64_t max; /**< nanoseconds */
	uint64_t counts[RTE_PMD_ACCEL_LATENCIES];
};

/** Says what rte_pmd_accel_latency_control() does. */
enum rte_pmd_accel_latency_order {
	RTE_PMD_ACCEL_LATENCY_OFF = 0, /**< stop measuring; what was measured stays */
	RTE_PMD_ACCEL_LATENCY_ON = 1, /**< begin to measure, or go on */
	RTE_PMD_ACCEL_LATENCY_RESET = 2, /**< forget what was measured */
};

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get the latencies of a queue pair.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param qp_id
 *   The queue pair.
 * @param latency
 *   Filled in on success.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -EINVAL: the queue pair is not set up, or @p latency is NULL.
 */
__rte_experimental
int
rte_pmd_accel_latency_get(uint8_t dev_id, uint16_t qp_id, struct rte_pmd_accel_latency *latency);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Switch the measurement of latencies on or off, or forget what was measured. The measurement is
 * off at first. While it is off, it takes no instruction on the data path. Operations that are in
 * flight when it is switched on are not measured.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param qp_id
 *   The queue pair.
 * @param order
 *   enum rte_pmd_accel_latency_order.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -EINVAL: the queue pair is not set up, or there is no such order.
 *   - -ENOMEM: no memory for the measurement.
 */
__rte_experimental
int
rte_pmd_accel_latency_control(uint8_t dev_id, uint16_t qp_id, unsigned int order);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get the upper bound of a place in rte_pmd_accel_latency::counts.
 *
 * @param place
 *   From 0 to RTE_PMD_ACCEL_LATENCIES - 1.
 * @return
 *   Nanoseconds; UINT64_MAX for the last place and for higher numbers.
 */
__rte_experimental
uint64_t
rte_pmd_accel_latency_bound(unsigned int place);

/** Names the tables of rte_pmd_accel_name(). */
enum rte_pmd_accel_names {
	RTE_PMD_ACCEL_NAMES_STATUS = 0, /**< rte_pmd_accel_stats::status */
	RTE_PMD_ACCEL_NAMES_REFUSAL = 1, /**< enum rte_pmd_accel_refusal */
	RTE_PMD_ACCEL_NAMES_DESCRIPTOR = 2, /**< rte_pmd_accel_stats::descriptors */
	RTE_PMD_ACCEL_NAMES_ALGORITHM = 3, /**< rte_pmd_accel_stats::sessions */
	RTE_PMD_ACCEL_NAMES_FAILURE = 4, /**< enum rte_pmd_accel_failure */
	RTE_PMD_ACCEL_NAMES_RESTART = 5, /**< enum rte_pmd_accel_restart */
	RTE_PMD_ACCEL_NAMES_MODE = 6, /**< enum rte_pmd_accel_qp_mode */
	RTE_PMD_ACCEL_NAMES_STATE = 7, /**< enum rte_pmd_accel_state */
	RTE_PMD_ACCEL_NAMES_VF_STATE = 8, /**< enum rte_pmd_accel_vf_state */
	RTE_PMD_ACCEL_NAMES_FAULT_ACCESS = 9, /**< enum rte_pmd_accel_fault_access */
};

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get the name that telemetry uses for a number. It has lower-case letters, digits and '_'.
 *
 * @param names
 *   enum rte_pmd_accel_names.
 * @param number
 *   The number.
 * @return
 *   The name, or NULL if the number has none.
 */
__rte_experimental
const char *
rte_pmd_accel_name(unsigned int names, unsigned int number);

#ifdef __cplusplus
}
#endif

#endif /* RTE_PMD_ACCEL_STATS_H */
