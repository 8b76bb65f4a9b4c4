/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The life of a queue pair that the driver heals: two threads enqueue and dequeue, the device takes
 * requests, hangs or dies, the queue pair is stopped, the function is reset by the healer or for
 * another queue pair, isolated and revived, and the queue pair starts again, with operations
 * that were not dequeued. Late answers are time limits that are over too early. There are two
 * in-flight entries, and rings of four slots.
 *
 * Checked: each operation that was accepted comes back exactly once, none with success that the
 * device has not carried out, and none while the device may still write to its buffer; the device
 * reads no stale descriptor, and uses no memory after a stop; and nothing waits for ever.
 *
 * Memory is in order here: flow.pml and hold.pml look at that. What the device writes is under way
 * for a time, though.
 *
 * Code: lifecycle/accel_fail.c, accel_heal.c, accel_queue_start.c; card/accel_reset.c;
 * datapath/accel_enqueue.c, accel_dequeue.c; op/accel_response.c; manual 4.3, 5.3, 5.4, 3.1.
 */
/*
 * CONFIG: -DFAULTS=0 -DLATE=0 -DOTHER=0 -DLOST=1
 * CONFIG: -DFAULTS=0 -DLATE=1 -DOTHER=0
 * CONFIG: -DFAULTS=0 -DLATE=0 -DOTHER=1
 * CONFIG: -DFAULTS=1 -DLATE=0 -DOTHER=0
 *
 * MUTANT 1: accel_qp_fail() gives operations back without waiting for the stop
 * MUTANT 2: accel_qp_settle() believes responses without looking at their tags
 * MUTANT 4: dequeue believes a response without looking at its tag
 * MUTANT 5: a start does not wait until enqueue was called (enqueuer_seen)
 * MUTANT 6: enqueue on a failed queue pair does not take the lock
 * MUTANT 7: enqueue on a failed queue pair does not read the mode again
 * MUTANT 8: accel_function_reset_within() does not wait for the echo [config 3]
 * MUTANT 9: reset_once() counts the reset before it is done [config 3]
 * MUTANT 10: a function that does not answer a reset is not isolated [config 4]
 * MUTANT 11: accel_qp_rewind() does not spoil the responses, and a response is lost on the bus
 * MUTANT 12: START does not write doorbell 0
 * MUTANT 13: enqueue takes a command slot by the number alone, without the base of the start
 * MUTANT 21: the device echoes a stop while a write is under way
 * MUTANT 22: the device echoes a reset while a write is under way [config 3]
 * MUTANT 25: dequeue never looks at the number of resets [config 3]
 * MUTANT 27: isolation does not wait for writes under way [config 4]
 */
#ifndef MUTANT
#define MUTANT 0
#endif

#ifndef IDS
#define IDS 3 /* operations of the application */
#endif
/* What may happen: the device hangs or dies, a time limit is over too early, another reset, a lost
 * response. */
#ifndef FAULTS
#define FAULTS 1
#define LATE 0
#define OTHER 0
#endif
#ifndef LOST
#define LOST 0
#endif
#define NB 2
#define RING 4
#define RSP 4
#define SPOILED 255

mtype = { STOPPED, FAILED, RUNNING, BACKLOG };
mtype = { NONE, WAIT, STARTING, STOPPING };
mtype = { IDLE, RESET, REVIVE };

/* What happened to the operations of the application. */
bool accepted[IDS], given[IDS], done[IDS], answered[IDS];
byte nb_given, next_id;

/* The queue pair in host memory. */
mtype mode = STOPPED;
byte prod, cons, base, tx;
byte entry[NB]; /* operation + 1 */
bool settled[NB], good[NB];
byte command[NB]; /* its tag */
byte desc[RING];
byte response[RSP];
byte rsp_hhp;
bool failing;
bool at_device; /* START was written, and nothing has stopped it since */
mtype phase = NONE;
bool enqueuer_seen, heal_lock;
byte stop_command, heal_command;

/* The function in host memory. */
byte resets, resets_seen;
bool reset_lock, others_lock;
bool isolated;
mtype healer = IDLE;
byte healer_seen;

/* Registers. */
#define START 1
#define DISCARD 2
#define DRAIN 3
byte doorbell, control, control_ack, reset_req, reset_ack;

/* The device. */
bool runs, hung, dead;
byte cursor, nb_taken, rsp_slot, lane, tag, posted, written;
byte faults = FAULTS, late_answers = LATE, lost = LOST;
#ifdef DEATH
byte memory, device_memory; /* of the rings */
bool killed, other_goes_on;
#endif

