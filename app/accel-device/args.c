/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The command line: see args.h. Options that the embedded device has as devargs have the same names
 * and values. A value that cannot be parsed as a whole is an error.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "accel_hw.h"
#include "args.h"

#define QUEUE_PAIRS_DEFAULT 8u
#define IDLE_US_DEFAULT 100u
#define VFS_BEFORE_1_2 64u

struct option_row {
	const char *name;
	const char *alias; /* or NULL */
	const char *values; /* NULL: takes no value */
	const char *help;
	/* If the value is a number, these are the offset of its field, and its range. */
	size_t offset;
	uint64_t min;
	uint64_t max;
	int (*parse)(const char *value, struct args *args); /* NULL: the value is a number */
};

int
args_number(const char *value, uint64_t min, uint64_t max, uint64_t *number)
{
	uint64_t unit = 1, n;
	char *end;

	if (value[0] < '0' || value[0] > '9')
		return -EINVAL;
	errno = 0;
	n = strtoull(value, &end, 10);
	if (*end == 'k' || *end == 'M' || *end == 'G') {
		unit = *end == 'k' ? 1000 : *end == 'M' ? 1000000 : 1000000000;
		end++;
	}
	if (errno != 0 || *end != '\0' || n > UINT64_MAX / unit || n * unit < min || n * unit > max)
		return -EINVAL;
	*number = n * unit;
	return 0;
}

/* Takes the value of an option that may be given once. */
static int
parse_name(const char *value, const char **name)
{
	if (value[0] == '\0' || *name != NULL)
		return -EINVAL;
	*name = value;
	return 0;
}

static int
parse_socket(const char *value, struct args *args)
{
	/* With several sockets function 0 of the card is the PF, which has none of these
	 * sockets. */
	if (args->nb_sockets == ACCEL_MODEL_MAX_FUNCTIONS - 1 || value[0] == '\0')
		return -EINVAL;
	for (unsigned int i = 0; i < args->nb_sockets; i++) {
		if (strcmp(args->socket[i], value) == 0)
			return -EINVAL;
	}
	args->socket[args->nb_sockets++] = value;
	return 0;
}

static int
parse_pf_socket(const char *value, struct args *args)
{
	return parse_name(value, &args->pf_socket);
}

static int
parse_control(const char *value, struct args *args)
{
	if (args->control != NULL)
		return -EINVAL;
	args->control = value;
	return 0;
}

static int
parse_engine(const char *value, struct args *args)
{
	static const struct {
		const char *name;
		enum accel_model_engine engine;
	} engines[] = {
		{ "auto", ACCEL_MODEL_ENGINE_AUTO },
		{ "ipsec_mb", ACCEL_MODEL_ENGINE_IPSEC_MB },
		{ "openssl", ACCEL_MODEL_ENGINE_OPENSSL },
		{ "null", ACCEL_MODEL_ENGINE_NULL },
	};

	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (strcmp(value, engines[i].name) == 0) {
			args->engine = engines[i].engine;
			return 0;
		}
	}
	return -EINVAL;
}

static int
parse_cpu(const char **text, unsigned long *cpu)
{
	char *end;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	*cpu = strtoul(*text, &end, 10);
	*text = end;
	return *cpu < CPU_SETSIZE ? 0 : -EINVAL;
}

/* Parses a list such as "1,3-5". The character close ends it: a bracket, or NUL. */
static int
parse_cpus(const char *p, char close, unsigned int *nb, int *cpu)
{
	unsigned long first, last;

	*nb = 0;
	for (;;) {
		if (parse_cpu(&p, &first) != 0)
			return -EINVAL;
		last = first;
		if (*p == '-') {
			p++;
			if (parse_cpu(&p, &last) != 0 || last < first)
				return -EINVAL;
		}
		for (; first <= last; first++) {
			if (*nb == ACCEL_MODEL_MAX_WORKERS)
				return -EINVAL;
			cpu[(*nb)++] = (int)first;
		}
		if (*p != ',' && *p != ':')
			break;
		p++;
	}
	return *p == close && (close == '\0' || p[1] == '\0') ? 0 : -EINVAL;
}

/* Parses a number of threads, or a list of CPUs: "[1]", "[1,3-5]", "1:3", "1,3". */
static int
parse_threads(const char *value, unsigned int *nb, int *cpu)
{
	uint64_t number;

	if (args_number(value, 1, ACCEL_MODEL_MAX_WORKERS, &number) == 0) {
		*nb = (unsigned int)number;
		return 0;
	}
	if (value[0] == '[')
		return parse_cpus(value + 1, ']', nb, cpu);
	return strpbrk(value, ",:-") != NULL ? parse_cpus(value, '\0', nb, cpu) : -EINVAL;
}

