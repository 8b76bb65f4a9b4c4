/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The plan of a session. See accel_plan.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_capabilities.h"
#include "accel_compat.h"
#include "accel_logs.h"
#include "accel_plan.h"

/* The functions below log refusals. */

void
accel_log_refusal(struct accel_dev *dev, enum accel_refused which, const char *why,
		  const char *fields)
{
	static const char *const names[ACCEL_REFUSED_NB] = {
		[ACCEL_REFUSED_SYM] = "session",
		[ACCEL_REFUSED_ASYM] = "asymmetric session",
		[ACCEL_REFUSED_IPSEC] = "IPsec session",
		[ACCEL_REFUSED_TLS] = "TLS session",
		[ACCEL_REFUSED_PDCP] = "security session",
		[ACCEL_REFUSED_SECURITY] = "security session",
	};

	ACCEL_LOG_LIMITED(&dev->refused_log[which], NOTICE,
			  "%s: %s refused, %s: %s; see the capabilities", dev->name, names[which],
			  why, fields);
}

/* Writes the fields of a transform as text. Returns what snprintf() returns. */
static int
describe_xform(const struct rte_crypto_sym_xform *x, char *text, size_t size)
{
	switch (x->type) {
	case RTE_CRYPTO_SYM_XFORM_CIPHER:
		return snprintf(text, size, "cipher %d key %u IV %u data unit %u", x->cipher.algo,
				x->cipher.key.length, x->cipher.iv.length, x->cipher.dataunit_len);
	case RTE_CRYPTO_SYM_XFORM_AUTH:
		return snprintf(text, size, "auth %d key %u IV %u digest %u", x->auth.algo,
				x->auth.key.length, x->auth.iv.length, x->auth.digest_length);
	case RTE_CRYPTO_SYM_XFORM_AEAD:
		return snprintf(text, size, "AEAD %d key %u IV %u digest %u AAD %u", x->aead.algo,
				x->aead.key.length, x->aead.iv.length, x->aead.digest_length,
				x->aead.aad_length);
	default:
		return snprintf(text, size, "transform %d", x->type);
	}
}

void
accel_plan_log(struct accel_dev *dev, enum accel_refused which, const struct accel_plan *plan,
	       const char *fields)
{
	const struct rte_crypto_sym_xform *x = plan->first;
	char text[224];
	size_t at = (size_t)snprintf(text, sizeof(text), "%s", fields);
	unsigned int i;

	for (i = 0; x != NULL && i < 3 && at < sizeof(text); i++, x = x->next) {
		if (i != 0)
			at += (size_t)snprintf(text + at, sizeof(text) - at, ", then ");
		if (at < sizeof(text))
			at += (size_t)describe_xform(x, text + at, sizeof(text) - at);
	}
	accel_log_refusal(dev, which, plan->why, text);
}

int
accel_plan_obey(struct accel_plan *plan, const struct accel_plan_rule *rules, unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb; i++) {
		if (rules[i].broken)
			return accel_plan_refuse(plan, rules[i].error, rules[i].why);
	}
	return 0;
}

/* The functions below read transforms. */

int
accel_plan_read(struct accel_plan *plan, const struct rte_crypto_sym_xform *xform)
{
	const int twice = accel_is_protocol(plan->kind) ? -EINVAL : -ENOTSUP;
	const struct rte_crypto_sym_xform *x;

	plan->first = xform;
	if (xform == NULL)
		return accel_plan_refuse(plan, -EINVAL, "there is no transform");
	for (x = xform; x != NULL; x = x->next) {
		if (x->type == RTE_CRYPTO_SYM_XFORM_CIPHER && plan->cipher == NULL)
			plan->cipher = &x->cipher;
		else if (x->type == RTE_CRYPTO_SYM_XFORM_AUTH && plan->auth == NULL)
			plan->auth = &x->auth;
		else if (x->type == RTE_CRYPTO_SYM_XFORM_AEAD && plan->aead == NULL)
			plan->aead = &x->aead;
		else if (x->type < RTE_CRYPTO_SYM_XFORM_AUTH || x->type > RTE_CRYPTO_SYM_XFORM_AEAD)
			return accel_plan_refuse(plan, -EINVAL,
						 "the type of a transform is unknown");
		else
			return accel_plan_refuse(plan, twice, "two transforms are of one type");
	}
	return 0;
}

