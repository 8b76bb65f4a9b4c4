/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations through a queue pair that does not fail: enqueue and dequeue on two threads of the
 * host, and the worker of a device. All that they share lies in memory where stores are late and
 * loads early. There are two in-flight entries, four descriptors and four responses, so all of them
 * wrap.
 *
 * Checked: the device reads the descriptors, command and payload of the operation; dequeue finds
 * the entry, response and result of the operation; each operation is given back once, in order;
 * and none is forgotten, also when the device rests until the doorbell moves.
 *
 * Code: accel_enqueue.c, accel_command.h, accel_dequeue.c, accel_watch.h, accel_response.c of the
 * driver; queue/queue.c, queue/queue_take.c, queue/queue_report.c, worker/worker.c of the device.
 */
/*
 * Each of these has one thread whose stores are late, and one whose loads are early.
 *
 * CONFIG: -DLATES=2 -DEARLIES=0
 * CONFIG: -DLATES=2 -DEARLIES=0 -DONE_SLOT
 * CONFIG: -DLATES=4 -DEARLIES=2
 * CONFIG: -DLATES=1 -DEARLIES=4
 * CONFIG: -DLATES=1 -DEARLIES=2
 *
 * MUTANT 1: accel_publish() has no write barrier before the doorbell [config 4]
 * MUTANT 2: accel_publish() stores prod without release [config 4]
 * MUTANT 3: accel_publish() writes the doorbell before prod
 * MUTANT 4: accel_nb_arrived() has no read barrier after the pointer [config 3]
 * MUTANT 5: dequeue stores cons before it has read the entries
 * MUTANT 6: accel_nb_arrived() does not read prod again
 * MUTANT 7: accel_qp_settle() reads prod without acquire [config 3]
 * MUTANT 8: the device reads the doorbell without acquire [config 4]
 * MUTANT 9: the device writes its pointers without release [config 3]
 * MUTANT 10: responses streamed without a fence before the pointers (stream_end) [config 3]
 * MUTANT 11: a queue pair that runs empty writes no pointers
 * MUTANT 12: a function rests although its last visit has left requests (queue_rests: more)
 * MUTANT 14: a function rests although engines have jobs of it (queue_rests: head, next)
 * MUTANT 15: enqueue fills the ring up to the last slot
 * MUTANT 16: enqueue does not look for a free in-flight entry [config 2]
 * MUTANT 17: the pointers cover requests that were begun and not answered
 * MUTANT 18: enqueue writes the entry after prod
 * MUTANT 19: the pointers are written before the last response
 * MUTANT 20: the device takes a request before it reads the doorbell again [config 4]
 */
#ifndef MUTANT
#define MUTANT 0
#endif

#ifndef OPS
#define OPS 4
#endif
#define NB 2 /* in-flight entries, and commands */
#define RING 4 /* descriptors */
#define RSP 4
#define BUFS 3 /* of the application */

#define THREADS 3
#define E 0 /* enqueues */
#define D 1 /* dequeues */
#define W 2 /* works in the device */

/* Places in memory. */
#define DESC(n) ((n) & 3)
#define COMMAND(n) (4 + ((n) & 1))
#define ENTRY(n) (6 + ((n) & 1))
#define BUF(n) (8 + (n) % BUFS)
#define RESPONSE(n) (11 + ((n) & 3))
#define PROD 15
#define DOORBELL 16
#define RSP_HHP 17
#define CONS 18
#define TX_CONS 19
#define PLACES 20
#define RESPONSES (BIT(11) | BIT(12) | BIT(13) | BIT(14))
#define BUFFERS (BIT(8) | BIT(9) | BIT(10))
#define ENTRIES (BIT(6) | BIT(7))
#define LANDS(place, value) skip

/* Values of a buffer, by the operation. */
#define INPUT(n) (16 + (n))
#define OUTPUT(n) (32 + (n))

/* The first operations have a descriptor more, so that the ring is full at times. */
#ifdef ONE_SLOT
#define SLOTS(n) 1 /* the in-flight entries are full first */
#else
#define SLOTS(n) ((n) < 2 -> 2 : 1)
#endif

#include "memory.h"

bool taken[BUFS]; /* buffers that the driver has */
byte given; /* operations that came back */

inline publish()
{
#if MUTANT == 3
	write_barrier(E);
	store(E, DOORBELL, tx & (RING - 1));
	store_release(E, PROD, n);
#else
#if MUTANT == 2
	store(E, PROD, n);
#else
	store_release(E, PROD, n);
#endif
#if MUTANT != 1
	write_barrier(E); /* rte_io_wmb() */
#endif
	store(E, DOORBELL, tx & (RING - 1));
#endif
	done = n
}

proctype enqueue()
{
	byte n, done, tx, seen, freed;

	do
	:: n == OPS -> break
	:: n < OPS ->
		if
		:: taken[n % BUFS] && n != done -> publish()
		:: else
		fi;
		atomic { !taken[n % BUFS] -> taken[n % BUFS] = true };
		store(E, BUF(n), INPUT(n));
room:
		load(E, CONS, seen);
		load(E, TX_CONS, freed);
		if
#if MUTANT == 16
		:: tx + SLOTS(n) <= freed + RING - 1
#elif MUTANT == 15
		:: n - seen < NB && tx + SLOTS(n) <= freed + RING
#else
		:: n - seen < NB && tx + SLOTS(n) <= freed + RING - 1
#endif
		:: else ->
			if
			:: n != done -> publish()
			:: else -> (mem[CONS] != seen || mem[TX_CONS] != freed)
			fi;
			goto room
		fi;
		store(E, DESC(tx), n + 1);
		if
		:: SLOTS(n) == 2 -> store(E, DESC(tx + 1), n + 1)
		:: else
		fi;
		store(E, COMMAND(n), n + 1);
#if MUTANT == 18
		store_release(E, PROD, n + 1);
#endif
		store(E, ENTRY(n), n + 1);
		tx = tx + SLOTS(n);
		n++;
		if
		:: publish()
		:: n < OPS /* the burst goes on */
		fi
	od
}

