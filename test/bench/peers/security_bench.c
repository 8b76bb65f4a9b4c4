/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures protocols on a crypto device: how many packets of DOCSIS, PDCP, IPsec and TLS a program
 * sends in a second, and what a packet takes of its CPU (security_cases.h). The program uses the
 * public API alone, so it measures any driver.
 *
 *   security-bench EAL-OPTIONS --vdev NAME -- DRIVER SECONDS BYTES...
 *
 * Prints lines "metric,protocol/bytes,value,unit" for each case that the device has: packets per
 * second; cycles of the application in calls that prepared, enqueued, dequeued or finished packets;
 * the packets that the device says it has done, which have to be as many as were given. The first
 * packet of each case is compared with OpenSSL.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>

#include "base/bench_help.h"
#include "security_cases.h"

#define DESC 2048u
#define OPS 512u /* the most in flight */
#define INTERRUPTED 2000000u /* cycles; a longer call was interrupted, and its time is not ours */

struct run {
	struct security s;
	struct rte_crypto_op *free[OPS];
	unsigned int nb_free;
	uint64_t moving; /* cycles of calls that moved packets */
};

static void
count_call(struct run *r, uint64_t cycles)
{
	if (cycles < INTERRUPTED)
		r->moving += cycles;
}

/* ------------------------------------------------------------------ packets */

