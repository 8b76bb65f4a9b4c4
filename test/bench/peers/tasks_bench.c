/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One of several equal applications that use a card at once: in a closed loop it keeps operations
 * in flight on a queue pair of its own. The applications are processes of one device (a primary one
 * and its secondaries), or each has a device. The program uses the public API alone.
 *
 *   tasks-bench EAL-OPTIONS -- DRIVER ALGORITHM BYTES SECONDS NAP QUEUE QUEUES
 *
 * It prints "ready" and waits for a line with the time (CLOCK_MONOTONIC, in seconds) at which all
 * begin. It works for a quarter of the time before it counts, and for a quarter after, so that
 * others find it at work while they count. It prints lines "metric,bytes,value,unit", "begin" being
 * the time from which it counted, and "done", and waits again: the primary process has to stay
 * until its secondaries are gone. An operation's time begins with the call that gives it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/evp.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_pause.h>

#include "any_device.h"
#include "base/bench_help.h"
#include "histogram.h"

#define DESC 512u
#define OPS 256u /* in flight */
#define BURST 32u
#define MOST 16384u /* bytes of an operation */
#define IV_LEN 16u /* room for one */
#define GIVEN_OFFSET (ANY_IV_OFFSET + IV_LEN)
#define PRIVATE (IV_LEN + sizeof(uint64_t))

struct algorithm {
	const char *name;
	enum rte_crypto_cipher_algorithm algo;
	uint16_t key_len, iv_len;
	const EVP_CIPHER *(*evp)(void);
};

static const struct algorithm algorithms[] = {
	{ "aes-128-cbc", RTE_CRYPTO_CIPHER_AES_CBC, 16, 16, EVP_aes_128_cbc },
	{ "3des-cbc", RTE_CRYPTO_CIPHER_3DES_CBC, 24, 8, EVP_des_ede3_cbc },
};

struct task {
	struct any_device device;
	const struct algorithm *algorithm;
	void *session;
	unsigned int len;
	struct timespec nap; /* while nothing comes back; zero to poll without a pause */
	struct rte_crypto_op *free[OPS];
	unsigned int nb_free;
	uint64_t calls; /* that brought operations back */
	struct histogram times;
};

static uint8_t key[32];

static const struct algorithm *
algorithm_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(algorithms); i++) {
		if (strcmp(algorithms[i].name, name) == 0)
			return &algorithms[i];
	}
	return NULL;
}

/* ------------------------------------------------------------------ operations */

static void
fill(struct task *t, struct rte_crypto_op *op, uint64_t now)
{
	rte_crypto_op_attach_sym_session(op, t->session);
	op->sym->cipher.data.offset = 0;
	op->sym->cipher.data.length = t->len;
	memset(rte_crypto_op_ctod_offset(op, uint8_t *, ANY_IV_OFFSET), 0x5a, t->algorithm->iv_len);
	*rte_crypto_op_ctod_offset(op, uint64_t *, GIVEN_OFFSET) = now;
}

/* Gives a burst, if there are operations at hand. The array is a stack. */
static void
give(struct task *t, unsigned int most)
{
	const uint16_t want = (uint16_t)RTE_MIN(most, t->nb_free);
	struct rte_crypto_op **ops = &t->free[t->nb_free - want];
	const uint64_t now = rte_rdtsc();
	uint16_t n, i;

	for (i = 0; i < want; i++)
		fill(t, ops[i], now);
	n = rte_cryptodev_enqueue_burst(t->device.id, t->device.queue, ops, want);
	memmove(ops, ops + n, (want - n) * sizeof(ops[0]));
	t->nb_free -= n;
	t->device.given += n;
}

