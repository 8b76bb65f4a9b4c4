/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the driver alone costs: cycles per operation of enqueue and dequeue on one core, without a
 * device. The test plays the card between the bursts, outside the timed part: it writes the
 * responses and the pointer. One segment, in place, one session; operations and mbufs are laid out
 * as in dpdk-test-crypto-perf.
 *
 *   driver-cost [cipher|chain|aead] [burst] [bursts]
 *
 * Under valgrind --tool=callgrind --toggle-collect=accel_enqueue_burst (or accel_dequeue_burst) the
 * instructions per operation are repeatable; tools/py/instructions.py does that.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_mbuf.h>

#include "accel_queue.h"
#include "accel_session.h"

#define NB_DESC 2048u
#define NB_OPS 4096u /* objects of the pool that the operations come from */
#define BUF_LEN 1024u

struct object {
	struct rte_crypto_op op;
	struct rte_crypto_sym_op sym;
	uint8_t iv[16];
	uint8_t pad[64];
	alignas(RTE_CACHE_LINE_SIZE) struct rte_mbuf mbuf;
	uint8_t data[128];
};

static struct accel_dev dev;
static struct accel_qp *qp;
static struct accel_hw_response *responses;
static struct accel_hw_writeback *wb;
static struct object *objects;
static struct rte_cryptodev_sym_session *session;
static uint64_t doorbell;
static uint8_t bar[4 * ACCEL_HW_PAGE_SIZE];

static void *
zalloc(size_t size)
{
	void *p = aligned_alloc(4096, RTE_ALIGN_CEIL(size, (size_t)4096));

	if (p == NULL)
		abort();
	memset(p, 0, RTE_ALIGN_CEIL(size, (size_t)4096));
	return p;
}

static void
make_session(const char *kind)
{
	struct accel_session *sess;

	session = zalloc(sizeof(*session) + sizeof(*sess) + RTE_CACHE_LINE_SIZE);
	sess = (struct accel_session *)session->driver_priv_data;
	sess->command.opcode = ACCEL_HW_OP_SYM;
	sess->kind = sess->straight = ACCEL_HW_KIND_CIPHER;
	sess->iv_offset = offsetof(struct object, iv);
	sess->iv_len = 16;
	if (strcmp(kind, "chain") == 0) {
		sess->kind = sess->straight = ACCEL_HW_KIND_CIPHER_THEN_AUTH;
		sess->digest_len = 20;
		sess->generate = 1;
	} else if (strcmp(kind, "aead") == 0) {
		sess->kind = sess->straight = ACCEL_HW_KIND_AEAD;
		sess->digest_len = 16;
		sess->generate = 1;
		sess->aad_len = 12;
		sess->iv_len = 12;
	}
}

static void
make_objects(void)
{
	unsigned int i;

	objects = zalloc(NB_OPS * sizeof(*objects));
	for (i = 0; i < NB_OPS; i++) {
		struct object *o = &objects[i];

		o->op.type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
		o->op.sess_type = RTE_CRYPTO_OP_WITH_SESSION;
		o->sym.session = session;
		o->sym.m_src = &o->mbuf;
		o->sym.cipher.data.length = 64;
		o->mbuf.buf_iova = (uintptr_t)o->data;
		o->mbuf.data_len = 128;
		o->mbuf.nb_segs = 1;
	}
}

static void
set_op(struct object *o)
{
	const struct accel_session *sess = (const struct accel_session *)session->driver_priv_data;

	if (sess->kind == ACCEL_HW_KIND_AEAD) {
		o->sym.aead.data.offset = 0;
		o->sym.aead.data.length = 64;
		o->sym.aead.aad.phys_addr = (uintptr_t)o->pad;
		o->sym.aead.digest.phys_addr = (uintptr_t)(o->data + 64);
		return;
	}
	o->sym.cipher.data.offset = 0;
	o->sym.cipher.data.length = 64;
	o->sym.auth.data.offset = 0;
	o->sym.auth.data.length = 64;
	o->sym.auth.digest.phys_addr = (uintptr_t)(o->data + 64);
}

static void
make_queue(void)
{
	struct accel_hw_command *commands;

	qp = zalloc(sizeof(*qp));
	responses = zalloc(2 * NB_DESC * sizeof(*responses));
	wb = zalloc(sizeof(*wb));
	dev.bar = bar;
	dev.name = "bench";
	qp->dev = &dev;
	qp->nb_desc = NB_DESC;
	qp->desc_mask = NB_DESC - 1;
	qp->rsp_size = 2 * NB_DESC;
	qp->responses = responses;
	qp->wb = wb;
	qp->inflight = zalloc(NB_DESC * sizeof(*qp->inflight));
	commands = zalloc(NB_DESC * sizeof(*commands));
	accel_qp_set_commands(qp, commands, (uintptr_t)commands);
	qp->doorbell = &doorbell;
	qp->max_fragments = 256;
	qp->max_frame_bytes = 1 << 20;
	qp->mode = ACCEL_QP_RUNNING;
	qp->resets = &dev.resets;
	accel_ring_init(&qp->tx, zalloc(NB_DESC * ACCEL_TX_PER_OP * 8), NB_DESC * ACCEL_TX_PER_OP);
	accel_ring_init(&qp->rx, zalloc(NB_DESC * ACCEL_RX_PER_OP * 8), NB_DESC * ACCEL_RX_PER_OP);
}

/* The card: answers everything up to the last accepted operation. */
static void
play_card(uint32_t from, uint32_t to)
{
	for (; from != to; from++)
		responses[from & (2 * NB_DESC - 1)] = (struct accel_hw_response){.tag = from};
	wb->rsp_hhp = to & (2 * NB_DESC - 1);
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "cipher";
	const unsigned int burst = argc > 2 ? (unsigned int)atoi(argv[2]) : 32;
	const unsigned int bursts = argc > 3 ? (unsigned int)atoi(argv[3]) : 20000;
	uint64_t enqueue = 0, dequeue = 0, best_enqueue = UINT64_MAX, best_dequeue = UINT64_MAX;
	struct rte_crypto_op *ops[256];
	unsigned int i, n, next = 0;

	if (burst == 0 || burst > RTE_DIM(ops) || bursts == 0)
		return 1;
	make_session(kind);
	make_objects();
	make_queue();
	for (n = 0; n < bursts; n++) {
		const uint32_t from = qp->prod;
		uint64_t start, cycles;
		uint16_t done;

		for (i = 0; i < burst; i++, next = (next + 1) % NB_OPS) {
			set_op(&objects[next]);
			ops[i] = &objects[next].op;
		}
		start = rte_rdtsc_precise();
		done = accel_enqueue_burst(qp, ops, burst);
		cycles = rte_rdtsc_precise() - start;
		enqueue += cycles;
		best_enqueue = RTE_MIN(best_enqueue, cycles);
		if (done != burst)
			return 2;
		play_card(from, qp->prod);
		start = rte_rdtsc_precise();
		done = accel_dequeue_burst(qp, ops, burst);
		cycles = rte_rdtsc_precise() - start;
		dequeue += cycles;
		best_dequeue = RTE_MIN(best_dequeue, cycles);
		if (done != burst || ops[0]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return 3;
	}
	printf("%s burst %u: enqueue %.1f (best burst %.1f), dequeue %.1f (best burst %.1f) "
	       "cycles/op\n",
	       kind, burst, (double)enqueue / n / burst, (double)best_enqueue / burst,
	       (double)dequeue / n / burst, (double)best_dequeue / burst);
	return 0;
}
