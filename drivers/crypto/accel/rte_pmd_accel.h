/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/**
 * @file rte_pmd_accel.h
 *
 * Functions of the crypto_accel driver beyond rte_cryptodev, for tools, and for whoever shares a
 * card between virtual functions. An application that only does cryptography needs none of them.
 * Counters and latencies are in DPDK's telemetry (doc/guides/accel-telemetry.rst).
 */

#ifndef RTE_PMD_ACCEL_H
#define RTE_PMD_ACCEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <rte_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Stop and start one queue pair of a started device while the other queue pairs work. Every DPDK
 * version has this function. It is meant for a queue pair whose process was killed. The process may
 * have died between two writes to a ring. So another process that continues with the queue pair
 * must call this function before its first enqueue. Operations that the killed process had enqueued
 * can still be dequeued. Those that the device has not answered get RTE_CRYPTO_OP_STATUS_ERROR.
 *
 * No other thread may use the queue pair during the call.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param qp_id
 *   The queue pair.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -EINVAL: no such queue pair.
 *   - -ETIMEDOUT, -EIO and others: the queue pair does not start, and a log line says why. The
 *     queue pair has then failed, and gives back all operations with RTE_CRYPTO_OP_STATUS_ERROR.
 */
__rte_experimental
int
rte_pmd_accel_qp_reset(uint8_t dev_id, uint16_t qp_id);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Write the state of a device as text. For the function and for each queue pair the text has a
 * summary in words, registers, pointers, and the last descriptors, commands and responses. For a
 * queue pair that has failed before, the text also has its state at the moment of its latest
 * failure. The text is for people: the guide explains it, and programs should not parse it. The
 * text has addresses, but neither keys nor IVs nor payload.
 *
 * Any thread of any process that has the device may call this function at any time, also while
 * other threads use the queue pairs. These threads do not wait for the function. The device may be
 * in any state: stopped, failed, dead, gone or broken. The function sleeps for 10 to 300 ms to see
 * what moves, and changes nothing. Removal of the device in the same process waits for the
 * function. The release of a queue pair may wait for it for a moment, too.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param f
 *   Where the text goes.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -EINVAL: @p f is NULL.
 *   - -EIO: the text could not be written.
 *   - -ENOMEM: no memory.
 */
__rte_experimental
int
rte_pmd_accel_dump(uint8_t dev_id, FILE *f);

/**
 * rte_pmd_accel_health::fault_access has one of these values. It says which access of the device
 * failed.
 */
enum rte_pmd_accel_fault_access {
	RTE_PMD_ACCEL_FAULT_NONE = 0, /**< there was no fault */
	RTE_PMD_ACCEL_FAULT_TX_RING = 1, /**< read of a TX descriptor */
	RTE_PMD_ACCEL_FAULT_RX_RING = 2, /**< read of an RX descriptor */
	RTE_PMD_ACCEL_FAULT_COMMAND = 3, /**< read of a command */
	RTE_PMD_ACCEL_FAULT_CONTEXT = 4, /**< read of a session's context */
	RTE_PMD_ACCEL_FAULT_INPUT = 5, /**< read of an operation's input */
	RTE_PMD_ACCEL_FAULT_RESULT = 6, /**< write of an operation's result */
	RTE_PMD_ACCEL_FAULT_RESPONSE = 7, /**< write of a response */
	RTE_PMD_ACCEL_FAULT_LINE = 8, /**< write of the pointers */
};

/**
 * rte_pmd_accel_health::fault_cause has one of these values. It says why an access of the device
 * failed.
 */
enum rte_pmd_accel_fault_cause {
	RTE_PMD_ACCEL_FAULT_UNMAPPED = 1, /**< the address is not mapped, or nothing is there */
	RTE_PMD_ACCEL_FAULT_TIMEOUT = 2, /**< nothing has answered */
	RTE_PMD_ACCEL_FAULT_POISONED = 3, /**< the data came with an error */
};

/** rte_pmd_accel_health::temperature has this value if it is not measured. */
#define RTE_PMD_ACCEL_TEMPERATURE_NONE INT32_MIN
/** rte_pmd_accel_health::power has this value if it is not measured. */
#define RTE_PMD_ACCEL_POWER_NONE UINT32_MAX

/**
 * Holds what a device says about itself. Counters are of this function of the card, and count since
 * it was powered on or had a function level reset.
 */
