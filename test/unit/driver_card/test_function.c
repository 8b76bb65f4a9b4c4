/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Take-over of a function at probe: BAR0 images that are right, wrong in each way that has a
 * message, and wrong at random (the seed is printed; ACCEL_TEST_SEED repeats it). The image lies
 * between pages without access. The test plays the card's responses. There is no bus, and EAL gives
 * only its clock.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <cmocka.h>

#include <accel_model.h>
#include <rte_log.h>

#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_function.h"
#include "accel_logs.h"
#include "accel_transport.h"
#include "driver_base/eal.h"

#define BOOT_MS 2u
#define RANDOM_IMAGES 4000u

static uint8_t *good; /* BAR0 of the reference device */
static uint8_t *image; /* BAR0 for the driver */
static size_t size;
static struct accel_dev dev;
static struct accel_model *model;

/* How the card behaves beyond its image. */
static struct {
	bool echo; /* resets are echoed */
	bool late; /* while it boots, only MAGIC and STATE are valid (manual 4.1) */
	uint32_t ready_after; /* looks at STATE until it becomes ready, or 0: never */
	bool flr_cures; /* A function level reset makes it ready and lets it echo. */
	uint32_t gone_after; /* looks until all reads give all ones, or 0: never */
	const char *swap_from; /* a string in the tree that a reset changes */
	const char *swap_to;
} card;

static unsigned int isolations, revivals, looks;
static unsigned int dirty; /* words of the invalidation page that are not 0 at a reset */

static struct accel_hw_identity *
identity(void)
{
	return (struct accel_hw_identity *)image;
}

/* Replaces a string in the device tree by another one of the same length. */
static void
swap(const char *from, const char *to)
{
	const size_t len = strlen(from);

	assert_int_equal(len, strlen(to));
	for (size_t i = 0; i + len <= size; i++)
		if (memcmp(image + i, from, len) == 0)
			memcpy(image + i, to, len);
}

/* Ends booting. A late card shows the rest of its identity page only now. */
static void
boot(void)
{
	const uint32_t version = identity()->version;

	if (card.late && identity()->state != ACCEL_HW_STATE_READY) {
		memcpy(image, good, sizeof(struct accel_hw_identity));
		identity()->version = version != 0 ? version : ACCEL_HW_VERSION;
	}
	identity()->state = ACCEL_HW_STATE_READY;
}

/* Makes the card one that boots and shows nothing else yet. */
static void
begin_late(void)
{
	card.late = true;
	memset(image, 0, sizeof(struct accel_hw_identity));
	identity()->magic = ACCEL_HW_MAGIC;
	identity()->state = ACCEL_HW_STATE_BOOTING;
}

static void
play_card(struct accel_dev *d)
{
	looks++;
	if (card.gone_after != 0 && looks >= card.gone_after) {
		memset(image, 0xff, size);
		return;
	}
	if (card.ready_after != 0 && looks >= card.ready_after)
		boot();
	if (!card.echo || d->dt.control == 0)
		return;
	if (identity()->reset_ack != accel_control(d)->reset_req)
		for (unsigned int i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i++)
			dirty += accel_invalidate_page(d)[i] != 0;
	if (card.swap_from != NULL && identity()->reset_ack != accel_control(d)->reset_req)
		swap(card.swap_from, card.swap_to);
	identity()->reset_ack = accel_control(d)->reset_req;
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
	(void)d;
	revivals++;
	if (card.flr_cures) {
		boot();
		card.echo = true;
	}
	return 0;
}

static unsigned int questions;

static const char *
play_why_silent(const struct accel_dev *d)
{
	assert_ptr_equal(d, &dev);
	questions++;
	return "sleeps";
}

static const struct accel_transport transport = {
	.name = "test",
	.isolate = play_isolate,
	.revive = play_revive,
	.why_silent = play_why_silent,
	.relax = play_card,
};

/* Prepares a good image, and a card that works. */
static int
reset_card(void **state)
{
	(void)state;
	memcpy(image, good, size);
	memset(&dev, 0, sizeof(dev));
	dev.bar = image;
	dev.bar_size = size;
	dev.name = "test";
	memset(&card, 0, sizeof(card));
	card.echo = true;
	card.flr_cures = true;
	isolations = revivals = looks = dirty = 0;
	accel_process_set(0, &transport, NULL);
	return 0;
}

