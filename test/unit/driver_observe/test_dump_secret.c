/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * No byte of a key, an IV or of payload is in a dump. Keys, IVs, payload and AAD are random
 * patterns, and a dump is searched for each run of four bytes of them: as bytes, as hexadecimal
 * digits in both orders, and as decimal numbers of both orders.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <rte_cryptodev.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "rte_pmd_accel.h"
#include "rte_pmd_accel_embedded.h"
#include "driver_base/eal.h"

#define NAME "crypto_accel0"
#define ARGS "cores=inline,queue_pairs=1,timeout_ms=50,recover=off"
#define OPS 24u
#define LEN 96u
#define IV_AT (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define RUN 4u
#define DECIMAL_LEAST 100000000u /* shorter numbers are in a dump by chance */
#define TRIES 3u

static struct rte_mempool *mbufs, *op_pool, *sessions;
static uint64_t seed;
static uint8_t dev;

/* What must not be in a dump. */
static struct secrets {
	uint8_t key[32], auth_key[48], iv[16], payload[LEN], random[32];
} secrets;

static void
fill(uint8_t *to, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		to[i] = (uint8_t)(seed >> 40);
	}
}

static bool
has(const char *text, size_t size, const char *what, size_t len)
{
	return memmem(text, size, what, len) != NULL;
}

/* Is a run of four bytes in a text, in any form? */
static bool
has_run(const char *text, size_t size, const uint8_t *b)
{
	const uint32_t forward = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
				 (uint32_t)b[2] << 8 | b[3];
	const uint32_t numbers[] = { forward, __builtin_bswap32(forward) };
	char form[16];
	unsigned int i;
	int n;

	if (has(text, size, (const char *)b, RUN))
		return true;
	for (i = 0; i < RTE_DIM(numbers); i++) {
		n = snprintf(form, sizeof(form), "%08x", numbers[i]);
		if (has(text, size, form, (size_t)n))
			return true;
		n = snprintf(form, sizeof(form), "%02x %02x %02x %02x", numbers[i] >> 24,
			     numbers[i] >> 16 & 0xff, numbers[i] >> 8 & 0xff, numbers[i] & 0xff);
		if (has(text, size, form, (size_t)n))
			return true;
		n = snprintf(form, sizeof(form), "%u", numbers[i]);
		if (numbers[i] >= DECIMAL_LEAST && has(text, size, form, (size_t)n))
			return true;
	}
	return false;
}

/* Searches a text, in which letters are small, for all runs of all secrets. */
static bool
leaks(const char *text, size_t size)
{
	const uint8_t *bytes = (const uint8_t *)&secrets;
	size_t i;

	for (i = 0; i + RUN <= sizeof(secrets); i++) {
		if (has_run(text, size, bytes + i))
			return true;
	}
	return false;
}

static char *
dump(size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);
	size_t i;

	assert_non_null(f);
	assert_int_equal(rte_pmd_accel_dump(dev, f), 0);
	assert_int_equal(fclose(f), 0);
	for (i = 0; i < *size; i++)
		text[i] = (char)tolower((unsigned char)text[i]);
	assert_non_null(strstr(text, "operation "));
	return text;
}

static void
plug(void)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1 };
	const struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 64 };

	assert_int_equal(rte_eal_hotplug_add("vdev", NAME, ARGS), 0);
	dev = (uint8_t)rte_cryptodev_get_dev_id(NAME);
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	assert_int_equal(rte_cryptodev_queue_pair_setup(dev, 0, &qp, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
}

/* A chain, and an AEAD whose nonce is a secret. */
static void *
open_session(bool aead)
{
	struct rte_crypto_sym_xform auth = {
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = { .op = RTE_CRYPTO_AUTH_OP_GENERATE, .algo = RTE_CRYPTO_AUTH_SHA256_HMAC,
			  .key = { .data = secrets.auth_key, .length = sizeof(secrets.auth_key) },
			  .digest_length = 32 },
	};
	struct rte_crypto_sym_xform cipher = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER, .next = &auth,
		.cipher = { .op = RTE_CRYPTO_CIPHER_OP_ENCRYPT, .algo = RTE_CRYPTO_CIPHER_AES_CTR,
			    .key = { .data = secrets.key, .length = sizeof(secrets.key) },
			    .iv = { .offset = IV_AT, .length = 16 } },
	};
	struct rte_crypto_sym_xform gcm = {
		.type = RTE_CRYPTO_SYM_XFORM_AEAD,
		.aead = { .op = RTE_CRYPTO_AEAD_OP_ENCRYPT, .algo = RTE_CRYPTO_AEAD_AES_GCM,
			  .key = { .data = secrets.key, .length = sizeof(secrets.key) },
			  .iv = { .offset = IV_AT, .length = 12 }, .aad_length = 16,
			  .digest_length = 16 },
	};
	void *session = rte_cryptodev_sym_session_create(dev, aead ? &gcm : &cipher, sessions);

	assert_non_null(session);
	return session;
}

