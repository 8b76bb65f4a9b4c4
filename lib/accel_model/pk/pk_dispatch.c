/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key engines: what is the same for all algorithms. This code finds the algorithm of a
 * context or command, checks both against tables (PK-6, PK-8), and calls the algorithm. See
 * pk_alg.h.
 */
#include <openssl/crypto.h>
#include <openssl/err.h>

#include "pk/pk_operand.h"

/* An algorithm that this model lacks is NULL. */
static const struct pk_alg *const algs[] = {
	[0] = &pk_alg_rsa,
	[ACCEL_HW_PK_MODEXP - ACCEL_HW_PK_RSA] = &pk_alg_modexp,
	[ACCEL_HW_PK_MODINV - ACCEL_HW_PK_RSA] = &pk_alg_modinv,
	[ACCEL_HW_PK_DH - ACCEL_HW_PK_RSA] = &pk_alg_dh,
	[ACCEL_HW_PK_DSA - ACCEL_HW_PK_RSA] = &pk_alg_dsa,
	[ACCEL_HW_PK_ECDSA - ACCEL_HW_PK_RSA] = &pk_alg_ecdsa,
	[ACCEL_HW_PK_ECDH - ACCEL_HW_PK_RSA] = &pk_alg_ecdh,
	[ACCEL_HW_PK_EC_MUL - ACCEL_HW_PK_RSA] = &pk_alg_ec_mul,
	[ACCEL_HW_PK_SM2 - ACCEL_HW_PK_RSA] = &pk_alg_sm2,
	[ACCEL_HW_PK_EDDSA - ACCEL_HW_PK_RSA] = &pk_alg_eddsa,
	[ACCEL_HW_PK_ML_KEM - ACCEL_HW_PK_RSA] = &pk_alg_ml_kem,
	[ACCEL_HW_PK_ML_DSA - ACCEL_HW_PK_RSA] = &pk_alg_ml_dsa,
};

static const struct pk_alg *
find(unsigned int alg)
{
	/* For a number below ACCEL_HW_PK_RSA the index wraps and is huge. */
	unsigned int i = alg - ACCEL_HW_PK_RSA;

	return i < ARRAY_NB(algs) ? algs[i] : NULL;
}

const struct pk_caps *
pk_caps(unsigned int alg)
{
	const struct pk_alg *found = find(alg);

	return found != NULL ? found->caps() : NULL;
}

/* Lists the operations and variants that minor versions of the contract have added to algorithms. */
static const struct {
	uint8_t alg;
	uint8_t minor;
	uint8_t operation; /* 0: none */
	uint8_t variant; /* 0: none. Hashes belong to it. */
} added[] = {
	{ .alg = ACCEL_HW_PK_ML_KEM, .minor = 6, .operation = ACCEL_HW_PK_CHECK },
	{ .alg = ACCEL_HW_PK_ML_DSA, .minor = 6, .variant = ACCEL_HW_PK_PREHASHED },
};

struct pk_caps
pk_caps_of(unsigned int alg, unsigned int minor)
{
	struct pk_caps caps = *pk_caps(alg);

	for (unsigned int i = 0; i < ARRAY_NB(added); i++) {
		if (added[i].alg != alg || added[i].minor <= minor)
			continue;
		if (added[i].operation != 0)
			caps.operations &= ~(1u << added[i].operation);
		if (added[i].variant == 0)
			continue;
		caps.variants &= ~(1u << added[i].variant);
		caps.nb_hashes = 0;
	}
	return caps;
}

bool
pk_is_later(unsigned int alg, unsigned int minor, const struct accel_hw_pk_command *cmd)
{
	for (unsigned int i = 0; i < ARRAY_NB(added); i++) {
		if (added[i].alg == alg && added[i].minor > minor &&
				(added[i].operation == 0 ||
						added[i].operation == cmd->operation) &&
				(added[i].variant == 0 || added[i].variant == cmd->variant))
			return true;
	}
	return false;
}

static bool
has_byte(const uint8_t *list, unsigned int nb, uint8_t value)
{
	for (unsigned int i = 0; i < nb; i++) {
		if (list[i] == value)
			return true;
	}
	return false;
}

static bool
has_bit(uint32_t bits, uint32_t n)
{
	return n < 32 && (bits >> n & 1) != 0;
}

static bool
curve_fits(const struct pk_caps *caps, uint8_t curve)
{
	if (caps->nb_curves == 0)
		return curve == ACCEL_HW_CURVE_NONE;
	return has_byte(caps->curve, caps->nb_curves, curve);
}

/* Find the components. False: the algorithm lacks a component that is there, or the sum of their
 * lengths is wrong. */
static bool
split(const struct pk_alg *alg, const struct accel_hw_pk_context *header, const uint8_t *components,
		struct pk_bytes *part)
{
	uint32_t sum = 0;

