/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests contexts with a part that the device writes (manual 8.6 and 8.7, State), which move with
 * requests in flight. They move to another queue pair, which begins while the last one ends, or to
 * another function, after the last one was stopped or reset in the middle of its requests. Each
 * output is compared with that of its number, and each number is sent or accepted once, wherever
 * that was.
 */
#include <stdio.h>
#include <string.h>

#include "card/other.h"
#include "reference/ipsec.h"
#include "reference/tls.h"
#include "tests_protocol.h"

#define QUEUES 4u
#define EACH QUEUE_BURST
#define WINDOW 64u /* more than a burst */
#define DATA_LEN 1000u /* a burst of them takes a while */
#define PACKET_MAX 1200u
#define BURST_NS 60000u
#define DRAIN_NS 200000000u /* a drain that takes longer may end as a discard (manual 5.4) */
#define AREA_BEGIN 65536u /* contexts lie before this offset in a round's memory */

/* Kinds of contexts are SAs of ESP and AH, and the three of tls_kinds. */
enum { MOVER_ESP, MOVER_AH, MOVER_TLS, MOVERS = MOVER_TLS + 3 };

/* Holds an SA or a direction of a connection. The operations of either are numbered from 0 here. */
struct mover {
	const char *name;
	bool tls;
	bool outbound;
	struct sa s;
	struct tls_direction d;
};

/* Says how the queue pair that a context leaves comes to its end. */
enum leaving { BY_DRAIN, BY_DISCARD, BY_RESET, BY_FLR };

static const char *const leaving_names[] = { "STOP with drain", "STOP with discard", "a reset",
					     "FLR" };

static void
mover_make(const struct card *c, struct mover *m, unsigned int kind, bool outbound)
{
	static const char *const names[] = { "ESP", "AH", "TLS 1.2", "TLS 1.3", "DTLS 1.2" };

	memset(m, 0, sizeof(*m));
	m->name = names[kind];
	m->tls = kind >= MOVER_TLS;
	m->outbound = outbound;
	if (kind == MOVER_ESP)
		sa_hmac(&m->s, outbound, ACCEL_HW_IPSEC_TUNNEL);
	else if (kind == MOVER_AH)
		sa_ah(&m->s, outbound, ACCEL_HW_IPSEC_TUNNEL);
	else
		tls_make(c, &m->d, tls_kinds[kind - MOVER_TLS], TLS_GCM, outbound);
	if (!outbound && !m->tls)
		m->s.x.ipsec.replay_window = WINDOW;
	else if (!outbound && tls_is_dtls(&m->d))
		m->d.x.tls.replay_window = WINDOW;
}

static bool
mover_there(const struct card *c, const struct mover *m)
{
	char why[SA_WHY];

	if (!m->tls)
		return sa_possible(c, &m->s, why);
	return tls_there(c, m->d.x.common.kind, TLS_GCM) &&
	       m->d.x.tls.replay_window <= tls_node(c, m->d.x.common.kind)->window;
}

/* True if received numbers are entered in a window, so that they may come in any order, each once.
 * TLS takes records in the order in which they come. */
static bool
has_window(const struct mover *m)
{
	return !m->outbound && (!m->tls || tls_is_dtls(&m->d));
}

/* Return how many numbers were taken, or the highest that was entered. */
static uint64_t
mover_sequence(const struct mover *m)
{
	return m->tls ? m->d.x.state.sequence : m->s.x.state.sequence;
}

/* Return how many operations the context has counted. */
static uint64_t
mover_count(const struct mover *m)
{
	return m->tls ? m->d.x.state.records : m->s.x.state.packets;
}

/* Write the context, under a new generation, with the state as it was read last. */
static void
mover_store(struct card *c, struct mover *m, uint64_t at)
{
	if (m->tls) {
		m->d.at = at;
		m->d.x.common.generation = ++c->generation;
		memory_write(&c->memory, at, &m->d.x, sizeof(m->d.x));
	} else {
		sa_store_at(c, &m->s, at);
	}
}

