/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Symmetric sessions: from a chain of rte_cryptodev transforms to a context (manual section 8) and
 * a command template. All checks come before any key is copied.
 */

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_crypto_sym.h>
#include <rte_cryptodev.h>
#include <rte_errno.h>
#include <rte_io.h>
#include <rte_memzone.h>

#include "accel_capabilities.h"
#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_logs.h"
#include "accel_session.h"

/* A session that a chain of transforms describes. A part that it does not have is NULL. */
struct session_plan {
	enum accel_hw_kind kind;
	const struct rte_crypto_cipher_xform *cipher;
	const struct rte_crypto_auth_xform *auth;
	const struct rte_crypto_aead_xform *aead;
	uint16_t cipher_hw; /* cipher or AEAD number */
	uint16_t auth_hw;
	bool encrypt;
	bool verify; /* the digest is input */
	bool cipher_bits; /* offset and length of an operation are in bits */
	bool auth_bits;
	bool bytes_only; /* the card does not take bits for one of the two */
	bool ccm; /* the nonce begins at byte 1 of the IV, the AAD at byte 18 of its field */
	bool nonce; /* the IV of an operation lacks the counter */
	/* Sizes that the card gets; those of the NULL algorithms are 0. */
	uint16_t cipher_key_len;
	uint16_t auth_key_len;
	uint16_t iv_len;
	uint16_t auth_iv_len;
	bool iv_in_stream; /* the IVs do not fit into a command (manual 8.1) */
	uint16_t digest_len;
	uint16_t aad_len;
	uint32_t data_unit_len;
	const char *why; /* text for a refusal, which names the field */
};

/* Notes why a session is refused. Returns the error. */
static int
refuse(const char **why, int error, const char *text)
{
	*why = text;
	return error;
}

