/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What each virtual function is given (manual 4.5). The daemon sets this because no driver has the
 * physical function of its card.
 */
#ifndef ACCEL_DEVICE_SHARE_H
#define ACCEL_DEVICE_SHARE_H

#include <stdint.h>

#include "accel_model.h"

struct share {
	uint64_t queue_pairs; /* of the function, 0: all */
	uint64_t peak_ops; /* operations per second, 0: no limit */
	uint64_t peak_bytes; /* source bytes per second, 0: no limit */
};

/**
 * Parse any of "queue-pairs=N peak-ops=N peak-bytes=N". The others are set to 0. The text is
 * changed.
 *
 * @return 0 or -EINVAL.
 */
int share_parse(char *text, struct share *share);

/** Give a share to virtual function @p vf. It takes effect at the function's next reset. @return 0,
 * or -ENODEV if the card has no such virtual function. */
int share_give(struct accel_model *model, unsigned int vf, const struct share *share);

#endif /* ACCEL_DEVICE_SHARE_H */
