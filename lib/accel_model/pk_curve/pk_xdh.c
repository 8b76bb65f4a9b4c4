/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * X25519 and X448: see pk_xdh.h. Each string of bytes is a point of the curve or of its twist. A
 * point of low order is found because the shared secret is all zeros, which OpenSSL refuses.
 */
#include <pthread.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "mem/vault.h"
#include "pk/pk_operand.h"
#include "pk_curve/pk_stock.h"
#include "pk_curve/pk_xdh.h"

#define XDH_BYTES 56u

static const struct xdh_curve {
	uint8_t number;
	uint8_t len;
	const char *name;
} curves[] = {
	{ ACCEL_HW_CURVE_X25519, 32, "X25519" },
	{ ACCEL_HW_CURVE_X448, 56, "X448" },
};

static bool curve_here[ARRAY_NB(curves)];
static pthread_once_t curve_once = PTHREAD_ONCE_INIT;

/* Holds the context's private key, and a peer's key whose point each operation sets. */
struct exchange {
	EVP_PKEY_CTX *ctx;
	EVP_PKEY *peer;
};

/* Holds what an exchange needs whose private number is used once. Nothing of the private number is
 * kept here. */
struct maker {
	EVP_PKEY_CTX *ctx; /* makes keys */
	EVP_PKEY *peer;
};

static struct pk_stock makers[ARRAY_NB(curves)];

struct xdh_key {
	struct pk_key base;
	const struct xdh_curve *curve;
	EVP_PKEY *own; /* NULL: d is absent */
	uint8_t point[XDH_BYTES]; /* of own */
	struct pk_stock *exchanges; /* of own */
};

static void
curve_probe(void)
{
	for (unsigned int i = 0; i < ARRAY_NB(curves); i++) {
		EVP_KEYEXCH *exchange = EVP_KEYEXCH_fetch(libctx(), curves[i].name, NULL);

		curve_here[i] = exchange != NULL;
		EVP_KEYEXCH_free(exchange);
	}
}

static const struct xdh_curve *
find(unsigned int number)
{
	pthread_once(&curve_once, curve_probe);
	for (unsigned int i = 0; i < ARRAY_NB(curves); i++) {
		if (curves[i].number == number && curve_here[i])
			return &curves[i];
	}
	return NULL;
}

bool
pk_xdh_has(unsigned int curve)
{
	return find(curve) != NULL;
}

uint32_t
pk_xdh_len(unsigned int curve)
{
	return find(curve)->len;
}

static const uint8_t any_point[XDH_BYTES] = { 9 };

/* Make a peer's key, whose point each operation replaces. */
static EVP_PKEY *
peer_new(const struct xdh_curve *curve)
{
	return EVP_PKEY_new_raw_public_key_ex(libctx(), curve->name, NULL, any_point, curve->len);
}

/* Prepare OpenSSL to compute shared secrets with a private key. NULL: this failed. */
static EVP_PKEY_CTX *
derive_new(EVP_PKEY *own)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(libctx(), own, NULL);

	if (ctx != NULL && EVP_PKEY_derive_init(ctx) == 1)
		return ctx;
	EVP_PKEY_CTX_free(ctx);
	return NULL;
}

static void
exchange_free(struct exchange *e)
{
	if (e == NULL)
		return;
	EVP_PKEY_CTX_free(e->ctx);
	EVP_PKEY_free(e->peer);
	OPENSSL_free(e);
}

static struct exchange *
exchange_new(const struct xdh_curve *curve, EVP_PKEY *own)
{
	struct exchange *e = OPENSSL_zalloc(sizeof(*e));

	if (e == NULL)
		return NULL;
	e->ctx = derive_new(own);
	e->peer = peer_new(curve);
	if (e->ctx != NULL && e->peer != NULL)
		return e;
	exchange_free(e);
	return NULL;
}

static void
maker_free(struct maker *m)
{
	if (m == NULL)
		return;
	EVP_PKEY_CTX_free(m->ctx);
	EVP_PKEY_free(m->peer);
	OPENSSL_free(m);
}

