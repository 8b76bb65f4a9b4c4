/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The program accel-device, as users run it: its command line, its signals, its sockets after its
 * death, its control socket. The environment variable ACCEL_DEVICE says where it is.
 */
#include "guest.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#define ARGS_MAX 12
#define END_MS 20000

static char dir[64], sock[96], sock2[96], control[96];

static int
make_dir(void **state)
{
	(void)state;
	assert_true(client_temp_dir(dir));
	snprintf(sock, sizeof(sock), "%s/s", dir);
	snprintf(sock2, sizeof(sock2), "%s/s2", dir);
	snprintf(control, sizeof(control), "%s/control", dir);
	return 0;
}

static int
remove_dir(void **state)
{
	(void)state;
	return rmdir(dir); /* fails if a socket was left */
}

/* Start it with these arguments; what it says goes to nobody. */
static pid_t
start(const char *const *argv)
{
	const char *all[ARGS_MAX + 2] = { getenv("ACCEL_DEVICE") };
	pid_t pid;

	assert_non_null(all[0]);
	for (int i = 0; argv[i] != NULL; i++)
		all[i + 1] = argv[i];
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execv(all[0], (char *const *)(uintptr_t)all);
		_exit(127);
	}
	assert_true(pid > 0);
	return pid;
}

/* Its exit code, or 1000 and the signal. */
static int
wait_end(pid_t pid)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	int status;

	for (int ms = 0; ms < END_MS; ms += 2) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
		nanosleep(&pause, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return -1;
}

static int
run(const char *const *argv)
{
	return wait_end(start(argv));
}

/* Until it listens. */
static void
wait_socket(const char *path)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	struct client c;

	for (int ms = 0; ms < END_MS; ms += 2) {
		if (client_connect(&c, path)) {
			client_close(&c);
			return;
		}
		nanosleep(&pause, NULL);
	}
	fail_msg("%s is not served", path);
}

static pid_t
start_ready(const char *const *argv, const char *path)
{
	pid_t pid = start(argv);

	wait_socket(path);
	return pid;
}

/* A line to the control socket, and the answer up to "ok" or "error". */
static void
ask(const char *line, char *answer, size_t room)
{
	struct client c;
	size_t used = 0;

	assert_true(client_connect(&c, control));
	assert_true(client_write(&c, line, strlen(line), NULL, 0));
	while (used < room - 1 && client_read(&c, answer + used, 1, NULL)) {
		answer[++used] = '\0';
		if (answer[used - 1] == '\n' &&
		    (strstr(answer, "ok\n") != NULL || strncmp(answer, "error", 5) == 0))
			break;
	}
	client_close(&c);
}

static void
test_usage(void **state)
{
	static const struct {
		const char *argv[ARGS_MAX];
		int code;
	} rows[] = {
		{ { "--help" }, 0 },
		{ { "-h" }, 0 },
		{ { "--socket", sock, "-h" }, 0 },
		{ { "-x" }, 2 },
		{ { NULL }, 2 },
		{ { "--socket" }, 2 },
		{ { "--socket", sock, "--socket", sock }, 2 },
		{ { "--socket", sock, "word" }, 2 },
		{ { "--socket", sock, "--nonsense" }, 2 },
		{ { "--socket", sock, "--queues", "0" }, 2 },
		{ { "--socket", sock, "--queues", "65" }, 2 },
		{ { "--socket", sock, "--queues", "8x" }, 2 },
		{ { "--socket", sock, "--queue-pairs", "-1" }, 2 },
		{ { "--socket", sock, "--engine", "abacus" }, 2 },
		{ { "--socket", sock, "--cores", "0" }, 2 },
		{ { "--socket", sock, "--cores", "[1" }, 2 },
		{ { "--socket", sock, "--cores", "[]" }, 2 },
		{ { "--socket", sock, "--cores", "[2-1]" }, 2 },
		{ { "--socket", sock, "--cores", "[1000]" }, 2 },
		{ { "--socket", sock, "--cores", "inline" }, 2 },
		{ { "--socket", sock, "--peak-ops", "1T" }, 2 },
		{ { "--socket", sock, "--peak-bytes", "99999999999999999999" }, 2 },
		{ { "--socket", sock, "--ctx-cache", "0" }, 2 },
		{ { "--socket", sock, "--idle-us", "" }, 2 },
		{ { "--socket", sock, "--faults", "" }, 2 },
		{ { "--socket", sock, "--faults", "explode@1" }, 2 },
		{ { "--socket", sock, "--faults", "dead@1+" }, 2 },
		{ { "--socket", sock, "--faults", "none", "--fault", "none" }, 2 },
		{ { "--socket", "" }, 2 },
		{ { "--socket", "/nonexistent/s" }, 1 },
		{ { "--socket", sock, "--control", "/nonexistent/c" }, 1 },
		{ { "--socket", sock, "--control", sock }, 1 },
		{ { "--socket", sock, "--socket", "/nonexistent/s" }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int code = run(rows[i].argv);

		if (code != rows[i].code)
			fail_msg("row %zu: code %d, not %d", i, code, rows[i].code);
		assert_int_not_equal(access(sock, F_OK), 0);
	}
}

static void
test_signals(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		const char *const argv[] = { "--socket", sock, "--control", control, NULL };
		pid_t pid = start_ready(argv, control);
		struct traffic t;
		struct guest g;

		guest_open(&g, sock);
		traffic_open(&t, &g, 0, 1);
		assert_true(traffic_one(&t));
		kill(pid, signals[i]);
		assert_int_equal(wait_end(pid), 0);
		assert_true(client_ended(&g.c));
		assert_int_not_equal(access(sock, F_OK), 0);
		assert_int_not_equal(access(control, F_OK), 0);
		guest_close(&g);
	}
}

