/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Dequeue against a device that the test plays by hand and that mostly misbehaves. Whatever the
 * device writes, each accepted operation comes back once, and nothing outside the rings is read.
 * The tests need no EAL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "accel_datapath.h"
#include "accel_dev.h"
#include "accel_heal.h"
#include "accel_queue.h"
#include "accel_queue_start.h"
#include "accel_raw_ctx.h"
#include "accel_transport.h"
#include "driver_base/eal.h"
#include "driver_base/fake_card.h"
#include "base/random.h"

#define NB_DESC 4u
#define RSP_SIZE 8u

/* A function whose stop commands relax() echoes, or does not. */
static uint8_t bar[FAKE_BAR_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev dev;
static struct accel_qp *qp;
static struct accel_hw_response *responses; /* on the heap, so that ASan sees a read outside */
static struct accel_hw_writeback wb;
static struct rte_crypto_op op[16];
static struct accel_raw_slot raw[NB_DESC];
static struct accel_raw_ctx raw_ctx;
static bool echo_stop, echo_reset;
static unsigned int isolated, stops, resets;
static unsigned int arrives; /* RSP_HHP after the next relax(), if not 0 */

static void
play_device(struct accel_dev *arg)
{
	const uint32_t control = accel_qp_host(&dev, 0)->control;

	(void)arg;
	if (arrives != 0)
		wb.rsp_hhp = arrives;
	if (echo_stop && accel_qp_device(&dev, 0)->control_ack != control) {
		stops++;
		accel_qp_device(&dev, 0)->control_ack = control;
	}
	if (echo_reset && accel_identity(&dev)->reset_ack != accel_control(&dev)->reset_req) {
		resets++;
		accel_identity(&dev)->state = ACCEL_HW_STATE_READY;
		accel_identity(&dev)->reset_ack = accel_control(&dev)->reset_req;
	}
}

static void
play_isolate(struct accel_dev *d)
{
	(void)d;
	isolated++;
}

static const struct accel_transport transport = {
	.name = "test",
	.isolate = play_isolate,
	.relax = play_device,
};

static int
setup(void **state)
{
	(void)state;
	fake_card_plug(&dev, bar, &(const struct fake_tree){ 0 });
	memset(&wb, 0, sizeof(wb));
	memset(op, 0, sizeof(op));
	memset(raw, 0, sizeof(raw));
	memset(&raw_ctx, 0, sizeof(raw_ctx));
	isolated = stops = resets = arrives = 0;
	echo_stop = echo_reset = true;
	accel_qp_device(&dev, 0)->status = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_RUNNING, 0, 0);
	accel_process_set(0, &transport, NULL);

	qp = aligned_alloc(RTE_CACHE_LINE_SIZE, sizeof(*qp));
	memset(qp, 0, sizeof(*qp));
	responses = calloc(RSP_SIZE, sizeof(*responses));
	qp->dev = &dev;
	qp->nb_desc = NB_DESC;
	qp->desc_mask = NB_DESC - 1;
	qp->rsp_size = RSP_SIZE;
	qp->responses = responses;
	qp->wb = &wb;
	qp->inflight = calloc(NB_DESC, sizeof(*qp->inflight));
	qp->refusals = calloc(NB_DESC, sizeof(*qp->refusals));
	qp->commands = calloc(NB_DESC, sizeof(*qp->commands));
	qp->mode = ACCEL_QP_RUNNING;
	qp->resets = &dev.resets;
	qp->timeout = UINT64_C(1) << 40;
	for (unsigned int i = 0; i < RTE_DIM(op); i++)
		op[i].status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	accel_heal_end(&dev);
	free(qp->inflight);
	free(qp->refusals);
	free(qp->commands);
	free(responses);
	free(qp);
	return 0;
}

