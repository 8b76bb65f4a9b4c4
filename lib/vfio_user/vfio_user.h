/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * This library is the server side of the vfio-user protocol, for one PCI function with one BAR of
 * plain memory and no interrupts. The program owns the device and the threads. The library owns the
 * connection, the PCI configuration space and the client's memory.
 *
 * The client is not trusted. A wrong message gets an error reply or ends the connection, and memory
 * that the client removes while it is in use is replaced (vfio_user_guard_memory()).
 *
 * Functions return 0 or a negative errno value unless they say otherwise. Only one thread at a time
 * may use a struct vfio_user.
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

/* These bits are rights of the device in the client's memory. */
#define VFIO_USER_DMA_READ 0x1u
#define VFIO_USER_DMA_WRITE 0x2u

enum vfio_user_log_level {
	VFIO_USER_LOG_WARNING, /* the client did something wrong */
	VFIO_USER_LOG_INFO, /* a client connected or disconnected */
	VFIO_USER_LOG_DEBUG,
};

/*
 * The descriptor store and the state of connections outlive the process, so that the next process
 * can take the connections over (store.h, keep.h). A process has one of each for all its servers.
 */
struct vfio_user_store;
struct vfio_user_state;

/**
 * Connect to the store that the environment names (NOTIFY_SOCKET, LISTEN_FDS), and remove these
 * variables from the environment. Call this before threads exist.
 *
 * @param store receives the store, or NULL if there is none.
 * @return the number of descriptors that a former process has stored; -EINVAL for an impossible
 *   name, -ENOTCONN, -ENOMEM or an error of socket().
 */
int vfio_user_store_open(struct vfio_user_store **store);
/** Remove what a former process has stored and no server uses. Call this when all servers have
 * taken what they need. */
void vfio_user_store_settle(struct vfio_user_store *store);
/** Tell the owner of the store that the service is ready (READY=1). */
void vfio_user_store_ready(struct vfio_user_store *store);
/**
 * Close the store. What is stored remains. NULL is allowed here, in vfio_user_store_settle() and in
 * vfio_user_store_ready().
 */
void vfio_user_store_close(struct vfio_user_store *store);

/**
 * Find the state of a former process in the store, or make a new one.
 *
 * @param nb number of functions.
 * @param options text of all options on which the functions depend. State with other options is not
 *   used.
 * @return 1 if the state was found, 0 if it is new, or a negative errno value of memfd_create(),
 *   mmap() or calloc().
 */
int vfio_user_state_open(struct vfio_user_store *store, unsigned int nb, const char *options,
			 struct vfio_user_state **state);
void vfio_user_state_close(struct vfio_user_state *state);

/*
 * Describes the device behind the protocol. The thread that calls the library calls the callbacks.
 */
struct vfio_user_device {
	uint16_t vendor_id;
	uint16_t device_id;
	uint16_t subsystem_vendor_id;
	uint16_t subsystem_id;
	uint32_t class_code; /* 24 bits: class, subclass, programming interface */
	uint8_t revision;
	uint64_t serial; /* number of the card (Device Serial Number); 0: it has none */

	void *bar0; /* memory whose access has no side effects */
	size_t bar0_size; /* a power of two, at least 4096 */
	int bar0_fd; /* the file behind it, which clients map; sealed against shrinking */

	/* Let the device reach [iova, iova + len) at [va, va + len). No other range overlaps this
	 * range. The callback is not called while bus mastering is off. */
	int (*dma_map)(void *arg, uint64_t iova, void *va, uint64_t len, unsigned int rights);
	/* Take away everything that is mapped in a range. When this returns 0, the device does not
	 * access that memory any more. After -ENOMEM nothing was taken away, and the server calls
	 * this again. */
	int (*dma_unmap)(void *arg, uint64_t iova, uint64_t len);
	/* True if a read of the device is under way. The bit Transactions Pending of Device Status
	 * tells this to the client. NULL: no read is ever under way when the client asks. NULL is
	 * right if dma_unmap waits for accesses under way, because the server calls dma_unmap
	 * before it answers the write that clears bus master or enters D3hot. */
	bool (*pending)(void *arg);
	/* Carry out a function level reset, or the way from D3hot back to D0: BAR0 is as after
	 * power-on, the device accesses no memory until it is programmed anew, and nothing of the
	 * client's data is left. */
	void (*reset)(void *arg);
	/* Reset between two clients. BAR0 also gets new memory at the same address, because the
	 * previous client may have kept its mapping. Returns the file descriptor of that memory, or
	 * a negative errno value if only the reset was done. Then the server calls this again
	 * before the next client. */
	int (*renew)(void *arg);
	/* Make this file BAR0, and reset the function. A client of a former process has mapped the
	 * file. Returns 0 if the file now belongs to the device, or a negative errno value. The
	 * server calls this only if there is a state. */
	int (*adopt)(void *arg, int fd);
	struct vfio_user_state *state; /* NULL: connections end with the process */
	unsigned int index; /* of the function in the state */
	/* May be NULL. A client can cause any number of lines, so the owner has to limit them. */
	void (*log)(void *arg, enum vfio_user_log_level level, const char *msg);
	void *arg;
};

