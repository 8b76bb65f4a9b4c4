/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The state of SAs on the model (manual 8.6): numbers, replay window, counters and limits, with
 * one queue pair and with several that workers of their own serve.
 */
#include "model_op/model_ipsec.h"
#include "model_base/model_threads.h"

static int
setup(void **state)
{
	(void)state;
	card_open_small(ACCEL_MODEL_ENGINE_AUTO, 256, 64);
	return 0;
}

/* An SA without algorithms, whose packets can be made by hand. */
static sa_t *
sa_null_new(bool outbound, unsigned int tunnel)
{
	sa_t *sa = sa_new(outbound, tunnel);

	sa->common.cipher_alg = ACCEL_HW_CIPHER_NULL;
	sa->common.auth_alg = ACCEL_HW_AUTH_NULL;
	return sa;
}

#define INNER 28u
#define NULL_ESP (20u + 8u + INNER + 2u)

/* A tunnel packet of such an SA with this number, with an inner packet of UDP without data. */
static uint8_t *
null_packet(uint8_t *p, uint32_t number)
{
	packet_at(p, 4, NULL_ESP);
	p[9] = 50;
	put16(p + 20, SPI >> 16);
	put16(p + 22, SPI & 0xffff);
	put16(p + 24, number >> 16);
	put16(p + 26, number & 0xffff);
	packet_at(p + 28, 4, INNER);
	p[28 + INNER] = 0;
	p[28 + INNER + 1] = 4;
	return p;
}

static uint16_t
take_number(sa_t *sa, uint32_t number)
{
	uint32_t mark = h.used;
	uint8_t *p = null_packet(filled(128, 0), number), *out = filled(128, 0xcc);
	struct accel_hw_response rsp = run_sa(sa, p, NULL_ESP, out, NULL_ESP);

	if (rsp.status == ACCEL_HW_OK)
		assert_int_equal(rsp.produced, INNER);
	h.used = mark;
	return rsp.status;
}

/* The replay window. */

#define NUMBERS 60000u

static bool
bit_of(const sa_t *sa, uint32_t number)
{
	const uint8_t *window = (const uint8_t *)sa->state.window;
	const uint32_t m = accel_hw_ipsec_window_words(sa->ipsec.replay_window) * 64;

	return (window[number % m / 8] >> number % 8 & 1) != 0;
}

/* Sends numbers in random order, compares statuses with a list of what came, and the window with
 * it in the end. */
static void
check_window(uint32_t window)
{
	static bool came[NUMBERS];
	sa_t *sa = sa_null_new(false, 4);
	uint32_t highest = 0, ok = 0, replays = 0, at = 1;

	memset(came, 0, sizeof(came));
	sa->ipsec.replay_window = window;
	for (unsigned int i = 0; i < 1500; i++) {
		uint32_t number = draw(16) == 0 ? at + draw(window / 16 + 70) :
						  at - draw(at < 80 ? at : 80);
		uint16_t want = ACCEL_HW_OK;

		if (draw(10) == 0)
			number = at > window ? at - window + draw(3) - 1 : 0;
		if (number >= NUMBERS)
			break;
		if (number == 0 || came[number] ||
		    (highest >= window && number <= highest - window))
			want = ACCEL_HW_REPLAY;
		assert_int_equal(take_number(sa, number), want);
		came[number] |= want == ACCEL_HW_OK;
		ok += want == ACCEL_HW_OK;
		replays += want == ACCEL_HW_REPLAY;
		highest = came[number] && number > highest ? number : highest;
		at = highest + 1;
	}
	assert_true(ok > 100 && replays > 100);
	assert_int_equal(sa->state.sequence, highest);
	assert_int_equal(sa->state.packets, ok);
	assert_int_equal(sa->state.bytes, ok * INNER);
	assert_int_equal(sa->state.errors, replays);
	assert_int_equal(sa->state.replay_errors, replays);
	assert_int_equal(sa->state.auth_errors, 0);
	for (uint32_t i = 0; i < accel_hw_ipsec_window_words(window) * 64 && i <= highest; i++)
		assert_int_equal(bit_of(sa, highest - i), came[highest - i]);
}

static void
test_window(void **state)
{
	static const uint32_t windows[] = { 1, 32, 63, 64, 65, 128, 1000, 4096 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		uint32_t mark = h.used;

		check_window(windows[i]);
		h.used = mark;
	}
}

