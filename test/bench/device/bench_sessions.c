/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures what a session costs to make and to free: the driver's part alone, the library's with
 * its mempool, and both while the device is dead. Then a million sessions exist at once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_malloc.h>

#include "accel_bench.h"
#include "rte_pmd_accel.h"
#include "rte_pmd_accel_embedded.h"

#define PAIRS 2000u /* pairs of make and free in a round */
#define ALIVE 1000000u
#define ALIVE_QUICK 100000u
#define DEAD_US 400000u /* a heart that stands still for so long; it beats every 100 ms */
#define DEATH_LOOK_US 50000u
#define DEATH_LOOKS 200u

static struct rte_crypto_sym_xform *
xform_of(enum bench_kind kind)
{
	return (struct rte_crypto_sym_xform *)(uintptr_t)bench_xform(kind);
}

/* Measures the driver's part: make and wipe. The result is the median in nanoseconds per pair. */
static int
driver_pairs(struct bench *b, enum bench_kind kind, double *ns)
{
	static double cycles[PAIRS];
	struct accel_session *sess = rte_zmalloc("bench", sizeof(*sess), ACCEL_HW_CTX_ALIGN);
	unsigned int i;
	int ret = sess != NULL ? 0 : -ENOMEM;

	for (i = 0; ret == 0 && i < PAIRS; i++) {
		const uint64_t start = cycles_now();

		ret = accel_session_make(b->dev, xform_of(kind), sess, rte_malloc_virt2iova(sess));
		accel_session_wipe(b->dev, sess);
		cycles[i] = (double)(cycles_now() - start);
	}
	rte_free(sess);
	*ns = median_of(cycles, PAIRS) * 1e9 / (double)rte_get_tsc_hz();
	return ret;
}

/* Measures what an application calls. */
static int
library_pairs(struct bench *b, enum bench_kind kind, double *ns)
{
	static double cycles[PAIRS];
	unsigned int i;

	for (i = 0; i < PAIRS; i++) {
		const uint64_t start = cycles_now();
		void *session = rte_cryptodev_sym_session_create(b->dev_id, xform_of(kind),
								 b->session_mp);

		if (session == NULL || rte_cryptodev_sym_session_free(b->dev_id, session) != 0)
			return rte_errno != 0 ? -rte_errno : -EIO;
		cycles[i] = (double)(cycles_now() - start);
	}
	*ns = median_of(cycles, PAIRS) * 1e9 / (double)rte_get_tsc_hz();
	return 0;
}

/* Measures the library's part without a driver: it takes one object of the mempool, clears it, and
 * puts it back. */
static int
pool_pairs(struct bench *b, double *ns)
{
	static double cycles[PAIRS];
	void *object;
	unsigned int i;

	for (i = 0; i < PAIRS; i++) {
		const uint64_t start = cycles_now();

		if (rte_mempool_get(b->session_mp, &object) != 0)
			return -ENOMEM;
		memset(object, 0, b->session_mp->elt_size);
		rte_mempool_put(b->session_mp, object);
		cycles[i] = (double)(cycles_now() - start);
	}
	*ns = median_of(cycles, PAIRS) * 1e9 / (double)rte_get_tsc_hz();
	return 0;
}

static int
print_pairs(struct bench *b, const char *suffix)
{
	double driver[BENCH_MAX_ROUNDS], library[BENCH_MAX_ROUNDS];
	char metric[48];
	unsigned int kind, i;
	int ret = 0;

	for (kind = 0; kind < BENCH_KINDS; kind++) {
		for (i = 0; ret == 0 && i < b->rounds; i++) {
			ret = driver_pairs(b, kind, &driver[i]);
			if (ret == 0)
				ret = library_pairs(b, kind, &library[i]);
		}
		if (ret != 0)
			return ret;
		snprintf(metric, sizeof(metric), "driver%s", suffix);
		bench_print(metric, bench_kind_name[kind], median_of(driver, b->rounds),
			    "ns/pair", b->rounds);
		snprintf(metric, sizeof(metric), "library%s", suffix);
		bench_print(metric, bench_kind_name[kind], median_of(library, b->rounds),
			    "ns/pair", b->rounds);
	}
	return 0;
}

