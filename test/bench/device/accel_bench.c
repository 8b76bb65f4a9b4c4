/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the benchmarks of the driver with the embedded device, for tools/bench:
 *
 *   accel-bench EAL-OPTIONS --vdev crypto_accel0,... -- [OPTION]... PART
 *
 * PART is one of parts[] below.
 *
 * Prints lines "metric,parameter,value,unit,rounds". Cycles are those of the time stamp counter.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>

#include "accel_bench.h"
#include "base/bench_help.h"

#define IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define IV_LEN 16u
#define AAD_OFFSET (IV_OFFSET + 12u) /* the AAD follows the IV, as in dpdk-test-crypto-perf */

const char *const bench_kind_name[BENCH_KINDS] = { "aes-128-cbc", "aes-128-gcm",
						   "aes-128-cbc+sha1-hmac" };

static uint16_t aad_len = BENCH_AAD;
static uint8_t key[64] = "a key that is as secret as a benchmark is";

static struct rte_crypto_sym_xform auth_xform = {
	.type = RTE_CRYPTO_SYM_XFORM_AUTH,
	.auth = {
		.op = RTE_CRYPTO_AUTH_OP_GENERATE,
		.algo = RTE_CRYPTO_AUTH_SHA1_HMAC,
		.key = { .data = key, .length = 20 },
		.digest_length = BENCH_DIGEST,
	},
};

static struct rte_crypto_sym_xform xforms[BENCH_KINDS] = {
	[BENCH_CIPHER] = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = RTE_CRYPTO_CIPHER_AES_CBC,
			.key = { .data = key, .length = 16 },
			.iv = { .offset = IV_OFFSET, .length = IV_LEN },
		},
	},
	[BENCH_AEAD] = {
		.type = RTE_CRYPTO_SYM_XFORM_AEAD,
		.aead = {
			.op = RTE_CRYPTO_AEAD_OP_ENCRYPT,
			.algo = RTE_CRYPTO_AEAD_AES_GCM,
			.key = { .data = key, .length = 16 },
			.iv = { .offset = IV_OFFSET, .length = 12 },
			.digest_length = 16,
		},
	},
};

void
bench_print(const char *metric, const char *parameter, double value, const char *unit,
	    unsigned int rounds)
{
	printf("%s,%s,%.2f,%s,%u\n", metric, parameter, value, unit, rounds);
	fflush(stdout);
}

const struct rte_crypto_sym_xform *
bench_xform(enum bench_kind kind)
{
	xforms[BENCH_CHAIN] = xforms[BENCH_CIPHER];
	xforms[BENCH_CHAIN].next = &auth_xform;
	xforms[BENCH_AEAD].aead.aad_length = aad_len;
	return &xforms[kind];
}

void
bench_op_fill(struct bench *b, struct rte_crypto_op *op, enum bench_kind kind, unsigned int size)
{
	struct rte_crypto_sym_op *sym = op->sym;
	struct rte_mbuf *m = sym->m_src;

	rte_crypto_op_attach_sym_session(op, b->session);
	sym->m_src = m;
	sym->m_dst = NULL;
	if (kind == BENCH_AEAD) {
		sym->aead.data.offset = 0;
		sym->aead.data.length = size;
		sym->aead.digest.data = rte_pktmbuf_mtod_offset(m, uint8_t *, size);
		sym->aead.digest.phys_addr = rte_pktmbuf_iova_offset(m, size);
		sym->aead.aad.data = rte_crypto_op_ctod_offset(op, uint8_t *, AAD_OFFSET);
		sym->aead.aad.phys_addr = rte_crypto_op_ctophys_offset(op, AAD_OFFSET);
		return;
	}
	sym->cipher.data.offset = 0;
	sym->cipher.data.length = size;
	sym->auth.data.offset = 0;
	sym->auth.data.length = size;
	sym->auth.digest.data = rte_pktmbuf_mtod_offset(m, uint8_t *, size);
	sym->auth.digest.phys_addr = rte_pktmbuf_iova_offset(m, size);
}

