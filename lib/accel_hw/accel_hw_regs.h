/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Registers of one function of the accelerator: pages of BAR0 (manual section 3), identity and
 * function control (section 4), queue pairs (section 5). All fields are little-endian.
 */
#ifndef ACCEL_HW_REGS_H
#define ACCEL_HW_REGS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* Manual section 3: the maker of a card may build the driver with other numbers. */
#ifndef ACCEL_HW_PCI_VENDOR_ID
#define ACCEL_HW_PCI_VENDOR_ID 0x1234
#define ACCEL_HW_PCI_DEVICE_ID_PF 0xacc0
#define ACCEL_HW_PCI_DEVICE_ID_VF 0xacc1
#endif
#define ACCEL_HW_PCI_CLASS 0x100000 /* network and computing encryption */

/* Manual section 3: every register page is 4 KiB and has one writer. */
#define ACCEL_HW_PAGE_SIZE 4096u
#define ACCEL_HW_IDENTITY_OFFSET 0u /* the only offset that software may hard-code */

/* Manual section 4.1: identity page, written by the device. */
#define ACCEL_HW_MAGIC 0x30434341u /* bytes 'A' 'C' 'C' '0' */
#define ACCEL_HW_VERSION_MAJOR 1u
#define ACCEL_HW_VERSION_MINOR 4u
#define ACCEL_HW_VERSION ((ACCEL_HW_VERSION_MAJOR << 16) | ACCEL_HW_VERSION_MINOR)

enum accel_hw_state {
	ACCEL_HW_STATE_BOOTING = 0,
	ACCEL_HW_STATE_READY = 1,
	ACCEL_HW_STATE_RESETTING = 2,
	ACCEL_HW_STATE_FATAL = 3,
};

enum accel_hw_fatal {
	ACCEL_HW_FATAL_NONE = 0,
	ACCEL_HW_FATAL_INTERNAL = 1,
	ACCEL_HW_FATAL_THERMAL = 2,
	ACCEL_HW_FATAL_FIRMWARE = 3,
};

#define ACCEL_HW_FUNCTION_IS_VF 0x80000000u
#define ACCEL_HW_FUNCTION_INDEX_MASK 0x0000ffffu

/* A READY function changes HEARTBEAT at least this often (manual section 4.4). */
#define ACCEL_HW_HEARTBEAT_MAX_MS 100u
/* A device drops an invalidated context within this time (manual section 8.4). */
#define ACCEL_HW_INVALIDATE_MAX_MS 10u
/* A device carries out reset and stop commands within this time (manual sections 4.3, 5.4). */
#define ACCEL_HW_COMMAND_MAX_MS 1000u
/* STATE is booting no longer than this after power-on or FLR (manual section 4.1). */
#define ACCEL_HW_BOOTING_MAX_MS 10000u
/* A ready device answers SNAPSHOT_REQ within this time (manual section 4.6). */
#define ACCEL_HW_SNAPSHOT_MAX_MS 100u

struct accel_hw_identity {
	uint32_t magic;
	uint32_t version; /* [31:16] major, [15:0] minor */
	uint32_t state; /* enum accel_hw_state */
	uint32_t fatal_code; /* enum accel_hw_fatal */
	uint64_t heartbeat;
	uint32_t reset_ack; /* echo of accel_hw_control.reset_req */
	uint32_t function; /* [31] VF, [15:0] index */
	uint32_t dt_offset; /* bytes from the start of BAR0, multiple of 8 */
	uint32_t dt_size; /* bytes, multiple of 8 */
};

static_assert(offsetof(struct accel_hw_identity, magic) == 0x00, "manual 4.1");
static_assert(offsetof(struct accel_hw_identity, version) == 0x04, "manual 4.1");
static_assert(offsetof(struct accel_hw_identity, state) == 0x08, "manual 4.1");
static_assert(offsetof(struct accel_hw_identity, fatal_code) == 0x0c, "manual 4.1");
static_assert(offsetof(struct accel_hw_identity, heartbeat) == 0x10, "manual 4.1");
static_assert(offsetof(struct accel_hw_identity, reset_ack) == 0x18, "manual 4.1");
static_assert(offsetof(struct accel_hw_identity, function) == 0x1c, "manual 4.1");
static_assert(offsetof(struct accel_hw_identity, dt_offset) == 0x20, "manual 4.1");
static_assert(offsetof(struct accel_hw_identity, dt_size) == 0x24, "manual 4.1");
static_assert(sizeof(struct accel_hw_identity) == 0x28, "manual 4.1");

