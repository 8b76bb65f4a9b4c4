/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The terminal of a live view, by ANSI's escape codes alone: its own screen, keys without Enter,
 * the size, and signals. Whatever ends the view, terminal_leave() gives it back as it was.
 */
#ifndef ACCEL_TOOL_TERMINAL_H
#define ACCEL_TOOL_TERMINAL_H

#include <signal.h>
#include <stdint.h>

/** Not 0 after SIGINT, SIGTERM, SIGHUP or SIGQUIT. */
extern volatile sig_atomic_t terminal_stop;

/** Take signals: from now on they set terminal_stop. */
void terminal_signals(void);

/** True if stdout is a terminal that understands escape codes. */
int terminal_usable(void);

/** Begin a screen of its own on stdout, and keys without Enter if stdin is a terminal. */
void terminal_enter(void);

/** End the screen, and restore the terminal. Without terminal_enter() it does nothing. */
void terminal_leave(void);

/** Get the size of the terminal, or 80 x 24 if it does not tell. */
void terminal_size(unsigned int *columns, unsigned int *rows);

/** What terminal_wait() has waited for. */
enum terminal_event {
	TERMINAL_TIME, /**< the time has come */
	TERMINAL_STOP, /**< a signal, or the key q: end the program */
	TERMINAL_REDRAW, /**< another size, or back from the background */
};

/** Wait until a time of the monotonic clock, in ns. Between terminal_enter() and terminal_leave()
 * also for keys and another size. */
enum terminal_event terminal_wait(uint64_t until_ns);

#endif /* ACCEL_TOOL_TERMINAL_H */
