/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The control socket: see control.h. An answer consists of any number of lines "name key=value..."
 * and a last line "ok" or "error TEXT". A client that does not read its answer is disconnected.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "control.h"
#include "log.h"
#include "share.h"

#define ANSWER_MAX 131072u /* has room for two lines for each of 256 functions */

struct answer {
	char text[ANSWER_MAX];
	size_t used;
};

__attribute__((format(printf, 2, 3))) static void
put(struct answer *a, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(a->text + a->used, ANSWER_MAX - a->used, format, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < ANSWER_MAX - a->used)
		a->used += (size_t)n;
}

/* The functions below carry out commands. */

static void
do_help(struct control *c, char *rest, struct answer *a)
{
	(void)c;
	(void)rest;
	put(a, "help: print this list\n"
	       "stats: print the counters of each thread of the device and of each function\n"
	       "fault ITEMS: inject faults; ITEMS is %s\n"
	       "share N " SHARE_KEYS ":\n"
	       "  change what virtual function N has; rates and weight at once, queue pairs and\n"
	       "  algorithms at its next reset\n"
	       "shares: print what the virtual functions have, and the requests that wait\n"
	       "answer N granted|refused: answer the request of virtual function N\n"
	       "quit: end the daemon\nok\n", accel_model_fault_help());
}

static void
do_stats(struct control *c, char *rest, struct answer *a)
{
	(void)rest;
	for (unsigned int i = 0; i < c->daemon->nb_workers; i++) {
		struct accel_model_stats s;

		if (accel_model_worker_stats(c->daemon->model, i, &s) != 0)
			continue;
		put(a, "worker%u ops=%" PRIu64 " bounced=%" PRIu64 " ctx_hits=%" PRIu64
		       " ctx_misses=%" PRIu64 " ctx_drops=%" PRIu64 " writebacks=%" PRIu64
		       " polls=%" PRIu64 " sleeps=%" PRIu64 "\n", i, s.ops, s.bounced, s.ctx_hits,
		    s.ctx_misses, s.ctx_drops, s.writebacks, s.polls, s.sleeps);
	}
	for (unsigned int i = 0; i < c->daemon->nb_served; i++) {
		struct vfio_user_stats s;

		vfio_user_stats(c->daemon->served[i].vu, &s);
		if (c->daemon->served[i].is_pf)
			put(a, "pf");
		else
			put(a, "function%u", i);
		put(a, " connected=%" PRIu64 " bus_master=%" PRIu64 " maps=%" PRIu64
		       " files=%" PRIu64 " connections=%" PRIu64 " messages=%" PRIu64
		       " errors=%" PRIu64 " resets=%" PRIu64 " lost=%" PRIu64 " socket=%s\n",
		    s.connected, s.bus_master, s.maps, s.files, s.connections, s.messages,
		    s.errors, s.resets, s.lost, c->daemon->served[i].sock.path);
	}
	put(a, "ok\n");
}

static void
do_fault(struct control *c, char *rest, struct answer *a)
{
	if (accel_model_fault(c->daemon->model, rest) == 0) {
		log_line(LOG_LEVEL_INFO, "control", "fault %s", rest);
		put(a, "ok\n");
	} else {
		put(a, "error \"%s\" is not of the form %s\n", rest, accel_model_fault_help());
	}
}

/* Parse the number of a virtual function. @return false after an error line. */
static bool
take_vf(struct control *c, const char *text, struct answer *a, unsigned int *vf)
{
	const unsigned int nb = c->daemon->nb_vfs;
	uint64_t number;

	if (nb == 0) {
		put(a, "error the card has no virtual functions\n");
		return false;
	}
	if (args_number(text, 0, nb - 1, &number) != 0) {
		put(a, "error there is no virtual function \"%s\"; they are 0 to %u\n", text,
		    nb - 1);
		return false;
	}
	*vf = (unsigned int)number;
	return true;
}

/* Split the first word off. @return the rest. */
static char *
split(char *text)
{
	char *rest = text + strcspn(text, " ");

	if (*rest != '\0')
		*rest++ = '\0';
	return rest;
}

/* Change the share of a virtual function. A function that no client uses is reset, so that it takes
 * its new share at once. Then others can have the queue pairs that it gives back. */
static void
do_share(struct control *c, char *rest, struct answer *a)
{
	char *text = split(rest), why[SHARE_TEXT_MAX];
	struct vfio_user_stats s;
	unsigned int vf;

	if (!take_vf(c, rest, a, &vf))
		return;
	if (share_change(c->daemon->model, vf, c->daemon->queue_pairs, text, why) != 0) {
		put(a, "error %s\n", why);
		return;
	}
	vfio_user_stats(c->daemon->served[vf].vu, &s);
	if (s.connected == 0)
		accel_function_flr(c->daemon->served[vf].fn);
	put(a, "ok\n");
}

