/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * RSA operations (manual 8.8, RFC 8017): operand checks, padding, and the statuses in their order.
 *
 * A message that is decrypted is taken out of its padding by OpenSSL's functions that run in
 * constant time. They write the message, or zeros, and return its length, or -1. Nothing here
 * looks at the padding, and nothing but the status depends on it (PK-14).
 */
#include <pthread.h>

#include "pk_modular/pk_rsa_padding.h"

/* A key with one of these components is a private key. */
#define PRIVATE (1u << ACCEL_HW_RSA_D | 1u << ACCEL_HW_RSA_P)

static struct pk_caps rsa_caps_made = {
	.alg = ACCEL_HW_PK_RSA,
	.operations = 1u << ACCEL_HW_PK_ENCRYPT | 1u << ACCEL_HW_PK_DECRYPT |
			1u << ACCEL_HW_PK_SIGN | 1u << ACCEL_HW_PK_VERIFY,
	.modulus_min = 1024,
	.modulus_max = ACCEL_HW_PK_MODULUS_BITS_MAX,
	.paddings = 1u << ACCEL_HW_PK_PADDING_NONE | 1u << ACCEL_HW_PK_PADDING_PKCS1 |
			1u << ACCEL_HW_PK_PADDING_OAEP | 1u << ACCEL_HW_PK_PADDING_PSS,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
make_caps(void)
{
	rsa_caps_made.nb_hashes = pk_hashes(rsa_caps_made.hash);
}

static const struct pk_caps *
rsa_caps(void)
{
	pthread_once(&once, make_caps);
	return &rsa_caps_made;
}

/* Check which fields go together (manual 8.8, RSA). */
static bool
rsa_check(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	bool signing = cmd->operation == ACCEL_HW_PK_SIGN || cmd->operation == ACCEL_HW_PK_VERIFY;
	bool needs_hash = cmd->padding == ACCEL_HW_PK_PADDING_OAEP ||
			cmd->padding == ACCEL_HW_PK_PADDING_PSS;
	bool may_hash = needs_hash || (signing && cmd->padding == ACCEL_HW_PK_PADDING_PKCS1);

	if ((cmd->operation == ACCEL_HW_PK_SIGN || cmd->operation == ACCEL_HW_PK_DECRYPT) &&
			(key->has & PRIVATE) == 0)
		return false;
	if (cmd->padding == (signing ? ACCEL_HW_PK_PADDING_OAEP : ACCEL_HW_PK_PADDING_PSS))
		return false;
	if (needs_hash ? cmd->hash == 0 : cmd->mgf_hash != 0)
		return false;
	if (cmd->hash != 0 && !may_hash)
		return false;
	if (cmd->salt_len != 0 && cmd->padding != ACCEL_HW_PK_PADDING_PSS)
		return false;
	return signing || cmd->operand[1] == 0 || cmd->padding == ACCEL_HW_PK_PADDING_OAEP;
}

static const struct pk_rsa *
rsa_of(const struct pk_job *job)
{
	return (const struct pk_rsa *)job->key;
}

/* Return the most bytes of a result, which are the bytes of the modulus. */
static uint32_t
rsa_most(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	return ((const struct pk_rsa *)key)->len;
}

static uint32_t
verify_most(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	return cmd->padding == ACCEL_HW_PK_PADDING_NONE ? rsa_most(key, cmd) : 0;
}

/* Write a number as rsa->len bytes. false: the number is not below n. */
static bool
take_number(const struct pk_rsa *rsa, struct pk_bytes number, uint8_t *fixed)
{
	number = pk_trimmed(number);
	if (number.len > rsa->len)
		return false;
	memset(fixed, 0, rsa->len - number.len);
	memcpy(fixed + rsa->len - number.len, number.data, number.len);
	return memcmp(fixed, rsa->n, rsa->len) < 0;
}

/* Put a message into its padding. Without padding the message is a number below n. */
static uint16_t
encode(const struct pk_job *job, uint8_t *em)
{
	const struct pk_rsa *rsa = rsa_of(job);
	struct pk_bytes message = pk_operand(job, 0);

	if (job->cmd->padding != ACCEL_HW_PK_PADDING_NONE)
		return pk_rsa_pad(job, rsa, em);
	return message.len > 0 && take_number(rsa, message, em) ?
			ACCEL_HW_OK : ACCEL_HW_BAD_OPERAND;
}

static uint16_t
rsa_encrypt(struct pk_job *job)
{
	const struct pk_rsa *rsa = rsa_of(job);
	uint8_t em[PK_RSA_LEN_MAX];
	uint16_t status = encode(job, em);

	if (status == ACCEL_HW_OK && !pk_rsa_public(rsa, em, job->out))
		status = pk_why_failed();
	job->produced = rsa->len;
	OPENSSL_cleanse(em, rsa->len);
	return status;
}

static uint16_t
rsa_sign(struct pk_job *job)
{
	const struct pk_rsa *rsa = rsa_of(job);
	uint8_t em[PK_RSA_LEN_MAX];
	int len = (int)rsa->len;
	uint16_t status = encode(job, em);

	if (status == ACCEL_HW_OK &&
			RSA_private_encrypt(len, em, job->out, rsa->rsa, RSA_NO_PADDING) != len)
		status = pk_why_failed();
	job->produced = rsa->len;
	OPENSSL_cleanse(em, rsa->len);
	return status;
}

static uint16_t
rsa_decrypt(struct pk_job *job)
{
	const struct pk_rsa *rsa = rsa_of(job);
	uint8_t em[PK_RSA_LEN_MAX];
	int len = (int)rsa->len;

	/* This is step 1 of RFC 8017, 7.1.2 and 7.2.2. The length is no secret. */
	if (job->cmd->padding != ACCEL_HW_PK_PADDING_NONE && pk_operand(job, 0).len != rsa->len)
		return ACCEL_HW_DECRYPT_FAILED;
	if (!take_number(rsa, pk_operand(job, 0), em))
		return ACCEL_HW_DECRYPT_FAILED;
	if (RSA_private_decrypt(len, em, em, rsa->rsa, RSA_NO_PADDING) != len) {
		OPENSSL_cleanse(em, rsa->len);
		return pk_why_failed();
	}
	len = pk_rsa_unpad(job, rsa, em);
	OPENSSL_cleanse(em, rsa->len);
	if (len < 0)
		return ACCEL_HW_DECRYPT_FAILED;
	job->produced = (uint32_t)len;
	return ACCEL_HW_OK;
}

/* Check a signature without padding: signature^e mod n is the message. This number is the result,
 * too. */
static bool
same_number(struct pk_job *job, const uint8_t *em, const uint8_t *message)
{
	const struct pk_rsa *rsa = rsa_of(job);

	if (memcmp(em, message, rsa->len) != 0)
		return false;
	pk_put_bytes(job, em, rsa->len);
	return true;
}

static uint16_t
rsa_verify(struct pk_job *job)
{
	const struct pk_rsa *rsa = rsa_of(job);
	struct pk_bytes signature = pk_operand(job, 1);
	uint8_t message[PK_RSA_LEN_MAX], em[PK_RSA_LEN_MAX];
	bool raw = job->cmd->padding == ACCEL_HW_PK_PADDING_NONE;
	uint16_t status = raw ? encode(job, message) : pk_rsa_pad_possible(job, rsa);

	if (status != ACCEL_HW_OK)
		return status;
	if (signature.len != rsa->len || !take_number(rsa, signature, em))
		return ACCEL_HW_AUTH_FAILED;
	if (!pk_rsa_public(rsa, em, em))
		return ACCEL_HW_ENGINE_ERROR;
	if (raw ? same_number(job, em, message) : pk_rsa_pad_matches(job, rsa, em))
		return ACCEL_HW_OK;
	return ACCEL_HW_AUTH_FAILED;
}

const struct pk_alg pk_alg_rsa = {
	.caps = rsa_caps,
	.key_new = pk_rsa_key_new,
	.key_free = pk_rsa_key_free,
	.check = rsa_check,
	.nb_components = 8,
	.operation = {
		[ACCEL_HW_PK_ENCRYPT] = {
			.run = rsa_encrypt,
			.most = rsa_most,
			.operand = { PK_OPERAND_OPEN, PK_OPERAND_OPEN },
		},
		[ACCEL_HW_PK_DECRYPT] = {
			.run = rsa_decrypt,
			.most = rsa_most,
			.operand = { PK_OPERAND_NEEDED, PK_OPERAND_OPEN },
		},
		[ACCEL_HW_PK_SIGN] = {
			.run = rsa_sign,
			.most = rsa_most,
			.operand = { PK_OPERAND_OPEN },
		},
		[ACCEL_HW_PK_VERIFY] = {
			.run = rsa_verify,
			.most = verify_most,
			.operand = { PK_OPERAND_OPEN, PK_OPERAND_NEEDED },
		},
	},
};
