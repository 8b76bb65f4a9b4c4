/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares of virtual functions (accel_vf.h) and the device argument that sets them. BAR0 is plain
 * memory, and the test plays the card: a PF with four VFs, a VF, and cards that lack something or
 * do not answer. At the end both are probed and removed as cryptodevs.
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

#include <dev_driver.h>
#include <rte_cycles.h>
#include <rte_log.h>

#include "accel_args.h"
#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_fail.h"
#include "accel_function.h"
#include "accel_logs.h"
#include "accel_probe.h"
#include "accel_transport.h"
#include "accel_vf.h"
#include "rte_pmd_accel.h"
#include "driver_base/eal.h"
#include "driver_base/fake_card.h"
#include "driver_base/lock_owner.h"
#include "driver_base/log_text.h"

#define VFS 4u
#define QPS_ALL 8u
#define QPS_ONE 4u
#define ALL UINT64_MAX

static uint8_t bar[FAKE_BAR_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev fake;
static const struct accel_vf_plan no_plan;

/* How the card behaves. */
static struct {
	unsigned int total_vfs; /* that the configuration space shows */
	bool deaf; /* takes no shares */
	bool silent; /* does not answer resets */
	bool dies; /* becomes fatal at the next look */
	bool leaves; /* leaves the bus at the next look */
	void (*at_reset)(void);
	void (*at_look)(void);
} card;
static unsigned int taken; /* shares that the card has taken */
static unsigned int level_resets;

static struct accel_hw_vf_resources *
entry(unsigned int vf)
{
	return (struct accel_hw_vf_resources *)(bar + FAKE_VF_TABLE) + vf;
}

static struct accel_hw_vf_resources *
request(unsigned int vf)
{
	return (struct accel_hw_vf_resources *)(bar + FAKE_VF_REQUESTS) + vf;
}

static struct accel_hw_vf_answer *
answer(unsigned int vf)
{
	return (struct accel_hw_vf_answer *)(bar + FAKE_VF_ANSWERS) + vf;
}

static struct accel_hw_vf_status *
status(unsigned int vf)
{
	return (struct accel_hw_vf_status *)(bar + FAKE_VF_STATUS) + vf;
}

static struct accel_hw_mailbox *
mailbox(void)
{
	return (struct accel_hw_mailbox *)(bar + FAKE_MAILBOX_DEVICE);
}

static struct accel_hw_vf_resources *
asked(void)
{
	return (struct accel_hw_vf_resources *)(bar + FAKE_MAILBOX_HOST);
}

static struct accel_hw_identity *
identity(void)
{
	return (struct accel_hw_identity *)bar;
}

static volatile struct accel_hw_control *
control(void)
{
	return (volatile struct accel_hw_control *)(bar + FAKE_PAGE(1));
}

static void
take_shares(void)
{
	unsigned int vf;

	for (vf = 0; vf < VFS; vf++) {
		const uint32_t number = accel_load_acquire(&entry(vf)->sequence);

		if (number == status(vf)->share_ack)
			continue;
		accel_store_release(&status(vf)->share_ack, number);
		taken++;
	}
}

static void
play_relax(struct accel_dev *d)
{
	(void)d;
	if (card.at_look != NULL)
		card.at_look();
	if (card.dies)
		identity()->state = ACCEL_HW_STATE_FATAL;
	if (card.leaves)
		memset(bar, 0xff, sizeof(bar));
	else if (!card.deaf)
		take_shares();
	if (card.silent || card.leaves || identity()->reset_ack == control()->reset_req)
		return;
	if (card.at_reset != NULL)
		card.at_reset();
	identity()->reset_ack = control()->reset_req;
}

static void
play_isolate(struct accel_dev *d)
{
	(void)d;
}

/* A function level reset clears what the host has written, and ends other states (manual 4.3). */
static int
play_revive(struct accel_dev *d)
{
	(void)d;
	level_resets++;
	card.silent = false;
	memset((void *)(uintptr_t)control(), 0, ACCEL_HW_PAGE_SIZE);
	memset(entry(0), 0, ACCEL_HW_PAGE_SIZE);
	memset(answer(0), 0, ACCEL_HW_PAGE_SIZE);
	memset(request(0), 0, ACCEL_HW_PAGE_SIZE);
	memset(asked(), 0, ACCEL_HW_PAGE_SIZE);
	identity()->reset_ack = 0;
	identity()->state = ACCEL_HW_STATE_READY;
	return 0;
}

static unsigned int
play_total_vfs(const struct accel_dev *d)
{
	(void)d;
	return card.total_vfs;
}

static const struct accel_transport transport = {
	.name = "test", .isolate = play_isolate, .revive = play_revive, .relax = play_relax,
	.total_vfs = play_total_vfs,
};

static const struct fake_tree pf_tree = {
	.vf_table = true, .vf_mailbox = true, .vf_qps = { QPS_ALL, QPS_ONE }, .nb_qps = 2,
	.health = true, .command_ring = true, /* so that no log line says what is missing */
};
static const struct fake_tree vf_tree = { .mailbox = true, .nb_qps = 2, .health = true,
					  .command_ring = true };

static void
plug_bare(const struct fake_tree *tree, bool is_vf)
{
	unsigned int vf;

	memset(&card, 0, sizeof(card));
	card.total_vfs = VFS;
	taken = level_resets = 0;
	accel_vf_fini(&fake);
	fake_card_plug(&fake, bar, tree);
	identity()->function = is_vf ? ACCEL_HW_FUNCTION_IS_VF | 3 : 0;
	for (vf = 0; tree->vf_mailbox && vf < VFS; vf++)
		status(vf)->vf_state = ACCEL_HW_VF_STATE(ACCEL_HW_STATE_READY);
	accel_process_set(0, &transport, NULL);
}

static int
plug_pf(void **state)
{
	(void)state;
	plug_bare(&pf_tree, false);
	assert_int_equal(accel_vf_init(&fake, &no_plan), 0);
	return 0;
}

static int
plug_vf(void **state)
{
	(void)state;
	plug_bare(&vf_tree, true);
	assert_int_equal(accel_vf_init(&fake, &no_plan), 0);
	return 0;
}

/* A share that differs from others in each field. */
static struct rte_pmd_accel_vf_share
share_of(uint16_t queue_pairs, unsigned int seed)
{
	return (struct rte_pmd_accel_vf_share){
		.queue_pairs = queue_pairs,
		.weight = (uint16_t)(1 + seed),
		.ops_per_second = UINT64_C(0x100000000) + seed,
		.bytes_per_second = UINT64_C(0x200000000) + seed,
		.algorithms = { 3 + seed, 5 + seed, 7 + seed, 9 + seed },
	};
}

static void
expect_share(const struct rte_pmd_accel_vf_share *is, const struct rte_pmd_accel_vf_share *should)
{
	assert_int_equal(is->queue_pairs, should->queue_pairs);
	assert_int_equal(is->weight, should->weight);
	assert_int_equal(is->ops_per_second, should->ops_per_second);
	assert_int_equal(is->bytes_per_second, should->bytes_per_second);
	assert_memory_equal(is->algorithms, should->algorithms, sizeof(is->algorithms));
}

static void
expect_entry(const struct accel_hw_vf_resources *is, const struct rte_pmd_accel_vf_share *should)
{
	assert_int_equal(is->nb_queue_pairs, should->queue_pairs);
	assert_int_equal(is->weight, should->weight);
	assert_int_equal(is->ops_per_second, should->ops_per_second);
	assert_int_equal(is->bytes_per_second, should->bytes_per_second);
	assert_int_equal(is->reserved, 0);
	assert_memory_equal(is->algorithms, should->algorithms, sizeof(is->algorithms));
}

static void
fill(struct accel_hw_vf_resources *to, const struct rte_pmd_accel_vf_share *from, uint32_t number)
{
	to->nb_queue_pairs = from->queue_pairs;
	to->weight = from->weight;
	to->ops_per_second = from->ops_per_second;
	to->bytes_per_second = from->bytes_per_second;
	memcpy(to->algorithms, from->algorithms, sizeof(to->algorithms));
	to->sequence = number;
}

/*
 * What log lines say.
 */

/* Checks that the log is one line that has this text, or is empty with NULL. Ends the log. */
static void
log_expect(const char *text)
{
	const char *end;

	log_end();
	end = strchr(log_text, '\n');
	if (text == NULL ? log_text[0] != '\0' :
			   strstr(log_text, text) == NULL || end == NULL || end[1] != '\0')
		fail_msg("\"%s\" is not one line with \"%s\"", log_text,
			 text != NULL ? text : "nothing");
	free(log_text);
}

/*
 * The physical function.
 */

static int
share_get(uint16_t vf, struct rte_pmd_accel_vf_share *share)
{
	struct rte_pmd_accel_vf_info info;
	const int ret = accel_vf_info_get(&fake, vf, &info);

	if (ret == 0)
		*share = info.share;
	return ret;
}

static void
test_set_and_get(void **state)
{
	const struct rte_pmd_accel_vf_share want = share_of(3, 10);
	struct rte_pmd_accel_vf_share got;

	(void)state;
	assert_int_equal(accel_vf_count(&fake), VFS);
	assert_int_equal(share_get(2, &got), 0); /* Nothing was set. */
	expect_share(&got, &(const struct rte_pmd_accel_vf_share){
			     .queue_pairs = QPS_ONE, .weight = 1,
			     .algorithms = { ALL, ALL, ALL, ALL } });
	log_begin();
	assert_int_equal(accel_vf_share_set(&fake, 2, &want), 0);
	log_expect(NULL);
	expect_entry(entry(2), &want);
	assert_true(entry(2)->sequence != 0);
	assert_int_equal(taken, 1);
	assert_int_equal(status(2)->share_ack, entry(2)->sequence);
	assert_int_equal(share_get(2, &got), 0);
	expect_share(&got, &want);
	/* The same again is a change for the card, too. */
	assert_int_equal(accel_vf_share_set(&fake, 2, &want), 0);
	assert_int_equal(taken, 2);
	assert_int_equal(entry(0)->sequence | entry(1)->sequence | entry(3)->sequence, 0);
	/* A weight of 0 is one of 1. */
	assert_int_equal(accel_vf_share_set(&fake, 0, &(const struct rte_pmd_accel_vf_share){
			 .queue_pairs = 0 }), 0);
	assert_int_equal(share_get(0, &got), 0);
	assert_int_equal(got.weight, 1);
	assert_int_equal(got.queue_pairs, 0);
}

/* SEQUENCE is never 0, nor what a missing card reads as, nor a number that the card has seen. */
static void
test_numbers(void **state)
{
	static const uint32_t numbers[] = { 0, 1, 0xfffffffd, 0xfffffffe, 0xffffffff };
	const struct rte_pmd_accel_vf_share share = share_of(1, 1);
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(numbers); i++) {
		entry(1)->sequence = status(1)->share_ack = numbers[i];
		assert_int_equal(accel_vf_share_set(&fake, 1, &share), 0);
		assert_int_equal(taken, i + 1);
		assert_int_not_equal(entry(1)->sequence, 0);
		assert_int_not_equal(entry(1)->sequence, UINT32_MAX);
	}
	entry(1)->sequence = 0; /* as after a function level reset that the card has not noticed */
	status(1)->share_ack = 1;
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), 0);
	assert_int_equal(taken, i + 2); /* it notices first */
}

