/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The health page: snapshots of one and of several threads, cards that do not answer, and what log
 * lines say of a fault. BAR0 is plain memory, and the test plays the card.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <rte_log.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_fail.h"
#include "accel_health_page.h"
#include "accel_logs.h"
#include "accel_response.h"
#include "accel_transport.h"
#include "rte_pmd_accel.h"
#include "driver_base/fake_card.h"
#include "driver_base/log_text.h"
#include "driver_qp/plugged.h"

#define THREADS 4u
#define SNAPSHOTS 300u

static uint8_t bar[FAKE_BAR_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev fake;
static struct accel_qp qp;
static uint32_t snapshots; /* that the card has made */
static bool deaf;

static volatile struct accel_hw_health *
page(void)
{
	return (volatile struct accel_hw_health *)(bar + FAKE_HEALTH);
}

/* Answers a request. All counters get the same number, so that a mixture is found. */
static void
answer(void)
{
	const uint32_t request = accel_load_acquire(&accel_control(&fake)->snapshot_req);
	uint32_t i;

	if (deaf || page()->snapshot_ack == request)
		return;
	snapshots++;
	for (i = 0; i < 10; i++)
		accel_store_release(&(&page()->time_ns)[i], (uint64_t)snapshots);
	accel_store_release(&page()->snapshot_ack, request);
}

static void
play_relax(struct accel_dev *d)
{
	(void)d;
	answer();
}

static void
play_nothing(struct accel_dev *d)
{
	(void)d;
}

static struct accel_transport transport = { .name = "test", .isolate = play_nothing };

static int
plug_fake(void **state)
{
	(void)state;
	fake_card_plug(&fake, bar, &(const struct fake_tree){ .health = true });
	memset(&qp, 0, sizeof(qp));
	qp.dev = &fake;
	qp.resets = &fake.resets;
	transport.relax = play_relax;
	accel_process_set(0, &transport, NULL);
	snapshots = 0;
	deaf = false;
	return 0;
}

static void
make_fault(uint32_t count, uint32_t access, uint32_t cause)
{
	page()->fault_info = ACCEL_HW_FAULT_INFO(access, cause, 3);
	page()->fault_tag = 77;
	page()->fault_address = 0x123456789abc0;
	page()->fault_count = count;
}

static void
test_all_fields(void **state)
{
	struct rte_pmd_accel_health h;

	(void)state;
	make_fault(5, ACCEL_HW_FAULT_RESPONSE, ACCEL_HW_FAULT_TIMEOUT);
	page()->firmware_version = 0x10203;
	page()->serial = 0x1122334455667788;
	page()->temperature = -105;
	page()->power = 12345;
	page()->mem_corrected = 8;
	page()->mem_uncorrected = 9;
	assert_int_equal(accel_health_page_get(&fake, &h), 0);
	assert_int_equal(snapshots, 1);
	assert_int_equal(h.fault_count, 5);
	assert_int_equal(h.fault_access, RTE_PMD_ACCEL_FAULT_RESPONSE);
	assert_int_equal(h.fault_cause, RTE_PMD_ACCEL_FAULT_TIMEOUT);
	assert_int_equal(h.fault_queue_pair, 3);
	assert_int_equal(h.fault_tag, 77);
	assert_int_equal(h.fault_address, 0x123456789abc0);
	assert_int_equal(h.firmware_version, 0x10203);
	assert_int_equal(h.serial, 0x1122334455667788);
	assert_int_equal(h.temperature, -105);
	assert_int_equal(h.power, 12345);
	assert_int_equal(h.mem_corrected, 8);
	assert_int_equal(h.mem_uncorrected, 9);
	assert_int_equal(h.time_ns, 1);
	assert_int_equal(h.writebacks, 1);
	/* Another one is made for another call. */
	assert_int_equal(accel_health_page_get(&fake, &h), 0);
	assert_int_equal(h.ops, 2);
	assert_int_equal(h.latency_ops, 2);
	assert_int_equal(RTE_PMD_ACCEL_TEMPERATURE_NONE, ACCEL_HW_TEMPERATURE_NONE);
	assert_int_equal(RTE_PMD_ACCEL_POWER_NONE, ACCEL_HW_POWER_NONE);
}

/* The request is never the number of a missing card, nor one that was answered already. */
static void
test_numbers(void **state)
{
	static const uint32_t numbers[] = { 0, 1, 0xfffffffd, 0xfffffffe };
	struct rte_pmd_accel_health h;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(numbers); i++) {
		accel_control(&fake)->snapshot_req = numbers[i];
		page()->snapshot_ack = numbers[i];
		assert_int_equal(accel_health_page_get(&fake, &h), 0);
		assert_int_equal(h.ops, i + 1);
	}
	accel_control(&fake)->snapshot_req = 0; /* as after a function level reset of another */
	page()->snapshot_ack = 1;
	assert_int_equal(accel_health_page_get(&fake, &h), 0);
	assert_int_equal(h.ops, i + 1);
}

