/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Threads that run the workers of the card in model_card.h.
 */
#include "model_base/model_threads.h"

static void *
device_thread(void *arg)
{
	int ret = accel_model_worker_run(h.model, (unsigned int)(uintptr_t)arg, -1);

	return (void *)(uintptr_t)ret;
}

void
start_threads(struct device_threads *d, unsigned int nb)
{
	d->nb = nb;
	for (unsigned int i = 0; i < nb; i++)
		assert_int_equal(pthread_create(&d->thread[i], NULL, device_thread,
						(void *)(uintptr_t)i),
				 0);
	h.threads = true;
}

void
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
