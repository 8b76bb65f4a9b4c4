/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures how many operations a device does in a second while a program keeps a given number of
 * them in flight. The program uses the public API alone, so it measures any driver.
 *
 *   depth-bench EAL-OPTIONS --vdev NAME -- DRIVER ALGORITHM SECONDS BYTES[,...] DEPTH[,...] [calls]
 *
 * Prints lines "metric,bytes/depth,value,unit": the rate, and how many operations were in flight in
 * the mean, which is less than asked for if the device takes no more. With "calls" it also counts
 * how many jobs a call of IPsec-MB gets from the embedded device, and the rate is not to be used.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>

#include "any_device.h"
#include "base/bench_help.h"
#include "engine_calls.h"

#define OPS 2048u /* the most in flight */
#define BURST 32u
#define MOST 16384u /* bytes of an operation */
#define IV_LEN 16u
#define AAD_OFFSET (ANY_IV_OFFSET + IV_LEN)
#define AAD_LEN 16u
#define DIGEST_MAX 20u
#define LIST 8u /* numbers of a list */

/* The first ciphertext block of a message of zeros with a key and an IV of zeros: FIPS 197 for CBC,
 * and the second test case of the GCM specification. */
static const uint8_t first_cbc[16] = { 0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b, 0x88, 0x4c,
				       0xfa, 0x59, 0xca, 0x34, 0x2b, 0x2e };
static const uint8_t first_gcm[16] = { 0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92, 0xf3, 0x28,
				       0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78 };

static const char *const names[] = { "aes-128-cbc", "aes-128-gcm", "aes-128-cbc+sha1-hmac" };

enum { CBC, GCM, CBC_SHA1, ALGORITHMS };

struct run {
	struct any_device device;
	unsigned int algorithm;
	void *session;
	unsigned int len;
	bool calls;
	struct rte_crypto_op *free[OPS];
	unsigned int nb_free;
	uint64_t looks, in_flight; /* at how many operations, in all */
};

/* Reads a list of numbers from 1 to @p most. Returns how many, or 0 if one is wrong. */
static unsigned int
read_list(const char *text, unsigned long most, unsigned int *numbers)
{
	unsigned int nb = 0;
	char *end;

	do {
		const unsigned long n = strtoul(text, &end, 10);

		if (nb == LIST || n == 0 || n > most || (*end != ',' && *end != '\0'))
			return 0;
		numbers[nb++] = (unsigned int)n;
		text = end + 1;
	} while (*end == ',');
	return nb;
}

/* ------------------------------------------------------------------ operations */

static int
session_make(struct run *r)
{
	static uint8_t key[64];
	struct rte_crypto_sym_xform auth = {
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = {
			.op = RTE_CRYPTO_AUTH_OP_GENERATE,
			.algo = RTE_CRYPTO_AUTH_SHA1_HMAC,
			.key = { .data = key, .length = 64 },
			.digest_length = 20,
		},
	};
	struct rte_crypto_sym_xform xform = {
		.next = r->algorithm == CBC_SHA1 ? &auth : NULL,
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = RTE_CRYPTO_CIPHER_AES_CBC,
			.key = { .data = key, .length = 16 },
			.iv = { .offset = ANY_IV_OFFSET, .length = 16 },
		},
	};

	if (r->algorithm == GCM) {
		xform.type = RTE_CRYPTO_SYM_XFORM_AEAD;
		xform.aead = (struct rte_crypto_aead_xform){
			.op = RTE_CRYPTO_AEAD_OP_ENCRYPT,
			.algo = RTE_CRYPTO_AEAD_AES_GCM,
			.key = { .data = key, .length = 16 },
			.iv = { .offset = ANY_IV_OFFSET, .length = 12 },
			.digest_length = 16,
			.aad_length = AAD_LEN,
		};
	}
	r->session = rte_cryptodev_sym_session_create(r->device.id, &xform, r->device.session_mp);
	return r->session != NULL ? 0 : -ENOTSUP;
}

