/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The keeper is a process that starts the daemon as its child, holds the descriptors that the child
 * stores, and starts the child again after a crash. It speaks the protocols of systemd's descriptor
 * store (store.h), so the child need not know whether systemd or the keeper has started it.
 *
 * The child is executed anew each time, and not only forked. Otherwise all children would have
 * their memory at the same addresses, and a guest could try them out one by one.
 */
#ifndef ACCEL_DEVICE_KEEPER_H
#define ACCEL_DEVICE_KEEPER_H

#include <stdbool.h>

/** Return true if the parent of this process is a keeper. A second call returns false, because the
 * first one removes the keeper's sign from the environment. */
bool keeper_is_parent(void);

/**
 * Run the daemon with these arguments, and start it again after a crash, until it ends in another
 * way. Signals that end the daemon are passed on to it.
 *
 * @return exit code of the process.
 */
int keeper_run(char **argv);

/* This is the exit code if the daemon crashes again and again before it serves. */
#define KEEPER_GIVES_UP 1

#endif /* ACCEL_DEVICE_KEEPER_H */
