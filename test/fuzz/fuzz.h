/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What all targets share: the fuzzer's bytes as a stream of numbers, and a check that ends the
 * process. A target is a file with LLVMFuzzerTestOneInput(); meson.build and targets.txt list it.
 *
 * A target does the same for the same bytes: it uses no clock, no random numbers and no threads,
 * and each call leaves the process as it found it.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the fuzzer that are left. Behind the last one come zeros. */
struct input {
	const uint8_t *at;
	size_t left;
};

/** libFuzzer calls it with each input. @return 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/** libFuzzer calls it once, before the first input. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/** End the process with a message, which makes the present input a finding. */
#define fuzz_check(condition, ...)                                                                 \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not true: %s: ", __FILE__, __LINE__, #condition);  \
			fprintf(stderr, __VA_ARGS__);                                              \
			fputc('\n', stderr);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/** Take up to len bytes; the rest of @p to becomes 0. @return how many there were. */
static inline size_t
in_bytes(struct input *in, void *to, size_t len)
{
	const size_t nb = len < in->left ? len : in->left;

	memset(to, 0, len);
	if (nb > 0)
		memcpy(to, in->at, nb);
	in->at += nb;
	in->left -= nb;
	return nb;
}

static inline uint8_t
in_u8(struct input *in)
{
	uint8_t v;

	in_bytes(in, &v, sizeof(v));
	return v;
}

static inline uint16_t
in_u16(struct input *in)
{
	uint16_t v;

	in_bytes(in, &v, sizeof(v));
	return v;
}

static inline uint32_t
in_u32(struct input *in)
{
	uint32_t v;

	in_bytes(in, &v, sizeof(v));
	return v;
}

static inline uint64_t
in_u64(struct input *in)
{
	uint64_t v;

	in_bytes(in, &v, sizeof(v));
	return v;
}

/** A number from 0 to below - 1, of one byte if below fits in it. */
static inline uint32_t
in_below(struct input *in, uint32_t below)
{
	return (below <= 256 ? in_u8(in) : in_u32(in)) % below;
}

/** True once in `of` times. */
static inline bool
in_chance(struct input *in, uint32_t of)
{
	return in_below(in, of) == of - 1;
}

/** A number at which errors of one are found: a limit of @p limits, or next to one, or any. */
static inline uint64_t
in_near(struct input *in, const uint64_t *limits, unsigned int nb)
{
	const uint8_t pick = in_u8(in);
	const unsigned int at = pick / 4;

	if (at >= nb)
		return in_u64(in);
	return limits[at] + (pick % 4 == 1 ? 1 : pick % 4 == 2 ? UINT64_MAX : 0);
}

#endif /* FUZZ_H */
