/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * From asymmetric operations to operands and from results to operations, without a device: the
 * table of manual 8.8 for each operation of rte_cryptodev, lengths of results, flags, and devices
 * that say nonsense.
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

#include "accel_asym_op.h"
#include "accel_asym_session.h"
#include "driver_asym/asym_version.h"

#define MAX_OPERAND 4096u
#define MAX_RANDOM 1000u

static struct {
	struct rte_crypto_op op;
	struct rte_crypto_asym_op asym;
} one;

static struct accel_asym_session sess;
static struct accel_asym_plan plan;
static uint8_t buffer[8][64];

static int
begin(void **state)
{
	(void)state;
	memset(&one, 0, sizeof(one));
	memset(&sess, 0, sizeof(sess));
	memset(buffer, 0xee, sizeof(buffer));
	one.op.type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
	sess.owner = ACCEL_ASYM_OWNER;
	sess.iova = 0x1234560;
	sess.generation = 99;
	sess.size[ACCEL_ASYM_MODULUS] = 40;
	sess.size[ACCEL_ASYM_ORDER] = 20;
	sess.size[ACCEL_ASYM_FIELD] = 24;
	return 0;
}

/* A parameter of len bytes, each of which is its number. */
static struct rte_crypto_param_t
param(unsigned int number, size_t len)
{
	memset(buffer[number], (int)number + 1, len);
	return (struct rte_crypto_param_t){ .data = buffer[number], .length = len };
}

static int
make_plan(enum rte_crypto_asym_xform_type type)
{
	sess.kind = (uint8_t)type;
	return accel_asym_plan(&one.op, &sess, MAX_OPERAND, MAX_RANDOM, &plan);
}

/* Checks operation, lengths of operands, and the bytes that the results take. */
static void
expect(unsigned int operation, const uint32_t *lengths, unsigned int nb, uint32_t out_len)
{
	const struct accel_hw_pk_command *cmd = &plan.command;
	uint32_t total = 0;
	unsigned int i;

	assert_int_equal(cmd->opcode, ACCEL_HW_OP_PK);
	assert_int_equal(rte_le_to_cpu_16(cmd->operation), operation);
	assert_int_equal(rte_le_to_cpu_64(cmd->context), 0x1234560);
	assert_int_equal(rte_le_to_cpu_32(cmd->generation), 99);
	assert_int_equal(cmd->flags, out_len == 0 ? ACCEL_HW_CMD_NO_RX : 0);
	for (i = 0; i < ACCEL_HW_PK_OPERANDS; i++) {
		assert_int_equal(rte_le_to_cpu_32(cmd->operand[i]), i < nb ? lengths[i] : 0);
		total += i < nb ? lengths[i] : 0;
	}
	assert_int_equal(plan.in_len, total);
	assert_int_equal(plan.out_len, out_len);
}

