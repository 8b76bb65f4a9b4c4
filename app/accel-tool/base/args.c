/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles the command line of all subcommands: it finds the EAL's arguments and the options, prints
 * help and messages, and starts the EAL. See tool.h.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>

#include "output.h"
#include "tool.h"

#define EXIT_CODES                                                                                 \
	"Exit codes: 0 good, 1 bad verdict, 2 wrong usage, 3 no such device, VF or socket,\n"      \
	"4 it could not go on, 5 what it should test has not come up.\n"

enum {
	KEY_JSON = 256,
	KEY_DEVICE,
	KEY_HTML,
	KEY_HELP,
};

static const struct tool_option shared[] = {
	{ "device", "NAME", "the device: its name or number (default: the first accel)",
	  KEY_DEVICE },
	{ "json", NULL, "print JSON instead of a table", KEY_JSON },
	{ "html", "FILE", "also write a page with drawings and tables", KEY_HTML },
	{ "help", NULL, "print this help, as -h does", KEY_HELP },
	{ NULL, NULL, NULL, 0 },
};

/* Points to the subcommand at work, for messages. */
static const struct tool_command *current;

void
tool_error(const char *format, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, TOOL_NAME "%s%s: ", current != NULL ? " " : "",
		current != NULL ? current->name : "");
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int
tool_usage(const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	tool_error("%s; see " TOOL_NAME "%s%s --help", text, current != NULL ? " " : "",
		   current != NULL ? current->name : "");
	return TOOL_USAGE;
}

bool
tool_real(const char *what, const char *text, double min, double max, double *to)
{
	char *end;

	errno = 0;
	*to = strtod(text, &end);
	if (errno == 0 && end != text && *end == '\0' && isfinite(*to) && *to >= min && *to <= max)
		return true;
	tool_usage("--%s takes a number from %g to %g, not '%s'", what, min, max, text);
	return false;
}

bool
tool_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *to)
{
	static const char units[] = "kMG";
	uint64_t factor = 1;
	const char *unit;
	char *end;

	errno = 0;
	*to = strtoull(text, &end, 0);
	if (errno == 0 && end != text && *end != '\0' && end[1] == '\0' &&
			(unit = strchr(units, *end)) != NULL) {
		for (; unit >= units; unit--)
			factor *= 1000;
		end++;
	}
	if (errno == 0 && end != text && *end == '\0' && text[0] >= '0' && text[0] <= '9' &&
			*to <= UINT64_MAX / factor) {
		*to *= factor;
		if (*to >= min && *to <= max)
			return true;
	}
	tool_usage("--%s takes a number from %llu to %llu, not '%s'", what,
		   (unsigned long long)min, (unsigned long long)max, text);
	return false;
}

/* ------------------------------------------------------------------ help */

/* True if the subcommand has this shared option. */
static bool
has_option(const struct tool_command *c, const struct tool_option *o)
{
	return (o->key != KEY_DEVICE || c->eal) && (o->key != KEY_HTML || c->html);
}

static void
help_options(const struct tool_option *o, const struct tool_command *c)
{
	char left[64];

	for (; o->name != NULL; o++) {
		if (!has_option(c, o))
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", o->name, o->value != NULL ? " " : "",
			 o->value != NULL ? o->value : "");
		printf("  %-26s %s\n", left, o->help);
	}
}

void
tool_help_command(const struct tool_command *c)
{
	printf("usage: " TOOL_NAME " %s%s [OPTION...]%s%s\n%s.\n", c->name,
	       c->eal ? " [EAL-ARGUMENT...]" : "", c->words != NULL ? " " : "",
	       c->words != NULL ? c->words : "", c->what);
	if (c->eal)
		printf("Arguments that are not below are those of DPDK's EAL: --vdev crypto_accel0 "
		       "for the\nembedded device, -a BDF for a function that vfio-pci has, "
		       "--no-huge -m 512, and others.\nA '--' ends those of the EAL.\n");
	printf("\nOptions:\n");
	if (c->options != NULL)
		help_options(c->options, c);
	help_options(shared, c);
	if (c->examples != NULL)
		printf("\nExamples:\n%s", c->examples);
	printf("\n" EXIT_CODES);
}