static void
mover_load(struct card *c, struct mover *m)
{
	if (m->tls) {
		tls_load(c, &m->d);
		memory_take(&c->memory, m->d.at + offsetof(struct accel_hw_tls_context, state),
			    sizeof(m->d.x.state));
	} else {
		sa_state(c, &m->s);
	}
}

/* Make the packet or record of a number. @return its bytes. */
static uint32_t
mover_packet(const struct mover *m, uint64_t number, uint8_t *out)
{
	uint8_t plain[DATA_LEN];

	packet_v4(plain, DATA_LEN - 28);
	if (m->tls)
		return tls_record(&m->d, number, TLS_DATA, plain, DATA_LEN, plain, 0, out);
	return packet_send(&m->s, number + 1, plain, DATA_LEN, out);
}

/* Begin a request of a number. What an outbound one gives is looked at later. */
static void
mover_request(struct card *c, struct request *r, const struct mover *m, uint64_t number)
{
	static uint8_t plain[DATA_LEN];
	uint8_t packet[PACKET_MAX];
	const uint32_t n = mover_packet(m, number, packet);
	const uint8_t *in = m->outbound ? plain : packet;
	const uint32_t len = m->outbound ? DATA_LEN : n;

	packet_v4(plain, DATA_LEN - 28);
	if (m->tls)
		tls_request(c, r, &m->d, m->outbound ? TLS_DATA : 0, in, len, n);
	else
		sa_request(c, r, &m->s, in, len, n);
	memory_set(&c->memory, r->out[0].iova, 0, n); /* no packet yet */
	r->produced = m->outbound ? n : DATA_LEN;
	r->output = m->outbound ? NULL : plain;
	r->info = m->tls && !m->outbound ? TLS_DATA : 0;
}

/* Post a burst with one doorbell or several. */
static void
post_burst(struct queue *q, const struct mover *m, uint64_t first, struct request *r)
{
	const unsigned int step = (unsigned int)(1 + card_random(q->card) % EACH);

	for (unsigned int i = 0; i < EACH; i++) {
		mover_request(q->card, &r[i], m, first + i);
		request_post(q, &r[i]);
		if (i % step == step - 1 || i + 1 == EACH)
			queue_doorbell(q);
	}
}

/* Describes a move: from where to where, how, and what became of the numbers from base on. */
struct move {
	struct card *c; /* whose test it is */
	struct queue *from, *to;
	struct mover *m;
	enum leaving how;
	bool at_once; /* the second queue pair begins before the first one has ended */
	uint64_t left_ns; /* when the first one was told to end */
	uint64_t base;
	uint64_t count; /* operations that the context had counted before */
	int status[EACH]; /* of the first burst, -1: no response */
	unsigned int times[2 * EACH]; /* how often each number was sent or accepted */
	struct request first[EACH], second[EACH];
};

static bool
good(const struct move *v, const struct queue *q, bool ok)
{
	return q->card == v->c ? ok : other_good(v->c, ok);
}

/* Begin to leave, at some time of the burst. STOP is written if it is the way to leave. */
static void
leave_begin(struct move *v)
{
	const uint64_t end = now_ns() + card_random(v->c) % BURST_NS;

	while (now_ns() < end)
		;
	v->left_ns = now_ns();
	if (v->how <= BY_DISCARD)
		queue_command(v->from, v->how == BY_DRAIN ? ACCEL_HW_QP_CMD_STOP_DRAIN :
							    ACCEL_HW_QP_CMD_STOP_DISCARD);
}

static bool
leave_end(struct move *v)
{
	if (v->how <= BY_DISCARD)
		ENSURE(v->c, queue_echoed(v->from), "STOP is not echoed");
	else if (v->how == BY_RESET)
		ENSURE(v->c, card_reset(v->from->card), "RESET_REQ is not echoed");
	else
		ENSURE(v->c, card_flr(v->from->card), "the function is not ready after FLR");
	if (v->how == BY_DRAIN && now_ns() - v->left_ns > DRAIN_NS) {
		result_note(&v->c->result, "the drain was slow, and may be a discard");
		v->how = BY_DISCARD;
	}
	return true;
}