/* Takes what has come back, or rests. Returns how many operations, or a negative errno value. */
static int
take(void *arg)
{
	struct task *t = arg;
	struct rte_crypto_op *back[BURST];
	const uint16_t n = rte_cryptodev_dequeue_burst(t->device.id, t->device.queue, back, BURST);
	const uint64_t now = rte_rdtsc();
	uint16_t i;

	if (n == 0) {
		if (t->nap.tv_nsec != 0)
			nanosleep(&t->nap, NULL);
		else
			rte_pause();
		return 0;
	}
	for (i = 0; i < n; i++) {
		if (back[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
		histogram_add(&t->times,
			      now - *rte_crypto_op_ctod_offset(back[i], uint64_t *, GIVEN_OFFSET));
		t->free[t->nb_free++] = back[i];
	}
	t->calls++;
	t->device.taken += n;
	return n;
}

/* ------------------------------------------------------------------ what is right */

static int
encrypt(const struct task *t, const uint8_t *from, uint8_t *to)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t iv[IV_LEN];
	bool good;
	int n;

	memset(iv, 0x5a, sizeof(iv));
	good = ctx != NULL && EVP_EncryptInit_ex(ctx, t->algorithm->evp(), NULL, key, iv) == 1 &&
	       EVP_CIPHER_CTX_set_padding(ctx, 0) == 1 &&
	       EVP_EncryptUpdate(ctx, to, &n, from, (int)t->len) == 1;
	EVP_CIPHER_CTX_free(ctx);
	return good ? 0 : -EIO;
}

/* Compares the first operation with OpenSSL. */
static int
check(struct task *t)
{
	static uint8_t wanted[MOST], plain[MOST];
	const struct rte_crypto_op *op = t->free[t->nb_free - 1];
	const uint8_t *data = rte_pktmbuf_mtod(op->sym->m_src, const uint8_t *);
	int ret;

	memcpy(plain, data, t->len);
	ret = encrypt(t, plain, wanted);
	if (ret == 0)
		give(t, 1);
	if (ret == 0 && t->device.given != 1)
		ret = -EIO;
	if (ret == 0)
		ret = any_device_drain(&t->device, take, t);
	if (ret == 0 && memcmp(data, wanted, t->len) != 0) {
		fprintf(stderr, "tasks-bench: the device's result differs from OpenSSL's\n");
		ret = -EIO;
	}
	return ret;
}

/* Returns 0, or -ENOTSUP if the device does not offer the algorithm. */
static int
session_make(struct task *t)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = t->algorithm->algo,
			.key = { .data = key, .length = t->algorithm->key_len },
			.iv = { .offset = ANY_IV_OFFSET, .length = t->algorithm->iv_len },
		},
	};
	unsigned int i;

	t->session = rte_cryptodev_sym_session_create(t->device.id, &xform, t->device.session_mp);
	if (t->session == NULL)
		return -ENOTSUP;
	any_device_set_len(&t->device, (uint16_t)t->len);
	for (i = 0; i < OPS; i++)
		t->free[i] = t->device.ops[i];
	t->nb_free = OPS;
	return check(t);
}

/* ------------------------------------------------------------------ the load */

/* Keeps operations in flight for a time, and until something has come back: late is not dead.
 * Returns 0 or a negative errno value. */
static int
load_for(struct task *t, double seconds)
{
	const double begin = any_seconds_of(CLOCK_MONOTONIC);
	const uint64_t before = t->device.taken;
	double now = begin, last = begin;
	int n;

	while (now - begin < seconds || t->device.taken == before) {
		give(t, BURST);
		n = take(t);
		if (n < 0)
			return n;
		now = any_seconds_of(CLOCK_MONOTONIC);
		if (n > 0)
			last = now;
		if (now - last > ANY_HANGS_S)
			return -ETIMEDOUT;
	}
	return 0;
}

/* Waits for a line of who has started this process. True if there is one. */
static bool
wait_for_line(const char *text, char line[32])
{
	printf("%s\n", text);
	fflush(stdout);
	return fgets(line, 32, stdin) != NULL;
}

static void
sleep_until(double seconds)
{
	const time_t whole = (time_t)seconds;
	const struct timespec when = { .tv_sec = whole,
				       .tv_nsec = (long)(1e9 * (seconds - (double)whole)) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) == EINTR)
		;
}

static void
print(const struct task *t, const char *metric, double value, const char *unit)
{
	printf("%s,%u,%.5f,%s\n", metric, t->len, value, unit);
}

