/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures what one operation costs in each of the model's crypto engines, without any DMA:
 * nanoseconds per operation in place with 64 jobs in-flight, or 16 from 16384 bytes on. An option
 * names an engine to measure it alone, and another one other lengths.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bench_help.h"
#include "engine/engine.h"

#define JOBS 64u
#define JOBS_LONG 16u
#define LONG 16384u
#define LEN_MAX (1u << 20)
#define LENS_MAX 8u
#define RUN_NS UINT64_C(100000000)
#define DIM(array) (sizeof(array) / sizeof((array)[0]))

#define CHAIN(title, auth, digest)                                                                 \
	{ title,                                                                                   \
		{ .kind = ACCEL_HW_KIND_CIPHER_THEN_AUTH, .flags = ACCEL_HW_CTX_ENCRYPT,           \
			.cipher_alg = ACCEL_HW_CIPHER_AES_CBC, .cipher_key_len = 16, .iv_len = 16, \
			.auth_alg = ACCEL_HW_AUTH_##auth, .auth_key_len = 20,                      \
			.digest_len = (digest) } }
#define AUTH(title, auth, key, digest)                                                             \
	{ title,                                                                                   \
		{ .kind = ACCEL_HW_KIND_AUTH, .auth_alg = ACCEL_HW_AUTH_##auth,                    \
			.auth_key_len = (key), .digest_len = (digest) } }

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
	CHAIN("AES-128-CBC, SHA1-HMAC-96", SHA1_HMAC, 12),
	CHAIN("AES-128-CBC, SHA256-HMAC", SHA256_HMAC, 32),
	CHAIN("AES-128-CBC, SHA512-HMAC", SHA512_HMAC, 64),
	AUTH("SHA1-HMAC-96", SHA1_HMAC, 20, 12),
	AUTH("SHA256-HMAC", SHA256_HMAC, 20, 32),
	AUTH("SHA512-HMAC", SHA512_HMAC, 20, 64),
	AUTH("SHA1", SHA1, 0, 20),
	AUTH("SHA256", SHA256, 0, 32),
	AUTH("SHA512", SHA512, 0, 64),
	AUTH("MD5-HMAC", MD5_HMAC, 20, 16),
	AUTH("AES-128-CMAC", AES_CMAC, 16, 16),
	AUTH("AES-XCBC-MAC-96", AES_XCBC_MAC, 16, 12),
	{ "AES-128-CCM encrypt",
			{ .kind = ACCEL_HW_KIND_AEAD,
					.flags = ACCEL_HW_CTX_ENCRYPT,
					.cipher_alg = ACCEL_HW_AEAD_AES_CCM,
					.cipher_key_len = 16,
					.iv_len = 12,
					.digest_len = 16 } },
};

static const struct engine_ops *const engines[] = { &engine_null, &engine_openssl,
	&engine_ipsec_mb };
static uint32_t lens[LENS_MAX] = { 64, 256, 1024, 4096, LONG };
static unsigned int nb_lens = 5;

static struct engine_job jobs[JOBS];
static uint8_t *data;
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
	/* The distance is no power of two, because caches hold few lines of the same place. */
	job->src = job->dst = data + (size_t)i * (len + 192);
	job->src_len = len;
	job->cipher_len = kind == ACCEL_HW_KIND_AUTH ? 0 : len;
	job->auth_len = kind == ACCEL_HW_KIND_CIPHER || kind == ACCEL_HW_KIND_AEAD ? 0 : len;
	job->aad = aad;
	job->aad_len = kind == ACCEL_HW_KIND_AEAD ? sizeof(aad) : 0;
	job->digest_out = digests[i];
	job->done = false;
}

static void
round_of_jobs(struct engine *engine, const struct engine_ops *ops, struct engine_ctx *ctx,
		uint8_t kind, uint32_t len, unsigned int nb)
{
	for (unsigned int i = 0; i < nb; i++) {
		fill(&jobs[i], i, ctx, kind, len);
		ops->submit(engine, &jobs[i]);
	}
	ops->flush(engine);
	for (unsigned int i = 0; i < nb; i++)
		if (!jobs[i].done || jobs[i].status != ACCEL_HW_OK)
			abort();
}

static double
measure(struct engine *engine, const struct engine_ops *ops, const struct accel_hw_context *raw,
		uint32_t len)
{
	const unsigned int nb = len < LONG ? JOBS : JOBS_LONG;
	uint16_t status;
	struct engine_ctx *ctx = ops->ctx_init(engine, raw, &status);
	uint64_t begin, end;
	unsigned int rounds = 0;

	if (ctx == NULL)
		abort();
	for (unsigned int i = 0; i < (len < LONG ? 10 : 1); i++)
		round_of_jobs(engine, ops, ctx, raw->kind, len, nb);
	begin = now_ns();
	do {
		round_of_jobs(engine, ops, ctx, raw->kind, len, nb);
		rounds++;
		end = now_ns();
	} while (end - begin < RUN_NS);
	ops->ctx_fini(engine, ctx);
	return (double)(end - begin) / ((double)rounds * nb);
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
		for (size_t l = 0; l < nb_lens; l++)
			printf(" %9.1f", measure(engine, ops, &cases[c].raw, lens[l]));
		printf("\n");
	}
	ops->destroy(engine);
}

/* Reads the lengths. Returns false if one is wrong. */
static bool
read_lens(const char *text)
{
	char *end;

	for (nb_lens = 0; nb_lens < LENS_MAX; text = end + 1) {
		const unsigned long len = strtoul(text, &end, 10);

		if (len == 0 || len > LEN_MAX || len % 16 != 0)
			return false;
		lens[nb_lens++] = (uint32_t)len;
		if (*end != ',')
			return *end == '\0';
	}
	return false;
}

int
main(int argc, char **argv)
{
	bool known;

	bench_help(argc, argv, "usage: engine-bench [--lens N,N,...] [ENGINE]\n"
			       "Measures each of the model's crypto engines, or one of them, in "
			       "ns/op.\n"
			       "  --lens  bytes, multiples of 16 up to 1048576\n");
	if (argc > 2 && strcmp(argv[1], "--lens") == 0) {
		if (!read_lens(argv[2]))
			return bench_wrong(argv, argv[2]);
		argv[2] = argv[0];
		argc -= 2;
		argv += 2;
	}
	known = argc < 2;
	for (size_t e = 0; e < DIM(engines); e++)
		known |= argc == 2 && strcmp(argv[1], engines[e]->name) == 0;
	if (!known)
		return bench_wrong(argv, argv[argc > 2 ? 2 : 1]);
	data = calloc(JOBS_LONG, LEN_MAX + 192);
	if (data == NULL)
		return EXIT_FAILURE;
	printf("%-9s %-26s", "ns/op", "");
	for (size_t l = 0; l < nb_lens; l++)
		printf(" %7u B", lens[l]);
	printf("\n");
	for (size_t e = 0; e < DIM(engines); e++)
		if (argc < 2 || strcmp(argv[1], engines[e]->name) == 0)
			bench(engines[e]);
	return 0;
}
