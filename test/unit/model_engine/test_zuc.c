/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The model's own ZUC (radio/zuc.h). Up to the 65504 bits that IPsec-MB takes it has to agree with
 * IPsec-MB, byte by byte and bit by bit. Beyond that it has to agree with the tests' reference,
 * which is written from the specification with its tables, and its key stream has to begin with
 * IPsec-MB's. Known answers of the standards are in test_engines.c. ACCEL_TEST_SEED repeats a run,
 * and ACCEL_TEST_ZUC_ALL compares every number of bits with every MAC, which takes minutes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "radio/zuc.h"
#include "ref_wireless.h"
#include "model_engine/engine_known.h"
#include "base/random.h"

#define DIM(array) (sizeof(array) / sizeof((array)[0]))
#define LIMIT 8188u /* bytes that IPsec-MB takes */
#define ALL_BITS_UP_TO 512u /* bytes */
#define LONG_MAX (1u << 20)
#define GUARD 8u

static struct engine *mb; /* NULL if the CPU lacks an instruction set */

/* The variants: bytes of key, of IV, and of the MAC, each of which is a MAC of its own. */
static const struct variant {
	uint8_t key, iv, mac;
} variants[] = { { 16, 16, 4 }, { 32, 25, 4 }, { 32, 25, 8 }, { 32, 25, 16 } };

/* A key, an IV, and a message with room for output. */
struct message {
	struct zuc_key key;
	uint8_t iv[ACCEL_HW_LONG_IV_MAX];
	uint8_t *in;
	uint8_t *out;
	uint8_t *want;
};

static void
draw_key(struct message *m, const struct variant *v)
{
	draw_bytes(m->key.bytes, sizeof(m->key.bytes));
	m->key.len = v->key;
	draw_bytes(m->iv, sizeof(m->iv));
	for (unsigned int i = 17; i < 25 && v->iv == 25; i++)
		m->iv[i] &= 0x3f; /* ZUC-256 has 6 bits in each. */
}

static void
new_message(struct message *m, uint32_t len)
{
	m->in = malloc(len);
	m->out = malloc(len + GUARD);
	m->want = malloc(len);
	assert_true(m->in != NULL && m->out != NULL && m->want != NULL);
	draw_bytes(m->in, len);
}

static void
free_message(struct message *m)
{
	free(m->in);
	free(m->out);
	free(m->want);
}

/* Runs a cipher or a MAC by IPsec-MB. */
static void
run_mb(struct accel_hw_context *raw, struct engine_job *job, const struct message *m,
       const struct variant *v)
{
	struct engine_ctx *ctx;

	raw->version = ACCEL_HW_CTX_VERSION;
	memcpy(raw->kind == ACCEL_HW_KIND_AUTH ? raw->auth_key : raw->cipher_key, m->key.bytes,
	       v->key);
	memcpy(job->iv, m->iv, v->iv);
	if (raw->kind == ACCEL_HW_KIND_AUTH && v->iv <= ACCEL_HW_IV_MAX)
		memcpy(job->auth_iv, m->iv, v->iv);
	ctx = open_ctx(mb, &engine_ipsec_mb, raw);
	engine_run(ctx, job);
	assert_true(job->done);
	assert_int_equal(job->status, ACCEL_HW_OK);
	engine_ipsec_mb.ctx_fini(mb, ctx);
}

static void
crypt_mb(const struct message *m, const struct variant *v, uint32_t len, uint8_t *out)
{
	struct accel_hw_context raw = {
		.kind = ACCEL_HW_KIND_CIPHER,
		.flags = ACCEL_HW_CTX_ENCRYPT,
		.cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3,
		.cipher_key_len = v->key,
		.iv_len = v->iv,
	};
	struct engine_job job = { .src = m->in, .dst = out, .src_len = len, .cipher_len = len };

	run_mb(&raw, &job, m, v);
}

static void
mac_mb(const struct message *m, const struct variant *v, uint32_t bits, uint8_t *mac)
{
	struct accel_hw_context raw = {
		.kind = ACCEL_HW_KIND_AUTH,
		.auth_alg = ACCEL_HW_AUTH_ZUC_EIA3,
		.auth_key_len = v->key,
		.auth_iv_len = v->iv,
		.digest_len = v->mac,
	};
	uint8_t digest[ACCEL_HW_DIGEST_MAX];
	struct engine_job job = { .src = m->in, .digest_out = digest };

	job.src_len = job.auth_len = (bits + 7) / 8;
	job.auth_pad = 8 * job.auth_len - bits;
	run_mb(&raw, &job, m, v);
	memcpy(mac, digest, v->mac);
}

static bool
can_compare(void)
{
	struct accel_hw_context raw = {
		.kind = ACCEL_HW_KIND_CIPHER,
		.cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3,
		.cipher_key_len = 16,
		.iv_len = 16,
	};

	return mb != NULL && engine_ipsec_mb.supports(&raw); /* A release may have a flaw. */
}

/* Encrypts len bytes, in place or not, and finds out that nothing behind them is written. */
static void
expect_crypt(struct message *m, uint32_t len, const char *by)
{
	const bool in_place = draw(2);

	memset(m->out, 0xee, len + GUARD);
	if (in_place)
		memcpy(m->out, m->in, len);
	zuc_crypt(&m->key, m->iv, in_place ? m->out : m->in, m->out, len);
	if (memcmp(m->out, m->want, len) != 0)
		fail_msg("key of %u, %u bytes: not the text of %s", m->key.len, len, by);
	for (unsigned int i = 0; i < GUARD; i++)
		assert_int_equal(m->out[len + i], 0xee);
}

