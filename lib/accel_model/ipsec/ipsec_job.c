/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The job of an engine for an operation of ESP or AH: its IV or nonce, what the ICV covers, and
 * where the upper half of an extended sequence number is for the job.
 */
#include <string.h>

#include "ipsec/ipsec_work.h"

/* Protocols do not use auth_iv of the command. In op->cmd this field holds an AAD of ESP (12
 * bytes), or the bytes of the packet that are overwritten for GMAC. */
static_assert(sizeof(((struct op *)NULL)->cmd.auth_iv) >= ESP_HEADER + ESN_LEN, "room for an AAD");

static uint32_t
high_half(const struct op *op)
{
	return (uint32_t)(op->ipsec.number >> 32);
}

static inline void
set_iv(struct engine_job *job, const struct ipsec_sa *sa, const uint8_t *iv)
{
	uint8_t *to = sa->form == IPSEC_FORM_GMAC ? job->auth_iv : job->iv;

	if (sa->nonce == IPSEC_NONCE_RANDOM) {
		ipsec_copy_iv(to, iv, sa->iv_len);
	} else if (sa->nonce != IPSEC_NONCE_NONE) {
		memcpy(to, sa->salt, ACCEL_HW_IPSEC_SALT_MAX);
		memcpy(to + sa->salt_len, iv, ACCEL_HW_IPSEC_IV_COUNTED);
	}
	if (sa->nonce == IPSEC_NONCE_COUNTER)
		put_be32(to + ACCEL_HW_IV_MAX - 4, 1);
}

/* Make the AAD of an AEAD (RFC 4106, section 5; RFC 4309, section 5; RFC 7634, section 2.1). */
static inline void
cover_aead(struct op *op, const struct ipsec_sa *sa, const uint8_t *esp)
{
	struct engine_job *job = &op->job;
	uint8_t *aad = op->cmd.auth_iv;

	job->aad = aad;
	job->aad_len = ESP_HEADER;
	memcpy(aad, esp, ESP_HEADER);
	if (ipsec_has(sa, ACCEL_HW_IPSEC_ESN)) {
		memmove(aad + SPI_LEN + ESN_LEN, aad + SPI_LEN, ESP_HEADER - SPI_LEN);
		put_be32(aad + SPI_LEN, high_half(op));
		job->aad_len += ESN_LEN;
	}
}

/* Let authentication cover the bytes from @p from to the end of what is protected. The upper half
 * of the number is put after these bytes, and covered, too (RFC 4303, 2.2.1; RFC 4302, 2.5.1). */
static inline void
cover_auth(struct op *op, const struct ipsec_sa *sa, uint8_t *from)
{
	struct engine_job *job = &op->job;
	uint8_t *end = op->ipsec.packet + op->ipsec.payload + op->ipsec.len;

	if (ipsec_has(sa, ACCEL_HW_IPSEC_ESN)) {
		put_be32(end, high_half(op));
		end += ESN_LEN;
	}
	job->src = from;
	job->auth_len = (uint32_t)(end - from);
	job->src_len = job->auth_len;
}

/* Let GMAC cover ESP. The upper half of the number stands before the lower half (RFC 4543, 3.3), so
 * the SPI moves to the bytes before ESP for the time of the job. */
static void
cover_gmac(struct op *op, const struct ipsec_sa *sa, uint8_t *esp)
{
	struct engine_job *job = &op->job;

	job->src = esp;
	job->auth_len = ESP_HEADER + sa->iv_len + op->ipsec.len;
	if (ipsec_has(sa, ACCEL_HW_IPSEC_ESN)) {
		memcpy(op->cmd.auth_iv, esp - SPI_LEN, SPI_LEN + SPI_LEN);
		memcpy(esp - SPI_LEN, esp, SPI_LEN);
		put_be32(esp, high_half(op));
		job->src -= SPI_LEN;
		job->auth_len += ESN_LEN;
	}
	job->src_len = job->auth_len;
}

static ALWAYS_INLINE void
cover_esp(struct op *op, const struct ipsec_sa *sa)
{
	struct engine_job *job = &op->job;
	uint8_t *payload = op->ipsec.packet + op->ipsec.payload;
	uint8_t *esp = payload - sa->iv_len - ESP_HEADER;
	const uint32_t len = op->ipsec.len;

	set_iv(job, sa, payload - sa->iv_len);
	if (sa->form == IPSEC_FORM_AUTH) {
		cover_auth(op, sa, esp);
		return;
	}
	if (sa->form == IPSEC_FORM_CHAIN) {
		cover_auth(op, sa, esp);
		job->cipher_off = (uint32_t)(payload - esp);
	} else {
		job->src = payload;
		job->src_len = len;
	}
	if (sa->form == IPSEC_FORM_AEAD)
		cover_aead(op, sa, esp);
	job->dst = payload;
	job->cipher_len = len;
}

/* Submit the job of AH, or of ESP with AES-GMAC. */
static __attribute__((noinline)) void
submit_other(struct op *op, const struct ctx_entry *ctx, const struct ipsec_sa *sa)
{
	uint8_t *at = op->ipsec.packet;

	if (sa->kind == ACCEL_HW_KIND_AH) {
		set_iv(&op->job, sa, at + op->ipsec.header + AH_HEADER);
		cover_auth(op, sa, at);
	} else {
		at += op->ipsec.payload - sa->iv_len;
		set_iv(&op->job, sa, at);
		cover_gmac(op, sa, at - ESP_HEADER);
	}
	engine_submit(ctx->ctx, &op->job);
}

void
ipsec_job_submit(struct op *op, const struct ctx_entry *ctx, const struct ipsec_sa *sa)
{
	struct engine_job *job = &op->job;

	job->aad = op->digest; /* any valid address */
	job->aad_len = 0;
	job->digest_in = op->digest;
	job->digest_out = op->digest;
	job->dst = NULL;
	job->cipher_off = 0;
	job->cipher_len = 0;
	job->auth_off = 0;
	job->auth_len = 0;
	if (unlikely(sa->form == IPSEC_FORM_NONE)) {
		job->status = ACCEL_HW_OK;
		job->done = true;
		return;
	}
	if (unlikely(sa->kind == ACCEL_HW_KIND_AH || sa->form == IPSEC_FORM_GMAC)) {
		submit_other(op, ctx, sa);
		return;
	}
	cover_esp(op, sa);
	engine_submit(ctx->ctx, job);
}
