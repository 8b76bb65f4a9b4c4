/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures how long operations take at a given load, in an open loop: they are due at equal
 * distances of time, whatever the device does, and an operation's latency begins when it is due.
 * So whatever holds up the program or the device shows in the latency of all that waited, as it
 * does for packets that arrive. The program uses the public API alone, so it measures any driver.
 *
 *   latency-bench EAL-OPTIONS --vdev NAME -- DRIVER BYTES SECONDS LOAD...
 *
 * AES-128-GCM with 16 bytes of AAD. First the rate is measured in a closed loop, with as many
 * operations in flight as there are. A load is a percentage of that rate. Prints lines
 * "metric,load,value,unit": the rate; for each load p50, p99 and p999 in ns, the share of the
 * operations that came in time, and the share of the time in which others had the CPU.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/evp.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_pause.h>

#include "any_device.h"
#include "base/bench_help.h"
#include "histogram.h"

#define DESC 2048u
#define OPS 1024u /* the most in flight */
#define BURST 32u
#define MOST 16384u /* bytes of an operation */
#define IV_LEN 12u
#define AAD_OFFSET (ANY_IV_OFFSET + 16)
#define AAD_LEN 16u
#define DUE_OFFSET (AAD_OFFSET + AAD_LEN)
#define PRIVATE (DUE_OFFSET + sizeof(uint64_t) - ANY_IV_OFFSET)
#define TAG_LEN 16u

struct run {
	struct any_device device;
	void *session;
	uint16_t len;
	struct rte_crypto_op *free[OPS];
	unsigned int nb_free;
	struct histogram times;
};

static uint8_t key[16];

/* ------------------------------------------------------------------ operations */

/* Writes the operation anew, as a program does that gets packets. */
static void
fill(struct run *r, struct rte_crypto_op *op, uint64_t due)
{
	struct rte_mbuf *m = op->sym->m_src;

	rte_crypto_op_attach_sym_session(op, r->session);
	op->sym->aead.data.offset = 0;
	op->sym->aead.data.length = r->len;
	op->sym->aead.digest.data = rte_pktmbuf_mtod_offset(m, uint8_t *, r->len);
	op->sym->aead.digest.phys_addr = rte_pktmbuf_iova_offset(m, r->len);
	op->sym->aead.aad.data = rte_crypto_op_ctod_offset(op, uint8_t *, AAD_OFFSET);
	op->sym->aead.aad.phys_addr = rte_crypto_op_ctophys_offset(op, AAD_OFFSET);
	memset(rte_crypto_op_ctod_offset(op, uint8_t *, ANY_IV_OFFSET), 0x5a, IV_LEN);
	*rte_crypto_op_ctod_offset(op, uint64_t *, DUE_OFFSET) = due;
}

/* Gives operations that were due at @p first, @p first + @p each and so on. Returns how many. */
static uint16_t
give(struct run *r, uint64_t first, uint64_t each, uint64_t nb)
{
	const uint16_t want = (uint16_t)RTE_MIN(RTE_MIN(nb, (uint64_t)BURST), r->nb_free);
	struct rte_crypto_op **ops = &r->free[r->nb_free - want];
	uint16_t n, i;

	if (want == 0)
		return 0;
	/* The array is a stack, and a device that takes a part takes the first ones. */
	for (i = 0; i < want; i++)
		fill(r, ops[i], first + each * i);
	n = rte_cryptodev_enqueue_burst(r->device.id, 0, ops, want);
	memmove(ops, ops + n, (want - n) * sizeof(ops[0]));
	r->nb_free -= n;
	r->device.given += n;
	return n;
}

