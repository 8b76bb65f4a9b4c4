/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The slots of raw operations: see accel_raw_slots.h.
 */
#include <errno.h>

#include <rte_malloc.h>

#include "accel_compat.h"
#include "accel_queue.h"
#include "accel_raw_slots.h"

int
accel_raw_slots_create(struct accel_qp *qp)
{
	if (qp->raw == NULL)
		qp->raw = rte_zmalloc("accel_raw", qp->nb_desc * sizeof(*qp->raw),
				      RTE_CACHE_LINE_SIZE);
	return qp->raw != NULL ? 0 : -ENOMEM;
}

int
accel_raw_slots_inherit(struct accel_qp *qp, const struct accel_qp *old)
{
	const uint32_t prod = accel_load_relaxed(&old->prod);
	uint32_t n;

	if (old->raw == NULL)
		return 0;
	if (accel_raw_slots_create(qp) != 0)
		return -ENOMEM;
	for (n = accel_load_relaxed(&old->cons); n != prod; n++) {
		struct accel_inflight *entry = &qp->inflight[n & qp->desc_mask];
		struct accel_raw_slot *slot = &qp->raw[n & qp->desc_mask];

		if (!accel_op_is_raw(entry->op))
			continue;
		*slot = *(const struct accel_raw_slot *)(entry->op & ~ACCEL_OP_KIND);
		entry->op = (uintptr_t)slot | accel_op_kind(entry);
	}
	return 0;
}

void
accel_raw_slots_free(struct accel_qp *qp)
{
	rte_free(qp->raw);
	qp->raw = NULL;
}
