/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * TLS records on the model (manual 8.7): padding, numbers, replay window, limits, places, layouts,
 * and hostile contexts, commands and records. test_model_tls_peer.c has another end for most
 * suites. Here a small reference on OpenSSL makes CBC records with any padding, 3DES too.
 */
#include "model_op/model_tls.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#define DATA ACCEL_HW_TLS_APPLICATION_DATA
#define KEEP ACCEL_HW_TLS_CMD_KEEP_PLACE

static int
setup(void **state)
{
	(void)state;
	card_open_small(ACCEL_MODEL_ENGINE_AUTO, 512, 256);
	return 0;
}

/* The reference. */

static void
put_be(uint8_t *to, unsigned int bytes, uint64_t value)
{
	while (bytes-- > 0) {
		to[bytes] = (uint8_t)value;
		value >>= 8;
	}
}

/* Makes a CBC record with these bytes of padding (RFC 5246, 6.2.3.2). Returns its bytes. */
static uint32_t
ref_cbc(const struct accel_hw_tls_context *ctx, uint8_t type, uint64_t number, const uint8_t *data,
	uint32_t len, const uint8_t *padding, uint32_t padding_len, uint8_t *record)
{
	const struct accel_hw_context *c = &ctx->common;
	const bool dtls = c->kind == ACCEL_HW_KIND_DTLS12;
	const uint32_t header = tls_header(ctx), iv = c->iv_len;
	const uint16_t version = dtls ? 0xfefd : 0x0303;
	const EVP_MD *md = c->digest_len == 20 ? EVP_sha1() :
			   c->digest_len == 32 ? EVP_sha256() : EVP_sha384();
	const EVP_CIPHER *cipher = iv == 8		   ? EVP_des_ede3_cbc() :
				   c->cipher_key_len == 16 ? EVP_aes_128_cbc() : EVP_aes_256_cbc();
	const uint32_t text = len + c->digest_len + padding_len;
	EVP_CIPHER_CTX *evp = EVP_CIPHER_CTX_new();
	static uint8_t plain[RECORD_MAX];
	int n;

	if (dtls)
		number |= (uint64_t)ctx->tls.epoch << 48;
	put_be(plain, 8, number);
	plain[8] = type;
	put_be(plain + 9, 2, version);
	put_be(plain + 11, 2, len);
	memcpy(plain + 13, data, len);
	assert_non_null(HMAC(md, c->auth_key, c->auth_key_len, plain, 13 + len, plain + 13 + len,
			     NULL));
	memcpy(plain + 13 + len + c->digest_len, padding, padding_len);
	record[0] = type;
	put_be(record + 1, 2, version);
	if (dtls)
		put_be(record + 3, 8, number);
	put_be(record + header - 2, 2, iv + text);
	draw_bytes(record + header, iv);
	assert_int_equal(EVP_EncryptInit_ex(evp, cipher, NULL, c->cipher_key, record + header), 1);
	EVP_CIPHER_CTX_set_padding(evp, 0);
	assert_int_equal(EVP_EncryptUpdate(evp, record + header + iv, &n, plain + 13, (int)text),
			 1);
	assert_int_equal(n, text);
	EVP_CIPHER_CTX_free(evp);
	return header + iv + text;
}

/* A read context whose next number is fresh. */
static struct accel_hw_tls_context *
read_context(const struct tls_algs *a)
{
	struct accel_hw_tls_context *ctx = tls_context(a, false);

	ctx->state.sequence = draw(1000);
	return ctx;
}

/* The least number of bytes of padding, with that of its length. */
static uint32_t
least_padding(const struct tls_algs *a, uint32_t len)
{
	return a->iv - (len + a->digest) % a->iv;
}

/* Each padding that TLS allows is read, also that of the other ends. */
static void
test_every_padding(void **state)
{
	uint8_t padding[256], *data = pattern(100, 3), *record = filled(RECORD_MAX, 0);

	(void)state;
	for (unsigned int i = 0; i < TLS_CBC; i++) {
		struct accel_hw_tls_context *ctx = read_context(&tls_all[i]);
		const uint64_t first = ctx->state.sequence;

		for (uint32_t len = 0; len < 20; len++) {
			uint32_t p = least_padding(&tls_all[i], len);

			for (; p <= 256; p += tls_all[i].iv) {
				const uint32_t mark = h.used;
				uint32_t n;

				memset(padding, (int)(p - 1), p);
				n = ref_cbc(ctx, DATA, ctx->state.sequence, data, len, padding, p,
					    record);
				tls_read(ctx, record, n, DATA, data, len);
				h.used = mark;
			}
		}
		assert_int_equal(ctx->state.sequence - first, ctx->state.records);
		assert_int_equal(ctx->state.errors, 0);
	}
}

