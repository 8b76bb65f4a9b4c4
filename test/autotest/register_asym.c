/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * tools/tree.sh appends this to app/test/test_cryptodev_asym.c of a DPDK tree, without this
 * comment. Each driver has a suite of its own there. That of crypto_accel has all cases that any
 * driver has.
 */

static struct unit_test_suite cryptodev_accel_asym_testsuite = {
	.suite_name = "Crypto Device ACCEL ASYM Unit Test Suite",
	.setup = testsuite_setup,
	.teardown = testsuite_teardown,
	.unit_test_cases = {
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_capability),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_dsa),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_dh_key_generation),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_rsa_enc_dec),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_rsa_sign_verify),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_rsa_enc_dec_crt),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_rsa_sign_verify_crt),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_mod_inv),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_mod_exp),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_one_by_one),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_ecdsa_sign_verify_all_curve),
		TEST_CASE_ST(ut_setup_asym, ut_teardown_asym, test_ecpm_all_curve),
		TEST_CASES_END()
	}
};

static int
test_cryptodev_accel_asym(void)
{
	gbl_driver_id = rte_cryptodev_driver_id_get(RTE_STR(CRYPTODEV_NAME_ACCEL_PMD));
	if (gbl_driver_id == -1) {
		RTE_LOG(ERR, USER1, "ACCEL PMD must be loaded.\n");
		return TEST_FAILED;
	}
	return unit_test_suite_runner(&cryptodev_accel_asym_testsuite);
}

REGISTER_TEST_COMMAND(cryptodev_accel_asym_autotest, test_cryptodev_accel_asym);
