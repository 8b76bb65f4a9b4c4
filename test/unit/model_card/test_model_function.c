/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Functions of the model and their queue pairs (manual 4 and 5): start, stop, reset, FLR,
 * heartbeat, memory that is taken away, and virtual functions.
 */
#include <errno.h>
#include <fcntl.h>

#include "model_base/model_cbc.h"
#include "model_base/model_nops.h"

/* START and STOP (manual 5.3, 5.4). */

static void
test_start_states(void **state)
{
	uint32_t control;

	(void)state;
	nops(q, 0, 3);
	expect_nops(q, 0, 3);
	/* START while running is echoed and changes nothing. */
	wr32(&q->regs->tx_size, 7);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->dev->status), 1);
	nops(q, 3, 3);
	expect_nops(q, 3, 3);
	/* Commands without a meaning are echoed, too. */
	q_command(q, ACCEL_HW_QP_CMD_NONE);
	q_command(q, 99);
	assert_int_equal(rd32(&q->dev->status), 1);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	assert_int_equal(rd32(&q->dev->status), 0);
	assert_int_equal(rd32(&q->wb->status), 0);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DISCARD); /* A stopped queue pair echoes STOP. */
	assert_int_equal(rd32(&q->dev->status), 0);
	/* Writing the same word again is no command. */
	control = rd32(&q->regs->control);
	wr32(&q->regs->control, control);
	polls(3);
	assert_int_equal(rd32(&q->dev->status), 0);
	/* DOORBELL may be written as soon as CONTROL was written. */
	q_setup(q, 256, 256, 256);
	control = q_control(q, ACCEL_HW_QP_CMD_START);
	nops(q, 10, 5);
	host_until(&h, rd32(&q->dev->control_ack) == control);
	expect_nops(q, 10, 5);
	assert_int_equal(q->dev->ops, 5);
}

static void
test_drain(void **state)
{
	uint32_t control;
	uint8_t *in = host_alloc(&h, 64, 64);
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 200);

	(void)state;
	cmd->cipher_len = 8;
	nops(q, 0, 200);
	/* An incomplete request frame comes before the command. */
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	q_ring(q);
	control = q_control(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	polls(1);
	/* What is posted after the device saw the command does not count. */
	tx_frag(q, host_iova(&h, in), 8, 0);
	rx_frag(q, host_iova(&h, in), 8, 0);
	q_ring(q);
	host_until(&h, rd32(&q->dev->control_ack) == control);
	assert_int_equal(rd32(&q->dev->status), 0);
	assert_int_equal(rd32(&q->wb->status), 0);
	assert_int_equal(rd32(&q->wb->rsp_hhp), 200);
	assert_int_equal(rd32(&q->wb->tx_hdp), 201); /* One of them is a type 0. */
	assert_int_equal(q->dev->ops, 200);
	expect_nops(q, 0, 200);
	expect_silence();
}

/* A complete request frame without a complete result frame is thrown away. */
static void
test_drain_without_result_frame(void **state)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);
	uint8_t *in = host_alloc(&h, 64, 64);

	(void)state;
	cmd->cipher_len = 8;
	nops(q, 0, 3);
	q_post(q, cmd, in, 8, NULL, 0);
	post_nop(q, 9);
	q_ring(q);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	assert_int_equal(rd32(&q->wb->rsp_hhp), 3);
	expect_silence();
}

static void
test_discard(void **state)
{
	struct accel_model_config config = base_config();

	(void)state;
	teardown(state);
	config.peak_ops = 1000; /* Many operations are left at this rate. */
	open_with(&config);
	nops(q, 0, 200);
	polls(5);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	assert_int_equal(rd32(&q->dev->status), 0);
	assert_true(rd32(&q->wb->rsp_hhp) < 100);
	assert_int_equal(q->dev->ops, rd32(&q->wb->rsp_hhp));
	expect_silence();
	q_start(q, 256, 256, 256);
	nops(q, 500, 2);
	expect_nops(q, 500, 2); /* None of the old ones comes. */
}

/* A drain takes longer. If others had the CPU so long, it may be over, and there is another try. */
#define DRAIN_NS UINT64_C(400000000)

