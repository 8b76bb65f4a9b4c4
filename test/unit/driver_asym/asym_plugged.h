/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Asymmetric operations on the embedded device of plugged.h: sessions, a modular
 * exponentiation that every test can use, and slots that must be wiped.
 */
#ifndef UNIT_ASYM_PLUGGED_H
#define UNIT_ASYM_PLUGGED_H

#include <stdint.h>
#include <string.h>

#include <rte_cycles.h>

#include "accel_asym.h"
#include "driver_qp/plugged.h"

#define OPS 32u
#define RESULT 256u
#define PATIENCE_NS UINT64_C(20000000000)

extern struct rte_mempool *asym_sessions;
extern struct rte_crypto_op *asym[OPS];
extern uint8_t result[OPS][RESULT];
extern const uint8_t mod_result[2];
extern struct rte_crypto_asym_xform mod_xform; /* 4^13 mod 497 = 445 */

void *asym_session(struct rte_crypto_asym_xform *xform);

static inline void
asym_session_done(void *sess)
{
	assert_int_equal(rte_cryptodev_asym_session_free(dev, sess), 0);
}

struct rte_crypto_op *fresh(unsigned int i, void *sess);

struct rte_crypto_op *mod_op(unsigned int i, void *sess);

/* Dequeues n operations, which may be of both types. Blocks are counted. */
unsigned int collect_asym(uint16_t qp_id, struct rte_crypto_op **back, unsigned int n);

uint8_t run(struct rte_crypto_op *op);

void expect_mod_result(unsigned int i);

/* No operand or result of an operation is left anywhere. */
void expect_wiped(uint16_t qp_id);

void configure(uint64_t ff_disable);

int make_all(void **state);

#endif /* UNIT_ASYM_PLUGGED_H */
