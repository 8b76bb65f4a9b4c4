/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Calls for reads of a watched range: see loads.h.
 */
#include <stdbool.h>

#include "loads.h"

/* No function here is instrumented: it would call itself. */
#define PLAIN __attribute__((no_sanitize("coverage", "address", "undefined")))

void __sanitizer_cov_load1(uint8_t *at);
void __sanitizer_cov_load2(uint16_t *at);
void __sanitizer_cov_load4(uint32_t *at);
void __sanitizer_cov_load8(uint64_t *at);
void __sanitizer_cov_load16(__int128 *at);
__attribute__((weak)) void *__real___asan_memcpy(void *to, const void *from, size_t len);
void *__wrap___asan_memcpy(void *to, const void *from, size_t len);
__attribute__((weak)) void *__real___asan_memmove(void *to, const void *from, size_t len);
void *__wrap___asan_memmove(void *to, const void *from, size_t len);

static struct {
	uintptr_t base;
	size_t len; /* 0: nothing is watched */
	loads_fn fn;
	void *arg;
	bool inside;
} watched;

PLAIN void
loads_watch(const void *base, size_t len, loads_fn fn, void *arg)
{
	watched.base = (uintptr_t)base;
	watched.len = len;
	watched.fn = fn;
	watched.arg = arg;
}

PLAIN void
loads_forget(void)
{
	watched.len = 0;
}

static inline PLAIN __attribute__((always_inline)) void
look(const void *at, size_t len)
{
	if (__builtin_expect((uintptr_t)at - watched.base >= watched.len, 1) || watched.inside)
		return;
	watched.inside = true;
	watched.fn(watched.arg, at, len);
	watched.inside = false;
}

PLAIN void
__sanitizer_cov_load1(uint8_t *at)
{
	look(at, sizeof(*at));
}

PLAIN void
__sanitizer_cov_load2(uint16_t *at)
{
	look(at, sizeof(*at));
}

PLAIN void
__sanitizer_cov_load4(uint32_t *at)
{
	look(at, sizeof(*at));
}

PLAIN void
__sanitizer_cov_load8(uint64_t *at)
{
	look(at, sizeof(*at));
}

PLAIN void
__sanitizer_cov_load16(__int128 *at)
{
	look(at, sizeof(*at));
}

PLAIN void *
__wrap___asan_memcpy(void *to, const void *from, size_t len)
{
	look(from, len);
	return __real___asan_memcpy(to, from, len);
}

PLAIN void *
__wrap___asan_memmove(void *to, const void *from, size_t len)
{
	look(from, len);
	return __real___asan_memmove(to, from, len);
}
