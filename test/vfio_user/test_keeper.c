/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * accel-device --keep as users run it: the daemon is killed under a guest, again and again, and the
 * guest goes on. The end of the keeper and of its daemon. A daemon of another contract after it.
 */
#include "keeper_store.h"
#include "program.h"

/* Returns the process that the keeper has started, or -1. */
static pid_t
daemon_of(pid_t keeper)
{
	char path[64];
	int pid = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)keeper, (int)keeper);
	file = fopen(path, "r");
	if (file == NULL)
		return -1;
	if (fscanf(file, "%d", &pid) != 1)
		pid = -1;
	fclose(file);
	return pid;
}

/* Kills the daemon while the keeper stands still, so that no other one is there yet. */
static void
kill_daemon(pid_t keeper)
{
	const pid_t daemon = daemon_of(keeper);

	assert_true(daemon > 0);
	kill(keeper, SIGSTOP);
	kill(daemon, SIGKILL);
	while (kill(daemon, 0) == 0) {
		char path[64], state = 0;
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%d/stat", (int)daemon);
		file = fopen(path, "r");
		if (file == NULL || fscanf(file, "%*d %*s %c", &state) != 1)
			state = 'Z';
		if (file != NULL)
			fclose(file);
		if (state == 'Z')
			break;
		poll(NULL, 0, 1);
	}
}

static void
wait_ready(struct guest *g, uint32_t ack)
{
	for (int ms = 0; ms < END_MS; ms++) {
		if (rd32(&g->h.id->reset_ack) != ack &&
		    rd32(&g->h.id->state) == ACCEL_HW_STATE_READY)
			return;
		poll(NULL, 0, 1);
	}
	fail_msg("no new daemon has taken the function over");
}

/* What the guest writes while there is no daemon is not acted upon: it finds a function after an
 * FLR. */
static void
test_killed(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--keep", NULL };
	pid_t keeper = start_ready(argv, control);
	struct guest g;

	(void)state;
	guest_open(&g, sock);
	for (uint32_t round = 1; round <= 6; round++) {
		struct accel_hw_response before[64];
		struct traffic t;
		uint32_t ack;

		traffic_open(&t, &g, 0, round);
		for (unsigned int i = 0; i < 100; i++)
			assert_true(traffic_one(&t));
		ack = rd32(&g.h.id->reset_ack);
		assert_int_not_equal(ack, 0);
		kill_daemon(keeper);
		memcpy(before, t.q->rsp, sizeof(before));
		q_post(t.q, t.cmd, t.in, 32, t.out, 32);
		q_ring(t.q);
		kill(keeper, SIGCONT);
		wait_ready(&g, ack);
		assert_int_equal(rd32(&g.h.id->reset_ack), 0);
		assert_int_equal(ACCEL_HW_QP_STATUS_STATE(rd32(&t.q->dev->status)),
				 ACCEL_HW_QP_STOPPED);
		assert_int_equal(rd64(&t.q->regs->doorbell), 0);
		host_reset(&g.h);
		assert_memory_equal(before, t.q->rsp, sizeof(before));
	}
	kill(keeper, SIGTERM);
	assert_int_equal(wait_end(keeper), 0);
	assert_true(client_ended(&g.c));
	guest_close(&g);
}

/* The state of a guest that has gone is not there for the next one. */
static void
test_next_guest(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--keep", NULL };
	pid_t keeper = start_ready(argv, control);

	(void)state;
	for (uint32_t round = 1; round <= 3; round++) {
		struct traffic t;
		struct guest g;
		uint32_t ack;

		guest_open(&g, sock);
		traffic_open(&t, &g, 0, round);
		assert_true(traffic_one(&t));
		ack = rd32(&g.h.id->reset_ack);
		if (round == 2) {
			kill_daemon(keeper);
			kill(keeper, SIGCONT);
			wait_ready(&g, ack);
		}
		guest_close(&g);
	}
	kill(keeper, SIGTERM);
	assert_int_equal(wait_end(keeper), 0);
}

