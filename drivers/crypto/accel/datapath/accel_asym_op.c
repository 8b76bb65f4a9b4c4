/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Asymmetric operations in the terms of manual 8.8: see accel_asym_op.h.
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
#include "accel_digest_info.h"

#define IN_MAX 5u

/* What is special about an operand. */
enum {
	IN_PLAIN = 0,
	IN_LABEL, /* of OAEP, with the padding */
	IN_PEER_X, /* the session's, if the operation has none */
	IN_PEER_Y,
};

/* What is special about a result. */
enum {
	OUT_NUMBER = 0, /* a smaller room will do if only leading zeros are lost */
	OUT_EXACT, /* it has its length and no other */
	OUT_VARIES, /* the device says how long it is */
	OUT_OPTIONAL, /* the operation need not have a place for it */
	OUT_DROPPED, /* no operation has a place for it */
	OUT_PUBLIC, /* a number, without leading zeros if RTE_CRYPTO_ASYM_FLAG_* says so */
	OUT_SHARED,
	OUT_CIPHERTEXT, /* of SM2: a number of parts, and the message's length; written in DER */
	OUT_RECOVERED, /* exact and optional, and compared with the message if there is one */
};

/* When another row takes the place of a row. */
enum {
	NEVER = 0,
	WITHOUT_PRIVATE, /* the first operand is absent, and the session has no private key */
	UNPADDED, /* RSA without padding */
};

struct asym_in {
	uint16_t at; /* of a rte_crypto_param, in struct rte_crypto_asym_op */
	uint8_t special;
};

struct asym_out {
	uint16_t at;
	uint8_t size; /* enum accel_asym_size */
	uint8_t special;
};

struct asym_row {
	uint8_t operation; /* enum accel_hw_pk_operation */
	uint8_t nb_in;
	uint8_t nb_out;
	uint8_t instead; /* enum accel_asym_row */
	uint8_t instead_when;
	uint8_t field;
	struct asym_in in[IN_MAX];
	struct asym_out out[ACCEL_ASYM_RESULTS];
};

/* A field of the command that the operation has, apart from its operands. */
enum {
	FIELD_NONE = 0,
	FIELD_PADDING, /* RSA */
	FIELD_SM2_HASH,
	FIELD_SM2_CIPHERTEXT, /* and all operands: the parts of the first one, which is in DER */
	FIELD_VARIANT, /* EdDSA */
};

#define AT(field) offsetof(struct rte_crypto_asym_op, field)
#define IN(field) { AT(field), IN_PLAIN }
#define IN_BEFORE_24_11(field) { ACCEL_ASYM_UNTIL_24_11(field), IN_PLAIN }
#define IN_PEER(field, coordinate) { AT(field), IN_PEER_##coordinate }
#define NO_IN { ACCEL_ASYM_ABSENT, IN_PLAIN } /* the context has it */
#define LABEL { ACCEL_ASYM_ABSENT, IN_LABEL }
#define OUT(field, size, special) { AT(field), ACCEL_ASYM_##size, OUT_##special }
#define DROP(size) { ACCEL_ASYM_ABSENT, ACCEL_ASYM_##size, OUT_DROPPED }

