/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * 3GPP's 256-bit algorithms (radio/nxa.h). They have to give the known answers and to agree with
 * the tests' reference, which is written from the standards with tables and bit by bit. Both ways
 * to compute are tested: with the CPU's instructions, and in C. ACCEL_TEST_SEED repeats a run.
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

#include "base/step.h"
#include "radio/cpu.h"
#include "radio/nxa.h"
#include "radio/polyval.h"
#include "ref_wireless.h"
#include "model_engine/engine_known.h"
#include "vectors/nxa_vectors.h"
#include "base/random.h"

#define DIM(array) (sizeof(array) / sizeof((array)[0]))
#define ALL_UP_TO 600u /* bytes */
#define AAD_MAX 80u
#define GUARD 8u

static const enum nxa_stream streams[] = { NXA_SNOW5G, NXA_AES, NXA_ZUC };

/* A key, an IV, and a message with room for output. */
struct message {
	struct nxa_key key;
	uint8_t raw[NXA_KEY];
	uint8_t iv[NXA_IV];
	uint8_t *aad;
	uint8_t *in;
	uint8_t *out;
	uint8_t *want;
	uint8_t want_tag[NXA_TAG_MAX];
	uint8_t tag[NXA_TAG_MAX + GUARD];
};

static EVP_CIPHER_CTX *
aes_key(const uint8_t *key)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	assert_non_null(ctx);
	assert_int_equal(EVP_EncryptInit_ex2(ctx, EVP_aes_256_ctr(), key, NULL, NULL), 1);
	return ctx;
}

static void
set_key(struct message *m, enum nxa_stream stream)
{
	EVP_CIPHER_CTX_free(m->key.aes);
	nxa_set_key(&m->key, stream, m->raw, stream == NXA_AES ? aes_key(m->raw) : NULL);
}

static void
draw_key(struct message *m, enum nxa_stream stream)
{
	draw_bytes(m->raw, sizeof(m->raw));
	draw_bytes(m->iv, sizeof(m->iv));
	if (stream == NXA_AES)
		m->iv[0] &= 0xfe;
	set_key(m, stream);
}

static uint8_t *
room(size_t len)
{
	uint8_t *at = malloc(len > 0 ? len : 1);

	assert_non_null(at);
	draw_bytes(at, len);
	return at;
}

/* The input has no byte too many, for the sanitizer and valgrind. */
static void
new_message(struct message *m, uint32_t aad_len, uint32_t len)
{
	memset(m, 0, sizeof(*m));
	m->aad = room(aad_len);
	m->in = room(len);
	m->out = room(len + GUARD);
	m->want = room(len);
}

static void
free_message(struct message *m)
{
	EVP_CIPHER_CTX_free(m->key.aes);
	free(m->aad);
	free(m->in);
	free(m->out);
	free(m->want);
}

static const uint8_t *
prepare_output(struct message *m, uint32_t len)
{
	const bool in_place = draw(2);

	memset(m->out, 0xee, len + GUARD);
	memset(m->tag, 0xee, sizeof(m->tag));
	if (!in_place)
		return m->in;
	memcpy(m->out, m->in, len);
	return m->out;
}

static void
expect_output(const struct message *m, uint32_t len, const char *what)
{
	if (memcmp(m->out, m->want, len) != 0)
		fail_msg("%s%u, %u bytes: not the text of the reference", what, m->key.stream, len);
	for (unsigned int i = 0; i < GUARD; i++)
		assert_int_equal(m->out[len + i], 0xee);
}

static void
expect_tag(const struct message *m, uint32_t len, const char *what)
{
	if (memcmp(m->tag, m->want_tag, sizeof(m->want_tag)) != 0)
		fail_msg("%s%u, %u bytes: not the MAC of the reference", what, m->key.stream, len);
	for (unsigned int i = 0; i < GUARD; i++)
		assert_int_equal(m->tag[NXA_TAG_MAX + i], 0xee);
}

