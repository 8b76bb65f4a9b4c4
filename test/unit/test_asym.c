/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Asymmetric operations of the driver on the embedded device: what is offered, what becomes of good
 * and bad operations, bursts of both types, slots that are wiped, and queue pairs that are stopped,
 * set up anew, or fail while operations are in flight.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <rte_cycles.h>

#include "accel_asym_session.h"
#include "accel_queue_run.h"
#include "datapath/accel_asym.h"
#include "datapath/accel_asym_op.h"
#include "test_asym_key.h"
#include "test_plugged.h"

#define OPS 32u
#define RESULT 256u
#define PATIENCE_S 20u

static struct rte_mempool *asym_sessions;
static struct rte_crypto_op *asym[OPS];
static uint8_t result[OPS][RESULT];

/* 4^13 mod 497 = 445 */
static uint8_t mod_modulus[] = { 0x00, 0x01, 0xf1 }, mod_exponent[] = { 13 }, mod_base[] = { 4 };
static const uint8_t mod_result[] = { 0x01, 0xbd };

static struct rte_crypto_asym_xform mod_xform = {
	.xform_type = RTE_CRYPTO_ASYM_XFORM_MODEX,
	.modex = {
		.modulus = { .data = mod_modulus, .length = sizeof(mod_modulus) },
		.exponent = { .data = mod_exponent, .length = sizeof(mod_exponent) },
	},
};

static struct rte_crypto_asym_xform
rsa_xform(bool quintuple)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_RSA };

	x.rsa.n = (struct rte_crypto_param_t){ .data = rsa_n, .length = sizeof(rsa_n) };
	x.rsa.e = (struct rte_crypto_param_t){ .data = rsa_e, .length = sizeof(rsa_e) };
	x.rsa.key_type = quintuple ? RTE_RSA_KEY_TYPE_QT : RTE_RSA_KEY_TYPE_EXP;
	if (!quintuple) {
		x.rsa.d = (struct rte_crypto_param_t){ .data = rsa_d, .length = sizeof(rsa_d) };
		return x;
	}
	x.rsa.qt.p = (struct rte_crypto_param_t){ .data = rsa_p, .length = sizeof(rsa_p) };
	x.rsa.qt.q = (struct rte_crypto_param_t){ .data = rsa_q, .length = sizeof(rsa_q) };
	x.rsa.qt.dP = (struct rte_crypto_param_t){ .data = rsa_dp, .length = sizeof(rsa_dp) };
	x.rsa.qt.dQ = (struct rte_crypto_param_t){ .data = rsa_dq, .length = sizeof(rsa_dq) };
	x.rsa.qt.qInv = (struct rte_crypto_param_t){ .data = rsa_qinv, .length = sizeof(rsa_qinv) };
	return x;
}

static void *
asym_session(struct rte_crypto_asym_xform *xform)
{
	void *sess = NULL;

	assert_int_equal(rte_cryptodev_asym_session_create(dev, xform, asym_sessions, &sess), 0);
	assert_non_null(sess);
	return sess;
}

static void
asym_session_done(void *sess)
{
	assert_int_equal(rte_cryptodev_asym_session_free(dev, sess), 0);
}

/* The library keeps a session's memory when a driver refuses it. */
static int
refused_session(struct rte_crypto_asym_xform *xform)
{
	void *sess = NULL;
	const int ret = rte_cryptodev_asym_session_create(dev, xform, asym_sessions, &sess);

	assert_non_null(sess);
	asym_session_done(sess);
	return ret;
}

static struct rte_crypto_op *
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

static struct rte_crypto_op *
mod_op(unsigned int i, void *sess)
{
	struct rte_crypto_op *op = fresh(i, sess);

	op->asym->modex.base.data = mod_base;
	op->asym->modex.base.length = sizeof(mod_base);
	op->asym->modex.result.data = result[i];
	return op;
}