/* Any wrong byte of padding, and a padding longer than the record, have the status of a wrong MAC.
 * Nothing else differs either. */
static void
test_wrong_padding(void **state)
{
	uint8_t padding[256], *data = pattern(100, 3), *record = filled(RECORD_MAX, 0);
	uint8_t *out = filled(RECORD_MAX, 0xcc);

	(void)state;
	for (unsigned int i = 0; i < TLS_CBC; i++) {
		struct accel_hw_tls_context *ctx = read_context(&tls_all[i]);
		const uint32_t p = least_padding(&tls_all[i], 7) + 256 - 2 * tls_all[i].iv;
		uint64_t errors = 0;

		for (uint32_t at = 0; at <= p; at++, errors++) {
			const uint32_t mark = h.used;
			uint32_t n;

			memset(padding, (int)(p - 1), p);
			if (at < p)
				padding[at] ^= (uint8_t)(1 + draw(255));
			else
				padding[p - 1] = 255; /* longer than all */
			n = ref_cbc(ctx, DATA, ctx->state.sequence, data, 7, padding, p, record);
			tls_fails(ctx, 0, record, n, out, RECORD_MAX, ACCEL_HW_AUTH_FAILED);
			assert_int_equal(out[0], 0xcc);
			h.used = mark;
		}
		assert_int_equal(ctx->state.errors, errors);
		assert_int_equal(ctx->state.auth_errors, errors);
		assert_int_equal(ctx->state.records, 0);
	}
}

/* What a context writes, its other end reads: random lengths, types, padding, pieces. */

static void
post_pieces(const uint8_t *at, uint32_t len, bool tx)
{
	while (len > 0) {
		const uint32_t piece = draw(3) == 0 ? len : 1 + draw(len);
		const uint64_t next = piece < len ? NEXT : 0;

		if (tx)
			tx_frag(q, host_iova(&h, at), piece, next);
		else
			rx_frag(q, host_iova(&h, at), piece, next);
		at += piece;
		len -= piece;
	}
}

static struct accel_hw_response
run_split(const struct accel_hw_tls_context *ctx, uint32_t skip, const uint8_t *in, uint32_t len,
	  const uint8_t *out, uint32_t room)
{
	struct accel_hw_command *cmd = tls_command(ctx, len, skip);

	cmd->flags = room == 0 ? ACCEL_HW_CMD_NO_RX : 0;
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | (len > 0 ? NEXT : 0));
	post_pieces(in, len, true);
	post_pieces(out, room, false);
	q_ring(q);
	return q_response(q);
}

static uint32_t
random_padding(const struct tls_algs *a)
{
	if (a->kind == ACCEL_HW_KIND_TLS13)
		return draw(draw(8) ? 300 : 20000);
	return a->cipher == ACCEL_HW_CIPHER_AES_CBC || a->cipher == ACCEL_HW_CIPHER_3DES_CBC ?
		       draw(draw(8) ? 300 : 65536) : 0;
}

/* One record there and back, in place on the way back. */
static void
one_round(const struct tls_algs *a, struct accel_hw_tls_context *write,
	  struct accel_hw_tls_context *read)
{
	const uint32_t limit = a->kind == ACCEL_HW_KIND_TLS13 ? 16384 : 17408;
	const uint32_t len = draw(4) ? draw(200) : draw(20) ? draw(limit + 1) : limit;
	const uint8_t type = (uint8_t)(len == 0 ? 23 : 1 + draw(255));
	const uint32_t before = tls_header(write) + a->iv;
	uint8_t *data = host_alloc(&h, limit, 64), *room = filled(RECORD_MAX + 64, 0xcc);
	uint8_t *record = room + 32 - before; /* the content would keep its place */
	struct accel_hw_response rsp;
	uint32_t n;

	draw_bytes(data, len);
	rsp = run_split(write, type | random_padding(a) << 16, data, len, record, RECORD_MAX);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	n = rsp.produced;
	assert_int_equal(record[0], a->kind == ACCEL_HW_KIND_TLS13 ? 23 : type);
	assert_int_equal(record[tls_header(write) - 2] << 8 | record[tls_header(write) - 1],
			 n - tls_header(write));
	rsp = run_split(read, KEEP, record, n, record, n);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.produced, len);
	assert_int_equal(rsp.info, type | before << 8);
	assert_memory_equal(record + before, data, len);
}

