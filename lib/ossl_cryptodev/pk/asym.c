/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public keys on the device: what it has, sessions, and jobs made of requests.
 */
#include <errno.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <rte_cryptodev.h>
#include <rte_version.h>

#include "lane.h"
#include "pk.h"

#define AT(field) offsetof(struct rte_crypto_asym_op, field)
#define ALIGN 8

/* From DPDK 24.11 on the transform has the key of ECDSA, and before that the operation. */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define KEY_IN_TRANSFORM 1
#define KEY_AT(field) 0
#else
#define KEY_IN_TRANSFORM 0
#define KEY_AT(field) AT(field)
#endif

/* An operation, and where struct rte_crypto_asym_op has its operands and results. A public
 * operation of RSA is an encryption without padding, also if it verifies a signature.
 */
static const struct form {
	const char *name;
	enum rte_crypto_asym_xform_type xform;
	int op; /* enum rte_crypto_asym_op_type or rte_crypto_asym_ke_type */
	uint16_t in[OC_PK_IN]; /* 0: none */
	uint16_t out[OC_PK_OUT];
} forms[OC_ALGS - OC_CIPHERS] = {
#define FORM(alg, name, xform, op, ...) \
	[alg - OC_CIPHERS] = { name, RTE_CRYPTO_ASYM_XFORM_##xform, RTE_CRYPTO_ASYM_##op, \
		__VA_ARGS__ }
	FORM(OC_RSA_SIGN, "RSA-sign", RSA, OP_SIGN, { AT(rsa.message) }, { AT(rsa.sign) }),
	FORM(OC_RSA_VERIFY, "RSA-verify", RSA, OP_ENCRYPT, { AT(rsa.message) }, { AT(rsa.cipher) }),
	FORM(OC_RSA_ENCRYPT, "RSA-encrypt", RSA, OP_ENCRYPT, { AT(rsa.message) },
			{ AT(rsa.cipher) }),
	FORM(OC_RSA_DECRYPT, "RSA-decrypt", RSA, OP_DECRYPT, { AT(rsa.cipher) },
			{ AT(rsa.message) }),
	FORM(OC_ECDSA_SIGN, "ECDSA-sign", ECDSA, OP_SIGN,
			{ AT(ecdsa.message), AT(ecdsa.k), KEY_AT(ecdsa.pkey) },
			{ AT(ecdsa.r), AT(ecdsa.s) }),
	FORM(OC_ECDSA_VERIFY, "ECDSA-verify", ECDSA, OP_VERIFY,
			{ AT(ecdsa.message), AT(ecdsa.r), AT(ecdsa.s), KEY_AT(ecdsa.q.x),
					KEY_AT(ecdsa.q.y) },
			{ 0 }),
	FORM(OC_ECDH, "ECDH", ECDH, KE_SHARED_SECRET_COMPUTE,
			{ AT(ecdh.priv_key), AT(ecdh.pub_key.x), AT(ecdh.pub_key.y) },
			{ AT(ecdh.shared_secret.x), AT(ecdh.shared_secret.y) }),
	FORM(OC_RANDOM, "random", ECDH, KE_PRIV_KEY_GENERATE, { 0 }, { AT(ecdh.priv_key) }),
};

static_assert(AT(rsa.op_type) == AT(ecdsa.op_type) && AT(rsa.op_type) == AT(ecdh.ke_type),
		"the type of an operation comes first");

static const struct form *
form_of(enum oc_alg_id alg)
{
	return &forms[alg - OC_CIPHERS];
}

/* Returns the name of an operation for the counters. */
const char *
oc_pk_name(enum oc_alg_id alg)
{
	return form_of(alg)->name;
}

/* Asks the device, which takes longer than an operation costs otherwise. */
static bool
ask(enum oc_alg_id alg, struct oc_key *key)
{
	const struct form *f = form_of(alg);
	const struct rte_cryptodev_asym_capability_idx index = { .type = f->xform };
	const struct rte_cryptodev_asymmetric_xform_capability *cap;
	size_t len;

	if (oc_device.asym_sessions == NULL)
		return false;
	cap = rte_cryptodev_asym_capability_get(oc_device.id, &index);
	if (cap == NULL ||
			rte_cryptodev_asym_xform_capability_check_optype(
					cap, (enum rte_crypto_asym_op_type)f->op) != 1)
		return false;
	if (key->type == OC_KEY_EC)
		return oc_ec_curve(key, &len) != 0;
	return rte_cryptodev_asym_xform_capability_check_modlen(
			       cap, oc_key_size(key)) == 0;
}

