/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Engines: which task is next, and how threads wait for one another. See pk_pool.h.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "mem/wipe.h"
#include "pk/pk_pool.h"

/* An engine that ends many short tasks wakes the worker at most this often, unless enough tasks are
 * done. */
#define WAKE_NS 3000000u
/* If each engine has TASKS_LEFT, the engines are busy until the worker has brought more. */
#define TASKS_LEFT 8u
#define CLOCK_SHIFT 8 /* fraction bits of a client's clock */
/* The CPU time of a thread is read this often. Reading it takes 0.2 us. */
#define MEASURE_NS 1000000u

/* The functions below wait and wake. */

/* Sleep while *word is @p value, at most for the time @p most.
 * @return true if the sleeper was woken. */
static bool
futex_wait(uint32_t *word, uint32_t value, const struct timespec *most)
{
	return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, most, NULL, 0) == 0;
}

/* Wake at most @p nb sleepers of a word. @return how many were woken. */
static uint32_t
futex_wake(uint32_t *word, int nb)
{
	const long woken = syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, nb, NULL, NULL, 0);

	return woken > 0 ? (uint32_t)woken : 0;
}

/* The sleeper announces itself before it looks for news for the last time. A thread that has news
 * looks for sleepers after it has published the news. */
void
pk_desk_sleep(struct pk_desk *desk, uint32_t us)
{
	const struct timespec most = { .tv_sec = us / 1000000u, .tv_nsec = us % 1000000u * 1000l };
	const uint32_t seen = load32(&desk->seen);

	desk->nap += desk->nap == UINT32_MAX ? 2 : 1;
	__atomic_store_n(&desk->asleep, desk->nap, __ATOMIC_SEQ_CST);
	futex_wait(&desk->events, seen, &most);
	__atomic_store_n(&desk->asleep, 0, __ATOMIC_RELAXED);
}

/* True if half of the worker's tasks have ended, so that the worker has time to fetch more. Waking
 * takes some microseconds, so if many tasks are left, three quarters have to end first. */
static bool
enough(const struct pk_pool *pool, uint32_t ended, uint32_t left)
{
	return ended >= left && (left <= TASKS_LEFT * load32(&pool->threads) || ended / 3 >= left);
}

