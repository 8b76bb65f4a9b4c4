/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Symmetric sessions: from the plan of a chain of transforms to a context (manual section 8) and a
 * command template.
 */
#include <errno.h>
#include <stddef.h>

#include <cryptodev_pmd.h>
#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_capabilities.h"
#include "accel_plan.h"
#include "accel_session.h"

/* Finds the kind of a session. Its transforms are processed in their order (manual 7.2). */
static int
plan_kind(const struct accel_dev *dev, struct accel_plan *plan)
{
	if (plan->aead != NULL && (plan->cipher != NULL || plan->auth != NULL))
		return accel_plan_refuse(plan, -ENOTSUP, "an AEAD is not chained");
	if (plan->aead != NULL)
		plan->kind = ACCEL_HW_KIND_AEAD;
	else if (plan->auth == NULL)
		plan->kind = ACCEL_HW_KIND_CIPHER;
	else if (plan->cipher == NULL)
		plan->kind = ACCEL_HW_KIND_AUTH;
	else if (plan->first->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		plan->kind = ACCEL_HW_KIND_CIPHER_THEN_AUTH;
	else
		plan->kind = ACCEL_HW_KIND_AUTH_THEN_CIPHER;
	if ((plan->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH && !dev->dt.chain_cipher_auth) ||
	    (plan->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER && !dev->dt.chain_auth_cipher))
		return accel_plan_refuse(plan, -ENOTSUP, "the device does not chain in the order "
					 "of the transforms");
	return 0;
}

/*
 * Checks the IVs and algorithms of a chain. An IV of more than 16 bytes takes the place of both IVs
 * in the command (manual 8.1). If there is another IV, the IV of authentication travels in the
 * stream.
 */
static int
check_chain(const struct accel_dev *dev, struct accel_plan *plan)
{
	const bool chain = plan->cipher != NULL && plan->auth != NULL;
	const bool in_stream = (plan->iv_len > ACCEL_HW_IV_MAX && plan->auth_iv_len != 0) ||
			       (plan->auth_iv_len > ACCEL_HW_IV_MAX && plan->iv_len != 0);
	const struct accel_plan_rule rules[] = {
		{ in_stream && !dev->dt.auth_iv_in_stream, -ENOTSUP,
		  "the device has no room for the other IV beside this iv.length" },
		{ chain && !accel_hw_has_chain(&dev->dt, plan->cipher_hw, plan->auth_hw), -ENOTSUP,
		  "the device does not chain these two algorithms" },
	};

	plan->plain.iv_in_stream = in_stream;
	return accel_plan_obey(plan, rules, RTE_DIM(rules));
}

static int
plan_make(const struct accel_dev *dev, const struct rte_crypto_sym_xform *xform,
	  struct accel_plan *plan)
{
	int ret = accel_plan_read(plan, xform);

	if ((dev->active_flags & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO) == 0)
		return accel_plan_refuse(plan, -ENOTSUP, "symmetric operations are not offered");
	if (ret == 0)
		ret = plan_kind(dev, plan);
	if (ret == 0)
		ret = accel_plan_check(dev, plan);
	return ret == 0 ? check_chain(dev, plan) : ret;
}

/*
 * True if a digest inside the cipher region is ciphered, too ("digest encrypted"). This is so if
 * the digest is generated before the cipher works, or verified after it.
 */
static bool
digest_may_be_ciphered(const struct accel_plan *plan)
{
	if (plan->digest_len == 0)
		return false;
	return (plan->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER && !plan->plain.verify) ||
	       (plan->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH && plan->plain.verify);
}

/*
 * Returns the kind of the session in the fast path, or 0 if the fast path does not take it. Both
 * orders of a chain have one kind there.
 */
static uint8_t
fast_kind(const struct accel_plan *plan)
{
	if (plan->plain.cipher_bits || plan->plain.auth_bits || digest_may_be_ciphered(plan))
		return 0;
	switch (plan->kind) {
	case ACCEL_HW_KIND_CIPHER:
	case ACCEL_HW_KIND_AUTH:
	case ACCEL_HW_KIND_AEAD:
		return plan->kind;
	case ACCEL_HW_KIND_CIPHER_THEN_AUTH:
	case ACCEL_HW_KIND_AUTH_THEN_CIPHER:
		return ACCEL_HW_KIND_CIPHER_THEN_AUTH;
	default:
		return 0;
	}
}

/* Writes what only plain operations have, except for addresses and the command. */
static void
session_write(const struct accel_plan *plan, struct accel_session *sess)
{
	if (plan->plain.verify && plan->kind != ACCEL_HW_KIND_AEAD)
		sess->context.flags |= ACCEL_HW_CTX_VERIFY;
	sess->kind = (uint8_t)plan->kind;
	sess->cipher_bits = plan->plain.cipher_bits;
	sess->auth_bits = plan->plain.auth_bits;
	sess->odd_bits = (sess->cipher_bits || sess->auth_bits) && !plan->plain.bytes_only;
	sess->owner = accel_session_owner(fast_kind(plan));
	sess->verify = plan->plain.verify;
	sess->generate = plan->digest_len != 0 && !plan->plain.verify;
	sess->iv_len = plan->plain.nonce ? ACCEL_CTR_NONCE : (uint8_t)plan->iv_len;
	/* An IV in the stream travels as AAD does. */
	sess->auth_iv_len = plan->plain.iv_in_stream ? 0 : (uint8_t)plan->auth_iv_len;
	sess->auth_iv_at = plan->auth_iv_len > ACCEL_HW_IV_MAX ?
				   offsetof(struct accel_hw_command, iv) :
				   offsetof(struct accel_hw_command, auth_iv);
	sess->digest_len = plan->digest_len;
	sess->aad_len = plan->plain.iv_in_stream ? plan->auth_iv_len : plan->aad_len;
	if (plan->cipher != NULL)
		sess->iv_offset = plan->cipher->iv.offset;
	if (plan->auth != NULL)
		sess->auth_iv_offset = plan->auth->iv.offset;
	if (plan->aead != NULL)
		sess->iv_offset = plan->aead->iv.offset;
	if (plan->plain.ccm) {
		sess->iv_offset += ACCEL_CCM_NONCE_OFFSET;
		sess->aad_offset = ACCEL_CCM_AAD_OFFSET;
	}
	sess->digest_may_be_ciphered = digest_may_be_ciphered(plan);
}

static void
command_write(const struct accel_plan *plan, struct accel_session_command *cmd)
{
	/* Authentication without a cipher has no output if it verifies or has no digest. */
	if (plan->kind == ACCEL_HW_KIND_AUTH && (plan->plain.verify || plan->digest_len == 0))
		cmd->flags = ACCEL_HW_CMD_NO_RX;
	/* The counter of the first block is 1, big-endian (RFC 3686, section 4). */
	if (plan->plain.nonce)
		cmd->iv[ACCEL_HW_IV_MAX - 1] = 1;
	cmd->aad_len = rte_cpu_to_le_16(plan->aad_len);
}

int
accel_session_make(struct accel_dev *dev, const struct rte_crypto_sym_xform *xform,
		   struct accel_session *sess, rte_iova_t iova)
{
	struct accel_plan plan = { 0 };
	int ret;

	ret = plan_make(dev, xform, &plan);
	if (ret != 0) {
		accel_plan_log(dev, ACCEL_REFUSED_SYM, &plan, "");
		return ret;
	}
	ret = accel_session_name(dev, sess, iova);
	if (ret != 0)
		return ret;
	accel_plan_write_context(&plan, &sess->context);
	session_write(&plan, sess);
	command_write(&plan, &sess->command);
	accel_session_count_context(dev, sess, true);
	return 0;
}

int
accel_sym_session_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_sym_xform *xform,
			    struct rte_cryptodev_sym_session *session)
{
	return accel_session_make(cryptodev->data->dev_private, xform,
				  CRYPTODEV_GET_SYM_SESS_PRIV(session),
				  CRYPTODEV_GET_SYM_SESS_PRIV_IOVA(session));
}

unsigned int
accel_sym_session_get_size(struct rte_cryptodev *cryptodev __rte_unused)
{
	return sizeof(struct accel_session);
}

void
accel_sym_session_clear(struct rte_cryptodev *cryptodev, struct rte_cryptodev_sym_session *session)
{
	accel_session_wipe(cryptodev->data->dev_private, CRYPTODEV_GET_SYM_SESS_PRIV(session));
}