	for (unsigned int i = 0; i < ACCEL_HW_PK_COMPONENTS; i++) {
		part[i] = (struct pk_bytes) { components + sum, header->component[i] };
		sum += header->component[i];
		if (i >= alg->nb_components && header->component[i] != 0)
			return false;
	}
	return sum == header->key_len && sum <= PK_KEY_SIZE_MAX;
}

static bool
header_fits(const struct pk_caps *caps, const struct accel_hw_pk_context *header)
{
	static const uint8_t zero[sizeof(header->reserved2)];

	return header->flags == 0 && header->reserved == 0 &&
			memcmp(header->reserved2, zero, sizeof(zero)) == 0 &&
			curve_fits(caps, header->curve);
}

struct pk_key *
pk_key_new(const struct accel_hw_pk_context *header, const uint8_t *components, uint16_t *status)
{
	const struct pk_caps *caps = pk_caps(header->alg);
	const struct pk_alg *alg = find(header->alg);
	struct pk_bytes part[ACCEL_HW_PK_COMPONENTS];
	struct pk_key *key;

	*status = ACCEL_HW_BAD_CONTEXT;
	if (caps == NULL || !header_fits(caps, header) || !split(alg, header, components, part))
		return NULL;
	*status = ACCEL_HW_ENGINE_ERROR;
	if (!libctx_begin())
		return NULL;
	*status = ACCEL_HW_BAD_CONTEXT;
	ERR_set_mark();
	key = alg->key_new(header, part, status);
	ERR_pop_to_mark();
	libctx_end();
	if (key == NULL)
		return NULL;
	key->alg = alg;
	key->curve = header->curve;
	key->has = 0;
	for (unsigned int i = 0; i < alg->nb_components; i++)
		key->has |= (uint16_t)((part[i].len != 0) << i);
	*status = ACCEL_HW_OK;
	return key;
}

void
pk_key_free(struct pk_key *key)
{
	if (key == NULL)
		return;
	libctx_begin_freeing();
	key->alg->key_free(key);
	libctx_end();
}

static bool
operand_fits(const struct pk_key *key, uint8_t rule, uint32_t len)
{
	if (len > 0)
		return rule != PK_OPERAND_NO;
	if (rule >= PK_OPERAND_COMPONENT)
		return has_bit(key->has, rule - PK_OPERAND_COMPONENT);
	return rule != PK_OPERAND_NEEDED;
}

static bool
fields_fit(const struct pk_caps *caps, const struct accel_hw_pk_command *cmd)
{
	static const uint8_t zero[sizeof(cmd->reserved)];

	/* If the caps have no paddings, or no variants, only 0 is possible. */
	return has_bit(caps->paddings | !caps->paddings, cmd->padding) &&
			has_bit(caps->variants | !caps->variants, cmd->variant) &&
			(cmd->hash == 0 || has_byte(caps->hash, caps->nb_hashes, cmd->hash)) &&
			(cmd->mgf_hash == 0 ||
					has_byte(caps->hash, caps->nb_hashes, cmd->mgf_hash)) &&
			(cmd->salt_len == 0 || caps->paddings != 0) &&
			memcmp(cmd->reserved, zero, sizeof(zero)) == 0;
}

uint16_t
pk_check(const struct pk_key *key, const struct accel_hw_pk_command *cmd, uint32_t *most)
{
	const struct pk_alg *alg = key->alg;
	const struct pk_caps *caps = alg->caps();
	const struct pk_operation *op;

	*most = 0;
	if (cmd->operation >= PK_OPERATIONS_NB || !has_bit(caps->operations, cmd->operation))
		return ACCEL_HW_BAD_COMMAND;
	op = &alg->operation[cmd->operation];
	if ((cmd->flags & ~ACCEL_HW_CMD_NO_RX) != 0 || !fields_fit(caps, cmd) ||
			(op->needs & ~key->has) != 0)
		return ACCEL_HW_BAD_COMMAND;
	for (unsigned int i = 0; i < ACCEL_HW_PK_OPERANDS; i++) {
		if (!operand_fits(key, op->operand[i], cmd->operand[i]))
			return ACCEL_HW_BAD_COMMAND;
	}
	if (alg->check != NULL && !alg->check(key, cmd))
		return ACCEL_HW_BAD_COMMAND;
	if (op->most != NULL)
		*most = op->most(key, cmd);
	if (*most > 0 && (cmd->flags & ACCEL_HW_CMD_NO_RX) != 0)
		return ACCEL_HW_BAD_COMMAND;
	return ACCEL_HW_OK;
}

void
pk_run(struct pk_job *job)
{
	job->produced = 0;
	job->status = ACCEL_HW_ENGINE_ERROR;
	if (!libctx_begin())
		return;
	ERR_set_mark();
	job->status = job->key->alg->operation[job->cmd->operation].run(job);
	ERR_pop_to_mark();
	libctx_end();
	if (job->status == ACCEL_HW_OK)
		return;
	OPENSSL_cleanse(job->out, job->produced);
	job->produced = 0;
}
