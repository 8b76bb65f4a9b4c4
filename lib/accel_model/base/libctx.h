/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The model's own library context of OpenSSL, with the default provider. This context is made once
 * and never given back. OpenSSL's configuration file does not change it. What the program does to
 * its own context does not change it either: providers that are loaded or unloaded, properties such
 * as fips=yes, another default context. The model fetches and makes everything in this context.
 *
 * The model takes random bytes from this context's generators (SP 800-90A), which
 * RAND_set_rand_method() does not replace. That function does replace the random bytes that OpenSSL
 * itself draws: blinding, the k of ECDSA and the salt of PSS follow the program's method, and fail
 * if this method fails.
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

/** Return the library context. NULL if OpenSSL cannot make it. Then a device cannot be built. */
OSSL_LIB_CTX *libctx(void);

/** Return scratch memory for numbers, of this context. NULL if there is no memory. */
BN_CTX *libctx_bn(void);

/** Make random bytes that anyone may see. Return false if there are none now. */
bool libctx_random(uint8_t *out, size_t len);

/** Make random bytes for secrets. They come from another generator, so bytes that anyone may see
 * tell nothing about them. */
bool libctx_random_secret(uint8_t *out, size_t len);

/** Let random bytes come from this function, for tests. NULL: they come from the generators
 * again. */
void libctx_random_from(bool (*source)(uint8_t *out, size_t len));

/**
 * Begin a piece of work that uses more of OpenSSL than this context: public keys. OPENSSL_cleanup()
 * waits for the end of this work, libctx_end().
 *
 * @return false: OPENSSL_cleanup() has begun, and OpenSSL must not be used. No work has begun then.
 */
bool libctx_begin(void);
void libctx_end(void);

/**
 * Begin to free what public keys consist of. libctx_end() ends this. The call always succeeds. If
 * OPENSSL_cleanup() has begun, this function first waits until the clean-up is over, because both
 * would free at the same time. OpenSSL does not tell when its clean-up ends, so the wait is a
 * multiple of the time that a clean-up takes.
 */
void libctx_begin_freeing(void);

/**
 * Give back what OpenSSL has for this thread, the queue of errors included. A thread of the model
 * calls this function before the thread ends. Otherwise OpenSSL would do this at the thread's end,
 * perhaps while OPENSSL_cleanup() does it, too.
 */
void libctx_thread_end(void);

#endif /* ACCEL_MODEL_LIBCTX_H */