static int
make_image(void **state)
{
	const struct accel_model_config config = {
		.nb_functions = 2, .nb_queue_pairs = 4, .nb_workers = 1,
	};
	const uint8_t *bar;
	uint8_t *area;

	(void)state;
	assert_int_equal(accel_model_create(&config, &model), 0);
	bar = accel_function_bar0(accel_model_function(model, 0), &size, NULL);
	good = malloc(size);
	assert_non_null(good);
	memcpy(good, bar, size);
	area = mmap(NULL, size + 2 * ACCEL_HW_PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	assert_ptr_not_equal(area, MAP_FAILED);
	image = area + ACCEL_HW_PAGE_SIZE;
	assert_int_equal(mprotect(image, size, PROT_READ | PROT_WRITE), 0);
	return 0;
}

static int
drop_image(void **state)
{
	(void)state;
	accel_model_destroy(model);
	free(good);
	munmap(image - ACCEL_HW_PAGE_SIZE, size + 2 * ACCEL_HW_PAGE_SIZE);
	return 0;
}

static void
expect(int ret)
{
	assert_int_equal(accel_take_over(&dev, BOOT_MS), ret);
}

static void
test_good(void **state)
{
	(void)state;
	expect(0);
	assert_int_equal(dev.dt.nb_qps, 4);
	assert_true(dev.dt.vf_table != 0);
	assert_int_equal(revivals, 0);
	assert_int_equal(isolations, 0);
	assert_true(identity()->reset_ack != 0); /* There was a reset. */
}

static void
test_newer_minor(void **state)
{
	(void)state;
	identity()->version = ACCEL_HW_VERSION + 7;
	expect(0);
}

/* A function with another identity page is neither reset nor written to. */
static void
test_not_ours(void **state)
{
	static const struct {
		uint32_t magic, version;
		int ret;
	} cases[] = {
		{ 0, ACCEL_HW_VERSION, -ENODEV },
		{ 0x12345678, ACCEL_HW_VERSION, -ENODEV },
		{ ACCEL_HW_MAGIC + 1, ACCEL_HW_VERSION, -ENODEV },
		{ 0x41434330, ACCEL_HW_VERSION, -ENODEV }, /* in the wrong byte order */
		{ UINT32_MAX, UINT32_MAX, -ENODEV },
		{ ACCEL_HW_MAGIC, 0, -ENOTSUP },
		{ ACCEL_HW_MAGIC, ACCEL_HW_VERSION + 0x10000, -ENOTSUP },
		{ ACCEL_HW_MAGIC, UINT32_MAX, -ENOTSUP },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		reset_card(state);
		identity()->magic = cases[i].magic;
		identity()->version = cases[i].version;
		questions = 0;
		expect(cases[i].ret);
		assert_int_equal(questions, cases[i].magic == UINT32_MAX);
		assert_int_equal(revivals, 0);
		assert_memory_equal(image + ACCEL_HW_PAGE_SIZE, good + ACCEL_HW_PAGE_SIZE,
				    size - ACCEL_HW_PAGE_SIZE);
	}
}

static void
test_slow_boot(void **state)
{
	(void)state;
	identity()->state = ACCEL_HW_STATE_BOOTING;
	card.ready_after = 50;
	assert_int_equal(accel_take_over(&dev, 10000), 0);
	assert_int_equal(revivals, 0);
}

/* VERSION is looked at when the card is ready, and not before (FN-4). */
static void
test_late_version(void **state)
{
	begin_late();
	card.ready_after = 50;
	assert_int_equal(accel_take_over(&dev, 10000), 0);
	assert_int_equal(revivals, 0);

	reset_card(state);
	begin_late(); /* Only a function level reset ends its booting. */
	expect(0);
	assert_int_equal(revivals, 1);

	reset_card(state);
	begin_late();
	identity()->version = ACCEL_HW_VERSION + 0x10000;
	card.ready_after = 50;
	assert_int_equal(accel_take_over(&dev, 10000), -ENOTSUP);
	assert_int_equal(revivals, 0);
}

/* A function that is not ready gets one function level reset, whatever its state is. */
static void
test_not_ready(void **state)
{
	static const uint32_t states[] = {
		ACCEL_HW_STATE_BOOTING, ACCEL_HW_STATE_RESETTING, ACCEL_HW_STATE_FATAL, 4, 77,
		UINT32_MAX
	};

	for (unsigned int i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		reset_card(state);
		identity()->state = states[i];
		expect(0);
		assert_int_equal(revivals, 1);
		assert_int_equal(dev.isolated, 0);

		reset_card(state);
		identity()->state = states[i];
		card.flr_cures = false;
		expect(-ENODEV);
		assert_int_equal(revivals, 1);
		assert_int_equal(isolations, 2); /* One is before the reset, one after it. */
		assert_int_equal(dev.isolated, 1);
	}
}

static void
test_no_reset(void **state)
{
	(void)state;
	card.echo = false;
	expect(0);
	assert_int_equal(revivals, 1);

	reset_card(state);
	card.echo = false;
	card.flr_cures = false;
	identity()->state = ACCEL_HW_STATE_READY; /* It says ready and echoes nothing. */
	expect(0); /* A function level reset is enough. */
	assert_int_equal(revivals, 1);
}

/* Queue pairs run, because the process before was killed. */
static void
test_running_queue_pairs(void **state)
{
	(void)state;
	expect(0);
	for (unsigned int i = 0; i < 3; i++)
		accel_qp_device(&dev, i)->status = ACCEL_HW_QP_RUNNING;
	/* The next number would read as all ones, as of a function that is gone; 0 is none. */
	identity()->reset_ack = 0xfffffffe;
	accel_control(&dev)->reset_req = 0xfffffffe;
	expect(0);
	assert_int_equal(identity()->reset_ack, 1);
}

/*
 * The page of an earlier process is clear before the reset of a card before 1.5, so the device
 * takes 0 as seen. With a newer card the words stay as they are, since the driver reads them.
 */
static void
test_invalidation_is_clear(void **state)
{
	const uint32_t version[] = { 0x00010000, 0x00010004, 0x00010005, 0x00010006 };
	uint32_t page;

	(void)state;
	expect(0);
	page = dev.dt.invalidate;
	for (unsigned int i = 0; i < RTE_DIM(version); i++) {
		const unsigned int left = i < 2 ? 0 : ACCEL_HW_INVALIDATE_WORDS;

		reset_card(state);
		identity()->version = version[i];
		memset(image + page, 0x5a, ACCEL_HW_PAGE_SIZE);
		expect(0);
		assert_int_equal(dirty, left);
		memset(image + page, 0x5a, ACCEL_HW_PAGE_SIZE);
		assert_int_equal(accel_function_reset(&dev), 0);
		assert_int_equal(dirty, 2 * left);
	}
}

/* One line says what the driver does without. */
static void
test_older_card(void **state)
{
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	assert_non_null(file);
	reset_card(state);
	identity()->version = ACCEL_HW_VERSION_MAJOR << 16;
	swap("crypto-accel,health-1", "crypto-accel,health-0"); /* if the model has it */
	swap("command-ring", "command-gnir");
	rte_openlog_stream(file);
	rte_log_set_level(accel_logtype, RTE_LOG_NOTICE);
	expect(0);
	rte_openlog_stream(NULL);
	rte_log_set_level(accel_logtype, RTE_LOG_CRIT);
	fclose(file);
	assert_non_null(strstr(text, "test: contract 1.0, without health page "));
	assert_non_null(strstr(text, " and command ring "));
	free(text);
}

/* A function that leaves the bus at any moment is an error soon. */
static void
test_gone(void **state)
{
	for (uint32_t when = 1; when < 4; when++) {
		reset_card(state);
		identity()->state = ACCEL_HW_STATE_BOOTING;
		card.ready_after = 2;
		card.gone_after = when;
		card.flr_cures = false;
		assert_true(accel_take_over(&dev, 10000) != 0);
		assert_true(looks < 10);
	}
}

static void
test_tree_place(void **state)
{
	static const struct {
		uint32_t offset, size;
	} cases[] = {
		{ 0, 4096 }, /* on the identity page */
		{ 8, 4096 },
		{ 1, 4096 },
		{ 0x20, 8 }, /* on a register */
		{ UINT32_MAX, 8 },
		{ UINT32_MAX - 7, 8 },
		{ UINT32_MAX - 7, 16 }, /* the sum wraps */
		{ 0x7ffffff8, ACCEL_HW_DT_SIZE_MAX },
		{ ACCEL_HW_PAGE_SIZE, 4096 }, /* on a page that it describes */
	};
	uint32_t offset, len;

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		reset_card(state);
		identity()->dt_offset = cases[i].offset;
		identity()->dt_size = cases[i].size;
		expect(-EINVAL);
	}
	offset = ((const struct accel_hw_identity *)good)->dt_offset;
	len = ((const struct accel_hw_identity *)good)->dt_size;
	for (unsigned int i = 0; i < 6; i++) {
		const uint32_t lens[] = { 0, 4, len + 4, ACCEL_HW_DT_SIZE_MAX + 8, UINT32_MAX,
					  (uint32_t)(size - offset + 8) };

		reset_card(state);
		identity()->dt_size = lens[i];
		expect(-EINVAL);
	}
	reset_card(state); /* The card claims a larger BAR than there is. */
	dev.bar_size = offset;
	expect(-EINVAL);
}