#define no_answer (hung || dead)

/* A time limit may be over too early, but not often. */
inline time_over()
{
	if
	:: no_answer
	:: !no_answer && late_answers > 0 -> late_answers--
	:: else
	fi
}

#define may_be_late (no_answer || late_answers > 0)

inline post(kind, to)
{
	d_step {
		to = (((control / 4 + 1) & 15) * 4) + kind;
		control = to
	}
}

/* The device. */

inline land()
{
	d_step {
		posted != 0;
		assert(!given[posted - 1]);
		done[posted - 1] = true;
		posted = 0
	}
}

inline forget_requests()
{
	d_step { lane = 0; tag = 0; written = 0; runs = false }
}

inline begin()
{
	d_step {
		cursor = 0;
		nb_taken = 0;
		rsp_slot = 0;
		if
		:: !isolated -> rsp_hhp = 0
		:: else
		fi;
#ifdef DEATH
		device_memory = memory;
#endif
		runs = true
	}
}

inline carry_out()
{
	if
	:: (control & 3) == START ->
		if
		:: !runs -> begin()
		:: else /* QP-26 */
		fi;
		control_ack = control
	:: (control & 3) != START && (MUTANT == 21 || (written == 0 || isolated) && posted == 0) &&
	   ((control & 3) == DISCARD || !runs || isolated || lane == 0 && cursor == doorbell) ->
		forget_requests();
		control_ack = control
	fi
}

#define can_carry_out ((control & 3) == START || ((MUTANT == 21 || \
	(written == 0 || isolated) && posted == 0) && \
	((control & 3) == DISCARD || !runs || isolated || lane == 0 && cursor == doorbell)))

proctype device()
{
end:
	do
	:: d_step { runs && lane == 0 && !isolated && cursor != doorbell ->
		assert(desc[cursor] != 0);
		assert(!given[desc[cursor] - 1]);
		assert(entry[command[nb_taken & 1] & 1] == desc[cursor]);
#ifdef DEATH
		assert(memory == device_memory);
#endif
		lane = desc[cursor];
		tag = command[nb_taken & 1];
		cursor = (cursor + 1) & (RING - 1);
		nb_taken++
	   }
	:: d_step { lane != 0 && written == 0 && posted == 0 && !isolated ->
		posted = lane;
		written = 1 }
	:: land()
	:: d_step { written == 1 && posted == 0 ->
		if
		:: !isolated -> response[rsp_slot] = tag; answered[lane - 1] = true
		:: else
		fi;
		written = 2 }
	:: d_step { written == 1 && posted == 0 && lost > 0 -> lost--; written = 2 }
	:: d_step { written == 2 ->
		rsp_slot = (rsp_slot + 1) & (RSP - 1);
		if
		:: !isolated -> rsp_hhp = rsp_slot
		:: else
		fi;
		written = 0;
		lane = 0;
		tag = 0 }
	:: atomic { control != control_ack && !hung && !dead && can_carry_out -> carry_out() }
	:: atomic { reset_req != reset_ack && !dead && (MUTANT == 22 || posted == 0) ->
		forget_requests();
		hung = false;
		control_ack = control;
		reset_ack = reset_req }
	:: atomic { faults > 0 && runs -> faults--;
		if
		:: hung = true
		:: dead = true
		fi }
	od
}

/* The function: resets, isolation, revival. The caller has the lock. */

inline take_off_bus()
{
	isolated = true;
#if MUTANT != 27
	posted == 0
#endif
}

inline reset_function()
{
#if MUTANT == 9
	resets++;
#endif
	d_step { reset_req = (reset_ack + 1) & 15 };
#if MUTANT != 8
	if
	:: reset_ack == reset_req
	:: atomic { dead || late_answers > 0 ->
		if
		:: !dead -> late_answers--
		:: else
		fi };
#if MUTANT != 10
		take_off_bus()
#endif
	fi;
#endif
#if MUTANT != 9
	resets++
#endif
}

inline reset_once(seen)
{
	if
	:: resets == seen -> reset_function()
	:: resets != seen
	fi
}

/* A function level reset. It also clears the pages that the host writes. */
inline revive()
{
	if
	:: isolated ->
		resets++;
		d_step {
			posted = 0;
			lane = 0;
			tag = 0;
			written = 0;
			runs = false;
			hung = false;
			dead = false;
			control = 0;
			control_ack = 0;
			doorbell = 0;
			reset_req = 0;
			reset_ack = 0
		};
		isolated = false
	:: !isolated
	fi
}