static void
test_round_trips(void **state)
{
	(void)state;
	for (unsigned int round = 0; round < 20; round++) {
		for (unsigned int i = 0; i < TLS_ALL; i++) {
			const uint32_t mark = h.used;
			struct accel_hw_tls_context *write = tls_context(&tls_all[i], true), *read;

			write->state.sequence = draw64() >> (draw_bool() ? 32 : 17);
			write->tls.epoch = tls_all[i].kind == ACCEL_HW_KIND_DTLS12 ?
						   (uint16_t)draw64() : 0;
			read = tls_other_end(write);
			for (unsigned int n = 0; n < 5; n++)
				one_round(&tls_all[i], write, read);
			assert_int_equal(write->state.records, 5);
			assert_int_equal(read->state.records, 5);
			assert_int_equal(write->state.bytes, read->state.bytes);
			assert_int_equal(write->state.sequence, read->state.sequence);
			h.used = mark;
		}
	}
}

/* Write in place: the result begins before the source, and the content stays. With "overlap" it may
 * also begin at the source. */
static void
test_write_in_place(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < TLS_ALL; i++) {
		struct accel_hw_tls_context *write = tls_context(&tls_all[i], true);
		struct accel_hw_tls_context *read = tls_other_end(write);
		const uint32_t before = tls_header(write) + tls_all[i].iv;
		uint8_t *room = filled(1000, 0), *data = pattern(500, 9);
		struct accel_hw_response rsp;

		for (unsigned int shift = 0; shift < 2; shift++) {
			const uint32_t back = shift == 0 ? before : 0;

			memcpy(room + 64, data, 500);
			rsp = tls_run(write, DATA, room + 64, 500, room + 64 - back, 900);
			assert_int_equal(rsp.status, ACCEL_HW_OK);
			tls_read(read, room + 64 - back, rsp.produced, DATA, data, 500);
		}
	}
}

/* TLS 1.3: the least payload, and records whose inner text has no type, or an empty alert. */
static void
test_tls13_inner(void **state)
{
	const struct tls_algs *a = &tls_all[TLS_ALL - 4]; /* AES-128-GCM */
	struct accel_hw_tls_context *write = tls_context(a, true), *read;
	uint8_t *data = filled(64, 0), *record = filled(RECORD_MAX, 0);
	uint8_t *out = filled(RECORD_MAX, 0);
	uint8_t nonce[12], tag[16];
	EVP_CIPHER_CTX *evp = EVP_CIPHER_CTX_new();
	int n;

	(void)state;
	write->tls.payload_min = 100;
	read = tls_other_end(write);
	assert_int_equal(tls_write(write, DATA, data, 10, record), 5 + 100 + 1 + 16);
	tls_read(read, record, 122, DATA, data, 10);
	assert_int_equal(tls_write(write, DATA | 200u << 16, data, 10, record), 5 + 210 + 1 + 16);
	tls_read(read, record, 232, DATA, data, 10);
	assert_int_equal(tls_write(write, DATA | 50u << 16, data, 60, record), 5 + 110 + 1 + 16);
	tls_read(read, record, 132, DATA, data, 60);

	for (unsigned int bad = 0; bad < 2; bad++) {
		const uint8_t text[4] = { bad ? ACCEL_HW_TLS_ALERT : 0, 0, 0, 0 };

		memcpy(nonce, read->tls.fixed_iv, 12);
		nonce[11] ^= (uint8_t)read->state.sequence;
		memcpy(record, "\x17\x03\x03\x00\x14", 5);
		assert_int_equal(EVP_EncryptInit_ex(evp, EVP_aes_128_gcm(), NULL,
						    read->common.cipher_key, nonce), 1);
		EVP_EncryptUpdate(evp, NULL, &n, record, 5);
		EVP_EncryptUpdate(evp, record + 5, &n, text, 4);
		EVP_EncryptFinal_ex(evp, record + 9, &n);
		EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_GET_TAG, 16, tag);
		memcpy(record + 9, tag, 16);
		tls_fails(read, 0, record, 25, out, RECORD_MAX, ACCEL_HW_MALFORMED);
	}
	EVP_CIPHER_CTX_free(evp);
	assert_int_equal(read->state.errors, 2);
	assert_int_equal(read->state.auth_errors, 0);
}

/* Numbers. */

