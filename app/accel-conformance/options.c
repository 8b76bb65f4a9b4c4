/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Parses the command line: see options.h.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "options.h"

#define LIMIT_S 60u

enum {
	OPT_SOCKET = 256,
	OPT_VFIO,
	OPT_OTHER_SOCKET,
	OPT_OTHER_VFIO,
	OPT_PF_SOCKET,
	OPT_PF,
	OPT_OWNER,
	OPT_ONLY,
	OPT_REPLAY,
	OPT_SEED,
	OPT_LIMIT,
	OPT_FATAL,
	OPT_IDS,
	OPT_LIST,
	OPT_TABLE,
	OPT_VERBOSE,
	OPT_VERSION,
};

static const struct option names[] = {
	{ "socket", required_argument, NULL, OPT_SOCKET },
	{ "vfio", required_argument, NULL, OPT_VFIO },
	{ "other-socket", required_argument, NULL, OPT_OTHER_SOCKET },
	{ "other-vfio", required_argument, NULL, OPT_OTHER_VFIO },
	{ "pf-socket", required_argument, NULL, OPT_PF_SOCKET },
	{ "pf", required_argument, NULL, OPT_PF },
	{ "owner", required_argument, NULL, OPT_OWNER },
	{ "only", required_argument, NULL, OPT_ONLY },
	{ "replay", required_argument, NULL, OPT_REPLAY },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "fatal", no_argument, NULL, OPT_FATAL },
	{ "ids", required_argument, NULL, OPT_IDS },
	{ "list", no_argument, NULL, OPT_LIST },
	{ "table", no_argument, NULL, OPT_TABLE },
	{ "verbose", no_argument, NULL, OPT_VERBOSE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

void
options_help(void)
{
	printf("usage: accel-conformance --socket PATH | --vfio BDF [OPTION...]\n"
	       "       accel-conformance --list | --table\n"
	       "Tests a function of a crypto_accel card against the hardware programming manual.\n"
	       "It resets the function and owns it while it runs. TAP goes to stdout.\n"
	       "  --socket PATH        the function is behind a vfio-user socket\n"
	       "  --vfio BDF           it is a PCI function, DDDD:BB:DD.F, bound to vfio-pci\n"
	       "  --other-socket PATH  another function of the same card, for tests of two\n"
	       "  --other-vfio BDF     the same\n"
	       "  --pf-socket PATH     the physical function, if the tested one is virtual\n"
	       "  --pf BDF             the same, a PCI function whose driver leaves it alone; its\n"
	       "                       registers are reached through sysfs\n"
	       "  --owner COMMAND      it is a virtual function: 'COMMAND replace' makes it anew,\n"
	       "                       'COMMAND disable' and 'enable' set VF Enable\n"
	       "  --only PATTERN,...   only tests of these duties or subjects: 'RING-*', stop\n"
	       "  --replay FILE        carry out a script such as doc/hardware/first-request.txt\n"
	       "  --fatal              only test how the card fails: it was prepared to do so\n"
	       "                       at its first operation\n"
	       "  --ids VENDOR:PF:VF   its PCI ids in hexadecimal, if its maker chose others than\n"
	       "                       1234:acc0:acc1\n"
	       "  --seed N             of the pattern in memory and of random tests\n"
	       "  --limit SECONDS      the longest wait (%u)\n"
	       "  --verbose            the notes of tests that pass, too\n"
	       "  --list               the duties of the manual: number, class, tests or reason\n"
	       "  --table              how many duties are tested, and why others are not\n"
	       "  --help               print this list, as -h does\n"
	       "  --version            print the version\n"
	       "Exit codes: 0 all tests passed, 1 some failed or it cannot run, 2 wrong usage.\n",
	       LIMIT_S);
}

static bool
wrong(const char *what, const char *value)
{
	fprintf(stderr, "accel-conformance: %s%s%s; see --help\n", what, value != NULL ? " " : "",
		value != NULL ? value : "");
	return false;
}

static bool
number(const char *text, uint64_t max, uint64_t *to)
{
	char *end;

	errno = 0;
	*to = strtoull(text, &end, 0);
	return errno == 0 && *end == '\0' && text[0] >= '0' && text[0] <= '9' && *to <= max;
}

/* Parse an id of 1 to 4 hexadecimal digits, and the character after it. @return the text that
 * follows, or NULL. */
static const char *
id(const char *text, char end, uint32_t *to)
{
	const size_t digits = strspn(text, "0123456789abcdefABCDEF");

	if (digits == 0 || digits > 4 || text[digits] != end)
		return NULL;
	*to = (uint32_t)strtoul(text, NULL, 16);
	return text + digits + 1;
}

static bool
ids(const char *text, struct card_ids *to)
{
	const char *rest = id(text, ':', &to->vendor);

	if (rest != NULL)
		rest = id(rest, ':', &to->pf);
	if (rest != NULL)
		rest = id(rest, '\0', &to->vf);
	return rest != NULL ? true : wrong("no ids VENDOR:PF:VF:", text);
}

static bool
take(struct options *o, int opt, const char *value)
{
	uint64_t n;

	switch (opt) {
	case OPT_SOCKET:
		o->socket = value;
		return true;
	case OPT_VFIO:
		o->vfio = value;
		return true;
	case OPT_OTHER_SOCKET:
		o->other_socket = value;
		return true;
	case OPT_OTHER_VFIO:
		o->other_vfio = value;
		return true;
	case OPT_PF_SOCKET:
		o->pf_socket = value;
		return true;
	case OPT_PF:
		o->pf = value;
		return true;
	case OPT_OWNER:
		o->owner = value;
		return true;
	case OPT_ONLY:
		o->only = value;
		return true;
	case OPT_REPLAY:
		o->action = ACTION_REPLAY;
		o->replay = value;
		return true;
	case OPT_SEED:
		return number(value, UINT64_MAX, &o->seed) ? true : wrong("no seed:", value);
	case OPT_LIMIT:
		if (!number(value, 86400, &n) || n == 0)
			return wrong("no number of seconds:", value);
		o->limit_s = (unsigned int)n;
		return true;
	case OPT_FATAL:
		o->fatal = true;
		return true;
	case OPT_IDS:
		return ids(value, &o->ids);
	case OPT_LIST:
		o->action = ACTION_LIST;
		return true;
	case OPT_TABLE:
		o->action = ACTION_TABLE;
		return true;
	case OPT_VERBOSE:
		o->verbose = true;
		return true;
	case OPT_VERSION:
		o->action = ACTION_VERSION;
		return true;
	default:
		o->action = ACTION_HELP;
		return opt == 'h';
	}
}

bool
options_parse(int argc, char **argv, struct options *o)
{
	struct timespec ts;
	int opt;

	memset(o, 0, sizeof(*o));
	clock_gettime(CLOCK_REALTIME, &ts);
	o->seed = (uint64_t)ts.tv_sec << 20 ^ (uint64_t)ts.tv_nsec;
	o->limit_s = LIMIT_S;
	o->ids = (struct card_ids){ ACCEL_HW_PCI_VENDOR_ID, ACCEL_HW_PCI_DEVICE_ID_PF,
				    ACCEL_HW_PCI_DEVICE_ID_VF };
	while ((opt = getopt_long(argc, argv, "h", names, NULL)) != -1) {
		if (opt == '?')
			return wrong("wrong option", NULL);
		if (!take(o, opt, optarg))
			return false;
	}
	if (optind < argc)
		return wrong("unexpected argument", argv[optind]);
	if (o->action != ACTION_TEST && o->action != ACTION_REPLAY)
		return true;
	if ((o->socket != NULL) == (o->vfio != NULL))
		return wrong("give one of --socket and --vfio", NULL);
	if (o->other_socket != NULL && o->other_vfio != NULL)
		return wrong("give one of --other-socket and --other-vfio", NULL);
	if (o->pf_socket != NULL && o->pf != NULL)
		return wrong("give one of --pf-socket and --pf", NULL);
	return true;
}
