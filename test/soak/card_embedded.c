/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/* The embedded device, with random arguments in each life. */

#include "card.h"
#include "rte_pmd_accel_embedded.h"

const char *soak_embedded_cores;

static int
embedded_args(struct e2e_rng *r, unsigned int queue_pairs, char *text, size_t size)
{
	int n;

	n = snprintf(text, size, "queue_pairs=%u,posted_writes=%u", queue_pairs, e2e_chance(r, 4));
	if (soak_embedded_cores != NULL)
		n += snprintf(text + n, size - n, ",cores=%s", soak_embedded_cores);
	else if (e2e_chance(r, 6))
		n += snprintf(text + n, size - n, ",cores=%s", e2e_chance(r, 2) ? "inline" : "2");
	if (e2e_chance(r, 6))
		n += snprintf(text + n, size - n, ",contract_minor=%u", e2e_range(r, 0, 6));
	if (e2e_chance(r, 3))
		n += snprintf(text + n, size - n, ",ctx_cache=%u", e2e_range(r, 1, 100));
	return n;
}

static void
embedded_end(void)
{
}

const struct soak_card soak_card_embedded = {
	.device = "crypto_accel_soak",
	.args = embedded_args,
	.fault = rte_pmd_accel_fault,
	.end = embedded_end,
};
