/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The jail of accel-device: the state of the program's threads, the rights of its sockets' files,
 * the calls that fail in the jail, and the program on a kernel that lacks parts of it.
 */
#include "program.h"

#include <dirent.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "jail.h"

static pid_t program;

/* Waits for a reply, because the program listens before it enters the jail. */
static pid_t
up(const char *const *argv)
{
	char answer[2000];

	program = start_ready(argv, control);
	ask("help\n", answer, sizeof(answer));
	return program;
}

static void
down(int code)
{
	pid_t pid = program;

	program = 0;
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), code);
}

static int
end_program(void **state)
{
	if (program != 0) {
		kill(program, SIGTERM);
		wait_end(program);
	}
	program = 0;
	return remove_dir(state);
}

/* Checks that each thread has this line in /proc/PID/task/TID/status. */
static void
expect_status(pid_t pid, const char *want)
{
	char path[320], text[8192];
	const struct dirent *entry;
	unsigned int threads = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	assert_non_null(tasks);
	while ((entry = readdir(tasks)) != NULL) {
		FILE *f;
		size_t n;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%s/status", (int)pid, entry->d_name);
		f = fopen(path, "r");
		assert_non_null(f);
		n = fread(text, 1, sizeof(text) - 1, f);
		text[n] = '\0';
		fclose(f);
		if (strstr(text, want) == NULL)
			fail_msg("thread %s does not have \"%s\":\n%s", entry->d_name, want, text);
		threads++;
	}
	closedir(tasks);
	assert_true(threads >= 3); /* They are main, one worker and one server. */
}

static void
expect_work(const char *path)
{
	struct traffic t;
	struct guest g;

	guest_open(&g, path);
	traffic_open(&t, &g, 0, 1);
	assert_true(traffic_one(&t));
	guest_close(&g);
}

static void
test_threads(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--jail", "require",
				     NULL };
	pid_t pid = up(argv);

	(void)state;
	expect_status(pid, "\nNoNewPrivs:\t1\n");
	expect_status(pid, "\nSeccomp:\t2\n");
	expect_status(pid, "\nCapPrm:\t0000000000000000\n");
	expect_status(pid, "\nCapEff:\t0000000000000000\n");
	if (geteuid() == 0)
		expect_status(pid, "\nCapBnd:\t0000000000000000\n");
	expect_work(sock);
	expect_work(sock); /* BAR0 was renewed in the jail. */
	down(0);
}

static void
test_off(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--jail", "off",
				     NULL };

	(void)state;
	expect_status(up(argv), "\nSeccomp:\t0\n");
	expect_work(sock);
	down(0);
}

static void
expect_file(const char *path, mode_t mode, uid_t uid, gid_t gid)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, mode);
	assert_int_equal(st.st_uid, uid);
	assert_int_equal(st.st_gid, gid);
}

static void
test_files(void **state)
{
	const char *group = getgrgid(getegid())->gr_name;
	const char *const plain[] = { "--socket", sock, "--control", control, NULL };
	const char *const shared[] = { "--socket", sock, "--control", control, "--socket-mode",
				       "0660", "--socket-group", group, NULL };

	(void)state;
	up(plain);
	expect_file(sock, 0600, geteuid(), getegid());
	expect_file(control, 0600, geteuid(), getegid());
	down(0);
	up(shared);
	expect_file(sock, 0660, geteuid(), getegid());
	expect_file(control, 0600, geteuid(), getegid());
	down(0);
}

/* Root becomes another user, who removes the sockets at the end. */
static void
test_user(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--user", "nobody",
				     "--group", "daemon", "--no-dump", NULL };
	const struct passwd *pw = getpwnam("nobody");
	const struct group *gr = getgrnam("daemon");
	char line[64];
	pid_t pid;

	(void)state;
	if (geteuid() != 0 || pw == NULL || gr == NULL)
		skip();
	assert_int_equal(chown(dir, pw->pw_uid, gr->gr_gid), 0);
	pid = up(argv);
	snprintf(line, sizeof(line), "\nUid:\t%u\t%u\t%u\t%u\n", pw->pw_uid, pw->pw_uid, pw->pw_uid,
		 pw->pw_uid);
	expect_status(pid, line);
	snprintf(line, sizeof(line), "\nGid:\t%u\t%u\t%u\t%u\n", gr->gr_gid, gr->gr_gid, gr->gr_gid,
		 gr->gr_gid);
	expect_status(pid, line);
	expect_status(pid, "\nGroups:\t \n");
	expect_status(pid, "\nCapBnd:\t0000000000000000\n");
	expect_file(sock, 0600, pw->pw_uid, gr->gr_gid);
	expect_file(control, 0600, pw->pw_uid, gr->gr_gid);
	/* The files of a process without core dumps belong to root in /proc. */
	snprintf(line, sizeof(line), "/proc/%d/maps", (int)pid);
	expect_file(line, 0444, 0, 0);
	expect_work(sock);
	down(0);
}