/* Writes the operation anew, as a program does that gets packets. */
static void
fill(const struct run *r, struct rte_crypto_op *op)
{
	struct rte_crypto_sym_op *sym = op->sym;
	uint8_t *digest = rte_pktmbuf_mtod_offset(sym->m_src, uint8_t *, r->len);
	const rte_iova_t digest_iova = rte_pktmbuf_iova_offset(sym->m_src, r->len);

	rte_crypto_op_attach_sym_session(op, r->session);
	if (r->algorithm == GCM) {
		sym->aead.data.offset = 0;
		sym->aead.data.length = r->len;
		sym->aead.digest.data = digest;
		sym->aead.digest.phys_addr = digest_iova;
		sym->aead.aad.data = rte_crypto_op_ctod_offset(op, uint8_t *, AAD_OFFSET);
		sym->aead.aad.phys_addr = rte_crypto_op_ctophys_offset(op, AAD_OFFSET);
		return;
	}
	sym->cipher.data.offset = 0;
	sym->cipher.data.length = r->len;
	sym->auth.data.offset = 0;
	sym->auth.data.length = r->len;
	sym->auth.digest.data = digest;
	sym->auth.digest.phys_addr = digest_iova;
}

/* Gives a burst, if there are operations at hand. The array is a stack, and a device that takes a
 * part takes the first ones. */
static int
give(void *arg)
{
	struct run *r = arg;
	const uint16_t want = (uint16_t)RTE_MIN(BURST, r->nb_free);
	struct rte_crypto_op **ops = &r->free[r->nb_free - want];
	uint16_t n, i;

	for (i = 0; i < want; i++)
		fill(r, ops[i]);
	n = rte_cryptodev_enqueue_burst(r->device.id, 0, ops, want);
	memmove(ops, ops + n, (want - n) * sizeof(ops[0]));
	r->nb_free -= n;
	r->device.given += n;
	r->looks++;
	r->in_flight += r->device.given - r->device.taken;
	return 0;
}

