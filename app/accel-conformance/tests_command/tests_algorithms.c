/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests what the algorithms compute, and which regions they take (manual 8.2).
 */
#include <stdio.h>
#include <string.h>

#include "reference/known.h"
#include "tests_command.h"

#define ROOM 512u

/* Run an operation with everything in one fragment. The bytes after the input are the digest. */
static bool
run(struct queue *q, const struct known_answer *k, struct accel_hw_context *x, const uint8_t *in,
    uint32_t aad, uint32_t len, uint32_t digest_in, const uint8_t *out, uint32_t produced,
    uint16_t status)
{
	struct card *c = q->card;
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, ROOM, 1);
	struct request r;

	memory_write(&c->memory, from, in, aad + len + digest_in);
	sym_request(&r, x, sym_store(c, x));
	known_iv(k, &r.cmd);
	r.cmd.aad_len = (uint16_t)aad;
	r.cmd.cipher_len = x->kind == ACCEL_HW_KIND_AUTH ? 0 : len;
	r.cmd.auth_len = x->kind == ACCEL_HW_KIND_AUTH ? len : 0;
	if (aad + len + digest_in > 0)
		request_in(&r, from, aad + len + digest_in);
	if (produced > 0)
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, ROOM, 1), produced);
	r.produced = produced;
	r.output = out;
	result_note(&c->result, "algorithm %u, %s", k->alg, k->origin);
	return request_run(q, &r, status);
}

/* Encipher and decipher, generate and verify, refuse a wrong digest. */
static bool
both_ways(struct queue *q, const struct known_answer *k)
{
	uint8_t in[ROOM], out[ROOM];
	struct accel_hw_context x;
	bool auth;
	uint32_t aad, len, tag;

	known_context(k, &x);
	auth = x.kind == ACCEL_HW_KIND_AUTH;
	aad = known_bytes(k->aad, in, ROOM);
	memcpy(out, in, aad); /* the other direction needs the AAD, too */
	len = known_bytes(k->in, in + aad, ROOM - aad);
	if (!auth)
		known_bytes(k->out, out + aad, ROOM - aad);
	tag = known_bytes(k->digest, out + aad + (auth ? 0 : len), 64);
	if (!run(q, k, &x, in, aad, len, 0, out + aad, (auth ? 0 : len) + tag, ACCEL_HW_OK))
		return false;
	x.flags = auth ? ACCEL_HW_CTX_VERIFY : 0;
	if (auth) {
		memcpy(in + len, out, tag);
		if (!run(q, k, &x, in, 0, len, tag, NULL, 0, ACCEL_HW_OK))
			return false;
		in[len + tag - 1] ^= 0x01;
		return run(q, k, &x, in, 0, len, tag, NULL, 0, ACCEL_HW_AUTH_FAILED);
	}
	if (!run(q, k, &x, out, aad, len, tag, in + aad, len, ACCEL_HW_OK))
		return false;
	if (tag == 0)
		return true;
	out[aad + len + tag - 1] ^= 0x01;
	return run(q, k, &x, out, aad, len, tag, in + aad, len, ACCEL_HW_AUTH_FAILED);
}

static void
answers(struct card *c, const struct known_answer *k, unsigned int nb)
{
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < nb; i++) {
		if (!known_there(c, &k[i]))
			continue;
		done++;
		if (!both_ways(&q, &k[i]))
			return;
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "none of these algorithms");
}

static void
ciphers(struct card *c)
{
	answers(c, known_cipher, known_cipher_nb);
}

static void
authentications(struct card *c)
{
	answers(c, known_auth, known_auth_nb);
}

static void
aeads(struct card *c)
{
	answers(c, known_aead, known_aead_nb);
}

