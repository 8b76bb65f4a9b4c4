/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The packets of the closed loop. A packet goes into the gateway as plain text, comes out at the
 * other end in ESP, is handed back there as received, and is plain text again at the first end. So
 * the gateway encrypts and decrypts each packet in turn, and what it loses is missing at the end of
 * a window. All functions run on the gateway's only lcore.
 */

#include <arpa/inet.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf_ptype.h>
#include <rte_udp.h>

#include "loop.h"

#define FIFO_SIZE 1024u /* a power of two, more than LOOP_PACKETS */
#define IDS 65536u	/* numbers of the packets of a window, as in the IP header */
/* Lost packets are replaced slowly, so that the numbers last for an outage of 20 seconds. */
#define REFILL_MS 10
#define REFILL_BURST 32u
#define GIVE_UP_S 20	/* after which a gateway that forwards nothing counts as broken */
#define TURN_MAX_US 500u /* of the gateway's main loop; one with much work takes 200 */
#define HEADERS (sizeof(struct rte_ipv4_hdr) + sizeof(struct rte_udp_hdr))
#define SOURCE RTE_IPV4(192, 168, 1, 1)
#define PLAIN_TYPE (RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_UDP)
#define WIRE_TYPE (RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_TUNNEL_ESP)

struct fifo {
	struct rte_mbuf *pkt[FIFO_SIZE];
	uint32_t head, tail; /* free-running */
};

enum state { IDLE, FILL, WARM, MEASURE, DRAIN, DONE };

static struct {
	struct loop_plan plan;
	struct rte_mempool *pool;
	struct fifo fifo[LOOP_ENDS];
	enum state state;
	unsigned int window; /* index */
	bool worked;	     /* in this turn of the gateway's main loop */
	uint64_t turn;	     /* when it began */
	uint64_t until;	     /* end of WARM, MEASURE or DRAIN */
	unsigned int made;   /* packets of this window */
	uint64_t refill;     /* time of the next look for lost packets */
	unsigned int clear;  /* packets of this window in plain text where ESP should be */
	uint64_t next;	     /* when the plain end may hand out packets */
	uint64_t gap;	     /* plan.gap_ns in cycles */
	uint64_t begin;	     /* of MEASURE */
	/* In MEASURE count goes on; result is what it was at the end. */
	struct counters {
		uint64_t sent; /* packets that the gateway has forwarded, in both directions */
		uint64_t cycles; /* set at the end */
		uint64_t busy; /* cycles of turns with work */
		uint64_t received; /* packets from the ports */
		uint64_t rx_bursts; /* polls that got some */
		uint64_t operations; /* from the crypto device */
		uint64_t dequeues; /* calls that got some */
	} count, result;
} loop;

int
loop_parse(const char *text, struct loop_plan *plan)
{
	char dst[INET_ADDRSTRLEN];
	struct in_addr addr;
	unsigned int size;
	int used;

	for (plan->nb_windows = 0; plan->nb_windows < LOOP_WINDOWS; text++) {
		if (sscanf(text, "%15[0-9.]/%u%n", dst, &size, &used) != 2 ||
		    inet_pton(AF_INET, dst, &addr) != 1 || size < HEADERS || size > 1500)
			return -1;
		plan->window[plan->nb_windows].dst = ntohl(addr.s_addr);
		plan->window[plan->nb_windows++].size = size;
		text += used;
		if (*text != '+')
			return *text == '\0' ? 0 : -1;
	}
	return -1;
}

void
loop_begin(const struct loop_plan *plan, struct rte_mempool *pool)
{
	loop.plan = *plan;
	loop.pool = pool;
	loop.state = FILL;
	loop.gap = plan->gap_ns * rte_get_tsc_hz() / 1000000000;
}

void
loop_dequeued(uint16_t nb_ops)
{
	loop.worked = true;
	loop.count.operations += nb_ops;
	loop.count.dequeues++;
}

static uint32_t
fifo_count(const struct fifo *f)
{
	return f->tail - f->head;
}

/* The byte of a payload at a place, in packet number n. */
static uint8_t
pattern(unsigned int n, unsigned int place)
{
	return (uint8_t)(n * 7 + place * 13 + (place >> 8));
}

