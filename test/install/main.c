/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * This program is one that a user of rte_pmd_accel.h would write. run.sh compiles and links it with
 * the flags of `pkg-config crypto_accel` for an installed driver.
 */
#include <inttypes.h>
#include <stdio.h>

#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <rte_pmd_accel.h>
#include <rte_pmd_accel_embedded.h>

int
main(int argc, char **argv)
{
	struct rte_pmd_accel_info info;
	int ret, dev;

	if (rte_eal_init(argc, argv) < 0)
		return 1;
	dev = rte_cryptodev_get_dev_id("crypto_accel0");
	if (dev < 0)
		return 1;
	ret = rte_pmd_accel_fault((uint8_t)dev, "none");
	printf("fault %d, ", ret);
	if (ret == 0)
		ret = rte_pmd_accel_info_get((uint8_t)dev, &info);
	if (ret == 0)
		printf("a queue pair has %" PRIu64 " bytes\n", info.queue_pair_bytes);
	rte_eal_cleanup();
	return ret == 0 ? 0 : 1;
}