/* Measures in the middle of a load. Returns 0 or a negative errno value. */
static int
measure(struct task *t, double seconds)
{
	static const clockid_t clocks[] = { CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID,
					    CLOCK_PROCESS_CPUTIME_ID };
	const double hz = (double)rte_get_tsc_hz();
	double took[RTE_DIM(clocks)], begin;
	uint64_t done;
	unsigned int i;
	int ret = load_for(t, seconds / 4);

	memset(&t->times, 0, sizeof(t->times));
	done = t->device.taken;
	t->calls = 0;
	for (i = 0; i < RTE_DIM(clocks); i++)
		took[i] = -any_seconds_of(clocks[i]);
	begin = -took[0];
	if (ret == 0)
		ret = load_for(t, seconds);
	for (i = 0; i < RTE_DIM(clocks); i++)
		took[i] += any_seconds_of(clocks[i]);
	done = t->device.taken - done;
	if (ret != 0)
		return ret;
	print(t, "begin", begin, "s");
	print(t, "rate", (double)done / took[0], "ops/s");
	print(t, "gbps", 8e-9 * t->len * (double)done / took[0], "Gbit/s");
	print(t, "cpu", 100 * took[1] / took[0], "%");
	print(t, "process", 100 * took[2] / took[0], "%");
	print(t, "p50", 1e6 / hz * histogram_quantile(&t->times, 0.5), "us");
	print(t, "p99", 1e6 / hz * histogram_quantile(&t->times, 0.99), "us");
	print(t, "calls", (double)t->calls / took[0], "/s");
	ret = load_for(t, seconds / 4);
	return ret == 0 ? any_device_drain(&t->device, take, t) : ret;
}

static int
run(struct task *t, const char *driver, double seconds)
{
	char line[32];
	int ret = any_device_start(&t->device, driver, OPS, DESC, PRIVATE, MOST);

	if (ret == 0)
		ret = session_make(t);
	if (ret == 0 && !wait_for_line("ready", line))
		ret = -ECANCELED;
	if (ret == 0) {
		sleep_until(strtod(line, NULL));
		ret = measure(t, seconds);
	}
	if (ret == 0)
		wait_for_line("done", line);
	return ret;
}

int
main(int argc, char **argv)
{
	static struct task t;
	double seconds;
	unsigned int i;
	int ret;

	bench_help(argc, argv,
		   "usage: tasks-bench EAL-ARGUMENT... -- DRIVER ALGORITHM BYTES SECONDS NAP\n"
		   "                   QUEUE QUEUES\n"
		   "Is one of several applications that use a card at once. It waits for a line\n"
		   "with the time at which all begin, and for another one before it ends.\n"
		   "  DRIVER     of the device, such as crypto_accel\n"
		   "  ALGORITHM  aes-128-cbc or 3des-cbc\n"
		   "  BYTES      of an operation, at most 16384\n"
		   "  SECONDS    time of the measurement\n"
		   "  NAP        microseconds to sleep when nothing has come back, 0 to poll\n"
		   "  QUEUE      its queue pair\n"
		   "  QUEUES     queue pairs of the device, which a primary process sets up\n");
	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return rte_errno == EINVAL ? BENCH_USAGE : EXIT_FAILURE;
	argv += ret;
	argc -= ret;
	if (argc != 8)
		return bench_wrong(argv, argv[argc - 1]);
	t.algorithm = algorithm_of(argv[2]);
	t.len = (unsigned int)strtoul(argv[3], NULL, 10);
	seconds = strtod(argv[4], NULL);
	t.nap.tv_nsec = strtol(argv[5], NULL, 10) * 1000;
	t.device.queue = (uint16_t)strtoul(argv[6], NULL, 10);
	t.device.queues = (uint16_t)strtoul(argv[7], NULL, 10);
	if (t.algorithm == NULL)
		return bench_wrong(argv, argv[2]);
	if (t.len == 0 || t.len > MOST || t.len % 16 != 0)
		return bench_wrong(argv, argv[3]);
	if (!(seconds > 0))
		return bench_wrong(argv, argv[4]);
	if (t.nap.tv_nsec < 0 || t.nap.tv_nsec >= 1000000000)
		return bench_wrong(argv, argv[5]);
	if (t.device.queue >= t.device.queues)
		return bench_wrong(argv, argv[6]);
	for (i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)(i * 37 + 11); /* The parts differ, as 3DES demands. */
	ret = run(&t, argv[1], seconds);
	if (ret != 0)
		fprintf(stderr, "tasks-bench: %s\n", strerror(-ret));
	if (t.session != NULL)
		rte_cryptodev_sym_session_free(t.device.id, t.session);
	any_device_stop(&t.device);
	rte_eal_cleanup();
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
