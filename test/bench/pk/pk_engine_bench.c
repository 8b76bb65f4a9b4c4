/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures the model's engines for public keys without driver and DMA, beside the loops of `openssl
 * speed` (pk_bare.h) in the same process, in turn.
 *
 *   pk-engine-bench [SECONDS]
 *   pk-engine-bench --count CASE engine|bare NUMBER
 *
 * The first form prints lines "METRIC,case,value,unit,rounds" with the medians of the rounds:
 * "rate" and "bare-rate", operations per second of CPU time, and "ratio", of both in a round. The
 * second one carries out NUMBER operations in counted(), for callgrind's --toggle-collect, after
 * some others (tools/py/counts/instructions.py --pk).
 *
 * In a case "... given" the key is an operand of each operation and not in the context: so does the
 * API of DPDK 22.11 with keys of curves, and with ECDH's in each version.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/rsa.h>

#include "base/bench_help.h"
#include "limit/exchange.h"
#include "pk/pk.h"
#include "pk_bare.h"

#define LEN 32u /* of numbers of P-256, and of keys of Curve25519 */
#define NUMBER_MAX 512u
#define ROUNDS 15u
#define WARM_UP 8u /* operations */

static const struct pk_case {
	const char *name;
	const char *type; /* of OpenSSL's key */
	uint16_t alg;
	uint8_t curve;
	enum bare_what what;
	unsigned int bits; /* of RSA */
	bool given;
} cases[] = {
	{ "rsa2048-sign", "RSA", ACCEL_HW_PK_RSA, 0, BARE_SIGN, 2048, false },
	{ "rsa2048-verify", "RSA", ACCEL_HW_PK_RSA, 0, BARE_VERIFY, 2048, false },
	{ "rsa4096-sign", "RSA", ACCEL_HW_PK_RSA, 0, BARE_SIGN, 4096, false },
	{ "rsa4096-verify", "RSA", ACCEL_HW_PK_RSA, 0, BARE_VERIFY, 4096, false },
	{ "ecdsap256-sign", "EC", ACCEL_HW_PK_ECDSA, ACCEL_HW_CURVE_P256, BARE_SIGN, 0, false },
	{ "ecdsap256-verify", "EC", ACCEL_HW_PK_ECDSA, ACCEL_HW_CURVE_P256, BARE_VERIFY, 0, false },
	{ "ecdsap256-sign given", "EC", ACCEL_HW_PK_ECDSA, ACCEL_HW_CURVE_P256, BARE_SIGN, 0,
	  true },
	{ "ecdsap256-verify given", "EC", ACCEL_HW_PK_ECDSA, ACCEL_HW_CURVE_P256, BARE_VERIFY, 0,
	  true },
	{ "ecdhp256-derive", "EC", ACCEL_HW_PK_ECDH, ACCEL_HW_CURVE_P256, BARE_DERIVE, 0, false },
	{ "ecdhp256-derive given", "EC", ACCEL_HW_PK_ECDH, ACCEL_HW_CURVE_P256, BARE_DERIVE, 0,
	  true },
	{ "x25519-derive", "X25519", ACCEL_HW_PK_ECDH, ACCEL_HW_CURVE_X25519, BARE_DERIVE, 0,
	  false },
	{ "x25519-derive given", "X25519", ACCEL_HW_PK_ECDH, ACCEL_HW_CURVE_X25519, BARE_DERIVE, 0,
	  true },
	{ "ed25519-sign", "ED25519", ACCEL_HW_PK_EDDSA, ACCEL_HW_CURVE_ED25519, BARE_SIGN, 0,
	  false },
	{ "ed25519-verify", "ED25519", ACCEL_HW_PK_EDDSA, ACCEL_HW_CURVE_ED25519, BARE_VERIFY, 0,
	  false },
};

/* A case in preparation. */
struct bench {
	const struct pk_case *what;
	EVP_PKEY *drawn;
	EVP_PKEY *peer;
	struct bare *bare;
	struct pk_key *key;
	struct accel_hw_pk_command cmd;
	struct pk_job job;
	uint8_t in[4 * NUMBER_MAX];
	uint8_t out[NUMBER_MAX];
	uint32_t in_len;
	unsigned int nb_in;
};

/* Draws a key. Those of Curve25519 are always the same, since the instructions of verifying depend
 * on the signature. */
static EVP_PKEY *
draw(const struct pk_case *what)
{
	static const uint8_t fixed[LEN] = "32 bytes that everybody may know";
	EVP_PKEY *key;

	if (what->bits != 0)
		key = EVP_RSA_gen(what->bits);
	else if (what->curve == ACCEL_HW_CURVE_P256)
		key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
	else
		key = EVP_PKEY_new_raw_private_key_ex(NULL, what->type, NULL, fixed, LEN);
	if (key == NULL)
		abort();
	return key;
}

/* Returns the bytes of a number of a key: len, or as few as it needs if len is 0. */
static uint32_t
number_of(EVP_PKEY *key, const char *name, uint32_t len, uint8_t *to)
{
	BIGNUM *number = NULL;

	if (EVP_PKEY_get_bn_param(key, name, &number) != 1)
		abort();
	if (len == 0)
		len = (uint32_t)BN_num_bytes(number);
	if (BN_bn2binpad(number, to, (int)len) < 0)
		abort();
	BN_clear_free(number);
	return len;
}

static uint32_t
raw_of(EVP_PKEY *key, bool private, uint8_t *to)
{
	size_t len = LEN;

	if ((private ? EVP_PKEY_get_raw_private_key : EVP_PKEY_get_raw_public_key)(key, to, &len) !=
	    1)
		abort();
	return (uint32_t)len;
}

static struct pk_key *
make_key(const struct bench *b)
{
	static const struct {
		unsigned int component;
		const char *name;
	} of_rsa[] = {
		{ ACCEL_HW_RSA_N, OSSL_PKEY_PARAM_RSA_N },
		{ ACCEL_HW_RSA_E, OSSL_PKEY_PARAM_RSA_E },
		{ ACCEL_HW_RSA_P, OSSL_PKEY_PARAM_RSA_FACTOR1 },
		{ ACCEL_HW_RSA_Q, OSSL_PKEY_PARAM_RSA_FACTOR2 },
		{ ACCEL_HW_RSA_DP, OSSL_PKEY_PARAM_RSA_EXPONENT1 },
		{ ACCEL_HW_RSA_DQ, OSSL_PKEY_PARAM_RSA_EXPONENT2 },
		{ ACCEL_HW_RSA_QINV, OSSL_PKEY_PARAM_RSA_COEFFICIENT1 },
	}, of_curve[] = {
		{ ACCEL_HW_EC_D, OSSL_PKEY_PARAM_PRIV_KEY },
		{ ACCEL_HW_EC_X, OSSL_PKEY_PARAM_EC_PUB_X },
		{ ACCEL_HW_EC_Y, OSSL_PKEY_PARAM_EC_PUB_Y },
	};
	struct accel_hw_pk_context header = {
		.generation = 1,
		.version = ACCEL_HW_CTX_VERSION,
		.kind = ACCEL_HW_KIND_PK,
		.curve = b->what->curve,
		.alg = b->what->alg,
	};
	uint8_t components[8 * NUMBER_MAX], *to = components;
	uint16_t status;

	if (b->what->bits != 0) {
		for (unsigned int i = 0; i < sizeof(of_rsa) / sizeof(of_rsa[0]); i++) {
			header.component[of_rsa[i].component] =
				(uint16_t)number_of(b->drawn, of_rsa[i].name, 0, to);
			to += header.component[of_rsa[i].component];
		}
	} else if (b->what->given) {
		/* The context names the curve alone. */
	} else if (b->what->curve == ACCEL_HW_CURVE_P256) {
		for (unsigned int i = 0; i < (b->what->alg == ACCEL_HW_PK_ECDH ? 1 : 3); i++) {
			header.component[i] =
				(uint16_t)number_of(b->drawn, of_curve[i].name, LEN, to);
			to += header.component[i];
		}
	} else {
		header.component[0] = (uint16_t)raw_of(b->drawn, true, to);
		to += LEN;
		if (b->what->alg == ACCEL_HW_PK_EDDSA) {
			header.component[ACCEL_HW_PK_PUBLIC_KEY] =
				(uint16_t)raw_of(b->drawn, false, to);
			to += LEN;
		}
	}
	header.key_len = (uint32_t)(to - components);
	return pk_key_new(&header, components, &status);
}

/* Adds an operand. */
static void
put(struct bench *b, const uint8_t *bytes, uint32_t len)
{
	memcpy(b->in + b->in_len, bytes, len);
	b->in_len += len;
	b->cmd.operand[b->nb_in++] = len;
}

static void
put_number(struct bench *b, EVP_PKEY *key, const char *name)
{
	uint8_t bytes[LEN];

	number_of(key, name, LEN, bytes);
	put(b, bytes, LEN);
}

static void
put_private(struct bench *b)
{
	uint8_t bytes[LEN];

	if (b->what->curve == ACCEL_HW_CURVE_P256) {
		put_number(b, b->drawn, OSSL_PKEY_PARAM_PRIV_KEY);
	} else {
		raw_of(b->drawn, true, bytes);
		put(b, bytes, LEN);
	}
}

static void
run(struct bench *b)
{
	pk_run(&b->job);
	if (b->job.status != ACCEL_HW_OK)
		abort();
}

/* An exchange with the peer. */
static void
prepare_derive(struct bench *b)
{
	uint8_t bytes[LEN];

	b->cmd.operation = ACCEL_HW_PK_SHARED;
	if (b->what->given)
		put_private(b);
	else
		put(b, NULL, 0);
	if (b->what->curve == ACCEL_HW_CURVE_P256) {
		put_number(b, b->peer, OSSL_PKEY_PARAM_EC_PUB_X);
		put_number(b, b->peer, OSSL_PKEY_PARAM_EC_PUB_Y);
	} else {
		raw_of(b->peer, false, bytes);
		put(b, bytes, LEN);
	}
}

/* A signature of the message, and a check of it. RSA has PKCS#1 v1.5. */
static void
prepare_sign(struct bench *b)
{
	static const uint8_t message[BARE_MESSAGE] = "a message of some bytes, signed";
	uint8_t signature[NUMBER_MAX];
	uint32_t len;

	b->cmd.operation = ACCEL_HW_PK_SIGN;
	if (b->what->alg == ACCEL_HW_PK_RSA) {
		b->cmd.padding = ACCEL_HW_PK_PADDING_PKCS1;
		b->cmd.hash = ACCEL_HW_AUTH_SHA256;
	}
	put(b, message, sizeof(message));
	if (b->what->given)
		put_private(b);
	if (b->what->what == BARE_SIGN)
		return;
	run(b);
	len = b->job.produced;
	memcpy(signature, b->out, len);
	b->nb_in = 1;
	b->in_len = sizeof(message);
	memset(b->cmd.operand, 0, sizeof(b->cmd.operand));
	b->cmd.operand[0] = sizeof(message);
	b->cmd.operation = ACCEL_HW_PK_VERIFY;
	if (b->what->alg != ACCEL_HW_PK_ECDSA) {
		put(b, signature, len);
		return;
	}
	put(b, signature, LEN);
	put(b, signature + LEN, LEN);
	if (b->what->given) {
		put_number(b, b->drawn, OSSL_PKEY_PARAM_EC_PUB_X);
		put_number(b, b->drawn, OSSL_PKEY_PARAM_EC_PUB_Y);
	}
}

static void
bench_make(struct bench *b, const struct pk_case *what)
{
	uint32_t most;

	memset(b, 0, sizeof(*b));
	b->what = what;
	b->drawn = draw(what);
	if (what->what == BARE_DERIVE)
		b->peer = draw(what);
	b->bare = bare_new(b->drawn, b->peer, what->what);
	b->key = make_key(b);
	if (b->key == NULL)
		abort();
	b->cmd.opcode = ACCEL_HW_OP_PK;
	b->job = (struct pk_job){ .key = b->key, .cmd = &b->cmd, .in = b->in, .out = b->out };
	if (what->what == BARE_DERIVE)
		prepare_derive(b);
	else
		prepare_sign(b);
	if (pk_check(b->key, &b->cmd, &most) != ACCEL_HW_OK || most > sizeof(b->out))
		abort();
	for (unsigned int i = 0; i < WARM_UP; i++) {
		run(b);
		bare_run(b->bare);
	}
}

static void
bench_free(struct bench *b)
{
	bare_free(b->bare);
	pk_key_free(b->key);
	EVP_PKEY_free(b->drawn);
	EVP_PKEY_free(b->peer);
}

static double
measure(struct bench *b, bool bare, double seconds)
{
	const double begin = cpu_seconds();
	unsigned int done = 0;
	double now;

	do {
		for (unsigned int i = 0; i < 4; i++, done++) {
			if (bare)
				bare_run(b->bare);
			else
				run(b);
		}
		now = cpu_seconds();
	} while (now - begin < seconds);
	return done / (now - begin);
}

static void
bench(const struct pk_case *what, double seconds)
{
	double rates[ROUNDS], bare[ROUNDS], ratios[ROUNDS];
	struct bench b;

	bench_make(&b, what);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		rates[i] = measure(&b, false, seconds / ROUNDS / 2);
		bare[i] = measure(&b, true, seconds / ROUNDS / 2);
		ratios[i] = rates[i] / bare[i];
	}
	printf("rate,%s,%.2f,ops/s,%u\n", what->name, median_of(rates, ROUNDS), ROUNDS);
	printf("bare-rate,%s,%.2f,ops/s,%u\n", what->name, median_of(bare, ROUNDS), ROUNDS);
	printf("ratio,%s,%.4f,,%u\n", what->name, median_of(ratios, ROUNDS), ROUNDS);
	bench_free(&b);
}

static __attribute__((noinline)) void
counted(struct bench *b, bool bare)
{
	if (bare)
		bare_run(b->bare);
	else
		run(b);
}

static int
count(const char *name, bool bare, unsigned int number)
{
	struct bench b;

	for (unsigned int c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		if (strcmp(cases[c].name, name) != 0)
			continue;
		bench_make(&b, &cases[c]);
		for (; number > 0; number--)
			counted(&b, bare);
		bench_free(&b);
		return 0;
	}
	fprintf(stderr, "no such case: %s\n", name);
	return 1;
}

int
main(int argc, char **argv)
{
	double seconds = 0.5;
	char *end = NULL;

	bench_help(argc, argv, "usage: pk-engine-bench [SECONDS]\n"
			       "       pk-engine-bench --count CASE engine|bare NUMBER\n"
			       "Measures the model's engines for public keys beside OpenSSL's own "
			       "loops.\n");
	if (argc == 5 && strcmp(argv[1], "--count") == 0)
		return count(argv[2], strcmp(argv[3], "bare") == 0,
			     (unsigned int)strtoul(argv[4], NULL, 0));
	if (argc > 1)
		seconds = strtod(argv[1], &end);
	if (argc > 2 || !(seconds > 0) || (end != NULL && *end != '\0'))
		return bench_wrong(argv, argv[argc > 2 ? 2 : 1]);
	for (unsigned int c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
		bench(&cases[c], seconds);
	return 0;
}
