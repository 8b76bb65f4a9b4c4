/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * RSA signatures for accel_notify.c: see notify_rsa.h. The keys are files, since it takes a guest
 * within a guest minutes to find the primes of a long one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "notify_rsa.h"
#include "pk/pk_version.h"

enum number { N, E, P, Q, DP, DQ, QINV, NUMBERS };

static struct {
	EVP_PKEY *key;
	uint8_t data[NUMBERS][NOTIFY_RSA_BYTES];
	rte_crypto_param number[NUMBERS];
	uint8_t signature[NOTIFY_RSA_OPS][NOTIFY_RSA_BYTES];
	struct rte_mempool *session_mp, *op_mp;
	void *session;
} r;

static uint8_t digest[32] = "the digest of a long message ...";

/* Reads a key and takes its numbers. Returns 0 or -EIO. */
static int
key_read(const char *folder, unsigned int bytes)
{
	static const char *const names[NUMBERS] = {
		OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E, OSSL_PKEY_PARAM_RSA_FACTOR1,
		OSSL_PKEY_PARAM_RSA_FACTOR2, OSSL_PKEY_PARAM_RSA_EXPONENT1,
		OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
	};
	char path[512];
	FILE *file;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/rsa-%u.pem", folder, 8 * bytes);
	file = fopen(path, "r");
	r.key = file != NULL ? PEM_read_PrivateKey(file, NULL, NULL, NULL) : NULL;
	if (file != NULL)
		fclose(file);
	if (r.key == NULL || (unsigned int)EVP_PKEY_get_size(r.key) != bytes) {
		fprintf(stderr, "%s: no RSA key; `openssl genrsa -out %s %u` makes one\n", path,
			path, 8 * bytes);
		return -EIO;
	}
	for (int i = 0; ret == 0 && i < NUMBERS; i++) {
		BIGNUM *number = NULL;

		if (EVP_PKEY_get_bn_param(r.key, names[i], &number) != 1)
			return -EIO;
		r.number[i].data = r.data[i];
		r.number[i].length = (size_t)BN_num_bytes(number);
		if (BN_bn2binpad(number, r.data[i], (int)r.number[i].length) < 0)
			ret = -EIO;
		BN_clear_free(number);
	}
	return ret;
}

static int
session_make(uint8_t dev_id)
{
	struct rte_crypto_asym_xform xform = { .xform_type = RTE_CRYPTO_ASYM_XFORM_RSA };
	struct rte_crypto_rsa_priv_key_qt *qt = &xform.rsa.qt;

	xform.rsa.n = r.number[N];
	xform.rsa.e = r.number[E];
	xform.rsa.key_type = RTE_RSA_KEY_TYPE_QT;
	qt->p = r.number[P];
	qt->q = r.number[Q];
	qt->dP = r.number[DP];
	qt->dQ = r.number[DQ];
	qt->qInv = r.number[QINV];
	IN_XFORM(xform.rsa.padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
		 xform.rsa.padding.hash = RTE_CRYPTO_AUTH_SHA256;)
	return rte_cryptodev_asym_session_create(dev_id, &xform, r.session_mp, &r.session);
}

static void
fill(struct rte_crypto_op *op, unsigned int i)
{
	rte_crypto_op_attach_asym_session(op, r.session);
	op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	op->asym->rsa.message = (rte_crypto_param){ .data = digest, .length = sizeof(digest) };
	op->asym->rsa.sign = (rte_crypto_param){ .data = r.signature[i],
						 .length = r.number[N].length };
	IN_OP(op->asym->rsa.padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
	      op->asym->rsa.padding.hash = RTE_CRYPTO_AUTH_SHA256;)
}

int
notify_rsa_make(uint8_t dev_id, const char *folder, unsigned int bytes, struct rte_crypto_op **ops,
		unsigned int nb)
{
	int ret = key_read(folder, bytes);

	if (ret != 0)
		return ret;
	r.session_mp = rte_cryptodev_asym_session_pool_create("rsa_sessions", 2, 0, 0,
							      SOCKET_ID_ANY);
	r.op_mp = rte_crypto_op_pool_create("rsa_ops", RTE_CRYPTO_OP_TYPE_ASYMMETRIC,
					    NOTIFY_RSA_OPS, 0, 0, SOCKET_ID_ANY);
	if (r.session_mp == NULL || r.op_mp == NULL || nb > NOTIFY_RSA_OPS ||
	    rte_crypto_op_bulk_alloc(r.op_mp, RTE_CRYPTO_OP_TYPE_ASYMMETRIC, ops, (uint16_t)nb) !=
	    nb)
		return -ENOMEM;
	ret = session_make(dev_id);
	if (ret != 0) {
		fprintf(stderr, "RSA of %u bits: the device makes no session\n", 8 * bytes);
		return ret;
	}
	for (unsigned int i = 0; i < nb; i++)
		fill(ops[i], i);
	return 0;
}

int
notify_rsa_check(unsigned int nb)
{
	static uint8_t wanted[NOTIFY_RSA_BYTES];
	size_t len = sizeof(wanted);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(r.key, NULL);
	bool good = ctx != NULL && EVP_PKEY_sign_init(ctx) == 1 &&
		    EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1 &&
		    EVP_PKEY_CTX_set_signature_md(ctx, EVP_sha256()) == 1 &&
		    EVP_PKEY_sign(ctx, wanted, &len, digest, sizeof(digest)) == 1;

	for (unsigned int i = 0; good && i < nb; i++)
		good = memcmp(r.signature[i], wanted, len) == 0;
	EVP_PKEY_CTX_free(ctx);
	if (!good)
		fprintf(stderr, "RSA of %zu bits: a signature differs from OpenSSL's\n",
			8 * r.number[N].length);
	return good ? 0 : -EIO;
}

void
notify_rsa_free(uint8_t dev_id, struct rte_crypto_op **ops, unsigned int nb)
{
	for (unsigned int i = 0; r.session != NULL && i < nb; i++)
		rte_crypto_op_free(ops[i]);
	if (r.session != NULL)
		rte_cryptodev_asym_session_free(dev_id, r.session);
	rte_mempool_free(r.session_mp);
	rte_mempool_free(r.op_mp);
	EVP_PKEY_free(r.key);
	memset(&r, 0, sizeof(r));
}
