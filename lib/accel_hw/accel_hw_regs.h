/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Registers of one function of the accelerator: pages of BAR0 (manual section 3), identity and
 * function control (section 4), queue pairs (section 5). All fields are little-endian.
 *
 * tools/contract makes this file from doc/hardware/contract.
 */
#ifndef ACCEL_HW_REGS_H
#define ACCEL_HW_REGS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* Manual section 3: the maker of a card may build the driver with other numbers. */
#ifndef ACCEL_HW_PCI_VENDOR_ID
#define ACCEL_HW_PCI_VENDOR_ID    0x1234
#define ACCEL_HW_PCI_DEVICE_ID_PF 0xacc0
#define ACCEL_HW_PCI_DEVICE_ID_VF 0xacc1
#endif

#define ACCEL_HW_PCI_CLASS        0x120000 /* processing accelerator */
#define ACCEL_HW_PCI_CLASS_BEFORE 0x100000 /* network and computing encryption, of older cards */

/* Manual section 3: every register page is 4 KiB and has one writer. */
#define ACCEL_HW_PAGE_SIZE       4096u /* bytes */
#define ACCEL_HW_IDENTITY_OFFSET 0u    /* the only offset that software may hard-code */

/* Manual section 4.1: identity page, written by the device. */
#define ACCEL_HW_MAGIC         0x30434341u /* bytes 'A' 'C' 'C' '0' */
#define ACCEL_HW_VERSION_MAJOR 1u
#define ACCEL_HW_VERSION_MINOR 7u
#define ACCEL_HW_VERSION       ((ACCEL_HW_VERSION_MAJOR << 16) | ACCEL_HW_VERSION_MINOR)

enum accel_hw_state {
	ACCEL_HW_STATE_BOOTING = 0,
	ACCEL_HW_STATE_READY = 1,
	ACCEL_HW_STATE_RESETTING = 2,
	ACCEL_HW_STATE_FATAL = 3,
};

/* X(number's name, name for people) */
#define ACCEL_HW_STATE_NAMES(X)                                                                    \
	X(ACCEL_HW_STATE_BOOTING, "booting")                                                       \
	X(ACCEL_HW_STATE_READY, "ready")                                                           \
	X(ACCEL_HW_STATE_RESETTING, "resetting")                                                   \
	X(ACCEL_HW_STATE_FATAL, "fatal")

enum accel_hw_fatal {
	ACCEL_HW_FATAL_NONE = 0,
	ACCEL_HW_FATAL_INTERNAL = 1,
	ACCEL_HW_FATAL_THERMAL = 2,
	ACCEL_HW_FATAL_FIRMWARE = 3,
};

/* X(number's name, name for people) */
#define ACCEL_HW_FATAL_NAMES(X)                                                                    \
	X(ACCEL_HW_FATAL_NONE, "none")                                                             \
	X(ACCEL_HW_FATAL_INTERNAL, "internal")                                                     \
	X(ACCEL_HW_FATAL_THERMAL, "thermal")                                                       \
	X(ACCEL_HW_FATAL_FIRMWARE, "firmware")

#define ACCEL_HW_FUNCTION_IS_VF      0x80000000u
#define ACCEL_HW_FUNCTION_INDEX_MASK 0x0000ffffu

/* Time limits of the device, in milliseconds. */

/* a READY function changes HEARTBEAT at least this often (manual section 4.4) */
#define ACCEL_HW_HEARTBEAT_MAX_MS  100u
/* an invalidated context is dropped within this time (manual section 8.4) */
#define ACCEL_HW_INVALIDATE_MAX_MS 10u
#define ACCEL_HW_COMMAND_MAX_MS    1000u /* reset and stop commands (manual sections 4.3, 5.4) */
/* STATE is booting no longer than this after power-on or FLR (manual section 4.1) */
#define ACCEL_HW_BOOTING_MAX_MS    10000u
/* a ready device answers SNAPSHOT_REQ within this time (manual section 4.6) */
#define ACCEL_HW_SNAPSHOT_MAX_MS   100u

struct accel_hw_identity {
	uint32_t magic;      /* the bytes "ACC0" */
	uint32_t version;    /* [31:16] major version; [15:0] minor version of this contract */
	uint32_t state;      /* enum accel_hw_state */
	uint32_t fatal_code; /* enum accel_hw_fatal; others: vendor's */
	uint64_t heartbeat;  /* counter, manual 4.4 */
	uint32_t reset_ack;  /* echo of RESET_REQ, manual 4.3 */
	/* [31] 1 = virtual function; [15:0] its index, from 0; 0 of a physical function */
	uint32_t function;
	uint32_t dt_offset;  /* offset of the device tree in BAR0, multiple of 8 */
	uint32_t dt_size;    /* bytes of the device tree, multiple of 8, at most 65536 */
};

