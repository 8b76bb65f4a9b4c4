/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Searches for the telemetry socket of a process. See telemetry_find.h. The sockets are in the
 * folder that DPDK's EAL chooses (eal_create_runtime_dir()). Each process of a file prefix has a
 * socket there: dpdk_telemetry.v2, dpdk_telemetry.v2:1 and so on.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "telemetry_find.h"

/* Holds what the search has found so far. */
struct search {
	struct telemetry found; /* the process with devices */
	struct telemetry failed; /* another socket, whose field error says why it was not taken */
	int code; /* the error code of failed */
	unsigned int nb_found;
	char list[256]; /* the processes with devices, for the user */
};

/* Returns 0 if the process has a device of crypto_accel, or -ENODEV. */
static int
has_devices(struct telemetry *t)
{
	json_t *list = NULL;
	size_t n;
	int ret;

	ret = telemetry_ask(t, "/cryptodev/accel/list", NULL, &list);
	if (ret < 0)
		return ret;
	n = json_array_size(list);
	json_decref(list);
	if (n == 0)
		return telemetry_fail(t, -ENODEV, "process %d (%s) has no device of crypto_accel",
				      t->pid, t->path);
	return 0;
}

/* Connects to one socket and asks whether the process has devices. */
static int
try_path(struct telemetry *t, const struct telemetry_target *target, const char *path)
{
	int ret;

	memset(t, 0, sizeof(*t));
	t->stop = target->stop;
	ret = telemetry_connect(t, path);
	if (ret < 0)
		return ret;
	ret = has_devices(t);
	if (ret < 0)
		telemetry_close(t);
	return ret;
}

/* Adds a process with devices to a list for the user. */
static void
add_to_list(char *list, size_t size, const struct telemetry *t)
{
	const size_t used = strlen(list);

	snprintf(list + used, size - used, "%s%d (%s)", used > 0 ? ", " : "", t->pid, t->path);
}

static void
try_found(struct search *search, const struct telemetry_target *target, const char *path)
{
	struct telemetry t;
	int ret = try_path(&t, target, path);

	if (ret < 0) {
		/* The error of a process that cannot be asked is more important than that of a
		 * process without devices. */
		if (search->code == 0 || search->code == -ENODEV || search->code == -ENOENT) {
			search->failed = t;
			search->code = ret;
		}
		return;
	}
	add_to_list(search->list, sizeof(search->list), &t);
	if (search->nb_found++ == 0)
		search->found = t;
	else
		telemetry_close(&t);
}

/* Prints the EAL's folder of run-time files of a file prefix, or of all if it is "*". Returns
 * -ENAMETOOLONG if there is no room. */
static int
runtime_dir(const char *file_prefix, char *dir, size_t size)
{
	const char *base = getenv("RUNTIME_DIRECTORY");
	int n;

	if (base == NULL && getuid() == 0)
		base = "/var/run";
	if (base == NULL)
		base = getenv("XDG_RUNTIME_DIR");
	if (base == NULL)
		base = "/tmp";
	n = snprintf(dir, size, "%s/dpdk/%s", base, file_prefix != NULL ? file_prefix : "rte");
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

/* Tries all sockets of the folder. */
static int
search_dir(struct search *search, const struct telemetry_target *target, const char *dir)
{
	char pattern[TELEMETRY_PATH_MAX + 64];
	glob_t paths;
	int ret;

	snprintf(pattern, sizeof(pattern), "%s/dpdk_telemetry.v2*", dir);
	ret = glob(pattern, 0, NULL, &paths);
	if (ret == GLOB_NOMATCH)
		return -ENOENT;
	if (ret != 0)
		return -ENOMEM;
	for (size_t i = 0; i < paths.gl_pathc; i++)
		try_found(search, target, paths.gl_pathv[i]);
	globfree(&paths);
	return 0;
}

/* Says which processes of other file prefixes have devices, if there are any, in place of an error
 * that says that this prefix has none. Returns the error code. */
static int
others(struct telemetry *t, const struct telemetry_target *target, int code)
{
	const char *prefix = target->file_prefix != NULL ? target->file_prefix : "rte";
	struct search search = { .code = 0 };
	char dir[TELEMETRY_PATH_MAX];

	if ((code != -ENOENT && code != -ENODEV) || runtime_dir("*", dir, sizeof(dir)) < 0 ||
	    search_dir(&search, target, dir) < 0 || search.nb_found == 0)
		return code;
	telemetry_close(&search.found);
	return telemetry_fail(t, code, "no process of --file-prefix %s has a device of "
			      "crypto_accel, but these have: %s; choose one by --socket", prefix,
			      search.list);
}

static int
search_all(struct telemetry *t, const struct telemetry_target *target)
{
	struct search search = { .code = 0 };
	char dir[TELEMETRY_PATH_MAX];

	if (runtime_dir(target->file_prefix, dir, sizeof(dir)) < 0)
		return telemetry_fail(t, -ENAMETOOLONG, "the path of DPDK's run-time folder is "
				      "too long");
	if (search_dir(&search, target, dir) < 0) {
		telemetry_fail(t, -ENOENT, "there is no telemetry socket in %s; name the process "
			       "by --file-prefix or --socket", dir);
		return others(t, target, -ENOENT);
	}
	if (search.nb_found == 0) {
		*t = search.failed;
		return others(t, target, search.code);
	}
	*t = search.found;
	if (search.nb_found == 1)
		return 0;
	telemetry_close(t);
	return telemetry_fail(t, -EEXIST, "%u processes have devices of crypto_accel: %s; choose "
			      "one by --socket", search.nb_found, search.list);
}

int
telemetry_open(struct telemetry *t, const struct telemetry_target *target)
{
	memset(t, 0, sizeof(*t));
	t->fd = -1;
	return target->socket != NULL ? try_path(t, target, target->socket) : search_all(t, target);
}
