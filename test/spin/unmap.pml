/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory that a host unmaps while a worker of the device may use it (dmamap.h): the worker keeps a
 * translation and jobs that write by it, naps, and comes back. The thread that unmaps puts a new
 * table in place, raises the generation and waits.
 *
 * Checked: when dma_map_remove() has returned, no worker writes to that memory; and it returns.
 *
 * Code: dmamap.c, lanes.c, worker.c (ports_offline, ports_online, follow_map).
 */
/*
 * MUTANT 1: dma_map_remove() does not wait for workers
 * MUTANT 2: dma_map_remove() raises the generation before the new table is there
 * MUTANT 3: dma_map_remove() looks at the workers before its generation is seen (no full barrier)
 * MUTANT 4: dma_view_online() has no full barrier between its store and its second look
 * MUTANT 5: dma_view_online() does not look at the generation again
 * MUTANT 6: dma_view_online() keeps translations of an older generation
 * MUTANT 7: dma_view_offline() is not a release: writes of jobs come later
 * MUTANT 8: the worker goes offline with jobs in the engines
 * MUTANT 9: lanes_resync() does not end the jobs first
 * MUTANT 10: lanes_resync() keeps the translations (lanes_forget)
 * MUTANT 11: a worker never looks whether its view is stale
 * MUTANT 12: dma_view_sync() says what it has seen without release
 */
#ifndef MUTANT
#define MUTANT 0
#endif

#define THREADS 2
#define U 0 /* unmaps */
#define W 1 /* works */

#define TABLE 0 /* 1: has the memory */
#define GENERATION 1
#define SEEN 2
#define MEMORY 3 /* the memory itself */
#define PLACES 4
#define OFFLINE 100

bool unmapped; /* dma_map_remove() has returned */

/* No write arrives at memory that was given back. */
#define LANDS(place, value) assert(!(place == MEMORY && unmapped))

#include "memory.h"

proctype unmap()
{
	byte seen;

#if MUTANT == 2
	store(U, GENERATION, 2);
	full_barrier(U);
	store_release(U, TABLE, 0);
#elif MUTANT == 3
	store_release(U, TABLE, 0);
	store_release(U, GENERATION, 2);
#else
	store_release(U, TABLE, 0);
	store_release(U, GENERATION, 2);
	full_barrier(U); /* __atomic_add_fetch(), sequentially consistent */
#endif
#if MUTANT != 1
	do
	:: load_acquire(U, SEEN, seen);
		if
		:: seen >= 2 -> break
		:: else -> (mem[SEEN] != seen)
		fi
	od;
#endif
	unmapped = true;
	seen = 0
}

inline sync()
{
	has = false; /* drop_translations() */
	load_acquire(W, GENERATION, generation);
#if MUTANT == 12
	store(W, SEEN, generation)
#else
	store_release(W, SEEN, generation)
#endif
}

inline online()
{
	load(W, GENERATION, now);
	store_release(W, SEEN, now);
#if MUTANT != 4
	full_barrier(W);
#endif
#if MUTANT != 5
	load_acquire(W, GENERATION, now);
#endif
	if
	:: now != generation ->
#if MUTANT == 6
		generation = now;
		store_release(W, SEEN, generation)
#else
		sync()
#endif
	:: else
	fi;
	now = 0
}

/* The engines end the jobs, which write. */
inline drain()
{
	if
	:: jobs -> store(W, MEMORY, 1); jobs = false
	:: else
	fi
}

/* lanes_resync() */
inline resync()
{
#if MUTANT != 9
	drain();
#endif
#if MUTANT == 10
	generation = mem[GENERATION];
	store_release(W, SEEN, generation)
#else
	sync()
#endif
}

/* Looks the memory up, unless there is a translation. */
inline look_up()
{
	if
	:: !has ->
		load_acquire(W, TABLE, table);
		has = table;
		table = 0
	:: has
	fi
}

proctype work()
{
	byte generation = 1, now, rounds, table;
	bool has, jobs;

	online();
	do
	:: rounds == 4 ->
		/* It has nothing more to do, but does not nap. */
		drain();
end:		mem[GENERATION] != generation && MUTANT != 11;
		resync()
	:: rounds < 4 ->
		rounds++;
		/* follow_map() */
		load_acquire(W, GENERATION, now);
		if
		:: now != generation && MUTANT != 11 -> resync()
		:: else
		fi;
		now = 0;
		/* A request: look the memory up, begin a job. */
		look_up();
		jobs = jobs || has;
		if
		:: drain()
		:: skip
		fi;
		if
		:: skip
		:: /* a nap */
#if MUTANT != 8
			drain();
#endif
#if MUTANT == 7
			store(W, SEEN, OFFLINE);
#else
			store_release(W, SEEN, OFFLINE);
#endif
			online();
#if MUTANT == 8
			drain();
#endif
			/* START comes with an access before the next look. */
			if
			:: skip
			:: look_up();
				if
				:: has -> store(W, MEMORY, 1)
				:: else
				fi
			fi
		fi
	od
}

init {
	atomic {
		mem[TABLE] = 1;
		mem[GENERATION] = 1;
		mem[SEEN] = OFFLINE;
		run bus(U);
		run bus(W);
		run ahead(W, BIT(GENERATION) | BIT(TABLE));
		run ahead(U, BIT(SEEN));
		run unmap();
		run work()
	}
}
