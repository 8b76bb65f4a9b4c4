/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Forbids access to files by Landlock (landlock(7)). Only the removal of files in the folders of
 * the sockets is still allowed, because the daemon removes its sockets at its end. The C library
 * has no calls for Landlock.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail.h"

/* Lists all kinds of access to files that each version of Landlock knows. Later versions add
 * none. */
static const uint64_t handled[] = {
	0, /* versions begin with 1 */
	(1u << 13) - 1,
	(1u << 14) - 1, /* adds moves between folders */
	(1u << 15) - 1, /* adds truncation */
	(1u << 15) - 1,
	(1u << 16) - 1, /* adds ioctl() of devices */
};

#define NEWEST ((long)(sizeof(handled) / sizeof(handled[0])) - 1)

static int
allow(int ruleset, const char *folder, uint64_t access)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = access };
	int ret = 0;

	rule.parent_fd = open(folder, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return -errno;
	if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
		ret = -errno;
	close(rule.parent_fd);
	return ret;
}

static int
allow_removal(int ruleset, const char *socket)
{
	char folder[256];

	if (strlen(socket) >= sizeof(folder))
		return -ENAMETOOLONG;
	strcpy(folder, socket);
	return allow(ruleset, dirname(folder), LANDLOCK_ACCESS_FS_REMOVE_FILE);
}

/* Sanitizers read /proc/self for reports, and for the search for leaks at the end. */
static int
allow_reports(int ruleset)
{
#if defined(ACCEL_SANITIZED)
	return allow(ruleset, "/", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
#else
	(void)ruleset;
	return 0;
#endif
}

int
jail_landlock(const char *const *path, unsigned int nb)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_CREATE_RULESET_VERSION);
	struct landlock_ruleset_attr attr = { 0 };
	int ruleset, ret;

	if (version < 1)
		return version < 0 ? -errno : -ENOSYS;
	attr.handled_access_fs = handled[version < NEWEST ? version : NEWEST];
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (ruleset < 0)
		return -errno;
	ret = allow_reports(ruleset);
	for (unsigned int i = 0; i < nb && ret == 0; i++)
		ret = allow_removal(ruleset, path[i]);
	if (ret == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
		ret = -errno;
	close(ruleset);
	return ret;
}
