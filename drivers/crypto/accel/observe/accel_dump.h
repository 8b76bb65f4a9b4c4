/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes dumps of a device as text, for rte_pmd_accel_dump() and telemetry. Lines have bounded
 * length and neither quotation marks nor backslashes, so that each line can be a string of the
 * telemetry library.
 */
#ifndef ACCEL_DUMP_H
#define ACCEL_DUMP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * Write a dump of the function of a device. Any thread of any process may call this, whatever state
 * the device is in. The call sleeps for up to 300 ms, to see what moves. The data path does not
 * wait for a dump, but removal of the device in this process does.
 *
 * @param queues write all queue pairs, too.
 * @param f a file in memory (open_memstream()).
 * @param trouble receives whether the dump tells of trouble, if 0 is returned.
 * @return 0; -ENODEV: not a device of this driver; -ENOMEM.
 */
int accel_dump_function(uint8_t dev_id, bool queues, FILE *f, bool *trouble);

/**
 * Write a dump of one queue pair and of its companion, as accel_dump_function() does for the
 * function. Return also -EINVAL if the queue pair is not set up.
 */
int accel_dump_queue(uint8_t dev_id, uint16_t qp_id, FILE *f, bool *trouble);

#endif /* ACCEL_DUMP_H */
