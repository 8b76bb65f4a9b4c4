/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Security sessions: from a rte_security configuration to the context of a protocol (manual 8.5)
 * and a command template. As with symmetric sessions, all checks come before any key is copied.
 * The sessions of IPsec are in accel_ipsec.c, those of TLS records in accel_tls.c.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_crypto.h>
#include <rte_crypto_sym.h>
#include <rte_cryptodev.h>
#include <rte_malloc.h>
#include <rte_security.h>
#include <rte_security_driver.h>

#include "accel_capabilities.h"
#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_ipsec.h"
#include "accel_ipsec_alg.h"
#include "accel_logs.h"
#include "accel_security.h"
#include "accel_session.h"
#include "accel_suite.h"
#include "accel_tls.h"

#define PDCP_KEY_LEN 16u

/* rte_cryptodev's name, the card's number, bytes of the key, and the block of the capability. */
struct pdcp_alg {
	int rte;
	uint16_t hw;
	uint16_t key_len;
	uint16_t block;
};

static const struct pdcp_alg pdcp_ciphers[] = {
	{ RTE_CRYPTO_CIPHER_NULL, ACCEL_HW_CIPHER_NULL, 0, 1 },
	{ RTE_CRYPTO_CIPHER_AES_CTR, ACCEL_HW_CIPHER_AES_CTR, PDCP_KEY_LEN, 1 },
	{ RTE_CRYPTO_CIPHER_SNOW3G_UEA2, ACCEL_HW_CIPHER_SNOW3G_UEA2, PDCP_KEY_LEN, 16 },
	{ RTE_CRYPTO_CIPHER_ZUC_EEA3, ACCEL_HW_CIPHER_ZUC_EEA3, PDCP_KEY_LEN, 16 },
};

static const struct pdcp_alg pdcp_auths[] = {
	{ RTE_CRYPTO_AUTH_NULL, ACCEL_HW_AUTH_NULL, 0, 1 },
	{ RTE_CRYPTO_AUTH_AES_CMAC, ACCEL_HW_AUTH_AES_CMAC, PDCP_KEY_LEN, 16 },
	{ RTE_CRYPTO_AUTH_SNOW3G_UIA2, ACCEL_HW_AUTH_SNOW3G_UIA2, PDCP_KEY_LEN, 16 },
	{ RTE_CRYPTO_AUTH_ZUC_EIA3, ACCEL_HW_AUTH_ZUC_EIA3, PDCP_KEY_LEN, 16 },
};

static const int docsis_ciphers[] = { RTE_CRYPTO_CIPHER_AES_DOCSISBPI,
				      RTE_CRYPTO_CIPHER_DES_DOCSISBPI };

/*
 * The last entry of each list stays zero, which ends it (RTE_SECURITY_ACTION_TYPE_NONE, or
 * RTE_CRYPTO_OP_TYPE_UNDEFINED).
 */
struct accel_security_caps {
	struct rte_security_capability list[2 + 3 + ACCEL_IPSEC_CAPS + ACCEL_TLS_CAPS + 1];
	struct rte_cryptodev_capabilities docsis[RTE_DIM(docsis_ciphers) + 1];
	struct rte_cryptodev_capabilities pdcp[RTE_DIM(pdcp_ciphers) + RTE_DIM(pdcp_auths) + 1];
	struct accel_ipsec_caps ipsec;
	struct accel_tls_caps tls;
};

/* A session of DOCSIS or PDCP that a configuration describes. */
struct security_plan {
	struct accel_suite suite;
	/* PDCP */
	uint8_t sn_len;
	uint8_t bearer;
	uint8_t direction;
	uint8_t sdap_len;
	uint32_t hfn;
};

/*
 * Capabilities.
 */

static bool
in_set(uint64_t set, unsigned int n)
{
	return n < 64 && (set >> n & 1) != 0;
}

