/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures throughput by size twice: an application that polls, and one that sleeps until the same
 * device announces a completion. With the devarg wb_count=1 each completion is announced.
 *
 *   accel-notify EAL-OPTIONS -- [--rounds N] [--seconds S] [--in-flight N] [--kind NAME]
 *
 * Prints lines "how,kind,size,in-flight,given,returned,median,best,announcements,late,per second":
 * the rate of the rounds, in which the two ways take turns, sums, and announcements per second.
 * The rate is Gbit/s, or signatures per second of RSA, whose size is that of the modulus. The best
 * round is the one that other programs of the machine disturbed least.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_pause.h>

#include "base/bench_help.h"
#include "limit/exchange.h"
#include "notify.h"
#include "notify_rsa.h"

#define DESC 256u
#define MAX_ROUNDS 101u
#define BURST 32u
#define SEGMENT 32768u /* a larger operation has several of them */
#define DIGEST 32u
#define IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define IV_LEN 16u
#define WAIT_MS 1000 /* for an announcement, before the application looks by itself */
#define GIVE_UP_S 60 /* without a completion */

enum kind { KIND_CBC, KIND_SHA256, KIND_RSA, KINDS };
enum how { HOW_POLL, HOW_NOTIFY, HOWS };

static const char *const kind_name[KINDS] = { "aes-128-cbc", "sha-256", "rsa-sign" };
static const char *const how_name[HOWS] = { "poll", "notify" };
static const unsigned int sizes[] = { 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536 };
static const unsigned int rsa_sizes[] = { 128, 256, 384, 512, 1024 };

/* What one way has done with one size, in all rounds. */
struct tally {
	uint64_t given;
	uint64_t returned;
	uint64_t announced;
	uint64_t late; /* waits that no announcement ended in time */
	double seconds;
	double rate[MAX_ROUNDS];
};

static struct {
	uint8_t dev_id;
	int fd; /* counts announcements */
	struct rte_mempool *session_mp, *op_mp, *mbuf_mp;
	void *session;
	struct rte_crypto_op *ops[DESC];
	enum kind kind;
	unsigned int rounds;
	unsigned int in_flight;
	double seconds; /* per size, way and round */
	unsigned int most; /* larger sizes are left out */
	const char *keys; /* folder of the files with RSA keys */
} b = { .rounds = 3, .in_flight = 32, .seconds = 0.3, .most = UINT_MAX };

static double
now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int
session_make(void)
{
	static uint8_t key[16] = "a bench's key...";
	struct rte_crypto_sym_xform xforms[KINDS] = {
		[KIND_CBC] = { .type = RTE_CRYPTO_SYM_XFORM_CIPHER,
			       .cipher = { .op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
					   .algo = RTE_CRYPTO_CIPHER_AES_CBC,
					   .key = { .data = key, .length = sizeof(key) },
					   .iv = { .offset = IV_OFFSET, .length = IV_LEN } } },
		[KIND_SHA256] = { .type = RTE_CRYPTO_SYM_XFORM_AUTH,
				  .auth = { .op = RTE_CRYPTO_AUTH_OP_GENERATE,
					    .algo = RTE_CRYPTO_AUTH_SHA256,
					    .digest_length = DIGEST } },
	};

	b.session = rte_cryptodev_sym_session_create(b.dev_id, &xforms[b.kind], b.session_mp);
	return b.session != NULL ? 0 : -EINVAL;
}

/* Returns an mbuf of as many segments as the size needs, with room for a digest, or NULL. */
static struct rte_mbuf *
buffer_make(unsigned int size)
{
	struct rte_mbuf *head = NULL, *m;
	unsigned int part;

	for (; size > 0; size -= part) {
		part = RTE_MIN(size, SEGMENT);
		m = rte_pktmbuf_alloc(b.mbuf_mp);
		if (m == NULL || rte_pktmbuf_append(m, (uint16_t)part) == NULL ||
		    (head != NULL && rte_pktmbuf_chain(head, m) != 0)) {
			rte_pktmbuf_free(m);
			rte_pktmbuf_free(head);
			return NULL;
		}
		if (head == NULL)
			head = m;
	}
	return head;
}

/* The digest lies behind the data. */
static void
op_fill(struct rte_crypto_op *op, unsigned int size)
{
	struct rte_crypto_sym_op *sym = op->sym;
	struct rte_mbuf *last = rte_pktmbuf_lastseg(sym->m_src);

	rte_crypto_op_attach_sym_session(op, b.session);
	if (b.kind == KIND_CBC) {
		sym->cipher.data.offset = 0;
		sym->cipher.data.length = size;
		return;
	}
	sym->auth.data.offset = 0;
	sym->auth.data.length = size;
	sym->auth.digest.data = rte_pktmbuf_mtod_offset(last, uint8_t *, last->data_len);
	sym->auth.digest.phys_addr = rte_pktmbuf_iova_offset(last, last->data_len);
}

