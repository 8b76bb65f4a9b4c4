/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Takes over the connection of a former process: see keep.h. Nothing of the state is trusted, and
 * each part is read once, because a guest that had taken over that process may still write to the
 * state.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

#define TRIES_MAX 3u /* processes that one message may end */

/* Holds what a former process has stored. */
struct remains {
	int connection;
	int bar;
	uint64_t word;
};

static int
take(struct keep *keep, const char *what)
{
	char name[STORE_NAME];

	keep_name(name, what, keep->index);
	return store_take(keep->store, name);
}

static void
close_both(struct remains *r)
{
	if (r->connection >= 0)
		close(r->connection);
	if (r->bar >= 0)
		close(r->bar);
}

static int
check(const struct remains *r)
{
	if ((r->word & KEEP_BROKEN) != 0)
		return -EBADMSG;
	if (r->connection < 0 || r->bar < 0 || r->word >> KEEP_COUNT_SHIFT > KEEP_RECORDS)
		return -ESTALE;
	return 0;
}

/* Adds a map. If its file was not stored, the map gets no file, so the device cannot reach it. */
static int
add(struct vfio_user *vu, const struct keep_record *r)
{
	const unsigned int rights = r->rights & (VFIO_USER_DMA_READ | VFIO_USER_DMA_WRITE);
	const uint64_t len = r->last - r->iova + 1;
	int fd = -1;

	if (r->last < r->iova || len == 0)
		return -EINVAL;
	if (r->has_file)
		fd = store_find_memory(vu->keep.store, r->dev, r->ino, r->writable);
	if (fd >= 0 && maps_add(&vu->maps, r->iova, len, fd, r->offset, rights) == 0)
		return 0;
	if (r->has_file)
		server_say(vu, VFIO_USER_LOG_WARNING,
			   "map %#llx+%#llx is lost, so the device cannot reach it until "
			   "the guest starts again",
			   (unsigned long long)r->iova, (unsigned long long)len);
	return maps_add(&vu->maps, r->iova, len, -1, 0, rights);
}

static int
replay(struct vfio_user *vu, uint64_t word)
{
	const struct keep_record *journal =
		vu->keep.area->journal[(word & KEEP_JOURNAL) != 0];
	const uint64_t nb = word >> KEEP_COUNT_SHIFT;
	int ret = 0;

	for (uint64_t i = 0; i < nb && ret == 0; i++) {
		struct keep_record r;

		memcpy(&r, &journal[i], sizeof(r));
		__asm__ volatile("" ::: "memory"); /* r is not read from the journal again */
		if (r.kind == KEEP_MAP)
			ret = add(vu, &r);
		else if (r.kind == KEEP_UNMAP)
			ret = maps_remove(&vu->maps, r.iova, r.last);
		else
			ret = -EINVAL;
	}
	return ret == 0 ? 0 : -ESTALE;
}

/* Settle the message at the head of the socket, which the former process may have looked at. If it
 * was carried out, take it away. Otherwise this process carries it out anew. */
static int
settle_message(struct vfio_user *vu, uint64_t word)
{
	struct keep_area *area = vu->keep.area;
	const int seen = channel_seen(&vu->channel);

	if (seen < 0)
		return -ESTALE;
	if ((word & KEEP_DONE) != 0) {
		vu->channel.looked = (size_t)seen;
		channel_take(&vu->channel);
		keep_taken(&vu->keep);
		return 0;
	}
	if (seen == 0)
		return 0;
	if (channel_can_look(&vu->channel) != 0)
		return -ESTALE;
	return __atomic_fetch_add(&area->tries, 1, __ATOMIC_RELAXED) + 1 < TRIES_MAX ? 0 : -ELOOP;
}

static int
take_over(struct vfio_user *vu, struct remains *r)
{
	uint8_t copy[CONFIG_SIZE];
	int ret = vu->device.adopt(vu->device.arg, r->bar);

	if (ret != 0)
		return ret;
	vu->device.bar0_fd = r->bar;
	r->bar = -1;
	channel_open(&vu->channel, r->connection);
	r->connection = -1;
	vu->keep.on = true;
	vu->keep.word = r->word;
	vu->negotiated = (r->word & KEEP_NEGOTIATED) != 0;
	vu->closing = false;
	memcpy(copy, vu->keep.area->config[(r->word & KEEP_CONFIG) != 0], sizeof(copy));
	config_restore(&vu->config, copy);
	ret = replay(vu, r->word);
	if (ret == 0)
		ret = settle_message(vu, r->word);
	server_show_connected(vu);
	server_show_maps(vu);
	if (ret == 0)
		server_follow_bus_master(vu);
	return ret;
}

int
vfio_user_resume(struct vfio_user *vu)
{
	struct keep *keep = &vu->keep;
	struct remains r;
	int ret;

	if (keep->area == NULL)
		return 0;
	r.word = __atomic_load_n(&keep->area->word, __ATOMIC_ACQUIRE);
	r.connection = take(keep, "connection");
	r.bar = take(keep, "bar");
	if ((r.word & KEEP_CONNECTED) == 0 && r.connection < 0 && r.bar < 0)
		return 0;
	ret = (r.word & KEEP_CONNECTED) == 0 ? 0 : check(&r);
	if ((r.word & KEEP_CONNECTED) != 0 && ret == 0) {
		ret = take_over(vu, &r);
		if (ret == 0) {
			server_say(vu, VFIO_USER_LOG_INFO, "a client was taken over; the device "
				   "was reset");
			return 1;
		}
	}
	close_both(&r);
	keep->on = true;
	keep_end(keep);
	vfio_user_detach(vu);
	return ret;
}
