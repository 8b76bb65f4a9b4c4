/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes directions of connections and their records: see tls.h.
 */
#include <string.h>

#include <openssl/evp.h>

#include "tls.h"

#define TLS_EPOCH 0x0102u
#define KEY_SHORT 16u
#define KEY_LONG 32u
#define STATE_AT offsetof(struct accel_hw_tls_context, state)

static const uint8_t some_iv[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

const uint8_t tls_kinds[3] = {
	ACCEL_HW_KIND_TLS12, ACCEL_HW_KIND_TLS13, ACCEL_HW_KIND_DTLS12,
};

const struct tree_ipsec *
tls_node(const struct card *c, uint8_t kind)
{
	return kind == ACCEL_HW_KIND_TLS12 ? &c->tree.tls12 :
	       kind == ACCEL_HW_KIND_TLS13 ? &c->tree.tls13 : &c->tree.dtls12;
}

/* Return the size of a key that the tree has and TLS may use (manual 8.7), or 0. */
static uint16_t
key_size(const struct card *c, enum tls_suite suite)
{
	const uint32_t id = suite == TLS_CBC ? ACCEL_HW_CIPHER_AES_CBC : ACCEL_HW_AEAD_AES_GCM;
	const struct tree_alg *alg = tree_alg(&c->tree, id);
	const uint32_t iv = suite == TLS_CBC ? 16 : ACCEL_HW_TLS_NONCE;
	const uint32_t tag = suite == TLS_CBC ? 0 : TLS_TAG;

	if (suite == TLS_PLAIN || alg == NULL)
		return 0;
	return tree_sizes(alg, KEY_SHORT, iv, tag) ? KEY_SHORT :
	       tree_sizes(alg, KEY_LONG, iv, tag)  ? KEY_LONG : 0;
}

void
tls_make(const struct card *c, struct tls_direction *d, uint8_t kind, enum tls_suite suite,
	 bool write)
{
	struct accel_hw_context *x = &d->x.common;

	memset(d, 0, sizeof(*d));
	d->suite = suite;
	x->version = ACCEL_HW_CTX_VERSION;
	x->kind = kind;
	x->flags = write ? ACCEL_HW_CTX_ENCRYPT : 0;
	x->cipher_alg = suite == TLS_PLAIN ? ACCEL_HW_CIPHER_NULL :
			suite == TLS_CBC   ? ACCEL_HW_CIPHER_AES_CBC : ACCEL_HW_AEAD_AES_GCM;
	x->cipher_key_len = key_size(c, suite);
	x->auth_alg = suite == TLS_GCM ? 0 : ACCEL_HW_AUTH_SHA256_HMAC;
	x->auth_key_len = suite == TLS_GCM ? 0 : TLS_MAC;
	x->digest_len = suite == TLS_GCM ? TLS_TAG : TLS_MAC;
	if (suite != TLS_PLAIN && kind != ACCEL_HW_KIND_TLS13)
		x->iv_len = suite == TLS_CBC ? 16 : 8;
	memcpy(x->cipher_key, sym_key, x->cipher_key_len);
	memcpy(x->auth_key, sym_key, x->auth_key_len);
	if (suite == TLS_GCM)
		memcpy(d->x.tls.fixed_iv, some_iv, x->iv_len != 0 ? 4 : 12);
	d->x.tls.epoch = kind == ACCEL_HW_KIND_DTLS12 ? TLS_EPOCH : 0;
}

bool
tls_there(const struct card *c, uint8_t kind, enum tls_suite suite)
{
	const struct tree_ipsec *t = tls_node(c, kind);

	if (!t->lists.there || (kind == ACCEL_HW_KIND_TLS13 && suite != TLS_GCM))
		return false;
	if (suite == TLS_GCM)
		return tree_lists(t->aead, t->nb_aeads, ACCEL_HW_AEAD_AES_GCM) &&
		       key_size(c, suite) != 0;
	return (suite == TLS_PLAIN || key_size(c, suite) != 0) &&
	       tree_lists(t->lists.auth, t->lists.nb_auths, ACCEL_HW_AUTH_SHA256_HMAC) &&
	       tree_lists(t->lists.cipher, t->lists.nb_ciphers,
			  suite == TLS_CBC ? ACCEL_HW_CIPHER_AES_CBC : ACCEL_HW_CIPHER_NULL);
}

void
tls_store(struct card *c, struct tls_direction *d)
{
	d->at = memory_get(&c->memory, MEMORY_LOW, sizeof(d->x), ACCEL_HW_CTX_ALIGN);
	d->x.common.generation = ++c->generation;
	memory_write(&c->memory, d->at, &d->x, sizeof(d->x));
}

void
tls_load(struct card *c, struct tls_direction *d)
{
	memory_read(&c->memory, d->at + STATE_AT, &d->x.state, sizeof(d->x.state));
}

/* The functions below compute what is right. */

static void
put(uint8_t *to, uint64_t value, unsigned int bytes)
{
	while (bytes-- > 0)
		*to++ = (uint8_t)(value >> (8 * bytes));
}

bool
tls_is_dtls(const struct tls_direction *d)
{
	return d->x.common.kind == ACCEL_HW_KIND_DTLS12;
}

bool
tls_is_13(const struct tls_direction *d)
{
	return d->x.common.kind == ACCEL_HW_KIND_TLS13;
}

uint32_t
tls_header(const struct tls_direction *d)
{
	return tls_is_dtls(d) ? ACCEL_HW_DTLS_HEADER : ACCEL_HW_TLS_HEADER;
}

static void
gcm(uint32_t key_len, const uint8_t *nonce, const uint8_t *aad, uint32_t aad_len, uint8_t *text,
    uint32_t len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	EVP_EncryptInit_ex(ctx, key_len == KEY_LONG ? EVP_aes_256_gcm() : EVP_aes_128_gcm(), NULL,
			   sym_key, nonce);
	EVP_EncryptUpdate(ctx, NULL, &n, aad, (int)aad_len);
	EVP_EncryptUpdate(ctx, text, &n, text, (int)len);
	EVP_EncryptFinal_ex(ctx, text + len, &n);
	EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TLS_TAG, text + len);
	EVP_CIPHER_CTX_free(ctx);
}

