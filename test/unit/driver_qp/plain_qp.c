/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair in plain memory for the device of security_dev.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver_qp/plain_qp.h"

struct accel_qp qp;

struct accel_inflight inflight[NB_DESC];

static uint8_t refusals[NB_DESC];

struct accel_hw_command commands[NB_DESC];

struct accel_hw_response responses[2 * NB_DESC];

struct accel_hw_writeback wb;

uint64_t tx[RING_SIZE], rx[RING_SIZE], doorbell;

void
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
