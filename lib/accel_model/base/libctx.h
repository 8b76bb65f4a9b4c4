/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The model's own library context of OpenSSL, with the default provider. It is made once and never
 * given back. OpenSSL's configuration file does not change it, and neither does what the program
 * does to its own context: providers that it loads or unloads, properties such as fips=yes, another
 * default context. The model fetches and makes everything in this context.
 *
 * The model takes random bytes from this context's generators (SP 800-90A), which
 * RAND_set_rand_method() does not replace. It does replace what OpenSSL itself draws: blinding, the
 * k of ECDSA and the salt of PSS follow the program's method, and fail if that fails.
 *
 * Code that may run in a thread of the program leaves the thread's queue of errors as it was, with
 * ERR_set_mark() and ERR_pop_to_mark(). ERR_clear_error() would empty it.
 */
#ifndef ACCEL_MODEL_LIBCTX_H
#define ACCEL_MODEL_LIBCTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/bn.h>
#include <openssl/crypto.h>

/** The library context. NULL if OpenSSL cannot make it; a device cannot be built then. */
OSSL_LIB_CTX *libctx(void);

/** Scratch memory for numbers, of this context. NULL: no memory. */
BN_CTX *libctx_bn(void);

/** Random bytes that anyone may see. false: there are none to be had now. */
bool libctx_random(uint8_t *out, size_t len);

/** Random bytes for secrets, from another generator: the first tell nothing about them. */
bool libctx_random_secret(uint8_t *out, size_t len);

/** For tests: random bytes come from this function. NULL: from the generators again. */
void libctx_random_from(bool (*source)(uint8_t *out, size_t len));

/**
 * Begin a piece of work that uses more of OpenSSL than this context: public keys. OPENSSL_cleanup()
 * waits for its end.
 *
 * @return false: OPENSSL_cleanup() has begun, and OpenSSL must not be used. Nothing has begun here.
 */
bool libctx_begin(void);
void libctx_end(void);

/**
 * Begin to free what public keys consist of, to be followed by libctx_end(). It always begins: if
 * OPENSSL_cleanup() has begun, it waits until that is over, because the two would free at the same
 * time. OpenSSL does not tell its end, so it waits a multiple of the time that it takes.
 */
void libctx_begin_freeing(void);

/**
 * Give back what OpenSSL has for this thread, the queue of errors included. A thread of the model
 * calls it before it ends. Otherwise OpenSSL does so as it ends, and OPENSSL_cleanup() perhaps at
 * the same time.
 */
void libctx_thread_end(void);

#endif /* ACCEL_MODEL_LIBCTX_H */