static_assert(offsetof(struct accel_hw_identity, magic) == 0x00, "manual 4.1, FN-1");
static_assert(offsetof(struct accel_hw_identity, version) == 0x04, "manual 4.1, FN-2, FN-3");
static_assert(offsetof(struct accel_hw_identity, state) == 0x08, "manual 4.1, FN-4, RST-8, LIFE-2");
static_assert(offsetof(struct accel_hw_identity, fatal_code) == 0x0c, "manual 4.1, FN-6, LIFE-2");
static_assert(offsetof(struct accel_hw_identity, heartbeat) == 0x10, "manual 4.1, LIFE-1");
static_assert(offsetof(struct accel_hw_identity, reset_ack) == 0x18, "manual 4.1, RST-9, RST-10");
static_assert(offsetof(struct accel_hw_identity, function) == 0x1c, "manual 4.1, FN-7");
static_assert(offsetof(struct accel_hw_identity, dt_offset) == 0x20, "manual 4.1, FN-5, RST-12");
static_assert(offsetof(struct accel_hw_identity, dt_size) == 0x24, "manual 4.1, FN-5, RST-12");
static_assert(sizeof(struct accel_hw_identity) == 0x28, "manual 4.1");

/* X(structure, register, member, value after power-on and FLR) */
#define ACCEL_HW_IDENTITY_RESETS(X)                                                                \
	X(accel_hw_identity, MAGIC, magic, 0x30434341u)                                            \
	X(accel_hw_identity, VERSION, version, 0x10007u)                                           \
	X(accel_hw_identity, STATE, state, 0x0u)                                                   \
	X(accel_hw_identity, FATAL_CODE, fatal_code, 0x0u)                                         \
	X(accel_hw_identity, RESET_ACK, reset_ack, 0x0u)

/* Manual section 4.2: function control page, written by the host. */
struct accel_hw_control {
	uint32_t reset_req;    /* reset request number, manual 4.3 */
	uint32_t snapshot_req; /* snapshot request number, manual 4.6 */
	uint32_t pf_state;     /* enum accel_hw_pf_state; manual 4.8 */
	/* changed to drop all cached contexts of the function, manual 8.4. Since 1.5 */
	uint32_t drop_all;
};

static_assert(offsetof(struct accel_hw_control, reset_req) == 0x00, "manual 4.2, RST-1, RST-11");
static_assert(offsetof(struct accel_hw_control, snapshot_req) == 0x04, "manual 4.2, HLT-4");
static_assert(offsetof(struct accel_hw_control, pf_state) == 0x08, "manual 4.2, MBX-6");
static_assert(offsetof(struct accel_hw_control, drop_all) == 0x0c,
	      "manual 4.2, INV-7, INV-8, INV-9");
static_assert(sizeof(struct accel_hw_control) == 0x10, "manual 4.2");

/* X(structure, register, member, value after power-on and FLR) */
#define ACCEL_HW_CONTROL_RESETS(X)                                                                 \
	X(accel_hw_control, RESET_REQ, reset_req, 0x0u)                                            \
	X(accel_hw_control, SNAPSHOT_REQ, snapshot_req, 0x0u)                                      \
	X(accel_hw_control, PF_STATE, pf_state, 0x0u)                                              \
	X(accel_hw_control, DROP_ALL, drop_all, 0x0u)

/*
 * Manual section 8.4: context invalidation page of 32-bit words, written by the host. The address
 * of a context selects its word. Any change of a word drops every cached context that maps to it.
 */
#define ACCEL_HW_INVALIDATE_WORDS (ACCEL_HW_PAGE_SIZE / 4u)
#define ACCEL_HW_INVALIDATE_INDEX(context_address)                                                 \
	((uint32_t)(((context_address) >> 6) ^ ((context_address) >> 16)) &                        \
	 (ACCEL_HW_INVALIDATE_WORDS - 1u))

/* Manual section 5.1: queue pair host page, written by the host. */
#define ACCEL_HW_QP_CMD_NONE         0u
#define ACCEL_HW_QP_CMD_START        1u
#define ACCEL_HW_QP_CMD_STOP_DRAIN   2u /* STOP and drain */
#define ACCEL_HW_QP_CMD_STOP_DISCARD 3u /* STOP and discard */

/* X(number's name, name for people) */
#define ACCEL_HW_QP_CMD_NAMES(X)                                                                   \
	X(ACCEL_HW_QP_CMD_NONE, "none")                                                            \
	X(ACCEL_HW_QP_CMD_START, "START")                                                          \
	X(ACCEL_HW_QP_CMD_STOP_DRAIN, "STOP and drain")                                            \
	X(ACCEL_HW_QP_CMD_STOP_DISCARD, "STOP and discard")

#define ACCEL_HW_QP_CMD_MASK      0x000000ffu
#define ACCEL_HW_QP_CMD_SEQ_SHIFT 8 /* [31:8] sequence number */

