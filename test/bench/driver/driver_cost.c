/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures what the driver alone costs: cycles per operation of enqueue and dequeue on one core,
 * without a device. The test plays the card between the bursts, outside the timed part: it writes
 * the responses and the pointer. Beside it the same writes are made without a driver
 * (driver_bare.h); --compare checks that they are the same. Operations and mbufs are laid out as in
 * dpdk-test-crypto-perf. The payload lies on pages without any access right, so that a driver that
 * reads one byte of it is killed. --raw runs the same operations through the raw data path
 * (driver_raw.h). The kinds esp-out and esp-in are IPsec in tunnel mode, whose responses move the
 * data of the mbufs.
 *
 * Under valgrind --tool=callgrind --toggle-collect=accel_enqueue_burst (or accel_dequeue_burst) the
 * instructions per operation are repeatable; tools/py/counts/instructions.py does that.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <rte_cycles.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_prefetch.h>
#include <rte_security_driver.h>

#include "accel_datapath.h"
#include "accel_dev.h"
#include "accel_ipsec.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_queue_setup.h"
#include "accel_ring.h"
#include "accel_session.h"
#include "base/bench_help.h"
#include "driver_bare.h"
#include "driver_raw.h"

#define NB_DESC 2048u
#define RSP_SIZE (2 * NB_DESC)
#define NB_OBJECTS 4096u /* objects of the pool that the operations come from */
#define MAX_BURST 256u
#define MAX_ROUNDS 101u
#define MAX_QUEUES 8u
#define MAX_SEGMENTS 16u
#define AAD_LEN 12u
#define DIGEST_LEN 16u
#define REGION UINT64_C(0x40000000)
/* An SA with AES-GCM in an IPv4 tunnel: outer header, ESP, IV; padding and ICV. */
#define ESP_HEAD 36u
#define ESP_TAIL 21u
#define HEADROOM 128u

struct object {
	struct rte_crypto_op op;
	struct rte_crypto_sym_op sym;
	uint8_t iv[16];
	uint8_t aad[AAD_LEN]; /* behind the IV, as crypto-perf and librte_ipsec have it */
	alignas(RTE_CACHE_LINE_SIZE) struct rte_mbuf mbuf;
};

struct session {
	struct rte_cryptodev_sym_session s;
	struct accel_session priv;
};

/* A session of IPsec, in the same memory. */
struct security {
	struct rte_security_session s;
	struct accel_ipsec_session priv;
};

static_assert(offsetof(struct security, priv) ==
		      offsetof(struct rte_security_session, driver_priv_data),
	      "priv is where the library has it");
static_assert(offsetof(struct object, aad) == offsetof(struct object, iv) + 16,
	      "one run of bytes for compare_bare()");
static_assert(RAW_BURST == MAX_BURST && RAW_VECTORS == MAX_SEGMENTS, "room for a burst");
static_assert(offsetof(struct session, priv) ==
	      offsetof(struct rte_cryptodev_sym_session, driver_priv_data),
	      "priv is where the library has it");

struct options {
	enum accel_hw_kind kind;
	bool inbound; /* of ESP */
	unsigned int burst;
	unsigned int bursts; /* bursts in a round */
	unsigned int rounds;
	unsigned int size;
	unsigned int sessions;
	unsigned int segments;
	unsigned int queues;
	unsigned int threads;
	bool far; /* data in another region of 1 GiB than the commands */
	bool located; /* the card has the register COMMAND_UPPER */
	bool fragment; /* the card takes AAD as a fragment only */
	bool apart; /* out of place */
	bool raw; /* through the raw data path */
	bool each; /* raw, with a call for each operation */
	bool compare; /* compares and measures nothing, see compare_bare() */
};

