/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sends the operations of the multi-process test: AES-128-ECB of a known block, repeated, so that
 * each result is compared with the standard. Shared memory records where each operation is, so that
 * the operations of a killed process can be counted.
 */
#include <string.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "e2e_op.h"
#include "mp.h"

#define MAX_BLOCKS 64u
#define BLOCK 16u
#define STALL_S 60u /* no operation came back for so long */

/* The vector is the first block of SP 800-38A F.1.1, ECB-AES128. */
static const uint8_t key[16] = { 0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
				 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c };
static const uint8_t plain[BLOCK] = { 0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
				      0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a };
static const uint8_t coded[BLOCK] = { 0x3a, 0xd7, 0x7b, 0xb4, 0x0d, 0x7a, 0x36, 0x60,
				      0xa8, 0x9e, 0xca, 0xf3, 0x24, 0x66, 0xef, 0x97 };

/* The private data of an operation is its slot. */
struct op_private {
	struct mp_slot *slot;
};

#define OP_PRIVATE_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))

static struct op_private *
op_private(struct rte_crypto_op *op)
{
	return rte_crypto_op_ctod_offset(op, struct op_private *, OP_PRIVATE_OFFSET);
}

uint64_t
mp_traffic_random(struct mp_traffic *t)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	return t->random;
}

void *
mp_session_open(uint8_t dev, struct rte_mempool *pool)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = RTE_CRYPTO_CIPHER_AES_ECB,
			.key = { .data = key, .length = sizeof(key) },
		},
	};

	return rte_cryptodev_sym_session_create(dev, &xform, pool);
}

struct rte_mempool *
mp_session_pool(void)
{
	return rte_mempool_lookup("mp_sessions");
}

bool
mp_traffic_create(struct mp_shared *shared, uint64_t seed)
{
	const unsigned int nb = MP_QPS * MP_SLOTS;
	struct rte_mempool *mbufs, *ops;

	mbufs = rte_pktmbuf_pool_create("mp_mbufs", nb, 0, 0,
					RTE_PKTMBUF_HEADROOM + MAX_BLOCKS * BLOCK, SOCKET_ID_ANY);
	ops = rte_crypto_op_pool_create("mp_ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, nb, 0,
					sizeof(struct op_private), SOCKET_ID_ANY);
	if (mbufs == NULL || ops == NULL)
		return false;
	for (unsigned int q = 0; q < MP_QPS; q++) {
		shared->traffic[q].random = seed * MP_QPS + q + 1;
		for (unsigned int i = 0; i < MP_SLOTS; i++) {
			struct mp_slot *slot = &shared->traffic[q].slot[i];

			slot->op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
			if (slot->op == NULL)
				return false;
			slot->op->sym->m_src = rte_pktmbuf_alloc(mbufs);
			if (slot->op->sym->m_src == NULL)
				return false;
			op_private(slot->op)->slot = slot;
		}
	}
	return true;
}

static void
prepare(struct mp_traffic *t, struct mp_slot *slot, void *session)
{
	struct rte_mbuf *m = slot->op->sym->m_src;
	uint8_t *data;

	slot->blocks = 1 + mp_traffic_random(t) % MAX_BLOCKS;
	rte_pktmbuf_reset(m);
	data = (uint8_t *)rte_pktmbuf_append(m, slot->blocks * BLOCK);
	for (uint32_t i = 0; i < slot->blocks; i++)
		memcpy(data + i * BLOCK, plain, BLOCK);
	slot->op->sym->cipher.data.offset = 0;
	slot->op->sym->cipher.data.length = slot->blocks * BLOCK;
	rte_crypto_op_attach_sym_session(slot->op, session);
	slot->place = MP_OFFERED;
}