static void
write_packet(uint8_t *frame, const struct loop_window *w, unsigned int n)
{
	struct rte_ether_hdr *eth = (struct rte_ether_hdr *)frame;
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(eth + 1);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);
	unsigned int i;

	memset(frame, 0, sizeof(*eth) + HEADERS);
	eth->ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	ip->version_ihl = RTE_IPV4_VHL_DEF;
	ip->total_length = rte_cpu_to_be_16((uint16_t)w->size);
	ip->packet_id = rte_cpu_to_be_16((uint16_t)n);
	ip->time_to_live = 64;
	ip->next_proto_id = IPPROTO_UDP;
	ip->src_addr = rte_cpu_to_be_32(SOURCE);
	ip->dst_addr = rte_cpu_to_be_32(w->dst);
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	udp->src_port = rte_cpu_to_be_16(1000);
	udp->dst_port = rte_cpu_to_be_16(2000);
	udp->dgram_len = rte_cpu_to_be_16((uint16_t)(w->size - sizeof(*ip)));
	for (i = HEADERS; i < w->size; i++)
		frame[sizeof(*eth) + i] = pattern(n, i);
}

/*
 * Is this packet still what write_packet() wrote? The gateway lowers the TTL each time, beyond
 * 0 too. The packet's number stands in its IP header.
 */
static bool
intact(struct rte_mbuf *m, const struct loop_window *w)
{
	uint8_t want[RTE_ETHER_HDR_LEN + 1500], *want_ip = want + RTE_ETHER_HDR_LEN;
	uint8_t *got = rte_pktmbuf_mtod(m, uint8_t *) + RTE_ETHER_HDR_LEN;
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)got;
	struct rte_ipv4_hdr *expected = (struct rte_ipv4_hdr *)want_ip;
	uint16_t sum = ip->hdr_checksum;

	if (m->nb_segs != 1 || m->data_len != RTE_ETHER_HDR_LEN + w->size)
		return false;
	write_packet(want, w, rte_be_to_cpu_16(ip->packet_id));
	ip->hdr_checksum = 0;
	if (rte_ipv4_cksum(ip) != sum && !(sum == 0 || sum == UINT16_MAX))
		return false;
	expected->hdr_checksum = 0;
	expected->time_to_live = ip->time_to_live;
	return memcmp(got, want_ip, w->size) == 0;
}

static void
fill(const struct loop_window *w, unsigned int nb)
{
	struct fifo *f = &loop.fifo[LOOP_PLAIN];
	struct rte_mbuf *m;

	for (; nb != 0 && loop.made < IDS; nb--, loop.made++) {
		m = rte_pktmbuf_alloc(loop.pool);
		if (m == NULL)
			continue; /* counts as lost */
		write_packet((uint8_t *)rte_pktmbuf_append(m, RTE_ETHER_HDR_LEN + w->size), w,
			     loop.made);
		f->pkt[f->tail++ % FIFO_SIZE] = m;
	}
}

/* Replaces packets that the gateway has dropped. The pool has no other users. */
static void
refill(const struct loop_window *w, uint64_t now)
{
	unsigned int used;

	if (!loop.plan.refill || now < loop.refill)
		return;
	loop.refill = now + REFILL_MS * (rte_get_tsc_hz() / 1000);
	used = rte_mempool_in_use_count(loop.pool);
	if (used < LOOP_PACKETS)
		fill(w, RTE_MIN(LOOP_PACKETS - used, REFILL_BURST));
}

/* Says what was counted. All packets are at the plain end, or freed. */
static void
report(const struct loop_window *w)
{
	struct fifo *f = &loop.fifo[LOOP_PLAIN];
	unsigned int lost = loop.made - fifo_count(f), bad = loop.clear;
	const struct counters *c = &loop.result;
	static bool seen[IDS];
	struct rte_mbuf *m;
	uint16_t id;

	memset(seen, 0, sizeof(seen));
	while (fifo_count(f) != 0) {
		m = f->pkt[f->head++ % FIFO_SIZE];
		id = rte_be_to_cpu_16(rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *,
							      RTE_ETHER_HDR_LEN)->packet_id);
		if (id >= loop.made || seen[id] || !intact(m, w))
			bad++;
		else
			seen[id] = true;
		rte_pktmbuf_free(m);
	}
	printf("loop: window %u size %u forwarded %" PRIu64 " cycles %" PRIu64 " busy %" PRIu64
	       " hz %" PRIu64 " received %" PRIu64 " rx_bursts %" PRIu64 " operations %" PRIu64
	       " dequeues %" PRIu64 " lost %u bad %u\n",
	       loop.window, w->size, c->sent, c->cycles, c->busy, rte_get_tsc_hz(), c->received,
	       c->rx_bursts, c->operations, c->dequeues, lost, bad);
	fflush(stdout);
}

static bool
is_esp(const struct rte_mbuf *m)
{
	return rte_pktmbuf_mtod_offset(m, const struct rte_ipv4_hdr *, RTE_ETHER_HDR_LEN)
		       ->next_proto_id == IPPROTO_ESP;
}

static bool
measured(uint64_t now)
{
	if (now >= loop.until)
		return true;
	return loop.plan.ms == 0 && loop.count.sent >= loop.plan.packets;
}

