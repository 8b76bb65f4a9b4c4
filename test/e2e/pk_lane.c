/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Sends and judges asymmetric operations beside symmetric ones: see pk_lane.h.
 */

#include <rte_mempool.h>

#include "pk_lane.h"

#define MAGIC UINT64_C(0x6b3e90d1a5f27c48)
#define STUCK_MS 60000	/* nothing came back for so long: it hangs */

/* The private area of an operation says which one it is. Nobody may write to it. */
struct tag {
	uint64_t magic;
	const void *lane;
	uint64_t number;
};

#define TAG_AT (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_asym_op))

/* Keys of more bits are only used without --quick, since they take long to make. */
static const struct {
	enum rte_crypto_asym_xform_type type;
	unsigned int size;
	bool large;
} all_keys[] = {
	{ RTE_CRYPTO_ASYM_XFORM_RSA, 1024, false },
	{ RTE_CRYPTO_ASYM_XFORM_RSA, 2048, false },
	{ RTE_CRYPTO_ASYM_XFORM_RSA, 4096, true },
	{ RTE_CRYPTO_ASYM_XFORM_MODEX, 256, false },
	{ RTE_CRYPTO_ASYM_XFORM_MODEX, 1024, false },
	{ RTE_CRYPTO_ASYM_XFORM_MODEX, 4096, false },
	{ RTE_CRYPTO_ASYM_XFORM_MODINV, 512, false },
	{ RTE_CRYPTO_ASYM_XFORM_MODINV, 2048, false },
	{ RTE_CRYPTO_ASYM_XFORM_DH, 2048, false },
	{ RTE_CRYPTO_ASYM_XFORM_DH, 3072, true },
	{ RTE_CRYPTO_ASYM_XFORM_DSA, 1024, false },
	{ RTE_CRYPTO_ASYM_XFORM_DSA, 2048, true },
	{ RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_EC_GROUP_SECP192R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_EC_GROUP_SECP224R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_EC_GROUP_SECP256R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_EC_GROUP_SECP384R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_EC_GROUP_SECP521R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_SECP192R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_SECP224R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_SECP256R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_SECP384R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_SECP521R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECPM, RTE_CRYPTO_EC_GROUP_SECP256R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_ECPM, RTE_CRYPTO_EC_GROUP_SECP521R1, false },
	{ RTE_CRYPTO_ASYM_XFORM_NONE, 0, false },
};

/* Keys of this run, made when they are first needed. */
static struct ref_pk_key made[RTE_DIM(all_keys)];

static_assert(RTE_DIM(all_keys) <= PK_KEYS, "pk_keys");

static bool
offered(uint8_t dev, enum rte_crypto_asym_xform_type type)
{
	const struct rte_cryptodev_asym_capability_idx idx = { .type = type };

	/* Capabilities do not name random numbers. */
	return type == RTE_CRYPTO_ASYM_XFORM_NONE ||
	       rte_cryptodev_asym_capability_get(dev, &idx) != NULL;
}

static int
add_key(struct e2e *t, unsigned int i, struct pk_keys *keys)
{
	struct ref_pk_key *key = &made[i];
	uint64_t random = e2e_rand(&t->rng) | 1;
	int ret;

	if (key->xform.xform_type == 0)
		CHECK(t, ref_pk_key_make(key, all_keys[i].type, all_keys[i].size, &random),
		      "no key %u", i);
	ret = rte_cryptodev_asym_session_create(keys->dev, &key->xform, keys->pool,
						&keys->session[keys->nb]);
	CHECK(t, ret == 0, "no session for %s: %d", ref_pk_name(key), ret);
	keys->key[keys->nb++] = key;
	return E2E_PASS;
}

int
pk_keys_open(struct e2e *t, uint8_t dev, struct pk_keys *keys)
{
	static unsigned int serial;
	struct rte_cryptodev_info info;
	char name[RTE_MEMPOOL_NAMESIZE];
	unsigned int i;

	memset(keys, 0, sizeof(*keys));
	keys->dev = dev;
	rte_cryptodev_info_get(dev, &info);
	if ((info.feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) == 0)
		return e2e_skip(t, "the device has no asymmetric operations");
	snprintf(name, sizeof(name), "e2e_pk_sess_%u", serial++);
	keys->pool = rte_cryptodev_asym_session_pool_create(name, PK_KEYS, 0, 0, SOCKET_ID_ANY);
	CHECK(t, keys->pool != NULL, "no memory for sessions");
	for (i = 0; i < RTE_DIM(all_keys); i++) {
		if (offered(dev, all_keys[i].type) && !(all_keys[i].large && t->quick))
			TRY(add_key(t, i, keys));
	}
	return E2E_PASS;
}

void
pk_keys_close(struct pk_keys *keys)
{
	unsigned int i;

	for (i = 0; i < keys->nb; i++)
		rte_cryptodev_asym_session_free(keys->dev, keys->session[i]);
	rte_mempool_free(keys->pool);
	memset(keys, 0, sizeof(*keys));
}

