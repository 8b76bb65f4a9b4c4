/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The model's cache of contexts (manual 8.4): copies, invalidation, a cache that is too small, and
 * the wiping of keys.
 */
#include "model_base/model_card.h"

static int
setup(void **state)
{
	(void)state;
	card_open_cached(ACCEL_MODEL_ENGINE_NULL, 0);
	return 0;
}

static void
test_context_address_and_generation(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 42);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 64, 0);

	(void)state;
	cmd->context += 8;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
	cmd->context -= 8;
	cmd->generation = 43;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
	cmd->generation = 42;
	expect(cmd, in, 64, out, 64, ACCEL_HW_OK, 64);
	/* A copy in the cache does not serve another generation. */
	cmd->generation = 43;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
	cmd->context = HOST_IOVA + HOST_MEM;
	expect(cmd, in, 64, out, 64, ACCEL_HW_DMA_FAULT, 0);
	cmd->context = HOST_IOVA + HOST_MEM - 256; /* The last 64 bytes are outside. */
	expect(cmd, in, 64, out, 64, ACCEL_HW_DMA_FAULT, 0);
	/* What the command does not decide alone comes behind the context. */
	expect(cmd, in, 63, out, 64, ACCEL_HW_DMA_FAULT, 0);
	expect(cmd, in, 64, out, 63, ACCEL_HW_DMA_FAULT, 0);
	/* Generation 0 is wrong before the context is read, and in a context that has it. */
	cmd->generation = 0;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
	cmd->context = host_iova(&h, ctx);
	ctx->generation = 0;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
	cmd->flags = 0x80;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_COMMAND, 0);
}

static void
test_context_is_read_once(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1);
	uint8_t *in = pattern(64, 1), *out = filled(64, 0xcc);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 64, 0);

	(void)state;
	expect(cmd, in, 64, out, 64, ACCEL_HW_OK, 64);
	memset(ctx, 0xff, sizeof(*ctx));
	expect(cmd, in, 64, out, 64, ACCEL_HW_OK, 64);
	assert_int_equal(stats().ctx_misses, 1);
	assert_int_equal(stats().ctx_hits, 1);
	cmd->generation = UINT32_MAX;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
}

static void
test_invalidation(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1), *other = new_context(&h, 2);
	uint8_t *in = pattern(64, 1), *out = filled(64, 0xcc);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 64, 0);
	struct accel_hw_command *cmd2 = new_sym(&h, other, 2, 64, 0);
	uint64_t a = cmd->context;
	uint32_t word = (uint32_t)((a >> 6) ^ (a >> 16)) & 1023;

	(void)state;
	expect(cmd, in, 64, out, 64, ACCEL_HW_OK, 64);
	expect(cmd2, in, 64, out, 64, ACCEL_HW_OK, 64);
	memset(ctx, 0, sizeof(*ctx)); /* The host wipes a context before it invalidates it. */
	wr32(&h.invalidate[word], 1);
	wait_ms(10); /* The model has this long (manual 8.4). */
	assert_int_equal(stats().ctx_drops, 1);
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
	expect(cmd2, in, 64, out, 64, ACCEL_HW_OK, 64);
	assert_int_equal(stats().ctx_misses, 3); /* There were two fills and one refusal. */
	/* Any change of the word drops the context, whatever the value is. */
	wr32(&h.invalidate[(uint32_t)((cmd2->context >> 6) ^ (cmd2->context >> 16)) & 1023], 77);
	wait_ms(10);
	assert_int_equal(stats().ctx_drops, 2);
	expect(cmd2, in, 64, out, 64, ACCEL_HW_OK, 64); /* The context is read again. */
}

static void
test_invalidation_before_start(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1);
	uint8_t *in = pattern(64, 1), *out = filled(64, 0xcc);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 64, 0);
	uint64_t a = cmd->context;

	(void)state;
	expect(cmd, in, 64, out, 64, ACCEL_HW_OK, 64);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	memset(ctx, 0, sizeof(*ctx));
	wr32(&h.invalidate[(uint32_t)((a >> 6) ^ (a >> 16)) & 1023], 1);
	q_start(q, 64, 64, 64);
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
}

