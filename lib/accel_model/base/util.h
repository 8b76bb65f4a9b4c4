/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Helpers for all files of the model: access to memory that others see too (BAR0, rings, state
 * that threads share), copies, and branch hints.
 */
#ifndef ACCEL_MODEL_UTIL_H
#define ACCEL_MODEL_UTIL_H

#include <stdint.h>
#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((cold, noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define CACHE_LINE 64
#define CACHE_ALIGNED __attribute__((aligned(CACHE_LINE)))
#define ARRAY_NB(a) (sizeof(a) / sizeof((a)[0]))

static inline uint32_t
load32(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline uint32_t
load32_acquire(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static inline uint64_t
load64(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline uint64_t
load64_acquire(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static inline void
store32(uint32_t *p, uint32_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

static inline void
store32_release(uint32_t *p, uint32_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELEASE);
}

static inline void
store64(uint64_t *p, uint64_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

static inline void
store64_release(uint64_t *p, uint64_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELEASE);
}

/** Add to a counter that other threads may read. Only one thread may add. */
static inline void
count64(uint64_t *p, uint64_t n)
{
	store64(p, load64(p) + n);
}

/** Clear memory that others may read meanwhile, in words of 8 bytes. */
static inline void
clear_words(void *p, uint64_t bytes)
{
	uint64_t *word = p;

	for (uint64_t i = 0; i < bytes / sizeof(*word); i++)
		store64(&word[i], 0);
}

static inline void
cpu_pause(void)
{
#if defined(__x86_64__)
	_mm_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#endif
}

/* The functions below read and write numbers in network order. */

static inline uint16_t
get_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t
get_be32(const uint8_t *p)
{
	return (uint32_t)get_be16(p) << 16 | get_be16(p + 2);
}

static inline void
put_be16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static inline void
put_be32(uint8_t *p, uint32_t value)
{
	put_be16(p, value >> 16);
	put_be16(p + 2, value);
}

/* Copy as copy_short() does, what is shorter than one word or longer than two. This function is
 * separate from the fast path, which needs the registers. */
static __attribute__((noinline, unused)) void
copy_odd(uint8_t *to, const uint8_t *from, uint32_t len)
{
	uint64_t word, last;
	uint32_t i;

	if (len < sizeof(word)) {
		for (i = 0; i < len; i++)
			to[i] = from[i];
		return;
	}
	memcpy(&last, from + len - sizeof(last), sizeof(last));
	for (i = 0; i + sizeof(word) < len; i += sizeof(word)) {
		memcpy(&word, from + i, sizeof(word));
		memcpy(to + i, &word, sizeof(word));
	}
	memcpy(to + len - sizeof(last), &last, sizeof(last));
}

/**
 * Copy a few dozen bytes. If gcc does not know the length, it replaces memcpy() by a string
 * instruction that takes as long as the rest of an operation.
 */
static ALWAYS_INLINE void
copy_short(uint8_t *to, const uint8_t *from, uint32_t len)
{
	uint64_t first, last;

	if (unlikely(len - sizeof(first) > sizeof(last))) {
		copy_odd(to, from, len);
		return;
	}
	memcpy(&first, from, sizeof(first));
	memcpy(&last, from + len - sizeof(last), sizeof(last));
	memcpy(to, &first, sizeof(first));
	memcpy(to + len - sizeof(last), &last, sizeof(last));
}

/** Prefetch a cache line for writing, so that other CPUs give it up. */
static ALWAYS_INLINE void
prefetch_write(const void *p)
{
#if defined(__x86_64__)
	/* __builtin_prefetch(p, 1) prefetches for reading unless the compiler was told of
	 * PREFETCHW. This instruction is a NOP on CPUs that do not have it. */
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
#else
	__builtin_prefetch(p, 1);
#endif
}

/* Store two words. */
static ALWAYS_INLINE void
store_words(uint8_t *to, const uint64_t *word)
{
	memcpy(to, &word[0], sizeof(*word));
	memcpy(to + sizeof(*word), &word[1], sizeof(*word));
}

/*
 * Store two words past the cache if the CPU can, to a line that another CPU has read. Later stores
 * do not wait for the line then. A call of stream_end() after the last words keeps the order with
 * later stores.
 */
static ALWAYS_INLINE void
stream_words(uint8_t *to, const uint64_t *word)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	long long *at = (long long *)(void *)to;

	_mm_stream_si64(&at[0], (long long)word[0]);
	_mm_stream_si64(&at[1], (long long)word[1]);
#else
	memcpy(to, word, 2 * sizeof(*word));
#endif
}

static ALWAYS_INLINE void
stream_end(void)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	_mm_sfence();
#endif
}

/** True if len bytes are 0. */
static inline bool
all_zero(const uint8_t *p, size_t len)
{
	uint8_t set = 0;

	for (size_t i = 0; i < len; i++)
		set |= p[i];
	return set == 0;
}

#endif /* ACCEL_MODEL_UTIL_H */