/* Manual section 4.2: function control page, written by the host. */
struct accel_hw_control {
	uint32_t reset_req; /* sequence number, echoed in accel_hw_identity.reset_ack */
	uint32_t snapshot_req; /* the same, echoed in accel_hw_health.snapshot_ack; 1.1 */
	uint32_t pf_state; /* of the PF: enum accel_hw_pf_state, for the VFs' mailboxes; 1.2 */
};

static_assert(offsetof(struct accel_hw_control, reset_req) == 0x00, "manual 4.2");
static_assert(offsetof(struct accel_hw_control, snapshot_req) == 0x04, "manual 4.2");
static_assert(offsetof(struct accel_hw_control, pf_state) == 0x08, "manual 4.2");

/*
 * Manual section 8.4: context invalidation page of 32-bit words, written by the host. The address
 * of a context selects its word. Any change of a word drops every cached context that maps to it.
 */
#define ACCEL_HW_INVALIDATE_WORDS (ACCEL_HW_PAGE_SIZE / 4u)
#define ACCEL_HW_INVALIDATE_INDEX(context_address)                                                 \
	((uint32_t)(((context_address) >> 6) ^ ((context_address) >> 16)) &                        \
	 (ACCEL_HW_INVALIDATE_WORDS - 1u))

/* Manual section 5.1: queue pair host page, written by the host. */
#define ACCEL_HW_QP_CMD_NONE 0u
#define ACCEL_HW_QP_CMD_START 1u
#define ACCEL_HW_QP_CMD_STOP_DRAIN 2u
#define ACCEL_HW_QP_CMD_STOP_DISCARD 3u
#define ACCEL_HW_QP_CMD_MASK 0x000000ffu
#define ACCEL_HW_QP_CMD_SEQ_SHIFT 8 /* [31:8] sequence number */

#define ACCEL_HW_QP_COMMAND_UPPER_VALID (UINT64_C(1) << 63)
#define ACCEL_HW_QP_COMMAND_BASE_VALID UINT64_C(1)
#define ACCEL_HW_QP_WB_AUTO (UINT32_C(1) << 31) /* in WB_COUNT: the device chooses N and T; 1.2 */
#define ACCEL_HW_QP_WB_AUTO_MAX 0xffffu /* then this part of WB_COUNT is the largest N */

struct accel_hw_qp_host {
	uint32_t control; /* [31:8] sequence number, [7:0] ACCEL_HW_QP_CMD_* */
	uint32_t tx_size; /* descriptors, power of two */
	uint32_t rx_size; /* descriptors, power of two */
	uint32_t rsp_size; /* responses, power of two */
	uint64_t tx_base; /* IOVA, 64-byte aligned; so are the next three */
	uint64_t rx_base;
	uint64_t rsp_base;
	uint64_t wb_base;
	uint32_t wb_count; /* most responses per write-back; 0 means 1; ACCEL_HW_QP_WB_AUTO */
	uint32_t wb_timeout_ns; /* age of the oldest response not written back; 0 = no limit */
	uint64_t command_upper; /* [63] valid, [33:0] address[63:30] of commands (manual 6.1) */
	uint64_t doorbell; /* [63:32] RX_SDP, [31:0] TX_SDP; one aligned 64-bit write */
	uint64_t command_base; /* [0] valid, rest IOVA of the command ring, 64-byte aligned; 1.1 */
	uint32_t command_size; /* commands, power of two */
	uint32_t reserved;
};

static_assert(offsetof(struct accel_hw_qp_host, control) == 0x00, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, tx_size) == 0x04, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, rx_size) == 0x08, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, rsp_size) == 0x0c, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, tx_base) == 0x10, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, rx_base) == 0x18, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, rsp_base) == 0x20, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, wb_base) == 0x28, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, wb_count) == 0x30, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, wb_timeout_ns) == 0x34, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, command_upper) == 0x38, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, doorbell) == 0x40, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, command_base) == 0x48, "manual 5.1");
static_assert(offsetof(struct accel_hw_qp_host, command_size) == 0x50, "manual 5.1");
static_assert(sizeof(struct accel_hw_qp_host) == 0x58, "manual 5.1");

/* Manual section 5.2: queue pair device page, written by the device. */
enum accel_hw_qp_state {
	ACCEL_HW_QP_STOPPED = 0,
	ACCEL_HW_QP_RUNNING = 1,
	ACCEL_HW_QP_STOPPING = 2,
	ACCEL_HW_QP_ERROR = 3,
};

