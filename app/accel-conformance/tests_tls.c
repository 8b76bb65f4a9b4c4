/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * TLS records (manual 8.7) of TLS 1.2, TLS 1.3 and DTLS 1.2: with HMAC-SHA256 and no cipher, so
 * that each byte is seen, with HMAC-SHA256 and AES-128-CBC, and with AES-128-GCM. OpenSSL makes the
 * same records.
 */
#include <string.h>

#include <openssl/evp.h>

#include "sym.h"
#include "tests.h"

#define ROOM 2048u
#define DATA ACCEL_HW_TLS_APPLICATION_DATA
#define EPOCH 0x0102u
#define STATE_AT offsetof(struct accel_hw_tls_context, state)
#define MAC 32u
#define TAG 16u

enum suite { PLAIN, CBC, GCM };

/** A direction of a connection: its context as the host writes it, and its state as read last. */
struct direction {
	struct accel_hw_tls_context x;
	uint64_t at; /* IOVA */
	enum suite suite;
};

static const uint8_t some_iv[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static const uint8_t kinds[] = { ACCEL_HW_KIND_TLS12, ACCEL_HW_KIND_TLS13, ACCEL_HW_KIND_DTLS12 };

static const struct tree_ipsec *
node_of(const struct card *c, uint8_t kind)
{
	return kind == ACCEL_HW_KIND_TLS12 ? &c->tree.tls12 :
	       kind == ACCEL_HW_KIND_TLS13 ? &c->tree.tls13 : &c->tree.dtls12;
}

static void
make(struct direction *d, uint8_t kind, enum suite suite, bool write)
{
	struct accel_hw_context *x = &d->x.common;

	memset(d, 0, sizeof(*d));
	d->suite = suite;
	x->version = ACCEL_HW_CTX_VERSION;
	x->kind = kind;
	x->flags = write ? ACCEL_HW_CTX_ENCRYPT : 0;
	x->cipher_alg = suite == PLAIN ? ACCEL_HW_CIPHER_NULL :
			suite == CBC   ? ACCEL_HW_CIPHER_AES_CBC : ACCEL_HW_AEAD_AES_GCM;
	x->cipher_key_len = suite == PLAIN ? 0 : 16;
	x->auth_alg = suite == GCM ? 0 : ACCEL_HW_AUTH_SHA256_HMAC;
	x->auth_key_len = suite == GCM ? 0 : MAC;
	x->digest_len = suite == GCM ? TAG : MAC;
	if (suite != PLAIN && kind != ACCEL_HW_KIND_TLS13)
		x->iv_len = suite == CBC ? 16 : 8;
	memcpy(x->cipher_key, sym_key, x->cipher_key_len);
	memcpy(x->auth_key, sym_key, x->auth_key_len);
	if (suite == GCM)
		memcpy(d->x.tls.fixed_iv, some_iv, x->iv_len != 0 ? 4 : 12);
	d->x.tls.epoch = kind == ACCEL_HW_KIND_DTLS12 ? EPOCH : 0;
}

static bool
there(const struct card *c, uint8_t kind, enum suite suite)
{
	const struct tree_ipsec *t = node_of(c, kind);

	if (!t->lists.there || (kind == ACCEL_HW_KIND_TLS13 && suite != GCM))
		return false;
	if (suite == GCM)
		return tree_lists(t->aead, t->nb_aeads, ACCEL_HW_AEAD_AES_GCM);
	return tree_lists(t->lists.auth, t->lists.nb_auths, ACCEL_HW_AUTH_SHA256_HMAC) &&
	       tree_lists(t->lists.cipher, t->lists.nb_ciphers,
			  suite == CBC ? ACCEL_HW_CIPHER_AES_CBC : ACCEL_HW_CIPHER_NULL);
}

static void
store(struct card *c, struct direction *d)
{
	d->at = memory_get(&c->memory, MEMORY_LOW, sizeof(d->x), ACCEL_HW_CTX_ALIGN);
	d->x.common.generation = ++c->generation;
	memory_write(&c->memory, d->at, &d->x, sizeof(d->x));
}

static void
load(struct card *c, struct direction *d)
{
	memory_read(&c->memory, d->at + STATE_AT, &d->x.state, sizeof(d->x.state));
}

/* The reference. */

static void
put(uint8_t *to, uint64_t value, unsigned int bytes)
{
	while (bytes-- > 0)
		*to++ = (uint8_t)(value >> (8 * bytes));
}

static bool
is_dtls(const struct direction *d)
{
	return d->x.common.kind == ACCEL_HW_KIND_DTLS12;
}

static bool
is_tls13(const struct direction *d)
{
	return d->x.common.kind == ACCEL_HW_KIND_TLS13;
}

static uint32_t
header_of(const struct direction *d)
{
	return is_dtls(d) ? ACCEL_HW_DTLS_HEADER : ACCEL_HW_TLS_HEADER;
}

static void
gcm(const uint8_t *nonce, const uint8_t *aad, uint32_t aad_len, uint8_t *text, uint32_t len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	EVP_EncryptInit_ex(ctx, EVP_aes_128_gcm(), NULL, sym_key, nonce);
	EVP_EncryptUpdate(ctx, NULL, &n, aad, (int)aad_len);
	EVP_EncryptUpdate(ctx, text, &n, text, (int)len);
	EVP_EncryptFinal_ex(ctx, text + len, &n);
	EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TAG, text + len);
	EVP_CIPHER_CTX_free(ctx);
}