#define ACCEL_HW_QP_COMMAND_UPPER_VALID (UINT64_C(1) << 63)
#define ACCEL_HW_QP_COMMAND_BASE_VALID  UINT64_C(1)
/* in WB_COUNT: the device chooses N and T; 1.2 */
#define ACCEL_HW_QP_WB_AUTO             (UINT32_C(1) << 31)
#define ACCEL_HW_QP_WB_AUTO_MAX         0xffffu /* then this part of WB_COUNT is the largest N */

struct accel_hw_qp_host {
	uint32_t control;      /* [31:8] sequence number; [7:0] command */
	uint32_t tx_size;      /* descriptors of the TX ring, a power of two */
	uint32_t rx_size;      /* descriptors of the RX ring, a power of two */
	uint32_t rsp_size;     /* entries of the response ring, a power of two */
	uint64_t tx_base;      /* IOVA of the TX ring, aligned to 64 bytes */
	uint64_t rx_base;      /* IOVA of the RX ring, aligned to 64 bytes */
	uint64_t rsp_base;     /* IOVA of the response ring, aligned to 64 bytes */
	uint64_t wb_base;      /* IOVA of the write-back line, aligned to 64 bytes */
	/*
	 * [31] AUTO: the device chooses N and T; possible only if the device tree has wb-auto;
	 * [30:0] N of manual 6.5, 0 means 1; with AUTO [30:16] are 0 and [15:0] is the largest N
	 */
	uint32_t wb_count;
	/* T of manual 6.5 in nanoseconds; 0 = no such limit. With AUTO the largest T */
	uint32_t wb_timeout_ns;
	/*
	 * [63] valid; if it is 0 the rest is ignored; [33:0] address[63:30] of all commands, manual
	 * 6.1; [62:34] are 0
	 */
	uint64_t command_upper;
	/*
	 * [63:32] RX_SDP; [31:0] TX_SDP; the slots after the last descriptors that the host has
	 * posted
	 */
	uint64_t doorbell;
	/*
	 * [63:6] address[63:6] of the command ring, manual 6.8; [0] valid; if it is 0 the rest is
	 * ignored; the ring is aligned to 64 bytes
	 */
	uint64_t command_base;
	uint32_t command_size; /* commands of the command ring, a power of two */
	uint32_t reserved;
};

static_assert(offsetof(struct accel_hw_qp_host, control) == 0x00, "manual 5.1, QP-26");
static_assert(offsetof(struct accel_hw_qp_host, tx_size) == 0x04, "manual 5.1, QP-1, QP-5");
static_assert(offsetof(struct accel_hw_qp_host, rx_size) == 0x08, "manual 5.1, QP-1, QP-5");
static_assert(offsetof(struct accel_hw_qp_host, rsp_size) == 0x0c, "manual 5.1, QP-1, QP-5");
static_assert(offsetof(struct accel_hw_qp_host, tx_base) == 0x10, "manual 5.1, QP-1, QP-2, QP-5");
static_assert(offsetof(struct accel_hw_qp_host, rx_base) == 0x18, "manual 5.1, QP-1, QP-2, QP-5");
static_assert(offsetof(struct accel_hw_qp_host, rsp_base) == 0x20, "manual 5.1, QP-1, QP-2, QP-5");
static_assert(offsetof(struct accel_hw_qp_host, wb_base) == 0x28, "manual 5.1, QP-1, QP-5");
static_assert(offsetof(struct accel_hw_qp_host, wb_count) == 0x30, "manual 5.1, WB-3, WB-9, WB-11");
static_assert(offsetof(struct accel_hw_qp_host, wb_timeout_ns) == 0x34, "manual 5.1, WB-4, WB-9");
static_assert(offsetof(struct accel_hw_qp_host, command_upper) == 0x38, "manual 5.1, RING-3, QP-5");
static_assert(offsetof(struct accel_hw_qp_host, doorbell) == 0x40,
	      "manual 5.1, GEN-2, GEN-3, QP-9, RING-10, RING-11");
static_assert(offsetof(struct accel_hw_qp_host, command_base) == 0x48,
	      "manual 5.1, CRING-1, CRING-3");
static_assert(offsetof(struct accel_hw_qp_host, command_size) == 0x50,
	      "manual 5.1, CRING-3, CRING-4");
static_assert(sizeof(struct accel_hw_qp_host) == 0x58, "manual 5.1");

/* X(structure, register, member, value after power-on and FLR) */
#define ACCEL_HW_QP_HOST_RESETS(X)                                                                 \
	X(accel_hw_qp_host, CONTROL, control, 0x0u)                                                \
	X(accel_hw_qp_host, TX_SIZE, tx_size, 0x0u)                                                \
	X(accel_hw_qp_host, RX_SIZE, rx_size, 0x0u)                                                \
	X(accel_hw_qp_host, RSP_SIZE, rsp_size, 0x0u)                                              \
	X(accel_hw_qp_host, TX_BASE, tx_base, 0x0u)                                                \
	X(accel_hw_qp_host, RX_BASE, rx_base, 0x0u)                                                \
	X(accel_hw_qp_host, RSP_BASE, rsp_base, 0x0u)                                              \
	X(accel_hw_qp_host, WB_BASE, wb_base, 0x0u)                                                \
	X(accel_hw_qp_host, WB_COUNT, wb_count, 0x0u)                                              \
	X(accel_hw_qp_host, WB_TIMEOUT_NS, wb_timeout_ns, 0x0u)                                    \
	X(accel_hw_qp_host, COMMAND_UPPER, command_upper, 0x0u)                                    \
	X(accel_hw_qp_host, DOORBELL, doorbell, 0x0u)                                              \
	X(accel_hw_qp_host, COMMAND_BASE, command_base, 0x0u)                                      \
	X(accel_hw_qp_host, COMMAND_SIZE, command_size, 0x0u)

