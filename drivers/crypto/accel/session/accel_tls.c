/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessions of TLS records. See accel_tls.h.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_crypto_sym.h>

#include "accel_compat.h"
#include "accel_devtree.h"
#include "accel_plan.h"
#include "accel_tls.h"

#if ACCEL_HAS_TLS_RECORD

#define DTLS_NUMBER_MAX ACCEL_HW_DTLS_NUMBER_MAX
#define NONCE ACCEL_HW_TLS_NONCE

/* These bits of accel_plan_alg.offered say in which versions and directions an algorithm is
 * offered. */
#define IN_READ_12 0x1u
#define IN_WRITE_12 0x2u
#define IN_13 0x4u
#define IN_12 (IN_READ_12 | IN_WRITE_12)
#define IN_ALL (IN_12 | IN_13)
#define RANGE(min, max, step) { min, max, step }
#define ROW(class_, name, key_, digest_, explicit_iv, in)                                          \
	{                                                                                          \
		.class = ACCEL_ALG_##class_, .rte = RTE_CRYPTO_##class_##_##name, .offered = in,   \
		.iv_len = explicit_iv, .key = key_, .digest = digest_                              \
	}

/*
 * Has the algorithms of TLS records. A key of HMAC has the length of the digest, and digests are
 * not cut (RFC 5246, 6.3).
 *
 * rte_security has 4 bytes for the implicit nonce of TLS 1.2 and DTLS 1.2, but CHACHA20-POLY1305
 * needs 12 (RFC 7905). So CHACHA20-POLY1305 is offered with TLS 1.3 only.
 *
 * Records without a cipher have no padding (RFC 5246, 6.2.3.1), but DPDK's test of written records
 * expects a byte of padding. So the cipher NULL is offered for reading only.
 */
static const struct accel_plan_alg tls_algs[] = {
	ROW(CIPHER, NULL, RANGE(0, 0, 0), RANGE(0, 0, 0), 0, IN_READ_12),
	ROW(CIPHER, AES_CBC, RANGE(16, 32, 16), RANGE(0, 0, 0), 16, IN_12),
	ROW(CIPHER, 3DES_CBC, RANGE(24, 24, 0), RANGE(0, 0, 0), 8, IN_12),
	ROW(AUTH, SHA1_HMAC, RANGE(20, 20, 0), RANGE(20, 20, 0), 0, IN_12),
	ROW(AUTH, SHA256_HMAC, RANGE(32, 32, 0), RANGE(32, 32, 0), 0, IN_12),
	ROW(AUTH, SHA384_HMAC, RANGE(48, 48, 0), RANGE(48, 48, 0), 0, IN_12),
	ROW(AEAD, AES_GCM, RANGE(16, 32, 16), RANGE(16, 16, 0), 8, IN_ALL),
	ROW(AEAD, AES_CCM, RANGE(16, 32, 16), RANGE(8, 16, 8), 8, IN_ALL),
	ROW(AEAD, CHACHA20_POLY1305, RANGE(32, 32, 0), RANGE(16, 16, 0), 0, IN_13),
};

static_assert(RTE_DIM(tls_algs) == ACCEL_TLS_ALGS, "room in struct accel_tls_caps");

/* Applications give TLS 1.3 no IV, or the length of the nonce. */
static const struct accel_plan_table tls13_table = {
	.rows = tls_algs, .nb = RTE_DIM(tls_algs),
	.shown[ACCEL_ALG_AEAD] = { .iv = { 0, NONCE, NONCE },
				   .aad = { ACCEL_HW_TLS_HEADER, ACCEL_HW_TLS_HEADER, 0 } },
};

static const struct accel_plan_table tls12_table = {
	.rows = tls_algs, .nb = RTE_DIM(tls_algs),
	.shown[ACCEL_ALG_AEAD] = { .iv = { NONCE, NONCE, 0 }, .aad = { 13, 13, 0 } },
};

static const struct accel_dt_protocol *
card_of(const struct accel_devtree *dt, enum rte_security_tls_version version)
{
	return version == RTE_SECURITY_VERSION_TLS_1_2 ? &dt->tls12 :
	       version == RTE_SECURITY_VERSION_TLS_1_3 ? &dt->tls13 : &dt->dtls12;
}

/* Returns the bit that a row of the table needs to be offered in a version and direction. */
static uint8_t
offered_in(bool tls13, bool write)
{
	return tls13 ? IN_13 : write ? IN_WRITE_12 : IN_READ_12;
}

