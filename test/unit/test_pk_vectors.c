/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers of public keys: the model's engines carry out all operations of the files
 * test/vectors/pk/NAME.txt. test_asym_vectors.c has the driver do it.
 */
#include "test_pk.h"
#include "test_pk_file.h"

static struct pk_key *key;

/* Whether the library that is linked has the algorithm and the curve. */
static bool
possible(const struct pk_known *known)
{
	const struct pk_caps *caps = pk_caps(known->alg);

	for (unsigned int i = 0; caps != NULL && i < caps->nb_curves; i++) {
		if (caps->curve[i] == known->curve)
			return true;
	}
	return caps != NULL && caps->nb_curves == 0;
}

/* False if the components are no key, and were not to be one. */
static bool
make_key(struct pk_known *known)
{
	const struct text *component[ACCEL_HW_PK_COMPONENTS];
	uint16_t status;

	for (unsigned int i = 0; i < ACCEL_HW_PK_COMPONENTS; i++)
		component[i] = known->has_component[i] ? &known->component[i] : NULL;
	pk_key_free(key);
	key = pk_key_try(known->alg, known->curve, component, ACCEL_HW_PK_COMPONENTS, &status);
	if (key == NULL && status != known->status)
		pk_known_wrong(known, "the key's status", status, known->status);
	known->new_key = key == NULL;
	return key != NULL;
}

static bool
carry_out(struct pk_known *known)
{
	struct accel_hw_pk_command cmd = pk_command(known->operation);
	const struct text *operand[ACCEL_HW_PK_OPERANDS];
	struct answer answer;

	if (!possible(known))
		return false;
	if (known->new_key && !make_key(known))
		return true;
	for (unsigned int i = 0; i < ACCEL_HW_PK_OPERANDS; i++)
		operand[i] = &known->operand[i];
	cmd.padding = (uint8_t)known->padding;
	cmd.hash = (uint8_t)known->hash;
	cmd.mgf_hash = (uint8_t)known->mgf_hash;
	cmd.variant = (uint8_t)known->variant;
	cmd.salt_len = (uint16_t)known->salt_len;
	answer = pk_do(key, cmd, operand, ACCEL_HW_PK_OPERANDS);
	pk_known_compare(known, answer.status, answer.data, answer.produced);
	return true;
}

static void
test_files(void **state)
{
	(void)state;
	pk_known_files(carry_out);
	pk_key_free(key);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
