/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Asymmetric operations on the embedded device of plugged.h: sessions, a modular exponentiation
 * that every test can use, and slots that must be wiped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/waited.h"
#include "driver_asym/asym_plugged.h"

struct rte_mempool *asym_sessions;

struct rte_crypto_op *asym[OPS];

uint8_t result[OPS][RESULT];

/* 4^13 mod 497 = 445 */
static uint8_t mod_modulus[] = { 0x00, 0x01, 0xf1 }, mod_exponent[] = { 13 }, mod_base[] = { 4 };

const uint8_t mod_result[] = { 0x01, 0xbd };

struct rte_crypto_asym_xform mod_xform = {
	.xform_type = RTE_CRYPTO_ASYM_XFORM_MODEX,
	.modex = {
		.modulus = { .data = mod_modulus, .length = sizeof(mod_modulus) },
		.exponent = { .data = mod_exponent, .length = sizeof(mod_exponent) },
	},
};

void *
asym_session(struct rte_crypto_asym_xform *xform)
{
	void *sess = NULL;

	assert_int_equal(rte_cryptodev_asym_session_create(dev, xform, asym_sessions, &sess), 0);
	assert_non_null(sess);
	return sess;
}

struct rte_crypto_op *
fresh(unsigned int i, void *sess)
{
	struct rte_crypto_op *op = asym[i];

	memset(op->asym, 0, sizeof(*op->asym));
	memset(result[i], 0xee, RESULT);
	op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	op->asym->session = sess;
	return op;
}

struct rte_crypto_op *
mod_op(unsigned int i, void *sess)
{
	struct rte_crypto_op *op = fresh(i, sess);

	op->asym->modex.base.data = mod_base;
	op->asym->modex.base.length = sizeof(mod_base);
	op->asym->modex.result.data = result[i];
	return op;
}

unsigned int
collect_asym(uint16_t qp_id, struct rte_crypto_op **back, unsigned int n)
{
	const uint64_t end = waited_ns() + PATIENCE_NS;
	unsigned int got = 0;

	while (got < n && waited_ns() < end)
		got += rte_cryptodev_dequeue_burst(dev, qp_id, back + got, (uint16_t)(n - got));
	return got;
}

uint8_t
run(struct rte_crypto_op *op)
{
	struct rte_crypto_op *back = NULL;

	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
	assert_int_equal(collect_asym(0, &back, 1), 1);
	assert_ptr_equal(back, op);
	return op->status;
}

void
expect_mod_result(unsigned int i)
{
	assert_int_equal(asym[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(asym[i]->asym->modex.result.length, sizeof(mod_result));
	assert_memory_equal(result[i], mod_result, sizeof(mod_result));
	assert_int_equal(result[i][sizeof(mod_result)], 0xee);
}

void
expect_wiped(uint16_t qp_id)
{
	const struct accel_asym_slots *slots = plugged_qp(qp_id)->companion->asym;
	uint32_t i, k;

	for (i = 0; i < slots->nb; i++) {
		assert_null(slots->slot[i].large);
		assert_null(slots->slot[i].own);
		for (k = 0; slots->slot[i].memory != NULL && k < 4096; k++)
			assert_int_equal(slots->slot[i].memory[k], 0);
	}
}

void
configure(uint64_t ff_disable)
{
	struct rte_cryptodev_config config = {
		.nb_queue_pairs = PLUGGED_QPS, .ff_disable = ff_disable,
	};
	uint16_t q;

	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	for (q = 0; q < PLUGGED_QPS; q++)
		assert_int_equal(set_up(q, PLUGGED_DESC), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
}

int
make_all(void **state)
{
	struct rte_mempool *ops;
	unsigned int i;

	if (make_blocks(state) != 0)
		return -1;
	ops = rte_crypto_op_pool_create("asym_ops", RTE_CRYPTO_OP_TYPE_ASYMMETRIC, OPS, 0, 0,
					SOCKET_ID_ANY);
	if (ops == NULL)
		return -1;
	for (i = 0; i < OPS; i++) {
		asym[i] = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
		if (asym[i] == NULL)
			return -1;
	}
	/* The private part is sized by the devices that there are. */
	if (rte_eal_hotplug_add("vdev", PLUGGED, PLUGGED_ARGS) != 0)
		return -1;
	asym_sessions = rte_cryptodev_asym_session_pool_create("asym_sessions", 15, 0, 0,
							       SOCKET_ID_ANY);
	return asym_sessions == NULL || rte_eal_hotplug_remove("vdev", PLUGGED) != 0 ? -1 : 0;
}
