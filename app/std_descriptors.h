/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Opens the descriptors 0 to 2 of a program that was started without them. Otherwise the first
 * files that it opens get these numbers, and a line for stderr goes into a socket or the registers
 * of a device.
 */
#ifndef STD_DESCRIPTORS_H
#define STD_DESCRIPTORS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

/**
 * Open those of the descriptors 0 to 2 that are closed. Call this before all else in main().
 *
 * Nothing can be read from or written to what is opened (EBADF, as from a closed descriptor), so a
 * program that cannot print its answer still learns of it. A program that this one starts inherits
 * them.
 *
 * @return
 *   False if one could not be opened. Nothing may be opened or printed then.
 */
static inline bool
std_descriptors_open(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* open() takes the lowest free number, and those below are taken. */
		if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return false;
	}
	return true;
}

#endif /* STD_DESCRIPTORS_H */
