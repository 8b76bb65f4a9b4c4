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
#include "accel_logs.h"
#include "accel_suite.h"
#include "accel_tls.h"

#if ACCEL_HAS_TLS_RECORD

#define DTLS_NUMBER_MAX ACCEL_HW_DTLS_NUMBER_MAX
#define NONCE ACCEL_HW_TLS_NONCE

/* A session that a configuration describes. */
struct tls_plan {
	struct accel_suite suite;
	const struct rte_security_tls_record_xform *x;
	bool tls13;
	bool dtls;
	uint8_t block; /* to which CBC pads, else 0 */
};

static const struct accel_dt_protocol *
card_of(const struct accel_devtree *dt, enum rte_security_tls_version version)
{
	return version == RTE_SECURITY_VERSION_TLS_1_2 ? &dt->tls12 :
	       version == RTE_SECURITY_VERSION_TLS_1_3 ? &dt->tls13 : &dt->dtls12;
}

/* What a row of the table needs to be offered in a version and direction. */
static uint8_t
offered_in(bool tls13, bool write)
{
	return tls13 ? ACCEL_TLS_IN_13 : write ? ACCEL_TLS_IN_WRITE_12 : ACCEL_TLS_IN_READ_12;
}

/*
 * Checks.
 */

/* Checks which transforms there are. Records without one of a cipher have NULL. */
static int
plan_xforms(const struct rte_crypto_sym_xform *xform, struct tls_plan *plan)
{
	static const struct rte_crypto_cipher_xform none[] = {
		{ .op = RTE_CRYPTO_CIPHER_OP_ENCRYPT, .algo = RTE_CRYPTO_CIPHER_NULL },
		{ .op = RTE_CRYPTO_CIPHER_OP_DECRYPT, .algo = RTE_CRYPTO_CIPHER_NULL },
	};
	struct accel_suite *suite = &plan->suite;
	int ret = accel_suite_read(suite, xform);

	if (ret != 0)
		return ret;
	if ((suite->aead != NULL) == (suite->auth != NULL) ||
	    (suite->aead != NULL && suite->cipher != NULL))
		return accel_suite_refuse(suite, -EINVAL,
					  "it takes an AEAD, or authentication and a cipher");
	if (plan->tls13 && suite->aead == NULL)
		return accel_suite_refuse(suite, -EINVAL, "TLS 1.3 has only AEADs");
	if (suite->aead == NULL && suite->cipher == NULL)
		suite->cipher = &none[suite->encrypt ? 0 : 1];
	return 0;
}

/* Checks the algorithms. The card takes the IV of an operation only where records have one. */
static int
plan_algs(const struct accel_dev *dev, struct tls_plan *plan)
{
	struct accel_suite *suite = &plan->suite;
	const int ret = accel_suite_check(dev, suite);

	if (plan->tls13)
		suite->iv_len = 0;
	if (suite->encrypt && plan->x->options.iv_gen_disable != 0)
		suite->op_iv_len = suite->iv_len;
	plan->block = suite->cipher != NULL ? suite->iv_len : 0;
	return ret;
}

/* Checks what depends on the version. An IV that is given where records have none is ignored. */
static int
plan_parameters(struct tls_plan *plan)
{
	const struct rte_security_tls_record_xform *x = plan->x;
	struct accel_suite *suite = &plan->suite;
	const bool write = suite->encrypt;

	if (write && x->options.extra_padding_enable != 0 && !plan->tls13 && plan->block == 0)
		return accel_suite_refuse(suite, -ENOTSUP,
					  "records of this algorithm have no padding");
	if (plan->tls13 && write && x->tls_1_3.min_payload_len > ACCEL_HW_TLS13_CONTENT_MAX)
		return accel_suite_refuse(suite, -EINVAL,
					  "the least payload is longer than a record");
	if (plan->dtls && x->dtls_1_2.seq_no > DTLS_NUMBER_MAX)
		return accel_suite_refuse(suite, -EINVAL,
					  "the sequence number has more than 48 bits");
	/* A window has no effect in a session that writes. */
	if (plan->dtls && !write && x->dtls_1_2.ar_win_sz > suite->card->replay_window_max)
		return accel_suite_refuse(suite, -ENOTSUP,
					  "the replay window is larger than the device's");
	return 0;
}

static int
plan_make(const struct accel_dev *dev, const struct rte_security_session_conf *conf,
	  struct tls_plan *plan)
{
	const struct rte_security_tls_record_xform *x = &conf->tls_record;
	struct accel_suite *suite = &plan->suite;
	int ret;

	plan->x = x;
	if ((x->ver != RTE_SECURITY_VERSION_TLS_1_2 && x->ver != RTE_SECURITY_VERSION_TLS_1_3 &&
	     x->ver != RTE_SECURITY_VERSION_DTLS_1_2) ||
	    (x->type != RTE_SECURITY_TLS_SESS_TYPE_READ &&
	     x->type != RTE_SECURITY_TLS_SESS_TYPE_WRITE))
		return accel_suite_refuse(suite, -EINVAL, "there is no such version or type");
	suite->encrypt = x->type == RTE_SECURITY_TLS_SESS_TYPE_WRITE;
	plan->tls13 = x->ver == RTE_SECURITY_VERSION_TLS_1_3;
	plan->dtls = x->ver == RTE_SECURITY_VERSION_DTLS_1_2;
	suite->kind = plan->tls13 ? ACCEL_HW_KIND_TLS13 :
		      plan->dtls  ? ACCEL_HW_KIND_DTLS12 : ACCEL_HW_KIND_TLS12;
	suite->card = card_of(&dev->dt, x->ver);
	suite->table = accel_tls_algs();
	suite->offered = offered_in(plan->tls13, suite->encrypt);
	if (!suite->card->present)
		return accel_suite_refuse(suite, -ENOTSUP,
					  "the device does not offer this version");
	ret = plan_xforms(conf->crypto_xform, plan);
	if (ret == 0)
		ret = plan_algs(dev, plan);
	return ret == 0 ? plan_parameters(plan) : ret;
}