static void
expect_mac(const struct message *m, const struct variant *v, uint64_t bits, const uint8_t *want,
	   const char *by)
{
	uint8_t got[16];

	zuc_mac(&m->key, m->iv, m->in, bits, got, v->mac);
	if (memcmp(got, want, v->mac) != 0)
		fail_msg("key of %u, MAC of %u, %lu bits: not the MAC of %s", v->key, v->mac,
			 (unsigned long)bits, by);
}

static void
test_cipher_as_ipsec_mb(void **state)
{
	struct message m;

	(void)state;
	if (!can_compare())
		skip();
	new_message(&m, LIMIT);
	for (uint32_t len = 1; len <= LIMIT; len++) {
		const struct variant *v = &variants[draw(2)];

		draw_key(&m, v);
		crypt_mb(&m, v, len, m.want);
		expect_crypt(&m, len, "IPsec-MB");
	}
	free_message(&m);
}

/* Compares MACs of so many bytes less 0 to 7 bits. */
static void
compare_macs(struct message *m, const struct variant *v, uint32_t len, unsigned int pad)
{
	uint8_t want[16];

	draw_key(m, v);
	mac_mb(m, v, 8 * len - pad, want);
	expect_mac(m, v, 8 * len - pad, want, "IPsec-MB");
}

static void
test_mac_as_ipsec_mb(void **state)
{
	const bool all = getenv("ACCEL_TEST_ZUC_ALL") != NULL;
	struct message m;

	(void)state;
	if (!can_compare())
		skip();
	new_message(&m, LIMIT);
	for (uint32_t len = 1; len <= LIMIT; len++) {
		if (!all && len > ALL_BITS_UP_TO && len < LIMIT) {
			compare_macs(&m, &variants[draw(DIM(variants))], len, draw(8));
			continue;
		}
		for (size_t i = 0; i < DIM(variants); i++)
			for (unsigned int pad = 0; pad < 8; pad++)
				compare_macs(&m, &variants[i], len, pad);
	}
	free_message(&m);
}

static void
test_cipher_beyond(void **state)
{
	static const uint32_t lens[] = { 8189, 8191, 8192, 9000, 9004, 65535, 65536, 65541,
					 LONG_MAX };
	struct message m;

	(void)state;
	new_message(&m, LONG_MAX);
	for (size_t v = 0; v < 2; v++) {
		for (size_t i = 0; i < DIM(lens); i++) {
			draw_key(&m, &variants[v]);
			ref_zuc_eea3(m.key.bytes, m.key.len, m.iv, m.in, m.want, lens[i]);
			expect_crypt(&m, lens[i], "the reference");
			if (!can_compare())
				continue;
			crypt_mb(&m, &variants[v], LIMIT, m.want);
			assert_memory_equal(m.out, m.want, LIMIT);
		}
	}
	free_message(&m);
}

static void
test_mac_beyond(void **state)
{
	static const uint32_t bits[] = { 65505, 65511, 65512, 65535, 65536, 65537, 72000, 72001,
					 524288, 524319, 8 * LONG_MAX - 3, 8 * LONG_MAX };
	struct message m;
	uint8_t want[16];

	(void)state;
	new_message(&m, LONG_MAX);
	for (size_t v = 0; v < DIM(variants); v++) {
		for (size_t i = 0; i < DIM(bits); i++) {
			draw_key(&m, &variants[v]);
			ref_zuc_eia3(m.key.bytes, m.key.len, m.iv, m.in, bits[i], want,
				     variants[v].mac);
			expect_mac(&m, &variants[v], bits[i], want, "the reference");
		}
	}
	free_message(&m);
}

/* The bits behind a message's end in its last byte do not count, and no byte behind that is read.
 * Short messages of all numbers of bits are compared with the reference as well. */
static void
test_mac_bits(void **state)
{
	struct message m;
	uint8_t want[16], *copy;

	(void)state;
	new_message(&m, 40);
	for (uint32_t bits = 0; bits <= 300; bits++) {
		const struct variant *v = &variants[bits % DIM(variants)];
		const size_t len = (bits + 7) / 8;

		draw_key(&m, v);
		ref_zuc_eia3(m.key.bytes, m.key.len, m.iv, m.in, bits, want, v->mac);
		expect_mac(&m, v, bits, want, "the reference");
		copy = malloc(len + 1); /* For the sanitizer and valgrind. */
		assert_non_null(copy);
		copy = realloc(copy, len > 0 ? len : 1);
		assert_non_null(copy);
		memcpy(copy, m.in, len);
		if (bits % 8 != 0)
			copy[len - 1] ^= (uint8_t)(0xff >> bits % 8);
		memcpy(m.in, copy, len);
		expect_mac(&m, v, bits, want, "the same bits");
		free(copy);
	}
	free_message(&m);
}

static int
set_up(void **state)
{
	(void)state;
	mb = engine_ipsec_mb.create();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	if (mb != NULL)
		engine_ipsec_mb.destroy(mb);
	return 0;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cipher_as_ipsec_mb),
		cmocka_unit_test(test_mac_as_ipsec_mb),
		cmocka_unit_test(test_cipher_beyond),
		cmocka_unit_test(test_mac_beyond),
		cmocka_unit_test(test_mac_bits),
	};

	rng_start();
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
