/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The 256-bit algorithms of 5G through the driver and the embedded device: capabilities, known
 * answers, chains, and what is refused. DPDK has names for them since 26.03. For an older version
 * this program has them, with numbers that no algorithm has there, and the driver's table with
 * their rows in place of the library's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <rte_errno.h>
#include <rte_version.h>

#include "driver_qp/plugged.h"

#if RTE_VERSION < RTE_VERSION_NUM(26, 3, 0, 0)
#define RTE_CRYPTO_CIPHER_SNOW5G_NEA4 201
#define RTE_CRYPTO_CIPHER_AES_NEA5 202
#define RTE_CRYPTO_CIPHER_ZUC_NEA6 203
#define RTE_CRYPTO_AUTH_SNOW5G_NIA4 204
#define RTE_CRYPTO_AUTH_AES_NIA5 205
#define RTE_CRYPTO_AUTH_ZUC_NIA6 206
#define RTE_CRYPTO_AEAD_SNOW5G_NCA4 207
#define RTE_CRYPTO_AEAD_AES_NCA5 208
#define RTE_CRYPTO_AEAD_ZUC_NCA6 209
#undef ACCEL_SINCE_26_03
#define ACCEL_SINCE_26_03(...) __VA_ARGS__,
#endif
#include "session/accel_capabilities.c"

#include "vectors/nxa_vectors.h"

#define IV_AT ((unsigned int)(sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op)))
#define AUTH_IV_AT (IV_AT + IV_LEN)
#define IV_LEN 16u
#define KEY_LEN 32u
#define ROOM 512u /* bytes of a text */
#define TAG_ROOM 16u
#define OUT 600u /* bytes of an mbuf where the digest lies; the AAD is behind it */
#define FORWARD true /* encrypts, generates */
#define BACK false

/* The numbers of rte_cryptodev and of the card, by algorithm 4 to 6. */
static const struct {
	int cipher, auth, aead;
} algs[] = {
	{ RTE_CRYPTO_CIPHER_SNOW5G_NEA4, RTE_CRYPTO_AUTH_SNOW5G_NIA4, RTE_CRYPTO_AEAD_SNOW5G_NCA4 },
	{ RTE_CRYPTO_CIPHER_AES_NEA5, RTE_CRYPTO_AUTH_AES_NIA5, RTE_CRYPTO_AEAD_AES_NCA5 },
	{ RTE_CRYPTO_CIPHER_ZUC_NEA6, RTE_CRYPTO_AUTH_ZUC_NIA6, RTE_CRYPTO_AEAD_ZUC_NCA6 },
};

static struct rte_mempool *ops, *mbufs;
static uint8_t key[KEY_LEN];

static uint32_t
from_hex(const char *text, uint8_t *to)
{
	uint32_t len = 0;
	unsigned int byte;

	for (; text != NULL && sscanf(text, "%2x", &byte) == 1; text += 2)
		to[len++] = (uint8_t)byte;
	return len;
}

/* The transform of a class with these sizes. The key is `key`, of which any length is readable. */
static struct rte_crypto_sym_xform
xform_of(unsigned int kind, unsigned int alg, bool forward, uint16_t key_len, uint16_t iv_len,
	 uint16_t tag, uint16_t aad)
{
	struct rte_crypto_sym_xform x = { .type = RTE_CRYPTO_SYM_XFORM_CIPHER };

	if (kind == ACCEL_HW_KIND_CIPHER) {
		x.cipher.op = forward ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT;
		x.cipher.algo = (enum rte_crypto_cipher_algorithm)algs[alg].cipher;
		x.cipher.key.data = key;
		x.cipher.key.length = key_len;
		x.cipher.iv.offset = IV_AT;
		x.cipher.iv.length = iv_len;
	} else if (kind == ACCEL_HW_KIND_AUTH) {
		x.type = RTE_CRYPTO_SYM_XFORM_AUTH;
		x.auth.op = forward ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
		x.auth.algo = (enum rte_crypto_auth_algorithm)algs[alg].auth;
		x.auth.key.data = key;
		x.auth.key.length = key_len;
		x.auth.iv.offset = AUTH_IV_AT;
		x.auth.iv.length = iv_len;
		x.auth.digest_length = tag;
	} else {
		x.type = RTE_CRYPTO_SYM_XFORM_AEAD;
		x.aead.op = forward ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
		x.aead.algo = (enum rte_crypto_aead_algorithm)algs[alg].aead;
		x.aead.key.data = key;
		x.aead.key.length = key_len;
		x.aead.iv.offset = IV_AT;
		x.aead.iv.length = iv_len;
		x.aead.digest_length = tag;
		x.aead.aad_length = aad;
	}
	return x;
}

