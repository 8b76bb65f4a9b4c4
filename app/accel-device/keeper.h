/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The keeper: a process that starts the daemon as its child, holds the descriptors that the child
 * stores, and starts the child again after a crash. It speaks the protocols of systemd's descriptor
 * store (store.h), so the child need not know which of the two it has.
 *
 * The child is executed anew each time, and not only forked. Otherwise all children would have
 * their memory at the same addresses, and a guest could try them out one by one.
 */
#ifndef ACCEL_DEVICE_KEEPER_H
#define ACCEL_DEVICE_KEEPER_H

#include <stdbool.h>

/** True if the parent of this process is a keeper. Forgets the sign of it. */
bool keeper_is_parent(void);

/**
 * Run the daemon with these arguments until it ends, other than by a crash. Signals that end the
 * daemon are passed on to it.
 *
 * @return exit code of the process.
 */
int keeper_run(char **argv);

/* Exit code when the daemon crashes again and again before it serves */
#define KEEPER_GIVES_UP 1

#endif /* ACCEL_DEVICE_KEEPER_H */
