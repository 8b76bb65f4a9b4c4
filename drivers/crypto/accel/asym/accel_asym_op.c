/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Describes asymmetric operations in the terms of manual 8.8: see accel_asym_op.h.
 */
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_asym_op.h"
#include "accel_capabilities.h"
#include "accel_compat.h"
#include "accel_status.h"

static_assert((int)RTE_CRYPTO_RSA_PADDING_NONE == ACCEL_HW_PK_PADDING_NONE &&
		      (int)RTE_CRYPTO_RSA_PADDING_PKCS1_5 == ACCEL_HW_PK_PADDING_PKCS1 &&
		      (int)RTE_CRYPTO_RSA_PADDING_OAEP == ACCEL_HW_PK_PADDING_OAEP &&
		      (int)RTE_CRYPTO_RSA_PADDING_PSS == ACCEL_HW_PK_PADDING_PSS, "manual 8.8");

/* The next functions plan operands. */

static const struct rte_crypto_param_t *
param_at(const struct rte_crypto_op *op, uint16_t at)
{
	return (const struct rte_crypto_param_t *)((uintptr_t)op->asym + at);
}

/*
 * True if an operand is there. By the API an operand without data is absent, and so is an operand
 * without length.
 */
static bool
is_there(const struct rte_crypto_param_t *param)
{
	return param->data != NULL && param->length != 0;
}

/* This is the random number of a deterministic signature (FIPS 204, 5.2). No code writes to it. */
static uint8_t zeros[32];
static const struct rte_crypto_param_t no_rnd = { .data = zeros, .length = sizeof(zeros) };

static const struct rte_crypto_param_t *
operand(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	const struct accel_asym_in *in)
{
	const struct rte_crypto_param_t *param;

	if (in->special == ASYM_IN_LABEL) {
		const struct rte_crypto_rsa_padding *pad = accel_rsa_padding(op, &sess->padding);

		if (pad->type != RTE_CRYPTO_RSA_PADDING_OAEP)
			return NULL;
		param = &pad->oaep_label;
	} else if (in->at == ACCEL_ASYM_ABSENT) {
		return NULL;
	} else if (in->special == ASYM_IN_RND && sess->deterministic) {
		return &no_rnd;
	} else {
		param = param_at(op, in->at);
		if (!is_there(param) && in->special == ASYM_IN_PEER_X)
			param = &sess->peer[ACCEL_ASYM_PEER_X];
		else if (!is_there(param) && in->special == ASYM_IN_PEER_Y)
			param = &sess->peer[ACCEL_ASYM_PEER_Y];
	}
	return is_there(param) ? param : NULL;
}

static enum accel_asym_row
row_of(const struct rte_crypto_op *op, const struct accel_asym_session *sess)
{
	const struct accel_asym_kind *kind = accel_asym_kind_of(sess->kind);
	const struct accel_asym_form *row;
	uint32_t type = 0;
	bool other = false;

	if ((kind->has & ACCEL_ASYM_CHOOSES) != 0)
		type = (uint32_t)op->asym->rsa.op_type;
	if (type >= ACCEL_ASYM_OPS)
		return ACCEL_ASYM_NO_ROW;
	row = &accel_asym_forms[kind->row[type]];
	if (row->instead_when == ASYM_WITHOUT_PRIVATE)
		other = !sess->has_private && operand(op, sess, &row->in[0]) == NULL;
	else if (row->instead_when == ASYM_UNPADDED)
		other = accel_rsa_padding(op, &sess->padding)->type == RTE_CRYPTO_RSA_PADDING_NONE;
	return other ? (enum accel_asym_row)row->instead : (enum accel_asym_row)kind->row[type];
}

static int
plan_operands(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	      const struct accel_asym_form *row, uint32_t max, struct accel_asym_plan *plan)
{
	unsigned int i;

	for (i = 0; i < row->nb_in; i++) {
		plan->in[i] = operand(op, sess, &row->in[i]);
		if (plan->in[i] == NULL)
			continue;
		if (plan->in[i]->length > max)
			return -EINVAL;
		plan->command.operand[i] = rte_cpu_to_le_32((uint32_t)plan->in[i]->length);
		plan->in_len += (uint32_t)plan->in[i]->length;
	}
	return 0;
}

/* The next functions plan and write results. */

/*
 * True if the operation need not have a place for a result. A recovered message needs none if the
 * operation has a message to compare it with.
 */