/* Makes in-flight entries as enqueue does. */
static void
take(unsigned int n)
{
	for (; n > 0; n--, qp->prod++) {
		struct accel_inflight *entry = &qp->inflight[qp->prod % NB_DESC];

		entry->op = (uintptr_t)&op[qp->prod % RTE_DIM(op)];
		entry->tx_end = (qp->prod + 1) * 3;
		entry->rx_end = (qp->prod + 1) * 2;
	}
}

/* Does the same for the raw API, with op[] as user data. */
static void
accept_raw(unsigned int n)
{
	for (; n > 0; n--) {
		const uint32_t slot = qp->prod % NB_DESC;

		raw[slot].user_data = &op[qp->prod % RTE_DIM(op)];
		raw[slot].status = RTE_CRYPTO_OP_STATUS_ERROR;
		take(1);
		qp->inflight[slot].op = (uintptr_t)&raw[slot] | ACCEL_OP_RAW;
	}
}

static void
respond(uint32_t slot, uint32_t tag, uint16_t status)
{
	responses[slot] = (struct accel_hw_response){.tag = tag, .status = status};
}

/* Dequeues until nothing comes, and checks that it is op[first..] in order. */
static unsigned int
drain(unsigned int first)
{
	struct rte_crypto_op *got[3];
	unsigned int total = 0, n;

	while ((n = accel_dequeue_burst(qp, got, RTE_DIM(got))) != 0)
		for (unsigned int i = 0; i < n; i++, total++)
			assert_ptr_equal(got[i], &op[(first + total) % RTE_DIM(op)]);
	return total;
}

static void
test_statuses(void **state)
{
	(void)state;
	take(4);
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 1, ACCEL_HW_AUTH_FAILED);
	respond(2, 2, ACCEL_HW_DMA_FAULT);
	respond(3, 3, 999);
	wb.rsp_hhp = 4;
	assert_int_equal(drain(0), 4);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op[1].status, RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	assert_int_equal(op[2].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(op[3].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->dequeue_count.dequeued, 4);
	assert_int_equal(qp->dequeue_count.dequeue_errors, 3);
	assert_int_equal(qp->tx_cons, 12);
	assert_int_equal(qp->rx_cons, 8);
	assert_int_equal(qp->mode, ACCEL_QP_RUNNING);
}

/* The rings go around several times, and the counters wrap at 2^32. */
static void
test_wrap(void **state)
{
	(void)state;
	qp->prod = qp->cons = qp->prod_seen = qp->base = UINT32_MAX - 5;
	for (unsigned int i = 0; i < 20; i++) {
		const uint32_t tag = qp->prod;

		take(1);
		respond(i % RSP_SIZE, tag, ACCEL_HW_OK);
		wb.rsp_hhp = (i + 1) % RSP_SIZE;
		assert_int_equal(drain(tag % RTE_DIM(op)), 1);
	}
	assert_int_equal(qp->cons, 14);
}

static void
test_settled_keeps_status(void **state)
{
	(void)state;
	take(2);
	qp->inflight[0].op |= ACCEL_OP_SETTLED;
	op[0].status = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 1, ACCEL_HW_OK);
	wb.rsp_hhp = 2;
	assert_int_equal(drain(0), 2);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(op[1].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
}

