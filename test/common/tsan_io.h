/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For builds with ThreadSanitizer, which takes volatile accesses and barriers in assembly for no
 * order. Registers and the write-back line are atomics here, in place of DPDK's functions
 * (rte_io.h). A doorbell then orders what the driver has written before it with what the device
 * reads after it, and so do the device's pointers and echoes in the other direction. The compiler
 * includes this file before each file of the driver (-include), and RTE_OVERRIDE_IO_H leaves out
 * DPDK's functions.
 */
#ifndef TSAN_IO_H
#define TSAN_IO_H

#include <stdint.h>

/* Defines the functions for registers of so many bits. */
#define TSAN_IO(bits)                                                                              \
	static inline uint##bits##_t                                                               \
	rte_read##bits##_relaxed(const volatile void *addr)                                        \
	{                                                                                          \
		return __atomic_load_n((const volatile uint##bits##_t *)addr, __ATOMIC_ACQUIRE);   \
	}                                                                                          \
	static inline uint##bits##_t                                                               \
	rte_read##bits(const volatile void *addr)                                                  \
	{                                                                                          \
		return rte_read##bits##_relaxed(addr);                                             \
	}                                                                                          \
	static inline void                                                                         \
	rte_write##bits##_relaxed(uint##bits##_t value, volatile void *addr)                       \
	{                                                                                          \
		__atomic_store_n((volatile uint##bits##_t *)addr, value, __ATOMIC_RELEASE);        \
	}                                                                                          \
	static inline void                                                                         \
	rte_write##bits(uint##bits##_t value, volatile void *addr)                                 \
	{                                                                                          \
		rte_write##bits##_relaxed(value, addr);                                            \
	}

TSAN_IO(8)
TSAN_IO(16)
TSAN_IO(32)
TSAN_IO(64)

#endif /* TSAN_IO_H */
