/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts and the copies that the device keeps of them (manual 8.1, 8.3).
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_command.h"

/* Run 64 bytes with a context. Its output is the reference's if the status is OK. */
static bool
with_context(struct queue *q, struct accel_hw_context *x, uint16_t status)
{
	uint8_t out[128] = { 0 };
	struct request r;
	struct card *c = q->card;
	uint64_t at = sym_store(c, x);
	bool auth = x->kind == ACCEL_HW_KIND_AUTH;

	sym_cbc_request(c, &r, x, at, out);
	r.output = auth || status != ACCEL_HW_OK ? NULL : out;
	r.cmd.cipher_len = auth ? 0 : 64;
	r.cmd.auth_len = auth ? 64 : 0;
	r.produced = auth ? x->digest_len : 64;
	return request_run(q, &r, status);
}

/* One byte of the context is another one; the rest is good. */
static bool
with_byte(struct queue *q, const struct accel_hw_context *x, unsigned int at, uint8_t value)
{
	struct accel_hw_context bad = *x;

	((uint8_t *)&bad)[at] = value;
	result_note(&q->card->result, "kind %u, byte %#x of the context is %#x", x->kind, at,
		value);
	return with_context(q, &bad, ACCEL_HW_BAD_CONTEXT);
}

#define AT(field) ((unsigned int)offsetof(struct accel_hw_context, field))

static void
wrong_values(struct card *c)
{
	static const struct {
		unsigned int at;
		uint8_t value;
	} wrong[] = {
		{ AT(version), 0 }, { AT(version), 2 }, { AT(version), 0xff },
		{ AT(kind), 0 }, { AT(kind), 8 }, { AT(kind), 0xff },
		{ AT(flags), 0x05 }, { AT(flags), 0x81 }, { AT(flags), 0x09 },
		{ AT(flags), 0x11 }, { AT(flags), 0x21 }, { AT(flags), 0x41 },
		{ AT(cipher_alg), 0 }, { AT(cipher_alg), 60 }, { AT(cipher_alg), 65 },
		{ AT(cipher_alg), 192 }, { AT(cipher_alg), 96 }, { AT(cipher_alg) + 1, 1 },
		{ AT(auth_alg), 68 }, { AT(auth_alg) + 1, 1 },
		{ AT(cipher_key_len), 0 }, { AT(cipher_key_len), 8 }, { AT(cipher_key_len), 15 },
		{ AT(cipher_key_len), 17 }, { AT(cipher_key_len), 20 }, { AT(cipher_key_len), 40 },
		{ AT(cipher_key_len) + 1, 1 }, { AT(auth_key_len), 1 }, { AT(auth_key_len) + 1, 1 },
		{ AT(iv_len), 0 }, { AT(iv_len), 8 }, { AT(iv_len), 15 }, { AT(iv_len), 17 },
		{ AT(iv_len), 32 }, { AT(auth_iv_len), 1 }, { AT(auth_iv_len), 16 },
		{ AT(digest_len), 1 }, { AT(digest_len) + 1, 1 },
	};
	struct accel_hw_context x;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	sym_cbc(&x, true);
	if (!queue_open(&q, c) || !with_context(&q, &x, ACCEL_HW_OK))
		return;
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (!with_byte(&q, &x, wrong[i].at, wrong[i].value))
			return;
	}
	if (with_context(&q, &x, ACCEL_HW_OK))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Authentication: wrong values, and digests from 1 byte to the whole. */
