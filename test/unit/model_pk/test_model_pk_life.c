/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key operations that are under way (manual 8.8), with engines that are threads: symmetric
 * operations beside them, stops, resets, invalidation, memory that is unmapped, shares of
 * functions, and the end of the model.
 */

#define OPENSSL_SUPPRESS_DEPRECATED /* random_method(): a source that waits */
#include <inttypes.h>
#include <sched.h>
#include <semaphore.h>

#include "model/model.h"
#include "model_pk/model_pk.h"
#include "model_base/model_threads.h"
#include "base/rand_method.h"

#define LONG 128u /* bytes of an exponent, for an operation of many milliseconds */
#define LONG_BYTES 1024u /* of its result */
#define NONE_HELD UINT32_MAX

static pthread_t engine[2];
static unsigned int nb_engines;

/*
 * An operation that is under way for as long as a test likes, however busy the machine is: an
 * engine waits inside of it for random bytes.
 */
enum hold {
	HOLD_OFF = 0,
	HOLD_ASKED, /* the next engine that makes random bytes waits */
	HOLD_WAITING,
};

static uint32_t hold;
static sem_t let_go; /* who is held up waits here, without a CPU */

static int
held_bytes(unsigned char *to, int len)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += 60;
	if (load32_acquire(&hold) != HOLD_OFF) {
		store32_release(&hold, HOLD_WAITING);
		if (sem_timedwait(&let_go, &end) != 0)
			return 0; /* a worker waits for the engine, or is one itself */
	}
	memset(to, 1, (size_t)len);
	return 1;
}

static void
hold_begin(void)
{
	static const RAND_METHOD method = { .bytes = held_bytes };

	assert_int_equal(random_method(&method), 1);
	assert_int_equal(sem_init(&let_go, 0, 0), 0);
	store32_release(&hold, HOLD_ASKED);
}

/* Waits until an engine is held up. */
static void
hold_wait(void)
{
	host_until(&h, load32_acquire(&hold) == HOLD_WAITING);
}

/* The engine is still held up, so nobody has waited for it. It goes on now. */
static void
hold_end(void)
{
	assert_int_equal(load32_acquire(&hold), HOLD_WAITING);
	store32_release(&hold, HOLD_OFF);
	sem_post(&let_go);
}

static void *
engine_thread(void *arg)
{
	assert_int_equal(accel_model_pk_run(h.model, -1, arg != NULL), 0);
	return NULL;
}

static void
start_engines(unsigned int nb)
{
	for (nb_engines = 0; nb_engines < nb; nb_engines++)
		assert_int_equal(pthread_create(&engine[nb_engines], NULL, engine_thread, NULL),
				 0);
	/* Until there is one, workers do its work. */
	host_until(&h, load32_acquire(&h.model->pk_pool.threads) == nb);
}

static int
setup(void **state)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 2,
		.nb_workers = 1,
		.idle_us = 20,
	};

	(void)state;
	pk_open(&config);
	start_engines(1);
	return 0;
}

static int
stop_all(void **state)
{
	if (__atomic_exchange_n(&hold, HOLD_OFF, __ATOMIC_ACQ_REL) == HOLD_WAITING)
		sem_post(&let_go); /* a test has failed */
	accel_model_stop(h.model);
	for (; nb_engines > 0; nb_engines--)
		pthread_join(engine[nb_engines - 1], NULL);
	random_method(NULL);
	return teardown(state);
}

/* Posts so many long operations with tags from 0 on, and one that is held up in place of one of
 * them. @return their results, 0xee until then. */
static uint8_t *
post_long(struct hostq *to, uint32_t nb, uint32_t held)
{
	const struct accel_hw_pk_context *ctx = long_modexp(LONG);
	uint8_t *in = filled(LONG_BYTES, 0x5a), *out = filled(LONG_BYTES * nb, 0xee);

	if (held != NONE_HELD)
		hold_begin();
	for (uint32_t i = 0; i < nb; i++) {
		if (i == held)
			q_post(to, random_command(i, LONG_BYTES), NULL, 0, out + LONG_BYTES * i,
			       LONG_BYTES);
		else
			pk_post(to, new_pk(ctx, i, LONG_BYTES), in, LONG_BYTES,
				out + LONG_BYTES * i, LONG_BYTES);
	}
	q_ring(to);
	return out;
}

