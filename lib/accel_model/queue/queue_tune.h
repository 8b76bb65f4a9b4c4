/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The device's choice of N and T of the write-back, with AUTO (manual 6.5).
 */
#ifndef ACCEL_MODEL_QUEUE_TUNE_H
#define ACCEL_MODEL_QUEUE_TUNE_H

#include "model/model.h"

/** Begin with the largest N and T. @param age_max ticks; 0: no limit. */
void queue_tune_start(struct queue *q, uint32_t count_max, uint64_t age_max);
/** Choose N and T for the next line. A line was just written, and its responses still count as not
 * reported. */
void queue_tune(const struct worker *w, struct queue *q);

#endif /* ACCEL_MODEL_QUEUE_TUNE_H */
