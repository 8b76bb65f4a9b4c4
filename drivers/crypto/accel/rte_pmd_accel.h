/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/**
 * @file rte_pmd_accel.h
 *
 * Functions of the crypto_accel driver beyond rte_cryptodev: for tools, tests and benchmarks. An
 * application that only does cryptography needs none of them.
 */

#ifndef RTE_PMD_ACCEL_H
#define RTE_PMD_ACCEL_H

#include <stddef.h>
#include <stdint.h>

#include <rte_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Let an embedded device do one round of work in the calling thread: take new commands and
 * requests, complete and answer what can be completed. Does not block. With the devarg
 * `cores=inline` the device has no thread of its own and works only here and while the driver
 * finds nothing to dequeue; otherwise there is no need for this function.
 *
 * @param dev_id
 *   The identifier of the device.
 * @return
 *   - Number of responses that the device wrote.
 *   - -ENODEV: not a device of this driver.
 *   - -ENOTSUP: not an embedded device.
 */
__rte_experimental
int
rte_pmd_accel_poll(uint8_t dev_id);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Inject faults into an embedded device, at any time and from any thread. The string is that of
 * the devarg `faults`: a list of items separated by '+', of which `none` clears all. Operations
 * are counted from the moment of the call.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param faults
 *   The faults, such as "dead@100" or "status:5@10/3".
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -ENOTSUP: not an embedded device.
 *   - -EINVAL: malformed; a log line names the valid items, and nothing was changed.
 */
__rte_experimental
int
rte_pmd_accel_fault(uint8_t dev_id, const char *faults);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Memory that a queue pair takes.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param nb_desc
 *   As nb_descriptors of struct rte_cryptodev_qp_conf.
 * @return
 *   Bytes; 0 if the device does not exist, is not of this driver or cannot have a queue pair of
 *   that size.
 */
__rte_experimental
size_t
rte_pmd_accel_qp_memory(uint8_t dev_id, uint32_t nb_desc);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Stop and start one queue pair of a started device, in any DPDK version and while the other queue
 * pairs work. For a queue pair whose process was killed: it may have died between two writes to a
 * ring, so whoever goes on with the queue pair calls this before the first enqueue. What the
 * process had accepted stays to be dequeued; what the device had not answered by then comes back
 * with RTE_CRYPTO_OP_STATUS_ERROR.
 *
 * No other thread may use the queue pair meanwhile.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param qp_id
 *   The queue pair.
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -EINVAL: no such queue pair.
 *   - -ETIMEDOUT, -EIO and others: it does not start, see the log. Then it is a failed queue pair,
 *     which gives back all operations with RTE_CRYPTO_OP_STATUS_ERROR.
 */
__rte_experimental
int
rte_pmd_accel_qp_reset(uint8_t dev_id, uint16_t qp_id);

#ifdef __cplusplus
}
#endif

#endif /* RTE_PMD_ACCEL_H */
