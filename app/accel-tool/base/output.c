/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes files that the command line names. See output.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

#define TEMPORARY ".XXXXXX" /* for mkostemp() */

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define NB_SIGNALS (sizeof(signals) / sizeof(signals[0]))

static volatile sig_atomic_t came; /* the last of these signals */

static void
note(int sig)
{
	came = sig;
}

static void
hold_signals(struct sigaction *before)
{
	struct sigaction action = { .sa_handler = note, .sa_flags = SA_RESTART };
	size_t i;

	came = 0;
	sigemptyset(&action.sa_mask);
	for (i = 0; i < NB_SIGNALS; i++)
		sigaction(signals[i], &action, &before[i]);
}

static void
release_signals(const struct sigaction *before)
{
	size_t i;

	for (i = 0; i < NB_SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
	if (came != 0)
		raise(came);
}

/* Returns what is at the path: 0 for nothing or a file that may be replaced, 1 for a character
 * device or FIFO that is written as it is, or a negative errno. */
static int
kind_of(const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? 0 : -errno;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISREG(st.st_mode))
		return 0;
	return S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode) ? 1 : -EINVAL;
}

int
output_check(const char *path)
{
	const int kind = kind_of(path);
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";

	if (kind < 0)
		return kind;
	if (kind == 1)
		return access(path, W_OK) == 0 ? 0 : -errno;
	if (strlen(path) + sizeof(TEMPORARY) > sizeof(folder))
		return -ENAMETOOLONG;
	if (slash != NULL)
		memcpy(folder, path, (size_t)(slash == path ? 1 : slash - path));
	return access(folder, W_OK | X_OK) == 0 ? 0 : -errno;
}

int
output_begin(struct output *output, const char *path, bool secret)
{
	*output = (struct output){ .path = path, .secret = secret };
	output->file = open_memstream(&output->text, &output->size);
	return output->file != NULL ? 0 : -ENOMEM;
}

static int
write_all(int fd, const char *text, size_t size)
{
	while (size != 0) {
		const ssize_t n = write(fd, text, size);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

/* Writes to a character device or a FIFO. What was opened is checked again, since somebody may have
 * put something else in its place. */
static int
write_special(const struct output *output)
{
	const int fd = open(output->path, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	int ret;

	if (fd < 0)
		return -errno;
	ret = fstat(fd, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)) ?
		write_all(fd, output->text, output->size) : -EINVAL;
	if (close(fd) != 0 && ret == 0)
		ret = -errno;
	return ret;
}

/* Returns the mode of a new file. */
static mode_t
mode_of(const struct output *output)
{
	mode_t mask;

	if (output->secret)
		return S_IRUSR | S_IWUSR;
	mask = umask(077);
	umask(mask);
	return 0666 & ~mask;
}

static int
fill(int fd, const struct output *output)
{
	int ret = write_all(fd, output->text, output->size);

	if (ret == 0 && fchmod(fd, mode_of(output)) != 0)
		ret = -errno;
	/* A file system may find only now that it is full. Not all file systems have fsync(). */
	if (ret == 0 && fsync(fd) != 0 && errno != EINVAL && errno != EROFS)
		ret = -errno;
	return ret;
}

static int
write_file(const struct output *output)
{
	char name[PATH_MAX];
	int fd, ret;

	if (snprintf(name, sizeof(name), "%s" TEMPORARY, output->path) >= (int)sizeof(name))
		return -ENAMETOOLONG;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = fill(fd, output);
	if (close(fd) != 0 && ret == 0)
		ret = -errno;
	if (ret == 0 && rename(name, output->path) != 0)
		ret = -errno;
	if (ret != 0)
		unlink(name);
	return ret;
}

int
output_end(struct output *output)
{
	struct sigaction before[NB_SIGNALS];
	bool whole = !ferror(output->file);
	int ret;

	whole = fclose(output->file) == 0 && whole;
	output->file = NULL;
	ret = whole ? kind_of(output->path) : -ENOMEM;
	if (ret == 1) {
		ret = write_special(output);
	} else if (ret == 0) {
		hold_signals(before);
		ret = write_file(output);
		release_signals(before);
	}
	free(output->text);
	output->text = NULL;
	return ret;
}

const char *
output_why(int error)
{
	switch (error) {
	case -ELOOP:
		return "it is a symbolic link; name the file itself";
	case -EINVAL:
		return "it is neither a file nor a character device or FIFO";
	default:
		return strerror(-error);
	}
}
