/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares of virtual functions, both sides (manual 4.5, 4.8): the resource table and the mailbox of
 * a physical function (PF), and the mailbox of a virtual function (VF). All functions work in any
 * process. The data path uses none of them.
 */
#ifndef ACCEL_VF_H
#define ACCEL_VF_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_dev.h"
#include "rte_pmd_accel.h"

#define ACCEL_VF_ITEMS_MAX 64u

/* Describes one share for each VF of a range. */
struct accel_vf_item {
	uint16_t first;
	uint16_t last;
	struct rte_pmd_accel_vf_share share;
};

/* Holds what the device argument vf_shares says. No virtual function is in two of the items. */
struct accel_vf_plan {
	unsigned int nb;
	struct accel_vf_item item[ACCEL_VF_ITEMS_MAX];
};

/* Holds what a PF has set for its VFs, in memory that all processes share. */
struct accel_vfs {
	uint32_t nb; /* VFs that the PF can have */
	/* A copy of the resource table, since a function level reset clears the table. */
	bool is_set[ACCEL_HW_VFS_MAX];
	struct rte_pmd_accel_vf_share share[ACCEL_HW_VFS_MAX];
};

/**
 * Prepare a function that was reset: refuse a function without queue pairs, and set the shares of
 * a PF's VFs.
 *
 * @param plan shares to set. An empty plan sets none.
 * @return 0; -ENODEV if a VF has been given no queue pairs; -ENOSPC if no queue pairs are left for
 *   a VF; -ENOTSUP for another function without queue pairs, or if there is a plan and the function
 *   is no PF; errors of accel_vf_share_set(); -ENOMEM. One log line says what to do.
 */
int accel_vf_init(struct accel_dev *dev, const struct accel_vf_plan *plan);

/** Undo accel_vf_init(). Shares stay in the card. */
void accel_vf_fini(struct accel_dev *dev);

/** Tell the VFs of a PF the state of the PF, which is ACCEL_HW_PF_*. */
void accel_vf_tell(const struct accel_dev *dev, uint32_t pf_state);

/** Write again what a function level reset of a PF has cleared: shares, and the PF's state. */
void accel_vf_restore(struct accel_dev *dev);

/** Note on a VF whether its PF has a driver, for accel_vf_pf_text(). */
void accel_vf_look(struct accel_dev *dev);

/**
 * Describe what a PF may have to do with the failure of its VF. The text is for the end of a log
 * line about the VF.
 *
 * @return text that begins with a separator, or "".
 */
const char *accel_vf_pf_text(const struct accel_dev *dev);

/**
 * Get what a PF knows of a VF, without a log line, for callers that look again and again. The
 * field state_name is not filled in.
 *
 * @return 0, -ENOTSUP if the function is no PF, -EINVAL if there is no such VF, or -EIO if the card
 *   is gone.
 */
int accel_vf_look_at(const struct accel_dev *dev, uint16_t vf, struct rte_pmd_accel_vf_info *info);

/** True for a VF that can be asked for its share without a log line. */
bool accel_vf_has_share(const struct accel_dev *dev);

/* These implement the functions of rte_pmd_accel.h. Pointers are not NULL. */
int accel_vf_count(const struct accel_dev *dev);
int accel_vf_share_set(struct accel_dev *dev, uint16_t vf,
		       const struct rte_pmd_accel_vf_share *share);
int accel_vf_info_get(const struct accel_dev *dev, uint16_t vf,
		      struct rte_pmd_accel_vf_info *info);
int accel_vf_refuse(struct accel_dev *dev, uint16_t vf);
int accel_share_ask(struct accel_dev *dev, const struct rte_pmd_accel_vf_share *share);
int accel_share_info_get(struct accel_dev *dev, struct rte_pmd_accel_share_info *info);

#endif /* ACCEL_VF_H */