/* Wake the worker of a task that has ended, if it is time. */
static void
tell(struct pk_desk *desk, struct pk_source *source)
{
	const uint32_t left = __atomic_sub_fetch(&desk->under_way, 1, __ATOMIC_SEQ_CST);
	uint32_t events, nap;
	uint64_t now;

	__atomic_sub_fetch(&source->under_way, 1, __ATOMIC_RELEASE);
	events = __atomic_add_fetch(&desk->events, 1, __ATOMIC_SEQ_CST);
	nap = __atomic_load_n(&desk->asleep, __ATOMIC_SEQ_CST);
	if (nap == 0)
		return;
	now = clock_ticks();
	if (!enough(desk->pool, events - load32(&desk->seen), left) &&
	    now - load64(&desk->woken) < desk->pool->wake_ticks)
		return;
	store64(&desk->woken, now);
	if (futex_wake(&desk->events, 1) == 0)
		return;
	/* The worker may not run for a while, and nobody else need wake it from this nap. A later
	 * nap has another number, and stays. */
	__atomic_compare_exchange_n(&desk->asleep, &nap, 0, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

void
pk_task_submit(struct pk_task *task, struct pk_source *source)
{
	struct pk_desk *desk = task->desk;

	task->source = source;
	store32(&task->state, PK_TASK_QUEUED);
	__atomic_add_fetch(&desk->under_way, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&source->under_way, 1, __ATOMIC_RELAXED);
	if (desk->out == NULL)
		desk->out_oldest = task;
	task->next = desk->out;
	desk->out = task;
	desk->nb_out++;
}

/* Wake engines, and count them as woken. Woken engines may not run for a while, as they leave the
 * CPU to the worker, and each call to wake them again costs as much as the first. */
static void
wake(struct pk_pool *pool, int nb)
{
	__atomic_add_fetch(&pool->signal, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&pool->idle, __ATOMIC_SEQ_CST) > 0)
		__atomic_sub_fetch(&pool->idle, futex_wake(&pool->signal, nb), __ATOMIC_RELAXED);
}

void
pk_desk_hand_over(struct pk_desk *desk)
{
	struct pk_pool *pool = desk->pool;
	const uint32_t nb = desk->nb_out;

	if (nb == 0)
		return;
	pk_push_all(&pool->inbox, desk->out, desk->out_oldest);
	desk->out = NULL;
	desk->nb_out = 0;
	wake(pool, (int)nb);
}

void
pk_pool_wake(struct pk_pool *pool)
{
	wake(pool, INT32_MAX);
}

/* The functions below find out whose turn it is. The engine holds the lock. */

void
pk_source_init(struct pk_source *source, struct pk_client *client)
{
	source->client = client;
	source->waiting = (struct pk_list){ 0 };
}

static void
append(struct pk_pool *pool, struct pk_task *task)
{
	struct pk_source *source = task->source;
	struct pk_client *client = source->client;
	const bool first = source->waiting.first == NULL;

	task->next = NULL;
	if (first)
		source->waiting.end = &source->waiting.first;
	*source->waiting.end = task;
	source->waiting.end = &task->next;
	if (!first)
		return;
	if (client->last == NULL) {
		/* An idle function does not save up time. */
		if ((int64_t)(load64(&client->clock) - pool->vtime) < 0)
			store64(&client->clock, pool->vtime);
		client->next = pool->clients;
		pool->clients = client;
		source->next = source;
	} else {
		source->next = client->last->next;
		client->last->next = source;
	}
	client->last = source;
}

/* Take new tasks, in the order in which they came. */
static void
take_inbox(struct pk_pool *pool)
{
	struct pk_task *task = pk_pop_all(&pool->inbox), *first = NULL, *next;

	for (; task != NULL; task = next) {
		next = task->next;
		task->next = first;
		first = task;
	}
	for (; first != NULL; first = next) {
		next = first->next;
		append(pool, first);
	}
}

/* Find the client whose clock is lowest. */
static struct pk_client **
choose(struct pk_pool *pool)
{
	struct pk_client **best = &pool->clients;

	if (*best == NULL)
		return NULL;
	for (struct pk_client **at = &(*best)->next; *at != NULL; at = &(*at)->next) {
		if ((int64_t)(load64(&(*at)->clock) - load64(&(*best)->clock)) < 0)
			best = at;
	}
	return best;
}

static struct pk_task *
take_next(struct pk_pool *pool)
{
	struct pk_client **at, *client;
	struct pk_source *source;
	struct pk_task *task;

	take_inbox(pool);
	at = choose(pool);
	if (at == NULL)
		return NULL;
	client = *at;
	if ((int64_t)(load64(&client->clock) - pool->vtime) > 0)
		pool->vtime = load64(&client->clock);
	source = client->last->next;
	task = source->waiting.first;
	source->waiting.first = task->next;
	if (task->next != NULL) {
		pk_task_prefetch(task->next);
		client->last = source; /* it is the next queue pair's turn */
	} else if (source->next == source) {
		client->last = NULL;
		*at = client->next;
	} else {
		client->last->next = source->next;
	}
	return task;
}

/* Says when this thread last read its CPU time, and when it ended a task. */
static _Thread_local struct {
	uint64_t ticks;
	uint64_t cpu; /* nanoseconds */
	uint64_t end; /* ticks */
} measured;

static void
measure(uint64_t now)
{
	struct timespec cpu;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	measured.ticks = now;
	measured.cpu = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
}

/* Note that an engine begins a task. A function does not pay for the time in which others had the
 * engine's CPU. end_task() finds out this time now and then, and takes it off the task that ends.
 * The time in which an engine waits for tasks does not count. @return the present time. */
static uint64_t
begin_task(const struct pk_pool *pool)
{
	const uint64_t now = clock_ticks();

	if (now - measured.end > pool->measure_ticks / 4)
		measure(now);
	return now;
}

/* Note that an engine ends a task. @return the ticks that the function pays for the task. */
static uint64_t
end_task(const struct pk_pool *pool, uint64_t begin)
{
	const uint64_t now = clock_ticks(), took = now - begin;
	const uint64_t before = measured.cpu, all = now - measured.ticks;
	uint64_t ran;

	measured.end = now;
	if (all < pool->measure_ticks)
		return took;
	measure(now);
	ran = clock_from_ns(measured.cpu - before);
	if (ran >= all)
		return took;
	return took > all - ran ? took - (all - ran) : 0;
}

static void
charge(struct pk_client *client, uint64_t ticks)
{
	const uint32_t weight = client->weight != NULL ? load32(client->weight) : 1;

	__atomic_add_fetch(&client->clock, (ticks << CLOCK_SHIFT) / (weight != 0 ? weight : 1),
			   __ATOMIC_RELAXED);
}

bool
pk_pool_work(struct pk_pool *pool)
{
	struct pk_source *source;
	struct pk_desk *desk;
	struct pk_task *task;
	uint64_t begin;
	bool begun;

	do {
		pthread_mutex_lock(&pool->lock);
		task = take_next(pool);
		pthread_mutex_unlock(&pool->lock);
		if (task == NULL)
			return false;
		source = task->source;
		desk = task->desk;
		begun = pk_task_begin(task);
		if (!begun)
			tell(desk, source);
	} while (!begun);
	begin = begin_task(pool);
	pk_task_carry_out(task);
	task->ticks = end_task(pool, begin);
	charge(source->client, task->ticks);
	pk_task_end(task);
	tell(desk, source);
	return true;
}

/* Let workers read the CPU time of this thread. @return its entry in pool.clock. NULL: all entries
 * are taken, or there is no such clock. */
static clockid_t *
show_clock(struct pk_pool *pool)
{
	clockid_t id;

	if (pthread_getcpuclockid(pthread_self(), &id) != 0)
		return NULL;
	for (unsigned int i = 0; i < PK_POOL_CLOCKS; i++) {
		clockid_t none = 0;

		if (__atomic_compare_exchange_n(&pool->clock[i], &none, id, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED)) {
			store32(&pool->tid[i], (uint32_t)gettid());
			return &pool->clock[i];
		}
	}
	return NULL;
}

uint64_t
pk_pool_cpu(const struct pk_pool *pool)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < PK_POOL_CLOCKS; i++) {
		const clockid_t id = __atomic_load_n(&pool->clock[i], __ATOMIC_RELAXED);
		struct timespec cpu;

		if (id != 0 && clock_gettime(id, &cpu) == 0)
			sum += (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
	}
	return sum;
}

