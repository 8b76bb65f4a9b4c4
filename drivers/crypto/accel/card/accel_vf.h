/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares of virtual functions, both sides (manual 4.5, 4.8): the resource table and the mailbox of
 * a physical function (PF), and the mailbox of a virtual function (VF). Everything works in any
 * process, and nothing of it is on the data path.
 */
#ifndef ACCEL_VF_H
#define ACCEL_VF_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_dev.h"
#include "rte_pmd_accel.h"

#define ACCEL_VF_ITEMS_MAX 64u

/* One share for a range of virtual functions. */
struct accel_vf_item {
	uint16_t first;
	uint16_t last;
	struct rte_pmd_accel_vf_share share;
};

/* What the device argument vf_shares says. No virtual function is in two of the items. */
struct accel_vf_plan {
	unsigned int nb;
	struct accel_vf_item item[ACCEL_VF_ITEMS_MAX];
};

/* What a PF has set for its VFs, in memory that all processes share. */
struct accel_vfs {
	uint32_t nb; /* VFs that the PF can have */
	/* The table as this driver has written it, since a function level reset clears it. */
	bool is_set[ACCEL_HW_VFS_MAX];
	struct rte_pmd_accel_vf_share share[ACCEL_HW_VFS_MAX];
};

/**
 * Prepare a function that was reset: refuse one without queue pairs, and set the shares of a PF.
 *
 * @param plan shares to set; none if it is empty.
 * @return 0; -ENODEV for a VF without queue pairs, -ENOSPC if there is none left for it, -ENOTSUP
 *   for another function without queue pairs; -ENOTSUP if there is a plan and the function is no
 *   PF; errors of accel_vf_share_set(); -ENOMEM. One log line says what to do.
 */
int accel_vf_init(struct accel_dev *dev, const struct accel_vf_plan *plan);

/** Undo accel_vf_init(). Shares stay in the card. */
void accel_vf_fini(struct accel_dev *dev);

/** Tell the VFs of a PF how it is: ACCEL_HW_PF_*. */
void accel_vf_tell(const struct accel_dev *dev, uint32_t pf_state);

/** Write what a function level reset of a PF has cleared: its shares and what it tells its VFs. */
void accel_vf_restore(struct accel_dev *dev);

/** Note on a VF whether its PF has a driver, for accel_vf_pf_text(). */
void accel_vf_look(struct accel_dev *dev);

/**
 * Describe, for the end of a log line about a VF that has failed, what its PF has to do with it.
 *
 * @return text that begins with a separator, or "".
 */
const char *accel_vf_pf_text(const struct accel_dev *dev);

/* What a PF knows of one of its VFs. */
struct accel_vf_view {
	bool has_info; /* the card has mailboxes */
	struct rte_pmd_accel_vf_info info;
	struct rte_pmd_accel_vf_share share;
};

/**
 * Look at a VF without a log line, for callers that look again and again.
 *
 * @return 0, -ENOTSUP if the function is no PF, -EINVAL if there is no such VF, or -EIO if the card
 *   is gone.
 */
int accel_vf_look_at(const struct accel_dev *dev, uint16_t vf, struct accel_vf_view *view);

/** True for a VF that can be asked for its share without a log line. */
bool accel_vf_has_share(const struct accel_dev *dev);

/* The functions of rte_pmd_accel.h. Pointers are not NULL. */
int accel_vf_count(const struct accel_dev *dev);
int accel_vf_share_set(struct accel_dev *dev, uint16_t vf,
		       const struct rte_pmd_accel_vf_share *share);
int accel_vf_share_get(const struct accel_dev *dev, uint16_t vf,
		       struct rte_pmd_accel_vf_share *share);
int accel_vf_info_get(const struct accel_dev *dev, uint16_t vf,
		      struct rte_pmd_accel_vf_info *info);
int accel_vf_refuse(struct accel_dev *dev, uint16_t vf);
int accel_share_ask(struct accel_dev *dev, const struct rte_pmd_accel_vf_share *share);
int accel_share_info_get(struct accel_dev *dev, struct rte_pmd_accel_share_info *info);

#endif /* ACCEL_VF_H */
