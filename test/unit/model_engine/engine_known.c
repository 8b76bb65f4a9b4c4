/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For tests of crypto engines: carries out the known answers of engine_vectors.h.
 */
#include "model_engine/engine_known.h"

struct engine_ctx *
open_ctx(struct engine *engine, const struct engine_ops *ops, const struct accel_hw_context *raw)
{
	uint16_t status = ANY_STATUS;
	struct engine_ctx *ctx = ops->ctx_init(engine, raw, &status);
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx;

	if (ctx == NULL)
		fail_msg("%s: no context of kind %u, cipher %u, key %u, auth %u, key %u: status %u",
				ops->name, raw->kind, raw->cipher_alg, raw->cipher_key_len,
				raw->auth_alg, raw->auth_key_len, status);
	assert_ptr_equal(header->ops, ops);
	assert_ptr_equal(header->engine, engine);
	return ctx;
}

unsigned int
from_hex(uint8_t *out, const char *text)
{
	unsigned int len = 0;

	if (text == NULL)
		return 0;
	if (text[0] == '\'') {
		memcpy(out, text + 1, strlen(text + 1));
		return (unsigned int)strlen(text + 1);
	}
	for (; text[0] != '\0'; text += 2) {
		char byte[3] = { text[0], text[1], '\0' };

		out[len++] = (uint8_t)strtoul(byte, NULL, 16);
	}
	return len;
}

void
read_vector(struct known *known, const struct vector *v)
{
	struct accel_hw_context *raw = &known->raw;
	struct engine_job *job = &known->job;

	memset(known, 0, sizeof(*known));
	raw->version = ACCEL_HW_CTX_VERSION;
	raw->kind = v->kind;
	raw->digest_len = (uint16_t)from_hex(known->digest, v->digest);
	job->src_len = from_hex(known->in, v->in);
	from_hex(known->out, v->out);
	if (v->kind == ACCEL_HW_KIND_AUTH) {
		raw->auth_alg = v->alg;
		raw->auth_key_len = (uint16_t)from_hex(raw->auth_key, v->key);
		raw->auth_iv_len = (uint8_t)(strlen(v->iv) / 2);
		from_hex(raw->auth_iv_len > ACCEL_HW_IV_MAX ? job->iv : job->auth_iv, v->iv);
		job->auth_len = job->src_len;
	} else {
		raw->cipher_alg = v->alg;
		raw->cipher_key_len = (uint16_t)from_hex(raw->cipher_key, v->key);
		raw->iv_len = (uint8_t)from_hex(job->iv, v->iv);
		job->cipher_len = job->src_len;
		job->aad_len = from_hex(known->aad, v->aad);
		job->aad = known->aad;
	}
}

/* Runs one direction. A spoilt digest has to give AUTH_FAILED. */
static void
run_vector(struct engine *engine, const struct engine_ops *ops, struct known *known,
		const struct vector *v, bool forward, bool in_place, bool spoil)
{
	struct engine_job *job = &known->job;
	const uint8_t *in = forward ? known->in : known->out;
	const uint8_t *out = forward ? known->out : known->in;
	bool verify = !forward && v->digest != NULL;

	known->raw.flags = forward ? ACCEL_HW_CTX_ENCRYPT : 0;
	if (v->kind == ACCEL_HW_KIND_AUTH) {
		known->raw.flags = verify ? ACCEL_HW_CTX_VERIFY : 0;
		in = known->in;
	}
	memcpy(known->buf, in, job->src_len);
	memset(known->got, 0xee, sizeof(known->got));
	if (verify)
		memcpy(known->got, known->digest, sizeof(known->got));
	if (spoil)
		known->got[known->raw.digest_len - 1] ^= 0x01;
	job->src = in_place ? known->buf : in;
	job->dst = v->kind == ACCEL_HW_KIND_AUTH ? NULL : known->buf;
	job->digest_in = verify ? known->got : NULL;
	job->digest_out = verify ? NULL : known->got;
	job->done = false;
	job->ctx = open_ctx(engine, ops, &known->raw);
	ops->submit(engine, job);
	ops->flush(engine);
	ops->ctx_fini(engine, job->ctx);
	assert_true(job->done);
	if (job->status != (spoil ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK))
		fail_msg("%s: unexpected status %u", v->source, job->status);
	if (job->dst != NULL && !spoil && memcmp(known->buf, out, job->src_len) != 0)
		fail_msg("%s: wrong output of %s", v->source,
				forward ? "the way there" : "the way back");
	if (!verify && memcmp(known->got, known->digest, known->raw.digest_len) != 0)
		fail_msg("%s: wrong digest", v->source);
}

unsigned int
run_vectors(struct engine *engine, const struct engine_ops *ops, const struct vector *v, size_t nb)
{
	static struct known known;
	unsigned int done = 0;

	for (size_t i = 0; i < nb; i++) {
		read_vector(&known, &v[i]);
		if (!ops->supports(&known.raw))
			continue;
		done++;
		for (unsigned int mode = 0; mode < 4; mode++)
			run_vector(engine, ops, &known, &v[i], mode & 1, mode & 2, false);
		if (v[i].digest != NULL)
			run_vector(engine, ops, &known, &v[i], false, false, true);
	}
	return done;
}
