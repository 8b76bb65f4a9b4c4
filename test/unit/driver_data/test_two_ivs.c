/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Chains of two ZUC-256 transforms, whose two IVs of 25 bytes do not fit into a command, through
 * the driver and the embedded device: DPDK's known answers with mbufs, without session, and on the
 * raw data path.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <rte_malloc.h>

#include "driver_qp/plugged.h"
#include "vectors/zuc256_vectors.h"

#define IV_AT ((unsigned int)(sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op)))
#define AUTH_IV_AT (IV_AT + 32)
#define LONG_IV 25

/* A known answer in the form of the API. */
struct answer {
	const struct zuc256_vector *v;
	struct rte_crypto_sym_xform xform[2]; /* in the order of work */
	uint8_t key[32], digest[16], out[512];
	uint32_t len, digest_len;
	struct rte_crypto_op *op;
	struct rte_mbuf *m;
};

static struct rte_mempool *ops, *mbufs;

static uint32_t
from_hex(const char *text, uint8_t *to)
{
	uint32_t len = 0;
	unsigned int byte;

	for (; sscanf(text, "%2x", &byte) == 1; text += 2)
		to[len++] = (uint8_t)byte;
	return len;
}

static void
make_xforms(struct answer *a)
{
	struct rte_crypto_sym_xform *cipher = &a->xform[a->v->auth_first];
	struct rte_crypto_sym_xform *auth = &a->xform[!a->v->auth_first];

	cipher->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	cipher->cipher.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	cipher->cipher.algo = RTE_CRYPTO_CIPHER_ZUC_EEA3;
	cipher->cipher.key.data = a->key;
	cipher->cipher.key.length = sizeof(a->key);
	cipher->cipher.iv.offset = IV_AT;
	cipher->cipher.iv.length = LONG_IV;
	auth->type = RTE_CRYPTO_SYM_XFORM_AUTH;
	auth->auth.op = RTE_CRYPTO_AUTH_OP_GENERATE;
	auth->auth.algo = RTE_CRYPTO_AUTH_ZUC_EIA3;
	auth->auth.key.data = a->key;
	auth->auth.key.length = sizeof(a->key);
	auth->auth.iv.offset = AUTH_IV_AT;
	auth->auth.iv.length = LONG_IV;
	auth->auth.digest_length = (uint16_t)a->digest_len;
	a->xform[0].next = &a->xform[1];
}

/* The data are behind the mbuf's headroom, and the digest is right behind what it covers. */
static void
make_answer(struct answer *a, const struct zuc256_vector *v)
{
	memset(a, 0, sizeof(*a));
	a->v = v;
	a->op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	a->m = rte_pktmbuf_alloc(mbufs);
	assert_true(a->op != NULL && a->m != NULL);
	from_hex(v->key, a->key);
	a->digest_len = from_hex(v->digest, a->digest);
	a->len = from_hex(v->out, a->out);
	make_xforms(a);
	assert_non_null(rte_pktmbuf_append(a->m, (uint16_t)(a->len + a->digest_len)));
	from_hex(v->in, rte_pktmbuf_mtod(a->m, uint8_t *));
	from_hex(v->iv, rte_crypto_op_ctod_offset(a->op, uint8_t *, IV_AT));
	from_hex(v->auth_iv, rte_crypto_op_ctod_offset(a->op, uint8_t *, AUTH_IV_AT));
	a->op->sym->m_src = a->m;
	a->op->sym->cipher.data.length = 8 * a->len;
	a->op->sym->auth.data.length = 8u * v->auth_len;
	a->op->sym->auth.digest.data = rte_pktmbuf_mtod_offset(a->m, uint8_t *, v->auth_len);
	a->op->sym->auth.digest.phys_addr = rte_pktmbuf_iova_offset(a->m, v->auth_len);
}

static void
free_answer(struct answer *a)
{
	rte_crypto_op_free(a->op);
	rte_pktmbuf_free(a->m);
}

static void
check_answer(const struct answer *a, int status)
{
	const uint8_t *got = rte_pktmbuf_mtod(a->m, const uint8_t *);

	assert_int_equal(status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_memory_equal(got, a->out, a->len);
	if (!a->v->auth_first)
		assert_memory_equal(got + a->len, a->digest, a->digest_len);
}

static void
run_op(struct answer *a)
{
	struct rte_crypto_op *back = NULL;
	unsigned int patience = PATIENCE;

	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &a->op, 1), 1);
	while (rte_cryptodev_dequeue_burst(dev, 0, &back, 1) == 0 && poll_again(&patience))
		;
	assert_ptr_equal(back, a->op);
	check_answer(a, a->op->status);
}