/* There is one engine, so it has ended all that was abandoned when a new operation is done. */
static void
expect_works(void)
{
	pk_expect(new_pk(small_modexp(), 1, 3), filled(3, 1), 3, filled(3, 0), 3, ACCEL_HW_OK,
		  3);
}

/* PK-3: symmetric operations go on, and those of another public-key queue pair are in order. */
static void
test_beside(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 900);
	uint8_t *in = filled(16, 1), *out = filled(16, 0), *results;

	(void)state;
	results = post_long(pk, 20, 0);
	hold_wait();
	for (uint32_t i = 0; i < 200; i++)
		expect(new_sym(&h, ctx, i, 16, 0), in, 16, out, 16, ACCEL_HW_OK, 16);
	assert_int_equal(rd32(&pk->wb->rsp_hhp), 0);
	hold_end();
	for (uint32_t i = 0; i < 20; i++)
		expect_response(pk, i, ACCEL_HW_OK, LONG_BYTES);
	assert_true(is_all(results, 1, LONG_BYTES));
	for (uint32_t i = 2; i < 20; i++)
		assert_memory_equal(results + LONG_BYTES, results + LONG_BYTES * i, LONG_BYTES);
	assert_false(is_all(results + LONG_BYTES, 0xee, LONG_BYTES));
}

/* PK-4: a discard ends at once, and what is under way has no response and writes nothing. */
static void
test_discard(void **state)
{
	uint8_t *results, *again;
	uint32_t done;

	(void)state;
	again = malloc(30 * LONG_BYTES);
	for (uint32_t round = 0; round < 5; round++) {
		results = post_long(pk, 30, 3 * round);
		hold_wait();
		q_command(pk, ACCEL_HW_QP_CMD_STOP_DISCARD);
		done = rd32(&pk->wb->rsp_hhp);
		assert_in_range(done, 0, 3 * round);
		memcpy(again, results, 30 * LONG_BYTES);
		hold_end();
		q_start(pk, 1024, 1024, 1024);
		expect_works();
		assert_memory_equal(again, results, 30 * LONG_BYTES);
		assert_true(is_all(results + LONG_BYTES * done, 0xee, LONG_BYTES * (30 - done)));
		q_command(pk, ACCEL_HW_QP_CMD_STOP_DRAIN);
		q_start(pk, 1024, 1024, 1024);
	}
	free(again);
}

/* RST-1: a reset waits for no engine. FLR and a VF's removal are the same. */
static void
test_reset(void **state)
{
	uint8_t *results;

	(void)state;
	for (uint32_t round = 0; round < 4; round++) {
		results = post_long(pk, 100, 3 * round);
		hold_wait();
		if (round % 2 == 0)
			host_reset(&h);
		else
			accel_function_flr(h.fn);
		hold_end();
		pk->tx_size = 0;
		q_start(pk, 1024, 1024, 1024);
		expect_works();
		assert_true(is_all(results + LONG_BYTES * 3 * round, 0xee,
				   LONG_BYTES * (100 - 3 * round)));
		host_reset(&h);
		h.used = 1u << 20; /* memory of the round before is free again */
		q_start(pk, 1024, 1024, 1024);
	}
}

/* A key that is invalidated, or leaves the cache, stays with the operations that have it. The next
 * one reads the context anew. */
