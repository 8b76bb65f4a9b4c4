/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers as rte_cryptodev has them. The tables are made from rte_crypto_asym.h and the
 * manual, not from the driver's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hw/accel_hw.h"
#include "driver_asym/asym_known.h"
#include "driver_asym/asym_version.h"

#define KNOWN_RESULTS 3u
#define KNOWN_ROOM 1100u /* bytes for a result */

/* Places of struct rte_crypto_param in a transform or an operation. */
struct known_row {
	uint16_t alg;
	uint16_t operation;
	enum rte_crypto_asym_xform_type xform_type;
	unsigned int op_type; /* enum rte_crypto_asym_op_type or rte_crypto_asym_ke_type */
	uint16_t component[8]; /* KEY_AT() */
	uint16_t operand[5];
	uint16_t result[KNOWN_RESULTS];
};

#define OP_AT(field) (uint16_t)(offsetof(struct rte_crypto_asym_op, field) + 1)
#define XF_AT(field) (uint16_t)(offsetof(struct rte_crypto_asym_xform, field) + 1)
/* A key: of_op in the operation, or of_xform in the transform, as the version has it. */
#define IN_XFORM 0x8000u
#if KEYS_IN_OPERATION
#define KEY_AT(of_op, of_xform) OP_AT(of_op)
#else
#define KEY_AT(of_op, of_xform) (uint16_t)(IN_XFORM | XF_AT(of_xform))
#endif
#define LABEL KEY_AT(rsa.padding.oaep_label, rsa.padding.oaep_label)
#define EC_D KEY_AT(ecdsa.pkey, ec.pkey)
#define EC_X KEY_AT(ecdsa.q.x, ec.q.x)
#define EC_Y KEY_AT(ecdsa.q.y, ec.q.y)

