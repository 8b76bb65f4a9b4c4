/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests DOCSIS (manual 8.5). The PDUs of PDCP are in tests_pdcp.c.
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_protocol.h"

#define ROOM 512u

/* Return the CRC of IEEE 802.3, 3.2.9. */
static uint32_t
crc32(const uint8_t *data, uint32_t len)
{
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < len; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void
put_crc(uint8_t *data, uint32_t off, uint32_t len)
{
	uint32_t crc = crc32(data + off, len);

	for (int i = 0; i < 4; i++)
		data[off + len + (uint32_t)i] = (uint8_t)(crc >> (8 * i));
}

/* Return the bytes of the key, 16 if the card has them. */
static uint8_t
key_bytes(const struct card *c)
{
	const struct tree_alg *a = tree_alg(&c->tree, ACCEL_HW_CIPHER_AES_DOCSIS_BPI);

	return a != NULL ? (uint8_t)tree_nearest(&a->key, 16) : 16;
}

/* Encipher or decipher with CBC. The rest of a block is xored with the cipher's output for the
 * block before. */
static void
bpi(uint8_t key_len, uint8_t *data, uint32_t len, bool encrypt)
{
	static const uint8_t zeros[16];
	uint8_t out[ROOM], last[16], stream[16];
	uint32_t whole = len & ~15u;

	memcpy(last, sym_iv, 16);
	if (whole > 0) {
		ref_cbc(sym_key, key_len, sym_iv, encrypt, data, out, whole);
		memcpy(last, (encrypt ? out : data) + whole - 16, 16);
		memcpy(data, out, whole);
	}
	ref_cbc(sym_key, key_len, zeros, true, last, stream, 16);
	for (uint32_t i = whole; i < len; i++)
		data[i] ^= stream[i - whole];
}

static void
docsis_context(struct card *c, struct accel_hw_context *x, bool encrypt)
{
	sym_cbc(&c->tree, x, encrypt);
	x->cipher_key_len = key_bytes(c);
	memcpy(x->cipher_key, sym_key, x->cipher_key_len);
	x->kind = ACCEL_HW_KIND_DOCSIS;
	x->cipher_alg = ACCEL_HW_CIPHER_AES_DOCSIS_BPI;
}

/* Describes a frame: CRC over auth_len bytes from auth_off, cipher region from cipher_off. */
struct frame {
	bool encrypt, auth_first;
	uint32_t cipher_off, cipher_len, auth_off, auth_len, len;
	uint8_t source[ROOM], result[ROOM];
};

static void
compute(struct card *c, struct frame *f)
{
	uint32_t crc_end = f->auth_len > 0 ? f->auth_off + f->auth_len + 4 : f->auth_off;
	uint32_t end = f->cipher_off + f->cipher_len;

	f->len = crc_end > end ? crc_end : end;
	for (uint32_t i = 0; i < ROOM; i++)
		f->source[i] = (uint8_t)card_random(c);
	memcpy(f->result, f->source, ROOM);
	if (f->auth_len > 0)
		put_crc(f->result, f->auth_off, f->auth_len);
	if (f->encrypt) {
		bpi(key_bytes(c), f->result + f->cipher_off, f->cipher_len, true);
		return;
	}
	memcpy(f->source, f->result, ROOM);
	bpi(key_bytes(c), f->source + f->cipher_off, f->cipher_len, true);
}

static void
make(struct card *c, struct request *r, struct frame *f)
{
	struct accel_hw_context x;

	docsis_context(c, &x, f->encrypt);
	sym_request(r, &x, sym_store(c, &x));
	r->cmd.flags = ACCEL_HW_CMD_WHOLE | (f->auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0);
	r->cmd.skip = f->auth_first ? f->cipher_off : f->auth_off;
	r->cmd.cipher_len = f->cipher_len;
	r->cmd.auth_len = f->auth_len;
	if (f->len > 0) {
		request_in(r, memory_get(&c->memory, MEMORY_LOW, ROOM, 1), f->len);
		memory_write(&c->memory, r->in[0].iova, f->source, f->len);
	}
	request_out(r, memory_get(&c->memory, MEMORY_LOW, ROOM, 1), f->len + 5);
	r->produced = f->len;
	r->output = f->result;
}

static bool
has_docsis(struct card *c)
{
	const struct tree_protocol *p = &c->tree.docsis;

	if (p->there && tree_lists(p->cipher, p->nb_ciphers, ACCEL_HW_CIPHER_AES_DOCSIS_BPI))
		return true;
	result_skip(&c->result, "no DOCSIS with AES");
	return false;
}

static void
frames(struct card *c)
{
	struct queue q;

	if (!has_docsis(c) || !queue_open(&q, c))
		return;
	for (int i = 0; i < 200; i++) {
		uint32_t skip = (uint32_t)(card_random(c) % 30);
		struct frame f = { .encrypt = i % 2 == 0, .auth_first = i % 4 / 2 != 0 };
		struct request r;

		f.cipher_len = i % 11 == 0 ? 0 : (uint32_t)(card_random(c) % 120);
		f.auth_len = i % 13 == 0 ? 0 : (uint32_t)(card_random(c) % 150);
		f.cipher_off = f.auth_first ? skip : 0;
		f.auth_off = f.auth_first ? 0 : skip;
		if (i == 0) /* nothing at all */
			f.auth_off = f.cipher_off = f.cipher_len = f.auth_len = 0;
		compute(c, &f);
		make(c, &r, &f);
		result_note(&c->result, "encrypt %d, cipher %u+%u, CRC of %u+%u", f.encrypt,
			    f.cipher_off, f.cipher_len, f.auth_off, f.auth_len);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test a CRC that differs in a bit, outside of the cipher region. */
static void
wrong_crc(struct card *c)
{
	struct queue q;

	if (!has_docsis(c) || !queue_open(&q, c))
		return;
	for (uint32_t bit = 0; bit < 32; bit++) {
		struct frame f = { .auth_first = true, .auth_len = 40, .cipher_len = 16,
				   .cipher_off = 12 };
		struct request r;
		uint8_t byte;

		compute(c, &f);
		make(c, &r, &f);
		byte = f.source[40 + bit / 8] ^ (uint8_t)(1 << bit % 8);
		memory_write(&c->memory, r.in[0].iova + 40 + bit / 8, &byte, 1);
		f.result[40 + bit / 8] = byte;
		if (!request_run(&q, &r, ACCEL_HW_AUTH_FAILED))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
lengths(struct card *c)
{
	static const uint16_t status[] = { ACCEL_HW_BAD_LENGTH, ACCEL_HW_BAD_LENGTH,
					   ACCEL_HW_OUTPUT_TOO_SMALL };
	struct queue q;

	if (!has_docsis(c) || !queue_open(&q, c))
		return;
	for (int i = 0; i < 12; i++) {
		struct frame f = { .encrypt = i % 2 == 0, .auth_first = true, .auth_len = 50,
				   .cipher_len = i < 6 ? 42 : 60, .cipher_off = 12 };
		struct request r;

		compute(c, &f);
		make(c, &r, &f);
		r.in[0].len += i % 3 == 0 ? 1 : i % 3 == 1 ? UINT32_MAX : 0;
		r.out[0].len = f.len - (i % 3 == 2);
		if (!request_run(&q, &r, status[i % 3]))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
refused(struct card *c)
{
	struct queue q;

	if (!has_docsis(c) || !queue_open(&q, c))
		return;
	for (int i = 0; i < 11; i++) {
		struct frame f = { .encrypt = true, .auth_len = 50, .cipher_len = 16 };
		struct accel_hw_context x;
		struct request r;

		compute(c, &f);
		make(c, &r, &f);
		docsis_context(c, &x, true);
		if (i == 0)
			r.cmd.flags &= (uint8_t)~ACCEL_HW_CMD_WHOLE;
		else if (i == 1)
			r.cmd.aad_len = 1;
		else if (i == 2)
			r.cmd.flags |= ACCEL_HW_CMD_DIGEST_IN_STREAM;
		else if (i == 3)
			r.cmd.flags |= ACCEL_HW_CMD_BITS;
		else if (i == 4)
			x.digest_len = 4;
		else if (i == 5)
			x.flags |= ACCEL_HW_CTX_VERIFY;
		else if (i == 6)
			x.auth_alg = ACCEL_HW_AUTH_NULL;
		else if (i == 7)
			x.auth_key_len = 1;
		else if (i == 8)
			x.cipher_alg = ACCEL_HW_CIPHER_AES_CBC;
		else if (i == 9)
			x.auth_iv_len = 1;
		else
			x.pdcp_bearer = 1;
		r.cmd.context = sym_store(c, &x);
		r.cmd.generation = x.generation;
		result_note(&c->result, "case %d", i);
		if (!request_run(&q, &r, i < 4 ? ACCEL_HW_BAD_COMMAND : ACCEL_HW_BAD_CONTEXT))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "DOC-1 DOC-2 PROTO-1", "CRC and cipher, for any regions and both directions", frames },
	{ "PROTO-2 DOC-2 ST-4", "each bit of a wrong CRC: AUTH_FAILED", wrong_crc },
	{ "DOC-3", "source and room that differ by one", lengths },
	{ "DOC-4 CTX-2 CTX-6", "fields, flags and contexts that DOCSIS does not have", refused },
};

const struct test_group tests_docsis = TEST_GROUP("docsis", tests);
