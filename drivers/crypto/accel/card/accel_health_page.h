/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The health page (manual 4.6): the record of the latest fault, counters and sensors. Cards of
 * contract 1.0 have no health page.
 */
#ifndef ACCEL_HEALTH_PAGE_H
#define ACCEL_HEALTH_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_dev.h"

struct rte_pmd_accel_health;

/*
 * Lists the counters of a snapshot. X(name) is a register of the page, a field of struct
 * rte_pmd_accel_health and a field of telemetry.
 */
#define ACCEL_HEALTH_COUNTERS(X)                                                                   \
	X(time_ns)                                                                                 \
	X(ops)                                                                                     \
	X(context_hits)                                                                            \
	X(context_misses)                                                                          \
	X(context_drops)                                                                           \
	X(engine_busy_ns)                                                                          \
	X(latency_ns_sum)                                                                          \
	X(latency_ns_max)                                                                          \
	X(latency_ops)                                                                             \
	X(writebacks)

#define ACCEL_FAULT_TEXT 160u /* room for accel_health_page_fault_text() */

/**
 * Describe the latest fault for the end of a log line.
 *
 * @param text receives the description, which begins with a separator, or "" if the card has no
 *   health page or no fault.
 * @param size of text in bytes.
 * @return text.
 */
const char *accel_health_page_fault_text(const struct accel_dev *dev, char *text, size_t size);

/**
 * Read the record of the latest fault, without a snapshot and without waiting. Other fields of
 * health are not set.
 *
 * @return false if the card has no health page.
 */
bool accel_health_page_fault(const struct accel_dev *dev, struct rte_pmd_accel_health *health);

/**
 * Log that an operation of a queue pair has failed with a DMA fault.
 *
 * @param log limits the number of lines.
 */
void accel_health_page_report_fault(const struct accel_dev *dev, uint16_t qp_id,
				    struct accel_log_limit *log);

/**
 * Note that the random number source has failed, so that the next start of the device resets the
 * function (manual 8.8, RND-2). The first call since the latest reset writes a log line.
 */
void accel_health_page_report_entropy(struct accel_dev *dev);

/**
 * Take a snapshot and read the page. Any thread of any process may call this at any time.
 *
 * @return 0; -ENOTSUP without a health page; -EIO if the function is gone or not ready; -ETIMEDOUT
 *   if the function takes no snapshot.
 */
int accel_health_page_get(struct accel_dev *dev, struct rte_pmd_accel_health *health);

/** Read firmware version and serial number. Without a health page both are 0. */
void accel_health_page_identity(const struct accel_dev *dev, uint32_t *firmware, uint64_t *serial);

#endif /* ACCEL_HEALTH_PAGE_H */
