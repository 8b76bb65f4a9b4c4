/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the flag BITS (manual 7.2): regions of known answers begin at every bit of a byte.
 */
#include <string.h>

#include "reference/known.h"
#include "tests_command.h"

#define ROOM 256u

/* Copy bits, the most significant one first. */
static void
put_bits(uint8_t *to, uint32_t at, const uint8_t *from, uint32_t nb)
{
	for (uint32_t i = 0; i < nb; i++) {
		uint8_t bit = (uint8_t)(from[i / 8] >> (7 - i % 8) & 1);
		uint8_t mask = (uint8_t)(0x80u >> (at + i) % 8);

		to[(at + i) / 8] = (uint8_t)((to[(at + i) / 8] & ~mask) | (bit != 0 ? mask : 0));
	}
}

static bool
is_auth(const struct known_answer *k)
{
	return k->alg >= ACCEL_HW_AUTH_NULL;
}

/* Begin a request for a region that begins at a bit of its first byte. */
static void
make(struct card *c, struct request *r, const struct known_answer *k, uint32_t first, uint8_t *out)
{
	uint8_t in[ROOM], raw[ROOM];
	uint32_t bytes = (first + k->bits + 7) / 8;
	struct accel_hw_context x;

	for (uint32_t i = 0; i < ROOM; i++)
		in[i] = (uint8_t)card_random(c);
	known_bytes(k->in, raw, ROOM);
	put_bits(in, first, raw, k->bits);
	known_context(k, &x);
	sym_request(r, &x, sym_store(c, &x));
	known_iv(k, &r->cmd);
	r->cmd.flags = ACCEL_HW_CMD_BITS;
	request_in(r, memory_get(&c->memory, MEMORY_LOW, bytes, 1), bytes);
	memory_write(&c->memory, r->in[0].iova, in, bytes);
	request_out(r, memory_get(&c->memory, MEMORY_LOW, bytes + 9, 1), bytes + 9);
	if (is_auth(k)) {
		r->cmd.skip = first;
		r->cmd.auth_len = k->bits;
		r->produced = known_bytes(k->digest, out, ROOM);
	} else {
		r->cmd.aad_len = (uint16_t)first;
		r->cmd.cipher_len = k->bits;
		r->produced = bytes;
		/* Bits outside of the region keep the value that they have at the destination. */
		memory_read(&c->memory, r->out[0].iova, out, bytes);
		known_bytes(k->out, raw, ROOM);
		put_bits(out, first, raw, k->bits);
	}
	r->output = out;
	result_note(&c->result, "algorithm %u, %s, %u bits from bit %u on", k->alg, k->origin,
		    k->bits, first);
}

/* True if the card has bit lengths for a known answer. */
static bool
there(const struct card *c, const struct known_answer *k)
{
	return known_there(c, k) && tree_alg(&c->tree, k->alg)->bits;
}

/* Return the first known answer of a cipher, or of an authentication, for which the card has bit
 * lengths, or NULL. */
static const struct known_answer *
some(struct card *c, bool auth)
{
	for (unsigned int i = 0; i < known_bits_nb; i++) {
		if (is_auth(&known_bits[i]) == auth && there(c, &known_bits[i]))
			return &known_bits[i];
	}
	result_skip(&c->result, "no algorithm with bit lengths");
	return NULL;
}

static void
every_bit(struct card *c)
{
	uint8_t out[ROOM];
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < known_bits_nb; i++) {
		for (uint32_t first = 0; first < 8 && there(c, &known_bits[i]); first++) {
			struct request r;

			make(c, &r, &known_bits[i], first, out);
			if (!request_run(&q, &r, ACCEL_HW_OK))
				return;
			done++;
			if (is_auth(&known_bits[i]))
				continue;
			/* With WHOLE the source of a cipher has the same bytes. */
			make(c, &r, &known_bits[i], first, out);
			r.cmd.flags |= ACCEL_HW_CMD_WHOLE;
			if (!request_run(&q, &r, ACCEL_HW_OK))
				return;
		}
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no algorithm with bit lengths");
}

/* Run a chain with WHOLE. The authentication region has whole bytes around the cipher's bits. Bits
 * between the ends of both regions are those of the source. */
