/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A device that announces completions, for accel_notify.c. The manual forbids such announcements
 * ([PCI-6]), so both devices that have them are made for this bench alone: see notify_msix.c and
 * notify_embedded.c.
 */
#ifndef NOTIFY_H
#define NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

/** What announces a completion, in one line for the user. */
extern const char notify_what[];

/** Returns an eventfd that counts announcements of device dev_id, or -errno after a message. */
int notify_open(uint8_t dev_id);

/** Lets the device announce completions, or not. Returns 0, or -errno after a message. */
int notify_enable(bool on);

#endif /* NOTIFY_H */
