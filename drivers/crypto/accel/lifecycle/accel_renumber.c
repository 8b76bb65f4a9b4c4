/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * New numbers for operations: see accel_renumber.h.
 *
 * To move all entries up by a shift, those at the end to the beginning, is to turn the order of all
 * entries, then that of the first ones, then that of the others. Each of these is a list of
 * exchanges of two entries. The elements of an exchange are kept apart before its number is
 * published as the step, so it can be done again at any time until the next number is published.
 * Those of the next exchange have another place.
 */
#include "accel_compat.h"
#include "accel_renumber.h"

/* The places of an exchange. @return false if there are not so many exchanges. */
static bool
find_exchange(const struct accel_qp *qp, uint32_t n, uint32_t place[2])
{
	const uint32_t shift = qp->renumber.shift;
	const struct {
		uint32_t first, end;
	} part[] = { { 0, qp->nb_desc }, { 0, shift }, { shift, qp->nb_desc } };
	unsigned int i;

	if (qp->renumber.prod == qp->renumber.cons)
		return false; /* there are no entries */
	for (i = 0; i < RTE_DIM(part); i++) {
		const uint32_t nb = (part[i].end - part[i].first) / 2;

		if (n < nb) {
			place[0] = part[i].first + n;
			place[1] = part[i].end - 1 - n;
			return true;
		}
		n -= nb;
	}
	return false;
}

/* Publishes a step, with the elements that it exchanges. */
static void
publish_step(struct accel_qp *qp, uint32_t step)
{
	struct accel_exchange *kept = &qp->renumber.kept[step % 2];
	uint32_t place[2];
	unsigned int i;

	for (i = 0; find_exchange(qp, step - 1, place) && i < 2; i++) {
		kept->entry[i] = qp->inflight[place[i]];
		if (qp->raw != NULL)
			kept->raw[i] = qp->raw[place[i]];
	}
	accel_store_release(&qp->renumber.step, step);
}

static void
exchange(struct accel_qp *qp, uint32_t step, const uint32_t place[2])
{
	const struct accel_exchange *kept = &qp->renumber.kept[step % 2];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		qp->inflight[place[i]] = kept->entry[1 - i];
		if (qp->raw != NULL)
			qp->raw[place[i]] = kept->raw[1 - i];
	}
}

/* The last step: entries of the raw data path point to the slots where these are now. */
static void
take_numbers(struct accel_qp *qp)
{
	const struct accel_renumber *to = &qp->renumber;
	uint32_t n;

	for (n = to->cons; n != to->prod; n++) {
		struct accel_inflight *entry = &qp->inflight[n & qp->desc_mask];

		if (accel_op_is_raw(entry->op))
			entry->op = (uintptr_t)&qp->raw[n & qp->desc_mask] | accel_op_kind(entry);
	}
	qp->ending = to->cons;
	accel_store_relaxed(&qp->cons, to->cons);
	accel_store_relaxed(&qp->prod, to->prod);
}

void
accel_renumber_finish(struct accel_qp *qp)
{
	uint32_t step = accel_load_acquire(&qp->renumber.step), place[2];

	if (step == 0)
		return;
	for (; find_exchange(qp, step - 1, place); step++) {
		exchange(qp, step, place);
		publish_step(qp, step + 1);
	}
	take_numbers(qp);
	accel_store_release(&qp->renumber.step, 0);
}

void
accel_renumber(struct accel_qp *qp)
{
	struct accel_renumber *to = &qp->renumber;
	uint32_t prod;

	accel_renumber_finish(qp);
	prod = accel_load_relaxed(&qp->prod);
	to->shift = -prod & qp->desc_mask;
	to->prod = prod + to->shift;
	to->cons = accel_load_relaxed(&qp->cons) + to->shift;
	publish_step(qp, 1);
	accel_renumber_finish(qp);
}
