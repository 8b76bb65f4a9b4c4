/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The crypto_accel authors
 *
 * Exchanges bare cache lines: see exchange.h.
 */
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

#define RING EXCHANGE_RING
#define MASK (RING - 1)
/* Each part begins on a page of its own, so that two parts share no cache line. */
#define PAGE 4096

struct command {
	uint64_t word[8];
};

struct response {
	uint64_t tag;
	uint64_t status;
};

/* Each line has one writer. */
struct shared {
	alignas(PAGE) struct command command[RING]; /* producer */
	alignas(PAGE) uint64_t tx[2 * RING];        /* producer */
	alignas(PAGE) uint64_t rx[RING];            /* producer */
	alignas(PAGE) struct response resp[RING];   /* consumer */
	alignas(PAGE) _Atomic uint64_t doorbell;    /* producer: operations posted */
	alignas(PAGE) _Atomic uint64_t writeback;   /* consumer: operations done */
	alignas(PAGE) _Atomic uint64_t stop;        /* producer: the consumer shall end */
};

struct exchange {
	struct shared *shared;
	pthread_t thread;
	int cpu;
	unsigned int burst;
	bool one_cpu;
	exchange_work *work;
	void *arg; /* of work */
	uint64_t next; /* next operation */
	uint64_t wrong;
};