inline lock_reset()
{
#ifdef DEATH
	if
	:: atomic { !reset_lock -> reset_lock = true }
	:: killed && reset_lock && !others_lock && other_goes_on && MUTANT != 43
		/* its owner has died: the kernel gives the lock to this one */
	fi
#else
	atomic { !reset_lock -> reset_lock = true }
#endif
}

/* The control thread that resets and revives (accel_heal.c). */
proctype heal()
{
#ifdef DEATH
	{
#endif
end:
	do
	:: healer == RESET ->
		lock_reset();
		reset_once(healer_seen);
		reset_lock = false;
		healer = IDLE
	:: healer == REVIVE ->
		lock_reset();
		revive();
		reset_lock = false;
		healer = IDLE
	od
#ifdef DEATH
	} unless { killed }
#endif
}

/* Another queue pair of the function, of another process, fails and needs a reset. */
proctype other()
{
	byte seen = resets;

	if
	:: skip
	:: runs && OTHER ->
		atomic { !reset_lock -> reset_lock = true; others_lock = true };
		reset_once(seen);
		atomic { reset_lock = false; others_lock = false }
	fi
}

/* Dequeue. */

/* Writes an operation's end. It is the application's when dequeue has moved cons. */
inline give(number, ok)
{
	atomic {
		assert(entry[(number) & 1] != 0);
		assert(!given[entry[(number) & 1] - 1]);
		assert(accepted[entry[(number) & 1] - 1]);
		assert(!(ok) || done[entry[(number) & 1] - 1] && answered[entry[(number) & 1] - 1]);
		given[entry[(number) & 1] - 1] = true;
		nb_given++;
		entry[(number) & 1] = 0;
		settled[(number) & 1] = false;
		good[(number) & 1] = false;
		cons = (number) + 1
	}
}

inline settle()
{
	at = cons;
	end_ = prod;
	hhp = rsp_hhp;
	d_step {
		if
		:: mode == BACKLOG -> at = base
		:: else
		fi;
		ready = (hhp - (at - base)) & (RSP - 1);
		if
		:: ready > end_ - at || (mode != RUNNING && mode != BACKLOG) -> ready = 0
		:: else
		fi
	};
	do
	:: at != end_ ->
		d_step {
			if
			:: ready > 0 && (MUTANT == 2 ||
					 response[(at - base) & (RSP - 1)] == at) ->
				ready--;
				good[at & 1] = (settled[at & 1] -> good[at & 1] : true);
				settled[at & 1] = true
			:: else ->
				ready = 0;
				settled[at & 1] = true
			fi;
			at++
		}
	:: else -> break
	od;
	skip;
	d_step { at = 0; end_ = 0; hhp = 0; ready = 0 }
}

inline fail_begin()
{
	if
	:: resets != resets_seen
	:: else ->
		post(DISCARD, stop_command);
		failing = true
	fi
}

/* accel_qp_fail() with steps that do not wait. */
inline fail()
{
	if
	:: failing
	:: !failing -> fail_begin()
	fi;
	if
	:: !failing || resets != resets_seen || control_ack == stop_command || MUTANT == 1 ->
		failing = false;
		settle();
		at_device = false;
		phase = WAIT;
		enqueuer_seen = false;
		mode = FAILED
	:: failing && resets == resets_seen && control_ack != stop_command && may_be_late &&
	   healer == IDLE ->
		time_over();
		d_step { healer_seen = resets_seen; healer = RESET }
	:: else
	fi
}

/* Begins at slot 0 with the next operation. Those that were not dequeued keep their entries. */
inline rewind()
{
	d_step {
		base = prod;
		tx = 0;
#if MUTANT != 11
		response[0] = SPOILED;
		response[1] = SPOILED;
		response[2] = SPOILED;
		response[3] = SPOILED;
#endif
		skip
	}
}

inline prepare()
{
	resets_seen = resets;
	at_device = true;
	rsp_hhp = 0;
#if MUTANT != 12
	doorbell = 0
#endif
}

inline works()
{
	settle();
	rewind();
	phase = NONE;
	atomic {
		if
		:: prod != cons -> mode = BACKLOG
		:: else -> mode = RUNNING
		fi
	}
}

inline undo_start()
{
	post(DISCARD, heal_command);
	phase = STOPPING
}

