/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Dumps of an embedded device that hangs in each way that faults can cause, of one whose writes are
 * lost, and of one that is in order: the sentence that a person needs is in the dump. The device
 * has no thread here (cores=inline).
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "accel_dump.h"
#include "accel_dump_state.h"
#include "accel_stats.h"
#include "driver_base/lock_owner.h"
#include "driver_qp/plugged.h"

#define NOWHERE (UINT64_C(1) << 46) /* no memory of this process has this IOVA */
#define ARGS "cores=inline,queue_pairs=2"

static char *text;

/* Makes a dump. */
static void
dump(void)
{
	size_t size = 0;
	FILE *f;

	free(text);
	text = NULL;
	f = open_memstream(&text, &size);
	assert_non_null(f);
	assert_int_equal(rte_pmd_accel_dump(dev, f), 0);
	assert_int_equal(fclose(f), 0);
}

/* Joins the lines of a text, since its sentences may go on in the next line. */
static void
join(char *lines)
{
	char *to = lines;
	const char *from;

	for (from = lines; *from != '\0'; from++) {
		if ((*from == '\n' || *from == ' ') && to != lines && to[-1] == ' ')
			continue;
		*to++ = *from == '\n' ? ' ' : *from;
	}
	*to = '\0';
}

static void
expect(const char *sentence)
{
	char *joined = strdup(text);

	assert_non_null(joined);
	join(joined);
	if (strstr(joined, sentence) == NULL)
		fail_msg("'%s' is not in:\n%s", sentence, text);
	free(joined);
}

static void
expect_not(const char *sentence)
{
	char *joined = strdup(text);

	assert_non_null(joined);
	join(joined);
	if (strstr(joined, sentence) != NULL)
		fail_msg("'%s' is in:\n%s", sentence, text);
	free(joined);
}

/* Dequeues n operations, however long the driver waits for the device. */
static void
take(unsigned int n)
{
	unsigned int got = 0, tries;

	for (tries = 0; got < n && tries < 100; tries++)
		got += collect(0, n - got);
	assert_int_equal(got, n);
}

struct hang {
	const char *fault, *args;
	const char *says[3];
};

/* The faults of the guide, with three operations before them. */
static const struct hang hangs[] = {
	{ "dead@4", ",timeout_ms=600",
	  { "The driver said: no response within timeout_ms.",
	    "The device is dead: its heartbeat has stood still at",
	    "The device stopped reading at slot " } },
	{ "fatal@4", ",timeout_ms=100",
	  { "The driver said: the function has failed as a whole.",
	    "The function has failed as a whole: STATE is fatal, FATAL_CODE 1 (internal).",
	    "The queue pair has failed." } },
	{ "stall@4", ",timeout_ms=300",
	  { "The driver said: no response within timeout_ms.",
	    "The device stopped reading at slot 7 of the TX ring: the request that begins there, "
	    "operation 3, has no response, and 1 more are posted behind it up to slot 11.",
	    "Its heartbeat moves, so the function lives and this queue pair is stuck" } },
	{ "lost@4", ",timeout_ms=100",
	  { "The response at slot 3 has a wrong tag: 4 (0x00000004) in place of 3",
	    "It is the tag of the next operation: the response of operation 3 was never written.",
	    NULL } },
	{ "corrupt@4", ",timeout_ms=100",
	  { "The response at slot 3 has a wrong tag:",
	    "No operation in flight explains it: the device is broken.", NULL } },
	{ "hhp@4", ",timeout_ms=100",
	  { "The driver said: RSP_HHP is beyond the response ring.",
	    "The write-back line is impossible: RSP_HHP is ", NULL } },
};

static void
test_hangs(void **state)
{
	char args[128];
	unsigned int i, j;

	(void)state;
	for (i = 0; i < RTE_DIM(hangs); i++) {
		snprintf(args, sizeof(args), ARGS ",recover=off%s", hangs[i].args);
		plug(args);
		assert_int_equal(rte_pmd_accel_fault(dev, hangs[i].fault), 0);
		assert_int_equal(offer(0, 0, 3), 3);
		assert_int_equal(collect(0, 3), 3);
		assert_int_equal(offer(0, 3, 2), 2);
		take(2);
		dump();
		for (j = 0; j < RTE_DIM(hangs[i].says) && hangs[i].says[j] != NULL; j++)
			expect(hangs[i].says[j]);
		expect("The application has to start it again: recover=off.");
		unplug();
	}
}