/* Manual section 5.2: queue pair device page, written by the device. */
enum accel_hw_qp_state {
	ACCEL_HW_QP_STOPPED = 0,
	ACCEL_HW_QP_RUNNING = 1,
	ACCEL_HW_QP_STOPPING = 2,
	ACCEL_HW_QP_ERROR = 3,
};

/* X(number's name, name for people) */
#define ACCEL_HW_QP_STATE_NAMES(X)                                                                 \
	X(ACCEL_HW_QP_STOPPED, "stopped")                                                          \
	X(ACCEL_HW_QP_RUNNING, "running")                                                          \
	X(ACCEL_HW_QP_STOPPING, "stopping")                                                        \
	X(ACCEL_HW_QP_ERROR, "error")

/*
 * Manual section 9.1: why a queue pair is in ACCEL_HW_QP_ERROR.
 * X has the arguments of ACCEL_HW_STATUSES.
 */
#define ACCEL_HW_QP_ERRORS(X)                                                                      \
	/*                                                                                         \
	 * size not a power of two or out of range, base not aligned, bits [62:34] of a valid      \
	 * COMMAND_UPPER not 0, command ring refused (at START). The ring is that of the size or   \
	 * base, and TX for COMMAND_UPPER and the command ring                                     \
	 */                                                                                        \
	X(ACCEL_HW_QP_ERR_CONFIG, 1, "CONFIG", "config")                                           \
	/* descriptor of type 1 or 3 */                                                            \
	X(ACCEL_HW_QP_ERR_TYPE, 2, "TYPE", "type")                                                 \
	/* type 2 before the first type 0 of the ring */                                           \
	X(ACCEL_HW_QP_ERR_NO_UPPER, 3, "NO_UPPER", "no_upper")                                     \
	/* reserved or interrupt bit set */                                                        \
	X(ACCEL_HW_QP_ERR_RESERVED, 4, "RESERVED", "reserved")                                     \
	/* fragment crosses a 1 GiB boundary */                                                    \
	X(ACCEL_HW_QP_ERR_BOUNDARY, 5, "BOUNDARY", "boundary")                                     \
	/* command bit misplaced, command not 64 bytes long, length 0 */                           \
	X(ACCEL_HW_QP_ERR_FRAME, 6, "FRAME", "frame")                                              \
	/* frame with more fragments or bytes than the limits */                                   \
	X(ACCEL_HW_QP_ERR_TOO_LONG, 7, "TOO_LONG", "too_long")                                     \
	/* SDP not below the ring size */                                                          \
	X(ACCEL_HW_QP_ERR_POINTER, 8, "POINTER", "pointer")                                        \
	/*                                                                                         \
	 * a descriptor or command not readable; a response entry or the write-back line not       \
	 * writable, if the device learns of it (6.7)                                              \
	 */                                                                                        \
	X(ACCEL_HW_QP_ERR_DMA, 9, "DMA", "dma")

#define ACCEL_HW_QP_ERROR_NUMBER(id, number, name, stat) id = number,

enum accel_hw_qp_error {
	ACCEL_HW_QP_ERR_NONE = 0,
	ACCEL_HW_QP_ERRORS(ACCEL_HW_QP_ERROR_NUMBER)
};

#undef ACCEL_HW_QP_ERROR_NUMBER

enum accel_hw_qp_ring {
	ACCEL_HW_RING_TX = 0,
	ACCEL_HW_RING_RX = 1,
	ACCEL_HW_RING_RSP = 2, /* responses */
	ACCEL_HW_RING_WB = 3,  /* write-back */
};

/* X(number's name, name for people) */
#define ACCEL_HW_RING_NAMES(X)                                                                     \
	X(ACCEL_HW_RING_TX, "TX ring")                                                             \
	X(ACCEL_HW_RING_RX, "RX ring")                                                             \
	X(ACCEL_HW_RING_RSP, "response ring")                                                      \
	X(ACCEL_HW_RING_WB, "write-back line")

#define ACCEL_HW_QP_STATUS_STATE(s) ((s) & 0xffu)
#define ACCEL_HW_QP_STATUS_ERROR(s) (((s) >> 8) & 0xffu)
#define ACCEL_HW_QP_STATUS_RING(s) (((s) >> 16) & 0xffu)
#define ACCEL_HW_QP_STATUS(state, error, ring)                                                     \
	((uint32_t)(state) | ((uint32_t)(error) << 8) | ((uint32_t)(ring) << 16))