/* Takes what has come back. Returns how many, or a negative errno value. */
static int
take(void *arg)
{
	struct run *r = arg;
	struct security *s = &r->s;
	struct rte_crypto_op *back[SECURITY_BURST];
	const uint64_t start = rte_rdtsc();
	const uint16_t n = rte_cryptodev_dequeue_burst(s->device.id, 0, back, SECURITY_BURST);
	uint16_t i;

	if (n == 0)
		return 0;
	for (i = 0; i < n; i++) {
		if (back[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
	}
	if (s->now->process != NULL && s->now->process(s, back, n) != 0)
		return -EIO;
	count_call(r, rte_rdtsc() - start);
	for (i = 0; i < n; i++)
		r->free[r->nb_free++] = back[i];
	s->device.taken += n;
	return n;
}

/* Makes the mbuf a packet that has just arrived. */
static void
arrive(struct security *s, struct rte_mbuf *m)
{
	rte_pktmbuf_reset(m);
	m->data_len = s->len;
	m->pkt_len = s->len;
	if (s->now->arrive != NULL)
		s->now->arrive(s, m);
	s->number++;
}

/* Gives packets. Those that the device does not take at once are given again, since they have their
 * numbers. Returns 0 or a negative errno value. */
static int
give(struct run *r, uint16_t want)
{
	const uint64_t hangs = ANY_HANGS_S * rte_get_tsc_hz();
	struct security *s = &r->s;
	struct rte_crypto_op *ops[SECURITY_BURST];
	uint64_t start, last;
	uint16_t n = 0, i;
	int ret = 0;

	for (i = 0; i < want; i++) {
		ops[i] = r->free[--r->nb_free];
		arrive(s, ops[i]->sym->m_src);
	}
	start = last = rte_rdtsc();
	if (s->now->prepare(s, ops, want) != 0)
		return -EIO;
	while (ret >= 0 && n < want) {
		n += rte_cryptodev_enqueue_burst(s->device.id, 0, ops + n, want - n);
		count_call(r, rte_rdtsc() - start);
		if (n == want)
			break;
		ret = take(r);
		start = rte_rdtsc();
		if (ret > 0)
			last = start;
		else if (start - last > hangs)
			return -ETIMEDOUT;
	}
	s->device.given += n;
	return ret < 0 ? ret : 0;
}

/* Gives a burst if there are packets for it. Returns 0 or a negative errno value. */
static int
give_burst(void *arg)
{
	struct run *r = arg;

	return r->nb_free >= SECURITY_BURST ? give(r, SECURITY_BURST) : 0;
}

/* Compares the first packet with OpenSSL. */
static int
check(struct run *r)
{
	struct security *s = &r->s;
	struct rte_mbuf *m = r->free[r->nb_free - 1]->sym->m_src;
	static uint8_t plain[SECURITY_MOST];
	int ret;

	s->number = 1;
	arrive(s, m);
	memcpy(plain, rte_pktmbuf_mtod(m, const void *), s->len);
	s->number = 1;
	ret = give(r, 1);
	if (ret == 0)
		ret = any_device_drain(&s->device, take, r);
	if (ret == 0 && !s->now->right(s, plain, m)) {
		fprintf(stderr, "%s, %u bytes: the packet is wrong\n", s->now->name, s->len);
		ret = -EIO;
	}
	return ret;
}

/* ------------------------------------------------------------------ a case */

/* Measures, and asks the device how many packets it has done meanwhile. */
static int
measure(struct run *r, double seconds)
{
	struct any_device *d = &r->s.device;
	struct rte_cryptodev_stats before, after;
	char what[64];
	double took;
	int ret;

	d->given = d->taken = r->moving = 0;
	rte_cryptodev_stats_get(d->id, &before);
	ret = any_device_load(d, give_burst, take, r, seconds, &took);
	if (ret != 0)
		return ret;
	rte_cryptodev_stats_get(d->id, &after);
	if (d->taken == 0 || after.dequeued_count - before.dequeued_count != d->taken ||
	    after.enqueued_count - before.enqueued_count != d->given) {
		fprintf(stderr, "%s: the device has done %" PRIu64 " packets and not %" PRIu64 "\n",
			r->s.now->name, after.dequeued_count - before.dequeued_count, d->taken);
		return -EIO;
	}
	snprintf(what, sizeof(what), "%s/%u", r->s.now->name, r->s.len);
	printf("rate,%s,%.0f,packets/s\n", what, (double)d->taken / took);
	printf("cycles,%s,%.2f,cycles/packet\n", what, (double)r->moving / (double)d->taken);
	printf("done,%s,%" PRIu64 ",packets\n", what,
	       after.dequeued_count - before.dequeued_count);
	fflush(stdout);
	return 0;
}

static int
run_case(struct run *r, const struct security_case *now, uint16_t len, double seconds)
{
	struct security *s = &r->s;
	double took;
	int ret;

	s->now = now;
	s->len = len;
	ret = now->open(s);
	if (ret == 0)
		ret = check(r);
	if (ret == 0)
		ret = any_device_load(&s->device, give_burst, take, r, seconds / 10, &took);
	if (ret == 0)
		ret = measure(r, seconds);
	security_close(s);
	return ret == -ENOTSUP ? 0 : ret;
}

/* ------------------------------------------------------------------ the run */

static int
start(struct run *r, const char *driver)
{
	struct security *s = &r->s;
	unsigned int i;
	int ret = any_device_start(&s->device, driver, OPS, DESC, SECURITY_PRIVATE,
				   SECURITY_MOST + SECURITY_ROOM);

	if (ret != 0)
		return ret;
	for (i = 0; i < OPS; i++)
		r->free[i] = s->device.ops[i];
	r->nb_free = OPS;
	s->ctx = rte_cryptodev_get_sec_ctx(s->device.id);
	if (s->ctx == NULL)
		return 0;
	s->mp = rte_mempool_create("security", 16, rte_security_session_get_size(s->ctx), 0, 0,
				   NULL, NULL, NULL, NULL, SOCKET_ID_ANY, 0);
	return s->mp != NULL ? 0 : -ENOMEM;
}

int
main(int argc, char **argv)
{
	static struct run r;
	double seconds;
	unsigned int i;
	int ret;

	bench_help(argc, argv,
		   "usage: security-bench EAL-ARGUMENT... -- DRIVER SECONDS BYTES...\n"
		   "Measures DOCSIS, PDCP, IPsec and TLS on a device.\n"
		   "  DRIVER   of the device, such as crypto_accel\n"
		   "  SECONDS  time of each measurement\n"
		   "  BYTES    of a packet in the clear, 32 to 4096\n");
	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return rte_errno == EINVAL ? BENCH_USAGE : EXIT_FAILURE;
	argv += ret;
	argc -= ret;
	seconds = argc > 3 ? strtod(argv[2], NULL) : 0;
	if (!(seconds > 0))
		return bench_wrong(argv, argv[argc - 1]);
	ret = start(&r, argv[1]);
	for (argv += 3; ret == 0 && *argv != NULL; argv++) {
		const unsigned long len = strtoul(*argv, NULL, 10);

		if (len < 32 || len > SECURITY_MOST)
			ret = -EINVAL;
		for (i = 0; ret == 0 && i < security_nb_cases; i++)
			ret = run_case(&r, &security_cases[i], (uint16_t)len, seconds);
	}
	if (ret != 0)
		fprintf(stderr, "security-bench: %s: %s\n",
			r.s.now != NULL ? r.s.now->name : "start", strerror(-ret));
	any_device_stop(&r.s.device);
	rte_eal_cleanup();
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