struct rte_pmd_accel_health {
	uint32_t fault_count; /**< faults; other fields fault_* describe the latest one */
	uint32_t fault_access; /**< enum rte_pmd_accel_fault_access, or a newer number */
	const char *fault_access_name; /**< in lower-case letters, NULL of a newer number */
	uint32_t fault_cause; /**< enum rte_pmd_accel_fault_cause, or a newer number */
	uint32_t fault_queue_pair;
	uint32_t fault_tag; /**< tag of the request, 0 if it is not known */
	uint32_t firmware_version; /**< [31:16] major, [15:8] minor, [7:0] patch */
	uint64_t fault_address; /**< IOVA */
	uint64_t serial; /**< serial number, 0 if there is none */
	int32_t temperature; /**< 0.1 degrees Celsius */
	uint32_t power; /**< milliwatts */
	uint64_t mem_corrected; /**< errors of the card's memory that were corrected */
	uint64_t mem_uncorrected; /**< errors of the card's memory that were not corrected */
	uint64_t time_ns; /**< the card's clock at the moment of the counters below */
	uint64_t ops; /**< responses */
	uint64_t context_hits; /**< requests whose session was in the card's cache */
	uint64_t context_misses; /**< requests whose session was read from memory */
	uint64_t context_drops; /**< sessions that were dropped because they were freed */
	uint64_t engine_busy_ns; /**< sum over all engines */
	uint64_t latency_ns_sum; /**< from doorbell to response, of latency_ops operations */
	uint64_t latency_ns_max; /**< the longest time from doorbell to response */
	uint64_t latency_ops; /**< operations whose latency was measured */
	uint64_t writebacks; /**< writes of pointers */
};

/** Counts what became of the failures of a device's queue pairs, since the device was probed. */
struct rte_pmd_accel_recovery {
	uint64_t failures; /**< failures of queue pairs */
	/** attempts of the driver to start a failed queue pair, see the devarg `recover` */
	uint64_t attempts;
	uint64_t healed; /**< queue pairs that the driver has started again */
	/** Sum of the times from failure to healing, in microseconds. The sum includes the time
	 * that a reset took, but not the timeout_ms after which a silent device counts as
	 * failed. */
	uint64_t outage_us;
	uint32_t function_resets; /**< resets of the whole function because of failures */
	uint32_t failed_queue_pairs; /**< queue pairs that are failed now */
};

#define RTE_PMD_ACCEL_NAME_SIZE 64 /**< bytes of a name, with the 0 at its end */

/** rte_pmd_accel_info::state has one of these values. */
enum rte_pmd_accel_state {
	RTE_PMD_ACCEL_STATE_GONE = 0, /**< the registers do not answer */
	RTE_PMD_ACCEL_STATE_BOOTING = 1,
	RTE_PMD_ACCEL_STATE_READY = 2,
	RTE_PMD_ACCEL_STATE_RESETTING = 3,
	RTE_PMD_ACCEL_STATE_FATAL = 4, /**< the function has failed as a whole, see fatal_code */
	RTE_PMD_ACCEL_STATE_ISOLATED = 5, /**< the driver has taken the function off the bus */
	RTE_PMD_ACCEL_STATE_UNKNOWN = 6, /**< another number */
};

/** Says what a device is, and how it is. */
struct rte_pmd_accel_info {
	char name[RTE_PMD_ACCEL_NAME_SIZE]; /**< name of the cryptodev */
	char transport[16]; /**< "embedded", "pci" (a physical function) or "vf" */
	char pci[RTE_PMD_ACCEL_NAME_SIZE]; /**< address of the PCI function, "" if embedded */
	uint32_t state; /**< enum rte_pmd_accel_state */
	const char *state_name; /**< the state in lower-case letters */
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
	/** Operations that a queue pair can hold, whatever nb_descriptors it is set up with. */
	uint32_t max_descriptors;
	/** The most fragments of an operation's input, and also of its output: segments, AAD and
	 * digest. A segment that crosses a boundary of 1 GiB is two. */
	uint32_t max_fragments;
	/** The most bytes of an operation's input, and also of the room for its output. */
	uint32_t max_bytes;
	uint8_t reports_writes; /**< 1: an operation whose result cannot be written fails */
	uint64_t queue_pair_bytes; /**< memory that a queue pair of 2048 descriptors takes */
	struct rte_pmd_accel_recovery recovery;
	/**
	 * 0: health is filled in. -ENOTSUP: the card has no health page, as cards of contract 1.0.
	 * -EIO: the card is gone, has failed, is in a reset, or its heartbeat stands still.
	 * -ETIMEDOUT: the card does not answer within a second.
	 */
	int32_t health_error;
	struct rte_pmd_accel_health health;
};

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get what a device is, its state, and what became of failures. Any thread of any process that has
 * the device may call this function at any time, also while queue pairs work. The function sleeps
 * between its looks at the device, up to 100 ms if the card's heartbeat stands still, so it is not
 * for threads that poll.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param info
 *   Filled in on success. All counters of the health page are of one moment during the call.
 * @return
 *   - 0 on success, also if the card is gone or dead.
 *   - -ENODEV: not a device of this driver.
 *   - -EINVAL: @p info is NULL.
 */
