/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Lines to the control socket of accel-device, in pieces of any size, and its command line.
 *
 * The oracle: each line has one answer, whose last line is "ok" or an error, and only a line that
 * is too long ends the connection. The card still works at the end: its shares can be printed.
 */
#include <errno.h>
#include <getopt.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz.h"

#include "accel_hw.h"
#include "args.h"
#include "control.h"
#include "share.h"

#define VFS 2u
#define ANSWER_MAX (1u << 18)

static struct daemon daemon_;
static FILE *nowhere;

static int
no_map(void *arg, uint64_t iova, void *va, uint64_t len, unsigned int rights)
{
	(void)arg;
	(void)iova;
	(void)va;
	(void)len;
	(void)rights;
	return 0;
}

static int
no_unmap(void *arg, uint64_t iova, uint64_t len)
{
	(void)arg;
	(void)iova;
	(void)len;
	return 0;
}

static void
no_reset(void *arg)
{
	(void)arg;
}

static int
no_renew(void *arg)
{
	(void)arg;
	return -ENOMEM;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const struct accel_model_config config = {
		.nb_functions = VFS + 1, .nb_queue_pairs = 4, .nb_workers = 1,
	};

	(void)argc;
	(void)argv;
	nowhere = fopen("/dev/null", "w");
	daemon_.nb_vfs = VFS;
	daemon_.nb_served = VFS;
	daemon_.nb_workers = 1;
	daemon_.queue_pairs = 4;
	fuzz_check(nowhere != NULL && accel_model_create(&config, &daemon_.model) == 0, "no card");
	for (unsigned int i = 0; i < VFS; i++) {
		struct served *s = &daemon_.served[i];
		struct vfio_user_device device = {
			.class_code = 0x120000, .dma_map = no_map, .dma_unmap = no_unmap,
			.reset = no_reset, .renew = no_renew,
		};

		s->daemon = &daemon_;
		s->fn = accel_model_function(daemon_.model, i + 1);
		device.bar0 = accel_function_bar0(s->fn, &device.bar0_size, &device.bar0_fd);
		fuzz_check(vfio_user_create(&device, &s->vu) == 0, "no server");
	}
	return 0;
}

/* A VF may ask, so that there is something to answer. */
static void
ask(struct input *in)
{
	struct accel_model_vf_mailbox mailbox;
	struct accel_hw_vf_resources *entry;

	if (!in_chance(in, 2) || !accel_model_vf_mailbox(daemon_.model, &mailbox))
		return;
	entry = (struct accel_hw_vf_resources *)(uintptr_t)mailbox.requests + in_below(in, VFS);
	in_bytes(in, entry, sizeof(*entry));
}

static size_t
take_answers(int fd, char *to, size_t have)
{
	ssize_t n;

	while (have < ANSWER_MAX &&
	       (n = recv(fd, to + have, ANSWER_MAX - have, MSG_DONTWAIT)) > 0)
		have += (size_t)n;
	return have;
}

/* Counts last lines of answers. */
static unsigned int
count_ends(const char *text, size_t len)
{
	unsigned int nb = 0;

	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);

		fuzz_check(end != NULL, "an answer without an end");
		nb += strncmp(text + at, "ok\n", 3) == 0 || strncmp(text + at, "error ", 6) == 0;
		at = (size_t)(end - text) + 1;
	}
	return nb;
}

static unsigned int
count_lines(const uint8_t *data, size_t len)
{
	unsigned int nb = 0;

	for (size_t i = 0; i < len; i++)
		nb += data[i] == '\n';
	return nb;
}

static void
talk(struct input *in)
{
	static char answers[ANSWER_MAX];
	const uint8_t *data = in->at;
	struct pollfd fds[CONTROL_POLL_FDS];
	struct control control;
	size_t have = 0, sent = 0;
	int pair[2];

	fuzz_check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "socketpair");
	control_init(&control, &daemon_);
	control.client[0].fd = pair[1];
	while (in->left > 0 && control.client[0].fd >= 0 && have < ANSWER_MAX / 2) {
		size_t len = 1 + in->at[0] * 4u % 700;

		len = len < in->left ? len : in->left;
		fuzz_check(send(pair[0], in->at, len, MSG_NOSIGNAL) == (ssize_t)len, "send");
		in->at += len;
		in->left -= len;
		sent += len;
		for (unsigned int i = 0; i < 3 && control.client[0].fd >= 0; i++) {
			control_poll_fds(&control, fds);
			fds[0].revents = POLLIN;
			control_process(&control, fds);
			have = take_answers(pair[0], answers, have);
		}
	}
	have = take_answers(pair[0], answers, have);
	if (control.client[0].fd >= 0)
		fuzz_check(count_ends(answers, have) == count_lines(data, sent),
			   "%u answers to %u lines", count_ends(answers, have),
			   count_lines(data, sent));
	control_stop(&control);
	close(pair[0]);
}

static void
command_line(struct input *in)
{
	char name[] = "accel-device", text[512], *argv[40] = { name };
	const size_t len = in_bytes(in, text, sizeof(text) - 1);
	FILE *real = stderr;
	struct args args;
	int argc = 1;

	text[len] = '\0';
	for (char *at = text; argc < 39 && at < text + len; at += strlen(at) + 1) {
		at[strcspn(at, "\n")] = '\0';
		argv[argc++] = at;
	}
	optind = 0; /* getopt_long() begins anew */
	stderr = nowhere;
	args_parse(argc, argv, &args);
	stderr = real;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	char line[SHARE_TEXT_MAX];
	FILE *real = stderr;

	if (in_chance(&in, 4)) {
		command_line(&in);
		return 0;
	}
	accel_model_fault(daemon_.model, "none");
	for (unsigned int i = 0; i <= VFS; i++)
		accel_function_flr(accel_model_function(daemon_.model, i));
	ask(&in);
	stderr = nowhere; /* the daemon's log */
	talk(&in);
	stderr = real;
	for (unsigned int i = 0; i < VFS; i++) {
		share_print(daemon_.model, i, daemon_.queue_pairs, line);
		fuzz_check(strlen(line) > 0, "no share");
	}
	return 0;
}
