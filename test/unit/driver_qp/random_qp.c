/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Random rings and sessions of a fake queue pair, and their comparison, for tests that compare the
 * fast path with the slow path.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver_qp/random_qp.h"

void
copy_fake(struct fake *to, const struct fake *from)
{
	*to = *from;
	to->qp.inflight = to->inflight;
	to->qp.refusals = to->refusals;
	to->qp.commands = to->commands;
	to->qp.doorbell = &to->doorbell;
	to->qp.dev = &to->dev;
	to->qp.tx.desc = to->tx;
	to->qp.rx.desc = to->rx;
}

uint64_t
draw_iova(void)
{
	const uint64_t region = draw(200) == 0 ? -GIB : CMD_IOVA + (draw(8) == 0 ? GIB : 0);

	return draw(50) == 0 ? region + GIB - draw(100) : region + 0x1000 + draw(0x10000);
}

uint8_t *
draw_aad(void)
{
	static uint8_t bytes[128]; /* AAD of CCM begins at byte 18 */

	bytes[draw(sizeof(bytes))] = (uint8_t)draw(256);
	return draw(4) == 0 ? NULL : &bytes[draw(64)];
}

void
draw_ring(struct accel_ring *ring)
{
	ring->prod = draw(4 * RING_SIZE);
	ring->limit = ring->prod + (draw(4) == 0 ? draw(RING_SIZE) : RING_SIZE - 1);
	if (draw(8) != 0)
		ring->region = CMD_IOVA + GIB * draw(2);
}

const enum accel_hw_kind kinds[] = {
	ACCEL_HW_KIND_CIPHER, ACCEL_HW_KIND_AUTH, ACCEL_HW_KIND_CIPHER_THEN_AUTH,
	ACCEL_HW_KIND_AUTH_THEN_CIPHER, ACCEL_HW_KIND_AEAD,
};

void
draw_session(void)
{
	const enum accel_hw_kind kind = kinds[draw(RTE_DIM(kinds))];
	struct accel_session *sess = session_reset(kind);

	sess->iv_len = kind == ACCEL_HW_KIND_AUTH ? 0 : draw_bool() ? 16 : 12;
	if (kind == ACCEL_HW_KIND_CIPHER)
		return;
	sess->digest_len = 4 + (uint16_t)draw(60);
	sess->verify = draw_bool();
	sess->generate = !sess->verify;
	if (kind != ACCEL_HW_KIND_AUTH && draw(10) == 0)
		session_cipher_digest(sess);
	if (kind == ACCEL_HW_KIND_AUTH && sess->verify)
		sess->command.flags = ACCEL_HW_CMD_NO_RX;
	if (kind == ACCEL_HW_KIND_AEAD) {
		sess->aad_len = draw_bool() ? (uint16_t)draw(40) : 0;
		sess->aad_offset = draw(4) == 0 ? ACCEL_CCM_AAD_OFFSET : 0;
	}
}

void
assert_same_ring(const struct accel_ring *a, const struct accel_ring *b, uint32_t from)
{
	assert_int_equal(a->prod, b->prod);
	assert_true(a->region == b->region);
	for (; from != a->prod; from++)
		assert_true(*accel_ring_slot(a, from) == *accel_ring_slot(b, from));
}
