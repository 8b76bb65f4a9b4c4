/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * The life of one device: it is plugged with random arguments, gets traffic on several queue pairs,
 * is broken, stopped, reset and set up anew at random moments, and is unplugged.
 */

#include <rte_dev.h>
#include <rte_pause.h>

#include "card.h"
#include "rte_pmd_accel.h"
#include "soak.h"

#define LIFE_MIN 20000u		/* operations; up to 128 times as many */
#define LIFE_POWERS 6u
#define PAUSE_MIN 1000u		/* operations between two actions; up to 1024 times as many */
#define PAUSE_POWERS 9u
#define FAULT_AHEAD 2000u	/* a fault happens within so many operations */
#define CALM_ONE_IN 3u		/* lives in which nothing breaks */
#define ROUNDS 64u		/* of all lanes between two looks at the time */
#define EMPTY_ROUNDS 64u	/* that the test waits for the device without a yield */
#define SLOW_MS 60000u		/* timeout of a device that may not fail on a busy machine */

/* Faults that a single item injects, and how often each was. */
static struct {
	const char *name;
	bool lasting;	/* until it is cleared */
	uint64_t injected;
} faults[] = {
	{ .name = "dead" },
	{ .name = "fatal" },
	{ .name = "stall" },
	{ .name = "lost" },
	{ .name = "corrupt" },
	{ .name = "dma" },
	{ .name = "status:7" },
	{ .name = "hhp", .lasting = true },
	{ .name = "entropy", .lasting = true },
};

uint64_t
soak_done(const struct soak *s)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < SOAK_LANES; i++)
		sum += s->lane[i].right + s->lane[i].errors;
	return sum;
}

uint64_t
soak_all(const struct soak *s, uint64_t *errors)
{
	uint64_t sum = soak_done(s) + s->ipsec.right + s->ipsec.errors + s->pk.right +
		       s->pk.errors + s->pk.blocks;
	unsigned int i;

	*errors = s->ipsec.errors + s->pk.errors;
	for (i = 0; i < SOAK_LANES; i++)
		*errors += s->lane[i].errors;
	return sum;
}

/* Returns least to 2^(powers + 1) times as much. Each power of two is as likely as the others. */
static uint32_t
at_least(struct e2e_rng *r, uint32_t least, unsigned int powers)
{
	const uint32_t from = least << e2e_range(r, 0, powers);

	return e2e_range(r, from, 2 * from);
}

/* Hands on the result of a helper that has a context of its own, with its note. */
static int
result(struct soak *s, int ret, const struct e2e *t)
{
	if (ret != E2E_PASS)
		memcpy(s->base.note, t->note, sizeof(s->base.note));
	return ret;
}

static int
clear_faults(struct soak *s)
{
	CHECK(&s->base, s->card->fault(s->base.dev, "none") == 0, "faults are not cleared");
	s->lasting = false;
	return E2E_PASS;
}

static int
plug(struct soak *s)
{
	struct e2e *t = &s->base;
	static const unsigned int write_backs[] = { 1, 4, 16, 32 };
	const unsigned int timeout_ms = s->calm ? SLOW_MS : e2e_chance(&t->rng, 8) ? 1000 : 100;
	char args[256];
	int ret, n;

	/* A busy machine may let a device wait for so long. */
	s->may_fail = timeout_ms < SLOW_MS;
	n = s->card->args(&t->rng, SOAK_QUEUE_PAIRS, args, sizeof(args));
	n += snprintf(args + n, sizeof(args) - n, ",timeout_ms=%u,wb_count=%u",
		      timeout_ms,
		      write_backs[e2e_range(&t->rng, 0, RTE_DIM(write_backs) - 1)]);
	if (s->devargs != NULL)
		snprintf(args + n, sizeof(args) - n, ",%s", s->devargs);
	ret = rte_eal_hotplug_add("vdev", s->card->device, args);
	CHECK(t, ret == 0, "devargs '%s' refused: %d", args, ret);
	ret = rte_cryptodev_get_dev_id(s->card->device);
	CHECK(t, ret >= 0, "no device");
	t->dev = (uint8_t)ret;
	rte_cryptodev_info_get(t->dev, &t->info);
	/* An accel-device keeps a fault that has not struck before the end of the last life. */
	return clear_faults(s);
}