static void
do_shares(struct control *c, char *rest, struct answer *a)
{
	struct accel_model_vf_mailbox mailbox;
	char line[SHARE_TEXT_MAX];

	(void)rest;
	accel_model_vf_mailbox(c->daemon->model, &mailbox);
	put(a, "card queue-pairs=%u most=%u\n", mailbox.queue_pairs, c->daemon->queue_pairs);
	for (unsigned int i = 0; i < c->daemon->nb_vfs; i++) {
		share_print(c->daemon->model, i, c->daemon->queue_pairs, line);
		put(a, "%s", line);
		share_print_request(c->daemon->model, i, line);
		put(a, "%s", line);
	}
	put(a, "ok\n");
}

static void
do_answer(struct control *c, char *rest, struct answer *a)
{
	const char *how = split(rest);
	unsigned int vf;
	int ret;

	if (!take_vf(c, rest, a, &vf))
		return;
	ret = share_answer(c->daemon->model, vf, how);
	if (ret == -ENOENT)
		put(a, "error no request of virtual function %u waits\n", vf);
	else if (ret != 0)
		put(a, "error \"%s\" is neither granted nor refused\n", how);
	else
		put(a, "ok\n");
}

static void
do_quit(struct control *c, char *rest, struct answer *a)
{
	(void)rest;
	c->quit = true;
	put(a, "ok\n");
}

static const struct {
	const char *name;
	void (*fn)(struct control *c, char *rest, struct answer *a);
} commands[] = {
	{ "help", do_help },
	{ "stats", do_stats },
	{ "fault", do_fault },
	{ "share", do_share },
	{ "shares", do_shares },
	{ "answer", do_answer },
	{ "quit", do_quit },
};

static void
do_line(struct control *c, char *line, struct answer *a)
{
	char *rest = split(line);

	a->used = 0;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(line, commands[i].name) == 0) {
			commands[i].fn(c, rest, a);
			return;
		}
	}
	put(a, "error unknown command; commands are help, stats, fault, share, shares, answer, "
	       "quit\n");
}

/* The functions below serve clients. */

static void
drop(struct control_client *client)
{
	close(client->fd);
	client->fd = -1;
	client->used = 0;
}

static bool
reply(const struct control_client *client, const struct answer *a)
{
	return send(client->fd, a->text, a->used, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)a->used;
}

/* Carries out the whole lines that have come. Returns false if the client is to be dropped. */
static bool
do_lines(struct control *c, struct control_client *client)
{
	static struct answer answer; /* only one thread calls this */
	char *end;

	while ((end = memchr(client->line, '\n', client->used)) != NULL) {
		unsigned int len = (unsigned int)(end - client->line) + 1;

		*end = '\0';
		do_line(c, client->line, &answer);
		client->used -= len;
		memmove(client->line, end + 1, client->used);
		if (!reply(client, &answer))
			return false;
	}
	return client->used < sizeof(client->line);
}

static void
read_client(struct control *c, struct control_client *client)
{
	ssize_t n = recv(client->fd, client->line + client->used,
			 sizeof(client->line) - client->used, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		client->used += (unsigned int)n;
	if (n <= 0 || !do_lines(c, client))
		drop(client);
}

static void
take_client(struct control *c)
{
	int fd = vfio_user_accept(&c->sock);

	if (fd < 0)
		return;
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++) {
		if (c->client[i].fd < 0) {
			c->client[i].fd = fd;
			return;
		}
	}
	close(fd);
}

void
control_init(struct control *control, struct daemon *daemon)
{
	memset(control, 0, sizeof(*control));
	control->daemon = daemon;
	control->sock.fd = -1;
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++)
		control->client[i].fd = -1;
}

int
control_start(struct control *control, const struct args *args)
{
	struct vfio_user_owner owner = args->owner;
	const char *path = args->control;
	int ret;

	if (path == NULL)
		return 0;
	owner.mode = 0600; /* only the operator may connect, since a command can end the daemon */
	ret = vfio_user_listen(&control->sock, path, &owner);
	if (ret != 0)
		log_line(LOG_LEVEL_ERROR, path, "cannot listen: %s", strerror(-ret));
	return ret;
}

void
control_stop(struct control *control)
{
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++) {
		if (control->client[i].fd >= 0)
			drop(&control->client[i]);
	}
	vfio_user_unlisten(&control->sock);
}

void
control_poll_fds(const struct control *control, struct pollfd fds[CONTROL_POLL_FDS])
{
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++)
		fds[i] = (struct pollfd){ .fd = control->client[i].fd, .events = POLLIN };
	fds[CONTROL_CLIENTS] = (struct pollfd){ .fd = control->sock.fd, .events = POLLIN };
}

void
control_process(struct control *control, const struct pollfd fds[CONTROL_POLL_FDS])
{
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++) {
		if (fds[i].revents != 0)
			read_client(control, &control->client[i]);
	}
	if (fds[CONTROL_CLIENTS].revents != 0)
		take_client(control);
}
