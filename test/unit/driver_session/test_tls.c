/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessions of TLS records in the driver, compared with byte offsets written out from manual section
 * 8.7. There is no device. rte_security has TLS records since DPDK 24.11; before, there is no
 * capability, which is what is tested then.
 */
#include <errno.h>

#include "accel_tls.h"
#include "driver_session/ipsec_session.h"

static int
setup(void **state)
{
	static const struct accel_dt_protocol dtls = {
		.present = true, .ciphers = 1 << 2, .auths = 1 << 8, .aeads = 1,
		.replay_window_max = 4096, .overlap = true,
	};

	(void)state;
	setup_device();
	dev.dt.dtls12 = dtls;
	dev.dt.tls12 = dtls;
	dev.dt.tls12.replay_window_max = 0;
	make_caps();
	return 0;
}

#if ACCEL_HAS_TLS_RECORD

static struct accel_tls_session *
connection(void)
{
	return SECURITY_GET_SESS_PRIV(session());
}

/* A field of the context, little-endian. */
static uint64_t
field(unsigned int at, unsigned int size)
{
	const uint8_t *raw = (const uint8_t *)&connection()->base.context + at;
	uint64_t n = 0;

	for (unsigned int i = 0; i < size; i++)
		n |= (uint64_t)raw[i] << 8 * i;
	return n;
}

/* True if each bit of the window has this value. */
static bool
window_is(bool set)
{
	for (unsigned int i = 0; i < 4096 / 8; i++) {
		if (field(0x200 + i, 1) != (set ? 0xff : 0))
			return false;
	}
	return true;
}

static void
conf_tls(struct conf *f, bool dtls, bool write)
{
	static const uint8_t nonce[] = { 0xa1, 0xa2, 0xa3, 0xa4 };
	struct rte_security_tls_record_xform *x = &f->c.tls_record;

	conf_gcm(f, write);
	memset(x, 0, sizeof(*x));
	f->c.protocol = RTE_SECURITY_PROTOCOL_TLS_RECORD;
	x->ver = dtls ? RTE_SECURITY_VERSION_DTLS_1_2 : RTE_SECURITY_VERSION_TLS_1_2;
	x->type = write ? RTE_SECURITY_TLS_SESS_TYPE_WRITE : RTE_SECURITY_TLS_SESS_TYPE_READ;
	if (dtls) {
		x->dtls_1_2.epoch = 0x1234;
		memcpy(x->dtls_1_2.imp_nonce, nonce, sizeof(nonce));
		x->dtls_1_2.ar_win_sz = 64;
	} else {
		memcpy(x->tls_1_2.imp_nonce, nonce, sizeof(nonce));
	}
	f->x.aead.aad_length = 13;
}

/* A new session accepts numbers below its first one that the window covers. */
static void
test_dtls_new(void **state)
{
	struct conf f;

	(void)state;
	conf_tls(&f, true, false);
	f.c.tls_record.dtls_1_2.seq_no = 1000;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x140, 4), 0);
	assert_int_equal(field(0x144, 4), 64);
	assert_int_equal(field(0x148, 2), 0x1234);
	assert_int_equal(field(0x14c, 4), 0xa4a3a2a1);
	assert_int_equal(field(0x1c0, 8), 1000);
	assert_true(window_is(false));
	f.c.tls_record.dtls_1_2.seq_no = UINT64_C(1) << 48;
	assert_int_equal(create(&f), -EINVAL);
	f.c.tls_record.dtls_1_2.seq_no = 0;
	f.c.tls_record.dtls_1_2.ar_win_sz = 4097;
	assert_int_equal(create(&f), -ENOTSUP);
}

/* With an update, what is below the new number counts as received. */
static void
test_dtls_update(void **state)
{
	struct conf f;

	(void)state;
	conf_tls(&f, true, false);
	assert_int_equal(create(&f), 0);
	connection()->state.records = rte_cpu_to_le_64(7);
	f.c.tls_record.dtls_1_2.seq_no = 1000;
	f.c.tls_record.dtls_1_2.ar_win_sz = 128;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), 0);
	assert_int_equal(field(0x144, 4), 128);
	assert_int_equal(field(0x1c0, 8), 1000);
	assert_int_equal(field(0x1c8, 8), 7);
	assert_true(window_is(true));
	assert_int_equal(field(0, 4), 2);
	/* Below the first number of all there is none. */
	f.c.tls_record.dtls_1_2.seq_no = 0;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), 0);
	assert_int_equal(field(0x1c0, 8), 0);
	assert_true(window_is(false));
	assert_int_equal(field(0, 4), 3);
}

/* What an update may not change leaves the session as it was. */
static void
test_dtls_update_refused(void **state)
{
	struct conf f;

	(void)state;
	conf_tls(&f, true, false);
	f.c.tls_record.dtls_1_2.seq_no = 5;
	assert_int_equal(create(&f), 0);
	f.c.tls_record.dtls_1_2.seq_no = 1000;
	f.c.tls_record.dtls_1_2.epoch++;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), -ENOTSUP);
	f.c.tls_record.dtls_1_2.epoch--;
	f.x.aead.key.data = auth_key;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), -ENOTSUP);
	f.x.aead.key.data = key;
	f.c.tls_record.dtls_1_2.ar_win_sz = 5000;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), -ENOTSUP);
	assert_int_equal(field(0, 4), 1);
	assert_int_equal(field(0x144, 4), 64);
	assert_int_equal(field(0x1c0, 8), 5);
	assert_true(window_is(false));
}

/* Who writes has no window, and TLS has none in either direction. */
static void
test_no_window(void **state)
{
	struct conf f;

	(void)state;
	conf_tls(&f, true, true);
	assert_int_equal(create(&f), 0);
	f.c.tls_record.dtls_1_2.seq_no = 1000;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), 0);
	assert_int_equal(field(0x144, 4), 0);
	assert_int_equal(field(0x1c0, 8), 1000);
	assert_true(window_is(false));
	conf_tls(&f, false, false);
	assert_int_equal(create(&f), 0);
	f.c.tls_record.tls_1_2.seq_no = 1000;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), 0);
	assert_int_equal(field(0x1c0, 8), 1000);
	assert_true(window_is(false));
}

#else

static void
test_none(void **state)
{
	const struct rte_security_capability *c = ops->capabilities_get(&cryptodev);

	(void)state;
	for (; c->action != RTE_SECURITY_ACTION_TYPE_NONE; c++)
		assert_int_equal(c->protocol, RTE_SECURITY_PROTOCOL_IPSEC);
}

#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown_device)
#if ACCEL_HAS_TLS_RECORD
		TEST(test_dtls_new),
		TEST(test_dtls_update),
		TEST(test_dtls_update_refused),
		TEST(test_no_window),
#else
		TEST(test_none),
#endif
	};

	if (start_eal_silent("test_tls") < 0)
		return 1;
	return cmocka_run_group_tests_name("TLS records", tests, NULL, NULL);
}
