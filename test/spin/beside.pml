/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The flag with which enqueue tells dequeue that the companion of a queue pair may have
 * operations (accel_asym_announce, accel_asym_rest). Dequeue looks at that queue pair only while
 * the flag is set.
 *
 * Checked: no operation is left there while the flag is not set.
 *
 * Code: asym/accel_asym.c, datapath/accel_dequeue.c.
 */
/*
 * MUTANT 1: accel_asym_announce() has no full fence
 * MUTANT 2: accel_asym_rest() has no full fence
 * MUTANT 3: accel_asym_rest() does not look at the operations again
 * MUTANT 4: accel_asym_announce() looks at the flag before the operations are published
 * MUTANT 5: accel_asym_announce() never sets the flag again
 */
#ifndef MUTANT
#define MUTANT 0
#endif

#define OPS 3

#define THREADS 2
#define E 0
#define D 1

#define PROD 0
#define BUSY 1
#define PLACES 2
#define LANDS(place, value) skip

#include "memory.h"

proctype enqueue()
{
	byte n, busy;

	do
	:: n == OPS -> break
	:: n < OPS ->
		n++;
#if MUTANT == 4
		load(E, BUSY, busy);
#endif
		store_release(E, PROD, n);
#if MUTANT != 1
		full_barrier(E);
#endif
#if MUTANT != 4
		load(E, BUSY, busy);
#endif
		if
		:: busy == 0 && (MUTANT != 5 || n == 1) -> store_release(E, BUSY, 1)
		:: else
		fi;
		busy = 0
	od
}

proctype dequeue()
{
	byte cons, prod;

	do
	:: cons == OPS -> break
	:: cons < OPS ->
		mem[BUSY] != 0 || (late[D] & BIT(BUSY)) != 0;
		load_acquire(D, PROD, prod);
		cons = prod; /* it gives back what there is */
		load_acquire(D, PROD, prod);
		if
		:: prod == cons ->
			store(D, BUSY, 0);
#if MUTANT != 2
			full_barrier(D);
#endif
#if MUTANT != 3
			load_acquire(D, PROD, prod);
			if
			:: prod != cons -> store_release(D, BUSY, 1)
			:: else
			fi
#endif
		:: else
		fi;
		prod = 0
	od
}

init {
	atomic {
		run bus(E);
		run bus(D);
		run ahead(E, BIT(BUSY));
		run ahead(D, BIT(PROD));
		run enqueue();
		run dequeue()
	}
}