/* One application thread and what it works on. */
struct bench {
	const struct options *opt;
	struct accel_dev dev;
	struct accel_qp *qp[MAX_QUEUES];
	struct accel_hw_response *responses[MAX_QUEUES];
	struct accel_hw_writeback *wb[MAX_QUEUES];
	struct raw *raw[MAX_QUEUES]; /* contexts of --raw */
	struct object *objects;
	struct rte_mbuf *segments; /* MAX_SEGMENTS - 1 per object */
	struct rte_mbuf *apart; /* destinations of --apart */
	uint8_t *sessions; /* see session_at() */
	size_t session_stride;
	uint8_t *payload;
	uint64_t doorbell;
	uint64_t random;
	unsigned int next; /* next object */
	uint8_t sink;
	int cpu; /* -1: any CPU */
	double enqueue[MAX_ROUNDS]; /* cycles per operation */
	double dequeue[MAX_ROUNDS];
	double lines[MAX_ROUNDS]; /* see fetch_lines() */
	double bare_enqueue[MAX_ROUNDS]; /* 0 if there are no bare writes */
	double bare_dequeue[MAX_ROUNDS];
	int error;
};

static pthread_barrier_t barrier;

static void *
zalloc(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	/* Huge pages keep walks of the page table for sessions out of the result. */
	madvise(p, size, MADV_HUGEPAGE);
	memset(p, 0, size);
	return p;
}

static uint32_t
random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

/* Returns a session. Sessions lie as in the library's mempool. */
static struct session *
session_at(const struct bench *b, unsigned int i)
{
	return (struct session *)(b->sessions + i * b->session_stride);
}

static bool
is_esp(const struct bench *b)
{
	return b->opt->kind == ACCEL_HW_KIND_ESP;
}

/* Returns the driver's part of a session. */
static struct accel_session *
priv_at(const struct bench *b, unsigned int i)
{
	return is_esp(b) ? &((struct security *)session_at(b, i))->priv.base :
			   &session_at(b, i)->priv;
}

static void
make_security(struct bench *b, unsigned int i)
{
	struct security *s = (struct security *)session_at(b, i);
	struct accel_session *sess = &s->priv.base;

	sess->owner = ACCEL_PROTOCOL_OWNER;
	sess->command.opcode = ACCEL_HW_OP_SYM;
	sess->command.generation = i;
	sess->kind = ACCEL_HW_KIND_ESP;
	sess->generate = !b->opt->inbound;
	sess->verify = b->opt->inbound;
	sess->rules = ACCEL_SESSION_OVERLAP;
	sess->command.ipsec.first = (uint64_t)ACCEL_HW_OP_SYM << 32;
	if (b->opt->inbound)
		return;
	sess->head = ESP_HEAD;
	sess->growth = ESP_HEAD + ESP_TAIL;
	sess->command.ipsec.result = (uint64_t)sess->growth << 32;
	sess->command.ipsec.result -= ESP_HEAD;
}

static void
make_sessions(struct bench *b)
{
	const struct options *opt = b->opt;
	struct rte_mempool_objsz size;
	unsigned int i;

	b->session_stride = rte_mempool_calc_obj_size(
		is_esp(b) ? sizeof(struct security) : sizeof(struct session), 0, &size);
	b->sessions = zalloc(opt->sessions * b->session_stride);
	for (i = 0; i < opt->sessions && is_esp(b); i++)
		make_security(b, i);
	for (i = 0; i < opt->sessions && !is_esp(b); i++) {
		struct accel_session *sess = priv_at(b, i);

		sess->command.opcode = ACCEL_HW_OP_SYM;
		sess->command.generation = i;
		sess->kind = (uint8_t)opt->kind;
		sess->owner = accel_session_owner((uint8_t)opt->kind);
		sess->iv_offset = offsetof(struct object, iv);
		sess->iv_len = opt->kind == ACCEL_HW_KIND_AEAD ? 12 : 16;
		if (opt->kind == ACCEL_HW_KIND_CIPHER)
			continue;
		sess->generate = 1;
		sess->digest_len = DIGEST_LEN;
		sess->aad_len = opt->kind == ACCEL_HW_KIND_AEAD ? AAD_LEN : 0;
		sess->command.aad_len = sess->aad_len;
	}
}

/* Returns the bytes between the payloads of two segments. */
static size_t
segment_stride(const struct options *opt)
{
	return opt->size / opt->segments + 128;
}

