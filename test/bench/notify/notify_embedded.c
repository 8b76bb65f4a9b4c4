/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Announcements of the embedded device: the linker wraps the model's function that writes pointers
 * back, and the wrapper writes to an eventfd. This file knows the model and not the driver, since
 * the two have types of the same name.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>

#include "notify.h"
#include "queue/queue_report.h"

const char notify_what[] =
	"a write to an eventfd by the device's thread for each completion; no interrupt";

static int fd = -1;
static uint32_t enabled; /* shared with the device's thread */

/* With the type of the real function, the compiler finds a wrapper that is out of date. */
__typeof__(queue_write_back) __real_queue_write_back, __wrap_queue_write_back;

bool
__wrap_queue_write_back(struct worker *w, struct queue *q, uint32_t status)
{
	const bool has_news = q->unreported > 0;
	const bool written = __real_queue_write_back(w, q, status);

	if (written && has_news && load32(&enabled) != 0)
		eventfd_write(fd, 1);
	return written;
}

int
notify_open(uint8_t dev_id)
{
	(void)dev_id; /* there is one */
	fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (fd < 0)
		fprintf(stderr, "eventfd: %s\n", strerror(errno));
	return fd < 0 ? -errno : fd;
}

int
notify_enable(bool on)
{
	store32(&enabled, on);
	return 0;
}