/* Are all packets back that are still allocated? The pool has no other users. */
static bool
drained(uint64_t now)
{
	const uint32_t back = fifo_count(&loop.fifo[LOOP_PLAIN]);

	if (back == LOOP_PACKETS || now >= loop.until)
		return true;
	return fifo_count(&loop.fifo[LOOP_WIRE]) == 0 &&
	       back == rte_mempool_in_use_count(loop.pool);
}

/*
 * Begins to measure. tools/py/gateway/gateway_cost.py has valgrind write its counts when this
 * function or window_ends() is called, so both have to be there by name.
 */
static __rte_noinline void
window_begins(uint64_t now)
{
	loop.state = MEASURE;
	loop.begin = now;
	memset(&loop.count, 0, sizeof(loop.count));
	/* Without a time the window ends by packets. If all are lost it ends without them. */
	loop.until = now + (loop.plan.ms != 0 ? loop.plan.ms : GIVE_UP_S * 1000) *
				   (rte_get_tsc_hz() / 1000);
}

static __rte_noinline void
window_ends(uint64_t now)
{
	loop.result = loop.count;
	loop.result.cycles = now - loop.begin;
	loop.state = DRAIN;
	loop.until = now + GIVE_UP_S * rte_get_tsc_hz();
}

/* Goes on in the plan. */
static void
step(uint64_t now)
{
	const struct loop_window *w = &loop.plan.window[loop.window];

	switch (loop.state) {
	case FILL:
		loop.made = 0;
		fill(w, LOOP_PACKETS);
		loop.clear = 0;
		loop.state = WARM;
		loop.until = now + loop.plan.warm_ms * (rte_get_tsc_hz() / 1000);
		break;
	case WARM:
		if (now >= loop.until)
			window_begins(now);
		break;
	case MEASURE:
		if (!measured(now)) {
			refill(w, now);
			break;
		}
		window_ends(now);
		break;
	case DRAIN:
		if (!drained(now))
			break;
		report(w);
		loop.window++;
		loop.state = loop.window < loop.plan.nb_windows ? FILL : DONE;
		if (loop.state == DONE) /* The gateway ends as when a user types Ctrl-C. */
			kill(getpid(), SIGINT);
		break;
	case IDLE:
	case DONE:
		break;
	}
}

/* Counts a turn with work. In a very long one another program had the CPU. */
static void
count_turn(uint64_t cycles)
{
	if (cycles <= rte_get_tsc_hz() / 1000000 * TURN_MAX_US)
		loop.count.busy += cycles;
}

/* Has an end to wait before it hands out packets? At the end of a window all come home. */
static bool
is_early(enum loop_end end, uint16_t nb_pkts)
{
	if (loop.state == DRAIN)
		return false;
	if (loop.plan.full && fifo_count(&loop.fifo[end]) < nb_pkts)
		return true;
	if (loop.gap == 0 || end != LOOP_PLAIN)
		return false;
	if (loop.turn < loop.next)
		return true;
	/* The gateway has nothing to catch up on if it came late. */
	loop.next = RTE_MAX(loop.next + loop.gap, loop.turn);
	return false;
}

uint16_t
loop_rx(enum loop_end end, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct fifo *f = &loop.fifo[end];
	uint64_t now;
	uint16_t n;

	/* The gateway polls this end once in each turn of its main loop. */
	if (end == LOOP_PLAIN) {
		now = rte_rdtsc();
		if (loop.worked)
			count_turn(now - loop.turn);
		loop.worked = false;
		loop.turn = now;
		step(now);
		if (loop.state == DRAIN)
			return 0;
	}
	if (is_early(end, nb_pkts))
		return 0;
	for (n = 0; n < nb_pkts && f->head != f->tail; n++) {
		pkts[n] = f->pkt[f->head++ % FIFO_SIZE];
		pkts[n]->ol_flags = RTE_MBUF_F_RX_IP_CKSUM_GOOD;
		pkts[n]->packet_type = end == LOOP_WIRE ? WIRE_TYPE : PLAIN_TYPE;
	}
	if (n != 0) {
		loop.worked = true;
		loop.count.received += n;
		loop.count.rx_bursts++;
	}
	return n;
}

uint16_t
loop_tx(enum loop_end end, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct fifo *f = &loop.fifo[end];
	uint16_t n;

	for (n = 0; n < nb_pkts && fifo_count(f) < FIFO_SIZE; n++) {
		loop.clear += end == LOOP_WIRE && !is_esp(pkts[n]);
		f->pkt[f->tail++ % FIFO_SIZE] = pkts[n];
	}
	loop.count.sent += n;
	loop.worked |= n != 0;
	return n;
}
