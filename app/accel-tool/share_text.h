/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads and writes shares as text, such as
 * "queue-pairs=2,weight=3,peak-ops=1000000,peak-bytes=0,algorithms=2/72/192-195". The keys are
 * those of examples/sriov/accel-shares.conf. Algorithms are numbers of the hardware manual, section
 * 8.2, or "all".
 */
#ifndef TOOL_SHARE_TEXT_H
#define TOOL_SHARE_TEXT_H

#include <stdbool.h>

#include <jansson.h>

#include <rte_pmd_accel.h>

/**
 * Read a share. With --set, what the text does not name gets its default: 1 queue pair, weight 1,
 * no limits and all algorithms. With --ask, the text asks only for what it names.
 *
 * @param option
 *   "set" or "ask".
 * @return
 *   True, or false after a message.
 */
bool share_parse(const char *option, const char *text, struct rte_pmd_accel_vf_share *share);

/** Add a share's fields to an object. */
void share_add(json_t *to, const struct rte_pmd_accel_vf_share *share);

/** Return a share as a text that share_parse() reads. */
json_t *share_text(const struct rte_pmd_accel_vf_share *share);

#endif /* TOOL_SHARE_TEXT_H */