/* Dequeues n operations, which may be of both types. Blocks are counted. */
static unsigned int
collect_asym(uint16_t qp_id, struct rte_crypto_op **back, unsigned int n)
{
	const uint64_t end = rte_get_timer_cycles() + PATIENCE_S * rte_get_timer_hz();
	unsigned int got = 0;

	while (got < n && rte_get_timer_cycles() < end)
		got += rte_cryptodev_dequeue_burst(dev, qp_id, back + got, (uint16_t)(n - got));
	return got;
}

static uint8_t
run(struct rte_crypto_op *op)
{
	struct rte_crypto_op *back = NULL;

	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
	assert_int_equal(collect_asym(0, &back, 1), 1);
	assert_ptr_equal(back, op);
	return op->status;
}

static void
expect_mod_result(unsigned int i)
{
	assert_int_equal(asym[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(asym[i]->asym->modex.result.length, sizeof(mod_result));
	assert_memory_equal(result[i], mod_result, sizeof(mod_result));
	assert_int_equal(result[i][sizeof(mod_result)], 0xee);
}

/* No operand or result of an operation is left anywhere. */
static void
expect_wiped(uint16_t qp_id)
{
	const struct accel_asym_slots *slots = plugged_qp(qp_id)->beside->asym;
	uint32_t i, k;

	for (i = 0; i < slots->nb; i++) {
		assert_null(slots->slot[i].large);
		assert_null(slots->slot[i].own);
		for (k = 0; slots->slot[i].memory != NULL && k < 4096; k++)
			assert_int_equal(slots->slot[i].memory[k], 0);
	}
}

/*
 * What is offered.
 */

static unsigned int
count_capabilities(enum rte_crypto_op_type type)
{
	struct rte_cryptodev_info info;
	unsigned int i, n = 0;

	rte_cryptodev_info_get(dev, &info);
	for (i = 0; info.capabilities[i].op != RTE_CRYPTO_OP_TYPE_UNDEFINED; i++)
		n += info.capabilities[i].op == type;
	return n;
}

static void
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

/* Capabilities and queue pairs follow what the application disables. */
static void
test_offered(void **state)
{
	const uint64_t flags = RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO |
			       RTE_CRYPTODEV_FF_ASYM_SESSIONLESS |
			       RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_EXP |
			       RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_QT;
	const struct rte_cryptodev_asym_capability_idx rsa = { .type = RTE_CRYPTO_ASYM_XFORM_RSA };
	const struct rte_cryptodev_asymmetric_xform_capability *cap;
	struct rte_cryptodev_info info;
	unsigned int sym, asymmetric;

	(void)state;
	plug(PLUGGED_ARGS);
	rte_cryptodev_info_get(dev, &info);
	assert_int_equal(info.feature_flags & flags, flags);
	sym = count_capabilities(RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	asymmetric = count_capabilities(RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	assert_true(sym > 20 && asymmetric >= 5);
	cap = rte_cryptodev_asym_capability_get(dev, &rsa);
	assert_non_null(cap);
	assert_int_equal(cap->op_types, 0xf);
	assert_int_equal(cap->modlen.min, 128);
	assert_int_equal(cap->modlen.max, 1024);
	assert_non_null(plugged_qp(0)->beside);

	configure(RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_SYMMETRIC), sym);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_ASYMMETRIC), 0);
	assert_null(plugged_qp(0)->beside);
	expect_alive(0);
	configure(RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_SYMMETRIC), 0);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_ASYMMETRIC), asymmetric);
	configure(RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_SYMMETRIC), 0);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_ASYMMETRIC), 0);
	configure(0);
	assert_non_null(plugged_qp(1)->beside);
	unplug();
}