void
pk_pool_run(struct pk_pool *pool, const uint32_t *stop)
{
	clockid_t *clock = show_clock(pool);

	__atomic_add_fetch(&pool->threads, 1, __ATOMIC_SEQ_CST);
	while (load32_acquire(stop) == 0) {
		const uint32_t seen = load32_acquire(&pool->signal);

		if (pk_pool_work(pool))
			continue;
		wipe_stack();
		__atomic_add_fetch(&pool->idle, 1, __ATOMIC_SEQ_CST);
		if (load32_acquire(stop) != 0 || !futex_wait(&pool->signal, seen, NULL))
			__atomic_sub_fetch(&pool->idle, 1, __ATOMIC_RELAXED);
	}
	wipe_stack();
	__atomic_sub_fetch(&pool->threads, 1, __ATOMIC_SEQ_CST);
	if (clock != NULL)
		__atomic_store_n(clock, 0, __ATOMIC_RELAXED);
}

void
pk_pool_init(struct pk_pool *pool)
{
	pthread_mutex_init(&pool->lock, NULL);
	pool->wake_ticks = clock_from_ns(WAKE_NS);
	pool->measure_ticks = clock_from_ns(MEASURE_NS);
}

void
pk_pool_fini(struct pk_pool *pool)
{
	pk_task_free_all(&pool->slabs);
	pthread_mutex_destroy(&pool->lock);
}

void
pk_desk_init(struct pk_desk *desk, struct pk_pool *pool)
{
	desk->pool = pool;
	desk->slabs = &pool->slabs;
}