/* Checks that the transforms go together, and with the version. */
static int
plan_xforms(const struct rte_crypto_sym_xform *xform, struct accel_plan *plan)
{
	int ret = accel_plan_read(plan, xform);

	if (ret != 0)
		return ret;
	if ((plan->aead != NULL) == (plan->auth != NULL) ||
	    (plan->aead != NULL && plan->cipher != NULL))
		return accel_plan_refuse(plan, -EINVAL,
					 "it takes an AEAD, or authentication and a cipher");
	if (plan->tls.tls13 && plan->aead == NULL)
		return accel_plan_refuse(plan, -EINVAL, "TLS 1.3 has only AEADs");
	return 0;
}

/*
 * Checks the algorithms. Records without a cipher have the cipher NULL, which is offered for
 * reading only. The card takes an IV from an operation only if records have an IV. Otherwise an IV
 * that an operation gives is ignored.
 */
static int
plan_algs(const struct accel_dev *dev, struct accel_plan *plan)
{
	int ret = accel_plan_check(dev, plan);

	if (ret == 0 && plan->aead == NULL && plan->cipher == NULL)
		ret = plan->encrypt ? accel_plan_refuse(plan, -ENOTSUP, "records without a cipher "
							"are only read") :
				      accel_plan_take_null(plan, ACCEL_ALG_CIPHER);
	if (plan->tls.tls13)
		plan->iv_len = 0;
	if (plan->encrypt && plan->tls.x->options.iv_gen_disable != 0)
		plan->op_iv_len = (uint8_t)plan->iv_len;
	plan->tls.block = plan->cipher != NULL ? (uint8_t)plan->iv_len : 0;
	return ret;
}

static int
plan_parameters(struct accel_plan *plan)
{
	const struct rte_security_tls_record_xform *x = plan->tls.x;
	const bool write = plan->encrypt, tls13 = plan->tls.tls13, dtls = plan->tls.dtls;
	const bool pads = tls13 || plan->tls.block != 0;
	const struct accel_plan_rule rules[] = {
		{ write && x->options.extra_padding_enable != 0 && !pads, -ENOTSUP,
		  "records of this algorithm have no padding" },
		{ tls13 && write && x->tls_1_3.min_payload_len > ACCEL_HW_TLS13_CONTENT_MAX,
		  -EINVAL, "the least payload is longer than a record" },
		{ dtls && x->dtls_1_2.seq_no > DTLS_NUMBER_MAX, -EINVAL,
		  "the sequence number has more than 48 bits" },
		/* A window has no effect in a session that writes. */
		{ dtls && !write && x->dtls_1_2.ar_win_sz > plan->card->replay_window_max,
		  -ENOTSUP, "the replay window is larger than the device's" },
	};

	return accel_plan_obey(plan, rules, RTE_DIM(rules));
}

static int
plan_make(const struct accel_dev *dev, const struct rte_security_session_conf *conf,
	  struct accel_plan *plan)
{
	const struct rte_security_tls_record_xform *x = &conf->tls_record;
	int ret;

	plan->tls.x = x;
	if ((x->ver != RTE_SECURITY_VERSION_TLS_1_2 && x->ver != RTE_SECURITY_VERSION_TLS_1_3 &&
	     x->ver != RTE_SECURITY_VERSION_DTLS_1_2) ||
	    (x->type != RTE_SECURITY_TLS_SESS_TYPE_READ &&
	     x->type != RTE_SECURITY_TLS_SESS_TYPE_WRITE))
		return accel_plan_refuse(plan, -EINVAL, "there is no such version or type");
	plan->encrypt = x->type == RTE_SECURITY_TLS_SESS_TYPE_WRITE;
	plan->tls.tls13 = x->ver == RTE_SECURITY_VERSION_TLS_1_3;
	plan->tls.dtls = x->ver == RTE_SECURITY_VERSION_DTLS_1_2;
	plan->kind = plan->tls.tls13 ? ACCEL_HW_KIND_TLS13 :
		      plan->tls.dtls  ? ACCEL_HW_KIND_DTLS12 : ACCEL_HW_KIND_TLS12;
	plan->card = card_of(&dev->dt, x->ver);
	plan->table = plan->tls.tls13 ? &tls13_table : &tls12_table;
	plan->offered = offered_in(plan->tls.tls13, plan->encrypt);
	if (!plan->card->present)
		return accel_plan_refuse(plan, -ENOTSUP, "the device does not offer this version");
	ret = plan_xforms(conf->crypto_xform, plan);
	if (ret == 0)
		ret = plan_algs(dev, plan);
	return ret == 0 ? plan_parameters(plan) : ret;
}

