/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Virtual functions of the model are apart (manual 8.3 and 9.2): what one of them posts, forges or
 * leaves behind reaches neither the memory nor the keys of another. A "neighbour" has secrets at
 * the same IOVAs, or where the attacker has nothing.
 */
#include "model_base/model_cbc.h"
#include "model_base/model_vfs.h"

/* Beside the memory of every host; only one function has memory there. */
#define OWN_IOVA (HOST_IOVA + HOST_MEM)
#define OWN_BYTES 65536u

static struct host a, b; /* attacker and neighbour */
static uint8_t *own; /* memory of the neighbour alone */

static int
setup(void **state)
{
	const struct accel_model_config config = {
		.nb_functions = 3,
		.nb_queue_pairs = 2,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_OPENSSL,
	};

	(void)state;
	vfs_open(&config);
	host_attach(&a, h.model, 1);
	host_attach(&b, h.model, 2);
	own = mmap(NULL, OWN_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(own != MAP_FAILED);
	assert_int_equal(accel_function_dma_map(b.fn, OWN_IOVA, own, OWN_BYTES,
						ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE),
			 0);
	host_reset(&a);
	host_reset(&b);
	q_start(&a.q[0], 64, 64, 64);
	q_start(&b.q[0], 64, 64, 64);
	return 0;
}

static int
teardown_both(void **state)
{
	host_detach(&a);
	host_detach(&b);
	munmap(own, OWN_BYTES);
	return teardown(state);
}

/* A command of AES-CBC with the IV of the known answer. */
static struct accel_hw_command *
cbc_command(struct host *host, uint64_t context, uint32_t generation, uint32_t tag)
{
	struct accel_hw_command *cmd = new_command(host, ACCEL_HW_OP_SYM, tag);

	cmd->context = context;
	cmd->generation = generation;
	cmd->cipher_len = sizeof(cbc_plain);
	for (unsigned int i = 0; i < 16; i++)
		cmd->iv[i] = (uint8_t)i;
	return cmd;
}

/* Encrypts the plaintext of the known answer with a context at any IOVA. Returns the output. */
static const uint8_t *
encrypt(struct host *host, uint64_t context, uint32_t generation, uint16_t want)
{
	struct accel_hw_command *cmd = cbc_command(host, context, generation, 1);
	uint8_t *in = memcpy(host_alloc(host, 32, 64), cbc_plain, 32);
	uint8_t *out = memset(host_alloc(host, 32, 64), 0xcc, 32);

	q_post(&host->q[0], cmd, in, 32, out, 32);
	q_ring(&host->q[0]);
	expect_response(&host->q[0], 1, want, want == ACCEL_HW_OK ? 32 : 0);
	if (want != ACCEL_HW_OK)
		assert_true(is_all(out, 0xcc, 32));
	return out;
}

static void
set_key(struct accel_hw_context *ctx, const uint8_t *key)
{
	memcpy(ctx->cipher_key, key, 16);
}

/* The address of a context at which only the neighbour has memory is a DMA fault, and the same for
 * commands, input, output and descriptors' addresses. */
static void
test_foreign_addresses(void **state)
{
	struct accel_hw_context *secret = (void *)own;
	struct accel_hw_command *cmd;
	uint8_t *mem = host_alloc(&a, 64, 64), before[OWN_BYTES / 16];

	(void)state;
	memcpy(secret, new_context(&b, 3), sizeof(*secret));
	set_key(secret, cbc_key);
	memset(own + 4096, 0x5a, OWN_BYTES - 4096);
	memcpy(before, own + 4096, sizeof(before));
	/* The neighbour's own use puts it into the cache first. */
	assert_memory_equal(encrypt(&b, OWN_IOVA, 3, ACCEL_HW_OK), cbc_cipher, 32);
	encrypt(&a, OWN_IOVA, 3, ACCEL_HW_DMA_FAULT);
	for (unsigned int out = 0; out < 2; out++) {
		cmd = new_command(&a, ACCEL_HW_OP_LOOPBACK, 2);
		cmd->cipher_len = 64;
		tx_frag(&a.q[0], host_iova(&a, cmd), 64, COMMAND | NEXT);
		tx_frag(&a.q[0], out ? host_iova(&a, mem) : OWN_IOVA + 4096, 64, 0);
		rx_frag(&a.q[0], out ? OWN_IOVA + 4096 : host_iova(&a, mem), 64, 0);
		q_ring(&a.q[0]);
		expect_response(&a.q[0], 2, ACCEL_HW_DMA_FAULT, 0);
	}
	assert_true(is_all(mem, 0, 64));
	/* A command there ends the queue pair, and the neighbour goes on. */
	tx_frag(&a.q[0], OWN_IOVA + 8192, 64, COMMAND);
	q_ring(&a.q[0]);
	host_until(&a, (rd32(&a.q[0].dev->status) & 0xff) == 3);
	assert_memory_equal(own + 4096, before, sizeof(before));
	assert_memory_equal(encrypt(&b, OWN_IOVA, 3, ACCEL_HW_OK), cbc_cipher, 32);
}

/* Rings and lines at such addresses end the queue pair. */
static void
test_foreign_rings(void **state)
{
	struct accel_hw_command *cmd = new_command(&a, ACCEL_HW_OP_LOOPBACK, 1);
	uint8_t *mem = host_alloc(&a, 64, 64);
	struct hostq *to = &a.q[1];

	(void)state;
	cmd->cipher_len = 64;
	memset(own, 0x5a, OWN_BYTES);
	for (unsigned int ring = 0; ring < 4; ring++) {
		q_setup(to, 64, 64, 64);
		if (ring == 0)
			wr64(&to->regs->wb_base, OWN_IOVA);
		if (ring == 1)
			wr64(&to->regs->rsp_base, OWN_IOVA);
		if (ring == 2)
			wr64(&to->regs->tx_base, OWN_IOVA);
		if (ring == 3)
			wr64(&to->regs->rx_base, OWN_IOVA);
		q_command(to, ACCEL_HW_QP_CMD_START);
		q_post(to, cmd, mem, 64, mem, 64);
		q_ring(to);
		host_until(&a, (rd32(&to->dev->status) & 0xff) == 3);
		q_command(to, ACCEL_HW_QP_CMD_STOP_DISCARD);
	}
	assert_true(is_all(own, 0x5a, OWN_BYTES));
	encrypt(&b, host_iova(&b, new_context(&b, 1)), 1, ACCEL_HW_OK);
}

/* The same IOVA and generation in both functions: each has its own key, whoever comes first, also
 * when both are in the engines at the same time. */
static void
test_same_address(void **state)
{
	struct accel_hw_context *mine = new_context(&a, 9), *theirs = new_context(&b, 9);
	const uint64_t at = host_iova(&a, mine);
	const uint8_t *out;
	uint8_t *in[2], *to[2];

	(void)state;
	assert_true(at == host_iova(&b, theirs));
	set_key(theirs, cbc_key);
	for (unsigned int i = 0; i < 3; i++) {
		assert_memory_equal(encrypt(&b, at, 9, ACCEL_HW_OK), cbc_cipher, 32);
		out = encrypt(&a, at, 9, ACCEL_HW_OK);
		assert_memory_not_equal(out, cbc_cipher, 32);
		if (i == 1)
			host_reset(&a);
		if (i == 1)
			q_start(&a.q[0], 64, 64, 64);
	}
	for (unsigned int i = 0; i < 2; i++) {
		struct host *host = i == 0 ? &a : &b;

		in[i] = memcpy(host_alloc(host, 32, 64), cbc_plain, 32);
		to[i] = host_alloc(host, 32, 64);
		q_post(&host->q[0], cbc_command(host, at, 9, 5), in[i], 32, to[i], 32);
		q_ring(&host->q[0]);
	}
	expect_response(&a.q[0], 5, ACCEL_HW_OK, 32);
	expect_response(&b.q[0], 5, ACCEL_HW_OK, 32);
	assert_memory_equal(to[0], out, 32);
	assert_memory_equal(to[1], cbc_cipher, 32);
}

/* A guest that invalidates and floods the cache does not touch what others have there. */
static void
test_invalidation(void **state)
{
	struct accel_hw_context *theirs = new_context(&b, 4);
	const uint64_t at = host_iova(&b, theirs);
	struct accel_model_stats before, after;

	(void)state;
	set_key(theirs, cbc_key);
	assert_memory_equal(encrypt(&b, at, 4, ACCEL_HW_OK), cbc_cipher, 32);
	for (uint32_t i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i++)
		wr32(&a.invalidate[i], i + 1);
	for (uint64_t beat = rd64(&b.id->heartbeat); rd64(&b.id->heartbeat) < beat + 5;)
		host_poll(&h);
	host_reset(&a);
	accel_function_flr(a.fn);
	accel_function_set_present(a.fn, false);
	before = stats();
	assert_memory_equal(encrypt(&b, at, 4, ACCEL_HW_OK), cbc_cipher, 32);
	after = stats();
	assert_int_equal(after.ctx_misses, before.ctx_misses);
	assert_int_equal(after.ctx_hits, before.ctx_hits + 1);
}

enum end { END_RESET, END_FLR, END_RENEW, END_ABSENT, END_NB };

/* Ends the life of a function's owner. */
static void
end_life(struct host *host, enum end how)
{
	if (how == END_RESET)
		host_reset(host);
	else if (how == END_FLR)
		accel_function_flr(host->fn);
	else if (how == END_RENEW)
		assert_int_equal(accel_function_renew(host->fn), 0);
	else
		accel_function_set_present(host->fn, false);
	accel_function_set_present(host->fn, true);
}

/* The next owner has another key at the same address with the same generation. */
static void
test_keys_are_gone(void **state)
{
	struct accel_hw_context *ctx = new_context(&a, 6);
	const uint64_t at = host_iova(&a, ctx);

	(void)state;
	for (enum end how = 0; how < END_NB; how++) {
		set_key(ctx, cbc_key);
		if (how > 0)
			q_start(&a.q[0], 64, 64, 64);
		assert_memory_equal(encrypt(&a, at, 6, ACCEL_HW_OK), cbc_cipher, 32);
		end_life(&a, how);
		memset(ctx->cipher_key, 0x11, 16);
		q_start(&a.q[0], 64, 64, 64);
		assert_memory_not_equal(encrypt(&a, at, 6, ACCEL_HW_OK), cbc_cipher, 32);
		host_reset(&a);
	}
}

/* Memory that the next owner has at the same IOVA is another one: translations of before are not
 * used, and nothing is accessed while the function is absent. */
static void
test_translations_are_gone(void **state)
{
	struct accel_hw_context *ctx = new_context(&a, 2);
	uint8_t *before = a.mem, *copy = malloc(HOST_MEM);

	(void)state;
	set_key(ctx, cbc_key);
	encrypt(&a, host_iova(&a, ctx), 2, ACCEL_HW_OK);
	for (uint32_t i = 0; i < 40; i++) {
		uint8_t *mem = host_alloc(&a, 32, 64);

		q_post(&a.q[0], cbc_command(&a, host_iova(&a, ctx), 2, i), mem, 32, mem, 32);
		if (i < 30)
			q_ring(&a.q[0]);
	}
	q_ring(&a.q[0]);
	accel_function_set_present(a.fn, false);
	memcpy(copy, before, HOST_MEM);
	q_ring(&a.q[0]);
	for (uint64_t beat = rd64(&b.id->heartbeat); rd64(&b.id->heartbeat) < beat + 5;)
		host_poll(&h);
	assert_memory_equal(copy, before, HOST_MEM);
	accel_function_dma_unmap_all(a.fn);
	a.mem = mmap(NULL, HOST_MEM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(a.mem != MAP_FAILED);
	assert_int_equal(accel_function_dma_map(a.fn, HOST_IOVA, a.mem, HOST_MEM,
						ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE), 0);
	a.used = 0;
	memset(a.q, 0, sizeof(a.q));
	host_find_pages(&a);
	accel_function_set_present(a.fn, true);
	host_find_pages(&a);
	ctx = new_context(&a, 2);
	set_key(ctx, cbc_key);
	q_start(&a.q[0], 64, 64, 64);
	assert_memory_equal(encrypt(&a, host_iova(&a, ctx), 2, ACCEL_HW_OK), cbc_cipher, 32);
	assert_memory_equal(copy, before, HOST_MEM); /* The first owner's memory stays as it was. */
	munmap(before, HOST_MEM);
	free(copy);
}

/* Functions have files of their own for BAR0: a doorbell page of one reaches no other. */
static void
test_bars(void **state)
{
	uint8_t *copy;
	size_t size;
	int fd_a, fd_b;

	(void)state;
	accel_function_bar0(a.fn, &size, &fd_a);
	accel_function_bar0(b.fn, NULL, &fd_b);
	assert_int_not_equal(fd_a, fd_b);
	copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_a, 0);
	assert_true(copy != MAP_FAILED);
	encrypt(&b, host_iova(&b, new_context(&b, 1)), 1, ACCEL_HW_OK);
	memset(copy, 0xff, size); /* All of it: doorbells, commands, the mailbox, the tree. */
	for (unsigned int i = 0; i < 5; i++) {
		encrypt(&b, host_iova(&b, new_context(&b, 2 + i)), 2 + i, ACCEL_HW_OK);
		polls(20);
	}
	assert_int_equal(rd32(&b.q[0].dev->status), 1);
	assert_int_equal(rd32(&b.id->state), ACCEL_HW_STATE_READY);
	accel_function_flr(a.fn);
	munmap(copy, size);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown_both)
		TEST(test_foreign_addresses),
		TEST(test_foreign_rings),
		TEST(test_same_address),
		TEST(test_invalidation),
		TEST(test_keys_are_gone),
		TEST(test_translations_are_gone),
		TEST(test_bars),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
