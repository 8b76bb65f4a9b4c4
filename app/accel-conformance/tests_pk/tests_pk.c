/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests public-key queue pairs, contexts and commands, mostly with MODEXP, and random numbers
 * (manual 8.8). tests_pk_alg.c has the tests of the algorithms.
 */
#include <string.h>

#include "reference/pk.h"
#include "reference/sym.h"
#include "tests_pk.h"

#define SLOW 8u /* requests of a burst that takes a while */
#define SLOW_LEN 512u
#define SLOWER_LEN 1024u

static void
tree(struct card *c)
{
	const struct tree *t = &c->tree;

	SKIP_UNLESS(c, t->pk || t->nb_pk_qps > 0, "no public-key engines");
	CHECK(c, t->pk && t->nb_pk_qps == (t->nb_qps > 0 ? t->nb_qps + 1 : 0),
	      "%u public-key queue pairs beside %u others", t->nb_pk_qps, t->nb_qps);
	CHECK(c, t->key_size_max >= ACCEL_HW_MIN_MAX_KEY_SIZE || t->nb_pk_algs == 0,
	      "key-size-max is %u", t->key_size_max);
	CHECK(c, t->operand_size_max >= ACCEL_HW_MIN_MAX_OPERAND_SIZE || t->nb_pk_algs == 0,
	      "operand-size-max is %u", t->operand_size_max);
	for (unsigned int i = 0; i < t->nb_pk_algs; i++) {
		const struct tree_pk *a = &t->pk_alg[i];

		CHECK(c, a->id >= ACCEL_HW_PK_RSA && a->id <= ACCEL_HW_PK_ML_DSA, "alg-id %u",
		      a->id);
		CHECK(c, tree_pk(t, a->id) == a, "algorithm %u is listed twice", a->id);
		CHECK(c, a->operations != 0 && (a->operations & ~0x1eu) == 0,
		      "operations %#x of algorithm %u", a->operations, a->id);
		CHECK(c, a->bits_min <= a->bits_max, "modulus-bits of algorithm %u", a->id);
	}
}