/* Holds what the transforms of all classes have. */
struct part {
	enum accel_alg_class class;
	int rte;
	bool forward; /* the transform encrypts or generates */
	bool backward; /* the transform decrypts or verifies */
	const uint8_t *key;
	unsigned int key_len;
	unsigned int digest_len;
	unsigned int aad_len;
	unsigned int iv_len;
	uint16_t iv_offset;
};

#define PART(class_, x, forward_, backward_, ...)                                                  \
	((struct part){                                                                            \
		.class = ACCEL_ALG_##class_, .rte = (int)(x)->algo,                                \
		.forward = (x)->op == RTE_CRYPTO_##class_##_OP_##forward_,                         \
		.backward = (x)->op == RTE_CRYPTO_##class_##_OP_##backward_,                       \
		.key = (x)->key.data, .key_len = (x)->key.length, .iv_len = (x)->iv.length,        \
		.iv_offset = (x)->iv.offset, __VA_ARGS__                                           \
	})

/* Gets the transform of a class. Returns false if there is none. */
static bool
get_part(const struct accel_plan *plan, enum accel_alg_class class, struct part *part)
{
	if (class == ACCEL_ALG_CIPHER && plan->cipher != NULL)
		*part = PART(CIPHER, plan->cipher, ENCRYPT, DECRYPT, .digest_len = 0);
	else if (class == ACCEL_ALG_AUTH && plan->auth != NULL)
		*part = PART(AUTH, plan->auth, GENERATE, VERIFY,
			     .digest_len = plan->auth->digest_length);
	else if (class == ACCEL_ALG_AEAD && plan->aead != NULL)
		*part = PART(AEAD, plan->aead, ENCRYPT, DECRYPT,
			     .digest_len = plan->aead->digest_length,
			     .aad_len = plan->aead->aad_length);
	else
		return false;
	return true;
}

static void
take_number(struct accel_plan *plan, enum accel_alg_class class, uint16_t hw)
{
	if (class == ACCEL_ALG_AUTH)
		plan->auth_hw = hw;
	else
		plan->cipher_hw = hw;
}

/* Writes the sizes of key and digest, which were checked, to the plan. */
static void
take_sizes(struct accel_plan *plan, const struct part *part)
{
	if (part->class == ACCEL_ALG_AUTH)
		plan->auth_key_len = (uint16_t)part->key_len;
	else
		plan->cipher_key_len = (uint16_t)part->key_len;
	if (part->class != ACCEL_ALG_CIPHER)
		plan->digest_len = (uint16_t)part->digest_len;
}

/*
 * The functions below check sizes. A size that the algorithm does not have is the caller's mistake
 * (-EINVAL). A size that only the card lacks is not supported (-ENOTSUP).
 */

static int
check_key_and_digest(struct accel_plan *plan, const struct accel_alg *alg,
		     const struct accel_dt_alg *hw, const struct part *part)
{
	const struct accel_hw_alg_info *info = alg->info;
	const unsigned int key = part->key_len, digest = part->digest_len;
	const bool has = part->class != ACCEL_ALG_CIPHER;
	const bool paired = info->digest_not == 0 ||
			    (digest != info->digest_not &&
			     (digest == info->digest.min || key == info->key.max));
	const struct accel_plan_rule rules[] = {
		{ part->key == NULL && key != 0, -EINVAL, "key.data is NULL" },
		{ !accel_range_has(&info->key, key), -EINVAL,
		  "the algorithm has no such key.length" },
		{ !accel_range_has(&hw->key, key), -ENOTSUP,
		  "the device does not offer this key.length" },
		{ has && !paired, -EINVAL, "this key.length has no such digest_length" },
		{ has && !accel_range_has(&info->digest, digest), -EINVAL,
		  "the algorithm has no such digest_length" },
		{ has && !accel_hw_has_digest(hw, digest), -ENOTSUP,
		  "the device does not offer this digest_length" },
	};

	return accel_plan_obey(plan, rules, RTE_DIM(rules));
}