/* Refuses a share with one line, and the table stays as it is. */
static void
expect_refused(uint16_t vf, struct rte_pmd_accel_vf_share share, int ret, const char *why)
{
	static uint8_t before[ACCEL_HW_PAGE_SIZE];

	memcpy(before, entry(0), sizeof(before));
	log_begin();
	assert_int_equal(accel_vf_share_set(&fake, vf, &share), ret);
	log_expect(why);
	assert_memory_equal(before, entry(0), sizeof(before));
}

static void
test_refused(void **state)
{
	struct rte_pmd_accel_vf_share share = share_of(QPS_ONE + 1, 0);

	(void)state;
	expect_refused(VFS, share_of(1, 0), -EINVAL, "no VF 4: the card has 4");
	expect_refused(UINT16_MAX, share_of(1, 0), -EINVAL, "no VF 65535");
	expect_refused(0, share, -EINVAL, "5 queue pairs for VF 0, but one VF of this card can "
		       "have 4");
	share = share_of(1, 0);
	memset(share.algorithms, 0, sizeof(share.algorithms));
	expect_refused(1, share, -EINVAL, "no algorithm");

	/* 8 queue pairs: 4 and 3 leave 1. */
	share = share_of(4, 0);
	assert_int_equal(accel_vf_share_set(&fake, 0, &share), 0);
	share = share_of(3, 1);
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), 0);
	expect_refused(2, share_of(2, 2), -ENOSPC, "2 queue pairs are wanted, the card has 8 for "
		       "its VFs, and other VFs have been given 7");
	share = share_of(1, 2);
	assert_int_equal(accel_vf_share_set(&fake, 2, &share), 0);
	expect_refused(3, share_of(1, 3), -ENOSPC, "other VFs have been given 8");
	/* What a VF has itself does not count against it. */
	share = share_of(4, 3);
	assert_int_equal(accel_vf_share_set(&fake, 0, &share), 0);
	share = share_of(3, 3);
	assert_int_equal(accel_vf_share_set(&fake, 0, &share), 0);
	share = share_of(1, 3);
	assert_int_equal(accel_vf_share_set(&fake, 3, &share), 0);
	/* Another program may have written an entry with more than one VF can have. */
	plug_pf(NULL);
	share = share_of(UINT16_MAX, 0);
	fill(entry(0), &share, 1);
	share = share_of(4, 1);
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), 0);
	expect_refused(2, share_of(1, 0), -ENOSPC, "other VFs have been given 8");
}