/* What accel_qp_settle() and accel_qp_pending() see: operations by their counter alone. */
inline look_at_entries()
{
#if MUTANT == 7
	load(D, PROD, seen);
#else
	load_acquire(D, PROD, seen);
#endif
	at = cons;
	do
	:: at != seen ->
		load(D, ENTRY(at), value);
		assert(value == at + 1);
		at++
	:: else -> break
	od;
	at = 0;
	value = 0
}

inline give_back()
{
	load(D, RESPONSE(cons), value);
	assert(value == cons + 1);
#if MUTANT == 5
	store(D, TX_CONS, tx + SLOTS(cons));
	store_release(D, CONS, cons + 1);
#endif
	load(D, ENTRY(cons), value);
	assert(value == cons + 1);
	load(D, BUF(cons), value);
	assert(value == OUTPUT(cons)); /* the application looks at the result */
	value = 0;
	tx = tx + SLOTS(cons);
	cons++
}

proctype dequeue()
{
	byte cons, start, tx, hhp, seen, at, value;
	bool looked;

	do
	:: cons == OPS -> break
	:: cons < OPS && !looked ->
		looked = true;
		look_at_entries()
	:: cons < OPS ->
		((mem[RSP_HHP] - cons) & (RSP - 1)) != 0;
		load(D, RSP_HHP, hhp);
#if MUTANT != 4
		read_barrier(D); /* rte_io_rmb() */
#endif
		if
		:: ((hhp - cons) & (RSP - 1)) > seen - cons ->
#if MUTANT != 6
			load_acquire(D, PROD, seen);
#endif
			assert(((hhp - cons) & (RSP - 1)) <= seen - cons)
		:: else
		fi;
		start = cons;
		do
		:: (cons & (RSP - 1)) != hhp -> give_back()
		:: else -> break
		od;
		store(D, TX_CONS, tx);
		store_release(D, CONS, cons);
		atomic {
			do
			:: start != cons ->
				assert(taken[start % BUFS]);
				taken[start % BUFS] = false;
				given++;
				start++
			:: else -> break
			od;
			start = 0;
			hhp = 0
		}
	od;
	assert(given == OPS)
}

inline take_request()
{
	load(W, DESC(cursor), value);
	assert(value == next + 1);
	if
	:: SLOTS(next) == 2 ->
		load(W, DESC(cursor + 1), value);
		assert(value == next + 1)
	:: else
	fi;
	load(W, COMMAND(next), value);
	assert(value == next + 1);
	load(W, BUF(next), value);
	assert(value == INPUT(next));
	value = 0;
	cursor = (cursor + SLOTS(next)) & (RING - 1);
	next++
}

inline write_back(covered)
{
#if MUTANT == 9
	skip;
#elif MUTANT == 10
	(late[W] & ~RESPONSES) == 0;
#else
	write_barrier(W);
#endif
	store(W, RSP_HHP, (covered) & (RSP - 1));
	unreported = 0
}

proctype device()
{
	byte sdp, cursor, head, next, unreported, value;
	bool more;

	do
	:: /* A visit takes one request at most. */
#if MUTANT == 20
		if
		:: cursor != mem[DOORBELL] -> take_request()
		:: else
		fi;
#endif
#if MUTANT == 8
		load(W, DOORBELL, sdp);
#else
		load_acquire(W, DOORBELL, sdp);
#endif
		if
		:: cursor != sdp && next - head < 2 -> take_request()
		:: else
		fi;
		more = cursor != sdp;
		/* The engines may keep jobs until the next visit. */
		do
		:: head != next ->
			store(W, BUF(head), OUTPUT(head));
#if MUTANT == 19
			if
			:: unreported == 1 -> write_back(head + 1)
			:: else
			fi;
#endif
			store(W, RESPONSE(head), head + 1);
			head++;
			unreported++
		:: break
		od;
		if
#if MUTANT == 17
		:: unreported != 0 -> write_back(next)
#elif MUTANT == 11
		:: unreported == 2 -> write_back(head)
#else
		:: unreported == 2 || (unreported != 0 && head == next && !more) ->
			write_back(head)
		:: unreported == 1 && more -> write_back(head) /* T is over */
#endif
#if MUTANT == 11 || MUTANT == 17
		:: else
#else
		:: unreported == 0 || unreported == 1 && (more || head != next)
#endif
		fi;
		/* With nothing under way it rests until the doorbell moves. */
		if
		:: (!more || MUTANT == 12) && (head == next || MUTANT == 14) &&
		   (unreported == 0 || MUTANT == 11) ->
end:			mem[DOORBELL] != sdp
		:: else
		fi
	od
}

init {
	atomic {
#if LATES == 1
		run bus(E);
#elif LATES == 2
		run bus(D);
#else
		run bus(W);
#endif
#if EARLIES == 2
		run ahead(D, RESPONSES | BUFFERS | ENTRIES | BIT(PROD));
#elif EARLIES == 4
		run ahead(W, BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(4) | BIT(5) | BUFFERS);
#endif
		run enqueue();
		run dequeue();
		run device()
	}
}