/* A card with DROP_ALL drops all copies when it changes, and does not look at the words. */
static void
test_drop_all(void **state)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_OPENSSL,
		.profile = ACCEL_MODEL_DROP_ALL,
	};
	struct accel_hw_context *ctx, *other;
	struct accel_hw_command *cmd, *cmd2;
	uint8_t *in, *out;

	(void)state;
	host_close(&h);
	card_open(&config, 64, 64);
	ctx = new_context(&h, 1);
	other = new_context(&h, 2);
	in = pattern(64, 1);
	out = filled(64, 0xcc);
	cmd = new_sym(&h, ctx, 1, 64, 0);
	cmd2 = new_sym(&h, other, 2, 64, 0);
	expect(cmd, in, 64, out, 64, ACCEL_HW_OK, 64);
	expect(cmd2, in, 64, out, 64, ACCEL_HW_OK, 64);
	for (unsigned int i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i++)
		wr32(&h.invalidate[i], i + 1);
	wait_ms(10);
	assert_int_equal(stats().ctx_drops, 0);
	memset(ctx, 0, sizeof(*ctx));
	wr32(&h.control->drop_all, 1);
	wait_ms(10);
	assert_int_equal(stats().ctx_drops, 2);
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
	expect(cmd2, in, 64, out, 64, ACCEL_HW_OK, 64);
	/* The change is seen before START, too, and a reset takes the value as seen. */
	memset(other, 0, sizeof(*other));
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	wr32(&h.control->drop_all, 2);
	q_start(q, 64, 64, 64);
	expect(cmd2, in, 64, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
	other = new_context(&h, 3);
	cmd2 = new_sym(&h, other, 3, 64, 0);
	wr32(&h.control->drop_all, 3);
	host_reset(&h);
	q_start(q, 64, 64, 64);
	expect(cmd2, in, 64, out, 64, ACCEL_HW_OK, 64);
	memset(other, 0, sizeof(*other));
	wait_ms(10);
	expect(cmd2, in, 64, out, 64, ACCEL_HW_OK, 64);
}

/* There are more contexts than the cache holds. All work in any order and within one burst. */
static void
test_small_cache(void **state)
{
	struct accel_hw_context *ctx[12];
	uint8_t *in = pattern(64, 1), *out = filled(64, 0xcc);

	(void)state;
	teardown(state);
	card_open_cached(ACCEL_MODEL_ENGINE_AUTO, 2);
	in = pattern(64, 1);
	out = filled(64 * 12, 0xcc);
	for (uint32_t i = 0; i < 12; i++)
		ctx[i] = new_context(&h, i + 1);
	for (uint32_t round = 0; round < 20; round++) {
		for (uint32_t i = 0; i < 12; i++)
			q_post(q, new_sym(&h, ctx[(i * (round | 1)) % 12], i, 64, 0), in, 64,
			       out + 64 * i, 64);
		q_ring(q);
		for (uint32_t i = 0; i < 12; i++)
			expect_response(q, i, ACCEL_HW_OK, 64);
	}
}

#ifndef ACCEL_SANITIZED /* The search would cover terabytes of shadow memory. */
/*
 * Keys leave no traces in the process (manual 8.4). All writable memory is searched for a key. The
 * first round key of AES is the key itself, so an expanded copy is found, too.
 */

#define KEY_MASK 0x5a /* The test holds the key only in this form. */

static void
disguised_key(uint8_t *key)
{
	for (int i = 0; i < 16; i++)
		key[i] = (uint8_t)(0xb1 + 29 * i) ^ KEY_MASK;
}

static unsigned int
count_in(const uint8_t *mem, size_t len, const uint8_t *disguised)
{
	unsigned int found = 0;

	for (size_t i = 0; i + 16 <= len; i++) {
		int b = 0;

		while (b < 16 && (mem[i + (size_t)b] ^ KEY_MASK) == disguised[b])
			b++;
		found += b == 16;
	}
	return found;
}

static unsigned int
count_keys(const uint8_t *disguised)
{
	const size_t chunk = 1 << 20, guard = 4096;
	uint8_t *area = mmap(NULL, chunk + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0);
	uint8_t *buf = area + guard;
	FILE *maps = fopen("/proc/self/maps", "r"), *mem = fopen("/proc/self/mem", "r");
	unsigned long first, end;
	unsigned int found = 0;
	char line[512], rights[8];

	/* Without guards the kernel may merge the buffer and memory to search into one mapping. */
	assert_true(area != MAP_FAILED && maps != NULL && mem != NULL);
	assert_int_equal(mprotect(buf, chunk, PROT_READ | PROT_WRITE), 0);
	setvbuf(mem, NULL, _IONBF, 0);
	while (fgets(line, sizeof(line), maps) != NULL) {
		if (sscanf(line, "%lx-%lx %7s", &first, &end, rights) != 3 ||
		    strncmp(rights, "rw", 2) != 0 || strstr(line, "[stack]") != NULL)
			continue;
		for (unsigned long at = first; at < end; at += chunk - 16) {
			size_t want = end - at < chunk ? end - at : chunk;

			if (at == (unsigned long)(uintptr_t)buf)
				break;
			fseek(mem, (long)at, SEEK_SET);
			found += count_in(buf, fread(buf, 1, want, mem), disguised);
		}
	}
	fclose(mem);
	fclose(maps);
	munmap(area, chunk + 2 * guard);
	return found;
}