/* Functions that have no VFs, or are not there. */
static void
test_not_possible(void **state)
{
	struct rte_pmd_accel_vf_share share = share_of(1, 0);
	struct rte_pmd_accel_share_info own;
	struct rte_pmd_accel_vf_info info;

	(void)state;
	assert_int_equal(accel_share_ask(&fake, &share), -ENOTSUP); /* It is a PF. */
	assert_int_equal(accel_share_info_get(&fake, &own), -ENOTSUP);
	assert_int_equal(accel_vf_info_get(&fake, VFS, &info), -EINVAL);
	assert_int_equal(accel_vf_refuse(&fake, VFS), -EINVAL);
	assert_int_equal(share_get(VFS, &share), -EINVAL);
	memset(bar, 0xff, sizeof(bar));
	log_begin();
	assert_int_equal(accel_vf_share_set(&fake, 0, &share), -EIO);
	log_expect("all ones");
	assert_int_equal(share_get(0, &share), -EIO);
	assert_int_equal(accel_vf_info_get(&fake, 0, &info), -EIO);
	assert_int_equal(accel_vf_refuse(&fake, 0), -EIO);

	plug_vf(NULL);
	log_begin();
	assert_int_equal(accel_vf_share_set(&fake, 0, &share), -ENOTSUP);
	log_expect("use the device of their physical function");
	assert_int_equal(share_get(0, &share), -ENOTSUP);
	assert_int_equal(accel_vf_info_get(&fake, 0, &info), -ENOTSUP);
	assert_int_equal(accel_vf_refuse(&fake, 0), -ENOTSUP);
	assert_int_equal(accel_vf_count(&fake), -ENOTSUP);

	plug_bare(&(const struct fake_tree){ .nb_qps = 1 }, false);
	assert_int_equal(accel_vf_init(&fake, &no_plan), 0);
	assert_int_equal(accel_vf_share_set(&fake, 0, &share), -ENOTSUP);
	assert_int_equal(accel_vf_count(&fake), -ENOTSUP);
}

static void
test_no_answer(void **state)
{
	const struct rte_pmd_accel_vf_share share = share_of(1, 0);
	uint32_t sequence;

	(void)state;
	card.deaf = true;
	log_begin();
	assert_int_equal(accel_vf_share_set(&fake, 0, &share), -ETIMEDOUT);
	log_expect("has not taken the share of VF 0");
	card.dies = true;
	assert_int_equal(accel_vf_share_set(&fake, 0, &share), -EIO);
	identity()->state = ACCEL_HW_STATE_READY;
	card.dies = false;
	card.deaf = false;
	/* The card takes the entry of a VF that is not enabled, too. */
	status(1)->vf_state = ACCEL_HW_VF_ABSENT;
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), 0);
	/* What was not taken is not written again (VF-19). */
	card.deaf = true;
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), -ETIMEDOUT);
	sequence = entry(1)->sequence;
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), -ETIMEDOUT);
	assert_int_equal(entry(1)->sequence, sequence);
	card.leaves = true;
	log_begin();
	assert_int_equal(accel_vf_share_set(&fake, 2, &share), -EIO);
	log_expect("all ones");
}

/* A card of contract 1.1: no mailbox, and nothing says how many queue pairs there are. */
static void
test_older_card(void **state)
{
	struct rte_pmd_accel_vf_share share = share_of(60, 0), got;
	struct rte_pmd_accel_vf_info info;

	(void)state;
	plug_bare(&(const struct fake_tree){ .vf_table = true }, false);
	identity()->version = 0x00010001;
	card.total_vfs = 0;
	assert_int_equal(accel_vf_init(&fake, &no_plan), 0);
	assert_int_equal(accel_vf_count(&fake), 64); /* as many as the table has room for */
	assert_int_equal(share_get(0, &got), 0);
	assert_int_equal(got.queue_pairs, UINT16_MAX);
	log_begin();
	assert_int_equal(accel_vf_share_set(&fake, 63, &share), 0);
	log_expect("contract 1.1 takes rates at the next reset of the VF, and has no weights");
	expect_entry(entry(63), &share);
	assert_int_equal(accel_vf_share_set(&fake, 64, &share), -EINVAL);
	assert_int_equal(accel_vf_info_get(&fake, 0, &info), 0);
	assert_int_equal(info.state, RTE_PMD_ACCEL_VF_UNKNOWN);
	assert_int_equal(accel_vf_refuse(&fake, 0), -ENOTSUP);
	accel_vf_tell(&fake, ACCEL_HW_PF_UP);
	assert_int_equal(control()->pf_state, 0); /* It has no such register. */
}