static bool
chain(struct queue *q, const struct known_answer *k, uint8_t kind, uint32_t first)
{
	uint32_t bytes = (first + k->bits + 7) / 8 + 5;
	struct card *c = q->card;
	struct accel_hw_context x, cipher;
	uint8_t out[ROOM + 32], raw[ROOM];
	struct request r;

	make(c, &r, k, first, out);
	known_context(k, &cipher);
	sym_hmac(&c->tree, &x, false, 32);
	x.kind = kind;
	x.flags = ACCEL_HW_CTX_ENCRYPT;
	x.cipher_alg = cipher.cipher_alg;
	x.cipher_key_len = cipher.cipher_key_len;
	x.iv_len = cipher.iv_len;
	memcpy(x.cipher_key, cipher.cipher_key, sizeof(x.cipher_key));
	r.cmd.context = sym_store(c, &x);
	r.cmd.generation = x.generation;
	r.cmd.flags |= ACCEL_HW_CMD_WHOLE;
	r.cmd.auth_len = 8 * bytes;
	memory_read(&c->memory, r.in[0].iova, raw, bytes - 5);
	memset(raw + bytes - 5, 0xc3, 5);
	r.in[0] = (struct piece){ memory_get(&c->memory, MEMORY_LOW, bytes, 1), bytes };
	memory_write(&c->memory, r.in[0].iova, raw, bytes);
	r.out[0] = (struct piece){ memory_get(&c->memory, MEMORY_LOW, bytes + 32, 1), bytes + 32 };
	memcpy(out, raw, bytes);
	if (kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER)
		ref_hmac(x.auth_key, x.auth_key_len, out, bytes, out + bytes);
	known_bytes(k->out, raw, ROOM);
	put_bits(out, first, raw, k->bits);
	if (kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH)
		ref_hmac(x.auth_key, x.auth_key_len, out, bytes, out + bytes);
	r.produced = bytes + x.digest_len;
	r.output = out;
	return request_run(q, &r, ACCEL_HW_OK);
}