/* A record with any padding: CBC its bytes with that of the length, TLS 1.3 zeros. @return its
 * bytes. */
static uint32_t
record_of(const struct direction *d, uint64_t number, uint8_t type, const uint8_t *data,
	  uint32_t len, const uint8_t *padding, uint32_t pad, uint8_t *out)
{
	const uint32_t header = header_of(d), iv = d->x.common.iv_len;
	const uint64_t whole = is_dtls(d) ? (uint64_t)EPOCH << 48 | number : number;
	uint8_t *text = out + header + iv, aad[13 + ROOM], nonce[12];
	uint32_t all = len + (is_tls13(d) ? 1 : 0) + pad;

	memcpy(text, data, len);
	put(aad, whole, 8);
	aad[8] = type;
	put(aad + 9, is_dtls(d) ? ACCEL_HW_DTLS_VERSION : ACCEL_HW_TLS_VERSION, 2);
	put(aad + 11, len, 2);
	out[0] = is_tls13(d) ? DATA : type;
	memcpy(out + 1, aad + 9, 2);
	if (is_dtls(d))
		put(out + 3, whole, 8);
	put(out + header - 2, iv + all + d->x.common.digest_len, 2);
	if (d->suite == GCM) {
		memcpy(nonce, d->x.tls.fixed_iv, 12);
		for (unsigned int i = 0; i < 8; i++)
			nonce[4 + i] ^= (uint8_t)(whole >> (56 - 8 * i));
		if (iv != 0)
			put(out + header, whole, 8);
		if (is_tls13(d)) {
			text[len] = type;
			memset(text + len + 1, 0, pad);
		}
		gcm(nonce, is_tls13(d) ? out : aad, is_tls13(d) ? header : 13, text, all);
		return header + iv + all + TAG;
	}
	memcpy(aad + 13, data, len);
	ref_hmac(sym_key, MAC, aad, 13 + len, text + len);
	memcpy(text + len + MAC, padding, pad);
	if (d->suite == CBC) {
		memcpy(out + header, some_iv, 16);
		ref_cbc(sym_key, some_iv, true, text, text, len + MAC + pad);
	}
	return header + iv + len + MAC + pad;
}

/* The padding of CBC with so many whole blocks beyond the least. @return its bytes. */
static uint32_t
padding_of(const struct direction *d, uint32_t len, uint32_t blocks, uint8_t *padding)
{
	const uint32_t pad = d->suite == CBC ? 16 - (len + MAC) % 16 + 16 * blocks : 0;

	memset(padding, (int)(pad - 1), pad);
	return pad;
}

/* Requests. */

static void
request_of(struct card *c, struct request *r, const struct direction *d, uint32_t skip,
	   const uint8_t *in, uint32_t len, uint32_t room)
{
	sym_request(r, &d->x.common, d->at);
	memcpy(r->cmd.iv, some_iv, 16);
	r->cmd.cipher_len = len;
	r->cmd.skip = skip;
	if (len > 0) {
		request_in(r, memory_get(&c->memory, MEMORY_LOW, ROOM, 1), len);
		memory_write(&c->memory, r->in[0].iova, in, len);
	}
	if (room > 0)
		request_out(r, memory_get(&c->memory, MEMORY_LOW, ROOM, 1), room);
}

