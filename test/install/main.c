/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * This program is one that a user of rte_pmd_accel.h would write. run.sh compiles and links it with
 * the flags of `pkg-config crypto_accel` for an installed driver.
 */
#include <stdio.h>

#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <rte_pmd_accel.h>

int
main(int argc, char **argv)
{
	int ret, dev;

	if (rte_eal_init(argc, argv) < 0)
		return 1;
	dev = rte_cryptodev_get_dev_id("crypto_accel0");
	if (dev < 0)
		return 1;
	ret = rte_pmd_accel_fault((uint8_t)dev, "none");
	printf("fault %d, a queue pair has %zu bytes\n", ret,
	       rte_pmd_accel_qp_memory((uint8_t)dev, 1024));
	rte_eal_cleanup();
	return ret == 0 ? 0 : 1;
}
