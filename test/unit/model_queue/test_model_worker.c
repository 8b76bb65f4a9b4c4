/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Workers of the model with threads of their own, and workers that are polled.
 */
#include "model_base/model_nops.h"
#include "model_base/model_threads.h"

/* Four queue pairs of two workers have traffic, while queue pairs and the function are reset. */
static void
test_threads(void **state)
{
	struct accel_model_config config = base_config();
	struct device_threads d;
	struct accel_hw_command *cmd[4][50];
	uint8_t *in, *out;

	(void)state;
	teardown(state);
	config.nb_workers = 2;
	host_open(&h, &config);
	start_threads(&d, 2);
	host_reset(&h);
	in = host_alloc(&h, 4 * 50 * 64, 64);
	out = host_alloc(&h, 4 * 50 * 64, 64);
	for (unsigned int i = 0; i < 4; i++) {
		q_start(&h.q[i], 256, 256, 256);
		for (unsigned int n = 0; n < 50; n++) {
			cmd[i][n] = new_command(&h, ACCEL_HW_OP_LOOPBACK, n);
			cmd[i][n]->cipher_len = 64;
		}
	}
	for (uint32_t round = 0; round < 200; round++) {
		for (unsigned int i = 0; i < 4; i++) {
			for (unsigned int n = 0; n < 50; n++) {
				uint32_t at = (i * 50 + n) * 64;

				memset(in + at, (int)(round + n), 64);
				q_post(&h.q[i], cmd[i][n], in + at, 64, out + at, 64);
			}
			q_ring(&h.q[i]);
		}
		if (round % 16 == 15) {
			host_reset(&h); /* This is in the middle of bursts. */
			for (unsigned int i = 0; i < 4; i++)
				q_start(&h.q[i], 256, 256, 256);
			continue;
		}
		if (round % 16 == 7) {
			accel_function_flr(h.fn);
			for (unsigned int i = 0; i < 4; i++)
				q_start(&h.q[i], 256, 256, 256);
			continue;
		}
		for (unsigned int i = 0; i < 4; i++) {
			for (unsigned int n = 0; n < 50; n++) {
				uint32_t at = (i * 50 + n) * 64;

				expect_response(&h.q[i], n, ACCEL_HW_OK, 64);
				assert_memory_equal(in + at, out + at, 64);
			}
		}
	}
	stop_threads(&d);
}

/* Memory can be unmapped after the echo of a reset within a burst, and after an unmap. */
static void
test_memory_goes(void **state)
{
	struct accel_model_config config = base_config();
	struct device_threads d;

	(void)state;
	teardown(state);
	config.nb_workers = 2;
	config.engine = ACCEL_MODEL_ENGINE_AUTO;
	host_open(&h, &config);
	start_threads(&d, 2);
	for (int round = 0; round < 60; round++) {
		uint64_t at = HOST_IOVA + 2 * HOST_MEM;
		const unsigned int rw = ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE;
		uint32_t size = 1u << 20;
		struct accel_hw_context *ctx;
		uint8_t *mem;

		host_reset(&h);
		h.used = 0;
		mem = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_true(mem != MAP_FAILED);
		assert_int_equal(accel_function_dma_map(h.fn, at, mem, size, rw), 0);
		for (unsigned int i = 0; i < 4; i++) {
			h.q[i].tx_size = 0; /* Rings are allocated again. */
			q_start(&h.q[i], 256, 256, 256);
			ctx = new_context(&h, (uint32_t)round * 4 + i + 1);
			for (uint32_t n = 0; n < 60; n++) {
				struct accel_hw_command *cmd = new_sym(&h, ctx, n, 4096, 0);
				uint64_t to = at + (i * 60 + n) * 4096;

				tx_frag(&h.q[i], host_iova(&h, cmd), 64, COMMAND | NEXT);
				tx_frag(&h.q[i], to, 4096, 0);
				rx_frag(&h.q[i], to, 4096, 0);
			}
			q_ring(&h.q[i]);
		}
		if (round % 3 == 0) {
			/* The payload is unmapped while the device works on it, which gives
			 * faults. */
			assert_int_equal(accel_function_dma_unmap(h.fn, at, size), 0);
			munmap(mem, size);
			for (unsigned int i = 0; i < 4; i++) {
				for (uint32_t n = 0; n < 60; n++) {
					struct accel_hw_response rsp = q_response(&h.q[i]);

					assert_int_equal(rsp.tag, n);
					assert_true(rsp.status == ACCEL_HW_OK ||
						    rsp.status == ACCEL_HW_DMA_FAULT);
				}
			}
			continue;
		}
		/* All memory goes after the echo of a reset or of stops. */
		if (round % 3 == 1) {
			host_reset(&h);
		} else {
			for (unsigned int i = 0; i < 4; i++)
				q_command(&h.q[i], ACCEL_HW_QP_CMD_STOP_DISCARD);
		}
		mprotect(mem, size, PROT_NONE); /* The map still has it. */
		mprotect(h.mem, HOST_MEM, PROT_NONE);
		wait_ms(2);
		mprotect(h.mem, HOST_MEM, PROT_READ | PROT_WRITE);
		assert_int_equal(accel_function_dma_unmap(h.fn, at, size), 0);
		munmap(mem, size);
	}
	stop_threads(&d);
}