/* Makes all sessions, each with a key of its own, then checks some of them at random. */
static int
million(struct bench *b)
{
	const unsigned int nb = b->quick ? ALIVE_QUICK : ALIVE;
	struct rte_cryptodev_sym_session **session = calloc(nb, sizeof(*session));
	struct rte_crypto_sym_xform xform = *xform_of(BENCH_CIPHER);
	struct rte_mempool *mp = rte_cryptodev_sym_session_pool_create(
		"bench_million", nb, rte_cryptodev_sym_get_private_session_size(b->dev_id), 0, 0,
		SOCKET_ID_ANY);
	uint8_t keys[16] = { 0 };
	uint64_t create, destroy;
	char parameter[16];
	unsigned int i;
	int ret = session != NULL && mp != NULL ? 0 : -ENOMEM;

	xform.cipher.key.data = keys;
	create = cycles_now();
	for (i = 0; ret == 0 && i < nb; i++) {
		memcpy(keys, &i, sizeof(i));
		session[i] = rte_cryptodev_sym_session_create(b->dev_id, &xform, mp);
		ret = session[i] != NULL ? 0 : -ENOMEM;
	}
	create = cycles_now() - create;
	for (i = 0; ret == 0 && i < nb; i++) {
		const struct accel_session *s = CRYPTODEV_GET_SYM_SESS_PRIV(session[i]);

		ret = memcmp(s->context.cipher_key, &i, sizeof(i)) == 0 ? 0 : -EIO;
	}
	destroy = cycles_now();
	for (i = 0; session != NULL && i < nb && session[i] != NULL; i++)
		rte_cryptodev_sym_session_free(b->dev_id, session[i]);
	destroy = cycles_now() - destroy;
	if (ret == 0) {
		snprintf(parameter, sizeof(parameter), "%u", nb);
		bench_print("alive-create", parameter,
			    (double)create * 1e9 / (double)rte_get_tsc_hz() / nb, "ns/session", 1);
		bench_print("alive-destroy", parameter,
			    (double)destroy * 1e9 / (double)rte_get_tsc_hz() / nb, "ns/session", 1);
	} else if (ret == -ENOMEM) {
		fprintf(stderr, "no memory for %u sessions\n", nb);
	}
	rte_mempool_free(mp);
	free(session);
	return ret;
}

/*
 * The device dies after the next operation that it carries out, so it gets two. They stay where
 * they are: nobody looks for their results, so the driver does not heal the queue pair meanwhile.
 */
static int
kill_device(struct bench *b)
{
	struct rte_pmd_accel_info info;
	unsigned int i;
	int ret;

	ret = bench_ops_make(b, BENCH_CIPHER, 64);
	if (ret == 0)
		ret = rte_pmd_accel_fault(b->dev_id, "dead@1");
	if (ret == 0 && rte_cryptodev_enqueue_burst(b->dev_id, 0, b->ops, 2) != 2)
		ret = -EIO;
	for (i = 0; ret == 0 && i < DEATH_LOOKS; i++) {
		rte_delay_us_sleep(DEATH_LOOK_US);
		ret = rte_pmd_accel_info_get(b->dev_id, &info);
		if (ret == 0 && info.heartbeat_age_us > DEAD_US)
			return 0;
	}
	fprintf(stderr, "the device is not dead\n");
	return ret != 0 ? ret : -ETIMEDOUT;
}

/* The numbers are those of a dead device only if it did not come back. */
static int
check_dead(const struct bench *b)
{
	struct rte_pmd_accel_info info;
	const int ret = rte_pmd_accel_info_get(b->dev_id, &info);

	if (ret != 0)
		return ret;
	if (info.heartbeat_age_us > DEAD_US)
		return 0;
	fprintf(stderr, "the device came back to life\n");
	return -EIO;
}

int
bench_sessions(struct bench *b)
{
	double pool[BENCH_MAX_ROUNDS];
	unsigned int i;
	int ret = 0;

	for (i = 0; ret == 0 && i < b->rounds; i++)
		ret = pool_pairs(b, &pool[i]);
	if (ret != 0)
		return ret;
	bench_print("mempool", "get, clear, put", median_of(pool, b->rounds), "ns/pair", b->rounds);
	ret = print_pairs(b, "");
	if (ret == 0)
		ret = million(b);
	if (ret != 0)
		return ret;
	/* A session does not wait for the device, so a dead device must not change the result. */
	ret = kill_device(b);
	if (ret == 0)
		ret = print_pairs(b, "-device-dead");
	if (ret == 0)
		ret = check_dead(b);
	rte_pmd_accel_fault(b->dev_id, "none");
	return ret;
}