int
bench_ops_make(struct bench *b, enum bench_kind kind, unsigned int size)
{
	struct rte_mbuf *mbufs[BENCH_DESC];
	unsigned int i;

	b->session = rte_cryptodev_sym_session_create(
		b->dev_id, (struct rte_crypto_sym_xform *)(uintptr_t)bench_xform(kind),
		b->session_mp);
	if (b->session == NULL)
		return rte_errno != 0 ? -rte_errno : -EIO;
	if (rte_crypto_op_bulk_alloc(b->op_mp, RTE_CRYPTO_OP_TYPE_SYMMETRIC, b->ops, BENCH_DESC) !=
	    BENCH_DESC)
		return -ENOMEM;
	if (rte_pktmbuf_alloc_bulk(b->mbuf_mp, mbufs, BENCH_DESC) != 0)
		return -ENOMEM;
	for (i = 0; i < BENCH_DESC; i++) {
		rte_pktmbuf_append(mbufs[i], (uint16_t)size);
		b->ops[i]->sym->m_src = mbufs[i];
		memset(rte_crypto_op_ctod_offset(b->ops[i], void *, IV_OFFSET), 0x5a,
		       IV_LEN + BENCH_AAD);
		bench_op_fill(b, b->ops[i], kind, size);
	}
	return 0;
}

void
bench_ops_free(struct bench *b)
{
	unsigned int i;

	for (i = 0; i < BENCH_DESC; i++) {
		rte_pktmbuf_free(b->ops[i]->sym->m_src);
		rte_crypto_op_free(b->ops[i]);
	}
	rte_cryptodev_sym_session_free(b->dev_id, b->session);
}

/* Returns the room of an mbuf: enough for the largest size and its digest. */
static uint16_t
data_room(const struct bench *b)
{
	unsigned int largest = 0, i;

	for (i = 0; i < b->nb_sizes; i++)
		largest = RTE_MAX(largest, b->sizes[i]);
	return (uint16_t)RTE_MAX(RTE_MBUF_DEFAULT_BUF_SIZE,
				 RTE_PKTMBUF_HEADROOM + largest + BENCH_DIGEST);
}

static int
pools_make(struct bench *b)
{
	b->session_mp = rte_cryptodev_sym_session_pool_create(
		"bench_session", 64, rte_cryptodev_sym_get_private_session_size(b->dev_id), 0, 0,
		SOCKET_ID_ANY);
	b->op_mp = rte_crypto_op_pool_create("bench_op", RTE_CRYPTO_OP_TYPE_SYMMETRIC, BENCH_DESC,
					     0, IV_LEN + BENCH_AAD, SOCKET_ID_ANY);
	b->mbuf_mp = rte_pktmbuf_pool_create("bench_mbuf", BENCH_DESC, 0, 0,
					     data_room(b), SOCKET_ID_ANY);
	return b->session_mp != NULL && b->op_mp != NULL && b->mbuf_mp != NULL ? 0 : -ENOMEM;
}

static int
device_start(struct bench *b, uint16_t queue_pairs)
{
	const struct rte_cryptodev_config config = { .nb_queue_pairs = queue_pairs };
	const struct rte_cryptodev_qp_conf qp = { .nb_descriptors = BENCH_DESC };
	struct rte_cryptodev_config copy = config;
	uint16_t i;
	int ret;

	if (rte_cryptodev_count() == 0) {
		fprintf(stderr, "no device: --vdev crypto_accel0\n");
		return -ENODEV;
	}
	ret = pools_make(b);
	if (ret == 0)
		ret = rte_cryptodev_configure(b->dev_id, &copy);
	for (i = 0; ret == 0 && i < queue_pairs; i++)
		ret = rte_cryptodev_queue_pair_setup(b->dev_id, i, &qp, SOCKET_ID_ANY);
	if (ret == 0)
		ret = rte_cryptodev_start(b->dev_id);
	if (ret != 0) {
		fprintf(stderr, "cannot start the device: %s\n", strerror(-ret));
		return ret;
	}
	b->dev = rte_cryptodev_pmd_get_dev(b->dev_id)->data->dev_private;
	b->qp = rte_cryptodev_pmd_get_dev(b->dev_id)->data->queue_pairs[0];
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct bench *b);
	uint16_t queue_pairs;
} parts[] = {
	{ "cross", bench_cross, 1 },
	{ "trip", bench_trip, 1 },
	{ "load", bench_load, 1 },
	{ "pk", bench_pk, 1 },
	{ "pk-beside", bench_pk_beside, 2 },
	{ "sessions", bench_sessions, 1 },
	{ "stages", bench_stages, 1 },
	{ "writeback", bench_writeback, 1 },
};