static void *
session_of(struct rte_crypto_sym_xform *x)
{
	void *s = rte_cryptodev_sym_session_create(dev, x, sessions);

	assert_non_null(s);
	return s;
}

/* An operation on an mbuf that has a text at its begin. Both IVs are the same. */
static struct rte_crypto_op *
op_of(void *s, const uint8_t *iv, const uint8_t *text, uint32_t len)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);

	assert_true(op != NULL && m != NULL && len <= ROOM);
	assert_non_null(rte_pktmbuf_append(m, OUT + 256));
	memcpy(rte_pktmbuf_mtod(m, uint8_t *), text, len);
	memcpy(rte_crypto_op_ctod_offset(op, uint8_t *, IV_AT), iv, IV_LEN);
	memcpy(rte_crypto_op_ctod_offset(op, uint8_t *, AUTH_IV_AT), iv, IV_LEN);
	rte_crypto_op_attach_sym_session(op, s);
	op->sym->m_src = m;
	return op;
}

static void
set_bits(struct rte_crypto_op *op, uint32_t at, uint32_t cipher, uint32_t auth)
{
	op->sym->cipher.data.offset = at;
	op->sym->cipher.data.length = cipher;
	op->sym->auth.data.offset = at;
	op->sym->auth.data.length = auth;
	op->sym->auth.digest.data = rte_pktmbuf_mtod_offset(op->sym->m_src, uint8_t *, OUT);
	op->sym->auth.digest.phys_addr = rte_pktmbuf_iova_offset(op->sym->m_src, OUT);
}

static void
set_aead(struct rte_crypto_op *op, uint32_t len, const uint8_t *aad, uint32_t aad_len)
{
	uint8_t *to = rte_pktmbuf_mtod_offset(op->sym->m_src, uint8_t *, OUT);

	op->sym->aead.data.offset = 0;
	op->sym->aead.data.length = len;
	op->sym->aead.digest.data = to;
	op->sym->aead.digest.phys_addr = rte_pktmbuf_iova_offset(op->sym->m_src, OUT);
	op->sym->aead.aad.data = to + TAG_ROOM;
	op->sym->aead.aad.phys_addr = rte_pktmbuf_iova_offset(op->sym->m_src, OUT + TAG_ROOM);
	memcpy(to + TAG_ROOM, aad, aad_len);
}

static void
run(struct rte_crypto_op *op, int status)
{
	struct rte_crypto_op *back = NULL;
	unsigned int patience = PATIENCE;

	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
	while (rte_cryptodev_dequeue_burst(dev, 0, &back, 1) == 0 && poll_again(&patience))
		;
	assert_ptr_equal(back, op);
	assert_int_equal(op->status, status);
}

static uint8_t *
text_of(struct rte_crypto_op *op)
{
	return rte_pktmbuf_mtod(op->sym->m_src, uint8_t *);
}

static void
drop(struct rte_crypto_op *op)
{
	rte_pktmbuf_free(op->sym->m_src);
	rte_crypto_op_free(op);
}

