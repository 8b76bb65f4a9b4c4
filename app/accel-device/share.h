/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sets and prints what each virtual function is given (manual 4.5), and answers what it asks for
 * (4.8). The daemon acts as the host of the physical function, unless a client has that function.
 */
#ifndef ACCEL_DEVICE_SHARE_H
#define ACCEL_DEVICE_SHARE_H

#include <stddef.h>
#include <stdint.h>

#include "accel_model.h"

#define SHARE_KEYS \
	"[queue-pairs=N] [weight=N] [peak-ops=N] [peak-bytes=N] [algorithms=all|NAME[,NAME...]]"
#define SHARE_TEXT_MAX 1024u

/**
 * Change the share of virtual function @p vf, which must exist. The text names at least one of
 * SHARE_KEYS, and only what it names changes. The function overwrites the text.
 *
 * @param queue_pairs the most that one function can have.
 * @param why receives the reason if the change is refused; SHARE_TEXT_MAX bytes.
 * @return 0 or -EINVAL.
 */
int share_change(struct accel_model *model, unsigned int vf, unsigned int queue_pairs, char *text,
		 char *why);

/** Print a line with the share of a function, and whether it is in effect. @param to has
 * SHARE_TEXT_MAX bytes. */
void share_print(struct accel_model *model, unsigned int vf, unsigned int queue_pairs, char *to);

/** Print a line with what a function asks for, or an empty text if no request waits. @param to has
 * SHARE_TEXT_MAX bytes. */
void share_print_request(struct accel_model *model, unsigned int vf, char *to);

/** Answer the request that waits. @param how a word, "granted" or "refused". @return 0; -EINVAL for
 * another word; -ENOENT if no request waits. */
int share_answer(struct accel_model *model, unsigned int vf, const char *how);

#endif /* ACCEL_DEVICE_SHARE_H */