struct accel_hw_qp_device {
	uint32_t control_ack; /* the last value of CONTROL that was carried out */
	/*
	 * [23:16] ring of the error, enum accel_hw_qp_ring; [15:8] error code, manual 9.1, enum
	 * accel_hw_qp_error; [7:0] state, enum accel_hw_qp_state
	 */
	uint32_t status;
	uint32_t error_slot;  /* slot of the offending descriptor or entry */
	uint32_t reserved;
	uint32_t tx_hdp;      /* as in the last write-back (manual 6.5) */
	uint32_t rx_hdp;      /* as in the last write-back (manual 6.5) */
	uint32_t rsp_hhp;     /* as in the last write-back (manual 6.5) */
	uint32_t reserved2;
	uint64_t ops;         /* responses written since START */
	uint64_t op_errors;   /* responses since START whose status is not 0 */
	/*
	 * input bytes since START of the requests that passed the checks 1 to 9 of manual 7.4: AAD,
	 * source and digest to verify
	 */
	uint64_t bytes_in;
	uint64_t bytes_out;   /* output bytes since START: the sum of produced */
};

static_assert(offsetof(struct accel_hw_qp_device, control_ack) == 0x00,
	      "manual 5.2, QP-8, QP-18, QP-19");
static_assert(offsetof(struct accel_hw_qp_device, status) == 0x04,
	      "manual 5.2, QP-8, QP-18, ERR-3");
static_assert(offsetof(struct accel_hw_qp_device, error_slot) == 0x08, "manual 5.2, ERR-3, ERR-7");
static_assert(offsetof(struct accel_hw_qp_device, tx_hdp) == 0x10, "manual 5.2, QP-4, QP-6, WB-7");
static_assert(offsetof(struct accel_hw_qp_device, rx_hdp) == 0x14, "manual 5.2, QP-4, QP-6, WB-7");
static_assert(offsetof(struct accel_hw_qp_device, rsp_hhp) == 0x18, "manual 5.2, QP-4, QP-6, WB-7");
static_assert(offsetof(struct accel_hw_qp_device, ops) == 0x20, "manual 5.2, QP-3, QP-6");
static_assert(offsetof(struct accel_hw_qp_device, op_errors) == 0x28, "manual 5.2, QP-3, QP-6");
static_assert(offsetof(struct accel_hw_qp_device, bytes_in) == 0x30, "manual 5.2, QP-3, QP-6");
static_assert(offsetof(struct accel_hw_qp_device, bytes_out) == 0x38, "manual 5.2, QP-3, QP-6");
static_assert(sizeof(struct accel_hw_qp_device) == 0x40, "manual 5.2");

/* X(structure, register, member, value after power-on and FLR) */
#define ACCEL_HW_QP_DEVICE_RESETS(X)                                                               \
	X(accel_hw_qp_device, CONTROL_ACK, control_ack, 0x0u)                                      \
	X(accel_hw_qp_device, STATUS, status, 0x0u)                                                \
	X(accel_hw_qp_device, ERROR_SLOT, error_slot, 0x0u)                                        \
	X(accel_hw_qp_device, TX_HDP, tx_hdp, 0x0u)                                                \
	X(accel_hw_qp_device, RX_HDP, rx_hdp, 0x0u)                                                \
	X(accel_hw_qp_device, RSP_HHP, rsp_hhp, 0x0u)                                              \
	X(accel_hw_qp_device, OPS, ops, 0x0u)                                                      \
	X(accel_hw_qp_device, OP_ERRORS, op_errors, 0x0u)                                          \
	X(accel_hw_qp_device, BYTES_IN, bytes_in, 0x0u)                                            \
	X(accel_hw_qp_device, BYTES_OUT, bytes_out, 0x0u)

/* Manual section 4.6: the access of the latest fault, FAULT_INFO [7:0]. */
enum accel_hw_fault_access {
	ACCEL_HW_FAULT_NONE = 0,
	ACCEL_HW_FAULT_TX_RING = 1,
	ACCEL_HW_FAULT_RX_RING = 2,
	ACCEL_HW_FAULT_COMMAND = 3,
	ACCEL_HW_FAULT_CONTEXT = 4,
	ACCEL_HW_FAULT_INPUT = 5,
	ACCEL_HW_FAULT_RESULT = 6,
	ACCEL_HW_FAULT_RESPONSE = 7,
	ACCEL_HW_FAULT_LINE = 8, /* write-back line */
};