static int
parse_cores(const char *value, struct args *args)
{
	return parse_threads(value, &args->nb_workers, args->cpu);
}

static int
parse_pk_cores(const char *value, struct args *args)
{
	return parse_threads(value, &args->nb_engines, args->engine_cpu);
}

/* Checks the items on a small card, because only the model can parse them. */
static int
parse_faults(const char *value, struct args *args)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL,
		.ctx_cache = 1,
		.faults = value,
	};
	struct accel_model *card;
	int ret = args->faults != NULL ? -EINVAL : accel_model_create(&config, &card);

	if (ret != 0) {
		fprintf(stderr, "accel-device: an item is %s\n", accel_model_fault_help());
		return ret;
	}
	accel_model_destroy(card);
	args->faults = value;
	return 0;
}

static int
parse_user(const char *value, struct args *args)
{
	return parse_name(value, &args->user);
}

static int
parse_group(const char *value, struct args *args)
{
	return parse_name(value, &args->group);
}

static int
parse_socket_group(const char *value, struct args *args)
{
	return parse_name(value, &args->socket_group);
}

/* Parses an octal mode, as chmod does. */
static int
parse_socket_mode(const char *value, struct args *args)
{
	unsigned long mode;
	char *end;

	if (value[0] < '0' || value[0] > '7')
		return -EINVAL;
	mode = strtoul(value, &end, 8);
	if (*end != '\0' || mode == 0 || mode > 0777)
		return -EINVAL;
	args->owner.mode = (mode_t)mode;
	return 0;
}

