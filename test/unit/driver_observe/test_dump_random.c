/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Dumps of a queue pair whose memory holds anything: registers, write-back line, responses, rings
 * and the driver's own counters are random numbers. The arrays have no byte more than the driver
 * knows of, so that the address sanitizer finds each read beyond them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "accel_dump.h"
#include "accel_dump_state.h"
#include "accel_queue.h"
#include "accel_transport.h"
#include "driver_base/fake_card.h"

#define ROUNDS 5000u

static uint8_t bar[FAKE_BAR_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev fake_dev;
static struct accel_qp *qp;
static uint64_t seed;

static uint64_t
any(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 32 ^ seed << 29;
}

/* Numbers near the limits of rings come often. */
static uint32_t
number(void)
{
	static const uint32_t edges[] = { 0, 1, 2, 7, 8, 31, 32, 63, 64, UINT32_MAX, 0x7fffffff };
	const uint32_t n = (uint32_t)any();

	return n % 2 == 0 ? n >> (n / 2 % 32) : edges[n / 2 % RTE_DIM(edges)] + (n >> 30);
}

static void
fill(void *to, size_t len)
{
	uint8_t *byte = to;
	size_t i;

	for (i = 0; i < len; i++)
		byte[i] = (uint8_t)any();
}

static void *
make(size_t len)
{
	void *memory = aligned_alloc(RTE_CACHE_LINE_SIZE,
				     RTE_ALIGN_CEIL(len, (size_t)RTE_CACHE_LINE_SIZE));

	assert_non_null(memory);
	fill(memory, len);
	return memory;
}

/* A ring that is smaller than a cache line has its end at that of the memory. */
static void *
make_ring(size_t len)
{
	void *memory = malloc(len);

	assert_non_null(memory);
	fill(memory, len);
	return memory;
}

static void
set_counters(void)
{
	qp->mode = (uint32_t)any() % 6;
	qp->prod = number();
	qp->cons = any() % 4 == 0 ? number() : qp->prod - (uint32_t)any() % (qp->nb_desc + 1);
	qp->base = any() % 4 == 0 ? number() : qp->cons - (uint32_t)any() % (2 * qp->nb_desc);
	qp->tx.prod = number();
	qp->rx.prod = number();
	qp->tx_cons = number();
	qp->rx_cons = number();
	qp->deadline = any();
	qp->timeout = any();
	qp->heal.on = any() % 2;
	qp->heal.wanted = any() % 2;
	qp->heal.phase = number();
	qp->failing = any() % 2;
}

static void
make_queue(void)
{
	struct accel_hw_writeback *wb = make(sizeof(*wb));
	struct accel_hw_response *responses;
	uint32_t i;

	qp = make(sizeof(*qp));
	memset(qp, 0, sizeof(*qp));
	qp->dev = &fake_dev;
	qp->nb_desc = 1u << any() % 7;
	qp->desc_mask = qp->nb_desc - 1;
	qp->rsp_size = RTE_MAX(2 * qp->nb_desc, 8u);
	qp->inflight = make_ring(qp->nb_desc * sizeof(*qp->inflight));
	qp->commands = make_ring(qp->nb_desc * sizeof(*qp->commands));
	responses = make_ring(qp->rsp_size * sizeof(*responses));
	for (i = 0; i < qp->rsp_size; i += 2)
		responses[i].status = (uint16_t)(any() % (ACCEL_HW_STATUS_NB + 1));
	qp->responses = responses;
	accel_ring_init(&qp->tx, make_ring(8u << 3), 8);
	accel_ring_init(&qp->rx, make_ring(64u << 3), 64);
	wb->rsp_hhp = number();
	wb->tx_hdp = number();
	wb->rx_hdp = number();
	wb->status = ACCEL_HW_QP_STATUS(any() % 5, any() % 12, any() % 5);
	qp->wb = wb;
	qp->id = any() % 8 == 0 ? (uint16_t)(any() % ACCEL_DT_ALL_QPS) : 0;
	set_counters();
}

static void
free_queue(void)
{
	free(qp->inflight);
	free(qp->commands);
	free((void *)(uintptr_t)qp->responses);
	free(qp->tx.desc);
	free(qp->rx.desc);
	free((void *)(uintptr_t)qp->wb);
	free(qp);
}

/* Only the device tree keeps its sense: the driver has checked it before it uses a card. */
static void
make_card(void)
{
	struct accel_hw_identity *identity = (struct accel_hw_identity *)bar;

	fill(bar, FAKE_TREE);
	identity->magic = any() % 8 == 0 ? number() : ACCEL_HW_MAGIC;
	identity->state = any() % 4 == 0 ? number() : ACCEL_HW_STATE_READY;
	if (any() % 2 == 0)
		accel_qp_device(&fake_dev, 0)->status =
			ACCEL_HW_QP_STATUS(any() % 5, any() % 12, any() % 5);
	if (any() % 2 == 0)
		accel_qp_device(&fake_dev, 0)->rsp_hhp = qp->wb->rsp_hhp;
	fake_dev.isolated = any() % 8 == 0;
	fake_dev.lost = any() % 8 == 0;
	fake_dev.resets = (uint32_t)any() % 3;
}

static void
check_text(const char *text)
{
	const char *end;

	for (; *text != '\0'; text = end + 1) {
		end = strchr(text, '\n');
		assert_non_null(end);
		if (end - text > (ptrdiff_t)ACCEL_DUMP_LINE)
			fail_msg("a long line: %.*s", (int)(end - text), text);
	}
}

static void
dump_once(void)
{
	struct accel_dump_function f;
	struct accel_dump_failure failure;
	struct accel_dump_queue q;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	accel_dump_function_read(&fake_dev, &f);
	f.watched = any() % 2;
	f.beats = any() % 2;
	f.still_ms = number();
	accel_dump_queue_read(qp, &f, &q);
	q.watched = any() % 2;
	q.hhp_before = any() % 2 ? q.line_hhp : number();
	q.cons_before = any() % 2 ? q.cons : number();
	q.prod_before = any() % 2 ? q.prod : number();
	accel_dump_text_function(out, &fake_dev, &f);
	accel_dump_text_queue(out, &f, &q);
	assert_false(accel_dump_failure_get(qp, &failure));
	accel_dump_failure_keep(qp, "a reason");
	assert_true(accel_dump_failure_get(qp, &failure));
	accel_dump_text_failure(out, &failure, any());
	assert_int_equal(fclose(out), 0);
	check_text(text);
	free(text);
}

static void
test_anything(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		make_queue();
		make_card();
		dump_once();
		free_queue();
	}
}