/* Count a number as sent. The numbers of a queue pair ascend. */
static bool
count_sent(struct move *v, struct card *c, const struct request *r, uint64_t *least, bool wanted)
{
	uint8_t is[PACKET_MAX], packet[PACKET_MAX];

	memory_read(&c->memory, r->out[0].iova, is, r->produced);
	for (uint64_t i = 0; i < 2 * EACH; i++) {
		mover_packet(v->m, v->base + i, packet);
		if (memcmp(is, packet, r->produced) != 0)
			continue;
		ENSURE(v->c, i >= *least, "number %llu after %llu in one queue pair",
		       (unsigned long long)(v->base + i), (unsigned long long)(v->base + *least));
		v->times[i]++;
		*least = i + 1;
		return true;
	}
	ENSURE(v->c, !wanted, "a packet that has none of the numbers %llu to %llu",
	       (unsigned long long)v->base, (unsigned long long)v->base + 2 * EACH - 1);
	return true;
}

/* Look at what the first burst left: responses, from the first one on, and result frames. */
static bool
look_at_first(struct move *v)
{
	struct queue *q = v->from;
	struct card *c = q->card;
	uint64_t least = 0;

	for (unsigned int i = 0; i < EACH; i++) {
		const uint64_t at = q->regs.rsp_base + 16ull * i;
		struct accel_hw_response rsp;
		bool done;

		memory_read(&c->memory, at, &rsp, sizeof(rsp));
		done = rsp.tag == v->first[i].cmd.tag && (i == 0 || v->status[i - 1] >= 0);
		v->status[i] = done ? rsp.status : -1;
		memory_take(&c->memory, v->first[i].out[0].iova, v->first[i].out[0].len);
		ENSURE(v->c, done || v->how != BY_DRAIN, "no response %u after STOP with drain", i);
		ENSURE(v->c, !done || rsp.status == ACCEL_HW_OK ||
		       (v->at_once && has_window(v->m) && rsp.status == ACCEL_HW_REPLAY),
		       "response %u has status %u", i, rsp.status);
		if (v->m->outbound && !count_sent(v, c, &v->first[i], &least, done))
			return false;
		v->times[i] += has_window(v->m) && v->status[i] == ACCEL_HW_OK;
	}
	memory_take(&c->memory, q->regs.rsp_base, q->regs.rsp_size * 16ull);
	return true;
}

/* Take the next response of the second burst, which may be REPLAY. @return its status or -1. */
static int
second_response(struct move *v, unsigned int i)
{
	const struct request *r = &v->second[i];
	struct queue *q = v->to;
	struct accel_hw_response rsp;

	if (!good(v, q, queue_response(q, &rsp)))
		return -1;
	q->hdp[QUEUE_TX] = r->end[QUEUE_TX];
	q->hdp[QUEUE_RX] = r->end[QUEUE_RX];
	q->bytes_in += r->in[0].len;
	q->bytes_out += rsp.produced;
	memory_take(&q->card->memory, r->out[0].iova, r->out[0].len);
	if (rsp.tag == r->cmd.tag && (rsp.status == ACCEL_HW_OK || rsp.status == ACCEL_HW_REPLAY))
		return rsp.status;
	result_fail(&v->c->result, "tag %#x, status %u, wanted %#x, OK or REPLAY", rsp.tag,
		    rsp.status, r->cmd.tag);
	return -1;
}

static bool
finish_second(struct move *v)
{
	uint64_t least = 0;

	for (unsigned int i = 0; i < EACH; i++) {
		struct request *r = &v->second[i];
		int status = ACCEL_HW_OK;

		if (has_window(v->m))
			status = second_response(v, i);
		else if (!good(v, v->to, request_finish(v->to, r)))
			return false;
		if (status < 0 ||
		    (v->m->outbound && !count_sent(v, v->to->card, r, &least, true)))
			return false;
		v->times[i] += has_window(v->m) && status == ACCEL_HW_OK;
	}
	return true;
}

/* Check that each number was sent at most once, and that all were taken but those that were under
 * way at the end. */