/* True if the device has an operation for this key, which stays so. */
static bool
supports(enum oc_alg_id alg, struct oc_key *key)
{
	unsigned int bit = 1u << (alg - OC_CIPHERS);

	if ((atomic_load(&key->asked) & bit) == 0) {
		if (ask(alg, key))
			atomic_fetch_or(&key->supported, bit);
		atomic_fetch_or(&key->asked, bit);
	}
	return (atomic_load(&key->supported) & bit) != 0;
}

/* True if an operation is for the device. Otherwise the fallback is counted. */
bool
oc_pk_wanted(enum oc_alg_id alg, struct oc_pk *pk)
{
	enum oc_reason reason = oc_device_ready();

	pk->pace = NULL;
	if (reason == OC_REASONS && !supports(alg, pk->key))
		reason = OC_UNSUPPORTED;
	else if (reason == OC_REASONS && oc_settings.automatic_keys && !oc_pace_device(pk, alg))
		reason = OC_SLOW;
	if (reason != OC_REASONS)
		oc_count_fallback(alg, reason);
	return reason == OC_REASONS;
}

/* Numbers of a key on their way into a session. */
struct numbers {
	uint8_t *next;
	size_t left;
};

static bool
take(struct numbers *n, struct oc_key *key, const char *name, size_t least,
		rte_crypto_uint *param)
{
	param->length = oc_key_number(key, name, n->next, least, n->left);
	param->data = n->next;
	n->next += param->length;
	n->left -= param->length;
	return param->length != 0;
}

/* Fills the transform of a key for RSA, with five private numbers if key and device have these. */
static bool
fill_rsa(struct rte_crypto_rsa_xform *x, struct oc_key *key, struct numbers *n)
{
	size_t len = oc_key_size(key), half = (len + 1) / 2;
	struct numbers before;
	rte_crypto_uint more;

	if (!take(n, key, OSSL_PKEY_PARAM_RSA_N, len, &x->n) ||
			!take(n, key, OSSL_PKEY_PARAM_RSA_E, 0, &x->e))
		return false;
	before = *n;
	x->key_type = RTE_RSA_KEY_TYPE_QT;
	if ((oc_device.features & RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_QT) &&
			take(n, key, OSSL_PKEY_PARAM_RSA_FACTOR1, half, &x->qt.p) &&
			take(n, key, OSSL_PKEY_PARAM_RSA_FACTOR2, half, &x->qt.q) &&
			take(n, key, OSSL_PKEY_PARAM_RSA_EXPONENT1, half, &x->qt.dP) &&
			take(n, key, OSSL_PKEY_PARAM_RSA_EXPONENT2, half, &x->qt.dQ) &&
			take(n, key, OSSL_PKEY_PARAM_RSA_COEFFICIENT1, half, &x->qt.qInv) &&
			!take(n, key, OSSL_PKEY_PARAM_RSA_FACTOR3, 0, &more))
		return true;
	*n = before;
	memset(&x->qt, 0, sizeof(x->qt));
	x->key_type = RTE_RSA_KEY_TYPE_EXP;
	take(n, key, OSSL_PKEY_PARAM_RSA_D, len, &x->d); /* a public key has none */
	return true;
}

/* Fills the transform of a key for ECDSA or ECDH. */
static bool
fill_ec(struct rte_crypto_ec_xform *x, struct oc_key *key, struct numbers *n)
{
	size_t len;

	x->curve_id = oc_ec_curve(key, &len);
#if KEY_IN_TRANSFORM
	take(n, key, OSSL_PKEY_PARAM_PRIV_KEY, len, &x->pkey); /* a public key has none */
	return take(n, key, OSSL_PKEY_PARAM_EC_PUB_X, len, &x->q.x) &&
			take(n, key, OSSL_PKEY_PARAM_EC_PUB_Y, len, &x->q.y);
#else
	(void)n;
	return true;
#endif
}

/* Makes a session of a key. Returns what keeps it from being made, or OC_REASONS. */
static enum oc_reason
session_make(struct oc_key *key, struct oc_pk_session *s)
{
	size_t size = 8 * oc_key_size(key);
	struct rte_crypto_asym_xform xform;
	uint8_t *memory = OPENSSL_malloc(size);
	struct numbers n = { memory, size };
	int ret = -ENOMEM;

	memset(&xform, 0, sizeof(xform));
	xform.xform_type = s->xform;
	if (memory != NULL &&
			(key->type == OC_KEY_EC ? fill_ec(&xform.ec, key, &n)
						: fill_rsa(&xform.rsa, key, &n))) {
		oc_inside++;
		ret = rte_cryptodev_asym_session_create(
				oc_device.id, &xform, oc_device.asym_sessions, &s->handle);
		oc_inside--;
	}
	OPENSSL_clear_free(memory, size);
	if (ret == 0)
		return OC_REASONS;
	s->handle = NULL;
	return ret == -ENOMEM ? OC_NO_SESSION : OC_UNSUPPORTED;
}

