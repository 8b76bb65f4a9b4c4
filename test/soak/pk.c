/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Asymmetric operations beside the soak test's other traffic, on a queue pair of their own, where
 * symmetric ones are in the same bursts (../e2e/pk_lane.h). They are a thousand times slower than
 * symmetric ones, for the test as for the device, so they get a small part of the time.
 */

#include "soak.h"

#define BURST_SOME 8u	/* operations at once, as a rule */
#define PART 16u	/* of the time is for asymmetric operations */
#define ROUNDS 16u	/* of the lanes between two looks */

int
soak_pk_begin(struct soak_pk *p, const struct e2e *base)
{
	int ret;

	p->t = *base;
	p->t.quick = true; /* without keys that take seconds to make */
	p->is_open = false;
	ret = pk_keys_open(&p->t, base->dev, &p->keys);
	if (ret == E2E_SKIP)
		return E2E_PASS;
	TRY(ret);
	p->is_open = true;
	p->next_ms = 0;
	return pk_lane_open(&p->t, &p->keys, SOAK_PK_QP, &p->lane);
}

int
soak_pk_drain(struct soak_pk *p, bool may_fail)
{
	p->lane.may_fail = may_fail;
	return p->is_open ? pk_lane_settle(&p->lane) : E2E_PASS;
}

int
soak_pk_end(struct soak_pk *p)
{
	if (!p->is_open)
		return E2E_PASS;
	p->right += p->lane.good;
	p->errors += p->lane.bad;
	p->blocks += p->lane.good_blocks + p->lane.bad_blocks;
	pk_lane_close(&p->lane);
	pk_keys_close(&p->keys);
	p->is_open = false;
	return E2E_PASS;
}

int
soak_pk_step(struct soak_pk *p, bool may_fail)
{
	struct pk_lane *l = &p->lane;
	uint64_t now;

	if (!p->is_open || ++p->rounds % ROUNDS != 0)
		return E2E_PASS;
	l->may_fail = may_fail;
	if (pk_lane_in_flight(l) != 0) {
		TRY(pk_lane_take(l));
		if (pk_lane_in_flight(l) == 0) {
			now = e2e_now_ms();
			p->next_ms = now + (now - p->sent_ms + 1) * PART;
		}
		return E2E_PASS;
	}
	now = e2e_now_ms();
	if (now < p->next_ms)
		return E2E_PASS;
	p->sent_ms = now;
	return pk_lane_send_some(l, ref_pk_random(&l->random) % 32 == 0 ? PK_BURST : BURST_SOME);
}