/* A drain that would take longer than 1000 ms ends as a discard. Other queue pairs do not wait. */
static void
test_drain_is_bounded(void **state)
{
	struct accel_model_config config = base_config();
	uint32_t control, other;
	uint64_t begin;

	(void)state;
	config.peak_ops = 50;
	do {
		teardown(state);
		open_with(&config);
		q_start(&h.q[1], 64, 64, 64);
		begin = now_ns();
		nops(q, 0, 200); /* They take 4 s. */
		polls(2);
		control = q_control(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
		other = q_control(&h.q[1], ACCEL_HW_QP_CMD_STOP_DRAIN);
		polls(2);
	} while (now_ns() - begin > DRAIN_NS);
	assert_int_equal(rd32(&h.q[1].dev->control_ack), other);
	assert_true(rd32(&q->dev->control_ack) != control);
	assert_int_equal(rd32(&q->dev->status), 2); /* stopping */
	host_until(&h, rd32(&q->dev->control_ack) == control);
	/* At 50 operations per second, some are left after one second. */
	assert_true(rd32(&q->wb->rsp_hhp) < 50);
	expect_silence();
	/* A discard ends a drain early. */
	do {
		q_command(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
		q_start(q, 256, 256, 256);
		begin = now_ns();
		nops(q, 0, 200);
		polls(2);
		q_control(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
		polls(2);
	} while (now_ns() - begin > DRAIN_NS);
	assert_int_equal(rd32(&q->dev->status), 2);
	q_control(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	polls(2);
	assert_int_equal(rd32(&q->dev->status), 0);
}

/* A START that follows a STOP before its echo: both are carried out. */
static void
test_stop_start(void **state)
{
	uint32_t control;

	(void)state;
	nops(q, 0, 100);
	q_control(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	polls(1);
	q_setup(q, 256, 256, 256);
	control = q_control(q, ACCEL_HW_QP_CMD_START);
	host_until(&h, rd32(&q->dev->control_ack) == control);
	assert_int_equal(rd32(&q->dev->status), 1);
	nops(q, 7, 1);
	expect_nops(q, 7, 1);
}

/* Reset (manual 4.3). */

static void
test_reset(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1);
	uint8_t *in = host_alloc(&h, 64, 64);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 64, 0);
	struct accel_model_stats s;

	(void)state;
	q_post(q, cmd, in, 64, in, 64);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 64);
	q_start(&h.q[3], 64, 64, 64);
	nops(q, 0, 100);
	q_control(&h.q[3], ACCEL_HW_QP_CMD_STOP_DRAIN); /* This must not be carried out later. */
	q_control(&h.q[2], ACCEL_HW_QP_CMD_START);
	host_reset(&h);
	for (int i = 0; i < 4; i++) {
		const uint64_t *page = (const uint64_t *)h.q[i].dev;

		assert_int_equal(h.q[i].dev->control_ack, h.q[i].regs->control);
		assert_int_equal(h.q[i].dev->status, 0);
		for (unsigned int w = 1; w < 4096 / 8; w++)
			assert_true(page[w] == 0);
	}
	expect_silence();
	/* The reset dropped all contexts. */
	q_start(q, 256, 256, 256);
	accel_model_worker_stats(h.model, 0, &s);
	assert_int_equal(s.ctx_misses, 1);
	q_post(q, cmd, in, 64, in, 64);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 64);
	accel_model_worker_stats(h.model, 0, &s);
	assert_int_equal(s.ctx_misses, 2);
	/* Any other number is a request, even a smaller one. */
	wr32(&h.control->reset_req, 0xffffffff);
	host_until(&h, rd32(&h.id->reset_ack) == 0xffffffff);
	wr32(&h.control->reset_req, 0);
	host_until(&h, rd32(&h.id->reset_ack) == 0);
}

static void
test_reset_in_error(void **state)
{
	(void)state;
	tx_word(q, UINT64_MAX);
	q_ring(q);
	expect_error(q, 2, 0, 0);
	host_reset(&h);
	assert_int_equal(rd32(&q->dev->status), 0);
	q_start(q, 256, 256, 256);
	nops(q, 0, 2);
	expect_nops(q, 0, 2);
}

static void
test_flr(void **state)
{
	(void)state;
	nops(q, 0, 100);
	wr32(&h.invalidate[5], 5);
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&h.id->reset_ack), 0);
	assert_int_equal(rd32(&h.control->reset_req), 0);
	assert_int_equal(rd32(&h.invalidate[5]), 0);
	assert_int_equal(rd32(&h.id->state), 1);
	for (int i = 0; i < 4; i++) {
		const uint64_t *host_page = (const uint64_t *)h.q[i].regs;
		const uint64_t *device_page = (const uint64_t *)h.q[i].dev;

		for (unsigned int w = 0; w < 4096 / 8; w++)
			assert_true(host_page[w] == 0 && device_page[w] == 0);
	}
	expect_silence();
	q_start(q, 256, 256, 256);
	nops(q, 0, 2);
	expect_nops(q, 0, 2);
}

