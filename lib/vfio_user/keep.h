/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The state of connections in memory that outlives the process: a memfd in the descriptor store.
 * The next process takes the connections over with it (resume.c).
 *
 * Each function has an area: two copies of its configuration space, two journals of its DMA maps,
 * and a word that says which of them hold, and how many records. What a command changes is written
 * where the word does not point yet. Then one store of the word makes all of it hold, and says that
 * the command is done. So a process may die at any point: a command is either done or not begun.
 *
 * A command that is not done is still in the socket, because the server only looks at it
 * (channel_look()), and takes it after the word was stored. A reply is sent after that, too. It is
 * never sent twice, as a client could not read the stream any more; it is lost if the process dies
 * in between.
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

/* Twice the maps of a client, so that a journal that is written anew has room for as many. */
#define KEEP_RECORDS (2u * (MAPS_MAX + 1))

/* Bits of the word. The rest is the number of records. */
#define KEEP_CONNECTED 0x1u
#define KEEP_NEGOTIATED 0x2u
#define KEEP_DONE 0x4u /* the message at the head of the socket was carried out */
#define KEEP_BROKEN 0x8u /* bytes of a message or reply may be lost: nobody can take it over */
#define KEEP_CONFIG 0x10u /* which copy of the configuration space */
#define KEEP_JOURNAL 0x20u /* which journal */
#define KEEP_COUNT_SHIFT 8

enum keep_kind { KEEP_MAP = 1, KEEP_UNMAP = 2 };

struct keep_record {
	uint32_t kind;
	uint16_t rights; /* VFIO_USER_DMA_* */
	uint8_t has_file;
	uint8_t writable; /* the descriptor */
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

/* The part of one function */
struct keep {
	struct vfio_user_store *store;
	struct keep_area *area; /* NULL: nothing is kept */
	unsigned int index;
	uint64_t word; /* to be stored */
	bool on; /* for the present connection */
};

void keep_init(struct keep *keep, struct vfio_user_state *state, unsigned int index);

static inline bool
keep_is_on(const struct keep *keep)
{
	return keep->on;
}

/** A connection begins. @param bar0_fd is stored with it. */
void keep_begin(struct keep *keep, int fd, int bar0_fd);
/** It has ended: first of all, while its memory is still there. */
void keep_end(struct keep *keep);

/** Note a map that was added, or a range that was removed. @param maps as they are now. */
void keep_map(struct keep *keep, const struct maps *maps, uint64_t iova);
void keep_unmap(struct keep *keep, const struct maps *maps, uint64_t iova, uint64_t last);
/** The command is done: let all that was noted hold. */
void keep_commit(struct keep *keep, const struct config *config, bool negotiated);
/** Its message was taken from the socket. */
void keep_taken(struct keep *keep);
/** Until the next keep_commit(), or keep_repaired(), nobody can take the connection over. */
void keep_break(struct keep *keep);
void keep_repaired(struct keep *keep);

/** Names of what is stored with a connection */
void keep_name(char name[STORE_NAME], const char *what, unsigned int index);

#endif /* VFIO_USER_KEEP_H */
