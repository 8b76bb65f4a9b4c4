/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The public-key operations of bench_pk.h. A run draws its keys from OpenSSL, as their values do
 * not matter for the time.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <rte_cycles.h>
#include <rte_errno.h>

#include "bench_pk.h"
#include "pk/pk_version.h"

#define EC_BYTES 32u /* of a number of P-256 */

enum pk_component {
	PK_N, PK_E, PK_P, PK_Q, PK_DP, PK_DQ, PK_QINV, /* of RSA */
	PK_D, PK_X, PK_Y, /* of a curve */
	PK_COMPONENTS
};

struct pk_key {
	uint8_t data[PK_COMPONENTS][PK_BYTES];
	size_t len[PK_COMPONENTS];
};

struct pk_case {
	const char *name;
	const char *group;
	enum rte_crypto_asym_xform_type type;
	int op_type; /* of enum rte_crypto_asym_op_type, or _ke_type for ECDH */
	unsigned int bits; /* of RSA */
};

static const struct pk_case cases[] = {
	{ "rsa2048-sign", "rsa2048", RTE_CRYPTO_ASYM_XFORM_RSA, RTE_CRYPTO_ASYM_OP_SIGN, 2048 },
	{ "rsa2048-verify", "rsa2048", RTE_CRYPTO_ASYM_XFORM_RSA, RTE_CRYPTO_ASYM_OP_VERIFY, 2048 },
	{ "rsa4096-sign", "rsa4096", RTE_CRYPTO_ASYM_XFORM_RSA, RTE_CRYPTO_ASYM_OP_SIGN, 4096 },
	{ "rsa4096-verify", "rsa4096", RTE_CRYPTO_ASYM_XFORM_RSA, RTE_CRYPTO_ASYM_OP_VERIFY, 4096 },
	{ "ecdsap256-sign", "ecdsap256", RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_ASYM_OP_SIGN, 0 },
	{ "ecdsap256-verify", "ecdsap256", RTE_CRYPTO_ASYM_XFORM_ECDSA,
	  RTE_CRYPTO_ASYM_OP_VERIFY, 0 },
	{ "ecdhp256-derive", "ecdhp256", RTE_CRYPTO_ASYM_XFORM_ECDH,
	  RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE, 0 },
};

/* The keys of a group of cases, as components and as the library has them. The peer has the public
 * key of ECDH. */
static struct pk_key own, peer;
static EVP_PKEY *own_drawn, *peer_drawn;
static uint8_t digest[PK_DIGEST] = "the digest of a long message ...";

const struct pk_case *
pk_case_at(unsigned int i)
{
	return i < RTE_DIM(cases) ? &cases[i] : NULL;
}

const char *
pk_case_name(const struct pk_case *what)
{
	return what->name;
}

const char *
pk_case_group(const struct pk_case *what)
{
	return what->group;
}

bool
pk_case_offered(uint8_t dev_id, const struct pk_case *what)
{
	const struct rte_cryptodev_asym_capability_idx idx = { .type = what->type };

	return rte_cryptodev_asym_capability_get(dev_id, &idx) != NULL;
}

/* Takes components from a key, each in len bytes, or in as few as it needs if len is 0. Returns 0
 * or -EIO. */
static int
take_components(EVP_PKEY *from, struct pk_key *key, const char *const *names, unsigned int first,
		unsigned int nb, size_t len)
{
	int ret = from == NULL ? -EIO : 0;
	unsigned int i;

	for (i = 0; ret == 0 && i < nb; i++) {
		BIGNUM *number = NULL;

		if (EVP_PKEY_get_bn_param(from, names[i], &number) != 1)
			return -EIO;
		key->len[first + i] = len != 0 ? len : (size_t)BN_num_bytes(number);
		if (BN_bn2binpad(number, key->data[first + i], (int)key->len[first + i]) < 0)
			ret = -EIO;
		BN_clear_free(number);
	}
	return ret;
}

/* The cases of a group share a key. */
static int
make_keys(const struct pk_case *what)
{
	static const char *made;
	static const char *const of_rsa[] = {
		OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E, OSSL_PKEY_PARAM_RSA_FACTOR1,
		OSSL_PKEY_PARAM_RSA_FACTOR2, OSSL_PKEY_PARAM_RSA_EXPONENT1,
		OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
	};
	static const char *const of_curve[] = {
		OSSL_PKEY_PARAM_PRIV_KEY, OSSL_PKEY_PARAM_EC_PUB_X, OSSL_PKEY_PARAM_EC_PUB_Y,
	};
	int ret;

	if (made != NULL && strcmp(made, what->group) == 0)
		return 0;
	made = what->group;
	EVP_PKEY_free(own_drawn);
	EVP_PKEY_free(peer_drawn);
	peer_drawn = NULL;
	if (what->type == RTE_CRYPTO_ASYM_XFORM_RSA) {
		own_drawn = EVP_RSA_gen(what->bits);
		return take_components(own_drawn, &own, of_rsa, PK_N, RTE_DIM(of_rsa), 0);
	}
	own_drawn = EVP_EC_gen("P-256");
	peer_drawn = EVP_EC_gen("P-256");
	ret = take_components(own_drawn, &own, of_curve, PK_D, RTE_DIM(of_curve), EC_BYTES);
	return ret != 0 ? ret : take_components(peer_drawn, &peer, of_curve, PK_D,
						RTE_DIM(of_curve), EC_BYTES);
}