static bool
is_optional(const struct rte_crypto_op *op, const struct accel_asym_out *out)
{
	return out->special == ASYM_OUT_OPTIONAL ||
	       (out->special == ASYM_OUT_RECOVERED && is_there(&op->asym->rsa.message));
}

static size_t
result_size(const struct accel_asym_session *sess, const struct accel_asym_form *row,
	    const struct accel_asym_out *out, const struct accel_asym_plan *plan)
{
	if (row->field == ASYM_FIELD_SM2_CIPHERTEXT)
		return plan->part[ACCEL_SM2_C2].length;
	if (out->special == ASYM_OUT_CIPHERTEXT)
		return ACCEL_SM2_C2 * (size_t)sess->size[out->size] +
		       (plan->in[0] != NULL ? plan->in[0]->length : 0);
	return sess->size[out->size];
}

static int
plan_results(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	     const struct accel_asym_form *row, struct accel_asym_plan *plan)
{
	unsigned int i;

	for (i = 0; i < row->nb_out; i++) {
		const struct accel_asym_out *out = &row->out[i];
		const size_t size = result_size(sess, row, out, plan);

		if (out->special != ASYM_OUT_DROPPED && param_at(op, out->at)->data == NULL &&
		    !is_optional(op, out))
			return -EINVAL;
		if (size > UINT16_MAX)
			return -EINVAL;
		plan->out_size[i] = (uint16_t)size;
		plan->out_len += (uint32_t)size;
	}
	return 0;
}

/* True if a flag of the operation asks for a result without leading zeros. */
static bool
is_bare(const struct rte_crypto_op *op, const struct accel_asym_out *out)
{
	return (out->special == ASYM_OUT_PUBLIC &&
		(op->asym->flags & RTE_CRYPTO_ASYM_FLAG_PUB_KEY_NO_PADDING) != 0) ||
	       (out->special == ASYM_OUT_SHARED &&
		(op->asym->flags & RTE_CRYPTO_ASYM_FLAG_SHARED_KEY_NO_PADDING) != 0);
}

/*
 * Writes one result of len bytes. A length of 0 in the operation means that there is room for all
 * of the result (rte_crypto_asym.h). Any other length is the room. Returns false if there is too
 * little room.
 */
static bool
put_result(const struct rte_crypto_op *op, const struct accel_asym_out *out, const uint8_t *from,
	   size_t len)
{
	const bool number = out->special != ASYM_OUT_EXACT && out->special != ASYM_OUT_VARIES &&
			    out->special != ASYM_OUT_RECOVERED;
	struct rte_crypto_param_t *param;
	size_t room;

	if (out->special == ASYM_OUT_DROPPED)
		return true;
	param = (struct rte_crypto_param_t *)(uintptr_t)param_at(op, out->at);
	if (param->data == NULL)
		return true; /* see is_optional() */
	if (out->special == ASYM_OUT_CIPHERTEXT) {
		len = accel_sm2_write(from, len, param->data, param->length);
		param->length = len != 0 ? len : param->length;
		return len != 0;
	}
	room = param->length != 0 && !is_bare(op, out) ? param->length : len;
	for (; number && (room < len || is_bare(op, out)) && len > 1 && *from == 0; len--)
		from++;
	if (len > room || (param->length != 0 && len > param->length))
		return false;
	memcpy(param->data, from, len);
	param->length = len;
	return true;
}

/*
 * True if the message of VERIFY without padding is what was recovered from the signature. Both are
 * compared as numbers. Also true if the operation has no message, since the application compares
 * then.
 */
static bool
is_message(const struct rte_crypto_op *op, const uint8_t *from, size_t len)
{
	const struct rte_crypto_param_t *message = &op->asym->rsa.message;
	size_t skip = 0;

	if (!is_there(message))
		return true;
	while (skip < message->length && message->data[skip] == 0)
		skip++;
	for (; len > 0 && *from == 0; len--)
		from++;
	return message->length - skip == len && memcmp(message->data + skip, from, len) == 0;
}

