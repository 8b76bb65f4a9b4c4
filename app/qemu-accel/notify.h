/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the variant of the card that announces completions, for a bench only: see notify.c.
 */
#ifndef QEMU_ACCEL_NOTIFY_H
#define QEMU_ACCEL_NOTIFY_H

/** Announce that a write-back of function @p index has covered new responses. The model's threads
 * call this. */
void notify_completion(unsigned int index);

#endif /* QEMU_ACCEL_NOTIFY_H */
