/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The part of a device that belongs to one process: see accel_transport.h.
 */
#include <cryptodev_pmd.h>

#include "accel_transport.h"

uint8_t accel_driver_id;
struct accel_process accel_process[RTE_CRYPTO_MAX_DEVS];

void
accel_process_set(uint8_t dev_id, const struct accel_transport *transport, void *data)
{
	accel_process[dev_id].transport = transport;
	accel_process[dev_id].data = data;
}

struct rte_cryptodev *
accel_find(uint8_t dev_id)
{
	struct rte_cryptodev *cryptodev;

	if (rte_cryptodev_is_valid_dev(dev_id) == 0)
		return NULL;
	cryptodev = rte_cryptodev_pmd_get_dev(dev_id);
	return cryptodev->driver_id == accel_driver_id && cryptodev->dev_ops != NULL ? cryptodev :
										       NULL;
}
