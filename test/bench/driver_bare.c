/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The writes of enqueue and dequeue without a driver, see driver_bare.h.
 */
#include <string.h>

#include <rte_io.h>
#include <rte_mbuf.h>

#include "driver_bare.h"

void
bare_enqueue(struct bare *bare, struct rte_crypto_op **ops, unsigned int n)
{
	const struct accel_qp *qp = bare->qp;
	uint32_t prod = bare->prod, tx = bare->tx, rx = bare->rx;
	uint64_t *const tx_desc = qp->tx.desc, *const rx_desc = qp->rx.desc;
	const uint32_t tx_mask = qp->tx.mask, rx_mask = qp->rx.mask, mask = qp->desc_mask;

	for (unsigned int i = 0; i < n; i++, prod++) {
		struct rte_crypto_op *op = ops[i];
		const uint32_t len = op->sym->cipher.data.length;
		const uint64_t iova =
			rte_pktmbuf_iova_offset(op->sym->m_src, op->sym->cipher.data.offset);
		struct accel_hw_command *cmd = &qp->commands[prod & mask];
		struct accel_inflight *entry = &qp->inflight[prod & mask];

		cmd->tag = prod;
		cmd->opcode = ACCEL_HW_OP_SYM;
		cmd->flags = 0;
		cmd->aad_len = 0;
		cmd->context = 0;
		cmd->generation = 1;
		cmd->skip = 0;
		cmd->cipher_len = len;
		cmd->auth_len = 0;
		memcpy(cmd->iv, (const uint8_t *)op + bare->iv_offset, sizeof(cmd->iv));
		memset(cmd->auth_iv, 0, sizeof(cmd->auth_iv));
		tx_desc[tx++ & tx_mask] = qp->command_desc + (prod & mask) * sizeof(*cmd);
		tx_desc[tx++ & tx_mask] = accel_desc2(iova, len, 0);
		rx_desc[rx++ & rx_mask] = accel_desc2(iova, len, 0);
		*entry = (struct accel_inflight){ .op = (uintptr_t)op, .tx_end = tx, .rx_end = rx };
		op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	}
	bare->prod = prod;
	bare->tx = tx;
	bare->rx = rx;
	rte_io_wmb();
	rte_write64_relaxed((uint64_t)(rx & rx_mask) << 32 | (tx & tx_mask), qp->doorbell);
}

void
bare_dequeue(struct bare *bare, struct rte_crypto_op **ops, unsigned int n)
{
	const struct accel_qp *qp = bare->qp;
	const struct accel_hw_response *const responses = (const void *)(uintptr_t)qp->responses;
	const uint32_t rsp_mask = qp->rsp_size - 1, mask = qp->desc_mask;
	uint32_t cons = bare->cons;

	for (unsigned int i = 0; i < n; i++, cons++) {
		const struct accel_hw_response *rsp = &responses[cons & rsp_mask];
		struct rte_crypto_op *op = (struct rte_crypto_op *)qp->inflight[cons & mask].op;

		bare->wrong += (rsp->tag ^ cons) | rsp->status;
		op->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
		ops[i] = op;
	}
	bare->cons = cons;
}