/* A place of 0 is none. */
static const struct known_row known_rows[] = {
	{ ACCEL_HW_PK_RSA, ACCEL_HW_PK_ENCRYPT, RTE_CRYPTO_ASYM_XFORM_RSA,
	  RTE_CRYPTO_ASYM_OP_ENCRYPT,
	  .operand = { OP_AT(rsa.message), LABEL },
	  .result = { OP_AT(rsa.cipher) } },
	{ ACCEL_HW_PK_RSA, ACCEL_HW_PK_DECRYPT, RTE_CRYPTO_ASYM_XFORM_RSA,
	  RTE_CRYPTO_ASYM_OP_DECRYPT,
	  .operand = { OP_AT(rsa.cipher), LABEL },
	  .result = { OP_AT(rsa.message) } },
	{ ACCEL_HW_PK_RSA, ACCEL_HW_PK_SIGN, RTE_CRYPTO_ASYM_XFORM_RSA, RTE_CRYPTO_ASYM_OP_SIGN,
	  .operand = { OP_AT(rsa.message) }, .result = { OP_AT(rsa.sign) } },
	{ ACCEL_HW_PK_RSA, ACCEL_HW_PK_VERIFY, RTE_CRYPTO_ASYM_XFORM_RSA,
	  RTE_CRYPTO_ASYM_OP_VERIFY,
	  .operand = { OP_AT(rsa.message), OP_AT(rsa.sign) } },
	{ ACCEL_HW_PK_DH, ACCEL_HW_PK_PUBLIC, RTE_CRYPTO_ASYM_XFORM_DH,
	  RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE,
	  .operand = { OP_AT(dh.priv_key) }, .result = { OP_AT(dh.pub_key) } },
	{ ACCEL_HW_PK_DH, ACCEL_HW_PK_SHARED, RTE_CRYPTO_ASYM_XFORM_DH,
	  RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE,
	  .operand = { OP_AT(dh.priv_key), OP_AT(dh.pub_key) },
	  .result = { OP_AT(dh.shared_secret) } },
	{ ACCEL_HW_PK_DSA, ACCEL_HW_PK_SIGN, RTE_CRYPTO_ASYM_XFORM_DSA, RTE_CRYPTO_ASYM_OP_SIGN,
	  .operand = { OP_AT(dsa.message), OP_AT(dsa.k) },
	  .result = { OP_AT(dsa.r), OP_AT(dsa.s) } },
	{ ACCEL_HW_PK_DSA, ACCEL_HW_PK_VERIFY, RTE_CRYPTO_ASYM_XFORM_DSA,
	  RTE_CRYPTO_ASYM_OP_VERIFY,
	  .component = { [ACCEL_HW_DSA_Y] = OP_AT(dsa.y) },
	  .operand = { OP_AT(dsa.message), OP_AT(dsa.r), OP_AT(dsa.s), OP_AT(dsa.y) } },
	{ ACCEL_HW_PK_ECDSA, ACCEL_HW_PK_SIGN, RTE_CRYPTO_ASYM_XFORM_ECDSA,
	  RTE_CRYPTO_ASYM_OP_SIGN,
	  .component = { [ACCEL_HW_EC_D] = EC_D },
	  .operand = { OP_AT(ecdsa.message), EC_D, OP_AT(ecdsa.k) },
	  .result = { OP_AT(ecdsa.r), OP_AT(ecdsa.s) } },
	{ ACCEL_HW_PK_ECDSA, ACCEL_HW_PK_VERIFY, RTE_CRYPTO_ASYM_XFORM_ECDSA,
	  RTE_CRYPTO_ASYM_OP_VERIFY,
	  .component = { [ACCEL_HW_EC_X] = EC_X, [ACCEL_HW_EC_Y] = EC_Y },
	  .operand = { OP_AT(ecdsa.message), OP_AT(ecdsa.r), OP_AT(ecdsa.s), EC_X, EC_Y } },
	{ ACCEL_HW_PK_ECDH, ACCEL_HW_PK_PUBLIC, RTE_CRYPTO_ASYM_XFORM_ECDH,
	  RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE,
	  .component = { [ACCEL_HW_EC_D] = OP_AT(ecdh.priv_key) },
	  .operand = { OP_AT(ecdh.priv_key) },
	  .result = { OP_AT(ecdh.pub_key.x), OP_AT(ecdh.pub_key.y) } },
	{ ACCEL_HW_PK_ECDH, ACCEL_HW_PK_SHARED, RTE_CRYPTO_ASYM_XFORM_ECDH,
	  RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE,
	  .component = { [ACCEL_HW_EC_D] = OP_AT(ecdh.priv_key) },
	  .operand = { OP_AT(ecdh.priv_key), OP_AT(ecdh.pub_key.x), OP_AT(ecdh.pub_key.y) },
	  .result = { OP_AT(ecdh.shared_secret.x), OP_AT(ecdh.shared_secret.y) } },
	{ ACCEL_HW_PK_ECDH, ACCEL_HW_PK_CHECK, RTE_CRYPTO_ASYM_XFORM_ECDH,
	  RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY,
	  .operand = { OP_AT(ecdh.pub_key.x), OP_AT(ecdh.pub_key.y) } },
	{ ACCEL_HW_PK_EC_MUL, ACCEL_HW_PK_COMPUTE, RTE_CRYPTO_ASYM_XFORM_ECPM, 0,
	  .operand = { OP_AT(ecpm.scalar), OP_AT(ecpm.p.x), OP_AT(ecpm.p.y) },
	  .result = { OP_AT(ecpm.r.x), OP_AT(ecpm.r.y) } },
	{ ACCEL_HW_PK_MODEXP, ACCEL_HW_PK_COMPUTE, RTE_CRYPTO_ASYM_XFORM_MODEX, 0,
	  .operand = { OP_AT(modex.base) }, .result = { OP_AT(modex.result) } },
	{ ACCEL_HW_PK_MODINV, ACCEL_HW_PK_COMPUTE, RTE_CRYPTO_ASYM_XFORM_MODINV, 0,
	  .operand = { OP_AT(modinv.base) }, .result = { OP_AT(modinv.result) } },
};

/* Where the transforms have components. */
static const struct {
	enum rte_crypto_asym_xform_type xform_type;
	uint16_t component[8];
} known_xforms[] = {
	{ RTE_CRYPTO_ASYM_XFORM_RSA, { XF_AT(rsa.n), XF_AT(rsa.e), XF_AT(rsa.d) } },
	{ RTE_CRYPTO_ASYM_XFORM_DH, { XF_AT(dh.p), XF_AT(dh.g) } },
	{ RTE_CRYPTO_ASYM_XFORM_DSA, { XF_AT(dsa.p), XF_AT(dsa.q), XF_AT(dsa.g), XF_AT(dsa.x) } },
	{ RTE_CRYPTO_ASYM_XFORM_MODEX, { XF_AT(modex.modulus), XF_AT(modex.exponent) } },
	{ RTE_CRYPTO_ASYM_XFORM_MODINV, { XF_AT(modinv.modulus) } },
};