/* Run a request, and accept the state as the device wrote it. */
static bool
run_request(struct queue *q, const struct direction *d, struct request *r, uint16_t status)
{
	const bool good = request_run(q, r, status);

	memory_take(&q->card->memory, d->at + STATE_AT, sizeof(d->x.state));
	return good;
}

/* Run a request that gives this output with OK. */
static bool
run(struct queue *q, const struct direction *d, uint32_t skip, const uint8_t *in, uint32_t len,
    const uint8_t *out, uint32_t out_len, uint16_t info, uint16_t status)
{
	struct memory *m = &q->card->memory;
	const uint64_t used = m->part[MEMORY_LOW].used;
	struct request r;
	bool good;

	request_of(q->card, &r, d, skip, in, len, ROOM);
	r.output = out;
	r.produced = status == ACCEL_HW_OK ? out_len : 0;
	r.info = status == ACCEL_HW_OK ? info : 0;
	r.left = status == ACCEL_HW_OK && (skip & ACCEL_HW_TLS_CMD_KEEP_PLACE) != 0 ?
			 header_of(d) + d->x.common.iv_len : 0;
	r.dirty = status == ACCEL_HW_AUTH_FAILED || status == ACCEL_HW_MALFORMED;
	good = run_request(q, d, &r, status);
	m->part[MEMORY_LOW].used = used; /* others may have it */
	return good;
}

static void
fill(struct card *c, uint8_t *data, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		data[i] = (uint8_t)card_random(c);
}

/* Run a part of a test for each kind and suite of the card, until it returns false. */
static void
for_each(struct card *c, bool (*part)(struct queue *q, uint8_t kind, enum suite suite))
{
	struct memory_part *low = &c->memory.part[MEMORY_LOW];
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 9; i++) {
		const uint8_t kind = kinds[i / 3];
		const enum suite suite = (enum suite)(i % 3);
		const uint64_t used = low->used;

		if (!there(c, kind, suite))
			continue;
		done++;
		if (!part(&q, kind, suite))
			return;
		low->used = used;
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no TLS records with HMAC-SHA256 or AES-GCM");
}

/* Both directions of a connection, with IVs that are given where its suite has any. */
static void
make_both(struct direction *write, struct direction *read, uint8_t kind, enum suite suite)
{
	make(write, kind, suite, true);
	if (suite == CBC)
		write->x.tls.options = ACCEL_HW_TLS_IV_GIVEN;
	make(read, kind, suite, false);
}

/* Both directions. */

static bool
records_part(struct queue *q, uint8_t kind, enum suite suite)
{
	uint8_t data[ROOM], record[ROOM + 512], padding[256];
	struct card *c = q->card;
	struct direction write, read;
	uint64_t number = card_random(c) >> 17;

	make_both(&write, &read, kind, suite);
	write.x.state.sequence = read.x.state.sequence = number;
	store(c, &write);
	store(c, &read);
	for (unsigned int i = 0; i < 40; i++, number++) {
		const uint32_t len = i < 20 ? i : (uint32_t)(card_random(c) % 1000);
		const uint8_t type = (uint8_t)(i < 20 ? DATA : 24 + card_random(c) % 200);
		const uint32_t blocks = suite == CBC ? i % 4 : 0;
		const uint32_t extra = suite == CBC ? 16 * blocks : 5 * i;
		const bool pads = suite == CBC || is_tls13(&write);
		const uint32_t before = header_of(&read) + read.x.common.iv_len;
		uint32_t pad = padding_of(&write, len, blocks, padding), n;

		fill(c, data, len);
		if (is_tls13(&write))
			pad = extra;
		n = record_of(&write, number, type, data, len, padding, pad, record);
		result_note(&c->result, "kind %u, suite %u, number %#llx, type %u, %u "
			    "bytes, padding %u", kind, suite, (unsigned long long)number,
			    type, len, pad);
		if (!run(q, &write, type | (pads ? extra : 0) << 16, data, len, record, n,
			 0, ACCEL_HW_OK) ||
		    !run(q, &read, i % 2 ? ACCEL_HW_TLS_CMD_KEEP_PLACE : 0, record, n,
			 data, len, (uint16_t)(type | (i % 2 ? before : 0) << 8),
			 ACCEL_HW_OK))
			return false;
	}
	return true;
}