static bool
check_sent(const struct move *v)
{
	const uint64_t taken = mover_sequence(v->m) - v->base;

	for (uint64_t i = 0; i < 2 * EACH; i++) {
		ENSURE(v->c, v->times[i] <= 1, "number %llu was sent %u times",
		       (unsigned long long)(v->base + i), v->times[i]);
		ENSURE(v->c, v->times[i] == 0 || i < taken, "number %llu was sent, and sequence is "
		       "%llu", (unsigned long long)(v->base + i),
		       (unsigned long long)mover_sequence(v->m));
		ENSURE(v->c, v->how != BY_DRAIN || v->times[i] == 1, "number %llu was left out",
		       (unsigned long long)(v->base + i));
	}
	ENSURE(v->c, taken >= EACH && taken <= 2 * EACH && mover_count(v->m) - v->count == taken,
	       "%llu numbers of at most %u were taken, and %llu operations counted",
	       (unsigned long long)taken, 2 * EACH,
	       (unsigned long long)(mover_count(v->m) - v->count));
	return true;
}

/* Check that each number was accepted at most once, and entered once. If no response says OK, an
 * operation without a response has entered it. */
static bool
check_accepted(const struct move *v)
{
	for (unsigned int i = 0; i < EACH; i++) {
		const bool may_be_lost = v->status[i] < 0;

		ENSURE(v->c, v->times[i] == 1 || (v->times[i] == 0 && may_be_lost),
		       "number %llu was accepted %u times", (unsigned long long)(v->base + i),
		       v->times[i]);
	}
	ENSURE(v->c, mover_sequence(v->m) == v->base + EACH &&
	       mover_count(v->m) - v->count == EACH, "sequence %llu, wanted %llu; %llu operations "
	       "counted, wanted %u", (unsigned long long)mover_sequence(v->m),
	       (unsigned long long)v->base + EACH,
	       (unsigned long long)(mover_count(v->m) - v->count), EACH);
	return true;
}

/* Check the number and the count of the state. Records are taken one after the other, so the state
 * has the next number. A record that took its number and has no response may be counted or not. */
static bool
check_taken(const struct move *v, uint64_t next)
{
	const uint64_t counted = mover_count(v->m) - v->count;
	uint64_t least = EACH;

	for (unsigned int i = 0; i < EACH; i++)
		least += v->status[i] >= 0;
	ENSURE(v->c, mover_sequence(v->m) == next + EACH, "sequence %llu, wanted %llu",
	       (unsigned long long)mover_sequence(v->m), (unsigned long long)next + EACH);
	ENSURE(v->c, counted >= least && counted <= next + EACH - v->base,
	       "%llu records counted, wanted %llu to %llu", (unsigned long long)counted,
	       (unsigned long long)least, (unsigned long long)(next + EACH - v->base));
	return true;
}

/* Carry the context to another function, at the same address or at another one. The function that
 * it leaves finds nothing at its address any more. */
static void
carry(struct move *v, uint64_t at)
{
	const uint64_t old = v->m->tls ? v->m->d.at : v->m->s.at;

	memory_set(&v->from->card->memory, old, 0xff, sizeof(v->m->d.x));
	mover_store(v->to->card, v->m, at);
}

/* Move a context with requests in flight. @param at its address in the memory of another function.
 */
static bool
move(struct move *v, uint64_t at)
{
	uint64_t next;

	v->base = mover_sequence(v->m);
	v->count = mover_count(v->m);
	memset(v->times, 0, sizeof(v->times));
	post_burst(v->from, v->m, v->base, v->first);
	leave_begin(v);
	if (v->at_once)
		post_burst(v->to, v->m, v->base, v->second);
	if (!leave_end(v) || !look_at_first(v))
		return false;
	if (!v->at_once) {
		mover_load(v->from->card, v->m);
		if (v->from->card != v->to->card)
			carry(v, at);
	}
	next = mover_sequence(v->m);
	ENSURE(v->c, v->at_once || next <= v->base + EACH, "sequence %llu after %u operations from "
	       "%llu", (unsigned long long)next, EACH, (unsigned long long)v->base);
	if (!v->at_once)
		post_burst(v->to, v->m, has_window(v->m) ? v->base : next, v->second);
	if (!finish_second(v))
		return false;
	mover_load(v->to->card, v->m);
	if (v->m->outbound ? !check_sent(v) : has_window(v->m) ? !check_accepted(v) :
								!check_taken(v, next))
		return false;
	return good(v, v->to, queue_stop(v->to, ACCEL_HW_QP_CMD_STOP_DRAIN));
}