/* Records under way together have numbers that follow each other, and so have their readers. */
static void
test_many_under_way(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < TLS_ALL; i++) {
		const uint32_t mark = h.used;
		struct accel_hw_tls_context *write = tls_context(&tls_all[i], true);
		struct accel_hw_tls_context *read = tls_other_end(write);
		uint8_t *data = pattern(64, 1), *record[64], *out = filled(64 * 256, 0);
		uint32_t len[64];

		for (unsigned int n = 0; n < 64; n++) {
			record[n] = filled(256, 0);
			q_post(q, tls_command(write, 1 + n, DATA), data, 1 + n, record[n], 256);
		}
		q_ring(q);
		for (unsigned int n = 0; n < 64; n++) {
			const struct accel_hw_response rsp = q_response(q);

			assert_int_equal(rsp.status, ACCEL_HW_OK);
			len[n] = rsp.produced;
		}
		for (unsigned int n = 0; n < 64; n++)
			q_post(q, tls_command(read, len[n], 0), record[n], len[n], out + 256 * n,
			       256);
		q_ring(q);
		for (unsigned int n = 0; n < 64; n++) {
			const struct accel_hw_response rsp = q_response(q);

			assert_int_equal(rsp.status, ACCEL_HW_OK);
			assert_int_equal(rsp.produced, 1 + n);
			assert_memory_equal(out + 256 * n, data, 1 + n);
		}
		assert_int_equal(write->state.sequence, 64);
		assert_int_equal(read->state.sequence, 64);
		h.used = mark;
	}
}

/* The index of the first suite of a kind that is an AEAD. */
static const struct tls_algs *
gcm_of(uint8_t kind)
{
	for (unsigned int i = 0; i < TLS_ALL; i++) {
		if (tls_all[i].kind == kind && tls_all[i].cipher == ACCEL_HW_AEAD_AES_GCM)
			return &tls_all[i];
	}
	return NULL;
}

static void
test_last_number(void **state)
{
	static const struct {
		uint8_t kind;
		uint64_t last;
	} kinds[] = { { ACCEL_HW_KIND_TLS12, UINT64_MAX - 1 },
		      { ACCEL_HW_KIND_TLS13, UINT64_MAX - 1 },
		      { ACCEL_HW_KIND_DTLS12, (UINT64_C(1) << 48) - 1 } };
	uint8_t *data = pattern(64, 1), *record = filled(256, 0), *out = filled(256, 0);

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		const struct tls_algs *a = gcm_of(kinds[i].kind);
		struct accel_hw_tls_context *write = tls_context(a, true), *read;
		uint32_t len;

		write->state.sequence = kinds[i].last;
		read = tls_other_end(write);
		len = tls_write(write, DATA, data, 20, record);
		tls_fails(write, DATA, data, 20, out, 256, ACCEL_HW_SEQUENCE_END);
		assert_int_equal(write->state.sequence, kinds[i].last + 1);
		assert_int_equal(write->state.records, 1);
		assert_int_equal(write->state.errors, 1);
		tls_read(read, record, len, DATA, data, 20);
		assert_int_equal(read->state.sequence, kinds[i].last + 1);
		if (kinds[i].kind != ACCEL_HW_KIND_DTLS12)
			tls_fails(read, 0, record, len, out, 256, ACCEL_HW_SEQUENCE_END);
	}
}

/* A read of TLS takes its number whatever becomes of it, but not if the header is wrong. */
static void
test_read_takes_number(void **state)
{
	struct accel_hw_tls_context *write = tls_context(gcm_of(ACCEL_HW_KIND_TLS12), true);
	struct accel_hw_tls_context *read = tls_other_end(write);
	uint8_t *data = pattern(64, 1), *record = filled(256, 0), *out = filled(256, 0);
	uint32_t len;

	(void)state;
	len = tls_write(write, DATA, data, 20, record);
	record[2] = 1; /* TLS 1.0 */
	tls_fails(read, 0, record, len, out, 256, ACCEL_HW_MISMATCH);
	assert_int_equal(read->state.sequence, 0);
	record[2] = 3;
	record[20] ^= 1;
	tls_fails(read, 0, record, len, out, 256, ACCEL_HW_AUTH_FAILED);
	assert_int_equal(read->state.sequence, 1);
	len = tls_write(write, DATA, data, 30, record);
	tls_read(read, record, len, DATA, data, 30);
	assert_int_equal(read->state.errors, 2);
}