enum rte_crypto_op_status
accel_asym_deliver(struct rte_crypto_op *op, enum accel_asym_row number, const uint8_t *from,
		   const uint16_t *size, uint32_t produced)
{
	const struct accel_asym_form *row = &accel_asym_forms[number];
	uint32_t total = 0;
	unsigned int i;

	if (number == ACCEL_ASYM_RANDOM) {
		if (op->asym->modex.result.data == NULL ||
		    produced != op->asym->modex.result.length)
			return RTE_CRYPTO_OP_STATUS_ERROR;
		memcpy(op->asym->modex.result.data, from, produced);
		return RTE_CRYPTO_OP_STATUS_SUCCESS;
	}
	for (i = 0; i < row->nb_out; i++)
		total += size[i];
	if (row->nb_out == 1 && row->out[0].special == ASYM_OUT_VARIES ? produced > total :
								      produced != total)
		return RTE_CRYPTO_OP_STATUS_ERROR;
	for (i = 0; i < row->nb_out; i++) {
		const uint32_t len = row->out[i].special == ASYM_OUT_VARIES ? produced : size[i];

		/*
		 * Nobody may learn from a lack of room that the padding of a message was right. The
		 * status is the same as for wrong padding (manual 8.8, PK-14).
		 */
		if (!put_result(op, &row->out[i], from, len))
			return number == ACCEL_ASYM_RSA_DECRYPT ?
				RTE_CRYPTO_OP_STATUS_ERROR : RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
		if (row->out[i].special == ASYM_OUT_RECOVERED && !is_message(op, from, len))
			return RTE_CRYPTO_OP_STATUS_ERROR;
		from += len;
	}
	return RTE_CRYPTO_OP_STATUS_SUCCESS;
}

/* The next functions plan commands. */

/*
 * Gets the card's number of a hash. Returns false if the driver knows none. 0 and
 * RTE_CRYPTO_AUTH_NULL mean no hash, and give 0.
 */
static bool
hash_of(enum rte_crypto_auth_algorithm rte, uint8_t *hw)
{
	const struct accel_alg *alg;

	*hw = 0;
	if (rte == 0 || rte == RTE_CRYPTO_AUTH_NULL)
		return true;
	alg = accel_alg_find(ACCEL_ALG_AUTH, (int)rte);
	if (alg == NULL || alg->hw > UINT8_MAX)
		return false;
	*hw = (uint8_t)alg->hw;
	return true;
}

#define OID_MAX 9u
/* Bytes of all but identifier and digest: four headers of two bytes, and NULL */
#define FRAME 10u

struct digest_info {
	uint8_t hash; /* enum accel_hw_alg */
	uint8_t size; /* bytes of the digest */
	uint8_t oid_len;
	uint8_t oid[OID_MAX];
};

#define NIST(hash, size, n) { hash, size, 9, { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, n } }

/*
 * Identifiers are those of RFC 8017, appendix B.1, of NIST's register of objects for FIPS 202, and
 * of GB/T 33560 for SM3.
 */
static const struct digest_info infos[] = {
	{ ACCEL_HW_AUTH_MD5, 16, 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05 } },
	{ ACCEL_HW_AUTH_SHA1, 20, 5, { 0x2b, 0x0e, 0x03, 0x02, 0x1a } },
	NIST(ACCEL_HW_AUTH_SHA224, 28, 4),
	NIST(ACCEL_HW_AUTH_SHA256, 32, 1),
	NIST(ACCEL_HW_AUTH_SHA384, 48, 2),
	NIST(ACCEL_HW_AUTH_SHA512, 64, 3),
	NIST(ACCEL_HW_AUTH_SHA3_224, 28, 7),
	NIST(ACCEL_HW_AUTH_SHA3_256, 32, 8),
	NIST(ACCEL_HW_AUTH_SHA3_384, 48, 9),
	NIST(ACCEL_HW_AUTH_SHA3_512, 64, 10),
	{ ACCEL_HW_AUTH_SM3, 32, 8, { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x83, 0x11 } },
};

/*
 * True if a message begins as SEQUENCE { SEQUENCE { OBJECT IDENTIFIER oid, NULL }, OCTET STRING
 * digest } does.
 */
static bool
begins(const struct digest_info *info, const uint8_t *message)
{
	const uint8_t first[] = {
		0x30, (uint8_t)(FRAME - 2 + info->oid_len + info->size),
		0x30, (uint8_t)(info->oid_len + 4), 0x06, info->oid_len,
	};
	const uint8_t last[] = { 0x05, 0, 0x04, info->size };

	return memcmp(message, first, sizeof(first)) == 0 &&
	       memcmp(message + sizeof(first), info->oid, info->oid_len) == 0 &&
	       memcmp(message + sizeof(first) + info->oid_len, last, sizeof(last)) == 0;
}

