/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessions of TLS records. See accel_tls.h. As with other sessions, all checks come before any key
 * is copied.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_crypto_sym.h>

#include "accel_capabilities.h"
#include "accel_compat.h"
#include "accel_devtree.h"
#include "accel_ipsec_alg.h"
#include "accel_logs.h"
#include "accel_tls.h"

#if ACCEL_HAS_TLS_RECORD

#define DTLS_NUMBER_MAX ACCEL_HW_DTLS_NUMBER_MAX
#define NONCE ACCEL_HW_TLS_NONCE

/* A session that a configuration describes. */
struct tls_plan {
	const struct rte_security_tls_record_xform *x;
	const struct accel_dt_protocol *card; /* what the card has of this version */
	/* Of these a part that there is not is NULL. */
	const struct rte_crypto_cipher_xform *cipher;
	const struct rte_crypto_auth_xform *auth;
	const struct rte_crypto_aead_xform *aead;
	bool write;
	bool tls13;
	bool dtls;
	/* Numbers and sizes that the card gets; 0: none. */
	uint16_t cipher_hw; /* cipher or AEAD */
	uint16_t auth_hw;
	uint16_t cipher_key_len;
	uint16_t auth_key_len;
	uint16_t digest_len;
	uint8_t iv_len; /* explicit */
	uint8_t block; /* to which CBC pads, else 0 */
	uint16_t iv_offset;
	const char *why; /* text for a refusal */
};

/* Notes why a session is refused. */
static int
refuse(struct tls_plan *plan, int error, const char *why)
{
	plan->why = why;
	return error;
}

static const struct accel_dt_protocol *
card_of(const struct accel_devtree *dt, enum rte_security_tls_version version)
{
	return version == RTE_SECURITY_VERSION_TLS_1_2 ? &dt->tls12 :
	       version == RTE_SECURITY_VERSION_TLS_1_3 ? &dt->tls13 : &dt->dtls12;
}

/*
 * Checks.
 */

/* Reads the transforms. Their order has no meaning, since the protocol defines it. */
static int
plan_xforms(const struct rte_crypto_sym_xform *xform, struct tls_plan *plan)
{
	for (; xform != NULL; xform = xform->next) {
		if (xform->type == RTE_CRYPTO_SYM_XFORM_CIPHER && plan->cipher == NULL)
			plan->cipher = &xform->cipher;
		else if (xform->type == RTE_CRYPTO_SYM_XFORM_AUTH && plan->auth == NULL)
			plan->auth = &xform->auth;
		else if (xform->type == RTE_CRYPTO_SYM_XFORM_AEAD && plan->aead == NULL)
			plan->aead = &xform->aead;
		else
			return refuse(plan, -EINVAL, "two transforms of a kind, or one of none");
	}
	if ((plan->aead != NULL) == (plan->auth != NULL) ||
	    (plan->aead != NULL && plan->cipher != NULL))
		return refuse(plan, -EINVAL, "it takes an AEAD, or authentication and a cipher");
	if (plan->tls13 && plan->aead == NULL)
		return refuse(plan, -EINVAL, "TLS 1.3 has only AEADs");
	return 0;
}

/*
 * Checks what all algorithms have, and gets their rows.
 *
 * @param key, len, digest the sizes of the transform. Those of the cipher NULL do not count.
 */
static int
plan_alg(const struct accel_dev *dev, struct tls_plan *plan, enum accel_alg_class class, int rte,
	 const uint8_t *key, unsigned int len, unsigned int digest, const struct accel_alg **alg,
	 const struct accel_tls_alg **row)
{
	const struct accel_dt_alg *hw;
	int ret;

	*row = accel_tls_alg_find(class, rte, plan->tls13, plan->write);
	*alg = accel_alg_find(class, rte);
	if (*row == NULL || *alg == NULL || !accel_dt_protocol_has(plan->card, class, (*alg)->hw) ||
	    dev->dt.alg[(*alg)->hw].class != class)
		return refuse(plan, -ENOTSUP, "an algorithm is not offered for it");
	if ((*alg)->rules & ACCEL_ALG_SIZES_IGNORED)
		return 0;
	hw = &dev->dt.alg[(*alg)->hw];
	if (!accel_range_has(&(*row)->key, len))
		return refuse(plan, -EINVAL, "an algorithm has no key of this length in TLS");
	ret = accel_session_check_key(*alg, hw, key, len);
	if (ret != 0)
		return refuse(plan, ret, "an algorithm does not have this key");
	if (class == ACCEL_ALG_CIPHER)
		return 0;
	if (!accel_range_has(&(*row)->digest, digest))
		return refuse(plan, -EINVAL, "the MAC or tag does not have this length in TLS");
	ret = accel_session_check_digest(*alg, hw, len, digest, &plan->why);
	if (ret != 0)
		return refuse(plan, ret, "an algorithm does not have this digest");
	plan->digest_len = (uint16_t)digest;
	return 0;
}

