/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares what all subcommands of dpdk-accel-tool share: exit codes, messages and the command
 * line. A subcommand is a struct tool_command in a file of its own (commands.h lists them). It
 * takes its options with tool_next() and then, if it works on a device of its own, starts the EAL
 * with tool_start().
 */
#ifndef TOOL_H
#define TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TOOL_NAME "dpdk-accel-tool"

/** Exit codes. The man page has them, too. */
enum tool_exit {
	TOOL_GOOD = 0, /**< the subcommand did its work, and its verdict is good */
	TOOL_BAD = 1, /**< the subcommand did its work, and its verdict is bad */
	TOOL_USAGE = 2, /**< wrong command line; nothing was started */
	TOOL_ABSENT = 3, /**< something is not there: EAL, device, VF, socket, file */
	TOOL_BROKEN = 4, /**< the subcommand could not go on: no memory, a device does not start */
	TOOL_UNTESTED = 5, /**< all is well, but what should be tested did not happen */
};

/** Describes an option. All options are long ones. */
struct tool_option {
	const char *name; /**< without "--"; NULL ends a list */
	const char *value; /**< name of its value in the help, NULL if it takes none */
	const char *help; /**< one line of at most 60 characters */
	int key; /**< what tool_next() returns, from 1 to 255 */
};

struct tool_args;

/** Describes a subcommand. */
struct tool_command {
	const char *name;
	const char *what; /**< one line */
	bool eal; /**< the subcommand starts the EAL with the arguments that are not its own */
	const char *words; /**< help text for words that are taken besides options; NULL: none */
	bool html; /**< the subcommand takes --html and ends with tool_report() */
	const struct tool_option *options; /**< besides --json, --device (with eal) and --help */
	const char *examples; /**< whole lines */
	int (*run)(struct tool_args *args); /**< returns an enum tool_exit */
};

/** Holds the command line of a subcommand. */
struct tool_args {
	const struct tool_command *command;
	int argc; /**< the whole command line, as it was given */
	char **argv;
	char **eal; /**< arguments of the EAL, beginning with the program's name */
	int nb_eal;
	char **own; /**< arguments of the subcommand */
	int nb_own, at;
	bool json; /**< --json was given */
	const char *device; /**< value of --device, or NULL */
	const char *html; /**< value of --html, or NULL */
	bool unread; /**< the reader of stdout has gone, which is no error */
};

/** Lists what tool_next() returns besides the keys of options. */
enum {
	TOOL_END = -1, /**< there are no more arguments */
	TOOL_WRONG = -2, /**< an argument is wrong and a message was printed; return TOOL_USAGE */
	TOOL_WORD = -3, /**< a word that is not an option, if the command takes words */
};

/**
 * Get the next option of a subcommand. The function takes --json, --device, --html and --help
 * itself.
 *
 * @param value
 *   Set to the value of the option, or to the word. The text lives as long as the program.
 * @return
 *   The key of the option, or TOOL_END, TOOL_WRONG or TOOL_WORD.
 */
int tool_next(struct tool_args *args, const char **value);

/**
 * Start the EAL with the arguments that are not the subcommand's. With --json, all that libraries
 * and subcommands print to stdout from now on goes to stderr. The answer alone goes to stdout.
 *
 * @return
 *   TOOL_GOOD, or TOOL_ABSENT after a message.
 */
int tool_start(struct tool_args *args);

/** Return the file to which the answer goes. It is the program's stdout, also after tool_start()
 * has redirected that. */
FILE *tool_answer(void);
/** True if one of the EAL's arguments begins with @p option. */
bool tool_given(const struct tool_args *args, const char *option);

/** Print "dpdk-accel-tool COMMAND: " and the message to stderr. */
void tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Print what tool_error() does, and where the help is. Returns TOOL_USAGE. */
int tool_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * Read a number with an optional k, M or G (1000, 1000000, 1000000000) after it.
 *
 * @param what
 *   The option, for the message.
 * @return
 *   True if the number is from min to max. Else a message was printed.
 */
bool tool_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *to);
/** Read a number with an optional fraction, such as seconds. */
bool tool_real(const char *what, const char *text, double min, double max, double *to);

/** Print the help of the program to stdout. A NULL ends the list of its subcommands. */
void tool_help(const struct tool_command *const *commands);
/** Print the help of a subcommand to stdout. */
void tool_help_command(const struct tool_command *command);

/** Split the command line. Returns TOOL_GOOD or TOOL_USAGE (after a message). */
int tool_split(struct tool_args *args, const struct tool_command *command, int argc, char **argv);

#endif /* TOOL_H */