/* Returns what a case does in the loop of `openssl speed`. */
static enum bare_what
bare_what(const struct pk_case *what)
{
	if (what->type == RTE_CRYPTO_ASYM_XFORM_ECDH)
		return BARE_DERIVE;
	return what->op_type == RTE_CRYPTO_ASYM_OP_SIGN ? BARE_SIGN : BARE_VERIFY;
}

static rte_crypto_param
number(struct pk_key *key, enum pk_component which)
{
	return (rte_crypto_param){ .data = key->data[which], .length = key->len[which] };
}

static rte_crypto_param
bytes(uint8_t *data, size_t len)
{
	return (rte_crypto_param){ .data = data, .length = len };
}

static int
make_session(struct pk_load *l)
{
	struct rte_crypto_asym_xform xform = { .xform_type = l->what->type };
	struct rte_crypto_rsa_priv_key_qt *qt = &xform.rsa.qt;

	if (l->what->type == RTE_CRYPTO_ASYM_XFORM_RSA) {
		xform.rsa.n = number(&own, PK_N);
		xform.rsa.e = number(&own, PK_E);
		xform.rsa.key_type = RTE_RSA_KEY_TYPE_QT;
		qt->p = number(&own, PK_P);
		qt->q = number(&own, PK_Q);
		qt->dP = number(&own, PK_DP);
		qt->dQ = number(&own, PK_DQ);
		qt->qInv = number(&own, PK_QINV);
		IN_XFORM(xform.rsa.padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
			 xform.rsa.padding.hash = RTE_CRYPTO_AUTH_SHA256;)
	} else {
		xform.ec.curve_id = RTE_CRYPTO_EC_GROUP_SECP256R1;
		IN_XFORM(xform.ec.pkey = number(&own, PK_D);
			 xform.ec.q.x = number(&own, PK_X);
			 xform.ec.q.y = number(&own, PK_Y);)
	}
	return rte_cryptodev_asym_session_create(l->dev_id, &xform, l->session_mp, &l->session);
}

/* Fills in all fields that an application would. An operation that verifies takes the signature,
 * others have a place of their own for results. */
static void
fill(struct pk_load *l, unsigned int i, int op_type)
{
	const bool verify = op_type == RTE_CRYPTO_ASYM_OP_VERIFY;
	struct pk_result *result = &l->results[i];
	struct rte_crypto_asym_op *op = l->ops[i]->asym;
	const size_t modulus = own.len[PK_N];

	memset(op, 0, sizeof(*op));
	rte_crypto_op_attach_asym_session(l->ops[i], l->session);
	if (l->what->type == RTE_CRYPTO_ASYM_XFORM_RSA) {
		op->rsa.op_type = op_type;
		op->rsa.message = bytes(digest, sizeof(digest));
		op->rsa.sign = bytes(verify ? l->signature.first : result->first, modulus);
		IN_OP(op->rsa.padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
		      op->rsa.padding.hash = RTE_CRYPTO_AUTH_SHA256;)
	} else if (l->what->type == RTE_CRYPTO_ASYM_XFORM_ECDH) {
		op->ecdh.ke_type = (enum rte_crypto_asym_ke_type)op_type;
		op->ecdh.priv_key = number(&own, PK_D);
		op->ecdh.pub_key.x = number(&peer, PK_X);
		op->ecdh.pub_key.y = number(&peer, PK_Y);
		op->ecdh.shared_secret.x = bytes(result->first, EC_BYTES);
		op->ecdh.shared_secret.y = bytes(result->second, EC_BYTES);
	} else {
		if (verify)
			result = &l->signature;
		op->ecdsa.op_type = (enum rte_crypto_asym_op_type)op_type;
		IN_OP(op->ecdsa.pkey = number(&own, PK_D);
		      op->ecdsa.q.x = number(&own, PK_X);
		      op->ecdsa.q.y = number(&own, PK_Y);)
		op->ecdsa.message = bytes(digest, sizeof(digest));
		op->ecdsa.r = bytes(result->first, EC_BYTES);
		op->ecdsa.s = bytes(result->second, EC_BYTES);
	}
}

