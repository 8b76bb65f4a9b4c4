/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Frames of several fragments: AAD, payload and digest apart, in pieces, in rings of all sizes, in
 * memory that is not accessible, and with errors in the middle. The operation is AES-GCM with AAD,
 * whose result depends on each byte and its place.
 */
#include "base/ipsec_mb.h"
#include "model_base/model_card.h"
#include "model_base/model_gcm.h"

#define OPS 300u
#define AAD 20u
#define TEXT 60u
#define TAG 16u
#define ROOM 256u /* for an operation's buffer */
#define RW (ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE)
/* The host's memory is also mapped here, with fewer rights and in other regions of 1 GiB. */
#define READ_ONLY UINT64_C(0x400000000)
#define WRITE_ONLY UINT64_C(0x800000000)
#define HOLE (HOST_IOVA + HOST_MEM) /* addresses behind the host's memory */

static void
open_with(enum accel_model_engine engine)
{
	card_open_small(engine, 4096, 1024);
	assert_int_equal(accel_function_dma_map(h.fn, READ_ONLY, h.mem, HOST_MEM,
						ACCEL_MODEL_DMA_READ),
			 0);
	assert_int_equal(accel_function_dma_map(h.fn, WRITE_ONLY, h.mem, HOST_MEM,
						ACCEL_MODEL_DMA_WRITE),
			 0);
}

static int
setup(void **state)
{
	(void)state;
	open_with(ACCEL_MODEL_ENGINE_AUTO);
	rng_start();
	return 0;
}

static struct accel_hw_command *
gcm_command(struct accel_hw_context *ctx, uint32_t tag)
{
	struct accel_hw_command *cmd = new_sym(&h, ctx, tag, TEXT, 0);

	cmd->aad_len = AAD;
	memcpy(cmd->iv, gcm_iv, sizeof(gcm_iv));
	return cmd;
}

/* The parts of one operation and their places. */
struct parts {
	struct accel_hw_command *cmd;
	bool seal;
	uint8_t *aad, *text, *tag;
};

static struct parts
new_parts(struct accel_hw_context *ctx, uint32_t number)
{
	uint8_t *mem = host_alloc(&h, ROOM, 64);
	struct parts p = {
		.cmd = gcm_command(ctx, number),
		.seal = (ctx->flags & ACCEL_HW_CTX_ENCRYPT) != 0,
		.aad = mem,
		.text = mem + 64,
		.tag = mem + 160,
	};

	return p;
}

static void
fill_parts(const struct parts *p)
{
	memcpy(p->aad, gcm_aad, AAD);
	memcpy(p->text, p->seal ? gcm_plain : gcm_cipher, TEXT);
	memset(p->tag, 0, TAG);
	if (!p->seal)
		memcpy(p->tag, gcm_cipher + TEXT, TAG);
}

static void
check_parts(const struct parts *p)
{
	assert_memory_equal(p->text, p->seal ? gcm_cipher : gcm_plain, TEXT);
	assert_memory_equal(p->tag, gcm_cipher + TEXT, TAG);
}

static void
post_parts(const struct parts *p)
{
	uint64_t text = host_iova(&h, p->text), tag = host_iova(&h, p->tag);

	tx_frag(q, host_iova(&h, p->cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, p->aad), AAD, NEXT);
	tx_frag(q, text, TEXT, p->seal ? 0 : NEXT);
	if (!p->seal)
		tx_frag(q, tag, TAG, 0);
	rx_frag(q, text, TEXT, p->seal ? NEXT : 0);
	if (p->seal)
		rx_frag(q, tag, TAG, 0);
}

static void
expect_parts(const struct parts *p)
{
	expect_response(q, p->cmd->tag, ACCEL_HW_OK, p->seal ? TEXT + TAG : TEXT);
	check_parts(p);
}

/* Posts one or two type 0 that are not needed, now and then. */
static void
extra_upper(bool tx)
{
	uint64_t *upper = tx ? &q->tx_upper : &q->rx_upper;
	uint32_t nb = draw(6) == 0 ? 1 + draw(2) : 0;

	for (uint32_t i = 0; i < nb; i++) {
		if (tx)
			tx_word(q, DESC0(HOST_IOVA));
		else
			rx_word(q, DESC0(HOST_IOVA));
		*upper = DESC0(HOST_IOVA);
	}
}

