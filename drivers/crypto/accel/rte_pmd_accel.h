/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/**
 * @file rte_pmd_accel.h
 *
 * Functions of the crypto_accel driver beyond rte_cryptodev, for tools, tests and benchmarks. An
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
 * requests, complete and answer what can be completed. The function does not block. With the devarg
 * `cores=inline` the device has no thread of its own. It works only here, and when a dequeue finds
 * nothing. With other values of `cores` there is no need for this function.
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
 * Inject faults into an embedded device, at any time and from any thread. The string is that of the
 * devarg `faults`: a list of items separated by '+'. The item `none` clears all faults. Operations
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
 * Get the size of the memory that a queue pair takes.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param nb_desc
 *   Number of descriptors, as nb_descriptors of struct rte_cryptodev_qp_conf.
 * @return
 *   Size in bytes, or 0 if the device does not exist, is not of this driver or cannot have a queue
 *   pair of that size.
 */
__rte_experimental
size_t
rte_pmd_accel_qp_memory(uint8_t dev_id, uint32_t nb_desc);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Stop and start one queue pair of a started device while the other queue pairs work. Every DPDK
 * version has this function. It is meant for a queue pair whose process was killed: the process may
 * have died between two writes to a ring, so another process that continues with the queue pair
 * must call this before its first enqueue. Operations that the killed process had enqueued can
 * still be dequeued. Those that the device has not answered get RTE_CRYPTO_OP_STATUS_ERROR.
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
 *   - -ETIMEDOUT, -EIO and others: the queue pair does not start, and a log line says why. It has
 *     then failed, and gives back all operations with RTE_CRYPTO_OP_STATUS_ERROR.
 */
__rte_experimental
int
rte_pmd_accel_qp_reset(uint8_t dev_id, uint16_t qp_id);

#ifdef __cplusplus
}
#endif

#endif /* RTE_PMD_ACCEL_H */
