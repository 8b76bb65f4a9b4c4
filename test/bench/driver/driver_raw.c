/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the operations of driver-cost through the raw data path: see driver_raw.h.
 */
#include <rte_mbuf.h>

#include "accel_datapath.h"
#include "accel_queue.h"
#include "accel_session.h"
#include "driver_raw.h"

static void
set_sgl(struct rte_crypto_sgl *sgl, struct rte_crypto_vec *vec, const struct rte_mbuf *m)
{
	*sgl = (struct rte_crypto_sgl){ .vec = vec };
	for (; m != NULL; m = m->next)
		vec[sgl->num++] = (struct rte_crypto_vec){
			.base = m->buf_addr,
			.iova = m->buf_iova,
			.len = m->data_len,
			.tot_len = m->data_len,
		};
}

void
raw_set(struct raw *raw, struct rte_crypto_op **ops, uint32_t n)
{
	const struct accel_session *sess = raw->ctx.sess;
	uint32_t i;

	raw->sym = (struct rte_crypto_sym_vec){
		.num = n,
		.src_sgl = raw->sgl[0],
		.dest_sgl = ops[0]->sym->m_dst != NULL ? raw->sgl[1] : NULL,
		.iv = raw->iv,
		.digest = raw->digest,
		.aad = raw->aad,
	};
	for (i = 0; i < n; i++) {
		const struct rte_crypto_sym_op *sym = ops[i]->sym;
		const bool aead = sess->kind == ACCEL_HW_KIND_AEAD;

		set_sgl(&raw->sgl[0][i], raw->vec[0][i], sym->m_src);
		set_sgl(&raw->sgl[1][i], raw->vec[1][i], sym->m_dst);
		raw->iv[i].va = rte_crypto_op_ctod_offset(ops[i], void *, sess->iv_offset);
		raw->digest[i].iova = aead ? sym->aead.digest.phys_addr :
					     sym->auth.digest.phys_addr;
		raw->aad[i].va = aead ? sym->aead.aad.data : NULL;
		raw->aad[i].iova = aead ? sym->aead.aad.phys_addr : 0;
		raw->user_data[i] = ops[i];
	}
}

/* Enqueues each operation with a call of its own. */
static uint32_t
enqueue_each(struct raw *raw, struct accel_qp *qp)
{
	uint8_t *ctx = (uint8_t *)&raw->ctx;
	uint32_t n;

	for (n = 0; n < raw->sym.num; n++) {
		if (accel_raw_enqueue(qp, ctx, raw->vec[0][n], (uint16_t)raw->sgl[0][n].num,
				      (union rte_crypto_sym_ofs){ .raw = 0 }, &raw->iv[n],
				      &raw->digest[n], &raw->aad[n], raw->user_data[n]) != 0)
			break;
	}
	return n;
}

uint32_t
raw_enqueue(struct raw *raw, struct accel_qp *qp)
{
	uint8_t *ctx = (uint8_t *)&raw->ctx;
	uint32_t n;
	int status;

	if (raw->each)
		n = enqueue_each(raw, qp);
	else
		n = accel_raw_enqueue_burst(qp, ctx, &raw->sym,
					    (union rte_crypto_sym_ofs){ .raw = 0 },
					    raw->user_data, &status);
	return accel_raw_enqueue_done(qp, ctx, n) == 0 ? n : 0;
}

static uint32_t
dequeue_each(struct raw *raw, struct accel_qp *qp, uint32_t n)
{
	enum rte_crypto_op_status op_status;
	uint32_t i, good = 0;
	int status;

	for (i = 0; i < n; i++)
		good += accel_raw_dequeue(qp, (uint8_t *)&raw->ctx, &status, &op_status) != NULL &&
			op_status == RTE_CRYPTO_OP_STATUS_SUCCESS;
	return good;
}

uint32_t
raw_dequeue(struct raw *raw, struct accel_qp *qp, uint32_t n)
{
	uint8_t *ctx = (uint8_t *)&raw->ctx;
	uint32_t good;
	int status;

	if (raw->each)
		good = dequeue_each(raw, qp, n);
	else
		accel_raw_dequeue_burst(qp, ctx, NULL, n, NULL, raw->user_data, 1, &good, &status);
	return accel_raw_dequeue_done(qp, ctx, n) == 0 ? good : 0;
}
