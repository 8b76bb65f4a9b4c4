/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * All counters of a queue pair. They outlive the queue pair: they are saved when it is freed, and
 * its successor goes on with them.
 */
#ifndef ACCEL_COUNTERS_H
#define ACCEL_COUNTERS_H

#include <stdint.h>

#include "accel_count.h"
#include "accel_dev.h"
#include "accel_queue.h"

/*
 * Holds all counters of a queue pair. The struct and its three parts have nothing but counters, so
 * each can be read as an array.
 */
struct accel_counts {
	struct accel_enqueue_count enqueue;
	struct accel_dequeue_count dequeue;
	struct accel_event_count events;
};

/**
 * Make the places for saved counters, in memory that all processes share.
 *
 * @return 0 or -ENOMEM.
 */
int accel_counters_init(struct accel_dev *dev, uint32_t nb_qps);

/** Free the places for saved counters. The counters are lost. */
void accel_counters_fini(struct accel_dev *dev);

/**
 * Keep other threads and processes from reading the counters of queue pairs, while a queue pair is
 * replaced or freed. If a process is killed while it has the lock, the next process that wants the
 * lock takes it (test_dump: test_lock_of_the_dead).
 */
void accel_counters_lock(struct accel_dev *dev);

void accel_counters_unlock(struct accel_dev *dev);

/** Save the counters of a queue pair that is about to be freed. */
void accel_counters_save(const struct accel_qp *qp);

/** Give a new queue pair the counters that were saved for its number. */
void accel_counters_restore(struct accel_qp *qp);

/**
 * Return the place of a queue pair's counters in accel_dev.saved and accel_dev.zero.
 *
 * @param qp_id place of the queue pair in accel_devtree.qp.
 * @return -1 if the queue pair has no place. The driver's own queue pair for random numbers has
 *   none.
 */
int accel_counters_place(const struct accel_dev *dev, unsigned int qp_id);

/** Read the counters of a queue pair. The queue pair may work meanwhile. */
void accel_counters_read(const struct accel_qp *qp, struct accel_counts *to);

#endif /* ACCEL_COUNTERS_H */
