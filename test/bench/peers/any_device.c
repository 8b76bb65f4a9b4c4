/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A device of any driver: see any_device.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_mbuf.h>

#include "any_device.h"

/* Finds a device of the driver, and the size of the sessions that fit all devices: a scheduler has
 * those of its workers in its pool. Returns 0 or -ENODEV. */
static int
find(struct any_device *d, const char *driver, uint32_t *session_size)
{
	struct rte_cryptodev_info info;
	int ret = -ENODEV;
	uint8_t id;

	*session_size = 0;
	for (id = 0; id < rte_cryptodev_count(); id++) {
		*session_size = RTE_MAX(*session_size,
					rte_cryptodev_sym_get_private_session_size(id));
		rte_cryptodev_info_get(id, &info);
		if (ret != 0 && (driver == NULL || strcmp(info.driver_name, driver) == 0)) {
			d->id = id;
			ret = 0;
		}
	}
	return ret;
}

/* Sets up all queue pairs and starts the device. Returns 0 or a negative errno value. */
static int
configure(const struct any_device *d, uint16_t nb_desc)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = RTE_MAX(d->queues, 1) };
	const struct rte_cryptodev_qp_conf qp = { .nb_descriptors = nb_desc };
	int ret = rte_cryptodev_configure(d->id, &config);
	uint16_t i;

	for (i = 0; ret == 0 && i < config.nb_queue_pairs; i++)
		ret = rte_cryptodev_queue_pair_setup(d->id, i, &qp, SOCKET_ID_ANY);
	return ret == 0 ? rte_cryptodev_start(d->id) : ret;
}

/* Makes the name of a pool, which all processes of a device know. */
static const char *
name_of(const struct any_device *d, const char *what, char name[32])
{
	snprintf(name, 32, "any_%s_%u", what, d->queue);
	return name;
}

int
any_device_start(struct any_device *d, const char *driver, unsigned int nb_ops, uint16_t nb_desc,
		 uint16_t op_private, uint16_t data_room)
{
	struct rte_mempool *op_mp, *mbuf_mp;
	uint32_t session_size;
	char name[32];
	unsigned int i;
	int ret = find(d, driver, &session_size);

	if (ret != 0)
		return ret;
	d->nb_ops = nb_ops;
	d->ops = calloc(nb_ops, sizeof(d->ops[0]));
	d->session_mp = rte_cryptodev_sym_session_pool_create(name_of(d, "session", name), 16,
			session_size, 0, 0, SOCKET_ID_ANY);
	op_mp = rte_crypto_op_pool_create(name_of(d, "op", name), RTE_CRYPTO_OP_TYPE_SYMMETRIC,
					  nb_ops, 0, op_private, SOCKET_ID_ANY);
	mbuf_mp = rte_pktmbuf_pool_create(name_of(d, "mbuf", name), nb_ops, 0, 0,
					  RTE_PKTMBUF_HEADROOM + data_room, SOCKET_ID_ANY);
	if (d->ops == NULL || d->session_mp == NULL || op_mp == NULL || mbuf_mp == NULL)
		return -ENOMEM;
	if (rte_eal_process_type() == RTE_PROC_PRIMARY)
		ret = configure(d, nb_desc);
	if (ret != 0)
		return ret;
	if (rte_crypto_op_bulk_alloc(op_mp, RTE_CRYPTO_OP_TYPE_SYMMETRIC, d->ops,
				     (uint16_t)nb_ops) != nb_ops)
		return -ENOMEM;
	for (i = 0; i < nb_ops; i++) {
		d->ops[i]->sym->m_src = rte_pktmbuf_alloc(mbuf_mp);
		if (d->ops[i]->sym->m_src == NULL)
			return -ENOMEM;
	}
	return 0;
}

void
any_device_stop(struct any_device *d)
{
	if (d->session_mp != NULL && rte_eal_process_type() == RTE_PROC_PRIMARY)
		rte_cryptodev_stop(d->id);
	free(d->ops);
}

void
any_device_set_len(struct any_device *d, uint16_t len)
{
	unsigned int i;

	for (i = 0; i < d->nb_ops; i++) {
		rte_pktmbuf_reset(d->ops[i]->sym->m_src);
		rte_pktmbuf_append(d->ops[i]->sym->m_src, len);
	}
}

int
any_device_drain(const struct any_device *d, any_take *take, void *arg)
{
	uint64_t last = rte_rdtsc();
	int n;

	while (d->taken != d->given) {
		n = take(arg);
		if (n < 0)
			return n;
		if (n > 0)
			last = rte_rdtsc();
		else if (rte_rdtsc() - last > ANY_HANGS_S * rte_get_tsc_hz())
			return -ETIMEDOUT;
	}
	return 0;
}

int
any_device_load(const struct any_device *d, any_give *give, any_take *take, void *arg,
		double seconds, double *took)
{
	const uint64_t begin = rte_rdtsc(), hz = rte_get_tsc_hz();
	uint64_t last = begin, now = begin;
	int ret = 0;

	while (ret >= 0 && (double)(now - begin) < seconds * (double)hz) {
		ret = give(arg);
		if (ret >= 0)
			ret = take(arg);
		now = rte_rdtsc();
		if (ret > 0)
			last = now;
		if (now - last > ANY_HANGS_S * hz)
			return -ETIMEDOUT;
	}
	if (ret >= 0)
		ret = any_device_drain(d, take, arg);
	*took = (double)(rte_rdtsc() - begin) / (double)hz;
	return ret;
}

double
any_seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