/* X(number's name, name for people) */
#define ACCEL_HW_FAULT_ACCESS_NAMES(X)                                                             \
	X(ACCEL_HW_FAULT_NONE, "none")                                                             \
	X(ACCEL_HW_FAULT_TX_RING, "read of the TX ring")                                           \
	X(ACCEL_HW_FAULT_RX_RING, "read of the RX ring")                                           \
	X(ACCEL_HW_FAULT_COMMAND, "read of a command")                                             \
	X(ACCEL_HW_FAULT_CONTEXT, "read of a context")                                             \
	X(ACCEL_HW_FAULT_INPUT, "read of input")                                                   \
	X(ACCEL_HW_FAULT_RESULT, "write of a result")                                              \
	X(ACCEL_HW_FAULT_RESPONSE, "write of a response")                                          \
	X(ACCEL_HW_FAULT_LINE, "write of the pointers")

/* Manual section 4.6: why it failed, FAULT_INFO [15:8]. */
enum accel_hw_fault_cause {
	/* not mapped (unsupported request, completer abort, no translation) */
	ACCEL_HW_FAULT_UNMAPPED = 1,
	ACCEL_HW_FAULT_TIMEOUT = 2, /* no completion in time */
	ACCEL_HW_FAULT_POISONED = 3,
};

/* X(number's name, name for people) */
#define ACCEL_HW_FAULT_CAUSE_NAMES(X)                                                              \
	X(ACCEL_HW_FAULT_UNMAPPED, "not mapped")                                                   \
	X(ACCEL_HW_FAULT_TIMEOUT, "no answer in time")                                             \
	X(ACCEL_HW_FAULT_POISONED, "poisoned")

#define ACCEL_HW_FAULT_INFO_ACCESS(info) ((info) & 0xffu)
#define ACCEL_HW_FAULT_INFO_CAUSE(info) (((info) >> 8) & 0xffu)
#define ACCEL_HW_FAULT_INFO_QP(info) ((info) >> 16)
#define ACCEL_HW_FAULT_INFO(access, cause, qp)                                                     \
	((uint32_t)(access) | ((uint32_t)(cause) << 8) | ((uint32_t)(qp) << 16))

#define ACCEL_HW_TEMPERATURE_NONE INT32_MIN  /* not measured */
#define ACCEL_HW_POWER_NONE       UINT32_MAX /* not measured */

/*
 * Manual section 4.6: health page, written by the device. The counters from time_ns on are those of
 * this function since power-on or FLR, as of the last snapshot.
 */
struct accel_hw_health {
	uint32_t snapshot_ack;     /* echo of SNAPSHOT_REQ */
	uint32_t fault_count;      /* failed accesses of this function since power-on or FLR */
	/*
	 * [31:16] queue pair; [15:8] cause, enum accel_hw_fault_cause; [7:0] access, enum
	 * accel_hw_fault_access; the latest failed access; 0: none, or it is being written
	 */
	uint32_t fault_info;
	uint32_t fault_tag;        /* tag of its request, 0 if it is not known or there is none */
	uint64_t fault_address;    /* IOVA of the first byte that could not be reached */
	uint32_t firmware_version; /* [31:16] major; [15:8] minor version; [7:0] patch level */
	uint32_t reserved;
	uint64_t serial;           /* serial number of the card, 0 if it has none */
	int32_t temperature;       /* signed, 0.1 degrees Celsius; 0x80000000: not measured */
	uint32_t power;            /* milliwatts; 0xffffffff: not measured */
	uint64_t mem_corrected;    /* memory errors of the card that were corrected */
	uint64_t mem_uncorrected;  /* memory errors of the card that were not corrected */
	/* time since power-on or FLR, as of the last snapshot, like the counters below */
	uint64_t time_ns;
	uint64_t ops;              /* responses written */
	uint64_t context_hits;     /* operations whose context was cached */
	uint64_t context_misses;   /* contexts read from host memory */
	uint64_t context_drops;    /* copies dropped by invalidation (8.4) */
	/* time in which engines worked for this function, summed over engines */
	uint64_t engine_busy_ns;
	uint64_t latency_ns_sum;   /* time from the read of the doorbell to the response, summed */
	/* the longest time from the read of the doorbell to the response */
	uint64_t latency_ns_max;
	/* operations that LATENCY_NS_SUM and LATENCY_NS_MAX cover; a card may sample */
	uint64_t latency_ops;
	uint64_t writebacks;       /* write-back lines written */
};

static_assert(offsetof(struct accel_hw_health, snapshot_ack) == 0x00, "manual 4.6, HLT-4");
static_assert(offsetof(struct accel_hw_health, fault_count) == 0x04, "manual 4.6, HLT-1");
static_assert(offsetof(struct accel_hw_health, fault_info) == 0x08, "manual 4.6, HLT-1, HLT-2");
static_assert(offsetof(struct accel_hw_health, fault_tag) == 0x0c, "manual 4.6, HLT-1, HLT-3");
static_assert(offsetof(struct accel_hw_health, fault_address) == 0x10, "manual 4.6, HLT-1, HLT-2");
static_assert(offsetof(struct accel_hw_health, firmware_version) == 0x18, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, serial) == 0x20, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, temperature) == 0x28, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, power) == 0x2c, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, mem_corrected) == 0x30, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, mem_uncorrected) == 0x38, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, time_ns) == 0x40, "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(offsetof(struct accel_hw_health, ops) == 0x48, "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(offsetof(struct accel_hw_health, context_hits) == 0x50,
	      "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(offsetof(struct accel_hw_health, context_misses) == 0x58,
	      "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(offsetof(struct accel_hw_health, context_drops) == 0x60,
	      "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(offsetof(struct accel_hw_health, engine_busy_ns) == 0x68,
	      "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(offsetof(struct accel_hw_health, latency_ns_sum) == 0x70,
	      "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(offsetof(struct accel_hw_health, latency_ns_max) == 0x78,
	      "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(offsetof(struct accel_hw_health, latency_ops) == 0x80,
	      "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(offsetof(struct accel_hw_health, writebacks) == 0x88,
	      "manual 4.6, HLT-4, HLT-5, HLT-6");