/* Without a window nothing is a replay. */
static void
test_no_window(void **state)
{
	sa_t *sa = sa_null_new(false, 4);

	(void)state;
	assert_int_equal(take_number(sa, 7), ACCEL_HW_OK);
	assert_int_equal(take_number(sa, 7), ACCEL_HW_OK);
	assert_int_equal(take_number(sa, 0), ACCEL_HW_OK);
	assert_int_equal(take_number(sa, 3), ACCEL_HW_OK);
	assert_int_equal(sa->state.sequence, 7);
	assert_int_equal(sa->state.packets, 4);
	assert_int_equal(sa->state.window[0], 0);
}

/* RFC 4303, A2.1. */
static void
test_upper_half(void **state)
{
	static const struct {
		uint64_t highest;
		uint32_t window, low;
		uint64_t want; /* 0: REPLAY */
	} cases[] = {
		{ 0, 64, 1, 1 },
		{ 0, 64, 0xfffffff0, 0 }, /* below 0 */
		{ 100, 64, 0xffffffff, 0xffffffff },
		{ 100, 64, 36, UINT64_C(0x100000024) }, /* left of the window: the next half */
		{ 100, 64, 37, 100 },
		{ 0xffffffff, 64, 0, UINT64_C(0x100000000) },
		{ 0xfffffff0, 64, 2, UINT64_C(0x100000002) },
		{ UINT64_C(0x100000005), 64, 6, UINT64_C(0x100000006) },
		{ UINT64_C(0x100000005), 64, 0xfffffff0, UINT64_C(0x100000005) },
		{ UINT64_C(0x100000005), 64, 0xffffff00, UINT64_C(0x1ffffff00) },
		{ UINT64_C(0x300000000), 4096, 0xfffff001, UINT64_C(0x300000000) },
		{ UINT64_C(0x300000000), 4096, 0xfffff000, UINT64_C(0x3fffff000) },
		{ UINT64_C(0x300000000), 0, 0xffffffc0, UINT64_C(0x3ffffffc0) },
		{ UINT64_C(0x300000000), 0, 0xffffffc1, UINT64_C(0x300000000) },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		sa_t *sa = sa_null_new(false, 4);

		sa->ipsec.options |= ACCEL_HW_IPSEC_ESN;
		sa->ipsec.replay_window = cases[i].window;
		sa->state.sequence = cases[i].highest;
		assert_int_equal(take_number(sa, cases[i].low),
				 cases[i].want == 0 ? ACCEL_HW_REPLAY : ACCEL_HW_OK);
		if (cases[i].want != 0)
			assert_int_equal(sa->state.sequence, cases[i].want);
	}
}

/* Numbers and limits. */

static struct accel_hw_response
send_one(sa_t *sa, uint32_t *number)
{
	uint32_t mark = h.used;
	uint8_t *out = filled(256, 0);
	struct accel_hw_response rsp = run_sa(sa, packet_new(4, 40), 40, out, 256);

	*number = (uint32_t)be16(out + 24) << 16 | be16(out + 26);
	h.used = mark;
	return rsp;
}

static void
test_last_number(void **state)
{
	sa_t *sa = sa_null_new(true, 4);
	uint32_t number;

	(void)state;
	sa->state.sequence = UINT32_MAX - 1;
	assert_int_equal(send_one(sa, &number).status, ACCEL_HW_OK);
	assert_int_equal(number, UINT32_MAX);
	assert_int_equal(send_one(sa, &number).status, ACCEL_HW_SEQUENCE_END);
	assert_int_equal(sa->state.sequence, UINT32_MAX);
	assert_int_equal(sa->state.packets, 1);
	assert_int_equal(sa->state.errors, 1);

	sa = sa_null_new(true, 4);
	sa->ipsec.options |= ACCEL_HW_IPSEC_ESN;
	sa->state.sequence = UINT32_MAX;
	assert_int_equal(send_one(sa, &number).status, ACCEL_HW_OK);
	assert_int_equal(number, 0);
	assert_int_equal(sa->state.sequence, UINT64_C(0x100000000));
	sa = sa_null_new(true, 4);
	sa->ipsec.options |= ACCEL_HW_IPSEC_ESN;
	sa->state.sequence = UINT64_MAX;
	assert_int_equal(send_one(sa, &number).status, ACCEL_HW_SEQUENCE_END);
}

