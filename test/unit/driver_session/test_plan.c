/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What an update of a protocol's session may change, for each byte and rule, also those of TLS with
 * DPDK versions that lack it.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "accel_ipsec.h"
#include "accel_plan.h"

#define HOST_END offsetof(struct accel_ipsec_session, state)

static struct accel_ipsec_session sess, wanted;
static struct accel_plan plan;

static int
setup(void **state)
{
	(void)state;
	memset(&plan, 0, sizeof(plan));
	memset(&sess, 0x5a, sizeof(sess));
	sess.base.rules = ACCEL_SESSION_PADS;
	wanted = sess;
	return 0;
}

/* Updates, and checks that nothing is left of the keys. */
static int
update(void)
{
	static const struct accel_ipsec_session nothing;
	const int ret = accel_plan_update(&plan, &wanted.base, &sess.base, HOST_END);

	assert_memory_equal(&wanted, &nothing, HOST_END);
	return ret;
}

/* The context has a new generation in any case, and the state is the card's. */
static void
test_bytes(void **state)
{
	const size_t fixed = offsetof(struct accel_ipsec_session, base.context.kind);
	size_t i;

	for (i = offsetof(struct accel_ipsec_session, base.context); i < sizeof(sess); i++) {
		setup(state);
		((uint8_t *)&wanted)[i] ^= (uint8_t)(1u << i % 8);
		assert_int_equal(update(), i < fixed || i >= HOST_END ? 0 : -ENOTSUP);
	}
}

static void
test_iv(void **state)
{
	(void)state;
	wanted.base.iv_len ^= 1;
	assert_int_equal(update(), -ENOTSUP);
	wanted = sess;
	wanted.base.iv_offset ^= 0x100;
	assert_int_equal(update(), -ENOTSUP);
	assert_string_equal(plan.why, "an update changes sequence number and replay window only");
}

/* Rules of the configuration stay. That of the card is taken over, unless the rest is refused. */
static void
test_rules(void **state)
{
	static const struct {
		uint8_t rules;
		int ret;
		uint8_t after;
	} cases[] = {
		{ ACCEL_SESSION_PADS, 0, ACCEL_SESSION_PADS },
		{ 0, -ENOTSUP, ACCEL_SESSION_PADS },
		{ ACCEL_SESSION_PADS | ACCEL_SESSION_HEAD_VARIES, -ENOTSUP, ACCEL_SESSION_PADS },
		{ ACCEL_SESSION_OVERLAP, -ENOTSUP, ACCEL_SESSION_PADS },
		{ ACCEL_SESSION_PADS | ACCEL_SESSION_OVERLAP, 0,
		  ACCEL_SESSION_PADS | ACCEL_SESSION_OVERLAP },
		{ ACCEL_SESSION_PADS, 0, ACCEL_SESSION_PADS },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(cases); i++) {
		wanted = sess;
		wanted.base.rules = cases[i].rules;
		assert_int_equal(update(), cases[i].ret);
		assert_int_equal(sess.base.rules, cases[i].after);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_bytes, setup),
		cmocka_unit_test_setup(test_iv, setup),
		cmocka_unit_test_setup(test_rules, setup),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
