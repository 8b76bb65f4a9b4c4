/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Lanes: a queue pair with a lock each. A thread has a lane of its own as long as there are
 * enough. A synchronous caller polls its lane. An asynchronous job (ASYNC_JOB) pauses until a
 * timer of its thread says that the device should have done its work. Then the jobs look for
 * themselves. So no other thread has to be woken, and one wake-up stands for many operations.
 * Only for programs that want to be called instead, a poller thread looks.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <rte_cryptodev.h>
#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_mempool.h>

#include "lane.h"

#define BURST 32
#define FORMED 8 /* asynchronous jobs that go to the device together */
#define PENDING_MAX 256
#define POLLS_BEFORE_YIELD 256
#define FAILURES_BEFORE_REST 8
#define REST_NS 1000000000ull
#define REST_LEAST_NS 20000ull
#define REST_MOST_NS 20000000ull
#define CALL_MOST_NS 2000000 /* the poller does not notice a new job before */

struct oc_lane {
	pthread_mutex_t lock;
	uint16_t queue;
	uint16_t nb_pending;
	unsigned int in_flight; /* and pending */
	uint64_t rest; /* ns that asynchronous jobs wait before they look */
	uint64_t due; /* when that may change */
	struct oc_job *called; /* jobs whose programs want a call */
	struct rte_crypto_op *pending[PENDING_MAX];
} __rte_cache_aligned;

static struct oc_lane *lanes;
static unsigned int nb_lanes;
static _Atomic unsigned int next_lane;
static __thread struct oc_lane *my_lane;
__thread unsigned int oc_inside;
__thread unsigned int oc_resumes;

static struct rte_mempool *job_pool;

static _Atomic unsigned int failures;
static _Atomic uint64_t rest_until;

/* The timer of a thread that has asynchronous jobs. Their wait contexts have duplicates of it. */
struct timer {
	uintptr_t number; /* of no other thread's timer, also later */
	int fd;
	unsigned int waiting; /* jobs */
	unsigned int turn; /* how often it was set */
	bool over; /* a job has seen that it was due */
	uint64_t due;
};

static pthread_key_t timer_key;
static _Atomic uintptr_t timer_number;
static const char wait_key; /* its address names the provider's descriptor in a wait context */

static pthread_once_t poller_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t poller_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t poller_wakes = PTHREAD_COND_INITIALIZER;
static _Atomic unsigned int nb_called;
static bool poller_runs;

uint64_t
oc_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Makes the pool of jobs. The one that was given back last is taken next, because it is in the
 * caches: a stack, if DPDK has that driver.
 */
static bool
make_pool(int socket)
{
	job_pool = rte_mempool_create_empty("ossl_cryptodev_jobs", oc_settings.jobs,
			sizeof(struct oc_job), 0, 0, socket, 0);
	if (job_pool == NULL)
		return false;
	if (rte_mempool_set_ops_byname(job_pool, "stack", NULL) != 0 &&
			rte_mempool_set_ops_byname(job_pool, "ring_mp_mc", NULL) != 0)
		return false;
	return rte_mempool_populate_default(job_pool) >= 0;
}

static void
timer_free(void *vtimer)
{
	struct timer *t = vtimer;

	close(t->fd);
	free(t);
}

/* Makes the pool of jobs and a lane for each queue pair. */
bool
oc_lanes_start(unsigned int nb, int socket)
{
	if (!make_pool(socket) || pthread_key_create(&timer_key, timer_free) != 0)
		return false;
	lanes = rte_zmalloc("ossl_cryptodev_lanes", nb * sizeof(*lanes), RTE_CACHE_LINE_SIZE);
	if (lanes == NULL)
		return false;
	for (unsigned int i = 0; i < nb; i++) {
		pthread_mutex_init(&lanes[i].lock, NULL);
		lanes[i].queue = i;
		lanes[i].rest = REST_LEAST_NS;
	}
	nb_lanes = nb;
	return true;
}

/* Notes that the device did an operation, or did not. Several failures in a row give it a rest. */
static void
note_success(bool good)
{
	if (good) {
		if (atomic_load_explicit(&failures, memory_order_relaxed) != 0)
			atomic_store(&failures, 0);
	} else if (atomic_fetch_add(&failures, 1) + 1 >= FAILURES_BEFORE_REST) {
		atomic_store(&failures, 0);
		atomic_store(&rest_until, oc_now_ns() + REST_NS);
	}
}