static_assert(sizeof(struct accel_hw_health) == 0x90, "manual 4.6");

/* X(structure, register, member, value after power-on and FLR) */
#define ACCEL_HW_HEALTH_RESETS(X)                                                                  \
	X(accel_hw_health, SNAPSHOT_ACK, snapshot_ack, 0x0u)                                       \
	X(accel_hw_health, FAULT_COUNT, fault_count, 0x0u)                                         \
	X(accel_hw_health, FAULT_INFO, fault_info, 0x0u)                                           \
	X(accel_hw_health, FAULT_TAG, fault_tag, 0x0u)                                             \
	X(accel_hw_health, FAULT_ADDRESS, fault_address, 0x0u)                                     \
	X(accel_hw_health, TIME_NS, time_ns, 0x0u)                                                 \
	X(accel_hw_health, OPS, ops, 0x0u)                                                         \
	X(accel_hw_health, CONTEXT_HITS, context_hits, 0x0u)                                       \
	X(accel_hw_health, CONTEXT_MISSES, context_misses, 0x0u)                                   \
	X(accel_hw_health, CONTEXT_DROPS, context_drops, 0x0u)                                     \
	X(accel_hw_health, ENGINE_BUSY_NS, engine_busy_ns, 0x0u)                                   \
	X(accel_hw_health, LATENCY_NS_SUM, latency_ns_sum, 0x0u)                                   \
	X(accel_hw_health, LATENCY_NS_MAX, latency_ns_max, 0x0u)                                   \
	X(accel_hw_health, LATENCY_OPS, latency_ops, 0x0u)                                         \
	X(accel_hw_health, WRITEBACKS, writebacks, 0x0u)

/* Manual section 4.5: a PF has at most so many virtual functions. */
#define ACCEL_HW_VFS_MAX 256u

/*
 * Rates and weight of a changed entry are in effect, and mails have arrived, within this time
 * (manual sections 4.5, 4.8).
 */
#define ACCEL_HW_VF_MAX_MS 100u

/*
 * Manual section 4.5: an entry of the PF's resource table, written by the host of the PF: the share
 * of one VF. A mailbox has the same structure.
 */
struct accel_hw_vf_resources {
	uint32_t sequence;         /* changed last; the device then reads the entry */
	uint16_t nb_queue_pairs;   /* queue pairs that the VF sees, may be 0 */
	uint16_t weight;           /* its part of busy engines (9.3); 0 is taken as 1. Since 1.2 */
	uint64_t ops_per_second;   /* rate limit, 0 = none */
	uint64_t bytes_per_second; /* rate limit, source bytes, 0 = none */
	uint64_t reserved;
	uint64_t algorithms[4];    /* bit n: algorithm number n (manual 8.2) may be used */
};

static_assert(offsetof(struct accel_hw_vf_resources, sequence) == 0x00,
	      "manual 4.5, VF-3, VF-15, VF-19");
static_assert(offsetof(struct accel_hw_vf_resources, nb_queue_pairs) == 0x04,
	      "manual 4.5, VF-1, VF-16, VF-17, VF-18");
static_assert(offsetof(struct accel_hw_vf_resources, weight) == 0x06, "manual 4.5, VF-15, SHARE-1");
static_assert(offsetof(struct accel_hw_vf_resources, ops_per_second) == 0x08,
	      "manual 4.5, VF-4, VF-15");
static_assert(offsetof(struct accel_hw_vf_resources, bytes_per_second) == 0x10,
	      "manual 4.5, VF-4, VF-15");
static_assert(offsetof(struct accel_hw_vf_resources, algorithms) == 0x20, "manual 4.5, VF-1, VF-2");
static_assert(sizeof(struct accel_hw_vf_resources) == 0x40, "manual 4.5");

/* X(structure, register, member, value after power-on and FLR) */
#define ACCEL_HW_VF_RESOURCES_RESETS(X)                                                            \
	X(accel_hw_vf_resources, SEQUENCE, sequence, 0x0u)                                         \
	X(accel_hw_vf_resources, NB_QUEUE_PAIRS, nb_queue_pairs, 0x0u)                             \
	X(accel_hw_vf_resources, WEIGHT, weight, 0x0u)                                             \
	X(accel_hw_vf_resources, OPS_PER_SECOND, ops_per_second, 0x0u)                             \
	X(accel_hw_vf_resources, BYTES_PER_SECOND, bytes_per_second, 0x0u)                         \
	X(accel_hw_vf_resources, ALGORITHMS, algorithms, 0x0u)