static void
describe(const struct rte_security_session_conf *conf, const struct accel_plan *plan __rte_unused,
	 char *text, size_t size)
{
	snprintf(text, size, "version %d type %d, ", conf->tls_record.ver, conf->tls_record.type);
}

/* Writes the host's part of a context (manual 8.7). */
static void
write_tls(const struct accel_plan *plan, struct accel_hw_tls *tls)
{
	const struct rte_security_tls_record_xform *x = plan->tls.x;

	RTE_BUILD_BUG_ON(sizeof(x->tls_1_3.imp_nonce) != NONCE);
	tls->options = rte_cpu_to_le_32(plan->op_iv_len != 0 ? ACCEL_HW_TLS_IV_GIVEN : 0);
	tls->records_soft = rte_cpu_to_le_64(x->life.packets_soft_limit);
	tls->records_hard = rte_cpu_to_le_64(x->life.packets_hard_limit);
	if (plan->tls.dtls) {
		tls->epoch = rte_cpu_to_le_16(x->dtls_1_2.epoch);
		tls->replay_window = rte_cpu_to_le_32(plan->encrypt ? 0 : x->dtls_1_2.ar_win_sz);
	}
	if (plan->tls.tls13 && plan->encrypt)
		tls->payload_min = rte_cpu_to_le_32(x->tls_1_3.min_payload_len);
	if (plan->aead == NULL)
		return;
	if (plan->tls.tls13)
		memcpy(tls->fixed_iv, x->tls_1_3.imp_nonce, sizeof(x->tls_1_3.imp_nonce));
	else if (plan->tls.dtls)
		memcpy(tls->fixed_iv, x->dtls_1_2.imp_nonce, sizeof(x->dtls_1_2.imp_nonce));
	else
		memcpy(tls->fixed_iv, x->tls_1_2.imp_nonce, sizeof(x->tls_1_2.imp_nonce));
}

/*
 * Writes the number of the next record (manual 8.7, Numbers). In DTLS, all lower numbers count as
 * received after an update. Without an update, lower numbers in the window may still come.
 */
static void
begin(const struct accel_plan *plan, bool update, struct accel_session *sess)
{
	struct accel_hw_tls_state *state = &((struct accel_tls_session *)sess)->state;
	const struct rte_security_tls_record_xform *x = plan->tls.x;
	const uint64_t next = plan->tls.tls13 ? x->tls_1_3.seq_no :
			      plan->tls.dtls  ? x->dtls_1_2.seq_no : x->tls_1_2.seq_no;
	const bool received = update && plan->tls.dtls && !plan->encrypt && next != 0;

	state->sequence = rte_cpu_to_le_64(next);
	memset(state->window, received ? 0xff : 0, sizeof(state->window));
}

static void
write_session(const struct accel_plan *plan, struct accel_session *sess)
{
	const bool dtls = plan->tls.dtls;

	accel_plan_write(plan, sess);
	write_tls(plan, &((struct accel_tls_session *)sess)->tls);
	if (!plan->encrypt)
		return;
	if (plan->tls.x->options.extra_padding_enable != 0)
		sess->rules |= ACCEL_SESSION_PADS;
	sess->head = (uint8_t)(plan->iv_len + (dtls ? ACCEL_HW_DTLS_HEADER : ACCEL_HW_TLS_HEADER));
	sess->growth = (uint16_t)(sess->head + plan->digest_len + plan->tls.block +
				  plan->tls.tls13);
}

const struct accel_protocol_sessions accel_tls_sessions = {
	.log = ACCEL_REFUSED_TLS,
	.plan = plan_make,
	.write = write_session,
	.begin = begin,
	.describe = describe,
	.host_end = offsetof(struct accel_tls_session, state),
	.window = offsetof(struct accel_tls_session, tls.replay_window),
};

bool
accel_tls_is(const struct rte_security_session_conf *conf)
{
	return conf->protocol == RTE_SECURITY_PROTOCOL_TLS_RECORD;
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
		const bool tls13 = version == RTE_SECURITY_VERSION_TLS_1_3;

		if (accel_plan_capabilities(dt, card, tls13 ? &tls13_table : &tls12_table,
					    offered_in(tls13, write), caps->algs[n]) == 0)
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

const struct accel_protocol_sessions accel_tls_sessions = { .host_end = 0 };

#endif
