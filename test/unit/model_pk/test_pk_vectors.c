/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers of public keys: the model's engines carry out all operations of the files
 * test/vectors/pk/NAME.txt. test_asym_vectors.c has the driver do it.
 */
#include "pk_base/pk_known.h"

static void
test_files(void **state)
{
	(void)state;
	pk_known_files(pk_carry_out);
	pk_key_free(known_key);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