static int
ops_make(unsigned int size)
{
	if (b.kind == KIND_RSA)
		return notify_rsa_make(b.dev_id, b.keys, size, b.ops, b.in_flight);
	if (rte_crypto_op_bulk_alloc(b.op_mp, RTE_CRYPTO_OP_TYPE_SYMMETRIC, b.ops,
				     (uint16_t)b.in_flight) != b.in_flight)
		return -ENOMEM;
	for (unsigned int i = 0; i < b.in_flight; i++) {
		b.ops[i]->sym->m_src = buffer_make(size);
		if (b.ops[i]->sym->m_src == NULL)
			return -ENOMEM;
		memset(rte_crypto_op_ctod_offset(b.ops[i], void *, IV_OFFSET), 0x5a, IV_LEN);
		op_fill(b.ops[i], size);
	}
	return 0;
}

static void
ops_free(void)
{
	if (b.kind == KIND_RSA) {
		notify_rsa_free(b.dev_id, b.ops, b.in_flight);
		return;
	}
	for (unsigned int i = 0; i < b.in_flight; i++) {
		rte_pktmbuf_free(b.ops[i]->sym->m_src);
		rte_crypto_op_free(b.ops[i]);
	}
}

/* Sleeps until the device announces something. A late announcement is no error: the caller looks
 * for completions in any case. */
static void
sleep_until_announced(struct tally *t)
{
	struct pollfd fd = { .fd = b.fd, .events = POLLIN };
	uint64_t count;

	if (poll(&fd, 1, WAIT_MS) == 1 && read(b.fd, &count, sizeof(count)) == sizeof(count))
		t->announced += count;
	else
		t->late++;
}

/* Enqueues all of them. The ring is larger than their number. Returns 0 or -EIO. */
static int
give(struct rte_crypto_op **ops, unsigned int nb, struct tally *t)
{
	t->given += nb;
	return rte_cryptodev_enqueue_burst(b.dev_id, 0, ops, (uint16_t)nb) == nb ? 0 : -EIO;
}

/* Waits for completions in one way or the other. Returns their number, or -errno. */
static int
take(enum how how, struct rte_crypto_op **ops, struct tally *t)
{
	const unsigned int look_every = how == HOW_POLL ? 4096 : 1;
	const double begin = now_s();
	unsigned int polls = 0;
	uint16_t nb;

	for (;;) {
		nb = rte_cryptodev_dequeue_burst(b.dev_id, 0, ops, BURST);
		if (nb > 0)
			break;
		if (how == HOW_NOTIFY)
			sleep_until_announced(t);
		else
			rte_pause();
		if (++polls % look_every == 0 && now_s() - begin > GIVE_UP_S)
			return -ETIMEDOUT;
	}
	t->returned += nb;
	for (unsigned int i = 0; i < nb; i++) {
		if (ops[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
	}
	return nb;
}

/* Keeps operations in flight for the time, and takes them all back. */
static int
run(enum how how, unsigned int size, unsigned int round, struct tally *t)
{
	struct rte_crypto_op *got[BURST];
	const uint64_t before = t->returned;
	const double begin = now_s();
	double end = begin;
	int ret = give(b.ops, b.in_flight, t);

	while (ret == 0 && end - begin < b.seconds) {
		ret = take(how, got, t);
		end = now_s();
		if (ret > 0)
			ret = give(got, (unsigned int)ret, t);
	}
	t->rate[round] = (double)(t->returned - before) / (end - begin);
	if (b.kind != KIND_RSA)
		t->rate[round] *= 8e-9 * size;
	while (ret >= 0 && t->returned < t->given)
		ret = take(how, got, t);
	t->seconds += now_s() - begin; /* in which all announcements came */
	return RTE_MIN(ret, 0);
}

static void
print_tally(enum how how, unsigned int size, struct tally *t)
{
	const double median = median_of(t->rate, b.rounds); /* sorts them */

	printf("%s,%s,%u,%u,%" PRIu64 ",%" PRIu64 ",%.3f,%.3f,%" PRIu64 ",%" PRIu64 ",%.1f\n",
	       how_name[how], kind_name[b.kind], size, b.in_flight, t->given, t->returned, median,
	       t->rate[b.rounds - 1], t->announced, t->late, (double)t->announced / t->seconds);
	fflush(stdout);
}

/* Announcements are on only while an application waits for them. */
static int
run_size(unsigned int size)
{
	struct tally tally[HOWS] = { 0 };
	int ret = ops_make(size);

	for (unsigned int i = 0; ret == 0 && i < b.rounds * HOWS; i++) {
		const enum how how = (enum how)(i % HOWS);

		if (how == HOW_NOTIFY)
			ret = notify_enable(true);
		if (ret == 0)
			ret = run(how, size, i / HOWS, &tally[how]);
		if (how == HOW_NOTIFY && ret == 0)
			ret = notify_enable(false);
	}
	if (ret == 0 && b.kind == KIND_RSA)
		ret = notify_rsa_check(b.in_flight);
	if (ret != 0)
		return ret;
	for (unsigned int how = 0; how < HOWS; how++)
		print_tally((enum how)how, size, &tally[how]);
	ops_free();
	return 0;
}

static int
run_sizes(const unsigned int *of, unsigned int nb)
{
	int ret = 0;

	for (unsigned int i = 0; ret == 0 && i < nb && of[i] <= b.most; i++)
		ret = run_size(of[i]);
	return ret;
}

static int
device_start(void)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1 };
	const struct rte_cryptodev_qp_conf qp = { .nb_descriptors = DESC };
	int ret;

	if (rte_cryptodev_count() == 0)
		return -ENODEV;
	b.session_mp = rte_cryptodev_sym_session_pool_create(
		"sessions", 16, rte_cryptodev_sym_get_private_session_size(b.dev_id), 0, 0,
		SOCKET_ID_ANY);
	b.op_mp = rte_crypto_op_pool_create("ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, DESC, 0, IV_LEN,
					    SOCKET_ID_ANY);
	b.mbuf_mp = rte_pktmbuf_pool_create("buffers", 2 * b.in_flight, 0, 0,
					    RTE_PKTMBUF_HEADROOM + SEGMENT + DIGEST, SOCKET_ID_ANY);
	if (b.session_mp == NULL || b.op_mp == NULL || b.mbuf_mp == NULL)
		return -ENOMEM;
	ret = rte_cryptodev_configure(b.dev_id, &config);
	if (ret == 0)
		ret = rte_cryptodev_queue_pair_setup(b.dev_id, 0, &qp, SOCKET_ID_ANY);
	if (ret == 0)
		ret = rte_cryptodev_start(b.dev_id);
	if (ret == 0 && b.kind != KIND_RSA)
		ret = session_make();
	return ret;
}

