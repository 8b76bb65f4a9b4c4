/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Asymmetric operations of the driver on the embedded device: what is offered, sessions, and what
 * becomes of good and bad operations of each algorithm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "accel_asym_session.h"
#include "driver_asym/asym_plugged.h"
#include "driver_asym/asym_key.h"
#include "driver_asym/asym_version.h"

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
	assert_non_null(plugged_qp(0)->companion);

	configure(RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_SYMMETRIC), sym);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_ASYMMETRIC), 0);
	assert_null(plugged_qp(0)->companion);
	expect_alive(0);
	configure(RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_SYMMETRIC), 0);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_ASYMMETRIC), asymmetric);
	configure(RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_SYMMETRIC), 0);
	assert_int_equal(count_capabilities(RTE_CRYPTO_OP_TYPE_ASYMMETRIC), 0);
	configure(0);
	assert_non_null(plugged_qp(1)->companion);
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
	bad.xform_type = RTE_CRYPTO_ASYM_XFORM_UNSPECIFIED;
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

/* The padding of an operation, which may be that of its session. */
static struct rte_crypto_rsa_padding *
own_padding(struct rte_crypto_op *op)
{
	return padding_of(op, accel_asym_sess_priv(op->asym->session));
}

static void
set_padding(struct rte_crypto_op *op, enum rte_crypto_rsa_padding_type type,
	    enum rte_crypto_auth_algorithm hash)
{
	own_padding(op)->type = type;
	own_padding(op)->hash = hash;
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

static struct rte_crypto_param_t
bytes(uint8_t *data, size_t len)
{
	return (struct rte_crypto_param_t){ .data = data, .length = len };
}

/* Runs a signature of a session by PKCS#1 v1.5, which goes to result[0]. */
static int
sign_pkcs1(void *sess, enum rte_crypto_auth_algorithm hash, uint8_t *message, size_t len)
{
	struct rte_crypto_op *op = fresh(0, sess);

	set_padding(op, RTE_CRYPTO_RSA_PADDING_PKCS1_5, hash);
	op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	op->asym->rsa.message = bytes(message, len);
	op->asym->rsa.sign.data = result[0];
	return run(op);
}

/* Writes the message that a signature in result[0] has behind its padding, and gives its bytes. */
static size_t
recover_pkcs1(void *sess, uint8_t *message)
{
	struct rte_crypto_op *op = asym[0];
	uint8_t em[128];
	size_t at = 2;

	set_padding(op, RTE_CRYPTO_RSA_PADDING_NONE, 0);
	op->asym->session = sess;
	op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
	op->asym->rsa.message.length = 0;
	op->asym->rsa.cipher = bytes(em, 0);
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->rsa.cipher.length, sizeof(em));
	while (em[at] == 0xff)
		at++;
	at++;
	memcpy(message, em + at, sizeof(em) - at);
	return sizeof(em) - at;
}

