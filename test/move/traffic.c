/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * See traffic.h. Each slot has an operation of AES-128-CBC out of place, whose source stays as it
 * is, so that it can be carried out again. OpenSSL computes what has to come back.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_mbuf.h>

#include "traffic.h"

#define BURST 32
#define BYTES 1024
#define IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define IV_BYTES 16

struct slot {
	struct rte_crypto_op *op;
	bool in_flight;
	uint8_t right[BYTES]; /* the result that has to come back */
};

static struct slot slots[TRAFFIC_SLOTS];
static uint8_t dev;
static void *session;
static unsigned int in_flight;
static uint64_t last; /* cycles, when the latest operation came back */

/* The thread writes these, and others read them. */
static _Atomic uint64_t count_right, count_again, count_pause, count_bad;
/* Others set these, and the thread obeys. */
static atomic_bool ending, draining, marked;
static _Atomic(traffic_call) wanted;
static void *wanted_arg;
static atomic_int wanted_value;

/* Fills a slot: source, IV, expected result. */
static void
slot_fill(unsigned int number, struct rte_mempool *mbufs, struct rte_mempool *ops,
	  const uint8_t *key)
{
	struct slot *slot = &slots[number];
	struct rte_crypto_op *op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	struct rte_mbuf *src = rte_pktmbuf_alloc(mbufs), *dst = rte_pktmbuf_alloc(mbufs);
	EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
	uint8_t *data, *iv;
	int length = 0, i;

	if (op == NULL || src == NULL || dst == NULL || cipher == NULL)
		rte_exit(EXIT_FAILURE, "no memory for the operations; give the EAL more with -m\n");
	data = (uint8_t *)rte_pktmbuf_append(src, BYTES);
	rte_pktmbuf_append(dst, BYTES);
	for (i = 0; i < BYTES; i++)
		data[i] = (uint8_t)(number * 7 + i * 3 + i / 256);
	iv = rte_crypto_op_ctod_offset(op, uint8_t *, IV_OFFSET);
	memset(iv, (int)number, IV_BYTES);
	op->sym->m_src = src;
	op->sym->m_dst = dst;
	op->sym->cipher.data.offset = 0;
	op->sym->cipher.data.length = BYTES;
	rte_crypto_op_attach_sym_session(op, session);
	if (EVP_EncryptInit_ex(cipher, EVP_aes_128_cbc(), NULL, key, iv) != 1 ||
	    EVP_CIPHER_CTX_set_padding(cipher, 0) != 1 ||
	    EVP_EncryptUpdate(cipher, slot->right, &length, data, BYTES) != 1 || length != BYTES)
		rte_exit(EXIT_FAILURE, "OpenSSL does not encrypt\n");
	EVP_CIPHER_CTX_free(cipher);
	slot->op = op;
}

void
traffic_init(uint8_t dev_id)
{
	static const uint8_t key[16] = "accel-move's key";
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = RTE_CRYPTO_CIPHER_AES_CBC,
			.key = { .data = key, .length = sizeof(key) },
			.iv = { .offset = IV_OFFSET, .length = IV_BYTES },
		},
	};
	int socket = rte_cryptodev_socket_id(dev_id);
	struct rte_mempool *mbufs, *ops, *sessions;
	unsigned int i;

	dev = dev_id;
	mbufs = rte_pktmbuf_pool_create("mbufs", 1023, BURST, 0, RTE_MBUF_DEFAULT_BUF_SIZE, socket);
	ops = rte_crypto_op_pool_create("ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 511, BURST, IV_BYTES,
					socket);
	/* The scheduler takes the sessions of its workers from the same pool. */
	sessions = rte_cryptodev_sym_session_pool_create("sessions", 8,
			rte_cryptodev_sym_get_private_session_size(dev_id), 0, 0, socket);
	if (mbufs == NULL || ops == NULL || sessions == NULL)
		rte_exit(EXIT_FAILURE, "no memory for the pools; give the EAL more with -m\n");
	session = rte_cryptodev_sym_session_create(dev_id, &xform, sessions);
	if (session == NULL)
		rte_exit(EXIT_FAILURE, "no session; the drivers' log lines say why\n");
	for (i = 0; i < TRAFFIC_SLOTS; i++)
		slot_fill(i, mbufs, ops, key);
}