static void
test_invalidation(void **state)
{
	struct accel_hw_pk_context *ctx = long_modexp(LONG);
	const uint32_t word = ACCEL_HW_INVALIDATE_INDEX(host_iova(&h, ctx));
	uint8_t *in = filled(1024, 0x5a), *out = filled(8 * 1024, 0xee);
	const uint64_t drops = stats().ctx_drops;

	(void)state;
	hold_begin();
	q_post(pk, random_command(100, 8), NULL, 0, filled(8, 0), 8);
	for (uint32_t i = 0; i < 8; i++)
		pk_post(pk, new_pk(ctx, i, 1024), in, 1024, out + 1024 * i, 1024);
	q_ring(pk);
	hold_wait();
	polls(100); /* Each takes some. */
	memset(ctx, 0, sizeof(*ctx));
	wr32(&h.invalidate[word], 1);
	host_until(&h, stats().ctx_drops > drops);
	hold_end();
	expect_response(pk, 100, ACCEL_HW_OK, 8);
	for (uint32_t i = 0; i < 8; i++)
		expect_response(pk, i, ACCEL_HW_OK, 1024);
	for (uint32_t i = 1; i < 8; i++)
		assert_memory_equal(out, out + 1024 * i, 1024);
	ctx->generation = generation;
	pk_expect(new_pk(ctx, 9, 1024), in, 1024, out, 1024, ACCEL_HW_BAD_CONTEXT, 0);
}

