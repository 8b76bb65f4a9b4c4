/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * RSA paddings: see pk_rsa_padding.h. OpenSSL makes PSS, and takes a message out of its padding.
 * Paddings for encryption are made here, because OpenSSL's functions take random bytes from the
 * program's library context. The padding of PKCS#1 v1.5 signatures is made here too, because
 * OpenSSL's function lacks some of the hashes, and the form without a hash.
 */
#include "pk_modular/pk_rsa_padding.h"

#include <openssl/objects.h>

#define DRAWS 100u /* tries to get a byte that is not 0 */
#define PKCS1_OVERHEAD 11u /* 00, type, at least 8 bytes, 00 */

/* A DigestInfo is SEQUENCE { SEQUENCE { OID, NULL }, OCTET STRING } (RFC 8017, 9.2). Only the part
 * before the digest is made here. No length in a DigestInfo is above 127. */
#define DIGEST_INFO_MAX 32u

static uint32_t
digest_info(const EVP_MD *md, uint8_t *der)
{
	const ASN1_OBJECT *object = OBJ_nid2obj(EVP_MD_get_type(md));
	uint32_t oid_len = (uint32_t)OBJ_length(object);
	uint8_t hash_len = (uint8_t)EVP_MD_get_size(md), *at = der;

	*at++ = 0x30;
	*at++ = (uint8_t)(2 + 2 + oid_len + 2 + 2 + hash_len);
	*at++ = 0x30;
	*at++ = (uint8_t)(2 + oid_len + 2);
	*at++ = 0x06;
	*at++ = (uint8_t)oid_len;
	memcpy(at, OBJ_get0_data(object), oid_len);
	at += oid_len;
	*at++ = 0x05;
	*at++ = 0;
	*at++ = 0x04;
	*at++ = hash_len;
	return (uint32_t)(at - der);
}

static const EVP_MD *
md_of(const struct pk_job *job)
{
	return pk_hash(job->cmd->hash);
}

static const EVP_MD *
mgf_of(const struct pk_job *job)
{
	return pk_hash(job->cmd->mgf_hash != 0 ? job->cmd->mgf_hash : job->cmd->hash);
}

/* Return the bytes of an encoded message of bits - 1 bits (RFC 8017, 9.1.1). */
static uint32_t
pss_len(const struct pk_rsa *rsa)
{
	return (rsa->bits - 1 + 7) / 8;
}

uint16_t
pk_rsa_pad_possible(const struct pk_job *job, const struct pk_rsa *rsa)
{
	const struct accel_hw_pk_command *cmd = job->cmd;
	uint32_t len = cmd->operand[0], hash_len = 0;
	uint8_t der[DIGEST_INFO_MAX];
	bool fits;

	if (cmd->hash != 0)
		hash_len = (uint32_t)EVP_MD_get_size(md_of(job));
	if (cmd->padding == ACCEL_HW_PK_PADDING_OAEP)
		fits = len + 2 * hash_len + 2 <= rsa->len;
	else if (cmd->padding == ACCEL_HW_PK_PADDING_PSS)
		fits = len == hash_len && hash_len + cmd->salt_len + 2 <= pss_len(rsa);
	else if (cmd->hash != 0)
		fits = len == hash_len &&
				digest_info(md_of(job), der) + len + PKCS1_OVERHEAD <= rsa->len;
	else
		fits = len + PKCS1_OVERHEAD <= rsa->len;
	return fits ? ACCEL_HW_OK : ACCEL_HW_BAD_OPERAND;
}

/* Write 00 02, random bytes that are not 0, 00, and the message (RFC 8017, 7.2.1). */
static bool
pad_encryption(struct pk_bytes message, const struct pk_rsa *rsa, uint8_t *em)
{
	const uint32_t zero = rsa->len - message.len - 1;

	em[0] = 0;
	em[1] = 2;
	if (!libctx_random_secret(em + 2, zero - 2))
		return false;
	for (uint32_t i = 2; i < zero; i++) {
		for (unsigned int draws = 0; em[i] == 0; draws++) {
			if (draws == DRAWS || !libctx_random_secret(em + i, 1))
				return false;
		}
	}
	em[zero] = 0;
	memcpy(em + zero + 1, message.data, message.len);
	return true;
}