static void
test_info(void **state)
{
	const struct rte_pmd_accel_vf_share share = share_of(2, 0);
	struct rte_pmd_accel_vf_info info;

	(void)state;
	assert_int_equal(accel_vf_info_get(&fake, 3, &info), 0);
	assert_int_equal(info.state, RTE_PMD_ACCEL_VF_READY);
	assert_int_equal(info.fatal_code, 0);
	assert_int_equal(info.queue_pairs, 0);
	assert_int_equal(info.share_in_effect, 1); /* Nothing was set, and that is in effect. */
	assert_int_equal(info.share_is_set, 0);
	assert_int_equal(info.request_pending, 0);
	card.deaf = true;
	assert_int_equal(accel_vf_share_set(&fake, 3, &share), -ETIMEDOUT);
	*status(3) = (struct accel_hw_vf_status){
		.queue_pairs = 0x102, .vf_state = ACCEL_HW_VF_STATE(ACCEL_HW_STATE_FATAL),
		.vf_fatal_code = ACCEL_HW_FATAL_THERMAL,
	};
	assert_int_equal(accel_vf_info_get(&fake, 3, &info), 0);
	assert_int_equal(info.state, RTE_PMD_ACCEL_VF_FATAL);
	assert_int_equal(info.fatal_code, ACCEL_HW_FATAL_THERMAL);
	assert_int_equal(info.queue_pairs, 0x102);
	assert_int_equal(info.share_in_effect, 0);
	assert_int_equal(info.share_is_set, 1);
	status(3)->vf_state = ACCEL_HW_VF_ABSENT;
	assert_int_equal(accel_vf_info_get(&fake, 3, &info), 0);
	assert_int_equal(info.state, RTE_PMD_ACCEL_VF_ABSENT);
	/* No number of a card means that the card says nothing. */
	for (unsigned int number = 0; number <= UINT8_MAX; number++) {
		status(3)->vf_state = number;
		assert_int_equal(accel_vf_info_get(&fake, 3, &info), 0);
		assert_int_not_equal(info.state, RTE_PMD_ACCEL_VF_UNKNOWN);
		assert_int_equal(info.queue_pairs, 0x102);
	}
	assert_int_equal(RTE_PMD_ACCEL_VF_BOOTING, ACCEL_HW_VF_STATE(ACCEL_HW_STATE_BOOTING));
	assert_int_equal(RTE_PMD_ACCEL_VF_RESETTING, ACCEL_HW_VF_STATE(ACCEL_HW_STATE_RESETTING));
}

/* What telemetry looks at, again and again and without a log line. */
static void
test_look_at(void **state)
{
	const struct rte_pmd_accel_vf_share share = share_of(2, 0), wish = share_of(3, 7);
	struct rte_pmd_accel_vf_info info;

	(void)state;
	assert_int_equal(accel_vf_share_set(&fake, 3, &share), 0);
	fill(request(3), &wish, 5);
	status(3)->queue_pairs = 1;
	status(2)->vf_state = ACCEL_HW_VF_ABSENT;
	log_begin();
	memset(&info, 0xff, sizeof(info));
	assert_int_equal(accel_vf_look_at(&fake, 3, &info), 0);
	assert_int_equal(info.state, RTE_PMD_ACCEL_VF_READY);
	assert_int_equal(info.queue_pairs, 1);
	assert_int_equal(info.share_is_set & info.share_in_effect, 1);
	assert_int_equal(info.request_pending, 1);
	expect_share(&info.share, &share);
	expect_share(&info.asked, &wish);
	assert_int_equal(accel_vf_look_at(&fake, 2, &info), 0);
	assert_int_equal(info.state, RTE_PMD_ACCEL_VF_ABSENT);
	assert_int_equal(info.share_is_set | info.request_pending, 0);
	assert_int_equal(info.share.queue_pairs, QPS_ONE);
	assert_int_equal(accel_vf_look_at(&fake, VFS, &info), -EINVAL);
	memset(bar, 0xff, sizeof(bar));
	assert_int_equal(accel_vf_look_at(&fake, 3, &info), -EIO);
	plug_vf(NULL);
	assert_int_equal(accel_vf_look_at(&fake, 0, &info), -ENOTSUP);
	plug_bare(&(const struct fake_tree){ .vf_table = true }, false);
	identity()->version = 0x00010001;
	assert_int_equal(accel_vf_init(&fake, &no_plan), 0);
	assert_int_equal(accel_vf_look_at(&fake, 0, &info), 0);
	assert_int_equal(info.state, RTE_PMD_ACCEL_VF_UNKNOWN);
	log_expect(NULL);
}

/* The VF asks again while the PF grants what it has asked for before. */
static void
ask_again(void)
{
	const struct rte_pmd_accel_vf_share wish = share_of(4, 9);

	fill(request(1), &wish, 8);
}

static void
test_requests(void **state)
{
	const struct rte_pmd_accel_vf_share wish = share_of(4, 5), share = share_of(2, 2);
	struct rte_pmd_accel_vf_info info;

	(void)state;
	assert_int_equal(accel_vf_refuse(&fake, 1), -ENOENT);
	fill(request(1), &wish, 7);
	assert_int_equal(accel_vf_info_get(&fake, 1, &info), 0);
	assert_int_equal(info.request_pending, 1);
	expect_share(&info.asked, &wish);
	/* A share that cannot be set grants nothing, and one of another VF does not either. */
	expect_refused(1, share_of(5, 0), -EINVAL, "5 queue pairs");
	assert_int_equal(accel_vf_share_set(&fake, 2, &share), 0);
	assert_int_equal(answer(1)->answer, 0);
	assert_int_equal(answer(2)->answer, 0);
	card.deaf = true;
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), -ETIMEDOUT);
	assert_int_equal(answer(1)->answer, 0);
	card.deaf = false;
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), 0);
	assert_int_equal(answer(1)->answer, 7);
	assert_int_equal(answer(1)->answer_status, ACCEL_HW_ANSWER_GRANTED);
	assert_int_equal(accel_vf_info_get(&fake, 1, &info), 0);
	assert_int_equal(info.request_pending, 0);
	assert_int_equal(accel_vf_refuse(&fake, 1), -ENOENT);

	/* The later request stays without an answer. */
	request(1)->sequence = 9;
	card.at_look = ask_again;
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), 0);
	card.at_look = NULL;
	assert_int_equal(answer(1)->answer, 9);
	assert_int_equal(accel_vf_info_get(&fake, 1, &info), 0);
	assert_int_equal(info.request_pending, 1);
	assert_int_equal(info.asked.weight, 10);
	assert_int_equal(accel_vf_refuse(&fake, 1), 0);
	assert_int_equal(answer(1)->answer, 8);
	assert_int_equal(answer(1)->answer_status, ACCEL_HW_ANSWER_REFUSED);
}