static void
wrong_auth_values(struct card *c)
{
	static const struct {
		unsigned int at;
		uint8_t value;
	} wrong[] = {
		{ AT(cipher_alg), 2 }, { AT(cipher_alg), 1 }, { AT(auth_alg), 0 },
		{ AT(auth_alg), 2 }, { AT(auth_alg), 63 }, { AT(auth_alg), 192 },
		{ AT(auth_key_len), 0 }, { AT(auth_key_len), 65 }, { AT(auth_key_len), 255 },
		{ AT(auth_key_len) + 1, 1 }, { AT(cipher_key_len), 16 }, { AT(iv_len), 16 },
		{ AT(auth_iv_len), 16 }, { AT(digest_len), 0 }, { AT(digest_len), 33 },
		{ AT(digest_len) + 1, 1 }, { AT(flags), 0x04 }, { AT(data_unit_len), 16 },
	};
	struct accel_hw_context x;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_AUTH_SHA256_HMAC))
		return;
	sym_hmac(&x, false, 32);
	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (!with_byte(&q, &x, wrong[i].at, wrong[i].value))
			return;
	}
	for (x.digest_len = 1; x.digest_len <= 32; x.digest_len++) {
		bool has = tree_sizes(tree_alg(&c->tree, x.auth_alg), 32, 0, x.digest_len);

		if (!with_context(&q, &x, has ? ACCEL_HW_OK : ACCEL_HW_BAD_CONTEXT))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Every reserved byte by itself, and fields of other kinds. */
static void
reserved_bytes(struct card *c)
{
	struct accel_hw_context x;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	sym_cbc(&x, false);
	if (!queue_open(&q, c) || !with_byte(&q, &x, AT(reserved), 1))
		return;
	for (unsigned int at = AT(data_unit_len); at < AT(cipher_key); at++) {
		if (!with_byte(&q, &x, at, at % 2 != 0 ? 1 : 0x10))
			return;
	}
	if (with_context(&q, &x, ACCEL_HW_OK))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Bytes after the keys may have any value. */
static void
after_keys(struct card *c)
{
	struct accel_hw_context x;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c))
		return;
	sym_cbc(&x, true);
	memset(x.cipher_key + 16, 0xff, sizeof(x.cipher_key) - 16);
	memset(x.auth_key, 0xff, sizeof(x.auth_key));
	if (!with_context(&q, &x, ACCEL_HW_OK))
		return;
	for (unsigned int i = 0; i < 16; i++) { /* and each byte of the key counts */
		x.cipher_key[i] ^= 0x80;
		if (!with_context(&q, &x, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Contexts with an IV of 25 bytes, and with another one. */
static void
long_ivs(struct card *c)
{
	const struct tree_alg *zuc = tree_alg(&c->tree, ACCEL_HW_CIPHER_ZUC_EEA3);
	struct accel_hw_context x;
	struct queue q;

	SKIP_UNLESS(c, zuc != NULL && tree_sizes(zuc, 32, 25, 0) &&
		    tree_chain(&c->tree, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CIPHER_ZUC_EEA3,
			       ACCEL_HW_AUTH_AES_GMAC),
		    "no ZUC with 256 bits in a chain with GMAC");
	if (!queue_open(&q, c))
		return;
	sym_chain(&x, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_ENCRYPT, 16);
	x.cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3;
	x.cipher_key_len = 32;
	x.iv_len = 25;
	x.auth_alg = ACCEL_HW_AUTH_AES_GMAC;
	x.auth_key_len = 16;
	x.auth_iv_len = 12;
	if (with_context(&q, &x, ACCEL_HW_BAD_CONTEXT))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* VERIFY where the direction decides, and flags that have no effect. */
static void
flags(struct card *c)
{
	struct accel_hw_context x;
	uint8_t mac[32];
	struct request r;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !sym_has(c, ACCEL_HW_AUTH_SHA256_HMAC))
		return;
	if (!queue_open(&q, c))
		return;
	if (tree_alg(&c->tree, ACCEL_HW_AEAD_AES_GCM) != NULL) {
		sym_gcm(&x, true, 16);
		if (!with_byte(&q, &x, AT(flags), 3) || !with_byte(&q, &x, AT(flags), 2))
			return;
	}
	sym_cbc(&x, true);
	x.flags |= ACCEL_HW_CTX_VERIFY;
	if (!with_context(&q, &x, ACCEL_HW_OK))
		return;
	sym_hmac(&x, false, 32);
	x.flags = ACCEL_HW_CTX_ENCRYPT;
	sym_request(&r, &x, sym_store(c, &x));
	r.cmd.auth_len = 64;
	request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 32, 1), 32);
	ref_hmac(x.auth_key, 32, memory_at(&c->memory, r.in[0].iova, 64), 64, mac);
	r.produced = 32;
	r.output = mac;
	if (request_run(&q, &r, ACCEL_HW_OK))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Generation 0, in command and context. */
static void
generation_zero(struct card *c)
{
	struct accel_hw_context x;
	uint8_t out[64];
	struct request r;
	struct queue q;
	uint64_t at;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c))
		return;
	sym_cbc(&x, true);
	at = sym_store(c, &x);
	sym_cbc_request(c, &r, &x, at, out);
	r.cmd.generation = 0;
	if (!request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
		return;
	x.generation = 0;
	memory_write(&c->memory, at, &x, sizeof(x));
	sym_cbc_request(c, &r, &x, at, out);
	if (!request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
		return;
	sym_cbc_request(c, &r, &x, at, out);
	r.cmd.generation = 1;
	if (request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Several contexts at one address, one after the other, and several addresses with one
 * generation. */
static void
found_by_both(struct card *c)
{
	struct accel_hw_context x;
	uint8_t out[64];
	struct request r;
	struct queue q;
	uint64_t at[4];

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c))
		return;
	sym_cbc(&x, true);
	at[0] = sym_store(c, &x);
	for (int i = 0; i < 300; i++) {
		if (i % 3 == 0) {
			x.cipher_key[i % 16] ^= 0x5a;
			sym_store_at(c, &x, at[0]);
		}
		c->memory.part[MEMORY_LOW].used = 65536;
		sym_cbc_request(c, &r, &x, at[0], out);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
		sym_cbc_request(c, &r, &x, at[0], out);
		r.cmd.generation += 1u << (16 + i % 16); /* one that never was */
		if (i % 7 == 0 && !request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
			return;
	}
	for (int i = 0; i < 4; i++) {
		uint32_t generation = x.generation;

		x.cipher_key[0] ^= 1;
		at[i] = memory_get(&c->memory, MEMORY_FAR, sizeof(x), 64);
		sym_store_at(c, &x, at[i]);
		x.generation = generation;
		memory_write(&c->memory, at[i], &x, sizeof(x));
	}
	for (int i = 0; i < 40; i++) {
		memory_read(&c->memory, at[i % 4], &x, sizeof(x));
		sym_cbc_request(c, &r, &x, at[i % 4], out);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "CTX-2", "other values of a cipher's context: BAD_CONTEXT", wrong_values },
	{ "CTX-2", "other values of an authentication's context; digests of each size",
	  wrong_auth_values },
	{ "CTX-3", "each reserved byte, and fields of other kinds: BAD_CONTEXT", reserved_bytes },
	{ "CTX-4", "bytes after a key do not count, those of the key do", after_keys },
	{ "CTX-5", "an IV of 25 bytes with another one: BAD_CONTEXT", long_ivs },
	{ "CTX-6 CTX-7", "VERIFY with an AEAD; flags without effect", flags },
	{ "CMD-3 CACHE-3", "generation 0: BAD_CONTEXT", generation_zero },
	{ "CACHE-1 CACHE-2 CMD-3", "a copy is found by address and generation", found_by_both },
};

const struct test_group tests_context = TEST_GROUP("context", tests);