/* Takes a session that no other operation has, or makes one. */
static enum oc_reason
session_take(struct oc_key *key, enum oc_alg_id alg, struct oc_pk_session *s)
{
	s->handle = NULL;
	s->xform = form_of(alg)->xform;
	pthread_mutex_lock(&key->lock);
	for (unsigned int i = 0; i < key->nb_idle && s->handle == NULL; i++) {
		if (key->idle[i].xform != s->xform)
			continue;
		*s = key->idle[i];
		key->idle[i] = key->idle[--key->nb_idle];
	}
	pthread_mutex_unlock(&key->lock);
	return s->handle != NULL ? OC_REASONS : session_make(key, s);
}

/* Leaves a session to the next operation with the key. */
static void
session_leave(struct oc_key *key, struct oc_pk_session *s)
{
	bool kept = false;

	if (s->handle == NULL || oc_process_forked())
		return;
	pthread_mutex_lock(&key->lock);
	if (key->nb_idle < OC_IDLE_SESSIONS) {
		key->idle[key->nb_idle++] = *s;
		kept = true;
	}
	pthread_mutex_unlock(&key->lock);
	if (!kept)
		oc_session_free(RTE_CRYPTO_OP_TYPE_ASYMMETRIC, s->handle);
}

/* Frees the sessions of a key that no operation has. */
void
oc_pk_sessions_free(struct oc_key *key)
{
	while (key->nb_idle != 0)
		oc_session_free(RTE_CRYPTO_OP_TYPE_ASYMMETRIC, key->idle[--key->nb_idle].handle);
}

static rte_crypto_param *
param_at(struct oc_job *job, uint16_t at)
{
	return (rte_crypto_param *)((uint8_t *)&job->asym + at);
}

/* Gives an operand or a result its place in the job. */
static void
place(struct oc_job *job, uint16_t at, const uint8_t *data, size_t len)
{
	rte_crypto_param *p = param_at(job, at);

	p->data = job->data + job->used;
	p->iova = job->op.phys_addr + offsetof(struct oc_job, data) + job->used;
	p->length = data != NULL ? len : 0;
	if (data != NULL)
		memcpy(p->data, data, len);
	job->used += RTE_ALIGN_CEIL(len, ALIGN);
	job->copied += len;
}

static bool
fill_job(struct oc_job *job, const struct oc_pk_request *r)
{
	const struct form *f = form_of(r->alg);
	size_t size = OC_PK_OUT * (r->out_len + ALIGN);

	for (int i = 0; i < OC_PK_IN; i++)
		size += r->in[i].len + ALIGN;
	if (size > OC_DATA_MAX)
		return false;
	job->asym.rsa.op_type = f->op;
	job->verifies = r->alg == OC_ECDSA_VERIFY;
	for (int i = 0; i < OC_PK_IN && f->in[i] != 0; i++)
		place(job, f->in[i], r->in[i].data, r->in[i].len);
	for (int i = 0; i < OC_PK_OUT && f->out[i] != 0; i++)
		place(job, f->out[i], NULL, r->out_len);
	return true;
}

/* Hands the results to the caller, with the zeros that a device may leave out. */
static bool
take_results(struct oc_job *job, const struct oc_pk_request *r)
{
	const struct form *f = form_of(r->alg);
	size_t bytes = 0;

	for (int i = 0; i < OC_PK_OUT && r->out[i] != NULL; i++) {
		rte_crypto_param *p = param_at(job, f->out[i]);

		if (p->length > r->out_len)
			return false;
		memset(r->out[i], 0, r->out_len - p->length);
		memcpy(r->out[i] + r->out_len - p->length, p->data, p->length);
	}
	for (int i = 0; i < OC_PK_IN; i++)
		bytes += r->in[i].len;
	oc_job_count(job, r->alg, bytes);
	return true;
}

/* Does a request with the device. If that is not possible, the reason is counted and nothing of
 * the results counts.
 */
bool
oc_pk_run(const struct oc_pk_request *r)
{
	struct oc_pk_session session;
	enum oc_reason reason = session_take(r->key, r->alg, &session);
	struct oc_job *job = NULL;

	if (reason == OC_REASONS) {
		job = oc_job_new(RTE_CRYPTO_OP_TYPE_ASYMMETRIC, session.handle);
		reason = job != NULL ? OC_REASONS : OC_NO_JOB;
	}
	if (reason == OC_REASONS)
		reason = fill_job(job, r) ? oc_job_do(job) : OC_LONG;
	if (reason == OC_REASONS && !take_results(job, r))
		reason = OC_FAILED;
	if (job != NULL)
		oc_job_discard(job, reason == OC_LOST ? &session.handle : NULL);
	session_leave(r->key, &session);
	if (reason != OC_REASONS)
		oc_count_fallback(r->alg, reason);
	return reason == OC_REASONS;
}