static void
compare_nea(struct message *m, uint32_t len)
{
	const uint8_t *in = prepare_output(m, len);

	ref_nea(m->key.stream, m->raw, m->iv, m->in, m->want, len);
	assert_true(nxa_crypt(&m->key, m->iv, in, m->out, len));
	expect_output(m, len, "NEA");
}

static void
compare_nia(struct message *m, uint32_t len)
{
	memset(m->tag, 0xee, sizeof(m->tag));
	ref_nia(m->key.stream, m->raw, m->iv, m->in, len, m->want_tag);
	assert_true(nxa_mac(&m->key, m->iv, m->in, len, m->tag));
	expect_tag(m, len, "NIA");
}

static void
compare_nca(struct message *m, uint32_t aad_len, uint32_t len, bool encrypt)
{
	const uint8_t *in = prepare_output(m, len);

	ref_nca(m->key.stream, m->raw, m->iv, m->aad, aad_len, m->in, m->want, len, encrypt,
		m->want_tag);
	assert_true(nxa_aead(&m->key, m->iv, m->aad, aad_len, in, m->out, len, encrypt, m->tag));
	expect_output(m, len, "NCA");
	expect_tag(m, len, "NCA");
}

static void
compare_all(uint32_t aad_len, uint32_t len)
{
	struct message m;

	new_message(&m, aad_len, len);
	for (size_t i = 0; i < DIM(streams); i++) {
		draw_key(&m, streams[i]);
		compare_nea(&m, len);
		compare_nia(&m, len);
		compare_nca(&m, aad_len, len, draw(2));
	}
	free_message(&m);
}

static void
compare_lengths(void)
{
	for (uint32_t len = 0; len <= ALL_UP_TO; len++) {
		compare_all(draw(AAD_MAX + 1), len);
		compare_all(len, draw(2));
	}
}

static void
test_lengths(void **state)
{
	(void)state;
	compare_lengths();
}

static void
test_lengths_plain(void **state)
{
	(void)state;
	cpu_is_plain = true;
	compare_lengths();
	cpu_is_plain = false;
}

static void
count_sign(void *arg)
{
	++*(unsigned int *)arg;
}

/* A sign of life is due after each step of a long message. */
static void
test_long(void **state)
{
	static const uint32_t lens[] = { 4095, 4096, 4097, ENGINE_STEP - 1, ENGINE_STEP,
					 ENGINE_STEP + 1, 3 * ENGINE_STEP + 5 };
	unsigned int signs = 0, due = 0;

	(void)state;
	engine_waiter = (struct engine_waiter){ .sign = count_sign, .arg = &signs };
	for (size_t i = 0; i < DIM(lens); i++) {
		compare_all(lens[DIM(lens) - 1 - i], lens[i]);
		/* Each stream ciphers and hashes, and does both after more AAD. */
		due += DIM(streams) * (3 * ((lens[i] - 1) / ENGINE_STEP) +
				       (lens[DIM(lens) - 1 - i] - 1) / ENGINE_STEP);
	}
	engine_waiter.sign = NULL;
	assert_int_equal(signs, due);
}

/* The last four bytes of AES's IV have no meaning. The lowest bit of its first byte is the
 * hash's. */
static void
test_aes_iv(void **state)
{
	struct message m;
	uint8_t tag[NXA_TAG_MAX];

	(void)state;
	new_message(&m, 20, 100);
	draw_key(&m, NXA_AES);
	compare_nea(&m, 100);
	draw_bytes(m.iv + 12, 4);
	assert_true(nxa_crypt(&m.key, m.iv, m.in, m.out, 100));
	expect_output(&m, 100, "NEA");
	compare_nca(&m, 20, 100, true);
	compare_nia(&m, 100);
	m.iv[0] |= 1;
	assert_true(nxa_mac(&m.key, m.iv, m.in, 100, tag));
	assert_memory_equal(tag, m.tag, sizeof(tag));
	m.iv[11] ^= 1;
	assert_true(nxa_mac(&m.key, m.iv, m.in, 100, tag));
	assert_memory_not_equal(tag, m.tag, sizeof(tag));
	free_message(&m);
}

