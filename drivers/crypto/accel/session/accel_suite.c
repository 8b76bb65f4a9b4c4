/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The cipher suite of a protocol's session. See accel_suite.h.
 */
#include <errno.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_compat.h"
#include "accel_suite.h"

int
accel_suite_read(struct accel_suite *suite, const struct rte_crypto_sym_xform *xform)
{
	for (; xform != NULL; xform = xform->next) {
		if (xform->type == RTE_CRYPTO_SYM_XFORM_CIPHER && suite->cipher == NULL) {
			suite->cipher = &xform->cipher;
			suite->rte[ACCEL_ALG_CIPHER] = xform->cipher.algo;
		} else if (xform->type == RTE_CRYPTO_SYM_XFORM_AUTH && suite->auth == NULL) {
			suite->auth = &xform->auth;
			suite->rte[ACCEL_ALG_AUTH] = xform->auth.algo;
		} else if (xform->type == RTE_CRYPTO_SYM_XFORM_AEAD && suite->aead == NULL) {
			suite->aead = &xform->aead;
			suite->rte[ACCEL_ALG_AEAD] = xform->aead.algo;
		} else {
			return accel_suite_refuse(suite, -EINVAL,
						  "two transforms of a kind, or one of none");
		}
	}
	return 0;
}

/*
 * Checks.
 */

/* What the transforms of all classes have. */
struct part {
	enum accel_alg_class class;
	int rte;
	bool forward; /* its operation is that of the session's direction */
	const uint8_t *key;
	unsigned int key_len;
	unsigned int digest_len;
	unsigned int iv_len;
	uint16_t iv_offset;
	/* Where the card's number and the length of the card's key go. */
	uint16_t *hw;
	uint16_t *hw_key_len;
};

static const struct accel_suite_alg *
find(const struct accel_suite *suite, enum accel_alg_class class, int rte)
{
	unsigned int i;

	for (i = 0; i < suite->table->nb; i++) {
		const struct accel_suite_alg *row = &suite->table->rows[i];

		if (row->class == class && row->rte == rte &&
		    (row->offered & suite->offered) == suite->offered)
			return row;
	}
	return NULL;
}

/* True if the protocol takes a size of an algorithm. */
static bool
takes(const struct accel_hw_range *range, unsigned int size)
{
	return range->max == 0 || accel_range_has(range, size);
}

/* Checks key, digest and IV, which the algorithm does not ignore. */
static int
check_sizes(struct accel_suite *suite, const struct part *part, const struct accel_suite_alg *row,
	    const struct accel_alg *alg, const struct accel_dt_alg *hw)
{
	int ret;

	if (!takes(&row->key, part->key_len))
		return accel_suite_refuse(suite, -EINVAL,
					  "an algorithm has no such key.length there");
	ret = accel_session_check_key(alg, hw, part->key, part->key_len, &suite->why);
	if (ret != 0)
		return ret;
	if (part->class != ACCEL_ALG_CIPHER) {
		if (!takes(&row->digest, part->digest_len))
			return accel_suite_refuse(suite, -EINVAL,
						  "an algorithm has no such digest_length there");
		ret = accel_session_check_digest(alg, hw, part->key_len, part->digest_len,
						 &suite->why);
		if (ret != 0)
			return ret;
		suite->digest_len = (uint16_t)part->digest_len;
	}
	if (!takes(&row->iv, part->iv_len))
		return accel_suite_refuse(suite, -EINVAL,
					  "an algorithm has no such iv.length there");
	return 0;
}

static int
check_part(const struct accel_dev *dev, struct accel_suite *suite, const struct part *part)
{
	const struct accel_suite_alg *row = find(suite, part->class, part->rte);
	const struct accel_alg *alg = accel_alg_find(part->class, part->rte);
	int ret;

	if (!part->forward)
		return accel_suite_refuse(suite, -EINVAL,
					  "the op of a transform is not that of the direction");
	if (row == NULL || alg == NULL ||
	    !accel_dt_protocol_has(suite->card, part->class, alg->hw) ||
	    dev->dt.alg[alg->hw].class != part->class)
		return accel_suite_refuse(suite, -ENOTSUP, "an algorithm is not offered for it");
	*part->hw = alg->hw;
	if (alg->any_size)
		return 0;
	ret = check_sizes(suite, part, row, alg, &dev->dt.alg[alg->hw]);
	if (ret != 0)
		return ret;
	*part->hw_key_len = (uint16_t)part->key_len;
	if (row->iv_len != 0) {
		suite->iv_len = row->iv_len;
		suite->salt_len = row->salt_len;
		suite->iv_offset = part->iv_offset;
	}
	return 0;
}

