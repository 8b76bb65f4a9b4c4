/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Declares what the files of the soak test share. The test sends random operations to the embedded
 * device for hours. main.c has the options and the verdict, life.c plugs a device, breaks it in
 * many ways and unplugs it, lane.c sends the operations of one queue pair, item.c builds and judges
 * one operation, and flat.c measures what must not grow. Algorithms, layouts and the reference come
 * from the end-to-end test (../e2e).
 */

#ifndef SOAK_H
#define SOAK_H

#include "e2e.h"

#define SOAK_LANES 4u		/* queue pairs with traffic */
#define SOAK_SESSIONS 24u	/* that a lane has at once */
#define SOAK_STUCK_MS 120000u	/* nothing came back for so long: it hangs */

/** A session, and how many items use it. */
struct soak_session {
	struct e2e_session *ses;
	unsigned int users;
};

enum soak_place {
	SOAK_IDLE,	/* may be sent */
	SOAK_FLIGHT,	/* accepted, and not come back yet */
	SOAK_KEPT,	/* given back with an error; nobody may write to its memory */
};

/** An operation with its memory. It is sent many times before it is built anew. */
struct soak_item {
	struct e2e_slot *slot;
	struct soak_session *session;
	struct e2e_session sessionless;	/* what a sessionless operation does */
	struct rte_crypto_sym_xform xf[2];
	uint8_t *input[E2E_MEMS];	/* contents before the operation */
	uint8_t *given_back[E2E_MEMS];	/* contents when it was given back with an error */
	enum soak_place place;
	unsigned int uses;		/* left before it is built anew */
	uint64_t keep_until;		/* count of the lane's operations */
};

/** The traffic of one queue pair. */
struct soak_lane {
	struct e2e t;			/* for the functions of the end-to-end test */
	uint16_t qp;
	struct soak_item item[E2E_SLOTS];
	struct soak_session session[SOAK_SESSIONS];
	struct soak_item *fifo[E2E_SLOTS];	/* items in flight, in the order of enqueue */
	unsigned int head, tail;
	unsigned int most;		/* items that may be in flight now */
	uint64_t accepted, right, errors, built, sessions;
	uint64_t last_ms;		/* when an operation came back */
};

/** What the lanes share. */
struct soak {
	struct e2e base;		/* pools, device and random numbers of life.c */
	struct soak_lane lane[SOAK_LANES];
	unsigned int nb_lanes;		/* queue pairs of this life */
	bool may_fail;			/* a fault was injected in this life */
	uint64_t lives, starts, resets, set_ups, kills;
	uint64_t max_ops, end_ms;
	const struct soak_card *card;
	const char *devargs;		/* that all devices get, or NULL */
};

/** What has to be the same after each life. */
struct soak_flat {
	uint64_t heap;			/* bytes of DPDK's heaps that are in use */
	uint64_t fds, maps, rss_kb;
};

/* item.c. These return E2E_PASS, or E2E_FAIL with a note in the lane's t. */
int soak_item_init(struct soak_item *it, struct e2e_slot *slot);
/** Build an item with a random session, layout and contents. */
int soak_item_build(struct soak_lane *l, struct soak_item *it);
/** Judge an operation that came back. */
int soak_item_judge(struct soak_lane *l, struct soak_item *it, bool may_fail);
/** Take an item that was kept long enough back into use. */
int soak_item_release(struct soak_lane *l, struct soak_item *it);

/* lane.c */
int soak_lane_init(struct soak_lane *l, const struct e2e *base, unsigned int number);
/** Begin with a device: new sessions, new items. */
int soak_lane_begin(struct soak_lane *l, const struct e2e *base);
/** Free the sessions. Nothing may be in flight. */
void soak_lane_end(struct soak_lane *l);
int soak_lane_send(struct soak_lane *l);
int soak_lane_take(struct soak_lane *l, bool may_fail);
bool soak_lane_is_empty(const struct soak_lane *l);

/* life.c */
/** Return the size of the driver's part of a session, or 0 if a device cannot be plugged. */
unsigned int soak_session_size(const struct soak *s);
/** Plug a device, let it work and break for a while, and unplug it. */
int soak_life(struct soak *s);
/** Print how often each fault was injected. */
void soak_life_print(const struct soak *s);
uint64_t soak_done(const struct soak *s);

/* flat.c */
void soak_flat_measure(struct soak_flat *f);
/** Return the bytes of heap that the library itself keeps for each plug, with crypto_null, or
 * UINT64_MAX if that driver is missing. */
uint64_t soak_flat_library(const struct e2e *t);

#endif /* SOAK_H */