static void
put(bool tx, const uint8_t *p, uint32_t len, bool last)
{
	uint32_t first = draw(8) == 0 ? 1 + draw(len - 1) : len;

	extra_upper(tx);
	for (uint32_t at = 0; at < len; at += first, first = len - first) {
		uint64_t bits = at + first < len || !last ? NEXT : 0;

		if (tx)
			tx_frag(q, host_iova(&h, p + at), first, bits);
		else
			rx_frag(q, host_iova(&h, p + at), first, bits);
	}
}

static void
scatter_parts(struct parts *p, uint32_t i)
{
	uint8_t *mem = h.mem + HOST_MEM / 4 + draw(2) * (HOST_MEM / 2) + i * ROOM;

	p->aad = mem;
	p->text = mem + AAD + draw(2) * 44;
	p->tag = p->text + TEXT + draw(2) * 36;
}

/* Many operations are in the rings at once. Their parts are adjacent or not, in either half of the
 * memory, some with one or two type 0 that are not needed. */
static void
many_operations(void)
{
	struct accel_hw_context *ctx[2] = { gcm_context(&h, 1, 0),
					    gcm_context(&h, 2, ACCEL_HW_CTX_ENCRYPT) };
	uint32_t tx_from[OPS + 1], rx_from[OPS + 1];
	struct parts p[OPS];

	for (uint32_t i = 0; i < OPS; i++) {
		p[i] = new_parts(ctx[draw(2)], i);
		scatter_parts(&p[i], i);
		fill_parts(&p[i]);
		tx_from[i] = q->tx_sdp;
		rx_from[i] = q->rx_sdp;
		extra_upper(true);
		tx_frag(q, host_iova(&h, p[i].cmd), 64, COMMAND | NEXT);
		put(true, p[i].aad, AAD, false);
		put(true, p[i].text, TEXT, p[i].seal);
		if (!p[i].seal)
			put(true, p[i].tag, TAG, true);
		put(false, p[i].text, TEXT, !p[i].seal);
		if (p[i].seal)
			put(false, p[i].tag, TAG, true);
	}
	tx_from[OPS] = q->tx_sdp;
	rx_from[OPS] = q->rx_sdp;
	q_ring(q);
	for (uint32_t i = 0; i < OPS; i++) {
		struct accel_hw_response rsp = q_response(q);

		assert_int_equal(rsp.tag, i);
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		assert_int_equal(rsp.tx_used, tx_from[i + 1] - tx_from[i]);
		assert_int_equal(rsp.rx_used, rx_from[i + 1] - rx_from[i]);
		check_parts(&p[i]);
	}
	/* Each part lies in one run, however it was split, so nothing is copied. */
	assert_int_equal(host_copied(&h), 0);
}

static void
test_many_operations(void **state)
{
	(void)state;
	many_operations();
	/* OpenSSL's engine does not take pieces. */
	host_close(&h);
	open_with(ACCEL_MODEL_ENGINE_OPENSSL);
	many_operations();
}

/* The host moves SDP by one slot at a time and polls in between. */
static void
test_slot_by_slot(void **state)
{
	struct accel_hw_context *ctx[2] = { gcm_context(&h, 1, 0),
					    gcm_context(&h, 2, ACCEL_HW_CTX_ENCRYPT) };

	(void)state;
	for (uint32_t i = 0; i < 40; i++) {
		struct parts p = new_parts(ctx[i % 2], i);
		uint32_t tx = q->tx_sdp, rx = q->rx_sdp;

		fill_parts(&p);
		if (i % 3 == 0)
			q->tx_upper = q->rx_upper = UINT64_MAX;
		post_parts(&p);
		while (tx != q->tx_sdp || rx != q->rx_sdp) {
			bool move_tx = tx != q->tx_sdp && (rx == q->rx_sdp || draw(2) != 0);

			tx += move_tx;
			rx += !move_tx;
			wr64(&q->regs->doorbell, (uint64_t)rx << 32 | tx);
			host_poll(&h);
		}
		expect_parts(&p);
	}
	assert_int_equal(host_copied(&h), 0);
}

