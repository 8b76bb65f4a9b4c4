/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operands and results of public-key operations: from bytes to numbers of OpenSSL, and back.
 */
#ifndef ACCEL_MODEL_PK_OPERAND_H
#define ACCEL_MODEL_PK_OPERAND_H

#include <openssl/bn.h>

#include "base/libctx.h"
#include "pk/pk_alg.h"

/** Return operand n of a job. Its length is 0 if it is absent. */
static inline struct pk_bytes
pk_operand(const struct pk_job *job, unsigned int n)
{
	struct pk_bytes bytes = { job->in, job->cmd->operand[n] };

	for (unsigned int i = 0; i < n; i++)
		bytes.data += job->cmd->operand[i];
	return bytes;
}

/**
 * Return a number without leading zeros. OpenSSL can take the number, as it has at most
 * PK_OPERAND_SIZE_MAX bytes.
 */
static inline struct pk_bytes
pk_trimmed(struct pk_bytes bytes)
{
	while (bytes.len > 0 && bytes.data[0] == 0) {
		bytes.data++;
		bytes.len--;
	}
	return bytes;
}

/** Make a number that anyone may know. NULL: no memory. */
static inline BIGNUM *
pk_number(struct pk_bytes bytes)
{
	return BN_bin2bn(bytes.data, (int)bytes.len, NULL);
}

/**
 * Make a number on which no time may depend (PK-15), except on how many words it fills. The caller
 * frees the number with BN_clear_free(). NULL: no memory.
 */
BIGNUM *pk_secret(struct pk_bytes bytes);

/** True if low <= number < bound, for numbers that anyone may know; low is 0, 1 or 2. */
static inline bool
pk_below(const BIGNUM *number, unsigned int low, const BIGNUM *bound)
{
	return BN_cmp(number, bound) < 0 && (low == 0 || !BN_is_zero(number)) &&
			(low <= 1 || !BN_is_one(number));
}

/**
 * True if 1 <= number < bound, in a time that depends on the bound only (PK-15). BN_cmp() will not
 * do, as it stops at the first word that differs.
 *
 * @param bound At most ACCEL_HW_PK_MODULUS_BITS_MAX bits; no number counts as below a larger one.
 */
bool pk_secret_below(const BIGNUM *number, const BIGNUM *bound);

/**
 * Draw a secret number at random, 1 <= number < bound. BN_priv_rand_range() is not used, because it
 * would take the source that RAND_set_rand_method() has put in place.
 *
 * @param number With BN_FLG_CONSTTIME.
 * @param bound At least 2, and at most ACCEL_HW_PK_MODULUS_BITS_MAX bits.
 * @return false: no random numbers, or no memory.
 */
bool pk_secret_draw(BIGNUM *number, const BIGNUM *bound);

/** Append a number to the results, with leading zeros to len bytes. False: the number is longer. */
static inline bool
pk_put_number(struct pk_job *job, const BIGNUM *number, uint32_t len)
{
	if (BN_bn2binpad(number, job->out + job->produced, (int)len) < 0)
		return false;
	job->produced += len;
	return true;
}

/** Append bytes to the results. */
static inline void
pk_put_bytes(struct pk_job *job, const uint8_t *bytes, uint32_t len)
{
	memcpy(job->out + job->produced, bytes, len);
	job->produced += len;
}

/**
 * Find out why OpenSSL failed at something that can only fail for want of memory or random numbers.
 *
 * @return NO_ENTROPY if there are no random numbers to be had now, else ENGINE_ERROR.
 */
uint16_t pk_why_failed(void);

#endif /* ACCEL_MODEL_PK_OPERAND_H */
