/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Controls the terminal of a live view, see terminal.h.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

/* These codes switch to the alternate screen without a cursor, and back. */
#define ENTER "\033[?1049h\033[?25l\033[2J"
#define LEAVE "\033[?25h\033[?1049l"

volatile sig_atomic_t terminal_stop;
static volatile sig_atomic_t resized;
static volatile sig_atomic_t suspended;
static int entered;
static int keys; /* 1: keys are read from stdin */
static int raw_mode; /* 1: saved has what stdin was before */
static struct termios saved;

static void
on_stop(int signal)
{
	(void)signal;
	terminal_stop = 1;
}

static void
on_resize(int signal)
{
	(void)signal;
	resized = 1;
}

static void
on_suspend(int signal)
{
	(void)signal;
	suspended = 1;
}

/* Installs a handler. Without SA_RESTART in flags the signal ends any wait, also a wait for a
 * terminal that takes no more output. With SA_RESTART it ends ppoll() alone, and does not cut off
 * what is being printed. */
static void
handle(int signal, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
}

void
terminal_signals(void)
{
	handle(SIGINT, on_stop, 0);
	handle(SIGTERM, on_stop, 0);
	handle(SIGHUP, on_stop, 0);
	handle(SIGQUIT, on_stop, 0);
	handle(SIGPIPE, SIG_IGN, 0);
}

int
terminal_usable(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' &&
		strcmp(term, "dumb") != 0;
}

/* Writes escape codes at once, after what is in the buffer of stdout. */
static void
put(const char *codes)
{
	fflush(stdout);
	while (write(STDOUT_FILENO, codes, strlen(codes)) < 0 && errno == EINTR)
		;
}

void
terminal_enter(void)
{
	struct termios raw;

	handle(SIGWINCH, on_resize, SA_RESTART);
	handle(SIGTSTP, on_suspend, SA_RESTART);
	keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &saved) == 0;
	raw_mode = keys;
	if (keys) {
		raw = saved;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VMIN] = 0;
		raw.c_cc[VTIME] = 0;
		tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	}
	put(ENTER);
	entered = 1;
}

void
terminal_leave(void)
{
	if (!entered)
		return;
	put(LEAVE);
	if (raw_mode)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
	handle(SIGTSTP, SIG_DFL, 0);
	entered = 0;
}

void
terminal_size(unsigned int *columns, unsigned int *rows)
{
	struct winsize size;

	*columns = 80;
	*rows = 24;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
		*columns = size.ws_col;
		*rows = size.ws_row;
	}
}

/* Sleeps in the background until the shell continues the program. */
static void
suspend(void)
{
	suspended = 0;
	terminal_leave();
	raise(SIGTSTP);
	terminal_enter();
}

/* Returns the time that is left as a timespec, 0 if it is over. */
static struct timespec
time_left(uint64_t until_ns)
{
	struct timespec now, left = { 0 };
	uint64_t now_ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	now_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	if (until_ns > now_ns) {
		left.tv_sec = (time_t)((until_ns - now_ns) / 1000000000u);
		left.tv_nsec = (long)((until_ns - now_ns) % 1000000000u);
	}
	return left;
}

/* Reads a key. Returns 1 if it ends the program. */
static int
read_key(void)
{
	char key;

	if (read(STDIN_FILENO, &key, 1) == 1)
		return key == 'q' || key == 'Q';
	keys = 0; /* stdin has ended */
	return 0;
}

/* Waits for a time, a key or a signal. Signals are blocked except during ppoll(), so that none is
 * missed. Returns 1 if there is a key. */
static int
wait_once(uint64_t until_ns, int *over)
{
	struct pollfd pollfd = { .fd = entered && keys ? STDIN_FILENO : -1, .events = POLLIN };
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP };
	struct timespec left;
	sigset_t blocked, old;
	int ret = 0;

	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&blocked, signals[i]);
	sigprocmask(SIG_BLOCK, &blocked, &old);
	if (!terminal_stop && !resized && !suspended) {
		left = time_left(until_ns);
		ret = ppoll(&pollfd, 1, &left, &old);
		*over = ret == 0;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return ret > 0;
}

enum terminal_event
terminal_wait(uint64_t until_ns)
{
	int over = 0;

	while (!over) {
		if (wait_once(until_ns, &over) && read_key())
			return TERMINAL_STOP;
		if (terminal_stop)
			return TERMINAL_STOP;
		if (suspended) {
			suspend();
			return TERMINAL_REDRAW;
		}
		if (resized) {
			resized = 0;
			return TERMINAL_REDRAW;
		}
	}
	return TERMINAL_TIME;
}
