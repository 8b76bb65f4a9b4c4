/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes contexts and commands of known answers: see known.h.
 */
#include <string.h>

#include "known.h"

static uint8_t
digit(char ch)
{
	return (uint8_t)(ch <= '9' ? ch - '0' : ch - 'a' + 10);
}

uint32_t
known_bytes(const char *hex, uint8_t *to, uint32_t room)
{
	uint32_t nb = 0;

	for (; hex != NULL && hex[0] != '\0' && nb < room; hex += 2)
		to[nb++] = (uint8_t)(digit(hex[0]) << 4 | digit(hex[1]));
	return nb;
}

static uint32_t
length(const char *hex)
{
	return hex != NULL ? (uint32_t)strlen(hex) / 2 : 0;
}

/* True if a known answer is one of authentication, by the ranges of numbers (manual 8.2). */
static bool
is_auth(const struct known_answer *k)
{
	return k->alg >= ACCEL_HW_AUTH2_FIRST ||
	       (k->alg >= ACCEL_HW_AUTH_FIRST && k->alg < ACCEL_HW_PROTO_FIRST);
}

void
known_context(const struct known_answer *k, struct accel_hw_context *x)
{
	memset(x, 0, sizeof(*x));
	x->version = ACCEL_HW_CTX_VERSION;
	x->digest_len = (uint16_t)length(k->digest);
	if (is_auth(k)) {
		x->kind = ACCEL_HW_KIND_AUTH;
		x->auth_alg = k->alg;
		x->auth_key_len = (uint16_t)known_bytes(k->key, x->auth_key, sizeof(x->auth_key));
		x->auth_iv_len = (uint8_t)length(k->iv);
	} else {
		x->kind = k->alg < ACCEL_HW_AUTH_FIRST ? ACCEL_HW_KIND_CIPHER : ACCEL_HW_KIND_AEAD;
		x->flags = ACCEL_HW_CTX_ENCRYPT;
		x->cipher_alg = k->alg;
		x->cipher_key_len = (uint16_t)known_bytes(k->key, x->cipher_key,
							  sizeof(x->cipher_key));
		x->iv_len = (uint8_t)length(k->iv);
	}
}

void
known_iv(const struct known_answer *k, struct accel_hw_command *cmd)
{
	uint8_t iv[ACCEL_HW_LONG_IV_MAX];
	uint32_t len = known_bytes(k->iv, iv, sizeof(iv));

	/* Bytes that nothing uses are not 0. */
	memset(cmd->iv, 0xd7, sizeof(cmd->iv));
	memset(cmd->auth_iv, 0x7d, sizeof(cmd->auth_iv));
	if (len > ACCEL_HW_IV_MAX) {
		memcpy(cmd->iv, iv, ACCEL_HW_IV_MAX);
		memcpy(cmd->auth_iv, iv + ACCEL_HW_IV_MAX, len - ACCEL_HW_IV_MAX);
	} else {
		memcpy(is_auth(k) ? cmd->auth_iv : cmd->iv, iv, len);
	}
}

bool
known_there(const struct card *c, const struct known_answer *k)
{
	const struct tree_alg *alg = tree_alg(&c->tree, k->alg);

	return alg != NULL &&
		tree_sizes(alg, length(k->key), length(k->iv), length(k->digest));
}