static bool
resting(void)
{
	uint64_t until = atomic_load_explicit(&rest_until, memory_order_relaxed);

	if (until == 0)
		return false;
	if (oc_now_ns() < until)
		return true;
	atomic_store(&rest_until, 0);
	return false;
}

/* Ends a job, with the lane's lock held. A program that is called takes that lock before it looks
 * at the job.
 */
static void
job_end(struct oc_lane *lane, struct oc_job *job, enum oc_reason failure)
{
	struct oc_job **p = &lane->called;

	job->failure = failure;
	job->open = false;
	if (job->callback == NULL)
		return;
	while (*p != job)
		p = &(*p)->next_called;
	*p = job->next_called;
	atomic_fetch_sub(&nb_called, 1);
	job->callback(job->callback_arg);
}

static enum oc_reason
failure_of(const struct rte_crypto_op *op)
{
	if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		return OC_REASONS;
	if (op->status == RTE_CRYPTO_OP_STATUS_AUTH_FAILED ||
			(op->status == RTE_CRYPTO_OP_STATUS_ERROR &&
					((const struct oc_job *)op)->verifies))
		return OC_MISMATCH;
	return OC_FAILED;
}

/* Gives a job back to the pool, without the text, keys and results that it had. */
static void
job_put(struct oc_job *job)
{
	explicit_bzero(job->data, job->used); /* three times as fast as OPENSSL_cleanse() */
	explicit_bzero((uint8_t *)job + OC_IV_OFFSET, offsetof(struct oc_job, used) - OC_IV_OFFSET);
	rte_mempool_put(job_pool, job);
}

/* Takes what the device has done, with the lane's lock held. */
static void
lane_collect(struct oc_lane *lane)
{
	struct rte_crypto_op *ops[BURST];
	unsigned int nb;

	if (lane->in_flight == lane->nb_pending)
		return;
	oc_inside++;
	nb = rte_cryptodev_dequeue_burst(oc_device.id, lane->queue, ops, BURST);
	oc_inside--;
	lane->in_flight -= nb;
	for (unsigned int i = 0; i < nb; i++) {
		struct oc_job *job = (struct oc_job *)ops[i];

		job->returned = true;
		if (job->abandoned) {
			oc_session_free(job->op.type, job->session);
			job_put(job);
		} else if (job->open)
			job_end(lane, job, failure_of(ops[i]));
	}
	if (nb == BURST)
		lane_collect(lane);
}

/* Takes a job out of those that the device has not seen. Returns false if the device has it. */
static bool
pending_remove(struct oc_lane *lane, struct oc_job *job)
{
	for (uint16_t i = 0; i < lane->nb_pending; i++) {
		if (lane->pending[i] != &job->op)
			continue;
		lane->nb_pending--;
		lane->in_flight--;
		memmove(lane->pending + i, lane->pending + i + 1,
				(lane->nb_pending - i) * sizeof(lane->pending[0]));
		return true;
	}
	return false;
}

/* Gives the device what is pending, with the lane's lock held. A driver may refuse an operation for
 * ever, and say so in its status.
 */
static void
lane_flush(struct oc_lane *lane)
{
	struct oc_job *job;
	uint16_t nb;

	if (lane->nb_pending == 0)
		return;
	oc_inside++;
	nb = rte_cryptodev_enqueue_burst(
			oc_device.id, lane->queue, lane->pending, lane->nb_pending);
	oc_inside--;
	lane->nb_pending -= nb;
	memmove(lane->pending, lane->pending + nb, lane->nb_pending * sizeof(lane->pending[0]));
	job = (struct oc_job *)lane->pending[0];
	if (lane->nb_pending != 0 && job->op.status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED) {
		pending_remove(lane, job);
		job->returned = true;
		job_end(lane, job, failure_of(&job->op));
	}
}

