/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads the health page. See health.h.
 */
#include "health.h"

uint32_t
health32(const struct card *c, uint32_t offset)
{
	return card_read32(c, c->tree.health + offset);
}

uint64_t
health64(const struct card *c, uint32_t offset)
{
	return card_read64(c, c->tree.health + offset);
}

bool
health_snapshot(struct card *c)
{
	uint32_t number = health32(c, HEALTH(snapshot_ack)) * 5 + 3;

	card_write32(c, c->tree.control + offsetof(struct accel_hw_control, snapshot_req), number);
	ENSURE(c, card_wait32(c, c->tree.health + HEALTH(snapshot_ack), UINT32_MAX, number),
	       "SNAPSHOT_REQ %#x is not echoed", number);
	return true;
}