#define EXPECT(operation, out, ...)                                                                \
	expect(operation, (const uint32_t[]){ 0, ##__VA_ARGS__ } + 1,                              \
	       RTE_DIM(((const uint32_t[]){ 0, ##__VA_ARGS__ })) - 1, out)

static void
test_rsa(void **state)
{
	struct rte_crypto_rsa_op_param *rsa = &one.asym.rsa;
	struct rte_crypto_rsa_padding *padding = padding_of(&one.op, &sess);

	(void)state;
	rsa->message = param(0, 5);
	rsa->cipher = param(1, 6);
	rsa->sign = param(2, 7);
	padding->type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
	padding->hash = (enum rte_crypto_auth_algorithm)0x7fff; /* not for encryption */
	padding->oaep_label = param(3, 8); /* not for this padding */
	rsa->op_type = RTE_CRYPTO_ASYM_OP_ENCRYPT;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), 0);
	EXPECT(ACCEL_HW_PK_ENCRYPT, 40, 5);
	assert_int_equal(plan.command.padding, ACCEL_HW_PK_PADDING_PKCS1);
	assert_int_equal(plan.command.hash, 0);
	rsa->op_type = RTE_CRYPTO_ASYM_OP_DECRYPT;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), 0);
	EXPECT(ACCEL_HW_PK_DECRYPT, 40, 6);
	rsa->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), -EINVAL); /* the hash */
	padding->hash = RTE_CRYPTO_AUTH_SHA384;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), 0);
	EXPECT(ACCEL_HW_PK_SIGN, 40, 5);
	assert_int_equal(plan.command.hash, ACCEL_HW_AUTH_SHA384);
	rsa->op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), 0);
	EXPECT(ACCEL_HW_PK_VERIFY, 0, 5, 7);

	padding->type = RTE_CRYPTO_RSA_PADDING_PSS;
	padding->pss_saltlen = 48;
	padding->mgf1hash = RTE_CRYPTO_AUTH_SHA1;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), 0);
	EXPECT(ACCEL_HW_PK_VERIFY, 0, 5, 7);
	assert_int_equal(rte_le_to_cpu_16(plan.command.salt_len), 48);
	assert_int_equal(plan.command.mgf_hash, ACCEL_HW_AUTH_SHA1);
	padding->type = RTE_CRYPTO_RSA_PADDING_OAEP;
	rsa->op_type = RTE_CRYPTO_ASYM_OP_ENCRYPT;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), 0);
	EXPECT(ACCEL_HW_PK_ENCRYPT, 40, 5, 8);
	assert_int_equal(plan.command.salt_len, 0);
	padding->type = (enum rte_crypto_rsa_padding_type)4;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), -EINVAL);
	rsa->op_type = (enum rte_crypto_asym_op_type)4;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), -EINVAL);
}

/* RFC 8017, 9.2, note 1: digests that are in a DigestInfo already */
static void
test_digest_info(void **state)
{
	static uint8_t sha256[19 + 32] = {
		0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
		0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20,
	};
	static uint8_t md5[18 + 16] = {
		0x30, 0x20, 0x30, 0x0c, 0x06, 0x08, 0x2a, 0x86, 0x48, 0x86,
		0xf7, 0x0d, 0x02, 0x05, 0x05, 0x00, 0x04, 0x10,
	};
	static const struct {
		uint8_t *data;
		size_t length;
		enum rte_crypto_auth_algorithm hash;
		unsigned int hw;
	} messages[] = {
		{ sha256, sizeof(sha256), RTE_CRYPTO_AUTH_SHA256, 0 },
		{ md5, sizeof(md5), RTE_CRYPTO_AUTH_MD5, 0 },
		{ sha256, sizeof(sha256), RTE_CRYPTO_AUTH_MD5, ACCEL_HW_AUTH_MD5 },
		{ sha256, sizeof(sha256), RTE_CRYPTO_AUTH_SHA3_256, ACCEL_HW_AUTH_SHA3_256 },
		{ sha256, sizeof(sha256) - 1, RTE_CRYPTO_AUTH_SHA256, ACCEL_HW_AUTH_SHA256 },
		{ sha256, 32, RTE_CRYPTO_AUTH_SHA256, ACCEL_HW_AUTH_SHA256 },
		{ sha256, sizeof(sha256), RTE_CRYPTO_AUTH_NULL, 0 },
		{ NULL, sizeof(sha256), RTE_CRYPTO_AUTH_SHA256, ACCEL_HW_AUTH_SHA256 },
	};
	struct rte_crypto_rsa_op_param *rsa = &one.asym.rsa;
	struct rte_crypto_rsa_padding *padding = padding_of(&one.op, &sess);
	unsigned int i;

	(void)state;
	rsa->sign = param(0, 40);
	for (i = 0; i < 2 * RTE_DIM(messages); i++) {
		rsa->op_type = i % 2 == 0 ? RTE_CRYPTO_ASYM_OP_SIGN : RTE_CRYPTO_ASYM_OP_VERIFY;
		rsa->message = (struct rte_crypto_param_t){
			.data = messages[i / 2].data, .length = messages[i / 2].length,
		};
		padding->type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
		padding->hash = messages[i / 2].hash;
		assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), 0);
		assert_int_equal(plan.command.hash, messages[i / 2].hw);
		padding->type = RTE_CRYPTO_RSA_PADDING_PSS; /* has no DigestInfo */
		if (messages[i / 2].hash == RTE_CRYPTO_AUTH_SHA256) {
			assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_RSA), 0);
			assert_int_equal(plan.command.hash, ACCEL_HW_AUTH_SHA256);
		}
	}
}