/* Ends a job that is too late, with the lane's lock held. The device keeps its memory. */
static void
job_lose(struct oc_lane *lane, struct oc_job *job)
{
	if (pending_remove(lane, job))
		job->returned = true;
	atomic_store(&rest_until, oc_now_ns() + REST_NS);
	job_end(lane, job, OC_LOST);
}

/* Looks what the device has done, with the lane's lock held. If all is done, jobs will look earlier
 * the next time, and if less than half is, later. So a wake-up stands for many operations, and a
 * device that gives nothing back is asked less and less.
 */
static void
lane_look(struct oc_lane *lane, uint64_t now)
{
	unsigned int had = lane->in_flight - lane->nb_pending, left;

	lane_collect(lane);
	left = lane->in_flight - lane->nb_pending;
	lane_flush(lane);
	if (now < lane->due || had == 0)
		return;
	if (left > had / 2)
		lane->rest += lane->rest / 2;
	else if (left == 0)
		lane->rest -= lane->rest / 4;
	lane->rest = RTE_MIN(RTE_MAX(lane->rest, REST_LEAST_NS), REST_MOST_NS);
	lane->due = now + lane->rest;
}

/* Takes a job for the device. A burst of asynchronous ones is formed while the device has twice as
 * many, up to a number.
 */
static bool
lane_submit(struct oc_lane *lane, struct oc_job *job)
{
	bool waits = job->deadline != 0, room;

	pthread_mutex_lock(&lane->lock);
	if (lane->nb_pending == PENDING_MAX)
		lane_flush(lane);
	room = lane->nb_pending < PENDING_MAX;
	if (room) {
		lane->in_flight++;
		lane->pending[lane->nb_pending++] = &job->op;
		if (job->callback != NULL) {
			job->next_called = lane->called;
			lane->called = job;
			atomic_fetch_add(&nb_called, 1);
		}
	}
	if (!waits || lane->nb_pending >= FORMED || 3u * lane->nb_pending > lane->in_flight)
		lane_flush(lane);
	job->rest = lane->rest;
	pthread_mutex_unlock(&lane->lock);
	return room;
}

/* Polls until the device has done the job, or has lost it. */
static void
wait_synchronously(struct oc_lane *lane, struct oc_job *job)
{
	uint64_t end = 0;
	bool open = true;

	for (unsigned int polls = 1; open; polls++) {
		pthread_mutex_lock(&lane->lock);
		lane_flush(lane);
		lane_collect(lane);
		if (job->open && polls % POLLS_BEFORE_YIELD == 0) {
			if (end == 0)
				end = oc_now_ns() + oc_settings.timeout_ms * 1000000ull;
			else if (oc_now_ns() > end)
				job_lose(lane, job);
		}
		open = job->open;
		pthread_mutex_unlock(&lane->lock);
		if (polls % POLLS_BEFORE_YIELD == 0)
			sched_yield();
	}
}

/* Looks for an asynchronous job what the device has done. Returns the time, or 0 if the
 * job is over.
 */
static uint64_t
job_look(struct oc_lane *lane, struct oc_job *job)
{
	uint64_t now = 0;

	pthread_mutex_lock(&lane->lock);
	if (job->open) {
		now = oc_now_ns();
		lane_look(lane, now);
		if (job->open && now > job->deadline)
			job_lose(lane, job);
	}
	if (!job->open)
		now = 0;
	job->rest = lane->rest;
	pthread_mutex_unlock(&lane->lock);
	return now;
}

/* Looks for all jobs whose programs want a call. Returns when to look again. */
static uint64_t
lane_call(struct oc_lane *lane, uint64_t now)
{
	struct oc_job *job, *next;
	uint64_t rest = CALL_MOST_NS;

	pthread_mutex_lock(&lane->lock);
	if (lane->called != NULL) {
		lane_look(lane, now);
		rest = lane->rest;
	}
	for (job = lane->called; job != NULL; job = next) {
		next = job->next_called;
		if (now > job->deadline)
			job_lose(lane, job);
	}
	pthread_mutex_unlock(&lane->lock);
	return rest;
}