unsigned int
soak_session_size(const struct soak *s)
{
	char args[256];
	struct e2e_rng r = { 0 };
	unsigned int size;

	s->card->args(&r, SOAK_QUEUE_PAIRS, args, sizeof(args));
	if (rte_eal_hotplug_add("vdev", s->card->device, args) != 0)
		return 0;
	size = rte_cryptodev_sym_get_private_session_size(
		(uint8_t)rte_cryptodev_get_dev_id(s->card->device));
	return rte_eal_hotplug_remove("vdev", s->card->device) == 0 ? size : 0;
}

static int
set_up(struct soak *s)
{
	struct e2e *t = &s->base;

	s->nb_lanes = e2e_range(&t->rng, 1, SOAK_LANES);
	s->set_ups++;
	return e2e_dev_setup_all(t, t->dev, (uint16_t)(SOAK_FIRST_QP + s->nb_lanes),
				 e2e_range(&t->rng, 1, 300));
}

/* Waits for all that is in flight. */
static int
drain(struct soak *s)
{
	unsigned int i;

	for (i = 0; i < SOAK_LANES; i++) {
		while (!soak_lane_is_empty(&s->lane[i])) {
			TRY(result(s, soak_lane_take(&s->lane[i], s->may_fail), &s->lane[i].t));
			if (s->lane[i].empty_ms != 0)
				e2e_relax();
		}
	}
	TRY(result(s, soak_ipsec_drain(&s->ipsec, s->may_fail), &s->ipsec.t));
	return result(s, soak_pk_drain(&s->pk, s->may_fail), &s->pk.t);
}

static int
inject(struct soak *s)
{
	const unsigned int i = e2e_range(&s->base.rng, 0, RTE_DIM(faults) - 1);
	char text[64];
	int ret;

	snprintf(text, sizeof(text), "%s@%u", faults[i].name,
		 e2e_range(&s->base.rng, 1, FAULT_AHEAD));
	s->may_fail = true;
	ret = s->card->fault(s->base.dev, text);
	CHECK(&s->base, ret == 0, "fault '%s' refused: %d", text, ret);
	faults[i].injected++;
	s->lasting = faults[i].lasting;
	return E2E_PASS;
}

/* Operations in flight come back after the start. */
static int
stop_and_start(struct soak *s)
{
	int ret;

	rte_cryptodev_stop(s->base.dev);
	ret = rte_cryptodev_start(s->base.dev);
	CHECK(&s->base, ret == 0, "no start after a stop: %d", ret);
	s->may_fail = true; /* what the device had not answered comes back with an error */
	s->starts++;
	return E2E_PASS;
}

static int
reset_one(struct soak *s)
{
	const uint16_t qp = (uint16_t)e2e_range(&s->base.rng, 0, SOAK_FIRST_QP + s->nb_lanes - 1);
	int ret = rte_pmd_accel_qp_reset(s->base.dev, qp);

	/* A card that a fault has just killed cannot start it. The driver heals it later. */
	CHECK(&s->base, ret == 0 || s->may_fail, "reset of queue pair %u: %d", qp, ret);
	s->may_fail = true;
	s->resets++;
	return E2E_PASS;
}

static int
kill_card(struct soak *s)
{
	CHECK(&s->base, s->card->kill() == 0, "accel-device was not started again");
	s->may_fail = true;
	s->kills++;
	return E2E_PASS;
}

static int
act(struct soak *s)
{
	if (s->lasting)
		return clear_faults(s);
	/* Those of 2 to 4 break nothing. */
	switch (s->calm ? e2e_range(&s->base.rng, 2, 4) : e2e_range(&s->base.rng, 0, 9)) {
	case 0:
		return stop_and_start(s);
	case 1:
		return reset_one(s);
	case 2:
		TRY(drain(s));
		return set_up(s);
	case 3: /* little in flight for a while */
		s->lane[e2e_range(&s->base.rng, 0, SOAK_LANES - 1)].most =
			e2e_range(&s->base.rng, 1, 4);
		return E2E_PASS;
	case 4:
		s->lane[e2e_range(&s->base.rng, 0, SOAK_LANES - 1)].most = E2E_SLOTS;
		return E2E_PASS;
	case 5:
		if (s->card->kill != NULL)
			return kill_card(s);
		/* fallthrough */
	default:
		return inject(s);
	}
}