static void
test_dh(void **state)
{
	struct rte_crypto_dh_op_param *dh = &one.asym.dh;

	(void)state;
	dh->priv_key = param(0, 5);
	dh->pub_key = param(1, 6);
	dh->shared_secret = param(2, 40);
	dh->ke_type = RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DH), 0);
	EXPECT(ACCEL_HW_PK_GENERATE, 80);
	dh->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DH), 0);
	EXPECT(ACCEL_HW_PK_PUBLIC, 40, 5);
	dh->ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DH), 0);
	EXPECT(ACCEL_HW_PK_SHARED, 40, 5, 6);
	dh->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DH), -EINVAL);
	/* Without a private key both are made. */
	dh->priv_key.length = 0;
	dh->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DH), 0);
	EXPECT(ACCEL_HW_PK_GENERATE, 80);
	dh->priv_key.data = NULL;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DH), 0);
	dh->pub_key.data = NULL;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DH), -EINVAL);
}

static void
test_signatures(void **state)
{
	struct rte_crypto_ecdsa_op_param *ec = &one.asym.ecdsa;
	struct rte_crypto_dsa_op_param *dsa = &one.asym.dsa;

	(void)state;
	*dsa = (struct rte_crypto_dsa_op_param){
		.op_type = RTE_CRYPTO_ASYM_OP_SIGN, .message = param(0, 5), .k = param(1, 6),
		.r = param(2, 20), .s = param(3, 20), .y = param(4, 9),
	};
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DSA), 0);
	EXPECT(ACCEL_HW_PK_SIGN, 40, 5, 6);
	dsa->k.data = NULL; /* whatever its length says */
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DSA), 0);
	EXPECT(ACCEL_HW_PK_SIGN, 40, 5);
	dsa->op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DSA), 0);
	EXPECT(ACCEL_HW_PK_VERIFY, 0, 5, 20, 20, 9);
	dsa->op_type = RTE_CRYPTO_ASYM_OP_ENCRYPT;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DSA), -EINVAL);

	*ec = (struct rte_crypto_ecdsa_op_param){
		.op_type = RTE_CRYPTO_ASYM_OP_SIGN, .message = param(0, 5),
		.k = param(2, 7), .r = param(3, 20), .s = param(4, 21),
	};
#if KEYS_IN_OPERATION
	ec->pkey = param(1, 6);
	ec->q.x = param(5, 8);
	ec->q.y = param(6, 9);
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDSA), 0);
	EXPECT(ACCEL_HW_PK_SIGN, 40, 5, 6, 7);
	ec->pkey.length = 0;
#endif
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDSA), 0);
	EXPECT(ACCEL_HW_PK_SIGN, 40, 5, 0, 7);
	ec->op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDSA), 0);
#if KEYS_IN_OPERATION
	EXPECT(ACCEL_HW_PK_VERIFY, 0, 5, 20, 21, 8, 9);
#else
	EXPECT(ACCEL_HW_PK_VERIFY, 0, 5, 20, 21);
#endif
}