int
pk_lane_open(struct e2e *t, const struct pk_keys *keys, uint16_t qp, struct pk_lane *l)
{
	static unsigned int serial;
	char name[RTE_MEMPOOL_NAMESIZE];
	unsigned int i;

	memset(l, 0, sizeof(*l));
	l->t = t;
	l->keys = keys;
	l->dev = keys->dev;
	l->qp = qp;
	l->random = e2e_rand(&t->rng) | 1;
	l->last_ms = e2e_waited_ms();
	TRY(e2e_bulk_open(t, l->dev, PK_BLOCKS, PK_BLOCK, &l->b));
	l->plain = malloc(PK_BLOCKS * PK_BLOCK);
	l->item = calloc(PK_ITEMS, sizeof(*l->item));
	snprintf(name, sizeof(name), "e2e_pk_op_%u", serial++);
	l->pool = rte_crypto_op_pool_create(name, RTE_CRYPTO_OP_TYPE_ASYMMETRIC, PK_ITEMS, 0,
					    sizeof(struct tag), SOCKET_ID_ANY);
	CHECK(t, l->plain != NULL && l->item != NULL && l->pool != NULL, "no memory");
	for (i = 0; i < PK_BLOCKS; i++)
		memcpy(l->plain + i * PK_BLOCK, rte_pktmbuf_mtod(l->b.mbuf[i], void *), PK_BLOCK);
	for (i = 0; i < PK_ITEMS; i++) {
		l->item[i].op = rte_crypto_op_alloc(l->pool, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
		CHECK(t, l->item[i].op != NULL, "no operation");
		*rte_crypto_op_ctod_offset(l->item[i].op, struct tag *, TAG_AT) =
			(struct tag){ MAGIC, l, i };
	}
	return E2E_PASS;
}

void
pk_lane_close(struct pk_lane *l)
{
	e2e_bulk_close(&l->b);
	rte_mempool_free(l->pool);
	free(l->plain);
	free(l->item);
	memset(l, 0, sizeof(*l));
}

/* ------------------------------------------------------------------ enqueue */

int
pk_lane_fill(struct pk_lane *l, unsigned int number, unsigned int key, unsigned int type,
	     bool sessionless)
{
	struct pk_item *item = &l->item[number];
	struct rte_crypto_op *op = item->op;

	CHECK(l->t, ref_pk_fill(&item->job, l->keys->key[key], type, &l->random),
	      "OpenSSL cannot compute %s, type %u", ref_pk_name(l->keys->key[key]), type);
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	*op->asym = item->job.asym;
	if (sessionless) {
		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		op->asym->xform = &l->keys->key[key]->xform;
		item->named = op->asym->xform;
	} else {
		rte_crypto_op_attach_asym_session(op, l->keys->session[key]);
		item->named = l->keys->session[key];
	}
	return E2E_PASS;
}

static int
fill_random(struct pk_lane *l, unsigned int number)
{
	const unsigned int key = ref_pk_random(&l->random) % l->keys->nb;
	const unsigned int types = ref_pk_types(l->keys->key[key]->xform.xform_type);

	return pk_lane_fill(l, number, key, ref_pk_random(&l->random) % types,
			    ref_pk_random(&l->random) % 4 == 0);
}

/* Finds an idle operation, or returns `most`. */
static unsigned int
find_idle(struct pk_lane *l, const bool *taken, unsigned int most)
{
	const unsigned int begin = ref_pk_random(&l->random) % most;
	unsigned int i;

	for (i = 0; i < most; i++) {
		if (!taken[(begin + i) % most])
			return (begin + i) % most;
	}
	return most;
}

static void
push(struct pk_order *order, unsigned int number)
{
	order->number[order->tail++ % PK_BLOCKS] = (uint16_t)number;
}

/* Records what was accepted, and gives the rest back. */
static void
record(struct pk_lane *l, struct rte_crypto_op **ops, unsigned int n, unsigned int sent)
{
	unsigned int i, number;

	for (i = 0; i < n; i++) {
		if (ops[i]->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC) {
			number = rte_crypto_op_ctod_offset(ops[i], struct tag *, TAG_AT)->number;
			l->taken[number] = i < sent;
			if (i < sent)
				push(&l->asym, number);
		} else {
			number = e2e_bulk_index(&l->b, ops[i]);
			l->sent_block[number] = i < sent;
			if (i < sent)
				push(&l->sym, number);
		}
	}
}

int
pk_lane_send(struct pk_lane *l)
{
	return pk_lane_send_some(l, PK_BURST);
}

int
pk_lane_send_some(struct pk_lane *l, unsigned int most)
{
	/* Bursts of one kind, and mixed ones. */
	const unsigned int asym_of_8 = ref_pk_random(&l->random) % 9;
	const unsigned int n = 1 + ref_pk_random(&l->random) % RTE_MIN(most, PK_BURST);
	struct rte_crypto_op *ops[PK_BURST];
	unsigned int i, k, nb = 0;

	for (i = 0; i < n; i++) {
		if (ref_pk_random(&l->random) % 8 < asym_of_8) {
			k = find_idle(l, l->taken, PK_ITEMS);
			if (k == PK_ITEMS)
				continue;
			TRY(fill_random(l, k));
			l->taken[k] = true;
			ops[nb++] = l->item[k].op;
		} else {
			k = find_idle(l, l->sent_block, PK_BLOCKS);
			if (k == PK_BLOCKS)
				continue;
			l->sent_block[k] = true;
			l->b.seen[k] = 0;
			ops[nb++] = l->b.op[k];
		}
	}
	record(l, ops, nb, nb != 0 ? rte_cryptodev_enqueue_burst(l->dev, l->qp, ops, nb) : 0);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ dequeue */

/* Says whether the operation that came back is the one that has waited longest. */
static bool
pop(struct pk_order *order, unsigned int number)
{
	return order->head != order->tail && order->number[order->head++ % PK_BLOCKS] == number;
}

static void
went_well(struct pk_lane *l, bool *outage)
{
	l->healed += *outage;
	*outage = false;
}

static int
judge_asym(struct pk_lane *l, struct rte_crypto_op *op)
{
	const struct tag *tag = rte_crypto_op_ctod_offset(op, struct tag *, TAG_AT);
	const struct pk_item *item;
	const char *name;

	CHECK(l->t, op->mempool == l->pool && tag->magic == MAGIC && tag->lane == l &&
	      tag->number < PK_ITEMS, "qp %u: an op that was never sent, or its data are wrong",
	      l->qp);
	item = &l->item[tag->number];
	name = ref_pk_name(item->job.key);
	CHECK(l->t, l->taken[tag->number], "qp %u: %s came back twice", l->qp, name);
	l->taken[tag->number] = false;
	CHECK(l->t, pop(&l->asym, (unsigned int)tag->number), "qp %u: %s is out of order", l->qp,
	      name);
	CHECK(l->t, (void *)op->asym->session == item->named, "the session of %s changed", name);
	if (op->status != item->job.want && l->may_fail &&
	    op->status == RTE_CRYPTO_OP_STATUS_ERROR) {
		l->bad++;
		l->outage = true;
		return E2E_PASS;
	}
	CHECK(l->t, op->status == item->job.want, "%s, type %u, sess_type %u: status %s, not %s",
	      name, item->job.type, op->sess_type, e2e_status_name(op->status),
	      e2e_status_name(item->job.want));
	CHECK(l->t, ref_pk_right(&item->job, op->asym), "%s, type %u: wrong result", name,
	      item->job.type);
	l->good++;
	if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		went_well(l, &l->outage);
	return E2E_PASS;
}

static int
judge_block(struct pk_lane *l, struct rte_crypto_op *op)
{
	const unsigned int i = e2e_bulk_index(&l->b, op);

	CHECK(l->t, i < PK_BLOCKS && l->sent_block[i], "qp %u: a symmetric op that was not sent",
	      l->qp);
	CHECK(l->t, pop(&l->sym, i), "qp %u: symmetric op %u is out of order", l->qp, i);
	if (op->status == RTE_CRYPTO_OP_STATUS_ERROR && l->may_fail) {
		l->bad_blocks++;
		l->outage_blocks = true;
	} else {
		TRY(e2e_bulk_check(l->t, &l->b, i, op));
		l->good_blocks++;
		went_well(l, &l->outage_blocks);
	}
	memcpy(rte_pktmbuf_mtod(l->b.mbuf[i], void *), l->plain + (size_t)i * PK_BLOCK, PK_BLOCK);
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	l->sent_block[i] = false;
	return E2E_PASS;
}

int
pk_lane_take(struct pk_lane *l)
{
	struct rte_crypto_op *ops[PK_BURST];
	unsigned int i, n;

	n = rte_cryptodev_dequeue_burst(l->dev, l->qp, ops,
					1 + ref_pk_random(&l->random) % PK_BURST);
	for (i = 0; i < n; i++) {
		if (ops[i]->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC)
			TRY(judge_asym(l, ops[i]));
		else
			TRY(judge_block(l, ops[i]));
	}
	if (n != 0 || pk_lane_in_flight(l) == 0)
		l->last_ms = e2e_waited_ms();
	else
		e2e_relax();
	CHECK(l->t, e2e_waited_ms() - l->last_ms < STUCK_MS,
	      "qp %u: %u asymmetric and %u symmetric ops never came back", l->qp,
	      l->asym.tail - l->asym.head, l->sym.tail - l->sym.head);
	return E2E_PASS;
}

unsigned int
pk_lane_in_flight(const struct pk_lane *l)
{
	return l->asym.tail - l->asym.head + l->sym.tail - l->sym.head;
}

int
pk_lane_settle(struct pk_lane *l)
{
	while (pk_lane_in_flight(l) != 0)
		TRY(pk_lane_take(l));
	return E2E_PASS;
}

int
pk_lane_one(struct pk_lane *l, unsigned int item)
{
	struct rte_crypto_op *op = l->item[item].op;
	const unsigned int sent = rte_cryptodev_enqueue_burst(l->dev, l->qp, &op, 1);

	record(l, &op, 1, sent);
	CHECK(l->t, sent == 1, "%s was not accepted", ref_pk_name(l->item[item].job.key));
	return pk_lane_settle(l);
}
