/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/**
 * @file rte_pmd_accel_embedded.h
 *
 * Functions of the crypto_accel driver that only an embedded device has, for tests and for programs
 * without a thread of the device. A driver that is built without the model has none of them.
 */

#ifndef RTE_PMD_ACCEL_EMBEDDED_H
#define RTE_PMD_ACCEL_EMBEDDED_H

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
 * `cores=inline` the device has no thread of its own. It works only in this function, and when a
 * dequeue finds nothing. With other values of `cores` an application does not need this function.
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
 * Inject faults into an embedded device, at any time and from any thread. The string has the form
 * of the devarg `faults`: a list of items separated by '+'. The item `none` clears all faults.
 * Operations are counted from the moment of the call.
 *
 * @param dev_id
 *   The identifier of the device.
 * @param faults
 *   The faults, such as "dead@100" or "status:5@10/3".
 * @return
 *   - 0 on success.
 *   - -ENODEV: not a device of this driver.
 *   - -ENOTSUP: not an embedded device.
 *   - -EINVAL: @p faults is malformed. A log line names the valid items. Nothing was changed.
 */
__rte_experimental
int
rte_pmd_accel_fault(uint8_t dev_id, const char *faults);

#ifdef __cplusplus
}
#endif

#endif /* RTE_PMD_ACCEL_EMBEDDED_H */
