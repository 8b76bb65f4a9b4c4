/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The part of a device that belongs to one process: see accel_transport.h.
 */
#include "accel_transport.h"

uint8_t accel_driver_id;
struct accel_process accel_process[RTE_CRYPTO_MAX_DEVS];

void
accel_process_set(uint8_t dev_id, const struct accel_transport *transport, void *data)
{
	accel_process[dev_id].transport = transport;
	accel_process[dev_id].data = data;
}