/* Returns KINDS if there is no such kind. */
static enum kind
kind_of(const char *name)
{
	unsigned int kind = 0;

	while (kind < KINDS && strcmp(name, kind_name[kind]) != 0)
		kind++;
	return (enum kind)kind;
}

/* Returns 0 or -EINVAL. */
static int
parse(int argc, char **argv)
{
	static const struct option names[] = {
		{ "rounds", required_argument, NULL, 'r' },
		{ "seconds", required_argument, NULL, 't' },
		{ "in-flight", required_argument, NULL, 'f' },
		{ "kind", required_argument, NULL, 'k' },
		{ "keys", required_argument, NULL, 'K' },
		{ "most", required_argument, NULL, 'm' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (c == 'r')
			b.rounds = (unsigned int)strtoul(optarg, NULL, 0);
		else if (c == 't')
			b.seconds = strtod(optarg, NULL);
		else if (c == 'f')
			b.in_flight = (unsigned int)strtoul(optarg, NULL, 0);
		else if (c == 'm')
			b.most = (unsigned int)strtoul(optarg, NULL, 0);
		else if (c == 'K')
			b.keys = optarg;
		else if (c != 'k' || kind_of(optarg) == KINDS)
			return -EINVAL;
		else
			b.kind = kind_of(optarg);
	}
	return optind == argc && b.rounds >= 1 && b.rounds <= MAX_ROUNDS && b.seconds > 0 &&
	       b.in_flight >= 1 && b.in_flight <= DESC / 2 &&
	       (b.kind == KIND_RSA) == (b.keys != NULL) ? 0 : -EINVAL;
}

static const char help[] =
	"usage: accel-notify EAL-ARGUMENT... -- [--rounds N] [--seconds S] [--in-flight N]\n"
	"                    [--most BYTES]\n"
	"                    [--kind aes-128-cbc|sha-256 | --kind rsa-sign --keys FOLDER]\n"
	"Measures polling beside a notification for each completion. FOLDER has RSA keys,\n"
	"rsa-BITS.pem, of 1024, 2048, 3072, 4096 and 8192 bits. --most BYTES leaves out\n"
	"what is longer.\n";

int
main(int argc, char **argv)
{
	int ret;

	bench_help(argc, argv, help);
	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return rte_errno == EINVAL ? BENCH_USAGE : EXIT_FAILURE;
	if (parse(argc - ret, argv + ret) != 0) {
		fputs(help, stderr);
		return BENCH_USAGE;
	}
	ret = device_start();
	if (ret == 0) {
		b.fd = notify_open(b.dev_id);
		ret = RTE_MIN(b.fd, 0);
	}
	printf("# notify: %s\n", notify_what);
	if (ret == 0)
		ret = b.kind == KIND_RSA ? run_sizes(rsa_sizes, RTE_DIM(rsa_sizes)) :
					   run_sizes(sizes, RTE_DIM(sizes));
	if (ret != 0)
		fprintf(stderr, "%s\n", strerror(-ret));
	rte_cryptodev_stop(b.dev_id);
	rte_eal_cleanup();
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