/* Returns the invalidation word of a context (manual 8.4). */
static uint32_t *
word_of(uint64_t context)
{
	return &h.invalidate[((context >> 6) ^ (context >> 16)) & 1023];
}

static void
check_wiped(enum accel_model_engine engine, int how)
{
	struct accel_hw_context *ctx;
	struct accel_hw_command *cmd;
	uint8_t *in, key[16];

	card_open_cached(engine, 1);
	disguised_key(key);
	assert_int_equal(count_keys(key), 0);
	ctx = new_context(&h, 1);
	for (int i = 0; i < 16; i++)
		ctx->cipher_key[i] = key[i] ^ KEY_MASK;
	in = pattern(64, 1);
	cmd = new_sym(&h, ctx, 1, 64, 0);
	expect(cmd, in, 64, in, 64, ACCEL_HW_OK, 64);
	assert_true(count_keys(key) >= 2); /* The key is in the context and in the cache. */
	memset(ctx, 0, sizeof(*ctx));
	if (how == 0) {
		wr32(word_of(cmd->context), 1);
		wait_ms(10);
	} else if (how == 1) {
		host_reset(&h);
	} else {
		ctx = new_context(&h, 2); /* This needs the only place of the cache. */
		expect(new_sym(&h, ctx, 2, 64, 0), in, 64, in, 64, ACCEL_HW_OK, 64);
	}
	assert_int_equal(count_keys(key), 0);
	host_close(&h);
}

static void
test_keys_are_wiped(void **state)
{
	(void)state;
	for (int how = 0; how < 3; how++) {
		check_wiped(ACCEL_MODEL_ENGINE_OPENSSL, how);
		check_wiped(ACCEL_MODEL_ENGINE_AUTO, how);
	}
}

/* Posts an operation on a long message: twice the same memory. */
static void
post_long(const struct accel_hw_command *cmd, const uint8_t *in, uint32_t half, uint8_t *out,
	  uint32_t made)
{
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), half, NEXT);
	tx_frag(q, host_iova(&h, in), half, 0);
	if (made > half)
		rx_frag(q, host_iova(&h, out), half, NEXT);
	rx_frag(q, host_iova(&h, out) + (made > half ? half : 0),
		made > half ? made - half : made, 0);
}

/* An engine may encrypt long messages of AES-CMAC as AES-CBC does, and keep the ciphertext for a
 * while. An operation of AES-CBC says what the block before the last one of its last part is. */
static void
test_macs_are_wiped(void **state)
{
	const uint32_t half = 65520;
	struct accel_hw_context *cbc, *mac;
	uint8_t *in, *out, block[16];

	(void)state;
	card_open_cached(ACCEL_MODEL_ENGINE_AUTO, 0);
	cbc = new_context(&h, 1);
	mac = new_context(&h, 2);
	mac->kind = ACCEL_HW_KIND_AUTH;
	mac->auth_alg = ACCEL_HW_AUTH_AES_CMAC;
	mac->auth_key_len = mac->digest_len = 16;
	memcpy(mac->auth_key, mac->cipher_key, 16);
	mac->cipher_alg = mac->iv_len = 0;
	mac->cipher_key_len = 0;
	memset(mac->cipher_key, 0, sizeof(mac->cipher_key));
	in = pattern(half, 1);
	out = filled(2 * half, 0);
	post_long(new_sym(&h, cbc, 1, 2 * half, 0), in, half, out, 2 * half);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 2 * half);
	for (unsigned int i = 0; i < 16; i++)
		block[i] = out[2 * half - 48 + i] ^ KEY_MASK;
	memset(out, 0, 2 * half);
	for (uint32_t tag = 2; tag < 4; tag++)
		post_long(new_sym(&h, mac, tag, 0, 2 * half), in, half, out, 16);
	q_ring(q);
	for (uint32_t tag = 2; tag < 4; tag++)
		expect_response(q, tag, ACCEL_HW_OK, 16);
	host_reset(&h);
	assert_int_equal(count_keys(block), 0);
	host_close(&h);
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_context_address_and_generation),
		TEST(test_context_is_read_once),
		TEST(test_invalidation),
		TEST(test_invalidation_before_start),
		TEST(test_drop_all),
		TEST(test_small_cache),
#ifndef ACCEL_SANITIZED
		cmocka_unit_test(test_keys_are_wiped),
		cmocka_unit_test(test_macs_are_wiped),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