/* DTLS: any order, each number once, nothing below the window, no forged number moves it. */
static void
test_replay(void **state)
{
	static const uint32_t windows[] = { 1, 2, 63, 64, 65, 1000, 4096 };
	uint8_t *data = pattern(64, 1), *out = filled(256, 0), *forged = filled(256, 0);

	(void)state;
	for (unsigned int w = 0; w < sizeof(windows) / sizeof(windows[0]); w++) {
		const uint32_t mark = h.used, span = 3 * windows[w] + 10;
		const struct tls_algs *a = gcm_of(ACCEL_HW_KIND_DTLS12);
		struct accel_hw_tls_context *write = tls_context(a, true);
		struct accel_hw_tls_context *read = tls_other_end(write);
		static bool seen[3 * 4096 + 10];
		uint8_t *record = filled(256, 0);
		int64_t top = -1;

		memset(seen, 0, sizeof(seen));
		read->tls.replay_window = windows[w];
		for (unsigned int n = 0; n < 500; n++) {
			const uint32_t inner = h.used, number = draw(span);
			const bool old = (int64_t)number + windows[w] <= top;
			struct accel_hw_response rsp;
			uint32_t len;

			write->state.sequence = number;
			write->common.generation = ++tls_generation; /* the state is new */
			len = tls_write(write, DATA, data, 20, record);
			memcpy(forged, record, len);
			forged[len - 1] ^= 1;
			rsp = tls_run(read, 0, forged, len, out, 256);
			assert_int_equal(rsp.status, seen[number] || old ? ACCEL_HW_REPLAY :
									   ACCEL_HW_AUTH_FAILED);
			rsp = tls_run(read, 0, record, len, out, 256);
			assert_int_equal(rsp.status, seen[number] || old ? ACCEL_HW_REPLAY :
									   ACCEL_HW_OK);
			seen[number] |= !old;
			top = number > top ? number : top;
			assert_int_equal(read->state.sequence, top + 1);
			h.used = inner;
		}
		h.used = mark;
	}
}

/* A window with all bits set: what is below the first number counts as received (manual 8.7). */
static void
test_window_of_ones(void **state)
{
	struct accel_hw_tls_context *write = tls_context(gcm_of(ACCEL_HW_KIND_DTLS12), true);
	struct accel_hw_tls_context *read = tls_other_end(write);
	uint8_t *data = pattern(64, 1), *record = filled(256, 0), *out = filled(256, 0);

	(void)state;
	read->tls.replay_window = 64;
	read->state.sequence = 100;
	memset(read->state.window, 0xff, sizeof(read->state.window));
	for (uint32_t number = 30; number < 300; number++) {
		const uint32_t mark = h.used;
		uint32_t len;

		write->state.sequence = number;
		write->common.generation = ++tls_generation; /* the state is new */
		len = tls_write(write, DATA, data, 20, record);
		assert_int_equal(tls_run(read, 0, record, len, out, 256).status,
				 number < 100 ? ACCEL_HW_REPLAY : ACCEL_HW_OK);
		h.used = mark;
	}
}

/* The same record twice, both under way: one is read. */
static void
test_twins_under_way(void **state)
{
	struct accel_hw_tls_context *write = tls_context(gcm_of(ACCEL_HW_KIND_DTLS12), true);
	struct accel_hw_tls_context *read = tls_other_end(write);
	uint8_t *data = pattern(64, 1), *record = filled(256, 0), *out = filled(512, 0);
	const uint32_t len = tls_write(write, DATA, data, 20, record);

	(void)state;
	read->tls.replay_window = 64;
	q_post(q, tls_command(read, len, 0), record, len, out, 256);
	q_post(q, tls_command(read, len, 0), record, len, out + 256, 256);
	q_ring(q);
	assert_int_equal(q_response(q).status, ACCEL_HW_OK);
	assert_int_equal(q_response(q).status, ACCEL_HW_REPLAY);
	assert_int_equal(read->state.records, 1);
	assert_int_equal(read->state.replay_errors, 1);
}

static void
test_limits(void **state)
{
	struct accel_hw_tls_context *ctx[2];
	uint8_t *data = pattern(64, 1), *record = filled(256, 0), *out = filled(256, 0);

	(void)state;
	for (unsigned int i = 0; i < TLS_ALL; i++) {
		const uint32_t mark = h.used;

		ctx[0] = tls_context(&tls_all[i], true);
		ctx[0]->tls.records_soft = 2;
		ctx[0]->tls.records_hard = 4;
		ctx[1] = tls_other_end(ctx[0]);
		for (unsigned int n = 1; n <= 4; n++) {
			const uint16_t soft = n >= 2 ? ACCEL_HW_TLS_INFO_SOFT : 0;
			struct accel_hw_response rsp = tls_run(ctx[0], DATA, data, 9, record, 256);

			assert_int_equal(rsp.status, ACCEL_HW_OK);
			assert_int_equal(rsp.info, soft);
			rsp = tls_run(ctx[1], 0, record, rsp.produced, out, 256);
			assert_int_equal(rsp.status, ACCEL_HW_OK);
			assert_int_equal(rsp.info, soft | DATA);
		}
		tls_fails(ctx[0], DATA, data, 9, out, 256, ACCEL_HW_EXPIRED);
		tls_fails(ctx[0], DATA, data, 20000, out, 30000, ACCEL_HW_EXPIRED); /* check 1 */
		tls_fails(ctx[1], 0, data, 9, out, 256, ACCEL_HW_EXPIRED);
		assert_int_equal(ctx[0]->state.records, 4);
		assert_int_equal(ctx[1]->state.records, 4);
		h.used = mark;
	}
}