/* What an earlier process has set stays, and comes back after a function level reset. */
static void
test_level_reset(void **state)
{
	const struct rte_pmd_accel_vf_share old = share_of(1, 3), new = share_of(2, 4);

	(void)state;
	plug_bare(&pf_tree, false);
	fill(entry(3), &old, 77);
	status(3)->share_ack = 77;
	assert_int_equal(accel_vf_init(&fake, &no_plan), 0);
	assert_int_equal(entry(3)->sequence, 77);
	assert_int_equal(accel_vf_share_set(&fake, 0, &new), 0);
	accel_vf_tell(&fake, ACCEL_HW_PF_UP);

	assert_int_equal(accel_function_reset(&fake), 0);
	assert_int_equal(accel_revive(&fake, 1), 0);
	assert_int_equal(level_resets, 1);
	expect_entry(entry(0), &new);
	expect_entry(entry(3), &old);
	assert_true(entry(0)->sequence != 0 && entry(3)->sequence != 0);
	assert_int_equal(entry(1)->sequence | entry(2)->sequence, 0);
	assert_int_equal(control()->pf_state, ACCEL_HW_PF_UP);
}

/*
 * Several threads.
 */

#define THREADS 4u
#define ROUNDS 2000u

/* Sets shares of all VFs in turn. Those of one seed are alike in all fields. */
static void *
set_many(void *arg)
{
	const unsigned int seed = (unsigned int)(uintptr_t)arg;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		const struct rte_pmd_accel_vf_share share =
			share_of((uint16_t)(1 + (i + seed) % QPS_ONE), seed);
		const int ret = accel_vf_share_set(&fake, (uint16_t)(i % VFS), &share);

		if (ret != 0 && ret != -ENOSPC)
			return arg;
	}
	return NULL;
}

/* The card takes more time for a share than a thread does for its turn. */
static void
take_late(struct accel_dev *d)
{
	(void)d;
	take_shares();
}

static void
test_threads(void **state)
{
	static const struct accel_transport late = { .name = "test", .relax = take_late };
	pthread_t thread[THREADS];
	unsigned int i, sum = 0;
	void *wrong;

	(void)state;
	accel_process_set(0, &late, NULL);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, set_many,
						(void *)(uintptr_t)(i + 1)), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(thread[i], &wrong), 0);
		assert_null(wrong);
	}
	for (i = 0; i < VFS; i++) {
		const struct rte_pmd_accel_vf_share whole =
			share_of(entry(i)->nb_queue_pairs, entry(i)->weight - 1u);

		expect_entry(entry(i), &whole);
		sum += entry(i)->nb_queue_pairs;
	}
	assert_in_range(sum, VFS, QPS_ALL);
}

/* A process that was killed had the lock. */
static void
test_killed_with_lock(void **state)
{
	const struct rte_pmd_accel_vf_share share = share_of(2, 5);

	(void)state;
	lock_owner_dies(&fake.share_lock);
	assert_int_equal(accel_vf_share_set(&fake, 1, &share), 0);
	expect_entry(entry(1), &share);
	lock_expect_free(&fake.share_lock);
}

/*
 * The device argument.
 */

static struct accel_vf_plan plan;

static void
expect_syntax(const char *text, const char *why)
{
	log_begin();
	assert_int_equal(accel_vf_args_parse("dev", text, &plan), -EINVAL);
	log_expect(why);
}

static void
test_syntax(void **state)
{
	struct accel_args args;

	(void)state;
	accel_args_default(&args);
	assert_int_equal(accel_vf_args_parse("dev", args.vf_shares, &plan), 0);
	assert_int_equal(plan.nb, 0);
	assert_int_equal(accel_args_parse("dev", "vf_shares=0:qp@2:weight@3:ops@1M:bytes@2G/"
					  "1-3:qp@1:alg@aes-cbc+sha2-256-hmac+null/255:qp@0:alg@20"
					  "+aes-gcm+pdcp+docsis,timeout_ms=77", &args, NULL), 0);
	assert_int_equal(args.timeout_ms, 77);
	assert_int_equal(accel_vf_args_parse("dev", args.vf_shares, &plan), 0);
	assert_int_equal(plan.nb, 3);
	assert_int_equal(plan.item[0].first, 0);
	assert_int_equal(plan.item[0].last, 0);
	expect_share(&plan.item[0].share, &(const struct rte_pmd_accel_vf_share){
		.queue_pairs = 2, .weight = 3, .ops_per_second = 1000000,
		.bytes_per_second = 2000000000, .algorithms = { ALL, ALL, ALL, ALL } });
	assert_int_equal(plan.item[1].first, 1);
	assert_int_equal(plan.item[1].last, 3);
#define BIT(number) (UINT64_C(1) << (number) % 64)
	expect_share(&plan.item[1].share, &(const struct rte_pmd_accel_vf_share){
		.queue_pairs = 1, .weight = 1,
		.algorithms = { BIT(ACCEL_HW_CIPHER_AES_CBC) | BIT(ACCEL_HW_CIPHER_NULL),
				BIT(ACCEL_HW_AUTH_SHA256_HMAC) | BIT(ACCEL_HW_AUTH_NULL) } });
	assert_int_equal(plan.item[2].first, 255);
	expect_share(&plan.item[2].share, &(const struct rte_pmd_accel_vf_share){
		.queue_pairs = 0, .weight = 1,
		.algorithms = { BIT(20), BIT(ACCEL_HW_PROTO_PDCP) | BIT(ACCEL_HW_PROTO_DOCSIS), 0,
				BIT(ACCEL_HW_AEAD_AES_GCM) } });
#undef BIT
}

/* Each algorithm has a name of the card. Some have another one of rte_cryptodev. */
static void
test_names(void **state)
{
	static const struct {
		const char *name;
		const char *number; /* of manual 8.2 */
	} rows[] = {
#define SYM(id, number, class, name, ...) { name, #number },
#define OTHER(id, number, name) { name, #number },
		ACCEL_HW_SYM_ALGS(SYM)
		ACCEL_HW_OTHER_ALGS(OTHER)
#undef SYM
#undef OTHER
		{ "sha2-256-hmac", "74" }, { "aes-docsisbpi", "10" }, { "des-docsisbpi", "11" },
	};
	struct rte_pmd_accel_vf_share by_name;
	unsigned int i;
	char text[64];

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		const bool null = strcmp(rows[i].name, "null") == 0;

		snprintf(text, sizeof(text), "0:qp@1:alg@%s", rows[i].name);
		assert_int_equal(accel_vf_args_parse("dev", text, &plan), 0);
		by_name = plan.item[0].share;
		snprintf(text, sizeof(text), "0:qp@1:alg@%s", null ? "1+64" : rows[i].number);
		assert_int_equal(accel_vf_args_parse("dev", text, &plan), 0);
		expect_share(&by_name, &plan.item[0].share);
	}
}

