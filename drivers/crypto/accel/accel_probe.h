/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Probe and remove, the part that transports share: a cryptodev for a function whose BAR0 is mapped
 * (primary process), the same cryptodev in another process (secondary), and its end in either.
 */
#ifndef ACCEL_PROBE_H
#define ACCEL_PROBE_H

#include "accel_args.h"
#include "accel_transport.h"

/* What a transport found. */
struct accel_found {
	const char *name; /* of the cryptodev */
	struct rte_device *device;
	int socket_id; /* of the shared data, -1: any; primary only */
	uint8_t *bar; /* BAR0 in this process; NULL: none */
	size_t bar_size;
	const struct accel_transport *transport;
	void *transport_data;
	const struct accel_args *args; /* primary only */
};

/**
 * Make the cryptodev: in the primary, take the function over; in a secondary, find what the primary
 * made of it.
 *
 * @param cryptodev receives it.
 * @return 0; -ENODEV, -EINVAL, -ENOTSUP, -ETIMEDOUT, -ENOMEM as accel_dev_init(); a secondary that
 *   cannot share it: -ENODEV unknown to the primary or in another order, -ENOTSUP another build or
 *   BAR0 elsewhere. One log line says what and what to do.
 */
int accel_probe(const struct accel_found *found, struct rte_cryptodev **cryptodev);

/**
 * Whether accel_remove() may be called. The callback of an error event goes on with the memory of
 * its queue pair when it returns.
 *
 * @return 0; -EAGAIN, with a log line, while such a callback is under way in this process.
 */
int accel_remove_check(const struct rte_cryptodev *cryptodev);

/**
 * Undo accel_probe(), after accel_remove_check() has returned 0. The primary stops the function
 * for all processes, a secondary only forgets it.
 */
void accel_remove(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_PROBE_H */