/* Enqueues a burst of slots that are not in flight. */
static void
send(void)
{
	static unsigned int next;
	struct rte_crypto_op *ops[BURST];
	struct slot *chosen[BURST];
	unsigned int i;
	uint16_t nb = 0, taken;

	for (i = 0; i < TRAFFIC_SLOTS && nb < BURST; i++) {
		struct slot *slot = &slots[(next + i) % TRAFFIC_SLOTS];

		if (slot->in_flight)
			continue;
		slot->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
		memset(rte_pktmbuf_mtod(slot->op->sym->m_dst, void *), 0, BYTES);
		chosen[nb] = slot;
		ops[nb++] = slot->op;
	}
	next = (next + i) % TRAFFIC_SLOTS;
	taken = rte_cryptodev_enqueue_burst(dev, 0, ops, nb);
	for (i = 0; i < taken; i++)
		chosen[i]->in_flight = true;
	in_flight += taken;
}

/* Judges an operation that came back. */
static void
judge(struct rte_crypto_op *op)
{
	struct slot *slot = NULL;
	unsigned int i = rte_crypto_op_ctod_offset(op, uint8_t *, IV_OFFSET)[0];

	if (i < TRAFFIC_SLOTS && slots[i].op == op)
		slot = &slots[i];
	if (slot == NULL || !slot->in_flight) {
		count_bad++;
		return;
	}
	slot->in_flight = false;
	in_flight--;
	if (op->status == RTE_CRYPTO_OP_STATUS_ERROR)
		count_again++;
	else if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS &&
		 memcmp(rte_pktmbuf_mtod(op->sym->m_dst, void *), slot->right, BYTES) == 0)
		count_right++;
	else
		count_bad++;
}

/* Dequeues a burst. */
static void
receive(void)
{
	struct rte_crypto_op *ops[BURST];
	uint16_t i, nb = rte_cryptodev_dequeue_burst(dev, 0, ops, BURST);
	uint64_t now = rte_rdtsc();

	for (i = 0; i < nb; i++)
		judge(ops[i]);
	if (marked) {
		count_right = count_again = count_pause = 0;
		marked = false;
	}
	if (nb > 0) {
		if (now - last > count_pause)
			count_pause = now - last;
		last = now;
	}
}

int
traffic_run(void *unused)
{
	traffic_call call;

	RTE_SET_USED(unused);
	last = rte_rdtsc();
	while (!ending || in_flight > 0) {
		if (!draining && !ending)
			send();
		receive();
		call = wanted;
		if (call != NULL && (!draining || in_flight == 0)) {
			wanted_value = call(wanted_arg);
			draining = false;
			wanted = NULL;
		}
	}
	return 0;
}

int
traffic_between(traffic_call call, void *arg, bool drain)
{
	wanted_arg = arg;
	draining = drain;
	wanted = call;
	while (wanted != NULL)
		rte_delay_us_sleep(100);
	return wanted_value;
}

void
traffic_end(void)
{
	ending = true;
}

void
traffic_free(void)
{
	if (rte_cryptodev_sym_session_free(dev, session) != 0)
		rte_exit(EXIT_FAILURE, "the session cannot be freed\n");
}

void
traffic_mark(void)
{
	marked = true;
	while (marked)
		rte_delay_us_sleep(100);
}

void
traffic_read(struct traffic_count *count)
{
	count->right = count_right;
	count->again = count_again;
	count->pause = count_pause;
}

uint64_t
traffic_bad(void)
{
	return count_bad;
}

unsigned int
traffic_lost(void)
{
	return in_flight;
}
