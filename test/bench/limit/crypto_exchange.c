/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures what two CPUs can do at most when one of them asks and the other one computes. A bare
 * loop (exchange.h) moves the cache lines of each operation and its payload between two CPUs, and
 * gives the payload to IPsec-MB, one unchecked job an operation, as crypto_aesni_mb does. There is
 * no DPDK, no driver, no DMA and no check. What an embedded device loses against this is its own
 * work. With --alone the library also works by itself on the second CPU, on the same buffers.
 *
 * The output has a line "what,algorithm,bytes,in flight,operations per second" for each size and
 * each number of operations in flight, where what is "pair" or "alone".
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <intel-ipsec-mb.h>

#include "exchange.h"

#define MAX_SIZE 65520u /* the library takes no longer messages */
#define MAX_NUMBERS 16u
#define ROUND (EXCHANGE_RING * UINT64_C(4)) /* operations between two looks at the clock */
#define AAD_LEN 16u
#define DIGEST_MAX 20u
#define HUGE_PAGE (UINT64_C(2) << 20)
/* Before a payload there is what an mbuf has there: its structure, headroom, operation and IV. */
#define BEFORE 448u

enum algorithm { ALG_CBC, ALG_GCM, ALG_CBC_SHA1 };

static const char *const names[] = { "aes-128-cbc", "aes-128-gcm", "aes-128-cbc+sha1-hmac" };

/* The first ciphertext block of a message of zeros with a key and an IV of zeros: FIPS 197 for CBC,
 * and the second test case of the GCM specification. */
static const uint8_t first_cbc[16] = { 0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b, 0x88, 0x4c,
		0xfa, 0x59, 0xca, 0x34, 0x2b, 0x2e };
static const uint8_t first_gcm[16] = { 0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92, 0xf3, 0x28,
		0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78 };

struct device {
	IMB_MGR *mgr;
	IMB_JOB job; /* the template of all */
	_Alignas(64) struct gcm_key_data gcm;
	_Alignas(16) uint32_t enc_keys[4 * 15], dec_keys[4 * 15];
	uint8_t ipad[64], opad[64]; /* hash states */
	uint8_t iv[16];
	uint8_t aad[AAD_LEN];
	uint8_t *buffers;
	uint64_t stride, len; /* of a buffer, of all */
	unsigned int in_flight; /* operations, each with a buffer; a power of two */
	uint64_t done;
	uint64_t errors;
};

static uint8_t *
payload(const struct device *d, uint64_t op)
{
	return d->buffers + (op & (d->in_flight - 1)) * d->stride + BEFORE;
}

/* Counts the jobs that the library returns, which are in the order of submission. */
static void
take_back(struct device *d, const IMB_JOB *job)
{
	for (; job != NULL; job = IMB_GET_COMPLETED_JOB(d->mgr)) {
		d->errors += job->status != IMB_STATUS_COMPLETED;
		d->done++;
	}
}

/* Gives the payloads to the library. */
static uint64_t
encrypt(void *arg, uint64_t from, uint64_t to)
{
	struct device *d = arg;
	uint64_t op;

	if (from == to) {
		const uint64_t before = d->done;

		while (d->done == before)
			take_back(d, IMB_FLUSH_JOB(d->mgr));
		return d->done;
	}
	for (op = from; op != to; op++) {
		IMB_JOB *job = IMB_GET_NEXT_JOB(d->mgr);

		*job = d->job;
		job->src = payload(d, op);
		job->dst = payload(d, op);
		job->auth_tag_output = payload(d, op) + d->job.msg_len_to_cipher_in_bytes;
		take_back(d, IMB_SUBMIT_JOB_NOCHECK(d->mgr));
	}
	return d->done;
}

static void
hash_pads(struct device *d)
{
	uint8_t pad[64];

	memset(pad, 0x36, sizeof(pad));
	IMB_SHA1_ONE_BLOCK(d->mgr, pad, d->ipad);
	memset(pad, 0x5c, sizeof(pad));
	IMB_SHA1_ONE_BLOCK(d->mgr, pad, d->opad);
}

