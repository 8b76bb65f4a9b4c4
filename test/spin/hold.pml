/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A reset of a function that two workers of the device serve, of which one may nap: then the first
 * one does its part (worker_all_quiesced). A host starts the queue pairs again after the echo.
 *
 * Checked: from the echo of the reset until the next start nothing writes to host memory (RST-10),
 * a start that was written before the reset is not carried out after it (RST-6), and the reset ends.
 *
 * Code: function.c, watch.c (quiesce, worker_all_quiesced, poll_function), worker.c (nap).
 */
/*
 * MUTANT 1: the first worker does not wait for the other one
 * MUTANT 2: quiesce() does not empty the engines
 * MUTANT 3: quiesce() says that it has ended before it empties the engines
 * MUTANT 4: hold() raises the epoch before it sets the reason
 * MUTANT 5: worker_all_quiesced() takes a worker that naps for one that has ended
 * MUTANT 6: worker_all_quiesced() does the part of a worker without owning it
 * MUTANT 7: a worker that has woken up works before it owns itself
 * MUTANT 8: quiesce() does not take commands as carried out (RST-6)
 * MUTANT 9: quiesce() lets queue pairs run on
 */
#ifndef MUTANT
#define MUTANT 0
#endif

#define WORKERS 2

byte hold, epoch, quiesced[WORKERS], owner[WORKERS];
byte reset_req, reset_ack;
byte control[WORKERS], control_ack[WORKERS]; /* a queue pair of each worker */
bool running[WORKERS], jobs[WORKERS];
bool quiet; /* the host has seen the echo, and has started nothing yet */
bool over;

/* A write to host memory takes a while. */
inline access(w)
{
	assert(!quiet);
	assert(!quiet)
}

inline drain(w)
{
	if
	:: jobs[w] -> access(w); jobs[w] = false
	:: else
	fi
}

inline quiesce(w)
{
	seen = epoch;
	reset = hold != 0;
#if MUTANT == 3
	quiesced[w] = seen;
#endif
#if MUTANT != 2
	drain(w);
#endif
#if MUTANT != 9
	running[w] = false;
#endif
	if
#if MUTANT != 8
	:: reset -> control_ack[w] = control[w]
#endif
	:: else
	fi;
	reset = false;
#if MUTANT != 3
	quiesced[w] = seen;
#endif
	seen = 0
}

inline own(w, ok)
{
	atomic {
		if
		:: owner[w] == 0 -> owner[w] = 1; ok = true
		:: else -> ok = false
		fi
	}
}

/* Sets `all`. */
inline all_quiesced()
{
	all = true;
	if
	:: quiesced[1] != epoch ->
#if MUTANT == 5
		if
		:: owner[1] == 0 -> skip
		:: else -> all = false
		fi;
#elif MUTANT == 6
		quiesce(1);
#else
		own(1, ok);
		if
		:: ok -> quiesce(1); owner[1] = 0
		:: else -> all = false
		fi;
		ok = false;
#endif
	:: else
	fi;
#if MUTANT == 1
	all = true;
#endif
	if
	:: quiesced[0] != epoch -> all = false
	:: else
	fi
}

inline round(w)
{
	/* Commands. */
	if
	:: quiesced[w] != epoch -> quiesce(w)
	:: else
	fi;
	if
	:: w == 0 && hold == 0 && reset_req != reset_ack ->
		request = reset_req;
#if MUTANT == 4
		epoch++;
		hold = 1
#else
		hold = 1;
		epoch++
#endif
	:: w == 0 && hold != 0 ->
		all_quiesced();
		if
		:: all ->
			reset_ack = request;
			hold = 0
		:: else
		fi;
		all = false
	:: else
	fi;
	if
	:: hold == 0 && control[w] != control_ack[w] ->
		running[w] = true;
		access(w); /* the write-back line */
		control_ack[w] = control[w]
	:: else
	fi;
	/* The visit. */
	if
	:: running[w] && hold == 0 ->
		access(w);
		jobs[w] = true
	:: else
	fi;
	if
	:: drain(w)
	:: skip
	fi
}

proctype worker(byte me)
{
	byte seen, request;
	bool reset, all, ok;

	do
	:: over -> break
	:: !over ->
		round(me)
	:: !over -> /* a nap */
		drain(me);
		owner[me] = 0;
#if MUTANT == 7
		round(me);
#endif
		atomic { owner[me] == 0 -> owner[me] = 1 }
	od;
	drain(me)
}

proctype host()
{
	byte first;

	/* Both queue pairs run, or are about to. */
	control[0] = 1;
	control[1] = 1;
	reset_req = 1;
	atomic { reset_ack == reset_req -> quiet = true };
	/* A while in which memory is used otherwise. */
	skip;
	atomic { quiet = false; control[1] = 2 };
	control_ack[1] == 2;
	over = true
}

init {
	atomic {
		owner[0] = 1;
		owner[1] = 1;
		run worker(0);
		run worker(1);
		run host()
	}
}
