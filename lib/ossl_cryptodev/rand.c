/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A random source for the generators of a program. rte_cryptodev has no operation for random bytes,
 * but a device draws private keys of ECDH: numbers from 1 to the order of a curve. That of P-521 is
 * less than 2^260 below 2^521, so the last 64 bytes of a number are as good as random bytes. They
 * are added to bytes of the default provider, and a bad device so makes nothing worse.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include "pk.h"

#define NUMBER 66
#define DRAWN 64
#define STRENGTH 256
#define MOST 65536

struct source {
	int state;
};

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static struct oc_key *key; /* of which the sessions are; any of P-521 will do */

static void
make_key(void)
{
	char curve[] = "P-521";
	const OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, curve, 0),
		OSSL_PARAM_construct_end(),
	};

	key = oc_key_generate(OC_KEY_EC, params);
}

/* Adds the device's bytes, as far as it gives some. */
static void
add_drawn(uint8_t *out, size_t len)
{
	uint8_t number[NUMBER];
	struct oc_pk pk = { 0 };
	bool good = oc_settings.public_keys != 0 && pthread_once(&key_once, make_key) == 0 &&
			key != NULL;

	pk.key = key;
	if (!good)
		oc_count_fallback(OC_RANDOM, OC_NO_DEVICE);
	while (good && len != 0) {
		const struct oc_pk_request request = {
			.alg = OC_RANDOM,
			.key = key,
			.out = { number },
			.out_len = NUMBER,
		};
		size_t nb = len < DRAWN ? len : DRAWN;

		good = oc_pk_wanted(OC_RANDOM, &pk) && oc_pk_run(&request);
		for (size_t i = 0; i < nb && good; i++)
			out[i] ^= number[NUMBER - DRAWN + i];
		out += nb;
		len -= nb;
	}
	OPENSSL_cleanse(number, sizeof(number));
}

static void *
source_new(void *provctx, void *parent, const OSSL_DISPATCH *parent_calls)
{
	(void)provctx;
	(void)parent;
	(void)parent_calls;
	return OPENSSL_zalloc(sizeof(struct source));
}

static void
source_free(void *vsource)
{
	OPENSSL_free(vsource);
}

static int
instantiate(void *vsource, unsigned int strength, int again, const unsigned char *text, size_t len,
		const OSSL_PARAM params[])
{
	struct source *s = vsource;

	(void)again;
	(void)text;
	(void)len;
	(void)params;
	if (strength > STRENGTH)
		return 0;
	s->state = EVP_RAND_STATE_READY;
	return 1;
}

static int
uninstantiate(void *vsource)
{
	struct source *s = vsource;

	s->state = EVP_RAND_STATE_UNINITIALISED;
	return 1;
}

static int
generate(void *vsource, unsigned char *out, size_t len, unsigned int strength, int again,
		const unsigned char *text, size_t text_len)
{
	const struct source *s = vsource;

	(void)again;
	(void)text;
	(void)text_len;
	if (s->state != EVP_RAND_STATE_READY || strength > STRENGTH ||
			RAND_priv_bytes_ex(oc_inner, out, len, 0) != 1)
		return 0;
	add_drawn(out, len);
	return 1;
}

/* Gives a generator its seed, in memory that it gives back. */
static size_t
get_seed(void *vsource, unsigned char **seed, int bits, size_t least, size_t most, int again,
		const unsigned char *text, size_t text_len)
{
	size_t len = ((size_t)bits + 7) / 8;

	len = len > least ? len : least;
	if (len > most)
		return 0;
	*seed = OPENSSL_secure_malloc(len);
	if (*seed == NULL)
		return 0;
	if (generate(vsource, *seed, len, 0, again, text, text_len) == 1)
		return len;
	OPENSSL_secure_clear_free(*seed, len);
	return 0;
}

static void
clear_seed(void *vsource, unsigned char *seed, size_t len)
{
	(void)vsource;
	OPENSSL_secure_clear_free(seed, len);
}

static int
get_params(void *vsource, OSSL_PARAM params[])
{
	const struct source *s = vsource;
	OSSL_PARAM *state = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_STATE);
	OSSL_PARAM *strength = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_STRENGTH);
	OSSL_PARAM *most = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_MAX_REQUEST);

	return (state == NULL || OSSL_PARAM_set_int(state, s->state)) &&
			(strength == NULL || OSSL_PARAM_set_uint(strength, STRENGTH)) &&
			(most == NULL || OSSL_PARAM_set_size_t(most, MOST));
}

static const OSSL_PARAM *
gettable(void *vsource, void *provctx)
{
	static const OSSL_PARAM params[] = {
		OSSL_PARAM_int(OSSL_RAND_PARAM_STATE, NULL),
		OSSL_PARAM_uint(OSSL_RAND_PARAM_STRENGTH, NULL),
		OSSL_PARAM_size_t(OSSL_RAND_PARAM_MAX_REQUEST, NULL),
		OSSL_PARAM_END,
	};

	(void)vsource;
	(void)provctx;
	return params;
}

/* Several threads may share a source, which changes nothing but its state. */
static int
enable_locking(void *vsource)
{
	(void)vsource;
	return 1;
}

const OSSL_DISPATCH oc_random[] = {
	{ OSSL_FUNC_RAND_NEWCTX, (void (*)(void))source_new },
	{ OSSL_FUNC_RAND_FREECTX, (void (*)(void))source_free },
	{ OSSL_FUNC_RAND_INSTANTIATE, (void (*)(void))instantiate },
	{ OSSL_FUNC_RAND_UNINSTANTIATE, (void (*)(void))uninstantiate },
	{ OSSL_FUNC_RAND_GENERATE, (void (*)(void))generate },
	{ OSSL_FUNC_RAND_GET_SEED, (void (*)(void))get_seed },
	{ OSSL_FUNC_RAND_CLEAR_SEED, (void (*)(void))clear_seed },
	{ OSSL_FUNC_RAND_GET_CTX_PARAMS, (void (*)(void))get_params },
	{ OSSL_FUNC_RAND_GETTABLE_CTX_PARAMS, (void (*)(void))gettable },
	{ OSSL_FUNC_RAND_ENABLE_LOCKING, (void (*)(void))enable_locking },
	{ 0, NULL },
};