/* An application that has disabled asymmetric operations gets them back with a status. */
static void
test_disabled(void **state)
{
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	configure(RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO);
	assert_int_equal(run(mod_op(0, sess)), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	asym_session_done(sess);
	unplug();
}

/*
 * Sessions.
 */

static void
test_bad_sessions(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_UNSPECIFIED };
	struct rte_crypto_asym_xform next;
	static uint8_t zero[4], small[] = { 0x0f }, even[sizeof(rsa_n)];

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(refused_session(&x), -ENOTSUP);
	x.xform_type = RTE_CRYPTO_ASYM_XFORM_ECFPM;
	assert_int_equal(refused_session(&x), -ENOTSUP);
	x.xform_type = (enum rte_crypto_asym_xform_type)1000;
	assert_int_equal(refused_session(&x), -ENOTSUP);

	x = rsa_xform(false);
	next = x;
	x.next = &next;
	assert_int_equal(refused_session(&x), -ENOTSUP);
	x = rsa_xform(false);
	x.rsa.e.length = 0;
	assert_int_equal(refused_session(&x), -EINVAL);
	x = rsa_xform(false);
	x.rsa.n.data = NULL;
	assert_int_equal(refused_session(&x), -EINVAL);
	x = rsa_xform(false);
	x.rsa.n.data = small;
	x.rsa.n.length = sizeof(small);
	assert_int_equal(refused_session(&x), -ENOTSUP);
	x.rsa.n.data = zero;
	x.rsa.n.length = sizeof(zero);
	assert_int_equal(refused_session(&x), -EINVAL);
	x = rsa_xform(false);
	memcpy(even, rsa_n, sizeof(even));
	even[sizeof(even) - 1]--;
	x.rsa.n.data = even;
	assert_int_equal(refused_session(&x), -EINVAL);
	x = rsa_xform(true);
	x.rsa.qt.dQ.length = 0;
	assert_int_equal(refused_session(&x), -EINVAL);
	x = rsa_xform(true);
	x.rsa.qt.dQ.data = NULL;
	assert_int_equal(refused_session(&x), -EINVAL);
	x = mod_xform;
	x.modex.exponent.length = 70000;
	x.modex.exponent.data = calloc(1, 70000);
	memset(x.modex.exponent.data, 1, 70000);
	assert_int_equal(refused_session(&x), -EINVAL);
	x.modex.exponent.length = 60000;
	assert_int_equal(refused_session(&x), -ENOTSUP);
	free(x.modex.exponent.data);
	unplug();
}

/* A session keeps its key when the caller's memory goes, and loses it when it is freed. */
static void
test_session_copies(void **state)
{
	struct rte_crypto_asym_xform x = mod_xform;
	struct accel_asym_session *ours;
	uint8_t modulus[] = { 0x01, 0xf1 };
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	x.modex.modulus.data = modulus;
	x.modex.modulus.length = sizeof(modulus);
	sess = asym_session(&x);
	memset(modulus, 0xff, sizeof(modulus));
	run(mod_op(0, sess));
	expect_mod_result(0);
	ours = accel_asym_sess_priv((struct rte_cryptodev_asym_session *)sess);
	assert_int_equal(ours->owner, ACCEL_ASYM_OWNER);
	assert_int_equal(ours->context->alg, ACCEL_HW_PK_MODEXP);
	asym_session_done(sess);
	assert_int_equal(ours->owner, 0);
	assert_null(ours->context);
	unplug();
}

/*
 * Operations.
 */

/* A result's length on entry is the room for it, and 0 is enough room. */
static void
test_room(void **state)
{
	struct rte_crypto_op *op;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	run(mod_op(0, sess));
	expect_mod_result(0);
	op = mod_op(0, sess);
	op->asym->modex.result.length = 2;
	run(op);
	expect_mod_result(0);
	op = mod_op(0, sess);
	op->asym->modex.result.length = RESULT;
	run(op);
	expect_mod_result(0);
	op = mod_op(0, sess);
	op->asym->modex.result.length = 1;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(result[0][0], 0xee);
	/* 1^13 = 1 fits, as only leading zeros are lost. */
	op = mod_op(0, sess);
	op->asym->modex.base.data = (uint8_t[]){ 1 };
	op->asym->modex.result.length = 1;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->modex.result.length, 1);
	assert_int_equal(result[0][0], 1);
	assert_int_equal(result[0][1], 0xee);
	expect_wiped(0);
	asym_session_done(sess);
	unplug();
}