/* RFC 8452, appendix A: POLYVAL of two blocks. Behind them are enough blocks under another key for
 * powers of both keys. */
static void
test_polyval(void **state)
{
	uint8_t key[16], in[32], want[16], sum[2][16];
	uint8_t more[2][9 * POLYVAL_BLOCK], other[16];

	(void)state;
	from_hex(key, "25629347589242761d31f826ba4b757b");
	from_hex(in, "4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362");
	from_hex(want, "f7a3b47b846119fae5b7866cf5e5b77e");
	draw_bytes(more, sizeof(more));
	draw_bytes(other, sizeof(other));
	for (unsigned int plain = 0; plain < 2; plain++) {
		struct polyval p = { 0 };

		cpu_is_plain = plain;
		polyval_key(&p, key);
		polyval_add(&p, in, sizeof(in));
		polyval_sum(&p, sum[plain]);
		assert_memory_equal(sum[plain], want, sizeof(want));
		polyval_add(&p, more[0], sizeof(more[0]));
		polyval_key(&p, other);
		polyval_add(&p, more[1], sizeof(more[1]));
		polyval_sum(&p, sum[plain]);
	}
	assert_memory_equal(sum[0], sum[1], sizeof(want));
	cpu_is_plain = false;
}

static enum nxa_stream
stream_of(uint8_t alg)
{
	switch (alg) {
	case ACCEL_HW_CIPHER_SNOW5G_NEA4:
	case ACCEL_HW_AUTH_SNOW5G_NIA4:
	case ACCEL_HW_AEAD_SNOW5G_NCA4:
		return NXA_SNOW5G;
	case ACCEL_HW_CIPHER_AES_NEA5:
	case ACCEL_HW_AUTH_AES_NIA5:
	case ACCEL_HW_AEAD_AES_NCA5:
		return NXA_AES;
	default:
		return NXA_ZUC;
	}
}

/* The reference, with which everything else is compared, gives the known answers. */
static void
test_reference(void **state)
{
	static struct known known;

	(void)state;
	for (size_t i = 0; i < DIM(nxa_vectors); i++) {
		const struct vector *v = &nxa_vectors[i];
		const struct engine_job *job = &known.job;
		const unsigned int nr = stream_of(v->alg);
		uint32_t len;

		read_vector(&known, v);
		len = job->src_len;
		if (v->kind == ACCEL_HW_KIND_CIPHER)
			ref_nea(nr, known.raw.cipher_key, job->iv, known.in, known.buf, len);
		else if (v->kind == ACCEL_HW_KIND_AUTH)
			ref_nia(nr, known.raw.auth_key, job->auth_iv, known.in, len, known.got);
		else
			ref_nca(nr, known.raw.cipher_key, job->iv, known.aad, job->aad_len,
				known.in, known.buf, len, true, known.got);
		if (memcmp(known.got, known.digest, known.raw.digest_len) != 0)
			fail_msg("%s: wrong MAC", v->source);
		if (v->out != NULL && memcmp(known.buf, known.out, len) != 0)
			fail_msg("%s: wrong text", v->source);
	}
}

/* The engine gives them as well, in both directions, in place or not, and finds a wrong MAC. */
static void
test_vectors(void **state)
{
	struct engine *engine = engine_openssl.create();

	(void)state;
	assert_non_null(engine);
	for (unsigned int plain = 0; plain < 2; plain++) {
		cpu_is_plain = plain;
		assert_int_equal(run_vectors(engine, &engine_openssl, nxa_vectors,
					     DIM(nxa_vectors)),
				 DIM(nxa_vectors));
	}
	cpu_is_plain = false;
	engine_openssl.destroy(engine);
}