/* Reads the transforms, whose order is the order of processing (manual 7.2). */
static int
plan_chain(const struct rte_crypto_sym_xform *first, struct session_plan *plan)
{
	const struct rte_crypto_sym_xform *second = first->next;
	const struct rte_crypto_sym_xform *x;

	for (x = first; x != NULL && (x == first || x == second); x = x->next) {
		if (x->type == RTE_CRYPTO_SYM_XFORM_CIPHER && plan->cipher == NULL)
			plan->cipher = &x->cipher;
		else if (x->type == RTE_CRYPTO_SYM_XFORM_AUTH && plan->auth == NULL)
			plan->auth = &x->auth;
		else if (x->type == RTE_CRYPTO_SYM_XFORM_AEAD && plan->aead == NULL)
			plan->aead = &x->aead;
		else if (x->type < RTE_CRYPTO_SYM_XFORM_AUTH || x->type > RTE_CRYPTO_SYM_XFORM_AEAD)
			return refuse(&plan->why, -EINVAL, "the type of a transform is unknown");
		else
			return refuse(&plan->why, -ENOTSUP, "two transforms are of one type");
	}
	if (x != NULL)
		return refuse(&plan->why, -ENOTSUP, "there are more than two transforms");
	if (plan->aead != NULL && second != NULL)
		return refuse(&plan->why, -ENOTSUP, "an AEAD is not chained");

	if (plan->aead != NULL)
		plan->kind = ACCEL_HW_KIND_AEAD;
	else if (plan->auth == NULL)
		plan->kind = ACCEL_HW_KIND_CIPHER;
	else if (plan->cipher == NULL)
		plan->kind = ACCEL_HW_KIND_AUTH;
	else if (first->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		plan->kind = ACCEL_HW_KIND_CIPHER_THEN_AUTH;
	else
		plan->kind = ACCEL_HW_KIND_AUTH_THEN_CIPHER;
	return 0;
}

/*
 * Checks a size. One that the algorithm does not have is the caller's mistake; one that only the
 * card lacks is not supported.
 */
static int
check_aad(const struct accel_alg *alg, const struct accel_dt_alg *hw, unsigned int size,
	  const char **why)
{
	if (!accel_range_has(&alg->info->aad, size))
		return refuse(why, -EINVAL, "the algorithm has no such aad_length");
	if (!accel_range_has(&hw->aad, size))
		return refuse(why, -ENOTSUP, "the device does not offer this aad_length");
	return 0;
}

static int
check_iv(const struct accel_alg *alg, const struct accel_dt_alg *hw, unsigned int key,
	 unsigned int iv, const char **why)
{
	const struct accel_hw_alg_info *info = alg->info;
	const bool has = accel_range_has(accel_alg_iv(alg), iv);

	if (info->j0 && !has)
		return refuse(why, -ENOTSUP, "no card has this iv.length of the algorithm");
	if (info->key_iv[0].key != 0 && (key == info->key.min) != (iv == info->iv.min))
		return refuse(why, -EINVAL, "this key.length does not go with this iv.length");
	if (!has && !accel_iv_lacks_counter(alg, iv))
		return refuse(why, -EINVAL, "the algorithm has no such iv.length");
	if (!accel_range_has(&hw->iv, accel_hw_iv_len(alg, iv)))
		return refuse(why, -ENOTSUP, "the device does not offer this iv.length");
	return 0;
}

/* Checks key and IV together, after each by itself. */
static int
check_key_iv(const struct accel_alg *alg, const struct accel_dt_alg *hw, unsigned int key,
	     unsigned int iv, const char **why)
{
	if (accel_hw_has_key_iv(hw, key, accel_hw_iv_len(alg, iv)))
		return 0;
	return refuse(why, -ENOTSUP,
		      "the device does not take this key.length with this iv.length");
}

int
accel_session_check_digest(const struct accel_alg *alg, const struct accel_dt_alg *hw,
			   unsigned int key, unsigned int digest, const char **why)
{
	const struct accel_hw_alg_info *info = alg->info;

	if (info->digest_not != 0 && (digest == info->digest_not ||
				      (digest != info->digest.min && key != info->key.max)))
		return refuse(why, -EINVAL, "this key.length has no such digest_length");
	if (!accel_range_has(&info->digest, digest))
		return refuse(why, -EINVAL, "the algorithm has no such digest_length");
	if (accel_hw_has_digest(hw, digest))
		return 0;
	return refuse(why, -ENOTSUP, "the device does not offer this digest_length");
}

int
accel_session_check_key(const struct accel_alg *alg, const struct accel_dt_alg *hw,
			const uint8_t *key, unsigned int len, const char **why)
{
	if (key == NULL && len != 0)
		return refuse(why, -EINVAL, "key.data is NULL");
	if (!accel_range_has(&alg->info->key, len))
		return refuse(why, -EINVAL, "the algorithm has no such key.length");
	if (!accel_range_has(&hw->key, len))
		return refuse(why, -ENOTSUP, "the device does not offer this key.length");
	return 0;
}

/* Finds the driver's row of an algorithm and the card's description of it. */
static int
find_alg(const struct accel_dev *dev, enum accel_alg_class class, int rte,
	 const struct accel_alg **alg, const struct accel_dt_alg **hw, const char **why)
{
	*alg = accel_alg_find(class, rte);
	if (*alg == NULL)
		return refuse(why, -ENOTSUP, "the driver does not know the algorithm");
	*hw = &dev->dt.alg[(*alg)->hw];
	if ((*hw)->class != class)
		return refuse(why, -ENOTSUP, "the device does not offer the algorithm");
	return 0;
}

/* Compares the halves of an XTS key, which must differ (manual 8.2), in constant time. */
static bool
halves_equal(const uint8_t *key, unsigned int len)
{
	uint8_t differ = 0;
	unsigned int i;

	for (i = 0; i < len / 2; i++)
		differ |= key[i] ^ key[len / 2 + i];
	return differ == 0;
}

static int
plan_cipher(const struct accel_dev *dev, struct session_plan *plan)
{
	const struct rte_crypto_cipher_xform *x = plan->cipher;
	const struct accel_alg *alg;
	const struct accel_dt_alg *hw;
	int ret;

	if (x->op != RTE_CRYPTO_CIPHER_OP_ENCRYPT && x->op != RTE_CRYPTO_CIPHER_OP_DECRYPT)
		return refuse(&plan->why, -EINVAL, "op neither encrypts nor decrypts");
	ret = find_alg(dev, ACCEL_ALG_CIPHER, x->algo, &alg, &hw, &plan->why);
	if (ret != 0)
		return ret;
	plan->cipher_bits = alg->info->bits;
	plan->bytes_only |= plan->cipher_bits && !hw->bits;
	plan->cipher_hw = alg->hw;
	plan->encrypt = x->op == RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	if (alg->any_size)
		return 0;

	ret = accel_session_check_key(alg, hw, x->key.data, x->key.length, &plan->why);
	if (ret == 0)
		ret = check_iv(alg, hw, x->key.length, x->iv.length, &plan->why);
	if (ret == 0)
		ret = check_key_iv(alg, hw, x->key.length, x->iv.length, &plan->why);
	if (ret != 0)
		return ret;
	/* Other ciphers have no data units, so the field is ignored. */
	if (alg->info->two_keys && x->dataunit_len != 0) {
		if ((dev->active_flags & RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS) == 0 ||
		    !accel_data_unit_has(accel_data_unit_set(&dev->dt, alg), x->dataunit_len))
			return refuse(&plan->why, -ENOTSUP,
				      "the device does not offer this dataunit_len");
		plan->data_unit_len = x->dataunit_len;
	}
	if (alg->info->two_keys && halves_equal(x->key.data, x->key.length))
		return refuse(&plan->why, -EINVAL, "the halves of key.data are equal");
	plan->cipher_key_len = x->key.length;
	plan->iv_len = accel_hw_iv_len(alg, x->iv.length);
	plan->nonce = accel_iv_lacks_counter(alg, x->iv.length);
	return 0;
}

static int
plan_auth(const struct accel_dev *dev, struct session_plan *plan)
{
	const struct rte_crypto_auth_xform *x = plan->auth;
	const struct accel_alg *alg;
	const struct accel_dt_alg *hw;
	int ret;

	if (x->op != RTE_CRYPTO_AUTH_OP_VERIFY && x->op != RTE_CRYPTO_AUTH_OP_GENERATE)
		return refuse(&plan->why, -EINVAL, "op neither verifies nor generates");
	ret = find_alg(dev, ACCEL_ALG_AUTH, x->algo, &alg, &hw, &plan->why);
	if (ret != 0)
		return ret;
	plan->auth_bits = alg->info->bits;
	plan->bytes_only |= plan->auth_bits && !hw->bits;
	plan->auth_hw = alg->hw;
	/* NULL neither writes nor checks a digest, so its length is ignored. */
	if (alg->any_size)
		return 0;

	ret = accel_session_check_key(alg, hw, x->key.data, x->key.length, &plan->why);
	if (ret == 0)
		ret = accel_session_check_digest(alg, hw, x->key.length, x->digest_length,
						 &plan->why);
	if (ret != 0)
		return ret;
	/* Algorithms without IV ignore this field (rte_crypto_auth_xform). */
	if (alg->info->iv.max != 0) {
		ret = check_iv(alg, hw, x->key.length, x->iv.length, &plan->why);
		if (ret != 0)
			return ret;
		plan->auth_iv_len = accel_hw_iv_len(alg, x->iv.length);
	}
	ret = check_key_iv(alg, hw, x->key.length, alg->info->iv.max != 0 ? x->iv.length : 0,
			   &plan->why);
	if (ret != 0)
		return ret;
	plan->auth_key_len = x->key.length;
	plan->digest_len = x->digest_length;
	plan->verify = x->op == RTE_CRYPTO_AUTH_OP_VERIFY;
	return 0;
}

static int
plan_aead(const struct accel_dev *dev, struct session_plan *plan)
{
	const struct rte_crypto_aead_xform *x = plan->aead;
	const struct accel_alg *alg;
	const struct accel_dt_alg *hw;
	int ret;

	if (x->op != RTE_CRYPTO_AEAD_OP_ENCRYPT && x->op != RTE_CRYPTO_AEAD_OP_DECRYPT)
		return refuse(&plan->why, -EINVAL, "op neither encrypts nor decrypts");
	ret = find_alg(dev, ACCEL_ALG_AEAD, x->algo, &alg, &hw, &plan->why);
	if (ret != 0)
		return ret;

	ret = accel_session_check_key(alg, hw, x->key.data, x->key.length, &plan->why);
	if (ret == 0)
		ret = accel_session_check_digest(alg, hw, x->key.length, x->digest_length,
						 &plan->why);
	if (ret == 0)
		ret = check_aad(alg, hw, x->aad_length, &plan->why);
	if (ret == 0)
		ret = check_iv(alg, hw, x->key.length, x->iv.length, &plan->why);
	if (ret == 0)
		ret = check_key_iv(alg, hw, x->key.length, x->iv.length, &plan->why);
	if (ret != 0)
		return ret;
	plan->ccm = alg->info->counted;
	if (plan->ccm && x->iv.offset > UINT16_MAX - ACCEL_CCM_NONCE_OFFSET)
		return refuse(&plan->why, -EINVAL, "iv.offset is too high");
	plan->cipher_hw = alg->hw;
	plan->encrypt = x->op == RTE_CRYPTO_AEAD_OP_ENCRYPT;
	plan->verify = !plan->encrypt;
	plan->cipher_key_len = x->key.length;
	plan->iv_len = accel_hw_iv_len(alg, x->iv.length);
	plan->digest_len = x->digest_length;
	plan->aad_len = x->aad_length;
	return 0;
}

int
accel_session_check_cipher(const struct accel_dev *dev,
			   const struct rte_crypto_cipher_xform *xform, uint16_t *hw,
			   const char **why)
{
	struct session_plan plan = { .cipher = xform };
	int ret = plan_cipher(dev, &plan);

	*hw = plan.cipher_hw;
	*why = plan.why;
	return ret;
}

/*
 * An IV of more than 16 bytes takes the place of both IVs (manual 8.1). If there is another one,
 * that of authentication is in the stream.
 */
static int
check_ivs(const struct accel_dev *dev, struct session_plan *plan)
{
	plan->iv_in_stream = (plan->iv_len > ACCEL_HW_IV_MAX && plan->auth_iv_len != 0) ||
			     (plan->auth_iv_len > ACCEL_HW_IV_MAX && plan->iv_len != 0);
	if (plan->iv_in_stream && !dev->dt.auth_iv_in_stream)
		return refuse(&plan->why, -ENOTSUP,
			      "the device has no room for the other IV beside this iv.length");
	return 0;
}

static int
check_chain(const struct accel_dev *dev, struct session_plan *plan)
{
	if (plan->cipher == NULL || plan->auth == NULL ||
	    accel_hw_has_chain(&dev->dt, plan->cipher_hw, plan->auth_hw))
		return 0;
	return refuse(&plan->why, -ENOTSUP, "the device does not chain these two algorithms");
}

static int
plan_make(const struct accel_dev *dev, const struct rte_crypto_sym_xform *xform,
	  struct session_plan *plan)
{
	int ret;

	if ((dev->active_flags & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO) == 0)
		return refuse(&plan->why, -ENOTSUP, "symmetric operations are not offered");
	ret = plan_chain(xform, plan);
	if (ret == 0 &&
	    ((plan->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH && !dev->dt.chain_cipher_auth) ||
	     (plan->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER && !dev->dt.chain_auth_cipher)))
		ret = refuse(&plan->why, -ENOTSUP,
			     "the device does not chain in the order of the transforms");
	if (ret == 0 && plan->cipher != NULL)
		ret = plan_cipher(dev, plan);
	if (ret == 0 && plan->auth != NULL)
		ret = plan_auth(dev, plan);
	if (ret == 0 && plan->aead != NULL)
		ret = plan_aead(dev, plan);
	if (ret == 0)
		ret = check_ivs(dev, plan);
	if (ret == 0)
		ret = check_chain(dev, plan);
	return ret;
}

/* Writes the context (manual 8.1). The library has zeroed the private area. */
static void
context_write(const struct session_plan *plan, struct accel_hw_context *ctx)
{
	const uint8_t *key;

	ctx->kind = (uint8_t)plan->kind;
	ctx->flags = plan->encrypt ? ACCEL_HW_CTX_ENCRYPT : 0;
	if (plan->verify && plan->kind != ACCEL_HW_KIND_AEAD)
		ctx->flags |= ACCEL_HW_CTX_VERIFY;
	ctx->cipher_alg = rte_cpu_to_le_16(plan->cipher_hw);
	ctx->auth_alg = rte_cpu_to_le_16(plan->auth_hw);
	ctx->cipher_key_len = rte_cpu_to_le_16(plan->cipher_key_len);
	ctx->auth_key_len = rte_cpu_to_le_16(plan->auth_key_len);
	ctx->iv_len = (uint8_t)plan->iv_len;
	ctx->auth_iv_len = (uint8_t)plan->auth_iv_len;
	ctx->digest_len = rte_cpu_to_le_16(plan->digest_len);
	ctx->data_unit_len = rte_cpu_to_le_32(plan->data_unit_len);
	if (plan->cipher_key_len != 0) {
		key = plan->aead != NULL ? plan->aead->key.data : plan->cipher->key.data;
		memcpy(ctx->cipher_key, key, plan->cipher_key_len);
	}
	if (plan->auth_key_len != 0)
		memcpy(ctx->auth_key, plan->auth->key.data, plan->auth_key_len);
}

/*
 * A digest inside the cipher region is ciphered, too, if it is generated before the cipher works or
 * verified after it ("digest encrypted").
 */
static bool
digest_may_be_ciphered(const struct session_plan *plan)
{
	if (plan->digest_len == 0)
		return false;
	return (plan->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER && !plan->verify) ||
	       (plan->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH && plan->verify);
}

/*
 * Returns the kind of the fast path, to which both orders of a chain are the same; 0 if it does not
 * take this session.
 */
static uint8_t
fast_kind(const struct session_plan *plan)
{
	if (plan->cipher_bits || plan->auth_bits || digest_may_be_ciphered(plan))
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

/* Writes the fields that the data path needs, except for addresses. */
static void
session_write(const struct session_plan *plan, struct accel_session *sess)
{
	sess->kind = (uint8_t)plan->kind;
	sess->cipher_bits = plan->cipher_bits;
	sess->auth_bits = plan->auth_bits;
	sess->odd_bits = (plan->cipher_bits || plan->auth_bits) && !plan->bytes_only;
	sess->owner = accel_session_owner(fast_kind(plan));
	sess->verify = plan->verify;
	sess->generate = plan->digest_len != 0 && !plan->verify;
	sess->iv_len = plan->nonce ? ACCEL_CTR_NONCE : (uint8_t)plan->iv_len;
	/* An IV in the stream travels as AAD does. */
	sess->auth_iv_len = plan->iv_in_stream ? 0 : (uint8_t)plan->auth_iv_len;
	sess->auth_iv_at = plan->auth_iv_len > ACCEL_HW_IV_MAX ?
				   offsetof(struct accel_hw_command, iv) :
				   offsetof(struct accel_hw_command, auth_iv);
	sess->digest_len = plan->digest_len;
	sess->aad_len = plan->iv_in_stream ? plan->auth_iv_len : plan->aad_len;
	if (plan->cipher != NULL)
		sess->iv_offset = plan->cipher->iv.offset;
	if (plan->auth != NULL)
		sess->auth_iv_offset = plan->auth->iv.offset;
	if (plan->aead != NULL)
		sess->iv_offset = plan->aead->iv.offset;
	if (plan->ccm) {
		sess->iv_offset += ACCEL_CCM_NONCE_OFFSET;
		sess->aad_offset = ACCEL_CCM_AAD_OFFSET;
	}
	sess->digest_may_be_ciphered = digest_may_be_ciphered(plan);
}

static void
command_write(const struct session_plan *plan, struct accel_session_command *cmd)
{
	/* Only authentication that verifies, or has no digest, has no output at all. */
	if (plan->kind == ACCEL_HW_KIND_AUTH && (plan->verify || plan->digest_len == 0))
		cmd->flags = ACCEL_HW_CMD_NO_RX;
	/* The counter of the first block is 1, big-endian (RFC 3686, section 4). */
	if (plan->nonce)
		cmd->iv[ACCEL_HW_IV_MAX - 1] = 1;
	cmd->aad_len = rte_cpu_to_le_16(plan->aad_len);
}

/* Logs the transforms in one line. The numbers are those of rte_crypto_sym.h. */
static void
log_refusal(struct accel_dev *dev, const struct rte_crypto_sym_xform *xform, const char *why)
{
	char text[160] = "";
	size_t at = 0;
	unsigned int i;

	for (i = 0; xform != NULL && i < 3 && at < sizeof(text); i++, xform = xform->next) {
		const char *sep = i == 0 ? "" : ", then ";
		int n;

		if (xform->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
			n = snprintf(text + at, sizeof(text) - at,
				     "%scipher %d key %u IV %u data unit %u", sep,
				     xform->cipher.algo, xform->cipher.key.length,
				     xform->cipher.iv.length, xform->cipher.dataunit_len);
		else if (xform->type == RTE_CRYPTO_SYM_XFORM_AUTH)
			n = snprintf(text + at, sizeof(text) - at,
				     "%sauth %d key %u IV %u digest %u", sep,
				     xform->auth.algo, xform->auth.key.length,
				     xform->auth.iv.length, xform->auth.digest_length);
		else if (xform->type == RTE_CRYPTO_SYM_XFORM_AEAD)
			n = snprintf(text + at, sizeof(text) - at,
				     "%sAEAD %d key %u IV %u digest %u AAD %u", sep,
				     xform->aead.algo, xform->aead.key.length,
				     xform->aead.iv.length, xform->aead.digest_length,
				     xform->aead.aad_length);
		else
			n = snprintf(text + at, sizeof(text) - at, "%stransform %d", sep,
				     xform->type);
		at += n > 0 ? (size_t)n : 0;
	}
	ACCEL_LOG_LIMITED(&dev->refused_log[ACCEL_REFUSED_SYM], NOTICE,
			  "%s: session refused, %s: %s; see the capabilities", dev->name, why,
			  text);
}

unsigned int
accel_sym_session_get_size(struct rte_cryptodev *cryptodev __rte_unused)
{
	return sizeof(struct accel_session);
}

#define GENERATIONS "accel_generations"

int
accel_session_share_generations(struct accel_dev *dev)
{
	const struct rte_memzone *mz = rte_memzone_lookup(GENERATIONS);

	if (mz != NULL) {
		dev->generation = mz->addr;
		return 0;
	}
	mz = rte_memzone_reserve(GENERATIONS, sizeof(*dev->generation), SOCKET_ID_ANY, 0);
	if (mz == NULL) {
		ACCEL_LOG(ERR, "%s: no memory for the generations of contexts: %s", dev->name,
			  rte_strerror(rte_errno));
		return -rte_errno;
	}
	dev->generation = mz->addr;
	accel_store_relaxed(dev->generation, 0);
	return 0;
}

uint32_t
accel_session_next_generation(struct accel_dev *dev)
{
	uint32_t generation;

	do
		generation = accel_fetch_add(dev->generation, 1) + 1;
	while (generation == 0);
	return generation;
}

void
accel_session_count(struct accel_dev *dev, const uint8_t *algs, unsigned int nb, bool made)
{
	struct accel_session_count *count = &dev->sessions;
	unsigned int i;

	accel_fetch_add(made ? &count->created : &count->freed, 1);
	for (i = 0; i < nb; i++) {
		if (algs[i] != ACCEL_HW_ALG_NONE)
			accel_fetch_add(&count->alive[algs[i]], made ? 1 : UINT64_MAX);
	}
}

void
accel_session_count_context(struct accel_dev *dev, const struct accel_session *sess, bool made)
{
	static const uint8_t protocols[] = {
		[ACCEL_HW_KIND_DOCSIS] = ACCEL_HW_PROTO_DOCSIS,
		[ACCEL_HW_KIND_PDCP] = ACCEL_HW_PROTO_PDCP,
		[ACCEL_HW_KIND_ESP] = ACCEL_HW_PROTO_ESP,
		[ACCEL_HW_KIND_AH] = ACCEL_HW_PROTO_AH,
		[ACCEL_HW_KIND_TLS12] = ACCEL_HW_PROTO_TLS12,
		[ACCEL_HW_KIND_TLS13] = ACCEL_HW_PROTO_TLS13,
		[ACCEL_HW_KIND_DTLS12] = ACCEL_HW_PROTO_DTLS12,
	};
	const uint8_t algs[] = {
		(uint8_t)rte_le_to_cpu_16(sess->context.cipher_alg),
		(uint8_t)rte_le_to_cpu_16(sess->context.auth_alg),
		sess->kind < RTE_DIM(protocols) ? protocols[sess->kind] : 0,
	};

	accel_session_count(dev, algs, RTE_DIM(algs), made);
}

int
accel_session_name(struct accel_dev *dev, struct accel_session *sess, rte_iova_t iova)
{
	const rte_iova_t context = iova + offsetof(struct accel_session, context);
	uint32_t generation;

	if (context % ACCEL_HW_CTX_ALIGN != 0) {
		ACCEL_LOG_LIMITED(&dev->refused_log[ACCEL_REFUSED_IOVA], ERR,
				  "%s: the IOVA of a session of this mempool is not aligned to %u",
				  dev->name, ACCEL_HW_CTX_ALIGN);
		return -EINVAL;
	}
	/* The doorbell of the first operation orders these writes for the device (manual 6.6). */
	generation = accel_session_next_generation(dev);
	sess->context.generation = rte_cpu_to_le_32(generation);
	sess->context.version = ACCEL_HW_CTX_VERSION;
	sess->command.opcode = ACCEL_HW_OP_SYM;
	sess->command.context = rte_cpu_to_le_64(context);
	sess->command.generation = rte_cpu_to_le_32(generation);
	return 0;
}

int
accel_session_make(struct accel_dev *dev, const struct rte_crypto_sym_xform *xform,
		   struct accel_session *sess, rte_iova_t iova)
{
	struct session_plan plan = { 0 };
	int ret;

	ret = plan_make(dev, xform, &plan);
	if (ret != 0) {
		log_refusal(dev, xform, plan.why);
		return ret;
	}
	ret = accel_session_name(dev, sess, iova);
	if (ret != 0)
		return ret;
	context_write(&plan, &sess->context);
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

/*
 * Any change of the word drops the copies that map to it (manual 8.4). The word can hold the number
 * already, since the counter begins again one day.
 */
void
accel_session_invalidate(struct accel_dev *dev, uint64_t context, uint32_t generation)
{
	volatile uint32_t *word =
		&accel_invalidate_page(dev)[ACCEL_HW_INVALIDATE_INDEX(context)];

	if (rte_le_to_cpu_32(rte_read32(word)) == generation)
		generation = ~generation;
	rte_write32(rte_cpu_to_le_32(generation), word);
	accel_fetch_add(&dev->sessions.invalidations, 1);
}

void
accel_session_rename(struct accel_dev *dev, struct accel_session *sess)
{
	const uint32_t old = rte_le_to_cpu_32(sess->command.generation);
	const uint32_t generation = accel_session_next_generation(dev);

	sess->context.generation = rte_cpu_to_le_32(generation);
	sess->command.generation = rte_cpu_to_le_32(generation);
	accel_session_invalidate(dev, rte_le_to_cpu_64(sess->command.context), old);
}

void
accel_session_wipe(struct accel_dev *dev, struct accel_session *sess)
{
	uint64_t context = rte_le_to_cpu_64(sess->command.context);
	uint32_t generation = rte_le_to_cpu_32(sess->command.generation);

	if (context != 0)
		accel_session_count_context(dev, sess, false);
	accel_memzero_explicit(sess, sizeof(*sess));
	if (context == 0) /* never configured */
		return;
	accel_session_invalidate(dev, context, generation);
}

void
accel_sym_session_clear(struct rte_cryptodev *cryptodev, struct rte_cryptodev_sym_session *session)
{
	accel_session_wipe(cryptodev->data->dev_private, CRYPTODEV_GET_SYM_SESS_PRIV(session));
}
