/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Security sessions: from a rte_security configuration to the context of a protocol and a command
 * template. The plans of DOCSIS and PDCP (manual 8.5) are here, those of IPsec in accel_ipsec.c,
 * those of TLS records in accel_tls.c.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>

#include <cryptodev_pmd.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_crypto.h>
#include <rte_crypto_sym.h>
#include <rte_cryptodev.h>
#include <rte_malloc.h>
#include <rte_security.h>
#include <rte_security_driver.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_ipsec.h"
#include "accel_plan.h"
#include "accel_security.h"
#include "accel_session.h"
#include "accel_tls.h"

#define PDCP_KEY { 16, 16, 0 } /* bytes of every key (manual 8.5) */
#define ROW(class_, name, ...)                                                                     \
	{                                                                                          \
		.class = ACCEL_ALG_##class_, .rte = RTE_CRYPTO_##class_##_##name, __VA_ARGS__      \
	}

static const struct accel_plan_alg pdcp_algs[] = {
	ROW(CIPHER, NULL, .key = { 0 }),
	ROW(CIPHER, AES_CTR, .key = PDCP_KEY),
	ROW(CIPHER, SNOW3G_UEA2, .key = PDCP_KEY),
	ROW(CIPHER, ZUC_EEA3, .key = PDCP_KEY),
	ROW(AUTH, NULL, .key = { 0 }),
	ROW(AUTH, AES_CMAC, .key = PDCP_KEY),
	ROW(AUTH, SNOW3G_UIA2, .key = PDCP_KEY),
	ROW(AUTH, ZUC_EIA3, .key = PDCP_KEY),
};

/* The IV is the HFN of an operation, or has no bytes. */
static const struct accel_plan_table pdcp_table = {
	.rows = pdcp_algs, .nb = RTE_DIM(pdcp_algs), .sizes_fixed = true,
	.shown[ACCEL_ALG_CIPHER].iv = { 0, ACCEL_HW_PDCP_HFN_LEN, ACCEL_HW_PDCP_HFN_LEN },
	.shown[ACCEL_ALG_AUTH].digest = { ACCEL_HW_PDCP_MAC_LEN, ACCEL_HW_PDCP_MAC_LEN, 0 },
};

/* Plans of DOCSIS have no table, since its ciphers are checked as in plain operations. */
static const struct accel_plan_alg docsis_algs[] = {
	ROW(CIPHER, AES_DOCSISBPI, .key = { 0 }),
	ROW(CIPHER, DES_DOCSISBPI, .key = { 0 }),
};

static const struct accel_plan_table docsis_table = {
	.rows = docsis_algs, .nb = RTE_DIM(docsis_algs),
};

/*
 * Holds the security capabilities of a device. The last entry of each list stays zero, and so ends
 * the list (RTE_SECURITY_ACTION_TYPE_NONE, or RTE_CRYPTO_OP_TYPE_UNDEFINED).
 */
struct accel_security_caps {
	struct rte_security_capability list[2 + 3 + ACCEL_IPSEC_CAPS + ACCEL_TLS_CAPS + 1];
	struct rte_cryptodev_capabilities docsis[RTE_DIM(docsis_algs) + 1];
	struct rte_cryptodev_capabilities pdcp[RTE_DIM(pdcp_algs) + 1];
	struct accel_ipsec_caps ipsec;
	struct accel_tls_caps tls;
};