/* Compute to ^= MGF(from) (RFC 8017, B.2.1). */
static bool
add_mask(uint8_t *to, uint32_t to_len, const uint8_t *from, uint32_t from_len, const EVP_MD *mgf)
{
	uint8_t mask[PK_RSA_LEN_MAX];
	const bool good = PKCS1_MGF1(mask, (long)to_len, from, (long)from_len, mgf) == 0;

	for (uint32_t i = 0; good && i < to_len; i++)
		to[i] ^= mask[i];
	OPENSSL_cleanse(mask, to_len);
	return good;
}

/* Write 00, the masked seed, and masked (digest of the label, 0..., 01, message) (RFC 8017, 7.1.1).
 */
static bool
pad_oaep(const struct pk_job *job, const struct pk_rsa *rsa, uint8_t *em)
{
	const struct pk_bytes message = pk_operand(job, 0), label = pk_operand(job, 1);
	const uint32_t seed_len = (uint32_t)EVP_MD_get_size(md_of(job));
	const uint32_t len = rsa->len - seed_len - 1;
	uint8_t *seed = em + 1, *db = seed + seed_len;

	em[0] = 0;
	memset(db, 0, len);
	db[len - message.len - 1] = 1;
	memcpy(db + len - message.len, message.data, message.len);
	return libctx_random_secret(seed, seed_len) &&
			EVP_Digest(label.data, label.len, db, NULL, md_of(job), NULL) == 1 &&
			add_mask(db, len, seed, seed_len, mgf_of(job)) &&
			add_mask(seed, seed_len, db, len, mgf_of(job));
}

/* Write 00 01 ff... 00, the DigestInfo, and the message (RFC 8017, 9.2). */
static void
pad_signature(const struct pk_job *job, const struct pk_rsa *rsa, uint8_t *em)
{
	struct pk_bytes message = pk_operand(job, 0);
	uint8_t der[DIGEST_INFO_MAX];
	uint32_t der_len = job->cmd->hash != 0 ? digest_info(md_of(job), der) : 0;
	uint32_t zero = rsa->len - message.len - der_len - 1;

	em[0] = 0;
	em[1] = 1;
	memset(em + 2, 0xff, zero - 2);
	em[zero] = 0;
	memcpy(em + zero + 1, der, der_len);
	memcpy(em + zero + 1 + der_len, message.data, message.len);
}

uint16_t
pk_rsa_pad(const struct pk_job *job, const struct pk_rsa *rsa, uint8_t *em)
{
	const struct accel_hw_pk_command *cmd = job->cmd;
	struct pk_bytes message = pk_operand(job, 0);
	bool ok = true;

	if (pk_rsa_pad_possible(job, rsa) != ACCEL_HW_OK)
		return ACCEL_HW_BAD_OPERAND;
	if (cmd->padding == ACCEL_HW_PK_PADDING_OAEP)
		ok = pad_oaep(job, rsa, em);
	else if (cmd->padding == ACCEL_HW_PK_PADDING_PSS)
		ok = RSA_padding_add_PKCS1_PSS_mgf1(rsa->rsa, em, message.data, md_of(job),
				mgf_of(job), cmd->salt_len) == 1;
	else if (cmd->operation == ACCEL_HW_PK_ENCRYPT)
		ok = pad_encryption(message, rsa, em);
	else
		pad_signature(job, rsa, em);
	return ok ? ACCEL_HW_OK : pk_why_failed();
}

int
pk_rsa_unpad(const struct pk_job *job, const struct pk_rsa *rsa, const uint8_t *em)
{
	struct pk_bytes label = pk_operand(job, 1);
	int len = (int)rsa->len;

	if (job->cmd->padding == ACCEL_HW_PK_PADDING_OAEP)
		return RSA_padding_check_PKCS1_OAEP_mgf1(job->out, len, em, len, len, label.data,
				(int)label.len, md_of(job), mgf_of(job));
	if (job->cmd->padding == ACCEL_HW_PK_PADDING_PKCS1)
		return RSA_padding_check_PKCS1_type_2(job->out, len, em, len, len);
	memcpy(job->out, em, rsa->len);
	return len;
}

bool
pk_rsa_pad_matches(const struct pk_job *job, const struct pk_rsa *rsa, const uint8_t *em)
{
	uint8_t want[PK_RSA_LEN_MAX];

	if (job->cmd->padding == ACCEL_HW_PK_PADDING_PSS)
		return RSA_verify_PKCS1_PSS_mgf1(rsa->rsa, pk_operand(job, 0).data, md_of(job),
				mgf_of(job), em, job->cmd->salt_len) == 1;
	pad_signature(job, rsa, want);
	return memcmp(want, em, rsa->len) == 0;
}
