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
#include "pk_lane.h"
#include "ref_ipsec.h"

#define SOAK_LANES 4u		/* queue pairs with most of the traffic */
#define SOAK_PK_QP 0u		/* the queue pair with asymmetric operations */
#define SOAK_IPSEC_QP 1u	/* the queue pair with IPsec */
#define SOAK_FIRST_QP 2u	/* the first lane's */
#define SOAK_QUEUE_PAIRS (SOAK_FIRST_QP + SOAK_LANES)
#define SOAK_SESSIONS 24u	/* that a lane has at once */
#define SOAK_REST_MS 50u	/* most time that traffic rests after an error */
#define SOAK_STUCK_MS 120000u	/* nothing came back for so long: it hangs */
#define SOAK_SPANS 16u		/* ranges of memory that one operation changes */

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

/** A range of an item's memory that the operation changes, with guards around it. */
struct soak_span {
	uint32_t off, len;
	enum e2e_memory mem;
};

/** An operation with its memory. It is sent many times before it is built anew. */
struct soak_item {
	struct e2e_slot *slot;
	struct soak_span span[SOAK_SPANS];
	unsigned int nb_spans;		/* 0: not known yet, all memory is compared */
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
	struct soak_item *idle[E2E_SLOTS];	/* items that may be sent */
	unsigned int nb_idle, nb_kept;
	unsigned int most;		/* items that may be in flight now */
	uint64_t accepted, right, errors, built, sessions, bytes;
	uint64_t empty_ms;		/* since when nothing came back, or 0 */
	uint64_t rest_ms;		/* until when nothing is sent, or 0 */
};

/** Asymmetric operations. */
struct soak_pk {
	struct e2e t;			/* with the note of a failure */
	struct pk_keys keys;
	struct pk_lane lane;
	bool is_open;			/* the device has them */
	unsigned int rounds;
	uint64_t sent_ms, next_ms;
	uint64_t right, errors, blocks;	/* of the lives before */
};

#define SOAK_SAS 6u
#define SOAK_PACKETS 32u	/* of IPsec at once */
#define SOAK_PLAIN 1280u

/** An SA in both directions. */
struct soak_sa {
	struct ref_ipsec_sa ref;
	unsigned int suite;
	void *out, *in;			/* sessions */
	uint32_t sent;			/* number of the last packet that went out */
	bool out_gap;			/* the next one may have any later number */
	uint32_t next_in, received;	/* last number that was sent, and that was accepted */
};

struct soak_packet {
	struct rte_crypto_op *op;
	struct rte_mbuf *src, *dst;
	struct soak_sa *sa;
	unsigned int what;
	uint32_t number, len, plain_len;	/* len of the source */
	bool in_place;
	uint8_t plain[SOAK_PLAIN], image[2][SOAK_PLAIN];	/* of src and dst */
};

/** IPsec through rte_security. */
struct soak_ipsec {
	struct e2e t;			/* with the note of a failure */
	struct rte_mempool *sessions, *mbufs;
	struct soak_sa sa[SOAK_SAS];
	struct soak_packet packet[SOAK_PACKETS];
	unsigned int head, tail;	/* of those in flight */
	bool is_open;			/* the device has it */
	unsigned int rounds;
	uint64_t empty_ms, rest_ms, right, errors;
};

/** What the lanes share. */
struct soak {
	struct e2e base;		/* pools, device and random numbers of life.c */
	struct soak_lane lane[SOAK_LANES];
	struct soak_pk pk;
	struct soak_ipsec ipsec;
	unsigned int nb_lanes;		/* that this life uses */
	unsigned int empty_rounds;	/* in which nothing came back, in a row */
	bool lasting;			/* a fault goes on until it is cleared */
	bool calm;			/* nothing breaks in this life, so no error is right */
	bool may_fail;			/* something has broken in this life */
	uint64_t lives_qps;		/* queue pairs at the end of each life, summed up */
	uint64_t lives, calm_lives, starts, resets, set_ups, kills;
	uint64_t max_ops, end_ms;
	uint64_t max_life;		/* operations of one device */
	const struct soak_card *card;
	const char *devargs;		/* that all devices get, or NULL */
};

