/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has an operation of the raw data path as the application passes it: vectors, offsets from both
 * ends, and pointers to IV, AAD and digest. Hot path, inlined.
 */
#ifndef ACCEL_RAW_OP_H
#define ACCEL_RAW_OP_H

#include <rte_crypto_sym.h>

#include "accel_compat.h"
#include "accel_session.h"
#include "accel_shape.h"

struct accel_raw_op {
	const struct rte_crypto_sgl *src;
	const struct rte_crypto_sgl *dst; /* src if in place */
	union rte_crypto_sym_ofs ofs;
	const struct rte_crypto_va_iova_ptr *iv;
	const struct rte_crypto_va_iova_ptr *digest;
	const struct rte_crypto_va_iova_ptr *aad_or_auth_iv;
};

/*
 * Gets operation i of a burst. op is volatile so that each field is stored by itself, see
 * accel_write_words().
 */
static inline void
accel_raw_op_of(volatile struct accel_raw_op *op, const struct rte_crypto_sym_vec *vec, uint32_t i,
		union rte_crypto_sym_ofs ofs)
{
	op->src = &vec->src_sgl[i];
	op->dst = vec->dest_sgl != NULL ? &vec->dest_sgl[i] : &vec->src_sgl[i];
	op->ofs.raw = ofs.raw;
	op->iv = vec->iv != NULL ? &vec->iv[i] : NULL;
	op->digest = vec->digest != NULL ? &vec->digest[i] : NULL;
	op->aad_or_auth_iv = vec->aad != NULL ? &vec->aad[i] : NULL;
}

/* Goes on to the next operation of a burst. */
static inline void
accel_raw_op_next(struct accel_raw_op *op)
{
	op->src++;
	op->dst++;
	if (op->iv != NULL)
		op->iv++;
	if (op->digest != NULL)
		op->digest++;
	if (op->aad_or_auth_iv != NULL)
		op->aad_or_auth_iv++;
}

/*
 * Takes the addresses of AAD and digest. Returns false if AAD, digest or IV is missing although the
 * session needs it. An IOVA of AAD may still be 0, since the command may have room for the AAD.
 * Sessions of a protocol have the digest in the data.
 */
static inline bool
accel_raw_pointers(const struct accel_raw_op *op, const struct accel_session *sess,
		   enum accel_hw_kind kind, struct accel_regions *regions)
{
	const struct rte_crypto_va_iova_ptr *iv = op->iv, *digest = op->digest;
	const struct rte_crypto_va_iova_ptr *other = op->aad_or_auth_iv;
	const bool cipher = kind == ACCEL_HW_KIND_CIPHER; /* a cipher needs no more than an IV */
	const bool has_digest = !cipher && !accel_is_protocol(kind) && sess->digest_len != 0;
	const bool has_aad = !cipher && sess->aad_len != 0;

	if ((sess->iv_len != 0 && (iv == NULL || iv->va == NULL)) ||
	    (has_digest && (digest == NULL || digest->iova == 0)) ||
	    (has_aad && other == NULL) ||
	    (!cipher && sess->auth_iv_len != 0 && (other == NULL || other->va == NULL)))
		return false;
	regions->aad = has_aad ? other->iova : 0;
	regions->aad_at = has_aad ? other->va : NULL;
	regions->digest = has_digest ? digest->iova : 0;
	return true;
}

/*
 * Gets the regions between head and tail. Returns false if head and tail overlap in a region that
 * the session has.
 */
static inline bool
accel_raw_regions(const struct accel_raw_op *op, enum accel_hw_kind kind, uint32_t total,
		  struct accel_regions *regions)
{
	const union rte_crypto_sym_ofs *ofs = &op->ofs;
	const uint32_t c_out = ofs->ofs.cipher.head + ofs->ofs.cipher.tail;
	const uint32_t a_out = ofs->ofs.auth.head + ofs->ofs.auth.tail;

	if ((kind != ACCEL_HW_KIND_AUTH && c_out > total) ||
	    (kind != ACCEL_HW_KIND_CIPHER && kind != ACCEL_HW_KIND_AEAD && a_out > total))
		return false;
	regions->cipher_off = ofs->ofs.cipher.head;
	regions->cipher_len = total - c_out;
	regions->auth_off = ofs->ofs.auth.head;
	regions->auth_len = total - a_out;
	return true;
}

static inline uint64_t
accel_raw_bytes(const struct rte_crypto_sgl *sgl)
{
	uint64_t len = 0;
	uint32_t i;

	if (likely(sgl->num == 1))
		return sgl->vec[0].len;
	for (i = 0; i < sgl->num; i++)
		len += sgl->vec[i].len;
	return len;
}

/* Returns the offset of the IV. CCM's nonce begins after the byte that is reserved for flags. */
static inline uint32_t
accel_raw_iv_skip(const struct accel_session *sess)
{
	return sess->aad_offset != 0 ? ACCEL_CCM_NONCE_OFFSET : 0;
}

#endif /* ACCEL_RAW_OP_H */