/* The table of manual 8.8, with the fields of rte_cryptodev. */
static const struct asym_row rows[ACCEL_ASYM_ROWS] = {
	[ACCEL_ASYM_RSA_ENCRYPT] = {
		ACCEL_HW_PK_ENCRYPT, 2, 1,
		.field = FIELD_PADDING,
		.in = { IN(rsa.message), LABEL },
		.out = { OUT(rsa.cipher, MODULUS, EXACT) },
	},
	[ACCEL_ASYM_RSA_DECRYPT] = {
		ACCEL_HW_PK_DECRYPT, 2, 1,
		.field = FIELD_PADDING,
		.in = { IN(rsa.cipher), LABEL },
		.out = { OUT(rsa.message, MODULUS, VARIES) },
	},
	[ACCEL_ASYM_RSA_SIGN] = {
		ACCEL_HW_PK_SIGN, 1, 1,
		.field = FIELD_PADDING,
		.in = { IN(rsa.message) },
		.out = { OUT(rsa.sign, MODULUS, EXACT) },
	},
	[ACCEL_ASYM_RSA_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 2, 0,
		.field = FIELD_PADDING,
		.instead = ACCEL_ASYM_RSA_RECOVER, .instead_when = UNPADDED,
		.in = { IN(rsa.message), IN(rsa.sign) },
	},
	[ACCEL_ASYM_RSA_RECOVER] = {
		ACCEL_HW_PK_ENCRYPT, 1, 1,
		.in = { IN(rsa.sign) },
		.out = { OUT(rsa.cipher, MODULUS, RECOVERED) },
	},
	[ACCEL_ASYM_MODEX] = {
		ACCEL_HW_PK_COMPUTE, 1, 1,
		.in = { IN(modex.base) },
		.out = { OUT(modex.result, MODULUS, NUMBER) },
	},
	[ACCEL_ASYM_MODINV] = {
		ACCEL_HW_PK_COMPUTE, 1, 1,
		.in = { IN(modinv.base) },
		.out = { OUT(modinv.result, MODULUS, NUMBER) },
	},
	[ACCEL_ASYM_DH_PRIVATE] = {
		ACCEL_HW_PK_GENERATE, 0, 2,
		.out = { OUT(dh.priv_key, MODULUS, NUMBER), DROP(MODULUS) },
	},
	[ACCEL_ASYM_DH_PUBLIC] = {
		ACCEL_HW_PK_PUBLIC, 1, 1,
		.instead = ACCEL_ASYM_DH_PAIR, .instead_when = WITHOUT_PRIVATE,
		.in = { IN(dh.priv_key) },
		.out = { OUT(dh.pub_key, MODULUS, PUBLIC) },
	},
	[ACCEL_ASYM_DH_PAIR] = {
		ACCEL_HW_PK_GENERATE, 0, 2,
		.out = { OUT(dh.priv_key, MODULUS, OPTIONAL), OUT(dh.pub_key, MODULUS, PUBLIC) },
	},
	[ACCEL_ASYM_DH_SHARED] = {
		ACCEL_HW_PK_SHARED, 2, 1,
		.in = { IN(dh.priv_key), IN(dh.pub_key) },
		.out = { OUT(dh.shared_secret, MODULUS, SHARED) },
	},
	[ACCEL_ASYM_DSA_SIGN] = {
		ACCEL_HW_PK_SIGN, 2, 2,
		.in = { IN(dsa.message), IN(dsa.k) },
		.out = { OUT(dsa.r, ORDER, NUMBER), OUT(dsa.s, ORDER, NUMBER) },
	},
	[ACCEL_ASYM_DSA_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 4, 0,
		.in = { IN(dsa.message), IN(dsa.r), IN(dsa.s), IN(dsa.y) },
	},
	[ACCEL_ASYM_ECDSA_SIGN] = {
		ACCEL_HW_PK_SIGN, 3, 2,
		.in = { IN(ecdsa.message), IN_BEFORE_24_11(ecdsa.pkey), IN(ecdsa.k) },
		.out = { OUT(ecdsa.r, ORDER, NUMBER), OUT(ecdsa.s, ORDER, NUMBER) },
	},
	[ACCEL_ASYM_ECDSA_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 5, 0,
		.in = { IN(ecdsa.message), IN(ecdsa.r), IN(ecdsa.s), IN_BEFORE_24_11(ecdsa.q.x),
			IN_BEFORE_24_11(ecdsa.q.y) },
	},
	[ACCEL_ASYM_ECDH_PRIVATE] = {
		ACCEL_HW_PK_GENERATE, 0, 3,
		.out = { OUT(ecdh.priv_key, ORDER, NUMBER), DROP(FIELD), DROP(FIELD) },
	},
	[ACCEL_ASYM_ECDH_PUBLIC] = {
		ACCEL_HW_PK_PUBLIC, 1, 2,
		.instead = ACCEL_ASYM_ECDH_PAIR, .instead_when = WITHOUT_PRIVATE,
		.in = { IN(ecdh.priv_key) },
		.out = { OUT(ecdh.pub_key.x, FIELD, PUBLIC), OUT(ecdh.pub_key.y, FIELD, PUBLIC) },
	},
	[ACCEL_ASYM_ECDH_PAIR] = {
		ACCEL_HW_PK_GENERATE, 0, 3,
		.out = { OUT(ecdh.priv_key, ORDER, OPTIONAL), OUT(ecdh.pub_key.x, FIELD, PUBLIC),
			 OUT(ecdh.pub_key.y, FIELD, PUBLIC) },
	},
	[ACCEL_ASYM_ECDH_SHARED] = {
		ACCEL_HW_PK_SHARED, 3, 2,
		.in = { IN(ecdh.priv_key), IN_PEER(ecdh.pub_key.x, X),
			IN_PEER(ecdh.pub_key.y, Y) },
		.out = { OUT(ecdh.shared_secret.x, FIELD, SHARED),
			 OUT(ecdh.shared_secret.y, FIELD, OPTIONAL) },
	},
	[ACCEL_ASYM_ECDH_CHECK] = {
		ACCEL_HW_PK_CHECK, 2, 0,
		.in = { IN_PEER(ecdh.pub_key.x, X), IN_PEER(ecdh.pub_key.y, Y) },
	},
	[ACCEL_ASYM_EC_MUL] = {
		ACCEL_HW_PK_COMPUTE, 3, 2,
		.in = { IN(ecpm.scalar), IN(ecpm.p.x), IN(ecpm.p.y) },
		.out = { OUT(ecpm.r.x, FIELD, NUMBER), OUT(ecpm.r.y, FIELD, NUMBER) },
	},
	[ACCEL_ASYM_EC_FIXED] = {
		ACCEL_HW_PK_PUBLIC, 1, 2,
		.in = { IN(ecpm.scalar) },
		.out = { OUT(ecpm.r.x, FIELD, NUMBER), OUT(ecpm.r.y, FIELD, NUMBER) },
	},
	ACCEL_SINCE_24_11([ACCEL_ASYM_SM2_ENCRYPT] = {
		ACCEL_HW_PK_ENCRYPT, 4, 1,
		.field = FIELD_SM2_HASH,
		.in = { IN(sm2.message), NO_IN, NO_IN, IN(sm2.k) },
		.out = { OUT(sm2.cipher, FIELD, CIPHERTEXT) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_SM2_DECRYPT] = {
		ACCEL_HW_PK_DECRYPT, 0, 1,
		.field = FIELD_SM2_CIPHERTEXT,
		.in = { IN(sm2.cipher) },
		.out = { OUT(sm2.message, FIELD, VARIES) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_SM2_SIGN] = {
		ACCEL_HW_PK_SIGN, 4, 2,
		.field = FIELD_SM2_HASH,
		.in = { IN(sm2.message), IN(sm2.id), NO_IN, IN(sm2.k) },
		.out = { OUT(sm2.r, ORDER, NUMBER), OUT(sm2.s, ORDER, NUMBER) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_SM2_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 4, 0,
		.field = FIELD_SM2_HASH,
		.in = { IN(sm2.message), IN(sm2.r), IN(sm2.s), IN(sm2.id) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_EDDSA_SIGN] = {
		ACCEL_HW_PK_SIGN, 2, 1,
		.field = FIELD_VARIANT,
		.in = { IN(eddsa.message), IN(eddsa.context) },
		.out = { OUT(eddsa.sign, SIGNATURE, EXACT) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_EDDSA_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 3, 0,
		.field = FIELD_VARIANT,
		.in = { IN(eddsa.message), IN(eddsa.sign), IN(eddsa.context) },
	})
};

/* The two types of an operation are its first word in each of these. */
static_assert(AT(rsa.op_type) == AT(dsa.op_type) && AT(rsa.op_type) == AT(ecdsa.op_type) &&
		      AT(rsa.op_type) == AT(dh.ke_type) && AT(rsa.op_type) == AT(ecdh.ke_type) &&
		      sizeof(enum rte_crypto_asym_op_type) == sizeof(enum rte_crypto_asym_ke_type),
	      "ACCEL_ASYM_CHOOSES");
static_assert((int)RTE_CRYPTO_RSA_PADDING_NONE == ACCEL_HW_PK_PADDING_NONE &&
		      (int)RTE_CRYPTO_RSA_PADDING_PKCS1_5 == ACCEL_HW_PK_PADDING_PKCS1 &&
		      (int)RTE_CRYPTO_RSA_PADDING_OAEP == ACCEL_HW_PK_PADDING_OAEP &&
		      (int)RTE_CRYPTO_RSA_PADDING_PSS == ACCEL_HW_PK_PADDING_PSS, "manual 8.8");

unsigned int
accel_asym_hw_operation(enum accel_asym_row row)
{
	return rows[row].operation;
}

/*
 * Operands.
 */

static const struct rte_crypto_param_t *
param_at(const struct rte_crypto_op *op, uint16_t at)
{
	return (const struct rte_crypto_param_t *)((uintptr_t)op->asym + at);
}

/* An operand without data or without length is absent: the API says either. */
static bool
is_there(const struct rte_crypto_param_t *param)
{
	return param->data != NULL && param->length != 0;
}

static const struct rte_crypto_param_t *
operand(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	const struct asym_in *in)
{
	const struct rte_crypto_param_t *param;

	if (in->special == IN_LABEL) {
		const struct rte_crypto_rsa_padding *pad = accel_rsa_padding(op, &sess->padding);

		if (pad->type != RTE_CRYPTO_RSA_PADDING_OAEP)
			return NULL;
		param = &pad->oaep_label;
	} else if (in->at == ACCEL_ASYM_ABSENT) {
		return NULL;
	} else {
		param = param_at(op, in->at);
		if (!is_there(param) && in->special == IN_PEER_X)
			param = &sess->peer[ACCEL_ASYM_PEER_X];
		else if (!is_there(param) && in->special == IN_PEER_Y)
			param = &sess->peer[ACCEL_ASYM_PEER_Y];
	}
	return is_there(param) ? param : NULL;
}

static enum accel_asym_row
row_of(const struct rte_crypto_op *op, const struct accel_asym_session *sess)
{
	const struct accel_asym_kind *kind = accel_asym_kind_of(sess->xform_type);
	const struct asym_row *row;
	uint32_t type = 0;
	bool other = false;

	if ((kind->has & ACCEL_ASYM_CHOOSES) != 0)
		type = (uint32_t)op->asym->rsa.op_type;
	if (type >= ACCEL_ASYM_OPS)
		return ACCEL_ASYM_NO_ROW;
	row = &rows[kind->row[type]];
	if (row->instead_when == WITHOUT_PRIVATE)
		other = !sess->has_private && operand(op, sess, &row->in[0]) == NULL;
	else if (row->instead_when == UNPADDED)
		other = accel_rsa_padding(op, &sess->padding)->type == RTE_CRYPTO_RSA_PADDING_NONE;
	return other ? (enum accel_asym_row)row->instead : (enum accel_asym_row)kind->row[type];
}

static int
plan_operands(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	      const struct asym_row *row, uint32_t max, struct accel_asym_plan *plan)
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

/*
 * Results.
 */

/* May a result have no place? A recovered message need not be written if it is compared. */
static bool
is_optional(const struct rte_crypto_op *op, const struct asym_out *out)
{
	return out->special == OUT_OPTIONAL ||
	       (out->special == OUT_RECOVERED && is_there(&op->asym->rsa.message));
}

/* The most bytes of a result. */
static size_t
result_size(const struct accel_asym_session *sess, const struct asym_row *row,
	    const struct asym_out *out, const struct accel_asym_plan *plan)
{
	if (row->field == FIELD_SM2_CIPHERTEXT)
		return plan->part[ACCEL_SM2_C2].length;
	if (out->special == OUT_CIPHERTEXT)
		return ACCEL_SM2_C2 * (size_t)sess->size[out->size] +
		       (plan->in[0] != NULL ? plan->in[0]->length : 0);
	return sess->size[out->size];
}

static int
plan_results(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	     const struct asym_row *row, struct accel_asym_plan *plan)
{
	unsigned int i;

	for (i = 0; i < row->nb_out; i++) {
		const struct asym_out *out = &row->out[i];
		const size_t size = result_size(sess, row, out, plan);

		if (out->special != OUT_DROPPED && param_at(op, out->at)->data == NULL &&
		    !is_optional(op, out))
			return -EINVAL;
		if (size > UINT16_MAX)
			return -EINVAL;
		plan->out_size[i] = (uint16_t)size;
		plan->out_len += (uint32_t)size;
	}
	return 0;
}

/* Does a flag of the operation ask for a result without leading zeros? */
static bool
is_bare(const struct rte_crypto_op *op, const struct asym_out *out)
{
	return (out->special == OUT_PUBLIC &&
		(op->asym->flags & RTE_CRYPTO_ASYM_FLAG_PUB_KEY_NO_PADDING) != 0) ||
	       (out->special == OUT_SHARED &&
		(op->asym->flags & RTE_CRYPTO_ASYM_FLAG_SHARED_KEY_NO_PADDING) != 0);
}

static bool
put_ciphertext(struct rte_crypto_param_t *param, const uint8_t *from, size_t len)
{
	const size_t written = accel_sm2_write(from, len, param->data, param->length);

	if (written != 0)
		param->length = written;
	return written != 0;
}

/*
 * Writes one result of len bytes. A length of 0 on entry means that there is room for all of it
 * (rte_crypto_asym.h), another one is the room. False if there is too little.
 */
static bool
put_result(const struct rte_crypto_op *op, const struct asym_out *out, const uint8_t *from,
	   size_t len)
{
	const bool number = out->special != OUT_EXACT && out->special != OUT_VARIES &&
			    out->special != OUT_RECOVERED;
	struct rte_crypto_param_t *param;
	size_t room;

	if (out->special == OUT_DROPPED)
		return true;
	param = (struct rte_crypto_param_t *)(uintptr_t)param_at(op, out->at);
	if (param->data == NULL)
		return true; /* see is_optional() */
	if (out->special == OUT_CIPHERTEXT)
		return put_ciphertext(param, from, len);
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
 * Is the message of VERIFY without padding what was recovered from the signature? Both are numbers.
 * Without a message the application compares.
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
	const struct asym_row *row = &rows[number];
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
	if (row->nb_out == 1 && row->out[0].special == OUT_VARIES ? produced > total :
								      produced != total)
		return RTE_CRYPTO_OP_STATUS_ERROR;
	for (i = 0; i < row->nb_out; i++) {
		const uint32_t len = row->out[i].special == OUT_VARIES ? produced : size[i];

		if (!put_result(op, &row->out[i], from, len))
			return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
		if (row->out[i].special == OUT_RECOVERED && !is_message(op, from, len))
			return RTE_CRYPTO_OP_STATUS_ERROR;
		from += len;
	}
	return RTE_CRYPTO_OP_STATUS_SUCCESS;
}

/*
 * Commands.
 */

/* The card's number of a hash; false if the driver knows none. 0 and AUTH_NULL are no hash. */
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

/*
 * The hash of a signature by PKCS#1 v1.5; false if there is no such hash. The API has `hash` so
 * that DigestInfo is made here. Other drivers ignore it, so there are applications that make
 * DigestInfo and set `hash` as well (DPDK's fips_validation). It is not put into a second one.
 */
static bool
plan_pkcs1(const struct rte_crypto_op *op, const struct rte_crypto_rsa_padding *pad,
	   struct accel_hw_pk_command *cmd)
{
	const struct rte_crypto_param_t *message = &op->asym->rsa.message;

	if (!hash_of(pad->hash, &cmd->hash))
		return false;
	if (accel_is_digest_info(cmd->hash, message->data, message->length))
		cmd->hash = 0;
	return true;
}

/*
 * The padding of RSA. Fields that rte_cryptodev has no use for with a padding may have any value,
 * and the card wants 0 there.
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

/* SM2 takes a digest, or a message to be hashed with SM3. */
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
 * Takes the operands of SM2's DECRYPT, of which C3 and C2 are one. A ciphertext with anything else
 * than its parts is refused here, which says no more than its sender knows.
 */
static int
plan_ciphertext(const struct rte_crypto_op *op, const struct asym_row *row, uint32_t max,
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

/* Only Ed448 has a context without being asked for the variant. */
static int
plan_variant(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	     const struct asym_row *row, struct accel_asym_plan *plan)
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
	return 0;
}

static int
plan_field(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
	   const struct asym_row *row, uint32_t max, struct accel_asym_plan *plan)
{
	switch (row->field) {
	case FIELD_PADDING:
		return plan_padding(op, sess, plan);
	case FIELD_SM2_HASH:
		return plan_sm2(op, plan);
	case FIELD_SM2_CIPHERTEXT:
		return plan_ciphertext(op, row, max, plan);
	case FIELD_VARIANT:
		return plan_variant(op, sess, row, plan);
	default:
		return 0;
	}
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
	const struct asym_row *row;
	int ret;

	memset(plan, 0, sizeof(*plan));
	plan->row = row_of(op, sess);
	if (plan->row == ACCEL_ASYM_NO_ROW)
		return -EINVAL;
	if (plan->row == ACCEL_ASYM_RANDOM)
		return plan_random(op, max_random, plan);
	row = &rows[plan->row];
	ret = plan_field(op, sess, row, max_operand, plan);
	if (ret == 0)
		ret = plan_operands(op, sess, row, max_operand, plan);
	if (plan->row == ACCEL_ASYM_RSA_RECOVER && plan->in[0] == NULL)
		return -EINVAL; /* a signature is not absent, but a message may be empty */
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
	switch (hw_status) {
	case ACCEL_HW_OK:
		return RTE_CRYPTO_OP_STATUS_SUCCESS;
	case ACCEL_HW_BAD_CONTEXT:
		return RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	case ACCEL_HW_BAD_COMMAND:
	case ACCEL_HW_BAD_LENGTH:
	case ACCEL_HW_OUTPUT_TOO_SMALL:
	case ACCEL_HW_BAD_OPERAND:
	case ACCEL_HW_INVALID_POINT:
	case ACCEL_HW_NO_INVERSE:
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	default: /* a wrong signature or ciphertext, too */
		return RTE_CRYPTO_OP_STATUS_ERROR;
	}
}