/* The functions below make capabilities. */

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
	unsigned int i, n = 0, nb_docsis, nb_pdcp = 0;

	*result = NULL;
	caps = rte_zmalloc("accel_security_caps", sizeof(*caps), 0);
	if (caps == NULL)
		return -ENOMEM;
	nb_docsis = accel_plan_capabilities(dt, &dt->docsis, &docsis_table, 0, caps->docsis);
	for (i = 0; nb_docsis != 0 && i < RTE_DIM(directions); i++) {
		caps->list[n].action = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
		caps->list[n].protocol = RTE_SECURITY_PROTOCOL_DOCSIS;
		caps->list[n].docsis.direction = directions[i];
		caps->list[n++].crypto_capabilities = caps->docsis;
	}
	if (dt->pdcp.ciphers != 0)
		nb_pdcp = accel_plan_capabilities(dt, &dt->pdcp, &pdcp_table, 0, caps->pdcp);
	for (i = 0; nb_pdcp != 0 && i < RTE_DIM(domains); i++) {
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

/* The functions below check a configuration and make the plan. */

/* Reads the transforms of a configuration: a cipher, authentication, or both. */
static int
plan_xforms(const struct rte_crypto_sym_xform *x, struct accel_plan *plan)
{
	const int ret = accel_plan_read(plan, x);

	if (plan->aead != NULL)
		return accel_plan_refuse(plan, -ENOTSUP, "the protocol has no AEAD");
	return ret;
}

static int
plan_docsis(const struct accel_dev *dev, const struct rte_security_session_conf *conf,
	    struct accel_plan *plan)
{
	const enum rte_security_docsis_direction direction = conf->docsis.direction;
	const bool down = direction == RTE_SECURITY_DOCSIS_DOWNLINK;
	int ret;

	plan->kind = ACCEL_HW_KIND_DOCSIS;
	plan->card = &dev->dt.docsis;
	ret = plan_xforms(conf->crypto_xform, plan);
	if (ret != 0)
		return ret;
	if (plan->cipher == NULL || plan->auth != NULL)
		return accel_plan_refuse(plan, -EINVAL, "DOCSIS has one transform, a cipher");
	ret = accel_plan_check(dev, plan);
	if (ret != 0)
		return ret;
	if (!accel_dt_protocol_has(plan->card, ACCEL_ALG_CIPHER, plan->cipher_hw) ||
	    (plan->cipher->algo != RTE_CRYPTO_CIPHER_AES_DOCSISBPI &&
	     plan->cipher->algo != RTE_CRYPTO_CIPHER_DES_DOCSISBPI))
		return accel_plan_refuse(plan, -ENOTSUP, "the cipher is not offered for DOCSIS");
	if ((!down && direction != RTE_SECURITY_DOCSIS_UPLINK) || plan->encrypt != down)
		return accel_plan_refuse(plan, -EINVAL, "op does not go with docsis.direction");
	plan->op_iv_len = (uint8_t)plan->iv_len;
	plan->iv_offset = plan->cipher->iv.offset;
	return 0;
}

/* Checks the algorithms. If there is no cipher transform, the cipher is NULL. */
static int
plan_pdcp_algs(const struct accel_dev *dev, struct accel_plan *plan)
{
	const struct rte_crypto_auth_xform *auth = plan->auth;
	int ret;

	plan->table = &pdcp_table;
	plan->encrypt = auth != NULL ? auth->op == RTE_CRYPTO_AUTH_OP_GENERATE :
				       plan->cipher->op == RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	ret = accel_plan_check(dev, plan);
	if (ret == 0 && plan->cipher == NULL)
		ret = accel_plan_take_null(plan, ACCEL_ALG_CIPHER);
	if (ret != 0 || auth == NULL)
		return ret;
	/* MAC-I has only one length. Applications may leave it out. */
	if (auth->digest_length != 0 && auth->digest_length != ACCEL_HW_PDCP_MAC_LEN)
		return accel_plan_refuse(plan, -EINVAL, "digest_length is not 4");
	plan->digest_len = ACCEL_HW_PDCP_MAC_LEN;
	return 0;
}

static int
plan_pdcp_domain(const struct rte_security_pdcp_xform *pdcp, struct accel_plan *plan)
{
	const unsigned int sn = pdcp->sn_size;
	bool ok;

	switch (pdcp->domain) {
	case RTE_SECURITY_PDCP_MODE_CONTROL: /* signalling always has a MAC-I */
		ok = (sn == 5 || sn == 12) && plan->auth != NULL && pdcp->sdap_enabled == 0;
		break;
	case RTE_SECURITY_PDCP_MODE_DATA:
		ok = sn == 7 || sn == 12 || sn == 15 || sn == 18;
		break;
	case RTE_SECURITY_PDCP_MODE_SHORT_MAC: /* COUNT, BEARER and DIRECTION are all ones */
		if (plan->auth == NULL || plan->cipher_hw != ACCEL_HW_CIPHER_NULL ||
		    pdcp->hfn_ovrd != 0 || pdcp->sdap_enabled != 0)
			return accel_plan_refuse(plan, -EINVAL, "short MAC has "
						  "authentication alone, no hfn_ovrd or SDAP");
		plan->pdcp.hfn = UINT32_MAX;
		plan->pdcp.bearer = ACCEL_HW_PDCP_BEARER_MAX;
		plan->pdcp.direction = 1;
		return 0;
	default:
		return accel_plan_refuse(plan, -EINVAL, "there is no such domain");
	}
	if (!ok)
		return accel_plan_refuse(plan, -EINVAL, "sn_size does not go with domain, "
					  "or signalling has SDAP or no authentication");
	if (pdcp->bearer < 0 || pdcp->bearer > (int)ACCEL_HW_PDCP_BEARER_MAX)
		return accel_plan_refuse(plan, -EINVAL, "bearer is not in 0..31");
	if (pdcp->pkt_dir != RTE_SECURITY_PDCP_UPLINK &&
	    pdcp->pkt_dir != RTE_SECURITY_PDCP_DOWNLINK)
		return accel_plan_refuse(plan, -EINVAL, "there is no such pkt_dir");
	plan->pdcp.sn_len = (uint8_t)sn;
	plan->pdcp.bearer = (uint8_t)pdcp->bearer;
	plan->pdcp.direction = pdcp->pkt_dir == RTE_SECURITY_PDCP_DOWNLINK;
	plan->pdcp.sdap_len = pdcp->sdap_enabled != 0;
	plan->pdcp.hfn = pdcp->hfn;
	return 0;
}

/* Checks the HFN. An HFN in each operation takes the place of the IV, and has 4 bytes. */
static int
plan_pdcp_hfn(const struct rte_security_pdcp_xform *pdcp, struct accel_plan *plan)
{
	const unsigned int len = plan->cipher != NULL ? plan->cipher->iv.length :
							plan->auth->iv.length;

	if (pdcp->hfn_ovrd == 0)
		return 0;
	if (len != ACCEL_HW_PDCP_HFN_LEN)
		return accel_plan_refuse(plan, -EINVAL, "iv.length is not 4 with hfn_ovrd");
	plan->op_iv_len = ACCEL_HW_PDCP_HFN_LEN;
	plan->iv_offset = plan->cipher != NULL ? plan->cipher->iv.offset :
						   plan->auth->iv.offset;
	return 0;
}

static int
plan_pdcp(const struct accel_dev *dev, const struct rte_security_session_conf *conf,
	  struct accel_plan *plan)
{
	const struct rte_security_pdcp_xform *pdcp = &conf->pdcp;
	int ret;

	plan->kind = ACCEL_HW_KIND_PDCP;
	plan->card = &dev->dt.pdcp;
	ret = plan_xforms(conf->crypto_xform, plan);
	if (ret == 0 && (pdcp->en_ordering != 0 || pdcp->remove_duplicates != 0))
		ret = accel_plan_refuse(plan, -ENOTSUP, "en_ordering and remove_duplicates are "
					"not offered");
	if (ret == 0)
		ret = plan_pdcp_algs(dev, plan);
	if (ret == 0)
		ret = plan_pdcp_domain(pdcp, plan);
	if (ret == 0)
		ret = plan_pdcp_hfn(pdcp, plan);
	if (ret == 0 && (dev->dt.pdcp.sn_sizes >> plan->pdcp.sn_len & 1) == 0)
		ret = accel_plan_refuse(plan, -ENOTSUP, "the device does not offer this sn_size");
	return ret;
}

static int
plan_other(const struct accel_dev *dev __rte_unused, const struct rte_security_session_conf *conf,
	   struct accel_plan *plan)
{
	plan->first = conf->crypto_xform;
	return accel_plan_refuse(plan, -ENOTSUP,
				 "this action_type or protocol of rte_security is not offered");
}

/* The functions below write the session. */

typedef uint32_t __rte_may_alias hfn_in_iv;

/* Writes the HFN, which is all that an update may change. */
static void
pdcp_begin(const struct accel_plan *plan, bool update __rte_unused, struct accel_session *sess)
{
	/* This is one aligned store, as operations may be enqueued meanwhile. */
	*(volatile hfn_in_iv *)(void *)sess->command.iv = rte_cpu_to_le_32(plan->pdcp.hfn);
}

/* Writes all of a session but what accel_session_name() and pdcp_begin() write (manual 8.5). */
static void
pdcp_write(const struct accel_plan *plan, struct accel_session *sess)
{
	accel_plan_write(plan, sess);
	sess->context.pdcp_sn_len = plan->pdcp.sn_len;
	sess->context.pdcp_bearer = plan->pdcp.bearer;
	sess->context.pdcp_direction = plan->pdcp.direction;
	sess->context.pdcp_sdap_len = plan->pdcp.sdap_len;
}

static void
pdcp_describe(const struct rte_security_session_conf *conf,
	      const struct accel_plan *plan __rte_unused, char *text, size_t size)
{
	snprintf(text, size, "PDCP domain %d SN %d bearer %d, ", conf->pdcp.domain,
		 conf->pdcp.sn_size, conf->pdcp.bearer);
}

static void
describe(const struct rte_security_session_conf *conf, const struct accel_plan *plan __rte_unused,
	 char *text, size_t size)
{
	snprintf(text, size, "action %d protocol %d, ", conf->action_type, conf->protocol);
}

/* Finds out how a session is made. The device works on whole packets only, not on parts of one. */
static const struct accel_protocol_sessions *
sessions_of(const struct accel_dev *dev, const struct rte_security_session_conf *conf)
{
	static const struct accel_protocol_sessions docsis = {
		.log = ACCEL_REFUSED_SECURITY, .plan = plan_docsis, .write = accel_plan_write,
		.describe = describe,
	};
	static const struct accel_protocol_sessions pdcp = {
		.log = ACCEL_REFUSED_PDCP, .plan = plan_pdcp, .write = pdcp_write,
		.begin = pdcp_begin, .describe = pdcp_describe,
		.host_end = sizeof(struct accel_session),
	};
	static const struct accel_protocol_sessions other = {
		.log = ACCEL_REFUSED_SECURITY, .plan = plan_other, .describe = describe,
	};

	if ((dev->active_flags & RTE_CRYPTODEV_FF_SECURITY) == 0 ||
	    conf->action_type != RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL)
		return &other;
	if (accel_tls_is(conf))
		return &accel_tls_sessions;
	switch (conf->protocol) {
	case RTE_SECURITY_PROTOCOL_IPSEC:
		return &accel_ipsec_sessions;
	case RTE_SECURITY_PROTOCOL_PDCP:
		return &pdcp;
	case RTE_SECURITY_PROTOCOL_DOCSIS:
		return &docsis;
	default:
		return &other;
	}
}

/* The functions below are the callbacks of rte_security_ops. */

static struct accel_dev *
dev_of(void *device)
{
	return ((struct rte_cryptodev *)device)->data->dev_private;
}

/* Returns the size of the largest session, of IPsec or TLS. The library has one size for all. */
static unsigned int
security_get_size(void *device __rte_unused)
{
	return sizeof(struct accel_ipsec_session);
}

static void
log_refusal(struct accel_dev *dev, const struct rte_security_session_conf *conf,
	    const struct accel_protocol_sessions *of, const struct accel_plan *plan)
{
	char fields[128];

	of->describe(conf, plan, fields, sizeof(fields));
	accel_plan_log(dev, of->log, plan, fields);
}

/* Makes a session, without allocation, lock or wait. */
static int
security_create(void *device, struct rte_security_session_conf *conf,
		struct rte_security_session *session)
{
	struct accel_session *sess = SECURITY_GET_SESS_PRIV(session);
	struct accel_dev *dev = dev_of(device);
	const struct accel_protocol_sessions *of = sessions_of(dev, conf);
	struct accel_plan plan = { 0 };
	int ret;

	ret = of->plan(dev, conf, &plan);
	if (ret != 0) {
		log_refusal(dev, conf, of, &plan);
		return ret;
	}
	ret = accel_session_name(dev, sess, SECURITY_GET_SESS_PRIV_IOVA(session));
	if (ret != 0)
		return ret;
	of->write(&plan, sess);
	if (of->begin != NULL)
		of->begin(&plan, false, sess);
	sess->owner = ACCEL_PROTOCOL_OWNER;
	accel_session_count_context(dev, sess, true);
	return 0;
}

static int
security_destroy(void *device, struct rte_security_session *session)
{
	struct accel_ipsec_session *sess = SECURITY_GET_SESS_PRIV(session);

	if (sess->base.owner != ACCEL_PROTOCOL_OWNER)
		return -EINVAL;
	accel_memzero_explicit(&sess->ipsec, sizeof(*sess) - sizeof(sess->base));
	accel_session_wipe(dev_of(device), &sess->base);
	return 0;
}

/*
 * Sets sequence number and replay window, or the HFN, anew. Nothing else can be updated, so all
 * else must be as before. No operation of an IPsec or TLS session may be in flight, as the device
 * drops its copy of the context.
 */
static int
security_update(void *device, struct rte_security_session *session,
		struct rte_security_session_conf *conf)
{
	struct accel_session *sess = SECURITY_GET_SESS_PRIV(session);
	struct accel_dev *dev = dev_of(device);
	const struct accel_protocol_sessions *of = sessions_of(dev, conf);
	struct accel_ipsec_session wanted = { 0 };
	uint32_t *old = RTE_PTR_ADD(sess, of->window), *new = RTE_PTR_ADD(&wanted, of->window);
	struct accel_plan plan = { 0 };
	uint32_t window = 0;
	int ret;

	if (sess->owner != ACCEL_PROTOCOL_OWNER)
		return -EINVAL;
	ret = of->plan(dev, conf, &plan);
	if (ret == 0 && of->begin == NULL)
		ret = accel_plan_refuse(&plan, -ENOTSUP, "DOCSIS has no update");
	if (ret == 0) {
		of->write(&plan, &wanted.base);
		if (of->window != 0) {
			window = *new;
			*new = *old;
		}
		ret = accel_plan_update(&plan, &wanted.base, sess, of->host_end);
	}
	if (ret != 0) {
		log_refusal(dev, conf, of, &plan);
		return ret;
	}
	of->begin(&plan, true, sess);
	if (of->window != 0) {
		*old = window;
		accel_session_rename(dev, sess);
	}
	return 0;
}

/* Gets the counters of an IPsec session. Sessions of other protocols count nothing. */
static int
security_stats(void *device __rte_unused, struct rte_security_session *session,
	       struct rte_security_stats *stats)
{
	const struct accel_ipsec_session *sess;

	if (stats == NULL)
		return -EINVAL;
	if (session == NULL) /* asks for the counters of the whole device */
		return -ENOTSUP;
	sess = SECURITY_GET_SESS_PRIV(session);
	if (sess->base.owner != ACCEL_PROTOCOL_OWNER)
		return -EINVAL;
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