/* The driver offers each algorithm with the sizes of its standard. */
static void
test_offered(void **state)
{
	const struct rte_cryptodev_symmetric_capability *c;
	struct rte_cryptodev_sym_capability_idx idx;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(algs); i++) {
		idx.type = RTE_CRYPTO_SYM_XFORM_CIPHER;
		idx.algo.cipher = (enum rte_crypto_cipher_algorithm)algs[i].cipher;
		c = rte_cryptodev_sym_capability_get(dev, &idx);
		assert_non_null(c);
		assert_int_equal(c->cipher.block_size, 16);
		assert_int_equal(rte_cryptodev_sym_capability_check_cipher(c, 32, 16), 0);
		assert_int_not_equal(rte_cryptodev_sym_capability_check_cipher(c, 16, 16), 0);
		idx.type = RTE_CRYPTO_SYM_XFORM_AUTH;
		idx.algo.auth = (enum rte_crypto_auth_algorithm)algs[i].auth;
		c = rte_cryptodev_sym_capability_get(dev, &idx);
		assert_non_null(c);
		assert_int_equal(rte_cryptodev_sym_capability_check_auth(c, 32, 4, 16), 0);
		assert_int_equal(rte_cryptodev_sym_capability_check_auth(c, 32, 16, 16), 0);
		assert_int_not_equal(rte_cryptodev_sym_capability_check_auth(c, 32, 3, 16), 0);
		idx.type = RTE_CRYPTO_SYM_XFORM_AEAD;
		idx.algo.aead = (enum rte_crypto_aead_algorithm)algs[i].aead;
		c = rte_cryptodev_sym_capability_get(dev, &idx);
		assert_non_null(c);
		assert_int_equal(rte_cryptodev_sym_capability_check_aead(c, 32, 9, 65535, 16), 0);
		assert_int_not_equal(rte_cryptodev_sym_capability_check_aead(c, 32, 9, 0, 12), 0);
	}
}

/* A known answer. */
struct answer {
	uint8_t iv[IV_LEN], aad[256], in[ROOM], out[ROOM], tag[TAG_ROOM];
	uint32_t aad_len, len, tag_len;
};

/* Runs a known answer in one direction. @param status what a tag with a changed bit gives. */
static void
run_way(const struct vector *v, unsigned int alg, const struct answer *a, bool forward, bool wrong)
{
	struct rte_crypto_sym_xform x = xform_of(v->kind, alg, forward, KEY_LEN, IV_LEN,
						 (uint16_t)a->tag_len, (uint16_t)a->aad_len);
	const bool auth = v->kind == ACCEL_HW_KIND_AUTH;
	void *s = session_of(&x);
	struct rte_crypto_op *op = op_of(s, a->iv, forward || auth ? a->in : a->out, a->len);
	uint8_t *tag = text_of(op) + OUT;

	if (v->kind == ACCEL_HW_KIND_AEAD)
		set_aead(op, a->len, a->aad, a->aad_len);
	else
		set_bits(op, 0, auth ? 0 : 8 * a->len, auth ? 8 * a->len : 0);
	if (!forward)
		memcpy(tag, a->tag, a->tag_len);
	if (wrong)
		tag[a->tag_len - 1] ^= 1;
	run(op, wrong ? RTE_CRYPTO_OP_STATUS_AUTH_FAILED : RTE_CRYPTO_OP_STATUS_SUCCESS);
	if (!auth && !wrong)
		assert_memory_equal(text_of(op), forward ? a->out : a->in, a->len);
	if (forward)
		assert_memory_equal(tag, a->tag, a->tag_len);
	drop(op);
	assert_int_equal(rte_cryptodev_sym_session_free(dev, s), 0);
}