__rte_experimental
int
rte_pmd_accel_info_get(uint8_t dev_id, struct rte_pmd_accel_info *info);

/**
 * Holds the share of a card that a virtual function (VF) has. A VF asks for a share with this
 * structure, too. In such a request, a field that is 0 (or algorithms that are all 0) is no wish.
 */
struct rte_pmd_accel_vf_share {
	uint16_t queue_pairs; /**< queue pairs of the VF, 0: none */
	uint16_t weight; /**< the VF's part of the card while others work, 0 counts as 1 */
	uint64_t ops_per_second; /**< most operations per second, 0: no limit */
	uint64_t bytes_per_second; /**< most source bytes per second, 0: no limit */
	/** Algorithms that the VF may use: bit n of the 256 is number n of the hardware manual,
	 * section 8.2. All ones: every algorithm. */
	uint64_t algorithms[4];
};

/** rte_pmd_accel_vf_info::state has one of these values. */
enum rte_pmd_accel_vf_state {
	RTE_PMD_ACCEL_VF_ABSENT = 0, /**< the VF is not enabled */
	RTE_PMD_ACCEL_VF_BOOTING = 1,
	RTE_PMD_ACCEL_VF_READY = 2,
	RTE_PMD_ACCEL_VF_RESETTING = 3,
	RTE_PMD_ACCEL_VF_FATAL = 4, /**< the VF has failed */
	/** The card does not say, as it has no mailboxes. A card's own numbers are below. */
	RTE_PMD_ACCEL_VF_UNKNOWN = 256,
};

/** Holds what a physical function (PF) sees of one of its VFs. */
struct rte_pmd_accel_vf_info {
	uint32_t state; /**< enum rte_pmd_accel_vf_state, or a newer number */
	const char *state_name; /**< in lower-case letters, "unknown" of a newer number */
	uint32_t fatal_code; /**< of a failed VF: 1 internal, 2 thermal, 3 firmware, others */
	uint16_t queue_pairs; /**< queue pairs that the VF has now */
	uint8_t share_in_effect; /**< 1: rates and weight of the share are in effect */
	uint8_t request_pending; /**< 1: the VF has asked for a share and has no answer yet */
	uint8_t share_is_set; /**< 0: nothing was set, and the share is everything */
	/** The share that was set, by any process or program. If nothing was set, it is as many
	 * queue pairs as one VF can have, or UINT16_MAX if the card does not say how many; weight
	 * 1, no limits, all algorithms. */
	struct rte_pmd_accel_vf_share share;
	/** what the VF asks for, if a request is pending; the driver has not checked it */
	struct rte_pmd_accel_vf_share asked;
};

/** rte_pmd_accel_share_info::answer has one of these values. */
enum rte_pmd_accel_answer {
	RTE_PMD_ACCEL_ANSWER_NONE = 0, /**< this VF has not asked */
	RTE_PMD_ACCEL_ANSWER_PENDING = 1, /**< the PF has not answered yet */
	RTE_PMD_ACCEL_ANSWER_GRANTED = 2, /**< the PF has set a share, perhaps another one */
	RTE_PMD_ACCEL_ANSWER_REFUSED = 3,
	RTE_PMD_ACCEL_ANSWER_OTHER = 4, /**< see rte_pmd_accel_share_info::answer_code */
};

