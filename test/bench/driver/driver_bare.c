/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes the writes of enqueue and dequeue without a driver: see driver_bare.h. The body is inlined
 * once for each kind, with the kind as a constant.
 */
#include <string.h>

#include <rte_io.h>
#include <rte_mbuf.h>

#include "driver_bare.h"

/* The place of the next operation. */
struct bare_place {
	uint64_t *tx_desc;
	uint64_t *rx_desc;
	uint32_t tx_mask;
	uint32_t rx_mask;
	uint32_t tx;
	uint32_t rx;
};

static __rte_always_inline void
put_tx(struct bare_place *to, uint64_t iova, uint32_t len, uint64_t bits)
{
	to->tx_desc[to->tx++ & to->tx_mask] = accel_desc2(iova, len, bits);
}

static __rte_always_inline void
put_rx(struct bare_place *to, uint64_t iova, uint32_t len, uint64_t bits)
{
	to->rx_desc[to->rx++ & to->rx_mask] = accel_desc2(iova, len, bits);
}

/* Puts the segments of a source that is also the destination. The operation covers all of it.
 * last_rx has the bits of the destination's last descriptor. */
static __rte_always_inline void
put_segments(struct bare_place *to, const struct rte_mbuf *m, uint64_t last_rx)
{
	for (; m->next != NULL; m = m->next) {
		put_tx(to, rte_pktmbuf_iova(m), m->data_len, ACCEL_HW_DESC2_NEXT);
		put_rx(to, rte_pktmbuf_iova(m), m->data_len, ACCEL_HW_DESC2_NEXT);
	}
	put_tx(to, rte_pktmbuf_iova(m), m->data_len, 0);
	put_rx(to, rte_pktmbuf_iova(m), m->data_len, last_rx);
}

/* Writes the command of manual 7.1. It writes only the IVs that the kind has, because the card
 * ignores the others. */
static __rte_always_inline void
put_command(struct accel_hw_command *cmd, const struct bare *bare, const struct rte_crypto_op *op,
	    enum accel_hw_kind kind)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const uint8_t *iv = (const uint8_t *)op + bare->iv_offset;
	const bool inside = kind == ACCEL_HW_KIND_AEAD && bare->aad_inside;

	cmd->opcode = ACCEL_HW_OP_SYM;
	cmd->flags = inside ? ACCEL_HW_CMD_AAD_IN_COMMAND : 0;
	cmd->aad_len = kind == ACCEL_HW_KIND_AEAD ? bare->aad_len : 0;
	cmd->context = 0;
	cmd->generation = bare->generation;
	cmd->skip = kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ?
		sym->auth.data.offset - sym->cipher.data.offset : 0;
	cmd->cipher_len = kind == ACCEL_HW_KIND_AUTH ? 0 :
		kind == ACCEL_HW_KIND_AEAD ? sym->aead.data.length : sym->cipher.data.length;
	cmd->auth_len = kind == ACCEL_HW_KIND_CIPHER || kind == ACCEL_HW_KIND_AEAD ? 0 :
		sym->auth.data.length;
	if (kind == ACCEL_HW_KIND_AEAD)
		memcpy(cmd->iv, iv, 12);
	else if (kind != ACCEL_HW_KIND_AUTH)
		memcpy(cmd->iv, iv, sizeof(cmd->iv));
	if (inside)
		memcpy(cmd->auth_iv, sym->aead.aad.data, 12);
}

/* Puts the descriptors of the frames behind the command (manual 6.3, 6.4). The source of a chain is
 * the union of its regions; the cipher's region begins first. */
