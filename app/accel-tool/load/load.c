/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the traffic of a device: makes its memory and queue pairs, and lets each queue pair send and
 * take a burst in turn. See load.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>

#include "rte_pmd_accel.h"

#include "load.h"
#include "load_item.h"
#include "load_pk.h"

#define NB_DESC 2048u
#define MBUFS_OF_ITEM 24u /* the mean for two packets of up to 40 segments each */

/* ------------------------------------------------------------------ start */

static bool
make_pools(struct load *l)
{
	struct e2e *t = &l->t;
	const int socket = SOCKET_ID_ANY;
	const unsigned int items = l->conf.depth, size =
		rte_cryptodev_sym_get_private_session_size(t->dev);

	t->sess_mp = rte_cryptodev_sym_session_pool_create("tool_sess", l->conf.sessions + 1, size,
							   0, 0, socket);
	t->op_mp = rte_crypto_op_pool_create("tool_op", RTE_CRYPTO_OP_TYPE_SYMMETRIC, items, 0,
					     E2E_PRIV, socket);
	t->mbuf_mp = rte_pktmbuf_pool_create("tool_mbuf", items * MBUFS_OF_ITEM +
					     2 * E2E_MAX_SEGS, 0, 0, RTE_PKTMBUF_HEADROOM, socket);
	t->open = calloc(E2E_SESSIONS, sizeof(*t->open));
	l->session = calloc(l->conf.sessions, sizeof(*l->session));
	return t->sess_mp != NULL && t->op_mp != NULL && t->mbuf_mp != NULL && t->open != NULL &&
	       l->session != NULL;
}

static bool
make_lane(struct load *l, struct load_lane *lane)
{
	unsigned int i;

	lane->depth = l->conf.depth / l->conf.queue_pairs;
	lane->item = calloc(lane->depth, sizeof(*lane->item));
	lane->idle = calloc(lane->depth, sizeof(*lane->idle));
	lane->sym.item = calloc(lane->depth, sizeof(*lane->sym.item));
	lane->asym.item = calloc(lane->depth, sizeof(*lane->asym.item));
	if (lane->item == NULL || lane->idle == NULL || lane->sym.item == NULL ||
			lane->asym.item == NULL)
		return false;
	for (i = 0; i < lane->depth; i++) {
		if (!load_item_init(l, &lane->item[i]) || !load_pk_init(l, &lane->item[i]))
			return false;
		lane->idle[lane->nb_idle++] = &lane->item[i];
	}
	return true;
}

static bool
choices_work(struct load *l)
{
	unsigned int i;

	l->t.rng.s = l->conf.seed;
	for (i = 0; i < l->conf.nb_choices; i++) {
		if (load_item_choice_works(l, &l->conf.choice[i]))
			continue;
		tool_error("%s does not offer %s; '" TOOL_NAME " info' lists what it does",
			   l->device->name, load_choice_name(&l->conf.choice[i]));
		return false;
	}
	return true;
}

bool
load_rebuild(struct load *l)
{
	unsigned int q, i;

	for (q = 0; q < l->conf.queue_pairs; q++) {
		for (i = 0; i < l->lane[q].depth; i++) {
			if (!load_item_build(l, &l->lane[q].item[i])) {
				tool_error("%s", l->first);
				return false;
			}
		}
		l->lane[q].last = e2e_waited_ms();
	}
	return true;
}

/* Takes the limits of the card that no capability tells. Devices of other drivers tell none. */
static void
take_limits(struct load *l)
{
	struct rte_pmd_accel_info info;

	l->t.partial = true;
	if (!l->t.is_accel || rte_pmd_accel_info_get(l->t.dev, &info) != 0)
		return;
	l->t.max_segs = e2e_max_segs(info.max_fragments);
}

