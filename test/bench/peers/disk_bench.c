/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures what disk encryption asks of a crypto device: sectors of 512 and 4096 bytes, each with
 * an IV of its own that is the sector's number (plain64 of Linux's dm-crypt). AES-XTS can have many
 * sectors in one operation if the device has data units. The program uses the public API alone, so
 * it measures other drivers as well.
 *
 *   disk-bench EAL-OPTIONS --vdev NAME -- [SECONDS]
 *
 * Prints lines "metric,parameter,value,unit,rounds" for each case that the device offers: sectors
 * per second, and cycles of the application's CPU per sector in calls that moved operations. Before
 * a case is measured, its first operation is compared with OpenSSL.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_pause.h>

#include "any_device.h"
#include "base/bench_help.h"

#define DESC 2048u
#define OPS 256u /* in flight: as many pages as a busy disk has on their way */
#define BURST 32u
#define MOST 16384u /* bytes of an operation */
#define IV_LEN 16u
#define INTERRUPTED 2000000u /* cycles; a longer call was interrupted, and its time is not ours */

struct disk_case {
	const char *name;
	enum rte_crypto_cipher_algorithm algo;
	uint16_t key_len;
	unsigned int sector; /* bytes */
	unsigned int sectors; /* of an operation */
};

static const struct disk_case cases[] = {
	{ "aes-128-cbc", RTE_CRYPTO_CIPHER_AES_CBC, 16, 512, 1 },
	{ "aes-128-cbc", RTE_CRYPTO_CIPHER_AES_CBC, 16, 4096, 1 },
	{ "aes-256-cbc", RTE_CRYPTO_CIPHER_AES_CBC, 32, 512, 1 },
	{ "aes-256-cbc", RTE_CRYPTO_CIPHER_AES_CBC, 32, 4096, 1 },
	{ "aes-256-xts", RTE_CRYPTO_CIPHER_AES_XTS, 64, 512, 1 },
	{ "aes-256-xts", RTE_CRYPTO_CIPHER_AES_XTS, 64, 512, 8 },
	{ "aes-256-xts", RTE_CRYPTO_CIPHER_AES_XTS, 64, 512, 32 },
	{ "aes-256-xts", RTE_CRYPTO_CIPHER_AES_XTS, 64, 4096, 1 },
	{ "aes-256-xts", RTE_CRYPTO_CIPHER_AES_XTS, 64, 4096, 4 },
};

struct disk {
	const struct disk_case *now;
	struct any_device device;
	void *session;
	uint64_t sector; /* number of the next one */
	uint64_t done; /* sectors */
	uint64_t moving; /* cycles of calls that moved operations */
};

static void
count_call(struct disk *d, uint64_t cycles)
{
	if (cycles < INTERRUPTED)
		d->moving += cycles;
}

static uint8_t key[64];

static unsigned int
bytes_of(const struct disk_case *c)
{
	return c->sector * c->sectors;
}

/* ------------------------------------------------------------------ what is right */

static const EVP_CIPHER *
evp_of(const struct disk_case *c)
{
	if (c->algo == RTE_CRYPTO_CIPHER_AES_XTS)
		return EVP_aes_256_xts();
	return c->key_len == 16 ? EVP_aes_128_cbc() : EVP_aes_256_cbc();
}

/* Encrypts the sectors from number `sector` on. Returns 0 or -EIO. */
static int
encrypt(const struct disk_case *c, uint64_t sector, const uint8_t *from, uint8_t *to)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t iv[IV_LEN];
	bool good = ctx != NULL;
	unsigned int i;
	int len;

	for (i = 0; good && i < c->sectors; i++) {
		memset(iv, 0, sizeof(iv));
		memcpy(iv, &(uint64_t){ rte_cpu_to_le_64(sector + i) }, sizeof(sector));
		good = EVP_EncryptInit_ex(ctx, evp_of(c), NULL, key, iv) == 1 &&
		       EVP_CIPHER_CTX_set_padding(ctx, 0) == 1 &&
		       EVP_EncryptUpdate(ctx, to + i * c->sector, &len, from + i * c->sector,
					 (int)c->sector) == 1;
	}
	EVP_CIPHER_CTX_free(ctx);
	return good ? 0 : -EIO;
}

/* ------------------------------------------------------------------ operations */

/* Writes the operation anew, as a disk does: the IV is the number of its first sector. */
static void
fill(struct disk *d, struct rte_crypto_op *op)
{
	uint8_t *iv = rte_crypto_op_ctod_offset(op, uint8_t *, ANY_IV_OFFSET);

	rte_crypto_op_attach_sym_session(op, d->session);
	op->sym->cipher.data.offset = 0;
	op->sym->cipher.data.length = bytes_of(d->now);
	memset(iv, 0, IV_LEN);
	memcpy(iv, &(uint64_t){ rte_cpu_to_le_64(d->sector) }, sizeof(d->sector));
	d->sector += d->now->sectors;
}

/* Sends a burst that ends with the array of operations. They come back in order, so each has its
 * place there. */
static int
give(void *arg)
{
	struct disk *d = arg;
	const unsigned int at = (unsigned int)(d->device.given % OPS);
	const uint16_t want = (uint16_t)RTE_MIN(BURST, OPS - at);
	const uint64_t sector = d->sector;
	uint64_t start;
	uint16_t n, i;

	if (d->device.given + want - d->device.taken > OPS)
		return 0;
	for (i = 0; i < want; i++)
		fill(d, d->device.ops[at + i]);
	start = rte_rdtsc();
	n = rte_cryptodev_enqueue_burst(0, 0, d->device.ops + at, want);
	if (n != 0)
		count_call(d, rte_rdtsc() - start);
	d->sector = sector + (uint64_t)n * d->now->sectors;
	d->device.given += n;
	return 0;
}