static unsigned int
fill_docsis(const struct accel_devtree *dt, struct rte_cryptodev_capabilities *caps)
{
	unsigned int i, n = 0;

	for (i = 0; i < RTE_DIM(docsis_ciphers); i++) {
		const struct accel_alg *alg = accel_alg_find(ACCEL_ALG_CIPHER, docsis_ciphers[i]);

		if (accel_dt_protocol_has(&dt->docsis, ACCEL_ALG_CIPHER, alg->hw) &&
		    accel_capability_get(alg, dt, &caps[n]))
			n++;
	}
	return n;
}

static unsigned int
fill_pdcp(const struct accel_devtree *dt, struct rte_cryptodev_capabilities *caps)
{
	unsigned int i, n = 0;

	for (i = 0; i < RTE_DIM(pdcp_ciphers); i++) {
		const struct pdcp_alg *alg = &pdcp_ciphers[i];
		struct rte_cryptodev_symmetric_capability *sym = &caps[n].sym;

		if (!accel_dt_protocol_has(&dt->pdcp, ACCEL_ALG_CIPHER, alg->hw))
			continue;
		caps[n++].op = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
		sym->xform_type = RTE_CRYPTO_SYM_XFORM_CIPHER;
		sym->cipher.algo = (enum rte_crypto_cipher_algorithm)alg->rte;
		sym->cipher.block_size = alg->block;
		sym->cipher.key_size.min = sym->cipher.key_size.max = alg->key_len;
		/* The IV is the HFN of an operation, or empty. */
		sym->cipher.iv_size.max = ACCEL_HW_PDCP_HFN_LEN;
		sym->cipher.iv_size.increment = ACCEL_HW_PDCP_HFN_LEN;
	}
	if (n == 0)
		return 0;
	for (i = 0; i < RTE_DIM(pdcp_auths); i++) {
		const struct pdcp_alg *alg = &pdcp_auths[i];
		struct rte_cryptodev_symmetric_capability *sym = &caps[n].sym;

		if (!accel_dt_protocol_has(&dt->pdcp, ACCEL_ALG_AUTH, alg->hw))
			continue;
		caps[n++].op = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
		sym->xform_type = RTE_CRYPTO_SYM_XFORM_AUTH;
		sym->auth.algo = (enum rte_crypto_auth_algorithm)alg->rte;
		sym->auth.block_size = alg->block;
		sym->auth.key_size.min = sym->auth.key_size.max = alg->key_len;
		sym->auth.digest_size.min = sym->auth.digest_size.max = ACCEL_HW_PDCP_MAC_LEN;
	}
	return n;
}

int
accel_security_caps_create(const struct accel_devtree *dt, struct accel_security_caps **result)
{
	static const enum rte_security_docsis_direction directions[] = {
		RTE_SECURITY_DOCSIS_UPLINK, RTE_SECURITY_DOCSIS_DOWNLINK
	};
	static const enum rte_security_pdcp_domain domains[] = {
		RTE_SECURITY_PDCP_MODE_CONTROL, RTE_SECURITY_PDCP_MODE_DATA,
		RTE_SECURITY_PDCP_MODE_SHORT_MAC
	};
	struct accel_security_caps *caps;
	unsigned int i, n = 0;

	*result = NULL;
	caps = rte_zmalloc("accel_security_caps", sizeof(*caps), 0);
	if (caps == NULL)
		return -ENOMEM;
	for (i = 0; fill_docsis(dt, caps->docsis) != 0 && i < RTE_DIM(directions); i++) {
		caps->list[n].action = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
		caps->list[n].protocol = RTE_SECURITY_PROTOCOL_DOCSIS;
		caps->list[n].docsis.direction = directions[i];
		caps->list[n++].crypto_capabilities = caps->docsis;
	}
	for (i = 0; fill_pdcp(dt, caps->pdcp) != 0 && i < RTE_DIM(domains); i++) {
		caps->list[n].action = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
		caps->list[n].protocol = RTE_SECURITY_PROTOCOL_PDCP;
		caps->list[n].pdcp.domain = domains[i];
		caps->list[n++].crypto_capabilities = caps->pdcp;
	}
	n += accel_ipsec_caps_fill(dt, &caps->ipsec, &caps->list[n]);
	n += accel_tls_caps_fill(dt, &caps->tls, &caps->list[n]);
	if (n == 0)
		rte_free(caps);
	else
		*result = caps;
	return 0;
}

