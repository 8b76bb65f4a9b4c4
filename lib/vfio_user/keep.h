/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keeps the state of connections in memory that outlives the process: a memfd in the descriptor
 * store. The next process takes the connections over with it (resume.c).
 *
 * Each function has an area: two copies of its configuration space, two journals of its DMA maps,
 * and a word. The word says which copy and which journal are valid, and how many records the
 * journal has. What a command changes is written where the word does not point yet. Then one store
 * of the word makes all of the change valid, and says that the command is done. So a process may
 * die at any point: a command is either done or not begun.
 *
 * "Command" here means a request of the vfio-user protocol. A command that is not done is still in
 * the socket, because the server only looks at it (channel_look()), and takes it after the word was
 * stored. Its reply is sent after the word was stored, too. A reply is never sent twice, as a
 * client could not read the stream any more. It is lost if the process dies between the store and
 * the sending.
 *
 * The next process trusts the state no more than a client: a guest that had taken over the former
 * process may have written it.
 */
#ifndef VFIO_USER_KEEP_H
#define VFIO_USER_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "maps.h"
#include "pciconf.h"
#include "store.h"

/* A journal has twice the maps of a client, so that one that is written anew has room for as many
 * records again. */
#define KEEP_RECORDS (2u * (MAPS_MAX + 1))

/* These are bits of the word. The other bits of the word are the number of records. */
#define KEEP_CONNECTED 0x1u
#define KEEP_NEGOTIATED 0x2u
#define KEEP_DONE 0x4u /* the message at the head of the socket was carried out */
#define KEEP_BROKEN 0x8u /* bytes may be lost, so nobody can take the connection over */
#define KEEP_CONFIG 0x10u /* which copy of the configuration space */
#define KEEP_JOURNAL 0x20u /* which journal */
#define KEEP_COUNT_SHIFT 8

enum keep_kind { KEEP_MAP = 1, KEEP_UNMAP = 2 };

struct keep_record {
	uint32_t kind;
	uint16_t rights; /* VFIO_USER_DMA_* */
	uint8_t has_file;
	uint8_t writable; /* the file's descriptor is open for writing */
	uint64_t iova;
	uint64_t last; /* inclusive */
	uint64_t offset; /* in the file */
	uint64_t dev;
	uint64_t ino;
};

struct keep_area {
	uint64_t word;
	uint32_t tries; /* processes that have died while they carried out the present message */
	uint8_t config[2][CONFIG_SIZE];
	struct keep_record journal[2][KEEP_RECORDS];
};

/* Holds what one function keeps. */
struct keep {
	struct vfio_user_store *store;
	struct keep_area *area; /* NULL: nothing is kept */
	unsigned int index;
	uint64_t word; /* the next value of the area's word */
	bool on; /* the present connection is kept */
};

void keep_init(struct keep *keep, struct vfio_user_state *state, unsigned int index);

static inline bool
keep_is_on(const struct keep *keep)
{
	return keep->on;
}

/** Begin to keep a connection. @param bar0_fd is stored with it. */
void keep_begin(struct keep *keep, int fd, int bar0_fd);
/** Stop keeping a connection that has ended. Call this first, while its memory is still there. */
void keep_end(struct keep *keep);

/** Note a map that was added, or a range that was removed. @param maps as they are now. */
void keep_map(struct keep *keep, const struct maps *maps, uint64_t iova);
void keep_unmap(struct keep *keep, const struct maps *maps, uint64_t iova, uint64_t last);
/** Make all that was noted valid, because the command is done. */
void keep_commit(struct keep *keep, const struct config *config, bool negotiated);
/** Note that the message of the command was taken from the socket. */
void keep_taken(struct keep *keep);
/** Forbid to take over the connection, until the next keep_commit() or keep_repaired(). */
void keep_break(struct keep *keep);
void keep_repaired(struct keep *keep);

/** Make the name of a descriptor that is stored with a connection. */
void keep_name(char name[STORE_NAME], const char *what, unsigned int index);

#endif /* VFIO_USER_KEEP_H */