static void
test_sessionless(void **state)
{
	struct rte_crypto_asym_xform bad = mod_xform;
	struct rte_crypto_op *op;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	for (i = 0; i < 3 * PLUGGED_DESC; i++) {
		op = mod_op(0, NULL);
		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		op->asym->xform = &mod_xform;
		run(op);
		expect_mod_result(0);
	}
	op = mod_op(0, NULL);
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	bad.modex.modulus.length = 0;
	op = mod_op(0, NULL);
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	op->asym->xform = &bad;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	bad.xform_type = RTE_CRYPTO_ASYM_XFORM_ECFPM;
	op = mod_op(0, NULL);
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	op->asym->xform = &bad;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	expect_wiped(0);
	unplug();
}

/* What cannot be carried out is accepted, and comes back in its turn with a status. */
static void
test_bad_ops(void **state)
{
	struct rte_crypto_asym_xform x = rsa_xform(false);
	struct rte_crypto_op *op, *back[4], *burst[4];
	void *mod, *rsa;

	(void)state;
	plug(PLUGGED_ARGS);
	mod = asym_session(&mod_xform);
	rsa = asym_session(&x);
	assert_int_equal(run(mod_op(0, NULL)), RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	op = mod_op(0, mod);
	op->asym->modex.result.data = NULL;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op = mod_op(0, mod);
	op->asym->modex.base.length = 0;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op = mod_op(0, mod);
	op->asym->modex.base.length = 1u << 21; /* not read */
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op = mod_op(0, mod);
	op->sess_type = RTE_CRYPTO_OP_SECURITY_SESSION;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op = fresh(0, rsa);
	op->asym->rsa.op_type = (enum rte_crypto_asym_op_type)77;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);

	burst[0] = mod_op(0, mod);
	burst[1] = mod_op(1, NULL);
	burst[2] = mod_op(2, mod);
	burst[2]->asym->modex.result.data = NULL;
	burst[3] = mod_op(3, mod);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst, 4), 4);
	assert_int_equal(collect_asym(0, back, 4), 4);
	assert_memory_equal(back, burst, sizeof(burst));
	expect_mod_result(0);
	assert_int_equal(back[1]->status, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	assert_int_equal(back[2]->status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	expect_mod_result(3);
	expect_wiped(0);
	asym_session_done(mod);
	asym_session_done(rsa);
	unplug();
}

static void
set_padding(struct rte_crypto_op *op, enum rte_crypto_rsa_padding_type type,
	    enum rte_crypto_auth_algorithm hash)
{
	op->asym->rsa.padding.type = type;
	op->asym->rsa.padding.hash = hash;
}

/* Signatures with both forms of a key, right and wrong ones. */
static void
test_rsa_signatures(void **state)
{
	static uint8_t digest[32] = { 1, 2, 3 }, other[32] = { 1, 2, 4 };
	static const enum rte_crypto_auth_algorithm hashes[] = {
		0, RTE_CRYPTO_AUTH_NULL, RTE_CRYPTO_AUTH_SHA256,
	};
	struct rte_crypto_asym_xform x;
	struct rte_crypto_op *op;
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	for (i = 0; i < 2 * RTE_DIM(hashes); i++) {
		x = rsa_xform(i % 2 != 0);
		sess = asym_session(&x);
		op = fresh(0, sess);
		set_padding(op, RTE_CRYPTO_RSA_PADDING_PKCS1_5, hashes[i / 2]);
		op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
		op->asym->rsa.message.data = digest;
		op->asym->rsa.message.length = sizeof(digest);
		op->asym->rsa.sign.data = result[0];
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(op->asym->rsa.sign.length, 128);
		assert_int_equal(result[0][128], 0xee);
		op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		op->asym->rsa.message.data = other;
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_ERROR);
		op->asym->rsa.message.data = digest;
		op->asym->rsa.message.length--;
		assert_int_not_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		op->asym->rsa.message.length++;
		op->asym->rsa.sign.length--;
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_ERROR);
		asym_session_done(sess);
	}
	expect_wiped(0);
	unplug();
}

