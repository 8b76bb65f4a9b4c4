/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The device's functions that the linker wraps for bench_stages.c. This file knows the model and
 * not the driver, since the two have types of the same name.
 */
#include "bench_wrap.h"
#include "execute/op_execute.h"

/* With the types of the real functions, the compiler finds a wrapper that is out of date. */
__typeof__(op_execute) __real_op_execute, __wrap_op_execute;
__typeof__(op_finish) __real_op_finish, __wrap_op_finish;

/* Runs for one operation, because only one was posted. */
bool
__wrap_op_execute(struct op_tools *tools, struct op_access *access, struct op *ops, uint32_t *next,
		  uint32_t ready, uint32_t *left)
{
	bool begun;

	if (!bench_probing)
		return __real_op_execute(tools, access, ops, next, ready, left);
	bench_engine_begins();
	begun = __real_op_execute(tools, access, ops, next, ready, left);
	bench_engine_ended(); /* op_finish() may set it again */
	return begun;
}

void
__wrap_op_finish(struct op_tools *tools, struct op_access *access, struct op *op)
{
	__real_op_finish(tools, access, op);
	if (bench_probing)
		bench_engine_ended();
}
