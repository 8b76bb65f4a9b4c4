/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The JSON text of the VERSION message, which names capabilities.
 */
#ifndef VFIO_USER_CAPS_H
#define VFIO_USER_CAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cap {
	CAP_MAX_MSG_FDS,
	CAP_MAX_DATA_XFER_SIZE,
	CAP_MAX_DMA_MAPS,
	CAP_PGSIZES,
	CAP_NB,
};

struct caps {
	bool named[CAP_NB];
	uint64_t value[CAP_NB];
};

/**
 * Read the capabilities out of @p len bytes of JSON text, without its NUL. Unknown members are
 * skipped if they are valid JSON.
 *
 * @return 0; -EINVAL if the text is not an object, or a known capability is not a number of 64
 *   bits.
 */
int caps_parse(const char *text, size_t len, struct caps *caps);

/**
 * Write the capabilities of @p ours that @p named names, as JSON text.
 *
 * @return the length of the text without the NUL; -ENOSPC if it does not fit.
 */
int caps_write(char *to, size_t room, const struct caps *ours, const struct caps *named);

#endif /* VFIO_USER_CAPS_H */
