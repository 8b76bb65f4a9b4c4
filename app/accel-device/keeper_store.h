/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * This is the keeper's side of the descriptor store. It reads the datagrams of the child, and holds
 * the descriptors for the next child. The child is not trusted.
 */
#ifndef ACCEL_DEVICE_KEEPER_STORE_H
#define ACCEL_DEVICE_KEEPER_STORE_H

#include <stdbool.h>
#include <sys/types.h>

#define KEEPER_FDS 4096u /* most descriptors that are stored */
#define KEEPER_NAME 64u

struct keeper_store {
	int fd; /* the socket */
	char address[64]; /* for NOTIFY_SOCKET */
	struct {
		char name[KEEPER_NAME];
		int fd;
	} kept[KEEPER_FDS];
	unsigned int nb;
	bool ready; /* the child has said that it is ready */
};

/** Make the socket. @return 0 or -errno. */
int keeper_store_open(struct keeper_store *store);
/** Carry out what the child has sent so far, without waiting. */
void keeper_store_read(struct keeper_store *store, pid_t child);
/**
 * Carry out what the child has sent so far, and then wait for the child if it has ended. The wait
 * comes last, because afterwards the kernel no longer says who has sent a datagram.
 *
 * @return true if the child has ended. @p status then receives its status, as waitpid() gives it.
 */
bool keeper_store_end(struct keeper_store *store, pid_t child, int *status);
/** Put the descriptors in their places and describe them in the environment. Call this in the
 * child. @return 0 or -errno. */
int keeper_store_hand_over(struct keeper_store *store);

#endif /* ACCEL_DEVICE_KEEPER_STORE_H */
