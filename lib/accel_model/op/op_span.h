/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Places in the runs of an operation's frames. Bytes in one run are used where they are, others
 * are copied.
 */
#ifndef ACCEL_MODEL_OP_SPAN_H
#define ACCEL_MODEL_OP_SPAN_H

#include "op/op.h"

/* Describes a place in a list of runs. */
struct span {
	const struct run *run;
	uint32_t left; /* runs, with the present run */
	uint32_t offset; /* into the present run */
};

static ALWAYS_INLINE struct span
span_of(const struct frame *f)
{
	return (struct span){ .run = frame_runs(f), .left = f->runs };
}

/* Take the next len > 0 bytes, if they are in one run. */
static ALWAYS_INLINE uint8_t *
span_direct(struct dma_view *view, struct span *s, uint32_t len, unsigned int right)
{
	uint64_t at;

	if (s->left > 1 && s->offset == s->run->len) {
		s->run++;
		s->left--;
		s->offset = 0;
	}
	if (unlikely(s->left == 0 || len > s->run->len - s->offset))
		return NULL;
	at = s->run->iova + s->offset;
	s->offset += len;
	return dma_lookup(view, at, len, right);
}

/* Take as much of the next len bytes as the present run has. */
static inline uint32_t
span_part(struct span *s, uint64_t len, uint64_t *at)
{
	uint32_t part;

	while (s->left > 1 && s->offset == s->run->len) {
		s->run++;
		s->left--;
		s->offset = 0;
	}
	if (s->left == 0)
		return 0;
	part = s->run->len - s->offset;
	if (part > len)
		part = (uint32_t)len;
	*at = s->run->iova + s->offset;
	s->offset += part;
	return part;
}

/** Move on by @p len bytes. @return false if the runs have less. */
bool span_skip(struct span *s, uint64_t len);

/** Copy the next bytes and move on. @return false if the bytes are not accessible, or the runs have
 * less. */
bool span_read(struct dma_view *view, struct span *s, uint8_t *to, uint64_t len);
bool span_write(struct dma_view *view, struct span *s, const uint8_t *from, uint64_t len);

#endif /* ACCEL_MODEL_OP_SPAN_H */