/* Carries out the standard's answers in both directions. A tag with another bit is refused. */
static void
test_answers(void **state)
{
	unsigned int i, nb[3] = { 0 };
	struct answer a;

	(void)state;
	for (i = 0; i < RTE_DIM(nxa_vectors); i++) {
		const struct vector *v = &nxa_vectors[i];
		const unsigned int first = v->kind == ACCEL_HW_KIND_CIPHER ?
					   ACCEL_HW_CIPHER_SNOW5G_NEA4 :
					   v->kind == ACCEL_HW_KIND_AUTH ?
					   ACCEL_HW_AUTH_SNOW5G_NIA4 : ACCEL_HW_AEAD_SNOW5G_NCA4;
		const unsigned int alg = v->alg - first;

		assert_in_range(alg, 0, RTE_DIM(algs) - 1);
		memset(&a, 0, sizeof(a));
		assert_int_equal(from_hex(v->key, key), KEY_LEN);
		assert_int_equal(from_hex(v->iv, a.iv), IV_LEN);
		a.aad_len = from_hex(v->aad, a.aad);
		a.len = from_hex(v->in, a.in);
		from_hex(v->out, a.out);
		a.tag_len = from_hex(v->digest, a.tag);
		run_way(v, alg, &a, FORWARD, false);
		run_way(v, alg, &a, BACK, false);
		if (a.tag_len != 0)
			run_way(v, alg, &a, BACK, true);
		nb[alg]++;
	}
	for (i = 0; i < RTE_DIM(nb); i++)
		assert_in_range(nb[i], 20, RTE_DIM(nxa_vectors));
}

