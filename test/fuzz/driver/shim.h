/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the driver is compiled with for its fuzz targets (-include): a clock that moves when the
 * target says so, no threads, locks of processes that die by a jump, and memory of queue pairs
 * from the C library, where the sanitizer guards it. world.c has the functions, and replaces
 * rte_malloc() and its kin for the whole program.
 */
#ifndef FUZZ_SHIM_H
#define FUZZ_SHIM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_memzone.h>

uint64_t fuzz_clock(void);
void fuzz_sleep(unsigned int us);
const struct rte_memzone *fuzz_zone_reserve(const char *name, size_t len, int socket_id,
					    unsigned int flags, unsigned int align);
int fuzz_zone_free(const struct rte_memzone *mz);
int fuzz_lock(pthread_mutex_t *mutex);
int fuzz_trylock(pthread_mutex_t *mutex);
int fuzz_unlock(pthread_mutex_t *mutex);

#define FUZZ_HZ UINT64_C(1000000000)

#define rte_get_tsc_cycles fuzz_clock
#define rte_get_timer_cycles fuzz_clock
#define rte_get_tsc_hz() FUZZ_HZ
#define rte_get_timer_hz() FUZZ_HZ
#define rte_delay_us_sleep fuzz_sleep
#define rte_memzone_reserve_aligned fuzz_zone_reserve
#define rte_memzone_free fuzz_zone_free
#define pthread_mutex_lock fuzz_lock
#define pthread_mutex_trylock fuzz_trylock
#define pthread_mutex_unlock fuzz_unlock

/* What another thread would do (accel_heal.c) is done at once by the thread that creates it. */
#define rte_ctrl_thread_create(id, name, attr, fn, arg)                                            \
	((void)(id), (void)(name), (void)(attr), (void)(fn)(arg), 0)
#define rte_thread_create_internal_control(id, name, fn, arg)                                      \
	((void)(id), (void)(name), (void)(fn)(arg), 0)
#define pthread_join(id, value) ((void)(id), (void)(value), 0)
#define rte_thread_join(id, value) ((void)(id), (void)(value), 0)

#endif /* FUZZ_SHIM_H */