struct vfio_user;

/** Counts what a server did. Any thread may read it. */
struct vfio_user_stats {
	uint64_t connections;
	uint64_t messages;
	uint64_t errors; /* error replies, and connections that a malformed message has ended */
	uint64_t resets; /* DEVICE_RESET, FLR, and from D3hot to D0 */
	uint64_t maps; /* mapped now */
	uint64_t files; /* files, or parts of files, that are mapped now */
	uint64_t lost; /* files so far that were replaced because the client cut them off */
	uint64_t connected; /* 0 or 1 */
	uint64_t bus_master; /* 1: the device may reach memory; 0: it may not, or is in D3hot */
};

/**
 * Create a server.
 * @return 0, -EINVAL for an impossible BAR or class, -ENOMEM or an error of eventfd().
 */
int vfio_user_create(const struct vfio_user_device *device, struct vfio_user **vu);

/** End the connection of a server, and free the server. */
void vfio_user_destroy(struct vfio_user *vu);

/**
 * Serve a connected stream socket. From now on @p vu owns the socket, also on failure.
 *
 * @return 0; -EBUSY while there is a connection; or the error of renew() if it failed after the
 *   previous client and has failed again now. The next call tries again.
 */
int vfio_user_attach(struct vfio_user *vu, int fd);

/** End the connection, if there is one: unmap all memory and reset the device. */
void vfio_user_detach(struct vfio_user *vu);

/**
 * Take over the connection that a former process has left, if there is one. Call this once, before
 * the first vfio_user_attach(). What the device was doing is lost. The device is as after a reset,
 * but it has the client's memory, and what the client has written to the configuration space.
 *
 * @return 1 if there is a connection now; 0 if there was none; or a negative errno value if it
 *   cannot be taken over: -ESTALE if what was stored is incomplete or contradicts itself, -EBADMSG
 *   if the process has died in the middle of a message, -ELOOP if a message has ended several
 *   processes, or an error of adopt(). After an error the connection is closed.
 */
int vfio_user_resume(struct vfio_user *vu);

bool vfio_user_connected(const struct vfio_user *vu);

#define VFIO_USER_POLL_FDS 2

/** Fill an array for poll(). Call poll() before the next vfio_user_process(). */
void vfio_user_poll_fds(const struct vfio_user *vu, struct pollfd fds[VFIO_USER_POLL_FDS]);

/**
 * Process a limited number of messages, without waiting for the client. Call it again after poll().
 * The callbacks dma_unmap and reset may wait for the device.
 *
 * @return 0; -ENOTCONN if there is no connection, or it has just ended and was detached.
 */
int vfio_user_process(struct vfio_user *vu);

void vfio_user_stats(const struct vfio_user *vu, struct vfio_user_stats *stats);

/**
 * Install a handler of SIGBUS, once per process and before the first attach. A client can shorten
 * the file behind memory that the device is using, and an access then raises this signal. The
 * handler puts empty memory in place of the lost memory, and the connection's next
 * vfio_user_process() takes the range from the device. Signals for other addresses go to the
 * previous handler.
 */
int vfio_user_guard_memory(void);

/* Describes a listening socket in the file system. dev, ino and made identify the file, so that
 * vfio_user_unlisten() removes no other file. */
struct vfio_user_socket {
	int fd;
	uint64_t dev;
	uint64_t ino; /* not enough alone: a new file may get the same number */
	uint64_t made; /* time in nanoseconds */
	char path[108];
};

/*
 * Describes the owner of the file, and who may connect. If all is 0, only the user of the process
 * may connect.
 */
struct vfio_user_owner {
	mode_t mode; /* 0 means 0600 */
	bool has_uid;
	bool has_gid;
	uid_t uid;
	gid_t gid;
};

/**
 * Listen at @p path. A socket there at which no process listens is replaced. Only those whom
 * @p owner allows can connect, at any time.
 *
 * @return 0; -EADDRINUSE if another process listens there; -EEXIST if the file is not a socket;
 *   -ENAMETOOLONG; or an error of socket(), bind(), chown(), chmod() and listen().
 */
int vfio_user_listen(struct vfio_user_socket *sock, const char *path,
		     const struct vfio_user_owner *owner);

/**
 * Listen as vfio_user_listen() does, but with the socket that a former process has stored. If no
 * socket is stored, make one and store it. @param index tells sockets of a process apart.
 */
int vfio_user_listen_kept(struct vfio_user_socket *sock, const char *path,
			  const struct vfio_user_owner *owner, struct vfio_user_store *store,
			  unsigned int index);

/** Return the file descriptor of a waiting client, or -EAGAIN if no client waits. The descriptor is
 * non-blocking and close-on-exec. */
int vfio_user_accept(const struct vfio_user_socket *sock);

/** Close the socket, and remove its file unless another file has taken its place. */
void vfio_user_unlisten(struct vfio_user_socket *sock);

#ifdef __cplusplus
}
#endif

#endif /* VFIO_USER_H */