static void
make_objects(struct bench *b)
{
	const struct options *opt = b->opt;
	const size_t stride = segment_stride(opt);
	unsigned int i, n;

	b->objects = zalloc(NB_OBJECTS * sizeof(*b->objects));
	b->segments = zalloc(NB_OBJECTS * (MAX_SEGMENTS - 1) * sizeof(*b->segments));
	b->apart = zalloc(NB_OBJECTS * sizeof(*b->apart));
	b->payload = mmap(NULL, NB_OBJECTS * stride * opt->segments + AAD_LEN, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (b->payload == MAP_FAILED)
		abort();
	for (i = 0; i < NB_OBJECTS; i++) {
		struct object *o = &b->objects[i];
		struct rte_mbuf *m = &o->mbuf;

		o->op.type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
		o->op.sess_type = is_esp(b) ? RTE_CRYPTO_OP_SECURITY_SESSION :
					      RTE_CRYPTO_OP_WITH_SESSION;
		o->sym.session = &session_at(b, 0)->s;
		o->sym.m_src = m;
		m->nb_segs = (uint16_t)opt->segments;
		for (n = 0; n < opt->segments; n++) {
			m->buf_addr = b->payload + (i * opt->segments + n) * stride;
			m->data_len = (uint16_t)(opt->size / opt->segments);
			if (n + 1 == opt->segments)
				m->data_len += (uint16_t)(opt->size % opt->segments);
			m->next = n + 1 == opt->segments ? NULL :
							   &b->segments[i * (MAX_SEGMENTS - 1) + n];
			m = m->next;
		}
		if (opt->apart) {
			o->sym.m_dst = &b->apart[i];
			b->apart[i] = o->mbuf;
		}
	}
}

/* Returns the address of a payload for the device. There is no device, so any address will do: all
 * are in one region of 1 GiB, or with --far the data are in the next one. */
static uint64_t
payload_iova(const struct bench *b, const void *p)
{
	const uint64_t offset = (uint64_t)((const uint8_t *)p - b->payload) % (REGION - 0x2000000);

	return (b->opt->far ? 9 * REGION : 8 * REGION) + 0x1000000 + offset;
}

/* Fills in an operation as an application does before each enqueue. */
static void
set_op(struct bench *b, struct object *o)
{
	const uint64_t iova = payload_iova(b, o->mbuf.buf_addr);
	const uint32_t size = b->opt->size;
	struct rte_mbuf *m;

	o->op.status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	if (b->opt->sessions > 1)
		o->sym.session = &session_at(b, random_next(&b->random) % b->opt->sessions)->s;
	if (is_esp(b)) {
		o->mbuf.buf_iova = iova;
		o->mbuf.buf_len = (uint16_t)(2 * HEADROOM + size);
		o->mbuf.data_off = HEADROOM;
		o->mbuf.data_len = (uint16_t)size;
		o->mbuf.pkt_len = size;
		return;
	}
	for (m = &o->mbuf; m != NULL; m = m->next)
		m->buf_iova = payload_iova(b, m->buf_addr);
	if (b->opt->apart)
		o->sym.m_dst->buf_iova = o->mbuf.buf_iova + b->opt->size;
	if (b->opt->kind == ACCEL_HW_KIND_AEAD) {
		o->sym.aead.data.offset = 0;
		o->sym.aead.data.length = size;
		o->sym.aead.aad.data = o->aad;
		o->sym.aead.aad.phys_addr = iova;
		o->sym.aead.digest.phys_addr = iova + 16;
		return;
	}
	o->sym.cipher.data.offset = o->sym.auth.data.offset = 0;
	o->sym.cipher.data.length = o->sym.auth.data.length = size;
	o->sym.auth.digest.phys_addr = iova + 16;
}

static void
make_queue(struct bench *b, unsigned int q)
{
	struct accel_qp *qp = zalloc(sizeof(*qp));

	b->qp[q] = qp;
	b->responses[q] = zalloc(RSP_SIZE * sizeof(*b->responses[q]));
	b->wb[q] = zalloc(sizeof(*b->wb[q]));
	b->dev.name = "bench";
	b->dev.active_flags = RTE_CRYPTODEV_FF_SECURITY;
	qp->dev = &b->dev;
	qp->nb_desc = NB_DESC;
	qp->desc_mask = NB_DESC - 1;
	qp->rsp_size = RSP_SIZE;
	qp->responses = b->responses[q];
	qp->wb = b->wb[q];
	qp->inflight = zalloc(NB_DESC * sizeof(*qp->inflight));
	accel_qp_set_commands(qp, zalloc(NB_DESC * sizeof(*qp->commands)), 8 * REGION);
	qp->commands_located = b->opt->located;
	qp->aad_in_command = b->opt->fragment ? 0 : ACCEL_HW_IV_MAX;
	qp->doorbell = &b->doorbell;
	qp->max_fragments = 256;
	qp->max_frame_bytes = 1 << 20;
	qp->mode = ACCEL_QP_RUNNING;
	qp->resets = &b->dev.resets;
	accel_ring_init(&qp->tx, zalloc(NB_DESC * ACCEL_TX_PER_OP * 8), NB_DESC * ACCEL_TX_PER_OP);
	accel_ring_init(&qp->rx, zalloc(NB_DESC * ACCEL_RX_PER_OP * 8), NB_DESC * ACCEL_RX_PER_OP);
	qp->raw = zalloc(NB_DESC * sizeof(*qp->raw));
	b->raw[q] = zalloc(sizeof(*b->raw[q]));
	b->raw[q]->ctx.sess = priv_at(b, 0);
	b->raw[q]->each = b->opt->each;
}

/* Plays the card: writes the responses up to the last accepted operation. */
static void
play_card(struct bench *b, unsigned int q, uint32_t from, uint32_t to)
{
	const bool inbound = b->opt->inbound;
	const struct accel_hw_response esp = {
		.info = inbound ? ESP_HEAD : 0,
		.produced = inbound ? b->opt->size - ESP_HEAD - ESP_TAIL :
				      b->opt->size + ESP_HEAD + ESP_TAIL,
	};

	for (; from != to; from++) {
		struct accel_hw_response *rsp = &b->responses[q][from & (RSP_SIZE - 1)];

		*rsp = is_esp(b) ? esp : (struct accel_hw_response){ 0 };
		rsp->tag = from;
	}
	b->wb[q]->rsp_hhp = to & (RSP_SIZE - 1);
}

static int
compare_double(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *values, unsigned int n)
{
	qsort(values, n, sizeof(*values), compare_double);
	return values[n / 2];
}

/*
 * Measures what the machine needs for the sessions' cache lines alone. It fetches the line that an
 * enqueue reads, of as many sessions at random, all at once, and then reads them.
 */
static double
fetch_lines(struct bench *b)
{
	const struct accel_session *sess[MAX_BURST];
	uint64_t start;
	unsigned int i;
	uint8_t sum = 0;

	for (i = 0; i < b->opt->burst; i++)
		sess[i] = priv_at(b, random_next(&b->random) % b->opt->sessions);
	start = rte_rdtsc_precise();
	for (i = 0; i < b->opt->burst; i++)
		rte_prefetch0(sess[i]);
	for (i = 0; i < b->opt->burst; i++)
		sum += *(const volatile uint8_t *)&sess[i]->kind;
	b->sink = sum;
	return (double)(rte_rdtsc_precise() - start);
}

/* Picks the next operations of a burst. */
static void
next_ops(struct bench *b, struct rte_crypto_op **ops)
{
	unsigned int i;

	for (i = 0; i < b->opt->burst; i++, b->next = (b->next + 1) % NB_OBJECTS) {
		set_op(b, &b->objects[b->next]);
		ops[i] = &b->objects[b->next].op;
	}
}

/* Runs one burst on one queue pair and measures the cycles of its enqueue and of its dequeue. */
static int
one_burst(struct bench *b, unsigned int q, double *enqueue, double *dequeue)
{
	const uint16_t burst = (uint16_t)b->opt->burst;
	const uint32_t from = b->qp[q]->prod;
	struct rte_crypto_op *ops[MAX_BURST];
	uint64_t start;

	next_ops(b, ops);
	start = rte_rdtsc_precise();
	if (accel_enqueue_burst(b->qp[q], ops, burst) != burst)
		return -EIO;
	*enqueue = (double)(rte_rdtsc_precise() - start);

	play_card(b, q, from, b->qp[q]->prod);
	start = rte_rdtsc_precise();
	if (accel_dequeue_burst(b->qp[q], ops, burst) != burst)
		return -EIO;
	*dequeue = (double)(rte_rdtsc_precise() - start);
	/* A refused operation would cost less. */
	if (b->qp[q]->enqueue_count.enqueue_errors != 0)
		return -EIO;
	return ops[0]->status == RTE_CRYPTO_OP_STATUS_SUCCESS ? 0 : -EIO;
}

/* Runs one_burst() through the raw data path. */
static int
one_raw_burst(struct bench *b, unsigned int q, double *enqueue, double *dequeue)
{
	const uint32_t burst = b->opt->burst, from = b->qp[q]->prod;
	struct rte_crypto_op *ops[MAX_BURST];
	uint64_t start;

	next_ops(b, ops);
	raw_set(b->raw[q], ops, burst);
	start = rte_rdtsc_precise();
	if (raw_enqueue(b->raw[q], b->qp[q]) != burst)
		return -EIO;
	*enqueue = (double)(rte_rdtsc_precise() - start);

	play_card(b, q, from, b->qp[q]->prod);
	start = rte_rdtsc_precise();
	if (raw_dequeue(b->raw[q], b->qp[q], burst) != burst)
		return -EIO;
	*dequeue = (double)(rte_rdtsc_precise() - start);
	return 0;
}

/* Runs the same burst without a driver, in the memory of the first queue pair, which is idle. */
static void
one_bare_burst(struct bench *b, struct bare *bare, double *enqueue, double *dequeue)
{
	const uint32_t from = bare->prod;
	struct rte_crypto_op *ops[MAX_BURST];
	uint64_t start;

	next_ops(b, ops);
	start = rte_rdtsc_precise();
	bare_enqueue(bare, ops, b->opt->burst);
	*enqueue = (double)(rte_rdtsc_precise() - start);
	play_card(b, 0, from, bare->prod);
	start = rte_rdtsc_precise();
	bare_dequeue(bare, ops, b->opt->burst);
	*dequeue = (double)(rte_rdtsc_precise() - start);
}

/* Returns true if there are bare writes for the operations. The bare writes do without type 0,
 * without a second mbuf and without the raw data path. */
static bool
has_bare(const struct options *opt)
{
	return bare_has(opt->kind, opt->segments > 1, opt->sessions > 1) && !opt->apart &&
	       !opt->raw && (!opt->far || opt->located);
}

/* Makes bare writes that continue at the first queue pair's place. */
static struct bare
bare_of(const struct bench *b)
{
	const struct accel_qp *qp = b->qp[0];

	return (struct bare){
		.qp = qp,
		.kind = b->opt->kind,
		.segments = b->opt->segments > 1,
		.sessions = b->opt->sessions > 1,
		.iv_offset = offsetof(struct object, iv),
		.aad_len = AAD_LEN,
		.aad_inside = !b->opt->fragment,
		.digest_len = DIGEST_LEN,
		.prod = qp->prod,
		.cons = qp->prod,
		.tx = qp->tx.prod,
		.rx = qp->rx.prod,
	};
}

static int
bare_round(struct bench *b, unsigned int round, double *enqueue, double *dequeue)
{
	const uint32_t hhp = b->wb[0]->rsp_hhp;
	struct bare bare = bare_of(b);
	unsigned int n;

	if (!has_bare(b->opt))
		return 0;
	for (n = 0; n < b->opt->bursts; n++)
		one_bare_burst(b, &bare, &enqueue[n], &dequeue[n]);
	b->wb[0]->rsp_hhp = hhp;
	b->bare_enqueue[round] = median(enqueue, b->opt->bursts) / b->opt->burst;
	b->bare_dequeue[round] = median(dequeue, b->opt->bursts) / b->opt->burst;
	return bare.wrong == 0 ? 0 : -EIO;
}

/* What the enqueue of a burst writes into the memory of the first queue pair. */
struct written {
	struct accel_hw_command commands[NB_DESC];
	struct accel_inflight inflight[NB_DESC];
	uint64_t tx[NB_DESC * ACCEL_TX_PER_OP];
	uint64_t rx[NB_DESC * ACCEL_RX_PER_OP];
	uint64_t doorbell;
};

/* Copies the written memory. The bytes of a command that the card ignores are left out. */
static void
copy_written(const struct bench *b, struct written *to)
{
	const struct accel_qp *qp = b->qp[0];
	const size_t ignored = b->opt->kind == ACCEL_HW_KIND_AUTH ? 0 :
		b->opt->kind == ACCEL_HW_KIND_AEAD ? 12 : 16;
	const size_t aad =
		b->opt->kind == ACCEL_HW_KIND_AEAD && !b->opt->fragment ? AAD_LEN : 0;
	unsigned int i;

	for (i = 0; i < NB_DESC; i++) {
		to->commands[i] = qp->commands[i];
		memset(to->commands[i].iv + ignored, 0, sizeof(to->commands[i].iv) - ignored);
		memset(to->commands[i].auth_iv + aad, 0, sizeof(to->commands[i].auth_iv) - aad);
		to->inflight[i] = qp->inflight[i];
	}
	memcpy(to->tx, qp->tx.desc, sizeof(to->tx));
	memcpy(to->rx, qp->rx.desc, sizeof(to->rx));
	to->doorbell = b->doorbell;
}

/*
 * Gives one burst to the driver and then to the bare writes, which begin at the same place. The
 * memory must be the same afterwards, or the numbers of the bare writes mean nothing. The bursts
 * before it have put a type 0 on each ring.
 */
static int
compare_bare(struct bench *b)
{
	struct written *driver = zalloc(sizeof(*driver)), *bare_writes = zalloc(sizeof(*driver));
	struct rte_crypto_op *ops[MAX_BURST];
	double enqueue, dequeue;
	struct bare bare;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (one_burst(b, 0, &enqueue, &dequeue) != 0)
			return -EIO;
	}
	next_ops(b, ops);
	for (i = 0; i < b->opt->burst; i++)
		memset((uint8_t *)ops[i] + offsetof(struct object, iv), (int)i + 1, 16 + AAD_LEN);
	bare = bare_of(b);
	if (accel_enqueue_burst(b->qp[0], ops, (uint16_t)b->opt->burst) != b->opt->burst)
		return -EIO;
	copy_written(b, driver);
	/* This pattern shows what the bare writes leave out. */
	memset(&b->qp[0]->commands[bare.prod & b->qp[0]->desc_mask], 0xa5,
	       sizeof(struct accel_hw_command));
	bare_enqueue(&bare, ops, b->opt->burst);
	copy_written(b, bare_writes);
	return bare.tx == b->qp[0]->tx.prod && bare.rx == b->qp[0]->rx.prod &&
			       memcmp(driver, bare_writes, sizeof(*driver)) == 0 ? 0 : -EBADMSG;
}