static __rte_always_inline void
put_frames(struct bare_place *to, const struct bare *bare, const struct rte_crypto_op *op,
	   enum accel_hw_kind kind, bool segments)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const bool aead = kind == ACCEL_HW_KIND_AEAD;
	const uint64_t digest = aead ? sym->aead.digest.phys_addr : sym->auth.digest.phys_addr;
	const uint32_t offset = aead ? sym->aead.data.offset :
		kind == ACCEL_HW_KIND_AUTH ? sym->auth.data.offset : sym->cipher.data.offset;
	const uint32_t len = aead ? sym->aead.data.length :
		kind == ACCEL_HW_KIND_AUTH ? sym->auth.data.length : sym->cipher.data.length;
	const uint64_t last_rx = kind == ACCEL_HW_KIND_CIPHER ? 0 : ACCEL_HW_DESC2_NEXT;
	uint32_t source = len;

	if (kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH)
		source = RTE_MAX(len, sym->auth.data.offset + sym->auth.data.length - offset);
	if (aead && !bare->aad_inside)
		put_tx(to, sym->aead.aad.phys_addr, bare->aad_len, ACCEL_HW_DESC2_NEXT);
	if (segments) {
		put_segments(to, sym->m_src, last_rx);
	} else {
		const uint64_t iova = rte_pktmbuf_iova_offset(sym->m_src, offset);

		put_tx(to, iova, source, 0);
		if (kind != ACCEL_HW_KIND_AUTH)
			put_rx(to, iova, len, last_rx);
	}
	if (kind != ACCEL_HW_KIND_CIPHER)
		put_rx(to, digest, bare->digest_len, 0);
}

/* The line of an operation's session that a driver has to read. */
static __rte_always_inline const uint32_t *
session_line(const struct rte_crypto_op *op)
{
	return CRYPTODEV_GET_SYM_SESS_PRIV(op->sym->session);
}

static __rte_always_inline void
enqueue_kind(struct bare *bare, struct rte_crypto_op **ops, unsigned int n,
	     enum accel_hw_kind kind, bool segments, bool sessions)
{
	const struct accel_qp *qp = bare->qp;
	const uint32_t mask = qp->desc_mask;
	struct bare_place to = {
		.tx_desc = qp->tx.desc, .tx_mask = qp->tx.mask, .tx = bare->tx,
		.rx_desc = qp->rx.desc, .rx_mask = qp->rx.mask, .rx = bare->rx,
	};
	uint32_t prod = bare->prod;

	for (unsigned int i = 0; i < n && sessions; i++)
		rte_prefetch0(session_line(ops[i]));
	for (unsigned int i = 0; i < n; i++, prod++) {
		struct rte_crypto_op *op = ops[i];
		struct accel_hw_command *cmd = &qp->commands[prod & mask];

		if (sessions)
			bare->generation = *session_line(op);
		cmd->tag = prod;
		put_command(cmd, bare, op, kind);
		to.tx_desc[to.tx++ & to.tx_mask] =
			qp->command_desc + (prod & mask) * sizeof(*cmd);
		put_frames(&to, bare, op, kind, segments);
		qp->inflight[prod & mask] = (struct accel_inflight){
			.op = (uintptr_t)op, .tx_end = to.tx, .rx_end = to.rx };
		op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	}
	bare->prod = prod;
	bare->tx = to.tx;
	bare->rx = to.rx;
	rte_io_wmb();
	rte_write64_relaxed((uint64_t)(to.rx & to.rx_mask) << 32 | (to.tx & to.tx_mask),
			    qp->doorbell);
}

void
bare_enqueue(struct bare *bare, struct rte_crypto_op **ops, unsigned int n)
{
	switch (bare->kind) {
	case ACCEL_HW_KIND_AUTH:
		enqueue_kind(bare, ops, n, ACCEL_HW_KIND_AUTH, false, false);
		break;
	case ACCEL_HW_KIND_CIPHER_THEN_AUTH:
		if (bare->segments)
			enqueue_kind(bare, ops, n, ACCEL_HW_KIND_CIPHER_THEN_AUTH, true, false);
		else
			enqueue_kind(bare, ops, n, ACCEL_HW_KIND_CIPHER_THEN_AUTH, false, false);
		break;
	case ACCEL_HW_KIND_AEAD:
		if (bare->segments)
			enqueue_kind(bare, ops, n, ACCEL_HW_KIND_AEAD, true, false);
		else
			enqueue_kind(bare, ops, n, ACCEL_HW_KIND_AEAD, false, false);
		break;
	default:
		if (bare->sessions)
			enqueue_kind(bare, ops, n, ACCEL_HW_KIND_CIPHER, false, true);
		else if (bare->segments)
			enqueue_kind(bare, ops, n, ACCEL_HW_KIND_CIPHER, true, false);
		else
			enqueue_kind(bare, ops, n, ACCEL_HW_KIND_CIPHER, false, false);
	}
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