/* A live one is not disturbed, a dead one's sockets are taken over. */
static void
test_sockets(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, NULL };
	pid_t first, second;
	struct traffic t;
	struct guest g;

	(void)state;
	first = start_ready(argv, control);
	guest_open(&g, sock);
	traffic_open(&t, &g, 0, 1);
	assert_int_equal(run(argv), 1);
	assert_true(traffic_one(&t));
	kill(first, SIGKILL);
	assert_int_equal(wait_end(first), 1000 + SIGKILL);
	assert_true(client_ended(&g.c));
	guest_close(&g);
	assert_int_equal(access(sock, F_OK), 0);

	second = start_ready(argv, control);
	guest_open(&g, sock);
	traffic_open(&t, &g, 0, 1);
	assert_true(traffic_one(&t));
	guest_close(&g);
	kill(second, SIGTERM);
	assert_int_equal(wait_end(second), 0);
}

static void
test_control(void **state)
{
	const char *const argv[] = { "--socket", sock, "--socket", sock2, "--control", control,
				     "--cores", "2", "--engine", "openssl", "--quiet", NULL };
	static char answer[40000];
	struct traffic t;
	struct guest g;
	pid_t pid;

	(void)state;
	pid = start_ready(argv, control);
	guest_open(&g, sock2);
	traffic_open(&t, &g, 0, 1);
	assert_true(traffic_one(&t));
	ask("stats\n", answer, sizeof(answer));
	assert_non_null(strstr(answer, "worker1 ops="));
	assert_non_null(strstr(answer, "function0 connected=0 bus_master=0 maps=0"));
	assert_non_null(strstr(answer, "function1 connected=1 bus_master=1 maps=1 files=1"));
	ask("help\n", answer, sizeof(answer));
	assert_non_null(strstr(answer, "fault ITEMS"));
	ask("dance\n", answer, sizeof(answer));
	assert_int_equal(strncmp(answer, "error ", 6), 0);
	ask("fault explode@1\n", answer, sizeof(answer));
	assert_int_equal(strncmp(answer, "error ", 6), 0);
	ask("fault status:5@1\n", answer, sizeof(answer));
	assert_string_equal(answer, "ok\n");
	assert_false(traffic_one(&t));
	assert_true(traffic_one(&t));
	/* FLR cures a dead device. */
	ask("fault dead@1\n", answer, sizeof(answer));
	q_post(t.q, t.cmd, t.in, 32, t.out, 32);
	q_ring(t.q);
	ask("fault none\n", answer, sizeof(answer));
	assert_true(client_config_write(&g.c, 0x48, 0x8000, 2));
	assert_true(client_enable(&g.c));
	host_reset(&g.h);
	traffic_open(&t, &g, 1, 1);
	assert_true(traffic_one(&t));
	guest_close(&g);
	ask("quit\n", answer, sizeof(answer));
	assert_string_equal(answer, "ok\n");
	assert_int_equal(wait_end(pid), 0);
}