/* Measures a round. The median of its bursts drops those that were interrupted. */
static int
one_round(struct bench *b, unsigned int round)
{
	double *enqueue = calloc(b->opt->bursts, sizeof(*enqueue));
	double *dequeue = calloc(b->opt->bursts, sizeof(*dequeue));
	double *lines = calloc(b->opt->bursts, sizeof(*lines));
	int ret = enqueue != NULL && dequeue != NULL && lines != NULL ? 0 : -ENOMEM;
	unsigned int n;

	for (n = 0; ret == 0 && n < b->opt->bursts; n++)
		ret = (b->opt->raw ? one_raw_burst : one_burst)(b, n % b->opt->queues, &enqueue[n],
								 &dequeue[n]);
	for (n = 0; ret == 0 && n < b->opt->bursts; n++)
		lines[n] = fetch_lines(b);
	if (ret == 0) {
		b->enqueue[round] = median(enqueue, b->opt->bursts) / b->opt->burst;
		b->dequeue[round] = median(dequeue, b->opt->bursts) / b->opt->burst;
		b->lines[round] = median(lines, b->opt->bursts) / b->opt->burst;
		ret = bare_round(b, round, enqueue, dequeue);
	}
	free(enqueue);
	free(dequeue);
	free(lines);
	return ret;
}