static void
test_wrong_syntax(void **state)
{
	char many[1024] = "0:qp@1";
	unsigned int i;

	(void)state;
	expect_syntax("/", "it begins with the number of a VF");
	expect_syntax("x:qp@1", "it begins with the number of a VF");
	expect_syntax("256:qp@1", "it begins with the number of a VF");
	expect_syntax("3-2:qp@1", "it begins with the number of a VF");
	expect_syntax("3-:qp@1", "it begins with the number of a VF");
	expect_syntax("0:qp@1/", "\"\" is no share");
	expect_syntax("0", "it needs qp@");
	expect_syntax("0:weight@1", "it needs qp@");
	expect_syntax("0:", "a key is followed by @ and a value");
	expect_syntax("0:qp", "a key is followed by @ and a value");
	expect_syntax("0:qp2", "a key is followed by @ and a value");
	expect_syntax("0:qps@1", "valid keys are");
	expect_syntax("0:qp@1:qp@2", "given twice");
	expect_syntax("0:qp@-1", "qp@ takes");
	expect_syntax("0:qp@65536", "qp@ takes");
	expect_syntax("0:qp@1:weight@0", "weight@ takes");
	expect_syntax("0:qp@1:ops@1T", "ops@ takes");
	expect_syntax("0:qp@1:bytes@", "bytes@ takes");
	expect_syntax("0:qp@1:bytes@18446744073709551616", "bytes@ takes");
	expect_syntax("0:qp@1:alg@", "alg@ has a name");
	expect_syntax("0:qp@1:alg@aes-cbc+", "alg@ has a name");
	expect_syntax("0:qp@1:alg@aes-cbc+aes-abc", "alg@ has a name");
	expect_syntax("0:qp@1:alg@256", "alg@ has a name");
	expect_syntax("0:qp@1/0:qp@2", "\"0:qp@2\" is no share: another item has the same VF");
	expect_syntax("5-9:qp@1/1-5:qp@2", "another item has the same VF");
	for (i = 1; i <= ACCEL_VF_ITEMS_MAX; i++)
		snprintf(many + strlen(many), sizeof(many) - strlen(many), "/%u:qp@1", i);
	log_begin();
	assert_int_equal(accel_vf_args_parse("dev", many, &plan), -EINVAL);
	log_expect("at most 64 items");
}

static void
plan_shares(const char *text)
{
	plug_bare(&pf_tree, false);
	assert_int_equal(accel_vf_args_parse("dev", text, &plan), 0);
}

static void
expect_no_plan(const char *text, int ret, const char *why)
{
	plan_shares(text);
	entry(3)->sequence = 5; /* of an earlier process */
	entry(3)->nb_queue_pairs = 2;
	log_begin();
	assert_int_equal(accel_vf_init(&fake, &plan), ret);
	log_expect(why);
	assert_int_equal(entry(0)->sequence | entry(1)->sequence | entry(2)->sequence, 0);
	assert_int_equal(entry(3)->sequence, 5);
}

static void
test_plan(void **state)
{
	unsigned int vf;

	(void)state;
	plan_shares("0:qp@4:weight@2/1-3:qp@1:ops@5k");
	log_begin();
	assert_int_equal(accel_vf_init(&fake, &plan), 0);
	log_expect(NULL);
	assert_int_equal(taken, VFS);
	assert_int_equal(entry(0)->nb_queue_pairs, 4);
	assert_int_equal(entry(0)->weight, 2);
	for (vf = 1; vf < VFS; vf++) {
		assert_int_equal(entry(vf)->nb_queue_pairs, 1);
		assert_int_equal(entry(vf)->ops_per_second, 5000);
	}
	/* It is checked as a whole, before anything is written. */
	expect_no_plan("0:qp@1/4:qp@1", -EINVAL, "no VF 4");
	expect_no_plan("0:qp@1/1-255:qp@1", -EINVAL, "no VF 255");
	expect_no_plan("0:qp@1/1:qp@5", -EINVAL, "one VF of this card can have 4");
	expect_no_plan("0-2:qp@3", -ENOSPC, "9 queue pairs are wanted");
	expect_no_plan("0:qp@4/1:qp@3", -ENOSPC, "other VFs have been given 2");

	plan_shares("0:qp@1");
	card.deaf = true;
	log_begin();
	assert_int_equal(accel_vf_init(&fake, &plan), -ETIMEDOUT);
	log_expect("has not taken the share of VF 0");

	plug_bare(&vf_tree, true);
	log_begin();
	assert_int_equal(accel_vf_init(&fake, &plan), -ENOTSUP);
	log_expect("vf_shares is for a physical function, and this is a virtual one");
	plug_bare(&(const struct fake_tree){ .nb_qps = 1 }, false);
	log_begin();
	assert_int_equal(accel_vf_init(&fake, &plan), -ENOTSUP);
	log_expect("a device without virtual functions");
}

/*
 * The virtual function.
 */

static void
test_ask(void **state)
{
	const struct rte_pmd_accel_vf_share wish = share_of(3, 1), other = share_of(0, 6);
	struct rte_pmd_accel_share_info info;

	(void)state;
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	assert_int_equal(info.answer, RTE_PMD_ACCEL_ANSWER_NONE);
	assert_int_equal(accel_share_ask(&fake, &wish), 0);
	expect_entry(asked(), &wish);
	assert_true(asked()->sequence != 0);
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	assert_int_equal(info.answer, RTE_PMD_ACCEL_ANSWER_PENDING);
	mailbox()->answer_status = ACCEL_HW_ANSWER_GRANTED;
	mailbox()->answer = asked()->sequence;
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	assert_int_equal(info.answer, RTE_PMD_ACCEL_ANSWER_GRANTED);
	/* Another request has no answer yet. */
	assert_int_equal(accel_share_ask(&fake, &other), 0);
	expect_entry(asked(), &other);
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	assert_int_equal(info.answer, RTE_PMD_ACCEL_ANSWER_PENDING);
	mailbox()->answer_status = ACCEL_HW_ANSWER_REFUSED;
	mailbox()->answer = asked()->sequence;
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	assert_int_equal(info.answer, RTE_PMD_ACCEL_ANSWER_REFUSED);
	mailbox()->answer_status = 77;
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	assert_int_equal(info.answer, RTE_PMD_ACCEL_ANSWER_OTHER);
	assert_int_equal(info.answer_code, 77);
	/* The number is none that has an answer. */
	asked()->sequence = 0xfffffffe;
	mailbox()->answer = 1;
	assert_int_equal(accel_share_ask(&fake, &wish), 0);
	assert_int_equal(asked()->sequence, 2);

	memset(bar, 0xff, sizeof(bar));
	assert_int_equal(accel_share_ask(&fake, &wish), -EIO);
	assert_int_equal(accel_share_info_get(&fake, &info), -EIO);
}

