/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Threads that the driver makes, in a program that does not know of them.
 */

#ifndef ACCEL_THREAD_H
#define ACCEL_THREAD_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#include "accel_compat.h"

/*
 * Create a control thread that no signal of the process reaches. Otherwise a signal handler of the
 * program could run on the thread. It could keep operations waiting, or want a lock that the
 * program's threads hold. Signals that the thread itself causes are not blocked. The kernel ends a
 * process that blocks such a signal, without a word.
 *
 * @return 0 or a negative errno.
 */
static inline int
accel_thread_create(accel_thread_t *id, const char *name, accel_thread_ret_t (*fn)(void *),
		    void *arg)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
	sigset_t blocked, before;
	size_t i;
	int ret;

	sigfillset(&blocked);
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sigdelset(&blocked, own[i]);
	/* A thread begins with the signal mask of the thread that creates it. */
	if (pthread_sigmask(SIG_BLOCK, &blocked, &before) != 0)
		return -EAGAIN;
	ret = accel_thread_start(id, name, fn, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

#endif /* ACCEL_THREAD_H */
