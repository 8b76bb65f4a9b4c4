/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles another function of the same card: see other.h.
 */
#include "other.h"

bool
other_there(struct card *c)
{
	if (c->other == NULL) {
		result_skip(&c->result, "no other function");
		return false;
	}
	result_begin(&c->other->result);
	return true;
}

bool
other_good(struct card *c, bool ok)
{
	if (!ok)
		result_fail(&c->result, "on the other function: %s", c->other->result.notes);
	return ok;
}