/* Run an AEAD. Its AAD lies at the start of the destination, and a digest to verify at the end. */
static bool
run_inside(struct queue *q, const struct known_answer *k, bool encrypt)
{
	uint8_t aad[ROOM], in[ROOM], out[ROOM];
	const uint32_t aad_len = known_bytes(k->aad, aad, ROOM);
	const uint32_t len = known_bytes(k->in, in, ROOM);
	struct card *c = q->card;
	struct accel_hw_context x;
	uint64_t from, to;
	struct request r;
	uint32_t tag;

	known_context(k, &x);
	x.flags = encrypt ? ACCEL_HW_CTX_ENCRYPT : 0;
	known_bytes(k->out, out, ROOM);
	tag = known_bytes(k->digest, out + len, 64);
	from = memory_get(&c->memory, MEMORY_LOW, ROOM, 1);
	to = memory_get(&c->memory, MEMORY_LOW, ROOM, 1);
	memory_write(&c->memory, from, encrypt ? in : out, len);
	memory_write(&c->memory, to, aad, aad_len);
	sym_request(&r, &x, sym_store(c, &x));
	known_iv(k, &r.cmd);
	r.cmd.aad_len = (uint16_t)aad_len;
	r.cmd.cipher_len = len;
	request_in(&r, to, aad_len);
	request_in(&r, from, len);
	if (!encrypt) {
		memory_write(&c->memory, to + len - tag, out + len, tag);
		request_in(&r, to + len - tag, tag);
	}
	r.produced = len + (encrypt ? tag : 0);
	r.output = encrypt ? out : in;
	request_out(&r, to, r.produced);
	result_note(&c->result, "%s, %scryption", k->origin, encrypt ? "en" : "de");
	return request_run(q, &r, ACCEL_HW_OK);
}

/* Test AEADs whose AAD and digest to verify lie in the destination. */
static void
inside_destination(struct card *c)
{
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < known_aead_nb; i++) {
		const struct known_answer *k = &known_aead[i];
		uint8_t bytes[ROOM];
		const uint32_t aad = known_bytes(k->aad, bytes, ROOM);
		const uint32_t tag = known_bytes(k->digest, bytes, ROOM);

		if (aad == 0 || known_bytes(k->in, bytes, ROOM) < aad + tag || !known_there(c, k))
			continue;
		done++;
		if (!run_inside(&q, k, true) || !run_inside(&q, k, false))
			return;
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "none of these algorithms");
}

/* Test GCM with J0 instead of a nonce. J0 for a nonce of 12 bytes is the nonce and a counter of 1,
 * so both forms give the same result. */
static void
j0(struct card *c)
{
	static const struct known_answer k = { .origin = "J0", .alg = ACCEL_HW_AEAD_AES_GCM };
	uint8_t in[64], out[80];
	struct accel_hw_context x;
	struct request r;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_AEAD_AES_GCM))
		return;
	SKIP_UNLESS(c, tree_sizes(tree_alg(&c->tree, k.alg), 16, 16, 16) &&
		    sym_gcm_aad(&c->tree, 0) == 0, "no IV of 16 bytes, or none without AAD");
	if (!queue_open(&q, c))
		return;
	memset(in, 0x5e, sizeof(in));
	sym_gcm(&c->tree, &x, true, 16);
	x.iv_len = 16;
	ref_gcm(&x, NULL, 0, in, out, 64, out + 64);
	sym_request(&r, &x, sym_store(c, &x));
	memcpy(r.cmd.iv + 12, "\0\0\0\1", 4);
	r.cmd.cipher_len = 64;
	request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
	memory_write(&c->memory, r.in[0].iova, in, 64);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 80, 1), 80);
	r.produced = 80;
	r.output = out;
	if (request_run(&q, &r, ACCEL_HW_OK))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Make the context of the tests of data units: XTS with AES-128. */