inline step()
{
	if
	:: phase == WAIT && (enqueuer_seen || MUTANT == 5) && healer == IDLE && !reset_lock ->
		atomic {
			if
			:: !reset_lock -> reset_lock = true; locked = true
			:: else
			fi
		};
		if
		:: locked && isolated ->
			reset_lock = false;
			healer = REVIVE
		:: locked && !isolated ->
			prepare();
			post(START, heal_command);
			phase = STARTING;
			reset_lock = false
		:: else
		fi;
		locked = false
	:: phase == STARTING ->
		if
		:: resets != resets_seen ->
			at_device = false;
			phase = WAIT
		:: else ->
			if
			:: control_ack == heal_command ->
				if
				:: runs -> works()
				:: else -> undo_start()
				fi
			:: control_ack != heal_command && may_be_late ->
				time_over();
				undo_start()
			:: else
			fi
		fi
	:: phase == STOPPING ->
		if
		:: resets != resets_seen || control_ack == heal_command ->
			at_device = false;
			phase = WAIT
		:: resets == resets_seen && control_ack != heal_command && may_be_late &&
		   healer == IDLE ->
			time_over();
			d_step { healer_seen = resets_seen; healer = RESET }
		:: else
		fi
	:: else
	fi
}

#define can_step (phase == WAIT && enqueuer_seen && healer == IDLE && !reset_lock || \
	phase == STARTING && (resets != resets_seen || control_ack == heal_command || \
			      may_be_late) || \
	phase == STOPPING && (resets != resets_seen || control_ack == heal_command || \
			      may_be_late && healer == IDLE))

#define is_ready (((rsp_hhp - (cons - base)) & (RSP - 1)) != 0)

inline dequeue_settled(limit)
{
	do
	:: cons != limit -> give(cons, settled[cons & 1] && good[cons & 1])
	:: else -> break
	od
}

/* One call of dequeue. It blocks while it could only poll. */
inline dequeue_once()
{
	if
	:: mode == RUNNING && is_ready && !failing ->
		d_step {
			ready = (rsp_hhp - (cons - base)) & (RSP - 1);
			at = response[(cons - base) & (RSP - 1)]
		};
		if
		:: ready > prod - cons || (at != cons && MUTANT != 4) ->
			at = 0;
			ready = 0;
			fail() /* nonsense */
		:: else ->
			at = 0;
			ready = 0;
			give(cons, !settled[cons & 1] || good[cons & 1])
		fi
	:: mode == RUNNING && failing &&
	   (resets != resets_seen || control_ack == stop_command ||
	    may_be_late && healer == IDLE) ->
		fail()
	:: mode == RUNNING && !is_ready && !failing && prod != cons && MUTANT != 25 &&
	   resets != resets_seen ->
		fail()
	:: mode == RUNNING && !is_ready && !failing && prod != cons && may_be_late ->
		time_over();
		if
		:: is_ready
		:: else -> fail()
		fi
	:: mode == BACKLOG ->
		dequeue_settled(base);
		mode = RUNNING
	:: mode == FAILED && !heal_lock && (cons != prod || can_step) ->
		atomic {
			if
			:: !heal_lock -> heal_lock = true; entered = true
			:: else
			fi
		};
		if
		:: entered ->
			if
			:: mode == FAILED -> dequeue_settled(prod)
			:: else
			fi;
			if
			:: mode == FAILED && phase != NONE -> step()
			:: else
			fi;
			heal_lock = false
		:: else
		fi;
		entered = false
	fi
}

proctype dequeue()
{
	byte at, end_, hhp, ready;
	bool locked, entered;

#ifdef DEATH
	{
#endif
	do
	:: nb_given == IDS -> break
	:: nb_given != IDS -> dequeue_once()
	od
#ifdef DEATH
	} unless { killed }
#endif
}

/* Enqueue. */

#if MUTANT == 13
#define command_slot(number) ((number) & 1)
#else
#define command_slot(number) (((number) - base) & 1)
#endif

inline enqueue_running()
{
	number = prod;
	if
	:: number - cons < NB ->
		desc[tx & (RING - 1)] = next_id + 1;
		d_step {
			entry[number & 1] = next_id + 1;
			settled[number & 1] = false;
			good[number & 1] = false
		};
		command[command_slot(number)] = number;
		tx++;
		d_step { accepted[next_id] = true; prod = number + 1; next_id++ };
		doorbell = tx & (RING - 1)
	:: else
	fi;
	number = 0
}

inline enqueue_failed()
{
#if MUTANT != 6
	atomic {
		if
		:: !heal_lock -> heal_lock = true; entered = true
		:: else
		fi
	};
#else
	entered = true;
#endif
	if
	:: entered ->
		if
		:: (mode == FAILED || MUTANT == 7) && prod - cons < NB ->
			number = prod;
			d_step {
				entry[number & 1] = next_id + 1;
				settled[number & 1] = false;
				good[number & 1] = false
			};
			d_step { accepted[next_id] = true; prod = number + 1; next_id++ };
			number = 0
#ifdef DEATH
		:: mode == FAILED /* an empty burst */
#else
		:: mode == FAILED && !enqueuer_seen /* an empty burst */
#endif
		:: else
		fi;
		if
		:: mode == FAILED && phase != NONE -> enqueuer_seen = true
		:: else
		fi;
#if MUTANT != 6
		heal_lock = false;
#endif
		entered = false
	:: else
	fi
}