void
mp_traffic_take_back(struct mp_traffic *t, struct rte_crypto_op *op)
{
	struct mp_slot *slot = op_private(op)->slot;
	const uint8_t *data = rte_pktmbuf_mtod(op->sym->m_src, const uint8_t *);
	bool right = op->status == RTE_CRYPTO_OP_STATUS_SUCCESS;

	for (uint32_t i = 0; right && i < slot->blocks; i++)
		right = memcmp(data + i * BLOCK, coded, BLOCK) == 0;
	if (slot->place == MP_FREE) {
		t->wrong++; /* it came back twice */
	} else if (right) {
		t->good++;
		t->outages += t->in_outage;
		t->in_outage = false;
	} else if (op->status == RTE_CRYPTO_OP_STATUS_ERROR) {
		t->errors++;
		t->in_outage = true;
	} else {
		t->wrong++;
	}
	slot->place = MP_FREE;
}

void
mp_traffic_offer(struct mp_traffic *t, uint8_t dev, uint16_t qp, void *session, uint32_t nb)
{
	struct rte_crypto_op *ops[MP_BURST];
	struct mp_slot *slots[MP_BURST];
	uint32_t n = 0, sent;

	for (unsigned int i = 0; i < MP_SLOTS && n < nb; i++) {
		if (t->slot[i].place != MP_FREE)
			continue;
		prepare(t, &t->slot[i], session);
		slots[n] = &t->slot[i];
		ops[n++] = t->slot[i].op;
	}
	sent = rte_cryptodev_enqueue_burst(dev, qp, ops, n);
	for (uint32_t i = 0; i < n; i++) {
		slots[i]->serial = t->serial + i;
		slots[i]->place = i < sent ? MP_FLIGHT : MP_FREE;
	}
	t->serial += sent;
	t->accepted += sent;
}

static void
dequeue(struct mp_traffic *t, uint8_t dev, uint16_t qp)
{
	struct rte_crypto_op *ops[MP_BURST];
	uint16_t n;

	__atomic_store_n(&t->in_dequeue, 1, __ATOMIC_SEQ_CST);
	n = rte_cryptodev_dequeue_burst(dev, qp, ops, 1 + mp_traffic_random(t) % MP_BURST);
	for (uint16_t i = 0; i < n; i++)
		mp_traffic_take_back(t, ops[i]);
	__atomic_store_n(&t->in_dequeue, 0, __ATOMIC_SEQ_CST);
}

uint32_t
mp_traffic_in_flight(const struct mp_traffic *t)
{
	uint32_t n = 0;

	for (unsigned int i = 0; i < MP_SLOTS; i++)
		n += t->slot[i].place != MP_FREE;
	return n;
}

void
mp_traffic_round(struct mp_traffic *t, uint8_t dev, uint16_t qp, void *session,
		 uint32_t max_flight)
{
	const uint32_t nb = 1 + mp_traffic_random(t) % MP_BURST;

	if (mp_traffic_in_flight(t) + nb <= max_flight)
		mp_traffic_offer(t, dev, qp, session, nb);
	dequeue(t, dev, qp);
}

bool
mp_traffic_drain(struct mp_traffic *t, uint8_t dev, uint16_t qp)
{
	uint64_t end = e2e_waited_ms() + STALL_S * MS_PER_S;
	uint64_t back = t->good + t->errors;

	while (mp_traffic_in_flight(t) != 0 && e2e_waited_ms() < end) {
		dequeue(t, dev, qp);
		if (t->good + t->errors != back)
			end = e2e_waited_ms() + STALL_S * MS_PER_S;
		back = t->good + t->errors;
	}
	return mp_traffic_in_flight(t) == 0;
}

bool
mp_traffic_run(struct mp_traffic *t, uint8_t dev, uint16_t qp, void *session, uint64_t nb)
{
	const uint64_t wanted = t->good + nb, errors = t->errors, wrong = t->wrong;
	uint64_t end = e2e_waited_ms() + STALL_S * MS_PER_S;
	uint64_t good = t->good;

	while (t->good < wanted && e2e_waited_ms() < end) {
		mp_traffic_round(t, dev, qp, session, MP_SLOTS);
		if (t->good != good)
			end = e2e_waited_ms() + STALL_S * MS_PER_S;
		good = t->good;
	}
	return mp_traffic_drain(t, dev, qp) && t->good >= wanted && t->errors == errors &&
	       t->wrong == wrong;
}