/*
 * Manual section 9.1: why a queue pair is in ACCEL_HW_QP_ERROR.
 * X has the arguments of ACCEL_HW_STATUSES.
 */
#define ACCEL_HW_QP_ERRORS(X)                                                                      \
	/* size, base or COMMAND_UPPER refused at START */                                         \
	X(ACCEL_HW_QP_ERR_CONFIG, 1, "CONFIG", "config")                                           \
	/* descriptor type 1 or 3 */                                                               \
	X(ACCEL_HW_QP_ERR_TYPE, 2, "TYPE", "type")                                                 \
	/* type 2 before the first type 0 */                                                       \
	X(ACCEL_HW_QP_ERR_NO_UPPER, 3, "NO_UPPER", "no_upper")                                     \
	/* reserved or interrupt bit set */                                                        \
	X(ACCEL_HW_QP_ERR_RESERVED, 4, "RESERVED", "reserved")                                     \
	/* fragment crosses 1 GiB */                                                               \
	X(ACCEL_HW_QP_ERR_BOUNDARY, 5, "BOUNDARY", "boundary")                                     \
	/* command bit misplaced, command length, zero length */                                   \
	X(ACCEL_HW_QP_ERR_FRAME, 6, "FRAME", "frame")                                              \
	/* fragments or bytes of a frame above the limits */                                       \
	X(ACCEL_HW_QP_ERR_TOO_LONG, 7, "TOO_LONG", "too_long")                                     \
	/* SDP not below the ring size */                                                          \
	X(ACCEL_HW_QP_ERR_POINTER, 8, "POINTER", "pointer")                                        \
	/* DMA fault on a ring, a command, a response or the write-back */                         \
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
	ACCEL_HW_RING_RSP = 2,
	ACCEL_HW_RING_WB = 3,
};

#define ACCEL_HW_QP_STATUS_STATE(s) ((s) & 0xffu)
#define ACCEL_HW_QP_STATUS_ERROR(s) (((s) >> 8) & 0xffu)
#define ACCEL_HW_QP_STATUS_RING(s) (((s) >> 16) & 0xffu)
#define ACCEL_HW_QP_STATUS(state, error, ring)                                                     \
	((uint32_t)(state) | ((uint32_t)(error) << 8) | ((uint32_t)(ring) << 16))

struct accel_hw_qp_device {
	uint32_t control_ack; /* echo of accel_hw_qp_host.control once the command is done */
	uint32_t status; /* [7:0] state, [15:8] error, [23:16] ring of the error */
	uint32_t error_slot; /* slot of the offending descriptor */
	uint32_t reserved;
	uint32_t tx_hdp; /* as of the last write-back */
	uint32_t rx_hdp;
	uint32_t rsp_hhp;
	uint32_t reserved2;
	uint64_t ops; /* responses written since START */
	uint64_t op_errors; /* responses with a status other than OK */
	uint64_t bytes_in; /* payload bytes read */
	uint64_t bytes_out; /* payload bytes written */
};

static_assert(offsetof(struct accel_hw_qp_device, control_ack) == 0x00, "manual 5.2");
static_assert(offsetof(struct accel_hw_qp_device, status) == 0x04, "manual 5.2");
static_assert(offsetof(struct accel_hw_qp_device, error_slot) == 0x08, "manual 5.2");
static_assert(offsetof(struct accel_hw_qp_device, tx_hdp) == 0x10, "manual 5.2");
static_assert(offsetof(struct accel_hw_qp_device, rx_hdp) == 0x14, "manual 5.2");
static_assert(offsetof(struct accel_hw_qp_device, rsp_hhp) == 0x18, "manual 5.2");
static_assert(offsetof(struct accel_hw_qp_device, ops) == 0x20, "manual 5.2");
static_assert(offsetof(struct accel_hw_qp_device, op_errors) == 0x28, "manual 5.2");
static_assert(offsetof(struct accel_hw_qp_device, bytes_in) == 0x30, "manual 5.2");
static_assert(offsetof(struct accel_hw_qp_device, bytes_out) == 0x38, "manual 5.2");
static_assert(sizeof(struct accel_hw_qp_device) == 0x40, "manual 5.2");

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
	ACCEL_HW_FAULT_LINE = 8,
};

