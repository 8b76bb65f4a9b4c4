/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory as on Arm, for the models of this folder. A store is late: others see it at some time
 * later, and two stores of one thread in any order. A load may be early: it may have the value of a
 * time before the loads in front of it. So a barrier that is left out shows.
 *
 * The model defines THREADS, PLACES (31 at most) and LANDS(place, value), which is carried out when
 * a store is seen by others. For each thread that stores it runs bus(), and for each thread that
 * loads several places ahead(). LATES has a bit for each thread whose stores may be late.
 */
#ifndef LATES
#define LATES 255
#endif
#define BIT(place) (1 << (place))
#define AT(thread, place) ((thread) * PLACES + (place))

byte mem[PLACES];
int late[THREADS]; /* the place with a store that others do not see yet */
byte late_value[THREADS * PLACES];
int early[THREADS]; /* places with a load that was done before its turn */
byte early_value[THREADS * PLACES];

/* A plain or relaxed store. One store of a thread is late at a time; others pass it. */
inline store(thread, place, value)
{
	d_step {
		early_value[AT(thread, place)] = 0;
		early[thread] = early[thread] & ~BIT(place);
		if
		:: (late[thread] & ~BIT(place)) == 0 && (LATES & BIT(thread)) != 0 ->
			late_value[AT(thread, place)] = value;
			late[thread] = BIT(place)
		:: else ->
			LANDS(place, value);
			mem[place] = value
		fi
	}
}

/* A plain or relaxed load. */
inline load(thread, place, to)
{
	d_step {
		if
		:: (late[thread] & BIT(place)) != 0 ->
			to = late_value[AT(thread, place)]
		:: (late[thread] & BIT(place)) == 0 && (early[thread] & BIT(place)) != 0 ->
			to = early_value[AT(thread, place)];
			early_value[AT(thread, place)] = 0;
			early[thread] = early[thread] & ~BIT(place)
		:: else ->
			to = mem[place]
		fi
	}
}

/* All stores before it are seen before those after it. */
inline write_barrier(thread)
{
	late[thread] == 0
}

/* Loads after it are not done before it. At most one load is early at a time. */
inline read_barrier(thread)
{
	d_step {
		byte_ = 0;
		do
		:: byte_ < PLACES ->
			early_value[AT(thread, byte_)] = 0;
			byte_++
		:: else -> break
		od;
		byte_ = 0;
		early[thread] = 0
	}
}

hidden byte byte_;

inline store_release(thread, place, value)
{
	write_barrier(thread);
	store(thread, place, value)
}

inline load_acquire(thread, place, to)
{
	load(thread, place, to);
	read_barrier(thread)
}

/* Sequentially consistent: neither stores before it nor loads after it pass it. */
inline full_barrier(thread)
{
	write_barrier(thread);
	read_barrier(thread)
}

/* Lets others see the stores of a thread. */
proctype bus(byte thread)
{
	byte at;

end:
	do
	:: d_step {
		late[thread] != 0 ->
		do
		:: late[thread] == BIT(at) -> break
		:: else -> at++
		od;
		LANDS(at, late_value[AT(thread, at)]);
		mem[at] = late_value[AT(thread, at)];
		late_value[AT(thread, at)] = 0;
		late[thread] = 0;
		at = 0
	}
	od
}

/* Does loads of a thread ahead of their turn, one at a time. */
proctype ahead(byte thread; int places)
{
	byte at;

end:
	do
	:: atomic {
		early[thread] == 0 && (places & ~late[thread]) != 0 ->
		do
		:: (places & ~late[thread] & BIT(at)) != 0 ->
			early_value[AT(thread, at)] = mem[at];
			early[thread] = BIT(at);
			break
		:: ((places & ~late[thread]) >> (at + 1)) != 0 ->
			at++
		od;
		at = 0
	}
	od
}