/* The rings are so small that frames lie across their end at every place. */
static void
test_wrap(void **state)
{
	struct accel_hw_context *ctx[2] = { gcm_context(&h, 1, 0),
					    gcm_context(&h, 2, ACCEL_HW_CTX_ENCRYPT) };
	struct parts p[2] = { new_parts(ctx[0], 1), new_parts(ctx[1], 2) };

	(void)state;
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_start(q, 16, 16, 16);
	for (uint32_t i = 0; i < 200; i++) {
		const struct parts *now = &p[draw(2)];

		fill_parts(now);
		if (draw(5) == 0)
			q->tx_upper = UINT64_MAX;
		if (draw(5) == 0)
			q->rx_upper = UINT64_MAX;
		post_parts(now);
		q_ring(q);
		expect_parts(now);
	}
}

/* Frames with more fragments or runs than usual are no errors. */

static void
test_more_fragments(void **state)
{
	struct parts p = new_parts(gcm_context(&h, 1, 0), 1);
	uint64_t aad, text, tag;

	(void)state;
	aad = host_iova(&h, p.aad);
	text = host_iova(&h, p.text);
	tag = host_iova(&h, p.tag);
	/* The AAD and the text are cut in two and lie apart, which needs a copy. */
	fill_parts(&p);
	memmove(p.aad + 40, p.aad + 7, AAD - 7);
	tx_frag(q, host_iova(&h, p.cmd), 64, COMMAND | NEXT);
	tx_frag(q, aad, 7, NEXT);
	tx_frag(q, aad + 40, AAD - 7, NEXT);
	tx_frag(q, text, TEXT, NEXT);
	tx_frag(q, tag, TAG, 0);
	rx_frag(q, text, 10, NEXT);
	rx_frag(q, text + 100 + 50, 1, NEXT);
	rx_frag(q, text + 11, 20, NEXT);
	rx_frag(q, text + 31, TEXT - 31, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, TEXT);
	p.text[10] = p.text[150];
	assert_memory_equal(p.text, gcm_plain, TEXT);
	assert_int_not_equal(host_copied(&h), 0);
	/* There are more fragments than runs, but they are adjacent. */
	fill_parts(&p);
	tx_frag(q, host_iova(&h, p.cmd), 64, COMMAND | NEXT);
	for (uint32_t i = 0; i < AAD; i++)
		tx_frag(q, aad + i, 1, NEXT);
	tx_frag(q, text, TEXT, NEXT);
	tx_frag(q, tag, TAG, 0);
	for (uint32_t i = 0; i < TEXT; i++)
		rx_frag(q, text + i, 1, i + 1 < TEXT ? NEXT : 0);
	q_ring(q);
	expect_parts(&p);
}

/* The last fragment has more room than the output needs. The rest is not written. */
static void
test_room_behind(void **state)
{
	struct parts p = new_parts(gcm_context(&h, 1, ACCEL_HW_CTX_ENCRYPT), 1);

	(void)state;
	fill_parts(&p);
	tx_frag(q, host_iova(&h, p.cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, p.aad), AAD, NEXT);
	tx_frag(q, host_iova(&h, p.text), TEXT, 0);
	rx_frag(q, host_iova(&h, p.text), TEXT, NEXT);
	rx_frag(q, host_iova(&h, p.tag), TAG + 40, 0);
	memset(p.tag + TAG, 0x77, 40);
	q_ring(q);
	expect_parts(&p);
	for (uint32_t i = 0; i < 40; i++)
		assert_int_equal(p.tag[TAG + i], 0x77);
}