static void
test_no_answer(void **state)
{
	static const uint32_t states[] = { ACCEL_HW_STATE_BOOTING, ACCEL_HW_STATE_RESETTING,
					   ACCEL_HW_STATE_FATAL };
	struct rte_pmd_accel_health h;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(states); i++) {
		accel_identity(&fake)->state = states[i];
		assert_int_equal(accel_health_page_get(&fake, &h), -EIO);
	}
	assert_int_equal(snapshots, 0);
	accel_identity(&fake)->state = ACCEL_HW_STATE_READY;
	deaf = true;
	assert_int_equal(accel_health_page_get(&fake, &h), -ETIMEDOUT);
	memset(bar, 0xff, sizeof(bar));
	assert_int_equal(accel_health_page_get(&fake, &h), -EIO);
	fake_card_plug(&fake, bar, &(const struct fake_tree){ .nb_qps = 1 });
	memset(bar + FAKE_HEALTH, 0x5a, ACCEL_HW_PAGE_SIZE);
	assert_int_equal(accel_health_page_get(&fake, &h), -ENOTSUP);
	assert_int_equal(accel_control(&fake)->snapshot_req, 0);
}

/* The card fails while a thread waits for it. */
static void
become_fatal(struct accel_dev *d)
{
	accel_identity(d)->state = ACCEL_HW_STATE_FATAL;
}

static void
leave(struct accel_dev *d)
{
	(void)d;
	memset(bar, 0xff, sizeof(bar));
}

static void
test_fails_meanwhile(void **state)
{
	struct rte_pmd_accel_health h;

	(void)state;
	transport.relax = become_fatal;
	assert_int_equal(accel_health_page_get(&fake, &h), -EIO);
	plug_fake(NULL);
	transport.relax = leave;
	assert_int_equal(accel_health_page_get(&fake, &h), -EIO);
}

/*
 * Several threads.
 */

static ACCEL_ATOMIC(uint32_t) busy;

static void *
serve(void *arg)
{
	(void)arg;
	while (accel_load_acquire(&busy) != 0)
		answer();
	return NULL;
}

/* Gets counters from a card that answers, but perhaps late, when its thread had no CPU. */
static int
get_late(struct rte_pmd_accel_health *h)
{
	int ret;

	do {
		ret = accel_health_page_get(&fake, h);
	} while (ret == -ETIMEDOUT);
	return ret;
}

/* Each gets counters of one snapshot, and never an older one than before. */
static void *
ask(void *arg)
{
	struct rte_pmd_accel_health h;
	uint64_t last = 0;
	unsigned int i;
	bool ok = true;

	for (i = 0; ok && i < SNAPSHOTS; i++) {
		ok = get_late(&h) == 0 && h.time_ns > last &&
		     h.ops == h.time_ns && h.context_hits == h.time_ns &&
		     h.context_misses == h.time_ns && h.context_drops == h.time_ns &&
		     h.engine_busy_ns == h.time_ns && h.latency_ns_sum == h.time_ns &&
		     h.latency_ns_max == h.time_ns && h.latency_ops == h.time_ns &&
		     h.writebacks == h.time_ns;
		last = h.time_ns;
	}
	accel_fetch_add(&busy, (uint32_t)-1);
	return ok ? NULL : arg;
}

static void
test_threads(void **state)
{
	pthread_t thread[THREADS], card;
	unsigned int i;
	void *wrong;

	(void)state;
	transport.relax = play_nothing; /* the card has a thread */
	accel_store_release(&busy, THREADS);
	assert_int_equal(pthread_create(&card, NULL, serve, NULL), 0);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, ask, bar), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(thread[i], &wrong), 0);
		assert_null(wrong);
	}
	pthread_join(card, NULL);
}