static int
parse_jail(const char *value, struct args *args)
{
	static const char *const modes[] = {
		[JAIL_AUTO] = "auto",
		[JAIL_REQUIRE] = "require",
		[JAIL_OFF] = "off",
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(value, modes[i]) == 0) {
			args->jail = (enum jail_mode)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* Parses a number of 64 bits. Serial numbers are often written in hexadecimal. */
static int
parse_serial(const char *value, struct args *args)
{
	char *end;

	if (strncmp(value, "0x", 2) != 0 || !isxdigit((unsigned char)value[2]))
		return args_number(value, 0, UINT64_MAX, &args->serial);
	errno = 0;
	args->serial = strtoull(value, &end, 16);
	return errno == 0 && *end == '\0' ? 0 : -EINVAL;
}

static int
parse_no_dump(const char *value, struct args *args)
{
	(void)value;
	args->no_dump = true;
	return 0;
}

static int
parse_keep(const char *value, struct args *args)
{
	(void)value;
	args->keep = true;
	return 0;
}

static int
parse_vf(const char *value, struct args *args)
{
	(void)value;
	args->vf = true;
	return 0;
}

static int
parse_posted_writes(const char *value, struct args *args)
{
	(void)value;
	args->posted_writes = true;
	return 0;
}

/* Parses names of profiles that are joined by '+'. */
static int
parse_profile(const char *value, struct args *args)
{
	static const char *const names[] = {
		"least", "few", "one-size", "no-algs", "no-cache", "late", "tree-first",
		"tree-last", "slow-stop", "drop-all", "slow-op", "pairs",
	};
	size_t i, len;

	for (;; value += len + 1) {
		len = strcspn(value, "+");
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strlen(names[i]) == len && strncmp(value, names[i], len) == 0)
				break;
		if (i == sizeof(names) / sizeof(names[0]))
			return -EINVAL;
		args->profile |= 1u << i; /* ACCEL_MODEL_LEAST and so on */
		if (value[len] == '\0')
			return 0;
	}
}

static int
parse_quiet(const char *value, struct args *args)
{
	(void)value;
	args->quiet = true;
	return 0;
}

static int
parse_verbose(const char *value, struct args *args)
{
	(void)value;
	args->verbose = true;
	return 0;
}

static int
parse_help(const char *value, struct args *args)
{
	(void)value;
	args->help = true;
	return 0;
}

static int
parse_version(const char *value, struct args *args)
{
	(void)value;
	args->version = true;
	return 0;
}

#define STR(x) STR_(x)
#define STR_(x) #x
#define NUMBER(name_, alias_, field, min_, max_, help_)                                            \
	{                                                                                          \
		.name = name_, .alias = alias_, .values = STR(min_) ".." STR(max_), .help = help_, \
		.offset = offsetof(struct args, field), .min = min_, .max = max_                   \
	}

static const struct option_row rows[] = {
	{ .name = "socket", .values = "PATH", .parse = parse_socket,
	  .help = "serve a function at this path; several sockets serve virtual functions" },
	{ .name = "pf-socket", .values = "PATH", .parse = parse_pf_socket,
	  .help = "serve the physical function here; every --socket is a virtual function" },
	{ .name = "vf", .parse = parse_vf,
	  .help = "serve a virtual function even if there is only one socket" },
	{ .name = "control", .values = "PATH", .parse = parse_control,
	  .help = "accept commands at this path, one per line, such as help, stats, share, quit" },
	NUMBER("queue-pairs", "queues", queue_pairs, 1, 64, "queue pairs of each function (8)"),
	NUMBER("vf-queue-pairs", NULL, vf_queue_pairs, 0, 16384,
	       "queue pairs of all virtual functions together, 0: as many as they can use (0)"),
	{ .name = "cores", .values = "1..64|[CPU,CPU-CPU,...]", .parse = parse_cores,
	  .help = "number of threads of the device, or their CPUs (1)" },
	{ .name = "pk-cores", .values = "1..64|[CPU,CPU-CPU,...]", .parse = parse_pk_cores,
	  .help = "number of threads for public keys, or their CPUs (as --cores)" },
	{ .name = "engine", .values = "auto|ipsec_mb|openssl|null", .parse = parse_engine,
	  .help = "crypto library of the device (auto)" },
	NUMBER("peak-ops", NULL, peak_ops, 0, 1000000000000,
	       "most operations per second of the card, 0: no limit (0)"),
	NUMBER("peak-bytes", NULL, peak_bytes, 0, 1000000000000000,
	       "most source bytes per second of the card, 0: no limit (0)"),
	{ .name = "faults", .alias = "fault", .values = "ITEM[+ITEM...]", .parse = parse_faults,
	  .help = "faults to inject from the start (none)" },
	NUMBER("pk-share", NULL, pk_share, 0, ACCEL_MODEL_MAX_PK_SHARE,
	       "percent of the CPUs of --cores that public keys have at least (10)"),
	NUMBER("idle-us", NULL, idle_us, 0, 1000000000,
	       "microseconds without work before a thread backs off (100)"),
	NUMBER("ctx-cache", NULL, ctx_cache, 1, 1048576,
	       "contexts that a thread keeps expanded (4096)"),
	{ .name = "serial", .values = "0..18446744073709551615|0xHEX", .parse = parse_serial,
	  .help = "serial number of the card, 0: it has none (0)" },
	NUMBER("contract-minor", NULL, contract_minor, 0, ACCEL_HW_VERSION_MINOR,
	       "minor version of the contract that the card obeys; 0 to 6: as older firmware (7)"),
	{ .name = "posted-writes", .parse = parse_posted_writes,
	  .help = "writes to memory that is not mapped vanish, as those of a card without ATS" },
	{ .name = "profile", .parse = parse_profile,
	  .values = "least|few|one-size|no-algs|no-cache|late|tree-first|tree-last|"
		    "slow-stop|drop-all|slow-op|pairs[+...]",
	  .help = "what a card of another maker may be: the least limits, few algorithms,\n"
		  "        one size of each, none; no context cache; booting for 0.3 s; the tree\n"
		  "        on the first or the last page of BAR0; stops of 0.7 s; a register in\n"
		  "        place of the invalidation page; operations of 2.5 s; chains of some\n"
		  "        pairs" },
	{ .name = "socket-mode", .values = "OCTAL", .parse = parse_socket_mode,
	  .help = "mode of the functions' sockets (0600)" },
	{ .name = "socket-group", .values = "NAME", .parse = parse_socket_group,
	  .help = "group of the functions' sockets (the process's)" },
	{ .name = "user", .values = "NAME", .parse = parse_user,
	  .help = "user to become once the sockets are open, if started by root" },
	{ .name = "group", .values = "NAME", .parse = parse_group,
	  .help = "group to become with --user (the user's)" },
	{ .name = "jail", .values = "auto|require|off", .parse = parse_jail,
	  .help = "give up access to files and system calls: auto does what the kernel supports,\n"
		  "        require fails if it does not support all, off gives up nothing (auto)" },
	{ .name = "keep", .parse = parse_keep,
	  .help = "start the daemon again after a crash, and let it go on with its clients" },
	{ .name = "no-dump", .parse = parse_no_dump,
	  .help = "allow no core dumps and no debugger but root's" },
	{ .name = "quiet", .parse = parse_quiet, .help = "log errors and warnings only" },
	{ .name = "verbose", .parse = parse_verbose, .help = "log everything" },
	{ .name = "help", .parse = parse_help, .help = "print this list, as -h does" },
	{ .name = "version", .parse = parse_version, .help = "print the version" },
};

#define NB_ROWS (sizeof(rows) / sizeof(rows[0]))

void
args_usage(FILE *to)
{
	fprintf(to, "usage: accel-device --socket PATH [--socket PATH...] [OPTION...]\n"
		    "Serves functions of one emulated crypto_accel card over vfio-user.\n"
		    "Defaults are in parentheses. Numbers may end in k, M or G.\n");
	for (size_t i = 0; i < NB_ROWS; i++)
		fprintf(to, "  --%s%s%s%s%s\n        %s\n", rows[i].name,
			rows[i].alias != NULL ? ", --" : "",
			rows[i].alias != NULL ? rows[i].alias : "",
			rows[i].values != NULL ? " " : "",
			rows[i].values != NULL ? rows[i].values : "", rows[i].help);
	fprintf(to, "Faults: %s\n", accel_model_fault_help());
	fprintf(to, "Exit codes: 0 ended by a signal or quit, 1 could not run, 2 wrong usage.\n");
}

static int
take_option(const struct option_row *row, const char *value, struct args *args)
{
	int ret;

	if (row->parse != NULL)
		ret = row->parse(value, args);
	else
		ret = args_number(value, row->min, row->max,
				   (uint64_t *)(void *)((char *)args + row->offset));
	if (ret != 0)
		fprintf(stderr, "accel-device: --%s \"%s\" is not %s\n", row->name, value,
			row->parse == parse_socket ? "one of at most 256 different paths" :
			row->values);
	return ret;
}

/* Fills the table of getopt_long() with all names. val is the index of the row plus 1. */
static void
fill_options(struct option *options)
{
	size_t n = 0;

	for (size_t i = 0; i < NB_ROWS; i++) {
		int has = rows[i].values != NULL ? required_argument : no_argument;

		options[n++] = (struct option){ rows[i].name, has, NULL, (int)i + 1 };
		if (rows[i].alias != NULL)
			options[n++] = (struct option){ rows[i].alias, has, NULL, (int)i + 1 };
	}
	memset(&options[n], 0, sizeof(options[n]));
}

/* Checks that this process may use the CPUs, before a thread fails on one of them. */
static int
check_cpus(const char *option, unsigned int nb, const int *cpu)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return 0;
	for (unsigned int i = 0; i < nb; i++) {
		if (cpu[i] >= 0 && !CPU_ISSET(cpu[i], &allowed)) {
			fprintf(stderr, "accel-device: --%s: CPU %d does not exist or is not "
				"allowed\n", option, cpu[i]);
			return -EINVAL;
		}
	}
	return 0;
}