void
tool_help(const struct tool_command *const *commands)
{
	unsigned int i;

	printf("usage: " TOOL_NAME " COMMAND [EAL-ARGUMENT...] [OPTION...]\n"
	       "       " TOOL_NAME " EAL-ARGUMENT... -- COMMAND [OPTION...]\n"
	       "For operators of a crypto_accel card.\n\nCommands:\n");
	for (i = 0; commands[i] != NULL; i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->what);
	printf("\n  --help     print this help; COMMAND --help has its options and examples\n"
	       "  --version  print the version\n\n"
	       EXIT_CODES);
}

/* ------------------------------------------------------------------ options */

/* True if the page of --html can be written. This is asked before a long run, not after it. */
static bool
can_write(const char *path)
{
	const int ret = output_check(path);

	if (ret != 0)
		tool_usage("--html cannot write '%s': %s", path, output_why(ret));
	return ret == 0;
}

/* Returns the option that an argument names, "--NAME" or "--NAME=VALUE", or NULL. */
static const struct tool_option *
lookup(const struct tool_command *c, const char *arg)
{
	const struct tool_option *lists[2] = { c->options, shared }, *o;
	size_t n;
	int i;

	if (strcmp(arg, "-h") == 0)
		arg = "--help";
	if (strncmp(arg, "--", 2) != 0)
		return NULL;
	n = strcspn(arg + 2, "=");
	for (i = 0; i < 2; i++) {
		for (o = lists[i]; o != NULL && o->name != NULL; o++) {
			if (!has_option(c, o))
				continue;
			if (strlen(o->name) == n && strncmp(o->name, arg + 2, n) == 0)
				return o;
		}
	}
	return NULL;
}

int
tool_split(struct tool_args *args, const struct tool_command *command, int argc, char **argv)
{
	const struct tool_option *o;
	bool mine = !command->eal;
	int i;

	current = command;
	memset(args, 0, sizeof(*args));
	args->command = command;
	args->argc = argc;
	args->argv = argv;
	args->eal = calloc((size_t)argc + 6, sizeof(char *));
	args->own = calloc((size_t)argc + 1, sizeof(char *));
	if (args->eal == NULL || args->own == NULL) {
		tool_error("no memory");
		return TOOL_BROKEN;
	}
	args->eal[args->nb_eal++] = argv[0];
	for (i = 2; i < argc; i++) {
		if (!mine && strcmp(argv[i], "--") == 0) {
			mine = true;
			continue;
		}
		o = mine ? NULL : lookup(command, argv[i]);
		if (!mine && o == NULL) {
			args->eal[args->nb_eal++] = argv[i];
			continue;
		}
		args->own[args->nb_own++] = argv[i];
		/* The next argument is the option's value. */
		if (o != NULL && o->value != NULL && strchr(argv[i], '=') == NULL && i + 1 < argc)
			args->own[args->nb_own++] = argv[++i];
	}
	return TOOL_GOOD;
}

/* Gets the value of the option whose argument is args->own[args->at]. Returns false after a
 * message. */
static bool
value_of(struct tool_args *args, const struct tool_option *o, const char **value)
{
	const char *equals = strchr(args->own[args->at], '=');

	args->at++;
	*value = NULL;
	if (o->value == NULL) {
		if (equals != NULL)
			tool_usage("--%s takes no value", o->name);
		return equals == NULL;
	}
	if (equals != NULL)
		*value = equals + 1;
	else if (args->at < args->nb_own)
		*value = args->own[args->at++];
	if (*value == NULL || **value == '\0')
		tool_usage("--%s takes a value: %s", o->name, o->value);
	return *value != NULL && **value != '\0';
}

int
tool_next(struct tool_args *args, const char **value)
{
	const struct tool_option *o;

	while (args->at < args->nb_own) {
		const char *arg = args->own[args->at];

		if (arg[0] != '-' && args->command->words != NULL) {
			args->at++;
			*value = arg;
			return TOOL_WORD;
		}
		o = lookup(args->command, arg);
		if (o == NULL) {
			tool_usage(arg[0] == '-' ? "there is no option '%s'" :
				   "'%s' is not expected here", arg);
			return TOOL_WRONG;
		}
		if (!value_of(args, o, value))
			return TOOL_WRONG;
		if (o->key == KEY_JSON)
			args->json = true;
		else if (o->key == KEY_DEVICE)
			args->device = *value;
		else if (o->key == KEY_HTML)
			args->html = *value;
		else if (o->key != KEY_HELP)
			return o->key;
		if (o->key == KEY_HTML && !can_write(args->html))
			return TOOL_WRONG;
	}
	return TOOL_END;
}