static struct maker *
maker_new(const struct xdh_curve *curve)
{
	struct maker *m = OPENSSL_zalloc(sizeof(*m));

	if (m == NULL)
		return NULL;
	m->ctx = EVP_PKEY_CTX_new_from_name(libctx(), curve->name, NULL);
	m->peer = peer_new(curve);
	if (m->ctx != NULL && m->peer != NULL && EVP_PKEY_fromdata_init(m->ctx) == 1)
		return m;
	maker_free(m);
	return NULL;
}

/* Compute a shared secret. @return OK, INVALID_POINT if the peer's point is of low order, or
 * ENGINE_ERROR. */
static uint16_t
exchange_run(const struct exchange *e, struct pk_bytes point, uint8_t *secret)
{
	size_t len = point.len;

	/* The peer's key is not checked (0), as a check only looks at its length. */
	if (EVP_PKEY_set1_encoded_public_key(e->peer, point.data, point.len) != 1 ||
			EVP_PKEY_derive_set_peer_ex(e->ctx, e->peer, 0) != 1)
		return ACCEL_HW_ENGINE_ERROR;
	if (EVP_PKEY_derive(e->ctx, secret, &len) == 1)
		return len == point.len ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
	return ACCEL_HW_INVALID_POINT;
}

/* Make a private key for exchanges only. Its point is not computed, as this takes as long as an
 * exchange, and nothing asks for the point. */
static EVP_PKEY *
key_without_point(const struct maker *m, const struct xdh_curve *curve, const uint8_t *d)
{
	uint8_t private[XDH_BYTES], public[XDH_BYTES] = { 0 };
	OSSL_PARAM params[] = {
		OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, private, curve->len),
		OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, public, curve->len),
		OSSL_PARAM_END,
	};
	EVP_PKEY *key = NULL;

	memcpy(private, d, curve->len);
	if (EVP_PKEY_fromdata(m->ctx, &key, EVP_PKEY_KEYPAIR, params) != 1)
		key = NULL;
	OPENSSL_cleanse(private, sizeof(private));
	return key;
}

static bool
key_fill(struct xdh_key *key, struct pk_bytes d)
{
	size_t len = key->curve->len;

	key->own = EVP_PKEY_new_raw_private_key_ex(libctx(), key->curve->name, NULL, d.data, d.len);
	key->exchanges = OPENSSL_zalloc(sizeof(*key->exchanges));
	return key->own != NULL && key->exchanges != NULL &&
			EVP_PKEY_get_raw_public_key(key->own, key->point, &len) == 1;
}

struct pk_key *
pk_xdh_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	const struct xdh_curve *curve = find(header->curve);
	const struct pk_bytes d = components[ACCEL_HW_EC_D];
	struct xdh_key *key;

	if (d.len != 0 && d.len != curve->len)
		return NULL;
	key = vault_alloc(sizeof(*key));
	if (key != NULL) {
		key->curve = curve;
		if (d.len == 0 || key_fill(key, d))
			return &key->base;
		pk_xdh_key_free((struct pk_key *)key); /* not &key->base, which gcc takes for all of
						        * *key */
	}
	*status = ACCEL_HW_ENGINE_ERROR;
	return NULL;
}

void
pk_xdh_key_free(struct pk_key *base)
{
	struct xdh_key *key = (struct xdh_key *)base;

	for (unsigned int i = 0; key->exchanges != NULL && i < PK_STOCK_NB; i++)
		exchange_free(key->exchanges->object[i]);
	OPENSSL_free(key->exchanges);
	EVP_PKEY_free(key->own); /* clears the key */
	vault_free(key, sizeof(*key));
}

static const struct xdh_key *
key_of(const struct pk_job *job)
{
	return (const struct xdh_key *)job->key;
}

/* Append the point of a private number to the results. */
static uint16_t
put_point_of(struct pk_job *job, const struct xdh_curve *curve, const uint8_t *d)
{
	uint8_t x[XDH_BYTES];
	size_t len = sizeof(x);
	EVP_PKEY *key = EVP_PKEY_new_raw_private_key_ex(libctx(), curve->name, NULL, d, curve->len);
	bool good = key != NULL && EVP_PKEY_get_raw_public_key(key, x, &len) == 1 &&
			len == curve->len;

	EVP_PKEY_free(key);
	if (good)
		pk_put_bytes(job, x, curve->len);
	return good ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
}