/* A refused operation has the reason as its status, whatever the device says about the NOP. */
static void
test_refused(void **state)
{
	(void)state;
	take(3);
	qp->inflight[0].op |= ACCEL_OP_REFUSED;
	qp->refusals[0] = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	qp->inflight[1].op |= ACCEL_OP_REFUSED;
	qp->refusals[1] = RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	for (unsigned int i = 0; i < 3; i++)
		respond(i, i, ACCEL_HW_OK);
	wb.rsp_hhp = 3;
	assert_int_equal(drain(0), 3);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(op[1].status, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	assert_int_equal(op[2].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
}

/* After a wrong value, each operation in-flight comes back once with an error, and only after a
 * stop. */
static void
expect_failed(unsigned int first, unsigned int n)
{
	assert_int_equal(drain(first), n);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(op[first + i].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->cons, qp->prod);
	assert_int_equal(stops, 1);
	assert_int_equal(resets, 0);
	assert_int_equal(isolated, 0);
}

static void
test_pointer_beyond_ring(void **state)
{
	(void)state;
	take(3);
	wb.rsp_hhp = 0xfffffffe;
	expect_failed(0, 3);
}

/* The pointer would be right if it were masked. */
static void
test_pointer_beyond_ring_masked(void **state)
{
	(void)state;
	take(3);
	respond(0, 0, ACCEL_HW_OK);
	qp->prod_seen = qp->prod;
	wb.rsp_hhp = RSP_SIZE + 1;
	expect_failed(0, 3);
}

static void
test_pointer_beyond_inflight(void **state)
{
	(void)state;
	take(2);
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 1, ACCEL_HW_OK);
	wb.rsp_hhp = 5;
	expect_failed(0, 2);
}

static void
test_wrong_tag(void **state)
{
	(void)state;
	take(3);
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 7, ACCEL_HW_OK);
	respond(2, 2, ACCEL_HW_OK);
	wb.rsp_hhp = 3;
	assert_int_equal(drain(0), 3);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op[1].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(op[2].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
	assert_int_equal(stops, 1);
}

static char *log_text;
static size_t log_size;
static FILE *log_file;

static void
log_begin(void)
{
	log_file = open_memstream(&log_text, &log_size);
	assert_non_null(log_file);
	rte_openlog_stream(log_file);
	rte_log_set_global_level(RTE_LOG_ERR);
	rte_log_set_level(accel_logtype, RTE_LOG_ERR);
}

static void
expect_log(const char *text)
{
	rte_log_set_global_level(RTE_LOG_EMERG);
	rte_openlog_stream(NULL);
	fclose(log_file);
	if (strstr(log_text, text) == NULL)
		fail_msg("log without \"%s\": %s", text, log_text);
	free(log_text);
}

/* The write of a response is lost on the bus, and its slot has what START wrote. */
static void
test_lost_response(void **state)
{
	(void)state;
	take(3);
	respond(0, ~0u, ACCEL_HW_OK);
	respond(1, 1, ACCEL_HW_OK);
	respond(2, 2, ACCEL_HW_OK);
	wb.rsp_hhp = 3;
	log_begin();
	assert_int_equal(drain(0), 0); /* The poll that finds it gives nothing back. */
	assert_int_equal(drain(0), 3);
	expect_log("the bus has lost the write of one");
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(op[i].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
	assert_int_equal(stops, 1);
	assert_int_equal(drain(3), 0);
}

/* The writes of the line are lost, while the device page has the pointers. */
static void
test_lost_line(void **state)
{
	unsigned int total = 0;

	(void)state;
	take(2);
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 1, ACCEL_HW_OK);
	accel_qp_device(&dev, 0)->rsp_hhp = 2;
	qp->timeout = 1;
	log_begin();
	while (total < 2)
		total += drain(total);
	expect_log("its pointers do not arrive");
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(op[1].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
	assert_int_equal(drain(2), 0);
}

/* Two operations, from this one, fail after timeout_ms, with this reason. */
static void
expect_silence(unsigned int first, const char *why)
{
	unsigned int total = 0;

	take(2);
	qp->timeout = 1;
	log_begin();
	while (total < 2)
		total += drain(first + total);
	expect_log(why);
	assert_int_equal(op[first].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(op[first + 1].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
}

static void
test_no_response(void **state)
{
	(void)state;
	expect_silence(0, "no response within timeout_ms");
}

/* Its pointers are 0 then, and so differ from the line's. */
static void
test_reset_by_others(void **state)
{
	(void)state;
	take(2);
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 1, ACCEL_HW_OK);
	wb.rsp_hhp = 2;
	assert_int_equal(drain(0), 2);
	accel_qp_device(&dev, 0)->status = 0;
	expect_silence(2, "the function was reset, and not by this driver");
}

/* Registers without an answer read as all ones or as zeros. */
static void
test_registers_silent(void **state)
{
	(void)state;
	accel_identity(&dev)->magic = 0;
	expect_silence(0, "its registers do not answer");
}

static void
test_queue_pair_error(void **state)
{
	(void)state;
	take(2);
	respond(0, 0, ACCEL_HW_OK);
	wb.rsp_hhp = 1;
	wb.status = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, ACCEL_HW_QP_ERR_TYPE, ACCEL_HW_RING_TX);
	assert_int_equal(drain(0), 2);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op[1].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
}

/* A device that does not echo a stop is reset, before operations come back. */
static void
test_deadline_reset(void **state)
{
	(void)state;
	echo_stop = false;
	take(2);
	qp->timeout = 1;
	while (qp->mode == ACCEL_QP_RUNNING && drain(0) == 0)
		;
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(resets, 1);
	assert_int_equal(isolated, 0);
	assert_int_equal(dev.resets, 1);
}

static void
test_deadline_isolate(void **state)
{
	struct rte_crypto_op *got[4];

	(void)state;
	echo_stop = echo_reset = false;
	take(2);
	qp->timeout = 1;
	while (accel_dequeue_burst(qp, got, 4) == 0)
		;
	assert_int_equal(isolated, 1);
	assert_int_equal(dev.isolated, 1);
	assert_int_equal(qp->cons, 2);

	/* A failed queue pair takes operations and gives them back with an error. */
	got[0] = &op[2];
	assert_int_equal(accel_enqueue_burst(qp, got, 1), 1);
	got[0] = NULL;
	assert_int_equal(accel_dequeue_burst(qp, got, 4), 1);
	assert_ptr_equal(got[0], &op[2]);
	assert_int_equal(op[2].status, RTE_CRYPTO_OP_STATUS_ERROR);
}

/* The function was reset because of another queue pair. */
static void
test_reset_elsewhere(void **state)
{
	(void)state;
	take(1);
	dev.resets = 1;
	assert_int_equal(drain(0), 1);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(stops, 0);
	assert_int_equal(resets, 0);
}

/* Stop settles operations by the responses that are there. They come back after the next start. */
static void
test_stop_settles(void **state)
{
	(void)state;
	take(3);
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 1, ACCEL_HW_AUTH_FAILED);
	wb.rsp_hhp = 2;
	accel_qp_stop(qp);
	assert_int_equal(qp->mode, ACCEL_QP_STOPPED);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op[1].status, RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	assert_int_equal(op[2].status, RTE_CRYPTO_OP_STATUS_ERROR);

	/* The state is that of accel_qp_start(), and a new operation follows. */
	qp->base = qp->prod_seen = qp->prod;
	qp->mode = ACCEL_QP_BACKLOG;
	wb.rsp_hhp = 0;
	take(1);
	respond(0, 3, ACCEL_HW_OK);
	wb.rsp_hhp = 1;
	assert_int_equal(drain(0), 4);
	assert_int_equal(op[3].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(qp->mode, ACCEL_QP_RUNNING);
}

/* Pointers, tags and statuses are random at any time. Each operation still comes back in order. */
static void
test_random_values(void **state)
{
	rng_start();
	teardown(state);
	for (unsigned int round = 0; round < 20000; round++) {
		struct rte_crypto_op *got[16];
		unsigned int back = 0, in, n;

		setup(state);
		in = 1 + draw(NB_DESC);
		take(in);
		for (unsigned int try = 0; try < 4; try++) {
			for (unsigned int i = 0; i < RSP_SIZE; i++)
				respond(i, draw(3) ? i : (uint32_t)draw64(),
				       draw(2) ? 0 : (uint16_t)draw64());
			wb.rsp_hhp = draw(2) ? draw(RSP_SIZE) :
						    (uint32_t)draw64();
			wb.status = draw(4) ? 1 : (uint32_t)draw64();
			n = accel_dequeue_burst(qp, got, 1 + (uint16_t)draw(16));
			for (unsigned int i = 0; i < n; i++, back++)
				assert_ptr_equal(got[i], &op[back]);
			assert_true(back <= in);
		}
		wb.rsp_hhp = UINT32_MAX;
		back += drain(back);
		assert_int_equal(back, in);
		for (unsigned int i = 0; i < in; i++)
			assert_int_not_equal(op[i].status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
		teardown(state);
	}
	setup(state);
}

static void
note_status(void *user_data, uint32_t index, uint8_t is_op_success)
{
	struct rte_crypto_op *o = user_data;

	assert_ptr_equal(o, &op[index]);
	o->status = is_op_success ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_ERROR;
}

/* Dequeues up to 4. *good counts the successes. */
static uint32_t
dequeue_raw(uint32_t *good)
{
	void *got[NB_DESC];
	int status;

	return accel_raw_dequeue_burst(qp, (uint8_t *)&raw_ctx, NULL, NB_DESC, note_status, got, 1,
				       good, &status);
}

/* A burst of successes ends where another status begins. */
static void
test_raw_statuses(void **state)
{
	uint32_t good;

	(void)state;
	accept_raw(4);
	/* The operation was settled with an error. */
	accel_op_set_kind(&qp->inflight[3], ACCEL_OP_RAW_SETTLED);
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 1, ACCEL_HW_AUTH_FAILED);
	respond(2, 2, ACCEL_HW_OK);
	respond(3, 3, ACCEL_HW_OK);
	wb.rsp_hhp = 4;
	assert_int_equal(dequeue_raw(&good), 4);
	assert_int_equal(good, 2);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op[1].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(op[2].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op[3].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->dequeue_count.dequeued, 4);
	assert_int_equal(qp->dequeue_count.dequeue_errors, 1);
	assert_int_equal(qp->tx_cons, 12);
	assert_int_equal(qp->rx_cons, 8);
}

/* Single dequeues go around the ring several times, and the counters wrap at 2^32. */
static void
test_raw_each(void **state)
{
	enum rte_crypto_op_status op_status;
	int status;

	(void)state;
	qp->prod = qp->cons = qp->prod_seen = qp->base = UINT32_MAX - 5;
	for (unsigned int i = 0; i < 20; i++) {
		const uint32_t tag = qp->prod;

		accept_raw(1);
		respond(i % RSP_SIZE, tag, i % 3 == 0 ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK);
		wb.rsp_hhp = (i + 1) % RSP_SIZE;
		assert_ptr_equal(accel_raw_dequeue(qp, (uint8_t *)&raw_ctx, &status, &op_status),
				 &op[tag % RTE_DIM(op)]);
		assert_int_equal(status, 1);
		assert_int_equal(op_status, i % 3 == 0 ? RTE_CRYPTO_OP_STATUS_AUTH_FAILED :
							 RTE_CRYPTO_OP_STATUS_SUCCESS);
	}
	assert_int_equal(qp->cons, 14);
}

/* The raw dequeue ends before an operation of the other API, which is no fault of the device. */
static void
test_raw_before_other_api(void **state)
{
	uint32_t good;

	(void)state;
	accept_raw(2);
	take(1);
	for (unsigned int i = 0; i < 3; i++)
		respond(i, i, ACCEL_HW_OK);
	wb.rsp_hhp = 3;
	assert_int_equal(dequeue_raw(&good), 2);
	assert_int_equal(good, 2);
	assert_int_equal(dequeue_raw(&good), 0);
	assert_int_equal(qp->mode, ACCEL_QP_RUNNING);
	assert_int_equal(drain(2), 1);
}

/* A wrong tag fails the queue pair. All operations from there on have an error, whatever their
 * responses say. */
static void
test_raw_wrong_tag(void **state)
{
	uint32_t good;

	(void)state;
	accept_raw(3);
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 7, ACCEL_HW_OK);
	respond(2, 2, ACCEL_HW_OK);
	wb.rsp_hhp = 3;
	assert_int_equal(dequeue_raw(&good), 1);
	assert_int_equal(good, 1);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
	raw[1].user_data = &op[0]; /* note_status() counts from 0. */
	raw[2].user_data = &op[1];
	assert_int_equal(dequeue_raw(&good), 2);
	assert_int_equal(good, 0);
}

/* What arrives during an empty poll comes back in that poll, with either API. */
static void
test_arrives_meanwhile(void **state)
{
	enum rte_crypto_op_status op_status;
	struct rte_crypto_op *got[NB_DESC];
	uint32_t good;
	int status;

	(void)state;
	for (unsigned int i = 0; i < 6; i++)
		respond(i, i, ACCEL_HW_OK);
	take(2);
	arrives = 2;
	assert_int_equal(accel_dequeue_burst(qp, got, NB_DESC), 2);
	accept_raw(3);
	raw[2].user_data = &op[0]; /* note_status() counts from 0. */
	raw[3].user_data = &op[1];
	arrives = 4;
	assert_int_equal(dequeue_raw(&good), 2);
	assert_int_equal(good, 2);
	arrives = 5;
	assert_ptr_equal(accel_raw_dequeue(qp, (uint8_t *)&raw_ctx, &status, &op_status), &op[4]);
	assert_int_equal(status, 1);

	/* A wrong pointer that arrives then is found, too. */
	accept_raw(1);
	arrives = 7;
	assert_ptr_equal(accel_raw_dequeue(qp, (uint8_t *)&raw_ctx, &status, &op_status), &op[5]);
	assert_int_equal(op_status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
}

/* The device cannot make one API give back what the other one has given back. */
static void
test_raw_then_wrong_pointer(void **state)
{
	uint32_t good;

	(void)state;
	accept_raw(3);
	for (unsigned int i = 0; i < 6; i++)
		respond(i, i, ACCEL_HW_OK);
	wb.rsp_hhp = 3;
	assert_int_equal(dequeue_raw(&good), 3);
	take(1);
	for (unsigned int i = 0; i < 3; i++)
		qp->inflight[i].op = (uintptr_t)&op[12]; /* These are left from the lap before. */
	wb.rsp_hhp = 6;
	expect_failed(3, 1);
	assert_int_equal(op[12].status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
}

/* The pointer would be right if it were masked. */
static void
test_raw_beyond_ring(void **state)
{
	uint32_t good;

	(void)state;
	accept_raw(2);
	respond(0, 0, ACCEL_HW_OK);
	respond(1, 1, ACCEL_HW_OK);
	wb.rsp_hhp = RSP_SIZE + 1;
	assert_int_equal(dequeue_raw(&good), 2);
	assert_int_equal(good, 0);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_statuses, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_settled_keeps_status, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pointer_beyond_ring, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pointer_beyond_ring_masked, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pointer_beyond_inflight, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrong_tag, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lost_response, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lost_line, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_response, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reset_by_others, setup, teardown),
		cmocka_unit_test_setup_teardown(test_registers_silent, setup, teardown),
		cmocka_unit_test_setup_teardown(test_queue_pair_error, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deadline_reset, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deadline_isolate, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reset_elsewhere, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stop_settles, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random_values, setup, teardown),
		cmocka_unit_test_setup_teardown(test_raw_statuses, setup, teardown),
		cmocka_unit_test_setup_teardown(test_raw_each, setup, teardown),
		cmocka_unit_test_setup_teardown(test_raw_before_other_api, setup, teardown),
		cmocka_unit_test_setup_teardown(test_raw_wrong_tag, setup, teardown),
		cmocka_unit_test_setup_teardown(test_arrives_meanwhile, setup, teardown),
		cmocka_unit_test_setup_teardown(test_raw_then_wrong_pointer, setup, teardown),
		cmocka_unit_test_setup_teardown(test_raw_beyond_ring, setup, teardown),
	};

	if (start_eal_silent("test_dequeue") < 0)
		return 1;
	rte_log_set_global_level(RTE_LOG_EMERG);
	return cmocka_run_group_tests_name("dequeue", tests, NULL, NULL);
}
