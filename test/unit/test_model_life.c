/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Functions and queue pairs of the model (manual 4 and 5): start, stop, reset, FLR, heartbeat,
 * memory that is taken away and threads; then faults and pacing, which hardware does not have.
 */
#include "test_model_threads.h"

static struct accel_model_config
base_config(void)
{
	return (struct accel_model_config){
		.nb_queue_pairs = 4,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_NULL,
		.idle_us = 100,
	};
}

static void
open_with(const struct accel_model_config *config)
{
	card_open(config, 256, 256);
}

static int
setup(void **state)
{
	struct accel_model_config config = base_config();

	(void)state;
	open_with(&config);
	return 0;
}

static void
post_nop(struct hostq *to, uint32_t tag)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_NOP, tag);

	cmd->flags = ACCEL_HW_CMD_NO_RX;
	tx_frag(to, host_iova(&h, cmd), 64, COMMAND);
}

static void
nops(struct hostq *to, uint32_t first, uint32_t nb)
{
	for (uint32_t i = 0; i < nb; i++)
		post_nop(to, first + i);
	q_ring(to);
}

static void
expect_nops(struct hostq *from, uint32_t first, uint32_t nb)
{
	for (uint32_t i = 0; i < nb; i++)
		expect_response(from, first + i, ACCEL_HW_OK, 0);
}

static void
wait_ms(unsigned int ms)
{
	uint64_t end = now_ns() + ms * UINT64_C(1000000);

	while (now_ns() < end)
		host_poll(&h);
}

/* Checks that host memory does not change while the host posts and polls. */
static void
expect_silence(void)
{
	uint8_t *copy = malloc(HOST_MEM);

	memcpy(copy, h.mem, HOST_MEM);
	wait_ms(20);
	assert_memory_equal(copy, h.mem, HOST_MEM);
	free(copy);
}

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
	q_command(q, ACCEL_HW_QP_CMD_STOP_DISCARD); /* STOP while stopped */
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
	assert_int_equal(rd32(&q->wb->tx_hdp), 201); /* with a type 0 */
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
	config.peak_ops = 1000; /* so that many are left */
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
	expect_nops(q, 500, 2); /* and none of the old ones */
}