/* Sets the template for an algorithm. All keys are zero. */
static void
make_job(struct device *d, enum algorithm algorithm, uint32_t size)
{
	static const uint8_t key[16];
	IMB_JOB *job = &d->job;

	memset(job, 0, sizeof(*job));
	job->key_len_in_bytes = 16;
	job->iv = d->iv;
	job->iv_len_in_bytes = algorithm == ALG_GCM ? 12 : 16;
	job->cipher_direction = IMB_DIR_ENCRYPT;
	job->chain_order = IMB_ORDER_CIPHER_HASH;
	job->msg_len_to_cipher_in_bytes = size;
	job->hash_alg = IMB_AUTH_NULL;
	if (algorithm == ALG_GCM) {
		IMB_AES128_GCM_PRE(d->mgr, key, &d->gcm);
		job->cipher_mode = IMB_CIPHER_GCM;
		job->hash_alg = IMB_AUTH_AES_GMAC;
		job->enc_keys = &d->gcm;
		job->dec_keys = &d->gcm;
		job->u.GCM.aad = d->aad;
		job->u.GCM.aad_len_in_bytes = AAD_LEN;
		job->msg_len_to_hash_in_bytes = size;
		job->auth_tag_output_len_in_bytes = 16;
		return;
	}
	IMB_AES_KEYEXP_128(d->mgr, key, d->enc_keys, d->dec_keys);
	job->cipher_mode = IMB_CIPHER_CBC;
	job->enc_keys = d->enc_keys;
	job->dec_keys = d->dec_keys;
	if (algorithm == ALG_CBC_SHA1) {
		job->hash_alg = IMB_AUTH_HMAC_SHA_1;
		job->msg_len_to_hash_in_bytes = size;
		job->u.HMAC._hashed_auth_key_xor_ipad = d->ipad;
		job->u.HMAC._hashed_auth_key_xor_opad = d->opad;
		job->auth_tag_output_len_in_bytes = DIGEST_MAX;
	}
}

/* Memory with huge pages if there are any. */
static uint8_t *
map(uint64_t len)
{
	void *memory = mmap(NULL, len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE, -1, 0);

	if (memory != MAP_FAILED)
		return memory;
	memory = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	madvise(memory, len, MADV_HUGEPAGE);
	memset(memory, 0, len);
	return memory;
}

/* Checks what the first pass has left: each payload has the known first block, and all are the
 * same. Returns how many are not. */
static uint64_t
check(const struct device *d, enum algorithm algorithm, uint32_t size)
{
	const uint8_t *first = algorithm == ALG_GCM ? first_gcm : first_cbc;
	uint64_t op, wrong = 0;

	for (op = 0; op < d->in_flight; op++)
		wrong += memcmp(payload(d, op), first, sizeof(first_cbc)) != 0 ||
				memcmp(payload(d, op), payload(d, 0), size + DIGEST_MAX) != 0;
	return wrong;
}

/* Makes the buffers and the template of a size. */
static void
prepare(struct device *d, enum algorithm algorithm, uint32_t size, unsigned int in_flight)
{
	d->in_flight = in_flight;
	d->stride = (BEFORE + size + DIGEST_MAX + 127) / 64 * 64;
	d->len = (d->stride * in_flight + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	d->buffers = map(d->len);
	d->done = d->errors = 0;
	if (d->buffers == NULL) {
		fprintf(stderr, "no memory for %" PRIu64 " bytes of buffers\n", d->len);
		exit(EXIT_FAILURE);
	}
	make_job(d, algorithm, size);
}

static double
seconds_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - begin->tv_sec) +
			1e-9 * (double)(now.tv_nsec - begin->tv_nsec);
}

/* Runs the bare loop for a time. Returns operations per second. */
static double
pair_for(struct exchange *x, unsigned int in_flight, double seconds)
{
	struct timespec begin;
	uint64_t ops = 0;
	double ran;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		exchange_pipeline(x, ROUND, in_flight);
		ops += ROUND;
		ran = seconds_since(&begin);
	} while (ran < seconds);
	return (double)ops / ran;
}