/* Without padding VERIFY gives what is in the signature, and compares it if there is a message. */
static void
test_rsa_unpadded(void **state)
{
	static uint8_t message[130] = { [2] = 0x12, [129] = 0x34 }, recovered[RESULT];
	struct rte_crypto_asym_xform x = rsa_xform(true);
	struct rte_crypto_op *op;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&x);
	op = fresh(0, sess);
	set_padding(op, RTE_CRYPTO_RSA_PADDING_NONE, (enum rte_crypto_auth_algorithm)12345);
	op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	op->asym->rsa.message.data = message;
	op->asym->rsa.message.length = sizeof(message);
	op->asym->rsa.sign.data = result[0];
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	op->asym->rsa.cipher.data = recovered;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->rsa.cipher.length, 128);
	assert_memory_equal(recovered, message + 2, 128);
	memset(recovered, 0, sizeof(recovered));
	message[129]++;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_ERROR);
	op->asym->rsa.message.length = 0;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(recovered[127], 0x34);
	op->asym->rsa.cipher.data = NULL;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	message[129]--;
	asym_session_done(sess);
	unplug();
}

/* Decryption strips the padding, and a wrong one is an error that does not say what is wrong. */
static void
test_rsa_decrypt(void **state)
{
	static uint8_t message[20] = { 9, 8, 7 }, cipher[RESULT], label[] = "label";
	struct rte_crypto_asym_xform x = rsa_xform(true);
	unsigned int oaep, i;
	struct rte_crypto_op *op;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&x);
	for (oaep = 0; oaep < 3; oaep++) {
		op = fresh(0, sess);
		set_padding(op, oaep != 0 ? RTE_CRYPTO_RSA_PADDING_OAEP :
			    RTE_CRYPTO_RSA_PADDING_PKCS1_5, RTE_CRYPTO_AUTH_SHA1);
		if (oaep == 2) {
			op->asym->rsa.padding.mgf1hash = RTE_CRYPTO_AUTH_SHA256;
			op->asym->rsa.padding.oaep_label.data = label;
			op->asym->rsa.padding.oaep_label.length = sizeof(label);
		}
		op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_ENCRYPT;
		op->asym->rsa.message.data = message;
		op->asym->rsa.message.length = sizeof(message);
		op->asym->rsa.cipher.data = cipher;
		op->asym->rsa.cipher.length = 0;
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(op->asym->rsa.cipher.length, 128);
		op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_DECRYPT;
		op->asym->rsa.message.data = result[0];
		op->asym->rsa.message.length = 0;
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(op->asym->rsa.message.length, sizeof(message));
		assert_memory_equal(result[0], message, sizeof(message));
		assert_int_equal(result[0][sizeof(message)], 0xee);
		op->asym->rsa.message.length = sizeof(message) - 1;
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		for (i = 0; i < 3; i++) {
			cipher[40 * i]++;
			op->asym->rsa.message.length = 0;
			memset(result[0], 0xee, RESULT);
			assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_ERROR);
			assert_int_equal(result[0][0], 0xee);
			cipher[40 * i]--;
		}
	}
	expect_wiped(0);
	asym_session_done(sess);
	unplug();
}

/*
 * Bursts, queue pairs.
 */

/* Operations of both types in one burst. Each type keeps its order. */
static void
test_mixed(void **state)
{
	struct rte_crypto_op *burst[24], *back[24];
	struct rte_cryptodev_stats stats;
	unsigned int i, n = 0, last_block = 0, next_asym = 0;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	for (i = 0; i < 24; i++)
		burst[i] = i % 3 == 1 ? mod_op(n++, sess) : renew(i)->op;
	assert_int_equal(n, 8);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst, 24), 24);
	assert_int_equal(accel_qp_depth_used(plugged_qp(0)), 24);
	assert_int_equal(collect_asym(0, back, 24), 24);
	for (i = 0; i < 24; i++) {
		if (back[i]->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC) {
			assert_ptr_equal(back[i], asym[next_asym]);
			expect_mod_result(next_asym++);
		} else {
			struct block *b = block_of(back[i]);

			came_back(b, back[i]->status);
			assert_true((unsigned int)(b - blocks) >= last_block);
			last_block = (unsigned int)(b - blocks);
		}
	}
	assert_int_equal(next_asym, 8);
	assert_int_equal(accel_qp_depth_used(plugged_qp(0)), 0);
	assert_int_equal(plugged_qp(0)->beside_busy, 0);
	assert_int_equal(rte_cryptodev_stats_get(dev, &stats), 0);
	assert_int_equal(stats.enqueued_count, 24);
	assert_int_equal(stats.dequeued_count, 24);
	asym_session_done(sess);
	unplug();
}