/* Hostile input. */

static void
test_contexts(void **state)
{
	struct accel_hw_tls_context *good, *bad;
	uint8_t *data = filled(64, 1), *out = filled(256, 0xcc);
	unsigned int refused = 0;

	(void)state;
	for (unsigned int i = 0; i < TLS_ALL; i++) {
		for (unsigned int write = 0; write < 2; write++) {
			/* Bytes of the context whose change is never right. */
			static const uint16_t wrong[] = { 0x04, 0x07, 0x08, 0x0a, 0x0c, 0x0e, 0x10,
							  0x11, 0x12, 0x14, 0x18, 0x1c, 0x140 + 3,
							  0x14a, 0x16c, 0x1bf };

			good = tls_context(&tls_all[i], write);
			for (unsigned int n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
				const uint32_t mark = h.used;

				bad = tls_other_end(good);
				bad->common.flags = good->common.flags;
				/* GCM plus 1 would be CCM. */
				((uint8_t *)bad)[wrong[n]] += wrong[n] == 0x08 ? 12 : 1;
				tls_fails(bad, 0, data, 64, out, 256, ACCEL_HW_BAD_CONTEXT);
				refused++;
				h.used = mark;
			}
		}
	}
	assert_int_equal(refused, TLS_ALL * 2 * 16);
	assert_int_equal(out[0], 0xcc);
}

/* Fields that one kind or direction has and another one has not. */
static void
test_contexts_by_kind(void **state)
{
	uint8_t *data = filled(64, 1), *out = filled(512, 0xcc);

	(void)state;
	for (unsigned int i = 0; i < TLS_ALL; i++) {
		const struct tls_algs *a = &tls_all[i];

		for (unsigned int field = 0; field < 7; field++) {
			for (unsigned int write = 0; write < 2; write++) {
				const bool dtls = a->kind == ACCEL_HW_KIND_DTLS12;
				const bool tls13 = a->kind == ACCEL_HW_KIND_TLS13;
				struct accel_hw_tls_context *ctx = tls_context(a, write);
				const bool allowed[] = { write && a->iv != 0, dtls && !write, false,
							 dtls, write && tls13, false,
							 a->auth == 0 && a->iv == 0 };
				struct accel_hw_response rsp;
				const uint32_t mark = h.used;

				ctx->tls.options = field == 0 ? ACCEL_HW_TLS_IV_GIVEN : 0;
				ctx->tls.replay_window = field == 1 ? 4096 : field == 2 ? 4097 : 0;
				ctx->tls.epoch = field == 3 ? 7 : 0;
				ctx->tls.payload_min = field == 4 ? 100 : field == 5 ? 16385 : 0;
				if (field == 6)
					ctx->tls.fixed_iv[11] = 1;
				else
					memset(ctx->tls.fixed_iv + 4, 0, 8);
				rsp = tls_run(ctx, write ? DATA : 0, data, 64, out, 512);
				assert_int_equal(rsp.status == ACCEL_HW_BAD_CONTEXT,
						 !allowed[field]);
				h.used = mark;
			}
		}
	}
}

static void
test_commands(void **state)
{
	uint8_t *data = filled(64, 1), *out = filled(512, 0xcc);

	(void)state;
	for (unsigned int i = 0; i < TLS_ALL; i++) {
		const uint32_t mark = h.used;
		const struct tls_algs *a = &tls_all[i];
		const bool pads = i < TLS_CBC || a->kind == ACCEL_HW_KIND_TLS13;
		struct accel_hw_tls_context *write = tls_context(a, true);
		struct accel_hw_tls_context *read = tls_context(a, false);
		const uint32_t room = tls_header(write) + a->iv + 64 + a->digest +
				      (a->kind == ACCEL_HW_KIND_TLS13);
		struct accel_hw_response rsp;

		tls_fails(write, DATA | KEEP, data, 64, out, 512, ACCEL_HW_BAD_COMMAND);
		tls_fails(write, DATA | 0x200, data, 64, out, 512, ACCEL_HW_BAD_COMMAND);
		tls_fails(read, DATA, data, 64, out, 512, ACCEL_HW_BAD_COMMAND);
		tls_fails(read, 1u << 16, data, 64, out, 512, ACCEL_HW_BAD_COMMAND);
		rsp = tls_run(write, DATA | 8u << 16, data, 64, out, 512);
		assert_int_equal(rsp.status, pads ? ACCEL_HW_OK : ACCEL_HW_BAD_COMMAND);
		tls_fails(write, DATA, data, 64, out, room - 1, ACCEL_HW_OUTPUT_TOO_SMALL);
		if (i >= TLS_CBC) {
			rsp = tls_run(write, DATA, data, 64, out, room);
			assert_int_equal(rsp.status, ACCEL_HW_OK);
			assert_int_equal(rsp.produced, room);
		}
		h.used = mark;
	}
}