/*
 * Checks.
 */

/* Reads the transforms of a configuration: a cipher, authentication, or both. */
static int
plan_xforms(const struct rte_crypto_sym_xform *x, struct accel_suite *suite)
{
	const int ret = x != NULL ? accel_suite_read(suite, x) :
				    accel_suite_refuse(suite, -EINVAL, "crypto_xform is NULL");

	if (suite->aead != NULL)
		return accel_suite_refuse(suite, -ENOTSUP, "the protocol has no AEAD");
	return ret;
}

static int
plan_docsis(const struct accel_dev *dev, const struct rte_security_docsis_xform *docsis,
	    struct accel_suite *suite)
{
	int ret;

	suite->kind = ACCEL_HW_KIND_DOCSIS;
	suite->card = &dev->dt.docsis;
	if (suite->cipher == NULL || suite->auth != NULL)
		return accel_suite_refuse(suite, -EINVAL, "DOCSIS has one transform, a cipher");
	ret = accel_session_check_cipher(dev, suite->cipher, &suite->cipher_hw, &suite->why);
	if (ret != 0)
		return ret;
	if (!accel_dt_protocol_has(suite->card, ACCEL_ALG_CIPHER, suite->cipher_hw) ||
	    (suite->cipher->algo != RTE_CRYPTO_CIPHER_AES_DOCSISBPI &&
	     suite->cipher->algo != RTE_CRYPTO_CIPHER_DES_DOCSISBPI))
		return accel_suite_refuse(suite, -ENOTSUP, "the cipher is not offered for DOCSIS");
	suite->encrypt = suite->cipher->op == RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	if ((docsis->direction != RTE_SECURITY_DOCSIS_UPLINK &&
	     docsis->direction != RTE_SECURITY_DOCSIS_DOWNLINK) ||
	    suite->encrypt != (docsis->direction == RTE_SECURITY_DOCSIS_DOWNLINK))
		return accel_suite_refuse(suite, -EINVAL, "op does not go with docsis.direction");
	suite->cipher_key_len = suite->cipher->key.length;
	suite->iv_len = (uint8_t)suite->cipher->iv.length;
	suite->op_iv_len = suite->iv_len;
	suite->iv_offset = suite->cipher->iv.offset;
	return 0;
}

/* Finds an algorithm of PDCP and checks its key. */
static int
check_pdcp_alg(struct accel_suite *suite, const struct pdcp_alg *list, unsigned int nb, int rte,
	       const uint8_t *key, unsigned int key_len, const struct pdcp_alg **found)
{
	unsigned int i;

	for (i = 0; i < nb && list[i].rte != rte; i++)
		;
	if (i == nb)
		return accel_suite_refuse(suite, -ENOTSUP, "PDCP does not have the algorithm");
	*found = &list[i];
	if (list[i].key_len == 0) /* applications may set any key for NULL */
		return 0;
	if (key_len != list[i].key_len || key == NULL)
		return accel_suite_refuse(suite, -EINVAL, "key.length or key.data is wrong");
	return 0;
}

static int
plan_pdcp_cipher(struct accel_suite *suite)
{
	const struct rte_crypto_cipher_xform *x = suite->cipher;
	const struct pdcp_alg *alg;
	int ret;

	suite->cipher_hw = ACCEL_HW_CIPHER_NULL;
	if (x != NULL) {
		if (x->op != RTE_CRYPTO_CIPHER_OP_ENCRYPT && x->op != RTE_CRYPTO_CIPHER_OP_DECRYPT)
			return accel_suite_refuse(suite, -EINVAL,
						  "op neither encrypts nor decrypts");
		ret = check_pdcp_alg(suite, pdcp_ciphers, RTE_DIM(pdcp_ciphers), x->algo,
				     x->key.data, x->key.length, &alg);
		if (ret != 0)
			return ret;
		suite->cipher_hw = alg->hw;
		suite->cipher_key_len = alg->key_len;
		suite->encrypt = x->op == RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	}
	if (!accel_dt_protocol_has(suite->card, ACCEL_ALG_CIPHER, suite->cipher_hw))
		return accel_suite_refuse(suite, -ENOTSUP, "the device does not offer the cipher");
	return 0;
}