/* Takes what has come back. Returns how many, or a negative errno value. */
static int
take(void *arg)
{
	struct run *r = arg;
	struct rte_crypto_op *back[BURST];
	const uint16_t n = rte_cryptodev_dequeue_burst(r->device.id, 0, back, BURST);
	const uint64_t now = rte_rdtsc();
	uint16_t i;

	for (i = 0; i < n; i++) {
		const uint64_t due = *rte_crypto_op_ctod_offset(back[i], uint64_t *, DUE_OFFSET);

		if (back[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
		histogram_add(&r->times, now > due ? now - due : 0);
		r->free[r->nb_free++] = back[i];
	}
	r->device.taken += n;
	return n;
}

/* ------------------------------------------------------------------ what is right */

static int
encrypt(const uint8_t *from, uint8_t *to, uint8_t *tag, int len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	static const uint8_t aad[AAD_LEN];
	uint8_t iv[IV_LEN];
	bool good;
	int n;

	memset(iv, 0x5a, sizeof(iv));
	good = ctx != NULL && EVP_EncryptInit_ex(ctx, EVP_aes_128_gcm(), NULL, key, iv) == 1 &&
	       EVP_EncryptUpdate(ctx, NULL, &n, aad, sizeof(aad)) == 1 &&
	       EVP_EncryptUpdate(ctx, to, &n, from, len) == 1 &&
	       EVP_EncryptFinal_ex(ctx, to + n, &n) == 1 &&
	       EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TAG_LEN, tag) == 1;
	EVP_CIPHER_CTX_free(ctx);
	return good ? 0 : -EIO;
}

/* Compares the first operation with OpenSSL. */
static int
check(struct run *r)
{
	static uint8_t wanted[MOST + TAG_LEN], plain[MOST];
	const struct rte_crypto_op *op = r->free[r->nb_free - 1];
	const uint8_t *data = rte_pktmbuf_mtod(op->sym->m_src, const uint8_t *);
	int ret;

	memcpy(plain, data, r->len);
	ret = encrypt(plain, wanted, wanted + r->len, r->len);
	if (ret == 0 && give(r, rte_rdtsc(), 0, 1) != 1)
		ret = -EIO;
	if (ret == 0)
		ret = any_device_drain(&r->device, take, r);
	if (ret == 0 && memcmp(data, wanted, r->len + TAG_LEN) != 0) {
		fprintf(stderr, "latency-bench: the device's result differs from OpenSSL's\n");
		ret = -EIO;
	}
	return ret;
}

/* ------------------------------------------------------------------ loads */

static int
give_burst(void *arg)
{
	give(arg, rte_rdtsc(), 0, BURST);
	return 0;
}

/* Gives operations when they are due. @p each is the distance in cycles. Returns 0 or a negative
 * errno value, and the number of operations that were due and of those that came back in time. */
static int
open_loop(struct run *r, uint64_t each, uint64_t cycles, uint64_t *due, uint64_t *in_time)
{
	const uint64_t hz = rte_get_tsc_hz(), begin = rte_rdtsc(), before = r->device.taken;
	const uint64_t first = r->device.given;
	uint64_t now = begin, last = begin;
	int n;

	while (now - begin < cycles) {
		const uint64_t next = r->device.given - first;

		if (now - begin >= next * each)
			give(r, begin + next * each, each, (now - begin) / each + 1 - next);
		n = take(r);
		if (n < 0)
			return n;
		now = rte_rdtsc();
		if (n > 0 || r->device.taken == r->device.given)
			last = now;
		if (now - last > ANY_HANGS_S * hz)
			return -ETIMEDOUT;
	}
	*due = (now - begin) / each + 1;
	*in_time = r->device.taken - before;
	return any_device_drain(&r->device, take, r);
}

static int
measure(struct run *r, double rate, double load, double seconds)
{
	const double hz = (double)rte_get_tsc_hz();
	const uint64_t each = (uint64_t)(hz / (rate * load / 100));
	const double began = any_seconds_of(CLOCK_MONOTONIC);
	const double had = any_seconds_of(CLOCK_THREAD_CPUTIME_ID);
	uint64_t due, in_time;
	double took, ran;
	int ret;

	memset(&r->times, 0, sizeof(r->times));
	ret = open_loop(r, each, (uint64_t)(seconds * hz), &due, &in_time);
	if (ret != 0)
		return ret;
	took = any_seconds_of(CLOCK_MONOTONIC) - began;
	ran = any_seconds_of(CLOCK_THREAD_CPUTIME_ID) - had;
	printf("p50,%g,%.0f,ns\n", load, 1e9 / hz * histogram_quantile(&r->times, 0.5));
	printf("p99,%g,%.0f,ns\n", load, 1e9 / hz * histogram_quantile(&r->times, 0.99));
	printf("p999,%g,%.0f,ns\n", load, 1e9 / hz * histogram_quantile(&r->times, 0.999));
	printf("in time,%g,%.2f,%%\n", load, 100 * (double)in_time / (double)due);
	printf("lost,%g,%.2f,%%\n", load, 100 * RTE_MAX(1 - ran / took, 0.0));
	fflush(stdout);
	return 0;
}

/* ------------------------------------------------------------------ the run */

static int
session_make(struct run *r)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_AEAD,
		.aead = {
			.op = RTE_CRYPTO_AEAD_OP_ENCRYPT,
			.algo = RTE_CRYPTO_AEAD_AES_GCM,
			.key = { .data = key, .length = sizeof(key) },
			.iv = { .offset = ANY_IV_OFFSET, .length = IV_LEN },
			.digest_length = TAG_LEN,
			.aad_length = AAD_LEN,
		},
	};
	unsigned int i;

	r->session = rte_cryptodev_sym_session_create(r->device.id, &xform, r->device.session_mp);
	if (r->session == NULL)
		return -ENOTSUP;
	any_device_set_len(&r->device, (uint16_t)(r->len + TAG_LEN));
	for (i = 0; i < OPS; i++) {
		memset(rte_crypto_op_ctod_offset(r->device.ops[i], uint8_t *, AAD_OFFSET), 0,
		       AAD_LEN);
		r->free[i] = r->device.ops[i];
	}
	r->nb_free = OPS;
	return check(r);
}

