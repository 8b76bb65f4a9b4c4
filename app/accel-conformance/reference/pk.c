/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes public-key operations: see pk.h.
 */
#include <string.h>

#include "pk.h"

void
pk_init(struct pk *x, uint16_t alg, uint8_t curve)
{
	memset(x, 0, sizeof(*x));
	x->h.version = ACCEL_HW_CTX_VERSION;
	x->h.kind = ACCEL_HW_KIND_PK;
	x->h.alg = alg;
	x->h.curve = curve;
}

void
pk_component(struct pk *x, unsigned int number, const void *data, uint16_t len)
{
	x->h.component[number] = len;
	memcpy(x->key + x->h.key_len, data, len);
	x->h.key_len += len;
}

void
pk_store_at(struct card *c, struct pk *x, uint64_t iova)
{
	x->at = iova;
	x->h.generation = ++c->generation;
	memory_write(&c->memory, x->at, &x->h, sizeof(x->h));
	if (x->h.key_len > 0 && x->h.key_len <= sizeof(x->key))
		memory_write(&c->memory, x->at + sizeof(x->h), x->key, x->h.key_len);
}

void
pk_store(struct card *c, struct pk *x)
{
	pk_store_at(c, x, memory_get(&c->memory, MEMORY_LOW, sizeof(x->h) + sizeof(x->key),
				     ACCEL_HW_CTX_ALIGN));
}

void
pk_request(struct request *r, const struct pk *x, uint16_t operation)
{
	request_init(r, ACCEL_HW_OP_PK);
	r->pk.operation = operation;
	r->pk.context = x->at;
	r->pk.generation = x->h.generation;
}

void
pk_operand(struct card *c, struct request *r, unsigned int number, const void *data, uint32_t len)
{
	uint64_t at = memory_get(&c->memory, MEMORY_LOW, len > 0 ? len : 1, 1);

	r->pk.operand[number] = len;
	if (len == 0)
		return;
	memory_write(&c->memory, at, data, len);
	request_in(r, at, len);
}

void
pk_result(struct card *c, struct request *r, uint32_t len)
{
	request_out(r, memory_get(&c->memory, MEMORY_LOW, len, 1), len);
	r->produced = len;
}

void
pk_output(struct card *c, const struct request *r, uint8_t *to, uint32_t len)
{
	memory_read(&c->memory, r->out[0].iova, to, len);
}

bool
pk_gives(struct queue *q, struct request *r, const uint8_t *want, uint32_t len)
{
	r->produced = len;
	r->output = want;
	return request_run(q, r, ACCEL_HW_OK);
}

bool
pk_open(struct queue *q, struct card *c)
{
	if (c->tree.nb_pk_qps == 0) {
		result_skip(&c->result, "the tree has no public-key queue pairs");
		return false;
	}
	queue_init_pk(q, c, 0);
	return queue_start(q);
}

const struct tree_pk *
pk_open_for(struct queue *q, struct card *c, uint32_t alg)
{
	const struct tree_pk *a = tree_pk(&c->tree, alg);

	if (a == NULL) {
		result_skip(&c->result, "the tree has no algorithm %u", alg);
		return NULL;
	}
	return pk_open(q, c) ? a : NULL;
}

bool
pk_has(const struct tree_pk *a, unsigned int operation, uint32_t curve)
{
	return (a->operations & 1u << operation) != 0 &&
	       (curve == 0 || tree_lists(a->curve, a->nb_curves, curve));
}

void
pk_odd(struct card *c, uint8_t *to, uint32_t len)
{
	uint8_t *last = to;

	for (uint32_t i = 0; i < len; i++) {
		last = &to[i];
		*last = (uint8_t)card_random(c);
	}
	to[0] |= 0x80;
	*last |= 1;
}

void
pk_put(BIGNUM *from, uint8_t *to, uint32_t len)
{
	BN_bn2binpad(from, to, (int)len);
	BN_clear_free(from);
}

void
pk_modexp(struct card *c, struct pk *x, struct request *r, uint32_t len, uint8_t *out)
{
	uint8_t modulus[1024] = { 0 }, exponent[1024] = { 0 }, base[1024] = { 0 };

	pk_odd(c, modulus, len);
	pk_odd(c, exponent, len);
	pk_odd(c, base, len);
	pk_init(x, ACCEL_HW_PK_MODEXP, 0);
	pk_component(x, ACCEL_HW_MOD_MODULUS, modulus, (uint16_t)len);
	pk_component(x, ACCEL_HW_MOD_EXPONENT, exponent, (uint16_t)len);
	pk_store(c, x);
	pk_request(r, x, ACCEL_HW_PK_COMPUTE);
	pk_operand(c, r, 0, base, len);
	pk_result(c, r, len);
	if (out == NULL)
		return;

	BIGNUM *m = BN_bin2bn(modulus, (int)len, NULL), *e = BN_bin2bn(exponent, (int)len, NULL);
	BIGNUM *b = BN_bin2bn(base, (int)len, NULL), *y = BN_new();
	BN_CTX *ctx = BN_CTX_new();

	BN_mod_exp(y, b, e, m, ctx);
	pk_put(y, out, len);
	BN_free(m);
	BN_free(e);
	BN_free(b);
	BN_CTX_free(ctx);
}
