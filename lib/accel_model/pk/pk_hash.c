/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Hashes of public-key operations: see pk_hash.h. They are fetched once, because a fetch takes
 * longer than a hash.
 */
#include <pthread.h>

#include <openssl/err.h>

#include "base/libctx.h"
#include "pk/pk_hash.h"

static struct hash {
	uint8_t alg;
	const char *name;
	EVP_MD *md;
} hashes[] = {
	{ ACCEL_HW_AUTH_MD5, "MD5", NULL },
	{ ACCEL_HW_AUTH_SHA1, "SHA1", NULL },
	{ ACCEL_HW_AUTH_SHA224, "SHA2-224", NULL },
	{ ACCEL_HW_AUTH_SHA256, "SHA2-256", NULL },
	{ ACCEL_HW_AUTH_SHA384, "SHA2-384", NULL },
	{ ACCEL_HW_AUTH_SHA512, "SHA2-512", NULL },
	{ ACCEL_HW_AUTH_SHA3_224, "SHA3-224", NULL },
	{ ACCEL_HW_AUTH_SHA3_256, "SHA3-256", NULL },
	{ ACCEL_HW_AUTH_SHA3_384, "SHA3-384", NULL },
	{ ACCEL_HW_AUTH_SHA3_512, "SHA3-512", NULL },
	{ ACCEL_HW_AUTH_SM3, "SM3", NULL },
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
fetch(void)
{
	ERR_set_mark();
	for (unsigned int i = 0; i < ARRAY_NB(hashes); i++)
		hashes[i].md = EVP_MD_fetch(libctx(), hashes[i].name, NULL);
	ERR_pop_to_mark();
}

uint8_t
pk_hashes(uint8_t hash[PK_HASHES_MAX])
{
	uint8_t nb = 0;

	pthread_once(&once, fetch);
	for (unsigned int i = 0; i < ARRAY_NB(hashes); i++) {
		if (hashes[i].md != NULL)
			hash[nb++] = hashes[i].alg;
	}
	return nb;
}

const EVP_MD *
pk_hash(uint8_t alg)
{
	pthread_once(&once, fetch);
	for (unsigned int i = 0; i < ARRAY_NB(hashes); i++) {
		if (hashes[i].alg == alg)
			return hashes[i].md;
	}
	return NULL;
}