/* Measures the bare loop. Returns operations per second, or 0 if some were wrong. */
static double
measure_pair(struct device *d, enum algorithm algorithm, uint32_t size, unsigned int burst, int cpu,
		double seconds)
{
	struct exchange *x = exchange_create(false);
	uint64_t wrong;
	double rate;

	if (burst > d->in_flight)
		burst = d->in_flight;
	if (x == NULL || exchange_start_work(x, cpu, burst, encrypt, d) != 0) {
		fprintf(stderr, "no memory or no thread for the bare loop\n");
		exit(EXIT_FAILURE);
	}
	exchange_pipeline(x, d->in_flight, d->in_flight);
	wrong = check(d, algorithm, size);
	pair_for(x, d->in_flight, seconds / 4); /* warm up */
	rate = pair_for(x, d->in_flight, seconds);
	exchange_stop(x);
	wrong += exchange_wrong(x) + d->errors;
	exchange_destroy(x);
	return wrong == 0 ? rate : 0;
}

static bool
run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set) == 0;
}

/* Runs the library alone. Returns as measure_pair() does. */
static double
measure_alone(struct device *d, unsigned int burst, double seconds)
{
	const uint64_t first = d->done;
	struct timespec begin;
	uint64_t op = first;
	double ran;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		const uint64_t end = op + ROUND;

		for (; op != end; op += burst)
			encrypt(d, op, op + burst);
		ran = seconds_since(&begin);
	} while (ran < seconds);
	while (d->done != op)
		encrypt(d, op, op);
	return d->errors == 0 ? (double)(op - first) / ran : 0;
}

static void
usage(const char *name)
{
	printf("usage: %s --algorithm NAME --sizes N[,N...] [--in-flight N[,N...]] [--alone]\n"
		"       [--cpus A,B] [--burst N] [--seconds X]\n"
		"  --algorithm NAME    aes-128-cbc, aes-128-gcm or aes-128-cbc+sha1-hmac\n"
		"  --sizes N,...       bytes, multiples of 16 up to %u\n"
		"  --in-flight N,...   operations under way, powers of two from 2 to %u (%u)\n"
		"  --alone             also the library alone, on the second CPU\n"
		"  --cpus A,B          CPUs: one asks, the other one computes; default 0,1\n"
		"  --burst N           operations posted at once, a power of two, default 32,\n"
		"                      and at most those in flight\n"
		"  --seconds X         for each number, default 0.2\n",
		name, MAX_SIZE, EXCHANGE_RING, EXCHANGE_RING);
}

static bool
is_size(unsigned long n)
{
	return n != 0 && n <= MAX_SIZE && n % 16 == 0;
}

static bool
is_power(unsigned long n)
{
	return n != 0 && n <= EXCHANGE_RING && (n & (n - 1)) == 0;
}

static bool
is_in_flight(unsigned long n)
{
	return n > 1 && is_power(n);
}

/* Reads a list of numbers. Returns how many, or 0 if one is wrong. */
static unsigned int
read_numbers(const char *text, bool (*is_good)(unsigned long n), uint32_t *numbers)
{
	unsigned int nb = 0;
	char *end;

	do {
		const unsigned long n = strtoul(text, &end, 10);

		if (nb == MAX_NUMBERS || !is_good(n) || (*end != ',' && *end != '\0'))
			return 0;
		numbers[nb++] = (uint32_t)n;
		text = end + 1;
	} while (*end == ',');
	return nb;
}

struct arguments {
	unsigned int algorithm; /* or more than there are */
	uint32_t sizes[MAX_NUMBERS], in_flight[MAX_NUMBERS];
	unsigned int nb_sizes, nb_in_flight, burst;
	bool alone;
	int cpu[2];
	double seconds;
};