/* Packets of 40 bytes out, of 28 bytes in. */
static void
check_limits(bool outbound, bool packets)
{
	sa_t *sa = sa_null_new(outbound, 4);
	const uint64_t unit = packets ? 1 : outbound ? 40 : INNER;
	struct accel_hw_response rsp;
	uint32_t number;

	*(packets ? &sa->ipsec.packets_soft : &sa->ipsec.bytes_soft) = 3 * unit;
	*(packets ? &sa->ipsec.packets_hard : &sa->ipsec.bytes_hard) = 5 * unit - (packets ? 0 : 1);
	for (unsigned int i = 1; i <= 7; i++) {
		if (outbound)
			rsp = send_one(sa, &number);
		else
			rsp = run_sa(sa, null_packet(filled(128, 0), i), NULL_ESP, filled(128, 0),
				     NULL_ESP);
		assert_int_equal(rsp.status, i <= 5 ? ACCEL_HW_OK : ACCEL_HW_EXPIRED);
		assert_int_equal(rsp.info, i >= 3 && i <= 5 ? ACCEL_HW_IPSEC_INFO_SOFT : 0);
	}
	assert_int_equal(sa->state.packets, 5);
	assert_int_equal(sa->state.sequence, 5);
	assert_int_equal(sa->state.bytes, 5 * (outbound ? 40 : INNER));
	assert_int_equal(sa->state.errors, 2);
}

static void
test_limits(void **state)
{
	(void)state;
	check_limits(true, true);
	check_limits(true, false);
	check_limits(false, true);
	check_limits(false, false);
}

/* IVs that are counted go on from the state; given ones leave it alone; those of CBC differ. */
static void
test_ivs(void **state)
{
	sa_t *sa = sa_gcm_new(true, 4), *cbc = sa_new(true, 4);
	uint8_t *in = packet_new(4, 40), *out = filled(256, 0), *again = filled(256, 0);
	struct accel_hw_command *cmd;

	(void)state;
	sa->state.iv_count = UINT64_C(0x1122334455667788);
	assert_int_equal(run_sa(sa, in, 40, out, 256).status, ACCEL_HW_OK);
	assert_memory_equal(out + 28, "\x11\x22\x33\x44\x55\x66\x77\x89", 8);
	assert_int_equal(sa->state.iv_count, UINT64_C(0x1122334455667789));
	sa = sa_gcm_new(true, 4);
	sa->ipsec.options |= ACCEL_HW_IPSEC_IV_GIVEN;
	cmd = sa_command(sa, 40);
	memcpy(cmd->iv, "abcdefgh", 8);
	assert_int_equal(run_command(cmd, in, 40, out, 256).status, ACCEL_HW_OK);
	assert_memory_equal(out + 28, "abcdefgh", 8);
	assert_int_equal(sa->state.iv_count, 0);
	sa_cbc_sha1(cbc);
	for (unsigned int i = 0; i < 200; i++) {
		assert_int_equal(run_sa(cbc, in, 40, out, 256).status, ACCEL_HW_OK);
		assert_true(memcmp(out + 28, again + 28, 16) != 0);
		memcpy(again, out, 256);
	}
	assert_int_equal(cbc->state.iv_count, 0);
}

/* A state outside the function's memory, or its window. */
static void
test_no_state(void **state)
{
	static const struct {
		uint32_t mapped;
		bool outbound;
		uint32_t window;
		uint16_t want;
	} cases[] = {
		{ 448, true, 0, ACCEL_HW_DMA_FAULT },
		{ 448, false, 64, ACCEL_HW_DMA_FAULT },
		{ 512, true, 0, ACCEL_HW_OK },
		{ 512, false, 64, ACCEL_HW_DMA_FAULT },
		{ 512, false, 0, ACCEL_HW_OK },
		{ 576, false, 512, ACCEL_HW_OK },
		{ 576, false, 513, ACCEL_HW_DMA_FAULT },
		{ 384, true, 0, ACCEL_HW_DMA_FAULT }, /* not even the context */
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		sa_t *from = sa_null_new(cases[i].outbound, 4);
		sa_t *sa = (sa_t *)(void *)(h.mem + HOST_MEM - cases[i].mapped);
		uint8_t *in = cases[i].outbound ? packet_new(4, NULL_ESP) :
						  null_packet(filled(128, 0), 1);
		uint8_t *out = filled(256, 0xcc);

		from->ipsec.replay_window = cases[i].window;
		memset(sa, 0, cases[i].mapped);
		memcpy(sa, from, cases[i].mapped < sizeof(*sa) ? cases[i].mapped : sizeof(*sa));
		assert_int_equal(run_sa(sa, in, NULL_ESP, out, 256).status, cases[i].want);
		if (cases[i].want != ACCEL_HW_OK)
			assert_true(is_all(out, 0xcc, 256));
	}
}

