/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the wrapper that the linker puts around a function of the model, for notify.c. This file
 * knows the model's own types and not QEMU's, since the two have names in common.
 */
#include "notify.h"
#include "queue/queue_report.h"

/* The wrapper has the type of the real function, so the compiler refuses a wrapper that is out of
 * date. */
__typeof__(queue_write_back) __real_queue_write_back, __wrap_queue_write_back;

bool
__wrap_queue_write_back(struct worker *w, struct queue *q, uint32_t status)
{
	const bool has_news = q->unreported > 0;
	const bool written = __real_queue_write_back(w, q, status);

	if (written && has_news)
		notify_completion(q->port->fn->index);
	return written;
}
