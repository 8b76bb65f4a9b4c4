/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key tasks between a worker and two engines (pk_pool.h, pk_task.h): stacks without locks,
 * the states of a task that may be abandoned at any time, and how each side sleeps and is woken.
 * Times are left out: nobody wakes up by itself. Where the code orders accesses, memory is in
 * order here, and a mutation that drops the order changes it.
 *
 * Checked: an engine and a worker never use a task at the same time, a task is in one list at a
 * time, results are there when a task is done, no task is lost, and nobody sleeps for ever.
 *
 * Code: pk/pk_pool.c, pk/pk_task.c, pk/pk_task.h, worker/worker_pk.c, queue/queue_pk.c.
 */
/*
 * CONFIG: -DTASKS=2 -DSUBMITS=2
 * CONFIG: -DTASKS=1 -DSUBMITS=3
 *
 * MUTANT 1: wake() looks for idle engines before it counts the signal
 * MUTANT 2: an engine goes idle after it has compared the signal
 * MUTANT 3: an engine reads the signal after it has looked for tasks
 * MUTANT 4: tell() looks whether the worker sleeps before it counts the event
 * MUTANT 5: pk_desk_sleep() says that the worker sleeps after it has compared the events
 * MUTANT 6: pk_desk_sleep() does not compare the events
 * MUTANT 7: pk_push_all() publishes a task before its link
 * MUTANT 8: pk_push_all() does not compare the head of the stack again
 * MUTANT 9: pk_task_end() does not look whether the task was abandoned
 * MUTANT 10: pk_task_begin() does not look whether the task was abandoned
 * MUTANT 11: pk_task_abandon() gives a waiting task back without waiting for its engine
 * MUTANT 12: pk_task_abandon() of a running task wipes it itself
 * MUTANT 13: pk_task_end() says that it is done before the results are there
 * MUTANT 14: tell() wakes the worker before the last task has ended (left: before the decrement)
 * MUTANT 15: an engine that is stopped does not look at the flag again before it sleeps
 * MUTANT 16: a task that was abandoned before its engine came is never told [config 2]
 * MUTANT 17: two engines take tasks without the lock
 * MUTANT 18: a stop does not count the signal
 * MUTANT 19: tell() takes the sign of a later nap away than that which it has seen
 * MUTANT 20: tell() takes the sign away before it wakes the worker, which may not sleep yet
 */
#ifndef MUTANT
#define MUTANT 0
#endif

#ifndef TASKS
#define TASKS 2
#define SUBMITS 2
#endif
#define LAST (TASKS - 1)
#define NONE 255

mtype = { QUEUED, RUNNING, DONE, GIVEN_UP, WIPING, UNLISTED, WIPED };

mtype state[TASKS];
byte next[TASKS];
byte content[TASKS]; /* of the task; 0: wiped */
byte result[TASKS];
bool worker_has[TASKS]; /* in no list, or in the worker's own */
bool engine_has[TASKS];
byte inbox = NONE;
byte returned = NONE;
byte signal, idle, events, under_way;
byte asleep; /* number of the worker's nap, 0: it is awake, or was woken */
bool stop;
byte nb_ended; /* processes of this model */
bool engine_sleeps[2], worker_sleeps;

/* A push to a stack, and a pop of all of it. */
inline push(stack, task, link)
{
#if MUTANT == 8
	link = stack;
	next[task] = link;
	stack = task;
#else
	do
	:: link = stack;
#if MUTANT != 7
		next[task] = link;
#endif
		if
		:: atomic { stack == link -> stack = task };
			break
		:: stack != link
		fi
	od;
#if MUTANT == 7
	next[task] = link;
#endif
#endif
	link = 0
}

inline pop_all(stack, to)
{
	atomic { to = stack; stack = NONE }
}

inline wake_engine()
{
	atomic {
		if
		:: engine_sleeps[0] -> engine_sleeps[0] = false; woken = true
		:: engine_sleeps[1] -> engine_sleeps[1] = false; woken = true
		:: else
		fi
	};
	/* Who wakes an engine counts it as awake. */
	if
	:: woken -> idle--; woken = false
	:: else
	fi
}

/* The worker. */

inline wipe(task)
{
	d_step { assert(!engine_has[task]); content[task] = 0; result[task] = 0 }
}

