/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Wiping: see wipe.h.
 */
#include <string.h>

#include "wipe.h"
#include "worker.h"

#define STACK_BYTES (16u << 10) /* engines and libraries spill registers there; none is deeper */

void
wipe_queue(struct queue *q)
{
	explicit_bzero(q->op, QUEUE_OPS * sizeof(q->op[0]));
}

/*
 * Such a function clears the vector registers at its return, as wide as the target has them. Its
 * statement keeps the compiler from leaving out the call.
 */
#define CLEARS_REGISTERS __attribute__((noinline, zero_call_used_regs("all")))

#ifdef __x86_64__
#define CLEAR_ZMM(n) "vpxord %%zmm" #n ", %%zmm" #n ", %%zmm" #n "\n\t"

/* gcc 12 leaves out the registers from 16, which vzeroall does not clear. */
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
	__asm__ volatile("");
}
#endif

static CLEARS_REGISTERS void
clear_registers(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx512f"))
		clear_registers_avx512();
	else if (__builtin_cpu_supports("avx"))
		clear_registers_avx();
#endif
	__asm__ volatile("");
}

/* Registers first: the dynamic linker saves them on the stack when it binds a function. */
static __attribute__((noinline)) void
wipe_below(void)
{
	uint8_t below[STACK_BYTES];

	clear_registers();
	explicit_bzero(below, sizeof(below));
}

void
wipe_stack(struct worker *w)
{
	if (w->wiped_ops == w->count.ops)
		return;
	w->wiped_ops = w->count.ops;
	wipe_below();
}

void
wipe_worker(struct worker *w)
{
	const struct accel_model *m = w->model;

	explicit_bzero(w->arena, w->arena_mark);
	w->arena_mark = 0;
	for (unsigned int i = 0; i < m->nb_engines; i++) {
		if (m->engine[i]->wipe != NULL)
			m->engine[i]->wipe(w->engine[i]);
	}
	wipe_below();
}

COLD void
wipe_after(struct worker *w, struct queue *q)
{
	worker_drain(w);
	wipe_queue(q);
	wipe_worker(w);
	if (q->port->running == 1)
		ctx_cache_drop_function(&w->cache, q->port->fn->index);
}
