/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The keeper's side of the descriptor store: datagrams of the child, and the descriptors for the
 * next one. The child is not trusted.
 */
#ifndef ACCEL_DEVICE_KEEPER_STORE_H
#define ACCEL_DEVICE_KEEPER_STORE_H

#include <stdbool.h>
#include <sys/types.h>

#define KEEPER_FDS 4096u /* as many are stored at most */
#define KEEPER_NAME 64u

struct keeper_store {
	int fd; /* the socket */
	char address[64]; /* for NOTIFY_SOCKET */
	struct {
		char name[KEEPER_NAME];
		int fd;
	} kept[KEEPER_FDS];
	unsigned int nb;
	bool ready; /* the child has said so */
};

/** Make the socket. @return 0 or -errno. */
int keeper_store_open(struct keeper_store *store);
/** Carry out what the child has sent so far, without waiting. */
void keeper_store_read(struct keeper_store *store, pid_t child);
/**
 * The same, and wait for the child if it has ended: after its last datagrams were read, because the
 * kernel does not say who has sent them when the child is no more.
 *
 * @return true if it has ended, with its status as of waitpid().
 */
bool keeper_store_end(struct keeper_store *store, pid_t child, int *status);
/** In the child: put the descriptors in their places and describe them in the environment.
 * @return 0 or -errno. */
int keeper_store_hand_over(struct keeper_store *store);

#endif /* ACCEL_DEVICE_KEEPER_STORE_H */