static int
plan_pdcp_auth(struct accel_suite *suite)
{
	const struct rte_crypto_auth_xform *x = suite->auth;
	const struct pdcp_alg *alg;
	bool generate;
	int ret;

	if (x == NULL)
		return 0;
	if (x->op != RTE_CRYPTO_AUTH_OP_VERIFY && x->op != RTE_CRYPTO_AUTH_OP_GENERATE)
		return accel_suite_refuse(suite, -EINVAL, "op neither verifies nor generates");
	ret = check_pdcp_alg(suite, pdcp_auths, RTE_DIM(pdcp_auths), x->algo, x->key.data,
			     x->key.length, &alg);
	if (ret != 0)
		return ret;
	/* MAC-I has only one length, which applications may leave out. */
	if (x->digest_length != 0 && x->digest_length != ACCEL_HW_PDCP_MAC_LEN)
		return accel_suite_refuse(suite, -EINVAL, "digest_length is not 4");
	generate = x->op == RTE_CRYPTO_AUTH_OP_GENERATE;
	if (suite->cipher != NULL && suite->encrypt != generate)
		return accel_suite_refuse(suite, -EINVAL, "the op of both transforms differs");
	suite->encrypt = generate;
	suite->auth_hw = alg->hw;
	suite->auth_key_len = alg->key_len;
	suite->digest_len = ACCEL_HW_PDCP_MAC_LEN;
	if (!accel_dt_protocol_has(suite->card, ACCEL_ALG_AUTH, suite->auth_hw))
		return accel_suite_refuse(suite, -ENOTSUP,
					  "the device does not offer the authentication");
	return 0;
}

/* Checks the parameters of a domain. */
static int
plan_pdcp_domain(const struct rte_security_pdcp_xform *pdcp, struct security_plan *plan)
{
	const unsigned int sn = pdcp->sn_size;
	bool ok;

	switch (pdcp->domain) {
	case RTE_SECURITY_PDCP_MODE_CONTROL: /* signalling always has a MAC-I */
		ok = (sn == 5 || sn == 12) && plan->suite.auth != NULL && pdcp->sdap_enabled == 0;
		break;
	case RTE_SECURITY_PDCP_MODE_DATA:
		ok = sn == 7 || sn == 12 || sn == 15 || sn == 18;
		break;
	case RTE_SECURITY_PDCP_MODE_SHORT_MAC: /* COUNT, BEARER and DIRECTION are all ones */
		if (plan->suite.auth == NULL || plan->suite.cipher_hw != ACCEL_HW_CIPHER_NULL ||
		    pdcp->hfn_ovrd != 0 || pdcp->sdap_enabled != 0)
			return accel_suite_refuse(&plan->suite, -EINVAL, "short MAC has "
						  "authentication alone, no hfn_ovrd or SDAP");
		plan->hfn = UINT32_MAX;
		plan->bearer = ACCEL_HW_PDCP_BEARER_MAX;
		plan->direction = 1;
		return 0;
	default:
		return accel_suite_refuse(&plan->suite, -EINVAL, "there is no such domain");
	}
	if (!ok)
		return accel_suite_refuse(&plan->suite, -EINVAL, "sn_size does not go with domain, "
					  "or signalling has SDAP or no authentication");
	if (pdcp->bearer < 0 || pdcp->bearer > (int)ACCEL_HW_PDCP_BEARER_MAX)
		return accel_suite_refuse(&plan->suite, -EINVAL, "bearer is not in 0..31");
	if (pdcp->pkt_dir != RTE_SECURITY_PDCP_UPLINK &&
	    pdcp->pkt_dir != RTE_SECURITY_PDCP_DOWNLINK)
		return accel_suite_refuse(&plan->suite, -EINVAL, "there is no such pkt_dir");
	plan->sn_len = (uint8_t)sn;
	plan->bearer = (uint8_t)pdcp->bearer;
	plan->direction = pdcp->pkt_dir == RTE_SECURITY_PDCP_DOWNLINK;
	plan->sdap_len = pdcp->sdap_enabled != 0;
	plan->hfn = pdcp->hfn;
	return 0;
}