/*
 * True if a message is the whole DigestInfo (RFC 8017, 9.2) of a digest of this hash, in DER with
 * parameters NULL. A bare digest is shorter, so it cannot be mistaken for a DigestInfo. A message
 * of another length is not read.
 */
static bool
is_digest_info(unsigned int hash, const uint8_t *message, size_t length)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(infos); i++) {
		if (infos[i].hash == hash)
			return length == FRAME + infos[i].oid_len + infos[i].size &&
			       message != NULL && begins(&infos[i], message);
	}
	return false;
}

/*
 * Plans the hash of a signature by PKCS#1 v1.5. Returns false if the card has no number for the
 * hash. By the API, `hash` asks the driver to make a DigestInfo. Other drivers ignore `hash`, so
 * some applications make the DigestInfo themselves and set `hash` as well (DPDK's fips_validation).
 * Such a DigestInfo is not put into a second one.
 */
static bool
plan_pkcs1(const struct rte_crypto_op *op, const struct rte_crypto_rsa_padding *pad,
	   struct accel_hw_pk_command *cmd)
{
	const struct rte_crypto_param_t *message = &op->asym->rsa.message;

	if (!hash_of(pad->hash, &cmd->hash))
		return false;
	if (is_digest_info(cmd->hash, message->data, message->length))
		cmd->hash = 0;
	return true;
}

/*
 * Plans the padding of RSA. Fields that rte_cryptodev does not use with a padding may have any
 * value, but the card wants 0 there.
 */
static int
plan_padding(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	     struct accel_asym_plan *plan)
{
	const struct rte_crypto_rsa_padding *pad = accel_rsa_padding(op, &sess->padding);
	struct accel_hw_pk_command *cmd = &plan->command;
	const bool signs = plan->row == ACCEL_ASYM_RSA_SIGN || plan->row == ACCEL_ASYM_RSA_VERIFY;

	if ((uint32_t)pad->type > RTE_CRYPTO_RSA_PADDING_PSS)
		return -EINVAL;
	if (pad->type == RTE_CRYPTO_RSA_PADDING_NONE)
		return 0;
	cmd->padding = (uint8_t)pad->type;
	if (pad->type == RTE_CRYPTO_RSA_PADDING_PKCS1_5)
		return !signs || plan_pkcs1(op, pad, cmd) ? 0 : -EINVAL;
	if (!hash_of(pad->hash, &cmd->hash) || !hash_of(pad->mgf1hash, &cmd->mgf_hash))
		return -EINVAL;
	if (pad->type == RTE_CRYPTO_RSA_PADDING_PSS)
		cmd->salt_len = rte_cpu_to_le_16(pad->pss_saltlen);
	return 0;
}

/* Plans the hash of SM2, which takes a digest, or a message to be hashed with SM3. */
static int
plan_sm2(const struct rte_crypto_op *op, struct accel_asym_plan *plan)
{
	uint8_t hash;

	if (!hash_of(accel_sm2_hash(op), &hash))
		return -EINVAL;
	plan->command.hash = hash;
	return 0;
}

/*
 * Takes the operands of SM2's DECRYPT. C3 and C2 are one operand. A ciphertext with anything else
 * than its parts is refused here. The refusal tells the sender of the ciphertext nothing that the
 * sender does not know.
 */
static int
plan_ciphertext(const struct rte_crypto_op *op, const struct accel_asym_form *row, uint32_t max,
		struct accel_asym_plan *plan)
{
	const struct rte_crypto_param_t *cipher = param_at(op, row->in[0].at);
	uint32_t len[ACCEL_SM2_PARTS];
	unsigned int i;

	if (!is_there(cipher) || cipher->length > max || !accel_sm2_read(cipher, plan->part))
		return -EINVAL;
	for (i = 0; i < ACCEL_SM2_PARTS; i++) {
		plan->in[i] = &plan->part[i];
		len[i] = (uint32_t)plan->part[i].length;
		plan->in_len += len[i];
	}
	plan->command.operand[0] = rte_cpu_to_le_32(len[ACCEL_SM2_X]);
	plan->command.operand[1] = rte_cpu_to_le_32(len[ACCEL_SM2_Y]);
	plan->command.operand[2] = rte_cpu_to_le_32(len[ACCEL_SM2_C3] + len[ACCEL_SM2_C2]);
	return plan_sm2(op, plan);
}