static int
plan_cipher(const struct accel_dev *dev, struct tls_plan *plan)
{
	static const struct rte_crypto_cipher_xform none = { .algo = RTE_CRYPTO_CIPHER_NULL };
	const struct rte_crypto_cipher_xform *x = plan->cipher != NULL ? plan->cipher : &none;
	const struct accel_tls_alg *row;
	const struct accel_alg *alg;
	int ret;

	if (plan->cipher != NULL &&
	    x->op != (plan->write ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT))
		return refuse(plan, -EINVAL, "the cipher's operation is not that of the session");
	ret = plan_alg(dev, plan, ACCEL_ALG_CIPHER, x->algo, x->key.data, x->key.length, 0, &alg,
		       &row);
	if (ret != 0)
		return ret;
	plan->cipher_hw = alg->hw;
	plan->iv_len = row->explicit_iv;
	plan->block = row->explicit_iv;
	plan->iv_offset = x->iv.offset;
	if (row->explicit_iv != 0)
		plan->cipher_key_len = x->key.length;
	return 0;
}

static int
plan_auth(const struct accel_dev *dev, struct tls_plan *plan)
{
	const struct rte_crypto_auth_xform *x = plan->auth;
	const struct accel_tls_alg *row;
	const struct accel_alg *alg;
	int ret;

	if (x->op != (plan->write ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY))
		return refuse(plan, -EINVAL, "authentication does not go with the session");
	ret = plan_alg(dev, plan, ACCEL_ALG_AUTH, x->algo, x->key.data, x->key.length,
		       x->digest_length, &alg, &row);
	if (ret != 0)
		return ret;
	plan->auth_hw = alg->hw;
	plan->auth_key_len = x->key.length;
	return 0;
}

static int
plan_aead(const struct accel_dev *dev, struct tls_plan *plan)
{
	const struct rte_crypto_aead_xform *x = plan->aead;
	const struct accel_tls_alg *row;
	const struct accel_alg *alg;
	int ret;

	if (x->op != (plan->write ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT))
		return refuse(plan, -EINVAL, "the AEAD's operation is not that of the session");
	ret = plan_alg(dev, plan, ACCEL_ALG_AEAD, x->algo, x->key.data, x->key.length,
		       x->digest_length, &alg, &row);
	if (ret != 0)
		return ret;
	plan->cipher_hw = alg->hw;
	plan->cipher_key_len = x->key.length;
	plan->iv_len = plan->tls13 ? 0 : row->explicit_iv;
	plan->iv_offset = x->iv.offset;
	return 0;
}

/* Checks what depends on the version. An IV that is given where records have none is ignored. */
static int
plan_parameters(struct tls_plan *plan)
{
	const struct rte_security_tls_record_xform *x = plan->x;

	if (plan->write && x->options.extra_padding_enable != 0 && !plan->tls13 && plan->block == 0)
		return refuse(plan, -ENOTSUP, "records of this algorithm have no padding");
	if (plan->tls13 && plan->write && x->tls_1_3.min_payload_len > ACCEL_HW_TLS13_CONTENT_MAX)
		return refuse(plan, -EINVAL, "the least payload is longer than a record");
	if (plan->dtls && x->dtls_1_2.seq_no > DTLS_NUMBER_MAX)
		return refuse(plan, -EINVAL, "the sequence number has more than 48 bits");
	/* A window has no effect in a session that writes. */
	if (plan->dtls && !plan->write && x->dtls_1_2.ar_win_sz > plan->card->replay_window_max)
		return refuse(plan, -ENOTSUP, "the replay window is larger than the device's");
	return 0;
}

static int
plan_make(const struct accel_dev *dev, const struct rte_security_session_conf *conf,
	  struct tls_plan *plan)
{
	const struct rte_security_tls_record_xform *x = &conf->tls_record;
	int ret;

