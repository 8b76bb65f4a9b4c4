/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The jail: see jail.h. This file has users and capabilities. Files are in jail_landlock.c, system
 * calls in jail_seccomp.c.
 */
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail.h"
#include "log.h"

/* The functions below find and change the user. */

static int
find_group(const char *name, gid_t *gid)
{
	const struct group *gr = getgrnam(name);

	if (gr == NULL) {
		log_line(LOG_LEVEL_ERROR, "jail", "there is no group \"%s\"", name);
		return -ENOENT;
	}
	*gid = gr->gr_gid;
	return 0;
}

static int
find_user(struct args *args)
{
	const struct passwd *pw = getpwnam(args->user);

	if (geteuid() != 0) {
		log_line(LOG_LEVEL_ERROR, "jail", "--user is for root only");
		return -EPERM;
	}
	if (pw == NULL) {
		log_line(LOG_LEVEL_ERROR, "jail", "there is no user \"%s\"", args->user);
		return -ENOENT;
	}
	args->owner.has_uid = true;
	args->owner.uid = pw->pw_uid;
	args->owner.has_gid = true;
	args->owner.gid = pw->pw_gid;
	args->gid = pw->pw_gid;
	return 0;
}

int
jail_find_users(struct args *args)
{
	int ret = 0;

	if (args->user != NULL)
		ret = find_user(args);
	if (ret == 0 && args->group != NULL) {
		ret = find_group(args->group, &args->gid);
		args->owner.gid = args->gid;
	}
	if (ret == 0 && args->socket_group != NULL) {
		ret = find_group(args->socket_group, &args->owner.gid);
		args->owner.has_gid = true;
	}
	return ret;
}

static int
change_user(const struct args *args)
{
	const uid_t uid = args->owner.uid;

	if (args->user == NULL)
		return 0;
	if (setgroups(0, NULL) != 0 || setresgid(args->gid, args->gid, args->gid) != 0 ||
	    setresuid(uid, uid, uid) != 0)
		return -errno;
	return 0;
}

/* The functions below drop capabilities. The C library has no calls for this. */

/* Empties the bounding set, so that no capability can come back. A process without privileges
 * cannot do this and does not need to. */
static void
bound_capabilities(void)
{
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
}

static int
drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return syscall(SYS_capset, &header, none) == 0 ? 0 : -errno;
}

/* The functions below make the jail. */

static int
refuse(const char *what, int ret)
{
	log_line(LOG_LEVEL_ERROR, "jail", "%s: %s", what, strerror(-ret));
	return ret;
}

/* Handles the failure of a system call that not every kernel has. */
static int
missing(const struct args *args, const char *what, int ret)
{
	if (args->jail == JAIL_REQUIRE)
		return refuse(what, ret);
	log_line(LOG_LEVEL_WARNING, "jail", "going on without %s: %s (--jail require would not)",
		 what, strerror(-ret));
	return 0;
}

static int
close_files(const struct args *args)
{
	const char *path[ACCEL_MODEL_MAX_FUNCTIONS + 2];
	unsigned int nb = 0;
	int ret;

	for (; nb < args->nb_sockets; nb++)
		path[nb] = args->socket[nb];
	if (args->pf_socket != NULL)
		path[nb++] = args->pf_socket;
	if (args->control != NULL)
		path[nb++] = args->control;
	ret = jail_landlock(path, nb);
	return ret == 0 ? 0 : missing(args, "Landlock", ret);
}

/* Sets the flag, which the kernel has cleared if the process has changed its user. */
static int
set_dumpable(const struct args *args)
{
	return prctl(PR_SET_DUMPABLE, args->no_dump ? 0 : 1, 0, 0, 0) == 0 ? 0 : -errno;
}

int
jail_enter(const struct args *args)
{
	int ret = 0;

	if (args->jail != JAIL_OFF) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
			return refuse("no_new_privs", -errno);
		bound_capabilities();
		ret = close_files(args);
	}
	if (ret != 0)
		return ret;
	ret = change_user(args);
	if (ret != 0)
		return refuse("cannot become the user", ret);
	if (args->jail != JAIL_OFF)
		ret = drop_capabilities();
	if (ret != 0)
		return refuse("cannot drop capabilities", ret);
	ret = set_dumpable(args);
	return ret == 0 ? 0 : refuse("cannot say whether it may be dumped", ret);
}

int
jail_seal(const struct args *args)
{
	int ret;

	if (args->jail == JAIL_OFF) {
		log_line(LOG_LEVEL_WARNING, "jail", "the jail is off; serve trusted guests only");
		return 0;
	}
	ret = jail_seccomp();
	return ret == 0 ? 0 : missing(args, "seccomp", ret);
}