/* Checks the sizes of AAD and IV, and that the card takes the IV together with the key. */
static int
check_aad_and_iv(struct accel_plan *plan, const struct accel_alg *alg,
		 const struct accel_dt_alg *hw, const struct part *part)
{
	const struct accel_hw_alg_info *info = alg->info;
	const unsigned int key = part->key_len, iv = part->iv_len;
	const unsigned int hw_iv = accel_hw_iv_len(alg, iv);
	const bool aead = part->class == ACCEL_ALG_AEAD;
	const bool has = accel_range_has(accel_alg_iv(alg), iv);
	const struct accel_plan_rule rules[] = {
		{ aead && !accel_range_has(&info->aad, part->aad_len), -EINVAL,
		  "the algorithm has no such aad_length" },
		{ aead && !accel_range_has(&hw->aad, part->aad_len), -ENOTSUP,
		  "the device does not offer this aad_length" },
		{ info->j0 && !has, -ENOTSUP, "no card has this iv.length of the algorithm" },
		{ info->key_iv[0].key != 0 && (key == info->key.min) != (iv == info->iv.min),
		  -EINVAL, "this key.length does not go with this iv.length" },
		{ !has && !accel_iv_lacks_counter(alg, iv), -EINVAL,
		  "the algorithm has no such iv.length" },
		{ !accel_range_has(&hw->iv, hw_iv), -ENOTSUP,
		  "the device does not offer this iv.length" },
		{ !accel_hw_has_key_iv(hw, key, hw_iv), -ENOTSUP,
		  "the device does not take this key.length with this iv.length" },
	};

	return accel_plan_obey(plan, rules, RTE_DIM(rules));
}

/* The functions below check transforms of plain operations. */

/*
 * True if the halves of an XTS key are equal, which they must not be (manual 8.2). Compares them in
 * constant time.
 */
static bool
halves_equal(const uint8_t *key, unsigned int len)
{
	uint8_t differ = 0;
	unsigned int i;

	for (i = 0; i < len / 2; i++)
		differ |= key[i] ^ key[len / 2 + i];
	return differ == 0;
}

/* Checks what only XTS has. Other ciphers have no data units, so they ignore dataunit_len. */
static int
check_xts(const struct accel_dev *dev, struct accel_plan *plan, const struct accel_alg *alg)
{
	const struct rte_crypto_cipher_xform *x = plan->cipher;

	if (!alg->info->two_keys)
		return 0;
	if (x->dataunit_len != 0 &&
	    ((dev->active_flags & RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS) == 0 ||
	     !accel_data_unit_has(accel_data_unit_set(&dev->dt, alg), x->dataunit_len)))
		return accel_plan_refuse(plan, -ENOTSUP,
					 "the device does not offer this dataunit_len");
	plan->data_unit_len = x->dataunit_len;
	if (halves_equal(x->key.data, x->key.length))
		return accel_plan_refuse(plan, -EINVAL, "the halves of key.data are equal");
	return 0;
}

/* Writes the direction to the plan, and whether regions are in bits. */
static void
take_rules(struct accel_plan *plan, const struct accel_alg *alg, const struct accel_dt_alg *hw,
	   const struct part *part)
{
	const bool bits = alg->info->bits || alg->api_bits;

	if (part->class == ACCEL_ALG_AUTH) {
		plan->plain.auth_bits = bits;
	} else {
		plan->plain.cipher_bits = bits;
		plan->encrypt = part->forward;
	}
	plan->plain.bytes_only |= bits && !hw->bits;
	if (part->class != ACCEL_ALG_CIPHER && !alg->any_size)
		plan->plain.verify = part->backward;
}

static void
take_iv(struct accel_plan *plan, const struct accel_alg *alg, const struct part *part)
{
	const uint16_t len = (uint16_t)accel_hw_iv_len(alg, part->iv_len);

	if (part->class == ACCEL_ALG_AUTH) {
		plan->auth_iv_len = len;
		return;
	}
	plan->iv_len = len;
	plan->plain.nonce = accel_iv_lacks_counter(alg, part->iv_len);
	plan->plain.ccm = alg->info->counted;
}

static int
check_plain(const struct accel_dev *dev, struct accel_plan *plan, struct part *part)
{
	const struct accel_alg *alg = accel_alg_find(part->class, part->rte);
	const struct accel_dt_alg *hw;
	int ret;

	if (!part->forward && !part->backward)
		return accel_plan_refuse(plan, -EINVAL, part->class == ACCEL_ALG_AUTH ?
					 "op neither verifies nor generates" :
					 "op neither encrypts nor decrypts");
	if (alg == NULL)
		return accel_plan_refuse(plan, -ENOTSUP, "the driver does not know the algorithm");
	hw = &dev->dt.alg[alg->hw];
	if (hw->class != part->class)
		return accel_plan_refuse(plan, -ENOTSUP, "the device does not offer the algorithm");
	take_number(plan, part->class, alg->hw);
	take_rules(plan, alg, hw, part);
	if (alg->any_size)
		return 0;
	/* Authentication without an IV ignores iv.length (rte_crypto_auth_xform). */
	if (part->class == ACCEL_ALG_AUTH && alg->info->iv.max == 0)
		part->iv_len = 0;
	ret = check_key_and_digest(plan, alg, hw, part);
	if (ret == 0)
		ret = check_aad_and_iv(plan, alg, hw, part);
	if (ret == 0)
		ret = check_xts(dev, plan, alg);
	if (ret != 0)
		return ret;
	take_sizes(plan, part);
	take_iv(plan, alg, part);
	plan->aad_len |= (uint16_t)part->aad_len;
	if (plan->plain.ccm && part->iv_offset > UINT16_MAX - ACCEL_CCM_NONCE_OFFSET)
		return accel_plan_refuse(plan, -EINVAL, "iv.offset is too high");
	return 0;
}

