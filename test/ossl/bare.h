/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * An operation on the provider's device without OpenSSL: what a round trip takes by itself.
 */
#ifndef OSSL_BARE_H
#define OSSL_BARE_H

#include <stdbool.h>

bool bare_prepare(int len);
bool bare_operation(void);

#endif