/* Takes what has come back. Returns how many, or a negative errno value. */
static int
take(void *arg)
{
	struct run *r = arg;
	struct rte_crypto_op *back[BURST];
	const uint16_t n = rte_cryptodev_dequeue_burst(r->device.id, 0, back, BURST);
	uint16_t i;

	for (i = 0; i < n; i++) {
		if (back[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
		r->free[r->nb_free++] = back[i];
	}
	r->device.taken += n;
	return n;
}

/* ------------------------------------------------------------------ a case */

/* Prepares a length: zeros in all buffers. Then one operation has to make the known block. */
static int
check(struct run *r)
{
	const uint8_t *wanted = r->algorithm == GCM ? first_gcm : first_cbc;
	unsigned int i;
	int ret;

	any_device_set_len(&r->device, (uint16_t)r->len);
	for (i = 0; i < OPS; i++) {
		struct rte_crypto_op *op = r->device.ops[i];

		memset(rte_crypto_op_ctod_offset(op, void *, ANY_IV_OFFSET), 0, IV_LEN + AAD_LEN);
		memset(rte_pktmbuf_mtod(op->sym->m_src, void *), 0, r->len + DIGEST_MAX);
	}
	r->free[0] = r->device.ops[0];
	r->nb_free = 1;
	ret = give(r);
	if (ret == 0)
		ret = any_device_drain(&r->device, take, r);
	if (ret == 0 && (r->nb_free != 1 ||
			 memcmp(rte_pktmbuf_mtod(r->free[0]->sym->m_src, void *), wanted,
				sizeof(first_cbc)) != 0)) {
		fprintf(stderr, "depth-bench: the device's result is wrong\n");
		ret = -EIO;
	}
	return ret;
}

static int
measure(struct run *r, unsigned int depth, double seconds)
{
	uint64_t before;
	unsigned int i;
	double took;
	int ret;

	for (i = 0; i < depth; i++)
		r->free[i] = r->device.ops[i];
	r->nb_free = depth;
	ret = any_device_load(&r->device, give, take, r, seconds / 2, &took); /* warm up */
	before = r->device.taken;
	r->looks = r->in_flight = 0;
	engine_calls_begin();
	if (ret == 0)
		ret = any_device_load(&r->device, give, take, r, seconds, &took);
	if (ret != 0)
		return ret;
	printf("rate,%u/%u,%.0f,ops/s\n", r->len, depth,
	       (double)(r->device.taken - before) / took);
	printf("held,%u/%u,%.1f,ops\n", r->len, depth, (double)r->in_flight / (double)r->looks);
	if (r->calls)
		printf("jobs,%u/%u,%.2f,of a call\n", r->len, depth, engine_calls_jobs());
	fflush(stdout);
	return 0;
}

static int
run_all(struct run *r, const char *driver, double seconds, const unsigned int *sizes,
	const unsigned int *depths)
{
	unsigned int i, j;
	int ret = any_device_start(&r->device, driver, OPS, OPS, IV_LEN + AAD_LEN,
				   MOST + DIGEST_MAX);

	if (ret == 0)
		ret = session_make(r);
	for (i = 0; ret == 0 && i < LIST && sizes[i] != 0; i++) {
		r->len = sizes[i];
		ret = check(r);
		for (j = 0; ret == 0 && j < LIST && depths[j] != 0; j++)
			ret = measure(r, depths[j], seconds);
	}
	return ret;
}

int
main(int argc, char **argv)
{
	static struct run r;
	unsigned int sizes[LIST] = { 0 }, depths[LIST] = { 0 };
	double seconds;
	int ret;

	bench_help(argc, argv,
		   "usage: depth-bench EAL-ARGUMENT... -- DRIVER ALGORITHM SECONDS BYTES[,...]\n"
		   "                   DEPTH[,...] [calls]\n"
		   "Measures the rate of a device with a number of operations in flight.\n"
		   "  DRIVER     of the device, such as crypto_accel\n"
		   "  ALGORITHM  aes-128-cbc, aes-128-gcm or aes-128-cbc+sha1-hmac\n"
		   "  SECONDS    time of each measurement\n"
		   "  BYTES      of an operation, multiples of 16 up to 16384\n"
		   "  DEPTH      operations in flight, at most 2048\n"
		   "  calls      also counts the jobs that a call of IPsec-MB gets from the\n"
		   "             embedded device\n");
	r.calls = argc > 1 && strcmp(argv[argc - 1], "calls") == 0;
	if (r.calls && !engine_calls_count()) {
		fputs("depth-bench: built without IPsec-MB, it cannot count calls\n", stderr);
		return EXIT_FAILURE;
	}
	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return rte_errno == EINVAL ? BENCH_USAGE : EXIT_FAILURE;
	argv += ret;
	argc -= ret;
	if (argc != 6 + r.calls)
		return bench_wrong(argv, argv[argc - 1]);
	while (r.algorithm < ALGORITHMS && strcmp(argv[2], names[r.algorithm]) != 0)
		r.algorithm++;
	if (r.algorithm == ALGORITHMS)
		return bench_wrong(argv, argv[2]);
	seconds = strtod(argv[3], NULL);
	if (!(seconds > 0))
		return bench_wrong(argv, argv[3]);
	if (read_list(argv[4], MOST, sizes) == 0)
		return bench_wrong(argv, argv[4]);
	if (read_list(argv[5], OPS, depths) == 0)
		return bench_wrong(argv, argv[5]);
	ret = run_all(&r, argv[1], seconds, sizes, depths);
	if (ret != 0)
		fprintf(stderr, "depth-bench: %s\n", strerror(-ret));
	if (r.session != NULL)
		rte_cryptodev_sym_session_free(r.device.id, r.session);
	any_device_stop(&r.device);
	rte_eal_cleanup();
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