/* A drain that would take longer than 1000 ms ends as a discard. Other queue pairs do not wait. */
static void
test_drain_is_bounded(void **state)
{
	struct accel_model_config config = base_config();
	uint32_t control, other;

	(void)state;
	teardown(state);
	config.peak_ops = 50;
	open_with(&config);
	q_start(&h.q[1], 64, 64, 64);
	nops(q, 0, 200); /* 4 s */
	polls(2);
	control = q_control(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	other = q_control(&h.q[1], ACCEL_HW_QP_CMD_STOP_DRAIN);
	polls(2);
	assert_int_equal(rd32(&h.q[1].dev->control_ack), other);
	assert_true(rd32(&q->dev->control_ack) != control);
	assert_int_equal(rd32(&q->dev->status), 2); /* stopping */
	host_until(&h, rd32(&q->dev->control_ack) == control);
	/* At 50 operations per second, some are left after one second. */
	assert_true(rd32(&q->wb->rsp_hhp) < 50);
	expect_silence();
	/* A discard ends a drain early. */
	q_start(q, 256, 256, 256);
	nops(q, 0, 200);
	polls(2);
	q_control(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	polls(2);
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
	q_control(&h.q[3], ACCEL_HW_QP_CMD_STOP_DRAIN); /* not to be carried out later */
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
	host_find_pages(&h); /* checks the device tree */
	expect_silence();
	q_start(q, 256, 256, 256);
	nops(q, 0, 2);
	expect_nops(q, 0, 2);
	munmap(old, h.bar_size);
}

/* An FLR repairs what a guest wrote over the device's part of BAR0. */
static void
test_overwritten_bar(void **state)
{
	(void)state;
	for (size_t i = 0; i < h.bar_size; i += 8)
		wr64((uint64_t *)(void *)(h.bar + i), 0xdeadbeefdeadbeef);
	wait_ms(10);
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&h.id->magic), 0x30434341);
	host_find_pages(&h);
	assert_int_equal(h.nb_qps, 4);
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

/* Faults (accel_model.h). */

static void
test_fault_text(void **state)
{
	static const char *const good[] = {
		"dead@1",	"fatal@18446744073", "stall@3/4",
		"status:5@1/1", "dma@2+lost@3",	     "corrupt@1+hhp@2/9",
	};
	static const char *const bad[] = {
		"",	  "dead",      "dead@",	     "dead@0",	    "dead@-1",	"dead@x",
		"dead@1x", "dead@1/",   "dead@1/0",   "dead@1+",     "+dead@1",	"dead@1++lost@2",
		" dead@1", "dead @1",   "status@1",   "status:@1",   "status:65536@1", "status:1",
		"none+dead@1", "dead@99999999999999999999", "None", "deadly@1", "lost:3@1",
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(accel_model_fault(h.model, good[i]), 0);
	assert_int_equal(accel_model_fault(h.model, "none"), 0);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(accel_model_fault(h.model, bad[i]), -22);
	nops(q, 0, 20);
	expect_nops(q, 0, 20);
	assert_non_null(accel_model_fault_help());
}

static void
test_fault_status(void **state)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 0);
	uint8_t *in = host_alloc(&h, 16, 16), *out = host_alloc(&h, 16, 16);

	(void)state;
	cmd->cipher_len = 16;
	memset(in, 0x33, 16);
	nops(q, 0, 2); /* not counted, because they come before the call */
	expect_nops(q, 0, 2);
	assert_int_equal(accel_model_fault(h.model, "status:7@2/3+dma@3"), 0);
	for (unsigned int i = 1; i <= 9; i++) {
		memset(out, 0, 16);
		cmd->tag = i;
		q_post(q, cmd, in, 16, out, 16);
		q_ring(q);
		if (i == 2 || i == 5 || i == 8) {
			expect_response(q, i, ACCEL_HW_ENGINE_ERROR, 0);
			assert_int_equal(out[0], 0);
		} else if (i == 3) {
			expect_response(q, i, ACCEL_HW_DMA_FAULT, 0);
		} else {
			expect_response(q, i, ACCEL_HW_OK, 16);
			assert_int_equal(out[0], 0x33);
		}
	}
	assert_int_equal(q->dev->op_errors, 4);
	assert_int_equal(accel_model_fault(h.model, "none"), 0);
	nops(q, 0, 20);
	expect_nops(q, 0, 20);
}

static void
test_fault_lost_and_corrupt(void **state)
{
	(void)state;
	assert_int_equal(accel_model_fault(h.model, "lost@3+corrupt@5"), 0);
	nops(q, 1, 6);
	expect_nops(q, 1, 2);
	expect_nops(q, 4, 1); /* takes the slot of the lost one */
	assert_true(q_response(q).tag != 5);
	expect_nops(q, 6, 1);
	assert_int_equal(rd32(&q->wb->tx_hdp), q->tx_sdp);
	assert_int_equal(rd32(&q->wb->rsp_hhp), 5);
}

static void
test_fault_hhp(void **state)
{
	(void)state;
	assert_int_equal(accel_model_fault(h.model, "hhp@3"), 0);
	nops(q, 0, 2);
	expect_nops(q, 0, 2);
	nops(q, 2, 1);
	host_until(&h, rd32(&q->wb->rsp_hhp) != 2);
	assert_true(rd32(&q->wb->rsp_hhp) >= 256);
	assert_int_equal(accel_model_fault(h.model, "none"), 0);
	nops(q, 3, 1);
	host_until(&h, rd32(&q->wb->rsp_hhp) == 4);
	expect_nops(q, 2, 2);
}