/* The tree lacks a node that the driver needs. */
static void
test_tree_without(void **state)
{
	static const struct {
		const char *from, *to;
		int ret;
	} cases[] = {
		/* as with a VF that has been given none, which accel_vf_init() refuses */
		{ "crypto-accel,qp-medusa-1", "crypto-accel,qp-medusa-9", 0 },
		{ "crypto-accel,dma-medusa-1", "crypto-accel,dma-medusa-9", -ENOTSUP },
		{ "crypto-accel,control-1", "crypto-accel,control-9", -EINVAL },
		{ "crypto-accel,invalidate-1", "crypto-accel,invalidate-9", -EINVAL },
		{ "crypto-accel,function-1", "crypto-accel,function-9", -EINVAL },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		reset_card(state);
		swap(cases[i].from, cases[i].to);
		expect(cases[i].ret);

		/* The change is found only after the reset (manual 4.5). */
		reset_card(state);
		card.swap_from = cases[i].from;
		card.swap_to = cases[i].to;
		expect(cases[i].ret);
	}
}

/* Checks that all pages of the driver lie in BAR0 and do not overlap. */
static void
check_tree(void)
{
	uint32_t page[2 * ACCEL_DT_MAX_QPS + 2];
	unsigned int n = 0;

	assert_in_range(dev.dt.nb_qps, 0, ACCEL_DT_MAX_QPS);
	page[n++] = dev.dt.control;
	page[n++] = dev.dt.invalidate;
	for (uint32_t i = 0; i < dev.dt.nb_qps; i++) {
		page[n++] = dev.dt.qp[i].host;
		page[n++] = dev.dt.qp[i].device;
	}
	for (unsigned int i = 0; i < n; i++) {
		assert_int_equal(page[i] % ACCEL_HW_PAGE_SIZE, 0);
		assert_in_range(page[i], ACCEL_HW_PAGE_SIZE, size - ACCEL_HW_PAGE_SIZE);
		for (unsigned int j = 0; j < i; j++)
			assert_int_not_equal(page[i], page[j]);
	}
}