/* The part of a transform. A session that sends has the first operation, others the second. */
#define PART(class_, x, send, receive, ...)                                                        \
	(&(const struct part){                                                                     \
		.class = ACCEL_ALG_##class_, .rte = (int)(x)->algo,                                \
		.forward = (x)->op == (suite->encrypt ? RTE_CRYPTO_##class_##_OP_##send :          \
							RTE_CRYPTO_##class_##_OP_##receive),       \
		.key = (x)->key.data, .key_len = (x)->key.length, .iv_len = (x)->iv.length,        \
		.iv_offset = (x)->iv.offset, __VA_ARGS__                                           \
	})

int
accel_suite_check(const struct accel_dev *dev, struct accel_suite *suite)
{
	int ret = 0;

	if (suite->aead != NULL)
		ret = check_part(dev, suite, PART(AEAD, suite->aead, ENCRYPT, DECRYPT,
						  .digest_len = suite->aead->digest_length,
						  .hw = &suite->cipher_hw,
						  .hw_key_len = &suite->cipher_key_len));
	if (ret == 0 && suite->cipher != NULL)
		ret = check_part(dev, suite, PART(CIPHER, suite->cipher, ENCRYPT, DECRYPT,
						  .hw = &suite->cipher_hw,
						  .hw_key_len = &suite->cipher_key_len));
	if (ret == 0 && suite->auth != NULL)
		ret = check_part(dev, suite, PART(AUTH, suite->auth, GENERATE, VERIFY,
						  .digest_len = suite->auth->digest_length,
						  .hw = &suite->auth_hw,
						  .hw_key_len = &suite->auth_key_len));
	return ret;
}

/*
 * Writers.
 */

static void
write_context(const struct accel_suite *suite, struct accel_hw_context *ctx)
{
	ctx->kind = (uint8_t)suite->kind;
	ctx->flags = suite->encrypt ? ACCEL_HW_CTX_ENCRYPT : 0;
	ctx->cipher_alg = rte_cpu_to_le_16(suite->cipher_hw);
	ctx->auth_alg = rte_cpu_to_le_16(suite->auth_hw);
	ctx->cipher_key_len = rte_cpu_to_le_16(suite->cipher_key_len);
	ctx->auth_key_len = rte_cpu_to_le_16(suite->auth_key_len);
	ctx->iv_len = suite->iv_len;
	ctx->digest_len = rte_cpu_to_le_16(suite->digest_len);
	if (suite->cipher_key_len != 0)
		memcpy(ctx->cipher_key,
		       suite->aead != NULL ? suite->aead->key.data : suite->cipher->key.data,
		       suite->cipher_key_len);
	if (suite->auth_key_len != 0)
		memcpy(ctx->auth_key, suite->auth->key.data, suite->auth_key_len);
}

void
accel_suite_write(const struct accel_suite *suite, struct accel_session *sess)
{
	const bool digest = suite->aead != NULL || suite->auth_hw != 0;

	write_context(suite, &sess->context);
	sess->kind = (uint8_t)suite->kind;
	sess->verify = digest && !suite->encrypt;
	sess->generate = digest && suite->encrypt;
	sess->digest_len = suite->digest_len;
	sess->rules = suite->card->overlap ? ACCEL_SESSION_OVERLAP : 0;
	if (suite->op_iv_len != 0) {
		sess->iv_len = suite->op_iv_len;
		sess->iv_offset = suite->iv_offset;
	}
}

int
accel_suite_update(struct accel_suite *suite, struct accel_session *wanted,
		   struct accel_session *sess, size_t size)
{
	const size_t fixed = offsetof(struct accel_session, context.kind);
	const uint8_t rules = wanted->rules;
	const bool same = memcmp((const uint8_t *)wanted + fixed, (const uint8_t *)sess + fixed,
				 size - fixed) == 0 &&
			  wanted->iv_len == sess->iv_len && wanted->iv_offset == sess->iv_offset &&
			  ((rules ^ sess->rules) & ~ACCEL_SESSION_OVERLAP) == 0;

	accel_memzero_explicit(wanted, size);
	if (!same)
		return accel_suite_refuse(suite, -ENOTSUP, "an update changes sequence number and "
					  "replay window only");
	sess->rules = rules;
	return 0;
}

/*
 * Capabilities.
 */

bool
accel_suite_capability(const struct accel_devtree *dt, const struct accel_dt_protocol *card,
		       const struct accel_suite_alg *row, struct rte_cryptodev_capabilities *cap)
{
	struct accel_alg alg = *accel_alg_find(row->class, row->rte);
	struct accel_hw_alg_info info = *alg.info;

	if (!accel_dt_protocol_has(card, row->class, alg.hw))
		return false;
	if (row->key.max != 0)
		info.key = row->key;
	if (row->digest.max != 0)
		info.digest = row->digest;
	alg.info = &info;
	if (accel_capability_get(&alg, dt, cap))
		return true;
	memset(cap, 0, sizeof(*cap));
	return false;
}