/* An HFN that comes with each operation takes the place of the IV, with 4 bytes. */
static int
plan_pdcp_hfn(const struct rte_security_pdcp_xform *pdcp, struct accel_suite *suite)
{
	const unsigned int len = suite->cipher != NULL ? suite->cipher->iv.length :
							suite->auth->iv.length;

	if (pdcp->hfn_ovrd == 0)
		return 0;
	if (len != ACCEL_HW_PDCP_HFN_LEN)
		return accel_suite_refuse(suite, -EINVAL, "iv.length is not 4 with hfn_ovrd");
	suite->op_iv_len = ACCEL_HW_PDCP_HFN_LEN;
	suite->iv_offset = suite->cipher != NULL ? suite->cipher->iv.offset :
						   suite->auth->iv.offset;
	return 0;
}

static int
plan_pdcp(const struct accel_dev *dev, const struct rte_security_pdcp_xform *pdcp,
	  struct security_plan *plan)
{
	int ret;

	plan->suite.kind = ACCEL_HW_KIND_PDCP;
	plan->suite.card = &dev->dt.pdcp;
	if (pdcp->en_ordering != 0 || pdcp->remove_duplicates != 0)
		return accel_suite_refuse(&plan->suite, -ENOTSUP, "en_ordering and "
					  "remove_duplicates are not offered");
	ret = plan_pdcp_cipher(&plan->suite);
	if (ret == 0)
		ret = plan_pdcp_auth(&plan->suite);
	if (ret == 0)
		ret = plan_pdcp_domain(pdcp, plan);
	if (ret == 0)
		ret = plan_pdcp_hfn(pdcp, &plan->suite);
	if (ret == 0 && !in_set(dev->dt.pdcp.sn_sizes, plan->sn_len))
		ret = accel_suite_refuse(&plan->suite, -ENOTSUP,
					 "the device does not offer this sn_size");
	return ret;
}

/* True if the device works on whole packets, and the configuration asks for that. */
static bool
is_offered(const struct accel_dev *dev, const struct rte_security_session_conf *conf)
{
	return (dev->active_flags & RTE_CRYPTODEV_FF_SECURITY) != 0 &&
	       conf->action_type == RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
}

/* Is it a session for accel_ipsec.c? */
static bool
is_ipsec(const struct accel_dev *dev, const struct rte_security_session_conf *conf)
{
	return conf->protocol == RTE_SECURITY_PROTOCOL_IPSEC && is_offered(dev, conf);
}

/* Is it a session for accel_tls.c? */
static bool
is_tls(const struct accel_dev *dev, const struct rte_security_session_conf *conf)
{
	return accel_tls_is(conf) && is_offered(dev, conf);
}

static int
plan_make(const struct accel_dev *dev, const struct rte_security_session_conf *conf,
	  struct security_plan *plan)
{
	int ret;

	if (!is_offered(dev, conf))
		return accel_suite_refuse(&plan->suite, -ENOTSUP,
					  "this action_type of rte_security is not offered");
	if (conf->protocol != RTE_SECURITY_PROTOCOL_DOCSIS &&
	    conf->protocol != RTE_SECURITY_PROTOCOL_PDCP)
		return accel_suite_refuse(&plan->suite, -ENOTSUP, "the protocol is not offered");
	ret = plan_xforms(conf->crypto_xform, &plan->suite);
	if (ret != 0)
		return ret;
	if (conf->protocol == RTE_SECURITY_PROTOCOL_DOCSIS)
		return plan_docsis(dev, &conf->docsis, &plan->suite);
	return plan_pdcp(dev, &conf->pdcp, plan);
}