static void
xts(struct accel_hw_context *x, uint32_t unit)
{
	memset(x, 0, sizeof(*x));
	x->version = ACCEL_HW_CTX_VERSION;
	x->kind = ACCEL_HW_KIND_CIPHER;
	x->flags = ACCEL_HW_CTX_ENCRYPT;
	x->cipher_alg = ACCEL_HW_CIPHER_AES_XTS;
	x->cipher_key_len = 32;
	x->iv_len = 16;
	x->data_unit_len = unit;
	memcpy(x->cipher_key, sym_key, 32);
}

/* Encipher one region. The tweak is 0xfffffffe, and two units later a carry has gone through four
 * bytes. */
static bool
xts_run(struct queue *q, uint32_t unit, uint64_t from, uint64_t to, uint32_t len, uint8_t first,
	const uint8_t *expect, uint16_t status)
{
	struct card *c = q->card;
	struct accel_hw_context x;
	struct request r;

	xts(&x, unit);
	sym_request(&r, &x, sym_store(c, &x));
	memset(r.cmd.iv, 0, 16);
	r.cmd.iv[0] = first;
	if (first < 0xfe)
		r.cmd.iv[4] = 1;
	else
		memset(r.cmd.iv + 1, 0xff, 3);
	r.cmd.cipher_len = r.produced = len;
	request_in(&r, from, len);
	request_out(&r, to, len);
	r.output = expect;
	return request_run(q, &r, status);
}

/* Check that several data units at once give the same as each one alone with its tweak. */
static void
data_units(struct card *c)
{
	const struct tree_alg *a = tree_alg(&c->tree, ACCEL_HW_CIPHER_AES_XTS);
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, 4096, 1);
	uint64_t to = memory_get(&c->memory, MEMORY_LOW, 4096, 1);
	uint32_t unit;
	struct queue q;

	SKIP_UNLESS(c, a != NULL && a->unit_max >= 16 && tree_sizes(a, 32, 16, 0),
		    "no AES-XTS with data units");
	if (!queue_open(&q, c))
		return;
	for (unit = a->unit_min; unit <= a->unit_max && unit <= 1024; unit *= 2) {
		uint8_t expect[4096];

		for (uint32_t i = 0; i < 4; i++) {
			if (!xts_run(&q, 0, from + i * unit, to + i * unit, unit,
				     (uint8_t)(0xfe + i), NULL, ACCEL_HW_OK))
				return;
		}
		memory_read(&c->memory, to, expect, 4 * unit);
		if (!xts_run(&q, unit, from, memory_get(&c->memory, MEMORY_LOW, 4 * unit, 1),
			     4 * unit, 0xfe, expect, ACCEL_HW_OK) ||
		    !xts_run(&q, unit, from, to, 4 * unit - 1, 0, NULL, ACCEL_HW_BAD_LENGTH) ||
		    !xts_run(&q, unit, from, to, unit + 16 + (unit == 16), 0, NULL,
			     ACCEL_HW_BAD_LENGTH))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
data_unit_sizes(struct card *c)
{
	const struct tree_alg *a = tree_alg(&c->tree, ACCEL_HW_CIPHER_AES_XTS);
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, 4096, 1);
	struct queue q;

	SKIP_UNLESS(c, a != NULL && tree_sizes(a, 32, 16, 0), "no AES-XTS");
	if (!queue_open(&q, c))
		return;
	for (uint32_t unit = 1; unit <= 2048; unit = unit < 40 ? unit + 1 : unit + 37) {
		bool good = (unit & (unit - 1)) == 0 && unit >= a->unit_min && unit <= a->unit_max;

		if (!good && !xts_run(&q, unit, from, from, unit < 16 ? 16 : unit, 0, NULL,
				      ACCEL_HW_BAD_CONTEXT))
			return;
	}
	if (a->unit_max != 0 && a->unit_max < 0x80000000 &&
	    !xts_run(&q, 2 * a->unit_max, from, from, 16, 0, NULL, ACCEL_HW_BAD_CONTEXT))
		return;
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test AES-XTS with equal halves of the key. */
static void
equal_halves(struct card *c)
{
	const struct tree_alg *a = tree_alg(&c->tree, ACCEL_HW_CIPHER_AES_XTS);
	struct accel_hw_context x;
	struct request r;
	struct queue q;

	SKIP_UNLESS(c, a != NULL && tree_sizes(a, 32, 16, 0), "no AES-XTS");
	if (!queue_open(&q, c))
		return;
	xts(&x, 0);
	memcpy(x.cipher_key + 16, x.cipher_key, 16);
	sym_request(&r, &x, sym_store(c, &x));
	r.cmd.cipher_len = 32;
	request_in(&r, memory_get(&c->memory, MEMORY_LOW, 32, 1), 32);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 32, 1), 32);
	if (request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
null_auth(struct card *c)
{
	static const struct known_answer k = { .origin = "NULL", .alg = ACCEL_HW_AUTH_NULL };
	uint8_t in[32] = { 7 };
	struct accel_hw_context x;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_AUTH_NULL) || !queue_open(&q, c))
		return;
	known_context(&k, &x);
	if (!run(&q, &k, &x, in, 0, 32, 0, NULL, 0, ACCEL_HW_OK))
		return;
	x.flags = ACCEL_HW_CTX_VERIFY;
	if (!run(&q, &k, &x, in, 0, 32, 0, NULL, 0, ACCEL_HW_OK))
		return;
	x.digest_len = 1;
	if (run(&q, &k, &x, in, 0, 32, 0, NULL, 0, ACCEL_HW_BAD_CONTEXT))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test every length of a digest of ZUC-EIA3, with both key lengths. */
