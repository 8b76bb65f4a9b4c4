/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What each virtual function is given (manual 4.5), and what it asks for (4.8). The daemon is the
 * host of the physical function, unless a client has that one.
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
 * Change the share of virtual function @p vf, which the card has. Only what the text names changes:
 * any of SHARE_KEYS, of which one is needed. The text is changed, too.
 *
 * @param queue_pairs the most that one function can have.
 * @param why receives the reason if it is refused; SHARE_TEXT_MAX bytes.
 * @return 0 or -EINVAL.
 */
int share_change(struct accel_model *model, unsigned int vf, unsigned int queue_pairs, char *text,
		 char *why);

/** Print the share of a function, and what is in effect, to SHARE_TEXT_MAX bytes: a line. */
void share_print(struct accel_model *model, unsigned int vf, unsigned int queue_pairs, char *to);

/** Print what a function asks for, likewise; nothing if no request waits. */
void share_print_request(struct accel_model *model, unsigned int vf, char *to);

/** Answer the request that waits. @param how a word, "granted" or "refused". @return 0; -EINVAL: it
 * is none of them; -ENOENT: no request waits. */
int share_answer(struct accel_model *model, unsigned int vf, const char *how);

#endif /* ACCEL_DEVICE_SHARE_H */