static int
run_all(struct run *r, double seconds, char **loads)
{
	uint64_t before;
	double took, rate = 0;
	int ret = any_device_load(&r->device, give_burst, take, r, seconds / 4, &took);

	before = r->device.taken;
	if (ret == 0)
		ret = any_device_load(&r->device, give_burst, take, r, seconds, &took);
	if (ret == 0) {
		rate = (double)(r->device.taken - before) / took;
		printf("rate,100,%.0f,ops/s\n", rate);
	}
	for (; ret == 0 && *loads != NULL; loads++) {
		const double load = strtod(*loads, NULL);

		ret = load > 0 ? measure(r, rate, load, seconds) : -EINVAL;
	}
	return ret;
}

int
main(int argc, char **argv)
{
	static struct run r;
	double seconds;
	unsigned int i;
	int ret;

	bench_help(argc, argv,
		   "usage: latency-bench EAL-ARGUMENT... -- DRIVER BYTES SECONDS LOAD...\n"
		   "Measures the latency of AES-128-GCM in an open loop.\n"
		   "  DRIVER   of the device, such as crypto_accel\n"
		   "  BYTES    of an operation, at most 16384\n"
		   "  SECONDS  time of each measurement\n"
		   "  LOAD     percentage of the rate of a closed loop\n");
	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return rte_errno == EINVAL ? BENCH_USAGE : EXIT_FAILURE;
	argv += ret;
	argc -= ret;
	if (argc < 5)
		return bench_wrong(argv, argv[argc - 1]);
	r.len = (uint16_t)RTE_MIN(strtoul(argv[2], NULL, 10), MOST);
	seconds = strtod(argv[3], NULL);
	for (i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)(i * 37 + 11);
	ret = seconds > 0 && r.len > 0 ?
			any_device_start(&r.device, argv[1], OPS, DESC, PRIVATE, MOST + TAG_LEN) :
			-EINVAL;
	if (ret == 0)
		ret = session_make(&r);
	if (ret == 0)
		ret = run_all(&r, seconds, argv + 4);
	if (ret != 0)
		fprintf(stderr, "latency-bench: %s\n", strerror(-ret));
	if (r.session != NULL)
		rte_cryptodev_sym_session_free(r.device.id, r.session);
	any_device_stop(&r.device);
	rte_eal_cleanup();
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