/* Reads the arguments. Returns an exit code, or -1 to go on. */
static int
read_arguments(int argc, char **argv, struct arguments *a)
{
	static const struct option options[] = {
		{ "algorithm", required_argument, NULL, 'a' },
		{ "sizes", required_argument, NULL, 's' },
		{ "in-flight", required_argument, NULL, 'i' },
		{ "alone", no_argument, NULL, 'l' },
		{ "cpus", required_argument, NULL, 'c' },
		{ "burst", required_argument, NULL, 'b' },
		{ "seconds", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	bool good = true;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case 'a':
			for (a->algorithm = 0; a->algorithm < 3; a->algorithm++)
				if (strcmp(optarg, names[a->algorithm]) == 0)
					break;
			break;
		case 's':
			a->nb_sizes = read_numbers(optarg, is_size, a->sizes);
			break;
		case 'i':
			a->nb_in_flight = read_numbers(optarg, is_in_flight, a->in_flight);
			break;
		case 'l':
			a->alone = true;
			break;
		case 'c':
			good = good && sscanf(optarg, "%d,%d", &a->cpu[0], &a->cpu[1]) == 2;
			break;
		case 'b':
			a->burst = (unsigned int)strtoul(optarg, NULL, 10);
			break;
		case 't':
			a->seconds = strtod(optarg, NULL);
			break;
		default:
			usage(argv[0]);
			return opt == 'h' ? EXIT_SUCCESS : 2;
		}
	}
	if (!good || optind != argc || a->algorithm > 2 || a->nb_sizes == 0 ||
			a->nb_in_flight == 0 || !is_power(a->burst) || a->cpu[0] == a->cpu[1] ||
			a->seconds <= 0) {
		fprintf(stderr,
			"%s: an algorithm and sizes are needed, operations in flight and the burst"
			" are powers of two up to %u, and the CPUs differ\n", argv[0],
			EXCHANGE_RING);
		usage(argv[0]);
		return 2;
	}
	return -1;
}

static bool
print(const char *what, enum algorithm algorithm, const struct device *d, double rate)
{
	const uint64_t size = d->job.msg_len_to_cipher_in_bytes;

	if (rate == 0)
		fprintf(stderr, "%s, %" PRIu64 " bytes, %u in flight: operations were wrong\n",
				names[algorithm], size, d->in_flight);
	else
		printf("%s,%s,%" PRIu64 ",%u,%.0f\n", what, names[algorithm], size, d->in_flight,
				rate);
	fflush(stdout);
	return rate != 0;
}

/* Measures a size with a number of operations in flight. Returns true if all were right. */
static bool
measure(struct device *d, const struct arguments *a, uint32_t size, unsigned int in_flight)
{
	const enum algorithm algorithm = (enum algorithm)a->algorithm;
	bool good;

	prepare(d, algorithm, size, in_flight);
	good = print("pair", algorithm, d,
			measure_pair(d, algorithm, size, a->burst, a->cpu[1], a->seconds));
	if (a->alone) {
		run_on(a->cpu[1]);
		good = print("alone", algorithm, d,
				measure_alone(d, a->burst, a->seconds)) && good;
		run_on(a->cpu[0]);
	}
	munmap(d->buffers, d->len);
	return good;
}

int
main(int argc, char **argv)
{
	struct arguments a = { .algorithm = 3, .in_flight = { EXCHANGE_RING }, .nb_in_flight = 1,
			.burst = 32, .cpu = { 0, 1 }, .seconds = 0.2 };
	static struct device device;
	unsigned int size, depth;
	bool good = true;
	int code = read_arguments(argc, argv, &a);

	if (code >= 0)
		return code;
	if (!run_on(a.cpu[0])) {
		fprintf(stderr, "%s: cannot run on CPU %d\n", argv[0], a.cpu[0]);
		return EXIT_FAILURE;
	}
	device.mgr = alloc_mb_mgr(0);
	if (device.mgr == NULL) {
		fprintf(stderr, "%s: no memory for IPsec-MB\n", argv[0]);
		return EXIT_FAILURE;
	}
	init_mb_mgr_auto(device.mgr, NULL);
	hash_pads(&device);
	for (size = 0; size < a.nb_sizes; size++)
		for (depth = 0; depth < a.nb_in_flight; depth++)
			good = measure(&device, &a, a.sizes[size], a.in_flight[depth]) && good;
	free_mb_mgr(device.mgr);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
