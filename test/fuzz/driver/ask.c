/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a program asks the driver beside its operations. The device decides what it hears.
 */
#include <cryptodev_pmd.h>
#include <rte_cryptodev.h>

#include "accel_health_page.h"
#include "caller.h"
#include "rte_pmd_accel.h"
#include "world.h"

void
caller_ask(uint8_t dev)
{
	struct rte_pmd_accel_health health;
	struct rte_pmd_accel_info about;
	struct rte_pmd_accel_vf_info vf;
	struct rte_cryptodev_stats stats;
	struct rte_cryptodev_info info;
	uint8_t random[40];

	switch (take_below(8)) {
	case 0:
		accel_health_page_get(rte_cryptodev_pmd_get_dev(dev)->data->dev_private, &health);
		break;
	case 1:
		CLAIM(rte_pmd_accel_info_get(dev, &about) == 0);
		break;
	case 2:
		rte_pmd_accel_vf_info_get(dev, take_u8() % 4, &vf);
		break;
	case 3:
		rte_cryptodev_stats_get(dev, &stats);
		break;
	case 4:
		rte_cryptodev_info_get(dev, &info);
		break;
	case 5:
		rte_pmd_accel_vf_share_set(dev, take_u8() % 4, NULL);
		break;
	default:
		rte_pmd_accel_random(dev, random, take_below(sizeof(random)));
		break;
	}
}
