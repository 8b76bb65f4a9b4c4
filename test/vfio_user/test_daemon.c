/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The program accel-device as users run it: its command line, signals, sockets and control socket.
 */
#include "program.h"

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
		{ { "--socket", sock, "--vf-queue-pairs", "16385" }, 2 },
		{ { "--socket", sock, "--pf-socket", "" }, 2 },
		{ { "--pf-socket", sock }, 2 },
		{ { "--socket", sock, "--pf-socket", sock }, 1 },
		{ { "--socket", sock, "--queue-pairs", "-1" }, 2 },
		{ { "--socket", sock, "--engine", "abacus" }, 2 },
		{ { "--socket", sock, "--cores", "0" }, 2 },
		{ { "--socket", sock, "--cores", "[1" }, 2 },
		{ { "--socket", sock, "--cores", "[]" }, 2 },
		{ { "--socket", sock, "--cores", "[2-1]" }, 2 },
		{ { "--socket", sock, "--cores", "[1000]" }, 2 },
		{ { "--socket", sock, "--cores", "inline" }, 2 },
		{ { "--socket", sock, "--pk-cores", "0" }, 2 },
		{ { "--socket", sock, "--pk-share", "91" }, 2 },
		{ { "--socket", sock, "--pk-share", "5", "--pk-cores", "1" }, 2 },
		{ { "--socket", sock, "--pk-cores", "[1000]" }, 2 },
		{ { "--socket", sock, "--peak-ops", "1T" }, 2 },
		{ { "--socket", sock, "--peak-bytes", "99999999999999999999" }, 2 },
		{ { "--socket", sock, "--ctx-cache", "0" }, 2 },
		{ { "--socket", sock, "--idle-us", "" }, 2 },
		{ { "--socket", sock, "--serial", "" }, 2 },
		{ { "--socket", sock, "--serial", "-1" }, 2 },
		{ { "--socket", sock, "--serial", "0x" }, 2 },
		{ { "--socket", sock, "--serial", "0xfg" }, 2 },
		{ { "--socket", sock, "--serial", "0x-1" }, 2 },
		{ { "--socket", sock, "--serial", "18446744073709551616" }, 2 },
		{ { "--socket", sock, "--serial", "0x10000000000000000" }, 2 },
		{ { "--socket", sock, "--faults", "" }, 2 },
		{ { "--socket", sock, "--jail", "maybe" }, 2 },
		{ { "--socket", sock, "--socket-mode", "0800" }, 2 },
		{ { "--socket", sock, "--socket-mode", "01777" }, 2 },
		{ { "--socket", sock, "--socket-mode", "rw" }, 2 },
		{ { "--socket", sock, "--user", "" }, 2 },
		{ { "--socket", sock, "--group", "daemon" }, 2 },
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
			fail_msg("row %zu: exit code %d, expected %d", i, code, rows[i].code);
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

/* A program that was started without the descriptors 0 to 2 uses none of them for a file of its
 * own: the first one would be its log, and the next one a socket or the memory of a function. */
static void
test_closed_descriptors(void **state)
{
	const char *const argv[] = { getenv("ACCEL_DEVICE"), "--socket", sock, NULL };
	pid_t pid = fork();
	struct traffic t;
	struct guest g;

	(void)state;
	if (pid == 0) {
		close(0);
		close(1);
		close(2);
		execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	wait_socket(sock);
	for (int fd = 0; fd <= 2; fd++) {
		char link[64], file[64] = "";

		snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)pid, fd);
		assert_true(readlink(link, file, sizeof(file) - 1) > 0);
		assert_string_equal(file, "/dev/null");
	}
	guest_open(&g, sock);
	traffic_open(&t, &g, 0, 1);
	assert_true(traffic_one(&t));
	guest_close(&g);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* The sockets of a running program are refused, those of one that was killed are taken over. */
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

