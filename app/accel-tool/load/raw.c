/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sends operations over the raw data path of rte_cryptodev. See raw.h.
 */
#include <stdlib.h>
#include <string.h>

#include "raw.h"

bool
raw_start(struct load *l, const struct load_session *s, struct rte_crypto_raw_dp_ctx **raw)
{
	union rte_cryptodev_session_ctx session = { .crypto_sess = s->ses->sess };
	int size = (l->device->info.feature_flags & RTE_CRYPTODEV_FF_SYM_RAW_DP) != 0 ?
		rte_cryptodev_get_raw_dp_ctx_size(l->t.dev) : -1;

	if (size < 0)
		return false;
	if (*raw == NULL)
		*raw = aligned_alloc(64, RTE_ALIGN_CEIL((size_t)size, 64));
	if (*raw == NULL)
		return false;
	memset(*raw, 0, (size_t)size);
	return rte_cryptodev_configure_raw_dp_ctx(l->t.dev, 0, *raw, RTE_CRYPTO_OP_WITH_SESSION,
						  session, 0) == 0;
}

unsigned int
raw_prepare(struct rte_crypto_raw_dp_ctx *raw, const struct load_item *items, unsigned int n)
{
	struct rte_crypto_va_iova_ptr iv, digest, aad;
	union rte_crypto_sym_ofs ofs = { .raw = 0 };
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct e2e_slot *slot = &items[i].slot;
		const struct e2e_spec *sp = &slot->ses->spec;
		struct rte_mbuf *m = slot->src.m;
		struct rte_crypto_vec vec = {
			.base = rte_pktmbuf_mtod(m, void *),
			.iova = rte_pktmbuf_iova(m),
			.len = items[i].bytes,
		};

		iv.va = rte_crypto_op_ctod_offset(slot->op, void *, sp->iv_off);
		iv.iova = rte_crypto_op_ctophys_offset(slot->op, sp->iv_off);
		aad.va = rte_crypto_op_ctod_offset(slot->op, void *, sp->auth_iv_off);
		aad.iova = rte_crypto_op_ctophys_offset(slot->op, sp->auth_iv_off);
		if (sp->aead != NULL) {
			aad.va = slot->op->sym->aead.aad.data;
			aad.iova = slot->op->sym->aead.aad.phys_addr;
			digest.va = slot->op->sym->aead.digest.data;
			digest.iova = slot->op->sym->aead.digest.phys_addr;
		} else {
			digest.va = slot->op->sym->auth.digest.data;
			digest.iova = slot->op->sym->auth.digest.phys_addr;
		}
		if (rte_cryptodev_raw_enqueue(raw, &vec, 1, ofs, &iv, &digest, &aad,
					      slot->op) < 0)
			break;
	}
	return i;
}

static void
no_status(void *user_data, uint32_t index, uint8_t good)
{
	(void)user_data;
	(void)index;
	(void)good;
}

/* Sets the status of an operation. The raw data path says only whether it has succeeded. */
static void
set_status(void *user_data, uint32_t index, uint8_t good)
{
	struct rte_crypto_op *op = user_data;

	(void)index;
	op->status = good ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_ERROR;
}

unsigned int
raw_take(struct rte_crypto_raw_dp_ctx *raw, unsigned int n, bool set)
{
	void *user[LOAD_BURST];
	uint32_t got, success;
	int status;

	got = rte_cryptodev_raw_dequeue_burst(raw, NULL, n, set ? set_status : no_status, user, 1,
					      &success, &status);
	if (got != 0)
		rte_cryptodev_raw_dequeue_done(raw, got);
	return got;
}
