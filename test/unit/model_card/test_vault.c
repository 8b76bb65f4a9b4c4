/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory for keys: how much of it is locked, and what is left of the limit for the program. As
 * CAP_IPC_LOCK has no limit, these tests give it up.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/capability.h>

#include <cmocka.h>

#include "accel_model.h"
#include "mem/vault.h"

#define LIMIT (4u << 20)
#define KEY 4096u
#define KEYS (2 * LIMIT / KEY)
#define LARGE (1u << 20)

static void *key[KEYS];

/* A sanitizer's mlock() does nothing. */
#if defined(ACCEL_SANITIZED)
#define SKIP_SANITIZED() skip()
#else
#define SKIP_SANITIZED()
#endif

static int
setup(void **state)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];
	const struct rlimit limit = { LIMIT, LIMIT };

	(void)state;
	if (syscall(SYS_capget, &header, caps) != 0)
		return -1;
	caps[CAP_IPC_LOCK / 32].effective &= ~(1u << CAP_IPC_LOCK % 32);
	return syscall(SYS_capset, &header, caps) != 0 || setrlimit(RLIMIT_MEMLOCK, &limit) != 0;
}

/* Bytes that this process has locked. */
static size_t
locked(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long kib = 0;
	char line[256];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL && sscanf(line, "VmLck: %lu kB", &kib) != 1)
		;
	fclose(f);
	return (size_t)kib << 10;
}

static void
take_keys(void)
{
	for (unsigned int i = 0; i < KEYS; i++) {
		key[i] = vault_alloc(KEY);
		assert_non_null(key[i]);
		memset(key[i], 1, KEY);
	}
}

static void
free_keys(void)
{
	for (unsigned int i = 0; i < KEYS; i++)
		vault_free(key[i], KEY);
}

/* Blocks that are mapped by themselves count only while they are there. */
static void
test_large(void **state)
{
	(void)state;
	SKIP_SANITIZED();
	for (unsigned int i = 0; i < 8; i++) {
		uint8_t *block = vault_alloc(LARGE);

		assert_non_null(block);
		assert_int_equal((uintptr_t)block % VAULT_ALIGN, 0);
		assert_in_range(locked(), LARGE, LIMIT / 2);
		assert_int_equal(block[0] | block[LARGE - 1], 0);
		memset(block, 1, LARGE);
		vault_free(block, LARGE);
	}
	assert_int_equal(vault_take_refusal(), 0);
}

/* Many keys leave the program half of the limit. */
static void
test_part(void **state)
{
	void *own = mmap(NULL, LIMIT / 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);

	(void)state;
	SKIP_SANITIZED();
	assert_ptr_not_equal(own, MAP_FAILED);
	take_keys();
	assert_in_range(locked(), LIMIT / 4, LIMIT / 2);
	assert_int_equal(vault_take_refusal(), ENOMEM);
	assert_int_equal(vault_take_refusal(), 0);
	assert_int_equal(mlock(own, LIMIT / 2), 0);
	munmap(own, LIMIT / 2);
	free_keys();
}

/* A process that is the card's alone locks as much as it may. */
static void
test_whole(void **state)
{
	(void)state;
	SKIP_SANITIZED();
	assert_int_equal(accel_model_guard_keys(), 0);
	for (unsigned int i = 0; i < LIMIT / LARGE; i++)
		assert_non_null(vault_alloc(LARGE));
	assert_in_range(locked(), LIMIT - LARGE, LIMIT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_whole),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