/* Operations hold no pointers, so unmapping waits for none of them. Results then meet a fault. */
static void
test_unmap(void **state)
{
	const struct accel_hw_pk_context *ctx = long_modexp(LONG);
	const uint64_t at = HOST_IOVA + HOST_MEM;
	uint8_t *in = filled(1024, 0x5a);
	const int rw = PROT_READ | PROT_WRITE;
	uint8_t *page = mmap(NULL, 4096, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_int_equal(accel_function_dma_map(h.fn, at, page, 4096,
						ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE),
			 0);
	hold_begin();
	q_post(pk, random_command(0, 8), NULL, 0, filled(8, 0), 8);
	tx_frag(pk, host_iova(&h, new_pk(ctx, 1, 1024)), 64, COMMAND | NEXT);
	tx_frag(pk, host_iova(&h, in), 1024, 0);
	rx_frag(pk, at, 1024, 0);
	q_ring(pk);
	hold_wait();
	polls(5);
	assert_int_equal(accel_function_dma_unmap(h.fn, at, 4096), 0);
	munmap(page, 4096);
	hold_end();
	expect_response(pk, 0, ACCEL_HW_OK, 8);
	expect_response(pk, 1, ACCEL_HW_DMA_FAULT, 0);
}

/* The engines have more waiting than their own memory holds: the queue pair waits, and goes on. */
static void
test_many(void **state)
{
	const struct accel_hw_pk_context *ctx = small_modexp();
	uint8_t *out = filled(3, 0), *in = filled(60000, 0);
	unsigned int nb = 0;

	(void)state;
	/* Leading zeros are allowed. */
	put_24(in + 60000 - 3, 5);
	for (unsigned int i = 0; i < 300; i++)
		pk_post(pk, new_pk(ctx, i, 60000), in, 60000, out, 3);
	q_ring(pk);
	for (; nb < 300; nb++)
		expect_response(pk, nb, ACCEL_HW_OK, 3);
	assert_int_equal(out[2], 125);
}

/* Workers with threads sleep meanwhile, and are woken. */
static void
test_threads(void **state)
{
	struct device_threads d;
	uint64_t sleeps;

	(void)state;
	start_threads(&d, 1);
	post_long(pk, 30, 0);
	hold_wait();
	sleeps = stats().sleeps;
	host_until(&h, stats().sleeps > sleeps + 1);
	hold_end();
	for (uint32_t i = 0; i < 30; i++)
		expect_response(pk, i, ACCEL_HW_OK, LONG_BYTES);
	for (uint32_t i = 0; i < 100; i++)
		pk_expect(new_pk(small_modexp(), i, 3), filled(3, 1), 3, filled(3, 0), 3,
			  ACCEL_HW_OK, 3);
	post_long(pk, 100, NONE_HELD);
	stop_threads(&d);
	for (; nb_engines > 0; nb_engines--)
		pthread_join(engine[nb_engines - 1], NULL);
}

/* How much of the engine a function of weight 3 has beside one of weight 1, while both have
 * operations waiting. */
static double
time_by_weight(void)
{
	const struct accel_model_config config = {
		.nb_functions = 3, .nb_queue_pairs = 1, .nb_workers = 1,
	};
	struct accel_model *model;
	struct accel_hw_vf_resources *table;
	struct host vf[2];
	uint32_t done[2];
	double ratio;

	assert_int_equal(accel_model_create(&config, &model), 0);
	for (unsigned int i = 0; i < 2; i++)
		host_attach(&vf[i], model, i + 1);
	h = vf[0]; /* the helpers work on it */
	table = accel_model_vf_table(model);
	memset(table[1].algorithms, 0xff, sizeof(table[1].algorithms));
	table[1].nb_queue_pairs = 1;
	table[1].weight = 3;
	wr32(&table[1].sequence, 1);
	for (unsigned int i = 0; i < 2; i++) {
		h = vf[i];
		host_reset(&h);
		h.pk[0].host = &h;
		q_start(&h.pk[0], 256, 256, 256);
		/* The second one has longer operations. */
		{
			const struct accel_hw_pk_context *ctx = long_modexp(i == 0 ? 16 : 64);
			uint8_t *in = filled(1024, 0x5a), *out = filled(1024, 0);

			for (uint32_t k = 0; k < 120; k++)
				pk_post(&h.pk[0], new_pk(ctx, k, 1024), in, 1024, out, 1024);
			if (i == 0) {
				vf[0] = h;
				continue;
			}
			q_ring(&h.pk[0]);
			q_ring(&vf[0].pk[0]);
			vf[1] = h;
		}
	}
	do {
		polls(1);
		for (unsigned int i = 0; i < 2; i++)
			done[i] = rd32(&vf[i].pk[0].wb->rsp_hhp);
	} while (done[0] < 80 && done[1] < 80);
	/* Time of the second one by that of the first one; one takes four times as long. */
	ratio = done[1] * 4.0 / done[0];
	host_until(&h, rd32(&vf[0].pk[0].wb->rsp_hhp) == 120 &&
			       rd32(&vf[1].pk[0].wb->rsp_hhp) == 120);
	host_detach(&vf[0]);
	host_close(&vf[1]);
	return ratio;
}

/* 9.3: parts of the engine go by weights, whatever operations a function has, and an idle one
 * leaves its part to others. An engine without a CPU counts that time, too, so a busy machine has
 * more than one try. */
static void
test_shares(void **state)
{
	double ratio = 0;

	(void)state;
	for (unsigned int i = 0; i < 8 && !(ratio > 2.0 && ratio < 4.5); i++) {
		ratio = time_by_weight();
		print_message("weight 3 has %.2f times what weight 1 has\n", ratio);
	}
	assert_true(ratio > 2.0 && ratio < 4.5);
}

/* The part of a CPU. */

static int shared_cpu;

static void *
worker_on_cpu(void *arg)
{
	assert_int_equal(accel_model_worker_run(h.model, 0, shared_cpu), 0);
	return arg;
}

static void *
engine_on_cpu(void *arg)
{
	assert_int_equal(accel_model_pk_run(h.model, shared_cpu, true), 0);
	return arg;
}

static uint64_t
clock_ns(clockid_t id)
{
	struct timespec ts;

	assert_int_equal(clock_gettime(id, &ts), 0);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* What a busy worker and an engine on its CPU have had, in the try in which the engine had most. */
struct parts {
	double engine; /* % of the CPU */
	uint64_t lent; /* times that the worker slept in all tries */
	bool contended; /* other programs had some of the CPU in all tries */
};

/* Carries out symmetric operations, so many at a time, until the worker has had 0.3 s of CPU time.
 * That takes longer if others want the CPU. */
static void
try_parts(uint32_t depth, clockid_t worker, struct parts *parts)
{
	struct accel_hw_context *ctx = new_context(&h, 900);
	const uint64_t engine_before = pk_pool_cpu(&h.model->pk_pool), begin = now_ns();
	const uint64_t worker_before = clock_ns(worker), sleeps = stats().sleeps;
	struct accel_hw_command *cmd = new_sym(&h, ctx, 7, 16, 0);
	uint8_t *data = filled(16, 1);
	double engine_part, worker_part;

	while (clock_ns(worker) < worker_before + UINT64_C(300000000)) {
		for (uint32_t i = 0; i < depth; i++)
			q_post(q, cmd, data, 16, data, 16);
		q_ring(q);
		for (uint32_t i = 0; i < depth; i++)
			expect_response(q, 7, ACCEL_HW_OK, 16);
	}
	engine_part = 100.0 * (double)(pk_pool_cpu(&h.model->pk_pool) - engine_before) /
		      (double)(now_ns() - begin);
	worker_part = 100.0 * (double)(clock_ns(worker) - worker_before) /
		      (double)(now_ns() - begin);
	parts->engine = engine_part > parts->engine ? engine_part : parts->engine;
	parts->contended &= engine_part + worker_part < 97;
	parts->lent += stats().sleeps - sleeps;
}

/* Some tries, until the engine has enough, with a worker that never rests. */
static struct parts
find_parts(unsigned int share, uint32_t depth, unsigned int tries, double enough)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1, .nb_workers = 1, .idle_us = 10000000, .pk_share = share,
	};
	struct parts parts = { .contended = true };
	pthread_t worker;
	clockid_t clock;

	pk_open(&config);
	assert_int_equal(pthread_create(&worker, NULL, worker_on_cpu, NULL), 0);
	assert_int_equal(pthread_getcpuclockid(worker, &clock), 0);
	h.threads = true;
	assert_int_equal(pthread_create(&engine[0], NULL, engine_on_cpu, NULL), 0);
	host_until(&h, load32_acquire(&h.model->pk_pool.threads) == 1);
	expect(new_sym(&h, new_context(&h, 901), 1, 16, 0), filled(16, 1), 16, filled(16, 0), 16,
	       ACCEL_HW_OK, 16);
	post_long(pk, 200, NONE_HELD);
	for (unsigned int i = 0; i < tries && parts.engine < enough; i++)
		try_parts(depth, clock, &parts);
	accel_model_stop(h.model);
	pthread_join(worker, NULL);
	pthread_join(engine[0], NULL);
	host_close(&h);
	return parts;
}