/*
 * A record says that the heartbeat moves if it moved during the wait, even if the record was made
 * before the next beat. A heartbeat that no look has seen move says nothing.
 */
static void
test_heartbeat_between_looks(void **state)
{
	const char *const moves = "Its heartbeat moves, so the function lives";
	struct accel_qp *qp;

	(void)state;
	plug(ARGS ",timeout_ms=60000");
	qp = plugged_qp(0);
	assert_int_equal(rte_pmd_accel_fault(dev, "stall@1"), 0);
	assert_int_equal(offer(0, 0, 2), 2);
	assert_int_equal(collect(0, 0), 0);
	qp->beat = rte_le_to_cpu_64(accel_identity(qp->dev)->heartbeat);
	qp->beat_read = true;
	qp->beat_at = rte_get_tsc_cycles();
	qp->beats = false;
	accel_dump_failure_keep(qp, "a test");
	dump();
	expect_not(moves);
	qp->beats = true;
	qp->beat_at = rte_get_tsc_cycles();
	accel_dump_failure_keep(qp, "a test");
	dump();
	expect(moves);
	qp->beat_at -= ACCEL_DUMP_DEAD_MS * (rte_get_tsc_hz() / 1000 + 1);
	accel_dump_failure_keep(qp, "a test");
	dump();
	expect_not(moves);
	expect("The device is dead");
	unplug();
}

/* Dumps while the driver waits, and has not found the failure yet. */
static void
test_hang_now(void **state)
{
	unsigned int i;

	(void)state;
	plug(ARGS ",timeout_ms=60000");
	assert_int_equal(rte_pmd_accel_fault(dev, "stall@1"), 0);
	assert_int_equal(offer(0, 0, 2), 2);
	assert_int_equal(offer(1, 2, 2), 2);
	for (i = 0; i < 100; i++) {
		assert_int_equal(collect(0, 0), 0);
		assert_int_equal(rte_pmd_accel_poll(dev) >= 0, 1);
	}
	assert_int_equal(collect(1, 2), 2);
	dump();
	expect("The device stopped reading at slot 0 of the TX ring: the request that begins "
	       "there, operation 0, has no response, and 1 more are posted behind it up to slot "
	       "5.");
	expect("Operation 0 is SYM, context at IOVA 0x");
	expect("cipher region 16, auth region 0,");
	expect("Its request frame is complete, 3 descriptors. Its result frame is complete, 2 "
	       "descriptors.");
	expect("Nothing hangs: the queue pair is idle, and all 2 operations");
	expect_not("before the driver stopped");
	assert_int_equal(rte_cryptodev_queue_pair_setup(dev, 0, NULL, 0) < 0, 1);
	rte_cryptodev_stop(dev);
	dump();
	expect("The queue pair is stopped. 2 operations wait to be dequeued after the next start.");
	assert_int_equal(rte_cryptodev_start(dev), 0);
	dump();
	expect("The device has done its part: 2 operations wait to be dequeued, from operation");
	assert_int_equal(collect(0, 2), 2);
	unplug();
}

/* An operation that fails alone. */
static void
test_statuses(void **state)
{
	(void)state;
	plug(ARGS);
	assert_int_equal(rte_pmd_accel_fault(dev, "status:7@1+dma@2"), 0);
	assert_int_equal(offer(0, 0, 2), 2);
	assert_int_equal(collect(0, 1), 1);
	assert_int_equal(collect(0, 1), 1);
	dump();
	expect("2 of the last responses have a status that is not OK. That of operation 1 has 6 "
	       "(DMA_FAULT).");
	expect("status 7 (ENGINE_ERROR)");
	expect("The function works: STATE is ready.");
	expect("It has no thread of its own (cores=inline)");
	unplug();
}