static void
test_fault_stall(void **state)
{
	uint32_t control;

	(void)state;
	q_start(&h.q[1], 64, 64, 64);
	assert_int_equal(accel_model_fault(h.model, "stall@3"), 0);
	nops(q, 0, 6);
	expect_nops(q, 0, 2);
	wait_ms(10);
	assert_int_equal(rd32(&q->wb->rsp_hhp), 2);
	nops(&h.q[1], 0, 6); /* others go on */
	expect_nops(&h.q[1], 0, 6);
	control = q_control(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	wait_ms(10);
	assert_true(rd32(&q->dev->control_ack) != control);
	assert_int_equal(rd32(&q->dev->status), 1);
	host_reset(&h);
	q_start(q, 256, 256, 256);
	nops(q, 0, 6);
	expect_nops(q, 0, 6);
}

static void
test_fault_dead(void **state)
{
	uint64_t beat;
	uint32_t ack, control;

	(void)state;
	assert_int_equal(accel_model_fault(h.model, "dead@3"), 0);
	nops(q, 0, 6);
	expect_nops(q, 0, 3);
	beat = rd64(&h.id->heartbeat);
	expect_silence();
	assert_int_equal(rd32(&q->wb->rsp_hhp), 3);
	assert_true(beat == rd64(&h.id->heartbeat));
	control = q_control(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	ack = rd32(&h.id->reset_ack);
	wr32(&h.control->reset_req, ack + 1);
	wait_ms(10);
	assert_int_equal(rd32(&h.id->reset_ack), ack);
	assert_true(rd32(&q->dev->control_ack) != control);
	assert_int_equal(rd32(&h.id->state), 1); /* the state does not tell */
	accel_function_flr(h.fn);
	host_reset(&h);
	q_start(q, 256, 256, 256);
	nops(q, 0, 6);
	expect_nops(q, 0, 6);
}

static void
test_fault_fatal(void **state)
{
	(void)state;
	assert_int_equal(accel_model_fault(h.model, "fatal@3"), 0);
	nops(q, 0, 6);
	expect_nops(q, 0, 3);
	host_until(&h, rd32(&h.id->state) == 3);
	assert_int_equal(rd32(&h.id->fatal_code), 1);
	expect_silence();
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&h.id->state), 1);
	assert_int_equal(rd32(&h.id->fatal_code), 0);
	q_start(q, 256, 256, 256);
	nops(q, 0, 6);
	expect_nops(q, 0, 6);
}

/* Pacing. */

#define PACE_POSTED 50u

struct pace_run {
	unsigned int queues;
	uint32_t bytes;
	struct accel_hw_command *cmd[64];
	uint64_t posted[4];
	uint64_t done;
	uint64_t away; /* ns of long rounds, in which others had the CPU */
};

/* Keeps PACE_POSTED requests outstanding on each queue pair. */
static void
pace_until(struct pace_run *r, uint8_t *mem, uint64_t end)
{
	uint64_t last = now_ns(), now;

	for (; last < end; last = now) {
		for (unsigned int i = 0; i < r->queues; i++) {
			struct hostq *p = &h.q[i];

			for (; r->posted[i] < PACE_POSTED; r->posted[i]++)
				q_post(p, r->cmd[r->posted[i]], mem, r->bytes, mem, r->bytes);
			q_ring(p);
			host_poll(&h);
			for (; rd32(&p->wb->rsp_hhp) != p->rsp_slot; r->posted[i]--, r->done++)
				p->rsp_slot = (p->rsp_slot + 1) % 256;
		}
		now = now_ns();
		if (now - last > 1000000)
			r->away += now - last;
	}
}

/*
 * The rate is not exceeded, but for at most 5 ms of work that an idle device saves up. It is
 * reached, but for the time in which other programs had the CPU.
 */
static void
check_pace(const struct accel_model_config *config, unsigned int queues, uint32_t bytes,
	   double want)
{
	struct pace_run r = { .queues = queues, .bytes = bytes };
	uint64_t begin, wall;
	unsigned int late;
	double done;
	uint8_t *mem;

	teardown(NULL);
	host_open(&h, config);
	host_reset(&h);
	mem = host_alloc(&h, 65536, 64);
	for (uint32_t i = 0; i < 64; i++) {
		r.cmd[i] = new_command(&h, ACCEL_HW_OP_LOOPBACK, 0);
		r.cmd[i]->cipher_len = bytes;
	}
	for (unsigned int i = 0; i < queues; i++)
		q_start(&h.q[i], 256, 256, 256);
	pace_until(&r, mem, now_ns() + 30000000);
	late = r.away != 0 ? PACE_POSTED * queues : 0;
	r.done = r.away = 0;
	begin = now_ns();
	pace_until(&r, mem, begin + 300000000);
	wall = now_ns() - begin;
	done = (double)r.done;
	print_message("%u queue pairs, %u B: %.0f/s of %.0f/s, away for %.1f ms\n", queues, bytes,
		      done * 1e9 / (double)wall, want, (double)r.away / 1e6);
	/* Operations that were due before may complete now, if others had the CPU then. */
	assert_true(done <= want * ((double)wall + 5e6) / 1e9 + late);
#ifndef ACCEL_SANITIZED /* because too slow to be sure */
	assert_true(done >= want * 0.98 * (double)(wall - r.away) / 1e9);
#endif
}

