/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What an operation costs a program: CPU time of its own threads, with the provider and with the
 * default provider in turn, so that both see the same machine. The threads of the embedded device
 * are counted apart. tools/bench --openssl runs it.
 *
 * ossl-cost OPERATION BYTES JOBS ROUNDS OPERATIONS [device]
 *
 * OPERATION is rsa-sign, or the name of a cipher: a GCM does records of TLS 1.3 in place, any other
 * one texts from one buffer to another. With 0 JOBS a call returns when the device is done. With
 * `pipes` for JOBS it has the 32 records of a pipeline. There are ROUNDS rounds of so many
 * OPERATIONS; with `device` without the default provider, for perf. A line per round says what an
 * operation has cost, in ns, and how many bytes of it were copied:
 *
 * software S program P main M poller Q device D wall W copied C (P is M and Q)
 *
 * With the OPERATION round-trip, records of AES-128-GCM are done by a caller who waits, and then
 * without OpenSSL on the same device. A line says the medians of their times on the clock, in ns:
 *
 * bare B provider P
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <openssl/async.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "bare.h"
#include "harness.h"
#include "pipeline.h"

#define MOST_JOBS 256
#define TAG 16
#define RSA_BITS 2048

struct times {
	uint64_t mine, poller, device, wall;
};

static struct pipeline pipeline; /* without a context: there are jobs */

/* One job, with contexts and buffers of its own. */
struct task {
	EVP_CIPHER_CTX *cipher;
	EVP_PKEY_CTX *signer;
	uint8_t *in, *out;
	int len;
	unsigned int left; /* operations */
	bool failed;
};

static uint64_t
clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Reads the first number of a file of a thread, which is its CPU time in ns, or its name. */
static bool
read_task(const char *tid, const char *file, char *text, size_t size)
{
	char path[320];
	FILE *f;
	bool ok;

	snprintf(path, sizeof(path), "/proc/self/task/%s/%s", tid, file);
	f = fopen(path, "r");
	if (f == NULL)
		return false;
	ok = fgets(text, (int)size, f) != NULL;
	fclose(f);
	return ok;
}

/* Adds up the CPU time of this thread, of the other threads of the provider, and of the device. */
static struct times
times_now(void)
{
	struct times t = { .mine = clock_ns(CLOCK_THREAD_CPUTIME_ID),
		.wall = clock_ns(CLOCK_MONOTONIC) };
	long self = syscall(SYS_gettid);
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		char name[32], time[64];

		if (atol(entry->d_name) == self || entry->d_name[0] == '.' ||
				!read_task(entry->d_name, "comm", name, sizeof(name)) ||
				!read_task(entry->d_name, "schedstat", time, sizeof(time)))
			continue;
		if (strncmp(name, "accel-", 6) == 0)
			t.device += strtoull(time, NULL, 10);
		else
			t.poller += strtoull(time, NULL, 10);
	}
	if (dir != NULL)
		closedir(dir);
	return t;
}

static bool
record(struct task *t)
{
	uint8_t header[5] = { 23, 3, 3, (t->len + TAG) >> 8, (t->len + TAG) & 255 }, iv[12] = { 1 };
	uint8_t tag[TAG];
	int done;

	return EVP_EncryptInit_ex2(t->cipher, NULL, NULL, iv, NULL) == 1 &&
			EVP_EncryptUpdate(t->cipher, NULL, &done, header, sizeof(header)) == 1 &&
			EVP_EncryptUpdate(t->cipher, t->in, &done, t->in, t->len) == 1 &&
			EVP_EncryptFinal_ex(t->cipher, t->out, &done) == 1 &&
			EVP_CIPHER_CTX_ctrl(t->cipher, EVP_CTRL_AEAD_GET_TAG, TAG, tag) == 1;
}

/* Does records of TLS 1.3 in place in a pipeline. */
static bool
records(struct pipeline *p, struct task *tasks, unsigned int operations)
{
	uint8_t header[5] = { 23, 3, 3, (tasks->len + TAG) >> 8, (tasks->len + TAG) & 255 };
	uint8_t iv[12] = { 1 }, tags[PIPES_MAX][TAG], *out[PIPES_MAX];
	const uint8_t *ivs[PIPES_MAX], *headers[PIPES_MAX], *in[PIPES_MAX];
	size_t header_len[PIPES_MAX], len[PIPES_MAX], done[PIPES_MAX];
	bool ok = true;

	for (int i = 0; i < PIPES_MAX; i++) {
		ivs[i] = iv;
		headers[i] = header;
		header_len[i] = sizeof(header);
		in[i] = out[i] = tasks[i].in;
		len[i] = tasks->len;
	}
	for (; operations >= PIPES_MAX && ok; operations -= PIPES_MAX)
		ok = pipeline_init(p, true, NULL, PIPES_MAX, ivs, sizeof(iv)) &&
				pipeline_update(p, NULL, done, NULL, headers, header_len) &&
				pipeline_update(p, out, done, len, in, len) &&
				pipeline_final(p, out, done, len) && pipeline_tags(p, tags, false);
	return ok;
}

