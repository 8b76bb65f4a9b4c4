/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Controls the terminal of a live view, by ANSI's escape codes alone: a screen of its own, keys
 * without Enter, the size, and signals. However the view ends, terminal_leave() restores the
 * terminal.
 */
#ifndef ACCEL_TOOL_TERMINAL_H
#define ACCEL_TOOL_TERMINAL_H

#include <signal.h>
#include <stdint.h>

/** This is not 0 after SIGINT, SIGTERM, SIGHUP or SIGQUIT. */
extern volatile sig_atomic_t terminal_stop;

/** Install handlers of signals, which set terminal_stop. */
void terminal_signals(void);

/** True if stdout is a terminal that understands escape codes. */
int terminal_usable(void);

/** Begin a separate screen on stdout, and read keys without Enter if stdin is a terminal. */
void terminal_enter(void);

/** End the screen, and restore the terminal. Without terminal_enter() it does nothing. */
void terminal_leave(void);

/** Get the size of the terminal, or 80 x 24 if it does not tell. */
void terminal_size(unsigned int *columns, unsigned int *rows);

/** Says what has ended terminal_wait(). */
enum terminal_event {
	TERMINAL_TIME, /**< the time has come */
	TERMINAL_STOP, /**< a signal, or the key q: end the program */
	TERMINAL_REDRAW, /**< the size has changed, or the program is back from the background */
};

/** Wait until a time of the monotonic clock, in ns. Between terminal_enter() and terminal_leave()
 * keys and a change of the size also end the wait. */
enum terminal_event terminal_wait(uint64_t until_ns);

#endif /* ACCEL_TOOL_TERMINAL_H */
