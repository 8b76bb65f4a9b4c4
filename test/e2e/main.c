/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Runs the end-to-end tests of a cryptodev through DPDK's public API. This file has the options,
 * the list of tests, and the loop that runs them. Each test gets a freshly set up device and a
 * random sequence of its own.
 */

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <rte_debug.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>

#include "e2e.h"
#include "rte_pmd_accel.h"

#define MAX_TESTS 512u
#define WRONG_ARGUMENTS 2 /* exit code */

static struct e2e_test tests[MAX_TESTS];
static unsigned int nb_tests;

static struct {
	const char *device, *only, *break_command, *groups, *vectors;
	bool list, memory, force, tap;
} opt = { .device = "crypto_accel" };

/* Results go here. All other output goes to stdout, which is stderr with --tap. */
static FILE *results;

void
e2e_add(const char *name, int (*run)(struct e2e *, const void *), const void *arg,
	bool accel_only)
{
	RTE_VERIFY(nb_tests < MAX_TESTS);
	tests[nb_tests++] = (struct e2e_test){ name, run, arg, accel_only };
}

static void
usage(const char *prog)
{
	printf("usage: %s [EAL options] -- [options]\n"
	       "  --device NAME   driver or device, or how its name starts (default crypto_accel)\n"
	       "  --seed N        repeat the random choices of an earlier run\n"
	       "  --rounds N      operations per algorithm in the random tests (default 200)\n"
	       "  --quick         a tenth of the work\n"
	       "  --only PATTERN  only tests whose name matches (shell pattern, or its start)\n"
	       "  --list          print the names of the tests\n"
	       "  --tap           print results as TAP, for meson\n"
	       "  --groups A,B... check only that each test is in one of these groups\n"
	       "  --memory        print the memory of a queue pair and of a session\n"
	       "  --linear        use random layouts of one segment only\n"
	       "  --in-place      use random layouts in place only\n"
	       "  --break COMMAND shell command that breaks the device in a test of pci/\n"
	       "  --vectors DIR   also run the vectors of the files DIR/*.txt\n"
	       "  --partial       another maker's card: it may lack algorithms, sizes, chains\n"
	       "  --force         test crypto_accel's guarantees on other drivers, too\n",
	       prog);
}

static int
parse(struct e2e *t, int argc, char **argv)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "seed", required_argument, NULL, 's' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "only", required_argument, NULL, 'o' },
		{ "quick", no_argument, NULL, 'q' },
		{ "list", no_argument, NULL, 'l' },
		{ "tap", no_argument, NULL, 't' },
		{ "groups", required_argument, NULL, 'g' },
		{ "memory", no_argument, NULL, 'm' },
		{ "force", no_argument, NULL, 'f' },
		{ "linear", no_argument, NULL, 'n' },
		{ "partial", no_argument, NULL, 'p' },
		{ "in-place", no_argument, NULL, 'i' },
		{ "break", required_argument, NULL, 'b' },
		{ "vectors", required_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'd':
			opt.device = optarg;
			break;
		case 's':
			t->seed = strtoull(optarg, NULL, 0);
			break;
		case 'r':
			t->rounds = RTE_MAX(1ul, strtoul(optarg, NULL, 0));
			break;
		case 'q':
			t->quick = true;
			break;
		case 'o':
			opt.only = optarg;
			break;
		case 'l':
			opt.list = true;
			break;
		case 't':
			opt.tap = true;
			break;
		case 'g':
			opt.groups = optarg;
			break;
		case 'm':
			opt.memory = true;
			break;
		case 'f':
			opt.force = true;
			break;
		case 'p':
			t->partial = true;
			break;
		case 'n':
			t->linear = true;
			break;
		case 'b':
			opt.break_command = optarg;
			break;
		case 'v':
			opt.vectors = optarg;
			break;
		case 'i':
			t->in_place = true;
			break;
		default:
			return -1;
		}
	}
	if (t->quick)
		t->rounds = RTE_MAX(1u, t->rounds / 10);
	return optind == argc ? 0 : -1;
}

static bool
selected(const char *name)
{
	return opt.only == NULL || strncmp(name, opt.only, strlen(opt.only)) == 0 ||
	       fnmatch(opt.only, name, 0) == 0;
}