/* Manual section 4.8: what the host of the PF says about itself. */
enum accel_hw_pf_state {
	ACCEL_HW_PF_NONE = 0, /* no driver */
	ACCEL_HW_PF_UP = 1,   /* in operation */
	ACCEL_HW_PF_GOING_DOWN = 2,
};

/* Manual section 4.8: ANSWER_STATUS. */
enum accel_hw_answer_status {
	ACCEL_HW_ANSWER_GRANTED = 1, /* granted: the entry was changed */
	ACCEL_HW_ANSWER_REFUSED = 2,
};

/*
 * Manual section 4.8: the device page of a VF's mailbox. Its host page, and the PF's entries of
 * requests, are a struct accel_hw_vf_resources whose sequence is REQUEST.
 */
struct accel_hw_mailbox {
	uint32_t answer;        /* the REQUEST that was answered last, 0: none */
	uint32_t answer_status; /* enum accel_hw_answer_status; others: the PF's host's own */
	uint32_t pf_state;      /* enum accel_hw_pf_state */
	uint32_t share_count;   /* changes with the share below; odd: it is being written */
	uint16_t queue_pairs;   /* queue pairs that this VF has now */
	uint16_t reserved[23];
	/* the entry of the resource table as the device has read it last. SEQUENCE 0: everything */
	struct accel_hw_vf_resources share;
};

static_assert(offsetof(struct accel_hw_mailbox, answer) == 0x00, "manual 4.8, MBX-3, MBX-4, MBX-5");
static_assert(offsetof(struct accel_hw_mailbox, answer_status) == 0x04, "manual 4.8, MBX-3");
static_assert(offsetof(struct accel_hw_mailbox, pf_state) == 0x08, "manual 4.8, MBX-6");
static_assert(offsetof(struct accel_hw_mailbox, share_count) == 0x0c, "manual 4.8, MBX-7");
static_assert(offsetof(struct accel_hw_mailbox, queue_pairs) == 0x10, "manual 4.8, MBX-6");
static_assert(offsetof(struct accel_hw_mailbox, share) == 0x40, "manual 4.8, MBX-7");
static_assert(sizeof(struct accel_hw_mailbox) == 0x80, "manual 4.8");

/* X(structure, register, member, value after power-on and FLR) */
#define ACCEL_HW_MAILBOX_RESETS(X)                                                                 \
	X(accel_hw_mailbox, ANSWER, answer, 0x0u)                                                  \
	X(accel_hw_mailbox, ANSWER_STATUS, answer_status, 0x0u)

/* Manual section 4.8: an answer to a VF, written by the host of the PF. */
struct accel_hw_vf_answer {
	uint32_t answer;        /* changed last: the number of the request */
	uint32_t answer_status; /* enum accel_hw_answer_status; others: the PF's host's own */
	uint64_t reserved[7];
};

static_assert(offsetof(struct accel_hw_vf_answer, answer) == 0x00, "manual 4.8, MBX-3, MBX-4");
static_assert(offsetof(struct accel_hw_vf_answer, answer_status) == 0x04, "manual 4.8, MBX-3");
static_assert(sizeof(struct accel_hw_vf_answer) == 0x40, "manual 4.8");

/* VF_STATE: 0 = the VF is not enabled, else this of enum accel_hw_state. */
#define ACCEL_HW_VF_ABSENT 0u
#define ACCEL_HW_VF_STATE(state) ((uint8_t)(1u + (state)))

/* Manual section 4.8: status of a VF, written by the device for the host of the PF. */
struct accel_hw_vf_status {
	uint32_t share_ack;    /* SEQUENCE of the entry whose rates and weight are in effect */
	uint16_t queue_pairs;  /* queue pairs that the VF has */
	uint8_t vf_state;      /* 0 the VF is not enabled; else 1 + its STATE (4.1) */
	uint8_t vf_fatal_code; /* its FATAL_CODE */
	uint64_t reserved[7];
};

static_assert(offsetof(struct accel_hw_vf_status, share_ack) == 0x00, "manual 4.8, VF-19, MBX-7");
static_assert(offsetof(struct accel_hw_vf_status, queue_pairs) == 0x04, "manual 4.8, VF-18, MBX-6");
static_assert(offsetof(struct accel_hw_vf_status, vf_state) == 0x06, "manual 4.8, MBX-6");
static_assert(offsetof(struct accel_hw_vf_status, vf_fatal_code) == 0x07, "manual 4.8, MBX-6");
static_assert(sizeof(struct accel_hw_vf_status) == 0x40, "manual 4.8");

#endif /* ACCEL_HW_REGS_H */