static struct accel_hw_context
context_of(uint8_t kind, uint8_t alg, uint16_t tag_len)
{
	struct accel_hw_context raw = { .version = ACCEL_HW_CTX_VERSION, .kind = kind };

	raw.digest_len = tag_len;
	if (kind == ACCEL_HW_KIND_AUTH) {
		raw.flags = ACCEL_HW_CTX_VERIFY;
		raw.auth_alg = alg;
		raw.auth_key_len = NXA_KEY;
		raw.auth_iv_len = NXA_IV;
		draw_bytes(raw.auth_key, NXA_KEY);
		return raw;
	}
	raw.cipher_alg = alg;
	raw.cipher_key_len = NXA_KEY;
	raw.iv_len = NXA_IV;
	draw_bytes(raw.cipher_key, NXA_KEY);
	return raw;
}

/* Verifies a MAC of each length, and finds each wrong byte of it. @param want has the right MAC. */
static void
expect_verify(struct engine *engine, const struct accel_hw_context *raw, struct engine_job *job,
	      const uint8_t *want)
{
	uint8_t mac[ACCEL_HW_DIGEST_MAX] = { 0 };

	job->digest_in = mac;
	job->ctx = open_ctx(engine, &engine_openssl, raw);
	for (unsigned int wrong = 0; wrong <= raw->digest_len; wrong++) {
		memcpy(mac, want, raw->digest_len);
		if (wrong < raw->digest_len)
			mac[wrong] ^= (uint8_t)(1u << draw(8));
		engine_run(job->ctx, job);
		if (job->status !=
		    (wrong < raw->digest_len ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK))
			fail_msg("kind %u, MAC of %u, byte %u wrong: status %u", raw->kind,
				 raw->digest_len, wrong, job->status);
	}
	engine_openssl.ctx_fini(engine, job->ctx);
}

static void
test_wrong_mac(void **state)
{
	static const uint8_t macs[] = { ACCEL_HW_AUTH_SNOW5G_NIA4, ACCEL_HW_AUTH_AES_NIA5,
					ACCEL_HW_AUTH_ZUC_NIA6 };
	static const uint8_t aeads[] = { ACCEL_HW_AEAD_SNOW5G_NCA4, ACCEL_HW_AEAD_AES_NCA5,
					 ACCEL_HW_AEAD_ZUC_NCA6 };
	struct engine *engine = engine_openssl.create();
	uint8_t in[77], out[77], text[77], aad[5], want[NXA_TAG_MAX];

	(void)state;
	assert_non_null(engine);
	for (unsigned int n = 0; n < 3 * (NXA_TAG_MAX - 4 + 1); n++) {
		const uint16_t tag_len = (uint16_t)(4 + n / 3);
		struct accel_hw_context raw = context_of(ACCEL_HW_KIND_AUTH, macs[n % 3], tag_len);
		struct engine_job job = { .src = in, .src_len = sizeof(in) };

		draw_bytes(in, sizeof(in));
		draw_bytes(aad, sizeof(aad));
		job.auth_len = sizeof(in);
		ref_nia(stream_of(macs[n % 3]), raw.auth_key, job.auth_iv, in, sizeof(in), want);
		expect_verify(engine, &raw, &job, want);
		raw = context_of(ACCEL_HW_KIND_AEAD, aeads[n % 3], tag_len);
		job.auth_len = 0;
		job.cipher_len = sizeof(in);
		job.dst = out;
		job.aad = aad;
		job.aad_len = sizeof(aad);
		ref_nca(stream_of(aeads[n % 3]), raw.cipher_key, job.iv, aad, sizeof(aad), in,
			text, sizeof(in), false, want);
		expect_verify(engine, &raw, &job, want);
		assert_memory_equal(out, text, sizeof(text));
	}
	engine_openssl.destroy(engine);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_polyval),
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_lengths_plain),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_aes_iv),
		cmocka_unit_test(test_wrong_mac),
	};

	rng_start();
	print_message("the CPU %s instructions for AES and GF(2^128)\n",
		      cpu_has_aes() ? "has" : "lacks");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