/* Operations that are refused write nothing. */
static void
test_statuses(void **state)
{
	struct parts p = new_parts(gcm_context(&h, 1, ACCEL_HW_CTX_ENCRYPT), 1);
	uint64_t aad, text, tag;
	static const struct {
		uint32_t aad, text, out, tag;
		uint16_t status;
	} cases[] = {
		{ AAD, TEXT, TEXT, TAG - 1, ACCEL_HW_OUTPUT_TOO_SMALL },
		{ AAD, TEXT, TEXT - TAG - 1, TAG, ACCEL_HW_OUTPUT_TOO_SMALL },
		{ AAD - 1, TEXT, TEXT, TAG, ACCEL_HW_BAD_LENGTH },
		{ AAD, TEXT - 1, TEXT, TAG, ACCEL_HW_BAD_LENGTH },
		{ AAD, TEXT + 1, TEXT, TAG, ACCEL_HW_BAD_LENGTH },
		{ AAD + 1, TEXT + 1, 1, 1, ACCEL_HW_BAD_LENGTH },
	};

	(void)state;
	aad = host_iova(&h, p.aad);
	text = host_iova(&h, p.text);
	tag = host_iova(&h, p.tag);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fill_parts(&p);
		tx_frag(q, host_iova(&h, p.cmd), 64, COMMAND | NEXT);
		tx_frag(q, aad, cases[i].aad, NEXT);
		tx_frag(q, text, cases[i].text, 0);
		rx_frag(q, text, cases[i].out, NEXT);
		rx_frag(q, tag, cases[i].tag, 0);
		q_ring(q);
		expect_response(q, 1, cases[i].status, 0);
		assert_memory_equal(p.text, gcm_plain, TEXT);
		assert_int_equal(p.tag[0], 0);
	}
	/* The digest lies in a fragment of its own and has one wrong bit. */
	p = new_parts(gcm_context(&h, 2, 0), 2);
	fill_parts(&p);
	p.tag[TAG - 1] ^= 1;
	post_parts(&p);
	q_ring(q);
	expect_response(q, 2, ACCEL_HW_AUTH_FAILED, TEXT);
}

/* The device may not access one part, each in turn, and operations between them work. In the last
 * round it has only the rights that it needs. */
static void
test_rights(void **state)
{
	struct accel_hw_context *ctx = gcm_context(&h, 1, ACCEL_HW_CTX_ENCRYPT);
	struct parts p = new_parts(ctx, 1);
	uint64_t offset;

	(void)state;
	offset = host_iova(&h, p.aad) - HOST_IOVA;
	for (unsigned int wrong = 0; wrong < 5; wrong++) {
		uint64_t at = wrong < 4 ? HOST_IOVA + offset : READ_ONLY + offset;
		uint64_t to = wrong < 4 ? HOST_IOVA + offset : WRITE_ONLY + offset;
		uint64_t in[2] = { at, at + 64 }, out[2] = { to + 64, to + 160 };

		if (wrong < 2)
			in[wrong] += WRITE_ONLY - HOST_IOVA;
		else if (wrong < 4)
			out[wrong - 2] += READ_ONLY - HOST_IOVA;
		fill_parts(&p);
		tx_frag(q, host_iova(&h, p.cmd), 64, COMMAND | NEXT);
		tx_frag(q, in[0], AAD, NEXT);
		tx_frag(q, in[1], TEXT, 0);
		rx_frag(q, out[0], TEXT, NEXT);
		rx_frag(q, out[1], TAG, 0);
		q_ring(q);
		if (wrong == 4) {
			expect_parts(&p);
			continue;
		}
		expect_response(q, 1, ACCEL_HW_DMA_FAULT, 0);
		/* A part of the result may be written if another part cannot be (manual 7.4). */
		if (wrong < 2) {
			assert_memory_equal(p.text, gcm_plain, TEXT);
			assert_int_equal(p.tag[0], 0);
		}
		fill_parts(&p);
		post_parts(&p);
		q_ring(q);
		expect_parts(&p);
	}
}

/* A part lies in two entries of the map that are not adjacent in this process. */
static void
test_across_entries(void **state)
{
	const uint64_t seam = UINT64_C(0xc00010000);
	struct parts p = new_parts(gcm_context(&h, 1, ACCEL_HW_CTX_ENCRYPT), 1);
	uint8_t *left, *right, *part[2];
	static const uint32_t len[2] = { AAD, TEXT };

	(void)state;
	left = host_alloc(&h, 4096, 4096);
	host_alloc(&h, 4096, 4096);
	right = host_alloc(&h, 4096, 4096);
	assert_int_equal(accel_function_dma_map(h.fn, seam - 4096, left, 4096, RW), 0);
	assert_int_equal(accel_function_dma_map(h.fn, seam, right, 4096, RW), 0);
	part[0] = p.aad;
	part[1] = p.text;
	for (unsigned int i = 0; i < 2; i++) {
		uint64_t at[2] = { host_iova(&h, p.aad), host_iova(&h, p.text) };

		fill_parts(&p);
		memcpy(left + 4096 - 5, part[i], 5);
		memcpy(right, part[i] + 5, len[i] - 5);
		at[i] = seam - 5;
		tx_frag(q, host_iova(&h, p.cmd), 64, COMMAND | NEXT);
		tx_frag(q, at[0], AAD, NEXT);
		tx_frag(q, at[1], TEXT, 0);
		rx_frag(q, at[1], TEXT, NEXT);
		rx_frag(q, host_iova(&h, p.tag), TAG, 0);
		q_ring(q);
		expect_response(q, 1, ACCEL_HW_OK, TEXT + TAG);
		if (i == 1) {
			memcpy(p.text, left + 4096 - 5, 5);
			memcpy(p.text + 5, right, TEXT - 5);
		}
		check_parts(&p);
	}
}

