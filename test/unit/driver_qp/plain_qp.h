/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair in plain memory for the device of security_dev.h. The test plays the device.
 */
#ifndef UNIT_PLAIN_QP_H
#define UNIT_PLAIN_QP_H

#include "accel_datapath.h"
#include "accel_queue_setup.h"
#include "accel_queue.h"
#include "accel_response.h"
#include "accel_ring.h"
#include "driver_base/desc.h"
#include "driver_base/security_dev.h"

#define CMD_IOVA UINT64_C(0x100000000) /* 4 GiB, so the upper bits are 4 */
#define NB_DESC 32u /* more than ACCEL_CLAIM_AT_ONCE */
#define RING_SIZE 256u

extern struct accel_qp qp;
extern struct accel_inflight inflight[NB_DESC];
extern struct accel_hw_command commands[NB_DESC];
extern struct accel_hw_response responses[2 * NB_DESC];
extern struct accel_hw_writeback wb;
extern uint64_t tx[RING_SIZE], rx[RING_SIZE], doorbell;

void reset_queue(void);

#endif /* UNIT_PLAIN_QP_H */