static void
log_refusal(struct accel_dev *dev, const struct tls_plan *plan)
{
	const struct accel_suite *suite = &plan->suite;

	ACCEL_LOG_LIMITED(&dev->refused_log[ACCEL_REFUSED_TLS], NOTICE,
			  "%s: TLS session refused, %s: version %d type %d, cipher %d auth %d "
			  "AEAD %d; see the capabilities", dev->name, suite->why, plan->x->ver,
			  plan->x->type, suite->rte[ACCEL_ALG_CIPHER], suite->rte[ACCEL_ALG_AUTH],
			  suite->rte[ACCEL_ALG_AEAD]);
}

/*
 * Writers.
 */

/* Writes the host's part (manual 8.7). */
static void
write_tls(const struct tls_plan *plan, struct accel_hw_tls *tls)
{
	const struct rte_security_tls_record_xform *x = plan->x;
	const struct accel_suite *suite = &plan->suite;

	RTE_BUILD_BUG_ON(sizeof(x->tls_1_3.imp_nonce) != NONCE);
	tls->options = rte_cpu_to_le_32(suite->op_iv_len != 0 ? ACCEL_HW_TLS_IV_GIVEN : 0);
	tls->records_soft = rte_cpu_to_le_64(x->life.packets_soft_limit);
	tls->records_hard = rte_cpu_to_le_64(x->life.packets_hard_limit);
	if (plan->dtls) {
		tls->epoch = rte_cpu_to_le_16(x->dtls_1_2.epoch);
		tls->replay_window = rte_cpu_to_le_32(suite->encrypt ? 0 : x->dtls_1_2.ar_win_sz);
	}
	if (plan->tls13 && suite->encrypt)
		tls->payload_min = rte_cpu_to_le_32(x->tls_1_3.min_payload_len);
	if (suite->aead == NULL)
		return;
	if (plan->tls13)
		memcpy(tls->fixed_iv, x->tls_1_3.imp_nonce, sizeof(x->tls_1_3.imp_nonce));
	else if (plan->dtls)
		memcpy(tls->fixed_iv, x->dtls_1_2.imp_nonce, sizeof(x->dtls_1_2.imp_nonce));
	else
		memcpy(tls->fixed_iv, x->tls_1_2.imp_nonce, sizeof(x->tls_1_2.imp_nonce));
}

/*
 * Writes the number of the next record (manual 8.7, Numbers). With DTLS, lower numbers count as
 * received if the caller says so, and else those that the window covers may still come.
 */
static void
write_numbers(const struct tls_plan *plan, bool received, struct accel_hw_tls_state *state)
{
	const struct rte_security_tls_record_xform *x = plan->x;
	const uint64_t next = x->ver == RTE_SECURITY_VERSION_TLS_1_3  ? x->tls_1_3.seq_no :
			      x->ver == RTE_SECURITY_VERSION_DTLS_1_2 ? x->dtls_1_2.seq_no :
									x->tls_1_2.seq_no;

	received = received && plan->dtls && !plan->suite.encrypt && next != 0;
	state->sequence = rte_cpu_to_le_64(next);
	memset(state->window, received ? 0xff : 0, sizeof(state->window));
}

/* Writes all of a session but its name and its number. */
static void
write_session(const struct tls_plan *plan, struct accel_tls_session *sess)
{
	const struct accel_suite *suite = &plan->suite;
	struct accel_session *base = &sess->base;

	accel_suite_write(suite, base);
	write_tls(plan, &sess->tls);
	if (!suite->encrypt)
		return;
	if (plan->x->options.extra_padding_enable != 0)
		base->rules |= ACCEL_SESSION_PADS;
	base->head = (uint8_t)(suite->iv_len + (plan->dtls ? ACCEL_HW_DTLS_HEADER :
							     ACCEL_HW_TLS_HEADER));
	base->growth = (uint16_t)(base->head + suite->digest_len + plan->block + plan->tls13);
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
	write_session(&plan, sess);
	write_numbers(&plan, false, &sess->state);
	return 0;
}

int
accel_tls_update(struct accel_dev *dev, const struct rte_security_session_conf *conf,
		 struct accel_tls_session *sess)
{
	struct accel_tls_session wanted = { 0 };
	struct tls_plan plan = { 0 };
	uint32_t window = 0;
	int ret;

	ret = plan_make(dev, conf, &plan);
	if (ret == 0) {
		write_session(&plan, &wanted);
		window = wanted.tls.replay_window;
		wanted.tls.replay_window = sess->tls.replay_window;
		ret = accel_suite_update(&plan.suite, &wanted.base, &sess->base,
					 offsetof(struct accel_tls_session, state));
	}
	if (ret != 0) {
		log_refusal(dev, &plan);
		return ret;
	}
	sess->tls.replay_window = window;
	write_numbers(&plan, true, &sess->state);
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
	const struct accel_suite_table *table = accel_tls_algs();
	unsigned int i, n = 0;

	for (i = 0; i < table->nb; i++) {
		const struct accel_suite_alg *row = &table->rows[i];

		if ((row->offered & offered_in(tls13, write)) == 0 ||
		    !accel_suite_capability(dt, card, row, &caps[n]))
			continue;
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
