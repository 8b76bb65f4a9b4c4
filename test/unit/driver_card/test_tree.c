/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A device tree that is another one after a reset (accel_devtree_read.h): what the driver takes
 * over, what it refuses, and queue pairs that a reset takes away. First on a card in plain memory
 * that the test plays, then on an embedded device whose tree the test changes.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "accel_dev.h"
#include "accel_devtree_read.h"
#include "accel_function.h"
#include "accel_reset.h"
#include "driver_base/fake_card.h"
#include "driver_qp/plugged.h"

static uint8_t bar[FAKE_BAR_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev fake;
static struct accel_qp fake_qp;
static unsigned int isolations, revivals;
static struct fake_tree after; /* the tree that a reset makes */
static unsigned int dirty; /* words of the invalidation page that a reset has found */

static void
take_reset(struct accel_dev *d)
{
	unsigned int i;

	for (i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i++)
		dirty += accel_invalidate_page(d)[i] != 0;
	fake_card_tree(bar, &after);
}

static void
play_relax(struct accel_dev *d)
{
	if (accel_identity(d)->reset_ack == accel_control(d)->reset_req)
		return;
	take_reset(d);
	accel_identity(d)->reset_ack = accel_control(d)->reset_req;
}

static void
play_isolate(struct accel_dev *d)
{
	(void)d;
	isolations++;
}

static int
play_revive(struct accel_dev *d)
{
	revivals++;
	memset((void *)(uintptr_t)accel_invalidate_page(d), 0, ACCEL_HW_PAGE_SIZE);
	take_reset(d);
	accel_identity(d)->reset_ack = 0;
	return 0;
}

static const struct accel_transport transport = {
	.name = "test", .isolate = play_isolate, .revive = play_revive, .relax = play_relax
};

/* A card of two queue pairs, a health page and a command ring. */
static const struct fake_tree before = { .nb_qps = 2, .health = true, .command_ring = true,
					 .vf_table = true, .vf_mailbox = true, .mailbox = true };

static int
plug_fake(void **state)
{
	(void)state;
	fake_card_plug(&fake, bar, &before);
	memset(&fake_qp, 0, sizeof(fake_qp));
	fake_qp.dev = &fake;
	accel_process_set(0, &transport, NULL);
	after = before;
	isolations = revivals = dirty = 0;
	return 0;
}

/* Resets the function as the recovery of a queue pair does. */
static void
reset(void)
{
	fake_qp.resets_seen = fake.resets;
	accel_reset_unless_done(&fake, fake_qp.resets_seen);
}

static void
test_same(void **state)
{
	struct accel_devtree old;

	(void)state;
	old = fake.dt;
	accel_identity(&fake)->version = 0x00010004; /* INV-5 is for cards before 1.5 */
	memset((void *)(uintptr_t)accel_invalidate_page(&fake), 0x5a, ACCEL_HW_PAGE_SIZE);
	reset();
	assert_memory_equal(&fake.dt, &old, sizeof(old));
	assert_int_equal(fake.resets, 1);
	assert_int_equal(isolations, 0);
	assert_int_equal(dirty, 0);
}

/* The limits are those of the new tree; its pages are where they were. */
static void
test_less_and_more(void **state)
{
	const uint32_t host = fake.dt.qp[1].host, device = fake.dt.qp[1].device;

	(void)state;
	after = (struct fake_tree){ .nb_qps = 1, .no_ctr = true, .command_upper = true,
				    .aad_in_command = true, .ring_size_max = 2048,
				    .max_fragments = 16 };
	reset();
	assert_int_equal(isolations, 0);
	assert_int_equal(fake.dt.nb_qps, 1);
	assert_int_equal(fake.dt.qp[1].host, host);
	assert_int_equal(fake.dt.qp[1].device, device);
	assert_int_equal(fake.dt.health, 0);
	assert_true(fake.dt.command_upper);
	assert_false(fake.dt.command_ring);
	assert_true(fake.dt.aad_in_command);
	assert_int_equal(fake.dt.max_fragments, 16);
	assert_int_equal(fake.max_nb_descriptors, 2048 / ACCEL_TX_LEAST);
	assert_int_equal(fake.dt.alg[ACCEL_HW_CIPHER_AES_CTR].class, ACCEL_ALG_ABSENT);
	assert_int_equal(fake.dt.alg[ACCEL_HW_CIPHER_AES_CBC].class, ACCEL_ALG_CIPHER);

	after = before;
	after.nb_qps = 5; /* The driver has room for two. */
	reset();
	assert_int_equal(isolations, 0);
	assert_int_equal(fake.dt.nb_qps, 2);
	assert_int_equal(fake.dt.qp[1].host, host);
	assert_int_equal(fake.dt.health, FAKE_HEALTH);
	assert_true(fake.dt.command_ring);
	assert_false(fake.dt.aad_in_command);
	assert_int_equal(fake.dt.alg[ACCEL_HW_CIPHER_AES_CTR].class, ACCEL_ALG_CIPHER);
}

/* A queue pair that comes back shall be where it was before it went. */
static void
test_comes_back_elsewhere(void **state)
{
	(void)state;
	fake_card_plug(&fake, bar, &(const struct fake_tree){ .nb_qps = 2 });
	after = (struct fake_tree){ .nb_qps = 1 };
	reset();
	assert_int_equal(fake.dt.nb_qps, 1);
	fake.dt.qp[1].host = FAKE_PAGE(19); /* so the tree has it elsewhere */
	after.nb_qps = 2;
	reset();
	assert_int_equal(isolations, 1);
	assert_int_equal(fake.dt.nb_qps, 1);
}

/* The VF resource table may move (manual 3). */
static void
test_table_moves(void **state)
{
	(void)state;
	after.vf_table_at = FAKE_PAGE(22);
	reset();
	assert_int_equal(isolations, 0);
	assert_int_equal(fake.dt.vf_table, FAKE_PAGE(22));
}

/* The tree may lie elsewhere after a reset. */
static void
test_tree_moves(void **state)
{
	struct accel_hw_identity *identity = (struct accel_hw_identity *)bar;

	(void)state;
	after.no_ctr = true;
	fake_card_tree(bar, &after);
	memmove(bar + FAKE_TREE + ACCEL_HW_PAGE_SIZE, bar + FAKE_TREE, identity->dt_size);
	memset(bar + FAKE_TREE, 0xff, 64);
	identity->dt_offset += ACCEL_HW_PAGE_SIZE;
	assert_int_equal(accel_devtree_renew(&fake), 0);
	assert_int_equal(fake.dt.alg[ACCEL_HW_CIPHER_AES_CTR].class, ACCEL_ALG_ABSENT);
}

/* The tree may share the identity page, behind its registers (FN-5). */
static void
test_tree_on_identity_page(void **state)
{
	const uint32_t places[] = { sizeof(struct accel_hw_identity), 0x400 };
	struct accel_hw_identity *identity = (struct accel_hw_identity *)bar;
	unsigned int i;

	(void)state;
	after = (struct fake_tree){ .nb_qps = 1, .no_ctr = true };
	for (i = 0; i < RTE_DIM(places); i++) {
		fake_card_tree(bar, &after);
		assert_true(places[i] + identity->dt_size <= ACCEL_HW_PAGE_SIZE);
		memmove(bar + places[i], bar + FAKE_TREE, identity->dt_size);
		memset(bar + FAKE_TREE, 0xff, 64);
		identity->dt_offset = places[i];
		assert_int_equal(accel_devtree_read(&fake), 0);
		assert_int_equal(fake.dt.nb_qps, 1);
	}
	identity->dt_offset = sizeof(*identity) - 8; /* on the last registers */
	assert_int_equal(accel_devtree_read(&fake), -EINVAL);
}

/* Offsets that a reset must not change: the function is isolated and cannot be revived. */
static void
expect_refused(struct fake_tree wrong)
{
	struct accel_devtree old;

	assert_int_equal(plug_fake(NULL), 0);
	old = fake.dt;
	after = wrong;
	reset();
	assert_int_equal(isolations, 1);
	assert_int_equal(fake.isolated, 1);
	assert_int_equal(fake.resets, 1);
	assert_memory_equal(&fake.dt, &old, sizeof(old));

	assert_int_equal(accel_revive(&fake, 1), -EINVAL);
	assert_int_equal(revivals, 1);
	assert_int_equal(fake.isolated, 1);
	assert_int_equal(isolations, 3); /* one before the reset, one after it */
	assert_memory_equal(&fake.dt, &old, sizeof(old));

	after = before; /* other firmware, and another try */
	assert_int_equal(accel_revive(&fake, 1), 0);
	assert_int_equal(fake.isolated, 0);
}

static void
test_moved(void **state)
{
	struct fake_tree wrong;

	(void)state;
#define WRONG(change)                                                                              \
	do {                                                                                       \
		wrong = before;                                                                    \
		change;                                                                            \
		expect_refused(wrong);                                                             \
	} while (0)
	WRONG(wrong.control = FAKE_PAGE(22));
	WRONG(wrong.invalidate = FAKE_PAGE(22));
	WRONG(wrong.health_at = FAKE_PAGE(22));
	WRONG(wrong.qp0 = FAKE_PAGE(22));
	WRONG(wrong.vf_status_at = FAKE_PAGE(22));
	WRONG(wrong.mailbox_at = FAKE_PAGE(22));
	/* The tree lies on a page that it describes: the second one of the table. */
	WRONG((wrong.vf_mailbox = false, wrong.vf_pages = 2, wrong.vf_table_at = FAKE_PAGE(23)));
	WRONG(wrong.mailbox_at = FAKE_TREE);
	WRONG(wrong.control = FAKE_TREE); /* The tree is no tree at all. */
#undef WRONG
}

/*
 * On an embedded device.
 */

/* What the test changes in each tree that the model writes. */
static struct {
	const char *from; /* NULL: nothing */
	const char *to; /* as long */
	unsigned int keep; /* places that stay as they are */
} edit;

static void
edit_tree(struct accel_dev *d)
{
	const size_t len = edit.from != NULL ? strlen(edit.from) : 0;
	uint8_t *at = d->bar + accel_identity(d)->dt_offset;
	const uint8_t *end = at + accel_identity(d)->dt_size;
	unsigned int n;

	for (n = 0; len != 0 && at + len <= end; at++) {
		if (memcmp(at, edit.from, len) == 0 && n++ >= edit.keep)
			memcpy(at, edit.to, len);
	}
}

/* The model writes its tree anew at a reset, which it carries out here. */
static void
relax_and_edit(struct accel_dev *d)
{
	real_transport->relax(d);
	edit_tree(d);
}

static void
reset_plugged(void)
{
	accel_reset_unless_done(plugged_qp(0)->dev, plugged_qp(0)->resets_seen);
	assert_int_equal(plugged_dev()->isolated, 0);
}

static void
plug_edited(void)
{
	memset(&edit, 0, sizeof(edit));
	plug(PLUGGED_ARGS);
	play_transport();
	played.relax = relax_and_edit;
}

/* The second queue pair goes with a reset, and comes back with another one. */
static void
test_queue_pair_goes(void **state)
{
	struct rte_cryptodev_info info;

	(void)state;
	plug_edited();
	expect_alive(1);
	assert_int_equal(offer(0, 0, 3), 3);
	assert_int_equal(offer(1, 8, 3), 3);
	edit.from = "crypto-accel,qp-medusa-1";
	edit.to = "crypto-accel,qp-medusa-9";
	edit.keep = 1;
	reset_plugged();
	assert_int_equal(collect(0, 3), 3);
	assert_int_equal(collect(1, 3), 3);
	expect_back(8, 3, RTE_CRYPTO_OP_STATUS_ERROR);
	rte_cryptodev_info_get(dev, &info);
	assert_int_equal(info.max_nb_queue_pairs, 1);

	/* The first one can start again; what the other one gets comes back with an error. */
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 1), -ENODEV);
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	expect_alive(0);
	assert_int_equal(offer(1, 8, 3), 3);
	assert_int_equal(collect(1, 3), 3);
	expect_back(8, 3, RTE_CRYPTO_OP_STATUS_ERROR);

	/* The device does not start with two, and nothing is lost. */
	assert_int_equal(offer(1, 16, 3), 3);
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_start(dev), -ENODEV);
	assert_int_equal(collect(1, 3), 3);
	expect_back(16, 3, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(offer(0, 24, 3), 3);
	assert_int_equal(collect(0, 3), 3);
	expect_back(24, 3, RTE_CRYPTO_OP_STATUS_ERROR);

	edit.from = NULL; /* The next start resets it, and finds two. */
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_alive(0);
	expect_alive(1);
	stop_playing();
	unplug();
}