/* Two threads may poll one worker, but a worker that runs cannot be run twice. */
static void
test_poll_twice(void **state)
{
	struct device_threads d;
	uint64_t before;

	(void)state;
	before = stats().polls;
	start_threads(&d, 1);
	host_until(&h, stats().polls > before);
	assert_int_equal(accel_model_worker_run(h.model, 0, -1), -16);
	for (uint32_t i = 0; i < 200; i++) {
		nops(q, i, 1);
		accel_model_worker_poll(h.model, 0);
		expect_nops(q, i, 1);
	}
	stop_threads(&d);
	/* After a stop, run returns at once and polling works. */
	assert_int_equal(accel_model_worker_run(h.model, 0, -1), 0);
	assert_int_equal(accel_model_worker_run(h.model, 1, -1), -22);
	assert_int_equal(accel_model_worker_poll(h.model, 1), 0);
	nops(q, 0, 2);
	assert_int_equal(accel_model_worker_poll(h.model, 0), 2);
	expect_nops(q, 0, 2);
}

/* An idle device uses little CPU time, still has a heartbeat, and wakes up. */
static void
test_idle(void **state)
{
	struct device_threads d;
	struct accel_model_stats s, t;
	uint64_t beat, begin;

	(void)state;
	start_threads(&d, 1);
	/* From now on each round ends with a sleep of 1 ms or more. */
	host_until(&h, stats().sleeps > 110);
	begin = now_ns();
	accel_model_worker_stats(h.model, 0, &s);
	beat = rd64(&h.id->heartbeat);
	host_until(&h, stats().polls - s.polls >= 150);
	accel_model_worker_stats(h.model, 0, &t);
	assert_true(rd64(&h.id->heartbeat) - beat > 4);
	assert_true(t.polls - s.polls <= (now_ns() - begin) / 1000000 + 2);
	nops(q, 0, 20);
	expect_nops(q, 0, 20);
	host_reset(&h);
	stop_threads(&d);
}

/* A reset does not wait for workers without a thread. */
static void
test_reset_without_threads(void **state)
{
	struct accel_model_config config = base_config();

	(void)state;
	teardown(state);
	config.nb_workers = 3;
	host_open(&h, &config);
	host_reset(&h); /* Only worker 0 is polled. */
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&h.id->state), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_threads),
		TEST(test_memory_goes),
		TEST(test_poll_twice),
		TEST(test_idle),
		TEST(test_reset_without_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
