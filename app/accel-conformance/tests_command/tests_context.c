/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests contexts, and the copies that the device keeps of them (manual 8.1, 8.3).
 */
#include <string.h>

#include "reference/known.h"
#include "reference/sym.h"
#include "tests_command.h"

/* Run an operation of 64 bytes with a context. If the status is OK, the output has to be the
 * reference's. */
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

/* Run an operation with a context in which one byte is changed and the rest is good. */
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
	sym_cbc(&c->tree, &x, true);
	if (!queue_open(&q, c) || !with_context(&q, &x, ACCEL_HW_OK))
		return;
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (!with_byte(&q, &x, wrong[i].at, wrong[i].value))
			return;
	}
	if (with_context(&q, &x, ACCEL_HW_OK))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Use wrong values of authentication, and digests from 1 byte to the whole. */
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
	sym_hmac(&c->tree, &x, false, 32);
	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (!with_byte(&q, &x, wrong[i].at, wrong[i].value))
			return;
	}
	for (x.digest_len = 1; x.digest_len <= 32; x.digest_len++) {
		bool has = tree_sizes(tree_alg(&c->tree, x.auth_alg), x.auth_key_len, 0,
				      x.digest_len);

		if (!with_context(&q, &x, has ? ACCEL_HW_OK : ACCEL_HW_BAD_CONTEXT))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Change every reserved byte alone, and fields of other kinds. */
static void
reserved_bytes(struct card *c)
{
	struct accel_hw_context x;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	sym_cbc(&c->tree, &x, false);
	if (!queue_open(&q, c) || !with_byte(&q, &x, AT(reserved), 1))
		return;
	for (unsigned int at = AT(data_unit_len); at < AT(cipher_key); at++) {
		if (!with_byte(&q, &x, at, at % 2 != 0 ? 1 : 0x10))
			return;
	}
	if (with_context(&q, &x, ACCEL_HW_OK))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that bytes after the keys may have any value. */
static void
after_keys(struct card *c)
{
	struct accel_hw_context x;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c))
		return;
	sym_cbc(&c->tree, &x, true);
	memset(x.cipher_key + x.cipher_key_len, 0xff, sizeof(x.cipher_key) - x.cipher_key_len);
	memset(x.auth_key, 0xff, sizeof(x.auth_key));
	if (!with_context(&q, &x, ACCEL_HW_OK))
		return;
	for (unsigned int i = 0; i < x.cipher_key_len; i++) { /* each byte of the key counts */
		x.cipher_key[i] ^= 0x80;
		if (!with_context(&q, &x, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Use contexts with an IV of 25 bytes and another IV. One is of a kind that has one algorithm. The
 * other is a chain on a card without auth-iv-in-stream. */
static void
long_ivs(struct card *c)
{
	const struct tree_alg *zuc = tree_alg(&c->tree, ACCEL_HW_CIPHER_ZUC_EEA3);
	struct accel_hw_context x;
	struct queue q;

	SKIP_UNLESS(c, zuc != NULL && tree_sizes(zuc, 32, 25, 0), "no ZUC with 256 bits");
	if (!queue_open(&q, c))
		return;
	sym_cbc(&c->tree, &x, true);
	x.cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3;
	x.cipher_key_len = 32;
	x.iv_len = 25;
	x.auth_iv_len = 12;
	if (!with_context(&q, &x, ACCEL_HW_BAD_CONTEXT))
		return;
	sym_chain(&c->tree, &x, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_ENCRYPT, 16);
	x.cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3;
	x.cipher_key_len = 32;
	x.iv_len = 25;
	x.auth_alg = ACCEL_HW_AUTH_AES_GMAC;
	x.digest_len = 16;
	x.auth_key_len = 16;
	x.auth_iv_len = 12;
	if (c->tree.iv_in_stream ||
	    !tree_chain(&c->tree, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CIPHER_ZUC_EEA3,
			ACCEL_HW_AUTH_AES_GMAC) ||
	    with_context(&q, &x, ACCEL_HW_BAD_CONTEXT))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Has chains of ZUC-256 with ZUC-256, from DPDK (app/test, test_cryptodev_zuc_test_vectors.h). The
 * digest of the second chain is ciphered. */
static const struct long_chain {
	uint8_t kind, flags;
	uint16_t auth_len;
	const char *key, *iv, *auth_iv, *in, *out;
} long_chains[] = {
	{ .kind = ACCEL_HW_KIND_CIPHER_THEN_AUTH,
	  .auth_len = 128,
	  .key = "f7b4045a815c1b0182f9f42680d45626d5f74b68486b926a341f8666600afc57",
	  .iv = "8e5dbc3fb9ae66a3b95c1214dbc5bc184812090625332e1212",
	  .auth_iv = "f58d08269414c74df57c9caa4553fd85230b000e262b0f0126",
	  .in = "36db6368b51f4e92461fdedbc2ecfa7e498577aa4698302d3bc411249820a9cefb0d36b0"
		"2c854272a4214e660d48e457ce5b0114f331422ef553528d73fc5c6e09921e351760a8bb"
		"81f6218f3e05e60c60e721531863810db6d49a29d0f697d989b50ea015b65c97ac7d26eb"
		"830cf7e3f318370b7bb818318cb25a5ca9f13532",
	  .out = "a6e571585ccf5d0d59b551abf5fa31f98d4ff03c7d618d7a6bcb2c79ca99066fff5d125f"
		 "0e7a336b51bc5853ffbd85c9ac5f33c2a2f1177ad93f81822f0ab0afb9193bfacda40681"
		 "2a7abf2c07dec1a48c158581a6d3731c290bee3c57fa82ad6fe0a1548da49229f4fa6d01"
		 "e36cb9768053bb27b818476caeb54460439da73f9586e446" },
	{ .kind = ACCEL_HW_KIND_AUTH_THEN_CIPHER,
	  .flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM,
	  .auth_len = 96,
	  .key = "6a7e4c7e5125b34884533a94fb319990325744ee9bbce9e525cf08f5e9e25e53",
	  .iv = "98cc899faf6d64b6b1e82172eeb6cce3cf322821210d1e1c34",
	  .auth_iv = "60aad2b2d085fa54d835e8d466826498d92a081d351917011a",
	  .in = "14a8ef693d678507bbe7270a7f67ff5006c3525b9807e467c4e56000ba338f5d42955903"
		"6751822246c80d3b38f07f4be2d8ff5805f5132229bde93bbbdcaf382bf1ee972fbf9977"
		"bada8945847a2a6c9ad34a667554e04d1f7fa2c33241bd8f01ba220d",
	  .out = "524e507a90376566d54604682a42d1e9739fe9538c0e720505a9db8c2a18fd73b92c4548"
		 "a454f762b98b42620ba8e779673c96b64b236613c974713e230d4b0878369eac82dfdee9"
		 "f4d6622844866cead05934836728dec889fe219b87888dab51050f5c" },
};

/* Run a chain with its IV before the source. @param missing bytes of the input to leave out. */
static bool
run_long_chain(struct queue *q, const struct long_chain *l, uint32_t missing)
{
	struct card *c = q->card;
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, 256, 1);
	struct accel_hw_context x;
	uint8_t in[256], out[256];
	struct request r;
	uint32_t len;

	sym_chain(&c->tree, &x, l->kind, ACCEL_HW_CTX_ENCRYPT, 4);
	x.cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3;
	x.auth_alg = ACCEL_HW_AUTH_ZUC_EIA3;
	x.digest_len = 4;
	x.cipher_key_len = (uint16_t)known_bytes(l->key, x.cipher_key, sizeof(x.cipher_key));
	x.auth_key_len = (uint16_t)known_bytes(l->key, x.auth_key, sizeof(x.auth_key));
	sym_request(&r, &x, 0);
	x.iv_len = (uint8_t)known_bytes(l->iv, r.cmd.iv, 2 * sizeof(r.cmd.iv));
	x.auth_iv_len = (uint8_t)known_bytes(l->auth_iv, in, sizeof(in));
	r.cmd.context = sym_store(c, &x);
	r.cmd.generation = x.generation;
	len = known_bytes(l->in, in + x.auth_iv_len, sizeof(in) - x.auth_iv_len);
	memory_write(&c->memory, from, in, x.auth_iv_len + len);
	request_in(&r, from, x.auth_iv_len + len - missing);
	r.cmd.flags = l->flags;
	r.cmd.cipher_len = len;
	r.cmd.auth_len = l->auth_len;
	r.produced = known_bytes(l->out, out, sizeof(out));
	r.output = out;
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 256, 1), r.produced);
	return request_run(q, &r, missing == 0 ? ACCEL_HW_OK : ACCEL_HW_BAD_LENGTH);
}

/* Test chains whose IV of authentication lies before the source. */
static void
iv_in_stream(struct card *c)
{
	const struct tree_alg *cipher = tree_alg(&c->tree, ACCEL_HW_CIPHER_ZUC_EEA3);
	const struct tree_alg *auth = tree_alg(&c->tree, ACCEL_HW_AUTH_ZUC_EIA3);
	struct queue q;

	SKIP_UNLESS(c, c->tree.iv_in_stream, "no auth-iv-in-stream");
	SKIP_UNLESS(c, cipher != NULL && auth != NULL && tree_sizes(cipher, 32, 25, 0) &&
		    tree_sizes(auth, 32, 25, 4), "no ZUC with 256 bits");
	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < sizeof(long_chains) / sizeof(long_chains[0]); i++) {
		const struct long_chain *l = &long_chains[i];

		if (!tree_chain(&c->tree, l->kind, ACCEL_HW_CIPHER_ZUC_EEA3,
				ACCEL_HW_AUTH_ZUC_EIA3) || (l->flags != 0 && !c->tree.in_stream))
			continue;
		result_note(&c->result, "chain %u", i);
		if (!run_long_chain(&q, l, 0) || !run_long_chain(&q, l, 1) ||
		    !run_long_chain(&q, l, 25))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Set VERIFY where the direction decides, and flags that have no effect. */
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
		sym_gcm(&c->tree, &x, true, 16);
		if (!with_byte(&q, &x, AT(flags), 3) || !with_byte(&q, &x, AT(flags), 2))
			return;
	}
	sym_cbc(&c->tree, &x, true);
	x.flags |= ACCEL_HW_CTX_VERIFY;
	if (!with_context(&q, &x, ACCEL_HW_OK))
		return;
	sym_hmac(&c->tree, &x, false, 32);
	x.flags = ACCEL_HW_CTX_ENCRYPT;
	sym_request(&r, &x, sym_store(c, &x));
	r.cmd.auth_len = 64;
	request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 32, 1), 32);
	ref_hmac(x.auth_key, x.auth_key_len, memory_at(&c->memory, r.in[0].iova, 64), 64, mac);
	r.produced = x.digest_len;
	r.output = mac;
	if (request_run(&q, &r, ACCEL_HW_OK))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Use generation 0 in command and context. */
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
	sym_cbc(&c->tree, &x, true);
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

/* Use several contexts at one address, one after the other, and several addresses with one
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
	sym_cbc(&c->tree, &x, true);
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
		r.cmd.generation += 1u << (16 + i % 16); /* no context ever had this generation */
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
	{ "CTX-8", "an IV of 25 bytes with another one: that of authentication before the source",
	  iv_in_stream },
	{ "CTX-6 CTX-7", "VERIFY with an AEAD; flags without effect", flags },
	{ "CMD-3 CACHE-3", "generation 0: BAD_CONTEXT", generation_zero },
	{ "CACHE-1 CACHE-2 CMD-3", "a copy is found by address and generation", found_by_both },
};

const struct test_group tests_context = TEST_GROUP("context", tests);
