/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What tests do where there is no IPsec-MB: on a processor that is no x86, or one that is too old
 * for it. SNOW 3G and KASUMI are in no other library of the model.
 */
#ifndef TEST_IPSEC_MB_H
#define TEST_IPSEC_MB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine.h"

static inline bool
has_ipsec_mb(void)
{
	struct engine *engine = engine_ipsec_mb.create();

	if (engine == NULL)
		return false;
	engine_ipsec_mb.destroy(engine);
	return true;
}

/** Skip the test that calls this if there is none. */
static inline void
need_ipsec_mb(void)
{
	if (!has_ipsec_mb())
		skip();
}

#endif /* TEST_IPSEC_MB_H */