/* The functions below check transforms of protocols. */

static const struct accel_plan_alg *
find_row(const struct accel_plan *plan, const struct part *part)
{
	unsigned int i;

	for (i = 0; i < plan->table->nb; i++) {
		const struct accel_plan_alg *row = &plan->table->rows[i];

		if (row->class == part->class && row->rte == part->rte &&
		    (row->offered & plan->offered) == plan->offered)
			return row;
	}
	return NULL;
}

/* True if a size is in the range of a protocol, or if the protocol has no rule (max is 0). */
static bool
takes(const struct accel_hw_range *range, unsigned int size)
{
	return range->max == 0 || accel_range_has(range, size);
}

/* Checks the sizes of key, digest and IV of an algorithm that has them. */
static int
check_row_sizes(const struct accel_dev *dev, struct accel_plan *plan, const struct part *part,
		const struct accel_plan_alg *row, const struct accel_alg *alg)
{
	const struct accel_plan_rule rules[] = {
		{ !takes(&row->key, part->key_len) || (part->key == NULL && part->key_len != 0),
		  -EINVAL, "an algorithm has no such key.length there, or key.data is NULL" },
		{ part->class != ACCEL_ALG_CIPHER && !takes(&row->digest, part->digest_len),
		  -EINVAL, "an algorithm has no such digest_length there" },
		{ !takes(&row->iv, part->iv_len), -EINVAL,
		  "an algorithm has no such iv.length there" },
	};
	const int ret = accel_plan_obey(plan, rules, RTE_DIM(rules));

	if (ret != 0 || plan->table->sizes_fixed)
		return ret;
	return check_key_and_digest(plan, alg, &dev->dt.alg[alg->hw], part);
}

static int
check_row(const struct accel_dev *dev, struct accel_plan *plan, const struct part *part)
{
	const struct accel_plan_alg *row = find_row(plan, part);
	const struct accel_alg *alg = accel_alg_find(part->class, part->rte);
	int ret;

	if (plan->encrypt ? !part->forward : !part->backward)
		return accel_plan_refuse(plan, -EINVAL,
					 "the op of a transform is not that of the direction");
	if (row == NULL || alg == NULL ||
	    !accel_dt_protocol_has(plan->card, part->class, alg->hw) ||
	    (!plan->table->sizes_fixed && dev->dt.alg[alg->hw].class != part->class))
		return accel_plan_refuse(plan, -ENOTSUP, "an algorithm is not offered for it");
	take_number(plan, part->class, alg->hw);
	if (alg->any_size)
		return 0;
	ret = check_row_sizes(dev, plan, part, row, alg);
	if (ret != 0)
		return ret;
	take_sizes(plan, part);
	if (row->iv_len != 0) {
		plan->iv_len = row->iv_len;
		plan->salt_len = row->salt_len;
		plan->iv_offset = part->iv_offset;
	}
	return 0;
}

int
accel_plan_check(const struct accel_dev *dev, struct accel_plan *plan)
{
	enum accel_alg_class class;
	struct part part;
	int ret = 0;

	for (class = ACCEL_ALG_CIPHER; ret == 0 && class <= ACCEL_ALG_AEAD; class++) {
		if (get_part(plan, class, &part))
			ret = plan->table != NULL ? check_row(dev, plan, &part) :
						    check_plain(dev, plan, &part);
	}
	return ret;
}

int
accel_plan_take_null(struct accel_plan *plan, enum accel_alg_class class)
{
	const uint16_t hw = class == ACCEL_ALG_AUTH ? ACCEL_HW_AUTH_NULL : ACCEL_HW_CIPHER_NULL;

	take_number(plan, class, hw);
	if (accel_dt_protocol_has(plan->card, class, hw))
		return 0;
	return accel_plan_refuse(plan, -ENOTSUP, class == ACCEL_ALG_AUTH ?
				 "the device does not offer it without authentication" :
				 "the device does not offer it without a cipher");
}

