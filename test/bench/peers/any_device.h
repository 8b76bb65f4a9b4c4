/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A device of any driver, for the programs that compare drivers, with a queue pair, operations
 * that have a buffer each, and a pool of sessions. Uses the public API alone. Several processes may
 * share a device: the primary one sets up a queue pair for each of them.
 */
#ifndef ANY_DEVICE_H
#define ANY_DEVICE_H

#include <stdint.h>
#include <time.h>

#include <rte_cryptodev.h>

#define ANY_IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))

struct any_device {
	uint16_t queues; /* before the start: queue pairs to set up, 0 for one */
	uint16_t queue; /* before the start: the one of this process */
	uint8_t id;
	struct rte_mempool *session_mp;
	struct rte_crypto_op **ops; /* each has m_src */
	unsigned int nb_ops;
	uint64_t given, taken; /* operations; those between them are in flight */
};

#define ANY_HANGS_S 20u /* a device from which nothing comes for so long hangs */

/** Takes what has come back. Returns how many operations, or a negative errno value. */
typedef int any_take(void *arg);
/** Gives operations if there is room for them. Returns 0 or a negative errno value. */
typedef int any_give(void *arg);

/** Starts a device. A secondary process uses it as its primary has started it.
 * @param driver its driver's name, or NULL for the first device that the EAL has
 * @param nb_ops operations, each with @p op_private bytes after it and a buffer of @p data_room
 * bytes after the headroom
 * @return 0 or a negative errno value, -ENODEV without a device */
int any_device_start(struct any_device *d, const char *driver, unsigned int nb_ops,
		     uint16_t nb_desc, uint16_t op_private, uint16_t data_room);

/** Stops the device if it was started. */
void any_device_stop(struct any_device *d);

/** Gives all buffers @p len bytes of data. */
void any_device_set_len(struct any_device *d, uint16_t len);

/** Reads a clock of clock_gettime(), in seconds. */
double any_seconds_of(clockid_t clock);

/** Calls @p take until nothing is in flight.
 * @return 0, what @p take returned, or -ETIMEDOUT if the device hangs */
int any_device_drain(const struct any_device *d, any_take *take, void *arg);

/** Gives and takes as fast as it goes for a time, and then calls @p take until nothing is in
 * flight.
 * @param took the time until then, in seconds
 * @return 0, what @p give or @p take returned, or -ETIMEDOUT if the device hangs */
int any_device_load(const struct any_device *d, any_give *give, any_take *take, void *arg,
		    double seconds, double *took);

#endif /* ANY_DEVICE_H */
