/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Random bytes of a test's own for the card: for OpenSSL inside, which asks a RAND_METHOD, and for
 * the model, which does not.
 */
#ifndef UNIT_RAND_METHOD_H
#define UNIT_RAND_METHOD_H

#ifndef OPENSSL_SUPPRESS_DEPRECATED
#define OPENSSL_SUPPRESS_DEPRECATED /* RAND_set_rand_method() */
#endif
#include <openssl/rand.h>

#include "base/libctx.h"

/* All random bytes are those of a method; NULL: the generators' again. Returns 1. */
int random_method(const RAND_METHOD *method);

#endif /* UNIT_RAND_METHOD_H */
