/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Places in the runs of an operation's frames: see op_span.h.
 */
#include "op/op_span.h"

bool
span_skip(struct span *s, uint64_t len)
{
	while (len > 0) {
		uint64_t at;
		uint32_t part = span_part(s, len, &at);

		if (part == 0)
			return false;
		len -= part;
	}
	return true;
}

bool
span_read(struct dma_view *view, struct span *s, uint8_t *to, uint64_t len)
{
	while (len > 0) {
		uint64_t at = 0;
		uint32_t part = span_part(s, len, &at);

		if (part == 0 || !dma_read(view, at, to, part))
			return false;
		to += part;
		len -= part;
	}
	return true;
}

bool
span_write(struct dma_view *view, struct span *s, const uint8_t *from, uint64_t len)
{
	while (len > 0) {
		uint64_t at = 0;
		uint32_t part = span_part(s, len, &at);

		if (part == 0 || !dma_write(view, at, from, part))
			return false;
		from += part;
		len -= part;
	}
	return true;
}