static void *
thread_main(void *arg)
{
	struct bench *b = arg;
	unsigned int i;

	if (b->cpu >= 0) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(b->cpu, &set);
		pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	}
	make_sessions(b);
	make_objects(b);
	for (i = 0; i < b->opt->queues; i++)
		make_queue(b, i);
	if (b->opt->compare) {
		b->error = compare_bare(b);
		return NULL;
	}
	if (b->opt->threads > 1)
		pthread_barrier_wait(&barrier);
	if (b->opt->rounds > 1) /* the first round warms up and is overwritten */
		b->error = one_round(b, 0);
	for (i = 0; b->error == 0 && i < b->opt->rounds; i++)
		b->error = one_round(b, i);
	return NULL;
}

/* Runs several application threads at once. Each has queue pairs and a CPU of its own. */
static void
run_threads(struct bench *benches, unsigned int nb)
{
	pthread_t thread[MAX_QUEUES];
	cpu_set_t set;
	unsigned int i, cpu = 0;

	sched_getaffinity(0, sizeof(set), &set);
	pthread_barrier_init(&barrier, NULL, nb);
	for (i = 0; i < nb; i++, cpu++) {
		while (cpu < CPU_SETSIZE && !CPU_ISSET(cpu, &set))
			cpu++;
		benches[i].cpu = cpu < CPU_SETSIZE ? (int)cpu : -1;
		if (pthread_create(&thread[i], NULL, thread_main, &benches[i]) != 0)
			abort();
	}
	for (i = 0; i < nb; i++)
		pthread_join(thread[i], NULL);
}