/* Several queue pairs with a worker each. */

#define QPS 4u
#define BURST 48u

static void
open_many(struct device_threads *threads)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = QPS,
		.nb_workers = QPS,
		.engine = ACCEL_MODEL_ENGINE_AUTO,
	};

	host_open(&h, &config);
	start_threads(threads, QPS);
	host_reset(&h);
	for (unsigned int i = 0; i < QPS; i++)
		q_start(&h.q[i], 256, 256, 64);
	q = &h.q[0];
}

/* Posts a burst on each queue pair. All use the same SA and the same inputs.
 * @param out NULL: in place. */
static void
post_bursts(const sa_t *sa, uint8_t *const in[BURST], uint32_t len, uint8_t *out[QPS][BURST])
{
	for (unsigned int i = 0; i < QPS; i++) {
		for (unsigned int j = 0; j < BURST; j++) {
			struct accel_hw_command *cmd =
				new_sym(&h, &sa->common, i * BURST + j, len, 0);

			if (out == NULL) {
				cmd->skip = ACCEL_HW_IPSEC_CMD_KEEP_PLACE;
				q_post(&h.q[i], cmd, in[j], len, in[j], len);
				continue;
			}
			out[i][j] = filled(256, 0xcc);
			q_post(&h.q[i], cmd, in[j], len, out[i][j], 256);
		}
	}
	for (unsigned int i = 0; i < QPS; i++)
		q_ring(&h.q[i]);
}

/* SA-1: none twice, none left out, in the order of each queue pair. */
static void
test_numbers_of_many(void **state)
{
	static bool seen[QPS * BURST * 20 + 1];
	struct device_threads threads;
	uint8_t *in[BURST], *out[QPS][BURST];
	uint32_t mark, total = 0;
	sa_t *sa;

	(void)state;
	open_many(&threads);
	sa = sa_gcm_new(true, 4);
	for (unsigned int j = 0; j < BURST; j++)
		in[j] = packet_new(4, 60);
	mark = h.used;
	memset(seen, 0, sizeof(seen));
	for (unsigned int round = 0; round < 20; round++) {
		h.used = mark;
		post_bursts(sa, in, 60, out);
		for (unsigned int i = 0; i < QPS; i++) {
			uint32_t last = 0;

			for (unsigned int j = 0; j < BURST; j++, total++) {
				uint32_t number;

				assert_int_equal(q_response(&h.q[i]).status, ACCEL_HW_OK);
				number = (uint32_t)be16(out[i][j] + 24) << 16 |
					 be16(out[i][j] + 26);
				assert_true(number > last && number < sizeof(seen));
				assert_false(seen[number]);
				seen[number] = true;
				last = number;
			}
		}
		assert_int_equal(sa->state.sequence, total);
		assert_int_equal(sa->state.packets, total);
		assert_int_equal(sa->state.bytes, total * 60);
		assert_int_equal(sa->state.iv_count, total);
	}
	stop_threads(&threads);
	host_close(&h);
}

