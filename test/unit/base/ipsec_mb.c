/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What tests do where there is no IPsec-MB: on a processor that is no x86, or one that is too old
 * for it.
 */
#include "base/ipsec_mb.h"

bool
has_ipsec_mb(void)
{
	struct engine *engine = engine_ipsec_mb.create();

	if (engine == NULL)
		return false;
	engine_ipsec_mb.destroy(engine);
	return true;
}

void
need_ipsec_mb(void)
{
	if (!has_ipsec_mb())
		skip();
}