/* Does the operations of a job. */
static int
work(void *arg)
{
	struct task *t = *(struct task **)arg;
	size_t len;
	int done;

	for (; t->left != 0 && !t->failed; t->left--) {
		len = RSA_BITS / 8;
		if (t->signer != NULL)
			t->failed = EVP_PKEY_sign(t->signer, t->out, &len, t->in, 32) != 1;
		else if (EVP_CIPHER_CTX_get_mode(t->cipher) == EVP_CIPH_GCM_MODE)
			t->failed = !record(t);
		else
			t->failed = EVP_EncryptUpdate(t->cipher, t->out, &done, t->in, t->len) != 1;
	}
	return 1;
}

/* Watches the descriptor of a job that has paused. */
static bool
watch(int epoll, ASYNC_WAIT_CTX *ctx, int job)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = job };
	OSSL_ASYNC_FD fd;
	size_t nb = 1;

	return ASYNC_WAIT_CTX_get_all_fds(ctx, &fd, &nb) == 1 &&
			epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Runs jobs in this thread, which sleeps in epoll_wait() when no job can go on. */
static bool
run_jobs(struct task *tasks, int jobs)
{
	ASYNC_WAIT_CTX *ctx[MOST_JOBS];
	ASYNC_JOB *job[MOST_JOBS] = { NULL };
	struct epoll_event ready[MOST_JOBS];
	int epoll = epoll_create1(0), left = jobs, nb = jobs, result;
	bool watched[MOST_JOBS] = { false }, done[MOST_JOBS] = { false }, ok = epoll >= 0;

	for (int i = 0; i < jobs; i++) {
		ctx[i] = ASYNC_WAIT_CTX_new();
		ready[i].data.u32 = i;
	}
	while (left > 0 && ok) {
		for (int k = 0; k < nb; k++) {
			int i = (int)ready[k].data.u32;
			struct task *arg = &tasks[i];

			if (done[i]) /* the timer wakes all contexts of this thread */
				continue;
			switch (ASYNC_start_job(
					&job[i], ctx[i], &result, work, &arg, sizeof(arg))) {
			case ASYNC_PAUSE:
				if (!watched[i])
					watched[i] = ok = watch(epoll, ctx[i], i);
				break;
			case ASYNC_FINISH:
				done[i] = true;
				left--;
				break;
			default:
				ok = false;
			}
		}
		nb = left > 0 && ok ? epoll_wait(epoll, ready, MOST_JOBS, 30000) : 0;
		ok = ok && (nb > 0 || left == 0);
	}
	for (int i = 0; i < jobs; i++)
		ASYNC_WAIT_CTX_free(ctx[i]);
	close(epoll);
	return ok;
}

/* Does operations, shared among jobs. Returns false if one failed. */
static bool
run_all(struct task *tasks, int jobs, unsigned int operations)
{
	int nb = jobs > 0 ? jobs : 1;
	bool ok = true;

	if (jobs > 0 && pipeline.ctx != NULL)
		return records(&pipeline, tasks, operations);
	for (int i = 0; i < nb; i++)
		tasks[i].left = operations / nb;
	if (jobs > 0)
		ok = run_jobs(tasks, jobs);
	else
		ok = work(&(struct task *){ &tasks[0] }) == 1;
	for (int i = 0; i < nb; i++)
		ok = ok && !tasks[i].failed && tasks[i].left == 0;
	return ok;
}

/* Prepares contexts and buffers. */
static bool
prepare(OSSL_LIB_CTX *ctx, const char *name, int len, struct task *tasks, int nb)
{
	const uint8_t key[32] = { 1 }, iv[16] = { 2 };
	EVP_PKEY *pkey = NULL;
	EVP_CIPHER *cipher = NULL;
	bool ok;

	if (strcmp(name, "rsa-sign") == 0)
		pkey = EVP_PKEY_Q_keygen(ctx, NULL, "RSA", (size_t)RSA_BITS);
	else
		cipher = EVP_CIPHER_fetch(ctx, name, NULL);
	ok = pkey != NULL || cipher != NULL;
	for (int i = 0; i < nb && ok; i++) {
		struct task *t = &tasks[i];

		*t = (struct task){ .len = len, .in = OPENSSL_zalloc(len + 1024),
			.out = OPENSSL_zalloc(len + 1024) };
		if (pkey != NULL) {
			t->signer = EVP_PKEY_CTX_new_from_pkey(ctx, pkey, NULL);
			ok = EVP_PKEY_sign_init(t->signer) == 1 &&
					EVP_PKEY_CTX_set_rsa_padding(
							t->signer, RSA_PKCS1_PADDING) == 1 &&
					EVP_PKEY_CTX_set_signature_md(t->signer, EVP_sha256()) == 1;
		} else {
			t->cipher = EVP_CIPHER_CTX_new();
			ok = EVP_EncryptInit_ex2(t->cipher, cipher, key, iv, NULL) == 1;
		}
	}
	EVP_PKEY_free(pkey);
	EVP_CIPHER_free(cipher);
	return ok;
}

