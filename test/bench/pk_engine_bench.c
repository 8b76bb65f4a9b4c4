/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures the model's engines for public keys that DPDK 22.11 has no operation for, without driver
 * and DMA: operations per second of CPU time, for tools/py/bench_pk.py.
 *
 *   pk-engine-bench [SECONDS]
 *
 * Prints lines "rate,operation,value,ops/s,rounds", each the median of five rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/evp.h>

#include "exchange.h"
#include "pk/pk.h"

#define LEN 32u /* of keys and of the message */
#define SIGNATURE 64u
#define ROUNDS 5u

static const struct {
	const char *name;
	const char *type; /* of OpenSSL's key */
	uint16_t alg;
	uint8_t curve;
	uint16_t operation;
} cases[] = {
	{ "x25519-derive", "X25519", ACCEL_HW_PK_ECDH, ACCEL_HW_CURVE_X25519, ACCEL_HW_PK_SHARED },
	{ "ed25519-sign", "ED25519", ACCEL_HW_PK_EDDSA, ACCEL_HW_CURVE_ED25519, ACCEL_HW_PK_SIGN },
	{ "ed25519-verify", "ED25519", ACCEL_HW_PK_EDDSA, ACCEL_HW_CURVE_ED25519,
	  ACCEL_HW_PK_VERIFY },
};

static double
cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Draws a key. X25519's has the private number alone. */
static struct pk_key *
make_key(unsigned int c, uint8_t *public)
{
	struct accel_hw_pk_context header = {
		.generation = 1,
		.version = ACCEL_HW_CTX_VERSION,
		.kind = ACCEL_HW_KIND_PK,
		.curve = cases[c].curve,
		.alg = cases[c].alg,
		.key_len = LEN,
		.component = { LEN },
	};
	EVP_PKEY *drawn = EVP_PKEY_Q_keygen(NULL, NULL, cases[c].type);
	size_t private_len = LEN, public_len = LEN;
	uint8_t components[2 * LEN];
	uint16_t status;

	if (drawn == NULL ||
	    EVP_PKEY_get_raw_private_key(drawn, components, &private_len) != 1 ||
	    EVP_PKEY_get_raw_public_key(drawn, public, &public_len) != 1)
		abort();
	EVP_PKEY_free(drawn);
	if (cases[c].alg == ACCEL_HW_PK_EDDSA) {
		memcpy(components + LEN, public, LEN);
		header.component[ACCEL_HW_PK_PUBLIC_KEY] = LEN;
		header.key_len += LEN;
	}
	return pk_key_new(&header, components, &status);
}

static void
run(struct pk_job *job)
{
	pk_run(job);
	if (job->status != ACCEL_HW_OK)
		abort();
}

static double
measure(struct pk_job *job, double seconds)
{
	const double begin = cpu_seconds();
	unsigned int done = 0;
	double now;

	do {
		for (unsigned int i = 0; i < 16; i++, done++)
			run(job);
		now = cpu_seconds();
	} while (now - begin < seconds);
	return done / (now - begin);
}

/* The operands: the message (and the signature), or a point for the context's private key. */
static void
bench(unsigned int c, double seconds)
{
	struct accel_hw_pk_command cmd = {
		.opcode = ACCEL_HW_OP_PK,
		.operation = cases[c].operation,
	};
	uint8_t in[LEN + SIGNATURE] = "a message of some bytes, signed";
	uint8_t public[LEN], out[SIGNATURE];
	struct pk_key *key = make_key(c, public);
	struct pk_job job = { .key = key, .cmd = &cmd, .in = in, .out = out };
	double rates[ROUNDS];

	if (key == NULL)
		abort();
	cmd.operand[0] = LEN;
	if (cases[c].operation == ACCEL_HW_PK_SHARED) {
		cmd.operand[0] = 0;
		cmd.operand[1] = LEN;
		memcpy(in, public, LEN);
	} else if (cases[c].operation == ACCEL_HW_PK_VERIFY) {
		cmd.operation = ACCEL_HW_PK_SIGN;
		run(&job);
		memcpy(in + LEN, out, SIGNATURE);
		cmd.operation = ACCEL_HW_PK_VERIFY;
		cmd.operand[1] = SIGNATURE;
	}
	measure(&job, seconds / 10);
	for (unsigned int i = 0; i < ROUNDS; i++)
		rates[i] = measure(&job, seconds / ROUNDS);
	printf("rate,%s,%.2f,ops/s,%u\n", cases[c].name, median_of(rates, ROUNDS), ROUNDS);
	pk_key_free(key);
}

int
main(int argc, char **argv)
{
	const double seconds = argc > 1 ? strtod(argv[1], NULL) : 0.5;

	for (unsigned int c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
		bench(c, seconds);
	return 0;
}