	plan->x = x;
	plan->why = "";
	if ((x->ver != RTE_SECURITY_VERSION_TLS_1_2 && x->ver != RTE_SECURITY_VERSION_TLS_1_3 &&
	     x->ver != RTE_SECURITY_VERSION_DTLS_1_2) ||
	    (x->type != RTE_SECURITY_TLS_SESS_TYPE_READ &&
	     x->type != RTE_SECURITY_TLS_SESS_TYPE_WRITE))
		return refuse(plan, -EINVAL, "there is no such version or type");
	plan->write = x->type == RTE_SECURITY_TLS_SESS_TYPE_WRITE;
	plan->tls13 = x->ver == RTE_SECURITY_VERSION_TLS_1_3;
	plan->dtls = x->ver == RTE_SECURITY_VERSION_DTLS_1_2;
	plan->card = card_of(&dev->dt, x->ver);
	if (!plan->card->present)
		return refuse(plan, -ENOTSUP, "the device does not offer this version");
	ret = plan_xforms(conf->crypto_xform, plan);
	if (ret == 0 && plan->aead != NULL)
		ret = plan_aead(dev, plan);
	else if (ret == 0)
		ret = plan_cipher(dev, plan);
	if (ret == 0 && plan->auth != NULL)
		ret = plan_auth(dev, plan);
	return ret == 0 ? plan_parameters(plan) : ret;
}

static void
log_refusal(const struct accel_dev *dev, const struct tls_plan *plan)
{
	ACCEL_LOG(NOTICE, "%s: TLS session refused, %s: version %d type %d, cipher %d auth %d "
		  "AEAD %d; see the capabilities",
		  dev->name, plan->why, plan->x->ver, plan->x->type,
		  plan->cipher != NULL ? (int)plan->cipher->algo : 0,
		  plan->auth != NULL ? (int)plan->auth->algo : 0,
		  plan->aead != NULL ? (int)plan->aead->algo : 0);
}

/*
 * Writers.
 */

/* Writes the part of the context that all kinds have (manual 8.1), keys included. */
static void
write_context(const struct tls_plan *plan, struct accel_hw_context *ctx)
{
	ctx->kind = plan->tls13 ? ACCEL_HW_KIND_TLS13 :
		    plan->dtls	? ACCEL_HW_KIND_DTLS12 : ACCEL_HW_KIND_TLS12;
	ctx->flags = plan->write ? ACCEL_HW_CTX_ENCRYPT : 0;
	ctx->cipher_alg = rte_cpu_to_le_16(plan->cipher_hw);
	ctx->auth_alg = rte_cpu_to_le_16(plan->auth_hw);
	ctx->cipher_key_len = rte_cpu_to_le_16(plan->cipher_key_len);
	ctx->auth_key_len = rte_cpu_to_le_16(plan->auth_key_len);
	ctx->iv_len = plan->iv_len;
	ctx->digest_len = rte_cpu_to_le_16(plan->digest_len);
	if (plan->cipher_key_len != 0)
		memcpy(ctx->cipher_key,
		       plan->aead != NULL ? plan->aead->key.data : plan->cipher->key.data,
		       plan->cipher_key_len);
	if (plan->auth_key_len != 0)
		memcpy(ctx->auth_key, plan->auth->key.data, plan->auth_key_len);
}

/* The card takes the IV of an operation only where records have one. */
static bool
gives_iv(const struct tls_plan *plan)
{
	return plan->write && plan->x->options.iv_gen_disable != 0 && plan->iv_len != 0;
}

/* Writes the host's part (manual 8.7). */
static void
write_tls(const struct tls_plan *plan, struct accel_hw_tls *tls)
{
	const struct rte_security_tls_record_xform *x = plan->x;

	RTE_BUILD_BUG_ON(sizeof(x->tls_1_3.imp_nonce) != NONCE);
	tls->options = rte_cpu_to_le_32(gives_iv(plan) ? ACCEL_HW_TLS_IV_GIVEN : 0);
	tls->records_soft = rte_cpu_to_le_64(x->life.packets_soft_limit);
	tls->records_hard = rte_cpu_to_le_64(x->life.packets_hard_limit);
	if (plan->dtls) {
		tls->epoch = rte_cpu_to_le_16(x->dtls_1_2.epoch);
		tls->replay_window = rte_cpu_to_le_32(plan->write ? 0 : x->dtls_1_2.ar_win_sz);
	}
	if (plan->tls13 && plan->write)
		tls->payload_min = rte_cpu_to_le_32(x->tls_1_3.min_payload_len);
	if (plan->aead == NULL)
		return;
	if (plan->tls13)
		memcpy(tls->fixed_iv, x->tls_1_3.imp_nonce, sizeof(x->tls_1_3.imp_nonce));
	else if (plan->dtls)
		memcpy(tls->fixed_iv, x->dtls_1_2.imp_nonce, sizeof(x->dtls_1_2.imp_nonce));
	else
		memcpy(tls->fixed_iv, x->tls_1_2.imp_nonce, sizeof(x->tls_1_2.imp_nonce));
}

