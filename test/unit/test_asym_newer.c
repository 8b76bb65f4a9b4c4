/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Asymmetric operations of newer versions of DPDK, without a device: instances of EdDSA that a card
 * does not have. With an older version there are no such transforms.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_asym_session.h"
#include "accel_compat.h"
#include "datapath/accel_asym_op.h"

#define MAX_OPERAND 8192u

/* What the transforms are from the version on that has them. */
#define XFORM_EDDSA 12u

static struct {
	struct rte_crypto_op op;
	struct rte_crypto_asym_op asym;
} one;

static struct accel_asym_session sess;
static struct accel_asym_plan plan;
static uint8_t buffer[8][256];

static int
begin(void **state)
{
	(void)state;
	memset(&one, 0, sizeof(one));
	memset(&sess, 0, sizeof(sess));
	memset(buffer, 0xee, sizeof(buffer));
	one.op.type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
	sess.owner = ACCEL_ASYM_OWNER;
	return 0;
}