/* A DigestInfo of the hash is signed as it is, as if the digest alone had come. */
static void
test_digest_info(void **state)
{
	static const struct {
		enum rte_crypto_auth_algorithm id;
		size_t size;
	} hashes[] = {
		{ RTE_CRYPTO_AUTH_MD5, 16 }, { RTE_CRYPTO_AUTH_SHA1, 20 },
		{ RTE_CRYPTO_AUTH_SHA224, 28 }, { RTE_CRYPTO_AUTH_SHA256, 32 },
		{ RTE_CRYPTO_AUTH_SHA384, 48 }, { RTE_CRYPTO_AUTH_SHA512, 64 },
		{ RTE_CRYPTO_AUTH_SHA3_224, 28 }, { RTE_CRYPTO_AUTH_SHA3_256, 32 },
		{ RTE_CRYPTO_AUTH_SHA3_384, 48 }, { RTE_CRYPTO_AUTH_SHA3_512, 64 },
		{ RTE_CRYPTO_AUTH_SM3, 32 },
	};
	struct rte_crypto_asym_xform x = rsa_xform(true);
	uint8_t digest[64] = { 9, 8, 7 }, info[128], sign[128];
	unsigned int i, k;
	size_t len;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&x);
	for (i = 0; i < RTE_DIM(hashes); i++) {
		assert_int_equal(sign_pkcs1(sess, hashes[i].id, digest, hashes[i].size),
				 RTE_CRYPTO_OP_STATUS_SUCCESS);
		memcpy(sign, result[0], sizeof(sign));
		len = recover_pkcs1(sess, info);
		assert_in_range(len, hashes[i].size + 15, hashes[i].size + 19);
		assert_int_equal(sign_pkcs1(sess, hashes[i].id, info, len),
				 RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(result[0], sign, sizeof(sign));
		asym[0]->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
		assert_int_equal(run(asym[0]), RTE_CRYPTO_OP_STATUS_SUCCESS);
		info[len - 1] ^= 1;
		assert_int_equal(run(asym[0]), RTE_CRYPTO_OP_STATUS_ERROR);
		/* Each byte in front of the digest counts, and the length does. */
		for (k = 0; k < len - hashes[i].size; k++) {
			info[k] ^= 1;
			assert_int_equal(sign_pkcs1(sess, hashes[i].id, info, len),
					 RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
			info[k] ^= 1;
		}
		assert_int_equal(sign_pkcs1(sess, hashes[i].id, info, len - 1),
				 RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		/* That of another hash is no digest. */
		assert_int_equal(sign_pkcs1(sess, hashes[(i + 1) % RTE_DIM(hashes)].id, info, len),
				 RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	}
	asym_session_done(sess);
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
			own_padding(op)->mgf1hash = RTE_CRYPTO_AUTH_SHA256;
			own_padding(op)->oaep_label.data = label;
			own_padding(op)->oaep_label.length = sizeof(label);
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
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_ERROR);
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

/* A key pair on a curve. */
struct pair {
	uint8_t d[66], x[66], y[66];
};

static void
make_pair(void *sess, struct pair *pair, size_t len)
{
	struct rte_crypto_op *op = fresh(0, sess);

	op->asym->ecdh.ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
	op->asym->ecdh.priv_key = bytes(pair->d, 0);
	op->asym->ecdh.pub_key.x = bytes(pair->x, 0);
	op->asym->ecdh.pub_key.y = bytes(pair->y, 0);
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->ecdh.priv_key.length, len);
	assert_int_equal(op->asym->ecdh.pub_key.x.length, len);
	assert_int_equal(op->asym->ecdh.pub_key.y.length, len);
}

static void
make_shared(void *sess, struct pair *own, struct pair *peer, size_t len, uint8_t *x)
{
	struct rte_crypto_op *op = fresh(0, sess);

	op->asym->ecdh.ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
	op->asym->ecdh.priv_key = bytes(own->d, len);
	op->asym->ecdh.pub_key.x = bytes(peer->x, len);
	op->asym->ecdh.pub_key.y = bytes(peer->y, len);
	op->asym->ecdh.shared_secret.x = bytes(x, 0);
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->ecdh.shared_secret.x.length, len);
}

static const struct {
	enum rte_crypto_curve_id id;
	size_t len;
} tried_curves[] = {
	{ RTE_CRYPTO_EC_GROUP_SECP192R1, 24 }, { RTE_CRYPTO_EC_GROUP_SECP256R1, 32 },
	{ RTE_CRYPTO_EC_GROUP_SECP521R1, 66 },
};

/* The transform for the base point gives the public key of a pair. */
static void
expect_fixed_point(struct pair *pair, enum rte_crypto_curve_id curve, size_t len)
{
	struct rte_crypto_asym_xform x = {
		.xform_type = RTE_CRYPTO_ASYM_XFORM_ECFPM, .ec.curve_id = curve,
	};
	static uint8_t zero[66];
	void *sess = asym_session(&x);
	struct rte_crypto_op *op = fresh(0, sess);

	op->asym->ecpm.scalar = bytes(pair->d, len);
	op->asym->ecpm.r.x = bytes(result[0], 0);
	op->asym->ecpm.r.y = bytes(result[1], 0);
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->ecpm.r.x.length, len);
	assert_int_equal(op->asym->ecpm.r.y.length, len);
	assert_memory_equal(result[0], pair->x, len);
	assert_memory_equal(result[1], pair->y, len);
	op->asym->ecpm.scalar = bytes(zero, len);
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->ecpm.scalar.length = 0;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	asym_session_done(sess);
}