/* RSA's quintuple is in a union with d. */
static const uint16_t known_quintuple[8] = {
	XF_AT(rsa.n), XF_AT(rsa.e), 0, XF_AT(rsa.qt.p), XF_AT(rsa.qt.q), XF_AT(rsa.qt.dP),
	XF_AT(rsa.qt.dQ), XF_AT(rsa.qt.qInv),
};

static const struct {
	unsigned int hw;
	enum rte_crypto_curve_id rte;
} known_curves[] = {
	{ ACCEL_HW_CURVE_P192, RTE_CRYPTO_EC_GROUP_SECP192R1 },
	{ ACCEL_HW_CURVE_P224, RTE_CRYPTO_EC_GROUP_SECP224R1 },
	{ ACCEL_HW_CURVE_P256, RTE_CRYPTO_EC_GROUP_SECP256R1 },
	{ ACCEL_HW_CURVE_P384, RTE_CRYPTO_EC_GROUP_SECP384R1 },
	{ ACCEL_HW_CURVE_P521, RTE_CRYPTO_EC_GROUP_SECP521R1 },
};

static const struct {
	unsigned int hw;
	enum rte_crypto_auth_algorithm rte;
} known_hashes[] = {
	{ ACCEL_HW_AUTH_MD5, RTE_CRYPTO_AUTH_MD5 },
	{ ACCEL_HW_AUTH_SHA1, RTE_CRYPTO_AUTH_SHA1 },
	{ ACCEL_HW_AUTH_SHA224, RTE_CRYPTO_AUTH_SHA224 },
	{ ACCEL_HW_AUTH_SHA256, RTE_CRYPTO_AUTH_SHA256 },
	{ ACCEL_HW_AUTH_SHA384, RTE_CRYPTO_AUTH_SHA384 },
	{ ACCEL_HW_AUTH_SHA512, RTE_CRYPTO_AUTH_SHA512 },
	{ ACCEL_HW_AUTH_SHA3_224, RTE_CRYPTO_AUTH_SHA3_224 },
	{ ACCEL_HW_AUTH_SHA3_256, RTE_CRYPTO_AUTH_SHA3_256 },
	{ ACCEL_HW_AUTH_SHA3_384, RTE_CRYPTO_AUTH_SHA3_384 },
	{ ACCEL_HW_AUTH_SHA3_512, RTE_CRYPTO_AUTH_SHA3_512 },
	{ ACCEL_HW_AUTH_SM3, RTE_CRYPTO_AUTH_SM3 },
};

/* What the guide says of statuses of asymmetric operations. */
static int
known_status(unsigned int hw)
{
	switch (hw) {
	case ACCEL_HW_OK:
		return RTE_CRYPTO_OP_STATUS_SUCCESS;
	case ACCEL_HW_AUTH_FAILED:
	case ACCEL_HW_DECRYPT_FAILED:
	case ACCEL_HW_NO_ENTROPY:
		return RTE_CRYPTO_OP_STATUS_ERROR;
	case ACCEL_HW_BAD_CONTEXT:
		return RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	case ACCEL_HW_BAD_COMMAND:
	case ACCEL_HW_BAD_OPERAND:
	case ACCEL_HW_INVALID_POINT:
	case ACCEL_HW_NO_INVERSE:
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	default:
		return -1;
	}
}

static const struct known_row *
known_row_of(const struct pk_known *known)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(known_rows); i++) {
		if (known_rows[i].alg == known->alg && known_rows[i].operation == known->operation)
			return &known_rows[i];
	}
	return NULL;
}

static enum rte_crypto_auth_algorithm
known_hash(unsigned int hw)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(known_hashes); i++) {
		if (known_hashes[i].hw == hw)
			return known_hashes[i].rte;
	}
	assert_int_equal(hw, 0);
	return 0;
}

static void
known_padding(const struct pk_known *known, struct rte_crypto_rsa_padding *padding)
{
	padding->type = (enum rte_crypto_rsa_padding_type)known->padding;
	padding->hash = known_hash(known->hash);
	padding->mgf1hash = known_hash(known->mgf_hash);
	padding->pss_saltlen = (uint16_t)known->salt_len;
}

