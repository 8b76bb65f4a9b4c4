/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Formats of what the DMA engine of a queue pair accesses in host memory: descriptors and the
 * write-back line (manual section 6).
 *
 * tools/contract makes this file from doc/hardware/contract.
 */
#ifndef ACCEL_HW_DMA_H
#define ACCEL_HW_DMA_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Manual section 6.1. A descriptor is one 64-bit little-endian word, written by the host.
 * Type 0, upper address: it consumes a slot and moves no data.
 */

/*
 * [63:62] = 0 type
 * [61:34] = 0 reserved
 * [33:0] address[63:30] of the type 2 descriptors that follow
 */

/* Type 2, fragment. */

/*
 * [63:62] = 2 type
 * [61] next: another fragment of the same frame follows
 * [60] command: this fragment is a command (TX only)
 * [59:48] = 0 reserved
 * [47:32] length in bytes, 1 to 65535. RX: capacity
 * [31] = 0 interrupt; this contract has no interrupts
 * [30] = 0 reserved
 * [29:0] address[29:0], any byte
 */

#define ACCEL_HW_DESC_SIZE          8u /* bytes */
#define ACCEL_HW_DESC_TYPE_SHIFT    62
#define ACCEL_HW_DESC_TYPE_UPPER    0u
#define ACCEL_HW_DESC_TYPE_FRAGMENT 2u
#define ACCEL_HW_DESC_TYPE(desc) ((unsigned int)((desc) >> ACCEL_HW_DESC_TYPE_SHIFT))

#define ACCEL_HW_DESC_REGION_SHIFT 30 /* a fragment lies within one region of 1 GiB */
#define ACCEL_HW_DESC_REGION_SIZE  (UINT64_C(1) << ACCEL_HW_DESC_REGION_SHIFT)
#define ACCEL_HW_DESC_LOW_MASK     (ACCEL_HW_DESC_REGION_SIZE - 1)

#define ACCEL_HW_DESC0_UPPER_MASK ((UINT64_C(1) << 34) - 1)
#define ACCEL_HW_DESC0_RESERVED   (((UINT64_C(1) << 62) - 1) & ~ACCEL_HW_DESC0_UPPER_MASK)

#define ACCEL_HW_DESC2_TYPE      (UINT64_C(2) << ACCEL_HW_DESC_TYPE_SHIFT)
#define ACCEL_HW_DESC2_NEXT      (UINT64_C(1) << 61)
#define ACCEL_HW_DESC2_COMMAND   (UINT64_C(1) << 60)
#define ACCEL_HW_DESC2_LEN_SHIFT 32
#define ACCEL_HW_DESC2_LEN_MAX   65535u
#define ACCEL_HW_DESC2_INTERRUPT (UINT64_C(1) << 31)
#define ACCEL_HW_DESC2_RESERVED                                                                    \
	((UINT64_C(0xfff) << 48) | ACCEL_HW_DESC2_INTERRUPT | (UINT64_C(1) << 30))
#define ACCEL_HW_DESC2_LEN(desc) ((uint32_t)((desc) >> ACCEL_HW_DESC2_LEN_SHIFT) & 0xffffu)

static_assert((ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_NEXT | ACCEL_HW_DESC2_COMMAND |
	       (UINT64_C(0xffff) << ACCEL_HW_DESC2_LEN_SHIFT) | ACCEL_HW_DESC2_RESERVED |
	       ACCEL_HW_DESC_LOW_MASK) == (UINT64_MAX & ~(UINT64_C(1) << 62)),
	      "manual 6.1: the fields of type 2 cover the word");
static_assert((ACCEL_HW_DESC0_RESERVED | ACCEL_HW_DESC0_UPPER_MASK) == UINT64_MAX >> 2,
	      "manual 6.1: the fields of type 0 cover the word");

/* Manual section 6.2: limits that every card keeps; its device tree may allow more. */
#define ACCEL_HW_RING_SIZE_MIN       8u    /* descriptors */
#define ACCEL_HW_RING_BASE_ALIGN     64u   /* bytes */
#define ACCEL_HW_MIN_MAX_RING_SIZE   1024u /* descriptors */
#define ACCEL_HW_MIN_MAX_FRAGMENTS   16u   /* data fragments of a frame */
#define ACCEL_HW_MIN_MAX_FRAME_BYTES 65536u

/* Manual section 6.5: the write-back line, 64 bytes in host memory, written by the device. */
struct accel_hw_writeback {
	uint32_t rsp_hhp;      /* slot after the last response written */
	uint32_t tx_hdp;       /* slot after the last TX descriptor of a request with a response */
	uint32_t rx_hdp;       /* slot after the last RX descriptor of a request with a response */
	uint32_t status;       /* as STATUS of the device page */
	uint32_t reserved[12]; /* written as 0, or not written */
};

static_assert(offsetof(struct accel_hw_writeback, rsp_hhp) == 0x00, "manual 6.5, WB-7");
static_assert(offsetof(struct accel_hw_writeback, tx_hdp) == 0x04, "manual 6.5, WB-7, WB-8");
static_assert(offsetof(struct accel_hw_writeback, rx_hdp) == 0x08, "manual 6.5, WB-7, WB-8");
static_assert(offsetof(struct accel_hw_writeback, status) == 0x0c, "manual 6.5, WB-6");
static_assert(sizeof(struct accel_hw_writeback) == 0x40, "manual 6.5");

#endif /* ACCEL_HW_DMA_H */