static int
take(void *arg)
{
	struct disk *d = arg;
	struct rte_crypto_op *back[BURST];
	const uint64_t start = rte_rdtsc();
	const uint16_t n = rte_cryptodev_dequeue_burst(0, 0, back, BURST);
	uint16_t i;

	if (n == 0) {
		rte_pause();
		return 0;
	}
	count_call(d, rte_rdtsc() - start);
	for (i = 0; i < n; i++) {
		if (back[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
	}
	d->device.taken += n;
	d->done += (uint64_t)n * d->now->sectors;
	return n;
}

/* ------------------------------------------------------------------ a case */

/* Returns 0, or -ENOTSUP if the device does not offer the case. */
static int
session_make(struct disk *d)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = d->now->algo,
			.key = { .data = key, .length = d->now->key_len },
			.iv = { .offset = ANY_IV_OFFSET, .length = IV_LEN },
			.dataunit_len = d->now->sectors > 1 ? d->now->sector : 0,
		},
	};
	const struct rte_cryptodev_sym_capability_idx idx = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER, .algo.cipher = d->now->algo,
	};
	const struct rte_cryptodev_symmetric_capability *cap =
		rte_cryptodev_sym_capability_get(0, &idx);
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(0, &info);
	if (cap == NULL || rte_cryptodev_sym_capability_check_cipher(cap, d->now->key_len,
								     IV_LEN) != 0)
		return -ENOTSUP;
	if (d->now->sectors > 1 &&
	    !(info.feature_flags & RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS))
		return -ENOTSUP;
	d->session = rte_cryptodev_sym_session_create(0, &xform, d->device.session_mp);
	return d->session != NULL ? 0 : -EIO;
}

/* Compares the first operation with OpenSSL. */
static int
check(struct disk *d)
{
	const unsigned int len = bytes_of(d->now);
	struct rte_mbuf *m = d->device.ops[0]->sym->m_src;
	uint8_t *data = rte_pktmbuf_mtod(m, uint8_t *);
	static uint8_t plain[MOST], wanted[MOST];
	struct rte_crypto_op *op = d->device.ops[0];
	int ret;

	memcpy(plain, data, len);
	ret = encrypt(d->now, d->sector, plain, wanted);
	fill(d, op);
	if (ret == 0 && rte_cryptodev_enqueue_burst(0, 0, &op, 1) != 1)
		ret = -EIO;
	if (ret == 0) {
		d->device.given++;
		ret = any_device_drain(&d->device, take, d);
	}
	d->device.given = d->device.taken = d->done = d->moving = 0;
	if (ret == 0 && memcmp(data, wanted, len) != 0) {
		fprintf(stderr, "%s, %u sectors of %u bytes: the result is wrong\n", d->now->name,
			d->now->sectors, d->now->sector);
		ret = -EIO;
	}
	return ret;
}

static void
print(const struct disk *d, double took)
{
	char what[64];

	snprintf(what, sizeof(what), "%s/%u/%u", d->now->name, d->now->sector, d->now->sectors);
	printf("rate,%s,%.2f,sectors/s,1\n", what, (double)d->done / took);
	printf("gbps,%s,%.4f,Gbit/s,1\n", what,
	       (double)d->done * d->now->sector * 8 / took / 1e9);
	printf("cycles,%s,%.2f,cycles/sector,1\n", what, (double)d->moving / (double)d->done);
	fflush(stdout);
}

static int
measure(struct disk *d, double seconds)
{
	double took;
	int ret = session_make(d);

	if (ret == -ENOTSUP)
		return 0;
	any_device_set_len(&d->device, (uint16_t)bytes_of(d->now));
	if (ret == 0)
		ret = check(d);
	if (ret == 0)
		ret = any_device_load(&d->device, give, take, d, seconds / 10, &took);
	d->done = d->moving = 0;
	if (ret == 0)
		ret = any_device_load(&d->device, give, take, d, seconds, &took);
	if (ret == 0)
		print(d, took);
	if (d->session != NULL)
		rte_cryptodev_sym_session_free(0, d->session);
	d->session = NULL;
	return ret;
}

/* ------------------------------------------------------------------ the run */

int
main(int argc, char **argv)
{
	static struct disk d;
	double seconds = 0.2;
	unsigned int i;
	char *end = NULL;
	int ret;

	bench_help(argc, argv, "usage: disk-bench EAL-ARGUMENT... [-- SECONDS]\n"
			       "Measures AES-XTS with sectors of a disk on the first device.\n"
			       "  SECONDS  time of each measurement (0.2)\n");
	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return rte_errno == EINVAL ? BENCH_USAGE : EXIT_FAILURE;
	if (ret + 1 < argc)
		seconds = strtod(argv[ret + 1], &end);
	if (ret + 2 < argc || !(seconds > 0) || (end != NULL && *end != '\0'))
		return bench_wrong(argv, argv[argc - 1]);
	for (i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)(i * 37 + 11); /* The halves differ, as XTS demands. */
	ret = any_device_start(&d.device, NULL, OPS, DESC, IV_LEN, MOST);
	for (i = 0; ret == 0 && i < RTE_DIM(cases); i++) {
		d.now = &cases[i];
		ret = measure(&d, seconds);
	}
	if (ret != 0)
		fprintf(stderr, "disk-bench: %s\n", strerror(-ret));
	any_device_stop(&d.device);
	rte_eal_cleanup();
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