inline submit(task)
{
	d_step {
		submitted++;
		content[task] = submitted;
		result[task] = 0;
		mine[task] = true;
		worker_has[task] = false;
		state[task] = QUEUED
	}
	under_way++;
	push(inbox, task, link);
#if MUTANT == 1
	if
	:: idle > 0 -> signal++; wake_engine()
	:: else -> signal++
	fi
#else
	signal++;
	if
	:: idle > 0 -> wake_engine()
	:: else
	fi
#endif
}

inline abandon(task)
{
	d_step { mine[task] = false; abandoned++ }
	if
	:: atomic { state[task] == QUEUED -> state[task] = WIPING };
		wipe(task);
#if MUTANT == 11
		worker_has[task] = true;
#else
		if
		:: atomic { state[task] == WIPING -> state[task] = WIPED }
		:: atomic { state[task] == UNLISTED -> worker_has[task] = true }
		fi
#endif
	:: atomic { state[task] == RUNNING -> state[task] = GIVEN_UP };
#if MUTANT == 12
		wipe(task)
#endif
	:: atomic { state[task] == DONE -> skip };
		wipe(task);
		worker_has[task] = true
	fi
}

proctype worker()
{
	byte submitted, abandoned, seen, task, link, list;
	bool mine[TASKS], any, woken, lent;
	byte nap = 1;

	do
	:: submitted == SUBMITS && !mine[0] && !mine[LAST] -> break
	:: else ->
		seen = events;
		any = false;
		/* Tasks that are done. */
		task = 0;
		do
		:: task < TASKS ->
			if
			:: mine[task] && state[task] == DONE ->
				assert(result[task] == content[task] && content[task] != 0);
				wipe(task);
				d_step { mine[task] = false; worker_has[task] = true };
				any = true
			:: mine[task] && abandoned < 1 -> /* a reset or a stop drops it */
				abandon(task);
				any = true
			:: !mine[task] && worker_has[task] && submitted < SUBMITS ->
				submit(task);
				any = true
			:: else
			fi;
			task++
		:: else -> break
		od;
		task = 0;
		/* Abandoned ones come back. */
		if
		:: submitted < SUBMITS && !worker_has[0] && !worker_has[LAST] && returned != NONE ->
			pop_all(returned, list);
			do
			:: list != NONE ->
				assert(!worker_has[list] && !engine_has[list]);
				worker_has[list] = true;
				list = next[list]
			:: else -> break
			od;
			list = 0;
			any = true
		:: else
		fi;
		if
		/* pk_desk_busy(), pk_desk_sleep(); a worker that lends its CPU sleeps also if there
		 * was something to do */
		:: under_way != 0 && (!any || !lent) ->
			lent = lent || any;
#if MUTANT != 5
			asleep = nap;
#endif
			atomic {
				if
				:: events == seen || MUTANT == 6 -> worker_sleeps = true
				:: else
				fi
			};
#if MUTANT == 5
			asleep = nap;
#endif
			!worker_sleeps;
			asleep = 0;
			nap++
		:: else
		fi
	od;
	stop = true;
#if MUTANT != 18
	signal++;
#endif
	atomic { engine_sleeps[0] = false; engine_sleeps[1] = false };
	nb_ended++
}

/* The engines. */

inline tell()
{
#if MUTANT == 14
	left = under_way;
#else
	atomic { under_way--; left = under_way };
#endif
#if MUTANT == 4
	nap_seen = asleep;
	events++;
	if
	:: nap_seen != 0 ->
#else
	events++;
	if
	:: atomic { asleep != 0 -> nap_seen = asleep };
#endif
		if
		:: skip;
#if MUTANT == 20
			atomic {
				if
				:: asleep == nap_seen -> asleep = 0
				:: else
				fi
			};
#endif
			atomic { woke = worker_sleeps; worker_sleeps = false }; /* futex_wake() */
			atomic {
				if
				:: woke && (asleep == nap_seen || MUTANT == 19) -> asleep = 0
				:: else
				fi
			};
			woke = false;
			nap_seen = 0
		:: left > 1 || (MUTANT == 14 && left == 1) /* one that ends later wakes it */
		fi
	:: else
	fi;
#if MUTANT == 14
	under_way--;
#endif
	left = 0
}