proctype enqueue()
{
	byte number;
	bool entered;

#ifdef DEATH
	{
#endif
	do
	:: next_id == IDS -> break
	:: next_id != IDS ->
		if
		:: (mode == RUNNING || mode == BACKLOG) && prod - cons < NB -> enqueue_running()
		:: mode == FAILED && (prod - cons < NB || phase != NONE && !enqueuer_seen) ->
			enqueue_failed()
		fi
	od
#ifdef DEATH
	} unless { killed }
#endif
}

#ifdef DEATH
/* Another process, which takes the queue pair over when its process was killed: it dequeues what is
 * there, resets the queue pair, with other memory, and goes on. */

inline wait_for_command(command_)
{
	if
	:: control_ack == command_
	:: control_ack != command_ && may_be_late ->
		time_over();
		lock_reset();
		reset_once(resets_seen);
		reset_lock = false
	fi
}

#if MUTANT == 41
#define is_at_work ((mode == RUNNING || mode == BACKLOG || phase == STARTING || \
	phase == STOPPING) && resets == resets_seen)
#else
#define is_at_work (at_device && resets == resets_seen)
#endif

inline stop_pair()
{
	if
	:: is_at_work ->
		post(DRAIN, heal_command);
		wait_for_command(heal_command)
	:: else
	fi;
	at_device = false;
	if
	:: mode != STOPPED -> settle()
	:: else
	fi;
	failing = false;
	phase = NONE;
	heal_lock = false;
	mode = STOPPED
}

inline start_pair()
{
	lock_reset();
	revive();
	reset_lock = false;
	rewind();
	lock_reset();
	prepare();
	post(START, heal_command);
	reset_lock = false;
	if
	:: control_ack == heal_command ->
		if
		:: runs ->
			atomic {
				if
				:: prod != cons -> mode = BACKLOG
				:: else -> mode = RUNNING
				fi
			}
		:: else -> stop_pair()
		fi
	:: control_ack != heal_command && may_be_late ->
		time_over();
		lock_reset();
		reset_once(resets_seen);
		reset_lock = false
	:: resets != resets_seen
	fi
}

/* rte_pmd_accel_qp_reset() with a configuration: other memory. */
inline restart()
{
	stop_pair();
	d_step {
		memory = (memory + 1) & 3;
		desc[0] = 0;
		desc[1] = 0;
		desc[2] = 0;
		desc[3] = 0
	};
	start_pair()
}

proctype survivor()
{
	byte at, end_, hhp, ready, number;
	bool locked, entered;

	atomic { killed -> other_goes_on = true };
	/* What can be dequeued at once. */
	do
	:: mode == RUNNING && is_ready && !failing && prod != cons -> dequeue_once()
	:: break
	od;
#if MUTANT != 45
	restart();
#endif
	do
	:: mode == BACKLOG -> dequeue_settled(base); mode = RUNNING
	:: mode == RUNNING && next_id < IDS && prod - cons < NB -> enqueue_running()
	:: mode == RUNNING && is_ready -> give(cons, !settled[cons & 1] || good[cons & 1])
	:: mode == RUNNING && !is_ready && prod != cons &&
	   (resets != resets_seen || no_answer) -> /* a failure: the application resets it */
		restart()
	:: mode != RUNNING && mode != BACKLOG -> restart()
	:: next_id == IDS && prod == cons -> break
	od;
	skip;
	/* Each operation that was accepted has come back. */
	d_step {
		at = 0;
		do
		:: at < IDS -> assert(accepted[at] == given[at]); at++
		:: else -> break
		od
	}
}

proctype kill()
{
	if
	:: killed = true
	:: nb_given == IDS -> killed = true
	fi
}
#endif

init {
	atomic {
		/* It was started once. */
#if MUTANT != 11
		response[0] = SPOILED;
		response[1] = SPOILED;
		response[2] = SPOILED;
		response[3] = SPOILED;
#endif
		at_device = true;
		runs = true;
		mode = RUNNING;
		run device();
		run heal();
		run other();
		run dequeue();
		run enqueue();
#ifdef DEATH
		run survivor();
		run kill();
#endif
	}
}