static void
eia3_digests(struct card *c)
{
	static const struct known_answer k = { .origin = "ZUC-EIA3",
					       .alg = ACCEL_HW_AUTH_ZUC_EIA3 };
	const struct tree_alg *a = tree_alg(&c->tree, ACCEL_HW_AUTH_ZUC_EIA3);
	uint8_t in[64] = { 1, 2, 3 };
	struct queue q;

	SKIP_UNLESS(c, a != NULL, "no ZUC-EIA3");
	if (!queue_open(&q, c))
		return;
	for (uint16_t key = 16; key <= 32; key += 16) {
		uint8_t iv = key == 16 ? 16 : 25;

		for (uint16_t digest = 0; digest <= 20; digest++) {
			bool good = tree_sizes(a, key, iv, digest) &&
				(digest == 4 || (key == 32 && (digest == 8 || digest == 16)));
			struct accel_hw_context x;

			known_context(&k, &x);
			x.auth_key_len = key;
			x.auth_iv_len = iv;
			x.digest_len = digest;
			result_note(&c->result, "key %u, digest %u", key, digest);
			if (!run(&q, &k, &x, in, 0, 20, 0, NULL, good ? digest : 16,
				 good ? ACCEL_HW_OK : ACCEL_HW_BAD_CONTEXT))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run a function with each known answer of three algorithms, until it fails. The function counts in
 * @p done what the card can do of it. */
static void
each_known(struct card *c, const uint16_t alg[3],
	   bool (*fn)(struct queue *q, const struct known_answer *k, unsigned int *done))
{
	const struct known_answer *table[] = { known_cipher, known_auth, known_aead };
	const unsigned int nb[] = { known_cipher_nb, known_auth_nb, known_aead_nb };
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int t = 0; t < 3; t++) {
		for (unsigned int i = 0; i < nb[t]; i++) {
			const struct known_answer *k = &table[t][i];

			if (tree_alg(&c->tree, k->alg) != NULL &&
			    (k->alg == alg[0] || k->alg == alg[1] || k->alg == alg[2]) &&
			    !fn(&q, k, &done))
				return;
		}
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "none of these algorithms");
}

/* Run a known answer of the longest MAC with each length of a MAC. */
static bool
run_short(struct queue *q, const struct known_answer *k, unsigned int *done)
{
	const struct tree_alg *a = tree_alg(&q->card->tree, k->alg);
	struct known_answer shorter = *k;
	char mac[33];

	if (strlen(k->digest) != 2 * 16)
		return true;
	shorter.digest = mac;
	for (uint32_t len = 4; len <= 16; len++) {
		snprintf(mac, sizeof(mac), "%.*s", (int)(2 * len), k->digest);
		if (!tree_sizes(a, 32, 16, len))
			continue;
		(*done)++;
		if (!both_ways(q, &shorter))
			return false;
	}
	return true;
}

static void
short_macs(struct card *c)
{
	static const uint16_t nia[] = { ACCEL_HW_AUTH_SNOW5G_NIA4, ACCEL_HW_AUTH_AES_NIA5,
					ACCEL_HW_AUTH_ZUC_NIA6 };

	each_known(c, nia, run_short);
}

static void
short_tags(struct card *c)
{
	static const uint16_t nca[] = { ACCEL_HW_AEAD_SNOW5G_NCA4, ACCEL_HW_AEAD_AES_NCA5,
					ACCEL_HW_AEAD_ZUC_NCA6 };

	each_known(c, nca, run_short);
}

/* Run a known answer with ones in the bytes of the IV where AES counts blocks. */
static bool
run_counter(struct queue *q, const struct known_answer *k, unsigned int *done)
{
	struct known_answer ones = *k;
	char iv[33];

	if (!known_there(q->card, k))
		return true;
	snprintf(iv, sizeof(iv), "%.24sffffffff", k->iv);
	ones.iv = iv;
	(*done)++;
	return both_ways(q, &ones);
}

static void
block_counter(struct card *c)
{
	static const uint16_t aes[] = { ACCEL_HW_CIPHER_AES_NEA5, ACCEL_HW_AUTH_AES_NIA5,
					ACCEL_HW_AEAD_AES_NCA5 };

	each_known(c, aes, run_counter);
}

#define LIMIT_ROOM 65600u /* bytes of a region in a test */

/* Lists algorithms that have limits, in bytes of a region. 0 means that only a card may have a
 * limit. */
static const struct limit {
	uint16_t alg;
	uint8_t key, iv, digest;
	uint32_t least, most;
} limited[] = {
	{ ACCEL_HW_CIPHER_SNOW3G_UEA2, 16, 16, 0, 1, 0 },
	{ ACCEL_HW_CIPHER_KASUMI_F8, 16, 8, 0, 1, 2500 },
	{ ACCEL_HW_CIPHER_ZUC_EEA3, 16, 16, 0, 1, 0 },
	{ ACCEL_HW_AUTH_SNOW3G_UIA2, 16, 16, 4, 1, 0 },
	{ ACCEL_HW_AUTH_KASUMI_F9, 16, 0, 4, 9, 2500 },
	{ ACCEL_HW_AUTH_ZUC_EIA3, 16, 16, 4, 1, 0 },
	{ ACCEL_HW_AUTH_SNOW5G_NIA4, 32, 16, 16, 1, 0 },
	{ ACCEL_HW_AUTH_AES_NIA5, 32, 16, 12, 1, 0 },
	{ ACCEL_HW_AUTH_ZUC_NIA6, 32, 16, 16, 1, 0 },
	{ ACCEL_HW_CIPHER_AES_XTS, 32, 16, 0, 16, 0 },
	{ ACCEL_HW_AEAD_AES_CCM, 16, 13, 8, 0, 65535 },
};

/* Run a region of len bytes, in place. */
static bool
run_region(struct queue *q, const struct limit *l, uint64_t at, uint32_t len, uint16_t status)
{
	const struct known_answer k = { .alg = l->alg };
	struct accel_hw_context x;
	struct request r;
	bool auth;

	known_context(&k, &x);
	auth = x.kind == ACCEL_HW_KIND_AUTH;
	memcpy(auth ? x.auth_key : x.cipher_key, sym_key, 32);
	*(auth ? &x.auth_key_len : &x.cipher_key_len) = l->key;
	*(auth ? &x.auth_iv_len : &x.iv_len) = l->iv;
	x.digest_len = l->digest;
	sym_request(&r, &x, sym_store(q->card, &x));
	*(auth ? &r.cmd.auth_len : &r.cmd.cipher_len) = len;
	if (len > 0)
		request_in(&r, at, len < 65535 ? len : 65535);
	if (len > 65535)
		request_in(&r, at, len - 65535);
	r.produced = (auth ? 0 : len) + x.digest_len;
	if (r.produced > 0)
		request_out(&r, at, r.produced < 65535 ? r.produced : 65535);
	if (r.produced > 65535)
		request_out(&r, at + 65535, r.produced - 65535);
	result_note(&q->card->result, "algorithm %u, region of %u bytes", k.alg, len);
	return request_run(q, &r, status);
}

/* Return the most bytes of a region. 0 means that there is no limit, or that a test has no room for
 * so many bytes. */
static uint32_t
most_of(const struct limit *l, const struct tree_alg *a)
{
	if (l->most != 0)
		return l->most;
	return a->region_max < LIMIT_ROOM ? a->region_max : 0;
}

/* Run regions at and beyond the limits of the wireless algorithms, of XTS, and of CCM, and at and
 * beyond limits that the tree adds. */
static void
limits(struct card *c)
{
	uint64_t at = memory_get(&c->memory, MEMORY_LOW, LIMIT_ROOM + 100, 1);
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < sizeof(limited) / sizeof(limited[0]); i++) {
		const struct limit *l = &limited[i];
		const struct tree_alg *a = tree_alg(&c->tree, l->alg);
		uint32_t most;

		if (a == NULL || !tree_sizes(a, l->key, l->iv, l->digest))
			continue;
		done++;
		most = most_of(l, a);
		if (!run_region(&q, l, at, l->least, ACCEL_HW_OK) ||
		    (l->least > 0 &&
		     !run_region(&q, l, at, l->least - 1, ACCEL_HW_BAD_LENGTH)))
			return;
		if (most > 0 && (!run_region(&q, l, at, most, ACCEL_HW_OK) ||
				 !run_region(&q, l, at, most + 1, ACCEL_HW_BAD_LENGTH)))
			return;
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no algorithm whose regions have limits");
}

#define LONG_LEN 65593u /* bytes of a region that count in more than 16 bits */
#define TOGETHER 4u

/* Run operations over one source at once. */
static bool
run_together(struct queue *q, struct accel_hw_context *x, uint64_t from, const uint8_t *out,
	     uint32_t produced)
{
	struct memory *m = &q->card->memory;
	const bool auth = x->kind == ACCEL_HW_KIND_AUTH;
	struct request r[TOGETHER];
	bool good = true;

	for (unsigned int i = 0; i < TOGETHER; i++) {
		uint64_t to = memory_get(m, MEMORY_LOW, produced, 1);

		sym_request(&r[i], x, sym_store(q->card, x));
		*(auth ? &r[i].cmd.auth_len : &r[i].cmd.cipher_len) = LONG_LEN;
		request_in(&r[i], from, 65535);
		request_in(&r[i], from + 65535, LONG_LEN - 65535);
		request_out(&r[i], to, produced < 65535 ? produced : 65535);
		if (produced > 65535)
			request_out(&r[i], to + 65535, produced - 65535);
		r[i].status = ACCEL_HW_OK;
		r[i].produced = produced;
		r[i].output = out;
		request_post(q, &r[i]);
	}
	result_note(&q->card->result, "algorithm %u, regions of %u bytes",
		    auth ? x->auth_alg : x->cipher_alg, LONG_LEN);
	queue_doorbell(q);
	for (unsigned int i = 0; good && i < TOGETHER; i++)
		good = request_finish(q, &r[i]);
	return good;
}

/* True if the card takes a region of LONG_LEN with a key of 16 bytes and a digest of 16. */
static bool
takes_long(const struct tree_alg *a, uint32_t iv)
{
	return a != NULL && tree_sizes(a, 16, iv, 16) &&
	       (a->region_max == 0 || a->region_max >= LONG_LEN);
}

/* Run MACs of AES, and AEADs with such a MAC, of long regions. A card may carry out several at
 * once, and may do so in parts. */
static void
long_macs(struct card *c)
{
	const bool cmac = takes_long(tree_alg(&c->tree, ACCEL_HW_AUTH_AES_CMAC), 0);
	const bool ccm = takes_long(tree_alg(&c->tree, ACCEL_HW_AEAD_AES_CCM), 12);
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, LONG_LEN, 1);
	const uint8_t *in = memory_at(&c->memory, from, LONG_LEN);
	struct accel_hw_context mac = { .version = ACCEL_HW_CTX_VERSION,
					.kind = ACCEL_HW_KIND_AUTH,
					.auth_alg = ACCEL_HW_AUTH_AES_CMAC,
					.auth_key_len = 16,
					.digest_len = 16 };
	struct accel_hw_context aead = { .version = ACCEL_HW_CTX_VERSION,
					 .kind = ACCEL_HW_KIND_AEAD,
					 .flags = ACCEL_HW_CTX_ENCRYPT,
					 .cipher_alg = ACCEL_HW_AEAD_AES_CCM,
					 .cipher_key_len = 16,
					 .iv_len = 12,
					 .digest_len = 16 };
	static uint8_t out[LONG_LEN + 16];
	struct queue q;

	SKIP_UNLESS(c, (cmac || ccm) && c->tree.max_frame_bytes >= LONG_LEN + 16,
		    "neither AES-CMAC nor AES-CCM of so many bytes");
	memcpy(mac.auth_key, sym_key, 16);
	memcpy(aead.cipher_key, sym_key, 16);
	if (!queue_open(&q, c))
		return;
	if (cmac) {
		ref_cmac(sym_key, in, LONG_LEN, out);
		if (!run_together(&q, &mac, from, out, 16))
			return;
	}
	if (ccm) {
		ref_ccm(sym_key, sym_iv, in, out, LONG_LEN, out + LONG_LEN);
		if (!run_together(&q, &aead, from, out, LONG_LEN + 16))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "ALG-1", "known answers of ciphers", ciphers },
	{ "ALG-1", "known answers of authentication, generated and verified", authentications },
	{ "ALG-1 ALG-4", "known answers of AEADs", aeads },
	{ "ALG-1", "long regions of AES-CMAC and AES-CCM, several at once", long_macs },
	{ "RES-8", "AAD and a digest to verify in the destination", inside_destination },
	{ "ALG-1", "XTS with equal halves of the key: BAD_CONTEXT", equal_halves },
	{ "ALG-2", "data units of XTS with their tweaks", data_units },
	{ "ALG-3", "other sizes of data units: BAD_CONTEXT", data_unit_sizes },
	{ "ALG-4", "a GCM IV of 16 bytes is J0", j0 },
	{ "ALG-5", "authentication NULL", null_auth },
	{ "ALG-6", "digests of ZUC-EIA3", eia3_digests },
	{ "ALG-9", "shorter MACs of 256-NIA are parts of the longest one", short_macs },
	{ "ALG-9", "shorter MACs of 256-NCA are parts of the longest one", short_tags },
	{ "ALG-10", "AES of 5G begins to count blocks with 0", block_counter },
	{ "ALG-7", "regions at the limits, and beyond them: BAD_LENGTH", limits },
};

const struct test_group tests_algorithms = TEST_GROUP("algorithms", tests);
