/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * TLS records of the model with OpenSSL's libssl as the other end (manual 8.7): a handshake in
 * memory, then records of the card that libssl reads, and records of libssl that the card reads.
 */
#include "ref_tls.h"
#include "model_op/model_tls.h"

#include <openssl/err.h>

#define APPLICATION_DATA ACCEL_HW_TLS_APPLICATION_DATA
#define ALERT ACCEL_HW_TLS_ALERT

/* Suites by their name, and the same for the card. */
struct suite {
	struct ref_tls_suite ref;
	struct tls_algs card;
};

#define CBC(version, kind, name, key, hash, digest)                                                \
	{ { version, "ECDHE-ECDSA-" name, digest, key, 0 },                                        \
	  { kind, ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_##hash##_HMAC, key, digest, 16 } }
#define AEAD12(version, kind, name, alg, key, tag)                                                 \
	{ { version, "ECDHE-ECDSA-" name, 0, key, 4 },                                            \
	  { kind, ACCEL_HW_AEAD_##alg, 0, key, tag, 8 } }
#define CHACHA12(version, kind)                                                                    \
	{ { version, "ECDHE-ECDSA-CHACHA20-POLY1305", 0, 32, 12 },                                 \
	  { kind, ACCEL_HW_AEAD_CHACHA20_POLY1305, 0, 32, 16, 0 } }
#define NULL12(version, kind)                                                                      \
	{ { version, "ECDHE-ECDSA-NULL-SHA", 20, 0, 0 },                                           \
	  { kind, ACCEL_HW_CIPHER_NULL, ACCEL_HW_AUTH_SHA1_HMAC, 0, 20, 0 } }
#define ALL12(version, kind)                                                                       \
	CBC(version, kind, "AES128-SHA", 16, SHA1, 20),                                            \
	CBC(version, kind, "AES256-SHA", 32, SHA1, 20),                                            \
	CBC(version, kind, "AES128-SHA256", 16, SHA256, 32),                                       \
	CBC(version, kind, "AES256-SHA384", 32, SHA384, 48),                                       \
	NULL12(version, kind),                                                                     \
	AEAD12(version, kind, "AES128-GCM-SHA256", AES_GCM, 16, 16),                               \
	AEAD12(version, kind, "AES256-GCM-SHA384", AES_GCM, 32, 16),                               \
	AEAD12(version, kind, "AES128-CCM", AES_CCM, 16, 16),                                      \
	AEAD12(version, kind, "AES256-CCM8", AES_CCM, 32, 8), CHACHA12(version, kind)
#define TLS13(name, alg, key, tag)                                                                 \
	{ { REF_TLS13, name, 0, key, 12 },                                                         \
	  { ACCEL_HW_KIND_TLS13, ACCEL_HW_AEAD_##alg, 0, key, tag, 0 } }

static const struct suite suites[] = {
	ALL12(REF_TLS12, ACCEL_HW_KIND_TLS12),
	ALL12(REF_DTLS12, ACCEL_HW_KIND_DTLS12),
	TLS13("TLS_AES_128_GCM_SHA256", AES_GCM, 16, 16),
	TLS13("TLS_AES_256_GCM_SHA384", AES_GCM, 32, 16),
	TLS13("TLS_CHACHA20_POLY1305_SHA256", CHACHA20_POLY1305, 32, 16),
	TLS13("TLS_AES_128_CCM_SHA256", AES_CCM, 16, 16),
	TLS13("TLS_AES_128_CCM_8_SHA256", AES_CCM, 16, 8),
};

static int
setup(void **state)
{
	(void)state;
	card_open_small(ACCEL_MODEL_ENGINE_AUTO, 64, 64);
	return 0;
}

/* A context of the card with the keys of a direction. */
static struct accel_hw_tls_context *
context_of(const struct suite *suite, const struct ref_tls_keys *keys, bool write)
{
	struct accel_hw_tls_context *ctx = tls_context(&suite->card, write);

	memcpy(ctx->common.cipher_key, keys->key, suite->card.key);
	memcpy(ctx->common.auth_key, keys->mac_key, ctx->common.auth_key_len);
	memcpy(ctx->tls.fixed_iv, keys->fixed_iv, sizeof(ctx->tls.fixed_iv));
	/* A DTLS reader learns numbers from records. */
	ctx->state.sequence = write || suite->card.kind != ACCEL_HW_KIND_DTLS12 ? keys->number : 0;
	return ctx;
}

static const uint32_t lengths[] = { 1, 2, 15, 16, 17, 100, 255, 256, 1000, 16383, 16384 };

#define LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

static void
connect_suite(struct ref_tls *tls, const struct suite *suite)
{
	if (!ref_tls_connect(tls, &suite->ref)) {
		ERR_print_errors_fp(stderr);
		fail_msg("no connection with %s", suite->ref.name);
	}
}

/* Records of the card, which libssl reads. Some have extra padding. The last one is an alert. */
static void
send_all(struct ref_tls *tls, const struct suite *suite)
{
	static const uint8_t close_notify[] = { 1, 0 };
	const bool pads = suite->card.kind == ACCEL_HW_KIND_TLS13 ||
			  suite->card.cipher == ACCEL_HW_CIPHER_AES_CBC;
	struct accel_hw_tls_context *ctx = context_of(suite, &tls->to_server, true);
	uint8_t *in = pattern(16384, 1), *record = filled(RECORD_MAX, 0);
	static uint8_t got[16384];
	uint32_t len;
	int none;

	for (unsigned int i = 0; i < 2 * LENGTHS; i++) {
		const uint32_t padding = i >= LENGTHS && pads ? draw(300) : 0;

		len = tls_write(ctx, APPLICATION_DATA | padding << 16, in, lengths[i % LENGTHS],
				record);
		assert_int_equal(ref_tls_receive(tls->server, record, len, got, sizeof(got)),
				 lengths[i % LENGTHS]);
		assert_memory_equal(got, in, lengths[i % LENGTHS]);
	}
	len = tls_write(ctx, APPLICATION_DATA, in, 0, record);
	none = ref_tls_receive(tls->server, record, len, got, sizeof(got));
	/* OpenSSL 3.5 waits for another record of DTLS; 3.0 did so of TLS only. */
	assert_true(none == -1 || (none == -2 && suite->card.kind == ACCEL_HW_KIND_DTLS12));
	memcpy(in, close_notify, 2);
	len = tls_write(ctx, ALERT, in, 2, record);
	assert_int_equal(ref_tls_receive(tls->server, record, len, got, sizeof(got)), 0);
	assert_int_equal(ctx->state.records, 2 * LENGTHS + 2);
	assert_int_equal(ctx->state.sequence, tls->to_server.number + 2 * LENGTHS + 2);
}

/* Records of libssl, which the card reads. */
static void
receive_all(struct ref_tls *tls, const struct suite *suite)
{
	static const uint8_t close_notify[] = { 1, 0 };
	struct accel_hw_tls_context *ctx = context_of(suite, &tls->to_client, false);
	uint8_t *data = pattern(16384, 7), *record = filled(RECORD_MAX, 0);
	uint32_t len;

	for (unsigned int i = 0; i < LENGTHS; i++) {
		len = (uint32_t)ref_tls_send(tls->server, data, lengths[i], record, RECORD_MAX);
		assert_true(len > lengths[i]);
		tls_read(ctx, record, len, APPLICATION_DATA, data, lengths[i]);
	}
	len = (uint32_t)ref_tls_send_close(tls->server, record, RECORD_MAX);
	assert_true(len > 0);
	tls_read(ctx, record, len, ALERT, close_notify, 2);
	assert_int_equal(ctx->state.records, LENGTHS + 1);
	assert_int_equal(ctx->state.errors, 0);
}

static void
test_records_both_ways(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		const uint32_t mark = h.used;
		struct ref_tls tls;

		connect_suite(&tls, &suites[i]);
		send_all(&tls, &suites[i]);
		ref_tls_close(&tls);
		connect_suite(&tls, &suites[i]);
		receive_all(&tls, &suites[i]);
		ref_tls_close(&tls);
		h.used = mark;
	}
}

/* A wrong bit anywhere in a record of libssl is found, and the right record is read after it by a
 * connection that has not gone on. */
static void
test_wrong_bits(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		const uint32_t mark = h.used;
		uint8_t *record = filled(RECORD_MAX, 0), *wrong = filled(RECORD_MAX, 0);
		uint8_t *out = filled(RECORD_MAX, 0);
		struct accel_hw_tls_context *ctx;
		struct accel_hw_response rsp;
		struct ref_tls tls;
		uint32_t len;

		connect_suite(&tls, &suites[i]);
		len = (uint32_t)ref_tls_send(tls.server, "some bytes", 10, record, RECORD_MAX);
		for (uint32_t at = 0; at < len; at++) {
			const uint32_t inner_mark = h.used;

			ctx = context_of(&suites[i], &tls.to_client, false);
			memcpy(wrong, record, len);
			wrong[at] ^= (uint8_t)(1 << draw(8));
			rsp = tls_run(ctx, 0, wrong, len, out, RECORD_MAX);
			assert_int_not_equal(rsp.status, ACCEL_HW_OK);
			assert_int_equal(rsp.info, 0);
			if (at >= tls_header(ctx))
				assert_int_equal(rsp.status, ACCEL_HW_AUTH_FAILED);
			assert_int_equal(ctx->state.errors, 1);
			assert_int_equal(ctx->state.auth_errors,
					 rsp.status == ACCEL_HW_AUTH_FAILED);
			assert_int_equal(ctx->state.records, 0);
			h.used = inner_mark;
		}
		ctx = context_of(&suites[i], &tls.to_client, false);
		tls_read(ctx, record, len, APPLICATION_DATA, "some bytes", 10);
		ref_tls_close(&tls);
		h.used = mark;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_records_both_ways),
		TEST(test_wrong_bits),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
