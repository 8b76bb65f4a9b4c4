/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Server side of the vfio-user protocol for one PCI function with one BAR of plain memory and no
 * interrupts. Who embeds it owns the device and the threads; this library owns the connection, the
 * PCI configuration space and the client's memory.
 *
 * The client is not trusted: whatever it sends ends in an error reply or in the end of its
 * connection, and memory that it takes away under our feet is replaced (vfio_user_guard_memory()).
 *
 * Functions return 0 or a negative errno value unless they say otherwise. One thread at a time per
 * struct vfio_user.
 */
#ifndef VFIO_USER_H
#define VFIO_USER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rights of device access to the client's memory. */
#define VFIO_USER_DMA_READ 0x1u
#define VFIO_USER_DMA_WRITE 0x2u

enum vfio_user_log_level {
	VFIO_USER_LOG_WARNING, /* the client did something wrong */
	VFIO_USER_LOG_INFO, /* it came, it went */
	VFIO_USER_LOG_DEBUG,
};

/* The device behind the protocol. All callbacks come from the thread that calls the library. */
struct vfio_user_device {
	uint16_t vendor_id;
	uint16_t device_id;
	uint16_t subsystem_vendor_id;
	uint16_t subsystem_id;
	uint32_t class_code; /* 24 bits: class, subclass, programming interface */
	uint8_t revision;

	void *bar0; /* memory without side effects of access */
	size_t bar0_size; /* a power of two, at least 4096 */
	int bar0_fd; /* the file behind it, which clients map; sealed against shrinking */

	/* Let the device reach [iova, iova + len) at [va, va + len), which no other range overlaps.
	 * Not called while bus mastering is off. */
	int (*dma_map)(void *arg, uint64_t iova, void *va, uint64_t len, unsigned int rights);
	/* Take a range away, whatever of it is there. When it returns 0 the device does not access
	 * that memory any more. -ENOMEM: nothing was taken away, and it is called again. */
	int (*dma_unmap)(void *arg, uint64_t iova, uint64_t len);
	/* Function level reset: BAR0 as after power-on, no access to memory until it is programmed
	 * anew, nothing left of the client's data. */
	void (*reset)(void *arg);
	/* The same, between two clients; and BAR0 gets other memory at the same address, whose
	 * descriptor is returned: the client that is gone may have kept its mapping. A negative
	 * errno value: only the reset was done. It is called again before the next client. */
	int (*renew)(void *arg);
	/* Or NULL. A client can cause as many lines as it likes: the owner limits them. */
	void (*log)(void *arg, enum vfio_user_log_level level, const char *msg);
	void *arg;
};

struct vfio_user;

/** What a server has seen, for tools; may be read from any thread. */
struct vfio_user_stats {
	uint64_t connections;
	uint64_t messages;
	uint64_t errors; /* error replies, and connections ended for a broken message */
	uint64_t resets; /* DEVICE_RESET and FLR */
	uint64_t maps; /* present */
	uint64_t files; /* mapped files, or parts of files, present */
	uint64_t lost; /* of these, ever replaced because the client cut them off */
	uint64_t connected; /* 0 or 1 */
	uint64_t bus_master; /* 0 or 1 */
};

/** @return 0, -EINVAL for a BAR or class that cannot be, -ENOMEM or an error of eventfd(). */
int vfio_user_create(const struct vfio_user_device *device, struct vfio_user **vu);

/** Ends a connection, too. */
void vfio_user_destroy(struct vfio_user *vu);

/**
 * Serve this connected stream socket. It is owned by @p vu from now on, also on failure.
 *
 * @return 0, -EBUSY while there is a connection; or the error of renew: it failed for the client
 *   before, and has failed again. The next call tries again.
 */
int vfio_user_attach(struct vfio_user *vu, int fd);

/** End the connection, if there is one: all memory unmapped, the device reset. */
void vfio_user_detach(struct vfio_user *vu);

bool vfio_user_connected(const struct vfio_user *vu);

#define VFIO_USER_POLL_FDS 2

/** What to wait for before the next vfio_user_process(): an array for poll(). */
void vfio_user_poll_fds(const struct vfio_user *vu, struct pollfd fds[VFIO_USER_POLL_FDS]);

/**
 * Do what can be done without waiting for the client, but not without end: call again after
 * poll(). It waits for the device, in dma_unmap and reset.
 *
 * @return 0, or -ENOTCONN: there is no connection, or it just ended and was detached.
 */
int vfio_user_process(struct vfio_user *vu);

void vfio_user_stats(const struct vfio_user *vu, struct vfio_user_stats *stats);

/**
 * Once per process, before the first attach: take over SIGBUS. A client can shorten the file behind
 * memory that the device is using; an access then ends in this signal. The handler puts empty
 * memory in place of the lost one, and the connection's next vfio_user_process() takes the range
 * away from the device. Signals for other addresses end the process as before.
 */
int vfio_user_guard_memory(void);

/* A listening socket in the file system. */
struct vfio_user_socket {
	int fd;
	uint64_t dev; /* of the file, so that only our own is removed */
	uint64_t ino; /* may be used again at once */
	uint64_t made; /* when, in nanoseconds */
	char path[108];
};

/* Whose the file is, and who may connect. All zeros: the caller's, and nobody else's. */
struct vfio_user_owner {
	mode_t mode; /* 0 is taken as 0600 */
	bool has_uid;
	bool has_gid;
	uid_t uid;
	gid_t gid;
};

/**
 * Listen at @p path. A socket there that nobody listens at is replaced. Nobody else than @p owner
 * says can connect, not for a moment.
 *
 * @return 0, -EADDRINUSE if it is served, -EEXIST if there is something that is not a socket,
 *   -ENAMETOOLONG, or an error of socket(), bind(), chown(), chmod() and listen().
 */
int vfio_user_listen(struct vfio_user_socket *sock, const char *path,
		     const struct vfio_user_owner *owner);

/** A waiting client, -EAGAIN if there is none. Non-blocking, close on exec. */
int vfio_user_accept(const struct vfio_user_socket *sock);

/** Close, and remove the file if it is still ours. */
void vfio_user_unlisten(struct vfio_user_socket *sock);

#ifdef __cplusplus
}
#endif

#endif /* VFIO_USER_H */
