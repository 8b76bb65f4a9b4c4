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

#include "accel_compat.h"
#include "hw/accel_hw.h"
#include "rte_pmd_accel.h"
#include "rte_pmd_accel_stats.h"

static const char *const statuses[RTE_PMD_ACCEL_STATUSES] = {
#define ROW(id, number, name, stat) [id] = stat,
	[ACCEL_HW_OK] = "bad_result",
	ACCEL_HW_STATUSES(ROW)
	[RTE_PMD_ACCEL_STATUSES - 1] = "unknown",
};

static const char *const descriptors[RTE_PMD_ACCEL_DESCRIPTOR_ERRORS] = {
	ACCEL_HW_QP_ERRORS(ROW)
#undef ROW
	[RTE_PMD_ACCEL_DESCRIPTOR_ERRORS - 1] = "unknown",
};

static const char *const refusals[RTE_PMD_ACCEL_REFUSAL_NB] = {
	[RTE_PMD_ACCEL_REFUSAL_TYPE] = "type",
	[RTE_PMD_ACCEL_REFUSAL_SESSION] = "session",
	[RTE_PMD_ACCEL_REFUSAL_XFORM] = "xform",
	[RTE_PMD_ACCEL_REFUSAL_XFORM_UNKNOWN] = "xform_unknown",
	[RTE_PMD_ACCEL_REFUSAL_MEMORY] = "memory",
	[RTE_PMD_ACCEL_REFUSAL_SOURCE] = "source",
	[RTE_PMD_ACCEL_REFUSAL_TOO_SHORT] = "too_short",
	[RTE_PMD_ACCEL_REFUSAL_ROOM] = "room",
	[RTE_PMD_ACCEL_REFUSAL_HEADROOM] = "headroom",
	[RTE_PMD_ACCEL_REFUSAL_DIGEST] = "digest",
	[RTE_PMD_ACCEL_REFUSAL_AAD] = "aad",
	[RTE_PMD_ACCEL_REFUSAL_TOO_MANY] = "too_many",
	[RTE_PMD_ACCEL_REFUSAL_BITS] = "bits",
	[RTE_PMD_ACCEL_REFUSAL_BITS_DIGEST] = "bits_digest",
	[RTE_PMD_ACCEL_REFUSAL_IN_CIPHER] = "in_cipher",
	[RTE_PMD_ACCEL_REFUSAL_ASYM] = "asym",
	[RTE_PMD_ACCEL_REFUSAL_ASYM_SESSION] = "asym_session",
	[RTE_PMD_ACCEL_REFUSAL_ASYM_UNKNOWN] = "asym_unknown",
};

static const char *const algorithms[RTE_PMD_ACCEL_ALGORITHMS] = {
#define SYM(id, number, class, name, stat, ...) [id] = stat,
#define OTHER(id, number, stat) [id] = stat,
	ACCEL_HW_SYM_ALGS(SYM)
	ACCEL_HW_OTHER_ALGS(OTHER)
#undef SYM
#undef OTHER
};

static const char *const failures[RTE_PMD_ACCEL_FAILURE_NB] = {
	[RTE_PMD_ACCEL_FAILURE_DESCRIPTOR] = "descriptor_error",
	[RTE_PMD_ACCEL_FAILURE_RESET] = "function_reset",
	[RTE_PMD_ACCEL_FAILURE_TIMEOUT] = "timeout",
	[RTE_PMD_ACCEL_FAILURE_FATAL] = "fatal",
	[RTE_PMD_ACCEL_FAILURE_GONE] = "gone",
	[RTE_PMD_ACCEL_FAILURE_FOREIGN_RESET] = "foreign_reset",
	[RTE_PMD_ACCEL_FAILURE_LOST_WRITES] = "lost_writes",
	[RTE_PMD_ACCEL_FAILURE_POINTER] = "bad_pointer",
	[RTE_PMD_ACCEL_FAILURE_MISMATCH] = "response_mismatch",
};

static const char *const restarts[RTE_PMD_ACCEL_RESTART_NB] = {
	[RTE_PMD_ACCEL_RESTART_START] = "start",
	[RTE_PMD_ACCEL_RESTART_APPLICATION] = "application",
	[RTE_PMD_ACCEL_RESTART_DRIVER] = "driver",
};

static const char *const modes[] = {
	[RTE_PMD_ACCEL_QP_STOPPED] = "stopped",
	[RTE_PMD_ACCEL_QP_FAILED] = "failed",
	[RTE_PMD_ACCEL_QP_RUNNING] = "running",
	[RTE_PMD_ACCEL_QP_BACKLOG] = "backlog",
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
	[RTE_PMD_ACCEL_NAMES_STATUS] = TABLE(statuses),
	[RTE_PMD_ACCEL_NAMES_REFUSAL] = TABLE(refusals),
	[RTE_PMD_ACCEL_NAMES_DESCRIPTOR] = TABLE(descriptors),
	[RTE_PMD_ACCEL_NAMES_ALGORITHM] = TABLE(algorithms),
	[RTE_PMD_ACCEL_NAMES_FAILURE] = TABLE(failures),
	[RTE_PMD_ACCEL_NAMES_RESTART] = TABLE(restarts),
	[RTE_PMD_ACCEL_NAMES_MODE] = TABLE(modes),
	[RTE_PMD_ACCEL_NAMES_STATE] = TABLE(states),
	[RTE_PMD_ACCEL_NAMES_VF_STATE] = TABLE(vf_states),
	[RTE_PMD_ACCEL_NAMES_FAULT_ACCESS] = TABLE(fault_accesses),
};

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_name, 26.11)
const char *
rte_pmd_accel_name(unsigned int names, unsigned int number)
{
	if (names >= RTE_DIM(tables) || number >= tables[names].nb)
		return NULL;
	return tables[names].names[number];
}