uint16_t
pk_xdh_generate(struct pk_job *job)
{
	const struct xdh_curve *curve = key_of(job)->curve;
	const bool small = curve->number == ACCEL_HW_CURVE_X25519;
	uint8_t d[XDH_BYTES];
	uint16_t status;

	if (!libctx_random_secret(d, curve->len))
		return ACCEL_HW_NO_ENTROPY;
	/* Set and clear the bits that a multiplication sets and clears (RFC 7748, 5). */
	d[0] &= small ? 0xf8 : 0xfc;
	d[curve->len - 1] &= small ? 0x7f : 0xff;
	d[curve->len - 1] |= small ? 0x40 : 0x80;
	pk_put_bytes(job, d, curve->len);
	status = put_point_of(job, curve, d);
	OPENSSL_cleanse(d, sizeof(d));
	return status;
}

uint16_t
pk_xdh_public(struct pk_job *job, unsigned int d)
{
	const struct xdh_key *key = key_of(job);
	const struct pk_bytes given = pk_operand(job, d);

	if (given.len == key->curve->len)
		return put_point_of(job, key->curve, given.data);
	if (given.len != 0)
		return ACCEL_HW_BAD_OPERAND;
	pk_put_bytes(job, key->point, key->curve->len);
	return ACCEL_HW_OK;
}

/* Compute a shared secret with a private number that is used once. */
static uint16_t
shared_once(const struct xdh_curve *curve, const uint8_t *d, struct pk_bytes x, uint8_t *secret)
{
	struct pk_stock *stock = &makers[curve - curves];
	struct maker *m = pk_stock_take(stock);
	uint16_t status = ACCEL_HW_ENGINE_ERROR;
	struct exchange e = { 0 };
	EVP_PKEY *own;

	if (m == NULL)
		m = maker_new(curve);
	if (m == NULL)
		return status;
	own = key_without_point(m, curve, d);
	if (own != NULL)
		e = (struct exchange){ .ctx = derive_new(own), .peer = m->peer };
	if (e.ctx != NULL)
		status = exchange_run(&e, x, secret);
	EVP_PKEY_CTX_free(e.ctx);
	EVP_PKEY_free(own); /* clears the key */
	if (EVP_PKEY_set1_encoded_public_key(m->peer, any_point, curve->len) != 1 ||
			!pk_stock_put(stock, m))
		maker_free(m);
	return status;
}

static uint16_t
shared_own(const struct xdh_key *key, struct pk_bytes x, uint8_t *secret)
{
	struct exchange *e = pk_stock_take(key->exchanges);
	uint16_t status;

	if (e == NULL)
		e = exchange_new(key->curve, key->own);
	if (e == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	status = exchange_run(e, x, secret);
	if (!pk_stock_put(key->exchanges, e))
		exchange_free(e);
	return status;
}

uint16_t
pk_xdh_shared(struct pk_job *job, unsigned int d, unsigned int x)
{
	const struct xdh_key *key = key_of(job);
	const struct pk_bytes private = pk_operand(job, d), point = pk_operand(job, x);
	uint8_t secret[XDH_BYTES];
	uint16_t status;

	if (point.len != key->curve->len ||
			(private.len != 0 && private.len != key->curve->len))
		return ACCEL_HW_BAD_OPERAND;
	if (private.len != 0)
		status = shared_once(key->curve, private.data, point, secret);
	else
		status = shared_own(key, point, secret);
	if (status == ACCEL_HW_OK)
		pk_put_bytes(job, secret, key->curve->len);
	OPENSSL_cleanse(secret, sizeof(secret));
	return status;
}

uint16_t
pk_xdh_check(struct pk_job *job, unsigned int x)
{
	static const uint8_t any[XDH_BYTES] = { 8 };
	const struct xdh_curve *curve = key_of(job)->curve;
	const struct pk_bytes point = pk_operand(job, x);
	uint8_t secret[XDH_BYTES];

	if (point.len != curve->len)
		return ACCEL_HW_BAD_OPERAND;
	return shared_once(curve, any, point, secret);
}