int
load_start(struct load *l, struct tool_device *device, const struct load_conf *conf)
{
	unsigned int q;
	int ret;

	memset(l, 0, sizeof(*l));
	l->device = device;
	l->conf = *conf;
	l->t.dev = device->id;
	l->t.info = device->info;
	l->t.is_accel = device->accel;
	l->t.linear = conf->one_segment;
	l->t.in_place = conf->in_place;
	snprintf(l->t.name, sizeof(l->t.name), "%s", device->name);
	snprintf(l->t.driver, sizeof(l->t.driver), "%s", device->info.driver_name);
	take_limits(l);
	if (conf->pk == 0 && !e2e_has_symmetric(&l->t)) {
		tool_error("%s has no symmetric algorithm", device->name);
		return TOOL_ABSENT;
	}
	ret = tool_device_start(device, (uint16_t)conf->queue_pairs, NB_DESC,
				conf->pk != 0 ? RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO : 0);
	if (ret != TOOL_GOOD)
		return ret;
	l->t.nb_qps = (uint16_t)conf->queue_pairs;
	ret = load_pk_start(l);
	if (ret != TOOL_GOOD)
		return ret;
	ret = make_pools(l) ? TOOL_GOOD : TOOL_BROKEN;
	/* This makes sessions, since no capability says what a card refuses. */
	if (ret == TOOL_GOOD && !choices_work(l))
		return TOOL_ABSENT;
	for (q = 0; q < conf->queue_pairs && ret == TOOL_GOOD; q++)
		ret = make_lane(l, &l->lane[q]) ? TOOL_GOOD : TOOL_BROKEN;
	if (ret != TOOL_GOOD) {
		tool_error("no memory for %u operations; give the EAL more with -m, or lower "
			   "--depth and --sizes", conf->depth);
		return ret;
	}
	l->start = rte_get_timer_cycles();
	return load_rebuild(l) ? TOOL_GOOD : TOOL_BROKEN;
}

/* ------------------------------------------------------------------ a turn */

/* Returns how many operations the rate allows now. */
static unsigned int
allowed(const struct load *l)
{
	double due;

	if (l->conf.rate == 0)
		return UINT32_MAX;
	due = (double)(rte_get_timer_cycles() - l->start) / (double)rte_get_timer_hz() *
	      (double)l->conf.rate;
	return due > (double)l->sent ? (unsigned int)RTE_MIN(due - (double)l->sent, 1e6) : 0;
}

static unsigned int
lane_in_flight(const struct load_lane *lane)
{
	return lane->sym.tail - lane->sym.head + lane->asym.tail - lane->asym.head;
}

static struct load_fifo *
fifo_of(struct load_lane *lane, const struct rte_crypto_op *op)
{
	return op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC ? &lane->asym : &lane->sym;
}

static unsigned int
send_ops(struct load *l, uint16_t qp)
{
	struct load_lane *lane = &l->lane[qp];
	struct rte_crypto_op *ops[LOAD_BURST];
	struct load_fifo *fifo;
	struct load_item *it;
	unsigned int i, n, most = RTE_MIN(l->conf.burst, lane->nb_idle);
	uint64_t now;

	most = RTE_MIN(most, allowed(l));
	if (most == 0)
		return 0;
	for (i = 0; i < most; i++)
		ops[i] = lane->idle[lane->nb_idle - 1 - i]->op;
	if (lane_in_flight(lane) == 0)
		lane->last = e2e_waited_ms();
	now = rte_get_timer_cycles();
	n = rte_cryptodev_enqueue_burst(l->t.dev, qp, ops, (uint16_t)most);
	for (i = 0; i < n; i++) {
		it = lane->idle[--lane->nb_idle];
		it->sent = now;
		fifo = fifo_of(lane, it->op);
		fifo->item[fifo->tail++ % lane->depth] = it;
	}
	l->sent += n;
	/* An operation that the driver refuses has its status set. */
	if (n < most && ops[n]->status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED) {
		it = lane->idle[lane->nb_idle - 1];
		if (!load_item_take(l, it))
			return UINT32_MAX;
	}
	return n;
}

