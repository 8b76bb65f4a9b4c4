/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What each virtual function is given (manual 4.5), for a card whose physical function nobody has.
 */
#ifndef ACCEL_DEVICE_SHARE_H
#define ACCEL_DEVICE_SHARE_H

#include <stdint.h>

#include "accel_model.h"

struct share {
	uint64_t queue_pairs; /* that the function sees; 0: all */
	uint64_t peak_ops; /* operations per second, 0: no limit */
	uint64_t peak_bytes; /* source bytes per second, 0: no limit */
};

/**
 * Read "queue-pairs=N peak-ops=N peak-bytes=N", any of them, over zeros. The text is changed.
 *
 * @return 0 or -EINVAL.
 */
int share_parse(char *text, struct share *share);

/** Give it to virtual function @p vf; it takes effect at that function's next reset. 0, or -ENODEV
 * if the card has no virtual functions. */
int share_give(struct accel_model *model, unsigned int vf, const struct share *share);

#endif /* ACCEL_DEVICE_SHARE_H */
