/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The model's own library context of OpenSSL: see libctx.h.
 */
#include <pthread.h>
#include <time.h>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/rand.h>

#include "base/libctx.h"

#define STRENGTH 256u /* bits */
#define PAUSE_NS 100000
#define PAUSES 50000u /* 5 s: longer than any public-key operation takes */
#define FREEING_NS UINT64_C(300000000) /* OPENSSL_cleanup() needs a CPU for less than 1 ms */

static OSSL_LIB_CTX *own;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;
static bool (*test_source)(uint8_t *out, size_t len); /* shared */

/* OPENSSL_cleanup() frees what all contexts share, such as the lock of the random methods. */
static bool cleaned; /* shared */
static unsigned int working; /* shared */
static uint64_t freeing_at; /* shared: when OPENSSL_cleanup() began to free, in ns; 0: it has not
			     * begun */
/* After a clean-up has begun, threads without a generator do not get a new one, and all of them use
 * this generator. */
static EVP_RAND_CTX *last;
static pthread_mutex_t last_lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void
rest(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	nanosleep(&pause, NULL);
}

/* Runs at the beginning of OPENSSL_cleanup(), which OpenSSL also calls when the process ends. The
 * threads of devices run on meanwhile. */
static void
before_cleanup(void)
{
	__atomic_store_n(&cleaned, true, __ATOMIC_SEQ_CST);
	for (unsigned int i = 0; i < PAUSES && __atomic_load_n(&working, __ATOMIC_SEQ_CST) > 0; i++)
		rest();
	__atomic_store_n(&freeing_at, now_ns(), __ATOMIC_RELEASE);
}

/* Forget the threads at work, after a fork. A child has none of its parent's threads. */
static void
in_child(void)
{
	working = 0;
}

/* Make a generator that belongs to no thread. Return NULL if this fails. */
static EVP_RAND_CTX *
generator_new(OSSL_LIB_CTX *ctx)
{
	char cipher[] = "AES-256-CTR";
	const OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_CIPHER, cipher, 0),
		OSSL_PARAM_construct_end(),
	};
	EVP_RAND *drbg = EVP_RAND_fetch(ctx, "CTR-DRBG", NULL);
	EVP_RAND_CTX *generator = drbg != NULL ? EVP_RAND_CTX_new(drbg, NULL) : NULL;

	EVP_RAND_free(drbg);
	if (generator != NULL &&
	    EVP_RAND_instantiate(generator, STRENGTH, 0, NULL, 0, params) == 1)
		return generator;
	EVP_RAND_CTX_free(generator);
	return NULL;
}

static void
make(void)
{
	OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();

	if (ctx != NULL && OSSL_PROVIDER_load(ctx, "default") != NULL &&
	    (last = generator_new(ctx)) != NULL && OPENSSL_atexit(before_cleanup) == 1 &&
	    pthread_atfork(NULL, NULL, in_child) == 0)
		own = ctx;
	else
		OSSL_LIB_CTX_free(ctx);
}

OSSL_LIB_CTX *
libctx(void)
{
	pthread_once(&own_once, make);
	return own;
}

BN_CTX *
libctx_bn(void)
{
	return BN_CTX_new_ex(libctx());
}

static bool
draw(EVP_RAND_CTX *generator, uint8_t *out, size_t len)
{
	bool good;

	ERR_set_mark();
	good = generator != NULL && EVP_RAND_generate(generator, out, len, 0, 0, NULL, 0) == 1;
	ERR_pop_to_mark();
	return good;
}

static bool
draw_last(uint8_t *out, size_t len)
{
	bool good;

	pthread_mutex_lock(&last_lock);
	good = draw(last, out, len);
	pthread_mutex_unlock(&last_lock);
	return good;
}

bool
libctx_random(uint8_t *out, size_t len)
{
	bool (*source)(uint8_t *, size_t) = __atomic_load_n(&test_source, __ATOMIC_RELAXED);
	const bool begun = libctx_begin();
	bool good;

	if (source != NULL)
		good = source(out, len);
	else
		good = begun ? draw(RAND_get0_public(libctx()), out, len) : draw_last(out, len);
	if (begun)
		libctx_end();
	return good;
}

bool
libctx_random_secret(uint8_t *out, size_t len)
{
	bool (*source)(uint8_t *, size_t) = __atomic_load_n(&test_source, __ATOMIC_RELAXED);

	return source != NULL ? source(out, len) : draw(RAND_get0_private(libctx()), out, len);
}

void
libctx_random_from(bool (*source)(uint8_t *out, size_t len))
{
	__atomic_store_n(&test_source, source, __ATOMIC_RELAXED);
}

bool
libctx_begin(void)
{
	__atomic_add_fetch(&working, 1, __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&cleaned, __ATOMIC_SEQ_CST))
		return true;
	libctx_end();
	return false;
}

void
libctx_end(void)
{
	__atomic_sub_fetch(&working, 1, __ATOMIC_SEQ_CST);
}

void
libctx_begin_freeing(void)
{
	uint64_t at;

	if (libctx_begin())
		return;
	do {
		rest();
		at = __atomic_load_n(&freeing_at, __ATOMIC_ACQUIRE);
	} while (at == 0 || now_ns() - at < FREEING_NS);
	__atomic_add_fetch(&working, 1, __ATOMIC_SEQ_CST);
}

void
libctx_thread_end(void)
{
	libctx_begin_freeing();
	OPENSSL_thread_stop();
	libctx_end();
}
