/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Wipes the stack and registers: see wipe.h.
 */
#include <stdint.h>
#include <string.h>

#include "mem/wipe.h"

/* Engines and libraries spill registers to the stack, and use no more of it than this. */
#define STACK_BYTES (16u << 10)

/*
 * A function with CLEARS_REGISTERS clears the vector registers at its return, as wide as the target
 * has them. The asm statement in the function keeps the compiler from leaving out the call. clang
 * before release 15 does not know the attribute, so on x86 there are statements that clear them,
 * too.
 */
#if __has_attribute(zero_call_used_regs)
#define CLEARS_REGISTERS __attribute__((noinline, zero_call_used_regs("all")))
#else
#define CLEARS_REGISTERS __attribute__((noinline))
#endif

#ifdef __x86_64__
#define CLEAR_XMM(n) "pxor %%xmm" #n ", %%xmm" #n "\n\t"
#define CLEAR_ZMM(n) "vpxord %%zmm" #n ", %%zmm" #n ", %%zmm" #n "\n\t"

/* Clear the registers from 16 on. gcc 12 leaves them out, and vzeroall does not clear them. */
static CLEARS_REGISTERS __attribute__((target("avx512f"))) void
clear_registers_avx512(void)
{
	__asm__ volatile(CLEAR_ZMM(16) CLEAR_ZMM(17) CLEAR_ZMM(18) CLEAR_ZMM(19) CLEAR_ZMM(20)
				 CLEAR_ZMM(21) CLEAR_ZMM(22) CLEAR_ZMM(23) CLEAR_ZMM(24)
				 CLEAR_ZMM(25) CLEAR_ZMM(26) CLEAR_ZMM(27) CLEAR_ZMM(28)
				 CLEAR_ZMM(29) CLEAR_ZMM(30) CLEAR_ZMM(31)::
			 : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",
			   "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");
}

static CLEARS_REGISTERS __attribute__((target("avx"))) void
clear_registers_avx(void)
{
	__asm__ volatile("vzeroall" ::
			 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
			   "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

static CLEARS_REGISTERS void
clear_registers_sse(void)
{
	__asm__ volatile(CLEAR_XMM(0) CLEAR_XMM(1) CLEAR_XMM(2) CLEAR_XMM(3) CLEAR_XMM(4)
				 CLEAR_XMM(5) CLEAR_XMM(6) CLEAR_XMM(7) CLEAR_XMM(8) CLEAR_XMM(9)
				 CLEAR_XMM(10) CLEAR_XMM(11) CLEAR_XMM(12) CLEAR_XMM(13)
				 CLEAR_XMM(14) CLEAR_XMM(15)::
			 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
			   "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
#endif

static CLEARS_REGISTERS void
clear_registers(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx512f"))
		clear_registers_avx512();
	if (__builtin_cpu_supports("avx"))
		clear_registers_avx();
	else
		clear_registers_sse();
#endif
	__asm__ volatile("");
}

__attribute__((noinline)) void
wipe_stack(void)
{
	uint8_t below[STACK_BYTES];

	/* The registers come first, because the dynamic linker saves them on the stack when it
	 * binds a function. */
	clear_registers();
	explicit_bzero(below, sizeof(below));
}
