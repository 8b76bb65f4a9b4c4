/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Forbids by seccomp all system calls that are not on a list. A forbidden call fails with EPERM,
 * and the kernel logs it. It does not end the process, because a newer library may try a newer call
 * first and fall back to an older one, as it does on an older kernel. Ending the process would also
 * take their functions from all guests.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "jail.h"

#define ANY -1 /* no argument is checked */

struct call {
	int number;
	int argument; /* index of the argument that is checked, or ANY */
	uint64_t mask; /* bits of the argument that are compared with value */
	uint64_t value;
};

#define CALL(name) { SCMP_SYS(name), ANY, 0, 0 }
#define CALL_WITH(name, argument, mask, value) { SCMP_SYS(name), argument, mask, value }
#define OPTION UINT32_MAX

static const struct call calls[] = {
	/* Sockets, clients' files, eventfds, the log */
	CALL(read),
	CALL(write),
	CALL(writev),
	CALL(close),
	CALL(poll),
	CALL(ppoll),
	CALL(accept4),
	CALL(recvmsg),
	CALL(recvfrom),
	CALL(sendmsg),
	CALL(sendto),
	CALL_WITH(setsockopt, 2, OPTION, SO_PEEK_OFF),
	CALL(fstat),
	CALL(fstatfs),
	CALL_WITH(fcntl, 1, OPTION, F_GETFL),
	/* BAR0 for the next client */
	CALL(memfd_create),
	CALL(ftruncate),
	CALL_WITH(fcntl, 1, OPTION, F_ADD_SEALS),
	/* Removal of the sockets' files at the end */
	CALL(stat),
	CALL(lstat),
	CALL(newfstatat),
	CALL(statx),
	CALL(unlink),
	CALL(unlinkat),
	/* Memory, but no executable memory */
	CALL_WITH(mmap, 2, PROT_EXEC, 0),
	CALL_WITH(mprotect, 2, PROT_EXEC, 0),
	CALL(munmap),
	CALL(mremap),
	CALL(madvise),
	CALL(mlock),
	CALL(brk),
	/* Existing threads, time, signals */
	CALL(futex),
	CALL(sched_yield),
	CALL(sched_getaffinity),
	CALL(sched_setaffinity),
	CALL_WITH(sched_setscheduler, 1, OPTION, SCHED_IDLE),
	CALL(set_robust_list),
	CALL(rseq),
	CALL(gettid),
	CALL(getpid),
	CALL(clock_gettime),
	CALL(clock_nanosleep),
	CALL(nanosleep),
	CALL(gettimeofday),
	CALL_WITH(prctl, 0, OPTION, PR_SET_TIMERSLACK),
	CALL_WITH(prctl, 0, OPTION, PR_SET_NAME),
	CALL(rt_sigaction),
	CALL(rt_sigprocmask),
	CALL(rt_sigreturn),
	CALL(restart_syscall),
	CALL(tgkill),
	CALL(getrandom),
	CALL(exit),
	CALL(exit_group),
#if defined(ACCEL_SANITIZED)
	/* At the end sanitizers search for leaks, in a thread that stops the others. */
	CALL(clone),
	CALL(dup),
	CALL(getdents),
	CALL(getdents64),
	CALL(getppid),
	CALL(ioctl),
	CALL(kill),
	CALL(lseek),
	CALL(open),
	CALL(openat),
	CALL(pipe),
	CALL(pipe2),
	CALL(prctl),
	CALL(process_vm_readv),
	CALL(ptrace),
	CALL(readlink),
	CALL(readlinkat),
	CALL(setrlimit),
	CALL(prlimit64),
	CALL(sigaltstack),
	CALL(wait4),
#endif
};

static int
allow(scmp_filter_ctx filter, const struct call *c)
{
	if (c->argument == ANY)
		return seccomp_rule_add(filter, SCMP_ACT_ALLOW, c->number, 0);
	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, c->number, 1,
				SCMP_CMP((unsigned int)c->argument, SCMP_CMP_MASKED_EQ, c->mask,
					 c->value));
}

/* Loads the filter for all threads that exist. */
static int
load(scmp_filter_ctx filter)
{
	int ret = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);

	if (ret == 0)
		ret = seccomp_attr_set(filter, SCMP_FLTATR_CTL_LOG, 1);
	return ret == 0 ? seccomp_load(filter) : ret;
}

int
jail_seccomp(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int ret = 0;

	if (filter == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]) && ret == 0; i++)
		ret = allow(filter, &calls[i]);
	if (ret == 0)
		ret = load(filter);
	seccomp_release(filter);
	return ret;
}