static void
test_own_share(void **state)
{
	const struct rte_pmd_accel_vf_share share = share_of(3, 1);
	struct rte_pmd_accel_share_info info;

	(void)state;
	mailbox()->queue_pairs = 2;
	mailbox()->pf_state = ACCEL_HW_PF_GOING_DOWN;
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	assert_int_equal(info.is_set, 0);
	expect_share(&info.share, &(const struct rte_pmd_accel_vf_share){
		.queue_pairs = UINT16_MAX, .weight = 1, .algorithms = { ALL, ALL, ALL, ALL } });
	assert_int_equal(info.queue_pairs, 2);
	assert_int_equal(info.pf_state, RTE_PMD_ACCEL_PF_GOING_DOWN);
	fill(&mailbox()->share, &share, 9);
	mailbox()->share_count = 2;
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	assert_int_equal(info.is_set, 1);
	expect_share(&info.share, &share);
	mailbox()->share.weight = 0;
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	assert_int_equal(info.share.weight, 1);
	assert_int_equal(RTE_PMD_ACCEL_PF_UP, ACCEL_HW_PF_UP);
}

/* The card writes a share while it is read: the first looks find half of it. */
static unsigned int looks;

static void
write_on(void)
{
	const struct rte_pmd_accel_vf_share share = share_of(4, 8);

	if (++looks < 3)
		return;
	fill(&mailbox()->share, &share, 10);
	mailbox()->share_count = 4;
}

static void
write_for_ever(void)
{
	mailbox()->share_count += 2 - mailbox()->share_count % 2;
	mailbox()->share_count |= 1;
}

static void
test_share_changes(void **state)
{
	const struct rte_pmd_accel_vf_share share = share_of(4, 8);
	struct rte_pmd_accel_share_info info;

	(void)state;
	mailbox()->share_count = 3;
	mailbox()->share.sequence = 9;
	looks = 0;
	card.at_look = write_on;
	assert_int_equal(accel_share_info_get(&fake, &info), 0);
	expect_share(&info.share, &share);
	card.at_look = write_for_ever;
	mailbox()->share_count = 3;
	assert_int_equal(accel_share_info_get(&fake, &info), -ETIMEDOUT);
	card.at_look = NULL;
	card.leaves = true;
	assert_int_equal(accel_share_info_get(&fake, &info), -EIO);
}

static void
test_no_queue_pairs(void **state)
{
	struct fake_tree tree = vf_tree;
	const struct rte_pmd_accel_vf_share none = share_of(0, 0), some = share_of(2, 0);

	(void)state;
	tree.no_qps = true;
	plug_bare(&tree, true);
	fill(&mailbox()->share, &none, 4);
	log_begin();
	assert_int_equal(accel_vf_init(&fake, &no_plan), -ENODEV);
	log_expect("the physical function has given this virtual function no queue pairs");
	fill(&mailbox()->share, &some, 4); /* but others have all of them */
	log_begin();
	assert_int_equal(accel_vf_init(&fake, &no_plan), -ENOSPC);
	log_expect("no queue pairs are left for this virtual function");
	mailbox()->share.sequence = 0;
	assert_int_equal(accel_vf_init(&fake, &no_plan), -ENOSPC);
	tree.mailbox = false;
	plug_bare(&tree, true);
	assert_int_equal(accel_vf_init(&fake, &no_plan), -ENODEV);
	plug_bare(&tree, false); /* A PF has some that this driver does not know. */
	log_begin();
	assert_int_equal(accel_vf_init(&fake, &no_plan), -ENOTSUP);
	log_expect("needs a newer driver");
}

/* What log lines about a VF that has failed say about its PF. */
static void
test_pf_text(void **state)
{
	(void)state;
	assert_string_equal(accel_vf_pf_text(&fake), "");
	mailbox()->pf_state = ACCEL_HW_PF_GOING_DOWN;
	assert_string_equal(accel_vf_pf_text(&fake), "; its physical function is going down");
	mailbox()->pf_state = ACCEL_HW_PF_UP;
	assert_string_equal(accel_vf_pf_text(&fake), "");
	accel_vf_look(&fake);
	mailbox()->pf_state = ACCEL_HW_PF_NONE;
	assert_string_equal(accel_vf_pf_text(&fake),
			    "; the driver of its physical function is gone");
	memset(bar, 0xff, sizeof(bar));
	assert_non_null(strstr(accel_vf_pf_text(&fake), "physical function was reset"));
	plug_pf(NULL);
	memset(bar, 0xff, sizeof(bar));
	assert_string_equal(accel_vf_pf_text(&fake), "");
}

static struct accel_qp qp;

static void
fail_queue_pair(void)
{
	static struct accel_hw_writeback wb;

	memset(&qp, 0, sizeof(qp));
	qp.dev = &fake;
	qp.resets = &fake.resets;
	qp.resets_seen = fake.resets + 1; /* The function was reset already. */
	qp.wb = &wb;
	qp.rsp_size = 8;
	log_begin();
	accel_qp_fail(&qp, ACCEL_FAILURE_TIMEOUT);
}

static void
test_queue_pair_fails(void **state)
{
	(void)state;
	fail_queue_pair();
	log_expect("come back with an error\n");
	mailbox()->pf_state = ACCEL_HW_PF_GOING_DOWN;
	fail_queue_pair();
	log_expect("come back with an error; its physical function is going down\n");
}

/*
 * As cryptodevs.
 */

static struct rte_device rte_dev = { .name = "test_vf" };
static uint32_t pf_state_at_reset;

