/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Ciphers on the device: what it has, sessions, and jobs made of requests.
 */
#include <string.h>

#include <rte_cryptodev.h>

#include "lane.h"

/* True if the device has the cipher with its usual sizes. */
bool
oc_sym_supports(enum oc_alg_id alg, size_t aad_len)
{
	const struct rte_cryptodev_symmetric_capability *cap;
	const struct oc_alg *a = &oc_algs[alg];
	struct rte_cryptodev_sym_capability_idx index = { .algo.aead = a->device_alg };

	index.type = oc_is_aead(alg) ? RTE_CRYPTO_SYM_XFORM_AEAD : RTE_CRYPTO_SYM_XFORM_CIPHER;
	cap = rte_cryptodev_sym_capability_get(oc_device.id, &index);
	if (cap == NULL)
		return false;
	if (oc_is_aead(alg))
		return rte_cryptodev_sym_capability_check_aead(
				       cap, a->key_len, OC_TAG, aad_len, OC_NONCE) == 0;
	return rte_cryptodev_sym_capability_check_cipher(cap, a->key_len, a->iv_len) == 0;
}

static void
fill_xform(struct rte_crypto_sym_xform *xform, const struct oc_request *r)
{
	const struct oc_alg *a = &oc_algs[r->alg];

	memset(xform, 0, sizeof(*xform));
	if (oc_is_aead(r->alg)) {
		xform->type = RTE_CRYPTO_SYM_XFORM_AEAD;
		xform->aead.op = r->enc ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
		xform->aead.algo = a->device_alg;
		xform->aead.key.data = r->key;
		xform->aead.key.length = a->key_len;
		xform->aead.iv.offset = OC_IV_OFFSET;
		xform->aead.iv.length = a->iv_len;
		xform->aead.digest_length = OC_TAG;
		xform->aead.aad_length = r->aad_len;
	} else {
		xform->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
		xform->cipher.op = r->enc ? RTE_CRYPTO_CIPHER_OP_ENCRYPT
					  : RTE_CRYPTO_CIPHER_OP_DECRYPT;
		xform->cipher.algo = a->device_alg;
		xform->cipher.key.data = r->key;
		xform->cipher.key.length = a->key_len;
		xform->cipher.iv.offset = OC_IV_OFFSET;
		xform->cipher.iv.length = a->iv_len;
	}
}

void
oc_sym_session_free(struct oc_session *s)
{
	oc_session_free(RTE_CRYPTO_OP_TYPE_SYMMETRIC, s->handle);
	s->handle = NULL;
}

/* Makes the session that a request needs, if there is none. Returns why that is not possible, or
 * OC_REASONS.
 */
static enum oc_reason
session_make(struct oc_session *s, const struct oc_request *r)
{
	struct rte_crypto_sym_xform xform;

	if (s->handle != NULL && s->enc == r->enc && s->aad_len == r->aad_len)
		return OC_REASONS;
	if (!oc_sym_supports(r->alg, r->aad_len))
		return OC_UNSUPPORTED;
	oc_sym_session_free(s);
	fill_xform(&xform, r);
	oc_inside++;
	s->handle = rte_cryptodev_sym_session_create(oc_device.id, &xform, oc_device.sym_sessions);
	oc_inside--;
	s->enc = r->enc;
	s->aad_len = r->aad_len;
	return s->handle != NULL ? OC_REASONS : OC_NO_SESSION;
}

/* Fills an mbuf of a new job, which is all zeros. */
static void
fill_mbuf(struct rte_mbuf *m, const void *data, size_t len)
{
	m->buf_addr = (void *)(uintptr_t)data;
	m->buf_iova = rte_mem_virt2iova(data);
	m->buf_len = len;
	m->data_len = len;
	m->pkt_len = len;
	m->nb_segs = 1;
	rte_mbuf_refcnt_set(m, 1);
}

static bool
apart(const struct oc_request *r)
{
	return r->in + r->len <= r->out || r->out + r->len <= r->in;
}

/* Places the text: as it is where the device reaches it, else copied. The input of an operation
 * that has to be done again stays somewhere, unless the setting says that a failure may be one for
 * the program, too. So one side is copied of a text in place or one with more parts: that which is
 * sealed, because its copy need not be wiped.
 */
