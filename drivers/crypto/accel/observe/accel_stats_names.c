/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the names of numbers in statistics, in the letters that telemetry allows. Programs keep these
 * names, so they are a part of the API. The contract's headers have the names of statuses,
 * descriptor errors and algorithms. The status OK has a name of its own here. Statistics count with
 * it operations whose response says OK although the result cannot be right.
 */
#include <stddef.h>

#include <rte_common.h>

#include "accel_count.h"
#include "accel_stats.h"
#include "hw/accel_hw.h"
#include "rte_pmd_accel.h"

static const char *const statuses[ACCEL_STATUS_UNKNOWN + 1] = {
#define ROW(id, number, name, stat) [id] = stat,
	[ACCEL_HW_OK] = "bad_result",
	ACCEL_HW_STATUSES(ROW)
	[ACCEL_STATUS_UNKNOWN] = "unknown",
};

static const char *const descriptors[ACCEL_DESC_ERRORS] = {
	ACCEL_HW_QP_ERRORS(ROW)
#undef ROW
	[ACCEL_DESC_ERRORS - 1] = "unknown",
};

static const char *const refusals[ACCEL_REFUSAL_NB] = {
	[ACCEL_REFUSAL_TYPE] = "type",
	[ACCEL_REFUSAL_SESSION] = "session",
	[ACCEL_REFUSAL_XFORM] = "xform",
	[ACCEL_REFUSAL_XFORM_UNKNOWN] = "xform_unknown",
	[ACCEL_REFUSAL_MEMORY] = "memory",
	[ACCEL_REFUSAL_SOURCE] = "source",
	[ACCEL_REFUSAL_TOO_SHORT] = "too_short",
	[ACCEL_REFUSAL_ROOM] = "room",
	[ACCEL_REFUSAL_HEADROOM] = "headroom",
	[ACCEL_REFUSAL_DIGEST] = "digest",
	[ACCEL_REFUSAL_AAD] = "aad",
	[ACCEL_REFUSAL_TOO_MANY] = "too_many",
	[ACCEL_REFUSAL_BITS] = "bits",
	[ACCEL_REFUSAL_BITS_DIGEST] = "bits_digest",
	[ACCEL_REFUSAL_IN_CIPHER] = "in_cipher",
	[ACCEL_REFUSAL_ASYM] = "asym",
	[ACCEL_REFUSAL_ASYM_SESSION] = "asym_session",
	[ACCEL_REFUSAL_ASYM_UNKNOWN] = "asym_unknown",
};

static const char *const algorithms[ACCEL_HW_ALG_NB] = {
#define SYM(id, number, class, name, stat, ...) [id] = stat,
#define OTHER(id, number, stat) [id] = stat,
	ACCEL_HW_SYM_ALGS(SYM)
	ACCEL_HW_OTHER_ALGS(OTHER)
#undef SYM
#undef OTHER
};

static const char *const failures[ACCEL_FAILURE_NB] = {
	[ACCEL_FAILURE_DESCRIPTOR] = "descriptor_error",
	[ACCEL_FAILURE_RESET] = "function_reset",
	[ACCEL_FAILURE_TIMEOUT] = "timeout",
	[ACCEL_FAILURE_FATAL] = "fatal",
	[ACCEL_FAILURE_GONE] = "gone",
	[ACCEL_FAILURE_FOREIGN_RESET] = "foreign_reset",
	[ACCEL_FAILURE_LOST_WRITES] = "lost_writes",
	[ACCEL_FAILURE_POINTER] = "bad_pointer",
	[ACCEL_FAILURE_MISMATCH] = "response_mismatch",
};

static const char *const restarts[ACCEL_RESTART_NB] = {
	[ACCEL_RESTART_START] = "start",
	[ACCEL_RESTART_APPLICATION] = "application",
	[ACCEL_RESTART_DRIVER] = "driver",
};

static const char *const modes[] = {
	[ACCEL_MODE_STOPPED] = "stopped",
	[ACCEL_MODE_FAILED] = "failed",
	[ACCEL_MODE_RUNNING] = "running",
	[ACCEL_MODE_BACKLOG] = "backlog",
};

static const char *const states[] = {
	[RTE_PMD_ACCEL_STATE_GONE] = "gone",
	[RTE_PMD_ACCEL_STATE_BOOTING] = "booting",
	[RTE_PMD_ACCEL_STATE_READY] = "ready",
	[RTE_PMD_ACCEL_STATE_RESETTING] = "resetting",
	[RTE_PMD_ACCEL_STATE_FATAL] = "fatal",
	[RTE_PMD_ACCEL_STATE_ISOLATED] = "isolated",
	[RTE_PMD_ACCEL_STATE_UNKNOWN] = "unknown",
};

static const char *const vf_states[] = {
	[RTE_PMD_ACCEL_VF_ABSENT] = "absent",
	[RTE_PMD_ACCEL_VF_BOOTING] = "booting",
	[RTE_PMD_ACCEL_VF_READY] = "ready",
	[RTE_PMD_ACCEL_VF_RESETTING] = "resetting",
	[RTE_PMD_ACCEL_VF_FATAL] = "fatal",
};

static const char *const fault_accesses[] = {
	[RTE_PMD_ACCEL_FAULT_NONE] = "none",
	[RTE_PMD_ACCEL_FAULT_TX_RING] = "tx_ring",
	[RTE_PMD_ACCEL_FAULT_RX_RING] = "rx_ring",
	[RTE_PMD_ACCEL_FAULT_COMMAND] = "command",
	[RTE_PMD_ACCEL_FAULT_CONTEXT] = "context",
	[RTE_PMD_ACCEL_FAULT_INPUT] = "input",
	[RTE_PMD_ACCEL_FAULT_RESULT] = "result",
	[RTE_PMD_ACCEL_FAULT_RESPONSE] = "response",
	[RTE_PMD_ACCEL_FAULT_LINE] = "pointers",
};

#define TABLE(names) { names, RTE_DIM(names) }

static const struct {
	const char *const *names;
	unsigned int nb;
} tables[] = {
	[ACCEL_STATS_NAMES_STATUS] = TABLE(statuses),
	[ACCEL_STATS_NAMES_REFUSAL] = TABLE(refusals),
	[ACCEL_STATS_NAMES_DESCRIPTOR] = TABLE(descriptors),
	[ACCEL_STATS_NAMES_ALGORITHM] = TABLE(algorithms),
	[ACCEL_STATS_NAMES_FAILURE] = TABLE(failures),
	[ACCEL_STATS_NAMES_RESTART] = TABLE(restarts),
	[ACCEL_STATS_NAMES_MODE] = TABLE(modes),
	[ACCEL_STATS_NAMES_STATE] = TABLE(states),
	[ACCEL_STATS_NAMES_VF_STATE] = TABLE(vf_states),
	[ACCEL_STATS_NAMES_FAULT_ACCESS] = TABLE(fault_accesses),
};

const char *
accel_stats_name(unsigned int names, unsigned int number)
{
	if (names >= RTE_DIM(tables) || number >= tables[names].nb)
		return NULL;
	return tables[names].names[number];
}
