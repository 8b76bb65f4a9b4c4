/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Lanes: a queue pair with a lock each. A thread has a lane of its own as long as there are
 * enough. A synchronous caller polls its lane. An asynchronous job (ASYNC_JOB) pauses, and a
 * poller thread or the next caller completes it.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <rte_cryptodev.h>
#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_mempool.h>

#include "lane.h"

#define BURST 32
#define PENDING_MAX 256
#define POLLS_BEFORE_YIELD 256
#define FAILURES_BEFORE_REST 8
#define REST_NS 1000000000ull
#define SCAN_NS 10000000ull
#define SLEEP_LEAST_NS 10000
#define SLEEP_MOST_NS 2000000

struct oc_lane {
	pthread_mutex_t lock;
	uint16_t queue;
	uint16_t nb_pending;
	unsigned int in_flight; /* and pending */
	unsigned int done; /* since the poller looked */
	struct oc_job *waiting; /* jobs of ASYNC_JOBs */
	struct rte_crypto_op *pending[PENDING_MAX];
} __rte_cache_aligned;

static struct oc_lane *lanes;
static unsigned int nb_lanes;
static _Atomic unsigned int next_lane;
static __thread struct oc_lane *my_lane;
__thread unsigned int oc_inside;

static struct rte_mempool *job_pool;

static _Atomic unsigned int failures;
static _Atomic uint64_t rest_until;

static pthread_once_t poller_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t poller_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t poller_wakes = PTHREAD_COND_INITIALIZER;
static _Atomic unsigned int nb_waiting;
static bool poller_runs;
static const char wait_key; /* its address names the provider's descriptor in a wait context */

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