/* After an FLR that gives BAR0 other memory, the old mapping has no effect. */
static void
test_renew(void **state)
{
	uint8_t *old;
	int fd;

	(void)state;
	accel_function_bar0(h.fn, NULL, &fd);
	old = mmap(NULL, h.bar_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(old != MAP_FAILED);
	nops(q, 0, 100);
	assert_int_equal(accel_function_renew(h.fn), 0);
	assert_ptr_equal(accel_function_bar0(h.fn, NULL, &fd), h.bar);
	assert_true(fd >= 0);
	memset(old, 0xff, h.bar_size);
	assert_int_equal(rd32(&h.id->magic), ACCEL_HW_MAGIC);
	assert_int_equal(rd32(&h.id->state), 1);
	assert_int_equal(rd32(&h.id->reset_ack), 0);
	assert_int_equal(rd64(&q->regs->doorbell), 0);
	host_find_pages(&h); /* This checks the device tree. */
	expect_silence();
	q_start(q, 256, 256, 256);
	nops(q, 0, 2);
	expect_nops(q, 0, 2);
	munmap(old, h.bar_size);
}

/* In a program without standard streams BAR0 does not become one of them. */
static void
test_streams(void **state)
{
	struct host other;
	int saved[3], fd;

	(void)state;
	for (int i = 0; i < 3; i++)
		saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
	for (int i = 0; i < 3; i++)
		close(i);
	host_open(&other, &(struct accel_model_config){ .nb_queue_pairs = 1, .nb_workers = 1 });
	accel_function_bar0(other.fn, NULL, &fd);
	if (fd > 2 && accel_function_renew(other.fn) == 0)
		accel_function_bar0(other.fn, NULL, &fd);
	host_close(&other);
	for (int i = 0; i < 3; i++) {
		if (saved[i] >= 0) {
			dup2(saved[i], i);
			close(saved[i]);
		}
	}
	assert_true(fd > 2);
}

/* The BAR0 of another card goes on: its host finds the function as after an FLR, and what the other
 * card had not carried out is not carried out by this one. */
static void
test_adopt(void **state)
{
	struct host other;
	struct hostq *oq = &other.q[0];
	int fd, dup_fd, small;
	uint8_t *seen;

	(void)state;
	host_open(&other, &(struct accel_model_config){ .nb_queue_pairs = 4, .nb_workers = 1 });
	q_start(oq, 256, 256, 256);
	wr64(&oq->regs->doorbell, 3); /* not carried out any more */
	accel_function_bar0(other.fn, NULL, &fd);
	dup_fd = dup(fd);
	seen = mmap(NULL, other.bar_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(seen != MAP_FAILED);
	host_close(&other);

	small = memfd_create("small", MFD_CLOEXEC);
	assert_int_equal(accel_function_adopt(h.fn, -1), -EBADF);
	assert_int_equal(accel_function_adopt(h.fn, small), -EINVAL);
	assert_int_equal(ftruncate(small, (off_t)h.bar_size), 0);
	assert_int_equal(accel_function_adopt(h.fn, small), -EINVAL); /* it could be shortened */
	close(small);
	assert_int_equal(accel_function_adopt(h.fn, dup_fd), 0);
	assert_ptr_equal(accel_function_bar0(h.fn, NULL, &fd), h.bar);
	assert_int_equal(fd, dup_fd);
	assert_int_equal(rd32(&((struct accel_hw_identity *)(void *)seen)->magic), ACCEL_HW_MAGIC);
	wr32((uint32_t *)(void *)(seen + h.bar_size - 4), 7); /* the same memory */
	assert_int_equal(rd32((uint32_t *)(void *)(h.bar + h.bar_size - 4)), 7);
	assert_int_equal(rd32(&h.id->state), ACCEL_HW_STATE_READY);
	assert_int_equal(rd32(&h.id->reset_ack), 0);
	assert_int_equal(rd64(&q->regs->doorbell), 0);
	assert_int_equal(rd32(&q->regs->control), 0);
	host_find_pages(&h);
	expect_silence();
	q_start(q, 256, 256, 256);
	nops(q, 0, 2);
	expect_nops(q, 0, 2);
	munmap(seen, h.bar_size);
}

/* An FLR repairs what a guest wrote over the device's part of BAR0. */
static void
test_overwritten_bar(void **state)
{
	uint32_t used;

	(void)state;
	for (size_t i = 0; i < h.bar_size; i += 8)
		wr64((uint64_t *)(void *)(h.bar + i), 0xdeadbeefdeadbeef);
	wait_ms(10);
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&h.id->magic), 0x30434341);
	host_find_pages(&h);
	assert_int_equal(h.nb_qps, 4);
	/* Where a page has no registers it is cleared. */
	assert_true(is_all(h.bar + sizeof(*h.id), 0, ACCEL_HW_PAGE_SIZE - sizeof(*h.id)));
	for (int i = 0; i < 4; i++)
		assert_true(is_all((const uint8_t *)h.q[i].dev, 0, ACCEL_HW_PAGE_SIZE));
	used = rd32(&h.id->dt_offset) + rd32(&h.id->dt_size);
	assert_true(is_all(h.bar + used, 0, (uint32_t)h.bar_size - used));
	host_reset(&h);
	q_start(q, 256, 256, 256);
	nops(q, 0, 2);
	expect_nops(q, 0, 2);
}