/* ------------------------------------------------------------------ the EAL */

bool
tool_given(const struct tool_args *args, const char *option)
{
	const size_t n = strlen(option);
	int i;

	for (i = 1; i < args->nb_eal; i++) {
		if (strncmp(args->eal[i], option, n) == 0)
			return true;
	}
	return false;
}

/* True if the kernel has free huge pages of any size. */
static bool
huge_pages(void)
{
	static const char *const files[] = {
		"/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages",
		"/sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages",
		"/sys/kernel/mm/hugepages/hugepages-524288kB/free_hugepages",
	};
	char line[32];
	unsigned int i;
	bool some = false;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		FILE *file = fopen(files[i], "r");

		/* The file has one number. */
		if (file != NULL && fgets(line, sizeof(line), file) != NULL)
			some |= strtoul(line, NULL, 10) != 0;
		if (file != NULL)
			fclose(file);
	}
	return some;
}

/* Returns the first CPU that this process may use. */
static int
first_cpu(void)
{
	cpu_set_t set;
	int cpu;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return -1;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &set))
			return cpu;
	}
	return -1;
}

/* With --json, this is the former stdout, else NULL. */
static FILE *answer;

FILE *
tool_answer(void)
{
	return answer != NULL ? answer : stdout;
}

/* Starts the EAL without its output to stdout. The EAL prints its usage there if an argument is
 * wrong, and this page would hide the reason. */
static int
start_silently(struct tool_args *args)
{
	FILE *null = fopen("/dev/null", "we");
	int out = dup(STDOUT_FILENO), ret;

	fflush(stdout);
	if (null != NULL && out >= 0)
		dup2(fileno(null), STDOUT_FILENO);
	ret = rte_eal_init(args->nb_eal, args->eal);
	fflush(stdout);
	if (args->json)
		answer = out >= 0 ? fdopen(out, "w") : NULL;
	if (null != NULL && out >= 0)
		dup2(args->json ? STDERR_FILENO : out, STDOUT_FILENO);
	if (null != NULL)
		fclose(null);
	if (!args->json && out >= 0)
		close(out);
	return ret;
}

int
tool_start(struct tool_args *args)
{
	static char quiet[] = "--log-level=lib.*:warning";
	static char telemetry[] = "--log-level=lib.telemetry:error", lcores[] = "--lcores";
	static char where[24];
	int cpu = first_cpu(), used;

	/* One lcore is enough. By default the EAL takes all CPUs, and leaves none for a device. */
	if (cpu >= 0 && !tool_given(args, "-l") && !tool_given(args, "-c") &&
			!tool_given(args, "--lcores")) {
		snprintf(where, sizeof(where), "0@%d", cpu);
		args->eal[args->nb_eal++] = lcores;
		args->eal[args->nb_eal++] = where;
	}
	/* Lines about memory and CPUs would be in the way of the answer. */
	if (!tool_given(args, "--log-level")) {
		args->eal[args->nb_eal++] = telemetry; /* the first pattern that matches counts */
		args->eal[args->nb_eal++] = quiet;
	}
	args->eal[args->nb_eal] = NULL;
	used = start_silently(args);
	/* The EAL has moved words that belong to none of its options behind them. */
	if (used >= 0 && used + 1 < args->nb_eal) {
		tool_usage("'%s' is not expected here", args->eal[used + 1]);
		rte_eal_cleanup();
		return TOOL_USAGE;
	}
	if (used >= 0)
		return TOOL_GOOD;
	if (rte_errno != EINVAL && !tool_given(args, "--no-huge") && !huge_pages())
		tool_error("the EAL does not start, because there are no free huge pages; add "
			   "--no-huge -m 512, or raise nr_hugepages");
	else
		tool_error("the EAL does not start (%s); its lines above say why. Options of %s "
			   "are in '" TOOL_NAME " %s --help'", rte_strerror(rte_errno),
			   args->command->name, args->command->name);
	return rte_errno == EINVAL ? TOOL_USAGE : TOOL_ABSENT;
}