/*
 * An engine on the CPU of a busy worker has its share, also if the worker has one operation at a
 * time and spins between them. Other programs on this CPU take what the worker lends, so there is
 * more than one try, and on a busy machine only the worker's part in it is looked at. Without a
 * share the worker lends nothing; the engine has less then if the test does not run niced.
 */
static void
test_cpu_share(void **state)
{
	cpu_set_t before, set;
	struct parts parts;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	if (CPU_COUNT(&before) < 2)
		skip();
	for (shared_cpu = CPU_SETSIZE - 1; !CPU_ISSET(shared_cpu, &before); shared_cpu--)
		;
	set = before;
	CPU_CLR(shared_cpu, &set);
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
	for (uint32_t depth = 1; depth <= 32; depth += 31) {
		parts = find_parts(10, depth, 8, 7);
		print_message("%u in flight, share 10 %%: lent %" PRIu64 " times, the engine has "
			      "%.1f %%%s\n", depth, parts.lent, parts.engine,
			      parts.contended ? ", the CPU is contended" : "");
		assert_true(parts.lent > 10);
		assert_true(parts.engine >= 5 || parts.contended);
		assert_true(parts.engine < 30);
		parts = find_parts(0, depth, 1, 100);
		print_message("%u in flight, no share: the engine has %.1f %%\n", depth,
			      parts.engine);
		assert_int_equal(parts.lent, 0);
	}
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

/* The functions below look at the time of public-key queue pairs (struct accel_model_life). */

static struct accel_model_life life;

static int
setup_time(void **state)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 2, .nb_workers = 1, .idle_us = 20, .life = &life,
	};

	(void)state;
	memset(&life, 0, sizeof(life));
	pk_open(&config);
	return 0;
}

