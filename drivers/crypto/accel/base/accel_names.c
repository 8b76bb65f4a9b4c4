/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Names of the hardware manual: see accel_names.h. The names are in the contract's lists.
 */
#include <stddef.h>

#include <rte_common.h>

#include "accel_names.h"
#include "hw/accel_hw.h"

/* A row of one of the contract's lists. */
#define NAME(id, text) [id] = text,
#define ROW(id, number, text, stat) [id] = text,

/* Defines a function of accel_names.h: how it takes the number from its argument, and the names. */
#define NAME_FUNCTION(function, take, unknown, ...)                                                \
	const char *function(uint32_t argument)                                                    \
	{                                                                                          \
		static const char *const names[] = { __VA_ARGS__ };                                \
		const uint32_t number = take(argument);                                            \
												   \
		return number < RTE_DIM(names) && names[number] != NULL ? names[number] : unknown; \
	}

#define WHOLE(number) (number)
#define COMMAND(control) ((control) & ACCEL_HW_QP_CMD_MASK)
/* The record of a fault that the device has not finished yet has no access. */
#define ACCESS(access) ((access) != ACCEL_HW_FAULT_NONE ? (access) : UINT32_MAX)

NAME_FUNCTION(accel_name_state, WHOLE, "unknown", ACCEL_HW_STATE_NAMES(NAME))
NAME_FUNCTION(accel_name_fatal, WHOLE, "the vendor's", ACCEL_HW_FATAL_NAMES(NAME))
NAME_FUNCTION(accel_name_fault_access, ACCESS, "access", ACCEL_HW_FAULT_ACCESS_NAMES(NAME))
NAME_FUNCTION(accel_name_fault_cause, WHOLE, "unknown cause", ACCEL_HW_FAULT_CAUSE_NAMES(NAME))
NAME_FUNCTION(accel_name_command, COMMAND, "unknown", ACCEL_HW_QP_CMD_NAMES(NAME))
NAME_FUNCTION(accel_name_qp_state, ACCEL_HW_QP_STATUS_STATE, "unknown",
	      ACCEL_HW_QP_STATE_NAMES(NAME))
NAME_FUNCTION(accel_name_qp_error, ACCEL_HW_QP_STATUS_ERROR, "unknown",
	      [ACCEL_HW_QP_ERR_NONE] = "none", ACCEL_HW_QP_ERRORS(ROW))
NAME_FUNCTION(accel_name_qp_ring, ACCEL_HW_QP_STATUS_RING, "unknown", ACCEL_HW_RING_NAMES(NAME))
NAME_FUNCTION(accel_name_opcode, WHOLE, "unknown", ACCEL_HW_OPCODE_NAMES(NAME))
NAME_FUNCTION(accel_name_status, WHOLE, "unknown", [ACCEL_HW_OK] = "OK", ACCEL_HW_STATUSES(ROW))