/*
 * Plans the variant of EdDSA. Ed448 takes a context as it is, but Ed25519 has a separate instance
 * for contexts. The instance is in the operation and not in the session, so an instance that the
 * card lacks is refused here.
 */
static int
plan_variant(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	     const struct accel_asym_form *row, struct accel_asym_plan *plan)
{
	static const struct {
		uint8_t variant;
		uint8_t variant_with_context;
		uint8_t signature; /* bytes: the curve */
	} instances[] = { /* enum rte_crypto_edward_instance */
		{ ACCEL_HW_PK_PURE, ACCEL_HW_PK_PURE, 64 },
		{ ACCEL_HW_PK_CONTEXT, ACCEL_HW_PK_CONTEXT, 64 },
		{ ACCEL_HW_PK_PREHASHED, ACCEL_HW_PK_PREHASHED, 64 },
		{ ACCEL_HW_PK_PURE, ACCEL_HW_PK_CONTEXT, 114 },
		{ ACCEL_HW_PK_PREHASHED, ACCEL_HW_PK_PREHASHED, 114 },
	};
	const unsigned int instance = accel_eddsa_instance(op);
	const bool context = operand(op, sess, &row->in[row->nb_in - 1]) != NULL;

	if (instance >= RTE_DIM(instances) ||
	    instances[instance].signature != sess->size[ACCEL_ASYM_SIGNATURE])
		return -EINVAL;
	plan->command.variant = context ? instances[instance].variant_with_context :
					  instances[instance].variant;
	return (sess->variants >> plan->command.variant & 1) != 0 ? 0 : -EINVAL;
}

static int
plan_field(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	   const struct accel_asym_form *row, uint32_t max, struct accel_asym_plan *plan)
{
	switch (row->field) {
	case ASYM_FIELD_PADDING:
		return plan_padding(op, sess, plan);
	case ASYM_FIELD_SM2_HASH:
		return plan_sm2(op, plan);
	case ASYM_FIELD_SM2_CIPHERTEXT:
		return plan_ciphertext(op, row, max, plan);
	case ASYM_FIELD_VARIANT:
		return plan_variant(op, sess, row, plan);
	case ASYM_FIELD_COMPRESSED:
		return accel_asym_compressed(op) ? 0 : -EINVAL;
	default:
		return 0;
	}
}

/*
 * Joins d and z, which the card takes as one operand. The operation has both or neither. Without
 * them, the card makes them.
 */
static int
plan_seed(struct accel_asym_plan *plan)
{
	if (plan->in[0] == NULL && plan->in[1] == NULL)
		return 0;
	if (plan->in[0] == NULL || plan->in[1] == NULL ||
	    plan->in[0]->length != plan->in[1]->length)
		return -EINVAL;
	plan->command.operand[0] = rte_cpu_to_le_32(plan->in_len);
	plan->command.operand[1] = 0;
	return 0;
}

/* Makes the key that is to be checked the first operand if it is an ek, and the second one if not. */
static int
plan_checked(const struct rte_crypto_op *op, struct accel_asym_plan *plan)
{
	const unsigned int checked = accel_ml_kem_checked(op);

	if (plan->in[0] == NULL || (checked != ACCEL_ML_KEM_EK && checked != ACCEL_ML_KEM_DK))
		return -EINVAL;
	if (checked == ACCEL_ML_KEM_EK)
		return 0;
	plan->command.operand[1] = plan->command.operand[0];
	plan->command.operand[0] = 0;
	return 0;
}

/*
 * Plans the hash of ML-DSA. A session with a prehash has one in each operation, and other sessions
 * have none. The hash is in the operation, so one that the card lacks is refused here.
 */
static int
plan_prehash(const struct accel_asym_session *sess, uint8_t hash, struct accel_hw_pk_command *cmd)
{
	if (!sess->prehash)
		return hash == 0 ? 0 : -EINVAL;
	if (hash < ACCEL_DT_AUTH_FIRST || hash >= ACCEL_DT_AUTH_FIRST + 64 ||
	    (sess->hashes >> (hash - ACCEL_DT_AUTH_FIRST) & 1) == 0)
		return -EINVAL;
	cmd->hash = hash;
	cmd->variant = ACCEL_HW_PK_PREHASHED;
	return 0;
}

