/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A card with virtual functions, as the host of its PF sees it: the resource table and the mailbox
 * (manual 4.5 and 4.8), found through the device tree.
 */
#ifndef UNIT_MODEL_VFS_H
#define UNIT_MODEL_VFS_H

#include "model_base/model_card.h"

/* The PF is the host h. */
extern struct accel_hw_vf_resources *table, *requests;
extern struct accel_hw_vf_answer *answers;
extern struct accel_hw_vf_status *status;

static inline const void *
tree_of(const struct host *host)
{
	return host->bar + rd32(&host->id->dt_offset);
}

static inline int
node_of(const struct host *host, const char *compatible)
{
	return fdt_node_offset_by_compatible(tree_of(host), -1, compatible);
}

void *region_of(const struct host *host, const char *compatible, unsigned int region);

void vfs_open(const struct accel_model_config *config);

/* The share of one VF, to be changed before it is given. */
struct accel_hw_vf_resources everything(void);

/* Writes an entry and waits until its rates and weight are in effect. */
void give(unsigned int vf, const struct accel_hw_vf_resources *share);

/* The three fields behind SHARE_ACK. */
static inline unsigned int
queue_pairs_of(unsigned int vf)
{
	return __atomic_load_n(&status[vf].queue_pairs, __ATOMIC_ACQUIRE);
}

static inline unsigned int
state_of(unsigned int vf)
{
	return __atomic_load_n(&status[vf].vf_state, __ATOMIC_ACQUIRE);
}

static inline unsigned int
fatal_of(unsigned int vf)
{
	return __atomic_load_n(&status[vf].vf_fatal_code, __ATOMIC_ACQUIRE);
}

/* Resets a function and looks for its pages anew. */
void host_reset_and_find(struct host *host);

#endif /* UNIT_MODEL_VFS_H */
