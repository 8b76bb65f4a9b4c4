/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Names of the hardware manual: see accel_names.h.
 */
#include <stddef.h>

#include <rte_common.h>

#include "accel_names.h"
#include "hw/accel_hw.h"

#define NAME_OF(names, number) name_of(names, RTE_DIM(names), number)
/* A row of one of the contract's lists. */
#define NAME(id, text) [id] = text,
#define ROW(id, number, text, stat) [id] = text,

static const char *
name_of(const char *const *names, size_t nb, uint32_t number)
{
	return number < nb && names[number] != NULL ? names[number] : "unknown";
}

const char *
accel_name_state(uint32_t state)
{
	static const char *const names[] = { ACCEL_HW_STATE_NAMES(NAME) };

	return NAME_OF(names, state);
}

const char *
accel_name_fatal(uint32_t code)
{
	static const char *const names[] = { ACCEL_HW_FATAL_NAMES(NAME) };

	return code < RTE_DIM(names) ? names[code] : "the vendor's";
}

const char *
accel_name_fault_access(uint32_t access)
{
	static const char *const names[] = { ACCEL_HW_FAULT_ACCESS_NAMES(NAME) };

	return access != ACCEL_HW_FAULT_NONE && access < RTE_DIM(names) ? names[access] : "access";
}

const char *
accel_name_fault_cause(uint32_t cause)
{
	static const char *const names[] = { "unknown cause", ACCEL_HW_FAULT_CAUSE_NAMES(NAME) };

	return names[cause < RTE_DIM(names) ? cause : 0];
}

const char *
accel_name_command(uint32_t control)
{
	static const char *const names[] = { ACCEL_HW_QP_CMD_NAMES(NAME) };

	return NAME_OF(names, control & ACCEL_HW_QP_CMD_MASK);
}

const char *
accel_name_qp_state(uint32_t status)
{
	static const char *const names[] = { ACCEL_HW_QP_STATE_NAMES(NAME) };

	return NAME_OF(names, ACCEL_HW_QP_STATUS_STATE(status));
}

const char *
accel_name_qp_error(uint32_t status)
{
	static const char *const names[] = {
		[ACCEL_HW_QP_ERR_NONE] = "none", ACCEL_HW_QP_ERRORS(ROW)
	};

	return NAME_OF(names, ACCEL_HW_QP_STATUS_ERROR(status));
}

const char *
accel_name_qp_ring(uint32_t status)
{
	static const char *const names[] = { ACCEL_HW_RING_NAMES(NAME) };

	return NAME_OF(names, ACCEL_HW_QP_STATUS_RING(status));
}

const char *
accel_name_opcode(uint32_t opcode)
{
	static const char *const names[] = { ACCEL_HW_OPCODE_NAMES(NAME) };

	return NAME_OF(names, opcode);
}

const char *
accel_name_status(uint32_t status)
{
	static const char *const names[ACCEL_HW_STATUS_NB] = {
		[ACCEL_HW_OK] = "OK", ACCEL_HW_STATUSES(ROW)
	};

	return NAME_OF(names, status);
}
