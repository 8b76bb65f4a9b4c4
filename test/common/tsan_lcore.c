/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For builds with ThreadSanitizer, which does not see how DPDK's library hands work to an lcore and
 * waits for it: what the caller has written before the launch is there for the lcore, and what the
 * lcore has written is there after the wait. The linker puts these functions in the place of
 * DPDK's (--wrap).
 */
#include <rte_launch.h>
#include <rte_lcore.h>

#include <sanitizer/tsan_interface.h>

int __real_rte_eal_remote_launch(lcore_function_t *f, void *arg, unsigned int lcore);
int __wrap_rte_eal_remote_launch(lcore_function_t *f, void *arg, unsigned int lcore);
int __real_rte_eal_wait_lcore(unsigned int lcore);
int __wrap_rte_eal_wait_lcore(unsigned int lcore);

static struct work {
	lcore_function_t *f;
	void *arg;
} works[RTE_MAX_LCORE];

static int
run(void *arg)
{
	struct work *work = arg;
	int ret;

	__tsan_acquire(work);
	ret = work->f(work->arg);
	__tsan_release(work);
	return ret;
}

int
__wrap_rte_eal_remote_launch(lcore_function_t *f, void *arg, unsigned int lcore)
{
	struct work *work = &works[lcore];

	__tsan_acquire(work); /* it has ended its last one */
	*work = (struct work){ f, arg };
	__tsan_release(work);
	return __real_rte_eal_remote_launch(run, work, lcore);
}

int
__wrap_rte_eal_wait_lcore(unsigned int lcore)
{
	const int ret = __real_rte_eal_wait_lcore(lcore);

	__tsan_acquire(&works[lcore]);
	return ret;
}