/* Begin a round, which takes the memory of the last one. */
static bool
begin_round(struct card *c)
{
	for (unsigned int i = 0; i < c->nb_lines; i++) {
		if (!queue_take_line(c, c->line[i]))
			return false;
	}
	c->nb_lines = 0;
	c->memory.part[MEMORY_LOW].used = 0;
	c->memory.part[MEMORY_HIGH].used = AREA_BEGIN;
	return true;
}

static void
describe(const struct move *v, unsigned int round)
{
	result_note(&v->c->result, "%s %s, round %u, left by %s", v->m->name,
		    v->m->outbound ? "outbound" : "inbound", round, leaving_names[v->how]);
}

/* Move a context from queue pair to queue pair of a function. */
static bool
round_of_queues(struct card *c, struct mover *m, unsigned int round)
{
	static struct move v;
	const unsigned int nb = c->tree.nb_qps < QUEUES ? c->tree.nb_qps : QUEUES;
	struct queue q[2];

	v.c = c;
	v.from = &q[0];
	v.to = &q[1];
	v.m = m;
	v.how = round % 2 == 0 ? BY_DISCARD : BY_DRAIN;
	v.at_once = m->outbound || has_window(m);
	describe(&v, round);
	return begin_round(c) && queue_open_wide(&q[0], c, round % nb) &&
	       queue_open_wide(&q[1], c, (round + 1) % nb) && move(&v, 0);
}

/* Move a context from function to function and back, by every way to leave one. */
static bool
round_of_functions(struct card *c, struct mover *m, unsigned int round)
{
	static struct move v;
	struct card *card[2] = { round % 2 == 0 ? c : c->other, round % 2 == 0 ? c->other : c };
	const uint64_t far = c->memory.part[MEMORY_FAR].iova;
	struct queue q[2];

	v.c = c;
	v.from = &q[0];
	v.to = &q[1];
	v.m = m;
	v.how = (enum leaving)(round / 2 % 4);
	v.at_once = false;
	describe(&v, round);
	for (unsigned int i = 0; i < 2; i++) {
		if (!good(&v, &(struct queue){ .card = card[i] }, begin_round(card[i])))
			return false;
		if (!good(&v, &(struct queue){ .card = card[i] },
			  queue_open_wide(&q[i], card[i], round % card[i]->tree.nb_qps)))
			return false;
	}
	return move(&v, far + (round % 3 == 0 ? 4096 : 0));
}

/* Move each kind of context of the card for some rounds. */
static bool
move_all(struct card *c, bool outbound, unsigned int rounds,
	 bool (*round)(struct card *c, struct mover *m, unsigned int round))
{
	unsigned int nb = 0;

	for (unsigned int kind = 0; kind < MOVERS; kind++) {
		struct mover m;

		mover_make(c, &m, kind, outbound);
		if (!mover_there(c, &m) || (c->other != NULL && !mover_there(c->other, &m)))
			continue;
		mover_store(c, &m, c->memory.part[MEMORY_FAR].iova);
		for (unsigned int i = 0; i < rounds; i++) {
			if (!round(c, &m, i))
				return false;
		}
		nb++;
	}
	if (nb == 0)
		result_skip(&c->result, "neither ESP, AH nor TLS");
	return nb > 0;
}

static void
queues_outbound(struct card *c)
{
	SKIP_UNLESS(c, c->tree.nb_qps >= 2, "one queue pair");
	move_all(c, true, 12, round_of_queues);
}

static void
queues_inbound(struct card *c)
{
	SKIP_UNLESS(c, c->tree.nb_qps >= 2, "one queue pair");
	move_all(c, false, 12, round_of_queues);
}

/* Check that nothing was written to the other function's memory after the last round. */
static void
check_other(struct card *c)
{
	uint64_t iova;

	CHECK(c, card_reset(c->other) && begin_round(c->other) &&
	      memory_same(&c->other->memory, &iova), "the other function has written where nothing "
	      "asked for it");
}