static void
test_curves(void **state)
{
	struct rte_crypto_ecdh_op_param *dh = &one.asym.ecdh;
	struct rte_crypto_ecpm_op_param *pm = &one.asym.ecpm;

	(void)state;
	*dh = (struct rte_crypto_ecdh_op_param){
		.ke_type = RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE, .priv_key = param(0, 20),
		.pub_key = { .x = param(1, 24), .y = param(2, 23) },
		.shared_secret = { .x = param(3, 24) },
	};
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_GENERATE, 68);
	dh->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_PUBLIC, 48, 20);
	dh->ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_SHARED, 48, 20, 24, 23);
	dh->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_CHECK, 0, 24, 23);
	sess.peer[ACCEL_ASYM_PEER_X] = param(5, 11); /* the operation has its own */
	sess.peer[ACCEL_ASYM_PEER_Y] = param(6, 12);
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_CHECK, 0, 24, 23);
	dh->pub_key.x.length = 0;
	dh->pub_key.y.data = NULL;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_CHECK, 0, 11, 12);
	assert_ptr_equal(plan.in[1], &sess.peer[ACCEL_ASYM_PEER_Y]);
	dh->ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_SHARED, 48, 20, 11, 12);
	dh->priv_key.length = 0; /* the context has it */
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_SHARED, 48, 0, 11, 12);
	dh->pub_key = (struct rte_crypto_ec_point){ .x = param(1, 24), .y = param(2, 23) };
	dh->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_GENERATE, 68);
	sess.has_private = true;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECDH), 0);
	EXPECT(ACCEL_HW_PK_PUBLIC, 48, 0);

	*pm = (struct rte_crypto_ecpm_op_param){
		.p = { .x = param(0, 24), .y = param(1, 23) }, .scalar = param(2, 19),
		.r = { .x = param(3, 24), .y = param(4, 24) },
	};
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECPM), 0);
	EXPECT(ACCEL_HW_PK_COMPUTE, 48, 19, 24, 23);
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_ECFPM), 0); /* without the point */
	EXPECT(ACCEL_HW_PK_PUBLIC, 48, 19);
}

/* Operands lie one behind the other, without those that are absent. */
static void
test_gather(void **state)
{
	uint8_t to[64] = { 0 };
	unsigned int i;

	(void)state;
	one.asym.dh.ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
	one.asym.dh.priv_key = param(0, 5);
	one.asym.dh.pub_key = param(1, 6);
	one.asym.dh.shared_secret = param(2, 40);
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DH), 0);
	accel_asym_gather(&plan, to);
	for (i = 0; i < sizeof(to); i++)
		assert_int_equal(to[i], i < 5 ? 1 : i < 11 ? 2 : 0);
	one.asym.dh.pub_key.length = MAX_OPERAND + 1;
	assert_int_equal(make_plan(RTE_CRYPTO_ASYM_XFORM_DH), -EINVAL);
}

/* Results: leading zeros, rooms, flags. */
static void
test_deliver(void **state)
{
	uint8_t from[40] = { [38] = 0x12, [39] = 0x34 };
	const uint16_t size[ACCEL_ASYM_RESULTS] = { 40 };
	struct rte_crypto_param_t *key = &one.asym.dh.pub_key;

	(void)state;
	*key = param(1, 40);
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_DH_PUBLIC, from, size, 40),
			 RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(key->length, 40);
	assert_memory_equal(buffer[1], from, 40);
	key->length = 3;
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_DH_PUBLIC, from, size, 40),
			 RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(key->length, 3);
	assert_memory_equal(buffer[1], "\x00\x12\x34", 3);
	key->length = 1;
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_DH_PUBLIC, from, size, 40),
			 RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(key->length, 1);
	one.asym.flags = RTE_CRYPTO_ASYM_FLAG_SHARED_KEY_NO_PADDING; /* another key */
	key->length = 0;
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_DH_PUBLIC, from, size, 40),
			 RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(key->length, 40);
	one.asym.flags = RTE_CRYPTO_ASYM_FLAG_PUB_KEY_NO_PADDING;
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_DH_PUBLIC, from, size, 40),
			 RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(key->length, 2);
	assert_memory_equal(buffer[1], "\x12\x34", 2);
	key->length = 1;
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_DH_PUBLIC, from, size, 40),
			 RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	/* A message without room is as one whose padding is wrong. */
	one.asym.rsa.message = param(2, 39);
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_RSA_DECRYPT, from, size, 40),
			 RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_RSA_DECRYPT, from, size, 39),
			 RTE_CRYPTO_OP_STATUS_SUCCESS);
	/* A signature of RSA has its length, and no other. */
	one.asym.rsa.sign = param(2, 39);
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_RSA_SIGN, from, size, 40),
			 RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}