/* Records that no one can take, in the order of the checks. */
static void
test_records(void **state)
{
	uint8_t *data = pattern(64, 1), *record = filled(RECORD_MAX + 600, 0);
	uint8_t *out = filled(RECORD_MAX + 600, 0xcc);

	(void)state;
	for (unsigned int i = 0; i < TLS_ALL; i++) {
		const uint32_t mark = h.used;
		struct accel_hw_tls_context *write = tls_context(&tls_all[i], true);
		struct accel_hw_tls_context *read = tls_other_end(write);
		const uint32_t header = tls_header(write);
		const bool tls13 = tls_all[i].kind == ACCEL_HW_KIND_TLS13;
		const uint32_t most = tls13 ? 16640 : 18432;
		uint32_t len = tls_write(write, DATA, data, 40, record);

		/* Another length than that of the rest, cut at any place, and no header at all. */
		for (uint32_t cut = 1; cut < len; cut++)
			tls_fails(read, 0, record, cut, out, 512, ACCEL_HW_MALFORMED);
		tls_fails(read, 0, record, len + 1, out, 512, ACCEL_HW_MALFORMED);
		record[header - 1]++;
		tls_fails(read, 0, record, len, out, 512, ACCEL_HW_MALFORMED);
		record[header - 1]--;
		/* Too long for any record, and less than the least. */
		put_be(record + header - 2, 2, most + 16);
		tls_fails(read, 0, record, header + most + 16, out, RECORD_MAX + 600,
			  ACCEL_HW_MALFORMED);
		put_be(record + header - 2, 2, 7);
		tls_fails(read, 0, record, header + 7, out, 512, ACCEL_HW_MALFORMED);
		put_be(record + header - 2, 2, len - header);
		/* Of another connection. */
		record[tls13 ? 0 : 1] ^= 1;
		tls_fails(read, 0, record, len, out, 512, ACCEL_HW_MISMATCH);
		record[tls13 ? 0 : 1] ^= 1;
		if (header == 13) {
			record[4] ^= 1; /* epoch */
			tls_fails(read, 0, record, len, out, 512, ACCEL_HW_MISMATCH);
			record[4] ^= 1;
		}
		assert_int_equal(read->state.sequence, 0);
		tls_read(read, record, len, DATA, data, 40);
		/* Content that may not be written. */
		for (uint8_t type = 20; type <= 22; type++)
			tls_fails(write, type, data, 0, out, 512, ACCEL_HW_MALFORMED);
		tls_fails(write, DATA, record, tls13 ? 16385 : 17409, out, RECORD_MAX + 600,
			  ACCEL_HW_MALFORMED);
		if (tls13)
			tls_fails(write, 0, data, 5, out, 512, ACCEL_HW_MALFORMED);
		assert_int_equal(write->state.sequence, 1);
		assert_int_equal(write->state.errors, tls13 ? 5 : 4);
		h.used = mark;
	}
}

/* Random bytes as records and contexts: an answer each, and only the result is written. */
static void
test_random_input(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 4000; n++) {
		const uint32_t mark = h.used, len = draw(600), room = draw(700);
		struct accel_hw_tls_context *ctx =
			tls_context(&tls_all[draw(TLS_ALL)], draw_bool());
		uint8_t *in = host_alloc(&h, len + 1, 64), *out = filled(room + 65, 0xcc);
		const uint32_t header = tls_header(ctx);
		struct accel_hw_response rsp;

		draw_bytes(in, len);
		if (len > header && draw(4)) {
			memcpy(in, header == 5 ? "\x17\x03\x03" : "\x17\xfe\xfd", 3);
			put_be(in + header - 2, 2, len - header);
			if (header == 13)
				put_be(in + 3, 2, 1);
		}
		if (draw(8) == 0)
			draw_bytes(&ctx->state, sizeof(ctx->state));
		if (draw(8) == 0)
			draw_bytes((uint8_t *)&ctx->tls + draw(128), 1);
		rsp = run_split(ctx, draw(draw_bool() ? 0x100 : 0x200), in, len, out, room);
		assert_true(rsp.status < ACCEL_HW_STATUS_NB);
		assert_true(rsp.status == ACCEL_HW_OK || rsp.info == 0);
		assert_int_equal(out[room], 0xcc);
		h.used = mark;
	}
}

