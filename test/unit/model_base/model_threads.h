/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Threads that run the workers of the card in model_card.h.
 */
#ifndef UNIT_MODEL_THREADS_H
#define UNIT_MODEL_THREADS_H

#include <pthread.h>

#include "model_base/model_card.h"

struct device_threads {
	pthread_t thread[4];
	unsigned int nb;
};

void start_threads(struct device_threads *d, unsigned int nb);

void stop_threads(struct device_threads *d);

#endif /* UNIT_MODEL_THREADS_H */
