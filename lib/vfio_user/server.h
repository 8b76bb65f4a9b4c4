/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the parts of the server share: its state, the command that is being carried out, and the
 * steps that several commands take.
 */
#ifndef VFIO_USER_SERVER_H
#define VFIO_USER_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channel.h"
#include "keep.h"
#include "maps.h"
#include "pciconf.h"

#define MAX_XFER VU_DEFAULT_XFER
#define MAX_MESSAGE (sizeof(struct vu_header) + sizeof(struct vu_region_access) + MAX_XFER)

struct vfio_user {
	struct vfio_user_device device;
	struct config config;
	struct maps maps;
	struct channel channel;
	struct keep keep;
	int wake_fd;
	bool negotiated;
	bool closing; /* close the connection once the reply is sent */
	bool stale; /* the previous client may still reach BAR0 */
	struct vfio_user_stats stats; /* written by the serving thread, one 64-bit store each */
};

/* Describes a command that is being carried out. */
struct request {
	const uint8_t *payload;
	size_t len;
	uint8_t *reply; /* room after the header */
	size_t reply_len;
	int reply_fd;
	bool close; /* close the connection after the reply */
};

static inline void
server_count(uint64_t *counter, uint64_t more)
{
	__atomic_store_n(counter, *counter + more, __ATOMIC_RELAXED);
}

static inline void
server_show(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, n, __ATOMIC_RELAXED);
}

/** Give a log line to the owner of the device. */
__attribute__((format(printf, 3, 4))) void server_say(const struct vfio_user *vu,
						      enum vfio_user_log_level level,
						      const char *format, ...);
/** Update the counters of maps. */
void server_show_maps(struct vfio_user *vu);
/** Give the client's memory to the device or take it away, as the bus master bit and the power
 * state say. */
void server_follow_bus_master(struct vfio_user *vu);
/** Carry out DEVICE_RESET, a function level reset, or the way from D3hot to D0. The client's maps
 * remain. */
void server_reset_function(struct vfio_user *vu);

/** Count a connection that has begun. */
void server_show_connected(struct vfio_user *vu);

/**
 * Carry out a command, with the file descriptors of its message.
 *
 * @return 0 with a reply in place, or a positive errno value, as the reply carries it.
 */
int command_carry_out(struct vfio_user *vu, const struct vu_header *header, struct request *rq);
/** Return the largest size of the reply, header included. */
size_t command_reply_room(const struct vu_header *header, const uint8_t *payload, size_t len);

#endif /* VFIO_USER_SERVER_H */
