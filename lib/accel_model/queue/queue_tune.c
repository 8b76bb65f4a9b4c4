/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The device's choice of N and T: see queue_tune.h.
 *
 * Lines are expensive, so there shall be few. But host and device shall not wait for each other in
 * turn. So N is less than what the host waits for: it sees the first half of that while the device
 * works on the others. A host that waits for all of them before it posts again has no use for such
 * an early line.
 */
#include "queue/queue_tune.h"

#define FEWEST 4u /* responses of an early line */
#define LONG_PAYLOAD 1024u /* bytes of a request for which there are no early lines */
#define SHALLOW 64u /* responses of a line that is not early, as many as a visit may have */
#define VAIN 8u /* early lines of no use, after which there are none ... */
#define CALM 64u /* ... for so many bursts */

void
queue_tune_start(struct queue *q, uint32_t count_max, uint64_t age_max)
{
	q->tuning = (struct tuning){ .count_max = count_max, .age_max = age_max };
	q->wb_count = count_max;
	q->wb_age = age_max;
}

/*
 * Count early lines of no use. Such a line shows a part of a burst, then nothing but the rest of
 * the burst is answered, and then a burst of the same length comes. A host that has a use for early
 * lines posts less at a time. @param slots descriptors that were answered since the last line, or
 * are not answered. @param left those that are not answered.
 */
static void
judge(struct tuning *t, uint64_t slots, uint64_t left)
{
	if (left != 0) {
		if (!t->closed || slots != t->early)
			t->vain = 0;
		else if (t->vain < VAIN)
			t->vain++;
		t->early = slots;
		t->left = left;
		t->closed = false;
		t->calm = 0;
	} else if (slots == t->left) {
		t->left = 0;
		t->closed = true;
	} else if (!t->closed || slots != t->early) {
		t->vain = 0;
		t->closed = false;
	} else if (++t->calm == CALM) {
		t->vain = VAIN - 2; /* two early lines show whether the host has a use for them */
	}
}

/* Return the smallest N. A thread that polls the device itself sees nothing before the end of a
 * visit. With long payload a host that posts half as many at a time costs more, in lanes that are
 * not full, than it gains. */
static uint32_t
fewest(const struct worker *w, const struct tuning *t, const struct frame *last)
{
	return w->polled || last->bytes > LONG_PAYLOAD || t->vain == VAIN ? SHALLOW : FEWEST;
}

/*
 * N is halved until it is less than the requests that the host was waiting for when this line was
 * due. What it has waited for at most of late counts, since the end of a burst tells nothing of its
 * length, and a host that posts a few requests at each line would get ever shorter lines. T is in
 * proportion to N, but long enough for SHALLOW responses.
 */
void
queue_tune(const struct worker *w, struct queue *q)
{
	const struct frame *last = &op_at(q, q->head - 1)->tx; /* requests are as the last one */
	const uint64_t left = (q->tx.sdp - q->tx.hdp) & q->tx.mask;
	const uint64_t slots = left + (uint64_t)q->unreported * last->slots;
	struct tuning *t = &q->tuning;
	uint64_t age = t->age_max;
	uint32_t n = t->count_max, least;

	judge(t, slots, left);
	t->waiting -= t->waiting / 8;
	if (t->waiting < slots)
		t->waiting = slots;
	least = fewest(w, t, last);
	while (n > least && t->waiting <= (uint64_t)n * last->slots) {
		if (n > SHALLOW)
			age = (age + 1) / 2; /* never 0, which means no limit */
		n = (n + 1) / 2;
	}
	q->wb_count = n;
	q->wb_age = age;
}