/* Test each public-key queue pair, and the opcodes that it must refuse. */
static void
opcodes(struct card *c)
{
	struct accel_hw_context x;
	struct queue q;
	struct request r;

	SKIP_UNLESS(c, c->tree.nb_pk_qps > 0, "no public-key queue pairs");
	for (unsigned int i = 0; i < c->tree.nb_pk_qps; i++) {
		queue_init_pk(&q, c, i);
		if (!queue_start(&q) || !request_works(&q))
			return;
		queue_put_nop(&q);
		queue_doorbell(&q);
		if (!queue_nops_done(&q, 1))
			return;
		sym_cbc(&c->tree, &x, true);
		sym_request(&r, &x, sym_store(c, &x));
		r.cmd.cipher_len = 64;
		request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		if (!request_run(&q, &r, ACCEL_HW_BAD_COMMAND) ||
		    !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
	for (uint8_t opcode = ACCEL_HW_OP_PK; opcode <= ACCEL_HW_OP_RANDOM; opcode++) {
		struct pk k;

		if (!queue_open(&q, c))
			return;
		if (opcode == ACCEL_HW_OP_PK) {
			pk_modexp(c, &k, &r, 128, NULL);
		} else {
			request_init(&r, opcode);
			r.cmd.cipher_len = 64;
			request_out(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		}
		if (!request_run(&q, &r, ACCEL_HW_BAD_COMMAND) ||
		    !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

static void
post_slow(struct card *c, struct queue *q, struct request *r, uint32_t len)
{
	static struct pk x;

	for (unsigned int i = 0; i < SLOW; i++) {
		if (i == 0) {
			pk_modexp(c, &x, &r[i], len, NULL);
		} else {
			r[i] = r[0];
			r[i].out[0].iova = memory_get(&c->memory, MEMORY_LOW, len, 1);
		}
		request_post(q, &r[i]);
	}
	queue_doorbell(q);
}

/*
 * Check that another queue pair carries out LOOPBACKs from the first response of a burst of
 * exponentiations to its last. An exponentiation takes as long as thousands of them. The host may
 * be late itself, so it tries more than once, and then with numbers that take eight times as long.
 */
static void
not_delayed(struct card *c)
{
	const struct tree_pk *alg = tree_pk(&c->tree, ACCEL_HW_PK_MODEXP);
	unsigned int most = 0;

	for (int i = 0; i < 8 && most < 8 * SLOW; i++) {
		struct accel_hw_writeback line = { 0 };
		struct request r[SLOW];
		struct queue q, sym;
		unsigned int nb = 0;

		c->memory.part[MEMORY_LOW].used = 0;
		if (pk_open_for(&q, c, ACCEL_HW_PK_MODEXP) == NULL || !queue_open(&sym, c))
			return;
		post_slow(c, &q, r, i < 2 || alg->bits_max < 8 * SLOWER_LEN ? SLOW_LEN :
								      SLOWER_LEN);
		while (line.rsp_hhp < SLOW && nb < 8 * SLOW) {
			const uint64_t used = c->memory.part[MEMORY_LOW].used;

			if (!request_works(&sym))
				return;
			c->memory.part[MEMORY_LOW].used = used;
			queue_line(&q, &line);
			nb += line.rsp_hhp > 0 ? 1 : 0;
		}
		most = nb > most ? nb : most;
		for (unsigned int j = 0; j < SLOW; j++) {
			if (!request_finish(&q, &r[j]))
				return;
		}
		if (!queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) ||
		    !queue_stop(&sym, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
	CHECK(c, most >= 8 * SLOW, "%u LOOPBACKs of another queue pair during %u exponentiations",
	      most, SLOW);
}

/* Discard a burst that the device cannot have finished at this moment. */
static void
discard(struct card *c)
{
	unsigned int left_out = 0;

	for (int i = 0; i < 20 && left_out == 0; i++) {
		struct accel_hw_writeback line;
		struct request r[SLOW];
		uint64_t iova;
		struct queue q;

		memory_begin(&c->memory, 2);
		c->nb_lines = 0;
		if (pk_open_for(&q, c, ACCEL_HW_PK_MODEXP) == NULL)
			return;
		post_slow(c, &q, r, SLOW_LEN);
		if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DISCARD))
			return;
		queue_line(&q, &line);
		left_out = SLOW - line.rsp_hhp;
		for (unsigned int j = 0; j < line.rsp_hhp; j++) {
			if (!request_finish(&q, &r[j]))
				return;
		}
		if (!queue_check_pointers(&q) || !queue_check_counters(&q))
			return;
		queue_take_line(c, q.regs.wb_base);
		card_settle(c);
		CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx after the echo of STOP",
		      (unsigned long long)iova);
	}
	CHECK(c, left_out > 0, "%u exponentiations were all carried out in 20 discards", SLOW);
}

static void
reset(struct card *c)
{
	struct request r[SLOW];
	uint64_t iova;
	struct queue q;

	for (int i = 0; i < 3; i++) {
		memory_begin(&c->memory, 3);
		c->nb_lines = 0;
		if (pk_open_for(&q, c, ACCEL_HW_PK_MODEXP) == NULL)
			return;
		post_slow(c, &q, r, SLOW_LEN);
		CHECK(c, i == 2 ? card_flr(c) : card_reset(c), "no reset during exponentiations");
		for (unsigned int j = 0; j < SLOW; j++)
			memory_take(&c->memory, r[j].out[0].iova, SLOW_LEN);
		memory_take(&c->memory, q.regs.rsp_base, 16ull * QUEUE_SIZE);
		queue_take_line(c, q.regs.wb_base);
		card_settle(c);
		CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx after a reset",
		      (unsigned long long)iova);
	}
	c->nb_lines = 0;
	if (pk_open(&q, c) && request_works(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Use a context that ends where the memory ends, so that no byte more can be read. */
static void
context_reads(struct card *c)
{
	const struct memory_part *part = &c->memory.part[MEMORY_FAR];
	uint8_t out[128], base[128];
	struct request r;
	struct queue q;
	struct pk x;

	if (pk_open_for(&q, c, ACCEL_HW_PK_MODEXP) == NULL)
		return;
	pk_modexp(c, &x, &r, 128, out);
	if (!pk_gives(&q, &r, out, 128))
		return;
	memory_read(&c->memory, r.in[0].iova, base, sizeof(base));
	pk_store_at(c, &x, part->iova + part->size - sizeof(x.h) - x.h.key_len);
	for (int i = 0; i < 2; i++) {
		pk_request(&r, &x, ACCEL_HW_PK_COMPUTE);
		pk_operand(c, &r, 0, base, sizeof(base));
		pk_result(c, &r, 128);
		if (!pk_gives(&q, &r, out, 128))
			return;
	}
	/* Only the header of this context is in memory. */
	x.at = part->iova + part->size - sizeof(x.h);
	x.h.generation = ++c->generation;
	memory_write(&c->memory, x.at, &x.h, sizeof(x.h));
	pk_request(&r, &x, ACCEL_HW_PK_COMPUTE);
	pk_operand(c, &r, 0, base, sizeof(base));
	pk_result(c, &r, 128);
	if (request_run(&q, &r, ACCEL_HW_DMA_FAULT))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test each way in which a context of MODEXP can be wrong. */
static void
bad_contexts(struct card *c)
{
	struct request r;
	struct queue q;

	if (pk_open_for(&q, c, ACCEL_HW_PK_MODEXP) == NULL)
		return;
	for (int i = 0; i < 16; i++) {
		struct pk x;

		pk_modexp(c, &x, &r, 128, NULL);
		switch (i) {
		case 0: x.h.version = 2; break;
		case 1: x.h.kind = ACCEL_HW_KIND_CIPHER; break;
		case 2: x.h.flags = 1; break;
		case 3: x.h.curve = ACCEL_HW_CURVE_P256; break;
		case 4: x.h.alg = ACCEL_HW_PK_RSA - 1; break;
		case 5: x.h.alg = ACCEL_HW_PK_ML_DSA + 1; break;
		case 6: x.h.alg = ACCEL_HW_CIPHER_AES_CBC; break;
		case 7: x.h.reserved = 1; break;
		case 8: x.h.reserved2[15] = 1; break;
		case 9: x.h.key_len--; break;
		case 10: x.h.component[0]--; break;
		case 11: x.h.component[2] = 1; break; /* not one of MODEXP */
		case 12: x.h.component[15] = UINT16_MAX; break;
		case 13: memset(x.key, 0, 128); break; /* the modulus */
		case 14: x.h.key_len = c->tree.key_size_max + 1; break;
		case 15: x.h.component[0] = 0; x.h.key_len = 128; break;
		}
		pk_store(c, &x);
		r.pk.context = x.at;
		r.pk.generation = x.h.generation;
		result_note(&c->result, "case %d", i);
		if (!request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
			return;
	}
	for (int i = 0; i < 2; i++) {
		struct pk x;

		pk_modexp(c, &x, &r, 128, NULL);
		if (i == 0)
			r.pk.generation = 0;
		else
			r.pk.context += 32;
		if (!request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
bad_commands(struct card *c)
{
	struct request r;
	struct queue q;

	if (pk_open_for(&q, c, ACCEL_HW_PK_MODEXP) == NULL)
		return;
	for (int i = 0; i < 18; i++) {
		struct pk x;

		pk_modexp(c, &x, &r, 64, NULL);
		switch (i) {
		case 0: r.pk.operation = 0; break;
		case 1: r.pk.operation = 2; break;
		case 2: r.pk.operation = 0x101; break;
		case 3: r.pk.padding = ACCEL_HW_PK_PADDING_PKCS1; break;
		case 4: r.pk.hash = ACCEL_HW_AUTH_SHA256; break;
		case 5: r.pk.mgf_hash = ACCEL_HW_AUTH_SHA256; break;
		case 6: r.pk.variant = 1; break;
		case 7: r.pk.salt_len = 1; break;
		case 8: r.pk.reserved[0] = 1; break;
		case 9: r.pk.reserved[5] = 1; break;
		case 10: r.pk.operand[0] = 0; r.pk.operand[1] = 64; break;
		case 11: r.pk.operand[7] = 1; break;
		case 12: r.nb_out = 0; break; /* NO_RX */
		default: r.pk.flags = (uint8_t)(2u << (i - 13)); break; /* to 0x20 */
		}
		result_note(&c->result, "case %d", i);
		if (!request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test lengths of operands that do not fit the input, sums that overflow, and room for the
 * result. */
static void
lengths(struct card *c)
{
	static const uint32_t len[] = { 63, 65, 1, UINT32_MAX, 0x80000000 };
	uint8_t out[64];
	struct request r;
	struct queue q;
	struct pk x;

	if (pk_open_for(&q, c, ACCEL_HW_PK_MODEXP) == NULL)
		return;
	for (unsigned int i = 0; i < sizeof(len) / sizeof(len[0]); i++) {
		pk_modexp(c, &x, &r, 64, NULL);
		r.pk.operand[0] = len[i];
		if (!request_run(&q, &r, ACCEL_HW_BAD_LENGTH))
			return;
	}
	for (uint32_t room = 62; room < 67; room++) {
		pk_modexp(c, &x, &r, 64, out);
		r.out[0].len = room;
		if (room >= 64 ? !pk_gives(&q, &r, out, 64) :
				 !request_run(&q, &r, ACCEL_HW_OUTPUT_TOO_SMALL))
			return;
	}
	/* Cut input and output into pieces of several sizes. */
	for (uint32_t cut = 1; cut < 64; cut += 9) {
		pk_modexp(c, &x, &r, 64, out);
		r.nb_in = r.nb_out = 2;
		r.in[1] = (struct piece){ r.in[0].iova + cut, 64 - cut };
		r.in[0].len = cut;
		r.out[1] = (struct piece){ r.out[0].iova + 64 - cut, cut };
		r.out[0].len = 64 - cut;
		if (!pk_gives(&q, &r, out, 64))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that responses come in the order of the requests, with operands of different lengths. */
static void
order(struct card *c)
{
	static const uint32_t len[] = { 512, 8, 64, 256, 16, 128, 1, 32 };
	enum { N = sizeof(len) / sizeof(len[0]) };
	static uint8_t out[N][512];
	struct request r[N];
	struct pk x[N];
	struct queue q;

	if (pk_open_for(&q, c, ACCEL_HW_PK_MODEXP) == NULL)
		return;
	for (int round = 0; round < 3; round++) {
		c->memory.part[MEMORY_LOW].used = 0;
		for (int i = 0; i < N; i++) {
			pk_modexp(c, &x[i], &r[i], len[i], out[i]);
			r[i].output = out[i];
			request_post(&q, &r[i]);
		}
		queue_doorbell(&q);
		for (int i = 0; i < N; i++) {
			if (!request_finish(&q, &r[i]))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Request random bytes of all sizes. No two blocks of 8 bytes may be equal. */
static void
random_bytes(struct card *c)
{
	static uint8_t seen[40][64];
	const uint32_t most = c->tree.random_max;
	unsigned int nb = 0, ones = 0;
	struct queue q;

	SKIP_UNLESS(c, most > 0, "the tree has no random number source");
	if (!pk_open(&q, c))
		return;
	for (uint32_t len = 1; len <= most; len = len < 8 ? len + 1 :
	     len < most / 3 ? len * 3 : len < most ? most : most + 1) {
		struct request r;

		request_init(&r, ACCEL_HW_OP_RANDOM);
		r.cmd.cipher_len = len;
		if (len > UINT16_MAX) { /* of one fragment */
			request_out(&r, memory_get(&c->memory, MEMORY_LOW, len, 1), UINT16_MAX);
			request_out(&r, r.out[0].iova + UINT16_MAX, len - UINT16_MAX);
		} else {
			request_out(&r, memory_get(&c->memory, MEMORY_LOW, len, 1), len);
		}
		if (!pk_gives(&q, &r, NULL, len))
			return;
		if (len >= 64 && nb < 40)
			pk_output(c, &r, seen[nb++], 64);
	}
	for (unsigned int i = 0; i < nb * 8; i++) {
		const uint8_t *one = &seen[i / 8][i % 8 * 8];

		for (unsigned int j = 0; j < i; j++)
			CHECK(c, memcmp(one, &seen[j / 8][j % 8 * 8], 8) != 0,
			      "8 random bytes came twice");
		for (unsigned int j = 0; j < 64; j++)
			ones += one[j / 8] >> j % 8 & 1;
	}
	/* A fair coin is this far from the mean once in 10^9. */
	CHECK(c, nb == 0 || (ones > nb * 256 - 70 * nb && ones < nb * 256 + 70 * nb),
	      "%u of %u random bits are 1", ones, nb * 512);
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
random_bad(struct card *c)
{
	const uint32_t most = c->tree.random_max;
	struct queue q;

	if (!pk_open(&q, c))
		return;
	for (int i = 0; i < 10; i++) {
		struct request r;

		request_init(&r, ACCEL_HW_OP_RANDOM);
		r.cmd.cipher_len = 64;
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		switch (most == 0 ? 9 : i) {
		case 0: r.cmd.cipher_len = 0; break;
		case 1: r.cmd.cipher_len = most + 1; break;
		case 2: r.cmd.flags = ACCEL_HW_CMD_WHOLE; break;
		case 3: r.cmd.aad_len = 1; break;
		case 4: r.cmd.context = 64; break;
		case 5: r.cmd.generation = 1; break;
		case 6: r.cmd.skip = 1; break;
		case 7: r.cmd.auth_len = 1; break;
		case 8: r.cmd.iv[0] = 1; break;
		default: r.cmd.auth_iv[15] = 1; break;
		}
		if (!request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "PK-1", "one public-key queue pair beside each other one, and one more", tree },
	{ "PK-2", "opcodes of each kind of queue pair", opcodes },
	{ "PK-3", "other queue pairs do not wait for exponentiations", not_delayed },
	{ "PK-4", "a discard begins no other operation, and nothing is written after it", discard },
	{ "PK-4 RST-1", "a reset does not wait for all operations", reset },
	{ "PK-5", "header and components are read, and no byte more", context_reads },
	{ "PK-6", "contexts that are wrong: BAD_CONTEXT", bad_contexts },
	{ "PK-8", "commands that are wrong: BAD_COMMAND", bad_commands },
	{ "PK-9 PK-10 PK-11 REQ-1 RES-4", "lengths of operands and results", lengths },
	{ "PK-7 WB-1", "results of all lengths, in the order of the requests", order },
	{ "RND-1", "random bytes of all lengths", random_bytes },
	{ "RND-3", "random commands that are wrong: BAD_COMMAND", random_bad },
};

const struct test_group tests_pk = TEST_GROUP("public keys", tests);