/* Manual section 4.6: why it failed, FAULT_INFO [15:8]. */
enum accel_hw_fault_cause {
	ACCEL_HW_FAULT_UNMAPPED = 1, /* unsupported request, completer abort, no translation */
	ACCEL_HW_FAULT_TIMEOUT = 2, /* no completion in time */
	ACCEL_HW_FAULT_POISONED = 3,
};

#define ACCEL_HW_FAULT_INFO(access, cause, qp)                                                     \
	((uint32_t)(access) | ((uint32_t)(cause) << 8) | ((uint32_t)(qp) << 16))
#define ACCEL_HW_FAULT_INFO_ACCESS(info) ((info) & 0xffu)
#define ACCEL_HW_FAULT_INFO_CAUSE(info) (((info) >> 8) & 0xffu)
#define ACCEL_HW_FAULT_INFO_QP(info) ((info) >> 16)

#define ACCEL_HW_TEMPERATURE_NONE INT32_MIN /* not measured */
#define ACCEL_HW_POWER_NONE UINT32_MAX /* not measured */

/* Manual section 4.6: health page, written by the device. */
struct accel_hw_health {
	uint32_t snapshot_ack; /* echo of accel_hw_control.snapshot_req */
	uint32_t fault_count; /* since power-on or FLR */
	uint32_t fault_info; /* ACCEL_HW_FAULT_INFO(); 0 first and the value last */
	uint32_t fault_tag; /* tag of the request, 0 if it is not known */
	uint64_t fault_address; /* IOVA */
	uint32_t firmware_version; /* [31:16] major, [15:8] minor, [7:0] patch */
	uint32_t reserved;
	uint64_t serial; /* 0: none */
	int32_t temperature; /* 0.1 degrees Celsius, or ACCEL_HW_TEMPERATURE_NONE */
	uint32_t power; /* milliwatts, or ACCEL_HW_POWER_NONE */
	uint64_t mem_corrected; /* memory errors that were corrected */
	uint64_t mem_uncorrected; /* and those that were not */
	/* Counters of this function since power-on or FLR, as of the last snapshot. */
	uint64_t time_ns;
	uint64_t ops; /* responses written */
	uint64_t context_hits;
	uint64_t context_misses;
	uint64_t context_drops; /* copies dropped by invalidation */
	uint64_t engine_busy_ns; /* sum over the engines */
	uint64_t latency_ns_sum; /* doorbell read until response written */
	uint64_t latency_ns_max;
	uint64_t latency_ops; /* operations that the two before cover */
	uint64_t writebacks; /* lines written */
};

static_assert(offsetof(struct accel_hw_health, snapshot_ack) == 0x00, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, fault_count) == 0x04, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, fault_info) == 0x08, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, fault_tag) == 0x0c, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, fault_address) == 0x10, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, firmware_version) == 0x18, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, serial) == 0x20, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, temperature) == 0x28, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, power) == 0x2c, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, mem_corrected) == 0x30, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, mem_uncorrected) == 0x38, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, time_ns) == 0x40, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, ops) == 0x48, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, context_hits) == 0x50, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, context_misses) == 0x58, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, context_drops) == 0x60, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, engine_busy_ns) == 0x68, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, latency_ns_sum) == 0x70, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, latency_ns_max) == 0x78, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, latency_ops) == 0x80, "manual 4.6");
static_assert(offsetof(struct accel_hw_health, writebacks) == 0x88, "manual 4.6");
static_assert(sizeof(struct accel_hw_health) == 0x90, "manual 4.6");

/* Manual section 4.5: a PF has at most so many virtual functions. */
#define ACCEL_HW_VFS_MAX 256u

/* Rates and weight of a changed entry are in effect, and mails have arrived, within this time
 * (manual sections 4.5, 4.8). */
#define ACCEL_HW_VF_MAX_MS 100u

/* Manual section 4.5: an entry of the PF's resource table, written by the host of the PF: the share
 * of one VF. A mailbox has the same structure. */
struct accel_hw_vf_resources {
	uint32_t sequence; /* sequence number; the device reads the entry when it changes */
	uint16_t nb_queue_pairs; /* may be 0 */
	uint16_t weight; /* its part of busy engines, 0 is taken as 1; 1.2 */
	uint64_t ops_per_second; /* 0 = no limit */
	uint64_t bytes_per_second; /* 0 = no limit */
	uint64_t reserved;
	uint64_t algorithms[4]; /* bit n = algorithm id n (accel_hw_alg.h) may be used */
};