/* Serves programs that want a call, and sleeps while there is none. */
static void *
poller(void *arg)
{
	struct timespec t = { 0 };

	prctl(PR_SET_NAME, "ossl-poller");
	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		uint64_t now, rest = CALL_MOST_NS;

		pthread_mutex_lock(&poller_lock);
		while (atomic_load(&nb_called) == 0)
			pthread_cond_wait(&poller_wakes, &poller_lock);
		pthread_mutex_unlock(&poller_lock);
		now = oc_now_ns();
		for (unsigned int i = 0; i < nb_lanes; i++)
			rest = RTE_MIN(rest, lane_call(&lanes[i], now));
		t.tv_nsec = (long)rest;
		nanosleep(&t, NULL);
	}
	return arg;
}

static void
poller_start(void)
{
	pthread_t thread;

	poller_runs = oc_thread_start(&thread, poller) && pthread_detach(thread) == 0;
}

/* Returns the timer of this thread, or NULL. */
static struct timer *
my_timer(void)
{
	struct timer *t = pthread_getspecific(timer_key);

	if (t != NULL)
		return t;
	t = calloc(1, sizeof(*t));
	if (t == NULL)
		return NULL;
	t->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	t->number = atomic_fetch_add(&timer_number, 1) + 1;
	if (t->fd >= 0 && pthread_setspecific(timer_key, t) == 0)
		return t;
	timer_free(t);
	return NULL;
}

static void
wait_close(ASYNC_WAIT_CTX *ctx, const void *key, OSSL_ASYNC_FD fd, void *custom)
{
	(void)ctx;
	(void)key;
	(void)custom;
	close(fd);
}

/* Has a wait context wake its job: by the timer of this thread, or by the poller. Returns false if
 * that is not possible. The context of a job that another thread had has the timer of that.
 */