/* The device writes fewer or more bytes than it can have. Nothing is delivered then. */
static void
test_nonsense(void **state)
{
	static const uint32_t produced[] = { 0, 1, 39, 41, 0x80000000, UINT32_MAX };
	const uint16_t size[ACCEL_ASYM_RESULTS] = { 40 };
	uint8_t from[40] = { 0 };
	unsigned int i;

	(void)state;
	one.asym.rsa.sign = param(2, 40);
	one.asym.rsa.message = param(3, 40);
	for (i = 0; i < RTE_DIM(produced); i++) {
		assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_RSA_SIGN, from, size,
						    produced[i]), RTE_CRYPTO_OP_STATUS_ERROR);
		assert_int_equal(buffer[2][0], 3);
		if (produced[i] <= 40)
			continue;
		assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_RSA_DECRYPT, from, size,
						    produced[i]), RTE_CRYPTO_OP_STATUS_ERROR);
		assert_int_equal(buffer[3][0], 4);
	}
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_RSA_VERIFY, from, size, 1),
			 RTE_CRYPTO_OP_STATUS_ERROR);
	one.asym.modex.result = param(4, 30);
	assert_int_equal(accel_asym_deliver(&one.op, ACCEL_ASYM_RANDOM, from, size, 31),
			 RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(buffer[4][0], 5);
}

static void
test_status(void **state)
{
	static const struct {
		unsigned int hw;
		enum rte_crypto_op_status rte;
	} statuses[] = {
		{ ACCEL_HW_OK, RTE_CRYPTO_OP_STATUS_SUCCESS },
		{ ACCEL_HW_AUTH_FAILED, RTE_CRYPTO_OP_STATUS_ERROR },
		{ ACCEL_HW_DECRYPT_FAILED, RTE_CRYPTO_OP_STATUS_ERROR },
		{ ACCEL_HW_NO_ENTROPY, RTE_CRYPTO_OP_STATUS_ERROR },
		{ ACCEL_HW_BAD_OPERAND, RTE_CRYPTO_OP_STATUS_INVALID_ARGS },
		{ ACCEL_HW_INVALID_POINT, RTE_CRYPTO_OP_STATUS_INVALID_ARGS },
		{ ACCEL_HW_NO_INVERSE, RTE_CRYPTO_OP_STATUS_INVALID_ARGS },
		{ ACCEL_HW_BAD_CONTEXT, RTE_CRYPTO_OP_STATUS_INVALID_SESSION },
		{ UINT16_MAX, RTE_CRYPTO_OP_STATUS_ERROR },
	};
	unsigned int i, row;

	(void)state;
	for (i = 0; i < RTE_DIM(statuses); i++) {
		for (row = ACCEL_ASYM_NO_ROW + 1; row < ACCEL_ASYM_ROWS; row++) {
			if (row == ACCEL_ASYM_RSA_RECOVER && statuses[i].hw == ACCEL_HW_BAD_OPERAND)
				continue;
			assert_int_equal(accel_asym_status((enum accel_asym_row)row,
							   statuses[i].hw), statuses[i].rte);
		}
	}
	/* A signature that is not below the modulus is a wrong one. */
	assert_int_equal(accel_asym_status(ACCEL_ASYM_RSA_RECOVER, ACCEL_HW_BAD_OPERAND),
			 RTE_CRYPTO_OP_STATUS_ERROR);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
	const struct CMUnitTest tests[] = {
		TEST(test_rsa),
		TEST(test_digest_info),
		TEST(test_dh),
		TEST(test_signatures),
		TEST(test_curves),
		TEST(test_gather),
		TEST(test_deliver),
		TEST(test_nonsense),
		TEST(test_status),
	};

	return cmocka_run_group_tests_name("operands and results", tests, NULL, NULL);
}