static_assert(offsetof(struct accel_hw_vf_resources, nb_queue_pairs) == 0x04, "manual 4.5");
static_assert(offsetof(struct accel_hw_vf_resources, weight) == 0x06, "manual 4.5");
static_assert(offsetof(struct accel_hw_vf_resources, ops_per_second) == 0x08, "manual 4.5");
static_assert(offsetof(struct accel_hw_vf_resources, bytes_per_second) == 0x10, "manual 4.5");
static_assert(offsetof(struct accel_hw_vf_resources, algorithms) == 0x20, "manual 4.5");
static_assert(sizeof(struct accel_hw_vf_resources) == 0x40, "manual 4.5");

/* Manual section 4.8: what the host of the PF says about itself. */
enum accel_hw_pf_state {
	ACCEL_HW_PF_NONE = 0, /* no driver */
	ACCEL_HW_PF_UP = 1,
	ACCEL_HW_PF_GOING_DOWN = 2,
};

/* Manual section 4.8: ANSWER_STATUS. */
enum accel_hw_answer_status {
	ACCEL_HW_ANSWER_GRANTED = 1,
	ACCEL_HW_ANSWER_REFUSED = 2,
};

/* Manual section 4.8: the device page of a VF's mailbox. Its host page, and the PF's entries of
 * requests, are a struct accel_hw_vf_resources whose sequence is REQUEST. */
struct accel_hw_mailbox {
	uint32_t answer; /* the request that was answered last */
	uint32_t answer_status; /* enum accel_hw_answer_status */
	uint32_t pf_state; /* enum accel_hw_pf_state */
	uint32_t share_count; /* changes with share; odd: it is being written */
	uint16_t queue_pairs; /* that the VF has now */
	uint16_t reserved[23];
	struct accel_hw_vf_resources share; /* as the device has read it last */
};

static_assert(offsetof(struct accel_hw_mailbox, answer) == 0x00, "manual 4.8");
static_assert(offsetof(struct accel_hw_mailbox, answer_status) == 0x04, "manual 4.8");
static_assert(offsetof(struct accel_hw_mailbox, pf_state) == 0x08, "manual 4.8");
static_assert(offsetof(struct accel_hw_mailbox, share_count) == 0x0c, "manual 4.8");
static_assert(offsetof(struct accel_hw_mailbox, queue_pairs) == 0x10, "manual 4.8");
static_assert(offsetof(struct accel_hw_mailbox, share) == 0x40, "manual 4.8");
static_assert(sizeof(struct accel_hw_mailbox) == 0x80, "manual 4.8");

/* Manual section 4.8: an answer to a VF, written by the host of the PF. */
struct accel_hw_vf_answer {
	uint32_t answer; /* number of the request, changed last */
	uint32_t answer_status; /* enum accel_hw_answer_status */
	uint64_t reserved[7];
};

static_assert(offsetof(struct accel_hw_vf_answer, answer) == 0x00, "manual 4.8");
static_assert(offsetof(struct accel_hw_vf_answer, answer_status) == 0x04, "manual 4.8");
static_assert(sizeof(struct accel_hw_vf_answer) == 0x40, "manual 4.8");

/* VF_STATE: 0 = the VF is not enabled, else this of enum accel_hw_state. */
#define ACCEL_HW_VF_ABSENT 0u
#define ACCEL_HW_VF_STATE(state) ((uint8_t)(1u + (state)))

/* Manual section 4.8: status of a VF, written by the device for the host of the PF. */
struct accel_hw_vf_status {
	uint32_t share_ack; /* SEQUENCE of the entry whose rates and weight are in effect */
	uint16_t queue_pairs; /* that the VF has */
	uint8_t vf_state; /* ACCEL_HW_VF_ABSENT or ACCEL_HW_VF_STATE() */
	uint8_t vf_fatal_code; /* enum accel_hw_fatal */
	uint64_t reserved[7];
};

static_assert(offsetof(struct accel_hw_vf_status, share_ack) == 0x00, "manual 4.8");
static_assert(offsetof(struct accel_hw_vf_status, queue_pairs) == 0x04, "manual 4.8");
static_assert(offsetof(struct accel_hw_vf_status, vf_state) == 0x06, "manual 4.8");
static_assert(offsetof(struct accel_hw_vf_status, vf_fatal_code) == 0x07, "manual 4.8");
static_assert(sizeof(struct accel_hw_vf_status) == 0x40, "manual 4.8");

#endif /* ACCEL_HW_REGS_H */