/* The map changes between the search for the parts and their use. */
static void
part_goes_away(unsigned int which)
{
	const uint64_t hole = UINT64_C(0xc00000000);
	struct accel_hw_context *ctx = gcm_context(&h, 1, ACCEL_HW_CTX_ENCRYPT);
	struct parts p[200];
	uint32_t completed;

	assert_int_equal(accel_function_dma_map(h.fn, hole, h.mem, HOST_MEM, RW), 0);
	for (uint32_t i = 0; i < 200; i++) {
		uint64_t at[4];

		p[i] = new_parts(ctx, i);
		fill_parts(&p[i]);
		at[0] = host_iova(&h, p[i].aad);
		at[1] = at[2] = host_iova(&h, p[i].text);
		at[3] = host_iova(&h, p[i].tag);
		at[which] += hole - HOST_IOVA;
		tx_frag(q, host_iova(&h, p[i].cmd), 64, COMMAND | NEXT);
		tx_frag(q, at[0], AAD, NEXT);
		tx_frag(q, at[1], TEXT, 0);
		rx_frag(q, at[2], TEXT, NEXT);
		rx_frag(q, at[3], TAG, 0);
	}
	q_ring(q);
	accel_model_worker_poll(h.model, 0);
	completed = rd32(&q->wb->rsp_hhp);
	assert_in_range(completed, 1, 199);
	assert_int_equal(accel_function_dma_unmap(h.fn, hole, HOST_MEM), 0);
	for (uint32_t i = 0; i < 200; i++) {
		if (i < completed) {
			expect_parts(&p[i]);
			continue;
		}
		expect_response(q, i, ACCEL_HW_DMA_FAULT, 0);
		if (which < 3) /* else it was written before the digest could not be */
			assert_memory_equal(p[i].text, gcm_plain, TEXT);
	}
}

static void
test_parts_go_away(void **state)
{
	(void)state;
	for (unsigned int which = 0; which < 4; which++) {
		if (which > 0) {
			host_close(&h);
			open_with(ACCEL_MODEL_ENGINE_AUTO);
		}
		part_goes_away(which);
	}
}

/* Checks an error of the queue pair (manual 9.1) in the middle of a frame. The code and the slot
 * are right, and all requests before have responses. */