static void
test_heartbeat(void **state)
{
	uint64_t beat = rd64(&h.id->heartbeat), last = now_ns(), now, here = 0;
	unsigned int beats = 0;

	(void)state;
	/* These are 100 ms without the time in which others had the CPU. */
	for (; here < 100000000; last = now) {
		polls(1);
		if (rd64(&h.id->heartbeat) != beat)
			beats++;
		beat = rd64(&h.id->heartbeat);
		now = now_ns();
		if (now - last < 1000000)
			here += now - last;
	}
	assert_true(beats >= 5);
}

/* After memory is taken away each access is a fault (manual 9.2). */
static void
test_bus_master_off(void **state)
{
	(void)state;
	nops(q, 0, 3);
	expect_nops(q, 0, 3);
	accel_function_dma_unmap_all(h.fn);
	munmap(h.mem, HOST_MEM);
	wr64(&q->regs->doorbell, 200);
	host_until(&h, (rd32(&q->dev->status) & 0xff) == 3);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	host_reset(&h);
	h.mem = mmap(NULL, HOST_MEM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Virtual functions. */

/* Functions have memory of their own under the same IOVAs. */
static void
test_functions_are_apart(void **state)
{
	struct accel_model_config config = {
		.nb_functions = 2,
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_OPENSSL,
	};
	struct accel_hw_context *c0, *c1;
	struct accel_hw_command *cmd;
	struct host vf;
	uint8_t *in, *out;

	(void)state;
	host_open(&h, &config);
	host_attach(&vf, h.model, 1);
	assert_null(accel_model_function(h.model, 2));
	assert_int_equal(rd32(&h.id->function), 0);
	assert_int_equal(rd32(&vf.id->function), 0x80000000u);
	host_reset(&h);
	host_reset(&vf);
	q_start(&h.q[0], 64, 64, 64);
	q_start(&vf.q[0], 64, 64, 64);
	/* Address and generation are the same, but the keys differ. */
	c0 = new_context(&h, 5);
	c1 = new_context(&vf, 5);
	memcpy(c0->cipher_key, cbc_key, 16);
	assert_true(host_iova(&h, c0) == host_iova(&vf, c1));
	for (int i = 0; i < 2; i++) {
		struct host *host = i == 0 ? &h : &vf;

		cmd = new_sym(host, i == 0 ? c0 : c1, 1, 32, 0);
		for (int b = 0; b < 16; b++)
			cmd->iv[b] = (uint8_t)b;
		in = memcpy(host_alloc(host, 32, 64), cbc_plain, 32);
		out = host_alloc(host, 32, 64);
		q_post(&host->q[0], cmd, in, 32, out, 32);
		q_ring(&host->q[0]);
		expect_response(&host->q[0], 1, ACCEL_HW_OK, 32);
		if (i == 0)
			assert_memory_equal(out, cbc_cipher, 32);
		else
			assert_memory_not_equal(out, cbc_cipher, 32);
	}
	/* A reset of one function does not affect the other one. */
	host_reset(&vf);
	assert_int_equal(rd32(&vf.q[0].dev->status), 0);
	assert_int_equal(rd32(&h.q[0].dev->status), 1);
	host_detach(&vf);
	host_close(&h);
}

/* The resources from the PF count from the VF's reset on (manual 4.5). */
static void
test_vf_resources(void **state)
{
	struct accel_model_config config = {
		.nb_functions = 2,
		.nb_queue_pairs = 4,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL,
	};
	struct accel_hw_vf_resources *entry;
	struct accel_hw_context *ctx, *ctr;
	struct host vf;
	uint8_t *in, *out;
	const void *fdt;
	int node;

	(void)state;
	host_open(&h, &config);
	host_attach(&vf, h.model, 1);
	assert_int_equal(vf.nb_qps, 4);
	fdt = h.bar + rd32(&h.id->dt_offset);
	node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_VF_TABLE);
	entry = (void *)(h.bar + host_reg(fdt, node, 0));
	entry->nb_queue_pairs = 2;
	entry->algorithms[0] = 1u << ACCEL_HW_CIPHER_AES_CTR;
	wr32(&entry->sequence, 1);
	host_reset(&vf);
	host_find_pages(&vf);
	assert_int_equal(vf.nb_qps, 2);
	fdt = vf.bar + rd32(&vf.id->dt_offset);
	node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_CIPHER);
	assert_int_equal(fdt32_to_cpu(*(const fdt32_t *)fdt_getprop(fdt, node, "alg-id", NULL)),
			 ACCEL_HW_CIPHER_AES_CTR);
	assert_true(fdt_node_offset_by_compatible(fdt, node, ACCEL_HW_DT_CIPHER) < 0);
	assert_true(fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_VF_TABLE) < 0);

	q = &vf.q[0];
	q_start(q, 64, 64, 64);
	in = host_alloc(&vf, 64, 64);
	out = memset(host_alloc(&vf, 64, 64), 0xcc, 64);
	ctx = new_context(&vf, 1); /* AES-CBC is not granted. */
	q_post(q, new_sym(&vf, ctx, 1, 64, 0), in, 64, out, 64);
	q_post(q, new_sym(&vf, ctx, 2, 64, 0), in, 63, out, 64);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_DENIED, 0);
	expect_response(q, 2, ACCEL_HW_DENIED, 0); /* It comes before the length. */
	assert_true(is_all(out, 0xcc, 64));
	ctr = new_context(&vf, 2);
	ctr->cipher_alg = ACCEL_HW_CIPHER_AES_CTR;
	q_post(q, new_sym(&vf, ctr, 3, 64, 0), in, 64, out, 64);
	q_ring(q);
	expect_response(q, 3, ACCEL_HW_OK, 64);
	host_detach(&vf);
	host_close(&h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_start_states),
		TEST(test_drain),
		TEST(test_drain_without_result_frame),
		TEST(test_discard),
		TEST(test_drain_is_bounded),
		TEST(test_stop_start),
		TEST(test_reset),
		TEST(test_reset_in_error),
		TEST(test_flr),
		TEST(test_streams),
		TEST(test_renew),
		TEST(test_adopt),
		TEST(test_overwritten_bar),
		TEST(test_heartbeat),
		TEST(test_bus_master_off),
		cmocka_unit_test(test_functions_are_apart),
		cmocka_unit_test(test_vf_resources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