static void
test_pace(void **state)
{
	struct accel_model_config config = base_config();

	(void)state;
	config.peak_ops = 20000;
	check_pace(&config, 1, 64, 20000);
	check_pace(&config, 3, 64, 20000);
	config.peak_ops = 0;
	config.peak_bytes = 20000000;
	check_pace(&config, 2, 1000, 20000);
	config.peak_ops = 10000; /* the lower rate counts */
	check_pace(&config, 2, 1000, 10000);
}

/* The rate of a virtual function limits only this function (manual 4.5). */
static void
test_vf_pace(void **state)
{
	struct accel_model_config config = base_config();
	struct accel_hw_vf_resources *entry;
	uint64_t begin, took;
	struct host vf;
	const void *fdt;

	(void)state;
	teardown(state);
	config.nb_functions = 2;
	config.nb_queue_pairs = 1;
	open_with(&config);
	host_attach(&vf, h.model, 1);
	fdt = h.bar + rd32(&h.id->dt_offset);
	entry = (void *)(h.bar + host_reg(fdt,
					  fdt_node_offset_by_compatible(fdt, -1,
									ACCEL_HW_DT_VF_TABLE),
					  0));
	entry->nb_queue_pairs = 1;
	entry->ops_per_second = 1000;
	memset(entry->algorithms, 0xff, sizeof(entry->algorithms));
	wr32(&entry->sequence, 1);
	host_reset(&vf);
	q_start(&vf.q[0], 256, 256, 256);
	for (uint32_t i = 0; i < 100; i++) {
		struct accel_hw_command *cmd = new_command(&vf, ACCEL_HW_OP_NOP, i);

		cmd->flags = ACCEL_HW_CMD_NO_RX;
		tx_frag(&vf.q[0], host_iova(&vf, cmd), 64, COMMAND);
	}
	begin = now_ns();
	q_ring(&vf.q[0]);
	accel_model_worker_poll(h.model, 0);
	nops(q, 0, 200); /* the PF is not limited */
	expect_nops(q, 0, 200);
	took = now_ns() - begin;
	assert_true(rd32(&vf.q[0].wb->rsp_hhp) < 90 || took > 80000000);
	for (uint32_t i = 0; i < 100; i++)
		expect_response(&vf.q[0], i, ACCEL_HW_OK, 0);
	took = now_ns() - begin;
	assert_true(took > 90000000); /* 99 ms without the 5 ms that it saved up */
	host_detach(&vf);
}

/* Workers with threads. */

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
			host_reset(&h); /* in the middle of bursts */
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
			h.q[i].tx_size = 0; /* so that rings are allocated again */
			q_start(&h.q[i], 256, 256, 256);
			ctx = new_context(&h, (uint32_t)round * 4 + i);
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
	host_reset(&h); /* polls worker 0 only */
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&h.id->state), 1);
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
		TEST(test_renew),
		TEST(test_overwritten_bar),
		TEST(test_heartbeat),
		TEST(test_bus_master_off),
		TEST(test_fault_text),
		TEST(test_fault_status),
		TEST(test_fault_lost_and_corrupt),
		TEST(test_fault_hhp),
		TEST(test_fault_stall),
		TEST(test_fault_dead),
		TEST(test_fault_fatal),
		TEST(test_pace),
		TEST(test_vf_pace),
		TEST(test_threads),
		TEST(test_memory_goes),
		TEST(test_poll_twice),
		TEST(test_idle),
		TEST(test_reset_without_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