/* A full queue pair of one type takes the other type. */
static void
test_full(void **state)
{
	struct rte_crypto_op *burst[OPS], *back[OPS];
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	assert_int_equal(offer(0, 0, PLUGGED_DESC + 4), PLUGGED_DESC);
	for (i = 0; i < OPS; i++)
		burst[i] = mod_op(i, sess);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst, OPS), PLUGGED_DESC);
	assert_int_equal(collect_asym(0, back, 2 * PLUGGED_DESC), 2 * PLUGGED_DESC);
	for (i = 0; i < PLUGGED_DESC; i++)
		expect_mod_result(i);
	asym_session_done(sess);
	unplug();
}

static void
offer_mod(uint16_t qp_id, unsigned int n, void *sess)
{
	struct rte_crypto_op *burst[OPS];
	unsigned int i;

	for (i = 0; i < n; i++)
		burst[i] = mod_op(i, sess);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, qp_id, burst, (uint16_t)n), n);
}

/* What was not dequeued before a stop comes back after it, whatever becomes of the queue pair. */
static void
test_stop_and_set_up(void **state)
{
	struct rte_crypto_op *back[OPS];
	unsigned int round, i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	for (round = 0; round < 4; round++) {
		offer_mod(0, 10, sess);
		assert_int_equal(offer(0, 0, 3), 3);
		rte_cryptodev_stop(dev);
		expect_wiped(0);
		if (round == 1)
			assert_int_equal(set_up(0, PLUGGED_DESC), 0);
		if (round == 2)
			assert_int_equal(set_up(0, 4), -EBUSY);
		if (round == 3)
			configure(RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO);
		assert_int_equal(rte_cryptodev_start(dev), 0);
		assert_int_equal(collect_asym(0, back, 13), 13);
		for (i = 0; i < 10; i++)
			assert_int_not_equal(asym[i]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
		if (round == 3)
			configure(0);
		run(mod_op(0, sess));
		expect_mod_result(0);
	}
	asym_session_done(sess);
	unplug();
}

/* The device dies: operations of both types come back, and the driver starts both queue pairs. */
static void
test_heal(void **state)
{
	struct rte_crypto_op *back[OPS];
	const uint64_t end = rte_get_timer_cycles() + PATIENCE_S * rte_get_timer_hz();
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS ",recover=on");
	sess = asym_session(&mod_xform);
	assert_int_equal(rte_pmd_accel_fault(dev, "dead@1"), 0);
	offer_mod(0, 5, sess);
	assert_int_equal(collect_asym(0, back, 5), 5);
	for (i = 1; i < 5; i++) /* it dies behind the first */
		assert_int_equal(asym[i]->status, RTE_CRYPTO_OP_STATUS_ERROR);
	expect_wiped(0);
	assert_true(events != 0);
	while (run(mod_op(0, sess)) != RTE_CRYPTO_OP_STATUS_SUCCESS &&
	       rte_get_timer_cycles() < end)
		;
	expect_mod_result(0);
	/* The other queue pairs find out that the function was reset. */
	do
		assert_int_equal(offer(1, 0, 1), 1);
	while (collect(1, 1) == 1 && blocks[0].status != RTE_CRYPTO_OP_STATUS_SUCCESS &&
	       rte_get_timer_cycles() < end);
	expect_alive(1);
	asym_session_done(sess);
	unplug();
}

/* A queue pair that is set up from the callback of its error event. */
static void
set_up_again(uint8_t id, enum rte_cryptodev_event_type event, void *arg)
{
	(void)id;
	(void)arg;
	if (event != RTE_CRYPTODEV_EVENT_ERROR)
		return;
	rte_cryptodev_stop(dev);
	assert_int_equal(set_up(0, PLUGGED_DESC), 0);
	rte_cryptodev_start(dev);
}