/* In place: the content keeps its place. */
static bool
in_place_part(struct queue *q, uint8_t kind, enum suite suite)
{
	uint8_t data[256], record[ROOM], padding[256];
	struct card *c = q->card;
	struct direction d;
	struct request r;
	uint32_t pad, n, before;

	make(&d, kind, suite, true);
	if (suite == CBC)
		d.x.tls.options = ACCEL_HW_TLS_IV_GIVEN;
	store(c, &d);
	before = header_of(&d) + d.x.common.iv_len;
	fill(c, data, 200);
	pad = padding_of(&d, 200, 0, padding);
	n = record_of(&d, 0, DATA, data, 200, padding, pad, record);
	request_of(c, &r, &d, DATA, data, 200, 0);
	r.in[0].iova = memory_get(&c->memory, MEMORY_LOW, ROOM, 1) + 64;
	memory_write(&c->memory, r.in[0].iova, data, 200);
	request_out(&r, r.in[0].iova - before, n);
	r.output = record;
	r.produced = n;
	if (!run_request(q, &d, &r, ACCEL_HW_OK))
		return false;
	make(&d, kind, suite, false);
	store(c, &d);
	request_of(c, &r, &d, ACCEL_HW_TLS_CMD_KEEP_PLACE, record, n, 0);
	request_out(&r, r.in[0].iova, n);
	r.output = data;
	r.produced = 200;
	r.left = before;
	r.info = (uint16_t)(DATA | before << 8);
	if (!run_request(q, &d, &r, ACCEL_HW_OK))
		return false;
	return true;
}

