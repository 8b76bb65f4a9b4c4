/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A card with virtual functions, as the host of its PF sees it: the resource table and the mailbox
 * (manual 4.5 and 4.8), found through the device tree.
 */
#include "model_base/model_vfs.h"

struct accel_hw_vf_resources *table, *requests;

struct accel_hw_vf_answer *answers;

struct accel_hw_vf_status *status;

void *
region_of(const struct host *host, const char *compatible, unsigned int region)
{
	const int node = node_of(host, compatible);

	assert_true(node >= 0);
	return host->bar + host_reg(tree_of(host), node, 2 * region);
}

void
vfs_open(const struct accel_model_config *config)
{
	host_open(&h, config);
	table = region_of(&h, ACCEL_HW_DT_VF_TABLE, 0);
	answers = region_of(&h, ACCEL_HW_DT_VF_MAILBOX, 0);
	requests = region_of(&h, ACCEL_HW_DT_VF_MAILBOX, 1);
	status = region_of(&h, ACCEL_HW_DT_VF_MAILBOX, 2);
}

struct accel_hw_vf_resources
everything(void)
{
	struct accel_hw_vf_resources share = { .nb_queue_pairs = 64, .weight = 1 };

	memset(share.algorithms, 0xff, sizeof(share.algorithms));
	return share;
}

/* Writes an entry and does not wait. Returns its SEQUENCE. */
static uint32_t
write_share(unsigned int vf, const struct accel_hw_vf_resources *share)
{
	const uint32_t sequence = rd32(&table[vf].sequence) + 1;
	const uint64_t *from = (const uint64_t *)share;
	uint64_t *to = (uint64_t *)&table[vf];

	wr32((uint32_t *)(void *)to + 1, (uint32_t)(from[0] >> 32));
	for (unsigned int i = 1; i < sizeof(*share) / sizeof(*to); i++)
		wr64(&to[i], from[i]);
	wr32(&table[vf].sequence, sequence);
	return sequence;
}

void
give(unsigned int vf, const struct accel_hw_vf_resources *share)
{
	const uint32_t sequence = write_share(vf, share);

	host_until(&h, rd32(&status[vf].share_ack) == sequence);
}

void
host_reset_and_find(struct host *host)
{
	host_reset(host);
	host_find_pages(host);
}