/* All four operations of ECDH. */
static void
test_ecdh(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDH };
	uint8_t ab[66], ba[66];
	struct rte_crypto_op *op;
	struct pair a, b;
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	x.ec.curve_id = (enum rte_crypto_curve_id)20;
	assert_int_equal(refused_session(&x), -ENOTSUP);
	for (i = 0; i < RTE_DIM(tried_curves); i++) {
		const size_t len = tried_curves[i].len;

		x.ec.curve_id = tried_curves[i].id;
		sess = asym_session(&x);
		make_pair(sess, &a, len);
		make_pair(sess, &b, len);
		assert_memory_not_equal(a.d, b.d, len);
		make_shared(sess, &a, &b, len, ab);
		make_shared(sess, &b, &a, len, ba);
		assert_memory_equal(ab, ba, len);
		op = fresh(0, sess);
		op->asym->ecdh.ke_type = RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE;
		op->asym->ecdh.priv_key = bytes(result[0], 0);
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(op->asym->ecdh.priv_key.length, len);
		assert_int_equal(result[0][len], 0xee);
		op = fresh(0, sess);
		op->asym->ecdh.ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
		op->asym->ecdh.priv_key = bytes(a.d, len);
		op->asym->ecdh.pub_key.x = bytes(result[0], 0);
		op->asym->ecdh.pub_key.y = bytes(result[1], 0);
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(result[0], a.x, len);
		assert_memory_equal(result[1], a.y, len);
		op->asym->ecdh.ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY;
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		result[0][len - 1] ^= 1;
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		asym_session_done(sess);
		expect_fixed_point(&a, tried_curves[i].id, len);
	}
	expect_wiped(0);
	unplug();
}

#if KEYS_IN_OPERATION
static void
test_ecdsa(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDH };
	static uint8_t digest[64] = { 1, 2, 3 }, k[] = { 7, 7, 7 };
	struct rte_crypto_ecdsa_op_param *ec;
	struct rte_crypto_op *op;
	uint8_t r[66], s[66];
	struct pair a, b;
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	for (i = 0; i < RTE_DIM(tried_curves); i++) {
		const size_t len = tried_curves[i].len;

		x.xform_type = RTE_CRYPTO_ASYM_XFORM_ECDH;
		x.ec.curve_id = tried_curves[i].id;
		sess = asym_session(&x);
		make_pair(sess, &a, len);
		make_pair(sess, &b, len);
		asym_session_done(sess);
		x.xform_type = RTE_CRYPTO_ASYM_XFORM_ECDSA;
		sess = asym_session(&x);
		op = fresh(0, sess);
		ec = &op->asym->ecdsa;
		ec->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
		ec->message = bytes(digest, sizeof(digest));
		ec->pkey = bytes(a.d, len);
		ec->r = bytes(result[0], 0);
		ec->s = bytes(result[1], 0);
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(ec->r.length, len);
		assert_int_equal(ec->s.length, len);
		ec->op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
		ec->q.x = bytes(a.x, len);
		ec->q.y = bytes(a.y, len);
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		digest[0] ^= 1;
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_ERROR);
		digest[0] ^= 1;
		ec->q.x = bytes(b.x, len);
		ec->q.y = bytes(b.y, len);
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_ERROR);
		ec->q.y = bytes(a.y, len); /* not on the curve */
		assert_int_not_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		/* The same k gives the same signature. */
		ec->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
		ec->k = bytes(k, sizeof(k));
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		ec->r = bytes(r, 0);
		ec->s = bytes(s, 0);
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(r, result[0], len);
		assert_memory_equal(s, result[1], len);
		asym_session_done(sess);
	}
	expect_wiped(0);
	unplug();
}
#endif

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
		cmocka_unit_test(test_digest_info),
		cmocka_unit_test(test_rsa_unpadded),
		cmocka_unit_test(test_rsa_decrypt),
		cmocka_unit_test(test_ecdh),
#if KEYS_IN_OPERATION
		cmocka_unit_test(test_ecdsa),
#endif
	};

	if (start_eal_silent("test_asym") < 0)
		return 1;
	return cmocka_run_group_tests_name("asymmetric operations", tests, make_all, NULL);
}
