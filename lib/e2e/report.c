/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Reports failures, skips and differences, and makes random numbers. The program has its own
 * generator, so that a seed means the same on every machine.
 */

#include <stdarg.h>

#include "e2e_op.h"

bool
e2e_first_failure(const struct e2e *t)
{
	return t->failures == 0;
}

int
e2e_fail(struct e2e *t, const char *file, int line, const char *fmt, ...)
{
	va_list ap;
	int n;

	file = strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
	n = snprintf(t->note, sizeof(t->note), "%s:%d: ", file, line);
	va_start(ap, fmt);
	vsnprintf(t->note + n, sizeof(t->note) - n, fmt, ap);
	va_end(ap);
	return E2E_FAIL;
}

int
e2e_skip(struct e2e *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->note, sizeof(t->note), fmt, ap);
	va_end(ap);
	return E2E_SKIP;
}

void
e2e_note(struct e2e *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->note, sizeof(t->note), fmt, ap);
	va_end(ap);
}

static void
hexline(const char *tag, const uint8_t *want, const uint8_t *got, uint32_t len)
{
	uint32_t i;

	printf("    %s", tag);
	for (i = 0; i < len; i++)
		printf("%s%02x", want[i] == got[i] ? " " : "*", want[i]);
	printf("\n");
}

/* Prints the bytes around the first difference. A star marks each byte that differs. */
void
e2e_hexdiff(const char *what, const uint8_t *want, const uint8_t *got, uint32_t len)
{
	uint32_t first = 0, diff = 0, i, from, n;

	for (i = len; i-- > 0;) {
		if (want[i] != got[i]) {
			first = i;
			diff++;
		}
	}
	printf("  %s: %u of %u bytes differ, first at %u\n", what, diff, len, first);
	from = first & ~15u;
	from = from > 16 ? from - 16 : 0;
	for (i = from; i < len && i < from + 64; i += 16) {
		n = RTE_MIN(16u, len - i);
		printf("   at %u\n", i);
		hexline("want", want + i, got + i, n);
		hexline("got ", got + i, want + i, n);
	}
}

/* Returns the next number of splitmix64 (Steele, Lea, Flood 2014). Any seed is good. */
uint64_t
e2e_rand(struct e2e_rng *r)
{
	uint64_t z = (r->s += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

uint32_t
e2e_range(struct e2e_rng *r, uint32_t lo, uint32_t hi)
{
	return lo + (uint32_t)(e2e_rand(r) % ((uint64_t)hi - lo + 1));
}

bool
e2e_chance(struct e2e_rng *r, unsigned int one_in)
{
	return e2e_rand(r) % one_in == 0;
}

void
e2e_bytes(struct e2e_rng *r, void *buf, size_t len)
{
	uint8_t *p = buf;
	uint64_t v;

	for (; len >= sizeof(v); len -= sizeof(v), p += sizeof(v)) {
		v = e2e_rand(r);
		memcpy(p, &v, sizeof(v));
	}
	if (len > 0) {
		v = e2e_rand(r);
		memcpy(p, &v, len);
	}
}

/* Returns the FNV-1a hash, which gives each test its own sequence, whichever other tests run. */
uint64_t
e2e_hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *s != '\0'; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3;
	return h;
}
