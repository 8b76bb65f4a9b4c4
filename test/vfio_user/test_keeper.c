/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * accel-device --keep as users run it: the daemon is killed under a guest, again and again, and the
 * guest goes on. And the end of the keeper and of its daemon.
 */
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_killed, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_next_guest, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_ends, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_waiting_client, make_dir, remove_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