/* Makes the pool of jobs and a lane for each queue pair. */
bool
oc_lanes_start(unsigned int nb, int socket)
{
	if (!make_pool(socket))
		return false;
	lanes = rte_zmalloc("ossl_cryptodev_lanes", nb * sizeof(*lanes), RTE_CACHE_LINE_SIZE);
	if (lanes == NULL)
		return false;
	for (unsigned int i = 0; i < nb; i++) {
		pthread_mutex_init(&lanes[i].lock, NULL);
		lanes[i].queue = i;
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

/* Takes a job from the list of those that wait. */
static void
waiting_remove(struct oc_lane *lane, struct oc_job *job)
{
	for (struct oc_job **p = &lane->waiting; *p != NULL; p = &(*p)->next_waiting) {
		if (*p != job)
			continue;
		*p = job->next_waiting;
		atomic_fetch_sub(&nb_waiting, 1);
		return;
	}
}

/* Wakes the program's event loop. What is woken takes the lane's lock before it looks at the job.
 */
static void
announce(struct oc_job *job)
{
	uint64_t one = 1;

	if (job->callback != NULL)
		job->callback(job->callback_arg);
	else if (job->event >= 0 && write(job->event, &one, sizeof(one)) < 0)
		return; /* the counter is full, so the descriptor is readable */
}

/* Ends a job, with the lane's lock held. */
static void
job_end(struct oc_lane *lane, struct oc_job *job, enum oc_reason failure)
{
	if (job->deadline != 0) {
		waiting_remove(lane, job);
		announce(job);
	}
	job->failure = failure;
	job->open = false;
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
static unsigned int
lane_collect(struct oc_lane *lane)
{
	struct rte_crypto_op *ops[BURST];
	unsigned int nb;

	if (lane->in_flight == lane->nb_pending)
		return 0;
	oc_inside++;
	nb = rte_cryptodev_dequeue_burst(oc_device.id, lane->queue, ops, BURST);
	oc_inside--;
	lane->in_flight -= nb;
	lane->done += nb;
	for (unsigned int i = 0; i < nb; i++) {
		struct oc_job *job = (struct oc_job *)ops[i];

		job->returned = true;
		if (job->abandoned) {
			oc_session_free(job->op.type, job->session);
			job_put(job);
		} else if (job->open)
			job_end(lane, job, failure_of(ops[i]));
	}
	return nb;
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

/* Takes a job for the device. A burst of asynchronous ones is formed while the device has work. */
static bool
lane_submit(struct oc_lane *lane, struct oc_job *job, bool now)
{
	bool room, idle;

	pthread_mutex_lock(&lane->lock);
	if (lane->nb_pending == PENDING_MAX)
		lane_flush(lane);
	room = lane->nb_pending < PENDING_MAX;
	idle = lane->in_flight == lane->nb_pending;
	if (room) {
		lane->pending[lane->nb_pending++] = &job->op;
		lane->in_flight++;
		if (job->deadline != 0) {
			job->next_waiting = lane->waiting;
			lane->waiting = job;
			atomic_fetch_add(&nb_waiting, 1);
		}
	}
	if (now || idle || lane->nb_pending >= BURST) {
		lane_flush(lane);
		if (!now)
			lane_collect(lane);
	}
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

/* Serves a lane for the poller. Ends the jobs whose time is over, if `now` is not 0. Returns how
 * many the device has done since the last call.
 */
static unsigned int
lane_serve(struct oc_lane *lane, uint64_t now)
{
	struct oc_job *job, *next;
	unsigned int nb;

	pthread_mutex_lock(&lane->lock);
	lane_flush(lane);
	lane_collect(lane);
	nb = lane->done;
	lane->done = 0;
	for (job = now != 0 ? lane->waiting : NULL; job != NULL; job = next) {
		next = job->next_waiting;
		if (now > job->deadline)
			job_lose(lane, job);
	}
	pthread_mutex_unlock(&lane->lock);
	return nb;
}

/* Gives the CPU away for a quarter of the time that the device needs for all that waits, if it is
 * as fast as of late. Deep queues so cost few wake-ups, a slow device does not cost the CPU that it
 * saves, and it has three quarters of its work left when this looks again.
 */
static void
poller_rest(uint64_t pace)
{
	uint64_t ns = pace * atomic_load(&nb_waiting) / 4;
	struct timespec t = { .tv_nsec = RTE_MIN(ns, (uint64_t)SLEEP_MOST_NS) };

	if (ns < SLEEP_LEAST_NS)
		sched_yield();
	else
		nanosleep(&t, NULL);
}

/* Serves all lanes while an ASYNC_JOB waits, and sleeps otherwise. */
static void *
poller(void *arg)
{
	uint64_t next_scan = 0, last = 0, pace = 0;

	prctl(PR_SET_NAME, "ossl-poller");
	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		uint64_t now;
		unsigned int nb = 0;
		bool scan;

		pthread_mutex_lock(&poller_lock);
		if (atomic_load(&nb_waiting) == 0)
			last = 0;
		while (atomic_load(&nb_waiting) == 0)
			pthread_cond_wait(&poller_wakes, &poller_lock);
		pthread_mutex_unlock(&poller_lock);
		now = oc_now_ns();
		if (last == 0)
			last = now;
		scan = now >= next_scan;
		if (scan)
			next_scan = now + SCAN_NS;
		for (unsigned int i = 0; i < nb_lanes; i++)
			nb += lane_serve(&lanes[i], scan ? now : 0);
		if (nb != 0) {
			pace = (3 * pace + (now - last) / nb) / 4;
			last = now;
		}
		poller_rest(RTE_MAX(pace, (now - last) / 8));
	}
	return arg;
}

static void
poller_start(void)
{
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	poller_runs = pthread_create(&thread, &attr, poller, NULL) == 0;
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void
event_close(ASYNC_WAIT_CTX *ctx, const void *key, OSSL_ASYNC_FD fd, void *custom)
{
	(void)ctx;
	(void)key;
	(void)custom;
	close(fd);
}

/* Prepares a job to be waited for in an ASYNC_JOB. Returns false if it has to be synchronous. */
static bool
wait_prepare(struct oc_job *job, ASYNC_WAIT_CTX *ctx)
{
	void *custom;

	pthread_once(&poller_once, poller_start);
	if (!poller_runs)
		return false;
	job->event = -1;
	if (ASYNC_WAIT_CTX_get_callback(ctx, &job->callback, &job->callback_arg) != 1)
		job->callback = NULL;
	if (job->callback == NULL &&
			ASYNC_WAIT_CTX_get_fd(ctx, &wait_key, &job->event, &custom) != 1) {
		job->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (job->event < 0)
			return false;
		if (ASYNC_WAIT_CTX_set_wait_fd(ctx, &wait_key, job->event, NULL, event_close) !=
				1) {
			close(job->event);
			return false;
		}
	}
	ASYNC_WAIT_CTX_set_status(ctx, ASYNC_STATUS_OK);
	job->deadline = oc_now_ns() + oc_settings.timeout_ms * 1000000ull;
	return true;
}

/* Pauses the ASYNC_JOB until its operation is done. */
static void
wait_asynchronously(struct oc_lane *lane, struct oc_job *job)
{
	bool open = true;
	uint64_t counter;

	while (open) {
		pthread_mutex_lock(&poller_lock);
		pthread_cond_signal(&poller_wakes);
		pthread_mutex_unlock(&poller_lock);
		ASYNC_pause_job();
		if (oc_process_forked()) { /* the parent's device has woken this child */
			job->failure = OC_FORKED;
			return;
		}
		pthread_mutex_lock(&lane->lock);
		open = job->open;
		pthread_mutex_unlock(&lane->lock);
	}
	if (job->event >= 0 && read(job->event, &counter, sizeof(counter)) < 0)
		return; /* somebody has read it, which makes no difference */
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
	job->event = -1;
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
	bool waits = async != NULL && wait_prepare(job, ASYNC_get_wait_ctx(async));
	struct oc_lane *lane;

	if (my_lane == NULL)
		my_lane = &lanes[atomic_fetch_add(&next_lane, 1) % nb_lanes];
	lane = job->lane = my_lane;
	if (!lane_submit(lane, job, !waits))
		return OC_NO_JOB;
	if (waits)
		wait_asynchronously(lane, job);
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