static void
functions_outbound(struct card *c)
{
	if (other_there(c) && move_all(c, true, 16, round_of_functions))
		check_other(c);
}

static void
functions_inbound(struct card *c)
{
	if (other_there(c) && move_all(c, false, 16, round_of_functions))
		check_other(c);
}

/* Finish a burst of numbers that are known. */
static bool
finish_known(struct queue *q, const struct mover *m, uint64_t first, struct request *r)
{
	uint8_t packet[PACKET_MAX];

	for (unsigned int i = 0; i < EACH; i++) {
		mover_packet(m, first + i, packet);
		if (m->outbound)
			r[i].output = packet;
		if (!request_finish(q, &r[i]))
			return false;
	}
	return true;
}

/* Run bursts on two functions at once, of contexts at the same address with the same generation. */
static bool
twins(struct card *c, struct mover *m, struct queue *q)
{
	static struct request r[2][EACH];
	struct card *card[2] = { c, c->other };

	for (unsigned int round = 0; round < 8; round++) {
		uint64_t first[2];

		for (unsigned int i = 0; i < 2; i++) {
			card[i]->memory.part[MEMORY_LOW].used = 0;
			first[i] = mover_sequence(&m[i]);
			post_burst(&q[i], &m[i], first[i], r[i]);
		}
		if (!finish_known(&q[0], &m[0], first[0], r[0]) ||
		    !other_good(c, finish_known(&q[1], &m[1], first[1], r[1])))
			return false;
		for (unsigned int i = 0; i < 2; i++) {
			mover_load(card[i], &m[i]);
			ENSURE(c, mover_sequence(&m[i]) == first[i] + EACH &&
			       mover_count(&m[i]) == (round + 1) * EACH,
			       "%s, function %u: sequence %llu, wanted %llu, count %llu",
			       m->name, i, (unsigned long long)mover_sequence(&m[i]),
			       (unsigned long long)first[i] + EACH,
			       (unsigned long long)mover_count(&m[i]));
		}
	}
	return true;
}

static void
same_place(struct card *c)
{
	const uint64_t at = c->memory.part[MEMORY_FAR].iova;
	struct queue q[2];

	if (!other_there(c) || !queue_open_wide(&q[0], c, 0) ||
	    !other_good(c, queue_open_wide(&q[1], c->other, 0)))
		return;
	for (unsigned int kind = 0; kind < 2 * MOVERS; kind++) {
		struct mover m[2];

		mover_make(c, &m[0], kind / 2, kind % 2 == 0);
		if (!mover_there(c, &m[0]) || !mover_there(c->other, &m[0]))
			continue;
		m[1] = m[0];
		m[0].s.x.state.sequence = m[0].d.x.state.sequence = 1000;
		m[1].s.x.state.sequence = m[1].d.x.state.sequence = 5000;
		m[1].s.x.ipsec.spi ^= 1;
		m[1].d.x.tls.fixed_iv[0] ^= 1;
		if (c->generation < c->other->generation)
			c->generation = c->other->generation;
		c->other->generation = c->generation;
		mover_store(c, &m[0], at);
		mover_store(c->other, &m[1], at);
		if (!twins(c, m, q))
			return;
	}
	if (queue_stop(&q[0], ACCEL_HW_QP_CMD_STOP_DRAIN) &&
	    other_good(c, queue_stop(&q[1], ACCEL_HW_QP_CMD_STOP_DRAIN)))
		check_other(c);
}

static const struct test_case tests[] = {
	{ "SA-1 SA-3 SA-4", "to another queue pair in a burst: no number is sent twice",
	  queues_outbound },
	{ "SA-2 SA-3 SA-4 TLS-17", "the same inbound: each number is accepted once",
	  queues_inbound },
	{ "SA-1 SA-4 SA-5", "to another function and back: no number is sent twice",
	  functions_outbound },
	{ "SA-2 SA-4 SA-5 TLS-17", "the same inbound: each number is accepted once",
	  functions_inbound },
	{ "CACHE-1 SA-1 SA-2 SA-3", "the same address and generation in two functions at once",
	  same_place },
};

const struct test_group tests_moves = TEST_GROUP("moves", tests);