static bool
wait_prepare(ASYNC_WAIT_CTX *ctx, struct oc_job *job)
{
	struct timer *t;
	void *number;
	int fd;

	if (ASYNC_WAIT_CTX_get_callback(ctx, &job->callback, &job->callback_arg) == 1 &&
			job->callback != NULL) {
		pthread_once(&poller_once, poller_start);
		return poller_runs;
	}
	job->callback = NULL;
	t = my_timer();
	if (t == NULL)
		return false;
	if (ASYNC_WAIT_CTX_get_fd(ctx, &wait_key, &fd, &number) == 1) {
		if ((uintptr_t)number == t->number)
			return true;
		ASYNC_WAIT_CTX_clear_fd(ctx, &wait_key);
		close(fd);
	}
	fd = fcntl(t->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return false;
	if (ASYNC_WAIT_CTX_set_wait_fd(ctx, &wait_key, fd, (void *)t->number, wait_close) == 1)
		return true;
	close(fd);
	return false;
}

static void
timer_set(struct timer *t, uint64_t due, uint64_t rest)
{
	const struct itimerspec in = { .it_value.tv_nsec = (long)rest };

	t->due = due;
	t->turn++;
	t->over = false;
	timerfd_settime(t->fd, 0, &in, NULL);
}

/* Has the timer or the poller wake the job. As long as a job waits, the timer of its thread runs or
 * is over. To set it anew makes its descriptor unreadable for the other jobs, which wait on. The
 * first job does that which goes on after the timer, for all that follow. If the time is over again
 * before the program has come to its last job, the program has no need to sleep.
 */
static void
wait_begin(struct oc_job *job, uint64_t now)
{
	struct timer *t;

	if (job->callback != NULL) {
		pthread_mutex_lock(&poller_lock);
		pthread_cond_signal(&poller_wakes);
		pthread_mutex_unlock(&poller_lock);
		return;
	}
	t = my_timer();
	if (t->waiting++ == 0 || t->over)
		timer_set(t, now + job->rest, job->rest);
	job->turn = t->turn;
}

static void
wait_end(const struct oc_job *job)
{
	struct timer *t = job->callback == NULL ? my_timer() : NULL;

	if (t == NULL || t->waiting == 0)
		return;
	t->waiting--;
	if (job->turn == t->turn && !t->over)
		t->over = oc_now_ns() >= t->due;
}

/* Makes the descriptors unreadable if no job waits: a program may still watch them. */
static void
timer_rest(const struct oc_job *job)
{
	struct timer *t = job->callback == NULL ? my_timer() : NULL;

	if (t != NULL && t->waiting == 0 && t->due != 0)
		timer_set(t, 0, 0);
}

/* Pauses the ASYNC_JOB until its operation is done. */
static void
wait_asynchronously(struct oc_lane *lane, struct oc_job *job, ASYNC_WAIT_CTX *ctx)
{
	uint64_t now = job->begun;

	ASYNC_WAIT_CTX_set_status(ctx, ASYNC_STATUS_OK);
	do {
		if (!job->resumed)
			wait_begin(job, now);
		ASYNC_pause_job();
		if (!job->resumed)
			wait_end(job);
		if (oc_process_forked()) { /* the parent's device has woken this child */
			job->failure = OC_FORKED;
			return;
		}
		now = job_look(lane, job);
		if (now == 0) {
			if (!job->resumed)
				timer_rest(job);
			return;
		}
	} while (job->resumed || job->callback != NULL || wait_prepare(ctx, job));
	wait_synchronously(lane, job);
}

/* Returns why the device cannot do anything now, or OC_REASONS. */
enum oc_reason
oc_device_ready(void)
{
	enum oc_reason reason;

	if (oc_inside != 0)
		return OC_RECURSION;
	reason = oc_settings.wrong ? OC_NO_DEVICE : oc_process_begin();
	if (reason == OC_REASONS && resting())
		return OC_RESTING;
	return reason;
}

/* Takes a job from the pool, or returns NULL. */
struct oc_job *
oc_job_new(enum rte_crypto_op_type type, void *session)
{
	struct oc_job *job;

	if (rte_mempool_get(job_pool, (void **)&job) != 0)
		return NULL;
	memset(job, 0, offsetof(struct oc_job, data));
	job->open = true;
	job->op.type = type;
	job->op.sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	job->op.status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	job->op.phys_addr = rte_mempool_virt2iova(job);
	if (type == RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		job->sym.session = session;
	else
		job->asym.session = session;
	return job;
}

/* Gives a job to the device and waits. Returns what kept it from being done, or OC_REASONS. */
enum oc_reason
oc_job_do(struct oc_job *job)
{
	ASYNC_JOB *async = ASYNC_get_current_job();
	ASYNC_WAIT_CTX *ctx = async != NULL ? ASYNC_get_wait_ctx(async) : NULL;
	struct oc_lane *lane;

	job->resumed = ctx != NULL && oc_resumes != 0;
	if (ctx != NULL && (job->resumed || wait_prepare(ctx, job))) {
		job->begun = oc_now_ns();
		job->deadline = job->begun + oc_settings.timeout_ms * 1000000ull;
	}
	if (my_lane == NULL)
		my_lane = &lanes[atomic_fetch_add(&next_lane, 1) % nb_lanes];
	lane = job->lane = my_lane;
	if (!lane_submit(lane, job))
		return OC_NO_JOB;
	if (job->deadline != 0)
		wait_asynchronously(lane, job, ctx);
	else
		wait_synchronously(lane, job);
	if (job->failure != OC_FORKED)
		note_success(job->failure == OC_REASONS || job->failure == OC_MISMATCH);
	return job->failure;
}

/* Gives a job back that was not done. One that is lost comes back when the device is done with it,
 * and takes the session along.
 */
void
oc_job_discard(struct oc_job *job, void **lost_session)
{
	bool release = true;

	if (lost_session != NULL) {
		pthread_mutex_lock(&job->lane->lock);
		release = job->returned;
		if (!release) {
			job->abandoned = true;
			job->session = *lost_session;
			*lost_session = NULL;
		}
		pthread_mutex_unlock(&job->lane->lock);
	}
	if (release)
		oc_job_release(job);
}

/* Gives a job back. A forked child only forgets it. */
void
oc_job_release(struct oc_job *job)
{
	if (!oc_process_forked())
		job_put(job);
}

/* Counts an operation that the device has done. */
void
oc_job_count(const struct oc_job *job, enum oc_alg_id alg, size_t bytes)
{
	struct oc_counters *c = &oc_counters[alg];

	atomic_fetch_add_explicit(&c->operations, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&c->bytes, bytes, memory_order_relaxed);
	if (job->copied != 0)
		atomic_fetch_add_explicit(&c->copied, job->copied, memory_order_relaxed);
}