uint32_t
tls_record(const struct tls_direction *d, uint64_t number, uint8_t type, const uint8_t *data,
	   uint32_t len, const uint8_t *padding, uint32_t pad, uint8_t *out)
{
	const uint32_t header = tls_header(d), iv = d->x.common.iv_len;
	const uint64_t whole = tls_is_dtls(d) ? (uint64_t)TLS_EPOCH << 48 | number : number;
	uint8_t *text = out + header + iv, aad[13 + TLS_ROOM], nonce[12];
	uint32_t all = len + (tls_is_13(d) ? 1 : 0) + pad;

	memcpy(text, data, len);
	put(aad, whole, 8);
	aad[8] = type;
	put(aad + 9, tls_is_dtls(d) ? ACCEL_HW_DTLS_VERSION : ACCEL_HW_TLS_VERSION, 2);
	put(aad + 11, len, 2);
	out[0] = tls_is_13(d) ? TLS_DATA : type;
	memcpy(out + 1, aad + 9, 2);
	if (tls_is_dtls(d))
		put(out + 3, whole, 8);
	put(out + header - 2, iv + all + d->x.common.digest_len, 2);
	if (d->suite == TLS_GCM) {
		memcpy(nonce, d->x.tls.fixed_iv, 12);
		for (unsigned int i = 0; i < 8; i++)
			nonce[4 + i] ^= (uint8_t)(whole >> (56 - 8 * i));
		if (iv != 0)
			put(out + header, whole, 8);
		if (tls_is_13(d)) {
			text[len] = type;
			memset(text + len + 1, 0, pad);
		}
		gcm(d->x.common.cipher_key_len, nonce, tls_is_13(d) ? out : aad,
		    tls_is_13(d) ? header : 13, text, all);
		return header + iv + all + TLS_TAG;
	}
	memcpy(aad + 13, data, len);
	ref_hmac(sym_key, TLS_MAC, aad, 13 + len, text + len);
	memcpy(text + len + TLS_MAC, padding, pad);
	if (d->suite == TLS_CBC) {
		memcpy(out + header, some_iv, 16);
		ref_cbc(sym_key, d->x.common.cipher_key_len, some_iv, true, text, text,
			len + TLS_MAC + pad);
	}
	return header + iv + len + TLS_MAC + pad;
}

uint32_t
tls_padding(const struct tls_direction *d, uint32_t len, uint32_t blocks, uint8_t *padding)
{
	const uint32_t pad = d->suite == TLS_CBC ? 16 - (len + TLS_MAC) % 16 + 16 * blocks : 0;

	memset(padding, (int)(pad - 1), pad);
	return pad;
}

/* The functions below run requests. */

void
tls_request(struct card *c, struct request *r, const struct tls_direction *d, uint32_t skip,
	    const uint8_t *in, uint32_t len, uint32_t room)
{
	sym_request(r, &d->x.common, d->at);
	memcpy(r->cmd.iv, some_iv, 16);
	r->cmd.cipher_len = len;
	r->cmd.skip = skip;
	if (len > 0) {
		request_in(r, memory_get(&c->memory, MEMORY_LOW, TLS_ROOM, 1), len);
		memory_write(&c->memory, r->in[0].iova, in, len);
	}
	if (room > 0)
		request_out(r, memory_get(&c->memory, MEMORY_LOW, TLS_ROOM, 1), room);
}

bool
tls_run_request(struct queue *q, const struct tls_direction *d, struct request *r, uint16_t status)
{
	const bool good = request_run(q, r, status);

	memory_take(&q->card->memory, d->at + STATE_AT, sizeof(d->x.state));
	return good;
}

bool
tls_run(struct queue *q, const struct tls_direction *d, uint32_t skip, const uint8_t *in,
	uint32_t len, const uint8_t *out, uint32_t out_len, uint16_t info, uint16_t status)
{
	struct memory *m = &q->card->memory;
	const uint64_t used = m->part[MEMORY_LOW].used;
	struct request r;
	bool good;

	tls_request(q->card, &r, d, skip, in, len, TLS_ROOM);
	r.output = out;
	r.produced = status == ACCEL_HW_OK ? out_len : 0;
	r.info = status == ACCEL_HW_OK ? info : 0;
	r.left = status == ACCEL_HW_OK && (skip & ACCEL_HW_TLS_CMD_KEEP_PLACE) != 0 ?
			 tls_header(d) + d->x.common.iv_len : 0;
	r.dirty = status == ACCEL_HW_AUTH_FAILED || status == ACCEL_HW_MALFORMED;
	good = tls_run_request(q, d, &r, status);
	m->part[MEMORY_LOW].used = used; /* the next request may have this memory */
	return good;
}

void
tls_fill(struct card *c, uint8_t *data, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		data[i] = (uint8_t)card_random(c);
}

bool
tls_any(struct card *c)
{
	enum tls_suite suite;
	uint8_t kind;

	TLS_EACH(c, kind, suite)
		return true;
	result_skip(&c->result, "no TLS records with HMAC-SHA256 or AES-GCM");
	return false;
}