/* A state that cannot be written: no record is sent with a number that may come again. */
static void
test_state_not_accessible(void **state)
{
	struct accel_hw_tls_context *ctx = tls_context(gcm_of(ACCEL_HW_KIND_DTLS12), true);
	uint8_t *data = filled(64, 1), *out = filled(256, 0xcc), *page = filled(8192, 0);
	uint8_t *at = (uint8_t *)(((uintptr_t)page + 4095) & ~(uintptr_t)4095);
	struct accel_hw_tls_context *last = (void *)(at - 448);

	(void)state;
	memcpy(last, ctx, 448);
	assert_int_equal(accel_function_dma_unmap(h.fn, host_iova(&h, at), 4096), 0);
	tls_fails(last, DATA, data, 64, out, 256, ACCEL_HW_DMA_FAULT);
	assert_int_equal(out[0], 0xcc);
	assert_int_equal(accel_function_dma_map(h.fn, host_iova(&h, at), at, 4096,
						ACCEL_MODEL_DMA_READ), 0);
	tls_fails(last, DATA, data, 64, out, 256, ACCEL_HW_DMA_FAULT);
	assert_int_equal(out[0], 0xcc);
}

/* Large padding of many small records takes more room than their content. */
static void
test_much_padding(void **state)
{
	struct accel_hw_tls_context *write = tls_context(&tls_all[TLS_ALL - 1], true);
	struct accel_hw_tls_context *read = tls_other_end(write);
	uint8_t *data = pattern(64, 1), *records = filled(200 * 16704, 0);

	(void)state;
	for (unsigned int n = 0; n < 200; n++)
		q_post(q, tls_command(write, 3, DATA | 0xffffu << 16), data, 3, records + n * 16704,
		       16704);
	q_ring(q);
	for (unsigned int n = 0; n < 200; n++) {
		const struct accel_hw_response rsp = q_response(q);

		assert_int_equal(rsp.status, ACCEL_HW_OK);
		assert_int_equal(rsp.produced, 5 + 16384 + 1 + 16);
	}
	for (unsigned int n = 0; n < 200; n++) {
		const uint32_t mark = h.used;

		tls_read(read, records + n * 16704, 16406, DATA, data, 3);
		h.used = mark;
	}
}

/* A card of an older contract, and one of OpenSSL alone. */
static void
test_cards(void **state)
{
	struct accel_model_config config = { .nb_queue_pairs = 1, .nb_workers = 1,
					     .contract = accel_model_contract_of(2) };
	uint8_t *data, *out;
	const void *fdt;

	(void)state;
	card_open(&config, 64, 64);
	fdt = h.bar + rd32(&h.id->dt_offset);
	assert_true(fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_TLS12) < 0);
	data = filled(64, 1);
	out = filled(256, 0xcc);
	tls_fails(tls_context(&tls_all[TLS_ALL - 1], true), DATA, data, 64, out, 256,
		  ACCEL_HW_BAD_CONTEXT);
	host_close(&h);
	card_open_small(ACCEL_MODEL_ENGINE_OPENSSL, 64, 64);
	fdt = h.bar + rd32(&h.id->dt_offset);
	assert_true(fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_TLS12) >= 0);
	assert_true(fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_TLS13) >= 0);
	assert_true(fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_DTLS12) >= 0);
	for (unsigned int i = 0; i < TLS_ALL; i++) {
		struct accel_hw_tls_context *write = tls_context(&tls_all[i], true);

		one_round(&tls_all[i], write, tls_other_end(write));
	}
	host_close(&h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_every_padding),
		TEST(test_wrong_padding),
		TEST(test_round_trips),
		TEST(test_write_in_place),
		TEST(test_tls13_inner),
		TEST(test_many_under_way),
		TEST(test_last_number),
		TEST(test_read_takes_number),
		TEST(test_replay),
		TEST(test_window_of_ones),
		TEST(test_twins_under_way),
		TEST(test_limits),
		TEST(test_contexts),
		TEST(test_contexts_by_kind),
		TEST(test_commands),
		TEST(test_records),
		TEST(test_random_input),
		TEST(test_state_not_accessible),
		TEST(test_much_padding),
		cmocka_unit_test(test_cards),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