/** rte_pmd_accel_share_info::pf_state has one of these values. */
enum rte_pmd_accel_pf_state {
	RTE_PMD_ACCEL_PF_NONE = 0, /**< the PF has no driver that says what it does */
	RTE_PMD_ACCEL_PF_UP = 1,
	RTE_PMD_ACCEL_PF_GOING_DOWN = 2, /**< the VF may lose its card at any time */
};

/** Holds what a VF sees of its own share. */
struct rte_pmd_accel_share_info {
	/** The share as the PF has set it. Rates and weight are in effect. Algorithms and queue
	 * pairs take effect at the next reset of the VF, which may get fewer queue pairs. */
	struct rte_pmd_accel_vf_share share;
	uint16_t queue_pairs; /**< queue pairs that the VF has now */
	uint8_t is_set; /**< 0: the PF has set nothing, and the share is everything */
	uint8_t answer; /**< answer to the latest request: enum rte_pmd_accel_answer */
	uint32_t answer_code; /**< the card's number, for RTE_PMD_ACCEL_ANSWER_OTHER */
	uint32_t pf_state; /**< enum rte_pmd_accel_pf_state, or a newer number */
};

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get the number of VFs that a PF can have. Each of these VFs can have a share, whether it is
 * enabled or not.
 *
 * @param dev_id
 *   The identifier of the PF's device.
 * @return
 *   - Number of VFs, from 1 to 256. If the PCI configuration space does not have the number, the
 *     function returns the number of VFs that the card has room for.
 *   - -ENODEV: not a device of this driver.
 *   - -ENOTSUP: not a PF with VFs.
 */
__rte_experimental
int
rte_pmd_accel_vf_count(uint8_t dev_id);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Set the share of a VF. Rates and weight are in effect when the function returns, also while the
 * VF works. Queue pairs and algorithms follow when the VF is reset. The VF's driver resets it when
 * it probes the VF. If the VF has asked for a share, this function answers that it was granted, or
 * refused if @p share is NULL.
 *
 * Any thread of any process that has the PF may call this function at any time. The function sleeps
 * while it waits for the card, so it is not for threads that poll. The driver sets the share again
 * after a function level reset of the PF.
 *
 * A card of contract 1.0 or 1.1 takes rates at the reset of the VF, too, and has no weights.
 *
 * @param dev_id
 *   The identifier of the PF's device.
 * @param vf
 *   Number of the VF, from 0.
 * @param share
 *   The share, or NULL: the share stays, and what the VF asks for is refused.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -ENOTSUP: not a PF with VFs, or a refusal and a card without mailboxes.
 *   - -EINVAL: no such VF, more queue pairs than one VF can have, or queue pairs without any
 *     algorithm.
 *   - -ENOENT: a refusal, and the VF has not asked for a share, or has an answer already.
 *   - -ENOSPC: more queue pairs than the card has left for this VF, if all VFs whose share was set
 *     have what was set.
 *   - -EIO: the card is gone or has failed.
 *   - -ETIMEDOUT: the card does not take the share within a second.
 *   One log line says what to do, except with -ENODEV and -ENOENT. With -ETIMEDOUT and -EIO the
 *   share may take effect later. With other errors nothing was changed.
 */
__rte_experimental
int
rte_pmd_accel_vf_share_set(uint8_t dev_id, uint16_t vf, const struct rte_pmd_accel_vf_share *share);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get what a PF sees of a VF: its state, its share, and the share that it asks for. A card without
 * mailboxes only knows the share.
 *
 * @param dev_id
 *   The identifier of the PF's device.
 * @param vf
 *   Number of the VF, from 0.
 * @param info
 *   Filled in on success.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -ENOTSUP: not a PF with VFs.
 *   - -EINVAL: no such VF, or @p info is NULL.
 *   - -EIO: the card is gone.
 */
__rte_experimental
int
rte_pmd_accel_vf_info_get(uint8_t dev_id, uint16_t vf, struct rte_pmd_accel_vf_info *info);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Ask the PF for a share, on a VF. The function does not wait for the answer, which
 * rte_pmd_accel_share_info_get() returns. A second request replaces a request without answer.
 *
 * @param dev_id
 *   The identifier of the VF's device.
 * @param share
 *   The share that is asked for. 0 in a field is no wish.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -ENOTSUP: not a VF, or a card without mailboxes.
 *   - -EINVAL: @p share is NULL.
 *   - -EIO: the card is gone.
 */
