/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes the lists of callbacks of a secondary process: see accel_secondary.h. They are allocated in
 * the same pieces as the library's own, because the library frees them when this process configures
 * the device.
 */

#include <errno.h>

#include <cryptodev_pmd.h>
#include <rte_cryptodev.h>
#include <rte_malloc.h>
#include <rte_rcu_qsbr.h>

#include "accel_secondary.h"

#define LIST_THREADS 1u /* one thread per queue pair and direction, as in the library */

/* Counts the lists of each device that the driver, and not the library, has allocated. */
static uint16_t lists_nb[RTE_CRYPTO_MAX_DEVS];

static struct rte_cryptodev_cb_rcu *
lists_create(uint16_t nb)
{
	struct rte_cryptodev_cb_rcu *lists = rte_zmalloc(NULL, nb * sizeof(*lists), 0);
	uint16_t i;

	for (i = 0; lists != NULL && i < nb; i++) {
		lists[i].qsbr = rte_zmalloc(NULL, rte_rcu_qsbr_get_memsize(LIST_THREADS),
					    RTE_CACHE_LINE_SIZE);
		if (lists[i].qsbr != NULL && rte_rcu_qsbr_init(lists[i].qsbr, LIST_THREADS) == 0)
			continue;
		do
			rte_free(lists[i].qsbr);
		while (i-- > 0);
		rte_free(lists);
		return NULL;
	}
	return lists;
}

static void
lists_free(struct rte_cryptodev_cb_rcu *lists, uint16_t nb)
{
	uint16_t i;

	for (i = 0; lists != NULL && i < nb; i++)
		rte_free(lists[i].qsbr);
	rte_free(lists);
}

int
accel_secondary_init(struct rte_cryptodev *cryptodev, uint16_t nb_qps)
{
	cryptodev->enq_cbs = lists_create(nb_qps);
	cryptodev->deq_cbs = lists_create(nb_qps);
	lists_nb[cryptodev->data->dev_id] = nb_qps;
	if (cryptodev->enq_cbs != NULL && cryptodev->deq_cbs != NULL)
		return 0;
	accel_secondary_fini(cryptodev);
	return -ENOMEM;
}

void
accel_secondary_configured(const struct rte_cryptodev *cryptodev)
{
	lists_nb[cryptodev->data->dev_id] = 0;
}

void
accel_secondary_fini(struct rte_cryptodev *cryptodev)
{
	const uint16_t nb = lists_nb[cryptodev->data->dev_id];

	if (nb == 0)
		return;
	lists_free(cryptodev->enq_cbs, nb);
	lists_free(cryptodev->deq_cbs, nb);
	cryptodev->enq_cbs = NULL;
	cryptodev->deq_cbs = NULL;
	lists_nb[cryptodev->data->dev_id] = 0;
}