/* Nobody dequeues. */
static void
test_undequeued(void **state)
{
	(void)state;
	plug(ARGS);
	assert_int_equal(offer(0, 0, 3), 3);
	while (rte_pmd_accel_poll(dev) == 0)
		;
	dump();
	expect("The device has done its part: 3 operations wait to be dequeued, from operation 0 "
	       "on. The application did not dequeue while the dump watched it.");
	assert_int_equal(collect(0, 3), 3);
	unplug();
}

/* A thread was killed between descriptors and doorbell. */
static void
test_doorbell(void **state)
{
	(void)state;
	plug(ARGS);
	plugged_qp(0)->tx.prod += 3;
	dump();
	expect("The doorbell lags behind: TX_SDP is 0, and the driver has written descriptors up "
	       "to slot 3.");
	plugged_qp(0)->tx.prod -= 3;
	unplug();
}

/* The card is not there, or is another one. */
static void
test_gone(void **state)
{
	volatile struct accel_hw_identity *identity;

	(void)state;
	plug(ARGS);
	identity = accel_identity(plugged_dev());
	identity->magic = ACCEL_ALL_ONES;
	dump();
	expect("The card does not answer: its registers read as all ones.");
	expect_not("host page");
	identity->magic = 0;
	dump();
	expect("The card does not answer: MAGIC reads as 0x00000000 in place of 0x30434341.");
	identity->magic = ACCEL_HW_MAGIC;
	identity->state = ACCEL_HW_STATE_RESETTING;
	dump();
	expect("The function carries out a reset: STATE is resetting");
	identity->state = 77;
	dump();
	expect("The function is broken: STATE is 77");
	identity->state = ACCEL_HW_STATE_READY;
	accel_qp_device(plugged_dev(), 0)->status = ACCEL_HW_QP_STOPPED;
	dump();
	expect("The device does not run this queue pair (STATUS is stopped), although the driver "
	       "has started it: the function was reset by the kernel, another program,");
	accel_qp_device(plugged_dev(), 0)->status = ACCEL_HW_QP_RUNNING;
	unplug();
}

/* Gives the card another address for a part of the queue pair's memory. */
static void
restart_with(uint64_t *place, uint64_t iova)
{
	*place = iova;
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
}

/* The bus loses writes of a card that does not learn of it (manual 6.7). */
static void
lose(uint64_t *place, const char *sentence)
{
	const uint64_t right = *place;

	restart_with(place, NOWHERE);
	assert_int_equal(offer(0, 0, 2), 2);
	take(2);
	dump();
	expect(sentence);
	restart_with(place, right);
	expect_alive(0);
}

static void
test_lost_writes(void **state)
{
	(void)state;
	plug(ARGS ",timeout_ms=50,recover=off,posted_writes=1");
	lose(&plugged_qp(0)->responses_iova,
	     "That is what lay there before: the device has passed the slot, and its write was "
	     "lost on the bus");
	lose(&plugged_qp(0)->wb_iova,
	     "A write of the pointers was lost: the device has written RSP_HHP 2, and the "
	     "write-back line in memory (IOVA 0x400000000000) has 0.");
	unplug();
}

/* The device stops a queue pair by itself (manual 9.1). */
static void
test_descriptor_error(void **state)
{
	struct accel_qp *qp;

	(void)state;
	plug(ARGS ",timeout_ms=50,recover=off");
	assert_int_equal(offer(0, 0, 2), 2);
	qp = plugged_qp(0);
	*accel_ring_slot(&qp->tx, 4) = UINT64_C(1) << 62;
	take(2);
	dump();
	expect("The device has stopped at slot 4 of the TX ring with error 2 (TYPE): a descriptor "
	       "of type 1 or 3. The descriptor there is 0x4000000000000000.");
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	restart_with(&qp->tx_iova, NOWHERE);
	assert_int_equal(offer(0, 0, 1), 1);
	assert_int_equal(collect(0, 1), 1);
	dump();
	expect("The device has stopped at slot 0 of the TX ring with error 9 (DMA)");
	expect("DMA faults: read of the TX ring at IOVA 0x400000000000,");
	unplug();
}