/** What may not grow from life to life. */
enum soak_resource {
	SOAK_HEAP,	/* bytes of DPDK's heaps in use */
	SOAK_BLOCKS,	/* blocks of them */
	SOAK_LIBC,	/* bytes of malloc() in use */
	SOAK_OBJECTS,	/* of memory pools, in use: sessions, operations, mbufs */
	SOAK_POOLS,	/* memory pools and memzones */
	SOAK_FDS,
	SOAK_MAPS,
	SOAK_THREADS,
	SOAK_RSS,	/* KiB; only shown */
	SOAK_RESOURCES
};

struct soak_flat {
	uint64_t n[SOAK_RESOURCES];
};

/* item.c. These return E2E_PASS, or E2E_FAIL with a note in the lane's t. */
int soak_item_init(struct soak_item *it, struct e2e_slot *slot);
/** Build an item with a random session, layout and contents. */
int soak_item_build(struct soak_lane *l, struct soak_item *it);
/** Judge an operation that came back. */
int soak_item_judge(struct soak_lane *l, struct soak_item *it, bool may_fail);
/** Take an item that was kept long enough back into use. */
int soak_item_release(struct soak_lane *l, struct soak_item *it);
/** Check that no byte of an item's memory has changed since it came back. */
int soak_item_untouched(struct soak_lane *l, struct soak_item *it);

/* lane.c */
int soak_lane_init(struct soak_lane *l, const struct e2e *base, unsigned int number);
/** Begin with a device: new sessions, new items. */
int soak_lane_begin(struct soak_lane *l, const struct e2e *base);
/** Look at all memory once more, and free the sessions. Nothing may be in flight. */
int soak_lane_end(struct soak_lane *l);
int soak_lane_send(struct soak_lane *l);
/** Dequeue and judge. The lane's empty_ms says whether something came back. */
int soak_lane_take(struct soak_lane *l, bool may_fail);
bool soak_lane_is_empty(const struct soak_lane *l);

/* pk.c */
/** Begin with a device: sessions, operations. It may have no asymmetric operations. */
int soak_pk_begin(struct soak_pk *p, const struct e2e *base);
/** Send or take some, if it is their turn. */
int soak_pk_step(struct soak_pk *p, bool may_fail);
/** Wait for all that is in flight. */
int soak_pk_drain(struct soak_pk *p, bool may_fail);
int soak_pk_end(struct soak_pk *p);

/* ipsec.c */
int soak_ipsec_init(struct soak_ipsec *p, const struct e2e *base);
/** Begin with a device, which may have no IPsec. */
int soak_ipsec_begin(struct soak_ipsec *p, const struct e2e *base);
int soak_ipsec_step(struct soak_ipsec *p, bool may_fail);
int soak_ipsec_drain(struct soak_ipsec *p, bool may_fail);
int soak_ipsec_end(struct soak_ipsec *p);

/* life.c */
/** Return the size of the driver's part of a session, or 0 if a device cannot be plugged. */
unsigned int soak_session_size(const struct soak *s);
/** Plug a device, let it work and break for a while, and unplug it. */
int soak_life(struct soak *s);
/** Print how often each fault was injected. */
void soak_life_print(const struct soak *s);
/** Symmetric operations of the lanes that have come back: the test's clock. */
uint64_t soak_done(const struct soak *s);
/** All operations that have come back, and those of them that have failed after something broke. */
uint64_t soak_all(const struct soak *s, uint64_t *errors);

/** What the library keeps for a device with one queue pair, and for one with most of them. */
struct soak_library {
	struct soak_flat device, most;
};

/* flat.c */
void soak_flat_measure(struct soak_flat *f);
/** Measure what the library itself keeps for each device, with crypto_null. Not with other devices
 * plugged. */
int soak_flat_library(struct soak_library *library);
/** Print what has grown over some lives with so many queue pairs in all, and say whether each
 * resource stays within its bound. */
bool soak_flat_judge(const struct soak_flat *before, const struct soak_library *library,
		     uint64_t lives, uint64_t qps);

#endif /* SOAK_H */
