/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * The soak test: random operations on embedded devices for hours, while faults are injected and
 * devices come and go. Every byte that an operation may touch is compared with OpenSSL's result,
 * and every accepted operation has to come back exactly once and in order.
 */

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <time.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>

#include "card.h"
#include "soak.h"

#define WRONG_ARGUMENTS 2	/* exit code */
#define REPORT_MS 10000u
#define WARM_LIVES 16u	/* devices before the first measurement of what must not grow */
#define WARM_OPS 2000u	/* operations of each */

static struct soak soak;
static const char *program, *cpu = "0";	/* of the daemon */

static void
usage(const char *prog)
{
	printf("usage: %s [EAL options] -- [options]\n"
	       "  --seconds S     ends after this time (default 60)\n"
	       "  --operations N  ends after this number of operations\n"
	       "  --life N        at most so many operations of one device\n"
	       "  --seed N        repeat the random choices of an earlier run\n"
	       "  --devargs TEXT  more arguments for all devices\n"
	       "  --cores TEXT    of all embedded devices; inline for a busy machine\n"
	       "  --daemon PATH   start this accel-device, and use and kill it\n"
	       "  --cpu N         CPU of that accel-device\n",
	       prog);
}

static int
parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "operations", required_argument, NULL, 'o' },
		{ "life", required_argument, NULL, 'l' },
		{ "seed", required_argument, NULL, 'r' },
		{ "devargs", required_argument, NULL, 'd' },
		{ "cores", required_argument, NULL, 'k' },
		{ "daemon", required_argument, NULL, 'p' },
		{ "cpu", required_argument, NULL, 'c' },
		{ NULL, 0, NULL, 0 },
	};
	uint64_t seconds = 60;
	int c;

	soak.max_ops = soak.max_life = UINT64_MAX;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 's':
			seconds = strtoull(optarg, NULL, 0);
			break;
		case 'o':
			soak.max_ops = strtoull(optarg, NULL, 0);
			break;
		case 'l':
			soak.max_life = strtoull(optarg, NULL, 0);
			break;
		case 'r':
			soak.base.seed = strtoull(optarg, NULL, 0);
			break;
		case 'd':
			soak.devargs = optarg;
			break;
		case 'k':
			soak_embedded_cores = optarg;
			break;
		case 'p':
			program = optarg;
			break;
		case 'c':
			cpu = optarg;
			break;
		default:
			return -1;
		}
	}
	soak.end_ms = e2e_now_ms() + seconds * 1000;
	soak.base.rng.s = soak.base.seed;
	return optind == argc && seconds != 0 && soak.max_ops != 0 ? 0 : -1;
}

static int
init(void)
{
	unsigned int size, i;

	soak.base.is_accel = true;
	size = soak_session_size(&soak);
	if (size == 0 ||
	    e2e_pools_init(&soak.base, size, SOAK_LANES * E2E_SLOTS + SOAK_PACKETS) != 0)
		return -1;
	if (soak_ipsec_init(&soak.ipsec, &soak.base) != 0)
		return -1;
	soak.ipsec.t.rng.s = e2e_rand(&soak.base.rng);
	for (i = 0; i < SOAK_LANES; i++) {
		if (soak_lane_init(&soak.lane[i], &soak.base, i) != 0)
			return -1;
		soak.lane[i].t.rng.s = e2e_rand(&soak.base.rng);
	}
	return 0;
}

static void
report(uint64_t begin)
{
	const uint64_t ms = e2e_now_ms() - begin;
	uint64_t errors;
	const uint64_t done = soak_all(&soak, &errors);

	printf("%6" PRIu64 " s: %" PRIu64 " operations came back, %" PRIu64
	       " of them with an error after a fault; %.3f million a second; %" PRIu64 " devices\n",
	       ms / 1000, done, errors, (double)done / 1000 / (double)RTE_MAX(ms, 1u), soak.lives);
	fflush(stdout);
}

/* Plugs devices for a moment each, so that all that is made once is there, and measures. */
static int
warm_up(struct soak_flat *before, struct soak_library *library)
{
	const uint64_t max_ops = soak.max_ops;
	unsigned int i;
	int ret = soak_flat_library(library);

	CHECK(&soak.base, ret == 0, "crypto_null is missing");
	for (i = 0; i < WARM_LIVES; i++) {
		soak.max_ops = soak_done(&soak) + WARM_OPS;
		TRY(soak_life(&soak));
	}
	soak.max_ops = max_ops;
	soak_flat_measure(before);
	return E2E_PASS;
}

static int
run(void)
{
	const uint64_t begin = e2e_now_ms();
	uint64_t next = begin + REPORT_MS;
	struct soak_library library;
	struct soak_flat before;
	uint64_t warm_qps;
	int ret;

	ret = warm_up(&before, &library);
	warm_qps = soak.lives_qps;
	while (ret == E2E_PASS && soak_done(&soak) < soak.max_ops && e2e_now_ms() < soak.end_ms) {
		ret = soak_life(&soak);
		if (e2e_now_ms() >= next) {
			report(begin);
			next = e2e_now_ms() + REPORT_MS;
		}
	}
	report(begin);
	soak_life_print(&soak);
	if (ret != E2E_PASS) {
		printf("FAILED: %s; repeat it with --seed %" PRIu64 "\n", soak.base.note,
		       soak.base.seed);
		return -1;
	}
	if (!soak_flat_judge(&before, &library, soak.lives - WARM_LIVES,
			     soak.lives_qps - warm_qps)) {
		printf("FAILED: something grows\n");
		return -1;
	}
	printf("every accepted operation came back once, in order, and with right data\n");
	return 0;
}

int
main(int argc, char **argv)
{
	struct timespec ts;
	int ret;

	clock_gettime(CLOCK_REALTIME, &ts);
	soak.base.seed = (uint64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return rte_errno == EINVAL ? WRONG_ARGUMENTS : EXIT_FAILURE;
	if (parse(argc - ret, argv + ret) != 0) {
		usage(argv[0]);
		return WRONG_ARGUMENTS;
	}
	rte_log_set_level(RTE_LOGTYPE_CRYPTODEV, RTE_LOG_CRIT);
	soak.card = program != NULL ? soak_card_daemon(program, cpu) : &soak_card_embedded;
	if (soak.card == NULL) {
		printf("%s does not start\n", program);
		return 1;
	}
	if (init() != 0) {
		printf("not enough memory for the test\n");
		return 1;
	}
	printf("seed %" PRIu64 "\n", soak.base.seed);
	fflush(stdout);
	ret = run();
	soak.card->end();
	rte_eal_cleanup();
	return ret != 0;
}