static void
test_unknown(void **state)
{
	const char *const rows[][ARGS_MAX] = {
		{ "--socket", sock, "--user", "no-such-user" },
		{ "--socket", sock, "--user", "nobody", "--group", "no-such-group" },
		{ "--socket", sock, "--socket-group", "no-such-group" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(run(rows[i]), 1);
}

/* Calls in the jail. Each returns the errno value of its failure, or 0. */

static int
try_exec(void)
{
	static const char *const argv[] = { "/bin/true", NULL };

	return execv(argv[0], (char *const *)(uintptr_t)argv) != 0 ? errno : 0;
}

static int
try_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0;
}

static int
try_code(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? errno : 0;
}

static int
try_code_later(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return 0; /* This is allowed. */
	return mprotect(p, 4096, PROT_READ | PROT_EXEC) != 0 ? errno : 0;
}

static int
try_user(void)
{
	return syscall(SYS_setuid, 0) != 0 ? errno : 0;
}

static int
try_namespace(void)
{
	return syscall(SYS_setns, -1, 0) != 0 ? errno : 0;
}

#if !defined(ACCEL_SANITIZED)
static int
try_open(void)
{
	return open("/etc/passwd", O_RDONLY) < 0 ? errno : 0;
}

static int
try_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid < 0 ? errno : 0;
}

static int
try_kill(void)
{
	return kill(getppid(), 0) != 0 ? errno : 0;
}
#endif

static const struct {
	const char *name;
	int (*call)(void);
} tries[] = {
	{ "execve", try_exec },
	{ "socket", try_socket },
	{ "mmap of code", try_code },
	{ "mprotect to code", try_code_later },
	{ "setuid", try_user },
	{ "setns", try_namespace },
#if !defined(ACCEL_SANITIZED)
	{ "open", try_open },
	{ "fork", try_fork },
	{ "kill", try_kill },
#endif
};

#define NB_TRIES (sizeof(tries) / sizeof(tries[0]))

static int gate[2]; /* a pipe that is closed when the jail is entered */

/* Tries all calls. Returns the first that did not fail as it should, or NB_TRIES. */
static size_t
first_escape(void)
{
	size_t i = 0;

	while (i < NB_TRIES && tries[i].call() == EPERM)
		i++;
	return i;
}

static void *
escape_later(void *arg)
{
	char byte;

	if (read(gate[0], &byte, 1) != 0)
		return NULL;
	*(size_t *)arg = first_escape();
	return NULL;
}

/* Enters the jail with a second thread. The exit code is the call that was not refused. */
static int
inside(void)
{
	const struct args args = { .socket = { sock }, .nb_sockets = 1, .jail = JAIL_REQUIRE };
	size_t other = 0;
	pthread_t thread;

	if (pipe(gate) != 0 || pthread_create(&thread, NULL, escape_later, &other) != 0 ||
	    jail_enter(&args) != 0 || jail_seal(&args) != 0)
		return 100;
	close(gate[1]);
	pthread_join(thread, NULL);
	return (int)(other < NB_TRIES ? other : first_escape());
}

static void
test_inside(void **state)
{
	pid_t pid = fork();
	int code;

	(void)state;
	if (pid == 0)
		_exit(inside());
	code = wait_end(pid);
	if (code != (int)NB_TRIES)
		fail_msg("%s was not refused (code %d)",
			 code >= 0 && code < (int)NB_TRIES ? tries[code].name : "the jail", code);
}

/* Only Landlock is active. A file beside the socket can be removed, and nothing else is
 * possible. */
static int
inside_files(const char *beside, const char *elsewhere)
{
	const char *const path[] = { sock };
	int ret = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? jail_landlock(path, 1) : -1;

	if (ret != 0)
		return ret == -ENOSYS || ret == -EOPNOTSUPP ? 77 : 1;
	if (open(beside, O_RDWR) >= 0 || errno != EACCES)
		return 2;
	if (open(sock, O_CREAT | O_RDWR, 0600) >= 0 || errno != EACCES)
		return 3;
	if (unlink(elsewhere) == 0 || errno != EACCES)
		return 4;
	if (mkdir(sock, 0700) == 0 || errno != EACCES)
		return 5;
	return unlink(beside) == 0 ? 0 : 6;
}