/*
 * Writers.
 */

typedef uint32_t __rte_may_alias hfn_in_iv;

static void
hfn_write(struct accel_session *sess, uint32_t hfn)
{
	/* This is one aligned store, as operations may be enqueued meanwhile. */
	*(volatile hfn_in_iv *)(void *)sess->command.iv = rte_cpu_to_le_32(hfn);
}

/* Writes all of a session but its name and its HFN (manual 8.5). */
static void
session_write(const struct security_plan *plan, struct accel_session *sess)
{
	accel_suite_write(&plan->suite, sess);
	sess->context.pdcp_sn_len = plan->sn_len;
	sess->context.pdcp_bearer = plan->bearer;
	sess->context.pdcp_direction = plan->direction;
	sess->context.pdcp_sdap_len = plan->sdap_len;
}

static void
log_refusal(struct accel_dev *dev, const struct rte_security_session_conf *conf,
	    const struct accel_suite *suite)
{
	const unsigned int key = suite->cipher != NULL ? suite->cipher->key.length : 0;
	const int cipher = suite->rte[ACCEL_ALG_CIPHER], auth = suite->rte[ACCEL_ALG_AUTH];

	if (conf->protocol == RTE_SECURITY_PROTOCOL_PDCP)
		ACCEL_LOG_LIMITED(&dev->refused_log[ACCEL_REFUSED_PDCP], NOTICE,
				  "%s: security session refused, %s: PDCP domain %d SN %d bearer "
				  "%d, cipher %d key %u, auth %d", dev->name, suite->why,
				  conf->pdcp.domain, conf->pdcp.sn_size, conf->pdcp.bearer, cipher,
				  key, auth);
	else
		ACCEL_LOG_LIMITED(&dev->refused_log[ACCEL_REFUSED_SECURITY], NOTICE,
				  "%s: security session refused, %s: action %d protocol %d, "
				  "cipher %d key %u, auth %d", dev->name, suite->why,
				  conf->action_type, conf->protocol, cipher, key, auth);
}

/*
 * rte_security_ops.
 */

static struct accel_dev *
dev_of(void *device)
{
	return ((struct rte_cryptodev *)device)->data->dev_private;
}

/* The library has one size for all sessions. Those of IPsec and TLS are the largest. */
static unsigned int
security_get_size(void *device __rte_unused)
{
	return sizeof(struct accel_ipsec_session);
}

/* Makes a session of DOCSIS or PDCP. */
static int
session_make(struct accel_dev *dev, const struct rte_security_session_conf *conf,
	     struct accel_session *sess, rte_iova_t iova)
{
	struct security_plan plan = { 0 };
	int ret;

	ret = plan_make(dev, conf, &plan);
	if (ret != 0) {
		log_refusal(dev, conf, &plan.suite);
		return ret;
	}
	ret = accel_session_name(dev, sess, iova);
	if (ret != 0)
		return ret;
	session_write(&plan, sess);
	if (plan.suite.kind == ACCEL_HW_KIND_PDCP)
		hfn_write(sess, plan.hfn);
	return 0;
}

static int
security_create(void *device, struct rte_security_session_conf *conf,
		struct rte_security_session *session)
{
	const rte_iova_t iova = SECURITY_GET_SESS_PRIV_IOVA(session);
	struct accel_ipsec_session *sess = SECURITY_GET_SESS_PRIV(session);
	struct accel_dev *dev = dev_of(device);
	int ret;

	ret = is_ipsec(dev, conf) ? accel_ipsec_make(dev, conf, sess, iova) :
	      is_tls(dev, conf)	  ? accel_tls_make(dev, conf, (void *)sess, iova) :
				    session_make(dev, conf, &sess->base, iova);
	if (ret != 0)
		return ret;
	session->fast_mdata = accel_protocol_mark();
	accel_session_count_context(dev, &sess->base, true);
	return 0;
}