static void
fill_data(struct oc_job *job, const struct oc_request *r)
{
	bool out_of_place = (oc_device.features & RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT) != 0;
	bool reached_out = oc_memory_reached(r->out, r->len);
	bool one_side = r->keep != NULL || !apart(r), direct_in;

	job->spoils = reached_out && r->in == r->out && r->keep == NULL && !oc_settings.keep_input;
	direct_in = job->spoils || (out_of_place && (r->enc || !one_side) &&
			oc_memory_reached(r->in, r->len));
	job->writes_directly = job->spoils || (out_of_place && reached_out &&
			!(one_side && direct_in));
	job->holds_input = job->writes_directly && !direct_in;
	if (!direct_in) {
		memcpy(job->data, r->in, r->len);
		job->copied += r->len;
	}
	job->used = direct_in && job->writes_directly ? 0 : r->len;
	fill_mbuf(&job->src, direct_in ? r->in : job->data, r->len);
	job->sym.m_src = &job->src;
	if (!job->spoils && (job->writes_directly || direct_in)) {
		fill_mbuf(&job->dst, job->writes_directly ? r->out : job->data, r->len);
		job->sym.m_dst = &job->dst;
	}
}

static void
fill_job(struct oc_job *job, const struct oc_request *r)
{
	memcpy(job->iv, r->iv, oc_algs[r->alg].iv_len);
	fill_data(job, r);
	if (r->tag == NULL) {
		job->sym.cipher.data.length = r->len;
		return;
	}
	job->sym.aead.data.length = r->len;
	job->sym.aead.aad.data = job->aad;
	job->sym.aead.aad.phys_addr = job->op.phys_addr + offsetof(struct oc_job, aad);
	job->sym.aead.digest.data = job->tag;
	job->sym.aead.digest.phys_addr = job->op.phys_addr + offsetof(struct oc_job, tag);
	memcpy(job->aad, r->aad, r->aad_len);
	if (!r->enc)
		memcpy(job->tag, r->tag, OC_TAG);
}

/* Hands the output to the caller and counts the operation. A job that has only sealed text is not
 * wiped.
 */
static void
take_output(struct oc_job *job, const struct oc_request *r)
{
	if (!job->writes_directly) {
		memcpy(r->out, job->data, r->len);
		job->copied += r->len;
	}
	if (r->tag != NULL && r->enc)
		memcpy(r->tag, job->tag, OC_TAG);
	if (r->enc != job->holds_input)
		job->used = 0;
	oc_job_count(job, r->alg, r->len);
}

/* Returns why the device cannot do a request, or OC_REASONS. */
static enum oc_reason
refuse(const struct oc_request *r)
{
	enum oc_reason reason;

	if (r->len > OC_DATA_MAX || r->aad_len > OC_AAD_MAX)
		return OC_LONG;
	reason = oc_device_ready();
	if (reason == OC_NO_DEVICE || reason == OC_FORKED)
		oc_least_set(reason);
	return reason == OC_REASONS ? session_make(r->session, r) : reason;
}

/* Does a request with the device. If that is not possible, the reason is counted and nothing of
 * the output counts.
 */
enum oc_outcome
oc_run(const struct oc_request *r)
{
	enum oc_reason reason = refuse(r);
	struct oc_job *job = NULL;
	bool spoilt = false;

	if (reason == OC_REASONS) {
		job = oc_job_new(RTE_CRYPTO_OP_TYPE_SYMMETRIC, r->session->handle);
		reason = job != NULL ? OC_REASONS : OC_NO_JOB;
	}
	if (reason == OC_REASONS) {
		fill_job(job, r);
		reason = oc_job_do(job);
		spoilt = job->spoils && reason != OC_NO_JOB;
		if (reason == OC_LOST && job->writes_directly)
			oc_device_stop();
	}
	if (reason == OC_REASONS) {
		take_output(job, r);
		if (r->keep != NULL)
			*r->keep = job;
		else
			oc_job_release(job);
		return OC_DONE;
	}
	if (job != NULL && job->holds_input &&
			!apart(r)) /* and the device may have written there */
		memcpy((uint8_t *)(uintptr_t)r->in, job->data, r->len);
	if (job != NULL)
		oc_job_discard(job, reason == OC_LOST ? &r->session->handle : NULL);
	oc_count_fallback(r->alg, reason);
	return spoilt ? OC_SPOILT : OC_LEFT;
}
