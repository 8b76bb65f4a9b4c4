/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Opens what the daemon leaves to the process after it. Systemd or the keeper (keeper.h) holds it
 * in between.
 */
#ifndef ACCEL_DEVICE_KEPT_H
#define ACCEL_DEVICE_KEPT_H

#include "args.h"
#include "vfio_user.h"

/**
 * Open the descriptor store that the environment names, and the state in it. If the environment
 * names none, both are NULL, and connections end with the process. They also do after a failure,
 * which is logged.
 *
 * @param nb number of functions that are served.
 */
void kept_open(const struct args *args, unsigned int nb, struct vfio_user_store **store,
	       struct vfio_user_state **state);

#endif /* ACCEL_DEVICE_KEPT_H */