/* A queue pair that the driver heals, and one that was set up again, keep the record. */
static void
test_record_stays(void **state)
{
	(void)state;
	plug(ARGS ",timeout_ms=50,recover=on");
	assert_int_equal(rte_pmd_accel_fault(dev, "corrupt@1"), 0);
	assert_int_equal(offer(0, 0, 1), 1);
	assert_int_equal(collect(0, 1), 1);
	dump();
	expect("The driver starts it again: it waits for the next attempt");
	while (accel_load_relaxed(&plugged_qp(0)->mode) != ACCEL_QP_RUNNING) {
		assert_int_equal(offer(0, 0, 1), 1);
		assert_int_equal(collect(0, 1), 1);
	}
	dump();
	expect("Nothing hangs: the queue pair is idle");
	expect("as it was at its latest failure,");
	expect("has a wrong tag");
	rte_cryptodev_stop(dev);
	assert_int_equal(set_up(0, 2 * PLUGGED_DESC), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	dump();
	expect("as it was at its latest failure,");
	unplug();
}

static void
test_bad_arguments(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	char *made;
	bool trouble;

	(void)state;
	assert_non_null(full);
	assert_int_equal(rte_pmd_accel_dump(200, stderr), -ENODEV);
	plug(ARGS);
	assert_int_equal(rte_pmd_accel_dump(dev, NULL), -EINVAL);
	assert_int_equal(rte_pmd_accel_dump(dev, full), -EIO);
	assert_int_equal(accel_dump_queue(dev, 2, &made, &trouble), -EINVAL);
	assert_int_equal(accel_dump_queue(dev, UINT16_MAX, &made, &trouble), -EINVAL);
	fclose(full);
	unplug();
}

/* Lines are strings of the telemetry library. */
static void
test_lines(void **state)
{
	const char *line, *end;

	(void)state;
	plug(ARGS ",timeout_ms=50");
	kill_device(0);
	dump();
	for (line = text; *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		assert_non_null(end);
		if ((size_t)(end - line) > ACCEL_DUMP_LINE)
			fail_msg("a long line: %.*s", (int)(end - line), line);
	}
	assert_null(strpbrk(text, "\"\\\t\r"));
	unplug();
}

/*
 * A thread that dumps while the application works, and sets up and releases queue pairs.
 */

static volatile bool done;
static unsigned int dumps;

static void *
dump_always(void *arg)
{
	FILE *f = fopen("/dev/null", "w");

	(void)arg;
	while (!done && f != NULL && rte_pmd_accel_dump(dev, f) == 0)
		dumps++;
	if (f != NULL)
		fclose(f);
	return NULL;
}

static void
test_while_busy(void **state)
{
	pthread_t thread;
	unsigned int i = 0;

	(void)state;
	plug(ARGS);
	done = false;
	dumps = 0;
	assert_int_equal(pthread_create(&thread, NULL, dump_always, NULL), 0);
	while (*(volatile unsigned int *)&dumps < 20) {
		expect_alive(0);
		if (++i % 8 != 0)
			continue;
		rte_cryptodev_stop(dev);
		assert_int_equal(set_up(0, i % 16 == 0 ? PLUGGED_DESC : 4 * PLUGGED_DESC), 0);
		assert_int_equal(rte_cryptodev_start(dev), 0);
	}
	done = true;
	assert_int_equal(pthread_join(thread, NULL), 0);
	unplug();
}

/* The owner of the lock was killed. */
static void
test_lock_of_the_dead(void **state)
{
	(void)state;
	plug(ARGS);
	lock_owner_dies(&plugged_dev()->stats_lock);
	dump();
	expect("Nothing hangs");
	lock_expect_free(&plugged_dev()->stats_lock);
	unplug();
}

static int
forget(void **state)
{
	(void)state;
	free(text);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hangs),
		cmocka_unit_test(test_heartbeat_between_looks),
		cmocka_unit_test(test_hang_now),
		cmocka_unit_test(test_statuses),
		cmocka_unit_test(test_undequeued),
		cmocka_unit_test(test_doorbell),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_lost_writes),
		cmocka_unit_test(test_descriptor_error),
		cmocka_unit_test(test_record_stays),
		cmocka_unit_test(test_bad_arguments),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_while_busy),
		cmocka_unit_test(test_lock_of_the_dead),
	};

	if (start_eal_silent("test_dump") < 0)
		return 1;
	return cmocka_run_group_tests_name("dump", tests, make_blocks, forget);
}