static void
test_mbufs(void **state)
{
	struct answer a;
	size_t i;
	void *s;

	(void)state;
	for (i = 0; i < RTE_DIM(zuc256_vectors); i++) {
		make_answer(&a, &zuc256_vectors[i]);
		s = rte_cryptodev_sym_session_create(dev, a.xform, sessions);
		assert_non_null(s);
		rte_crypto_op_attach_sym_session(a.op, s);
		run_op(&a);
		assert_int_equal(rte_cryptodev_sym_session_free(dev, s), 0);
		free_answer(&a);
	}
}

static void
test_sessionless(void **state)
{
	struct answer a;
	size_t i;

	(void)state;
	for (i = 0; i < RTE_DIM(zuc256_vectors); i++) {
		make_answer(&a, &zuc256_vectors[i]);
		a.op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		a.op->sym->xform = a.xform;
		run_op(&a);
		free_answer(&a);
	}
}

/* Enqueues one operation. Returns what the driver says. */
static int
offer_answer(struct rte_crypto_raw_dp_ctx *ctx, struct answer *a, rte_iova_t auth_iv)
{
	struct rte_crypto_va_iova_ptr iv = {
		.va = rte_crypto_op_ctod_offset(a->op, void *, IV_AT),
	};
	struct rte_crypto_va_iova_ptr other = {
		.va = rte_crypto_op_ctod_offset(a->op, void *, AUTH_IV_AT),
		.iova = auth_iv,
	};
	struct rte_crypto_va_iova_ptr digest = {
		.va = a->op->sym->auth.digest.data,
		.iova = a->op->sym->auth.digest.phys_addr,
	};
	struct rte_crypto_vec vec = {
		.base = rte_pktmbuf_mtod(a->m, void *),
		.iova = rte_pktmbuf_iova(a->m),
		.len = a->len,
		.tot_len = a->len + a->digest_len,
	};
	union rte_crypto_sym_ofs ofs = { .raw = 0 };

	ofs.ofs.auth.tail = (uint16_t)(a->len - a->v->auth_len);
	return rte_cryptodev_raw_enqueue(ctx, &vec, 1, ofs, &iv, &digest, &other, a);
}

static void
run_raw(struct rte_crypto_raw_dp_ctx *ctx, struct answer *a)
{
	enum rte_crypto_op_status status = RTE_CRYPTO_OP_STATUS_ERROR;
	unsigned int patience = PATIENCE;
	void *back = NULL;
	int ret;

	/* Without an IOVA the device cannot read it. */
	assert_true(offer_answer(ctx, a, 0) < 0);
	assert_true(offer_answer(ctx, a, rte_crypto_op_ctophys_offset(a->op, AUTH_IV_AT)) >= 0);
	assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, 1), 0);
	while (back == NULL && poll_again(&patience))
		back = rte_cryptodev_raw_dequeue(ctx, &ret, &status);
	assert_ptr_equal(back, a);
	check_answer(a, status);
	assert_int_equal(rte_cryptodev_raw_dequeue_done(ctx, 1), 0);
}

static void
test_raw(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx =
		rte_zmalloc(NULL, (size_t)rte_cryptodev_get_raw_dp_ctx_size(dev), 0);
	union rte_cryptodev_session_ctx s;
	struct answer a;
	size_t i;

	(void)state;
	assert_non_null(ctx);
	for (i = 0; i < RTE_DIM(zuc256_vectors); i++) {
		make_answer(&a, &zuc256_vectors[i]);
		s.crypto_sess = rte_cryptodev_sym_session_create(dev, a.xform, sessions);
		assert_non_null(s.crypto_sess);
		assert_int_equal(rte_cryptodev_configure_raw_dp_ctx(dev, 0, ctx,
								    RTE_CRYPTO_OP_WITH_SESSION, s,
								    i != 0), 0);
		run_raw(ctx, &a);
		assert_int_equal(rte_cryptodev_sym_session_free(dev, s.crypto_sess), 0);
		free_answer(&a);
	}
	rte_free(ctx);
}

static int
begin(void **state)
{
	(void)state;
	return begin_plugged(&ops, &mbufs);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mbufs),
		cmocka_unit_test(test_sessionless),
		cmocka_unit_test(test_raw),
	};

	if (start_eal_silent("test_two_ivs") < 0)
		return 1;
	return cmocka_run_group_tests_name("chains with two long IVs", tests, begin, end_plugged);
}
