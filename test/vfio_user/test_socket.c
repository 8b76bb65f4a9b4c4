/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sockets in the file system.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "client.h"

static char dir[64];

static int
make_dir(void **state)
{
	(void)state;
	return client_temp_dir(dir) ? 0 : -1;
}

static int
remove_dir(void **state)
{
	(void)state;
	return rmdir(dir); /* This fails if a file was left in it. */
}

static const struct vfio_user_owner mine;

static void
test_socket(void **state)
{
	struct vfio_user_socket a, b;
	struct wire c;
	char path[128];
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/s", dir);
	assert_int_equal(vfio_user_listen(&a, path, &mine), 0);
	assert_int_equal(vfio_user_accept(&a), -EAGAIN);
	assert_true(client_connect(&c, path));
	fd = vfio_user_accept(&a);
	assert_true(fd >= 0);
	close(fd);
	wire_close(&c);
	/* A socket that is served is refused, and the first server still works. */
	assert_int_equal(vfio_user_listen(&b, path, &mine), -EADDRINUSE);
	assert_int_equal(access(path, F_OK), 0);
	/* A server that died leaves its file. */
	close(a.fd);
	assert_int_equal(vfio_user_listen(&b, path, &mine), 0);
	/* The first server must not remove a file that is not its own any more. */
	a.fd = dup(b.fd);
	vfio_user_unlisten(&a);
	assert_int_equal(access(path, F_OK), 0);
	vfio_user_unlisten(&b);
	assert_int_equal(access(path, F_OK), -1);
	vfio_user_unlisten(&b);
}

/* The mode is the requested one, or 0600 by default, whatever the umask is. */
static void
test_socket_mode(void **state)
{
	static const mode_t masks[] = { 0, 022, 077, 0177 };
	const struct vfio_user_owner group = { .mode = 0660, .has_gid = true, .gid = getegid() };
	const mode_t before = umask(0);
	struct vfio_user_socket s;
	char path[128];
	struct stat st;

	(void)state;
	snprintf(path, sizeof(path), "%s/s", dir);
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		umask(masks[i]);
		assert_int_equal(vfio_user_listen(&s, path, &mine), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0600);
		vfio_user_unlisten(&s);
		assert_int_equal(vfio_user_listen(&s, path, &group), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0660);
		assert_int_equal(st.st_gid, getegid());
		vfio_user_unlisten(&s);
	}
	umask(before);
}

static void
test_socket_bad(void **state)
{
	struct vfio_user_socket s;
	char path[256];
	FILE *file;

	(void)state;
	assert_int_equal(vfio_user_listen(&s, "", &mine), -EINVAL);
	snprintf(path, sizeof(path), "%s/%0150d", dir, 1);
	assert_int_equal(vfio_user_listen(&s, path, &mine), -ENAMETOOLONG);
	snprintf(path, sizeof(path), "%s/none/s", dir);
	assert_int_equal(vfio_user_listen(&s, path, &mine), -ENOENT);
	snprintf(path, sizeof(path), "%s/file", dir);
	file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	assert_int_equal(vfio_user_listen(&s, path, &mine), -EEXIST);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
	vfio_user_unlisten(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_socket, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_socket_mode, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_socket_bad, make_dir, remove_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