static const struct {
	const char *name;
	enum accel_hw_kind kind;
	bool inbound;
} kinds[] = {
	{ "cipher", ACCEL_HW_KIND_CIPHER, false },
	{ "auth", ACCEL_HW_KIND_AUTH, false },
	{ "chain", ACCEL_HW_KIND_CIPHER_THEN_AUTH, false },
	{ "aead", ACCEL_HW_KIND_AEAD, false },
	{ "esp-out", ACCEL_HW_KIND_ESP, false },
	{ "esp-in", ACCEL_HW_KIND_ESP, true },
};

static void
usage(void)
{
	puts("usage: driver-cost [OPTION]... [KIND [BURST [BURSTS]]]\n"
	     "  KIND          cipher, auth, chain, aead, esp-out or esp-in\n"
	     "  --rounds N    rounds of BURSTS bursts; prints their median, default 1\n"
	     "  --size N      bytes of an operation, default 64\n"
	     "  --sessions N  sessions, used at random, default 1\n"
	     "  --segments N  segments of an mbuf, up to 16, default 1\n"
	     "  --queues N    queue pairs, used in turn, up to 8, default 1\n"
	     "  --threads N   application threads at once, each on a CPU of its own, default 1\n"
	     "  --far         data in another GiB than the driver's own memory\n"
	     "  --command-upper  the card has the register COMMAND_UPPER\n"
	     "  --aad-fragment  the card takes AAD as a fragment only (manual 7.2)\n"
	     "  --apart       out of place: destination mbufs of their own\n"
	     "  --raw         through the raw data path, with one session\n"
	     "  --each        as --raw, with a call for each operation\n"
	     "  --compare     only checks that the bare writes are those of the driver\n"
	     "  --csv         lines \"metric,cycles per operation\"");
}