static void
count_call(struct pk_count *count, uint64_t cycles)
{
	if (cycles >= BENCH_INTERRUPTED)
		return;
	count->moving += cycles;
	count->calls++;
}

static void
give(struct pk_load *l, struct pk_count *count)
{
	const unsigned int at = (unsigned int)(l->head % l->in_flight);
	const unsigned int room = l->in_flight - (unsigned int)(l->head - l->tail);
	const unsigned int want = RTE_MIN(room, l->in_flight - at);
	uint64_t start;
	uint16_t n;
	unsigned int i;

	if (want == 0)
		return;
	for (i = 0; i < want; i++)
		fill(l, at + i, l->what->op_type);
	start = cycles_now();
	n = rte_cryptodev_enqueue_burst(l->dev_id, l->qp, &l->ops[at], (uint16_t)want);
	if (n == 0)
		return;
	count_call(count, cycles_now() - start);
	l->head += n;
}

/* Operations come back in order, so each returns to its own place in the array. */
static int
take(struct pk_load *l, struct pk_count *count)
{
	const unsigned int at = (unsigned int)(l->tail % l->in_flight);
	const uint64_t start = cycles_now();
	const uint16_t n = rte_cryptodev_dequeue_burst(l->dev_id, l->qp, &l->ops[at],
						       (uint16_t)(l->in_flight - at));
	uint16_t i;

	if (n == 0)
		return 0;
	count_call(count, cycles_now() - start);
	count->ops += n;
	l->tail += n;
	for (i = 0; i < n; i++) {
		if (l->ops[at + i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS) {
			fprintf(stderr, "%s: status %u\n", l->what->name, l->ops[at + i]->status);
			return -EIO;
		}
	}
	return n;
}

int
pk_load_turn(struct pk_load *l, bool enqueue, struct pk_count *count)
{
	if (enqueue)
		give(l, count);
	return take(l, count);
}

int
pk_load_drain(struct pk_load *l)
{
	struct pk_count ignored = { 0 };
	int ret = 0;

	/* Each operation comes back, whatever the device does. */
	while (ret >= 0 && l->head != l->tail)
		ret = pk_load_turn(l, false, &ignored);
	return ret < 0 ? ret : 0;
}

/* Has the device sign the digest. */
static int
sign(struct pk_load *l)
{
	int ret;

	fill(l, 0, RTE_CRYPTO_ASYM_OP_SIGN);
	if (rte_cryptodev_enqueue_burst(l->dev_id, l->qp, l->ops, 1) != 1)
		return -EIO;
	l->head = 1;
	ret = pk_load_drain(l);
	l->signature = l->results[0];
	l->head = 0;
	l->tail = 0;
	return ret;
}

int
pk_load_make(struct pk_load *l, const struct bench *b, const struct pk_case *what, uint16_t qp,
	     unsigned int in_flight)
{
	int ret;

	memset(l, 0, sizeof(*l));
	l->what = what;
	l->dev_id = b->dev_id;
	l->qp = qp;
	l->in_flight = RTE_MIN(in_flight, PK_OPS);
	l->session_mp = rte_cryptodev_asym_session_pool_create("bench_pk_session", 2, 0, 0,
							       SOCKET_ID_ANY);
	l->op_mp = rte_crypto_op_pool_create("bench_pk_op", RTE_CRYPTO_OP_TYPE_ASYMMETRIC, PK_OPS,
					     0, 0, SOCKET_ID_ANY);
	if (l->session_mp == NULL || l->op_mp == NULL)
		return -ENOMEM;
	if (rte_crypto_op_bulk_alloc(l->op_mp, RTE_CRYPTO_OP_TYPE_ASYMMETRIC, l->ops, PK_OPS) !=
	    PK_OPS)
		return -ENOMEM;
	ret = make_keys(what);
	if (ret == 0)
		ret = make_session(l);
	if (ret == 0 && what->type != RTE_CRYPTO_ASYM_XFORM_ECDH &&
	    what->op_type == RTE_CRYPTO_ASYM_OP_VERIFY)
		ret = sign(l);
	if (ret == 0)
		l->bare = bare_new(own_drawn, peer_drawn, bare_what(what));
	return ret;
}

void
pk_load_free(struct pk_load *l)
{
	if (l->session != NULL)
		rte_cryptodev_asym_session_free(l->dev_id, l->session);
	rte_mempool_free(l->session_mp);
	rte_mempool_free(l->op_mp);
	if (l->bare != NULL)
		bare_free(l->bare);
	memset(l, 0, sizeof(*l));
}