/* A virtual function sees what it was given, from its next reset on; the other one sees all. */
static void
test_share(void **state)
{
	const char *const argv[] = { "--socket", sock, "--socket", sock2, "--control", control,
				     NULL };
	static const char *const bad[] = {
		"share\n", "share 2\n", "share x\n", "share 1 queue-pairs=0\n",
		"share 1 queue-pairs=65\n", "share 1 colour=2\n", "share 1 peak-ops=\n",
	};
	char answer[1000];
	struct traffic t;
	struct guest g;
	pid_t pid;

	(void)state;
	pid = start_ready(argv, control);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ask(bad[i], answer, sizeof(answer));
		assert_int_equal(strncmp(answer, "error ", 6), 0);
	}
	guest_open(&g, sock2);
	assert_int_equal(g.h.nb_qps, 8);
	ask("share 1 queue-pairs=2 peak-ops=100k peak-bytes=1G\n", answer, sizeof(answer));
	assert_string_equal(answer, "ok\n");
	host_find_pages(&g.h);
	assert_int_equal(g.h.nb_qps, 8);
	host_reset(&g.h);
	host_find_pages(&g.h);
	assert_int_equal(g.h.nb_qps, 2);
	traffic_open(&t, &g, 1, 1);
	assert_true(traffic_one(&t));
	guest_close(&g);
	guest_open(&g, sock);
	host_find_pages(&g.h);
	assert_int_equal(g.h.nb_qps, 8);
	guest_close(&g);
	/* Its owner may change; the share remains until it is given anew. */
	guest_open(&g, sock2);
	assert_int_equal(g.h.nb_qps, 2);
	ask("share 1\n", answer, sizeof(answer));
	assert_int_equal(client_errno(&g.c, VU_DEVICE_RESET, NULL, 0, NULL, 0), 0);
	host_find_pages(&g.h);
	assert_int_equal(g.h.nb_qps, 8);
	guest_close(&g);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

static void
test_share_without_vfs(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, NULL };
	pid_t pid = start_ready(argv, control);
	char answer[1000];

	(void)state;
	ask("share 0 queue-pairs=2\n", answer, sizeof(answer));
	assert_string_equal(answer, "error the card has no virtual functions\n");
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* Lines without end, many clients: the functions go on. */
static void
test_control_flood(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, NULL };
	static char text[100000];
	struct client c[10];
	struct traffic t;
	struct guest g;
	pid_t pid;

	(void)state;
	pid = start_ready(argv, control);
	guest_open(&g, sock);
	traffic_open(&t, &g, 0, 1);
	memset(text, 'x', sizeof(text));
	for (int i = 0; i < 10; i++) {
		assert_true(client_connect(&c[i], control));
		client_write(&c[i], text, sizeof(text), NULL, 0); /* is cut off */
	}
	assert_true(traffic_one(&t));
	for (int i = 0; i < 10; i++) {
		assert_true(client_ended(&c[i]));
		client_close(&c[i]);
	}
	ask("stats\n", text, sizeof(text));
	assert_non_null(strstr(text, "connected=1"));
	guest_close(&g);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* --vf, and as many queue pairs as there can be. */
static void
test_options(void **state)
{
	const char *const argv[] = { "--socket", sock, "--vf", "--queues=64", "--peak-ops=1M",
				     "--peak-bytes", "1G", "--ctx-cache", "16", "--idle-us", "5",
				     NULL };
	pid_t pid = start_ready(argv, sock);
	struct traffic t;
	struct guest g;

	(void)state;
	guest_open(&g, sock);
	assert_int_equal(client_config_read(&g.c, 2, 2), ACCEL_HW_PCI_DEVICE_ID_VF);
	assert_int_equal(g.h.nb_qps, 64);
	traffic_open(&t, &g, 63, 1);
	assert_true(traffic_one(&t));
	guest_close(&g);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_usage, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_signals, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_sockets, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_control, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_share, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_share_without_vfs, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_control_flood, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_options, make_dir, remove_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