static int
security_destroy(void *device, struct rte_security_session *session)
{
	struct accel_ipsec_session *sess = SECURITY_GET_SESS_PRIV(session);

	if (session->fast_mdata != accel_protocol_mark())
		return -EINVAL;
	session->fast_mdata = 0;
	accel_memzero_explicit(&sess->ipsec, sizeof(*sess) - sizeof(sess->base));
	accel_session_wipe(dev_of(device), &sess->base);
	return 0;
}

/* Changes the HFN of a PDCP session. Nothing else can be updated, so the rest must be as before. */
static int
session_update(struct accel_dev *dev, const struct rte_security_session_conf *conf,
	       struct accel_session *sess)
{
	struct accel_session wanted = { 0 };
	struct security_plan plan = { 0 };
	int ret;

	ret = plan_make(dev, conf, &plan);
	if (ret == 0 && plan.suite.kind != ACCEL_HW_KIND_PDCP)
		ret = accel_suite_refuse(&plan.suite, -ENOTSUP, "DOCSIS has no update");
	if (ret == 0) {
		session_write(&plan, &wanted);
		ret = accel_suite_update(&plan.suite, &wanted, sess, sizeof(wanted));
	}
	if (ret != 0) {
		log_refusal(dev, conf, &plan.suite);
		return ret;
	}
	hfn_write(sess, plan.hfn);
	return 0;
}

static int
security_update(void *device, struct rte_security_session *session,
		struct rte_security_session_conf *conf)
{
	struct accel_ipsec_session *sess = SECURITY_GET_SESS_PRIV(session);
	struct accel_dev *dev = dev_of(device);

	if (session->fast_mdata != accel_protocol_mark())
		return -EINVAL;
	if (accel_is_ipsec(sess->base.kind) && is_ipsec(dev, conf))
		return accel_ipsec_update(dev, conf, sess);
	if (accel_is_tls(sess->base.kind) && is_tls(dev, conf))
		return accel_tls_update(dev, conf, (void *)sess);
	return session_update(dev, conf, &sess->base);
}

/* Gets the counters of an IPsec session. The other protocols count nothing. */
static int
security_stats(void *device __rte_unused, struct rte_security_session *session,
	       struct rte_security_stats *stats)
{
	const struct accel_ipsec_session *sess;

	if (stats == NULL)
		return -EINVAL;
	if (session == NULL) /* of the whole device */
		return -ENOTSUP;
	if (session->fast_mdata != accel_protocol_mark())
		return -EINVAL;
	sess = SECURITY_GET_SESS_PRIV(session);
	if (!accel_is_ipsec(sess->base.kind))
		return -ENOTSUP;
	stats->protocol = RTE_SECURITY_PROTOCOL_IPSEC;
	accel_ipsec_stats(sess, &stats->ipsec);
	return 0;
}

static const struct rte_security_capability *
security_capabilities(void *device)
{
	return dev_of(device)->security_caps->list;
}

static const struct rte_security_ops accel_security_ops = {
	.session_create = security_create,
	.session_update = security_update,
	.session_get_size = security_get_size,
	.session_stats_get = security_stats,
	.session_destroy = security_destroy,
	.capabilities_get = security_capabilities,
};

int
accel_security_attach(struct rte_cryptodev *cryptodev)
{
	const struct accel_dev *dev = cryptodev->data->dev_private;
	struct rte_security_ctx *ctx;

	if (dev->security_caps == NULL)
		return 0;
	ctx = rte_zmalloc("accel_security", sizeof(*ctx), 0);
	if (ctx == NULL)
		return -ENOMEM;
	ctx->device = cryptodev;
	ctx->ops = &accel_security_ops;
	cryptodev->security_ctx = ctx;
	return 0;
}

void
accel_security_detach(struct rte_cryptodev *cryptodev)
{
	rte_free(cryptodev->security_ctx);
	cryptodev->security_ctx = NULL;
}