/* All functions of a card show its serial number. Without one there is no such capability. */
static void
test_serial(void **state)
{
	static const struct {
		const char *value;
		uint64_t serial;
	} rows[] = {
		{ "0", 0 },
		{ "7k", 7000 },
		{ "0xfedcba9876543210", UINT64_C(0xfedcba9876543210) },
		{ "18446744073709551615", UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *const argv[] = { "--socket", sock, "--socket", sock2, "--control",
					     control, "--serial", rows[i].value, NULL };
		const uint64_t serial = rows[i].serial;
		pid_t pid = start_ready(argv, control);
		struct wire c;

		for (unsigned int k = 0; k < 2; k++) {
			uint32_t next;

			assert_true(client_connect(&c, k == 0 ? sock : sock2));
			assert_true(client_hello(&c));
			next = client_config_read(&c, 0x100, 4) >> 20; /* behind error reporting */
			assert_int_equal(next != 0, serial != 0);
			if (next != 0) {
				assert_int_equal(client_config_read(&c, next, 4), 0x00010003);
				assert_int_equal(client_config_read(&c, next + 4, 4),
						 serial & 0xffffffff);
				assert_int_equal(client_config_read(&c, next + 8, 4), serial >> 32);
			}
			wire_close(&c);
		}
		kill(pid, SIGTERM);
		assert_int_equal(wait_end(pid), 0);
	}
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
	/* FLR revives a dead device. */
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

/* True if an answer has a line that begins and ends so. */
static bool
has_line(const char *answer, const char *first, const char *last)
{
	const char *at = strstr(answer, first), *end;

	while (at != NULL && at != answer && at[-1] != '\n')
		at = strstr(at + 1, first);
	if (at == NULL)
		return false;
	end = strchr(at, '\n');
	return end != NULL && (size_t)(end - at) >= strlen(last) &&
		strncmp(end - strlen(last), last, strlen(last)) == 0;
}

/* Wrong commands name what is wrong and change nothing. */
static void
check_bad_shares(void)
{
	static const struct {
		const char *line;
		const char *why;
	} bad[] = {
		{ "share\n", "they are 0 to 1" },
		{ "share 2 weight=1\n", "they are 0 to 1" },
		{ "share x weight=1\n", "they are 0 to 1" },
		{ "share 1\n", "nothing is named" },
		{ "share 1 queue-pairs=9\n", "at most 8 queue pairs" },
		{ "share 1 queue-pairs=70000\n", "not a number" },
		{ "share 1 colour=2\n", "colour=2 is none of" },
		{ "share 1 peak-ops=\n", "not a number" },
		{ "share 1 weight=0\n", "from 1 to 65535" },
		{ "share 1 weight=2 algorithms=aes-cbc,rot13\n", "no algorithm rot13" },
		{ "share 1 algorithms=\n", "names or numbers" },
		{ "share 1 algorithms=null\n", "no algorithm null" },
		{ "share 1 algorithms=2-1\n", "no algorithm 2-1" },
		{ "share 1 algorithms=0\n", "no algorithm 0" },
		{ "share 1 algorithms=256\n", "no algorithm 256" },
		{ "share 1 algorithms=4294967297\n", "no algorithm 4294967297" },
		{ "share 1 algorithms=+1\n", "no algorithm +1" },
		{ "share 1 algorithms=1-+2\n", "no algorithm 1-+2" },
		{ "share 1 algorithms=1-2-3\n", "no algorithm 1-2-3" },
		{ "share 1 algorithms=1-\n", "no algorithm 1-" },
		{ "share 1 algorithms=0x1\n", "no algorithm 0x1" },
		{ "answer 0\n", "no request" },
		{ "answer 5 granted\n", "they are 0 to 1" },
		{ "answer 0 granted\n", "no request" },
	};
	char text[1000];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ask(bad[i].line, text, sizeof(text));
		assert_int_equal(strncmp(text, "error ", 6), 0);
		if (strcmp(bad[i].line, "answer 0\n") != 0)
			assert_non_null(strstr(text, bad[i].why));
	}
	ask("shares\n", text, sizeof(text));
	assert_true(has_line(text, "share1 queue-pairs=8 weight=1 peak-ops=0 peak-bytes=0 "
			     "algorithms=all", "in_effect=1 has=8 state=ready"));
}

/* A virtual function has its resources from its next reset on. Only what is named changes. */
static void
test_share(void **state)
{
	const char *const argv[] = { "--socket", sock, "--socket", sock2, "--control", control,
				     NULL };
	char text[1000];
	struct traffic t;
	struct guest g;
	pid_t pid;

	(void)state;
	pid = start_ready(argv, control);
	check_bad_shares();
	guest_open(&g, sock2);
	assert_int_equal(g.h.nb_qps, 8);
	ask("share 1 queue-pairs=2 peak-ops=100k peak-bytes=1G\n", text, sizeof(text));
	assert_string_equal(text, "ok\n");
	host_find_pages(&g.h);
	assert_int_equal(g.h.nb_qps, 8);
	host_reset(&g.h);
	host_find_pages(&g.h);
	assert_int_equal(g.h.nb_qps, 2);
	traffic_open(&t, &g, 1, 1);
	assert_true(traffic_one(&t));
	ask("share 1 weight=5 algorithms=aes-cbc,cipher-null,65-66\n", text, sizeof(text));
	assert_string_equal(text, "ok\n");
	for (int i = 0; i < 10000 && !has_line(text, "share1", "in_effect=1 has=2 state=ready");
	     i++)
		ask("shares\n", text, sizeof(text));
	assert_true(has_line(text, "share1 queue-pairs=2 weight=5 peak-ops=100000 "
			     "peak-bytes=1000000000 algorithms=1-2,65-66 ", "state=ready"));
	guest_close(&g);
	guest_open(&g, sock);
	host_find_pages(&g.h);
	assert_int_equal(g.h.nb_qps, 8);
	guest_close(&g);
	/* The resources remain for the next guest, until they are changed. */
	guest_open(&g, sock2);
	assert_int_equal(g.h.nb_qps, 2);
	ask("share 1 queue-pairs=8 peak-ops=0 peak-bytes=0 algorithms=all\n", text, sizeof(text));
	assert_int_equal(client_errno(&g.c, VU_DEVICE_RESET, NULL, 0, NULL, 0), 0);
	host_find_pages(&g.h);
	assert_int_equal(g.h.nb_qps, 8);
	guest_close(&g);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* The pool of queue pairs, and a function that has none. */
static void
test_pool(void **state)
{
	const char *const argv[] = { "--socket", sock, "--socket", sock2, "--control", control,
				     "--vf-queue-pairs", "6", NULL };
	char text[1000];
	struct guest g;
	pid_t pid;

	(void)state;
	pid = start_ready(argv, control);
	ask("shares\n", text, sizeof(text));
	assert_true(has_line(text, "card queue-pairs=6 most=8", ""));
	ask("share 0 queue-pairs=7\n", text, sizeof(text));
	assert_non_null(strstr(text, "error the card has 6 queue pairs"));
	/* A function without a client gives its queue pairs back at once. */
	ask("share 0 queue-pairs=0\n", text, sizeof(text));
	assert_string_equal(text, "ok\n");
	ask("share 1 queue-pairs=6\n", text, sizeof(text));
	assert_string_equal(text, "ok\n");
	guest_open(&g, sock2);
	assert_int_equal(g.h.nb_qps, 6);
	guest_close(&g);
	guest_open(&g, sock);
	assert_int_equal(g.h.nb_qps, 0);
	host_reset(&g.h);
	guest_close(&g);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* The host pages of a function's mailbox, and the device's. */
static void
find_mailbox(const struct host *h, struct accel_hw_vf_resources **asks,
	     struct accel_hw_mailbox **box)
{
	const void *fdt = h->bar + rd32(&h->id->dt_offset);
	const int node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_MAILBOX);

	*asks = (void *)(h->bar + host_reg(fdt, node, 0));
	*box = (void *)(h->bar + host_reg(fdt, node, 2));
}

/* A guest asks, the operator answers. */
static void
test_answer(void **state)
{
	const char *const argv[] = { "--socket", sock, "--socket", sock2, "--control", control,
				     NULL };
	struct accel_hw_vf_resources *asks;
	struct accel_hw_mailbox *box;
	char text[1000] = "";
	struct guest g;
	pid_t pid;

	(void)state;
	pid = start_ready(argv, control);
	guest_open(&g, sock2);
	find_mailbox(&g.h, &asks, &box);
	host_until(&g.h, rd32(&box->pf_state) == ACCEL_HW_PF_UP);
	wr64(&asks->ops_per_second, 123);
	wr32(&asks->sequence, 77);
	while (!has_line(text, "request1 number=1 queue-pairs=0 weight=0 peak-ops=123 ", ""))
		ask("shares\n", text, sizeof(text));
	ask("answer 1 perhaps\n", text, sizeof(text));
	assert_non_null(strstr(text, "neither granted nor refused"));
	assert_int_equal(rd32(&box->answer), 0);
	ask("answer 1 granted\n", text, sizeof(text));
	assert_string_equal(text, "ok\n");
	host_until(&g.h, rd32(&box->answer) == 77);
	assert_int_equal(rd32(&box->answer_status), ACCEL_HW_ANSWER_GRANTED);
	ask("answer 1 granted\n", text, sizeof(text));
	assert_non_null(strstr(text, "no request"));
	guest_close(&g);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* A client has the physical function beside the virtual one. */
static void
test_pf_socket(void **state)
{
	const char *const argv[] = { "--socket", sock, "--pf-socket", sock2, "--control", control,
				     NULL };
	struct accel_hw_vf_resources *table;
	struct traffic t, of_pf;
	struct guest vf, pf;
	const void *fdt;
	char text[2000];
	pid_t pid;

	(void)state;
	pid = start_ready(argv, control);
	guest_open(&vf, sock);
	guest_open(&pf, sock2);
	assert_int_equal(client_config_read(&vf.c, 2, 2), ACCEL_HW_PCI_DEVICE_ID_VF);
	assert_int_equal(client_config_read(&pf.c, 2, 2), ACCEL_HW_PCI_DEVICE_ID_PF);
	assert_int_equal(rd32(&pf.h.id->function), 0);
	traffic_open(&t, &vf, 0, 1);
	traffic_open(&of_pf, &pf, 0, 1);
	assert_true(traffic_one(&t) && traffic_one(&of_pf));
	fdt = pf.h.bar + rd32(&pf.h.id->dt_offset);
	table = (void *)(pf.h.bar +
			 host_reg(fdt, fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_VF_TABLE),
				  0));
	table->nb_queue_pairs = 1;
	wr32(&table->sequence, 1);
	ask("stats\n", text, sizeof(text));
	assert_true(has_line(text, "function0 connected=1", "/s"));
	assert_true(has_line(text, "pf connected=1", "/s2"));
	host_reset(&vf.h);
	host_find_pages(&vf.h);
	assert_int_equal(vf.h.nb_qps, 1);
	/* An FLR of the PF clears the table and leaves the VF alone. */
	traffic_open(&t, &vf, 0, 2);
	assert_int_equal(client_errno(&pf.c, VU_DEVICE_RESET, NULL, 0, NULL, 0), 0);
	assert_int_equal(rd32(&table->sequence), 0);
	guest_close(&pf);
	host_find_pages(&vf.h);
	assert_int_equal(vf.h.nb_qps, 1);
	guest_close(&vf);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

static void
test_share_without_vfs(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, NULL };
	pid_t pid = start_ready(argv, control);
	char answer[1000];

	struct guest g;

	(void)state;
	ask("share 0 queue-pairs=2\n", answer, sizeof(answer));
	assert_string_equal(answer, "error the card has no virtual functions\n");
	/* What the guest writes to its BAR0 makes no difference. */
	guest_open(&g, sock);
	for (uint32_t i = 0; i < 32; i++) {
		wr32(&g.h.id->dt_offset, UINT32_C(1) << i);
		ask("share 0\n", answer, sizeof(answer));
		assert_string_equal(answer, "error the card has no virtual functions\n");
	}
	guest_close(&g);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* Stops the queue pair by a descriptor of no known type, for which the device logs a line. */
static void
bad_descriptor(struct hostq *q)
{
	tx_word(q, UINT64_C(1) << 62);
	q_ring(q);
}

static void
bad_descriptors(struct hostq *q, unsigned int nb)
{
	while (nb-- > 0) {
		bad_descriptor(q);
		host_until(q->host, (rd32(&q->dev->status) & 0xff) == 3);
		q_command(q, ACCEL_HW_QP_CMD_STOP_DISCARD);
		q_start(q, 64, 64, 64);
	}
}

/* Sends messages that the server refuses, with a log line for each. */
static void
bad_messages(struct wire *client, unsigned int nb)
{
	while (nb-- > 0)
		assert_int_equal(client_errno(client, VU_DIRTY_PAGES, NULL, 0, NULL, 0), ENOTSUP);
}

/* Fills the pipe. This descriptor does not block, but the program's one will. */
static void
fill_pipe(int fd)
{
	char name[64], byte = '\n';
	int other;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	other = open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(other >= 0);
	while (write(other, &byte, 1) == 1)
		continue;
	close(other);
}

/* Engines, messages and the end of the daemon do not wait for a reader of its stderr. */
static void
test_stderr_not_read(void **state)
{
	const char *const argv[] = { "--socket", sock, "--socket", sock2, "--control", control,
				     "--verbose", NULL };
	struct traffic t, bad;
	struct guest g, attacker;
	char answer[100];
	int ends[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = start_to(argv, ends[1]);
	wait_socket(control);
	guest_open(&g, sock);
	traffic_open(&t, &g, 0, 1);
	guest_open(&attacker, sock2);
	traffic_open(&bad, &attacker, 0, 1);
	fill_pipe(ends[1]);
	bad_descriptor(bad.q);
	for (int i = 0; i < 50; i++)
		assert_true(traffic_one(&t));
	host_until(&attacker.h, (rd32(&bad.q->dev->status) & 0xff) == 3);
	q_command(bad.q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	q_start(bad.q, 64, 64, 64);
	bad_descriptors(bad.q, 2000);
	bad_messages(&attacker.c, 2000);
	bad_messages(&g.c, 1);
	assert_true(traffic_one(&t));
	guest_close(&attacker);
	guest_close(&g);
	ask("quit\n", answer, sizeof(answer));
	assert_string_equal(answer, "ok\n");
	assert_int_equal(wait_end(pid), 0);
	close(ends[0]);
	close(ends[1]);
}

/* Log lines of one function that contain a word, and how many were left out. */
struct told {
	unsigned int lines;
	unsigned long left_out;
};

static struct told
count_told(const char *log, const char *who, const char *word)
{
	struct told told = { 0 };
	const char *line = log;

	while (line != NULL && *line != '\0') {
		const char *end = strchr(line, '\n');
		char copy[600];

		snprintf(copy, sizeof(copy), "%.*s",
			 end != NULL ? (int)(end - line) : (int)strlen(line), line);
		if (strstr(copy, who) != NULL && strstr(copy, word) != NULL)
			told.lines++;
		if (strstr(copy, who) != NULL && strstr(copy, "lines were left out") != NULL)
			told.left_out += strtoul(strstr(copy, who) + strlen(who), NULL, 10);
		line = end != NULL ? end + 1 : NULL;
	}
	return told;
}

/* Log lines that a guest can cause are limited and counted for each guest. */
static void
test_log_limit(void **state)
{
	const char *const argv[] = { "--socket", sock, "--socket", sock2, "--control", control,
				     "--quiet", NULL };
	const struct timespec second = { .tv_sec = 1, .tv_nsec = 100000000 };
	static char log[1u << 20];
	char answer[100], who[2][120];
	struct guest g, attacker;
	uint64_t begin, seconds;
	struct told told;
	size_t used = 0;
	int ends[2];
	ssize_t n;
	pid_t pid;

	(void)state;
	snprintf(who[0], sizeof(who[0]), "warning: %s: ", sock);
	snprintf(who[1], sizeof(who[1]), "warning: %s: ", sock2);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_true(fcntl(ends[1], F_SETPIPE_SZ, sizeof(log)) >= (int)sizeof(log));
	pid = start_to(argv, ends[1]);
	close(ends[1]);
	wait_socket(control);
	guest_open(&g, sock);
	guest_open(&attacker, sock2);
	begin = now_ns();
	bad_messages(&attacker.c, 5000);
	bad_messages(&g.c, 1);
	nanosleep(&second, NULL); /* From now on one more line passes. */
	bad_messages(&attacker.c, 1);
	seconds = (now_ns() - begin) / 1000000000u + 1;
	guest_close(&attacker);
	guest_close(&g);
	ask("quit\n", answer, sizeof(answer));
	assert_int_equal(wait_end(pid), 0);
	while ((n = read(ends[0], log + used, sizeof(log) - 1 - used)) > 0)
		used += (size_t)n;
	log[used] = '\0';
	close(ends[0]);

	told = count_told(log, who[1], "refused");
	assert_in_range(told.lines, 32, 32 + seconds);
	assert_int_equal(told.lines + told.left_out, 5001);
	told = count_told(log, who[0], "refused");
	assert_int_equal(told.lines, 1);
	assert_int_equal(told.left_out, 0);
}

/* Reads a number of /proc/PID/status, in KiB. */
static unsigned long
status_of(pid_t pid, const char *key)
{
	char name[64], line[200];
	unsigned long number = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	file = fopen(name, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, key, strlen(key)) == 0)
			number = strtoul(line + strlen(key), NULL, 10);
	}
	fclose(file);
	return number;
}

/* Maps pages upwards or downwards with gaps, so many messages at once. */
#define MAPS_AHEAD 50u

static void
map_page(struct wire *client, int file, uint64_t page)
{
	const struct vu_dma_map map = {
		.argsz = sizeof(map), .flags = GUEST_RW, .iova = page * 2 * 4096, .size = 4096,
	};

	assert_true(client_send(client, VU_DMA_MAP, 0, &map, sizeof(map), &file, 1));
}

static void
map_pages(struct wire *client, int file, unsigned int from, int step, unsigned int nb)
{
	struct reply r;

	for (unsigned int i = 0; i < nb; i++) {
		map_page(client, file, from + (uint64_t)((int64_t)i * step));
		if ((i + 1) % MAPS_AHEAD != 0)
			continue;
		for (unsigned int k = 0; k < MAPS_AHEAD; k++) {
			assert_true(client_receive(client, &r));
			assert_int_equal(r.header.flags & VU_ERROR, 0);
			reply_drop(&r);
		}
	}
}

/* Operations that keep the engines busy. Each call posts as many as there is room for. */
#define HEAVY_BYTES 60000u

struct heavy {
	struct hostq *q;
	struct accel_hw_command *cmd;
	uint8_t *data;
	uint32_t waiting;
};

static void
heavy_open(struct heavy *heavy, struct guest *g, unsigned int qp)
{
	struct accel_hw_context *ctx = new_context(&g->h, 77);

	heavy->q = &g->h.q[qp];
	heavy->waiting = 0;
	q_start(heavy->q, 256, 256, 64);
	ctx->cipher_alg = ACCEL_HW_CIPHER_3DES_CBC;
	ctx->cipher_key_len = 24;
	ctx->iv_len = 8;
	for (unsigned int i = 0; i < 24; i++)
		ctx->cipher_key[i] = (uint8_t)(17 * i + 1);
	heavy->cmd = new_sym(&g->h, ctx, 0, HEAVY_BYTES, 0);
	heavy->data = host_alloc(&g->h, HEAVY_BYTES, 64);
}

static void
heavy_fill(struct heavy *heavy)
{
	while (heavy->waiting > 0 && rd32(&heavy->q->wb->rsp_hhp) != heavy->q->rsp_slot) {
		assert_int_equal(q_response(heavy->q).status, ACCEL_HW_OK);
		heavy->waiting--;
	}
	for (; heavy->waiting < 20; heavy->waiting++)
		q_post(heavy->q, heavy->cmd, heavy->data, HEAVY_BYTES, heavy->data, HEAVY_BYTES);
	q_ring(heavy->q);
}

/*
 * A guest maps below its other maps while its queue pair runs and another guest keeps the engines
 * busy. Each change is a new table, but the daemon's memory grows only by what is mapped.
 */
static void
test_map_flood(void **state)
{
	const char *const argv[] = { "--socket", sock, "--socket", sock2, NULL };
	const unsigned int nb = 2000, below = 100;
	pid_t pid = start_ready(argv, sock2);
	struct traffic bad;
	struct heavy heavy;
	struct guest g, attacker;
	unsigned long before, after;
	int file = memfd_create("maps", MFD_CLOEXEC);

	(void)state;
	assert_int_equal(ftruncate(file, 4096), 0);
	guest_open(&g, sock);
	heavy_open(&heavy, &g, 0);
	guest_open(&attacker, sock2);
	traffic_open(&bad, &attacker, 0, 1);
	assert_true(traffic_one(&bad));
	before = status_of(pid, "VmRSS:");
	map_pages(&attacker.c, file, below + 1, 1, nb);
	for (unsigned int i = 0; i < below; i += MAPS_AHEAD) {
		heavy_fill(&heavy);
		map_pages(&attacker.c, file, below - i, -1, MAPS_AHEAD);
	}
	assert_true(traffic_one(&bad));
	after = status_of(pid, "VmHWM:");
	print_message("%lu KiB before, at most %lu KiB after\n", before, after);
#ifndef ACCEL_SANITIZED /* Sanitizers keep memory that was freed. */
	/* There are two tables, and the list of maps while it grows. */
	assert_true(after - before < (2 * 32 + 2 * 40) * nb / 1024 + 1024);
#endif
	guest_close(&attacker);
	guest_close(&g);
	close(file);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* The functions still work while many clients send lines without an end. */
static void
test_control_flood(void **state)
{
	const char *const argv[] = { "--socket", sock, "--control", control, NULL };
	static char text[100000];
	struct wire c[10];
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
		/* The program ends the connection meanwhile. */
		client_write(&c[i], text, sizeof(text), NULL, 0);
	}
	assert_true(traffic_one(&t));
	for (int i = 0; i < 10; i++) {
		assert_true(client_ended(&c[i]));
		wire_close(&c[i]);
	}
	ask("stats\n", text, sizeof(text));
	assert_non_null(strstr(text, "connected=1"));
	guest_close(&g);
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* The program takes --vf and the largest number of queue pairs. */
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
		cmocka_unit_test_setup_teardown(test_closed_descriptors, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_sockets, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_serial, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_control, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_share, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_pool, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_answer, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_pf_socket, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_share_without_vfs, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_stderr_not_read, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_log_limit, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_map_flood, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_control_flood, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_options, make_dir, remove_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