static void
known_put(void *base, uint16_t place, struct text *text)
{
	struct rte_crypto_param_t *param = (void *)((uintptr_t)base + place - 1);

	if (place == 0 || (place & IN_XFORM) != 0)
		return;
	param->data = text->data;
	param->length = text->len;
}

#if !KEYS_IN_OPERATION
/* What earlier versions have in operations. */
static void
known_keys(struct pk_known *known, const struct known_row *row, struct rte_crypto_asym_xform *x)
{
	unsigned int i;

	if (row->alg == ACCEL_HW_PK_RSA)
		known_padding(known, &x->rsa.padding);
	for (i = 0; i < RTE_DIM(row->component); i++) {
		if ((row->component[i] & IN_XFORM) != 0 && known->has_component[i])
			known_put(x, row->component[i] - IN_XFORM, &known->component[i]);
	}
	for (i = 0; i < RTE_DIM(row->operand); i++) {
		if ((row->operand[i] & IN_XFORM) != 0 && known->operand[i].len != 0)
			known_put(x, row->operand[i] - IN_XFORM, &known->operand[i]);
	}
}
#endif

/* The components of a transform. The key lies in the known answer's memory. */
static void
known_xform(struct pk_known *known, const struct known_row *row, bool quintuple,
	    struct rte_crypto_asym_xform *x)
{
	const uint16_t *place = NULL;
	unsigned int i;

	memset(x, 0, sizeof(*x));
	x->xform_type = row->xform_type;
	for (i = 0; i < RTE_DIM(known_xforms); i++) {
		if (known_xforms[i].xform_type == row->xform_type)
			place = known_xforms[i].component;
	}
	if (quintuple) {
		place = known_quintuple;
		x->rsa.key_type = RTE_RSA_KEY_TYPE_QT;
	}
	for (i = 0; place != NULL && i < 8; i++) {
		if (known->has_component[i])
			known_put(x, place[i], &known->component[i]);
	}
	for (i = 0; i < RTE_DIM(known_curves); i++) {
		if (known->curve == known_curves[i].hw)
			x->ec.curve_id = known_curves[i].rte;
	}
#if !KEYS_IN_OPERATION
	known_keys(known, row, x);
#endif
}

/* Operands, keys that an operation has, and places of KNOWN_ROOM bytes for results. */
static void
known_op(struct pk_known *known, const struct known_row *row, struct rte_crypto_op *op,
	 uint8_t (*room)[KNOWN_ROOM])
{
	struct rte_crypto_asym_op *a = op->asym;
	unsigned int i;

#if KEYS_IN_OPERATION
	if (row->alg == ACCEL_HW_PK_RSA)
		known_padding(known, &a->rsa.padding);
#endif
	for (i = 0; i < RTE_DIM(row->component); i++) {
		if (known->has_component[i])
			known_put(a, row->component[i], &known->component[i]);
	}
	for (i = 0; i < RTE_DIM(row->operand); i++) {
		if (known->operand[i].len != 0)
			known_put(a, row->operand[i], &known->operand[i]);
	}
	for (i = 0; i < KNOWN_RESULTS; i++) {
		struct rte_crypto_param_t *param = (void *)((uintptr_t)a + row->result[i] - 1);

		memset(room[i], 0xee, KNOWN_ROOM);
		if (row->result[i] != 0)
			*param = (struct rte_crypto_param_t){ .data = room[i] };
	}
	if (row->xform_type != RTE_CRYPTO_ASYM_XFORM_ECPM &&
	    row->xform_type != RTE_CRYPTO_ASYM_XFORM_MODEX &&
	    row->xform_type != RTE_CRYPTO_ASYM_XFORM_MODINV)
		a->rsa.op_type = (enum rte_crypto_asym_op_type)row->op_type; /* the first word */
}

/* Puts results one behind the other. Nothing is written behind each, and none without success. */
static uint32_t
known_results(const struct rte_crypto_op *op, const struct known_row *row,
	      uint8_t (*room)[KNOWN_ROOM], uint8_t *to)
{
	const struct rte_crypto_param_t *param;
	uint32_t len = 0;
	unsigned int i;
	size_t k;

	for (i = 0; i < KNOWN_RESULTS && row->result[i] != 0; i++) {
		param = (const void *)((uintptr_t)op->asym + row->result[i] - 1);
		assert_in_range(param->length, 0, KNOWN_ROOM - 1);
		memcpy(to + len, room[i], param->length);
		len += (uint32_t)param->length;
		for (k = param->length; k < KNOWN_ROOM; k++)
			assert_int_equal(room[i][k], 0xee);
	}
	return len;
}