/*
 * What log lines say.
 */

/* Says whether the log has this text, and ends it. */
static bool
log_has(const char *text)
{
	bool has;

	log_end();
	has = strstr(log_text, text) != NULL;

	free(log_text);
	return has;
}

static void
test_text(void **state)
{
	char text[ACCEL_FAULT_TEXT];
	uint32_t access, cause;

	(void)state;
	assert_string_equal(accel_health_page_fault_text(&fake, text, sizeof(text)), "");
	make_fault(2, ACCEL_HW_FAULT_CONTEXT, ACCEL_HW_FAULT_UNMAPPED);
	assert_string_equal(accel_health_page_fault_text(&fake, text, sizeof(text)),
			    "; its fault 2: read of a context at IOVA 0x123456789abc0, tag 77, "
			    "qp 3: not mapped");
	for (access = 0; access < 256; access++) {
		for (cause = 0; cause < 256; cause++) {
			make_fault(UINT32_MAX - 1, access, cause);
			page()->fault_address = UINT64_MAX;
			page()->fault_tag = UINT32_MAX;
			accel_health_page_fault_text(&fake, text, sizeof(text));
			assert_true(strlen(text) < sizeof(text) - 1); /* not cut off */
			assert_null(strstr(text, "(null)"));
		}
	}
	fake.dt.health = 0;
	assert_string_equal(accel_health_page_fault_text(&fake, text, sizeof(text)), "");
}

static void
test_operation_fails(void **state)
{
	(void)state;
	make_fault(1, ACCEL_HW_FAULT_INPUT, ACCEL_HW_FAULT_UNMAPPED);
	log_begin();
	accel_qp_count_error(&qp, ACCEL_HW_DMA_FAULT);
	assert_true(log_has("read of input at IOVA 0x123456789abc0, tag 77"));
	log_begin();
	accel_qp_count_error(&qp, ACCEL_HW_AUTH_FAILED);
	assert_false(log_has("memory"));
}

/* The fault is named if a fault has stopped the queue pair, and not otherwise. */
static void
test_queue_pair_fails(void **state)
{
	static struct accel_hw_writeback wb;

	(void)state;
	make_fault(1, ACCEL_HW_FAULT_TX_RING, ACCEL_HW_FAULT_UNMAPPED);
	qp.wb = &wb;
	qp.rsp_size = 8;
	qp.resets_seen = fake.resets + 1; /* The function was reset already. */
	accel_qp_device(&fake, 0)->status =
		ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX);
	qp.dev_id = dev;
	log_begin();
	accel_qp_fail(&qp, ACCEL_FAILURE_DESCRIPTOR);
	assert_true(log_has("read of the TX ring at IOVA 0x123456789abc0, tag 77"));
	accel_qp_device(&fake, 0)->status =
		ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, ACCEL_HW_QP_ERR_TYPE, ACCEL_HW_RING_TX);
	log_begin();
	accel_qp_fail(&qp, ACCEL_FAILURE_DESCRIPTOR);
	assert_false(log_has("IOVA"));
}

static void
test_public(void **state)
{
	struct rte_pmd_accel_info info;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(rte_pmd_accel_info_get(dev, NULL), -EINVAL);
	assert_int_equal(rte_pmd_accel_info_get(dev, &info), 0);
	assert_int_equal(info.health_error, plugged_dev()->dt.health != 0 ? 0 : -ENOTSUP);
	assert_string_equal(info.state_name, "ready");
	if (info.health_error == 0)
		assert_string_equal(info.health.fault_access_name, "none");
	unplug();
	assert_int_equal(rte_pmd_accel_info_get(dev, &info), -ENODEV);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_all_fields, plug_fake),
		cmocka_unit_test_setup(test_numbers, plug_fake),
		cmocka_unit_test_setup(test_no_answer, plug_fake),
		cmocka_unit_test_setup(test_fails_meanwhile, plug_fake),
		cmocka_unit_test_setup(test_threads, plug_fake),
		cmocka_unit_test_setup(test_text, plug_fake),
		cmocka_unit_test_setup(test_operation_fails, plug_fake),
		cmocka_unit_test_setup(test_queue_pair_fails, plug_fake),
		cmocka_unit_test(test_public),
	};

	if (start_eal_silent("test_health") < 0)
		return 1;
	return cmocka_run_group_tests_name("health", tests, make_blocks, NULL);
}