static void
bad_word(bool tx, unsigned int before, uint64_t word, uint32_t code)
{
	static uint32_t generation;
	struct parts p[3];
	uint32_t slot;

	q_command(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	q_start(q, 4096, 4096, 1024);
	for (uint32_t i = 0; i < 3; i++) {
		p[i] = new_parts(gcm_context(&h, ++generation, 0), i);
		fill_parts(&p[i]);
		if (i < 2)
			post_parts(&p[i]);
	}
	if (tx) {
		if (before > 0)
			tx_frag(q, host_iova(&h, p[2].cmd), 64, COMMAND | NEXT);
		for (unsigned int i = 1; i < before; i++)
			tx_frag(q, host_iova(&h, p[2].text) + 20 * i, 8, NEXT);
		slot = q->tx_sdp;
		tx_word(q, word);
	} else {
		tx_frag(q, host_iova(&h, p[2].cmd), 64, COMMAND | NEXT);
		tx_frag(q, host_iova(&h, p[2].text), 64, 0);
		for (unsigned int i = 0; i < before; i++)
			rx_frag(q, host_iova(&h, p[2].text) + 20 * i, 8, NEXT);
		slot = q->rx_sdp;
		rx_word(q, word);
	}
	/* These descriptors would be right, but must not be read any more. */
	for (unsigned int i = 0; i < 8; i++) {
		tx_word(q, DESC2(host_iova(&h, p[2].text), 8, 0));
		rx_word(q, DESC2(host_iova(&h, p[2].text), 8, 0));
	}
	q_ring(q);
	expect_parts(&p[0]);
	expect_parts(&p[1]);
	expect_error(q, code, tx ? 0 : 1, slot);
}

static void
test_errors(void **state)
{
	const uint64_t at = HOST_IOVA + 4096;

	(void)state;
	for (unsigned int tx = 0; tx < 2; tx++) {
		for (unsigned int before = tx; before < 6; before++) {
			bad_word(tx, before, DESC2(at, 0, 0), 6);
			bad_word(tx, before, DESC2(at, 0, NEXT), 6);
			bad_word(tx, before, DESC2(at, 64, COMMAND), 6);
			bad_word(tx, before, DESC2(at, 64, COMMAND | NEXT), 6);
			bad_word(tx, before, DESC2(at, 8, 1u << 30), 4);
			bad_word(tx, before, DESC2(at, 8, 1u << 31), 4);
			bad_word(tx, before, DESC2(at, 8, NEXT | UINT64_C(1) << 48), 4);
			bad_word(tx, before, DESC2(at, 8, UINT64_C(1) << 59), 4);
			bad_word(tx, before, DESC2(HOST_BORDER - 7, 8, 0), 5);
			bad_word(tx, before, DESC2(HOST_BORDER - 1, 65535, NEXT), 5);
			bad_word(tx, before, DESC0(at) | UINT64_C(1) << 34, 4);
			bad_word(tx, before, UINT64_C(1) << 62 | LO(at), 2);
			bad_word(tx, before, UINT64_C(3) << 62 | UINT64_C(8) << 32 | LO(at), 2);
		}
	}
	/* These are at the place of a command. */
	bad_word(true, 0, DESC2(at, 63, COMMAND | NEXT), 6);
	bad_word(true, 0, DESC2(at, 65, COMMAND), 6);
	bad_word(true, 0, DESC2(at, 64, NEXT), 6);
	bad_word(true, 0, DESC2(HOST_BORDER - 63, 64, COMMAND | NEXT), 5);
	bad_word(true, 0, DESC2(at, 64, COMMAND | NEXT | 1u << 30), 4);
}

/* AES-GCM in pieces. */

static struct accel_hw_command *
known_command(uint32_t tag, uint8_t flags)
{
	struct accel_hw_command *cmd =
		new_sym(&h, gcm_context(&h, tag, flags), tag, sizeof(gcm_plain), 0);

	cmd->aad_len = sizeof(gcm_aad);
	memcpy(cmd->iv, gcm_iv, sizeof(gcm_iv));
	cmd->iv[15] = 1;
	return cmd;
}

/* Copies bytes into fragments of these lengths, each 100 bytes behind the one before. */
static uint8_t *
spread(bool tx, const uint8_t *bytes, const uint32_t *len, unsigned int nb)
{
	uint8_t *mem = host_alloc(&h, nb * 100, 64), *p = mem;

	for (unsigned int i = 0; i < nb; i++, p += 100) {
		if (bytes != NULL) {
			memcpy(p, bytes, len[i]);
			bytes += len[i];
		}
		if (tx)
			tx_frag(q, host_iova(&h, p), len[i], i + 1 < nb ? NEXT : 0);
		else
			rx_frag(q, host_iova(&h, p), len[i], i + 1 < nb ? NEXT : 0);
	}
	return mem;
}

static void
collect(uint8_t *to, const uint8_t *mem, const uint32_t *len, unsigned int nb)
{
	for (unsigned int i = 0; i < nb; i++, mem += 100) {
		memcpy(to, mem, len[i]);
		to += len[i];
	}
}

static void
gcm_encrypt(const uint32_t *in_len, unsigned int in_nb, const uint32_t *out_len,
	    unsigned int out_nb)
{
	const struct accel_hw_command *cmd = known_command(1, ACCEL_HW_CTX_ENCRYPT);
	uint8_t in[80], out[76], *mem;

	memcpy(in, gcm_aad, 20);
	memcpy(in + 20, gcm_plain, 60);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	spread(true, in, in_len, in_nb);
	mem = spread(false, NULL, out_len, out_nb);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 76);
	collect(out, mem, out_len, out_nb);
	assert_memory_equal(out, gcm_cipher, 76);
}