/* The keeper ends with its daemon, and with its exit code. */
static void
test_ends(void **state)
{
	const char *const wrong[] = { "--socket", "/nonexistent/s", "--keep", NULL };
	const char *const usage[] = { "--socket", sock, "--keep", "--nonsense", NULL };
	const char *const argv[] = { "--socket", sock, "--control", control, "--keep", NULL };
	char answer[64];
	pid_t keeper;

	(void)state;
	assert_int_equal(run(wrong), 1);
	assert_int_equal(run(usage), 2);
	keeper = start_ready(argv, control);
	ask("quit\n", answer, sizeof(answer));
	assert_int_equal(wait_end(keeper), 0);
	assert_int_not_equal(access(sock, F_OK), 0);
}

/* A client that connects while there is no daemon waits, and is served. */
static void
test_waiting_client(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--keep", NULL };
	pid_t keeper = start_ready(argv, control);
	struct wire k;

	(void)state;
	kill_daemon(keeper);
	assert_true(client_connect(&k, sock));
	kill(keeper, SIGCONT);
	assert_true(client_hello(&k));
	wire_close(&k);
	kill(keeper, SIGTERM);
	assert_int_equal(wait_end(keeper), 0);
}

/* Starts a daemon that obeys an older contract, as systemd does. */
static pid_t
start_stored(struct keeper_store *store, const char *minor, int err)
{
	const char *const argv[] = { "--socket", sock, "--contract-minor", minor, NULL };
	const pid_t pid = fork();

	store->ready = false;
	/* The descriptors that are handed over take the numbers behind this one. */
	if (pid == 0 && dup2(err, 2) == 2 && keeper_store_hand_over(store) == 0)
		execute_to(argv, 2);
	if (pid == 0)
		_exit(127);
	assert_true(pid > 0);
	while (!store->ready) {
		assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
		keeper_store_read(store, pid);
		poll(NULL, 0, 1);
	}
	return pid;
}

/* Ends the daemon. Returns its status, as waitpid() gives it. */
static int
end_stored(struct keeper_store *store, pid_t pid, int sig)
{
	int status;

	kill(pid, sig);
	while (!keeper_store_end(store, pid, &status))
		poll(NULL, 0, 1);
	return status;
}

/* A card of another contract does not go on with a client, and says why: the client has read a
 * device tree that is no longer right. What was stored for it is gone. */
static void
test_other_contract(void **state)
{
	static const char *const minor[] = { "3", "3", "4", "4" };
	struct keeper_store store;
	uint32_t ack = 0;
	char log[4096];
	struct guest g;
	int ends[2];

	(void)state;
	assert_int_equal(keeper_store_open(&store), 0);
	for (unsigned int i = 0; i < 4; i++) {
		ssize_t n;
		pid_t pid;

		assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
		pid = start_stored(&store, minor[i], ends[1]);
		n = read(ends[0], log, sizeof(log) - 1);
		log[n > 0 ? n : 0] = '\0';
		assert_int_equal(strstr(log, "card of another contract than 1.4") != NULL, i == 2);
		if (i == 2) {
			assert_true(client_ended(&g.c));
			guest_close(&g);
		}
		if (i % 2 == 0)
			guest_open(&g, sock);
		else
			wait_ready(&g, ack);
		assert_int_equal(rd32(&g.h.id->version), 1u << 16 | (uint32_t)(minor[i][0] - '0'));
		host_reset(&g.h);
		ack = rd32(&g.h.id->reset_ack);
		assert_int_not_equal(ack, 0);
		close(ends[0]);
		close(ends[1]);
		assert_int_equal(end_stored(&store, pid, i < 3 ? SIGKILL : SIGTERM),
				 i < 3 ? SIGKILL : 0);
	}
	assert_true(client_ended(&g.c));
	guest_close(&g);
	close(store.fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_killed, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_next_guest, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_ends, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_waiting_client, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_other_contract, make_dir, remove_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
