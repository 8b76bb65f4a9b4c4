/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * dpdk-accel-tool is the program for operators of a crypto_accel card, with a subcommand for each
 * task. It uses the public API of DPDK and rte_pmd_accel.h, and nothing else of the driver.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <openssl/crypto.h>

#include "commands.h"
#include "std_descriptors.h"

/* Lists the subcommands in the order of the help. */
static const struct tool_command *const commands[] = {
	&tool_info,
	&tool_loopback,
	&tool_latency,
	&tool_stages,
	&tool_fault,
	&tool_share,
	&tool_top,
	&tool_dump,
	NULL,
};

static const struct tool_command *
find(const char *name)
{
	unsigned int i;

	for (i = 0; commands[i] != NULL; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

static bool
is(const char *text, const char *other)
{
	return text != NULL && strcmp(text, other) == 0;
}

/* Moves the subcommand of "EAL-ARGUMENT... -- COMMAND OPTION...", the order of DPDK's own programs,
 * to the front. */
static void
command_first(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			char *command = argv[i + 1];

			memmove(argv + 2, argv + 1, (size_t)i * sizeof(*argv));
			argv[1] = command;
			return;
		}
	}
}

/* Returns the exit code. An answer or verdict that could not be written is an error. With --json
 * and the EAL the answer does not go through stdout, and tool_print() has checked that it was
 * written. */
static int
finish(const struct tool_args *args, int ret)
{
	const char *why = "a write before failed; is the disk full?";

	if (args->unread || (args->json && args->command->eal))
		return ret;
	if (fflush(stdout) != 0)
		why = strerror(errno);
	else if (!ferror(stdout))
		return ret;
	if (ret != TOOL_GOOD && ret != TOOL_UNTESTED)
		return ret;
	tool_error("cannot write the answer to stdout: %s", why);
	return TOOL_BROKEN;
}

static int
run(int argc, char **argv, struct tool_args *args)
{
	const struct tool_command *command;
	int ret;

	/* OpenSSL says what is right, so no provider of OPENSSL_CONF may take its place. */
	OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
	if (argc > 1 && argv[1][0] == '-' && !is(argv[1], "-h"))
		command_first(argc, argv);
	if (argc < 2)
		return tool_usage("no subcommand");
	if (is(argv[1], "--help") || is(argv[1], "-h") || is(argv[1], "help")) {
		command = argc > 2 ? find(argv[2]) : NULL;
		if (argc > 2 && command == NULL)
			return tool_usage("there is no subcommand '%s'", argv[2]);
		if (command != NULL)
			tool_help_command(command);
		else
			tool_help(commands);
		return TOOL_GOOD;
	}
	if (is(argv[1], "--version")) {
		printf(TOOL_NAME " " TOOL_VERSION "\n");
		return TOOL_GOOD;
	}
	command = find(argv[1]);
	if (command == NULL && argv[1][0] == '-')
		return tool_usage("a subcommand comes first, not '%s'", argv[1]);
	if (command == NULL)
		return tool_usage("there is no subcommand '%s'", argv[1]);
	ret = tool_split(args, command, argc, argv);
	if (ret != TOOL_GOOD)
		return ret;
	for (int i = 0; i < args->nb_own; i++) {
		if (is(args->own[i], "--help") || is(args->own[i], "-h")) {
			tool_help_command(command);
			return TOOL_GOOD;
		}
	}
	return command->run(args);
}

int
main(int argc, char **argv)
{
	static struct tool_args args; /* it lives as long as the program */

	if (!std_descriptors_open())
		return TOOL_BROKEN;
	return finish(&args, run(argc, argv, &args));
}