static int
find_device(struct e2e *t)
{
	size_t n = strlen(opt.device);
	unsigned int i;

	for (i = 0; i < RTE_CRYPTO_MAX_DEVS; i++) {
		if (!rte_cryptodev_is_valid_dev(i))
			continue;
		rte_cryptodev_info_get(i, &t->info);
		if (strncmp(rte_cryptodev_name_get(i), opt.device, n) != 0 &&
				strncmp(t->info.driver_name, opt.device, n) != 0)
			continue;
		t->dev = i;
		snprintf(t->name, sizeof(t->name), "%s", rte_cryptodev_name_get(i));
		snprintf(t->driver, sizeof(t->driver), "%s", t->info.driver_name);
		t->is_accel = strcmp(t->driver, "crypto_accel") == 0 || opt.force;
		return 0;
	}
	printf("no device has the driver or name '%s'\n", opt.device);
	return -ENODEV;
}

/* Takes the limits of the card that no capability says. The plug-in that has its driver, which EAL
 * loads for itself alone, has the function. */
static void
take_limits(struct e2e *t)
{
	int (*get)(uint8_t, struct rte_pmd_accel_info *);
	struct rte_pmd_accel_info info;
	void *plugin;
	Dl_info at;

	if (!t->is_accel || dladdr(rte_dev_driver(t->info.device), &at) == 0)
		return;
	plugin = dlopen(at.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (plugin == NULL)
		return;
	*(void **)&get = dlsym(plugin, "rte_pmd_accel_info_get");
	dlclose(plugin);
	if (get == NULL || get(t->dev, &info) != 0)
		return;
	t->max_segs = e2e_max_segs(info.max_fragments);
	t->max_bytes = info.max_bytes;
	t->max_ops = info.max_descriptors;
	t->silent_writes = info.reports_writes == 0;
}

static int
init(struct e2e *t)
{
	unsigned int size = rte_cryptodev_sym_get_private_session_size(t->dev);

	if (e2e_pools_init(t, size, E2E_SLOTS * 2) != 0 || e2e_slots_init(t) != 0) {
		printf("not enough memory for the test\n");
		return -ENOMEM;
	}
	return 0;
}

/* Dequeues the operations that a failed test left, so that the next tests do not meet them. */
static void
flush(struct e2e *t)
{
	struct rte_crypto_op *ops[256];
	uint16_t qp;

	for (qp = 0; qp < t->nb_qps; qp++) {
		while (e2e_collect(t->dev, qp, ops, RTE_DIM(ops), 200) == RTE_DIM(ops))
			;
	}
}

/* True if a test works with no cipher to carry on with. */
static bool
needs_no_symmetric(const char *name)
{
	return strncmp(name, "caps/", 5) == 0 || strncmp(name, "pk/", 3) == 0;
}

static int
run_one(struct e2e *t, const struct e2e_test *test)
{
	uint16_t qps = RTE_MIN(t->info.max_nb_queue_pairs, 2u);
	int ret;

	t->test = test->name;
	t->note[0] = '\0';
	t->tight = false;
	t->rng.s = t->seed ^ e2e_hash(test->name);
	if (test->accel_only && !t->is_accel)
		return e2e_skip(t, "only crypto_accel guarantees this");
	if (t->partial && !e2e_has_symmetric(t) && !needs_no_symmetric(test->name))
		return e2e_skip(t, "the card has no symmetric algorithm");
	ret = e2e_dev_setup(t, t->dev, qps, 2048);
	if (ret == E2E_PASS)
		ret = test->run(t, test->arg);
	if (ret == E2E_FAIL)
		flush(t);
	/* The device stops first, so that operations in-flight do not touch freed memory. */
	e2e_dev_stop(t->dev);
	e2e_slots_clear(t);
	e2e_session_close_all(t);
	rte_cryptodev_info_get(t->dev, &t->info);
	return ret;
}

/* Removes "#" from the note, because it would begin a comment or a directive. */
static void
print_tap(const struct e2e *t, unsigned int number, const char *name, int ret, uint64_t ms)
{
	char note[sizeof(t->note)];
	char *p;

	snprintf(note, sizeof(note), "%s", t->note);
	for (p = note; *p != '\0'; p++) {
		if (*p == '#' || *p == '\n')
			*p = ' ';
	}
	if (ret == E2E_SKIP)
		fprintf(results, "ok %u - %s # SKIP %s\n", number, name, note);
	else
		fprintf(results, "%s %u - %s: %" PRIu64 " ms, %s\n",
			ret == E2E_PASS ? "ok" : "not ok", number, name, ms, note);
	fflush(results);
}

static void
print_result(const struct e2e *t, unsigned int number, const char *name, int ret, uint64_t ms)
{
	static const char *const words[] = { "passed", "FAILED", "skipped" };

	if (opt.tap)
		print_tap(t, number, name, ret, ms);
	else
		printf("%-7s %-34s %5" PRIu64 " ms  %s\n", words[ret], name, ms, t->note);
	fflush(stdout);
}

static int
run_all(struct e2e *t)
{
	unsigned int count[3] = { 0 }, i;
	uint64_t start;
	int ret;

	for (i = 0; i < nb_tests; i++) {
		if (!selected(tests[i].name))
			continue;
		start = e2e_now_ms();
		ret = run_one(t, &tests[i]);
		count[ret]++;
		print_result(t, count[0] + count[1] + count[2], tests[i].name, ret,
			     e2e_now_ms() - start);
		if (ret == E2E_FAIL && t->failures++ == 0)
			printf("  the first failure; repeat it with --seed %" PRIu64 " --rounds %u "
			       "--only %s\n", t->seed, t->quick ? t->rounds * 10 : t->rounds,
			       tests[i].name);
		fflush(stdout);
	}
	if (opt.tap)
		fprintf(results, "1..%u\n", count[0] + count[1] + count[2]);
	printf("%u passed, %u failed, %u skipped\n", count[0], count[1], count[2]);
	return count[E2E_FAIL] > 0 || count[E2E_PASS] + count[E2E_SKIP] == 0;
}

static void
add_all(void)
{
	e2e_add_caps();
	e2e_add_kat();
	e2e_add_kat_files(opt.vectors);
	e2e_add_layouts();
	e2e_add_bits();
	e2e_add_data_unit();
	e2e_add_digest_encrypted();
	e2e_add_sessionless();
	e2e_add_raw();
	e2e_add_protocols();
	e2e_add_ipsec();
	e2e_add_control();
	e2e_add_lifecycle();
	e2e_add_traffic();
	e2e_add_badops();
	e2e_add_threads();
	e2e_add_faults();
	e2e_add_heal();
	e2e_add_interop();
	e2e_add_pci(opt.break_command);
	e2e_add_pk(opt.break_command);
}

/* Checks that the list A,B... has the group of each test. The group is the test's name up to
 * "/". */
static int
check_groups(void)
{
	unsigned int i, missing = 0;
	const char *p;
	size_t n;

	for (i = 0; i < nb_tests; i++) {
		n = strcspn(tests[i].name, "/");
		for (p = opt.groups; p != NULL; p = p != NULL ? p + 1 : NULL) {
			if (strncmp(p, tests[i].name, n) == 0 && (p[n] == ',' || p[n] == '\0'))
				break;
			p = strchr(p, ',');
		}
		missing += p == NULL;
		if (p == NULL)
			printf("%s is in no group\n", tests[i].name);
	}
	fprintf(results, "%s 1 - each of %u tests is in a group\n1..1\n",
		missing == 0 ? "ok" : "not ok", nb_tests);
	return missing != 0;
}

/* Sends only the results to the former stdout. */
static int
open_results(void)
{
	results = stdout;
	if (!opt.tap)
		return 0;
	results = fdopen(dup(STDOUT_FILENO), "w");
	return results == NULL || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? -1 : 0;
}

int
main(int argc, char **argv)
{
	static struct e2e t = { .rounds = 200 };
	struct timespec ts;
	unsigned int i;
	int ret;

	clock_gettime(CLOCK_REALTIME, &ts);
	t.seed = (uint64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return rte_errno == EINVAL ? WRONG_ARGUMENTS : EXIT_FAILURE;
	if (parse(&t, argc - ret, argv + ret) != 0) {
		usage(argv[0]);
		return WRONG_ARGUMENTS;
	}
	if (open_results() != 0)
		return EXIT_FAILURE;
	/* Half of the tests cause errors, which the library logs. */
	rte_log_set_level(RTE_LOGTYPE_CRYPTODEV, RTE_LOG_CRIT);
	add_all();
	for (i = 0; opt.list && i < nb_tests; i++)
		printf("%s\n", tests[i].name);
	if (opt.list || opt.groups != NULL) {
		ret = opt.list ? 0 : check_groups();
		rte_eal_cleanup();
		return ret;
	}
	if (find_device(&t) != 0 || init(&t) != 0)
		return 1;
	take_limits(&t);
	printf("device %s, driver %s, IOVA as %s, seed %" PRIu64 ", %u rounds\n", t.name, t.driver,
	       rte_eal_iova_mode() == RTE_IOVA_PA ? "PA" : "VA", t.seed, t.rounds);
	fflush(stdout);
	ret = opt.memory ? e2e_memory_print(&t) : run_all(&t);
	e2e_dev_stop(t.dev);
	rte_cryptodev_close(t.dev);
	rte_eal_cleanup();
	return ret != 0;
}
