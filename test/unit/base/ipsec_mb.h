/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What tests do where there is no IPsec-MB: on a processor that is no x86, or one that is too old
 * for it. SNOW 3G and KASUMI are in no other library of the model.
 */
#ifndef UNIT_IPSEC_MB_H
#define UNIT_IPSEC_MB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine.h"

bool has_ipsec_mb(void);

/** Skip the test that calls this if there is none. */
void need_ipsec_mb(void);

#endif /* UNIT_IPSEC_MB_H */
