/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Whether the CPU has instructions for AES and for polynomials over GF(2). Without them, the
 * algorithms are computed in C, with the same results.
 */
#ifndef ACCEL_MODEL_CPU_H
#define ACCEL_MODEL_CPU_H

#include <stdbool.h>

/** For tests: compute in C from now on. */
extern bool cpu_is_plain;

/** True if the CPU has SSSE3, AES and PCLMULQDQ. */
static inline bool
cpu_has_aes(void)
{
#if defined(__x86_64__)
	return !cpu_is_plain && __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("aes") &&
	       __builtin_cpu_supports("pclmul");
#else
	return false;
#endif
}

#endif /* ACCEL_MODEL_CPU_H */
