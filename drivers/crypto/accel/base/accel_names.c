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

static const char *
name_of(const char *const *names, size_t nb, uint32_t number)
{
	return number < nb && names[number] != NULL ? names[number] : "unknown";
}

const char *
accel_name_state(uint32_t state)
{
	static const char *const names[] = {
		[ACCEL_HW_STATE_BOOTING] = "booting", [ACCEL_HW_STATE_READY] = "ready",
		[ACCEL_HW_STATE_RESETTING] = "resetting", [ACCEL_HW_STATE_FATAL] = "fatal",
	};

	return NAME_OF(names, state);
}

const char *
accel_name_fatal(uint32_t code)
{
	static const char *const names[] = {
		[ACCEL_HW_FATAL_NONE] = "none", [ACCEL_HW_FATAL_INTERNAL] = "internal",
		[ACCEL_HW_FATAL_THERMAL] = "thermal", [ACCEL_HW_FATAL_FIRMWARE] = "firmware",
	};

	return code < RTE_DIM(names) ? names[code] : "the vendor's";
}

const char *
accel_name_fault_access(uint32_t access)
{
	static const char *const names[] = {
		[ACCEL_HW_FAULT_NONE] = "access", [ACCEL_HW_FAULT_TX_RING] = "read of the TX ring",
		[ACCEL_HW_FAULT_RX_RING] = "read of the RX ring",
		[ACCEL_HW_FAULT_COMMAND] = "read of a command",
		[ACCEL_HW_FAULT_CONTEXT] = "read of a context",
		[ACCEL_HW_FAULT_INPUT] = "read of input",
		[ACCEL_HW_FAULT_RESULT] = "write of a result",
		[ACCEL_HW_FAULT_RESPONSE] = "write of a response",
		[ACCEL_HW_FAULT_LINE] = "write of the pointers",
	};

	return names[access < RTE_DIM(names) ? access : ACCEL_HW_FAULT_NONE];
}

const char *
accel_name_fault_cause(uint32_t cause)
{
	static const char *const names[] = {
		"unknown cause", [ACCEL_HW_FAULT_UNMAPPED] = "not mapped",
		[ACCEL_HW_FAULT_TIMEOUT] = "no answer in time",
		[ACCEL_HW_FAULT_POISONED] = "poisoned",
	};

	return names[cause < RTE_DIM(names) ? cause : 0];
}

const char *
accel_name_command(uint32_t control)
{
	static const char *const names[] = {
		[ACCEL_HW_QP_CMD_NONE] = "none", [ACCEL_HW_QP_CMD_START] = "START",
		[ACCEL_HW_QP_CMD_STOP_DRAIN] = "STOP and drain",
		[ACCEL_HW_QP_CMD_STOP_DISCARD] = "STOP and discard",
	};

	return NAME_OF(names, control & ACCEL_HW_QP_CMD_MASK);
}

const char *
accel_name_qp_state(uint32_t status)
{
	static const char *const names[] = {
		[ACCEL_HW_QP_STOPPED] = "stopped", [ACCEL_HW_QP_RUNNING] = "running",
		[ACCEL_HW_QP_STOPPING] = "stopping", [ACCEL_HW_QP_ERROR] = "error",
	};

	return NAME_OF(names, ACCEL_HW_QP_STATUS_STATE(status));
}

const char *
accel_name_qp_error(uint32_t status)
{
	static const char *const names[] = {
#define ROW(id, number, name, stat) [id] = name,
		[ACCEL_HW_QP_ERR_NONE] = "none",
		ACCEL_HW_QP_ERRORS(ROW)
#undef ROW
	};

	return NAME_OF(names, ACCEL_HW_QP_STATUS_ERROR(status));
}

const char *
accel_name_qp_ring(uint32_t status)
{
	static const char *const names[] = {
		[ACCEL_HW_RING_TX] = "TX ring", [ACCEL_HW_RING_RX] = "RX ring",
		[ACCEL_HW_RING_RSP] = "response ring", [ACCEL_HW_RING_WB] = "write-back line",
	};

	return NAME_OF(names, ACCEL_HW_QP_STATUS_RING(status));
}

const char *
accel_name_opcode(uint32_t opcode)
{
	static const char *const names[] = {
		[ACCEL_HW_OP_NOP] = "NOP", [ACCEL_HW_OP_LOOPBACK] = "LOOPBACK",
		[ACCEL_HW_OP_SYM] = "SYM", [ACCEL_HW_OP_PK] = "PK",
		[ACCEL_HW_OP_RANDOM] = "RANDOM",
	};

	return NAME_OF(names, opcode);
}

const char *
accel_name_status(uint32_t status)
{
	static const char *const names[ACCEL_HW_STATUS_NB] = {
#define ROW(id, number, name, stat) [id] = name,
		[ACCEL_HW_OK] = "OK",
		ACCEL_HW_STATUSES(ROW)
#undef ROW
	};

	return NAME_OF(names, status);
}