/* An application that is content with the queue pairs that are left configures those. */
static void
test_fewer_queue_pairs(void **state)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 2 };

	(void)state;
	plug_edited();
	edit.from = "crypto-accel,qp-medusa-1";
	edit.to = "crypto-accel,qp-medusa-9";
	edit.keep = 1;
	reset_plugged();
	rte_cryptodev_stop(dev);
	assert_true(rte_cryptodev_configure(dev, &config) < 0);
	config.nb_queue_pairs = 1;
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	assert_int_equal(set_up(0, PLUGGED_DESC), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_alive(0);

	/* With none left the device does not start. */
	edit.keep = 0;
	reset_plugged();
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_start(dev), -ENODEV);
	edit.from = NULL;
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_alive(0);
	stop_playing();
	unplug();
}

/* An algorithm goes: its sessions are refused then, others are made. */
static void
test_algorithm_goes(void **state)
{
	struct rte_crypto_sym_xform hash = {
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = { .op = RTE_CRYPTO_AUTH_OP_GENERATE, .algo = RTE_CRYPTO_AUTH_SHA1,
			  .digest_length = 20 },
	};
	void *other;

	(void)state;
	plug_edited();
	other = rte_cryptodev_sym_session_create(dev, &hash, sessions);
	assert_non_null(other);
	assert_int_equal(rte_cryptodev_sym_session_free(dev, other), 0);
	edit.from = "crypto-accel,auth";
	edit.to = "crypto-accel,atuh";
	reset_plugged();
	assert_int_equal(plugged_dev()->dt.alg[ACCEL_HW_AUTH_SHA1].class, ACCEL_ALG_ABSENT);
	assert_null(rte_cryptodev_sym_session_create(dev, &hash, sessions));
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_alive(0);
	stop_playing();
	unplug();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_same, plug_fake),
		cmocka_unit_test_setup(test_less_and_more, plug_fake),
		cmocka_unit_test_setup(test_comes_back_elsewhere, plug_fake),
		cmocka_unit_test_setup(test_table_moves, plug_fake),
		cmocka_unit_test_setup(test_tree_moves, plug_fake),
		cmocka_unit_test_setup(test_tree_on_identity_page, plug_fake),
		cmocka_unit_test_setup(test_moved, plug_fake),
		cmocka_unit_test(test_queue_pair_goes),
		cmocka_unit_test(test_fewer_queue_pairs),
		cmocka_unit_test(test_algorithm_goes),
	};

	if (start_eal_silent("test_tree") < 0)
		return 1;
	return cmocka_run_group_tests_name("tree after a reset", tests, make_blocks, NULL);
}