/* A chain gives what its two steps give, and the way back gives the text. */
static void
test_chains(void **state)
{
	static const uint8_t iv[IV_LEN] = { 0x80, 0x1c, 1, 2, 3, 4, 5, 6 };
	uint8_t text[ROOM], sent[ROOM], mac[TAG_ROOM];
	struct rte_crypto_sym_xform c, a;
	struct rte_crypto_op *op;
	unsigned int i, len;
	void *s;

	(void)state;
	for (i = 0; i < ROOM; i++)
		text[i] = (uint8_t)(7 * i + 3);
	for (i = 0; i < RTE_DIM(algs); i++) {
		len = 100 + 33 * i;
		c = xform_of(ACCEL_HW_KIND_CIPHER, i, FORWARD, KEY_LEN, IV_LEN, 0, 0);
		a = xform_of(ACCEL_HW_KIND_AUTH, i, FORWARD, KEY_LEN, IV_LEN, TAG_ROOM, 0);
		s = session_of(&c);
		op = op_of(s, iv, text, len);
		set_bits(op, 0, 8 * len, 0);
		run(op, RTE_CRYPTO_OP_STATUS_SUCCESS);
		memcpy(sent, text_of(op), len);
		drop(op);
		assert_int_equal(rte_cryptodev_sym_session_free(dev, s), 0);
		s = session_of(&a);
		op = op_of(s, iv, sent, len);
		set_bits(op, 0, 0, 8 * len);
		run(op, RTE_CRYPTO_OP_STATUS_SUCCESS);
		memcpy(mac, text_of(op) + OUT, sizeof(mac));
		drop(op);
		assert_int_equal(rte_cryptodev_sym_session_free(dev, s), 0);

		c.next = &a;
		s = session_of(&c);
		op = op_of(s, iv, text, len);
		set_bits(op, 0, 8 * len, 8 * len);
		run(op, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(text_of(op), sent, len);
		assert_memory_equal(text_of(op) + OUT, mac, sizeof(mac));
		drop(op);
		assert_int_equal(rte_cryptodev_sym_session_free(dev, s), 0);

		c = xform_of(ACCEL_HW_KIND_CIPHER, i, BACK, KEY_LEN, IV_LEN, 0, 0);
		a = xform_of(ACCEL_HW_KIND_AUTH, i, BACK, KEY_LEN, IV_LEN, TAG_ROOM, 0);
		a.next = &c;
		s = session_of(&a);
		op = op_of(s, iv, sent, len);
		set_bits(op, 0, 8 * len, 8 * len);
		memcpy(text_of(op) + OUT, mac, sizeof(mac));
		run(op, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(text_of(op), text, len);
		drop(op);
		assert_int_equal(rte_cryptodev_sym_session_free(dev, s), 0);
	}
}

/* Lengths and offsets are in bits, and have to be whole bytes. Nothing is written otherwise. */
static void
test_odd_bits(void **state)
{
	static const uint32_t odd[][2] = { { 0, 65 }, { 0, 1 }, { 4, 64 }, { 7, 9 } };
	static const uint8_t iv[IV_LEN] = { 0x20 }, text[ROOM] = { 0xa5 };
	struct rte_crypto_sym_xform x;
	struct rte_crypto_op *op;
	unsigned int i, j, kind;
	void *s;

	(void)state;
	for (i = 0; i < RTE_DIM(algs); i++) {
		for (kind = ACCEL_HW_KIND_CIPHER; kind <= ACCEL_HW_KIND_AUTH; kind++) {
			x = xform_of(kind, i, FORWARD, KEY_LEN, IV_LEN, 4, 0);
			s = session_of(&x);
			for (j = 0; j < RTE_DIM(odd); j++) {
				op = op_of(s, iv, text, ROOM);
				set_bits(op, odd[j][0], odd[j][1], odd[j][1]);
				run(op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
				assert_memory_equal(text_of(op), text, ROOM);
				drop(op);
			}
			/* A cipher of nothing is done. A MAC of nothing is not defined. */
			op = op_of(s, iv, text, ROOM);
			set_bits(op, 0, 0, 0);
			run(op, kind == ACCEL_HW_KIND_CIPHER ? RTE_CRYPTO_OP_STATUS_SUCCESS :
								RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
			drop(op);
			assert_int_equal(rte_cryptodev_sym_session_free(dev, s), 0);
		}
	}
}

/* No session has sizes that the algorithm lacks. */
static void
test_sizes(void **state)
{
	static const struct {
		uint8_t kind;
		uint16_t key, iv, tag;
	} wrong[] = {
		{ ACCEL_HW_KIND_CIPHER, 16, 16, 0 }, { ACCEL_HW_KIND_CIPHER, 32, 12, 0 },
		{ ACCEL_HW_KIND_CIPHER, 32, 25, 0 }, { ACCEL_HW_KIND_CIPHER, 0, 16, 0 },
		{ ACCEL_HW_KIND_AUTH, 16, 16, 4 }, { ACCEL_HW_KIND_AUTH, 32, 0, 4 },
		{ ACCEL_HW_KIND_AUTH, 32, 16, 3 }, { ACCEL_HW_KIND_AUTH, 32, 16, 17 },
		{ ACCEL_HW_KIND_AEAD, 24, 16, 16 }, { ACCEL_HW_KIND_AEAD, 32, 12, 16 },
		{ ACCEL_HW_KIND_AEAD, 32, 16, 2 }, { ACCEL_HW_KIND_AEAD, 32, 16, 17 },
	};
	struct rte_crypto_sym_xform x;
	unsigned int i, j;

	(void)state;
	for (i = 0; i < RTE_DIM(algs); i++) {
		for (j = 0; j < RTE_DIM(wrong); j++) {
			x = xform_of(wrong[j].kind, i, FORWARD, wrong[j].key, wrong[j].iv,
				     wrong[j].tag, 0);
			rte_errno = 0;
			assert_null(rte_cryptodev_sym_session_create(dev, &x, sessions));
			assert_int_equal(rte_errno, EINVAL);
		}
	}
}

/* A card of contract 1.5 has none of them. */
static void
test_older_card(void **state)
{
	struct rte_crypto_sym_xform x;
	unsigned int i, kind;

	(void)state;
	unplug();
	plug(PLUGGED_ARGS ",contract_minor=5");
	for (i = 0; i < RTE_DIM(algs); i++) {
		for (kind = ACCEL_HW_KIND_CIPHER; kind <= ACCEL_HW_KIND_AEAD; kind++) {
			if (kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
			    kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER)
				continue;
			x = xform_of(kind, i, FORWARD, KEY_LEN, IV_LEN, 4, 0);
			rte_errno = 0;
			assert_null(rte_cryptodev_sym_session_create(dev, &x, sessions));
			assert_int_equal(rte_errno, ENOTSUP);
		}
	}
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
		cmocka_unit_test(test_offered),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_chains),
		cmocka_unit_test(test_odd_bits),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_older_card),
	};

	if (start_eal_silent("test_5g") < 0)
		return 1;
	return cmocka_run_group_tests_name("the 256-bit algorithms of 5G", tests, begin,
					   end_plugged);
}