int
args_parse(int argc, char **argv, struct args *args)
{
	struct option options[2 * NB_ROWS + 1];
	int c;

	memset(args, 0, sizeof(*args));
	args->queue_pairs = QUEUE_PAIRS_DEFAULT;
	args->idle_us = IDLE_US_DEFAULT;
	args->pk_share = UINT64_MAX; /* not given */
	args->contract_minor = ACCEL_HW_VERSION_MINOR;
	args->nb_workers = 1;
	for (unsigned int i = 0; i < ACCEL_MODEL_MAX_WORKERS; i++)
		args->cpu[i] = args->engine_cpu[i] = -1;
	fill_options(options);
	while ((c = getopt_long(argc, argv, "+h", options, NULL)) != -1) {
		if (c == 'h') {
			args->help = true;
			continue;
		}
		if (c < 1 || c > (int)NB_ROWS)
			return -EINVAL; /* getopt_long() has printed why */
		if (take_option(&rows[c - 1], optarg, args) != 0)
			return -EINVAL;
	}
	if (args->help || args->version)
		return 0;
	if (optind < argc) {
		fprintf(stderr, "accel-device: unknown argument \"%s\"; see --help\n",
			argv[optind]);
		return -EINVAL;
	}
	if (args->nb_sockets == 0) {
		fprintf(stderr, "accel-device: --socket PATH is missing; see --help\n");
		return -EINVAL;
	}
	if (args->nb_sockets > VFS_BEFORE_1_2 && args->contract_minor < 2) {
		fprintf(stderr, "accel-device: a card of contract 1.%u has at most %u virtual "
			"functions\n", (unsigned int)args->contract_minor, VFS_BEFORE_1_2);
		return -EINVAL;
	}
	if (args->group != NULL && args->user == NULL) {
		fprintf(stderr, "accel-device: --group needs --user; see --help\n");
		return -EINVAL;
	}
	if (args->pk_share != UINT64_MAX && args->nb_engines != 0) {
		fprintf(stderr, "accel-device: --pk-share has no effect with --pk-cores; see "
			"--help\n");
		return -EINVAL;
	}
	if (args->pk_share == UINT64_MAX)
		args->pk_share = ACCEL_MODEL_PK_SHARE;
	if (check_cpus("cores", args->nb_workers, args->cpu) != 0)
		return -EINVAL;
	return check_cpus("pk-cores", args->nb_engines, args->engine_cpu);
}