/* IVs of the card: those of CBC all differ, and its records are read. */
static void
card_ivs(struct card *c)
{
	uint8_t data[32] = { 0 }, seen[32][16];
	struct direction write, read;
	struct queue q;
	uint64_t used;

	SKIP_UNLESS(c, there(c, ACCEL_HW_KIND_TLS12, CBC), "no TLS 1.2 with AES-CBC");
	if (!queue_open(&q, c))
		return;
	make(&write, ACCEL_HW_KIND_TLS12, CBC, true);
	make(&read, ACCEL_HW_KIND_TLS12, CBC, false);
	store(c, &write);
	store(c, &read);
	used = c->memory.part[MEMORY_LOW].used;
	for (unsigned int i = 0; i < 32; i++) {
		uint8_t record[128];
		struct request r;

		c->memory.part[MEMORY_LOW].used = used;
		request_of(c, &r, &write, DATA, data, 32, ROOM);
		r.produced = 5 + 16 + 32 + MAC + 16;
		if (!run_request(&q, &write, &r, ACCEL_HW_OK))
			return;
		memory_read(&c->memory, r.out[0].iova, record, r.produced);
		memcpy(seen[i], record + 5, 16);
		for (unsigned int j = 0; j < i; j++)
			CHECK(c, memcmp(seen[i], seen[j], 12) != 0, "IVs %u and %u begin alike", j,
			      i);
		if (!run(&q, &read, 0, record, r.produced, data, 32, DATA, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Refusals. */

static bool
contexts_part(struct queue *q, uint8_t kind, enum suite suite)
{
	uint8_t data[64] = { 0 };
	struct card *c = q->card;
	const uint64_t used = c->memory.part[MEMORY_LOW].used;

	for (unsigned int i = 0; i < 24; i++) {
		struct direction d;
		struct accel_hw_tls *t = &d.x.tls;

		c->memory.part[MEMORY_LOW].used = used;
		make(&d, kind, suite, i % 2);
		d.x.common.iv_len += i / 2 == 0;
		d.x.common.auth_iv_len += i / 2 == 1;
		d.x.common.digest_len -= i / 2 == 2;
		d.x.common.cipher_key_len += i / 2 == 3 ? 8 : 0;
		d.x.common.auth_key_len += i / 2 == 4;
		t->options = i / 2 == 5 ? 2 : i == 12 ? ACCEL_HW_TLS_IV_GIVEN : 0;
		t->replay_window = i / 2 == 7 ? node_of(c, kind)->window + 1 :
				   i == 13    ? 64 : 0;
		t->reserved = i / 2 == 8;
		t->reserved2[83] = i / 2 == 9;
		t->payload_min = i / 2 == 10 ? 16385 : 0;
		if (i / 2 == 11 && (suite != GCM || kind != ACCEL_HW_KIND_TLS13))
			t->fixed_iv[11] ^= 1;
		else if (i / 2 == 11)
			continue;
		store(c, &d);
		result_note(&c->result, "kind %u, suite %u, case %u", kind, suite, i);
		if (!run(q, &d, i % 2 ? DATA : 0, data, 64, NULL, 0, 0,
			 ACCEL_HW_BAD_CONTEXT))
			return false;
	}
	return true;
}

static bool
commands_part(struct queue *q, uint8_t kind, enum suite suite)
{
	uint8_t data[64] = { 0 };
	struct card *c = q->card;
	const uint64_t used = c->memory.part[MEMORY_LOW].used;

	for (unsigned int i = 0; i < 14; i++) {
		const bool write = i < 8;
		struct direction d;
		struct request r;

		c->memory.part[MEMORY_LOW].used = used;
		make(&d, kind, suite, write);
		store(c, &d);
		request_of(c, &r, &d, write ? DATA : 0, data, 64, ROOM);
		if (i % 8 == 0)
			r.cmd.auth_len = 1;
		else if (i % 8 == 1)
			r.cmd.aad_len = 1;
		else if (i % 8 == 2)
			r.cmd.skip |= 0x200;
		else if (i % 8 == 3)
			r.cmd.flags |= ACCEL_HW_CMD_AUTH_FIRST;
		else if (i % 8 == 4)
			r.cmd.flags |= ACCEL_HW_CMD_WHOLE;
		else if (i % 8 == 5)
			r.cmd.skip |= write ? ACCEL_HW_TLS_CMD_KEEP_PLACE : DATA;
		else if (suite == CBC || is_tls13(&d))
			continue;
		else
			r.cmd.skip |= 8u << 16;
		result_note(&c->result, "kind %u, suite %u, case %u", kind, suite, i);
		if (!request_run(q, &r, ACCEL_HW_BAD_COMMAND))
			return false;
	}
	return true;
}

/* Room: as many bytes as there are, and one less. */
static bool
room_part(struct queue *q, uint8_t kind, enum suite suite)
{
	uint8_t data[256], record[ROOM], padding[256];
	struct card *c = q->card;
	struct direction write, read;
	struct request r;
	uint32_t n, most;

	make(&write, kind, suite, true);
	make(&read, kind, suite, false);
	store(c, &write);
	store(c, &read);
	fill(c, data, 100);
	n = record_of(&write, 0, DATA, data, 100, padding,
		      padding_of(&write, 100, 0, padding), record);
	request_of(c, &r, &write, DATA, data, 100, n - 1);
	if (!request_run(q, &r, ACCEL_HW_OUTPUT_TOO_SMALL))
		return false;
	/* A record of CBC may have one byte of padding. */
	most = n - header_of(&read) - read.x.common.iv_len - read.x.common.digest_len -
	       (suite == CBC || is_tls13(&read) ? 1 : 0);
	request_of(c, &r, &read, 0, record, n, most - 1);
	if (!request_run(q, &r, ACCEL_HW_OUTPUT_TOO_SMALL))
		return false;
	request_of(c, &r, &read, 0, record, n, most);
	r.output = data;
	r.produced = 100;
	r.info = DATA;
	if (!run_request(q, &read, &r, ACCEL_HW_OK))
		return false;
	return true;
}

/* Wrong padding of each place, and wrong MACs: one status, and one count. */
static void
wrong_padding(struct card *c)
{
	uint8_t data[64] = { 0 }, record[ROOM], padding[256];
	struct direction d;
	struct queue q;
	uint64_t used;

	SKIP_UNLESS(c, there(c, ACCEL_HW_KIND_TLS12, CBC), "no TLS 1.2 with AES-CBC");
	if (!queue_open(&q, c))
		return;
	make(&d, ACCEL_HW_KIND_TLS12, CBC, false);
	used = c->memory.part[MEMORY_LOW].used;
	for (uint32_t i = 0; i < 66; i++) {
		const uint32_t pad = padding_of(&d, 30, 3, padding);
		uint32_t n;

		if (i < pad)
			padding[i] ^= (uint8_t)(1 << i % 8);
		else if (i == 64)
			padding[pad - 1] = 255; /* more than the record */
		n = record_of(&d, i, DATA, data, 30, padding, pad, record);
		if (i == 65)
			record[5] ^= 1; /* in the content */
		if (i >= pad && i < 64)
			continue;
		d.x.state.sequence = i;
		c->memory.part[MEMORY_LOW].used = used;
		store(c, &d);
		result_note(&c->result, "case %u", i);
		if (!run(&q, &d, 0, record, n, NULL, 0, 0, ACCEL_HW_AUTH_FAILED))
			return;
		load(c, &d);
		CHECK(c, d.x.state.errors == 1 && d.x.state.auth_errors == 1 &&
			      d.x.state.records == 0,
		      "errors %llu, auth_errors %llu", (unsigned long long)d.x.state.errors,
		      (unsigned long long)d.x.state.auth_errors);
		memset(&d.x.state, 0, sizeof(d.x.state));
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* The checks, each with all that follow failing too. */
static bool
checks_part(struct queue *q, uint8_t kind, enum suite suite)
{
	uint8_t data[64] = { 0 }, record[ROOM], padding[256];
	struct card *c = q->card;
	struct direction write, read;
	uint32_t n;

	make(&write, kind, suite, true);
	make(&read, kind, suite, false);
	n = record_of(&read, 0, DATA, data, 40, padding,
		      padding_of(&read, 40, 0, padding), record);
	record[n - 1] ^= 1;
	read.x.state.sequence = is_dtls(&read) ? 100 : UINT64_MAX;
	read.x.tls.replay_window = is_dtls(&read) ? 64 : 0;
	store(c, &read);
	if (!run(q, &read, 0, record, n, NULL, 0, 0,
		 is_dtls(&read) ? ACCEL_HW_REPLAY : ACCEL_HW_SEQUENCE_END))
		return false;
	record[is_tls13(&read) ? 0 : 1] ^= 1;
	if (!run(q, &read, 0, record, n, NULL, 0, 0, ACCEL_HW_MISMATCH) ||
	    !run(q, &read, 0, record, n - 1, NULL, 0, 0, ACCEL_HW_MALFORMED))
		return false;
	read.x.tls.records_hard = read.x.state.records = 1;
	store(c, &read);
	if (!run(q, &read, 0, record, n - 1, NULL, 0, 0, ACCEL_HW_EXPIRED))
		return false;
	write.x.state.sequence = is_dtls(&write) ? UINT64_C(1) << 48 : UINT64_MAX;
	store(c, &write);
	if (!run(q, &write, DATA, data, 5, NULL, 0, 0, ACCEL_HW_SEQUENCE_END) ||
	    !run(q, &write, ACCEL_HW_TLS_ALERT, data, 0, NULL, 0, 0, ACCEL_HW_MALFORMED))
		return false;
	write.x.tls.records_hard = write.x.state.records = 1;
	store(c, &write);
	if (!run(q, &write, ACCEL_HW_TLS_ALERT, data, 0, NULL, 0, 0, ACCEL_HW_EXPIRED))
		return false;
	return true;
}

/* The number of a read of TLS, which goes on whatever becomes of the record. */
static void
read_numbers(struct card *c)
{
	uint8_t data[64] = { 0 }, record[ROOM], padding[256];
	struct direction d;
	struct queue q;

	SKIP_UNLESS(c, there(c, ACCEL_HW_KIND_TLS12, GCM), "no TLS 1.2 with AES-GCM");
	if (!queue_open(&q, c))
		return;
	make(&d, ACCEL_HW_KIND_TLS12, GCM, false);
	store(c, &d);
	for (uint64_t i = 0; i < 20; i++) {
		const bool wrong = i % 3 == 1;
		const uint32_t n = record_of(&d, i, DATA, data, 20, padding, 0, record);

		record[n - 1] ^= wrong;
		if (!run(&q, &d, 0, record, n, data, 20, DATA,
			 wrong ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK))
			return;
		record[2] = 1;
		if (!run(&q, &d, 0, record, n, NULL, 0, 0, ACCEL_HW_MISMATCH))
			return;
		load(c, &d);
		CHECK(c, d.x.state.sequence == i + 1, "sequence %llu, wanted %llu",
		      (unsigned long long)d.x.state.sequence, (unsigned long long)i + 1);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
replay(struct card *c)
{
	static const uint64_t numbers[] = { 0, 0,  5,  3, 5,	68,  4,	  5,
					    69, 69, 6, 1000, 937, 936, 937 };
	static const bool taken[] = { 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0 };
	uint8_t data[64] = { 0 }, record[ROOM], padding[256];
	struct direction d;
	struct queue q;

	SKIP_UNLESS(c, there(c, ACCEL_HW_KIND_DTLS12, GCM) && c->tree.dtls12.window >= 64,
		    "no DTLS 1.2 with AES-GCM and a window of 64");
	if (!queue_open(&q, c))
		return;
	make(&d, ACCEL_HW_KIND_DTLS12, GCM, false);
	d.x.tls.replay_window = 64;
	store(c, &d);
	for (unsigned int i = 0; i < sizeof(taken); i++) {
		const uint32_t n = record_of(&d, numbers[i], DATA, data, 20, padding, 0, record);

		result_note(&c->result, "record %u with number %llu", i,
			    (unsigned long long)numbers[i]);
		if (!run(&q, &d, 0, record, n, data, 20, DATA,
			 taken[i] ? ACCEL_HW_OK : ACCEL_HW_REPLAY))
			return;
	}
	load(c, &d);
	CHECK(c, d.x.state.sequence == 1001, "sequence %llu, wanted 1001",
	      (unsigned long long)d.x.state.sequence);
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static bool
limits_part(struct queue *q, uint8_t kind, enum suite suite)
{
	uint8_t data[64] = { 0 }, record[ROOM], padding[256];
	struct card *c = q->card;
	struct direction write, read;

	make_both(&write, &read, kind, suite);
	write.x.tls.records_soft = read.x.tls.records_soft = 2;
	write.x.tls.records_hard = read.x.tls.records_hard = 3;
	/* The last numbers of all. */
	write.x.state.sequence = (is_dtls(&write) ? UINT64_C(1) << 48 : UINT64_MAX) - 3;
	read.x.state.sequence = write.x.state.sequence;
	store(c, &write);
	store(c, &read);
	for (unsigned int i = 0; i < 4; i++) {
		const uint16_t soft = i > 0 ? ACCEL_HW_TLS_INFO_SOFT : 0;
		const uint16_t status = i < 3 ? ACCEL_HW_OK : ACCEL_HW_EXPIRED;
		const uint32_t pad = padding_of(&write, 20, 0, padding);
		const uint32_t n = record_of(&write, write.x.state.sequence + i, DATA, data,
					     20, padding, pad, record);

		if (!run(q, &write, DATA, data, 20, record, n, soft, status) ||
		    !run(q, &read, 0, record, n, data, 20, soft | DATA, status))
			return false;
	}
	return true;
}

/* The tests of parts. */
#define FOR_EACH(name)                                                                             \
	static void name(struct card *c)                                                           \
	{                                                                                          \
		for_each(c, name##_part);                                                          \
	}
FOR_EACH(records)
FOR_EACH(in_place)
FOR_EACH(contexts)
FOR_EACH(commands)
FOR_EACH(room)
FOR_EACH(checks)
FOR_EACH(limits)

static const struct test_case tests[] = {
	{ "TLS-3 TLS-4 TLS-5 TLS-10 TLS-11 TLS-12 TLS-13 TLS-14 TLS-15",
	  "records of all kinds, with padding and types, both directions", records },
	{ "TLS-7", "in place, where the content keeps its place", in_place },
	{ "TLS-14", "IVs of the card for CBC: all differ", card_ivs },
	{ "TLS-1", "contexts out of range: BAD_CONTEXT", contexts },
	{ "TLS-2", "fields, flags and options that the direction does not have: BAD_COMMAND",
	  commands },
	{ "TLS-6", "room for the record or the largest content, and one byte less", room },
	{ "TLS-16", "wrong padding and wrong MACs: AUTH_FAILED", wrong_padding },
	{ "TLS-8 TLS-9 TLS-10", "the order of the checks", checks },
	{ "TLS-17", "a read of TLS takes its number whatever its status is", read_numbers },
	{ "TLS-18", "DTLS: each number once, none below the window", replay },
	{ "TLS-19 TLS-20", "the last numbers, soft and hard limits", limits },
};

const struct test_group tests_tls = TEST_GROUP("tls", tests);
