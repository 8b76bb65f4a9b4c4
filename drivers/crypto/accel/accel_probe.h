/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the part of probe and remove that transports share. A primary process creates a
 * cryptodev for a function whose BAR0 is mapped. A secondary process attaches to this cryptodev.
 * Each process removes its own part.
 */
#ifndef ACCEL_PROBE_H
#define ACCEL_PROBE_H

#include <stddef.h>
#include <stdint.h>

#include <cryptodev_pmd.h>
#include <dev_driver.h>

#include "accel_args.h"
#include "accel_transport.h"

/* Describes the function that a transport has found. */
struct accel_found {
	const char *name; /* of the cryptodev */
	struct rte_device *device;
	int socket_id; /* for the shared data, -1: any; primary only */
	uint8_t *bar; /* address of BAR0 in this process; NULL: none */
	size_t bar_size;
	const struct accel_transport *transport;
	void *transport_data;
	const struct accel_args *args; /* primary only */
};

/**
 * Make the cryptodev. The primary process takes over the function; a secondary process attaches to
 * the cryptodev of the primary.
 *
 * @param cryptodev receives the cryptodev.
 * @return 0 or an error of accel_dev_init(). A secondary process gets -ENODEV if the primary does
 *   not have the device or has its devices in another order. It gets -ENOTSUP if the primary runs
 *   another build, has other driver numbers or has BAR0 at another address. One log line says what
 *   is wrong and what to do.
 */
int accel_probe(const struct accel_found *found, struct rte_cryptodev **cryptodev);

/**
 * Undo accel_probe(), after accel_check_callbacks() has returned 0. The primary process stops the
 * function for all processes.
 */
void accel_remove(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_PROBE_H */
