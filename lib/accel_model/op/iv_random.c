/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Unpredictable IVs: see iv_random.h.
 */
#include <string.h>

#include "base/libctx.h"
#include "op/iv_random.h"

bool
iv_random_take(struct iv_random *random, uint8_t *to, uint32_t len)
{
	uint8_t *from;

	if (random->left < len) {
		random->left = 0;
		if (!libctx_random(random->bytes, sizeof(random->bytes)))
			return false;
		random->left = sizeof(random->bytes);
	}
	random->left -= len;
	from = random->bytes + random->left;
	memcpy(to, from, len);
	explicit_bzero(from, len);
	return true;
}

void
iv_random_wipe(struct iv_random *random)
{
	explicit_bzero(random, sizeof(*random));
}
