/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Random bytes of a test's own for the card: for OpenSSL inside, which asks a RAND_METHOD, and for
 * the model, which does not.
 */
#include "base/rand_method.h"

static int (*method_bytes)(unsigned char *bytes, int len);

static bool
method_draw(uint8_t *out, size_t len)
{
	return method_bytes(out, (int)len) == 1;
}

int
random_method(const RAND_METHOD *method)
{
	if (method != NULL)
		method_bytes = method->bytes;
	libctx_random_from(method != NULL ? method_draw : NULL);
	return RAND_set_rand_method(method);
}
