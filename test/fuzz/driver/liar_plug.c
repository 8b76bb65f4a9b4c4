/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How the device that lies is plugged in, and its device tree: see liar.h.
 */
#include "liar.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accel_probe.h"
#include "accel_transport.h"
#include "liar_state.h"
#include "liar_tree.h"

/*
 * A device that stays plugged in from input to input, since a probe takes longer than most inputs,
 * and what it was when it had just been plugged in.
 */
struct resident {
	struct rte_cryptodev *cryptodev;
	uint8_t *bar;
	struct accel_dev dev;
	void *vfs;
	size_t vfs_size;
};

static struct resident residents[LIAR_VERSIONS];
static size_t sizes[LIAR_VERSIONS]; /* of BAR0 */

/*
 * Transport.
 */

static void
on_isolate(struct accel_dev *dev)
{
	(void)dev;
	liar.off_bus = true;
	unlatch_all();
}

static int
on_revive(struct accel_dev *dev)
{
	liar.dev = dev;
	if ((liar.mood & MOOD_NO_REVIVAL) != 0)
		return -EIO;
	unlatch_all();
	liar.off_bus = false;
	liar.no_access = false;
	liar_fresh_registers();
	return 0;
}

static bool
on_has_access(const struct accel_dev *dev)
{
	(void)dev;
	return !liar.no_access;
}

static const char *
on_why_silent(const struct accel_dev *dev)
{
	(void)dev;
	return "it lies";
}

static unsigned int
on_total_vfs(const struct accel_dev *dev)
{
	(void)dev;
	return 4;
}

static void
on_relax(struct accel_dev *dev)
{
	liar.dev = dev;
	if (!liar.behaves && take_more() && (liar.probed || liar.lies_in_probe) && take_u8() < 64)
		liar_act();
	else
		liar_visit();
}

static const struct accel_transport transport = {
	.name = "liar",
	.isolate = on_isolate,
	.revive = on_revive,
	.has_access = on_has_access,
	.why_silent = on_why_silent,
	.total_vfs = on_total_vfs,
	.relax = on_relax,
};

/*
 * The device as a whole.
 */

/* Makes a device that nothing has happened to. */
static void
renew(unsigned int version, liar_find_t find)
{
	static const unsigned int ids[LIAR_QUEUES] = { 0, 1, ACCEL_DT_PK_QP, ACCEL_DT_PK_QP + 1,
						  ACCEL_DT_OWN_QP };
	static const struct rte_driver driver = { .name = "liar" };
	unsigned int i;

	memset(&liar, 0, sizeof(liar));
	liar.device.name = "crypto_liar";
	liar.device.driver = &driver;
	liar.version = version;
	liar.find = find;
	for (i = 0; i < LIAR_QUEUES; i++)
		liar.queue[i].id = ids[i];
	liar_bar_size = sizes[version];
	memcpy(liar_bar, liar_pristine[version], liar_bar_size);
}

static int
probe(const char *name, const struct accel_args *args)
{
	const struct accel_found found = {
		.name = name,
		.device = &liar.device,
		.socket_id = SOCKET_ID_ANY,
		.bar = liar_bar,
		.bar_size = liar_bar_size,
		.transport = &transport,
		.args = args,
	};

	return accel_probe(&found, &liar.cryptodev);
}

static void
settle(unsigned int version)
{
	struct resident *r = &residents[version];
	struct accel_args args;
	char name[16];

	liar_pristine[version] = liar_tree_make(version + 1 == LIAR_VERSIONS ?
							ACCEL_MODEL_CONTRACT_NEWEST :
							accel_model_contract_of(version),
						LIAR_PAIRS, &sizes[version]);
	r->bar = aligned_alloc(ACCEL_HW_PAGE_SIZE, sizes[version]);
	liar_bar = r->bar;
	renew(version, NULL);
	accel_args_default(&args);
	snprintf(name, sizeof(name), "crypto_liar%u", version);
	if (probe(name, &args) != 0)
		abort();
	r->cryptodev = liar.cryptodev;
	r->dev = *(struct accel_dev *)r->cryptodev->data->dev_private;
	if (r->dev.vfs == NULL)
		return;
	r->vfs_size = malloc_usable_size(r->dev.vfs);
	r->vfs = malloc(r->vfs_size);
	memcpy(r->vfs, r->dev.vfs, r->vfs_size);
}

void
liar_start(void)
{
	unsigned int i;

	world_keeps(true);
	for (i = 0; i < LIAR_VERSIONS; i++)
		settle(i);
	world_keeps(false);
	memset(&liar, 0, sizeof(liar));
}

/* Writes numbers of the input into some of a page's first words. */
static void
scribble(uint32_t page, unsigned int words)
{
	unsigned int n = take_below(8);

	while (n-- > 0)
		((uint32_t *)(liar_bar + page))[take_u8() % words] = liar_some_number();
}