static uint64_t
lived(const uint64_t *time)
{
	return __atomic_load_n(time, __ATOMIC_ACQUIRE);
}

/* Waits until a time has advanced. */
static void
wait_lived(const uint64_t *time, unsigned int ms)
{
	const uint64_t from = lived(time);

	while (lived(time) - from < ms * UINT64_C(1000000))
		usleep(1000);
}

/* An engine that hangs stops no time: operations of a device that hangs have to come back. */
static void
test_time_of_hang(void **state)
{
	struct device_threads d;

	(void)state;
	start_engines(1);
	start_threads(&d, 1);
	wait_lived(&life.pk_lived, 20);
	post_long(pk, 3, 0);
	hold_wait();
	wait_lived(&life.pk_lived, 100);
	hold_end();
	for (uint32_t i = 0; i < 3; i++)
		expect_response(pk, i, ACCEL_HW_OK, LONG_BYTES);
	stop_threads(&d);
}

static uint32_t crowd_stop;

static void *
crowd_main(void *arg)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(shared_cpu, &set);
	assert_int_equal(pthread_setaffinity_np(pthread_self(), sizeof(set), &set), 0);
	while (load32(&crowd_stop) == 0)
		;
	return arg;
}

/*
 * While another program has the CPU, the time of public-key queue pairs is no more than the CPU
 * time of the engine, and the time of the others goes on. An engine that has no CPU is not one that
 * hangs.
 */
static void
test_time_without_cpu(void **state)
{
	const uint64_t slack = 2 * (uint64_t)ACCEL_MODEL_LIFE_MAX_NS;
	struct device_threads d;
	uint64_t from, ran, passed;
	pthread_t crowd;

	(void)state;
	shared_cpu = sched_getcpu();
	crowd_stop = 0;
	assert_int_equal(pthread_create(&crowd, NULL, crowd_main, NULL), 0);
	assert_int_equal(pthread_create(&engine[0], NULL, engine_on_cpu, NULL), 0);
	nb_engines = 1;
	host_until(&h, load32_acquire(&h.model->pk_pool.threads) == 1);
	start_threads(&d, 1);
	post_long(pk, 50, NONE_HELD);
	host_until(&h, load32(&life.pk_held_up) != 0 || rd32(&pk->wb->rsp_hhp) != 0);
	ran = pk_pool_cpu(&h.model->pk_pool);
	from = lived(&life.pk_lived);
	wait_lived(&life.lived, 300);
	passed = lived(&life.pk_lived) - from;
	ran = pk_pool_cpu(&h.model->pk_pool) - ran;
	store32(&crowd_stop, 1);
	pthread_join(crowd, NULL);
	print_message("in 300 ms the engine had %" PRIu64 " us of a CPU, %" PRIu64 " us count\n",
		      ran / 1000, passed / 1000);
	for (uint32_t i = 0; i < 50; i++)
		expect_response(pk, i, ACCEL_HW_OK, LONG_BYTES);
	assert_true(passed <= ran + slack);
	wait_lived(&life.pk_lived, 50); /* the engine has nothing to do */
	stop_threads(&d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_beside, setup, stop_all),
		cmocka_unit_test_setup_teardown(test_discard, setup, stop_all),
		cmocka_unit_test_setup_teardown(test_reset, setup, stop_all),
		cmocka_unit_test_setup_teardown(test_invalidation, setup, stop_all),
		cmocka_unit_test_setup_teardown(test_unmap, setup, stop_all),
		cmocka_unit_test_setup_teardown(test_many, setup, stop_all),
		cmocka_unit_test_setup_teardown(test_threads, setup, stop_all),
		cmocka_unit_test_setup_teardown(test_time_of_hang, setup_time, stop_all),
		cmocka_unit_test_setup_teardown(test_time_without_cpu, setup_time, stop_all),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_cpu_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