/* Sends and takes on each lane once. Yields if nothing came back for a while, since the device may
 * need the CPU. On a busy machine each yield costs milliseconds. */
static int
round_of_lanes(struct soak *s)
{
	struct soak_lane *l;
	bool waits = true;
	unsigned int i;

	for (i = 0; i < s->nb_lanes; i++) {
		l = &s->lane[i];
		TRY(result(s, soak_lane_send(l), &l->t));
		TRY(result(s, soak_lane_take(l, s->may_fail), &l->t));
		waits &= l->empty_ms != 0;
	}
	s->empty_rounds = waits ? s->empty_rounds + 1 : 0;
	if (s->empty_rounds % EMPTY_ROUNDS == EMPTY_ROUNDS - 1)
		e2e_relax();
	TRY(result(s, soak_ipsec_step(&s->ipsec, s->may_fail), &s->ipsec.t));
	return result(s, soak_pk_step(&s->pk, s->may_fail), &s->pk.t);
}

static int
work(struct soak *s)
{
	const uint64_t life = at_least(&s->base.rng, LIFE_MIN, LIFE_POWERS),
		       end = RTE_MIN(soak_done(s) + RTE_MIN(life, s->max_life), s->max_ops);
	uint64_t next = 0, done;
	unsigned int rounds;

	for (rounds = 1;; rounds++) {
		TRY(round_of_lanes(s));
		done = soak_done(s);
		if (done >= end || (rounds % ROUNDS == 0 && e2e_now_ms() >= s->end_ms))
			return drain(s);
		if (done < next)
			continue;
		if (next != 0)
			TRY(act(s));
		next = done + (s->lasting ? PAUSE_MIN :
					    at_least(&s->base.rng, PAUSE_MIN, PAUSE_POWERS));
	}
}

int
soak_life(struct soak *s)
{
	unsigned int i;

	s->calm = e2e_chance(&s->base.rng, CALM_ONE_IN);
	TRY(plug(s));
	TRY(set_up(s));
	for (i = 0; i < SOAK_LANES; i++) {
		TRY(result(s, soak_lane_begin(&s->lane[i], &s->base), &s->lane[i].t));
	}
	TRY(result(s, soak_pk_begin(&s->pk, &s->base), &s->pk.t));
	TRY(result(s, soak_ipsec_begin(&s->ipsec, &s->base), &s->ipsec.t));
	TRY(work(s));
	e2e_dev_stop(s->base.dev);
	for (i = 0; i < SOAK_LANES; i++) {
		TRY(result(s, soak_lane_end(&s->lane[i]), &s->lane[i].t));
	}
	TRY(result(s, soak_ipsec_end(&s->ipsec), &s->ipsec.t));
	TRY(soak_pk_end(&s->pk));
	CHECK(&s->base, rte_eal_hotplug_remove("vdev", s->card->device) == 0,
	      "the device cannot be removed");
	s->lives++;
	s->lives_qps += SOAK_FIRST_QP + s->nb_lanes;
	s->calm_lives += s->calm;
	return E2E_PASS;
}

void
soak_life_print(const struct soak *s)
{
	unsigned int i;

	printf("faults injected:");
	for (i = 0; i < RTE_DIM(faults); i++)
		printf(" %s %" PRIu64, faults[i].name, faults[i].injected);
	printf("\n%" PRIu64 " devices plugged and unplugged, %" PRIu64
	       " of them without anything that breaks; %" PRIu64 " set-ups, %" PRIu64
	       " stops and starts with operations in flight, %" PRIu64 " resets of queue pairs, %"
	       PRIu64 " kills of accel-device\n",
	       s->lives, s->calm_lives, s->set_ups, s->starts, s->resets, s->kills);
	printf("asymmetric: %" PRIu64 " right, %" PRIu64 " with an error, %" PRIu64
	       " symmetric ones in the same bursts; IPsec: %" PRIu64 " right, %" PRIu64
	       " with an error\n", s->pk.right, s->pk.errors, s->pk.blocks, s->ipsec.right,
	       s->ipsec.errors);
}
