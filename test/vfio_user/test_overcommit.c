/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A client truncates its file on a host that promises no more memory than it has
 * (vm.overcommit_memory=2). There, empty memory of the size of a whole window may not be available.
 * An mmap() in this process does as such a kernel.
 */
#include "fake.h"

#include <sys/syscall.h>
#include <sys/wait.h>

#define AT_MOST (16u << 20) /* bytes of one mapping */
#define HUGE_PAGE (2u << 20)

static bool strict;

/* Does as kernels that check after the old mapping is gone. */
void *
mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	if (strict && (flags & (MAP_PRIVATE | MAP_ANONYMOUS)) == (MAP_PRIVATE | MAP_ANONYMOUS) &&
	    (prot & PROT_WRITE) != 0 && len > AT_MOST) {
		if ((flags & MAP_FIXED) != 0)
			munmap(addr, len);
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, offset);
}

/* Accesses the file behind its end in several places. Returns the exit code of the process. */
static int
touch(struct wire *client, int file, uint32_t size, uint32_t page)
{
	volatile uint8_t *p = (volatile uint8_t *)(uintptr_t)dev.va[0];
	const uint32_t middle = size / 2 + 3;

	if (vfio_user_guard_memory() != 0 || ftruncate(file, page) != 0)
		return 2;
	strict = true;
	if (p[2 * page] != 0 || p[size - 1] != 0)
		return 3;
	p[2 * page] = 7;
	p[size - 1] = 8;
	p[middle] = 9;
	if (p[2 * page] != 7 || p[size - 1] != 8 || p[middle] != 9)
		return 4;
	if (vfio_user_process(vu) != 0 || stats().lost != 1 || reachable() != 0)
		return 5;
	return client_unmap(client, 0, size, 0) == 0 && stats().files == 0 ? 0 : 6;
}

static void
cut_off(int file, uint32_t size, uint32_t page)
{
	int status;
	pid_t pid;

	assert_true(client_enable(&c));
	assert_int_equal(client_map(&c, 0, size, file, 0, RW), 0);
	pid = fork();
	if (pid == 0)
		_exit(touch(&c, file, size, page));
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(file);
}

static void
test_truncated(void **state)
{
	(void)state;
	cut_off(new_file(512u << 20), 512u << 20, PAGE);
}

/* Huge pages cannot be cut, so all of the window is replaced. */
static void
test_huge_pages(void **state)
{
	const uint32_t size = 16 * HUGE_PAGE;
	int file = memfd_create("huge", MFD_CLOEXEC | MFD_HUGETLB | 21u << 26);

	(void)state;
	if (file < 0 || ftruncate(file, size) != 0) {
		print_message("skipped: there are no huge pages\n");
		skip();
	}
	cut_off(file, size, HUGE_PAGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_truncated, setup_hello, teardown),
		cmocka_unit_test_setup_teardown(test_huge_pages, setup_hello, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