static int
run(struct bench *b, const char *name)
{
	unsigned int i;
	int ret;

	for (i = 0; i < RTE_DIM(parts); i++) {
		if (strcmp(parts[i].name, name) == 0)
			break;
	}
	if (i == RTE_DIM(parts)) {
		fprintf(stderr, "unknown part \"%s\"\n", name);
		return -EINVAL;
	}
	ret = device_start(b, parts[i].queue_pairs);
	return ret != 0 ? ret : parts[i].run(b);
}

/* Parses a list as "64,1024,16384". Returns 0 or -EINVAL. */
static int
parse_sizes(const char *text, struct bench *b)
{
	char *end;

	for (b->nb_sizes = 0; b->nb_sizes < BENCH_MAX_SIZES; text = end + 1) {
		const unsigned long size = strtoul(text, &end, 10);

		if (end == text || size == 0 || size > BENCH_MAX_SIZE || size % 16 != 0)
			return -EINVAL;
		b->sizes[b->nb_sizes++] = (unsigned int)size;
		if (*end == '\0')
			return 0;
		if (*end != ',')
			return -EINVAL;
	}
	return -EINVAL;
}

static int
parse_kind(const char *text, struct bench *b)
{
	unsigned int i;

	for (i = 0; i < BENCH_KINDS; i++) {
		if (strcmp(bench_kind_name[i], text) == 0) {
			b->kind = i;
			return 0;
		}
	}
	return -EINVAL;
}

/* Returns 0 or -EINVAL. */
static int
parse(int argc, char **argv, struct bench *b)
{
	static const struct option names[] = {
		{ "rounds", required_argument, NULL, 'r' },
		{ "device-cpu", required_argument, NULL, 'c' },
		{ "quick", no_argument, NULL, 'q' },
		{ "kind", required_argument, NULL, 'k' },
		{ "sizes", required_argument, NULL, 's' },
		{ "aad", required_argument, NULL, 'a' },
		{ "in-flight", required_argument, NULL, 'f' },
		{ "seconds", required_argument, NULL, 't' },
		{ "group", required_argument, NULL, 'g' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (c == 'r')
			b->rounds = (unsigned int)strtoul(optarg, NULL, 0);
		else if (c == 'c')
			b->device_cpu = (int)strtol(optarg, NULL, 0);
		else if (c == 'q')
			b->quick = true;
		else if (c == 't')
			b->seconds = strtod(optarg, NULL);
		else if (c == 'a')
			aad_len = (uint16_t)strtoul(optarg, NULL, 0);
		else if (c == 'g')
			b->group = optarg;
		else if (c == 'f')
			b->in_flight = (unsigned int)strtoul(optarg, NULL, 0);
		else if (c == 'k' ? parse_kind(optarg, b) != 0 :
				    c != 's' || parse_sizes(optarg, b) != 0)
			return -EINVAL;
	}
	if (optind + 1 != argc || b->rounds < 1 || b->rounds > BENCH_MAX_ROUNDS)
		return -EINVAL;
	if (aad_len > BENCH_AAD)
		return -EINVAL;
	return b->seconds > 0 && b->in_flight >= 1 && b->in_flight <= BENCH_DESC ? 0 : -EINVAL;
}

static const char help[] =
	"usage: accel-bench EAL-ARGUMENT... -- [--rounds N] [--device-cpu CPU] [--quick]\n"
	"                   [--kind NAME] [--sizes N,N,...] [--seconds S] [--in-flight N]\n"
	"                   [--aad N] [--group NAME] PART\n"
	"Measures a part of the driver with the model in the same process: stages, sessions,\n"
	"cross, writeback, pk or pk-beside.\n";

int
main(int argc, char **argv)
{
	static struct bench b = {
		.rounds = 11,
		.device_cpu = -1,
		.seconds = 0.3,
		.nb_sizes = 1,
		.sizes = { 64 },
		.in_flight = BENCH_DESC,
	};
	int ret;

	bench_help(argc, argv, help);
	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return rte_errno == EINVAL ? BENCH_USAGE : EXIT_FAILURE;
	argc -= ret;
	argv += ret;
	if (parse(argc, argv, &b) != 0) {
		fputs(help, stderr);
		return BENCH_USAGE;
	}
	ret = run(&b, argv[optind]);
	if (ret != 0)
		fprintf(stderr, "%s: %s\n", argv[optind], strerror(-ret));
	if (b.qp != NULL)
		rte_cryptodev_stop(b.dev_id);
	rte_eal_cleanup();
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