/* Prepares a pipeline, whose records need no key of their own. */
static bool
prepare_pipeline(const char *name)
{
	const uint8_t key[32] = { 1 }, iv[16] = { 2 }, *ivs[PIPES_MAX];

	for (int i = 0; i < PIPES_MAX; i++)
		ivs[i] = iv;
	return pipeline_new(&pipeline, name) &&
			pipeline_init(&pipeline, true, key, PIPES_MAX, ivs, 12);
}

/* Measures a round. Without an operation on the device it is no measurement. */
static bool
measure(struct task *sw, struct task *hw, int jobs, unsigned int operations, bool alone)
{
	unsigned long done = counter(NULL, " operations="), copied = counter(NULL, " copied=");
	struct times before = times_now(), between, after;

	if (!alone && !run_all(sw, 0, operations))
		return false;
	between = times_now();
	if (!run_all(hw, jobs, operations))
		return false;
	after = times_now();
	if (counter(NULL, " operations=") - done < operations - operations / 10 - MOST_JOBS)
		return false;
	after.mine -= between.mine;
	after.poller -= between.poller;
	printf("software %.0f program %.0f main %.0f poller %.0f device %.0f wall %.0f "
	       "copied %.0f\n",
			(double)(between.mine - before.mine) / operations,
			(double)(after.mine + after.poller) / operations,
			(double)after.mine / operations, (double)after.poller / operations,
			(double)(after.device - between.device) / operations,
			(double)(after.wall - between.wall) / operations,
			(double)(counter(NULL, " copied=") - copied) / operations);
	fflush(stdout);
	return true;
}

static int
by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Times single operations, with OpenSSL and without it in turn. */
static bool
round_trips(struct task *hw, unsigned int operations)
{
	uint64_t *bare = calloc(operations, sizeof(*bare));
	uint64_t *ours = calloc(operations, sizeof(*ours));
	unsigned long done = counter(NULL, " operations=");
	bool ok = bare != NULL && ours != NULL;

	for (unsigned int i = 0; i < operations && ok; i++) {
		uint64_t begin = clock_ns(CLOCK_MONOTONIC), between;

		ok = record(hw);
		between = clock_ns(CLOCK_MONOTONIC);
		ok = ok && bare_operation();
		bare[i] = clock_ns(CLOCK_MONOTONIC) - between;
		ours[i] = between - begin;
	}
	ok = ok && counter(NULL, " operations=") - done >= operations;
	if (ok) {
		qsort(bare, operations, sizeof(*bare), by_size);
		qsort(ours, operations, sizeof(*ours), by_size);
		printf("bare %lu provider %lu\n", (unsigned long)bare[operations / 2],
				(unsigned long)ours[operations / 2]);
	}
	free(bare);
	free(ours);
	return ok;
}

int
main(int argc, char **argv)
{
	const char *operation = argc > 1 ? argv[1] : "";
	bool trips = strcmp(operation, "round-trip") == 0, pipes;
	static struct task sw[1], hw[MOST_JOBS];
	int len, jobs, nb;
	unsigned int operations;

	if (argc < 6 || argc > 7 || (argc == 7 && strcmp(argv[6], "device") != 0)) {
		fprintf(stderr, "ossl-cost OPERATION BYTES JOBS ROUNDS OPERATIONS [device]\n");
		return 2;
	}
	pipes = strcmp(argv[3], "pipes") == 0;
	len = atoi(argv[2]);
	jobs = pipes ? PIPES_MAX : atoi(argv[3]);
	operations = strtoul(argv[5], NULL, 10);
	if (len < 1 || len > 32768 || jobs < 0 || jobs > MOST_JOBS || operations < 256) {
		fprintf(stderr,
				"ossl-cost: BYTES are 1 to 32768, JOBS 0 to %d or `pipes`, "
				"OPERATIONS 256 and more\n",
				MOST_JOBS);
		return 2;
	}
	nb = jobs > 0 ? jobs : 1;
	operations -= operations % nb;
	if (trips)
		operation = "AES-128-GCM";
	if (!start() || !prepare(sw_ctx, operation, len, sw, 1) ||
			!prepare(hw_ctx, operation, len, hw, nb) ||
			(pipes && !prepare_pipeline(operation)) || !run_all(hw, jobs, nb * 8) ||
			(trips && !bare_prepare(len))) {
		fprintf(stderr, "ossl-cost: '%s' cannot be done\n", argv[1]);
		return 1;
	}
	for (int i = atoi(argv[4]); i > 0; i--)
		if (trips ? !round_trips(hw, operations)
			  : !measure(sw, hw, jobs, operations, argc == 7)) {
			fprintf(stderr, "ossl-cost: an operation failed, or not on the device\n");
			return 1;
		}
	return 0;
}