static void
test_set_up_in_callback(void **state)
{
	struct rte_crypto_op *back[OPS];
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS ",recover=off");
	sess = asym_session(&mod_xform);
	assert_int_equal(rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR,
							 set_up_again, NULL), 0);
	assert_int_equal(rte_pmd_accel_fault(dev, "dead@1"), 0);
	offer_mod(0, 5, sess);
	assert_int_equal(collect_asym(0, back, 5), 5);
	rte_cryptodev_callback_unregister(dev, RTE_CRYPTODEV_EVENT_ERROR, set_up_again, NULL);
	run(mod_op(0, sess));
	expect_mod_result(0);
	asym_session_done(sess);
	unplug();
}

/* Releases a queue pair whose operations were not dequeued: nothing of them stays. */
static void
test_release(void **state)
{
	struct rte_crypto_op *op;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	for (i = 0; i < 4; i++) {
		op = mod_op(i, NULL);
		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		op->asym->xform = &mod_xform;
		assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
	}
	unplug(); /* the sanitizers find what is lost */
}

/*
 * Random numbers.
 */

static void
test_random(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };
	static uint8_t a[10000], b[10000];
	struct rte_crypto_op *op;
	unsigned int i, ones = 0;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(rte_pmd_accel_random(dev, NULL, 1), -EINVAL);
	assert_int_equal(rte_pmd_accel_random(77, a, 1), -ENODEV);
	assert_int_equal(rte_pmd_accel_random(dev, NULL, 0), 0);
	assert_int_equal(rte_pmd_accel_random(dev, a, sizeof(a)), 0);
	assert_int_equal(rte_pmd_accel_random(dev, b, sizeof(b)), 0);
	assert_memory_not_equal(a, b, 32);
	assert_memory_not_equal(a + sizeof(a) - 32, b + sizeof(b) - 32, 32);
	for (i = 0; i < sizeof(a); i++)
		ones += (unsigned int)__builtin_popcount(a[i]);
	assert_in_range(ones, 38000, 42000);
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_pmd_accel_random(dev, a, 1), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);

	sess = asym_session(&x);
	op = fresh(0, sess);
	op->asym->modex.result.data = result[0];
	op->asym->modex.result.length = 100;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->modex.result.length, 100);
	assert_int_equal(result[0][100], 0xee);
	op->asym->modex.result.length = 0;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->modex.result.length = (1u << 20) + 1;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	expect_wiped(0);

	/* The source fails, and stays so. */
	assert_int_equal(rte_pmd_accel_fault(dev, "entropy@1"), 0);
	assert_int_equal(rte_pmd_accel_random(dev, a, sizeof(a)), -EIO);
	for (i = 0; i < sizeof(a); i++)
		assert_int_equal(a[i], 0);
	op->asym->modex.result.length = 100;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_ERROR);
	asym_session_done(sess);
	unplug();
}

/* Data beside an operation's slot: operations that are larger get memory of their own. */
static void
test_large(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };
	static uint8_t much[65536];
	struct rte_crypto_op *op;
	unsigned int i, zeros = 0;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&x);
	op = fresh(0, sess);
	op->asym->modex.result.data = much;
	op->asym->modex.result.length = sizeof(much);
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	for (i = 0; i < sizeof(much); i++)
		zeros += much[i] == 0;
	assert_in_range(zeros, 100, 500);
	expect_wiped(0);
	asym_session_done(sess);
	unplug();
}

static int
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offered),
		cmocka_unit_test(test_disabled),
		cmocka_unit_test(test_bad_sessions),
		cmocka_unit_test(test_session_copies),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_sessionless),
		cmocka_unit_test(test_bad_ops),
		cmocka_unit_test(test_rsa_signatures),
		cmocka_unit_test(test_rsa_unpadded),
		cmocka_unit_test(test_rsa_decrypt),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_stop_and_set_up),
		cmocka_unit_test(test_heal),
		cmocka_unit_test(test_set_up_in_callback),
		cmocka_unit_test(test_release),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_large),
	};

	if (start_eal_silent("test_asym") < 0)
		return 1;
	return cmocka_run_group_tests_name("asymmetric operations", tests, make_all, NULL);
}