__rte_experimental
int
rte_pmd_accel_share_ask(uint8_t dev_id, const struct rte_pmd_accel_vf_share *share);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Get the share of a VF, the answer to what it has asked for, and the state of its PF, on the VF.
 * The function may sleep while the card changes the share.
 *
 * @param dev_id
 *   The identifier of the VF's device.
 * @param info
 *   Filled in on success.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -ENOTSUP: not a VF, or a card without mailboxes.
 *   - -EINVAL: @p info is NULL.
 *   - -EIO: the card is gone.
 *   - -ETIMEDOUT: the share did not stop changing within a second.
 */
__rte_experimental
int
rte_pmd_accel_share_info_get(uint8_t dev_id, struct rte_pmd_accel_share_info *info);

/**
 * Get random numbers from the card's source (SP 800-90), for keys, seeds and nonces on set-up
 * paths. The function takes about a tenth of a millisecond, and waits while another thread is in
 * it. Any thread of any process may call it, whether the device is started or not.
 *
 * Asymmetric operations give random numbers at a higher rate. Their session has a transform of the
 * type RTE_CRYPTO_ASYM_XFORM_NONE. In each operation, modex.result says where the bytes go (data)
 * and how many there are (length). If the source has failed, the operation gets
 * RTE_CRYPTO_OP_STATUS_ERROR.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param buf
 *   Where the bytes go. The buffer is all zeros after an error.
 * @param len
 *   Number of bytes.
 * @return
 *   - 0: all bytes are random.
 *   - -ENODEV: not a device of this driver.
 *   - -ENOTSUP: the card, or a VF, has no random numbers.
 *   - -EINVAL: @p buf is NULL.
 *   - -EIO: the card does not work, or the health tests of its source have failed. A stop and start
 *     of the device starts the source anew.
 *   - -ENOMEM: no memory for the driver's own queue pair.
 *   - -ETIMEDOUT: the card did not answer.
 */
__rte_experimental
int
rte_pmd_accel_random(uint8_t dev_id, void *buf, size_t len);

/**
 * Says why an IPsec operation failed. A failed operation has RTE_CRYPTO_OP_STATUS_ERROR, and
 * RTE_PMD_ACCEL_REASON() gets the reason from its aux_flags. The card uses the same numbers.
 */
enum rte_pmd_accel_reason {
	RTE_PMD_ACCEL_REASON_NONE = 0, /**< the card gave no reason: no answer, or a wrong one */
	RTE_PMD_ACCEL_REASON_ICV = 1, /**< the ICV is wrong */
	RTE_PMD_ACCEL_REASON_COMMAND = 2, /**< an option that the card does not have */
	RTE_PMD_ACCEL_REASON_CONTEXT = 3, /**< the card refuses the session */
	RTE_PMD_ACCEL_REASON_LENGTH = 4, /**< more or less data than the packet has */
	RTE_PMD_ACCEL_REASON_NO_ROOM = 5, /**< headroom, tailroom or m_dst are too small */
	RTE_PMD_ACCEL_REASON_DMA = 6, /**< memory that the card cannot reach */
	RTE_PMD_ACCEL_REASON_ENGINE = 7, /**< the card's engine failed */
	RTE_PMD_ACCEL_REASON_DENIED = 8, /**< an algorithm that this VF was not given */
	RTE_PMD_ACCEL_REASON_REPLAY = 9, /**< received before, or older than the window */
	RTE_PMD_ACCEL_REASON_MALFORMED = 10, /**< not a packet that the SA can take */
	RTE_PMD_ACCEL_REASON_MISMATCH = 11, /**< SPI, addresses or ports of another SA */
	RTE_PMD_ACCEL_REASON_EXPIRED = 12, /**< a hard limit was reached */
	RTE_PMD_ACCEL_REASON_SEQUENCE_END = 13, /**< no sequence number is left */
	RTE_PMD_ACCEL_REASON_DUMMY = 14, /**< a dummy packet, which is to be discarded */
	RTE_PMD_ACCEL_REASON_OTHER = 15, /**< a reason that this version does not know */
};

/** Get the reason, an enum rte_pmd_accel_reason, from the aux_flags of an IPsec operation. */
#define RTE_PMD_ACCEL_REASON(aux_flags) ((aux_flags) >> 4)

#ifdef __cplusplus
}
#endif

#endif /* RTE_PMD_ACCEL_H */