/* SA-2: the same packets on each queue pair are accepted once. */
static void
test_replay_of_many(void **state)
{
	struct device_threads threads;
	uint8_t *in[BURST], *out[QPS][BURST];
	sa_t *sa;
	uint32_t mark;

	(void)state;
	open_many(&threads);
	sa = sa_null_new(false, 4);
	sa->ipsec.replay_window = 128;
	for (unsigned int j = 0; j < BURST; j++)
		in[j] = filled(128, 0);
	mark = h.used;
	for (unsigned int round = 0; round < 20; round++) {
		unsigned int accepted[BURST] = { 0 };

		h.used = mark;
		for (unsigned int j = 0; j < BURST; j++)
			null_packet(in[j], round * BURST + j + 1);
		post_bursts(sa, in, NULL_ESP, out);
		for (unsigned int i = 0; i < QPS; i++) {
			for (unsigned int j = 0; j < BURST; j++) {
				uint16_t status = q_response(&h.q[i]).status;

				assert_true(status == ACCEL_HW_OK || status == ACCEL_HW_REPLAY);
				accepted[j] += status == ACCEL_HW_OK;
			}
		}
		for (unsigned int j = 0; j < BURST; j++)
			assert_int_equal(accepted[j], 1);
	}
	assert_int_equal(sa->state.packets, 20 * BURST);
	assert_int_equal(sa->state.replay_errors, 20 * BURST * (QPS - 1));
	stop_threads(&threads);
	host_close(&h);
}

/* SA-4: a reset in the midst of traffic takes no number back. */
static void
test_reset(void **state)
{
	struct device_threads threads;
	uint8_t *in[BURST], *out[QPS][BURST];
	uint32_t mark, number;
	uint64_t last = 0;
	sa_t *sa;

	(void)state;
	open_many(&threads);
	sa = sa_gcm_new(true, 4);
	for (unsigned int j = 0; j < BURST; j++)
		in[j] = packet_new(4, 60);
	mark = h.used;
	for (unsigned int round = 0; round < 20; round++) {
		h.used = mark;
		post_bursts(sa, in, 60, out);
		host_reset(&h);
		for (unsigned int i = 0; i < QPS; i++) {
			for (unsigned int j = 0; j < BURST; j++) {
				number = (uint32_t)be16(out[i][j] + 24) << 16 |
					 be16(out[i][j] + 26);
				/* What was written has a number that was taken since. */
				if (out[i][j][0] == 0x45)
					assert_true(number > last && number <= sa->state.sequence);
			}
		}
		last = sa->state.sequence;
		assert_int_equal(sa->state.packets, last);
		for (unsigned int i = 0; i < QPS; i++)
			q_start(&h.q[i], 256, 256, 64);
		assert_int_equal(send_one(sa, &number).status, ACCEL_HW_OK);
		assert_int_equal(number, ++last);
	}
	stop_threads(&threads);
	host_close(&h);
}

/* A host that writes the state and the packets meanwhile harms nobody but itself. */
static void
test_hostile_state(void **state)
{
	struct device_threads threads;
	uint8_t *in[BURST], *out[QPS][BURST];
	uint32_t mark;
	sa_t *sa;

	(void)state;
	open_many(&threads);
	sa = sa_null_new(false, 4);
	sa->ipsec.options |= ACCEL_HW_IPSEC_ECN | ACCEL_HW_IPSEC_IP_CHECKSUM;
	sa->ipsec.replay_window = 1024;
	for (unsigned int j = 0; j < BURST; j++)
		in[j] = filled(128, 0);
	mark = h.used;
	for (unsigned int round = 0; round < 30; round++) {
		uint64_t *word = (uint64_t *)&sa->state;

		h.used = mark;
		for (unsigned int j = 0; j < BURST; j++)
			null_packet(in[j], draw(5000));
		post_bursts(sa, in, NULL_ESP, round % 2 == 0 ? NULL : out);
		for (unsigned int i = 0; i < 500; i++) {
			__atomic_store_n(&word[draw(24)], draw64(), __ATOMIC_RELAXED);
			__atomic_store_n(&in[draw(BURST)][draw(NULL_ESP)], (uint8_t)draw(256),
					 __ATOMIC_RELAXED);
		}
		for (unsigned int i = 0; i < QPS; i++) {
			for (unsigned int j = 0; j < BURST; j++)
				assert_true(q_response(&h.q[i]).status < ACCEL_HW_STATUS_NB);
			assert_int_equal(rd32(&h.q[i].dev->status), 1);
		}
	}
	stop_threads(&threads);
	host_close(&h);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_window),
		TEST(test_no_window),
		TEST(test_upper_half),
		TEST(test_last_number),
		TEST(test_limits),
		TEST(test_ivs),
		TEST(test_no_state),
		cmocka_unit_test(test_numbers_of_many),
		cmocka_unit_test(test_replay_of_many),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_hostile_state),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
