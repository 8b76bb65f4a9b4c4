/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The server: its log, the steps that commands share, messages and replies, begin and end of a
 * connection.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "server.h"

#define BURST 64u /* messages of one vfio_user_process() */

/* A reply up to this size goes out whole or not at all. A socket buffers twice as much, and the
 * kernel puts at most half of the buffer in one piece. */
#define WHOLE_REPLY 65536u

/* The functions below write to the log. */

void
server_say(const struct vfio_user *vu, enum vfio_user_log_level level, const char *format, ...)
{
	char msg[256];
	va_list ap;

	if (vu->device.log == NULL)
		return;
	va_start(ap, format);
	vsnprintf(msg, sizeof(msg), format, ap);
	va_end(ap);
	vu->device.log(vu->device.arg, level, msg);
}

/* The functions below are steps that commands share. */

void
server_show_maps(struct vfio_user *vu)
{
	server_show(&vu->stats.maps, vu->maps.nb);
	server_show(&vu->stats.files, vu->maps.files.nb);
}

void
server_follow_bus_master(struct vfio_user *vu)
{
	bool on = config_bus_master(&vu->config);
	int ret = maps_show(&vu->maps, on);

	server_show(&vu->stats.bus_master, on);
	if (ret == 0 || !on)
		return;
	server_say(vu, VFIO_USER_LOG_WARNING, "not all memory can be given to the device: %s",
		   strerror(-ret));
}

void
server_reset_function(struct vfio_user *vu)
{
	vu->device.reset(vu->device.arg);
	config_reset(&vu->config);
	server_follow_bus_master(vu);
	server_count(&vu->stats.resets, 1);
}

/* The functions below serve messages. */

/* Carries out the received message and prepares the reply. Returns false if the connection is to be
 * closed at once. */
static bool
handle(struct vfio_user *vu)
{
	struct channel *ch = &vu->channel;
	struct request rq = { .reply_fd = -1 };
	struct vu_header header;
	uint8_t *room;
	int ret;

	memcpy(&header, ch->in, sizeof(header));
	server_count(&vu->stats.messages, 1);
	if ((header.flags & VU_TYPE_MASK) != VU_TYPE_COMMAND) {
		server_say(vu, VFIO_USER_LOG_WARNING, "a message of type %u is not a command",
			   header.flags & VU_TYPE_MASK);
		return false;
	}
	rq.payload = ch->in + sizeof(header);
	rq.len = header.size - sizeof(header);
	room = channel_reply_room(ch, command_reply_room(&header, rq.payload, rq.len));
	if (room == NULL)
		return false;
	rq.reply = room + sizeof(header);
	ret = command_carry_out(vu, &header, &rq);
	vu->closing = rq.close;
	if (ret != 0) {
		/* Clients find out with these two commands what exists, so a refusal is normal. */
		bool asks = header.command == VU_DEVICE_GET_IRQ_INFO ||
			header.command == VU_DEVICE_FEATURE;

		server_count(&vu->stats.errors, 1);
		server_say(vu, asks ? VFIO_USER_LOG_DEBUG : VFIO_USER_LOG_WARNING,
			   "command %u was refused: %s", header.command, strerror(ret));
		rq.reply_len = 0;
		rq.reply_fd = -1;
	}
	if ((header.flags & VU_NO_REPLY) != 0)
		return !vu->closing;
	header.size = (uint32_t)(sizeof(header) + rq.reply_len);
	header.flags = VU_TYPE_REPLY | (ret != 0 ? VU_ERROR : 0);
	header.error = (uint32_t)ret;
	memcpy(room, &header, sizeof(header));
	ch->out_len = header.size;
	ch->out_sent = 0;
	ch->out_fd = rq.reply_fd;
	return true;
}

/* Receives a message. If the state of the connection is kept, the message stays in the socket until
 * it was carried out. */
static enum channel_event
receive(struct vfio_user *vu)
{
	struct channel *ch = &vu->channel;

	if (keep_is_on(&vu->keep) && ch->in_have == 0) {
		const enum channel_event event = channel_look(ch, MAX_MESSAGE);

		if (event != CHANNEL_PART)
			return event;
		keep_break(&vu->keep);
	}
	return channel_receive(ch, MAX_MESSAGE);
}

/* Makes the kept state valid before the reply is sent (keep.h). */
static void
commit(struct vfio_user *vu)
{
	keep_commit(&vu->keep, &vu->config, vu->negotiated);
	if (vu->channel.out_len > WHOLE_REPLY)
		keep_break(&vu->keep);
}

/* Receives one message and sends one reply. */
static enum channel_event
step(struct vfio_user *vu)
{
	struct channel *ch = &vu->channel;
	enum channel_event event;
	bool good;

	if (ch->out_len == 0) {
		event = receive(vu);
		if (event == CHANNEL_BROKEN)
			server_say(vu, VFIO_USER_LOG_WARNING,
				   "a malformed message ends the connection");
		if (event != CHANNEL_MESSAGE)
			return event;
		good = handle(vu);
		if (good)
			commit(vu);
		channel_done(ch);
		if (!good)
			return CHANNEL_BROKEN;
	}
	event = channel_send(ch);
	if (event == CHANNEL_MESSAGE) {
		keep_repaired(&vu->keep);
		channel_take(ch);
		keep_taken(&vu->keep);
	}
	return event == CHANNEL_MESSAGE && vu->closing ? CHANNEL_CLOSED : event;
}