static int
compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double
median_of(double *values, unsigned int n)
{
	qsort(values, n, sizeof(values[0]), compare_double);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Pauses between two looks at a line that has not changed. */
static inline void
relax(const struct exchange *x)
{
	if (x->one_cpu)
		sched_yield();
#if defined(__x86_64__)
	else
		_mm_pause();
#endif
}

static void
pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* Reads all that an operation consists of, and writes its response. */
static inline void
respond(struct shared *shared, uint64_t op)
{
	const struct command *cmd = &shared->command[op & MASK];
	const uint64_t *tx = &shared->tx[2 * (op & MASK)];
	struct response *resp = &shared->resp[op & MASK];
	uint64_t sum = tx[0] ^ tx[1] ^ shared->rx[op & MASK];
	int i;

	for (i = 1; i < 8; i++)
		sum ^= cmd->word[i];
	resp->tag = cmd->word[0];
	resp->status = sum;
}

/* Waits for operations after @p done. Returns up to which they are posted, or done if the device
 * shall end. */
static inline uint64_t
wait_posted(const struct exchange *x, uint64_t done)
{
	const struct shared *shared = x->shared;
	uint64_t posted;

	for (;;) {
		posted = atomic_load_explicit(&shared->doorbell, memory_order_acquire);
		if (posted != done ||
		    atomic_load_explicit(&shared->stop, memory_order_relaxed))
			return posted;
		relax(x);
	}
}

/* Plays the device. It writes the write-back line once for each burst or when no operation is left.
 * What it has begun of its work it ends when there is nothing else to begin. */
static void *
device(void *opaque)
{
	const struct exchange *x = opaque;
	struct shared *shared = x->shared;
	uint64_t done = x->next, begun = x->next;
	uint64_t posted, upto;

	pin_to(x->cpu);
	for (;;) {
		posted = wait_posted(x, done);
		if (posted == done)
			return NULL;
		if (posted - begun > x->burst)
			posted = begun + x->burst;
		upto = x->work != NULL ? x->work(x->arg, begun, posted) : posted;
		begun = posted;
		if (upto == done)
			continue;
		for (; done != upto; done++)
			respond(shared, done);
		atomic_store_explicit(&shared->writeback, done, memory_order_release);
	}
}

struct exchange *
exchange_create(bool one_cpu)
{
	struct exchange *x = calloc(1, sizeof(*x));

	if (x == NULL)
		return NULL;
	x->one_cpu = one_cpu;
	x->shared = aligned_alloc(PAGE, sizeof(*x->shared));
	if (x->shared == NULL) {
		free(x);
		return NULL;
	}
	memset(x->shared, 0, sizeof(*x->shared));
	return x;
}

void
exchange_destroy(struct exchange *x)
{
	free(x->shared);
	free(x);
}

int
exchange_start_work(struct exchange *x, int cpu, unsigned int burst, exchange_work *work,
		    void *arg)
{
	x->cpu = cpu;
	x->burst = burst;
	x->work = work;
	x->arg = arg;
	atomic_store(&x->shared->stop, 0);
	return pthread_create(&x->thread, NULL, device, x);
}

int
exchange_start(struct exchange *x, int cpu, unsigned int burst)
{
	return exchange_start_work(x, cpu, burst, NULL, NULL);
}

void
exchange_stop(struct exchange *x)
{
	atomic_store(&x->shared->stop, 1);
	pthread_join(x->thread, NULL);
}

uint64_t
exchange_wrong(const struct exchange *x)
{
	return x->wrong;
}

/* Posts operations [from, to). */
static inline void
post(struct shared *shared, uint64_t from, uint64_t to)
{
	uint64_t op;

	for (op = from; op != to; op++) {
		struct command *cmd = &shared->command[op & MASK];
		uint64_t *tx = &shared->tx[2 * (op & MASK)];
		int i;

		for (i = 0; i < 8; i++)
			cmd->word[i] = op;
		tx[0] = op;
		tx[1] = op;
		shared->rx[op & MASK] = op;
	}
	atomic_store_explicit(&shared->doorbell, to, memory_order_release);
}

/* Reads the responses [from, to). Returns how many are wrong. */
static inline uint64_t
collect(const struct shared *shared, uint64_t from, uint64_t to)
{
	uint64_t wrong = 0;
	uint64_t op;

	for (op = from; op != to; op++) {
		const struct response *resp = &shared->resp[op & MASK];

		/* The device's status is the exclusive or of ten equal values, which is 0. */
		wrong += resp->tag != op || resp->status != 0;
	}
	return wrong;
}

static inline uint64_t
written(const struct shared *shared)
{
	return atomic_load_explicit(&shared->writeback, memory_order_acquire);
}

/* Posts operations up to the end of the ring, so that rounds begin at its first slot. */
static void
align_to_ring(struct exchange *x)
{
	while (x->next % RING != 0) {
		post(x->shared, x->next, x->next + 1);
		while (written(x->shared) != x->next + 1)
			relax(x);
		x->wrong += collect(x->shared, x->next, x->next + 1);
		x->next++;
	}
}

void
exchange_fill_and_drain(struct exchange *x, unsigned int passes, double *enqueue, double *dequeue)
{
	const uint64_t burst = x->burst;
	double filling[EXCHANGE_MAX_PASSES], draining[EXCHANGE_MAX_PASSES];
	uint64_t start, op, end;
	unsigned int pass;

	align_to_ring(x);
	for (pass = 0; pass < passes; pass++) {
		op = x->next;
		end = op + RING;
		start = cycles_now();
		for (; op != end; op += burst)
			post(x->shared, op, op + burst);
		filling[pass] = (double)(cycles_now() - start);

		while (written(x->shared) != end)
			relax(x);

		op = x->next;
		start = cycles_now();
		for (; op != end; op += burst) {
			if (written(x->shared) - op < burst)
				abort();
			x->wrong += collect(x->shared, op, op + burst);
		}
		draining[pass] = (double)(cycles_now() - start);
		x->next = end;
	}
	*enqueue = median_of(filling, passes) / RING;
	*dequeue = median_of(draining, passes) / RING;
}

double
exchange_pipeline(struct exchange *x, uint64_t count, unsigned int in_flight)
{
	const uint64_t burst = x->burst;
	uint64_t posted = x->next, done = x->next, end = x->next + count / burst * burst;
	uint64_t upto, start;

	start = cycles_now();
	while (done != end) {
		if (posted != end && posted + burst - done <= in_flight) {
			post(x->shared, posted, posted + burst);
			posted += burst;
		}
		upto = written(x->shared);
		if (upto == done) {
			relax(x);
			continue;
		}
		if (upto - done > burst)
			upto = done + burst;
		x->wrong += collect(x->shared, done, upto);
		done = upto;
	}
	start = cycles_now() - start;
	count = end - x->next;
	x->next = end;
	return (double)start / (double)count;
}

void
exchange_ping_pong(struct exchange *x, double *cycles, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++, x->next++) {
		const uint64_t start = cycles_now();

		post(x->shared, x->next, x->next + 1);
		while (written(x->shared) != x->next + 1)
			relax(x);
		x->wrong += collect(x->shared, x->next, x->next + 1);
		cycles[i] = (double)(cycles_now() - start);
	}
}