/* Sentences that have no room are left out, and nothing is written behind the room. */
static void
test_small_room(void **state)
{
	struct accel_dump_function f = { .state = ACCEL_HW_STATE_FATAL,
					 .health = { .fault_count = 3 } };
	struct accel_dump_queue q = { .mode = ACCEL_QP_RUNNING, .rsp_size = 16, .tx_size = 8,
				      .rx_size = 8 };
	char *text;
	size_t size;

	(void)state;
	for (size = 1; size < 700; size++) {
		text = malloc(size);
		assert_non_null(text);
		accel_dump_queue_words(&f, &q, text, size);
		assert_in_range(strlen(text), 0, size - 1);
		accel_dump_function_words(&f, text, size);
		assert_in_range(strlen(text), 0, size - 1);
		free(text);
	}
}

/* The record of a failure that a killed process was writing is not shown. */
static void
test_torn_record(void **state)
{
	struct accel_dump_failure failure;

	(void)state;
	make_queue();
	assert_false(accel_dump_failure_get(qp, &failure));
	accel_dump_failure_keep(qp, "one");
	assert_true(accel_dump_failure_get(qp, &failure));
	assert_string_equal(failure.why, "one");
	qp->failure.turn |= 1;
	assert_false(accel_dump_failure_get(qp, &failure));
	accel_dump_failure_keep(qp, "two");
	assert_true(accel_dump_failure_get(qp, &failure));
	assert_string_equal(failure.why, "two");
	free_queue();
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_anything),
		cmocka_unit_test(test_small_room),
		cmocka_unit_test(test_torn_record),
	};

	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
	printf("# seed %llu\n", (unsigned long long)seed);
	fake_card_plug(&fake_dev, bar, &(const struct fake_tree){ .health = true,
			.command_upper = true, .command_ring = true });
	return cmocka_run_group_tests_name("dumps of anything", tests, NULL, NULL);
}