/* The functions below write the context and the session. */

void
accel_plan_write_context(const struct accel_plan *plan, struct accel_hw_context *ctx)
{
	ctx->kind = (uint8_t)plan->kind;
	ctx->flags |= plan->encrypt ? ACCEL_HW_CTX_ENCRYPT : 0;
	ctx->cipher_alg = rte_cpu_to_le_16(plan->cipher_hw);
	ctx->auth_alg = rte_cpu_to_le_16(plan->auth_hw);
	ctx->cipher_key_len = rte_cpu_to_le_16(plan->cipher_key_len);
	ctx->auth_key_len = rte_cpu_to_le_16(plan->auth_key_len);
	ctx->iv_len = (uint8_t)plan->iv_len;
	ctx->auth_iv_len = (uint8_t)plan->auth_iv_len;
	ctx->digest_len = rte_cpu_to_le_16(plan->digest_len);
	ctx->data_unit_len = rte_cpu_to_le_32(plan->data_unit_len);
	if (plan->cipher_key_len != 0)
		memcpy(ctx->cipher_key,
		       plan->aead != NULL ? plan->aead->key.data : plan->cipher->key.data,
		       plan->cipher_key_len);
	if (plan->auth_key_len != 0)
		memcpy(ctx->auth_key, plan->auth->key.data, plan->auth_key_len);
}

void
accel_plan_write(const struct accel_plan *plan, struct accel_session *sess)
{
	const bool digest = plan->aead != NULL || plan->auth_hw != 0;

	accel_plan_write_context(plan, &sess->context);
	sess->kind = (uint8_t)plan->kind;
	sess->verify = digest && !plan->encrypt;
	sess->generate = digest && plan->encrypt;
	sess->digest_len = plan->digest_len;
	sess->rules = plan->card->overlap ? ACCEL_SESSION_OVERLAP : 0;
	if (plan->op_iv_len != 0) {
		sess->iv_len = plan->op_iv_len;
		sess->iv_offset = plan->iv_offset;
	}
}

int
accel_plan_update(struct accel_plan *plan, struct accel_session *wanted,
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
		return accel_plan_refuse(plan, -ENOTSUP, "an update changes sequence number and "
					 "replay window only");
	sess->rules = rules;
	return 0;
}

/* The functions below make capabilities. */

static void
show(struct rte_crypto_param_range *to, const struct accel_hw_range *from)
{
	if (from->max != 0)
		*to = (struct rte_crypto_param_range){ from->min, from->max, from->step };
}

/* Gets the sizes of an algorithm in a protocol. Returns false if the card has none of them. */
static bool
sizes_of(const struct accel_devtree *dt, const struct accel_plan_table *table,
	 const struct accel_plan_alg *row, const struct accel_alg *alg,
	 struct accel_cap_sizes *sizes)
{
	const struct accel_plan_shown *shown = &table->shown[row->class];
	struct accel_hw_alg_info info = *alg->info;
	struct accel_alg inside = *alg;

	memset(sizes, 0, sizeof(*sizes));
	inside.info = &info;
	if (row->key.max != 0)
		info.key = row->key;
	if (row->digest.max != 0)
		info.digest = row->digest;
	if (table->sizes_fixed)
		show(&sizes->key, &row->key);
	else if (!accel_cap_sizes_get(&inside, dt, sizes))
		return false;
	show(&sizes->iv, &row->iv);
	show(&sizes->iv, &shown->iv);
	show(&sizes->digest, &shown->digest);
	show(&sizes->aad, &shown->aad);
	return true;
}

unsigned int
accel_plan_capabilities(const struct accel_devtree *dt, const struct accel_dt_protocol *card,
			const struct accel_plan_table *table, uint8_t offered,
			struct rte_cryptodev_capabilities *caps)
{
	struct accel_cap_sizes sizes;
	unsigned int i, n = 0;

	for (i = 0; i < table->nb; i++) {
		const struct accel_plan_alg *row = &table->rows[i];
		const struct accel_alg *alg = accel_alg_find(row->class, row->rte);

		if ((row->offered & offered) == offered &&
		    accel_dt_protocol_has(card, row->class, alg->hw) &&
		    sizes_of(dt, table, row, alg, &sizes))
			accel_capability_write(alg, &sizes, &caps[n++]);
	}
	return n;
}