static bool
was_woken(const struct vfio_user *vu)
{
	uint64_t n;

	return read(vu->wake_fd, &n, sizeof(n)) == (ssize_t)sizeof(n);
}

static void
look_for_losses(struct vfio_user *vu)
{
	unsigned int lost;

	if (!was_woken(vu))
		return;
	lost = maps_drop_lost(&vu->maps);
	if (lost == 0)
		return;
	server_count(&vu->stats.lost, lost);
	server_say(vu, VFIO_USER_LOG_WARNING,
		   "the client cut off memory in use; the device has no access to it any more");
}

int
vfio_user_process(struct vfio_user *vu)
{
	enum channel_event event = CHANNEL_MESSAGE;

	if (!vfio_user_connected(vu))
		return -ENOTCONN;
	look_for_losses(vu);
	for (unsigned int i = 0; i < BURST && event == CHANNEL_MESSAGE; i++)
		event = step(vu);
	if (event == CHANNEL_MESSAGE || event == CHANNEL_LATER)
		return 0;
	if (event == CHANNEL_BROKEN)
		server_count(&vu->stats.errors, 1);
	vfio_user_detach(vu);
	return -ENOTCONN;
}

/* The functions below begin and end connections. */

int
vfio_user_create(const struct vfio_user_device *device, struct vfio_user **vu)
{
	size_t size = device->bar0_size;
	struct vfio_user *new;

	if (size < 4096 || (size & (size - 1)) != 0 || device->bar0 == NULL ||
	    device->class_code >> 24 != 0)
		return -EINVAL;
	new = calloc(1, sizeof(*new));
	if (new == NULL)
		return -ENOMEM;
	new->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (new->wake_fd < 0) {
		free(new);
		return -errno;
	}
	new->device = *device;
	config_init(&new->config, device);
	maps_init(&new->maps, &new->device, new->wake_fd);
	keep_init(&new->keep, device->state, device->index);
	new->maps.files.store = new->keep.store;
	channel_init(&new->channel);
	*vu = new;
	return 0;
}

void
vfio_user_destroy(struct vfio_user *vu)
{
	if (vu == NULL)
		return;
	vfio_user_detach(vu);
	close(vu->wake_fd);
	free(vu);
}

/* Gets new memory for BAR0. Until this succeeds no other client is served, since that client would
 * share BAR0 with the previous one. */
static int
renew_device(struct vfio_user *vu)
{
	int fd = vu->device.renew(vu->device.arg);

	vu->stale = fd < 0;
	if (fd < 0) {
		server_say(vu, VFIO_USER_LOG_WARNING, "cannot renew BAR0, which the previous "
			   "client may still have mapped; no client is served: %s", strerror(-fd));
		return fd;
	}
	vu->device.bar0_fd = fd;
	return 0;
}

void
server_show_connected(struct vfio_user *vu)
{
	server_count(&vu->stats.connections, 1);
	server_show(&vu->stats.connected, 1);
}

int
vfio_user_attach(struct vfio_user *vu, int fd)
{
	int ret = vfio_user_connected(vu) ? -EBUSY : vu->stale ? renew_device(vu) : 0;

	if (ret != 0) {
		close(fd);
		return ret;
	}
	channel_open(&vu->channel, fd);
	vu->negotiated = false;
	vu->closing = false;
	if (vu->keep.area != NULL && channel_can_look(&vu->channel) == 0)
		keep_begin(&vu->keep, fd, vu->device.bar0_fd);
	server_show_connected(vu);
	server_say(vu, VFIO_USER_LOG_INFO, "a client connected");
	return 0;
}

/* The socket is closed last, so a client that sees it closed knows that the rest is done. */
void
vfio_user_detach(struct vfio_user *vu)
{
	if (!vfio_user_connected(vu))
		return;
	keep_end(&vu->keep);
	renew_device(vu);
	config_power_on(&vu->config); /* the next client sees nothing of what this one wrote */
	maps_clear(&vu->maps);
	was_woken(vu); /* clears the event: lost windows were removed with the maps */
	server_show_maps(vu);
	server_show(&vu->stats.bus_master, 0);
	server_show(&vu->stats.connected, 0);
	server_say(vu, VFIO_USER_LOG_INFO, "the client has disconnected; the device was reset");
	channel_close(&vu->channel);
}

bool
vfio_user_connected(const struct vfio_user *vu)
{
	return vu->channel.fd >= 0;
}

void
vfio_user_poll_fds(const struct vfio_user *vu, struct pollfd fds[VFIO_USER_POLL_FDS])
{
	fds[0].fd = vu->channel.fd;
	fds[0].events = vu->channel.out_len > 0 ? POLLOUT : POLLIN | POLLRDHUP;
	fds[0].revents = 0;
	fds[1].fd = vfio_user_connected(vu) ? vu->wake_fd : -1;
	fds[1].events = POLLIN;
	fds[1].revents = 0;
}

void
vfio_user_stats(const struct vfio_user *vu, struct vfio_user_stats *stats)
{
	const uint64_t *from = (const uint64_t *)&vu->stats;
	uint64_t *to = (uint64_t *)stats;

	for (size_t i = 0; i < sizeof(*stats) / sizeof(*to); i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

int
vfio_user_guard_memory(void)
{
	return files_guard();
}