/* Makes an operation whose data, AAD and digest are in one packet. */
static struct rte_crypto_op *
make_op(void *session, bool aead)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(op_pool, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);
	uint8_t *data;

	assert_non_null(op);
	assert_non_null(m);
	data = (uint8_t *)rte_pktmbuf_append(m, LEN + 64);
	memcpy(data, secrets.payload, LEN);
	memcpy((uint8_t *)op + IV_AT, secrets.iv, sizeof(secrets.iv));
	op->sym->m_src = m;
	if (aead) {
		op->sym->aead.data.length = LEN - 16;
		op->sym->aead.data.offset = 16;
		op->sym->aead.aad.data = data;
		op->sym->aead.aad.phys_addr = rte_pktmbuf_iova(m);
		op->sym->aead.digest.data = data + LEN;
		op->sym->aead.digest.phys_addr = rte_pktmbuf_iova_offset(m, LEN);
	} else {
		op->sym->cipher.data.length = LEN;
		op->sym->auth.data.length = LEN;
		op->sym->auth.digest.data = data + LEN;
		op->sym->auth.digest.phys_addr = rte_pktmbuf_iova_offset(m, LEN);
	}
	rte_crypto_op_attach_sym_session(op, session);
	return op;
}

static void
give_back(unsigned int n)
{
	struct rte_crypto_op *op;

	while (n > 0) {
		if (rte_cryptodev_dequeue_burst(dev, 0, &op, 1) == 0)
			continue;
		rte_pktmbuf_free(op->sym->m_src);
		rte_crypto_op_free(op);
		n--;
	}
}

/* Dumps before and after a failure, with operations in flight and given back. */
static bool
dump_leaks(bool aead)
{
	struct rte_crypto_op *op;
	void *session;
	size_t size = 0;
	bool found;
	char *text;
	unsigned int i;

	fill((uint8_t *)&secrets, sizeof(secrets));
	plug();
	session = open_session(aead);
	/* There need not be a source of random numbers. */
	rte_pmd_accel_random(dev, secrets.random, sizeof(secrets.random));
	for (i = 0; i < OPS; i++) {
		op = make_op(session, aead);
		assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
	}
	give_back(OPS / 2);
	text = dump(&size);
	found = leaks(text, size);
	free(text);
	assert_int_equal(rte_pmd_accel_fault(dev, "stall@1"), 0);
	op = make_op(session, aead);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
	give_back(OPS - OPS / 2 + 1);
	text = dump(&size);
	assert_non_null(strstr(text, "as it was at its latest failure"));
	found |= leaks(text, size);
	free(text);
	assert_int_equal(rte_cryptodev_sym_session_free(dev, session), 0);
	assert_int_equal(rte_eal_hotplug_remove("vdev", NAME), 0);
	return found;
}

/* A run of four bytes is in a dump by chance now and then, but not with other secrets again. */
static void
expect_no_leak(bool aead)
{
	unsigned int i;

	for (i = 0; i < TRIES && dump_leaks(aead); i++)
		;
	assert_in_range(i, 0, TRIES - 1);
}

static void
test_chain(void **state)
{
	(void)state;
	expect_no_leak(false);
}

static void
test_aead(void **state)
{
	(void)state;
	expect_no_leak(true);
}

/* The search finds what it is for, wherever it is. */
static void
test_search(void **state)
{
	const uint8_t *run = secrets.payload + 41;
	char text[256];
	size_t size = 0;
	char *clean;

	(void)state;
	fill((uint8_t *)&secrets, sizeof(secrets));
	plug();
	clean = dump(&size);
	rte_eal_hotplug_remove("vdev", NAME);
	assert_false(leaks(clean, size));
	free(clean);
	memset(text, '.', sizeof(text));
	assert_false(leaks(text, sizeof(text)));
	memcpy(text + 77, run, RUN);
	assert_true(leaks(text, sizeof(text)));
	snprintf(text, sizeof(text), "x%02x%02x%02x%02xx", run[0], run[1], run[2], run[3]);
	assert_true(leaks(text, strlen(text)));
	snprintf(text, sizeof(text), "0x12%02x%02x%02x%02x", run[3], run[2], run[1], run[0]);
	assert_true(leaks(text, strlen(text)));
	snprintf(text, sizeof(text), "%02x %02x %02x %02x", run[0], run[1], run[2], run[3]);
	assert_true(leaks(text, strlen(text)));
	secrets.payload[41] |= 0x80;
	secrets.payload[44] |= 0x80;
	snprintf(text, sizeof(text), "%u", (uint32_t)run[0] | (uint32_t)run[1] << 8 |
		 (uint32_t)run[2] << 16 | (uint32_t)run[3] << 24);
	assert_true(leaks(text, strlen(text)));
	snprintf(text, sizeof(text), "%u", (uint32_t)run[3] | (uint32_t)run[2] << 8 |
		 (uint32_t)run[1] << 16 | (uint32_t)run[0] << 24);
	assert_true(leaks(text, strlen(text)));
}

static int
make_pools(void **state)
{
	(void)state;
	mbufs = rte_pktmbuf_pool_create("mbufs", 255, 0, 0, 2048, SOCKET_ID_ANY);
	op_pool = rte_crypto_op_pool_create("ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 255, 0, 32,
					    SOCKET_ID_ANY);
	sessions = rte_cryptodev_sym_session_pool_create("sessions", 15, 1024, 0, 0, SOCKET_ID_ANY);
	return mbufs != NULL && op_pool != NULL && sessions != NULL ? 0 : -1;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_aead),
		cmocka_unit_test(test_search),
	};

	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
	printf("# seed %llu\n", (unsigned long long)seed);
	if (start_eal_silent("test_dump_secret") < 0)
		return 1;
	return cmocka_run_group_tests_name("secrets", tests, make_pools, NULL);
}