/* Whether an operation may have this status in place of another one: if the wrong operand is a key
 * in the transform, the session is wrong and not the operation. */
static bool
known_may_have(const struct known_row *row, int status, int want)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(row->operand); i++) {
		if ((row->operand[i] & IN_XFORM) != 0 &&
		    status == RTE_CRYPTO_OP_STATUS_INVALID_SESSION &&
		    want == RTE_CRYPTO_OP_STATUS_INVALID_ARGS)
			return true;
	}
	return status == want;
}

/* Has the device carry out an operation of a session, or, without one, of a transform. */
static void
known_run(struct pk_known *known, const struct known_row *row, struct rte_crypto_asym_xform *x,
	  void *sess)
{
	static uint8_t room[KNOWN_RESULTS][KNOWN_ROOM], all[KNOWN_RESULTS * KNOWN_ROOM];
	struct rte_crypto_op *op = fresh(0, sess);
	const int want = known_status(known->status);
	uint32_t len;
	int status;

	if (sess == NULL) {
		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		op->asym->xform = x;
	}
	known_op(known, row, op, room);
	status = run(op);
	if (!known_may_have(row, status, want))
		fail_msg("%s:%u: the status is %d and not %d", known->name, known->line, status,
			 want);
	len = known_results(op, row, room, all);
	if (status != RTE_CRYPTO_OP_STATUS_SUCCESS)
		assert_int_equal(len, 0);
	pk_known_compare(known, known->status, all, len);
}

/*
 * Components that are no key: there is no session, or its operations have INVALID_SESSION. The same
 * holds without session, but a transform with a wrong length has INVALID_ARGS then.
 */
static void
known_no_key(struct pk_known *known, const struct known_row *row, struct rte_crypto_asym_xform *x)
{
	static uint8_t room[KNOWN_RESULTS][KNOWN_ROOM];
	struct rte_crypto_op *op;
	void *sess = NULL;
	int ret, status, want;

	ret = rte_cryptodev_asym_session_create(dev, x, asym_sessions, &sess);
	assert_non_null(sess);
	if (ret == 0)
		known_run(known, row, x, sess);
	else if (ret != -EINVAL && ret != -ENOTSUP)
		pk_known_wrong(known, "the session's error", (unsigned int)-ret, EINVAL);
	asym_session_done(sess);
	op = fresh(0, NULL);
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	op->asym->xform = x;
	known_op(known, row, op, room);
	status = run(op);
	want = ret == -EINVAL ? RTE_CRYPTO_OP_STATUS_INVALID_ARGS :
	       ret == 0	      ? known_status(known->status) :
				RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	if (!known_may_have(row, status, want))
		fail_msg("%s:%u: the status is %d without session", known->name, known->line,
			 status);
}

static void
known_run_all(struct pk_known *known, const struct known_row *row, struct rte_crypto_asym_xform *x)
{
	const bool refused = known_status(known->status) == RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	void *sess;

	if (known->status == ACCEL_HW_BAD_CONTEXT || (!KEYS_IN_OPERATION && refused)) {
		known_no_key(known, row, x);
		return;
	}
	sess = asym_session(x);
	known_run(known, row, x, sess);
	known_run(known, row, x, sess);
	known_run(known, row, x, NULL);
	asym_session_done(sess);
}

bool
known_carry_out(struct pk_known *known)
{
	const struct known_row *row = known_row_of(known);
	struct rte_crypto_asym_xform x;
	bool quintuple = false;

	if (row == NULL)
		return false;
	/* The transform has no q: what depends on it cannot be told. */
	if (known->alg == ACCEL_HW_PK_DH && known->has_component[ACCEL_HW_DH_Q] &&
	    known->status != ACCEL_HW_OK)
		return false;
	if (known->alg == ACCEL_HW_PK_RSA && !known->has_component[ACCEL_HW_RSA_D])
		quintuple = known->has_component[ACCEL_HW_RSA_P];
	for (;;) {
		known_xform(known, row, quintuple, &x);
		known_run_all(known, row, &x);
		if (quintuple || known->alg != ACCEL_HW_PK_RSA ||
		    !known->has_component[ACCEL_HW_RSA_P])
			break;
		quintuple = true;
	}
	known->new_key = false;
	return true;
}