static void
gcm_decrypt(const uint32_t *in_len, unsigned int in_nb, const uint32_t *out_len,
	    unsigned int out_nb)
{
	const struct accel_hw_command *cmd = known_command(2, 0);
	uint8_t in[96], out[60], *mem;

	memcpy(in, gcm_aad, 20);
	memcpy(in + 20, gcm_cipher, 76);
	for (unsigned int wrong = 0; wrong < 2; wrong++) {
		in[95] ^= (uint8_t)wrong;
		tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
		spread(true, in, in_len, in_nb);
		mem = spread(false, NULL, out_len, out_nb);
		q_ring(q);
		expect_response(q, 2, wrong ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK, 60);
		collect(out, mem, out_len, out_nb);
		assert_memory_equal(out, gcm_plain, 60);
	}
}

static void
gcm_all(enum accel_model_engine engine, bool in_pieces)
{
	static const uint32_t whole[] = { 20, 60 }, pieces[] = { 20, 1, 15, 31, 13 };
	static const uint32_t aad_too[] = { 11, 9, 60 }, tag[] = { 60, 16 };
	static const uint32_t out[] = { 17, 43, 16 }, tag_too[] = { 17, 43, 9, 7 };
	static const uint32_t sealed[] = { 20, 33, 27, 16 }, sealed_too[] = { 20, 33, 27, 5, 11 };
	static const uint32_t plain[] = { 2, 58 };

	host_close(&h);
	open_with(engine);
	gcm_encrypt(whole, 2, tag, 2);
	gcm_encrypt(pieces, 5, out, 3);
	gcm_encrypt(pieces, 5, tag, 2);
	gcm_encrypt(whole, 2, out, 3);
	gcm_decrypt(sealed, 4, plain, 2);
	assert_true((host_copied(&h) == 0) == in_pieces);
	/* An AAD or a digest in two parts needs a copy. */
	gcm_encrypt(aad_too, 3, out, 3);
	gcm_encrypt(pieces, 5, tag_too, 4);
	gcm_decrypt(sealed_too, 5, plain, 2);
	assert_int_not_equal(host_copied(&h), 0);
}

static void
test_gcm_in_pieces(void **state)
{
	(void)state;
	gcm_all(ACCEL_MODEL_ENGINE_OPENSSL, false);
	need_ipsec_mb();
	gcm_all(ACCEL_MODEL_ENGINE_IPSEC_MB, true);
}

/* A piece of the source, then of the destination, is not accessible. */
static void
test_missing_piece(void **state)
{
	const struct accel_hw_command *cmd;
	uint8_t *data;

	(void)state;
	need_ipsec_mb();
	host_close(&h);
	open_with(ACCEL_MODEL_ENGINE_IPSEC_MB);
	cmd = known_command(1, ACCEL_HW_CTX_ENCRYPT);
	data = host_alloc(&h, 256, 64);
	for (unsigned int side = 0; side < 2; side++) {
		uint64_t at = host_iova(&h, data);

		tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
		tx_frag(q, at, 20, NEXT);
		tx_frag(q, at + 32, 30, NEXT);
		tx_frag(q, side == 0 ? HOLE : at + 64, 30, 0);
		rx_frag(q, at + 128, 40, NEXT);
		rx_frag(q, side == 1 ? HOLE : at + 192, 36, 0);
		q_ring(q);
		expect_response(q, 1, ACCEL_HW_DMA_FAULT, 0);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_many_operations),
		TEST(test_slot_by_slot),
		TEST(test_wrap),
		TEST(test_more_fragments),
		TEST(test_room_behind),
		TEST(test_statuses),
		TEST(test_rights),
		TEST(test_across_entries),
		TEST(test_parts_go_away),
		TEST(test_errors),
		TEST(test_gcm_in_pieces),
		TEST(test_missing_piece),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