/* The number of the next record. DTLS also takes lower ones that its window covers. */
static uint64_t
first_sequence(const struct rte_security_tls_record_xform *x)
{
	return rte_cpu_to_le_64(x->ver == RTE_SECURITY_VERSION_TLS_1_3	? x->tls_1_3.seq_no :
				x->ver == RTE_SECURITY_VERSION_DTLS_1_2 ? x->dtls_1_2.seq_no :
									  x->tls_1_2.seq_no);
}

/* Writes the fields that the data path needs, except for addresses. */
static void
write_session(const struct tls_plan *plan, struct accel_session *sess)
{
	sess->kind = plan->tls13 ? ACCEL_HW_KIND_TLS13 :
		     plan->dtls	 ? ACCEL_HW_KIND_DTLS12 : ACCEL_HW_KIND_TLS12;
	sess->verify = !plan->write;
	sess->generate = plan->write;
	sess->digest_len = plan->digest_len;
	sess->rules = plan->card->overlap ? ACCEL_SESSION_OVERLAP : 0;
	if (gives_iv(plan)) {
		sess->iv_len = plan->iv_len;
		sess->iv_offset = plan->iv_offset;
	}
	if (!plan->write)
		return;
	if (plan->x->options.extra_padding_enable != 0)
		sess->rules |= ACCEL_SESSION_PADS;
	sess->head = (uint8_t)(plan->iv_len + (plan->dtls ? ACCEL_HW_DTLS_HEADER :
								   ACCEL_HW_TLS_HEADER));
	sess->growth = (uint16_t)(sess->head + plan->digest_len + plan->block +
					plan->tls13);
}

int
accel_tls_make(struct accel_dev *dev, const struct rte_security_session_conf *conf,
	       struct accel_tls_session *sess, rte_iova_t iova)
{
	struct tls_plan plan = { 0 };
	int ret;

	ret = plan_make(dev, conf, &plan);
	if (ret != 0) {
		log_refusal(dev, &plan);
		return ret;
	}
	ret = accel_session_name(dev, &sess->base, iova);
	if (ret != 0)
		return ret;
	write_context(&plan, &sess->base.context);
	write_tls(&plan, &sess->tls);
	sess->state.sequence = first_sequence(plan.x);
	write_session(&plan, &sess->base);
	return 0;
}

/* Is a session, but for what an update may change, that of a plan? */
static bool
is_same(const struct tls_plan *plan, const struct accel_tls_session *sess)
{
	const size_t fixed = offsetof(struct accel_hw_context, kind);
	struct accel_tls_session same = { 0 };
	bool equal;

	write_context(plan, &same.base.context);
	write_tls(plan, &same.tls);
	write_session(plan, &same.base);
	same.tls.replay_window = sess->tls.replay_window;
	equal = memcmp((const uint8_t *)&same.base.context + fixed,
		       (const uint8_t *)&sess->base.context + fixed,
		       sizeof(same.base.context) - fixed) == 0 &&
		memcmp(&same.tls, &sess->tls, sizeof(same.tls)) == 0 &&
		same.base.iv_len == sess->base.iv_len &&
		same.base.iv_offset == sess->base.iv_offset &&
		same.base.rules == sess->base.rules;
	accel_memzero_explicit(&same, sizeof(same));
	return equal;
}

int
accel_tls_update(struct accel_dev *dev, const struct rte_security_session_conf *conf,
		 struct accel_tls_session *sess)
{
	struct tls_plan plan = { 0 };
	int ret;

	ret = plan_make(dev, conf, &plan);
	if (ret == 0 && !is_same(&plan, sess))
		ret = refuse(&plan, -ENOTSUP,
			     "an update changes sequence number and replay window only");
	if (ret != 0) {
		log_refusal(dev, &plan);
		return ret;
	}
	if (plan.dtls && !plan.write)
		sess->tls.replay_window = rte_cpu_to_le_32(plan.x->dtls_1_2.ar_win_sz);
	sess->state.sequence = first_sequence(plan.x);
	memset(sess->state.window, 0, sizeof(sess->state.window));
	accel_session_rename(dev, &sess->base);
	return 0;
}