static const struct option option_names[] = {
	{ "rounds", required_argument, NULL, 'r' },
	{ "size", required_argument, NULL, 'l' },
	{ "sessions", required_argument, NULL, 's' },
	{ "segments", required_argument, NULL, 'g' },
	{ "queues", required_argument, NULL, 'q' },
	{ "threads", required_argument, NULL, 't' },
	{ "far", no_argument, NULL, 'f' },
	{ "command-upper", no_argument, NULL, 'u' },
	{ "aad-fragment", no_argument, NULL, 'd' },
	{ "apart", no_argument, NULL, 'a' },
	{ "raw", no_argument, NULL, 'w' },
	{ "each", no_argument, NULL, 'e' },
	{ "compare", no_argument, NULL, 'p' },
	{ "csv", no_argument, NULL, 'c' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* Returns 0 or -EINVAL. */
static int
parse(int argc, char **argv, struct options *opt, bool *csv)
{
	unsigned int i;
	int c;

	while ((c = getopt_long(argc, argv, "", option_names, NULL)) != -1) {
		const unsigned int n = optarg != NULL ? (unsigned int)strtoul(optarg, NULL, 0) : 0;

		switch (c) {
		case 'r': opt->rounds = n; break;
		case 'l': opt->size = n; break;
		case 's': opt->sessions = n; break;
		case 'g': opt->segments = n; break;
		case 'q': opt->queues = n; break;
		case 't': opt->threads = n; break;
		case 'f': opt->far = true; break;
		case 'u': opt->located = true; break;
		case 'd': opt->fragment = true; break;
		case 'a': opt->apart = true; break;
		case 'w': opt->raw = true; break;
		case 'e': opt->raw = opt->each = true; break;
		case 'p': opt->compare = true; break;
		case 'c': *csv = true; break;
		case 'h': usage(); exit(EXIT_SUCCESS);
		default: return -EINVAL;
		}
	}
	if (optind < argc) {
		for (i = 0; i < RTE_DIM(kinds) && strcmp(kinds[i].name, argv[optind]) != 0; i++)
			;
		if (i == RTE_DIM(kinds))
			return -EINVAL;
		opt->kind = kinds[i].kind;
		opt->inbound = kinds[i].inbound;
		optind++;
	}
	if (optind < argc)
		opt->burst = (unsigned int)strtoul(argv[optind++], NULL, 0);
	if (optind < argc)
		opt->bursts = (unsigned int)strtoul(argv[optind++], NULL, 0);
	return opt->burst >= 1 && opt->burst <= MAX_BURST && opt->bursts >= 1 &&
			       opt->rounds >= 1 && opt->rounds <= MAX_ROUNDS && opt->size >= 32 &&
			       opt->size <= 65000 && opt->sessions >= 1 && opt->segments >= 1 &&
			       opt->segments <= MAX_SEGMENTS && opt->queues >= 1 &&
			       opt->queues <= MAX_QUEUES && opt->threads >= 1 &&
			       opt->threads <= MAX_QUEUES &&
			       (opt->kind != ACCEL_HW_KIND_ESP ||
				(!opt->raw && !opt->apart && opt->segments == 1)) &&
			       (!opt->compare || has_bare(opt)) ? 0 : -EINVAL;
}

int
main(int argc, char **argv)
{
	static struct bench benches[MAX_QUEUES];
	struct options opt = {
		.kind = ACCEL_HW_KIND_CIPHER, .burst = 32, .bursts = 20000, .rounds = 1, .size = 64,
		.sessions = 1, .segments = 1, .queues = 1, .threads = 1,
	};
	double enqueue = 0, dequeue = 0, lines = 0, bare_enqueue = 0, bare_dequeue = 0;
	bool csv = false;
	unsigned int i;

	if (parse(argc, argv, &opt, &csv) != 0) {
		usage();
		return BENCH_USAGE;
	}
	for (i = 0; i < opt.threads; i++)
		benches[i] = (struct bench){ .opt = &opt, .cpu = -1, .random = i };
	if (opt.threads == 1)
		thread_main(&benches[0]);
	else
		run_threads(benches, opt.threads);
	for (i = 0; i < opt.threads; i++) {
		if (benches[i].error != 0) {
			fputs(benches[i].error == -EBADMSG ?
				"the bare writes differ from those of the driver\n" :
				"an operation was refused or did not come back\n", stderr);
			return EXIT_FAILURE;
		}
		/* The slowest thread counts. */
		enqueue = RTE_MAX(enqueue, median(benches[i].enqueue, opt.rounds));
		dequeue = RTE_MAX(dequeue, median(benches[i].dequeue, opt.rounds));
		lines = RTE_MAX(lines, median(benches[i].lines, opt.rounds));
		bare_enqueue = RTE_MAX(bare_enqueue, median(benches[i].bare_enqueue, opt.rounds));
		bare_dequeue = RTE_MAX(bare_dequeue, median(benches[i].bare_dequeue, opt.rounds));
	}
	if (opt.compare)
		return EXIT_SUCCESS;
	if (csv)
		printf("enqueue,%.2f\ndequeue,%.2f\nlines,%.2f\nbare-enqueue,%.2f\n"
		       "bare-dequeue,%.2f\n", enqueue, dequeue, lines, bare_enqueue, bare_dequeue);
	else
		printf("burst %u: enqueue %.1f, dequeue %.1f cycles/op (median); bare %.1f, %.1f; "
		       "lines of the sessions alone %.1f\n", opt.burst, enqueue, dequeue,
		       bare_enqueue, bare_dequeue, lines);
	return EXIT_SUCCESS;
}
