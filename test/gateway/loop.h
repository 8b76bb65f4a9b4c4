/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * A closed loop of packets through a gateway, and what is counted there. loop.c has the packets and
 * the plan of windows, loop_port.c shows both ends of the loop to the gateway as two ethdev ports.
 */

#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

#define LOOP_PACKETS 512u /* packets that circulate; fewer than the descriptors of a queue pair */
#define LOOP_WINDOWS 64u

/** The two ends: plain packets go in and come out at the first, ESP at the second. */
enum loop_end { LOOP_PLAIN, LOOP_WIRE, LOOP_ENDS };

/** What circulates in one window. */
struct loop_window {
	uint32_t dst;  /* IPv4 destination, which decides about the SA; host byte order */
	uint32_t size; /* bytes of the inner packet with its IP header */
};

/** The plan of a run. */
struct loop_plan {
	struct loop_window window[LOOP_WINDOWS];
	unsigned int nb_windows;
	unsigned int warm_ms; /* before a window is measured */
	unsigned int ms;      /* length of a window, or 0 */
	uint64_t packets;     /* length of a window without ms: packets that the gateway forwards */
	bool refill;	      /* replace lost packets, so that the gateway always has some */
	bool full;	      /* hand packets out only as many at once as the gateway asks for */
	uint64_t gap_ns;      /* between two bursts of plain packets, or 0: the gateway decides */
};

/**
 * Read the windows of a plan.
 *
 * @param text "DESTINATION/SIZE" or several of them with "+" between.
 * @return 0, or -1 if the text has another form or a packet has no room for its headers.
 */
int loop_parse(const char *text, struct loop_plan *plan);

/** Begin with a plan. The packets come from @p pool and are made when the gateway first polls. */
void loop_begin(const struct loop_plan *plan, struct rte_mempool *pool);

/** The gateway polls an end: hand out packets. Returns their number. */
uint16_t loop_rx(enum loop_end end, struct rte_mbuf **pkts, uint16_t nb_pkts);

/** The gateway sends at an end. Returns the number of packets taken. */
uint16_t loop_tx(enum loop_end end, struct rte_mbuf **pkts, uint16_t nb_pkts);

/** The gateway got operations from a crypto device: this turn of its main loop was not idle. */
void loop_dequeued(uint16_t nb_ops);

#endif /* LOOP_H */
