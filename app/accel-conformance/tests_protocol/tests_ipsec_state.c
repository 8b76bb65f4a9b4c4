/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the state of an SA: several queue pairs, resets, a new generation, places that cannot be
 * reached, and limits (manual 8.6, State and Limits).
 */
#include <stdio.h>
#include <string.h>

#include "reference/ipsec.h"
#include "tests_protocol.h"

#define TUNNEL ACCEL_HW_IPSEC_TUNNEL
#define QUEUES 4u
#define EACH QUEUE_BURST /* requests of a queue pair in a burst */

/* Start the queue pairs that the card has, at most QUEUES. @return their number; 0: the test has
 * failed. */
static unsigned int
open_all(struct card *c, struct queue *q)
{
	unsigned int nb = c->tree.nb_qps < QUEUES ? c->tree.nb_qps : QUEUES;

	for (unsigned int i = 0; i < nb; i++) {
		if (!queue_open_wide(&q[i], c, i))
			return 0;
	}
	return nb;
}

static void
stop_all(struct queue *q, unsigned int nb)
{
	for (unsigned int i = 0; i < nb; i++) {
		if (!queue_stop(&q[i], ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Return the sequence number of an ESP packet in a tunnel of IPv4. */
static uint32_t
number_at(const struct card *c, uint64_t iova)
{
	uint8_t b[4];

	memory_read(&c->memory, iova + 24, b, sizeof(b));
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Check that the number of an operation is new, and above the numbers before it in its queue
 * pair. */
static bool
check_number(struct card *c, uint32_t number, uint32_t *before, bool *taken, uint32_t most)
{
	ENSURE(c, number >= 1 && number <= most, "number %u of %u packets", number, most);
	ENSURE(c, !taken[number], "number %u was taken twice", number);
	ENSURE(c, number > *before, "number %u after %u in one queue pair", number, *before);
	taken[number] = true;
	*before = number;
	return true;
}

/* Post a burst of packets to each queue pair before any is waited for. */
static bool
burst_out(struct queue *q, unsigned int nb, const struct sa *s, struct request (*r)[EACH])
{
	struct card *c = q[0].card;
	uint8_t in[IPSEC_ROOM], out[IPSEC_ROOM];
	uint32_t len = packet_v4(in, 16), n = packet_send(s, 1, in, len, out);

	for (unsigned int i = 0; i < EACH; i++) {
		for (unsigned int j = 0; j < nb; j++) {
			sa_request(c, &r[j][i], s, in, len, n);
			memory_set(&c->memory, r[j][i].out[0].iova, 0, 1); /* no packet yet */
			r[j][i].produced = n;
			request_post(&q[j], &r[j][i]);
			if (i % 7 == j || i + 1 == EACH)
				queue_doorbell(&q[j]);
		}
	}
	return true;
}

static void
outbound_numbers(struct card *c)
{
	static struct request r[QUEUES][EACH];
	static bool taken[10 * QUEUES * EACH + 1];
	uint32_t before[QUEUES] = { 0 };
	struct queue q[QUEUES];
	unsigned int nb;
	struct sa s;

	sa_null(&s, true, TUNNEL);
	if (!sa_there(c, &s))
		return;
	memset(taken, 0, sizeof(taken));
	sa_store(c, &s);
	nb = open_all(c, q);
	for (unsigned int round = 0; nb > 0 && round < 10; round++) {
		const uint64_t used = c->memory.part[MEMORY_LOW].used;
		const uint32_t most = (round + 1) * nb * EACH;

		burst_out(q, nb, &s, r);
		for (unsigned int j = 0; j < nb; j++) {
			for (unsigned int i = 0; i < EACH; i++) {
				if (!request_finish(&q[j], &r[j][i]) ||
				    !check_number(c, number_at(c, r[j][i].out[0].iova), &before[j],
						  taken, most))
					return;
			}
		}
		sa_state(c, &s);
		CHECK(c, s.x.state.sequence == most && s.x.state.packets == most &&
		      s.x.state.bytes == most * 44ull,
		      "sequence %llu, packets %llu, bytes %llu after %u packets of 44 bytes",
		      (unsigned long long)s.x.state.sequence,
		      (unsigned long long)s.x.state.packets, (unsigned long long)s.x.state.bytes,
		      most);
		c->memory.part[MEMORY_LOW].used = used;
	}
	stop_all(q, nb);
}

/* Take a response that is OK or REPLAY. @return the status, or -1: the test has failed. */
static int
either(struct queue *q, const struct request *r, uint32_t len)
{
	struct card *c = q->card;
	struct accel_hw_response rsp;

	if (!queue_response(q, &rsp))
		return -1;
	q->hdp[QUEUE_TX] = r->end[QUEUE_TX];
	q->hdp[QUEUE_RX] = r->end[QUEUE_RX];
	q->bytes_in += r->in[0].len;
	q->bytes_out += rsp.produced;
	memory_take(&c->memory, r->out[0].iova, r->out[0].len); /* found late, it may be written */
	if (rsp.tag == r->cmd.tag && rsp.produced == (rsp.status == ACCEL_HW_OK ? len : 0) &&
	    (rsp.status == ACCEL_HW_OK || rsp.status == ACCEL_HW_REPLAY))
		return rsp.status;
	result_fail(&c->result, "tag %#x, status %u, produced %u, wanted %#x, OK or REPLAY",
		    rsp.tag, rsp.status, rsp.produced, r->cmd.tag);
	return -1;
}

/* Give all queue pairs packets with equal numbers at once, and check that each number is accepted
 * once. */
static bool
same_numbers(struct queue *q, unsigned int nb, struct sa *s, uint32_t first)
{
	static struct request r[QUEUES][EACH];
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	unsigned int accepted[EACH] = { 0 };
	struct card *c = q[0].card;
	uint32_t len = packet_v4(plain, 16);

	for (unsigned int j = 0; j < nb; j++) {
		for (unsigned int i = 0; i < EACH; i++) {
			uint32_t n = packet_send(s, first + i, plain, len, packet);

			sa_request(c, &r[j][i], s, packet, n, n);
			request_post(&q[j], &r[j][i]);
		}
	}
	for (unsigned int j = 0; j < nb; j++)
		queue_doorbell(&q[j]);
	for (unsigned int j = 0; j < nb; j++) {
		for (unsigned int i = 0; i < EACH; i++) {
			int status = either(&q[j], &r[j][i], len);

			if (status < 0)
				return false;
			accepted[i] += status == ACCEL_HW_OK;
		}
	}
	for (unsigned int i = 0; i < EACH; i++)
		ENSURE(c, accepted[i] == 1, "number %u was accepted %u times by %u queue pairs",
		       first + i, accepted[i], nb);
	return true;
}

static void
inbound_numbers(struct card *c)
{
	struct queue q[QUEUES];
	unsigned int nb;
	struct sa s;

	sa_hmac(&s, false, TUNNEL);
	s.x.ipsec.replay_window = 128;
	if (!sa_there(c, &s))
		return;
	sa_store(c, &s);
	nb = open_all(c, q);
	for (unsigned int round = 0; nb > 0 && round < 10; round++) {
		const uint64_t used = c->memory.part[MEMORY_LOW].used;

		if (!same_numbers(q, nb, &s, 1 + round * EACH))
			return;
		sa_state(c, &s);
		CHECK(c, s.x.state.packets == (round + 1) * EACH &&
		      s.x.state.sequence == (round + 1) * EACH &&
		      s.x.state.replay_errors == (round + 1) * EACH * (nb - 1),
		      "packets %llu, sequence %llu, replay_errors %llu",
		      (unsigned long long)s.x.state.packets,
		      (unsigned long long)s.x.state.sequence,
		      (unsigned long long)s.x.state.replay_errors);
		c->memory.part[MEMORY_LOW].used = used;
	}
	stop_all(q, nb);
}

/* Run a burst in one queue pair with one packet many times, and check that the first one is
 * taken. */
static void
in_order(struct card *c)
{
	static struct request r[EACH];
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = packet_v4(plain, 16), n;
	struct queue q;
	struct sa s;

	sa_hmac(&s, false, TUNNEL);
	s.x.ipsec.replay_window = 32;
	if (!sa_there(c, &s) || !queue_open_wide(&q, c, 0))
		return;
	sa_store(c, &s);
	for (unsigned int i = 0; i < EACH; i++) { /* 40, 1, 40, 2, and so on */
		const uint32_t number = i % 2 == 0 ? 40 : i / 2 + 1;
		const bool good = i == 0 || (number > 8 && number < 40);

		n = packet_send(&s, number, plain, len, packet);
		sa_request(c, &r[i], &s, packet, n, n);
		r[i].status = good ? ACCEL_HW_OK : ACCEL_HW_REPLAY;
		r[i].produced = r[i].status == ACCEL_HW_OK ? len : 0;
		r[i].output = plain;
		r[i].dirty = r[i].status != ACCEL_HW_OK;
		request_post(&q, &r[i]);
	}
	queue_doorbell(&q);
	for (unsigned int i = 0; i < EACH; i++) {
		result_note(&c->result, "request %u", i);
		if (!request_finish(&q, &r[i]))
			return;
	}
	sa_state(c, &s);
	CHECK(c, s.x.state.sequence == 40 && s.x.state.packets == 8, "sequence %llu, packets %llu",
	      (unsigned long long)s.x.state.sequence, (unsigned long long)s.x.state.packets);
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check the whole state after each response. */
static void
after_each_response(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	struct accel_hw_ipsec_state wanted;
	struct queue q;
	struct sa s;

	sa_hmac(&s, false, TUNNEL);
	s.x.ipsec.replay_window = 64;
	s.x.state.iv_count = 0x0123456789abcdef;
	s.x.state.packets = UINT64_C(0xfffffffe);
	s.x.state.bytes = UINT64_C(0xffffffffff);
	if (!sa_open(&s, &q, c))
		return;
	wanted = s.x.state;
	for (unsigned int i = 0; i < 60; i++) {
		const uint16_t status = i % 4 == 1 ? ACCEL_HW_AUTH_FAILED :
					i % 4 == 2 ? ACCEL_HW_REPLAY :
					i % 4 == 3 ? ACCEL_HW_MISMATCH : ACCEL_HW_OK;
		uint32_t len = packet_v4(plain, 2 * i), number = 1 + i / 4, n;

		n = packet_send(&s, i % 4 == 1 ? number + 1 : number, plain, len, packet);
		packet[n - 1] ^= i % 4 == 1;
		packet[23] ^= i % 4 == 3;
		if (!sa_run(&q, &s, packet, n, plain, len, status))
			return;
		sa_state(c, &s);
		wanted.sequence = number;
		wanted.window[0] |= UINT64_C(1) << number % 64;
		wanted.packets += status == ACCEL_HW_OK;
		wanted.bytes += status == ACCEL_HW_OK ? len : 0;
		wanted.errors += status != ACCEL_HW_OK;
		wanted.auth_errors += status == ACCEL_HW_AUTH_FAILED;
		wanted.replay_errors += status == ACCEL_HW_REPLAY;
		result_note(&c->result, "packet %u with status %u: sequence %llu, packets %llu, "
			    "bytes %llu, errors %llu, auth_errors %llu, replay_errors %llu", i,
			    status, (unsigned long long)s.x.state.sequence,
			    (unsigned long long)s.x.state.packets,
			    (unsigned long long)s.x.state.bytes,
			    (unsigned long long)s.x.state.errors,
			    (unsigned long long)s.x.state.auth_errors,
			    (unsigned long long)s.x.state.replay_errors);
		CHECK(c, memcmp(&wanted, &s.x.state, sizeof(wanted)) == 0,
		      "the state is not as it should be after packet %u", i);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run one packet with the next number, on a queue pair that was made anew. */
static bool
next_number(struct card *c, struct sa *s, uint64_t number)
{
	uint8_t in[IPSEC_ROOM], out[IPSEC_ROOM];
	uint32_t len = packet_v4(in, 12), n = packet_send(s, number, in, len, out);
	struct queue q;

	queue_init(&q, c, 0);
	if (!queue_start(&q) || !sa_run(&q, s, in, len, out, n, ACCEL_HW_OK))
		return false;
	sa_state(c, s);
	ENSURE(c, s->x.state.sequence == number, "sequence %llu, wanted %llu",
	       (unsigned long long)s->x.state.sequence, (unsigned long long)number);
	return queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that numbers go on over STOP, reset and FLR. */
static void
over_resets(struct card *c)
{
	struct sa s;

	sa_hmac(&s, true, TUNNEL);
	if (!sa_there(c, &s))
		return;
	s.x.state.sequence = 1000;
	sa_store(c, &s);
	for (unsigned int i = 0; i < 12; i++) {
		result_note(&c->result, "after %s", i == 0 ? "nothing" : i % 3 == 1 ? "STOP" :
			    i % 3 == 2 ? "a reset" : "FLR");
		if (!next_number(c, &s, 1001 + i))
			return;
		if (i % 3 == 1)
			CHECK(c, card_reset(c), "RESET_REQ is not echoed");
		else if (i % 3 == 2)
			CHECK(c, card_flr(c), "the function is not ready after FLR");
		sa_state(c, &s);
		CHECK(c, s.x.state.sequence == 1001 + i && s.x.state.packets == 1 + i,
		      "sequence %llu, packets %llu", (unsigned long long)s.x.state.sequence,
		      (unsigned long long)s.x.state.packets);
	}
}

/* Return the highest number in the result frames that have a packet. */
static uint32_t
highest_sent(struct card *c, struct request (*r)[EACH], unsigned int nb)
{
	uint32_t highest = 0;

	for (unsigned int j = 0; j < nb; j++) {
		for (unsigned int i = 0; i < EACH; i++) {
			const uint64_t at = r[j][i].out[0].iova;
			uint8_t first[2];
			uint32_t number;

			memory_read(&c->memory, at, first, 2);
			memory_take(&c->memory, at, r[j][i].out[0].len);
			if (first[0] != 0x45)
				continue;
			number = number_at(c, at);
			highest = number > highest ? number : highest;
		}
	}
	return highest;
}

/* Write STOP with discard, or reset, in the middle of bursts, and check that numbers that were sent
 * are not sent again. */
static bool
interrupted(struct card *c, struct queue *q, struct sa *s, unsigned int how)
{
	static struct request r[QUEUES][EACH];
	unsigned int nb = open_all(c, q);
	uint32_t sent;

	if (nb == 0)
		return false;
	burst_out(q, nb, s, r);
	if (how == 0) {
		for (unsigned int j = 0; j < nb; j++)
			queue_command(&q[j], ACCEL_HW_QP_CMD_STOP_DISCARD);
		for (unsigned int j = 0; j < nb; j++)
			ENSURE(c, queue_echoed(&q[j]), "STOP is not echoed");
	} else if (how == 1) {
		ENSURE(c, card_reset(c), "RESET_REQ is not echoed");
	} else {
		ENSURE(c, card_flr(c), "the function is not ready after FLR");
	}
	sent = highest_sent(c, r, nb);
	for (unsigned int j = 0; j < nb; j++)
		memory_take(&c->memory, q[j].regs.rsp_base, q[j].regs.rsp_size * 16ull);
	sa_state(c, s);
	ENSURE(c, s->x.state.sequence >= sent, "number %u was sent, and sequence is %llu", sent,
	       (unsigned long long)s->x.state.sequence);
	ENSURE(c, s->x.state.sequence == s->x.state.packets, "sequence %llu, packets %llu",
	       (unsigned long long)s->x.state.sequence, (unsigned long long)s->x.state.packets);
	return next_number(c, s, s->x.state.sequence + 1);
}

static void
interruptions(struct card *c)
{
	struct queue q[QUEUES];
	struct sa s;

	sa_null(&s, true, TUNNEL);
	if (!sa_there(c, &s))
		return;
	sa_store_at(c, &s, memory_get(&c->memory, MEMORY_FAR, 0x200, ACCEL_HW_CTX_ALIGN));
	for (unsigned int i = 0; i < 9; i++) {
		c->memory.part[MEMORY_LOW].used = 0;
		c->memory.part[MEMORY_HIGH].used = 65536;
		c->nb_lines = 0;
		result_note(&c->result, "interrupted by %s", i % 3 == 0 ? "STOP" : i % 3 == 1 ?
			    "a reset" : "FLR");
		if (!interrupted(c, q, &s, i % 3))
			return;
		for (unsigned int j = 0; j < c->nb_lines; j++)
			queue_take_line(c, c->line[j]);
	}
}

/* Set the state as the host, under a new generation, and check that the card goes on from there. */
static void
new_state(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = packet_v4(plain, 12), n;
	struct queue q;
	struct sa s, in;

	sa_hmac(&s, true, TUNNEL);
	sa_hmac(&in, false, TUNNEL);
	in.x.ipsec.replay_window = 64;
	if (!sa_there(c, &s) || !sa_there(c, &in) || !queue_open(&q, c))
		return;
	sa_store(c, &s);
	sa_store(c, &in);
	for (unsigned int i = 0; i < 20; i++) {
		const uint64_t number = 7 + card_random(c) % 100000;

		s.x.state.sequence = number - 1;
		sa_store_at(c, &s, s.at);
		n = packet_send(&s, number, plain, len, packet);
		if (!sa_run(&q, &s, plain, len, packet, n, ACCEL_HW_OK))
			return;
		sa_state(c, &s);
		in.x.state.sequence = number + 3; /* this one was not received, the others were */
		in.x.state.window[0] = ~(UINT64_C(1) << number % 64);
		sa_store_at(c, &in, in.at);
		if (!sa_run(&q, &in, packet, n, plain, len, ACCEL_HW_OK) ||
		    !sa_run(&q, &in, packet, n, plain, len, ACCEL_HW_REPLAY))
			return;
		n = packet_send(&s, number - 2, plain, len, packet);
		if (!sa_run(&q, &in, packet, n, plain, len, ACCEL_HW_REPLAY))
			return;
		sa_state(c, &in);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run a packet with an SA whose state the device cannot read, or cannot write. The device can read
 * the 448 bytes of the context before the state. */
static void
unreachable(struct card *c)
{
	const struct memory_part *far = &c->memory.part[MEMORY_FAR];
	const struct memory_part *read = &c->memory.part[MEMORY_READ];
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = packet_v4(plain, 12), n;
	struct queue q;
	struct sa s;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 4; i++) {
		const bool outbound = i % 2 == 0;

		sa_hmac(&s, outbound, TUNNEL);
		if (!sa_there(c, &s))
			return;
		s.x.common.generation = ++c->generation;
		s.at = i / 2 == 0 ? far->iova + far->size - 0x1c0 : read->iova + 4096;
		if (i / 2 == 1 && !c->tree.reports_writes)
			continue; /* the card does not learn of failed writes */
		memory_write(&c->memory, s.at, &s.x, i / 2 == 0 ? 0x1c0 : 0x200);
		n = packet_send(&s, 1, plain, len, packet);
		result_note(&c->result, "state not %s, outbound %d",
			    i / 2 == 0 ? "readable" : "writable", outbound);
		for (unsigned int j = 0; j < 3; j++) {
			if (!(outbound ? sa_run(&q, &s, plain, len, NULL, 0, ACCEL_HW_DMA_FAULT) :
					 sa_run(&q, &s, packet, n, NULL, 0, ACCEL_HW_DMA_FAULT)))
				return;
		}
	}
	if (request_works(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run packets of 32 bytes up to a hard limit and past it. The soft limit shows from its packet
 * on. */
static bool
limited(struct queue *q, bool outbound, bool by_bytes)
{
	const uint64_t unit = by_bytes ? 32 : 1;
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = packet_v4(plain, 4);
	struct card *c = q->card;
	struct sa s;

	sa_hmac(&s, outbound, TUNNEL);
	if (by_bytes) { /* a limit within a packet is reached with the whole packet */
		s.x.ipsec.bytes_soft = 5 * unit - 3;
		s.x.ipsec.bytes_hard = 8 * unit - 31;
	} else {
		s.x.ipsec.packets_soft = 5;
		s.x.ipsec.packets_hard = 8;
	}
	sa_store(c, &s);
	for (uint32_t i = 1; i <= 10; i++) {
		uint32_t n = packet_send(&s, i, plain, len, packet);
		struct request r;

		sa_request(c, &r, &s, outbound ? plain : packet, outbound ? len : n, n);
		r.output = outbound ? packet : plain;
		r.produced = outbound ? n : len;
		r.info = i >= 5 ? ACCEL_HW_IPSEC_INFO_SOFT : 0;
		result_note(&c->result, "packet %u, outbound %d, by bytes %d", i, outbound,
			    by_bytes);
		if (!sa_run_request(q, &r, i <= 8 ? ACCEL_HW_OK : ACCEL_HW_EXPIRED, false))
			return false;
		sa_state(c, &s);
		ENSURE(c, s.x.state.packets == (i < 8 ? i : 8) &&
		       s.x.state.errors == (i <= 8 ? 0 : i - 8), "packets %llu, errors %llu",
		       (unsigned long long)s.x.state.packets,
		       (unsigned long long)s.x.state.errors);
	}
	return true;
}

static void
limits(struct card *c)
{
	struct queue q;
	struct sa s;

	sa_hmac(&s, true, TUNNEL);
	if (!sa_there(c, &s) || !queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 4; i++) {
		if (!limited(&q, i % 2 == 0, i / 2 != 0))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that a hard limit lets exactly its number of packets pass, in bursts of several queue
 * pairs. */
static void
limits_of_many(struct card *c)
{
	static struct request r[QUEUES][EACH];
	unsigned int nb, sent = 0;
	struct queue q[QUEUES];
	struct sa s;

	sa_null(&s, true, TUNNEL);
	s.x.ipsec.packets_hard = EACH - 7;
	if (!sa_there(c, &s))
		return;
	sa_store(c, &s);
	nb = open_all(c, q);
	if (nb == 0)
		return;
	burst_out(q, nb, &s, r);
	for (unsigned int j = 0; j < nb; j++) {
		for (unsigned int i = 0; i < EACH; i++) {
			struct accel_hw_response rsp;

			if (!queue_response(&q[j], &rsp))
				return;
			CHECK(c, rsp.status == ACCEL_HW_OK || rsp.status == ACCEL_HW_EXPIRED,
			      "status %u, wanted OK or EXPIRED", rsp.status);
			if (rsp.status == ACCEL_HW_OK)
				memory_take(&c->memory, r[j][i].out[0].iova, rsp.produced);
			sent += rsp.status == ACCEL_HW_OK;
		}
	}
	sa_state(c, &s);
	CHECK(c, sent == EACH - 7 && s.x.state.packets == sent && s.x.state.sequence == sent,
	      "%u packets were sent with a limit of %u, packets %llu, sequence %llu", sent,
	      EACH - 7, (unsigned long long)s.x.state.packets,
	      (unsigned long long)s.x.state.sequence);
}

/* Check that inbound packets that are under way when a hard limit is reached are not entered. */
static void
inbound_limits_of_many(struct card *c)
{
	static struct request r[QUEUES][EACH];
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = packet_v4(plain, 16), n;
	unsigned int nb, taken = 0;
	struct queue q[QUEUES];
	struct sa s;

	sa_hmac(&s, false, TUNNEL);
	s.x.ipsec.bytes_hard = (EACH - 7) * len;
	if (!sa_there(c, &s))
		return;
	sa_store(c, &s);
	nb = open_all(c, q);
	for (unsigned int i = 0; i < nb * EACH; i++) {
		struct request *one = &r[i % nb][i / nb];

		n = packet_send(&s, i + 1, plain, len, packet);
		sa_request(c, one, &s, packet, n, n);
		request_post(&q[i % nb], one);
	}
	for (unsigned int j = 0; j < nb; j++)
		queue_doorbell(&q[j]);
	for (unsigned int i = 0; i < nb * EACH; i++) {
		const struct piece *out = &r[i % nb][i / nb].out[0];
		struct accel_hw_response rsp;

		if (!queue_response(&q[i % nb], &rsp))
			return;
		CHECK(c, rsp.status == ACCEL_HW_OK || rsp.status == ACCEL_HW_EXPIRED,
		      "status %u, wanted OK or EXPIRED", rsp.status);
		memory_take(&c->memory, out->iova, out->len); /* the limit may be found late */
		taken += rsp.status == ACCEL_HW_OK;
	}
	sa_state(c, &s);
	CHECK(c, nb == 0 || (taken == EACH - 7 && s.x.state.packets == taken &&
			     s.x.state.errors == nb * EACH - taken),
	      "%u packets were taken with a limit of %u, packets %llu, errors %llu", taken,
	      EACH - 7, (unsigned long long)s.x.state.packets,
	      (unsigned long long)s.x.state.errors);
}

static const struct test_case tests[] = {
	{ "SA-1 SA-3", "outbound numbers of several queue pairs: none twice, none left out",
	  outbound_numbers },
	{ "SA-2 IPS-17", "the same numbers on several queue pairs: each is accepted once",
	  inbound_numbers },
	{ "SA-2 IPS-17", "a burst enters its numbers in its order", in_order },
	{ "SA-3", "the whole state after each response", after_each_response },
	{ "SA-4", "numbers go on over STOP, reset and FLR", over_resets },
	{ "SA-4 SA-1", "bursts that are interrupted: no number is sent twice", interruptions },
	{ "SA-5", "a state that the host has set", new_state },
	{ "SA-6 ST-1", "a state that cannot be read or written: DMA_FAULT", unreachable },
	{ "SA-7 IPS-4", "soft and hard limits, by packets and bytes", limits },
	{ "SA-7 SA-1", "a hard limit in bursts of several queue pairs", limits_of_many },
	{ "SA-7 IPS-10", "the same inbound", inbound_limits_of_many },
};

const struct test_group tests_ipsec_state = TEST_GROUP("ipsec-state", tests);