/* take_next(): the whole inbox moves to a list under the lock. */
byte waiting[TASKS];
byte nb_waiting;

inline take_next()
{
	pop_all(inbox, list);
	do
	:: list != NONE ->
		assert(nb_waiting < TASKS);
		waiting[nb_waiting] = list;
		nb_waiting++;
		list = next[list]
	:: else -> break
	od;
	list = 0;
	if
	:: nb_waiting > 0 ->
		task = waiting[0];
		d_step {
			waiting[0] = waiting[LAST];
			waiting[LAST] = 0;
			nb_waiting--
		}
	:: else ->
		task = NONE
	fi
}

proctype engine(byte me)
{
	byte seen, task, list, left, link, copy;
	bool begun, waited, woke;
	byte nap_seen;

	do
	:: stop -> break
	:: else ->
#if MUTANT != 3
		seen = signal;
#endif
#if MUTANT == 17
		take_next();
#else
		atomic { take_next() }; /* under the lock of engines */
#endif
#if MUTANT == 3
		seen = signal;
#endif
		if
		:: task != NONE ->
			/* pk_task_begin() */
			if
#if MUTANT == 10
			:: atomic { true -> state[task] = RUNNING; begun = true }
#else
			:: atomic { state[task] == QUEUED -> state[task] = RUNNING; begun = true }
			:: atomic { state[task] == WIPING -> state[task] = UNLISTED }
			:: state[task] == WIPED -> push(returned, task, link)
#endif
			fi;
			if
			:: begun ->
				begun = false;
				d_step {
					assert(!engine_has[task] && content[task] != 0);
					engine_has[task] = true;
					copy = content[task]
				}
#if MUTANT == 13
				engine_has[task] = false;
				if
				:: atomic { state[task] == RUNNING -> state[task] = DONE }
				:: state[task] == GIVEN_UP -> wipe(task); push(returned, task, link)
				fi;
#endif
				d_step {
					assert(content[task] == copy);
					result[task] = copy;
					copy = 0
				}
#if MUTANT != 13
				engine_has[task] = false;
				/* pk_task_end() */
				if
#if MUTANT == 9
				:: atomic { true -> state[task] = DONE }
#else
				:: atomic { state[task] == RUNNING -> state[task] = DONE }
				:: state[task] == GIVEN_UP -> wipe(task); push(returned, task, link)
#endif
				fi;
#endif
				tell()
			:: else ->
#if MUTANT == 16
				skip
#else
				tell()
#endif
			fi
		:: else ->
#if MUTANT != 2
			idle++;
#endif
			if
			:: !stop || MUTANT == 15 ->
				atomic {
					if
					:: signal == seen -> engine_sleeps[me] = true; waited = true
					:: else
					fi
				};
#if MUTANT == 2
				idle++;
#endif
				!engine_sleeps[me]
			:: else
#if MUTANT == 2
				-> idle++
#endif
			fi;
			if
			:: waited -> waited = false
			:: else -> idle--
			fi
		fi;
		task = 0;
		seen = 0
	od;
	nb_ended++
}

/* At the end each task is in one list of the worker, or still waits for an engine. */

proctype end_of_all()
{
	byte list, task, nb[TASKS];

	nb_ended == 3;
	d_step {
		list = returned;
		do
		:: list != NONE -> nb[list]++; list = next[list]
		:: else -> break
		od;
		list = inbox;
		do
		:: list != NONE -> nb[list]++; assert(state[list] == WIPED); list = next[list]
		:: else -> break
		od;
		do
		:: nb_waiting > 0 ->
			nb_waiting--;
			nb[waiting[nb_waiting]]++;
			assert(state[waiting[nb_waiting]] == WIPED)
		:: else -> break
		od;
		do
		:: task < TASKS ->
			nb[task] = nb[task] + worker_has[task];
			assert(nb[task] == 1);
			task++
		:: else -> break
		od
	}
}

init {
	atomic {
		next[0] = NONE;
		next[LAST] = NONE;
		worker_has[0] = true;
		worker_has[LAST] = true;
		run worker();
		run engine(0);
		run engine(1);
		run end_of_all()
	}
}
