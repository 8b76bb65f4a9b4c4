/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the daemon leaves to the process after it, if systemd or the keeper (keeper.h) holds it.
 */
#ifndef ACCEL_DEVICE_KEPT_H
#define ACCEL_DEVICE_KEPT_H

#include "args.h"
#include "vfio_user.h"

/**
 * Open the descriptor store that the environment names, and the state in it. Without a store both
 * are NULL. A failure is logged, and then clients end with the process as well.
 *
 * @param nb functions that are served.
 */
void kept_open(const struct args *args, unsigned int nb, struct vfio_user_store **store,
	       struct vfio_user_state **state);

#endif /* ACCEL_DEVICE_KEPT_H */
