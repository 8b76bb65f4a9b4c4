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

static inline void *
device_thread(void *arg)
{
	int ret = accel_model_worker_run(h.model, (unsigned int)(uintptr_t)arg, -1);

	return (void *)(uintptr_t)ret;
}

static inline void
start_threads(struct device_threads *d, unsigned int nb)
{
	d->nb = nb;
	for (unsigned int i = 0; i < nb; i++)
		assert_int_equal(pthread_create(&d->thread[i], NULL, device_thread,
						(void *)(uintptr_t)i),
				 0);
	h.threads = true;
}

static inline void
stop_threads(struct device_threads *d)
{
	void *ret;

	accel_model_stop(h.model);
	for (unsigned int i = 0; i < d->nb; i++) {
		pthread_join(d->thread[i], &ret);
		assert_null(ret);
	}
	h.threads = false;
}

#endif /* UNIT_MODEL_THREADS_H */