static void
chains(struct card *c)
{
	const struct known_answer *k = some(c, false);
	unsigned int done = 0;
	struct queue q;

	if (k == NULL || !queue_open(&q, c))
		return;
	for (uint32_t i = 0; i < 16; i++) {
		uint8_t kind = i % 2 == 0 ? ACCEL_HW_KIND_CIPHER_THEN_AUTH :
					    ACCEL_HW_KIND_AUTH_THEN_CIPHER;

		if (!tree_chain(&c->tree, kind, k->alg, ACCEL_HW_AUTH_SHA256_HMAC))
			continue;
		done++;
		if (!chain(&q, k, kind, i / 2))
			return;
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no chain with HMAC");
}

/* Run a cipher in place. Bits around the region do not change. */
static void
in_place(struct card *c)
{
	const struct known_answer *k = some(c, false);
	uint8_t out[ROOM], raw[ROOM];
	struct queue q;

	if (k == NULL || !queue_open(&q, c))
		return;
	for (uint32_t first = 0; first < 8; first++) {
		struct request r;

		make(c, &r, k, first, out);
		memory_read(&c->memory, r.in[0].iova, out, r.produced);
		known_bytes(k->out, raw, ROOM);
		put_bits(out, first, raw, k->bits);
		r.out[0] = r.in[0];
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that the source must have just the bytes that hold a bit of the region. */
static void
source_length(struct card *c)
{
	const struct known_answer *k = some(c, false);
	uint8_t out[ROOM];
	struct queue q;

	if (k == NULL || !queue_open(&q, c))
		return;
	for (uint32_t i = 0; i < 24; i++) {
		struct request r;

		make(c, &r, k, i % 8, out);
		r.in[0].len += i / 8 == 0 ? 1 : i / 8 == 1 ? UINT32_MAX : 0;
		r.out[0].len = r.produced - (i / 8 == 2);
		if (!request_run(&q, &r, i / 8 == 2 ? ACCEL_HW_OUTPUT_TOO_SMALL :
				 ACCEL_HW_BAD_LENGTH))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Use a destination that the device cannot read, although it has to read some of its bytes. */
static void
unreadable(struct card *c)
{
	const struct known_answer *k = some(c, false);
	uint8_t out[ROOM];
	struct request r;
	struct queue q;

	if (k == NULL || !queue_open(&q, c))
		return;
	make(c, &r, k, 3, out);
	r.out[0].iova = MEMORY_HOLE;
	if (request_run(&q, &r, ACCEL_HW_DMA_FAULT) && request_works(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that these are refused: first bits of 8 and more, fields of the other region, kinds and
 * flags that BITS does not go with. */
static void
refused(struct card *c)
{
	const struct known_answer *cipher = some(c, false), *auth = some(c, true);
	uint8_t out[ROOM];
	struct queue q;

	if (cipher == NULL || auth == NULL)
		return;
	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 10; i++) {
		struct accel_hw_context x;
		struct request r;

		make(c, &r, i < 5 ? cipher : auth, 0, out);
		if (i == 0)
			r.cmd.aad_len = 8;
		else if (i == 1)
			r.cmd.skip = 1;
		else if (i == 2)
			r.cmd.auth_len = 8;
		else if (i == 3)
			r.cmd.aad_len = 0x100;
		else if (i == 4)
			r.cmd.flags |= ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_WHOLE;
		else if (i == 5)
			r.cmd.skip = 8;
		else if (i == 6)
			r.cmd.aad_len = 1;
		else if (i == 7)
			r.cmd.cipher_len = 8;
		else if (i == 8)
			r.cmd.opcode = ACCEL_HW_OP_NOP;
		if (i == 9) {
			if (tree_alg(&c->tree, ACCEL_HW_AEAD_AES_GCM) == NULL)
				continue;
			sym_gcm(&c->tree, &x, true, 16);
			r.cmd.context = sym_store(c, &x);
			r.cmd.generation = x.generation;
			r.cmd.auth_len = 0;
			r.cmd.cipher_len = r.in[0].len * 8;
		}
		result_note(&c->result, "case %d", i);
		if (!request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Compute a digest over whole bytes with BITS, and over odd regions, which are refused. */
static bool
digest_of_bytes(struct queue *q)
{
	struct card *c = q->card;

	for (uint32_t i = 0; i < 3; i++) {
		struct accel_hw_context x;
		struct request r;

		sym_hmac(&c->tree, &x, false, 16);
		sym_request(&r, &x, sym_store(c, &x));
		r.cmd.flags = ACCEL_HW_CMD_BITS;
		r.cmd.auth_len = i == 1 ? 511 : 512 - 8 * (i / 2);
		r.cmd.skip = i == 2 ? 4 : 0;
		request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, 32, 1), 32);
		r.produced = x.digest_len;
		if (!request_run(q, &r, i == 0 ? ACCEL_HW_OK : ACCEL_HW_BAD_LENGTH))
			return false;
	}
	return true;
}

/* Test AES-CBC, which has no bit lengths. Whole bytes are good, and other lengths are not. */
static void
other_algorithms(struct card *c)
{
	struct accel_hw_context x;
	uint8_t out[64];
	struct queue q;
	uint64_t at;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || some(c, false) == NULL)
		return;
	SKIP_UNLESS(c, !tree_alg(&c->tree, ACCEL_HW_CIPHER_AES_CBC)->bits, "CBC of bits");
	if (!queue_open(&q, c))
		return;
	sym_cbc(&c->tree, &x, true);
	at = sym_store(c, &x);
	for (int i = 0; i < 3; i++) {
		struct request r;

		sym_cbc_request(c, &r, &x, at, out);
		r.cmd.flags = ACCEL_HW_CMD_BITS;
		r.cmd.cipher_len = i == 1 ? 511 : i == 2 ? 510 : 512;
		r.cmd.aad_len = i == 2;
		if (!request_run(&q, &r, i == 0 ? ACCEL_HW_OK : ACCEL_HW_BAD_LENGTH))
			return;
	}
	if (tree_alg(&c->tree, ACCEL_HW_AUTH_SHA256_HMAC) == NULL || digest_of_bytes(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
unsupported(struct card *c)
{
	struct accel_hw_context x;
	uint8_t out[64];
	struct request r;
	struct queue q;

	for (unsigned int i = 0; i < c->tree.nb_algs; i++)
		SKIP_UNLESS(c, !c->tree.alg[i].bits, "the card has bit lengths");
	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c))
		return;
	sym_cbc(&c->tree, &x, true);
	sym_cbc_request(c, &r, &x, sym_store(c, &x), out);
	r.cmd.flags = ACCEL_HW_CMD_BITS;
	r.cmd.cipher_len = 512;
	if (request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "BITS-1 BITS-3", "known answers from every bit on, with the bits around them",
	  every_bit },
	{ "BITS-3", "in place", in_place },
	{ "BITS-1 BITS-3 BITS-6", "WHOLE in a chain with HMAC of whole bytes", chains },
	{ "BITS-2", "the source is as long as the bytes of the region", source_length },
	{ "BITS-4", "a destination that cannot be read: DMA_FAULT", unreadable },
	{ "BITS-7", "fields, flags and kinds that do not go with BITS: BAD_COMMAND", refused },
	{ "BITS-6", "algorithms without bit lengths take whole bytes only", other_algorithms },
	{ "BITS-8", "a card without bit lengths: BAD_COMMAND", unsupported },
};

const struct test_group tests_bits = TEST_GROUP("bits", tests);