static unsigned int
take(struct load *l, uint16_t qp, enum load_turn *turn)
{
	struct load_lane *lane = &l->lane[qp];
	struct rte_crypto_op *ops[LOAD_BURST];
	struct load_fifo *fifo;
	struct load_item *it;
	unsigned int i, n;
	uint64_t now;

	n = rte_cryptodev_dequeue_burst(l->t.dev, qp, ops, (uint16_t)l->conf.burst);
	if (n == 0)
		return 0;
	now = rte_get_timer_cycles();
	lane->last = e2e_waited_ms();
	for (i = 0; i < n; i++) {
		fifo = fifo_of(lane, ops[i]);
		it = fifo->head != fifo->tail ? fifo->item[fifo->head % lane->depth] : NULL;
		if (it == NULL || ops[i] != it->op) {
			snprintf(l->first, sizeof(l->first), "queue pair %u gave back an operation "
				 "%s", qp, it == NULL ? "that was not in it" : "out of order");
			*turn = LOAD_LOST;
			return n;
		}
		fifo->head++;
		hist_add(&l->latency, (uint64_t)((double)(now - it->sent) * 1e9 /
						 (double)rte_get_timer_hz()));
		if (!load_item_take(l, it)) {
			*turn = LOAD_NO_MEMORY;
			return n;
		}
		lane->idle[lane->nb_idle++] = it;
	}
	return n;
}

enum load_turn
load_turn(struct load *l, bool sending)
{
	enum load_turn turn = LOAD_IDLE;
	unsigned int q, n;

	for (q = 0; q < l->conf.queue_pairs; q++) {
		n = sending ? send_ops(l, (uint16_t)q) : 0;
		if (n == UINT32_MAX)
			return LOAD_NO_MEMORY;
		n += take(l, (uint16_t)q, &turn);
		if (turn != LOAD_IDLE && turn != LOAD_GOES_ON)
			return turn;
		if (n != 0)
			turn = LOAD_GOES_ON;
	}
	if (turn == LOAD_IDLE)
		e2e_relax();
	return turn;
}

/* ------------------------------------------------------------------ results */

unsigned int
load_in_flight(const struct load *l)
{
	unsigned int q, n = 0;

	for (q = 0; q < l->conf.queue_pairs; q++)
		n += lane_in_flight(&l->lane[q]);
	return n;
}

uint64_t
load_silent_ms(const struct load *l)
{
	const uint64_t now = e2e_waited_ms();
	uint64_t most = 0;
	unsigned int q;

	for (q = 0; q < l->conf.queue_pairs; q++) {
		if (lane_in_flight(&l->lane[q]) != 0)
			most = RTE_MAX(most, now - l->lane[q].last);
	}
	return most;
}

void
load_interval(struct load *l)
{
	hist_merge(&l->total, &l->latency);
	hist_clear(&l->latency);
}

uint64_t
load_errors(const struct load *l)
{
	return l->wrong_status + l->wrong_data;
}

static void
add_row(json_t *rows, const char *name, const struct load_count *c)
{
	if (c->operations != 0)
		json_array_append_new(rows, json_pack("{s:s, s:I, s:I, s:I}", "algorithm", name,
			"operations", (json_int_t)c->operations, "bytes", (json_int_t)c->bytes,
			"errors", (json_int_t)c->errors));
}

json_t *
load_json_algorithms(const struct load *l)
{
	json_t *rows = json_array();
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers; i++)
		add_row(rows, i == 0 ? "null (cipher)" : e2e_ciphers[i].name, &l->cipher[i]);
	for (i = 0; i < e2e_nb_auths; i++)
		add_row(rows, i == 0 ? "null (auth)" : e2e_auths[i].name, &l->auth[i]);
	for (i = 0; i < e2e_nb_aeads; i++)
		add_row(rows, e2e_aeads[i].name, &l->aead[i]);
	for (i = 0; i < l->nb_pk; i++)
		add_row(rows, l->pk[i].alg->name, &l->pk[i].count);
	return rows;
}

void
load_end(struct load *l)
{
	/* The device stops first, so that operations in flight do not touch freed memory. */
	if (l->t.nb_qps != 0)
		rte_cryptodev_stop(l->t.dev);
	if (l->t.open != NULL)
		e2e_session_close_all(&l->t);
	load_pk_end(l);
}
