/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests TLS records (manual 8.7) of TLS 1.2, TLS 1.3 and DTLS 1.2: see tls.h.
 */
#include <string.h>

#include "reference/tls.h"
#include "tests_protocol.h"

/* Run records in both directions. */

static void
records(struct card *c)
{
	uint8_t data[TLS_ROOM], record[TLS_ROOM + 512], padding[256], kind;
	enum tls_suite suite;
	struct queue q;

	if (!tls_any(c) || !queue_open(&q, c))
		return;
	TLS_EACH(c, kind, suite) {
		struct tls_direction write, read;
		uint64_t number = card_random(c) >> 17;

		tls_make(c, &write, kind, suite, true);
		if (suite == TLS_CBC)
			write.x.tls.options = ACCEL_HW_TLS_IV_GIVEN;
		tls_make(c, &read, kind, suite, false);
		write.x.state.sequence = read.x.state.sequence = number;
		tls_store(c, &write);
		tls_store(c, &read);
		for (unsigned int i = 0; i < 40; i++, number++) {
			const uint32_t len = i < 20 ? i : (uint32_t)(card_random(c) % 1000);
			const uint8_t type =
				(uint8_t)(i < 20 ? TLS_DATA : 24 + card_random(c) % 200);
			const uint32_t blocks = suite == TLS_CBC ? i % 4 : 0;
			const uint32_t extra = suite == TLS_CBC ? 16 * blocks : 5 * i;
			const bool pads = suite == TLS_CBC || tls_is_13(&write);
			const uint32_t before = tls_header(&read) + read.x.common.iv_len;
			uint32_t pad = tls_padding(&write, len, blocks, padding), n;

			tls_fill(c, data, len);
			if (tls_is_13(&write))
				pad = extra;
			n = tls_record(&write, number, type, data, len, padding, pad, record);
			result_note(&c->result, "kind %u, suite %u, number %#llx, type %u, %u "
				    "bytes, padding %u", kind, suite, (unsigned long long)number,
				    type, len, pad);
			if (!tls_run(&q, &write, type | (pads ? extra : 0) << 16, data, len, record,
				     n, 0, ACCEL_HW_OK) ||
			    !tls_run(&q, &read, i % 2 ? ACCEL_HW_TLS_CMD_KEEP_PLACE : 0, record, n,
				     data, len, (uint16_t)(type | (i % 2 ? before : 0) << 8),
				     ACCEL_HW_OK))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run records in place. The content keeps its place. */
static void
in_place(struct card *c)
{
	uint8_t data[256], record[TLS_ROOM], padding[256], kind;
	enum tls_suite suite;
	struct queue q;

	if (!tls_any(c) || !queue_open(&q, c))
		return;
	TLS_EACH(c, kind, suite) {
		struct tls_direction d;
		struct request r;
		uint32_t pad, n, before;

		tls_make(c, &d, kind, suite, true);
		if (suite == TLS_CBC)
			d.x.tls.options = ACCEL_HW_TLS_IV_GIVEN;
		tls_store(c, &d);
		before = tls_header(&d) + d.x.common.iv_len;
		tls_fill(c, data, 200);
		pad = tls_padding(&d, 200, 0, padding);
		n = tls_record(&d, 0, TLS_DATA, data, 200, padding, pad, record);
		tls_request(c, &r, &d, TLS_DATA, data, 200, 0);
		r.in[0].iova = memory_get(&c->memory, MEMORY_LOW, TLS_ROOM, 1) + 64;
		memory_write(&c->memory, r.in[0].iova, data, 200);
		request_out(&r, r.in[0].iova - before, n);
		r.output = record;
		r.produced = n;
		if (!tls_run_request(&q, &d, &r, ACCEL_HW_OK))
			return;
		tls_make(c, &d, kind, suite, false);
		tls_store(c, &d);
		tls_request(c, &r, &d, ACCEL_HW_TLS_CMD_KEEP_PLACE, record, n, 0);
		request_out(&r, r.in[0].iova, n);
		r.output = data;
		r.produced = 200;
		r.left = before;
		r.info = (uint16_t)(TLS_DATA | before << 8);
		if (!tls_run_request(&q, &d, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check the IVs that the card makes. Those of CBC all differ, and their records can be read. */
static void
card_ivs(struct card *c)
{
	uint8_t data[32] = { 0 }, seen[32][16];
	struct tls_direction write, read;
	struct queue q;
	uint64_t used;

	SKIP_UNLESS(c, tls_there(c, ACCEL_HW_KIND_TLS12, TLS_CBC), "no TLS 1.2 with AES-CBC");
	if (!queue_open(&q, c))
		return;
	tls_make(c, &write, ACCEL_HW_KIND_TLS12, TLS_CBC, true);
	tls_make(c, &read, ACCEL_HW_KIND_TLS12, TLS_CBC, false);
	tls_store(c, &write);
	tls_store(c, &read);
	used = c->memory.part[MEMORY_LOW].used;
	for (unsigned int i = 0; i < 32; i++) {
		uint8_t record[128];
		struct request r;

		c->memory.part[MEMORY_LOW].used = used;
		tls_request(c, &r, &write, TLS_DATA, data, 32, TLS_ROOM);
		r.produced = 5 + 16 + 32 + TLS_MAC + 16;
		if (!tls_run_request(&q, &write, &r, ACCEL_HW_OK))
			return;
		memory_read(&c->memory, r.out[0].iova, record, r.produced);
		memcpy(seen[i], record + 5, 16);
		for (unsigned int j = 0; j < i; j++)
			CHECK(c, memcmp(seen[i], seen[j], 12) != 0, "IVs %u and %u begin alike", j,
			      i);
		if (!tls_run(&q, &read, 0, record, r.produced, data, 32, TLS_DATA, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check which contexts the card refuses. */

static void
contexts(struct card *c)
{
	uint8_t data[64] = { 0 }, kind;
	enum tls_suite suite;
	struct queue q;

	if (!tls_any(c) || !queue_open(&q, c))
		return;
	TLS_EACH(c, kind, suite) {
		for (unsigned int i = 0; i < 24; i++) {
			struct tls_direction d;
			struct accel_hw_tls *t = &d.x.tls;

			c->memory.part[MEMORY_LOW].used = used_;
			tls_make(c, &d, kind, suite, i % 2);
			d.x.common.iv_len += i / 2 == 0;
			d.x.common.auth_iv_len += i / 2 == 1;
			d.x.common.digest_len -= i / 2 == 2;
			d.x.common.cipher_key_len += i / 2 == 3 ? 8 : 0;
			d.x.common.auth_key_len += i / 2 == 4;
			t->options = i / 2 == 5 ? 2 : i == 12 ? ACCEL_HW_TLS_IV_GIVEN : 0;
			t->replay_window = i / 2 == 7 ? tls_node(c, kind)->window + 1 :
					   i == 13    ? 64 : 0;
			t->reserved = i / 2 == 8;
			t->reserved2[83] = i / 2 == 9;
			t->payload_min = i / 2 == 10 ? 16385 : 0;
			if (i / 2 == 11 && (suite != TLS_GCM || kind != ACCEL_HW_KIND_TLS13))
				t->fixed_iv[11] ^= 1;
			else if (i / 2 == 11)
				continue;
			tls_store(c, &d);
			result_note(&c->result, "kind %u, suite %u, case %u", kind, suite, i);
			if (!tls_run(&q, &d, i % 2 ? TLS_DATA : 0, data, 64, NULL, 0, 0,
				     ACCEL_HW_BAD_CONTEXT))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
commands(struct card *c)
{
	uint8_t data[64] = { 0 }, kind;
	enum tls_suite suite;
	struct queue q;

	if (!tls_any(c) || !queue_open(&q, c))
		return;
	TLS_EACH(c, kind, suite) {
		for (unsigned int i = 0; i < 14; i++) {
			const bool write = i < 8;
			struct tls_direction d;
			struct request r;

			c->memory.part[MEMORY_LOW].used = used_;
			tls_make(c, &d, kind, suite, write);
			tls_store(c, &d);
			tls_request(c, &r, &d, write ? TLS_DATA : 0, data, 64, TLS_ROOM);
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
				r.cmd.skip |= write ? ACCEL_HW_TLS_CMD_KEEP_PLACE : TLS_DATA;
			else if (suite == TLS_CBC || tls_is_13(&d))
				continue;
			else
				r.cmd.skip |= 8u << 16;
			result_note(&c->result, "kind %u, suite %u, case %u", kind, suite, i);
			if (!request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check result frames that have just the room that is needed, and one byte less. */
static void
room(struct card *c)
{
	uint8_t data[256], record[TLS_ROOM], padding[256], kind;
	enum tls_suite suite;
	struct queue q;

	if (!tls_any(c) || !queue_open(&q, c))
		return;
	TLS_EACH(c, kind, suite) {
		struct tls_direction write, read;
		struct request r;
		uint32_t n, most;

		tls_make(c, &write, kind, suite, true);
		tls_make(c, &read, kind, suite, false);
		tls_store(c, &write);
		tls_store(c, &read);
		tls_fill(c, data, 100);
		n = tls_record(&write, 0, TLS_DATA, data, 100, padding,
			       tls_padding(&write, 100, 0, padding), record);
		tls_request(c, &r, &write, TLS_DATA, data, 100, n - 1);
		if (!request_run(&q, &r, ACCEL_HW_OUTPUT_TOO_SMALL))
			return;
		/* A record of CBC may have one byte of padding. */
		most = n - tls_header(&read) - read.x.common.iv_len - read.x.common.digest_len -
		       (suite == TLS_CBC || tls_is_13(&read) ? 1 : 0);
		tls_request(c, &r, &read, 0, record, n, most - 1);
		if (!request_run(&q, &r, ACCEL_HW_OUTPUT_TOO_SMALL))
			return;
		tls_request(c, &r, &read, 0, record, n, most);
		r.output = data;
		r.produced = 100;
		r.info = TLS_DATA;
		if (!tls_run_request(&q, &read, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check wrong padding at each place and wrong MACs. All of them have one status and one count. */
static void
wrong_padding(struct card *c)
{
	uint8_t data[64] = { 0 }, record[TLS_ROOM], padding[256];
	struct tls_direction d;
	struct queue q;
	uint64_t used;

	SKIP_UNLESS(c, tls_there(c, ACCEL_HW_KIND_TLS12, TLS_CBC), "no TLS 1.2 with AES-CBC");
	if (!queue_open(&q, c))
		return;
	tls_make(c, &d, ACCEL_HW_KIND_TLS12, TLS_CBC, false);
	used = c->memory.part[MEMORY_LOW].used;
	for (uint32_t i = 0; i < 66; i++) {
		const uint32_t pad = tls_padding(&d, 30, 3, padding);
		uint32_t n;

		if (i < pad)
			padding[i] ^= (uint8_t)(1 << i % 8);
		else if (i == 64)
			padding[pad - 1] = 255; /* more than the record */
		n = tls_record(&d, i, TLS_DATA, data, 30, padding, pad, record);
		if (i == 65)
			record[5] ^= 1; /* in the content */
		if (i >= pad && i < 64)
			continue;
		d.x.state.sequence = i;
		c->memory.part[MEMORY_LOW].used = used;
		tls_store(c, &d);
		result_note(&c->result, "case %u", i);
		if (!tls_run(&q, &d, 0, record, n, NULL, 0, 0, ACCEL_HW_AUTH_FAILED))
			return;
		tls_load(c, &d);
		CHECK(c, d.x.state.errors == 1 && d.x.state.auth_errors == 1 &&
			      d.x.state.records == 0,
		      "errors %llu, auth_errors %llu", (unsigned long long)d.x.state.errors,
		      (unsigned long long)d.x.state.auth_errors);
		memset(&d.x.state, 0, sizeof(d.x.state));
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/*
 * Check the order of the card's checks. Each record fails at one check and at all that come after
 * it, and the status is that of the first one.
 */
static void
checks(struct card *c)
{
	uint8_t data[64] = { 0 }, record[TLS_ROOM], padding[256], kind;
	enum tls_suite suite;
	struct queue q;

	if (!tls_any(c) || !queue_open(&q, c))
		return;
	TLS_EACH(c, kind, suite) {
		struct tls_direction write, read;
		uint32_t n;

		tls_make(c, &write, kind, suite, true);
		tls_make(c, &read, kind, suite, false);
		n = tls_record(&read, 0, TLS_DATA, data, 40, padding,
			       tls_padding(&read, 40, 0, padding), record);
		record[n - 1] ^= 1;
		read.x.state.sequence = tls_is_dtls(&read) ? 100 : UINT64_MAX;
		read.x.tls.replay_window = tls_is_dtls(&read) ? 64 : 0;
		tls_store(c, &read);
		if (!tls_run(&q, &read, 0, record, n, NULL, 0, 0,
			     tls_is_dtls(&read) ? ACCEL_HW_REPLAY : ACCEL_HW_SEQUENCE_END))
			return;
		record[tls_is_13(&read) ? 0 : 1] ^= 1;
		if (!tls_run(&q, &read, 0, record, n, NULL, 0, 0, ACCEL_HW_MISMATCH) ||
		    !tls_run(&q, &read, 0, record, n - 1, NULL, 0, 0, ACCEL_HW_MALFORMED))
			return;
		read.x.tls.records_hard = read.x.state.records = 1;
		tls_store(c, &read);
		if (!tls_run(&q, &read, 0, record, n - 1, NULL, 0, 0, ACCEL_HW_EXPIRED))
			return;
		write.x.state.sequence = tls_is_dtls(&write) ? UINT64_C(1) << 48 : UINT64_MAX;
		tls_store(c, &write);
		if (!tls_run(&q, &write, TLS_DATA, data, 5, NULL, 0, 0, ACCEL_HW_SEQUENCE_END) ||
		    !tls_run(&q, &write, ACCEL_HW_TLS_ALERT, data, 0, NULL, 0, 0,
			     ACCEL_HW_MALFORMED))
			return;
		write.x.tls.records_hard = write.x.state.records = 1;
		tls_store(c, &write);
		if (!tls_run(&q, &write, ACCEL_HW_TLS_ALERT, data, 0, NULL, 0, 0, ACCEL_HW_EXPIRED))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check the number of a state that reads TLS. It goes on, whatever becomes of the record. */
static void
read_numbers(struct card *c)
{
	uint8_t data[64] = { 0 }, record[TLS_ROOM], padding[256];
	struct tls_direction d;
	struct queue q;

	SKIP_UNLESS(c, tls_there(c, ACCEL_HW_KIND_TLS12, TLS_GCM), "no TLS 1.2 with AES-GCM");
	if (!queue_open(&q, c))
		return;
	tls_make(c, &d, ACCEL_HW_KIND_TLS12, TLS_GCM, false);
	tls_store(c, &d);
	for (uint64_t i = 0; i < 20; i++) {
		const bool wrong = i % 3 == 1;
		const uint32_t n = tls_record(&d, i, TLS_DATA, data, 20, padding, 0, record);

		record[n - 1] ^= wrong;
		if (!tls_run(&q, &d, 0, record, n, data, 20, TLS_DATA,
			     wrong ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK))
			return;
		record[2] = 1;
		if (!tls_run(&q, &d, 0, record, n, NULL, 0, 0, ACCEL_HW_MISMATCH))
			return;
		tls_load(c, &d);
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
	uint8_t data[64] = { 0 }, record[TLS_ROOM], padding[256];
	struct tls_direction d;
	struct queue q;

	SKIP_UNLESS(c, tls_there(c, ACCEL_HW_KIND_DTLS12, TLS_GCM) && c->tree.dtls12.window >= 64,
		    "no DTLS 1.2 with AES-GCM and a window of 64");
	if (!queue_open(&q, c))
		return;
	tls_make(c, &d, ACCEL_HW_KIND_DTLS12, TLS_GCM, false);
	d.x.tls.replay_window = 64;
	tls_store(c, &d);
	for (unsigned int i = 0; i < sizeof(taken); i++) {
		const uint32_t n = tls_record(&d, numbers[i], TLS_DATA, data, 20, padding, 0,
					      record);

		result_note(&c->result, "record %u with number %llu", i,
			    (unsigned long long)numbers[i]);
		if (!tls_run(&q, &d, 0, record, n, data, 20, TLS_DATA,
			     taken[i] ? ACCEL_HW_OK : ACCEL_HW_REPLAY))
			return;
	}
	tls_load(c, &d);
	CHECK(c, d.x.state.sequence == 1001, "sequence %llu, wanted 1001",
	      (unsigned long long)d.x.state.sequence);
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
limits(struct card *c)
{
	uint8_t data[64] = { 0 }, record[TLS_ROOM], padding[256], kind;
	enum tls_suite suite;
	struct queue q;

	if (!tls_any(c) || !queue_open(&q, c))
		return;
	TLS_EACH(c, kind, suite) {
		struct tls_direction write, read;

		tls_make(c, &write, kind, suite, true);
		write.x.tls.options = suite == TLS_CBC ? ACCEL_HW_TLS_IV_GIVEN : 0;
		tls_make(c, &read, kind, suite, false);
		write.x.tls.records_soft = read.x.tls.records_soft = 2;
		write.x.tls.records_hard = read.x.tls.records_hard = 3;
		/* These are the last numbers of all. */
		write.x.state.sequence = (tls_is_dtls(&write) ? UINT64_C(1) << 48 : UINT64_MAX) - 3;
		read.x.state.sequence = write.x.state.sequence;
		tls_store(c, &write);
		tls_store(c, &read);
		for (unsigned int i = 0; i < 4; i++) {
			const uint16_t soft = i > 0 ? ACCEL_HW_TLS_INFO_SOFT : 0;
			const uint16_t status = i < 3 ? ACCEL_HW_OK : ACCEL_HW_EXPIRED;
			const uint32_t pad = tls_padding(&write, 20, 0, padding);
			const uint32_t n = tls_record(&write, write.x.state.sequence + i, TLS_DATA,
						      data, 20, padding, pad, record);

			if (!tls_run(&q, &write, TLS_DATA, data, 20, record, n, soft, status) ||
			    !tls_run(&q, &read, 0, record, n, data, 20, soft | TLS_DATA, status))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

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
