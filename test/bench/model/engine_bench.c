/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures what one operation costs in each of the model's crypto engines, without any DMA:
 * nanoseconds per operation in place with 64 jobs in-flight. An option names an engine to measure
 * it alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bench_help.h"
#include "engine/engine.h"

#define JOBS 64u
#define LEN_MAX 16384u
#define RUN_NS UINT64_C(100000000)
#define DIM(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *name;
	struct accel_hw_context raw;
} cases[] = {
	{ "AES-128-CBC encrypt",
			{ .kind = ACCEL_HW_KIND_CIPHER,
					.flags = ACCEL_HW_CTX_ENCRYPT,
					.cipher_alg = ACCEL_HW_CIPHER_AES_CBC,
					.cipher_key_len = 16,
					.iv_len = 16 } },
	{ "AES-128-GCM encrypt",
			{ .kind = ACCEL_HW_KIND_AEAD,
					.flags = ACCEL_HW_CTX_ENCRYPT,
					.cipher_alg = ACCEL_HW_AEAD_AES_GCM,
					.cipher_key_len = 16,
					.iv_len = 12,
					.digest_len = 16 } },
	{ "AES-128-CBC, SHA1-HMAC-96",
			{ .kind = ACCEL_HW_KIND_CIPHER_THEN_AUTH,
					.flags = ACCEL_HW_CTX_ENCRYPT,
					.cipher_alg = ACCEL_HW_CIPHER_AES_CBC,
					.cipher_key_len = 16,
					.iv_len = 16,
					.auth_alg = ACCEL_HW_AUTH_SHA1_HMAC,
					.auth_key_len = 20,
					.digest_len = 12 } },
};

static const struct engine_ops *const engines[] = { &engine_null, &engine_openssl,
	&engine_ipsec_mb };
static const uint32_t lens[] = { 64, 256, 1024, 4096, LEN_MAX };

static struct engine_job jobs[JOBS];
/* The distance is no power of two, because caches hold few lines of the same place. */
static uint8_t data[JOBS][LEN_MAX + 192];
static uint8_t digests[JOBS][ACCEL_HW_DIGEST_MAX];

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void
fill(struct engine_job *job, unsigned int i, struct engine_ctx *ctx, uint8_t kind, uint32_t len)
{
	static const uint8_t aad[12];

	job->ctx = ctx;
	job->src = job->dst = data[i];
	job->src_len = job->cipher_len = len;
	job->auth_len = kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ? len : 0;
	job->aad = aad;
	job->aad_len = kind == ACCEL_HW_KIND_AEAD ? sizeof(aad) : 0;
	job->digest_out = digests[i];
	job->done = false;
}

static void
round_of_jobs(struct engine *engine, const struct engine_ops *ops, struct engine_ctx *ctx,
		uint8_t kind, uint32_t len)
{
	for (unsigned int i = 0; i < JOBS; i++) {
		fill(&jobs[i], i, ctx, kind, len);
		ops->submit(engine, &jobs[i]);
	}
	ops->flush(engine);
	for (unsigned int i = 0; i < JOBS; i++)
		if (!jobs[i].done || jobs[i].status != ACCEL_HW_OK)
			abort();
}

static double
measure(struct engine *engine, const struct engine_ops *ops, const struct accel_hw_context *raw,
		uint32_t len)
{
	uint16_t status;
	struct engine_ctx *ctx = ops->ctx_init(engine, raw, &status);
	uint64_t begin, end;
	unsigned int rounds = 0;

	if (ctx == NULL)
		abort();
	for (unsigned int i = 0; i < 10; i++)
		round_of_jobs(engine, ops, ctx, raw->kind, len);
	begin = now_ns();
	do {
		round_of_jobs(engine, ops, ctx, raw->kind, len);
		rounds++;
		end = now_ns();
	} while (end - begin < RUN_NS);
	ops->ctx_fini(engine, ctx);
	return (double)(end - begin) / ((double)rounds * JOBS);
}

static void
bench(const struct engine_ops *ops)
{
	struct engine *engine = ops->create();

	if (engine == NULL) {
		printf("%-9s not available on this CPU\n", ops->name);
		return;
	}
	for (size_t c = 0; c < DIM(cases); c++) {
		printf("%-9s %-26s", ops->name, cases[c].name);
		for (size_t l = 0; l < DIM(lens); l++)
			printf(" %9.1f", measure(engine, ops, &cases[c].raw, lens[l]));
		printf("\n");
	}
	ops->destroy(engine);
}

int
main(int argc, char **argv)
{
	bool known = argc < 2;

	bench_help(argc, argv, "usage: engine-bench [ENGINE]\n"
			       "Measures each of the model's crypto engines, or one of them, in "
			       "ns/op.\n");
	for (size_t e = 0; e < DIM(engines); e++)
		known |= argc == 2 && strcmp(argv[1], engines[e]->name) == 0;
	if (!known)
		return bench_wrong(argv, argv[argc > 2 ? 2 : 1]);
	printf("%-9s %-26s", "ns/op", "");
	for (size_t l = 0; l < DIM(lens); l++)
		printf(" %7u B", lens[l]);
	printf("\n");
	for (size_t e = 0; e < DIM(engines); e++)
		if (argc < 2 || strcmp(argv[1], engines[e]->name) == 0)
			bench(engines[e]);
	return 0;
}
