
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * tools/tree.sh inserts this into app/test/test_cryptodev.c of a DPDK tree, without this comment.
 * That test program takes no driver name at run time, so each driver has two commands there. These
 * are those of crypto_accel.
 */

static int
test_cryptodev_accel(void)
{
	return run_cryptodev_testsuite(RTE_STR(CRYPTODEV_NAME_ACCEL_PMD));
}

static int
test_cryptodev_accel_raw_api(void)
{
	static const char *pmd_name = RTE_STR(CRYPTODEV_NAME_ACCEL_PMD);
	int ret;

	ret = require_feature_flag(pmd_name, RTE_CRYPTODEV_FF_SYM_RAW_DP, "RAW API");
	if (ret)
		return ret;

	global_api_test_type = CRYPTODEV_RAW_API_TEST;
	ret = run_cryptodev_testsuite(pmd_name);
	global_api_test_type = CRYPTODEV_API_TEST;

	return ret;
}

REGISTER_TEST_COMMAND(cryptodev_accel_autotest, test_cryptodev_accel);
REGISTER_TEST_COMMAND(cryptodev_accel_raw_api_autotest, test_cryptodev_accel_raw_api);
