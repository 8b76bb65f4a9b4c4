/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair in plain memory for the device of test_security_dev.h. The test plays the device.
 */
#ifndef TEST_PLAIN_QP_H
#define TEST_PLAIN_QP_H

#include "accel_dequeue.h"
#include "accel_enqueue.h"
#include "accel_queue.h"
#include "accel_queue_setup.h"
#include "accel_response.h"
#include "accel_ring.h"
#include "test_desc.h"
#include "test_security_dev.h"

#define CMD_IOVA UINT64_C(0x100000000) /* 4 GiB, so the upper bits are 4 */
#define NB_DESC 32u /* more than ACCEL_CLAIM_AT_ONCE */
#define RING_SIZE 256u

static struct accel_qp qp;
static struct accel_inflight inflight[NB_DESC];
static uint8_t refusals[NB_DESC];
static struct accel_hw_command commands[NB_DESC];
static struct accel_hw_response responses[2 * NB_DESC];
static struct accel_hw_writeback wb;
static uint64_t tx[RING_SIZE], rx[RING_SIZE], doorbell;

static inline void
reset_queue(void)
{
	memset(&qp, 0, sizeof(qp));
	memset(inflight, 0, sizeof(inflight));
	memset(commands, 0xee, sizeof(commands));
	memset(responses, 0, sizeof(responses));
	memset(&wb, 0, sizeof(wb));
	qp.nb_desc = NB_DESC;
	qp.desc_mask = NB_DESC - 1;
	qp.rsp_size = 2 * NB_DESC;
	qp.inflight = inflight;
	qp.refusals = refusals;
	qp.responses = responses;
	qp.wb = &wb;
	accel_qp_set_commands(&qp, commands, CMD_IOVA);
	qp.doorbell = &doorbell;
	qp.max_fragments = 16;
	qp.max_frame_bytes = 65536;
	qp.mode = ACCEL_QP_RUNNING;
	qp.dev = &dev;
	accel_ring_init(&qp.tx, tx, RING_SIZE);
	accel_ring_init(&qp.rx, rx, RING_SIZE);
}

#endif /* TEST_PLAIN_QP_H */