/*
 * Puts mu, if the operation has it, where the message would be. An operation with mu must have
 * neither a message nor a context string nor a hash, all of which the host has put into mu.
 */
static int
plan_ml_dsa(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	    struct accel_asym_plan *plan)
{
	const unsigned int mu = 4, context = plan->row == ACCEL_ASYM_ML_DSA_SIGN ? 1 : 2;
	struct accel_hw_pk_command *cmd = &plan->command;
	uint8_t hash;

	if (!hash_of(accel_ml_dsa_hash(op), &hash))
		return -EINVAL;
	if (plan->in[mu] == NULL)
		return plan_prehash(sess, hash, cmd);
	if (hash != 0 || plan->in[0] != NULL || plan->in[context] != NULL ||
	    (sess->variants >> ACCEL_HW_PK_MU & 1) == 0)
		return -EINVAL;
	plan->in[0] = plan->in[mu];
	plan->in[mu] = NULL;
	cmd->operand[0] = cmd->operand[mu];
	cmd->operand[mu] = 0;
	cmd->variant = ACCEL_HW_PK_MU;
	return 0;
}

static int
plan_random(const struct rte_crypto_op *op, uint32_t max, struct accel_asym_plan *plan)
{
	const struct rte_crypto_param_t *result = &op->asym->modex.result;
	struct accel_hw_command cmd = { .opcode = ACCEL_HW_OP_RANDOM };

	if (!is_there(result) || result->length > max)
		return -EINVAL;
	plan->out_len = (uint32_t)result->length;
	cmd.cipher_len = rte_cpu_to_le_32(plan->out_len);
	memcpy(&plan->command, &cmd, sizeof(cmd));
	return 0;
}

int
accel_asym_plan(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
		uint32_t max_operand, uint32_t max_random, struct accel_asym_plan *plan)
{
	const struct accel_asym_form *row;
	int ret;

	memset(plan, 0, sizeof(*plan));
	plan->row = row_of(op, sess);
	if (plan->row == ACCEL_ASYM_NO_ROW)
		return -EINVAL;
	if (plan->row == ACCEL_ASYM_RANDOM)
		return plan_random(op, max_random, plan);
	row = &accel_asym_forms[plan->row];
	ret = plan_field(op, sess, row, max_operand, plan);
	if (ret == 0)
		ret = plan_operands(op, sess, row, max_operand, plan);
	if (plan->row == ACCEL_ASYM_RSA_RECOVER && plan->in[0] == NULL)
		return -EINVAL; /* a signature is not absent, but a message may be empty */
	if (ret == 0 && row->field == ASYM_FIELD_ML_KEM_SEED)
		ret = plan_seed(plan);
	if (ret == 0 && row->field == ASYM_FIELD_ML_KEM_KEY)
		ret = plan_checked(op, plan);
	if (ret == 0 && row->field == ASYM_FIELD_ML_DSA)
		ret = plan_ml_dsa(op, sess, plan);
	if (ret == 0)
		ret = plan_results(op, sess, row, plan);
	plan->command.opcode = ACCEL_HW_OP_PK;
	plan->command.flags = plan->out_len == 0 ? ACCEL_HW_CMD_NO_RX : 0;
	plan->command.operation = rte_cpu_to_le_16(row->operation);
	plan->command.context = rte_cpu_to_le_64(sess->iova);
	plan->command.generation = rte_cpu_to_le_32(sess->generation);
	return ret;
}

void
accel_asym_gather(const struct accel_asym_plan *plan, uint8_t *to)
{
	unsigned int i;

	for (i = 0; i < ACCEL_HW_PK_OPERANDS; i++) {
		if (plan->in[i] == NULL)
			continue;
		memcpy(to, plan->in[i]->data, plan->in[i]->length);
		to += plan->in[i]->length;
	}
}

enum rte_crypto_op_status
accel_asym_status(enum accel_asym_row row, unsigned int hw_status)
{
	/* A signature that is not below the modulus is as wrong as any other (manual PK-13). */
	if (row == ACCEL_ASYM_RSA_RECOVER && hw_status == ACCEL_HW_BAD_OPERAND)
		return RTE_CRYPTO_OP_STATUS_ERROR;
	return accel_op_status(ACCEL_STATUS_ASYMMETRIC, hw_status);
}
