/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * See bare.h. The provider has started the EAL and the device, and this has the device's last queue
 * pair, which none of a few threads gets.
 */
#include <string.h>

#include <rte_cryptodev.h>
#include <rte_mbuf.h>

#include "bare.h"

#define IV 12
#define TAG 16
#define AAD 5
#define IV_AT (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))

static struct rte_crypto_op *op;
static uint16_t queue;

/* Makes an operation of AES-128-GCM that can be done again and again. */
bool
bare_prepare(int len)
{
	uint8_t key[16] = { 1 };
	struct rte_crypto_sym_xform xform = { .type = RTE_CRYPTO_SYM_XFORM_AEAD };
	struct rte_mempool *sessions = rte_cryptodev_sym_session_pool_create("bare_sessions", 1,
			rte_cryptodev_sym_get_private_session_size(0), 0, 0, 0);
	struct rte_mempool *ops = rte_crypto_op_pool_create(
			"bare_ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 1, 0, 64, 0);
	struct rte_mempool *mbufs = rte_pktmbuf_pool_create(
			"bare_mbufs", 1, 0, 0, RTE_PKTMBUF_HEADROOM + len + TAG, 0);
	struct rte_mbuf *m = mbufs != NULL ? rte_pktmbuf_alloc(mbufs) : NULL;
	uint8_t *aad;

	if (rte_cryptodev_queue_pair_count(0) < 2 || sessions == NULL || ops == NULL || m == NULL)
		return false;
	queue = rte_cryptodev_queue_pair_count(0) - 1;
	xform.aead.op = RTE_CRYPTO_AEAD_OP_ENCRYPT;
	xform.aead.algo = RTE_CRYPTO_AEAD_AES_GCM;
	xform.aead.key.data = key;
	xform.aead.key.length = sizeof(key);
	xform.aead.iv.offset = IV_AT;
	xform.aead.iv.length = IV;
	xform.aead.digest_length = TAG;
	xform.aead.aad_length = AAD;
	op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	if (op == NULL || rte_pktmbuf_append(m, len + TAG) == NULL)
		return false;
	rte_crypto_op_attach_sym_session(
			op, rte_cryptodev_sym_session_create(0, &xform, sessions));
	aad = rte_crypto_op_ctod_offset(op, uint8_t *, IV_AT + 16);
	memset(rte_crypto_op_ctod_offset(op, uint8_t *, IV_AT), 1, 16 + AAD);
	memset(rte_pktmbuf_mtod(m, uint8_t *), 0, len + TAG);
	op->sym->m_src = m;
	op->sym->aead.data.length = len;
	op->sym->aead.digest.data = rte_pktmbuf_mtod_offset(m, uint8_t *, len);
	op->sym->aead.digest.phys_addr = rte_pktmbuf_iova_offset(m, len);
	op->sym->aead.aad.data = aad;
	op->sym->aead.aad.phys_addr = rte_crypto_op_ctophys_offset(op, IV_AT + 16);
	return op->sym->session != NULL;
}

/* Does it once. */
bool
bare_operation(void)
{
	struct rte_crypto_op *done = NULL;

	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	while (rte_cryptodev_enqueue_burst(0, queue, &op, 1) == 0)
		;
	while (rte_cryptodev_dequeue_burst(0, queue, &done, 1) == 0)
		;
	return done->status == RTE_CRYPTO_OP_STATUS_SUCCESS;
}