bool
accel_tls_is(const struct rte_security_session_conf *conf)
{
	return conf->protocol == RTE_SECURITY_PROTOCOL_TLS_RECORD;
}

/*
 * Capabilities.
 */

/* The sizes that an AEAD's transform has. The AAD is that of RFC 5246 and RFC 8446. */
static void
set_aead_sizes(struct rte_cryptodev_capabilities *cap, bool tls13)
{
	const uint16_t aad = tls13 ? ACCEL_HW_TLS_HEADER : 13;

	/* Applications give TLS 1.3 no IV, or the length of the nonce. */
	cap->sym.aead.iv_size = (struct rte_crypto_param_range){
		.min = tls13 ? 0 : NONCE, .max = NONCE, .increment = tls13 ? NONCE : 0
	};
	cap->sym.aead.aad_size = (struct rte_crypto_param_range){ .min = aad, .max = aad };
}

static unsigned int
fill_algs(const struct accel_devtree *dt, const struct accel_dt_protocol *card, bool tls13,
	  bool write, struct rte_cryptodev_capabilities *caps)
{
	unsigned int nb, i, n = 0;
	const struct accel_tls_alg *rows = accel_tls_algs(&nb);

	for (i = 0; i < nb; i++) {
		const struct accel_tls_alg *row = &rows[i];
		struct accel_alg alg = *accel_alg_find(row->class, row->rte);

		if (accel_tls_alg_find(row->class, row->rte, tls13, write) == NULL ||
		    !accel_dt_protocol_has(card, row->class, alg.hw))
			continue;
		alg.key = row->key;
		alg.digest = row->digest;
		if (!accel_capability_get(&alg, dt, &caps[n])) {
			memset(&caps[n], 0, sizeof(caps[n]));
			continue;
		}
		if (row->class == ACCEL_ALG_AEAD)
			set_aead_sizes(&caps[n], tls13);
		n++;
	}
	return n;
}

unsigned int
accel_tls_caps_fill(const struct accel_devtree *dt, struct accel_tls_caps *caps,
		    struct rte_security_capability *list)
{
	static const enum rte_security_tls_version versions[] = { RTE_SECURITY_VERSION_TLS_1_2,
								  RTE_SECURITY_VERSION_TLS_1_3,
								  RTE_SECURITY_VERSION_DTLS_1_2 };
	static const enum rte_security_tls_sess_type types[] = { RTE_SECURITY_TLS_SESS_TYPE_READ,
								 RTE_SECURITY_TLS_SESS_TYPE_WRITE };
	unsigned int i, n = 0;

	for (i = 0; i < RTE_DIM(versions) * RTE_DIM(types); i++) {
		const enum rte_security_tls_version version = versions[i / 2];
		const struct accel_dt_protocol *card = card_of(dt, version);
		const bool write = types[i % 2] == RTE_SECURITY_TLS_SESS_TYPE_WRITE;

		if (!card->present || fill_algs(dt, card, version == RTE_SECURITY_VERSION_TLS_1_3,
						write, caps->algs[n]) == 0)
			continue;
		list[n].action = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
		list[n].protocol = RTE_SECURITY_PROTOCOL_TLS_RECORD;
		list[n].tls_record.ver = version;
		list[n].tls_record.type = types[i % 2];
		list[n].tls_record.ar_win_size = write ? 0 : card->replay_window_max;
		list[n].crypto_capabilities = caps->algs[n];
		n++;
	}
	return n;
}

#else /* no TLS in this version of rte_security */

unsigned int
accel_tls_caps_fill(const struct accel_devtree *dt __rte_unused,
		    struct accel_tls_caps *caps __rte_unused,
		    struct rte_security_capability *list __rte_unused)
{
	return 0;
}

bool
accel_tls_is(const struct rte_security_session_conf *conf __rte_unused)
{
	return false;
}

int
accel_tls_make(struct accel_dev *dev __rte_unused,
	       const struct rte_security_session_conf *conf __rte_unused,
	       struct accel_tls_session *sess __rte_unused, rte_iova_t iova __rte_unused)
{
	return -ENOTSUP;
}

int
accel_tls_update(struct accel_dev *dev __rte_unused,
		 const struct rte_security_session_conf *conf __rte_unused,
		 struct accel_tls_session *sess __rte_unused)
{
	return -ENOTSUP;
}

#endif