static void
test_inside_files(void **state)
{
	char beside[96], elsewhere[] = "/tmp/accel-jail-XXXXXX";
	int fd = mkstemp(elsewhere), code;
	pid_t pid;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(beside, sizeof(beside), "%s/file", dir);
	close(open(beside, O_CREAT | O_RDWR, 0600));
	pid = fork();
	if (pid == 0)
		_exit(inside_files(beside, elsewhere));
	code = wait_end(pid);
	unlink(beside);
	unlink(elsewhere);
	if (code == 77)
		skip();
	assert_int_equal(code, 0);
}

/* Late events that need system calls of their own. */

/* A guest truncates its file, and the handler of SIGBUS maps other memory there. */
static void
test_lost_memory(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--jail", "require",
				     NULL };
	const uint64_t iova = UINT64_C(1) << 40;
	int fd = memfd_create("lost", MFD_CLOEXEC);
	struct accel_hw_command *cmd;
	struct traffic t;
	struct guest g;
	char answer[4000];

	(void)state;
	up(argv);
	guest_open(&g, sock);
	traffic_open(&t, &g, 0, 1);
	assert_int_equal(ftruncate(fd, 1 << 20), 0);
	assert_int_equal(client_map(&g.c, iova, 1 << 20, fd, 0, GUEST_RW), 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	cmd = new_command(&g.h, ACCEL_HW_OP_LOOPBACK, 5);
	cmd->cipher_len = 32;
	tx_frag(t.q, host_iova(&g.h, cmd), 64, COMMAND | NEXT);
	tx_frag(t.q, iova, 32, 0);
	rx_frag(t.q, host_iova(&g.h, t.out), 32, 0);
	q_ring(t.q);
	assert_int_equal(q_response(t.q).tag, 5);
	do {
		ask("stats\n", answer, sizeof(answer));
	} while (strstr(answer, " lost=1 ") == NULL);
	assert_true(traffic_one(&t));
	guest_close(&g);
	close(fd);
	down(0);
}

/* IPsec-MB leaves a counter that wraps to OpenSSL, which was not in use before. */
static void
test_late_openssl(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--engine", "ipsec_mb",
				     "--jail", "require", NULL };
	struct accel_hw_context *ctx;
	struct accel_hw_command *cmd;
	struct traffic t;
	struct guest g;

	(void)state;
	up(argv);
	guest_open(&g, sock);
	traffic_open(&t, &g, 0, 1);
	ctx = new_context(&g.h, 2);
	ctx->cipher_alg = ACCEL_HW_CIPHER_AES_CTR;
	cmd = new_sym(&g.h, ctx, 7, 32, 0);
	memset(cmd->iv, 0xff, sizeof(cmd->iv));
	q_post(t.q, cmd, t.in, 32, t.out, 32);
	q_ring(t.q);
	expect_response(t.q, 7, ACCEL_HW_OK, 32);
	guest_close(&g);
	down(0);
}

/* Kernels without Landlock, and without seccomp. */

static pid_t
start_on(int lacking, const char *const *argv)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	pid_t pid;

	assert_non_null(filter);
	assert_int_equal(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), lacking, 0), 0);
	pid = fork();
	if (pid == 0) {
		if (seccomp_load(filter) == 0)
			execute(argv);
		_exit(126);
	}
	seccomp_release(filter);
	return pid;
}

static void
check_lacking(int lacking)
{
	const char *const any[] = { "--socket", sock, "--control", control, NULL };
	const char *const all[] = { "--socket", sock, "--control", control, "--jail", "require",
				    NULL };

	program = start_on(lacking, any);
	wait_socket(control);
	expect_work(sock);
	down(0);
	assert_int_equal(wait_end(start_on(lacking, all)), 1);
}

static void
test_lacking_landlock(void **state)
{
	(void)state;
	check_lacking(SCMP_SYS(landlock_create_ruleset));
}

static void
test_lacking_seccomp(void **state)
{
	(void)state;
	check_lacking(SCMP_SYS(seccomp));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_threads, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_off, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_files, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_user, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_unknown, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_inside, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_inside_files, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_lost_memory, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_late_openssl, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_lacking_landlock, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_lacking_seccomp, make_dir, end_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