/* What an earlier process has left, and what the device shows of it. */
static void
use(const struct accel_devtree *dt)
{
	static const uint32_t states[] = { ACCEL_HW_STATE_READY, ACCEL_HW_STATE_READY,
					   ACCEL_HW_STATE_READY, ACCEL_HW_STATE_RESETTING,
					   ACCEL_HW_STATE_BOOTING, ACCEL_HW_STATE_FATAL };
	unsigned int i;

	liar.used = true;
	identity()->state = states[take_below(RTE_DIM(states))];
	identity()->fatal_code = take_u8();
	identity()->reset_ack = liar_some_number();
	scribble(dt->control, sizeof(struct accel_hw_control) / 4);
	scribble(dt->invalidate, ACCEL_HW_INVALIDATE_WORDS);
	for (i = 0; i < LIAR_QUEUES; i++) {
		struct queue *q = &liar.queue[i];

		if (!accel_dt_has_qp(dt, q->id))
			continue;
		scribble(dt->qp[q->id].host, sizeof(struct accel_hw_qp_host) / 4);
		scribble(dt->qp[q->id].device, sizeof(struct accel_hw_qp_device) / 4);
		/* It has seen the last command, and may be at work on it. */
		q->control = ((struct accel_hw_qp_host *)(liar_bar + dt->qp[q->id].host))->control;
	}
}

struct rte_cryptodev *
liar_plug(unsigned int version, const struct accel_args *args, liar_find_t find, bool used)
{
	version %= LIAR_VERSIONS;
	liar_bar = aligned_alloc(ACCEL_HW_PAGE_SIZE, sizes[version]);
	renew(version, find);
	if (used)
		use(&residents[version].dev.dt);
	liar.lies_in_probe = true;
	if (probe("crypto_liar", args) != 0) {
		CLAIM(liar.lied || args->vf_shares[0] != '\0'); /* it may have no VFs */
		memset(&liar, 0, sizeof(liar));
		free(liar_bar);
		return NULL;
	}
	liar.dev = liar.cryptodev->data->dev_private;
	liar.probed = true;
	return liar.cryptodev;
}

void
liar_unplug(void)
{
	struct rte_cryptodev *cryptodev = liar.cryptodev;

	liar_behave();
	liar.probed = false;
	accel_remove(cryptodev);
	memset(&liar, 0, sizeof(liar));
	free(liar_bar);
}

struct rte_cryptodev *
liar_take(unsigned int version, const struct accel_args *args, liar_find_t find)
{
	struct resident *r = &residents[version % LIAR_VERSIONS];

	liar_bar = r->bar;
	renew(version % LIAR_VERSIONS, find);
	liar.cryptodev = r->cryptodev;
	liar.dev = r->cryptodev->data->dev_private;
	*liar.dev = r->dev;
	if (r->vfs != NULL)
		memcpy(r->dev.vfs, r->vfs, r->vfs_size);
	liar.dev->timeout_ms = (uint32_t)args->timeout_ms;
	liar.dev->recover = (enum accel_recover)args->recover;
	liar.dev->refuse_when_dead = args->refuse_when_dead != 0;
	liar.probed = true;
	return liar.cryptodev;
}

void
liar_leave(void)
{
	struct rte_cryptodev *cryptodev = liar.cryptodev;

	liar_behave();
	liar.probed = false;
	rte_cryptodev_stop(cryptodev->data->dev_id);
	CLAIM(cryptodev->dev_ops->dev_close(cryptodev) == 0);
	memset(&liar, 0, sizeof(liar));
}

uint8_t *
liar_tree_spoilt(size_t *len)
{
	const uint8_t how = take_u8();
	const struct accel_hw_identity *id = (const void *)liar_pristine[how % LIAR_VERSIONS];
	unsigned int changes = how >> 4;
	uint8_t *blob;

	if (how == UINT8_MAX) {
		*len = RTE_MIN(world_input.left, (size_t)ACCEL_HW_DT_SIZE_MAX);
		blob = aligned_alloc(8, RTE_ALIGN_CEIL(*len + 1, 8ul));
		in_bytes(&world_input, blob, *len);
		return blob;
	}
	*len = id->dt_size;
	blob = aligned_alloc(8, *len);
	memcpy(blob, liar_pristine[how % LIAR_VERSIONS] + id->dt_offset, *len);
	while (changes-- > 0 && take_more()) {
		const uint32_t at = take_u16() % *len;

		switch (take_below(4)) {
		case 0:
			blob[at] = take_u8();
			break;
		case 1:
			memset(blob + (at & ~3u), 0, 4);
			blob[at | 3] = take_u8();
			break;
		case 2: {
			const uint32_t word = liar_some_number();

			memcpy(blob + (at & ~3u), &word, 4);
			break;
		}
		default: {
			const uint32_t from = take_u16() % *len, nb = take_u8();

			memmove(blob + at, blob + from, RTE_MIN(nb, *len - RTE_MAX(at, from)));
			break;
		}
		}
	}
	return blob;
}