static uint64_t
next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Changes a few bytes or words, mostly in the identity page and the tree. */
static void
mutate(uint64_t *seed)
{
	const struct accel_hw_identity *id = (const struct accel_hw_identity *)good;
	unsigned int nb = 1 + next_random(seed) % 12;

	while (nb-- > 0) {
		const uint64_t r = next_random(seed);
		size_t at = r % size;

		if (r >> 62 == 0)
			at = (r >> 8) % sizeof(*id);
		else if (r >> 62 != 1)
			at = id->dt_offset + (r >> 8) % id->dt_size;
		if ((r >> 60 & 1) != 0) {
			image[at] ^= 1u << (r >> 40 & 7);
		} else {
			const uint32_t words[] = { 0, 1, 0xff, 0x1000, 0x7fffffff, UINT32_MAX,
						   (uint32_t)size, (uint32_t)next_random(seed) };
			uint32_t word = words[r >> 40 & 7];

			if ((r >> 44 & 1) != 0)
				word = __builtin_bswap32(word);
			at &= ~(size_t)3;
			memcpy(image + at, &word, sizeof(word));
		}
	}
}

static void
test_random(void **state)
{
	const char *text = getenv("ACCEL_TEST_SEED");
	uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : (uint64_t)time(NULL) * 2 + 1;
	unsigned int accepted = 0;

	print_message("seed %llu\n", (unsigned long long)seed);
	for (unsigned int i = 0; i < RANDOM_IMAGES; i++) {
		reset_card(state);
		mutate(&seed);
		card.flr_cures = (next_random(&seed) & 1) != 0;
		if (accel_take_over(&dev, 0) != 0)
			continue;
		check_tree();
		accepted++;
	}
	print_message("%u of %u images were accepted\n", accepted, RANDOM_IMAGES);
	assert_in_range(accepted, 1, RANDOM_IMAGES - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_good, reset_card),
		cmocka_unit_test_setup(test_newer_minor, reset_card),
		cmocka_unit_test_setup(test_not_ours, reset_card),
		cmocka_unit_test_setup(test_slow_boot, reset_card),
		cmocka_unit_test_setup(test_late_version, reset_card),
		cmocka_unit_test_setup(test_not_ready, reset_card),
		cmocka_unit_test_setup(test_no_reset, reset_card),
		cmocka_unit_test_setup(test_running_queue_pairs, reset_card),
		cmocka_unit_test_setup(test_invalidation_is_clear, reset_card),
		cmocka_unit_test_setup(test_older_card, reset_card),
		cmocka_unit_test_setup(test_gone, reset_card),
		cmocka_unit_test_setup(test_tree_place, reset_card),
		cmocka_unit_test_setup(test_tree_without, reset_card),
		cmocka_unit_test_setup(test_random, reset_card),
	};

	if (start_eal_silent("test_function") < 0)
		return 1;
	return cmocka_run_group_tests(tests, make_image, drop_image);
}
