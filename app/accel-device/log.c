/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log lines: see log.h. Lines go through a bounded queue of many writers and one reader (as
 * designed by D. Vyukov). A writer claims a slot of the queue by raising the head, fills the slot,
 * and sets the slot's turn to publish it. The reader is a thread of its own. No writer waits for
 * the reader, and the reader holds no lock while it waits for stderr.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

#define SLOTS 512u /* a power of two */
#define LINE 512u /* a pipe takes at least this many bytes in one piece (PIPE_BUF) */
#define STOP_MS 1000u /* time to write the queued lines at the end */
#define POLL_MS 50

struct line {
	size_t len;
	char text[LINE];
};

/* Positions count on and use the slots in turn. In lap n the turn of a slot is 2 n if the slot is
 * empty, and 2 n + 1 if it is filled. */
struct slot {
	uint64_t turn;
	struct line line;
};

static enum log_level highest = LOG_LEVEL_INFO;
static struct slot slots[SLOTS];
static uint64_t head; /* next position to fill */
static uint64_t tail; /* next position to write out, used by the log thread only */
static uint64_t left_out; /* lines that found all slots filled */
static sem_t filled;
static pthread_t thread;
static bool running; /* there is a log thread, and lines go through the queue */
static uint32_t stopping; /* the log thread shall end when the queue is empty */
static uint32_t giving_up; /* the log thread shall end when it would have to wait */

void
log_set_level(enum log_level level)
{
	__atomic_store_n(&highest, level, __ATOMIC_RELAXED);
}

bool
log_wanted(enum log_level level)
{
	return level <= __atomic_load_n(&highest, __ATOMIC_RELAXED);
}

/* The functions below are for the queue. */

/* Returns an empty slot and its position, or NULL if all are filled. */
static struct slot *
claim(uint64_t *position)
{
	uint64_t at = __atomic_load_n(&head, __ATOMIC_RELAXED);

	for (;;) {
		struct slot *s = &slots[at % SLOTS];
		uint64_t turn = __atomic_load_n(&s->turn, __ATOMIC_ACQUIRE);
		uint64_t empty = at / SLOTS * 2;

		if (turn < empty)
			return NULL;
		if (turn > empty) {
			at = __atomic_load_n(&head, __ATOMIC_RELAXED);
		} else if (__atomic_compare_exchange_n(&head, &at, at + 1, true, __ATOMIC_RELAXED,
						       __ATOMIC_RELAXED)) {
			*position = at;
			return s;
		}
	}
}

static void
publish(struct slot *s, uint64_t position)
{
	__atomic_store_n(&s->turn, position / SLOTS * 2 + 1, __ATOMIC_RELEASE);
	sem_post(&filled);
}

static bool
take(struct line *line)
{
	struct slot *s = &slots[tail % SLOTS];
	uint64_t full = tail / SLOTS * 2 + 1;

	if (__atomic_load_n(&s->turn, __ATOMIC_ACQUIRE) != full)
		return false;
	line->len = s->line.len;
	memcpy(line->text, s->line.text, s->line.len);
	__atomic_store_n(&s->turn, full + 1, __ATOMIC_RELEASE);
	tail++;
	return true;
}

/* The functions below are for the log thread. */

/* Waits until stderr takes a line. Returns false if the log thread shall give up. */
static bool
wait_for_room(void)
{
	struct pollfd pfd = { .fd = STDERR_FILENO, .events = POLLOUT };

	while (__atomic_load_n(&giving_up, __ATOMIC_ACQUIRE) == 0) {
		if (poll(&pfd, 1, POLL_MS) != 0)
			return true;
	}
	return false;
}

/* Makes one write() for each line, so that lines of several processes do not mix. */
static void
put(const struct line *line, bool wait)
{
	size_t done = 0;

	while (done < line->len && (!wait || wait_for_room())) {
		ssize_t n = write(STDERR_FILENO, line->text + done, line->len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR && !(wait && errno == EAGAIN))
			return; /* this error cannot be reported anywhere */
	}
}

static void
put_left_out(void)
{
	uint64_t nb = __atomic_exchange_n(&left_out, 0, __ATOMIC_RELAXED);
	struct line line;

	if (nb == 0)
		return;
	line.len = (size_t)snprintf(line.text, LINE, "accel-device: warning: log: %" PRIu64
				    " lines were left out because stderr did not take them\n", nb);
	put(&line, true);
}

static void *
write_lines(void *arg)
{
	struct line line;

	(void)arg;
	for (;;) {
		bool last = __atomic_load_n(&stopping, __ATOMIC_ACQUIRE) != 0;

		while (take(&line)) {
			put(&line, true);
			put_left_out();
		}
		put_left_out();
		if (last)
			return NULL;
		sem_wait(&filled);
	}
}

static bool
join(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (unsigned int ms = 0; ms < STOP_MS; ms++) {
		if (pthread_tryjoin_np(thread, NULL) == 0)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

int
log_start(void)
{
	int ret;

	if (running)
		return 0;
	stopping = 0;
	giving_up = 0;
	if (sem_init(&filled, 0, 0) != 0)
		return -errno;
	ret = pthread_create(&thread, NULL, write_lines, NULL);
	running = ret == 0;
	return -ret;
}

void
log_stop(void)
{
	if (!running)
		return;
	__atomic_store_n(&stopping, 1, __ATOMIC_RELEASE);
	sem_post(&filled);
	running = !join();
	if (!running)
		return;
	__atomic_store_n(&giving_up, 1, __ATOMIC_RELEASE);
	/* The thread may still be blocked by a stderr that only seemed to have room. It ends with
	 * the process. */
	running = !join();
}

/* All threads call the functions below. */

__attribute__((format(printf, 4, 0))) static void
format_line(struct line *line, enum log_level level, const char *who, const char *format,
	    va_list ap)
{
	static const char *const mark[] = { "error: ", "warning: ", "", "" };
	int used, more;

	used = snprintf(line->text, LINE, "accel-device: %s%.120s: ", mark[level], who);
	more = vsnprintf(line->text + used, LINE - (size_t)used - 1, format, ap);
	used += more < (int)LINE - used - 2 ? more : (int)LINE - used - 2;
	line->text[used++] = '\n';
	line->len = (size_t)used;
}

void
log_line(enum log_level level, const char *who, const char *format, ...)
{
	struct slot *slot;
	struct line line;
	uint64_t position;
	va_list ap;

	if (!log_wanted(level))
		return;
	va_start(ap, format);
	if (!running) {
		format_line(&line, level, who, format, ap);
		put(&line, false);
	} else if ((slot = claim(&position)) != NULL) {
		format_line(&slot->line, level, who, format, ap);
		publish(slot, position);
	} else {
		__atomic_add_fetch(&left_out, 1, __ATOMIC_RELAXED);
	}
	va_end(ap);
}