static void
note_pf_state(void)
{
	pf_state_at_reset = control()->pf_state;
}

static int
probe(const char *text, struct rte_cryptodev **cryptodev)
{
	struct accel_args args;
	const struct accel_found found = {
		.name = "test_vf", .device = &rte_dev, .socket_id = -1, .bar = bar,
		.bar_size = sizeof(bar), .transport = &transport, .args = &args,
	};
	int ret;

	accel_args_default(&args);
	ret = accel_args_parse("test_vf", text, &args, NULL);
	return ret == 0 ? accel_probe(&found, cryptodev) : ret;
}

static void
test_probe_pf(void **state)
{
	struct rte_pmd_accel_vf_share share = share_of(1, 2);
	struct rte_pmd_accel_vf_info info;
	struct rte_cryptodev *cryptodev;
	uint8_t id;

	(void)state;
	plug_bare(&pf_tree, false);
	card.at_reset = note_pf_state;
	log_begin();
	assert_int_equal(probe("vf_shares=0:qp@1/1", &cryptodev), -EINVAL);
	log_expect("test_vf: device argument vf_shares: \"1\" is no share: it needs qp@");
	assert_int_equal(identity()->reset_ack, 0); /* The card was not touched. */
	log_begin();
	assert_int_equal(probe("vf_shares=", &cryptodev), -EINVAL);
	log_expect("vf_shares");
	log_begin();
	assert_int_equal(probe("vf_shares=0:qp@5", &cryptodev), -EINVAL);
	log_expect("one VF of this card can have 4");
	assert_null(cryptodev);
	assert_int_equal(control()->pf_state, ACCEL_HW_PF_NONE);
	assert_int_equal(probe("vf_shares=0:qp@2", &cryptodev), 0);
	id = cryptodev->data->dev_id;
	assert_int_equal(pf_state_at_reset, ACCEL_HW_PF_NONE);
	assert_int_equal(control()->pf_state, ACCEL_HW_PF_UP);
	assert_int_equal(rte_pmd_accel_vf_count(id), VFS);
	assert_int_equal(rte_pmd_accel_vf_info_get(id, 0, &info), 0);
	assert_int_equal(info.share.queue_pairs, 2);
	assert_string_equal(info.state_name, "ready");
	assert_int_equal(rte_pmd_accel_vf_share_set(id, 1, NULL), -ENOENT);
	assert_int_equal(rte_pmd_accel_vf_info_get(id, 1, NULL), -EINVAL);
	assert_int_equal(rte_pmd_accel_share_ask(id, NULL), -EINVAL);
	assert_int_equal(rte_pmd_accel_share_info_get(id, NULL), -EINVAL);
	assert_int_equal(rte_pmd_accel_vf_share_set(id, 1, &share), 0);
	expect_entry(entry(1), &share);
	assert_int_equal(rte_pmd_accel_vf_info_get(id, 1, &info), 0);
	assert_int_equal(info.share_in_effect, 1);
	accel_remove(cryptodev);
	assert_int_equal(pf_state_at_reset, ACCEL_HW_PF_GOING_DOWN);
	assert_int_equal(rte_pmd_accel_vf_share_set(id, 1, &share), -ENODEV);
	assert_int_equal(rte_pmd_accel_vf_count(id), -ENODEV);
}

/* A VF without queue pairs can be probed as soon as it has some. */
static void
test_probe_vf(void **state)
{
	struct fake_tree tree = vf_tree;
	struct rte_pmd_accel_vf_share wish = share_of(2, 0);
	struct rte_pmd_accel_share_info info;
	struct rte_cryptodev *cryptodev;
	unsigned int i;

	(void)state;
	tree.no_qps = true;
	plug_bare(&tree, true);
	mailbox()->share.sequence = 1;
	for (i = 0; i < 2u * RTE_CRYPTO_MAX_DEVS; i++) { /* Each try gives everything back. */
		log_begin();
		assert_int_equal(probe("", &cryptodev), -ENODEV);
		log_expect("no queue pairs");
	}
	fake_card_tree(bar, &vf_tree);
	assert_int_equal(probe("", &cryptodev), 0);
	assert_int_equal(rte_pmd_accel_share_ask(cryptodev->data->dev_id, &wish), 0);
	assert_int_equal(rte_pmd_accel_share_info_get(cryptodev->data->dev_id, &info), 0);
	assert_int_equal(info.answer, RTE_PMD_ACCEL_ANSWER_PENDING);
	assert_int_equal(control()->pf_state, 0);
	accel_remove(cryptodev);
	assert_int_equal(control()->pf_state, 0); /* Only a PF has the register. */
	log_begin();
	assert_int_equal(probe("vf_shares=0:qp@1", &cryptodev), -ENOTSUP);
	log_expect("this is a virtual one");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_set_and_get, plug_pf),
		cmocka_unit_test_setup(test_numbers, plug_pf),
		cmocka_unit_test_setup(test_refused, plug_pf),
		cmocka_unit_test_setup(test_not_possible, plug_pf),
		cmocka_unit_test_setup(test_no_answer, plug_pf),
		cmocka_unit_test_setup(test_older_card, plug_pf),
		cmocka_unit_test_setup(test_info, plug_pf),
		cmocka_unit_test_setup(test_look_at, plug_pf),
		cmocka_unit_test_setup(test_requests, plug_pf),
		cmocka_unit_test_setup(test_level_reset, plug_pf),
		cmocka_unit_test_setup(test_threads, plug_pf),
		cmocka_unit_test_setup(test_killed_with_lock, plug_pf),
		cmocka_unit_test(test_syntax),
		cmocka_unit_test(test_wrong_syntax),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_plan),
		cmocka_unit_test_setup(test_ask, plug_vf),
		cmocka_unit_test_setup(test_own_share, plug_vf),
		cmocka_unit_test_setup(test_share_changes, plug_vf),
		cmocka_unit_test(test_no_queue_pairs),
		cmocka_unit_test_setup(test_pf_text, plug_vf),
		cmocka_unit_test_setup(test_queue_pair_fails, plug_vf),
		cmocka_unit_test(test_probe_pf),
		cmocka_unit_test(test_probe_vf),
	};

	if (start_eal_silent("test_vf") < 0)
		return 1;
	return cmocka_run_group_tests_name("shares of virtual functions", tests, NULL, NULL);
}
